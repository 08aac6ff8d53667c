"""LangChain: messages of every kind, and a history inside a chain."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from gunita import Gunita
from gunita.adapters.langchain import GunitaChatMessageHistory, from_item, to_item

CALL = {"name": "look", "args": {"at": "x", "times": 2}, "id": "c1", "type": "tool_call"}
USAGE = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
EVERY_KIND: list[BaseMessage] = [
    SystemMessage("Be brief."),
    HumanMessage([{"type": "text", "text": "Ano ito?"}, {"type": "image_url", "image_url": {"url": "x"}}]),
    AIMessage("", tool_calls=[CALL], id="run-1", response_metadata={"model": "m"}, usage_metadata=USAGE),
    ToolMessage("pusa", tool_call_id="c1", artifact={"score": 0.9}, status="success"),
    AIMessage("Pusa.", name="Bot", additional_kwargs={"refusal": None}),
    HumanMessage("Salamat!", name="Juan", id="h1"),
    AIMessageChunk("Walang anuman."),
    FunctionMessage("1", name="f"),
    ChatMessage("psst", role="narrator"),
]


def test_messages_of_every_kind_come_back_exactly(gunita: Gunita) -> None:
    history = GunitaChatMessageHistory("s", gunita)
    history.add_messages(EVERY_KIND[:3])
    history.add_messages(EVERY_KIND[3:])
    assert history.messages == EVERY_KIND
    assert [type(message) for message in history.messages] == [type(message) for message in EVERY_KIND]


def test_a_history_may_show_its_newest_messages_alone(gunita: Gunita) -> None:
    GunitaChatMessageHistory("s", gunita).add_messages(EVERY_KIND)
    assert GunitaChatMessageHistory("s", gunita, limit=2).messages == EVERY_KIND[-2:]


def test_a_chat_model_is_asked_with_what_was_said_before(gunita: Gunita) -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("Magandang araw, Juan."), AIMessage("Ikaw si Juan.")]))
    asked: list[Sequence[BaseMessage]] = []
    for question in ("Ako si Juan.", "Sino ako?"):
        history = GunitaChatMessageHistory("s", gunita)
        history.add_user_message(question)
        asked.append(history.messages)
        history.add_message(model.invoke(history.messages))
    assert [message.text for message in asked[-1]] == ["Ako si Juan.", "Magandang araw, Juan.", "Sino ako?"]
    assert str(GunitaChatMessageHistory("s", gunita)).splitlines()[-1] == "AI: Ikaw si Juan."


texts = st.text(max_size=50)
messages = st.one_of(
    st.builds(HumanMessage, texts),
    st.builds(AIMessage, texts, id=st.one_of(st.none(), st.text(min_size=1, max_size=5))),
    st.builds(SystemMessage, texts),
    st.builds(ToolMessage, texts, tool_call_id=st.text(max_size=5)),
)


@given(messages)
def test_a_message_read_and_written_is_the_same(message: BaseMessage) -> None:
    assert from_item(to_item(message)) == message


@pytest.mark.parametrize("message", EVERY_KIND, ids=lambda message: message.type)
def test_only_people_and_the_model_speak(message: BaseMessage) -> None:
    assert (to_item(message).role is not None) == isinstance(message, HumanMessage | AIMessage)
