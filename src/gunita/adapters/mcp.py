"""MCP: a server that gives any client a memory, over stdio or streamable HTTP; unclear references are asked back.

python -m gunita.adapters.mcp --database chat.db --user juan
python -m gunita.adapters.mcp --database chat.db --user juan --http --port 8322
"""

# Annotations are read when a tool is registered, so they are not put off to strings here.
import argparse
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

try:
    from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult, MCPServer, Resolve
except ImportError as missing:
    raise ImportError("MCP is not installed; install it with: pip install 'gunita[mcp]'") from missing

from pydantic import BaseModel, Field, create_model

from gunita.adapters import naming
from gunita.app import Gunita
from gunita.language.clarification_records import Choice, Clarification
from gunita.models import ANONYMOUS, Hit, Memory, Message, Turn

Kind: TypeAlias = Literal["fact", "preference", "entity", "project", "decision"]
Here: TypeAlias = Context[Gunita]
LOOKED_AT = 1_000
"""Newest turns of a conversation in which the one that is meant is looked for."""

INSTRUCTIONS = """\
Gunita remembers conversations and lasting facts about one user. Store each exchange with store_turn. When the user \
points back ("the first one", "yung kanina"), ask what_is_meant before answering. Call remember for what should last."""


class Said(BaseModel):
    """A turn of a conversation."""

    conversation_id: str
    turn_number: int
    query: str
    response: str


class Found(BaseModel):
    """Something a search has found."""

    conversation_id: str
    turn_number: int
    text: str
    score: float


class Known(BaseModel):
    """A memory about the user."""

    memory_id: str
    memory_type: str
    category: str | None
    content: str
    pinned: bool


class Meant(BaseModel):
    """What a query points at; where that stayed unclear, the question to put to the user."""

    points_back: bool
    turns: list[Said]
    question: str | None = None


class WhichTurn(BaseModel):
    """The user's answer to the question which turn is meant."""

    turn: str = Field(description="The turn that is meant")


def begin_conversation(here: Here, title: str | None = None) -> str:
    """Begin a conversation and give its id."""
    return str(_gunita(here).conversations.create_conversation(title=title).id)


def store_turn(here: Here, conversation_id: str, query: str, response: str) -> Said:
    """Keep what the user asked and what was answered, as the next turn of a conversation."""
    return _said(_gunita(here).sessions.store_turn(conversation_id, None, query, response))


def read_history(here: Here, conversation_id: str, limit: int = 20) -> list[Said]:
    """Read the newest turns of a conversation, oldest of them first."""
    return [_said(turn) for turn in _gunita(here).sessions.get_session_history(conversation_id, limit)]


def search(here: Here, query: str, conversation_id: str | None = None, limit: int = 10) -> list[Found]:
    """Find what was said before, by words and by meaning, in one conversation or in all."""
    gunita = _gunita(here)
    gunita.search.index_pending()
    hits = gunita.search.search(query, conversation_id=conversation_id, limit=limit)
    return [_found(hit) for hit in hits]


def remember(here: Here, content: str, memory_type: Kind = "fact", category: str | None = None) -> Known:
    """Keep something lasting about the user."""
    return _known(_gunita(here).memories.create_memory(None, content, memory_type, category=category))


def memories(here: Here, query: str | None = None) -> list[Known]:
    """List what is known about the user: what matters to a query, or everything."""
    gunita = _gunita(here)
    found = gunita.memories.get_context_memories(None, query) if query else gunita.memories.get_memories()
    return [_known(memory) for memory in found]


def forget_memory(here: Here, memory_id: str) -> bool:
    """Delete a memory for good; tell whether there was one."""
    return _gunita(here).memories.delete_memory(memory_id)


def forget_conversation(here: Here, conversation_id: str) -> int:
    """Delete a conversation for good; tell how many turns went."""
    return _gunita(here).sessions.delete_session(conversation_id)


@dataclass(frozen=True, slots=True)
class Pointed:
    """What a query points at, and where that is unclear, the question that would settle it."""

    points_back: bool
    turns: tuple[Turn, ...] = ()
    asked: Clarification | None = None


def which_turn(here: Here, conversation_id: str, query: str) -> WhichTurn | Elicit[WhichTurn]:
    """Ask the user which turn a query means, where that is unclear and the client can ask."""
    asked = _pointed(_gunita(here), conversation_id, query).asked
    if asked is None or not asked.choices or not _can_ask(here):
        return WhichTurn(turn="")
    one_of_them: Any = Literal[tuple(map(_label, asked.choices))]
    offered = create_model("WhichTurn", __base__=WhichTurn, turn=(one_of_them, Field(title="Turn")))
    return Elicit(asked.question, offered)


def what_is_meant(
    here: Here,
    conversation_id: str,
    query: str,
    chosen: Annotated[ElicitationResult[WhichTurn], Resolve(which_turn)],
) -> Meant:
    """Say which earlier turns a query points at; where it is unclear, the user is asked."""
    pointed = _pointed(_gunita(here), conversation_id, query)
    turns, question = pointed.turns, None
    if pointed.asked is not None:
        picked = chosen.data.turn if isinstance(chosen, AcceptedElicitation) else ""
        turns = tuple(choice.turn for choice in pointed.asked.choices if _label(choice) == picked)
        question = None if turns else pointed.asked.question
    return Meant(points_back=pointed.points_back, turns=[_said(turn) for turn in turns], question=question)


TOOLS: Sequence[Callable[..., Any]] = (
    begin_conversation,
    store_turn,
    read_history,
    search,
    what_is_meant,
    remember,
    memories,
    forget_memory,
    forget_conversation,
)


def memory_server(gunita: Gunita, *, user_id: str | None = None, name: str = "gunita") -> MCPServer[Gunita]:
    """Make an MCP server over one user's memory; the caller opens the Gunita and closes it."""
    bound = gunita.scoped(gunita.scope.tenant_id, naming.owner(gunita, user_id))

    @asynccontextmanager
    async def lend(_: MCPServer[Gunita]) -> AsyncIterator[Gunita]:
        yield bound

    server = MCPServer(name, instructions=INSTRUCTIONS, lifespan=lend, log_level="WARNING")
    for tool in TOOLS:
        server.add_tool(tool)
    return server


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve one user's memory, to a client that started this process or over HTTP on this machine."""
    parser = argparse.ArgumentParser(prog="python -m gunita.adapters.mcp", description=__doc__)
    parser.add_argument("--database", help="a file or a postgresql:// address; what the environment says if left out")
    parser.add_argument("--tenant", help="the tenant whose user it is")
    parser.add_argument("--user", default=ANONYMOUS, help="whose memory it is")
    parser.add_argument("--http", action="store_true", help="listen on 127.0.0.1 instead of speaking over stdio")
    parser.add_argument("--port", type=int, default=8322)
    given = parser.parse_args(arguments)
    with Gunita.open(given.database) as gunita:
        server = memory_server(gunita.scoped(tenant_id=given.tenant), user_id=given.user)
        if given.http:
            server.run("streamable-http", host="127.0.0.1", port=given.port)
        else:
            server.run("stdio")


def _gunita(here: Here) -> Gunita:
    return here.request_context.lifespan_context


def _can_ask(here: Here) -> bool:
    capabilities = here.request_context.session.client_capabilities
    return capabilities is not None and capabilities.elicitation is not None


def _pointed(gunita: Gunita, conversation_id: str, query: str) -> Pointed:
    """Understand a query against the conversation it is said in; changes nothing, so it may be asked again."""
    turns = gunita.sessions.get_session_history(conversation_id, LOOKED_AT)
    intent = gunita.references.detect_reference(query, turns)
    if intent is None:
        return Pointed(points_back=False)
    resolution = gunita.references.resolve_reference(intent, turns)
    if gunita.clarifications.needs_clarification(query, resolution):
        return Pointed(points_back=True, asked=gunita.clarifications.ask(query, resolution, turns))
    matched = tuple(turn for turn, _ in resolution.matched_turns)
    best = () if resolution.best_match is None else (resolution.best_match,)
    return Pointed(points_back=True, turns=matched if resolution.points_at_several else best)


def _label(choice: Choice) -> str:
    return f"{choice.turn.turn_number}. {choice.label}"


def _said(turn: Turn) -> Said:
    return Said(
        conversation_id=str(turn.session_id),
        turn_number=turn.turn_number,
        query=turn.query_text,
        response=turn.response_text,
    )


def _known(memory: Memory) -> Known:
    return Known(
        memory_id=str(memory.id),
        memory_type=memory.memory_type.value,
        category=memory.category,
        content=memory.content,
        pinned=memory.pinned,
    )


def _found(hit: Hit) -> Found:
    assert isinstance(hit.found, Message), "messages were asked for"
    return Found(
        conversation_id=str(hit.found.conversation_id),
        turn_number=hit.found.turn_number,
        text=hit.found.content,
        score=hit.score,
    )


if __name__ == "__main__":
    main()
