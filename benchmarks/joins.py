"""How well undeclared joins are found: declared keys are taken away, and looked for by names and by data.

    python -m benchmarks.joins --spider DIR [--real DIR --questions FILE] [--json FILE]

Spider's training databases, the systems of training/data/systems, where undeclared references are known too, and, where
they are at hand, real databases: those of a folder that a file of questions names. Figures alone are kept of these.

*Recall* is the share of the known references that are found as they are, and of those whose two tables hold rows: what is empty
only names can tell. *Precision* is judged on columns whose reference is known: joining a column to any column that the known
references make equal to it is right, else wrong. Joins of other columns cannot be judged, since no schema declares
everything; they are counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from benchmarks.machine import RESULTS, facts, keep
from training.systems import FOLDER, System, read_system, write_database

from inquery.catalog.joins import declared, with_joins
from inquery.catalog.refresh import refresh_catalog
from inquery.databases.executor.execute import attach, detach, introspect
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.sql import Catalog, Join

STAGES = ("names", "names and data")
KINDS = ("one column", "hierarchy", "composite", "by type")


class Ends(NamedTuple):
    """What is joined, whatever the case of its names."""

    left: str
    left_columns: tuple[str, ...]
    right: str
    right_columns: tuple[str, ...]


@dataclass(frozen=True)
class Subject:
    """A database and its known references, each with its kind."""

    set: str
    path: Path
    known: dict[Ends, str] | None = None


def ends_of(join: Join) -> Ends:
    """The ends of a join."""
    return Ends(
        join.left[-1].casefold(), _folded(join.left_columns), join.right[-1].casefold(), _folded(join.right_columns)
    )


def _folded(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.casefold() for name in names)


def kind_of(ends: Ends) -> str:
    """The kind of a reference that holds for all rows."""
    return "composite" if len(ends.left_columns) > 1 else "hierarchy" if ends.left == ends.right else "one column"


def spider_subjects(folder: Path) -> Iterator[Subject]:
    """Spider's training databases."""
    for path in sorted((folder / "databases").glob("**/*.sqlite")):
        yield Subject("Spider, training schemas", path)


def system_subjects(out: Path) -> Iterator[Subject]:
    """The systems of training/data, built; the references that are not declared are known from their descriptions."""
    for file in sorted(FOLDER.glob("*/*.yaml")):
        system = read_system(file)
        yield Subject("training/data/systems", write_database(system, out), known_references(system))


def known_references(system: System) -> dict[Ends, str]:
    """Every reference of a described system."""
    found: dict[Ends, str] = {}
    for table in system.tables:
        for column in table.columns:
            for way in column.ways:
                if way.reference:
                    parent, key = way.reference
                    ends = Ends(table.name.casefold(), (column.name.casefold(),), parent.casefold(), (key.casefold(),))
                    found[ends] = "by type" if way.when else kind_of(ends)
    return found


def real_subjects(folder: Path, questions: Path) -> Iterator[Subject]:
    """The databases of a folder that a file of questions names."""
    lines = questions.read_text("utf-8").splitlines()
    for name in sorted({json.loads(line)["db_id"] for line in lines if line.strip()}):
        yield Subject("real systems", folder / f"{name}.sqlite")


def without_keys(catalog: Catalog) -> Catalog:
    """The catalogue as if nothing were declared but primary keys."""
    return replace(catalog, tables=tuple(replace(table, foreign_keys=()) for table in catalog.tables))


class Score:
    """What was found of the known references of a set, by stage."""

    def __init__(self) -> None:
        self.databases = 0
        self.seconds = 0.0
        self.counts: dict[str, Counter[str]] = {stage: Counter() for stage in STAGES}

    def add(self, stage: str, known: dict[Ends, str], catalog: Catalog) -> None:
        """Hold the joins of one database against what is known."""
        counts, found = self.counts[stage], {ends_of(join): join for join in catalog.joins}
        filled = {table.name.casefold() for table in catalog.tables if table.estimated_rows}
        for ends, kind in known.items():
            turned = Ends(ends.right, ends.right_columns, ends.left, ends.left_columns)
            for each in (kind, "with rows") if {ends.left, ends.right} <= filled else (kind,):
                counts[f"known {each}"] += 1
                counts[f"found {each}"] += ends in found or turned in found
        same = SameColumns(known)
        bound = {(ends.left, name) for ends in known for name in ends.left_columns}
        for ends, join in found.items():
            pairs = zip(ends.left_columns, ends.right_columns, strict=True)
            right = all(same(ends.left, a) == same(ends.right, b) for a, b in pairs)
            right = right and (ends.left != ends.right or ends in known)
            if not right and not any((ends.left, name) in bound for name in ends.left_columns):
                counts["unjudged"] += 1
                continue
            counts[f"judged {join.how}"] += 1
            counts[f"right {join.how}"] += right

    def rows(self, name: str) -> Iterator[dict[str, object]]:
        """The figures of each stage."""
        for stage, counts in self.counts.items():
            known = sum(counts[f"known {kind}"] for kind in KINDS)
            found = sum(counts[f"found {kind}"] for kind in KINDS)
            judged, right = (sum(counts[f"{what} {how}"] for how in ("name", "data")) for what in ("judged", "right"))
            yield {
                "set": name,
                "databases": self.databases,
                "by": stage,
                "known": known,
                "recall": share(found, known),
                "with_rows_recall": share(counts["found with rows"], counts["known with rows"]),
                **{f"{kind}_recall": share(counts[f"found {kind}"], counts[f"known {kind}"]) for kind in KINDS},
                "precision_share": share(right, judged),
                "by_name_share": share(counts["right name"], counts["judged name"]),
                "by_data_share": share(counts["right data"], counts["judged data"]),
                "unjudged": counts["unjudged"],
                "tests_s": round(self.seconds, 1) if stage != "names" else None,
            }


def share(part: int, whole: int) -> float | None:
    """A share, where there is a whole."""
    return round(part / whole, 4) if whole else None


class SameColumns:
    """Which columns the known references make equal, however many steps apart."""

    def __init__(self, known: Iterable[Ends]) -> None:
        self._above: dict[tuple[str, str], tuple[str, str]] = {}
        for ends in known:
            for left, right in zip(ends.left_columns, ends.right_columns, strict=True):
                self._above[self(ends.left, left)] = self(ends.right, right)

    def __call__(self, table: str, column: str) -> tuple[str, str]:
        """One column for all that are equal."""
        place = (table, column)
        while self._above.get(place, place) != place:
            place = self._above[place]
        return place


async def measure(subjects: Iterable[Subject]) -> list[dict[str, object]]:
    """Every database with its keys taken away, then the figures of each set."""
    scores: dict[str, Score] = {}
    for subject in subjects:
        connection = f"joins-{subject.path.stem}"
        attach(connection, open_engine(parse_address(str(subject.path))))
        try:
            known = subject.known
            if known is None:
                whole = await introspect(connection)
                known = {(ends := ends_of(join)): kind_of(ends) for join in declared(whole)}
            if not known:
                continue
            score = scores.setdefault(subject.set, Score())
            score.databases += 1
            with tempfile.TemporaryDirectory(prefix="inquery-joins-") as home:
                read = await refresh_catalog(connection, full=True, home=Path(home), describe=without_keys)
                score.add("names", known, with_joins(read.catalog))
                started = time.perf_counter()
                tested = await refresh_catalog(connection, evidence=True, home=Path(home), describe=without_keys)
                score.seconds += time.perf_counter() - started
                score.add("names and data", known, tested.catalog)
        finally:
            detach(connection)
    return [row for name, score in scores.items() for row in score.rows(name)]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spider", type=Path, help="the folder that training/README.md describes")
    parser.add_argument("--real", type=Path, help="a folder of real databases")
    parser.add_argument("--questions", type=Path, help="the questions that name which of them may be looked at")
    parser.add_argument("--no-systems", action="store_true", help="leave training/data/systems out")
    parser.add_argument("--json", type=Path, default=RESULTS / "joins.json")
    args = parser.parse_args()
    machine = facts()
    with tempfile.TemporaryDirectory(prefix="inquery-systems-") as built:
        subjects = [*spider_subjects(args.spider)] if args.spider else []
        subjects += [] if args.no_systems else system_subjects(Path(built))
        subjects += real_subjects(args.real, args.questions) if args.real and args.questions else ()
        rows = asyncio.run(measure(subjects))
    keep(args.json, "joins", machine, {"options": "--real DIR --questions FILE" if args.real else ""}, rows=rows)
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
