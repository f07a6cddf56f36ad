"""Render groups into training text with the code of run time: schema, question with hints, form.

    python -m training.prepare --groups spider.jsonl … --copies spider=12 business=12 synthetic=1 --out data.jsonl.xz

A group is rendered `copies` times, each time with other table and column orders, other tables left out, some hints
missing, and (after the first) other names and other values, numbers and columns asked for (swaps.py). Groups of
split `tune` are rendered once, plainly, as held-out data.
"""

from __future__ import annotations

import argparse
import datetime
import json
import multiprocessing
import random
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from inquery.catalog.value_index import ValueIndex
from inquery.form.ast import Literal, Source, walk_tree
from inquery.form.name_words import FormError, NameMap, split_words
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.llm.embedded.prompt import Hints, question_text, schema_text
from inquery.llm.embedded.spoken import as_shown, spoken_names, spoken_values
from inquery.llm.embedded.view import CONSTANTS, Reading, number_word, prompt_tables, read_question
from inquery.sql.catalog import Column, ForeignKey, Table
from training.files import open_text
from training.slots import slotted

TODAY = datetime.date(2026, 11, 15)
PER_SCHEMA = 20


def tables_of(group: dict[str, Any]) -> list[Table]:
    """The group's tables as catalogue types."""
    made = []
    for table in group["tables"]:
        columns = tuple(
            Column(
                c["name"],
                c.get("type", ""),
                comment=c.get("comment", ""),
                primary_key=bool(c.get("pk")),
                samples=tuple(map(str, c.get("samples", ()))),
            )
            for c in table["columns"]
        )
        keys = []
        for c in table["columns"]:
            if c.get("fk"):
                target, column = c["fk"].rsplit(".", 1)
                keys.append(ForeignKey((c["name"],), (target,), (column,)))
        made.append(Table((table["name"],), columns, table.get("comment", ""), table.get("rows"), tuple(keys)))
    return made


def values_of(group: dict[str, Any]) -> ValueIndex:
    """The group's values, with the phrases that mean one of them."""
    index = ValueIndex.of({tuple(place.rsplit(".", 1)): values for place, values in group["values"].items()})
    # One phrase may mean values of several columns; spaces keep the keys apart and are not read.
    mapped = {
        phrase + " " * at: (table, column, value)
        for at, (phrase, table, column, value) in enumerate(group.get("mappings", ()))
    }
    return index.with_mappings(mapped) if mapped else index


def render(group: dict[str, Any], source: str, copy: int, tally: Counter[str]) -> list[dict[str, Any]]:
    """One copy of a group as text: all its questions, a few behind each rendering of the schema."""
    rng = random.Random(f"{group['schema_id']} {copy}")
    whole = tables_of(group)
    spelled = NameMap(whole)
    index = values_of(group)
    queries = [
        (item, parsed) for item in group["questions"] if (parsed := parse(item["form"], spelled, tally)) is not None
    ]
    rng.shuffle(queries)
    plain = source.startswith("held")
    as_shown = group.get("shipped") and copy % 4 == 0
    made = []
    for language, chosen in chunked(queries):
        if plain or as_shown:
            tables = sorted(whole, key=lambda table: table.path) if as_shown else whole
        else:
            tables = varied(whole, [query for _, query in chosen], rng)
        names = spoken_names(tables, language)
        pairs = [
            render_question(item, query, tables, names, index, None if plain else rng, tally) for item, query in chosen
        ]
        kept = [pair for pair in pairs if pair]
        if kept:
            made.append(
                {"source": source, "schema": schema_text(prompt_tables(tables, names, language)), "pairs": kept}
            )
    return made


def chunked(queries: list[tuple[dict[str, Any], Any]]) -> Iterator[tuple[str, list[tuple[dict[str, Any], Any]]]]:
    """Questions of one language, a few at a time: the schema is shown with comments of that language."""
    for language in ("en", "zh"):
        own = [pair for pair in queries if pair[0]["lang"] == language]
        for at in range(0, len(own), PER_SCHEMA):
            yield language, own[at : at + PER_SCHEMA]


def parse(form: str, names: NameMap, tally: Counter[str]) -> Any | None:
    try:
        return read_form(form, names)
    except FormError:
        tally["form does not parse"] += 1
        return None


def render_question(
    item: dict[str, Any],
    query: Any,
    tables: list[Table],
    names: NameMap,
    index: ValueIndex,
    rng: random.Random | None,
    tally: Counter[str],
) -> tuple[str, list[str]] | None:
    """The question with its hints and the words of the form, or None when code could not give the model what the form needs."""
    question = item["question"]
    today = datetime.date.fromisoformat(item["today"]) if "today" in item else TODAY
    kept = {(t.full_name, c.name) for t in tables for c in t.columns}
    matches = [m for m in index.match(question) if (m.table, m.column) in kept]
    phrases = [(word, name) for word, name in item.get("phrases", ()) if name]
    language = item["lang"]
    reading = read_question(question, tables, names, matches, today=today, language=language, phrases=phrases)
    made = slotted(query, reading.periods)
    if made is None:
        tally["period not read"] += 1
        return None
    made = as_shown(made, spoken_values(tables, language), names)
    problem = missing(made, reading)
    if problem:
        tally[problem] += 1
        return None
    hints = reading.hints if rng is None else noisy(reading.hints, rng)
    tally["kept"] += 1
    return question_text(question, hints), split_words(write(made, names))


def missing(query: Any, reading: Reading) -> str:
    """Why a literal of the form could not be written at run time, or nothing."""
    allowed = {value.casefold() for values in reading.values.values() for value in values} | {
        s.casefold() for s in reading.spans
    }
    numbers = {*reading.numbers, *CONSTANTS}
    for node in walk_tree(query):
        if isinstance(node, Literal) and node.kind == "text" and str(node.value).casefold() not in allowed:
            return "value not found"
        if isinstance(node, Literal) and node.kind == "number" and number_word(node.value).lstrip("-") not in numbers:  # type: ignore[arg-type]
            return "number not found"
    return ""


def noisy(hints: Hints, rng: random.Random) -> Hints:
    """Hints as bad as at run time: one question in ten loses some of its values, one in seven some of its glosses."""
    if rng.random() < 0.1:
        hints = replace(hints, values=tuple(v for v in hints.values if rng.random() < 0.5))
    if rng.random() < 0.15:
        hints = replace(hints, gloss=tuple(g for g in hints.gloss if rng.random() < 0.5))
    return hints


def varied(tables: list[Table], queries: Iterable[Any], rng: random.Random) -> list[Table]:
    """Tables and columns in another order, some of those no question needs left out, some samples unknown."""
    used = {node.table for query in queries for node in walk_tree(query) if isinstance(node, Source)}
    keep_rest = rng.choice((1.0, 1.0, 0.7, 0.4))
    kept = [t for t in tables if t.name in used or rng.random() < keep_rest]
    reached = {key.table[-1] for t in tables if t.name in used for key in t.foreign_keys}
    kept += [t for t in tables if t not in kept and t.name in reached]
    rng.shuffle(kept)
    hide = rng.choice((0.0, 0.0, 0.0, 0.3))
    return [shuffled(t, rng, hide) for t in kept]


def shuffled(table: Table, rng: random.Random, hide: float) -> Table:
    columns = [replace(c, samples=()) if rng.random() < hide else c for c in table.columns]
    if rng.random() < 0.3:
        rng.shuffle(columns)
    return replace(table, columns=tuple(columns))


def work(job: tuple[str, str, int, bool]) -> tuple[str, list[dict[str, Any]], Counter[str]]:
    """All copies of one group line, under the name of their source, and what became of its questions."""
    line, source, copies, rename = job
    group, tally = json.loads(line), Counter[str]()
    made = []
    held = group.get("split") == "tune"
    name = f"held_{source}" if held else source
    for copy in range(1 if held else copies):
        # A database that ships with Inquery is asked about under its own names, so half of its copies keep them.
        own = held or copy == 0 or (group.get("shipped") and copy % 2 == 0)
        version = renamed(altered(group, copy), copy) if rename and not own else group
        made += render(version, name, copy, tally)
    return name, made, tally


def altered(group: dict[str, Any], copy: int) -> dict[str, Any]:
    """The group with other values, numbers and columns in its questions."""
    from training.swaps import swapped

    return swapped(group, random.Random(f"{group['schema_id']} {copy} swaps"))


def renamed(group: dict[str, Any], copy: int) -> dict[str, Any]:
    """The group under other names."""
    from training.engine.augment import rename

    return rename(group, random.Random(zlib.crc32(f"{group['schema_id']} {copy}".encode())))


def jobs(paths: list[Path], copies: dict[str, int], rename: bool) -> Iterator[tuple[str, str, int, bool]]:
    for path in paths:
        source = path.name.split(".")[0]
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield line, source, copies.get(source, 1), rename


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", type=Path, nargs="+", required=True, help="files named <source>.….jsonl")
    parser.add_argument("--copies", nargs="*", default=[], help="source=number")
    parser.add_argument(
        "--rename", action=argparse.BooleanOptionalAction, default=True, help="other names in all but the first copy"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    copies = {name: int(number) for name, number in (item.split("=") for item in args.copies)}
    tallies: dict[str, Counter[str]] = {}
    with open_text(args.out, "w") as out, multiprocessing.Pool(args.workers) as pool:
        # In order, so that the same groups make the same file whatever the number of workers.
        for source, made, tally in pool.imap(work, jobs(args.groups, copies, args.rename), chunksize=4):
            tallies.setdefault(source, Counter()).update(tally)
            out.writelines(json.dumps(item, ensure_ascii=False) + "\n" for item in made)
    print(json.dumps(tallies, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
