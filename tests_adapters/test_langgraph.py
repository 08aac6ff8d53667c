"""LangGraph: the store inside a real graph, and held to what LangGraph's own store in memory answers."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import InvalidNamespaceError, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from gunita import Gunita, ValidationError
from gunita.adapters.langgraph import GunitaStore

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class State(TypedDict):
    user: str
    said: str


def remember(state: State, runtime: Runtime[Any]) -> dict[str, Any]:
    assert runtime.store is not None
    runtime.store.put(("facts", state["user"]), "latest", {"text": state["said"]})
    return {}


def test_a_graph_remembers_from_one_run_to_the_next(gunita: Gunita) -> None:
    builder = StateGraph(State)
    builder.add_node("remember", remember)
    builder.add_edge(START, "remember")
    builder.add_edge("remember", END)
    builder.compile(store=GunitaStore(gunita)).invoke({"user": "juan", "said": "Nakatira ako sa Davao."})
    found = GunitaStore(gunita).get(("facts", "juan"), "latest")
    assert found is not None
    assert found.value == {"text": "Nakatira ako sa Davao."}


def test_a_value_is_found_by_its_meaning(gunita: Gunita) -> None:
    store = GunitaStore(gunita)
    store.put(("facts", "juan"), "home", {"text": "Nakatira siya sa Davao"})
    store.put(("facts", "juan"), "food", {"text": "He loves spicy noodles"})
    store.put(("facts", "juan"), "secret", {"text": "where does he live"}, index=False)
    found = store.search(("facts",), query="where does he live?")
    assert [item.key for item in found] == ["home", "food", "secret"]
    assert [item.score is None for item in found] == [False, False, True]


def test_values_expire_unless_they_are_read_and_are_swept(gunita: Gunita) -> None:
    now = NOON
    store = GunitaStore(gunita, clock=lambda: now, ttl={"default_ttl": 10})
    store.put(("n",), "read", {"a": 1})
    store.put(("n",), "unread", {"a": 1})
    store.put(("n",), "lasting", {"a": 1}, ttl=None)
    now += timedelta(minutes=6)
    assert store.get(("n",), "read") is not None
    assert store.get(("n",), "unread", refresh_ttl=False) is not None
    now += timedelta(minutes=6)
    assert store.get(("n",), "unread") is None
    assert sorted(item.key for item in store.search(("n",), refresh_ttl=False)) == ["lasting", "read"]
    assert store.sweep_ttl() == 1
    now += timedelta(minutes=10)
    assert store.sweep_ttl() == 1
    assert store.list_namespaces() == [("n",)]


def test_a_search_keeps_alive_what_it_gives_and_nothing_else(gunita: Gunita) -> None:
    now = NOON
    store = GunitaStore(gunita, clock=lambda: now, ttl={"default_ttl": 10})
    store.put(("n",), "given", {"a": 1}, index=False)
    store.put(("n",), "not given", {"a": 2}, index=False)
    now += timedelta(minutes=6)
    assert [item.key for item in store.search(("n",), filter={"a": 1})] == ["given"]
    now += timedelta(minutes=6)
    assert [item.key for item in store.search(("n",), refresh_ttl=False)] == ["given"]


def test_results_come_a_page_at_a_time(gunita: Gunita) -> None:
    now = NOON
    store = GunitaStore(gunita, clock=lambda: now)
    for number in range(5):
        now += timedelta(seconds=1)
        store.put(("n", str(number)), "k", {"number": number}, index=False)
    assert [item.value["number"] for item in store.search(("n",), limit=2, offset=1)] == [3, 2]
    assert store.list_namespaces(limit=2, offset=3) == [("n", "3"), ("n", "4")]


def test_a_value_is_found_by_the_fields_that_were_chosen_and_no_others(gunita: Gunita) -> None:
    query = "where does he live?"
    values = {"by title": {"title": query, "body": "noodles"}, "by body": {"title": "noodles", "body": query}}
    chosen, told = GunitaStore(gunita, owner="a", fields=("title",)), GunitaStore(gunita, owner="b")
    for key, value in values.items():
        chosen.put(("n",), key, value)
        told.put(("n",), key, value, index=["title"])
    for store in (chosen, told):
        first, second = store.search(("n",), query=query)
        assert first.key == "by title"
        assert first.score is not None
        assert second.score is not None
        assert first.score > 0.99 > second.score


def test_a_reader_who_keeps_a_value_alive_undoes_no_write(gunita: Gunita) -> None:
    store = GunitaStore(gunita)
    store.put(("n",), "k", {"version": 1}, ttl=5)
    stale = store.batch([SearchOp(("n",), refresh_ttl=False)])[0]
    store.put(("n",), "k", {"version": 2}, ttl=5)
    store.get(("n",), "k")
    current = store.get(("n",), "k")
    assert isinstance(stale, list)
    assert (stale[0].value, current and current.value) == ({"version": 1}, {"version": 2})


def test_writing_again_keeps_when_it_was_created(gunita: Gunita) -> None:
    now = NOON
    store = GunitaStore(gunita, clock=lambda: now)
    store.put(("n",), "k", {"a": 1})
    now += timedelta(hours=1)
    store.put(("n",), "k", {"a": 2})
    found = asyncio.run(store.aget(("n",), "k"))
    assert found is not None
    assert (found.created_at, found.updated_at) == (NOON, now)


def test_a_store_of_one_user_is_refused_and_so_are_wrong_names_and_filters(gunita: Gunita) -> None:
    with pytest.raises(ValidationError):
        GunitaStore(gunita.scoped(user_id="juan"))
    store = GunitaStore(gunita)
    with pytest.raises(InvalidNamespaceError):
        store.put((), "k", {})
    store.put(("n",), "k", {"a": 1})
    with pytest.raises(ValidationError):
        store.search(("n",), filter={"a": {"$like": 1}})


labels = st.sampled_from(["a", "b", "c"])
namespaces = st.lists(labels, min_size=1, max_size=3).map(tuple)
values = st.fixed_dictionaries(
    {"n": st.integers(0, 3), "t": st.sampled_from(["x", "y"]), "d": st.fixed_dictionaries({"m": st.integers(0, 1)})}
)
kept = st.one_of(st.none(), values)
puts = st.lists(st.builds(PutOp, namespaces, labels, kept, st.just(False), ttl=st.none()), max_size=15)
filters = st.sampled_from(
    [None, {"n": 1}, {"n": {"$gte": 2}}, {"n": {"$ne": 0, "$lt": 3}}, {"t": "x", "n": {"$lte": 2}}, {"d": {"m": 1}}]
)
wildcards = st.lists(st.sampled_from(["a", "b", "*"]), min_size=1, max_size=2).map(tuple)
conditions = st.builds(MatchCondition, st.sampled_from(["prefix", "suffix"]), wildcards)


@given(puts, st.one_of(st.just(()), namespaces), filters, st.lists(conditions, max_size=2), st.integers(1, 3))
def test_it_answers_what_langgraphs_own_store_answers(
    gunita: Gunita,
    written: list[PutOp],
    prefix: tuple[str, ...],
    wanted: dict[str, Any] | None,
    matching: list[MatchCondition],
    depth: int,
) -> None:
    theirs, ours = InMemoryStore(), GunitaStore(gunita)
    gunita.users.clear_all_memory("langgraph-store")
    for op in written:
        theirs.batch([op])
        ours.batch([op])

    def found(store: InMemoryStore | GunitaStore) -> set[tuple[Any, ...]]:
        items = store.search(prefix, filter=wanted, limit=100)
        return {(item.namespace, item.key, str(item.value)) for item in items}

    def listed(store: InMemoryStore | GunitaStore) -> list[tuple[str, ...]]:
        given_prefix = next((c.path for c in matching if c.match_type == "prefix"), None)
        given_suffix = next((c.path for c in matching if c.match_type == "suffix"), None)
        return sorted(store.list_namespaces(prefix=given_prefix, suffix=given_suffix, max_depth=depth))

    assert found(ours) == found(theirs)
    if all(op.value is not None for op in written):  # theirs goes on listing a namespace that was emptied
        assert listed(ours) == listed(theirs)
