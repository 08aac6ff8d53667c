"""Pydantic AI: a real agent with tools, whose history is kept and given back."""

from __future__ import annotations

import asyncio

from pydantic_ai import Agent, BinaryImage
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from gunita import Gunita
from gunita.adapters.pydantic_ai import GunitaHistory


def test_a_run_with_tools_comes_back_exactly(gunita: Gunita) -> None:
    agent = Agent(TestModel(custom_output_text="Mainit po."), system_prompt="Be brief.")

    @agent.tool_plain
    def weather(city: str) -> dict[str, object]:
        return {"city": city, "degrees": 34.5}

    history = GunitaHistory("s", gunita, user_id="juan")
    result = asyncio.run(agent.run("Kumusta ang panahon?"))
    history.add(result.new_messages())
    assert history.messages() == result.new_messages()
    assert len(history.messages()) == 4
    [turn] = gunita.sessions.get_session_history(history.conversation_id)
    assert (turn.query_text, turn.response_text) == ("Kumusta ang panahon?", "Mainit po.")


def test_an_agent_goes_on_where_it_left_off(gunita: Gunita) -> None:
    heard: list[list[ModelMessage]] = []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        heard.append(list(messages))
        return ModelResponse([TextPart(f"answer {len(heard)}")])

    async def talk() -> None:
        agent = Agent(FunctionModel(answer))
        for question in ("Ako si Juan.", "Sino ako?"):
            history = GunitaHistory("s", gunita)
            result = await agent.run(question, message_history=await history.load())
            await history.save(result.new_messages())

    asyncio.run(talk())
    assert len(heard[-1]) == 3
    assert len(GunitaHistory("s", gunita).messages()) == 4


def test_a_limit_never_parts_a_call_from_its_result(gunita: Gunita) -> None:
    agent = Agent(TestModel())

    @agent.tool_plain
    def look() -> str:
        return "pusa"

    history = GunitaHistory("s", gunita)
    history.add(asyncio.run(agent.run("Ano ito?")).new_messages())
    history.add(asyncio.run(agent.run("At ito?")).new_messages())
    assert history.messages(limit=6) == history.messages()[4:]
    assert history.messages(limit=2) == []


def test_pictures_and_words_are_kept_together(gunita: Gunita) -> None:
    prompt = UserPromptPart(["Ano ito?", BinaryImage(b"\x89PNG\0\xff", media_type="image/png")])
    said: list[ModelMessage] = [ModelRequest([prompt]), ModelResponse([TextPart("Pusa.")])]
    history = GunitaHistory("s", gunita)
    history.add(said)
    assert history.messages() == said
    assert gunita.sessions.get_session_history(history.conversation_id)[0].query_text == "Ano ito?"
