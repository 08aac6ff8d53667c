"""Every adapter keeps the promises that all of them make, on both engines."""

from __future__ import annotations

import pytest

from tests_adapters.exchanges import ADAPTERS
from tests_adapters.promises import (
    test_a_session_that_does_not_exist_yet_is_empty,
    test_clearing_one_session_leaves_the_others_and_it_can_be_used_again,
    test_everything_is_there_after_reopening,
    test_long_text_comes_back_whole,
    test_many_writers_lose_nothing_and_tear_nothing,
    test_sessions_users_and_tenants_are_kept_apart,
    test_strange_text_comes_back_as_it_was,
    test_what_was_said_is_heard_in_order,
    test_what_was_said_is_understood_as_turns,
)
from tests_adapters.speaking import Adapter

__all__ = [
    "test_a_session_that_does_not_exist_yet_is_empty",
    "test_clearing_one_session_leaves_the_others_and_it_can_be_used_again",
    "test_everything_is_there_after_reopening",
    "test_long_text_comes_back_whole",
    "test_many_writers_lose_nothing_and_tear_nothing",
    "test_sessions_users_and_tenants_are_kept_apart",
    "test_strange_text_comes_back_as_it_was",
    "test_what_was_said_is_heard_in_order",
    "test_what_was_said_is_understood_as_turns",
]


@pytest.fixture(params=ADAPTERS, ids=lambda adapter: adapter.name)
def adapter(request: pytest.FixtureRequest) -> Adapter:
    found: Adapter = request.param
    return found
