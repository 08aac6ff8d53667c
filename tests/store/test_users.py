"""User memory and user state on both engines, also for the null tenant and with many writing at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from gunita import Gunita
from tests.raw_sql import Raw


@pytest.mark.parametrize("tenant", [None, "acme"])
def test_setting_again_replaces_and_never_duplicates(gunita: Gunita, raw: Raw, tenant: str | None) -> None:
    g = gunita.scoped(tenant)
    for value in ({"theme": "dark"}, {"theme": "light"}):
        g.users.set_memory("juan", "preferences", value)
        g.users.set_user_state("juan", value["theme"])
    assert g.users.get_all_memory("juan") == {"preferences": {"theme": "light"}}
    assert g.users.get_user_state("juan") == "light"
    assert raw("SELECT count(*) FROM user_memory") == [(1,)]
    assert raw("SELECT count(*) FROM user_state") == [(1,)]
    assert raw("SELECT tenant_id FROM user_memory") == [(tenant or "",)]


@pytest.mark.parametrize("tenant", [None, "acme"])
def test_sixteen_threads_setting_one_key_leave_one_whole_value(gunita: Gunita, raw: Raw, tenant: str | None) -> None:
    g = gunita.scoped(tenant)
    values = [{"writer": n, "filling": [n] * 50} for n in range(160)]

    def write(value: dict[str, object]) -> None:
        g.users.set_memory("juan", "key", value)
        g.users.set_user_state("juan", f"mode {value['writer']}")

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(write, values))
    assert g.users.get_memory("juan", "key") in values
    assert str(g.users.get_user_state("juan")).startswith("mode ")
    assert raw("SELECT count(*) FROM user_memory") == [(1,)]
    assert raw("SELECT count(*) FROM user_state") == [(1,)]


def test_keys_are_read_deleted_and_cleared(gunita: Gunita) -> None:
    users = gunita.users
    assert users.get_memory("juan", "absent") is None
    assert users.get_memory("juan", "absent", default=7) == 7
    users.set_memory("juan", "nothing", None)
    assert users.get_memory("juan", "nothing", default=7) is None
    for key in "abc":
        users.set_memory("juan", key, key)
    users.set_memory("ana", "a", "hers")
    assert users.delete_memory("juan", "a") is True
    assert users.delete_memory("juan", "a") is False
    assert list(users.get_all_memory("juan")) == ["b", "c", "nothing"]
    assert users.clear_all_memory("juan") == 3
    assert users.clear_all_memory("juan") == 0
    assert users.get_all_memory("ana") == {"a": "hers"}


def test_a_mode_is_set_read_and_deleted(gunita: Gunita) -> None:
    users = gunita.users
    assert users.get_user_state("juan") is None
    users.set_user_state("juan", "halted")
    assert users.get_user_state("juan") == "halted"
    assert users.get_user_state("ana") is None
    assert users.delete_user_state("juan") is True
    assert users.delete_user_state("juan") is False
    assert users.get_user_state("juan") is None
