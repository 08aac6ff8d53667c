"""Promises of the numbers in words: any number of a language is read as its value, and any text gives one or none."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gunita.language.numerals import Numeral, numeral


def listed(text: str) -> list[str]:
    return text.split()


ENGLISH = listed(
    "- one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
ENGLISH_TENS = listed("- - twenty thirty forty fifty sixty seventy eighty ninety")
IRREGULAR = dict(
    zip(
        listed("one two three five eight nine twelve"),
        listed("first second third fifth eighth ninth twelfth"),
        strict=True,
    )
)
TAGALOG = listed("- isa dalawa tatlo apat lima anim pito walo siyam sampu")
TAGALOG_TENS = listed("- - dalawampu tatlumpu apatnapu limampu animnapu pitumpu walumpu siyamnapu")
FIRST_IN_TAGALOG = {1: "una", 2: "ikalawa", 3: "ikatlo"}
CEBUANO = listed("- usa duha tulo upat lima unom pito walo siyam")
CEBUANO_TENS = listed("- napulo kaluhaan katloan kap-atan kalim-an kan-uman kapitoan kawaloan kasiyaman")
OTHERS = listed("a and at ug y t g ng na ka nga ika pang labing una ikalawa hundred daan gatos ciento bente primero")

below_a_thousand, below_a_hundred = st.integers(1, 999), st.integers(1, 99)
between = st.sampled_from(["-", " ", ""])
openings = st.sampled_from(["labing-", "labing ", "labing", "labin", "labim"])
tagalog_joints = st.sampled_from(["'t ", "’t ", "t ", " at ", " 't "])
cebuano_joints = st.sampled_from([" ug ", "'g ", "g ", " og "])
prefixes = st.sampled_from(["ika", "ika-", "ika ", "pang-", "pang "])
blanks = st.text(" \t\n", max_size=3)
number_words = st.sampled_from([*ENGLISH, *ENGLISH_TENS, *IRREGULAR.values(), *TAGALOG, *TAGALOG_TENS])
pieces = number_words | st.sampled_from([*CEBUANO, *CEBUANO_TENS, *OTHERS])
like_numbers = st.lists(pieces, max_size=6).flatmap(lambda parts: between.map(lambda joint: joint.join(parts)))


def english(number: int, after_hundred: str, after_ten: str) -> str:
    hundreds, rest = divmod(number, 100)
    tens, unit = divmod(rest, 10)
    below = ENGLISH[rest] if rest < 20 else after_ten.join([ENGLISH_TENS[tens], *([ENGLISH[unit]] if unit else [])])
    return after_hundred.join([f"{ENGLISH[hundreds]} hundred"] * (hundreds > 0) + [below] * (rest > 0))


def counted(words: str) -> str:
    """The same number as a count, which only its last word shows."""
    last = next(word for word in [*ENGLISH_TENS[2:], *ENGLISH[19:0:-1], "hundred"] if words.endswith(word))
    return words.removesuffix(last) + IRREGULAR.get(last, last.removesuffix("y") + "ie" * last.endswith("y") + "th")


def tagalog(number: int, opening: str, joint: str) -> str:
    tens, unit = divmod(number, 10)
    if number <= 10:
        return TAGALOG[number]
    return opening + TAGALOG[unit] if tens == 1 else joint.join([TAGALOG_TENS[tens]] + [TAGALOG[unit]] * (unit > 0))


def cebuano(number: int, joint: str) -> str:
    tens, unit = divmod(number, 10)
    return joint.join([CEBUANO_TENS[tens]] * (tens > 0) + [CEBUANO[unit]] * (unit > 0))


@settings(max_examples=300)
@given(below_a_thousand, st.sampled_from([" and ", " ", "-and-"]), between)
def test_any_number_spelt_out_in_english_is_its_value(number: int, after_hundred: str, after_ten: str) -> None:
    words = english(number, after_hundred, after_ten)
    assert numeral(words) == Numeral(number, counts=False)
    assert numeral(counted(words)) == Numeral(number, counts=True)


@settings(max_examples=300)
@given(below_a_hundred, openings, tagalog_joints, prefixes)
def test_any_number_spelt_out_in_tagalog_is_its_value(number: int, opening: str, joint: str, prefix: str) -> None:
    words = tagalog(number, opening, joint)
    assert numeral(words) == Numeral(number, counts=False)
    assert numeral(prefix + words) == Numeral(number, counts=True)
    assert numeral(FIRST_IN_TAGALOG.get(number, prefix + words)) == Numeral(number, counts=True)


@settings(max_examples=300)
@given(below_a_hundred, cebuano_joints, prefixes)
def test_any_number_spelt_out_in_cebuano_is_its_value(number: int, joint: str, prefix: str) -> None:
    words = cebuano(number, joint)
    assert numeral(words) == Numeral(number, counts=False)
    assert numeral(prefix + words) == Numeral(number, counts=True)


@settings(max_examples=200)
@given(below_a_thousand, below_a_thousand, st.sampled_from([" and ", " or ", ", ", " to "]))
def test_two_counts_in_english_are_never_one(one: int, other: int, joint: str) -> None:
    assert numeral(counted(english(one, " and ", "-")) + joint + counted(english(other, " and ", "-"))) is None


@settings(max_examples=200)
@given(below_a_hundred, below_a_hundred, st.sampled_from([" at ", " o ", ", ", "'t "]))
def test_two_counts_in_tagalog_are_never_one(one: int, other: int, joint: str) -> None:
    assert numeral(joint.join("ika" + tagalog(number, "labing-", "'t ") for number in (one, other))) is None


@settings(max_examples=500)
@given(st.text() | like_numbers)
def test_any_text_is_a_number_below_a_thousand_or_none(text: str) -> None:
    found = numeral(text)
    assert found is None or 1 <= found.value <= 999


@settings(max_examples=300)
@given(like_numbers, blanks, blanks)
def test_case_and_the_blanks_around_a_number_do_not_matter(text: str, before: str, after: str) -> None:
    found = numeral(text)
    assert numeral(before + text.upper() + after) == found
    assert numeral(before + text.title() + after) == found
