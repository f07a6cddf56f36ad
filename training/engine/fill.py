"""Fills the tables of a schema with rows: skewed, sometimes missing, ends after starts."""

from __future__ import annotations

import datetime
from random import Random

from training.engine import pools
from training.engine.schema import Cell, Column, Schema, Table
from training.engine.spec import Attribute

FIRST_DAY = datetime.date(2021, 1, 1)


LAST_DAY = datetime.date(2026, 6, 30)


_LATER = (
    "end",
    "check out",
    "return",
    "arrival",
    "discharge",
    "closing",
    "finish",
    "delivered",
    "returned",
    "expiry",
    "planned",
    "due",
)


def fill_rows(schema: Schema, rng: Random) -> None:
    done: set[int] = set()
    for table in schema.tables:
        table.rows = _row_count(table, rng)
    for table in schema.tables:
        _fill_keys(table)
    for table in schema.tables:
        for column in table.columns:
            if column.target:
                column.cells = _links(column, table, rng)
            elif column.attribute:
                column.cells = _cells(column, table, schema, rng)
        _later_dates(table, rng)
        done.add(id(table))
        if not table.key_column():
            _distinct_pairs(table)


def _row_count(table: Table, rng: Random) -> int:
    count = rng.choice([20, 30, 40, 60, 90]) if table.references else rng.choice([8, 12, 20, 30, 40])
    if table.display and table.display[0].kind == "category":
        return min(count, len(table.display[0].stored))
    return count


def _fill_keys(table: Table) -> None:
    key = table.key_column()
    if key and not key.reference:
        key.cells = list(range(1, table.rows + 1))


def _links(column: Column, table: Table, rng: Random) -> list[Cell]:
    assert column.target
    assert column.reference
    parents = list(range(1, column.target.rows + 1))
    rng.shuffle(parents)
    used = parents[: max(1, int(len(parents) * 0.85))]
    weights = [1 / (i + 1.5) ** 0.6 for i in range(len(used))]
    cells: list[Cell] = list(rng.choices(used, weights, k=table.rows))
    if column.target is table or (not column.key and rng.random() < 0.08):
        cells = [None if rng.random() < 0.2 else cell for cell in cells]
    return cells


def _cells(column: Column, table: Table, schema: Schema, rng: Random) -> list[Cell]:
    attribute = column.attribute
    assert attribute
    chinese = schema.language == "zh"
    count = table.rows
    if attribute.kind in ("category", "flag"):
        cells = _categories(column, table, rng)
    elif attribute.kind in ("text", "code"):
        cells = _texts(column, attribute, table, chinese, rng)
    elif attribute.dated:
        cells = [_moment(attribute, rng) for _ in range(count)]
    else:
        cells = [_number(attribute, rng) for _ in range(count)]
    share = 0.3 if attribute.nullable else rng.choice([0.1, 0.2]) if rng.random() < 0.1 else 0
    if share and column not in table.display:
        cells = [None if rng.random() < share else cell for cell in cells]
    return cells


def _categories(column: Column, table: Table, rng: Random) -> list[Cell]:
    if column in table.display:
        return rng.sample(column.stored, table.rows)
    pool = column.stored
    if len(pool) > 12:
        pool = rng.sample(pool, rng.randint(4, 10))
    weights = [1 / (i + 1) ** rng.choice([0.2, 0.6]) for i in range(len(pool))]
    shuffled = rng.sample(pool, len(pool))
    return rng.choices(shuffled, weights, k=table.rows)


def _texts(column: Column, attribute: Attribute, table: Table, chinese: bool, rng: Random) -> list[Cell]:
    if attribute.kind == "code":
        prefix = attribute.pool
        return [f"{prefix}{rng.randrange(10**3, 10**4)}{i % 10}" for i in range(table.rows)]
    suffix = table.chinese if chinese else table.noun.title()
    cells: list[Cell] = []
    taken: set[Cell] = set()
    unique = column in table.display and attribute.pool not in ("first", "last")
    for i in range(table.rows):
        cell = pools.text(attribute.pool, rng, chinese, suffix, i)
        for _ in range(8):
            if not unique or cell not in taken:
                break
            cell = pools.text(attribute.pool, rng, chinese, suffix, i)
        if unique and cell in taken:
            cell = f"{cell} {i}"
        taken.add(cell)
        cells.append(cell)
    return cells


def _number(attribute: Attribute, rng: Random) -> Cell:
    low, high = attribute.low, attribute.high
    if attribute.kind == "year":
        return rng.randint(int(low), int(high))
    share = rng.random()
    if high > 100 * max(1, abs(low)):
        share = share**3
    value = low + (high - low) * share
    if attribute.kind == "int":
        return int(round(value, -1)) if value > 10_000 else round(value)
    if attribute.kind == "money":
        return float(round(value)) if value > 1000 else round(value, 2)
    return round(value, 1 if attribute.kind != "percent" else rng.choice([0, 1]))


def _moment(attribute: Attribute, rng: Random) -> str:
    if attribute.kind == "birth":
        return (datetime.date(1950, 1, 1) + datetime.timedelta(days=rng.randrange(20400))).isoformat()
    day = FIRST_DAY + datetime.timedelta(days=int((LAST_DAY - FIRST_DAY).days * rng.random() ** 0.7))
    if attribute.kind == "time":
        return f"{day.isoformat()} {rng.randrange(7, 23):02d}:{rng.randrange(60):02d}:{rng.randrange(60):02d}"
    return day.isoformat()


def _later_dates(table: Table, rng: Random) -> None:
    """Ends come after starts."""
    dates = [c for c in table.data if c.attribute and c.attribute.kind in ("date", "time")]
    starts = [c for c in dates if not c.attribute.names[0].startswith(_LATER)]  # type: ignore[union-attr]
    for column in dates:
        if starts and column.attribute and column.attribute.names[0].startswith(_LATER):
            first = starts[0]
            for i, (cell, begin) in enumerate(zip(column.cells, first.cells, strict=True)):
                if cell is not None and begin is not None:
                    day = datetime.date.fromisoformat(str(begin)[:10]) + datetime.timedelta(days=rng.randint(1, 60))
                    column.cells[i] = day.isoformat() + str(cell)[10:]


def _distinct_pairs(table: Table) -> None:
    keys = [c for c in table.columns if c.key]
    seen: set[tuple[Cell, ...]] = set()
    keep = []
    for i, pair in enumerate(zip(*(c.cells for c in keys), strict=True)):
        if pair not in seen:
            seen.add(pair)
            keep.append(i)
    for column in table.columns:
        column.cells = [column.cells[i] for i in keep]
    table.rows = len(keep)
