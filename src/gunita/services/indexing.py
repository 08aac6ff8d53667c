"""Background work for search: reads messages and memories into terms and vectors, a claimed batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import UUID

import numpy as np

from gunita.errors import ConflictError
from gunita.models import Message, Role
from gunita.recall.index import shortened
from gunita.recall.pieces import pieces_of
from gunita.recall.terms import pack, speaker_code, terms_of
from gunita.services.access import Access
from gunita.services.learning import waiting_time
from gunita.store import search
from gunita.store.database import Statements
from gunita.store.learning import put_job_if_unread

if TYPE_CHECKING:
    from gunita.language.encoder import Encoder

BATCH = 16
"""Messages read at a time: what a crash repeats, and about what a lease must outlast."""
LEASE = timedelta(minutes=2)
"""A claimed batch that is not done by then was left by a process that died; another one takes it."""
MARK = 0x7FFF_FFFF
"""The part of an id that fingerprints add up."""
SPEAKER = "name"
"""Where a message's payload names its speaker, as chat formats do."""

Progress = Callable[[int, int], None]


def shipped_encoder() -> Encoder:
    from gunita.language.encoder import Encoder  # the model and its runtime load with the first use, not on import

    return Encoder.load()


def index_pending(door: Access, limit: int, progress: Progress | None = None) -> int:
    """Index what waits in this scope, up to a limit; tell how much was done."""
    done, waiting = 0, min(search.count_waiting(door.db), limit) if progress else limit
    while done < limit:
        step = _index_messages(door, min(BATCH, limit - done)) or _embed_memories(door, min(BATCH, limit - done))
        if not step:
            break
        done += step
        if progress is not None:
            progress(done, max(done, waiting))
    return done


def _index_messages(door: Access, limit: int) -> int:
    now = door.clock()
    claimed = search.claim(door.db, now=now, claimed_until=now + LEASE, limit=limit)
    if not claimed:
        return 0
    found = search.messages_by_ids(door.db, list(claimed))
    _store(door, [(message, claimed[message.id]) for message in found.values()])
    for gone in claimed.keys() - found.keys():
        # Its text cannot be read or it was deleted meanwhile: nothing will ever come of it.
        search.leave_queue(door.db, claimed[gone], gone)
    return len(claimed)


def _store(door: Access, said: Sequence[tuple[Message, str]]) -> None:
    """Keep what the messages read as; each comes with its user."""
    read = _read([message for message, _ in said])
    try:
        _put(door, said, read)
    except ConflictError:
        # One of them was deleted at this very moment; the others are kept one by one.
        for one in said:
            with suppress(ConflictError):
                _put(door, [one], read)


def _put(door: Access, said: Sequence[tuple[Message, str]], read: dict[UUID, tuple[bytes, bytes]]) -> None:
    now, model = door.clock(), shipped_encoder().model_name
    with door.db.transaction() as together:
        for message, user in said:
            terms, vectors = read[message.id]
            mark = message.id.int & MARK
            search.put(together, message.id, terms=terms, vectors=vectors, model=model, mark=mark, now=now)
            search.leave_queue(together, user, message.id)
        _note_to_learn(door, together, said)


def _note_to_learn(door: Access, together: Statements, said: Sequence[tuple[Message, str]]) -> None:
    """Have the conversations read for memories that a user has spoken in, however their words came into the tables."""
    wait = waiting_time(door.settings)
    if wait is None:
        return
    spoken = [(message, user) for message, user in said if message.role is Role.USER]
    newest = {
        message.conversation_id: (message, user) for message, user in sorted(spoken, key=lambda one: one[0].turn_number)
    }
    for message, user in newest.values():
        put_job_if_unread(together, message, user, run_after=message.created_at + wait, now=door.clock())


def _read(messages: Sequence[Message]) -> dict[UUID, tuple[bytes, bytes]]:
    """Read texts into packed terms and vectors."""
    encoder = shipped_encoder()
    read = {}
    for message in messages:
        vectors = shortened(encoder.encode(pieces_of(message.content)))
        speaker = speaker_of(message)
        code = speaker_code(*speaker)
        terms = pack(terms_of(message.content, *speaker), is_named=bool(speaker), speaker=code)
        read[message.id] = (terms, vectors.tobytes())
    return read


def speaker_of(message: Message) -> tuple[str, ...]:
    """Give the speaker's name where the message carries one."""
    name = (message.custom_payload or {}).get(SPEAKER)
    return (name,) if isinstance(name, str) else ()


def _embed_memories(door: Access, limit: int) -> int:
    waiting = search.memories_to_embed(door.db, limit=limit)
    if not waiting:
        return 0
    encoder = shipped_encoder()
    vectors = shortened(encoder.encode([content for _, content in waiting]))
    with door.db.transaction() as together:
        for (memory_id, content), vector in zip(waiting, vectors, strict=True):
            search.put_memory_vector(
                together, memory_id, content, vector=np.asarray(vector).tobytes(), model=encoder.model_name
            )
    return len(waiting)
