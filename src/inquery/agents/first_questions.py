"""Questions for somebody who sees a database for the first time: about its main things, in words a person would use.

Each says which columns its answer must use, so that whoever tries it can tell a right answer from a lucky one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from inquery.agents.bilingual import say
from inquery.answers.followups import tells_events
from inquery.catalog.main_things import Thing, counted_name, main_things, told_name
from inquery.sql import Catalog, Column, Table

MOST_TRIED = 12
_NAMES = re.compile(r"(?:^|\b)(?:full |last |first )?name$|名称$|姓名$|名字$", re.I)


@dataclass(frozen=True, slots=True)
class FirstQuestion:
    """A question, the columns (table.column) its statement must use, and whether it asks for several rows."""

    question: str
    table: str
    columns: frozenset[str]
    kind: str
    several: bool = True


def first_questions(catalog: Catalog, language: str) -> list[FirstQuestion]:
    """Questions about the main things, the most telling first, kinds and tables mixed."""
    by_thing = [list(_about(thing, catalog, language)) for thing in main_things(catalog)]
    mixed = [each[at] for at in range(max(map(len, by_thing), default=0)) for each in by_thing if at < len(each)]
    found: dict[str, FirstQuestion] = {}
    for made in mixed:
        found.setdefault(made.question, made)
    return list(found.values())[:MOST_TRIED]


def _about(thing: Thing, catalog: Catalog, language: str) -> Iterator[FirstQuestion]:
    table = thing.table
    groups = [
        (column, word)
        for column in thing.groups
        # For each department name there is one department.
        if column.name not in table.display and (word := _word(column, language)) and not _NAMES.search(word)
    ]
    sums = [(column, word) for column in thing.sums if (word := _word(column, language))]
    averages = [(column, word) for column in thing.averages if (word := _word(column, language))]
    rows = _rows(table, catalog, language)
    happens = bool(thing.time) and tells_events(catalog, table, thing.time)
    for measure, word in sums[:1]:
        total = _total(word, language)
        if happens:
            text = say(language, f"What is the {total} for each month?", f"每个月的{total}是多少？")
            yield _made(text, table, "trend", measure.name, thing.time)
        for group, by in groups[:1]:
            text = say(language, f"What is the {total} for each {by}?", f"各{by}的{total}是多少？")
            yield _made(text, table, "sum", measure.name, group.name)
    if happens and not sums and rows:
        text = say(language, f"How many {rows} were there each month?", f"每个月有多少{rows}？")
        yield _made(text, table, "count trend", thing.time)
    for group, by in groups[:2]:
        if rows:
            text = say(language, f"How many {rows} are there for each {by}?", f"每个{by}有多少{rows}？")
            yield _made(text, table, "count", group.name)
    for measure, word in averages[:1]:
        for group, by in groups[:1]:
            text = say(language, f"What is the average {word} for each {by}?", f"各{by}的平均{word}是多少？")
            yield _made(text, table, "average", measure.name, group.name)
    for measure, word in sums[:1]:
        for group, by in groups[1:2] or groups[:1]:
            total = _total(word, language)
            text = say(language, f"Which {by} has the highest {total}?", f"哪个{by}的{total}最高？")
            yield _made(text, table, "top", measure.name, group.name, several=False)
    if rows:
        text = say(language, f"How many {rows} are there?", f"一共有多少{rows}？")
        yield _made(text, table, "size", several=False)


def _made(question: str, table: Table, kind: str, *columns: str, several: bool = True) -> FirstQuestion:
    used = frozenset(f"{table.full_name}.{column}" for column in columns)
    return FirstQuestion(question, table.full_name, used, kind, several)


def _word(column: Column, language: str) -> str:
    return told_name(column.name, column.comment, language)


def _rows(table: Table, catalog: Catalog, language: str) -> str:
    """What rows are called: of the only table they need no name, which of a file is often that of a draft."""
    if len(catalog.tables) == 1:
        return say(language, "records", "条记录")
    comment = "" if re.search(r"\.\w{3,7}$", table.comment) else table.comment  # the name of a file
    return counted_name(told_name(table.name, comment, language), language)


def _total(word: str, language: str) -> str:
    if language == "zh":
        return word if "总" in word or word.endswith("合计") else f"{word}合计"
    return word if word.startswith("total") else f"total {word}"
