"""What Inquery knows of one SQL dialect: whatever is decided by a dialect's name stands in its record.

No fact has a default: a record that forgets one cannot be made, and says which. A dialect that differs from another in
little is `dataclasses.replace` of that one's record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

from sqlglot.generator import Generator
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import TokenType

Members = dict[str, Any]
"""Members of a class that is being made: what a dialect changes in sqlglot's parser or writer."""
ParserChange = Callable[[type[Parser], Members], None]
WriterChange = Callable[[type[Generator], Members], None]
DatePart = Literal[
    "year", "quarter", "month", "week", "day", "quarterno", "monthno", "weekday", "hour", "days", "from_seconds"
]

CASTS = frozenset({TokenType.DCOLON})
"""`x::type`, which the parsers read in every dialect and most engines do not."""
CASTS_AND_ILIKE = CASTS | {TokenType.ILIKE}


@dataclass(frozen=True, slots=True)
class FunctionList:
    """A file of function names that may be called, in a package: see `sql/guard/lists`."""

    package: str
    file: str

    def read_text(self) -> str:
        """The file's text."""
        return files(self.package).joinpath(self.file).read_text("utf-8")


def guard_list(name: str) -> FunctionList:
    """One of the lists that ship with the guard."""
    return FunctionList("inquery.sql.guard", f"lists/{name}.txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class DateForms:
    """Parts of dates and spans of days as templates: {c} is the column, {s} and {e} the start and end of a span."""

    year: str
    quarter: str
    month: str
    week: str
    day: str
    quarterno: str
    monthno: str
    weekday: str
    hour: str
    days: str
    from_seconds: str
    """The moment, in UTC, that is {c} seconds after 1970 began."""
    text_is_cast: bool
    """A date kept as text must be cast before its parts can be read."""
    literal: Literal["text", "cast", "to_date"]
    """What a column is compared with: most engines read ISO text, some want a date."""

    def template(self, part: DatePart) -> str:
        """The template of a part of a date, or of the days between two."""
        found: str = getattr(self, part)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """What keeps a planner from trying the conditions around a derived table on rows that its own filter leaves out.

    Without one, planners merge the filter's derived table into the query and evaluate what is cheaper first, so that an
    error of a person's condition told what a hidden row holds. A limit that cuts nothing off is in no planner's power to
    move a condition below: with another limit, that would be another result.
    """

    clause: Literal["limit", "offset"]
    rows: int
    """As many as the clause may say: no table has more, and SQLite's -1 means no limit."""
    proven: bool
    """The oracle of errors ran on the engine (tests/security/error_oracle.yaml). Where it did not, an error over filtered
    rows is told without the database's words."""
    may_be_left_out: bool
    """Comparing cannot fail on the values of a row, whatever their types, so that a plain statement under a plain filter
    needs no fence, and keeps its indexes."""
    matching_fails: bool = False
    """LIKE is no comparing here: it may fail on a column by its collation, once it comes to a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One dialect; `name` is sqlglot's too, so a plugin brings a subclass of sqlglot's Dialect of that name."""

    name: str
    notes: str
    """What a model that writes SQL is told of it."""
    quotes: tuple[str, str]
    """What stands before and after a quoted name."""
    dates: DateForms
    foreign_words: frozenset[TokenType]
    """Words of other dialects that its parser reads and its engine does not."""

    parser_changes: tuple[ParserChange, ...]
    writer_changes: tuple[WriterChange, ...]

    fence: Fence | None
    """None where the dialect has no clause for it; errors over filtered rows are then told without words too."""
    functions: tuple[FunctionList, ...]
    """What may be called, besides the list that all dialects share."""
    aggregate_suffixes: tuple[str, ...]
    """What may be appended to the name of any aggregate function, several at a time."""
    methods: Literal["none", "of columns", "of results"]
    """What `x.f()` may be called on. On a column the guard proves that x is one; where x could be a package, only the
    result of another call has methods."""

    tables_are_types: bool
    """The name of a table is also the type of its rows, so that no type passes that is not on the dialect's own list."""
    default_schemas: frozenset[str]
    """Schemas that a query may put before a table although the catalogue does not."""
    exact_columns: bool
    """Columns are looked up by their exact spelling once an unquoted name is folded."""
    reserved_words: frozenset[str]
    """Words that are no names unless quoted, lower case, where the writer does not know them by itself."""
    pseudo_columns: frozenset[str]
    """Names that may stand where a column does although no table has them."""
    quoted_texts: bool
    """A word in double quotes that names no column is text."""
    dollar_columns: bool
    """$1 is a column of VALUES, not a variable."""
    rows_as_values: bool
    """SELECT t FROM t gives each row as one value."""
    aliases_everywhere: bool
    """An alias of any part of the query may be named in any other."""
    first_of_same_names: bool
    """A column that several tables have is that of the first, not ambiguous."""
    in_reads_table: Literal["never", "always", "unless a column"]
    """Whether the name in `x IN name` is a table."""
    implied_recursion: bool
    """A CTE may read itself without the word RECURSIVE."""
    dual_keyword: bool
    """DUAL is a keyword: quoted, it would be a table."""
    open_ended_statements: bool
    """A second statement needs no separator: SELECT 1 DELETE FROM t is two."""

    compares_any_types: bool
    """A number and a text can be joined, so keys are often declared with types that differ."""
    smaller_of: str | None
    """The function that gives the smaller of two numbers, where a limit may be an expression."""
    offset_needs_order: bool
    """Rows are skipped by OFFSET ... FETCH, which needs an ORDER BY."""
    last_select_is_limited: bool
    """ORDER BY and LIMIT after a UNION belong to its last SELECT."""
