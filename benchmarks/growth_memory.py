"""What a process holds after it has done everything at one place: `python -m benchmarks.growth_memory URL USER ID`.

In a process of its own, so that filling the database before does not count.
"""

from __future__ import annotations

import os
import sys
from uuid import UUID

from benchmarks.growth import Place, operations
from benchmarks.load_servers import resident
from gunita import Gunita

TIMES = 20


def main() -> None:
    url, user, conversation = sys.argv[1:]
    with Gunita.open(url, background=False) as g:
        for act in operations(g, Place(0, user, UUID(conversation))).values():
            for _ in range(TIMES):
                act()
        print(resident(os.getpid()) / 1e6)


if __name__ == "__main__":
    main()
