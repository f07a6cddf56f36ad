"""Databases in the style of real systems, one described in each file of data/systems/<domain>/<db_id>.yaml.

    python -m training.systems check FILES…                 name every problem, then count kinds and lengths
    python -m training.systems build FILES… --out DIR       <db_id>.sqlite and <db_id>.comments.json, the same every time
    python -m training.systems build FILES… --out DIR --questions held    and en.jsonl, zh.jsonl for `inquery eval spider`
    python -m training.systems stats FILES…                 count kinds, languages, lengths and what is read
    python -m training.systems coverage FILES…              which kinds the form can say
    python -m training.systems groups FILES… --out F.jsonl  the groups that training.prepare renders

FILES may be folders; none means all of data/systems. data/systems/README.md teaches the format, training/columns.py the
words of a column's line, KINDS below the kinds of questions.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from inquery.form.join_paths import FormSchema
from inquery.form.name_words import NameMap
from inquery.sql.catalog import ForeignKey
from training.columns import BadLine, Column, Filled, fill_column, quote, read_columns, read_data
from training.coverage import Database, read_tables, round_trip
from training.files import read_yaml
from training.seeds import column_values, describe, is_held, wordings

FOLDER = Path(__file__).parent / "data" / "systems"
FOR_VERDICTS = frozenset((FOLDER / "verdicts.txt").read_text("utf-8").split())
"""Databases that teach a model to tell right statements from wrong ones (verdicts.py); no answer over them is learned."""
TODAY = "2025-06-30"
KINDS = {
    "list": "rows that meet one or two conditions",
    "count": "how many rows",
    "sum": "a total",
    "average": "a mean",
    "distinct": "how many different ones",
    "extreme": "the first, last, largest or smallest",
    "group": "a figure for each",
    "two_dimensions": "a figure for each of two things, or one of them in columns",
    "having": "only groups beyond a figure",
    "topn": "the n largest",
    "topn_per_group": "the n largest of each",
    "share": "a part of the whole, in per cent",
    "ratio": "a figure divided by another",
    "growth": "a period against the one before",
    "compare": "one thing against another or the rest, like for like",
    "running": "a running total, moving average or rank over time",
    "period": "month by month or quarter by quarter",
    "relative": "last month, this year, the past 90 days, counted from `today`",
    "date_arithmetic": "days, hours or minutes between",
    "negation": "never, without, not any",
    "set": "both, one but not the other, in all",
    "hierarchy": "parents and children, managers, parts of parts",
    "role": "two references to one table",
    "self": "rows of one table against each other",
    "polymorphic": "a reference whose table a type column names",
    "snapshot": "stocks, balances or valid rows at a date",
    "lookup": "a code shown by its label",
    "code": "a code said in brackets or quotes",
    "reworded": "a condition without its stored word",
    "column_choice": "one of twin columns: dates, amounts, statuses",
    "table_choice": "one of twin tables: detail or summary, live or archive",
    "fanout": "figures of two detail tables that must not multiply each other",
    "blank": "empty or missing values",
    "multi": "three to five parts in one question",
    "unanswerable": "not in this database: sql is null",
    "ambiguous": "two readings; `note` says why this one is taken",
}
NAMES, COMMENTS, READ = ("en", "zh", "pinyin", "mixed"), ("en", "zh", "both", "none"), ("agreed", "differs", "given")
TRAINED = ("agreed", "given")
"""Questions that two independent readings answered alike, or that came checked."""


class BadFile(Exception):
    """A description that cannot be read or built; the message names file, table and line."""


@dataclass
class Question:
    """One question with its wordings."""

    number: int
    en: str
    zh: str
    sql: str | None
    kind: str
    pair: str = ""
    en2: str = ""
    zh2: str = ""
    note: str = ""
    read: str = ""


@dataclass
class TableText:
    """One table as it is described."""

    name: str
    comment: str
    rows: int
    columns: list[Column]
    data: list[list[str | None]]


@dataclass
class System:
    """One file."""

    file: Path
    db_id: str
    domain: str
    style: str
    names: str
    comments: str
    tables: list[TableText]
    questions: list[Question]
    author: str = ""
    today: str = TODAY


def read_system(file: Path) -> System:
    """The description in a file; BadFile where it is not one."""
    try:
        raw = read_yaml(file)
    except (yaml.YAMLError, OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{file}: {error}") from error
    wanted = {"db_id", "domain", "style", "names", "comments", "tables", "questions"}
    keys_fit(raw, wanted, {"author", "today"}, f"{file}")
    for key, allowed in (("names", NAMES), ("comments", COMMENTS)):
        if raw[key] not in allowed:
            raise BadFile(f"{file}: {key} is one of {', '.join(allowed)}")
    if file.stem != raw["db_id"]:
        raise BadFile(f"{file}: the file of {raw['db_id']} is {raw['db_id']}.yaml")
    system = System(
        file=file, db_id=raw["db_id"], domain=str(raw["domain"]), style=str(raw["style"]), names=raw["names"],
        comments=raw["comments"], author=str(raw.get("author", "")), today=str(raw.get("today", TODAY)),
        tables=[read_table(table, file) for table in raw["tables"]],
        questions=[read_question(question, number, file) for number, question in enumerate(raw["questions"], 1)],
    )  # fmt: skip
    known = {(table.name, column.name) for table in system.tables for column in table.columns}
    for table in system.tables:
        for column in table.columns:
            for target, key in column.refs:
                if (target, key) not in known:
                    raise BadFile(
                        f"{file}: table {table.name}: {column.name} refers to {target}.{key}, which is not there"
                    )
    return system


def keys_fit(raw: object, wanted: set[str], possible: set[str], place: str) -> None:
    """Complain of keys that are missing or unknown."""
    if not isinstance(raw, dict):
        raise BadFile(f"{place}: keys and values expected")
    missing, unknown = wanted - raw.keys(), raw.keys() - wanted - possible
    if missing or unknown:
        parts = [f"without {key}" for key in sorted(missing)] + [
            f"unknown key {key}" for key in sorted(map(str, unknown))
        ]
        raise BadFile(f"{place}: {', '.join(parts)}")


def read_table(raw: dict[str, Any], file: Path) -> TableText:
    """One entry of `tables`."""
    place = f"{file}: table {raw.get('name') if isinstance(raw, dict) else raw}"
    keys_fit(raw, {"name", "columns"}, {"comment", "rows", "data"}, place)
    try:
        columns = read_columns(raw["columns"])
        given = [column for column in columns if column.ways[0].needs_data]
        data = read_data(raw["data"], len(given)) if "data" in raw else []
    except BadLine as error:
        raise BadFile(f"{place}: {error}") from error
    names = [column.name.casefold() for column in columns]
    if len(set(names)) < len(names):
        raise BadFile(f"{place}: two columns of one name")
    rows = raw.get("rows", len(data) if "data" in raw else None)
    if not isinstance(rows, int) or rows < 0 or ("data" in raw and rows != len(data)):
        raise BadFile(f"{place}: rows is {rows}, data has {len(data)} lines")
    return TableText(str(raw["name"]), str(raw.get("comment") or ""), rows, columns, data)


def read_question(raw: dict[str, Any], number: int, file: Path) -> Question:
    """One entry of `questions`."""
    place = f"{file}: question {number}"
    keys_fit(raw, {"en", "zh", "sql", "kind"}, {"pair", "en2", "zh2", "note", "read"}, place)
    if raw["kind"] not in KINDS:
        raise BadFile(f"{place}: kind {raw['kind']} is none of {' '.join(KINDS)}")
    if (raw["sql"] is None) != (raw["kind"] == "unanswerable"):
        raise BadFile(f"{place}: sql is null exactly where kind is unanswerable")
    if raw.get("read", "given") not in READ:
        raise BadFile(f"{place}: read is one of {', '.join(READ)}")
    text = {key: " ".join(str(raw[key]).split()) for key in ("en", "zh", "en2", "zh2") if raw.get(key)}
    rest = {key: str(raw[key]) for key in ("pair", "note", "read") if raw.get(key)}
    sql = None if raw["sql"] is None else str(raw["sql"]).strip()
    return Question(number, sql=sql, kind=raw["kind"], **{"en": "", "zh": "", **text}, **rest)


def build(system: System, path: str = ":memory:") -> sqlite3.Connection:
    """The database of a description."""
    database = sqlite3.connect(path)
    tables: dict[str, Filled] = {}
    for table in system.tables:
        place = f"{system.file}: table {table.name}"
        try:
            filled = fill_table(table, tables, system.db_id, database)
            database.execute(create_statement(table))
            marks = ", ".join("?" * len(table.columns))
            cells = zip(*(filled.shown[column.name] for column in table.columns), strict=True)
            database.executemany(f"INSERT INTO {quote(table.name)} VALUES ({marks})", cells)
        except (BadLine, sqlite3.Error) as error:
            raise BadFile(f"{place}: {error}") from error
        tables[table.name] = filled
    for table in system.tables:
        for column in table.columns:
            if column.late:
                try:
                    database.execute(f"UPDATE {quote(table.name)} SET {quote(column.name)} = {column.late}")
                except sqlite3.Error as error:
                    raise BadFile(f"{system.file}: table {table.name}: {column.name}: {error}") from error
    database.commit()
    return database


def fill_table(table: TableText, tables: dict[str, Filled], seed: str, database: sqlite3.Connection) -> Filled:
    """All cells of a table."""
    filled = Filled(table.name, table.rows)
    given = [column.name for column in table.columns if column.ways[0].needs_data] if table.data else []
    for column in table.columns:
        data = [row[given.index(column.name)] for row in table.data] if column.name in given else None
        try:
            fill_column(column, filled, tables, seed, database, data)
        except BadLine as error:
            raise BadLine(f"{column.name}: {error}") from error
    keys = [column.name for column in table.columns if column.pk]
    if len(keys) > 1:
        drop_repeated(filled, keys)
    return filled


def drop_repeated(filled: Filled, keys: list[str]) -> None:
    """Leave out rows whose key of several columns was drawn before."""
    first: dict[tuple[object, ...], int] = {}
    for row, key in enumerate(zip(*(filled.shown[name] for name in keys), strict=True)):
        first.setdefault(key, row)
    kept = sorted(first.values())
    for cells in (filled.cells, filled.shown):
        for name in cells:
            cells[name] = [cells[name][row] for row in kept]
    filled.rows = len(kept)


def create_statement(table: TableText) -> str:
    """CREATE TABLE with its keys."""
    keys = [column.name for column in table.columns if column.pk]
    parts = [f"{quote(c.name)} {c.type}" + (" PRIMARY KEY" if c.pk and len(keys) == 1 else "") for c in table.columns]
    if len(keys) > 1:
        parts.append(f"PRIMARY KEY ({', '.join(map(quote, keys))})")
    for column in table.columns:
        if column.fk:
            parts.append(f"FOREIGN KEY ({quote(column.name)}) REFERENCES {quote(column.fk[0])} ({quote(column.fk[1])})")
    return f"CREATE TABLE {quote(table.name)} ({', '.join(parts)})"


def comments_of(system: System) -> dict[str, dict[str, str]]:
    """The comments, the table's own under the empty name."""
    return {
        table.name: {"": table.comment, **{c.name: c.comment for c in table.columns if c.comment}}
        for table in system.tables
    }


def write_database(system: System, folder: Path) -> Path:
    """The database and its comments as files."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{system.db_id}.sqlite"
    target.unlink(missing_ok=True)
    build(system, str(target)).close()
    comments = json.dumps(comments_of(system), ensure_ascii=False, indent=1)
    (folder / f"{system.db_id}.comments.json").write_text(comments, "utf-8")
    return target


def write_questions(systems: Iterable[System], out: Path) -> None:
    """The first wording of each question that has an answer, in Spider's format."""
    found = list(systems)
    for language in ("en", "zh"):
        rows = [
            {"db_id": system.db_id, "question": getattr(question, language), "query": question.sql}
            for system in found
            for question in system.questions
            if question.sql
        ]
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (out / f"{language}.jsonl").write_text("".join(lines), "utf-8")


def open_database(system: System, file: Path) -> Database:
    """The database as the form sees it: undeclared references count as keys, as run time would infer them."""
    database = Database(file)
    tables = []
    for table, described in zip(read_tables(database.connection), system.tables, strict=True):
        keys = tuple(
            ForeignKey((column.name,), (target,), (key,))
            for column in described.columns
            if not column.fk
            for target, key in column.refs[:1]
        )
        columns = tuple(
            replace(c, comment=text.comment, samples=tuple(column_values(database.connection, table.name, c.name)[0]))
            for c, text in zip(table.columns, described.columns, strict=True)
        )
        tables.append(replace(table, columns=columns, foreign_keys=(*table.foreign_keys, *keys)))
    database.schema, database.names = FormSchema(tables), NameMap(tables)
    return database


def systems_groups(systems: Iterable[System], folder: Path, *, none: str | None = None) -> Iterator[dict[str, Any]]:
    """Groups as training.seeds makes them, of questions that are read and that the form can say.

    `folder` holds the built databases. A tenth of them is kept aside (`is_held`), and those for verdicts. `fk` has every known reference,
    `declared` says which the database declares. `none` is the form of what cannot be answered; without it such questions are left out.
    """
    for system in systems:
        database = open_database(system, folder / f"{system.db_id}.sqlite")
        group = describe(database)
        declared = {(t.name, c.name) for t in system.tables for c in t.columns if c.fk}
        comments = comments_of(system)
        for table in group["tables"]:
            table["comment"] = comments[table["name"]][""]
            for column in table["columns"]:
                column["comment"] = comments[table["name"]].get(column["name"], "")
                if column["fk"]:
                    column["declared"] = (table["name"], column["name"]) in declared
        questions = []
        for question in system.questions:
            if question.read not in TRAINED:
                continue
            form, problem = round_trip(database, question.sql) if question.sql else (none, "" if none else "no form")
            if not problem:
                for language, text in wordings(vars(question)):
                    questions.append(
                        {"lang": language, "question": text, "form": form, "sql": question.sql, "today": system.today}
                    )
        database.connection.close()
        split = "tune" if is_held(system.db_id) or system.db_id in FOR_VERDICTS else "train"
        yield {"schema_id": system.db_id, "split": split, **group, "questions": questions}


@dataclass
class Kind:
    """How the form does with one kind of question."""

    total: int = 0
    covered: int = 0
    reasons: Counter[str] = field(default_factory=Counter)


def coverage_table(systems: Iterable[System]) -> list[str]:
    """By kind, how many questions the form can say, and the first reasons where it cannot."""
    kinds: dict[str, Kind] = defaultdict(Kind)
    for system in systems:
        with tempfile.TemporaryDirectory() as folder:
            database = open_database(system, write_database(system, Path(folder)))
            for question in system.questions:
                problem = round_trip(database, question.sql)[1] if question.sql else ""
                for kind in (kinds[question.kind], kinds["all"]):
                    kind.total += 1
                    kind.covered += not problem
                    if problem:
                        kind.reasons[problem.split(":")[0]] += 1
            database.connection.close()
    lines = ["| kind | questions | covered | % | why not |", "|---|---|---|---|---|"]
    for name, kind in sorted(kinds.items(), key=lambda item: -item[1].total):
        why = "; ".join(f"{reason} {count}" for reason, count in kind.reasons.most_common(12 if name == "all" else 4))
        lines.append(f"| {name} | {kind.total} | {kind.covered} | {100 * kind.covered / kind.total:.0f} | {why} |")
    return lines


def count_table(systems: Sequence[System]) -> list[str]:
    """Databases, kinds, wordings and lengths."""
    questions = [question for system in systems for question in system.questions]
    if not questions:
        return ["no questions"]
    lines = [
        f"{len(systems)} databases ({sum(is_held(s.db_id) for s in systems)} held out), "
        f"{sum(len(s.tables) for s in systems)} tables, {len(questions)} questions, "
        f"{len({(s.db_id, q.pair) for s in systems for q in s.questions if q.pair})} pairs",
        "names: " + ", ".join(f"{k} {n}" for k, n in Counter(s.names for s in systems).most_common()),
        "comments: " + ", ".join(f"{k} {n}" for k, n in Counter(s.comments for s in systems).most_common()),
        "read: " + ", ".join(f"{k or 'not yet'} {n}" for k, n in Counter(q.read for q in questions).most_common()),
    ]
    for language, size in (("en", lambda text: len(text.split())), ("zh", len)):
        texts = [text for q in questions for found, text in wordings(vars(q)) if found == language]
        sizes = sorted(map(size, texts))
        unit = "words" if language == "en" else "signs"
        lines.append(f"{language}: {len(texts)} wordings, {statistics.mean(sizes):.1f} {unit}, longest {sizes[-1]}")
    counts = Counter(question.kind for question in questions)
    lines += [f"  {counts[kind]:5d}  {kind}" for kind in KINDS if counts[kind]]
    missing = [kind for kind in KINDS if not counts[kind]]
    return [*lines, f"no question of: {', '.join(missing)}"] if missing else lines


def find_files(given: Sequence[Path]) -> list[Path]:
    """The descriptions among files and folders; all of them where none is given."""
    found: list[Path] = []
    for path in given or [FOLDER]:
        found += sorted(path.glob("**/*.yaml")) if path.is_dir() else [path]
    return [path for path in found if path.name != "pools.yaml"]


def read_systems(files: Iterable[Path]) -> Iterator[System]:
    """The descriptions; what cannot be read ends the run."""
    for file in files:
        try:
            yield read_system(file)
        except BadFile as error:
            sys.exit(str(error))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("check", "build", "stats", "coverage", "groups"):
        command = commands.add_parser(name)
        command.add_argument("files", nargs="*", type=Path)
        if name in ("build", "groups"):
            command.add_argument("--out", type=Path, required=True)
        if name == "build":
            command.add_argument(
                "--questions", choices=["all", "held"], help="also write them, of all or those held out"
            )
        if name == "check":
            command.add_argument(
                "--against", nargs="+", type=Path, default=[], help="look for near-copies in these too"
            )
    args = parser.parse_args()
    files = find_files(args.files)
    if args.command == "check":
        from training.judge import check_files  # it builds on this module

        problems, systems = check_files(files, find_files(args.against) if args.against else [])
        print("\n".join([*problems, *count_table(systems), f"{len(problems)} problems in {len(files)} files"]))
        sys.exit(bool(problems))
    found = list(read_systems(files))
    if args.command == "stats":
        print("\n".join(count_table(found)))
    elif args.command == "coverage":
        print("\n".join(coverage_table(found)))
    elif args.command == "groups":
        with tempfile.TemporaryDirectory() as folder, args.out.open("w", encoding="utf-8") as out:
            for system in found:
                write_database(system, Path(folder))
                for group in systems_groups([system], Path(folder), none="none"):
                    out.write(json.dumps(group, ensure_ascii=False) + "\n")
    else:
        for system in found:
            write_database(system, args.out)
        if args.questions:
            write_questions((s for s in found if args.questions == "all" or is_held(s.db_id)), args.out)


if __name__ == "__main__":
    main()
