"""Conversation memory that understands what people point at."""

from gunita.aio import AsyncGunita
from gunita.app import Gunita
from gunita.errors import (
    ConflictError,
    GunitaError,
    InvalidRoleError,
    NotFoundError,
    OutOfScopeError,
    SchemaError,
    StorageError,
    StorageUnavailableError,
    ValidationError,
)
from gunita.language.clarification import ClarificationEngine
from gunita.language.references import DynamicReferenceParser
from gunita.models import (
    Conversation,
    ConversationContext,
    ExportFormat,
    Memory,
    MemoryType,
    Message,
    Receipt,
    ReferenceIntent,
    ReferenceResolution,
    Role,
    Scope,
    SemanticFeatures,
    Turn,
)

__version__ = "0.1.0"

__all__ = [
    "AsyncGunita",
    "ClarificationEngine",
    "ConflictError",
    "Conversation",
    "ConversationContext",
    "DynamicReferenceParser",
    "ExportFormat",
    "Gunita",
    "GunitaError",
    "InvalidRoleError",
    "Memory",
    "MemoryType",
    "Message",
    "NotFoundError",
    "OutOfScopeError",
    "Receipt",
    "ReferenceIntent",
    "ReferenceResolution",
    "Role",
    "SchemaError",
    "Scope",
    "SemanticFeatures",
    "StorageError",
    "StorageUnavailableError",
    "Turn",
    "ValidationError",
]
