"""Fills a database that Gunita has made, in bulk: many conversations of three sizes, their turns mixed in time."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

import psycopg

from benchmarks.texts import Exchanges
from gunita.ids import microseconds, new_id

_Values: TypeAlias = tuple[Any, ...]

SIZES = (10, 1_000, 10_000)
_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)

_MESSAGE_COLUMNS = "tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count"
_CONVERSATION_COLUMNS = "tenant_id, id, user_id, created_at, updated_at, message_count, turn_count, token_count"


@dataclass(frozen=True)
class Conversation:
    id: UUID
    user_id: str
    messages: int


def plan(total: int) -> list[Conversation]:
    """Decide which conversations hold that many messages: some of each size, the small ones by far the most."""
    shares = {10_000: max(1, total // 50_000), 1_000: max(1, total // 5_000)}
    rest = max(1_000, total - sum(size * number for size, number in shares.items()))
    sizes = [size for size, number in (*shares.items(), (10, rest // 10)) for _ in range(number)]
    return [
        Conversation(new_id(_BEGIN), f"user-{number // 5 if size == min(SIZES) else -number}", size)
        for number, size in enumerate(sizes, start=1)
    ]


@dataclass(frozen=True)
class _Said:
    conversation: Conversation
    turn_number: int
    at: datetime
    query: str
    response: str


def _turns(conversations: list[Conversation]) -> Iterator[_Said]:
    """Say every turn in an order of time in which the conversations alternate, as they do in life."""
    chance, exchanges = random.Random(3), Exchanges()
    order = [each for each in conversations for _ in range(each.messages // 2)]
    chance.shuffle(order)
    numbers = {each.id: count(1) for each in conversations}
    for position, conversation in enumerate(order):
        at = _BEGIN + timedelta(milliseconds=7 * position)
        yield _Said(conversation, next(numbers[conversation.id]), at, *exchanges.draw())


def _messages(said: _Said, moment: Callable[[datetime], Any], identifier: Callable[[UUID], Any]) -> Iterator[_Values]:
    for role, text in (("user", said.query), ("assistant", said.response)):
        yield (
            "", identifier(said.conversation.id), said.turn_number, role, identifier(new_id(said.at)),
            said.conversation.user_id, text, moment(said.at), len(text) // 4,
        )  # fmt: skip


def fill_sqlite(path: Path, conversations: list[Conversation]) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA cache_size = -800000")
    connection.execute("BEGIN IMMEDIATE")
    began = microseconds(_BEGIN)
    connection.executemany(
        f"INSERT INTO conversations ({_CONVERSATION_COLUMNS}) VALUES ('', ?, ?, ?, ?, ?, ?, 0)",
        ((str(each.id), each.user_id, began, began, each.messages, each.messages // 2) for each in conversations),
    )
    connection.executemany(
        f"INSERT INTO messages ({_MESSAGE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (row for said in _turns(conversations) for row in _messages(said, microseconds, str)),
    )
    connection.execute("COMMIT")
    connection.execute("ANALYZE")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def fill_postgres(url: str, conversations: list[Conversation]) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        with connection.cursor().copy(f"COPY conversations ({_CONVERSATION_COLUMNS}) FROM STDIN") as copy:
            for each in conversations:
                copy.write_row(("", each.id, each.user_id, _BEGIN, _BEGIN, each.messages, each.messages // 2, 0))
        with connection.cursor().copy(f"COPY messages ({_MESSAGE_COLUMNS}) FROM STDIN") as copy:
            for said in _turns(conversations):
                for row in _messages(said, lambda at: at, lambda identifier: identifier):
                    copy.write_row(row)
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")
