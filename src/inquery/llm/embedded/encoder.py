"""The question encoder: Chinese and English questions as vectors of one space, from a table of features."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from inquery.errors import ModelMissing
from inquery.knowledge.embedders import Embedder, register_embedder
from inquery.llm.embedded.features import features
from inquery.llm.embedded.weights import PACKAGED, damaged_files, read_info
from inquery.settings import Settings

Array = np.ndarray[Any, np.dtype[np.float32]]
NAME = "inquery-encoder"


@lru_cache(maxsize=65536)
def signs(feature: str, dim: int) -> Array:
    """Plus and minus ones from a hash: the vector of a feature that has no row."""
    digest = hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=dim // 8).digest()
    made: Array = np.unpackbits(np.frombuffer(digest, dtype=np.uint8)).astype(np.float32) * 2 - 1
    made.setflags(write=False)
    return made


class FeatureTable:
    """Features with a row each, eight bits a number; others are hashed, with one weight a kind."""

    def __init__(self, names: Sequence[str], rows: Any, scales: Array, hashed: Mapping[str, float]) -> None:
        self.place = {name: number for number, name in enumerate(names)}
        self.rows = rows
        self.scales = scales
        self.dim: int = rows.shape[1]
        self.hashed = {kind: weight / self.dim**0.5 for kind, weight in hashed.items()}

    @classmethod
    def load(cls, folder: Path, config: Mapping[str, Any]) -> FeatureTable:
        """The table of a model folder."""
        with np.load(folder / "table.npz", allow_pickle=False) as stored:
            names = stored["names"].tobytes().decode("utf-8").split("\n")
            return cls(names, stored["rows"], stored["scales"].astype(np.float32), config["hashed"])

    def embed(self, texts: Sequence[str]) -> Array:
        """One row of unit length a text; a text without a letter or digit is the zero vector."""
        made = np.zeros((len(texts), self.dim), dtype=np.float32)
        for number, text in enumerate(texts):
            self._add(text, made[number])
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        made /= np.where(lengths > 0, lengths, 1)
        return made

    def _add(self, text: str, into: Array) -> None:
        places, weights = [], []
        for name, weight in features(text):
            place = self.place.get(name)
            if place is None:
                into += signs(name, self.dim) * (weight * self.hashed[name[0]])
            else:
                places.append(place)
                weights.append(weight)
        if places:
            into += (np.array(weights, dtype=np.float32) * self.scales[places]) @ self.rows[places].astype(np.float32)


class QuestionEncoder:
    """The packaged encoder behind knowledge's Embedder; the table is read at the first text."""

    quick = True

    def __init__(self, folder: Path | None = None) -> None:
        self._info = read_info(folder or PACKAGED / NAME)
        self.name = f"{self._info.name}-{self._info.digest}"
        self.dim: int = self._info.config["dim"]
        self.threshold: float | None = self._info.config.get("threshold")
        """How alike two questions with equal slots must be for L2; config.json says at which rate of false hits."""
        self._table: FeatureTable | None = None
        self._loading = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Array:
        """One row of unit length a text."""
        with self._loading:
            if self._table is None:
                self._table = self._load()
        return self._table.embed(texts)

    def _load(self) -> FeatureTable:
        if wrong := damaged_files(self._info):
            raise ModelMissing(f"{self._info.folder}: {wrong} damaged", reason=self._info.name)
        return FeatureTable.load(self._info.folder, self._info.config)


def register_encoder() -> None:
    """Let `knowledge.embedder = embedded` mean this encoder, where its weights are at hand."""
    if (PACKAGED / NAME / "config.json").is_file():
        register_embedder("embedded", _make)


def _make(settings: Settings) -> Embedder:
    return QuestionEncoder()
