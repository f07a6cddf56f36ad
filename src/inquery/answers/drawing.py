"""Draws a chart spec without a browser: as text for a terminal, as SVG or PNG for files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from inquery.answers.answer import ChartPoint, ChartSpec
from inquery.answers.formats import as_number, format_short
from inquery.answers.pivot import grid_of_chart, label_of, pivot_texts, short_number
from inquery.answers.widths import cell_width, cut, fit
from inquery.errors import MissingDriver

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_FILLS = "█▓▒░"
"""Parts of a stack; five and more would not be told apart."""
_SHADES = " ░▒▓█"
_OPEN = "░"
"""Of a period that is not over, and of a series that is there to be compared with."""
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
FONTS = Path(__file__).parent / "fonts"
"""A Chinese font of our own, so that pictures are right where none is installed."""
_PAGE = b"""#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.picture))"""
LABEL_WIDTH = 24
HEIGHT = 12
MOST_LINES = 36
"""Bars of several series; more are a table."""


def draw_terminal(spec: ChartSpec, width: int = 80) -> str:
    """The chart in characters: bars for bars and slices, braille dots for lines and scatters, a table for grids."""
    if spec.type in {"line", "scatter"} or (spec.type == "area" and not (spec.stacked or spec.whole)):
        drawn = _dots(spec, width)
    elif spec.type == "pivot":
        drawn = _table(*pivot_texts(spec), width)
    elif spec.type == "heat":
        drawn = _shaded(spec, width)
    elif len(spec.series) > 1 and (spec.stacked or spec.whole) and len(spec.series) <= len(_FILLS):
        drawn = _stacks(spec, width)
    elif len(spec.series) > 1 and (len(spec.series) * len(spec.data) > MOST_LINES or spec.stacked or spec.whole):
        drawn = _shaded(spec, width)
    else:
        drawn = _bars(spec, width)
    if open_ := [place for place in spec.open if place in {str(point[spec.x]) for point in spec.data}]:
        told = "、".join(open_) + " 尚未结束" if spec.language == "zh" else ", ".join(open_) + ": not over yet"
        drawn.append(f"{_OPEN} {told}")
    return "\n".join(drawn)


def _bars(spec: ChartSpec, width: int) -> list[str]:
    """A bar a number; several series of one place stand under each other, on one scale."""
    lines: list[str] = []
    names = [label_of(spec, point[spec.x]) for point in spec.data]
    labels = min(LABEL_WIDTH, max(map(cell_width, names)))
    several = len(spec.series) > 1
    inner = min(LABEL_WIDTH, max(cell_width(series.name or series.key) for series in spec.series)) + 1 if several else 0
    numbers = [as_number(point.get(series.key)) or 0.0 for point in spec.data for series in spec.series]
    largest, total = max(map(abs, numbers)) or 1.0, sum(numbers)
    for name, point in zip(names, spec.data, strict=True):
        for nth, series in enumerate(spec.series):
            value = as_number(point.get(series.key)) or 0.0
            share = f" ({value / total:.0%})" if spec.type == "pie" and total else ""
            text = short_number(spec, value, nth) + share
            room = max(8, width - labels - inner - 18)
            bar = _bar(abs(value) / largest, room)
            if str(point[spec.x]) in spec.open or series.compares:
                bar = _OPEN * max(1, round(abs(value) / largest * room)) if value else ""
            head = f"{fit(series.name or series.key, inner - 1)} " if several else ""
            lines.append(f"{fit(name if nth == 0 else '', labels)} {head}{bar} {text}")
    return lines


def _stacks(spec: ChartSpec, width: int) -> list[str]:
    """A line a place, its parts in different fillings; with the whole, or the share of each part."""
    names = [label_of(spec, point[spec.x]) for point in spec.data]
    labels = min(LABEL_WIDTH, max(map(cell_width, names)))
    columns = [[max(0.0, as_number(point.get(s.key)) or 0.0) for point in spec.data] for s in spec.series]
    wholes = [sum(column[place] for column in columns) for place in range(len(spec.data))]
    largest = max(wholes) or 1.0
    room = max(10, width - labels - 14)
    lines = ["  ".join(f"{_FILLS[nth]} {s.name or s.key}" for nth, s in enumerate(spec.series))]
    for place, name in enumerate(names):
        size = wholes[place] if spec.whole else largest
        ends = [
            round(sum(c[place] for c in columns[: n + 1]) / size * room) if size else 0 for n in range(len(columns))
        ]
        bar = "".join(_FILLS[n] * (end - ([0, *ends][n])) for n, end in enumerate(ends))
        mark = _OPEN + " " if str(spec.data[place][spec.x]) in spec.open else ""
        lines.append(f"{fit(name, labels)} {bar} {mark}{short_number(spec, wholes[place])}")
    return lines


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """A table whose columns are as wide as they need; those that no line has room for are counted."""
    wide = [max(cell_width(row[place]) for row in (head, *rows)) for place in range(len(head))]
    shown = next((n for n in range(len(wide), 1, -1) if sum(wide[:n]) + 2 * (n - 1) <= width), min(2, len(wide)))
    texts = [
        "  ".join(_aligned(cell, wide[place], place > 0) for place, cell in enumerate(row[:shown]))
        for row in (head, *rows)
    ]
    texts.insert(1, "─" * min(width, max(map(cell_width, texts))))
    return [*texts, f"… +{len(head) - shown}"] if shown < len(head) else texts


def _aligned(text: str, width: int, to_right: bool) -> str:
    pad = " " * max(0, width - cell_width(text))
    return pad + text if to_right else text + pad


def _shaded(spec: ChartSpec, width: int) -> list[str]:
    """A grid of numbers, each behind a shade of its size; turned where it is wider than long."""
    grid = grid_of_chart(spec)
    numbers = [value for line in grid.cells for value in line if value is not None]
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)

    def tell(value: float | None) -> str:
        if value is None:
            return ""
        part = (value - low) / (high - low) if high > low else 1.0
        return f"{_SHADES[min(len(_SHADES) - 1, int(part * len(_SHADES)))]} {short_number(spec, value)}"

    head, names, cells = list(grid.across), list(grid.down), [list(line) for line in grid.cells]
    if len(head) > len(names):  # a terminal is longer than wide
        head, names, cells = names, head, [list(line) for line in zip(*cells, strict=True)]
    title = spec.measure or ""
    return _table([title, *head], [[name, *map(tell, line)] for name, line in zip(names, cells, strict=True)], width)


def _bar(part: float, room: int) -> str:
    eighths = round(part * room * 8)
    return "█" * (eighths // 8) + (_EIGHTHS[eighths % 8] if eighths % 8 else "")


def _dots(spec: ChartSpec, width: int) -> list[str]:
    """Every series in one field of dots; several are named at the right, where their line ends."""
    lines = [
        [
            (_across(spec, place, point), value)
            for place, point in enumerate(spec.data)
            if (value := as_number(point.get(series.key))) is not None
        ]
        for series in spec.series[: 1 if spec.type == "scatter" else None]
    ]
    values = [value for line in lines for _, value in line]
    if not values:
        return []
    low, high = min(values), max(values)
    tags = [short_number(spec, high), short_number(spec, low)]
    margin = max(map(cell_width, tags)) + 1
    several = len(lines) > 1
    names = [cut(series.name or series.key, LABEL_WIDTH) for series in spec.series] if several else []
    columns = max(10, width - margin - 1 - (max(map(cell_width, names)) + 2 if names else 0))
    ends = [x for line in lines for x, _ in line]
    field = _Dots(columns, (min(ends), max(ends)), (low, high))
    for line in lines:
        field.plot(line, join=spec.type != "scatter")
    at_end = _end_names(names, [field.row_of(line[-1][1]) if line else HEIGHT - 1 for line in lines])
    drawn = [
        f"{fit(tags[0] if row == 0 else tags[1] if row == HEIGHT - 1 else '', margin)}│{text}{at_end.get(row, '')}"
        for row, text in enumerate(field.texts())
    ]
    if spec.type == "scatter":
        first, last = (format_short(end, language=spec.language) for end in (min(ends), max(ends)))
    else:
        first, last = (label_of(spec, spec.data[place][spec.x]) for place in (0, -1))
    gap = max(1, columns - cell_width(first) - cell_width(last))
    return [*drawn, " " * margin + "└" + "─" * columns, " " * (margin + 1) + first + " " * gap + last]


def _across(spec: ChartSpec, place: int, point: ChartPoint) -> float:
    return as_number(point[spec.x]) or 0.0 if spec.type == "scatter" else float(place)


def _end_names(names: Sequence[str], rows: Sequence[int]) -> dict[int, str]:
    """The names at the rows where their lines end; one whose row is taken goes to the next that is free."""
    found: dict[int, str] = {}
    for name, wanted in sorted(zip(names, rows, strict=False), key=lambda pair: pair[1]):
        row = min((each for each in range(HEIGHT) if each not in found), key=lambda each: abs(each - wanted))
        found[row] = f" {name}"
    return found


class _Dots:
    """A field of braille characters, two dots wide and four high each."""

    def __init__(self, columns: int, across: tuple[float, float], up: tuple[float, float]) -> None:
        self.across, self.up = across, up
        self.cells = [[0] * columns for _ in range(HEIGHT)]
        self.columns = columns

    def plot(self, points: Sequence[tuple[float, float]], *, join: bool) -> None:
        spots = [
            (_scaled(x, self.across, self.columns * 2 - 1), _scaled(y, self.up, HEIGHT * 4 - 1)) for x, y in points
        ]
        path = [spot for a, b in pairwise(spots) for spot in _segment(a, b)] if join else []
        for x, y in [*spots, *path]:
            down = HEIGHT * 4 - 1 - y
            self.cells[down // 4][x // 2] |= _DOTS[down % 4][x % 2]

    def row_of(self, value: float) -> int:
        return (HEIGHT * 4 - 1 - _scaled(value, self.up, HEIGHT * 4 - 1)) // 4

    def texts(self) -> list[str]:
        return ["".join(chr(0x2800 + dots) for dots in row) for row in self.cells]


def _scaled(value: float, ends: tuple[float, float], top: int) -> int:
    low, high = ends
    return round((value - low) / (high - low) * top) if high > low else top // 2


def _segment(a: tuple[int, int], b: tuple[int, int]) -> list[tuple[int, int]]:
    steps = max(abs(b[0] - a[0]), abs(b[1] - a[1]), 1)
    return [
        (round(a[0] + (b[0] - a[0]) * i / steps), round(a[1] + (b[1] - a[1]) * i / steps)) for i in range(steps + 1)
    ]


def draw_png(spec: ChartSpec, *, scale: float = 2.0) -> bytes:
    """The chart as a PNG picture, drawn on this machine."""
    from inquery.answers.picture import draw_svg

    return svg_to_png(draw_svg(spec), scale=scale)


def svg_to_png(drawn: str, *, scale: float = 2.0) -> bytes:
    """An SVG picture of ours as PNG."""
    typst, known = typesetter()
    return bytes(typst.compile(_PAGE, format="png", ppi=72.0 * scale, font_paths=known, sys_inputs={"picture": drawn}))


@lru_cache(maxsize=1)
def typesetter() -> tuple[Any, Any]:
    """Typst and the fonts it draws with, read once: looking for those of the machine takes longer than a chart."""
    try:
        import typst
    except ImportError as error:
        raise MissingDriver(str(error), engine="charts", extra="charts") from error
    return typst, typst.Fonts(font_paths=[str(FONTS)])
