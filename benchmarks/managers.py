"""What managers ask, asked through `Inquery.ask` and judged by figures: data/managers.jsonl, in both languages.

    python -m benchmarks.managers --language zh --half open [--out answers.jsonl] [--home DIR]

Sixty-odd questions on the demo, as many on databases that no plan was tuned on. Right: as many rows as a gold, and for each
gold row an answer row of its own with its labels and, in different cells, its numbers within 0.5% or rounded. Order and further
columns do no harm. Columns named *_pct may be fractions; these and `diff` may stand in the facts of an answer of one or two rows.
Asking back is right for what is ambiguous; whatever is no answer, or says that it cannot be told, for what is unanswerable.
One half is kept shut by a hash of the question: failures are read on the open one alone, the shut one is only counted.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sqlite3
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training.business import build as build_business
from training.systems import FOLDER as SYSTEMS
from training.systems import build as build_system
from training.systems import read_system

DATA = Path(__file__).parent / "data"
QUESTIONS = DATA / "managers.jsonl"
SURE = 0.8
MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"
SAME_WORDS = [
    {"web", "网页", "网站"}, {"app", "应用"}, {"store", "门店"}, {"east", "华东"}, {"south", "华南"}, {"north", "华北"}, {"west", "西部"},
    {"consumer", "个人客户"}, {"corporate", "企业客户"}, {"small_business", "small business", "小微企业"},
]  # fmt: skip
CANNOT = re.compile(
    r"can(?:not|'t|’t) |unable to|not (?:recorded|stored|in the data)|no \w* ?(?:data|column|records?)\b|(?:does|do)(?: not|n't|n’t) "
    r"|无法|不能|没有|不(?:包含|支持|存在)|未(?:包含|记录|找到)|缺(?:少|乏)|查不到",
    re.I,
)


@dataclass(frozen=True)
class Shape:
    """How a gold is laid out: leading label columns, the columns whose numbers must appear, labels that may replace each other."""

    keys: int
    must: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Asked:
    """A manager's question in two languages with the queries that answer it."""

    id: str
    db_id: str
    kind: str
    question: str
    question_zh: str
    answerable: bool
    gold: tuple[str, ...]
    shapes: tuple[Shape, ...]
    unsigned: bool = False

    @property
    def half(self) -> str:
        """Whether failures of this question may be read."""
        return "open" if zlib.crc32(self.question.encode()) % 2 else "shut"


@dataclass
class Reply:
    """What the product said."""

    status: str
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    facts: list[float] = field(default_factory=list)
    text: str = ""
    asks_back: bool = False


def read_shape(raw: dict[str, Any]) -> Shape:
    """The layout of one gold."""
    keys, groups = int(raw["keys"]), raw.get("any_label")
    if groups is True:
        groups = [list(range(keys))] if keys else []
    elif not groups:
        groups = [[at] for at in range(keys)]
    return Shape(keys, tuple(raw["must"]), tuple(tuple(group) for group in groups))


def read_questions(path: Path = QUESTIONS) -> Iterator[Asked]:
    """The questions of the file."""
    for line in path.read_text("utf-8").splitlines():
        raw = json.loads(line)
        given = raw.get("shapes") or [None] * len(raw["gold"])
        shapes = tuple(read_shape(shape or raw) for shape in given)
        yield Asked(
            raw["id"], raw["db_id"], raw["kind"], raw["question"], raw["question_zh"], raw["answerable"],
            tuple(raw["gold"]), shapes, raw.get("abs", False),
        )  # fmt: skip


def build_databases(names: set[str], folder: Path) -> None:
    """The databases other than the demo, the same every time."""
    for line in (DATA / "unseen.jsonl").read_text("utf-8").splitlines():
        spec = json.loads(line)
        if spec["db_id"] in names:
            build_business(spec, str(folder / f"{spec['db_id']}.sqlite")).close()
    for file in SYSTEMS.rglob("*.yaml"):
        if file.stem in names:
            build_system(read_system(file), str(folder / f"{file.stem}.sqlite")).close()


def read_number(cell: object) -> float | None:
    """The number a cell shows; None for words."""
    if cell is None or isinstance(cell, bool):
        return None
    if isinstance(cell, str):
        text = re.sub(r"[,\s¥￥$%％元+]", "", cell)
        return float(text) if re.fullmatch(r"-?\d+(\.\d+)?([eE]-?\d+)?", text) else None
    try:
        return float(cell)  # type: ignore[arg-type]  # Decimal and the like
    except (TypeError, ValueError):
        return None


def is_close(gold: float, got: float, percent: bool, unsigned: bool) -> bool:
    """Within half a per cent, or as rounding leaves it; a percentage may be given as a fraction."""
    for value in (got, got * 100) if percent else (got,):
        a, b = (abs(gold), abs(value)) if unsigned else (gold, value)
        if abs(a - b) <= max(0.005 * abs(gold), 0.0501 if percent else 0.00501):
            return True
    return False


def read_bucket(text: str) -> tuple[str, str] | None:
    """The first month that the label of a month or a quarter stands for, and which of them it is."""
    clean = re.sub(r"[T ]00:00.*$", "", text.strip())
    if quarter := re.fullmatch(r"(\d{4})[-年 ]*第?Q?([1-4])(?:季度)?", clean, re.I):
        return (f"{quarter[1]}-{3 * int(quarter[2]) - 2:02d}", "quarter")
    if month := re.fullmatch(r"(\d{4})[-/年](\d{1,2})(?:月|-01)?", clean):
        return (f"{month[1]}-{int(month[2]):02d}", "month")
    if named := re.fullmatch(r"([A-Z][a-z]{2})[a-z]*\.? (\d{4})", clean):
        return (f"{named[2]}-{MONTHS.index(named[1]) // 3 + 1:02d}", "month") if named[1] in MONTHS else None
    return None


def says_label(gold: object, row: Sequence[object]) -> bool:
    """Whether one of the cells says the same as the gold label."""
    wanted = read_bucket(gold) if isinstance(gold, str) and re.match(r"\d{4}-", gold) else None
    for cell in row:
        if cell is None:
            continue
        a, b = str(gold).strip().casefold(), str(cell).strip().casefold()
        if a == b or any(a in words and b in words for words in SAME_WORDS):
            return True
        x, y = read_number(gold), read_number(cell)
        if x is not None and x == y:
            return True
        if isinstance(gold, int) and re.fullmatch(rf"{gold}(年|-01-01.*)", b):
            return True
        if wanted and (got := read_bucket(str(cell))) and got[0] == wanted[0]:
            return True
    return False


def row_fits(
    gold: Sequence[Any], names: Sequence[str], shape: Shape, row: Sequence[Any], facts: Sequence[float], unsigned: bool
) -> bool:
    """Whether a row of the answer says what a gold row says."""
    for group in shape.groups:
        labels = [gold[at] for at in group]
        if any(label is not None for label in labels) and not any(says_label(x, row) for x in labels if x is not None):
            return False
    numbers, free = [read_number(cell) for cell in row], set(range(len(row)))
    for at in sorted(shape.must, key=lambda at: names[at].endswith("_pct")):
        if gold[at] is None:
            continue
        percent, wanted = names[at].endswith("_pct"), float(gold[at])
        fits = [c for c in free if (n := numbers[c]) is not None and is_close(wanted, n, percent, unsigned)]
        if fits:
            free.remove(min(fits, key=lambda c: abs(abs(numbers[c] or 0) - abs(wanted))))
        elif not (percent or names[at] == "diff") or not any(is_close(wanted, f, percent, unsigned) for f in facts):
            return False
    return True


def same_answer(
    gold: Sequence[Sequence[Any]], names: Sequence[str], shape: Shape, reply: Reply, unsigned: bool
) -> bool:
    """Whether every gold row finds an answer row of its own."""
    if not gold or len(gold) != len(reply.rows):
        return False
    facts = reply.facts if len(gold) <= 2 else []
    fits = [[at for at, row in enumerate(reply.rows) if row_fits(g, names, shape, row, facts, unsigned)] for g in gold]
    owner: dict[int, int] = {}

    def place(at: int, seen: set[int]) -> bool:
        for row in fits[at]:
            if row not in seen:
                seen.add(row)
                if row not in owner or place(owner[row], seen):
                    owner[row] = at
                    return True
        return False

    return all(place(at, set()) for at in range(len(gold)))


def is_right(item: Asked, reply: Reply, database: sqlite3.Connection) -> bool:
    """The verdict on one reply."""
    if not item.answerable:
        return reply.status != "answered" or reply.asks_back or bool(CANNOT.search(reply.text))
    if item.kind == "ambiguous" and (reply.asks_back or reply.status == "clarification"):
        return True
    if reply.status != "answered" or reply.asks_back:
        return False
    for sql, shape in zip(item.gold, item.shapes, strict=True):
        found = database.execute(sql)
        if same_answer(found.fetchall(), [d[0] for d in found.description], shape, reply, item.unsigned):
            return True
    return False


def ask_all(items: Sequence[Asked], language: str, folder: Path, out: Path | None) -> list[dict[str, Any]]:
    """Every question through the product, with its verdict."""
    from inquery import Inquery
    from inquery.demo.build import ensure_demo
    from inquery.settings import get_settings

    found = []
    for name in dict.fromkeys(item.db_id for item in items):
        if name == "demo":
            import datetime

            path = ensure_demo(get_settings().home, datetime.date.today())
        else:
            path = folder / f"{name}.sqlite"
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        with Inquery.connect("demo" if name == "demo" else f"sqlite:///{path}") as inquery:
            for item in (item for item in items if item.db_id == name):
                asked = item.question_zh if language == "zh" else item.question
                answer = inquery.ask(asked)
                numbers = [
                    n
                    for fact in answer.facts
                    for v in (fact.value, *fact.detail.values())
                    if (n := read_number(v)) is not None
                ]
                reply = Reply(
                    answer.status, [tuple(r) for r in answer.rows], numbers, answer.text or "", bool(answer.pending)
                )
                verdict = {
                    "id": item.id, "db_id": name, "kind": item.kind, "half": item.half, "language": language, "question": asked,
                    "right": is_right(item, reply, database), "answerable": item.answerable, "confidence": answer.confidence,
                    "status": answer.status, "plan": bool((answer.reading or {}).get("plan")), "sql": answer.sql, "text": answer.text,
                    "rows": [list(map(str, r)) for r in reply.rows[:12]], "count": len(reply.rows),
                }  # fmt: skip
                found.append(verdict)
                if out and item.half == "open":  # the shut half leaves no line to be read
                    with out.open("a", encoding="utf-8") as log:
                        log.write(json.dumps(verdict, ensure_ascii=False) + "\n")
        database.close()
    return found


def count(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What is told of a run."""
    demo = [f for f in found if f["db_id"] == "demo"]
    others = [f for f in found if f["db_id"] != "demo"]
    none = [f for f in found if not f["answerable"]]
    plans = [f for f in found if f["plan"]]
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for verdict in found:
        kinds[verdict["kind"]][0] += verdict["right"]
        kinds[verdict["kind"]][1] += 1
    return {
        "demo": [sum(f["right"] for f in demo), len(demo)],
        "others": [sum(f["right"] for f in others), len(others)],
        "declined": [sum(f["right"] for f in none), len(none)],
        "plans": [sum(f["right"] for f in plans), len(plans)],
        "wrong_and_sure": [sum(not f["right"] and (f["confidence"] or 0) >= SURE for f in found), len(found)],
        "kinds": dict(kinds),
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", choices=["en", "zh"], default="en")
    parser.add_argument("--half", choices=["open", "shut", "all"], default="all")
    parser.add_argument("--databases", choices=["demo", "others", "all"], default="all")
    parser.add_argument("--out", type=Path, help="every answer of the open half, a line each")
    parser.add_argument("--home", type=Path, help="Inquery's own files; a fresh folder unless given")
    args = parser.parse_args()
    items = [item for item in read_questions() if args.half in ("all", item.half)]
    items = [item for item in items if args.databases == "all" or (item.db_id == "demo") == (args.databases == "demo")]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["INQUERY_HOME"] = str(args.home or Path(folder) / "home")
        build_databases({item.db_id for item in items}, Path(folder))
        found = ask_all(items, args.language, Path(folder), args.out)
    for half in ("open", "shut"):
        if own := [verdict for verdict in found if verdict["half"] == half]:
            print(json.dumps({"half": half, "language": args.language, **count(own)}, ensure_ascii=False))


if __name__ == "__main__":
    main()
