"""Time-ordered identifiers: UUIDv7 whose time part keeps microseconds, so that id order is time order."""

from __future__ import annotations

import os
import random
import threading
from datetime import UTC, datetime, timedelta
from uuid import UUID, SafeUUID

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def now() -> datetime:
    return datetime.now(UTC)


def microseconds(moment: datetime) -> int:
    return (moment - EPOCH) // _MICROSECOND


def moment_of(value: int) -> datetime:
    """Give the moment so many microseconds after 1970."""
    return EPOCH + timedelta(0, 0, value)


def new_id(at: datetime) -> UUID:
    """Make an id for something created at that moment; ids made one after another for one moment ascend too."""
    return _uuid(_maker.next(_timed_bits(at) | _VARIANT))


def new_ids(at: datetime, count: int) -> list[UUID]:
    """Make ids that ascend whatever other threads make meanwhile, for things said together."""
    first = _maker.next(_timed_bits(at) | _VARIANT, count)
    return [_uuid(first + step) for step in range(count)]


def first_id(at: datetime) -> UUID:
    """Give the smallest id that something created at that moment can have."""
    return _uuid(_timed_bits(at) | _VARIANT)


def steady_id(at: datetime, noise: int) -> UUID:
    """Make the id that belongs to a moment and 62 given bits, the same every time."""
    return _uuid(_timed_bits(at) | _VARIANT | noise >> 2)


def parse(value: str) -> UUID:
    """Read an id as the database holds it: 32 hexadecimal digits, with or without dashes."""
    digits = value.replace("-", "")
    if len(digits) != _DIGITS:
        raise ValueError(f"{value[:60]!r} is not a UUID")
    return _uuid(int(digits, 16))


_VERSION = 0x7 << 76
_VARIANT = 0b10 << 62
_DIGITS = 32
_UNKNOWN = SafeUUID.unknown  # looking it up in its enum takes as long as all the rest


class _Draft(UUID):
    """A UUID that can still be written to; UUID's own constructor spends most of its time on forms we do not use."""

    __slots__ = ()
    __setattr__ = object.__setattr__  # type: ignore[assignment]


def _uuid(number: int) -> UUID:
    made: UUID = object.__new__(_Draft)
    made.int = number  # type: ignore[misc]
    made.is_safe = _UNKNOWN  # type: ignore[misc]
    made.__class__ = UUID
    return made


def _timed_bits(at: datetime) -> int:
    """Lay out milliseconds in the first 48 bits and the rest of the microseconds in the 12 after the version.

    RFC 9562 leaves those 12 bits to the maker; its method 3 fills them with the sub-millisecond
    fraction, scaled to 4096, which keeps neighbouring microseconds apart.
    """
    milliseconds, rest = divmod(max(microseconds(at), 0), 1000)
    return milliseconds << 80 | _VERSION | (rest * 4096 // 1000) << 64


class _Maker:
    """Keeps ids of one moment in the order of asking, also when a clock stands still or an import counts in seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest = 0

    def next(self, earliest: int, count: int = 1) -> int:
        noise = _noise.getrandbits(64)
        # The top bit stays free, so that counting on from a random start never runs into the variant.
        fresh = earliest | noise >> 3
        with self._lock:
            if self._newest >> 64 == earliest >> 64:
                fresh = max(fresh, self._newest + 1 + (noise & 0xFFFF))
            self._newest = fresh + count - 1
        return fresh


# Ids are unique, not secret. Asking the system for noise would let go of the interpreter at every append, and with many
# callers hand the writer's turn to somebody else each time. A child process starts from noise of its own.
_noise = random.Random()  # noqa: S311
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_noise.seed)

_maker = _Maker()
