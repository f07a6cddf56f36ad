"""From a question to a plan, by code: only where every word is owned and the parts fit together in one way.

A wrong plan is worse than none, since the writer would have tried: whatever is left over, said twice with different
meanings, or leads nowhere ends the reading without a plan, and `Reading.why` says at what.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from inquery.errors import BadRequest
from inquery.language.dates import Clock
from inquery.metrics.asked_sentence import asked_parts, carry_names, is_plain_talk, names_nothing_new
from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.plain_wording import put_plainly
from inquery.metrics.plan_types import (
    Plan,
)
from inquery.metrics.question_cover import Phrase, Vocabulary, cover, key_of
from inquery.metrics.reading.asked_groups import find_groups
from inquery.metrics.reading.asked_measures import find_measures
from inquery.metrics.reading.asked_members import find_members
from inquery.metrics.reading.asked_periods import find_periods
from inquery.metrics.reading.draft import Draft, NoPlanError
from inquery.metrics.reading.left_out import find_presence, leave_out, set_aside, take_presence_by_name
from inquery.metrics.reading.leftovers import refuse_guesses, refuse_leftovers
from inquery.metrics.reading.plan_periods import named_periods
from inquery.metrics.reading.whole_plan import assemble

# A figure and which one has the most of it are two questions; one plan would tell the second alone.
_TWO_ASKED = re.compile(
    r"^\W*how (?:many|much)\b(?!.*\b(?:each|every|per|by)\b).*\band (?:which|who)\b|(?:多少|几[个单件位家])[^，,。；]*[，,；]\s*哪",
    re.I,
)
_YEARS_AGO = re.compile(r"年前的[\d一二三四五六七八九十]+月")
_BARE_PERCENT = re.compile(r"(?<![\d０-９])(?<!\d )[%％]")
MOST_PHRASES = 80
"""Phrases of a question; a long one has twenty. How they go together is looked at pair by pair, and 订单 said two thousand times
kept a core busy for minutes."""
_EXPLAINED = re.compile(
    r"[,，:：;；。?？—(（]\s*(?:that is|i\.?e\.?|in other words|meaning|defined as|or rather|namely|as in"
    r"|也就是说?|即|就是说?|换句话说|指的是|意思是|定义为|这里指)|\bmeaning\b|:\s*",
    re.I,
)
_WHATEVER = re.compile(
    r"[，,。；;]?\s*(?:什么(?=[^，,。；;]*都算)|不分|不限|不管|无论)(?P<of>[\u4e00-\u9fff]{2,4}?)(?:都算|，都算)?(?=[，,。；;）)？?]|$)"
)
"""什么状态都算, 不分状态: nothing is narrowed and nothing split."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: a plan, or why there is none and the words that nobody owns."""

    plan: Plan | None
    why: str = ""
    ignored: tuple[str, ...] = ()


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
        plan = _read_phrases(question, vocabulary, phrases, clock)
        compile_plan(plan, vocabulary.book, vocabulary.book.catalog.dialect, today=clock.today)
    except (NoPlanError, BadRequest) as error:
        return Reading(None, str(error))
    return Reading(plan)


def _is_dimension(word: str, vocabulary: Vocabulary) -> bool:
    senses = vocabulary.phrases.get(key_of(word))
    return senses is not None and bool(senses.dimensions)


def _read_phrases(question: str, vocabulary: Vocabulary, phrases: list[Phrase], clock: Clock) -> Plan:
    draft = Draft(question, vocabulary, phrases, clock)
    set_aside(draft)
    take_presence_by_name(draft)
    find_measures(draft)
    leave_out(draft)
    find_presence(draft)
    find_members(draft)
    find_groups(draft)
    find_periods(draft)
    plan = assemble(draft)
    refuse_leftovers(draft, plan)
    refuse_guesses(draft, plan)
    return plan
