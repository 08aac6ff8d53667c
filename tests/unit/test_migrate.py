"""Which migrations are left to apply, and which databases are refused; then the same on real ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita, SchemaError
from gunita.errors import SchemaChangedError, SchemaTooNewError, SchemaTooOldError
from gunita.store.migrate import Applied, Migration, known, pending, require_current
from tests.raw_sql import Raw


def migrations(count: int) -> list[Migration]:
    return [Migration(number, f"step_{number}", f"CREATE TABLE t{number} (x)") for number in range(1, count + 1)]


def applied(done: list[Migration]) -> list[Applied]:
    return [Applied(migration.version, migration.checksum) for migration in done]


@given(count=st.integers(1, 12), data=st.data())
def test_what_was_not_applied_is_pending_in_order(count: int, data: st.DataObject) -> None:
    all_of_them = migrations(count)
    done = data.draw(st.integers(0, count))
    assert pending(all_of_them, applied(all_of_them[:done])) == all_of_them[done:]


@given(count=st.integers(1, 12), newer=st.integers(1, 5))
def test_a_newer_database_is_refused(count: int, newer: int) -> None:
    with pytest.raises(SchemaTooNewError, match=f"has schema {count + newer}, .* knows up to {count}; upgrade Gunita"):
        pending(migrations(count), applied(migrations(count + newer)))


@given(count=st.integers(1, 12), data=st.data())
def test_an_edited_migration_is_refused(count: int, data: st.DataObject) -> None:
    edited = data.draw(st.integers(1, count))
    done = [Applied(one.version, "other" if one.version == edited else one.checksum) for one in migrations(count)]
    with pytest.raises(SchemaChangedError, match=f"migration {edited:04d} .*restore the file and add a new one"):
        pending(migrations(count), done)


def test_an_old_database_is_refused_where_migrating_was_not_asked_for() -> None:
    with pytest.raises(SchemaTooOldError, match=r"has schema 1, .* needs 2; run `gunita migrate`"):
        require_current(migrations(2), applied(migrations(1)))
    require_current(migrations(2), applied(migrations(2)))


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_migrations_are_numbered_without_gaps_and_say_what_they_do(engine: str) -> None:
    found = known(engine)
    assert [migration.version for migration in found] == list(range(1, len(found) + 1))
    assert all(migration.name and migration.sql.strip() for migration in found)
    assert [migration.name for migration in found] == [migration.name for migration in known("postgres")]


def test_opening_again_applies_nothing_and_loses_nothing(url: str, raw: Raw) -> None:
    with Gunita.open(url) as g:
        session = g.sessions.create_session("juan")
    before = raw("SELECT version, name, checksum, applied_at FROM schema_migrations")
    assert len(before) == len(known("sqlite"))
    with Gunita.open(url) as g:
        assert g.conversations.get_conversation(session).user_id == "juan"
    assert raw("SELECT version, name, checksum, applied_at FROM schema_migrations") == before


def test_a_database_of_a_newer_gunita_is_refused_and_left_alone(url: str, raw: Raw) -> None:
    with Gunita.open(url) as g:
        g.users.set_memory("juan", "key", 1)
    raw("UPDATE schema_migrations SET version = 9000 WHERE version = 1")
    for migrate in (True, False):
        with pytest.raises(SchemaTooNewError, match=r"has schema 9000.*upgrade Gunita to open it"):
            Gunita.open(url, migrate=migrate)
    assert raw("SELECT count(*) FROM user_memory") == [(1,)]


def test_a_database_whose_migration_was_edited_is_refused(url: str, raw: Raw) -> None:
    with Gunita.open(url):
        pass
    raw("UPDATE schema_migrations SET checksum = 'edited' WHERE version = 1")
    with pytest.raises(SchemaChangedError, match=r"0001 .*migrations are never edited"):
        Gunita.open(url)


def test_an_empty_database_is_not_made_where_migrating_was_not_asked_for(url: str) -> None:
    with pytest.raises(SchemaTooOldError, match=r"has schema 0.*open it with migrate=True"):
        Gunita.open(url, migrate=False)
    with pytest.raises(SchemaError):
        Gunita.open(url, migrate=False)
    with Gunita.open(url):
        pass
    with Gunita.open(url, migrate=False) as g:
        assert g.sessions.get_recent_sessions() == []
