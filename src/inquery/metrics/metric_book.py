"""The metrics and dimensions of one database: the glossary bound to the catalogue, with what could not be bound and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from inquery.catalog.time_columns import time_columns, time_kind
from inquery.errors import BadRequest, Text
from inquery.knowledge import glossary as taught
from inquery.knowledge.glossary import Additivity, Both, Glossary
from inquery.language.text import has_cjk, name_words, singular, words_of
from inquery.metrics.metric_types import Column, Dimension, Metric
from inquery.metrics.routes import Routes, find_table
from inquery.metrics.spoken_labels import column_labels, short_texts, table_labels
from inquery.sql.catalog import Catalog, Table
from inquery.sql.catalog import Column as CatalogColumn

Values = Mapping[tuple[str, str], Sequence[str]]
"""The stored values of columns, by full table name and column."""
MOST_MEMBERS = 300
"""A column with more values is no dimension that anyone lists; it may still be named in the glossary."""
UNDATED = "none"
"""What a definition says of its time where no day is meant: employees there are, though hiring has a date."""
_TEXT = re.compile(r"char|text|string|enum|clob|^$", re.I)
_NAMED = re.compile(r"(?:名称|姓名|名字|简称)$")
MOST_CODES = 30
_SHOWN = ("name", "title", "full_name", "fullname", "nickname", "label", "subject", "名称", "姓名", "标题")


class Book:
    """What a plan may name, for one catalogue as a user sees it."""

    def __init__(self, catalog: Catalog, glossary: Glossary, values: Values, proposed: Sequence[Metric] = ()) -> None:
        self.catalog = catalog
        self.glossary = glossary
        self.values = values
        self.routes = Routes(catalog)
        self.metrics: dict[str, Metric] = {}
        self.problems: dict[str, Text] = {}
        for name, metric in glossary.metrics.items():
            try:
                self.metrics[name] = self._bind(name, metric)
            except BadRequest as error:
                self.problems[name] = _reason(error)
        self._drop_broken_ratios()
        for each in proposed:
            self.metrics.setdefault(each.name, each)

    # Metrics

    def metric(self, name: str) -> Metric:
        """The metric of a name; raises BadRequest with the nearest, or with why it cannot be used."""
        if name in self.metrics:
            return self.metrics[name]
        if name in self.problems:
            why = self.problems[name]
            raise BadRequest.because(f"the metric {name} cannot be used: {why.en}", f"指标 {name} 无法使用：{why.zh}")
        known = ", ".join(sorted(self.metrics)[:20])
        raise BadRequest.because(f"there is no metric {name}; there are {known}", f"没有指标 {name}；现有指标：{known}")

    def leaves(self, metric: Metric) -> tuple[Metric, ...]:
        """The metrics that are summed: itself, or the two of a ratio."""
        if metric.kind != "ratio":
            return (metric,)
        return (*self.leaves(self.metric(metric.numerator)), *self.leaves(self.metric(metric.denominator)))

    def _bind(self, name: str, metric: taught.Metric) -> Metric:
        label = metric.label if metric.label.en and metric.label.zh else _label(name, metric)
        shared = Metric(
            name=name,
            label=label,
            synonyms=metric.synonyms,
            unit=metric.unit,
            description=metric.description,
            needs_period=metric.needs_period,
            status=metric.status,
            additivity="ratio",
            format=metric.format or "number",
        )
        if metric.numerator:
            return replace(shared, kind="ratio", numerator=metric.numerator, denominator=metric.denominator)
        entity = self._entity(name, metric)
        return replace(
            shared,
            kind="members" if metric.per else "simple",
            entity=entity.full_name,
            expression=metric.expression,
            filter=metric.filter,
            time=self._time(metric.time, entity),
            per=self._column(metric.per) if metric.per else None,
            having=metric.having,
            additivity=metric.additivity or self._additivity(metric, entity),
        )

    def _entity(self, name: str, metric: taught.Metric) -> Table:
        said = metric.entity or next(iter(metric.tables), "")
        if not said:
            columns = self.parse(metric.expression).find_all(exp.Column)
            said = next((column.table for column in columns if column.table), "")
        table = find_table(self.catalog, said)
        if table is None:
            raise BadRequest.because(
                f"its table {said or '?'} is not there or cannot be seen", f"其所属的表 {said or '？'} 不存在或不可见"
            )
        for part in (metric.expression, metric.filter, metric.having):
            self._check_columns(part, table)
        return table

    def _check_columns(self, text: str, entity: Table) -> None:
        for column in self.parse(text).find_all(exp.Column) if text else ():
            table = find_table(self.catalog, column.table) if column.table else entity
            if table is None or table.column(column.name) is None:
                shown = column.sql()
                raise BadRequest.because(f"{shown} is not there or cannot be seen", f"{shown} 不存在或不可见")
            if self.routes.route(entity.path, table.path) is None:
                raise BadRequest.because(
                    f"rows of {entity.name} would be counted more than once by {table.name}: there is no single"
                    " many-to-one way to it",
                    f"{entity.name} 的行会因 {table.name} 重复计算：两者之间没有唯一的多对一关联",
                )

    def parse(self, text: str) -> exp.Expr:
        """A part of a definition as a tree; raises BadRequest where it is no expression."""
        try:
            return parse_one(text, dialect=self.catalog.dialect)
        except SqlglotError as error:
            raise BadRequest.because(
                f"{text} is no expression", f"{text} 不是有效的表达式", detail=str(error)
            ) from error

    def _time(self, said: str, entity: Table) -> Column | None:
        if said == UNDATED:
            return None
        if said:
            return self._column(said)
        own = next((each.name for each in time_columns(entity) if each.recommended), None)
        return (entity.full_name, own) if own else None

    def _column(self, said: str) -> Column:
        table, _, column = said.rpartition(".")
        found = find_table(self.catalog, table)
        known = found.column(column) if found else None
        if found is None or known is None:
            raise BadRequest.because(f"{said} is not there or cannot be seen", f"{said} 不存在或不可见")
        return found.full_name, known.name

    def _additivity(self, metric: taught.Metric, entity: Table) -> Additivity:
        """What the expression says of how parts make a whole."""
        if metric.per:
            return "distinct"
        tree = self.parse(metric.expression)
        if isinstance(tree, exp.Sum):
            return "additive"
        if not isinstance(tree, exp.Count):
            return "ratio"
        distinct = tree.this if isinstance(tree.this, exp.Distinct) else None
        key = {column.name for column in entity.columns if column.primary_key}
        counted = {column.name for column in tree.find_all(exp.Column)}
        return "additive" if distinct is None or counted == key else "distinct"

    def _drop_broken_ratios(self) -> None:
        for name in [name for name, metric in self.metrics.items() if metric.kind == "ratio"]:
            why = self._ratio_fault(name, ())
            if why is not None:
                self.problems[name] = why
        self.metrics = {name: metric for name, metric in self.metrics.items() if name not in self.problems}

    def _ratio_fault(self, name: str, above: tuple[str, ...]) -> Text | None:
        metric = self.metrics.get(name)
        if name in above:
            return Text(
                f"it is defined by itself: {' → '.join((*above, name))}",
                f"它的定义引用了自己：{' → '.join((*above, name))}",
            )
        if metric is None:
            return Text(f"there is no metric {name}", f"没有指标 {name}")
        if metric.kind != "ratio":
            return None
        if above:
            return Text("a ratio of ratios cannot be summed", "比率的比率无法汇总")
        parts = (self._ratio_fault(part, (*above, name)) for part in (metric.numerator, metric.denominator))
        return next((fault for fault in parts if fault), None)

    # Dimensions

    @cached_property
    def kinds_of_rows(self) -> dict[str, list[str]]:
        """The values of short lists by table: what its rows may be."""
        found: dict[str, list[str]] = {}
        for (table, _), values in self.values.items():
            if len(values) <= MOST_CODES:
                found.setdefault(table, []).extend(values)
        return found

    @cached_property
    def dimensions(self) -> dict[str, Dimension]:
        """Every dimension by its name: `stores` for the stores themselves, `stores.region` for a column."""
        found: dict[str, Dimension] = {}
        for table in self.catalog.tables:
            if entity := self._entity_dimension(table):
                found[entity.name] = entity
            for column in table.columns:
                if attribute := self._attribute(table, column.name, bool(entity)):
                    found[attribute.name] = attribute
        return found

    def dimension(self, name: str) -> Dimension:
        """The dimension of a name, or of any other column that is there (`products.name_zh`); raises BadRequest."""
        if name not in self.dimensions:
            # `orders.channel` where the catalogue has shop.orders, as statements may say it too.
            ending = [each for known, each in self.dimensions.items() if known.endswith(f".{name}")]
            if len(ending) == 1:
                return ending[0]
            table, _, column = name.rpartition(".")
            home = find_table(self.catalog, table) if table else None
            if home is not None and (known := home.column(column)) is not None:
                return Dimension(name, home.full_name, known.name, (), Both(en=known.name))
            listed = ", ".join(sorted(self.dimensions)[:20])
            raise BadRequest.because(
                f"there is no dimension {name}; there are {listed}", f"没有维度 {name}；现有维度：{listed}"
            )
        return self.dimensions[name]

    def _entity_dimension(self, table: Table) -> Dimension | None:
        key = tuple(column.name for column in table.columns if column.primary_key)
        if not key:
            joined = {join.right_columns for join in self.catalog.joins_of([table.path]) if join.right == table.path}
            key = next(iter(joined)) if len(joined) == 1 else ()
        shown = shown_column(table, "en") or shown_column(table, "zh")
        further = table.display[1] if len(table.display) > 1 and table.display[0] == shown else ""
        if not key or not shown or (not further and self._repeats(table, shown)):
            return None
        said = self.glossary.dimensions.get(table.full_name) or self.glossary.dimensions.get(table.name)
        named = (said.label.en, said.label.zh, *said.synonyms) if said else ()
        words = tuple(dict.fromkeys(word for word in (*named, *self.table_words(table)) if word))
        english = next((word for word in words if not has_cjk(word)), table.name)
        chinese = next((word for word in words if has_cjk(word)), "")
        return Dimension(table.full_name, table.full_name, shown, key, Both(en=english, zh=chinese), words, further)

    def _repeats(self, table: Table, column: str) -> bool:
        """Whether a name is one of few for many rows: weekly settlements by kiosk are no kiosks."""
        known = self.values.get((table.full_name, column), ())
        named = bool(self.glossary.metrics) or column in table.display or column.casefold() in _SHOWN
        return not named and 0 < 3 * len(known) <= (table.estimated_rows or 0)

    def _attribute(self, table: Table, column: str, is_entity: bool) -> Dimension | None:
        place = f"{table.full_name}.{column}"
        said = self.glossary.dimensions.get(place) or self.glossary.dimensions.get(f"{table.name}.{column}")
        about = table.column(column)
        if about is None or (said is None and not self._is_listed(table, column, is_entity)):
            return None
        own = self.column_words(table, column)
        words = [*((said.label.en, said.label.zh, *said.synonyms) if said else ()), *own]
        words = [word for word in dict.fromkeys(words) if word]
        english = next((word for word in words if not has_cjk(word)), column)
        chinese = next((word for word in words if has_cjk(word)), "")
        both = tuple(dict.fromkeys((*words, *self._of_table(table, words))))
        return Dimension(place, table.full_name, column, (), Both(en=english, zh=chinese), both)

    def _is_listed(self, table: Table, column: str, is_entity: bool) -> bool:
        about = table.column(column)
        if about is None or about.primary_key or time_kind(about):
            return False
        place = f"{table.full_name}.{column}"
        if place in self.glossary.values or f"{table.name}.{column}" in self.glossary.values:
            return True
        if any(column in join.left_columns for join in self.catalog.joins_of([table.path]) if join.left == table.path):
            return False
        if is_entity and column in {shown_column(table, "en"), shown_column(table, "zh")}:
            return False
        if is_coded(about):
            return True  # whatever its type: 1 and 2 that stand for words split as words do
        known = self.values.get((table.full_name, column), ())
        return bool(_TEXT.search(about.type)) and 1 < len(known) <= MOST_MEMBERS

    def table_words(self, table: Table) -> tuple[str, ...]:
        """What people call a table."""
        return table_labels(table, self.catalog, self.glossary)

    @cached_property
    def called(self) -> Counter[tuple[str, ...]]:
        """How many tables each word is said of, as it is looked up."""
        words = (
            {tuple(map(singular, words_of(word))) for word in self.table_words(each)} for each in self.catalog.tables
        )
        return Counter(key for keys in words for key in keys)

    def column_words(self, table: Table, column: str) -> tuple[str, ...]:
        """What people call a column."""
        known = table.column(column)
        return column_labels(table, known, self.catalog, self.glossary) if known else ()

    def _of_table(self, table: Table, words: Sequence[str]) -> list[str]:
        """The same words beside the table's: customer segment, segment of the customer, 客户类型, 客户的类型."""
        found = []
        for home in self.table_words(table):
            for word in words:
                if has_cjk(home) and has_cjk(word):
                    found += [home + word, f"{home}的{word}"]
                elif not has_cjk(home) and not has_cjk(word):
                    found += [f"{home} {word}", f"{word} of {home}", f"{word} of the {home}"]
        return found


def is_coded(column: CatalogColumn) -> bool:
    """Whether most values that were read stand for words that somebody wrote down."""
    known = {meaning.value for meaning in column.meanings}
    return 1 < len(known) <= MOST_CODES and 2 * len(known.intersection(column.samples)) > len(column.samples) > 0


def code_words(column: CatalogColumn, language: str) -> dict[str, str]:
    """Each code with its word in a language, else in the other; none where two codes have one word."""
    if not is_coded(column):
        return {}
    found = {
        meaning.value: next((word for word in meaning.words if has_cjk(word) == (language == "zh")), meaning.words[0])
        for meaning in column.meanings
        if meaning.words
    }
    return found if len(set(found.values())) == len(found) else {}


def shown_column(table: Table, language: str) -> str | None:
    """The column that names a row: name_zh for a Chinese reader, else name, title and their like; of people the first name."""
    names = {column.name.casefold(): column.name for column in table.columns}
    home = "_".join(singular(word) for word in name_words(table.name))
    parts = table.display[:1] if len(table.display) > 1 else ()
    own = next((names[each] for each in (f"name_{language}", f"{language}_name") if each in names), None)
    if parts and own is None:
        return parts[0]  # the title of a person is a job
    for wanted in (f"name_{language}", f"{language}_name", *_SHOWN, f"{home}_name", f"{home}name"):
        if wanted in names:
            return names[wanted]
    spelled = {"_".join(name_words(column.name)): column.name for column in table.columns}
    if "company_name" in spelled:
        return spelled["company_name"]  # and not the name of whom to call there
    ending = [name for folded, name in names.items() if folded.endswith(("_name", "名称", "姓名"))]
    if len(ending) == 1:
        return ending[0]
    if len(table.display) == 1:
        return table.display[0]
    told = [column.name for column in table.columns if any(map(_NAMED.search, short_texts(column.comment)))]
    if len(told) == 1:
        return told[0]  # qdmc, 渠道名称
    other = "zh" if language == "en" else "en"
    return names.get(f"name_{other}")


def _label(name: str, metric: taught.Metric) -> Both:
    chinese = next((word for word in metric.synonyms if has_cjk(word)), "") or "".join(
        short_texts(metric.description.zh)
    )
    return Both(en=metric.label.en or name.replace("_", " "), zh=metric.label.zh or chinese)


def _reason(error: BadRequest) -> Text:
    reason = error.fields.get("reason")
    return reason if isinstance(reason, Text) else Text(error.public_message("en"), error.public_message("zh"))
