"""Spreads the tables over the nodes of a Citus cluster: by tenant, side by side, so that a call meets one shard."""

from __future__ import annotations

from functools import cache
from graphlib import TopologicalSorter
from importlib.resources import files

import psycopg
from psycopg import sql

from gunita.errors import SchemaError
from gunita.store import queries
from gunita.store.postgres import ROLE, explain

COLUMN = "tenant_id"
ON_EVERY_NODE = frozenset({"api_keys"})
"""Looked up by a hash before a tenant is known, and unique by it: small, and whole on every node."""
NO_CITUS = (
    "this database has no Citus: install the extension on every node, run CREATE EXTENSION citus and add the nodes, "
    "then try again"
)

_TABLES = """
SELECT relname, array(
    SELECT DISTINCT parents.relname FROM pg_constraint JOIN pg_class AS parents ON parents.oid = confrelid
    WHERE conrelid = tables.oid AND contype = 'f'
)
FROM pg_class AS tables
WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
  AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = tables.oid AND attname = 'tenant_id')
"""
_SPREAD = """
SELECT relname FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
WHERE relnamespace = current_schema()::regnamespace
"""
_POLICIES = "SELECT policyname FROM pg_policies WHERE schemaname = current_schema() AND tablename = %s"
_FUNCTIONS = ("beside", "queue_messages", "forget_queued_messages", "tenants_to_clean")
_SAME_PATH = ("gunita_beside(text, regclass)", "gunita_queue_messages()", "gunita_forget_queued_messages()")


def distribute(url: str, schema: str) -> list[str]:
    """Spread every table that is not spread yet, and tell which."""
    try:
        with psycopg.connect(url, autocommit=True, prepare_threshold=None) as connection:
            connection.execute("SELECT set_config('search_path', %s, false)", (schema,))
            if connection.execute("SELECT FROM pg_extension WHERE extname = 'citus'").fetchone() is None:
                raise SchemaError(NO_CITUS)
            order = in_order({name: set(above) for name, above in connection.execute(_TABLES)})
            done = {name for (name,) in connection.execute(_SPREAD)}
            waiting = [name for name in order if name not in done]
            if waiting:
                _prepare(connection, schema)
            for name in waiting:
                _spread(connection, name, beside="none" if name == order[0] else order[0])
            return waiting
    except psycopg.Error as error:
        explain(error)


def in_order(parents: dict[str, set[str]]) -> list[str]:
    """Put conversations first, which the others are laid beside, and every table behind those that it refers to."""
    order = list(TopologicalSorter({name: sorted(parents[name]) for name in sorted(parents)}).static_order())
    return sorted(order, key=lambda name: name != "conversations")


@cache
def statements() -> dict[str, str]:
    text = files("gunita.store").joinpath("sql", "citus.sql").read_text(encoding="utf-8")
    return {query.name: query.steps[0] for query in queries.parse(text)}


def _prepare(connection: psycopg.Connection, schema: str) -> None:
    """Put functions in place that Citus can run, and let the role of the service reach the nodes."""
    with connection.transaction():
        for name in _FUNCTIONS:
            connection.execute(statements()[name].encode())
        for function in _SAME_PATH:
            connection.execute(f"ALTER FUNCTION {function} SET search_path = {schema}, pg_catalog".encode())
        # Citus speaks to its nodes in the name of whoever asks.
        connection.execute(sql.SQL("ALTER ROLE {} LOGIN").format(sql.Identifier(ROLE)))
    # Ours keep to the shards that lie beside each other, which is what Citus cannot see by itself.
    connection.execute("SET citus.enable_unsafe_triggers = on")


def _spread(connection: psycopg.Connection, name: str, beside: str) -> None:
    """Spread one table; row-level security, which Citus cannot carry to its nodes, goes, and so do those it let in."""
    table = sql.Identifier(name)
    with connection.transaction():
        for (policy,) in connection.execute(_POLICIES, (name,)).fetchall():
            connection.execute(sql.SQL("DROP POLICY {} ON {}").format(sql.Identifier(policy), table))
        connection.execute(sql.SQL("ALTER TABLE {} DISABLE ROW LEVEL SECURITY").format(table))
        connection.execute(sql.SQL("REVOKE ALL ON {}, conversation_turns FROM gunita_client").format(table))
        if name in ON_EVERY_NODE:
            connection.execute("SELECT create_reference_table(%s)", (name,))
        else:
            connection.execute("SELECT create_distributed_table(%s, %s, colocate_with => %s)", (name, COLUMN, beside))
