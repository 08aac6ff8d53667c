"""What training leaves out: carrier phrasings, and one fold of the bank's domains with the texts that belong to them.

A run for each fold shows how a way of training does on domains it never saw. The network that is shipped learns from
all of them; scores and confidences are fitted on what it reads of the domains of training.references.bank.APART.
"""

from __future__ import annotations

from training.references.example import Example, stable_hash

FOLDS = 4
PAIRS = "pairs-"
"""Begins the names of domains made of translated sentences, which have no conversation to hold out."""
BANK_FAMILY = "bank."
"""Begins the family of a text taken whole from the bank; its domain follows."""


def fold_of(domain: str) -> int | None:
    return None if domain.startswith(PAIRS) else stable_hash(f"fold:{domain}") % FOLDS


def is_unseen(example: Example, fold: int) -> bool:
    """Whether the run of a fold leaves the example out, for its phrasing, its text or its topic."""
    if example.family.startswith(BANK_FAMILY):
        return fold_of(example.family.removeprefix(BANK_FAMILY)) == fold
    if example.topic_turn is not None and fold_of(example.topic_turn.split("/")[0]) == fold:
        return True
    return example.is_validation
