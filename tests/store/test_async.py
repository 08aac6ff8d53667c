"""The awaited surface does what the blocking one does."""

from __future__ import annotations

import asyncio

from gunita import AsyncGunita, ValidationError


async def remember_and_read(url: str) -> None:
    async with AsyncGunita.open(url) as g:
        session = await g.sessions.create_session("maria")
        stored = await g.sessions.store_turn(session, "maria", "Kumusta?", "Mabuti.", {"mood": "good"})
        assert await g.sessions.get_session_history(session) == [stored]
        memory = await g.memories.create_memory("maria", "Prefers tea", "preference")
        assert await g.memories.get_memories("maria") == [memory]
        assert await g.scoped(user_id="jose").sessions.get_session_history(session) == []


async def write_side_by_side(url: str) -> list[int]:
    g = await AsyncGunita.open(url)
    session = await g.sessions.create_session("maria")
    turns = await asyncio.gather(*(g.sessions.store_turn(session, "maria", f"q{n}", f"a{n}") for n in range(40)))
    await g.close()
    return sorted(turn.turn_number for turn in turns)


async def refuse(url: str) -> str:
    async with AsyncGunita.open(url) as g:
        try:
            await g.sessions.store_turn("not a uuid", "maria", "q", "a")
        except ValidationError as refusal:
            return refusal.field
    return "nothing was refused"


def test_what_is_awaited_is_kept_and_read_back(url: str) -> None:
    asyncio.run(remember_and_read(url))


def test_concurrent_tasks_take_gapless_numbers(url: str) -> None:
    assert asyncio.run(write_side_by_side(url)) == list(range(1, 41))


def test_errors_reach_the_awaiting_caller(url: str) -> None:
    assert asyncio.run(refuse(url)) == "session_id"
