"""dbt: a manifest.json, and the YAML of semantic models and metrics in the spec of 2024 and in the one inside models."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

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
    tree_of,
)

_REF = re.compile(r"(?:ref|source)\((?:\s*['\"][^'\"]+['\"]\s*,)*\s*['\"]([^'\"]+)['\"]\s*\)")
_KEYS = ("primary", "unique", "natural")


def is_dbt(tree: Tree) -> bool:
    """Whether a file is one of dbt's with something to measure."""
    inside = any("semantic_model" in model or "metrics" in model for model in listed(tree.get("models")))
    return (
        bool(tree.get("semantic_models"))
        or inside
        or (isinstance(tree.get("metrics"), list | Mapping) and _typed(tree))
    )


def _typed(tree: Tree) -> bool:
    return any("type" in each for each in listed(tree.get("metrics")))


def read_dbt(tree: Tree) -> Imported:
    """The metrics of a manifest or of YAML files put together."""
    models = [_legacy_model(each) for each in listed(tree.get("semantic_models"))]
    definitions: list[Definition] = []
    for each in listed(tree.get("models")):
        if each.get("semantic_model") in (None, False) and not each.get("metrics"):
            continue
        model = _latest_model(each)
        models.append(model)
        definitions += [_definition(metric, model) for metric in listed(each.get("metrics"))]
    definitions += [_definition(each, None, models) for each in listed(tree.get("metrics"))]
    named = {each.name for each in definitions}
    for model in models:
        made = (Definition(name, "simple", model=model.name, measure=name) for name in model.created)
        definitions += [each for each in made if each.name not in named]
    return build_glossary(models, definitions)


def _legacy_model(each: Tree) -> Model:
    relation = tree_of(each.get("node_relation"))
    found = _REF.search(text_of(each.get("model")))
    table = text_of(relation.get("alias")) or (found[1] if found else text_of(each.get("model")))
    model = Model(
        text_of(each.get("name")), table, time=text_of(tree_of(each.get("defaults")).get("agg_time_dimension"))
    )
    for entity in listed(each.get("entities")):
        _add_entity(model, entity, text_of(entity.get("expr")) or text_of(entity.get("name")))
    for dimension in listed(each.get("dimensions")):
        _add_dimension(model, dimension, text_of(dimension.get("expr")) or text_of(dimension.get("name")))
    for measure in listed(each.get("measures")):
        name = text_of(measure.get("name"))
        model.measures[name] = Measure(
            name,
            text_of(measure.get("agg")),
            text_of(measure.get("expr")) or name,
            text_of(measure.get("agg_time_dimension")),
            text_of(measure.get("label")),
            text_of(measure.get("description")),
        )
    model.created = [text_of(m.get("name")) for m in listed(each.get("measures")) if m.get("create_metric") is True]
    return model


def _latest_model(each: Tree) -> Model:
    about = tree_of(each.get("semantic_model"))
    table = text_of(each.get("alias")) or text_of(each.get("name"))
    model = Model(
        text_of(about.get("name")) or text_of(each.get("name")), table, time=text_of(each.get("agg_time_dimension"))
    )
    for column in listed(each.get("columns")):
        name = text_of(column.get("name"))
        entity, dimension = column.get("entity"), column.get("dimension")
        if entity is not None:
            _add_entity(model, tree_of(entity) or {"name": name, "type": entity}, name)
        if dimension is not None:
            _add_dimension(model, {"name": name, **tree_of(dimension)}, name)
    derived = tree_of(each.get("derived_semantics"))
    for entity in listed(derived.get("entities")):
        _add_entity(model, entity, text_of(entity.get("expr")))
    for dimension in listed(derived.get("dimensions")):
        _add_dimension(model, dimension, text_of(dimension.get("expr")))
    return model


def _add_entity(model: Model, entity: Tree, column: str) -> None:
    name = text_of(entity.get("name"))
    (model.keys if text_of(entity.get("type")) in _KEYS else model.references)[name] = column


def _add_dimension(model: Model, dimension: Tree, expression: str) -> None:
    name = text_of(dimension.get("name"))
    model.dimensions[name] = expression
    if label := text_of(dimension.get("label")):
        model.labels[name] = label


def _definition(each: Tree, home: Model | None, models: list[Model] | None = None) -> Definition:
    name, kind = text_of(each.get("name")), text_of(each.get("type")) or "simple"
    params = tree_of(each.get("type_params"))
    aggregated = tree_of(params.get("metric_aggregation_params"))
    model, measure = "", _named(params.get("measure"))
    if kind == "simple" and not measure:
        # Since measures are gone a simple metric has its aggregate itself.
        told = aggregated or each
        owner = home or next((m for m in models or () if m.name == text_of(aggregated.get("semantic_model"))), None)
        measure = f"{name} itself"
        if owner is not None:
            model = owner.name
            expr = text_of(told.get("expr")) or text_of(params.get("expr"))
            owner.measures[measure] = Measure(
                name, text_of(told.get("agg")), expr or name, text_of(told.get("agg_time_dimension"))
            )
    source: Tree = {**params, **{key: value for key, value in each.items() if key not in ("type_params", "filter")}}
    inputs = tuple(_input(source.get(part)) for part in ("numerator", "denominator")) if kind == "ratio" else ()
    if kind == "derived":
        given = source.get("metrics") or source.get("input_metrics") or []
        inputs = tuple(_input(part) for part in given) if isinstance(given, list) else ()
    own = _filters(tree_of(params.get("measure")).get("filter"))
    return Definition(
        name,
        kind,
        label=text_of(each.get("label")),
        description=text_of(each.get("description")),
        model=model,
        measure=measure,
        filters=(*_filters(each.get("filter")), *own),
        inputs=inputs,
        expr=text_of(source.get("expr")),
    )


def _named(given: object) -> str:
    return text_of(tree_of(given).get("name")) or text_of(given)


def _input(given: object) -> Input:
    about = tree_of(given)
    shifted = any(about.get(key) for key in ("offset_window", "offset_to_grain"))
    return Input(_named(given), text_of(about.get("alias")), tuple(_filters(about.get("filter"))), shifted)


def _filters(given: object) -> Iterator[str]:
    """Conditions as a text, a list of them, or as a manifest has them."""
    if isinstance(given, str) and given.strip():
        yield given.strip()
    elif isinstance(given, list):
        for each in given:
            yield from _filters(each)
    elif isinstance(given, Mapping):
        yield from _filters(given.get("where_filters") or given.get("where_sql_template"))
