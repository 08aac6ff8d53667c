"""Streams: left, resumed, stopped and sent twice, and every one of them kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tests.api.scripted_model import Manner, ScriptedModel
from tests.api.service import Event, Service, events, serving


@contextmanager
def listening(service: Service, query: str, **body: Any) -> Iterator[Iterator[Event]]:
    """Follow a stream over a connection of its own, which closes when the listener goes."""
    with (
        httpx.Client(base_url=service.url, timeout=30) as client,
        client.stream("POST", "/chat/stream", json={"query": query, **body}) as answered,
    ):
        assert answered.status_code == 200
        assert answered.headers["content-type"].startswith("text/event-stream")
        yield events(answered)


def follow(service: Service, started: Event, after: int | None = None) -> list[Event]:
    path = f"/chat/stream/{started.data['session_id']}/{started.data['turn_number']}"
    headers = {} if after is None else {"Last-Event-ID": str(after)}
    with service.client.stream("GET", path, headers=headers) as answered:
        assert answered.status_code == 200, answered.read()
        return list(events(answered))


def text_of(heard: list[Event]) -> str:
    return "".join(event.data["text"] for event in heard if event.name == "delta")


@pytest.fixture
def patient(url: str, model: ScriptedModel) -> Iterator[Service]:
    """A service that lets answers go on for long when nobody listens, with a model that waits for leave."""
    model.manner = Manner.WAITING
    with serving(url, llm_base_url=model.url, llm_model="scripted", llm_retries=0, stream_grace_seconds=60) as service:
        yield service


@pytest.fixture
def impatient(url: str, model: ScriptedModel) -> Iterator[Service]:
    """A service that stops an answer as soon as nobody listens."""
    model.manner = Manner.WAITING
    with serving(url, llm_base_url=model.url, llm_model="scripted", llm_retries=0, stream_grace_seconds=0) as service:
        yield service


def test_a_stream_tells_where_it_is_kept_then_the_words_then_the_whole(talking: Service) -> None:
    heard = talking.stream("Tell me a story")
    assert [event.name for event in heard] == ["started", *["delta"] * 6, "finished"]
    assert [event.id for event in heard] == list(range(1, 9))
    assert text_of(heard) == heard[-1].data["message"] == "You asked: Tell me a story"
    assert heard[0].data["session_id"] == heard[-1].data["session_id"]
    [(number, _, response, metadata)] = talking.turns(heard[0].data["session_id"])
    assert (number, response) == (1, "You asked: Tell me a story")
    assert "interrupted" not in metadata


def test_an_answer_from_memory_streams_too(service: Service) -> None:
    heard = service.stream("Hi")
    assert [event.name for event in heard] == ["started", "delta", "finished"]
    assert text_of(heard) == heard[-1].data["message"]


def test_a_stream_that_fails_before_its_first_word_ends_with_an_answer_and_the_error(
    talking: Service, model: ScriptedModel
) -> None:
    model.manner = Manner.REFUSING
    heard = talking.stream("Hi")
    assert [event.name for event in heard] == ["started", "delta", "finished"]
    assert "could not answer" in heard[-1].data["error"]


def test_a_bad_request_is_refused_before_the_stream_begins(talking: Service) -> None:
    refused = talking.client.post("/chat/stream", json={"query": "  "})
    assert refused.status_code == 400
    assert "query" in refused.json()["fields"]


def test_who_leaves_leaves_a_turn_marked_interrupted(impatient: Service, model: ScriptedModel) -> None:
    with listening(impatient, "Tell me a story") as heard:
        started = next(heard)
        model.allow(2)
        words = [next(heard).data["text"], next(heard).data["text"]]
    assert model.left.wait(20), "the model was not told to stop"
    [(_, query, response, metadata)] = impatient.wait_for_turns(started.data["session_id"], 1)
    assert (query, response) == ("Tell me a story", "".join(words))
    assert metadata["interrupted"] is True


def test_who_leaves_before_the_first_word_leaves_the_query(impatient: Service, model: ScriptedModel) -> None:
    with listening(impatient, "Tell me a story") as heard:
        started = next(heard)
    [(_, query, response, metadata)] = impatient.wait_for_turns(started.data["session_id"], 1)
    assert (query, response, metadata["interrupted"]) == ("Tell me a story", "…", True)


def test_a_service_that_stops_keeps_what_was_said_so_far(url: str, model: ScriptedModel) -> None:
    model.manner = Manner.WAITING
    long = {"llm_base_url": model.url, "llm_model": "scripted", "llm_retries": 0, "stream_grace_seconds": 600}
    with serving(url, **long) as service, listening(service, "Tell me a story") as heard:
        started = next(heard)
        model.allow(2)
        words = [next(heard).data["text"], next(heard).data["text"]]
    [(_, query, response, metadata)] = service.turns(started.data["session_id"])
    assert (query, response) == ("Tell me a story", "".join(words))
    assert metadata["interrupted"] is True


def test_who_comes_back_hears_the_rest(patient: Service, model: ScriptedModel) -> None:
    with listening(patient, "Tell me a story") as heard:
        started = next(heard)
        model.allow(2)
        first = [next(heard), next(heard)]
    path = f"/chat/stream/{started.data['session_id']}/1"
    with patient.client.stream("GET", path, headers={"Last-Event-ID": str(first[-1].id)}) as answered:
        model.allow(100)
        rest = list(events(answered))
    assert text_of(first) + text_of(rest) == rest[-1].data["message"] == "You asked: Tell me a story"
    assert "interrupted" not in patient.turns(started.data["session_id"])[0][3]


def test_who_comes_back_by_the_same_request_hears_everything_again(patient: Service, model: ScriptedModel) -> None:
    with listening(patient, "Tell me a story", request_id="r") as heard:
        next(heard)
        model.allow(2)
        next(heard)
    model.allow(100)
    again = patient.stream("Tell me a story", request_id="r")
    assert text_of(again) == "You asked: Tell me a story"
    assert len(model.prompts) == 1


def test_two_listeners_hear_the_same(patient: Service, model: ScriptedModel) -> None:
    with (
        listening(patient, "Tell me a story", request_id="r") as one,
        listening(patient, "Tell me a story", request_id="r") as other,
    ):
        assert next(one) == next(other)
        model.allow(100)
        assert list(one) == list(other)


def test_a_finished_answer_can_be_followed_again(talking: Service) -> None:
    heard = talking.stream("Tell me a story")
    again = follow(talking, heard[0])
    assert text_of(again) == again[-1].data["message"] == "You asked: Tell me a story"
    assert [event.name for event in follow(talking, heard[0], after=heard[-1].id)] == ["finished"]


@pytest.mark.parametrize("last", ["", "abc", "-1", "99999999999999999999", "１"])
def test_a_senseless_last_event_id_begins_at_the_beginning_or_tells_the_end(talking: Service, last: str) -> None:
    heard = talking.stream("Hi")
    path = f"/chat/stream/{heard[0].data['session_id']}/1"
    with talking.client.stream("GET", path, headers={"Last-Event-ID": last.encode()}) as answered:
        assert list(events(answered))[-1].name == "finished"


def test_a_user_stops_an_answer_and_keeps_what_was_said(patient: Service, model: ScriptedModel) -> None:
    with listening(patient, "Tell me a story") as heard:
        started = next(heard)
        model.allow(2)
        words = [next(heard), next(heard)]
        stopped = patient.client.post(f"/chat/stream/{started.data['session_id']}/1/stop").json()
        last = list(heard)[-1]
    assert stopped["message"] == text_of(words) == last.data["message"]
    assert last.data["metadata"]["interrupted"] is True
    assert model.left.wait(20)


def test_stopping_what_is_finished_gives_what_is_kept(talking: Service) -> None:
    heard = talking.stream("Hi")
    stopped = talking.client.post(f"/chat/stream/{heard[0].data['session_id']}/1/stop").json()
    assert stopped["message"] == "You asked: Hi"
    assert "interrupted" not in stopped["metadata"]


def test_a_turn_that_is_not_there_cannot_be_followed_or_stopped(talking: Service) -> None:
    session = talking.client.post("/chat/session").json()["session_id"]
    assert talking.client.get(f"/chat/stream/{session}/1").status_code == 404
    assert talking.client.post(f"/chat/stream/{session}/1/stop").status_code == 404


def test_an_answer_on_its_way_is_kept_when_the_service_stops(url: str, model: ScriptedModel) -> None:
    model.manner = Manner.WAITING
    with (
        serving(url, llm_base_url=model.url, llm_model="scripted", stream_grace_seconds=600) as service,
        listening(service, "Tell me a story") as heard,
    ):
        started = next(heard)
        model.allow(1)
        next(heard)
    [(_, _, response, metadata)] = service.turns(started.data["session_id"])
    assert (response, metadata["interrupted"]) == ("You", True)
