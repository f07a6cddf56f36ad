"""Words that look like columns and are not: date parts as arguments, and pseudo-columns."""

from __future__ import annotations

from sqlglot import exp

from inquery.sql.dialects import DIALECTS
from inquery.sql.guard.functions import call_name
from inquery.sql.names import Visible

_UNITS = [
    "microsecond",
    "millisecond",
    "nanosecond",
    "second",
    "minute",
    "hour",
    "day",
    "week",
    "month",
    "quarter",
    "year",
    "decade",
    "century",
    "millennium",
    "epoch",
    "isoweek",
    "isoyear",
    "dayofweek",
    "dayofyear",
    "dayofmonth",
    "isodow",
    "weekday",
    "dow",
    "doy",
    "week_iso",
    "weekiso",
    "weekofyear",
    "dayofweekiso",
    "dayofweek_iso",
    "yearofweek",
    "yearofweekiso",
    "yyyy",
    "yy",
    "qq",
    "mm",
    "dd",
    "hh",
    "mi",
    "ss",
    "ms",
    "mcs",
    "ns",
    "wk",
    "ww",
    "dw",
    "dy",
    "iso_week",
    "isowk",
    "isoww",
    "d",
    "m",
    "q",
    "y",
    "w",
    "h",
    "s",
    "n",
    "date",
    "time",
    "datetime",
    "timestamp",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "epoch_second",
    "epoch_millisecond",
    "epoch_microsecond",
    "epoch_nanosecond",
    "timezone_hour",
    "timezone_minute",
    "mon",
    "min",
    "sec",
    "hrs",
    "mins",
    "secs",
    "yr",
    "hr",
    "us",
    "nsec",
    "usec",
    "msec",
    "tzoffset",
    "dayname",
]
UNITS = frozenset(_UNITS) | {f"{unit}s" for unit in _UNITS}

# MySQL's compound units, SQL Server's encodings and the like are arguments of these families only.
_DATE_WORDS = ("date", "time", "day", "week", "month", "year", "hour", "trunc", "extract", "slice", "bucket", "age")

# COUNT(DISTINCT x) style words that some functions take bare.
_BARE_WORDS: dict[str, frozenset[str]] = {
    "normalize": frozenset({"nfc", "nfd", "nfkc", "nfkd"}),
    "get_format": frozenset({"date", "time", "datetime", "timestamp"}),
    "hashbytes": frozenset(),
    "json_query": frozenset({"without", "wrapper"}),
    "weight_string": frozenset({"char", "binary"}),
}

# These belong to a stored table and are not there once it is a derived one.
_STORED = frozenset({"rowid", "_rowid_", "oid", "_partitiontime", "_partitiondate"})


def is_keyword_argument(node: exp.Column, dialect: str) -> bool:
    """DATE_TRUNC(x, MONTH): a word that names a unit, not a column."""
    name = node.name.lower()
    call = node.parent
    while call is not None and not isinstance(call, exp.Func):
        if isinstance(call, exp.Select):
            return False
        call = call.parent
    if call is None or node.this.args.get("quoted") or call is not node.parent:
        return False
    function = call_name(call) or type(call).__name__.lower()
    if name in _BARE_WORDS.get(function, ()):
        return True
    return name in UNITS and any(word in function for word in _DATE_WORDS)


def is_pseudo_column(name: str, dialect: str, seen: Visible | None) -> bool:
    """ROWNUM, rowid and their like; those of a stored table only where the table is read as it is."""
    lowered = name.lower()
    if lowered not in DIALECTS[dialect].pseudo_columns:
        return False
    if lowered in _STORED:
        return seen is not None and not seen.wrapped
    return True
