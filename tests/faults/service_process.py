"""The service in a process of its own, to be killed, and clients that write to it and remember what they were told."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import httpx

_COMMAND = [sys.executable, "-c", "from gunita.cli import main; main()", "serve"]


class ServiceProcess:
    """`gunita serve` over a database, on a port that stays the same from one life to the next."""

    def __init__(self, database: str, folder: Path, **settings: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.journal_folder = folder / "waiting"
        self._folder = folder
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GUNITA_")},
            "GUNITA_DATABASE_URL": database,
            "GUNITA_PORT": str(self.port),
            "GUNITA_JOURNAL_FOLDER": str(self.journal_folder),
            "GUNITA_BACKGROUND": "false",
            "OMP_NUM_THREADS": "1",
            **{f"GUNITA_{name.upper()}": value for name, value in settings.items()},
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.launch()
        self.wait_until_ready()

    def launch(self) -> None:
        with (self._folder / "service.log").open("ab") as log:
            self._process = subprocess.Popen(_COMMAND, cwd=self._folder, env=self._environment, stdout=log, stderr=log)

    def wait_until_ready(self) -> None:
        assert self._process is not None
        until = time.monotonic() + 120
        while time.monotonic() < until and self._process.poll() is None:
            try:
                if httpx.get(f"{self.url}/readyz", timeout=5).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError((self._folder / "service.log").read_text()[-4_000:])

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()


@dataclass
class Client:
    """Sends one query after another to a conversation, and remembers which were acknowledged."""

    url: str
    user: str
    session: str = field(default_factory=lambda: str(uuid4()))
    sent: list[str] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        self._stopping.clear()
        self._thread = threading.Thread(target=self._talk, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        assert self._thread is not None
        self._thread.join(30)

    def _talk(self) -> None:
        with httpx.Client(base_url=self.url, timeout=20) as client:
            while not self._stopping.is_set():
                query = f"{self.user} asks {len(self.sent)}"
                self.sent.append(query)
                try:
                    reply = client.post(
                        "/chat", json={"query": query, "user_id": self.user, "session_id": self.session}
                    )
                except httpx.TransportError:
                    self._stopping.wait(0.01)
                    continue
                if reply.status_code == 200:
                    self.acknowledged.append(query)
