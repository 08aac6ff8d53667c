"""The arithmetic of capacity: figures that one can do in the head, and the page that follows from measured ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.sizing import Assumed, Measured, page, sized
from tools.docs_site import DOCS

ROUND = Assumed(
    daily_users=864_000, turns_a_day=10, days_kept=10, peak=2, bloat=2, full_pages=2, server_cores=4, server_load=0.5,
    node_cores=10, node_load=0.5, node_memory_gb=64, node_disk_gb=1_000, node_disk_load=0.5, pool=8,
    connections_a_core=4, server_price=1, node_price=2, gb_price=0.5,
)  # fmt: skip
TURN = Measured(rows=5, bytes=10_000, wal=1_000, transactions=3, statements=4, processor_ms=20, service_ms=10)


def test_every_figure_follows_from_what_is_assumed_and_measured() -> None:
    needed = sized(ROUND, TURN)
    assert (needed.turns_a_day, needed.mean, needed.peak) == (8_640_000, 100, 200)
    assert (needed.turns_kept, needed.rows, needed.gigabytes) == (86_400_000, 432_000_000, 1_728)
    assert (needed.wal_gb_a_day, needed.wal_mb_at_peak) == (17.28, 0.4)
    assert (needed.transactions, needed.statements) == (600, 800)
    assert (needed.service_cores, needed.servers) == (2, 2)
    assert (needed.database_cores, needed.nodes_for_processors, needed.nodes_for_disks, needed.nodes) == (4, 1, 4, 4)
    assert (needed.day_gb_a_node, needed.shards, needed.names) == (21.6, 32, 512)
    assert (needed.clients, needed.connections_a_node) == (64, 40)
    assert (needed.server_dollars, needed.node_dollars, needed.disk_dollars) == (1_460, 11_680, 3_456)
    assert needed.dollars == 16_596


def test_processors_decide_where_little_is_kept() -> None:
    needed = sized(replace(ROUND, days_kept=1, node_cores=1), TURN)
    assert (needed.nodes_for_processors, needed.nodes_for_disks, needed.nodes, needed.shards) == (8, 1, 8, 64)


@pytest.mark.parametrize("users", [1, 1_000])
def test_a_small_installation_is_one_node_and_a_server_to_spare(users: int) -> None:
    needed = sized(replace(ROUND, daily_users=users), TURN)
    assert (needed.servers, needed.nodes) == (2, 1)


def test_the_page_says_what_the_measured_figures_say() -> None:
    """Written by `python -m benchmarks.sizing --docs docs/explanation`."""
    assert (DOCS / "explanation" / "capacity.md").read_text(encoding="utf-8") == page(Assumed(), Measured.read())
