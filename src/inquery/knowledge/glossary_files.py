"""Glossaries to and from YAML, the store and dbt manifests, and their descriptions in a catalogue."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

from inquery.errors import BadRequest
from inquery.knowledge.glossary import About, Both, Glossary, JoinHint, both_texts, parse_glossary, plain_glossary
from inquery.sql import Catalog, Join, Table
from inquery.store import Store
from inquery.store.glossaries import Glossaries


def glossary_of(connection_id: str, store: Store, under: Glossary | None = None) -> Glossary:
    """What is kept for a connection, laid over a glossary that ships with it, as the demo's does."""
    kept = parse_glossary(Glossaries(store).get(connection_id) or {})
    return merge_glossaries(under, kept) if under is not None else kept


def save_glossary(connection_id: str, glossary: Glossary, store: Store) -> int:
    """Keep a glossary in place of the last one; returns its version."""
    return Glossaries(store).put(connection_id, plain_glossary(glossary))


def dump_glossary(glossary: Glossary) -> str:
    """The glossary as YAML a person can edit."""
    import yaml

    return yaml.safe_dump(plain_glossary(glossary), allow_unicode=True, sort_keys=False, width=120)


def load_glossary(text: str) -> Glossary:
    """A glossary from YAML; raises BadRequest where it is none."""
    return parse_glossary(read_yaml(text))


def read_yaml(text: str) -> Any:
    """Plain data from YAML a person gave; raises BadRequest with the line."""
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        raise BadRequest.because(
            f"this is not YAML (line {line})", f"这不是有效的 YAML（第 {line} 行）", detail=str(error)
        ) from error


def merge_glossaries(under: Glossary, over: Glossary) -> Glossary:
    """Both glossaries; where they say different things about one name, the second holds."""
    tables = {**under.tables}
    for name, about in over.tables.items():
        last = tables.get(name, About())
        synonyms = tuple(dict.fromkeys((*about.synonyms, *last.synonyms)))
        columns = {**last.columns, **about.columns}
        tables[name] = About(
            description=about.description or last.description,
            synonyms=synonyms,
            columns=columns,
            time=about.time or last.time,
            display=about.display or last.display,
            leave_out={**last.leave_out, **about.leave_out},
        )
    values = {place: dict(mapped) for place, mapped in under.values.items()}
    for place, mapped in over.values.items():
        values.setdefault(place, {}).update(mapped)
    joins = {hint.on: hint for hint in (*under.joins, *over.joins)}
    return Glossary(
        terms={**under.terms, **over.terms},
        metrics={**under.metrics, **over.metrics},
        tables=tables,
        values=values,
        joins=tuple(joins.values()),
        setup={**under.setup, **over.setup},
        dimensions={**under.dimensions, **over.dimensions},
        shown={**under.shown, **over.shown},
        calendar=over.calendar if "calendar" in over.model_fields_set else under.calendar,
    )


def from_dbt(text: str) -> Glossary:
    """Descriptions, relationships and metrics of a dbt manifest.json; raises BadRequest where it is none."""
    try:
        manifest = json.loads(text)
        nodes = {**manifest["nodes"], **manifest.get("sources", {})}
    except (ValueError, KeyError, TypeError) as error:
        raise BadRequest.because(
            "this is not a dbt manifest", "这不是 dbt 的 manifest 文件", detail=str(error)
        ) from error
    names = {key: _relation(node) for key, node in nodes.items() if node.get("resource_type") in _RELATIONS}
    tables = {names[key]: _about(nodes[key]) for key in names}
    joins = [hint for node in nodes.values() if (hint := _relationship(node, names))]
    return Glossary(
        tables={name: about for name, about in tables.items() if about.description or about.columns},
        joins=tuple(joins),
        terms={name: {"meaning": meaning} for name, meaning in _dbt_metrics(manifest).items()},
    )


_RELATIONS = {"model", "seed", "snapshot", "source"}


def _relation(node: dict[str, Any]) -> str:
    return str(node.get("alias") or node.get("identifier") or node["name"])


def _about(node: dict[str, Any]) -> About:
    columns = {
        str(column["name"]): both_texts(_short(column["description"]))
        for column in (node.get("columns") or {}).values()
        if column.get("description")
    }
    return About(description=both_texts(_short(node.get("description") or "")), columns=columns)


def _short(text: str) -> str:
    return " ".join(text.split())[:2000]


def _relationship(node: dict[str, Any], names: dict[str, str]) -> JoinHint | None:
    """A dbt `relationships` test says that a column of one model refers to a field of another."""
    test = node.get("test_metadata") or {}
    arguments = test.get("kwargs") or {}
    arguments = {**arguments, **(arguments.get("arguments") or {})}
    attached = names.get(str(node.get("attached_node")))
    others = [names[key] for key in (node.get("depends_on") or {}).get("nodes", []) if key in names]
    target = next((name for name in others if name != attached), None)
    column, field = arguments.get("column_name"), arguments.get("field")
    if test.get("name") != "relationships" or not (attached and target and column and field):
        return None
    return JoinHint(on=f"{attached}.{column} = {target}.{field}")


def _dbt_metrics(manifest: dict[str, Any]) -> dict[str, Both]:
    """dbt metrics have no plain expression since 1.6, so they come in as terms with their description."""
    found = {}
    for metric in (manifest.get("metrics") or {}).values():
        text = _short(metric.get("description") or metric.get("label") or "")
        if text:
            found[str(metric["name"])] = both_texts(text)
    return found


def describe_catalog(catalog: Catalog, glossary: Glossary) -> Catalog:
    """The catalogue with the glossary's descriptions where the database has no comment, and its joins."""
    tables = tuple(_described(table, _found(table, glossary), glossary) for table in catalog.tables)
    proved = set(_proved(catalog, glossary))
    joins = (
        dataclasses.replace(each, cardinality="many_to_one")
        if each.cardinality == "unknown" and each.ends in proved
        else each
        for each in (*catalog.joins, *_joins(catalog, glossary))
    )
    return dataclasses.replace(catalog, tables=tables, joins=tuple(joins))


def _found(table: Table, glossary: Glossary) -> About:
    return glossary.tables.get(table.full_name) or glossary.tables.get(table.name) or About()


def _described(table: Table, about: About, glossary: Glossary) -> Table:
    columns = tuple(
        dataclasses.replace(
            column,
            comment=column.comment
            or _comment(about.columns.get(column.name, Both()))
            or _comment(glossary.shown_as(table, column.name).label),
        )
        for column in table.columns
    )
    comment = table.comment or _comment(about.description)
    return dataclasses.replace(table, columns=columns, comment=comment, time_column=about.time)


def _comment(text: Both) -> str:
    return " / ".join(part for part in (text.zh, text.en) if part)


def _joins(catalog: Catalog, glossary: Glossary) -> list[Join]:
    """Hints whose tables and columns are there and which the catalogue does not have yet."""
    known = {(join.left, join.left_columns, join.right, join.right_columns) for join in catalog.joins}
    found = []
    for hint in glossary.joins:
        left, right = (_place(catalog, *side) for side in hint.sides)
        if left is None or right is None:
            continue
        edge = (left[0], (left[1],), right[0], (right[1],))
        if edge not in known and (*edge[2:], *edge[:2]) not in known:
            found.append(Join(*edge, declared=False, reason="stated in the glossary", how="stated"))
    return found


def _proved(
    catalog: Catalog, glossary: Glossary
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]]:
    """The ends of joins whose right side was found to repeat nothing."""
    for hint in glossary.joins:
        left, right = (_place(catalog, *side) for side in hint.sides)
        if hint.unique and left is not None and right is not None:
            yield left[0], (left[1],), right[0], (right[1],)


def _place(catalog: Catalog, table: str, column: str) -> tuple[tuple[str, ...], str] | None:
    for each in catalog.tables:
        if table.casefold() in (each.full_name.casefold(), each.name.casefold()):
            found = each.column(column)
            return None if found is None else (each.path, found.name)
    return None
