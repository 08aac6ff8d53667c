"""Lines as somebody types them: with editing, and with earlier lines under the arrow keys, also after a restart."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from gunita.cli.telling import note

LINES_KEPT = 1_000


def typed_lines(prompt: str, *, keep: bool) -> Generator[str, None, None]:
    """Ask for lines until there are no more; Ctrl-C gives up the line that is being typed."""
    with _earlier_lines(_kept_at() if keep else None):
        while True:
            try:
                line = input(prompt)
            except EOFError:
                sys.stdout.write("\n")
                return
            except KeyboardInterrupt:
                sys.stdout.write("\n")
                continue
            yield line


@contextmanager
def _earlier_lines(file: Path | None) -> Iterator[None]:
    """Bring back the lines of earlier talks, and keep those of this one; they are nobody else's to read."""
    try:
        import readline
    except ImportError:
        # Where Python was built without it, a terminal still edits the line that is typed.
        yield
        return
    if file is None:
        yield
        return
    readline.set_history_length(LINES_KEPT)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
        readline.read_history_file(file)
    except OSError as problem:
        note(f"typed lines are not kept: {problem}")
        yield
        return
    try:
        yield
    finally:
        readline.write_history_file(file)


def _kept_at() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "gunita" / "typed-lines"
