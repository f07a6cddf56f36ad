"""What of a schema a question needs, for prompts that cannot hold all of it: tables with their parents, columns by relevance.

A table comes with its keys, its references and the name its rows are called by, or it could not be joined and not be shown; of its
other columns those that the question speaks of come first. What is left of the budget goes to the next best columns, wherever
they stand: ten columns of a table that the question names are worth more than a whole one that it does not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from inquery.catalog.key_names import entity_of, is_archive, refers_to
from inquery.catalog.search import index_of, value_scores
from inquery.catalog.time_columns import time_columns
from inquery.catalog.value_index import ValueMatch
from inquery.language.concepts import concepts_in
from inquery.language.foreign_names import FOREIGN
from inquery.language.text import name_words, word_set
from inquery.language.wording import question_terms
from inquery.llm.embedded.prompt import column_kind
from inquery.sql import Catalog, Column, Join, Table

Cost = Callable[[Table, Column | None], int]
"""What a column of a table takes of the budget; without a column, what the table takes by itself."""

PARENT = 0.6
"""Of a table's score, what a table gets that it refers to: the name that is asked for often stands there."""
CHILD = 0.25
HUB = 8
"""Tables that may refer to one before it counts as one that everything refers to."""
BRIDGE = 0.5
LEAST = 0.02
WANTED = 0.25
"""Of the best score, what a table needs for others to keep their references to it."""
SAID, MEANT, VOID, USUAL, OTHER = 1.0, 0.9, 0.7, 0.45, 0.3
"""What a column of the best table is worth: the question names it; means its kind; it says when, how much, which; or not."""
ASIDE, SYSTEM = 0.2, 0.5
"""Of the score, what a table keeps that is empty or only repeats the rows of another, and one of the program's own."""

_AMOUNT = re.compile(
    r"(^|_)(amount|amt|price|cost|fee|total|sum|qty|quantity|count|number|num|rate|score|salary|balance|status|state|type|"
    r"gender|sex|age|level|category|country|city|ref|code|no)(_|$)|金额|价|费|额|数|量|状态|类型|性别|年龄|级|编号|编码",
    re.I,
)
_TIMELY = re.compile(
    r"\b(?:when|dates?|dated|days?|weeks?|months?|years?|quarters?|recent|recently|latest|newest|oldest|since|before|after|today|"
    r"yesterday|monthly|yearly|daily|(?:19|20)\d\d)\b|年|月|日期|周|季度|时间|最近|最新|最早|何时|什么时候|今天|昨天",
    re.I,
)
"""Words of a question that is about time: then the columns that say when are needed, whatever they are called."""
_MONEYED = re.compile(
    r"\b(?:amounts?|value|worth|revenue|sales|spen[dt]|spending|cost|costs|paid|earn\w*|balance|total|how much|price|takings)\b"
    r"|金额|总额|销售额|收入|支出|多少钱|花费|余额|价格|总价",
    re.I,
)
_MONEY = re.compile(
    r"(^|_)(amount|amt|price|cost|fee|total|sum|balance|salary|revenue|value|money|paid|pay)(_|$)|金额|价|费|额|薪|款",
    re.I,
)
_AUDIT = word_set("created updated modified create update modify creator updater crt upd tenant version")
_VOID = re.compile(
    r"(^|_)(is_)?(deleted|del|delete|void|voided|cancelled|canceled|test|archived|removed)(_flag)?$|删除|作废", re.I
)
"""Rows that do not count: whoever writes SQL must see how they are told."""
_NAMES = ("name", "title", "full name", "label", "subject", "名称", "姓名", "标题", "名字", "名")
_SYSTEM = re.compile(
    r"(^|_)(migrations?|sessions?|sequences?|cache|queue|cronjobs?|jobs|menus?|const|configs?|settings?|oauth|captcha|undo|"
    r"qrtz|quartz|flyway|liquibase|databasechangelog|permissions?|spatial|sqlite)(_|$)",
    re.I,
)
_SECRET = re.compile(r"passw|token|secret|hash|salt", re.I)


@dataclass(frozen=True, slots=True)
class Relevance:
    """How much a question is about each table, from 0 to 1, and about its columns, by full table name."""

    tables: Mapping[str, float]
    columns: Mapping[str, Mapping[str, float]]


def display_of(table: Table) -> tuple[str, ...]:
    """The columns by which people call a row: as the catalogue knows them, else as names tell."""
    return table.display or _called(table)


def _called(table: Table) -> tuple[str, ...]:
    """name, title, <thing>_name, or a first and a last name; nothing where no column is named so."""
    own = " ".join(entity_of(table.name))
    texts = {
        " ".join(FOREIGN.get(word, (word,))[0] for word in name_words(column.name)): column.name
        for column in table.columns
        if not column.primary_key and column_kind(column.type, column.samples) == "" and not _SECRET.search(column.name)
    }
    for name in (*_NAMES[:2], f"{own} name", f"{own} title", f"{own}名称", f"{own}名", *_NAMES[2:]):
        if name in texts:
            return (texts[name],)
    if "first name" in texts and "last name" in texts:
        return texts["first name"], texts["last name"]
    ended = [stored for said, stored in texts.items() if said.endswith((" name", " title", "名称", "姓名"))]
    return (ended[0],) if ended else ()


def relevance_of(
    question: str, tables: Sequence[Table], joins: Sequence[Join], values: Sequence[ValueMatch]
) -> Relevance:
    """What the words and the values of a question say of the tables and of their columns."""
    index = index_of(Catalog("", tuple(tables), tuple(joins)))
    terms = question_terms(question)
    scores = index.score(concepts_in(question), value_scores(index, values), alone=True)
    top = float(scores.max(initial=0.0)) or 1.0
    columns = {table.full_name: dict(index.columns(table, terms)) for table in tables}
    best = max((hit for hits in columns.values() for hit in hits.values()), default=1.0) or 1.0
    found = {name: {column: hit / best for column, hit in hits.items()} for name, hits in columns.items()}
    for match in values:
        if match.table in found:
            found[match.table][match.column] = 1.0
    # By name: the index is kept for the same tables in whatever order they came first.
    return Relevance({table.full_name: float(scores[index.place[table.full_name]]) / top for table in tables}, found)


def choose(
    question: str,
    tables: Sequence[Table],
    joins: Sequence[Join],
    values: Sequence[ValueMatch],
    cost: Cost,
    budget: int,
) -> list[Table]:
    """Tables, best first, each with the columns that are worth their place, within a budget; never nothing."""
    relevance = relevance_of(question, tables, joins, values)
    scores = table_scores(tables, joins, relevance)
    wanted = {path for path, score in scores.items() if score >= WANTED}
    for _ in range(2):
        # Twice: references to a table that found no place after all make room for columns.
        needed = [essential(table, joins, wanted) for table in tables]
        taken = _taken(question, tables, scores, needed, relevance, cost, budget)
        wanted = {tables[order].path for order in taken}
    best = sorted(taken, key=lambda order: -scores[tables[order].path])
    return [shown_in_order(tables[order], taken[order], needed[order]) for order in best]


def _taken(
    question: str,
    tables: Sequence[Table],
    scores: Mapping[tuple[str, ...], float],
    needed: Sequence[Sequence[int]],
    relevance: Relevance,
    cost: Cost,
    budget: int,
) -> dict[int, set[int]]:
    """The places of the columns that are worth most, by the place of their table, as far as the budget goes."""
    # Rounded: sums over a set of terms differ in their last digit from one process to the next.
    worths = sorted(
        (-round(scores[table.path] * worth, 6), order, place)
        for order, table in enumerate(tables)
        for place, worth in enumerate(column_worths(question, table, needed[order], relevance))
    )
    taken: dict[int, set[int]] = {}
    left = budget
    for _, order, place in worths:
        table, known = tables[order], taken.get(order)
        more = {place} - (known or set()) if known is not None else {place, *needed[order]}
        price = sum(cost(table, table.columns[each]) for each in more) + (cost(table, None) if known is None else 0)
        if price <= left or not taken:
            taken.setdefault(order, set()).update(more)
            left -= price
    return taken


def shown_in_order(table: Table, taken: Iterable[int], first: Sequence[int]) -> Table:
    """The table with some of its columns: keys, references and display name first, the others as they are stored."""
    if len(chosen := set(taken)) == len(table.columns):
        return table
    order = [*(place for place in first if place in chosen), *sorted(chosen - set(first))]
    return replace(table, columns=tuple(table.columns[place] for place in order))


def essential(table: Table, joins: Sequence[Join], wanted: Container[tuple[str, ...]]) -> list[int]:
    """The places of the columns that a table cannot do without: its key, what joins it to a wanted table, its display name.

    Every table of an ERP refers to who wrote it, who changed it and who checked it: ten columns that nobody asked for.
    """
    keys = [column.name for column in table.columns if column.primary_key]
    keys += [name for key in table.foreign_keys if key.table in wanted for name in key.columns]
    for join in joins:
        keys += join.left_columns if join.left == table.path and join.right in wanted else ()
        keys += join.right_columns if join.right == table.path and join.left in wanted else ()
    places = {column.name: place for place, column in enumerate(table.columns)}
    return [places[name] for name in dict.fromkeys([*keys, *display_of(table)]) if name in places]


def table_scores(tables: Sequence[Table], joins: Sequence[Join], relevance: Relevance) -> dict[tuple[str, ...], float]:
    """How much each table is wanted: by the question, and by the tables it belongs to."""
    own = {table.path: max(LEAST, relevance.tables[table.full_name]) * _standing(table) for table in tables}
    scores = dict(own)
    edges = {(join.left, join.right) for join in joins if join.left != join.right}
    edges |= {(table.path, key.table) for table in tables for key in table.foreign_keys if key.table != table.path}
    children = Counter(parent for _, parent in edges)
    for child, parent in sorted(edges):
        if child in own and parent in own:
            # Everything has its author: to be referred to by all tells nothing.
            scores[parent] = max(scores[parent], PARENT * own[child] * min(1.0, (HUB / children[parent]) ** 0.5))
            scores[child] = max(scores[child], CHILD * own[parent])
    for path, reached in _referred(edges).items():
        # A table between two that are wanted is needed to join them, whatever it is called.
        both = sorted((own[parent] for parent in reached if parent in own), reverse=True)[:2]
        if path in own and len(both) == 2:
            scores[path] = max(scores[path], BRIDGE * both[1])
    return scores


def _referred(edges: Iterable[tuple[tuple[str, ...], tuple[str, ...]]]) -> dict[tuple[str, ...], set[tuple[str, ...]]]:
    found: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for child, parent in edges:
        found.setdefault(child, set()).add(parent)
    return found


def is_aside(table: Table) -> bool:
    """Whether a table has no rows, or only repeats those of another."""
    return table.is_empty or is_archive(table.name)


def _standing(table: Table) -> float:
    """What a table's score is worth: those that a program keeps for itself are seldom asked about."""
    return ASIDE if is_aside(table) else SYSTEM if _SYSTEM.search("_".join(name_words(table.name))) else 1.0


def column_worths(question: str, table: Table, needed: Sequence[int], relevance: Relevance) -> list[float]:
    """How much each column of a table is worth, beside those of others."""
    said = relevance.columns.get(table.full_name, {})
    times = {column.name for column in time_columns(table)[:2]}
    timely, moneyed = _TIMELY.search(question) is not None, _MONEYED.search(question) is not None
    only = only_figure(table, needed)
    worths = []
    for place, column in enumerate(table.columns):
        words = name_words(column.name)
        name = "_".join(words)
        if column.name in said:
            worth = SAID + said[column.name]
        elif place == only or (timely and column.name in times) or (moneyed and _MONEY.search(name)):
            worth = MEANT
        elif _VOID.search(name):
            worth = VOID
        elif not _AUDIT.isdisjoint(words):
            worth = OTHER / 2
        else:
            worth = USUAL if column.name in times or _AMOUNT.search(name) else OTHER
        worths.append(max(worth, SAID) if place in needed else worth)
    return worths


def only_figure(table: Table, needed: Sequence[int]) -> int | None:
    """The place of the one number that a table of references keeps, whatever it is called: what is held of each in each place."""
    if len(needed) < 2:
        return None
    figures = [
        place
        for place, column in enumerate(table.columns)
        if place not in needed
        and column_kind(column.type, column.samples) == "#"
        and refers_to(column.name) is None
        and _AUDIT.isdisjoint(name_words(column.name))
        and not _VOID.search(column.name)
    ]
    return figures[0] if len(figures) == 1 else None
