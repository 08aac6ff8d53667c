"""Measures several ways of doing the same work side by side, so that a busy machine disturbs all of them alike."""

from __future__ import annotations

import os
import platform
import random
import statistics
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

Act = Callable[[], object]


@dataclass(frozen=True)
class Figures:
    """What one way of doing the work took, in microseconds a call."""

    median: float
    p99: float
    per_second: float
    calls: int

    def as_dict(self) -> dict[str, float]:
        return asdict(self)


@dataclass
class _Tally:
    nanoseconds: list[int]
    wall: int = 0

    def figures(self) -> Figures:
        ordered = sorted(self.nanoseconds)
        return Figures(
            median=statistics.median(ordered) / 1_000,
            p99=ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] / 1_000,
            per_second=len(ordered) / (self.wall / 1e9),
            calls=len(ordered),
        )


def side_by_side(ways: Mapping[str, Act], *, rounds: int, batch: int, callers: int = 1) -> dict[str, Figures]:
    """Call each way in small batches, in another order every round, from one thread or from many at once."""
    order = random.Random(11)
    tallies = {name: _Tally([]) for name in ways}
    for act in ways.values():
        _together(act, batch, callers)
    names = list(ways)
    for _ in range(rounds):
        order.shuffle(names)
        for name in names:
            started = time.perf_counter_ns()
            tallies[name].nanoseconds += _together(ways[name], batch, callers)
            tallies[name].wall += time.perf_counter_ns() - started
    return {name: tally.figures() for name, tally in tallies.items()}


def _together(act: Act, batch: int, callers: int) -> list[int]:
    """Time a batch of calls by every caller; one caller needs no thread of its own."""
    if callers == 1:
        return _timed(act, batch)
    taken: list[list[int]] = []
    threads = [threading.Thread(target=lambda: taken.append(_timed(act, batch))) for _ in range(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(taken) != callers:
        raise RuntimeError("a caller failed; its error is above")
    return [each for calls in taken for each in calls]


def _timed(act: Act, batch: int) -> list[int]:
    clock, taken = time.perf_counter_ns, []
    for _ in range(batch):
        before = clock()
        act()
        taken.append(clock() - before)
    return taken


def circumstances(packages: Sequence[str], **more: str) -> dict[str, str]:
    """Say where, when and with what a measurement was taken."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": f"{os.cpu_count()} cores, {_processor()}, load {os.getloadavg()[0]:.1f} at the start",
        "system": f"{platform.system()} {platform.release().split('-')[0]}, Python {platform.python_version()}",
        **{name: version(name) for name in packages},
        **more,
    }


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
