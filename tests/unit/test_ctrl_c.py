"""What Ctrl-C does to somebody who walks an answer's words on a loop of their own."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator

import pytest

from gunita.chat.service import blocking


async def words_until(cut: BaseException | None) -> AsyncIterator[str]:
    yield "so"
    if cut is not None:
        raise cut


def test_words_are_walked_to_their_end() -> None:
    assert list(blocking(words_until(None))) == ["so"]


def test_a_walk_that_is_only_said_to_be_cancelled_was_interrupted() -> None:
    """So a runner puts it that was interrupted in the moment it began."""
    words = blocking(words_until(asyncio.CancelledError()))
    assert next(words) == "so"
    with pytest.raises(KeyboardInterrupt):
        next(words)


@pytest.fixture
def heard() -> Iterator[None]:
    """Hear Ctrl-C also where whoever started the tests in the background does not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_ctrl_c_in_the_middle_of_a_word_interrupts_the_walk() -> None:
    async def slowly() -> AsyncIterator[str]:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(60)
        yield "never"

    with pytest.raises(KeyboardInterrupt):
        next(blocking(slowly()))
