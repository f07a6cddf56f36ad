"""What ends a reading: words that nothing took, and guesses that may mean something else."""

from __future__ import annotations

import re
from itertools import pairwise

from inquery.language.text import has_cjk
from inquery.metrics.figure_doubts import find_figure_doubt
from inquery.metrics.plan_doubts import Guess, find_doubt
from inquery.metrics.plan_types import (
    Plan,
)
from inquery.metrics.question_cover import Phrase
from inquery.metrics.reading.asked_measures import are_listed, is_source
from inquery.metrics.reading.done_with_figures import is_behind_by
from inquery.metrics.reading.draft import DIFFERENT, HARMLESS, HOW_MANY_ZH, Draft, NoPlanError
from inquery.metrics.routes import find_table

_HOW_MUCH = re.compile(r"\bhow (?:much|many)\b|\bwhat (?:is|was|are|were)\b|多少|几|是什么|合计|总", re.I)
_DATED_BY = re.compile(r"\bby the (?:day|date)\b.*\b(?:was|were|is|are)\b", re.I)
_FRACTIONS = re.compile(r"num|dec|real|doub|float|money", re.I)


def refuse_guesses(draft: Draft, plan: Plan) -> None:
    """What is harmless beside a definition that people made may mean more beside one that columns suggest.

    Of 23 plans on databases without definitions 8 were wrong, each in one of these ways; the 15 that are left are right.
    """
    if all(metric.status == "accepted" for metric in draft.measures):
        return
    whole = not plan.groups and plan.comparison is None
    if whole and any(p.says("each", "every") and not p.used for p in draft.phrases):
        raise NoPlanError("split by what is not known")
    if plan.running and plan.ranking is not None:
        raise NoPlanError("a running total that is ranked")
    if plan.threshold is not None and len(plan.groups) > 1:
        raise NoPlanError("which of the two is listed is not known")
    if whole and not _is_summed(draft):
        raise NoPlanError("whether it is added up is not said")
    for at, phrase in enumerate(draft.phrases[:-1]):
        follows = draft.phrases[at + 1]
        if (
            phrase.senses.metrics
            and draft.is_weak(phrase)
            and not draft.counts_it(phrase)
            and draft.book.metric(phrase.senses.metrics[0]).entity in {leaf.entity for leaf in draft.leaves()}
            and follows.says("each", "every")
        ):
            raise NoPlanError(f"whether {phrase.text} are counted is not said")
    if any(g.unit == "day" for g in plan.groups) and _DATED_BY.search(draft.question):
        raise NoPlanError("by the day on which something happened")
    if plan.period is not None and plan.period.grain == "day" and (plan.period.end - plan.period.start).days == 1:
        raise NoPlanError("what there is on one day may be dated otherwise")
    chosen = {metric.name for metric in draft.measures}
    named = [at for at, p in enumerate(draft.phrases) if chosen & set(p.senses.metrics)]
    if any(_is_sought(draft, draft.phrases[at]) and draft.is_weak(draft.phrases[at]) for at in named):
        raise NoPlanError("what is sought is no figure")
    # What they are ranked by is named a second time, and no further figure.
    listed = [at for at in named if not (plan.ranking and is_behind_by(draft, at))]
    if len(chosen) > 1 and any(
        not any(p.says("join") for p in draft.phrases[first:second])
        and not are_listed(draft, draft.phrases[first], draft.phrases[second])
        for first, second in pairwise(listed)
    ):
        raise NoPlanError("two measures side by side")
    if DIFFERENT.search(draft.question) and any(m.additivity != "distinct" for m in draft.measures):
        raise NoPlanError("what is counted once is not known")
    nouns = [p for p in draft.phrases if p.used and chosen & set(p.senses.metrics) and draft.is_weak(p)]
    counted = any(p.says("count", "top", "bottom", "share", "percent", "moving") for p in draft.phrases) or any(
        has_cjk(p.text) and "多少" in p.text for p in draft.phrases
    )
    counted = counted or HOW_MANY_ZH.search(draft.question) is not None
    # Policies signed in March: what happened to each of them, so that they are counted.
    behind = [draft.next(p) for p in nouns]
    counted = counted or any(later is not None and later.senses.times and later.used for later in behind)
    counts = [m for m in draft.measures if m.status == "proposed" and m.expression == "COUNT(*)"]
    # Of what has neither amounts nor quantities nothing but the number can be meant, or the rows themselves where they
    # are only narrowed: clients in Ireland or the UAE.
    narrowed = bool(draft.groups) and all(at < 0 for at, _ in draft.groups)
    counted = counted or (not narrowed and all(_has_no_amounts(draft, m.entity) for m in counts))
    if counts and nouns and not counted and plan.threshold is None:
        raise NoPlanError(f"whether {nouns[0].text} are counted is not said")
    guess = Guess(draft.question, draft.phrases, plan, draft.measures, draft.book)
    if doubt := find_doubt(guess) or find_figure_doubt(guess):
        raise NoPlanError(doubt)


def _is_sought(draft: Draft, phrase: Phrase) -> bool:
    """The machine of 用得最多的机器: in Chinese what has the most stands behind it, and what it has before."""
    earlier = draft.previous(phrase) if has_cjk(phrase.text) else None
    return earlier is not None and earlier.text.startswith("最") and earlier.says("top", "bottom")


def _has_no_amounts(draft: Draft, entity: str) -> bool:
    """Whether rows can only be counted: neither a measure nor a column with fractions is known of them."""
    table = find_table(draft.book.catalog, entity)
    added = any(m.entity == entity and m.expression != "COUNT(*)" for m in draft.book.metrics.values())
    return not added and table is not None and not any(_FRACTIONS.search(column.type) for column in table.columns)


def _is_summed(draft: Draft) -> bool:
    """Whether one figure is asked for, and no list of what is stored."""
    asked = ("total", "count", "average", "share", "percent", "amount", "top", "bottom")
    return (
        draft.says(*asked) or bool(_HOW_MUCH.search(draft.question)) or any(m.kind == "ratio" for m in draft.measures)
    )


def refuse_leftovers(draft: Draft, plan: Plan) -> None:
    grouped = bool(plan.groups)
    harmless = {*HARMLESS}
    if grouped:
        harmless |= {"which", "which_many", "both"}
    several = any(len(each.values) > 1 and each.dimension not in draft.together for each in plan.filters)
    if plan.comparison or several or grouped:
        harmless.add("versus")
    if plan.comparison or several:
        harmless.add("higher")
    if any(metric.additivity == "distinct" or metric.kind == "members" for metric in draft.leaves()):
        harmless |= {"activity", "once"}
    if all(metric.format == "percent" for metric in draft.measures):
        harmless |= {"percent", "hold", "at_least"}
    if any(metric.format == "money" for metric in draft.measures):
        harmless.add("amount")
    if all(metric.additivity == "ratio" for metric in draft.measures):
        harmless.add("average")
    if plan.comparison or grouped:
        harmless.add("compare")
    if all(leaf.filter for leaf in draft.leaves()):
        harmless.add("undeleted")
    for phrase in draft.phrases:
        if phrase.used or phrase.says(*harmless):
            continue
        if phrase.senses.metrics and is_source(draft, phrase):
            continue
        raise NoPlanError(f"{phrase.text} is left over")
