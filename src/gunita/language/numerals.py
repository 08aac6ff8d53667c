"""The value of a number in words, exactly, up to 999: "twenty-third", "labing-apat", "dalawampu't lima"."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from itertools import product

from gunita.language.words import fold

Values = dict[str, int]
NO_WORDS: Values = {}

AROUND = string.whitespace + string.punctuation + "“”‘’«»¿¡"
INSIDE_A_WORD = re.compile("['’‘`ʼ‐-]+")
PREFIX = "ika|pang|png|pan(?= ?[dlst])|pam(?= ?[bp])"
"""What makes a count of any number in Tagalog and Cebuano: "ika-apat", "pang-onse"."""
LINKER = "ng|(?<=an)g| (?:na|nga|ka)"
"""What ties a number to the word after it: "ikatlong tanong", "apat na tanong", "duha ka pangutana"."""
WORD = re.compile(r"[^\W\d_]+")
MOST_WORDS_BESIDE = 5
"""As many words as a number may have before and after one of them: "isang daan at dalawampu't tatlo"."""
OTHER_WORDS = re.compile("once|un(?: na)?|(?:pan|pang ?)?tulong")
"""What is more often no number: Spanish eleven is English once, "un" is short for yun, and tulong is help."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in words."""

    value: int
    counts: bool
    """Whether it is a count ("third", "ikatlo") and not a plain number ("three", "tatlo")."""


def listed(text: str, first: int = 1) -> Values:
    """Words by their value, one more from group to group."""
    return {word: value for value, group in enumerate(text.split("|"), first) for word in group.split()}


def by_ten(text: str) -> Values:
    return {word: 10 * value for word, value in listed(text).items()}


def behind(openings: str, words: Values, more: int = 0) -> Values:
    """Each word behind each opening, in one word or two: "labingisa", "labing isa"."""
    starts = [opening + blank for opening in openings.split("|") for blank in ("", " ")]
    return {start + word: more + value for start in starts for word, value in words.items()}


def grammar(
    tens: Values,
    clipped: Values = NO_WORDS,
    hundred: str = "(?!)",
    joints: tuple[str, str] = ("", ""),
    units: Values = NO_WORDS,
    teens: Values = NO_WORDS,
    nth: Values = NO_WORDS,
    last: Values = NO_WORDS,
) -> tuple[re.Pattern[str], Values]:
    """Joints follow a hundred and a ten; counts are `last` where they may stand behind a ten, and `nth` elsewhere."""
    slots = {"times": units, "alone": teens | tens, "nth": nth, "tens": tens | clipped, "unit": units, "last": last}
    part = {name: f"(?P<{name}>{'|'.join(words) or '(?!)'})" for name, words in slots.items()}
    hundreds = f"(?P<hundred>{hundred.format(times=part['times'])})(?:{joints[0]}(?!$))? ?"
    below = f"{part['nth']}|{part['alone']}|(?:{part['tens']}{joints[1]} ?)?(?:{part['unit']}|{part['last']})"
    whole = f"(?P<prefix>(?:{PREFIX}) ?)?(?:{hundreds})?(?:{below})?(?:{LINKER})?"
    return re.compile(whole), units | teens | tens | clipped | nth | last


ENGLISH = grammar(
    units=listed("one|two|three|four|five|six|seven|eight|nine"),
    teens=listed("ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen", 10),
    tens=by_ten("|twenty|thirty|forty fourty|fifty|sixty|seventy|eighty|ninety ninty"),
    hundred="(?:a |{times} ?)?hundred(?P<th>th$)?",
    joints=(" ?and", ""),
    nth=listed("tenth|eleventh|twelfth twelth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth", 10)
    | listed("eighteenth|nineteenth", 18)
    | by_ten("|twentieth|thirtieth|fortieth fourtieth|fiftieth|sixtieth|seventieth|eightieth|ninetieth"),
    last=listed("first frst|second secnd|third|fourth forth|fifth fith|sixth|seventh|eighth eigth|ninth nineth"),
)
TAGALOG_UNITS = listed("isa isah|dalawa dalwa dlawa dlwa|tatlo tatlu tlo|apat|lima|anim|pito pitu|walo walu|siyam syam")
TAGALOG = grammar(
    units=TAGALOG_UNITS,
    teens=listed("sampu sampo", 10) | behind("labing|labin|labim", TAGALOG_UNITS, 10),
    tens=by_ten(
        "|dalawampu dalawampo dalawangpu dalwampu|tatlumpu tatlumpo tatlompu tatlongpu|apatnapu|limampu limampo"
        "|animnapu|pitumpu pitumpo pitompu pitongpu|walumpu walumpo walompu walongpu|siyamnapu syamnapu"
    ),
    hundred="(?:i?sang?|{times} ?(?:ng?|na)) ?[dr]aan?",
    joints=(" ?a?t", "(?: ?a?t)?"),
    nth=listed("una unah kaunaunahan kinaunahan kinaunhan")
    | behind("pinaka|unang|labing", {"una": 1})
    | behind("ika|pang|pan|png", listed("lawa lwa alawa alwa|atlo atlu", 2))
    | behind("ika", {"pat": 4, "nim": 6}),
)
CEBUANO_TENS = by_ten(
    "napulo napulu|kaluhaan kaluhan kawhaan kaluwhaan|katloan katluan|kapatan kaupatan|kaliman kalimaan"
    "|kanuman kanoman kaunuman kaunoman|kapitoan kapituan|kawaloan kawaluan|kasiyaman kasyaman kasiaman"
)
CEBUANO = grammar(
    units=listed("usa|duha duwa|tulo tulu|upat|lima|unom unum|pito|walo|siyam"),
    tens=CEBUANO_TENS,
    clipped={word.removesuffix("n"): value for word, value in CEBUANO_TENS.items()},  # kawhaa'g usa
    hundred="{times} ?ka ?gat[ou]s|sanggatos",
    joints=(" ?(?:[uo]?g|kag)", " ?(?:[uo]?g|kag)"),
    nth=behind("ika", {"pulo": 10}),
)
SPANISH_UNITS = listed(
    "uno un una|dos|tres|kwatro kuwatro cuatro|singko sinko cinco|sais seis|syete siyete siete sete|otso ocho"
    "|nwebe nuwebe nuebe nueve"
)
SPANISH = grammar(
    units=SPANISH_UNITS,
    teens=listed("dyes diyes dies diez|onse once|dose doce|trese trece|katorse catorce|kinse quince", 10)
    | behind("disi|dise|desi|diesi|dieci|dyesi|diyesi|dies y|diez y", SPANISH_UNITS, 10),
    tens=by_ten(
        "|bente benti beinte beinti beynte beynti baynte baynti binte veinte veinti|trenta treinta treynta traynta"
        "|kwarenta kuwarenta cuarenta|singkwenta singkuwenta sinkwenta cincuenta|sesenta sisenta|setenta sitenta"
        "|otsenta ochenta|nobenta noventa"
    ),
    hundred="(?:{times} ?)?(?:ci|siy|sy)entos?|cien",
    joints=(" ?[yi]", "(?: ?[yi])?"),
)
SPANISH_TENTHS = by_ten("decimo decima|vigesimo vigesima|trigesimo trigesima")
SPANISH_COUNTS = grammar(
    tens=SPANISH_TENTHS,
    nth=SPANISH_TENTHS | listed("undecimo undecima|duodecimo duodecima", 11),
    last=listed(
        "primero primera primer|segundo segunda|tercero tercera tercer tersero tersera|cuarto cuarta|quinto quinta"
        "|sexto sexta|septimo septima|octavo octava|noveno novena"
    ),
)


def numeral_around(text: str, start: int, end: int) -> tuple[Numeral, tuple[int, int]] | None:
    """The one number in the longest stretch of words around a place in a text, and where that stands."""
    words = [(found.start(), found.end()) for found in WORD.finditer(text)]
    before = [first for first, last in words if last <= start][-MOST_WORDS_BESIDE:]
    after = [last for first, last in words if first >= end][:MOST_WORDS_BESIDE]
    for whole in sorted(product([*before, start], [end, *after]), key=lambda span: span[0] - span[1]):
        number = numeral(text[slice(*whole)])
        if number is not None:
            return number, whole
    return None


def numeral(text: str) -> Numeral | None:
    """What a text says if it is one number in words and nothing else."""
    said = " ".join(INSIDE_A_WORD.sub("", fold(text).strip(AROUND)).split())
    read = (read_by(said, *grammar) for grammar in (ENGLISH, TAGALOG, CEBUANO, SPANISH, SPANISH_COUNTS))
    return next((number for number in read if number is not None), None)


def read_by(said: str, pattern: re.Pattern[str], worth: Values) -> Numeral | None:
    match = pattern.fullmatch(said)
    if match is None or OTHER_WORDS.fullmatch(said):
        return None
    part = match.groupdict()
    hundreds = worth[part["times"]] if part.get("times") else bool(part["hundred"])
    below = sum(worth[part[slot]] for slot in ("nth", "alone", "tens", "unit", "last") if part[slot])
    counts = any(part.get(sign) for sign in ("prefix", "nth", "last", "th"))
    return Numeral(100 * hundreds + below, counts) if hundreds or below else None
