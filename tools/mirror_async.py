"""Writes src/gunita/aio.py from the blocking surface, so that the two can never drift apart.

python -m tools.mirror_async          write the file
python -m tools.mirror_async --check  say whether it is up to date
"""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any, get_type_hints

from gunita.app import Gunita

TARGET = Path(__file__).parent.parent / "src" / "gunita" / "aio.py"

HEAD = '''"""AsyncGunita: the same surface, awaited through threads; holds no logic.

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
from gunita.services.background import Background
from gunita.models import Scope
from gunita.resilience.standing import Standing
from gunita.settings import Settings
from gunita.spans import traced
from gunita.store.metered import Meter
{imports}

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
'''

SERVICE = """

class Async{name}:
    def __init__(self, blocking: {name}, threads: _Threads) -> None:
        self._blocking = blocking
        self._threads = threads
"""

METHOD = """
    async def {name}({signature}) -> {result}:{docstring}
        return await self._threads.run(self._blocking.{name}{arguments})
"""

ITERATING = """
    async def {name}({signature}) -> Async{result}:{docstring}
        async for item in self._threads.iterate(self._blocking.{name}({arguments})):
            yield item
"""

TAIL = '''

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
{properties}

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
'''

PROPERTY = """
    @cached_property
    def {attribute}(self) -> Async{name}:
        return Async{name}(self._blocking.{attribute}, self._threads)
"""


def services() -> Iterator[tuple[str, type]]:
    """List the services a Gunita carries, by attribute."""
    for attribute, member in vars(Gunita).items():
        if isinstance(member, cached_property):
            yield attribute, get_type_hints(member.func)["return"]


def methods(service: type) -> Iterator[tuple[str, Any]]:
    for name, member in vars(service).items():
        if inspect.isfunction(member) and not name.startswith("_"):
            yield name, member


def written() -> str:
    """Write the mirror as source text."""
    parts = []
    for _, service in services():
        parts.append(SERVICE.format(name=service.__name__))
        parts += [_method(name, function) for name, function in methods(service)]
    properties = "".join(
        PROPERTY.format(attribute=attribute, name=service.__name__) for attribute, service in services()
    )
    parts.append(TAIL.format(properties=properties))
    body = "".join(parts)
    return _formatted(HEAD.format(imports=_imports(body)) + body)


def _method(name: str, function: Any) -> str:
    signature = inspect.signature(function)
    shown, arguments, keywords_only = [], "", False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords_only:
            shown.append("*")
            keywords_only = True
        shown.append(_parameter(parameter))
        if parameter.name != "self":
            arguments += f", {parameter.name}={parameter.name}" if keywords_only else f", {parameter.name}"
    documented = f'\n        """{function.__doc__}"""' if function.__doc__ else ""
    form = ITERATING if inspect.isgeneratorfunction(function) else METHOD
    return form.format(
        name=name,
        signature=", ".join(shown),
        result=signature.return_annotation,
        docstring=documented,
        arguments=arguments.removeprefix(", ") if form is ITERATING else arguments,
    )


def _parameter(parameter: inspect.Parameter) -> str:
    text = parameter.name
    if parameter.annotation is not parameter.empty:
        text += f": {parameter.annotation}"
    if parameter.default is not parameter.empty:
        default = parameter.default
        text += f" = {type(default).__name__}.{default.name}" if isinstance(default, Enum) else f" = {default!r}"
    return text


def _imports(body: str) -> str:
    """Import what the body names from where the blocking surface imports it."""
    names: dict[str, set[str]] = {}
    for _, service in services():
        names.setdefault(service.__module__, set()).add(service.__name__)
        for module, name in _imported_by(service):
            if re.search(rf"\b{name}\b", body):
                names.setdefault(module, set()).add(name)
    return "\n".join(f"from {module} import {', '.join(sorted(found))}" for module, found in sorted(names.items()))


def _imported_by(service: type) -> Iterator[tuple[str, str]]:
    """List what a service's module takes from the rest of the package."""
    module = inspect.getmodule(service)
    assert module is not None
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("gunita."):
            yield from ((node.module, alias.name) for alias in node.names if alias.name[0].isupper())
        elif isinstance(node, ast.ClassDef):
            yield module.__name__, node.name


def _formatted(source: str) -> str:
    for command in (["check", "--fix-only", "--quiet", "--select", "I,F401,RUF100"], ["format", "--quiet"]):
        source = subprocess.run(
            [Path(sys.executable).parent / "ruff", *command, "--stdin-filename", str(TARGET), "-"],
            input=source,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    return source


def main() -> int:
    fresh = written()
    if "--check" in sys.argv:
        return 0 if TARGET.read_text(encoding="utf-8") == fresh else 1
    TARGET.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
