"""The story: what people point at is found, asked about where it is not clear, and put before the model."""

from __future__ import annotations

import pytest

from tests.api.scripted_model import ScriptedModel
from tests.api.service import Json, Service

UNCLEAR = "yung tungkol sa visa"


def answer(prompt: list[dict[str, str]]) -> str:
    asked = prompt[-1]["content"]
    known = {
        "What is the capital of France?": "Paris is the capital of France.",
        "What about Germany?": "Berlin is the capital of Germany.",
        "How much is the fee for a student visa?": "The fee for a student visa is 160 dollars.",
        "How much is the fee for a tourist visa?": "The fee for a tourist visa is 90 dollars.",
    }
    return known.get(asked, f"About: {asked}")


def marked_as_referred(prompt: list[dict[str, str]]) -> str:
    """What a prompt marks as referred to."""
    system = prompt[0]["content"]
    start, end = system.find("<referenced_turns"), system.find("</referenced_turns>")
    return system[start:end]


@pytest.fixture
def story(talking: Service, model: ScriptedModel) -> Service:
    model.answer = answer
    return talking


def test_the_third_prompt_carries_the_first_turn_marked_as_referred(story: Service, model: ScriptedModel) -> None:
    first = story.chat("What is the capital of France?")
    session = first["session_id"]
    second = story.chat("What about Germany?", session_id=session)
    third = story.chat("Tell me more about yung una", session_id=session)
    assert [reply["intent"] for reply in (first, second, third)] == ["new", "followup", "reference"]
    assert third["metadata"]["references"] == [1]
    [used] = [item for item in third["data"] if item["type"] == "turn"]
    assert (used["turn_number"], used["response"]) == (1, "Paris is the capital of France.")
    referred = marked_as_referred(model.prompts[2])
    assert 'number="1"' in referred
    assert "capital of France" in referred
    assert 'number="2"' not in referred
    said = [message["content"] for message in model.prompts[2]]
    assert "Paris is the capital of France." in "\n".join(said)


def test_the_story_streams_too(story: Service, model: ScriptedModel) -> None:
    session = story.stream("What is the capital of France?")[0].data["session_id"]
    story.stream("What about Germany?", session_id=session)
    heard = story.stream("Tell me more about yung una", session_id=session)
    assert heard[0].data["intent"] == "reference"
    assert heard[-1].data["metadata"]["references"] == [1]


def test_memory_alone_quotes_the_turn_referred_to(service: Service) -> None:
    with service.opened() as g:
        session = g.sessions.create_session("ana")
        g.sessions.store_turn(session, "ana", "What is the capital of France?", "Paris is the capital of France.")
        g.sessions.store_turn(session, "ana", "How do I cook adobo?", "With vinegar and soy sauce.")
    reply = service.chat("ulitin mo yung unang sagot mo", user_id="ana", session_id=str(session))
    assert "> Paris is the capital of France." in reply["message"]


class TestClarification:
    """Asked, tapped, answered in words, dropped."""

    @pytest.fixture
    def asked(self, story: Service) -> Json:
        """A conversation with two turns about visas, and a question that may mean either."""
        session = story.chat("How much is the fee for a student visa?")["session_id"]
        story.chat("How do I cook adobo?", session_id=session)
        story.chat("How much is the fee for a tourist visa?", session_id=session)
        return story.chat("ano nga ulit yung sinabi mo tungkol sa visa fee?", session_id=session)

    def test_the_question_names_the_candidates_as_choices(self, story: Service, asked: Json) -> None:
        assert asked["intent"] == "clarification"
        assert {choice["turn_number"] for choice in asked["data"]} >= {1, 3}
        assert all(choice["type"] == "choice" and choice["label"] for choice in asked["data"])
        assert asked["metadata"]["choices"] == asked["data"]

    def test_a_tap_settles_it_and_the_original_query_goes_on(
        self, story: Service, asked: Json, model: ScriptedModel
    ) -> None:
        reply = story.chat("Tourist visa", session_id=asked["session_id"], choice=3)
        assert (reply["intent"], reply["metadata"]["references"]) == ("reference", [3])
        assert model.prompts[-1][-1]["content"] == "ano nga ulit yung sinabi mo tungkol sa visa fee?"
        assert 'number="3"' in marked_as_referred(model.prompts[-1])

    def test_a_tap_counts_whatever_the_words_beside_it_are(self, story: Service, asked: Json) -> None:
        reply = story.chat("Sige, iyan na nga", session_id=asked["session_id"], choice=1)
        assert (reply["intent"], reply["metadata"]["references"]) == ("reference", [1])

    def test_once_it_is_settled_a_choice_is_nothing_but_words(
        self, story: Service, asked: Json, model: ScriptedModel
    ) -> None:
        story.chat("Tourist visa", session_id=asked["session_id"], choice=3)
        self.answers_nothing_any_more(story, asked, model)

    def answers_nothing_any_more(self, story: Service, asked: Json, model: ScriptedModel) -> None:
        """While a question is open, a choice settles it whatever the words beside it are."""
        reply = story.chat("What is the capital of France?", session_id=asked["session_id"], choice=1)
        assert (reply["intent"], reply["metadata"]["references"]) == ("new", [])
        assert model.prompts[-1][-1]["content"] == "What is the capital of France?"

    def test_words_settle_it(self, story: Service, asked: Json, model: ScriptedModel) -> None:
        reply = story.chat("yung student", session_id=asked["session_id"])
        assert (reply["intent"], reply["metadata"]["references"]) == ("reference", [1])
        assert model.prompts[-1][-1]["content"] == "ano nga ulit yung sinabi mo tungkol sa visa fee?"

    def test_an_unrelated_query_drops_it(self, story: Service, asked: Json, model: ScriptedModel) -> None:
        reply = story.chat("What is the capital of France?", session_id=asked["session_id"])
        assert reply["intent"] == "new"
        assert reply["message"] == "Paris is the capital of France."
        self.answers_nothing_any_more(story, asked, model)

    def test_a_choice_that_was_not_offered_is_read_as_words(self, story: Service, asked: Json) -> None:
        reply = story.chat("yung tourist", session_id=asked["session_id"], choice=77)
        assert reply["metadata"]["references"] == [3]

    def test_the_same_answer_sent_twice_settles_once(self, story: Service, asked: Json, model: ScriptedModel) -> None:
        body = {"session_id": asked["session_id"], "choice": 3, "request_id": "tap"}
        first, again = story.chat("Tourist visa", **body), story.chat("Tourist visa", **body)
        assert first["turn_number"] == again["turn_number"]
        assert again["metadata"]["references"] == [3]
