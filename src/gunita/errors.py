"""What can go wrong, as one tree; each message says what happened and what to do.

GunitaError
├── ValidationError            the input is refused, nothing is stored; names the field
│   └── InvalidRoleError       a role other than user or assistant
├── OutOfScopeError            the scope does not reach the user that was named
├── NotFoundError              no such record in this scope
├── ConflictError              the database holds something that contradicts the write
│   └── RepeatedRequestError   the request's id is in use: it is being answered, or was another query's
├── SchemaError
│   ├── SchemaTooNewError      the database was made by a newer Gunita
│   ├── SchemaTooOldError      migrations are pending and were not asked for
│   └── SchemaChangedError     a migration that was already applied has been edited
├── MissingExtraError          an optional package is needed and not installed
├── TransferError              a database cannot be moved as asked; nothing is lost, and it goes on when that is mended
├── ModelError                 the language model did not answer
└── StorageError               the database could not do it
    ├── AccessRefusedError         its row-level security or its grants forbid it
    └── StorageUnavailableError    it may work later
        └── StorageBusyError       somebody else holds the lock
"""

from __future__ import annotations


class GunitaError(Exception):
    """Every error that Gunita raises on purpose."""


class ValidationError(GunitaError):
    """Input that is refused before it reaches the database."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class InvalidRoleError(ValidationError):
    def __init__(self, role: object) -> None:
        super().__init__("role", f"{role!r} is not a role; use 'user' or 'assistant'")


class OutOfScopeError(GunitaError):
    def __init__(self, wanted: str, allowed: str) -> None:
        super().__init__(
            f"this scope belongs to {allowed} and does not reach {wanted}; "
            "use a scope of theirs, or the tenant's service scope"
        )


class NotFoundError(GunitaError):
    def __init__(self, what: str, identifier: object) -> None:
        super().__init__(
            f"no {what} {identifier} here; it may have been deleted, have expired, or belong to somebody else"
        )
        self.what = what
        self.identifier = identifier


class ConflictError(GunitaError):
    """The database refused a write that contradicts what it holds."""


class RepeatedRequestError(ConflictError):
    """A request came under an id that is taken; the message may be told to whoever sent it."""


class SchemaError(GunitaError):
    """The tables are not the ones this code was written for."""


class SchemaTooNewError(SchemaError):
    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"the database has schema {found}, this version of Gunita knows up to {known}; upgrade Gunita to open it"
        )


class SchemaTooOldError(SchemaError):
    def __init__(self, found: int, needed: int) -> None:
        super().__init__(
            f"the database has schema {found}, this version of Gunita needs {needed}; "
            "run `gunita migrate` as the tables' owner, or open it with migrate=True"
        )


class SchemaChangedError(SchemaError):
    def __init__(self, version: int, name: str) -> None:
        super().__init__(
            f"migration {version:04d} ({name}) differs from the one that was applied to this database; "
            "migrations are never edited: restore the file and add a new one"
        )


class MissingExtraError(GunitaError):
    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional package; install it with: pip install 'gunita[{extra}]'")


class TransferError(GunitaError):
    """A whole database cannot be moved to another; the message says what stands in the way."""


class ModelError(GunitaError):
    """The language model did not answer; the message says what to check."""


class StorageError(GunitaError):
    """The database could not do what was asked."""


class AccessRefusedError(StorageError):
    """Row-level security or missing grants forbid what was asked."""


class StorageUnavailableError(StorageError):
    """The database does not answer now; the same call may work later."""

    def __init__(self, message: str, *, maybe_done: bool = False, retry_after: float = 5.0) -> None:
        super().__init__(message)
        self.maybe_done = maybe_done
        """The answer was lost on its way: what was asked may have been done all the same."""
        self.retry_after = retry_after


class StorageBusyError(StorageUnavailableError):
    """Another writer held the database for longer than the busy timeout."""
