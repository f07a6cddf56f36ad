"""Where the table is in rows that a person laid out: titles above it, one header or two, empty rows, totals, notes below."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from inquery.databases.engines.files.cell_kinds import fold_cell
from inquery.databases.engines.files.noticed import Noticed, examples

Row = list[str]
HEAD = 30
"""So many rows at the top may hold the header; a table that begins lower is not found."""
_VALUE = re.compile(
    r"[-+(]?[￥¥$€£]?[-+]?[\d.,]+[%)]?(?:元|万元|万|亿)?|\d{4}[-/.年]\d\d?(?:[-/.月]\d\d?.*|月)?|\d{1,2}/\d{1,2}/\d{4}.*",
    re.I,
)
_TOTAL = re.compile(
    r"(?:合\s*计|总\s*计|共\s*计|小\s*计|总\s*和|累\s*计|grand\s+total|sub-?\s?totals?|totals?|sum)(?:\s*[:：(（].*)?",
    re.I,
)
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True)
class Layout:
    """The names of the columns, the numbers of the rows that are data, and what was found around them."""

    names: list[str]
    given: list[str]
    """The names as they stand, some of them empty."""
    header: bool
    first: int
    """The row at which data begins."""
    plain: bool
    """Whether the rows are a table as they stand: header first, data below, nothing else."""
    dropped: frozenset[int] = frozenset()
    notes: tuple[Noticed, ...] = ()
    width: int = 0
    cells: int = 0
    """How many cells the header has, empty ones at its end included."""

    def body(self, rows: Sequence[Row]) -> Iterator[Row]:
        """The rows of data, each as wide as the table."""
        for number in range(self.first, len(rows)):
            if number not in self.dropped:
                row = rows[number][: self.width]
                yield row + [""] * (self.width - len(row))


@dataclass
class _Found:
    dropped: set[int] = field(default_factory=set)
    totals: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    blank: int = 0
    repeated: int = 0


def find_layout(rows: Sequence[Row]) -> Layout:
    """The layout of rows whose cells are stripped text; at least one cell is not empty."""
    top = next(number for number, row in enumerate(rows) if any(row))
    width = _width(rows[top:])
    start = _header_row(rows, top, width)
    titles = [cells_of(rows[number])[0] for number in range(top, start) if any(rows[number])]
    names, first, header = _names(rows, start, width)
    found = _around(rows, first, width, _padded(rows[start], width) if header and first - start == 1 else [])
    notes = []
    if titles:
        notes.append(Noticed("titles", count=len(titles), shown=examples(titles)))
    if first - start > 1:
        joined = [name for name in names if " " in name]
        notes.append(Noticed("headers", count=first - start, shown=examples(joined)))
    if not header:
        notes.append(Noticed("no_header", shown=examples(unique_names(names))))
    if found.blank:
        notes.append(Noticed("blanks", count=found.blank))
    if found.repeated:
        notes.append(Noticed("repeated", count=found.repeated))
    if found.totals:
        notes.append(Noticed("totals", count=len(found.totals), shown=examples(found.totals)))
    if found.notes:
        notes.append(Noticed("footnotes", count=len(found.notes), shown=examples(found.notes)))
    plain = start == 0 and first <= 1 and not found.dropped and all(rows[0][: len(names)] if header else names)
    cells = max(width, len(rows[start]))
    return Layout(
        unique_names(names), names, header, first, plain, frozenset(found.dropped), tuple(notes), width, cells
    )


def cells_of(row: Row) -> list[str]:
    """The cells of a row that hold something."""
    return [cell for cell in row if cell]


def unique_names(names: Iterable[str]) -> list[str]:
    """Names of columns: numbered where one says nothing or the same twice."""
    made: list[str] = []
    taken: set[str] = set()
    for index, given in enumerate(names, 1):
        name = " ".join(given.split()) or f"column_{index}"
        unique, number = name, 0
        while unique.casefold() in taken:
            number += 1
            unique = f"{name}_{number}"
        taken.add(unique.casefold())
        made.append(unique)
    return made


def _width(rows: Sequence[Row]) -> int:
    """How many columns hold anything, in the first rows and in all."""
    return max(max((at for at, cell in enumerate(row, 1) if cell), default=0) for row in rows)


def _header_row(rows: Sequence[Row], top: int, width: int) -> int:
    """The first row that is no title: titles fill a cell or two, or repeat one text over cells that were merged."""
    if width < 2:
        return top
    filled = [len(set(cells_of(row))) for row in rows[top : top + HEAD]]
    few = max(1, max(filled) // 3)
    for number in range(top, min(top + HEAD, len(rows))):
        cells = cells_of(rows[number])
        if len(set(cells)) > few or (cells and _is_value(cells[0])):
            # What stands above data without a header is its first row, not a title.
            return number if _is_header(rows[number]) else top
    return top


def _names(rows: Sequence[Row], start: int, width: int) -> tuple[list[str], int, bool]:
    """The names of the columns, the first row of data, and whether a header was there."""
    head = _padded(rows[start], width)
    if not _is_header(head):
        return [""] * width, start, False
    below = [number for number in range(start + 1, min(start + HEAD, len(rows))) if any(rows[number])]
    if len(below) >= 2 and _is_second_header(head, _padded(rows[below[0]], width), [rows[n] for n in below[1:6]]):
        second = _padded(rows[below[0]], width)
        return _joined(_filled_right(head, second), second), below[0] + 1, True
    return head, start + 1, True


def _is_header(cells: Row) -> bool:
    """Whether a row names columns: no cell is a number or a date, except years beside a name."""
    values = [cell for cell in cells if cell and _is_value(cell)]
    if not values:
        return True
    years = [int(cell) for cell in values if _YEAR.fullmatch(cell)]
    named = len(values) < len(cells_of(cells)) and not _is_value(cells_of(cells)[0])
    # 2023, 2024, 2025 beside a name head columns; a row of data has no years in a run.
    return (
        named and len(years) == len(values) >= 2 and sorted(years) == list(range(min(years), min(years) + len(years)))
    )


def _is_second_header(head: Row, second: Row, body: Sequence[Row]) -> bool:
    """Whether the next row names columns too: the first leaves gaps or repeats, and values come below the second's words."""
    gaps = any(not cell for cell in head) or len(set(cells_of(head))) < len(cells_of(head))
    if not gaps or not any(second) or not (_is_header(second) or _heads_years(head, second)):
        return False
    if not all(h or s for h, s in zip(head, second, strict=True)):
        return False
    worded = [at for at, cell in enumerate(second) if cell]
    return any(at < len(row) and row[at] and _is_value(row[at]) for row in body for at in worded)


def _heads_years(head: Row, second: Row) -> bool:
    """Whether a row has years alone, the same ones in a run under each heading: 2023, 2024, 2023, 2024."""
    groups: dict[str, list[int]] = {}
    for above, below in zip(_filled_right(head, second), second, strict=True):
        # A cell that was merged downwards repeats the heading.
        if below and below != above:
            if not above or not _YEAR.fullmatch(below):
                return False
            groups.setdefault(above, []).append(int(below))
    runs = list(groups.values())
    return bool(runs) and len(runs[0]) >= 2 and all(run == list(range(run[0], run[0] + len(run))) for run in runs)


def _filled_right(head: Row, second: Row) -> Row:
    """A heading over several columns stands in the first of them; the others are empty."""
    made, last = [], ""
    for above, below in zip(head, second, strict=True):
        last = above or (last if below else "")
        made.append(last)
    return made


def _joined(head: Row, second: Row) -> Row:
    return [" ".join(dict.fromkeys(part for part in pair if part)) for pair in zip(head, second, strict=True)]


def _around(rows: Sequence[Row], first: int, width: int, head: Row) -> _Found:
    """Rows that are no data: empty ones, the header again, totals, and notes at the foot."""
    found = _Found()
    for number in range(first, len(rows)):
        cells = cells_of(rows[number])
        if not cells:
            found.dropped.add(number)
            found.blank += 1
        elif len(cells) > 1 and rows[number][:width] == head:
            found.dropped.add(number)
            found.repeated += 1
        elif is_total(cells):
            found.dropped.add(number)
            found.totals.append(cells[0])
    for number in range(len(rows) - 1, first, -1):
        if number in found.dropped:
            continue
        cells = cells_of(rows[number])
        # One text alone under three columns or more is a remark, unless it is all that the table ever has.
        if width < 3 or len(set(cells)) > 1 or _is_value(cells[0]) or len(cells_of(rows[first])) < 2:
            break
        found.dropped.add(number)
        found.notes.append(cells[0])
    return found


def is_total(cells: Sequence[str]) -> bool:
    """Whether a row sums others: it is called so, and beside that has numbers only."""
    return len(cells) > 1 and _TOTAL.fullmatch(cells[0].strip()) is not None and all(map(_is_value, cells[1:]))


def _is_value(cell: str) -> bool:
    return _VALUE.fullmatch(fold_cell(cell).replace(" ", "")) is not None


def _padded(row: Row, width: int) -> Row:
    return [*row[:width], *[""] * (width - len(row))]
