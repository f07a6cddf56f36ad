"""Render groups into training text with the code of run time: schema, question with hints, form.

    python -m training.prepare --groups spider.jsonl … --copies spider=12 business=12 synthetic=1 --out data.jsonl.xz

A group is rendered `copies` times, each time with other table and column orders, other tables left out, some hints
missing, and (after the first) other names and other values, numbers and columns asked for (swaps.py). Groups of
split `tune` are rendered once, plainly, as held-out data.

In format E half of the copies lose the keys that the database declares and get back what run time infers from names, mistakes
included; a schema that does not fit is shown as run time would choose it for the question; 15% of the questions have no
parts line and 5% a wrong one.
"""

from __future__ import annotations

import argparse
import datetime
import json
import multiprocessing
import random
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from inquery.catalog.joins import declared
from inquery.catalog.meanings import with_meanings
from inquery.catalog.value_index import ValueIndex, ValueMatch
from inquery.form.ast import ColumnRef, Literal, Nothing, Source, walk_tree
from inquery.form.name_words import FormError, NameMap, split_words
from inquery.form.printing import write
from inquery.form.reader import read_answer
from inquery.language.text import name_words
from inquery.llm.embedded.fitting import SCHEMA_TOKENS, chosen_view, view_of
from inquery.llm.embedded.prompt import FORMATS, Hints, PromptFormat, question_text, schema_text
from inquery.llm.embedded.spoken import as_shown, spoken_names, spoken_values, with_codes_as_words
from inquery.llm.embedded.tokens import Tokens
from inquery.llm.embedded.view import CONSTANTS, Reading, number_word, prompt_tables, read_question
from inquery.sql.catalog import Catalog, Column, ForeignKey, Table
from training.files import open_text
from training.references import UNDECLARED, as_known
from training.slots import slotted

ROOT = Path(__file__).resolve().parents[1]
TODAY = datetime.date(2026, 11, 15)
PER_SCHEMA = 20
TOKENIZER = ROOT / "src/inquery/llm/embedded/models/inquery-writer/tokenizer.json"
LOST, MOST_LOST = 0.08, 3
"""Copies of a schema that lose a column, and how many questions have no answer then."""
NO_ANSWER = "none"
RIGHT = "right"
"""The field of a question whose form a model wrote: whether it is right (training/verdicts.py)."""
NO_PARTS, WRONG_PARTS = 0.15, 0.05
FORMAT_E = FORMATS["E"]


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
        rows = table.get("rows")
        made.append(
            Table((table["name"],), columns, table.get("comment", ""), rows, tuple(keys), counted=rows is not None)
        )
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


def render(
    group: dict[str, Any], source: str, copy: int, tally: Counter[str], style: PromptFormat = FORMAT_E
) -> list[dict[str, Any]]:
    """One copy of a group as text: all its questions, a few behind each rendering of the schema."""
    rng = random.Random(f"{group['schema_id']} {copy}")
    whole = list(with_meanings(Catalog("sqlite", tuple(tables_of(group)))).tables)
    spelled = NameMap(whole)
    index = values_of(group).with_meanings(Catalog("sqlite", tuple(whole)))
    queries = [
        (item, parsed) for item in group["questions"] if (parsed := parse(item["form"], spelled, tally)) is not None
    ]
    rng.shuffle(queries)
    plain = source.startswith("held")
    as_shown = group.get("shipped") and copy % 4 == 0
    if style.undeclared:
        known = declared_columns(group, None if plain or as_shown else rng)
        whole = as_known(whole, known, used_tables(queries), rng)
    made = []
    for language, chosen in chunked(queries):
        if plain or as_shown:
            tables = sorted(whole, key=lambda table: table.path) if as_shown else whole
        else:
            tables = varied(whole, used_tables(chosen), rng)
            if rng.random() < LOST and not any(RIGHT in item for item, _ in chosen):
                tables, chosen = without_a_column(tables, chosen, rng)
        noise = None if plain else rng
        tables = list(with_codes_as_words(tables))
        names = spoken_names(tables, language)
        text = schema_text(prompt_tables(tables, names, language, style))
        if len(begin(text)) > SCHEMA_TOKENS:
            made += alone(chosen, tables, index, language, noise, tally, style, source)
            continue
        pairs = [render_question(item, query, tables, names, index, noise, tally, style) for item, query in chosen]
        kept = [pair for pair in pairs if pair]
        if kept:
            made.append({"source": source, "schema": text, "pairs": kept})
    return made


def declared_columns(group: dict[str, Any], rng: random.Random | None) -> set[tuple[str, str]]:
    """(table, column) of the references that the database declares; half of the copies lose all of them (`rng`)."""
    if rng is not None and rng.random() < UNDECLARED:
        return set()
    return {
        (table["name"], column["name"])
        for table in group["tables"]
        for column in table["columns"]
        if column.get("fk") and column.get("declared", True)
    }


def used_tables(queries: Iterable[tuple[dict[str, Any], Any]]) -> set[str]:
    """The tables that the forms of some questions name."""
    return {node.table for _, query in queries for node in walk_tree(query) if isinstance(node, Source)}


def alone(
    queries: list[tuple[dict[str, Any], Any]],
    tables: list[Table],
    index: ValueIndex,
    language: str,
    rng: random.Random | None,
    tally: Counter[str],
    style: PromptFormat,
    source: str,
) -> list[dict[str, Any]]:
    """Questions over a schema that does not fit, each behind what run time would show for it."""
    joins = tuple(declared(Catalog("sqlite", tuple(tables))))
    whole = view_of(tables, joins, language, begin, style)
    made = []
    for item, query in queries:
        matches = matched(item, tables, index)
        view = chosen_view(item["question"], matches, whole, joins, language, begin, style)
        if not is_shown(query, view.tables):
            tally["not shown"] += 1
            continue
        pair = render_question(item, query, list(view.tables), view.names, index, rng, tally, style)
        if pair:
            made.append({"source": source, "schema": schema_text(view.prompt), "pairs": [pair]})
    return made


def is_shown(query: Any, tables: Sequence[Table]) -> bool:
    """Whether the prompt has every table and column of a form; without them run time could not write it either."""
    columns = {table.name: {column.name for column in table.columns} for table in tables}
    sources = {node.name: node.table for node in walk_tree(query) if isinstance(node, Source)}
    if not set(sources.values()) <= columns.keys():
        return False
    refs = (node for node in walk_tree(query) if isinstance(node, ColumnRef))
    return all(node.column in columns.get(sources.get(node.source, node.source), ()) for node in refs)


@lru_cache(maxsize=1)
def tokenizer() -> Tokens:
    """The tokenizer that the model is trained with."""
    return Tokens.load(TOKENIZER)


def begin(text: str) -> list[int]:
    """The tokens of a prompt that begins with a text."""
    return [0, *tokenizer().encode(text)]


def matched(item: dict[str, Any], tables: Sequence[Table], index: ValueIndex) -> list[ValueMatch]:
    """The values of some tables that a question says."""
    kept = {(t.full_name, c.name) for t in tables for c in t.columns}
    return [m for m in index.match(item["question"]) if (m.table, m.column) in kept]


def chunked(queries: list[tuple[dict[str, Any], Any]]) -> Iterator[tuple[str, list[tuple[dict[str, Any], Any]]]]:
    """Questions of one language, a few at a time: the schema is shown with comments of that language."""
    for language in ("en", "zh"):
        own = [pair for pair in queries if pair[0]["lang"] == language]
        for at in range(0, len(own), PER_SCHEMA):
            yield language, own[at : at + PER_SCHEMA]


def parse(form: str, names: NameMap, tally: Counter[str]) -> Any | None:
    try:
        return read_answer(form, names)
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
    style: PromptFormat = FORMAT_E,
) -> tuple[str, list[str]] | tuple[str, list[str], bool] | None:
    """The question with its hints and the words of the form, or None when code could not give the model what the form needs.

    Behind a form that a model wrote stands whether it is right.
    """
    question = item["question"]
    today = datetime.date.fromisoformat(item["today"]) if "today" in item else TODAY
    matches = matched(item, tables, index)
    phrases = [(word, name) for word, name in item.get("phrases", ()) if name]
    language = item["lang"]
    reading = read_question(
        question, tables, names, matches, today=today, language=language, phrases=phrases, style=style
    )
    hints = reading.hints if rng is None else noisy(reading.hints, rng)
    parts = reading.parts if rng is None else noisy_parts(reading.parts, names, rng)
    if isinstance(query, Nothing):
        tally["no answer"] += 1
        return question_text(question, hints, parts), [NO_ANSWER]
    made = slotted(query, reading.periods)
    if made is None:
        tally["period not read"] += 1
        return None
    made = as_shown(made, spoken_values(tables, language), names)
    problem = missing(made, reading)
    if problem:
        tally[problem] += 1
        return None
    tally["kept"] += 1
    asked, words = question_text(question, hints, parts), split_words(write(made, names))
    return (asked, words, item[RIGHT]) if RIGHT in item else (asked, words)


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


def noisy_parts(parts: tuple[str, ...], names: NameMap, rng: random.Random) -> tuple[str, ...]:
    """Parts as bad as rules read them: none, or one of them lost or about another column."""
    chance = rng.random()
    if not parts or chance < NO_PARTS:
        return ()
    if chance >= NO_PARTS + WRONG_PARTS:
        return parts
    at = rng.randrange(len(parts))
    if rng.random() < 0.5:
        return parts[:at] + parts[at + 1 :]
    table = rng.choice(sorted(names.table_words))
    column = f"{names.table_words[table]}.{rng.choice(sorted(names.column_words[table].values()))}"
    return (*parts[:at], " ".join([*parts[at].split()[:-1], column]), *parts[at + 1 :])


def varied(tables: list[Table], used: set[str], rng: random.Random) -> list[Table]:
    """Tables and columns in another order, some of those no question needs left out, some samples unknown."""
    keep_rest = rng.choice((1.0, 1.0, 0.7, 0.4))
    kept = [t for t in tables if t.name in used or rng.random() < keep_rest]
    reached = {key.table[-1] for t in tables if t.name in used for key in t.foreign_keys}
    kept += [t for t in tables if t not in kept and t.name in reached]
    rng.shuffle(kept)
    hide = rng.choice((0.0, 0.0, 0.0, 0.3))
    return [shuffled(t, rng, hide) for t in kept]


def without_a_column(
    tables: list[Table], chosen: list[tuple[dict[str, Any], Any]], rng: random.Random
) -> tuple[list[Table], list[tuple[dict[str, Any], Any]]]:
    """The schema without one column, and what needs it without an answer: beside its other copies, a pair of opposites.

    Only a column whose words no other of its table has, since a twin might answer just as well; and not for all questions.
    """
    found = []
    for table in tables:
        bound = {name for key in table.foreign_keys for name in key.columns}
        words = Counter(word for column in table.columns for word in set(name_words(column.name)))
        for column in table.columns:
            alone = all(words[word] == 1 for word in name_words(column.name))
            if alone and not column.primary_key and column.name not in bound:
                needing = [pair for pair in chosen if needs(pair[1], table.name, column.name)]
                if 0 < len(needing) <= len(chosen) // 3:
                    found.append((table, column.name, needing))
    if not found:
        return tables, chosen
    table, lost, needing = rng.choice(found)
    rest = [pair for pair in chosen if pair not in needing]
    unanswered = [(item, Nothing()) for item, _ in needing[:MOST_LOST]]
    kept = replace(table, columns=tuple(column for column in table.columns if column.name != lost))
    return [kept if each is table else each for each in tables], [*rest, *unanswered]


def needs(query: Any, table: str, column: str) -> bool:
    """Whether a form names a column."""
    sources = {node.name: node.table for node in walk_tree(query) if isinstance(node, Source)}
    refs = (node for node in walk_tree(query) if isinstance(node, ColumnRef) and node.column == column)
    return any(sources.get(node.source, node.source) == table for node in refs)


def shuffled(table: Table, rng: random.Random, hide: float) -> Table:
    columns = [replace(c, samples=()) if rng.random() < hide else c for c in table.columns]
    if rng.random() < 0.3:
        rng.shuffle(columns)
    return replace(table, columns=tuple(columns))


Job = tuple[str, str, range, bool, PromptFormat]


def work(job: Job) -> tuple[str, list[dict[str, Any]], Counter[str]]:
    """All copies of one group line, under the name of their source, and what became of its questions."""
    line, source, copies, rename, style = job
    group, tally = json.loads(line), Counter[str]()
    made = []
    held = group.get("split") == "tune"
    name = f"held_{source}" if held else source
    for copy in copies:
        if held and copy:
            break
        # A database that ships with Inquery is asked about under its own names, so half of its copies keep them.
        own = held or copy == 0 or (group.get("shipped") and copy % 2 == 0)
        version = renamed(altered(group, copy), copy) if rename and not own else group
        made += render(version, name, copy, tally, style)
    return name, made, tally


def altered(group: dict[str, Any], copy: int) -> dict[str, Any]:
    """The group with other values, numbers and columns in its questions."""
    from training.swaps import swapped

    return swapped(group, random.Random(f"{group['schema_id']} {copy} swaps"))


def renamed(group: dict[str, Any], copy: int) -> dict[str, Any]:
    """The group under other names."""
    from training.engine.augment import rename

    return rename(group, random.Random(zlib.crc32(f"{group['schema_id']} {copy}".encode())))


def jobs(paths: list[Path], copies: dict[str, range], rename: bool, style: PromptFormat) -> Iterator[Job]:
    for path in paths:
        source = path.name.split(".")[0]
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield line, source, copies.get(source, range(1)), rename, style


def numbers(text: str) -> range:
    """The copies of `12`, or those of `3:12`, which go on where `3` has stopped."""
    first, _, end = text.rpartition(":")
    return range(int(first or 0), int(end))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", type=Path, nargs="+", required=True, help="files named <source>.….jsonl")
    parser.add_argument("--copies", nargs="*", default=[], help="source=number, or source=first:end to go on")
    parser.add_argument(
        "--rename", action=argparse.BooleanOptionalAction, default=True, help="other names in all but the first copy"
    )
    parser.add_argument(
        "--format", choices=sorted(FORMATS), default="E", help="of the prompt; export must name the same"
    )
    parser.add_argument(
        "--parts", action=argparse.BooleanOptionalAction, default=True, help="the line of what a question asks for"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    style = FORMATS[args.format] if args.parts else replace(FORMATS[args.format], parts=False)
    copies = {name: numbers(text) for name, text in (item.split("=") for item in args.copies)}
    tallies: dict[str, Counter[str]] = {}
    with open_text(args.out, "w") as out, multiprocessing.Pool(args.workers) as pool:
        # In order, so that the same groups make the same file whatever the number of workers.
        for source, made, tally in pool.imap(work, jobs(args.groups, copies, args.rename, style), chunksize=4):
            tallies.setdefault(source, Counter()).update(tally)
            out.writelines(json.dumps(item, ensure_ascii=False) + "\n" for item in made)
    print(json.dumps(tallies, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
