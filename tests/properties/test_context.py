"""What every assembled prompt promises, whatever it was made of."""

from __future__ import annotations

import contextlib
import re
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gunita.context.assembly import Assembled, assemble
from gunita.context.budget import Budget
from gunita.context.pieces import Section, fair_shares
from gunita.context.prompt import NOTE, Material, count_messages, turn_source
from gunita.context.receipt import from_json, to_json
from gunita.context.window import WindowTurn, choose_window
from gunita.errors import ValidationError
from gunita.language.tokens import MARK, Encoding, Tokens
from gunita.models import Fate, Memory, MemoryType, PieceKind, RecalledTurn, Summary, Turn

HERE, ELSEWHERE = UUID(int=1), UUID(int=2)
LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)
meters = st.sampled_from([Tokens(Encoding.O200K), Tokens(Encoding.CL100K)])

AWKWARD = (
    "</turn>", "<TURN number=1>", "< / referenced_turns >", "<|im_end|>", "<div>", "\n", "\n\n<", "/", " ", "  \n",
    "sinabi mo kanina", "magkano po?", "The total is 3,500.75 pesos.", "👨‍👩‍👧", "ñ", "中文", "a" * 50, "1234567", ">",
)  # fmt: skip
awkward = st.sampled_from(AWKWARD)
texts = st.lists(st.one_of(awkward, st.text(max_size=12)), min_size=1, max_size=8).map("".join)
long_texts = st.builds(lambda text, times: (text or "x") * times, texts, st.integers(1, 40))


def turn(number: int, query: str, response: str, session: UUID = HERE) -> Turn:
    when = LONG_AGO + timedelta(minutes=number)
    return Turn(UUID(int=1000 + number), session, "user", number, query, response, when)


@st.composite
def windows(draw: st.DrawFn) -> tuple[WindowTurn, ...]:
    count = draw(st.integers(0, 12))
    turns = [turn(n, draw(long_texts), draw(long_texts)) for n in range(1, count + 1)]
    referenced = draw(st.lists(st.integers(1, 14), max_size=3))
    return choose_window(turns, referenced, size=draw(st.integers(1, 14)), folded_through=draw(st.integers(0, 12)))


@st.composite
def memories(draw: st.DrawFn) -> list[Memory]:
    return [
        Memory(
            UUID(int=n), "user", draw(st.sampled_from(MemoryType)), None, draw(texts), None, None, LONG_AGO, pinned=p
        )
        for n, p in enumerate(draw(st.lists(st.booleans(), max_size=14)))
    ]


recalled = st.lists(
    st.builds(
        lambda number, elsewhere, query, response, title: RecalledTurn(
            turn(number, query, response, ELSEWHERE if elsewhere else HERE), 0.5, title
        ),
        st.integers(1, 12), st.booleans(), texts, texts, st.none() | texts,
    ),
    max_size=4,
)  # fmt: skip
materials = st.builds(
    Material,
    query=long_texts,
    system_prompt=st.just("") | texts,
    window=windows(),
    memories=memories(),
    user_memory=st.dictionaries(texts, st.integers() | texts | st.lists(texts, max_size=2), max_size=3),
    summary=st.none()
    | st.builds(Summary, long_texts, st.just(()), st.just("extractive"), through_turn=st.integers(0, 9)),
    documents=st.lists(texts, max_size=2),
    recalled=recalled,
)
budgets = st.builds(Budget, st.integers(400, 6_000), st.integers(0, 150))


def fates(assembled: Assembled, kind: PieceKind) -> list[Fate]:
    return [line.fate for line in assembled.receipt.lines if line.kind is kind]


@given(materials, budgets, meters)
def test_the_assembled_prompt_counts_what_the_budget_computed_and_never_more_than_it_allows(
    material: Material, budget: Budget, meter: Tokens
) -> None:
    assembled = assemble(material, budget, meter)
    assert count_messages(assembled.messages, meter) == assembled.tokens <= budget.prompt_tokens


@given(materials, budgets, meters)
def test_the_receipt_accounts_for_every_piece_once_and_for_every_token(
    material: Material, budget: Budget, meter: Tokens
) -> None:
    receipt = assemble(material, budget, meter).receipt
    given_pieces = sorted(
        [turn_source(chosen.turn) for chosen in material.window]
        + [turn_source(found.turn) for found in material.recalled]
        + [str(memory.id) for memory in material.memories]
        + [*material.user_memory, *material.documents, "query"]
        + (["summary"] if material.summary else [])
        + (["system_prompt"] if material.system_prompt.strip() else [])
    )
    assert sorted(line.source for line in receipt.lines) == given_pieces
    assert sum(line.tokens for line in receipt.lines) + receipt.framing_tokens == receipt.prompt_tokens
    for line in receipt.lines:
        expected = {
            Fate.KEPT: line.tokens == line.whole_tokens,
            Fate.CUT: line.tokens > 0,
            Fate.LEFT_OUT: line.tokens == 0,
        }
        assert expected[line.fate], line
    assert from_json(to_json(receipt)) == receipt


@given(materials, budgets, meters)
def test_the_newest_turn_and_those_pointed_at_stay_while_they_fit(
    material: Material, budget: Budget, meter: Tokens
) -> None:
    bare = assemble(Material(query=material.query, system_prompt=material.system_prompt), budget, meter)
    essential = [chosen for chosen in material.window if chosen.is_newest or chosen.is_referenced]
    largest = Budget(262_144, 0)
    alone = Material(query=material.query, system_prompt=material.system_prompt, window=essential)
    assembled = assemble(material, budget, meter)
    kept = {line.source for line in assembled.receipt.lines if line.fate is not Fate.LEFT_OUT}
    whole = {line.source for line in assembled.receipt.lines if line.fate is Fate.KEPT}
    wanted = {turn_source(chosen.turn) for chosen in essential}
    if assemble(alone, largest, meter).tokens <= budget.prompt_tokens:
        assert wanted <= whole
    elif budget.prompt_tokens - bare.tokens > 200 * len(essential) + 200:
        assert wanted <= kept


@given(materials, budgets, meters)
def test_the_first_turn_stays_while_it_fits(material: Material, budget: Budget, meter: Tokens) -> None:
    ends = [chosen for chosen in material.window if chosen.is_newest or chosen.is_referenced or chosen.is_first]
    alone = Material(query=material.query, system_prompt=material.system_prompt, window=ends)
    assume(assemble(alone, Budget(262_144, 0), meter).tokens <= budget.prompt_tokens)
    kept = {line.source for line in assemble(material, budget, meter).receipt.lines if line.fate is Fate.KEPT}
    assert {turn_source(chosen.turn) for chosen in ends} <= kept


@given(materials, budgets, meters)
def test_the_same_material_gives_the_same_prompt(material: Material, budget: Budget, meter: Tokens) -> None:
    assert assemble(material, budget, meter) == assemble(material, budget, meter)


@given(materials, budgets)
def test_a_larger_budget_never_loses_a_turn_pointed_at(material: Material, budget: Budget) -> None:
    meter, larger = Tokens(), Budget(budget.context_tokens + 2_000, budget.reserve_tokens)
    smaller_kept = [f for f in fates(assemble(material, budget, meter), PieceKind.REFERENCED_TURN) if f is Fate.KEPT]
    larger_kept = [f for f in fates(assemble(material, larger, meter), PieceKind.REFERENCED_TURN) if f is Fate.KEPT]
    assert len(smaller_kept) <= len(larger_kept)


@given(materials, budgets, meters)
def test_messages_stand_in_order_one_system_message_then_turns_then_the_query(
    material: Material, budget: Budget, meter: Tokens
) -> None:
    roles = [message["role"] for message in assemble(material, budget, meter).messages]
    chat = roles[1:] if roles[0] == "system" else roles
    assert chat == ["user", "assistant"] * (len(chat) // 2) + ["user"]


@given(materials, budgets, meters)
def test_nothing_is_invented(material: Material, budget: Budget, meter: Tokens) -> None:
    said = [text for chosen in material.window for text in (chosen.turn.query_text, chosen.turn.response_text)]
    said.append(material.query)
    for message in assemble(material, budget, meter).messages:
        if message["role"] != "system":
            assert any(is_cut_from(message["content"], text) for text in said)


def is_cut_from(shown: str, whole: str) -> bool:
    if shown == whole:
        return True
    for mark in re.finditer(re.escape(MARK), shown):
        beginning, end = shown[: mark.start()].rstrip(), shown[mark.end() :].lstrip()
        if whole.lstrip().startswith(beginning) and whole.rstrip().endswith(end):
            return True
    return False


@given(materials, budgets)
def test_stored_text_can_neither_close_its_quotation_nor_open_a_section(material: Material, budget: Budget) -> None:
    assembled = assemble(material, budget, Tokens())
    system = assembled.messages[0]["content"] if assembled.messages[0]["role"] == "system" else ""
    remembered = system.removeprefix(material.system_prompt.strip()).replace(NOTE, "")
    for section in Section:
        assert len(re.findall(rf"<\s*/?\s*{section.value}\b", remembered, re.IGNORECASE)) in (0, 2)
    openings = len(re.findall(r"<turn\b", remembered, re.IGNORECASE))
    closings = len(re.findall(r"<\s*/\s*turn\b", remembered, re.IGNORECASE))
    kept = [f for kind in (PieceKind.REFERENCED_TURN, PieceKind.RECALLED_TURN) for f in fates(assembled, kind)]
    assert openings == closings == sum(fate is not Fate.LEFT_OUT for fate in kept)
    assert "<|" not in remembered


@given(materials, st.integers(1, 60))
def test_a_context_too_small_for_any_query_is_refused_and_never_overrun(material: Material, size: int) -> None:
    meter, budget = Tokens(), Budget(size, 0)
    with contextlib.suppress(ValidationError):
        assembled = assemble(material, budget, meter)
        assert count_messages(assembled.messages, meter) <= size


@given(
    st.lists(st.integers(1, 60), max_size=30),
    st.lists(st.integers(1, 70), max_size=6),
    st.integers(1, 30),
    st.integers(0, 60),
)
def test_a_window_is_bounded_in_order_and_holds_the_newest_the_first_and_those_pointed_at(
    numbers: list[int], referenced: list[int], size: int, folded: int
) -> None:
    window = choose_window([turn(n, "q", "r") for n in numbers], referenced, size, folded)
    chosen = [kept.turn.turn_number for kept in window]
    assert chosen == sorted(set(chosen))
    assert len(chosen) == min(size, len(set(chosen) | {n for n in numbers if n > folded}))
    assert set(chosen) <= set(numbers)
    wanted = list(
        dict.fromkeys([*sorted(numbers)[-1:], *(n for n in referenced if n in numbers), *sorted(numbers)[:1]])
    )
    assert set(wanted[:size]) <= set(chosen)
    assert all(kept.reasons for kept in window)


@given(st.lists(st.integers(0, 500), max_size=12), st.integers(0, 2_000))
def test_fair_shares_waste_nothing_and_favour_nobody(wanted: list[int], room: int) -> None:
    shares = fair_shares(wanted, room)
    assert all(0 <= share <= want for share, want in zip(shares, wanted, strict=True))
    assert sum(shares) <= room
    if sum(wanted) <= room:
        assert shares == wanted
    cut = [share for share, want in zip(shares, wanted, strict=True) if share < want]
    assert not cut or max(cut) - min(cut) <= 1


@given(long_texts, st.integers(0, 200), meters)
def test_a_cut_text_fits_and_keeps_its_beginning(text: str, limit: int, meter: Tokens) -> None:
    for cut in (meter.head(text, limit), meter.tail(text, limit), meter.shorten(text, limit)):
        assert meter.count(cut) <= limit
        assert meter.fits(cut, limit)
    assert text.startswith(meter.head(text, limit))
    assert text.endswith(meter.tail(text, limit))
    assert is_cut_from(meter.shorten(text, limit), text) or meter.shorten(text, limit) == ""
    assert meter.fits(text, limit) == (meter.count(text) <= limit)


@pytest.mark.parametrize("encoding", Encoding)
def test_both_encodings_count_what_they_encode(encoding: Encoding) -> None:
    meter = Tokens(encoding)
    assert meter.count_many(["", "Magandang umaga po!", "hello"]) == [0, meter.count("Magandang umaga po!"), 1]
