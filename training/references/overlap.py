"""Says whether two phrases share a content word, across inflections of English, Tagalog, Cebuano and Spanish."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_STOPWORDS = frozenset(
    """
    a about above after again all also am an and any are as ask asked at be because been before being but by can could did do does
    doing don done each else ever for from get gets getting give go goes going good got had has have having he her here hers him his
    how i if in into is it its just keep let like long made make makes making many may me mine more most much must my need needs new
    no not now of off ok on once one ones only or other our out over own per please put really right said same say she should since
    so some something still such take tell than that the their them then there these they thing things this those through to too
    turn two up us use used using very want wants was way we well were what when where which while who whom why will with without
    won would yes you your
    ako aking akin ako'y alin alam ang ano anong at ating atin ay ayaw ba bago baka bakit bale bang basta bawat bilang daw
    dahil dapat din dito diyan doon e eh em gaano gawin ginagawa gusto gustong habang hanggang hindi ho huwag ilan ilang ito itong iyan
    iyo iyon iyong ka kailan kailangan kami kanila kanilang kanino kanya kanyang kapag kasi kay kaya kayo ko kong kung lahat lang
    laging mag maging magkano maganda may mayroon meron mga mo mong muna na nag namin nang natin naman ng nga ngayon ni nila nina ninyo
    niya nito niyan niyo niyong noon nung o pa paano paanong pag pala para parang pati pero po puwede puwedeng pwede pwedeng raw
    rin sa saan sabi sana sila sino siya sobra subalit tapos tayo tungkol walang wala wag yan yata yon yung yun
    ang bahin nga sa kay ug og kon kung unsa unsay unsaon asa kanus-a ngano nganong pila kinsa dili wala naa aduna ako nako imong
    nimo ko ka mi kami ta kita sila siya iya iyang ilang ilaha kini kana kadto kadtong ani ana adto dinhi diri didto man gyud lang
    ra pud usab ba diay kaayo aron para gikan hangtod mao maong akong akoa
    a al algo algun alguna antes aquel como con cual cuando cuanto cuanta cuantos cuantas de del desde donde e el ella ellos en
    entonces era es esa ese eso esta este esto estan estoy fue ha hace hacer hacia hasta hay la las le les lo los mas me mi mis muy
    ni no nos o otra otro para pero por porque puede puedo que quien se ser si sin sobre solo son soy su sus tan te tengo tiene tu
    un una uno unos unas y ya yo debo sirve
    """.split()
)
_WORD = re.compile(r"[^\W_]+(?:['\-][^\W_]+)*")
_SHORTEST_STEM = 4
_SHARED_PREFIX = 5


def fold(text: str) -> str:
    """Lowercases the text and drops its accents."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


@lru_cache(maxsize=65536)
def content_words(text: str) -> frozenset[str]:
    """Gives the words of a text that carry meaning, hyphenated ones also in their parts."""
    words: set[str] = set()
    for match in _WORD.findall(fold(text)):
        parts = [match.replace("'", ""), *re.split(r"['\-]", match)]
        words.update(part for part in parts if part not in _STOPWORDS and (len(part) > 1 or part.isdigit()))
    return frozenset(words)


def same_stem(left: str, right: str) -> bool:
    """Says whether two words look like forms of one word (equal, one inside the other, or a long common beginning)."""
    if left == right:
        return True
    short, long = sorted((left, right), key=len)
    if len(short) < _SHORTEST_STEM or short.isdigit():
        return False
    return short in long or short[:_SHARED_PREFIX] == long[:_SHARED_PREFIX] and len(short) >= _SHARED_PREFIX


def shared_words(phrase: str, text: str) -> frozenset[str]:
    """Gives the content words of the phrase that also occur, in some form, in the text."""
    theirs = content_words(text)
    return frozenset(word for word in content_words(phrase) if word in theirs or any(same_stem(word, w) for w in theirs))
