"""Talking on the page: asking, hearing, stopping, coming back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from gunita import Gunita, ids
from tests.api.scripted_model import Manner, ScriptedModel
from tests.api.service import Service, serving
from tests.page.reader import Reader


def test_the_first_visit_teaches_in_three_examples_what_can_be_said(reader: Reader) -> None:
    expect(reader.page.get_by_role("heading", name="Ask once. Point back anytime.")).to_be_visible()
    examples = reader.page.locator(".examples button")
    expect(examples).to_have_count(3)
    examples.first.click()
    expect(reader.composer).to_have_value("Ano ang requirements sa Japan visa?")
    expect(reader.composer).to_be_focused()


def test_an_answer_is_shown_as_it_comes(reader: Reader, model: ScriptedModel) -> None:
    model.manner, model.answer = Manner.WAITING, lambda _: "one two three"
    reader.write("What is the capital of France?")
    model.allow(1)
    speaking = reader.turn(1).locator(".speaking")
    expect(speaking).to_have_text("one")
    expect(reader.button("Stop")).to_be_visible()
    model.allow(1)
    expect(speaking).to_have_text("one two")
    model.allow(1)
    expect(reader.turn(1).locator(".response .prose")).to_have_text("one two three")
    reader.settled()
    expect(reader.entries).to_have_count(1)


def test_a_stopped_answer_is_kept_as_far_as_it_came_and_can_be_asked_again(
    reader: Reader, model: ScriptedModel
) -> None:
    model.manner, model.answer = Manner.WAITING, lambda _: "one two three"
    reader.write("What is the capital of France?")
    model.allow(2)
    expect(reader.turn(1).locator(".speaking")).to_have_text("one two")
    reader.button("Stop").click()
    expect(reader.turn(1).locator(".tag")).to_have_text("stopped")
    expect(reader.turn(1).locator(".prose")).to_have_text("one two")
    model.manner = Manner.NORMAL
    reader.button("Ask again").click()
    expect(reader.turn(2).locator(".prose")).to_have_text("one two three")


def test_escape_stops_an_answer(reader: Reader, model: ScriptedModel) -> None:
    model.manner = Manner.WAITING
    reader.write("Say something long")
    model.allow(1)
    expect(reader.turn(1).locator(".speaking")).to_contain_text("You")
    reader.page.keyboard.press("Escape")
    expect(reader.turn(1).locator(".tag")).to_have_text("stopped")


def test_a_reload_restores_everything(reader: Reader) -> None:
    reader.ask("What is the capital of France?").ask("And of Spain?")
    expect(reader.page.locator(".title")).to_contain_text("capital of France")
    said = reader.page.locator(".column").inner_text()
    reader.page.reload()
    expect(reader.turns).to_have_count(2)
    assert reader.page.locator(".column").inner_text() == said


def test_a_reload_in_mid_answer_goes_on_hearing_it(reader: Reader, model: ScriptedModel) -> None:
    model.manner, model.answer = Manner.WAITING, lambda _: "one two three"
    reader.write("What is the capital of France?")
    model.allow(1)
    expect(reader.turn(1).locator(".speaking")).to_have_text("one")
    reader.page.reload()
    expect(reader.turn(1).locator(".speaking")).to_have_text("one")
    model.allow(2)
    expect(reader.turn(1).locator(".response .prose")).to_have_text("one two three")
    reader.settled()
    expect(reader.turns).to_have_count(1)


def test_an_answer_that_comes_while_somebody_looks_elsewhere_is_marked_unread(
    reader: Reader, model: ScriptedModel
) -> None:
    reader.ask("What is the capital of France?")
    first = reader.conversation_id
    model.manner = Manner.WAITING
    reader.write("How do I cook chicken adobo?")
    model.wait_until_asked(2)
    reader.begin_anew()
    expect(reader.entries.first.get_by_label("Gunita is answering …")).to_be_visible()
    model.allow(100)
    dot = reader.page.locator(f'.entry[href="#/c/{first}"]').get_by_label("new answer")
    expect(dot).to_be_visible()
    reader.entries.first.click()
    expect(dot).to_have_count(0)
    expect(reader.turn(2).locator(".response .prose")).to_contain_text("chicken adobo")


def test_an_answer_that_comes_while_the_tab_is_hidden_is_unread_until_somebody_comes_back(
    reader: Reader, model: ScriptedModel
) -> None:
    page = reader.page
    reader.ask("What is the capital of France?")
    model.manner = Manner.WAITING
    reader.write("And of Spain?")
    model.wait_until_asked(2)
    hide = "Object.defineProperty(document, 'hidden', {{ value: {}, configurable: true }})"
    page.evaluate(hide.format("true"))
    model.allow(100)
    dot = reader.entries.first.get_by_label("new answer")
    expect(dot).to_be_visible()
    page.evaluate(hide.format("false"))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(dot).to_have_count(0)


def test_whoever_sends_sees_what_they_sent_wherever_they_had_scrolled_to(reader: Reader, model: ScriptedModel) -> None:
    model.answer = lambda _: "A long answer.\n\n" * 30
    reader.ask("What is the capital of France?").ask("And of Spain?")
    reader.page.locator(".thread").evaluate("box => { box.scrollTop = 0; }")
    expect(reader.turn(1).locator(".bubble")).to_be_in_viewport()
    expect(reader.button("Newest")).to_be_visible()
    model.manner = Manner.WAITING
    reader.write("And of Portugal?")
    expect(reader.turns.last.locator(".bubble")).to_be_in_viewport()
    model.allow(100)
    reader.settled()
    expect(reader.turn(3).locator(".response-foot")).to_be_in_viewport()


READ_OUT = """() => {
    window.readOut = [];
    const place = document.querySelector('.shell > .unseen[role=status]');
    const note = () => place.textContent && window.readOut.push(place.textContent);
    new MutationObserver(note).observe(place, { childList: true, characterData: true, subtree: true });
}"""


def test_every_answer_is_read_out_to_who_cannot_see_it_come(reader: Reader) -> None:
    reader.page.evaluate(READ_OUT)
    reader.ask("What is the capital of France?").ask("How do I cook adobo?").ask("Tell me more about the seventh one")
    expect(reader.page.locator(".choices")).to_be_visible()
    said = ["The answer is here.", "The answer is here.", "Gunita asks which one you mean."]
    assert reader.page.evaluate("window.readOut") == said


def test_two_tabs_on_one_conversation_show_the_same(reader: Reader, model: ScriptedModel) -> None:
    reader.ask("What is the capital of France?")
    other = Reader(reader.page.context.new_page(), reader.service).visit(f"#/c/{reader.conversation_id}")
    expect(other.turns).to_have_count(1)
    model.manner, model.answer = Manner.WAITING, lambda _: "one two three"
    reader.write("How do I cook chicken adobo?")
    model.allow(2)
    expect(reader.turn(2).locator(".speaking")).to_have_text("one two")
    expect(other.turn(2).locator(".speaking")).to_have_text("one two")
    model.allow(1)
    for tab in (reader, other):
        expect(tab.turn(2).locator(".response .prose")).to_have_text("one two three")
        tab.settled()
        expect(tab.turns).to_have_count(2)


def test_a_service_that_restarts_in_mid_answer_leaves_what_was_said(page, tmp_path, model: ScriptedModel) -> None:
    model.manner, model.answer = Manner.WAITING, lambda _: "one two three"
    database = str(tmp_path / "gunita.db")
    settings = {"llm_base_url": model.url, "llm_model": "scripted", "llm_retries": 0}
    with serving(database, **settings) as service:
        reader = Reader(page, service).visit().write("What is the capital of France?")
        model.allow(2)
        expect(reader.turn(1).locator(".speaking")).to_have_text("one two")
    port = int(service.url.rpartition(":")[2])
    with serving(database, port=port, **settings):
        expect(reader.turn(1).locator(".prose")).to_have_text("one two", timeout=20_000)
        expect(reader.turn(1).locator(".tag")).to_have_text("stopped")
        model.manner = Manner.NORMAL
        reader.ask("Are you back?")
        expect(reader.turn(2).locator(".prose")).to_have_text("one two three")


def test_a_conversation_whose_time_is_over_says_so(reader: Reader) -> None:
    reader.ask("Forget me")
    gone = reader.conversation_id
    tomorrow = ids.now() + timedelta(hours=25)
    with Gunita.open(reader.service.database, clock=lambda: tomorrow) as gunita:
        assert gunita.cleanup.run_cleanup().sessions_deleted == 1
    reader.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(reader.page.get_by_role("heading", name="This conversation is forgotten")).to_be_visible()
    reader.page.reload()
    expect(reader.page.get_by_role("heading", name="This conversation is forgotten")).to_be_visible()
    expect(reader.entries).to_have_count(0)
    reader.page.locator(".empty").get_by_role("button", name="New conversation").click()
    reader.ask("A fresh start")
    assert reader.conversation_id != gone


def test_what_is_sent_the_moment_a_conversation_is_begun_goes_to_the_new_one(reader: Reader) -> None:
    reader.ask("The old one")
    before = reader.conversation_id
    # In one go: the browser tells the page of its new address only afterwards.
    reader.page.evaluate(
        """() => {
          document.querySelector(".new-button").click();
          const box = document.getElementById("composer");
          box.value = "The new one";
          box.dispatchEvent(new Event("input", { bubbles: true }));
          box.form.requestSubmit();
        }"""
    )
    expect(reader.entries).to_have_count(2)
    reader.settled()
    expect(reader.turn(1).locator(".query")).to_contain_text("The new one")
    assert reader.conversation_id != before


def test_strangers_text_runs_nothing(reader: Reader, model: ScriptedModel) -> None:
    attack = (
        "<script>window.hit=1</script> <img src=x onerror='window.hit=2'> [a](javascript:window.hit=3)\n\n"
        "<svg onload='window.hit=4'></svg> <iframe srcdoc='<script>parent.hit=5</script>'></iframe>\n\n"
        "![cat](https://example.org/cat.png)\n\n```html\n<script>window.hit=6</script>\n```"
    )
    model.answer = lambda _: attack
    reader.ask(attack)
    prose = reader.turn(1).locator(".response .prose")
    expect(prose).to_contain_text("<script>window.hit=6</script>")
    expect(prose.locator("script, img, iframe, svg")).to_have_count(0)
    assert prose.locator("a").evaluate_all("links => links.map(link => link.protocol)") == ["https:"]
    assert reader.page.evaluate("window.hit") is None


HOSTILE = """
    <script>window.hit=1</script><img src=x onerror="window.hit=2"><svg onload="window.hit=3"></svg>
    <iframe srcdoc="<script>parent.hit=4</script>"></iframe><a href="javascript:window.hit=5">a</a>
    <form action="https://example.org"><input name=q></form><style>body{display:none}</style>
    <b onclick="window.hit=6" style="position:fixed">b</b><math><mtext><img src=x onerror=hit=7></mtext></math>
"""


def test_each_lock_on_strangers_text_holds_alone(page: Page, service: Service) -> None:
    """The first lock, markdown.js, has its own tests in node."""
    Reader(page, service).visit()
    made = page.evaluate(
        """async html => {
            const { safeNodes } = await import('/page/sanitise.js');
            document.querySelector('.empty').append(safeNodes(html));
            const nodes = [...document.querySelectorAll('.empty *')];
            return nodes.flatMap(node => [node.localName, ...[...node.attributes].map(one => one.name)]);
        }""",
        HOSTILE,
    )
    assert not {"script", "img", "iframe", "form", "style", "math", "onclick", "onerror", "onload"} & set(made)
    assert page.locator(".empty a").evaluate_all("links => links.map(link => link.protocol)") == [":"]
    # The third lock: the browser itself refuses text that nobody cleaned, and scripts that are not the page's.
    refused = (
        "html => { try { document.body.innerHTML = html; return null; } catch (problem) { return problem.name; } }"
    )
    assert page.evaluate(refused, HOSTILE) == "TypeError"
    policy = "trustedTypes.createPolicy('strangers', { createHTML: text => text })"
    assert page.evaluate(f"() => {{ try {{ {policy}; return null; }} catch (problem) {{ return problem.name; }} }}")
    assert page.evaluate("window.hit") is None


def test_an_answer_is_copied_as_it_was_written(reader: Reader, model: ScriptedModel) -> None:
    reader.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    model.answer = lambda _: "**Bold**, and a list:\n\n- one\n- two"
    reader.ask("Show me Markdown")
    reader.turn(1).get_by_role("button", name="Copy", exact=True).click()
    reader.told("Copied")
    assert reader.page.evaluate("navigator.clipboard.readText()") == "**Bold**, and a list:\n\n- one\n- two"


def test_a_browser_that_lets_nobody_copy_is_told_of(reader: Reader, model: ScriptedModel) -> None:
    # As it is where the page came without TLS from another machine.
    reader.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    model.answer = lambda _: "```python\nprint('kumusta')\n```"
    reader.ask("Show me code")
    for name in ("Copy", "Copy code"):
        reader.turn(1).get_by_role("button", name=name, exact=True).click()
        toast = reader.page.locator(".toast")
        expect(toast).to_contain_text("does not let this page copy")
        reader.page.reload()
        reader.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")


def test_days_are_marked_where_they_begin(page: Page, lasting: Service) -> None:
    noon = datetime.now(UTC).replace(hour=12)
    with lasting.opened() as gunita:
        session = gunita.sessions.create_session("anonymous")
    for days in (4, 4, 1, 0, 0):
        then = noon - timedelta(days=days)
        with Gunita.open(lasting.database, clock=lambda then=then: then) as gunita:
            gunita.sessions.store_turn(session, "anonymous", f"asked {days} days ago", "answer")
    page.clock.set_fixed_time(noon)
    Reader(page, lasting).visit(f"#/c/{session}")
    then = noon - timedelta(days=4)
    expect(page.locator(".day")).to_have_text([f"{then:%A}, {then:%B} {then.day}", "Yesterday", "Today"])
    order = page.locator(".column").evaluate(
        "column => [...column.children].map(one => one.dataset.turn ?? one.className)"
    )
    assert order == ["day", "1", "2", "day", "3", "day", "4", "5"]


def test_code_is_shown_with_its_language_and_copied(reader: Reader, model: ScriptedModel) -> None:
    reader.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    model.answer = lambda _: "Here:\n\n```python\nprint('kumusta')\n```\n\n- **one**\n- two"
    reader.ask("Show me code")
    prose = reader.turn(1).locator(".response .prose")
    expect(prose.locator("figcaption span")).to_have_text("python")
    expect(prose.locator("li strong")).to_have_text("one")
    prose.get_by_role("button", name="Copy code").click()
    reader.told("Copied")
    assert reader.page.evaluate("navigator.clipboard.readText()") == "print('kumusta')\n"
