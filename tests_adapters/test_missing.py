"""Importing Gunita loads no framework, and an adapter whose framework is missing says in one line what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

FRAMEWORKS = {
    "chainlit": ("chainlit", "gunita[chainlit]"),
    "openai_agents": ("agents", "gunita[agents]"),
    "langchain": ("langchain_core", "gunita[langchain]"),
    "langgraph": ("langgraph", "gunita[langgraph]"),
    "llamaindex": ("llama_index", "gunita[llamaindex]"),
    "mcp": ("mcp", "gunita[mcp]"),
    "pydantic_ai": ("pydantic_ai", "gunita[pydantic-ai]"),
}


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_gunita_loads_no_framework() -> None:
    names = [framework for framework, _ in FRAMEWORKS.values()]
    assert run(f"import gunita, sys; print([n for n in {names} if n in sys.modules])").strip() == "[]"


@pytest.mark.parametrize("adapter", FRAMEWORKS)
def test_a_missing_framework_says_what_to_install(adapter: str) -> None:
    framework, extra = FRAMEWORKS[adapter]
    said = run(
        f"import sys; sys.modules[{framework!r}] = None\n"
        f"try:\n    import gunita.adapters.{adapter}\nexcept ImportError as problem:\n    print(problem)"
    )
    [line] = said.splitlines()
    assert line.endswith(f"pip install '{extra}'")
