"""Draws a chart spec as SVG by itself: a report has dozens of charts, and a browser's engine takes 50 ms for each."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from inquery.answers.answer import ChartSpec
from inquery.answers.formats import format_percent
from inquery.answers.pivot import grid_of_chart, label_of, pivot_texts, short_number
from inquery.answers.widths import cut, pixels

WIDTH, HEIGHT = 720, 420
FAMILY = "Noto Sans SC, Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif"
COLOURS = ("#3b78b5", "#e8833a", "#4c9f70", "#c94f5d", "#8265ae", "#8d6e63", "#d48bb8", "#7f8a94", "#b3a33c", "#35a3b0")
INK, FAINT, GRID = "#1f2933", "#52606d", "#e4e9ef"
HEAD = "#f0f4f8"
SIZE = 12.0
LABEL = 20
"""Columns of the longest label that is written whole."""
MOST_NUMBERS = 12
"""Bars that have their number written above."""
DASHES = "5 4"
"""Of a period that is not over."""
EARLIER = "2 3"
"""Of a series that is there to be compared with."""
CELL_HEIGHT = 28.0
NARROWEST_LABEL = 22.0
"""Slanted labels nearer than this stand on each other: of 36 months every second is named."""
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

Column = list[float | None]


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
    height: float = HEIGHT
    if spec.type == "heat":
        drawn, height = _heat(spec, top)
        parts += drawn
    elif spec.type == "pivot":
        drawn, height = _pivot(spec, top)
        parts += drawn
    elif spec.type == "pie":
        parts += _pie(spec, Area(20, top, WIDTH - 20, HEIGHT - 12))
    else:
        if len(spec.series) > 1:
            drawn, top = _legend(spec, top)
            parts += drawn
        parts += _plotted(spec, top + 8)
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" viewBox="0 0 {WIDTH} {height:g}" '
        f'font-family="{FAMILY}" font-size="{SIZE:g}"><rect width="{WIDTH}" height="{height:g}" fill="white"/>{body}</svg>'
    )


def _plotted(spec: ChartSpec, top: float) -> Iterator[str]:
    """Axes, then bars, lines, areas or points over them."""
    columns = _shares(spec) if spec.whole else _columns(spec)
    values = [number for series in columns for number in series if number is not None]
    from_zero = spec.type in {"bar", "area"} or _near_zero(values)
    # Parts of a whole add up to 1.0000000000000002, which would be a tick of its own.
    scale = Scale((0.0, 0.25, 0.5, 0.75, 1.0), 0.0, 1.0) if spec.whole else _scale(spec, columns, values, from_zero)
    left = 24 + max(pixels(_tick(spec, tick), SIZE) for tick in scale.ticks) + 10
    labels = [label_of(spec, point.get(spec.x)) for point in spec.data]
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
        draw = {"bar": _bars, "area": _areas}.get(spec.type, _lines)
        yield from draw(spec, columns, scale, area)
    name = cut(spec.x_name or spec.x, 60)
    yield _text((area.left + area.right) / 2, HEIGHT - 8, name, anchor="middle", fill=FAINT)


def _scale(spec: ChartSpec, columns: list[Column], values: list[float], from_zero: bool) -> Scale:
    """What the y axis must hold: of stacked series the sums."""
    if not (spec.stacked and spec.type in {"bar", "area"}):
        return Scale.over(values, zero=from_zero)
    places = [[column[place] or 0.0 for column in columns] for place in range(len(spec.data))]
    sums = [sum(v for v in each if v > 0) for each in places] + [sum(v for v in each if v < 0) for each in places]
    return Scale.over(sums, zero=True)


def _near_zero(values: list[float]) -> bool:
    """Whether an axis from zero wastes little of the picture."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    return high - low >= 0.25 * max(abs(low), abs(high))


def _columns(spec: ChartSpec) -> list[Column]:
    return [[_value(point.get(series.key)) for point in spec.data] for series in spec.series]


def _shares(spec: ChartSpec) -> list[Column]:
    """Each number as its part of the place's whole; what is below nothing has no part."""
    columns = _columns(spec)
    wholes = [sum(max(0.0, column[place] or 0.0) for column in columns) for place in range(len(spec.data))]
    return [
        [max(0.0, value or 0.0) / whole if whole else None for value, whole in zip(column, wholes, strict=True)]
        for column in columns
    ]


def _value(cell: Any) -> float | None:
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _tick(spec: ChartSpec, value: float) -> str:
    """A number of the y axis; series of different looks share a plain one."""
    if spec.whole:
        return format_percent(value)
    looks = {(series.format, series.unit) for series in spec.series}
    return short_number(spec if len(looks) == 1 else _plain(spec), value)


def _plain(spec: ChartSpec) -> ChartSpec:
    return spec.model_copy(update={"series": [s.model_copy(update={"format": "", "unit": ""}) for s in spec.series]})


def _is_open(spec: ChartSpec, place: int) -> bool:
    return str(spec.data[place].get(spec.x)) in spec.open


def _y_axis(scale: Scale, area: Area, spec: ChartSpec) -> Iterator[str]:
    for tick in scale.ticks:
        y = scale.at(tick, area.bottom, area.top)
        colour = FAINT if tick == 0 else GRID
        yield _line(area.left, y, area.right, y, colour)
        yield _text(area.left - 8, y + 4, _tick(spec, tick), anchor="end", fill=FAINT)
    name = spec.measure or (spec.series[0].name or spec.series[0].key if len(spec.series) == 1 else "")
    if name:
        middle = (area.top + area.bottom) / 2
        yield _text(16, middle, cut(name, 40), anchor="middle", fill=FAINT, turn=-90)


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


def _bars(spec: ChartSpec, columns: list[Column], scale: Scale, area: Area) -> Iterator[str]:
    room = area.width / max(1, len(spec.data))
    stacked = spec.stacked or spec.whole
    beside = 1 if stacked else len(columns)
    wide = min(64.0, room * 0.72 / beside)
    for place in range(len(spec.data)):
        high = low = 0.0
        for nth, column in enumerate(columns):
            value = column[place]
            if value is None:
                continue
            start = (high if value >= 0 else low) if stacked else 0.0
            high, low = (start + value, low) if value >= 0 else (high, start + value)
            x = area.left + room * (place + 0.5) - wide * beside / 2 + (0 if stacked else wide * nth)
            ends = [scale.at(each, area.bottom, area.top) for each in (start, start + value)]
            looks = {"open": _is_open(spec, place), "faint": spec.series[nth].compares}
            yield _rect(x, min(ends), wide, abs(ends[1] - ends[0]), _colour(nth), **looks)
            if not stacked and len(spec.data) * len(columns) <= MOST_NUMBERS:
                above = min(ends) - 5 if value >= 0 else max(ends) + 14
                yield _number(x + wide / 2, above, short_number(spec, value, nth))
        if stacked and not spec.whole and len(spec.data) <= MOST_NUMBERS and low == 0:
            top = scale.at(high, area.bottom, area.top) - 5
            yield _number(area.left + room * (place + 0.5), top, short_number(spec, high))


def _number(x: float, y: float, said: str) -> str:
    return _text(x, y, said, anchor="middle", size=11, fill=INK)


def _lines(spec: ChartSpec, columns: list[Column], scale: Scale, area: Area) -> Iterator[str]:
    for nth, column in enumerate(columns):
        spots = _spots(column, scale, area)
        dashes = EARLIER if spec.series[nth].compares else ""
        yield from _traced(spec, spots, _colour(nth), dashes)
        if len(column) <= 40:
            yield from (_dot(x, y, _colour(nth)) for x, y in filter(None, spots))


Spot = tuple[float, float] | None


def _spots(column: Sequence[float | None], scale: Scale, area: Area) -> list[Spot]:
    room = area.width / max(1, len(column))
    return [
        None if value is None else (area.left + room * (place + 0.5), scale.at(value, area.bottom, area.top))
        for place, value in enumerate(column)
    ]


def _traced(spec: ChartSpec, spots: list[Spot], colour: str, dashes: str = "") -> Iterator[str]:
    """A line through the spots, broken where one is missing; what leads to a period that is not over is dashed."""
    solid, late = "", ""
    before: Spot = None
    for place, spot in enumerate(spots):
        if spot is not None and before is not None and _is_open(spec, place):
            late += f"M{before[0]:.1f},{before[1]:.1f}L{spot[0]:.1f},{spot[1]:.1f}"
        elif spot is not None:
            solid += f"{'L' if before is not None else 'M'}{spot[0]:.1f},{spot[1]:.1f}"
        before = spot
    for path, look in ((solid, dashes), (late, DASHES)):
        if path:
            dashed = f' stroke-dasharray="{look}"' if look else ""
            yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>'


def _areas(spec: ChartSpec, columns: list[Column], scale: Scale, area: Area) -> Iterator[str]:
    """Areas on each other, or over each other; a missing number counts as nothing, since a stack has no holes."""
    stacked = spec.stacked or spec.whole
    ground = [0.0] * len(spec.data)
    for nth, column in enumerate(columns):
        top = [(value or 0.0) + below for value, below in zip(column, ground, strict=True)]
        upper = [spot for spot in _spots(top, scale, area) if spot]
        lower = [spot for spot in _spots(ground, scale, area) if spot]
        path = "L".join(f"{x:.1f},{y:.1f}" for x, y in [*upper, *reversed(lower)])
        opacity = 0.55 if stacked else 0.22
        yield f'<path d="M{path}Z" fill="{_colour(nth)}" fill-opacity="{opacity}"/>'
        yield from _traced(spec, list(upper), _colour(nth))
        if stacked:
            ground = top


def _scattered(spec: ChartSpec, scale: Scale, area: Area) -> Iterator[str]:
    across = [_value(point.get(spec.x)) for point in spec.data]
    known = [value for value in across if value is not None]
    wide = Scale.over(known, zero=_near_zero(known))
    for tick in wide.ticks:
        x = wide.at(tick, area.left, area.right)
        yield _line(x, area.top, x, area.bottom, GRID)
        yield _text(x, area.bottom + 17, short_number(_plain(spec), tick), anchor="middle", fill=FAINT)
    for nth, column in enumerate(_columns(spec)):
        for place, value in zip(across, column, strict=True):
            if place is not None and value is not None:
                x, y = wide.at(place, area.left, area.right), scale.at(value, area.bottom, area.top)
                yield _dot(x, y, _colour(nth), hollow=True)


def _pie(spec: ChartSpec, area: Area) -> Iterator[str]:
    """Slices clockwise from the top, each named with its number and share at the right."""
    slices = [
        (label_of(spec, point.get(spec.x)), max(0.0, v or 0.0))
        for point, v in zip(spec.data, _columns(spec)[0], strict=True)
    ]
    total = sum(value for _, value in slices)
    radius = (area.bottom - area.top) / 2 - 4
    x, y, turned = area.left + area.width * 0.3, (area.top + area.bottom) / 2, 0.0
    line = y - 11.0 * (len(slices) - 1)
    for nth, (label, value) in enumerate(slices):
        share = value / total if total else 0.0
        yield _slice(x, y, radius, turned, turned + share, _colour(nth))
        turned += share
        at = area.left + area.width * 0.6
        said = f"{cut(label, LABEL)}  {short_number(spec, value)}  {format_percent(share)}"
        yield _rect(at, line - 10 + 22 * nth, 12, 12, _colour(nth))
        yield _text(at + 20, line + 22 * nth, said, fill=INK)


def _slice(x: float, y: float, radius: float, start: float, end: float, colour: str) -> str:
    if end - start > 0.9999:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour}"/>'
    a, b = (2 * math.pi * part - math.pi / 2 for part in (start, end))
    ends = [f"{x + radius * math.cos(each):.2f},{y + radius * math.sin(each):.2f}" for each in (a, b)]
    arc = f"A{radius:.1f},{radius:.1f} 0 {int(end - start > 0.5)} 1 {ends[1]}"
    return f'<path d="M{x:.1f},{y:.1f}L{ends[0]}{arc}Z" fill="{colour}" stroke="white"/>'


def _heat(spec: ChartSpec, top: float) -> tuple[list[str], float]:
    """Coloured cells, the larger the fuller; with their numbers where there is room."""
    grid = grid_of_chart(spec)
    numbers = [value for line in grid.cells for value in line if value is not None]
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    left = min(180.0, max(pixels(cut(name, LABEL), SIZE) for name in grid.down) + 34)
    wide = min(120.0, (WIDTH - left - 16) / len(grid.across))
    written = max(pixels(short_number(spec, value), 11) for value in numbers or [0.0]) <= wide - 4
    slanted = max(pixels(cut(name, LABEL), SIZE) for name in grid.across) > wide - 4
    tallest = max(pixels(cut(name, LABEL), SIZE) for name in grid.across)
    body = top + (tallest * 0.66 + 14 if slanted else 24)
    parts = [_text(8, body - 8, cut(spec.measure, 24), fill=FAINT, size=11)] if spec.measure and not slanted else []
    every = max(1, math.ceil(NARROWEST_LABEL / wide)) if slanted else 1
    for place, name in enumerate(grid.across):
        x = left + wide * (place + 0.5)
        if place % every:
            continue
        if slanted:
            parts.append(_text(x, body - 6, cut(name, LABEL), fill=FAINT, turn=-40))
        else:
            parts.append(_text(x, body - 8, cut(name, LABEL), anchor="middle", fill=FAINT))
    for line, (name, cells) in enumerate(zip(grid.down, grid.cells, strict=True)):
        y = body + CELL_HEIGHT * line
        parts.append(_text(left - 10, y + CELL_HEIGHT / 2 + 4, cut(name, LABEL), anchor="end", fill=FAINT))
        for place, value in enumerate(cells):
            x = left + wide * place
            part = 0.0 if value is None else (value - low) / (high - low) if high > low else 1.0
            colour = HEAD if value is None else _blended(COLOURS[0], 0.08 + 0.92 * part)
            parts.append(_rect(x + 1, y + 1, wide - 2, CELL_HEIGHT - 2, colour, open=_is_open(spec, place)))
            if value is not None and written:
                ink = "#ffffff" if part > 0.7 and not _is_open(spec, place) else INK
                said = short_number(spec, value)
                parts.append(_text(x + wide / 2, y + CELL_HEIGHT / 2 + 4, said, anchor="middle", size=11, fill=ink))
    return parts, body + CELL_HEIGHT * len(grid.down) + 14


def _blended(colour: str, part: float) -> str:
    """A colour over white, as a colour of its own: some readers of SVG show no opacity."""
    mixed = (round(255 + (int(colour[at : at + 2], 16) - 255) * part) for at in (1, 3, 5))
    return "#" + "".join(f"{each:02x}" for each in mixed)


def _pivot(spec: ChartSpec, top: float) -> tuple[list[str], float]:
    """The table with its sums, for where only a picture will do."""
    head, rows = pivot_texts(spec)
    widths = [max(pixels(cut(row[place], LABEL), SIZE) for row in (head, *rows)) + 18 for place in range(len(head))]
    squeeze = min(1.0, (WIDTH - 16) / sum(widths))
    parts: list[str] = []
    for line, row in enumerate([head, *rows]):
        y, x = top + CELL_HEIGHT * line, 8.0
        is_sum = spec.sums and line == len(rows)
        if line == 0 or is_sum:
            parts.append(_rect(8, y, sum(widths) * squeeze, CELL_HEIGHT, HEAD))
        for place, said in enumerate(row):
            wide = widths[place] * squeeze
            room = max(3, int(wide / (SIZE * 0.54)) - 1)
            at, anchor = (x + 8, "start") if place == 0 else (x + wide - 8, "end")
            parts.append(_text(at, y + CELL_HEIGHT / 2 + 4, cut(said, min(LABEL, room)), anchor=anchor, fill=INK))
            x += wide
        parts.append(_line(8, y + CELL_HEIGHT, 8 + sum(widths) * squeeze, y + CELL_HEIGHT, GRID))
    return parts, top + CELL_HEIGHT * (len(rows) + 1) + 14


def _legend(spec: ChartSpec, top: float) -> tuple[list[str], float]:
    """The names of the series, over as many lines as they need; gives where the chart may begin."""
    lines: list[list[tuple[int, str]]] = [[]]
    room = WIDTH - 40.0
    for nth, series in enumerate(spec.series):
        name = cut(series.name or series.key, LABEL)
        wide = pixels(name, SIZE) + 42
        if wide > room and lines[-1]:
            lines.append([])
            room = WIDTH - 40.0
        lines[-1].append((nth, name))
        room -= wide
    parts: list[str] = []
    for line in lines:
        x = (WIDTH - sum(pixels(name, SIZE) + 42 for _, name in line) + 20) / 2
        for nth, name in line:
            parts.append(_rect(x, top + 2, 12, 12, _colour(nth), faint=spec.series[nth].compares))
            parts.append(_text(x + 18, top + 12, name, fill=INK))
            x += pixels(name, SIZE) + 42
        top += 22
    return parts, top + 2


def _colour(nth: int) -> str:
    return COLOURS[nth % len(COLOURS)]


def _text(
    x: float, y: float, said: str, *, anchor: str = "start", size: float = SIZE, fill: str = INK, turn: float = 0
) -> str:
    turned = f' transform="rotate({turn:g} {x:.1f} {y:.1f})"' if turn else ""
    sized = f' font-size="{size:g}"' if size != SIZE else ""
    safe = escape(_UNPRINTABLE.sub("", said))
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}"{sized}{turned}>{safe}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _rect(
    x: float, y: float, width: float, height: float, colour: str, *, open: bool = False, faint: bool = False
) -> str:
    """A filled rectangle; one of a period that is not over is pale with a dashed edge."""
    fill = _blended(colour, 0.3) if open else _blended(colour, 0.55) if faint else colour
    edge = f' stroke="{colour}" stroke-dasharray="{DASHES}"' if open else ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"{edge}/>'


def _dot(x: float, y: float, colour: str, *, hollow: bool = False) -> str:
    look = f'fill="none" stroke="{colour}" stroke-width="1.6"' if hollow else f'fill="{colour}"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" {look}/>'
