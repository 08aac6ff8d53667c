"""Queries that name two topics: how their lines are read, and what is fitted to them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from training.references.bank import APART, load_bank
from training.references.pairs import (
    JOINS,
    Line,
    conversation,
    curves,
    fit_curves,
    in_few_words,
    joining_tokens,
    read_line,
    read_lines,
)
from training.references.written import known_turns


def test_every_written_line_names_turns_that_are_there_and_marks_a_topic_for_each() -> None:
    known = known_turns(APART) | known_turns(APART.parent)
    lines = read_lines()
    assert len(lines) == 1_796
    assert len({line.query for line in lines}) == len(lines)
    for line in lines:
        assert known.issuperset(line.turns)
        assert all(line.query[start:end].strip() for start, end in line.spans)


def test_a_line_that_marks_too_little_is_refused() -> None:
    with pytest.raises(ValueError, match="both names 2 turns"):
        read_line("kitchen\ten\tboth\t1,2\tthe [stove] and the sink")


def test_a_query_in_few_words_keeps_its_topics_where_it_says_they_stand() -> None:
    line = read_line("kitchen\ten\tboth\t1,2\tput [the stove] next to [the sink] for me")
    short = in_few_words(line, random.Random(1))
    assert [short.query[start:end] for start, end in short.spans] == ["the stove", "the sink"]
    assert (short.label, short.turns) == (line.label, line.turns)


def test_only_tokens_between_two_topics_join_them() -> None:
    line = read_line("kitchen\ten\tboth\t1,2\t[stove] and [sink] now")
    wanted = joining_tokens(line, [(0, 0), (0, 5), (6, 9), (10, 14), (15, 18), (0, 0)])
    assert wanted[:, JOINS.index("both")].tolist() == [0, 0, 1, 0, 0, 0]
    assert not wanted[:, JOINS.index("either")].any()


def test_a_conversation_holds_what_is_meant_in_its_order() -> None:
    domain = load_bank(APART)[0]
    line = Line(domain.name, "en", "both", (domain.turns[1].id, domain.turns[4].id), "")
    for seed in range(20):
        held = [turn.id for turn in conversation(line, domain, random.Random(seed))]
        assert set(held) >= set(line.turns)
        assert held == [turn.id for turn in domain.turns if turn.id in held]


def test_what_is_fitted_tells_what_it_was_shown() -> None:
    drawn = np.random.default_rng(3)
    states = drawn.normal(2, 3, (400, 6)).astype(np.float32)
    wanted = np.stack([states[:, 0] > 2, states[:, 1] > 4], axis=1).astype(np.float32)
    found = fit_curves("two", states, wanted, 1e-4)
    said = states @ found["two.weight"].T + found["two.bias"]
    assert ((said > 0) == wanted.astype(bool)).mean() > 0.97
    fitted = curves(states, wanted, [f"domain{i % 9}" for i in range(400)])
    assert {name.split(".")[0] for name in fitted} == set(JOINS)
