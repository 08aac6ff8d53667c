"""What training leaves out: carrier phrasings, whole domains of the bank, and the texts that belong to them."""

from __future__ import annotations

from training.references.example import Example, stable_hash

HELD_OUT_DOMAINS_PER_MILLE = 300
"""Domains kept out of training, where topic scores and confidences are fitted; includes those of histories.py."""
PAIRS = "pairs-"
"""Begins the names of domains made of translated sentences, which have no conversation to hold out."""
BANK_FAMILY = "bank."
"""Begins the family of a text taken whole from the bank; its domain follows."""


def is_held_out_domain(name: str) -> bool:
    return not name.startswith(PAIRS) and stable_hash(f"domain:{name}") % 1000 < HELD_OUT_DOMAINS_PER_MILLE


def is_unseen(example: Example) -> bool:
    """Whether training leaves the example out, for its phrasing, its text or its topic."""
    if example.family.startswith(BANK_FAMILY):
        return is_held_out_domain(example.family.removeprefix(BANK_FAMILY))
    if example.topic_turn is not None and is_held_out_domain(example.topic_turn.split("/")[0]):
        return True
    return example.is_validation
