"""When a question speaks of: "last May", "two weeks ago", "noong isang linggo", read against the day it is asked on."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from gunita.language.words import fold

NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "a an one isang isa uno",
            "two dalawang dalawa couple dos",
            "three tatlong tatlo few tres",
            "four apat kuwatro kwatro",
            "five limang lima singko",
            "six anim sais",
            "seven pitong pito siyete",
            "eight walong walo otso",
            "nine siyam nuwebe",
            "ten sampung sampu diyes",
            "eleven onse",
            "twelve dose",
        ),
        start=1,
    )
    for word in words.split()
}
UNITS = {
    word: unit
    for unit, words in {
        "day": "day days araw",
        "week": "week weeks linggo wk wks",
        "month": "month months buwan",
        "year": "year years taon",
    }.items()
    for word in words.split()
}
MONTHS = {
    word: number
    for number, words in enumerate(
        (
            "january jan enero",
            "february feb pebrero",
            "march marso",
            "april apr abril",
            "may mayo",
            "june jun hunyo",
            "july jul hulyo",
            "august aug agosto",
            "september sept sep setyembre",
            "october oct oktubre",
            "november nov nobyembre",
            "december dec disyembre",
        ),
        start=1,
    )
    for word in words.split()
}
WEEKDAYS = {
    word: number
    for number, words in enumerate(
        (
            "monday lunes",
            "tuesday martes",
            "wednesday miyerkules",
            "thursday huwebes",
            "friday biyernes",
            "saturday sabado",
            "sunday",
        )
    )
    for word in words.split()
}
SLACK = {"day": 1, "week": 4, "month": 12, "year": 90}
"""Days by which a count of units may be off: people round."""

_NUMBER = rf"(\d{{1,3}}|{'|'.join(NUMBERS)})"
_UNIT = rf"({'|'.join(UNITS)})"
_MONTH = rf"({'|'.join(MONTHS)})"
_WEEKDAY = rf"({'|'.join(WEEKDAYS)})"
_PAST = r"(?:noon|noong|nung|nitong|nakaraang|last|past|previous|this past)"

_AGO = re.compile(
    rf"\b{_NUMBER} (?:of )?{_UNIT} (?:ago|back|na ang nakakaraan|na ang nakaraan|ang nakakaraan|ang nakaraan)\b"
)
_FILIPINO_AGO = re.compile(rf"\b(?:noong|nung|noon) (?:nakaraang )?{_NUMBER} (?:na )?{_UNIT}\b")
_DURING = re.compile(rf"\b(?:past|last|nakaraang|nitong nakaraang) {_NUMBER} {_UNIT}\b")
_LAST_UNIT = re.compile(rf"\b(?:last|previous|nakaraang|nagdaang) {_UNIT}\b")
_THIS_UNIT = re.compile(rf"\b(?:this|ngayong|nitong) {_UNIT}\b")
_DAY_OF_MONTH = re.compile(
    rf"\b(?:{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?|(?:ika )?(\d{{1,2}})(?:st|nd|rd|th)? (?:of |ng )?{_MONTH})\b"
)
_IN_MONTH = re.compile(rf"\b(?:in|last|since|during|of|noong|nung|this|early|late|mid) {_MONTH}(?: (\d{{4}}))?\b")
_ON_WEEKDAY = re.compile(rf"\b(?:(?:on|{_PAST}) )(?:last |nakaraang )?{_WEEKDAY}\b")
_YESTERDAY = re.compile(r"\b(?:yesterday|kahapon|last night|kagabi)\b")
_BEFORE_YESTERDAY = re.compile(r"\b(?:day before yesterday|kamakalawa|noong isang araw)\b")
_TODAY = re.compile(r"\b(?:today|kanina|this morning|kaninang umaga|tonight)\b")
_RECENTLY = re.compile(r"\b(?:recently|lately|kamakailan|these days)\b")


@dataclass(frozen=True, slots=True)
class Span:
    """Days from the first to the last, both meant."""

    first: date
    last: date


def spans(question: str, asked_on: date) -> list[Span]:
    """Find the times that a question speaks of, narrowest first; none when it names no time."""
    text = " ".join(re.findall(r"\w+", fold(question)))
    found = [span for span in _spans(text, asked_on) if span.first <= asked_on]
    return sorted(dict.fromkeys(found), key=lambda span: (span.last - span.first, span.first))


def _spans(text: str, today: date) -> Iterator[Span]:
    if _BEFORE_YESTERDAY.search(text):
        yield _around(today - timedelta(2), 0)
    elif _YESTERDAY.search(text):
        yield _around(today - timedelta(1), 0)
    if _TODAY.search(text):
        yield _around(today, 0)
    if _RECENTLY.search(text):
        yield Span(today - timedelta(45), today)
    for pattern in (_AGO, _FILIPINO_AGO):
        for number, unit in pattern.findall(text):
            yield _counted_back(today, _number(number), UNITS[unit])
    for number, unit in _DURING.findall(text):
        yield Span(_minus(today, _number(number), UNITS[unit]), today)
    for unit in _LAST_UNIT.findall(text):
        yield _last(today, UNITS[unit])
    for unit in _THIS_UNIT.findall(text):
        yield _this(today, UNITS[unit])
    for weekday in _ON_WEEKDAY.findall(text):
        back = (today.weekday() - WEEKDAYS[weekday]) % 7 or 7
        yield _around(today - timedelta(back), 0)
    yield from _calendar(text, today)


def _calendar(text: str, today: date) -> Iterator[Span]:
    for before, day, other_day, after in _DAY_OF_MONTH.findall(text):
        month, number = MONTHS[before or after], int(day or other_day)
        year = _latest_year(today, month, number)
        if 1 <= number <= monthrange(year, month)[1]:
            yield _around(date(year, month, number), 0)
    for name, named_year in _IN_MONTH.findall(text):
        month = MONTHS[name]
        year = int(named_year) if named_year else _latest_year(today, month, 1)
        if 1970 <= year <= today.year:
            yield Span(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _latest_year(today: date, month: int, day: int) -> int:
    """Give the year of the latest such day that is not ahead."""
    return today.year if (month, day) <= (today.month, today.day) else today.year - 1


def _around(day: date, slack: int) -> Span:
    return Span(day - timedelta(slack), day + timedelta(slack))


def _number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word]


def _minus(today: date, number: int, unit: str) -> date:
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[unit] * number
    return today - timedelta(min(days, 36_500))


def _counted_back(today: date, number: int, unit: str) -> Span:
    return _around(_minus(today, number, unit), SLACK[unit] if number > 1 or unit != "day" else 0)


def _last(today: date, unit: str) -> Span:
    """Read "last week" as the one before this and the days since, since people mean either."""
    match unit:
        case "week":
            monday = today - timedelta(today.weekday())
            return Span(monday - timedelta(7), max(monday - timedelta(1), today - timedelta(1)))
        case "month":
            ended = today.replace(day=1) - timedelta(1)
            return Span(ended.replace(day=1), ended)
        case "year":
            return Span(date(today.year - 1, 1, 1), date(today.year - 1, 12, 31))
        case _:
            return _around(today - timedelta(1), 0)


def _this(today: date, unit: str) -> Span:
    match unit:
        case "week":
            return Span(today - timedelta(today.weekday()), today)
        case "month":
            return Span(today.replace(day=1), today)
        case "year":
            return Span(date(today.year, 1, 1), today)
        case _:
            return _around(today, 0)
