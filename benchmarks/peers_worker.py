"""Runs one library in a process of its own: `python -m benchmarks.peers_worker NAME FOLDER MESSAGES`.

Reads one command a line, `append N` or `read N`, and answers each with the nanoseconds of its N calls as JSON.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks.peers_subjects import EVERYONE
from benchmarks.texts import Exchanges


def main() -> None:
    # Libraries print; only the answers may go to the one who asked.
    answers, sys.stdout = sys.stdout, sys.stderr
    name, folder, messages = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    asyncio.run(_serve(EVERYONE[name](folder), messages, answers))


async def _serve(subject: Any, messages: int, answers: Any) -> None:
    exchanges = Exchanges()
    await subject.start([exchanges.draw() for _ in range(messages // 2)])
    said = cycle([exchanges.draw() for _ in range(997)])
    print(json.dumps(await _timed(subject, "read", said, 3)), file=answers, flush=True)
    for line in sys.stdin:
        operation, times = line.split()
        print(json.dumps(await _timed(subject, operation, said, int(times))), file=answers, flush=True)


async def _timed(subject: Any, operation: str, said: Iterator[tuple[str, str]], times: int) -> list[int]:
    """Time single calls; a call that is awaited is awaited in the running loop, as its users would."""
    act, clock, taken = getattr(subject, operation), time.perf_counter_ns, []
    awaited = inspect.iscoroutinefunction(act)
    for _ in range(times):
        given = next(said) if operation == "append" else ()
        before = clock()
        done = act(*given)
        if awaited:
            await done
        taken.append(clock() - before)
    return taken


if __name__ == "__main__":
    main()
