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
