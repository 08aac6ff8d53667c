"""What people and programs may hand to Gunita, as hypothesis draws it."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import strategies as st

from gunita.models import MemoryType

_numbers = itertools.count(1)

_storable = st.characters(exclude_categories=("Cs",), exclude_characters="\0")


def said(longest: int = 200) -> st.SearchStrategy[str]:
    """Text that can be kept: any characters but NUL and halves of one, and not blank."""
    return st.text(_storable, min_size=1, max_size=longest).filter(lambda text: not text.isspace())


def names() -> st.SearchStrategy[str]:
    return said(longest=40)


def exchanges(least: int = 1, most: int = 8) -> st.SearchStrategy[list[tuple[str, str]]]:
    return st.lists(st.tuples(said(20), said(20)), min_size=least, max_size=most)


_any_text = st.text(max_size=20)
_scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _any_text


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON, with NUL and lone surrogates in its strings."""
    return st.recursive(
        _scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_any_text, inner, max_size=4),
        max_leaves=10,
    )


def json_objects() -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(_any_text, json_values(), max_size=4)


def memory_types() -> st.SearchStrategy[MemoryType]:
    return st.sampled_from(MemoryType)


def fresh_tenant() -> str:
    """A tenant nobody used before, so that each example starts with nothing in one shared database."""
    return f"tenant {next(_numbers)}"
