"""Whether a question in one language finds what was said in another: each sentence of a pair must find its twin.

The file has English and Filipino beside each other, with a tab between and a heading line; take pairs that the encoder
was not taught with, such as those that `training.encoder.prepare` holds out.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from uuid import UUID

from gunita import Gunita

RANKED = 10


def print_pairs(path: Path) -> None:
    rows = [line.split("\t")[:2] for line in path.read_text(encoding="utf-8").splitlines()[1:] if "\t" in line]
    english, filipino = [row[0] for row in rows], [row[1] for row in rows]
    mixed = [_half_and_half(*row) for row in rows]
    for name, said, asked in (
        ("Filipino finds English", english, filipino),
        ("Taglish finds English", english, mixed),
        ("English finds Filipino", filipino, english),
        ("Taglish finds Filipino", filipino, mixed),
    ):
        first, ten = _found(said, asked)
        print(f"{name:26}{len(rows)} sentences  first {first:.3f}  among ten {ten:.3f}", flush=True)


def _found(said: Sequence[str], asked: Sequence[str]) -> tuple[float, float]:
    """Keep sentences as messages, each in a conversation of its own, and ask for every one."""
    with tempfile.TemporaryDirectory() as folder, Gunita.open(Path(folder) / "pairs.db") as gunita:
        user = gunita.scoped("pairs", "reader")
        kept = [_keep(user, sentence) for sentence in said]
        while user.search.index_pending():
            pass
        places = [
            _place(kept[number], (hit.found.id for hit in user.search.search(question, limit=RANKED)))
            for number, question in enumerate(asked)
        ]
    return sum(place == 0 for place in places) / len(places), sum(place is not None for place in places) / len(places)


def _keep(user: Gunita, sentence: str) -> UUID:
    conversation = user.conversations.create_conversation()
    return user.conversations.add_message(conversation.id, "user", sentence).id


def _place(wanted: UUID, found: Iterable[UUID]) -> int | None:
    return next((place for place, message_id in enumerate(found) if message_id == wanted), None)


def _half_and_half(english: str, filipino: str) -> str:
    """Begin in one language and end in the other, as people do."""
    begun, ended = english.split(), filipino.split()
    return " ".join(begun[: max(1, len(begun) // 2)] + ended[len(ended) // 2 :])
