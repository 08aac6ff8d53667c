"""A PostgreSQL to be stopped, killed and paused, which no other test uses."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import new_database
from tests.faults.faults import QUICK, wait_until
from tests.faults.tcp_proxy import TcpProxy
from tests.postgres_server import PostgresServer

_OPTIONS = "-c fsync=off -c max_connections=60"


class Fragile:
    """A server and what may happen to it."""

    def __init__(self) -> None:
        self.server = PostgresServer.start(_OPTIONS)

    def stop(self) -> None:
        self.server.run("stop", mode="fast")

    def kill(self) -> None:
        """Kill the server with every process that serves a connection, which would outlive it for a moment."""
        self._signal_all(signal.SIGKILL)

    def start(self) -> None:
        wait_until(self._starts, 60)

    def _starts(self) -> bool:
        """Start; where the processes of a server that was killed are still leaving, that fails for a moment."""
        try:
            self.server.run("start", _OPTIONS)
        except RuntimeError:
            return False
        return True

    def restart(self) -> None:
        self.server.run("restart", _OPTIONS)

    def pause(self) -> None:
        self._signal_all(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: int) -> None:
        """Signal the server with every process that serves a connection."""
        head = self.server.pid
        children = Path(f"/proc/{head}/task/{head}/children").read_text().split()
        for pid in (head, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(pid, number)


@pytest.fixture(scope="module")
def fragile() -> Iterator[Fragile]:
    standing = Fragile()
    yield standing
    standing.server.stop()


@pytest.fixture
def fragile_url(fragile: Fragile) -> Iterator[str]:
    with new_database(fragile.server.url) as address:
        yield address


@pytest.fixture
def wire(postgres_url: str) -> Iterator[TcpProxy]:
    """A wire to the PostgreSQL of the whole run."""
    proxy = TcpProxy(int(postgres_url.rsplit(":", 1)[1].split("/")[0]))
    yield proxy
    proxy.close()


@pytest.fixture
def quick(tmp_path: Path) -> dict[str, Any]:
    """Settings with short waits and a journal of this test's own."""
    return QUICK | {"journal_folder": tmp_path / "waiting"}
