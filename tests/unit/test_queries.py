"""Named statements are read from text, and said as each driver expects them."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita.store import queries
from gunita.store.migrate import known
from gunita.store.queries import Query, for_psycopg, parse

TEXT = """-- A heading that is no statement.

-- name: read_one
SELECT a, b FROM things
-- why it is so
WHERE tenant_id = :tenant_id AND id = :id;

-- name: write_two
UPDATE things SET a = :a;
-- then
INSERT INTO others VALUES (:a, :b_c)
RETURNING b_c;
"""


def test_statements_are_found_by_name_without_their_comments() -> None:
    read, write = parse(TEXT)
    assert read == Query("read_one", ("SELECT a, b FROM things\n\nWHERE tenant_id = :tenant_id AND id = :id",))
    assert write.name == "write_two"
    assert write.steps == ("UPDATE things SET a = :a", "INSERT INTO others VALUES (:a, :b_c)\nRETURNING b_c")


def test_a_statement_knows_what_it_takes_and_whether_it_writes() -> None:
    read, write = parse(TEXT)
    assert (read.parameters, read.writes) == ({"tenant_id", "id"}, False)
    assert (write.parameters, write.writes) == ({"a", "b_c"}, True)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (":id", "%(id)s"),
        ("a = :id AND b = :other_id", "a = %(id)s AND b = %(other_id)s"),
        (":value::json", "%(value)s::json"),
        ("'{}'::json", "'{}'::json"),
        ("LIKE '%x%'", "LIKE '%%x%%'"),
        ("a::text = :a", "a::text = %(a)s"),
    ],
)
def test_parameters_are_said_as_psycopg_expects(said: str, expected: str) -> None:
    assert for_psycopg(said) == expected


@given(names=st.lists(st.from_regex(r"[a-z_]{1,12}", fullmatch=True), max_size=5))
def test_every_parameter_is_translated(names: list[str]) -> None:
    statement = "SELECT " + ", ".join(f":{name}::text" for name in names)
    assert re.findall(r"%\((\w+)\)s", for_psycopg(statement)) == names


def test_an_engine_says_some_things_in_its_own_way() -> None:
    sqlite, postgres = queries.load("sqlite"), queries.load("postgres")
    assert sqlite["append_turn"] != postgres["append_turn"]
    assert sqlite["get_conversation"] == postgres["get_conversation"]
    assert all(len(query.steps) == 1 for query in postgres.values())


def test_no_name_is_given_twice_in_one_file() -> None:
    folder = queries.files("gunita.store").joinpath("sql")
    for file in ("queries.sql", "sqlite.sql", "postgres.sql"):
        names = [query.name for query in parse(folder.joinpath(file).read_text(encoding="utf-8"))]
        assert len(names) == len(set(names)), file


def test_sqlite_understands_every_statement() -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        for migration in known("sqlite"):
            database.executescript(migration.sql)
        for query in queries.load("sqlite").values():
            for step in query.steps:
                database.execute(f"EXPLAIN {step}", dict.fromkeys(query.parameters))
