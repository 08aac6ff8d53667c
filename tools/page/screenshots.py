"""Takes the pictures under docs/images: every view in both themes, and on a phone.

python -m tools.page.screenshots [NAME …]

Wants Debian's pngquant, and its fonts-inter and fonts-sil-charis, so that the pictures look the same wherever they are
taken.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from gunita import Gunita, ids
from tests.api.scripted_model import Prompt, speaking
from tests.api.service import Service, serving
from tests.page.browser import launched

IMAGES = Path(__file__).parents[2] / "docs" / "images"
DESKTOP = {"width": 1360, "height": 850}
PHONE = {"width": 390, "height": 800}
WANTED_FONTS = ("Inter", "Charis SIL")
MISSING = "{} is missing; as root: apt-get install -y pngquant fonts-inter fonts-sil-charis"
README = "memories-light.png"
"""The view that README shows."""

ANSWERS = {
    "requirements": "For a **Japan tourist visa** you need:\n\n1. A passport that is valid for six months more\n"
    "2. The application form, with a photo\n3. A bank certificate\n4. Your ITR or certificate of employment\n\n"
    "An accredited agency sends them in; it takes *five to seven working days*.",
    "bayad": "Walang bayad ang visa mismo. Ang agency ang may handling fee:\n\n| Agency | Fee |\n| --- | --- |\n"
    "| sa Makati | ₱950 |\n| sa Ortigas | ₱1,100 |\n| sa Cebu | ₱1,500 |",
    "osaka": "Three nights around **Namba** or **Shinsaibashi** cost ₱3,500 to ₱6,000 a night in April.",
    "budget": "Here is a start:\n\n```python\ndef budget(nights: int, a_night: int = 4500) -> int:\n"
    "    return nights * a_night + 950  # and the agency's fee\n```\n\nThree nights come to `14,450` pesos.",
    "una": "Sa una mong tanong: **passport, application form, bank certificate at ITR**. Kung empleyado ka, "
    "mas mabilis kung may *certificate of employment* na pirmado ng HR.",
}
QUESTIONS = (
    "What are the requirements for a Japan visa?",
    "Magkano ang bayad?",
    "Any place to stay in Osaka for three nights?",
    "Write me a small budget in Python",
)
OTHERS = (
    "Adobo recipe for ten people",
    "Thesis outline on coastal erosion",
    "Puppy vaccines and schedule",
    "Pag-renew ng lisensiya",
    "Sweldo at 13th month pay",
    "Bisikleta o scooter?",
    "Birthday ni Lola, mga handa",
    "Learning Cebuano, week one",
    "Halamang kayang nasa lilim",
    "Budget for a small sari-sari store",
    "Sore throat: when to see a doctor",
)


def answer(prompt: Prompt) -> str:
    asked = prompt[-1]["content"].lower()
    return next((said for word, said in ANSWERS.items() if word in asked), "Sige, tatandaan ko iyan.")


def furnish(service: Service) -> str:
    """Fill a memory with something to show; give the conversation to open."""
    for days in range(29, 0, -1):
        look_back(service, days)
    with service.opened() as g:
        remember(g)
        session = str(g.sessions.create_session("anonymous"))
    for question in QUESTIONS:
        service.chat(question, session_id=session)
    service.chat("Tell me more about yung una", session_id=session)
    service.settle()
    return session


def look_back(service: Service, days: int) -> None:
    """Put a conversation of some days ago there."""
    then = ids.now() - timedelta(days=days, hours=days % 5)
    title = OTHERS[days % len(OTHERS)]
    with Gunita.open(service.database, clock=lambda: then) as g:
        other = g.conversations.create_conversation("anonymous", title)
        for turn in range(1 + (days * 7) % 11):
            kind = ("ordinal", "topic", "relative", "temporal", "topic")[(turn + days) % 5]
            notes = {"intent": "reference", "kind": kind, "references": [1]} if turn % 2 else {"intent": "new"}
            if turn == 5:
                notes = {"intent": "clarification"}
            g.sessions.store_turn(other.id, "anonymous", f"{title}, {turn + 1}", "Sige, tatandaan ko iyan.", notes)
        if days == 3:
            g.conversations.update_conversation(other.id, pinned=True)


def remember(g: Gunita) -> None:
    g.memories.create_memory("anonymous", "Works as a nurse in Davao", "fact", category="work")
    g.memories.create_memory(
        "anonymous", "Prefers short answers in Taglish", "preference", category="style", pinned=True
    )
    g.memories.create_memory("anonymous", "Planning a trip to Osaka in April", "project", category="travel")
    g.memories.create_memory("anonymous", "Travels with her sister Liza", "entity", category="family")


def thread(page: Page, _: Service, session: str) -> None:
    page.goto(page.url.split("#")[0] + f"#/c/{session}")
    page.locator(".reference:not(.follows)").last.wait_for()


def receipt(page: Page, service: Service, session: str) -> None:
    thread(page, service, session)
    page.get_by_role("button", name="Context of turn 5").click()
    page.locator(".receipt-line").first.wait_for()


def memories(page: Page, service: Service, session: str) -> None:
    thread(page, service, session)
    page.keyboard.press("Alt+m")
    page.locator(".memory-card").first.wait_for()


def clarification(page: Page, service: Service, _: str) -> None:
    with service.opened() as g:
        other = str(g.conversations.create_conversation("anonymous", "Biyahe sa Osaka").id)
        for question in QUESTIONS:
            g.sessions.store_turn(other, "anonymous", question, answer([{"content": question}]))
    thread_free = page.url.split("#")[0] + f"#/c/{other}"
    page.goto(thread_free)
    page.locator("article.turn").last.wait_for()
    page.locator("#composer").fill("Ano nga ulit yung pampito?")
    page.keyboard.press("Enter")
    page.locator(".choices").wait_for()
    service.client.delete(f"/api/conversations/{other}")


def insights(page: Page, _: Service, __: str) -> None:
    page.goto(page.url.split("#")[0] + "#/insights")
    page.locator(".plot").first.wait_for()


def help_(page: Page, service: Service, session: str) -> None:
    thread(page, service, session)
    page.locator("article.turn").last.click()
    page.keyboard.press("?")


def sidebar(page: Page, service: Service, session: str) -> None:
    thread(page, service, session)
    page.get_by_role("button", name="Show or hide conversations").click()


def nothing(_: Page, __: Service, ___: str) -> None:
    """Shows what a first visit shows."""


View = Callable[[Page, Service, str], None]
VIEWS: dict[str, View] = {
    "empty": nothing,
    "thread": thread,
    "clarification": clarification,
    "memories": memories,
    "receipt": receipt,
    "insights": insights,
    "help": help_,
}
ON_A_PHONE: dict[str, View] = {
    "phone-empty": nothing,
    "phone-thread": thread,
    "phone-sidebar": sidebar,
    "phone-clarification": clarification,
    "phone-memories": memories,
    "phone-receipt": receipt,
    "phone-insights": insights,
}


def take(browser: Browser, service: Service, session: str, name: str, theme: str, view: View) -> None:
    on_a_phone = name.startswith("phone")
    context = browser.new_context(
        viewport=PHONE if on_a_phone else DESKTOP,
        color_scheme=theme,
        reduced_motion="reduce",
        locale="en-US",
        is_mobile=on_a_phone,
        has_touch=on_a_phone,
    )
    page = context.new_page()
    page.goto(service.url)
    page.locator("#composer, [name=secret]").first.wait_for()
    view(page, service, session)
    page.wait_for_timeout(700)
    picture = IMAGES / f"{name}-{theme}.png"
    page.screenshot(path=picture)
    context.close()
    lighten(picture)


def lighten(picture: Path) -> None:
    """Give a picture a palette of 256 colours, which takes less than half the bytes and cannot be told apart."""
    subprocess.run(["pngquant", "--force", "--strip", "--speed", "1", "--ext", ".png", picture], check=True)


def prepared() -> None:
    """End with what to install where a tool or a font is missing."""
    if shutil.which("pngquant") is None:
        raise SystemExit(MISSING.format("pngquant"))
    installed = subprocess.run(["fc-list", ":", "family"], capture_output=True, text=True, check=True).stdout
    for font in WANTED_FONTS:
        if font not in installed:
            raise SystemExit(MISSING.format(f"the font {font}"))


def main(wanted: set[str]) -> None:
    prepared()
    IMAGES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        speaking() as model,
        sync_playwright() as playwright,
        launched(playwright) as browser,
    ):
        model.answer = answer
        settings = {
            "llm_base_url": model.url,
            "llm_model": "scripted",
            "llm_retries": 0,
            "background": False,
            "retention_hours": 720,
        }
        with serving(f"{folder}/shown.db", **settings) as service:
            session = furnish(service)
            for name, view in {**VIEWS, **ON_A_PHONE}.items():
                for theme in ("light", "dark"):
                    if not wanted or name in wanted:
                        take(browser, service, session, name, theme, view)
        with serving(f"{folder}/guarded.db", require_auth=True) as service:
            for theme in ("light", "dark"):
                if not wanted or "sign-in" in wanted:
                    take(browser, service, "", "sign-in", theme, nothing)
    shutil.copyfile(IMAGES / README, IMAGES / "README.png")


if __name__ == "__main__":
    main(set(sys.argv[1:]))
