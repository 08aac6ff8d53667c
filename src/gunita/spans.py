"""OpenTelemetry spans for what is done to memory, in the words of its GenAI conventions, where it is installed.

No text ever goes into a span: neither what was said nor what was searched for, nor what an error quotes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, ParamSpec, TypeVar
from uuid import UUID

from gunita.errors import GunitaError

try:
    from opentelemetry import trace
except ImportError:
    trace = None  # type: ignore[assignment]

_P = ParamSpec("_P")
_T = TypeVar("_T")

OPERATIONS: Mapping[str, str] = {
    "ChatService.begin": "search_memory",
    "ChatService.finish": "create_memory",
    "ChatService.from_memory": "search_memory",
    "ConversationMemoryManager.store_turn": "create_memory",
    "ConversationMemoryManager.get_session_history": "search_memory",
    "ConversationMemoryManager.get_context_for_query": "search_memory",
    "ConversationMemoryManager.create_session": "create_memory_store",
    "ConversationMemoryManager.delete_session": "delete_memory_store",
    "ConversationService.create_conversation": "create_memory_store",
    "ConversationService.delete_conversation": "delete_memory_store",
    "ConversationService.add_message": "create_memory",
    "ConversationService.get_messages": "search_memory",
    "MemoryService.create_memory": "create_memory",
    "MemoryService.update_memory": "update_memory",
    "MemoryService.delete_memory": "delete_memory",
    "MemoryService.get_memories": "search_memory",
    "MemoryService.get_context_memories": "search_memory",
    "MemoryService.extract_memories": "create_memory",
    "SearchService.search": "search_memory",
    "UserDataService.set_memory": "upsert_memory",
    "UserDataService.get_memory": "search_memory",
    "UserDataService.get_all_memory": "search_memory",
    "UserDataService.delete_memory": "delete_memory",
    "UserDataService.clear_all_memory": "delete_memory_store",
    "DeletionService.delete_user": "delete_memory_store",
    "DeletionService.delete_tenant": "delete_memory_store",
    "DeletionService.delete_conversation": "delete_memory_store",
    "DeletionService.delete_memory": "delete_memory",
    "AutoCleanupService.run_cleanup": "delete_memory",
}

NAMED = {
    "session_id": "gen_ai.conversation.id",
    "conversation_id": "gen_ai.conversation.id",
    "memory_id": "gen_ai.memory.record.id",
}


def traced(call: Callable[_P, _T]) -> Callable[_P, _T]:
    """Give a call that leaves a span where it does something to memory and somebody collects spans."""
    if trace is None:
        return call
    name = getattr(call, "__qualname__", "")
    operation = OPERATIONS.get(name)
    return call if operation is None else partial(_in_span, operation, name, call)


def _in_span(operation: str, name: str, call: Callable[..., _T], /, *args: Any, **kwargs: Any) -> _T:
    attributes = {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": "gunita",
        "code.function.name": name,
        **_identifiers(call, args, kwargs),
    }
    # What an error says may quote what was said, so that its name alone is told.
    with trace.get_tracer("gunita").start_as_current_span(
        operation,
        kind=trace.SpanKind.CLIENT,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            result = call(*args, **kwargs)
        except GunitaError as problem:
            span.set_attribute("error.type", type(problem).__name__)
            span.set_status(trace.StatusCode.ERROR)
            raise
        if isinstance(result, list):
            span.set_attribute("gen_ai.memory.record.count", len(result))
        return result


def _identifiers(call: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, str]:
    """Take the ids among a call's arguments; whatever is no id may be text, and stays out."""
    given = dict(zip(_parameters(getattr(call, "__func__", call)), args, strict=False)) | dict(kwargs)
    return {
        NAMED[name]: str(value)
        for name, value in given.items()
        if name in NAMED and (isinstance(value, UUID) or _is_uuid(value))
    }


def _is_uuid(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        UUID(value)
    except ValueError:
        return False
    return True


@cache
def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(name for name in inspect.signature(function).parameters if name != "self")
