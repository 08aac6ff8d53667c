"""MCP: the server over stdio, over HTTP and in process, in the protocol's present and former form."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult

from gunita import Gunita
from gunita.adapters.mcp import memory_server

MODES = ["auto", "legacy"]
TALK = [
    ("What is the visa fee for Japan?", "It is 3,000 pesos."),
    ("What is the visa fee for Korea?", "It is 2,500 pesos."),
    ("What should I cook tonight?", "Adobo."),
]


class Asked:
    """A client's user, who picks the choice that speaks of something, or refuses to."""

    def __init__(self, picks: str | None) -> None:
        self.picks = picks
        self.messages: list[str] = []

    async def __call__(self, context: Any, params: Any) -> ElicitResult:
        self.messages.append(params.message)
        if self.picks is None:
            return ElicitResult(action="decline")
        choices = params.requested_schema["properties"]["turn"]["enum"]
        return ElicitResult(action="accept", content={"turn": next(c for c in choices if self.picks in c)})


async def told(client: Client, name: str, **arguments: Any) -> Any:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result
    found = result.structured_content
    return found["result"] if found is not None and set(found) == {"result"} else found


async def conversation(client: Client) -> str:
    begun: str = await told(client, "begin_conversation", title="Visas")
    for query, response in TALK:
        await told(client, "store_turn", conversation_id=begun, query=query, response=response)
    return begun


async def walk_through(client: Client) -> None:
    """Store, search, remember, forget."""
    begun = await conversation(client)
    history = await told(client, "read_history", conversation_id=begun)
    assert [turn["turn_number"] for turn in history] == [1, 2, 3]
    found = await told(client, "search", query="visa fee for Korea", limit=2)
    assert "Korea" in found[0]["text"]
    known = await told(client, "remember", content="Lives in Davao", memory_type="fact", category="home")
    assert [m["content"] for m in await told(client, "memories")] == ["Lives in Davao"]
    assert [m["content"] for m in await told(client, "memories", query="where does he live")] == ["Lives in Davao"]
    assert await told(client, "forget_memory", memory_id=known["memory_id"]) is True
    assert await told(client, "memories") == []
    meant = await told(client, "what_is_meant", conversation_id=begun, query="tell me more about the first one")
    assert [turn["turn_number"] for turn in meant["turns"]] == [1]
    assert await told(client, "forget_conversation", conversation_id=begun) == 3


@pytest.mark.parametrize("mode", MODES)
def test_a_client_stores_searches_remembers_and_forgets(gunita: Gunita, mode: Any) -> None:
    async def talk() -> None:
        async with Client(memory_server(gunita, user_id="juan"), mode=mode) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert {"store_turn", "search", "remember", "forget_memory", "what_is_meant"} <= names
            await walk_through(client)

    asyncio.run(talk())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("picks", "turns"), [("Korea", [2]), ("Japan", [1]), (None, [])])
def test_an_unclear_reference_is_asked_back(gunita: Gunita, mode: Any, picks: str | None, turns: list[int]) -> None:
    user = Asked(picks)

    async def talk() -> Any:
        server = memory_server(gunita, user_id="juan")
        async with Client(server, mode=mode, elicitation_callback=user) as client:
            begun = await conversation(client)
            return await told(
                client, "what_is_meant", conversation_id=begun, query="go back to the one about the visa fee"
            )

    meant = asyncio.run(talk())
    assert len(user.messages) == 1
    assert [turn["turn_number"] for turn in meant["turns"]] == turns
    assert (meant["question"] is None) == bool(turns)


def test_a_client_that_cannot_ask_is_told_the_question(gunita: Gunita) -> None:
    async def talk() -> Any:
        async with Client(memory_server(gunita)) as client:
            begun = await conversation(client)
            return await told(
                client, "what_is_meant", conversation_id=begun, query="go back to the one about the visa fee"
            )

    meant = asyncio.run(talk())
    assert meant["points_back"]
    assert meant["turns"] == []
    assert "Japan" in meant["question"]


def test_one_users_server_reaches_nobody_else(gunita: Gunita) -> None:
    secret = gunita.sessions.create_session("maria")
    gunita.sessions.store_turn(secret, "maria", "My PIN?", "1234")
    memory = gunita.memories.create_memory("maria", "Owes 500 pesos")

    async def talk() -> None:
        async with Client(memory_server(gunita, user_id="juan")) as client:
            assert await told(client, "read_history", conversation_id=str(secret)) == []
            assert await told(client, "search", query="PIN") == []
            assert await told(client, "memories") == []
            assert await told(client, "forget_memory", memory_id=str(memory.id)) is False
            assert await told(client, "forget_conversation", conversation_id=str(secret)) == 0
            intrusion = {"conversation_id": str(secret), "query": "a", "response": "b"}
            assert (await client.call_tool("store_turn", intrusion)).is_error

    asyncio.run(talk())
    assert len(gunita.sessions.get_session_history(secret)) == 1


def test_it_speaks_over_stdio(tmp_path: Path) -> None:
    database = str(tmp_path / "chat.db")
    arguments = ["-m", "gunita.adapters.mcp", "--database", database, "--tenant", "shop", "--user", "juan"]

    async def talk() -> None:
        async with Client(StdioServerParameters(command=sys.executable, args=arguments, env={**os.environ})) as client:
            await walk_through(client)
            await told(client, "remember", content="Sells rice")

    asyncio.run(talk())
    with Gunita.open(database) as gunita:
        assert [memory.content for memory in gunita.scoped("shop", "juan").memories.get_memories()] == ["Sells rice"]
        assert gunita.memories.get_memories("juan") == []


def test_it_speaks_over_http(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunita.adapters.mcp", "--database", str(tmp_path / "chat.db")]
    with subprocess.Popen([*command, "--http", "--port", str(port)]) as server:
        try:
            wait_for(port, server)
            asyncio.run(over_http(f"http://127.0.0.1:{port}/mcp"))
            with socket.socket() as elsewhere:  # another address of this machine
                assert elsewhere.connect_ex(("127.0.0.2", port)) != 0
        finally:
            server.terminate()


async def over_http(address: str) -> None:
    user = Asked("Korea")
    async with Client(address, elicitation_callback=user) as client:
        await walk_through(client)
        begun = await conversation(client)
        query = "go back to the one about the visa fee"
        meant = await told(client, "what_is_meant", conversation_id=begun, query=query)
        assert [turn["turn_number"] for turn in meant["turns"]] == [2]


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    while server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server ended before it listened")
