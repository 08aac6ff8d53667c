"""How well the engines' own searches find the same things: FTS5, tsvector, pgvector, and naive fusion of two of them.

Ranks every message of a haystack by each, asked as a careful engineer would: any of the question's words, ordered by
the engine's own score, or by the nearest vector of a message's beginning.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import psycopg

from benchmarks.postgres import durable_server
from benchmarks.recall_parts import figures_of_ranking, told
from benchmarks.search_rivals import words_of
from gunita.recall.pieces import BEGINNING
from gunita.services.indexing import shipped_encoder

Ranker = Callable[[str], list[str]]
RANKED = 50
FUSION = 60
"""The constant of reciprocal rank fusion, as everybody sets it."""


def print_rivals(haystacks: Sequence[Mapping[str, Any]], questions: Sequence[Mapping[str, Any]]) -> None:
    with durable_server() as server, psycopg.connect(server.url, autocommit=True) as connection:
        rankers = {haystack["haystack"]: _rankers(connection, haystack) for haystack in haystacks}
        for name in next(iter(rankers.values())):
            found = [
                figures_of_ranking(rankers[question["haystack"]][name](question["question"])[:10], question["gold"])
                for question in questions
                if question["gold"]
            ]
            print(f"{name:36}{told(found)}")


def _rankers(connection: psycopg.Connection, haystack: Mapping[str, Any]) -> dict[str, Ranker]:
    said = [message for session in haystack["sessions"] for message in session["messages"]]
    names = [message["id"] for message in said]
    texts = [message["text"] for message in said]
    by_fts5, by_tsvector = _fts5(names, texts), _tsvector(connection, haystack["haystack"], names, texts)
    by_meaning = _nearest(names, texts)
    return {
        "FTS5 (porter)": by_fts5,
        "tsvector (english, ts_rank)": by_tsvector,
        "pgvector (nearest beginning)": by_meaning,
        "FTS5 + vectors, rank fusion": lambda query: fused([by_fts5(query), by_meaning(query)]),
        "tsvector + pgvector, rank fusion": lambda query: fused([by_tsvector(query), by_meaning(query)]),
    }


def _fts5(names: Sequence[str], texts: Sequence[str]) -> Ranker:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE found USING fts5(name UNINDEXED, content, tokenize = 'porter unicode61')")
    connection.executemany("INSERT INTO found VALUES (?, ?)", zip(names, texts, strict=True))
    statement = f"SELECT name FROM found WHERE found MATCH ? ORDER BY rank LIMIT {RANKED}"

    def rank(query: str) -> list[str]:
        wanted = " OR ".join(f'"{word}"' for word in words_of(query))
        return [row[0] for row in connection.execute(statement, (wanted,))]

    return rank


def _tsvector(connection: psycopg.Connection, table: str, names: Sequence[str], texts: Sequence[str]) -> Ranker:
    made = f'"{table}"'
    connection.execute(f"CREATE TABLE {made} (name text, words tsvector)")
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {made} VALUES (%s, to_tsvector('english', %s))", list(zip(names, texts, strict=True))
        )
    # 1 divides a score by the length of its text, the best of the ways that ts_rank offers here.
    statement = (
        f"SELECT name FROM {made}, to_tsquery('english', %s) AS wanted WHERE words @@ wanted "
        f"ORDER BY ts_rank(words, wanted, 1) DESC LIMIT {RANKED}"
    )
    return lambda query: [row[0] for row in connection.execute(statement, (" | ".join(words_of(query)),)).fetchall()]


def _nearest(names: Sequence[str], texts: Sequence[str]) -> Ranker:
    encoder = shipped_encoder()
    vectors = np.concatenate([encoder.encode([text[:BEGINNING]]) for text in texts])

    def rank(query: str) -> list[str]:
        order = np.argsort(-(vectors @ encoder.encode([query])[0]), kind="stable")[:RANKED]
        return [names[place] for place in order]

    return rank


def fused(rankings: Sequence[Sequence[str]]) -> list[str]:
    """Fuse rankings by the reciprocals of the ranks."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for place, name in enumerate(ranking):
            scores[name] = scores.get(name, 0.0) + 1 / (FUSION + place + 1)
    return sorted(scores, key=lambda name: -scores[name])
