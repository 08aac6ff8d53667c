"""Reading for search in the background, on both engines: nothing is lost or mixed, and no more is taken at a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from gunita import Gunita
from gunita.errors import GunitaError
from gunita.models import Message
from gunita.services.indexing import BATCH, LEASE, shipped_encoder
from gunita.store import search

Raw = Callable[..., list[tuple[object, ...]]]


def spoken(gunita: Gunita, count: int) -> None:
    for number in range(count):
        gunita.messages.add_message("ana", "user", f"the umbrella that I lost in Cubao, number {number}")


def test_a_batch_that_cannot_be_kept_waits_and_is_read_later(url: str, raw: Raw) -> None:
    now = [datetime(2026, 5, 1, tzinfo=UTC)]
    with Gunita.open(url, clock=lambda: now[0]) as gunita:
        spoken(gunita, 5)
        raw("ALTER TABLE message_index RENAME TO message_index_away")
        with pytest.raises(GunitaError):
            gunita.search.index_pending()
        raw("ALTER TABLE message_index_away RENAME TO message_index")
        assert gunita.search.count_waiting() == 5
        now[0] += LEASE + timedelta(seconds=1)
        assert gunita.search.index_pending() == 5
        assert gunita.search.count_waiting() == 0
        assert raw("SELECT count(*) FROM message_index") == [(5,)]


def test_no_more_is_done_than_was_asked_for(gunita: Gunita) -> None:
    spoken(gunita, 5)
    gunita.memories.create_memory("ana", "Lost an umbrella")
    assert gunita.search.index_pending(2) == 2
    assert gunita.search.count_waiting() == 4
    assert gunita.search.index_pending(10) == 4


def test_no_more_is_taken_at_a_time_than_a_lease_outlasts(gunita: Gunita, raw: Raw) -> None:
    spoken(gunita, 2 * BATCH + 1)
    gunita.search.index_pending(100)
    raw("UPDATE message_index SET model = 'an older one'")
    told: list[tuple[int, int]] = []
    gunita.search.reembed(lambda done, total: told.append((done, total)))
    whole = 2 * BATCH + 1
    assert told == [(BATCH, whole), (2 * BATCH, whole), (whole, whole)]


def test_every_vector_says_which_model_made_it(gunita: Gunita, raw: Raw) -> None:
    spoken(gunita, 2)
    gunita.memories.create_memory("ana", "Lost an umbrella")
    gunita.search.index_pending()
    model = shipped_encoder().model_name
    assert raw("SELECT DISTINCT model FROM message_index") == [(model,)]
    assert raw("SELECT DISTINCT vector_model FROM memories") == [(model,)]


def test_vectors_of_another_model_are_not_compared(url: str, raw: Raw) -> None:
    query = "nawala ang payong ko"
    with Gunita.open(url) as gunita:
        spoken(gunita, 1)
        gunita.memories.create_memory("ana", "I lost my umbrella")
        gunita.search.index_pending()
        assert [hit.why for hit in gunita.search.search(query, user_id="ana")] == ["meaning"]
        assert [hit.why for hit in gunita.search.search(query, user_id="ana", kind="memories")] == ["meaning"]
    raw("UPDATE message_index SET model = 'an older one'")
    raw("UPDATE memories SET vector_model = 'an older one'")
    with Gunita.open(url) as gunita:
        assert gunita.search.search(query, user_id="ana") == []
        assert gunita.search.search(query, user_id="ana", kind="memories") == []
        (hit,) = gunita.search.search("umbrella", user_id="ana")
        assert hit.why == "words"
        gunita.search.reembed()
        assert [hit.why for hit in gunita.search.search(query, user_id="ana")] == ["meaning"]
        assert [hit.why for hit in gunita.search.search(query, user_id="ana", kind="memories")] == ["meaning"]


def test_everything_is_found_by_its_words_while_it_is_read_anew(url: str, raw: Raw) -> None:
    with Gunita.open(url) as gunita:
        spoken(gunita, BATCH + 2)
        gunita.search.index_pending(100)
    raw("UPDATE message_index SET model = 'an older one'")
    with Gunita.open(url) as gunita:
        found: list[int] = []
        gunita.search.reembed(lambda done, total: found.append(len(gunita.search.search("umbrella", limit=100))))
        assert found == [BATCH + 2, BATCH + 2]


def test_a_memory_that_changes_while_it_is_read_gets_no_vector_of_what_it_said(gunita: Gunita, raw: Raw) -> None:
    memory = gunita.memories.create_memory("ana", "Lives in Cebu")
    db = gunita._door.db
    assert search.memories_to_embed(db, limit=10) == [(memory.id, "Lives in Cebu")]
    gunita.memories.update_memory(memory.id, content="Lives in Davao")
    assert not search.put_memory_vector(db, memory.id, "Lives in Cebu", vector=b"1", model="m")
    assert raw("SELECT vector FROM memories") == [(None,)]
    assert search.put_memory_vector(db, memory.id, "Lives in Davao", vector=b"1", model="m")


def test_a_user_indexes_their_own_messages_and_nobody_elses(gunita: Gunita) -> None:
    ana, ben = gunita.scoped("acme", "ana"), gunita.scoped("acme", "ben")
    for user in (ana, ben):
        user.messages.add_message(None, "user", "hello")
        user.memories.create_memory(None, "Says hello")
    assert ana.search.index_pending() == 2
    assert (ana.search.count_waiting(), ben.search.count_waiting()) == (0, 2)


def test_a_message_whose_text_changes_is_read_anew(gunita: Gunita, raw: Raw) -> None:
    spoken(gunita, 1)
    gunita.search.index_pending()
    raw("UPDATE messages SET content = 'the passport that I found'")
    assert gunita.search.count_waiting() == 1
    assert gunita.search.index_pending() == 1
    (hit,) = gunita.search.search("passport", user_id="ana")
    assert isinstance(hit.found, Message)
    assert gunita.search.search("umbrella", user_id="ana") == []
