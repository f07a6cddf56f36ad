"""What the checks of reports let pass: statements spoilt in the ways models spoil them, and right ones that are doubted.

python -m benchmarks.report_checks [--json benchmarks/results/report_checks.json] [--examples]

Each hand-written statement of the reports that come with Inquery is spoilt a little: a condition left out, another
column, function, order, border or grouping. What then gives other rows on the demo database is wrong, and should be
refused or marked. Right statements are the hand-written ones and the training questions over the demo.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlglot
from benchmarks.machine import facts, keep
from benchmarks.report_answers import gold_of
from sqlglot import exp

from inquery.agents.context import Context
from inquery.agents.opening import open_services
from inquery.agents.outcomes.rows import run_checked
from inquery.agents.state_types import found_period
from inquery.agents.truth.rules import Breach, Claims, first_breach
from inquery.answers.answer import AnswerColumn
from inquery.errors import InqueryError
from inquery.evals.compare import same_rows
from inquery.reports.desk import ReportDesk, library
from inquery.reports.report_run import Prepared, ReportRunner, Who
from inquery.reports.verdicts import wrong_shape
from inquery.settings import Settings, get_settings
from inquery.sql import Catalog
from inquery.sql.statement import read_statement
from inquery.store import open_store

TRAINING = Path(__file__).parents[1] / "training" / "data" / "demo.jsonl"
Spoilt = Iterator[tuple[str, exp.Expr]]


def spoilt(sql: str, catalog: Catalog) -> dict[str, list[str]]:
    """Statements like this one with one thing wrong, by the kind of fault."""
    found: dict[str, list[str]] = {}
    tree = sqlglot.parse_one(sql, dialect="sqlite")
    for way in (_conditions, _functions, _columns, _order, _borders, _added):
        for kind, made in way(tree, catalog):
            text = made.sql(dialect="sqlite")
            if text != tree.sql(dialect="sqlite") and text not in found.setdefault(kind, []):
                found[kind].append(text)
    return found


def _conditions(tree: exp.Expr, catalog: Catalog) -> Spoilt:
    where = tree.args["where"].this if tree.args.get("where") else None
    parts = list(where.flatten()) if isinstance(where, exp.And) else [where] if where is not None else []
    for nth, part in enumerate(parts):
        rest = [each.copy() for place, each in enumerate(parts) if place != nth]
        made = tree.copy()
        made.set("where", exp.Where(this=exp.and_(*rest)) if rest else None)
        dated = any(str(literal.this)[:4].isdigit() for literal in part.find_all(exp.Literal))
        yield ("period left out" if dated else "condition left out"), made
    if len(parts) > 1:
        made = tree.copy()
        made.set("where", None)
        yield "all conditions left out", made


def _functions(tree: exp.Expr, catalog: Catalog) -> Spoilt:
    swaps: dict[type[exp.Expr], tuple[type[exp.Expr], ...]] = {exp.Sum: (exp.Avg, exp.Max), exp.Avg: (exp.Sum,), exp.Count: ()}  # fmt: skip
    for nth, node in enumerate(list(tree.find_all(exp.Sum, exp.Avg))):
        for other in swaps[type(node)]:
            made = tree.copy()
            target = list(made.find_all(exp.Sum, exp.Avg))[nth]
            target.replace(other(this=target.this.copy()))
            yield "another function", made


def _columns(tree: exp.Expr, catalog: Catalog) -> Spoilt:
    tables = {t.alias_or_name: next(k for k in catalog.tables if k.name == t.name) for t in tree.find_all(exp.Table)}
    for nth, column in enumerate(list(tree.find_all(exp.Column))):
        table = tables.get(column.table) or (next(iter(tables.values())) if len(tables) == 1 else None)
        known = table.column(column.name) if table else None
        if table is None or known is None or column.find_ancestor(exp.Join):
            continue
        kind = (
            "time column"
            if column.find_ancestor(exp.Where)
            else "measure"
            if column.find_ancestor(exp.AggFunc)
            else "grouping"
        )
        others = [c.name for c in table.columns if c.name != known.name and c.type == known.type and not c.primary_key]
        for other in others[:3]:
            made = tree.copy()
            _renamed(made, nth, other, kind == "grouping")
            yield f"another {kind}", made


def _renamed(tree: exp.Expr, nth: int, other: str, everywhere: bool) -> None:
    columns = list(tree.find_all(exp.Column))
    name = columns[nth].name
    for place, column in enumerate(columns):
        if place == nth or (everywhere and column.name == name):
            column.set("this", exp.to_identifier(other))


def _order(tree: exp.Expr, catalog: Catalog) -> Spoilt:
    if not tree.args.get("limit"):
        return
    made = tree.copy()
    first = made.args["order"].expressions[0]
    first.set("desc", not first.args.get("desc"))
    yield "the other order", made
    for most in (3, 20):
        made = tree.copy()
        made.args["limit"].set("expression", exp.Literal.number(most))
        yield "another number of rows", made


def _borders(tree: exp.Expr, catalog: Catalog) -> Spoilt:
    for old, new in ((exp.LT, exp.LTE), (exp.GTE, exp.GT)):
        for nth, _ in enumerate(list(tree.find_all(old))):
            made = tree.copy()
            node = list(made.find_all(old))[nth]
            node.replace(new(this=node.this.copy(), expression=node.expression.copy()))
            yield "border off by one", made


def _added(tree: exp.Expr, catalog: Catalog) -> Spoilt:
    """A condition nobody asked for, and a join that multiplies rows."""
    names = {t.name: t.alias_or_name for t in tree.find_all(exp.Table)}
    for table, column, value in (
        ("orders", "channel", "app"),
        ("returns", "reason", "wrong_item"),
        ("customers", "segment", "vip"),
        ("orders", "status", "completed"),
    ):
        if table in names:
            yield "condition nobody asked for", tree.copy().where(f"{names[table]}.{column} = '{value}'")  # type: ignore[attr-defined]
    for table, many, key in (("orders", "payments", "order_id"), ("orders", "order_items", "order_id")):
        if table in names and many not in names:
            joined = tree.copy().join(f"{many} AS more ON more.{key} = {names[table]}.{key}")  # type: ignore[attr-defined]
            for column in joined.find_all(exp.Column):
                if not column.table:
                    column.set("table", exp.to_identifier(names[table]))
            yield "join that multiplies", joined


def claims_of(context: Context, ready: Prepared, question: str, shape: str) -> Claims:
    """What the solver knows of a question."""
    found = ready.clock.periods(question)
    periods = [found_period(period) for period in found]
    here = context.here
    return Claims(
        question, shape, here.catalog, here.glossary, context.matches(question), periods, today=ready.clock.today
    )


def breach_of(sql: str, claims: Claims) -> Breach | None:
    """What a statement breaks, as the solver would find it."""
    statement = read_statement(sql, claims.catalog)
    return first_breach(statement, claims) if statement else None


async def verdict(context: Context, sql: str, claims: Claims) -> str:
    """refused, marked or taken."""
    found = breach_of(sql, claims)
    if found is not None:
        return "refused" if found.sure else "marked"
    result = await run_checked(context, sql)
    columns = [AnswerColumn(name=each.name, kind=each.kind) for each in result.columns]
    return "refused" if wrong_shape(claims.shape, columns, result.rows, sql) else "taken"


async def measure(settings: Settings, examples: bool = False) -> dict[str, Any]:
    """Every spoilt statement, and every right one."""
    wrong: dict[str, Counter[str]] = {}
    right: Counter[str] = Counter()
    async with open_services(settings) as services:
        store = open_store(settings)
        desk = ReportDesk(ReportRunner(services, store))
        for name in library():
            ready = await desk._ready(await desk.find("local", name), Who(), {})
            context = ready.context
            shapes = {goal.key: goal.shape for goal in ready.goals}
            for key, (question, gold) in gold_of(name, ready).items():
                claims = claims_of(context, ready, question, shapes[key])
                right[await verdict(context, gold, claims)] += 1
                await _spoil(context, gold, claims, wrong, examples)
        trained = await _trained(context, ready)
        store.close()
    total = sum((counts for counts in wrong.values()), Counter())
    return {
        "wrong": {kind: dict(counts) for kind, counts in wrong.items()}, "wrong_total": dict(total),
        "taken_share": round(total["taken"] / total.total(), 4), "right": dict(right), "right_training": dict(trained),
    }  # fmt: skip


async def _spoil(context: Context, gold: str, claims: Claims, wrong: dict[str, Counter[str]], examples: bool) -> None:
    expected = (await run_checked(context, gold)).rows
    for kind, texts in spoilt(gold, context.here.catalog).items():
        for text in texts:
            try:
                rows = (await run_checked(context, text)).rows
            except InqueryError:
                continue
            if same_rows(expected, rows, ordered=" LIMIT " in gold):
                continue
            said = await verdict(context, text, claims)
            wrong.setdefault(kind, Counter())[said] += 1
            if examples and said == "taken":
                print(f"{kind} | {claims.question} | {text}")


async def _trained(context: Context, ready: Prepared) -> Counter[str]:
    """Questions of the training data in all wordings whose statements need no measure's definition."""
    found: Counter[str] = Counter()
    for line in TRAINING.read_text("utf-8").splitlines():
        row = json.loads(line)
        try:
            await run_checked(context, row["sql"])
        except InqueryError:
            continue  # it names a measure as a column
        shape = "rows" if any(word in row["sql"] for word in ("GROUP BY", "ORDER BY")) else "value"
        for wording in ("en", "en2", "zh", "zh2"):
            if row.get(wording):
                claims = claims_of(context, ready, row[wording], shape)
                bad = breach_of(row["sql"], claims)
                found["taken" if bad is None else "refused" if bad.sure else "marked"] += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--examples", action="store_true", help="print wrong statements that are taken")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="iq-checks-") as folder:
        settings = get_settings().model_copy(update={"home": Path(folder)})
        machine = facts()
        found = asyncio.run(measure(settings, options.examples))
    print(json.dumps(found, ensure_ascii=False, indent=1))
    if options.json:
        keep(options.json, "report_checks", machine, {}, **found)


if __name__ == "__main__":
    main()
