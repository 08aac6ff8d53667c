"""Composes histories from the topic bank and plants in them the turns that a later query points at."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from training.references.bank import AmbiguousGroup, BankTurn, Domain, Pointer
from training.references.example import stable_hash
from training.references.overlap import content_words, same_stem

LOOKALIKES = Path(__file__).parent / "lookalikes.txt"
LONGEST_HISTORY = 40
VALIDATION_SHARE_PER_MILLE = 150
_SPLIT = "held-out domain 3:"
"""Chosen so that the held-out domains spread over the themes, at most two of each."""
FITTING_SHARE_OF_WORDS = 0.6
"""A turn that knows this share of a phrase's words might be meant by it, so it never stands beside the turn that is."""
LONE_MEMBER_SHARE = 0.15
"""How often a clear case is a group's phrase in a history that holds only one of the group's turns."""
ONE_LANGUAGE_SHARE = 0.3
GROUPED_BY_DOMAIN_SHARE = 0.5

_SPEAKERS: tuple[frozenset[str], ...] = (
    frozenset({"en"}),
    frozenset({"tl", "taglish"}),
    frozenset({"en", "taglish"}),
    frozenset({"ceb", "taglish", "en"}),
    frozenset({"es", "en"}),
)


@dataclass(frozen=True, slots=True)
class TopicCase:
    """A history, a phrase that points into it, and the 1-based numbers of the turns that it fits."""

    history: tuple[BankTurn, ...]
    pointer: Pointer
    gold: tuple[int, ...]
    ambiguous: bool


@dataclass(frozen=True, slots=True)
class FollowupCase:
    """A history and an elliptical question that continues its last turn."""

    history: tuple[BankTurn, ...]
    lang: str
    text: str


@dataclass(frozen=True, slots=True)
class FreshCase:
    """A history and a question near its subjects that points at none of its turns."""

    history: tuple[BankTurn, ...]
    lang: str
    text: str


def is_validation_domain(name: str) -> bool:
    """Says whether a whole domain is kept out of training, the same way on every machine."""
    return stable_hash(_SPLIT + name) % 1000 < VALIDATION_SHARE_PER_MILLE


def training_domains(bank: Iterable[Domain]) -> list[Domain]:
    """Gives the domains that training may see."""
    return [domain for domain in bank if not is_validation_domain(domain.name)]


def validation_domains(bank: Iterable[Domain]) -> list[Domain]:
    """Gives the domains that only validation sees."""
    return [domain for domain in bank if is_validation_domain(domain.name)]


def sample_length(rng: random.Random) -> int:
    """Draws a history's length: mostly 4 to 14 turns, now and then a few or up to forty."""
    draw = rng.random()
    if draw < 0.72:
        return rng.randint(4, 14)
    if draw < 0.85:
        return rng.randint(1, 3)
    return min(rng.randint(15, LONGEST_HISTORY), rng.randint(15, LONGEST_HISTORY))


def sample_history(rng: random.Random, bank: Sequence[Domain], length: int) -> list[BankTurn]:
    """Draws a conversation about one domain, a few related ones, or anything at all."""
    return _arranged(rng, _drawn(_candidates(rng, bank, rng.choice(bank)), length, lambda _: True))


def load_lookalikes(path: Path = LOOKALIKES) -> dict[str, frozenset[str]]:
    """Reads, for each turn named there, the turns so alike in gist that a loose phrase might mean either."""
    alike: dict[str, set[str]] = defaultdict(set)
    for line in path.read_text(encoding="utf-8").splitlines():
        ids = line.split()
        for turn_id in ids:
            alike[turn_id].update(other for other in ids if other != turn_id)
    return {turn_id: frozenset(others) for turn_id, others in alike.items()}


class CaseSampler:
    """Draws labelled cases from the domains it is given, and from no other."""

    def __init__(self, bank: Sequence[Domain]) -> None:
        self._bank = tuple(bank)
        self._domain_of = {domain.name: domain for domain in bank}
        self._phrases = PhraseIndex([turn for domain in bank for turn in domain.turns])
        self._lookalikes = load_lookalikes()

    @cached_property
    def _turns(self) -> tuple[BankTurn, ...]:
        return tuple(turn for domain in self._bank for turn in domain.turns)

    @cached_property
    def _groups(self) -> tuple[tuple[Domain, AmbiguousGroup], ...]:
        return tuple((domain, group) for domain in self._bank for group in domain.ambiguous)

    def topic(self, rng: random.Random, length: int | None = None) -> TopicCase:
        """Draws a phrase and a history in which it fits exactly one turn."""
        if rng.random() < LONE_MEMBER_SHARE:
            domain, group = rng.choice(self._groups)
            return self._planted(rng, [domain.turn(rng.choice(group.turns))], rng.choice(group.pointers), length, group)
        target = rng.choice(self._turns)
        return self._planted(rng, [target], rng.choice(target.pointers), length)

    def topic_at(self, rng: random.Random, target: BankTurn, pointer: Pointer, length: int | None = None) -> TopicCase:
        """Draws a history in which the given phrase fits the given turn and no other."""
        return self._planted(rng, [target], pointer, length)

    def ambiguous(self, rng: random.Random, length: int | None = None) -> TopicCase:
        """Draws a phrase and a history in which it fits two or more turns equally."""
        domain, group = rng.choice(self._groups)
        targets = [domain.turn(turn_id) for turn_id in group.turns]
        return self._planted(rng, targets, rng.choice(group.pointers), length, group)

    def followup(self, rng: random.Random, length: int | None = None) -> FollowupCase:
        """Draws a history and an elliptical question that continues its last turn."""
        domain = rng.choice([domain for domain in self._bank if domain.followups])
        followup = rng.choice(domain.followups)
        last = domain.turn(followup.turn)
        before = self._around(rng, domain, (length or sample_length(rng)) - 1, lambda turn: turn.id != last.id)
        return FollowupCase((*before, last), followup.lang, followup.text)

    def fresh(self, rng: random.Random, length: int | None = None) -> FreshCase:
        """Draws a history and a question of one of its domains that points at nothing."""
        domain = rng.choice([domain for domain in self._bank if domain.fresh])
        question = rng.choice(domain.fresh)
        history = self._around(rng, domain, length or sample_length(rng), lambda _: True)
        return FreshCase(tuple(history), question.lang, question.text)

    def _planted(
        self,
        rng: random.Random,
        targets: list[BankTurn],
        pointer: Pointer,
        length: int | None,
        group: AmbiguousGroup | None = None,
    ) -> TopicCase:
        rivals = self._phrases.might_fit(pointer.text) | {target.id for target in targets}
        for target in targets:
            rivals |= self._lookalikes.get(target.id, frozenset())
        if group is not None:
            rivals |= set(group.turns)
        wanted = max(length or sample_length(rng), len(targets))
        domain = self._domain_of[targets[0].domain]
        history = self._around(rng, domain, wanted - len(targets), lambda turn: turn.id not in rivals)
        for target in targets:
            history.insert(rng.randint(0, len(history)), target)
        wanted_ids = {target.id for target in targets}
        gold = tuple(number for number, turn in enumerate(history, start=1) if turn.id in wanted_ids)
        return TopicCase(tuple(history), pointer, gold, ambiguous=len(gold) > 1)

    def _around(
        self, rng: random.Random, domain: Domain, length: int, allowed: Callable[[BankTurn], bool]
    ) -> list[BankTurn]:
        return _arranged(rng, _drawn(_candidates(rng, self._bank, domain), length, allowed))


class PhraseIndex:
    """Knows which turns hold a phrase's words, in their own words or in those that point at them."""

    def __init__(self, turns: Iterable[BankTurn]) -> None:
        self._holders: dict[str, set[str]] = defaultdict(set)
        for turn in turns:
            for text in (turn.query, turn.response, *(pointer.text for pointer in turn.pointers)):
                for word in content_words(text):
                    self._holders[word].add(turn.id)
        self._known: dict[str, frozenset[str]] = {}

    def might_fit(self, phrase: str) -> frozenset[str]:
        """Gives the ids of the turns that share most of the phrase's content words."""
        words = content_words(phrase)
        counts: dict[str, int] = defaultdict(int)
        for word in words:
            for turn_id in self._turns_holding(word):
                counts[turn_id] += 1
        return frozenset(turn_id for turn_id, n in counts.items() if n >= FITTING_SHARE_OF_WORDS * len(words))

    def _turns_holding(self, word: str) -> frozenset[str]:
        if word not in self._known:
            forms = (holders for other, holders in self._holders.items() if same_stem(word, other))
            self._known[word] = frozenset().union(*forms)
        return self._known[word]


def _candidates(rng: random.Random, bank: Sequence[Domain], domain: Domain) -> Iterator[BankTurn]:
    """Yields turns in the order a history takes them: the domain's own, its relatives', then anybody's."""
    related = [other for other in bank if other.theme == domain.theme and other is not domain]
    rng.shuffle(related)
    circles = {
        "one": [[domain], related, bank],
        "related": [[domain, *related[: rng.randint(1, 2)]], related, bank],
        "mixed": [bank],
    }[rng.choice(("one", "related", "mixed"))]
    speakers = rng.choice(_SPEAKERS) if rng.random() < ONE_LANGUAGE_SHARE else None
    passes = (speakers, None) if speakers else (None,)
    seen: set[str] = set()
    for languages in passes:
        for circle in circles:
            turns = [turn for member in circle for turn in member.turns if languages is None or turn.lang in languages]
            rng.shuffle(turns)
            for turn in turns:
                if turn.id not in seen:
                    seen.add(turn.id)
                    yield turn


def _drawn(candidates: Iterator[BankTurn], length: int, allowed: Callable[[BankTurn], bool]) -> list[BankTurn]:
    drawn: list[BankTurn] = []
    while len(drawn) < length:
        turn = next(candidates, None)
        if turn is None:
            break
        if allowed(turn):
            drawn.append(turn)
    return drawn


def _arranged(rng: random.Random, turns: list[BankTurn]) -> list[BankTurn]:
    """Orders turns as talk goes: sometimes subject after subject, sometimes to and fro."""
    rng.shuffle(turns)
    if rng.random() < GROUPED_BY_DOMAIN_SHARE:
        order = list(dict.fromkeys(turn.domain for turn in turns))
        turns.sort(key=lambda turn: order.index(turn.domain))
    return turns
