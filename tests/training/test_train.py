"""The trainer's parts: fake quantisation as export stores it, masks of packed rows, schedule and mixture."""

import argparse
import json
import random
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the training extra: make test-training")
pytest.importorskip("tokenizers", reason="needs the training extra: make test-training")
pytest.importorskip("safetensors", reason="needs the training extra: make test-training")

from tokenizers import Tokenizer  # noqa: E402
from tokenizers.models import WordLevel  # noqa: E402
from tokenizers.pre_tokenizers import Whitespace  # noqa: E402
from training.model import Config, SmolLM, block_mask, row_mask  # noqa: E402
from training.packing import Group, Stream, pack  # noqa: E402
from training.quantise import dequantise, quantise  # noqa: E402
from training.train import (  # noqa: E402
    arguments,
    batches,
    linear_weights,
    mix,
    quantised,
    rate,
    read_groups,
    renamed,
    restore_linears,
    round_linears,
)

TINY = Config(vocabulary=320, width=64, layers=2, heads=4, kv_heads=2, hidden=96)


@pytest.fixture(scope="module")
def model() -> SmolLM:
    torch.manual_seed(1)
    made = SmolLM(TINY)
    torch.nn.init.normal_(made.embed_tokens.weight, std=0.3)
    return made


def options(*words: str) -> argparse.Namespace:
    needed = ["--data", "d", "--tokenizer", "t", "--out", "o"]
    return arguments().parse_args([*needed, *words])


def test_of_a_form_that_a_model_wrote_only_the_word_about_it_is_learned(tmp_path: Path) -> None:
    known = {word: at for at, word in enumerate(("q", "count", "wrong", "right", "<|im_start|>", "<|im_end|>"))}
    tokenizer = Tokenizer(WordLevel(known, unk_token="q"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.add_special_tokens(["<|im_start|>", "<|im_end|>"])
    tokenizer.save(str(tmp_path / "t.json"))
    rows = [["q", ["count"]], ["q", ["count"], True], ["q", ["count"], False]]
    line = json.dumps({"source": "s", "schema": "q", "pairs": rows})
    (tmp_path / "d.jsonl").write_text(line + "\n")
    [group] = read_groups(tmp_path / "d.jsonl", str(tmp_path / "t.json"), 1)
    found = [(question.tolist(), form.tolist()) for question, form in group.pairs]
    assert found == [([0], [1, 5]), ([0, 1, 5], [3]), ([0, 1, 5], [2])]


def test_fake_quantisation_leaves_sixteen_levels_a_block_and_keeps_its_extreme() -> None:
    weight = torch.randn(8, 64, generator=torch.Generator().manual_seed(1))
    made = quantised(weight)
    for before, after in zip(weight.reshape(-1, 32), made.reshape(-1, 32), strict=True):
        place = before.abs().argmax()
        assert after[place] == pytest.approx(float(before[place]), rel=1e-6)
        levels = after / (before[place] / -8)
        assert torch.allclose(levels, levels.round(), atol=1e-4)
        assert levels.min() >= -8.001
        assert levels.max() <= 7.001


def test_weights_on_the_grid_stay_there_and_zeros_stay_zero() -> None:
    weight = torch.randn(4, 32, generator=torch.Generator().manual_seed(2))
    weight[1] = 0
    once = quantised(weight)
    assert torch.allclose(quantised(once), once, atol=1e-6)
    assert (once[1] == 0).all()


def test_training_sees_the_weights_that_export_stores() -> None:
    weight = torch.randn(16, 96, generator=torch.Generator().manual_seed(3))
    stored = dequantise(*quantise(weight.numpy(), 4, 32, search=False), 4)
    # Scales are stored in half precision: eleven bits.
    assert np.allclose(quantised(weight).numpy(), stored, rtol=2**-10, atol=1e-6)


def test_the_gradient_goes_to_the_exact_weights(model: SmolLM) -> None:
    before = [w.detach().clone() for w in linear_weights(model)]
    masters = round_linears(model)
    assert all(torch.equal(w, quantised(exact)) for w, exact in zip(linear_weights(model), before, strict=True))
    restore_linears(model, masters)
    assert all(torch.equal(w, exact) for w, exact in zip(linear_weights(model), before, strict=True))
    assert len(before) == 7 * TINY.layers


@pytest.fixture(scope="module")
def packed() -> tuple[Group, object]:
    rng = np.random.default_rng(4)
    draw = lambda n: rng.integers(3, 320, n).astype(np.int32)  # noqa: E731
    group = Group("a", draw(20), [(draw(6), draw(5)) for _ in range(3)])
    shuffle = random.Random(1)
    return group, pack({"a": Stream([group], 128, shuffle)}, {"a": 1.0}, 1, 128, shuffle)


def run(model: SmolLM, rows: object, kind: str) -> torch.Tensor:
    tokens, positions, doc, segment = (
        torch.from_numpy(getattr(rows, n)) for n in ("tokens", "positions", "doc", "segment")
    )
    mask = block_mask(doc, segment) if kind == "flex" else row_mask(doc, segment)
    with torch.no_grad():
        return model(tokens, positions, mask)[0]


def test_a_question_in_a_packed_row_sees_its_schema_and_itself_alone(model: SmolLM, packed: tuple) -> None:
    group, rows = packed
    hidden = run(model, rows, "dense")
    for doc in range(rows.doc.max() + 1):
        for segment in range(1, rows.segment[rows.doc == doc].max() + 1):
            own = (rows.doc[0] == doc) & (rows.segment[0] == segment)
            alone = np.concatenate([group.schema, rows.tokens[0][own]])
            shape = torch.zeros(1, len(alone), dtype=torch.int32)
            places = torch.arange(len(alone))[None]
            with torch.no_grad():
                expected = model(torch.from_numpy(alone)[None], places, row_mask(shape, shape))[0]
            assert torch.allclose(hidden[torch.from_numpy(own)], expected[len(group.schema) :], atol=1e-4)


@pytest.mark.filterwarnings("ignore")
def test_the_accelerators_mask_is_the_dense_one(model: SmolLM, packed: tuple) -> None:
    _, rows = packed
    filled = torch.from_numpy(rows.doc[0] >= 0)
    assert torch.allclose(run(model, rows, "flex")[filled], run(model, rows, "dense")[filled], atol=1e-4)


def test_the_rate_warms_up_and_falls_to_its_floor() -> None:
    args = options("--lr", "1e-3", "--warmup", "0.1", "--floor", "0.05")
    assert rate(0.05, args) == pytest.approx(5e-4)
    assert rate(0.1, args) == pytest.approx(1e-3)
    assert rate(0.55, args) == pytest.approx(1e-3 * (0.05 + 0.95 / 2))
    assert rate(1.0, args) == rate(1.2, args) == pytest.approx(5e-5)


def test_stages_follow_one_another() -> None:
    stages = [(0.6, {"a": 1.0}), (1.0, {"a": 2.0})]
    assert [mix(p, stages)["a"] for p in (0.0, 0.6, 0.61, 1.5)] == [1.0, 1.0, 2.0, 2.0]


def test_batches_depend_on_the_seed_alone_and_change_their_mixture_at_the_step() -> None:
    def drawn(seed: str) -> list[np.ndarray]:
        groups = [Group(name, np.full(9, at + i, np.int32), [(np.full(4, at, np.int32), np.full(3, at, np.int32))] * 4)
                  for name, at in (("a", 100), ("b", 200)) for i in range(5)]  # fmt: skip
        stages = json.dumps([[0.4, {"a": 1, "b": 0}], [1.0, {"a": 0, "b": 1}]])
        args = options("--seed", seed, "--steps", "10", "--rows", "2", "--length", "64", "--stages", stages)
        source = batches(groups, args, [0.0])
        return [next(source).tokens for _ in range(10)]

    first, again, other = drawn("1"), drawn("1"), drawn("2")
    assert all((a == b).all() for a, b in zip(first, again, strict=True))
    assert any((a != b).any() for a, b in zip(first, other, strict=True))
    assert [bool((tokens >= 200).any()) for tokens in first] == [False] * 5 + [True] * 5


def test_names_of_transformers_are_the_models(model: SmolLM, tmp_path: Path) -> None:
    state = model.state_dict()
    long = {name if name.startswith("lm") else f"model.{name}": value for name, value in state.items()}
    long = {name.replace("q_proj", "self_attn.q_proj").replace("up_proj", "mlp.up_proj"): v for name, v in long.items()}
    assert renamed({**long, "lm_head.weight": torch.zeros(1)}).keys() == state.keys()


def test_what_comes_later_is_trained_on_once_it_is_there(tmp_path: Path) -> None:
    def one(source: str, token: int) -> Group:
        return Group(source, np.array([1, 2], np.int32), [(np.array([token]), np.array([token, 3]))])

    args = options("--rows", "2", "--length", "16", "--stages", '[[1.0, {"spider": 1, "synthetic": 1}]]')
    args.more, args.workers = [tmp_path / "more.jsonl"], 1
    found = batches([one("spider", 7)], args, [0.0])
    assert not (next(found).tokens == 8).any()
    vocabulary = {f"t{number}": number for number in range(4, 9)} | {"<|im_start|>": 1, "<|im_end|>": 3, "s": 2}
    words = Tokenizer(WordLevel(vocabulary, unk_token="s"))
    words.pre_tokenizer = Whitespace()
    args.tokenizer = tmp_path / "tokenizer.json"
    words.save(str(args.tokenizer))
    line = {"source": "synthetic", "schema": "s", "pairs": [["t8", ["t8"]]]}
    (tmp_path / "part").write_text(json.dumps(line) + "\n")
    (tmp_path / "part").rename(args.more[0])
    assert any((next(found).tokens == 8).any() for _ in range(100_000))
