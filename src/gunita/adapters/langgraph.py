"""LangGraph: a store of namespaced JSON values with expiry, filters and search by meaning.

graph = builder.compile(store=GunitaStore(gunita))
store.put(("memories", "juan"), "home", {"text": "Lives in Davao"}, ttl=60)
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        get_text_at_path,
    )
except ImportError as missing:
    raise ImportError("LangGraph is not installed; install it with: pip install 'gunita[langgraph]'") from missing

from gunita import ids
from gunita.app import Gunita
from gunita.errors import ValidationError
from gunita.language.encoder import Encoder

OWNER = "langgraph-store"
"""The user whose user memory the store is, apart from everybody who talks."""
READ = ".read"
"""Behind a value's name: when it was last read."""
Namespace: TypeAlias = tuple[str, ...]
Values: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """A value with its place, its times, and the vectors it is found by."""

    namespace: Namespace
    key: str
    value: Values
    created_at: datetime
    updated_at: datetime
    ttl_minutes: float | None = None
    vectors: tuple[bytes, ...] = ()
    read_at: datetime | None = None
    """When it was last read by somebody who keeps it alive by that; noted apart, so that no reader undoes a write."""

    def is_expired(self, now: datetime) -> bool:
        if self.ttl_minutes is None:
            return False
        used_at = max(self.updated_at, self.read_at or self.updated_at)
        return (now - used_at).total_seconds() >= 60 * self.ttl_minutes


class GunitaStore(BaseStore):
    """Keeps a graph's long-term values as user memory of one owner, in the tenant that the Gunita is bound to.

    A search reads all values of the owner; for many thousands of values give each group its own owner.
    """

    supports_ttl = True

    def __init__(
        self,
        gunita: Gunita,
        *,
        owner: str = OWNER,
        ttl: TTLConfig | None = None,
        fields: Sequence[str] = ("$",),
        clock: Callable[[], datetime] = ids.now,
    ) -> None:
        if gunita.scope.user_id is not None:
            raise ValidationError("gunita", "is bound to a user; a store belongs to a tenant or to the system")
        self.ttl_config = ttl
        self._users = gunita.users
        self._owner = owner
        self._fields = tuple(fields)
        self._clock = clock

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do operations one after another, each seeing what the ones before it did."""
        return [self._do(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Delete what has expired; tell how many values that were."""
        now = self._clock()
        return sum(self._delete(entry.namespace, entry.key) for entry in self._every() if entry.is_expired(now))

    def _do(self, op: Op) -> Result:
        match op:
            case GetOp():
                return self._get(op)
            case PutOp():
                self._put(op)
                return None
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._list_namespaces(op)
        raise ValidationError("op", f"{type(op).__name__} is no operation of a store")

    def _get(self, op: GetOp) -> Item | None:
        found = self._read(op.namespace, op.key)
        if found is None:
            return None
        self._renew([found] if op.refresh_ttl else [])
        return Item(
            value=found.value,
            key=found.key,
            namespace=found.namespace,
            created_at=found.created_at,
            updated_at=found.updated_at,
        )

    def _put(self, op: PutOp) -> None:
        if op.value is None:
            self._delete(op.namespace, op.key)
            return
        now, before, value = self._clock(), self._read(op.namespace, op.key), dict(op.value)
        entry = Entry(
            tuple(op.namespace),
            op.key,
            value,
            created_at=before.created_at if before else now,
            updated_at=now,
            ttl_minutes=op.ttl,
            vectors=vectors_of(value, self._fields if op.index is None else op.index or ()),
        )
        self._users.set_memory(self._owner, name_of(op.namespace, op.key), entry_to(entry))

    def _search(self, op: SearchOp) -> list[SearchItem]:
        prefix, now = op.namespace_prefix, self._clock()
        found = [
            entry
            for entry in self._every()
            if entry.namespace[: len(prefix)] == prefix
            and not entry.is_expired(now)
            and matches(entry.value, op.filter or {})
        ]
        ranked = by_meaning(found, op.query) if op.query else newest_first(found)
        chosen = ranked[op.offset : op.offset + op.limit]
        self._renew([entry for entry, _ in chosen] if op.refresh_ttl else [])
        return [
            SearchItem(entry.namespace, entry.key, entry.value, entry.created_at, entry.updated_at, score)
            for entry, score in chosen
        ]

    def _list_namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        now, conditions = self._clock(), op.match_conditions or ()
        found = {
            entry.namespace[: op.max_depth]
            for entry in self._every()
            if not entry.is_expired(now) and all(is_at(entry.namespace, condition) for condition in conditions)
        }
        return list(islice(sorted(found), op.offset, op.offset + op.limit))

    def _read(self, namespace: Namespace, key: str) -> Entry | None:
        name = name_of(namespace, key)
        kept = self._users.get_memory(self._owner, name)
        if kept is None:
            return None
        read_at = self._users.get_memory(self._owner, name + READ) if kept["ttl_minutes"] is not None else None
        entry = entry_from(kept, read_at)
        return None if entry.is_expired(self._clock()) else entry

    def _every(self) -> list[Entry]:
        kept = self._users.get_all_memory(self._owner)
        return [entry_from(kept[name], kept.get(name + READ)) for name in kept if not name.endswith(READ)]

    def _delete(self, namespace: Namespace, key: str) -> bool:
        name = name_of(namespace, key)
        self._users.delete_memory(self._owner, name + READ)
        return self._users.delete_memory(self._owner, name)

    def _renew(self, used: Iterable[Entry]) -> None:
        now = self._clock().isoformat()
        for entry in used:
            if entry.ttl_minutes is not None:
                self._users.set_memory(self._owner, name_of(entry.namespace, entry.key) + READ, now)


def name_of(namespace: Namespace, key: str) -> str:
    """Name a value in a few characters, however long its namespace and its key are."""
    return sha256(json.dumps([*namespace, key]).encode()).hexdigest()


def entry_to(entry: Entry) -> dict[str, Any]:
    """Write an entry as JSON."""
    return {
        "namespace": list(entry.namespace),
        "key": entry.key,
        "value": entry.value,
        "created_at": entry.created_at.isoformat(),
        "updated_at": entry.updated_at.isoformat(),
        "ttl_minutes": entry.ttl_minutes,
        "vectors": [vector.hex() for vector in entry.vectors],
    }


def entry_from(kept: Mapping[str, Any], read_at: str | None) -> Entry:
    """Read what `entry_to` wrote."""
    return Entry(
        tuple(kept["namespace"]),
        kept["key"],
        kept["value"],
        datetime.fromisoformat(kept["created_at"]),
        datetime.fromisoformat(kept["updated_at"]),
        kept["ttl_minutes"],
        tuple(map(bytes.fromhex, kept["vectors"])),
        datetime.fromisoformat(read_at) if read_at else None,
    )


def vectors_of(value: Values, paths: Sequence[str]) -> tuple[bytes, ...]:
    """Read the texts at a value's paths into vectors."""
    texts = [text for path in paths for text in get_text_at_path(value, path) if text.strip()]
    return tuple(vector.astype(np.float16).tobytes() for vector in Encoder.load().encode(texts)) if texts else ()


def by_meaning(entries: Sequence[Entry], query: str) -> list[tuple[Entry, float | None]]:
    """Rank entries by how near their nearest text is to the query; those without a vector come last."""
    [sought] = Encoder.load().encode([query])

    def nearness(entry: Entry) -> float:
        return max(float(np.frombuffer(vector, np.float16).astype(np.float32) @ sought) for vector in entry.vectors)

    scored = [(entry, nearness(entry)) for entry in entries if entry.vectors]
    scored.sort(key=lambda found: -found[1])
    return [*scored, *((entry, None) for entry in entries if not entry.vectors)]


def newest_first(entries: Sequence[Entry]) -> list[tuple[Entry, float | None]]:
    return [(entry, None) for entry in sorted(entries, key=lambda entry: entry.updated_at, reverse=True)]


def matches(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Say whether a value meets every condition of a filter."""
    return all(_meets(value.get(name), condition) for name, condition in wanted.items())


def is_at(namespace: Namespace, condition: MatchCondition) -> bool:
    """Say whether a namespace begins, or ends, as a condition says; * stands for any one label."""
    path = tuple(condition.path)
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda found, wanted: bool(found == wanted),
    "$ne": lambda found, wanted: bool(found != wanted),
    "$gt": lambda found, wanted: float(found) > float(wanted),
    "$gte": lambda found, wanted: float(found) >= float(wanted),
    "$lt": lambda found, wanted: float(found) < float(wanted),
    "$lte": lambda found, wanted: float(found) <= float(wanted),
}


def _meets(found: Any, condition: Any) -> bool:
    if not isinstance(condition, Mapping):
        return bool(found == condition)
    if not any(name.startswith("$") for name in condition):
        return isinstance(found, Mapping) and matches(found, condition)
    if unknown := condition.keys() - _COMPARISONS.keys():
        raise ValidationError("filter", f"{min(unknown)!r} is unknown; use {', '.join(_COMPARISONS)}")
    return all(_compares(name, found, wanted) for name, wanted in condition.items())


def _compares(name: str, found: Any, wanted: Any) -> bool:
    """Compare by size only what can be compared; a value that is missing or of another kind does not meet it."""
    try:
        return _COMPARISONS[name](found, wanted)
    except (TypeError, ValueError):
        return False
