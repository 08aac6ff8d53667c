"""Chooses the engine by the database's address, migrates it, opens it."""

from __future__ import annotations

from gunita.errors import MissingExtraError, ValidationError
from gunita.settings import Settings
from gunita.store import address, migrate_sqlite
from gunita.store.database import Database
from gunita.store.metered import Meter, MeteredDatabase
from gunita.store.privacy import made_private
from gunita.store.sqlite import SqliteDatabase


def open_database(settings: Settings) -> Database:
    opened = _open_postgres(settings) if settings.is_postgres else _open_sqlite(settings)
    return MeteredDatabase(opened, Meter()) if settings.metered else opened


def upgrade_database(settings: Settings) -> list[int]:
    """Bring a database to the newest schema and tell which versions were applied now."""
    if not settings.is_postgres:
        database = _sqlite(settings)
        try:
            return migrate_sqlite.upgrade(database)
        finally:
            database.close()
    try:
        from gunita.store import migrate_postgres
    except ImportError as missing:
        raise MissingExtraError("PostgreSQL", "postgres") from missing
    return migrate_postgres.upgrade(address.readable(settings.database_url), settings.postgres_schema)


def distribute_database(settings: Settings) -> list[str]:
    """Spread the tables over a Citus cluster and tell which were spread now."""
    if not settings.is_postgres:
        raise ValidationError("--distribute", "is for PostgreSQL with Citus; this is a SQLite file")
    from gunita.store import distributing

    return distributing.distribute(address.readable(settings.database_url), settings.postgres_schema)


def _sqlite(settings: Settings) -> SqliteDatabase:
    if settings.sqlite_path is not None:
        made_private(settings.sqlite_path)
    return SqliteDatabase(
        settings.sqlite_path, durability=settings.sqlite_durability, busy_seconds=settings.sqlite_busy_seconds
    )


def _open_sqlite(settings: Settings) -> SqliteDatabase:
    database = _sqlite(settings)
    try:
        migrate_sqlite.upgrade(database, apply=settings.migrate)
    except BaseException:
        database.close()
        raise
    return database


def _open_postgres(settings: Settings) -> Database:
    try:
        from gunita.store import migrate_postgres
        from gunita.store.postgres import PostgresDatabase
        from gunita.store.replica import Replica, ReplicatedDatabase
    except ImportError as missing:
        raise MissingExtraError("PostgreSQL", "postgres") from missing
    replica_url = settings.replica_url and address.readable(settings.replica_url)
    migrate_postgres.upgrade(address.readable(settings.database_url), settings.postgres_schema, apply=settings.migrate)

    def opened(url: str, wait_seconds: float) -> PostgresDatabase:
        return PostgresDatabase(
            url,
            pooling=settings.postgres_pooling,
            schema=settings.postgres_schema,
            pool_size=settings.postgres_pool_size,
            wait_seconds=wait_seconds,
        )

    primary = opened(settings.database_url, settings.postgres_wait_seconds)
    # Nodes of a cluster have a log each; how far all of them are is not told by one place in one of them.
    if not replica_url or primary.is_distributed:
        return primary
    wait_seconds = settings.replica_wait_seconds
    return ReplicatedDatabase(primary, Replica(lambda: opened(replica_url, wait_seconds), wait_seconds))
