"""The encoder's training on a handful of questions: it learns them, and what it exports is what runs."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the training extra: make test-training")

from training.encoder.alter import altered, opposite, other_number, other_value  # noqa: E402
from training.encoder.evaluate import near_misses, retrieval, sets, threshold  # noqa: E402
from training.encoder.prepare import spider  # noqa: E402
from training.encoder.train import arguments, train  # noqa: E402
from training.spider import digest_of  # noqa: E402

from inquery.llm.embedded.encoder import QuestionEncoder  # noqa: E402

THINGS = (("ship", "船"), ("tree", "树"), ("song", "歌"), ("bridge", "桥"), ("horse", "马"), ("river", "河"))
MEASURES = (("oldest", "最老的"), ("tallest", "最高的"), ("heaviest", "最重的"), ("longest", "最长的"))


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def data(tmp_path: Path) -> dict[str, Path]:
    """Questions of two splits over the same words, their Chinese, groups and word vectors."""
    questions: list[dict[str, object]] = []
    chinese: list[dict[str, object]] = []
    for number, ((thing, zh), (most, zh_most)) in enumerate((t, m) for t in THINGS for m in MEASURES):
        split = "tune" if number % 3 == 0 else "train"
        row = {"db_id": f"d{number % 2}", "split": split, "query": f"select {thing} {most}"}
        english = f"Which {thing} is the {most}?"
        questions.append({**row, "question": english, "paraphrase": f"Show me the {most} {thing}"})
        wording = f"{zh_most}{zh}是哪个？"
        chinese.append({"db_id": row["db_id"], "english": digest_of(english), "chinese": wording})
    files = {"spider": write(tmp_path / "q.jsonl", questions), "chinese": write(tmp_path / "zh.jsonl", chinese)}
    files["groups"] = write(tmp_path / "groups.jsonl", list(spider(files["spider"], files["chinese"])))
    words = [word for pair in (*THINGS, *MEASURES) for word in pair[:1]]
    vectors = np.random.default_rng(1).normal(size=(len(words), 48)).astype(np.float16)
    np.savez(tmp_path / "words.npz", words=np.array(words), vectors=vectors)
    return {**files, "words": tmp_path / "words.npz", "out": tmp_path / "model"}


def test_groups_hold_the_train_split_only(data: dict[str, Path]) -> None:
    texts = {text for group in spider(data["spider"], data["chinese"]) for text in group["texts"]}
    pool, kinds = sets(data["spider"], data["chinese"])
    assert len(pool) == 8
    assert texts.isdisjoint(pool)
    assert texts.isdisjoint(text for queries in kinds.values() for text, _ in queries)


def test_a_short_training_learns_and_exports_what_runs(data: dict[str, Path]) -> None:
    given = [word for name, path in data.items() for word in (f"--{name}", str(path))]
    options = arguments().parse_args(
        [*given, "--dim", "32", "--steps", "60", "--every", "20", "--batch", "16", "--threads", "1"]
    )
    measured = train(options)
    assert measured[-1]["loss"] < measured[0]["loss"]
    encoder = QuestionEncoder(data["out"])
    found = retrieval(encoder, data["spider"], data["chinese"])
    assert {kind: each["rank_1"] for kind, each in found.items()} == {kind: measured[-1][kind] for kind in found}
    assert found["zh_en"]["rank_1"] >= 60
    limits = threshold(encoder, data["spider"], data["chinese"], 0.01)
    assert all(limit["false_hit_rate"] <= 0.01 for limit in limits.values())
    assert near_misses(encoder, data["spider"], data["chinese"], {"limit": 0.9})["same"]["n"] == 8


def test_twins_differ_in_one_thing() -> None:
    rng = random.Random(1)
    assert other_number("over 30 km", rng) not in ("", "over 30 km")
    assert opposite("the most expensive", rng) == "the least expensive"
    assert other_value("stores in Rome", ["Oslo"], rng) == "stores in Oslo"
    assert altered("show it", ["Oslo"], rng) == ""
