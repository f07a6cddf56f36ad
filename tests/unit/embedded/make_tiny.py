"""Make the tiny model of these tests again: python -m tests.unit.embedded.make_tiny (needs the training extra).

Random weights in the real layout, with the logits that plain fp32 arithmetic gives for a few token sequences.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent / "tiny_model"
CONFIG = {
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "vocab_size": 320,
    "rope_theta": 10000.0,
    "rms_norm_eps": 1e-5,
    "max_position_embeddings": 512,
    "eos_token_id": 0,
    "bos_token_id": 1,
}
WORDS = "from show where by having sort desc top and or not in count sum avg distinct singer concert name country year"
SEQUENCES = [[5, 17, 201, 44], [300, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], list(range(40, 90))]


def random_state(config: dict[str, Any], seed: int = 3) -> dict[str, Any]:
    """A state dict with transformers' names."""
    rng = np.random.default_rng(seed)
    hidden, feed, head = config["hidden_size"], config["intermediate_size"], config["head_dim"]
    wide, narrow = config["num_attention_heads"] * head, config["num_key_value_heads"] * head
    shapes = {"model.embed_tokens.weight": (config["vocab_size"], hidden), "model.norm.weight": (hidden,)}
    for i in range(config["num_hidden_layers"]):
        at = f"model.layers.{i}."
        shapes |= {at + "input_layernorm.weight": (hidden,), at + "post_attention_layernorm.weight": (hidden,)}
        shapes |= {at + "self_attn.q_proj.weight": (wide, hidden), at + "self_attn.o_proj.weight": (hidden, wide)}
        shapes |= {at + f"self_attn.{kv}_proj.weight": (narrow, hidden) for kv in "kv"}
        shapes |= {at + f"mlp.{way}_proj.weight": (feed, hidden) for way in ("gate", "up")}
        shapes[at + "mlp.down_proj.weight"] = (hidden, feed)
    made = {name: rng.standard_normal(shape) * (shape[-1] ** -0.5) for name, shape in shapes.items()}
    return {name: (1 + 0.1 * w if w.ndim == 1 else 1.5 * w).astype(np.float32) for name, w in made.items()}


def reference(state: dict[str, Any], config: dict[str, Any], tokens: list[int]) -> Any:
    """Logits after each token, by plain fp64 arithmetic."""
    heads, groups, size = config["num_attention_heads"], config["num_key_value_heads"], config["head_dim"]

    def norm(x: Any, weight: Any) -> Any:
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + config["rms_norm_eps"]) * weight

    angle = np.arange(len(tokens))[:, None] * config["rope_theta"] ** (-np.arange(0, size, 2) / size)
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]

    def turn(x: Any) -> Any:
        low, high = x[..., : size // 2], x[..., size // 2 :]
        return np.concatenate([low * cos - high * sin, high * cos + low * sin], -1)

    x = state["model.embed_tokens.weight"].astype(np.float64)[tokens]
    mask = np.triu(np.full((len(tokens), len(tokens)), -np.inf), 1)
    for i in range(config["num_hidden_layers"]):
        w = {name.split(".", 3)[3]: v for name, v in state.items() if name.startswith(f"model.layers.{i}.")}
        h = norm(x, w["input_layernorm.weight"])
        q = turn((h @ w["self_attn.q_proj.weight"].T).reshape(len(tokens), heads, size))
        k = turn((h @ w["self_attn.k_proj.weight"].T).reshape(len(tokens), groups, size)).repeat(heads // groups, 1)
        v = (h @ w["self_attn.v_proj.weight"].T).reshape(len(tokens), groups, size).repeat(heads // groups, 1)
        scores = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(size) + mask
        share = np.exp(scores - scores.max(-1, keepdims=True))
        share /= share.sum(-1, keepdims=True)
        x = x + np.einsum("hqk,khd->qhd", share, v).reshape(len(tokens), -1) @ w["self_attn.o_proj.weight"].T
        h = norm(x, w["post_attention_layernorm.weight"])
        gate = h @ w["mlp.gate_proj.weight"].T
        x = x + (gate / (1 + np.exp(-gate)) * (h @ w["mlp.up_proj.weight"].T)) @ w["mlp.down_proj.weight"].T
    return norm(x, state["model.norm.weight"]) @ state["model.embed_tokens.weight"].T.astype(np.float64)


def rounded(state: dict[str, Any]) -> dict[str, Any]:
    """The state as the runtime sees it after quantisation."""
    from training.quantise import dequantise, quantise

    bits = {name: 8 if "embed" in name else 4 for name in state}
    return {n: dequantise(*quantise(w, bits[n], 32), bits[n]) if w.ndim == 2 else w for n, w in state.items()}


def save_tokenizer(path: Path) -> None:
    """A byte-level vocabulary of 320 tokens in which common words of the form are short."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=320, special_tokens=["<|end|>"], initial_alphabet=alphabet)
    tokenizer.train_from_iterator([" " + WORDS] * 5, trainer)
    tokenizer.save(str(path), pretty=False)


def main() -> None:
    """Write the folder and the expected logits."""
    from training.export import export, quantise_state

    FOLDER.mkdir(exist_ok=True)
    save_tokenizer(FOLDER / "tokenizer.json")
    state = random_state(CONFIG)
    about = {"name": "tiny", "kind": "writer", "prompt_version": 1, "licence": "Apache-2.0"}
    export(quantise_state(state, CONFIG["num_hidden_layers"]), CONFIG, FOLDER / "tokenizer.json", FOLDER, about)
    expected = [reference(rounded(state), CONFIG, tokens)[-1].round(4).tolist() for tokens in SEQUENCES]
    (FOLDER.parent / "tiny_logits.json").write_text(json.dumps(expected))


if __name__ == "__main__":
    main()
