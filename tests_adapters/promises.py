"""What every adapter promises in its framework: order, isolation, exact text, many writers, clearing, reopening.

Whoever imports these tests gives them a fixture `adapter`.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from gunita import Gunita
from tests_adapters.speaking import Adapter, Exchange

STRANGE = [
    (
        "Magkano ang ₱ sa $? 🇵🇭👩‍👩‍👧‍👦",
        "ñ é e\u0301 \u202eright to left\u202c שלום مرحبا 你好 \U0001f9d1\U0001f3fd\u200d\U0001f680",
    ),
    ("  spaces kept  \n\ttabs\r\nlines  ", "```python\nprint('\\n\\n')\n```\n\n---\n\n…"),
    ("\u200b zero width \ufeff", '{"role": "user", "items": [1, 2]}'),
]


def numbered(count: int, name: str = "") -> list[Exchange]:
    return [(f"question {name}{number}", f"answer {name}{number}") for number in range(count)]


def test_what_was_said_is_heard_in_order(adapter: Adapter, gunita: Gunita) -> None:
    speaking = adapter.open(gunita, "order", "juan")
    said = numbered(12)
    speaking.say(said[:5])
    for exchange in said[5:]:
        speaking.say([exchange])
    assert speaking.heard() == said


def test_a_session_that_does_not_exist_yet_is_empty(adapter: Adapter, gunita: Gunita) -> None:
    speaking = adapter.open(gunita, "nothing", "juan")
    assert speaking.heard() == []
    speaking.clear()
    assert speaking.heard() == []


def test_sessions_users_and_tenants_are_kept_apart(adapter: Adapter, gunita: Gunita) -> None:
    places = {
        name: adapter.open(where, session, user)
        for name, where, session, user in (
            ("here", gunita, "one", "juan"),
            ("another session", gunita, "two", "juan"),
            ("another user", gunita, "one", "maria"),
            ("another tenant", gunita.scoped(tenant_id="shop"), "one", "juan"),
        )
    }
    for name, place in places.items():
        place.say([(f"in {name}", "yes")])
    assert {name: place.heard() for name, place in places.items()} == {name: [(f"in {name}", "yes")] for name in places}


def test_strange_text_comes_back_as_it_was(adapter: Adapter, gunita: Gunita) -> None:
    speaking = adapter.open(gunita, "pangalan ng sesyon – ñ/🙂", "juán ñ 🙂")
    speaking.say(STRANGE)
    assert speaking.heard() == STRANGE


def test_long_text_comes_back_whole(adapter: Adapter, gunita: Gunita) -> None:
    speaking = adapter.open(gunita, "long", "juan")
    said = [("Ikuwento mo. " * 20_000, "Noong unang panahon … " * 20_000)]
    speaking.say(said)
    assert speaking.heard() == said


def test_many_writers_lose_nothing_and_tear_nothing(adapter: Adapter, gunita: Gunita) -> None:
    def write(writer: int) -> None:
        speaking = adapter.open(gunita, "busy", "juan")
        for number in range(4):
            speaking.say([(f"{writer}/{number}", f"answer to {writer}/{number}")])

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(6)))
    heard = adapter.open(gunita, "busy", "juan").heard()
    assert all(response == f"answer to {query}" for query, response in heard)
    for writer in range(6):
        own = [query for query, _ in heard if query.startswith(f"{writer}/")]
        assert own == [f"{writer}/{number}" for number in range(4)]


def test_clearing_one_session_leaves_the_others_and_it_can_be_used_again(adapter: Adapter, gunita: Gunita) -> None:
    cleared, other = adapter.open(gunita, "cleared", "juan"), adapter.open(gunita, "other", "juan")
    cleared.say(numbered(3))
    other.say(numbered(2))
    cleared.clear()
    assert cleared.heard() == []
    assert other.heard() == numbered(2)
    cleared.say(numbered(1, "new "))
    assert cleared.heard() == numbered(1, "new ")


def test_everything_is_there_after_reopening(adapter: Adapter, url: str) -> None:
    with Gunita.open(url) as first:
        adapter.open(first, "kept", "juan").say(numbered(3))
    with Gunita.open(url) as second:
        reopened = adapter.open(second, "kept", "juan")
        assert reopened.heard() == numbered(3)
        reopened.say(numbered(1, "more "))
        assert reopened.heard() == [*numbered(3), *numbered(1, "more ")]


def test_what_was_said_is_understood_as_turns(adapter: Adapter, gunita: Gunita) -> None:
    adapter.open(gunita, "turns", "juan").say(numbered(3))
    if not adapter.keeps_turns:
        assert gunita.sessions.get_recent_sessions(1) == []
        return
    [latest] = gunita.sessions.get_recent_sessions(1)
    turns = gunita.sessions.get_session_history(latest.id)
    assert [(turn.turn_number, turn.query_text, turn.response_text) for turn in turns] == [
        (number + 1, *exchange) for number, exchange in enumerate(numbered(3))
    ]
