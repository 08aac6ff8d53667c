"""What every service stands on: the database as its scope sees it, limits, clock, and the checks at the door."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol
from uuid import UUID

from gunita.errors import InvalidRoleError, OutOfScopeError, ValidationError
from gunita.models import ANONYMOUS, Memory, MemoryType, Role, Scope, Turn
from gunita.settings import Settings
from gunita.store.database import ScopedDatabase

MAX_IDENTIFIER = 255
# An entry of a PostgreSQL index holds at most 2,704 bytes: a user of 255 four-byte characters and two of these fit.
MAX_KEY_BYTES = 800
DEEPEST_JSON = 100
MAX_PAGE = 10_000
_UUID = re.compile("[0-9a-fA-F]{8}(-?)[0-9a-fA-F]{4}\\1[0-9a-fA-F]{4}\\1[0-9a-fA-F]{4}\\1[0-9a-fA-F]{12}")


class Uses(Protocol):
    """Counts the use of memories."""

    def note(self, scope: Scope, used: Sequence[Memory], now: datetime) -> None: ...


class Refuge(Protocol):
    """Keeps turns while the database is away; a place is a tenant and one of its conversations."""

    def must_wait(self, place: tuple[str | None, UUID]) -> bool: ...

    def keep_said(
        self, tenant_id: str | None, said: Turn, response_id: UUID, query_tokens: int, response_tokens: int
    ) -> Turn: ...

    def begun(self, place: tuple[str | None, UUID], user_id: str) -> None: ...

    def said(self, place: tuple[str | None, UUID], turn: Turn) -> None: ...

    def history(self, place: tuple[str | None, UUID], scope: Scope, limit: int) -> list[Turn] | None: ...

    def may_belong_to(self, place: tuple[str | None, UUID], user_id: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Access:
    db: ScopedDatabase
    settings: Settings
    clock: Callable[[], datetime]
    uses: Uses | None = None
    refuge: Refuge | None = None

    @property
    def scope(self) -> Scope:
        return self.db.scope

    def user(self, user_id: str | None) -> str:
        """Say whom a call is for: the one named if the scope reaches them, else the scope's own, else anonymous."""
        if user_id is None:
            return self.scope.user_id or ANONYMOUS
        checked = short_text("user_id", user_id)
        if self.scope.user_id is not None and checked != self.scope.user_id:
            raise OutOfScopeError(f"user {checked!r}", f"user {self.scope.user_id!r}")
        return checked

    def user_or_all(self, user_id: str | None) -> str | None:
        """Say whose records a listing shows: a service that names nobody sees all of its tenant."""
        return None if user_id is None and self.scope.is_service else self.user(user_id)

    def content(self, field: str, value: str) -> str:
        return filled_text(field, value, self.settings.max_text_characters)

    def title(self, value: str | None) -> str | None:
        return None if value is None else filled_text("title", value, self.settings.max_title_characters)

    def json_object(self, field: str, value: Mapping[str, Any] | None) -> Mapping[str, Any]:
        """Check an optional JSON object."""
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise ValidationError(field, f"must be a dictionary, not {type(value).__name__}")
        if value:
            self.json_value(field, value)
        return value

    def json_list(self, field: str, value: Sequence[Any] | None) -> Sequence[Any] | None:
        if value is None:
            return None
        if not isinstance(value, list | tuple):
            raise ValidationError(field, f"must be a list, not {type(value).__name__}")
        listed = list(value)
        self.json_value(field, listed)
        return listed

    def json_value(self, field: str, value: Any) -> Any:
        """Check that a value is JSON as it stands, so that it comes back as the types that went in."""
        _refuse_what_json_would_change(field, value)
        try:
            written = json.dumps(value, allow_nan=False, separators=(",", ":"))
        except (TypeError, ValueError, RecursionError) as problem:
            raise ValidationError(field, f"is not JSON: {problem}") from problem
        if len(written) > self.settings.max_json_characters:
            raise ValidationError(
                field, f"is {len(written):,} characters as JSON; the limit is {self.settings.max_json_characters:,}"
            )
        return value


def scope(tenant_id: str | None, user_id: str | None) -> Scope:
    """Make a scope of checked names."""
    return Scope(
        None if tenant_id is None else key_text("tenant_id", tenant_id),
        None if user_id is None else short_text("user_id", user_id),
    )


def narrowed(held: Scope, wanted: Scope) -> Scope:
    """Narrow a scope: the system's own service reaches every tenant, a tenant's its users, a user only themselves."""
    if held == Scope():
        return wanted
    tenant = held.tenant_id if wanted.tenant_id is None else wanted.tenant_id
    user = held.user_id if wanted.user_id is None else wanted.user_id
    if tenant != held.tenant_id:
        raise OutOfScopeError(f"tenant {tenant!r}", f"tenant {held.tenant_id!r}")
    if held.user_id is not None and user != held.user_id:
        raise OutOfScopeError(f"user {user!r}", f"user {held.user_id!r}")
    return Scope(tenant, user)


def identifier(field: str, value: UUID | str) -> UUID:
    if isinstance(value, UUID):
        return value
    # UUID() alone would also take digits of other scripts, underscores and signs.
    if not isinstance(value, str) or not _UUID.fullmatch(value):
        raise ValidationError(field, f"{str(value)[:60]!r} is not a UUID")
    return UUID(value)


def role(value: Role | str) -> Role:
    try:
        return Role(value)
    except ValueError as problem:
        raise InvalidRoleError(value) from problem


def memory_type(value: MemoryType | str) -> MemoryType:
    try:
        return MemoryType(value)
    except ValueError as problem:
        known = ", ".join(MemoryType)
        raise ValidationError("memory_type", f"{value!r} is unknown; use one of {known}") from problem


def short_text(field: str, value: str) -> str:
    """Check a name: 1 to 255 characters, not blank."""
    return filled_text(field, value, MAX_IDENTIFIER)


def key_text(field: str, value: str) -> str:
    """Check a name that an index keeps together with others."""
    checked = short_text(field, value)
    if not checked.isascii() and (size := len(checked.encode())) > MAX_KEY_BYTES:
        raise ValidationError(field, f"is {size:,} bytes long in UTF-8; the limit is {MAX_KEY_BYTES:,}")
    return checked


def filled_text(field: str, value: str, limit: int) -> str:
    """Check a text that must hold something both engines can keep exactly."""
    if not isinstance(value, str):
        raise ValidationError(field, f"must be text, not {type(value).__name__}")
    if len(value) > limit:
        raise ValidationError(field, f"is {len(value):,} characters long; the limit is {limit:,}")
    if not value or value.isspace():
        raise ValidationError(field, "is empty; give it some text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as problem:
            raise ValidationError(
                field, f"holds half a character (a lone surrogate) at position {problem.start}; remove or repair it"
            ) from problem
    if "\0" in value:
        raise ValidationError(field, f"holds a NUL character at position {value.index(chr(0))}; remove it")
    return value


def page(limit: int, offset: int = 0, *, named: str = "limit") -> tuple[int, int]:
    """Check how much is asked for, and from where."""
    for field, value, least in ((named, limit, 1), ("offset", offset, 0)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValidationError(field, f"must be a whole number, not {value!r}")
        if value < least:
            raise ValidationError(field, f"must be at least {least}, not {value}")
    if limit > MAX_PAGE:
        raise ValidationError(named, f"is {limit:,}; ask for at most {MAX_PAGE:,} at a time")
    return limit, min(offset, 2**31 - 1)


def turn_number(field: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < 2**31:
        raise ValidationError(field, f"must be a turn's number, 1 or more, not {value!r}")
    return value


def moment(field: str, value: datetime) -> datetime:
    """Check a time, which says its zone."""
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise ValidationError(field, "must be a time with its zone")
    try:
        return value.astimezone(UTC)
    except OverflowError as problem:
        raise ValidationError(field, "lies outside the years 1 to 9999") from problem


def fraction(field: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValidationError(field, f"must be a number from 0 to 1, not {value!r}")
    return float(value)


def flag(field: str, value: bool | None) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise ValidationError(field, f"must be true or false, not {value!r}")
    return value


def _refuse_what_json_would_change(field: str, value: Any) -> None:
    """Refuse what json.dumps accepts and json.loads would give back as something else."""
    waiting: list[tuple[Any, int]] = [(value, 1)]
    while waiting:
        found, depth = waiting.pop()
        if depth > DEEPEST_JSON:
            raise ValidationError(field, f"is nested more than {DEEPEST_JSON} levels deep, or holds itself")
        if isinstance(found, dict):
            for key in found:
                if not isinstance(key, str):
                    raise ValidationError(field, f"has a key that is not text: {key!r}")
            waiting += [(inner, depth + 1) for inner in found.values()]
        elif isinstance(found, list):
            waiting += [(inner, depth + 1) for inner in found]
        elif isinstance(found, tuple):
            raise ValidationError(field, "holds a tuple, which would come back as a list; use a list")
        elif isinstance(found, float) and not math.isfinite(found):
            raise ValidationError(field, f"holds {found}, which JSON does not have")
