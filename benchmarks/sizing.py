"""How large an installation has to be: `python -m benchmarks.sizing --daily-users 1000000 --turns-a-day 5`.

Multiplication, no measuring: what is assumed can be said on the command line, what was measured comes from
capacity.json (by `benchmarks.capacity`) and from docs/benchmarks/turn.md. `--docs docs/explanation` writes the page.
"""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass, fields
from pathlib import Path

DAY, MONTH_HOURS = 86_400, 730
GB = 10**9


@dataclass(frozen=True)
class Assumed:
    """What nobody can measure beforehand. Each is an option of the command."""

    daily_users: float = 10_000_000
    turns_a_day: float = 10
    """Turns of each of them in a day."""
    days_kept: float = 30
    peak: float = 3
    """The busiest second of a day, compared with the mean."""
    bloat: float = 1.3
    """What deleted rows leave behind until their space is used again."""
    full_pages: float = 2
    """How much more log there is on a server that makes checkpoints, which write whole pages."""
    server_cores: float = 8
    server_load: float = 0.6
    """The share of their processors that servers use at the peak."""
    node_cores: float = 16
    node_load: float = 0.5
    node_memory_gb: float = 128
    node_disk_gb: float = 4_000
    node_disk_load: float = 0.7
    pool: float = 8
    """Connections of each process of a server: GUNITA_POSTGRES_POOL_SIZE."""
    connections_a_core: float = 4
    """Connections that PgBouncer opens to a node."""
    server_price: float = 0.30
    """Dollars an hour; as the two below, a round figure near what large clouds list without any discount."""
    node_price: float = 0.90
    gb_price: float = 0.10
    """Dollars a month for a gigabyte of disk."""


@dataclass(frozen=True)
class Measured:
    """What one turn costs."""

    rows: float
    bytes: float
    wal: float
    transactions: float
    statements: float
    processor_ms: float
    """Of the database."""
    service_ms: float = 14.18
    """Processors of the service as it is served: the answer over HTTP, the decision, indexing, learning."""

    @classmethod
    def read(cls) -> Measured:
        return cls(**json.loads(Path(__file__).with_name("capacity.json").read_text(encoding="utf-8")))


@dataclass(frozen=True)
class Needed:
    turns_a_day: float
    mean: float
    peak: float
    turns_kept: float
    rows: float
    gigabytes: float
    wal_gb_a_day: float
    wal_mb_at_peak: float
    transactions: float
    statements: float
    service_cores: float
    servers: int
    database_cores: float
    nodes_for_processors: int
    nodes_for_disks: int
    nodes: int
    day_gb_a_node: float
    shards: int
    names: int
    clients: int
    connections_a_node: int
    server_dollars: float
    node_dollars: float
    disk_dollars: float

    @property
    def dollars(self) -> float:
        return self.server_dollars + self.node_dollars + self.disk_dollars


def sized(given: Assumed, turn: Measured) -> Needed:
    turns_a_day = given.daily_users * given.turns_a_day
    mean = turns_a_day / DAY
    peak = mean * given.peak
    kept = turns_a_day * given.days_kept
    gigabytes = kept * turn.bytes * given.bloat / GB
    wal = turn.wal * given.full_pages

    service_cores = peak * turn.service_ms / 1_000
    # One more than needed, so that one can be away.
    servers = math.ceil(service_cores / given.server_load / given.server_cores) + 1
    database_cores = peak * turn.processor_ms / 1_000
    for_processors = math.ceil(database_cores / given.node_load / given.node_cores)
    for_disks = math.ceil(gigabytes / given.node_disk_load / given.node_disk_gb)
    nodes = max(for_processors, for_disks)
    # Room to double the nodes three times without cutting a shard; a hash spreads names evenly when there are many.
    shards = 2 ** math.ceil(math.log2(nodes * 8))

    return Needed(
        turns_a_day=turns_a_day,
        mean=mean,
        peak=peak,
        turns_kept=kept,
        rows=kept * turn.rows,
        gigabytes=gigabytes,
        wal_gb_a_day=turns_a_day * wal / GB,
        wal_mb_at_peak=peak * wal / 10**6,
        transactions=peak * turn.transactions,
        statements=peak * turn.statements,
        service_cores=service_cores,
        servers=servers,
        database_cores=database_cores,
        nodes_for_processors=for_processors,
        nodes_for_disks=for_disks,
        nodes=nodes,
        day_gb_a_node=turns_a_day * turn.bytes / GB / nodes,
        shards=shards,
        names=shards * 16,
        clients=round(servers * given.server_cores * given.pool),
        connections_a_node=round(given.node_cores * given.connections_a_core),
        server_dollars=servers * given.server_price * MONTH_HOURS,
        # Each node has a replica beside it, with a disk of its own.
        node_dollars=2 * nodes * given.node_price * MONTH_HOURS,
        disk_dollars=2 * gigabytes / given.node_disk_load * given.gb_price,
    )


def table(given: Assumed, turn: Measured) -> list[str]:
    """Say everything with how it came about."""
    n = sized(given, turn)
    lines = [
        ("turns a day", f"{n.turns_a_day:,.0f}", "users × turns of each"),
        ("turns a second, mean", f"{n.mean:,.0f}", "over 24 hours"),
        ("turns a second, peak", f"{n.peak:,.0f}", f"{given.peak:g} × the mean"),
        ("turns kept", f"{n.turns_kept:,.0f}", f"{given.days_kept:g} days"),
        ("rows", f"{n.rows:,.0f}", f"{turn.rows:.1f} a turn"),
        ("disk of one copy", f"{n.gigabytes:,.0f} GB", f"{turn.bytes:,.0f} bytes a turn × {given.bloat:g}"),
        ("write-ahead log a day", f"{n.wal_gb_a_day:,.0f} GB", f"{turn.wal:,.0f} bytes a turn × {given.full_pages:g}"),
        ("write-ahead log at the peak", f"{n.wal_mb_at_peak:,.0f} MB/s", "over all nodes"),
        ("transactions a second, peak", f"{n.transactions:,.0f}", f"{turn.transactions:.1f} a turn"),
        ("statements a second, peak", f"{n.statements:,.0f}", f"{turn.statements:.1f} a turn"),
        ("processors of the service, peak", f"{n.service_cores:,.0f}", f"{turn.service_ms:g} ms a turn"),
        (
            "**servers**",
            f"**{n.servers}**",
            f"of {given.server_cores:g} cores, at {given.server_load:.0%}; one of them to spare",
        ),
        ("processors of the database, peak", f"{n.database_cores:,.0f}", f"{turn.processor_ms:.1f} ms a turn"),
        (
            "nodes for the processors",
            f"{n.nodes_for_processors}",
            f"of {given.node_cores:g} cores, at {given.node_load:.0%}",
        ),
        (
            "nodes for the disks",
            f"{n.nodes_for_disks}",
            f"of {given.node_disk_gb:,.0f} GB, filled to {given.node_disk_load:.0%}",
        ),
        ("**database nodes**", f"**{n.nodes}**", "whichever is more; each with a replica beside it"),
        (
            "a day's turns on a node",
            f"{n.day_gb_a_node:,.0f} GB",
            f"what is read and written most; memory is {given.node_memory_gb:g} GB",
        ),
        ("shards", f"{n.shards}", "a power of two, 8 a node or more"),
        ("names of a tenant that is cut", f"{n.names:,}", "16 a shard"),
        ("connections to PgBouncer", f"{n.clients:,}", f"{given.pool:g} for each core of the servers"),
        ("connections to a node", f"{n.connections_a_node}", f"{given.connections_a_core:g} a core"),
        ("servers a month", f"${n.server_dollars:,.0f}", f"${given.server_price:.2f} an hour"),
        ("nodes a month, with replicas", f"${n.node_dollars:,.0f}", f"${given.node_price:.2f} an hour"),
        ("disks a month, with replicas", f"${n.disk_dollars:,.0f}", f"${given.gb_price:.2f} a GB"),
        (
            "**together a month**",
            f"**${n.dollars:,.0f}**",
            f"${1_000 * n.dollars / given.daily_users:,.2f} for 1,000 daily users",
        ),
    ]
    return ["| what | how much | because |", "| --- | ---: | --- |", *(f"| {' | '.join(line)} |" for line in lines)]


def page(given: Assumed, turn: Measured) -> str:
    inputs = [f"| `--{one.name.replace('_', '-')}` | {getattr(given, one.name):,g} |" for one in fields(Assumed)]
    text = (Path(__file__).parent / "data" / "sizing.md").read_text(encoding="utf-8")
    return text.replace("<!-- inputs -->", "\n".join(["| option | value |", "| --- | ---: |", *inputs])).replace(
        "<!-- needed -->", "\n".join(table(given, turn))
    )


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for one in fields(Assumed):
        asked.add_argument(f"--{one.name.replace('_', '-')}", type=float, default=one.default)
    asked.add_argument("--docs", type=Path)
    given = vars(asked.parse_args())
    docs: Path | None = given.pop("docs")
    assumed = Assumed(**given)
    print("\n".join(table(assumed, Measured.read())))
    if docs:
        (docs / "capacity.md").write_text(page(assumed, Measured.read()), encoding="utf-8")


if __name__ == "__main__":
    main()
