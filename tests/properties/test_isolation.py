"""No query under one tenant or user ever returns another's row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from gunita import Gunita
from tests.properties.tenancy import KnowledgeOfManyTenants, ManyTenants, TalkOfManyTenants
from tests.raw_sql import connected

MachineOf: TypeAlias = Callable[[type[ManyTenants]], Callable[[], ManyTenants]]


@pytest.fixture
def machine_of(url: str, gunita: Gunita) -> Iterator[MachineOf]:
    with connected(url) as raw:

        def empty() -> None:
            for table in ("conversations", "memories", "user_memory", "user_state"):
                raw(f"DELETE FROM {table}")

        yield lambda machine: lambda: machine(gunita, empty)


def test_no_scope_sees_or_touches_the_talk_of_another(machine_of: MachineOf) -> None:
    run_state_machine_as_test(machine_of(TalkOfManyTenants), settings=settings(stateful_step_count=15))


def test_no_scope_sees_or_touches_what_is_known_about_anothers_users(machine_of: MachineOf) -> None:
    run_state_machine_as_test(machine_of(KnowledgeOfManyTenants), settings=settings(stateful_step_count=15))
