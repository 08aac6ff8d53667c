"""Mixes what the reader trains on: composed queries, plain mentions, translated topics, and queries written by hand.

`python -m training.references.mixture --data SHARED_DATA --count N --out DIR` writes examples.jsonl.gz and
turns.json.gz, all that training reads.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from training.references import written
from training.references.bank import Domain, load_bank
from training.references.dataset import write_examples, write_turns
from training.references.example import Example, Kind, Lang
from training.references.grammar.compose import TopicShelf
from training.references.grammar.generate import GRAMMARS, Material, bank_material, examples
from training.references.grammar.real import conversation_turns, parallel_sentences, trainable_questions
from training.references.grammar.speaker import Speaker
from training.references.parallel import parallel_domains
from training.references.plain.speaker import plain_examples

ACROSS_LANGUAGES_SHARE = 0.12
PLAIN_SHARE = 0.6
"""Plain mentions, for each example the grammars compose."""
WRITTEN_COPIES = 24
"""How often each query that was written by hand is shown, in ever other spellings."""
PAIR_SPEAKERS: Sequence[Lang] = ("en", "tl", "taglish", "taglish")
PAIR_KINDS: Sequence[Kind] = ("topic", "topic", "topic", "relative")


def material(bank: Sequence[Domain], data: Path) -> Material:
    """The bank's phrases and texts, and every real utterance that may be trained on."""
    own = bank_material(bank)
    questions = data / "questions" / "fresh.jsonl"
    real = chain(
        trainable_questions(questions),
        parallel_sentences(data / "parallel", questions),
        conversation_turns(data / "conversations"),
    )
    return Material(own.phrases, [*own.utterances, *real])


def across_languages(pairs: Sequence[Domain], count: int, seed: int) -> Iterator[Example]:
    """References to topics that are a few words of a translated sentence."""
    rng = random.Random(seed)
    shelf = TopicShelf(bank_material(pairs).phrases)
    speakers = {lang: Speaker(GRAMMARS[lang], shelf, rng) for lang in set(PAIR_SPEAKERS)}
    for _ in range(count):
        example = speakers[rng.choice(PAIR_SPEAKERS)].reference(rng.choice(PAIR_KINDS))
        if example.topic is not None:
            yield example


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--copies", type=int, default=WRITTEN_COPIES, help="how often written queries are shown")
    parser.add_argument("--of-the-rare", type=int, help="the same for Cebuano and Spanish, where it differs")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    bank, pairs = load_bank(), parallel_domains(args.data)
    composed = examples(int(args.count * (1 - ACROSS_LANGUAGES_SHARE)), args.seed, material(bank, args.data))
    crossed = across_languages(pairs, int(args.count * ACROSS_LANGUAGES_SHARE), args.seed)
    plain = plain_examples(int(args.count * PLAIN_SHARE), args.seed, TopicShelf(bank_material(bank).phrases))
    hand = written.taught(args.copies, args.seed, args.of_the_rare)
    args.out.mkdir(parents=True, exist_ok=True)
    write_examples(args.out / "examples.jsonl.gz", chain(composed, crossed, plain, hand))
    write_turns(args.out / "turns.json.gz", [*bank, *pairs])


if __name__ == "__main__":
    main()
