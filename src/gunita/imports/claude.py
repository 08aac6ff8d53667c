"""Conversations as Claude exports them: a list of messages that need not stand in order, and may have branches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from gunita.imports.beside import Gathering
from gunita.imports.records import OddRecordError, Talk
from gunita.imports.shapes import identity, mapping, moment_or_none, sequence, text_or_none
from gunita.models import Role

SOURCE = "claude"
_SPEAKERS = {"human": Role.USER, "assistant": Role.ASSISTANT}
_TOOLS = {"tool_use", "tool_result"}
_NO_TIME = datetime(1, 1, 1, tzinfo=UTC)


def recognises(record: Any) -> bool:
    return isinstance(record, dict) and isinstance(record.get("chat_messages"), list)


def read(record: dict[str, Any]) -> Talk:
    messages = in_order([mapping(each) for each in record["chat_messages"]], record.get("current_leaf_message_uuid"))
    begun = moment_or_none(record.get("created_at")) or next(filter(None, map(_time, messages)), None)
    if begun is None:
        raise OddRecordError("the conversation has no date")
    gathering = Gathering(SOURCE, begun)
    for message in messages:
        _take(gathering, message)
    return Talk(
        source=SOURCE,
        source_id=identity(record.get("uuid"), "the conversation"),
        title=text_or_none(record.get("name")),
        created_at=begun,
        said=gathering.finished(),
        pinned=record.get("is_starred") is True,
    )


def in_order(messages: list[dict[str, Any]], leaf: Any = None) -> list[dict[str, Any]]:
    """Follow the branch that was last seen; without branches go by index, else by time, the question first."""
    by_id = {name: message for message in messages if (name := text_or_none(message.get("uuid")))}
    if any(_parent(message) in by_id for message in messages):
        return _branch(messages, by_id, leaf)
    if messages and all(isinstance(message.get("index"), int) for message in messages):
        return sorted(messages, key=lambda message: int(message["index"]))
    return sorted(messages, key=_by_time)


def _branch(messages: Sequence[dict[str, Any]], by_id: dict[str, dict[str, Any]], leaf: Any) -> list[dict[str, Any]]:
    parents = {_parent(message) for message in messages}
    leaves = [name for name in by_id if name not in parents]
    at = text_or_none(leaf)
    at = at if at in by_id else max(leaves or by_id, key=lambda name: _by_time(by_id[name]))
    path: list[dict[str, Any]] = []
    while at in by_id:
        path.append(by_id.pop(at))
        at = _parent(path[-1])
    path.reverse()
    return path


def _parent(message: dict[str, Any]) -> str | None:
    return text_or_none(message.get("parent_message_uuid"))


def _by_time(message: dict[str, Any]) -> tuple[datetime, bool]:
    return _time(message) or _NO_TIME, message.get("sender") != "human"


def _time(message: dict[str, Any]) -> datetime | None:
    return moment_or_none(message.get("created_at"))


def _take(gathering: Gathering, message: dict[str, Any]) -> None:
    role = _SPEAKERS.get(text_or_none(message.get("sender")) or "")
    if role is None:
        raise OddRecordError(f"a message has the unknown sender {message.get('sender')!r}")
    blocks = [mapping(block) for block in sequence(message.get("content"))]
    words = [block["text"] for block in blocks if text_or_none(block.get("text"))]
    tools = [block for block in blocks if text_or_none(block.get("type")) in _TOOLS]
    for block in blocks:
        if block not in tools and not text_or_none(block.get("text")):
            gathering.beside(block)
    attached = [mapping(each) for field in ("attachments", "files") for each in sequence(message.get(field))]
    gathering.spoken(
        identity(message.get("uuid"), "a message"),
        role,
        "\n\n".join(words) or (text_or_none(message.get("text")) or ""),
        _time(message),
        attached,
        {},
        tools,
    )
