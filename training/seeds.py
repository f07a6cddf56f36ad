"""The given data as groups: one database a line, its schema, values and questions with their forms.

    python -m training.seeds spider --folder DIR [--chinese spider-zh.jsonl] --out groups.jsonl
    python -m training.seeds business --schemas training/data/business --databases DIR --out groups.jsonl

A group: {schema_id, split, tables: [{name, rows, columns: [{name, type, pk, fk, samples}]}],
values: {"table.column": […]}, questions: [{lang, question, form, sql}]}. A question is kept only when its form
gives the same rows as its SQL.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.coverage import Database, round_trip
from training.descriptions import specs
from training.spider import CHINESE, SpiderQuestion, chinese_by_line, read_questions

SAMPLES = 8
VALUES = 500
LONGEST_VALUE = 80
HELD_TENTH = 10


def quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def describe(database: Database) -> dict[str, Any]:
    """Tables with samples, and the distinct values of text columns."""
    tables, values = [], {}
    for name, table in database.schema.tables.items():
        rows = database.connection.execute(f"select count(*) from {quote(table.name)}").fetchone()[0]
        columns = []
        for column in table.columns:
            samples, distinct = column_values(database.connection, table.name, column.name)
            if distinct:
                values[f"{name}.{column.name}"] = distinct
            keys = [k for k in table.foreign_keys if column.name in k.columns]
            columns.append({
                "name": column.name, "type": column.type, "pk": column.primary_key, "samples": samples,
                "fk": reference(keys[0], column.name, database) if keys else None,
            })  # fmt: skip
        tables.append({"name": name, "rows": rows, "columns": columns})
    return {"tables": tables, "values": values}


def reference(key: Any, column: str, database: Database) -> str | None:
    """`table.column` a key column points to."""
    target = key.table[-1]
    if target not in database.schema.tables:
        return None
    columns = key.references or database.schema.primary_key(target)
    place = key.columns.index(column)
    return f"{target}.{columns[place]}" if place < len(columns) else None


def column_values(connection: sqlite3.Connection, table: str, column: str) -> tuple[list[str], list[str]]:
    """The most frequent values as text, and all distinct text values within bounds."""
    sql = (
        f"select {quote(column)}, count(*) from {quote(table)} where {quote(column)} is not null"
        f" group by 1 order by 2 desc, 1 limit {VALUES}"
    )
    found = [row[0] for row in connection.execute(sql)]
    texts = [value for value in found if isinstance(value, str) and 0 < len(value) <= LONGEST_VALUE]
    samples = [
        str(value) for value in found[:SAMPLES] if not isinstance(value, bytes) and len(str(value)) <= LONGEST_VALUE
    ]
    return samples, texts


def spider_groups(folder: Path, chinese: Path) -> Iterator[dict[str, Any]]:
    """Spider: English, its paraphrase and Chinese, grouped by database."""
    questions = read_questions(folder / "questions.jsonl")
    translated = chinese_by_line(questions, chinese)
    by_database: dict[str, list[tuple[int, SpiderQuestion]]] = defaultdict(list)
    for number, question in enumerate(questions):
        by_database[question["db_id"]].append((number, question))
    for name, items in by_database.items():
        database = Database(folder / "databases" / f"{name}.sqlite")
        group = {"schema_id": name, "split": items[0][1]["split"], **describe(database), "questions": []}
        forms: dict[str, tuple[str, str]] = {}
        for number, item in items:
            sql = item["query"]
            forms.setdefault(sql, round_trip(database, sql))
            form, problem = forms[sql]
            if problem:
                continue
            wordings = [("en", item["question"]), ("en", item["paraphrase"]), ("zh", translated.get(number))]
            for lang, text in wordings:
                if text:
                    group["questions"].append({"lang": lang, "question": text, "form": form, "sql": sql})
        yield group


def wordings(question: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The wordings of a question written by hand, each with its language; `en2` and `zh2` are further ones."""
    for field in ("en", "en2", "zh", "zh2"):
        if question.get(field):
            yield field[:2], question[field]


def is_held(name: str) -> bool:
    """Whether a business database is kept aside, by a hash of its name."""
    return zlib.crc32(name.encode()) % HELD_TENTH == 0


def business_groups(schemas: Path, folder: Path, *, whole: bool = False) -> Iterator[dict[str, Any]]:
    """Databases described by hand; a tenth of them is kept aside for choosing unless told not to."""
    for spec in specs(schemas):
        database = Database(folder / f"{spec['db_id']}.sqlite")
        held = not whole and is_held(spec["db_id"])
        group = {
            "schema_id": spec["db_id"],
            "split": "tune" if held else "train",
            **describe(database),
            "questions": [],
        }
        for item in spec["questions"]:
            form, problem = round_trip(database, item["sql"])
            if not problem:
                for lang, text in wordings(item):
                    group["questions"].append({"lang": lang, "question": text, "form": form, "sql": item["sql"]})
        yield group


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    spider = kinds.add_parser("spider")
    spider.add_argument("--folder", type=Path, required=True)
    spider.add_argument("--chinese", type=Path, default=CHINESE)
    business = kinds.add_parser("business")
    business.add_argument("--schemas", type=Path, required=True)
    business.add_argument("--databases", type=Path, required=True)
    business.add_argument("--whole", action="store_true", help="keep no database aside")
    for sub in (spider, business):
        sub.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    groups = (
        spider_groups(args.folder, args.chinese)
        if args.kind == "spider"
        else business_groups(args.schemas, args.databases, whole=args.whole)
    )
    with args.out.open("w", encoding="utf-8") as out:
        for group in groups:
            out.write(json.dumps(group, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
