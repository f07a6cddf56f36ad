"""What makes a plan over measures that nobody defined a guess: a figure, a row or a condition that a plan has no place for.

The highest score of each judge is a maximum and no ranking; the largest contract is one row and not the most rows; riders
with three or more bookings are counted by their bookings, whatever is shown of them. Each doubt here was a wrong figure on
one of the databases of training/data, and none of them is about one database.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from inquery.language.text import has_cjk, name_words, singular
from inquery.metrics.plan_doubts import Guess

MOST_RANKED = 100
_END = re.compile(
    r"\b(?:highest|lowest|largest|biggest|smallest|greatest|top|max(?:imum)?|min(?:imum)?|best|worst|record)\b|最[高低大小好差]", re.I
)  # fmt: skip
_ITS_END = re.compile(
    r"\b(?:with|and) (?:its|their|his|her) (?:highest|lowest|largest|biggest|smallest|greatest|max|min|best|worst)"
    r"|[及和与]其?最[高低大小好差]",
    re.I,
)
_EACH = re.compile(r"\b(?:each|every|per)\b|[各每]", re.I)
_FIRST = re.compile(r"在前|排前面|从[高多大]到|\bfirst\b", re.I)
_TWO_ENDS = re.compile(
    r"\b(?:average|mean|total|number|count|sum)\b.*\band (?:the |its |their )?(?:\w+ )?(?:highest|lowest|largest|smallest|best|worst|max)"
    r"|[和与、及，,]最[高低大小好差]", re.I
)  # fmt: skip
_ROW = re.compile(
    r"\b(?:largest|biggest|smallest|highest|lowest|record)\b(?! (?:number|count|amount|total|sum|share))|最[大小高低贵]", re.I
)  # fmt: skip
_COUNTED = re.compile(r"\b(?:number|count|how many|how often)\b|数|次|多少|几", re.I)
_ONE_ROW = re.compile(r"\b(?:single|individual|one-off)\b|\bfigure\b|单[笔次张个件项]|一[笔次张单]", re.I)
_THE_LARGEST = re.compile(r"\b(?:largest|biggest|smallest)\b", re.I)
_ADDED = re.compile(r"\b(?:total|totals|sum|sums|combined|overall|altogether|added)\b|合计|总|一共|加起来|合起来", re.I)
_NUMBER_ALONE = re.compile(
    r"\b(?:number|count)\b(?=\s*(?:and\b|,|;|\.?\s*$|\?|by\b|per\b))|\band (?:the |their )?(?:number|count)\b", re.I
)
_AVERAGE_SAID = re.compile(r"\b(?:average|mean|avg)\b|平均|均", re.I)
_AND_AVERAGE = re.compile(r"\band (?:the |their )?(?:average|mean)\b|[和与、及]平均|[和与、及]均", re.I)
_AND_SUM = re.compile(
    r"\band (?:the |their )?(?:total|sum)\b|[和与、及](?:合计|总[额和计])|\w (?:sum|total) (?:in|for)\b", re.I
)
_HEADS = re.compile(r"[单件人次份笔户台个家辆条张种]数|(?:多少|几)[人个家台辆条张种位名]")
_TOGETHER = re.compile(r"[和与、及，,]")
_OF_THEM = re.compile(
    r"\bhow many of (?:them|these|those|which)\b|\b(?:sent|made|filed|opened|issued|raised) and \w+ed\b", re.I
)  # fmt: skip
_NUMBERS_ZH = re.compile(r"总?[单件人次份笔户台个家]?数(?!据)[^、和与及，]*[、和与及，][^、和与及，]*数(?!据)")
_NOT = re.compile(r"\bun\w+ed\b|\bun(?:paid|sold|sent|read|done|kept|met)\b|\bnot\b|\bnever\b|未|没|尚", re.I)
_NAMES = re.compile(r"^\W*(?:the )?names? (?:and|of|with)\b|\bnames? of\b|\bby name\b", re.I)
_WEEKDAY = re.compile(r"星期几|周几|礼拜几|几点|\bday of (?:the )?week\b|\bweek ?days?\b|\bweek (?:number|no)\b", re.I)
_RUNNING = re.compile(r"\brunning\b(?! (?:total|sum|count|balance|tally|figure|number)s?\b)(?!\W*$)", re.I)
_ARITHMETIC = re.compile(r"\b(?:divided by|multiplied by|times the|plus|minus|less the)\b|除以|乘以|减去|加上", re.I)
_HEAD = re.compile(r"人均|\bper (?:head|capita|person|employee)\b", re.I)
_FURTHER = re.compile(
    r"\band (?:in |at |for |by )?(?:who|whom|where|which|when|what)\b|谁[，,、].|谁和|[，,]在?哪", re.I
)
_ASKED_CHANGE = re.compile(
    r"\band (?:by )?what(?: is| was| were|'s|’s)?(?: the)?"
    r"(?= (?:percent|per cent|growth|change|difference|increase|decrease|gap|rate))",
    re.I,
)
_THAN_AVERAGE = re.compile(
    r"比.*平均|平均.*比|[高低大小多少]于.{0,6}平均|超过.{0,6}平均|\b(?:than|above|below) (?:the |an? )?(?:\w+ )?average\b", re.I
)  # fmt: skip
_AS_WELL = re.compile(r"\bas well as\b|\balong with\b|既.*又", re.I)
_FROM_TO = re.compile(r"\w\s*[到至]\s*\w|\bfrom\b.*\bto\b|\bthrough\b", re.I)
_MOST_OF_WHAT = re.compile(r"\bthe most\b(?=\s*(?:on|in|from|at|for|by|to|through|$|\?|\.))", re.I)
_FIRST_ZH = re.compile(r"(?<![数次量])前[一二三四五六七八九十\d]")
_SPAN = re.compile(
    r"\b\d+(?:\.\d+)?(?: or more| or fewer|\+)? (?:days?|nights?|hours?|minutes?|years?|months?|weeks?)\b", re.I
)
_THAN_ALL = re.compile(r"\bthan (?:all|any|every|each)\b|比所有|比任何|比每", re.I)
_BOTH_FIGURES = re.compile(
    r"\b(?:sums?|totals?) and (?:the |its |their )?(?:means?|averages?)\b|[应实已][^和与及、，]{0,2}[和与及、][应实已]",
    re.I,
)
_COUNT_AND = re.compile(r"[\u4e00-\u9fff]数[和与及、][\u4e00-\u9fff]")
_TWO_NUMBERS = re.compile(r"(?:多少|几)[^，,。]{0,6}[、，,和][^，,。]{0,8}(?:多少|几)|[和与及、][笔人件单户次]均")
_LISTED_BEHIND = re.compile(r"[:：][^:：]*(?:,|、|，|\band\b|和)[^:：]*$")
"""What is to be shown, behind a colon: name, level and balance."""
_KEYS = re.compile(
    r"\b(?!how|the|total)\w+ (?:ids?|codes?|numbers)\b(?! of)|\((?:ids?|codes?|numbers)\)|编号|单号|代码", re.I
)
_YES_NO = frozenset(["y", "n", "yes", "no", "0", "1", "true", "false", "t", "f", "是", "否", "有", "无"])
_WHETHER = re.compile(r"\b(?:whether|by|per|each|every|split|versus|vs)\b|是否|按|各|每", re.I)
_KEPT_COUNT = re.compile(r"^(\w+?)_?(?:count|cnt|num)$", re.I)


def find_figure_doubt(guess: Guess) -> str:
    """Why a plan is a guess, empty where nothing speaks against it."""
    return next((why for doubt in _DOUBTS if (why := doubt(guess))), "")


def _adds_up_what_is_averaged(guess: Guess) -> str:
    """标价总额: prices of one piece are averaged where nothing is said, and no total of them is known."""
    averaged = [m for m in guess.measures if m.kind == "simple" and m.expression.startswith("AVG")]
    names = {metric.name for metric in averaged}
    for first, then in pairwise(guess.phrases):
        for said, other in ((first, then), (then, first)):
            if names & set(said.senses.metrics) and _ADDED.search(other.text) and not other.senses.metrics:
                return "a total of what is averaged"
    said_so = "".join(phrase.text for phrase in guess.phrases if names & set(phrase.senses.metrics))
    return "a total of what is averaged" if _ADDED.search(said_so) else ""


def _lists_others(guess: Guess) -> str:
    """Patients with more than eight volunteer hours: patients are listed, by whatever they are told, and no volunteers."""
    plan, split = guess.plan, {group.dimension for group in guess.plan.groups if group.dimension}
    noun = next((p for p in guess.phrases if not p.says("skip", "which", "which_many", "top", "bottom")), None)
    if plan.threshold is None or noun is None or noun.number is not None or noun.senses.dimensions:
        return ""
    homes = {m.entity for name in noun.senses.metrics if (m := guess.book.metric(name)).expression == "COUNT(*)"}
    listed = {guess.book.dimension(name).table for name in split}
    return "others are listed" if homes and not homes & listed else ""


def _is_an_end_of_each(guess: Guess) -> str:
    """The highest score of each judge, 每位评委给出的最高分: as many rows as there are judges."""
    ranking = guess.plan.ranking
    if _TWO_ENDS.search(guess.question) and not guess.plan.spread:
        return "an end is a figure of its own"
    if ranking is None or ranking.per_group:
        return ""
    if ranking.n is not None and ranking.n > MOST_RANKED:
        return "so many are not ranked"
    if ranking.n != 1:
        return ""
    if _FIRST.search(guess.question):
        return "all of them in order"
    if _ITS_END.search(guess.question):
        return "the end of each"
    if _END.search(guess.question) and _EACH.search(guess.question):
        return "the end of each"
    split = {group.dimension for group in guess.plan.groups if group.dimension}
    by = any(
        first.says("each") and split & set(then.senses.dimensions) for first, then in pairwise(guess.phrases)
    )  # the lowest price by country
    return "the end of each" if by and _END.search(guess.question) else ""


def _is_one_row(guess: Guess) -> str:
    """The largest contract, the biggest refund: one row, where a plan counts or adds up rows."""
    if guess.plan.ranking is None:
        return ""
    if guess.counts and guess.amounts() and has_cjk(guess.question):
        # 过闸煤炭最多: the most coal, and not the most passages that carried some.
        ends = ((first, then) for first, then in pairwise(guess.phrases) if then.says("top", "bottom"))
        if any(first.senses.members and not first.senses.metrics and first.used for first, _ in ends):
            return "which row, or by what"
    if guess.counts:
        sized = _ROW.search(guess.question) and not _COUNTED.search(guess.question)
        unsaid = _MOST_OF_WHAT.search(guess.question) and guess.amounts()
        ranked = has_cjk(guess.question) and _FIRST_ZH.search(guess.question) and guess.amounts()
        return "which row, or by what" if sized or unsaid or (ranked and not _COUNTED.search(guess.question)) else ""
    if _ONE_ROW.search(guess.question):
        return "one row"
    sums = all(leaf.expression.startswith("SUM") for leaf in guess.leaves)
    sized = _THE_LARGEST.search(guess.question) and not _ADDED.search(guess.question) and not guess.says("amount")
    return "one row or their sum" if sums and sized else ""


def _is_held_to_another_figure(guess: Guess) -> str:
    """Riders with three or more bookings and what they paid: the threshold is of the bookings."""
    if guess.plan.threshold is None or guess.plan.threshold.of != "value":
        return ""
    names = {metric.name for metric in guess.measures}
    bounded = [p for p in guess.phrases if not p.says("at_least", "at_most", "over", "under")]  # 10 or more orders
    for first, then in pairwise(bounded):
        if first.number is not None and then.senses.metrics and not names & set(then.senses.metrics):
            return "a threshold of another figure"
    if _SPAN.search(guess.question) and not guess.says("average"):
        return "a threshold of a span"  # trips of ten or more days
    means = all(leaf.expression.startswith("AVG") for leaf in guess.leaves)
    # `Average` is part of the name that such a figure has: roles with an average monthly income above 10,000.
    if means and not guess.says("average") and not _AVERAGE_SAID.search(guess.question):
        return "a threshold of each row or of their mean"
    if guess.counts and (_ADDED.search(guess.question) or re.search(r"\d\s*人次", guess.question)):
        return "a threshold of a sum"
    if guess.counts and guess.plan.filters and re.search(r"\band\b|和|、", guess.question, re.I):
        return "a threshold of all or of some"
    if not guess.counts and not guess.plan.count and _HEADS.search(guess.question):
        return "how many of them"
    return ""


def _asks_for_more(guess: Guess) -> str:
    """Number and mean price by style; members and average points; 赔付均值和合计."""
    if len(guess.measures) > 1 or guess.plan.share or guess.plan.share_of or guess.plan.per:
        return ""
    question = guess.question
    if _BOTH_FIGURES.search(question) or _TWO_NUMBERS.search(question) or _LISTED_BEHIND.search(question):
        return "a further figure"
    if not guess.counts and _COUNT_AND.search(question):
        return "a further figure"
    names = {metric.name for metric in guess.measures}
    average = all(leaf.expression.startswith("AVG") for leaf in guess.leaves)
    if not guess.counts:
        said = "".join(phrase.text for phrase in guess.phrases if names & set(phrase.senses.metrics))
        alone = _NUMBER_ALONE.search(question)
        if alone and alone[0].lower() not in said.lower():
            return "a number beside it"
        heads = _HEADS.search(question)
        if heads and heads[0] not in said and _TOGETHER.search(question) and guess.plan.threshold is None:
            return "a number beside it"
        split = {group.dimension for group in guess.plan.groups}
        narrowed = {each.dimension for each in guess.plan.filters}
        for at, phrase in enumerate(guess.phrases[:-1]):
            if split & set(phrase.senses.dimensions):
                continue  # freight by shipping method and year
            if at and narrowed & {member.dimension for member in guess.phrases[at - 1].senses.members}:
                continue  # 美国客户和加拿大客户
            counted = any(guess.book.metric(name).expression == "COUNT(*)" for name in phrase.senses.metrics)
            if counted and not names & set(phrase.senses.metrics) and guess.phrases[at + 1].says("join"):
                return "rows beside their figure"
    if average and _AND_SUM.search(question):
        return "a sum beside it"
    if not average and _AND_AVERAGE.search(question):
        return "an average beside it"
    if guess.counts and (_AND_SUM.search(question) or _OF_THEM.search(question) or _NUMBERS_ZH.search(question)):
        return "a further number"
    alike = [p for p in guess.phrases if names & set(p.senses.metrics)]
    if guess.counts and guess.plan.filters and len(alike) > 1 and any(p.begins for p in alike[1:]):
        return "all of them and some"
    return ""


def _averages_a_rate(guess: Guess) -> str:
    rate = any(metric.kind == "ratio" for metric in guess.measures)
    return "a mean of rates" if rate and guess.says("average") else ""


def _groups_by_what_is_one(guess: Guess) -> str:
    """Castles whose condition is ruin: a list of them, and no count by a condition that is the same for all."""
    plan = guess.plan
    if plan.share or plan.share_of or plan.comparison or plan.contrast or plan.membership:
        return ""
    split = {group.dimension for group in plan.groups if group.dimension}
    for each in plan.filters:
        if each.dimension not in split:
            continue
        if len(each.values) == 1:
            return "a list of those that are so"
        said = any(p.used and each.dimension in p.senses.dimensions for p in guess.phrases)
        dated = any(group.unit for group in plan.groups)
        how_many = re.search(r"\bhow many\b|多少|几", guess.question, re.I) and not _EACH.search(guess.question)
        # Cotton and rice policies sown in May: nothing says that each is told by itself.
        told = guess.says("compare", "versus", "gap", "top", "bottom", "each", "every") or _COUNTED.search(
            guess.question
        )
        if not said and (dated or (guess.counts and (how_many or not told))):
            return "together or each"
    if _KEYS.search(guess.question) and any(guess.book.dimension(name).is_entity for name in split):
        return "whose keys are listed"
    if _NAMES.search(guess.question) and not any(guess.book.dimension(name).is_entity for name in split):
        return "whose names are listed"
    for name in split:
        about = guess.book.dimension(name)
        values = {value.casefold() for value in guess.book.values.get((about.table, about.column), ())}
        if not about.is_entity and values and values <= _YES_NO and not _WHETHER.search(guess.question):
            return "those that are so"
    return ""


def _is_split_by_kind(guess: Guess) -> str:
    """每类告警: by the kind of alarm, which is a column, and not by alarms."""
    names = {metric.name for metric in guess.measures}
    for said in _EACH_KIND.finditer(guess.question):
        kinds = [p for p in guess.phrases if p.used and p.text and guess.question.startswith(p.text, said.end())]
        if any(names & set(p.senses.metrics) and not p.senses.dimensions for p in kinds):
            return "which kinds are meant"
    return ""


_EACH_KIND = re.compile(r"[每各]个?[类种](?![型别目])")


def _is_a_share_within_each(guess: Guess) -> str:
    """The percentage of delayed sailings for each vessel: of its own sailings, and not of all that were delayed."""
    plan = guess.plan
    if plan.share_of and len([each for each in plan.filters if each.dimension == plan.share_of]) > 1:
        return "a share of those that are left"
    if not plan.share or not plan.filters or not plan.groups:
        return ""
    within = re.search(r"[里中内]\S*占|\b(?:for|of|at|in) each\b|\bper\b|\bby\b", guess.question, re.I)
    return "of each or of all" if within else ""


def _leaves_out_a_condition(guess: Guess) -> str:
    plan = guess.plan
    if _NOT.search(guess.question) and not plan.filters and not plan.membership and not guess.says("undeleted"):
        return "those that are not so"
    if _WEEKDAY.search(guess.question) and any(group.unit for group in plan.groups):
        return "days of the week"
    if plan.running and _RUNNING.search(guess.question):
        return "those that are under way"
    if _AS_WELL.search(guess.question) and plan.filters:
        return "those that have both"
    if any(len(each.values) > 1 for each in plan.filters) and _FROM_TO.search(guess.question):
        return "all from one to the other"
    if _THAN_ALL.search(guess.question):
        return "held against each of some"
    return "held against an average" if _THAN_AVERAGE.search(guess.question) else ""


def _is_reckoned(guess: Guess) -> str:
    """Completes per hour worked, revenue a head: one figure by another."""
    names = {metric.name for metric in guess.measures}
    for first, then in pairwise(guess.phrases):
        if first.text.lower() == "per" and names & set(then.senses.metrics) and not guess.plan.per:
            return "a figure by another"
    if _ARITHMETIC.search(guess.question) and not guess.plan.per:
        return "figures that are reckoned"
    return "a figure a head" if _HEAD.search(guess.question) and not guess.plan.per else ""


def _asks_who_too(guess: Guess) -> str:
    # Of two periods `and by what percentage did that change` is told beside both.
    question = _ASKED_CHANGE.sub("", guess.question) if guess.plan.comparison else guess.question
    further = _FURTHER.search(question) and len(guess.plan.groups) < 2
    return "a further thing is asked" if further else ""


def _is_one_things_other(guess: Guess) -> str:
    """各主厨菜谱, the manager's department: two things side by side of which one tells the other."""
    split = {group.dimension for group in guess.plan.groups if group.dimension}
    for first, then in pairwise(guess.phrases):
        mine, other = split & set(first.senses.dimensions), split & set(then.senses.dimensions)
        if mine and other and mine != other and not then.begins and first.end == then.start:
            return "one of the other"
    return ""


def _has_counted_rows(guess: Guess) -> str:
    """Evaluations whose rows have an eval_count: each row is several."""
    for table in guess.tables if guess.counts else ():
        words = [singular(word) for word in name_words(table.name)]
        for column in table.columns:
            kept = _KEPT_COUNT.match(column.name)
            if kept and any(word.startswith(kept[1].lower()) for word in words):
                return "a row is several"
    return ""


_DOUBTS: tuple[Callable[[Guess], str], ...] = (
    _adds_up_what_is_averaged, _lists_others, _is_an_end_of_each, _is_one_row,
    _is_held_to_another_figure, _is_split_by_kind, _asks_for_more, _averages_a_rate, _groups_by_what_is_one,
    _is_a_share_within_each, _leaves_out_a_condition, _is_reckoned, _asks_who_too, _is_one_things_other, _has_counted_rows,
)  # fmt: skip
