"""What is read of a question so far, and what every step asks of it."""

from __future__ import annotations

import re

from sqlglot import exp

from inquery.language.dates import Clock
from inquery.language.text import has_cjk, singular
from inquery.metrics.metric_types import Metric
from inquery.metrics.plan_types import (
    Grouping,
    Operator,
    PlanFilter,
    PlanPeriod,
    Side,
)
from inquery.metrics.propose_sales import counts_buyers
from inquery.metrics.question_cover import Member, Phrase, Vocabulary, key_of
from inquery.metrics.routes import find_table

HARMLESS = ("skip", "join", "each", "every", "total", "count", "to_date")
"""Kinds of words that change nothing where no rule took them."""
OPERATORS: dict[str, Operator] = {"over": ">", "at_least": ">=", "under": "<", "at_most": "<="}
_AFTER_NUMBER = {
    "at_least": ("以上", "及以上", "或以上", "或更多", "or more", "or above", "and above"),
    "at_most": ("以下", "及以下", "或以下", "or less", "or fewer"),
}
DIFFERENT = re.compile(r"\b(?:different|distinct|unique)\b|不同|去重|不重复", re.I)
STATES = re.compile(r"stat(?:e|us)$|阶段|状态|stage", re.I)
ENDED = re.compile(r"cancel|void|delet|refund|fail|return|reject|draft|test|作废|取消|退|删|拒|草稿|失败", re.I)
LOST = re.compile(r"^(?:lose|lost|losing)$|^(?:流失|流失了|丢了|丢失)$", re.I)
HOW_MANY = re.compile(r"\bhow many\b|多少|几[个位家名款种]", re.I)
HOW_MANY_ZH = re.compile(r"几(?:$|[？?，,。])|(?:几|多少)[个位家名款种张单件条笔次份台辆起人]")
SOLD = re.compile(r"\b(?:sell|sells|sold|selling)\b|卖", re.I)
MADE = frozenset({"placed", "made", "taken", "received", "booked"})
"""What is said of rows that are there: orders placed are orders."""
FROM_TO = re.compile(r"\b(?:to|until|till|through)\b|\w\s*[-–~～]\s*\w|[到至]", re.I)
EARLIER_SAID = re.compile(r"previous|prior|last|preceding|before|earlier|[上前去]", re.I)
AS_WELL = re.compile(r"\bboth\b|既.+[又也]|同时|两(?:个|种)?.{0,4}都", re.I)
COUNTERS = ("个", "家", "位", "名", "种", "款", "件", "笔", "单", "张", "条", "台", "人", "次", "间")
STATE_FILTER = re.compile(r"(?P<column>[\w.]+)\s*=\s*'(?P<value>[^']*)'")


class NoPlanError(Exception):
    """The question has no plan by code; for this module alone."""


class Draft:
    """The parts of a plan as they are found, and the phrases that no part has taken yet."""

    def __init__(self, question: str, vocabulary: Vocabulary, phrases: list[Phrase], clock: Clock) -> None:
        self.question, self.vocabulary, self.phrases, self.clock = question, vocabulary, phrases, clock
        self.book = vocabulary.book
        self.measures: list[Metric] = []
        self.per: Metric | None = None
        self.together: set[str] = set()
        self.sides: dict[str, tuple[Side, ...]] = {}
        self.absent = ""
        self.groups: list[tuple[int, Grouping]] = []
        self.parents: set[int] = set()
        self.targets: list[int] = []
        self.filters: list[PlanFilter] = []
        self.periods: list[tuple[int, PlanPeriod]] = []
        self.idle: list[tuple[Phrase, str]] = []
        self.left_out: list[Member] = []

    def is_weak_noun(self, phrase: Phrase, name: str) -> bool:
        table = find_table(self.book.catalog, self.book.metric(name).entity)
        return table is not None and key_of(phrase.text) in {key_of(word) for word in self.book.table_words(table)}

    def reaches(self, metric: Metric, table: str) -> bool:
        return self.book.routes.route(self.path(metric.entity), self.path(table)) is not None

    def is_weak(self, phrase: Phrase) -> bool:
        """A noun of the measured table itself (orders), which may just say what something is of."""
        metric = self.book.metric(phrase.senses.metrics[0])
        if metric.kind == "ratio" or not metric.entity:
            return False
        before_it = self.previous(phrase)
        if before_it is not None and before_it.says("count"):
            return False
        table = find_table(self.book.catalog, metric.entity)
        said = tuple(word for word in key_of(phrase.text) if word not in MADE) or key_of(phrase.text)
        return table is not None and said in {key_of(word) for word in self.book.table_words(table)}

    def known(self, *words: str) -> list[Metric]:
        """The accepted metric that one of the words names."""
        for word in words:
            senses = self.vocabulary.phrases.get(key_of(word))
            found = [self.book.metric(name) for name in senses.metrics] if senses else []
            if len(found) == 1 and found[0].status == "accepted":
                return found
        return []

    def counts_rows(self, metric: Metric) -> bool:
        counted = self.book.parse(metric.expression)
        return isinstance(counted, exp.Count) and metric.additivity == "additive"

    def counts(self, metric: Metric, entity: str) -> bool:
        """Whether a metric counts the members of an entity by a key that refers to them."""
        known = metric.status == "accepted" or counts_buyers(metric) or metric in self.measures
        if metric.kind != "simple" or metric.additivity != "distinct" or not known:
            return False
        column = next(iter(self.book.parse(metric.expression).find_all(exp.Column)), None)
        table, goal = find_table(self.book.catalog, metric.entity), find_table(self.book.catalog, entity)
        if column is None or table is None or goal is None or metric.filter.count("=") > 1:
            return False
        return any(
            join.left == table.path and join.right == goal.path and column.name in join.left_columns
            for join in self.book.catalog.joins_of([table.path])
        )

    def is_entity(self, phrase: Phrase) -> bool:
        return any(self.book.dimension(d).is_entity for d in phrase.senses.dimensions)

    def leaves(self) -> list[Metric]:
        shown = [*self.measures, self.per] if self.per else self.measures
        return [leaf for metric in shown for leaf in self.book.leaves(metric)]

    def path(self, table: str) -> tuple[str, ...]:
        found = find_table(self.book.catalog, table)
        if found is None:
            raise NoPlanError(f"no table {table}")
        return found.path

    def splits(self, dimension: str) -> bool:
        """Whether every measure can be split by it without counting a row twice."""
        goal = self.path(self.book.dimension(dimension).table)
        return all(self.book.routes.route(self.path(leaf.entity), goal) is not None for leaf in self.leaves())

    def held(self, dimension: str) -> bool:
        """Whether it belongs to the parts of what is measured, as products to the lines of an order."""
        goal = self.path(self.book.dimension(dimension).table)
        return all(
            self.book.routes.way_through_parts(self.path(leaf.entity), goal) is not None for leaf in self.leaves()
        )

    def is_plural(self, phrase: Phrase) -> bool:
        last = phrase.text.lower().split()[-1]
        return not has_cjk(last) and singular(last) != last

    def threshold_phrase(self) -> tuple[Phrase, Phrase] | None:
        """The comparing word and its number: more than 110, 420 万以上."""
        for at, phrase in enumerate(self.phrases):
            if phrase.number is None or phrase.used:
                continue
            if at + 1 < len(self.phrases) and self.phrases[at + 1].unit("unit."):
                continue  # over twelve months
            for other, after in ((self.previous(phrase), False), (self.next(phrase), True)):
                if other is None or not other.says(*OPERATORS) or other.used:
                    continue
                written_after = any(other.text.lower() in forms for forms in _AFTER_NUMBER.values())
                if written_after == after:
                    return other, self.phrases[at]
        return None

    def says(self, *kinds: str) -> bool:
        return any(phrase.says(*kinds) and not phrase.senses.metrics for phrase in self.phrases)

    def says_unused(self, *kinds: str) -> bool:
        return any(phrase.says(*kinds) and not phrase.used for phrase in self.phrases)

    def use(self, *kinds: str) -> None:
        bound = self.threshold_phrase()  # the `more than` of `dropped more than 10%` holds nothing against another
        for phrase in self.phrases:
            if phrase.says(*kinds) and (bound is None or phrase is not bound[0]):
                phrase.used = True

    def take(self, kind: str) -> bool:
        found = [phrase for phrase in self.phrases if phrase.says(kind) and not phrase.used]
        for phrase in found:
            phrase.used = True
        return bool(found)

    def previous(self, phrase: Phrase) -> Phrase | None:
        """The phrase before, over plain words."""
        return self.neighbour(phrase, -1)

    def next(self, phrase: Phrase) -> Phrase | None:
        return self.neighbour(phrase, 1)

    def neighbour(self, phrase: Phrase, step: int) -> Phrase | None:
        at = self.phrases.index(phrase) + step
        while 0 <= at < len(self.phrases):
            found = self.phrases[at]
            if not found.says("skip") or found.senses.members or found.says("every", "each", "count", "which"):
                return found
            at += step
        return None

    def counts_it(self, phrase: Phrase) -> bool:
        return any(metric.name in phrase.senses.metrics for metric in self.measures)
