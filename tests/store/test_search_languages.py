"""A question in one language finds what was said in another: sentences of our own, as people write them in chats."""

from __future__ import annotations

import pytest

from gunita import Gunita
from gunita.models import Message

SAID = {
    "passport": ("How long does it take to renew a passport?", "Gaano katagal ang pagpapa-renew ng pasaporte?"),
    "rent": ("The landlord is raising the rent next month.", "Itataas ng may-ari ang upa sa susunod na buwan."),
    "dog": ("My dog has not eaten since yesterday.", "Hindi pa kumakain ang aso ko mula kahapon."),
    "fish": ("Which fish is best for sinigang?", "Anong isda ang pinakamasarap sa sinigang?"),
    "school": ("The school is closed because of the typhoon.", "Walang pasok dahil sa bagyo."),
    "money": ("How do I send money to the province?", "Paano magpadala ng pera sa probinsya?"),
    "tooth": ("My tooth hurts when I drink cold water.", "Sumasakit ang ngipin ko kapag umiinom ng malamig na tubig."),
    "wedding": ("Where should we hold the wedding?", "Saan kaya namin idaraos ang kasal?"),
    "job": ("I got the job at the hospital!", "Natanggap ako sa trabaho sa ospital!"),
    "electricity": ("Our electricity bill doubled this month.", "Dumoble ang bayad namin sa kuryente ngayong buwan."),
}
ASKED = {
    "passport": ("passport renewal, ilang weeks ba?", "pasaporte"),
    "rent": ("tumaas ba yung rent namin?", "magkano na ang upa"),
    "dog": ("yung aso kong ayaw kumain", "the dog that would not eat"),
    "fish": ("anong fish for sinigang", "isda para sa sinigang"),
    "school": ("no classes dahil sa typhoon", "may pasok ba kahit may bagyo"),
    "money": ("padala ng money sa province", "magpapadala ng pera"),
    "tooth": ("masakit yung tooth ko sa cold water", "sakit ng ngipin"),
    "wedding": ("venue ng wedding", "saan ang kasal"),
    "job": ("yung job sa hospital", "trabaho sa ospital"),
    "electricity": ("ang laki ng electric bill", "bayad sa kuryente"),
}


@pytest.fixture(params=["English", "Filipino"])
def speaker(request: pytest.FixtureRequest, gunita: Gunita) -> tuple[Gunita, int]:
    """One who said everything in one language; each thing in a conversation of its own."""
    language = 0 if request.param == "English" else 1
    user = gunita.scoped("acme", request.param)
    for sentences in SAID.values():
        conversation = user.conversations.create_conversation()
        user.conversations.add_message(conversation.id, "user", sentences[language])
    user.search.index_pending()
    return user, language


def first(user: Gunita, question: str) -> str | None:
    found = [hit.found.content for hit in user.search.search(question, limit=1) if isinstance(hit.found, Message)]
    return found[0] if found else None


def test_the_same_thing_is_found_in_the_other_language(speaker: tuple[Gunita, int]) -> None:
    user, language = speaker
    found = {name: first(user, sentences[1 - language]) for name, sentences in SAID.items()}
    assert found == {name: sentences[language] for name, sentences in SAID.items()}


def test_mixed_and_short_questions_find_either_language(speaker: tuple[Gunita, int]) -> None:
    user, language = speaker
    missed = [
        question
        for name, questions in ASKED.items()
        for question in questions
        if first(user, question) != SAID[name][language]
    ]
    # Twenty short questions; a miss or two is a miss of the model, more is a break in the search.
    assert len(missed) <= 2, missed
