"""A whole round on a small sample and the CPU: seeds, engine, prepare, train, export, evaluate, by the commands of the README."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

for module in ("torch", "safetensors", "onnx"):
    pytest.importorskip(module, reason="needs the training extra: make test-training")

from tests.training.small import ROOT, make_spider  # noqa: E402
from tests.unit.embedded.make_tiny import random_state, reference  # noqa: E402
from training.quantise import dequantise, quantise  # noqa: E402

from inquery.llm.embedded.runtime import Model  # noqa: E402
from inquery.llm.embedded.tokens import Tokens  # noqa: E402

SIZES = {"vocabulary": 512, "width": 64, "layers": 2, "heads": 4, "kv_heads": 2, "hidden": 96}
SHAPE = {
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "vocab_size": 512,
    "rope_theta": 100000.0,
    "rms_norm_eps": 1e-5,
    "max_position_embeddings": 1024,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
STAGES = [[1.0, {"spider": 4, "synthetic": 1}]]
STEPS = 150
pytestmark = pytest.mark.slow


def command(module: str, *words: object) -> str:
    """What a command of training prints."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "random"}
    done = subprocess.run(
        [sys.executable, "-m", f"training.{module}", *map(str, words)],
        cwd=ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def save_tokenizer(texts: Iterator[str], path: Path) -> None:
    """A vocabulary of 512 tokens with the base's special ones at their places."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=512, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.save(str(path), pretty=False)


def texts(data: Path) -> Iterator[str]:
    for line in data.read_text("utf-8").splitlines():
        item = json.loads(line)
        yield item["schema"]
        for question, words in item["pairs"]:
            yield question + " " + " ".join(words)


@dataclass
class Round:
    """Where a round left its files."""

    folder: Path
    log: list[dict[str, Any]]

    @property
    def model(self) -> Path:
        return self.folder / "model"


def trained(folder: Path, out: str, *more: object) -> list[dict[str, Any]]:
    """Train on the folder's data; the records of the run."""
    command(
        "train", "--data", folder / "all.jsonl", "--base", folder / "base.safetensors", "--tokenizer",
        folder / "tokenizer.json", "--out", folder / out, "--config", json.dumps(SIZES), "--stages", json.dumps(STAGES),
        "--rows", 3, "--length", 256, "--lr", "4e-3", "--mask", "dense", "--no-compile", "--workers", 1,
        "--log-every", 25, "--eval-every", 50, "--held", 1, *more,
    )  # fmt: skip
    return [json.loads(line) for line in (folder / out / "train.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Round:
    from safetensors.numpy import save_file

    folder = tmp_path_factory.mktemp("round")
    spider, chinese = make_spider(folder / "spider")
    groups = folder / "spider.groups.jsonl"
    command("seeds", "spider", "--folder", spider, "--chinese", chinese, "--out", groups)
    command("engine", "--schemas", 2, "--per-schema", 8, "--seed", 5, "--out", folder / "syn", "--workers", 1)
    shards = sorted((folder / "syn").glob("synthetic.*.jsonl"))
    command(
        "prepare", "--groups", groups, *shards, "--copies", "spider=6", "--no-rename", "--workers", 1,
        "--out", folder / "all.jsonl",
    )  # fmt: skip
    save_tokenizer(texts(folder / "all.jsonl"), folder / "tokenizer.json")
    save_file(random_state(SHAPE), folder / "base.safetensors")
    log = trained(folder, "run", "--steps", STEPS, "--qat-from", 0.8)
    (folder / "shape.json").write_text(json.dumps(SHAPE))
    command(
        "export", "folder", "--state", folder / "run" / "model.safetensors", "--config", folder / "shape.json",
        "--tokenizer", folder / "tokenizer.json", "--name", "small", "--out", folder / "model",
    )  # fmt: skip
    return Round(folder, log)


def test_the_data_has_all_sources_and_the_tune_database_is_only_measured_on(made: Round) -> None:
    lines = [json.loads(line) for line in (made.folder / "all.jsonl").read_text("utf-8").splitlines()]
    assert {line["source"] for line in lines} == {"spider", "held_spider", "synthetic"}
    assert sum(len(line["pairs"]) for line in lines if line["source"] == "held_spider") == 16


def test_training_learns(made: Round) -> None:
    first, last = made.log[0], made.log[-1]
    assert last["step"] == STEPS
    assert last["loss"] < first["loss"] / 4
    assert last["held"]["held_spider"][1] > 0.9


def test_a_run_of_the_same_seed_repeats(made: Round) -> None:
    runs = [trained(made.folder, f"again{i}", "--steps", 3, "--log-every", 1) for i in range(2)]
    losses = [[record["loss"] for record in run] for run in runs]
    assert losses[0] == pytest.approx(losses[1], abs=2e-3)
    assert len(losses[0]) == 3


def stored(name: str, weight: np.ndarray) -> np.ndarray:
    """A weight as the exported file holds it."""
    bits = 8 if "embed" in name else 4
    return dequantise(*quantise(weight, bits, 32, search=False), bits) if weight.ndim == 2 else weight


def test_the_exported_model_computes_what_was_trained(made: Round) -> None:
    from safetensors.numpy import load_file

    state = load_file(made.folder / "run" / "model.safetensors")
    long = {f"model.{n}": stored(n, w.astype(np.float32)) for n, w in state.items()}
    for way, parts in (("self_attn", "qkvo"), ("mlp", ("gate", "up", "down"))):
        for part in parts:
            long = {n.replace(f".{part}_proj", f".{way}.{part}_proj"): w for n, w in long.items()}
    tokens = [1, *Tokens.load(made.model / "tokenizer.json").encode("author .name\n? How many authors are there?\n=")]
    expected = reference(long, SHAPE, tokens)[-1]
    with Model.load(made.model, threads=1).prefill(tokens) as state_after:
        found = state_after.logits
    assert np.corrcoef(found, expected)[0, 1] > 0.99
    assert found.argmax() == expected.argmax()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_was_learned_by_heart_is_answered_from_the_exported_folder(made: Round, lang: str) -> None:
    out = made.folder / f"{lang}.jsonl"
    printed = command(
        "evaluate", "--groups", made.folder / "spider.groups.jsonl", "--databases", made.folder / "spider" / "databases",
        "--model", made.model, "--lang", lang, "--out", out,
    )  # fmt: skip
    figures = json.loads(printed)
    verdicts = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert figures["n"] == len(verdicts) == {"en": 9, "zh": 7}[lang]
    assert figures["executes"] == 1.0
    assert figures["first"] >= 0.7, verdicts
    assert figures["any"] >= figures["first"]


def test_parts_that_travel_make_the_same_folder(made: Round) -> None:
    run, out = made.folder / "run" / "model.safetensors", made.folder / "from-parts"
    command("export", "parts", "--state", run, "--config", made.folder / "shape.json", "--out", made.folder / "parts")
    command(
        "export", "folder", "--parts", made.folder / "parts", "--config", made.folder / "shape.json", "--tokenizer",
        made.folder / "tokenizer.json", "--name", "small", "--out", out,
    )  # fmt: skip
    for name in ("weights.bin", "decoder.onnx", "config.json"):
        assert (out / name).read_bytes() == (made.model / name).read_bytes()
