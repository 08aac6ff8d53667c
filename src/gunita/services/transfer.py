"""Moves a whole database from SQLite to PostgreSQL: copy, catch up with what was written meanwhile, compare, end."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeAlias

from gunita.errors import TransferError
from gunita.settings import Settings
from gunita.store import migrate_postgres
from gunita.store.address import readable
from gunita.store.alone import alone
from gunita.store.database import Row
from gunita.store.transfer.source import Snapshot, SqliteSource
from gunita.store.transfer.tables import Fingerprint, Key, Table, fingerprint, typed
from gunita.store.transfer.target import Change, PostgresTarget, Progress

FEW = 100
"""Changes that are caught up with while the source waits."""

Tell: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Compared:
    """One table on both sides."""

    table: str
    source: Fingerprint
    target: Fingerprint

    @property
    def is_equal(self) -> bool:
        return self.source == self.target


@dataclass(frozen=True, slots=True)
class TransferReport:
    tables: list[Compared]
    followed: int
    """Changes that were made to the source while it was copied, and are in the target."""
    closed: bool
    """Whether the source refuses writes from now on."""

    @property
    def is_equal(self) -> bool:
        return all(table.is_equal for table in self.tables)


class Transfer:
    """One move, from one file to one database, of one tenant or of all."""

    def __init__(self, source: SqliteSource, target: PostgresTarget, batch: int, tell: Tell) -> None:
        columns = target.columns()
        self.tables = [typed(table, columns.get(table.name, {})) for table in source.tables()]
        self._source = source
        self._target = target
        self._batch = batch
        self._tell = tell
        self._followed = 0

    def run(self, *, follow: bool) -> TransferReport:
        """Move everything; what a run that was cut short has moved is not moved again."""
        if self._is_done():
            return self._ended(self.compare(), close=follow)
        progress = self._begun()
        with self._source.snapshot() as seen:
            progress = self._caught_up(seen, progress)
            progress = self._copied(seen, progress)
            compared = _require_equal(self._compared(seen))
        if follow:
            progress = self._followed_closely(progress)
        with self._source.locked() as held:
            self._caught_up(held, progress)
            self._source.end(held, self.tables, close=follow)
        self._target.end(self.tables)
        return TransferReport(compared, self._followed, follow)

    def compare(self) -> list[Compared]:
        """Compare both sides as they are, writing nothing."""
        with self._source.snapshot() as seen:
            return self._compared(seen)

    def give_up(self) -> None:
        """Let the source be written again, and note its changes no longer."""
        self._source.reopen()

    def _is_done(self) -> bool:
        """Tell whether everything is there, with nothing left but to end; refuse a target that holds something else."""
        progress = self._target.progress()
        if progress is None and not self._target.holds_any(self.tables):
            return False
        if progress is not None and progress.id == self._source.transfer_id():
            return False
        if all(table.is_equal for table in self.compare()):
            return True
        if progress is None:
            raise TransferError("the target holds other data already; move into an empty database, or another schema")
        raise TransferError(
            "the target holds an unfinished move of another source, or of this one before it was opened again; "
            "go on with that one, or move into an empty database"
        )

    def _begun(self) -> Progress:
        begun = self._source.begin(self.tables)
        progress = self._target.progress()
        if progress is None:
            with self._source.snapshot() as seen:
                progress = Progress(begun, seen.newest_change(), {})
            self._target.begin(progress)
        return progress

    def _copied(self, seen: Snapshot, progress: Progress) -> Progress:
        """Copy what is not copied yet, batch by batch along each table's key."""
        total = sum(map(seen.count, self.tables))
        for table in self.tables:
            rows = seen.rows(table, progress.copied.get(table.name)) if not _is_whole(progress, table) else iter(())
            for batch in _batches(rows, self._batch):
                progress = _further(progress, table, batch)
                self._target.copy(table, batch, progress)
                self._tell(progress.rows, total)
            progress = replace(progress, copied=progress.copied | {table.name: None})
        self._target.apply([], progress)
        return progress

    def _followed_closely(self, progress: Progress) -> Progress:
        """Catch up until little is left, or no less than before: then the source has to wait for the rest."""
        before = math.inf
        while True:
            with self._source.snapshot() as seen:
                left = seen.newest_change() - progress.change
                if left <= FEW or left >= before:
                    return progress
                progress, before = self._caught_up(seen, progress), left

    def _caught_up(self, seen: Snapshot, progress: Progress) -> Progress:
        """Bring what is copied already to what the source says now."""
        newest = seen.newest_change()
        if newest == progress.change:
            return progress
        changes = _changes(seen, self.tables, progress)
        caught_up = replace(progress, change=newest)
        self._target.apply(changes, caught_up)
        self._check(changes)
        self._followed += newest - progress.change
        return caught_up

    def _check(self, changes: Sequence[Change]) -> None:
        """Read back what was caught up with, so that it is compared like everything else."""
        for change in changes:
            table = change.table
            keys = [*map(table.key_of, change.rows), *change.deleted]
            if self._target.rows_of(table, keys) != set(change.rows):
                raise TransferError(
                    f"rows of {table.name} differ after they were moved; is somebody else writing there?"
                )

    def _compared(self, seen: Snapshot) -> list[Compared]:
        return [
            Compared(table.name, fingerprint(seen.rows(table)), fingerprint(self._target.rows(table)))
            for table in self.tables
        ]

    def _ended(self, compared: list[Compared], *, close: bool) -> TransferReport:
        with self._source.locked() as held:
            self._source.end(held, self.tables, close=close)
        self._target.end(self.tables)
        return TransferReport(compared, 0, close)


@contextmanager
def between(
    source: Settings, target: Settings, *, tenant: str | None = None, batch: int = 2_000, tell: Tell = lambda *_: None
) -> Iterator[Transfer]:
    """Open both sides of a move; only one process at a time moves into a target."""
    path = source.sqlite_path
    if source.is_postgres or path is None:
        raise TransferError("a move starts from a SQLite file; PostgreSQL is copied by pg_dump and pg_restore")
    if not target.is_postgres:
        raise TransferError("a move goes to PostgreSQL: postgresql://…; a SQLite file is copied by `gunita backup`")
    migrate_postgres.upgrade(readable(target.database_url), target.postgres_schema)
    with alone(target, "transfer") as held:
        if not held:
            raise TransferError("another process is moving data into this target; wait for it")
        opened = SqliteSource(path, tenant, source.sqlite_busy_seconds)
        with closing(PostgresTarget(target.database_url, target.postgres_schema, tenant)) as filled:
            yield Transfer(opened, filled, batch, tell)


def _changes(seen: Snapshot, tables: Sequence[Table], progress: Progress) -> list[Change]:
    """Say what became of the rows that are copied already, parents before their children.

    A row that others name by something else than its key may have come to another key, and another row to its own.
    Such rows are deleted and written anew; what hung on them goes with them, and is written anew too.
    """
    changes: dict[str, Change] = {}
    links = [link for table in tables for link in table.links]
    for table in tables:
        keys = set(seen.changed_since(progress.change, table)) | _hanging_on(seen, changes, table)
        found = {key: seen.row(table, key) for key in sorted(keys) if progress.covers(table, key)}
        anew = any(table.names_otherwise(link) for link in links)
        changes[table.name] = Change(
            table,
            [key for key, row in found.items() if anew or row is None],
            [row for row in found.values() if row is not None],
        )
    return [*changes.values()]


def _hanging_on(seen: Snapshot, changes: Mapping[str, Change], table: Table) -> set[Key]:
    """Name the rows of a table that go when changed rows are deleted to be written anew."""
    parents = [(changes[link.parent], link) for link in table.links]
    return {
        key
        for change, link in parents
        if change.table.names_otherwise(link)
        for row in change.rows
        for key in seen.hanging_on(change.table, row, table, link)
    }


def _further(progress: Progress, table: Table, batch: Sequence[Row]) -> Progress:
    copied = progress.copied | {table.name: table.key_of(batch[-1])}
    return replace(progress, copied=copied, rows=progress.rows + len(batch))


def _is_whole(progress: Progress, table: Table) -> bool:
    return table.name in progress.copied and progress.copied[table.name] is None


def _batches(rows: Iterator[Row], size: int) -> Iterator[list[Row]]:
    while batch := list(islice(rows, size)):
        yield batch


def _require_equal(compared: list[Compared]) -> list[Compared]:
    if different := [table.table for table in compared if not table.is_equal]:
        raise TransferError(
            f"the target differs from the source in {', '.join(different)}; is somebody else writing to it? "
            "Move into an empty database that nobody uses yet"
        )
    return compared
