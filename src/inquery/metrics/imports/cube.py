"""Cube: cubes in YAML with their measures, dimensions and joins; models in JavaScript are programs and not read."""

from __future__ import annotations

import re
from dataclasses import replace

from inquery.knowledge.glossary import MetricFormat
from inquery.metrics.imports.semantic_models import (
    Definition,
    Imported,
    Input,
    Measure,
    Model,
    Tree,
    build_glossary,
    listed,
    text_of,
)

_MEMBER = re.compile(r"\$?\{\s*([\w.]+)\s*\}")
_WHOLE = re.compile(r"\s*select\s+\*\s+from\s+([\w.\"`]+)\s*;?\s*$", re.I)
_FORMATS: dict[str, MetricFormat] = {"currency": "money", "percent": "percent"}


def is_cube(tree: Tree) -> bool:
    """Whether a file is one of Cube's."""
    return bool(listed(tree.get("cubes")))


def read_cube(tree: Tree) -> Imported:
    """The measures of all cubes as metrics; two of one name get the cube's before theirs."""
    cubes = listed(tree.get("cubes"))
    models = {text_of(cube.get("name")): _model(cube) for cube in cubes}
    names = [text_of(each.get("name")) for cube in cubes for each in listed(cube.get("measures"))]
    definitions = []
    for cube in cubes:
        model = models[text_of(cube.get("name"))]
        told = {name: name if names.count(name) == 1 else f"{model.name}_{name}" for name in names}
        for each in listed(cube.get("measures")):
            definitions.append(_definition(each, model, models, told))
    _add_joins(cubes, models)
    return build_glossary(list(models.values()), definitions)


def _model(cube: Tree) -> Model:
    whole = _WHOLE.match(text_of(cube.get("sql")))
    table = text_of(cube.get("sql_table")) or (whole[1] if whole else "")
    model = Model(text_of(cube.get("name")), table.strip('"`'))
    for each in listed(cube.get("dimensions")):
        name = text_of(each.get("name"))
        model.dimensions[name] = _plain(text_of(each.get("sql")) or name, model, {})
        if label := text_of(each.get("title")):
            model.labels[name] = label
        if each.get("primary_key"):
            model.keys[model.name] = model.dimensions[name]
        if text_of(each.get("type")) == "time" and not model.time:
            model.time = name
    return model


def _plain(sql: str, model: Model, models: dict[str, Model]) -> str:
    """SQL with its members written as columns: {CUBE}.id, {CUBE.id}, {orders.status}."""

    def column(found: re.Match[str]) -> str:
        cube, _, member = found[1].rpartition(".")
        if not cube and member == "CUBE":
            return model.table.rpartition(".")[2]
        if not cube and member in models:
            return models[member].table.rpartition(".")[2]
        owner = model if cube in ("", "CUBE", model.name) else models.get(cube, model)
        told = owner.dimensions.get(member, member)
        return told if "." in told or owner is model else f"{owner.table.rpartition('.')[2]}.{told}"

    return _MEMBER.sub(column, sql)


def _definition(each: Tree, model: Model, models: dict[str, Model], told: dict[str, str]) -> Definition:
    name, kind = text_of(each.get("name")), text_of(each.get("type"))
    shared = Definition(
        told[name],
        "derived",
        label=text_of(each.get("title")),
        description=text_of(each.get("description")),
        model=model.name,
        format=_FORMATS.get(text_of(each.get("format"))),
    )
    if not model.table:
        return replace(shared, kind="a query of its own")
    if kind == "number":
        used = [found[1].rpartition(".")[2] for found in _MEMBER.finditer(text_of(each.get("sql")))]
        expr = _MEMBER.sub(lambda found: found[1].rpartition(".")[2], text_of(each.get("sql")))
        inputs = tuple(Input(told.get(part, part), part) for part in dict.fromkeys(used))
        return replace(shared, inputs=inputs, expr=expr)
    if each.get("rolling_window"):
        return replace(shared, kind="cumulative")
    filters = tuple(_plain(text_of(one.get("sql")), model, models) for one in listed(each.get("filters")))
    # COUNT of a cube counts its rows, whatever key it names.
    expr = "*" if kind == "count" else _plain(text_of(each.get("sql")) or name, model, models)
    model.measures[name] = Measure(name, kind, expr, filters=filters)
    return replace(shared, kind="simple", measure=name)


def _add_joins(cubes: list[Tree], models: dict[str, Model]) -> None:
    for cube in cubes:
        model = models[text_of(cube.get("name"))]
        for join in listed(cube.get("joins")):
            other = models.get(text_of(join.get("name")))
            sides = re.findall(r"\.(\w+)", _plain(text_of(join.get("sql")), model, models))
            if other is None or text_of(join.get("relationship")) not in ("many_to_one", "belongs_to", "belongsTo"):
                continue
            if len(sides) == 2:
                model.references[other.name] = sides[0]
                other.keys.setdefault(other.name, sides[1])
