"""Keeps what is said while the database is away, and brings it back when the database is."""

from __future__ import annotations

import logging
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from gunita.errors import GunitaError, StorageError, StorageUnavailableError
from gunita.ids import new_id
from gunita.models import ANONYMOUS, Retention, Scope, Turn
from gunita.resilience import replay
from gunita.resilience.fallback import NOTHING_BESIDE, Beside, ConversationsInUse, Held
from gunita.resilience.guard import GuardedDatabase
from gunita.resilience.journal import Entry, Journal
from gunita.resilience.recovery import Recovery
from gunita.resilience.standing import Standing, State
from gunita.resilience.waiting import (
    OpenTurn,
    Outstanding,
    Place,
    WaitingTurn,
    done,
    entries_of,
    outstanding,
    turn_of,
)
from gunita.store import deadline, replaying, statistics
from gunita.store.database import CLOSED

_log = logging.getLogger("gunita.resilience")

NOTES_BEFORE_TIDYING = 1_000_000
"""Bytes of notes on turns that were opened and answered, after which those are cleared away."""
REQUESTS_HELD = 10_000

NO_JOURNAL = "nothing can be kept while the database is away: there is no journal for a database in memory"


class Keeper:
    """One for each opened Gunita; every scope shares it."""

    def __init__(
        self,
        database: GuardedDatabase,
        journal: Journal | None,
        held: ConversationsInUse,
        clock: Callable[[], datetime],
        retention: Retention,
    ) -> None:
        self._database = database
        self._retention = retention
        self._journal = journal
        self._held = held
        self._clock = clock
        self._lock = threading.Lock()
        self._replaying = threading.RLock()
        self._waiting: Counter[Place] = Counter()
        self._being_kept = 0
        self._left_open = 0
        self._journal_failed = False
        self._is_closed = False
        self._open: dict[UUID, str | None] = {}
        self._requests: OrderedDict[tuple[str | None, str, str], Turn | None] = OrderedDict()
        self._replayed_to = 0
        self.watch = database.watch
        self._recovery = Recovery(self._recovered, self._is_settled, self.watch.patience, self.watch.chance)
        self.watch.on_opening = self._recovery.wake

    # -- beginning and ending

    def take_over(self) -> None:
        """Take over what processes left that died, and write it back; what cannot be written yet stays waiting."""
        if self._journal is None:
            return
        for left in self._journal.left_by_others():
            found = left.read()
            self.watch.counters.records_damaged += len(found.damages)
            try:
                self._adopt(outstanding(found.entries))
            except OSError as problem:
                _log.error("what a process left waiting stays where it is: %s", problem)
                left.let_go()
                continue
            left.discard()
        if not self._is_settled() and not self._recovered():
            self._recovery.wake()

    def close(self) -> None:
        """Stop bringing back; what waits stays in the journal for whoever opens the database next."""
        if self._is_closed:
            return
        self._is_closed = True
        self._recovery.stop()
        if self._journal is None:
            return
        if not self._is_settled():
            self._recovered()
        self._tidy()
        self._journal.close()

    def standing(self) -> Standing:
        watch = self.watch
        away = watch.is_away or bool(self._waiting)
        return Standing(
            state=State.DEGRADED if away else State.SLOW if watch.is_slow else State.READY,
            waiting_turns=self._waiting.total(),
            journal_bytes=self._journal.size if self._journal else 0,
            conversations_held=len(self._held),
            bytes_held=self._held.bytes_held,
            seconds_away=max(watch.writing.seconds_open, watch.reading.seconds_open),
            keeps_turns=self._journal is not None and not self._journal_failed,
            counters=watch.counters,
        )

    # -- turns on their way

    def opening(self, tenant_id: str | None, query_id: UUID) -> None:
        """Note a turn before it is opened, so that somebody closes it if this process dies."""
        if self._journal is None:
            return
        self._open[query_id] = tenant_id
        self._note(OpenTurn(tenant_id, query_id).to_json("open"))

    def answered(self, query_id: UUID) -> None:
        """Note that a turn was closed, or never opened."""
        if self._journal is None or self._open.pop(query_id, self) is self:
            return
        self._note(done(query_id))
        if self._journal.size > NOTES_BEFORE_TIDYING and not self._waiting:
            self._tidy()

    # -- keeping

    def must_wait(self, place: Place) -> bool:
        """Tell whether a turn goes to the journal: the database is away, or earlier turns of it still wait."""
        return self.watch.writing.is_open or (bool(self._waiting) and place in self._waiting)

    def keep(self, turn: WaitingTurn) -> Turn:
        """Keep a turn in the journal and in memory; raises StorageUnavailableError where there is no journal."""
        if self._is_closed:
            raise StorageError(CLOSED)
        if self._journal is None:
            raise StorageUnavailableError(NO_JOURNAL)
        with self._lock:
            self._waiting[turn.place] += 1
            self._being_kept += 1
        try:
            self._journal.append(turn.to_json(), durable=True)
        except OSError as problem:
            self._no_longer_waiting(turn.place)
            self._journal_failed = True
            self.watch.counters.turns_lost += 1
            raise StorageUnavailableError(f"the journal cannot be written to: {problem}") from problem
        finally:
            with self._lock:
                self._being_kept -= 1
        self._open.pop(turn.query_id, None)
        self._journal_failed = False
        self.watch.counters.turns_journalled += 1
        kept = turn_of(turn)
        if not turn.amends:
            self._held.add(turn.place, kept)
        if turn.request_id is not None:
            self.remember_request(turn.tenant_id, kept.user_id, turn.request_id, kept)
        self._recovery.wake()
        return kept

    def keep_said(
        self, tenant_id: str | None, said: Turn, response_id: UUID, query_tokens: int, response_tokens: int
    ) -> Turn:
        """Keep a whole turn that was said just now, under the number that follows what is known."""
        waiting = WaitingTurn(
            tenant_id=tenant_id,
            user_id=said.user_id,
            conversation_id=said.session_id,
            turn_number=self.next_number((tenant_id, said.session_id)),
            query_id=said.id,
            response_id=response_id,
            query=said.query_text,
            response=said.response_text,
            query_tokens=query_tokens,
            response_tokens=response_tokens,
            said_at=said.created_at,
            metadata=said.metadata,
        )
        return self.keep(waiting)

    def next_number(self, place: Place) -> int:
        held = self._held.get(place)
        return held.newest_number + 1 if held else 1

    def remember_request(self, tenant_id: str | None, user_id: str, request_id: str, turn: Turn | None) -> None:
        """Remember what became of a request that came while the database was away; None while it is answered."""
        with self._lock:
            self._requests[tenant_id, user_id, request_id] = turn
            while len(self._requests) > REQUESTS_HELD:
                self._requests.popitem(last=False)

    def earlier_request(self, tenant_id: str | None, user_id: str, request_id: str) -> tuple[bool, Turn | None]:
        """Tell whether a request came before while the database was away, and which turn it became."""
        key = tenant_id, user_id, request_id
        return key in self._requests, self._requests.get(key)

    # -- memory

    def held(self, place: Place) -> Held | None:
        """Give what is held of a conversation and has not expired by the settings; other rules are in the database."""
        held = self._held.get(place)
        return None if held is None else held.kept_at(self._clock(), self._retention)

    def hold(self, place: Place, user_id: str, turns: Sequence[Turn], beside: Beside) -> None:
        self._held.hold(place, user_id, turns, beside)

    def begun(self, place: Place, user_id: str) -> None:
        self._held.hold(place, user_id, (), NOTHING_BESIDE)

    def said(self, place: Place, turn: Turn) -> None:
        self._held.add(place, turn)

    def history(self, place: Place, scope: Scope, limit: int) -> list[Turn] | None:
        """Give the newest turns as far as they are in memory; None where the conversation is not, or is another's."""
        held = self.held(place)
        if held is None or scope.user_id not in {None, held.user_id}:
            return None
        return list(held.turns[-limit:])

    def may_belong_to(self, place: Place, user_id: str) -> bool:
        """Tell whether a conversation may be a user's, as far as memory knows."""
        held = self._held.get(place)
        return held is None or held.user_id == user_id

    def whose(self) -> set[tuple[str | None, str]]:
        """Name the tenants and users of whom something waits or is held."""
        waiting = outstanding(self._journal.read().entries).turns if self._journal and self._waiting else ()
        return self._held.whose() | {(turn.tenant_id, turn.user_id or ANONYMOUS) for turn in waiting}

    def forget(self, tenant_id: str | None, *, user_id: str | None = None, conversation_id: UUID | None = None) -> int:
        """Forget what waits and is held of a conversation, of a user or of a tenant; tell how many turns waited."""
        gone: list[WaitingTurn] = []

        def kept(entries: tuple[Entry, ...]) -> list[Entry]:
            left = outstanding(entries)
            for turn in left.turns:
                is_theirs = turn.tenant_id == tenant_id and user_id in {None, turn.user_id}
                if is_theirs and conversation_id in {None, turn.conversation_id}:
                    gone.append(turn)
            return entries_of(left, without={turn.query_id for turn in gone})

        self._held.let_go_of_all(tenant_id, user_id, conversation_id)
        if self._journal is not None:
            with self._replaying:
                self._journal.rewrite(kept)
                self._replayed_to = 0
        for turn in gone:
            self._no_longer_waiting(turn.place)
        return len(gone)

    # -- bringing back

    def _recovered(self) -> bool:
        """Find out whether the database is back, and write back what waits; tell whether all is well."""
        try:
            self._probe()
            # What came while the circuit was still open; from now on only conversations that wait go on waiting.
            while self._waiting or self._left_open:
                self._replay()
        except StorageUnavailableError as trouble:
            _log.info("the database is still away: %s", trouble)
        except OSError as problem:
            _log.error("the journal cannot be read or written to: %s", problem)
        return self._is_settled()

    def _probe(self) -> None:
        """Ask the database, write back what waits, and let everybody in again if that worked."""
        watch, behind = self.watch, self._database.behind.within(Scope())
        probing = [circuit for circuit in (watch.reading, watch.writing) if circuit.begin_probe()]
        worked = False
        try:
            with deadline.within(watch.patience.deadline, all_the_time=True):
                statistics.ping(behind)
                replaying.probe(behind)
            self._replay()
            worked = True
        finally:
            for circuit in probing:
                circuit.end_probe(worked=worked)

    def _is_settled(self) -> bool:
        return not (self.watch.is_away or self._waiting or self._left_open)

    def _replay(self) -> None:
        journal = self._journal
        if journal is None:
            return
        with self._replaying:
            found = journal.read(self._replayed_to)
            self.watch.counters.records_damaged += len(found.damages)
            left = outstanding(found.entries)
            for open_turn in left.left_open:
                self._close_left_open(open_turn)
            renumbered: dict[Place, dict[int, int]] = {}
            for turn in left.turns:
                self._bring_back(turn, renumbered.setdefault(turn.place, {}))
            self._replayed_to = found.end
            if not left.turns and not left.left_open:
                self._give_up_what_cannot_be_read(found.end)
            if not self._waiting:
                self._tidy()

    def _give_up_what_cannot_be_read(self, read_to: int) -> None:
        """Stop waiting for turns whose records were damaged under our hands, and say that they are lost."""
        assert self._journal is not None
        with self._lock:
            if self._being_kept or self._journal.size != read_to:
                return
            lost, self._left_open = self._waiting.total(), 0
            self._waiting.clear()
        if lost:
            self.watch.counters.turns_lost += lost
            _log.error("%d turns that waited in the journal can no longer be read", lost)

    def _close_left_open(self, turn: OpenTurn) -> None:
        now = self._clock()
        with deadline.within(self.watch.patience.deadline, all_the_time=True):
            if replay.close_left_open(self._database.behind, turn, new_id(now), now):
                self.watch.counters.turns_left_open += 1
        self._note(done(turn.query_id))
        self._left_open -= 1

    def _bring_back(self, turn: WaitingTurn, renumbered: dict[int, int]) -> None:
        counters = self.watch.counters
        try:
            with deadline.within(self.watch.patience.deadline, all_the_time=True):
                placed = replay.write_back(self._database.behind, turn, renumbered)
        except StorageUnavailableError:
            raise
        except GunitaError as refusal:
            # One turn that the database will never take must not keep back the others.
            counters.turns_lost += 1
            _log.error("turn %s was refused by the database: %s", turn.query_id, refusal)
        else:
            if placed is not None:
                counters.turns_replayed += 1
                if placed.turn_number != turn.turn_number:
                    counters.turns_renumbered += 1
                    renumbered[turn.turn_number] = placed.turn_number
        self._note(done(turn.query_id))
        self._no_longer_waiting(turn.place)

    def _no_longer_waiting(self, place: Place) -> None:
        with self._lock:
            self._waiting[place] -= 1
            if self._waiting[place] <= 0:
                del self._waiting[place]
                # In the database the turns may stand under other numbers; they are read from there again.
                self._held.let_go(place)

    def _adopt(self, left: Outstanding) -> None:
        assert self._journal is not None
        for turn in left.turns:
            self._journal.append(turn.to_json(), durable=True)
            with self._lock:
                self._waiting[turn.place] += 1
        for open_turn in (*left.open, *left.left_open):
            self._journal.append(open_turn.to_json("left"), durable=False)
            self._left_open += 1

    def _tidy(self) -> None:
        """Clear away what is done, unless somebody is at work on it."""
        assert self._journal is not None
        if not self._replaying.acquire(blocking=False):
            return
        try:
            self._journal.rewrite(lambda entries: entries_of(outstanding(entries)))
            self._replayed_to = 0
        except OSError as problem:
            _log.warning("the journal could not be tidied: %s", problem)
        finally:
            self._replaying.release()

    def _note(self, entry: Entry) -> None:
        """Write what only helps whoever comes after a crash; without it more is tried again, and nothing is lost."""
        assert self._journal is not None
        try:
            self._journal.append(entry, durable=False)
        except OSError as problem:
            _log.warning("the journal cannot be written to: %s", problem)
