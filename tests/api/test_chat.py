"""The chat over HTTP: what is asked is answered, kept, and found again, on both engines."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from uuid import uuid4

import pytest

from gunita import Gunita
from tests.api.scripted_model import Manner, ScriptedModel
from tests.api.service import Service, serving

REPLY_FIELDS = {"query", "message", "data", "intent", "confidence", "session_id", "turn_number", "metadata", "error"}


def test_a_missing_session_id_makes_a_session(service: Service) -> None:
    reply = service.chat("What is the capital of France?")
    assert reply.keys() == REPLY_FIELDS
    assert reply["intent"] == "new"
    assert reply["turn_number"] == 1
    assert "GUNITA_LLM_BASE_URL" in reply["message"]
    assert [turn[1] for turn in service.turns(reply["session_id"])] == ["What is the capital of France?"]


@pytest.mark.parametrize("session_id", ["not a uuid", "", "00000000-0000-0000-0000-00000000000g", "١٢٣"])
def test_a_malformed_session_id_begins_a_conversation(service: Service, session_id: str) -> None:
    reply = service.chat("Kumusta?", session_id=session_id)
    assert reply["turn_number"] == 1
    assert reply["session_id"] != session_id


def test_an_unknown_session_id_is_taken_up(service: Service) -> None:
    mine = str(uuid4())
    assert service.chat("Kumusta?", session_id=mine)["session_id"] == mine
    assert service.chat("Anong oras na?", session_id=mine)["turn_number"] == 2


def test_a_session_made_beforehand_is_gone_on_with(service: Service) -> None:
    made = service.client.post("/chat/session", json={"user_id": "juan"}).json()
    reply = service.chat("Kumusta?", user_id="juan", session_id=made["session_id"])
    assert (reply["session_id"], reply["turn_number"]) == (made["session_id"], 1)


def test_a_service_that_names_no_user_goes_on_for_the_conversations_own(service: Service) -> None:
    made = service.client.post("/chat/session", json={"user_id": "juan"}).json()
    reply = service.chat("Kumusta?", session_id=made["session_id"])
    assert reply["session_id"] == made["session_id"]
    assert service.get("/api/conversations", user_id="juan")["items"][0]["turn_count"] == 1


def test_a_session_can_be_made_without_a_body(service: Service) -> None:
    made = service.client.post("/chat/session")
    assert made.status_code == 200
    assert service.chat("Hi", session_id=made.json()["session_id"])["turn_number"] == 1


@pytest.mark.parametrize("role", ["assistant", "system", "USER", ""])
def test_another_role_than_user_is_refused(service: Service, role: str) -> None:
    refused = service.client.post("/chat", json={"query": "Hi", "role": role})
    assert (refused.status_code, refused.json()["error_code"]) == (400, "invalid_role")
    assert service.get("/api/stats")["messages"] == 0


def test_a_model_answers_and_sees_what_was_said_before(talking: Service, model: ScriptedModel) -> None:
    first = talking.chat("My cat is called Muning.")
    second = talking.chat("How old do cats get?", session_id=first["session_id"])
    assert second["message"] == "You asked: How old do cats get?"
    said = [(message["role"], message["content"]) for message in model.prompts[1]]
    assert ("user", "My cat is called Muning.") in said
    assert said[-1] == ("user", "How old do cats get?")


def test_the_receipt_of_a_reply_tells_what_the_model_saw(talking: Service) -> None:
    reply = talking.chat("How old do cats get?")
    receipt = talking.get(f"/api/receipts/{reply['metadata']['receipt_id']}")
    assert receipt["body"]["prompt_tokens"] > 0
    assert {line["kind"] for line in receipt["body"]["lines"]} >= {"system_prompt", "query"}
    of_turn = talking.get(f"/api/conversations/{reply['session_id']}/turns/1/receipt")
    assert of_turn["id"] == receipt["id"]


def test_memories_go_before_the_model_and_are_named_in_data(talking: Service, model: ScriptedModel) -> None:
    talking.client.post("/api/memories", json={"user_id": "ana", "content": "Allergic to shrimp", "pinned": True})
    reply = talking.chat("What shall I cook?", user_id="ana")
    assert "Allergic to shrimp" in model.prompts[0][0]["content"]
    assert [item["content"] for item in reply["data"] if item["type"] == "memory"] == ["Allergic to shrimp"]


def test_a_memory_that_found_no_room_is_not_named_in_data(url: str, model: ScriptedModel) -> None:
    small = {"model_context_tokens": 400, "answer_reserve_tokens": 100}
    with serving(url, llm_base_url=model.url, llm_model="scripted", **small) as service:
        for content in ("Allergic to shrimp", "Likes long walks " * 100):
            service.client.post("/api/memories", json={"user_id": "ana", "content": content, "pinned": True})
        reply = service.chat("What shall I cook?", user_id="ana")
    assert [item["content"] for item in reply["data"] if item["type"] == "memory"] == ["Allergic to shrimp"]


@pytest.mark.parametrize(
    ("status", "words"),
    [(500, "could not answer"), (429, "too many requests"), (401, "GUNITA_LLM_API_KEY"), (404, "GUNITA_LLM_MODEL")],
)
def test_a_failing_model_leaves_an_answer_from_memory(
    talking: Service, model: ScriptedModel, status: int, words: str
) -> None:
    model.manner, model.status = Manner.REFUSING, status
    reply = talking.chat("What is the capital of France?")
    assert words in reply["error"]
    assert "secret detail" not in str(reply)
    assert "kept your message" in reply["message"]
    [(number, query, response, metadata)] = talking.turns(reply["session_id"])
    assert (number, query, response) == (1, "What is the capital of France?", reply["message"])
    assert "interrupted" not in metadata


def test_a_model_that_fails_for_a_moment_is_asked_again(url: str, model: ScriptedModel) -> None:
    model.failures_first = 1
    with serving(url, llm_base_url=model.url, llm_model="scripted", llm_retries=2) as service:
        reply = service.chat("Hi")
    assert (reply["message"], reply["error"]) == ("You asked: Hi", None)


@pytest.mark.parametrize("manner", [Manner.CUT_OFF, Manner.CUT_CLEANLY, Manner.GARBLED])
def test_an_answer_that_breaks_off_is_kept_as_far_as_it_came(
    talking: Service, model: ScriptedModel, manner: Manner
) -> None:
    model.manner = manner
    reply = talking.chat("Tell me a long story")
    assert reply["message"] == "You asked:"
    assert "broke off" in reply["error"]
    [(_, _, response, metadata)] = talking.turns(reply["session_id"])
    assert response == "You asked:"
    assert metadata["interrupted"] is True


def test_a_model_that_takes_too_long_is_not_waited_for(url: str, model: ScriptedModel) -> None:
    model.delay = 2.0
    settings = {"llm_base_url": model.url, "llm_model": "scripted", "llm_retries": 0, "llm_timeout_seconds": 0.2}
    with serving(url, **settings) as service:
        reply = service.chat("Hi")
    assert "took too long" in reply["error"] or "broke off" in reply["error"]
    assert reply["message"]


def test_a_model_that_says_nothing_is_told_of(talking: Service, model: ScriptedModel) -> None:
    model.manner = Manner.SILENT
    reply = talking.chat("Hi")
    assert "empty answer" in reply["error"]
    assert reply["message"]


def test_a_model_that_is_not_there_is_told_of(url: str) -> None:
    with serving(url, llm_base_url="http://127.0.0.1:9/v1", llm_retries=0) as service:
        reply = service.chat("Hi")
    assert "cannot be reached" in reply["error"]


def test_the_same_request_is_answered_once(talking: Service, model: ScriptedModel) -> None:
    first = talking.chat("Hi", request_id="r-1")
    again = talking.chat("Hi", request_id="r-1")
    assert (again["session_id"], again["turn_number"]) == (first["session_id"], first["turn_number"])
    assert again["message"] == first["message"]
    assert again["metadata"]["repeated"] is True
    assert len(model.prompts) == 1
    assert len(talking.turns(first["session_id"])) == 1


def test_the_same_request_sent_many_times_at_once_is_answered_once(talking: Service, model: ScriptedModel) -> None:
    model.manner = Manner.WAITING
    with ThreadPoolExecutor(8) as senders:
        sent = [senders.submit(talking.chat, "Hi there", request_id="r-2", user_id="ana") for _ in range(8)]
        model.wait_until_asked()
        model.allow(100)
        replies = [waiting.result() for waiting in sent]
    assert len(model.prompts) == 1
    assert {(reply["session_id"], reply["turn_number"], reply["message"]) for reply in replies} == {
        (replies[0]["session_id"], 1, "You asked: Hi there")
    }
    assert talking.get("/api/stats")["turns"] == 1


def test_the_same_request_sent_at_once_without_a_model_is_answered_once(service: Service) -> None:
    with ThreadPoolExecutor(8) as senders:
        replies = list(senders.map(lambda _: service.chat("Hi", request_id="r-3"), range(16)))
    assert len({reply["session_id"] for reply in replies}) == 1
    assert service.get("/api/stats")["messages"] == 2


def test_a_request_id_belongs_to_its_user(service: Service) -> None:
    ana = service.chat("Hi", request_id="r", user_id="ana")
    ben = service.chat("Hi", request_id="r", user_id="ben")
    assert ana["session_id"] != ben["session_id"]


def test_a_request_id_used_for_another_query_is_refused(service: Service) -> None:
    service.chat("Hi", request_id="r")
    refused = service.client.post("/chat", json={"query": "Something else", "request_id": "r"})
    assert (refused.status_code, refused.json()["error_code"]) == (409, "repeated_request")


def test_a_request_that_another_process_answers_is_told_to_wait(service: Service) -> None:
    with service.opened() as g:
        from gunita.chat.records import ChatRequest

        g.scoped(user_id="ana").chat.begin(ChatRequest("Hi", "ana", None, "r"))
    refused = service.client.post("/chat", json={"query": "Hi", "user_id": "ana", "request_id": "r"})
    assert (refused.status_code, refused.headers["retry-after"]) == (409, "1")
    assert "wait for its reply" in refused.json()["message"]


def test_concurrent_turns_of_one_conversation_are_numbered_without_gaps(service: Service) -> None:
    session = service.client.post("/chat/session").json()["session_id"]
    with ThreadPoolExecutor(8) as senders:
        numbers = list(
            senders.map(lambda _: service.chat("How do I cook?", session_id=session)["turn_number"], range(24))
        )
    assert sorted(numbers) == list(range(1, 25))


def test_a_conversation_gets_a_title_after_its_first_exchange(service: Service) -> None:
    reply = service.chat("Paano magluto ng sinigang na baboy?")
    service.settle()
    title = service.get(f"/api/conversations/{reply['session_id']}")["title"]
    assert "sinigang" in title.lower()


def test_a_title_that_a_person_gave_stays(service: Service) -> None:
    made = service.client.post("/api/conversations", json={"title": "Lola's recipes"}).json()
    service.chat("Paano magluto ng sinigang?", session_id=made["id"])
    service.settle()
    assert service.get(f"/api/conversations/{made['id']}")["title"] == "Lola's recipes"


def test_a_long_conversation_is_folded_into_a_summary(url: str) -> None:
    with serving(url, condense_after_messages=12) as service:
        session = service.client.post("/chat/session").json()["session_id"]
        for n in range(8):
            service.chat(f"What should I pack for day {n} of the trip to Batanes?", session_id=session)
            service.settle()
        whole = service.get(f"/api/conversations/{session}")
    assert whole["summary"]["method"] == "extractive"
    assert 1 <= whole["summary"]["through_turn"] <= 5
    assert "Batanes" in whole["summary"]["content"]
    assert whole["message_count"] == 16
    assert len(whole["messages"]["items"]) == 16


@contextmanager
def packed_for(days: int, url: str, model: ScriptedModel) -> Iterator[tuple[Service, str]]:
    """Serve a conversation of so many exchanges whose summaries the model writes."""
    model.answer = lambda prompt: "Ana packs for Batanes." if "<since>" in prompt[-1]["content"] else "Noted."
    with serving(
        url, llm_base_url=model.url, llm_model="scripted", llm_retries=0, condense_after_messages=10
    ) as service:
        session = service.client.post("/chat/session").json()["session_id"]
        for n in range(days):
            service.chat(f"What should I pack for day {n}?", session_id=session)
            service.settle()
        yield service, session


def test_a_later_fold_goes_on_from_the_summary_before_it(url: str, model: ScriptedModel) -> None:
    with packed_for(14, url, model):
        pass
    first, second, *_ = [prompt[-1]["content"] for prompt in model.prompts if "<since>" in prompt[-1]["content"]]
    assert "Ana packs for Batanes." not in first
    assert "Ana packs for Batanes." in second
    assert "for day 0?" in first
    assert "for day 0?" not in second


def test_an_answer_may_be_as_long_as_what_is_kept_free_for_it(url: str, model: ScriptedModel) -> None:
    with serving(url, llm_base_url=model.url, llm_model="scripted", answer_reserve_tokens=77) as service:
        service.chat("Hi")
    assert [request["max_tokens"] for request in model.requests] == [77]


def test_the_configured_model_writes_the_summary_and_it_goes_before_it(url: str, model: ScriptedModel) -> None:
    with packed_for(6, url, model) as (service, session):
        service.chat("And what else?", session_id=session)
        summary = service.get(f"/api/conversations/{session}")["summary"]
    assert (summary["method"], summary["content"]) == ("model", "Ana packs for Batanes.")
    answered = [prompt for prompt in model.prompts if prompt[-1]["content"] == "And what else?"]
    assert "Ana packs for Batanes." in answered[0][0]["content"]


def test_a_model_that_fails_to_fold_leaves_it_to_the_extractive_condenser(url: str, model: ScriptedModel) -> None:
    model.answer = lambda prompt: " " if "<since>" in prompt[-1]["content"] else "Noted, Batanes it is."
    with serving(
        url, llm_base_url=model.url, llm_model="scripted", llm_retries=0, condense_after_messages=10
    ) as service:
        session = service.client.post("/chat/session").json()["session_id"]
        for n in range(6):
            service.chat(f"What should I pack for day {n} in Batanes?", session_id=session)
            service.settle()
        assert service.get(f"/api/conversations/{session}")["summary"]["method"] == "extractive"


def test_blocking_callers_get_title_and_summary_too(url: str) -> None:
    with Gunita.open(url, condense_after_messages=10) as g:
        session = g.sessions.create_session("ana")
        for n in range(7):
            g.chat.reply(f"What should I pack for day {n} in Batanes?", "ana", session)
        assert "day 0 in Batanes" in (g.conversations.get_conversation(session).title or "")
        summary = g.conversations.get_summary(session)
        assert summary is not None
        assert summary.method == "extractive"


def test_no_thread_is_held_while_models_speak(url: str, model: ScriptedModel) -> None:
    """With two database threads and ten answers on their way, reading goes on."""
    model.manner = Manner.WAITING
    with (
        serving(url, llm_base_url=model.url, llm_model="scripted", llm_retries=0, async_threads=2) as service,
        ThreadPoolExecutor(10) as senders,
    ):
        sent = [senders.submit(service.chat, "How do I cook adobo?") for _ in range(10)]
        model.wait_until_asked(10)
        assert service.get("/api/stats")["conversations"] == 10
        model.allow(1_000)
        assert {waiting.result()["error"] for waiting in sent} == {None}


def test_the_turn_of_a_deleted_conversation_is_answered_with_a_warning(talking: Service, model: ScriptedModel) -> None:
    model.manner = Manner.WAITING
    replies: list[dict[str, object]] = []
    session = talking.client.post("/chat/session").json()["session_id"]
    asking = threading.Thread(target=lambda: replies.append(talking.chat("Hi", session_id=session)))
    asking.start()
    model.wait_until_asked()
    assert talking.client.delete(f"/api/conversations/{session}").json()["deleted"] == 1
    model.allow(100)
    asking.join(20)
    assert replies[0]["message"] == "You asked: Hi"
    assert "could not be kept" in str(replies[0]["metadata"])


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("What is the weather like in Baguio today?", "No language model is connected"),
        ("Ano po ba ang kabisera ng bansang Pransya?", "Walang nakakabit na language model"),
        ("Paano ba mag-renew ng passport online this week?", "Walang naka-connect na language model"),
        ("Unsaon nako pag-abot sa Bohol gikan sa Cebu?", "Walay nakakonektar nga language model"),
        ("¿Cuánto cuesta el pasaje a Cebú en estos días?", "No hay ningún modelo de lenguaje conectado"),
    ],
)
def test_without_a_model_it_says_so_in_the_words_of_who_asks(service: Service, query: str, words: str) -> None:
    assert words in service.chat(query)["message"]


def test_without_a_model_it_tells_what_it_knows(service: Service) -> None:
    service.client.post("/api/memories", json={"user_id": "ana", "content": "Allergic to shrimp"})
    told = service.chat("Am I allergic to shrimp?", user_id="ana")["message"]
    assert "What I know about you: Allergic to shrimp" in told


def test_without_a_model_an_earlier_answer_is_quoted_without_the_advice_below_it(service: Service) -> None:
    first = service.chat("Am I allergic to shrimp, or is it crab?", user_id="ana")
    again = service.chat("what was the first thing I asked?", user_id="ana", session_id=first["session_id"])
    assert again["metadata"]["references"] == [1]
    assert again["message"].count("No language model is connected") == 1
