"""What stands in a document in place of a placeholder: a value, a table, a chart, a paragraph, or the reason of none."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from inquery.answers.answer import AnswerColumn, ChartSpec, ColumnFormat
from inquery.answers.chart_choice import asked_for, choose_chart
from inquery.answers.facts import compute_facts
from inquery.answers.formats import as_number
from inquery.answers.pivot import pivot_texts
from inquery.answers.prose import explain_result
from inquery.answers.shape import read_shape
from inquery.errors import Text
from inquery.reports.problems import Problem
from inquery.reports.shown import Look, look_of, shown
from inquery.reports.template import Placeholder
from inquery.reports.verdicts import single_cell

WAITS = "… "
"""What a value that is still being found begins with."""

_STYLES: dict[str, ColumnFormat] = {"currency": "money", "percent": "fraction", "integer": "number"}
_NO_CHART = Text("the result cannot be drawn as a chart; its table stands instead", "结果无法绘制成图，以表格代替")


@dataclass(slots=True)
class Value:
    """The result of one goal in one run."""

    status: str
    question: str
    language: str = "en"
    sql: str = ""
    columns: tuple[AnswerColumn, ...] = ()
    rows: Sequence[Sequence[Any]] = ()
    truncated: str | None = None
    problem: Problem | None = None
    notes: list[str] = field(default_factory=list)
    left_out: str = ""
    """The rows that a join leaves out, counted, in words."""
    since: datetime.date | None = None
    """The first day that there is data of: a period that begins before it is cut."""

    @property
    def usable(self) -> bool:
        """Whether there is a result to show."""
        return self.status in {"solved", "doubtful"}

    @property
    def cell(self) -> Any:
        """The single value, None where there is none."""
        found = single_cell(self.columns, self.rows)
        return found[1] if found else None


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts; `numbers` are the columns set to the right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """One of: text in a line, a paragraph, a grid, a chart, a problem, or `waiting` for a value that is being found."""

    kind: str
    text: str = ""
    grid: Grid | None = None
    chart: ChartSpec | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Manner:
    """How pieces look in this report."""

    language: str = "en"
    currency: str = ""
    table_rows: int = 50
    today: datetime.date | None = None
    building: bool = False
    """What is not known yet is still being found, not missing."""
    sketch: bool = False
    """Nothing is asked: the template is shown as a document, its conditions taken to hold."""


def piece_of(place: Placeholder, value: Value | None, manner: Manner) -> Piece:
    """What a placeholder becomes."""
    if value is None and manner.building:
        return Piece("waiting", WAITS + place.question.replace("$", ""))  # what is open by its name
    if value is None or not value.usable:
        return problem_piece(value.problem if value and value.problem else _missing(place), manner)
    look = look_of(place.options, manner.currency)
    if place.kind == "value":
        own = _per_column(look, "", _own_rate(value.columns[0], look)) if value.columns else look
        text = shown(value.cell, own, manner.language) if value.rows else look.empty
        return Piece("inline", text + _doubt(value, manner))
    if place.kind == "text":
        parts = (_paragraph(value, manner) + _doubt(value, manner), _left_out(value, manner))
        return Piece("paragraph", say(manner, " ", "").join(filter(None, parts)))
    title = place.option("title")
    if not value.rows:
        empty = place.option("empty") or say(manner, "No data.", "没有数据。")
        return Piece("paragraph", f"{title}{say(manner, ': ', '：')}{empty}" if title else empty)
    remark = " ".join(filter(None, (_left_out(value, manner), _doubt(value, manner).strip())))
    if place.kind == "chart" and (spec := _chart(place, value, look, manner)) is not None:
        if spec.type == "pivot":
            head, rows = pivot_texts(spec)
            pivot = Grid(tuple(head), tuple(map(tuple, rows)), frozenset(range(1, len(head))))
            return Piece("table", text=remark, grid=pivot, title=title)
        return Piece("chart", text=remark, grid=grid_of(value, look, manner, place), chart=spec, title=title)
    note = say(manner, _NO_CHART.en, _NO_CHART.zh) if place.kind == "chart" else ""
    text = " ".join(filter(None, (note, remark)))
    return Piece("table", text=text, grid=grid_of(value, look, manner, place), title=title)


def say(manner: Manner, en: str, zh: str) -> str:
    """One of two texts."""
    return zh if manner.language == "zh" else en


def problem_piece(problem: Problem, manner: Manner) -> Piece:
    """A problem, shown where it happened."""
    return Piece("problem", problem.told(manner.language))


def _missing(place: Placeholder) -> Problem:
    return Problem(place.line, "unsolved", Text("it was not solved", "未能求解"))


def _doubt(value: Value, manner: Manner) -> str:
    return say(manner, " (unconfirmed)", "（待确认）") if value.status == "doubtful" else ""


def _left_out(value: Value, manner: Manner) -> str:
    text = value.left_out
    return say(manner, f"{text[:1].upper()}{text[1:]}.", f"{text}。") if text else ""


def _paragraph(value: Value, manner: Manner) -> str:
    facts = compute_facts(value.columns, value.rows, truncated=value.truncated, today=manner.today, since=value.since)
    return explain_result(
        value.question,
        facts,
        value.columns,
        value.rows,
        language=manner.language,
        truncated=value.truncated,
    )


def _chart(place: Placeholder, value: Value, look: Look, manner: Manner) -> ChartSpec | None:
    """The chart as the page would draw it, its numbers as the placeholder wants them."""
    said = place.option("type")
    named = asked_for(f"{said} chart") or asked_for(f"{said}图")
    columns = [_as_asked(column, look) for column in value.columns]
    question = f"{place.question} {said}"
    spec = choose_chart(question, columns, value.rows, wanted=named, language=manner.language, today=manner.today)
    if spec is None and not said:
        spec = choose_chart(place.question, columns, value.rows, wanted="bar", language=manner.language)
    return spec.model_copy(update={"title": place.option("title")}) if spec else None


def _as_asked(column: AnswerColumn, look: Look) -> AnswerColumn:
    """A column whose numbers look as the placeholder says; a count beside an amount is no money."""
    style = _per_column(look, column.name, Look()).style
    if column.kind != "number" or style not in _STYLES:
        return column
    return column.model_copy(update={"format": _STYLES[style], "unit": look.currency if style == "currency" else ""})


def _own_look(column: AnswerColumn, plain: Look) -> Look:
    """How a column's numbers look where the placeholder asks for nothing: amounts with their currency, as in answers."""
    if column.format == "money" and column.unit:
        return replace(plain, style="currency", currency=column.unit)
    return _own_rate(column, plain)


def _own_rate(column: AnswerColumn, plain: Look) -> Look:
    """A rate is written in per cent, of 1 or of 100; everything else as it was."""
    if column.format == "percent":
        return replace(plain, suffix="%")
    return replace(plain, style="percent") if column.format == "fraction" else plain


def grid_of(value: Value, look: Look, manner: Manner, place: Placeholder | None = None) -> Grid:
    """Rows as texts: the look is for measures, everything else is shown as it is."""
    shape = read_shape(value.columns, value.rows)
    measures = {field.index for field in shape.of_role("measure")}
    plain = Look(empty=look.empty)
    text = Look(style="text", empty=look.empty)
    asked = place.option("rows") if place else ""
    most = int(asked) if asked.isdigit() and asked != "0" else manner.table_rows

    looks = {
        index: _aligned(
            _per_column(look, value.columns[index].name, _own_look(value.columns[index], plain)),
            [row[index] for row in value.rows],
        )
        for index in measures
    }

    def cell(index: int, content: Any) -> str:
        if index in measures:
            return shown(content, looks[index], manner.language)
        is_code = isinstance(content, int) and not isinstance(content, bool)
        return str(content) if is_code else shown(content, text, manner.language)

    rows = tuple(tuple(cell(i, content) for i, content in enumerate(row)) for row in value.rows[:most])
    names = tuple(column.name.replace("_", " ") for column in value.columns)
    return Grid(names, rows, frozenset(measures), max(0, len(value.rows) - most))


def _aligned(look: Look, cells: Sequence[Any]) -> Look:
    """Cents for a whole column or for none of it, so that its numbers stand under each other."""
    if look.style or look.unit or look.decimals is not None:
        return look
    broken = [n for n in map(as_number, cells) if n is not None and not n.is_integer()]
    return replace(look, decimals=2) if broken and all(abs(n) >= 0.01 for n in broken) else look


def _per_column(look: Look, name: str, plain: Look) -> Look:
    """A share or a rate is not money, and a count is not either; where nothing was asked, the column's own."""
    if not (look.style or look.unit or look.suffix or look.decimals is not None):
        return plain
    if look.style == "currency" and any(
        word in name.lower() for word in ("count", "number", "orders", "units", "数量", "订单数")
    ):
        return plain
    return look
