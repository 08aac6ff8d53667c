"""A process of its own that opens a database when told to, appends turns, and says each number once acknowledged.

Run as: python -m tests.writer_process URL SESSION TURNS
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from gunita import Gunita
from gunita.language.tokens import count_tokens

_ROOT = Path(__file__).parent.parent


class WriterProcess:
    """The same, seen from the process that starts it."""

    def __init__(self, url: str, session: object, turns: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.writer_process", url, str(session), str(turns)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=_ROOT,
            text=True,
        )

    def wait_until_ready(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def start(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def acknowledged(self, count: int | None = None) -> list[int]:
        """Read the numbers it says: so many of them, or all until it ends."""
        assert self._process.stdout is not None
        if count is not None:
            return [int(self._process.stdout.readline()) for _ in range(count)]
        return [int(line) for line in self._process.stdout]

    def kill(self) -> None:
        self._process.kill()

    def finish(self) -> int:
        """Wait for its end and tell its exit code."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        return self._process.wait(timeout=120)


def main(url: str, session: str, turns: int) -> None:
    # The first count loads the tables; whoever waits for "ready" does not wait for that.
    count_tokens("ready")
    say("ready")
    sys.stdin.readline()
    with Gunita.open(url, sqlite_busy_seconds=60.0, storage_deadline_seconds=60.0) as g:
        for n in range(turns):
            say(g.sessions.store_turn(session, "juan", f"q{n}", f"a{n}").turn_number)


def say(line: object) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
