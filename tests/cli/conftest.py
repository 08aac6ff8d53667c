"""A language model for the commands that talk to one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.scripted_model import ScriptedModel, speaking


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with speaking() as model:
        yield model
