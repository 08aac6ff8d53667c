"""Finding, forgetting and bad times through Gunita and other libraries: `python -m benchmarks.peers_memory RECALL`.

RECALL is a folder with haystacks and questions (NAME.haystacks.jsonl, NAME.questions.jsonl). Each library runs from its
own environment in its own process, is given the same vectors, and writes to local files. `--docs FOLDER` writes
peers-memory.md, `--haystacks N` takes only the first few.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import report_peers_memory
from benchmarks.peers_finders import FINDERS, OfGunita
from benchmarks.peers_memory_worker import MARK
from benchmarks.peers_storage import QUIET, ROOT
from benchmarks.recall import lines
from benchmarks.timing import circumstances
from gunita.language.encoder import Encoder

STARTS = 5
_SIZE = """
import importlib.metadata as m, json, re, sys
from packaging.requirements import Requirement
seen, bytes_, todo = set(), 0, [sys.argv[1]]
while todo:
    name = re.sub(r"[-_.]+", "-", todo.pop()).lower()
    if name in seen:
        continue
    seen.add(name)
    try:
        found = m.distribution(name)
    except m.PackageNotFoundError:
        continue
    bytes_ += sum(f.size or 0 for f in found.files or ())
    for text in found.requires or ():
        wanted = Requirement(text)
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            todo.append(wanted.name)
print(json.dumps({"packages": len(seen), "megabytes": bytes_ / 1e6, "version": m.version(sys.argv[1])}))
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recall", type=Path)
    parser.add_argument("--docs", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--haystacks", type=int)
    parser.add_argument("--only", choices=tuple(FINDERS), nargs="+", default=tuple(FINDERS))
    parser.add_argument("--peers-python", type=Path, default=ROOT / ".venv-peers/bin/python")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        work = prepared(chosen.recall, chosen.haystacks)
        file = Path(place) / "work"
        file.write_bytes(pickle.dumps(work))
        found = {name: put_to_the_test(name, file, work, chosen.peers_python) for name in chosen.only}
    about = circumstances(["onnxruntime"])
    if chosen.json:
        print(json.dumps({"circumstances": about, "found": found}, indent=1))
    print(report_peers_memory.table(found))
    if chosen.docs:
        report_peers_memory.write(chosen.docs, about, found, work["encode_ms"])
    return 0


def prepared(folder: Path, most: int | None) -> dict[str, Any]:
    """Read the sets and make every vector once."""
    haystacks = [one for path in sorted(folder.glob("*.haystacks.jsonl")) for one in lines(path)][:most]
    names = {one["haystack"] for one in haystacks}
    asked = [
        one for path in sorted(folder.glob("*.questions.jsonl")) for one in lines(path) if one["haystack"] in names
    ]
    said = {
        one["haystack"]: [
            (message["id"], message["role"], message["text"])
            for session in one["sessions"]
            for message in session["messages"]
        ]
        for one in haystacks
    }
    marked = f"The {MARK} is where the key lies."
    stayed = "This is said while the file is held by somebody else."
    texts = {text for each in said.values() for _, _, text in each}
    texts |= {question["question"] for question in asked} | {marked, stayed}
    encoder, vectors, taken = Encoder.load(), {}, []
    for number, text in enumerate(sorted(texts)):
        began = time.perf_counter()
        vectors[text] = encoder.encode([text])[0].tolist()
        taken.append(time.perf_counter() - began)
        if number % 500 == 0:
            print(f"reading texts: {number:,} of {len(texts):,}", file=sys.stderr, flush=True)
    return {
        "haystacks": said,
        "questions": asked,
        "vectors": vectors,
        "marked": marked,
        "stayed": stayed,
        "encode_ms": 1e3 * statistics.median(taken),
    }


def put_to_the_test(name: str, work_file: Path, work: Mapping[str, Any], peers_python: Path) -> dict[str, Any]:
    """Run a library on the work, and measure what it takes to have it."""
    print(FINDERS[name].title, file=sys.stderr, flush=True)
    python = Path(sys.executable) if FINDERS[name] is OfGunita else peers_python
    with tempfile.TemporaryDirectory(prefix="gunita-peers-") as own:
        ran = subprocess.run(
            [python, "-m", "benchmarks.peers_memory_worker", name, own, work_file],
            cwd=ROOT,
            env={**os.environ, **QUIET, "MEM0_DIR": own, "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    if ran.returncode:
        raise RuntimeError(f"{name} failed:\n{ran.stderr[-3_000:]}")
    found: dict[str, Any] = json.loads(ran.stdout)
    found["recall"] = None if found["rankings"] is None else scored(work["questions"], found.pop("rankings"))
    size = subprocess.run([python, "-c", _SIZE, FINDERS[name].package], capture_output=True, text=True, check=True)
    return {**found, **json.loads(size.stdout), "import_ms": import_ms(python, FINDERS[name].module)}


def import_ms(python: Path, module: str) -> float:
    timed = f"import time; began = time.perf_counter(); import {module}; print(1e3 * (time.perf_counter() - began))"
    starts = [
        subprocess.run([python, "-c", timed], capture_output=True, text=True, check=True, env={**os.environ, **QUIET})
        for _ in range(STARTS)
    ]
    return statistics.median(float(start.stdout.split()[-1]) for start in starts)


def scored(questions: Sequence[Mapping[str, Any]], rankings: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Figure recall as the data's own scorer does, over the questions that have an answer."""
    asked = [question for question in questions if question["type"] != "adversarial"]

    def mean(score: Callable[[set[str], Sequence[str]], float]) -> float:
        return sum(score(set(one["gold"]), rankings.get(one["id"], [])) for one in asked) / len(asked)

    return {
        "R@5": mean(lambda gold, ranked: len(gold & set(ranked[:5])) / len(gold)),
        "R@10": mean(lambda gold, ranked: len(gold & set(ranked[:10])) / len(gold)),
        "all@10": mean(lambda gold, ranked: gold <= set(ranked[:10])),
    }


if __name__ == "__main__":
    sys.exit(main())
