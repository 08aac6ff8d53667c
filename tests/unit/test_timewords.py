"""The times that a question names, against the day it is asked on."""

from __future__ import annotations

from datetime import date

import pytest

from gunita.recall.timewords import Span, spans

WEDNESDAY = date(2023, 6, 14)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What did I say last May?", date(2023, 5, 1), date(2023, 5, 31)),
        ("Anong napag-usapan natin noong Mayo?", date(2023, 5, 1), date(2023, 5, 31)),
        ("What happened in December?", date(2022, 12, 1), date(2022, 12, 31)),
        ("Where did I eat yesterday?", date(2023, 6, 13), date(2023, 6, 13)),
        ("Saan ako kumain kahapon?", date(2023, 6, 13), date(2023, 6, 13)),
        ("Sino yung kausap ko nung Lunes?", date(2023, 6, 12), date(2023, 6, 12)),
        ("Who did I meet last Friday?", date(2023, 6, 9), date(2023, 6, 9)),
        ("What did I buy on March 15th?", date(2023, 3, 15), date(2023, 3, 15)),
        ("What did we plan this month?", date(2023, 6, 1), date(2023, 6, 14)),
        ("What did we plan last month?", date(2023, 5, 1), date(2023, 5, 31)),
        ("Ano ang binili ko nakaraang buwan?", date(2023, 5, 1), date(2023, 5, 31)),
        ("Where did I travel last year?", date(2022, 1, 1), date(2022, 12, 31)),
        ("Whom did I call on Wednesday?", date(2023, 6, 7), date(2023, 6, 7)),
        ("What did I order on June 14?", date(2023, 6, 14), date(2023, 6, 14)),
        ("What did I order on June 15?", date(2022, 6, 15), date(2022, 6, 15)),
    ],
)
def test_a_named_time_is_read_as_days(question: str, first: date, last: date) -> None:
    assert spans(question, WEDNESDAY) == [Span(first, last)]


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What did I buy two weeks ago?", date(2023, 5, 31)),
        ("Anong binili ko noong isang linggo?", date(2023, 6, 7)),
        ("Ano ang sinabi ko 3 araw na ang nakakaraan?", date(2023, 6, 11)),
        ("Which book did I finish a month ago?", date(2023, 5, 15)),
        ("Anong trabaho ko noong dalawang taon?", date(2021, 6, 14)),
    ],
)
def test_a_count_of_units_reaches_about_that_day(question: str, day: date) -> None:
    (found,) = spans(question, WEDNESDAY)
    assert found.first <= day <= found.last
    assert (found.last - found.first).days <= 180


@pytest.mark.parametrize("question", ["How many plants do I have?", "May tanong ako tungkol sa bayad", "Who is Mayo?"])
def test_a_question_without_a_time_names_none(question: str) -> None:
    assert spans(question, WEDNESDAY) == []


def test_the_narrowest_of_several_times_comes_first() -> None:
    found = spans("Was it last month or yesterday?", WEDNESDAY)
    assert found[0] == Span(date(2023, 6, 13), date(2023, 6, 13))


def test_a_day_that_does_not_exist_is_no_time() -> None:
    assert spans("What did I do on February 31?", WEDNESDAY) == []
