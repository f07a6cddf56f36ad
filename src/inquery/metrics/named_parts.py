"""What a message names by the words of its database: a measure, a thing, what figures are split by, what they are narrowed to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from inquery.language.dates import Clock
from inquery.language.text import COMMON, Token, tokens_of
from inquery.metrics.question_cover import Phrase, Vocabulary, cover
from inquery.metrics.reading.plan_periods import named_periods

_ARTICLE = re.compile(r"\s*(?:(?:the|a|an|our|all|total|monthly|yearly)\s+)*", re.I)
_COMPARED = ("year_before", "before", "versus", "held")
_DOINGS = ("activity", "amount")
"""What did Luis Silva buy? asks for something of its own, though only he is named."""
_PASSED = ("skip", "total", "which", "which_many")
"""Words between `by` and what figures are split by: by the channel, 按所有渠道."""


@dataclass(slots=True)
class Named:
    """The parts of a message that figures are told by."""

    measure: bool = False
    thing: bool = False
    """Rows that can be counted or listed: customers, stores."""
    subject: bool = False
    """Anything else that can be asked about: an attribute, or a word that nothing here is called by."""
    grouping: bool = False
    narrowing: bool = False
    """A stored value, a period, or another time to compare with."""
    unknown: bool = False
    """Whether a measure may be meant that is called otherwise here."""
    thing_at: int = -1
    """Where the first thing begins, whatever it is named for."""


def named_parts(message: str, vocabulary: Vocabulary, clock: Clock) -> Named:
    """The parts of a message; what stands behind `by`, 按 or 各 is no subject of its own, nor is a measure to rank by."""
    phrases, _ = cover(message, vocabulary, named_periods(message, vocabulary, clock))
    named, led, split, each_of = Named(), False, False, False
    unknown: list[Token] = []
    for phrase, token in _in_order(phrases, tokens_of(message)):
        if phrase is None:
            # By support rep: nobody knows the words, but they are what is to be split by.
            if token.text not in COMMON:
                unknown += [] if led else [token]
                named.grouping, named.subject = named.grouping or led, named.subject or not led
            continue
        if phrase.senses.dimensions and named.thing_at < 0:
            named.thing_at = token.start
        if phrase.says("each", "every"):
            led, each_of = True, phrase.text.startswith(("各", "每"))
        elif phrase.unit("series.") or phrase.unit("unit."):
            named.grouping = split = True
            led = False
        elif phrase.says("join"):
            led = split  # by region and channel
        elif not phrase.says(*_PASSED):
            led = led or phrase.text.startswith(("各", "每"))  # 各国 is what countries are called
            split = led and bool(phrase.senses.dimensions)
            # 每种退货原因有多少 asks about them, as 按退货原因 does not.
            named.subject = named.subject or (split and each_of)
            _take(named, phrase, _next(phrases, phrase), vocabulary, led=led)
            led = each_of = False
    named.unknown = bool(unknown) and _is_headed(message, unknown)
    return named


def _is_headed(message: str, unknown: list[Token]) -> bool:
    """Whether words that nothing is called by are what is asked for: rent by month, 每个月的房租趋势; not: the north by month."""
    first = unknown[0]
    if not first.cjk:
        return not _ARTICLE.sub("", message[: first.start])
    return message.startswith(("每", "各")) or message[: first.start].endswith("的")


def _take(named: Named, phrase: Phrase, follower: Phrase | None, vocabulary: Vocabulary, *, led: bool) -> None:
    senses, book = phrase.senses, vocabulary.book
    is_value = follower is not None and any(m.dimension in follower.senses.dimensions for m in senses.members)
    if phrase.periods or phrase.says(*_COMPARED) or is_value:
        named.narrowing = True  # the store channel, where a store is a thing too
    elif led and senses.dimensions:
        named.grouping = True
    elif senses.metrics:
        named.measure = named.measure or not led
        named.thing = named.thing or (bool(senses.dimensions) and not led)
    elif senses.dimensions:
        is_thing = any(book.dimension(name).is_entity for name in senses.dimensions)
        named.thing, named.subject = named.thing or is_thing, named.subject or not is_thing
    elif senses.members:
        named.narrowing = True
    elif phrase.says(*_DOINGS):
        named.subject = True


def _next(phrases: list[Phrase], phrase: Phrase) -> Phrase | None:
    return next((each for each in phrases if each.start == phrase.end), None)


def _in_order(phrases: list[Phrase], tokens: list[Token]) -> Iterator[tuple[Phrase | None, Token]]:
    """Each phrase with its first word, and each word that no phrase owns."""
    owners = {at: phrase for phrase in phrases for at in range(phrase.start, phrase.end)}
    for at, token in enumerate(tokens):
        phrase = owners.get(at)
        if phrase is None or phrase.start == at:
            yield phrase, token
