"""Grows the base vocabulary by the word pieces Filipino text needs, and gives each new piece a first meaning."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

Floats = npt.NDArray[np.float32]
UNUSED = re.compile(r"\[unused\d+\]")
LETTERS = re.compile(r"[^\W\d_]+")
AFFIXES = (
    *("nag", "mag", "pag", "nakaka", "makaka", "naka", "maka", "ipinag", "ipag", "pinag", "pina", "ipina", "nagpa"),
    *("magpa", "pagpa", "nang", "mang", "pang", "nagsi", "magsi", "nagka", "magka", "pagka", "kina", "ika", "pinaka"),
    *("ma", "na", "pa", "ka", "in", "um", "i", "taga", "tag", "##han", "##hin", "##an", "##in", "##ng", "##ang"),
    *("##ing", "##ong", "##um", "##sya", "##syon", "##hang", "##hing", "##nan", "##nin", "gi", "mo", "mi"),
    *("gipang", "nakig", "##on", "##hon", "##nga", "##ción", "##mente", "##ando", "##iendo"),
)


def grow_vocabulary(base: Sequence[str], texts: Iterable[str], most: int, least_seen: int = 3) -> list[str]:
    """Lists the kept base pieces, then the new ones: affixes, and the words the base breaks apart most often."""
    kept = [piece for piece in base if not UNUSED.fullmatch(piece)]
    known = set(kept)
    seen = Counter(_plain(word) for text in texts for word in LETTERS.findall(text))
    wanted = [piece for piece in dict.fromkeys(AFFIXES) if piece not in known]
    wanted += [
        word for word, count in seen.most_common() if count >= least_seen and word not in known and len(word) > 1
    ]
    return kept + list(dict.fromkeys(wanted))[:most]


def make_tokenizer(vocabulary: Sequence[str], base: Path, without: frozenset[str] = frozenset()) -> Tokenizer:
    """Makes the tokenizer of a vocabulary, where wanted without some pieces, so that their parts are met too."""
    shape = json.loads(base.read_text(encoding="utf-8"))
    numbers = {piece: i for i, piece in enumerate(vocabulary) if piece not in without}
    shape["model"]["vocab"] = numbers
    shape["truncation"] = shape["padding"] = None
    for special in shape["added_tokens"]:
        special["id"] = numbers[special["content"]]
    for piece in shape["post_processor"]["special_tokens"].values():
        piece["ids"] = [numbers[token] for token in piece["tokens"]]
    return Tokenizer.from_str(json.dumps(shape))


def first_rows(
    vocabulary: Sequence[str], base: Sequence[str], base_rows: Floats, base_tokenizer: Tokenizer,
    meanings: Mapping[str, Sequence[tuple[str, float]]],
) -> Floats:  # fmt: skip
    """Makes the first row of each piece: its old row, or the mean of its old parts and of its English meanings."""
    place = {piece: i for i, piece in enumerate(base)}
    rows = np.empty((len(vocabulary), base_rows.shape[1]), dtype=np.float32)
    for i, piece in enumerate(vocabulary):
        if piece in place:
            rows[i] = base_rows[place[piece]]
        else:
            rows[i] = _mixed_row(piece, base_rows, base_tokenizer, meanings)
    return rows


def _mixed_row(
    piece: str, rows: Floats, tokenizer: Tokenizer, meanings: Mapping[str, Sequence[tuple[str, float]]]
) -> Floats:
    parts = _mean_row(piece.removeprefix("##"), rows, tokenizer)
    english = [(word, weight) for word, weight in meanings.get(piece, ()) if weight > 0.15]
    if not english:
        return parts
    total = sum(weight for _, weight in english)
    meaning = sum((_mean_row(word, rows, tokenizer) * (weight / total) for word, weight in english), 0 * parts)
    return np.asarray(0.3 * parts + 0.7 * meaning, dtype=np.float32)


def _mean_row(text: str, rows: Floats, tokenizer: Tokenizer) -> Floats:
    return np.asarray(rows[tokenizer.encode(text, add_special_tokens=False).ids].mean(0), dtype=np.float32)


def _plain(word: str) -> str:
    split = unicodedata.normalize("NFD", word.lower())
    return "".join(c for c in split if not unicodedata.combining(c))
