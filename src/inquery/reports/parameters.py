"""Parameters of a run: declared in the template, given by a person or a schedule, typed before they are used."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inquery.errors import Text
from inquery.language.periods import Period, periods_in
from inquery.reports.problems import Problem
from inquery.reports.template import Node, Parameter, walk_nodes
from inquery.reports.template_words import type_of

Value = str | int | float
LONGEST = 200


@dataclass(frozen=True, slots=True)
class ReportClock:
    """What relative words of time are relative to."""

    today: datetime.date
    week_start: int = 1
    fiscal_start: int = 1

    def periods(self, text: str) -> list[Period]:
        """The periods a text names."""
        return periods_in(text, today=self.today, week_start=self.week_start, fiscal_start=self.fiscal_start)


@dataclass(frozen=True, slots=True)
class Declared:
    """One parameter of a template."""

    name: str
    line: int
    type: str = "text"
    default: str = ""
    choices: tuple[str, ...] = ()


def declared_parameters(nodes: Sequence[Node]) -> tuple[dict[str, Declared], list[Problem]]:
    """The parameters of a template; one that is declared twice in two ways is a problem."""
    found: dict[str, Declared] = {}
    problems: list[Problem] = []
    for node in walk_nodes(nodes):
        if not isinstance(node, Parameter):
            continue
        made = _declared(node)
        before = found.setdefault(made.name, made)
        if (before.type, before.default) != (made.type, made.default):
            reason = Text(
                f"the parameter {made.name} is declared again in another way (first on line {before.line})",
                f"参数 {made.name} 被重复声明且不一致（首次在第 {before.line} 行）",
            )
            problems.append(Problem(made.line, "contradiction", reason))
    return found, problems


def _declared(node: Parameter) -> Declared:
    default = node.option("default")
    kind = type_of(node.option("type")) or type_of(node.name) or ("number" if _number(default) is not None else "text")
    choices = tuple(part.strip() for part in node.option("choices").replace("、", ",").split(",") if part.strip())
    return Declared(node.name, node.line, kind, default, choices)


def settle(
    known: Mapping[str, Declared], given: Mapping[str, str], clock: ReportClock
) -> tuple[dict[str, Value], list[Problem]]:
    """The values of a run: what was given over the defaults; a value that cannot be is named and left out."""
    values: dict[str, Value] = {}
    problems = [_unknown(name, known) for name in given if name not in known]
    for name, parameter in known.items():
        text = str(given.get(name, "")).strip() or parameter.default
        fault = _fault(parameter, text, clock)
        if fault is not None:
            problems.append(Problem(parameter.line, "bad_parameter", fault))
            if text == parameter.default or _fault(parameter, parameter.default, clock):
                continue
            text = parameter.default
        number = _number(text)
        values[name] = number if parameter.type == "number" and number is not None else text
    return values, problems


def with_days(values: Mapping[str, Value], known: Mapping[str, Declared], clock: ReportClock) -> dict[str, Value]:
    """The values with the first and the last day of each period, as NAME_start and NAME_end, 名称开始 and 名称结束."""
    found = dict(values)
    for name, value in values.items():
        if known[name].type == "period" and (spans := clock.periods(str(value))):
            for ending, day in (("start", spans[0].start), ("end", spans[0].end - datetime.timedelta(1))):
                found[f"{name}_{ending}"] = day.isoformat()
                found[name + {"start": "开始", "end": "结束"}[ending]] = day.isoformat()
    return found


def _fault(parameter: Declared, text: str, clock: ReportClock) -> Text | None:
    name = parameter.name
    if not text:
        return Text(f"the parameter {name} has no value", f"参数 {name} 没有值")
    if len(text) > LONGEST or not text.isprintable():
        return Text(f"the value of {name} is too long", f"参数 {name} 的值过长")
    if parameter.choices and text not in parameter.choices:
        listed = ", ".join(parameter.choices)
        return Text(f"{name} cannot be “{text}”, only {listed}", f"{name} 不能为“{text}”，可选：{listed}")
    if parameter.type == "number" and _number(text) is None:
        return Text(f"{name} is not a number: “{text}”", f"{name} 不是数字：“{text}”")
    if parameter.type == "period" and not clock.periods(text):
        return Text(f"{name} is not a period of time: “{text}”", f"{name} 不是时间范围：“{text}”")
    if parameter.type == "period" and backwards(text, clock):
        return Text(f"{name} ends before it begins: “{text}”", f"{name} 的结束早于开始：“{text}”")
    return None


def backwards(text: str, clock: ReportClock) -> bool:
    """`2024-05 to 2024-02`: the reader of questions turns it round, a report asks what was meant."""
    days = [
        found[0].start
        for part in text.replace("至", " to ").replace("到", " to ").split(" to ")
        if (found := clock.periods(part))
    ]
    return len(days) == 2 and days[0] > days[1]


def _number(text: str) -> int | float | None:
    try:
        return int(text)
    except ValueError:
        try:
            found = float(text)
        except ValueError:
            return None
        return found if found == found and abs(found) != float("inf") else None


def _unknown(name: str, known: Mapping[str, Declared]) -> Problem:
    listed = ", ".join(known) or "—"
    reason = Text(
        f"the template has no parameter named {name}; it has: {listed}",
        f"模板没有名为 {name} 的参数；现有参数：{listed}",
    )
    return Problem(0, "bad_parameter", reason)
