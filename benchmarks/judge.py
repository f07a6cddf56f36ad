"""Fits the judge of answers, and says how far its confidence can be trusted.

    python -m benchmarks.judge collect --out rows.jsonl [--questions FILE --databases DIR --name "real systems"]…
    python -m benchmarks.judge fit rows.jsonl… [--write]       figures with whole databases left out; --write keeps the judge
    python -m benchmarks.judge figures rows.jsonl…             the same figures of the judge as it is

Questions are asked through the graph as people ask them, of databases that no writer was trained on: those of
benchmarks/data/unseen.jsonl, the business databases and the systems that are held out of training, and further files in
the shape that `inquery eval product` reads. Each is asked in one of its languages; questions about other databases stand
for what cannot be answered. What the writer wrote is kept beside the rows, so that a second run takes minutes.

The fit is logistic with the signs of its weights held to what they mean, figures are of databases that were left out.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import hashlib
import json
import tempfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from benchmarks.machine import RESULTS, facts, keep
from benchmarks.recall import UNSEEN, described
from training.business import SPECS
from training.descriptions import specs
from training.seeds import is_held
from training.systems import FOLDER as SYSTEMS
from training.systems import FOR_VERDICTS, TODAY, find_files, read_systems
from training.systems import build as build_system

from inquery.agents.truth.judge import BROKEN, FILE, bent, shipped_judge
from inquery.evals.product import (
    Item,
    Language,
    Outcome,
    calibration_error,
    coverage,
    measure_answers,
    ranking_quality,
    read_items,
)
from inquery.llm.embedded.form_writer import EmbeddedWriter
from inquery.llm.embedded.weights import find_model
from inquery.llm.writer import Candidate, Failure, Signs, WriteRequest
from inquery.settings import AnswersSettings, Settings

Row = dict[str, Any]
UNANSWERABLE = UNSEEN.with_name("unanswerable.jsonl")
FOLDS = 10
PENALTY = 20.0
OTHERS = 1.0
"""How much a candidate counts in the fit that votes would not have taken."""
COUNTED: Mapping[str, float] = {"systems": 6.0}
"""How much a set's answers count: databases of strangers are like these, and there are fewest of them to fit on. This and the
penalty are those by which a fit without real databases says best how often answers over them are right."""
STRANGERS = 2
"""Questions about another database that each one is asked."""
RISKS = (0.05, 0.1, 0.15, 0.2)
SURELY = 0.1
"""How often a promise may fail to hold, over databases like those it was fitted on."""

# What a feature must not be taken to mean: +1 where more of it can only speak for an answer, -1 against, 0 free.
SIGNS: Mapping[str, int] = {
    "logprob": 1, "least": 1, "forced": 1, "a_word": 1, "again": 1, "share": 1, "agreement": 1, "gap": 1, "others": -1,
    "repairs": -1, "assumptions": -1, "left_open": -1, "warnings": -1, "samples": 1, "metrics": 0,
    "tables": -1, "undeclared": -1, "guessed": -1, "cryptic": -1, "crossed": -1, "length": -1, "chinese": -1, "words": -1,
    "nothing": -1, "verdict": 1,
    "empty": -1, "blank": -1, "zero": -1, "one_row": 0, "rows": 0, "wide": -1, "repeats": -1, "same_name": -1,
    "all_equal": -1, "cut": -1, "holes": -1,
    "read": -1, "weak_join": -1, "unjoined": -1, "choices": -1, "conditions": 0, "nested": -1, "star": -1, "grouped": 0,
    "ranked": 0, "limited": 0, "aggregates": 0, "fan_out": -1, "ranks": -1, "keys_shown": -1, "shown": 0,
    "lost": -1, "lost_words": -1, "values_lost": -1, "values_kept": 1, "invented": -1, "period_lost": -1,
    "unsaid_tables": -1, "unsaid_columns": -1, "unsaid_shown": -1, "unsaid_measured": -1, "unsaid_filtered": -1,
    "ignored": -1, "broken": -1,
}  # fmt: skip
OF_THE_WRITER = ("nothing", "verdict", "logprob", "least", "forced", "a_word", "again", "words")
"""Features that only a writer with probabilities has."""
SHIFT = ("tables", "cryptic", "length")
"""Features that say how far a database lies from those of the fit; a promise holds within their range."""


@dataclass
class KeptWriter:
    """The embedded writer; what it wrote for a question over a schema is kept and not written again."""

    file: Path
    kept: dict[str, list[Row]] = field(default_factory=dict)
    live: EmbeddedWriter | None = None

    def __post_init__(self) -> None:
        if self.file.exists():
            for line in self.file.read_text("utf-8").splitlines():
                row = json.loads(line)
                self.kept[row["key"]] = row["candidates"]

    async def write(self, request: WriteRequest) -> list[Candidate]:
        """Candidates as the packaged model wrote them."""
        return await self._known(request, None)

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        """The same after a failure."""
        return await self._known(request, failed)

    async def _known(self, request: WriteRequest, failed: Failure | None) -> list[Candidate]:
        shown = [(table.full_name, [(c.name, c.comment) for c in table.columns]) for table in request.schema.tables]
        # Joins and the order of columns are shown as well: a found join had gone on with what was written without it.
        joins = sorted(str((join.ends, join.condition)) for join in request.schema.joins)
        asked: list[object] = [request.question, shown, joins, request.schema.relevance]
        asked += [[asdict(v) for v in request.values], request.n, failed.sql if failed else ""]
        key = hashlib.sha256(json.dumps(asked, ensure_ascii=False, default=str).encode()).hexdigest()[:24]
        if key not in self.kept:
            self.live = self.live or EmbeddedWriter.load()
            made = await (self.live.repair(request, failed) if failed else self.live.write(request))
            self.kept[key] = [asdict(candidate) for candidate in made]
            with self.file.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"key": key, "candidates": self.kept[key]}, ensure_ascii=False) + "\n")
        return [
            Candidate(**{**row, "signs": Signs(**row["signs"]) if row["signs"] else None}) for row in self.kept[key]
        ]


def held_systems(out: Path) -> list[Item]:
    """The systems that are held out of training, verdicts included, built in a folder, with their questions."""
    items = []
    for system in read_systems(find_files([SYSTEMS])):
        if not is_held(system.db_id) or system.db_id in FOR_VERDICTS:
            continue
        build_system(system, str(out / f"{system.db_id}.sqlite")).close()
        for question in system.questions:
            golds = (question.sql,) if question.sql else ()
            for language in ("en", "zh"):
                if text := getattr(question, language):
                    items.append(Item(system.db_id, text, golds, cast(Any, language), question.kind))
    return items


def one_language(items: Iterable[Item]) -> list[Item]:
    """Each question in one of its languages, by its place in its database."""
    found: dict[tuple[str, tuple[str, ...], int], list[Item]] = {}
    seen: dict[tuple[str, str], int] = {}
    for item in items:
        at = seen[item.db_id, item.language] = seen.get((item.db_id, item.language), -1) + 1
        found.setdefault((item.db_id, item.golds, at), []).append(item)
    return [each[(zlib.crc32(each[0].db_id.encode()) + at[2]) % len(each)] for at, each in found.items()]


def at_most(items: Sequence[Item], most: int) -> list[Item]:
    """At most so many questions of each database, evenly spaced, what cannot be answered first."""
    found: list[Item] = []
    for name in dict.fromkeys(item.db_id for item in items):
        own = sorted((item for item in items if item.db_id == name), key=lambda item: item.answerable)
        keep = min(most, len(own))
        # Languages take turns: every second question of sixteen was once English alone.
        turns = len(own) % keep == 0 and len(own) // keep % 2 == 0
        found += [own[i * len(own) // keep + (i % 2 if turns else 0)] for i in range(keep)]
    return found


def strangers(items: Sequence[Item]) -> list[Item]:
    """Questions about other databases, which none of these can answer; taken from databases far apart in the list."""
    names = sorted({item.db_id for item in items}, key=lambda name: zlib.crc32(name.encode()))
    by_name = {name: [item for item in items if item.db_id == name and item.answerable] for name in names}
    made = []
    for at, name in enumerate(names):
        others = by_name[names[(at + len(names) // 2) % len(names)]]
        for item in others[at % 3 :: max(len(others) // STRANGERS, 1)][:STRANGERS]:
            made.append(replace(item, db_id=name, golds=(), kind="stranger"))
    return made


def unanswerable(items: Sequence[Item]) -> list[Item]:
    """What people ask of these databases and none of them can say, each in one language."""
    known = {item.db_id for item in items}
    made = []
    for at, line in enumerate(UNANSWERABLE.read_text("utf-8").splitlines()):
        row = json.loads(line)
        language: Language = ("en", "zh")[at % 2]
        if row["db_id"] in known:
            made.append(Item(row["db_id"], row[language], (), language, row["why"]))
    return made


async def collect(
    name: str,
    items: Sequence[Item],
    folder: Path,
    writer: KeptWriter,
    today: str,
    out: Path,
    dictionaries: Path | None = None,
) -> None:
    """Ask and keep a row of each question."""
    # Guesses are shown too: a judge that never saw how they end could not say so of the next ones.
    settings = Settings(answers=AnswersSettings(promise=0, least=0))
    if today:
        settings = settings.model_copy(update={"today": datetime.date.fromisoformat(today)})

    def told(outcome: Outcome, done: int, total: int) -> None:
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"set": name, **asdict(outcome)}, ensure_ascii=False) + "\n")
        if done % 50 == 0 or done == total:
            print(f"{name}: {done} of {total}", flush=True)

    await measure_answers(items, folder, settings, told, writer=writer, dictionaries=dictionaries)


def read_rows(files: Iterable[Path]) -> list[Row]:
    """The rows of files; what was declined is told apart, what failed has no evidence."""
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def judged(rows: Iterable[Row]) -> list[Row]:
    """Rows that the fitted judge decides on: answered by a writer's statement, not by a plan; candidates as votes rank them."""
    found = [row for row in rows if row["status"] == "answered" and row["evidence"].get("logprob") is not None]
    return [row | {"weighed": sorted(row["weighed"], key=_votes, reverse=True)} for row in found]


def _votes(candidate: Row) -> tuple[float, float]:
    return candidate["evidence"]["agreement"], candidate["evidence"]["share"]


def candidates_of(rows: Iterable[Row]) -> list[Row]:
    """Every candidate that ran; what nobody would have been shown counts less."""
    return [
        {"evidence": each["evidence"], "right": each["right"], "weight": counted(row) * (1.0 if at == 0 else OTHERS)}
        for row in rows
        for at, each in enumerate(row["weighed"])
    ]


def counted(row: Row) -> float:
    """How much an answer counts in the fit."""
    return COUNTED.get(row.get("set", ""), 1.0)


@dataclass(frozen=True)
class Fitted:
    """Weights in spreads of their features."""

    names: Sequence[str]
    ordinary: np.ndarray
    spread: np.ndarray
    weights: np.ndarray
    intercept: float

    def values(self, rows: Sequence[Row]) -> np.ndarray:
        """The logistic value of each row."""
        z = (matrix(rows, self.names) - self.ordinary) / self.spread
        return cast(np.ndarray, 1 / (1 + np.exp(-(np.clip(z, -3, 3) @ self.weights + self.intercept))))


def matrix(rows: Sequence[Row], names: Sequence[str]) -> np.ndarray:
    """Features by rows."""
    return np.array([[float(row["evidence"].get(name, 0.0)) for name in names] for row in rows])


def fit(candidates: Sequence[Row], names: Sequence[str], penalty: float = PENALTY) -> Fitted:
    """Logistic regression with signs held and a penalty on weights, by projected Newton-like steps."""
    x, y = matrix(candidates, names), np.array([float(each["right"]) for each in candidates])
    much = np.array([each["weight"] for each in candidates])
    ordinary = np.average(x, axis=0, weights=much)
    spread = np.sqrt(np.average((x - ordinary) ** 2, axis=0, weights=much))
    spread[spread < 1e-6] = 1.0
    z = np.clip((x - ordinary) / spread, -3, 3)
    signs = np.array([-1 if name.startswith(BROKEN) else SIGNS[name] for name in names])
    share = float(np.average(y, weights=much))
    weights, intercept = np.zeros(len(names)), float(np.log((share + 1e-3) / (1 - share + 1e-3)))
    last = weights.copy()
    # The curvature of the logistic is at most a quarter, so that this step never overshoots.
    curved = (z * much[:, None]).T @ z / 4 + penalty * np.eye(len(names))
    step = 1 / max(float(np.linalg.eigvalsh(curved)[-1]), 1e-9)
    for turn in range(3000):
        momentum = weights + (turn / (turn + 3)) * (weights - last)
        missed = much * (y - 1 / (1 + np.exp(-(z @ momentum + intercept))))
        intercept += float(missed.sum()) * 4 / float(much.sum()) * 0.5
        moved = momentum + step * (z.T @ missed - penalty * momentum)
        moved[(signs > 0) & (moved < 0)] = 0.0
        moved[(signs < 0) & (moved > 0)] = 0.0
        last, weights = weights, moved
        if turn > 50 and np.abs(weights - last).max() < 1e-5:
            break
    return Fitted(names, ordinary, spread, weights, intercept)


def folds_of(rows: Sequence[Row]) -> dict[str, int]:
    """Which part of the databases each is left out with."""
    databases = sorted({row["db_id"] for row in rows}, key=lambda name: zlib.crc32(name.encode()))
    return {name: at % FOLDS for at, name in enumerate(databases)}


def left_out(rows: Sequence[Row], names: Sequence[str], penalty: float) -> list[np.ndarray]:
    """The values of each row's candidates by a fit that never saw its database."""
    fold = folds_of(rows)
    values: list[np.ndarray] = [np.zeros(0)] * len(rows)
    for at in range(FOLDS):
        places = [i for i, row in enumerate(rows) if fold[row["db_id"]] == at]
        if places:
            fitted = fit(candidates_of(row for row in rows if fold[row["db_id"]] != at), names, penalty)
            for i in places:
                values[i] = fitted.values(rows[i]["weighed"])
    return values


def choose(rows: Sequence[Row], values: Sequence[np.ndarray]) -> list[Row]:
    """Each row as the judge would have answered it: with its best candidate, beside what votes take."""
    found = []
    for row, own in zip(rows, values, strict=True):
        best = row["weighed"][int(np.argmax(own))]
        found.append(
            row
            | {"evidence": best["evidence"], "right": best["right"], "voted": row["weighed"][0]["right"]}
            | {"any": any(each["right"] for each in row["weighed"])}
        )
    return found


def choices(rows: Sequence[Row]) -> Row:
    """What the choice by the judge wins and loses against votes, of questions that have an answer."""
    asked = [row for row in rows if row["gold"]]
    return {
        "by_votes": sum(row["voted"] for row in asked),
        "gained": sum(row["right"] and not row["voted"] for row in asked),
        "lost": sum(row["voted"] and not row["right"] for row in asked),
        "any": sum(row["any"] for row in asked),
        "answerable": len(asked),
    }


def steps_of(
    values: np.ndarray, right: np.ndarray, much: np.ndarray | None = None, bins: int = 12
) -> list[tuple[float, float]]:
    """A rising line from raw values to shares that are right: bins of equal size, pooled until they rise."""
    order = np.argsort(values)
    much = np.ones(len(values)) if much is None else much
    blocks = [
        [*(float(np.average(each[part], weights=much[part])) for each in (values, right)), float(much[part].sum())]
        for part in np.array_split(order, min(bins, max(len(order) // 40, 1)))
    ]
    at = 0
    while at < len(blocks) - 1:
        if blocks[at][1] > blocks[at + 1][1]:
            (x0, y0, n0), (x1, y1, n1) = blocks[at], blocks[at + 1]
            n = n0 + n1
            blocks[at : at + 2] = [[(x0 * n0 + x1 * n1) / n, (y0 * n0 + y1 * n1) / n, n]]
            at = max(at - 1, 0)
        else:
            at += 1
    return [(round(x, 4), round(y, 4)) for x, y, _ in blocks]


def bent_left_out(rows: Sequence[Row], raw: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Raw values after a last step of calibration that never saw their databases either."""
    folds = folds_of(rows)
    fold = np.array([folds[row["db_id"]] for row in rows])
    values = np.zeros(len(rows))
    much = np.array([counted(row) for row in rows])
    for at in range(FOLDS):
        steps = tuple(steps_of(raw[fold != at], right[fold != at], much[fold != at]))
        values[fold == at] = [bent(steps, value) for value in raw[fold == at]]
    return values


def promises(rows: Sequence[Row], values: np.ndarray) -> list[tuple[float, float]]:
    """For each risk the least confidence that keeps it, by Learn-then-Test: thresholds from the strictest down, each tested
    on the mean over databases, until one is not shown to hold."""
    found = []
    names = sorted({row["db_id"] for row in rows})
    right = np.array([float(row["right"]) for row in rows])
    for risk in RISKS:
        kept = None
        for least in np.arange(0.98, 0.3, -0.02):
            taken = values >= least
            if taken.sum() < 30:
                continue
            if not holds(rows, taken, right, names, risk):
                break
            kept = least
        if kept is not None:
            found.append((risk, round(float(kept), 3)))
    return found


def holds(rows: Sequence[Row], taken: np.ndarray, right: np.ndarray, names: Sequence[str], risk: float) -> bool:
    """Whether the share that is wrong lies below the risk, with databases drawn again as the unit."""
    counts = {name: [0, 0] for name in names}
    for at in np.flatnonzero(taken).tolist():
        counts[rows[at]["db_id"]][0] += 1
        counts[rows[at]["db_id"]][1] += not right[at]
    table = np.array(list(counts.values()), dtype=float)
    drawn = np.random.default_rng(0).integers(0, len(table), (2000, len(table)))
    sums = table[drawn].sum(1)
    shares = sums[:, 1] / np.maximum(sums[:, 0], 1)
    return (
        float(np.quantile(shares, 1 - SURELY)) <= risk * 1.25 and float(table[:, 1].sum() / table[:, 0].sum()) <= risk
    )


def figures(rows: Sequence[Row], values: Sequence[float]) -> Row:
    """What is told of a set: right, calibration, ranking, and what is wrong though it looks sure."""
    sure = [(float(p), bool(row["right"])) for p, row in zip(values, rows, strict=True)]
    return {
        "n": len(rows),
        "right": round(sum(right for _, right in sure) / max(len(sure), 1), 3),
        "ece": calibration_error(sure),
        "auroc": ranking_quality(sure),
        "wrong_at_08": round(sum(p >= 0.8 and not right for p, right in sure) / max(len(sure), 1), 3),
        "at_08": round(sum(p >= 0.8 for p, _ in sure) / max(len(sure), 1), 3),
        "coverage_at_10": coverage(sure, 0.10, len(sure)),
        "coverage_at_15": coverage(sure, 0.15, len(sure)),
        **promised(rows),
        **choices(rows),
    }


def promised(rows: Sequence[Row]) -> Row:
    """What a promise of a tenth answers, and how much of that is wrong, by a threshold that never saw the database."""
    kept = [row for row in rows if row.get("kept")]
    wrong = sum(not row["right"] for row in kept)
    return {
        "promised": round(len(kept) / max(len(rows), 1), 3),
        "promised_wrong": round(wrong / max(len(kept), 1), 3),
    }


def keep_promise(rows: Sequence[Row], values: np.ndarray, risk: float = 0.1) -> list[Row]:
    """Each row with whether the promise lets it be shown, thresholds found on the other databases."""
    folds = folds_of(rows)
    fold = np.array([folds[row["db_id"]] for row in rows])
    kept = np.zeros(len(rows), dtype=bool)
    for at in range(FOLDS):
        outside = [row for row, its in zip(rows, fold, strict=True) if its != at]
        least = dict(promises(outside, values[fold != at])).get(risk)
        kept[fold == at] = False if least is None else values[fold == at] >= least
    return [row | {"kept": bool(own)} for row, own in zip(rows, kept, strict=True)]


def table(rows: Sequence[Row], values: Sequence[float]) -> dict[str, Row]:
    """Figures by set and writer, of each set also by language and of what can be answered alone, and of all."""
    parts: dict[str, list[int]] = {"all": list(range(len(rows)))}
    for at, row in enumerate(rows):
        names = [row["set"], f"{row['set']}, {row['language']}", f"writer {row.get('writer') or 'embedded'}"]
        if row["gold"]:
            names.append(f"{row['set']}, answerable")
        for name in names:
            parts.setdefault(name, []).append(at)
    return {name: figures([rows[i] for i in parts[name]], [values[i] for i in parts[name]]) for name in sorted(parts)}


def unsaid(rows: Sequence[Row]) -> dict[str, float]:
    """What the writer said of itself on the average, of the answers to questions that have one."""
    shown = [row["evidence"] for row in rows if row["gold"]]
    return {name: round(float(np.mean([each[name] for each in shown if name in each])), 4) for name in OF_THE_WRITER}


def fitted_judge(asked: Sequence[Row], penalty: float) -> tuple[dict[str, Any], list[Row], np.ndarray]:
    """The judge as it is stored, and the rows it chooses with its values, databases left out."""
    rows = judged(asked)
    found = {name for row in rows for each in row["weighed"] for name in each["evidence"]}
    names = [name for name in SIGNS if name in found] + sorted(name for name in found if name.startswith(BROKEN))
    raws = left_out(rows, names, penalty)
    rows = choose(rows, raws)
    raw = np.array([own.max() for own in raws])
    right = np.array([float(row["right"]) for row in rows])
    steps = steps_of(raw, right, np.array([counted(row) for row in rows]))
    values = bent_left_out(rows, raw, right)
    whole = fit(candidates_of(rows), names, penalty)
    shift = matrix(rows, SHIFT)
    judge = {
        "intercept": round(whole.intercept, 4),
        "weights": {
            name: [round(float(whole.ordinary[i]), 4), round(float(whole.spread[i]), 4), round(float(w), 4)]
            for i, (name, w) in enumerate(zip(names, whole.weights, strict=True))
            if abs(w) > 1e-4
        },
        "planned": dict(shipped_judge().planned),
        "steps": steps,
        "promises": promises(rows, values),
        "ranges": {
            name: [round(float(np.quantile(shift[:, i], 0.005)), 3), round(float(np.quantile(shift[:, i], 0.995)), 3)]
            for i, name in enumerate(SHIFT)
        },
        "unsaid": unsaid(rows),
        "fitted": {
            "model": find_model().digest,
            "asked": len(asked),
            "unanswerable": sum(not row["gold"] for row in asked),
            "rows": len(rows),
            "databases": len({row["db_id"] for row in rows}),
        },
    }
    return judge, keep_promise(rows, values), values


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    todo = parser.add_subparsers(dest="todo", required=True)
    asking = todo.add_parser("collect")
    asking.add_argument("--out", type=Path, required=True)
    asking.add_argument("--sets", nargs="*", default=["unseen", "business", "systems"])
    asking.add_argument("--questions", type=Path, action="append", default=[])
    asking.add_argument("--databases", type=Path)
    asking.add_argument("--dictionaries", type=Path, help="folder of <db_id>.comments.json, for those that have one")
    asking.add_argument("--name", default="real systems")
    asking.add_argument("--most", type=int, default=1000, help="questions of each database")
    asking.add_argument("--both", action="store_true", help="ask each question in both languages")
    for name in ("fit", "figures"):
        found = todo.add_parser(name)
        found.add_argument("rows", type=Path, nargs="+")
        found.add_argument("--penalty", type=float, default=PENALTY)
        found.add_argument("--write", action="store_true")
    args = parser.parse_args()
    if args.todo == "collect":
        return run_collect(args)
    asked = read_rows(args.rows)
    if args.todo == "figures":
        judge_now, rows = shipped_judge(), judged(asked)
        rows = choose(rows, [np.array([judge_now.raw(each["evidence"]) for each in row["weighed"]]) for row in rows])
        told = table(rows, [judge_now.p_right(row["evidence"]) for row in rows])
    else:
        machine = facts()
        judge, rows, values = fitted_judge(asked, args.penalty)
        told = table(rows, values.tolist())
        if args.write:
            FILE.write_text(json.dumps(judge, indent=1) + "\n", "utf-8")
            keep(RESULTS / "judge.json", "judge", machine, {"rows": len(rows)}, sets=told, promises=judge["promises"])
        ranked = sorted(judge["weights"].items(), key=lambda pair: -abs(pair[1][2]))
        print("\n".join(f"{name:16} {weight:+.3f}" for name, (_, _, weight) in ranked))
        print("promises", judge["promises"], "steps", judge["steps"])
    for name, row in told.items():
        print(f"{name:24}", json.dumps(row))


def run_collect(args: argparse.Namespace) -> None:
    """Ask every question of the chosen sets."""
    writer = KeptWriter(args.out.with_suffix(".tape"))
    choose = list if args.both else one_language
    with tempfile.TemporaryDirectory(prefix="judge-") as made:
        out = Path(made)
        for name, path in (("unseen", UNSEEN), ("business", SPECS)):
            if name in args.sets:
                found = [spec for spec in specs(path) if path != SPECS or is_held(spec["db_id"])]
                items = at_most(choose(described(found, out)), args.most)
                asked = [*items, *strangers(items), *unanswerable(items)]
                asyncio.run(collect(name, asked, out, writer, "", args.out))
        if "systems" in args.sets:
            items = at_most(choose(held_systems(out)), args.most)
            asyncio.run(collect("systems", [*items, *strangers(items)], out, writer, TODAY, args.out))
    for file in args.questions:
        items = read_items(file, ("en", "zh"))
        asyncio.run(collect(args.name, choose(items), args.databases, writer, "", args.out, args.dictionaries))


if __name__ == "__main__":
    main()
