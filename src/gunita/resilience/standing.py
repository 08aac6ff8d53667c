"""How it stands between Gunita and its database, for whoever watches."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gunita.resilience.guard import Counters


class State(StrEnum):
    READY = "ready"
    SLOW = "slow"
    DEGRADED = "degraded"


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands between Gunita and its database."""

    state: State
    waiting_turns: int
    """Turns that are acknowledged, in the journal, and not in the database yet."""
    journal_bytes: int
    conversations_held: int
    bytes_held: int
    seconds_away: float
    keeps_turns: bool
    """Whether turns are kept while the database is away; False where there is no journal, or it cannot be written."""
    counters: Counters
