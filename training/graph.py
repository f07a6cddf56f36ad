"""The decoder as an ONNX graph, built node by node: quantised matrices, grouped attention, KV cache in place.

Inputs: `embeddings` [1, S, hidden] (looked up outside), `positions` [1, S], `bias` [1, 1, S, T] added to the
attention scores, `last` [1] = T - 1 and `total` = T, `rows` [R] the positions whose logits are wanted, and
past.i.key / past.i.value [1, kv heads, capacity, head]. Outputs: `logits` [1, R, vocabulary], and present.i.* which
the caller binds to the same memory as past.i.*.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper

Array = np.ndarray[Any, Any]
MS = "com.microsoft"


@dataclass
class Weights:
    """Initializers of a graph whose bytes lie in one file beside it."""

    file: str
    blob: bytearray = field(default_factory=bytearray)
    offsets: dict[str, tuple[int, int, str, list[int]]] = field(default_factory=dict)

    def add(self, name: str, array: Array) -> str:
        """Put the array at the next page boundary (so that it can be mapped) and return its name."""
        self.blob.extend(b"\0" * (-len(self.blob) % 4096))
        self.offsets[name] = (len(self.blob), array.nbytes, str(array.dtype), list(array.shape))
        self.blob.extend(np.ascontiguousarray(array).tobytes())
        return name

    def tensor(self, name: str) -> TensorProto:
        """The initializer that points into the file."""
        offset, length, dtype, shape = self.offsets[name]
        made = TensorProto(name=name, data_type=helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), dims=shape)
        made.data_location = TensorProto.EXTERNAL
        for key, value in (("location", self.file), ("offset", str(offset)), ("length", str(length))):
            made.external_data.add(key=key, value=value)
        return made


@dataclass
class Matrix:
    """A quantised matrix: names of its packed levels and fp16 scales."""

    name: str
    rows: int
    columns: int
    bits: int
    block: int


class Graph:
    """Collects nodes; every method adds one and returns the name of its output."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.used: list[str] = []

    def use(self, name: str) -> str:
        """Mark an initializer as needed by this graph."""
        if name not in self.used:
            self.used.append(name)
        return name

    def node(self, op: str, inputs: list[str], outputs: list[str], *, domain: str = "", **attributes: Any) -> str:
        """Add one node."""
        self.nodes.append(helper.make_node(op, inputs, outputs, name=outputs[0], domain=domain, **attributes))
        return outputs[0]

    def matmul(self, source: str, matrix: Matrix, out: str) -> str:
        """source times the transposed quantised matrix; int8 arithmetic inside (accuracy level 4)."""
        scale = self.node("Cast", [self.use(matrix.name + ".scale")], [out + ".scale"], to=TensorProto.FLOAT)
        return self.node(
            "MatMulNBits", [source, self.use(matrix.name), scale], [out], domain=MS,
            K=matrix.columns, N=matrix.rows, bits=matrix.bits, block_size=matrix.block, accuracy_level=4,
        )  # fmt: skip

    def norm(self, source: str, weight: str, out: str, epsilon: float) -> str:
        """Root-mean-square norm."""
        return self.node("SimplifiedLayerNormalization", [source, self.use(weight)], [out], epsilon=epsilon, axis=-1)

    def skip_norm(self, source: str, skip: str, weight: str, out: str, epsilon: float) -> tuple[str, str]:
        """(norm of the sum, the sum)."""
        self.node(
            "SkipSimplifiedLayerNormalization", [source, skip, self.use(weight)], [out, "", "", out + ".sum"],
            domain=MS, epsilon=epsilon,
        )  # fmt: skip
        return out, out + ".sum"

    def model(self, inputs: list[Any], outputs: list[Any]) -> ModelProto:
        """The finished model."""
        initializers = [self.weights.tensor(name) for name in self.used]
        graph = helper.make_graph(self.nodes, "inquery", inputs, outputs, initializer=initializers)
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid(MS, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="inquery")


def rotary(config: dict[str, Any], positions: int) -> tuple[Array, Array]:
    """(cosines, sines) [positions, head / 2]."""
    head = config["head_dim"]
    frequency = config["rope_theta"] ** (-np.arange(0, head, 2, dtype=np.float64) / head)
    angle = np.arange(positions)[:, None] * frequency[None, :]
    return np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)


def decoder(config: dict[str, Any], weights: Weights, matrices: dict[str, Matrix]) -> ModelProto:
    """The graph from embeddings to the logits of the wanted rows."""
    graph = Graph(weights)
    epsilon, layers = config["rms_norm_eps"], config["num_hidden_layers"]
    residual = "embeddings"
    normed = graph.norm(residual, "layers.0.norm1", "l0.norm1", epsilon)
    for i in range(layers):
        attended = attention(graph, config, matrices, normed, i)
        normed, residual = graph.skip_norm(attended, residual, f"layers.{i}.norm2", f"l{i}.norm2", epsilon)
        fed = feed_forward(graph, matrices, normed, i)
        if i + 1 < layers:
            following = f"layers.{i + 1}.norm1"
            normed, residual = graph.skip_norm(fed, residual, following, f"l{i + 1}.norm1", epsilon)
    summed = graph.node("Add", [fed, residual], ["last.sum"])
    wanted = graph.node("Gather", [summed, "rows"], ["last.rows"], axis=1)
    states = graph.norm(wanted, "norm", "states", epsilon)
    # In the same session as the rest: a second session's spinning threads made each step twice as slow.
    graph.matmul(states, matrices["embedding"], "logits")
    return graph.model(*signature(config))


def attention(graph: Graph, config: dict[str, Any], matrices: dict[str, Matrix], source: str, i: int) -> str:
    """Grouped-query attention with rotary positions and the cache of layer i."""
    packed = graph.matmul(source, matrices[f"layers.{i}.qkv"], f"l{i}.qkv")
    inputs = [packed, "", "", f"past.{i}.key", f"past.{i}.value", "last", "total"]
    inputs += [graph.use("cosines"), graph.use("sines"), "positions", "bias"]
    out = graph.node(
        "GroupQueryAttention", inputs, [f"l{i}.attended", f"present.{i}.key", f"present.{i}.value"], domain=MS,
        num_heads=config["num_attention_heads"], kv_num_heads=config["num_key_value_heads"], do_rotary=1,
    )  # fmt: skip
    return graph.matmul(out, matrices[f"layers.{i}.out"], f"l{i}.out")


def feed_forward(graph: Graph, matrices: dict[str, Matrix], source: str, i: int) -> str:
    """silu(gate) * up, then down; QuickGelu with alpha 1 is silu in one node."""
    gate = graph.matmul(source, matrices[f"layers.{i}.gate"], f"l{i}.gate")
    up = graph.matmul(source, matrices[f"layers.{i}.up"], f"l{i}.up")
    active = graph.node("QuickGelu", [gate], [f"l{i}.silu"], domain=MS, alpha=1.0)
    product = graph.node("Mul", [active, up], [f"l{i}.product"])
    return graph.matmul(product, matrices[f"layers.{i}.down"], f"l{i}.down")


def signature(config: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """(inputs, outputs) of the decoder."""
    real, long, short = TensorProto.FLOAT, TensorProto.INT64, TensorProto.INT32
    cache = [1, config["num_key_value_heads"], "capacity", config["head_dim"]]
    make = helper.make_tensor_value_info
    inputs = [
        make("embeddings", real, [1, "tokens", config["hidden_size"]]),
        make("positions", long, [1, "tokens"]),
        make("bias", real, [1, 1, "tokens", "seen"]),
        make("last", short, [1]),
        make("total", short, [1]),
        make("rows", long, ["wanted"]),
    ]
    outputs = [make("logits", real, [1, "wanted", config["vocab_size"]])]
    for i in range(config["num_hidden_layers"]):
        for part in ("key", "value"):
            inputs.append(make(f"past.{i}.{part}", real, cache))
            outputs.append(make(f"present.{i}.{part}", real, cache))
    return inputs, outputs
