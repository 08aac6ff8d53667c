"""Words of a text and how alike they are: tokens, light English and Tagalog stems, typo-tolerant overlap."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
INSIDE_A_WORD = re.compile(r"['’\-]")
LONGEST_TEXT_READ = 4_000
"""Characters of a text whose words are compared; what follows says little new about its topic."""

SHORTEST_STEM = 3
SHORTEST_FUZZY = 4
"""Shorter words are the same or not; a slip in three letters makes another word."""

# Words that hold a sentence together and name no topic, in the languages users mix.
FUNCTION_WORDS_BY_LANGUAGE = """
    a about after all also am an and any are as at be been but by can could did do does for from get go had has have
    he her him his how i if in into is it its just let like make me more my need no not of on one or our out please
    she should show so some tell than that the their them then there these they thing this those to up us use was we
    were what when where which who whom whose why will with would you your again said say ask asked question answer
    ako akin aking ako'y alin alam ang ano anong at atin ating ay ba bang bakit baka bawat daw dahil dapat din dito
    diyan doon dun e eh gaano gusto habang hindi di ho ilan ilang ito itong iyan iyo iyon iyong ka kailan kami kanila
    kanya kapag kasi kay kaya kayo ko kong kung kunin lahat lang lng magkano may mayroon meron mga mo mong muna na
    naman namin nang natin ng nga ngayon ni nila ninyo niya nito nung noong o pa paano pano pag para pero po pwede
    puwede raw rin sa saan san sabi sana sila sino siya tapos tayo tungkol ulit uli un ung wala walang yan yata yon
    yun yung isa tanong sagot sinabi tinanong
    ug og nga unsa unsay unsaon asa ngano nganong pila kinsa dili wala naa ani ana kini kining kana kanang kadto kadtong
    katong akong imong iyang atong among inyong ilang bahin ta mi nako nimo niya nato namo ninyo kanako kanimo ikaw kita
    gyud jud gyod ra man diay bitaw usab sab pud kung kon diha didto dinhi diri aron unya dayon ingon giingon gisulti
    nangutana gipangutana pangutana tubag gitubag nimong ninyong
    el la los las un una unos unas de del que y o u en por para con como es su sus mi mis tu tus lo le les se te nos me
    cual cuales cuando donde sobre al ese esa eso esos esas este esta esto estos estas aquel aquella aquello muy mas ya
    si pues fue era eran hay ha han he yo ella ellos ellas usted ustedes quien cuanto cuanta cuantos cuantas porque
    tambien puedo puede puedes dijiste dices dice dijo decias decir dime dimelo pregunta preguntas pregunte preguntado
    respuesta respuestas respondiste contestaste
"""
FUNCTION_WORDS = frozenset(FUNCTION_WORDS_BY_LANGUAGE.split())

ENGLISH_ENDINGS = (
    ("ational", "ate"), ("ization", "ize"), ("fulness", "ful"), ("iveness", "ive"), ("ements", ""), ("ement", ""),
    ("ations", ""), ("ation", ""), ("ments", ""), ("ment", ""), ("ities", ""), ("ity", ""), ("ings", ""), ("ing", ""),
    ("ies", "y"), ("ied", "y"), ("ness", ""), ("able", ""), ("ible", ""), ("ers", ""), ("er", ""), ("ed", ""),
    ("es", ""), ("ly", ""), ("al", ""), ("s", ""), ("e", ""),
)  # fmt: skip
TAGALOG_PREFIXES = (
    "pinakama", "nakakapag", "makakapag", "nagpapa", "magpapa", "nakaka", "makaka", "ipinag", "ipapa", "ipina",
    "nagka", "magka", "nagpa", "magpa", "pinag", "nakapag", "makapag", "napag", "mapag", "naka", "maka", "ipag",
    "ipang", "tagapag", "taga", "nag", "mag", "pag", "nang", "mang", "pang", "nam", "mam", "pam", "nan", "man", "pan",
    "ika", "ipa", "ini", "na", "ma", "pa", "ka", "um", "in", "i",
)  # fmt: skip
TAGALOG_SUFFIXES = ("hang", "han", "hin", "ang", "ing", "an", "in", "ng")


def words(text: str) -> list[str]:
    """Words of a text in order, lower case and without accents, hyphenated ones in their parts."""
    found: list[str] = WORD.findall(fold(text[:LONGEST_TEXT_READ]))
    return [part for word in found for part in ([word] if word.isalnum() else INSIDE_A_WORD.split(word)) if part]


def content_words(text: str) -> list[str]:
    """Words of a text that can name a topic."""
    return [word for word in words(text) if word not in FUNCTION_WORDS and (len(word) > 1 or word.isdigit())]


def fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


@lru_cache(maxsize=16_384)
def stems(word: str) -> frozenset[str]:
    """Every stem the word may be a form of; its language is not known, so both readings stand."""
    if len(word) <= SHORTEST_STEM or not word.isalpha():
        return frozenset({word})
    return frozenset({word, english_stem(word), *tagalog_stems(word)})


def english_stem(word: str) -> str:
    for ending, instead in ENGLISH_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(instead) >= SHORTEST_STEM:
            stem = word[: len(word) - len(ending)] + instead
            return undouble(stem)
    return word


def undouble(stem: str) -> str:
    return stem[:-1] if len(stem) > SHORTEST_STEM and stem[-1] == stem[-2] and stem[-1] not in "aeiousl" else stem


def tagalog_stems(word: str) -> set[str]:
    """Roots left when affixes, an infix and a doubled syllable are taken off, where enough of a word remains."""
    roots = {word}
    for prefix in TAGALOG_PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) > SHORTEST_STEM:
            roots.add(word[len(prefix) :])
            break
    roots |= {root[0] + root[3:] for root in roots if root[1:3] in ("um", "in") and len(root) - 2 > SHORTEST_STEM}
    roots |= {root[2:] for root in roots if root[:2] == root[2:4] and len(root) - 2 > SHORTEST_STEM}
    for suffix in TAGALOG_SUFFIXES:
        roots |= {r[: -len(suffix)] for r in roots if r.endswith(suffix) and len(r) - len(suffix) > SHORTEST_STEM}
    return roots


@lru_cache(maxsize=65_536)
def likeness(one: str, other: str) -> float:
    """How alike two words are: 1 for forms of one word, less for a likely slip of the pen, 0 for different words."""
    if one == other:
        return 1.0
    if one.isdigit() or other.isdigit():
        return 0.0
    if stems(one) & stems(other):
        return 0.95
    if min(len(one), len(other)) < SHORTEST_FUZZY:
        return 0.0
    return shared_trigrams(one, other)


def shared_trigrams(one: str, other: str) -> float:
    """Dice overlap of the words' letter triples, 0 where it is no more than chance."""
    mine, theirs = trigrams(one), trigrams(other)
    dice = 2 * len(mine & theirs) / (len(mine) + len(theirs))
    return dice if dice >= 0.45 else 0.0


@lru_cache(maxsize=16_384)
def trigrams(word: str) -> frozenset[str]:
    padded = f"^{word}$"
    return frozenset(padded[i : i + 3] for i in range(len(padded) - 2))


def best_likeness(word: str, others: Iterable[str]) -> float:
    return max((likeness(word, other) for other in others), default=0.0)
