"""Items of other frameworks while the database is away: each is refused aloud, and what was there stays exact."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from gunita import Gunita
from gunita.errors import StorageUnavailableError
from gunita.models import Role
from gunita.services.items import Item
from tests.faults.faults import QUICK, wait_until_ready
from tests.faults.tcp_proxy import TcpProxy
from tests.faults.test_forgotten_meanwhile import unwritable, without_a_wire

WRITER = "a framework"


def said(words: str) -> Item:
    return Item(words, Role.USER)


def test_an_item_is_refused_while_it_could_not_be_kept_and_taken_when_it_can(
    url: str, wire: TcpProxy, tmp_path: Path
) -> None:
    is_postgres, session = url.startswith("postgresql"), uuid4()
    with Gunita.open(wire.url(url) if is_postgres else url, **QUICK, journal_folder=tmp_path / "waiting") as g:
        g.items.append(session, "juan", [said("first")], writer=WRITER)
        with without_a_wire(wire) if is_postgres else unwritable(g):
            for attempt in range(3):
                with pytest.raises(StorageUnavailableError) as refused:
                    g.items.append(session, "juan", [said(f"lost {attempt}")], writer=WRITER)
                assert refused.value.retry_after or attempt == 0
            # A turn of the same conversation waits, and an item must not come before it.
            g.sessions.store_turn(session, "juan", "waits", "a")
            with pytest.raises(StorageUnavailableError, match="items do not wait"):
                g.items.append(session, "juan", [said("too early")], writer=WRITER)
            with pytest.raises(StorageUnavailableError, match="items do not wait"):
                g.items.replace(session, "juan", [], writer=WRITER)
        wait_until_ready(g)
        g.items.append(session, "juan", [said("second")], writer=WRITER)
        kept = [message.content for message in g.conversations.get_messages(session)]
        assert kept == ["first", "waits", "a", "second"]
        assert [item.text for item in g.items.read(session, writer=WRITER)] == kept
