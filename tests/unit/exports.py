"""Export files as other programs write them, made of what their formats are known to hold."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

BEGUN = 1_704_067_200.0


def chatgpt_message(name: str, role: str, *parts: Any, **fields: Any) -> dict[str, Any]:
    number = int("".join(filter(str.isdigit, name)) or 0)
    content = fields.pop("content", {"content_type": "text", "parts": list(parts)})
    return {
        "id": name,
        "author": {"role": role, "name": fields.pop("tool", None), "metadata": {}},
        "create_time": BEGUN + number,
        "content": content,
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": {},
        "recipient": "all",
    } | fields


def chatgpt_chain(*messages: dict[str, Any] | None, **fields: Any) -> dict[str, Any]:
    """Make a conversation whose messages follow each other; None is the empty root that real files begin with."""
    names = [message["id"] if message else "root" for message in messages]
    nodes = {
        name: {
            "id": name,
            "message": message,
            "parent": names[place - 1] if place else None,
            "children": names[place + 1 : place + 2],
        }
        for place, (name, message) in enumerate(zip(names, messages, strict=True))
    }
    return {
        "conversation_id": "talk-1",
        "title": "Adobo",
        "create_time": BEGUN,
        "update_time": BEGUN + 60,
        "mapping": nodes,
        "current_node": names[-1] if names else None,
    } | fields


def claude_message(name: str, sender: str, text: str, minute: int = 0, **fields: Any) -> dict[str, Any]:
    return {
        "uuid": name,
        "sender": sender,
        "text": text,
        "created_at": f"2024-10-18T05:{minute:02}:00.500000Z",
        "attachments": [],
        "files": [],
    } | fields


def claude_talk(*messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "uuid": "talk-1",
        "name": "Sinigang",
        "created_at": "2024-10-18T05:00:00Z",
        "updated_at": "2024-10-18T06:00:00Z",
        "chat_messages": list(messages),
    } | fields


def written(path: Path, records: Any) -> Path:
    path.write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
    return path


def written_ascii(path: Path, records: Any) -> Path:
    """Write with everything spelt out, also what is half a character."""
    path.write_text(json.dumps(records), encoding="ascii")
    return path


def zipped(path: Path, **members: Any) -> Path:
    """Write an archive; a name's last underscore stands for the dot."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, records in members.items():
            archive.writestr(".".join(name.rsplit("_", 1)), json.dumps(records))
    return path


def whole() -> list[dict[str, Any]]:
    """Give a record of every kind that is known, with something in most of its fields."""
    date = "2026-01-05T09:30:00Z"
    return [
        chatgpt_chain(
            None,
            chatgpt_message("m1", "user", "Hi", metadata={"attachments": [{"name": "a.pdf"}]}),
            chatgpt_message("m2", "assistant", "Oo.", metadata={"content_references": [{"matched_text": "O"}]}),
        ),
        claude_talk(
            claude_message("a", "human", "Hi", parent_message_uuid="root", index=0),
            claude_message("b", "assistant", "Oo.", content=[{"type": "text", "text": "Oo."}], parent_message_uuid="a"),
            current_leaf_message_uuid="b",
        ),
        {
            "conversation": {"id": "talk-1", "user_id": "ana", "created_at": date, "turn_count": 1},
            "messages": [{"id": "m", "turn_number": 1, "role": "user", "content": "Hi", "created_at": date}],
        },
        {"memory": {"id": "talk-1", "memory_type": "fact", "content": "Hi", "created_at": date, "user_id": "ana"}},
        {"user_memory": {"user_id": "ana", "key": "talk-1", "value": 1}},
        {"user_state": {"user_id": "ana", "mode": "halted"}},
    ]


ODD: list[Any] = [
    *(None, True, -1, 0, 1e300, float("nan"), 10**30, "", "\0", "\ud800", "0001-01-01", "x" * 1_001),
    *([], {}, [None], [[]], {"a": {}}, [{"id": []}], {"": [0]}),
]


def damaged() -> list[dict[str, Any]]:
    """Give every record with every one of its fields set to everything that is odd, each under a name of its own."""
    made = [changed(record, place, value) for record in whole() for place in places(record) if place for value in ODD]
    return [json.loads(json.dumps(record).replace("talk-1", f"talk-{n}")) for n, record in enumerate(made)]


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Name every place in a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [above, *(place for name, part in inside for place in places(part, (*above, name)))]


def changed(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    if not place:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = changed(value[place[0]], place[1:], new)
    return copy
