"""A process of its own that moves a database and says how far it has come, so that it can be killed in the middle.

Run as: python -m tests.transfer_process SOURCE TARGET BATCH
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from gunita.services.transfer import between
from gunita.settings import Settings

_ROOT = Path(__file__).parent.parent


def started(source: Path, target: str, batch: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.transfer_process", str(source), target, str(batch)],
        stdout=subprocess.PIPE,
        cwd=_ROOT,
        text=True,
    )


def main(source: str, target: str, batch: int) -> None:
    def tell(done: int, total: int) -> None:
        sys.stdout.write(f"{done} {total}\n")
        sys.stdout.flush()

    sides = [Settings(database_url=address) for address in (source, target)]
    with between(*sides, batch=batch, tell=tell) as transfer:
        tell(0, 0)
        transfer.run(follow=False)
        tell(-1, -1)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
