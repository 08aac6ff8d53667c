"""Respells clean text the way people type in chats: Filipino shortcuts, dropped marks, and plain typing slips."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
REDUPLICATED = re.compile(r"^(.*?)((?:[^\W\d_]{2,}))-?\2(.*)$", re.IGNORECASE)
AFTER_PREFIX = re.compile(r"\b(pang|ika|i|mag|nag|pag|um|in|na|ma|pa|taga|mala|naka|nakaka)-(?=\w)", re.IGNORECASE)
VOWELS = "aeiou"

# What Filipino texters write for a word; everything else is respelt by rule, so unseen words change too.
SHORTCUTS: dict[str, Sequence[str]] = {
    "ako": ("aq", "q", "ako", "aku", "ak"),
    "ko": ("q", "ko", "k", "koh"),
    "ka": ("ka", "k", "kah"),
    "ikaw": ("ikw", "kaw", "ikaw"),
    "mo": ("mo", "m", "moh"),
    "siya": ("sya", "xa", "xia", "cia", "cya"),
    "sino": ("cno", "sno", "cnu"),
    "si": ("c", "si"),
    "sila": ("cla", "sla", "xla"),
    "sa": ("s", "sa", "xa"),
    "kasi": ("kc", "kse", "kasi", "ksi", "kac"),
    "lang": ("lng", "lang", "lan", "lg"),
    "naman": ("nmn", "nman", "namn", "nmen"),
    "yung": ("ung", "yng", "yun", "yong", "un"),
    "yong": ("ung", "yng", "yung"),
    "iyong": ("yung", "ung", "iyung"),
    "iyon": ("yun", "yon", "un", "iyun"),
    "iyan": ("yan", "yn"),
    "ito": ("2", "to", "i2"),
    "dito": ("d2", "dto", "di2", "dito"),
    "rito": ("r2", "rto"),
    "doon": ("dun", "don", "dn"),
    "diyan": ("dyan", "jan", "dian"),
    "hindi": ("di", "hnd", "hndi", "d", "hinde", "indi"),
    "huwag": ("wag", "wg", "huag"),
    "wala": ("wla", "wala", "wla"),
    "mayroon": ("meron", "mayron", "mern"),
    "meron": ("mron", "mern", "meron"),
    "puwede": ("pwede", "pde", "pwd", "pwedi"),
    "pwede": ("pde", "pwd", "pwedi", "pwede"),
    "paano": ("pano", "pnu", "panu", "pno"),
    "bakit": ("bkit", "bat", "bkt", "baket"),
    "saan": ("san", "sn", "saan"),
    "kailan": ("kelan", "kln", "kelan"),
    "ano": ("anu", "ano", "anoh", "anu"),
    "alin": ("alen", "aln"),
    "ilan": ("ilan", "iln"),
    "magkano": ("mgkano", "magkanu", "hm"),
    "gusto": ("gsto", "gus2", "gustu", "gs2"),
    "talaga": ("tlga", "tlaga", "talaga"),
    "salamat": ("slmat", "slamat", "tnx", "salamat"),
    "po": ("po", "poh", "p0", "pow"),
    "opo": ("opo", "opoh", "uo"),
    "oo": ("oo", "uu", "oo nga"),
    "pero": ("pro", "pero", "peru"),
    "para": ("pra", "para"),
    "mga": ("mga", "mg", "manga"),
    "ang": ("ang", "ng", "an"),
    "ng": ("ng", "nang"),
    "nang": ("nang", "ng"),
    "na": ("na", "n"),
    "nga": ("nga", "nga", "ngah"),
    "din": ("dn", "din", "rin"),
    "rin": ("rn", "rin", "din"),
    "raw": ("rw", "raw", "daw"),
    "daw": ("dw", "daw", "raw"),
    "kung": ("kng", "kung", "kun"),
    "kapag": ("pag", "kpag", "kapg"),
    "kanina": ("knina", "kaninah", "kanena"),
    "ngayon": ("ngaun", "ngyon", "ngyn", "ngaun"),
    "kahapon": ("khapon", "kahapn", "khpon"),
    "bukas": ("bkas", "bukas", "bks"),
    "mamaya": ("mmya", "mamya", "maya"),
    "tungkol": ("tungkl", "tngkol", "about", "tungkul"),
    "tanong": ("tnong", "tanung", "tnng"),
    "sagot": ("sgot", "sagut", "sgt"),
    "sabi": ("sbi", "sabe", "sbe"),
    "sinabi": ("cnabi", "snabi", "sinabe"),
    "ulit": ("ult", "ulet", "uli"),
    "balik": ("blik", "balek"),
    "una": ("una", "unah", "1st"),
    "unang": ("unang", "1st na", "unng"),
    "pangalawa": ("pngalawa", "2nd", "pangalwa", "pang2"),
    "pangatlo": ("pngatlo", "3rd", "pangtlo", "pang3"),
    "huli": ("hule", "huli", "hli"),
    "huling": ("huleng", "hling", "huling"),
    "tayo": ("tau", "tyo", "tayo"),
    "kayo": ("kau", "kyo", "kayo"),
    "natin": ("ntin", "naten"),
    "namin": ("nmin", "namen"),
    "akin": ("akn", "aken", "akin"),
    "sayo": ("sau", "syo", "sayo"),
    "iyo": ("yo", "iyo"),
    "nila": ("nla", "nila"),
    "niya": ("nya", "nia", "nyah"),
    "atin": ("atn", "aten"),
    "lahat": ("lht", "lhat", "lahat"),
    "isa": ("1", "isa", "isah"),
    "dalawa": ("2", "dlwa", "dalwa"),
    "tatlo": ("3", "tatlo", "tlo"),
    "bago": ("bgo", "bago"),
    "muna": ("mna", "muna"),
    "baka": ("bka", "baka"),
    "sana": ("sna", "sana"),
    "ganito": ("gnito", "gani2", "gnto"),
    "ganyan": ("gnyan", "gnyn"),
    "ganoon": ("ganun", "gnun", "ganon"),
    "kaya": ("kya", "kaya"),
    "at": ("at", "tas", "&"),
    "tapos": ("tas", "tpos", "taz"),
    "okay": ("ok", "oks", "okey", "k"),
    "you": ("u", "you", "yu"),
    "your": ("ur", "your", "yr"),
    "are": ("r", "are"),
    "please": ("pls", "plz", "please", "plss"),
    "thanks": ("tnx", "thx", "thnks"),
    "thank": ("tnk", "thank"),
    "about": ("abt", "about", "bout"),
    "because": ("bcoz", "cuz", "bc", "coz"),
    "before": ("b4", "bfore", "before"),
    "question": ("qn", "question", "quest", "q"),
    "questions": ("qs", "questions", "questns"),
    "message": ("msg", "message"),
    "tomorrow": ("tmrw", "tom", "2moro"),
    "to": ("to", "2"),
    "for": ("for", "4"),
    "the": ("the", "d", "da", "teh"),
    "that": ("dat", "that", "tht"),
    "this": ("dis", "this", "ths"),
    "with": ("w/", "wid", "with"),
    "what": ("wat", "wht", "what"),
    "going": ("goin", "going"),
    "want": ("wnt", "want"),
    "know": ("kno", "knw", "know"),
    "people": ("ppl", "people"),
    "right": ("ryt", "right", "rite"),
    "and": ("&", "n", "and"),
    "second": ("2nd", "second", "secnd"),
    "first": ("1st", "first", "frst"),
    "third": ("3rd", "third"),
}

SOUNDS: Sequence[tuple[str, str]] = (
    (r"iya", "ya"), (r"uwa", "wa"), (r"iyo", "yo"), (r"aa", "a"), (r"ay\b", "ei"), (r"o\b", "u"), (r"u\b", "o"),
    (r"i\b", "e"), (r"si", "c"), (r"\bts", "ch"), (r"ks", "x"), (r"s\b", "z"), (r"ng\b", "n"), (r"k", "c"),
)  # fmt: skip

NEIGHBOURS: dict[str, str] = {
    "q": "wa", "w": "qes", "e": "wrd", "r": "etf", "t": "ryg", "y": "tuh", "u": "yij", "i": "uok", "o": "ipl",
    "p": "ol", "a": "qsz", "s": "adw", "d": "sfe", "f": "dgr", "g": "fht", "h": "gjy", "j": "hku", "k": "jli",
    "l": "kop", "z": "xas", "x": "zcs", "c": "xvd", "v": "cbf", "b": "vng", "n": "bmh", "m": "nj",
}  # fmt: skip


def chat_spelling(text: str, rng: random.Random, strength: float) -> str:
    """Respells a share of the words (strength 0..1) the way a Filipino chat would, and loosens case and marks."""
    if strength <= 0:
        return text
    if rng.random() < 0.3 + 0.6 * strength:
        text = AFTER_PREFIX.sub(lambda m: m[1] + rng.choice(("", "", " ")), text)
    text = WORD.sub(lambda m: _respell(m[0], rng) if rng.random() < strength else m[0], text)
    if rng.random() < 0.3 + 0.7 * strength:
        text = text.lower()
    if rng.random() < 0.3 + 0.6 * strength:
        text = _loosen_marks(text, rng)
    return text


def typos(text: str, rng: random.Random, strength: float) -> str:
    """Slips a key in a share of the longer words (strength 0..1): swapped, lost, doubled, or a neighbour's."""
    return WORD.sub(lambda m: _slip(m[0], rng) if len(m[0]) > 3 and rng.random() < strength else m[0], text)


def _respell(word: str, rng: random.Random) -> str:
    shortcuts = SHORTCUTS.get(word.lower())
    if shortcuts and rng.random() < 0.8:
        return rng.choice(shortcuts)
    doubled = REDUPLICATED.match(word)
    if doubled and "-" in word and rng.random() < 0.6:
        return f"{doubled[1]}{doubled[2]}2{doubled[3]}"
    return rng.choice(RESPELLINGS)(word, rng)


def _drop_vowels(word: str, rng: random.Random) -> str:
    if len(word) < 4:
        return word
    keep = rng.choice((0.0, 0.5, 0.7))
    middle = "".join(c for c in word[1:-1] if c.lower() not in VOWELS or rng.random() < keep)
    return word[0] + middle + word[-1]


def _stretch(word: str, rng: random.Random) -> str:
    at = len(word) - 1 if rng.random() < 0.7 else rng.randrange(len(word))
    return word[: at + 1] + word[at] * rng.randint(1, 4) + word[at + 1 :]


def _by_sound(word: str, rng: random.Random) -> str:
    pattern, spelt = rng.choice(SOUNDS)
    return re.sub(pattern, spelt, word, count=1)


def _drop_hyphen(word: str, rng: random.Random) -> str:
    return word.replace("-", rng.choice(("", " ")))


def _leave(word: str, rng: random.Random) -> str:
    return word


RESPELLINGS: Sequence[Callable[[str, random.Random], str]] = (
    _drop_vowels, _drop_vowels, _by_sound, _by_sound, _drop_hyphen, _stretch, _leave,
)  # fmt: skip


def _loosen_marks(text: str, rng: random.Random) -> str:
    choice = rng.random()
    if choice < 0.5:
        return re.sub(r"[.,;:!?\"'’]+(?=\s|$)", "", text)
    if choice < 0.65:
        return re.sub(r"[.!]$", rng.choice(("...", "..", " po", " poh", "!!", " haha", " hehe")), text)
    if choice < 0.8:
        return re.sub(r"\?$", rng.choice(("??", "???", " po?", "", " ba?")), text)
    return text.replace(",", "")


def _slip(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    match rng.randrange(4):
        case 0:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case 1:
            return word[:at] + word[at + 1 :]
        case 2:
            return word[:at] + word[at] + word[at:]
        case _:
            return word[:at] + rng.choice(NEIGHBOURS.get(word[at].lower(), word[at])) + word[at + 1 :]
