"""Gunita: opens the store, wires everything to it, closes it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pydantic

from gunita import ids
from gunita.chat.extracting_model import extractor_from
from gunita.chat.llm import Model, model_from
from gunita.chat.opening import House
from gunita.chat.questions import GuardedShortTermMemory, OwnQuestions
from gunita.chat.service import ChatService
from gunita.chat.shortterm import StoredShortTermMemory
from gunita.errors import StorageUnavailableError, ValidationError
from gunita.language.clarification import ClarificationEngine
from gunita.language.references import DynamicReferenceParser
from gunita.models import Scope
from gunita.resilience import opening as resilience
from gunita.resilience.keeper import Keeper
from gunita.resilience.standing import Standing
from gunita.services import access
from gunita.services.access import Access
from gunita.services.background import Background, Task
from gunita.services.cleaning import AutoCleanupService
from gunita.services.conversations import ConversationService
from gunita.services.corrections import CorrectionService
from gunita.services.deletion import DeletionService, KeptElsewhere, Listening
from gunita.services.importing import ImportService
from gunita.services.indexes import Indexes
from gunita.services.insights import InsightService
from gunita.services.items import ItemService
from gunita.services.keys import KeyService
from gunita.services.memories import MemoryService
from gunita.services.messages import MessageService
from gunita.services.moving_out import ExportService
from gunita.services.receipts import ReceiptService
from gunita.services.remembering import MemoryUses
from gunita.services.scheduling import Schedule
from gunita.services.search import SearchService
from gunita.services.sessions import ConversationMemoryManager
from gunita.services.statistics import StatisticsService
from gunita.services.transcripts import TranscriptService
from gunita.services.understanding import Mind, new_mind
from gunita.services.userdata import UserDataService
from gunita.settings import Settings
from gunita.store.database import Database
from gunita.store.metered import Meter, MeteredDatabase
from gunita.store.opening import open_database

_log = logging.getLogger("gunita")

INDEXED_AT_ONCE = 200
"""Messages of one tenant that the background indexes before it looks at the next tenant's."""
READ_AT_ONCE = 10
"""Conversations of one tenant that it learns from before it looks at the next tenant's."""


class Gunita:
    """Everything Gunita remembers, as one scope sees it; opened unbound, it is the system tenant's service."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        scope: Scope,
        clock: Callable[[], datetime] = ids.now,
        mind: Mind | None = None,
        model: Model | None = None,
        indexes: Indexes | None = None,
        uses: MemoryUses | None = None,
        background: Background | None = None,
        keeper: Keeper | None = None,
        questions: OwnQuestions | None = None,
        schedule: Schedule | None = None,
    ) -> None:
        self._database = database
        self._keeper = keeper
        self._questions = questions or OwnQuestions(clock)
        self._indexes = indexes or Indexes(settings.search_memory_bytes)
        self._mind = mind or new_mind(settings.understanding_memory_bytes)
        self._model = model
        self._uses = uses or MemoryUses(database)
        refuge = keeper if settings.fallback else None
        self._door = Access(database.within(scope), settings, clock, self._uses, refuge)
        self._schedule = schedule or Schedule()
        listening = Listening(database, self._elsewhere, self._mind.texts)
        self._background = background or Background(
            [
                Task("forgetting", lambda: listening.listen(clock())),
                Task("indexing", lambda: self.search.index_everywhere(INDEXED_AT_ONCE)),
                Task("learning", lambda: self.memories.extract_everywhere(READ_AT_ONCE)),
            ]
        )

    @classmethod
    def open(
        cls, url_or_path: str | Path | None = None, *, clock: Callable[[], datetime] = ids.now, **settings: Any
    ) -> Self:
        """Open a database: a file's path, a postgresql:// address, or what the environment says."""
        if url_or_path is not None:
            settings["database_url"] = str(url_or_path)
        return cls.with_settings(read_settings(**settings), clock)

    @classmethod
    def with_settings(cls, settings: Settings, clock: Callable[[], datetime] = ids.now) -> Self:
        """Open what settings say that were read before."""
        model = model_from(settings)
        database = resilience.guarded(open_database(settings), settings)
        try:
            keeper = resilience.keeper(database, settings, clock)
        except BaseException:
            database.close()
            raise
        opened = cls(
            database, settings, Scope(), clock, new_mind(settings.understanding_memory_bytes), model, keeper=keeper
        )
        if settings.background:
            opened.background.start()
        return opened

    def scoped(self, tenant_id: str | None = None, user_id: str | None = None) -> Gunita:
        """Give the same database as a tenant's service, or one of its users, sees it; a bound scope only narrows."""
        scope = access.narrowed(self.scope, access.scope(tenant_id, user_id))
        return Gunita(
            self._database,
            self.settings,
            scope,
            self._door.clock,
            self._mind,
            self._model,
            self._indexes,
            self._uses,
            self._background,
            self._keeper,
            self._questions,
            self._schedule,
        )

    def close(self) -> None:
        self._schedule.stop()
        self._background.stop()
        try:
            self._uses.write_down(self._door.clock())
        except StorageUnavailableError as trouble:
            _log.warning("how often memories were used was not written down: %s", trouble)
        finally:
            if self._keeper is not None:
                self._keeper.close()
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def settings(self) -> Settings:
        return self._door.settings

    @property
    def model(self) -> Model | None:
        """The language model that answers, if one is configured."""
        return self._model

    @property
    def background(self) -> Background:
        """What indexes and learns in threads of this process, once it is started."""
        return self._background

    @property
    def standing(self) -> Standing | None:
        """How it stands between Gunita and its database: ready, slow or degraded; None without a fallback."""
        return None if self._keeper is None else self._keeper.standing()

    @property
    def scope(self) -> Scope:
        return self._door.scope

    @property
    def meter(self) -> Meter | None:
        """How long the database took so far; None where nobody measures."""
        behind = getattr(self._database, "behind", self._database)
        return behind.meter if isinstance(behind, MeteredDatabase) else None

    @property
    def _elsewhere(self) -> tuple[KeptElsewhere, ...]:
        """What this process holds beside the database, to be let go with what is deleted."""
        held = (self._indexes, self._questions.copies, self._questions.unstored)
        return held if self._keeper is None else (*held, self._keeper)

    @cached_property
    def references(self) -> DynamicReferenceParser:
        return self._mind.references

    @cached_property
    def clarifications(self) -> ClarificationEngine:
        return self._mind.clarifications

    @cached_property
    def chat(self) -> ChatService:
        stored = StoredShortTermMemory(self._database, self._door.clock)
        keeper = self._keeper if self.settings.fallback else None
        shortterm = GuardedShortTermMemory(stored, self._questions) if keeper else stored
        return ChatService(House(self._door, self._mind, shortterm, self.search, keeper), self._model)

    @cached_property
    def sessions(self) -> ConversationMemoryManager:
        return ConversationMemoryManager(self._door, self._mind, self.search)

    @cached_property
    def conversations(self) -> ConversationService:
        return ConversationService(self._door, self.search)

    @cached_property
    def messages(self) -> MessageService:
        return MessageService(self._door, self.conversations)

    @cached_property
    def memories(self) -> MemoryService:
        return MemoryService(self._door, self._database, extractor_from(self._model, self.settings))

    @cached_property
    def search(self) -> SearchService:
        return SearchService(self._door, self._indexes, self._database)

    @cached_property
    def receipts(self) -> ReceiptService:
        return ReceiptService(self._door)

    @cached_property
    def corrections(self) -> CorrectionService:
        return CorrectionService(self._door)

    @cached_property
    def statistics(self) -> StatisticsService:
        return StatisticsService(self._door)

    @cached_property
    def transcripts(self) -> TranscriptService:
        return TranscriptService(self._door)

    @cached_property
    def insights(self) -> InsightService:
        return InsightService(self._door)

    @cached_property
    def items(self) -> ItemService:
        return ItemService(self._door)

    @cached_property
    def imports(self) -> ImportService:
        return ImportService(self._door)

    @cached_property
    def exports(self) -> ExportService:
        return ExportService(self._door)

    @cached_property
    def cleanup(self) -> AutoCleanupService:
        return AutoCleanupService(self._door, self._database, self._schedule, self._mind.texts)

    @cached_property
    def deletion(self) -> DeletionService:
        return DeletionService(self._door, self._database, self._elsewhere, self._mind.texts)

    @cached_property
    def keys(self) -> KeyService:
        return KeyService(self._door, self._database)

    @cached_property
    def users(self) -> UserDataService:
        return UserDataService(self._door)


def read_settings(file: Path | None = None, **given: Any) -> Settings:
    """Read settings from arguments, environment and file, in that order; what is wrong is named."""
    if unknown := sorted(given.keys() - Settings.model_fields.keys()):
        raise ValidationError(unknown[0], "is not a setting; gunita.settings.Settings lists those there are")
    if file is not None:
        if not file.is_file():
            raise ValidationError("config", f"there is no file {file}")
        given["_env_file"] = file
    try:
        return Settings(**given)
    except pydantic.ValidationError as problem:
        first = problem.errors()[0]
        raise ValidationError(str(first["loc"][0]), first["msg"]) from problem
