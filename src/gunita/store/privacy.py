"""Files that hold what people said are for the one who runs Gunita, whatever this machine's custom is."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

OWNER_ONLY = 0o600


def made_private(path: Path) -> None:
    """Make an empty file that nobody else may read; one that is there stays as its owner has it."""
    # Where none can be made, whoever opens it next says why.
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
