"""Reply cases shared by the tests: six questions put to a user, and what each reply must come to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from gunita.language.clarification import (
    Clarification,
    ClarificationEngine,
    GaveUp,
    Narrowed,
    NotAnAnswer,
    Outcome,
    Settled,
)
from gunita.models import ReferenceResolution, Turn

DATA = Path(__file__).parent / "data"
SESSION = UUID(int=7)

ENGLISH_TURNS = [
    ("How do I cook chicken adobo?", "Simmer the chicken in soy sauce, vinegar, garlic and bay leaves."),
    ("What's a good laptop under 40k?", "Look at the Acer Aspire 5 or the Lenovo IdeaPad."),
    ("How do I renew my passport?", "Book an appointment with the DFA and bring your old one."),
    ("Who wrote Noli Me Tangere?", "Jose Rizal wrote the novel in 1887."),
    ("How do I pay my electricity bill online?", "Use the Meralco app or GCash."),
    ("What exercises help with back pain?", "Try cat-cow stretches and bridges."),
]
TAGLISH_TURNS = [
    ("Paano magluto ng sinigang na baboy?", "Pakuluan ang baboy, saka ilagay ang sampalok at gulay."),
    ("Magkano ang pamasahe papuntang Baguio?", "Nasa 750 hanggang 900 pesos ang bus mula Cubao."),
    ("Anong requirements sa Japan tourist visa?", "Passport, bank certificate, at itinerary."),
    ("Paano mag-apply ng SSS loan?", "Mag-login sa My.SSS at piliin ang salary loan."),
    ("Saan magandang mag-beach sa Palawan?", "Subukan ang Nacpan sa El Nido."),
    ("Bakit ang bagal ng internet ko?", "I-restart ang router at tingnan kung may outage."),
]


ERRAND_TURNS = [
    ("My tooth hurts, should I see a dentist?", "Yes, book a dentist soon and rinse with salt water."),
    ("What can I give my sister for her birthday?", "A planner, a plant, or a nice gift card."),
    ("How do I open a bank account as a student?", "Bring two ids and a small first deposit."),
]
STUDY_TURNS = [
    ("Paano ba simulan ang thesis ko?", "Pumili muna ng paksa at magbasa ng mga pag-aaral."),
    ("Magkano ang tuition sa UP Diliman?", "Libre na ang tuition sa mga state university."),
]

MIXED_TURNS = [
    ("What are the guitar chords for Anak?", "Em, Am, D and G, with a capo on the second fret."),
    ("Is comprehensive car insurance worth it?", "For a new car, usually yes."),
    ("Can you check the grammar of my essay?", "Two commas are missing, the rest reads well."),
    ("Why is my dog scratching so much?", "It may be fleas; a vet can tell."),
]

HOME_TURNS = [
    ("Can my landlord raise the rent twice in a year?", "Not for units under the rent control law."),
    ("How should I store coffee beans?", "In an airtight jar, away from light."),
    ("Which Excel formula adds only visible rows?", "SUBTOTAL with function number 109."),
]


def turns_of(texts: list[tuple[str, str]]) -> list[Turn]:
    start = datetime(2026, 1, 5, 8, tzinfo=UTC)
    return [
        Turn(UUID(int=100 + n), SESSION, "ana", n, query, response, start + timedelta(minutes=n))
        for n, (query, response) in enumerate(texts, start=1)
    ]


def matching(history: list[Turn], *numbers: int) -> ReferenceResolution:
    """A resolution in which the numbered turns fit about equally well."""
    matched = [(history[n - 1], 0.66 - 0.01 * place) for place, n in enumerate(numbers)]
    return ReferenceResolution(matched, matched[0][0] if matched else None, len(matched) > 1, 0.5)


SCENARIOS: dict[str, tuple[list[tuple[str, str]], tuple[int, ...]]] = {
    "A": (ENGLISH_TURNS, (1, 3, 5)),
    "B": (ENGLISH_TURNS, (2, 4)),
    "C": (TAGLISH_TURNS, (1, 3)),
    "D": (TAGLISH_TURNS, (2, 3, 4, 5)),
    "E": (ENGLISH_TURNS, (3,)),
    "F": (TAGLISH_TURNS, (1,)),
    "G": (ERRAND_TURNS, (1, 2, 3)),
    "H": (STUDY_TURNS, (2,)),
    "I": (MIXED_TURNS, (1, 2, 3, 4)),
    "J": (MIXED_TURNS, (3,)),
    "K": (HOME_TURNS, (1, 2, 3)),
}


@dataclass(frozen=True)
class ReplyCase:
    scenario: str
    language: str
    reply: str
    expected: str

    def ask(self, engine: ClarificationEngine) -> Clarification:
        texts, numbers = SCENARIOS[self.scenario]
        history = turns_of(texts)
        return engine.ask("what was that again?", matching(history, *numbers), history)

    def holds(self, engine: ClarificationEngine) -> bool:
        asked = self.ask(engine)
        return fits(self.expected, engine.settle(asked, self.reply), asked)


def fits(expected: str, outcome: Outcome, asked: Clarification) -> bool:
    """Compare an outcome with its notation.

    =1,3 settled to these, =* to any choice; ~ narrowed, ~1,3 to these; ?=1 narrowed by words, settled by meaning;
    no denied; new a query of its own; drop given up.
    """
    if expected.startswith("?"):
        return fits("~", outcome, asked) or fits(expected[1:], outcome, asked)
    if expected == "=*":
        return isinstance(outcome, Settled) and outcome.turn in asked.shown
    if expected.startswith("="):
        return isinstance(outcome, Settled) and [t.turn_number for t in outcome.turns] == numbers_in(expected)
    if expected.startswith("~"):
        left = [turn.turn_number for turn in outcome.clarification.shown] if isinstance(outcome, Narrowed) else None
        return left is not None and (expected == "~" or left == numbers_in(expected))
    wanted = {"new": (NotAnAnswer,), "drop": (GaveUp,), "no": (Narrowed, GaveUp)}[expected]
    return isinstance(outcome, wanted)


def numbers_in(expected: str) -> list[int]:
    return [int(number) for number in expected[1:].split(",")]


def read_cases(name: str = "replies.tsv") -> list[ReplyCase]:
    return [ReplyCase(*line.split("\t")) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
