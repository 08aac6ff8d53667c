"""Gathers a conversation's messages and keeps what stood beside the words: files, tools, settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from gunita.imports.records import Said
from gunita.models import Role

_NAMES = ("file_name", "name", "asset_pointer", "content_type")


@dataclass(slots=True)
class _Piece:
    """A message while it is gathered; an answer in several pieces grows."""

    source_id: str
    role: Role
    created_at: datetime
    origin: dict[str, Any]
    texts: list[str] = field(default_factory=list)
    attached: list[Any] = field(default_factory=list)
    beside: list[Any] = field(default_factory=list)
    tool_calls: list[Any] = field(default_factory=list)

    def finished(self) -> Said:
        origin = self.origin | ({"attachments": self.attached} if self.attached else {})
        payload = {"imported": origin} | ({"beside": self.beside} if self.beside else {})
        return Said(
            self.source_id, self.role, "\n\n".join(self.texts), self.created_at, payload, tuple(self.tool_calls)
        )


class Gathering:
    """Messages in order; what stood beside them goes with the next one, or with the last."""

    def __init__(self, source: str, begun: datetime) -> None:
        self._source = source
        self._latest = begun
        self._aside: list[Any] = []
        self._pieces: list[_Piece] = []

    def beside(self, found: dict[str, Any]) -> None:
        self._aside += [found] if found else []

    def spoken(
        self,
        source_id: str,
        role: Role,
        text: str,
        at: datetime | None,
        attached: Sequence[dict[str, Any]] = (),
        more: dict[str, Any] | None = None,
        tool_calls: Sequence[Any] = (),
    ) -> None:
        """Take a message; one without words is named by its files, and without files stands beside the next."""
        words = text if text.strip() else "\n".join(f"[{_name(each)}]" for each in attached)
        if not words:
            self._aside += tool_calls
            return
        self._latest = at or self._latest
        piece = self._piece(source_id, role, more or {})
        piece.texts.append(words)
        piece.attached += attached
        piece.tool_calls += tool_calls
        piece.beside += self._aside
        self._aside = []

    def finished(self) -> tuple[Said, ...]:
        if self._pieces:
            self._pieces[-1].beside += self._aside
        return tuple(piece.finished() for piece in self._pieces)

    def _piece(self, source_id: str, role: Role, more: dict[str, Any]) -> _Piece:
        """Go on with an answer that was given in several pieces; else begin a message."""
        if self._pieces and self._pieces[-1].role is role is Role.ASSISTANT:
            return self._pieces[-1]
        piece = _Piece(source_id, role, self._latest, {"source": self._source, "id": source_id, **more})
        self._pieces.append(piece)
        return piece


def _name(attached: dict[str, Any]) -> str:
    return next((str(attached[name]) for name in _NAMES if attached.get(name)), "attachment")
