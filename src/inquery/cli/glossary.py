"""`inquery glossary`: what people call things, how measures are defined, which words mean which stored values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inquery.cli.language import both, language, say
from inquery.cli.output import connection_option, json_option, note, print_json, print_table
from inquery.cli.session import chosen_connection, load_settings
from inquery.cli.text_files import file_argument, out_option, read_text, write_text
from inquery.errors import BadRequest, NotFound, Text

if TYPE_CHECKING:
    from inquery.knowledge.glossary import Glossary
    from inquery.store import Connection, Store

KINDS = ("term", "metric", "table", "column", "value", "join")
synonym_option = click.option(
    "--synonym",
    "synonyms",
    multiple=True,
    metavar="WORD",
    help=both("Another word for it; may be repeated.", "同义词，可重复。"),
)


@click.group(
    help=both(
        "List, add, remove and exchange business terms, metrics and value mappings.",
        "列出、添加、删除与交换业务术语、指标和取值映射。",
    )
)
def glossary() -> None:
    """The group of all commands about the glossary."""


@glossary.command("list", help=both("Show the glossary of a database.", "显示数据库的术语表。"))
@connection_option
@json_option
def list_(connection: str | None, as_json: bool) -> None:
    """Everything that is known of one connection, the demo's own entries too."""
    from inquery.agents.questions.connection_glossary import glossary_for
    from inquery.knowledge.glossary import plain_glossary

    chosen, _ = _chosen(connection)
    found = glossary_for(chosen, load_settings())
    if as_json:
        print_json(plain_glossary(found))
        return
    rows = list(_lines(found))
    if not rows:
        note(say("There is nothing yet.", "尚无内容。"))
        return
    print_table("", say("kind name meaning synonyms", "类型 名称 含义 同义词").split(), rows)


@glossary.group(
    help=both("Add a term, metric, value mapping, join or description.", "添加术语、指标、取值映射、关联或说明。")
)
def add() -> None:
    """One command a kind; what had the name before is replaced."""


@add.command(help=both("Say what NAME means.", "说明 NAME 的含义。"))
@click.argument("name")
@click.argument("meaning")
@synonym_option
@connection_option
@json_option
def term(name: str, meaning: str, synonyms: tuple[str, ...], connection: str | None, as_json: bool) -> None:
    """A word of the business."""
    _add({"terms": {name: {"meaning": meaning, "synonyms": synonyms}}}, name, connection, as_json)


@add.command(help=both("Define the measure NAME by an SQL expression.", "用 SQL 表达式定义指标 NAME。"))
@click.argument("name")
@click.argument("expression")
@click.option(
    "--filter", "condition", default="", metavar="SQL", help=both("The condition it is taken under.", "计算时的条件。")
)
@click.option(
    "--table",
    "tables",
    multiple=True,
    metavar="TABLE",
    help=both("A table it is read from; may be repeated.", "所用的表，可重复。"),
)
@click.option("--description", default="", metavar="TEXT", help=both("What it says.", "说明。"))
@synonym_option
@connection_option
@json_option
def metric(
    name: str,
    expression: str,
    condition: str,
    tables: tuple[str, ...],
    description: str,
    synonyms: tuple[str, ...],
    connection: str | None,
    as_json: bool,
) -> None:
    """A measure with its definition."""
    made = {
        "expression": expression,
        "filter": condition,
        "tables": tables,
        "description": description,
        "synonyms": synonyms,
    }
    _add({"metrics": {name: made}}, name, connection, as_json)


@add.command(
    help=both("Let PHRASES mean VALUE of COLUMN (table.column).", "让 PHRASES 表示 COLUMN（表.列）中的 VALUE。")
)
@click.argument("column")
@click.argument("value")
@click.argument("phrases", nargs=-1, required=True)
@connection_option
@json_option
def value(column: str, value: str, phrases: tuple[str, ...], connection: str | None, as_json: bool) -> None:
    """A value mapping: 手机 → category = 'mobile_phone'."""
    _split(column)
    _add({"values": {column: {value: phrases}}}, f"{column} = {value}", connection, as_json)


@add.command(help=both("Describe a table.", "说明一张表。"))
@click.argument("name")
@click.argument("description")
@synonym_option
@connection_option
@json_option
def table(name: str, description: str, synonyms: tuple[str, ...], connection: str | None, as_json: bool) -> None:
    """A table's description and what people call it."""
    _add({"tables": {name: {"description": description, "synonyms": synonyms}}}, name, connection, as_json)


@add.command(help=both("Describe a column (table.column).", "说明一列（表.列）。"))
@click.argument("name")
@click.argument("description")
@connection_option
@json_option
def column(name: str, description: str, connection: str | None, as_json: bool) -> None:
    """A column's description."""
    of, place = _split(name)
    _add({"tables": {of: {"columns": {place: description}}}}, name, connection, as_json)


@add.command(
    help=both(
        "Say how two tables are joined: orders.customer_id = customers.id",
        "说明两表如何关联：orders.customer_id = customers.id",
    )
)
@click.argument("on")
@connection_option
@json_option
def join(on: str, connection: str | None, as_json: bool) -> None:
    """A join that the database does not declare."""
    _add({"joins": [on]}, on, connection, as_json)


@glossary.command(
    help=both("Forget an entry. A value is named as table.column=value.", "删除一个条目。取值写作 表.列=值。")
)
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("name")
@connection_option
@json_option
def remove(kind: str, name: str, connection: str | None, as_json: bool) -> None:
    """Remove what a person added; what ships with the demo stays."""
    from inquery.knowledge.glossary import parse_glossary, plain_glossary
    from inquery.knowledge.glossary_files import glossary_of, save_glossary

    chosen, store = _chosen(connection)
    kept = plain_glossary(glossary_of(chosen.id, store))
    if not _REMOVE[kind](kept, name):
        raise NotFound(name, what=Text(f"added {kind}", "已添加的条目"), name=name)
    save_glossary(chosen.id, parse_glossary(kept), store)
    if as_json:
        print_json({"removed": name})
    else:
        click.echo(say(f"Removed {name}.", f"已删除 {name}。"))


@glossary.command(
    "import",
    help=both(
        "Read a glossary in YAML or a dbt manifest.json, or standard input (-).",
        "导入 YAML 术语表或 dbt 的 manifest.json，或标准输入（-）。",
    ),
)
@file_argument
@connection_option
@click.option("--replace", is_flag=True, help=both("In place of what was added before.", "替换之前添加的内容。"))
@json_option
def import_(file: Path, connection: str | None, replace: bool, as_json: bool) -> None:
    """Lay what the file says over what is kept."""
    from inquery.knowledge.glossary import Glossary
    from inquery.knowledge.glossary_files import from_dbt, load_glossary

    text = read_text(file)
    made = from_dbt(text) if text.lstrip().startswith("{") and '"nodes"' in text else load_glossary(text)
    chosen, store = _chosen(connection)
    version = _kept(chosen, store, made, under=Glossary() if replace else None)
    counts = {
        "terms": len(made.terms),
        "metrics": len(made.metrics),
        "tables": len(made.tables),
        "values": len(made.values),
        "joins": len(made.joins),
    }
    if as_json:
        print_json(counts | {"version": version})
        return
    listed = ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "0"
    click.echo(say(f"Read {listed}.", f"已导入 {listed}。"))


@glossary.command(help=both("Write the glossary as YAML.", "以 YAML 导出术语表。"))
@connection_option
@click.option("--all", "whole", is_flag=True, help=both("With what ships with the demo.", "包括演示库自带的内容。"))
@out_option
@json_option
def export(connection: str | None, whole: bool, out: Path | None, as_json: bool) -> None:
    """What people added, as `import` reads it."""
    from inquery.agents.questions.connection_glossary import glossary_for
    from inquery.knowledge.glossary import plain_glossary
    from inquery.knowledge.glossary_files import dump_glossary, glossary_of

    chosen, store = _chosen(connection)
    found = glossary_for(chosen, load_settings()) if whole else glossary_of(chosen.id, store)
    if as_json:
        print_json(plain_glossary(found))
    else:
        write_text(dump_glossary(found), out)


def _chosen(connection: str | None) -> tuple[Connection, Store]:
    from inquery.store import open_store

    settings = load_settings()
    return chosen_connection(connection), open_store(settings)


def _add(content: dict[str, Any], name: str, connection: str | None, as_json: bool) -> None:
    from inquery.knowledge.glossary import parse_glossary

    made = parse_glossary(content)
    chosen, store = _chosen(connection)
    _warn_unknown(chosen, made)
    version = _kept(chosen, store, made)
    if as_json:
        print_json({"added": name, "version": version})
    else:
        click.echo(say(f"Kept {name}.", f"已保存 {name}。"))


def _kept(chosen: Connection, store: Store, made: Glossary, under: Glossary | None = None) -> int:
    """Lay a glossary over the kept one; returns the new version."""
    from inquery.knowledge.glossary_files import glossary_of, merge_glossaries, save_glossary

    before = glossary_of(chosen.id, store) if under is None else under
    return save_glossary(chosen.id, merge_glossaries(before, made), store)


def _warn_unknown(chosen: Connection, made: Glossary) -> None:
    """A remark for each table that the catalogue, as it was last read, does not have."""
    from inquery.catalog.stored import load_catalog

    stored = load_catalog(chosen.id, home=load_settings().home)
    if stored is None:
        return
    known = {name.casefold() for each in stored.catalog.tables for name in (each.name, each.full_name)}
    sides = [side[0] for hint in made.joins for side in hint.sides]
    named = [*made.tables, *(_split(place)[0] for place in made.values), *sides]
    for name in dict.fromkeys(named):
        if name.casefold() not in known:
            note(say(f"warning: there is no table {name} as yet", f"警告：目前没有表 {name}"))


def _split(place: str) -> tuple[str, str]:
    """table.column in two; raises BadRequest."""
    of, _, name = place.strip().rpartition(".")
    if not of or not name:
        raise BadRequest.because(f"{place} is not table.column", f"{place} 不是 表.列 的形式", detail=place)
    return of, name


def _lines(found: Glossary) -> list[tuple[str, str, str, str]]:
    """The glossary as lines: kind, name, meaning, synonyms."""
    spoken = language()
    comma = say(", ", "、")
    lines = [
        (say("term", "术语"), name, t.meaning.said(spoken), comma.join(t.synonyms)) for name, t in found.terms.items()
    ]
    lines += [(say("metric", "指标"), name, m.definition, comma.join(m.synonyms)) for name, m in found.metrics.items()]
    for name, about in found.tables.items():
        lines.append((say("table", "表"), name, about.description.said(spoken), comma.join(about.synonyms)))
        lines += [(say("column", "列"), f"{name}.{c}", text.said(spoken), "") for c, text in about.columns.items()]
    for place, mapped in found.values.items():
        lines += [(say("value", "取值"), place, stored, comma.join(phrases)) for stored, phrases in mapped.items()]
    return lines + [(say("join", "关联"), hint.on, hint.note.said(spoken), "") for hint in found.joins]


def _without(group: str) -> Callable[[dict[str, Any], str], bool]:
    return lambda kept, name: kept.get(group, {}).pop(name, None) is not None


def _without_column(kept: dict[str, Any], name: str) -> bool:
    of, place = _split(name)
    return kept.get("tables", {}).get(of, {}).get("columns", {}).pop(place, None) is not None


def _without_value(kept: dict[str, Any], name: str) -> bool:
    place, _, stored = name.partition("=")
    mapped = kept.get("values", {}).get(place.strip(), {})
    return mapped.pop(stored.strip(), None) is not None


def _without_join(kept: dict[str, Any], name: str) -> bool:
    plain = "".join(name.split()).casefold()
    before = kept.get("joins", [])
    kept["joins"] = [hint for hint in before if "".join(_on(hint).split()).casefold() != plain]
    return len(kept["joins"]) < len(before)


def _on(hint: Any) -> str:
    return str(hint["on"] if isinstance(hint, dict) else hint)


_REMOVE: dict[str, Callable[[dict[str, Any], str], bool]] = {
    "term": _without("terms"),
    "metric": _without("metrics"),
    "table": _without("tables"),
    "column": _without_column,
    "value": _without_value,
    "join": _without_join,
}
