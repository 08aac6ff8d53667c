"""How a framework's items lie in a message: its words are the content, and what they cannot say stands beside them.

A message's content is the words of its items, one after another. Its payload lists the items: how many characters of
the content are theirs, who wrote them, and their own form where words and role do not say it all. A message that is
one plain item needs no list, so what the chat itself has said reads like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gunita.models import JsonObject, Role

ITEMS = "items"
"""The key of the list in a message's payload."""
BETWEEN = "\n\n"
NOTHING_SAID = "…"
"""Stands for a message without a word, as one that only calls tools."""


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a framework's history: words that somebody said, or something that stands beside them."""

    text: str = ""
    role: Role | None = None
    """A user's words open a turn; everything else belongs to the turn that is open."""
    payload: JsonObject | None = None
    """The item as its framework writes it; None where role and text say it all."""


@dataclass(frozen=True, slots=True)
class Packed:
    """An item with its writer and with the words of it that can be kept as text."""

    item: Item
    writer: str
    words: str


@dataclass(frozen=True, slots=True)
class Row:
    """Items that lie in one message."""

    role: Role
    packed: tuple[Packed, ...]

    @property
    def content(self) -> str:
        return BETWEEN.join(packed.words for packed in self.packed if packed.words) or NOTHING_SAID

    def beside(self, others: JsonObject | None = None) -> JsonObject | None:
        """Give the payload of the message, with what else was in it."""
        kept = {key: value for key, value in (others or {}).items() if key != ITEMS}
        if len(self.packed) == 1 and _is_plain(self.packed[0]):
            return kept or None
        return {**kept, ITEMS: [_written(packed) for packed in self.packed]}


def pack(item: Item, writer: str) -> Packed:
    return Packed(item, writer, storable(item.text) if item.role is not None else "")


def rows_of(packed: Sequence[Packed], *, is_beginning: bool) -> list[Row]:
    """Lay items in messages: a user's words begin one, what follows lies in the answer behind it.

    What precedes the first words of a conversation, as a system prompt does, lies with them.
    """
    rows: list[Row] = []
    ahead: list[Packed] = []
    for one in packed:
        if one.item.role is Role.USER:
            rows.append(Row(Role.USER, (*ahead, one)))
            ahead = []
        elif is_beginning and not rows and one.item.role is None:
            ahead.append(one)
        elif rows and rows[-1].role is Role.ASSISTANT:
            rows[-1] = Row(Role.ASSISTANT, (*rows[-1].packed, one))
        else:
            rows.append(Row(Role.ASSISTANT, (*ahead, one)))
            ahead = []
    return [*rows, Row(Role.ASSISTANT, tuple(ahead))] if ahead else rows


def unpack(role: Role, content: str, beside: JsonObject | None) -> Row:
    """Find the items of a message; one that nobody laid there is a single plain item."""
    listed = (beside or {}).get(ITEMS)
    found = _read(role, content, listed) if isinstance(listed, list) else None
    return Row(role, found or (Packed(Item(content, role), "", content),))


def as_seen_by(writer: str, packed: Packed) -> Item | None:
    """Give an item to a framework: its own as it was, another's as its words, and none where it has no words."""
    if packed.item.payload is None or packed.writer == writer:
        return packed.item
    return Item(packed.words, packed.item.role) if packed.words else None


def storable(text: str) -> str:
    """Give a text as a database can keep it, or nothing if it is blank."""
    if not text or text.isspace():
        return ""
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


def _is_plain(packed: Packed) -> bool:
    return packed.item.payload is None and bool(packed.words) and packed.words == packed.item.text


def _written(packed: Packed) -> dict[str, Any]:
    entry: dict[str, Any] = {"chars": len(packed.words), "by": packed.writer}
    if packed.item.payload is not None:
        entry["payload"] = packed.item.payload
    elif packed.words != packed.item.text:
        entry["text"] = packed.item.text
    if packed.item.role is None:
        entry["apart"] = True
    return entry


def _read(role: Role, content: str, entries: Sequence[Any]) -> tuple[Packed, ...] | None:
    """Read the list beside a content; None where the two do not belong together."""
    found: list[Packed] = []
    place = 0
    for entry in entries:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("chars"), int):
            return None
        size = entry["chars"]
        words = content[place : place + size]
        if len(words) != size:
            return None
        place += size + len(BETWEEN) if size else 0
        speaker = None if entry.get("apart") else role
        item = Item(entry.get("text", words), speaker, entry.get("payload"))
        found.append(Packed(item, str(entry.get("by", "")), words))
    return tuple(found)
