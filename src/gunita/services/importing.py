"""Moving in: what other chat programs, and Gunita itself, wrote out, taken in once however often it is brought."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import assert_never
from uuid import UUID

from gunita.errors import ConflictError, ValidationError
from gunita.imports import own, reading
from gunita.imports.records import Entry, Learnt, Said, Talk, Unread, UserMode, UserValue
from gunita.language.tokens import count_tokens
from gunita.services import access, restoring
from gunita.services.access import Access
from gunita.services.steady import Names, storable
from gunita.store import conversations, importing
from gunita.store.database import Statements
from gunita.store.messages import append_message


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import brought: conversations begun or gone on with, messages new and here before, what is missing."""

    conversations: int
    messages_added: int
    messages_here: int
    unread: tuple[Unread, ...]
    memories_added: int = 0
    values_added: int = 0
    """Values under users' keys, and users' modes."""


@dataclass(slots=True)
class _Tally:
    conversations: int = 0
    messages_added: int = 0
    messages_here: int = 0
    memories: int = 0
    values: int = 0
    unread: list[Unread] = field(default_factory=list)

    def report(self) -> ImportReport:
        return ImportReport(
            self.conversations, self.messages_added, self.messages_here, tuple(self.unread), self.memories, self.values
        )


class ImportService:
    """Takes in what other programs, and Gunita itself, wrote out."""

    def __init__(self, door: Access) -> None:
        self._door = door

    def bring_in(
        self,
        path: Path | str,
        user_id: str | None = None,
        *,
        pinned: bool = True,
        progress: Callable[[int, int], None] | None = None,
    ) -> ImportReport:
        """Take in an export of ChatGPT, Claude or Gunita; a file that is damaged anywhere leaves the store as it was.

        Imported conversations are old and would be forgotten at once, so they are pinned unless told otherwise. What
        Gunita wrote out for several users comes back to each of them, where a service names nobody.
        """
        file = Path(path)
        self._door.user(user_id)
        total = reading.count(file)
        tally = _Tally()
        for number, found in reading.entries(file):
            if isinstance(found, Unread):
                tally.unread.append(found)
            else:
                self._take(tally, found, user_id, pinned=pinned)
            if progress is not None:
                progress(min(number, total), total)
        return tally.report()

    def _take(self, tally: _Tally, found: Entry, named: str | None, *, pinned: bool) -> None:
        """Take in one record; one that is refused is listed."""
        try:
            user = self._owner(named, found.user_id)
            match found:
                case Talk():
                    new, here, missing = self._take_in(found, user, pinned=pinned or found.pinned)
                    tally.conversations += new > 0
                    tally.messages_added += new
                    tally.messages_here += here
                    tally.unread += missing
                case Learnt():
                    tally.memories += restoring.restore_memory(self._door, found, user)
                case UserValue():
                    tally.values += restoring.restore_value(self._door, found, user)
                case UserMode():
                    tally.values += restoring.restore_mode(self._door, found, user)
                case _:
                    assert_never(found)
        except ValidationError as problem:
            tally.unread.append(Unread(_place(found), str(problem)))
        except ConflictError as problem:
            # The same conversation under another date, or another's id: the rest of the file can still come in.
            tally.unread.append(Unread(_place(found), f"something else is here in its place ({problem})"))

    def _owner(self, named: str | None, written: str | None) -> str:
        """Say whose something becomes: the one's who is named, else whose it was, as far as the scope reaches."""
        if named is None and written is not None and self._door.scope.is_service:
            return access.short_text("user_id", written)
        return self._door.user(named)

    def _take_in(self, talk: Talk, user: str, *, pinned: bool) -> tuple[int, int, list[Unread]]:
        """Write what is not here yet of one conversation, all of it or nothing; count what is new and what was here."""
        if not talk.said and talk.source != own.SOURCE:
            # Other programs export conversations in which nobody ever said anything.
            return 0, 0, []
        with self._door.db.transaction() as together:
            names = Names(talk, self._door.scope.tenant_id or "", user)
            conversation, begun = self._begin(together, names, user)
            known = set() if begun else importing.known_ids(together, conversation)
            fresh = {names.message(said, conversation): said for said in talk.said}
            for message in known:
                fresh.pop(message, None)
            sound, unread = self._sound(talk, fresh)
            if begun and restoring.keeps_its_numbers(talk):
                restoring.put_back(together, self._door, conversation, user, talk, sound)
            else:
                self._append(together, conversation, sound)
            if begun:
                newest = talk.updated_at or max((said.created_at for said in talk.said), default=talk.created_at)
                importing.mark(together, conversation, newest, pinned=pinned, archived=talk.archived)
        return len(sound), len(talk.said) - len(fresh), unread

    def _begin(self, together: Statements, names: Names, user: str) -> tuple[UUID, bool]:
        """Find the conversation from an earlier import, or begin it; tell whether it was begun."""
        talk = names.talk
        title = None if talk.title is None else storable(talk.title)[: self._door.settings.max_title_characters]
        came = {"imported_from": talk.source, "imported_id": storable(talk.source_id)}
        documents = [access.filled_text("document_context", name, 1_000) for name in talk.document_context]
        self._door.json_object("metadata", dict(talk.metadata))
        for wanted in names.conversation():
            # What comes home under its own id was never elsewhere.
            metadata = dict(talk.metadata) if wanted == names.own else {**talk.metadata, **came}
            begun = conversations.ensure(
                together,
                wanted,
                user,
                talk.created_at,
                title=title,
                document_context=documents,
                metadata=metadata,
            )
            if begun or importing.is_of(together, wanted, user):
                return wanted, begun
        raise ConflictError("its id is another conversation's")

    def _sound(self, talk: Talk, messages: dict[UUID, Said]) -> tuple[dict[UUID, Said], list[Unread]]:
        """Part the messages that can be kept from those that cannot; words come in also without what stood beside."""
        sound, unread = {}, []
        for message, said in messages.items():
            refused = self._refused(said)
            if refused is None:
                sound[message] = said
                continue
            where = f"{talk.title or talk.source_id}, message {said.source_id}"
            words = Said(said.source_id, said.role, said.content, said.created_at, {}, turn_number=said.turn_number)
            if self._refused(words) is None:
                sound[message], where = words, f"{where}, what stood beside the words"
            unread.append(Unread(where, refused))
        return sound, unread

    def _refused(self, said: Said) -> str | None:
        """Say why a message cannot be kept as it is, if it cannot."""
        try:
            restoring.checked(self._door, said)
        except ValidationError as problem:
            return str(problem)
        return None

    def _append(self, together: Statements, conversation: UUID, messages: dict[UUID, Said]) -> None:
        for message, said in messages.items():
            content, payload = restoring.checked(self._door, said)
            append_message(
                together,
                conversation,
                said.role,
                content,
                tokens=count_tokens(content),
                payload=payload,
                now=said.created_at,
                message_id=message,
            )


def _place(entry: Entry) -> str:
    match entry:
        case Talk():
            return entry.title or entry.source_id
        case Learnt():
            return f"memory {entry.source_id}"
        case UserValue():
            return f"key {entry.key}"
        case UserMode():
            return "a user's mode"
        case _:
            assert_never(entry)
