"""Write the trained table as a model folder: eight bits a number, names as one text, a config with what it holds."""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from inquery.llm.embedded.encoder import NAME, FeatureTable
from inquery.llm.embedded.features import KINDS

if TYPE_CHECKING:
    from training.encoder.data import Vocabulary
    from training.encoder.train import Table


def quantised(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers from -127 to 127 and the scale of each row."""
    scales = (np.abs(rows).max(axis=1) / 127).astype(np.float16)
    steps = np.where(scales > 0, scales.astype(np.float32), 1)
    return np.clip(np.rint(rows / steps[:, None]), -127, 127).astype(np.int8), scales


def export(table: Table, vocabulary: Vocabulary, args: argparse.Namespace, folder: Path | None = None) -> FeatureTable:
    """The encoder as it will run; written when a folder is given."""
    import torch

    with torch.no_grad():
        rows = table.rows(torch.arange(len(vocabulary.names))).numpy()
        hashed = {kind: round(float(weight), 4) for kind, weight in zip(KINDS, table.hashed_weight.exp(), strict=True)}
    numbers, scales = quantised(rows)
    if folder:
        write(
            folder, {"names": vocabulary.names, "rows": numbers, "scales": scales}, {"dim": args.dim, "hashed": hashed}
        )
    return FeatureTable(vocabulary.names, numbers, scales.astype(np.float32), hashed)


def write(folder: Path, arrays: dict[str, Any], config: dict[str, Any]) -> None:
    """table.npz and config.json."""
    folder.mkdir(parents=True, exist_ok=True)
    names = np.frombuffer("\n".join(arrays["names"]).encode("utf-8"), dtype=np.uint8)
    np.savez_compressed(folder / "table.npz", names=names, rows=arrays["rows"], scales=arrays["scales"])
    stored = (folder / "table.npz").read_bytes()
    files = {"table.npz": {"bytes": len(stored), "sha256": hashlib.sha256(stored).hexdigest()}}
    made = {"name": NAME, "kind": "encoder", "version": 1, **config, "files": files}
    (folder / "config.json").write_text(json.dumps(made, indent=1) + "\n", "utf-8")
