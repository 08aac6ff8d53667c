"""Logs as JSON, a line each: what was done, for which request, tenant and session, and never what was said."""

from __future__ import annotations

import copy
import logging
import re
import sys
import threading
import traceback
from types import TracebackType
from typing import Any, TextIO
from uuid import UUID

import orjson
import structlog
from structlog.stdlib import ExtraAdder, ProcessorFormatter
from structlog.typing import EventDict, WrappedLogger

from gunita.services.expiring import shortened

FRAMES = 8
"""Places of a trace that are told, innermost last."""

_STEERING = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

bind = structlog.contextvars.bind_contextvars
unbind_all = structlog.contextvars.clear_contextvars


def bind_session(session_id: UUID | None) -> None:
    """Have every line of this request tell which conversation it is about."""
    if session_id is not None:
        bind(session=shortened(session_id))


def configure(level: str = "INFO", stream: TextIO | None = None) -> None:
    """Have everything that is logged in this process written as JSON, uncaught errors too."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        WithoutTexts(
            foreign_pre_chain=[
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                ExtraAdder(),
                structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            ],
            processors=[ProcessorFormatter.remove_processors_meta, _as_json],
        )
    )
    root = logging.getLogger()
    for former in list(root.handlers):
        root.removeHandler(former)
    root.addHandler(handler)
    root.setLevel(level)
    # These tell of every request and every round of their own, with addresses in it.
    for chatty in ("httpx", "httpx2", "httpcore", "openai", "apscheduler"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda found: _log_uncaught(found.exc_type, found.exc_value, found.exc_traceback)


class WithoutTexts(ProcessorFormatter):
    """Tells of an error its name and place; its message may quote a row, and a row holds what somebody said."""

    def format(self, record: logging.LogRecord) -> str:
        told = copy.copy(record)
        if isinstance(told.args, tuple):
            told.args = tuple(_named(value) for value in told.args)
        elif isinstance(told.args, dict):
            told.args = {name: _named(value) for name, value in told.args.items()}
        if isinstance(told.exc_info, tuple) and told.exc_info[1] is not None:
            told.trouble = described(told.exc_info[1])
        told.exc_info = told.exc_text = told.stack_info = None
        return super().format(told)


def described(error: BaseException) -> list[dict[str, Any]]:
    """Say which errors led to one another, outermost first, and where each came up."""
    found: list[dict[str, Any]] = []
    step: BaseException | None = error
    while step is not None and len(found) < FRAMES:
        places = traceback.extract_tb(step.__traceback__)[-FRAMES:]
        found.append(
            {
                "error": type(step).__name__,
                "at": [f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} {frame.name}" for frame in places],
            }
        )
        step = step.__cause__ or (None if step.__suppress_context__ else step.__context__)
    return found


def _named(value: object) -> object:
    return type(value).__name__ if isinstance(value, BaseException) else value


def _as_json(_: WrappedLogger, __: str, event: EventDict) -> str:
    event.pop("color_message", None)  # uvicorn says some lines twice, the second time in colours
    line = orjson.dumps(event, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
    # JSON leaves these as they are, and a terminal or a reader of lines may act on them.
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _log_uncaught(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    if error is not None and not issubclass(kind, KeyboardInterrupt):
        logging.getLogger("gunita").critical("uncaught error", exc_info=(kind, error, trace))
