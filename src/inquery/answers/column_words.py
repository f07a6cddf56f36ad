"""What a reader calls the columns of a result, and how their values look: never a database's name, never SQL.

A column is a metric of the glossary, a stored column, an aggregate of one, or something that a writer worked out and named;
each is told in the reader's language, with its unit where one is known.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.answers.answer import AnswerColumn, ColumnFormat
from inquery.answers.date_part_words import date_part_words
from inquery.answers.formats import humanise
from inquery.answers.shape import Rows
from inquery.catalog.main_things import counted_name, told_name
from inquery.knowledge.glossary import Both, Glossary, Metric
from inquery.language.text import has_cjk, name_words, singular, within_sentence, word_set
from inquery.metrics.spoken_labels import bare_table_name
from inquery.sql.catalog import Catalog, Join, Table
from inquery.sql.statement import Place, Scope, Statement

COMMON = {
    "year": "年份", "quarter": "季度", "month": "月份", "week": "周", "day": "日期", "date": "日期", "hour": "小时", "count": "数量",
    "n": "数量", "num": "数量", "cnt": "数量", "total": "合计", "amount": "金额", "average": "平均值", "share": "占比", "percent": "占比",
    "percentage": "占比", "rate": "比率", "ratio": "比率", "value": "数值", "difference": "差额", "growth": "增长率", "change": "变化",
    "weekday": "星期", "rank": "排名",
}  # fmt: skip
VAGUE = word_set(
    "n num cnt count counted total sum avg average mean value result amount number min max minimum "
    "maximum highest lowest res out x y name label"
)
"""Names that writers give for want of a better one: what was worked out says more."""
MONEY = word_set(
    "amount price cost revenue sales salary wage refund profit fee income expense expenses payment paid "
    "spend spent budget turnover bonus premium fare rent charge debt credit earnings"
)
NUMBERS = word_set("id no number num code key uuid ref")
MONEY_ZH = re.compile(r"金额|价|成本|收入|薪|工资|费用|费$|额$|利润|营收|支出|预算|元[）)]")
SHARES = word_set("rate ratio share percent percentage pct proportion margin fraction")
SHARES_ZH = re.compile(r"率$|占比|比例|百分比|份额|比重")
_SHARE_ASKED = re.compile(r"率|占比|比例|百分比|份额")
_RATE = frozenset(["rate", "ratio", "percent", "percentage", "pct"])
_NO_PART = word_set("exchange fx currency hourly daily heart pulse frame frames sampling sample bit clock aspect gear")
"""What is told per hour or per something else is no part of a whole: an exchange rate of 0.14 is no 14%."""
_RATE_ZH = re.compile(r"(?<![汇频功速心倍斜曲])率$|占比$|比例$|百分比$")
_PART_OF_ONE = re.compile(r"0?\.\d+|0(?:\.0+)?|1(?:\.0+)?")
CURRENCY = re.compile(r"\b(?:in )?(CNY|RMB|USD|EUR|GBP|JPY|HKD)\b|[（(](元|美元|欧元)[）)]")
_NAMED_SO = {"元": "CNY", "RMB": "CNY", "美元": "USD", "欧元": "EUR"}
_AGGREGATES: dict[type[exp.Expr], tuple[str, str, str, str]] = {
    exp.Sum: ("total", "{}合计", "total", "{}合计"),
    exp.Avg: ("average", "平均{}", "average", "平均{}"),
    exp.Max: ("highest", "最高{}", "latest", "最晚{}"),
    exp.Min: ("lowest", "最低{}", "earliest", "最早{}"),
}
"""English and Chinese for amounts, then for moments."""
BARE_SHARES = frozenset({"percent", "percentage", "pct", "share"})
LONGEST_NAME = 3
LONGEST_NAME_ZH = 8
"""供应商所在国家 names a column, 退货件数占销售件数 explains one."""
SHORTEST_WORD = 3
_NUMERIC = re.compile(r"int|real|num|dec|doub|float|money", re.I)
_THROUGH = (exp.Paren, exp.Cast, exp.Round, exp.Coalesce, exp.Neg, exp.Abs, exp.Nullif, exp.Distinct)


@dataclass(frozen=True, slots=True)
class _Speaker:
    """Names of one database in one language."""

    catalog: Catalog
    glossary: Glossary
    language: str
    question: str = ""

    def say(self, en: str, zh: str) -> str:
        return zh if self.language == "zh" else en

    def table(self, table: Table) -> str:
        """What a table's rows are called."""
        about = self.glossary.tables.get(table.full_name) or self.glossary.tables.get(table.name)
        if self.language == "zh" and about and about.description.zh:
            return _head(about.description.zh)
        comment = "" if re.search(r"\.\w{3,7}$", table.comment) else table.comment  # the name of a file
        bare = bare_table_name(table, self.catalog)
        return told_name(bare, comment, self.language, self.question) or humanise(bare)

    def column(self, place: Place) -> str:
        """What a stored column is called; the one that names rows is called as they are: a store, not a name."""
        table, column = place.table, place.table.column(place.column)
        if column is None:
            return humanise(place.column)
        shown = self.glossary.shown_as(table, column.name)
        if own := self.own_name(place):
            return own
        if column.name in table.display or re.fullmatch(r"(?:full_?)?name(?:_[a-z]{2})?", column.name, re.I):
            return (
                " ".join(singular(word) for word in self.table(table).split())
                if self.language != "zh"
                else self.table(table)
            )
        called = self.glossary.dimensions.get(f"{table.name}.{column.name}")
        if called and (label := called.label.zh if self.language == "zh" else called.label.en):
            return label
        about = self.glossary.tables.get(table.full_name) or self.glossary.tables.get(table.name)
        said = about.columns.get(column.name) if about else None
        # Who filled in the form of a column says there what it is called: what it means is no name then.
        if said and not shown and (head := self._name_in(said, column.name)):
            return head
        meant = [said.zh, said.en] if said else []
        comment = "" if any(text and text in column.comment for text in meant) else column.comment
        told = told_name(column.name, comment, self.language, self.question)
        if not told and self.language == "zh":
            told = COMMON.get(column.name.casefold(), "")
        return told or shown.label.said(self.language) or humanise(column.name)

    def own_name(self, place: Place) -> str:
        """What people call a column in this language; empty where they did not say."""
        own = self.glossary.shown_as(place.table, place.column).label
        return own.zh if self.language == "zh" else own.en

    def _name_in(self, meaning: Both, stored: str) -> str:
        """What a column is called at the beginning of what it means; empty where that only explains it."""
        if self.language != "zh":
            return _short_english(meaning.en)
        head = _head(meaning.zh)
        return head if len(head) <= LONGEST_NAME_ZH and not has_cjk(stored) else ""

    def metric(self, name: str, metric: Metric) -> str:
        """What a metric is called; English labels stand within a sentence."""
        label = metric.label.said(self.language) or next((w for w in metric.synonyms if has_cjk(w)), "")
        if self.language == "zh":
            return label or humanise(name)
        plain = metric.label.en or humanise(name)
        return plain[:1].lower() + plain[1:] if plain[1:2].islower() else plain

    def currency(self, place: Place) -> str:
        """The currency of a stored amount; empty where it is none or nothing says which."""
        table, column = place.table, place.table.column(place.column)
        shown = self.glossary.shown_as(table, place.column)
        if shown.format and shown.format != "money":
            return ""
        if shown.format:
            return shown.unit or self.glossary.calendar.currency
        about = self.glossary.tables.get(table.full_name) or self.glossary.tables.get(table.name)
        said = about.columns.get(place.column) if about else None
        texts = [column.comment if column else "", said.en if said else "", said.zh if said else ""]
        found = next((hit[1] or hit[2] for text in texts if (hit := CURRENCY.search(text))), "")
        if found:
            return _NAMED_SO.get(found, found)
        return self.glossary.calendar.currency if is_money(place.column) else ""

    def style(self, place: Place) -> tuple[ColumnFormat, str]:
        """Format and unit of a stored number: as people set them, else money where it is an amount, and a rate's share."""
        if (own := self.glossary.shown_as(place.table, place.column)).format:
            return own.format, self.currency(place)
        unit = self.currency(place)
        return ("money" if unit else "fraction" if self._keeps_rate(place) else ""), unit

    def _keeps_rate(self, place: Place) -> bool:
        """Whether a column is called a rate and keeps parts of one: 0.036 of what was sold came back."""
        column = place.table.column(place.column)
        known = [sample for sample in column.samples if sample] if column else []
        if column is None or not any("." in sample for sample in known):
            return False
        about = self.glossary.tables.get(place.table.full_name) or self.glossary.tables.get(place.table.name)
        said = (about.columns.get(column.name) if about else None) or Both()
        label = self.glossary.shown_as(place.table, column.name).label
        called = [column.name, label.en, label.zh, *map(_head, (column.comment, said.en, said.zh))]
        return all(map(_PART_OF_ONE.fullmatch, known)) and any(map(is_rate, called))

    def codes(self, place: Place, cells: Sequence[object]) -> dict[str, str]:
        """What the codes among some cells stand for."""
        column = place.table.column(place.column)
        phrases = self.glossary.values.get(place.name) or self.glossary.values.get(
            f"{place.table.name}.{place.column}", {}
        )
        found: dict[str, str] = {}
        for value in {str(cell) for cell in cells if isinstance(cell, str | int) and not isinstance(cell, bool)}:
            meant = column.meaning_of(value) if column else None
            words = [*phrases.get(value, ()), *(meant.words if meant else ())]
            if word := self._code(value, words):
                found[value] = word
        return found

    def _code(self, value: str, words: Sequence[str]) -> str:
        if self.language == "zh":
            return next((word for word in words if has_cjk(word)), "")
        if re.fullmatch(r"[a-z]+(?:_[a-z]+)+", value):
            return humanise(value)
        # `east` says itself to who reads English, 3 and M do not.
        opaque = re.search(rf"[^\W\d_]{{{SHORTEST_WORD}}}", value) is None
        return next((word for word in words if not has_cjk(word)), "") if opaque else ""


def _head(text: str) -> str:
    return re.split(r"[，,：:；;（(。]", text)[0].strip()


def _short_english(text: str) -> str:
    """What a description calls a column, where that is a name and no explanation."""
    head = _head(text)
    named = len(head.split()) <= LONGEST_NAME and not re.match(
        r"(?:who|whose|when|where|what|which|is|\d)\b", head, re.I
    )
    return head[:1].lower() + head[1:] if named and head[1:2].islower() else ""


def is_money(name: str) -> bool:
    """Whether a column is called an amount of money; payment_id is the number of a payment."""
    words = [singular(word) for word in name_words(name)]
    if words[-1:] and words[-1] in NUMBERS:
        return False
    return bool(set(words) & MONEY) or bool(MONEY_ZH.search(name))


def is_rate(name: str) -> bool:
    """Whether something is called a part of a whole: a return rate is, an exchange rate is none."""
    words = [singular(word) for word in name_words(name)]
    english = words[-1:] and words[-1] in _RATE and not set(words) & _NO_PART
    return bool(english or _RATE_ZH.search(re.sub(r"[（(][^）)]*[）)]$", "", name)))


def _is_share(name: str) -> bool:
    return bool(set(name_words(name)) & SHARES) or bool(SHARES_ZH.search(name))


def word_columns(
    columns: Sequence[AnswerColumn],
    rows: Rows,
    statement: Statement | None,
    glossary: Glossary,
    catalog: Catalog,
    language: str,
    question: str = "",
) -> list[AnswerColumn]:
    """The columns with what a reader calls them, their format and unit, and words for the codes they hold."""
    speaker = _Speaker(catalog, glossary, language, question)
    top = statement.top if statement else None
    items = top.select.expressions if top is not None else []
    plain = top is not None and len(items) == len(columns) and not any(item.is_star for item in items)
    given = list(top.read_shown()) if top is not None else []
    shown = given if len(given) == len(columns) else []
    found = []
    for at, column in enumerate(columns):
        item = items[at].unalias() if plain else None
        place = shown[at].place if shown else None
        made = _worded(column, item, place, top, speaker)
        if item is not None and not made.format and column.kind == "number":
            made = made.model_copy(update={"format": _share_made_below(item, column.name)})
        cells = [row[at] for row in rows[:200]]
        if (
            made.format == "fraction"
            and item is not None
            and top is not None
            and _goes_beyond(item, top, cells, speaker)
        ):
            made = made.model_copy(update={"format": ""})
        if item is not None and not made.format and _is_share_of(item, cells, question):
            made = made.model_copy(update={"format": "fraction", "label": made.label or speaker.say("share", "占比")})
        label, codes = "", speaker.codes(place, cells) if place else {}
        if not place:
            label, codes = date_part_words(column.name, item, statement, cells, language)
        found.append(made.model_copy(update={"words": codes, "label": label or made.label}))
    return _told_apart(found, language)


def _share_made_below(item: exp.Expr, name: str) -> ColumnFormat:
    """The format of a share that is worked out in a step before, as the statements of plans do; empty where it is none."""
    if not isinstance(item, exp.Column) or not _is_share(name):
        return ""
    steps = {step.alias: step.this for step in item.root().find_all(exp.CTE)}
    found: exp.Expr | None = item
    while isinstance(found, exp.Column):
        select = found.find_ancestor(exp.Select)
        source = select.args.get("from_") if select is not None and not select.args.get("joins") else None
        # A step takes its rows from one step before; where it joins several, the column may be of any of them.
        below = steps.pop(source.this.name, None) if source is not None else None
        shown = below.selects if isinstance(below, exp.Select) else []
        found = next((each.unalias() for each in shown if each.alias_or_name == found.name), None)
    return _share_format(found) if found is not None and _is_ratio(found) else ""


def _goes_beyond(item: exp.Expr, scope: Scope, cells: Sequence[object], speaker: _Speaker) -> bool:
    """Whether figures of a column that was taken for a rate by its samples are no parts of one."""
    inner = _inner(item)
    inner = _inner(inner.this) if type(inner) in _AGGREGATES else inner
    place = scope.place(inner) if isinstance(inner, exp.Column) else None
    if place is None or speaker.glossary.shown_as(place.table, place.column).format:
        return False
    return any(isinstance(cell, int | float | Decimal) and not 0 <= cell <= 1 for cell in cells)


def _is_share_of(item: exp.Expr, cells: Sequence[object], question: str) -> bool:
    """Whether a count over a count is the rate that the question asks for: 0.0946387 of what was sold came back."""
    whole = _inner(item)
    counts = isinstance(whole, exp.Div) and all(
        isinstance(_inner(x), exp.Count) for x in (whole.this, whole.expression)
    )
    asked = bool(set(name_words(question)) & SHARES) or bool(_SHARE_ASKED.search(question))
    return (
        counts and asked and all(isinstance(cell, int | float) and 0 <= cell <= 1 for cell in cells if cell is not None)
    )


def own_names(
    statement: Statement | None, columns: int, glossary: Glossary, catalog: Catalog, language: str
) -> list[str]:
    """What people call the stored columns that a statement shows, by their places; empty for all else."""
    places = [each.place for each in statement.top.read_shown()] if statement and statement.top else []
    speaker = _Speaker(catalog, glossary, language)
    named = [speaker.own_name(place) if place is not None else "" for place in places]
    return named if len(named) == columns else [""] * columns


def name_of_column(place: Place, glossary: Glossary, catalog: Catalog, language: str, question: str = "") -> str:
    """What a stored column is called."""
    return _Speaker(catalog, glossary, language, question).column(place)


def name_of_figure(item: exp.Expr, scope: Scope, glossary: Glossary, catalog: Catalog, language: str) -> str:
    """What a figure that is worked out is called; empty where its shape does not tell."""
    return _derived(item, scope, _Speaker(catalog, glossary, language))[0]


def name_of_value(place: Place, value: str, glossary: Glossary, catalog: Catalog, language: str) -> str:
    """What a stored value is called: paid for 1, else as it is stored."""
    return _Speaker(catalog, glossary, language).codes(place, [value]).get(value, value)


def name_of_rows(
    table: Table, glossary: Glossary, catalog: Catalog, language: str, question: str = "", *, several: bool
) -> str:
    """What the rows of a table are called: orders, a store."""
    told = _Speaker(catalog, glossary, language, question).table(table)
    if language == "zh":
        return told
    if several:
        return counted_name(told, "en") or f"{told} records"
    return " ".join(singular(word) for word in told.split())


def ranking_words(
    statement: Statement | None, glossary: Glossary, catalog: Catalog, language: str
) -> tuple[str, bool] | None:
    """By what the shown rows are ranked and whether from above; None where they are not, or by something shown."""
    if statement is None or statement.top is None or not statement.ranking.by:
        return None
    first = statement.ranking.by[0]
    by: exp.Expr = first.this
    aliases = {item.alias.casefold(): item.unalias() for item in statement.top.select.expressions if item.alias}
    if isinstance(by, exp.Column) and not by.table:
        by = aliases.get(by.name.casefold(), by)
    if isinstance(by, exp.Literal) and by.is_int and 0 < int(by.name) <= len(statement.top.select.expressions):
        by = statement.top.select.expressions[int(by.name) - 1].unalias()
    if not _is_figure(by, statement.top):
        return None
    label = _derived(by, statement.top, _Speaker(catalog, glossary, language))[0]
    return (label, bool(first.args.get("desc"))) if label else None


def _is_figure(by: exp.Expr, scope: Scope) -> bool:
    """Whether an order ranks by a number: names, keys and moments only arrange."""
    if by.find(exp.AggFunc) is not None:
        return not isinstance(_inner(by), exp.Max | exp.Min) or _is_number(_inner(_inner(by).this), scope)
    return _is_number(_inner(by), scope)


def _is_number(item: exp.Expr, scope: Scope) -> bool:
    place = scope.place(item) if isinstance(item, exp.Column) else None
    column = place.table.column(place.column) if place else None
    if place is None or column is None:
        return isinstance(item, exp.Add | exp.Sub | exp.Mul | exp.Div)
    keys = {name for key in place.table.foreign_keys for name in key.columns}
    return bool(_NUMERIC.search(column.type)) and not column.primary_key and column.name not in keys


def _told_apart(columns: list[AnswerColumn], language: str) -> list[AnswerColumn]:
    """Two columns of one name keep their own names in words, where a reader of the language can read these."""
    labels = [column.label for column in columns]
    return [
        column.model_copy(update={"label": humanise(column.name)})
        if column.label
        and labels.count(column.label) > 1
        and not re.search(r"[(*]", column.name)
        and (language != "zh" or has_cjk(column.name))
        else column
        for column in columns
    ]


def _worded(
    column: AnswerColumn, item: exp.Expr | None, place: Place | None, scope: Scope | None, speaker: _Speaker
) -> AnswerColumn:
    name = column.name
    metric = speaker.glossary.metrics.get(name.casefold())
    if metric is None or not _is_over(metric, scope):
        metric = _metric_written(item, scope, speaker)
    if metric is not None:
        known = next(key for key, each in speaker.glossary.metrics.items() if each is metric)
        told: ColumnFormat = _share_format(item) if metric.format == "percent" else (metric.format or "number")
        return column.model_copy(
            update={"label": speaker.metric(known, metric), "format": told, "unit": metric.unit or ""}
        )
    label, unit = "", ""
    style: ColumnFormat = ""
    if item is not None and scope is not None:
        label, style, unit = _derived(item, scope, speaker)
    elif place is not None:
        label = speaker.column(place)
        style, unit = speaker.style(place) if column.kind == "number" else ("", "")
    borrowed = name.casefold() in speaker.glossary.metrics  # and it is not that metric, or we were not here
    alias = "" if borrowed or _has_own_name(item, scope, speaker) else _alias_words(name, item, speaker)
    if item is not None and (_is_hundredfold(item) or (_is_ratio(item) and (_is_share(name) or _is_share(alias)))):
        style, unit = _share_format(item), ""
        if name.casefold() in BARE_SHARES:  # 31.58% says that it is a percentage
            alias = speaker.say("share", "占比")
    elif not style and is_money(name) and speaker.glossary.calendar.currency and item is not None and _computes(item):
        style, unit = "money", speaker.glossary.calendar.currency
    return column.model_copy(
        update={"label": alias or label or _fallback(name, speaker), "format": style, "unit": unit}
    )


def _aggregated(item: exp.Expr | None, scope: Scope | None) -> Place | None:
    """The stored column whose total, mean or extreme an expression is; None for all else."""
    inner = _inner(item) if item is not None else None
    if inner is None or scope is None or type(inner) not in _AGGREGATES or not isinstance(inner.this, exp.Expr):
        return None
    column = _inner(inner.this)
    return scope.place(column) if isinstance(column, exp.Column) else None


def _has_own_name(item: exp.Expr | None, scope: Scope | None, speaker: _Speaker) -> bool:
    """Whether a figure is of a column that people named: what a writer called it goes by the stored name."""
    place = _aggregated(item, scope)
    return place is not None and bool(speaker.own_name(place))


def _computes(item: exp.Expr) -> bool:
    """Whether a number is worked out: from something that is no count."""
    return not isinstance(item, exp.Column | exp.Literal) and not isinstance(_inner(item), exp.Count)


def _is_ratio(item: exp.Expr) -> bool:
    """Whether something is divided, or yes and no are averaged."""
    averaged = any(isinstance(_inner(each.this), exp.Case) for each in item.find_all(exp.Avg))
    return averaged or item.find(exp.Div) is not None


def _is_hundredfold(item: exp.Expr) -> bool:
    """Whether an expression is a ratio in per cent: 100 times an average of yes and no, or over something."""
    item = _inner(item)
    over = isinstance(item, exp.Div)
    if over:
        item = _inner(item.this)
    if not isinstance(item, exp.Mul):
        return False
    factors = [_inner(item.this), _inner(item.expression)]
    hundred = any(isinstance(each, exp.Literal) and each.name in {"100", "100.0"} for each in factors)
    ratio = any(each.find(exp.Div, exp.Avg) is not None for each in factors)
    return hundred and (over or ratio) and item.find(exp.AggFunc) is not None


def _share_format(item: exp.Expr | None) -> ColumnFormat:
    """Whether shares are of 1 or of 100."""
    hundred = item is not None and any(literal.name in {"100", "100.0"} for literal in item.find_all(exp.Literal))
    return "percent" if hundred else "fraction"


def _alias_words(name: str, item: exp.Expr | None, speaker: _Speaker) -> str:
    """The name that a writer gave, where it says more than what it stands for; empty for a stored column's own."""
    if item is None or isinstance(item, exp.Column) or re.search(r"[(*.]", name):
        return ""
    if has_cjk(name) and (head := re.match(r"[A-Za-z]+(?=_)", name)) and head.group().lower() in VAGUE:
        return ""  # total_金额 is what its column and aggregate are called
    if has_cjk(name):  # 合同金额合计 is total 合同金额 to who reads English
        return name.replace("_", "") if speaker.language == "zh" else ""
    if _is_named_by_its_column(name, item):
        return ""
    words = name_words(name)
    if speaker.language == "zh" or not words or len(set(words)) < len(words) or set(words) <= VAGUE:
        return ""
    return told_name(name, "", "en") if len(words) > 1 or words[0] not in VAGUE else ""


def _is_named_by_its_column(name: str, item: exp.Expr) -> bool:
    """Whether an alias is only what its aggregate and column are called: average_monthlyincome of AVG(MonthlyIncome)."""
    inner = _inner(item)
    if type(inner) not in _AGGREGATES or not isinstance(column := _inner(inner.this), exp.Column):
        return False
    said, stored = (re.sub(r"[\W_]", "", text).casefold() for text in (name, column.name))
    return said.endswith(stored) and said.removesuffix(stored) in VAGUE


def is_piece_of_sql(name: str) -> bool:
    """Whether a column has no name but what it was worked out by: SUM(x), home - away."""
    return re.search(r"[(*]|\bselect\b|\s(?:[-+/|]+|<>|[<>=]+)\s", name, re.I) is not None


def _fallback(name: str, speaker: _Speaker) -> str:
    """What is left of a name that nothing else explains; empty for a piece of SQL."""
    if is_piece_of_sql(name):
        return ""
    words = name_words(name)
    if set(words) <= VAGUE:  # total_total, of a column that is called total
        name = "_".join(dict.fromkeys(words)) or name
    told = told_name(name, "", speaker.language, speaker.question)
    if speaker.language == "zh" and not told:
        told = COMMON.get(name.casefold(), "")
    return told or humanise(name)


def _inner(item: exp.Expr) -> exp.Expr:
    while isinstance(item, _THROUGH) and isinstance(item.this, exp.Expr):
        item = item.this
    return item


def _derived(item: exp.Expr, scope: Scope, speaker: _Speaker) -> tuple[str, ColumnFormat, str]:
    """Label, format and unit of an expression, as far as its shape tells them."""
    item = _inner(item)
    style: ColumnFormat
    if isinstance(item, exp.Column):
        place = scope.place(item)
        if place is None:
            return "", "", ""
        kind = place.table.column(place.column)
        style, unit = speaker.style(place) if kind and _NUMERIC.search(kind.type) else ("", "")
        return speaker.column(place), style, unit
    if isinstance(item, exp.Count):
        counted, case = _counted(item, scope, speaker), _inner(item.this) if isinstance(item.this, exp.Expr) else None
        if counted and isinstance(case, exp.Case) and (of := _condition_words(case, scope, speaker)):
            counted = speaker.say(f"{counted} ({of})", f"{counted}（{of}）")
        return counted, "count", ""
    unit = _unit(item, scope, speaker)
    style = "money" if unit else ""
    if isinstance(item, exp.Sub) and item.find(exp.AggFunc) is not None:
        return speaker.say("difference", "差额"), style, unit
    if _is_change(item):
        return speaker.say("change", "变化"), style, unit
    words = _AGGREGATES.get(type(item))
    inner = _inner(item.this) if words else None
    said = ""
    if isinstance(inner, exp.Case) and (found := _condition_words(inner, scope, speaker)):
        said, inner = found, _inner(inner.args["ifs"][0].args["true"])
    if words is None or not isinstance(inner, exp.Column) or (place := scope.place(inner)) is None:
        metric = _metric_written(item, scope, speaker)
        return (speaker.metric(_key_of(metric, speaker), metric) if metric else ""), style, unit
    label, column = speaker.column(place), place.table.column(place.column)
    if column is not None and _NUMERIC.search(column.type):
        style, unit = _style_of_figure(item, place, speaker)
    timely = column is not None and bool(re.search(r"date|time", column.type, re.I))
    en, zh = (words[2], words[3]) if timely else (words[0], words[1])
    if speaker.language == "zh":
        told = label if _says_already(label, zh) else zh.format(label)
        return (f"{told}（{said}）" if said else told), style, unit
    told = label if label.casefold().split()[:1] == [en] else f"{en} {within_sentence(label)}"
    return (f"{told} ({said})" if said else told), style, unit


def _style_of_figure(item: exp.Expr, place: Place, speaker: _Speaker) -> tuple[ColumnFormat, str]:
    """Format and unit of the total, mean or extreme of a column: a mean of per cent is one, their sum is none."""
    style, unit = speaker.style(place)
    return ("", "") if isinstance(item, exp.Sum) and style in {"percent", "fraction"} else (style, unit)


def style_of_measure(text: str, table: Table, glossary: Glossary, catalog: Catalog) -> tuple[ColumnFormat, str]:
    """Format and unit of a measure that is the total, mean or extreme of one column of a table; empty for others."""
    item = _parsed(text, catalog.dialect)
    inner = _inner(item) if item is not None else None
    column = _inner(inner.this) if inner is not None and type(inner) in _AGGREGATES else None
    if inner is None or not isinstance(column, exp.Column) or (known := table.column(column.name)) is None:
        return "", ""
    return _style_of_figure(inner, Place(table, known.name), _Speaker(catalog, glossary, "en"))


def _is_change(item: exp.Expr) -> bool:
    """Whether something is the difference of two figures over one of them: 100 * (now - before) / before."""
    item = _inner(item)
    if isinstance(item, exp.Mul):
        item = next((_inner(x) for x in (item.this, item.expression) if isinstance(_inner(x), exp.Div)), item)
    if not isinstance(item, exp.Div):
        return False
    over = _inner(item.this)
    sides = [_inner(x) for x in (over.this, over.expression)] if isinstance(over, exp.Mul) else [over]
    base = _bare_text(_inner(item.expression))
    taken = next((side for side in sides if isinstance(side, exp.Sub)), None)
    return taken is not None and _bare_text(_inner(taken.expression)) == base


def _condition_words(case: exp.Case, scope: Scope, speaker: _Speaker) -> str:
    """What a figure over a part of the rows is of: the stored value, or the days; empty where it is said otherwise."""
    branches = case.args.get("ifs") or []
    if len(branches) != 1 or case.this is not None:
        return ""
    parts = [_inner(part) for part in branches[0].this.flatten()] if isinstance(branches[0].this, exp.And) else None
    parts = parts or [_inner(branches[0].this)]
    if len(parts) == 2 and isinstance(parts[0], exp.GTE) and isinstance(parts[1], exp.LT):
        return _days_told(parts[0].expression.name, parts[1].expression.name, speaker)
    said = []
    for part in parts:
        if not isinstance(part, exp.EQ) or not isinstance(part.expression, exp.Literal):
            return ""
        value = part.expression.name
        place = scope.place(part.this) if isinstance(part.this, exp.Column) else None
        if place is None:
            return ""
        word = speaker.codes(place, [value]).get(value, value)
        # 1 says nothing by itself: with operator 1.
        said.append(f"{speaker.column(place)} {word}" if word.isdigit() else word)
    return speaker.say(", ", "、").join(said)


def _days_told(start: str, end: str, speaker: _Speaker) -> str:
    """Days from one up to another as people call them: 2025, 2025-05, or the first and the last month."""
    try:
        first, after = datetime.date.fromisoformat(start[:10]), datetime.date.fromisoformat(end[:10])
    except ValueError:
        return ""
    last = after - datetime.timedelta(days=1)
    if (first.day, after.day) != (1, 1) or after <= first:
        return speaker.say(f"{first} to {last}", f"{first}至{last}")
    months = (after.year - first.year) * 12 + after.month - first.month
    if months == 12 and first.month == 1:
        return str(first.year)
    if months == 1:
        return f"{first:%Y-%m}"
    return speaker.say(f"{first:%Y-%m} to {last:%Y-%m}", f"{first:%Y-%m}至{last:%Y-%m}")


def _says_already(label: str, pattern: str) -> bool:
    word = pattern.replace("{}", "")
    return word in label or (word == "合计" and "总" in label)


def _key_of(metric: Metric, speaker: _Speaker) -> str:
    return next((key for key, each in speaker.glossary.metrics.items() if each is metric), "")


def _counted(item: exp.Count, scope: Scope, speaker: _Speaker) -> str:
    """The number of what: of the rows of the table that is counted, else of a column's values."""
    inner = _inner(item.this) if isinstance(item.this, exp.Expr) else None
    if isinstance(inner, exp.Distinct):
        inner = inner.expressions[0] if inner.expressions else None
    place = scope.place(inner) if isinstance(inner, exp.Column) else None
    tables = list(scope.tables.values())
    if place is not None and not place.is_key and item.find(exp.Distinct) is not None:
        target = next((speaker.catalog.by_path.get(j.right) for j in _references(place, speaker.catalog)), None)
        thing = speaker.table(target) if target else speaker.column(place)
    elif place is not None:
        thing = speaker.table(place.table)
    elif len(tables) == 1 or (tables and isinstance(item.this, exp.Star)):
        thing = speaker.table(_most_repeated(scope, tables))
    else:
        return ""
    if len(speaker.catalog.tables) == 1 and (place is None or place.is_key):
        return speaker.say("number of records", "记录数")
    if speaker.language == "zh":
        return f"{thing}数" if has_cjk(thing) else "数量"  # encounters数 is no word of any language
    return f"number of {counted_name(thing, 'en') or thing + ' records'}"


def _references(place: Place, catalog: Catalog) -> Iterator[Join]:
    for join in catalog.joins_of([place.table.path]):
        if join.left == place.table.path and join.left_columns == (place.column,):
            yield join


def _most_repeated(scope: Scope, tables: list[Table]) -> Table:
    """Of joined tables the one whose rows COUNT(*) counts: that with nothing several times for each."""
    for name, table in scope.tables.items():
        if scope.repeating(name) is None:
            return table
    return tables[0]


def _is_over(metric: Metric, scope: Scope | None) -> bool:
    """Whether a statement reads what a metric is defined over.

    Orders of a customer were counted AS low_stock, and the quantity in stock was added up like the units sold.
    """
    if scope is None or not metric.tables:
        return True
    read = {name for table in scope.tables.values() for name in (table.full_name, table.name)}
    # A subquery or a CTE in the way reads the rest.
    return bool(read & set(metric.tables)) or not read


def _metric_written(item: exp.Expr | None, scope: Scope | None, speaker: _Speaker) -> Metric | None:
    """The metric whose definition the expression is, sources' names apart."""
    if item is None or item.find(exp.AggFunc) is None or isinstance(_inner(item), exp.Count):
        return None
    wanted = _bare_text(item)
    for metric in speaker.glossary.metrics.values():
        if metric.expression and _bare_text(_parsed(metric.expression)) == wanted and _is_over(metric, scope):
            return metric
    return None


def _parsed(text: str, dialect: str | None = None) -> exp.Expr | None:
    try:
        return sqlglot.parse_one(text, dialect=dialect)
    except SqlglotError:
        return None


def _bare_text(item: exp.Expr | None) -> str:
    """An expression without the names of sources, casts and brackets, for comparing."""
    if item is None:
        return ""
    bare = item.copy()
    for column in bare.find_all(exp.Column):
        column.set("table", None)
        column.set("this", exp.to_identifier(column.name.casefold()))
    return re.sub(r"[\s()\"]|CAST|AS REAL", "", bare.sql())


def _unit(item: exp.Expr, scope: Scope, speaker: _Speaker) -> str:
    """The currency of an expression: money times a number is money, money by money is not."""
    item = _inner(item)
    if isinstance(item, exp.Column):
        place = scope.place(item)
        return speaker.currency(place) if place else ""
    if isinstance(item, exp.Div):
        return _unit(item.this, scope, speaker) if not _unit(item.expression, scope, speaker) else ""
    if isinstance(item, exp.Add | exp.Sub | exp.Mul):
        return _unit(item.this, scope, speaker) or _unit(item.expression, scope, speaker)
    if isinstance(item, exp.Sum | exp.Avg | exp.Min | exp.Max | exp.Window):
        return _unit(item.this, scope, speaker)
    if isinstance(item, exp.Case):
        branches = [branch.args["true"] for branch in item.args.get("ifs") or ()] + [item.args.get("default")]
        return next((unit for each in branches if each is not None and (unit := _unit(each, scope, speaker))), "")
    return ""
