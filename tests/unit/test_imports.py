"""What export files say, oddities included: read in order, whole, and with what stood beside the words."""

from __future__ import annotations

import io
import json
import time
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunita.imports import chatgpt, claude, files, reading
from gunita.imports.records import Learnt, Talk, Unread, UnreadableExportError, UserMode, UserValue
from gunita.models import Role
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


def words(talk: Talk) -> list[tuple[str, str]]:
    return [(said.role.value, said.content) for said in talk.said]


def test_chatgpt_follows_the_current_path_of_a_branch() -> None:
    record = chatgpt_chain(
        None,
        chatgpt_message("m1", "user", "Paano mag-adobo?"),
        chatgpt_message("m2", "assistant", "Suka, toyo, bawang."),
        chatgpt_message("m3", "user", "Ilang minuto?"),
    )
    record["mapping"]["m4"] = {"message": chatgpt_message("m4", "user", "Never seen"), "parent": "m2", "children": []}
    record["mapping"]["m2"]["children"].append("m4")
    assert words(chatgpt.read(record)) == [
        ("user", "Paano mag-adobo?"),
        ("assistant", "Suka, toyo, bawang."),
        ("user", "Ilang minuto?"),
    ]


@pytest.mark.parametrize("current", [None, "gone", 7])
def test_chatgpt_without_a_current_message_follows_the_newest_leaf(current: Any) -> None:
    record = chatgpt_chain(
        chatgpt_message("m1", "user", "First"), chatgpt_message("m9", "assistant", "Newest"), current_node=current
    )
    record["mapping"]["m2"] = {"message": chatgpt_message("m2", "assistant", "Older"), "parent": "m1", "children": []}
    assert words(chatgpt.read(record)) == [("user", "First"), ("assistant", "Newest")]


def test_chatgpt_keeps_tools_settings_and_hidden_words_beside_the_answer() -> None:
    record = chatgpt_chain(
        chatgpt_message("m0", "system", "Be brief.", weight=0),
        chatgpt_message("m1", "user", "Weather in Cebu?"),
        chatgpt_message(
            "m2", "assistant", recipient="browser", content={"content_type": "code", "text": "search('Cebu')"}
        ),
        chatgpt_message("m3", "tool", "31 °C", tool="browser"),
        chatgpt_message("m4", "assistant", content={"content_type": "thoughts", "thoughts": [{"summary": "hm"}]}),
        chatgpt_message("m5", "assistant", "It is 31 °C.", metadata={"model_slug": "gpt-4o"}),
    )
    question, answer = chatgpt.read(record).said
    assert (question.content, answer.content) == ("Weather in Cebu?", "It is 31 °C.")
    assert question.payload["beside"] == [{"id": "m0", "role": "system", "type": "text", "text": "Be brief."}]
    assert answer.payload["beside"] == [
        {"id": "m2", "role": "assistant", "recipient": "browser", "type": "code", "text": "search('Cebu')"},
        {"id": "m3", "role": "tool", "name": "browser", "type": "text", "text": "31 °C"},
        {"id": "m4", "role": "assistant", "type": "thoughts", "content": {"thoughts": [{"summary": "hm"}]}},
    ]
    assert answer.payload["imported"] == {"source": "chatgpt", "id": "m5", "model": "gpt-4o"}


PICTURE = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file-1"}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            {"content_type": "reasoning_recap", "content": "Thought for 5 s"},
            {"content": {"content": "Thought for 5 s"}},
        ),
        (
            {"content_type": "user_editable_context", "user_profile": "A cook", "user_instructions": ""},
            {"content": {"user_profile": "A cook"}},
        ),
        (
            {"content_type": "tether_quote", "url": "https://x", "title": "Fares", "text": "₱40", "tether_id": None},
            {"text": "₱40", "content": {"url": "https://x", "title": "Fares"}},
        ),
        ({"content_type": "tether_browsing_display", "result": "found", "summary": None}, {"text": "found"}),
        ({"content_type": "execution_output", "text": "42"}, {"text": "42"}),
        ({"content_type": "system_error", "name": "E", "text": "no"}, {"text": "no", "content": {"name": "E"}}),
        ({"content_type": "multimodal_text", "parts": [PICTURE, "seen"]}, {"text": "seen", "attachments": [PICTURE]}),
        ({"content_type": "text", "parts": [""]}, None),
        ({"content_type": "thoughts", "thoughts": []}, None),
        (None, None),
    ],
    ids=lambda value: value["content_type"] if value and "content_type" in value else "",
)
def test_chatgpt_keeps_every_kind_of_content_that_is_no_words_of_the_talk(said: Any, kept: Any) -> None:
    message = chatgpt_message("m2", "tool", content=said, tool="t")
    record = chatgpt_chain(chatgpt_message("m1", "user", "Hi"), message, chatgpt_message("m3", "assistant", "Oo."))
    beside = chatgpt.read(record).said[1].payload.get("beside", [])
    kind = {"type": said["content_type"]} if said else {}
    assert beside == ([{"id": "m2", "role": "tool", "name": "t", **kind, **kept}] if kept else [])


@pytest.mark.parametrize(
    "unseen",
    [
        {"metadata": {"is_visually_hidden_from_conversation": True}},
        {"weight": 0},
        {"channel": "analysis"},
        {"recipient": "bio"},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_chatgpt_keeps_beside_what_the_screen_never_showed(unseen: dict[str, Any]) -> None:
    record = chatgpt_chain(
        chatgpt_message("m1", "user", "Sino ako?"),
        chatgpt_message("m2", "assistant", "Unseen.", **unseen),
        chatgpt_message("m3", "assistant", "Ikaw si Juan."),
    )
    assert words(chatgpt.read(record)) == [("user", "Sino ako?"), ("assistant", "Ikaw si Juan.")]
    assert chatgpt.read(record).said[1].payload["beside"][0]["text"] == "Unseen."


def test_chatgpt_what_follows_the_last_words_stays_with_them() -> None:
    record = chatgpt_chain(
        chatgpt_message("m1", "user", "Draw"), chatgpt_message("m2", "assistant", "a cat", recipient="dalle.text2im")
    )
    [only] = chatgpt.read(record).said
    assert [aside["recipient"] for aside in only.payload["beside"]] == ["dalle.text2im"]


def test_chatgpt_shows_sources_as_the_screen_did_and_keeps_them() -> None:
    mark, lost = "\ue200cite\ue202turn0search1\ue201", "\ue200navlist\ue202turn0news1\ue201"
    sources = [
        {"matched_text": mark, "alt": "([Cebu](https://x))", "url": "https://x"},
        {"matched_text": " ", "alt": "everywhere"},
        {"matched_text": "not in it"},
        "odd",
    ]
    record = chatgpt_chain(
        chatgpt_message("m1", "user", "Weather?"),
        chatgpt_message("m2", "assistant", f"31 °C {mark} {lost}now", metadata={"content_references": sources}),
    )
    answer = chatgpt.read(record).said[1]
    assert answer.content == "31 °C ([Cebu](https://x)) now"
    assert answer.payload["beside"] == [{"id": "m2", "content_references": sources}]


def test_chatgpt_files_named_beside_a_message_are_attached_to_it() -> None:
    file = {"id": "file-1", "name": "bill.pdf", "mimeType": "application/pdf"}
    record = chatgpt_chain(chatgpt_message("m1", "user", "Magkano?", metadata={"attachments": [file]}))
    assert chatgpt.read(record).said[0].payload["imported"]["attachments"] == [file]


def test_chatgpt_marks_names_and_dates_stand_where_they_may_stand() -> None:
    record = chatgpt_chain(chatgpt_message("m5", "user", "Hi"), title="", create_time=None, is_archived=True)
    del record["conversation_id"]
    talk = chatgpt.read(record | {"id": "older-name", "is_starred": True})
    assert (talk.source_id, talk.title, talk.archived, talk.pinned) == ("older-name", None, True, True)
    assert talk.created_at == talk.said[0].created_at == datetime(2024, 1, 1, 0, 0, 5, tzinfo=UTC)
    assert not chatgpt.read(chatgpt_chain(chatgpt_message("m1", "user", "Hi"))).pinned


def test_chatgpt_joins_an_answer_given_in_pieces_and_shows_code_as_code() -> None:
    record = chatgpt_chain(
        chatgpt_message("m1", "user", "Sort it"),
        chatgpt_message("m2", "assistant", "Here:"),
        chatgpt_message("m3", "assistant", content={"content_type": "code", "language": "python", "text": "sorted(x)"}),
    )
    assert words(chatgpt.read(record)) == [("user", "Sort it"), ("assistant", "Here:\n\n```python\nsorted(x)\n```")]


def test_chatgpt_names_pictures_and_takes_the_words_of_a_voice_message() -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-1"}
    voice = {"content_type": "audio_transcription", "text": "Kumusta?"}
    record = chatgpt_chain(
        chatgpt_message("m1", "user", content={"content_type": "multimodal_text", "parts": [picture]}),
        chatgpt_message("m2", "assistant", "A cat."),
        chatgpt_message("m3", "user", content={"content_type": "multimodal_text", "parts": [voice, picture]}),
    )
    talk = chatgpt.read(record)
    assert words(talk)[::2] == [("user", "[file-service://file-1]"), ("user", "Kumusta?")]
    assert talk.said[2].payload["imported"]["attachments"] == [picture]


def test_chatgpt_dates_are_those_of_the_messages_and_missing_ones_of_the_message_before() -> None:
    record = chatgpt_chain(
        chatgpt_message("m1", "user", "When?"), chatgpt_message("m2", "assistant", "Then.", create_time=None)
    )
    first, second = chatgpt.read(record).said
    assert first.created_at == second.created_at == datetime(2024, 1, 1, 0, 0, 1, tzinfo=UTC)


def test_chatgpt_path_that_runs_in_a_ring_ends() -> None:
    record = chatgpt_chain(chatgpt_message("m1", "user", "Round"), chatgpt_message("m2", "assistant", "and round"))
    record["mapping"]["m1"]["parent"] = "m2"
    assert len(chatgpt.read(record).said) == 2


def test_claude_puts_messages_in_order_of_time_the_question_first() -> None:
    record = claude_talk(
        claude_message("c", "human", "Third", 2),
        claude_message("b", "assistant", "Second", 1),
        claude_message("a", "human", "First", 1),
    )
    assert words(claude.read(record)) == [("user", "First"), ("assistant", "Second"), ("user", "Third")]


def test_claude_goes_by_index_where_messages_have_one() -> None:
    record = claude_talk(
        claude_message("b", "assistant", "Second", 1, index=1), claude_message("a", "human", "First", 9, index=0)
    )
    assert words(claude.read(record)) == [("user", "First"), ("assistant", "Second")]


@pytest.mark.parametrize(
    "written_as", ["2024-10-18T13:01:00+08:00", "2024-10-18T05:01:00Z", "2024-10-18T05:01:00", 1_729_227_660]
)
def test_a_moment_is_the_same_however_it_is_written(written_as: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Manila")
    time.tzset()
    try:
        talk = claude.read(claude_talk(claude_message("a", "human", "Kailan?", created_at=written_as)))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert talk.said[0].created_at == datetime(2024, 10, 18, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(("leaf", "seen"), [("b2", "Edited answer"), (None, "Edited answer"), ("b1", "First answer")])
def test_claude_follows_the_branch_that_was_last_seen(leaf: str | None, seen: str) -> None:
    root = "00000000-0000-4000-8000-000000000000"
    record = claude_talk(
        claude_message("a", "human", "Question", 1, parent_message_uuid=root),
        claude_message("b1", "assistant", "First answer", 2, parent_message_uuid="a"),
        claude_message("b2", "assistant", "Edited answer", 3, parent_message_uuid="a"),
        current_leaf_message_uuid=leaf,
    )
    assert words(claude.read(record)) == [("user", "Question"), ("assistant", seen)]


def test_claude_takes_words_from_blocks_and_keeps_tools_thoughts_and_files() -> None:
    tool = {"type": "tool_use", "name": "artifacts", "input": {"id": "calc"}}
    result = {"type": "tool_result", "name": "artifacts", "content": [{"type": "text", "text": "OK"}]}
    thought = {"type": "thinking", "thinking": "Let me see."}
    file = {"file_name": "bill.pdf", "file_size": 10, "extracted_content": "₱300"}
    record = claude_talk(
        claude_message("a", "human", "", 1, attachments=[file]),
        claude_message(
            "b",
            "assistant",
            "This block is not supported on your current device yet.",
            2,
            content=[
                thought,
                {"type": "text", "text": "Done."},
                tool,
                result,
                {"type": "text", "text": "Anything else?"},
            ],
        ),
    )
    question, answer = claude.read(record).said
    assert (question.content, question.payload["imported"]["attachments"]) == ("[bill.pdf]", [file])
    assert answer.content == "Done.\n\nAnything else?"
    assert (answer.tool_calls, answer.payload["beside"]) == ((tool, result), [thought])


def test_archives_are_read_whole_however_many_files_hold_the_conversations(tmp_path: Path) -> None:
    first, second = (claude_talk(claude_message("a", "human", "Hi"), uuid=name) for name in ("one", "two"))
    path = zipped(
        tmp_path / "export.zip",
        **{"conversations-000_json": [first], "conversations-001_json": [second]},
        users_json=[],
        **{"group_chats_json": {"chats": []}, "Takeout/conversations_json": [first | {"uuid": "three"}]},
    )
    assert [talk.source_id for _, talk in reading.entries(path) if isinstance(talk, Talk)] == ["three", "one", "two"]


def test_an_export_inside_one_object_and_behind_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    talks = [claude_talk(claude_message("a", "human", "Hi"), uuid=name) for name in ("one", "two")]
    path.write_text(json.dumps({"exported": True, "conversations": talks}), encoding="utf-8-sig")
    assert reading.count(path) == 1
    assert [talk.source_id for _, talk in reading.entries(path) if isinstance(talk, Talk)] == ["one", "two"]


def test_records_that_cannot_be_read_are_listed_and_the_rest_comes(tmp_path: Path) -> None:
    odd = [
        claude_talk(claude_message("a", "robot", "Beep")),
        claude_talk(claude_message("", "human", "No id")),
        {"mapping": {}, "id": "empty"},
        {"something": "else"},
    ]
    path = written(tmp_path / "export.json", [*odd, claude_talk(claude_message("a", "human", "Good"))])
    found = [entry for _, entry in reading.entries(path)]
    assert [each.why for each in found if isinstance(each, Unread)] == [
        "a message has the unknown sender 'robot'",
        "a message has no id",
        "the conversation has no date",
        "is not a conversation of ChatGPT, Claude or Gunita",
    ]
    assert [words(each) for each in found if isinstance(each, Talk)] == [[("user", "Good")]]


def test_whatever_a_field_holds_a_record_is_read_or_listed(tmp_path: Path) -> None:
    records = damaged()
    found = [entry for _, entry in reading.entries(written_ascii(tmp_path / "odd.json", records))]
    assert len(found) == len(records)
    assert len(records) / 2 < sum(isinstance(entry, Talk) for entry in found) < len(records)


def test_what_gunita_wrote_is_told_apart_and_odd_lines_are_listed(tmp_path: Path) -> None:
    learnt = {"id": "m", "memory_type": "fact", "content": "Lives in Davao", "created_at": "2026-01-05T09:30:00+00:00"}
    lines = [
        {"memory": learnt | {"confidence": True, "access_count": -3, "user_id": "ana"}},
        {"memory": learnt | {"memory_type": "dream"}},
        {"user_memory": {"user_id": "ana", "key": "font", "value": None}},
        {"user_memory": {"user_id": "ana", "value": 1}},
        {"user_state": {"mode": "halted"}},
        {"user_state": "halted"},
    ]
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert reading.count(path) == 5
    memory, odd_memory, value, no_key, mode, nothing = (entry for _, entry in reading.entries(path))
    assert isinstance(memory, Learnt)
    assert (memory.user_id, memory.confidence, memory.access_count) == ("ana", 1.0, 0)
    assert (value, mode) == (UserValue("ana", "font", None), UserMode(None, "halted"))
    assert [each.where for each in (odd_memory, no_key, nothing) if isinstance(each, Unread)] == [
        f"own.jsonl, record {number}" for number in (2, 4, 6)
    ]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no conversations"),
        (b"[]", "no conversations"),
        (b"[1, 2]", "not whole JSON"),
        (b"hello", "not whole JSON"),
        (b'[{"mapping": {}}', "not whole JSON"),
        (b'[{"mapping": {', "not whole JSON"),
        (b'[{"mapping": {}}] and more', "not whole JSON"),
        (b"\xff\xfe", "not text in UTF-8"),
        (b"PK\x05\x06" + b"\0" * 18, "no conversations.json"),
        (b"[" + b'{"a":' * 100_000, "nested too deep"),
        (b'[{"mapping": {}, "create_time": ' + b"1" * 5_000 + b"}]", "number of thousands of digits"),
    ],
)
def test_a_wrong_damaged_or_empty_file_says_so(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "export.json"
    path.write_bytes(content)
    with pytest.raises(UnreadableExportError, match=why):
        reading.count(path)


def test_a_record_that_would_fill_the_memory_is_refused_before_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "FIRST_READ", 10)
    monkeypatch.setattr(files, "LONGEST_RECORD", 100)
    assert list(files.objects(io.StringIO(json.dumps({"a": "x" * 50})))) == [{"a": "x" * 50}]
    with pytest.raises(UnreadableExportError, match="longer than 100"):
        list(files.objects(io.StringIO(json.dumps({"a": "x" * 500}))))


def test_a_damaged_archive_and_a_missing_file_say_so(tmp_path: Path) -> None:
    path = zipped(tmp_path / "export.zip", conversations_json=[claude_talk(claude_message("a", "human", "x" * 9_999))])
    whole = bytearray(path.read_bytes())
    whole[60:80] = bytes(20)
    path.write_bytes(whole)
    with pytest.raises(UnreadableExportError, match="damaged"):
        reading.count(path)
    with pytest.raises(UnreadableExportError, match="there is no file"):
        reading.count(tmp_path / "nothing.zip")


records = st.lists(
    st.dictionaries(st.text(max_size=5), st.text(max_size=20) | st.integers() | st.lists(st.text(max_size=3)))
)


@given(records=records, first_read=st.integers(1, 50), lines=st.booleans())
def test_records_come_back_whole_however_the_file_is_cut_for_reading(
    records: list[dict[str, Any]], first_read: int, lines: bool
) -> None:
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records, indent=1)
    window = pytest.MonkeyPatch()
    window.setattr(files, "FIRST_READ", first_read)
    with window.context():
        assert list(files.objects(io.StringIO(text))) == records
    window.undo()


def test_roles_are_the_houses_own() -> None:
    assert {said.role for said in claude.read(claude_talk(claude_message("a", "human", "Hi"))).said} == {Role.USER}


def peak_of_reading(path: Path) -> int:
    """Measure the most memory that is held at once while a file is read to its end."""
    tracemalloc.start()
    try:
        assert not any(isinstance(found, Unread) for _, found in reading.entries(path))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_number_of_conversations(tmp_path: Path) -> None:
    sizes = []
    for count in (40, 320):
        talks = [
            chatgpt_chain(chatgpt_message("m1", "user", "Magkano ang pamasahe? " * 2_500), conversation_id=f"t{number}")
            for number in range(count)
        ]
        sizes.append(written(tmp_path / f"{count}.json", talks))
    assert sizes[0].stat().st_size > 2 * files.FIRST_READ
    small, large = map(peak_of_reading, sizes)
    assert large - small < (sizes[1].stat().st_size - sizes[0].stat().st_size) / 10
