"""Retrieval on tune: a paraphrase or a Chinese wording must find its question among all with distinct SQL.

    python -m training.encoder.evaluate --spider questions.jsonl [--encoder NAME] [--write]

NAME is packaged, hashed, minilm=FOLDER or a model folder.
"""

from __future__ import annotations

import argparse
import json
import random
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from inquery.cache.calibrate import calibrate
from inquery.knowledge.embedders import HashedEmbedder
from inquery.language.text import has_cjk
from inquery.llm.embedded.encoder import QuestionEncoder
from training.encoder.alter import opposite, other_number, other_value, values_of
from training.encoder.prepare import spider as spider_groups
from training.encoder.words import encode as mean_pooled
from training.spider import CHINESE, chinese_by_line, read_questions

Queries = list[tuple[str, int]]


class Encoder(Protocol):
    """Anything that makes unit vectors."""

    def embed(self, texts: list[str]) -> Any:
        """One row a text."""


def sets(spider: Path, chinese: Path, split: str = "tune") -> tuple[list[str], dict[str, Queries]]:
    """The pool, the first question of each query, and the queries of each kind with the place of their answer."""
    asked = read_questions(spider)
    in_chinese = chinese_by_line(asked, chinese)
    place: dict[str, int] = {}
    pool: list[str] = []
    found: dict[str, Queries] = {"en_en": [], "en_en_any": [], "en_other": [], "zh_en": []}
    for number, row in enumerate(asked):
        if row["split"] != split:
            continue
        first = row["query"] not in place
        if first:
            place[row["query"]] = len(pool)
            pool.append(row["question"])
        at = place[row["query"]]
        if row["paraphrase"]:
            found["en_en_any"].append((row["paraphrase"], at))
            found["en_en"] += [(row["paraphrase"], at)] if first else []
        if not first and row["question"] != pool[at]:
            found["en_other"].append((row["question"], at))
        if number in in_chinese:
            found["zh_en"].append((in_chinese[number], at))
    return pool, {kind: queries for kind, queries in found.items() if queries}


def retrieval(encoder: Encoder, spider: Path, chinese: Path) -> dict[str, dict[str, float]]:
    """How often the answer is first, and among the first five, in percent.

    en_en: paraphrases of the pool's own questions; en_en_any: also of other questions with the same SQL; en_other: those
    questions themselves; zh_en: Chinese wordings. A tie counts against the encoder.
    """
    pool, kinds = sets(spider, chinese)
    vectors = encoder.embed(pool)
    made = {}
    for kind, queries in kinds.items():
        cosines = encoder.embed([text for text, _ in queries]) @ vectors.T
        answers = np.array([at for _, at in queries])
        right = cosines[np.arange(len(answers)), answers]
        rank = (cosines >= right[:, None]).sum(1)
        made[kind] = {
            "n": len(queries),
            "rank_1": round(float((rank == 1).mean()) * 100, 1),
            "rank_5": round(float((rank <= 5).mean()) * 100, 1),
        }
    return made


def near_misses(encoder: Encoder, spider: Path, chinese: Path, levels: dict[str, float]) -> dict[str, dict[str, float]]:
    """The share of tune questions that reach each level with a twin of another number, value or direction, in percent.

    Beside them, the share of true pairs of one language (`same`) that reach it. Slots are not compared here: this is
    what the vectors alone would let through.
    """
    rng = random.Random(1)
    texts = [text for group in spider_groups(spider, chinese, "tune") for text in group["texts"]]
    values = sorted({value for text in texts for value in values_of(text)})
    twins = {
        "number": [(text, other_number(text, rng)) for text in texts],
        "value": [(text, other_value(text, values, rng)) for text in texts],
        "direction": [(text, opposite(text, rng)) for text in texts],
        "same": [
            pair for group in spider_groups(spider, chinese, "tune") for pair in pairwise(english(group["texts"]))
        ],
    }
    made = {}
    for kind, pairs in twins.items():
        kept = [(one, other) for one, other in pairs if other and one != other]
        if not kept:
            continue
        cosines = (encoder.embed([one for one, _ in kept]) * encoder.embed([other for _, other in kept])).sum(1)
        reached = {name: round(float((cosines >= level).mean()) * 100, 1) for name, level in levels.items()}
        made[kind] = {"n": len(kept), "median": round(float(np.median(cosines)), 3), **reached}
    return made


def english(texts: list[str]) -> list[str]:
    """The texts without a Chinese character."""
    return [text for text in texts if not has_cjk(text)]


def threshold(encoder: Encoder, spider: Path, chinese: Path, rate: float) -> dict[str, dict[str, float]]:
    """L2's threshold for a rate of false hits among questions with equal slots: on tune, and on the cache's own bench.

    The bench is harsher (each question is one noun away from others); the stricter of the two is the one to keep.
    """
    groups = spider_groups(spider, chinese, "tune")
    asked = [(text, str(number)) for number, group in enumerate(groups) for text in group["texts"]]
    kinds = {"tune": asked, "bench": None}
    return {kind: asdict(calibrate(encoder, given, false_hits=rate)) for kind, given in kinds.items()}  # type: ignore[arg-type]


def open_encoder(name: str) -> Encoder:
    """hashed, minilm=FOLDER, packaged, or a model folder."""
    if name == "hashed":
        return HashedEmbedder()
    if name.startswith("minilm="):
        return SentenceModel(Path(name.removeprefix("minilm=")))
    return QuestionEncoder(None if name == "packaged" else Path(name))


class SentenceModel:
    """A BERT-like sentence model, for comparison."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def embed(self, texts: list[str]) -> Any:
        """Mean-pooled unit vectors."""
        made = mean_pooled(self.folder, list(texts))
        return made / np.linalg.norm(made, axis=1, keepdims=True)


def main() -> None:
    """Print the figures of an encoder; `--write` stores its threshold in its config."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spider", type=Path, required=True)
    parser.add_argument("--chinese", type=Path, default=CHINESE)
    parser.add_argument("--encoder", default="packaged")
    parser.add_argument("--false-hits", type=float, default=0.01)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    encoder = open_encoder(args.encoder)
    found = retrieval(encoder, args.spider, args.chinese)
    limits = threshold(encoder, args.spider, args.chinese, args.false_hits)
    limit = max(each["threshold"] for each in limits.values())
    levels = {"at 0.95": 0.95, "on tune": limits["tune"]["threshold"], "kept": limit}
    missed = near_misses(encoder, args.spider, args.chinese, levels)
    print(json.dumps({"retrieval": found, "calibration": limits, "near_misses": missed}, indent=1))
    if args.write:
        config = Path(args.encoder) / "config.json"
        stored = json.loads(config.read_text("utf-8"))
        stored |= {"threshold": limit, "false_hits": args.false_hits, "calibration": limits, "retrieval": found}
        config.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
