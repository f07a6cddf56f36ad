"""Databases from their descriptions in data/business and its like, the same rows every time.

    python -m training.business --out DIR      one <db_id>.sqlite each
    python -m training.business --out DIR --questions held    and en.jsonl, zh.jsonl for `inquery eval spider`
    python -m training.business --check        run every question, name what fails or finds nothing

A description: {"db_id", "domain", "tables": [{"name", "count", "columns": [{"name", "type", …}]}], "questions": [{"en",
"zh", "sql"}]}, and perhaps "en2" and "zh2", other wordings.
A column has one of "pk": true (1 to count), "fk": "table.column", "values": […], "range": [low, high] (numbers or ISO
dates), "pattern": "text with {n}"; and perhaps "null": the share of NULLs, "unique": true.
"""

from __future__ import annotations

import argparse
import datetime
import json
import random
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from training.descriptions import DATA
from training.descriptions import specs as specs
from training.seeds import is_held, quote

SPECS = DATA / "business"
Made = dict[tuple[str, str], list[Any]]


def cells(column: dict[str, Any], count: int, rng: random.Random, made: Made) -> list[Any]:
    """The values of one column; the order of draws is part of the data."""
    if column.get("pk"):
        return list(range(1, count + 1))
    if not {"fk", "values", "range"} & column.keys():
        return [column.get("pattern", column["name"] + " {n}").format(n=i) for i in range(1, count + 1)]
    if "range" in column and not isinstance(column["range"][0], str):
        low, high = column["range"]
        return blank(numbers(low, high, count, rng), column, rng)
    pool = choices(column, count, made)
    if column.get("unique"):
        chosen = list(pool) if len(pool) <= count else rng.sample(list(pool), count)
        return blank((chosen + [f"{value} {i}" for i, value in enumerate(chosen * count, 2)])[:count], column, rng)
    return blank([rng.choice(pool) for _ in range(count)], column, rng)


def numbers(low: float, high: float, count: int, rng: random.Random) -> list[float]:
    """Whole numbers between whole bounds, otherwise two decimals."""
    if isinstance(low, int) and isinstance(high, int):
        return [rng.randint(low, high) for _ in range(count)]
    return [round(rng.uniform(low, high), 2) for _ in range(count)]


def choices(column: dict[str, Any], count: int, made: Made) -> list[Any]:
    """What a reference, a list of values or a range of dates is drawn from."""
    if "fk" in column:
        table, key = column["fk"].rsplit(".", 1)
        return made.get((table, key)) or list(range(1, count + 1))
    if "values" in column:
        return list(column["values"])
    first, last = (datetime.date.fromisoformat(day) for day in column["range"])
    return [(first + datetime.timedelta(days=i)).isoformat() for i in range((last - first).days + 1)]


def blank(values: list[Any], column: dict[str, Any], rng: random.Random) -> list[Any]:
    """The values with the column's share of NULLs."""
    return [None if rng.random() < column.get("null", 0) else value for value in values]


def create_statement(table: dict[str, Any]) -> str:
    """CREATE TABLE with its keys."""
    parts = [f"{quote(c['name'])} {c['type']}" + (" PRIMARY KEY" if c.get("pk") else "") for c in table["columns"]]
    for column in table["columns"]:
        if "fk" in column:
            target, key = column["fk"].rsplit(".", 1)
            parts.append(f"FOREIGN KEY ({quote(column['name'])}) REFERENCES {quote(target)} ({quote(key)})")
    return f"CREATE TABLE {quote(table['name'])} ({', '.join(parts)})"


def build(spec: dict[str, Any], path: str = ":memory:") -> sqlite3.Connection:
    """The database of one description."""
    rng, database = random.Random(spec["db_id"]), sqlite3.connect(path)
    made: Made = {}
    for table in spec["tables"]:
        database.execute(create_statement(table))
    for table in spec["tables"]:
        columns = []
        for column in table["columns"]:
            columns.append(cells(column, table["count"], rng, made))
            made[table["name"], column["name"]] = [value for value in columns[-1] if value is not None]
        marks = ", ".join("?" * len(columns))
        database.executemany(f"INSERT INTO {quote(table['name'])} VALUES ({marks})", zip(*columns, strict=True))
    database.commit()
    return database


def problems(spec: dict[str, Any]) -> Iterator[str]:
    """Questions that fail or find nothing."""
    database = build(spec)
    for question in spec["questions"]:
        try:
            rows = database.execute(question["sql"]).fetchall()
        except sqlite3.Error as error:
            yield f"failed {spec['db_id']} {error}: {question['sql']}"
        else:
            if not rows or rows == [(None,)]:
                yield f"empty {spec['db_id']}: {question['sql']}"
    database.close()


def write_questions(found: Sequence[dict[str, Any]], out: Path) -> None:
    """The first wording of each question in each language, in Spider's format."""
    for language in ("en", "zh"):
        rows = [
            {"db_id": spec["db_id"], "question": question[language], "query": question["sql"]}
            for spec in found
            for question in spec["questions"]
        ]
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (out / f"{language}.jsonl").write_text("".join(lines), "utf-8")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--specs", type=Path, default=SPECS, help="a folder of descriptions, or a file with one a line")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument(
        "--questions", choices=["all", "held"], help="also write them, of all databases or those kept aside"
    )
    args = parser.parse_args()
    if args.questions and not args.out:
        parser.error("--questions needs --out")
    found = list(specs(args.specs))
    for spec in found:
        if args.out:
            args.out.mkdir(parents=True, exist_ok=True)
            target = args.out / f"{spec['db_id']}.sqlite"
            target.unlink(missing_ok=True)
            build(spec, str(target)).close()
        for problem in problems(spec) if args.check else ():
            print(problem)
    if args.questions:
        write_questions([s for s in found if args.questions == "all" or is_held(s["db_id"])], args.out)


if __name__ == "__main__":
    main()
