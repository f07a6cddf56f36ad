"""What makes a plan over measures that nobody defined a guess: words that say more than the plan does.

Beside a definition that people made, `now`, `actually` or `by the day it closed` change nothing. Beside one that columns
suggest they often choose another column, another table or a condition. Each doubt here was a wrong figure on one of the
databases of training/data/systems, and none of them is about one database.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inquery.catalog.time_columns import time_kind
from inquery.language.text import has_cjk, name_words, singular
from inquery.metrics.metric_book import Book
from inquery.metrics.metric_types import Metric
from inquery.metrics.plan_types import Plan
from inquery.metrics.propose_members import counts_members
from inquery.metrics.propose_sales import BESIDE, SALES, counts_buyers
from inquery.metrics.question_cover import Phrase, key_of
from inquery.metrics.reading.draft import MADE
from inquery.metrics.routes import find_table
from inquery.sql.catalog import Column, Table

_SALES = frozenset(map(key_of, SALES))


@dataclass(frozen=True, slots=True)
class Guess:
    """A plan of proposed measures, with the question it was read from."""

    question: str
    phrases: Sequence[Phrase]
    plan: Plan
    measures: Sequence[Metric]
    book: Book

    @property
    def leaves(self) -> list[Metric]:
        """What is summed or counted."""
        return [leaf for metric in self.measures for leaf in self.book.leaves(metric)]

    @property
    def tables(self) -> list[Table]:
        """The tables whose rows are measured."""
        found = (find_table(self.book.catalog, leaf.entity) for leaf in self.leaves)
        return [table for table in found if table is not None]

    @property
    def counts(self) -> bool:
        """Whether nothing but rows is counted, or who they are of."""
        return all(m.expression == "COUNT(*)" or counts_buyers(m) or counts_members(m) for m in self.measures)

    def says(self, *kinds: str) -> bool:
        """Whether a word of such a kind is said."""
        return any(phrase.says(*kinds) for phrase in self.phrases)

    def amounts(self) -> list[Metric]:
        """By what the rows could be added up as well as counted."""
        entities = {leaf.entity for leaf in self.leaves}
        return [
            m
            for m in self.book.metrics.values()
            if m.entity in entities and m.expression.startswith("SUM") and not BESIDE.search(m.name)
        ]


def find_doubt(guess: Guess) -> str:
    """Why a plan is a guess, empty where nothing speaks against it."""
    return next((why for doubt in _DOUBTS if (why := doubt(guess))), "")


_NOW = re.compile(r"\b(?:now|currently|at present|present|still|these days)\b|目前|现在|当前|如今|还有|仍", re.I)
_ACTUAL = re.compile(r"\bactual(?:ly)?\b|实际|真正", re.I)
_TWO_COUNTS = re.compile(
    r"\bhow (?:many|much)\b.*\bhow (?:many|much)\b|其中|\byear[- ]to[- ]date\b.*\bover\b|\bover\b.*\byear[- ]to[- ]date\b",
    re.I,
)
_BY_DAY = re.compile(r"\bby the (?:day|date)\b", re.I)
_BY_SUMMARY = re.compile(r"\baccording to\b|\breports?\b|\bsummar|日报|月报|汇总|报表", re.I)
_SUMMARY = re.compile(r"report|summary|_sum$|daily|_day$|_mon(?:th)?$|rpt|汇总|报表|日报|月报", re.I)
_LISTED = re.compile(
    r"^\W*(?:which|who|what)\b(?!.*\b(?:most|least|highest|lowest|top|more|best|worst)\b)|有谁|是谁", re.I
)
_DONE = re.compile(
    r"\b(?:received|delivered|sold|produced|ran|taken|posted|performed|fell through|fallen through|took place|picked up|put on)\b", re.I
)  # fmt: skip
_CAME_IN = re.compile(r"\b(?:come in|came in|received|collected|got in)\b|收到|到账|回款", re.I)
_HELD = re.compile(r"已收|实收|到账|回款|received|collected|paid", re.I)
_PER_ONE = re.compile(r"单均|客均|户均|件均|店均")
_COUNTED_TOO = re.compile(r"(?:几|多少)[个单张件次笔份条]|\bhow many\b", re.I)
_COUNTED_WORD = re.compile(r"[单件人次份笔户]数")
_HOW_MUCH_ZH = re.compile(r"(?<!有)多少(?![个张单件条笔次份位名家台辆起人户块种款])")
_COUNTS_ZH = re.compile(
    r"有多少|数量|[单件次份笔户人]数|多少[个张单件条笔次份位名家台辆起人户种款]|几[个张单件条笔次份位名家台辆起人户种款]"
)
_TWO_FIGURES = re.compile(
    r"\b(?:total|sum) and (?:the )?average\b|\baverage and (?:the )?total\b|总[额数计]?[和与、及]平均", re.I
)
_NUMBER_OF = re.compile(r"^(?:number|count) of\b|\bcount$|[数量]$", re.I)
_PIECES = re.compile(r"(?:多少|几)[件台块桶吨箱]")
_ARCHIVED = re.compile(r"(?:^|_)(?:arch(?:ive)?|his|hist(?:ory)?|bak|backup|old|hs)(?:_|$)|历史|归档", re.I)
_TEN_THOUSANDS = re.compile(r"万元|(?:^|_)wan(?:_|$)", re.I)
_GENERIC = frozenset(["amount", "value", "total", "cost", "fee", "price", "sum", "金额", "费用", "总额", "数量"])


def _counts_what_is_there_now(guess: Guess) -> str:
    """How many customers we have now: those who left are still rows."""
    return "those who are gone may be rows too" if _NOW.search(guess.question) and not guess.plan.filters else ""


def _means_what_happened(guess: Guess) -> str:
    told = " ".join(word for metric in guess.measures for word in metric.synonyms)
    if _ACTUAL.search(guess.question) and not _ACTUAL.search(told):
        return "planned and actual may be two columns"
    return "two things are asked" if _TWO_COUNTS.search(guess.question) and not guess.says("share", "percent") else ""


def _changes_by_a_verb(guess: Guess) -> str:
    """How many screenings fell through: a verb of change that compares nothing."""
    compared = guess.says("versus", "before", "year_before", "gap", "percent", "growth") or guess.plan.groups
    counted = re.search(r"\bhow many\b|多少|几", guess.question, re.I)
    verb = guess.plan.comparison is not None and not compared and counted
    return "a verb that may mean a state" if verb or re.search(r"\bfell through\b", guess.question, re.I) else ""


def _counts_itself(guess: Guess) -> str:
    own = {leaf.entity for leaf in guess.leaves if leaf.expression == "COUNT(*)"}
    grouped = {group.dimension for group in guess.plan.groups}
    return "each of them is one" if own & grouped else ""


_WORDS = re.compile(r"char|text|string", re.I)
_UNIT_NAMES = {
    "quarter": ("quarter", "季度"),
    "month": ("month", "月份"),
    "week": ("week", "周次"),
    "day": ("day", "日"),
}


def _splits_by_a_name(guess: Guess) -> str:
    """The bookings of each quarter, where pools lie in quarters of the town: a unit of time that a column of words is called by."""
    called = {word for group in guess.plan.groups if group.unit for word in _UNIT_NAMES.get(group.unit, ())}
    for table in guess.book.catalog.tables if called else ():
        words = [c for c in table.columns if _WORDS.search(c.type) and time_kind(c) is None]
        named = any({key_of(c.name), key_of(c.comment)} & set(map(key_of, called)) for c in words)
        if named and all(guess.book.routes.route(home.path, table.path) is not None for home in guess.tables):
            return "a unit of time is a name here"
    return ""


def _is_dated_by_words(guess: Guess) -> str:
    days = any(group.unit == "day" for group in guess.plan.groups)
    return "by the day on which something happened" if days and _BY_DAY.search(guess.question) else ""


def _is_of_a_summary(guess: Guess) -> str:
    if not _BY_SUMMARY.search(guess.question):
        return ""
    summed = any(_SUMMARY.search(table.name) or _SUMMARY.search(table.comment) for table in guess.tables)
    known = any(_SUMMARY.search(t.name) or _SUMMARY.search(t.comment) for t in guess.book.catalog.tables)
    return "a summary is meant" if known and not summed else ""


def _lists_rows(guess: Guess) -> str:
    plan = guess.plan
    figures = plan.ranking or plan.threshold or plan.comparison or plan.share or plan.share_of or plan.membership
    asked = guess.says("count", "total", "amount", "average") or _COUNTS_ZH.search(guess.question)
    listed = _LISTED.search(guess.question) or (has_cjk(guess.question) and guess.says("which_many"))
    return "a list is asked for" if guess.counts and listed and not figures and not asked else ""


def _says_what_was_done(guess: Guess) -> str:
    """How many items were received: the rows that were, of which another table may know."""
    done = _DONE.search(guess.question)
    if done is None or not guess.counts:
        return ""
    dated = any(phrase.senses.times and done[0].lower() in phrase.text.lower() for phrase in guess.phrases)
    return "" if dated or guess.plan.filters else f"whether all of them were {done[0]} is not known"


def _may_be_received(guess: Guess) -> str:
    """服务费 that came in, where 已收服务费 is kept beside it."""
    told = " ".join(word for metric in guess.measures for word in (metric.name, *metric.synonyms))
    money = any(metric.format == "money" for metric in guess.measures)
    return "what is due or what came in" if money and _CAME_IN.search(guess.question) and not _HELD.search(told) else ""


def _is_a_column_too(guess: Guess) -> str:
    """Miles of fct_miles, coins found (pieces): a noun or a plain word that a column of numbers bears."""
    if not guess.counts:
        return ""
    said = {key_of(phrase.text) for phrase in guess.phrases if not phrase.periods and phrase.number is None}
    for table in guess.tables:
        joins = guess.book.catalog.joins_of([table.path])
        refers = {name for join in joins if join.left == table.path for name in join.left_columns}
        for column in table.columns:
            if column.name in refers or column.meanings or time_kind(column):
                continue
            number = re.search(r"int|num|dec|real|doub|float|money", column.type, re.I) and not column.primary_key
            names = [key_of(word) for word in guess.book.column_words(table, column.name)] if number else []
            if any(name in said for name in names):
                return "a column of numbers is called so"
    return ""


def _is_a_thing_too(guess: Guess) -> str:
    """门店销售额 where a channel is called 门店 and so are the shops; each quarter, where quarters of the town are stored."""
    narrowed = {value for each in guess.plan.filters for value in each.values}
    units = any(group.unit for group in guess.plan.groups)
    for phrase in guess.phrases:
        things = [guess.book.dimension(name) for name in phrase.senses.dimensions]
        if units and phrase.used and (phrase.unit("series.") or phrase.unit("unit.")) and things:
            return "a time or a column that is called so"
        chosen = any(member.value in narrowed for member in phrase.senses.members)
        if chosen and any(thing.is_entity for thing in things):
            return "a thing or one of its kinds"
    return ""


def _may_be_added_up(guess: Guess) -> str:
    """A bare noun of rows that have amounts: expenses by category, offerings per quarter with growth."""
    plan, zh = guess.plan, has_cjk(guess.question)
    if not guess.counts or not guess.amounts():
        return ""
    counted = bool(_COUNTS_ZH.search(guess.question)) if zh else guess.says("count")
    counted = counted or any(phrase.used and _NUMBER_OF.search(phrase.text) for phrase in guess.phrases)
    if _PIECES.search(guess.question) and any(
        m.format != "money" and m.expression != "COUNT(*)" for m in guess.amounts()
    ):
        return "rows or pieces"
    dated = any(phrase.senses.times and phrase.used for phrase in guess.phrases)
    unsure = (
        plan.share
        or (plan.comparison and not dated)
        or (zh and _HOW_MUCH_ZH.search(guess.question) and not plan.share_of)
    )
    return "rows or their amounts" if unsure and not counted else ""


def _names_another_figure(guess: Guess) -> str:
    """Orders, money and the average for both; 已提货的单数和实付."""
    for at, phrase in enumerate(guess.phrases):
        listed = at > 0 and (phrase.begins or guess.phrases[at - 1].says("join"))
        if phrase.says("amount") and not phrase.used and listed and not phrase.senses.metrics:
            return "a further figure"
        if phrase.says("amount") and not phrase.used and (guess.plan.share or guess.plan.share_of):
            return "a share of another figure"
    if _TWO_FIGURES.search(guess.question) or (guess.counts and re.search(r"总额|总金额|金额", guess.question)):
        return "a further figure"
    owned = "".join(phrase.text for phrase in guess.phrases if phrase.senses.metrics)
    said = [found[0] for found in _COUNTED_WORD.finditer(guess.question)]
    counted = _COUNTED_TOO.search(guess.question) if guess.plan.threshold is None else None
    if (any(word not in owned for word in said) or counted) and not guess.counts:
        return "a further figure"
    return "an average over what is not said" if _PER_ONE.search(guess.question) else ""


def _averages_behind(guess: Guess) -> str:
    """付款数、实付金额、平均每条多少钱: the average is one of several figures."""
    names = {metric.name for metric in guess.measures}
    places = [at for at, phrase in enumerate(guess.phrases) if names & set(phrase.senses.metrics)]
    told = [at for at, phrase in enumerate(guess.phrases) if phrase.says("average") and not phrase.senses.metrics]
    if places and told and min(told) > min(places):
        return "a further figure"
    # The average sales per month are those of a month, or of a sale.
    each = any(metric.name.startswith("average_") for metric in guess.measures) and re.search(
        r"\bper (?:day|week|month|quarter|year)\b|[日月周年]均|每[天日月周年]平均", guess.question, re.I
    )
    if each:
        return "an average of rows or of periods"
    # Average sales per customer are those of a customer, or of an order.
    sold = any(key_of(phrase.text) in _SALES and phrase.used for phrase in guess.phrases)
    return "an average of orders or of buyers" if told and sold and names else ""


def _is_a_rate_of_itself(guess: Guess) -> str:
    if not guess.plan.filters:
        return ""
    rates = [leaf.filter for metric in guess.measures if metric.kind == "ratio" for leaf in guess.book.leaves(metric)]
    columns = [guess.book.dimension(each.dimension).column for each in guess.plan.filters]
    same = any(re.search(rf"\b{re.escape(column)}\b", rate) for column in columns for rate in rates if rate)
    return "a rate of those that it counts" if same else ""


def _is_a_hierarchy(guess: Guess) -> str:
    """The West of the states: a member of which others are parts."""
    own = {join.left for join in guess.book.catalog.joins if join.left == join.right}
    roles = {phrase.text for phrase in guess.phrases if phrase.senses.roles}
    for each in guess.plan.filters:
        if each.text in roles:
            continue  # who has a title is no part of who has another
        table = find_table(guess.book.catalog, guess.book.dimension(each.dimension).table)
        if table is not None and table.path in own:
            return "a member that has parts"
    return ""


def _has_a_twin(guess: Guess) -> str:
    """alert and alert_arch: which of the two holds the days that are asked about is not known."""
    if guess.plan.period is None:
        return ""
    names = {table.name.casefold() for table in guess.tables}
    for table in guess.book.catalog.tables:
        found = _ARCHIVED.search(table.name)
        bare = _ARCHIVED.sub("", table.name).strip("_").casefold()
        if found and any(bare == name or bare == _ARCHIVED.sub("", name).strip("_") for name in names):
            return "an archive has rows too"
    return ""


def _splits_unclearly(guess: Guess) -> str:
    plan = guess.plan
    split = [group for group in plan.groups if group.dimension]
    if plan.share and re.search(r"\bwithin\b", guess.question, re.I):
        return "what each is a share of"
    if plan.share and has_cjk(guess.question) and len(split) > 1:
        led = [
            p
            for at, p in enumerate(guess.phrases[1:])
            if p.senses.dimensions and guess.phrases[at].says("each", "every", "join")
        ]
        if len(led) < len(split):
            return "what is split and what is a part"
    if (plan.share or plan.share_of) and split and any(len(each.values) > 1 for each in plan.filters):
        return "a share of several"
    if len(split) > 1 and re.search(r"\b(?:that|which|who)\s+\w+s?\s+(?:the|a|an|its|their)\b", guess.question, re.I):
        return "a thing told by another"
    # 各类事件: the kind is what splits, and it was not read.
    kinds = [p for p in guess.phrases if p.says("every") and p.text.endswith(("类", "种"))]
    return "kinds of what is counted" if kinds and not split else ""


def _lists_their_names(guess: Guess) -> str:
    """采购额超过200万元的材料商：名称、信用等级: whoever has a name is listed, and not only their kind."""
    named = re.search(r"[：:][^：:]*(?:名称|姓名|名字)", guess.question)
    entity = any(group.dimension and guess.book.dimension(group.dimension).is_entity for group in guess.plan.groups)
    if named and not entity:
        return "whose names are listed"
    # The ten members with the highest balance: name, level and balance.
    after = re.search(r"[：:]", guess.question)
    shown = {group.dimension for group in guess.plan.groups} | {each.dimension for each in guess.plan.filters}
    told = guess.question[after.end() :].lower() if after else ""
    asked = [p for p in guess.phrases if p.senses.dimensions and not p.senses.metrics and p.text.lower() in told]
    missed = [p for p in asked if not shown & set(p.senses.dimensions)]
    return "a column that is not shown" if missed else ""


def _shows_fewer(guess: Guess) -> str:
    """The ten with the highest balance: name, level and balance. More is listed than a plan shows."""
    _, found, told = guess.question.replace("：", ":").rpartition(":")
    items = [item for item in re.split(r"[,，、]|\band\b|和", told) if item.strip(" .。?？")] if found else []
    shown = len(guess.plan.groups) + len(guess.measures)
    return "more columns are asked for" if len(items) > max(2, shown) and guess.plan.comparison is None else ""


def _says_either(guess: Guess) -> str:
    """Before 2022 or offline, SMS or QR code: one of two conditions, or two members together."""
    either = re.search(r"\bor\b|或", guess.question, re.I)
    return "either of two" if either and guess.plan.filters and not guess.plan.comparison else ""


def _spreads_sums(guess: Guess) -> str:
    """The highest and the lowest of a column, and not of what it adds up to."""
    if guess.plan.spread:
        return "the ends of rows or of sums"
    homes = {guess.book.dimension(each.dimension).table for each in guess.plan.filters}
    split = {guess.book.dimension(group.dimension).table for group in guess.plan.groups if group.dimension}
    return "those are the part" if guess.plan.share and homes & split and not has_cjk(guess.question) else ""


def _misses_a_member(guess: Guess) -> str:
    """album、ep、single: one of those that are listed was not read as one."""
    for each in guess.plan.filters:
        about = guess.book.dimension(each.dimension)
        others = set(guess.book.values.get((about.table, about.column), ())) - set(each.values)
        if len(each.values) > 1 and any(len(o) > 1 and o.casefold() in guess.question.casefold() for o in others):
            return "a member that was not read"
    tables, chosen = {table.full_name for table in guess.tables}, {each.dimension for each in guess.plan.filters}
    for phrase in (each for each in guess.phrases if each.text.casefold() not in MADE):
        for member in phrase.senses.members if not (phrase.senses.metrics or phrase.senses.dimensions) else ():
            home = guess.book.dimension(member.dimension).table
            if home in tables and member.value.casefold() == phrase.text.casefold() and member.dimension not in chosen:
                return "a member that was not read"  # with a bought quote
    return ""


def _is_in_another_unit(guess: Guess) -> str:
    if guess.plan.threshold is None:
        return ""
    for leaf in guess.leaves:
        table = find_table(guess.book.catalog, leaf.entity)
        for column in table.columns if table else ():
            named = re.search(rf"\b{re.escape(column.name)}\b", leaf.expression)
            if named and (_TEN_THOUSANDS.search(column.comment) or _TEN_THOUSANDS.search(column.name)):
                return "a threshold in another unit"
    return ""


def _is_another_things(guess: Guess) -> str:
    """The largest contract by amount, where the amount is one of its changes: a plain word for a figure of another table."""
    names = {metric.name for metric in guess.measures}
    said = [p.text.lower() for p in guess.phrases if names & set(p.senses.metrics)]
    if not said or any(text not in _GENERIC for text in said):
        return ""
    entities = {leaf.entity for leaf in guess.leaves}
    named = {d for p in guess.phrases for d in p.senses.dimensions if guess.book.dimension(d).is_entity}
    named |= {guess.book.metric(m).entity for p in guess.phrases for m in p.senses.metrics if m not in names}
    rich = {m.entity for m in guess.book.metrics.values() if m.format == "money" and m.expression.startswith("SUM")}
    return "whose amount it is" if (named - entities) & rich else ""


def _is_dated_elsewhere(guess: Guess) -> str:
    """Units that were ordered in 2025, where the units are scrapped and the order is another table's."""
    if not guess.plan.time:
        return ""
    home = guess.plan.time.rpartition(".")[0]
    return (
        "a day of another table"
        if any(home not in (leaf.entity, (leaf.time or ("",))[0]) for leaf in guess.leaves)
        else ""
    )


def _drops_a_noun(guess: Guess) -> str:
    """Money received from companies: a plain word in the plural is somebody."""
    plural = [p.text.lower() for p in guess.phrases if p.says("skip") and not p.used]
    return "who is meant" if any(text in ("companies", "businesses", "firms") for text in plural) else ""


def _is_one_word_of_another_table(guess: Guess) -> str:
    """The fees of pkg_send where there is a fee_mon."""
    for phrase in guess.phrases:
        words = key_of(phrase.text)
        if len(words) != 1 or has_cjk(phrase.text) or len(phrase.senses.metrics) != 1:
            continue
        metric = guess.book.metric(phrase.senses.metrics[0])
        if metric.expression == "COUNT(*)" or metric not in guess.measures:
            continue
        homes = {t.full_name for t in guess.book.catalog.tables if words[0] in map(singular, name_words(t.name))}
        if homes and metric.entity not in homes:
            return "another table is called so"
    return ""


def _became_so_on_another_day(guess: Guess) -> str:
    """Customers who churned each month, of churned customers dated by the day they came: a state that has a day of its own."""
    plan = guess.plan
    if plan.period is None and not any(group.unit for group in plan.groups):
        return ""
    dated = {leaf.time for leaf in guess.leaves if leaf.time}
    for each in plan.filters:
        about = guess.book.dimension(each.dimension)
        table = find_table(guess.book.catalog, about.table)
        for column in table.columns if table is not None and not each.negated else ():
            if (about.table, column.name) in dated or not time_kind(column) or plan.time.endswith(f".{column.name}"):
                continue
            if any(_is_called_after(column, value) for value in (*each.values, each.text)):
                return "when it became so"
    return ""


def _is_rated_by_another_column(guess: Guess) -> str:
    """修复率 of what was tested again (复测结果 已修复) and has a day of repair: by which of the two, nobody says.

    A status and the time of its change (cancelled, cancel_time) are written together.
    """
    for metric in guess.measures:
        part = (
            guess.book.metrics.get(metric.numerator) if metric.kind == "ratio" and metric.status == "proposed" else None
        )
        state = _STATE_VALUE.search(part.filter) if part is not None else None
        table = find_table(guess.book.catalog, part.entity) if part is not None and state is not None else None
        kept = part is not None and re.search(r"stat(?:e|us)|状态", part.filter, re.I)
        for column in table.columns if table is not None and not kept else ():
            if state is not None and time_kind(column) and _is_called_after(column, state[1]):
                return "a rate by its state or by its day"
    return ""


_STATE_VALUE = re.compile(r"= '([^']+)'\s*$")


def _is_called_after(column: Column, state: str) -> bool:
    """churned_at of churned, cancel_time of cancelled, 取消时间 of 已取消."""
    if has_cjk(state):
        bare = re.sub(r"^(?:已经?|被)", "", state)
        return len(bare) > 1 and (bare in column.name or bare in column.comment)
    words = [word for word in name_words(column.name) if len(word) >= ALIKE]
    return len(state) >= ALIKE and any(word[:ALIKE] == state.casefold()[:ALIKE] for word in words)


def _plays_a_role(guess: Guess) -> str:
    """The artists of plays by way of `feat_artist_id`, where the album has an artist too: which of the two is not said."""
    catalog, routes = guess.book.catalog, guess.book.routes
    goals = {group.dimension for group in guess.plan.groups if group.dimension} | {
        f.dimension for f in guess.plan.filters
    }
    for start in {table.path for table in guess.tables}:
        for goal in goals:
            table = find_table(catalog, guess.book.dimension(goal).table)
            way = routes.route(start, table.path) if table is not None else None
            if way is None or not way.joins or len(way.joins[-1].left_columns) != 1:
                continue
            last = way.joins[-1]
            key = [singular(word) for word in name_words(last.left_columns[0])]
            own = {singular(word) for word in name_words(last.right[-1])} | {"id", "key", "code", "no", "fk"}
            others = [
                join
                for near in routes.reachable(start)
                for join in catalog.joins_of([near])
                if join.left == near and join.right == last.right and join != last and near != last.right
            ]
            named = own & set(key) - {"id", "key", "code", "no", "fk"}
            if others and named and any(word not in own and len(word) > 2 for word in key):
                return "which of several it is by"
    return ""


def _counts_the_holders(guess: Guess) -> str:
    """在上海门店消费过的金卡会员多少人: the members are counted, and not the stores that have such."""
    if not guess.counts or not has_cjk(guess.question):
        return ""
    own = {table.full_name for table in guess.tables}
    places = [p.start for p in guess.phrases if any(m.entity in own for m in _counted_by(guess, p))]
    for each in guess.plan.filters:
        home = guess.book.dimension(each.dimension).table if each.holding else ""
        behind = [p for p in guess.phrases if home and home in p.senses.dimensions and places and p.start > min(places)]
        if behind:
            return "who is counted, those or what they are of"
    return ""


def _counted_by(guess: Guess, phrase: Phrase) -> list[Metric]:
    return [guess.book.metric(name) for name in phrase.senses.metrics]


ALIKE = 5
"""Letters that a state and its day begin with: cancel of cancelled and cancel_time."""
_DOUBTS: tuple[Callable[[Guess], str], ...] = (
    _counts_what_is_there_now, _means_what_happened, _changes_by_a_verb, _counts_itself, _is_dated_by_words, _is_of_a_summary,
    _lists_rows, _says_what_was_done, _may_be_received, _is_a_column_too, _is_a_thing_too, _may_be_added_up, _names_another_figure,
    _averages_behind, _is_a_rate_of_itself, _is_a_hierarchy, _has_a_twin, _splits_unclearly, _lists_their_names,
    _misses_a_member, _shows_fewer, _says_either, _spreads_sums,
    _is_in_another_unit, _is_another_things, _is_dated_elsewhere, _drops_a_noun, _is_one_word_of_another_table,
    _became_so_on_another_day, _is_rated_by_another_column, _plays_a_role, _counts_the_holders, _splits_by_a_name,
)  # fmt: skip
