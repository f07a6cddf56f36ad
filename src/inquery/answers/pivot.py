"""A chart's numbers as a grid: what a heat map colours and a pivot table adds up."""

from __future__ import annotations

from dataclasses import dataclass

from inquery.answers.answer import ChartSpec
from inquery.answers.formats import as_number, format_figure, format_label, format_short

Number = float | None
MOST_ACROSS = 6
"""Columns of numbers that a page of paper or a terminal has room for; a longer table is turned."""


@dataclass(frozen=True, slots=True)
class NumberGrid:
    """Places across, series down; sums only where the numbers may be added up."""

    corner: str
    across: tuple[str, ...]
    down: tuple[str, ...]
    cells: tuple[tuple[Number, ...], ...]
    row_sums: tuple[float, ...] = ()
    column_sums: tuple[float, ...] = ()


def grid_of_chart(spec: ChartSpec) -> NumberGrid:
    """The grid of a chart."""
    cells = tuple(tuple(as_number(point.get(series.key)) for point in spec.data) for series in spec.series)
    across = tuple(label_of(spec, point.get(spec.x)) for point in spec.data)
    down = tuple(series.name or series.key for series in spec.series)
    corner = " \\ ".join(filter(None, (spec.split_name or spec.split, spec.x_name or spec.x)))
    if not spec.sums:
        return NumberGrid(corner, across, down, cells)
    rows = tuple(sum(value or 0.0 for value in line) for line in cells)
    columns = tuple(sum(line[place] or 0.0 for line in cells) for place in range(len(across)))
    return NumberGrid(corner, across, down, cells, rows, columns)


def pivot_texts(spec: ChartSpec) -> tuple[list[str], list[list[str]]]:
    """A pivot table in words: its head, and its rows with their sums; an empty cell stays empty."""
    grid = grid_of_chart(spec)
    if len(grid.across) > max(MOST_ACROSS, len(grid.down)):
        grid = _turned(grid)
    look = spec.series[0]

    def tell(value: Number) -> str:
        return "" if value is None else format_figure(value, look.format, look.unit)

    total = "合计" if spec.language == "zh" else "Total"
    head = [grid.corner, *grid.across, *([total] if grid.row_sums else [])]
    rows = [[name, *map(tell, line)] for name, line in zip(grid.down, grid.cells, strict=True)]
    if grid.row_sums:
        rows = [[*row, tell(whole)] for row, whole in zip(rows, grid.row_sums, strict=True)]
        rows.append([total, *map(tell, grid.column_sums), tell(sum(grid.row_sums))])
    return head, rows


def _turned(grid: NumberGrid) -> NumberGrid:
    """The grid with its rows as columns."""
    corner = " \\ ".join(reversed(grid.corner.split(" \\ ")))
    cells = tuple(zip(*grid.cells, strict=True))
    return NumberGrid(corner, grid.down, grid.across, cells, grid.column_sums, grid.row_sums)


def label_of(spec: ChartSpec, cell: float | int | str | None) -> str:
    """The name of a place; what was put together is called others."""
    if cell == "…":
        return "其他" if spec.language == "zh" else "Others"
    return format_label(cell, spec.language)


def short_number(spec: ChartSpec, value: float, series: int = 0) -> str:
    """A number of one of the chart's series, as an axis or a cell shows it."""
    look = spec.series[series]
    return format_short(value, look.format, look.unit, spec.language)
