"""What is in a SQLite file is in PostgreSQL after a move: every table, every value, nothing else."""

from __future__ import annotations

import itertools
import json
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita.services.transfer import between
from gunita.settings import Settings
from tests.conftest import new_database
from tests.every_table import Drawn, emptied, fill, in_file, in_postgres, new_file
from tests.properties.values import json_values, names, said

EARLIEST, LATEST = -62_135_596_800_000_000, 253_402_300_799_999_999
"""The first and the last microsecond that a date can say, in years 1 and 9999."""


@st.composite
def drawn(draw: st.DrawFn) -> Drawn:
    """Draw a few values of each kind, and hand them out in turn."""

    def one_of(values: st.SearchStrategy) -> object:
        return itertools.cycle(draw(st.lists(values, min_size=1, max_size=4))).__next__

    seed = random.Random(draw(st.integers(0, 2**32)))
    ids = (str(UUID(int=seed.getrandbits(128))) for _ in itertools.count())
    return Drawn(
        text=one_of(said(30)),
        name=one_of(names()),
        json=one_of(json_values().map(json.dumps)),
        time=one_of(st.integers(EARLIEST, LATEST)),
        share=one_of(st.floats(0, 1)),
        data=one_of(st.binary(max_size=20)),
        id=ids.__next__,
    )


@pytest.fixture(scope="module")
def target(postgres_url: str) -> Iterator[str]:
    with new_database(postgres_url) as url:
        yield url


@pytest.fixture(scope="module")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_file(tmp_path_factory.mktemp("transfer") / "empty.db")


tenants = st.lists(st.just("") | names(), min_size=1, max_size=2, unique=True)


@given(one=drawn(), tenants=tenants, user=names(), batch=st.integers(1, 40))
def test_everything_that_every_table_holds_arrives_as_it_was(
    target: str, empty_file: Path, tmp_path: Path, one: Drawn, tenants: list[str], user: str, batch: int
) -> None:
    source = filled(empty_file, tmp_path, tenants, user, one)
    kept = in_file(source)
    assert min(map(len, kept.values())) > 0, "a table was added: fill it in tests/every_table.py"
    with between(settings(source), settings(target), batch=batch) as transfer:
        report = transfer.run(follow=False)
    assert in_postgres(target) == kept
    assert in_file(source) == kept
    assert {table.table: table.source.rows for table in report.tables} == {name: len(kept[name]) for name in kept}
    emptied(target)


def filled(empty: Path, folder: Path, tenants: list[str], user: str, one: Drawn) -> Path:
    source = Path(shutil.copy(empty, folder / "source.db"))
    with closing(sqlite3.connect(source)) as file, file:
        for tenant in tenants:
            fill(file, tenant, user, one)
    return source


def settings(address: object) -> Settings:
    return Settings(database_url=str(address))
