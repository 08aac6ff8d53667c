"""Moving in, on both engines: everything once, in order, pinned, under the right user, or nothing at all."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gunita import Gunita
from gunita.errors import ValidationError
from gunita.models import Conversation, Message
from tests.unit.exports import (
    chatgpt_chain,
    chatgpt_message,
    claude_message,
    claude_talk,
    damaged,
    written,
    written_ascii,
    zipped,
)

TALK = claude_talk(
    claude_message("a", "human", "Paano mag-sinigang?", 1, files=[{"file_name": "isda.png"}]),
    claude_message("b", "assistant", "Sampalok muna.", 2, content=[
        {"type": "text", "text": "Sampalok muna."}, {"type": "tool_use", "name": "search", "input": {}},
    ]),
    claude_message("c", "human", "Tapos?", 3),
)  # fmt: skip


def only(gunita: Gunita, user: str = "ana") -> Conversation:
    [conversation] = gunita.conversations.list_conversations(user_id=user)
    return conversation


def said(gunita: Gunita, conversation: Conversation) -> list[Message]:
    return gunita.conversations.get_messages(conversation.id)


def test_a_conversation_comes_in_whole_with_its_dates_title_and_tools(gunita: Gunita, tmp_path: Path) -> None:
    report = gunita.imports.bring_in(written(tmp_path / "claude.json", [TALK]), "ana")
    assert (report.conversations, report.messages_added, report.unread) == (1, 3, ())
    conversation = only(gunita)
    assert (conversation.title, conversation.pinned, conversation.turn_count) == ("Sinigang", True, 2)
    assert conversation.created_at == datetime(2024, 10, 18, 5, tzinfo=UTC)
    question, answer, last = said(gunita, conversation)
    assert [(each.turn_number, each.content) for each in (question, answer, last)] == [
        (1, "Paano mag-sinigang?"),
        (1, "Sampalok muna."),
        (2, "Tapos?"),
    ]
    assert question.created_at == datetime(2024, 10, 18, 5, 1, 0, 500_000, tzinfo=UTC)
    assert question.custom_payload is not None
    assert question.custom_payload["imported"]["attachments"] == [{"file_name": "isda.png"}]
    assert answer.tool_calls == [{"type": "tool_use", "name": "search", "input": {}}]


def test_bringing_it_twice_adds_nothing_and_a_later_export_adds_what_is_new(gunita: Gunita, tmp_path: Path) -> None:
    path = written(tmp_path / "claude.json", [TALK])
    gunita.imports.bring_in(path, "ana")
    again = gunita.imports.bring_in(path, "ana")
    assert (again.conversations, again.messages_added, again.messages_here) == (0, 0, 3)
    grown = TALK | {"chat_messages": [*TALK["chat_messages"], claude_message("d", "assistant", "Isda na.", 4)]}
    later = gunita.imports.bring_in(written(tmp_path / "later.json", [grown]), "ana")
    assert (later.conversations, later.messages_added, later.messages_here) == (1, 1, 3)
    assert [each.content for each in said(gunita, only(gunita))][-2:] == ["Tapos?", "Isda na."]


def test_two_users_import_the_same_file_apart(gunita: Gunita, tmp_path: Path) -> None:
    path = zipped(tmp_path / "claude.zip", conversations_json=[TALK])
    for tenant, user in ((None, "ana"), (None, "ben"), ("acme", "ana")):
        scoped = gunita.scoped(tenant, user)
        assert scoped.imports.bring_in(path).messages_added == 3
        assert only(scoped, user).user_id == user


def test_gunitas_own_export_comes_back_as_the_same_conversation(gunita: Gunita, tmp_path: Path) -> None:
    gunita.imports.bring_in(written(tmp_path / "claude.json", [TALK]), "ana")
    before = only(gunita)
    messages = said(gunita, before)
    path = tmp_path / "own.json"
    path.write_text(gunita.sessions.export_conversation(before.id), encoding="utf-8")
    assert gunita.imports.bring_in(path, "ana").messages_added == 0
    gunita.sessions.delete_session(before.id)
    assert gunita.imports.bring_in(path, "ana").messages_added == 3
    assert (only(gunita).id, said(gunita, only(gunita))) == (before.id, messages)
    assert gunita.imports.bring_in(path, "ben").messages_added == 3
    assert only(gunita, "ben").id != before.id


@pytest.mark.parametrize("records", [[], [{"a": 1}], "not an export"])
def test_a_wrong_file_leaves_the_store_as_it_was(gunita: Gunita, tmp_path: Path, records: Any) -> None:
    with pytest.raises(ValidationError):
        gunita.imports.bring_in(written(tmp_path / "wrong.json", records), "ana")
    assert gunita.conversations.list_conversations() == []


def test_a_file_that_is_damaged_at_its_end_brings_nothing(gunita: Gunita, tmp_path: Path) -> None:
    path = written(tmp_path / "cut.json", [TALK, TALK | {"uuid": "two"}])
    path.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(ValidationError, match="cut off"):
        gunita.imports.bring_in(path, "ana")
    assert gunita.conversations.list_conversations() == []


def test_what_cannot_be_kept_is_listed_and_the_rest_comes_in(url: str, tmp_path: Path) -> None:
    record = chatgpt_chain(
        chatgpt_message("m1", "user", "broken \x00 and \ud800 characters"),
        chatgpt_message("m2", "assistant", "long " * 100),
        chatgpt_message("m3", "user", "after it"),
        title="x" * 900,
    )
    path = tmp_path / "odd.json"
    path.write_text(json.dumps([record]), encoding="utf-8")
    with Gunita.open(url, max_text_characters=100) as gunita:
        report = gunita.imports.bring_in(path, "ana")
        assert report.messages_added == 2
        [unread] = report.unread
        assert "m2" in unread.where
        assert "the limit is 100" in unread.why
        conversation = only(gunita)
        assert len(conversation.title or "") == 500
        assert [each.content for each in said(gunita, conversation)] == [
            "broken \ufffd and \ufffd characters",
            "after it",
        ]


def test_words_come_in_also_where_what_stood_beside_them_cannot_be_kept(url: str, tmp_path: Path) -> None:
    record = chatgpt_chain(
        chatgpt_message("m1", "user", "Read that page."),
        chatgpt_message("m2", "tool", "page " * 200, tool="web"),
        chatgpt_message("m3", "assistant", "It is about fares."),
    )
    with Gunita.open(url, max_json_characters=500) as gunita:
        report = gunita.imports.bring_in(written(tmp_path / "long.json", [record]), "ana")
        assert report.messages_added == 2
        [unread] = report.unread
        assert unread.where == "Adobo, message m3, what stood beside the words"
        assert "the limit is 500" in unread.why
        question, answer = said(gunita, only(gunita))
        assert (answer.content, answer.custom_payload) == ("It is about fares.", None)
        assert question.custom_payload is not None


def test_when_it_was_last_used_and_that_it_was_put_away_come_too(gunita: Gunita, tmp_path: Path) -> None:
    record = chatgpt_chain(chatgpt_message("m7", "user", "Hi"), is_archived=True, is_starred=True)
    gunita.imports.bring_in(written(tmp_path / "old.json", [record]), "ana", pinned=False)
    conversation = only(gunita)
    assert conversation.updated_at == datetime(2024, 1, 1, 0, 0, 7, tzinfo=UTC)
    assert (conversation.archived, conversation.pinned) == (True, True)


def test_a_conversation_in_which_nobody_said_anything_is_not_begun(gunita: Gunita, tmp_path: Path) -> None:
    report = gunita.imports.bring_in(written(tmp_path / "empty.json", [claude_talk(name="")]), "ana")
    assert (report.conversations, report.unread) == (0, ())
    assert gunita.conversations.list_conversations() == []


def test_whatever_a_field_holds_a_record_comes_in_or_is_listed(gunita: Gunita, tmp_path: Path) -> None:
    sound = claude_talk(claude_message("z", "human", "Last"), uuid="last", name="Last")
    odd = damaged()[::7]
    report = gunita.imports.bring_in(written_ascii(tmp_path / "odd.json", [*odd, sound]), "ana")
    assert report.messages_added > len(odd) / 2
    assert report.unread
    assert "Last" in {each.title for each in gunita.conversations.list_conversations(limit=1_000, user_id="ana")}


def test_progress_is_told_conversation_by_conversation(gunita: Gunita, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    path = written(tmp_path / "three.json", [TALK | {"uuid": name} for name in "xyz"])
    gunita.imports.bring_in(path, "ana", pinned=False, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert not any(each.pinned for each in gunita.conversations.list_conversations())


def test_everything_about_a_user_in_one_piece_comes_back(gunita: Gunita, tmp_path: Path) -> None:
    before, after = gunita.scoped("before"), gunita.scoped("after")
    session = before.sessions.create_session("ana")
    for number in (1, 2, 3):
        before.sessions.store_turn(session, "ana", f"Tanong {number}", f"Sagot {number}")
    before.memories.create_memory("ana", "Lives in Davao", source_conversation_id=session)
    before.users.set_memory("ana", "font", {"size": 14})
    before.users.set_user_state("ana", "halted")
    path = written(tmp_path / "ana.json", dict(before.deletion.export_user("ana")))
    report = after.imports.bring_in(path)
    assert (report.messages_added, report.memories_added, report.values_added, report.unread) == (6, 1, 2, ())
    assert list(after.exports.json_lines("ana")) == [
        line.replace('"pinned":false', '"pinned":true', 1) if '"conversation":' in line else line
        for line in before.exports.json_lines("ana")
    ]


def test_turns_keep_their_numbers_also_where_older_ones_are_gone(gunita: Gunita, tmp_path: Path) -> None:
    before, after = gunita.scoped("before"), gunita.scoped("after")
    session = before.sessions.create_session("ana")
    for number in range(1, 5):
        before.sessions.store_turn(session, "ana", f"Tanong {number}", f"Sagot {number}", {"references": [3]})
    for message in said(before, before.conversations.get_conversation(session))[:4]:
        before.messages.delete_message(message.id)
    path = tmp_path / "own.jsonl"
    path.write_text(before.exports.conversation_line(session), encoding="utf-8")
    after.imports.bring_in(path)
    turns = after.sessions.get_session_history(session)
    assert turns == before.sessions.get_session_history(session)
    assert [turn.turn_number for turn in turns] == [3, 4]
    assert after.sessions.store_turn(session, "ana", "At ngayon?", "Ito.").turn_number == 5
    assert after.imports.bring_in(path).messages_added == 0


def test_what_is_here_by_now_is_newer_and_stays(gunita: Gunita, tmp_path: Path) -> None:
    gunita.users.set_memory("ana", "font", 12)
    gunita.users.set_user_state("ana", "halted")
    memory = gunita.memories.create_memory("ana", "Lives in Davao")
    path = tmp_path / "own.jsonl"
    path.write_text("".join(gunita.exports.json_lines()), encoding="utf-8")
    gunita.users.set_memory("ana", "font", 14)
    gunita.users.set_user_state("ana", "active")
    gunita.memories.update_memory(memory.id, content="Lives in Cebu")
    gunita.imports.bring_in(path)
    assert (gunita.users.get_memory("ana", "font"), gunita.users.get_user_state("ana")) == (14, "active")
    assert [each.content for each in gunita.memories.get_memories()] == ["Lives in Cebu"]
    report = gunita.imports.bring_in(path, "ben")
    assert (report.memories_added, report.values_added) == (1, 2)
    assert gunita.imports.bring_in(path, "ben").memories_added == 0
    assert [each.content for each in gunita.memories.get_memories("ben")] == ["Lives in Davao"]
