"""Histories of other frameworks: items in order, as exact as they came, lying in the turns that Gunita understands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from uuid import UUID

from gunita.errors import AccessRefusedError, NotFoundError, StorageUnavailableError, ValidationError
from gunita.language.titles import title_of
from gunita.language.tokens import count_tokens
from gunita.models import JsonObject, Message, Role
from gunita.services import access, packing
from gunita.services.access import Access
from gunita.services.packing import Item, Packed, Row, as_seen_by, pack
from gunita.store import conversations, items
from gunita.store.database import Statements

__all__ = ["Item", "ItemService"]

NOT_KEPT_ASIDE = "the database is away, or turns of this conversation wait for it; items do not wait: add them later"
"""An item may be taken away or replaced as the next thing, so that one in the journal could not be read back truly."""
RETRY_AFTER = 5.0


class ItemService:
    """Keeps what a framework's own history holds, in the conversations that everything else reads."""

    def __init__(self, door: Access) -> None:
        self._door = door

    def append(
        self,
        conversation_id: UUID | str,
        user_id: str | None,
        added: Sequence[Item],
        *,
        writer: str,
        metadata: JsonObject | None = None,
    ) -> None:
        """Add items behind the last one, all of them next to each other; a conversation that is not there begins."""
        if not added:
            return
        packed = [self._checked(item, writer) for item in added]
        wanted, now = access.identifier("conversation_id", conversation_id), self._door.clock()
        with self._held(wanted, user_id, now, self._door.json_object("metadata", metadata)) as together:
            last = next(items.newest_first(together, wanted, page=1), None)
            self._add(together, wanted, last, packed, now)

    def read(self, conversation_id: UUID | str, *, writer: str, limit: int | None = None) -> list[Item]:
        """Read the newest items, oldest of them first; without a limit, all of them."""
        wanted = access.identifier("conversation_id", conversation_id)
        if limit is not None and limit <= 0:
            return []
        page = {} if limit is None else {"page": min(limit, 100)}
        found = (
            item
            for message in items.newest_first(self._door.db, wanted, **page)
            for packed in reversed(_row(message).packed)
            if (item := as_seen_by(writer, packed)) is not None
        )
        return list(islice(found, limit))[::-1]

    def pop(self, conversation_id: UUID | str, user_id: str | None, *, writer: str) -> Item | None:
        """Take away the last item and give it; None when there is none."""
        wanted, now = access.identifier("conversation_id", conversation_id), self._door.clock()
        if conversations.get(self._door.db, wanted) is None:
            return None
        with self._held(wanted, user_id, now) as together:
            while (last := next(items.newest_first(together, wanted, page=1), None)) is not None:
                *rest, taken = _row(last).packed
                self._leave(together, last, tuple(rest), now)
                if (item := as_seen_by(writer, taken)) is not None:
                    return item
        return None

    def replace(
        self,
        conversation_id: UUID | str,
        user_id: str | None,
        wanted_items: Sequence[Item],
        *,
        writer: str,
        metadata: JsonObject | None = None,
    ) -> None:
        """Put items in the place of everything that was said in a conversation."""
        packed = [self._checked(item, writer) for item in wanted_items]
        wanted, now = access.identifier("conversation_id", conversation_id), self._door.clock()
        with self._held(wanted, user_id, now, self._door.json_object("metadata", metadata)) as together:
            self._begin_anew(together, wanted, user_id, packed, now)

    def remove(self, conversation_id: UUID | str, user_id: str | None, place: int, *, writer: str) -> Item | None:
        """Take away the item at a place, counted from 0, and give it; None when there is none."""
        wanted, now = access.identifier("conversation_id", conversation_id), self._door.clock()
        if conversations.get(self._door.db, wanted) is None:
            return None
        with self._held(wanted, user_id, now) as together:
            backwards = list(items.newest_first(together, wanted))
            packed = [one for message in reversed(backwards) for one in _row(message).packed]
            seen = [one for one in packed if as_seen_by(writer, one) is not None]
            if not -len(seen) <= place < len(seen):
                return None
            taken = seen[place]
            self._begin_anew(together, wanted, user_id, [one for one in packed if one is not taken], now)
        return as_seen_by(writer, taken)

    def amend(
        self,
        conversation_id: UUID | str,
        user_id: str | None,
        is_meant: Callable[[Item], bool],
        become: Callable[[Item], Item | None],
        *,
        writer: str,
    ) -> bool:
        """Put another item in the place of the newest of the writer's own that is meant, or take it away with None."""
        wanted, now = access.identifier("conversation_id", conversation_id), self._door.clock()
        if conversations.get(self._door.db, wanted) is None:
            return False
        with self._held(wanted, user_id, now) as together:
            for message in items.newest_first(together, wanted):
                row = _row(message)
                for place, packed in reversed(list(enumerate(row.packed))):
                    if packed.writer == writer and is_meant(packed.item):
                        instead = self._instead(packed.item, become(packed.item), writer)
                        self._leave(together, message, (*row.packed[:place], *instead, *row.packed[place + 1 :]), now)
                        return True
        return False

    def conversation_holding(self, mark: str) -> UUID | None:
        """Find the conversation with an item whose payload holds an id; reads what is kept, so it is for rare cases."""
        if not mark.isascii() or not mark.replace("-", "").isalnum():
            raise ValidationError("mark", "may hold letters, digits and hyphens")
        return items.conversation_holding(self._door.db, f'"{mark}"')

    def _instead(self, was: Item, item: Item | None, writer: str) -> tuple[Packed, ...]:
        if item is None:
            return ()
        if item.role is not was.role:
            raise ValidationError("items", "an item keeps its role, which says where in a turn it lies")
        return (self._checked(item, writer),)

    def _leave(self, together: Statements, message: Message, packed: tuple[Packed, ...], now: datetime) -> None:
        """Leave these items in a message; one without any goes."""
        if packed:
            self._rewrite(together, message, Row(message.role, packed), now)
        else:
            items.delete(together, message)

    @contextmanager
    def _held(
        self, conversation_id: UUID, user_id: str | None, now: datetime, metadata: JsonObject | None = None
    ) -> Iterator[Statements]:
        """Hold a conversation of the user for one transaction, begun if it is not there."""
        user, refuge = self._door.user(user_id), self._door.refuge
        if refuge is not None and refuge.must_wait((self._door.scope.tenant_id, conversation_id)):
            raise StorageUnavailableError(NOT_KEPT_ASIDE, retry_after=RETRY_AFTER)
        try:
            with self._door.db.transaction() as together:
                conversations.ensure(together, conversation_id, user, now, metadata=metadata)
                if not items.hold(together, conversation_id, user):
                    raise NotFoundError("conversation", conversation_id)
                yield together
        except AccessRefusedError as problem:
            raise NotFoundError("conversation", conversation_id) from problem

    def _checked(self, item: Item, writer: str) -> Packed:
        """Refuse what is too long, or is not JSON, before anything is written."""
        if item.role is None and item.payload is None:
            raise ValidationError("items", "an item needs a role or a payload")
        if item.payload is not None:
            self._door.json_object("payload", item.payload)
        packed = pack(item, access.short_text("writer", writer))
        if packed.words:
            self._door.content("text", packed.words)
        return packed

    def _add(
        self, together: Statements, conversation_id: UUID, last: Message | None, packed: Sequence[Packed], now: datetime
    ) -> None:
        """Write items behind the last message: into it, as its answer, or as further turns."""
        rows = packing.rows_of(packed, is_beginning=last is None)
        open_turn, asked = (None, "") if last is None else (last.turn_number, last.content)
        if rows and rows[0].role is Role.ASSISTANT and last is not None and last.role is Role.ASSISTANT:
            first = rows.pop(0)
            self._rewrite(together, last, Row(Role.ASSISTANT, (*_row(last).packed, *first.packed)), now)
        for row in rows:
            content, tokens = row.content, count_tokens(row.content)
            if row.role is Role.USER:
                asked = content
                open_turn = items.ask(together, conversation_id, content, row.beside(), tokens=tokens, now=now)
                continue
            items.answer(
                together,
                conversation_id,
                open_turn,
                content,
                row.beside(),
                tokens=tokens,
                now=now,
                title=title_of(asked, content).strip() or None if open_turn == 1 else None,
            )

    def _begin_anew(
        self, together: Statements, conversation_id: UUID, user_id: str | None, packed: Sequence[Packed], now: datetime
    ) -> None:
        items.begin_anew(together, conversation_id, self._door.user(user_id), now)
        self._add(together, conversation_id, None, packed, now)

    def _rewrite(self, together: Statements, message: Message, row: Row, now: datetime) -> None:
        content = row.content
        items.rewrite(
            together, message, content, row.beside(message.custom_payload), tokens=count_tokens(content), now=now
        )


def _row(message: Message) -> Row:
    return packing.unpack(message.role, message.content, message.custom_payload)
