"""Numbers in words: what each language and each way to spell it in a chat is worth, and what is no single number."""

from __future__ import annotations

import pytest

from gunita.language.numerals import Numeral, numeral


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("one", 1),
        ("twelve", 12),
        ("twenty-three", 23),
        ("thirty two", 32),
        ("fortyfive", 45),
        ("fourty five", 45),
        ("a hundred", 100),
        ("hundred and one", 101),
        ("one hundred and two", 102),
        ("three hundred sixty-five", 365),
        ("nine hundred ninety-nine", 999),
    ],
)
def test_a_plain_number_in_english_is_read(text: str, value: int) -> None:
    assert numeral(text) == Numeral(value, counts=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("first", 1),
        ("secnd", 2),
        ("forth", 4),
        ("twelfth", 12),
        ("twentieth", 20),
        ("twenty-third", 23),
        ("twenty third", 23),
        ("twentythird", 23),
        ("thirty second", 32),
        ("hundredth", 100),
        ("two-hundredth", 200),
        ("hundred and first", 101),
        ("one hundred and twenty-second", 122),
        ("second na", 2),
        ("pang-twenty one", 21),
    ],
)
def test_a_count_in_english_is_read(text: str, value: int) -> None:
    assert numeral(text) == Numeral(value, counts=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("isa", 1),
        ("dalwang", 2),
        ("tatlong", 3),
        ("apat na", 4),
        ("sampung", 10),
        ("labing-isa", 11),
        ("labindalawa", 12),
        ("labing apat", 14),
        ("labimpito", 17),
        ("labinsiyam", 19),
        ("dalawampung", 20),
        ("dalawampu't lima", 25),
        ("dalawampu’t limang", 25),
        ("dalawamput lima", 25),
        ("tatlumpu at dalawa", 32),
        ("siyamnapu't siyam", 99),
        ("sandaan", 100),
        ("isang daang", 100),
        ("isang daan at dalawa", 102),
        ("isang daa't isa", 101),
        ("dalawandaan", 200),
        ("apat na raan", 400),
        ("siyam na raan at siyamnapu't siyam", 999),
    ],
)
def test_a_plain_number_in_tagalog_is_read(text: str, value: int) -> None:
    assert numeral(text) == Numeral(value, counts=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("una", 1),
        ("unang", 1),
        ("pang-una", 1),
        ("pinaka una", 1),
        ("kauna-unahang", 1),
        ("unang-una", 1),
        ("ikalawang", 2),
        ("pangalwa", 2),
        ("pngalawa", 2),
        ("pangatlo", 3),
        ("ika tlo", 3),
        ("pang-apat", 4),
        ("ika-apat na", 4),
        ("ikapat", 4),
        ("pang anim", 6),
        ("pampito", 7),
        ("pansampu", 10),
        ("ikalabing-isa", 11),
        ("ikalabindalawa", 12),
        ("ika labing dalawa", 12),
        ("panlabing-anim", 16),
        ("ika-dalawampu", 20),
        ("pang dalawampu't isa", 21),
        ("ikadalawampu't tatlo", 23),
        ("ikadalawampu at apat", 24),
        ("ika-tatlumpu", 30),
        ("ikasandaan", 100),
        ("ika-isang daan", 100),
    ],
)
def test_a_count_in_tagalog_is_read(text: str, value: int) -> None:
    assert numeral(text) == Numeral(value, counts=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("usa", 1),
        ("duha ka", 2),
        ("tulo", 3),
        ("unom nga", 6),
        ("napulo", 10),
        ("napulo ug usa", 11),
        ("napulo'g usa", 11),
        ("napulog tulo", 13),
        ("kaluhaan ug usa", 21),
        ("kawhaa'g usa", 21),
        ("katloan", 30),
        ("kap-atan", 40),
        ("kan-uman ug unom", 66),
        ("usa ka gatos ug duha", 102),
        ("duha ka gatos kaluhaan ug tulo", 223),
    ],
)
def test_a_plain_number_in_cebuano_is_read(text: str, value: int) -> None:
    assert numeral(text) == Numeral(value, counts=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("labing una", 1),
        ("ikaduha", 2),
        ("ikaduhang", 2),
        ("ikatulo nga", 3),
        ("ikatulong", 3),
        ("ika-upat", 4),
        ("ikanapulo", 10),
        ("ikanapulog tulo", 13),
        ("ika-napulo ug lima", 15),
        ("ikakaluhaan", 20),
        ("ikakawhaan ug usa", 21),
        ("ika-kaluhaan ug tulo", 23),
    ],
)
def test_a_count_in_cebuano_is_read(text: str, value: int) -> None:
    assert numeral(text) == Numeral(value, counts=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("kwatro", 4),
        ("onse", 11),
        ("disisais", 16),
        ("disi-otso", 18),
        ("dieciséis", 16),
        ("beynte", 20),
        ("bentiuno", 21),
        ("veintidós", 22),
        ("bente-kwatro", 24),
        ("baynte singko", 25),
        ("treinta y una", 31),
        ("trentay dos", 32),
        ("trenta'y dos", 32),
        ("kwarentaisingko", 45),
        ("ciento uno", 101),
        ("ciento cincuenta y cinco", 155),
        ("dos siyentos", 200),
    ],
)
def test_a_plain_number_borrowed_from_spanish_is_read(text: str, value: int) -> None:
    assert numeral(text) == Numeral(value, counts=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("primera", 1),
        ("segundong", 2),
        ("tercer", 3),
        ("séptima", 7),
        ("undécima", 11),
        ("décima tercera", 13),
        ("vigésima", 20),
        ("vigésimo primero", 21),
        ("pang-onse", 11),
        ("ika-dose", 12),
        ("pang disinuwebe", 19),
        ("pang bente uno", 21),
        ("ika-trayntay dos", 32),
    ],
)
def test_a_count_borrowed_from_spanish_is_read(text: str, value: int) -> None:
    assert numeral(text) == Numeral(value, counts=True)


@pytest.mark.parametrize("text", ["“Third”?", "*third*", "(third),", "¿third?", "ｔｈｉｒｄ", "third…"])
def test_marks_around_a_number_say_nothing(text: str) -> None:
    assert numeral(text) == Numeral(3, counts=True)


@pytest.mark.parametrize(
    "text",
    [
        "first and third",
        "first, second",
        "one or two",
        "one to three",
        "first-third",
        "second second",
        "five ten",
        "ten five",
        "twenty eleven",
        "twenty and three",
        "twenty, third",
        "twentieth and third",
        "twenty-one two",
        "second hundred",
        "una at ikatlo",
        "pangalawa o pangatlo",
        "unang dalawa",
        "isa't dalawa",
        "sampu at ikalawa",
        "ikadalawampu at ikatlo",
        "usa ug duha",
        "napulo lima",
        "uno dos tres",
        "bente onse",
        "décimo y tercero",
        "primera y segunda",
        "twenty tatlo",
    ],
)
def test_several_numbers_are_not_one(text: str) -> None:
    assert numeral(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "hundred and",
        "isang daan at",
        "dalawampu't",
        "labing",
        "ikanapulo'g",
        "kawhaa",
        "trentay",
        "ika",
        "pang-",
        "and",
    ],
)
def test_a_number_that_is_cut_short_is_not_read(text: str) -> None:
    assert numeral(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "???",
        "23",
        "twenty 3",
        "5 twenty",
        "second visa",
        "the third",
        "thirty seconds",
        "hundreds",
        "apat na po",
        "isa-isa",
        "daan",
        "gatos",
        "once",
        "ung",
        "un na",
        "tulong",
        "pang-tulong",
        "pananim",
        "pangunahin",
        "lo siento",
        "первый three",
        "第三 third",
    ],
)
def test_what_is_more_or_other_than_a_number_is_not_read(text: str) -> None:
    assert numeral(text) is None
