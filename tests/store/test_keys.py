"""When a key was last used, known to the minute and noted no oftener."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from gunita import Gunita

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


def last_used(g: Gunita, tenant: str) -> datetime | None:
    return g.scoped(tenant).keys.list_keys()[0].last_used_at


def test_the_use_of_a_key_is_noted_once_a_minute(url: str) -> None:
    clock = Clock()
    with Gunita.open(url, clock=clock, background=False) as g:
        secret = g.scoped("acme").keys.create_key("service").secret
        assert last_used(g, "acme") is None
        assert g.keys.owner_of(secret) is not None
        assert last_used(g, "acme") == NOON
        clock.now = NOON + timedelta(seconds=59)
        g.keys.owner_of(secret)
        assert last_used(g, "acme") == NOON
        clock.now = NOON + timedelta(seconds=60)
        g.keys.owner_of(secret)
        assert last_used(g, "acme") == NOON + timedelta(seconds=60)


def test_two_processes_note_it_no_oftener_than_one(url: str) -> None:
    early, late = Clock(), Clock()
    late.now = NOON + timedelta(seconds=30)
    with Gunita.open(url, clock=early, background=False) as one, Gunita.open(url, clock=late, background=False) as two:
        secret = one.keys.create_key("app", "user", "ana").secret
        one.keys.owner_of(secret)
        two.keys.owner_of(secret)
        assert one.keys.list_keys()[0].last_used_at == NOON


def test_a_revoked_key_and_a_wrong_one_are_not_in_use(url: str) -> None:
    with Gunita.open(url, background=False) as g:
        made = g.keys.create_key("service")
        g.keys.revoke_key(made.key.id)
        found = g.keys.owner_of(made.secret)
        assert found is not None
        assert found.revoked
        assert g.keys.owner_of(made.secret + "x") is None
        assert g.keys.list_keys()[0].last_used_at is None


def test_a_key_opens_also_where_its_use_cannot_be_noted(tmp_path: Path) -> None:
    file = tmp_path / "gunita.db"
    with Gunita.open(file, background=False) as g:
        secret = g.keys.create_key("service").secret
    with (
        Gunita.open(file, background=False, sqlite_busy_seconds=0) as g,
        Gunita.open(file, background=False) as other,
        other._database.within(other.scope).transaction(),
    ):
        assert g.keys.owner_of(secret) is not None
