"""Search on both engines: what is found, where, how soon, and what is gone when it is deleted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from gunita import Gunita, NotFoundError, ValidationError
from gunita.models import Hit, Memory, Message, Turn

SAID = (
    ("When is the rent due? I pay my landlord in Makati.", "It is due on the fifth of every month."),
    ("Anong magandang lutuin para sa birthday ni Nanay?", "Subukan mo ang pancit at lechon kawali."),
    ("How do I renew my passport?", "Book an appointment at the consular office and bring the old one."),
)
Raw = Callable[..., list[tuple[object, ...]]]


@pytest.fixture
def ana(gunita: Gunita) -> Gunita:
    user = gunita.scoped("acme", "ana")
    session = user.sessions.create_session()
    for query, response in SAID:
        user.sessions.store_turn(session, "ana", query, response)
    return user


def contents(hits: list[Hit]) -> list[str]:
    return [hit.found.content for hit in hits if isinstance(hit.found, Message | Memory)]


def test_words_are_found_before_the_background_has_run(ana: Gunita) -> None:
    (first, *_) = ana.search.search("landlord")
    assert isinstance(first.found, Message)
    assert first.found.content == SAID[0][0]
    assert "⟦landlord⟧" in first.snippet
    assert first.why == "words"


def test_meaning_is_found_once_the_background_has_run(ana: Gunita) -> None:
    assert ana.search.count_waiting() == 6
    assert ana.search.index_pending() == 6
    assert ana.search.count_waiting() == 0
    assert contents(ana.search.search("kailan ang bayad sa upa?"))[0] == SAID[0][0]
    assert contents(ana.search.search("food for mother's party"))[0] in SAID[1]


def test_what_is_said_after_indexing_is_found_too(ana: Gunita) -> None:
    ana.search.index_pending()
    ana.messages.add_message("ana", "user", "I lost my umbrella in Cubao")
    assert contents(ana.search.search("umbrella"))[0] == "I lost my umbrella in Cubao"
    ana.search.index_pending()
    assert contents(ana.search.search("umbrella"))[0] == "I lost my umbrella in Cubao"


def test_filters_narrow_what_is_found(gunita: Gunita) -> None:
    user = gunita.scoped("acme", "ben")
    old, new = user.conversations.create_conversation(), user.conversations.create_conversation()
    then = datetime(2023, 5, 1, tzinfo=UTC)
    user.conversations.add_message(old.id, "user", "the guitar was cheap", created_at=then)
    user.conversations.add_message(old.id, "assistant", "a guitar is a good buy", created_at=then)
    user.conversations.add_message(new.id, "user", "the guitar broke", created_at=then + timedelta(30))
    user.search.index_pending()
    assert len(user.search.search("guitar")) == 3
    assert contents(user.search.search("guitar", conversation_id=new.id)) == ["the guitar broke"]
    assert contents(user.search.search("guitar", role="assistant")) == ["a guitar is a good buy"]
    assert contents(user.search.search("guitar", since=then + timedelta(1))) == ["the guitar broke"]
    assert len(user.search.search("guitar", until=then + timedelta(1))) == 2
    assert len(user.search.search("guitar", limit=1, offset=1)) == 1
    assert user.search.search("guitar", limit=2)[1:] == user.search.search("guitar", limit=1, offset=1)


def test_turns_and_memories_are_found_as_such(ana: Gunita) -> None:
    ana.memories.create_memory("ana", "Allergic to peanuts")
    ana.memories.create_memory("ana", "Works at a bank in Ortigas")
    ana.search.index_pending()
    (turn, *_) = ana.search.search("lechon", kind="turns")
    assert isinstance(turn.found, Turn)
    assert turn.found.turn_number == 2
    assert contents(ana.search.search("ano ang allergy ko?", kind="memories"))[0] == "Allergic to peanuts"
    assert contents(ana.search.search("bank", kind="memories"))[0] == "Works at a bank in Ortigas"


def test_a_changed_memory_is_read_anew(ana: Gunita) -> None:
    memory = ana.memories.create_memory("ana", "Lives in Cebu")
    ana.search.index_pending()
    ana.memories.update_memory(memory.id, content="Lives in Davao")
    assert contents(ana.search.search("Davao", kind="memories")) == ["Lives in Davao"]
    assert ana.search.index_pending() == 1


@pytest.mark.parametrize("indexed", [True, False])
def test_deleting_removes_from_every_index(ana: Gunita, raw: Raw, indexed: bool) -> None:
    if indexed:
        ana.search.index_pending()
    (hit, *_) = ana.search.search("landlord")
    assert isinstance(hit.found, Message)
    ana.messages.delete_message(hit.found.id)
    assert SAID[0][0] not in contents(ana.search.search("landlord"))
    for index in ("message_index", "index_queue"):
        assert str(hit.found.id) not in {str(kept) for (kept,) in raw(f"SELECT message_id FROM {index}")}
    ana.sessions.delete_session(hit.found.conversation_id)
    assert ana.search.search("passport") == []
    assert raw("SELECT count(*) FROM message_index") == [(0,)]
    assert raw("SELECT count(*) FROM index_queue") == [(0,)]


def test_what_another_process_deletes_leaves_no_hole_in_a_page(gunita: Gunita, url: str) -> None:
    ben = gunita.scoped("acme", "ben")
    kept, gone = ben.conversations.create_conversation(), ben.conversations.create_conversation()
    for number in range(30):
        ben.conversations.add_message(kept.id, "user", f"a long story about the guitar that I bought, number {number}")
        ben.conversations.add_message(gone.id, "user", f"guitar {number}")
    ben.search.index_pending()
    assert ben.search.search("guitar", limit=5)[0].found.content.startswith("guitar")
    with Gunita.open(url) as other:
        other.scoped("acme", "ben").conversations.delete_conversation(gone.id)
    hits = ben.search.search("guitar", limit=20)
    assert len(hits) == 20
    assert all(text.startswith("a long story") for text in contents(hits))


def test_what_another_process_indexes_is_found_at_once(gunita: Gunita, url: str) -> None:
    ben = gunita.scoped("acme", "ben")
    ben.messages.add_message("ben", "user", "the first guitar")
    ben.search.index_pending()
    for number in range(3):
        with Gunita.open(url) as other:
            theirs = other.scoped("acme", "ben")
            theirs.messages.add_message("ben", "user", f"guitar number {number}")
            theirs.search.index_pending()
        assert len(ben.search.search("guitar")) == number + 2


def test_a_claimed_batch_returns_when_its_process_died(url: str) -> None:
    now = [datetime(2023, 5, 1, tzinfo=UTC)]
    with Gunita.open(url, clock=lambda: now[0]) as gunita:
        gunita.messages.add_message("ana", "user", "remember the milk")
        from gunita.store import search

        claimed = search.claim(gunita._door.db, now=now[0], claimed_until=now[0] + timedelta(minutes=2), limit=10)
        assert len(claimed) == 1
        assert gunita.search.index_pending() == 0
        now[0] += timedelta(minutes=3)
        assert gunita.search.index_pending() == 1
        assert gunita.search.count_waiting() == 0


def test_a_change_of_model_is_worked_off_while_search_goes_on(ana: Gunita, raw: Raw) -> None:
    ana.memories.create_memory("ana", "Allergic to peanuts")
    ana.search.index_pending()
    raw("UPDATE message_index SET model = 'an older one'")
    raw("UPDATE memories SET vector_model = 'an older one'")
    assert contents(ana.search.search("landlord"))[0] == SAID[0][0]
    told: list[tuple[int, int]] = []
    assert ana.search.reembed(lambda done, total: told.append((done, total))) == 7
    assert told[-1] == (7, 7)
    assert raw("SELECT count(*) FROM message_index WHERE model = 'an older one'") == [(0,)]
    assert contents(ana.search.search("kailan ang bayad sa upa?"))[0] == SAID[0][0]
    assert ana.search.reembed() == 0


def test_the_system_reembeds_every_tenant(ana: Gunita, gunita: Gunita, raw: Raw) -> None:
    gunita.messages.add_message("ben", "user", "hello")
    gunita.search.index_everywhere()
    raw("UPDATE message_index SET model = 'an older one'")
    assert gunita.search.reembed() == 7


def test_a_worker_finds_the_tenants_that_have_something_waiting(gunita: Gunita) -> None:
    from gunita.store import search

    gunita.scoped("acme").messages.add_message("ana", "user", "hello")
    gunita.messages.add_message("ben", "user", "hello")
    assert set(search.tenants_to_index(gunita._database)) == {"acme", None}
    assert gunita.search.index_everywhere() == 2
    assert search.tenants_to_index(gunita._database) == []


def test_a_speakers_name_is_a_word_of_the_message(gunita: Gunita) -> None:
    user = gunita.scoped("acme", "chat")
    here = user.conversations.create_conversation()
    user.conversations.add_message(here.id, "user", "I adopted a dog", custom_payload={"name": "Melanie"})
    user.conversations.add_message(here.id, "assistant", "I adopted a dog", custom_payload={"name": "Caroline"})
    user.search.index_pending()
    (first, *_) = user.search.search("Which dog did Caroline adopt?")
    assert isinstance(first.found, Message)
    assert first.found.role == "assistant"


def test_a_service_searches_its_tenant_and_a_user_only_themselves(ana: Gunita, gunita: Gunita) -> None:
    assert contents(gunita.scoped("acme").search.search("landlord")) == [SAID[0][0]]
    assert contents(gunita.scoped("acme").search.search("landlord", user_id="ana")) == [SAID[0][0]]
    assert gunita.scoped("acme", "ben").search.search("landlord") == []
    assert gunita.scoped("other").search.search("landlord") == []


def test_what_is_asked_wrongly_is_refused(ana: Gunita) -> None:
    with pytest.raises(ValidationError):
        ana.search.search("  ")
    with pytest.raises(ValidationError):
        ana.search.search("rent", kind="everything")
    with pytest.raises(ValidationError):
        ana.search.search("rent", since=datetime(2023, 1, 1))  # noqa: DTZ001
    with pytest.raises(NotFoundError):
        ana.search.search("rent", conversation_id=uuid4())


def test_older_turns_are_recalled_into_context(url: str) -> None:
    with Gunita.open(url, window_turns=3) as gunita:
        user = gunita.scoped("acme", "ana")
        session = user.sessions.create_session()
        user.sessions.store_turn(session, "ana", "My landlord is Mr. Reyes in Makati.", "Noted.")
        for number in range(60):
            user.sessions.store_turn(session, "ana", f"Tell me about animal number {number}", "It is an animal.")
        user.search.index_pending()
        context = user.sessions.get_context_for_query(session, "Who is my landlord in Makati?")
        assert [found.turn.turn_number for found in context.recalled_turns][:1] == [1]


def test_other_conversations_are_recalled_only_where_that_is_on(url: str) -> None:
    for number, (settings, allowed) in enumerate(
        (
            ({}, False),
            ({"cross_conversation_recall": True}, True),
            ({"cross_conversation_tenants": "shop, acme"}, True),
            ({"cross_conversation_tenants": "shop"}, False),
        )
    ):
        with Gunita.open(url, **settings) as gunita:
            user = gunita.scoped("acme", f"ana-{number}")
            there, here = user.sessions.create_session(), user.sessions.create_session()
            user.sessions.store_turn(there, None, "My landlord is Mr. Reyes in Makati.", "Noted.")
            user.sessions.store_turn(here, None, "Hello!", "Hi!")
            context = user.sessions.get_context_for_query(here, "Who is my landlord in Makati?")
            assert bool(context.recalled_turns) is allowed
