"""How often the rules on statements are right: each rule's firings on right and on wrong statements.

    python -m benchmarks.rules [--run FILE …] [--databases DIR] [--set NAME …] [--limit N] [--verbose] [--json FILE]

The questions are those of benchmarks/data/unseen.jsonl and of the business databases and systems held out of training. Their gold
statements are right, so that a rule that fires on one is wrong. What a writer wrote comes from runs: JSON lines with
`db_id`, `question`, `gold` and `sql`, as `inquery eval product --out` and `benchmarks.judge collect` write them, with the
other statements of a call in `weighed` or `alternatives`. Every statement is run and held against its gold rows; a rule
that fires on a wrong one is right. Equal statements of a question count once.

A rule is *sure* where it is right in 95% of at least 30 firings: such a statement is passed over. Else it is a feature of
the judge. `--keep` writes that table, which comes with the package.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.judge import held_systems
from benchmarks.machine import RESULTS, facts, keep
from benchmarks.recall import UNSEEN, described
from langgraph.runtime import Runtime
from training.business import SPECS
from training.descriptions import specs
from training.seeds import is_held
from training.systems import TODAY

from inquery.agents.bilingual import Language
from inquery.agents.context import Context
from inquery.agents.nodes.link_schema import link_schema
from inquery.agents.opening import open_runner
from inquery.agents.sources import Source
from inquery.agents.state import State, fill_blanks
from inquery.agents.truth.claims import Breach, Claims
from inquery.agents.truth.read_claims import claims_of
from inquery.agents.truth.rules import RULES, breaches
from inquery.agents.truth.sureness import FEWEST, LEAST_RIGHT, Firings, save_firings
from inquery.databases.executor.execute import execute
from inquery.errors import InqueryError
from inquery.evals.compare import fits_rows, is_ordered
from inquery.evals.gold import as_sqlite_reads
from inquery.evals.product import Item, find_database
from inquery.evals.subject import GENEROUS, NO_CAP
from inquery.language.text import language_of
from inquery.settings import Settings
from inquery.sql import check

SETS = {"unseen": UNSEEN, "business": SPECS}
SYSTEMS = "systems"


@dataclass(frozen=True)
class Written:
    """A question with statements a writer wrote for it."""

    item: Item
    statements: tuple[str, ...]


@dataclass
class Counts:
    """What one rule did."""

    right: int = 0
    wrong: int = 0
    on_gold: int = 0

    @property
    def firings(self) -> Firings:
        """As the package keeps it: a firing on a right statement, gold or written, is a wrong one."""
        return Firings(self.right + self.wrong + self.on_gold, self.right)


@dataclass
class Tally:
    """All that was counted."""

    rules: dict[str, Counts] = field(default_factory=lambda: {rule.__name__: Counts() for rule in RULES})
    golds: int = 0
    right: int = 0
    wrong: int = 0
    caught: int = 0

    def add_gold(self, found: Iterable[Breach]) -> None:
        """A right statement that nobody wrote."""
        self.golds += 1
        for each in found:
            self.rules[each.rule].on_gold += 1

    def add(self, found: Sequence[Breach], *, is_right: bool) -> None:
        """A statement of a writer."""
        self.right += is_right
        self.wrong += not is_right
        self.caught += bool(found) and not is_right
        for each in found:
            counts = self.rules[each.rule]
            counts.right += not is_right
            counts.wrong += is_right

    def rows(self) -> list[dict[str, object]]:
        """One for each rule, as a page shows them."""
        return [
            {
                "rule": name,
                "firings": counts.firings.firings,
                "right": counts.right,
                "on_right_statements": counts.wrong,
                "on_gold": counts.on_gold,
                "precision": round(counts.firings.precision, 3),
                "sure": counts.firings.is_sure,
            }
            for name, counts in self.rules.items()
        ]


async def read_claims(question: str, source: Source, context: Context) -> Claims:
    """What a question claims, by the node that links it."""
    language: Language = "zh" if language_of(question) == "zh" else "en"
    state: State = fill_blanks({"question": question, "standalone_question": question, "language": language})
    return claims_of({**state, **await link_schema(state, Runtime(context=context))}, context)  # type: ignore[typeddict-item]


async def rows_of(sql: str, source: Source) -> list[tuple[object, ...]] | None:
    """The rows of a statement; None where it cannot be run."""
    try:
        checked = check(sql, dialect="sqlite", catalog=source.catalog, policy=NO_CAP)
        return (await execute(source.id, checked, limits=GENEROUS)).rows
    except InqueryError:
        return None


async def measure(
    written: Sequence[Written], databases: Path, tally: Tally, days: Mapping[str, str], *, verbose: bool = False
) -> None:
    """Hold gold and written statements against their questions, one database after the other, each on its day."""
    with tempfile.TemporaryDirectory(prefix="inquery-rules-") as home:
        settings = Settings(home=Path(home), cache={"enabled": False}, knowledge={"join_tests": "wait"})
        for db_id in dict.fromkeys(each.item.db_id for each in written):
            day = datetime.date.fromisoformat(days[db_id]) if db_id in days else None
            async with open_runner(settings.model_copy(update={"today": day})) as runner:
                sources = runner.services.sources
                source = await sources.open(sources.add(str(find_database(databases, db_id))))
                for each in (each for each in written if each.item.db_id == db_id):
                    context = Context(runner.services, source=source, policy=NO_CAP, can_ask=False)
                    await _count(each, source, context, tally, verbose=verbose)


async def _count(written: Written, source: Source, context: Context, tally: Tally, *, verbose: bool) -> None:
    claims = await read_claims(written.item.question, source, context)
    golds = [as_sqlite_reads(gold, source.catalog) for gold in written.item.golds]
    for gold in golds[:1]:
        found = _broken(gold, context, claims)
        tally.add_gold(found)
        _print(found, "GOLD", written.item.question, gold, verbose=verbose)
    async for sql, is_right in _judged(written, golds, source):
        found = _broken(sql, context, claims)
        tally.add(found, is_right=is_right)
        _print(found, "right" if is_right else "wrong", written.item.question, sql, verbose=verbose)


async def _judged(written: Written, golds: Sequence[str], source: Source) -> AsyncIterator[tuple[str, bool]]:
    """Each statement of a writer with whether its rows are those of a gold one; what cannot be run is left out."""
    expected = [(rows, is_ordered(gold)) for gold in golds if (rows := await rows_of(gold, source)) is not None]
    for sql in dict.fromkeys(written.statements):
        rows = await rows_of(sql, source)
        if rows is not None and sql not in golds:
            yield sql, any(fits_rows(right, rows, ordered=ordered) for right, ordered in expected)


def _broken(sql: str, context: Context, claims: Claims) -> tuple[Breach, ...]:
    statement = context.statement_of(sql)
    return breaches(statement, claims) if statement else ()


def _print(found: Iterable[Breach], what: str, question: str, sql: str, *, verbose: bool) -> None:
    if verbose:
        for each in found:
            print(f"{what}\t{each.rule}\t{each.sure}\t{each.reason.en}\t{question}\t{sql}", flush=True)


def read_run(path: Path, items: Iterable[Item]) -> Iterable[Written]:
    """What a run wrote for questions of these sets, and for others that name their gold."""
    known = {(item.db_id, item.question): item for item in items}
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        item = known.get((row["db_id"], row["question"]))
        if item is None and row.get("gold"):
            item = Item(row["db_id"], row["question"], (row["gold"],), row["language"])
        if item is not None and row.get("sql"):
            weighed = (each["sql"] for each in row.get("weighed", ()))
            yield Written(item, (row["sql"], *weighed, *row.get("alternatives", ())))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=Path, action="append", default=[], help="statements of a writer, as JSON lines")
    parser.add_argument("--databases", type=Path, help="the folder of the databases of runs over other questions")
    parser.add_argument("--set", action="append", choices=[*SETS, SYSTEMS], help="only these questions")
    parser.add_argument("--limit", type=int, help="so many questions of a set, evenly spaced")
    parser.add_argument("--verbose", action="store_true", help="print every firing; nothing of it is kept")
    parser.add_argument("--keep", action="store_true", help="write the package's table of sure rules")
    parser.add_argument("--json", type=Path, default=RESULTS / "rules.json")
    args = parser.parse_args()
    machine, tally = facts(), Tally()
    with tempfile.TemporaryDirectory(prefix="inquery-built-") as built:
        out = Path(built)
        for path in args.databases.glob("**/*.sqlite") if args.databases else ():
            (out / path.name).symlink_to(path.resolve())
        items: list[Item] = []
        days: dict[str, str] = {}
        for name in args.set or (*SETS, SYSTEMS):
            if name == SYSTEMS:
                made = held_systems(out)
                days = {item.db_id: TODAY for item in made}
                items += made
                continue
            found = [spec for spec in specs(SETS[name]) if name != "business" or is_held(spec["db_id"])]
            made = described(found, out)
            most = min(args.limit or len(made), len(made) // 2)
            pairs = [made[at : at + 2] for at in range(0, len(made), 2)]  # a question in both languages
            items += [item for at in range(most) for item in pairs[at * len(pairs) // most]]
        runs = [each for path in args.run for each in read_run(path, items)]
        asked = {(each.item.db_id, each.item.question) for each in runs}
        rest = [Written(item, ()) for item in items if item.golds and (item.db_id, item.question) not in asked]
        asyncio.run(measure([*runs, *rest], out, tally, days, verbose=args.verbose))
    rows = tally.rows()
    told = {"least_right": LEAST_RIGHT, "fewest": FEWEST, "runs": len(args.run)}
    counted = {"golds": tally.golds, "right": tally.right, "wrong": tally.wrong, "caught": tally.caught}
    keep(args.json, "rules", machine, told | counted, rows=rows)
    if args.keep:
        save_firings({name: counts.firings for name, counts in tally.rules.items()})
    print(json.dumps({**counted, "rows": rows}, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
