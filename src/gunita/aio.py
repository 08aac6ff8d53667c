"""AsyncGunita: the same surface, awaited through threads; holds no logic.

Written by tools/mirror_async.py from the blocking surface; change that and run `make mirror`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, TypeVar
from uuid import UUID

from gunita import ids
from gunita.app import Gunita
from gunita.chat.llm import Model
from gunita.chat.records import Answering, ChatEvent, ChatReply, ChatRequest, Closed, Ready
from gunita.chat.service import ChatService
from gunita.erasure import DeletionReceipt, Verification
from gunita.language.clarification import ClarificationEngine
from gunita.language.clarification_records import Clarification, Outcome, Settled
from gunita.language.references import DynamicReferenceParser
from gunita.models import (
    CleanupResult,
    CleanupStats,
    Conversation,
    ConversationContext,
    CountedFrom,
    ExportFormat,
    FoundConversation,
    Hit,
    JsonObject,
    Memory,
    MemoryType,
    Message,
    ReferenceIntent,
    ReferenceResolution,
    Retention,
    Role,
    Scope,
    SearchKind,
    SemanticFeatures,
    Summary,
    Turn,
)
from gunita.resilience.standing import Standing
from gunita.services.background import Background
from gunita.services.cleaning import AutoCleanupService
from gunita.services.condensing import Fold
from gunita.services.conversations import ConversationService
from gunita.services.corrections import CorrectionService
from gunita.services.deletion import DeletionService
from gunita.services.importing import ImportReport, ImportService
from gunita.services.indexing import Progress
from gunita.services.insights import Insights, InsightService
from gunita.services.items import ItemService
from gunita.services.keys import KeyService, NewKey
from gunita.services.memories import MemoryService, MemorySource
from gunita.services.messages import MessageService
from gunita.services.moving_out import ExportService
from gunita.services.packing import Item
from gunita.services.receipts import ReceiptService
from gunita.services.search import SearchService
from gunita.services.sessions import ConversationMemoryManager
from gunita.services.statistics import Reachable, StatisticsService, StorageSize
from gunita.services.transcripts import Transcript, TranscriptService
from gunita.services.unset import Unset
from gunita.services.userdata import UserDataService
from gunita.settings import Settings
from gunita.spans import traced
from gunita.store.corrections import StoredCorrection
from gunita.store.keys import KeyOwner, KeyRole, StoredKey
from gunita.store.learning import Belief, LearningProgress
from gunita.store.metered import Meter
from gunita.store.receipts import StoredReceipt
from gunita.store.statistics import Counts

_P = ParamSpec("_P")
_T = TypeVar("_T")


class _Threads:
    """Runs blocking calls in a small pool of their own."""

    def __init__(self, count: int) -> None:
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="gunita")

    def run(self, call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> Awaitable[_T]:
        context, work = copy_context(), traced(call)
        # The thread knows which request it works for, as whoever awaits it does.
        return asyncio.get_running_loop().run_in_executor(self._pool, lambda: context.run(work, *args, **kwargs))

    async def iterate(self, items: Iterator[_T]) -> AsyncIterator[_T]:
        """Walk a blocking iterator; leaving early closes it."""
        try:
            while (item := await self.run(next, items, None)) is not None:
                yield item
        finally:
            if isinstance(items, Generator):
                await self.run(items.close)

    def stop(self) -> None:
        self._pool.shutdown(wait=False)


class AsyncDynamicReferenceParser:
    def __init__(self, blocking: DynamicReferenceParser, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def detect_reference(self, query: str, history: Sequence[Turn] | None = None) -> ReferenceIntent | None:
        """How the query points back, or None where it asks afresh.

        Some queries name a thing that only the history knows ("the deposit, is it refundable?"): with the history
        given they are told from fresh questions, without it only what points back by its form is found.
        """
        return await self._threads.run(self._blocking.detect_reference, query, history)

    async def resolve_reference(self, intent: ReferenceIntent, history: Sequence[Turn]) -> ReferenceResolution:
        """The turns of the history the intent may mean, best first."""
        return await self._threads.run(self._blocking.resolve_reference, intent, history)

    async def extract_semantic_features(self, query: str) -> SemanticFeatures:
        """Time words, places and topic words the query holds."""
        return await self._threads.run(self._blocking.extract_semantic_features, query)


class AsyncClarificationEngine:
    def __init__(self, blocking: ClarificationEngine, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def needs_clarification(self, query: str, resolution: ReferenceResolution) -> bool:
        """Say whether the user must be asked before the query can go on; a follow-up never asks."""
        return await self._threads.run(self._blocking.needs_clarification, query, resolution)

    async def generate_clarification_question(
        self, query: str, resolution: ReferenceResolution, history: Sequence[Turn]
    ) -> str:
        """Put the question that `ask` would ask, as text alone."""
        return await self._threads.run(self._blocking.generate_clarification_question, query, resolution, history)

    async def ask(
        self, query: str, resolution: ReferenceResolution, history: Sequence[Turn], round: int = 1
    ) -> Clarification:
        """Ask which turn a query means, in its user's language, with the likeliest turns as choices."""
        return await self._threads.run(self._blocking.ask, query, resolution, history, round)

    async def settle(self, asked: Clarification, reply: str) -> Outcome:
        """Read the reply to a clarification: it settles it, narrows it, or has nothing to do with it."""
        return await self._threads.run(self._blocking.settle, asked, reply)

    async def choose(self, asked: Clarification, turn_number: int) -> Settled:
        """Settle a clarification by the tap on one of its choices."""
        return await self._threads.run(self._blocking.choose, asked, turn_number)

    async def resolve_with_clarification(
        self, original_query: str, clarification_response: str, resolution: ReferenceResolution
    ) -> Turn:
        """Give the matched turn that a reply means, and the likeliest one where the reply does not say.

        Always one of the resolution's matched turns; NotFoundError where there are none. `settle` tells more.
        """
        return await self._threads.run(
            self._blocking.resolve_with_clarification, original_query, clarification_response, resolution
        )


class AsyncChatService:
    def __init__(self, blocking: ChatService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def reply(
        self,
        query: str,
        user_id: str | None = None,
        session_id: UUID | str | None = None,
        *,
        request_id: str | None = None,
        choice: int | None = None,
    ) -> ChatReply:
        """Answer a query and keep the turn."""
        return await self._threads.run(
            self._blocking.reply, query, user_id, session_id, request_id=request_id, choice=choice
        )

    async def stream(
        self,
        query: str,
        user_id: str | None = None,
        session_id: UUID | str | None = None,
        *,
        request_id: str | None = None,
        choice: int | None = None,
    ) -> AsyncIterator[ChatEvent]:
        """Answer a query piece by piece; a caller who stops listening leaves the turn marked interrupted."""
        async for item in self._threads.iterate(
            self._blocking.stream(query, user_id, session_id, request_id=request_id, choice=choice)
        ):
            yield item

    async def begin(self, request: ChatRequest) -> Answering | Ready:
        """Do everything up to the answer."""
        return await self._threads.run(self._blocking.begin, request)

    async def finish(
        self,
        answering: Answering,
        text: str,
        *,
        interrupted: bool = False,
        error: str | None = None,
        tool_calls: Sequence[JsonObject] = (),
    ) -> Closed:
        """Do everything after the answer."""
        return await self._threads.run(
            self._blocking.finish, answering, text, interrupted=interrupted, error=error, tool_calls=tool_calls
        )

    async def kept_reply(self, session_id: UUID | str, turn_number: int) -> ChatReply:
        """Give the reply of a turn that was answered before."""
        return await self._threads.run(self._blocking.kept_reply, session_id, turn_number)

    async def from_memory(self, request: ChatRequest) -> Closed:
        """Do a whole turn without a model."""
        return await self._threads.run(self._blocking.from_memory, request)

    async def follow_up(self, session_id: UUID) -> Summary | None:
        """Do what may wait until the answer is given: a title, and a summary of what has grown too long."""
        return await self._threads.run(self._blocking.follow_up, session_id)

    async def after_answer(self, session_id: UUID) -> Fold | None:
        """Title the conversation, and say what wants folding into its summary."""
        return await self._threads.run(self._blocking.after_answer, session_id)

    async def keep_summary(self, due: Fold, summary: Summary | None) -> Summary:
        """Keep a summary that the model wrote, or where there is none, one that the condenser makes."""
        return await self._threads.run(self._blocking.keep_summary, due, summary)


class AsyncConversationMemoryManager:
    def __init__(self, blocking: ConversationMemoryManager, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def create_session(self, user_id: str | None = None) -> UUID:
        """Begin a session for a user."""
        return await self._threads.run(self._blocking.create_session, user_id)

    async def store_turn(
        self, session_id: UUID | str, user_id: str | None, query: str, response: str, metadata: JsonObject | None = None
    ) -> Turn:
        """Keep a query and its response as the session's next turn; a session that does not exist yet begins."""
        return await self._threads.run(self._blocking.store_turn, session_id, user_id, query, response, metadata)

    async def get_session_history(self, session_id: UUID | str, limit: int | None = None) -> list[Turn]:
        """Read the latest turns of a session, ascending by turn number."""
        return await self._threads.run(self._blocking.get_session_history, session_id, limit)

    async def get_context_for_query(self, session_id: UUID | str, current_query: str) -> ConversationContext:
        """Gather what should stand in front of a model for a query, under the token budget."""
        return await self._threads.run(self._blocking.get_context_for_query, session_id, current_query)

    async def get_recent_sessions(self, limit: int = 10) -> list[Conversation]:
        """List the scope's sessions, newest activity first."""
        return await self._threads.run(self._blocking.get_recent_sessions, limit)

    async def get_or_create_session(
        self,
        session_id: UUID | str | None = None,
        title: str | None = None,
        document_context: Sequence[str] | None = None,
    ) -> Conversation:
        """Find a session, or begin one with that id."""
        return await self._threads.run(self._blocking.get_or_create_session, session_id, title, document_context)

    async def delete_session(self, session_id: UUID | str) -> int:
        """Delete a session with everything that hangs on it; tell how many turns went."""
        return await self._threads.run(self._blocking.delete_session, session_id)

    async def export_conversation(self, session_id: UUID | str, format: ExportFormat | str = ExportFormat.JSON) -> str:
        """Write a whole conversation as JSON or Markdown."""
        return await self._threads.run(self._blocking.export_conversation, session_id, format)


class AsyncConversationService:
    def __init__(self, blocking: ConversationService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def create_conversation(
        self,
        user_id: str | None = None,
        title: str | None = None,
        document_context: Sequence[str] | None = None,
        metadata: JsonObject | None = None,
    ) -> Conversation:
        return await self._threads.run(self._blocking.create_conversation, user_id, title, document_context, metadata)

    async def get_conversation(self, conversation_id: UUID | str) -> Conversation:
        return await self._threads.run(self._blocking.get_conversation, conversation_id)

    async def list_conversations(
        self, limit: int = 50, offset: int = 0, *, user_id: str | None = None, archived: bool | None = None
    ) -> list[Conversation]:
        """List conversations by recency: the user's, or for a service that names nobody, the tenant's."""
        return await self._threads.run(
            self._blocking.list_conversations, limit, offset, user_id=user_id, archived=archived
        )

    async def update_conversation(
        self,
        conversation_id: UUID | str,
        *,
        title: str | Unset | None = Unset.UNSET,
        archived: bool | None = None,
        pinned: bool | None = None,
        metadata: JsonObject | None = None,
    ) -> Conversation:
        """Change what is given and leave the rest."""
        return await self._threads.run(
            self._blocking.update_conversation,
            conversation_id,
            title=title,
            archived=archived,
            pinned=pinned,
            metadata=metadata,
        )

    async def delete_conversation(self, conversation_id: UUID | str) -> bool:
        """Delete a conversation with everything that hangs on it; tell whether there was one."""
        return await self._threads.run(self._blocking.delete_conversation, conversation_id)

    async def add_message(
        self,
        conversation_id: UUID | str,
        role: Role | str,
        content: str,
        *,
        tool_calls: Sequence[Any] | None = None,
        suggested_values: Sequence[Any] | None = None,
        suggested_actions: Sequence[Any] | None = None,
        custom_payload: JsonObject | None = None,
        created_at: datetime | None = None,
    ) -> Message:
        """Add one message, said now or at the time given: a user's opens a turn, the assistant's answer closes it."""
        return await self._threads.run(
            self._blocking.add_message,
            conversation_id,
            role,
            content,
            tool_calls=tool_calls,
            suggested_values=suggested_values,
            suggested_actions=suggested_actions,
            custom_payload=custom_payload,
            created_at=created_at,
        )

    async def get_messages(self, conversation_id: UUID | str, limit: int = 50, offset: int = 0) -> list[Message]:
        """Read messages in the order they were said."""
        return await self._threads.run(self._blocking.get_messages, conversation_id, limit, offset)

    async def get_summary(self, conversation_id: UUID | str) -> Summary | None:
        """Give what the older part of a conversation was folded into, if it was."""
        return await self._threads.run(self._blocking.get_summary, conversation_id)

    async def search(
        self, query: str, limit: int = 20, offset: int = 0, *, user_id: str | None = None, archived: bool | None = None
    ) -> list[FoundConversation]:
        """Find conversations by their titles and by what was said in them, best first."""
        return await self._threads.run(self._blocking.search, query, limit, offset, user_id=user_id, archived=archived)

    async def current(self, user_id: str | None = None) -> Conversation:
        """Give the user's active conversation, made when there is none."""
        return await self._threads.run(self._blocking.current, user_id)


class AsyncMessageService:
    def __init__(self, blocking: MessageService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def add_message(self, user_id: str, role: Role | str, content: str) -> Message:
        """Add a message to the user's active conversation."""
        return await self._threads.run(self._blocking.add_message, user_id, role, content)

    async def get_conversation_history(self, user_id: str, limit: int = 50, offset: int = 0) -> list[Message]:
        """Read a user's messages newest first, for display."""
        return await self._threads.run(self._blocking.get_conversation_history, user_id, limit, offset)

    async def get_recent_messages(self, user_id: str, count: int = 10) -> list[Message]:
        """Read a user's newest messages oldest first, for prompts."""
        return await self._threads.run(self._blocking.get_recent_messages, user_id, count)

    async def count_messages(self, user_id: str) -> int:
        return await self._threads.run(self._blocking.count_messages, user_id)

    async def clear_conversation_history(self, user_id: str) -> int:
        """Delete the user's conversations; tell how many messages went."""
        return await self._threads.run(self._blocking.clear_conversation_history, user_id)

    async def delete_message(self, message_id: UUID | str) -> bool:
        return await self._threads.run(self._blocking.delete_message, message_id)


class AsyncMemoryService:
    def __init__(self, blocking: MemoryService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def create_memory(
        self,
        user_id: str | None,
        content: str,
        memory_type: MemoryType | str = MemoryType.FACT,
        *,
        category: str | None = None,
        source_conversation_id: UUID | str | None = None,
        source_message_id: UUID | str | None = None,
        pinned: bool = False,
        confidence: float = 1.0,
    ) -> Memory:
        return await self._threads.run(
            self._blocking.create_memory,
            user_id,
            content,
            memory_type,
            category=category,
            source_conversation_id=source_conversation_id,
            source_message_id=source_message_id,
            pinned=pinned,
            confidence=confidence,
        )

    async def get_memory(self, memory_id: UUID | str) -> Memory:
        return await self._threads.run(self._blocking.get_memory, memory_id)

    async def get_memories(
        self,
        user_id: str | None = None,
        *,
        memory_type: MemoryType | str | None = None,
        category: str | None = None,
        pinned: bool | None = None,
        archived: bool | None = None,
        text: str | None = None,
        source_conversation_id: UUID | str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Memory]:
        """List memories newest first: the user's, or for a service that names nobody, the tenant's."""
        return await self._threads.run(
            self._blocking.get_memories,
            user_id,
            memory_type=memory_type,
            category=category,
            pinned=pinned,
            archived=archived,
            text=text,
            source_conversation_id=source_conversation_id,
            limit=limit,
            offset=offset,
        )

    async def update_memory(
        self,
        memory_id: UUID | str,
        *,
        content: str | None = None,
        memory_type: MemoryType | str | None = None,
        category: str | Unset | None = Unset.UNSET,
        pinned: bool | None = None,
        archived: bool | None = None,
        confidence: float | None = None,
    ) -> Memory:
        """Change what is given and leave the rest."""
        return await self._threads.run(
            self._blocking.update_memory,
            memory_id,
            content=content,
            memory_type=memory_type,
            category=category,
            pinned=pinned,
            archived=archived,
            confidence=confidence,
        )

    async def delete_memory(self, memory_id: UUID | str) -> bool:
        """Delete a memory with its history; what it was learnt from is not learnt from again."""
        return await self._threads.run(self._blocking.delete_memory, memory_id)

    async def get_memory_history(self, memory_id: UUID | str) -> list[Belief]:
        """Tell what a memory said before, oldest first: from when to when, and which message changed it."""
        return await self._threads.run(self._blocking.get_memory_history, memory_id)

    async def extract_memories(self, conversation_id: UUID | str) -> list[Memory]:
        """Learn from what is new in a conversation; give the memories that came or changed."""
        return await self._threads.run(self._blocking.extract_memories, conversation_id)

    async def request_extraction(
        self, user_id: str | None = None, *, conversation_id: UUID | str | None = None
    ) -> LearningProgress:
        """Have a conversation, or all of a user's with something unread, read in the background; say how it goes."""
        return await self._threads.run(self._blocking.request_extraction, user_id, conversation_id=conversation_id)

    async def extraction_progress(
        self, user_id: str | None = None, *, conversation_id: UUID | str | None = None
    ) -> LearningProgress:
        """Say how far the reading of a conversation, or of all of a user's, has come, in whichever process."""
        return await self._threads.run(self._blocking.extraction_progress, user_id, conversation_id=conversation_id)

    async def get_memory_source(self, memory_id: UUID | str) -> MemorySource:
        """Give the message that a memory was learnt from, and where it stands, as far as they are still there."""
        return await self._threads.run(self._blocking.get_memory_source, memory_id)

    async def extract_due(self, limit: int = 10) -> int:
        """Learn from the conversations that wait for it, as the settings' trigger has it; tell how many were read."""
        return await self._threads.run(self._blocking.extract_due, limit)

    async def extract_everywhere(self, limit: int = 10) -> int:
        """Do the same for every tenant that the scope reaches, one after another; what a server's worker calls."""
        return await self._threads.run(self._blocking.extract_everywhere, limit)

    async def get_context_memories(
        self, user_id: str | None, query: str | None = None, *, limit: int = 10
    ) -> list[Memory]:
        """Give every pinned memory, then the best others for a query; their use is counted, in batches."""
        return await self._threads.run(self._blocking.get_context_memories, user_id, query, limit=limit)


class AsyncSearchService:
    def __init__(self, blocking: SearchService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        conversation_id: UUID | str | None = None,
        role: Role | str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        kind: SearchKind | str = SearchKind.MESSAGES,
        memory_type: MemoryType | str | None = None,
        limit: int = 20,
        offset: int = 0,
    ) -> list[Hit]:
        """Find what answers a query, best first: the user's, or for a service that names nobody, the tenant's."""
        return await self._threads.run(
            self._blocking.search,
            query,
            user_id=user_id,
            conversation_id=conversation_id,
            role=role,
            since=since,
            until=until,
            kind=kind,
            memory_type=memory_type,
            limit=limit,
            offset=offset,
        )

    async def best_of_each_conversation(self, query: str, *, user_id: str | None = None, limit: int = 50) -> list[Hit]:
        """Find the message of each conversation that answers a query best, best conversation first."""
        return await self._threads.run(self._blocking.best_of_each_conversation, query, user_id=user_id, limit=limit)

    async def index_pending(self, limit: int = 1000) -> int:
        """Index messages and memories that wait, up to a limit; tell how many were done."""
        return await self._threads.run(self._blocking.index_pending, limit)

    async def index_everywhere(self, limit: int = 1000) -> int:
        """Do the same for every tenant that the scope reaches, one after another; what a server's worker calls."""
        return await self._threads.run(self._blocking.index_everywhere, limit)

    async def count_waiting(self) -> int:
        """Count the messages and memories that wait to be indexed."""
        return await self._threads.run(self._blocking.count_waiting)

    async def reembed(self, progress: Progress | None = None) -> int:
        """Read anew what another model has read, in every tenant that the scope reaches; search goes on meanwhile."""
        return await self._threads.run(self._blocking.reembed, progress)


class AsyncReceiptService:
    def __init__(self, blocking: ReceiptService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def get_receipt(self, receipt_id: UUID | str) -> StoredReceipt:
        return await self._threads.run(self._blocking.get_receipt, receipt_id)

    async def receipt_of_turn(self, conversation_id: UUID | str, turn_number: int) -> StoredReceipt:
        """Give the newest receipt of a turn."""
        return await self._threads.run(self._blocking.receipt_of_turn, conversation_id, turn_number)


class AsyncCorrectionService:
    def __init__(self, blocking: CorrectionService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def correct(self, conversation_id: UUID | str, turn_number: int, meant: Sequence[int]) -> StoredCorrection:
        """Say which earlier turns a turn's query meant; none says that it pointed at nothing."""
        return await self._threads.run(self._blocking.correct, conversation_id, turn_number, meant)

    async def list_corrections(self, limit: int = 50, offset: int = 0) -> list[StoredCorrection]:
        """List the scope's corrections, newest first."""
        return await self._threads.run(self._blocking.list_corrections, limit, offset)

    async def export_cases(self, limit: int = 1000, offset: int = 0) -> str:
        """Write corrections as cases for measuring, one JSON object a line: history, query, and the turns meant."""
        return await self._threads.run(self._blocking.export_cases, limit, offset)


class AsyncStatisticsService:
    def __init__(self, blocking: StatisticsService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def count(self, user_id: str | None = None) -> Counts:
        """Count what is kept of a user, or for a service that names nobody, of the tenant."""
        return await self._threads.run(self._blocking.count, user_id)

    async def storage(self) -> StorageSize:
        """Measure the database; it is one for all tenants, so that only the system's own service is told."""
        return await self._threads.run(self._blocking.storage)

    async def ping(self) -> Reachable:
        """Ask the database something small; raises where it does not answer."""
        return await self._threads.run(self._blocking.ping)


class AsyncTranscriptService:
    def __init__(self, blocking: TranscriptService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def read(
        self,
        conversation_id: UUID | str,
        *,
        before: int | None = None,
        after: int | None = None,
        around: int | None = None,
        limit: int = 20,
    ) -> Transcript:
        """Read the turns before a number, after one, around one, or with neither the newest."""
        return await self._threads.run(
            self._blocking.read, conversation_id, before=before, after=after, around=around, limit=limit
        )


class AsyncInsightService:
    def __init__(self, blocking: InsightService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def look(self, user_id: str | None = None, *, days: int = 30) -> Insights:
        """Tell about a user's newest conversations, or for a service that names nobody, the tenant's."""
        return await self._threads.run(self._blocking.look, user_id, days=days)


class AsyncItemService:
    def __init__(self, blocking: ItemService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def append(
        self,
        conversation_id: UUID | str,
        user_id: str | None,
        added: Sequence[Item],
        *,
        writer: str,
        metadata: JsonObject | None = None,
    ) -> None:
        """Add items behind the last one, all of them next to each other; a conversation that is not there begins."""
        return await self._threads.run(
            self._blocking.append, conversation_id, user_id, added, writer=writer, metadata=metadata
        )

    async def read(self, conversation_id: UUID | str, *, writer: str, limit: int | None = None) -> list[Item]:
        """Read the newest items, oldest of them first; without a limit, all of them."""
        return await self._threads.run(self._blocking.read, conversation_id, writer=writer, limit=limit)

    async def pop(self, conversation_id: UUID | str, user_id: str | None, *, writer: str) -> Item | None:
        """Take away the last item and give it; None when there is none."""
        return await self._threads.run(self._blocking.pop, conversation_id, user_id, writer=writer)

    async def replace(
        self,
        conversation_id: UUID | str,
        user_id: str | None,
        wanted_items: Sequence[Item],
        *,
        writer: str,
        metadata: JsonObject | None = None,
    ) -> None:
        """Put items in the place of everything that was said in a conversation."""
        return await self._threads.run(
            self._blocking.replace, conversation_id, user_id, wanted_items, writer=writer, metadata=metadata
        )

    async def remove(self, conversation_id: UUID | str, user_id: str | None, place: int, *, writer: str) -> Item | None:
        """Take away the item at a place, counted from 0, and give it; None when there is none."""
        return await self._threads.run(self._blocking.remove, conversation_id, user_id, place, writer=writer)

    async def amend(
        self,
        conversation_id: UUID | str,
        user_id: str | None,
        is_meant: Callable[[Item], bool],
        become: Callable[[Item], Item | None],
        *,
        writer: str,
    ) -> bool:
        """Put another item in the place of the newest of the writer's own that is meant, or take it away with None."""
        return await self._threads.run(self._blocking.amend, conversation_id, user_id, is_meant, become, writer=writer)

    async def conversation_holding(self, mark: str) -> UUID | None:
        """Find the conversation with an item whose payload holds an id; reads what is kept, so it is for rare cases."""
        return await self._threads.run(self._blocking.conversation_holding, mark)


class AsyncImportService:
    def __init__(self, blocking: ImportService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def bring_in(
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
        return await self._threads.run(self._blocking.bring_in, path, user_id, pinned=pinned, progress=progress)


class AsyncExportService:
    def __init__(self, blocking: ExportService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def json_lines(self, user_id: str | None = None) -> AsyncIterator[str]:
        """Write a line for every conversation, memory, value and mode: a user's, or naming nobody, the tenant's."""
        async for item in self._threads.iterate(self._blocking.json_lines(user_id)):
            yield item

    async def markdown(self, user_id: str | None = None) -> AsyncIterator[str]:
        """Write every conversation for people, in the order they were begun: a user's, or the tenant's."""
        async for item in self._threads.iterate(self._blocking.markdown(user_id)):
            yield item

    async def conversation_line(self, conversation_id: UUID | str) -> str:
        """Write one conversation on a line, with all that an import needs to bring it back as it was."""
        return await self._threads.run(self._blocking.conversation_line, conversation_id)


class AsyncAutoCleanupService:
    def __init__(self, blocking: AutoCleanupService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def run_cleanup(self) -> CleanupResult:
        """Forget everything that is due now; where another server is at it, leave it to that one."""
        return await self._threads.run(self._blocking.run_cleanup)

    async def preview_cleanup(self) -> CleanupResult:
        """Say what a cleanup would forget now, and forget nothing."""
        return await self._threads.run(self._blocking.preview_cleanup)

    async def schedule_hourly(self) -> None:
        """Clean every hour, or as often as the settings say, from now on; what was missed is made up for at once."""
        return await self._threads.run(self._blocking.schedule_hourly)

    async def stop_schedule(self) -> None:
        """Clean no more on schedule; a cleanup on its way stops after the piece at hand."""
        return await self._threads.run(self._blocking.stop_schedule)

    async def get_cleanup_stats(self) -> CleanupStats:
        return await self._threads.run(self._blocking.get_cleanup_stats)

    async def set_retention(
        self,
        hours: float,
        *,
        counted_from: CountedFrom | str = CountedFrom.TURN,
        conversation_id: UUID | str | None = None,
    ) -> Retention:
        """Say how long the turns of the tenant are kept, or those of one conversation."""
        return await self._threads.run(
            self._blocking.set_retention, hours, counted_from=counted_from, conversation_id=conversation_id
        )

    async def clear_retention(self, conversation_id: UUID | str | None = None) -> None:
        """Take the tenant's rule away, or a conversation's own one."""
        return await self._threads.run(self._blocking.clear_retention, conversation_id)

    async def get_retention(self, conversation_id: UUID | str | None = None) -> Retention:
        """Say which rule holds for the tenant, or for one conversation."""
        return await self._threads.run(self._blocking.get_retention, conversation_id)

    async def forgotten_at(self, conversation_id: UUID | str) -> datetime | None:
        """Say when something of a conversation is forgotten next; None where it is pinned or holds nothing."""
        return await self._threads.run(self._blocking.forgotten_at, conversation_id)


class AsyncDeletionService:
    def __init__(self, blocking: DeletionService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def delete_user(self, user_id: str) -> DeletionReceipt:
        """Delete everything about a user: what they said, what was learnt, what was set, their keys."""
        return await self._threads.run(self._blocking.delete_user, user_id)

    async def delete_conversation(self, conversation_id: UUID | str, *, with_memories: bool = False) -> DeletionReceipt:
        """Delete a conversation, and if asked what was learnt from it."""
        return await self._threads.run(self._blocking.delete_conversation, conversation_id, with_memories=with_memories)

    async def delete_memory(self, memory_id: UUID | str) -> DeletionReceipt:
        """Delete a memory with its history; what it was learnt from is not learnt from again."""
        return await self._threads.run(self._blocking.delete_memory, memory_id)

    async def delete_tenant(self) -> DeletionReceipt:
        """Delete everything of the scope's tenant, its keys too; the receipts of its deletions stay."""
        return await self._threads.run(self._blocking.delete_tenant)

    async def verify(self, receipt_id: UUID | str, *, subject: str | None = None) -> Verification:
        """Check that what a receipt is for is gone; a user is named again, since the receipt only knows a hash."""
        return await self._threads.run(self._blocking.verify, receipt_id, subject=subject)

    async def get_receipt(self, receipt_id: UUID | str) -> DeletionReceipt:
        return await self._threads.run(self._blocking.get_receipt, receipt_id)

    async def list_receipts(self, limit: int = 50, offset: int = 0) -> list[DeletionReceipt]:
        """List the tenant's deletion receipts, newest first."""
        return await self._threads.run(self._blocking.list_receipts, limit, offset)

    async def export_user(self, user_id: str) -> dict[str, Any]:
        """Write out everything about a user as JSON values."""
        return await self._threads.run(self._blocking.export_user, user_id)


class AsyncKeyService:
    def __init__(self, blocking: KeyService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def create_key(self, name: str, role: KeyRole | str = KeyRole.SERVICE, user_id: str | None = None) -> NewKey:
        """Make a key for the tenant's service, or for one of its users."""
        return await self._threads.run(self._blocking.create_key, name, role, user_id)

    async def list_keys(self) -> list[StoredKey]:
        return await self._threads.run(self._blocking.list_keys)

    async def revoke_key(self, key_id: UUID | str) -> None:
        return await self._threads.run(self._blocking.revoke_key, key_id)

    async def owner_of(self, secret: str) -> KeyOwner | None:
        """Find whom a secret speaks for, in any tenant, and note now and then that it is in use."""
        return await self._threads.run(self._blocking.owner_of, secret)


class AsyncUserDataService:
    def __init__(self, blocking: UserDataService, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    async def set_memory(self, user_id: str, key: str, value: Any) -> None:
        """Keep a JSON value under a key, in place of what was there."""
        return await self._threads.run(self._blocking.set_memory, user_id, key, value)

    async def get_memory(self, user_id: str, key: str, default: Any = None) -> Any:
        return await self._threads.run(self._blocking.get_memory, user_id, key, default)

    async def get_all_memory(self, user_id: str) -> dict[str, Any]:
        return await self._threads.run(self._blocking.get_all_memory, user_id)

    async def delete_memory(self, user_id: str, key: str) -> bool:
        return await self._threads.run(self._blocking.delete_memory, user_id, key)

    async def clear_all_memory(self, user_id: str) -> int:
        """Delete every key of the user; tell how many there were."""
        return await self._threads.run(self._blocking.clear_all_memory, user_id)

    async def set_user_state(self, user_id: str, mode: str) -> None:
        return await self._threads.run(self._blocking.set_user_state, user_id, mode)

    async def get_user_state(self, user_id: str) -> str | None:
        return await self._threads.run(self._blocking.get_user_state, user_id)

    async def delete_user_state(self, user_id: str) -> bool:
        return await self._threads.run(self._blocking.delete_user_state, user_id)


class AsyncGunita:
    """Everything Gunita remembers, for callers that await."""

    def __init__(self, blocking: Gunita, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads

    @classmethod
    def open(
        cls, url_or_path: str | Path | None = None, *, clock: Callable[[], datetime] = ids.now, **settings: Any
    ) -> Opening:
        """Open a database, to be awaited or entered with `async with`."""
        return Opening(partial(Gunita.open, url_or_path, clock=clock, **settings))

    @classmethod
    def with_settings(cls, settings: Settings, clock: Callable[[], datetime] = ids.now) -> Opening:
        """Open what settings say that were read before, to be awaited or entered with `async with`."""
        return Opening(partial(Gunita.with_settings, settings, clock))

    def scoped(self, tenant_id: str | None = None, user_id: str | None = None) -> AsyncGunita:
        """Give the same database as a tenant's service, or one of its users, sees it."""
        return AsyncGunita(self._blocking.scoped(tenant_id, user_id), self._threads)

    @property
    def settings(self) -> Settings:
        return self._blocking.settings

    @property
    def scope(self) -> Scope:
        return self._blocking.scope

    @property
    def model(self) -> Model | None:
        """The language model that answers, if one is configured."""
        return self._blocking.model

    @property
    def background(self) -> Background:
        """What indexes and learns in threads of this process, once it is started; stopping it blocks."""
        return self._blocking.background

    @property
    def standing(self) -> Standing | None:
        """How it stands between Gunita and its database: ready, slow or degraded; None without a fallback."""
        return self._blocking.standing

    @property
    def meter(self) -> Meter | None:
        """How long the database took so far; None where nobody measures."""
        return self._blocking.meter

    async def close(self) -> None:
        await self._threads.run(self._blocking.close)
        self._threads.stop()

    @cached_property
    def references(self) -> AsyncDynamicReferenceParser:
        return AsyncDynamicReferenceParser(self._blocking.references, self._threads)

    @cached_property
    def clarifications(self) -> AsyncClarificationEngine:
        return AsyncClarificationEngine(self._blocking.clarifications, self._threads)

    @cached_property
    def chat(self) -> AsyncChatService:
        return AsyncChatService(self._blocking.chat, self._threads)

    @cached_property
    def sessions(self) -> AsyncConversationMemoryManager:
        return AsyncConversationMemoryManager(self._blocking.sessions, self._threads)

    @cached_property
    def conversations(self) -> AsyncConversationService:
        return AsyncConversationService(self._blocking.conversations, self._threads)

    @cached_property
    def messages(self) -> AsyncMessageService:
        return AsyncMessageService(self._blocking.messages, self._threads)

    @cached_property
    def memories(self) -> AsyncMemoryService:
        return AsyncMemoryService(self._blocking.memories, self._threads)

    @cached_property
    def search(self) -> AsyncSearchService:
        return AsyncSearchService(self._blocking.search, self._threads)

    @cached_property
    def receipts(self) -> AsyncReceiptService:
        return AsyncReceiptService(self._blocking.receipts, self._threads)

    @cached_property
    def corrections(self) -> AsyncCorrectionService:
        return AsyncCorrectionService(self._blocking.corrections, self._threads)

    @cached_property
    def statistics(self) -> AsyncStatisticsService:
        return AsyncStatisticsService(self._blocking.statistics, self._threads)

    @cached_property
    def transcripts(self) -> AsyncTranscriptService:
        return AsyncTranscriptService(self._blocking.transcripts, self._threads)

    @cached_property
    def insights(self) -> AsyncInsightService:
        return AsyncInsightService(self._blocking.insights, self._threads)

    @cached_property
    def items(self) -> AsyncItemService:
        return AsyncItemService(self._blocking.items, self._threads)

    @cached_property
    def imports(self) -> AsyncImportService:
        return AsyncImportService(self._blocking.imports, self._threads)

    @cached_property
    def exports(self) -> AsyncExportService:
        return AsyncExportService(self._blocking.exports, self._threads)

    @cached_property
    def cleanup(self) -> AsyncAutoCleanupService:
        return AsyncAutoCleanupService(self._blocking.cleanup, self._threads)

    @cached_property
    def deletion(self) -> AsyncDeletionService:
        return AsyncDeletionService(self._blocking.deletion, self._threads)

    @cached_property
    def keys(self) -> AsyncKeyService:
        return AsyncKeyService(self._blocking.keys, self._threads)

    @cached_property
    def users(self) -> AsyncUserDataService:
        return AsyncUserDataService(self._blocking.users, self._threads)


class Opening:
    """A database about to be opened: `g = await …` or `async with … as g`."""

    def __init__(self, opens: Callable[[], Gunita]) -> None:
        self._opens = opens
        self._opened: AsyncGunita | None = None

    def __await__(self) -> Generator[Any, None, AsyncGunita]:
        return self._open().__await__()

    async def __aenter__(self) -> AsyncGunita:
        self._opened = await self._open()
        return self._opened

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._opened is not None:
            await self._opened.close()

    async def _open(self) -> AsyncGunita:
        blocking = await asyncio.to_thread(self._opens)
        return AsyncGunita(blocking, _Threads(blocking.settings.async_threads))
