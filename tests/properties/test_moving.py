"""What is written out comes back as it was, and only once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gunita import Gunita
from tests.properties.values import fresh_tenant, json_objects, json_values, memory_types, names, said

users = st.sampled_from(["ana", "ben", "Ñ "])
steps = st.lists(
    st.one_of(
        st.tuples(st.just("turn"), users, said(30), json_objects()),
        st.tuples(st.just("message"), users, said(30), json_objects()),
        st.tuples(st.just("answer"), users, said(30), json_objects()),
        st.tuples(st.just("delete"), users, st.just(""), st.just({})),
        st.tuples(st.just("title"), users, said(30), json_objects()),
    ),
    max_size=8,
)
memories = st.lists(st.tuples(users, said(40), memory_types(), st.none() | names(), st.booleans()), max_size=3)
values = st.lists(st.tuples(users, names(), json_values()), max_size=3)
modes = st.dictionaries(users, names(), max_size=2)


def do(g: Gunita, what: str, user: str, text: str, noted: dict[str, Any]) -> None:
    session = g.conversations.current(user).id
    match what:
        case "turn":
            g.sessions.store_turn(session, user, text, f"{text}?", noted)
        case "message":
            g.conversations.add_message(session, "user", text, custom_payload=noted or None, suggested_values=[noted])
        case "answer":
            g.conversations.add_message(session, "assistant", text, tool_calls=[noted], suggested_actions=[text])
        case "delete":
            for message in g.messages.get_conversation_history(user, 1, offset=1):
                g.messages.delete_message(message.id)
        case "title":
            g.conversations.update_conversation(session, title=text, metadata=noted, archived=bool(noted))


def fill(g: Gunita, said: list[Any], learnt: list[Any], kept: list[Any], states: dict[str, str]) -> None:
    for step in said:
        do(g, *step)
    for user, content, kind, category, pinned in learnt:
        source = g.conversations.current(user).id
        g.memories.create_memory(
            user, content, kind, category=category, pinned=pinned, source_conversation_id=source, confidence=0.25
        )
    for user, key, value in kept:
        g.users.set_memory(user, key, value)
    for user, mode in states.items():
        g.users.set_user_state(user, mode)


def written(g: Gunita, path: Path) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(g.exports.json_lines())
    return path


@given(talk=steps, learnt=memories, kept=values, states=modes)
def test_everything_written_out_comes_back_the_same_and_only_once(
    gunita: Gunita, tmp_path: Path, talk: list[Any], learnt: list[Any], kept: list[Any], states: dict[str, str]
) -> None:
    before, after = gunita.scoped(fresh_tenant()), gunita.scoped(fresh_tenant())
    fill(before, talk, learnt, kept, states)
    lines = list(before.exports.json_lines())
    if not lines:
        return
    path = written(before, tmp_path / "everything.jsonl")
    assert after.imports.bring_in(path, pinned=False).unread == ()
    assert list(after.exports.json_lines()) == lines
    for user in ("ana", "ben", "Ñ "):
        assert list(after.exports.json_lines(user)) == list(before.scoped(None, user).exports.json_lines())
    again = after.imports.bring_in(path, pinned=False)
    assert (again.conversations, again.messages_added, again.memories_added, again.values_added) == (0, 0, 0, 0)
    assert list(after.exports.json_lines()) == lines


@given(talk=steps, learnt=memories, kept=values)
def test_a_user_takes_in_everything_as_their_own_and_touches_nobody_else(
    gunita: Gunita, tmp_path: Path, talk: list[Any], learnt: list[Any], kept: list[Any]
) -> None:
    tenant = fresh_tenant()
    service, zoe = gunita.scoped(tenant), gunita.scoped(tenant, "zoe")
    fill(service, talk, learnt, kept, {})
    others = list(service.exports.json_lines())
    if not others:
        return
    path = written(service, tmp_path / "everything.jsonl")
    zoe.imports.bring_in(path)
    mine = list(zoe.exports.json_lines())
    assert zoe.imports.bring_in(path).messages_added == 0
    assert list(zoe.exports.json_lines()) == mine
    everybody = list(service.exports.json_lines())
    assert sorted(everybody) == sorted(others + mine)
