"""Filters, pages, scopes and snippets of search on both engines: for messages, turns and memories each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from gunita import Gunita, NotFoundError
from gunita.models import Hit, Memory, Message, Turn

THEN = datetime(2023, 5, 1, tzinfo=UTC)


@pytest.fixture
def ben(gunita: Gunita) -> Gunita:
    return gunita.scoped("acme", "ben")


def talk(user: Gunita, *said: tuple[str, str], at: datetime = THEN) -> UUID:
    """A conversation of questions and answers, each turn a day after the one before."""
    here = user.conversations.create_conversation()
    for day, (query, response) in enumerate(said):
        user.conversations.add_message(here.id, "user", query, created_at=at + timedelta(day))
        user.conversations.add_message(here.id, "assistant", response, created_at=at + timedelta(day))
    return here.id


def turns(hits: list[Hit]) -> list[tuple[UUID, int]]:
    return [(hit.found.session_id, hit.found.turn_number) for hit in hits if isinstance(hit.found, Turn)]


def contents(hits: list[Hit]) -> list[str]:
    return [hit.found.content for hit in hits if isinstance(hit.found, Message | Memory)]


def test_a_time_filter_holds_its_first_moment_and_not_its_last(ben: Gunita) -> None:
    talk(ben, ("the guitar was cheap", "good"))
    assert contents(ben.search.search("guitar", since=THEN, until=THEN + timedelta(microseconds=1)))
    assert ben.search.search("guitar", since=THEN + timedelta(microseconds=1)) == []
    assert ben.search.search("guitar", until=THEN) == []


def test_turns_are_filtered_like_messages(ben: Gunita) -> None:
    old = talk(ben, ("my guitar is old", "a guitar ages well"), ("and what else?", "no other guitar"))
    new = talk(ben, ("the guitar broke", "oh no"), at=THEN + timedelta(30))
    ben.search.index_pending()

    def found(**filters: object) -> set[tuple[UUID, int]]:
        return set(turns(ben.search.search("guitar", kind="turns", **filters)))  # type: ignore[arg-type]

    assert {(old, 1), (old, 2), (new, 1)} <= found()
    assert found(conversation_id=new) == {(new, 1)}
    assert found(role="assistant", until=THEN + timedelta(10)) == {(old, 1), (old, 2)}
    assert found(role="user", conversation_id=old) == {(old, 1)}
    assert found(since=THEN + timedelta(10)) == {(new, 1)}


def test_a_turn_is_found_once_though_both_of_its_messages_match(ben: Gunita) -> None:
    here = talk(ben, ("my guitar", "your guitar"), ("a guitar again", "that guitar"))
    found = turns(ben.search.search("guitar", kind="turns"))
    assert sorted(found) == [(here, 1), (here, 2)]


def test_the_snippet_of_a_turn_is_of_the_message_that_matches(ben: Gunita) -> None:
    talk(ben, ("what should I buy?", "a small guitar"))
    (hit,) = ben.search.search("guitar", kind="turns")
    assert hit.snippet == "a small ⟦guitar⟧"


def test_pages_of_turns_and_memories_follow_each_other(ben: Gunita) -> None:
    talk(ben, *[(f"guitar number {number}", "yes") for number in range(5)])
    for number in range(5):
        ben.memories.create_memory("ben", f"Owns guitar number {number}")
    for kind in ("messages", "turns", "memories"):
        whole = [hit.found.id for hit in ben.search.search("guitar", kind=kind, limit=5)]
        paged = [
            hit.found.id
            for offset in (0, 2, 4)
            for hit in ben.search.search("guitar", kind=kind, limit=2, offset=offset)
        ]
        assert paged[:5] == whole
        assert len(set(whole)) == 5


def test_memories_are_filtered_by_type_time_source_and_archive(url: str) -> None:
    now = [THEN]
    with Gunita.open(url, clock=lambda: now[0]) as opened:
        ben = opened.scoped("acme", "ben")
        here = talk(ben, ("hello", "hi"))
        make = ben.memories.create_memory
        make("ben", "Owns a guitar", "fact")
        make("ben", "Likes the guitar", "preference", source_conversation_id=here)
        now[0] += timedelta(30)
        make("ben", "Builds a guitar", "project")
        gone = make("ben", "Sold a guitar", "fact")
        ben.memories.update_memory(gone.id, archived=True)

        def found(**filters: object) -> set[str]:
            return set(contents(ben.search.search("guitar", kind="memories", **filters)))  # type: ignore[arg-type]

        assert found() == {"Owns a guitar", "Likes the guitar", "Builds a guitar"}
        assert found(memory_type="fact") == {"Owns a guitar"}
        assert found(conversation_id=here) == {"Likes the guitar"}
        assert found(since=THEN + timedelta(1)) == {"Builds a guitar"}
        assert found(until=THEN + timedelta(1)) == {"Owns a guitar", "Likes the guitar"}


@pytest.mark.parametrize("indexed", [True, False])
def test_no_kind_of_search_crosses_users_or_tenants(gunita: Gunita, indexed: bool) -> None:
    scopes = [gunita.scoped(tenant, user) for tenant in ("acme", "beta") for user in ("ana", "ben")]
    where = {}
    for scope in scopes:
        whose = f"{scope.scope.tenant_id} {scope.scope.user_id}"
        where[whose] = talk(scope, (f"the guitar of {whose}", f"a guitar for {whose}"))
        scope.memories.create_memory(None, f"Owns the guitar of {whose}")
    if indexed:
        gunita.search.index_everywhere()
    for scope in scopes:
        whose = f"{scope.scope.tenant_id} {scope.scope.user_id}"
        service = gunita.scoped(scope.scope.tenant_id)
        for asking in (scope, service):
            for kind in ("messages", "turns", "memories"):
                hits = asking.search.search("guitar", kind=kind, user_id=scope.scope.user_id)
                assert hits
                assert all(whose in hit.snippet.replace("⟦", "").replace("⟧", "") for hit in hits)
        for other, conversation in where.items():
            if other != whose:
                with pytest.raises(NotFoundError):
                    scope.search.search("guitar", conversation_id=conversation)
                with pytest.raises(NotFoundError):
                    service.search.search("guitar", user_id=scope.scope.user_id, conversation_id=conversation)


def test_what_comes_to_one_user_is_not_added_to_what_is_held_of_another(gunita: Gunita) -> None:
    ana, ben = gunita.scoped("acme", "ana"), gunita.scoped("acme", "ben")
    for user in (ana, ben):
        user.messages.add_message(None, "user", "my first guitar")
        user.search.index_pending()
    service = gunita.scoped("acme")
    for asking in (ana, service):
        assert len(asking.search.search("guitar", user_id="ana")) == 1
        ben.messages.add_message(None, "user", "another guitar of mine")
        ben.search.index_pending()
        assert contents(asking.search.search("guitar", user_id="ana")) == ["my first guitar"]


def test_a_memory_that_names_somebody_elses_message_does_not_show_it(gunita: Gunita) -> None:
    ana, ben = gunita.scoped("acme", "ana"), gunita.scoped("acme", "ben")
    secret = ana.messages.add_message("ana", "user", "my salary is a secret")
    memory = ben.memories.create_memory("ben", "Curious", source_message_id=secret.id)
    assert ben.memories.get_memory_source(memory.id).message is None
    assert ben.memories.get_memory_source(memory.id).turn_number is None


def test_a_named_speaker_is_known_before_and_after_the_background_has_run(ben: Gunita) -> None:
    here = ben.conversations.create_conversation()
    for role, name in (("user", "Melanie"), ("assistant", "Caroline"), ("user", "Melanie")):
        ben.conversations.add_message(here.id, role, "I adopted a dog", custom_payload={"name": name})
    for _ in range(2):
        first, *_ = ben.search.search("Did I hear that Caroline adopted a dog?")
        assert isinstance(first.found, Message)
        assert first.found.role == "assistant"
        (hers,) = ben.search.search("Caroline", role="assistant")
        assert "words" in hers.why
        assert "words" not in "".join(hit.why for hit in ben.search.search("Caroline", role="user"))
        assert len({hit.score for hit in ben.search.search("Which dog did I say was adopted?")}) == 1
        ben.search.index_pending()


def test_what_a_named_person_said_comes_before_what_was_said_to_them(ben: Gunita) -> None:
    here = ben.conversations.create_conversation()
    for role, name, text in (
        ("user", "Melanie", "What did you paint, Caroline? Caroline?"),
        ("assistant", "Caroline", "I paint lakes"),
    ):
        ben.conversations.add_message(here.id, role, text, custom_payload={"name": name})
    for _ in range(2):
        first, *_ = ben.search.search("What did Caroline paint?")
        assert contents([first]) == ["I paint lakes"]
        ben.search.index_pending()


def test_a_question_about_a_day_is_read_against_the_day_it_is_asked_on(url: str) -> None:
    now = [datetime(2026, 6, 15, 12, tzinfo=UTC)]
    with Gunita.open(url, clock=lambda: now[0]) as opened:
        ben = opened.scoped("acme", "ben")
        for days in (1, 40):
            talk(ben, (f"I bought a lamp, number {days}", "ok"), at=now[0] - timedelta(days))
        first, *_ = ben.search.search("What lamp did I buy yesterday?")
        assert contents([first]) == ["I bought a lamp, number 1"]
        assert first.why == "words, time"
        now[0] -= timedelta(39)
        first, *_ = ben.search.search("What lamp did I buy yesterday?")
        assert contents([first]) == ["I bought a lamp, number 40"]


def test_what_stands_in_an_aside_is_found_by_its_meaning(ben: Gunita) -> None:
    aside = (
        "Please write a packing list for a week in the mountains. I have boots, a tent and a stove. "
        "It will rain most days and I carry everything myself, so it has to be light and dry. "
        "The hut has no shop, the next village is a day away, and I would like to take real coffee along. "
        "My brother Paolo got married to a dentist in October, and nobody in the family had met her before the "
        "wedding day itself, not even our grandmother."
    )
    talk(ben, (aside, "Here is the list."))
    ben.search.index_pending()
    (found,) = ben.search.search("kasal ng kapatid")
    assert contents([found]) == [aside]
    assert found.why == "meaning"
