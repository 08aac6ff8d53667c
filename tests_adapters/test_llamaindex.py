"""LlamaIndex: the chat store and the memory inside a real chat engine."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import ChatMessage, ImageBlock, MessageRole, MockLLM, TextBlock
from llama_index.core.storage.chat_store import SimpleChatStore

from gunita import Gunita
from gunita.adapters.llamaindex import GunitaChatStore, GunitaMemory, newest_within
from gunita.language.tokens import count_tokens

CALLS = {"tool_calls": [{"id": "c1", "function": {"name": "look", "arguments": "{}"}}]}
EVERY_KIND = [
    ChatMessage(role="system", content="Be brief."),
    ChatMessage(role="user", blocks=[TextBlock(text="Ano ito?"), ImageBlock(url="http://x/y.png")]),
    ChatMessage(role="assistant", content=None, additional_kwargs=CALLS),
    ChatMessage(role="tool", content="pusa", additional_kwargs={"tool_call_id": "c1"}),
    ChatMessage(role="assistant", content="Pusa."),
    ChatMessage(role="user", content="Salamat!"),
]


def test_messages_of_every_kind_come_back_exactly(gunita: Gunita) -> None:
    store = GunitaChatStore(gunita)
    store.set_messages("k", EVERY_KIND)
    assert [m.model_dump() for m in store.get_messages("k")] == [m.model_dump() for m in EVERY_KIND]


def test_it_does_what_llamaindexs_own_store_does(gunita: Gunita) -> None:
    for make in (SimpleChatStore, lambda: GunitaChatStore(gunita)):
        store = make()
        store.set_messages("k", list(EVERY_KIND))
        store.add_message("k", ChatMessage(role="assistant", content="Walang anuman."))
        removed = store.delete_message("k", 3)
        assert removed is not None
        assert removed.content == "pusa"
        last = asyncio.run(store.adelete_last_message("k"))
        assert last is not None
        assert last.content == "Walang anuman."
        assert [m.role for m in asyncio.run(store.aget_messages("k"))] == [
            MessageRole(role) for role in ("system", "user", "assistant", "assistant", "user")
        ]
        store.add_message("other", EVERY_KIND[-1])
        assert sorted(store.get_keys()) == ["k", "other"]
        gone = store.delete_messages("k")
        assert gone is not None
        assert len(gone) == 5
        assert store.get_messages("k") == []
        assert asyncio.run(store.aget_keys()) == ["other"]


def test_a_chat_engine_goes_on_where_it_left_off(gunita: Gunita) -> None:
    for question in ("Ako si Juan.", "Sino ako?"):
        memory = GunitaMemory.from_defaults(gunita=gunita, session_id="s", recalls=False)
        asyncio.run(SimpleChatEngine.from_defaults(llm=MockLLM(), memory=memory).achat(question))
    assert [m.content for m in memory.get_all() if m.role is MessageRole.USER] == ["Ako si Juan.", "Sino ako?"]
    assert "Ako si Juan." in (memory.get_all()[-1].content or "")


def test_what_the_query_points_at_and_what_is_known_stand_first(gunita: Gunita) -> None:
    gunita.memories.create_memory("juan", "Lives in Davao", pinned=True)
    memory = GunitaMemory.from_defaults(gunita=gunita, session_id="s", user_id="juan", token_limit=150)
    memory.put_messages(
        [
            ChatMessage(role="user", content="What is the capital of France?"),
            ChatMessage(role="assistant", content="Paris."),
            ChatMessage(role="user", content="Tell me a long story."),
            ChatMessage(role="assistant", content="Once upon a time. " * 20),
        ]
    )
    known, *recent = memory.get("tell me more about the first one")
    assert known.role is MessageRole.SYSTEM
    assert "Lives in Davao" in (known.content or "")
    assert "Paris." in (known.content or "")
    assert [message.content for message in recent][:1] == ["Tell me a long story."]


def test_tokens_that_are_taken_already_are_left_to_others(gunita: Gunita) -> None:
    memory = GunitaMemory(gunita, "s", token_limit=100, recalls=False)
    memory.put_messages([ChatMessage(role=role, content="isa dalawa") for role in ("user", "assistant") * 10])
    everything = memory.get()
    assert len(memory.get(initial_token_count=90)) < len(everything)
    with pytest.raises(ValueError, match="101"):
        memory.get(initial_token_count=101)


def test_the_limit_is_the_models_own_unless_told_and_what_is_known_gives_way(gunita: Gunita) -> None:
    assert GunitaMemory(gunita, "s").token_limit == gunita.settings.model_context_tokens
    gunita.memories.create_memory("juan", "Lives in Davao " * 20, pinned=True)
    memory = GunitaMemory(gunita, "s", "juan", token_limit=60)
    memory.put(ChatMessage(role="user", content="Kumusta?"))
    assert [message.content for message in memory.get("Ano ulit?")] == ["Kumusta?"]
    wide = GunitaMemory(gunita, "s", "juan", token_limit=1_000).get("Ano ulit?")
    assert [message.role for message in wide] == [MessageRole.SYSTEM, MessageRole.USER]


def test_keys_are_those_of_one_user_however_they_began(gunita: Gunita) -> None:
    juan, maria = GunitaChatStore(gunita, "juan"), GunitaChatStore(gunita, "maria")
    juan.set_messages("set", EVERY_KIND[:2])
    juan.add_message("added", EVERY_KIND[1])
    maria.add_message("hers", EVERY_KIND[1])
    assert (sorted(juan.get_keys()), maria.get_keys()) == (["added", "set"], ["hers"])


roles = st.sampled_from(["user", "assistant", "tool", "system"])
histories = st.lists(st.builds(ChatMessage, role=roles, content=st.text(max_size=30)), max_size=12)


@given(histories, st.integers(0, 60))
def test_the_newest_that_fit_are_taken_and_never_begin_with_an_answer(said: list[ChatMessage], budget: int) -> None:
    taken = newest_within(said, budget)
    assert taken == said[len(said) - len(taken) :]
    assert bool(taken) == bool(said)
    if len(taken) > 1:
        assert sum(count_tokens(message.content or "") for message in taken) <= budget
        assert taken[0].role in {MessageRole.USER, MessageRole.SYSTEM}
