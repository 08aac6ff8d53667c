"""Named statements, read from the .sql files: one shared text and what each engine must say in its own way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

_SHARED = (
    "queries.sql",
    "learning.sql",
    "transcripts.sql",
    "moving.sql",
    "journal.sql",
    "cleaning.sql",
    "erasure.sql",
    "items.sql",
)
_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_THEN = re.compile(r"^-- then$", re.MULTILINE)
_COMMENT = re.compile(r"^--.*$", re.MULTILINE)
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)")


@dataclass(frozen=True)
class Query:
    """One intention in SQL: a statement, or several that share their parameters and one transaction."""

    name: str
    steps: tuple[str, ...]

    @cached_property
    def writes(self) -> bool:
        """Whether a transaction is needed; SQLite's log is emptied outside of any."""
        return any(not step.startswith(("SELECT", "PRAGMA")) for step in self.steps)

    @property
    def parameters(self) -> frozenset[str]:
        return frozenset(name for step in self.steps for name in _PARAMETER.findall(step))


@cache
def load(engine: str) -> Mapping[str, Query]:
    """Read the shared statements and the engine's own, which take precedence."""
    folder = files("gunita.store").joinpath("sql")
    return {
        query.name: query
        for file in (*_SHARED, f"{engine}.sql", f"cleaning_{engine}.sql")
        for query in parse(folder.joinpath(file).read_text(encoding="utf-8"))
    }


def parse(text: str) -> list[Query]:
    _, *parts = _NAME.split(text)
    return [Query(name, _steps(body)) for name, body in zip(parts[::2], parts[1::2], strict=True)]


def for_psycopg(step: str) -> str:
    """Say the parameters as psycopg expects them."""
    return _PARAMETER.sub(r"%(\1)s", step.replace("%", "%%"))


def _steps(body: str) -> tuple[str, ...]:
    return tuple(_COMMENT.sub("", step).strip().removesuffix(";") for step in _THEN.split(body))
