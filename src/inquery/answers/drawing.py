"""Draws a chart spec without a browser: as text for a terminal, as SVG or PNG for files."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from inquery.answers.answer import ChartSpec
from inquery.answers.formats import format_number
from inquery.answers.widths import cell_width, fit
from inquery.errors import MissingDriver

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
FONTS = Path(__file__).parent / "fonts"
"""A Chinese font of our own, so that pictures are right where none is installed."""
_PAGE = b"""#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.picture))"""
LABEL_WIDTH = 24
HEIGHT = 12


def draw_terminal(spec: ChartSpec, width: int = 80, language: str = "en") -> str:
    """The chart in characters: bars for bars and slices, braille dots for lines and scatters."""
    drawn = _dots(spec, width, language) if spec.type in {"line", "scatter"} else _bars(spec, width, language)
    return "\n".join(drawn)


def _bars(spec: ChartSpec, width: int, language: str) -> list[str]:
    lines: list[str] = []
    labels = min(LABEL_WIDTH, max(cell_width(str(point[spec.x])) for point in spec.data))
    for series in spec.series:
        values = [float(point.get(series.key) or 0) for point in spec.data]
        largest = max((abs(value) for value in values), default=0) or 1.0
        total = sum(values)
        if len(spec.series) > 1:
            lines.append(series.name or series.key)
        for point, value in zip(spec.data, values, strict=True):
            share = f" ({value / total:.0%})" if spec.type == "pie" and total else ""
            text = format_number(value, language) + share
            room = max(8, width - labels - 18)
            lines.append(f"{fit(str(point[spec.x]), labels)} {_bar(abs(value) / largest, room)} {text}")
    return lines


def _bar(part: float, room: int) -> str:
    eighths = round(part * room * 8)
    return "█" * (eighths // 8) + (_EIGHTHS[eighths % 8] if eighths % 8 else "")


def _dots(spec: ChartSpec, width: int, language: str) -> list[str]:
    key = spec.series[0].key
    points = [
        (place, point[spec.x], float(value))
        for place, point in enumerate(spec.data)
        if (value := point.get(key)) is not None
    ]
    if not points:
        return []
    low, high = min(p[2] for p in points), max(p[2] for p in points)
    tags = [format_number(high, language), format_number(low, language)]
    margin = max(map(cell_width, tags)) + 1
    columns = max(10, width - margin - 1)
    across = [float(p[1] or 0) if spec.type == "scatter" else float(p[0]) for p in points]
    grid = _plot(across, [p[2] for p in points], columns, join=spec.type == "line")
    lines = [
        f"{fit(tags[0] if row == 0 else tags[1] if row == HEIGHT - 1 else '', margin)}│{text}"
        for row, text in enumerate(grid)
    ]
    first, last = str(points[0][1]), str(points[-1][1])
    gap = max(1, columns - cell_width(first) - cell_width(last))
    return [*lines, " " * margin + "└" + "─" * columns, " " * (margin + 1) + first + " " * gap + last]


def _plot(xs: list[float], ys: list[float], columns: int, *, join: bool) -> list[str]:
    cells = [[0] * columns for _ in range(HEIGHT)]
    spots = list(zip(_scaled(xs, columns * 2 - 1), _scaled(ys, HEIGHT * 4 - 1), strict=True))
    path = [spot for a, b in pairwise(spots) for spot in _segment(a, b)] if join else []
    for x, y in [*spots, *path]:
        y = HEIGHT * 4 - 1 - y
        cells[y // 4][x // 2] |= _DOTS[y % 4][x % 2]
    return ["".join(chr(0x2800 + dots) for dots in row) for row in cells]


def _scaled(values: list[float], top: int) -> list[int]:
    low, high = min(values), max(values)
    return [round((value - low) / (high - low) * top) if high > low else top // 2 for value in values]


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
