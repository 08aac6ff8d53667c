"""Packs the words of lexicon.txt as they are looked up: `python -m training.lexicon --out MODEL/lexicon.npz`.

Each line of lexicon.txt is a thing and the words that name it in English, Tagalog, Cebuano and Spanish, folded.
The lines were written for this project, from knowledge of the languages; no measuring case was looked at for them.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from gunita.language.lexicon import Lexicon, check_sum

LINES = Path(__file__).with_suffix(".txt")


def packed(lines: Iterable[str]) -> Lexicon:
    """Lines such as "squid, pusit, nukos", numbered as they come."""
    found: dict[int, list[int]] = defaultdict(list)
    for thing, line in enumerate(lines):
        for sum_ in dict.fromkeys(check_sum(word) for word in line.split(", ")):
            found[sum_].append(thing)
    words = sorted(found)
    starts = np.cumsum([0, *(len(found[word]) for word in words)])
    things = [thing for word in words for thing in found[word]]
    return Lexicon(np.array(words, np.uint32), starts.astype(np.uint32), np.array(things, np.uint16))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    lexicon = packed(LINES.read_text(encoding="utf-8").splitlines())
    np.savez_compressed(args.out, **lexicon.stored())  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
