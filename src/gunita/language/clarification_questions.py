"""The words of a clarification: questions in the user's language and register that name turns by content and place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from gunita.language.clarification_records import Choice
from gunita.language.languages import language_of
from gunita.language.words import words
from gunita.models import Language, Turn

LONGEST_LABEL = 60
ROOM_FOR_A_WORD = 20
"""A cut goes back to the last space unless that would lose this many characters of one unbroken run."""

COURTESY = frozenset({"po", "opo", "ho", "oho", "poh", "pho"})
TURNS_THAT_SHOW_THE_REGISTER = 3

# Characters that Markdown or HTML would act on, and look-alikes that they leave alone.
PLAIN = str.maketrans({"*": "∗", "`": "'", "[": "(", "]": ")", "<": "‹", ">": "›", "\\": "⧵", "“": '"', "”": '"'})
EDGE_UNDERSCORES = re.compile(r"(?<!\w)_+|_+(?!\w)|(?<=\W)_+|~~+")
ZERO_WIDTH = re.compile(r"[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x1f\x7f]")


class Why(Enum):
    """What made the question necessary."""

    SEVERAL_FIT = "several fit"
    NOTHING_FITS = "nothing fits"


@dataclass(frozen=True, slots=True)
class Wording:
    """How one language and register says each part of a clarification."""

    this_one: str
    which: str
    which_of_many: str
    one_of_these: str
    not_found: str
    only_one: str
    nothing_yet: str
    unsure: str
    last_try: str
    going_on: str
    first_place: str
    place: str


ENGLISH = Wording(
    this_one="Do you mean {choice}?",
    which="Which of these do you mean?",
    which_of_many="That could be any of {count} things you asked. Is it one of these, or what was it about?",
    one_of_these="Is it one of these?",
    not_found="I can't find that among the {count} questions I remember.",
    only_one="I remember only one question of yours.",
    nothing_yet="There is nothing to go back to yet: we have only just started. What would you like to ask?",
    unsure="I'm still not sure.",
    last_try="Let me try once more.",
    going_on="I couldn't tell which earlier question you meant, so I'll go on without it.",
    first_place="your 1st question",
    place="your {ordinal} question",
)
TAGALOG = Wording(
    this_one="Ito ba ang tinutukoy mo: {choice}?",
    which="Alin sa mga ito ang tinutukoy mo?",
    which_of_many="{count} ang puwedeng tinutukoy mo. Isa ba ito sa mga nasa ibaba, o tungkol saan iyon?",
    one_of_these="Isa ba sa mga ito?",
    not_found="Hindi ko iyon makita sa {count} na tanong mong naaalala ko.",
    only_one="Isang tanong mo pa lang ang naaalala ko.",
    nothing_yet="Wala pa tayong napag-uusapan, kaya wala pa akong mababalikan. Ano ang gusto mong itanong?",
    unsure="Hindi ko pa rin matiyak.",
    last_try="Subukan natin nang isa pang beses.",
    going_on="Hindi ko matiyak kung aling tanong ang tinutukoy mo, kaya itutuloy ko na lang nang wala iyon.",
    first_place="una mong tanong",
    place="ika-{number} mong tanong",
)
POLITE_TAGALOG = Wording(
    this_one="Ito po ba ang tinutukoy ninyo: {choice}?",
    which="Alin po sa mga ito ang tinutukoy ninyo?",
    which_of_many="{count} po ang puwedeng tinutukoy ninyo. Isa po ba ito sa mga nasa ibaba, o tungkol po saan iyon?",
    one_of_these="Isa po ba sa mga ito?",
    not_found="Hindi ko po iyon makita sa {count} na tanong ninyong naaalala ko.",
    only_one="Isang tanong pa lang po ninyo ang naaalala ko.",
    nothing_yet="Wala pa po tayong napag-uusapan, kaya wala pa akong mababalikan. Ano po ang gusto ninyong itanong?",
    unsure="Hindi ko pa rin po matiyak.",
    last_try="Subukan po natin nang isa pang beses.",
    going_on="Hindi ko po matiyak kung aling tanong ang tinutukoy ninyo, kaya itutuloy ko na lang po nang wala iyon.",
    first_place="una ninyong tanong",
    place="ika-{number} ninyong tanong",
)
TAGLISH = Wording(
    this_one="Ito ba 'yung tinutukoy mo: {choice}?",
    which="Alin dito 'yung tinutukoy mo?",
    which_of_many="{count} 'yung puwedeng tinutukoy mo. Nandito ba, o about saan 'yun?",
    one_of_these="Isa ba sa mga 'to?",
    not_found="Hindi ko 'yun mahanap sa {count} questions mo na naaalala ko.",
    only_one="Isang question mo pa lang 'yung naaalala ko.",
    nothing_yet="Wala pa tayong napag-uusapan, so wala pa akong mababalikan. Ano'ng gusto mong itanong?",
    unsure="Hindi pa rin ako sure.",
    last_try="Try natin, isa pa.",
    going_on="Hindi ako sure kung aling question 'yung tinutukoy mo, so itutuloy ko na lang nang wala 'yun.",
    first_place="1st question mo",
    place="{ordinal} question mo",
)
POLITE_TAGLISH = Wording(
    this_one="Ito po ba 'yung tinutukoy n'yo: {choice}?",
    which="Alin po dito 'yung tinutukoy n'yo?",
    which_of_many="{count} po 'yung puwedeng tinutukoy n'yo. Nandito po ba, o about saan po 'yun?",
    one_of_these="Isa po ba sa mga 'to?",
    not_found="Hindi ko po 'yun mahanap sa {count} questions n'yo na naaalala ko.",
    only_one="Isang question n'yo pa lang po 'yung naaalala ko.",
    nothing_yet="Wala pa po tayong napag-uusapan, so wala pa akong mababalikan. Ano po'ng gusto n'yong itanong?",
    unsure="Hindi pa rin po ako sure.",
    last_try="Try po natin, isa pa.",
    going_on="Hindi po ako sure kung aling question 'yung tinutukoy n'yo, so itutuloy ko na lang po nang wala 'yun.",
    first_place="1st question n'yo",
    place="{ordinal} question n'yo",
)
CEBUANO = Wording(
    this_one="Kini ba ang imong gipasabot: {choice}?",
    which="Hain niini ang imong gipasabot?",
    which_of_many="{count} ang posible nimong gipasabot. Usa ba kini niini, o bahin sa unsa to?",
    one_of_these="Usa ba niini?",
    not_found="Wala nako na makit-i sa {count} ka pangutana nimo nga akong nahinumdoman.",
    only_one="Usa pa lang ka pangutana nimo ang akong nahinumdoman.",
    nothing_yet="Wala pa tay nahisgotan, mao nga wala pa koy mabalikan. Unsa ang gusto nimong ipangutana?",
    unsure="Dili pa gihapon ko sigurado.",
    last_try="Sulayan nato og usa pa.",
    going_on="Dili ko sigurado kung unsang pangutana ang imong gipasabot, mao nga mopadayon na lang ko nga wala to.",
    first_place="una nimong pangutana",
    place="ika-{number} nimong pangutana",
)
SPANISH = Wording(
    this_one="¿Te refieres a {choice}?",
    which="¿A cuál de estas te refieres?",
    which_of_many="Podría ser cualquiera de {count} preguntas tuyas. ¿Es una de estas, o de qué trataba?",
    one_of_these="¿Es una de estas?",
    not_found="No encuentro eso entre las {count} preguntas que recuerdo.",
    only_one="Solo recuerdo una pregunta tuya.",
    nothing_yet="Todavía no hay nada a lo que volver: acabamos de empezar. ¿Qué quieres preguntar?",
    unsure="Todavía no lo tengo claro.",
    last_try="Probemos una vez más.",
    going_on="No supe a qué pregunta anterior te referías, así que sigo sin ella.",
    first_place="tu 1.ª pregunta",
    place="tu {number}.ª pregunta",
)

WORDINGS: dict[tuple[Language, bool], Wording] = {
    (Language.ENGLISH, False): ENGLISH,
    (Language.TAGALOG, False): TAGALOG,
    (Language.TAGALOG, True): POLITE_TAGALOG,
    (Language.MIXED, False): TAGLISH,
    (Language.MIXED, True): POLITE_TAGLISH,
    (Language.CEBUANO, False): CEBUANO,
    (Language.SPANISH, False): SPANISH,
}


def wording_for(language: Language, polite: bool) -> Wording:
    """Give the wording of a language and register; English where there is none."""
    return WORDINGS.get((language, polite)) or WORDINGS.get((language, False)) or ENGLISH


def speaking(query: str, history: Sequence[Turn]) -> tuple[Language, bool]:
    """Say in which language to ask, and whether politely, from the query and what the user wrote just before it."""
    recent = [query, *(turn.query_text for turn in reversed(history[-TURNS_THAT_SHOW_THE_REGISTER:]))]
    polite = any(not COURTESY.isdisjoint(words(text)) for text in recent)
    read = (language_of(text) for text in recent)
    language = next((one for one in read if one is not Language.OTHER), Language.ENGLISH)
    # English has no po: a user who says it writes Taglish, however English the rest of the query is.
    return (Language.MIXED if polite and language is Language.ENGLISH else language), polite


def choices_for(turns: Iterable[Turn], wording: Wording) -> tuple[Choice, ...]:
    return tuple(Choice(turn, label_of(turn), place_of(turn.turn_number, wording)) for turn in turns)


def word_question(
    choices: Sequence[Choice], wording: Wording, *, why: Why, round_: int, candidates: int, remembered: int
) -> str:
    """Put the question: what is unclear first, then the choices."""
    if not choices:
        return wording.nothing_yet
    opening = [_opening(wording, why, round_, remembered)]
    if len(choices) == 1:
        opening.append(wording.this_one.format(choice=named(choices[0])))
        return " ".join(part for part in opening if part)
    if opening[0]:
        opening.append(wording.one_of_these)
    elif candidates > len(choices):
        opening.append(wording.which_of_many.format(count=candidates))
    else:
        opening.append(wording.which)
    listed = [f"{index}. {named(choice)}" for index, choice in enumerate(choices, start=1)]
    return "\n".join([" ".join(part for part in opening if part), *listed])


def _opening(wording: Wording, why: Why, round_: int, remembered: int) -> str:
    if round_ == 2:
        return wording.unsure
    if round_ > 2:
        return wording.last_try
    if why is Why.SEVERAL_FIT:
        return ""
    return wording.only_one if remembered == 1 else wording.not_found.format(count=remembered)


def named(choice: Choice) -> str:
    return f"“{choice.label}” ({choice.place})"


def place_of(number: int, wording: Wording) -> str:
    if number == 1:
        return wording.first_place
    return wording.place.format(number=number, ordinal=english_ordinal(number))


def english_ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def label_of(turn: Turn) -> str:
    """Name a turn by what was asked, or by the answer where the question cannot be read."""
    return excerpt(turn.query_text) or excerpt(turn.response_text) or "…"


def excerpt(text: str, longest: int = LONGEST_LABEL) -> str:
    """Cut a text at a word boundary, on one line, with nothing in it that Markdown would act on."""
    head = ZERO_WIDTH.sub(" ", text[: longest * 20]).translate(PLAIN)
    line = " ".join(EDGE_UNDERSCORES.sub(" ", head).split())
    if len(line) <= longest:
        return line
    cut = line[:longest]
    at_word = cut if line[longest].isspace() else cut.rpartition(" ")[0]
    kept = at_word if len(at_word) > longest - ROOM_FOR_A_WORD else cut
    return kept.rstrip(" ,;:.-–—(") + "…"
