"""Moving up from SQLite to PostgreSQL: cut short, followed while in use, refused, and told plainly."""

from __future__ import annotations

import itertools
import json
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from typer.testing import CliRunner, Result

from gunita import ConflictError, Gunita
from gunita.cli.commands import app
from gunita.errors import TransferError
from gunita.services.transfer import Transfer, between
from gunita.settings import Settings
from tests.every_table import Drawn, fill, in_file, in_postgres, new_file
from tests.transfer_process import ENDED, GO_ON, started

SOMEBODY_WAITS = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return new_file(tmp_path / "source.db")


@pytest.fixture
def more(source: Path) -> Callable[[str], None]:
    """Write a row of every table, each time for another user."""
    users, noise = itertools.count(1), random.Random(9)
    words = ["Magkano?", "Ñandú 🌴", "it's \\N \t\n\r"]
    one = Drawn(
        text=itertools.cycle(words).__next__,
        name=lambda: f"name {noise.random()}",
        json=itertools.cycle(['{"a": 1e16, "a": "\\u0000"}', "[]", "0.1"]).__next__,
        time=lambda: noise.randrange(-(10**15), 10**16),
        share=noise.random,
        data=lambda: noise.randbytes(9),
        id=lambda: str(UUID(int=noise.getrandbits(128))),
    )

    def write(tenant: str) -> None:
        with closing(sqlite3.connect(source, timeout=60)) as file, file:
            file.execute("DELETE FROM retention_rules WHERE tenant_id = ?", (tenant,))
            fill(file, tenant, f"user {next(users)}", one)

    return write


@contextmanager
def opened(source: Path, target: str, **options: object) -> Iterator[Transfer]:
    with between(Settings(database_url=str(source)), Settings(database_url=target), **options) as transfer:
        yield transfer


def command(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["migrate-data", *map(str, arguments)])


def run(source: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(source, timeout=60)) as file, file:
        file.execute("PRAGMA foreign_keys = ON")
        file.execute(statement, values)


def ours(source: Path) -> list[str]:
    with closing(sqlite3.connect(source)) as file:
        return [name for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE name LIKE 'transfer%'")]


def test_every_table_that_either_schema_knows_is_moved(source: Path, new_postgres_url: str) -> None:
    with opened(source, new_postgres_url) as transfer:
        moved = {table.name for table in transfer.tables}
        assert moved == in_postgres(new_postgres_url).keys() == in_file(source).keys()
        assert {table.key[0] for table in transfer.tables} == {"tenant_id"}
        places = {table.name: place for place, table in enumerate(transfer.tables)}
        assert all(places[parent] < places[table.name] for table in transfer.tables for parent in table.parents)


def test_a_move_that_is_killed_again_and_again_goes_on_and_ends_whole(
    source: Path, more: Callable[[str], None], new_postgres_url: str
) -> None:
    for tenant in ("", "acme", "shop", "acme"):
        more(tenant)
    chance = random.Random(4)
    for _ in range(5):
        with started(source, new_postgres_url, batch=3) as (process, told):
            for _ in range(chance.randrange(1, 9)):
                assert told.recv() != ENDED, "it ended before it could be killed"
                told.send(GO_ON)
            # By then it is somewhere in its next step, or waits behind it.
            time.sleep(chance.random() * 0.02)
            process.kill()
        # Whoever uses the source goes on between two attempts.
        more(chance.choice(["", "acme", "new"]))
        gone = "DELETE FROM conversations WHERE id = (SELECT id FROM conversations ORDER BY id LIMIT 1 OFFSET ?)"
        run(source, gone, chance.randrange(4))
        run(source, "UPDATE messages SET content = content || '!', turn_number = turn_number + 1 WHERE tenant_id = ''")
    with started(source, new_postgres_url, batch=3) as (process, told):
        while told.recv() != ENDED:
            told.send(GO_ON)
        told.send(GO_ON)
    assert process.exitcode == 0
    assert in_postgres(new_postgres_url) == in_file(source)
    assert ours(source) == []


class CutShort(Exception):
    """What a test ends a move by."""


def copied_but_not_ended(source: Path, target: str, **options: object) -> None:
    def cut(done: int, total: int) -> None:
        if done == total:
            raise CutShort

    with pytest.raises(CutShort), opened(source, target, tell=cut, **options) as transfer:
        transfer.run(follow=False)


@pytest.mark.parametrize(
    "statements",
    [
        ["UPDATE messages SET turn_number = turn_number + 5"],
        # Question and answer change places: by their keys, each would be taken for the other.
        [
            "UPDATE messages SET turn_number = 9 WHERE role = 'user'",
            "UPDATE messages SET role = 'user' WHERE turn_number = 1",
            "UPDATE messages SET role = 'assistant', turn_number = 1 WHERE turn_number = 9",
        ],
    ],
    ids=["elsewhere", "exchanged"],
)
def test_a_row_that_comes_to_another_key_keeps_what_hangs_on_it(
    source: Path, more: Callable[[str], None], new_postgres_url: str, statements: list[str]
) -> None:
    more("")
    copied_but_not_ended(source, new_postgres_url)
    for statement in statements:
        run(source, statement)
    with opened(source, new_postgres_url) as transfer:
        assert transfer.run(follow=False).followed > 0
    assert in_postgres(new_postgres_url) == in_file(source)


def test_a_move_that_is_cut_after_every_row_takes_every_later_change_with_it(
    source: Path, more: Callable[[str], None], new_postgres_url: str
) -> None:
    more("")

    def cut(*_: int) -> None:
        raise CutShort

    cuts = 0
    with opened(source, new_postgres_url, batch=1, tell=cut) as transfer:
        while cuts < 100:
            try:
                transfer.run(follow=False)
                break
            except CutShort:
                cuts += 1
                run(source, "UPDATE messages SET content = content || '.'")
                run(source, "UPDATE user_state SET mode = mode || '.'")
    assert cuts == sum(map(len, in_file(source).values()))
    assert in_postgres(new_postgres_url) == in_file(source)


def test_what_a_killed_move_had_sent_is_waited_for(
    source: Path, more: Callable[[str], None], new_postgres_url: str
) -> None:
    more("")

    def cut(*_: int) -> None:
        raise CutShort

    with pytest.raises(CutShort), opened(source, new_postgres_url, batch=1, tell=cut) as transfer:
        transfer.run(follow=False)
    with psycopg.connect(new_postgres_url) as sent, ThreadPoolExecutor() as pool:
        sent.execute("INSERT INTO user_state VALUES ('', 'user 1', 'active', now())")
        sent.execute("UPDATE transfer_progress SET copied = (copied::jsonb || '{\"user_state\": null}')::json")
        run(source, "UPDATE user_state SET mode = 'active'")
        with opened(source, new_postgres_url) as transfer:
            going_on = pool.submit(transfer.run, follow=False)
            with psycopg.connect(new_postgres_url, autocommit=True) as watching:
                while not going_on.done() and watching.execute(SOMEBODY_WAITS).fetchone() is None:
                    time.sleep(0.01)
            sent.commit()
            assert going_on.result().is_equal


def test_one_process_at_a_time_moves_into_a_target(source: Path, new_postgres_url: str) -> None:
    refused = pytest.raises(TransferError, match="another process is moving data into this target")
    with opened(source, new_postgres_url), refused, opened(source, new_postgres_url):
        pass


def test_a_target_that_somebody_else_writes_to_is_noticed(
    source: Path, more: Callable[[str], None], new_postgres_url: str
) -> None:
    more("")

    def meddle(*_: int) -> None:
        with psycopg.connect(new_postgres_url) as connection:
            connection.execute("DELETE FROM user_state")

    with (
        opened(source, new_postgres_url, tell=meddle) as transfer,
        pytest.raises(TransferError, match="differs from the source in user_state; is somebody else writing"),
    ):
        transfer.run(follow=False)


def test_what_came_later_is_read_back_and_compared_too(
    source: Path, more: Callable[[str], None], new_postgres_url: str
) -> None:
    more("")
    copied_but_not_ended(source, new_postgres_url)
    with psycopg.connect(new_postgres_url) as connection:
        connection.execute("CREATE RULE kept AS ON DELETE TO user_state DO INSTEAD NOTHING")
    run(source, "DELETE FROM user_state")
    with (
        opened(source, new_postgres_url) as transfer,
        pytest.raises(TransferError, match="rows of user_state differ after they were moved"),
    ):
        transfer.run(follow=False)


def test_what_another_tenant_writes_meanwhile_does_not_come(
    source: Path, more: Callable[[str], None], new_postgres_url: str
) -> None:
    more("shop")
    kept = in_file(source)
    copied_but_not_ended(source, new_postgres_url, tenant="shop")
    more("acme")
    with opened(source, new_postgres_url, tenant="shop") as transfer:
        transfer.run(follow=False)
    assert in_postgres(new_postgres_url) == kept


def test_nothing_hangs_on_what_is_written_anew_for_its_parent(source: Path, new_postgres_url: str) -> None:
    with opened(source, new_postgres_url) as transfer:
        anew = {
            table.name
            for table in transfer.tables
            for link in table.links
            if any(parent.names_otherwise(link) for parent in transfer.tables)
        }
        assert anew == {"message_index", "forgotten_sources"}
        assert not [table.name for table in transfer.tables if table.parents & anew]


def test_nothing_that_is_written_while_a_move_follows_is_missed(
    source: Path, more: Callable[[str], None], new_postgres_url: str
) -> None:
    for tenant in ("", "acme"):
        more(tenant)
    acknowledged: list[UUID] = []
    refused: list[str] = []
    begun = threading.Event()

    def write() -> None:
        with Gunita.open(source, fallback=False, sqlite_busy_seconds=60.0) as g:
            try:
                for number in itertools.count():
                    session = g.sessions.create_session("juan")
                    g.sessions.store_turn(session, "juan", f"q{number}", "a")
                    if number % 3 == 0:
                        g.sessions.delete_session(session)
                    else:
                        acknowledged.append(session)
                    begun.set()
                    time.sleep(0.002)
            except ConflictError as problem:
                refused.append(str(problem))

    writer = threading.Thread(target=write)
    writer.start()
    begun.wait(60)
    with opened(source, new_postgres_url, batch=5) as transfer:
        report = transfer.run(follow=True)
    writer.join(60)
    assert "moved to PostgreSQL" in refused[0]
    assert report.closed
    assert report.followed > 0
    assert in_postgres(new_postgres_url) == in_file(source)
    with Gunita.open(new_postgres_url) as moved:
        assert {found.id for found in moved.conversations.list_conversations(limit=10_000)} >= set(acknowledged)
        assert moved.sessions.store_turn(acknowledged[0], "juan", "And now?", "Here.").turn_number == 2


def test_a_closed_source_can_be_opened_again(source: Path, new_postgres_url: str) -> None:
    with opened(source, new_postgres_url) as transfer:
        transfer.run(follow=True)
    with Gunita.open(source) as g, pytest.raises(ConflictError, match="moved to PostgreSQL"):
        g.users.set_user_state("juan", "active")
    assert command(source, new_postgres_url, "--reopen").exit_code == 0
    assert ours(source) == []
    with Gunita.open(source) as g:
        g.users.set_user_state("juan", "active")


def test_one_tenant_moves_without_the_others_and_is_closed_alone(
    source: Path, more: Callable[[str], None], new_postgres_url: str
) -> None:
    for tenant in ("", "it's", "shop"):
        more(tenant)
    for tenant in ("it's", ""):
        with opened(source, new_postgres_url, tenant=tenant) as transfer:
            transfer.run(follow=True)
    kept = in_file(source)
    tenants = {table: {row for row in rows if "shop" not in row} for table, rows in kept.items()}
    assert {table: set(rows) for table, rows in in_postgres(new_postgres_url).items()} == tenants
    with Gunita.open(source) as g:
        g.scoped("shop").users.set_user_state("juan", "active")
        with pytest.raises(ConflictError):
            g.scoped("it's").users.set_user_state("juan", "active")


def test_a_finished_move_is_not_made_twice_and_other_data_is_refused(
    source: Path, more: Callable[[str], None], new_postgres_url: str
) -> None:
    more("")
    for _ in range(2):
        with opened(source, new_postgres_url) as transfer:
            assert transfer.run(follow=False).is_equal
    told = command(source, new_postgres_url, "--verify-only", "--json")
    assert (told.exit_code, json.loads(told.stdout)["equal"]) == (0, True)
    with psycopg.connect(new_postgres_url, autocommit=True) as connection:
        connection.execute("UPDATE messages SET content = content || ' ' WHERE role = 'user'")
    told = command(source, new_postgres_url, "--verify-only", "--json")
    differing = [table["table"] for table in json.loads(told.stdout)["tables"] if not table["equal"]]
    assert (told.exit_code, differing) == (1, ["messages"])
    refused = command(source, new_postgres_url)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "holds other data already; move into an empty database" in refused.stderr


def test_an_unfinished_move_of_another_source_is_refused(
    source: Path, more: Callable[[str], None], new_postgres_url: str, tmp_path: Path
) -> None:
    more("")
    run(source, "PRAGMA ignore_check_constraints = ON")
    damage(source, "UPDATE user_memory SET value = '{'")
    with opened(source, new_postgres_url) as transfer, pytest.raises(TransferError):
        transfer.run(follow=False)
    with (
        opened(new_file(tmp_path / "other.db"), new_postgres_url) as transfer,
        pytest.raises(TransferError, match="unfinished move of another source"),
    ):
        transfer.run(follow=False)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE messages SET metadata = '{' WHERE role = 'user'", r"row of messages .*role 'user'.*json"),
        ("UPDATE messages SET content = CAST(x'ff41' AS TEXT) WHERE role = 'user'", "content: is not text in UTF-8"),
        ("UPDATE messages SET content = 'a' || char(0) WHERE role = 'user'", "row of messages .*NUL"),
        ("UPDATE user_state SET updated_at = 1 << 62", r"user_state .*user_id 'user 1'.*out of range"),
        ("UPDATE jobs SET id = 'no uuid'", "row of jobs .*'no uuid'.*uuid"),
        ("UPDATE memories SET access_count = 1 << 40", "row of memories .*out of range"),
    ],
)
def test_a_damaged_row_is_named_and_once_mended_the_move_goes_on(
    source: Path, more: Callable[[str], None], new_postgres_url: str, statement: str, said: str
) -> None:
    more("")
    damage(source, statement)
    with opened(source, new_postgres_url) as transfer:
        with pytest.raises(TransferError, match=said):
            transfer.run(follow=False)
        table = statement.split()[1]
        run(source, f"DELETE FROM {table}")
        transfer.run(follow=False)
    assert in_postgres(new_postgres_url) == in_file(source)


def damage(source: Path, statement: str) -> None:
    with closing(sqlite3.connect(source)) as file, file:
        file.execute("PRAGMA ignore_check_constraints = ON")
        file.execute(statement)


@pytest.mark.parametrize(
    ("from_there", "to_there", "said"),
    [
        ("nowhere.db", "postgresql://x@127.0.0.1:1/y", "PostgreSQL does not answer"),
        ("nowhere.db", "{target}", "there is no database file nowhere.db"),
        ("text.db", "{target}", "text.db cannot be read: file is not a database"),
        ("{target}", "{target}", "a move starts from a SQLite file"),
        ("nowhere.db", "other.db", "a move goes to PostgreSQL"),
    ],
)
def test_what_cannot_be_moved_is_said_in_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    new_postgres_url: str,
    from_there: str,
    to_there: str,
    said: str,
) -> None:
    (tmp_path / "text.db").write_text("Not a database at all, whatever its name says." * 9)
    sides = [address.format(target=new_postgres_url) for address in (from_there, to_there)]
    monkeypatch.chdir(tmp_path)
    ended = command(*sides)
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
