"""Tool calls pass through /v1 whole: offered to the model, called by it, answered by the client, kept in one turn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest

from gunita.language.tokens import count_tokens
from tests.api.scripted_model import ScriptedModel
from tests.api.service import Service, serving
from tests.api.test_openai import client

WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Ang lagay ng panahon",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
CALL = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Davao", "°": 1}'}}
SECOND_CALL = {"id": "call_2", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
QUERY = {"role": "user", "content": "Uulan ba sa Davao bukas?"}
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "call_1", "content": '{"rain": 0.8}'}


@pytest.fixture
def talking(url: str, model: ScriptedModel) -> Iterator[Service]:
    """Asks for keys: OpenAI's client always sends one."""
    model.calls = [CALL]
    with serving(url, llm_base_url=model.url, llm_model="scripted", llm_retries=0, require_auth=True) as service:
        yield service


@pytest.fixture
def gunita(talking: Service) -> Any:
    with talking.opened() as g:
        return client(talking, g.keys.create_key("service").secret)


def ask(gunita: Any, *messages: Any, **more: Any) -> Any:
    return gunita.chat.completions.create(model="m", user="ana", messages=list(messages), tools=[WEATHER], **more)


def kept(service: Service, session_id: str) -> list[dict[str, Any]]:
    with service.opened() as g:
        return [asdict(message) for message in g.conversations.get_messages(session_id)]


def test_tools_are_offered_to_the_model_as_they_came_and_its_calls_come_back(
    gunita: Any, model: ScriptedModel, talking: Service
) -> None:
    made = ask(gunita, QUERY, tool_choice="auto", parallel_tool_calls=False)
    assert model.requests[-1]["tools"] == [WEATHER]
    assert model.requests[-1]["tool_choice"] == "auto"
    assert model.requests[-1]["parallel_tool_calls"] is False
    assert made.choices[0].finish_reason == "tool_calls"
    assert made.choices[0].message.content is None
    assert [call.model_dump() for call in made.choices[0].message.tool_calls] == [CALL]
    assert [message["tool_calls"] for message in kept(talking, made.gunita["session_id"])] == [None, [CALL]]


def test_a_result_is_handed_on_and_ends_the_turn_that_asked_for_it(
    gunita: Any, model: ScriptedModel, talking: Service
) -> None:
    model.answer = lambda prompt: f"Oo, {json.loads(prompt[-1]['content'])['rain']:.0%}."
    session = ask(gunita, QUERY).gunita["session_id"]
    made = ask(gunita, QUERY, CALLED, RESULT)
    assert made.choices[0].message.content == "Oo, 80%."
    assert made.gunita["session_id"] == session
    assert made.gunita["turn_number"] == 1
    assert model.prompts[-1][-3:] == [QUERY, CALLED, RESULT]
    asked, answered = kept(talking, session)
    assert (asked["content"], answered["content"]) == (QUERY["content"], "Oo, 80%.")
    assert answered["tool_calls"] == [CALL]
    assert answered["custom_payload"] == {"tool_messages": [CALLED, RESULT]}


def test_a_second_call_belongs_to_the_same_turn(gunita: Any, model: ScriptedModel, talking: Service) -> None:
    session = ask(gunita, QUERY).gunita["session_id"]
    model.calls, again = [SECOND_CALL], {"role": "assistant", "content": "Sandali.", "tool_calls": [SECOND_CALL]}
    model.calls_after_results = True
    assert ask(gunita, QUERY, CALLED, RESULT).choices[0].message.tool_calls[0].id == "call_2"
    assert [message["tool_calls"] for message in kept(talking, session)] == [None, [CALL, SECOND_CALL]]
    model.calls_after_results = False
    more = {"role": "tool", "tool_call_id": "call_2", "content": "Wala."}
    made = ask(gunita, QUERY, CALLED, RESULT, again, more)
    assert made.gunita["turn_number"] == 1
    _, answered = kept(talking, session)
    assert answered["content"] == "You asked: Wala."
    assert answered["tool_calls"] == [CALL, SECOND_CALL]
    assert answered["custom_payload"]["tool_messages"] == [CALLED, RESULT, again, more]
    with talking.opened() as g:
        here = g.conversations.get_conversation(session)
    said = QUERY["content"], "You asked: Wala."
    assert (here.turn_count, here.message_count, here.token_count) == (1, 2, sum(map(count_tokens, said)))


def test_a_streamed_call_comes_whole_and_says_why_it_ends(gunita: Any) -> None:
    chunks = list(ask(gunita, QUERY, stream=True))
    calls = [call for chunk in chunks if chunk.choices for call in chunk.choices[0].delta.tool_calls or ()]
    assert [(call.index, call.id, call.function.arguments) for call in calls] == [
        (0, "call_1", CALL["function"]["arguments"])  # type: ignore[index]
    ]
    assert chunks[-1].choices[0].finish_reason == "tool_calls"


def test_results_of_a_call_that_nobody_here_made_open_a_turn_of_their_own(
    gunita: Any, model: ScriptedModel, talking: Service
) -> None:
    made = ask(gunita, QUERY, CALLED, RESULT)
    assert model.prompts[-1][-3:] == [QUERY, CALLED, RESULT]
    _, answered = kept(talking, made.gunita["session_id"])
    assert answered["custom_payload"] == {"tool_messages": [CALLED, RESULT]}


def test_calls_that_a_client_remembers_are_taken_over_with_their_turn(gunita: Any, talking: Service) -> None:
    said = {"role": "assistant", "content": "Oo."}
    made = gunita.chat.completions.create(
        model="m", user="ana", messages=[QUERY, CALLED, RESULT, said, {"role": "user", "content": "Salamat"}]
    )
    first, *_ = talking.turns(made.gunita["session_id"])
    assert first[1:3] == (QUERY["content"], "Oo.")
    assert first[3] == {"tool_messages": [CALLED, RESULT]}


def test_the_next_turn_remembers_what_the_tools_led_to(gunita: Any, model: ScriptedModel) -> None:
    ask(gunita, QUERY)
    ask(gunita, QUERY, CALLED, RESULT)
    gunita.chat.completions.create(model="m", user="ana", messages=[{"role": "user", "content": "Magdadala ba ako?"}])
    said = [message["content"] for message in model.prompts[-1]]
    assert f"You asked: {RESULT['content']}" in said
