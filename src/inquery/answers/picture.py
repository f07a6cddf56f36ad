"""Draws a chart spec as SVG by itself: a report has dozens of charts, and a browser's engine takes 50 ms for each."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from inquery.answers.answer import ChartSpec
from inquery.answers.formats import format_number, format_percent
from inquery.answers.widths import cut, pixels

WIDTH, HEIGHT = 720, 420
FAMILY = "Noto Sans SC, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif"
COLOURS = ("#3b78b5", "#e8833a", "#4c9f70", "#c94f5d", "#8265ae", "#8d6e63", "#d48bb8", "#7f8a94", "#b3a33c", "#35a3b0")
INK, FAINT, GRID = "#1f2933", "#52606d", "#e4e9ef"
SIZE = 12.0
LABEL = 20
"""Columns of the longest label that is written whole."""
MOST_NUMBERS = 12
"""Bars that have their number written above."""
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Area:
    """The rectangle that is drawn in."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers on one axis: round ticks, and where a value lies between two pixels."""

    ticks: tuple[float, ...]
    low: float
    high: float

    @classmethod
    def over(cls, values: Sequence[float], *, zero: bool) -> Scale:
        """A scale of about six round steps that holds all values."""
        low, high = min(values, default=0.0), max(values, default=1.0)
        if zero:
            low, high = min(low, 0.0), max(high, 0.0)
        if low == high:
            low, high = (low - abs(low) / 2, high + abs(high) / 2) if low else (0.0, 1.0)
        step = _round_step((high - low) / 6)
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        ticks = tuple(round(place * step, 12) for place in range(first, last + 1))
        return cls(ticks, ticks[0], ticks[-1])

    def at(self, value: float, start: float, end: float) -> float:
        """The pixel of a value."""
        return start + (value - self.low) / (self.high - self.low) * (end - start)


def _round_step(rough: float) -> float:
    size = 10.0 ** math.floor(math.log10(rough))
    return next(size * part for part in (1, 2, 2.5, 5, 10) if size * part >= rough * 0.999)


def draw_svg(spec: ChartSpec) -> str:
    """The chart as an SVG document."""
    top = 14.0
    parts: list[str] = []
    if spec.title:
        parts.append(_text(WIDTH / 2, top + 12, cut(spec.title, 84), anchor="middle", size=15, fill=INK))
        top += 30
    if spec.type == "pie":
        parts += _pie(spec, Area(20, top, WIDTH - 20, HEIGHT - 12))
    else:
        if len(spec.series) > 1:
            parts += _legend([series.name or series.key for series in spec.series], top)
            top += 24
        parts += _plotted(spec, top + 8)
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="{FAMILY}" font-size="{SIZE:g}"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>{body}</svg>'
    )


def _plotted(spec: ChartSpec, top: float) -> Iterator[str]:
    """Axes, then bars, lines or points over them."""
    values = [number for series in _columns(spec) for number in series if number is not None]
    scale = Scale.over(_heights(spec, values), zero=spec.type == "bar" or _near_zero(values))
    left = 24 + max(pixels(_number(tick), SIZE) for tick in scale.ticks) + 10
    labels = [_said(point.get(spec.x)) for point in spec.data]
    numeric = spec.type == "scatter"
    widest = max((pixels(cut(label, LABEL), SIZE) for label in labels), default=0.0)
    room = (WIDTH - 24 - left) / max(1, len(labels))
    slanted = spec.type == "bar" and widest > room - 4
    if slanted:
        left = max(left, widest * 0.77 - room / 2 + 8)
    right = WIDTH - max(24.0, 0.0 if slanted or numeric else widest / 2 - room / 2 + 6)
    area = Area(left, top + 6, right, HEIGHT - 26 - (widest * 0.66 + 12 if slanted else 18))
    yield from _y_axis(scale, area, spec)
    if numeric:
        yield from _scattered(spec, scale, area)
    else:
        yield from _x_labels(labels, area, slanted)
        yield from _bars(spec, scale, area) if spec.type == "bar" else _lines(spec, scale, area)
    yield _text((area.left + area.right) / 2, HEIGHT - 8, cut(spec.x, 60), anchor="middle", fill=FAINT)


def _heights(spec: ChartSpec, values: list[float]) -> list[float]:
    """What the y axis must hold: of stacked bars the sum."""
    if not (spec.stacked and spec.type == "bar"):
        return values
    sums = [[column[place] or 0.0 for column in _columns(spec)] for place in range(len(spec.data))]
    return [sum(v for v in each if v > 0) for each in sums] + [sum(v for v in each if v < 0) for each in sums]


def _near_zero(values: list[float]) -> bool:
    """Whether an axis from zero wastes little of the picture."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    return high - low >= 0.25 * max(abs(low), abs(high))


def _columns(spec: ChartSpec) -> list[list[float | None]]:
    return [[_value(point.get(series.key)) for point in spec.data] for series in spec.series]


def _value(cell: Any) -> float | None:
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _y_axis(scale: Scale, area: Area, spec: ChartSpec) -> Iterator[str]:
    for tick in scale.ticks:
        y = scale.at(tick, area.bottom, area.top)
        colour = FAINT if tick == 0 else GRID
        yield _line(area.left, y, area.right, y, colour)
        yield _text(area.left - 8, y + 4, _number(tick), anchor="end", fill=FAINT)
    if len(spec.series) == 1:
        name = cut(spec.series[0].name or spec.series[0].key, 40)
        middle = (area.top + area.bottom) / 2
        yield _text(16, middle, name, anchor="middle", fill=FAINT, turn=-90)


def _x_labels(labels: Sequence[str], area: Area, slanted: bool) -> Iterator[str]:
    """Labels of the categories: flat where they fit, else slanted; of a line only as many as there is room for."""
    room = area.width / max(1, len(labels))
    widest = max((pixels(cut(label, LABEL), SIZE) for label in labels), default=0.0)
    every = 1 if slanted else max(1, math.ceil((widest + 8) / room))
    for place, label in enumerate(labels):
        x = area.left + room * (place + 0.5)
        if slanted and room >= 7:
            yield _text(x + 4, area.bottom + 14, cut(label, LABEL), anchor="end", fill=FAINT, turn=-40)
        elif place % every == 0:
            yield _text(x, area.bottom + 17, cut(label, LABEL), anchor="middle", fill=FAINT)


def _bars(spec: ChartSpec, scale: Scale, area: Area) -> Iterator[str]:
    columns, room = _columns(spec), area.width / max(1, len(spec.data))
    beside = 1 if spec.stacked else len(columns)
    wide = min(64.0, room * 0.72 / beside)
    numbers = len(columns) == 1 and len(spec.data) <= MOST_NUMBERS
    for place in range(len(spec.data)):
        high = low = 0.0
        for nth, column in enumerate(columns):
            value = column[place]
            if value is None:
                continue
            start = (high if value >= 0 else low) if spec.stacked else 0.0
            high, low = (start + value, low) if value >= 0 else (high, start + value)
            x = area.left + room * (place + 0.5) - wide * beside / 2 + (0 if spec.stacked else wide * nth)
            ends = [scale.at(each, area.bottom, area.top) for each in (start, start + value)]
            yield _rect(x, min(ends), wide, abs(ends[1] - ends[0]), _colour(nth))
            if numbers:
                above = min(ends) - 5 if value >= 0 else max(ends) + 14
                yield _text(x + wide / 2, above, _number(value), anchor="middle", size=11, fill=INK)


def _lines(spec: ChartSpec, scale: Scale, area: Area) -> Iterator[str]:
    room = area.width / max(1, len(spec.data))
    for nth, column in enumerate(_columns(spec)):
        path, pen = [], "M"
        spots = [(area.left + room * (place + 0.5), value) for place, value in enumerate(column)]
        for x, value in spots:
            if value is None:
                pen = "M"
                continue
            path.append(f"{pen}{x:.1f},{scale.at(value, area.bottom, area.top):.1f}")
            pen = "L"
        yield f'<path d="{"".join(path)}" fill="none" stroke="{_colour(nth)}" stroke-width="2"/>'
        if len(column) <= 40:
            yield from (_dot(x, scale.at(v, area.bottom, area.top), _colour(nth)) for x, v in spots if v is not None)


def _scattered(spec: ChartSpec, scale: Scale, area: Area) -> Iterator[str]:
    across = [_value(point.get(spec.x)) for point in spec.data]
    known = [value for value in across if value is not None]
    wide = Scale.over(known, zero=_near_zero(known))
    for tick in wide.ticks:
        x = wide.at(tick, area.left, area.right)
        yield _line(x, area.top, x, area.bottom, GRID)
        yield _text(x, area.bottom + 17, _number(tick), anchor="middle", fill=FAINT)
    for nth, column in enumerate(_columns(spec)):
        for place, value in zip(across, column, strict=True):
            if place is not None and value is not None:
                x, y = wide.at(place, area.left, area.right), scale.at(value, area.bottom, area.top)
                yield _dot(x, y, _colour(nth), hollow=True)


def _pie(spec: ChartSpec, area: Area) -> Iterator[str]:
    """Slices clockwise from the top, each named with its share at the right."""
    slices = [
        (_said(point.get(spec.x)), max(0.0, v or 0.0)) for point, v in zip(spec.data, _columns(spec)[0], strict=True)
    ]
    total = sum(value for _, value in slices)
    radius = (area.bottom - area.top) / 2 - 4
    x, y, turned = area.left + area.width * 0.32, (area.top + area.bottom) / 2, 0.0
    line = y - 11.0 * (len(slices) - 1)
    for nth, (label, value) in enumerate(slices):
        share = value / total if total else 0.0
        yield _slice(x, y, radius, turned, turned + share, _colour(nth))
        turned += share
        at = area.left + area.width * 0.62
        yield _rect(at, line - 10 + 22 * nth, 12, 12, _colour(nth))
        yield _text(at + 20, line + 22 * nth, f"{cut(label, LABEL)}  {format_percent(share)}", fill=INK)


def _slice(x: float, y: float, radius: float, start: float, end: float, colour: str) -> str:
    if end - start > 0.9999:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour}"/>'
    a, b = (2 * math.pi * part - math.pi / 2 for part in (start, end))
    ends = [f"{x + radius * math.cos(each):.2f},{y + radius * math.sin(each):.2f}" for each in (a, b)]
    arc = f"A{radius:.1f},{radius:.1f} 0 {int(end - start > 0.5)} 1 {ends[1]}"
    return f'<path d="M{x:.1f},{y:.1f}L{ends[0]}{arc}Z" fill="{colour}" stroke="white"/>'


def _legend(names: Sequence[str], top: float) -> Iterator[str]:
    shown = [cut(name, LABEL) for name in names]
    x = (WIDTH - sum(pixels(name, SIZE) + 42 for name in shown) + 20) / 2
    for nth, name in enumerate(shown):
        yield _rect(x, top + 2, 12, 12, _colour(nth))
        yield _text(x + 18, top + 12, name, fill=INK)
        x += pixels(name, SIZE) + 42


def _colour(nth: int) -> str:
    return COLOURS[nth % len(COLOURS)]


def _number(value: float) -> str:
    return format_number(int(value) if value.is_integer() else value)


def _said(cell: Any) -> str:
    return "—" if cell is None else str(cell)


def _text(
    x: float, y: float, said: str, *, anchor: str = "start", size: float = SIZE, fill: str = INK, turn: float = 0
) -> str:
    turned = f' transform="rotate({turn:g} {x:.1f} {y:.1f})"' if turn else ""
    sized = f' font-size="{size:g}"' if size != SIZE else ""
    safe = escape(_UNPRINTABLE.sub("", said))
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}"{sized}{turned}>{safe}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _rect(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'


def _dot(x: float, y: float, colour: str, *, hollow: bool = False) -> str:
    look = f'fill="none" stroke="{colour}" stroke-width="1.6"' if hollow else f'fill="{colour}"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" {look}/>'
