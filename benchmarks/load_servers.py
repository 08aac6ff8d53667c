"""Servers as they are run: `gunita serve`, one or several over one database, watched while they work."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_COMMAND = [sys.executable, "-c", "from gunita.cli import main; main()", "serve"]
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Watch:
    """What servers take while they are looked at."""

    pids: Sequence[int]
    began: float = field(default_factory=time.perf_counter)
    seconds: float = 0.0
    processor_seconds: float = 0.0
    samples: list[float] = field(default_factory=list)

    def sample(self) -> None:
        self.samples.append(sum(resident(pid) for pid in self.pids) / 1e6)

    def megabytes(self) -> dict[str, float]:
        """Give the memory of all servers together: at the beginning, in the middle, at the end, at most."""
        kept = self.samples
        return {
            "first": round(kept[0], 1),
            "middle": round(kept[len(kept) // 2], 1),
            "last": round(kept[-1], 1),
            "most": round(max(kept), 1),
        }


@dataclass(frozen=True)
class Servers:
    ports: Sequence[int]
    pids: Sequence[int]

    @contextmanager
    def watched(self) -> Iterator[Watch]:
        """Look on, a few times a second."""
        watch, over = Watch(self.pids), threading.Event()
        before = sum(map(_processor, self.pids))
        watch.sample()

        def look() -> None:
            while not over.wait(0.5):
                watch.sample()

        looking = threading.Thread(target=look, daemon=True)
        looking.start()
        try:
            yield watch
        finally:
            over.set()
            looking.join()
            watch.sample()
            watch.seconds = time.perf_counter() - watch.began
            watch.processor_seconds = sum(map(_processor, self.pids)) - before


@contextmanager
def serving(database: str, folder: Path, number: int, profile: Path | None = None) -> Iterator[Servers]:
    """Run that many servers over one database; they end with the block."""
    ports = [_free_port() for _ in range(number)]
    processes = []
    try:
        for port in ports:
            processes.append(_started(database, folder, port))
            _wait_until_ready(port, processes[-1], folder)
        with _profiled(profile, [process.pid for process in processes]):
            yield Servers(ports, [process.pid for process in processes])
    finally:
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            process.wait(60)


@contextmanager
def _profiled(folder: Path | None, pids: Sequence[int]) -> Iterator[None]:
    """Have py-spy look at each server until the block ends, and leave what it saw in the folder."""
    if folder is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    looking = [
        subprocess.Popen(
            ["py-spy", "record", "-f", "raw", "-d", "3600", "-o", str(folder / f"{pid}.txt"), "-p", str(pid)],
            stdout=subprocess.DEVNULL,
        )
        for pid in pids
    ]
    try:
        yield
    finally:
        for one in looking:
            one.send_signal(signal.SIGINT)
            one.wait(60)


def _started(database: str, folder: Path, port: int) -> subprocess.Popen[bytes]:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GUNITA_")},
        "GUNITA_DATABASE_URL": database,
        "GUNITA_PORT": str(port),
        "GUNITA_JOURNAL_FOLDER": str(folder / f"journal-{port}"),
    }
    with (folder / f"server-{port}.log").open("ab") as log:
        return subprocess.Popen(_COMMAND, cwd=folder, env=environment, stdout=log, stderr=log)


def _wait_until_ready(port: int, process: subprocess.Popen[bytes], folder: Path) -> None:
    for _ in range(1_200):
        if process.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5)
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
        else:
            return
    raise RuntimeError((folder / f"server-{port}.log").read_text(encoding="utf-8")[-2_000:])


def resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * _PAGE


def _processor(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
