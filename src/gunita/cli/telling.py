"""How commands speak: to people in colour, to programs in JSON, and of trouble in a sentence."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from gunita.errors import GunitaError, ValidationError

WIDE = 10_000
"""Columns where nobody looks: what goes into a pipe is not broken into lines."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

out = Console(width=None if sys.stdout.isatty() else WIDE)
err = Console(stderr=True, width=None if sys.stderr.isatty() else WIDE)


@contextmanager
def told_plainly() -> Iterator[None]:
    """End with what went wrong in a sentence, not in a trace."""
    try:
        yield
    except GunitaError as problem:
        err.print(harmless(f"gunita: {problem}"), style="red", highlight=False, soft_wrap=True, markup=False)
        raise typer.Exit(1) from problem


def write(value: Any) -> None:
    """Write JSON, in colour where somebody looks."""
    out.print_json(json.dumps(value))


def write_line(value: Any) -> None:
    """Write JSON on a line of its own, at once."""
    out.file.write(json.dumps(value) + "\n")
    out.file.flush()


def say(text: str, style: str = "", *, end: str = "\n", to: Console = out) -> None:
    """Say something that people wrote, as it stands; what would steer a terminal does not reach it."""
    shown = harmless(text) if to.is_terminal else text
    to.print(Text(shown, style), end=end, soft_wrap=True)


def harmless(text: str) -> str:
    """Put a sign in place of what would steer a terminal."""
    return _CONTROL.sub("\ufffd", text)


def counted(number: int, one: str, many: str | None = None) -> str:
    """Write a number with what it counts, which is one or are many."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def note(text: str) -> None:
    """Say something beside the matter, to people alone."""
    say(text, "dim", to=err)


def say_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Say records in columns; the first stays whole, whatever the width."""
    table = Table(*columns, box=None)
    table.columns[0].no_wrap = True
    for row in rows:
        table.add_row(*(Text(harmless("" if cell is None else str(cell))) for cell in row))
    out.print(table)


def confirm(question: str, *, yes: bool) -> None:
    """Go on only where somebody says yes, here or beforehand."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise ValidationError("--yes", "is needed where nobody can be asked, because this cannot be undone")
    typer.confirm(harmless(question), abort=True, err=True)


@contextmanager
def bar(doing: str, *, hidden: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Show how far something has come, told as so many of so many."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=hidden or not err.is_terminal) as shown:
        task = shown.add_task(doing, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)
