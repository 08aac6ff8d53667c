"""The house rules that a linter does not know: size, names, scoped SQL, one surface in two colours."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gunita.aio import AsyncGunita
from gunita.app import Gunita
from gunita.store import queries
from tools import mirror_async

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src" / "gunita").rglob("*.py"))
OURS = [
    path
    for folder in (
        "src",
        "tests",
        "tests_adapters",
        "tests_chainlit",
        "tools",
        "benchmarks",
        "training",
        "examples",
        "deploy",
        "docs",
    )
    for path in (ROOT / folder).rglob("*")
]

MOST_LINES = 400
LONGEST_FUNCTION = 40
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc", "base", "manager", "core"}

LONG_FOR_A_REASON = {
    "src/gunita/aio.py": "written by tools/mirror_async.py; one short method after another",
}


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_a_file_is_one_room(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES or relative(path) in LONG_FOR_A_REASON


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_a_function_fits_on_a_page(path: Path) -> None:
    long = [node.name for node in functions(path) if (node.end_lineno or 0) - node.lineno + 1 > LONGEST_FUNCTION]
    assert long == []


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_a_name_says_what_is_inside(path: Path) -> None:
    assert path.stem not in NAMES_THAT_SAY_NOTHING


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_only_known_errors_are_caught(path: Path) -> None:
    broad = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in {"Exception", "BaseException"})
        # Cleaning up and raising on is not swallowing.
        and not (isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None)
    ]
    assert broad == []


BEFORE_ANY_SCOPE = {
    "find_api_key",
    "tenants_to_index",
    "tenants_of_other_models",
    "tenants_to_learn",
    "tenants_to_clean",
    "deletions_since",
    "measure_storage",
}
"""A scope is what a key yields, and what a worker goes through one after another; everything else starts from one."""
TOUCHES_NO_ROW = {"hold_user", "commit_without_waiting_of_tenant", "empty_the_log_of_tenant"}

STATEMENTS = sorted(
    ((engine, name, query) for engine in ("sqlite", "postgres") for name, query in queries.load(engine).items()),
    key=lambda found: found[:2],
)


@pytest.mark.parametrize(("engine", "name", "query"), STATEMENTS, ids=lambda value: str(value)[:40])
def test_every_statement_names_its_tenant(engine: str, name: str, query: queries.Query) -> None:
    if name in BEFORE_ANY_SCOPE | TOUCHES_NO_ROW:
        return
    for step in query.steps:
        assert re.search(r"\btenant_id\b", step), f"{engine}: {name} touches data without naming the tenant"
        assert ":tenant_id" in step
        if step.startswith(("SELECT", "UPDATE", "DELETE")):
            assert re.search(r"\btenant_id = :tenant_id\b", step)


@pytest.mark.parametrize(("engine", "name", "query"), STATEMENTS, ids=lambda value: str(value)[:40])
def test_every_statement_names_its_user_or_the_scopes(engine: str, name: str, query: queries.Query) -> None:
    counters = {"discount_message"}
    if not name.endswith("_of_tenant") and name not in counters | BEFORE_ANY_SCOPE:
        assert query.parameters & {"user_id", "scope_user"}, f"{engine}: {name} would reach every user of the tenant"


def test_the_engines_overlays_take_the_same_parameters() -> None:
    sqlite, postgres = queries.load("sqlite"), queries.load("postgres")
    assert sqlite.keys() == postgres.keys()
    given_by_the_step_before = {"turn_number", "user_id"}
    for name in sqlite:
        assert (
            sqlite[name].parameters - given_by_the_step_before == postgres[name].parameters - given_by_the_step_before
        )


def test_sql_is_spoken_in_the_store_alone() -> None:
    spoken = re.compile(r"\b(SELECT .+ FROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b")
    outside = [
        path for path in SOURCES if "store" not in path.parts and spoken.search(path.read_text(encoding="utf-8"))
    ]
    assert [relative(path) for path in outside] == []


def test_the_async_surface_is_the_mirror_of_the_blocking_one() -> None:
    assert mirror_async.TARGET.read_text(encoding="utf-8") == mirror_async.written(), "run `make mirror`"


def test_blocking_and_awaited_calls_have_equal_signatures() -> None:
    for attribute, service in mirror_async.services():
        mirrored = vars(AsyncGunita)[attribute].func.__annotations__["return"]
        awaited = getattr(__import__("gunita.aio", fromlist=["aio"]), mirrored)
        for name, blocking in mirror_async.methods(service):
            twin = getattr(awaited, name)
            if inspect.isgeneratorfunction(blocking):
                assert inspect.isasyncgenfunction(twin), f"{mirrored}.{name}"
                assert inspect.signature(twin).parameters == inspect.signature(blocking).parameters
            else:
                assert inspect.iscoroutinefunction(twin), f"{mirrored}.{name}"
                assert inspect.signature(twin) == inspect.signature(blocking), f"{mirrored}.{name}"
    assert inspect.signature(AsyncGunita.scoped).parameters.keys() == inspect.signature(Gunita.scoped).parameters.keys()
    assert inspect.signature(AsyncGunita.open).parameters == inspect.signature(Gunita.open).parameters


def test_the_repository_names_no_machine_and_no_download_address() -> None:
    forbidden = re.compile(r"index-url|find-links|/work/|\"resolved\": *\"http|extra-index")
    this_file = Path(__file__)
    text_files = [
        p for p in OURS if p.suffix in {".py", ".md", ".toml", ".sql", ".txt", ".jsonl", ".js", ".html", ".yml"}
    ]
    top = [path for path in ROOT.iterdir() if path.is_file()]
    named = [
        p
        for p in text_files + top
        if p != this_file and forbidden.search(p.read_text(encoding="utf-8", errors="ignore"))
    ]
    assert [relative(path) for path in named] == []
