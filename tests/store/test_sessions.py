"""Sessions on both engines."""

from __future__ import annotations

from gunita import Gunita


def test_a_turn_comes_back_as_it_was_stored(gunita: Gunita) -> None:
    session = gunita.sessions.create_session("juan")
    stored = gunita.sessions.store_turn(session, "juan", "Magkano?", "Isang daan.", {"kind": "price"})
    assert gunita.sessions.get_session_history(session) == [stored]
    assert stored.turn_number == 1
