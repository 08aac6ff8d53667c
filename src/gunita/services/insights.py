"""What conversations tell taken together: how much, when, about what, and how often something was pointed at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from gunita.language.keywords import key_topics, phrases
from gunita.models import Conversation
from gunita.services.access import Access
from gunita.store import conversations, insights, statistics
from gunita.store.insights import AnswerTrace
from gunita.store.statistics import Counts

MOST_ANSWERS = 20_000
MOST_QUERIES = 1_000
MOST_CONVERSATIONS = 500
MOST_DAYS = 366
TOPICS = 12
SIZES = ((1, 1), (2, 3), (4, 7), (8, 15), (16, 31), (32, None))
"""How many turns a conversation has, from and to; None is no end."""
POINTING = "reference"
FOLLOWING = "followup"
ASKING = "clarification"


@dataclass(frozen=True, slots=True)
class Day:
    day: date
    turns: int
    conversations: int


@dataclass(frozen=True, slots=True)
class SizeCount:
    least: int
    most: int | None
    conversations: int


@dataclass(frozen=True, slots=True)
class Counted:
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Insights:
    counts: Counts
    days: Sequence[Day]
    sizes: Sequence[SizeCount]
    topics: Sequence[Counted]
    intents: Sequence[Counted]
    reference_kinds: Sequence[Counted]
    clarification_rate: float | None
    """Of the queries that pointed back, the part that was asked about; None where none did."""
    characters: int
    answers_read: int
    """How many of the newest answers this was told from."""
    retention_hours: float


class InsightService:
    def __init__(self, door: Access) -> None:
        self._door = door

    def look(self, user_id: str | None = None, *, days: int = 30) -> Insights:
        """Tell about a user's newest conversations, or for a service that names nobody, the tenant's."""
        db, whose = self._door.db, self._door.user_or_all(user_id)
        answers = insights.newest_answers(db, whose, MOST_ANSWERS)
        held = conversations.recent(db, whose, limit=MOST_CONVERSATIONS)
        intents = Counter(str(answer.metadata.get("intent", "new")) for answer in answers)
        return Insights(
            counts=statistics.count(db, whose),
            days=by_day(answers, self._door.clock(), min(days, MOST_DAYS)),
            sizes=by_size(held),
            topics=topics(insights.newest_queries(db, whose, MOST_QUERIES)),
            intents=ranked(intents),
            reference_kinds=ranked(kinds(answers)),
            clarification_rate=clarification_rate(intents),
            characters=sum(answer.characters for answer in answers),
            answers_read=len(answers),
            retention_hours=self._door.settings.retention_hours,
        )


def by_day(answers: Iterable[AnswerTrace], now: datetime, days: int) -> list[Day]:
    """Count turns and the conversations they belong to for each of the last days, quiet ones too."""
    today = now.astimezone(UTC).date()
    turns: Counter[date] = Counter()
    touched: dict[date, set[UUID]] = {}
    for answer in answers:
        day = answer.created_at.date()
        turns[day] += 1
        touched.setdefault(day, set()).add(answer.conversation_id)
    shown = [today - timedelta(days=back) for back in range(days - 1, -1, -1)]
    return [Day(day, turns[day], len(touched.get(day, ()))) for day in shown]


def by_size(held: Iterable[Conversation]) -> list[SizeCount]:
    turns = [conversation.turn_count for conversation in held]
    return [
        SizeCount(least, most, sum(least <= count and (most is None or count <= most) for count in turns))
        for least, most in SIZES
    ]


def topics(queries: Sequence[str]) -> list[Counted]:
    """Name what queries are about, with the number of queries that say so."""
    said = [{phrase.lower() for phrase in phrases(query)} for query in queries]
    named = key_topics(queries, most=TOPICS)
    return ranked(Counter({topic: sum(topic.lower() in words for words in said) for topic in named}))


def kinds(answers: Iterable[AnswerTrace]) -> Counter[str]:
    """Count how queries pointed back; those settled by a question are a kind of their own."""
    pointing = (answer.metadata for answer in answers if answer.metadata.get("intent") in {POINTING, FOLLOWING})
    return Counter(
        FOLLOWING if found["intent"] == FOLLOWING else str(found.get("kind") or "settled") for found in pointing
    )


def clarification_rate(intents: Counter[str]) -> float | None:
    pointed = intents[POINTING] + intents[ASKING]
    return intents[ASKING] / pointed if pointed else None


def ranked(counts: Counter[str]) -> list[Counted]:
    return [Counted(name, count) for name, count in counts.most_common()]
