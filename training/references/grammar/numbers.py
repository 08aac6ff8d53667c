"""How each language writes a place or a count: words, digits, chat shorthand, with the linker it needs."""

from __future__ import annotations

import random
from collections.abc import Sequence

from training.references.example import Lang

MAX_WORD = 20
MAX_DIGIT = 40

EN_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]
EN_CARDINALS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]

TL_CARDINALS = [
    "isa",
    "dalawa",
    "tatlo",
    "apat",
    "lima",
    "anim",
    "pito",
    "walo",
    "siyam",
    "sampu",
    "labing-isa",
    "labindalawa",
    "labintatlo",
    "labing-apat",
    "labinlima",
    "labing-anim",
    "labimpito",
    "labingwalo",
    "labinsiyam",
    "dalawampu",
]
BORROWED_CARDINALS = {
    11: "onse",
    12: "dose",
    13: "trese",
    14: "katorse",
    15: "kinse",
    16: "disisais",
    17: "disisiyete",
    18: "disiotso",
    19: "disinuwebe",
    20: "bente",
}
"""Spanish numerals as Tagalog and Cebuano write them; past ten they are as common as the languages' own."""
BORROWED_SHARE = 0.25
TL_ORDINALS: dict[int, Sequence[str]] = {
    1: ("una", "una", "una", "pang-una"),
    2: ("pangalawa", "pangalawa", "ikalawa", "pangalwa"),
    3: ("pangatlo", "pangatlo", "ikatlo"),
    4: ("pang-apat", "ikaapat", "pang apat", "ika-apat"),
    5: ("panglima", "ikalima", "pang-lima"),
    6: ("pang-anim", "ikaanim", "ika-anim"),
    7: ("pampito", "ikapito", "pang-pito"),
    8: ("pangwalo", "ikawalo", "pang-walo"),
    9: ("pangsiyam", "ikasiyam", "pang-siyam"),
    10: ("pangsampu", "ikasampu", "pang-sampu"),
}

CEB_DIGITS = ["usa", "duha", "tulo", "upat", "lima", "unom", "pito", "walo", "siyam"]
CEB_CARDINALS = [*CEB_DIGITS, "napulo", *(f"napulog {digit}" for digit in CEB_DIGITS), "kawhaan"]
CEB_ORDINALS = [
    "una",
    "ikaduha",
    "ikatulo",
    "ikaupat",
    "ikalima",
    "ikaunom",
    "ikapito",
    "ikawalo",
    "ikasiyam",
    "ikanapulo",
    *(f"ikanapulog {digit}" for digit in CEB_DIGITS),
    "ikakawhaan",
]

ES_CARDINALS = [
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
    "trece",
    "catorce",
    "quince",
    "dieciséis",
    "diecisiete",
    "dieciocho",
    "diecinueve",
    "veinte",
]
ES_ORDINALS = [
    "primer",
    "segund",
    "tercer",
    "cuart",
    "quint",
    "sext",
    "séptim",
    "octav",
    "noven",
    "décim",
    "undécim",
    "duodécim",
]

ROMAN_SUFFIX = {1: "st", 2: "nd", 3: "rd"}


def english_digit_ordinal(value: int) -> str:
    """Write 1 as 1st, 12 as 12th, 23 as 23rd."""
    suffix = "th" if 10 <= value % 100 <= 20 else ROMAN_SUFFIX.get(value % 10, "th")
    return f"{value}{suffix}"


def tagalog_link(word: str) -> tuple[str, str]:
    """Split a modifier with its linker into the word part and what follows it."""
    last = word[-1].lower()
    if last in "aeiou":
        return word + "ng", ""
    if last == "n":
        return word + "g", ""
    return word, " na"


def written(lang: Lang, form: str, value: int, rng: random.Random) -> tuple[str, str]:
    """Return one way to write a number in a language and form, and the linker that must follow it."""
    match lang:
        case "en":
            return _english(form, value, rng), ""
        case "tl":
            return _tagalog(form, value, rng, english_share=0.04)
        case "taglish":
            # A bare count stands before an English noun ("two questions ago"), a linked one before a Tagalog noun.
            return _tagalog(form, value, rng, english_share=0.85 if form == "card" else 0.4)
        case "ceb":
            return _cebuano(form, value, rng)
        case "es":
            return _spanish(form, value, rng), ""


def _english(form: str, value: int, rng: random.Random) -> str:
    wordy = value <= MAX_WORD and rng.random() < (0.7 if value <= 10 else 0.35)
    if form == "nth":
        return EN_ORDINALS[value - 1] if wordy else english_digit_ordinal(value)
    if form == "digit":
        return str(value)
    return EN_CARDINALS[value - 1] if wordy else str(value)


def _tagalog(form: str, value: int, rng: random.Random, english_share: float) -> tuple[str, str]:
    if form == "digit":
        return str(value), ""
    linked = form.endswith("_ng")
    if rng.random() < english_share:
        text = _english("nth" if form.startswith("nth") else "card", value, rng)
        return text, (" na" if linked and form.startswith("nth") and rng.random() < 0.55 else "")
    text = _tagalog_ordinal(value, rng) if form.startswith("nth") else _tagalog_cardinal(value, rng)
    if not linked:
        return text, ""
    if text[-1].isdigit():
        return text, (" na" if rng.random() < 0.8 else "")
    return tagalog_link(text)


def _tagalog_ordinal(value: int, rng: random.Random) -> str:
    if value > MAX_WORD or rng.random() < 0.14:
        return rng.choice((f"ika-{value}", f"pang-{value}", f"ika-{value}", f"ika {value}", f"pang {value}"))
    if value in TL_ORDINALS:
        return rng.choice(TL_ORDINALS[value])
    if rng.random() < BORROWED_SHARE:
        return rng.choice(("pang-", "ika-", "pang ", "ika ")) + BORROWED_CARDINALS[value]
    return rng.choice(("ika", "ika", "ika-", "pan", "pang", "pang-")) + TL_CARDINALS[value - 1]


def _tagalog_cardinal(value: int, rng: random.Random) -> str:
    if value > MAX_WORD or rng.random() < 0.25:
        return str(value)
    borrowed = value in BORROWED_CARDINALS and rng.random() < BORROWED_SHARE
    return BORROWED_CARDINALS[value] if borrowed else TL_CARDINALS[value - 1]


def _cebuano(form: str, value: int, rng: random.Random) -> tuple[str, str]:
    if form == "digit":
        return str(value), ""
    wordy = value <= len(CEB_CARDINALS) and rng.random() < 0.8
    borrowed = wordy and value in BORROWED_CARDINALS and rng.random() < BORROWED_SHARE
    if form.startswith("card"):
        own = BORROWED_CARDINALS[value] if borrowed else CEB_CARDINALS[value - 1] if wordy else str(value)
        return own, (" ka" if form.endswith("_ng") else "")
    if borrowed:
        text = rng.choice(("ika-", "ika ", "pang-")) + BORROWED_CARDINALS[value]
    else:
        text = CEB_ORDINALS[value - 1] if wordy else rng.choice((f"ika-{value}", english_digit_ordinal(value)))
    if not form.endswith("_ng"):
        return text, ""
    if text[-1] in "aeiou" and rng.random() < 0.7:
        return text + "ng", ""
    return text, " nga"


def _spanish(form: str, value: int, rng: random.Random) -> str:
    if form == "digit":
        return str(value)
    if form == "card":
        return ES_CARDINALS[value - 1] if value <= MAX_WORD and rng.random() < 0.7 else str(value)
    feminine = form == "nth_f"
    if value > len(ES_ORDINALS) or rng.random() < 0.15:
        return rng.choice((f"{value}ª", f"{value}a")) if feminine else rng.choice((f"{value}º", f"{value}o"))
    if form == "nth_m_short" and value in (1, 3):
        return ES_ORDINALS[value - 1]
    return ES_ORDINALS[value - 1] + ("a" if feminine else "o")


def drawn(role: str, rng: random.Random) -> int:
    """Draw a plausible value for a role: small places often, large ones sometimes."""
    if role in ("head", "tail"):
        return rng.choice((2, 2, 2, 3, 3, 3, 4, 5, 6))
    if role in ("ago", "before", "after"):
        return rng.choice((2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 15))
    if role == "end":
        return rng.choice((2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8))
    roll = rng.random()
    if roll < 0.62:
        return rng.randint(1, 5)
    if roll < 0.85:
        return rng.randint(4, 10)
    return rng.randint(8, MAX_WORD) if roll < 0.96 else rng.randint(MAX_WORD, MAX_DIGIT)
