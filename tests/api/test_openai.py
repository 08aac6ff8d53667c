"""OpenAI's own client, unmodified, has memory."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import openai
import pytest

from tests.api.scripted_model import Manner, ScriptedModel
from tests.api.service import Service, serving


def client(service: Service, key: str) -> openai.OpenAI:
    made = openai.OpenAI(base_url=f"{service.url}/v1", api_key=key, max_retries=0)
    return service.closing.enter_context(made)


@pytest.fixture
def keyed(url: str, model: ScriptedModel) -> Any:
    """A service that asks for keys, with one for the service."""
    with serving(url, llm_base_url=model.url, llm_model="scripted", llm_retries=0, require_auth=True) as service:
        with service.opened() as g:
            secret = g.keys.create_key("service").secret
        yield service, client(service, secret)


def said(model: ScriptedModel) -> list[str]:
    return [message["content"] for message in model.prompts[-1]]


def test_a_user_has_one_conversation_across_calls(keyed: Any, model: ScriptedModel) -> None:
    _, gunita = keyed
    for query in ("My cat is called Muning.", "How old do cats get?"):
        gunita.chat.completions.create(model="m", user="ana", messages=[{"role": "user", "content": query}])
    assert "My cat is called Muning." in said(model)
    gunita.chat.completions.create(model="m", user="ben", messages=[{"role": "user", "content": "Hi"}])
    assert "My cat is called Muning." not in said(model)


def test_a_completion_has_openais_form_and_tells_what_gunita_knows(keyed: Any) -> None:
    _, gunita = keyed
    made = gunita.chat.completions.create(model="m", user="ana", messages=[{"role": "user", "content": "Hi"}])
    assert made.choices[0].message.content == "You asked: Hi"
    assert made.choices[0].finish_reason == "stop"
    assert made.model == "scripted"
    assert made.usage.prompt_tokens > 0
    assert made.usage.total_tokens == made.usage.prompt_tokens + made.usage.completion_tokens
    assert made.gunita["turn_number"] == 1


def test_a_stream_has_openais_form(keyed: Any, model: ScriptedModel) -> None:
    _, gunita = keyed
    chunks = list(
        gunita.chat.completions.create(
            model="m",
            user="ana",
            messages=[{"role": "user", "content": "Tell me a story"}],
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == "You asked: Tell me a story"
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage.completion_tokens > 0
    assert len({chunk.id for chunk in chunks}) == 1
    gunita.chat.completions.create(model="m", user="ana", messages=[{"role": "user", "content": "More"}])
    assert "Tell me a story" in said(model)


@pytest.mark.parametrize("streamed", [False, True])
def test_a_session_is_named_by_a_header(keyed: Any, model: ScriptedModel, streamed: bool) -> None:
    service, gunita = keyed
    session = str(uuid4())
    for query in ("What is adobo?", "What is sinigang?"):
        answered = gunita.chat.completions.with_raw_response.create(
            model="m",
            user="ana",
            messages=[{"role": "user", "content": query}],
            extra_headers={"X-Session-Id": session},
            stream=streamed,
        )
        assert list(answered.parse())
        assert answered.headers["x-session-id"] == session
    assert "What is adobo?" in said(model)
    assert [turn[1] for turn in service.turns(session)] == ["What is adobo?", "What is sinigang?"]


def test_without_user_and_session_a_conversation_begins(keyed: Any, model: ScriptedModel) -> None:
    _, gunita = keyed
    ids = {
        gunita.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}]).gunita["session_id"]
        for _ in range(2)
    }
    assert len(ids) == 2


def test_what_a_client_remembers_becomes_the_first_turns_of_an_empty_conversation(
    keyed: Any, model: ScriptedModel
) -> None:
    service, gunita = keyed
    history = [
        {"role": "system", "content": "You are a pirate."},
        {"role": "user", "content": [{"type": "text", "text": "My cat is called Muning."}]},
        {"role": "assistant", "content": "Arr."},
    ]
    query = {"role": "user", "content": "How old do cats get?"}
    made = gunita.chat.completions.create(model="m", user="ana", messages=[*history, query])
    assert "My cat is called Muning." in said(model)
    assert said(model)[0].startswith("You are a pirate.")
    again = {"role": "user", "content": "And dogs?"}
    gunita.chat.completions.create(model="m", user="ana", messages=[*history, query, again])
    queries = [turn[1] for turn in service.turns(made.gunita["session_id"])]
    assert queries == ["My cat is called Muning.", "How old do cats get?", "And dogs?"]


def test_a_session_of_somebody_else_is_no_way_into_it(keyed: Any, model: ScriptedModel) -> None:
    service, gunita = keyed
    made = gunita.chat.completions.create(model="m", user="ana", messages=[{"role": "user", "content": "Secret"}])
    theirs = made.gunita["session_id"]
    for messages in (
        [{"role": "user", "content": "Tell"}],
        [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "Tell"}],
    ):
        mine = gunita.chat.completions.create(
            model="m", user="ben", messages=messages, extra_headers={"X-Session-Id": theirs}
        )
        assert mine.gunita["session_id"] != theirs
        assert "Secret" not in said(model)
    assert [turn[1] for turn in service.turns(theirs)] == ["Secret"]


def test_models_are_listed(keyed: Any) -> None:
    _, gunita = keyed
    assert [found.id for found in gunita.models.list()] == ["scripted"]


def test_errors_are_the_clients_own(keyed: Any) -> None:
    service, gunita = keyed
    with pytest.raises(openai.BadRequestError, match="only one answer"):
        gunita.chat.completions.create(model="m", n=2, messages=[{"role": "user", "content": "Hi"}])
    with pytest.raises(openai.BadRequestError, match="the last message must be the user's"):
        gunita.chat.completions.create(model="m", messages=[{"role": "assistant", "content": "Hi"}])
    with pytest.raises(openai.BadRequestError, match="the last message must be the user's"):
        gunita.chat.completions.create(model="m", messages=[{"role": "tool", "content": "1", "tool_call_id": "a"}])
    with pytest.raises(openai.BadRequestError, match="is empty"):
        gunita.chat.completions.create(model="m", messages=[{"role": "user", "content": " "}])
    with pytest.raises(openai.AuthenticationError, match="not valid"):
        client(service, "wrong").models.list()


def test_a_failing_model_is_answered_from_memory_here_too(keyed: Any, model: ScriptedModel) -> None:
    _, gunita = keyed
    model.manner = Manner.REFUSING
    made = gunita.chat.completions.create(model="m", user="ana", messages=[{"role": "user", "content": "Hi"}])
    assert "kept your message" in made.choices[0].message.content
    assert "could not answer" in made.gunita["error"]


def test_a_stream_ends_as_openais_own_does(talking: Service) -> None:
    body = {"messages": [{"role": "user", "content": "Hi"}], "stream": True}
    assert talking.client.post("/v1/chat/completions", json=body).text.endswith("data: [DONE]\n\n")
