"""Finds conversations for a search box: by their titles, as they are typed, and by what was said in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from gunita.language.words import fold
from gunita.models import Conversation, FoundConversation, Hit, Message
from gunita.recall.snippets import CLOSE, OPEN
from gunita.services.access import Access
from gunita.services.search import SearchService
from gunita.store import conversations

TITLES_READ = 2_000
"""The newest conversations whose titles are looked at."""
CONVERSATIONS_FOUND = 100
"""The most that are found by what was said in them."""


def find_conversations(
    door: Access, search: SearchService, query: str, user_id: str | None, archived: bool | None
) -> list[FoundConversation]:
    """Find conversations, best first: whole titles before parts of them, and those before what was said."""
    listed = conversations.recent(door.db, user_id, limit=TITLES_READ, archived=archived)
    by_title = [found for conversation in listed if (found := by_its_title(conversation, query))]
    said = search.best_of_each_conversation(query, user_id=user_id, limit=CONVERSATIONS_FOUND)
    known = {conversation.id: conversation for conversation in listed}
    return together(by_title, _with_conversations(door, said, known, archived))


def by_its_title(conversation: Conversation, query: str) -> FoundConversation | None:
    """Match a title that holds every word of a query, where the last may be half typed."""
    words = fold(query).split()
    title = conversation.title or ""
    folded = fold(title)
    if not words or not all(word in folded for word in words):
        return None
    exact = len("".join(words)) / max(len(folded.replace(" ", "")), 1)
    return FoundConversation(conversation, round(0.5 + 0.5 * min(exact, 1.0), 4), marked(title, words), None)


def marked(title: str, words: Iterable[str]) -> str:
    """Mark where the words stand in a title; one whose folding moves its letters stays unmarked."""
    folded = fold(title)
    if len(folded) != len(title):
        return title
    held = [False] * len(title)
    for word in words:
        start = folded.find(word)
        while start >= 0:
            held[start : start + len(word)] = [True] * len(word)
            start = folded.find(word, start + 1)
    written = ""
    for place, letter in enumerate(title):
        before = place > 0 and held[place - 1]
        written += (OPEN if held[place] and not before else CLOSE if before and not held[place] else "") + letter
    return written + (CLOSE if held and held[-1] else "")


def together(titled: Sequence[FoundConversation], said: Sequence[FoundConversation]) -> list[FoundConversation]:
    """Put both findings into one order; a conversation found both ways points at what was said in it."""
    places = {found.conversation.id: found.turn_number for found in said}
    first = [replace(found, turn_number=places.get(found.conversation.id)) for found in titled]
    seen = {found.conversation.id for found in first}
    first.sort(key=lambda found: -found.score)
    return first + [found for found in said if found.conversation.id not in seen]


def _with_conversations(
    door: Access, hits: Sequence[Hit], known: dict[UUID, Conversation], archived: bool | None
) -> list[FoundConversation]:
    gathered = []
    for hit in hits:
        if isinstance(hit.found, Message):
            where = hit.found.conversation_id
            conversation = known.get(where) or conversations.get(door.db, where)
            if conversation is not None and archived in (None, conversation.archived):
                gathered.append(FoundConversation(conversation, hit.score, hit.snippet, hit.found.turn_number))
    return gathered
