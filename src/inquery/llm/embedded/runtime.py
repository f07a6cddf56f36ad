"""The decoder on onnxruntime: prompts with a prefix cache, branches that share it, exact logits.

One prompt has one buffer of keys and values. Everything written after the prompt is a tree in that buffer: a
`Branch` names the slots it sees, and a mask hides the others. So beams cost no copies, branches of different
lengths go through the model in one call, and many continuations are scored together.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from inquery.errors import ModelMissing
from inquery.llm.embedded.prefixes import current_prefixes

Array = np.ndarray[Any, Any]
HIDDEN = np.float32(-1e9)
ROOM = 256
STEP = 128
ROWS = 96
"""Tokens scored in one call: each has a row of logits, 200 kB twice."""
KEPT_STATES = 4
KEPT_TOKENS = 1536
"""Slots of all kept buffers together; a slot is 46 kB."""
PIECE = 256
"""Tokens of a prompt read in one call."""
M_MMAP_THRESHOLD = -3
"""As malloc.h numbers it."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A path behind a prompt: the slots of its own tokens and the position of the next one."""

    slots: tuple[int, ...]
    position: int


class PromptState:
    """One prompt in the model: its tokens, the buffer behind it and the logits after it."""

    def __init__(self, model: Model, capacity: int) -> None:
        self.model = model
        self.tokens: tuple[int, ...] = ()
        self.used = 0
        self.busy = True
        self.reusable = False
        self.logits: Array = np.empty(0, np.float32)
        self.buffer = model.new_buffer(capacity)
        self.binding = model.bind(self.buffer)

    @property
    def capacity(self) -> int:
        """Slots of the buffer."""
        return int(self.buffer.shape[-2])

    @property
    def room(self) -> int:
        """Tokens that may still be written behind the prompt, all branches together."""
        return self.model.positions - self.used

    @property
    def root(self) -> Branch:
        """The empty path behind the prompt."""
        return Branch((), len(self.tokens))

    def reserve(self, slots: int) -> None:
        """Make room for that many slots in all, keeping what is there."""
        if slots <= self.capacity:
            return
        old = self.buffer
        self.buffer = self.model.new_buffer(slots + ROOM)
        self.buffer[..., : self.used, :] = old[..., : self.used, :]
        self.binding = self.model.bind(self.buffer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.model.release(self)


class Model:
    """The weights of one folder, ready to run; safe to share between threads."""

    def __init__(self, folder: Path, config: dict[str, Any], session: Any) -> None:
        self.folder = folder
        self.config = config
        self.shape: dict[str, Any] = config["shape"]
        self.positions: int = config["positions"]
        self.end: int = self.shape["eos_token_id"]
        self._session = session
        self._lock = threading.RLock()
        self._kept: list[PromptState] = []
        self._levels, self._scales = (self._mapped(name) for name in ("embedding", "embedding.scale"))
        self.calls = 0

    @classmethod
    def load(cls, folder: Path, *, threads: int = 0) -> Model:
        """Open a model folder; raises ModelMissing when a file is not there."""
        import onnxruntime

        for name in ("config.json", "decoder.onnx", "weights.bin"):
            if not (folder / name).is_file():
                raise ModelMissing(f"{folder} has no {name}", reason=f"{folder.name}: {name}")
        map_large_blocks()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or default_threads()
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Its arena keeps the largest of every size it has seen: 80 MB more after fifty questions, no faster.
        options.enable_cpu_mem_arena = False
        # Spinning wins 3 ms of 14 a step on idle cores and loses 20 on busy ones.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = onnxruntime.InferenceSession(
            str(folder / "decoder.onnx"), options, providers=["CPUExecutionProvider"]
        )
        return cls(folder, json.loads((folder / "config.json").read_text("utf-8")), session)

    def prefill(self, tokens: Sequence[int], *, keep: int = 0) -> PromptState:
        """The state after a prompt; use it in `with`, or `release` it.

        The first `keep` tokens (the schema) are computed apart and served from the cache when an earlier prompt
        began with the same ones, so that a warm answer is bit for bit the cold one.
        """
        wanted = tuple(tokens)
        if not 0 <= keep < len(wanted):
            raise ValueError("keep must leave at least one token of the prompt")
        if len(wanted) > self.positions - STEP:
            raise ValueError(f"the prompt has {len(wanted)} tokens, the model sees {self.positions}")
        with self._lock:
            state = self._state_for(wanted[:keep], len(wanted))
            if keep and not state.used:
                self._read_prefix(state, wanted[:keep])
            state.logits = self._append(state, wanted[keep:])
            state.tokens, state.reusable = wanted, keep > 0
        return state

    def extend(
        self, state: PromptState, grown: Sequence[tuple[Branch, Sequence[int]]], *, every: bool = False
    ) -> tuple[list[Branch], Array]:
        """Grow branches by tokens in one call: the new branches and the logits after each.

        With `every` there is a row of logits after each token, not only after each branch's last.
        """
        with self._lock:
            count = sum(len(new) for _, new in grown)
            state.reserve(state.used + count)
            made, positions, bias = lay_out(state, grown)
            last = np.cumsum([len(new) for _, new in grown]) - 1
            flat = [token for _, new in grown for token in new]
            return made, self._run(state, flat, positions, bias, np.arange(count) if every else last)

    def score(self, state: PromptState, continuations: Sequence[Sequence[int]]) -> list[float]:
        """The log-probability of each continuation of the prompt, several in one call."""
        if not continuations or not all(continuations):
            raise ValueError("a continuation has at least one token")
        scores = [float(log_softmax(state.logits)[tokens[0]]) for tokens in continuations]
        longer = [i for i, tokens in enumerate(continuations) if len(tokens) > 1]
        for some in _batches(longer, [len(tokens) for tokens in continuations]):
            _, logits = self.extend(state, [(state.root, continuations[i][:-1]) for i in some], every=True)
            row = 0
            for i in some:
                for token in continuations[i][1:]:
                    scores[i] += float(log_softmax(logits[row])[token])
                    row += 1
        return scores

    def release(self, state: PromptState) -> None:
        """Give a state back; a prompt with a part worth keeping stays cached while there is room."""
        with self._lock:
            if not state.busy:
                return
            state.busy = False
            if not state.reusable:
                return
            state.used = len(state.tokens)
            self._kept.insert(0, state)
            total = 0
            for place, kept in enumerate(self._kept):
                total += kept.capacity
                # The one used last stays, however large it is.
                if place >= KEPT_STATES or (place and total > KEPT_TOKENS):
                    del self._kept[place:]
                    break

    def _state_for(self, prefix: tuple[int, ...], length: int) -> PromptState:
        """A state that holds `prefix` when one is kept, else an empty one."""
        room = -(-(length + ROOM) // STEP) * STEP
        for state in self._kept:
            if prefix and state.tokens[: len(prefix)] == prefix:
                # No more than the prefix, even where the next tokens agree: read in other pieces, sums round
                # otherwise, and a warm answer has to be the cold one to the last bit.
                self._kept.remove(state)
                state.busy, state.used, state.tokens = True, len(prefix), prefix
                state.reserve(length)
                return state
        return PromptState(self, room)

    def _read_prefix(self, state: PromptState, tokens: tuple[int, ...]) -> None:
        """Bring the first tokens into an empty state: from disk where this run keeps prefixes there."""
        prefixes = current_prefixes()
        if prefixes is not None and prefixes.read(state, tokens):
            state.used = len(tokens)
            return
        self._append(state, tokens)
        if prefixes is not None:
            prefixes.add(state, tokens)

    def _append(self, state: PromptState, tokens: tuple[int, ...]) -> Array:
        """Run prompt tokens behind what the state holds: the logits after the last.

        In pieces, since the scores of attention are as many as the tokens of a piece times all before them.
        """
        state.reserve(state.used + len(tokens))
        for at in range(0, len(tokens), PIECE):
            some = tokens[at : at + PIECE]
            start, end = state.used, state.used + len(some)
            # Nothing is hidden: the operator is causal by itself, and a prompt has no other branches.
            bias = np.zeros((len(some), end), np.float32)
            logits: Array = self._run(state, some, np.arange(start, end), bias, np.array([len(some) - 1]))[0]
        return logits

    def _run(self, state: PromptState, tokens: Sequence[int], positions: Array, bias: Array, rows: Array) -> Array:
        """One call of the graph; logits [rows, vocabulary]."""
        total = state.used + len(tokens)
        if int(positions.max()) >= self.positions:
            raise ValueError(f"the model sees {self.positions} tokens")
        feeds = {
            "embeddings": self._embed(tokens)[None],
            "positions": positions[None].astype(np.int64),
            "bias": bias[None, None],
            "last": np.array([total - 1], np.int32),
            "total": np.array([total], np.int32),
            "rows": rows.astype(np.int64),
        }
        for name, value in feeds.items():
            state.binding.bind_cpu_input(name, value)
        state.binding.bind_output("logits", "cpu")
        self._session.run_with_iobinding(state.binding)
        state.used = total
        self.calls += 1
        logits: Array = state.binding.get_outputs()[0].numpy()[0]
        return logits

    def _embed(self, tokens: Sequence[int]) -> Array:
        """Rows of the embedding, which lies in the weight file once and serves as the output matrix too."""
        picked = np.asarray(tokens)
        centred = self._levels[picked].astype(np.float32) - 128
        whole: Array = centred * self._scales[picked].astype(np.float32)[:, :, None]
        return whole.reshape(len(picked), -1)

    def _mapped(self, name: str) -> Array:
        """A tensor of the weight file, mapped."""
        where = self.config["embedding"][name]
        return np.memmap(
            self.folder / "weights.bin", np.dtype(where["dtype"]), "r", where["offset"], tuple(where["shape"])
        )

    def new_buffer(self, capacity: int) -> Array:
        """Keys and values of every layer; pages are only touched when used."""
        layers, heads, size = (self.shape[k] for k in ("num_hidden_layers", "num_key_value_heads", "head_dim"))
        return np.zeros((layers, 2, 1, heads, capacity, size), np.float32)

    def bind(self, buffer: Array) -> Any:
        """Bind past and present of every layer to the same memory, so that steps append in place."""
        import onnxruntime

        binding = self._session.io_binding()
        binding.bind_output("logits", "cpu")
        for layer in range(buffer.shape[0]):
            for half, part in enumerate(("key", "value")):
                shared = onnxruntime.OrtValue.ortvalue_from_numpy(buffer[layer, half])
                binding.bind_ortvalue_input(f"past.{layer}.{part}", shared)
                binding.bind_ortvalue_output(f"present.{layer}.{part}", shared)
        return binding


def lay_out(state: PromptState, grown: Sequence[tuple[Branch, Sequence[int]]]) -> tuple[list[Branch], Array, Array]:
    """(the grown branches, positions, mask) of new tokens placed in the next free slots, branch after branch."""
    start, count = state.used, sum(len(new) for _, new in grown)
    bias = np.full((count, start + count), HIDDEN, np.float32)
    bias[:, : len(state.tokens)] = 0
    made: list[Branch] = []
    positions: list[int] = []
    for branch, new in grown:
        row, size = len(positions), len(new)
        bias[row : row + size, list(branch.slots)] = 0
        bias[row : row + size, start + row : start + row + size] = np.triu(np.full((size, size), HIDDEN, np.float32), 1)
        made.append(Branch((*branch.slots, *range(start + row, start + row + size)), branch.position + size))
        positions += range(branch.position, branch.position + size)
    return made, np.array(positions), bias


def _batches(numbers: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """The numbers in order, as many at a time as have no more than ROWS tokens together, at least one."""
    made: list[list[int]] = []
    used = ROWS
    for number in numbers:
        if used + sizes[number] > ROWS:
            made.append([])
            used = 0
        made[-1].append(number)
        used += sizes[number]
    return made


def map_large_blocks() -> None:
    """Have blocks of a megabyte mapped and handed back when freed: glibc learns to keep those of 32 MB for itself.

    50 to 80 MB less at the peak of twenty questions, and the same at every run, for one part in twenty of the time.
    """
    tune = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if tune is not None:
        tune(M_MMAP_THRESHOLD, 1 << 20)


def give_back() -> None:
    """Hand freed memory back to the system, where its library can: glibc keeps 150 MB of it after a few questions."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def default_threads() -> int:
    """Cores this process may use, at most four: more only adds waiting at this size."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(4, usable))


def log_softmax(logits: Array) -> Array:
    """Log-probabilities over the last axis."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    result: Array = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return result
