"""What a template wants solved: each different question once, with its parameters still open."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from inquery.agents.bilingual import Language, answer_language
from inquery.errors import Text
from inquery.reports.parameters import Declared, ReportClock, Value, backwards
from inquery.reports.problems import Problem
from inquery.reports.template import Node, Placeholder, walk_nodes
from inquery.reports.template_words import OPTIONS, style_of

SHAPES = {"value": "value", "table": "rows", "chart": "rows", "text": "rows"}
"""A table, a chart and a paragraph of one question share one statement; a single value is asked for on its own."""
NUMERIC = ("decimals", "unit", "currency")
"""Options that only a number can have."""
_WORD = re.compile(r"^[A-Za-z]")
_OPEN = re.compile(r"\$(\w+)")


@dataclass(frozen=True, slots=True)
class Goal:
    """One question to solve; `key` is the same in every run and for every placeholder that asks it.

    `hints` are the kinds and formats in which its placeholders show the answer.
    """

    key: str
    line: int
    shape: str
    question: str
    period: str = ""
    filters: tuple[tuple[str, str], ...] = ()
    context: str = ""
    hints: frozenset[str] = frozenset()

    @property
    def title(self) -> str:
        """The question as it is written in the template."""
        extra = [f"{name}={value}" for name, value in (("", self.period), *self.filters) if value]
        return " | ".join([self.question, *(part.removeprefix("=") for part in extra)])

    @property
    def in_words(self) -> str:
        """The question before it has values: what is open is called by its name."""
        filters = [f"{name} = {value}" for name, value in self.filters]
        return _OPEN.sub(r"\1", " · ".join(filter(None, [self.question, self.period, *filters])))


@dataclass(frozen=True, slots=True)
class Asked:
    """A goal with the values of one run put in."""

    question: str
    language: Language
    values: Mapping[str, Value]


def goal_key(place: Placeholder) -> str:
    """What a placeholder's goal is called."""
    return _goal(place).key


def goals_of(nodes: Sequence[Node]) -> list[Goal]:
    """The goals of a template, in order, each once."""
    found: dict[str, Goal] = {}
    for node in walk_nodes(nodes):
        if isinstance(node, Placeholder):
            goal = _goal(node)
            first = found.setdefault(goal.key, goal)
            found[goal.key] = replace(first, hints=first.hints | goal.hints)
    return list(found.values())


def _goal(place: Placeholder) -> Goal:
    filters = tuple((name, value) for name, value in place.options if name not in OPTIONS and value)
    shape, period = SHAPES[place.kind], place.option("period")
    said = "\x1f".join([shape, _same(place.question), _same(period), *(f"{n}={_same(v)}" for n, v in sorted(filters))])
    key = hashlib.sha256(said.encode()).hexdigest()[:16]
    hints = frozenset({place.kind, style_of(place.option("format"))} | {n for n in NUMERIC if place.option(n)}) - {""}
    return Goal(key, place.line, shape, place.question, period, filters, place.context, hints)


def _same(text: str) -> str:
    return " ".join(text.split()).casefold()


def full_question(goal: Goal, values: Mapping[str, Value], language: str = "auto") -> Asked:
    """The full question of a goal: parameters put in, filters and period said in words."""
    used: dict[str, Value] = {}
    question = _put(goal.question, values, used)
    filters = [(name, _put(value, values, used)) for name, value in goal.filters]
    period = _put(goal.period, values, used)
    spoken = answer_language(question + period, language)
    if spoken == "zh":
        said = "，".join(f"{name}为{value}" for name, value in filters)
        return Asked(f"{period}{said + '的' if said else ''}{question}", spoken, used)
    said = "".join(f" for {name} {value}" for name, value in filters)
    when = f" {period}" if _WORD.match(period) else f" in {period}" if period else ""
    return Asked(question.rstrip(" .?") + said + when, spoken, used)


def _put(text: str, values: Mapping[str, Value], used: dict[str, Value]) -> str:
    """`$name` by its value; the longest name that fits is meant, since Chinese has no spaces to end one."""
    for name in sorted(values, key=len, reverse=True):
        if f"${name}" in text:
            used[name] = values[name]
            text = text.replace(f"${name}", str(values[name]))
    return text


def contradictions(goals: Sequence[Goal], known: Mapping[str, Declared], clock: ReportClock) -> dict[str, Problem]:
    """Goals that cannot be asked as they stand, by key: two periods that differ, or a parameter nobody declared."""
    found: dict[str, Problem] = {}
    for goal in goals:
        defaults: dict[str, Value] = {name: parameter.default for name, parameter in known.items()}
        rest = _put(" ".join([goal.question, goal.period, *(value for _, value in goal.filters)]), defaults, {})
        if missing := _OPEN.search(rest):
            reason = Text(f"no parameter is named {missing[1]}", f"没有名为 {missing[1]} 的参数")
            found[goal.key] = Problem(goal.line, "bad_parameter", reason)
        elif goal.period and (two := _two_periods(goal, defaults, clock)):
            found[goal.key] = Problem(goal.line, "contradiction", two)
    return found


def _two_periods(goal: Goal, values: Mapping[str, Value], clock: ReportClock) -> Text | None:
    asked, option = _put(goal.question, values, {}), _put(goal.period, values, {})
    inside, outside = clock.periods(asked), clock.periods(option)
    if not outside:
        return Text(f"“{option}” is not a period of time", f"“{option}”不是时间范围")
    if backwards(option, clock):
        return Text(f"“{option}” ends before it begins", f"“{option}”的结束早于开始")
    if inside and (inside[0].start, inside[0].end) != (outside[0].start, outside[0].end):
        return Text(
            f"the question says “{inside[0].text}” and its option says “{option}”",
            f"问题中的时间“{inside[0].text}”与选项中的“{option}”相互矛盾",
        )
    return None
