"""`gunita reembed`."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from gunita.app import Gunita


def reembed(gunita: Gunita, console: Console) -> dict[str, int]:
    """Read anew what another model has read, with a bar; what is cut short goes on at the next call."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("Reading", total=None)
        done = gunita.search.reembed(lambda so_far, total: shown.update(task, completed=so_far, total=total))
    return {"read": done, "left": gunita.search.count_waiting()}
