"""Every adapter spoken to in one way, through its framework's own calls: exchanges said, and heard again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents import Session
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.store.base import BaseStore
from llama_index.core.llms import ChatMessage
from llama_index.core.memory import BaseMemory
from llama_index.core.storage.chat_store import BaseChatStore
from mcp import Client
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

from gunita import Gunita, ids
from gunita.adapters.langchain import GunitaChatMessageHistory
from gunita.adapters.langgraph import GunitaStore
from gunita.adapters.llamaindex import GunitaChatStore, GunitaMemory
from gunita.adapters.mcp import memory_server
from gunita.adapters.naming import conversation_of
from gunita.adapters.openai_agents import GunitaSession
from gunita.adapters.pydantic_ai import GunitaHistory
from tests_adapters.speaking import ROLES, Adapter, Exchange, pairs, run


class OverAgents:
    def __init__(self, gunita: Gunita, session: str, user: str) -> None:
        self.session: Session = GunitaSession(session, gunita, user_id=user)
        assert isinstance(self.session, Session)

    def say(self, said: Sequence[Exchange]) -> None:
        items: list[Any] = []
        for query, response in said:
            content = [{"type": "output_text", "text": response, "annotations": []}]
            items.append({"role": "user", "content": query})
            items.append({"type": "message", "role": "assistant", "id": "m", "status": "completed", "content": content})
        run(self.session.add_items(items))

    def heard(self) -> list[Exchange]:
        items: list[Any] = run(self.session.get_items())
        return pairs([i["content"] if isinstance(i["content"], str) else i["content"][0]["text"] for i in items])

    def clear(self) -> None:
        run(self.session.clear_session())


class OverLangChain:
    def __init__(self, gunita: Gunita, session: str, user: str) -> None:
        self.history: BaseChatMessageHistory = GunitaChatMessageHistory(session, gunita, user_id=user)

    def say(self, said: Sequence[Exchange]) -> None:
        self.history.add_messages([made for q, r in said for made in (HumanMessage(q), AIMessage(r, id="run-1"))])

    def heard(self) -> list[Exchange]:
        assert [m.type for m in self.history.messages] == ["human", "ai"] * (len(self.history.messages) // 2)
        return pairs([str(message.content) for message in self.history.messages])

    def clear(self) -> None:
        self.history.clear()


class OverLangChainAwaited(OverLangChain):
    def say(self, said: Sequence[Exchange]) -> None:
        run(self.history.aadd_messages([made for q, r in said for made in (HumanMessage(q), AIMessage(r))]))

    def heard(self) -> list[Exchange]:
        return pairs([str(message.content) for message in run(self.history.aget_messages())])

    def clear(self) -> None:
        run(self.history.aclear())


class OverLlamaStore:
    def __init__(self, gunita: Gunita, session: str, user: str) -> None:
        self.store: BaseChatStore = GunitaChatStore(gunita, user)
        self.key = session

    def say(self, said: Sequence[Exchange]) -> None:
        assert isinstance(self.store, GunitaChatStore)
        self.store.add_messages(self.key, chat_messages(said))

    def heard(self) -> list[Exchange]:
        return pairs([message.content or "" for message in self.store.get_messages(self.key)])

    def clear(self) -> None:
        self.store.delete_messages(self.key)


class OverLlamaMemory:
    def __init__(self, gunita: Gunita, session: str, user: str) -> None:
        self.memory: BaseMemory = GunitaMemory.from_defaults(gunita=gunita, session_id=session, user_id=user)

    def say(self, said: Sequence[Exchange]) -> None:
        run(self.memory.aput_messages(chat_messages(said)))

    def heard(self) -> list[Exchange]:
        return pairs([message.content or "" for message in run(self.memory.aget_all())])

    def clear(self) -> None:
        run(self.memory.areset())


def chat_messages(said: Sequence[Exchange]) -> list[ChatMessage]:
    return [ChatMessage(role=role, content=text) for pair in said for role, text in zip(ROLES, pair, strict=True)]


class OverPydanticAI:
    def __init__(self, gunita: Gunita, session: str, user: str) -> None:
        self.history = GunitaHistory(session, gunita, user_id=user)

    def say(self, said: Sequence[Exchange]) -> None:
        made = [(ModelRequest([UserPromptPart(q)]), ModelResponse([TextPart(r)])) for q, r in said]
        run(self.history.save([message for pair in made for message in pair]))

    def heard(self) -> list[Exchange]:
        found: list[Any] = run(self.history.load())
        return pairs([message.parts[0].content for message in found])

    def clear(self) -> None:
        self.history.clear()


class OverLangGraph:
    """A store knows no order of its own, so each exchange is put under a key that says when it was said."""

    def __init__(self, gunita: Gunita, session: str, user: str) -> None:
        self.store: BaseStore = GunitaStore(gunita)
        self.namespace = ("exchanges", user, session)

    def say(self, said: Sequence[Exchange]) -> None:
        for query, response in said:
            key = str(ids.new_id(ids.now()))
            self.store.put(self.namespace, key, {"query": query, "response": response}, index=False)

    def heard(self) -> list[Exchange]:
        found = self.store.search(self.namespace, limit=10_000)
        return [(item.value["query"], item.value["response"]) for item in sorted(found, key=lambda item: item.key)]

    def clear(self) -> None:
        for item in self.store.search(self.namespace, limit=10_000):
            self.store.delete(item.namespace, item.key)


class OverMCP:
    def __init__(self, gunita: Gunita, session: str, user: str) -> None:
        self.server = memory_server(gunita, user_id=user)
        self.conversation = str(conversation_of(user, session))

    def say(self, said: Sequence[Exchange]) -> None:
        run(self._say(said))

    def heard(self) -> list[Exchange]:
        found = run(self._call("read_history", limit=1_000))["result"]
        return [(turn["query"], turn["response"]) for turn in found]

    def clear(self) -> None:
        run(self._call("forget_conversation"))

    async def _say(self, said: Sequence[Exchange]) -> None:
        async with Client(self.server) as client:
            for query, response in said:
                arguments = {"conversation_id": self.conversation, "query": query, "response": response}
                result = await client.call_tool("store_turn", arguments)
                assert not result.is_error, result

    async def _call(self, name: str, **arguments: Any) -> Any:
        async with Client(self.server) as client:
            result = await client.call_tool(name, {"conversation_id": self.conversation, **arguments})
            assert not result.is_error, result
            return result.structured_content


ADAPTERS = [
    Adapter("openai-agents", OverAgents),
    Adapter("langchain", OverLangChain),
    Adapter("langchain-awaited", OverLangChainAwaited),
    Adapter("langgraph", OverLangGraph, keeps_turns=False),
    Adapter("llamaindex-store", OverLlamaStore),
    Adapter("llamaindex-memory", OverLlamaMemory),
    Adapter("mcp", OverMCP),
    Adapter("pydantic-ai", OverPydanticAI),
]
