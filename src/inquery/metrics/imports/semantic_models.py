"""What the tools have in common: models over tables with measures, and metrics made of these, turned into a glossary's.

A metric is taken as it is meant or not at all: what the plans say in another way (growth, running totals) or cannot say is
left out with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from inquery.errors import BadRequest, Text
from inquery.knowledge.glossary import Both, Glossary, JoinHint, Metric, MetricFormat, Said
from inquery.metrics.question_cover import key_of

AGGREGATES = {
    "sum": "SUM({})", "count": "COUNT({})", "count_distinct": "COUNT(DISTINCT {})", "countdistinct": "COUNT(DISTINCT {})",
    "count_distinct_approx": "COUNT(DISTINCT {})", "average": "AVG({})", "avg": "AVG({})", "min": "MIN({})", "max": "MAX({})",
    "sum_boolean": "SUM(CASE WHEN {} THEN 1 ELSE 0 END)",
}  # fmt: skip
LONGEST_CHAIN = 8
_REFERENCE = re.compile(r"\{\{\s*(\w+)\(\s*'([\w.]+)'(?:\s*,\s*['\w\[\]]+)*\s*\)\s*\}\}")


class LeftOutError(Exception):
    """A definition that cannot be taken, with the reason; for this room alone."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.reason = Text(en, zh)


@dataclass(frozen=True, slots=True)
class Measure:
    """An aggregate over a model's rows."""

    name: str
    agg: str
    expr: str = ""
    time: str = ""
    label: str = ""
    description: str = ""
    filters: tuple[str, ...] = ()


@dataclass(slots=True)
class Model:
    """A table as a tool describes it: keys by the name of what they stand for, and dimensions by their expression."""

    name: str
    table: str
    keys: dict[str, str] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)
    dimensions: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    measures: dict[str, Measure] = field(default_factory=dict)
    time: str = ""
    created: list[str] = field(default_factory=list)
    """Measures that are metrics by themselves."""


@dataclass(frozen=True, slots=True)
class Input:
    """A metric that another is made of, with a condition of its own."""

    name: str
    alias: str = ""
    filters: tuple[str, ...] = ()
    shifted: bool = False


@dataclass(frozen=True, slots=True)
class Definition:
    """A metric as a tool defines it."""

    name: str
    kind: str
    label: str = ""
    description: str = ""
    model: str = ""
    measure: str = ""
    filters: tuple[str, ...] = ()
    inputs: tuple[Input, ...] = ()
    expr: str = ""
    synonyms: tuple[str, ...] = ()
    format: MetricFormat | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file gave: a glossary of metrics, dimensions and joins, and what could not be taken, with why."""

    glossary: Glossary
    left_out: dict[str, Text]


def build_glossary(models: Sequence[Model], definitions: Sequence[Definition]) -> Imported:
    """The definitions over their models; raises BadRequest where they run in a circle or a name is there twice."""
    return _Builder(models, definitions).build()


class _Builder:
    def __init__(self, models: Sequence[Model], definitions: Sequence[Definition]) -> None:
        self.models = {model.name: model for model in models}
        self.definitions: dict[str, Definition] = {}
        for each in definitions:
            if each.name in self.definitions:
                raise BadRequest.because(f"there are two metrics {each.name}", f"有两个指标都叫 {each.name}")
            self.definitions[each.name] = each
        self.made: dict[str, Metric] = {}
        self.left_out: dict[str, Text] = {}

    def build(self) -> Imported:
        for name in self.definitions:
            self._refuse_circles(name, ())
        for name in self.definitions:
            try:
                self._metric(name)
            except LeftOutError as error:
                self.left_out[name] = error.reason
        self._tell_labels_apart()
        glossary = Glossary(metrics=self.made, dimensions=dict(self._dimensions()), joins=tuple(self._joins()))
        return Imported(glossary, self.left_out)

    def _tell_labels_apart(self) -> None:
        """`Food revenue` and `Food revenue %` are the same words: whichever is not called so by its name is by its name."""
        keys = {name: key_of(metric.label.en) for name, metric in self.made.items()}
        for name, metric in self.made.items():
            plain = name.replace("_", " ")
            if list(keys.values()).count(keys[name]) > 1 and key_of(plain) != keys[name]:
                self.made[name] = metric.model_copy(update={"label": Both(en=plain)})

    def _refuse_circles(self, name: str, above: tuple[str, ...]) -> None:
        if name in above:
            path = " → ".join((*above[above.index(name) :], name))
            raise BadRequest.because(f"metrics define each other in a circle: {path}", f"指标互相引用形成循环：{path}")
        if name in self.definitions and len(above) <= LONGEST_CHAIN:
            for each in self.definitions[name].inputs:
                self._refuse_circles(each.name, (*above, name))

    def _metric(self, name: str) -> Metric:
        if name in self.made:
            return self.made[name]
        about = self.definitions.get(name)
        if about is None:
            raise LeftOutError(f"there is no metric {name}", f"没有指标 {name}")
        made = self._make(about)
        self.made[name] = made
        return made

    def _make(self, about: Definition) -> Metric:
        if about.kind == "simple":
            return self._simple(about)
        if about.kind == "ratio":
            numerator, denominator = about.inputs
            return self._ratio(about, numerator, denominator)
        if about.kind == "derived":
            return self._derived(about)
        if about.kind == "cumulative":
            raise LeftOutError("a running total is asked of the metric itself", "累计值可直接对原指标提问")
        raise LeftOutError(f"metrics of type {about.kind} cannot be taken", f"不支持 {about.kind} 类型的指标")

    def _simple(self, about: Definition) -> Metric:
        model, measure = self._measure(about)
        expression = aggregate(measure, model.table)
        filters = [self._condition(text, model) for text in (*measure.filters, *about.filters)]
        return Metric(
            expression=expression,
            filter=" AND ".join(f"({each})" if len(filters) > 1 else each for each in filters),
            entity=model.table,
            tables=(model.table,),
            time=self._time(measure.time or model.time, model),
            label=Both(en=about.label or measure.label or about.name.replace("_", " ")),
            description=Both(en=" ".join((about.description or measure.description).split())[:2000]),
            synonyms=about.synonyms,
            format=about.format,
            writer=False,
        )

    def _measure(self, about: Definition) -> tuple[Model, Measure]:
        models = [self.models[about.model]] if about.model in self.models else list(self.models.values())
        found = [(model, model.measures[about.measure]) for model in models if about.measure in model.measures]
        if len(found) != 1:
            raise LeftOutError(f"there is no measure {about.measure}", f"没有度量 {about.measure}")
        return found[0]

    def _time(self, said: str, model: Model) -> str:
        if not said:
            return ""
        columns = {column.name for column in _parsed(model.dimensions.get(said, said)).find_all(exp.Column)}
        return f"{model.table}.{columns.pop()}" if len(columns) == 1 else ""

    def _condition(self, text: str, home: Model) -> str:
        """A condition with its references resolved, columns told with their tables."""

        def resolved(found: re.Match[str]) -> str:
            if found[1] not in ("Dimension", "TimeDimension", "Entity"):
                raise LeftOutError(f"{found[1]} in a condition cannot be taken", f"条件中的 {found[1]} 无法导入")
            entity, _, name = found[2].rpartition("__")
            owner = self._owner(entity, home)
            told = owner.dimensions.get(name) or owner.keys.get(name) or owner.references.get(name)
            if told is None:
                raise LeftOutError(f"there is no dimension {found[2]}", f"没有维度 {found[2]}")
            return f"({qualified(told, owner.table)})"

        filled = _REFERENCE.sub(resolved, text)
        if "{{" in filled or "{%" in filled:
            raise LeftOutError("its condition is a template", "其条件是模板，无法导入")
        return qualified(filled, home.table)

    def _owner(self, entity: str, home: Model) -> Model:
        """The model whose key an entity is; the metric's own where nothing is said."""
        key = entity.rpartition("__")[2]
        if not key or key in home.keys:
            return home
        found = [model for model in self.models.values() if key in model.keys]
        if len(found) != 1:
            raise LeftOutError(f"{key} is the key of no one model", f"{key} 不是某一个模型的主键")
        return found[0]

    def _ratio(self, about: Definition, numerator: Input, denominator: Input) -> Metric:
        top, bottom = self._input(about, numerator), self._input(about, denominator)
        for name in (top, bottom):
            if self.made[name].numerator:
                raise LeftOutError("a ratio of ratios cannot be summed", "比率的比率无法汇总")
        return Metric(
            numerator=top,
            denominator=bottom,
            tables=tuple(dict.fromkeys((*self.made[top].tables, *self.made[bottom].tables))),
            label=Both(en=about.label or about.name.replace("_", " ")),
            description=Both(en=" ".join(about.description.split())[:2000]),
            synonyms=about.synonyms,
            format=about.format or ("percent" if _is_percent(about) else None),
            writer=False,
        )

    def _input(self, about: Definition, given: Input) -> str:
        """The name of a metric that another is made of; with a condition of its own it is a metric of its own."""
        base = self._metric(given.name)
        extra = (*given.filters, *about.filters)
        if not extra:
            return given.name
        home = next((m for m in self.models.values() if m.table == base.entity), None)
        if home is None or base.numerator:
            raise LeftOutError("a condition on a ratio cannot be taken", "比率上的条件无法导入")
        name = f"{about.name}_{given.alias or given.name}"
        parts = [part for part in (base.filter, *(self._condition(text, home) for text in extra)) if part]
        told = f"{base.label.en} ({about.label or about.name})"
        self.made[name] = base.model_copy(
            update={"filter": " AND ".join(f"({part})" for part in parts), "label": Both(en=told), "synonyms": ()}
        )
        return name

    def _derived(self, about: Definition) -> Metric:
        if any(each.shifted for each in about.inputs):
            raise LeftOutError("growth is asked of the metric itself", "增长与对比可直接对原指标提问")
        known = {each.alias or each.name: each for each in about.inputs}
        tree = _parsed(about.expr)
        ratio = _quotient(tree)
        if ratio is not None and set(ratio) <= set(known):
            return self._ratio(about, known[ratio[0]], known[ratio[1]])
        bases = {alias: self.made[self._input(about, each)] for alias, each in known.items() if self._metric(each.name)}
        if any(base.numerator or base.per for base in bases.values()):
            raise LeftOutError("arithmetic over a ratio cannot be summed", "对比率再做运算无法汇总")
        if len({(base.entity, base.filter, base.time) for base in bases.values()}) != 1:
            raise LeftOutError(
                "it adds up metrics of different tables or conditions", "它把不同表或不同条件的指标相加减"
            )

        def filled(node: exp.Expr) -> exp.Expr:
            if isinstance(node, exp.Column) and node.name in bases and not node.table:
                return exp.paren(_parsed(bases[node.name].expression))
            return node

        first = next(iter(bases.values()))
        told = {"label": Both(en=about.label or about.name), "synonyms": about.synonyms, "format": about.format}
        about_it = Both(en=" ".join(about.description.split())[:2000])
        return first.model_copy(update={"expression": tree.transform(filled).sql(), "description": about_it, **told})

    def _dimensions(self) -> Iterator[tuple[str, Said]]:
        """What people call columns, where a tool labels them."""
        for model in self.models.values():
            for name, label in model.labels.items():
                column = _parsed(model.dimensions[name]) if model.dimensions.get(name) else None
                if isinstance(column, exp.Column):
                    yield f"{model.table}.{column.name}", Said(label=Both(en=label))

    def _joins(self) -> Iterator[JoinHint]:
        for model in self.models.values():
            for entity, column in model.references.items():
                for other in self.models.values():
                    if (
                        entity in other.keys
                        and other is not model
                        and _is_name(column)
                        and _is_name(other.keys[entity])
                    ):
                        yield JoinHint(on=f"{model.table}.{column} = {other.table}.{other.keys[entity]}")


def aggregate(measure: Measure, table: str) -> str:
    """The aggregate of a measure as SQL with its columns told."""
    shape = AGGREGATES.get(measure.agg.casefold())
    if shape is None:
        raise LeftOutError(f"the aggregate {measure.agg} cannot be taken", f"聚合方式 {measure.agg} 无法导入")
    bare = measure.expr.strip()
    if measure.agg.casefold() in ("sum", "count") and bare in ("1", "", "*"):
        return "COUNT(*)"
    return shape.format(qualified(bare or measure.name, table))


def qualified(text: str, table: str) -> str:
    """SQL with its bare columns told with their table."""
    tree = _parsed(text)

    def told(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column) and not node.table:
            return exp.column(node.this, table=table.rpartition(".")[2])
        return node

    return tree.transform(told).sql()


def _parsed(text: str) -> exp.Expr:
    try:
        return parse_one(text)
    except SqlglotError as error:
        raise LeftOutError(f"{text.strip()[:80]} is no plain SQL", f"{text.strip()[:80]} 不是普通的 SQL") from error


def _quotient(tree: exp.Expr) -> tuple[str, str] | None:
    """The two names of a quotient: a / b, 1.0 * a / NULLIF(b, 0), 100 * a / b."""
    node = tree.unnest()
    if isinstance(node, exp.Mul):
        sides = [side.unnest() for side in (node.this, node.expression)]
        inner = [side for side in sides if not isinstance(side, exp.Literal)]
        node = inner[0] if len(inner) == 1 else node
    if not isinstance(node, exp.Div):
        return None
    top, bottom = (_bare_name(side) for side in (node.this, node.expression))
    return (top, bottom) if top and bottom else None


def _bare_name(node: exp.Expr) -> str:
    node = node.unnest()
    if isinstance(node, exp.Nullif | exp.Cast):
        node = node.this.unnest()
    if isinstance(node, exp.Mul):
        left = [side for side in (node.this.unnest(), node.expression.unnest()) if not isinstance(side, exp.Literal)]
        node = left[0] if len(left) == 1 else node
    return node.name if isinstance(node, exp.Column) and not node.table else ""


def _is_percent(about: Definition) -> bool:
    return re.search(r"%|percent|pct|rate|share|率|占比", f"{about.name} {about.label}", re.I) is not None


def _is_name(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z_]\w*", text) is not None


Tree = Mapping[str, object]
"""A mapping of a file, before anybody looked at what it holds."""


def listed(given: object) -> list[Tree]:
    """The mappings of a list, or the values of a mapping, as manifests have them; anything else has none."""
    values = given.values() if isinstance(given, Mapping) else given
    return (
        [each for each in values if isinstance(each, Mapping)]
        if isinstance(values, Sequence | type({}.values()))
        else []
    )


def text_of(given: object) -> str:
    """A leaf as text."""
    return "" if given is None or isinstance(given, Mapping | list) else str(given).strip()


def tree_of(given: object) -> Tree:
    """A mapping, empty where there is none."""
    return given if isinstance(given, Mapping) else {}
