"""What `gunita chat` and `gunita ask` have in common: where the talk goes on, and how an answer is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, assert_never
from uuid import UUID

from gunita.app import Gunita
from gunita.chat.records import ChatEvent, ChatReply, Delta, Finished, Intent, Started
from gunita.cli.telling import err, say
from gunita.models import ANONYMOUS


@dataclass(frozen=True, slots=True)
class Place:
    """Where a talk goes on: a user's own view, and a conversation of theirs, or None for one that is to begin."""

    gunita: Gunita
    session_id: UUID | None


def place_of(gunita: Gunita, user: str | None, session: str | None, *, latest: bool) -> Place:
    """Find the conversation that is meant; one that is named is its own user's unless somebody is named too."""
    if session is not None:
        seen = gunita if user is None else gunita.scoped(gunita.scope.tenant_id, user)
        found = seen.conversations.get_conversation(session)
        return Place(gunita.scoped(gunita.scope.tenant_id, found.user_id), found.id)
    own = gunita.scoped(gunita.scope.tenant_id, user or ANONYMOUS)
    newest = own.conversations.list_conversations(limit=1, archived=False) if latest else []
    return Place(own, newest[0].id if newest else None)


def record_of(reply: ChatReply) -> dict[str, Any]:
    """Say a reply as the HTTP interface says it."""
    return {
        "query": reply.query,
        "message": reply.message,
        "data": list(reply.data),
        "intent": reply.intent.value,
        "confidence": round(reply.confidence, 4),
        "session_id": str(reply.session_id),
        "turn_number": reply.turn_number,
        "metadata": dict(reply.metadata),
        "error": reply.error,
    }


def speak(events: Iterator[ChatEvent]) -> ChatReply:
    """Tell an answer as it comes, behind the mark of what it points back at."""
    streamed = False
    # Whoever stops listening closes the stream, and what was said by then is kept.
    with closing(events):  # type: ignore[type-var]
        for event in events:
            match event:
                case Started():
                    if event.references:
                        say(mark(event.references, event.confidence), "cyan", to=err)
                case Delta():
                    streamed = True
                    say(event.text, end="")
                case Finished(reply):
                    say("" if streamed else reply.message)
                    tell_beside(reply)
                    return reply
                case _:
                    assert_never(event)
    raise AssertionError("a stream ends with its reply")


def tell_beside(reply: ChatReply) -> None:
    """Tell what goes with an answer: choices to pick from, and what went less well than it should."""
    if reply.intent is Intent.CLARIFICATION:
        for line in choice_lines(choices_of(reply)):
            say(line, "cyan")
    for warning in reply.metadata.get("warnings", ()):
        say(f"! {warning}", "yellow", to=err)
    if reply.error:
        say(f"! {reply.error}", "yellow", to=err)


def mark(references: Sequence[int], confidence: float) -> str:
    """Write which turns are pointed at, and how sure that is."""
    turns = "turn" if len(references) == 1 else "turns"
    return f"↩ {turns} {', '.join(map(str, references))} ({confidence:.0%})".replace("%", " %")


def choices_of(reply: ChatReply) -> list[Mapping[str, Any]]:
    return [item for item in reply.data if item.get("type") == "choice"]


def choice_lines(choices: Sequence[Mapping[str, Any]]) -> list[str]:
    return [
        f"  {place}. {choice['label']} · turn {choice['turn_number']}" for place, choice in enumerate(choices, start=1)
    ]


def picked(choices: Sequence[Mapping[str, Any]], typed: str) -> Mapping[str, Any] | None:
    """Find the choice whose number was typed."""
    number = typed.strip().rstrip(".)")
    place = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0
    return choices[place - 1] if 1 <= place <= len(choices) else None
