"""The members that a question names, as conditions or side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inquery.metrics.plan_types import (
    PlanFilter,
    Side,
)
from inquery.metrics.question_cover import Member, Phrase, means_all
from inquery.metrics.reading.asked_groups import of_the_nearer
from inquery.metrics.reading.asked_periods import date_columns
from inquery.metrics.reading.draft import ENDED, HARMLESS, MADE, STATES, Draft, NoPlanError

_STATE_OF = re.compile(r"stat(?:e|us)|stage|阶段|状态|进度|结果", re.I)
_COMPARES = ("growth", "grow", "fall", "gap", "before", "year_before", "trend", "compare", "versus", "share", "running")
_NOT_AFTER = ("left out", "excluded", "not counted", "not included", "omitted", "除外", "以外", "之外")


def find_members(draft: Draft) -> None:
    found: dict[str, list[tuple[Phrase, Member]]] = {}
    for phrase in draft.phrases:
        if phrase.used or not phrase.senses.members or _is_rather_a_dimension(draft, phrase):
            continue
        if _is_rather_an_event(draft, phrase):
            continue
        if _is_deed(draft, phrase):
            phrase.used = True
            continue
        if _is_rather_a_word(draft, phrase):
            continue
        meant = _member_meant(draft, phrase)
        if not meant:
            continue
        phrase.used = True
        found.setdefault(meant[0].dimension, []).extend((phrase, member) for member in meant)
        if len(meant) > 1:
            draft.together.add(meant[0].dimension)
    for dimension, members in found.items():
        if dimension in draft.together and len({phrase.text for phrase, _ in members}) > 1:
            _take_sides(draft, dimension, members)
        _add_filter(draft, dimension, members)


def _take_sides(draft: Draft, dimension: str, members: list[tuple[Phrase, Member]]) -> None:
    """Online against stores: what one word tells together stands beside the others as one."""
    sides: dict[str, list[str]] = {}
    for phrase, member in members:
        sides.setdefault(phrase.text, []).append(member.value)
    values = [value for side in sides.values() for value in dict.fromkeys(side)]
    apart = len(values) == len(set(values)) and draft.splits(dimension)
    if not apart or any(_is_negated(draft, phrase) for phrase, _ in members):
        raise NoPlanError("a word for several members beside another")
    draft.together.discard(dimension)
    draft.sides[dimension] = tuple(Side(name=text, values=tuple(dict.fromkeys(side))) for text, side in sides.items())


def _is_rather_a_dimension(draft: Draft, phrase: Phrase) -> bool:
    """`Each store` and `which store` are stores; `store revenue` is revenue of the channel called store."""
    usable = [d for d in phrase.senses.dimensions if draft.splits(d)]
    if not usable:
        return False
    earlier = draft.previous(phrase)
    if earlier is not None and any(m.dimension in usable for m in earlier.senses.members):
        return True  # the health of `in red health`, though an industry is called so
    marks = ("each", "every", "which", "which_many", "top", "bottom", "rank", "count", "fast", "slow")
    if earlier is not None and (earlier.says(*marks) or earlier.number):
        return True
    reachable = [m for m in phrase.senses.members if draft.splits(m.dimension)]
    later = draft.next(phrase)
    if draft.is_plural(phrase) and draft.threshold_phrase() is not None and not _is_beside_another(draft, phrase):
        return True
    return not reachable or (later is not None and later.says("top", "bottom", "rank", "share", "which"))


def _is_rather_an_event(draft: Draft, phrase: Phrase) -> bool:
    """2月出库几张单: what happened then has a date of its own, and is not the state that rows are in today."""
    own = {".".join(leaf.time) for leaf in draft.leaves() if leaf.time}
    homes = [draft.book.dimension(member.dimension) for member in phrase.senses.members]
    state = any(_STATE_OF.search(word) for home in homes for word in (home.column, *home.words))
    # The 销售 of 销售实收 says no more of a day than is known; as a kind of rows it does.
    dated = any(date_columns(draft, time) for time in phrase.senses.times if state or time not in own)
    return dated and any(p.periods for p in draft.phrases) and not draft.book.glossary.metrics


def _is_deed(draft: Draft, phrase: Phrase) -> bool:
    """The book of `how much did we book`, the open of `did we open`: what somebody does, where a member is called so."""
    at, said = draft.phrases.index(phrase), phrase.text.lower()
    doer = draft.phrases[at - 1].text.lower().split()[-1] if at else ""
    values = {m.value.lower() for m in phrase.senses.members}
    if said in MADE and at and phrase.senses.members:
        led = draft.phrases[at - 1]
        if draft.is_entity(led) or doer in ("who", "that", "which"):
            return True  # customers placed orders, whatever has become of these
        if led.senses.metrics:
            raise NoPlanError(f"{phrase.text} may be a state")
    return doer in ("we", "they", "i", "you") and not values.isdisjoint({said, f"{said}s"})


def _is_rather_a_word(draft: Draft, phrase: Phrase) -> bool:
    """The change of `with the change on the year before`, where a song is called Changes."""
    said = phrase.text.lower()
    return phrase.says(*_COMPARES) and all(m.value.lower() != said for m in phrase.senses.members)


def _is_beside_another(draft: Draft, phrase: Phrase) -> bool:
    """`Web or stores`: what is named together with a member is one too."""
    homes = {m.dimension for m in phrase.senses.members}
    at = draft.phrases.index(phrase)
    near = [draft.phrases[place] for place in (at - 2, at + 2) if 0 <= place < len(draft.phrases)]
    return any(homes & {m.dimension for m in other.senses.members} for other in near)


def _member_meant(draft: Draft, phrase: Phrase) -> list[Member]:
    """The member that a phrase means here, several where they are told as one; none where it is better read as a plain word."""
    usable = [m for m in phrase.senses.members if draft.splits(m.dimension)]
    if not usable and draft.says("hold", "activity"):
        usable = [m for m in phrase.senses.members if draft.held(m.dimension)]
    if not usable:
        if phrase.says(*HARMLESS, "activity") or phrase.senses.dimensions or phrase.senses.words:
            return []
        raise NoPlanError(f"{phrase.text} is nothing that the measure can be narrowed to")
    tables = {draft.book.dimension(m.dimension).table for m in usable}
    if len(tables) > 1:
        home = _table_beside(draft, phrase, tables)
        nearer = {draft.book.dimension(d).table for d in of_the_nearer(draft, [m.dimension for m in usable])}
        if home is None and len(nearer) == 1:
            home = nearer.pop()
        if home is None:
            raise NoPlanError(f"{phrase.text} may be in {', '.join(sorted(tables))}")
        usable = [m for m in usable if draft.book.dimension(m.dimension).table == home]
    told = [m for m in usable if m.told] or usable
    if len({m.dimension for m in told}) > 1:
        told = [m for m in told if m.dimension in draft.book.dimensions] or told
    if len({m.value for m in told}) > 1 and means_all(told):
        return told
    if len({(m.dimension, m.value) for m in told[:1]}) != 1 or len({m.value for m in told}) > 1:
        raise NoPlanError(f"{phrase.text} may mean several members")
    return told[:1]


def _table_beside(draft: Draft, phrase: Phrase, tables: set[str]) -> str | None:
    """The table that a neighbour names: the store of Hangzhou store, 杭州店, customers in Shanghai."""
    at = draft.phrases.index(phrase)
    led = draft.previous(phrase)
    while led is not None and led.says("not"):
        led = draft.previous(led)  # customers who live outside China
    near = [p for p in (draft.next(phrase), led) if p is not None]
    for other in near[:1]:
        # The orders of `valid orders`, and of 有效订单金额.
        measured = {draft.book.metric(name).entity for name in other.senses.metrics} & tables
        if len(measured) == 1 and draft.phrases.index(other) == at + 1:
            return measured.pop()
    for other in near:
        homes = {draft.book.dimension(d).table for d in other.senses.dimensions} & tables
        if len(homes) == 1 and not other.used and abs(draft.phrases.index(other) - at) <= 4:
            other.used = True
            return homes.pop()
    # USA vs. Canada: how much did customers in each country spend? The only thing that is named has such a member.
    named = {draft.book.dimension(d).table for p in draft.phrases if draft.is_entity(p) for d in p.senses.dimensions}
    return (named & tables).pop() if len(named & tables) == 1 else None


def _add_filter(draft: Draft, dimension: str, members: list[tuple[Phrase, Member]]) -> None:
    kept = [(phrase, m) for phrase, m in members if not _is_negated(draft, phrase)]
    left = [(phrase, m) for phrase, m in members if (phrase, m) not in kept]
    if (
        left
        and STATES.search(dimension)
        and not _is_flag(draft, dimension)
        and not all(ENDED.search(m.value) for _, m in left)
    ):
        raise NoPlanError("what is not paid may be more than one state")  # shipped orders are paid too
    if left and not is_left_out_anyway(draft, dimension, [m.value for _, m in left]):
        _append_filter(draft, dimension, left, negated=True)
    if kept:
        _append_filter(draft, dimension, kept, negated=False)


def _is_flag(draft: Draft, dimension: str) -> bool:
    """Whether it is yes or no, so that those that are not are the others."""
    about = draft.book.dimension(dimension)
    known = draft.book.catalog.by_name[about.table].column(about.column)
    return known is not None and re.match(r"\s*(?:bool|bit)", known.type, re.I) is not None


def _append_filter(draft: Draft, dimension: str, members: list[tuple[Phrase, Member]], *, negated: bool) -> None:
    values = tuple(dict.fromkeys(m.value for _, m in members))
    text = ", ".join(phrase.text for phrase, _ in members)
    holding = not draft.splits(dimension)
    if holding:
        draft.use("hold", "activity")
    if any(f.dimension == dimension and set(f.values) == set(values) and f.negated != negated for f in draft.filters):
        raise NoPlanError("what is so and what is not, side by side")  # 大修和非大修分别是多少
    draft.filters.append(PlanFilter(dimension=dimension, values=values, negated=negated, holding=holding, text=text))


def _is_negated(draft: Draft, phrase: Phrase) -> bool:
    """`Except web`, `cancelled ones left out`, 不含已取消, 已取消的除外."""
    at = draft.phrases.index(phrase)
    for step in (-1, 1):
        place = at + step
        if (phrase if step < 0 else draft.phrases[min(place, len(draft.phrases) - 1)]).begins:
            continue
        while 0 <= place < len(draft.phrases):
            other = draft.phrases[place]
            if other.says("not") and not other.says("skip"):
                after = other.text.lower() in _NOT_AFTER
                if (step == 1) == after:
                    other.used = True
                    return True
                break
            if not other.says("skip", "join", "count") and not _is_plain_noun(draft, other):
                break
            if (draft.phrases[place] if step < 0 else draft.phrases[min(place + 1, len(draft.phrases) - 1)]).begins:
                break
            place += step
    return False


def _is_plain_noun(draft: Draft, phrase: Phrase) -> bool:
    return bool(phrase.senses.metrics) and draft.is_weak(phrase)


def is_left_out_anyway(draft: Draft, dimension: str, values: Sequence[str]) -> bool:
    """A condition of the definition itself says so already: revenue leaves cancelled orders out."""
    column = draft.book.dimension(dimension).column
    filters = [leaf.filter.replace('"', "") for leaf in draft.leaves()]
    return all(any(f"{column} <> '{value}'" in each for each in filters) for value in values)
