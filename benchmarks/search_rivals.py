"""What an engine's own search takes for the same queries over the same texts: FTS5, tsvector with GIN, pgvector."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import psycopg

from gunita.services.indexing import shipped_encoder

Act = Callable[[str], object]
MINE = "searcher"
WANTED = 20


def words_of(query: str) -> list[str]:
    return re.findall(r"\w+", query)


@contextmanager
def fts5(texts: Sequence[str], others: int) -> Iterator[Act]:
    """FTS5 over everybody's messages in one table, the user's picked out, with its own snippets."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE found USING fts5(owner UNINDEXED, content, tokenize = 'porter unicode61')")
    for number in range(1 + others // len(texts)):
        owner = MINE if number == 0 else f"other-{number}"
        connection.executemany("INSERT INTO found VALUES (?, ?)", [(owner, text) for text in texts])
    statement = (
        "SELECT rowid, snippet(found, 1, '[', ']', '…', 30) FROM found WHERE found MATCH ? AND owner = ? ORDER BY rank"
    )

    def search(query: str) -> object:
        wanted = " OR ".join(f'"{word}"' for word in words_of(query))
        return connection.execute(statement, (wanted, MINE)).fetchmany(WANTED)

    yield search
    connection.close()


def numpy_alone(pieces: int) -> Act:
    """Brute force over the user's vectors, the query's reading included."""
    encoder = shipped_encoder()
    vectors = np.random.default_rng(1).standard_normal((pieces, encoder.dimensions)).astype(np.float32)
    return lambda query: np.argpartition(-(vectors @ encoder.encode([query])[0]), WANTED)[:WANTED]


@contextmanager
def postgres_rivals(url: str, texts: Sequence[str], others: int) -> Iterator[dict[str, Act]]:
    """Everybody's messages in one table with a GIN index over words and HNSW over vectors, asked as its owner."""
    with psycopg.connect(url, autocommit=True) as connection:
        _fill(connection, texts, others)
        yield {
            "tsvector + GIN": lambda query: _by_words(connection, query),
            "pgvector, the user's rows one by one": lambda query: _by_meaning(connection, query, exact=True),
            "pgvector, HNSW": lambda query: _by_meaning(connection, query, exact=False),
        }
        connection.execute("DROP TABLE rivals")


def _fill(connection: psycopg.Connection, texts: Sequence[str], others: int) -> None:
    dimensions = shipped_encoder().dimensions
    connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    connection.execute(
        f"CREATE TABLE rivals (id bigint GENERATED ALWAYS AS IDENTITY, owner text, content text, "
        f"words tsvector GENERATED ALWAYS AS (to_tsvector('english', content)) STORED, meaning vector({dimensions}))"
    )
    random = np.random.default_rng(2)
    with connection.cursor() as cursor, cursor.copy("COPY rivals (owner, content, meaning) FROM STDIN") as copy:
        for number in range(1 + others // len(texts)):
            owner = MINE if number == 0 else f"other-{number}"
            for text in texts:
                vector = random.standard_normal(dimensions).astype(np.float32)
                copy.write_row((owner, text, "[" + ",".join(f"{value:.3f}" for value in vector) + "]"))
    connection.execute("SET maintenance_work_mem = '1GB'")
    connection.execute("CREATE INDEX ON rivals (owner)")
    connection.execute("CREATE INDEX ON rivals USING gin (words)")
    connection.execute("CREATE INDEX ON rivals USING hnsw (meaning vector_cosine_ops)")
    connection.execute("ANALYZE rivals")


def _by_words(connection: psycopg.Connection, query: str) -> object:
    statement = (
        "SELECT id, content, ts_rank(words, wanted) AS score FROM rivals, to_tsquery('english', %s) AS wanted "
        "WHERE owner = %s AND words @@ wanted ORDER BY score DESC LIMIT %s"
    )
    return connection.execute(statement, (" | ".join(words_of(query)), MINE, WANTED)).fetchall()


def _by_meaning(connection: psycopg.Connection, query: str, *, exact: bool) -> object:
    vector = "[" + ",".join(f"{value:.5f}" for value in shipped_encoder().encode([query])[0]) + "]"
    # Ordering by an expression keeps the planner from the index over vectors; the walk goes along the owner's rows.
    distance = "(meaning <=> %s::vector) + 0" if exact else "meaning <=> %s::vector"
    with connection.transaction():
        connection.execute("SET LOCAL hnsw.iterative_scan = relaxed_order")
        statement = f"SELECT id, content FROM rivals WHERE owner = %s ORDER BY {distance} LIMIT %s"
        return connection.execute(statement, (MINE, vector, WANTED)).fetchall()
