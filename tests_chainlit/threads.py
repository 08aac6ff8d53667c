"""Chainlit spoken to through its own calls: messages sent in a session, threads read as its page reads them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

import chainlit
import chainlit.data
from chainlit.context import init_http_context
from chainlit.types import Pagination, ThreadFilter
from chainlit.user import PersistedUser

from gunita import Gunita
from gunita.adapters.chainlit import GunitaDataLayer
from gunita.adapters.naming import conversation_of
from tests_adapters.speaking import Exchange


def keep_in(layer: GunitaDataLayer) -> None:
    """Have Chainlit keep everything in a data layer, as `@chainlit.data_layer` would; it has one for all sessions."""
    chainlit.data._data_layer, chainlit.data._data_layer_initialized = layer, True


async def settled() -> None:
    """Wait for what Chainlit began and did not wait for."""
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.gather(*others)


def inside(layer: GunitaDataLayer, thread_id: str, user: str | None, work: Coroutine[Any, Any, Any]) -> Any:
    """Do something in a session of Chainlit's, and wait until all of it is kept."""

    async def run() -> Any:
        known = None if user is None else await layer.create_user(chainlit.User(identifier=user))
        assert known is None or isinstance(known, PersistedUser)
        init_http_context(thread_id=thread_id, user=known)
        result = await work
        await settled()
        return result

    keep_in(layer)
    return asyncio.run(run())


async def send(said: Sequence[Exchange]) -> None:
    for query, response in said:
        asked = await chainlit.Message(query, type="user_message", author="juan").send()
        await chainlit.Message(response, parent_id=asked.id).send()


def listed(layer: GunitaDataLayer, user: str, *, first: int = 20, **wanted: Any) -> Any:
    cursor = wanted.pop("cursor", None)
    return asyncio.run(layer.list_threads(Pagination(first=first, cursor=cursor), ThreadFilter(userId=user, **wanted)))


class OverChainlit:
    def __init__(self, gunita: Gunita, session: str, user: str) -> None:
        self.layer = GunitaDataLayer(gunita)
        self.thread_id = str(conversation_of(user, session))
        self.user = user

    def say(self, said: Sequence[Exchange]) -> None:
        inside(self.layer, self.thread_id, self.user, send(said))

    def heard(self) -> list[Exchange]:
        """Put each answer with what it answers: Chainlit keeps steps one at a time, whoever else writes meanwhile."""
        thread = asyncio.run(self.layer.get_thread(self.thread_id))
        steps: list[Any] = thread["steps"] if thread else []
        answers = {step["parentId"]: step["output"] for step in steps if step["type"] == "assistant_message"}
        return [(step["output"], answers[step["id"]]) for step in steps if step["type"] == "user_message"]

    def clear(self) -> None:
        asyncio.run(self.layer.delete_thread(self.thread_id))
