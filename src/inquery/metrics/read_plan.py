"""From a question to a plan, by code: only where every word is owned and the parts fit together in one way.

A wrong plan is worse than none, since the writer would have tried: whatever is left over, said twice with different
meanings, or leads nowhere ends the reading without a plan, and `Reading.why` says at what.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

from sqlglot import exp

from inquery.errors import BadRequest
from inquery.language.dates import OPEN_END, OPEN_START, Clock, Span, add_months, before, year_before
from inquery.language.numbers import PERCENT, numbers_in
from inquery.language.periods import Period, periods_in
from inquery.language.text import has_cjk, name_words, singular, tokens_of, word_set
from inquery.metrics.asked_sentence import asked_parts, carry_names, is_plain_talk, names_nothing_new
from inquery.metrics.buckets import bucket_labels, bucket_starts
from inquery.metrics.compile_plan import compile_plan, shift
from inquery.metrics.figure_doubts import find_figure_doubt
from inquery.metrics.metric_types import Metric
from inquery.metrics.plain_wording import put_plainly
from inquery.metrics.plan_doubts import Guess, find_doubt
from inquery.metrics.plan_types import (
    SERIES,
    Against,
    Comparison,
    Figure,
    Grouping,
    Membership,
    Moving,
    Operator,
    Plan,
    PlanFilter,
    PlanPeriod,
    PlanRanking,
    Share,
    Side,
    Threshold,
    TimeUnit,
)
from inquery.metrics.propose_members import counts_members
from inquery.metrics.propose_purchases import is_net
from inquery.metrics.propose_sales import counts_buyers
from inquery.metrics.question_cover import LONGEST, Member, Phrase, Senses, Vocabulary, cover, key_of, means_all
from inquery.metrics.routes import find_table

HARMLESS = ("skip", "join", "each", "every", "total", "count", "to_date")
"""Kinds of words that change nothing where no rule took them."""
_OPERATORS: dict[str, Operator] = {"over": ">", "at_least": ">=", "under": "<", "at_most": "<="}
_AFTER_NUMBER = {
    "at_least": ("以上", "及以上", "或以上", "或更多", "or more", "or above", "and above"),
    "at_most": ("以下", "及以下", "或以下", "or less", "or fewer"),
}

# A figure and which one has the most of it are two questions; one plan would tell the second alone.
_TWO_ASKED = re.compile(
    r"^\W*how (?:many|much)\b(?!.*\b(?:each|every|per|by)\b).*\band (?:which|who)\b|(?:多少|几[个单件位家])[^，,。；]*[，,；]\s*哪",
    re.I,
)
_YEARS_AGO = re.compile(r"年前的[\d一二三四五六七八九十]+月")
_BARE_PERCENT = re.compile(r"(?<![\d０-９])(?<!\d )[%％]")
_DIFFERENT = re.compile(r"\b(?:different|distinct|unique)\b|不同|去重|不重复", re.I)
_HOW_MUCH = re.compile(r"\bhow (?:much|many)\b|\bwhat (?:is|was|are|were)\b|多少|几|是什么|合计|总", re.I)
_DATED_BY = re.compile(r"\bby the (?:day|date)\b.*\b(?:was|were|is|are)\b", re.I)
# The best store sells most; the store with the most employees has employees.
_JUDGED = re.compile(r"\b(?:top|best|worst|bottom|strongest|weakest|leading)\b|最[好差强弱佳]|垫底|冠军|前", re.I)
_SPENT = re.compile(r"\bspen[dt]|花|消费", re.I)
_OWN_SPENDING = re.compile(
    r"\b(?:we|i|company|business|us)\s+(?:\w+\s+)?spen[dt]|\bour\s+(?:\w+\s+)?spend"
    r"|(?:我们|公司|咱们|我司)[^客顾会用]{0,12}(?:花|消费)",
    re.I,
)
_BUYERS = re.compile(r"[客户顾会员用买者人男女谁]|企业")
_HOW_IT_DOES = re.compile(r"\bhow (?:did|does|do|is|are|was|were|has|have)\b[^,?]*\b(?:do|doing|done)\b", re.I)
_FRACTIONS = re.compile(r"num|dec|real|doub|float|money", re.I)
_STATES = re.compile(r"stat(?:e|us)$|阶段|状态|stage", re.I)
_STATE_OF = re.compile(r"stat(?:e|us)|stage|阶段|状态|进度|结果", re.I)
_ENDED = re.compile(r"cancel|void|delet|refund|fail|return|reject|draft|test|作废|取消|退|删|拒|草稿|失败", re.I)
_OFTEN = re.compile(r"often|common|frequent|rarest|常|频繁|出现", re.I)
LARGE = 10_000
"""From here on a bare number that something made or brought in is money."""
_EARNED = re.compile(r"^(?:made|brought in|generated|earned|took in|turned over)$|^(?:创造|带来|实现|做到|赚)", re.I)
_NOT_ABSENT = (
    "top", "bottom", "fast", "slow", "share", "percent", "growth", "grow", "fall", "gap", "average", "before", "year_before",
    "running", "moving", "contribution", "both", "trend", "compare",
)  # fmt: skip
"""What those without any are never asked with."""
_NONE_OF = re.compile(r"\b(?:no|without|none)\b", re.I)
_WHICH_OF = re.compile(r"^\W*(?:which|who|list|name|show)\b|哪些|有谁|是谁|都有谁|列出|名单", re.I)
_NOT_LAPSED = tuple(kind for kind in _NOT_ABSENT if kind not in ("fall", "before", "year_before"))
_LOST = re.compile(r"^(?:lose|lost|losing)$|^(?:流失|流失了|丢了|丢失)$", re.I)
_ORDERED_NONE = re.compile(r"\border|下单|下过单|订单|一单|下$|^下", re.I)
_BOUGHT = re.compile(r"\b(?:b[uo]y|bought|buying|purchase|shop)|买|消费|成交", re.I)
_HOW_MANY = re.compile(r"\bhow many\b|多少|几[个位家名款种]", re.I)
_HOW_MANY_ZH = re.compile(r"几(?:$|[？?，,。])|(?:几|多少)[个位家名款种张单件条笔次份台辆起人]")
_SOLD = re.compile(r"\b(?:sell|sells|sold|selling)\b|卖", re.I)
_COMPARES = ("growth", "grow", "fall", "gap", "before", "year_before", "trend", "compare", "versus", "share", "running")
_PEOPLE = word_set(
    "employee staff worker person people patient student member customer user player 员工 职工 人员 患者 学生 会员 客户 用户"
)
_MADE = frozenset({"placed", "made", "taken", "received", "booked"})
"""What is said of rows that are there: orders placed are orders."""
MOST_PHRASES = 80
"""Phrases of a question; a long one has twenty. How they go together is looked at pair by pair, and 订单 said two thousand times
kept a core busy for minutes."""
_ORDERED = re.compile(r"\border|\bplace")
"""Words that say no more than that an order was made."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: a plan, or why there is none and the words that nobody owns."""

    plan: Plan | None
    why: str = ""
    ignored: tuple[str, ...] = ()


class NoPlanError(Exception):
    """The question has no plan by code; for this module alone."""


def read_plan(
    question: str, vocabulary: Vocabulary, *, today: datetime.date, week_start: int = 1, fiscal_start: int = 1
) -> Reading:
    """The plan of a question, where code can tell it."""
    clock = Clock(today, week_start, fiscal_start)
    question = put_plainly(question, lambda word: _is_dimension(word, vocabulary))
    whole = _read_explained(question, vocabulary, clock)
    if whole.plan is not None:
        return whole
    for aside, rest in asked_parts(question):
        if is_plain_talk(aside):
            said = _phrases_of(aside, vocabulary, clock)
            rest = carry_names(rest, said)
            told = _read_explained(rest, vocabulary, clock)
            asked, behind = _phrases_of(rest, vocabulary, clock), not question.startswith(aside)
            if told.plan is not None and names_nothing_new(aside, said, asked, behind=behind):
                return told
    return whole


def _phrases_of(text: str, vocabulary: Vocabulary, clock: Clock) -> list[Phrase]:
    return cover(text, vocabulary, named_periods(text, vocabulary, clock))[0]


def _read_explained(question: str, vocabulary: Vocabulary, clock: Clock) -> Reading:
    whole = _read_text(question, vocabulary, clock)
    explained = _EXPLAINED.search(question)
    if explained is None:
        return whole
    # A rate is often explained in the same breath; where it is one that people defined, their definition holds, and the
    # words of the explanation split and rank nothing.
    told = _read_text(question[: explained.start()], vocabulary, clock)
    measures = [vocabulary.book.metric(name) for name in told.plan.measures] if told.plan else []
    if told.plan is None or any(each.kind != "ratio" or each.status != "accepted" for each in measures):
        return whole
    return told


def _read_text(question: str, vocabulary: Vocabulary, clock: Clock) -> Reading:
    question = _BARE_PERCENT.sub(" percent ", question)  # `what % of orders`: the sign is no word, and says a lot
    if not vocabulary.book.glossary.metrics:  # beside a definition that leaves some out it would be a contradiction
        question = _WHATEVER.sub(lambda said: "" if _is_dimension(said["of"], vocabulary) else said[0], question)
    if _TWO_ASKED.search(question):
        return Reading(None, "two questions are asked")
    if _YEARS_AGO.search(question):
        return Reading(None, "how long ago is not known")  # 前的3月 of 一年前的3月 is no period of three months
    periods = named_periods(question, vocabulary, clock)
    phrases, left_over = cover(question, vocabulary, periods)
    if left_over:
        return Reading(None, "words that nothing owns", tuple(left_over))
    if len(phrases) > MOST_PHRASES:
        return Reading(None, "more is said than a plan holds")
    try:
        plan = _Reader(question, vocabulary, phrases, clock).read()
        compile_plan(plan, vocabulary.book, vocabulary.book.catalog.dialect, today=clock.today)
    except (NoPlanError, BadRequest) as error:
        return Reading(None, str(error))
    return Reading(plan)


def _is_dimension(word: str, vocabulary: Vocabulary) -> bool:
    senses = vocabulary.phrases.get(key_of(word))
    return senses is not None and bool(senses.dimensions)


def named_periods(question: str, vocabulary: Vocabulary, clock: Clock) -> list[Period]:
    """The periods that the question names by itself.

    `same month last year` speaks of no whole year: such phrases are taken away first, unless they are part of a longer
    period (`the year before last`).
    """

    def found(text: str) -> list[Period]:
        return periods_in(text, today=clock.today, week_start=clock.week_start, fiscal_start=clock.fiscal_start)

    # After `over` a number is a quantity to the periods; between two years it is what is compared with.
    question = _OVER_YEAR.sub(
        "vs. " if _CHANGES.search(question) else "in  ", question
    )  # sales over 2023 are those in it
    whole = [period.span for period in found(question)]
    masked = question
    for start, end in _relative_spans(question, vocabulary):
        inside = [span for span in whole if span[0] <= start and end <= span[1] and span[1] - span[0] > end - start]
        if not inside:
            masked = masked[:start] + ";" * (end - start) + masked[end:]
    return list(_first_days(found(masked), masked))


def _first_days(periods: list[Period], text: str) -> Iterator[Period]:
    """上个月前18天 is one period: the first days of the month that stands right before them."""
    merged: set[int] = set()
    for at, period in enumerate(periods):
        days = _FIRST_DAYS.fullmatch(text[period.span[0] : period.span[1]])
        ahead = [
            n
            for n, p in enumerate(periods)
            if re.fullmatch(r"的?", text[p.span[1] : period.span[0]]) and p is not period
        ]
        whole = periods[ahead[0]] if days and len(ahead) == 1 else None
        if days is None or whole is None or whole.grain not in ("month", "quarter", "year", "half"):
            continue
        hits = numbers_in(days["number"])
        if (
            len(hits) == 1
            and hits[0].value == int(hits[0].value)
            and 0 < hits[0].value < (whole.end - whole.start).days
        ):
            span = (whole.span[0], period.span[1])
            end = whole.start + datetime.timedelta(int(hits[0].value))
            yield replace(whole, end=end, grain="day", span=span, text=text[span[0] : span[1]])
            merged |= {at, ahead[0]}
    yield from (period for at, period in enumerate(periods) if at not in merged)


_OVER_YEAR = re.compile(r"\bover(?= (?:19|20)\d\d\b)", re.I)
_CHANGES = re.compile(
    r"\b(?:(?:19|20)\d\d|year|quarter|month|half)\b.*\bover (?:19|20)\d\d"
    r"|\b(?:grow|grew|growth|increase|rise|rose|fall|fell|drop|change)",
    re.I,
)
_FIRST_DAYS = re.compile(r"[前头](?P<number>\d+|[一二三四五六七八九十]+)[天日]")


def _relative_spans(question: str, vocabulary: Vocabulary) -> Iterator[tuple[int, int]]:
    """Where phrases such as 去年同期 and `the month before` stand, the longest at each place."""
    tokens = tokens_of(question)
    keys = [token.text if token.cjk else singular(token.text) for token in tokens]
    at = 0
    while at < len(keys):
        for end in range(min(len(keys), at + LONGEST), at, -1):
            senses = vocabulary.phrases.get(tuple(keys[at:end]))
            if senses is not None and senses.words & {"year_before", "before", "to_date"}:
                yield tokens[at].start, tokens[end - 1].end
                at = end - 1
                break
        at += 1


class _Reader:
    def __init__(self, question: str, vocabulary: Vocabulary, phrases: list[Phrase], clock: Clock) -> None:
        self.question, self.vocabulary, self.phrases, self.clock = question, vocabulary, phrases, clock
        self.book = vocabulary.book
        self.measures: list[Metric] = []
        self.per: Metric | None = None
        self.together: set[str] = set()
        self.sides: dict[str, tuple[Side, ...]] = {}
        self.absent = ""
        self.groups: list[tuple[int, Grouping]] = []
        self.parents: set[int] = set()
        self.targets: list[int] = []
        self.filters: list[PlanFilter] = []
        self.periods: list[tuple[int, PlanPeriod]] = []
        self.idle: list[tuple[Phrase, str]] = []
        self.left_out: list[Member] = []

    def read(self) -> Plan:
        self._set_aside()
        self._take_presence_by_name()
        self._find_measures()
        self._leave_out()
        self._find_presence()
        self._find_members()
        self._find_groups()
        self._find_periods()
        plan = self._assemble()
        self._refuse_leftovers(plan)
        self._refuse_guesses(plan)
        return plan

    # What a clause of its own leaves out

    def _set_aside(self) -> None:
        """`…, cancelled ones left out`, `Ignore cancelled orders.`, 取消的单不算: a clause that says no more than that."""
        for clause in self._clauses():
            denied = [p for p in clause if p.says("not") and not p.says("skip")]
            states = [(p, member) for p in clause if (member := self._ended_state(p)) is not None]
            others = [p for p in clause if p not in denied and all(p is not state for state, _ in states)]
            if len(states) != 1 or len(denied) != 1 or not all(map(self._says_no_more, others)):
                continue
            self.left_out.append(states[0][1])
            # Marked as said: no rule after this reads a condition or a second measure in it.
            for phrase in clause:
                phrase.senses, phrase.used = Senses(words={"skip"}), True

    def _clauses(self) -> list[list[Phrase]]:
        found: list[list[Phrase]] = []
        for phrase in self.phrases:
            if phrase.begins or not found:
                found.append([])
            found[-1].append(phrase)
        return found

    def _says_no_more(self, phrase: Phrase) -> bool:
        if phrase.periods or phrase.number is not None or phrase.senses.members:
            return False
        weak = bool(phrase.senses.metrics) and all(
            self.book.metric(name).kind == "simple" and self._is_weak_noun(phrase, name)
            for name in phrase.senses.metrics
        )
        return phrase.says("skip", "join", "total", "amount", "activity") or weak or phrase.text in _COUNTERS

    def _is_weak_noun(self, phrase: Phrase, name: str) -> bool:
        table = find_table(self.book.catalog, self.book.metric(name).entity)
        return table is not None and key_of(phrase.text) in {key_of(word) for word in self.book.table_words(table)}

    def _ended_state(self, phrase: Phrase) -> Member | None:
        """The state that cancelled ones, 取消的单 and cancelled orders are in; none for what is no end of anything."""
        found = {m for m in phrase.senses.members if _STATES.search(m.dimension) and _ENDED.search(m.value)}
        for name in phrase.senses.metrics:
            metric = self.book.metric(name)
            state = STATE_FILTER.fullmatch(metric.filter.strip()) if metric.kind == "simple" else None
            if state is not None and _ENDED.search(state["value"]):
                found.add(Member(state["column"], state["value"], told=True))
        return next(iter(found)) if len({(m.dimension, m.value) for m in found}) == 1 else None

    def _leave_out(self) -> None:
        """Nothing where the definition leaves it out anyway, else a condition."""
        for member in self.left_out:
            if self._is_left_out_anyway(member.dimension, [member.value]):
                continue
            if not self._splits(member.dimension):
                raise NoPlanError(f"{member.value} cannot be left out")
            self.filters.append(
                PlanFilter(dimension=member.dimension, values=(member.value,), negated=True, text=member.value)
            )

    # Whether there is any

    def _take_presence_by_name(self) -> None:
        """`Revenue from orders using a promotion`, 使用促销的订单的销售额: what counts such rows is a condition beside another measure."""
        named = [p for p in self.phrases if p.senses.metrics]
        for phrase in named:
            if not phrase.senses.metrics:
                continue
            metric = self.book.metric(phrase.senses.metrics[0])
            kept = _PRESENT.fullmatch(metric.filter.strip()) if metric.kind == "simple" else None
            others = [p for p in named if p is not phrase and p.senses.metrics and not self._is_weak(p)]
            if kept is None or not others or len(phrase.senses.metrics) != 1 or not self._is_taken_from(phrase):
                continue
            phrase.senses, phrase.used = Senses(words={"skip"}), True
            self.filters.append(PlanFilter(dimension=kept["column"], values=(), text=phrase.text))

    def _is_taken_from(self, phrase: Phrase) -> bool:
        """Whether it is what another figure comes from: revenue from promotion orders, 促销订单的销售额."""
        at = self.phrases.index(phrase)
        if has_cjk(phrase.text):
            led = at > 0 and self.phrases[at - 1].text in ("来自", "来源于", "出自")
            follows = self.phrases[at + 1 : at + 3]
            led = led or (bool(follows) and follows[0].says("share"))
            return led or (len(follows) == 2 and follows[0].text == "的" and bool(follows[1].senses.metrics))
        led_by = self.phrases[at - 1].text.lower().split()[-1] if at else ""
        return led_by in ("from", "of", "in", "by", "on", "with", "through", "via")

    def _find_presence(self) -> None:
        """`Orders that used a promotion`, 没有参加促销活动的订单: whether anything is referred to, where that is left open."""
        for at, phrase in enumerate(self.phrases):
            led = self.phrases[at - 1] if at else None
            if (
                phrase.used
                or led is None
                or not led.says("attached", "detached")
                or not self._is_entity(phrase)
                or phrase.begins
            ):
                continue
            found = [d for d in phrase.senses.dimensions if self.book.dimension(d).is_entity and self._is_optional(d)]
            if len(found) != 1 or self._says("which", "which_many", "top", "bottom"):
                continue
            led.used = phrase.used = True
            self.filters.append(
                PlanFilter(
                    dimension=found[0], values=(), negated=led.says("detached"), text=f"{led.text} {phrase.text}"
                )
            )

    def _is_optional(self, dimension: str) -> bool:
        """Whether what is measured may do without: the reference to it may be empty."""
        goal = self._path(self.book.dimension(dimension).table)
        for leaf in self._leaves():
            route = self.book.routes.route(self._path(leaf.entity), goal)
            if route is None or not route.joins:
                return False
            home, last = self.book.catalog.by_path[route.joins[-1].left], route.joins[-1]
            known = home.column(last.left_columns[0])
            if known is None or not known.nullable or len(last.left_columns) != 1:
                return False
        return True

    # Measures

    def _find_measures(self) -> None:
        for phrase in self.phrases:
            self._name_members(phrase)
        if self._find_absent() or self._find_lapsed() or self._find_taking_part():
            return
        divisor = self._find_divisor()
        self._average_each_row()
        self._take_yearly_names()
        named = [phrase for phrase in self.phrases if phrase.senses.metrics and phrase is not divisor]
        for phrase in named:
            self._take_documents_first(phrase)
            self._take_whole_or_net(phrase)
            self._take_of_the_same_rows(phrase, named)
            if len(phrase.senses.metrics) > 1:
                raise NoPlanError(f"{phrase.text} may be {', '.join(phrase.senses.metrics)}")
        named = [phrase for phrase in named if not self._is_head_of_another(phrase, named)]
        strong = [phrase for phrase in named if not self._is_weak(phrase) or self._is_told_as_part(phrase)]
        chosen = strong or [phrase for phrase in named if not phrase.senses.dimensions]
        chosen = chosen or self._counted_nouns(named)
        if strong:
            chosen = [phrase for phrase in named if phrase in strong or self._is_listed_with(phrase, strong)]
        for phrase in chosen:
            metric = self.book.metric(self._amount_of(phrase) or phrase.senses.metrics[0])
            phrase.used = True
            if metric not in self.measures:
                self.measures.append(metric)
        for phrase in list(self.phrases):
            if phrase.senses.metrics and not phrase.used:
                continue
            self._leave_out_twice(phrase)
        self._refuse_own_spending()
        self._need_a_join([phrase for phrase in strong if phrase.used])
        for phrase in named:
            # The orders of `revenue from web orders` are what revenue is taken from, and no second measure. The depots of
            # `charges per depot` are so too, but they split it: whatever can is left to the groups.
            if not phrase.used and self._is_source(phrase) and not any(map(self._splits, phrase.senses.dimensions)):
                phrase.used = True
        if not self.measures:
            self._count_orders()
        if not self.measures:
            self._count_occurrences()
        if not self.measures:
            self._count_events()
        if not self.measures:
            self._count_heads()
        if not self.measures:
            self._take_headline()
        if not self.measures:
            self._count_members()
        self._drop_parts_of_ratios()
        self._divide(divisor)
        self._average()
        if any(metric.needs_period for metric in self.measures) and not any(p.periods for p in self.phrases):
            raise NoPlanError("the measure needs a period")

    def _take_whole_or_net(self, phrase: Phrase) -> None:
        """Purchases with tax and freight, or before them: the words for it stand anywhere in the question."""
        metrics = [self.book.metric(name) for name in phrase.senses.metrics]
        nets = [metric for metric in metrics if is_net(metric)]
        said = [p for p in self.phrases if p.says("gross", "net")]
        kinds = {p.says("net") for p in said}
        if len(metrics) != 2 or len(nets) != 1 or len(kinds) != 1:
            return
        chosen = nets[0] if kinds == {True} else next(metric for metric in metrics if metric is not nets[0])
        phrase.senses = replace(phrase.senses, metrics=[chosen.name])
        for each in said:
            each.used = True

    def _take_of_the_same_rows(self, phrase: Phrase, named: Sequence[Phrase]) -> None:
        """`Number of dishes and average price`: the price of the dishes, where menus have a price too."""
        if len(phrase.senses.metrics) < 2 or self.book.glossary.metrics:
            return
        homes = {self.book.metric(p.senses.metrics[0]).entity for p in named if len(p.senses.metrics) == 1}
        alike = [name for name in phrase.senses.metrics if self.book.metric(name).entity in homes]
        if len(alike) == 1:
            phrase.senses = replace(phrase.senses, metrics=alike)

    def _take_yearly_names(self) -> None:
        """The annual premium of 2024, 2026年一季度的年保费: of a named period, what rows keep a year is added up like anything else."""
        if self.book.glossary.metrics or not any(p.periods for p in self.phrases):
            return
        for phrase, follows in pairwise(self.phrases):
            at = self.phrases.index(phrase)
            led = at > 0 and self.phrases[at - 1].says("each", "every", "which", "which_many", "top", "bottom")
            yearly = phrase.says("yearly") or (phrase.text == "年" and phrase.end == follows.start)
            if yearly and not led and follows.senses.metrics and not phrase.periods:
                phrase.senses, phrase.used = Senses(words={"skip"}), True

    def _average_each_row(self) -> None:
        """平均每张订单的金额, 平均每份保单的保费: the mean of what the rows themselves keep, where nobody defined it."""
        for at, phrase in enumerate(self.phrases[:-2]):
            every, behind = self.phrases[at + 1], self.phrases[at + 2 :]
            if self.book.glossary.metrics or phrase.text != "平均" or not every.text.startswith("每"):
                continue
            said = [p for p in behind if p.text not in _COUNTERS and p.text != "的"]
            told = self._figure_of_each(said)
            mean = self.book.metrics.get(told[0].replace("total_", "average_", 1)) if told else None
            if told is None or mean is None or mean.additivity != "ratio":
                continue
            own = said[: told[1]]
            if any(p.senses.metrics for p in self.phrases if all(p is not each for each in own)):
                continue
            for each in (phrase, every, *own[:-1]):
                each.senses, each.used = Senses(words={"skip"}), True
            own[-1].senses = Senses(metrics=[mean.name])

    def _figure_of_each(self, said: Sequence[Phrase]) -> tuple[str, int] | None:
        """The sum of the rows that are named before it, or in one word with it (就诊的费用), and of how many phrases it is."""
        if not said:
            return None
        first = said[0]
        if home := self._table_counted(first):
            names = said[1].senses.metrics if len(said) > 1 else []
            if len(said) > 1 and not names and said[1].says("amount"):
                senses = self.vocabulary.phrases.get(key_of(f"{first.text}金额"))
                names = senses.metrics if senses else []
            own = [name for name in names if self.book.metric(name).entity == home]
            return (own[0], 2) if len(own) == 1 else None
        if len(first.senses.metrics) != 1:
            return None
        metric = self.book.metric(first.senses.metrics[0])
        table = find_table(self.book.catalog, metric.entity) if metric.kind == "simple" else None
        led = table is not None and any(first.text.startswith(f"{word}的") for word in self.book.table_words(table))
        return (metric.name, 1) if led else None

    def _is_head_of_another(self, phrase: Phrase, named: Sequence[Phrase]) -> bool:
        """`Five suppliers by units returned, with the units`: the units are those of the measure before."""
        at, said = self.phrases.index(phrase), key_of(phrase.text)
        led = " ".join(p.text.lower() for p in self.phrases[max(0, at - 2) : at])
        again = any(
            earlier is not phrase
            and self.phrases.index(earlier) < at
            and key_of(earlier.text)[: len(said)] == said != key_of(earlier.text)
            for earlier in named
        )
        if not again or has_cjk(phrase.text) or not re.search(r"\b(?:with|and) (?:the|their)$|\b(?:with|and)$", led):
            return False
        phrase.senses, phrase.used = Senses(words={"skip"}), True
        return True

    def _take_documents_first(self, phrase: Phrase) -> None:
        """Sales are told by whole invoices where these can be split as asked, else by their lines."""
        metrics = [self.book.metric(name) for name in phrase.senses.metrics]
        finer = next((each for each in metrics if each.finer_than in phrase.senses.metrics), None)
        if finer is None or len(metrics) != 2:
            return
        whole = self.book.metric(finer.finer_than)
        named = [
            {self.book.dimension(d).table for d in (*p.senses.dimensions, *(m.dimension for m in p.senses.members))}
            for p in self.phrases
            if p is not phrase
        ]
        fits = all(not homes or any(self._reaches(whole, home) for home in homes) for homes in named)
        phrase.senses = replace(phrase.senses, metrics=[whole.name if fits else finer.name])

    def _reaches(self, metric: Metric, table: str) -> bool:
        return self.book.routes.route(self._path(metric.entity), self._path(table)) is not None

    def _name_members(self, phrase: Phrase) -> None:
        """`The ten customers who bought most` are customers: what counts them is no measure there."""
        earlier = self._previous(phrase) if len(phrase.senses.metrics) == 1 else None
        if earlier is None or not (earlier.number or earlier.says("top", "bottom", "which", "which_many")):
            return
        metric = self.book.metric(phrase.senses.metrics[0])
        entities = [d for d, each in self.book.dimensions.items() if each.is_entity and self._counts(metric, d)]
        if len(entities) == 1 and self._threshold_phrase() is None:
            phrase.senses = Senses(words={*phrase.senses.words, "activity"}, dimensions=entities)

    def _counted_nouns(self, named: Sequence[Phrase]) -> list[Phrase]:
        """The bookings of `how do bookings split across channels`: a noun that nothing is split or ranked by."""
        found = []
        for phrase in named:
            if self._says("activity") and any(map(self._is_buyer, phrase.senses.dimensions)):
                continue  # customers who ordered are those who did, and not all that there are
            before_it = self._previous(phrase)
            bound = self._threshold_phrase()
            led = before_it is not None and (
                (before_it.number is not None and (bound is None or bound[1] is not before_it))
                or before_it.says("each", "every", "which", "which_many", "rank", "fast", "slow")
                or (before_it.says("top", "bottom") and before_it.text.lower() not in _MOST)
            )
            if not led:
                found.append(phrase)
        return found if len({phrase.senses.metrics[0] for phrase in found}) == 1 else []

    def _is_buyer(self, entity: str) -> bool:
        return any(counts_buyers(m) and self._counts(m, entity) for m in self.book.metrics.values())

    def _is_listed_with(self, phrase: Phrase, strong: Sequence[Phrase]) -> bool:
        """`Orders and revenue`, 订单和销售额: a noun in a list of measures is one of them."""
        at = self.phrases.index(phrase)
        for step in (-1, 1):
            place = at + step
            while 0 <= place < len(self.phrases) and self.phrases[place].says("join"):
                place += step
            near = self.phrases[place] if 0 <= place < len(self.phrases) else None
            if near is not None and abs(place - at) > 1 and near in strong and not phrase.senses.dimensions:
                return True
        # `Orders, revenue and refunds`: the comma is one of a list where a word joins the next of them.
        ahead = self.phrases[at + 1 : at + 4]
        if len(ahead) < 3 or ahead[0] not in strong or phrase.senses.dimensions:
            return False
        listed = f"{phrase.text}, {ahead[0].text}" in self.question and ahead[1].says("join")
        return (listed and bool(ahead[2].senses.metrics)) or self._are_listed(phrase, ahead[0])

    def _is_weak(self, phrase: Phrase) -> bool:
        """A noun of the measured table itself (orders), which may just say what something is of."""
        metric = self.book.metric(phrase.senses.metrics[0])
        if metric.kind == "ratio" or not metric.entity:
            return False
        before_it = self._previous(phrase)
        if before_it is not None and before_it.says("count"):
            return False
        table = find_table(self.book.catalog, metric.entity)
        said = tuple(word for word in key_of(phrase.text) if word not in _MADE) or key_of(phrase.text)
        return table is not None and said in {key_of(word) for word in self.book.table_words(table)}

    def _refuse_own_spending(self) -> None:
        """What customers spend is sold; what `we` spend is bought, and nobody said that a measure tells it."""
        spent = [p.text for p in self.phrases if p.senses.metrics and p.used and _SPENT.search(p.text)]
        # 去年花了多少钱 without a subject is the firm's own spending.
        own = _OWN_SPENDING.search(self.question) or (
            any("花" in text for text in spent) and not _BUYERS.search(self.question)
        )
        if spent and own:
            raise NoPlanError("what we spend is not what is sold")

    def _need_a_join(self, said: Sequence[Phrase]) -> None:
        """`Revenue and orders` are two measures; `revenue of new customers` is one that nobody defined."""
        if len(self.measures) < 2 or self._whole_of_share() is not None:
            return
        for first, second in pairwise(said):
            between = self.phrases[self.phrases.index(first) + 1 : self.phrases.index(second) + 1]
            joins = (
                p.begins
                or p.says("join", "compare", "share")
                or (p.says("versus") and p.text.lower() not in _NO_LIST)
                or p.text.lower()[:4] == "and "
                for p in between
            )
            if not any(joins) and not self._are_listed(first, second):
                raise NoPlanError(f"{first.text} of {second.text} is not defined")

    def _are_listed(self, first: Phrase, second: Phrase) -> bool:
        """订单数、销售额: the mark between the two is no word."""
        return f"{first.text}、{second.text}" in self.question

    def _leave_out_twice(self, phrase: Phrase) -> None:
        """`Revenue without cancelled orders`: cancelled orders are a measure too, and left out by the definition."""
        if not phrase.senses.metrics or len(self.measures) < 2:
            return
        metric = self.book.metric(phrase.senses.metrics[0])
        earlier = self._previous(phrase)
        if earlier is None or not earlier.says("not") or metric.kind != "simple" or " = " not in metric.filter:
            return
        opposite = metric.filter.replace(" = ", " <> ")
        others = [each for each in self.measures if each is not metric]
        if all(opposite in leaf.filter for each in others for leaf in self.book.leaves(each)):
            self.measures = others
            earlier.used = True

    def _amount_of(self, phrase: Phrase) -> str:
        """`The amount of the orders` is no number of orders: the measure that is called order amount."""
        if found := self._average_amount_of(phrase):
            return found
        if not self._is_weak(phrase) or not self._says("amount"):
            return ""
        told = f"{phrase.text}金额" if has_cjk(phrase.text) else f"{phrase.text} amount"
        senses = self.vocabulary.phrases.get(key_of(told))
        if senses is None or len(senses.metrics) != 1:
            raise NoPlanError(f"an amount of {phrase.text} is not defined")
        return senses.metrics[0]

    def _average_amount_of(self, phrase: Phrase) -> str:
        """`The average amount of a non-cancelled order`: the measure that is called average order amount, of the same orders."""
        metric, led = self.book.metric(phrase.senses.metrics[0]), self._previous(phrase)
        ahead = self._previous(led) if led is not None else None
        if led is None or ahead is None or not led.says("amount") or not ahead.says("average") or has_cjk(phrase.text):
            return ""
        senses = self.vocabulary.phrases.get(key_of(f"average {phrase.text.split()[-1]} amount"))
        found = [self.book.metric(name) for name in senses.metrics] if senses else []
        if (
            metric.kind != "simple"
            or not self._counts_rows(metric)
            or len(found) != 1
            or found[0].entity != metric.entity
        ):
            return ""
        return found[0].name if metric.filter in ("", found[0].filter) else ""

    def _is_source(self, phrase: Phrase) -> bool:
        table = find_table(self.book.catalog, self.book.metric(phrase.senses.metrics[0]).entity)
        return table is not None and all(
            self.book.routes.route(self._path(leaf.entity), table.path) is not None
            for metric in self.measures
            for leaf in self.book.leaves(metric)
        )

    def _known(self, *words: str) -> list[Metric]:
        """The accepted metric that one of the words names."""
        for word in words:
            senses = self.vocabulary.phrases.get(key_of(word))
            found = [self.book.metric(name) for name in senses.metrics] if senses else []
            if len(found) == 1 and found[0].status == "accepted":
                return found
        return []

    def _count_orders(self) -> None:
        """`Who ordered 20 times or more`, 下单20次及以上: orders are counted, though no noun says so."""
        if not self._says("activity"):
            return
        for phrase in self.phrases:
            later = self.phrases[self.phrases.index(phrase) + 1] if phrase is not self.phrases[-1] else None
            if phrase.number is not None and later is not None and later.text.lower() in ("times", "time", "次"):
                self.measures = self._known("number of orders", "订单数")
                self._use("activity") if self.measures else None

    def _count_occurrences(self) -> None:
        """`The most common return reason`: how often each is there, so the rows of its own table."""
        often = any(p.says("top", "bottom") and _OFTEN.search(p.text) for p in self.phrases)
        if not often and not self._says("share"):
            return
        homes = {
            self.book.dimension(d).table
            for p in self.phrases
            for d in p.senses.dimensions
            if not self.book.dimension(d).is_entity and (often or self._names_its_table(p, d))
        }
        if len(homes) != 1:
            return
        home = homes.pop()
        counting = [
            m
            for m in self.book.metrics.values()
            if m.entity == home and m.kind == "simple" and not m.filter and self._counts_rows(m)
        ]
        if len(counting) == 1:
            self.measures = counting

    def _count_heads(self) -> None:
        """各部门人数, `headcount by department`: the people of the one table that can be split as asked."""
        said = [p for p in self.phrases if p.says("heads")]
        split = [p.senses.dimensions for p in self.phrases if p.senses.dimensions]
        if self.book.glossary.metrics or not said or not split or any(p.senses.metrics for p in self.phrases if p.used):
            return
        tables = [table for table in self.book.catalog.tables if _PEOPLE & set(map(singular, name_words(table.name)))]
        counting = {m.entity: m for m in self.book.metrics.values() if m.expression == "COUNT(*)" and m.synonyms}
        found = []
        for table in tables:
            if table.full_name not in counting:
                continue
            homes = [{self._path(self.book.dimension(d).table) for d in dimensions} for dimensions in split]
            reached = [any(self.book.routes.route(table.path, home) is not None for home in each) for each in homes]
            if all(reached):
                found.append(counting[table.full_name])
        if len(found) == 1:
            self.measures = found
            for phrase in said:
                phrase.used = True
                at = self.phrases.index(phrase)
                for beside in self.phrases[max(0, at - 1) : at]:
                    beside.used = beside.used or beside.says("head")  # 员工人数

    def _names_its_table(self, phrase: Phrase, dimension: str) -> bool:
        """各投诉原因占比: the reasons of complaints, so that complaints are counted."""
        table = self.book.catalog.by_name[self.book.dimension(dimension).table]
        said, own = key_of(phrase.text), [key_of(word) for word in self.book.table_words(table)]
        return any(len(word) < len(said) and said[: len(word)] == word for word in own)

    def _count_events(self) -> None:
        """2024年入职了多少人: how many rows have such a day, where what happened is told by one table alone."""
        dated = [p for p in self.phrases if p.senses.times and not p.senses.metrics]
        homes = {time.rpartition(".")[0] for p in dated for time in p.senses.times}
        asked = any(p.says("count") for p in self.phrases) or _HOW_MANY_ZH.search(self.question) is not None
        if self.book.glossary.metrics or len(dated) != 1 or len(homes) != 1 or not asked:
            return
        home = homes.pop()
        self.measures = [
            m
            for m in self.book.metrics.values()
            if m.entity == home and m.kind == "simple" and m.expression == "COUNT(*)"
        ][:1]

    def _counts_rows(self, metric: Metric) -> bool:
        counted = self.book.parse(metric.expression)
        return isinstance(counted, exp.Count) and metric.additivity == "additive"

    def _take_headline(self) -> None:
        """What is sold, or how something is doing, is told by the one figure that people called sales.

        Products are sold in pieces as well as for money, so that what sells best of them is not said.
        """
        sold = [p for p in self.phrases if _SOLD.search(p.text) and not p.senses.metrics]
        judged = any(
            p.says("headline") or (p.says("top", "bottom") and _JUDGED.search(p.text))
            for p in self.phrases
            if not p.senses.metrics
        )
        # What grows is what a business is measured by, of products too; so is what was sold where amounts are asked for.
        grows = self._says("grow", "fall", "fast", "slow") and self._says(
            "top", "bottom", "fast", "slow", "which", "which_many"
        )
        in_money = self._says("amount")
        # `Who brought in more than 250,000`: nothing but money is brought in by hundreds of thousands.
        bound = self._threshold_phrase()
        earned = bound is not None and bound[1].number is not None and bound[1].number.value >= LARGE
        sold += [p for p in self.phrases if earned and _EARNED.search(p.text)]
        judged = judged or _HOW_IT_DOES.search(self.question) is not None
        grows = grows or (self._says("grow", "fall") and self._says("each", "every"))
        judged = judged or self._holds_members_together()
        if grows and any(map(self._is_growth_of_itself, self.phrases)):
            return
        counted = any(p.says("count") for p in self.phrases) and self._threshold_phrase() is None
        if (
            counted
            or not (sold or judged or grows)
            or any(p.says("activity") and not p.says("skip") for p in self.phrases)
        ):
            return
        if any(p.text in ("件", "台") or p.text.lower() in ("piece", "pieces") for p in self.phrases):
            return  # 多卖了多少件 asks for pieces
        found = self._known("sales", "销售额")
        if not found or found[0].time is None:
            return
        dated = self._path(found[0].time[0])
        for phrase in self.phrases:
            for dimension in phrase.senses.dimensions:
                goal = self._path(self.book.dimension(dimension).table)
                route = self.book.routes.route(self._path(found[0].entity), goal)
                if route is not None and route.joins and route.joins[0].right != dated and not (grows or in_money):
                    raise NoPlanError(f"{phrase.text} may be ranked by pieces or by money")
        self.measures = found
        for phrase in self.phrases:
            phrase.used = phrase.used or phrase.says("headline")

    def _holds_members_together(self) -> bool:
        """`Online against stores`, 华东对比华南: nothing but members is said, and that one is held against the other.

        Of those who buy it is not clear what: there may be more of them, or they may spend more. Nor of what is bought,
        which sells in pieces and for money.
        """
        sales = self._known("sales", "销售额")
        if not sales or sales[0].time is None:
            return False
        entity, dated = self._path(sales[0].entity), self._path(sales[0].time[0])
        held = any(
            p.says("compare") or (p.says("versus") and p.text.lower() not in (*_NO_LIST, *_MERE_JOINS))
            for p in self.phrases
            if not p.senses.members
        )
        homes = [{m.dimension for m in p.senses.members} for p in self.phrases if p.senses.members]
        shared = set.intersection(*homes) if len(homes) > 1 else set()

        def is_where_it_sells(table: str) -> bool:
            route = self.book.routes.route(entity, self._path(table))
            passed = route is not None and (not route.joins or route.joins[0].right == dated)
            return passed and not any(self._counts(metric, table) for metric in self.book.metrics.values())

        return held and any(is_where_it_sells(self.book.dimension(d).table) for d in shared)

    def _is_growth_of_itself(self, phrase: Phrase) -> bool:
        """`Customer growth`, 客户增长: more customers, and no more sales."""
        at = self.phrases.index(phrase)
        if not at or not phrase.says("grow", "fall", "growth"):
            return False
        of, led = self.phrases[at - 1], self.phrases[at - 2] if at > 1 else None
        if not any(self.book.dimension(d).is_entity for d in of.senses.dimensions):
            return False
        asked = led is not None and (led.says("which", "which_many", "each", "every") or led.number is not None)
        return not asked and (has_cjk(phrase.text) or phrase.text.lower().startswith("growth"))

    def _count_members(self) -> None:
        """`How many customers bought …`: the measure that counts these members once."""
        for phrase in self.phrases:
            entity = next((d for d in phrase.senses.dimensions if self.book.dimension(d).is_entity), None)
            if entity is None or not self._is_counted(phrase):
                continue
            active = [p for p in self.phrases if p.says("activity")]
            counting = [m for m in self.book.metrics.values() if self._counts(m, entity)]
            sold = [p for p in self.phrases if _SOLD.search(p.text) and not p.senses.metrics]
            if sold and not active and _DIFFERENT.search(self.question):
                active, counting = (
                    sold,
                    self._counting_by_deed(entity),
                )  # how many different products did the stores sell
            # Who ordered and then cancelled has ordered; a measure that leaves such orders out would count fewer.
            plain = sum(bool(p.periods) or p.says("before", "year_before") for p in self.phrases) < 2 and not any(
                p.says("each", "every") for p in self.phrases
            )
            if plain and any(_ORDERED.search(p.text) for p in active) and any(m.filter for m in counting):
                break
            if active and len(counting) == 1:
                self.measures = counting
                for each in [phrase, *active]:
                    each.used = True
                return
        raise NoPlanError("no measure is named")

    def _is_counted(self, phrase: Phrase) -> bool:
        at = self.phrases.index(phrase)
        for earlier in reversed(self.phrases[:at]):
            if earlier.says("count") or (has_cjk(earlier.text) and earlier.text.endswith(("多少", "几"))):
                return True
            if not earlier.says("skip"):
                break
        later = self._next(phrase)
        return (later is not None and later.says("count")) or any(
            p.says("count") or p.text.endswith(("多少", "有多少")) for p in self.phrases if has_cjk(p.text)
        )

    def _counts(self, metric: Metric, entity: str) -> bool:
        """Whether a metric counts the members of an entity by a key that refers to them."""
        known = metric.status == "accepted" or counts_buyers(metric) or metric in self.measures
        if metric.kind != "simple" or metric.additivity != "distinct" or not known:
            return False
        column = next(iter(self.book.parse(metric.expression).find_all(exp.Column)), None)
        table, goal = find_table(self.book.catalog, metric.entity), find_table(self.book.catalog, entity)
        if column is None or table is None or goal is None or metric.filter.count("=") > 1:
            return False
        return any(
            join.left == table.path and join.right == goal.path and column.name in join.left_columns
            for join in self.book.catalog.joins_of([table.path])
        )

    def _drop_parts_of_ratios(self) -> None:
        """A ratio may be told together with its parts: the discount rate, that is discounts over sales before discount."""
        parts = {leaf.name for metric in self.measures if metric.kind == "ratio" for leaf in self.book.leaves(metric)}
        ratios = [metric for metric in self.measures if metric.kind == "ratio"]
        chosen = {metric.name for metric in self.measures}
        named = [at for at, p in enumerate(self.phrases) if chosen & set(p.senses.metrics)]
        if any(
            all(p.says("join") for p in self.phrases[one + 1 : two]) and two > one + 1 for one, two in pairwise(named)
        ):
            return  # revenue and gross margin: both were asked for
        if ratios and all(metric.kind == "ratio" or metric.name in parts for metric in self.measures):
            self.measures = ratios
        self._take_part_of_another()
        self._take_rate_of_part()

    def _take_part_of_another(self) -> None:
        """Refunds as a percentage of revenue, 退款占销售额的百分之几: one measure over another, by the rate's own name if it has one."""
        whole = self._whole_of_share()
        if whole is None or len(self.measures) != 2:
            return
        part = next(metric for metric in self.measures if metric is not whole)
        known = [m for m in self.book.metrics.values() if (m.numerator, m.denominator) == (part.name, whole.name)]
        if len(known) == 1:
            # Discounts as a percentage of gross sales are what people called the discount rate.
            self.measures = known
        elif self._are_comparable(part, whole):
            self.measures, self.per = [part], whole
            self._use("share", "percent")

    def _are_comparable(self, part: Metric, whole: Metric) -> bool:
        """Money over money: as people defined both, or two sums of the same rows."""
        if part.format != "money" or whole.format != "money":
            return False
        summed = part.additivity == whole.additivity == "additive"
        return part.status == whole.status == "accepted" or (part.entity == whole.entity and summed)

    def _whole_of_share(self) -> Metric | None:
        """The measure that a share is of."""
        said = {name for phrase in self.phrases for name in self._named_behind(phrase)}
        return next((metric for metric in self.measures if metric.name in said), None)

    def _named_behind(self, phrase: Phrase) -> list[str]:
        """The metrics that are named right behind `percentage of` and 占."""
        text, at = phrase.text.lower(), self.phrases.index(phrase)
        later = self._next(phrase)
        of = phrase.says("share", "percent") and (text.endswith(" of") or text.startswith("占"))
        near = later is not None and self.phrases.index(later) - at <= 3
        return later.senses.metrics if of and near and later is not None else []

    def _is_told_as_part(self, phrase: Phrase) -> bool:
        """The refunds of `refunds as a percentage of revenue`: money that is held against other money."""
        later = self._next(phrase)
        whole = self._named_behind(later) if later is not None else []
        money = [self.book.metric(name).format == "money" for name in (*phrase.senses.metrics, *whole)]
        return bool(whole) and all(money)

    def _take_rate_of_part(self) -> None:
        """用了促销的订单占多少: the share of what is the upper part of one rate is that rate, where nothing else splits it."""
        if len(self.measures) != 1 or not any(p.says("share") and not p.used for p in self.phrases):
            return
        others = [
            p for p in self.phrases if not p.used and (p.senses.dimensions or p.senses.members or p.senses.metrics)
        ]
        part = self.measures[0]
        rates = [m for m in self.book.metrics.values() if m.numerator == part.name and m.format == "percent"]
        if part.filter and not others and len(rates) == 1 and rates[0].status == "accepted":
            self.measures = rates

    def _average(self) -> None:
        """`The average value per valid order`: the average that was proposed beside the total of the same column."""
        if not self._says_unused("average") or len(self.measures) != 1:
            return
        twin = self.book.metrics.get(self.measures[0].name.replace("total_", "average_", 1))
        if twin is not None and twin.additivity == "ratio" and twin is not self.measures[0]:
            self.measures = [twin]
            self._use("average")

    # Members without any

    def _find_absent(self) -> bool:
        """`Products never ordered`, 一单都没下的客户: members of which what is denied has no row.

        Only what was done is denied here; who did it in one period and not in another is told by two periods.
        """
        denied = [p for p in self.phrases if p.says("not") and not p.says("skip")]
        subjects = [p for p in self.phrases if self._is_entity(p)]
        if len(denied) != 1 or len(subjects) != 1 or self._says(*_NOT_ABSENT) or self._threshold_phrase() is not None:
            return False
        if sum(bool(p.periods) for p in self.phrases) > 1 or any(p.number for p in self.phrases):
            return False
        entity = next(d for d in subjects[0].senses.dimensions if self.book.dimension(d).is_entity)
        at, place = self.phrases.index(denied[0]), self.phrases.index(subjects[0])
        if place == at + 1 and at and (_NONE_OF.search(denied[0].text) or denied[0].says("detached")):
            return False  # orders that had no promotion are no promotions without an order
        deeds = [
            p
            for p in self.phrases
            if p is not subjects[0]
            and (p.says("activity") or p.senses.metrics or _SOLD.search(p.text) or p is denied[0])
        ]
        near = [p for p in deeds if abs(self.phrases.index(p) - at) <= 3]
        asked = self._says("which", "which_many", "count") or (has_cjk(self.question) and at < place)
        asked = asked or (place < at and denied[0].text.lower().startswith("without"))
        found = self._denied_measure(near, entity) if near == deeds and asked else None
        if found is None:
            return False
        self.measures, self.absent = [found], entity
        for phrase in (*deeds, *denied, *subjects):
            phrase.used = True
        return True

    def _find_lapsed(self) -> bool:
        """`Products sold in the second quarter but not in the third`, 去年买过、今年一次没买的客户: counted by when they were active.

        They are counted by the measure that counts them once, and whatever names the deed says no more than it does.
        """
        denied = [p for p in self.phrases if p.says("not") and not p.says("skip") and not p.used]
        subjects = [p for p in self.phrases if self._is_entity(p) and not p.used]
        relative = sum(p.says("before", "year_before") for p in self.phrases)
        if len(denied) != 1 or len(subjects) != 1 or self._says(*_NOT_LAPSED) or self._threshold_phrase() is not None:
            return False
        if sum(bool(p.periods) for p in self.phrases) + relative != 2 or any(p.number for p in self.phrases):
            return False
        entity = next(d for d in subjects[0].senses.dimensions if self.book.dimension(d).is_entity)
        deeds = [
            p
            for p in self.phrases
            if p is not subjects[0]
            and (p.says("activity") or p.senses.metrics or _SOLD.search(p.text) or _LOST.search(p.text))
        ]
        counting = [m for m in self._counting_by_deed(entity) if m.time is not None]
        if len(counting) != 1 or not deeds or any(self._is_another_deed(p, counting[0]) for p in deeds):
            return False
        if not (self._says("count", "which", "which_many") or _HOW_MANY.search(self.question)):
            return False
        self.measures = counting
        past = [
            p for p, after in pairwise([*self.phrases, *self.phrases[-1:]]) if p.text == "过" and after.number is None
        ]
        for phrase in (*deeds, *subjects, *past):
            phrase.used = True
        self._use("count", "which", "which_many", "fall" if any(_LOST.search(p.text) for p in deeds) else "count")
        return True

    def _counting_by_deed(self, entity: str) -> list[Metric]:
        """What counts the members of an entity by the sales that leave out what was cancelled."""
        sold = [m.filter for m in self._known("sales", "销售额")]
        return [
            m
            for m in self.book.metrics.values()
            if self._counts(m, entity) and (m.filter in sold or (not sold and counts_buyers(m)))
        ]

    def _is_another_deed(self, phrase: Phrase, counting: Metric) -> bool:
        """Reviews written are no orders: a measure is of the deed where it is of the same rows, or of those they are parts of."""
        paths = {self._path(counting.entity)}
        for metric in self._known("sales", "销售额"):
            paths.add(self._path(metric.entity))
        for metric in self._known("number of orders", "订单数"):
            paths.add(self._path(metric.entity))
        return any(
            self.book.metric(name).kind != "simple" or self._path(self.book.metric(name).entity) not in paths
            for name in phrase.senses.metrics
        )

    def _denied_measure(self, deeds: Sequence[Phrase], entity: str) -> Metric | None:
        """The accepted metric whose rows the deed is: named, or what is sold, ordered or bought."""
        named = list(dict.fromkeys(name for p in deeds for name in p.senses.metrics))
        text = " ".join(p.text for p in deeds).lower()
        if len(named) == 1 and not self._is_weak_order(named[0]):
            tried = [[self.book.metric(named[0])]]
        elif named and not all(map(self._is_weak_order, named)):
            return None
        elif _SOLD.search(text):
            tried = [self._known("units sold", "销量")]
        elif _ORDERED_NONE.search(text):
            tried = [self._orders(), self._known("number of order lines", "订单明细数")]
        elif _BOUGHT.search(text):
            tried = [
                self._known("valid orders", "有效订单数"),
                self._known("units sold", "销量"),
                self._proposed_orders(),
            ]
        else:
            return None
        goal = self._path(self.book.dimension(entity).table)
        for metric in (each for found in tried for each in found):
            known = metric.status == "accepted" or metric in self._proposed_orders()
            accepted = metric.kind == "simple" and known and metric.additivity != "ratio"
            if accepted and self.book.routes.route(self._path(metric.entity), goal) is not None:
                return metric
        return None

    def _is_weak_order(self, name: str) -> bool:
        """The order of `placed no order`, which is as good as the deed."""
        return name in {metric.name for metric in self._orders()}

    def _orders(self) -> list[Metric]:
        return self._known("number of orders", "订单数") or self._proposed_orders()

    def _proposed_orders(self) -> list[Metric]:
        """What counts the rows by which people bought, where nobody defined it."""
        homes = {m.entity for m in self.book.metrics.values() if counts_buyers(m)}
        return [
            m for m in self.book.metrics.values() if m.entity in homes and m.expression == "COUNT(*)" and not m.filter
        ]

    def _absent_plan(self) -> Plan:
        if any(group.dimension != self.absent for _, group in self.groups):
            raise NoPlanError("those without any are not split")
        self._use("which", "which_many", "count", "activity")
        counted = self._says("count") or bool(_HOW_MANY.search(self.question))
        return Plan(
            measures=(self.measures[0].name,),
            groups=(Grouping(dimension=self.absent),),
            filters=tuple(self.filters),
            period=self._one_period(),
            time=self._time(),
            count=counted,
            membership=Membership(absent=True),
        )

    # Those who have rows of another thing

    def _find_taking_part(self) -> bool:
        """`How many patients had a visit in 2024`, 2024年有过就诊的患者有多少: those who have such rows, each counted once.

        Only where nobody defined metrics: what counts customers there says which orders make one.
        """
        if self.book.glossary.metrics or self._threshold_phrase() is not None or self._says(*_NOT_LAPSED, "average"):
            return False
        subjects = [p for p in self.phrases if self._table_counted(p) and self._is_asked_for(p)]
        if len(subjects) != 1:
            return False
        home = self._table_counted(subjects[0])
        deeds = [p for p in self.phrases if p is not subjects[0] and p.senses.metrics]
        tables = {self._table_counted(p) for p in deeds}
        if not deeds and any(p.says("activity") and _ORDERED_NONE.search(p.text) for p in self.phrases):
            tables = {home for word in ("order", "订单") for home in self._tables_called(word)}
        if len(tables) != 1 or not (table := tables.pop()) or table == home:
            return False
        found = [m for m in self.book.metrics.values() if counts_members(m) and m.entity == table]
        found = [m for m in found if self._refers(m, home)]
        denied = [p for p in self.phrases if p.says("not") and not p.says("skip")]
        dates = sum(bool(p.periods) for p in self.phrases) + sum(p.says("before", "year_before") for p in self.phrases)
        if len(found) != 1 or len(denied) > 1 or (denied and dates != 2) or (dates and found[0].time is None):
            return False
        last = self.phrases.index(deeds[0]) if deeds else 0
        if any(p.says("each", "every") for p in self.phrases[last:]):
            return False  # how many visits each patient had
        self.measures = found
        for phrase in (*deeds, *subjects):
            phrase.used = True
        self._use("count", "deed", "activity", "once")
        return True

    def _table_counted(self, phrase: Phrase) -> str:
        """The table whose rows a noun names, empty for any other phrase."""
        names = phrase.senses.metrics
        metric = self.book.metric(names[0]) if len(names) == 1 else None
        counted = metric is not None and metric.expression == "COUNT(*)" and self._is_weak_noun(phrase, metric.name)
        return metric.entity if counted and metric is not None else ""

    def _tables_called(self, word: str) -> list[str]:
        senses = self.vocabulary.phrases.get(key_of(word))
        found = [self.book.metric(name) for name in senses.metrics] if senses else []
        return [m.entity for m in found if m.expression == "COUNT(*)"]

    def _refers(self, metric: Metric, home: str) -> bool:
        """Whether what is counted once is the key of a table."""
        column = next(iter(self.book.parse(metric.expression).find_all(exp.Column)), None)
        if column is None:
            return False
        holder, goal = self._path(column.table), self._path(home)
        return any(
            join.left == holder and join.right == goal and join.left_columns == (column.name,)
            for join in self.book.catalog.joins_of([holder])
        )

    def _is_asked_for(self, phrase: Phrase) -> bool:
        """Whether this noun is what is counted: `how many different patients`, 多少个患者, 的患者有多少人."""
        at = self.phrases.index(phrase)
        if not has_cjk(phrase.text):
            led = [p for p in self.phrases[max(0, at - 2) : at] if p.says("count")]
            between = self.phrases[self.phrases.index(led[-1]) + 1 : at] if led else []
            return bool(led) and not phrase.begins and all(p.says("skip", "once") for p in between)
        tokens = tokens_of(self.question)
        before, behind = (
            self.question[: tokens[phrase.start].start],
            self.question[tokens[phrase.end - 1].end :],
        )
        return bool(_SOUGHT_BEFORE.search(before) or _SOUGHT_BEHIND.match(behind))

    # Ratios that nobody named

    def _find_divisor(self) -> Phrase | None:
        """What a measure is divided by: the order of `returns per order`, 平均每单; the employee of `each store's revenue per employee`."""
        for at, phrase in enumerate(self.phrases[:-1]):
            follows = self.phrases[at + 1]
            earlier = self._previous(phrase)
            measured = earlier is not None and bool(earlier.senses.metrics)
            if phrase.text.lower() in ("per", "divided by", "除以") and measured:
                found: Phrase | None = follows
            elif phrase.says("every") and phrase.text.startswith("每") and self._is_averaged(at):
                found = (
                    follows if follows.text not in _COUNTERS or at + 2 >= len(self.phrases) else self.phrases[at + 2]
                )
                found = follows if follows.text == "单" else found
            elif phrase.text == "人均" and (heads := self._counted_heads(at)) is not None:
                found = heads
            elif phrase.text == "人均" and earlier is not None and not earlier.senses.metrics:
                led = self._previous(earlier)
                found = (
                    None if led is not None and led.says("each", "every") else earlier
                )  # 每个员工的人均 is not clear
            else:
                continue
            if found is None or not self._counting(found):
                continue
            if self._is_entity(found) and not self._divides_rather(phrase, found):
                continue
            near = self.phrases[at : self.phrases.index(found) + 1] if phrase.text != "人均" else []
            for each in near or [phrase, found]:
                each.used = True
            return found
        return None

    def _counted_heads(self, at: int) -> Phrase | None:
        """The 员工数 of 人均销售额（按员工数）: who is counted is said behind the figure."""
        for earlier, later in pairwise(self.phrases[at + 1 :]):
            if earlier.text == "按" and later.senses.metrics and self._counting(later):
                return later
        return None

    def _is_averaged(self, at: int) -> bool:
        """平均每: what is each's is asked on average; 每单 alone can only be meant so."""
        led = at > 0 and self.phrases[at - 1].says("average")
        return led or self.phrases[at + 1].text == "单"

    def _is_entity(self, phrase: Phrase) -> bool:
        return any(self.book.dimension(d).is_entity for d in phrase.senses.dimensions)

    def _divides_rather(self, phrase: Phrase, divisor: Phrase) -> bool:
        """Whether it divides where it could split: something else splits already, or an average is asked for."""
        ranked = self._says("top", "bottom", "rank", "rank_up", "which", "which_many", "fast", "slow")
        if phrase.text.lower() == "per" and divisor.says("head") and not ranked:
            return True  # revenue per employee is what the staff brings in; who sold how much is asked by employee
        split = any(
            (p.says("each", "every") or p.unit("series.")) and p is not phrase and not p.senses.metrics
            for p in self.phrases
            if p is not divisor
        )
        return split or self._says("average")

    def _counting(self, phrase: Phrase) -> list[Metric]:
        """The accepted metrics that count what a phrase names, each row or member once."""
        if phrase.text == "单":
            return self._known("number of orders", "订单数")
        if phrase.senses.metrics and not self._is_entity(phrase):
            named = [self.book.metric(name) for name in phrase.senses.metrics]
            return [m for m in named if m.status == "accepted" and m.additivity != "ratio"]
        entities = [d for d in phrase.senses.dimensions if self.book.dimension(d).is_entity]
        return [
            m
            for m in self.book.metrics.values()
            if m.entity in entities
            and m.status == "accepted"
            and m.kind == "simple"
            and not m.filter
            and self._counts_rows(m)
            and m.time is None  # new customers are those of a day, and not all there are
        ]

    def _divide(self, divisor: Phrase | None) -> None:
        if divisor is None:
            return
        counting = self._counting(divisor)
        if len(counting) != 1 or len(self.measures) != 1 or self.measures[0].additivity == "ratio":
            raise NoPlanError(f"a figure per {divisor.text} is not defined")
        part, by = self.measures[0], self._under_the_same_condition(counting[0])
        if part.name == by.name or part.status != "accepted":
            raise NoPlanError(f"a figure per {divisor.text} is not defined")
        known = [m for m in self.book.metrics.values() if (m.numerator, m.denominator) == (part.name, by.name)]
        if len(known) == 1:
            self.measures = known
        else:
            self.per = by
        self._use("average")

    def _under_the_same_condition(self, by: Metric) -> Metric:
        """Discounts of orders that are not cancelled are divided by such orders, where people count them."""
        condition = self.measures[0].filter
        alike = [
            m
            for m in self.book.metrics.values()
            if m.entity == by.entity and m.filter == condition and m.status == "accepted" and m.kind == "simple"
            and self._counts_rows(m)
        ]  # fmt: skip
        return alike[0] if condition and len(alike) == 1 else by

    def _leaves(self) -> list[Metric]:
        shown = [*self.measures, self.per] if self.per else self.measures
        return [leaf for metric in shown for leaf in self.book.leaves(metric)]

    def _path(self, table: str) -> tuple[str, ...]:
        found = find_table(self.book.catalog, table)
        if found is None:
            raise NoPlanError(f"no table {table}")
        return found.path

    def _splits(self, dimension: str) -> bool:
        """Whether every measure can be split by it without counting a row twice."""
        goal = self._path(self.book.dimension(dimension).table)
        return all(self.book.routes.route(self._path(leaf.entity), goal) is not None for leaf in self._leaves())

    def _held(self, dimension: str) -> bool:
        """Whether it belongs to the parts of what is measured, as products to the lines of an order."""
        goal = self._path(self.book.dimension(dimension).table)
        return all(
            self.book.routes.way_through_parts(self._path(leaf.entity), goal) is not None for leaf in self._leaves()
        )

    # Members

    def _find_members(self) -> None:
        found: dict[str, list[tuple[Phrase, Member]]] = {}
        for phrase in self.phrases:
            if phrase.used or not phrase.senses.members or self._is_rather_a_dimension(phrase):
                continue
            if self._is_rather_an_event(phrase):
                continue
            if self._is_deed(phrase):
                phrase.used = True
                continue
            if self._is_rather_a_word(phrase):
                continue
            meant = self._member(phrase)
            if not meant:
                continue
            phrase.used = True
            found.setdefault(meant[0].dimension, []).extend((phrase, member) for member in meant)
            if len(meant) > 1:
                self.together.add(meant[0].dimension)
        for dimension, members in found.items():
            if dimension in self.together and len({phrase.text for phrase, _ in members}) > 1:
                self._take_sides(dimension, members)
            self._add_filter(dimension, members)

    def _take_sides(self, dimension: str, members: list[tuple[Phrase, Member]]) -> None:
        """Online against stores: what one word tells together stands beside the others as one."""
        sides: dict[str, list[str]] = {}
        for phrase, member in members:
            sides.setdefault(phrase.text, []).append(member.value)
        values = [value for side in sides.values() for value in dict.fromkeys(side)]
        apart = len(values) == len(set(values)) and self._splits(dimension)
        if not apart or any(self._is_negated(phrase) for phrase, _ in members):
            raise NoPlanError("a word for several members beside another")
        self.together.discard(dimension)
        self.sides[dimension] = tuple(
            Side(name=text, values=tuple(dict.fromkeys(side))) for text, side in sides.items()
        )

    def _is_rather_a_dimension(self, phrase: Phrase) -> bool:
        """`Each store` and `which store` are stores; `store revenue` is revenue of the channel called store."""
        usable = [d for d in phrase.senses.dimensions if self._splits(d)]
        if not usable:
            return False
        earlier = self._previous(phrase)
        if earlier is not None and any(m.dimension in usable for m in earlier.senses.members):
            return True  # the health of `in red health`, though an industry is called so
        marks = ("each", "every", "which", "which_many", "top", "bottom", "rank", "count", "fast", "slow")
        if earlier is not None and (earlier.says(*marks) or earlier.number):
            return True
        reachable = [m for m in phrase.senses.members if self._splits(m.dimension)]
        later = self._next(phrase)
        if self._is_plural(phrase) and self._threshold_phrase() is not None and not self._is_beside_another(phrase):
            return True
        return not reachable or (later is not None and later.says("top", "bottom", "rank", "share", "which"))

    def _is_rather_an_event(self, phrase: Phrase) -> bool:
        """2月出库几张单: what happened then has a date of its own, and is not the state that rows are in today."""
        own = {".".join(leaf.time) for leaf in self._leaves() if leaf.time}
        homes = [self.book.dimension(member.dimension) for member in phrase.senses.members]
        state = any(_STATE_OF.search(word) for home in homes for word in (home.column, *home.words))
        # The 销售 of 销售实收 says no more of a day than is known; as a kind of rows it does.
        dated = any(self._dates(time) for time in phrase.senses.times if state or time not in own)
        return dated and any(p.periods for p in self.phrases) and not self.book.glossary.metrics

    def _is_deed(self, phrase: Phrase) -> bool:
        """The book of `how much did we book`, the open of `did we open`: what somebody does, where a member is called so."""
        at, said = self.phrases.index(phrase), phrase.text.lower()
        doer = self.phrases[at - 1].text.lower().split()[-1] if at else ""
        values = {m.value.lower() for m in phrase.senses.members}
        if said in _MADE and at and phrase.senses.members:
            led = self.phrases[at - 1]
            if self._is_entity(led) or doer in ("who", "that", "which"):
                return True  # customers placed orders, whatever has become of these
            if led.senses.metrics:
                raise NoPlanError(f"{phrase.text} may be a state")
        return doer in ("we", "they", "i", "you") and not values.isdisjoint({said, f"{said}s"})

    def _is_rather_a_word(self, phrase: Phrase) -> bool:
        """The change of `with the change on the year before`, where a song is called Changes."""
        said = phrase.text.lower()
        return phrase.says(*_COMPARES) and all(m.value.lower() != said for m in phrase.senses.members)

    def _is_plural(self, phrase: Phrase) -> bool:
        last = phrase.text.lower().split()[-1]
        return not has_cjk(last) and singular(last) != last

    def _is_beside_another(self, phrase: Phrase) -> bool:
        """`Web or stores`: what is named together with a member is one too."""
        homes = {m.dimension for m in phrase.senses.members}
        at = self.phrases.index(phrase)
        near = [self.phrases[place] for place in (at - 2, at + 2) if 0 <= place < len(self.phrases)]
        return any(homes & {m.dimension for m in other.senses.members} for other in near)

    def _member(self, phrase: Phrase) -> list[Member]:
        """The member that a phrase means here, several where they are told as one; none where it is better read as a plain word."""
        usable = [m for m in phrase.senses.members if self._splits(m.dimension)]
        if not usable and self._says("hold", "activity"):
            usable = [m for m in phrase.senses.members if self._held(m.dimension)]
        if not usable:
            if phrase.says(*HARMLESS, "activity") or phrase.senses.dimensions or phrase.senses.words:
                return []
            raise NoPlanError(f"{phrase.text} is nothing that the measure can be narrowed to")
        tables = {self.book.dimension(m.dimension).table for m in usable}
        if len(tables) > 1:
            home = self._beside(phrase, tables)
            nearer = {self.book.dimension(d).table for d in self._of_the_nearer([m.dimension for m in usable])}
            if home is None and len(nearer) == 1:
                home = nearer.pop()
            if home is None:
                raise NoPlanError(f"{phrase.text} may be in {', '.join(sorted(tables))}")
            usable = [m for m in usable if self.book.dimension(m.dimension).table == home]
        told = [m for m in usable if m.told] or usable
        if len({m.dimension for m in told}) > 1:
            told = [m for m in told if m.dimension in self.book.dimensions] or told
        if len({m.value for m in told}) > 1 and means_all(told):
            return told
        if len({(m.dimension, m.value) for m in told[:1]}) != 1 or len({m.value for m in told}) > 1:
            raise NoPlanError(f"{phrase.text} may mean several members")
        return told[:1]

    def _beside(self, phrase: Phrase, tables: set[str]) -> str | None:
        """The table that a neighbour names: the store of Hangzhou store, 杭州店, customers in Shanghai."""
        at = self.phrases.index(phrase)
        led = self._previous(phrase)
        while led is not None and led.says("not"):
            led = self._previous(led)  # customers who live outside China
        near = [p for p in (self._next(phrase), led) if p is not None]
        for other in near[:1]:
            # The orders of `valid orders`, and of 有效订单金额.
            measured = {self.book.metric(name).entity for name in other.senses.metrics} & tables
            if len(measured) == 1 and self.phrases.index(other) == at + 1:
                return measured.pop()
        for other in near:
            homes = {self.book.dimension(d).table for d in other.senses.dimensions} & tables
            if len(homes) == 1 and not other.used and abs(self.phrases.index(other) - at) <= 4:
                other.used = True
                return homes.pop()
        # USA vs. Canada: how much did customers in each country spend? The only thing that is named has such a member.
        named = {self.book.dimension(d).table for p in self.phrases if self._is_entity(p) for d in p.senses.dimensions}
        return (named & tables).pop() if len(named & tables) == 1 else None

    def _add_filter(self, dimension: str, members: list[tuple[Phrase, Member]]) -> None:
        kept = [(phrase, m) for phrase, m in members if not self._is_negated(phrase)]
        left = [(phrase, m) for phrase, m in members if (phrase, m) not in kept]
        if (
            left
            and _STATES.search(dimension)
            and not self._is_flag(dimension)
            and not all(_ENDED.search(m.value) for _, m in left)
        ):
            raise NoPlanError("what is not paid may be more than one state")  # shipped orders are paid too
        if left and not self._is_left_out_anyway(dimension, [m.value for _, m in left]):
            self._append_filter(dimension, left, negated=True)
        if kept:
            self._append_filter(dimension, kept, negated=False)

    def _is_flag(self, dimension: str) -> bool:
        """Whether it is yes or no, so that those that are not are the others."""
        about = self.book.dimension(dimension)
        known = self.book.catalog.by_name[about.table].column(about.column)
        return known is not None and re.match(r"\s*(?:bool|bit)", known.type, re.I) is not None

    def _append_filter(self, dimension: str, members: list[tuple[Phrase, Member]], *, negated: bool) -> None:
        values = tuple(dict.fromkeys(m.value for _, m in members))
        text = ", ".join(phrase.text for phrase, _ in members)
        holding = not self._splits(dimension)
        if holding:
            self._use("hold", "activity")
        if any(
            f.dimension == dimension and set(f.values) == set(values) and f.negated != negated for f in self.filters
        ):
            raise NoPlanError("what is so and what is not, side by side")  # 大修和非大修分别是多少
        self.filters.append(PlanFilter(dimension=dimension, values=values, negated=negated, holding=holding, text=text))

    def _is_negated(self, phrase: Phrase) -> bool:
        """`Except web`, `cancelled ones left out`, 不含已取消, 已取消的除外."""
        at = self.phrases.index(phrase)
        for step in (-1, 1):
            place = at + step
            if (phrase if step < 0 else self.phrases[min(place, len(self.phrases) - 1)]).begins:
                continue
            while 0 <= place < len(self.phrases):
                other = self.phrases[place]
                if other.says("not") and not other.says("skip"):
                    after = other.text.lower() in _NOT_AFTER
                    if (step == 1) == after:
                        other.used = True
                        return True
                    break
                if not other.says("skip", "join", "count") and not self._is_plain_noun(other):
                    break
                if (self.phrases[place] if step < 0 else self.phrases[min(place + 1, len(self.phrases) - 1)]).begins:
                    break
                place += step
        return False

    def _is_plain_noun(self, phrase: Phrase) -> bool:
        return bool(phrase.senses.metrics) and self._is_weak(phrase)

    def _is_left_out_anyway(self, dimension: str, values: Sequence[str]) -> bool:
        """A condition of the definition itself says so already: revenue leaves cancelled orders out."""
        column = self.book.dimension(dimension).column
        filters = [leaf.filter.replace('"', "") for leaf in self._leaves()]
        return all(any(f"{column} <> '{value}'" in each for each in filters) for value in values)

    # Groups

    def _find_groups(self) -> None:
        last = ""
        for at, phrase in enumerate(self.phrases):
            if phrase.used:
                continue
            if (series := phrase.unit("series.")) and not self._is_part_of_week(phrase):
                phrase.used = True
                if all(group.unit != series for _, group in self.groups):
                    self.groups.append((at, Grouping(unit=cast(TimeUnit, series))))
                last = "group"
                continue
            if phrase.senses.dimensions:
                last = self._place_dimension(at, phrase, last)
            elif (unit := phrase.unit("unit.")) and not phrase.periods:
                last = self._place_unit(at, phrase, unit, last)
        self._pair_weekdays()
        self._split_by_members()
        for phrase, dimension in self.idle:
            if not self._is_passed(dimension):
                raise NoPlanError(f"what {phrase.text} is for is not said")
            phrase.used = True

    def _is_passed(self, dimension: str) -> bool:
        """Whether it lies on the way to what figures are split by: the products of `which supplier's products`."""
        if not self.book.dimension(dimension).is_entity:
            return False  # 前五的品牌方：名称、级别: what is listed of each is to be shown
        passed = self._path(self.book.dimension(dimension).table)
        goals = [group.dimension for _, group in self.groups if group.dimension] + [f.dimension for f in self.filters]
        for goal in goals:
            for leaf in self._leaves():
                route = self.book.routes.route(self._path(leaf.entity), self._path(self.book.dimension(goal).table))
                if route is not None and any(passed in (join.left, join.right) for join in route.joins):
                    return True
        return False

    def _place_dimension(self, at: int, phrase: Phrase, last: str) -> str:
        usable = [d for d in phrase.senses.dimensions if self._splits(d)]
        if len(usable) != 1:
            usable = self._of_a_neighbour(phrase) or self._of_the_nearer(usable)
        if not usable and self._is_of_the_measure(at):
            phrase.used = True
            return last
        if not usable:
            if self._is_subject(phrase) or self._is_held_thing(at):
                phrase.used = True
                return last
            if phrase.says("skip"):
                return last
            raise NoPlanError(f"the measure cannot be split by {phrase.text}")
        if len(usable) > 1:
            raise NoPlanError(f"{phrase.text} may be {', '.join(usable)}")
        if (
            self._is_of_the_split(at, usable[0])
            or self._is_kind_of_member(at, usable[0])
            or f"{phrase.text}所在" in self.question  # 团长所在城市 is a city
        ):
            phrase.used = True
            return last
        role = self._role(at, phrase, last)
        usable = self._kinds_of(at, usable)
        if not role:
            if self._is_subject(phrase) or self._narrows_already(usable[0], at):
                phrase.used = True
            else:
                self.idle.append((phrase, usable[0]))
            return last
        phrase.used = True
        for role_of in phrase.senses.roles:
            self.filters.append(PlanFilter(dimension=role_of.dimension, values=(role_of.value,), text=phrase.text))
        if all(group.dimension != usable[0] for _, group in self.groups):
            self.groups.append((at, Grouping(dimension=usable[0])))
            self._note_role(at, role)
        elif role == "target":
            place = next(place for place, group in self.groups if group.dimension == usable[0])
            self._note_role(place, role)
        return role

    def _of_a_neighbour(self, phrase: Phrase) -> list[str]:
        """The city of `which city's customers` and of 客户所在的城市: the one that is called customer city."""
        at = self.phrases.index(phrase)
        for other in (self._next(phrase), self._previous(phrase)):
            if other is None or other.used or abs(self.phrases.index(other) - at) > 3:
                continue
            if not any(self.book.dimension(d).is_entity for d in other.senses.dimensions):
                continue
            between = "" if has_cjk(phrase.text) else " "
            senses = self.vocabulary.phrases.get(key_of(f"{other.text}{between}{phrase.text}"))
            found = [d for d in senses.dimensions if self._splits(d)] if senses else []
            if len(found) == 1:
                other.used = True
                return found
        return []

    def _of_the_nearer(self, dimensions: list[str]) -> list[str]:
        """Payments by country: that of who paid, and not of the office that looks after them, which is told by them alone.

        Of columns with one name the one that the ways to all others pass.
        """
        homes = [self.book.dimension(d) for d in dict.fromkeys(dimensions)]
        if len({home.column.casefold() for home in homes}) != 1 or any(home.is_entity for home in homes):
            return dimensions
        chosen = homes
        for leaf in self._leaves():
            start = self._path(leaf.entity)
            ways = {home.name: self.book.routes.route(start, self._path(home.table)) for home in homes}
            passed = [
                {start, *(join.right for join in way.joins)} if way is not None else {start} for way in ways.values()
            ]
            chosen = [home for home in chosen if all(self._path(home.table) in each for each in passed)]
        return [home.name for home in chosen] if len(chosen) == 1 else dimensions

    def _is_of_the_measure(self, at: int) -> bool:
        """每单几件商品: goods are what the measure counts pieces of."""
        earlier = self.phrases[at - 1] if at else None
        return (
            earlier is not None
            and earlier.used
            and earlier.text.endswith(("件", "款", "种", "个"))
            and bool(earlier.senses.metrics)
        )

    def _is_held_thing(self, at: int) -> bool:
        """The item of `orders containing at least one Orbix item`: the part that is held, said by its noun."""
        held = [each for each in self.filters if each.holding]
        near = self.phrases[max(0, at - 2) : at]
        homes = {self.book.dimension(d).table for d in self.phrases[at].senses.dimensions}
        return any(
            p.used and p.text in each.text and self.book.dimension(each.dimension).table in homes
            for p in near for each in held if p.senses.members
        )  # fmt: skip

    def _is_kind_of_member(self, at: int, dimension: str) -> bool:
        """The channel of 门店渠道 and of `the app channel` splits nothing."""
        earlier = self.phrases[at - 1] if at else None
        return (
            earlier is not None
            and earlier.used
            and not self.phrases[at].begins
            and any(each.dimension == dimension and earlier.text in each.text for each in self.filters)
            and any(member.dimension == dimension for member in earlier.senses.members)
        )

    def _is_of_the_split(self, at: int, dimension: str) -> bool:
        """各会员等级雇主, `each customer segment's customers`: the things whose kinds were just named."""
        about, earlier = self.book.dimension(dimension), self.phrases[at - 1] if at else None
        if not about.is_entity or earlier is None or not earlier.used:
            return False
        kinds = [self.book.dimension(d) for d in earlier.senses.dimensions]
        return any(each.table == about.table and not each.is_entity for each in kinds)

    def _kinds_of(self, at: int, usable: list[str]) -> list[str]:
        """各类客户 are kinds of customers and not customers: the dimension that is called 类客户."""
        earlier = self.phrases[at - 1] if at else None
        if earlier is None or not earlier.text.endswith(("类", "种")) or not self.book.dimension(usable[0]).is_entity:
            return usable
        senses = self.vocabulary.phrases.get(key_of("类" + self.phrases[at].text))
        found = [d for d in senses.dimensions if self._splits(d)] if senses else []
        if len(found) != 1:
            raise NoPlanError(f"kinds of {self.phrases[at].text} are not known")
        return found

    def _place_unit(self, at: int, phrase: Phrase, unit: str, last: str) -> str:
        later = self._next(phrase)
        earlier = self._previous(phrase)
        if (
            earlier is not None
            and earlier.number
            and later is not None
            and (later.says("moving") or self._says("moving"))
        ):
            phrase.used = True
            return last
        role = self._role(at, phrase, last)
        if not role and self._threshold_phrase() is not None and not any(g.unit for _, g in self.groups):
            role = "target"
        if not role:
            if phrase.says("skip"):
                return last
            raise NoPlanError(f"what {phrase.text} is for is not said")
        phrase.used = True
        if any(group.unit for _, group in self.groups):
            if any(group.unit == unit for _, group in self.groups):
                return role
            raise NoPlanError("two units of time")
        self.groups.append((at, Grouping(unit=cast(TimeUnit, unit))))
        self._note_role(at, role)
        return role

    def _note_role(self, at: int, role: str) -> None:
        if role == "parent":
            self.parents.add(at)
        elif role == "target":
            self.targets.append(at)

    def _role(self, at: int, phrase: Phrase, last: str) -> str:
        """What a dimension is for, by what stands before it: group, parent (of each apart) or target (which)."""
        if phrase.text.startswith(("各", "每")):
            return "group"  # 各国: by country, in one word
        if phrase.unit("unit.") == "weekday" and phrase.text.endswith("几"):
            return "target"  # 星期几 asks which
        place = at - 1
        while place >= 0:
            earlier = self.phrases[place]
            if earlier.says("which", "which_many"):
                earlier.used = True
                return "target"
            if earlier.number and not earlier.used:
                return "target"
            if earlier.says("top", "bottom", "fast", "slow"):
                return "target"
            if earlier.says("every"):
                earlier.used = True
                return "parent"
            if earlier.says("share") and not earlier.says("each") and self._is_narrowed_behind(at):
                return ""  # what share came from customers outside China
            if earlier.says("each", "rank", "share") and not self._is_skipped_over(earlier):
                earlier.used = earlier.used or earlier.says("each")
                return "group"
            if earlier.says("join") and last:
                return last
            if earlier.says("count") and self._threshold_phrase() is not None:
                return "target"
            if earlier.says("compare"):
                return "group"
            if earlier.says("grow", "fall") and has_cjk(earlier.text) and place < at - 1:
                return "target"  # 销售额下降的门店
            if earlier.text.lower() in ("what", "什么"):
                return "target"
            if not earlier.says("skip", "count", "total", "amount"):
                break
            place -= 1
        # `Category by category` and 品类分布: said right before the measure or what is done with it.
        later = self._next(phrase)
        if later is not None and later.says("share") and self._is_narrowed_noun(at):
            return ""  # 中国以外的客户占了百分之几: the customers are the part
        if later is not None and later.says("rank", "share", "which"):
            return "target" if later.says("which") else "group"
        follows = self.phrases[at + 1].text.lower() if at + 1 < len(self.phrases) else ""
        if later is not None and later.says("top", "bottom", "fast", "slow") and follows in _WITH:
            return "target"  # the store with the highest revenue
        if self._is_what_did_most(at):
            return "target"
        if later is not None and later.periods and self._is_extreme_of(later):
            return "target"  # the month of last year with the highest revenue
        if later is not None and later.says("headline"):
            return "group"  # store performance
        if self._threshold_phrase() is not None and not self.groups and phrase.senses.dimensions:
            return "target"  # are there categories with a return rate above …
        if (
            last
            and at
            and phrase.senses.dimensions
            and self.phrases[at - 1].senses.dimensions
            and self.phrases[at - 1].used
        ):
            return last  # 分渠道、状态: a list without a word between
        return ""

    def _is_narrowed_noun(self, at: int) -> bool:
        """The customers of 中国以外的客户 and 企业客户: a noun right behind a member of its own."""
        home = {
            self.book.dimension(d).table for d in self.phrases[at].senses.dimensions if self.book.dimension(d).is_entity
        }
        place = at - 1
        while place >= 0 and not self.phrases[place + 1].begins:
            earlier = self.phrases[place]
            if earlier.used and any(self.book.dimension(m.dimension).table in home for m in earlier.senses.members):
                return True
            if not earlier.says("skip", "not"):
                return False
            place -= 1
        return False

    def _is_narrowed_behind(self, at: int) -> bool:
        """The customers of `customers who live outside China`: a noun right before what leaves out some of them."""
        home = {self.book.dimension(d).table for d in self.phrases[at].senses.dimensions}
        for later in self.phrases[at + 1 :]:
            if later.used and later.senses.members:
                return any(each.negated and later.text in each.text for each in self.filters) and any(
                    self.book.dimension(m.dimension).table in home for m in later.senses.members
                )
            if later.begins or not later.says("skip", "not", "which"):
                return False
        return False

    def _is_what_did_most(self, at: int) -> bool:
        """`The category they spent most on`, `the store that sold the most`: a measure, then the most of it."""
        if not at or self.phrases[at - 1].text.lower().split()[-1] != "the" or not self.phrases[at].senses.dimensions:
            return False
        follows = self.phrases[at + 1 : at + 5]
        for place, other in enumerate(follows):
            if other.senses.dimensions and not other.senses.metrics:
                return False
            if other.says("top", "bottom") and not other.senses.metrics:
                return place > 0 and not follows[0].begins
            if not (other.says("skip", "activity", "headline") or other.senses.metrics):
                return False
        return False

    def _is_extreme_of(self, period: Phrase) -> bool:
        """Whether a period is followed by `with the highest`."""
        at, later = self.phrases.index(period), self._next(period)
        follows = self.phrases[at + 1].text.lower() if at + 1 < len(self.phrases) else ""
        return later is not None and later.says("top", "bottom") and follows in _WITH

    def _is_skipped_over(self, phrase: Phrase) -> bool:
        return phrase.says("skip") and not phrase.says("each", "every")

    def _is_subject(self, phrase: Phrase) -> bool:
        """Whom a measure counts needs no other role: the repeat purchase rate of our customers."""
        entities = [d for d in phrase.senses.dimensions if self.book.dimension(d).is_entity]
        for entity in entities:
            for leaf in self._leaves():
                if self._counts(replace(leaf, status="accepted"), entity) or leaf.entity == entity:
                    return True
                goal = self._path(entity)
                if leaf.per and any(
                    join.right == goal and leaf.per[1] in join.left_columns
                    for join in self.book.catalog.joins_of([self._path(leaf.per[0])])
                ):
                    return True
        return False

    def _narrows_already(self, dimension: str, at: int) -> bool:
        """`Corporate customers`, `web channel`: the noun after a member of its own."""
        about = self.book.dimension(dimension)
        if not about.is_entity:
            near = self.phrases[
                max(0, at - 2) : at
            ]  # the channel of `the app channel`, not the finding of `with a finding`
            return any(m.dimension == dimension for p in near for m in p.senses.members)
        return any(self.book.dimension(each.dimension).table == about.table for each in self.filters)

    def _is_part_of_week(self, phrase: Phrase) -> bool:
        """`By weekday vs weekend`: the five days together."""
        return phrase.says("weekpart") and any(each.says("weekpart") for each in self.phrases if each is not phrase)

    def _pair_weekdays(self) -> None:
        said = [phrase for phrase in self.phrases if phrase.says("weekpart") and not phrase.used]
        if not said:
            return
        ends = [phrase for phrase in said if "weekend" in phrase.text.lower() or phrase.text in ("周末", "双休日")]
        if not 0 < len(ends) < len(said):
            raise NoPlanError("one part of the week alone")
        for phrase in said:
            phrase.used = True
        self.groups.append((self.phrases.index(said[0]), Grouping(unit="weekpart")))

    def _split_by_members(self) -> None:
        """Several members of one dimension stand side by side, unless they are wanted together."""
        together = any(p.says("total") and p.text.lower() in _TOGETHER for p in self.phrases)
        for each in self.filters:
            known = any(group.dimension == each.dimension for _, group in self.groups)
            if each.dimension in self.sides and (known or together):
                raise NoPlanError("members that are told as one, and split or added up")
            if (
                len(each.values) > 1
                and not each.negated
                and not known
                and not together
                and each.dimension not in self.together
            ):
                if each.holding:
                    raise NoPlanError("several members of a part")
                if _AS_WELL.search(self.question) and any(
                    group.dimension and self.book.dimension(group.dimension).is_entity for _, group in self.groups
                ):
                    raise NoPlanError("those that have both")  # which patients were seen by both
                sides = self.sides.get(each.dimension, ())
                self.groups.append((-1, Grouping(dimension=each.dimension, sides=sides)))

    # Periods

    def _find_periods(self) -> None:
        units = [group.unit for _, group in self.groups if group.unit in SERIES]
        for at, phrase in enumerate(self.phrases):
            for period in phrase.periods:
                self.periods.append((at, _whole_buckets(_plan_period(period), units, self.clock)))
            phrase.used = phrase.used or bool(phrase.periods)
        self._begin_series(units)
        self._split_by_change()
        self._lend_the_year()
        self._split_each_of_several()
        self._drop_whole_years()
        self._move_a_year_back()
        spans = [(period.start, period.end) for _, period in self.periods]
        if (
            len(self.periods) == 2
            and spans[0] == spans[1]
            and self._says("versus", "growth", "grow", "fall", "gap", "compare")
        ):
            # `Last quarter against the previous quarter`: the second is the one before the first.
            at, second = self.periods[1]
            if (
                _YEAR_EARLIER.search(second.text)
                and second.grain != "year"
                and not _YEAR_SAID.search(self.periods[0][1].text)
            ):
                # `September versus September of the previous year`: the year of the second was lent to the first.
                first_at, first = self.periods[0]
                later = _in_year(first, first.start.year + 1)
                self.periods[0] = (first_at, later)
                if later.start >= self.clock.tomorrow:
                    raise NoPlanError("the future is not in the data")
                return
            if not _EARLIER_SAID.search(second.text):
                raise NoPlanError("a period held against itself")
            self.periods[1] = (at, earlier_period(second, before))
        tomorrow = self.clock.tomorrow
        if any(period.start >= tomorrow for _, period in self.periods):
            raise NoPlanError("the future is not in the data")

    def _begin_series(self, units: Sequence[TimeUnit | None]) -> None:
        """`By month from February`: a series that begins there, and not that month alone."""
        if len(self.periods) != 1 or not units:
            return
        at, period = self.periods[0]
        led = at > 0 and self.phrases[at - 1].text.lower().split()[-1] == "from"
        if led and period.grain == units[0] and not _FROM_TO.search(period.text):
            self.periods = [(at, period.model_copy(update={"end": OPEN_END}))]

    def _split_by_change(self) -> None:
        """`Month over month since February` is told month by month: there is more than one month to tell."""
        if len(self.periods) != 1 or any(group.unit for _, group in self.groups):
            return
        at, period = self.periods[0]
        said = [p.text.lower() for p in self.phrases if p.says("held") and not p.used]
        unit = next((u for u, words in _CHANGES_OF.items() if any(text.startswith(words) for text in said)), None)
        if unit is None or period.start == OPEN_START or shift(period.start, unit, 1) >= period.end:
            return
        self.groups.append((-1, Grouping(unit=unit)))
        self.periods = [(at, _whole_buckets(period, [unit], self.clock))]

    def _lend_the_year(self) -> None:
        """`The first half of 2021 against the second half`: both are of the year that is said."""
        if len(self.periods) != 2:
            return
        (first_at, first), (second_at, second) = self.periods
        parts = ("half", "quarter", "month")
        if first.grain not in parts or second.grain not in parts or first.start.year == second.start.year:
            return
        if (first.start.month, first.grain) == (second.start.month, second.grain):
            return  # October against October last year: the year tells them apart
        named = [_YEAR_SAID.search(period.text) is not None for period in (first, second)]
        if named == [True, False]:
            self.periods[1] = (second_at, _in_year(second, first.start.year))
        elif named == [False, True]:
            self.periods[0] = (first_at, _in_year(first, second.start.year))

    def _split_each_of_several(self) -> None:
        """`Each of the last six months` splits by month."""
        for at, phrase in enumerate(self.phrases):
            earlier = self._previous(phrase)
            if not phrase.periods or earlier is None or not earlier.says("every") or earlier.used:
                continue
            unit = next((unit for unit, words in _SEVERAL.items() if phrase.text.lower().endswith(words)), None)
            if unit is None:
                continue
            if any(group.unit for _, group in self.groups):
                raise NoPlanError("two units of time")
            earlier.used = True
            self.groups.append((at, Grouping(unit=unit)))
            self.periods = [
                (place, _whole_buckets(period, [unit], self.clock) if place == at else period)
                for place, period in self.periods
            ]

    def _move_a_year_back(self) -> None:
        """`October against October a year ago`, `March 2025 against March a year earlier`: the second is a year before the first."""
        if len(self.periods) != 2:
            return
        (_, first), (at, second) = self.periods
        behind = self.phrases[at + 1] if at + 1 < len(self.phrases) else None
        alike = (first.start.month, first.start.day, first.grain) == (
            second.start.month,
            second.start.day,
            second.grain,
        )
        if behind is None or not behind.says("year_before") or behind.says("held") or not alike or behind.begins:
            return
        if second.grain == "year" or _YEAR_SAID.search(second.text):
            return
        behind.used = True
        earlier = earlier_period(first, year_before)
        self.periods[1] = (at, earlier.model_copy(update={"text": f"{second.text} {behind.text}"}))

    def _drop_whole_years(self) -> None:
        """`Last year, from January to December` says one thing twice."""
        years = [each for each in self.periods if each[1].grain == "year"]
        months = [each for each in self.periods if each[1].grain == "month" and _is_whole_year(each[1])]
        if len(years) == 1 and len(months) == 1 and len(self.periods) == 2:
            self.periods = years

    # The whole

    def _assemble(self) -> Plan:
        units = [group.unit for _, group in self.groups if group.unit]
        unit = units[0] if units else None
        if self._says("trend") and unit is None:
            unit = self._trend_unit()
            self.groups.append((-1, Grouping(unit=unit)))
            self.periods = [(at, _whole_buckets(period, [unit], self.clock)) for at, period in self.periods]
            self._use("trend")
        else:
            self._use("trend")
        if self.absent:
            return self._absent_plan()
        if membership := self._membership():
            return membership
        if any(_LOST.search(p.text) and p.says("fall", "not") for p in self.phrases) and any(
            metric.additivity == "distinct" for metric in self.measures
        ):
            raise NoPlanError("who was lost, or how many fewer there are")
        comparison, period = self._comparison(unit)
        moving = self._moving()
        running = self._is_running(unit, comparison)
        if running and unit is None:
            unit = self._trend_unit()
            self.groups.append((-1, Grouping(unit=unit)))
        contribution = comparison is not None and self._take("contribution")
        if comparison is None:
            self._use("contribution")  # what someone contributed is what they brought in
        threshold = self._threshold(comparison)
        contrast = self._contrast(comparison)
        spread = comparison is None and self._spread()
        share, share_of, concentration = self._share(comparison, contribution)
        if threshold is not None and (share or share_of or concentration):
            raise NoPlanError("a share of those that pass")
        ranking = None if spread else self._ranking(comparison, contribution, bool(share), concentration)
        if threshold is None and ranking is None and not contribution and not contrast and not spread:
            threshold = self._moved(comparison, unit)
        self._refuse_per_head()
        ordered = self._ordered_groups(ranking)
        count = threshold is not None and self._only_counted()
        period = self._finished(period, unit, PlanRanking(descending=False) if spread else ranking)
        plan = Plan(
            measures=tuple(metric.name for metric in self.measures),
            per=self.per.name if self.per else "",
            groups=tuple(ordered),
            filters=tuple(self.filters),
            period=period,
            time=self._time(),
            comparison=comparison,
            share=share,
            share_of=share_of,
            contribution=contribution,
            contrast=contrast,
            spread=spread,
            ranking=ranking,
            concentration=concentration,
            threshold=threshold,
            count=count,
            running=running,
            moving=moving,
        )
        if period is None and comparison is not None and comparison.against != "previous":
            raise NoPlanError("a comparison without a period")
        return plan

    def _is_running(self, unit: TimeUnit | None, comparison: Comparison | None) -> bool:
        """今年累计销售额 is what there is by now, and no series; a running total by itself is one."""
        said = [p for p in self.phrases if p.says("running") and not p.used]
        for p in said:
            p.used = True
        summed = all(p.text in ("累计", "累积") for p in said) or (
            comparison is not None
            and all(p.text.lower() in ("cumulative", "cumulatively", "accumulated") for p in said)
        )
        return bool(said) and not (unit is None and summed)

    def _finished(
        self, period: PlanPeriod | None, unit: TimeUnit | None, ranking: PlanRanking | None
    ) -> PlanPeriod | None:
        """Without the month that is not over, where the lowest is sought: it would always be that one."""
        if ranking is None or ranking.descending or unit not in SERIES or unit is None:
            return period
        begun = bucket_starts(unit, self.clock.today)
        if period is None:
            return PlanPeriod(start=OPEN_START, end=begun, grain=unit)
        if not (period.start < begun < period.end):
            return period
        return period.model_copy(update={"end": begun})

    def _trend_unit(self) -> TimeUnit:
        if len(self.periods) == 1:
            period = self.periods[0][1]
            if period.start != OPEN_START and (min(period.end, self.clock.tomorrow) - period.start).days <= 62:
                return "day"
        return "month"

    def _time(self) -> str:
        """The date column that counts, where one was said or where two measures are dated by different ones."""
        said = [phrase for phrase in self.phrases if phrase.senses.times and not phrase.used]
        usable = {t for phrase in said for t in phrase.senses.times if self._dates(t)}
        if said and usable:
            if len(usable) > 1:
                raise NoPlanError("two dates are said")
            timed = self.periods or any(group.unit for _, group in self.groups)
            if not self.book.glossary.metrics and not timed and not all(map(self._is_what_rows_are, said)):
                raise NoPlanError("what happened is said, and no time")  # how many athletes have retired
            for phrase in said:
                phrase.used = True
            chosen = usable.pop()
            return "" if all(leaf.time and ".".join(leaf.time) == chosen for leaf in self._leaves()) else chosen
        if self.per is not None and self.per.format == "money":
            return ""  # refunds of a year over its revenue: each is dated as people defined it
        times = list(dict.fromkeys(".".join(leaf.time) for leaf in self._leaves() if leaf.time))
        timed = self.periods or any(group.unit for _, group in self.groups)
        if len(times) < 2 or not timed or self._are_dated_alone():
            return ""
        shared = [time for time in times if self._dates(time)]
        if not shared:
            raise NoPlanError("the measures have no date in common")
        return shared[0]

    def _are_dated_alone(self) -> bool:
        """Revenue and refunds of a quarter: each by the one day that people defined for it; the parts of a rate share theirs."""
        dated = [{leaf.time for leaf in self.book.leaves(metric)} for metric in self.measures]
        known = all(metric.status == "accepted" for metric in self.measures) or all(
            map(self._counts_rows, self.measures)
        )
        return known and self.per is None and all(len(times) == 1 and None not in times for times in dated)

    def _is_what_rows_are(self, phrase: Phrase) -> bool:
        """Units delivered of deliveries: what happened to every row says nothing more."""
        words = [word for leaf in self._leaves() for word in name_words(leaf.entity)]
        return any(len(word) > 5 and phrase.text.lower()[:6] == word[:6] for word in words)

    def _dates(self, time: str) -> bool:
        goal = self._path(time.rpartition(".")[0])
        return all(self.book.routes.route(self._path(leaf.entity), goal) is not None for leaf in self._leaves())

    def _ordered_groups(self, ranking: PlanRanking | None) -> list[Grouping]:
        """Outer groups first; what is ranked last."""
        ordered = [group for at, group in self.groups if at not in self.targets]
        ordered += [group for at, group in self.groups if at in self.targets]
        if not (ranking and ranking.per_group):
            return ordered
        return ordered

    def _membership(self) -> Plan | None:
        """Members active in one period and not, or also, in another; or in every bucket of one."""
        metric = self.measures[0]
        if len(self.measures) != 1 or metric.additivity != "distinct" or metric.kind != "simple":
            return None
        relative = next((p for p in self.phrases if p.says("before", "year_before") and not p.used), None)
        both = self._says_unused("both") or any(p.text.lower() == "both" for p in self.phrases)
        if len(self.periods) == 1 and relative is not None and (self._says_unused("not") or both):
            other = earlier_period(self.periods[0][1], before if relative.says("before") else year_before)
            relative.used = True
            self.periods = sorted([*self.periods, (self.phrases.index(relative), other)], key=lambda each: each[0])
        if each := self._both_members(both):
            self._use("both", "activity", "join", "versus")
            return self._members_plan(metric, self._one_period(), Membership(each=each))
        if len(self.periods) == 2:
            negation = next((p for p in self.phrases if p.says("not") and not p.used and not p.says("skip")), None)
            if negation is not None:
                negation.used = True
                absent = self._period_of(negation)
                present = next(period for _, period in self.periods if period != absent)
                self._use("activity", "which", "which_many")
                return self._members_plan(metric, present, Membership(also=absent))
            if self._take("both") or (both and self._says("activity")):
                self._use("activity", "which", "which_many")
                first, second = (period for _, period in self.periods)
                return self._members_plan(metric, first, Membership(also=second, active=True))
        return self._every_bucket(metric)

    def _both_members(self, both: bool) -> str:
        """The dimension of `bought both on the web and in the app`, 既在网页又在应用下过单: members of all of these."""
        several = [
            each
            for each in self.filters
            if len(each.values) > 1 and not each.negated and each.dimension not in self.together
        ]
        said = both or bool(_AS_WELL.search(self.question))
        if len(several) != 1 or not said:
            return ""
        own = [group for _, group in self.groups if group.dimension != several[0].dimension]
        if several[0].holding or own or len(self.periods) > 1 or self._says("before", "year_before"):
            raise NoPlanError("members of both are not split")
        self.groups = []
        return several[0].dimension

    def _one_period(self) -> PlanPeriod | None:
        return self.periods[0][1] if self.periods else None

    def _every_bucket(self, metric: Metric) -> Plan | None:
        units = [(at, group) for at, group in self.groups if group.unit in SERIES]
        if len(units) != 1 or len(self.periods) != 1 or len(self.groups) != 1:
            return None
        group = units[0][1]
        said = [phrase.text.lower() for phrase in self.phrases]
        english = any(text.startswith(("every", "in every")) for text in said)
        chinese = any(text.startswith("每") for text in said) and self._says("both")
        if not (english or chinese) or (not self._says("count") and "多少" not in self.question):
            return None
        self._use("both", "activity", "which", "which_many", "every")
        whole = len(bucket_labels(cast(str, group.unit), self.periods[0][1].start, self.periods[0][1].end))
        for number in self.phrases:
            # 四个季度每个季度都: the number says again how many there are.
            number.used = number.used or (number.number is not None and number.number.value == whole)
        return self._members_plan(metric, self.periods[0][1], Membership(every=group.unit))

    def _members_plan(self, metric: Metric, period: PlanPeriod | None, membership: Membership) -> Plan:
        if membership.also and any(group for _, group in self.groups):
            raise NoPlanError("members over periods are not split")
        return Plan(
            measures=(metric.name,),
            groups=self._listed_members(metric, membership),
            filters=tuple(self.filters),
            period=period,
            membership=membership,
            time=self._time(),
        )

    def _listed_members(self, metric: Metric, membership: Membership) -> tuple[Grouping, ...]:
        """`Which customers bought in 2024 but not in 2025` wants them, `how many customers` their number."""
        if (
            self._says("count")
            or _HOW_MANY.search(self.question)
            or not (self._says("which_many") or _WHICH_OF.search(self.question))
        ):
            return ()
        found = [d for d, each in self.book.dimensions.items() if each.is_entity and self._counts(metric, d)]
        if membership.also is None or len(found) != 1:
            raise NoPlanError("members are only counted")
        return (Grouping(dimension=found[0]),)

    def _period_of(self, phrase: Phrase) -> PlanPeriod:
        """The period that a word belongs to: in English the one after it, in Chinese the one before it."""
        at = self.phrases.index(phrase)
        later = [period for place, period in self.periods if place > at]
        earlier = [period for place, period in self.periods if place < at]
        if has_cjk(phrase.text):
            return earlier[-1] if earlier else later[0]
        return later[0] if later else earlier[-1]

    # Comparisons

    def _comparison(self, unit: TimeUnit | None) -> tuple[Comparison | None, PlanPeriod | None]:
        change = self._says("growth", "grow", "fall")
        yearly, prior = self._says_unused("year_before"), self._says_unused("before")
        if prior and not yearly and self._means_the_year_before():
            yearly, prior = True, False
        held = self._says("versus", "gap") and not self._two_members()
        if not change and any(p.says("contribution") and _is_change_word(p.text) for p in self.phrases):
            change = True
        periods = [period for _, period in self.periods]
        if yearly and prior and unit is None:
            raise NoPlanError("held against two periods")
        if unit in SERIES and (change or yearly or prior) and (yearly or prior or change):
            return self._series_comparison(unit, periods, yearly=yearly)
        if unit in SERIES and len(periods) == 2:
            return self._series_of_two(periods)
        if len(periods) == 2 and self.periods[0][0] == self.periods[1][0] and self._two_members() and not change:
            # 对比2025年网页和App: the members are compared, and one period alone is named.
            periods = [period for period in periods if period.text in self.question and not _is_now(period, self.clock)]
        if len(periods) > 2:
            raise NoPlanError("more than two periods")
        if len(periods) == 2:
            return self._two_periods(periods, yearly or prior)
        if not periods:
            if yearly or prior or change:
                raise NoPlanError("a change without a period")
            return None, None
        only = periods[0]
        if (yearly or prior or change) and (only.start == OPEN_START or only.end == OPEN_END):
            raise NoPlanError("a change over an open period")
        if yearly or prior:
            self._use("year_before", "before", "growth", "grow", "fall", "versus", "gap", "percent", "compare")
            other = earlier_period(only, year_before if yearly else before)
            return like_for_like(only, other, "year_before" if yearly else "previous", self.clock)
        if change:
            halves = _halves(only)
            self._use("growth", "grow", "fall", "versus", "gap", "percent")
            if halves is not None:
                return like_for_like(halves[1], halves[0], "period", self.clock)
            if _FROM_TO.search(only.text):
                raise NoPlanError("a change between the ends, or of all of it")
            if held and not self._says("grow", "fall"):
                raise NoPlanError("held against nothing")
            return like_for_like(only, earlier_period(only, before), "previous", self.clock)
        return None, only

    def _means_the_year_before(self) -> bool:
        """`March 2026 against the year before` is March 2025, not February."""
        said = [p for p in self.phrases if p.says("before") and not p.used]
        shorter = all(period.grain in ("day", "week", "month", "quarter", "half") for _, period in self.periods)
        return bool(self.periods) and shorter and all(_YEARS.search(p.text) for p in said)

    def _series_comparison(
        self, unit: TimeUnit, periods: list[PlanPeriod], *, yearly: bool
    ) -> tuple[Comparison | None, PlanPeriod | None]:
        if len(periods) == 2:
            # `Month by month, each against last month`: the second names the bucket before, not a period of its own.
            within = [
                one
                for one in periods
                for two in periods
                if two.start <= one.start < one.end <= two.end and one != two and shift(one.start, unit, 1) < one.end
            ]  # from January to June, of 2025
            periods = within or [period for period in periods if period.grain != unit] or periods[:1]
        if len(periods) == 1 and periods[0].grain == unit and self._is_held_against(self.periods[0][0]):
            periods = []  # 每年次数，比上年增减: the year before each, and not last year alone
        if len(periods) > 1:
            raise NoPlanError("a series held against a period")
        self._use("year_before", "before", "growth", "grow", "fall", "versus", "percent", "compare")
        return Comparison(against="year_before" if yearly else "previous"), periods[0] if periods else None

    def _is_held_against(self, at: int) -> bool:
        """Whether a period is the one before, right behind a word that compares."""
        earlier = self.phrases[at - 1] if at else None
        compared = earlier is not None and earlier.says("versus") and earlier.text.lower() != "from"
        return compared and _EARLIER_SAID.search(self.phrases[at].text) is not None

    def _series_of_two(self, periods: list[PlanPeriod]) -> tuple[Comparison | None, PlanPeriod | None]:
        """This year's months against last year's; other pairs of periods do not share their buckets."""
        first, second = periods
        now, then = (first, second) if first.start > second.start else (second, first)
        if earlier_period(now, year_before).start != then.start or now.grain != then.grain:
            raise NoPlanError("two periods in one series")
        self._use("versus", "compare", "percent")
        return Comparison(against="year_before"), now

    def _two_periods(self, periods: list[PlanPeriod], relative: bool) -> tuple[Comparison | None, PlanPeriod | None]:
        first, second = periods
        now, then = (first, second) if first.start > second.start else (second, first)
        if (
            relative
            and earlier_period(now, year_before).start != then.start
            and earlier_period(now, before).start != then.start
        ):
            raise NoPlanError("held against two periods")
        if then.grain == "year" and now.grain != "year" and (_is_within_a_year(now) or relative):
            # `Q3 this year vs last year`, `Singles' Day against last year`: the same part of it. So is the same stretch of
            # last year for what began on January 1 and ends today.
            if then.start.year != now.start.year - 1:
                raise NoPlanError("a part of a year and a whole one")
            then = earlier_period(now, year_before)
        if then.end > now.start:
            raise NoPlanError("two periods that overlap")
        if any(day in (OPEN_START, OPEN_END) for each in periods for day in (each.start, each.end)):
            raise NoPlanError("an open period")
        self._use("year_before", "before", "growth", "grow", "fall", "versus", "gap", "percent", "compare")
        return like_for_like(now, then, "period", self.clock)

    # What is done with the figures

    def _moving(self) -> Moving | None:
        phrase = next((p for p in self.phrases if p.says("moving")), None)
        if phrase is None:
            return None
        phrase.used = True
        at = self.phrases.index(phrase)
        numbers = [p for p in self.phrases[:at] if p.number and not p.used]
        if not numbers:
            raise NoPlanError("an average over how many is not said")
        number = numbers[-1]
        number.used = True
        between = self.phrases[self.phrases.index(number) + 1 : at]
        unit = next((found for p in between if (found := p.unit("unit."))), "")
        for p in between:
            p.used = p.used or bool(p.unit("unit."))
        if all(group.unit is None for _, group in self.groups):
            self.groups.append((-1, Grouping(unit=cast(TimeUnit, unit or "month"))))
        assert number.number is not None
        return Moving(size=int(number.number.value))

    def _threshold_phrase(self) -> tuple[Phrase, Phrase] | None:
        """The comparing word and its number: more than 110, 420 万以上."""
        for at, phrase in enumerate(self.phrases):
            if phrase.number is None or phrase.used:
                continue
            if at + 1 < len(self.phrases) and self.phrases[at + 1].unit("unit."):
                continue  # over twelve months
            for other, after in ((self._previous(phrase), False), (self._next(phrase), True)):
                if other is None or not other.says(*_OPERATORS) or other.used:
                    continue
                written_after = any(other.text.lower() in forms for forms in _AFTER_NUMBER.values())
                if written_after == after:
                    return other, self.phrases[at]
        return None

    def _threshold(self, comparison: Comparison | None) -> Threshold | None:
        found = self._threshold_phrase()
        if found is None:
            return None
        word, number = found
        word.used = number.used = True
        assert number.number is not None
        operator = next(_OPERATORS[kind] for kind in _OPERATORS if word.says(kind))
        percent = number.number.kind == PERCENT
        metric = self.measures[0]
        follows = self.phrases[self.phrases.index(number) + 1 :][:1]
        if follows and follows[0].text in _COUNTERS and (metric.format == "money" or metric.additivity == "ratio"):
            raise NoPlanError(f"{number.text}{follows[0].text} is a number of things")  # 台数超过10台的…平均金额
        if follows and follows[0].senses.metrics and not self._counts_it(follows[0]) and follows[0] is not word:
            raise NoPlanError(f"{number.text} {follows[0].text} is another figure")  # those with at least 15 reviews
        of: Figure = "percent" if percent and comparison is not None else "value"
        if percent and comparison is None and metric.format != "percent":
            raise NoPlanError("a per cent of what is not said")
        value = float(number.number.value)
        if of == "percent" and self._says("fall"):
            value, operator = -value, cast(Operator, {">": "<", ">=": "<=", "<": ">", "<=": ">="}[operator])
        if not self.groups:
            raise NoPlanError("a condition on one figure")
        self._use("which", "which_many")
        return Threshold(of=of, operator=operator, number=value)

    def _moved(self, comparison: Comparison | None, unit: TimeUnit | None) -> Threshold | None:
        """`Which stores lost revenue` wants those that did, and no others."""
        up, down = self._says("grow"), self._says("fall")
        asked = self._says("which", "which_many") or any(has_cjk(self.phrases[at].text) for at in self.targets)
        if comparison is None or unit is not None or up == down or not asked or not self.targets:
            return None
        self._use("which", "which_many")
        return Threshold(of="difference", operator=">" if up else "<", number=0)

    def _refuse_per_head(self) -> None:
        """`Revenue per employee for each store` divides by the employees, where it does not list them."""
        if self.per is not None:
            return
        for at, phrase in enumerate(self.phrases):
            rows = self.phrases[at + 1] if at + 1 < len(self.phrases) and phrase.says("each", "every") else None
            if rows is not None and rows.senses.metrics and not rows.senses.dimensions and not self._counts_it(rows):
                raise NoPlanError(f"a figure per {rows.text} is not defined")  # the average discount per order
            said = phrase.text.lower() == "per" and at and self.phrases[at - 1].senses.metrics
            later = self._next(phrase) if said else None
            heads = [d for d in later.senses.dimensions if self.book.dimension(d).is_entity] if later else []
            if heads and len(self.groups) > 1:
                raise NoPlanError(f"per {heads[0]} may divide or split")

    def _only_counted(self) -> bool:
        """`How many stores sold more than …` wants the number of stores."""
        target = next((at for at, _ in self.groups if at >= 0), None)
        if target is None or self._says("which", "which_many"):
            return False
        earlier = self._previous(self.phrases[target])
        told = [p.text for p in self.phrases[target + 1 :] if has_cjk(p.text)]
        return (earlier is not None and earlier.says("count")) or any(
            text.startswith(("有多少", "有几", "多少个", "多少家", "多少位", "几个", "几家", "几位")) for text in told
        )

    def _two_members(self) -> bool:
        return any(
            len(self.sides.get(each.dimension, each.values)) == 2
            and not each.negated
            and each.dimension not in self.together
            for each in self.filters
        )

    def _contrast(self, comparison: Comparison | None) -> bool:
        if comparison is not None or not self._two_members() or not self._says_unused("gap"):
            self._use("versus") if self._two_members() or comparison else None
            return False
        if len(self.groups) != 1 or not self.groups[0][1].dimension:
            raise NoPlanError("a gap between more than two")
        self._use("gap", "versus", "percent", "which")
        return True

    def _spread(self) -> bool:
        """`The gap between the best and the worst store`, 最好和最差的门店相差多少: both ends of one dimension."""
        ends = [p for p in self.phrases if p.says("top", "bottom") and not p.senses.metrics]
        both = {kind for p in ends for kind in ("top", "bottom") if p.says(kind)}
        if not self._says_unused("gap") or both != {"top", "bottom"} or len(ends) != 2:
            return False
        if len(self.groups) != 1 or len(self.measures) != 1:
            raise NoPlanError("a gap between the ends of what is not said")
        if any(p.number and not p.used for p in self.phrases):
            raise NoPlanError("a gap between several")
        self._use("gap", "top", "bottom", "versus", "which", "percent")
        return True

    def _share(self, comparison: Comparison | None, contribution: bool) -> tuple[Share | None, str, int | None]:
        wanted = self._says_unused("share") or (self._says_unused("percent") and comparison is None)
        rate = all(metric.format == "percent" for metric in self.measures)
        if rate and self.filters and any(p.text.lower().startswith(_FROM) and not p.used for p in self.phrases):
            raise NoPlanError("a share of what a rate counts")  # the share of cancelled orders that came from the web
        if not wanted or contribution or (rate and not self._says_unused("share")):
            if rate or comparison is not None:
                self._use("percent")
            if rate and self._says_unused("share"):
                self._use("share")
            return None, "", None
        if rate:
            self._use("share", "percent")
            return None, "", None
        if comparison is not None:
            raise NoPlanError("a share and a comparison")
        self._use("share", "percent")
        dimensions = [(at, group) for at, group in self.groups if group.dimension]
        targets = [at for at in self.targets if any(at == place for place, _ in dimensions)]
        number = next((p for p in self.phrases if p.number and not p.used), None)
        # 占比最大的十个客户 and `the ten with the largest share` list what each has.
        ranked = any(
            (one.says("share") and two.says("top")) or (one.says("top") and two.says("share"))
            for one, two in pairwise(self.phrases)
        )
        ranked = ranked or _EACH_SHARE.search(self.question) is not None
        if len(dimensions) == 1 and targets and number is not None and self._says("top") and not ranked:
            number.used = True
            self._use("top", "which", "which_many")
            assert number.number is not None
            return None, "", int(number.number.value)
        if part := self._told_part():
            return None, part, None
        if dimensions and any(not each.values for each in self.filters):
            raise NoPlanError("a share within each, or of all that have any")
        if dimensions and self.filters and has_cjk(self.question) and not self._splits_the_part(dimensions[-1][0]):
            raise NoPlanError("a share of each, or of all that are meant")
        if len(dimensions) == 1 and not self.filters:
            return "total", "", None
        if len(dimensions) == 2 and self.parents:
            return "parent", "", None
        if len(dimensions) == 1 and any(each.dimension != dimensions[0][1].dimension for each in self.filters):
            return "total", "", None
        parts = [each for each in self.filters if not each.negated and not each.holding]
        if not dimensions and len(self.filters) == 1 and self._is_told_outside(self.filters[0]):
            parts = self.filters  # revenue from customers outside China
        if not dimensions and len(parts) == 1:
            return None, parts[0].dimension, None
        raise NoPlanError("a share of what is not said")

    def _is_told_outside(self, wanted: PlanFilter) -> bool:
        """Whether what is left out makes the part: `from customers outside China`, 中国以外的客户; not `excluding the web`."""
        said = [p.text.lower() for p in self.phrases if p.says("not") and not p.says("skip")]
        return wanted.negated and not wanted.holding and bool(said) and all(text in _OUTSIDE for text in said)

    def _splits_the_part(self, at: int) -> bool:
        """Whether what is split stands right before 占: 已离店订单的房费，各渠道占百分之几."""
        later = self._next(self.phrases[at]) if at >= 0 else None
        return later is None or later.says("share", "percent")

    def _told_part(self) -> str:
        """The filter that is the part of the whole, by where it stands; the whole is split as the part is.

        `What percentage of moves were cancelled, by kind`, 各供应商的维护费用里，保修内的占百分之几, 各手术间急诊手术占多少.
        """
        parts = [each for each in self.filters if not each.negated and not each.holding]
        said = next((at for at, p in enumerate(self.phrases) if p.says("share", "percent")), None)
        if len(parts) != 1 or len(self.filters) != 1 or len(self.measures) != 1 or said is None:
            return ""
        noun = next((at for at, p in enumerate(self.phrases) if self.measures[0].name in p.senses.metrics), None)
        part = next((at for at, p in enumerate(self.phrases) if p.text in parts[0].text and p.senses.members), None)
        if noun is None or part is None:
            return ""
        if has_cjk(self.question):
            split = max((at for at, group in self.groups if group.dimension), default=-1)
            direct = all(p.says("skip") or at == noun for at, p in enumerate(self.phrases) if part < at < said)
            asked = self.phrases[said].text.startswith(("占百分", "占多", "占几")) or noun < part
            return parts[0].dimension if split < part < said and direct and asked else ""
        own = self.book.dimension(parts[0].dimension).table == self.measures[0].entity
        of_all = self.measures[0].name in self._named_behind(
            self.phrases[said]
        )  # payments that failed, of all payments
        return parts[0].dimension if own and (said < noun < part or (part < said and of_all)) else ""

    def _ranking(
        self, comparison: Comparison | None, contribution: bool, share: bool, concentration: int | None
    ) -> PlanRanking | None:
        up = [
            p
            for p in self.phrases
            if p.says("top", "fast") and (not p.used or p.says("contribution", "grow")) and not p.senses.metrics
        ]
        down = [
            p
            for p in self.phrases
            if p.says("bottom", "slow") and (not p.used or p.says("grow")) and not p.senses.metrics
        ]
        if concentration is not None:
            return None
        for p in (*up, *down):
            at = self.phrases.index(p)
            beside = [near for near in self.phrases[max(0, at - 1) : at + 2] if near.number is not None]
            if p.text in ("前", "后", "大") and not beside:
                raise NoPlanError(f"{p.text} what is not said")  # 受理后 speaks of what came after
        self._lead_with_what_ranks()
        if self._take("rank_up") and not up and not down:
            self._need_groups()
            by = self._ranked_figure(comparison, contribution, share, up)
            return PlanRanking(by=by, n=self._number(None), descending=False)
        if self._take("rank") and not up and not down:
            self._need_groups()
            return PlanRanking(by=self._ranked_figure(comparison, contribution, share, up), n=self._number(None))
        if not up and not down and contribution and self.targets and any(p.number and not p.used for p in self.phrases):
            return PlanRanking(by="difference", n=self._number(None), descending=not self._falls())  # 主要靠哪五个品牌
        if not up and not down and self._is_so_many_by():
            return PlanRanking(by="value", n=self._number(None))
        if not up and not down:
            return None
        if up and down:
            raise NoPlanError("first and last at once")
        self._need_groups()
        falls = comparison is not None and self._falls()
        quick = any(p.says("fast", "slow") for p in (*up, *down))
        by = self._ranked_figure(comparison, contribution, share, [*up, *down])
        if falls and down and not quick:
            raise NoPlanError("the least fall")
        descending = bool(up) != falls
        # How many `which categories grew fastest` are is not said: all of them in order, the first one first.
        every = comparison is not None and len(self.groups) == 1 and self._asks_for_several()
        n = self._number(None if every else self._default_number())
        for p in (*up, *down):
            p.used = True
        self._use("which", "which_many")
        if not self.targets and len(self.groups) > 1:
            raise NoPlanError("what is ranked is not said")
        # 哪家酒店哪一天最高: both are sought, so that one place is taken by a pair of them.
        sought = [at for at, _ in self.groups if at not in self.targets]
        return PlanRanking(by=by, n=n, descending=descending, per_group=len(self.groups) > 1 and bool(sought))

    def _lead_with_what_ranks(self) -> None:
        """Contacts and contract amount, `top 5 by amount`: the plan ranks by its first measure, whichever was said first."""
        for at, then in enumerate(self.phrases):
            if len(self.measures) < 2 or not self._is_behind_by(at):
                continue
            led = [metric for metric in self.measures if metric.name in then.senses.metrics]
            if not led and then.says("amount"):
                led = [metric for metric in self.measures if not self._counts_rows(metric) and metric.kind == "simple"]
                if len(led) != 1:
                    raise NoPlanError("by which amount is not said")
            self.measures.sort(key=lambda metric: metric not in led)

    def _is_behind_by(self, at: int) -> bool:
        """Whether it is what something is ranked by: `by total fee`, 按金额, `sorted by revenue`."""
        while at and self.phrases[at - 1].says("total", "count") and not self.phrases[at - 1].senses.metrics:
            at -= 1
        return at > 0 and re.split(r"\s", self.phrases[at - 1].text.lower())[-1] in _RANKED_BY

    def _is_so_many_by(self) -> bool:
        """`Five suppliers by units returned`: the first five of them, though no word says first."""
        for at in self.targets:
            led, behind = self.phrases[at - 1] if at else None, self.phrases[at + 1 : at + 3]
            counted = led is not None and led.number is not None and not led.used and led.number.kind != PERCENT
            measured = len(behind) == 2 and behind[0].text.lower() == "by" and behind[1].senses.metrics
            if counted and measured and self._counts_it(behind[1]) and len(self.groups) == 1:
                return True
        return False

    def _falls(self) -> bool:
        return any(p.says("fall") for p in self.phrases) and not any(p.says("grow") for p in self.phrases)

    def _need_groups(self) -> None:
        if not self.groups:
            raise NoPlanError("nothing to rank")

    def _ranked_figure(
        self, comparison: Comparison | None, contribution: bool, share: bool, said: Sequence[Phrase]
    ) -> Figure:
        if contribution:
            return "difference"
        if share:
            return "share"
        if comparison is None:
            return "value"
        rate = self._says("percent", "fast", "slow") or any(_is_rate_word(p.text) for p in self.phrases)
        # 环比最差 speaks of the rate, 环比下降最多 may speak of pieces.
        plain = any(p.text in _PLAIN_EXTREMES for p in said)
        rate = rate or (self._says("year_before", "before") and not plain)
        if self.measures[0].format == "percent":
            return "difference"
        # `Fell the most`, 下降最多: of two stores the one that lost more; a rate has words of its own.
        return "percent" if rate else "difference"

    def _number(self, default: int | None) -> int | None:
        numbers = [p for p in self.phrases if p.number and not p.used and p.number.kind != PERCENT]
        if len(numbers) > 1:
            raise NoPlanError("several numbers")
        if not numbers:
            return default
        numbers[0].used = True
        assert numbers[0].number is not None
        value = numbers[0].number.value
        if value != int(value) or value < 1:
            raise NoPlanError("no count")
        return int(value)

    def _asks_for_several(self) -> bool:
        """Which categories, 哪些品类: more than one, and no number."""
        if any(p.number and not p.used for p in self.phrases):
            return False
        asked = self._says("which", "which_many") or any(p.text.lower().startswith("what") for p in self.phrases)
        plural = any(self._is_plural(self.phrases[at]) for at in self.targets)
        return self._says("which_many") or (asked and plural)

    def _default_number(self) -> int:
        """One for `which store`; how many `which stores` are is not said."""
        if self._says_unused("which_many") and not any(p.number and not p.used for p in self.phrases):
            raise NoPlanError("how many is not said")
        for at in self.targets:
            text = self.phrases[at].text.lower()
            many = not has_cjk(text) and singular(text.split()[-1]) != text.split()[-1]
            if many and not any(p.number and not p.used for p in self.phrases):
                raise NoPlanError("how many is not said")
        return 1

    # Helpers

    def _says(self, *kinds: str) -> bool:
        return any(phrase.says(*kinds) and not phrase.senses.metrics for phrase in self.phrases)

    def _says_unused(self, *kinds: str) -> bool:
        return any(phrase.says(*kinds) and not phrase.used for phrase in self.phrases)

    def _use(self, *kinds: str) -> None:
        bound = self._threshold_phrase()  # the `more than` of `dropped more than 10%` holds nothing against another
        for phrase in self.phrases:
            if phrase.says(*kinds) and (bound is None or phrase is not bound[0]):
                phrase.used = True

    def _take(self, kind: str) -> bool:
        found = [phrase for phrase in self.phrases if phrase.says(kind) and not phrase.used]
        for phrase in found:
            phrase.used = True
        return bool(found)

    def _previous(self, phrase: Phrase) -> Phrase | None:
        """The phrase before, over plain words."""
        return self._neighbour(phrase, -1)

    def _next(self, phrase: Phrase) -> Phrase | None:
        return self._neighbour(phrase, 1)

    def _neighbour(self, phrase: Phrase, step: int) -> Phrase | None:
        at = self.phrases.index(phrase) + step
        while 0 <= at < len(self.phrases):
            found = self.phrases[at]
            if not found.says("skip") or found.senses.members or found.says("every", "each", "count", "which"):
                return found
            at += step
        return None

    def _refuse_guesses(self, plan: Plan) -> None:
        """What is harmless beside a definition that people made may mean more beside one that columns suggest.

        Of 23 plans on databases without definitions 8 were wrong, each in one of these ways; the 15 that are left are right.
        """
        if all(metric.status == "accepted" for metric in self.measures):
            return
        whole = not plan.groups and plan.comparison is None
        if whole and any(p.says("each", "every") and not p.used for p in self.phrases):
            raise NoPlanError("split by what is not known")
        if plan.running and plan.ranking is not None:
            raise NoPlanError("a running total that is ranked")
        if plan.threshold is not None and len(plan.groups) > 1:
            raise NoPlanError("which of the two is listed is not known")
        if whole and not self._is_summed():
            raise NoPlanError("whether it is added up is not said")
        for at, phrase in enumerate(self.phrases[:-1]):
            follows = self.phrases[at + 1]
            if (
                phrase.senses.metrics
                and self._is_weak(phrase)
                and not self._counts_it(phrase)
                and self.book.metric(phrase.senses.metrics[0]).entity in {leaf.entity for leaf in self._leaves()}
                and follows.says("each", "every")
            ):
                raise NoPlanError(f"whether {phrase.text} are counted is not said")
        if any(g.unit == "day" for g in plan.groups) and _DATED_BY.search(self.question):
            raise NoPlanError("by the day on which something happened")
        if plan.period is not None and plan.period.grain == "day" and (plan.period.end - plan.period.start).days == 1:
            raise NoPlanError("what there is on one day may be dated otherwise")
        chosen = {metric.name for metric in self.measures}
        named = [at for at, p in enumerate(self.phrases) if chosen & set(p.senses.metrics)]
        if any(self._is_sought(self.phrases[at]) and self._is_weak(self.phrases[at]) for at in named):
            raise NoPlanError("what is sought is no figure")
        # What they are ranked by is named a second time, and no further figure.
        listed = [at for at in named if not (plan.ranking and self._is_behind_by(at))]
        if len(chosen) > 1 and any(
            not any(p.says("join") for p in self.phrases[first:second])
            and not self._are_listed(self.phrases[first], self.phrases[second])
            for first, second in pairwise(listed)
        ):
            raise NoPlanError("two measures side by side")
        if _DIFFERENT.search(self.question) and any(m.additivity != "distinct" for m in self.measures):
            raise NoPlanError("what is counted once is not known")
        nouns = [p for p in self.phrases if p.used and chosen & set(p.senses.metrics) and self._is_weak(p)]
        counted = any(p.says("count", "top", "bottom", "share", "percent", "moving") for p in self.phrases) or any(
            has_cjk(p.text) and "多少" in p.text for p in self.phrases
        )
        counted = counted or _HOW_MANY_ZH.search(self.question) is not None
        # Policies signed in March: what happened to each of them, so that they are counted.
        behind = [self._next(p) for p in nouns]
        counted = counted or any(later is not None and later.senses.times and later.used for later in behind)
        counts = [m for m in self.measures if m.status == "proposed" and m.expression == "COUNT(*)"]
        # Of what has neither amounts nor quantities nothing but the number can be meant, or the rows themselves where they
        # are only narrowed: clients in Ireland or the UAE.
        narrowed = bool(self.groups) and all(at < 0 for at, _ in self.groups)
        counted = counted or (not narrowed and all(self._has_no_amounts(m.entity) for m in counts))
        if counts and nouns and not counted and plan.threshold is None:
            raise NoPlanError(f"whether {nouns[0].text} are counted is not said")
        guess = Guess(self.question, self.phrases, plan, self.measures, self.book)
        if doubt := find_doubt(guess) or find_figure_doubt(guess):
            raise NoPlanError(doubt)

    def _is_sought(self, phrase: Phrase) -> bool:
        """The machine of 用得最多的机器: in Chinese what has the most stands behind it, and what it has before."""
        earlier = self._previous(phrase) if has_cjk(phrase.text) else None
        return earlier is not None and earlier.text.startswith("最") and earlier.says("top", "bottom")

    def _has_no_amounts(self, entity: str) -> bool:
        """Whether rows can only be counted: neither a measure nor a column with fractions is known of them."""
        table = find_table(self.book.catalog, entity)
        added = any(m.entity == entity and m.expression != "COUNT(*)" for m in self.book.metrics.values())
        return not added and table is not None and not any(_FRACTIONS.search(column.type) for column in table.columns)

    def _is_summed(self) -> bool:
        """Whether one figure is asked for, and no list of what is stored."""
        asked = ("total", "count", "average", "share", "percent", "amount", "top", "bottom")
        return (
            self._says(*asked) or bool(_HOW_MUCH.search(self.question)) or any(m.kind == "ratio" for m in self.measures)
        )

    def _counts_it(self, phrase: Phrase) -> bool:
        return any(metric.name in phrase.senses.metrics for metric in self.measures)

    def _refuse_leftovers(self, plan: Plan) -> None:
        grouped = bool(plan.groups)
        harmless = {*HARMLESS}
        if grouped:
            harmless |= {"which", "which_many", "both"}
        several = any(len(each.values) > 1 and each.dimension not in self.together for each in plan.filters)
        if plan.comparison or several or grouped:
            harmless.add("versus")
        if plan.comparison or several:
            harmless.add("higher")
        if any(metric.additivity == "distinct" or metric.kind == "members" for metric in self._leaves()):
            harmless |= {"activity", "once"}
        if all(metric.format == "percent" for metric in self.measures):
            harmless |= {"percent", "hold", "at_least"}
        if any(metric.format == "money" for metric in self.measures):
            harmless.add("amount")
        if all(metric.additivity == "ratio" for metric in self.measures):
            harmless.add("average")
        if plan.comparison or grouped:
            harmless.add("compare")
        if all(leaf.filter for leaf in self._leaves()):
            harmless.add("undeleted")
        for phrase in self.phrases:
            if phrase.used or phrase.says(*harmless):
                continue
            if phrase.senses.metrics and self._is_source(phrase):
                continue
            raise NoPlanError(f"{phrase.text} is left over")


_EXPLAINED = re.compile(
    r"[,，:：;；。?？—(（]\s*(?:that is|i\.?e\.?|in other words|meaning|defined as|or rather|namely|as in"
    r"|也就是说?|即|就是说?|换句话说|指的是|意思是|定义为|这里指)|\bmeaning\b|:\s*",
    re.I,
)
_WHATEVER = re.compile(
    r"[，,。；;]?\s*(?:什么(?=[^，,。；;]*都算)|不分|不限|不管|无论)(?P<of>[\u4e00-\u9fff]{2,4}?)(?:都算|，都算)?(?=[，,。；;）)？?]|$)"
)
"""什么状态都算, 不分状态: nothing is narrowed and nothing split."""
_RANKED_BY = frozenset(["by", "按", "按照", "依", "以"])
_EACH_SHARE = re.compile(
    r"\b(?:their|its|each)(?:\s+\w+)?\s+(?:share|percentage|per cent)|\b(?:with|and) (?:the |a )?(?:share|percentage) (?:of|in)\b"
    r"|[及和与、，,](?:其|各自|各)?(?:占比|占总|份额)",
    re.I,
)
"""The ten largest with their shares, and not what the ten make up together."""
_YEAR_SAID = re.compile(r"\d{4}|\d\d年|\b(?:last|this|previous|next)\b|[去今前明上本]", re.I)
_YEAR_EARLIER = re.compile(
    r"\b(?:last|previous|prior|preceding) year\b|\byear (?:before|earlier|ago)\b|[去上]年|前一年", re.I
)
_FROM_TO = re.compile(r"\b(?:to|until|till|through)\b|\w\s*[-–~～]\s*\w|[到至]", re.I)
_EARLIER_SAID = re.compile(r"previous|prior|last|preceding|before|earlier|[上前去]", re.I)
_YEARS = re.compile(r"\byear\b|前一年|上一年", re.I)
_SEVERAL: dict[TimeUnit, tuple[str, ...]] = {
    "month": ("months", "个月"), "week": ("weeks", "周"), "day": ("days", "天"), "quarter": ("quarters", "个季度"), "year": ("years", "年"),
}  # fmt: skip
_CHANGES_OF: dict[TimeUnit, tuple[str, ...]] = {
    "month": ("month o", "mom", "m o m"), "quarter": ("quarter o", "qoq", "q o q"), "week": ("week o", "wow"), "day": ("day o",),
}  # fmt: skip
_AS_WELL = re.compile(r"\bboth\b|既.+[又也]|同时|两(?:个|种)?.{0,4}都", re.I)
_MOST = ("most", "the most", "fewest", "the fewest", "least", "the least")
_COUNTERS = ("个", "家", "位", "名", "种", "款", "件", "笔", "单", "张", "条", "台", "人", "次", "间")
_FROM = ("came from", "come from", "comes from", "stem", "来自")
_MERE_JOINS = ("和", "与", "跟", "同")
_NO_LIST = ("from", "over", "than", "on top of", "next to", "beside")
_WITH = (
    "with",
    "with the",
    "with our",
    "having",
    "that had",
    "which had",
    "that has",
    "which has",
    "that have",
    "who had",
)
_PLAIN_EXTREMES = (
    "最多",
    "最大",
    "最少",
    "最小",
    "most",
    "biggest",
    "largest",
    "the most",
    "greatest",
    "the biggest",
    "the largest",
    "the greatest",
)
_TOGETHER = (
    "combined",
    "together",
    "in total",
    "altogether",
    "total",
    "taken together",
    "合计",
    "一共",
    "总共",
    "加起来",
    "合起来",
    "共",
    "总和",
)
_OUTSIDE = (
    "outside",
    "outside of",
    "other than",
    "not",
    "not in",
    "not from",
    "以外",
    "之外",
    "非",
    "不在",
    "不是",
    "不属于",
)
_PRESENT = re.compile(r"(?P<column>[\w.]+) IS NOT NULL", re.I)
_SOUGHT_BEFORE = re.compile(r"(?:多少|几)(?:个|位|名|家|种|款|辆|台|间|套|条|所|只|艘)?(?:不同的?)?$")
_SOUGHT_BEHIND = re.compile(
    r"(?:一共|总共|共|分别)?(?:有|是)?(?:多少|几)(?:个|位|名|家|人|种|款|辆|台|间|套|条|所|只|艘)?(?:[?？,，。]|$)"
)
STATE_FILTER = re.compile(r"(?P<column>[\w.]+)\s*=\s*'(?P<value>[^']*)'")
_NOT_AFTER = ("left out", "excluded", "not counted", "not included", "omitted", "除外", "以外", "之外")


def _is_change_word(text: str) -> bool:
    return any(word in text.lower() for word in ("change", "增", "减", "变化"))


def _is_rate_word(text: str) -> bool:
    folded = text.lower()
    return folded in ("growth", "growth rate", "rate of growth", "change rate") or any(
        word in folded for word in ("率", "幅", "增速", "速度", "percent", "百分")
    )


def _in_year(period: PlanPeriod, year: int) -> PlanPeriod:
    months = (period.end.year - period.start.year) * 12 + period.end.month - period.start.month
    start = period.start.replace(year=year)
    return period.model_copy(update={"start": start, "end": add_months(start, months)})


def _whole_buckets(period: PlanPeriod, units: Sequence[TimeUnit | None], clock: Clock) -> PlanPeriod:
    """The last twelve months by month begin with a whole one: the half that today cuts off would look like a rise."""
    unit = units[0] if units else None
    if unit is None or period.end != clock.tomorrow or period.start == OPEN_START:
        return period
    first = bucket_starts(unit, period.start)
    if first == period.start or shift(first, unit, 1) >= period.end:
        return period
    return period.model_copy(update={"start": shift(first, unit, 1)})


def _is_over(period: PlanPeriod, clock: Clock) -> bool:
    """Whether today is the last day of a month, quarter, half or year: on 30 June the second quarter is over."""
    whole = period.grain in ("month", "quarter", "half", "year") and period.start.day == period.end.day == 1
    if not whole or period.end != clock.tomorrow:
        return False
    months = {"month": 1, "quarter": 3, "half": 6, "year": 12}[period.grain]
    return add_months(period.start, months) == period.end


def _is_now(period: PlanPeriod, clock: Clock) -> bool:
    return period.start <= clock.today < period.end


def _is_within_a_year(period: PlanPeriod) -> bool:
    return not _is_whole_year(period) and period.start.year == (period.end - datetime.timedelta(1)).year


def _is_whole_year(period: PlanPeriod) -> bool:
    return period.start.month == period.start.day == 1 and add_months(period.start, 12) == period.end


def _plan_period(period: Period) -> PlanPeriod:
    return PlanPeriod(start=period.start, end=period.end, grain=period.grain, text=period.text)


def earlier_period(period: PlanPeriod, other: Callable[[Span], Span]) -> PlanPeriod:
    """The period before, of the whole unit where this one is the begun part of one: month to date, the month before."""
    end = period.end
    if period.grain in ("week", "month", "quarter", "year") and period.start == bucket_starts(
        period.grain, period.start
    ):
        end = max(end, shift(period.start, cast(TimeUnit, period.grain), 1)) if period.start != OPEN_START else end
    span = other(Span(period.start, end, period.grain))
    return PlanPeriod(start=span.start, end=span.end, grain=period.grain, text=period.text)


def like_for_like(now: PlanPeriod, then: PlanPeriod, against: Against, clock: Clock) -> tuple[Comparison, PlanPeriod]:
    """Two periods held against each other, both up to the same day where the current one is not over."""
    tomorrow = clock.tomorrow
    whole = now.end > tomorrow or (now.end == tomorrow and now.start < then.end)
    if now.end < tomorrow or (not whole and now.end != tomorrow) or now.grain == "day" or _is_over(now, clock):
        return Comparison(against=against, period=then), now
    if now.start.day == 1 and then.start.day == 1 and now.grain != "week":
        apart = (now.start.year - then.start.year) * 12 + now.start.month - then.start.month
        end = add_months(clock.today, -apart) + datetime.timedelta(1)
    else:
        end = then.start + (tomorrow - now.start)
    cut = then.model_copy(update={"end": min(end, then.end) if then.end > then.start else end})
    current = now.model_copy(update={"end": tomorrow})
    return Comparison(against=against, period=cut, aligned=True), current


def _halves(period: PlanPeriod) -> tuple[PlanPeriod, PlanPeriod] | None:
    """The two units of a range of two, from 2024 to 2025; of a longer one its ends where they are one part of two years."""
    size = {"month": 1, "quarter": 3, "half": 6, "year": 12}.get(period.grain)
    if size is None or period.start in (OPEN_START,) or period.end == OPEN_END:
        return None
    middle = add_months(period.start, size)
    last = add_months(period.end, -size)
    years = last.year > period.start.year and (last.month, last.day) == (period.start.month, period.start.day)
    if last != middle and not (years and size < 12):
        return None
    first = PlanPeriod(start=period.start, end=middle, grain=period.grain, text=period.text)
    return first, PlanPeriod(start=last, end=period.end, grain=period.grain, text=period.text)
