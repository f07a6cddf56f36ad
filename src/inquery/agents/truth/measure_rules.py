"""Measures of the glossary, and what is added up: the right thing, once, by the right function."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.agents.truth.spoken_names import brief, column_names, shown_places, stems
from inquery.errors import Text
from inquery.knowledge.glossary import Metric
from inquery.language.text import fold, has_cjk, name_stems, stem
from inquery.sql import Catalog, Table
from inquery.sql.catalog import references_of
from inquery.sql.statement import Place, Repeated, Scope, Statement, read_statement


def defined_measure(statement: Statement, claims: Claims) -> Breach | None:
    """A measure of the glossary is worked out from its own columns, under its own condition."""
    for word, metric in claims.metrics:
        needs = _needs(metric, claims.catalog) or _ratio_needs(metric, claims)
        if needs is None or not _about(statement, word, needs):
            continue
        if not needs.left_out(statement):
            continue
        reason = Text(
            f"“{word}” has a definition, and the statement leaves out a part of it",
            f"“{word}”另有定义，语句漏掉了其中一部分",
        )
        return Breach("wrong_measure", reason, f"{word} is {metric.definition}", sure=_sure(word))
    return None


def other_measure(statement: Statement, claims: Claims) -> Breach | None:
    """What people called by its name is not worked out from other columns alone: no average price for the order value.

    A stored total may stand for the lines it was added up from.
    """
    measured = {place for scope in statement.scopes for place in _measured(scope)}
    if not measured or any(AMOUNT.search(place.column) for place in measured):
        return None
    for word, metric in claims.metrics:
        needs = _needs(metric, claims.catalog) or _ratio_needs(metric, claims)
        named = any(fold(word) in name for place in measured for name in column_names(place, claims.glossary))
        if needs is None or not needs.columns or not _sure(word) or named:
            continue
        added = needs.columns - _conditioned(metric, claims)
        if not added or added & {place.name for place in measured}:
            continue
        used = [claims.called(place) for place in sorted(measured, key=lambda place: place.name)]
        reason = Text(
            f"“{word}” has a definition, and the statement works it out from {', '.join(each.en for each in used)} instead",
            f"“{word}”另有定义，语句却用{'、'.join(each.zh for each in used)}计算",
        )
        return Breach("wrong_measure", reason, f"{word} is {metric.definition}")
    return None


def _measured(scope: Scope) -> set[Place]:
    """Stored columns that are added up or averaged; what is only counted may be any."""
    calls = [measure for measure in scope.measures() if not isinstance(measure.call, exp.Count)]
    return {place for measure in calls for column in measure.columns if (place := scope.place(column))}


def _conditioned(metric: Metric, claims: Claims) -> frozenset[str]:
    """Columns that only the condition of a definition reads."""
    parts = [metric, *(claims.glossary.metrics.get(name) for name in (metric.numerator, metric.denominator) if name)]
    kept: frozenset[str] = frozenset()
    for part in parts:
        needs = _needs_of("COUNT(*)", part.filter, claims.catalog) if part is not None and part.filter else None
        kept |= needs.columns if needs else frozenset()
    return kept


@dataclass(frozen=True, slots=True)
class _Needs:
    """What a definition is made of: columns, tables, texts of its condition, and functions."""

    columns: frozenset[str]
    tables: frozenset[str]
    texts: frozenset[str]
    functions: frozenset[str]

    def left_out(self, statement: Statement) -> frozenset[str]:
        tables = self.tables - statement.tables() if self.columns else frozenset()
        divided = {"Avg"} if statement.tree.find(exp.Div) else set()  # an average may be a sum over a count
        functions = self.functions - statement.aggregates() - divided
        return (
            (self.columns - statement.places())
            | tables
            | (self.texts - statement.literals())
            | {f.upper() for f in functions}
        )


def _about(statement: Statement, word: str, needs: _Needs) -> bool:
    """Whether a statement is after the measure at all: units may be those in stock, and sales a kind of channel."""
    near = bool(needs.tables & statement.tables())
    if _sure(word):
        return near or len(word) > 4
    return near and (has_cjk(word) or "Sum" in statement.aggregates())


def _sure(word: str) -> bool:
    """A word that hardly means anything else: of several words, long, or Chinese of three characters."""
    return " " in word or len(word) > (2 if has_cjk(word) else 5)


@lru_cache(maxsize=256)
def _needs_of(expression: str, condition: str, catalog: Catalog) -> _Needs | None:
    said = f"{expression} {condition}".casefold()
    names = [t.name for t in catalog.tables if re.search(rf"\b{re.escape(t.name.casefold())}\.", said)]
    sources = ", ".join(f'"{name}"' for name in names)
    read = (
        read_statement(f"SELECT {expression} FROM {sources} WHERE {condition or '1 = 1'}", catalog) if names else None
    )
    if read is None or read.top is None:
        return None
    columns = [column for each in read.top.measures() if isinstance(each.call, exp.Count) for column in each.columns]
    counted = {place.name for column in columns if (place := read.top.place(column))}
    texts = frozenset(str(node.this).casefold() for node in read.tree.find_all(exp.Literal) if node.is_string)
    functions = frozenset(read.aggregates() - {"Count"})
    return _Needs(frozenset(read.places() - counted), frozenset(read.tables()), texts, functions)


def _needs(metric: Metric, catalog: Catalog) -> _Needs | None:
    """The columns, tables and texts of a definition; what is only counted may be counted by rows."""
    return _needs_of(metric.expression, metric.filter, catalog)


def _ratio_needs(metric: Metric, claims: Claims) -> _Needs | None:
    """What both parts of a rate need; they may be counted and added up in several ways, so no function is."""
    parts = [claims.glossary.metrics.get(name) for name in (metric.numerator, metric.denominator) if name]
    needs = [known for part in parts if part is not None and (known := _needs(part, claims.catalog))]
    if len(needs) != 2:
        return None
    one, two = needs
    return _Needs(one.columns | two.columns, one.tables | two.tables, one.texts | two.texts, frozenset())


_EXTREME = re.compile(
    r"\b(max\w*|min\w*|highest|lowest|largest|smallest|most|least|top|greatest|fewest|longest)\b|最", re.I
)


_AVERAGE = re.compile(r"\b(average|mean|avg)\b|平均|均价", re.I)


_COUNTED = re.compile(r"\b(?:how many|number of) (?!days|hours|years|months|minutes|weeks|times)(?:\w+ )?(\w+)", re.I)


_COUNTED_ZH = re.compile(r"(多少|几)(?:个|名|位|条|笔|人|种|家|次|单|张|台|款)|(?:个|人|次|单|笔)数(?:是|有)?多少")


_TOTALLED = re.compile(r"\btotal (?!number|count)(\w+)|\bsum of (?:the )?(\w+)|总(金额|额|价|成本|收入|量)", re.I)


def right_function(statement: Statement, claims: Claims) -> Breach | None:
    """An average is averaged, a total added up, a number counted; a stored figure will do where it has the name."""
    wants = [
        (_AVERAGE, {"Avg"}, Text("an average", "平均值")),
        (_COUNTED, {"Count", "Sum"}, Text("a number", "数量")),
        (_COUNTED_ZH, {"Count", "Sum"}, Text("a number", "数量")),
        (_TOTALLED, {"Sum", "Count"}, Text("a total", "合计")),
    ]
    used = statement.aggregates() | ({"Avg"} if statement.tree.find(exp.Div) else set())
    if _EXTREME.search(claims.question) and not statement.aggregates():
        return None
    for pattern, functions, what in wants[:1] if _AVERAGE.search(claims.question) else wants[1:]:
        found = pattern.search(claims.question)
        if (
            not found
            or used & functions
            or _stored(found[0], statement, total="Count" not in functions or pattern is _TOTALLED)
        ):
            continue
        reason = Text(f"{what.en} was asked for, and the statement has none", f"需要{what.zh}，语句中却没有")
        return Breach("wrong_aggregate", reason, f"use {' or '.join(sorted(f.upper() for f in functions))}", sure=False)
    return None


def _stored(said: str, statement: Statement, *, total: bool) -> bool:
    """Whether a selected column has one of the words, as a number of followers may be stored."""
    if statement.aggregates() - {"Max", "Min"}:
        return False
    words = {"total", "tot", "sum", "average", "avg", "mean"} if total else stems(said) - {"the", "of"}
    return any(set(name_stems(name)) & words for name in _shown_names(statement))


def no_identifiers(statement: Statement, claims: Claims) -> Breach | None:
    """Numbers that name rows are not added up."""
    for scope in statement.scopes:
        for node in scope.find(exp.Sum, exp.Avg):
            place = scope.place(node.this) if isinstance(node.this, exp.Column) else None
            if place is not None and (place.is_key or place.column.casefold().endswith("_id")):
                called = claims.called(place)
                reason = Text(f"{called.en} names rows and is no amount", f"{called.zh}是编号，不是数量")
                return Breach("wrong_aggregate", reason, f"do not add up {place.name}")
    return None


def _shown_names(statement: Statement) -> list[str]:
    """Names of what is selected and ranked by."""
    return [column.name.casefold() for scope in statement.scopes for column in scope.columns()]


def added_once(statement: Statement, claims: Claims) -> Breach | None:
    """An amount is not added up once for every row of a table joined to it."""
    repeated = [each for scope in statement.scopes for each in scope.repeated() if not _for_each(each, scope)]
    repeated.sort(key=_surely_meant, reverse=True)
    if not repeated:
        return None
    found = repeated[0]
    place, many = found.place, found.by.label
    reason = Text(
        f"{place.name} is counted once for every row of {many} that is joined to it",
        f"{place.name} 会因连接 {many} 而重复计算",
    )
    # An average over members is often meant so.
    sure = "Avg" not in statement.aggregates() and _surely_meant(found) and not _UNIT_AMOUNT.search(place.column)
    return Breach("multiplied", reason, f"add up {place.name} without joining {many}", sure=sure)


_UNIT_AMOUNT = re.compile(r"price|fee|rate|cost_per|tuition|单价|价$|价格|学费|费率|提成", re.I)
"""What one costs: added up over what was sold it is income."""


def _for_each(found: Repeated, scope: Scope) -> bool:
    """Whether every group is one row of the repeated table: its fee times its students can only be meant so."""
    grouped = [scope.place(item) for item in scope.grouping() if isinstance(item, exp.Column)]
    table = found.place.table
    return any(
        place and place.table.path == table.path and (place.is_key or place.column in table.display)
        for place in grouped
    )


def _surely_meant(found: Repeated) -> bool:
    """Whether it is the rows of the repeated table that are meant; a CASE or a count may be after the joined rows."""
    call = found.measure.call
    return call.find(exp.Case, exp.If) is None and (not isinstance(call, exp.Count) or found.place.is_key)


def counted_once(statement: Statement, claims: Claims) -> Breach | None:
    """Orders are not counted by the rows of a table that has several for each."""
    top = statement.top
    if top is None or not any(measure.counts_rows for measure in top.measures()):
        return None
    named = counted_table(claims)
    alias = next((alias for alias, table in top.tables.items() if named is not None and table.path == named.path), None)
    many = top.repeating(alias) if alias else None
    if (
        named is None
        or many is None
        or any(not name.startswith(f"{named.full_name}.") for name in shown_places(statement))
    ):
        return None  # students of each dorm are rightly counted over who lives where
    reason = Text(
        f"rows of {many.label} are counted, not {named.full_name}",
        f"统计的是 {many.label} 的行数，而不是 {named.full_name}",
    )
    # A condition on the other table may leave one row each, so that it is only likely then.
    sure = all(each.place is None or each.place.table.path == named.path for each in statement.filters())
    return Breach("multiplied", reason, f"count {named.full_name} without joining {many.label}", sure=sure)


_HEAD_BEHIND = re.compile(
    r"(?:how many|number of)(?: \w+)?? (\w+)(?:\s+(?:are|is|were|was|have|has|had|do|does|did|can|in|at|on|of|with|without|below|above|under"
    r"|over|who|whose|that|which|there|from|for)\b|\W*$)|多少\W*[^\W\d]+?[低高少多在有被没超不已未]",
    re.I,
)
"""What is counted ends the noun: products are below, product reviews are not products."""


def holders_counted(statement: Statement, claims: Claims) -> Breach | None:
    """Products below their level are products: the rows of a table that has several for each are more."""
    if (key := holder_key(statement, claims)) is None:
        return None
    reason = Text(
        "rows are counted that may be several for one of what was asked for", "统计的是记录行数，而同一对象可能有多行"
    )
    return Breach("multiplied", reason, f"count each {key} once")


def holder_key(statement: Statement, claims: Claims) -> str | None:
    """The column by which a table whose rows are counted refers to what the question counts."""
    top, named = statement.top, counted_table(claims)
    counted = _HEAD_BEHIND.search(claims.question)
    if (
        top is None
        or named is None
        or counted is None
        or (counted[1] and name_stems(named.name) != (stem(fold(counted[1])),))
    ):
        return None
    if (
        len(statement.scopes) != 1
        or len(top.tables) != 1
        or top.select.args.get("group")
        or top.select.args.get("joins")
    ):
        return None
    if len(top.select.expressions) != 1 or [measure.counts_rows for measure in top.measures()] != [True]:
        return None
    table = next(iter(top.tables.values()))
    if table.path == named.path or _is_said(table, claims):
        return None
    references = references_of(table, claims.catalog.joins_of([table.path]))
    keys = {each.columns[0] for each in references if each.table == named.path and len(each.columns) == 1}
    if len(keys) != 1:
        return None
    key = table.column(keys.pop())
    own = [column.name for column in table.columns if column.primary_key]
    return key.name if key is not None and own != [key.name] else None


def _is_said(table: Table, claims: Claims) -> bool:
    """Whether the question speaks of a table's own rows: order items, 库存记录."""
    words = set(name_stems(claims.question))
    called = brief(table.comment)
    return set(name_stems(table.name)) <= words or (has_cjk(called) and called in claims.question)


def counted_table(claims: Claims) -> Table | None:
    """The table whose rows are to be counted: named after “how many”, or by a measure that counts it."""
    found = re.search(r"\b(?:how many|number of)(?: \w+)?? (\w+)", claims.question, re.I)
    said = stem(fold(found[1])) if found else ""
    for table in claims.catalog.tables:
        if (said and name_stems(table.name) == (said,)) or _counted_zh(table, claims):
            return table
    for _, metric in claims.metrics:
        needs = _needs(metric, claims.catalog)
        if needs and not needs.columns and not needs.texts and len(needs.tables) == 1:
            return next(table for table in claims.catalog.tables if table.full_name in needs.tables)
    return None


def _counted_zh(table: Table, claims: Claims) -> bool:
    """订单数, 多少订单: a count of what a table is called."""
    about = claims.glossary.tables.get(table.full_name)
    names = [*about.synonyms, brief(about.description.zh)] if about else [brief(table.comment)]
    words = [re.escape(name) for name in names if has_cjk(name)]
    return (
        bool(words)
        and re.search(
            rf"({'|'.join(words)})(总数|数量|数|量)|多少[个名位条笔张种件款家支]?({'|'.join(words)})", claims.question
        )
        is not None
    )


def share_of_whole(statement: Statement, claims: Claims) -> Breach | None:
    """A share is of more than the rows that fulfil its condition, else it is always the whole."""
    for scope in statement.scopes:
        if shares_within(scope.select):
            reason = Text(
                "the share is taken only of rows that fulfil its condition, so that it is always 100%",
                "占比只在满足条件的数据中计算，因此总是100%",
            )
            return Breach("empty_share", reason, "do not filter by the condition whose share is asked for")
    return None


def shares_within(select: exp.Expr) -> list[exp.Expr]:
    """Conditions of a WHERE that are those of a share, AVG(CASE WHEN … THEN 1 ELSE 0 END), as well."""
    where = select.args.get("where")
    wanted = [
        branch.this
        for call in (each for item in select.expressions for each in item.find_all(exp.Avg))
        if isinstance(call.this, exp.Case) and len(call.this.args["ifs"]) == 1
        for branch in call.this.args["ifs"]
    ]
    return [each for each in conditions_of(where) if each in wanted]


def conditions_of(where: exp.Expr | None) -> list[exp.Expr]:
    """What a WHERE demands, one by one."""
    if where is None:
        return []
    return list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]


_MONEY = re.compile(
    r"\b(?:revenue|turnover|sales)\b(?! (?:agent|rep|representative|person|people|team|manager|order|staff|channel|department|price|tax|region|area|office|record|deal)s?\b)"
    r"|销售额|营业额|营收|销售收入|成交额",
    re.I,
)
_COUNTING = re.compile(
    r"\b(?:how many|number|count|quantity|units?|times)\b|多少[个名位条笔人种家次单张台款]|[笔次单个件]数|数量|销量",
    re.I,
)
AMOUNT = re.compile(r"total|amount|amt|revenue|sum|金额|总额|合计|总价", re.I)


def money_added(statement: Statement, claims: Claims) -> Breach | None:
    """Sales are an amount: where the rows that are counted have one, it is added up."""
    found = _MONEY.search(claims.question)
    top = statement.top
    if not found or top is None or _COUNTING.search(claims.question) or statement.aggregates() != {"Count"}:
        return None
    if amount_counted(statement) is None or not all(measure.counts_rows for measure in top.measures()):
        return None
    reason = Text(f"“{found[0]}” is an amount, and rows are counted", f"“{found[0]}”是金额，语句却在计数")
    return Breach("wrong_measure", reason, f"add up {amount_counted(statement)}")


def amount_counted(statement: Statement) -> str | None:
    """The one amount of the one table whose rows a statement counts."""
    tables = list(statement.top.tables.values()) if statement.top and len(statement.scopes) == 1 else []
    numbers = [
        column.name
        for table in tables[:1]
        for column in table.columns
        if AMOUNT.search(column.name) and not column.primary_key and not _is_text(column.type)
    ]
    return numbers[0] if len(tables) == 1 and len(numbers) == 1 else None


def _is_text(kind: str) -> bool:
    return any(word in kind.upper() for word in ("CHAR", "TEXT", "DATE", "TIME", "BOOL"))
