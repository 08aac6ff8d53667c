"""Stores and reads turns through Gunita and through other libraries: `python -m benchmarks.peers_storage`.

The peers run from a virtual environment of their own (`make bench-peers` makes it), each library in its own process, in
alternating small batches. `--json` prints the figures, `--docs DIR` writes peers.md and peers.svg, `--quick` leaves out
the largest conversation. Everything runs on a disk, and once more on memory, where a flush costs nothing and only
the code is left. Nothing calls out: reporting is switched off, and the models are stubs.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks import report_peers
from benchmarks.peers_subjects import EVERYONE, PEERS
from benchmarks.report_peers import Measured
from benchmarks.timing import circumstances

ROOT = Path(__file__).parent.parent
SIZES = (10, 1_000, 10_000)
QUIET = {
    "MEM0_TELEMETRY": "False",
    "POSTHOG_DISABLED": "1",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "HF_HUB_OFFLINE": "1",
}


def main() -> None:
    options = arguments()
    where = circumstances([], **_versions(options.peers_python))
    measured: list[Measured] = []
    for place, folder in (("disk", options.folder), ("memory", options.memory)):
        for size in SIZES[:2] if options.quick else SIZES:
            if folder is None or folder.is_dir():
                measured += measure(place, folder, size, options)
    if options.json:
        print(json.dumps({"circumstances": where, "measured": [each.as_dict() for each in measured]}, indent=1))
    else:
        print(report_peers.tables(measured))
    if options.docs:
        report_peers.write(options.docs, where, measured)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--docs", type=Path, help="write peers.md and peers.svg into this folder")
    parser.add_argument("--quick", action="store_true", help="only 10 and 1,000 messages, fewer calls")
    parser.add_argument("--peers-python", type=Path, default=ROOT / ".venv-peers/bin/python")
    parser.add_argument("--folder", type=Path, help="where the files are made; a disk")
    parser.add_argument("--memory", type=Path, default=Path("/dev/shm"), help="a folder in memory")
    return parser.parse_args()


def measure(place: str, folder: Path | None, size: int, options: argparse.Namespace) -> list[Measured]:
    rounds, batch = (5, 8) if options.quick else (12, 12)
    order, names = random.Random(5), list(EVERYONE)
    taken: dict[tuple[str, str], list[int]] = {}
    with ExitStack() as running:
        workers = {name: running.enter_context(_worker(name, folder, size, options.peers_python)) for name in names}
        for number in range(rounds):
            order.shuffle(names)
            for name in names:
                for operation in ("append", "read"):
                    taken.setdefault((name, operation), []).extend(_ask(workers[name], operation, batch))
            _say(f"{place}, {size:,} messages: round {number + 1} of {rounds}")
    return [
        Measured(place, size, name, operation, statistics.median(each) / 1_000, _p99(each) / 1_000)
        for (name, operation), each in taken.items()
    ]


@contextmanager
def _worker(name: str, folder: Path | None, size: int, peers_python: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a library in its own process and folder, and wait until its conversation is filled."""
    _say(f"filling {size:,} messages with {name}")
    with tempfile.TemporaryDirectory(prefix="gunita-peers-", dir=folder) as own:
        python = peers_python if name in PEERS else sys.executable
        process = subprocess.Popen(
            [python, "-m", "benchmarks.peers_worker", name, own, str(size)],
            cwd=ROOT,
            env={**os.environ, **QUIET, "MEM0_DIR": own},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if name in PEERS else None,
            text=True,
        )
        try:
            _answer(process)
            yield process
        finally:
            process.kill()
            process.communicate()


def _ask(worker: subprocess.Popen[str], operation: str, times: int) -> list[int]:
    assert worker.stdin is not None
    worker.stdin.write(f"{operation} {times}\n")
    worker.stdin.flush()
    return _answer(worker)


def _answer(worker: subprocess.Popen[str]) -> list[int]:
    assert worker.stdout is not None
    line = worker.stdout.readline()
    if not line:
        raise RuntimeError(f"a worker ended; run it by hand to see why: {worker.args!r}")
    taken: list[int] = json.loads(line)
    return taken


def _p99(taken: list[int]) -> float:
    return sorted(taken)[min(len(taken) - 1, len(taken) * 99 // 100)]


def _versions(peers_python: Path) -> Mapping[str, str]:
    packages = [line.strip() for line in (ROOT / "benchmarks/peers-requirements.txt").read_text().splitlines() if line]
    asked = "import sys, importlib.metadata as m; print(*(m.version(n) for n in sys.argv[1:]))"
    names = [line.partition("==")[0] for line in packages]
    found = subprocess.run([peers_python, "-c", asked, *names], capture_output=True, text=True, check=True)
    return dict(zip(names, found.stdout.split(), strict=True))


def _say(progress: str) -> None:
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
