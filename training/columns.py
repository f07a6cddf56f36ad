"""The columns of a described database: one line a column, read and filled with the same values every time.

    name TYPE [pk] [how it is filled] [options] [-- comment]

Names with spaces or signs stand in "double quotes" or `backticks`; values with spaces, | or * in 'single quotes'.

How it is filled (one of):
  fk t.c | ref t.c         a row of an earlier table; fk declares the key, ref does not. Some parents get many rows and
                           a sixth of them none; `even` draws all alike, `each` takes them in turn, `unique` each at
                           most once, `where status=paid|done` only such parents
  in a|b*3|'c d'           one of these, with weights; with `unique` all of them in this order
  1..500, 0.50..9.99       a number with the decimals of the bounds; `step 50`, `skew` (most are small)
  2023-01-01..2025-06-30   a day, or a moment where the type is DATETIME or TIMESTAMP or the bounds have a time
                           (2023-01-01T08:00..2025-06-30T18:00: between 8 and 18 o'clock); `sorted` grows with the rows
  like "AU-{n:04d}"        text with the row's number and earlier columns: "{ordered_on:%Y%m}-{n:03d}"
  any person               a made-up name: person company city street phone email note, 姓名 公司 城市 地址 手机 备注
  serial 1001              counts up; `pk` alone does from 1
  from t.c via own_ref     a copy of the referenced row's column
  after c 0..10            days after a date of this row (`minutes`, `hours`), or of the referenced row: after t.c via own_ref 0..10;
                           `until 2025-06-30` leaves later ones NULL
  tree 3                   parent among the earlier rows, at most 3 levels (with fk or ref to the own table's key);
                           `roots 2`, `root 0` for the value of the topmost
  = SQLite expression      over earlier columns of the row (to the end of the line); earlier tables may be asked in brackets
  late = expression        the same once all tables are full: totals of details that come later
Nothing of it: the column's cells stand in the table's `data`, which also holds fk and ref columns without even or each.

Options: null 0.1 · blank 0.05 (empty text) · unique · as %Y%m%d (how dates are written) · when status=paid|done, when
price>=5, when kind!=A, when paid_on (NULL otherwise; several must all hold). Alternatives by `or`:
  owner_id INT ref pet.id when kind=PET or ref person.id when kind=PERSON
"""

from __future__ import annotations

import datetime
import itertools
import random
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml

Cell = int | float | str | datetime.date | None
"""A value as it is made; datetimes are dates, and are written as text or numbers in the end."""

POOLS = Path(__file__).parent / "data" / "systems" / "pools.yaml"
CHILDLESS = 6
"""One parent in so many gets no row, so that "never" has an answer."""
_TOKEN = re.compile(r"""(?:"(?:[^"]|"")*"|`[^`]*`|'(?:[^']|'')*'|[^\s"'`]|(?<=\w)['"])+""")
_QUOTED = re.compile(r""""(?:[^"]|"")*"|`[^`]*`|'(?:[^']|'')*'""")
_DAY = r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?"
_DAYS = re.compile(rf"({_DAY})\.\.({_DAY})")
_NUMBERS = re.compile(r"(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][-+]?\d+)?")
_CONDITION = re.compile(r"(!=|>=|<=|=|>|<)")
_FLAGS = {"pk", "unique", "even", "each", "skew", "sorted", "late", "minutes", "hours", "days"}
_SETTINGS = {"null", "blank", "as", "until", "step", "roots", "root", "via"}


class BadLine(Exception):
    """A line that cannot be read or filled; the message says why."""


def quote(name: str) -> str:
    """A name as SQLite takes it."""
    return '"' + name.replace('"', '""') + '"'


def unquote(text: str) -> str:
    """A name or value without its quotes."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'`":
        return text[1:-1].replace(text[0] * 2, text[0])
    return text


def split_outside(text: str, mark: str) -> list[str]:
    """The parts between marks that stand outside quotes."""
    hidden = _QUOTED.sub(lambda found: "\0" * len(found.group()), text)
    ends = [at for at, sign in enumerate(hidden) if sign == mark]
    return [text[a:b] for a, b in zip([0, *(at + 1 for at in ends)], [*ends, len(text)], strict=True)]


def place_of(text: str) -> tuple[str, str]:
    """Table and column of `t.c`."""
    parts = [unquote(part) for part in split_outside(text, ".")]
    if len(parts) != 2 or not all(parts):
        raise BadLine(f"{text} is not table.column")
    return parts[0], parts[1]


@dataclass
class Condition:
    """A test of one column of a row."""

    column: str
    sign: str
    values: list[str]

    def holds(self, cell: Cell) -> bool:
        """Whether a cell meets it; a missing value meets nothing."""
        if cell is None:
            return False
        if self.sign in ("", "=", "!="):
            return not self.sign or (str(cell) in self.values) == (self.sign == "=")
        shown, bound = str(cell), self.values[0]
        left, right = (
            (float(shown), float(bound)) if _NUMBER.fullmatch(shown) and _NUMBER.fullmatch(bound) else (shown, bound)
        )
        return {">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right}[self.sign]  # type: ignore[operator]


def read_condition(text: str) -> Condition:
    """`column=a|b`, `column>=5` or `column`."""
    hidden = _QUOTED.sub(lambda found: "\0" * len(found.group()), text)
    found = _CONDITION.search(hidden)
    if not found:
        return Condition(unquote(text), "", [])
    values = [unquote(value) for value in split_outside(text[found.end() :], "|")]
    return Condition(unquote(text[: found.start()]), found.group(), values)


@dataclass
class Way:
    """One way to fill a column, and when it is taken."""

    kind: str = ""
    words: list[str] = field(default_factory=list)
    reference: tuple[str, str] | None = None
    declared: bool = False
    flags: set[str] = field(default_factory=set)
    settings: dict[str, str] = field(default_factory=dict)
    when: list[Condition] = field(default_factory=list)
    where: list[Condition] = field(default_factory=list)

    @property
    def needs_data(self) -> bool:
        """Whether its cells stand in `data` where the table has one."""
        return not self.kind and not self.flags & {"even", "each"}


@dataclass
class Column:
    """One line."""

    name: str
    type: str
    comment: str
    ways: list[Way]

    @property
    def pk(self) -> bool:
        return any("pk" in way.flags for way in self.ways)

    @property
    def fk(self) -> tuple[str, str] | None:
        """The declared reference."""
        return next((way.reference for way in self.ways if way.declared), None)

    @property
    def refs(self) -> list[tuple[str, str]]:
        """All references, declared or not."""
        return [way.reference for way in self.ways if way.reference]

    @property
    def late(self) -> str:
        """The expression of a column that is filled last."""
        return self.ways[0].words[0] if "late" in self.ways[0].flags else ""


def read_columns(text: str) -> list[Column]:
    """The lines of a `columns` block."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                found.append(read_column(line.strip()))
            except BadLine as error:
                raise BadLine(f"column line {number}: {error}: {line.strip()}") from error
    return found


def read_column(line: str) -> Column:
    """One line of a `columns` block."""
    hidden = _QUOTED.sub(lambda found: "\0" * len(found.group()), line)
    cut = re.search(r"(?:^|\s)--(?:\s|$)", hidden)
    comment = line[cut.end() :].strip() if cut else ""
    line = (line[: cut.start()] if cut else line).strip()
    hidden = _QUOTED.sub(lambda found: "\0" * len(found.group()), line)
    equals = re.search(r"\s=\s", hidden)
    expression = line[equals.end() :].strip() if equals else None
    tokens = _TOKEN.findall(line[: equals.start()] if equals else line)
    if len(tokens) < 2:
        raise BadLine("a column has a name and a type")
    groups = [list(group) for same, group in itertools.groupby(tokens[2:], lambda t: t == "or") if not same] or [[]]
    ways = [read_way(group) for group in groups]
    if expression is not None:
        ways[-1].kind, ways[-1].words = "=", [expression]
    elif "late" in ways[-1].flags:
        raise BadLine("late is followed by = and an expression")
    return Column(unquote(tokens[0]), tokens[1], comment, ways)


def read_way(tokens: list[str]) -> Way:
    """The words of one way to fill a column."""
    way, rest = Way(), list(tokens)

    def take(word: str) -> str:
        if not rest:
            raise BadLine(f"nothing after {word}")
        return rest.pop(0)

    def choose(kind: str, *words: str) -> None:
        if way.kind:
            raise BadLine(f"two ways to fill it, {way.kind} and {kind}; join them with `or` and `when`")
        way.kind, way.words = kind, list(words)

    while rest:
        word = rest.pop(0)
        if word in ("fk", "ref"):
            way.reference, way.declared = place_of(take(word)), word == "fk"
        elif word in ("in", "like", "any", "tree"):
            choose(word, take(word))
        elif word == "serial":
            choose(word, rest.pop(0) if rest and rest[0].isdigit() else "1")
        elif word == "from":
            choose(word, take(word))
        elif word == "after":
            choose(word, take(word), "")
        elif way.kind == "after" and not way.words[1] and _NUMBERS.fullmatch(word):
            way.words[1] = word
        elif _NUMBERS.fullmatch(word):
            choose("number", word)
        elif _DAYS.fullmatch(word):
            choose("day", word)
        elif word in ("when", "where"):
            getattr(way, word).append(read_condition(take(word)))
        elif word in _FLAGS:
            way.flags.add(word)
        elif word in _SETTINGS:
            way.settings[word] = unquote(take(word))
        else:
            raise BadLine(f"unknown word {word}")
    if way.kind in ("from", "after") and (len(split_outside(way.words[0], ".")) == 2) != ("via" in way.settings):
        raise BadLine(f"{way.kind} t.c needs `via own_reference_column`")
    if way.kind == "after" and not way.words[1]:
        raise BadLine("after c needs a range: after c 0..10")
    return way


@dataclass
class Filled:
    """The columns of one table that are made, as values and as they are written."""

    name: str
    rows: int
    columns: dict[str, Column] = field(default_factory=dict)
    cells: dict[str, list[Cell]] = field(default_factory=dict)
    shown: dict[str, list[Cell]] = field(default_factory=dict)

    def of(self, name: str, *, shown: bool = False) -> list[Cell]:
        """The cells of a column that came before."""
        if name not in self.cells:
            raise BadLine(f"{self.name} has no earlier column {name}")
        return (self.shown if shown else self.cells)[name]


Tables = Mapping[str, Filled]


def fill_column(
    column: Column,
    table: Filled,
    tables: Tables,
    seed: str,
    database: sqlite3.Connection,
    data: Sequence[str | None] | None,
) -> None:
    """Make the cells of one column and put them into its table."""
    rng = random.Random(f"{seed}/{table.name}/{column.name}")
    made: list[Cell] = [None] * table.rows
    ways = column.ways
    taken = [next((w for w in ways if fits(w, table, row)), None) for row in range(table.rows)]
    for way in ways:
        if data is not None:
            cells: list[Cell] = [stored(cell, column.type) for cell in data]
        elif "late" in way.flags:
            cells = [None] * table.rows
        else:
            cells = make_cells(way, column, table, tables, rng, database)
        for row, chosen in enumerate(taken):
            if chosen is way:
                made[row] = cells[row]
    null, blank = (float(next((w.settings[s] for w in ways if s in w.settings), 0)) for s in ("null", "blank"))
    if null or blank:
        made = [None if (drawn := rng.random()) < null else "" if drawn < null + blank else cell for cell in made]
    until = next((w.settings["until"] for w in ways if "until" in w.settings), "")
    if until:
        made = [cell if cell is None or show(cell, "") <= until + "~" else None for cell in made]
    style = next((w.settings["as"] for w in ways if "as" in w.settings), "")
    table.columns[column.name] = column
    table.cells[column.name] = made
    table.shown[column.name] = [
        stored(show(cell, style), column.type) if isinstance(cell, datetime.date) else cell for cell in made
    ]


def fits(way: Way, table: Filled, row: int) -> bool:
    """Whether a row is filled this way."""
    return all(condition.holds(table.of(condition.column, shown=True)[row]) for condition in way.when)


def affinity(type_: str) -> str:
    """SQLite's rule of how a type stores text."""
    upper = type_.upper()
    if "INT" in upper:
        return "number"
    if any(word in upper for word in ("CHAR", "CLOB", "TEXT")):
        return "text"
    return "blob" if "BLOB" in upper else "number"


def stored(text: str | None, type_: str) -> Cell:
    """A written value as the column stores it."""
    if text is None or affinity(type_) != "number" or not _NUMBER.fullmatch(text):
        return text
    return float(text) if re.search("[.eE]", text) else int(text)


def show(cell: Cell, style: str) -> str:
    """A value as text; dates in the column's style."""
    if not isinstance(cell, datetime.date):
        return "" if cell is None else str(cell)
    if style:
        return cell.strftime(style)
    return cell.isoformat(sep=" ", timespec="seconds") if isinstance(cell, datetime.datetime) else cell.isoformat()


def make_cells(
    way: Way, column: Column, table: Filled, tables: Tables, rng: random.Random, database: sqlite3.Connection
) -> list[Cell]:
    """The cells of all rows, as if all were filled this way."""
    kind, words = way.kind, way.words
    if not kind and way.reference and way.reference[0] == table.name:
        return grow_tree(way, 3, table, rng)
    if not kind and way.reference:
        return draw_references(way, table, tables, rng)
    if not kind and column.pk:
        return list(range(1, table.rows + 1))
    if not kind:
        raise BadLine(f"nothing says how {column.name} is filled")
    if kind == "serial":
        return list(range(int(words[0]), int(words[0]) + table.rows))
    if kind == "in":
        return draw_values(words[0], column, way, table.rows, rng)
    if kind == "number":
        return draw_numbers(words[0], way, table.rows, rng)
    if kind == "day":
        return draw_days(words[0], column.type, way, table.rows, rng)
    if kind == "any":
        return draw_names(words[0], way, table.rows, rng)
    if kind == "tree":
        return grow_tree(way, int(words[0]), table, rng)
    if kind == "like":
        return write_texts(unquote(words[0]), column, table)
    if kind == "from":
        return copied(way, table, tables)
    if kind == "after":
        return draw_later(way, table, tables, rng)
    return compute(words[0], table, database)


def draw_references(way: Way, table: Filled, tables: Tables, rng: random.Random) -> list[Cell]:
    """Keys of parents."""
    assert way.reference
    target, key = way.reference
    if target not in tables:
        raise BadLine(f"{target} is no earlier table")
    parent = tables[target]
    for condition in way.where:
        parent.of(condition.column)
    pool = [
        cell
        for row, cell in enumerate(parent.of(key))
        if cell is not None and all(c.holds(parent.of(c.column, shown=True)[row]) for c in way.where)
    ]
    if not pool:
        raise BadLine(f"no row of {target} to refer to")
    if "each" in way.flags:
        return list(itertools.islice(itertools.cycle(pool), table.rows))
    if "unique" in way.flags:
        if len(pool) < table.rows:
            raise BadLine(f"{table.rows} rows, but {target} has only {len(pool)} to refer to once")
        return rng.sample(pool, table.rows)
    if "even" in way.flags:
        return rng.choices(pool, k=table.rows)
    rng.shuffle(pool)
    pool = pool[: len(pool) - len(pool) // CHILDLESS] if len(pool) > 3 else pool
    return rng.choices(pool, [1 / (place + 2) ** 0.7 for place in range(len(pool))], k=table.rows)


def draw_values(text: str, column: Column, way: Way, count: int, rng: random.Random) -> list[Cell]:
    """Values of a list with weights."""
    values, weights = [], []
    for part in split_outside(text, "|"):
        weight = re.search(r"\*(\d+(?:\.\d+)?)$", part)
        values.append(stored(unquote(part[: weight.start()] if weight else part), column.type))
        weights.append(float(weight.group(1)) if weight else 1.0)
    if "unique" not in way.flags:
        return list(rng.choices(values, weights, k=count))
    if len(values) < count:
        raise BadLine(f"{count} rows, but only {len(values)} values for a unique column")
    return list(values[:count])


def draw_numbers(text: str, way: Way, count: int, rng: random.Random) -> list[Cell]:
    """Numbers of a range, with the decimals of its bounds."""
    found = _NUMBERS.fullmatch(text)
    assert found
    step_text = way.settings.get("step", "")
    places = max(len(bound.partition(".")[2]) for bound in (*found.groups(), step_text))
    step = float(step_text) if step_text else 10.0**-places
    low, high = float(found.group(1)), float(found.group(2))
    steps = round((high - low) / step)
    if steps < 0:
        raise BadLine(f"{text} runs backwards")
    if "unique" in way.flags:
        if steps + 1 < count:
            raise BadLine(f"{count} rows, but only {steps + 1} numbers in {text}")
        drawn = rng.sample(range(steps + 1), count)
    elif "skew" in way.flags:
        drawn = [int(rng.random() ** 3 * (steps + 1)) for _ in range(count)]
    else:
        drawn = [rng.randint(0, steps) for _ in range(count)]
    if "sorted" in way.flags:
        drawn.sort()
    return [round(low + at * step, places) if places else int(low + at * step) for at in drawn]


def draw_days(text: str, type_: str, way: Way, count: int, rng: random.Random) -> list[Cell]:
    """Days or moments of a range."""
    found = _DAYS.fullmatch(text)
    assert found
    first, last = (datetime.datetime.fromisoformat(bound) for bound in found.groups())
    if last < first:
        raise BadLine(f"{text} runs backwards")
    days = (last.date() - first.date()).days
    timed = "T" in text or type_.upper().startswith(("DATETIME", "TIMESTAMP"))
    if "unique" in way.flags and not timed:
        if days + 1 < count:
            raise BadLine(f"{count} rows, but only {days + 1} days in {text}")
        drawn = rng.sample(range(days + 1), count)
    else:
        drawn = [rng.randint(0, days) for _ in range(count)]
    moments = [first.replace(hour=0, minute=0) + datetime.timedelta(days=day) for day in drawn]
    if timed:
        opens, closes = (first.hour * 60 + first.minute, last.hour * 60 + last.minute) if "T" in text else (0, 0)
        closes = closes if closes > opens else 24 * 60
        seconds = [rng.randrange(opens * 60, closes * 60) for _ in range(count)]
        moments = [m + datetime.timedelta(seconds=s) for m, s in zip(moments, seconds, strict=True)]
    if "sorted" in way.flags:
        moments.sort()
    return list(moments) if timed else [moment.date() for moment in moments]


@cache
def name_pools() -> dict[str, list[list[str]]]:
    """The parts of made-up names."""
    pools = yaml.safe_load(POOLS.read_text("utf-8"))
    return {name: [str(part).split("|") for part in parts] for name, parts in pools.items()}


def draw_names(name: str, way: Way, count: int, rng: random.Random) -> list[Cell]:
    """Made-up names."""
    parts = name_pools().get(name)
    if not parts:
        raise BadLine(f"any {name}: there are {', '.join(name_pools())}")

    def one() -> str:
        return re.sub("#", lambda _: str(rng.randint(0, 9)), "".join(rng.choice(part) for part in parts))

    drawn: list[Cell] = []
    seen: set[str] = set()
    for _ in range(count * 200):
        if len(drawn) == count:
            break
        text = one()
        if "unique" not in way.flags or text not in seen:
            drawn.append(text)
            seen.add(text)
    if len(drawn) < count:
        raise BadLine(f"any {name} has not {count} different ones")
    return drawn


def grow_tree(way: Way, depth: int, table: Filled, rng: random.Random) -> list[Cell]:
    """The parent of every row among the earlier ones."""
    if not way.reference:
        raise BadLine("tree needs fk or ref to the table's own key")
    keys = table.of(way.reference[1])
    roots = int(way.settings.get("roots", 1))
    top = stored(way.settings["root"], "INT") if "root" in way.settings else None
    parents: list[Cell] = []
    levels: list[int] = []
    for row in range(table.rows):
        above = [r for r in range(row) if levels[r] < depth]
        if row < roots or not above:
            parents.append(top)
            levels.append(1)
        else:
            chosen = rng.choice(above)
            parents.append(keys[chosen])
            levels.append(levels[chosen] + 1)
    return parents


def write_texts(text: str, column: Column, table: Filled) -> list[Cell]:
    """Texts with the row's number and earlier cells."""
    made: list[Cell] = []
    for row in range(table.rows):
        known = {name: cells[row] for name, cells in table.cells.items()}
        try:
            made.append(stored(text.format(**{**known, "n": row + 1}), column.type))
        except (KeyError, IndexError, ValueError) as error:
            raise BadLine(f"like {text}: {error!r}") from error
    return made


def parent_cells(place: str, way: Way, table: Filled, tables: Tables) -> list[Cell]:
    """For every row the cell of the row it refers to."""
    own = way.settings["via"]
    target, name = place_of(place)
    column = table.columns.get(own)
    if column is None:
        raise BadLine(f"{own} is no earlier column")
    key = next((key for to, key in column.refs if to == target), None)
    if key is None:
        raise BadLine(f"{own} does not refer to {target}")
    parent = table if target == table.name else tables[target]
    known = {str(cell): value for cell, value in reversed(list(zip(parent.of(key), parent.of(name), strict=True)))}
    return [known.get(str(cell)) for cell in table.of(own)]


def copied(way: Way, table: Filled, tables: Tables) -> list[Cell]:
    """Cells of the referenced rows."""
    return parent_cells(way.words[0], way, table, tables)


def draw_later(way: Way, table: Filled, tables: Tables, rng: random.Random) -> list[Cell]:
    """Dates after others."""
    place, span = way.words
    base = parent_cells(place, way, table, tables) if "via" in way.settings else table.of(unquote(place))
    low, high = (float(bound) for bound in _NUMBERS.fullmatch(span).groups())  # type: ignore[union-attr]
    minutes = 1 if "minutes" in way.flags else 60 if "hours" in way.flags else 24 * 60
    made: list[Cell] = []
    for cell in base:
        start = as_date(cell)
        if start is None:
            made.append(None)
        elif minutes == 24 * 60 and not isinstance(start, datetime.datetime):
            made.append(start + datetime.timedelta(days=rng.randint(int(low), int(high))))
        else:
            if not isinstance(start, datetime.datetime):
                start = datetime.datetime.combine(start, datetime.time())
            made.append(start + datetime.timedelta(minutes=rng.randint(int(low * minutes), int(high * minutes))))
    return made


def as_date(cell: Cell) -> datetime.date | None:
    """A date, also where it was given as text."""
    if cell is None or cell == "" or isinstance(cell, datetime.date):
        return cell if isinstance(cell, datetime.date) else None
    text = str(cell)
    try:
        if re.fullmatch(r"\d{8}", text):
            return datetime.datetime.strptime(text, "%Y%m%d").date()
        return datetime.date.fromisoformat(text) if len(text) == 10 else datetime.datetime.fromisoformat(text)
    except ValueError as error:
        raise BadLine(f"{text} is no date to count from") from error


def compute(expression: str, table: Filled, database: sqlite3.Connection) -> list[Cell]:
    """An SQLite expression over the earlier cells of each row."""
    names = list(table.shown)
    source = ", ".join(f"? AS {quote(name)}" for name in names) or "1 AS n"
    sql = f"SELECT {expression} FROM (SELECT {source})"
    try:
        return [
            database.execute(sql, [table.shown[name][row] for name in names]).fetchone()[0] for row in range(table.rows)
        ]
    except sqlite3.Error as error:
        raise BadLine(f"= {expression}: {error}") from error


def read_data(text: str, width: int) -> list[list[str | None]]:
    """The rows of a `data` block: an empty cell is NULL, "" an empty text."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            cells = split_cells(line)
            if len(cells) != width:
                raise BadLine(f"data line {number}: {len(cells)} cells for {width} columns: {line}")
            rows.append(cells)
    return rows


def split_cells(line: str) -> list[str | None]:
    """The cells of a line of CSV."""
    cells: list[str | None] = []
    at = 0
    while True:
        quoted = re.compile(r'\s*"((?:[^"]|"")*)"\s*(?=,|$)').match(line, at)
        end = quoted.end() if quoted else line.find(",", at) if "," in line[at:] else len(line)
        text = line[at:end].strip()
        cells.append(quoted.group(1).replace('""', '"') if quoted else text or None)
        if end >= len(line):
            return cells
        at = end + 1
