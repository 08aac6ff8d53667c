"""Many tenants and users at work on one database, beside a model in plain Python that says who may see what."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from gunita import Gunita, NotFoundError, OutOfScopeError, Role, Scope

# Names that would betray a careless comparison: the marks that scopes are announced with, and case.
TENANTS = (None, "acme", "=*")
USERS = ("anonymous", "*")
CONVERSATIONS = tuple(UUID(int=(7 << 76) | (2 << 62) | number) for number in range(3))
KEYS = ("theme", "=")

scopes = st.builds(Scope, st.sampled_from(TENANTS), st.sampled_from((None, *USERS)))
users = st.sampled_from(USERS)
conversations = st.sampled_from(CONVERSATIONS)


@dataclass
class Thread:
    user: str
    title: str | None = None
    turn_count: int = 0
    awaits_answer: bool = False
    said: dict[tuple[int, str], str] = field(default_factory=dict)

    def add(self, role: str, content: str) -> None:
        if role == "user" or not self.awaits_answer:
            self.turn_count += 1
        self.awaits_answer = role == "user"
        self.said[self.turn_count, role] = content

    def turns(self) -> list[tuple[int, str, str]]:
        return [
            (number, query, self.said[number, "assistant"])
            for (number, role), query in sorted(self.said.items())
            if role == "user" and (number, "assistant") in self.said
        ]

    def messages(self) -> list[tuple[int, str, str]]:
        ordered = sorted(self.said.items(), key=lambda item: (item[0][0], item[0][1] == "assistant"))
        return [(number, role, content) for (number, role), content in ordered]


@dataclass
class Tenant:
    threads: dict[UUID, Thread] = field(default_factory=dict)
    memories: dict[UUID, tuple[str, str]] = field(default_factory=dict)
    values: dict[tuple[str, str], str] = field(default_factory=dict)
    modes: dict[str, str] = field(default_factory=dict)


class ManyTenants(RuleBasedStateMachine):
    """Writes under random scopes, reads under others, and never finds more or less than the model holds."""

    def __init__(self, gunita: Gunita, empty: Callable[[], None]) -> None:
        super().__init__()
        empty()
        self.gunita = gunita
        self.tenants = {name: Tenant() for name in TENANTS}
        self.written = 0

    def within(self, scope: Scope) -> tuple[Gunita, Tenant]:
        return self.gunita.scoped(scope.tenant_id, scope.user_id), self.tenants[scope.tenant_id]

    def words(self, scope: Scope) -> str:
        """Text that tells whose it is."""
        self.written += 1
        return f"{scope.tenant_id}/{scope.user_id} says {self.written}"

    def look(self, scope: Scope) -> None:
        raise NotImplementedError

    def teardown(self) -> None:
        for tenant_id in TENANTS:
            for user_id in (None, USERS[0]):
                self.look(Scope(tenant_id, user_id))


class TalkOfManyTenants(ManyTenants):
    """Conversations, turns and messages."""

    @rule(scope=scopes, user=users, session=conversations)
    def store_turn(self, scope: Scope, user: str, session: UUID) -> None:
        g, tenant = self.within(scope)
        query, response = self.words(scope), self.words(scope)
        with reaching(scope, user) as allowed:
            if allowed and tenant.threads.get(session, Thread(user)).user != user:
                with pytest.raises(NotFoundError):
                    g.sessions.store_turn(session, user, query, response)
                return
            stored = g.sessions.store_turn(session, user, query, response, {"said": query})
            thread = tenant.threads.setdefault(session, Thread(user))
            thread.awaits_answer = False
            thread.add("user", query)
            thread.add("assistant", response)
            assert stored.turn_number == thread.turn_count

    @rule(scope=scopes, session=conversations, role=st.sampled_from(["user", "assistant"]))
    def add_message(self, scope: Scope, session: UUID, role: str) -> None:
        g, tenant = self.within(scope)
        content = self.words(scope)
        if visible(scope, tenant.threads.get(session)):
            message = g.conversations.add_message(session, role, content)
            tenant.threads[session].add(role, content)
            assert message.turn_number == tenant.threads[session].turn_count
        else:
            with pytest.raises(NotFoundError):
                g.conversations.add_message(session, role, content)

    @rule(scope=scopes, user=users)
    def add_message_by_user(self, scope: Scope, user: str) -> None:
        g, tenant = self.within(scope)
        content = self.words(scope)
        with reaching(scope, user):
            message = g.messages.add_message(user, "user", content)
            thread = tenant.threads.setdefault(message.conversation_id, Thread(user))
            assert thread.user == user
            thread.add("user", content)

    @rule(scope=scopes, session=conversations)
    def get_or_create(self, scope: Scope, session: UUID) -> None:
        g, tenant = self.within(scope)
        thread = tenant.threads.get(session)
        if thread is not None and not visible(scope, thread):
            with pytest.raises(NotFoundError):
                g.sessions.get_or_create_session(session)
            return
        found = g.sessions.get_or_create_session(session)
        assert found.user_id == tenant.threads.setdefault(session, Thread(scope.user_id or "anonymous")).user

    @rule(scope=scopes, session=conversations)
    def retitle(self, scope: Scope, session: UUID) -> None:
        g, tenant = self.within(scope)
        title = self.words(scope)
        thread = tenant.threads.get(session)
        if thread is not None and visible(scope, thread):
            g.conversations.update_conversation(session, title=title)
            thread.title = title
        else:
            with pytest.raises(NotFoundError):
                g.conversations.update_conversation(session, title=title)

    @rule(scope=scopes, session=conversations)
    def delete_session(self, scope: Scope, session: UUID) -> None:
        g, tenant = self.within(scope)
        thread = tenant.threads.get(session)
        gone = len(thread.turns()) if thread is not None and visible(scope, thread) else 0
        assert g.sessions.delete_session(session) == gone
        if visible(scope, thread):
            del tenant.threads[session]

    @rule(scope=scopes, of=st.sampled_from(TENANTS), session=conversations, which=st.integers(0, 5))
    def delete_message(self, scope: Scope, of: str | None, session: UUID, which: int) -> None:
        """Try to delete a message of any tenant under any scope."""
        found = self.gunita.scoped(of).conversations.get_messages(session)
        if not found:
            return
        message = found[which % len(found)]
        thread = self.tenants[of].threads[session]
        reached = scope.tenant_id == of and visible(scope, thread)
        assert self.within(scope)[0].messages.delete_message(message.id) is reached
        if reached:
            del thread.said[message.turn_number, message.role.value]
            if thread.turn_count == message.turn_number and message.role is Role.USER:
                thread.awaits_answer = False

    @rule(scope=scopes, user=users)
    def clear_history(self, scope: Scope, user: str) -> None:
        g, tenant = self.within(scope)
        with reaching(scope, user):
            mine = [session for session, thread in tenant.threads.items() if thread.user == user]
            said = sum(len(tenant.threads[session].said) for session in mine)
            assert g.messages.clear_conversation_history(user) == said
            for session in mine:
                del tenant.threads[session]

    @rule(scope=scopes)
    def look(self, scope: Scope) -> None:
        g, tenant = self.within(scope)
        seen = {session: thread for session, thread in tenant.threads.items() if visible(scope, thread)}
        assert {found.id: found.title for found in g.conversations.list_conversations(100)} == {
            session: thread.title for session, thread in seen.items()
        }
        assert {found.id for found in g.sessions.get_recent_sessions(100)} == seen.keys()
        for session in {session for other in self.tenants.values() for session in other.threads}:
            self._look_at_conversation(g, session, seen.get(session))
        for user in USERS:
            with reaching(scope, user):
                self._look_at_user(g, tenant, user)

    def _look_at_conversation(self, g: Gunita, session: UUID, thread: Thread | None) -> None:
        turns = [] if thread is None else thread.turns()
        messages = [] if thread is None else thread.messages()
        history = g.sessions.get_session_history(session)
        assert [(turn.turn_number, turn.query_text, turn.response_text) for turn in history] == turns
        found = g.conversations.get_messages(session)
        assert [(message.turn_number, message.role.value, message.content) for message in found] == messages
        if thread is None:
            with pytest.raises(NotFoundError):
                g.conversations.get_conversation(session)
            with pytest.raises(NotFoundError):
                g.sessions.export_conversation(session)
        else:
            conversation = g.conversations.get_conversation(session)
            assert (conversation.user_id, conversation.message_count) == (thread.user, len(messages))
            exported = json.loads(g.sessions.export_conversation(session))
            assert [message["content"] for message in exported["messages"]] == [content for *_, content in messages]

    def _look_at_user(self, g: Gunita, tenant: Tenant, user: str) -> None:
        said = sorted(
            content for thread in tenant.threads.values() if thread.user == user for *_, content in thread.messages()
        )
        assert sorted(message.content for message in g.messages.get_conversation_history(user, 100)) == said
        assert sorted(message.content for message in g.messages.get_recent_messages(user, 100)) == said
        assert g.messages.count_messages(user) == len(said)
        assert {found.id for found in g.conversations.list_conversations(100, user_id=user)} == {
            session for session, thread in tenant.threads.items() if thread.user == user
        }


class KnowledgeOfManyTenants(ManyTenants):
    """Memories, user memory and user state."""

    @rule(scope=scopes, user=users)
    def create_memory(self, scope: Scope, user: str) -> None:
        g, tenant = self.within(scope)
        with reaching(scope, user):
            memory = g.memories.create_memory(user, self.words(scope))
            tenant.memories[memory.id] = (user, memory.content)

    @rule(scope=scopes, which=st.integers(0, 9), change=st.booleans())
    def change_or_delete_memory(self, scope: Scope, which: int, change: bool) -> None:
        """Try to change a memory of any tenant under any scope."""
        known = [(name, memory) for name, tenant in self.tenants.items() for memory in tenant.memories]
        if not known:
            return
        of, memory_id = known[which % len(known)]
        g, tenant = self.within(scope)
        reached = of == scope.tenant_id and scope.user_id in (None, self.tenants[of].memories[memory_id][0])
        content = self.words(scope)
        if not change:
            assert g.memories.delete_memory(memory_id) is reached
            if reached:
                del tenant.memories[memory_id]
        elif reached:
            g.memories.update_memory(memory_id, content=content)
            tenant.memories[memory_id] = (tenant.memories[memory_id][0], content)
        else:
            with pytest.raises(NotFoundError):
                g.memories.update_memory(memory_id, content=content)

    @rule(scope=scopes, user=users, key=st.sampled_from(KEYS), keep=st.booleans())
    def set_or_delete_value(self, scope: Scope, user: str, key: str, keep: bool) -> None:
        g, tenant = self.within(scope)
        with reaching(scope, user):
            if keep:
                value = self.words(scope)
                g.users.set_memory(user, key, value)
                g.users.set_user_state(user, value)
                tenant.values[user, key], tenant.modes[user] = value, value
            else:
                assert g.users.delete_memory(user, key) is (tenant.values.pop((user, key), None) is not None)
                assert g.users.delete_user_state(user) is (tenant.modes.pop(user, None) is not None)

    @rule(scope=scopes)
    def look(self, scope: Scope) -> None:
        g, tenant = self.within(scope)
        self._look_at_memories(scope)
        for user in USERS:
            with reaching(scope, user):
                self._look_at_user(g, tenant, user)

    def _look_at_memories(self, scope: Scope) -> None:
        g, tenant = self.within(scope)
        seen = {key: held for key, held in tenant.memories.items() if scope.user_id in (None, held[0])}
        assert {memory.id: (memory.user_id, memory.content) for memory in g.memories.get_memories()} == seen
        assert {memory.id for memory in g.memories.get_memories(text="SAYS")} == seen.keys()
        for memory_id in {key for other in self.tenants.values() for key in other.memories} - seen.keys():
            with pytest.raises(NotFoundError):
                g.memories.get_memory(memory_id)

    def _look_at_user(self, g: Gunita, tenant: Tenant, user: str) -> None:
        values = {key: value for (whose, key), value in tenant.values.items() if whose == user}
        assert g.users.get_all_memory(user) == values
        assert {key: g.users.get_memory(user, key) for key in KEYS} == {key: values.get(key) for key in KEYS}
        assert g.users.get_user_state(user) == tenant.modes.get(user)
        assert {memory.id for memory in g.memories.get_memories(user)} == {
            key for key, (whose, _) in tenant.memories.items() if whose == user
        }


def visible(scope: Scope, thread: Thread | None) -> bool:
    return thread is not None and scope.user_id in (None, thread.user)


@contextmanager
def reaching(scope: Scope, user: str) -> Iterator[bool]:
    """Expect what happens inside to be refused when the scope does not reach the user."""
    if scope.user_id in (None, user):
        yield True
        return
    with pytest.raises(OutOfScopeError):
        yield False
