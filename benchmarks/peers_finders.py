"""Other libraries at finding and forgetting, each in its best plain configuration on local files, and Gunita beside.

Every class keeps messages of users, finds those of one user by meaning, and forgets a user. All are given the same
vectors, made by Gunita's encoder beforehand, so that what differs is the library. Imports stand inside, because the
peers live in a virtual environment of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from benchmarks.peers_mem0 import DIMENSIONS, local_memory

Vectors = Mapping[str, Sequence[float]]


class Message(NamedTuple):
    id: str
    role: str
    text: str


class Finder:
    """One library with what several users said."""

    title: ClassVar[str]
    package: ClassVar[str]
    module: ClassVar[str]
    isolation: ClassVar[str]
    """What keeps one user's data from another, in the library's own terms."""

    def __init__(self, folder: Path, vectors: Vectors) -> None:
        raise NotImplementedError

    def keep(self, user: str, said: Sequence[Message]) -> None:
        raise NotImplementedError

    def find(self, user: str, query: str, limit: int) -> list[str]:
        """Give the ids of a user's messages, best first."""
        raise NotImplementedError

    def forget(self, user: str) -> None:
        raise NotImplementedError

    def say(self, user: str, text: str) -> None:
        """Keep one thing that is said, in the way that is meant for bad times where there is one."""
        self.keep(user, [Message("said", "user", text)])

    def holds(self, user: str, text: str) -> bool:
        """Tell whether that was kept."""
        return "said" in self.find(user, text, 50)


class Mem0(Finder):
    title, package, module = "mem0, infer off, local qdrant", "mem0ai", "mem0"
    isolation = "a filter that the caller adds to each call; deleting by id asks for no user"

    def __init__(self, folder: Path, vectors: Vectors) -> None:
        self._vectors = vectors
        self._memory = local_memory(folder, self)

    def embed(self, text: str, action: str = "add") -> list[float]:
        return list(self._vectors[text])

    def embed_batch(self, texts: Sequence[str], action: str = "add") -> list[list[float]]:
        return [self.embed(text) for text in texts]

    def keep(self, user: str, said: Sequence[Message]) -> None:
        for one in said:
            item = [{"role": one.role, "content": one.text}]
            self._memory.add(item, user_id=user, infer=False, metadata={"source": one.id})

    def find(self, user: str, query: str, limit: int) -> list[str]:
        found = self._memory.search(query, filters={"user_id": user}, top_k=limit, threshold=0.0)
        return [hit["metadata"]["source"] for hit in found["results"]]

    def forget(self, user: str) -> None:
        self._memory.delete_all(user_id=user)


class LangGraphStore(Finder):
    """In memory: its store on SQLite loads an extension for vectors, which many builds of Python do not allow."""

    title, package, module = "LangGraph InMemoryStore", "langgraph", "langgraph.store.memory"
    isolation = "a namespace that the caller names in each call"

    def __init__(self, folder: Path, vectors: Vectors) -> None:
        from langgraph.store.memory import InMemoryStore

        def embed(texts: Sequence[str]) -> list[list[float]]:
            return [list(vectors[text]) for text in texts]

        self._store = InMemoryStore(index={"dims": DIMENSIONS, "embed": embed, "fields": ["text"]})

    def keep(self, user: str, said: Sequence[Message]) -> None:
        for one in said:
            self._store.put((user,), one.id, {"text": one.text, "role": one.role})

    def find(self, user: str, query: str, limit: int) -> list[str]:
        return [hit.key for hit in self._store.search((user,), query=query, limit=limit)]

    def forget(self, user: str) -> None:
        while found := self._store.search((user,), limit=100):
            for item in found:
                self._store.delete((user,), item.key)


class LangChainVectors(Finder):
    title, package, module = "LangChain InMemoryVectorStore", "langchain-core", "langchain_core.vectorstores"
    isolation = "a filter that the caller adds to each call"

    def __init__(self, folder: Path, vectors: Vectors) -> None:
        from langchain_core.embeddings import Embeddings
        from langchain_core.vectorstores import InMemoryVectorStore

        class Given(Embeddings):  # type: ignore[misc, unused-ignore]
            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                return [list(vectors[text]) for text in texts]

            def embed_query(self, text: str) -> list[float]:
                return list(vectors[text])

        self._file = folder / "vectors.json"
        self._store = InMemoryVectorStore(Given())

    def keep(self, user: str, said: Sequence[Message]) -> None:
        self._store.add_texts([one.text for one in said], [{"user": user} for _ in said], ids=[one.id for one in said])

    def find(self, user: str, query: str, limit: int) -> list[str]:
        found = self._store.similarity_search(query, k=limit, filter=lambda document: document.metadata["user"] == user)
        return [str(document.id) for document in found]

    def forget(self, user: str) -> None:
        held = self._store.store
        self._store.delete([id_ for id_, kept in held.items() if kept["metadata"]["user"] == user])


class LlamaIndexVectors(Finder):
    title, package, module = "LlamaIndex VectorStoreIndex", "llama-index-core", "llama_index.core"
    isolation = "a metadata filter that the caller adds to each call"

    def __init__(self, folder: Path, vectors: Vectors) -> None:
        from llama_index.core import VectorStoreIndex
        from llama_index.core.embeddings import MockEmbedding

        self._vectors = vectors
        self._index = VectorStoreIndex(nodes=[], embed_model=MockEmbedding(embed_dim=DIMENSIONS))
        self._kept: dict[str, list[str]] = {}

    def keep(self, user: str, said: Sequence[Message]) -> None:
        from llama_index.core.schema import TextNode

        self._kept.setdefault(user, []).extend(one.id for one in said)
        self._index.insert_nodes(
            [
                TextNode(id_=one.id, text=one.text, metadata={"user": user}, embedding=list(self._vectors[one.text]))
                for one in said
            ]
        )

    def find(self, user: str, query: str, limit: int) -> list[str]:
        from llama_index.core.schema import QueryBundle
        from llama_index.core.vector_stores import ExactMatchFilter, MetadataFilters

        filters = MetadataFilters(filters=[ExactMatchFilter(key="user", value=user)])
        retriever = self._index.as_retriever(similarity_top_k=limit, filters=filters)
        found = retriever.retrieve(QueryBundle(query, embedding=list(self._vectors[query])))
        return [hit.node.node_id for hit in found]

    def forget(self, user: str) -> None:
        self._index.delete_nodes(self._kept.pop(user, []), delete_from_docstore=True)


class AgentsSession(Finder):
    title, package, module = "OpenAI Agents SQLiteSession", "openai-agents", "agents"
    isolation = "none: whoever names a session has it"

    def __init__(self, folder: Path, vectors: Vectors) -> None:
        self._file = folder / "agents.db"

    def _session(self, user: str) -> Any:
        from agents import SQLiteSession

        return SQLiteSession(user, self._file)

    def keep(self, user: str, said: Sequence[Message]) -> None:
        items: list[Any] = [{"role": one.role, "content": one.text} for one in said]
        asyncio.run(self._session(user).add_items(items))

    def find(self, user: str, query: str, limit: int) -> list[str]:
        raise NotImplementedError("it has no search")

    def forget(self, user: str) -> None:
        asyncio.run(self._session(user).clear_session())

    def holds(self, user: str, text: str) -> bool:
        return any(item.get("content") == text for item in asyncio.run(self._session(user).get_items()))


class OfGunita(Finder):
    title, package, module = "Gunita", "gunita", "gunita"
    isolation = "a scope made once from the credentials, in every statement; PostgreSQL checks again"

    def __init__(self, folder: Path, vectors: Vectors) -> None:
        from gunita import Gunita

        self._gunita = Gunita.open(folder / "gunita.db")
        self._ids: dict[Any, str] = {}

    def keep(self, user: str, said: Sequence[Message]) -> None:
        scoped = self._gunita.scoped(user_id=user)
        conversation = scoped.conversations.create_conversation()
        for one in said:
            self._ids[scoped.conversations.add_message(conversation.id, one.role, one.text).id] = one.id
        while scoped.search.index_pending(200):
            pass

    def find(self, user: str, query: str, limit: int) -> list[str]:
        found = self._gunita.scoped(user_id=user).search.search(query, limit=limit)
        return [self._ids[hit.found.id] for hit in found]

    def forget(self, user: str) -> None:
        self._gunita.deletion.delete_user(user)

    def say(self, user: str, text: str) -> None:
        from gunita.chat.records import ChatRequest

        self._gunita.scoped(user_id=user).chat.from_memory(ChatRequest(text))

    def holds(self, user: str, text: str) -> bool:
        said = self._gunita.scoped(user_id=user).messages.get_recent_messages(user, 10)
        return any(message.content == text for message in said)


FINDERS: dict[str, type[Finder]] = {
    each.__name__: each for each in (OfGunita, Mem0, LangGraphStore, LlamaIndexVectors, LangChainVectors, AgentsSession)
}
