"""The measures that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from inquery.language.text import has_cjk, name_words, singular, word_set
from inquery.metrics.metric_types import Metric
from inquery.metrics.propose_purchases import is_net
from inquery.metrics.propose_sales import counts_buyers
from inquery.metrics.question_cover import Phrase, Senses, key_of
from inquery.metrics.reading.divisors import divide_by, find_divisor
from inquery.metrics.reading.draft import COUNTERS, DIFFERENT, HOW_MANY_ZH, SOLD, Draft, NoPlanError
from inquery.metrics.reading.taking_part import (
    counting_by_deed,
    find_absent,
    find_lapsed,
    find_taking_part,
    table_counted,
)
from inquery.metrics.routes import find_table

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
_OFTEN = re.compile(r"often|common|frequent|rarest|常|频繁|出现", re.I)
LARGE = 10_000
"""From here on a bare number that something made or brought in is money."""
_EARNED = re.compile(r"^(?:made|brought in|generated|earned|took in|turned over)$|^(?:创造|带来|实现|做到|赚)", re.I)
_PEOPLE = word_set(
    "employee staff worker person people patient student member customer user player 员工 职工 人员 患者 学生 会员 客户 用户"
)
_ORDERED = re.compile(r"\border|\bplace")
"""Words that say no more than that an order was made."""
_MOST = ("most", "the most", "fewest", "the fewest", "least", "the least")
_MERE_JOINS = ("和", "与", "跟", "同")
_NO_LIST = ("from", "over", "than", "on top of", "next to", "beside")


def find_measures(draft: Draft) -> None:
    for phrase in draft.phrases:
        _name_members(draft, phrase)
    if find_absent(draft) or find_lapsed(draft) or find_taking_part(draft):
        return
    divisor = find_divisor(draft)
    _average_each_row(draft)
    _take_yearly_names(draft)
    named = [phrase for phrase in draft.phrases if phrase.senses.metrics and phrase is not divisor]
    for phrase in named:
        _take_documents_first(draft, phrase)
        _take_whole_or_net(draft, phrase)
        _take_of_the_same_rows(draft, phrase, named)
        if len(phrase.senses.metrics) > 1:
            raise NoPlanError(f"{phrase.text} may be {', '.join(phrase.senses.metrics)}")
    named = [phrase for phrase in named if not _is_head_of_another(draft, phrase, named)]
    strong = [phrase for phrase in named if not draft.is_weak(phrase) or _is_told_as_part(draft, phrase)]
    chosen = strong or [phrase for phrase in named if not phrase.senses.dimensions]
    chosen = chosen or _counted_nouns(draft, named)
    if strong:
        chosen = [phrase for phrase in named if phrase in strong or _is_listed_with(draft, phrase, strong)]
    for phrase in chosen:
        metric = draft.book.metric(_amount_of(draft, phrase) or phrase.senses.metrics[0])
        phrase.used = True
        if metric not in draft.measures:
            draft.measures.append(metric)
    for phrase in list(draft.phrases):
        if phrase.senses.metrics and not phrase.used:
            continue
        _leave_out_twice(draft, phrase)
    _refuse_own_spending(draft)
    _need_a_join(draft, [phrase for phrase in strong if phrase.used])
    for phrase in named:
        # The orders of `revenue from web orders` are what revenue is taken from, and no second measure. The depots of
        # `charges per depot` are so too, but they split it: whatever can is left to the groups.
        if not phrase.used and is_source(draft, phrase) and not any(map(draft.splits, phrase.senses.dimensions)):
            phrase.used = True
    if not draft.measures:
        _count_orders(draft)
    if not draft.measures:
        _count_occurrences(draft)
    if not draft.measures:
        _count_events(draft)
    if not draft.measures:
        _count_heads(draft)
    if not draft.measures:
        _take_headline(draft)
    if not draft.measures:
        _count_members(draft)
    _drop_parts_of_ratios(draft)
    divide_by(draft, divisor)
    _take_average(draft)
    if any(metric.needs_period for metric in draft.measures) and not any(p.periods for p in draft.phrases):
        raise NoPlanError("the measure needs a period")


def _take_whole_or_net(draft: Draft, phrase: Phrase) -> None:
    """Purchases with tax and freight, or before them: the words for it stand anywhere in the question."""
    metrics = [draft.book.metric(name) for name in phrase.senses.metrics]
    nets = [metric for metric in metrics if is_net(metric)]
    said = [p for p in draft.phrases if p.says("gross", "net")]
    kinds = {p.says("net") for p in said}
    if len(metrics) != 2 or len(nets) != 1 or len(kinds) != 1:
        return
    chosen = nets[0] if kinds == {True} else next(metric for metric in metrics if metric is not nets[0])
    phrase.senses = replace(phrase.senses, metrics=[chosen.name])
    for each in said:
        each.used = True


def _take_of_the_same_rows(draft: Draft, phrase: Phrase, named: Sequence[Phrase]) -> None:
    """`Number of dishes and average price`: the price of the dishes, where menus have a price too."""
    if len(phrase.senses.metrics) < 2 or draft.book.glossary.metrics:
        return
    homes = {draft.book.metric(p.senses.metrics[0]).entity for p in named if len(p.senses.metrics) == 1}
    alike = [name for name in phrase.senses.metrics if draft.book.metric(name).entity in homes]
    if len(alike) == 1:
        phrase.senses = replace(phrase.senses, metrics=alike)


def _take_yearly_names(draft: Draft) -> None:
    """The annual premium of 2024, 2026年一季度的年保费: of a named period, what rows keep a year is added up like anything else."""
    if draft.book.glossary.metrics or not any(p.periods for p in draft.phrases):
        return
    for phrase, follows in pairwise(draft.phrases):
        at = draft.phrases.index(phrase)
        led = at > 0 and draft.phrases[at - 1].says("each", "every", "which", "which_many", "top", "bottom")
        yearly = phrase.says("yearly") or (phrase.text == "年" and phrase.end == follows.start)
        if yearly and not led and follows.senses.metrics and not phrase.periods:
            phrase.senses, phrase.used = Senses(words={"skip"}), True


def _average_each_row(draft: Draft) -> None:
    """平均每张订单的金额, 平均每份保单的保费: the mean of what the rows themselves keep, where nobody defined it."""
    for at, phrase in enumerate(draft.phrases[:-2]):
        every, behind = draft.phrases[at + 1], draft.phrases[at + 2 :]
        if draft.book.glossary.metrics or phrase.text != "平均" or not every.text.startswith("每"):
            continue
        said = [p for p in behind if p.text not in COUNTERS and p.text != "的"]
        told = _figure_of_each(draft, said)
        mean = draft.book.metrics.get(told[0].replace("total_", "average_", 1)) if told else None
        if told is None or mean is None or mean.additivity != "ratio":
            continue
        own = said[: told[1]]
        if any(p.senses.metrics for p in draft.phrases if all(p is not each for each in own)):
            continue
        for each in (phrase, every, *own[:-1]):
            each.senses, each.used = Senses(words={"skip"}), True
        own[-1].senses = Senses(metrics=[mean.name])


def _figure_of_each(draft: Draft, said: Sequence[Phrase]) -> tuple[str, int] | None:
    """The sum of the rows that are named before it, or in one word with it (就诊的费用), and of how many phrases it is."""
    if not said:
        return None
    first = said[0]
    if home := table_counted(draft, first):
        names = said[1].senses.metrics if len(said) > 1 else []
        if len(said) > 1 and not names and said[1].says("amount"):
            senses = draft.vocabulary.phrases.get(key_of(f"{first.text}金额"))
            names = senses.metrics if senses else []
        own = [name for name in names if draft.book.metric(name).entity == home]
        return (own[0], 2) if len(own) == 1 else None
    if len(first.senses.metrics) != 1:
        return None
    metric = draft.book.metric(first.senses.metrics[0])
    table = find_table(draft.book.catalog, metric.entity) if metric.kind == "simple" else None
    led = table is not None and any(first.text.startswith(f"{word}的") for word in draft.book.table_words(table))
    return (metric.name, 1) if led else None


def _is_head_of_another(draft: Draft, phrase: Phrase, named: Sequence[Phrase]) -> bool:
    """`Five suppliers by units returned, with the units`: the units are those of the measure before."""
    at, said = draft.phrases.index(phrase), key_of(phrase.text)
    led = " ".join(p.text.lower() for p in draft.phrases[max(0, at - 2) : at])
    again = any(
        earlier is not phrase
        and draft.phrases.index(earlier) < at
        and key_of(earlier.text)[: len(said)] == said != key_of(earlier.text)
        for earlier in named
    )
    if not again or has_cjk(phrase.text) or not re.search(r"\b(?:with|and) (?:the|their)$|\b(?:with|and)$", led):
        return False
    phrase.senses, phrase.used = Senses(words={"skip"}), True
    return True


def _take_documents_first(draft: Draft, phrase: Phrase) -> None:
    """Sales are told by whole invoices where these can be split as asked, else by their lines."""
    metrics = [draft.book.metric(name) for name in phrase.senses.metrics]
    finer = next((each for each in metrics if each.finer_than in phrase.senses.metrics), None)
    if finer is None or len(metrics) != 2:
        return
    whole = draft.book.metric(finer.finer_than)
    named = [
        {draft.book.dimension(d).table for d in (*p.senses.dimensions, *(m.dimension for m in p.senses.members))}
        for p in draft.phrases
        if p is not phrase
    ]
    fits = all(not homes or any(draft.reaches(whole, home) for home in homes) for homes in named)
    phrase.senses = replace(phrase.senses, metrics=[whole.name if fits else finer.name])


def _name_members(draft: Draft, phrase: Phrase) -> None:
    """`The ten customers who bought most` are customers: what counts them is no measure there."""
    earlier = draft.previous(phrase) if len(phrase.senses.metrics) == 1 else None
    if earlier is None or not (earlier.number or earlier.says("top", "bottom", "which", "which_many")):
        return
    metric = draft.book.metric(phrase.senses.metrics[0])
    entities = [d for d, each in draft.book.dimensions.items() if each.is_entity and draft.counts(metric, d)]
    if len(entities) == 1 and draft.threshold_phrase() is None:
        phrase.senses = Senses(words={*phrase.senses.words, "activity"}, dimensions=entities)


def _counted_nouns(draft: Draft, named: Sequence[Phrase]) -> list[Phrase]:
    """The bookings of `how do bookings split across channels`: a noun that nothing is split or ranked by."""
    found = []
    for phrase in named:
        if draft.says("activity") and any(map(partial(_is_buyer, draft), phrase.senses.dimensions)):
            continue  # customers who ordered are those who did, and not all that there are
        before_it = draft.previous(phrase)
        bound = draft.threshold_phrase()
        led = before_it is not None and (
            (before_it.number is not None and (bound is None or bound[1] is not before_it))
            or before_it.says("each", "every", "which", "which_many", "rank", "fast", "slow")
            or (before_it.says("top", "bottom") and before_it.text.lower() not in _MOST)
        )
        if not led:
            found.append(phrase)
    return found if len({phrase.senses.metrics[0] for phrase in found}) == 1 else []


def _is_buyer(draft: Draft, entity: str) -> bool:
    return any(counts_buyers(m) and draft.counts(m, entity) for m in draft.book.metrics.values())


def _is_listed_with(draft: Draft, phrase: Phrase, strong: Sequence[Phrase]) -> bool:
    """`Orders and revenue`, 订单和销售额: a noun in a list of measures is one of them."""
    at = draft.phrases.index(phrase)
    for step in (-1, 1):
        place = at + step
        while 0 <= place < len(draft.phrases) and draft.phrases[place].says("join"):
            place += step
        near = draft.phrases[place] if 0 <= place < len(draft.phrases) else None
        if near is not None and abs(place - at) > 1 and near in strong and not phrase.senses.dimensions:
            return True
    # `Orders, revenue and refunds`: the comma is one of a list where a word joins the next of them.
    ahead = draft.phrases[at + 1 : at + 4]
    if len(ahead) < 3 or ahead[0] not in strong or phrase.senses.dimensions:
        return False
    listed = f"{phrase.text}, {ahead[0].text}" in draft.question and ahead[1].says("join")
    return (listed and bool(ahead[2].senses.metrics)) or are_listed(draft, phrase, ahead[0])


def _refuse_own_spending(draft: Draft) -> None:
    """What customers spend is sold; what `we` spend is bought, and nobody said that a measure tells it."""
    spent = [p.text for p in draft.phrases if p.senses.metrics and p.used and _SPENT.search(p.text)]
    # 去年花了多少钱 without a subject is the firm's own spending.
    own = _OWN_SPENDING.search(draft.question) or (
        any("花" in text for text in spent) and not _BUYERS.search(draft.question)
    )
    if spent and own:
        raise NoPlanError("what we spend is not what is sold")


def _need_a_join(draft: Draft, said: Sequence[Phrase]) -> None:
    """`Revenue and orders` are two measures; `revenue of new customers` is one that nobody defined."""
    if len(draft.measures) < 2 or _whole_of_share(draft) is not None:
        return
    for first, second in pairwise(said):
        between = draft.phrases[draft.phrases.index(first) + 1 : draft.phrases.index(second) + 1]
        joins = (
            p.begins
            or p.says("join", "compare", "share")
            or (p.says("versus") and p.text.lower() not in _NO_LIST)
            or p.text.lower()[:4] == "and "
            for p in between
        )
        if not any(joins) and not are_listed(draft, first, second):
            raise NoPlanError(f"{first.text} of {second.text} is not defined")


def are_listed(draft: Draft, first: Phrase, second: Phrase) -> bool:
    """订单数、销售额: the mark between the two is no word."""
    return f"{first.text}、{second.text}" in draft.question


def _leave_out_twice(draft: Draft, phrase: Phrase) -> None:
    """`Revenue without cancelled orders`: cancelled orders are a measure too, and left out by the definition."""
    if not phrase.senses.metrics or len(draft.measures) < 2:
        return
    metric = draft.book.metric(phrase.senses.metrics[0])
    earlier = draft.previous(phrase)
    if earlier is None or not earlier.says("not") or metric.kind != "simple" or " = " not in metric.filter:
        return
    opposite = metric.filter.replace(" = ", " <> ")
    others = [each for each in draft.measures if each is not metric]
    if all(opposite in leaf.filter for each in others for leaf in draft.book.leaves(each)):
        draft.measures = others
        earlier.used = True


def _amount_of(draft: Draft, phrase: Phrase) -> str:
    """`The amount of the orders` is no number of orders: the measure that is called order amount."""
    if found := _average_amount_of(draft, phrase):
        return found
    if not draft.is_weak(phrase) or not draft.says("amount"):
        return ""
    told = f"{phrase.text}金额" if has_cjk(phrase.text) else f"{phrase.text} amount"
    senses = draft.vocabulary.phrases.get(key_of(told))
    if senses is None or len(senses.metrics) != 1:
        raise NoPlanError(f"an amount of {phrase.text} is not defined")
    return senses.metrics[0]


def _average_amount_of(draft: Draft, phrase: Phrase) -> str:
    """`The average amount of a non-cancelled order`: the measure that is called average order amount, of the same orders."""
    metric, led = draft.book.metric(phrase.senses.metrics[0]), draft.previous(phrase)
    ahead = draft.previous(led) if led is not None else None
    if led is None or ahead is None or not led.says("amount") or not ahead.says("average") or has_cjk(phrase.text):
        return ""
    senses = draft.vocabulary.phrases.get(key_of(f"average {phrase.text.split()[-1]} amount"))
    found = [draft.book.metric(name) for name in senses.metrics] if senses else []
    if metric.kind != "simple" or not draft.counts_rows(metric) or len(found) != 1 or found[0].entity != metric.entity:
        return ""
    return found[0].name if metric.filter in ("", found[0].filter) else ""


def is_source(draft: Draft, phrase: Phrase) -> bool:
    table = find_table(draft.book.catalog, draft.book.metric(phrase.senses.metrics[0]).entity)
    return table is not None and all(
        draft.book.routes.route(draft.path(leaf.entity), table.path) is not None
        for metric in draft.measures
        for leaf in draft.book.leaves(metric)
    )


def _count_orders(draft: Draft) -> None:
    """`Who ordered 20 times or more`, 下单20次及以上: orders are counted, though no noun says so."""
    if not draft.says("activity"):
        return
    for phrase in draft.phrases:
        later = draft.phrases[draft.phrases.index(phrase) + 1] if phrase is not draft.phrases[-1] else None
        if phrase.number is not None and later is not None and later.text.lower() in ("times", "time", "次"):
            draft.measures = draft.known("number of orders", "订单数")
            draft.use("activity") if draft.measures else None


def _count_occurrences(draft: Draft) -> None:
    """`The most common return reason`: how often each is there, so the rows of its own table."""
    often = any(p.says("top", "bottom") and _OFTEN.search(p.text) for p in draft.phrases)
    if not often and not draft.says("share"):
        return
    homes = {
        draft.book.dimension(d).table
        for p in draft.phrases
        for d in p.senses.dimensions
        if not draft.book.dimension(d).is_entity and (often or _names_its_table(draft, p, d))
    }
    if len(homes) != 1:
        return
    home = homes.pop()
    counting = [
        m
        for m in draft.book.metrics.values()
        if m.entity == home and m.kind == "simple" and not m.filter and draft.counts_rows(m)
    ]
    if len(counting) == 1:
        draft.measures = counting


def _count_heads(draft: Draft) -> None:
    """各部门人数, `headcount by department`: the people of the one table that can be split as asked."""
    said = [p for p in draft.phrases if p.says("heads")]
    split = [p.senses.dimensions for p in draft.phrases if p.senses.dimensions]
    if draft.book.glossary.metrics or not said or not split or any(p.senses.metrics for p in draft.phrases if p.used):
        return
    tables = [table for table in draft.book.catalog.tables if _PEOPLE & set(map(singular, name_words(table.name)))]
    counting = {m.entity: m for m in draft.book.metrics.values() if m.expression == "COUNT(*)" and m.synonyms}
    found = []
    for table in tables:
        if table.full_name not in counting:
            continue
        homes = [{draft.path(draft.book.dimension(d).table) for d in dimensions} for dimensions in split]
        reached = [any(draft.book.routes.route(table.path, home) is not None for home in each) for each in homes]
        if all(reached):
            found.append(counting[table.full_name])
    if len(found) == 1:
        draft.measures = found
        for phrase in said:
            phrase.used = True
            at = draft.phrases.index(phrase)
            for beside in draft.phrases[max(0, at - 1) : at]:
                beside.used = beside.used or beside.says("head")  # 员工人数


def _names_its_table(draft: Draft, phrase: Phrase, dimension: str) -> bool:
    """各投诉原因占比: the reasons of complaints, so that complaints are counted."""
    table = draft.book.catalog.by_name[draft.book.dimension(dimension).table]
    said, own = key_of(phrase.text), [key_of(word) for word in draft.book.table_words(table)]
    return any(len(word) < len(said) and said[: len(word)] == word for word in own)


def _count_events(draft: Draft) -> None:
    """2024年入职了多少人: how many rows have such a day, where what happened is told by one table alone."""
    dated = [p for p in draft.phrases if p.senses.times and not p.senses.metrics]
    homes = {time.rpartition(".")[0] for p in dated for time in p.senses.times}
    asked = any(p.says("count") for p in draft.phrases) or HOW_MANY_ZH.search(draft.question) is not None
    if draft.book.glossary.metrics or len(dated) != 1 or len(homes) != 1 or not asked:
        return
    home = homes.pop()
    draft.measures = [
        m for m in draft.book.metrics.values() if m.entity == home and m.kind == "simple" and m.expression == "COUNT(*)"
    ][:1]


def _take_headline(draft: Draft) -> None:
    """What is sold, or how something is doing, is told by the one figure that people called sales.

    Products are sold in pieces as well as for money, so that what sells best of them is not said.
    """
    sold = [p for p in draft.phrases if SOLD.search(p.text) and not p.senses.metrics]
    judged = any(
        p.says("headline") or (p.says("top", "bottom") and _JUDGED.search(p.text))
        for p in draft.phrases
        if not p.senses.metrics
    )
    # What grows is what a business is measured by, of products too; so is what was sold where amounts are asked for.
    grows = draft.says("grow", "fall", "fast", "slow") and draft.says(
        "top", "bottom", "fast", "slow", "which", "which_many"
    )
    in_money = draft.says("amount")
    # `Who brought in more than 250,000`: nothing but money is brought in by hundreds of thousands.
    bound = draft.threshold_phrase()
    earned = bound is not None and bound[1].number is not None and bound[1].number.value >= LARGE
    sold += [p for p in draft.phrases if earned and _EARNED.search(p.text)]
    judged = judged or _HOW_IT_DOES.search(draft.question) is not None
    grows = grows or (draft.says("grow", "fall") and draft.says("each", "every"))
    judged = judged or _holds_members_together(draft)
    if grows and any(map(partial(_is_growth_of_itself, draft), draft.phrases)):
        return
    counted = any(p.says("count") for p in draft.phrases) and draft.threshold_phrase() is None
    if (
        counted
        or not (sold or judged or grows)
        or any(p.says("activity") and not p.says("skip") for p in draft.phrases)
    ):
        return
    if any(p.text in ("件", "台") or p.text.lower() in ("piece", "pieces") for p in draft.phrases):
        return  # 多卖了多少件 asks for pieces
    found = draft.known("sales", "销售额")
    if not found or found[0].time is None:
        return
    dated = draft.path(found[0].time[0])
    for phrase in draft.phrases:
        for dimension in phrase.senses.dimensions:
            goal = draft.path(draft.book.dimension(dimension).table)
            route = draft.book.routes.route(draft.path(found[0].entity), goal)
            if route is not None and route.joins and route.joins[0].right != dated and not (grows or in_money):
                raise NoPlanError(f"{phrase.text} may be ranked by pieces or by money")
    draft.measures = found
    for phrase in draft.phrases:
        phrase.used = phrase.used or phrase.says("headline")


def _holds_members_together(draft: Draft) -> bool:
    """`Online against stores`, 华东对比华南: nothing but members is said, and that one is held against the other.

    Of those who buy it is not clear what: there may be more of them, or they may spend more. Nor of what is bought,
    which sells in pieces and for money.
    """
    sales = draft.known("sales", "销售额")
    if not sales or sales[0].time is None:
        return False
    entity, dated = draft.path(sales[0].entity), draft.path(sales[0].time[0])
    held = any(
        p.says("compare") or (p.says("versus") and p.text.lower() not in (*_NO_LIST, *_MERE_JOINS))
        for p in draft.phrases
        if not p.senses.members
    )
    homes = [{m.dimension for m in p.senses.members} for p in draft.phrases if p.senses.members]
    shared = set.intersection(*homes) if len(homes) > 1 else set()

    def is_where_it_sells(table: str) -> bool:
        route = draft.book.routes.route(entity, draft.path(table))
        passed = route is not None and (not route.joins or route.joins[0].right == dated)
        return passed and not any(draft.counts(metric, table) for metric in draft.book.metrics.values())

    return held and any(is_where_it_sells(draft.book.dimension(d).table) for d in shared)


def _is_growth_of_itself(draft: Draft, phrase: Phrase) -> bool:
    """`Customer growth`, 客户增长: more customers, and no more sales."""
    at = draft.phrases.index(phrase)
    if not at or not phrase.says("grow", "fall", "growth"):
        return False
    of, led = draft.phrases[at - 1], draft.phrases[at - 2] if at > 1 else None
    if not any(draft.book.dimension(d).is_entity for d in of.senses.dimensions):
        return False
    asked = led is not None and (led.says("which", "which_many", "each", "every") or led.number is not None)
    return not asked and (has_cjk(phrase.text) or phrase.text.lower().startswith("growth"))


def _count_members(draft: Draft) -> None:
    """`How many customers bought …`: the measure that counts these members once."""
    for phrase in draft.phrases:
        entity = next((d for d in phrase.senses.dimensions if draft.book.dimension(d).is_entity), None)
        if entity is None or not _is_counted(draft, phrase):
            continue
        active = [p for p in draft.phrases if p.says("activity")]
        counting = [m for m in draft.book.metrics.values() if draft.counts(m, entity)]
        sold = [p for p in draft.phrases if SOLD.search(p.text) and not p.senses.metrics]
        if sold and not active and DIFFERENT.search(draft.question):
            active, counting = (
                sold,
                counting_by_deed(draft, entity),
            )  # how many different products did the stores sell
        # Who ordered and then cancelled has ordered; a measure that leaves such orders out would count fewer.
        plain = sum(bool(p.periods) or p.says("before", "year_before") for p in draft.phrases) < 2 and not any(
            p.says("each", "every") for p in draft.phrases
        )
        if plain and any(_ORDERED.search(p.text) for p in active) and any(m.filter for m in counting):
            break
        if active and len(counting) == 1:
            draft.measures = counting
            for each in [phrase, *active]:
                each.used = True
            return
    raise NoPlanError("no measure is named")


def _is_counted(draft: Draft, phrase: Phrase) -> bool:
    at = draft.phrases.index(phrase)
    for earlier in reversed(draft.phrases[:at]):
        if earlier.says("count") or (has_cjk(earlier.text) and earlier.text.endswith(("多少", "几"))):
            return True
        if not earlier.says("skip"):
            break
    later = draft.next(phrase)
    return (later is not None and later.says("count")) or any(
        p.says("count") or p.text.endswith(("多少", "有多少")) for p in draft.phrases if has_cjk(p.text)
    )


def _drop_parts_of_ratios(draft: Draft) -> None:
    """A ratio may be told together with its parts: the discount rate, that is discounts over sales before discount."""
    parts = {leaf.name for metric in draft.measures if metric.kind == "ratio" for leaf in draft.book.leaves(metric)}
    ratios = [metric for metric in draft.measures if metric.kind == "ratio"]
    chosen = {metric.name for metric in draft.measures}
    named = [at for at, p in enumerate(draft.phrases) if chosen & set(p.senses.metrics)]
    if any(all(p.says("join") for p in draft.phrases[one + 1 : two]) and two > one + 1 for one, two in pairwise(named)):
        return  # revenue and gross margin: both were asked for
    if ratios and all(metric.kind == "ratio" or metric.name in parts for metric in draft.measures):
        draft.measures = ratios
    _take_part_of_another(draft)
    _take_rate_of_part(draft)


def _take_part_of_another(draft: Draft) -> None:
    """Refunds as a percentage of revenue, 退款占销售额的百分之几: one measure over another, by the rate's own name if it has one."""
    whole = _whole_of_share(draft)
    if whole is None or len(draft.measures) != 2:
        return
    part = next(metric for metric in draft.measures if metric is not whole)
    known = [m for m in draft.book.metrics.values() if (m.numerator, m.denominator) == (part.name, whole.name)]
    if len(known) == 1:
        # Discounts as a percentage of gross sales are what people called the discount rate.
        draft.measures = known
    elif _are_comparable(draft, part, whole):
        draft.measures, draft.per = [part], whole
        draft.use("share", "percent")


def _are_comparable(draft: Draft, part: Metric, whole: Metric) -> bool:
    """Money over money: as people defined both, or two sums of the same rows."""
    if part.format != "money" or whole.format != "money":
        return False
    summed = part.additivity == whole.additivity == "additive"
    return part.status == whole.status == "accepted" or (part.entity == whole.entity and summed)


def _whole_of_share(draft: Draft) -> Metric | None:
    """The measure that a share is of."""
    said = {name for phrase in draft.phrases for name in named_behind(draft, phrase)}
    return next((metric for metric in draft.measures if metric.name in said), None)


def named_behind(draft: Draft, phrase: Phrase) -> list[str]:
    """The metrics that are named right behind `percentage of` and 占."""
    text, at = phrase.text.lower(), draft.phrases.index(phrase)
    later = draft.next(phrase)
    of = phrase.says("share", "percent") and (text.endswith(" of") or text.startswith("占"))
    near = later is not None and draft.phrases.index(later) - at <= 3
    return later.senses.metrics if of and near and later is not None else []


def _is_told_as_part(draft: Draft, phrase: Phrase) -> bool:
    """The refunds of `refunds as a percentage of revenue`: money that is held against other money."""
    later = draft.next(phrase)
    whole = named_behind(draft, later) if later is not None else []
    money = [draft.book.metric(name).format == "money" for name in (*phrase.senses.metrics, *whole)]
    return bool(whole) and all(money)


def _take_rate_of_part(draft: Draft) -> None:
    """用了促销的订单占多少: the share of what is the upper part of one rate is that rate, where nothing else splits it."""
    if len(draft.measures) != 1 or not any(p.says("share") and not p.used for p in draft.phrases):
        return
    others = [p for p in draft.phrases if not p.used and (p.senses.dimensions or p.senses.members or p.senses.metrics)]
    part = draft.measures[0]
    rates = [m for m in draft.book.metrics.values() if m.numerator == part.name and m.format == "percent"]
    if part.filter and not others and len(rates) == 1 and rates[0].status == "accepted":
        draft.measures = rates


def _take_average(draft: Draft) -> None:
    """`The average value per valid order`: the average that was proposed beside the total of the same column."""
    if not draft.says_unused("average") or len(draft.measures) != 1:
        return
    twin = draft.book.metrics.get(draft.measures[0].name.replace("total_", "average_", 1))
    if twin is not None and twin.additivity == "ratio" and twin is not draft.measures[0]:
        draft.measures = [twin]
        draft.use("average")
