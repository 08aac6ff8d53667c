"""The same work through other libraries and through Gunita, each in its best plain configuration on a local file.

Every class fills a conversation, appends a turn (two messages) and reads the latest 20 turns (40 messages) as nearly as
its library allows; `reads` says what that really is, `promise` what a commit survives as the library opens its file.
Imports stand inside, because each peer lives in a virtual environment where the others' packages may be missing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar
from uuid import uuid4

from benchmarks.peers_mem0 import DIMENSIONS, local_memory

MESSAGES = 40
Exchange = tuple[str, str]


class Subject:
    """One library at work on one conversation."""

    title: ClassVar[str]
    reads: ClassVar[str]
    promise: ClassVar[str] = "power cut"

    def __init__(self, folder: Path) -> None:
        raise NotImplementedError

    async def start(self, said: Sequence[Exchange]) -> None:
        """Fill the conversation."""
        raise NotImplementedError


class _OfGunita(Subject):
    reads = "the latest 20 turns"
    durability: ClassVar[str]

    def __init__(self, folder: Path) -> None:
        from gunita import Gunita

        self._gunita = Gunita.open(folder / "gunita.db", sqlite_durability=self.durability)
        self._session = self._gunita.sessions.create_session("user")

    async def start(self, said: Sequence[Exchange]) -> None:
        for query, response in said:
            self.append(query, response)

    def append(self, query: str, response: str) -> object:
        return self._gunita.sessions.store_turn(self._session, "user", query, response)

    def read(self) -> object:
        return self._gunita.sessions.get_session_history(self._session, MESSAGES // 2)


class GunitaFull(_OfGunita):
    title, durability = "Gunita, full durability", "full"


class GunitaNormal(_OfGunita):
    title, durability, promise = "Gunita, normal durability", "normal", "killed process"


class GunitaAwaited(Subject):
    title = "Gunita, awaited, normal durability"
    reads = "the latest 20 turns"
    promise = "killed process"

    def __init__(self, folder: Path) -> None:
        self._path = folder / "gunita.db"

    async def start(self, said: Sequence[Exchange]) -> None:
        from gunita import AsyncGunita

        self._gunita = await AsyncGunita.open(self._path, sqlite_durability="normal")
        self._session = await self._gunita.sessions.create_session("user")
        for query, response in said:
            await self.append(query, response)

    async def append(self, query: str, response: str) -> object:
        return await self._gunita.sessions.store_turn(self._session, "user", query, response)

    async def read(self) -> object:
        return await self._gunita.sessions.get_session_history(self._session, MESSAGES // 2)


class Bare(Subject):
    """The least that the driver can be asked for: two small tables, no checks, no users, no tokens, plain rows back."""

    title = "sqlite3 by hand, bare tables, normal durability"
    reads = "the latest 20 turns, as tuples"
    promise = "killed process"

    def __init__(self, folder: Path) -> None:
        from benchmarks.by_hand_sqlite import SqliteBare

        self._bare, self._session = SqliteBare(folder / "bare.db"), uuid4()

    async def start(self, said: Sequence[Exchange]) -> None:
        for query, response in said:
            self.append(query, response)

    def append(self, query: str, response: str) -> object:
        return self._bare.append(self._session, "user", query, response)

    def read(self) -> object:
        return self._bare.latest(self._session, MESSAGES // 2)


def _items(said: Sequence[Exchange]) -> list[Any]:
    return [
        {"role": role, "content": text}
        for query, response in said
        for role, text in (("user", query), ("assistant", response))
    ]


class AgentsSqlite(Subject):
    title = "OpenAI Agents SQLiteSession"
    reads = "the latest 40 items, as dictionaries"

    def __init__(self, folder: Path) -> None:
        from agents import SQLiteSession

        self._session = SQLiteSession("conversation", folder / "agents.db")

    async def start(self, said: Sequence[Exchange]) -> None:
        # In parts, like the others: one commit of everything leaves a long log, and later flushes seem cheaper.
        for part in _parts(said):
            await self._session.add_items(_items(part))

    async def append(self, query: str, response: str) -> None:
        await self._session.add_items(_items([(query, response)]))

    async def read(self) -> object:
        return await self._session.get_items(limit=MESSAGES)


class AgentsSqlAlchemy(AgentsSqlite):
    title = "OpenAI Agents SQLAlchemySession"

    def __init__(self, folder: Path) -> None:
        from agents.extensions.memory import SQLAlchemySession

        address = f"sqlite+aiosqlite:///{folder / 'agents.db'}"
        self._session = SQLAlchemySession.from_url("conversation", url=address, create_tables=True)


class LangChainSql(Subject):
    title = "LangChain SQLChatMessageHistory"
    reads = "the whole conversation, cut to its last 40 messages"

    def __init__(self, folder: Path) -> None:
        from langchain_community.chat_message_histories import SQLChatMessageHistory
        from sqlalchemy import create_engine

        engine = create_engine(f"sqlite:///{folder / 'langchain.db'}")
        self._history = SQLChatMessageHistory("conversation", connection=engine)

    async def start(self, said: Sequence[Exchange]) -> None:
        for part in _parts(said):
            self._history.add_messages(_langchain(part))

    def append(self, query: str, response: str) -> None:
        self._history.add_messages(_langchain([(query, response)]))

    def read(self) -> object:
        return self._history.messages[-MESSAGES:]


def _langchain(said: Sequence[Exchange]) -> list[Any]:
    from langchain_core.messages import AIMessage, HumanMessage

    return [kind(text) for exchange in said for kind, text in zip((HumanMessage, AIMessage), exchange, strict=True)]


class LlamaIndexSql(Subject):
    title = "LlamaIndex SQLAlchemyChatStore"
    reads = "a count of all messages, then the last 40 by offset"

    def __init__(self, folder: Path) -> None:
        from llama_index.core.storage.chat_store.sql import SQLAlchemyChatStore

        address = f"sqlite+aiosqlite:///{folder / 'llamaindex.db'}"
        self._store = SQLAlchemyChatStore("messages", async_database_uri=address)

    async def start(self, said: Sequence[Exchange]) -> None:
        for part in _parts(said):
            await self._store.add_messages("conversation", self._messages(part))

    async def append(self, query: str, response: str) -> None:
        await self._store.add_messages("conversation", self._messages([(query, response)]))

    async def read(self) -> object:
        count = await self._store.count_messages("conversation")
        return await self._store.get_messages("conversation", limit=MESSAGES, offset=max(0, count - MESSAGES))

    @staticmethod
    def _messages(said: Sequence[Exchange]) -> list[Any]:
        from llama_index.core.llms import ChatMessage

        return [ChatMessage(**item) for item in _items(said)]


class LangGraphSqlite(Subject):
    title = "LangGraph SqliteSaver"
    reads = "the whole state, cut to its last 40 messages"

    def __init__(self, folder: Path) -> None:
        from langgraph.checkpoint.sqlite import SqliteSaver
        from langgraph.graph import END, START, StateGraph

        connection = sqlite3.connect(folder / "langgraph.db", check_same_thread=False)
        graph = StateGraph(self._state())
        graph.add_node("reply", lambda state: {})
        graph.add_edge(START, "reply")
        graph.add_edge("reply", END)
        self._graph = graph.compile(checkpointer=SqliteSaver(connection))
        self._where: Any = {"configurable": {"thread_id": "conversation"}}

    def _state(self) -> Any:
        from langgraph.graph import MessagesState

        return MessagesState

    async def start(self, said: Sequence[Exchange]) -> None:
        self._graph.update_state(self._where, {"messages": _langchain(said)}, as_node="reply")

    def append(self, query: str, response: str) -> None:
        self._graph.update_state(self._where, {"messages": _langchain([(query, response)])}, as_node="reply")

    def read(self) -> object:
        return self._graph.get_state(self._where).values["messages"][-MESSAGES:]


class LangGraphDelta(LangGraphSqlite):
    title = "LangGraph SqliteSaver, DeltaChannel (beta)"
    reads = "the whole state, replayed from its changes, cut to its last 40 messages"

    def _state(self) -> Any:
        from typing import Annotated

        from langgraph.channels import DeltaChannel
        from typing_extensions import TypedDict

        def joined(state: list[Any], writes: list[list[Any]]) -> list[Any]:
            return [*state, *(message for write in writes for message in write)]

        return TypedDict("State", {"messages": Annotated[list, DeltaChannel(joined)]})  # type: ignore[operator]


class Mem0(Subject):
    title = "mem0 add(infer=False), local qdrant"
    reads = "40 memories of the conversation, in no order; each message is also embedded (by a stub) and indexed"

    def __init__(self, folder: Path) -> None:
        self._memory = local_memory(folder, self)

    def embed(self, text: str, action: str = "add") -> list[float]:
        """Stand in for an embedding model that costs nothing."""
        return [((len(text) * 31 + place) % 97) / 97 for place in range(DIMENSIONS)]

    async def start(self, said: Sequence[Exchange]) -> None:
        """Fill the vector store directly; add() would take minutes."""
        for part in _parts(said):
            items = _items(part)
            payloads = [{"data": item["content"], "role": item["role"], "user_id": "user"} for item in items]
            vectors = [self.embed(item["content"]) for item in items]
            self._memory.vector_store.insert(vectors=vectors, payloads=payloads, ids=[str(uuid4()) for _ in items])

    def append(self, query: str, response: str) -> None:
        self._memory.add(_items([(query, response)]), user_id="user", infer=False)

    def read(self) -> object:
        return self._memory.get_all(filters={"user_id": "user"}, top_k=MESSAGES)


def _parts(said: Sequence[Exchange], size: int = 500) -> Iterator[Sequence[Exchange]]:
    for start in range(0, len(said), size):
        yield said[start : start + size]


OURS: dict[str, type[Subject]] = {each.__name__: each for each in (GunitaNormal, GunitaFull, GunitaAwaited)}
FLOOR: dict[str, type[Subject]] = {Bare.__name__: Bare}
PEERS: dict[str, type[Subject]] = {
    each.__name__: each
    for each in (AgentsSqlite, AgentsSqlAlchemy, LangChainSql, LlamaIndexSql, LangGraphSqlite, LangGraphDelta, Mem0)
}
EVERYONE = OURS | PEERS | FLOOR
