"""Which tables there are and in which order they move, read from the databases themselves so that none is forgotten."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from typing import Any, TypeAlias

from gunita.errors import TransferError
from gunita.ids import moment_of
from gunita.store.database import Row

Key: TypeAlias = tuple[Any, ...]

TENANT = "tenant_id"
_WHOLE = 2**128


@dataclass(frozen=True, slots=True)
class Link:
    """A foreign key: the columns that name a row of another table, by these of its columns."""

    columns: tuple[str, ...]
    parent: str
    named_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    links: tuple[Link, ...]
    types: tuple[str, ...] = ()
    """The columns' types, as PostgreSQL says them."""

    @property
    def parents(self) -> set[str]:
        """Tables whose rows must be there first."""
        return {link.parent for link in self.links}

    def key_of(self, row: Row) -> Key:
        return self.values(row, self.key)

    def values(self, row: Row, columns: Iterable[str]) -> Row:
        return tuple(row[self.columns.index(column)] for column in columns)

    def names_otherwise(self, link: Link) -> bool:
        """Tell a link that names rows of this table by something else than their key."""
        return link.parent == self.name and link.named_by != self.key


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """How many rows, and a sum of their hashes: equal for equal rows, in whatever order they are read."""

    rows: int
    digest: str


def in_order(tables: Iterable[Table]) -> list[Table]:
    """Put tables behind those that they depend on."""
    named = {table.name: table for table in sorted(tables, key=lambda table: table.name)}
    return [
        named[name] for name in TopologicalSorter({t.name: sorted(t.parents) for t in named.values()}).static_order()
    ]


def typed(table: Table, found: Mapping[str, str]) -> Table:
    """Give a table the types that its columns have where they go; the two must know the same columns."""
    if set(table.columns) != found.keys():
        other = ", ".join(sorted(set(table.columns) ^ found.keys()))
        raise TransferError(
            f"the table {table.name} has other columns here than there ({other}); "
            "bring both databases to the newest schema with `gunita migrate`, then try again"
        )
    types = tuple(found[column] for column in table.columns)
    return replace(table, types=types)


def for_postgres(table: Table, row: Row) -> Row:
    """Say a row of SQLite as PostgreSQL takes it; what cannot be said is damage, and is told with its place."""
    said = []
    for column, kind, value in zip(table.columns, table.types, row, strict=True):
        try:
            said.append(None if value is None else _value(kind, value))
        except (ValueError, TypeError, OverflowError) as damage:
            raise damaged(table, row, f"{column}: {damage}") from damage
    return tuple(said)


def damaged(table: Table, row: Row, why: object) -> TransferError:
    place = ", ".join(f"{name} {value!r}" for name, value in zip(table.key, table.key_of(row), strict=True))
    return TransferError(
        f"a row of {table.name} cannot be moved ({place}): {' '.join(str(why).split())}; "
        "mend or delete it in the source and run the same command again, which goes on from here"
    )


def fingerprint(rows: Iterable[Row]) -> Fingerprint:
    """Take the fingerprint of rows in SQLite's form."""
    count = total = 0
    for row in rows:
        count += 1
        total += int.from_bytes(hashlib.blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=16).digest())
    return Fingerprint(count, f"{total % _WHOLE:032x}")


def _value(kind: str, value: Any) -> Any:
    if isinstance(value, bytes) != (kind == "bytea"):
        raise ValueError("is not text in UTF-8")
    if kind == "timestamp with time zone":
        return moment_of(value)
    return bool(value) if kind == "boolean" else value
