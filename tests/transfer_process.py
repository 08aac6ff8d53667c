"""A process of its own that moves a database and says how far it has come, so that it can be killed in the middle."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from gunita.services.transfer import between
from gunita.settings import Settings

# One process reads the modules, and every other is its copy: a start costs next to nothing.
_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload([__name__])

BEGUN, ENDED = (0, 0), (-1, -1)
GO_ON = "go on"


@contextmanager
def started(source: Path, target: str, batch: int) -> Iterator[tuple[BaseProcess, Connection]]:
    """Begin a move; how far it has come is read from the connection, and it goes on when it is answered."""
    told, telling = _processes.Pipe()
    process = _processes.Process(target=_move, args=(str(source), target, batch, telling))
    process.start()
    telling.close()
    yield process, told
    process.join()
    told.close()


def _move(source: str, target: str, batch: int, telling: Connection) -> None:
    def tell(done: int, total: int) -> None:
        telling.send((done, total))
        telling.recv()

    sides = [Settings(database_url=address) for address in (source, target)]
    with between(*sides, batch=batch, tell=tell) as transfer:
        tell(*BEGUN)
        transfer.run(follow=False)
        tell(*ENDED)
