"""What a hand-written program shares on both engines: the record it gives back and the ids it makes."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(slots=True)
class HandTurn:
    """Equal in content to Gunita's Turn."""

    id: UUID
    session_id: UUID
    user_id: str
    turn_number: int
    query_text: str
    response_text: str
    created_at: datetime
    metadata: dict[str, Any]


def uuid7() -> UUID:
    """Make a time-ordered id with the fewest steps."""
    milliseconds = time.time_ns() // 1_000_000
    return UUID(int=milliseconds << 80 | 0x7 << 76 | random.getrandbits(12) << 64 | 0b10 << 62 | random.getrandbits(62))
