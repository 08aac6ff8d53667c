"""Everything that can be configured, read once by app.py from arguments, environment and file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AliasChoices, Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


class Durability(StrEnum):
    """What a power cut may take: nothing (full), or the newest commits (normal). A killed process loses nothing."""

    NORMAL = "normal"
    FULL = "full"


class Pooling(StrEnum):
    """Whether PostgreSQL is reached directly or through a pooler that gives each transaction another connection."""

    SESSION = "session"
    TRANSACTION = "transaction"


class Condensing(StrEnum):
    """Who folds a long conversation: the configured model, if there is one; DSPy over that model; or no model."""

    MODEL = "model"
    DSPY = "dspy"
    EXTRACTIVE = "extractive"
    TRUNCATION = "truncation"


class ExtractionTrigger(StrEnum):
    """When memories are learnt: when somebody asks, once a conversation goes idle, or soon after every turn."""

    BY_HAND = "by_hand"
    IDLE = "idle"
    BACKGROUND = "background"


Positive = Annotated[int, Field(gt=0)]


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="GUNITA_",
        env_file=".env",
        env_file_encoding="utf-8",
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    database_url: str = Field("gunita.db", validation_alias=AliasChoices("GUNITA_DATABASE_URL", "DATABASE_URL"))
    migrate: bool = True
    """Apply pending migrations on opening; a service whose login does not own the tables turns it off."""

    sqlite_durability: Durability = Durability.NORMAL
    sqlite_busy_seconds: float = Field(10.0, ge=0)

    postgres_pooling: Pooling = Pooling.SESSION
    postgres_schema: str = Field("public", pattern=r"^[a-z_][a-z0-9_]{0,62}$")
    postgres_pool_size: Positive = 8
    postgres_wait_seconds: float = Field(10.0, gt=0)
    replica_url: str | None = None
    """A streaming replica of the database; exports, insights and counts are read there."""
    replica_wait_seconds: float = Field(0.5, gt=0)
    """How long it may take to answer, or to come to where the primary is; then the primary is asked."""

    storage_deadline_seconds: float = Field(5.0, gt=0)
    """How long an answer waits for the database at most; then it goes on without."""
    storage_attempts: int = Field(5, ge=1, le=5)
    storage_retry_seconds: float = Field(1.0, gt=0)
    """The first wait before a call is tried again; each further one is twice as long, up to eight times the first."""
    slow_database_seconds: float = Field(1.0, gt=0)
    """A statement that takes longer makes the window shrink for a while."""
    fallback: bool = True
    """Go on from memory while the database is away, and keep what is said in a journal on disk until it is back."""
    fallback_memory_bytes: Positive = 64_000_000
    """Memory for the conversations that were used last."""
    journal_folder: Path | None = None
    """Where turns wait for the database; unless set, beside its file, or for PostgreSQL with the user's own state."""

    max_text_characters: Positive = 2_000_000
    max_json_characters: Positive = 2_000_000
    max_title_characters: Positive = 500
    history_limit: Positive = Field(
        50, validation_alias=AliasChoices("GUNITA_HISTORY_LIMIT", "CONVERSATION_HISTORY_LIMIT")
    )
    async_threads: Positive = 8
    retention_hours: float = Field(
        24.0, gt=0, validation_alias=AliasChoices("GUNITA_RETENTION_HOURS", "CONVERSATION_TTL_HOURS")
    )
    """How long turns are kept; pinned conversations stay."""
    retention_counted_from: Literal["turn", "activity"] = "turn"
    """Whether that runs from each turn by itself, or from the last activity of its conversation."""
    cleanup_interval_hours: float = Field(
        1.0, gt=0, validation_alias=AliasChoices("GUNITA_CLEANUP_INTERVAL_HOURS", "CLEANUP_INTERVAL_HOURS")
    )
    cleanup_batch_turns: Positive = 1_000
    """Turns that a cleanup looks up at a time, and deletes in one transaction at most."""
    storage_budget_megabytes: Positive = 500
    """What the database may grow to; from four fifths of it on, logs and metrics say so."""
    metered: bool | None = None
    """Count how long the database takes; unless set, a server does and a library that is opened does not."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """What `gunita serve` writes to its log, as JSON."""

    window_turns: Positive = 20
    model_context_tokens: int = Field(8_192, ge=256, le=262_144)
    answer_reserve_tokens: int = Field(1_024, ge=0)
    condenser: Condensing = Condensing.MODEL
    condense_after_messages: Positive | None = None
    """Fold a conversation into a summary after so many messages, also when the budget is not yet full."""
    cross_conversation_recall: bool = False
    """Recall turns of the user's other conversations too, not only of the one at hand."""
    cross_conversation_tenants: Annotated[tuple[str, ...], NoDecode] = ()
    """Tenants where that is so, with commas between, while it is off for the others."""
    recalled_turns: int = Field(5, ge=0)
    search_messages_held: Positive = 50_000
    """How many of a user's newest messages are searched."""
    search_memory_bytes: Positive = 256_000_000
    """Memory for the indexes of the users who searched last."""
    understanding_memory_bytes: Positive = 100_000_000
    """Memory for what the turns of the conversations that went on last were read as; about ten kilobytes a text."""
    system_prompt: str = (
        "You are a helpful assistant with a good memory. Answer in the language the user writes in: "
        "English, Tagalog or Taglish."
    )

    background: bool | None = None
    """Index and learn in threads of this process; unless set, a server does and a library that is opened does not."""
    extraction_trigger: ExtractionTrigger = ExtractionTrigger.IDLE
    extraction_idle_seconds: float = Field(600.0, ge=0)
    """How long a conversation must be quiet before it is read for memories."""

    llm_base_url: str | None = None
    """Any OpenAI-compatible endpoint; with none, Gunita answers from memory alone."""
    llm_api_key: SecretStr = SecretStr("none")
    llm_model: str = "default"
    llm_timeout_seconds: float = Field(60.0, gt=0)
    llm_retries: int = Field(2, ge=0)

    host: str = "127.0.0.1"
    port: int = Field(8321, ge=0, le=65_535)
    require_auth: bool = False
    """Ask for a key or a token also on loopback; elsewhere it is always asked for."""
    jwt_secret: SecretStr | None = None
    """Verifies HS256 tokens, as Supabase's legacy ones are."""
    jwt_jwks_url: str | None = None
    """Where the public keys of RS256, ES256 or EdDSA tokens are found."""
    jwt_audience: str | None = None
    jwt_issuer: str | None = None
    supabase_url: str | None = Field(None, validation_alias=AliasChoices("GUNITA_SUPABASE_URL", "SUPABASE_URL"))
    supabase_key: SecretStr | None = Field(None, validation_alias=AliasChoices("GUNITA_SUPABASE_KEY", "SUPABASE_KEY"))
    cors_origins: Annotated[tuple[str, ...], NoDecode] = ()
    """Web pages elsewhere that may ask, with commas between: https://app.example, https://admin.example"""
    max_body_bytes: Positive = 5_000_000
    max_head_bytes: Positive = 65_536
    """How long a request's address and headers may be together."""
    head_seconds: float = Field(10.0, gt=0)
    """How long a connection may take to say what it wants, and to say nothing at all."""
    body_seconds: float = Field(60.0, gt=0)
    """How long a request's body may take to arrive."""
    unread_seconds: float = Field(30.0, gt=0)
    """How long a reply may wait for a client that does not read it."""
    rate_limit_per_minute: Positive | None = None
    stream_grace_seconds: float = Field(10.0, ge=0)
    """How long an answer goes on for a client that went away, before it is kept as interrupted."""
    development: bool = False
    """Show the details of errors in replies; never where strangers can see them."""

    @field_validator("cors_origins", mode="before")
    @classmethod
    def _between_commas(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return tuple(origin.strip().rstrip("/") for origin in value.split(",") if origin.strip())

    @field_validator("cross_conversation_tenants", mode="before")
    @classmethod
    def _named(cls, value: object) -> object:
        return tuple(name.strip() for name in value.split(",") if name.strip()) if isinstance(value, str) else value

    def recalls_across_conversations(self, tenant_id: str | None) -> bool:
        """Say whether a tenant's users have turns recalled from their other conversations."""
        return self.cross_conversation_recall or (tenant_id or "") in self.cross_conversation_tenants

    @property
    def is_loopback(self) -> bool:
        return self.host in {"127.0.0.1", "::1", "localhost"}

    @property
    def is_postgres(self) -> bool:
        return self.database_url.startswith(("postgres://", "postgresql://"))

    @property
    def sqlite_path(self) -> Path | None:
        """The database file, or None for one that lives in memory."""
        path = self.database_url.removeprefix("sqlite:///")
        return None if path == ":memory:" else Path(path).expanduser()
