"""`inquery schema`: tables, columns, joins and why they are believed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import click

from inquery.catalog.reasons import reason_in
from inquery.cli.language import both, language, say
from inquery.cli.output import connection_option, json_option, note, print_json, print_table, working
from inquery.cli.session import Opened, open_connection, run_async
from inquery.databases.note_words import note_text
from inquery.errors import NotFound, Text
from inquery.language.nearest import nearest_names
from inquery.sql import Catalog, Column, Join, Table

MOST_JOINS = 40
MOST_SAMPLED = 100


@click.command(help=both("Show all tables and joins, or one TABLE.", "显示所有表与关联，或单个表 TABLE。"))
@click.argument("table", required=False)
@connection_option
@click.option("--search", metavar="WORDS", help=both("Only tables that fit these words.", "只显示与这些词相关的表。"))
@click.option("--joins", "only_joins", is_flag=True, help=both("Only the joins, all of them.", "只显示全部关联。"))
@click.option(
    "--refresh", "anew", is_flag=True, help=both("Read all values anew and keep them.", "重新读取并保存全部取值。")
)
@json_option
def schema(
    table: str | None, connection: str | None, search: str | None, only_joins: bool, anew: bool, as_json: bool
) -> None:
    """Show a catalogue."""
    opened = open_connection(connection)
    # Whoever asks for the joins alone wants to know what is known of them, and waits for the tests.
    catalog = refreshed(opened, full=anew) if anew or only_joins else opened.catalog
    tables = [with_samples(opened, find_table(catalog, table))] if table else list(catalog.tables)
    if search:
        tables = searched(opened, search, tables)
    joins = joins_of(with_stated(opened, catalog) if only_joins else catalog, tables if table or search else None)
    if as_json:
        shown = [] if only_joins else [table_dict(t) for t in tables]
        head = {"dialect": catalog.dialect, "version": catalog.version}
        print_json(head | {"tables": shown, "joins": [join_dict(j) for j in joins]})
        return
    if not catalog.tables:
        note(say("The database has no tables.", "该数据库没有表。"))
    if not only_joins:
        if table:
            _print_columns(tables[0])
        else:
            _print_tables(tables)
    _print_joins(joins, whole=only_joins or table is not None)


def find_table(catalog: Catalog, name: str) -> Table:
    """The table of a full or last name, whatever its case; raises NotFound with the nearest."""
    folded = name.casefold()
    for known in (lambda t: t.full_name == name, lambda t: folded in (t.full_name.casefold(), t.name.casefold())):
        found = [table for table in catalog.tables if known(table)]
        if found:
            return found[0]
    nearest = nearest_names(name, (table.full_name for table in catalog.tables))
    raise NotFound(name, what=Text("table", "表"), name=name, nearest=nearest)


def searched(opened: Opened, words: str, tables: list[Table]) -> list[Table]:
    """The tables that fit the words, best first; values count once they were read and kept."""
    from inquery.catalog.search import rank_tables
    from inquery.catalog.stored import load_catalog

    kept = load_catalog(opened.id, home=opened.settings.home)
    order = [name for name, _ in rank_tables(words, opened.catalog, kept.values if kept else None).tables]
    by_name = {table.full_name: table for table in tables}
    return [by_name[name] for name in order if name in by_name]


def refreshed(opened: Opened, *, full: bool = True) -> Catalog:
    """The catalogue after its values were read, those of every table if `full`, and its joins were tested, and all was kept."""
    from inquery.catalog.refresh import refresh_catalog
    from inquery.knowledge.data_dictionary import description_of

    with working(say("Reading values …", "正在读取取值……")) as progress:
        work = refresh_catalog(
            opened.id,
            full=full,
            evidence=opened.settings.knowledge.join_tests != "off",
            progress=progress,
            per_column=opened.settings.knowledge.values_per_column,
            describe=description_of(opened.id, opened.settings),
            home=opened.settings.home,
        )
        return run_async(work).catalog


def with_stated(opened: Opened, catalog: Catalog) -> Catalog:
    """The catalogue with the joins that people stated in the glossary."""
    from inquery.agents.questions.connection_glossary import glossary_for
    from inquery.knowledge.glossary_files import describe_catalog

    return describe_catalog(catalog, glossary_for(opened.connection, opened.settings))


def with_samples(opened: Opened, table: Table) -> Table:
    """The table with a few values of each column; very wide tables go without, since each column is a query."""
    from inquery.catalog.collect import gather_values

    if len(table.columns) > MOST_SAMPLED:
        return table
    with working(say("Reading values …", "正在读取取值……")):
        samples = run_async(gather_values(opened.id, opened.catalog, tables=[table])).samples
    columns = (replace(c, samples=samples.get((table.full_name, c.name), ())) for c in table.columns)
    return replace(table, columns=tuple(columns))


def joins_of(catalog: Catalog, tables: Iterable[Table] | None) -> list[Join]:
    """The joins of the catalogue, or those that touch some tables."""
    if tables is None:
        return list(catalog.joins)
    paths = {table.path for table in tables}
    return [join for join in catalog.joins if join.left in paths or join.right in paths]


def table_dict(table: Table) -> dict[str, Any]:
    """A table as JSON."""
    columns = [
        {
            "name": column.name,
            "type": column.type,
            "nullable": column.nullable,
            "primary_key": column.primary_key,
            "comment": column.comment,
            "samples": list(column.samples),
            "meanings": {meaning.value: list(meaning.words) for meaning in column.meanings},
        }
        for column in table.columns
    ]
    return {
        "name": table.full_name,
        "kind": table.kind,
        "rows": table.estimated_rows,
        "comment": table.comment,
        "display": list(table.display),
        "columns": columns,
        "notes": [say(*note_text(each)) for each in table.notes],
    }


def join_dict(join: Join) -> dict[str, Any]:
    """A join as JSON."""
    return {
        "left": ".".join(join.left),
        "left_columns": list(join.left_columns),
        "right": ".".join(join.right),
        "right_columns": list(join.right_columns),
        "declared": join.declared,
        "how": join.how,
        "found": join.found,
        "sampled": join.sampled,
        "cardinality": join.cardinality,
        "condition": list(join.condition) if join.condition else None,
        "confidence": join.confidence,
        "reason": join.reason,
    }


def _print_tables(tables: list[Table]) -> None:
    heads = say("table kind rows columns comment", "表 种类 行数 列数 注释").split()
    kinds = {"table": say("table", "表"), "view": say("view", "视图")}
    rows = [
        (
            t.full_name,
            kinds.get(t.kind, t.kind),
            "?" if t.estimated_rows is None else f"{'' if t.counted else '~'}{t.estimated_rows:,}",
            len(t.columns),
            t.comment,
        )
        for t in tables
    ]
    print_table("", heads, rows, numbers=(2, 3))


def _print_columns(table: Table) -> None:
    heads = say("column type key null comment values", "列 类型 主键 可空 注释 样例").split()
    rows = [
        (c.name, c.type, "*" if c.primary_key else "", "" if not c.nullable else "✓", c.comment, _values(c))
        for c in table.columns
    ]
    print_table(f"{table.full_name}  {table.comment}", heads, rows)
    if table.display:
        named = ", ".join(table.display)
        note(say(f"Rows are called by {named}.", f"行以 {named} 称呼。"))
    for each in table.notes:
        note(say(*note_text(each)))


def _values(column: Column) -> str:
    """A few values, those with a meaning beside it."""
    said = {meaning.value: meaning.words[0] for meaning in column.meanings}
    values = dict.fromkeys((*column.samples, *said))
    return ", ".join(f"{value} ({said[value]})" if value in said else value for value in values)


def _print_joins(joins: list[Join], *, whole: bool) -> None:
    if not joins:
        return
    heads = say("from to known sure why", "从 到 来源 把握 依据").split()
    known = {
        "declared": say("declared", "声明"), "stated": say("stated", "指定"),
        "name": say("name", "名称"), "data": say("data", "数据"),
    }  # fmt: skip
    shown = joins if whole else joins[:MOST_JOINS]
    rows = [
        (_side(j.left, j.left_columns), _side(j.right, j.right_columns), known[j.how], f"{j.confidence:.0%}", why(j))
        for j in shown
    ]
    print_table(say("Joins", "关联"), heads, rows, numbers=(3,))
    if len(shown) < len(joins):
        more = len(joins) - len(shown)
        note(say(f"{more} more joins: use --joins.", f"另有 {more} 个关联：使用 --joins 查看。"))


def why(join: Join) -> str:
    """Why a join is believed, in the user's language, and when it holds."""
    when = f"{join.condition[0]} = {join.condition[1]}: " if join.condition else ""
    return when + reason_in(join, language())


def _side(path: tuple[str, ...], columns: tuple[str, ...]) -> str:
    return f"{'.'.join(path)} ({', '.join(columns)})"
