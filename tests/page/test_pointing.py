"""Pointing back: marks and jumps, clarification tapped and typed, a reference put right, the context of an answer."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from gunita.models import PieceKind
from tests.api.service import Service, serving
from tests.page.reader import Reader

QUESTIONS = (
    "What are the requirements for a Japan visa?",
    "How do I cook chicken adobo?",
    "Which vaccines does a puppy need?",
    "How much is the passport renewal fee?",
)


def with_history(reader: Reader) -> Reader:
    """Open a conversation with four turns about different things."""
    with reader.service.opened() as gunita:
        session = gunita.sessions.create_session("anonymous")
        for question in QUESTIONS:
            gunita.sessions.store_turn(session, "anonymous", question, f"A long answer to: {question}")
    reader.page.goto(f"{reader.service.url}/#/c/{session}")
    expect(reader.turns).to_have_count(4)
    return reader


def test_yung_una_is_marked_with_its_confidence_and_jumped_to(reader: Reader) -> None:
    with_history(reader).ask("Tell me more about yung una")
    mark = reader.turn(5).locator(".reference")
    expect(mark).to_contain_text("turn 1 ·")
    expect(mark).to_contain_text("%")
    expect(mark).to_have_attribute("aria-label", f"Go to turn 1, {mark.inner_text()[-4:].strip()} sure: {QUESTIONS[0]}")
    mark.click()
    expect(reader.turn(1)).to_be_focused()
    expect(reader.turn(1)).to_have_class("turn lit")
    expect(reader.turn(1)).to_be_in_viewport()


def test_a_mark_jumps_to_a_turn_that_is_not_loaded(reader: Reader) -> None:
    with reader.service.opened() as gunita:
        session = gunita.sessions.create_session("anonymous")
        for number in range(1, 121):
            gunita.sessions.store_turn(session, "anonymous", f"question {number}", f"answer {number}")
        gunita.sessions.store_turn(
            session,
            "anonymous",
            "and the fifth?",
            "that",
            {"intent": "reference", "confidence": 0.9, "references": [5]},
        )
    reader.visit(f"#/c/{session}")
    expect(reader.turn(121)).to_be_in_viewport()
    expect(reader.turn(5)).to_have_count(0)
    reader.turn(121).locator(".reference").click()
    expect(reader.turn(5)).to_be_in_viewport()
    expect(reader.turn(5)).to_be_focused()
    reader.button("Newest").click()
    expect(reader.turn(121)).to_be_in_viewport()


def test_a_reference_that_was_understood_wrongly_is_put_right(reader: Reader) -> None:
    with_history(reader).ask("Tell me more about yung una")
    reader.turn(5).locator(".correction > summary").click()
    reader.turn(5).locator(".correction").get_by_role("button", name=QUESTIONS[1]).click()
    reader.told("Thank you.")
    expect(reader.turn(5).locator(".reference")).to_contain_text("turn 2 ·")
    kept = reader.service.get("/api/corrections")["items"]
    assert [correction["meant"] for correction in kept] == [{"references": [2]}]


def test_a_clarification_is_settled_by_a_tap(reader: Reader) -> None:
    with_history(reader).write("Tell me more about the seventh one")
    choices = reader.turn(5).locator(".choices button")
    expect(choices.first).to_be_visible()
    assert choices.count() >= 2
    wanted = int(choices.first.locator(".choice-number").inner_text())
    choices.first.click()
    expect(reader.turn(6).locator(".reference")).to_contain_text(f"turn {wanted} ·")
    expect(reader.page.locator(".choices")).to_have_count(0)
    expect(reader.turn(6).locator(".prose")).to_contain_text("the seventh one")


def test_a_clarification_is_settled_by_typing(reader: Reader) -> None:
    with_history(reader).write("Tell me more about the seventh one")
    offered = reader.turn(5).locator(".choices button").first.locator(".choice-number").inner_text()
    reader.ask("yung una")
    expect(reader.turn(6).locator(".reference")).to_contain_text(f"turn {offered} ·")


def test_a_pending_question_is_still_there_after_a_reload(reader: Reader) -> None:
    with_history(reader).write("Tell me more about the seventh one")
    expect(reader.turn(5).locator(".choices")).to_be_visible()
    reader.page.reload()
    reader.turn(5).locator(".choices button").first.click()
    expect(reader.turn(6).locator(".reference")).to_be_visible()


def test_the_receipt_of_an_answer_says_what_stood_before_the_model(reader: Reader) -> None:
    with_history(reader).ask("Tell me more about yung una")
    reader.button("Context of turn 5").click()
    panel = reader.page.get_by_role("complementary", name="Context of turn 5")
    expect(panel.locator(".budget-total")).to_contain_text("of 8,192 tokens")
    expect(panel.get_by_role("heading", name="Pointed at")).to_be_visible()
    receipt = reader.service.get(f"/api/conversations/{reader.conversation_id}/turns/5/receipt")["body"]
    expect(panel.locator(".receipt-line")).to_have_count(len(receipt["lines"]))
    expect(panel.locator(".budget-total")).to_contain_text(f"{receipt['prompt_tokens']:,}")
    widths = panel.locator(".bar .part").evaluate_all(
        "parts => Object.fromEntries(parts.map(part => [part.classList[1], part.getBoundingClientRect().width]))"
    )
    assert widths["free"] > widths["reserve"] > widths["window_turn"] > widths["query"]
    free = receipt["context_tokens"] - receipt["prompt_tokens"] - receipt["reserve_tokens"]
    assert round(widths["free"] / widths["reserve"]) == round(free / receipt["reserve_tokens"])
    panel.locator(".receipt-section", has_text="Pointed at").get_by_role("button").click()
    expect(reader.turn(1)).to_be_focused()
    reader.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)


def test_the_receipt_has_a_place_and_a_name_for_every_kind_of_piece(page: Page, quoting: Service) -> None:
    Reader(page, quoting).visit()
    kinds, named = page.evaluate(
        """async () => {
            const { KINDS } = await import('/page/state/looking.js');
            const { english } = await import('/page/text/en.js');
            return [KINDS, KINDS.filter(kind => english[`kind_${kind}`])];
        }"""
    )
    assert kinds == named == [kind.value for kind in PieceKind]


def test_the_receipt_says_what_was_left_out_and_why(page: Page, tmp_path: Path) -> None:
    with serving(str(tmp_path / "gunita.db"), model_context_tokens=700, answer_reserve_tokens=200) as service:
        with service.opened() as gunita:
            session = gunita.sessions.create_session("anonymous")
            for number in range(8):
                gunita.sessions.store_turn(session, "anonymous", f"Question {number}", "A long answer. " * 40)
        reader = Reader(page, service).visit(f"#/c/{session}")
        expect(reader.turns).to_have_count(8)
        reader.ask("And what about rice?")
        reader.button("Context of turn 9").click()
        receipt = service.get(f"/api/conversations/{session}/turns/9/receipt")["body"]
        left_out = [line for line in receipt["lines"] if line["fate"] == "left_out"]
        section = page.locator(".receipt-section", has_text="Left out")
        expect(section.locator(".receipt-line")).to_have_count(len(left_out))
        assert len(left_out) > 3
        expect(section.locator(".receipt-line").first).to_contain_text(left_out[0]["reason"])
        expect(page.locator(".drawer .receipt-line")).to_have_count(len(receipt["lines"]))
