"""Conversations as ChatGPT exports them: a tree of messages, of which the path to the current one was last seen."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from gunita.imports.beside import Gathering
from gunita.imports.records import OddRecordError, Talk
from gunita.imports.shapes import identity, mapping, moment_or_none, sequence, text_or_none
from gunita.models import Role

SOURCE = "chatgpt"
_SPEAKERS = {"user": Role.USER, "assistant": Role.ASSISTANT}
_SPOKEN = {"text", "multimodal_text", "code"}
"""The kinds of content that are words of the conversation; the rest is what tools and settings said beside it."""
_WORDS = {"content_type", "parts", "text", "result"}
"""Where a content tells its kind and its words; whatever else it holds is kept as it stands."""
_SOURCES = ("content_references", "citations")
_CITED = re.compile("\ue200(?:cite|filecite|navlist)\ue202[^\ue201]*\ue201")
"""What an answer has where the screen showed a source: a few letters between signs that no font has."""


def recognises(record: Any) -> bool:
    return isinstance(record, dict) and isinstance(record.get("mapping"), dict)


def read(record: dict[str, Any]) -> Talk:
    nodes = mapping(record["mapping"])
    begun = moment_or_none(record.get("create_time")) or _first_time(nodes)
    if begun is None:
        raise OddRecordError("the conversation has no date")
    gathering = Gathering(SOURCE, begun)
    for node in _path(nodes, record.get("current_node")):
        _take(gathering, mapping(node.get("message")))
    return Talk(
        source=SOURCE,
        source_id=identity(record.get("conversation_id") or record.get("id"), "the conversation"),
        title=text_or_none(record.get("title")),
        created_at=begun,
        said=gathering.finished(),
        archived=record.get("is_archived") is True,
        pinned=record.get("is_starred") is True or moment_or_none(record.get("pinned_time")) is not None,
    )


def _path(nodes: dict[str, Any], current: Any) -> list[dict[str, Any]]:
    """Walk from the current message back to the first; a tree without one ends at its newest leaf."""
    at = text_or_none(current)
    at = at if at in nodes else _newest_leaf(nodes)
    path: list[dict[str, Any]] = []
    walked: set[str] = set()
    while at in nodes and at not in walked:
        walked.add(at)
        path.append(mapping(nodes[at]))
        at = text_or_none(path[-1].get("parent"))
    path.reverse()
    return path


def _newest_leaf(nodes: dict[str, Any]) -> str | None:
    leaves = [name for name, node in nodes.items() if not sequence(mapping(node).get("children"))]
    return max(leaves, key=lambda name: _seconds(nodes[name]), default=None)


def _first_time(nodes: dict[str, Any]) -> datetime | None:
    times = (moment_or_none(mapping(mapping(node).get("message")).get("create_time")) for node in nodes.values())
    return min((time for time in times if time), default=None)


def _seconds(node: Any) -> float:
    time = moment_or_none(mapping(mapping(node).get("message")).get("create_time"))
    return time.timestamp() if time else 0.0


def _take(gathering: Gathering, message: dict[str, Any]) -> None:
    if not message:
        return
    content, metadata, author = (mapping(message.get(field)) for field in ("content", "metadata", "author"))
    role, kind = _SPEAKERS.get(text_or_none(author.get("role")) or ""), text_or_none(content.get("content_type"))
    text, attached = _parts(content)
    attached += [mapping(each) for each in sequence(metadata.get("attachments"))]
    if role is None or kind not in _SPOKEN or _is_unseen(message, metadata):
        gathering.beside(_aside(message, author, content, text, attached))
        return
    if sources := {name: metadata[name] for name in _SOURCES if metadata.get(name)}:
        gathering.beside({"id": message.get("id"), **sources})
    gathering.spoken(
        identity(message.get("id"), "a message"),
        role,
        f"```{content.get('language') or ''}\n{text}\n```" if kind == "code" else _as_shown(text, metadata),
        moment_or_none(message.get("create_time")),
        attached,
        {"model": metadata["model_slug"]} if text_or_none(metadata.get("model_slug")) else {},
    )


def _is_unseen(message: dict[str, Any], metadata: dict[str, Any]) -> bool:
    """Tell whether the screen never showed a message: hidden, thought, or said to a tool."""
    hidden = metadata.get("is_visually_hidden_from_conversation") is True or message.get("weight") == 0
    return hidden or message.get("channel") == "analysis" or message.get("recipient") not in (None, "all")


def _as_shown(text: str, metadata: dict[str, Any]) -> str:
    """Put what the screen showed in the place of marks that point at sources."""
    for reference in map(mapping, sequence(metadata.get("content_references"))):
        mark, shown = text_or_none(reference.get("matched_text")), text_or_none(reference.get("alt"))
        text = text.replace(mark, shown) if mark and shown else text
    return _CITED.sub("", text)


def _parts(content: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    """Tell the words of a message from what was attached to it."""
    words, attached = [], []
    for part in sequence(content.get("parts")):
        if isinstance(part, str):
            words.append(part)
        elif said := text_or_none(mapping(part).get("text")):
            words.append(said)
        elif isinstance(part, dict):
            attached.append(part)
    words += [content[field] for field in ("text", "result") if text_or_none(content.get(field))]
    return "\n".join(word for word in words if word.strip()), attached


def _aside(
    message: dict[str, Any], author: dict[str, Any], content: dict[str, Any], text: str, attached: list[dict[str, Any]]
) -> dict[str, Any]:
    """Keep what was said to, by or about a tool, thoughts, and the settings in force; nothing of what says nothing."""
    more = {name: value for name, value in content.items() if value and name not in _WORDS}
    if not (text or attached or more or message.get("recipient") not in (None, "all")):
        return {}
    kept = {
        "id": message.get("id"),
        "role": author.get("role"),
        "name": author.get("name"),
        "recipient": message.get("recipient"),
        "type": content.get("content_type"),
        "text": text or None,
        "attachments": attached or None,
        "content": more or None,
    }
    return {name: value for name, value in kept.items() if value not in (None, "all")}
