"""A fine-tuned state dict as the model folder that Inquery ships: ONNX graph, one weight file, tokenizer, config.

    python -m training.export folder --state model.safetensors --tokenizer tokenizer.json --out FOLDER
    python -m training.export parts --state model.safetensors --out DIR       on a machine without onnx
    python -m training.export folder --parts DIR --tokenizer tokenizer.json --out FOLDER
    python -m training.export parts --folder FOLDER --out DIR                 for --base of training.train, to go on from a round

Matrices are 4 bits in blocks of 32, the shared embedding and output matrix 8. Parts are quantised already and small
enough to be carried one by one. `--scales search` is for weights that were not trained under fake quantisation.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from inquery.llm.embedded.prompt import FORMAT_E
from training.base import CONFIG
from training.quantise import dequantise, pack, quantise, unpack

Array = np.ndarray[Any, Any]
POSITIONS = 2048
PART_BYTES = 15 << 20
BLOCK = {4: 32, 8: 32}
EMBEDDING = "embedding"
FUSED = {
    "qkv": ("q_proj", "k_proj", "v_proj"),
    "out": ("o_proj",),
    "gate": ("gate_proj",),
    "up": ("up_proj",),
    "down": ("down_proj",),
}


def quantise_state(state: Mapping[str, Any], layers: int, *, search: bool = True) -> dict[str, Array]:
    """Packed levels, fp16 scales and fp32 norms by the names of the graph; numpy alone.

    Names are transformers' or the trainer's shorter ones.
    """
    short = {re.sub(r"^model\.|self_attn\.|mlp\.", "", name): tensor for name, tensor in state.items()}
    made: dict[str, Array] = {"norm": plain(short["norm.weight"])}
    add_matrix(made, EMBEDDING, plain(short["embed_tokens.weight"]), 8, search=search)
    for i in range(layers):
        prefix = f"layers.{i}."
        made[f"{prefix}norm1"] = plain(short[prefix + "input_layernorm.weight"])
        made[f"{prefix}norm2"] = plain(short[prefix + "post_attention_layernorm.weight"])
        for name, parts in FUSED.items():
            stacked = np.concatenate([plain(short[f"{prefix}{part}.weight"]) for part in parts])
            add_matrix(made, prefix + name, stacked, 4, search=search)
    return made


def plain(tensor: Any) -> Array:
    """A tensor of torch or numpy as fp32."""
    return np.asarray(tensor.float().cpu().numpy() if hasattr(tensor, "cpu") else tensor, dtype=np.float32)


def add_matrix(made: dict[str, Array], name: str, weight: Array, bits: int, *, search: bool) -> None:
    """Quantise one matrix into `made`."""
    levels, scale = quantise(weight, bits, BLOCK[bits], search=search)
    made[name] = pack(levels, bits, BLOCK[bits])
    made[name + ".scale"] = scale.astype(np.float16)


def save_parts(quantised: Mapping[str, Array], out: Path) -> list[Path]:
    """The arrays as part-00.bin, part-01.bin…, which are an .npz when joined."""
    out.mkdir(parents=True, exist_ok=True)
    whole = io.BytesIO()
    np.savez(whole, **dict(quantised))  # type: ignore[arg-type]
    data, paths = whole.getbuffer(), []
    for number, start in enumerate(range(0, len(data), PART_BYTES)):
        paths.append(out / f"part-{number:02}.bin")
        paths[-1].write_bytes(data[start : start + PART_BYTES])
    return paths


def load_parts(folder: Path) -> dict[str, Array]:
    """The arrays of `save_parts`."""
    data = b"".join(path.read_bytes() for path in sorted(folder.glob("part-*.bin")))
    return dict(np.load(io.BytesIO(data)).items())


def read_folder(folder: Path) -> dict[str, Array]:
    """The arrays of a model folder, as `quantise_state` made them: where a round goes on from the last one's weights."""
    import onnx
    from onnx import helper

    blob = np.memmap(folder / "weights.bin", np.uint8, "r")
    found = {}
    for tensor in onnx.load(str(folder / "decoder.onnx"), load_external_data=False).graph.initializer:
        if tensor.name in {"cosines", "sines"}:
            continue
        place = {item.key: item.value for item in tensor.external_data}
        offset, kind = int(place["offset"]), helper.tensor_dtype_to_np_dtype(tensor.data_type)
        raw = blob[offset : offset + int(place["length"])]
        found[tensor.name] = np.array(raw).view(kind).reshape(tuple(tensor.dims))
    return found


def restore_state(quantised: Mapping[str, Array], config: Mapping[str, Any]) -> dict[str, Array]:
    """The weights that a runtime sees, under the trainer's names: `quantise_state` backwards, numpy alone."""
    head = config["head_dim"]
    sizes = {
        "q_proj": head * config["num_attention_heads"],
        "k_proj": head * config["num_key_value_heads"],
        "v_proj": head * config["num_key_value_heads"],
    }
    state = {"norm.weight": quantised["norm"], "embed_tokens.weight": restore_matrix(quantised, EMBEDDING, 8)}
    for i in range(config["num_hidden_layers"]):
        prefix = f"layers.{i}."
        state[prefix + "input_layernorm.weight"] = quantised[prefix + "norm1"]
        state[prefix + "post_attention_layernorm.weight"] = quantised[prefix + "norm2"]
        for name, parts in FUSED.items():
            stacked = restore_matrix(quantised, prefix + name, 4)
            ends = np.cumsum([sizes[part] for part in parts[:-1]], dtype=int) if len(parts) > 1 else np.zeros(0, int)
            for part, weight in zip(parts, np.split(stacked, ends), strict=True):
                state[f"{prefix}{part}.weight"] = weight
    return state


def restore_matrix(quantised: Mapping[str, Array], name: str, bits: int) -> Array:
    """One matrix of packed levels as fp32."""
    packed, scale = quantised[name], quantised[name + ".scale"].astype(np.float32)
    return dequantise(unpack(packed, bits), scale.reshape(len(packed), -1), bits)


def export(
    quantised: Mapping[str, Array], config: Mapping[str, Any], tokenizer: Path, out: Path, about: Mapping[str, Any]
) -> None:
    """Write the model folder."""
    from training.graph import Weights, decoder, rotary

    out.mkdir(parents=True, exist_ok=True)
    weights = Weights("weights.bin")
    for name, array in quantised.items():
        weights.add(name, array)
    positions = min(POSITIONS, config["max_position_embeddings"])
    cosines, sines = rotary(dict(config), positions)
    weights.add("cosines", cosines)
    weights.add("sines", sines)
    matrices = {name: matrix(name, quantised) for name in quantised if name + ".scale" in quantised}
    (out / "decoder.onnx").write_bytes(decoder(dict(config), weights, matrices).SerializeToString())
    (out / "weights.bin").write_bytes(weights.blob)
    if tokenizer.resolve() != (out / "tokenizer.json").resolve():
        (out / "tokenizer.json").write_bytes(tokenizer.read_bytes())
    write_config(out, config, weights.offsets, {"positions": positions, **about})


def matrix(name: str, quantised: Mapping[str, Array]) -> Any:
    """The description of a packed matrix."""
    from training.graph import Matrix

    rows, blocks, size = quantised[name].shape
    bits = 8 if name == EMBEDDING else (4 if size == BLOCK[4] // 2 else 8)
    return Matrix(name, rows, blocks * BLOCK[bits], bits, BLOCK[bits])


def write_config(out: Path, config: Mapping[str, Any], offsets: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """config.json: shape, where the embedding lies in weights.bin, digests, prompt version."""
    digests = {
        path.name: {"bytes": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        for path in sorted(out.iterdir())
        if path.name != "config.json"
    }
    shape = {key: value for key, value in config.items() if key != "architectures"}
    located = {name: {"offset": offsets[name][0], "shape": offsets[name][3], "dtype": offsets[name][2]}
               for name in (EMBEDDING, EMBEDDING + ".scale")}  # fmt: skip
    whole = {"format": 1, "shape": shape, "embedding": located, **about, "files": digests}
    (out / "config.json").write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", "utf-8")


def load_state(path: Path) -> dict[str, Array]:
    """A state dict from .safetensors or .npz, as fp32."""
    if path.suffix == ".npz":
        return {name: array.astype(np.float32) for name, array in np.load(path).items()}
    from safetensors import safe_open

    with safe_open(str(path), framework="pt") as file:
        return {name: plain(file.get_tensor(name)) for name in file.keys()}  # noqa: SIM118


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["folder", "parts"])
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--state", type=Path)
    source.add_argument("--parts", type=Path)
    source.add_argument("--folder", type=Path, help="a model folder, to go on from its weights")
    parser.add_argument("--scales", choices=["extreme", "search"], default="extreme")
    parser.add_argument("--tokenizer", type=Path)
    parser.add_argument("--config", type=Path, help="JSON with the shape; SmolLM2-135M by default")
    parser.add_argument("--name", default="inquery-writer")
    parser.add_argument("--prompt-version", type=int, default=FORMAT_E.version, help="2 is format D, 3 is format E")
    parser.add_argument(
        "--parts-line", action=argparse.BooleanOptionalAction, default=True, help="whether it was trained with it"
    )
    parser.add_argument(
        "--verdicts",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="whether it was trained to tell right from wrong",
    )
    parser.add_argument("--grammar", choices=["D", "E"], default="E", help="the words of the form it was trained on")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    config = json.loads(args.config.read_text("utf-8")) if args.config else CONFIG
    if args.state:
        search = args.scales == "search"
        quantised = quantise_state(load_state(args.state), config["num_hidden_layers"], search=search)
    else:
        quantised = read_folder(args.folder) if args.folder else load_parts(args.parts)
    if args.what == "parts":
        save_parts(quantised, args.out)
    else:
        about = {
            "name": args.name,
            "kind": "writer",
            "prompt_version": args.prompt_version,
            "grammar": args.grammar,
            "verdicts": args.verdicts,
            "licence": "Apache-2.0",
        }
        about |= {"parts": args.parts_line} if args.prompt_version >= FORMAT_E.version else {}
        export(quantised, config, args.tokenizer, args.out, about)
    for path in sorted(args.out.iterdir()):
        print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
