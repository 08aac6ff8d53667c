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
from gunita.models import (
    Conversation,
    ExportFormat,
    Memory,
    MemoryType,
    Message,
    Role,
    Scope,
    Turn,
)

__version__ = "0.1.0"

__all__ = [
    "AsyncGunita",
    "ConflictError",
    "Conversation",
    "ExportFormat",
    "Gunita",
    "GunitaError",
    "InvalidRoleError",
    "Memory",
    "MemoryType",
    "Message",
    "NotFoundError",
    "OutOfScopeError",
    "Role",
    "SchemaError",
    "Scope",
    "StorageError",
    "StorageUnavailableError",
    "Turn",
    "ValidationError",
]
