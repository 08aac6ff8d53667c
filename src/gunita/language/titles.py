"""A conversation's title, taken from its first exchange in the user's own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gunita.language.sentences import sentences
from gunita.language.words import FUNCTION_WORDS, fold

LONGEST_TITLE = 60
MOST_WORDS = 7
"""Function words are not counted, up to three of them."""
READ = 4_000
"""Characters of a text that are looked at; a title is never hidden further down."""

WORD = re.compile(r"[^\W_]+(?:['’\-.,/&+#@:][^\W_]+)*[+#%]*")
ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")
CLAUSE = re.compile(r"[,;:()\[\]{}\"“”]+\s*|\s+[-–—]+\s+")

# Closed classes: how people greet, call for attention and ask politely; what follows is what they want.
GREETING_TEXT = """
    hi hello hey hiya yo heya good morning afternoon evening day magandang umaga hapon gabi tanghali araw kumusta
    kamusta musta maayong buntag hola buenas buenos dias tardes noches gunita po ho opo sir maam ma'am mam boss bro sis
    bes besh beh guys there everyone haha hahaha hehe lol ok okay thanks thank you salamat test testing ka na
    asap urgent help need emergency
"""
GREETING = frozenset(GREETING_TEXT.split())
NAMES_NOTHING = FUNCTION_WORDS | GREETING
POLITE_TEXT = """
    please pls plz kindly can could would will may might you i we me us my like want wanted need to know tell ask help
    just quick question so um uh well also and but explain give show let have am i'm im i'd i've ive been with about
    looking for wondering if do does is are was a an the some
    pwede puwede pwedeng puwedeng maaari maaaring ba bang po ho paki pakisabi sana naman nga lang gusto ko kong ako
    akong ka mo mong magtanong itanong tanong may sabihin tungkol sa ang yung ung mga matulungan tulungan
"""
POLITE = frozenset(POLITE_TEXT.split())
PARTICLES = frozenset({"po", "ho", "ba", "nga", "naman", "please", "pls"})
TURNS_ASIDE = frozenset({"because", "kasi", "since", "dahil", "kung", "if", "pero", "but", "which", "while", "habang"})


def title_of(query: str, response: str = "") -> str:
    """Name a conversation after what its first question is about; in short words, without a full stop."""
    spoken = WORD.findall(query[:READ])
    if spoken and _only(spoken, GREETING):
        return _shortened(spoken)
    first = ""
    for title in _titles(query, response):
        if len(_content(title.split())) >= 2:
            return title
        first = first or title
    return first or _shortened(query.split()) or _shortened(response.split())


def _titles(*texts: str) -> Iterator[str]:
    """Name texts after each of their sentences in turn; mostly the first tells enough, and the rest is not read."""
    for text in texts:
        yield from filter(None, map(_title, sentences(ADDRESS.sub(" ", text[:READ]))))


def _title(sentence: str) -> str:
    clauses = [words for words in map(WORD.findall, CLAUSE.split(sentence)) if not _only(words, GREETING)]
    words = max(clauses[:3], key=lambda clause: min(len(_content(clause)), 3), default=[])
    words = _without_greeting(words)
    if len(words) > MOST_WORDS or len(" ".join(words)) > LONGEST_TITLE:
        words = _first_clause(_without_politeness(words))
    return _shortened(words) if _content(words) else ""


def _shortened(words: Sequence[str]) -> str:
    """Join the first words that fit, without a loose one at the end, and begin with a capital."""
    kept: list[str] = []
    named, length = 0, -1
    for word in words[: MOST_WORDS + 3]:
        named += fold(word) not in FUNCTION_WORDS
        length += len(word) + 1
        if named > MOST_WORDS or length > LONGEST_TITLE:
            break
        kept.append(word)
    if len(kept) < len(words):
        while len(kept) > 2 and fold(kept[-1]) in FUNCTION_WORDS:
            kept.pop()
    title = " ".join(kept) or " ".join(words)[:LONGEST_TITLE]
    return _capital(title.rstrip(" .,;:!?…-"))


def _without_greeting(words: Sequence[str]) -> list[str]:
    start = 0
    while start < len(words) and fold(words[start]) in GREETING:
        start += 1
    return list(words[start:])


def _without_politeness(words: Sequence[str]) -> list[str]:
    start = 0
    while start < len(words) - 2 and fold(words[start]) in POLITE:
        start += 1
    return list(words[start:])


def _first_clause(words: Sequence[str]) -> list[str]:
    """Leave out particles, and what turns aside after something was named."""
    kept: list[str] = []
    for word in words:
        if fold(word) in TURNS_ASIDE and len(_content(kept)) >= 2:
            break
        if fold(word) not in PARTICLES:
            kept.append(word)
    return kept


def _only(words: Sequence[str], known: frozenset[str]) -> bool:
    return all(fold(word) in known for word in words)


def _content(words: Sequence[str]) -> list[str]:
    return [word for word in words if fold(word) not in NAMES_NOTHING]


def _capital(title: str) -> str:
    # A word with its own capitals, such as iPhone, keeps them.
    return title[:1].upper() + title[1:] if title[:2].islower() or len(title) == 1 else title
