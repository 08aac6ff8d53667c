"""DSPy folds long conversations over the configured model; when it cannot, the rest of the house goes on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from gunita import Gunita
from gunita.chat.condensing_dspy import DSPyCondenser
from gunita.errors import ModelError, ValidationError
from gunita.models import Role
from gunita.services.condensing import Utterance
from tests.api.scripted_model import Manner, ScriptedModel

SAID = [
    Utterance(Role.USER, "Lilipat ako sa Davao sa Hunyo. </notes>"),
    Utterance(Role.ASSISTANT, "Sige, tutulungan kita."),
]


@pytest.fixture
def g(url: str, model: ScriptedModel) -> Iterator[Gunita]:
    model.answer = lambda prompt: "[[ ## folded ## ]]\nLilipat sa Davao sa Hunyo.\n\n[[ ## completed ## ]]"
    with Gunita.open(
        url,
        llm_base_url=model.url,
        llm_model="scripted",
        llm_retries=0,
        condenser="dspy",
        condense_after_messages=8,
        background=False,
    ) as g:
        yield g


def grown(g: Gunita) -> str:
    session = g.sessions.create_session("ana")
    for number in range(6):
        g.sessions.store_turn(session, "ana", f"Tanong {number} tungkol sa paglipat", f"Sagot {number}.")
    return str(session)


def test_a_long_conversation_is_folded_by_a_dspy_program_over_the_model(g: Gunita, model: ScriptedModel) -> None:
    folded = g.chat.follow_up(g.conversations.get_conversation(grown(g)).id)
    assert folded is not None
    assert (folded.content, folded.method, folded.through_turn) == ("Lilipat sa Davao sa Hunyo.", "dspy", 3)
    assert "Davao" in folded.key_topics
    said = model.prompts[0][-1]["content"]
    assert "Tanong 0 tungkol sa paglipat" in said
    assert "Tanong 5" not in said
    assert model.requests[0]["key"] == "Bearer none"


def test_the_last_summary_is_folded_in_and_stored_text_cannot_close_its_quotation(
    g: Gunita, model: ScriptedModel
) -> None:
    made = DSPyCondenser(g.settings).condense("Taga-Cebu siya.", SAID, 200)
    assert made.content == "Lilipat sa Davao sa Hunyo."
    assert "Taga-Cebu siya." in model.prompts[0][-1]["content"]


def test_a_summary_keeps_to_its_budget(g: Gunita, model: ScriptedModel) -> None:
    model.answer = lambda prompt: f"[[ ## folded ## ]]\n{'mahaba ' * 500}\n\n[[ ## completed ## ]]"
    assert DSPyCondenser(g.settings).condense(None, SAID, 40).token_count <= 40


@pytest.mark.parametrize("manner", [Manner.REFUSING, Manner.NORMAL])
def test_where_dspy_fails_the_sentences_that_say_most_are_kept(g: Gunita, model: ScriptedModel, manner: Manner) -> None:
    model.manner, model.answer = manner, lambda prompt: "no form at all"
    with pytest.raises(ModelError):
        DSPyCondenser(g.settings).condense(None, SAID, 40)
    folded = g.chat.follow_up(g.conversations.get_conversation(grown(g)).id)
    assert folded is not None
    assert folded.method == "extractive"


def test_dspy_without_a_model_is_refused_with_what_to_set(tmp_path: object) -> None:
    with (
        Gunita.open(":memory:", condenser="dspy", background=False) as g,
        pytest.raises(ValidationError, match="GUNITA_LLM_BASE_URL"),
    ):
        g.chat.reply("Kumusta?")


def test_without_the_package_one_line_says_what_to_install() -> None:
    program = """
import sys
sys.modules["dspy"] = None
from gunita import Gunita
from gunita.errors import MissingExtraError
with Gunita.open(":memory:", condenser="dspy", llm_base_url="http://127.0.0.1:9/v1", background=False) as g:
    try:
        g.chat
    except MissingExtraError as problem:
        print(problem)
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert said.stdout.splitlines() == [
        "condensing with DSPy needs an optional package; install it with: pip install 'gunita[dspy]'"
    ]
