"""An OpenAI Agents bot that goes on where it left off, with any model that speaks OpenAI's protocol.

OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_API_KEY=none python examples/agents_bot.py juan "Sino ako?"
"""

from __future__ import annotations

import asyncio
import os
import sys

from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

from gunita import Gunita
from gunita.adapters.openai_agents import GunitaSession


@function_tool
def fare(city: str) -> str:
    """Tell the fare to a city."""
    return f"₱40,000 to {city}"


async def answer(gunita: Gunita, user: str, question: str) -> str:
    set_tracing_disabled(True)  # Nothing of a conversation leaves for anybody but the model.
    async with AsyncOpenAI() as client:
        model = OpenAIChatCompletionsModel(os.environ.get("OPENAI_MODEL", "default"), client)
        agent = Agent(name="Bot", instructions="Be brief.", model=model, tools=[fare])
        result = await Runner.run(agent, question, session=GunitaSession("bot", gunita, user_id=user))
    return str(result.final_output)


if __name__ == "__main__":
    with Gunita.open() as opened:
        print(asyncio.run(answer(opened, sys.argv[1], sys.argv[2])))
