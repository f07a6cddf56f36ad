"""Open Semantic Interchange (Apache Ossie): datasets, relationships, and metrics whose expression is SQL by dialect."""

from __future__ import annotations

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from inquery.errors import Text
from inquery.knowledge.glossary import Both, Glossary, JoinHint, Metric
from inquery.metrics.imports.semantic_models import Imported, LeftOutError, Tree, listed, text_of, tree_of

_DIALECTS = ("ANSI_SQL", "ansi_sql", "ansi", "")


def is_osi(tree: Tree) -> bool:
    """Whether a file is an interchange document."""
    return any("datasets" in model for model in _models(tree))


def _models(tree: Tree) -> list[Tree]:
    inside = tree.get("semantic_model")
    return [inside] if isinstance(inside, dict) else listed(inside)


def read_osi(tree: Tree) -> Imported:
    """The metrics of every semantic model in the document."""
    metrics: dict[str, Metric] = {}
    left_out: dict[str, Text] = {}
    joins: list[JoinHint] = []
    for model in _models(tree):
        tables = {text_of(each.get("name")): text_of(each.get("source")) for each in listed(model.get("datasets"))}
        times = dict(_times(model))
        for each in listed(model.get("metrics")):
            name = text_of(each.get("name"))
            try:
                metrics[name] = _metric(each, tables, times)
            except LeftOutError as error:
                left_out[name] = error.reason
        joins += [hint for each in listed(model.get("relationships")) if (hint := _join(each, tables))]
    return Imported(Glossary(metrics=metrics, joins=tuple(joins)), left_out)


def _expression(given: object) -> str:
    if isinstance(given, str):
        return given
    told = {
        text_of(each.get("dialect")): text_of(each.get("expression")) for each in listed(tree_of(given).get("dialects"))
    }
    return next((told[dialect] for dialect in _DIALECTS if dialect in told), next(iter(told.values()), ""))


def _times(model: Tree) -> list[tuple[str, str]]:
    found = []
    for dataset in listed(model.get("datasets")):
        for field in listed(dataset.get("fields")):
            if tree_of(field.get("dimension")).get("is_time"):
                found.append((text_of(dataset.get("name")), _expression(field.get("expression"))))
                break
    return found


def _metric(each: Tree, tables: dict[str, str], times: dict[str, str]) -> Metric:
    text = _expression(each.get("expression"))
    try:
        tree = parse_one(text)
    except SqlglotError as error:
        raise LeftOutError(f"{text[:80]} is no plain SQL", f"{text[:80]} 不是普通的 SQL") from error
    used = list(dict.fromkeys(column.table for column in tree.find_all(exp.Column) if column.table))
    if not used or tree.find(exp.AggFunc) is None:
        raise LeftOutError("it names no dataset or aggregate", "它没有指明数据集或聚合方式")

    def told(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and node.table in tables:
            return exp.column(node.this, table=_last(tables[node.table]))
        return node

    home = _last(tables.get(used[0], used[0]))
    time = times.get(used[0], "")
    about = tree_of(each.get("ai_context"))
    words = about.get("synonyms")
    return Metric(
        expression=tree.transform(told).sql(),
        entity=home,
        tables=tuple(_last(tables.get(name, name)) for name in used),
        time=f"{home}.{time.rpartition('.')[2]}" if time else "",
        label=Both(en=text_of(each.get("label")) or text_of(each.get("name")).replace("_", " ")),
        description=Both(en=text_of(each.get("description"))[:2000]),
        synonyms=tuple(map(str, words)) if isinstance(words, list) else (),
        writer=False,
    )


def _last(source: str) -> str:
    return source.rpartition(".")[2].strip('"`')


def _join(each: Tree, tables: dict[str, str]) -> JoinHint | None:
    left, right = each.get("from_columns"), each.get("to_columns")
    start, goal = text_of(each.get("from")), text_of(each.get("to"))
    if not (isinstance(left, list) and isinstance(right, list) and len(left) == len(right) == 1):
        return None
    return JoinHint(on=f"{_last(tables.get(start, start))}.{left[0]} = {_last(tables.get(goal, goal))}.{right[0]}")
