"""Memories on both engines: created, filtered, changed, deleted."""

from __future__ import annotations

from uuid import uuid4

from gunita import Gunita, MemoryType
from gunita.store import memories
from gunita.store.memories import READ_AT_A_TIME, MemoryFilter
from tests.raw_sql import connected
from tests.rows_by_hand import RowsByHand


def test_a_memory_comes_back_whole(gunita: Gunita) -> None:
    source, message = uuid4(), uuid4()
    made = gunita.memories.create_memory(
        "juan",
        "Lumipat na ako sa Davao",
        "fact",
        category="home",
        source_conversation_id=source,
        source_message_id=str(message),
        pinned=True,
        confidence=0.75,
    )
    found = gunita.memories.get_memory(made.id)
    assert found == made
    assert (found.source_conversation_id, found.source_message_id) == (source, message)
    assert (found.memory_type, found.confidence, found.pinned, found.archived) == (MemoryType.FACT, 0.75, True, False)
    assert (found.access_count, found.last_accessed_at) == (0, None)


def test_memories_are_filtered(gunita: Gunita) -> None:
    make, find = gunita.memories.create_memory, gunita.memories.get_memories
    source = uuid4()
    tea = make("juan", "Prefers TEA", "preference", category="food", pinned=True)
    home = make("juan", "Lives in Cebu", source_conversation_id=source)
    lutong = make("juan", "Paborito ang ADOBO, STRASSE", "preference", category="food")
    hers = make("ana", "Lives in Davao")
    assert find("juan") == [lutong, home, tea]
    assert find() == [hers, lutong, home, tea]
    assert find("juan", memory_type="preference") == [lutong, tea]
    assert find("juan", category="food", pinned=True) == [tea]
    assert find("juan", pinned=False) == [lutong, home]
    assert find("juan", source_conversation_id=source) == [home]
    assert find(text="lives in") == [hers, home]
    assert find("juan", text="straße") == [lutong]
    assert find("juan", text="100%") == []
    assert find("juan", limit=1, offset=1) == [home]
    gunita.memories.update_memory(tea.id, archived=True)
    assert [memory.id for memory in find("juan", archived=True)] == [tea.id]
    assert find("juan", archived=False) == [lutong, home]


def test_updating_changes_what_is_given_and_leaves_the_rest(gunita: Gunita) -> None:
    made = gunita.memories.create_memory("juan", "Lives in Cebu", category="home", confidence=0.5)
    changed = gunita.memories.update_memory(made.id, content="Lives in Davao", pinned=True)
    assert (changed.content, changed.pinned, changed.category, changed.confidence) == (
        "Lives in Davao",
        True,
        "home",
        0.5,
    )
    retyped = gunita.memories.update_memory(made.id, memory_type=MemoryType.DECISION, confidence=0)
    assert (retyped.memory_type, retyped.confidence, retyped.content) == (MemoryType.DECISION, 0.0, "Lives in Davao")
    bare = gunita.memories.update_memory(made.id, category=None)
    assert bare.category is None
    assert gunita.memories.get_memory(made.id) == bare
    assert bare.created_at == made.created_at


def test_changed_content_drops_the_vector_that_no_longer_fits(gunita: Gunita, raw) -> None:
    made = gunita.memories.create_memory("juan", "Lives in Cebu")
    raw("UPDATE memories SET vector = ?, vector_model = 'minilm'", b"\0\0\x80\x3f")
    gunita.memories.update_memory(made.id, pinned=True)
    assert raw("SELECT vector_model FROM memories") == [("minilm",)]
    gunita.memories.update_memory(made.id, content="Lives in Davao")
    assert raw("SELECT vector, vector_model FROM memories") == [(None, None)]


def test_a_deleted_memory_is_gone(gunita: Gunita) -> None:
    made = gunita.memories.create_memory("juan", "Lives in Cebu")
    assert gunita.memories.delete_memory(made.id) is True
    assert gunita.memories.delete_memory(made.id) is False
    assert gunita.memories.get_memories("juan") == []


def test_pages_of_many_memories_hold_each_once(gunita: Gunita, url: str) -> None:
    many = READ_AT_A_TIME + 3
    with connected(url) as raw:
        rows = RowsByHand(raw, postgres=url.startswith("postgresql"))
        made = sorted((rows.memory(content=f"Fact {number}") for number in range(many)), reverse=True)
    pages = [gunita.memories.get_memories("juan", limit=400, offset=start) for start in range(0, many, 400)]
    assert [memory.id for page in pages for memory in page] == made
    (last,) = gunita.memories.get_memories(text=f"fact {many - 1}")
    assert last.content == f"Fact {many - 1}"
    assert len(memories.find(gunita._door.db, None, MemoryFilter())) == many
