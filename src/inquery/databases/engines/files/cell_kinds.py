"""What the cells of a text column are to a person: numbers with signs of money, per cents, dates, codes.

Each kind is a pattern, read by Python on a first look and by DuckDB on the whole column (so only what RE2 knows too), and an
expression of DuckDB that makes the value. Cells that do not fit become NULL and are counted, never dropped in silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

ENOUGH = 0.7
"""A column is of a kind when this share of its cells is; the rest stay empty, and are told."""
TELLING = 0.5
"""From this share on, a column that stays text is told to have nearly been of a kind."""
FEWEST = 3
"""So many cells must fit before others are left empty for their sake."""

_WIDE = "０１２３４５６７８９．，％（）－＋　−\u00a0\u202f\u2009"
_NARROW = "0123456789.,%()-+ -   "
_FOLD = str.maketrans(_WIDE, _NARROW)
MISSING = (
    "", "-", "--", "—", "——", "/", "\\", ".", "?", "n/a", "na", "n.a.", "null", "none", "nan", "nil", "#n/a", "#div/0!",
    "#value!", "#ref!", "#name?", "#null!", "无", "空", "暂无", "未知",
)  # fmt: skip
"""What stands in a cell that holds nothing; in a column of numbers or dates only."""
_DIGITS = r"(?:[1-9]\d{0,2}(?:,\d{2,3})+|0|[1-9]\d*)(?:\.\d+)?|\.\d+"
_MONEY = r"(?:CNY|RMB|USD|EUR|GBP|HK\$|US\$|[￥¥$€£])"
_AMOUNT = rf"[-+]?\s?{_MONEY}?\s?[-+]?\s?(?:{_DIGITS})(?:[eE][-+]?\d+)?\s?(?:万元|亿元|万|亿|元|CNY|RMB|USD|EUR|€)?"
_HALVES = "上午|下午|凌晨|早上|中午|晚上|[ap]\\.?m\\.?"
_CLOCK = rf"(?:(?:{_HALVES})\s?)?\d{{1,2}}[:时]\d{{1,2}}(?:[:分]\d{{1,2}})?[分秒]?(?:\s?(?:[ap]\.?m\.?))?"
_TIME = rf"(?:[T ]?\s?({_CLOCK})(?:\.\d+)?Z?)?"
_UNITS = (
    "kg|g|mg|t|lb|lbs|oz|km|m|cm|mm|mi|ft|in|l|ml|h|hr|hrs|hours?|min|mins|minutes?|s|sec|days?|years?|pcs|units?|kwh|kw|w|mb|gb|tb|"
    "m2|m3|m²|m³|㎡|公斤|千克|克|吨|斤|公里|千米|米|厘米|毫米|升|毫升|小时|分钟|秒|天|年|岁|个|件|台|套|人|人次|次|箱|瓶|盒|单|笔|平方米|平米|立方米"
)
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.?"
_DATE_NAME = re.compile(r"日期|时间|日$|(?:^|_|\s)(?:date|day|dt|time|at|on)$", re.I)
_MONTH_NAME = re.compile(r"月份?$|年月|期间|账期|(?:^|_|\s)(?:month|ym|period|yearmonth|year_month)$", re.I)
_CODE_NAME = re.compile(
    r"(?:^|_|\s)(?:id|no|code|key|sku|zip|zipcode|postcode|phone|mobile|tel|room|model|version|number)$"
    r"|编号|编码|代码|号$|号码|电话|手机|邮编|型号|规格|版本|学号|工号|单号",
    re.I,
)
# Two digits of a year first: %Y takes 24 for the year 24.
_ENGLISH_MONTHS = ("%b %Y", "%B %Y", "%b, %Y", "%B, %Y", "%b-%y", "%b-%Y", "%B-%Y")
_ENGLISH = ("%d %b %Y", "%b %d, %Y", "%B %d, %Y", "%d %B %Y", "%d-%b-%y", "%d-%b-%Y", "%b %d %Y", "%B %d %Y")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of cell: how a note calls it, its pattern, its type, and the value as DuckDB makes it of a folded cell."""

    name: str
    pattern: str
    type: str
    value: Callable[[str], str]

    def fits(self, folded: str) -> bool:
        """Whether a folded cell is of the kind."""
        return re.fullmatch(self.pattern, folded, re.I) is not None

    def sql(self, column: str) -> str:
        """The value of a column, NULL where a cell does not fit."""
        cell = folded_sql(column)
        return f"CASE WHEN {self._matches(cell)} THEN {self.value(cell)} END"

    def _matches(self, cell: str) -> str:
        return f"regexp_full_match({cell}, {quoted('(?i)' + self.pattern)})"


def fold_cell(cell: str) -> str:
    """A cell with the signs of East Asian typing as ASCII has them."""
    return cell.translate(_FOLD).strip()


def folded_sql(column: str) -> str:
    """The same in DuckDB."""
    return f"trim(translate({column}, {quoted(_WIDE)}, {quoted(_NARROW)}))"


def present_sql(column: str) -> str:
    """Whether a cell holds anything, in DuckDB."""
    return f"{column} IS NOT NULL AND lower({folded_sql(column)}) NOT IN ({', '.join(map(quoted, MISSING))})"


def is_present(cell: str) -> bool:
    """The same of a folded cell."""
    return cell.lower() not in MISSING


def quoted(text: str) -> str:
    """A text literal of DuckDB."""
    return "'" + text.replace("'", "''") + "'"


def _amount(cell: str, type_name: str) -> str:
    """Sign, digits and scale apart: (1,234) is minus 1234, 3.5万 is 35000."""
    bare = f"replace({cell}, ',', '')"
    size = f"TRY_CAST(regexp_extract({bare}, {quoted(r'(?:[0-9]+(?:[.][0-9]+)?|[.][0-9]+)(?:[eE][-+]?[0-9]+)?')}) AS {type_name})"
    sign = f"CASE WHEN regexp_matches({cell}, {quoted(r'^[(]|^[^0-9.]*-')}) THEN -1 ELSE 1 END"
    if type_name == "BIGINT":
        return f"({sign}) * {size}"
    scale = f"CASE WHEN contains({cell}, '亿') THEN 1e8 WHEN contains({cell}, '万') THEN 1e4 ELSE 1 END"
    return f"({sign}) * {size} * ({scale})"


def _percent(cell: str) -> str:
    # Divided, not multiplied: 12.3 * 0.01 is 0.12300000000000001. Sheets keep 12% as 0.12, some cells as text.
    return f"{_amount(cell, 'DOUBLE')} / CASE WHEN contains({cell}, '%') THEN 100 ELSE 1 END"


def _parts(pattern: str, *order: int) -> Callable[[str], str]:
    """A date of the groups of a pattern, year, month and day in this order; 0 is the first day."""

    def value(cell: str) -> str:
        pieces = [f"regexp_extract({cell}, {quoted('(?i)' + pattern)}, {group})" if group else "'1'" for group in order]
        return f"TRY_CAST({' || quoted_dash || '.join(pieces)} AS DATE)".replace("quoted_dash", "'-'")

    return value


def _moment(pattern: str, *order: int) -> Callable[[str], str]:
    """The same with a time of day, the fourth group."""

    def value(cell: str) -> str:
        day = _parts(pattern, *order)(cell)
        clock = f"regexp_extract({cell}, {quoted('(?i)' + pattern)}, 4)"
        digits = f"regexp_extract({clock}, '[0-9]{{1,2}}[:时][0-9]{{1,2}}(?:[:分][0-9]{{1,2}})?')"
        digits = f"regexp_replace({digits}, '[时分]', ':', 'g')"
        hour = f"TRY_CAST(regexp_extract({clock}, '[0-9]{{1,2}}') AS INTEGER)"
        later = f"regexp_matches({clock}, '(?i)下午|中午|晚上|p[.]?m') AND {hour} < 12"
        earlier = f"regexp_matches({clock}, '(?i)上午|凌晨|早上|a[.]?m') AND {hour} = 12"
        shift = f"CASE WHEN {later} THEN 12 WHEN {earlier} THEN -12 ELSE 0 END"
        moment = f"TRY_CAST(CAST({day} AS VARCHAR) || ' ' || coalesce(nullif({digits}, ''), '00:00') AS TIMESTAMP)"
        return f"{moment} + to_hours({shift})"

    return value


def _english(*formats: str) -> Callable[[str], str]:
    """A date whose month is a word; Sept is none to DuckDB."""
    listed = "[" + ", ".join(map(quoted, formats)) + "]"
    return lambda cell: (
        f"CAST(try_strptime(regexp_replace(replace({cell}, '.', ''), '(?i)sept\\b', 'Sep'), {listed}) AS DATE)"
    )


_YMD = r"(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})\s?[日号]?"
_NUMERIC_DAY = r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})"
_MONTH = r"(\d{4})\s?[-/年]\s?(\d{1,2})\s?(?:月份|月)?"
_DIGIT_DAY = r"((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])"
_DIGIT_MONTH = r"((?:19|20)\d\d)(0[1-9]|1[0-2])"
_ENGLISH_DAY = rf"\d{{1,2}}[ -]{_MONTHS}[ -]\d{{2,4}}|{_MONTHS} \d{{1,2}},? \d{{4}}"
_ENGLISH_MONTH = rf"{_MONTHS}(?:,? \d{{4}}|-\d{{4}}|-\d\d)"
_EUROPEAN = (
    r"[-+]?\s?€?\s?(?:[1-9]\d{0,2}(?:[. ]\d{3})+|0|[1-9]\d*),\d+\s?€?|[-+]?\s?€?\s?[1-9]\d{0,2}(?:\.\d{3})+\s?€?"
)

DATE = Kind("date", _YMD, "DATE", _parts(_YMD, 1, 2, 3))
MOMENT = Kind("date", _YMD + _TIME, "TIMESTAMP", _moment(_YMD + _TIME, 1, 2, 3))
DAY_FIRST = Kind("day_first", _NUMERIC_DAY, "DATE", _parts(_NUMERIC_DAY, 3, 2, 1))
MONTH_FIRST = Kind("month_first", _NUMERIC_DAY, "DATE", _parts(_NUMERIC_DAY, 3, 1, 2))
DAY_FIRST_MOMENT = Kind("day_first", _NUMERIC_DAY + _TIME, "TIMESTAMP", _moment(_NUMERIC_DAY + _TIME, 3, 2, 1))
MONTH_FIRST_MOMENT = Kind("month_first", _NUMERIC_DAY + _TIME, "TIMESTAMP", _moment(_NUMERIC_DAY + _TIME, 3, 1, 2))
ENGLISH = Kind("date", _ENGLISH_DAY, "DATE", _english(*_ENGLISH))
ENGLISH_MONTH = Kind("month", _ENGLISH_MONTH, "DATE", _english(*_ENGLISH_MONTHS))
MONTH = Kind("month", _MONTH, "DATE", _parts(_MONTH, 1, 2, 0))
YEAR = Kind("year", r"(\d{4})\s?年度?", "BIGINT", lambda cell: f"TRY_CAST(left({cell}, 4) AS BIGINT)")
DIGIT_DAY = Kind("date", _DIGIT_DAY, "DATE", _parts(_DIGIT_DAY, 1, 2, 3))
DIGIT_MONTH = Kind("month", _DIGIT_MONTH, "DATE", _parts(_DIGIT_MONTH, 1, 2, 0))
PERCENT = Kind("percent", rf"(?:[-+]?\s?(?:{_DIGITS})\s?%|\((?:{_DIGITS})\s?%\)|-?0?\.\d+|0|1)", "DOUBLE", _percent)
WHOLE = Kind(
    "number",
    rf"(?:[-+]?\s?{_MONEY}?\s?[-+]?\s?(?:[1-9]\d{{0,2}}(?:,\d{{2,3}})+|0|[1-9]\d*)\s?(?:元)?|\({_MONEY}?\s?\d[\d,]*\))",
    "BIGINT",
    lambda cell: _amount(cell, "BIGINT"),
)
AMOUNT = Kind("number", rf"(?:{_AMOUNT}|\({_AMOUNT}\))", "DOUBLE", lambda cell: _amount(cell, "DOUBLE"))
EUROPEAN = Kind(
    "number",
    rf"(?:{_EUROPEAN}|[-+]?\s?\d+)",
    "DOUBLE",
    lambda cell: (
        f"TRY_CAST(replace(replace(regexp_replace({cell}, {quoted(r'[€ ]')}, '', 'g'), '.', ''), ',', '.') AS DOUBLE)"
    ),
)
_OF_TEXT = (DATE, MOMENT, ENGLISH, ENGLISH_MONTH, MONTH, YEAR, PERCENT, WHOLE, AMOUNT, EUROPEAN)
"""What a text column may be, the narrower of two kinds before the wider."""
NUMBERS = frozenset({"number", "percent"})
_BARE = re.compile(r"[-+]?\d+")
_LEADING_ZERO = re.compile(r"0\d+")


def kind_of_cells(name: str, cells: Sequence[str]) -> Kind | None:
    """The kind that most cells of a text column are of, from a first look; None for plain text."""
    present = [folded for cell in cells if is_present(folded := fold_cell(cell))]
    if not present or any(_LEADING_ZERO.fullmatch(cell) for cell in present):
        return None
    counted = [(sum(map(kind.fits, present)), kind) for kind in _OF_TEXT]
    days = [re.fullmatch(_NUMERIC_DAY + _TIME, cell, re.I) for cell in present]
    counted.append((sum(found is not None for found in days), _day_or_month_first([d for d in days if d])))
    if measured := _with_unit(present):
        counted.append((sum(map(measured.fits, present)), measured))
    if _DATE_NAME.search(name):
        counted.append((sum(map(DIGIT_DAY.fits, present)), DIGIT_DAY))
    if not any("%" in cell for cell in present):
        counted = [each for each in counted if each[1] is not PERCENT]
    best, kind = max(counted, key=lambda each: each[0])
    return kind if best >= TELLING * len(present) else None


def _day_or_month_first(days: Sequence[re.Match[str]]) -> Kind:
    """31/12/2024 or 12/31/2024; where every day is below 13, the month is first only if that keeps days in order."""
    timed = any(day[4] for day in days)
    day_first, month_first = (DAY_FIRST_MOMENT, MONTH_FIRST_MOMENT) if timed else (DAY_FIRST, MONTH_FIRST)
    if any(int(day[1]) > 12 for day in days):
        return day_first
    if any(int(day[2]) > 12 for day in days):
        return month_first
    return month_first if len({day[1] for day in days}) <= len({day[2] for day in days}) else day_first


def _with_unit(present: Sequence[str]) -> Kind | None:
    """Numbers that all bear one unit of measure, 12 kg and 7.5 kg; 1.5 m beside 80 cm stays text."""
    number = rf"[-+]?\s?(?:{_DIGITS})"
    found = [re.fullmatch(rf"{number}\s?({_UNITS})", cell, re.I) for cell in present]
    units = {each[1].lower() for each in found if each}
    if len(units) != 1 or any(re.fullmatch(r"(?:19|20)\d\d\s?年", cell) for cell in present):
        return None
    return Kind("number", rf"{number}\s?{re.escape(units.pop())}", "DOUBLE", lambda cell: _amount(cell, "DOUBLE"))


_CURRENCIES = {
    "$": r"(?<!HK)\$|USD", "€": "€|EUR", "£": "£|GBP", "¥": "[￥¥元]|CNY|RMB", "HK$": r"HK\$|HKD",
}  # fmt: skip


def currencies_of(cells: Sequence[str]) -> tuple[str, ...]:
    """The currencies that cells of money are in, by their signs."""
    return tuple(sign for sign, way in _CURRENCIES.items() if any(re.search(way, cell, re.I) for cell in cells))


def date_of_digits(name: str, cells: Sequence[str]) -> Kind | None:
    """The kind of a column of whole numbers that are dates, 20240305 or, under a name that says so, 202403."""
    present = [folded for cell in cells if is_present(folded := fold_cell(cell))]
    if not present or (_CODE_NAME.search(name) and not _DATE_NAME.search(name)):
        return None
    if all(map(DIGIT_DAY.fits, present)) and (_DATE_NAME.search(name) or len(set(present)) >= FEWEST):
        return DIGIT_DAY
    return DIGIT_MONTH if _MONTH_NAME.search(name) and all(map(DIGIT_MONTH.fits, present)) else None


def stays_text(name: str, kind: Kind, fitting: int, odd: Sequence[str], odd_count: int, decorated: bool) -> bool:
    """Whether cells that do not fit speak against the kind: too many, or codes such as 12A among plain numbers."""
    if not odd_count:
        return False
    if fitting < FEWEST or fitting < ENOUGH * (fitting + odd_count):
        return True
    code = kind.name == "number" and not decorated
    return code and (_CODE_NAME.search(name) is not None or any(re.search(r"\d", cell) for cell in odd))


def is_decorated(cells: Sequence[str]) -> bool:
    """Whether some cells bear more than digits, such as a currency or a decimal point."""
    return any(not _BARE.fullmatch(fold_cell(cell)) and re.search(r"\d", cell) for cell in cells)
