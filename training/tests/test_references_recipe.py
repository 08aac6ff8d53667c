"""The recipe of the reference heads on a tiny made-up encoder: mix, train, export, and read with what is exported."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from gunita.language.heads import KINDS, LABELS, Floats, ReferenceHeads
from gunita.language.topics import SmallNet
from training.encoder.export import export as export_encoder
from training.encoder.model import EncoderNetwork, Shape
from training.recipe import SHIPPED_SEED, STUDENTS, TEACHERS, steps
from training.references import written
from training.references.bank import load_bank
from training.references.cases import held_out_domains, written_cases
from training.references.dataset import arrays, read_turns, write_turns
from training.references.example import Example
from training.references.export import export
from training.references.feed import Feed
from training.references.fitting import fit_net, mean_net
from training.references.grammar.compose import TopicShelf
from training.references.grammar.generate import bank_material
from training.references.heads import ReferenceReader
from training.references.holdout import FOLDS, is_unseen
from training.references.plain.speaker import plain_examples
from training.references.shipped import OF_TWO_TOPICS, SHIPPED, network_of, reader_of
from training.references.teachers import Teachers, agreement_losses
from training.references.train import CONFIGS, Lesson, keep, load, save, started, train

SHAPE = Shape(pieces=300, width=64, layers=2, heads=2, inner=128, positions=256)
CONFIG = replace(CONFIGS["tiny"], layers=2)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    """Letters and a few marks, which is enough to prove the code."""
    letters = [chr(c) for c in range(33, 127)]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *(f"##{letter}" for letter in letters)]
    made = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return made


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    plain = plain_examples(60, 1, TopicShelf(bank_material(load_bank()).phrases))
    return [*plain, *islice(written.taught(1, seed=1), 0, 600, 20)]


@pytest.fixture(scope="module")
def trained(
    tokenizer: Tokenizer, examples: list[Example], tmp_path_factory: pytest.TempPathFactory
) -> tuple[ReferenceReader, Path]:
    folder = tmp_path_factory.mktemp("reader")
    torch.manual_seed(1)
    torch.set_num_threads(1)
    write_turns(folder / "turns.json.gz", load_bank()[:4])
    lesson = Lesson(examples, examples[:20], read_turns(folder / "turns.json.gz"), tokenizer)
    reader = train(CONFIG, started(CONFIG, EncoderNetwork(SHAPE), None), lesson, folder)
    save(reader, folder / "reader.safetensors")
    return reader.eval(), folder


def test_a_trained_reader_reads_back(trained: tuple[ReferenceReader, Path]) -> None:
    reader, folder = trained
    again = load(reader.trunk, folder / "reader.safetensors", CONFIG)
    tokens, mask = torch.randint(4, 90, (1, 7)), torch.ones(1, 7)
    torch.testing.assert_close(again(tokens, mask)["label"], reader(tokens, mask)["label"])


def test_training_leaves_the_sentence_vectors_alone(trained: tuple[ReferenceReader, Path]) -> None:
    assert not any(p.requires_grad for p in trained[0].trunk.parameters())


def test_the_exported_file_and_heads_say_what_the_network_says(
    trained: tuple[ReferenceReader, Path], tmp_path: Path
) -> None:
    reader, _ = trained
    export(reader, tmp_path)
    session = onnxruntime.InferenceSession(str(tmp_path / "encoder.onnx"))
    tokens = np.array([[2, 20, 30, 40, 50, 3]], np.int64)
    states = session.run(["tokens"], {"pieces": tokens, "pointing": np.array(True)})[0][0]
    with np.load(tmp_path / "heads.npz") as stored:
        said = ReferenceHeads({name: stored[name] for name in stored.files}).read(states)
    wanted = reader(torch.from_numpy(tokens), torch.ones(1, 6))
    np.testing.assert_allclose(said.label, wanted["label"].softmax(-1)[0].detach().numpy(), atol=0.05)
    met = np.random.default_rng(3).random((5, 2, 6), np.float32)
    judged = reader.heads.judge(wanted, torch.from_numpy(met)[None])[0].detach().numpy()
    np.testing.assert_allclose(said.judge.log_odds(met), judged, atol=0.05)
    assert np.ptp(judged) > 0, "the judge tells turns apart"
    vector = session.run(["sentence"], {"pieces": tokens, "pointing": np.array(False)})[0]
    plain, _ = reader.trunk(torch.from_numpy(tokens), torch.ones(1, 6))
    assert float((plain.detach().numpy() * vector).sum()) > 0.99


def test_the_encoder_taken_out_of_the_shipped_file_is_written_again_to_the_bit(tmp_path: Path) -> None:
    export_encoder(network_of(SHIPPED / "encoder.onnx"), tmp_path / "encoder.onnx")
    again, shipped = (
        {array.name: array.raw_data for array in onnx.load(str(folder / "encoder.onnx")).graph.initializer}
        for folder in (tmp_path, SHIPPED)
    )
    assert again == {name: shipped[name] for name in again}


def test_the_reader_taken_out_of_the_shipped_files_is_written_again_to_the_bit(tmp_path: Path) -> None:
    export(reader_of(SHIPPED).eval(), tmp_path)
    again, shipped = (
        {array.name: array.raw_data for array in onnx.load(str(folder / "encoder.onnx")).graph.initializer}
        for folder in (tmp_path, SHIPPED)
    )
    assert again == shipped
    with np.load(tmp_path / "heads.npz") as again_heads, np.load(SHIPPED / "heads.npz") as heads:
        own = [name for name in heads.files if not name.startswith(OF_TWO_TOPICS)]
        assert all(np.array_equal(again_heads[name], heads[name]) for name in own)


def test_who_goes_on_from_a_trained_reader_starts_where_it_was_and_meets_where_it_met(
    trained: tuple[ReferenceReader, Path],
) -> None:
    reader, folder = trained
    again = started(CONFIG, reader.trunk, folder)
    tokens, mask = torch.randint(4, 90, (1, 7)), torch.ones(1, 7)
    torch.testing.assert_close(again.eval()(tokens, mask)["label"], reader(tokens, mask)["label"])
    assert not again.heads.meet.weight.requires_grad


def test_what_is_kept_of_a_start_stands_between_it_and_where_training_came(
    trained: tuple[ReferenceReader, Path],
) -> None:
    reader, folder = trained
    start, moved = (load(reader.trunk, folder / "reader.safetensors", CONFIG) for _ in range(2))
    with torch.no_grad():
        for weight in (*moved.fork.parameters(), *moved.heads.parameters()):
            weight.add_(1.0)
    keep(moved, start, 0.25)
    for part in ("fork", "heads"):
        for weight, before in zip(getattr(moved, part).parameters(), getattr(start, part).parameters(), strict=True):
            torch.testing.assert_close(weight, before + 0.75)


def test_every_example_becomes_a_row_that_says_what_it_said(
    tokenizer: Tokenizer, examples: list[Example], tmp_path: Path
) -> None:
    write_turns(tmp_path / "turns.json.gz", load_bank()[:4])
    shelf = read_turns(tmp_path / "turns.json.gz")
    rows = arrays(examples, tokenizer, shelf)
    assert [LABELS[i] for i in rows.label] == [example.label for example in examples]
    assert [KINDS[i] if i >= 0 else None for i in rows.kind] == [example.kind for example in examples]


@pytest.mark.parametrize("fold", range(FOLDS))
def test_whole_domains_and_their_written_queries_are_held_out_together(fold: int) -> None:
    names = {domain.name for domain in held_out_domains(load_bank(), fold)}
    taught = list(written.taught(1, seed=1))
    assert {e.family.removeprefix("bank.") for e in taught if is_unseen(e, fold)} == names
    for case in islice(written_cases(held_out_domains(load_bank(), fold), 1, seed=3), 40):
        assert all(1 <= number <= len(case.history) for number in case.gold)


def test_two_written_numbers_name_a_range_of_places() -> None:
    example = written.read_line("home", "en\tordinal\ts2,s3,s4\tanswers {2} to {4}, shorter", set()).example
    assert example.from_start == (2, 3, 4)
    assert example.number_roles == ("range_from", "range_to")
    assert [value for _, _, value in example.number_spans] == [2, 4]


def test_the_mean_of_several_fits_says_the_mean_of_what_they_say() -> None:
    rng = np.random.default_rng(4)
    rows = rng.normal(3.0, 2.0, (200, 5)).astype(np.float32)
    nets = [fit_net(rows, (rows[:, i] > 3).astype(np.float32), hidden=3, steps=30) for i in range(3)]
    apart = np.mean([logits(SmallNet(net).probability(rows)) for net in nets], axis=0)
    np.testing.assert_allclose(logits(SmallNet(mean_net(nets)).probability(rows)), apart, atol=1e-2)


def logits(probability: Floats) -> Floats:
    return np.asarray(np.log(probability / (1 - probability)), np.float32)


def test_every_domain_is_held_out_by_one_fold() -> None:
    bank = load_bank()
    folds = [{domain.name for domain in held_out_domains(bank, fold)} for fold in range(FOLDS)]
    assert sum(len(names) for names in folds) == len(set().union(*folds)) == len(bank)


def test_the_recipe_names_steps_that_are_there_and_ends_with_the_files_of_the_package(tmp_path: Path) -> None:
    made = list(steps(tmp_path / "data", tmp_path / "base", tmp_path / "work", tmp_path / "out", cpu=True))
    assert all(find_spec(step[0]) for step in made)
    assert sum(step[0] == "training.references.train" for step in made) == len(TEACHERS) + len(STUDENTS) + 1
    assert SHIPPED_SEED in STUDENTS
    into_package = [step[0] for step in made if any(part.startswith(str(tmp_path / "out")) for part in step)]
    assert into_package == [
        "training.references.export", "training.lexicon", "training.references.read",
        "training.references.calibrate", "training.references.pairs", "training.languages", "training.extraction",
    ]  # fmt: skip


def test_a_reader_that_learns_from_others_comes_closer_to_what_they_say(
    trained: tuple[ReferenceReader, Path], examples: list[Example], tokenizer: Tokenizer
) -> None:
    teacher, folder = trained
    lesson = Lesson(examples, (), read_turns(folder / "turns.json.gz"), tokenizer, Teachers([teacher]))
    [batch] = Feed(arrays(examples, tokenizer, lesson.turns), len(examples), "cpu", seed=1).in_order()

    def apart(reader: ReferenceReader) -> float:
        with torch.no_grad():
            losses = agreement_losses(reader(batch.ids, batch.mask), lesson.teachers.read(batch, "cpu"), batch)
        return float(losses["label"] + losses["kind"] + losses["tags"] + losses["places"])

    torch.manual_seed(2)
    untaught = ReferenceReader(EncoderNetwork(SHAPE), CONFIG.layers, CONFIG.rank).eval()
    assert apart(train(CONFIG, started(CONFIG, EncoderNetwork(SHAPE), None), lesson, folder / "student")) < apart(
        untaught
    )
    assert apart(teacher) < apart(untaught)
