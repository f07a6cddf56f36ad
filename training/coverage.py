"""Round-trip coverage of the form by execution: SQL → form → text → form → SQL gives the same rows.

    python -m training.coverage --spider DIR --business training/data/business --business-databases DIR \\
        --systems DIR --closed NAME=questions.jsonl=DIR --out COVERAGE.md

`--spider` holds questions.jsonl and databases/*.sqlite; the business databases are made by training.business, those of
`--systems` by training.systems. Of a `--closed` set, which is for measuring alone, the page has figures and reasons but
no query; its keys are those that names and declarations suggest, as at run time.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlglot import exp, parse_one

from inquery.catalog.joins import with_joins
from inquery.evals.compare import Match, Run, RunFailed, execution_match, plain_value
from inquery.form.from_sql import Unsupported, from_sql
from inquery.form.join_paths import FormSchema
from inquery.form.name_words import FormError, NameMap, split_words
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.form.to_sql import to_sql
from inquery.sql.catalog import Catalog, Column, ForeignKey, Table, with_references
from training.descriptions import specs

TIMEOUT_S = 20.0
MOST_EXAMPLES = 6
NOTES = {
    "different rows": "ties at a limit, LEFT JOIN whose count is unknown where it is none, dates written as the number "
    "20240331 and divided; in train and tune, a moment compared with a day",
    "join without a condition": "a mistake of the query, which multiplies rows; in systems, a join by a span of dates, by "
    "either of two keys, or by COALESCE",
    "join that the form cannot name": "a join that no equality of two sources is",
    "expression DPipe": "a date put together from the number 20240331",
    "expression Substring": "a part of a date that is not written as 2024-03-31",
    "expression DATE": "a date from seconds since 1970",
    "expression STRFTIME": "a date from seconds since 1970",
    "CAST that changes a value": "numbers kept as texts",
    "nested query in FROM": "queries stacked by UNION ALL, or over DISTINCT",
    "CASE with several branches": "bands, or a moving average",
    "clause with_": "a recursion",
    "expression Replace": "numbers kept as texts with their currency",
}
"""What is known about a reason."""


@dataclass
class Tally:
    """What became of the questions of one part of the data."""

    name: str
    total: int = 0
    covered: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    closed: bool = False
    forms: list[str] = field(default_factory=list)
    sqls: list[str] = field(default_factory=list)


class Database:
    """One SQLite file, opened read-only, with its schema as the form sees it."""

    def __init__(self, file: Path) -> None:
        self.connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        self.connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        tables = read_tables(self.connection)
        self.schema = FormSchema(tables)
        self.names = NameMap(tables)

    def has_nulls(self, table: str, column: str) -> bool:
        """Whether a column holds nulls."""
        sql = f"select 1 from {_quoted(table)} where {_quoted(column)} is null limit 1"
        return self.connection.execute(sql).fetchone() is not None

    def rows(self, sql: str) -> Sequence[tuple[Any, ...]]:
        """All rows of a query, stopped after a time limit."""
        limit = time.monotonic() + TIMEOUT_S
        self.connection.set_progress_handler(lambda: time.monotonic() > limit, 10_000)
        try:
            return self.connection.execute(sql).fetchall()
        except sqlite3.Error as error:
            raise RunFailed(str(error)) from error


def read_tables(connection: sqlite3.Connection) -> list[Table]:
    """The tables of a SQLite file with their columns and declared keys."""
    names = [row[0] for row in connection.execute("select name from sqlite_master where type in ('table', 'view')")]
    tables = []
    for name in names:
        if name.startswith("sqlite_"):
            continue
        columns = tuple(
            Column(
                row[1],
                row[2] or "",
                bool(not row[3]),
                primary_key=bool(row[5]),
                samples=_samples(connection, name, row[1]),
            )
            for row in connection.execute("select * from pragma_table_info(?)", (name,))
        )
        tables.append(Table((name,), columns, foreign_keys=_foreign_keys(connection, name)))
    return tables


def _samples(connection: sqlite3.Connection, table: str, column: str) -> tuple[str, ...]:
    sql = f"select distinct {_quoted(column)} from {_quoted(table)} where {_quoted(column)} is not null limit 5"
    return tuple(str(row[0]) for row in connection.execute(sql))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _foreign_keys(connection: sqlite3.Connection, table: str) -> tuple[ForeignKey, ...]:
    groups: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for row in connection.execute("select * from pragma_foreign_key_list(?)", (table,)):
        groups[row[0]].append(row)
    known = {row[0].casefold(): row[0] for row in connection.execute("select name from sqlite_master")}
    keys = []
    for _, rows in sorted(groups.items(), reverse=True):
        rows.sort(key=lambda row: row[1])
        parent = known.get(rows[0][2].casefold(), rows[0][2])
        references = tuple(row[4] for row in rows if row[4])
        keys.append(ForeignKey(tuple(row[3] for row in rows), (parent,), references))
    return tuple(keys)


def round_trip(database: Database, sql: str) -> tuple[str, str]:
    """The form's text and the reason it is not covered, empty where it is."""
    try:
        query = from_sql(sql, database.schema, database.has_nulls, "E")
        text = write(query, database.names)
        again = read_form(text, database.names)
        if write(again, database.names) != text:
            return text, "text that reads back differently"
        made = to_sql(again, database.schema)
    except Unsupported as error:
        return "", str(error)
    except FormError as error:
        return "", f"form error: {error}"
    except (
        RecursionError,
        AssertionError,
    ) as error:  # `SUM(paid) AS paid` in a subquery; `-amount` where a number is read
        return "", f"the reader of SQL breaks: {type(error).__name__}"
    try:
        match = execution_match(sql, made, database.rows)
        if not match.correct and not match.error:
            match = Match(means_the_same(sql, made, database.rows))
    except RunFailed as error:
        return text, f"gold query fails: {error}"
    if match.error:
        return text, f"SQL of the form fails: {match.error}"
    return text, "" if match.correct else f"different rows: {made}"


def means_the_same(gold: str, made: str, run: Run) -> bool:
    """Whether two results differ in nothing but what a query leaves open or how a value is shown.

    The test suite takes an ORDER BY of a window for one of the rows, and the order of rows that sort equal for one that
    was asked for. A month is shown as 3 or as '03', and the two sides of a condition under any two labels.
    """
    tree = parse_one(gold, dialect="sqlite")
    expected = [tuple(map(_shown, row)) for row in run(_without_labels(tree).sql("sqlite"))]
    found = [tuple(map(_shown, row)) for row in run(made)]
    if Counter(expected) != Counter(found):
        return False
    columns = _order_columns(tree)
    return [[row[i] for i in columns] for row in expected] == [[row[i] for i in columns] for row in found]


def _shown(value: Any) -> Any:
    """A cell without how it is written."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else plain_value(value)


def _without_labels(tree: exp.Expr) -> exp.Expr:
    """The query with 1 and 0 in place of two labels."""

    def change(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Case) or len(node.args["ifs"]) != 1 or node.this is not None:
            return node
        labels = [node.args["ifs"][0].args["true"], node.args.get("default")]
        if not all(isinstance(label, exp.Literal) and label.is_string for label in labels):
            return node
        made = node.copy()
        made.args["ifs"][0].set("true", exp.Literal.number(1))
        made.set("default", exp.Literal.number(0))
        return made

    return tree.copy().transform(change)


def _order_columns(tree: exp.Expr) -> list[int]:
    """The columns shown that the query orders by, up to the first key that is not shown."""
    order = tree.args.get("order")
    shown = tree.selects if isinstance(tree, exp.Query) else []
    found: list[int] = []
    for key in order.expressions if order else []:
        names = [i for i, item in enumerate(shown) if key.this in (item.unalias(), exp.column(item.alias_or_name))]
        if isinstance(key.this, exp.Literal) and not key.this.is_string:
            names = [int(key.this.this) - 1]
        if isinstance(key.this, exp.Column) and not names:
            names = [i for i, item in enumerate(shown) if item.alias_or_name == key.this.name]
        if not names:
            break
        found.append(names[0])
    return found


def measure(tally: Tally, items: Iterator[tuple[Database, str]]) -> None:
    """Round-trip every query and note the outcome; equal queries are run once and counted each time."""
    done: dict[tuple[int, str], tuple[str, str]] = {}
    for database, sql in items:
        key = (id(database), sql)
        if key not in done:
            done[key] = round_trip(database, sql)
        text, problem = done[key]
        tally.total += 1
        if not problem:
            tally.covered += 1
            tally.forms.append(text)
            tally.sqls.append(sql)
            continue
        reason = problem.split(":")[0]
        tally.reasons[reason] += 1
        if (sql, problem) not in [(s, p) for s, p in tally.examples[reason]]:
            tally.examples[reason].append((sql, problem))


def spider_items(folder: Path, split: str) -> Iterator[tuple[Database, str]]:
    databases: dict[str, Database] = {}
    for line in (folder / "questions.jsonl").read_text("utf-8").splitlines():
        question = json.loads(line)
        if question["split"] == split:
            name = question["db_id"]
            if name not in databases:
                databases[name] = Database(folder / "databases" / f"{name}.sqlite")
            yield databases[name], question["query"]


def business_items(schemas: Path, folder: Path) -> Iterator[tuple[Database, str]]:
    for business in specs(schemas):
        database = Database(folder / f"{business['db_id']}.sqlite")
        for question in business["questions"]:
            yield database, question["sql"]


def systems_items(folder: Path) -> Iterator[tuple[Database, str]]:
    from training.systems import find_files, open_database, read_systems  # which builds on this module

    for system in read_systems(find_files([])):
        database = open_database(system, folder / f"{system.db_id}.sqlite")
        for question in system.questions:
            if question.sql:
                yield database, question.sql


def closed_items(questions: Path, folder: Path) -> Iterator[tuple[Database, str]]:
    databases: dict[str, Database] = {}
    for line in questions.read_text("utf-8").splitlines():
        question = json.loads(line)
        name = question["db_id"]
        if name not in databases:
            databases[name] = with_inferred_keys(Database(folder / f"{name}.sqlite"))
        yield databases[name], question["query"]


def with_inferred_keys(database: Database) -> Database:
    """The database with the join graph of the product's catalogue."""
    catalog = with_joins(Catalog("sqlite", tuple(database.schema.tables.values())))
    tables = with_references(catalog.tables, catalog.joins)
    database.schema, database.names = FormSchema(tables, catalog.joins), NameMap(tables)
    return database


def report(tallies: Sequence[Tally], count: Callable[[str], int] | None) -> str:
    """The Markdown page."""
    lines = [
        "# Round-trip coverage of the form",
        "",
        "SQL → form of edition E → text → form → SQL, both run on the database, rows compared by the test-suite",
        "definition (`inquery.evals.compare`), save that the order of rows that sort equal, 3 for '03', and the labels of",
        "the two sides of a condition are left open. Made by `python -m training.coverage`.",
        "",
        "| part | questions | covered | % | words of the form, mean / p95 | tokens of the form, mean / p95 | of the SQL, mean / p95 |",
        "|---|---|---|---|---|---|---|",
    ]
    for tally in tallies:
        share = 100 * tally.covered / max(tally.total, 1)
        words = _spread([len(split_words(text)) for text in tally.forms])
        tokens = _spread([count(text) for text in tally.forms]) if count else "not measured"
        sql = _spread([count(" ".join(text.split())) for text in tally.sqls]) if count else "not measured"
        lines.append(f"| {tally.name} | {tally.total} | {tally.covered} | {share:.2f} | {words} | {tokens} | {sql} |")
    both = [tally for tally in tallies if tally.name in ("train", "tune")]
    if both:
        total, covered = sum(t.total for t in both), sum(t.covered for t in both)
        lines += ["", f"train + tune: {covered} of {total}, {100 * covered / total:.2f}%."]
    for tally in tallies:
        lines += ["", f"## {tally.name}: {tally.total - tally.covered} not covered", ""]
        for reason, number in tally.reasons.most_common():
            note = f" ({NOTES[reason]})" if reason in NOTES else ""
            lines.append(f"- **{reason}**: {number}{note}")
            # Where hundreds share a reason, the first few show what it is.
            shown = [] if tally.closed else tally.examples[reason][:MOST_EXAMPLES]
            lines += [f"  - `{' '.join(sql.split())}`" for sql, _ in shown]
    return "\n".join(lines) + "\n"


def _spread(values: list[int]) -> str:
    if not values:
        return "none"
    return f"{statistics.mean(values):.1f} / {sorted(values)[int(0.95 * (len(values) - 1))]}"


def token_counter(file: Path | None) -> Callable[[str], int] | None:
    """Counts tokens by a tokenizer.json, as `training.base tokenizer` writes it."""
    if file is None:
        return None
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    return lambda text: len(tokenizer.encode(" " + text, add_special_tokens=False).ids)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spider", type=Path, required=True)
    parser.add_argument("--business", type=Path)
    parser.add_argument("--business-databases", type=Path)
    parser.add_argument("--systems", type=Path, help="the databases of data/systems, built")
    parser.add_argument("--closed", nargs="*", default=[], help="NAME=QUESTIONS=DATABASES")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, help="a tokenizer.json, to report lengths in tokens")
    parser.add_argument(
        "--details", type=Path, help="write the problem of every query that is not covered, as JSON lines"
    )
    arguments = parser.parse_args()
    tallies = [Tally("train"), Tally("tune")]
    for tally in tallies:
        measure(tally, spider_items(arguments.spider, tally.name))
    if arguments.business:
        tallies.append(Tally("business"))
        measure(tallies[-1], business_items(arguments.business, arguments.business_databases))
    if arguments.systems:
        tallies.append(Tally("systems"))
        measure(tallies[-1], systems_items(arguments.systems))
    for given in arguments.closed:
        name, questions, folder = given.split("=")
        tallies.append(Tally(name, closed=True))
        measure(tallies[-1], closed_items(Path(questions), Path(folder)))
    arguments.out.write_text(report(tallies, token_counter(arguments.tokenizer)), "utf-8")
    if arguments.details:
        rows = [
            {"part": t.name, "reason": p, "sql": s} for t in tallies for found in t.examples.values() for s, p in found
        ]
        arguments.details.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    for tally in tallies:
        print(f"{tally.name}: {tally.covered}/{tally.total} = {100 * tally.covered / tally.total:.2f}%")
        for reason, number in tally.reasons.most_common():
            print(f"  {number:5d} {reason}")


if __name__ == "__main__":
    main()
