"""The closed class of words that answer a choice: numbers, yes and no, both, neither, last, and what goes with them.

A table is right here and only here: a language has a fixed and small set of such words, and "the second one" holds no
meaning that an encoder could compare with a turn. Everything that names a topic is compared by words and meaning. The
table holds correct spellings; how people really type them is met by edit distance and by letters left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, lru_cache

from gunita.language.languages import commonness
from gunita.language.words import fold

SHORTEST_GUESSED = 3
ONE_SLIP, TWO_SLIPS = 5, 8
"""From this many letters on, a word may be one or two slips away from the one that is meant."""
REPEATED = re.compile(r"(.)\1{2,}")
DRAWN_OUT = re.compile(r"(.)\1+")
DIGITS = re.compile(r"(?:ika|pang|no|num|number|n)?(\d{1,4})(?:st|nd|rd|th|a|o|na)?")
VOWELS = re.compile(r"[aeiou]")
LETTERS = "abcde"


class Sign(Enum):
    """What a word says about the choice."""

    ORDINAL = auto()
    CARDINAL = auto()
    LAST = auto()
    BEFORE_LAST = auto()
    MIDDLE = auto()
    OLDER = auto()
    NEWER = auto()
    AGO = auto()
    YES = auto()
    NO = auto()
    NOT = auto()
    NONE = auto()
    ALL = auto()
    ANY = auto()
    OTHER = auto()
    KNOW = auto()
    DROP = auto()
    AND = auto()
    OR = auto()
    BUT = auto()
    TURN = auto()
    CHOICE = auto()
    POINTER = auto()
    ASKING = auto()
    TAG = auto()
    FILLER = auto()


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a reply and what it says about the choice, if it belongs to the closed class."""

    text: str
    sign: Sign | None = None
    number: int = 0
    guessed: bool = False
    """The spelling was mended; the word may yet be something else."""


ORDINALS: tuple[str, ...] = (
    "first una unang primero primera primer nauna pinakauna top itaas pinakataas oldest earliest "
    "pinakaluma pinakanauna",
    "second pangalawa pangalawang ikalawa ikalawang ikaduha ikaduhang segundo segunda",
    "third pangatlo pangatlong ikatlo ikatlong ikatulo ikatulong tercero tercera tercer",
    "fourth pangapat ikaapat ikaupat cuarto cuarta",
    "fifth panglima ikalima quinto quinta",
    "sixth panganim ikaanim ikaunom sexto sexta",
    "seventh pampito ikapito septimo septima",
    "eighth pangwalo ikawalo octavo octava",
    "ninth pangsiyam ikasiyam noveno novena",
    "tenth pangsampu ikasampu ikanapulo decimo decima",
)
CARDINALS: tuple[str, ...] = (
    "one isa uno usa wan",
    "two dalawa dalawang duha dos",
    "three tatlo tatlong tulo tres",
    "four apat upat kwatro cuatro",
    "five lima limang singko cinco",
    "six anim unom sais seis",
    "seven pito syete siete",
    "eight walo otso ocho",
    "nine siyam nwebe nueve",
    "ten sampu napulo diyes diez",
)
SIGNS: dict[Sign, str] = {
    Sign.LAST: """last bottom final huli huling nahuli hulihan dulo ibaba pinakahuli pinakadulo pinakababa
        newest latest recent pinakabago pinakabagong katapusan ulahi ultimo ultima""",
    Sign.BEFORE_LAST: "penultimate penultima penultimo",
    Sign.MIDDLE: "middle gitna gitnang tunga taliwala medio",
    Sign.OLDER: "older earlier luma lumang karaan anterior antigua",
    Sign.NEWER: "newer later bago bagong reciente nueva",
    Sign.AGO: "ago nakaraan nakalipas atras hace",
    Sign.YES: """yes yep yeah yup yea ya oo opo oho yas tama mismo correct right exactly sure ok okay okey oki oks sige
        korek true si claro vale exacto bitaw lagi sakto tumpak indeed definitely absolutely g ge""",
    Sign.NO: "no nope nah nay wrong incorrect mali sayop",
    Sign.NOT: """not except dont don doesnt doesn cant didnt didn isnt isn wasnt wasn
        hindi di hnd hndi nde wag huwag maliban ayaw ayoko dili""",
    Sign.NONE: "none neither wala ninguna ninguno nothing",
    Sign.ALL: "both all pareho parehas parehong kapwa lahat tanan ambas ambos todas todos everything",
    Sign.ANY: "any matter importa anything either whichever whatever kahit bahala bisan cualquiera",
    Sign.OTHER: "other another iba ibang lain laing otra otro else",
    Sign.KNOW: """know remember recall sure alam maalala matandaan maalaala tanda sigurado kahibalo kahinumdom hinumdom
        mahinumdoman sabe recuerdo acuerdo idea clue""",
    Sign.DROP: """idk dunno nevermind nvm forget forgot skip cancel pass ewan kalimutan nakalimutan limot
        ambot nakalimot olvidalo olvide""",
    Sign.AND: "and at saka tsaka pati ug y plus tapos",
    Sign.OR: "or o kaya",
    Sign.BUT: "but pero kundi instead rather apan",
    Sign.TURN: """question questions tanong tinanong itinanong katanungan turn query message asked
        pangutana mensahe pregunta pregunte""",
    Sign.CHOICE: """option choice number item letter bullet pick choose select answer
        pili pinili piliin sagot tubag opcion numero letra respuesta""",
    Sign.POINTER: """the that this it its thats those these about regarding re related topic topics
        yung yun yon ung iyon iyong yan iyan ito ang sa si mga nung noong nasa tungkol paksa dun doon dito diyan dyan
        silang sila
        kadto kadtong katong kato kana kini bahin diha dinhi didto
        el la los las lo de del al sobre un una tema ese esa eso esta este esos esas""",
    Sign.ASKING: """what how why who when where which whats hows will can could does do did is are was should would
        ano anong anu paano pano bakit bkt sino saan san kailan kelan magkano ilan ilang gaano alin pwede puwede maaari
        unsa unsay unsaon giunsa ngano nganong kinsa asa kanusa pila
        que cual cuales como cuando donde quien cuanto cuanta cuantos por puede puedes""",
    Sign.TAG: "ba diba",
    Sign.FILLER: """i im ill me mean meant meaning want wanted would like please pls plz thanks thank thx ty sorry hey
        maybe probably guess think referring refer actually one ones a an of to from for in on is was be were we you
        just only talking said ask asking let's lets go uh um oh mm hmm ah oy oops wait bro sis haha hehe lol my your
        po ho lang lng nga naman nmn pala ha eh e ay mas paki salamat ibig sabihin gusto siguro tingin parang baka yata
        ata tinutukoy bes beh kuya ate sir maam mam talaga muna gets ikaw ako ka ni din rin sinabi ng na ko kong mo mong
        aking teka
        nga nako akong imong mi tu
        palihog gipasabot pasabot mao gud gyud jud kaayo favor gracias quiza creo refiero quiero ser era es""",
}


@cache
def _table() -> dict[str, Word]:
    table: dict[str, Word] = {}
    # Later entries win: "sure" alone agrees, and only after a negation does it speak of knowing.
    for sign in reversed(SIGNS):
        table |= {word: Word(word, sign) for word in SIGNS[sign].split()}
    for sign, numbers in ((Sign.CARDINAL, CARDINALS), (Sign.ORDINAL, ORDINALS)):
        for number, spellings in enumerate(numbers, start=1):
            table |= {word: Word(word, sign, number) for word in spellings.split()}
    return table


@cache
def words_of(sign: Sign) -> frozenset[str]:
    return frozenset(SIGNS[sign].split())


@lru_cache(maxsize=4096)
def read_word(text: str) -> Word:
    """Say what a word tells about the choice, however it is spelled."""
    digits = DIGITS.fullmatch(text)
    if digits:
        number = int(digits.group(1))
        return Word(text, Sign.CARDINAL if text.isdigit() else Sign.ORDINAL, number)
    table = _table()
    for spelling in (text, REPEATED.sub(r"\1\1", text), DRAWN_OUT.sub(r"\1", text)):
        if spelling in table:
            return table[spelling]
    return _guess(text)


def _guess(text: str) -> Word:
    """Mend a misspelled word; a word that people do use is never taken for a slip of another."""
    if len(text) < SHORTEST_GUESSED or not text.isalpha() or commonness(text) > 0.0:
        return Word(text)
    near = [word for word in _table() if _may_be(text, word)]
    if not near:
        return Word(text)
    best = _table()[min(near, key=lambda word: (slips(text, word), word))]
    return Word(text, best.sign, best.number, guessed=True)


def _may_be(typed: str, meant: str) -> bool:
    if typed[0] != meant[0] or len(meant) < SHORTEST_GUESSED or len(typed) < SHORTEST_GUESSED:
        return False
    if _left_out(typed, meant) or (len(typed) == len(meant) and sorted(typed) == sorted(meant)):
        return slips(typed, meant) == 1 or len(typed) < len(meant)
    allowed = 2 if len(meant) >= TWO_SLIPS else 1 if len(meant) >= ONE_SLIP else 0
    return abs(len(typed) - len(meant)) <= allowed and slips(typed, meant) <= allowed


def _left_out(typed: str, meant: str) -> bool:
    """Tell whether the word was typed with some vowels left out: pngalwa for pangalawa, scnd for second."""
    consonants = VOWELS.sub("", meant)
    return len(consonants) >= 3 and VOWELS.sub("", typed) == consonants and len(typed) < len(meant)


@lru_cache(maxsize=16_384)
def slips(one: str, other: str) -> int:
    """Count the letters added, lost, changed or swapped between two words."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        row = [i]
        for j, b in enumerate(other, start=1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]


SEPARATOR = re.compile(r"[,;.!?\n()/]+|(?<=\s)-+(?=\s)|&|\+")
TOKEN = re.compile(r"[^\W_]+(?:['’`\-][^\W_]+)*")
JOINED = re.compile(r"\b(ika|pang)-?(\d+)", re.IGNORECASE)
MOST_CHARACTERS = 400
"""An answer to a choice is short; whatever else a longer reply says, its beginning shows what it is."""
THUMBS = {"👍": " yes ", "👌": " yes ", "✅": " yes ", "👎": " no ", "❌": " no "}
NUMBER_SIGN = re.compile(r"#\s*(\d)")


def clauses(reply: str) -> list[list[Word]]:
    """Split a reply into its clauses and read every word; "&" and "+" join like "and"."""
    text = reply[:MOST_CHARACTERS]
    for thumb, word in THUMBS.items():
        text = text.replace(thumb, word)
    text = NUMBER_SIGN.sub(r" number \1", JOINED.sub(r"ika\2", text))
    text = re.sub(r"(\d)\.(?=[ªº])", r"\1", text)
    text = re.sub(r"[&+]", " and ", text)
    found = [_words(part) for part in SEPARATOR.split(text)]
    return [clause for clause in found if clause]


def _words(part: str) -> list[Word]:
    read: list[Word] = []
    for token in TOKEN.findall(fold(part)):
        whole = token.replace("’", "").replace("'", "").replace("`", "").replace("-", "")
        if (word := read_word(whole)).sign and not word.guessed:
            read.append(word)
        else:
            read.extend(read_word(piece) for piece in re.split(r"[-’'`]", token) if piece)
    return read
