"""OpenAI Agents: a real agent and runner over a session, with a model that speaks over HTTP on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from agents.memory import SessionSettings
from openai import AsyncOpenAI

from gunita import Gunita
from gunita.adapters.openai_agents import GunitaSession
from tests.api.scripted_model import ScriptedModel, speaking

set_tracing_disabled(True)

EVERY_KIND: list[Any] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "input_text", "text": "Ano ito?"}, {"type": "input_image", "file_id": "x"}]},
    {"type": "reasoning", "id": "r1", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": None},
    {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"at": "x"}', "status": "completed"},
    {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "pusa"}]},
    {"type": "message", "role": "assistant", "id": "m1", "status": "completed",
     "content": [{"type": "output_text", "text": "Pusa.", "annotations": [], "logprobs": []}]},
    {"role": "user", "content": "Salamat!"},
    {"role": "assistant", "content": "Walang anuman."},
]  # fmt: skip


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with speaking() as scripted:
        yield scripted


@asynccontextmanager
async def agent_over(model: ScriptedModel, **more: Any) -> AsyncIterator[Agent[Any]]:
    async with AsyncOpenAI(base_url=model.url, api_key="none") as client:
        yield Agent(name="Bot", model=OpenAIChatCompletionsModel("scripted", client), **more)


def test_items_of_every_kind_come_back_exactly(gunita: Gunita) -> None:
    session = GunitaSession("s", gunita, user_id="juan")

    async def talk() -> None:
        await session.add_items(EVERY_KIND[:4])
        await session.add_items(EVERY_KIND[4:])
        assert await session.get_items() == EVERY_KIND
        assert await session.get_items(limit=3) == EVERY_KIND[-3:]
        for expected in reversed(EVERY_KIND):
            assert await session.pop_item() == expected
        assert await session.pop_item() is None

    asyncio.run(talk())


def test_the_settings_limit_holds_unless_another_is_given(gunita: Gunita) -> None:
    session = GunitaSession("s", gunita, session_settings=SessionSettings(limit=2))
    asyncio.run(session.add_items(EVERY_KIND))
    assert asyncio.run(session.get_items()) == EVERY_KIND[-2:]
    assert asyncio.run(session.get_items(limit=4)) == EVERY_KIND[-4:]


def test_an_agent_goes_on_where_it_left_off(gunita: Gunita, model: ScriptedModel) -> None:
    async def talk() -> str:
        async with agent_over(model) as agent:
            await Runner.run(agent, "Ako si Juan.", session=GunitaSession("s", gunita, user_id="juan"))
            result = await Runner.run(agent, "Sino ako?", session=GunitaSession("s", gunita, user_id="juan"))
            return str(result.final_output)

    assert asyncio.run(talk()) == "You asked: Sino ako?"
    assert [message["content"] for message in model.prompts[-1] if message["role"] == "user"] == [
        "Ako si Juan.",
        "Sino ako?",
    ]
    [conversation] = gunita.sessions.get_recent_sessions()
    assert [turn.query_text for turn in gunita.sessions.get_session_history(conversation.id)] == [
        "Ako si Juan.",
        "Sino ako?",
    ]


def test_a_tool_call_and_its_result_stay_in_the_turn(gunita: Gunita, model: ScriptedModel) -> None:
    @function_tool
    def fare(city: str) -> str:
        """Tell the fare to a city."""
        return f"₱40,000 papuntang {city}"

    model.calls = [{"id": "call_1", "type": "function", "function": {"name": "fare", "arguments": '{"city": "Paris"}'}}]
    model.answer = lambda prompt: f"Ang sagot: {prompt[-1]['content']}"
    session = GunitaSession("s", gunita)

    async def talk() -> list[Any]:
        async with agent_over(model, tools=[fare]) as agent:
            streamed = Runner.run_streamed(agent, "Magkano?", session=session)
            async for _ in streamed.stream_events():
                pass
        return list(await session.get_items())

    kinds = [item.get("type", item.get("role")) for item in asyncio.run(talk())]
    assert kinds == ["user", "function_call", "function_call_output", "message"]
    [turn] = gunita.sessions.get_session_history(session.conversation_id)
    assert turn.response_text == "Ang sagot: ₱40,000 papuntang Paris"
