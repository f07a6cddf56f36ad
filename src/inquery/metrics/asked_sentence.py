"""Which sentence of a message asks: a preface that says nothing of the figure is left aside, and what it named is carried on.

`I keep hearing the app is taking off. By what percentage did revenue through the app grow in 2025 over 2024?` asks in its
second sentence. Nothing that narrows, excludes or asks for a figure of its own is ever left aside, and no name that the
asking sentence does not say again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from inquery.language.text import has_cjk
from inquery.metrics.question_cover import Phrase

MOST_SENTENCES = 4
_END = re.compile(r"(?<=[.?!])\s+|(?<=[。？！])\s*")
_HEARSAY = re.compile(
    r"^\W*(?:i|we|they|people|everyone|everybody|someone|my|our|the|word)\b[^,]*?"
    r"\b(?:hear|hearing|heard|say|says|saying|said|tells?|telling|told|claims?|claiming|feels?|believes?|worr\w+|has it)\b"
    r"[^,]*,\s*(?:so|but|and|yet)?\s*"
    r"|^\s*(?:我|我们)?(?:都说|听说|听到|据说|有人说|大家(?:都)?(?:说|觉得|讲)|(?:最近)?(?:总|老)(?:听|有)人?说"
    r"|感觉|觉得|(?:老板|领导|客户)[说问])"
    r"[^，,。？?]*[，,]\s*",
    re.I,
)
"""What people say of a business before they ask about it."""
_CONDITION = re.compile(
    r"\b(?:not|no|never|without|except|excluding|exclude|excluded|only|just|aside|apart|ignor\w+|leav\w+|left out|forget|includ\w+|count\w*"
    r"|assum\w+|meaning|means?|mean|if|unless|regardless|weekdays?|weekends?|defined|where|when|instead|per|by|from|to|until|since|between)\b"
    r"|n['’]t\b|[不没未非只仅除剔排无]|忽略|包括|包含|含|假设|如果|若|口径|定义|指的|按|以|每|各|从|至",
    re.I,
)
"""Whatever may change a figure; a sentence that has it is never left aside."""
_ASKS_A_FIGURE = re.compile(
    r"\bhow (?:many|much|often|far|long)\b|\bwhat\b|\blist\b|\bshow\b|\bgive\b|多少|几|列出|百分", re.I
)
_YES_NO = re.compile(
    r"^\W*(?:do|does|did|are|is|was|were|has|have|had|can|could)\b|(?:吗|么)\s*[?？]?\s*$|是不是|有没有", re.I
)
_WHOSE = re.compile(r"^\W*whose\b", re.I)
_EACH = re.compile(
    r"\b(?:for|of|by|from|with|under|in) (?:each|both)(?: of them| of the two)?\b(?=\s*(?:[.?!,;]|$))|各自(?:的)?|两者(?:的)?",
    re.I,
)
_ONE = re.compile(
    r"\b(?P<deed>used|had|has|have|with|without|carry|carried|took|got) (?:one|any)\b(?=\s*(?:[.?!,;]|$))", re.I
)


def asked_parts(question: str) -> Iterator[tuple[str, str]]:
    """What may be left aside of a message, with the rest that would ask, the shortest preface first."""
    if hearsay := _HEARSAY.match(question):
        yield hearsay[0], question[hearsay.end() :]
    parts = [part for part in _END.split(question) if part and part.strip()]
    if not 1 < len(parts) <= MOST_SENTENCES:
        return
    for first in range(1, len(parts)):
        yield " ".join(parts[:first]), " ".join(parts[first:])
    for last in range(len(parts) - 1, 0, -1):
        if not any(_ASKS_A_FIGURE.search(part) or part.rstrip().endswith(("?", "？")) for part in parts[last:]):
            yield " ".join(parts[last:]), " ".join(parts[:last])


def is_plain_talk(aside: str) -> bool:
    """Whether a sentence neither narrows nor asks for a figure: `how dependent are we on promotions?`"""
    if "、" in aside:
        return False  # 小区、负责人、件数。 is what shall be shown
    return not _CONDITION.search(_harmless(aside)) and not _ASKS_A_FIGURE.search(aside) and not re.search(r"\d", aside)


def _harmless(aside: str) -> str:
    """Without `more per order` of a question that is answered by yes or no, and without `the app's coming from nowhere`."""
    return re.sub(r"\bper \w+", "", aside, flags=re.I) if _YES_NO.search(aside) else aside


def names_nothing_new(aside: str, said: Sequence[Phrase], asked: Sequence[Phrase], *, behind: bool) -> bool:
    """Whether every measure, member, thing and period of an aside is named again by what asks; one `behind` it names none."""
    free = _YES_NO.search(aside) is not None
    if behind and any(p.senses.metrics or p.senses.dimensions or p.senses.members for p in said):
        return False
    for at, phrase in enumerate(said):
        senses = phrase.senses
        again = [other.senses for other in asked]
        members = {(m.dimension, m.value) for m in senses.members}
        named = any(
            set(senses.metrics) & set(o.metrics) or set(senses.dimensions) & set(o.dimensions)
            or members & {(m.dimension, m.value) for m in o.members}
            or {m.dimension for m in o.members} & set(senses.dimensions)  # the channel of an app that is named again
            or {m.dimension for m in senses.members} & set(o.dimensions)  # the east, of regions that are all shown
            for o in again
        )  # fmt: skip
        if phrase.periods and not any(_is_said_again(phrase, other) for other in asked):
            return False
        if phrase.says("not", "hold", "weekpart", "undeleted", "moving", "running", "why") and not phrase.says("skip"):
            return False
        if phrase.number is not None:
            return False
        owned = at > 0 and _WHOSE.search(aside) and all(earlier.says("which", "skip") for earlier in said[:at])
        spoken = (free and bool(senses.metrics) and not members) or phrase.says("activity")
        if (senses.metrics or senses.dimensions or members) and not (named or owned or spoken or phrase.says("skip")):
            return False
    return True


def _is_said_again(phrase: Phrase, other: Phrase) -> bool:
    if {(p.start, p.end) for p in phrase.periods} & {(p.start, p.end) for p in other.periods}:
        return True
    return other.says("year_before", "before") and phrase.text.lower() in other.text.lower()


def carry_names(rest: str, said: Sequence[Phrase]) -> str:
    """The asking sentence with what stands for names of the one before: `for each` of women and men, `used one` of a promotion."""
    members = [phrase for phrase in said if phrase.senses.members]
    homes = [{m.dimension for m in phrase.senses.members} for phrase in members]
    if len(members) > 1 and set.intersection(*homes) and _EACH.search(rest):
        told = " ".join([members[0].text, *(f"{_and(rest)} {phrase.text}" for phrase in members[1:])])
        return _EACH.sub(f"{told}的" if has_cjk(rest) else f"for {told}", rest, count=1)
    things = [phrase for phrase in said if phrase.senses.dimensions and not phrase.senses.metrics]
    if len(things) == 1:
        return _ONE.sub(lambda found: f"{found['deed']} a {things[0].text}", rest, count=1)
    return rest


def _and(text: str) -> str:
    return "和" if has_cjk(text) else "and"
