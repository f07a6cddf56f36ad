"""What is said of a plan's result: its figures as facts, and the sentence a manager would say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inquery.answers.answer import AnswerColumn, Fact
from inquery.answers.facts import compute_facts, told_label
from inquery.answers.formats import as_number, format_figure, format_number, humanise
from inquery.answers.shape import Rows
from inquery.catalog.main_things import counted_name

LISTED = 6
MOST_FACTS = 20
_NAMING = ("label", "further", "bucket")
_PARTS = {
    "previous": "{} before", "difference": "change in {}", "percent": "change in {} (%)", "share": "share of {}",
    "running": "running total of {}", "moving": "moving average of {}",
}  # fmt: skip
_STYLES = {"percent": "percent", "share": "percent", "count": "count"}


@dataclass(frozen=True, slots=True)
class PlanFigure:
    """A column of the result: its role in the plan, and how its metric is called and shown."""

    role: str
    label: str = ""
    format: str = "number"
    unit: str = ""


@dataclass(frozen=True, slots=True)
class PlanTold:
    """What the sentence needs beside the rows."""

    figures: tuple[PlanFigure, ...]
    now: str = ""
    then: str = ""
    aligned: bool = False
    ranked: str = ""
    """By which figure rows were ranked, empty where they were not."""
    descending: bool = True
    contribution: bool = False
    spread: bool = False
    """Whether the highest and the lowest stand in one row, each after its name."""
    sifted: bool = False
    """Whether a condition left some out."""
    first: str = ""
    second: str = ""
    narrowed: str = ""
    """What the figures are narrowed to, as a sentence goes on with it: in the east without channel store."""
    before: str = ""
    """What the period is called that figures are held against: 2025, the month before."""
    open: str = ""
    """The bucket of a series that is not over."""
    sums: bool = False
    """Whether a series is held against that of the year before and both add up."""
    part: str = ""
    """The part of a whole that a share is of, where rows do not name it."""
    things: str = ""
    """What rows are, where figures are split by one thing."""
    most: int = 0
    """How many rows are shown of a ranking, 0 where all are."""
    per_group: bool = False
    """Whether so many are shown of each group."""


def plan_columns(told: PlanTold, roles: Sequence[str]) -> list[int]:
    """The places of the columns with one of the roles."""
    return [place for place, figure in enumerate(told.figures) if figure.role in roles]


def plan_facts(told: PlanTold, columns: Sequence[AnswerColumn], rows: Rows, **options: Any) -> list[Fact]:
    """Facts of the figures that were asked for, and each change and share with its value in per cent."""
    kept = plan_columns(told, ("label", "further", "bucket", "value", "count", "first", "second", "running", "moving"))
    if len(rows) == 1:
        kept = list(range(len(columns)))
    whole = not told.ranked and not told.sifted
    facts = compute_facts([columns[i] for i in kept], [[row[i] for i in kept] for row in rows], whole=whole, **options)
    if (years := _two_years(told, rows)) is not None:
        facts += [
            Fact(kind="previous", column=columns[years.place].name, label=years.span, value=_tidy(years.before)),
            Fact(kind="difference", column=columns[years.place].name, label=years.span, value=_tidy(years.change)),
        ]
        if years.percent is not None:
            percent = _tidy(years.percent)
            facts.append(Fact(kind="change_percent", column=columns[years.place].name, label=years.span, value=percent))
    for row in rows[:MOST_FACTS]:
        label = _label(told, columns, row)
        facts += [fact for place in range(len(columns)) if (fact := _fact(told, columns, row, place, label))]
    return facts


def _fact(told: PlanTold, columns: Sequence[AnswerColumn], row: Sequence[Any], place: int, label: str) -> Fact | None:
    kind = {
        "difference": "difference", "percent": "change_percent", "share": "share_percent", "previous": "previous",
    }.get(told.figures[place].role)  # fmt: skip
    if kind == "share_percent" and told.contribution:
        kind = "contribution_percent"
    number = as_number(row[place])
    if kind is None or number is None:
        return None
    return Fact(kind=kind, column=columns[place].name, label=label or told.then or None, value=_tidy(number))


@dataclass(frozen=True, slots=True)
class _Years:
    """A series and that of the year before added up, like for like: the buckets that both have and that are over."""

    place: int
    first: str
    last: str
    now: float
    before: float
    rows: tuple[Sequence[Any], ...]

    @property
    def span(self) -> str:
        return f"{self.first} to {self.last}" if self.first != self.last else self.first

    @property
    def change(self) -> float:
        return self.now - self.before

    @property
    def percent(self) -> float | None:
        return self.change * 100 / abs(self.before) if self.before else None


def _two_years(told: PlanTold, rows: Rows) -> _Years | None:
    places = [plan_columns(told, (role,)) for role in ("bucket", "value", "previous")]
    if not told.sums or [len(each) for each in places] != [1, 1, 1]:
        return None
    bucket, value, previous = (each[0] for each in places)
    over = [row for row in rows if not told.open or str(row[bucket]) < told.open]
    both = [row for row in over if as_number(row[value]) is not None and as_number(row[previous]) is not None]
    if len(both) < 2:
        return None
    now, before = (sum(as_number(row[place]) or 0.0 for row in both) for place in (value, previous))
    return _Years(value, str(both[0][bucket]), str(both[-1][bucket]), now, before, tuple(both))


def _tidy(number: float) -> float | int:
    rounded = round(number, 4)
    return int(rounded) if rounded.is_integer() else rounded


def _label(told: PlanTold, columns: Sequence[AnswerColumn], row: Sequence[Any], language: str = "en") -> str:
    text = ""
    for i in plan_columns(told, ("label", "further", "bucket")):
        if row[i] is not None:
            between = " " if told.figures[i].role == "further" else " · "  # Jane Peacock · 2025
            text += (between if text else "") + told_label(row[i], columns[i], language)
    return text


def plan_labels(told: PlanTold, columns: Sequence[AnswerColumn]) -> list[AnswerColumn]:
    """The columns as the plan calls and shows them; its names are in the reader's language already."""
    found = []
    for column, figure in zip(columns, told.figures, strict=True):
        style = _STYLES.get(figure.role, figure.format if figure.role not in _NAMING else "")
        unit = figure.unit if style == "money" else ""
        label = _called(column, figure)
        if figure.role == "previous" and told.before and figure.label:
            zh = not column.name.isascii()
            label = f"{told.before}{figure.label}" if zh else f"{_within(figure.label)} {told.before}"
        found.append(column.model_copy(update={"label": label, "format": style, "unit": unit}))
    return found


def _called(column: AnswerColumn, figure: PlanFigure) -> str:
    """What a plan's column is called: its own name in Chinese, in English the metric's with its part in the plan."""
    if not figure.label or not (column.name.isascii() or figure.label.isascii()):
        return column.name if not column.name.isascii() else humanise(column.name)
    return _PARTS.get(figure.role, "{}").format(_within(figure.label))


def _within(name: str) -> str:
    """A name as it stands within a sentence: revenue and food orders, but ARPU."""
    words = name.split(" ")
    if all(word[:1].isupper() for word in words):  # Food Orders is a heading, Revenue in France is none
        return " ".join(word.lower() if word[1:].islower() else word for word in words)
    return name[:1].lower() + name[1:] if name[1:2].islower() else name


def _in(period: str) -> str:
    """A period as an English sentence goes on with it: in 2025, on 2025-03-01, from one day to another."""
    if not period:
        return ""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", period):
        return f" on {period}"
    return f" from {period}" if re.match(r"\d{4}-\d\d-\d\d to ", period) else f" in {period}"


_ARTICLED = ("number of ", "total ", "average ", "share of ")


def _is(name: str, when: str) -> str:
    """The verb after the name of a measure: revenue is, orders are; of a period they were."""
    head = re.split(r" (?:of|per|before|after|in|by|with|without|sold|from|for)\b", name.casefold())[0]
    many = head.endswith("s") and not head.endswith(("ss", "us", "is"))
    return ("were" if many else "was") if when else ("are" if many else "is")


def plan_prose(told: PlanTold, columns: Sequence[AnswerColumn], rows: Rows, language: str) -> str:
    """One sentence with both figures and the change where there is one; empty where a list says it better."""
    if not rows:
        return ""
    teller = _Teller(told, columns, language)
    text = teller.one(rows[0]) if len(rows) == 1 else teller.several(rows)
    # A sentence begins with a capital, unless it begins with a name of the data's.
    name = teller.measure_name()
    return f"{text[:1].upper()}{text[1:]}" if name and text.startswith(name) else text


def _before_number(label: str) -> str:
    """A name as it stands before a number in Chinese: 2024-02 64.3%, but 华东64.3%."""
    return f"{label} " if label[-1:].isascii() and label[-1:].isalnum() else label


class _Teller:
    def __init__(self, told: PlanTold, columns: Sequence[AnswerColumn], language: str) -> None:
        self.told, self.columns, self.language, self.zh = told, columns, language, language == "zh"

    def _label(self, row: Sequence[Any]) -> str:
        return _label(self.told, self.columns, row, self.language)

    def say(self, en: str, zh: str) -> str:
        return zh if self.zh else en

    @property
    def _narrowed(self) -> str:
        return self.say(f" {self.told.narrowed}" if self.told.narrowed else "", self.told.narrowed)

    @property
    def _when(self) -> str:
        """The period and what else the figures are narrowed to, where a sentence has them."""
        return self.say(_in(self.told.now), self.told.now) + self._narrowed

    @property
    def _narrowed_name(self) -> str:
        """The measure with what it is narrowed to: revenue in the east."""
        return self.say(f"{self.measure_name()}{self._narrowed}", f"{self._narrowed}{self.measure_name()}")

    def _is(self, name: str) -> str:
        return _is(name, self.told.now)

    def _place(self, role: str) -> int | None:
        return next(iter(plan_columns(self.told, (role,))), None)

    def _cell(self, row: Sequence[Any], role: str) -> float | None:
        place = self._place(role)
        return None if place is None else as_number(row[place])

    def _shown(self, number: float | None, role: str = "value") -> str:
        if number is None:
            return "—"
        place = self._place(role)
        figure = self.told.figures[place if place is not None else 0]
        return format_figure(number, figure.format, figure.unit, self.language)

    def _format(self, role: str) -> str:
        place = self._place(role)
        return self.told.figures[place].format if place is not None else ""

    def measure_name(self, role: str = "value") -> str:
        place = self._place(role)
        return self.told.figures[place].label if place is not None else ""

    def _change(self, row: Sequence[Any]) -> str:
        return self._change_of(self._cell(row, "difference"), self._cell(row, "percent"))

    def _change_of(self, difference: float | None, percent: float | None) -> str:
        if difference is None:
            return ""
        points = self.told.figures[self._place("difference") or 0].format == "percent"
        if difference == 0:
            return self.say("unchanged", "没有变化")
        up = difference > 0
        size = f"{abs(difference):,.2f}".rstrip("0").rstrip(".") if points else self._shown(abs(difference))
        if points:
            return self.say(f"{'up' if up else 'down'} {size} points", f"{'上升' if up else '下降'}{size}个百分点")
        if percent is None:
            return self.say(f"{'up' if up else 'down'} by {size}", f"{'增加' if up else '减少'}{size}")
        rate = f"{abs(percent):,.1f}%"
        return self.say(f"{'up' if up else 'down'} {rate} ({size})", f"{'增长' if up else '下降'}{rate}（{size}）")

    def one(self, row: Sequence[Any]) -> str:
        told, label = self.told, self._label(row)
        if told.spread:
            return self._spread(row)
        if self._place("first") is not None:
            return self._contrasted(row)
        if self._place("count") is not None:
            count = self._shown(self._cell(row, "count"), "count")
            return self.say(f"There are {count}{self._when}.", f"{self._when}共{count}个。")
        value, name = self._shown(self._cell(row, "value")), self.measure_name()
        if self._place("previous") is not None:
            return self._compared(row, label, value, name)
        share = self._cell(row, "share")
        if share is not None:
            part = f"{share:,.1f}%"
            label = label or f"{told.part[:1].upper()}{told.part[1:]}"
            return self.say(
                f"{label + ': ' if label else ''}{value}, {part} of {name.lower()}{self._when}.",
                f"{self._when}{label + '：' if label else ''}{value}，占{name}的{part}。",
            )
        when = self._when
        if len(plan_columns(told, ("value",))) > 1 and not told.ranked:
            return self._measured(row, label, when)
        if label:
            best = self.say("highest" if told.descending else "lowest", "最高" if told.descending else "最低")
            if told.ranked:
                return self.say(
                    f"{label} has the {best} {name.lower()}{when}: {value}.",
                    f"{when}{name}{best}的是{label}，为{value}。",
                )
            return self.say(f"{label}: {name.lower()}{when} {value}.", f"{when}{label}的{name}为{value}。")
        if self._is(name) in {"are", "were"} and self._format("value") in {"count", "number"}:
            counted = f"There {self._is(name)} {value} {_within(name)}{when}."
            return self.say(counted, f"{when}{name}为{value}。")
        spoken = f"The {_within(name)}" if name.casefold().startswith(_ARTICLED) else name
        return self.say(f"{spoken}{when} {self._is(name)} {value}.", f"{when}{name}为{value}。")

    def _measured(self, row: Sequence[Any], label: str, when: str) -> str:
        """Several measures of one thing: each with its figure."""
        pairs = []
        for place in plan_columns(self.told, ("value",)):
            figure, number = self.told.figures[place], as_number(row[place])
            value = "—" if number is None else format_figure(number, figure.format, figure.unit, self.language)
            name = _within(figure.label)
            pairs.append(self.say(f"{name} {self._is(name)} {value}", f"{figure.label}为{value}"))
        en, zh = " and ".join(filter(None, (", ".join(pairs[:-1]), pairs[-1]))), "，".join(pairs)
        en = f"{label}{when}: {en}" if label else f"{when.strip()}: {en}" if when else en
        return self.say(f"{en[:1].upper()}{en[1:]}.", f"{when}{label + '的' if label else ''}{zh}。")

    def _compared(self, row: Sequence[Any], label: str, value: str, name: str) -> str:
        told, before = self.told, self._shown(self._cell(row, "previous"), "previous")
        change = self._change(row)
        lead = self.say(f"{label}: " if label else "", f"{label}：" if label else "")
        note = self.say(" Both are counted up to the same day.", "两期均统计到同一天。") if told.aligned else ""
        if not told.now or not told.then:
            return self.say(
                f"{lead}{name}{self._narrowed} {value} against {before}, {change}.",
                f"{lead}{self._narrowed}{name}{value}，对比{before}，{change}。",
            )
        return self.say(
            f"{lead}{name}{self._narrowed} was {value}{_in(told.now)}, against {before}{_in(told.then)}: {change}.{note}",
            f"{lead}{self._when}{name}为{value}，{told.then}为{before}，{change}。{note}",
        )

    def _contrasted(self, row: Sequence[Any]) -> str:
        told = self.told
        first, second = self._cell(row, "first"), self._cell(row, "second")
        gap, percent = self._cell(row, "difference"), self._cell(row, "percent")
        name = self.measure_name("first")
        a, b = self._shown(first, "first"), self._shown(second, "second")
        if gap is None:
            when = self._when.strip()
            lead = self.say(
                f"{when[:1].upper()}{when[1:]}, " if when else "", f"{when.removesuffix('的')}，" if when else ""
            )
            return lead + self.say(
                f"{told.first}: {a}, {told.second}: {b}.", f"{told.first}：{a}，{told.second}：{b}。"
            )
        more, less = (told.first, told.second) if gap >= 0 else (told.second, told.first)
        size = self._shown(abs(gap), "first")
        rate = f"{percent:,.1f}%" if percent is not None and gap >= 0 else ""
        apart = self.say(f" ({rate})" if rate else "", f"（{rate}）" if rate else "")
        return self.say(
            f"{name}{self._narrowed}: {told.first} {a}, {told.second} {b}; {more} is {size}{apart} above {less}.",
            f"{self._narrowed}{name}：{told.first}{a}，{told.second}{b}；{more}比{less}高{size}{apart}。",
        )

    def _spread(self, row: Sequence[Any]) -> str:
        told, name = self.told, self.measure_name("first")
        best, worst = (told_label(row[i], self.columns[i], self.language) for i in plan_columns(told, ("label",)))
        high, low = (self._shown(self._cell(row, role), role) for role in ("first", "second"))
        gap = self._cell(row, "difference")
        size = self._shown(abs(gap) if gap is not None else None, "first")
        when = self._when
        return self.say(
            f"The gap in {_within(name)}{when} is {size}: {best} has the highest ({high}), {worst} the lowest ({low}).",
            f"{when}{name}最高的{best}（{high}）与最低的{worst}（{low}）相差{size}。",
        )

    def several(self, rows: Rows) -> str:
        told = self.told
        if self._place("share") is not None:
            return self._shares(rows)
        if self._place("running") is not None:
            last = rows[-1]
            total, at = self._shown(self._cell(last, "running"), "running"), self._label(last)
            return self.say(
                f"By {at} {self.measure_name().lower()}{self._narrowed} adds up to {total}.",
                f"截至{at}，{self._narrowed}{self.measure_name()}累计{total}。",
            )
        if (years := _two_years(told, rows)) is not None:
            return self._years(years, rows)
        if self._place("previous") is not None and told.then:
            listed = self.say("; ", "；").join(self._row_change(row) for row in rows[:LISTED])
            note = self.say(" Both are counted up to the same day.", "两期均统计到同一天。") if told.aligned else ""
            name, more = self._narrowed_name, self.say(" and others", "等") if len(rows) > LISTED else ""
            return self.say(
                f"{name}, {told.now} against {told.then}: {listed}{more}.{note}",
                f"{name}（{told.now}对比{told.then}）：{listed}{more}。{note}",
            )
        if (
            self._place("value") is not None
            and (told.ranked or told.sifted)
            and len(plan_columns(told, ("value",))) == 1
        ):
            parts = [
                self.say(
                    f"{self._label(row)} ({self._shown(self._cell(row, 'value'))})",
                    f"{self._label(row)}（{self._shown(self._cell(row, 'value'))}）",
                )
                for row in rows[:LISTED]
            ]
            listed = self.say(", ", "、").join(parts) + (self.say(" and others", "等") if len(rows) > LISTED else "")
            return self.say(
                f"{self.measure_name()}{self._when}, {self._how_many(rows)}: {listed}.",
                f"{self._when}{self.measure_name()}，{self._how_many(rows)}：{listed}。",
            )
        return ""

    def _how_many(self, rows: Rows) -> str:
        """How many there are, or which of more are shown: a list that was cut to three is not three in all."""
        told, count = self.told, format_number(len(rows), self.language)
        most = format_number(told.most, self.language)
        if told.per_group:
            end = self.say("top" if told.descending else "lowest", "前" if told.descending else "最低的")
            return self.say(f"the {end} {most} in each group", f"每组{end}{most}名")
        if not told.most or len(rows) < told.most:
            return self.say(f"{count} in all", f"共{count}个")
        words = _within(told.things)
        things = f" {counted_name(words, 'en') or words}" if words and told.most > 1 else f" {words}" if words else ""
        end = self.say("top" if told.descending else "lowest", f"前{most}名" if told.descending else f"最低的{most}个")
        return self.say(f"the {end} {most}{things}", f"{end}{told.things}")

    def _years(self, years: _Years, rows: Rows) -> str:
        """Two years of a series: both totals and the change, then its best and its worst part."""
        now, before = self._shown(years.now), self._shown(years.before, "previous")
        change, at = self._change_of(years.change, years.percent), self.told.before
        name = self._narrowed_name
        then = self.say(at if at == "a year before" else f"in the same part of {at}", f"{at.removesuffix('同期')}同期")
        text = self.say(
            f"From {years.first} to {years.last} {_within(name)} came to {now}, against {before} {then}: {change}.",
            f"从{years.first}到{years.last}，{name}合计{now}，{then}为{before}，{change}。",
        )
        known = [row for row in years.rows if self._cell(row, "percent") is not None]
        notes = []
        if len(known) > 1:
            high, low = (pick(known, key=lambda row: self._cell(row, "percent") or 0.0) for pick in (max, min))
            best, worst = (f"{self._label(row)}{self.say(' (', '（')}{self._rate(row)}" for row in (high, low))
            notes.append(
                self.say(
                    f"the change was highest in {best}) and lowest in {worst})",
                    f"同比最高的是{best}），最低的是{worst}）",
                )
            )
        begun = [row for row in rows if self._label(row) == self.told.open and self._cell(row, "value") is not None]
        if begun:
            so_far = self._shown(self._cell(begun[0], "value"))
            notes.append(
                self.say(
                    f"{self.told.open} is not over ({so_far} so far) and is not compared",
                    f"{self.told.open}尚未结束（目前{so_far}），未参与比较",
                )
            )
        told = self.say("; ", "；").join(notes)
        return self.say(f"{text} {told[:1].upper()}{told[1:]}." if told else text, f"{text}{told}。" if told else text)

    def _rate(self, row: Sequence[Any]) -> str:
        percent = self._cell(row, "percent") or 0.0
        rate = f"{abs(percent):,.1f}%"
        return self.say(f"{'up' if percent >= 0 else 'down'} {rate}", f"{'增长' if percent >= 0 else '下降'}{rate}")

    def _row_change(self, row: Sequence[Any]) -> str:
        label = self._label(row)
        value, before = self._shown(self._cell(row, "value")), self._shown(self._cell(row, "previous"), "previous")
        return self.say(
            f"{label} {value} against {before}, {self._change(row)}",
            f"{_before_number(label)}{value}，对比{before}，{self._change(row)}",
        )

    def _shares(self, rows: Rows) -> str:
        parts = []
        for row in rows[:LISTED]:
            share = self._cell(row, "share")
            label = self._label(row)
            figure = "difference" if self.told.contribution else "value"
            value = self._shown(self._cell(row, figure))
            part = "—" if share is None else f"{share:,.1f}%"
            parts.append(self.say(f"{label} {part} ({value})", f"{_before_number(label)}{part}（{value}）"))
        more = self.say(" and others", "等") if len(rows) > LISTED else ""
        listed = self.say(", ", "、").join(parts)
        when = self._when
        if self.told.contribution:
            measured = self.say(f"{self.measure_name().lower()}{self._narrowed}", self._narrowed_name)
            return self.say(
                f"What each adds to the change of {measured}, {self.told.now} against {self.told.then}: {listed}{more}.",
                f"对{measured}变化的贡献（{self.told.now}对比{self.told.then}）：{listed}{more}。",
            )
        return self.say(
            f"Share of {self.measure_name().lower()}{when}: {listed}{more}.",
            f"{when}{self.measure_name()}占比：{listed}{more}。",
        )
