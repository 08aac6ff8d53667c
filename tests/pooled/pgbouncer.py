"""A real PgBouncer in front of the run's PostgreSQL: transaction mode, with far fewer connections than callers."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

MISSING = (
    "PgBouncer is missing; as root: apt-get install -y pgbouncer, or set PGBOUNCER to one (make test does the first)"
)
SERVER_CONNECTIONS = 2


class PgBouncer:
    def __init__(self, postgres_url: str) -> None:
        behind = conninfo_to_dict(postgres_url)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.folder = Path(tempfile.mkdtemp(prefix="gunita-pgbouncer-"))
        self.folder.chmod(0o755)
        settings = self.folder / "pgbouncer.ini"
        settings.write_text(
            f"[databases]\n* = host={behind['host']} port={behind['port']} user=postgres\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\nauth_type = any\n"
            f"pool_mode = transaction\ndefault_pool_size = {SERVER_CONNECTIONS}\nmax_client_conn = 200\n"
            "log_connections = 0\nlog_disconnections = 0\n"
        )
        self._log = (self.folder / "log").open("wb")
        self._process = subprocess.Popen(
            [program(), str(settings)], user=_unprivileged(), stdout=self._log, stderr=self._log, cwd="/"
        )
        self._wait_until_listening()

    def in_front_of(self, url: str) -> str:
        """Give the address of a database by way of the pooler."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{conninfo_to_dict(url)['dbname']}"

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)
        self._log.close()
        shutil.rmtree(self.folder)

    def _wait_until_listening(self) -> None:
        until = time.monotonic() + 30
        while time.monotonic() < until and self._process.poll() is None:
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError((self.folder / "log").read_text(errors="replace"))


def program() -> str:
    found = os.environ.get("PGBOUNCER") or shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    assert found, MISSING
    return found


def _unprivileged() -> str | None:
    """It refuses to run as root; anybody else runs it as themselves."""
    return pwd.getpwnam("nobody").pw_name if os.geteuid() == 0 else None
