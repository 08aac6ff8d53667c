"""Records in a row of bytes: each under a mark, its length and a checksum, so that damage is seen and passed over."""

from __future__ import annotations

import mmap
import struct
import zlib
from dataclasses import dataclass
from typing import TypeAlias

MARK = b"\xf5GnJ"
"""No byte of ASCII text is 0xF5, so that a mark never stands inside a record's own text."""
_LENGTH = struct.Struct(">I")
_SUM = struct.Struct(">I")
OVERHEAD = len(MARK) + _LENGTH.size + _SUM.size

Buffer: TypeAlias = "bytes | mmap.mmap"


@dataclass(frozen=True, slots=True)
class Record:
    end: int
    """Where the next record begins."""
    content: bytes


@dataclass(frozen=True, slots=True)
class Damage:
    """A stretch that no record can be read from."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Scan:
    records: tuple[Record, ...]
    damages: tuple[Damage, ...]

    @property
    def sound_end(self) -> int:
        """Where the last whole record ends; what is behind it is a tail to be cut."""
        return self.records[-1].end if self.records else 0


def framed(content: bytes) -> bytes:
    """Write one record; its content is ASCII."""
    length = _LENGTH.pack(len(content))
    return b"".join((MARK, length, _SUM.pack(zlib.crc32(content, zlib.crc32(length))), content))


def scan(buffer: Buffer, start: int = 0, end: int | None = None) -> Scan:
    """Read every whole record, past what is damaged; damage is told by its place."""
    stop = len(buffer) if end is None else end
    records: list[Record] = []
    damages: list[Damage] = []
    place = start
    while place < stop:
        record = _record_at(buffer, place, stop)
        if record is not None:
            records.append(record)
            place = record.end
            continue
        behind = _next_record(buffer, place + 1, stop)
        damages.append(Damage(place, behind))
        place = behind
    return Scan(tuple(records), tuple(damages))


def _next_record(buffer: Buffer, place: int, stop: int) -> int:
    """Find where the next whole record begins; the end where there is none."""
    while (found := buffer.find(MARK, place, stop)) != -1:
        if _record_at(buffer, found, stop) is not None:
            return found
        place = found + 1
    return stop


def _record_at(buffer: Buffer, place: int, stop: int) -> Record | None:
    begin = place + OVERHEAD
    if begin > stop or buffer[place : place + len(MARK)] != MARK:
        return None
    length = bytes(buffer[place + len(MARK) : place + len(MARK) + _LENGTH.size])
    end = begin + _LENGTH.unpack(length)[0]
    if end > stop:
        return None
    content = bytes(buffer[begin:end])
    told = _SUM.unpack(buffer[begin - _SUM.size : begin])[0]
    return Record(end, content) if zlib.crc32(content, zlib.crc32(length)) == told else None
