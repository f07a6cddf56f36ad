"""What figures are split by, and what is ranked."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from inquery.language.text import has_cjk
from inquery.metrics.plan_types import (
    Grouping,
    PlanFilter,
    TimeUnit,
)
from inquery.metrics.question_cover import Phrase, key_of
from inquery.metrics.reading.draft import AS_WELL, Draft, NoPlanError

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


def find_groups(draft: Draft) -> None:
    last = ""
    for at, phrase in enumerate(draft.phrases):
        if phrase.used:
            continue
        if (series := phrase.unit("series.")) and not _is_part_of_week(draft, phrase):
            phrase.used = True
            if all(group.unit != series for _, group in draft.groups):
                draft.groups.append((at, Grouping(unit=cast(TimeUnit, series))))
            last = "group"
            continue
        if phrase.senses.dimensions:
            last = _place_dimension(draft, at, phrase, last)
        elif (unit := phrase.unit("unit.")) and not phrase.periods:
            last = _place_unit(draft, at, phrase, unit, last)
    _pair_weekdays(draft)
    _split_by_members(draft)
    for phrase, dimension in draft.idle:
        if not _is_passed(draft, dimension):
            raise NoPlanError(f"what {phrase.text} is for is not said")
        phrase.used = True


def _is_passed(draft: Draft, dimension: str) -> bool:
    """Whether it lies on the way to what figures are split by: the products of `which supplier's products`."""
    if not draft.book.dimension(dimension).is_entity:
        return False  # 前五的品牌方：名称、级别: what is listed of each is to be shown
    passed = draft.path(draft.book.dimension(dimension).table)
    goals = [group.dimension for _, group in draft.groups if group.dimension] + [f.dimension for f in draft.filters]
    for goal in goals:
        for leaf in draft.leaves():
            route = draft.book.routes.route(draft.path(leaf.entity), draft.path(draft.book.dimension(goal).table))
            if route is not None and any(passed in (join.left, join.right) for join in route.joins):
                return True
    return False


def _place_dimension(draft: Draft, at: int, phrase: Phrase, last: str) -> str:
    usable = [d for d in phrase.senses.dimensions if draft.splits(d)]
    if len(usable) != 1:
        usable = _of_a_neighbour(draft, phrase) or of_the_nearer(draft, usable)
    if not usable and _is_of_the_measure(draft, at):
        phrase.used = True
        return last
    if not usable:
        if _is_subject(draft, phrase) or _is_held_thing(draft, at):
            phrase.used = True
            return last
        if phrase.says("skip"):
            return last
        raise NoPlanError(f"the measure cannot be split by {phrase.text}")
    if len(usable) > 1:
        raise NoPlanError(f"{phrase.text} may be {', '.join(usable)}")
    if (
        _is_of_the_split(draft, at, usable[0])
        or _is_kind_of_member(draft, at, usable[0])
        or f"{phrase.text}所在" in draft.question  # 团长所在城市 is a city
    ):
        phrase.used = True
        return last
    role = _role_of(draft, at, phrase, last)
    usable = _kinds_of(draft, at, usable)
    if not role:
        if _is_subject(draft, phrase) or _narrows_already(draft, usable[0], at):
            phrase.used = True
        else:
            draft.idle.append((phrase, usable[0]))
        return last
    phrase.used = True
    for role_of in phrase.senses.roles:
        draft.filters.append(PlanFilter(dimension=role_of.dimension, values=(role_of.value,), text=phrase.text))
    if all(group.dimension != usable[0] for _, group in draft.groups):
        draft.groups.append((at, Grouping(dimension=usable[0])))
        _note_role(draft, at, role)
    elif role == "target":
        place = next(place for place, group in draft.groups if group.dimension == usable[0])
        _note_role(draft, place, role)
    return role


def _of_a_neighbour(draft: Draft, phrase: Phrase) -> list[str]:
    """The city of `which city's customers` and of 客户所在的城市: the one that is called customer city."""
    at = draft.phrases.index(phrase)
    for other in (draft.next(phrase), draft.previous(phrase)):
        if other is None or other.used or abs(draft.phrases.index(other) - at) > 3:
            continue
        if not any(draft.book.dimension(d).is_entity for d in other.senses.dimensions):
            continue
        between = "" if has_cjk(phrase.text) else " "
        senses = draft.vocabulary.phrases.get(key_of(f"{other.text}{between}{phrase.text}"))
        found = [d for d in senses.dimensions if draft.splits(d)] if senses else []
        if len(found) == 1:
            other.used = True
            return found
    return []


def of_the_nearer(draft: Draft, dimensions: list[str]) -> list[str]:
    """Payments by country: that of who paid, and not of the office that looks after them, which is told by them alone.

    Of columns with one name the one that the ways to all others pass.
    """
    homes = [draft.book.dimension(d) for d in dict.fromkeys(dimensions)]
    if len({home.column.casefold() for home in homes}) != 1 or any(home.is_entity for home in homes):
        return dimensions
    chosen = homes
    for leaf in draft.leaves():
        start = draft.path(leaf.entity)
        ways = {home.name: draft.book.routes.route(start, draft.path(home.table)) for home in homes}
        passed = [{start, *(join.right for join in way.joins)} if way is not None else {start} for way in ways.values()]
        chosen = [home for home in chosen if all(draft.path(home.table) in each for each in passed)]
    return [home.name for home in chosen] if len(chosen) == 1 else dimensions


def _is_of_the_measure(draft: Draft, at: int) -> bool:
    """每单几件商品: goods are what the measure counts pieces of."""
    earlier = draft.phrases[at - 1] if at else None
    return (
        earlier is not None
        and earlier.used
        and earlier.text.endswith(("件", "款", "种", "个"))
        and bool(earlier.senses.metrics)
    )


def _is_held_thing(draft: Draft, at: int) -> bool:
    """The item of `orders containing at least one Orbix item`: the part that is held, said by its noun."""
    held = [each for each in draft.filters if each.holding]
    near = draft.phrases[max(0, at - 2) : at]
    homes = {draft.book.dimension(d).table for d in draft.phrases[at].senses.dimensions}
    return any(
        p.used and p.text in each.text and draft.book.dimension(each.dimension).table in homes
        for p in near for each in held if p.senses.members
    )  # fmt: skip


def _is_kind_of_member(draft: Draft, at: int, dimension: str) -> bool:
    """The channel of 门店渠道 and of `the app channel` splits nothing."""
    earlier = draft.phrases[at - 1] if at else None
    return (
        earlier is not None
        and earlier.used
        and not draft.phrases[at].begins
        and any(each.dimension == dimension and earlier.text in each.text for each in draft.filters)
        and any(member.dimension == dimension for member in earlier.senses.members)
    )


def _is_of_the_split(draft: Draft, at: int, dimension: str) -> bool:
    """各会员等级雇主, `each customer segment's customers`: the things whose kinds were just named."""
    about, earlier = draft.book.dimension(dimension), draft.phrases[at - 1] if at else None
    if not about.is_entity or earlier is None or not earlier.used:
        return False
    kinds = [draft.book.dimension(d) for d in earlier.senses.dimensions]
    return any(each.table == about.table and not each.is_entity for each in kinds)


def _kinds_of(draft: Draft, at: int, usable: list[str]) -> list[str]:
    """各类客户 are kinds of customers and not customers: the dimension that is called 类客户."""
    earlier = draft.phrases[at - 1] if at else None
    if earlier is None or not earlier.text.endswith(("类", "种")) or not draft.book.dimension(usable[0]).is_entity:
        return usable
    senses = draft.vocabulary.phrases.get(key_of("类" + draft.phrases[at].text))
    found = [d for d in senses.dimensions if draft.splits(d)] if senses else []
    if len(found) != 1:
        raise NoPlanError(f"kinds of {draft.phrases[at].text} are not known")
    return found


def _place_unit(draft: Draft, at: int, phrase: Phrase, unit: str, last: str) -> str:
    later = draft.next(phrase)
    earlier = draft.previous(phrase)
    if earlier is not None and earlier.number and later is not None and (later.says("moving") or draft.says("moving")):
        phrase.used = True
        return last
    role = _role_of(draft, at, phrase, last)
    if not role and draft.threshold_phrase() is not None and not any(g.unit for _, g in draft.groups):
        role = "target"
    if not role:
        if phrase.says("skip"):
            return last
        raise NoPlanError(f"what {phrase.text} is for is not said")
    phrase.used = True
    if any(group.unit for _, group in draft.groups):
        if any(group.unit == unit for _, group in draft.groups):
            return role
        raise NoPlanError("two units of time")
    draft.groups.append((at, Grouping(unit=cast(TimeUnit, unit))))
    _note_role(draft, at, role)
    return role


def _note_role(draft: Draft, at: int, role: str) -> None:
    if role == "parent":
        draft.parents.add(at)
    elif role == "target":
        draft.targets.append(at)


def _role_of(draft: Draft, at: int, phrase: Phrase, last: str) -> str:
    """What a dimension is for, by what stands before it: group, parent (of each apart) or target (which)."""
    if phrase.text.startswith(("各", "每")):
        return "group"  # 各国: by country, in one word
    if phrase.unit("unit.") == "weekday" and phrase.text.endswith("几"):
        return "target"  # 星期几 asks which
    place = at - 1
    while place >= 0:
        earlier = draft.phrases[place]
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
        if earlier.says("share") and not earlier.says("each") and _is_narrowed_behind(draft, at):
            return ""  # what share came from customers outside China
        if earlier.says("each", "rank", "share") and not _is_skipped_over(draft, earlier):
            earlier.used = earlier.used or earlier.says("each")
            return "group"
        if earlier.says("join") and last:
            return last
        if earlier.says("count") and draft.threshold_phrase() is not None:
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
    later = draft.next(phrase)
    if later is not None and later.says("share") and _is_narrowed_noun(draft, at):
        return ""  # 中国以外的客户占了百分之几: the customers are the part
    if later is not None and later.says("rank", "share", "which"):
        return "target" if later.says("which") else "group"
    follows = draft.phrases[at + 1].text.lower() if at + 1 < len(draft.phrases) else ""
    if later is not None and later.says("top", "bottom", "fast", "slow") and follows in _WITH:
        return "target"  # the store with the highest revenue
    if _is_what_did_most(draft, at):
        return "target"
    if later is not None and later.periods and _is_extreme_of(draft, later):
        return "target"  # the month of last year with the highest revenue
    if later is not None and later.says("headline"):
        return "group"  # store performance
    if draft.threshold_phrase() is not None and not draft.groups and phrase.senses.dimensions:
        return "target"  # are there categories with a return rate above …
    if (
        last
        and at
        and phrase.senses.dimensions
        and draft.phrases[at - 1].senses.dimensions
        and draft.phrases[at - 1].used
    ):
        return last  # 分渠道、状态: a list without a word between
    return ""


def _is_narrowed_noun(draft: Draft, at: int) -> bool:
    """The customers of 中国以外的客户 and 企业客户: a noun right behind a member of its own."""
    home = {
        draft.book.dimension(d).table for d in draft.phrases[at].senses.dimensions if draft.book.dimension(d).is_entity
    }
    place = at - 1
    while place >= 0 and not draft.phrases[place + 1].begins:
        earlier = draft.phrases[place]
        if earlier.used and any(draft.book.dimension(m.dimension).table in home for m in earlier.senses.members):
            return True
        if not earlier.says("skip", "not"):
            return False
        place -= 1
    return False


def _is_narrowed_behind(draft: Draft, at: int) -> bool:
    """The customers of `customers who live outside China`: a noun right before what leaves out some of them."""
    home = {draft.book.dimension(d).table for d in draft.phrases[at].senses.dimensions}
    for later in draft.phrases[at + 1 :]:
        if later.used and later.senses.members:
            return any(each.negated and later.text in each.text for each in draft.filters) and any(
                draft.book.dimension(m.dimension).table in home for m in later.senses.members
            )
        if later.begins or not later.says("skip", "not", "which"):
            return False
    return False


def _is_what_did_most(draft: Draft, at: int) -> bool:
    """`The category they spent most on`, `the store that sold the most`: a measure, then the most of it."""
    if not at or draft.phrases[at - 1].text.lower().split()[-1] != "the" or not draft.phrases[at].senses.dimensions:
        return False
    follows = draft.phrases[at + 1 : at + 5]
    for place, other in enumerate(follows):
        if other.senses.dimensions and not other.senses.metrics:
            return False
        if other.says("top", "bottom") and not other.senses.metrics:
            return place > 0 and not follows[0].begins
        if not (other.says("skip", "activity", "headline") or other.senses.metrics):
            return False
    return False


def _is_extreme_of(draft: Draft, period: Phrase) -> bool:
    """Whether a period is followed by `with the highest`."""
    at, later = draft.phrases.index(period), draft.next(period)
    follows = draft.phrases[at + 1].text.lower() if at + 1 < len(draft.phrases) else ""
    return later is not None and later.says("top", "bottom") and follows in _WITH


def _is_skipped_over(draft: Draft, phrase: Phrase) -> bool:
    return phrase.says("skip") and not phrase.says("each", "every")


def _is_subject(draft: Draft, phrase: Phrase) -> bool:
    """Whom a measure counts needs no other role: the repeat purchase rate of our customers."""
    entities = [d for d in phrase.senses.dimensions if draft.book.dimension(d).is_entity]
    for entity in entities:
        for leaf in draft.leaves():
            if draft.counts(replace(leaf, status="accepted"), entity) or leaf.entity == entity:
                return True
            goal = draft.path(entity)
            if leaf.per and any(
                join.right == goal and leaf.per[1] in join.left_columns
                for join in draft.book.catalog.joins_of([draft.path(leaf.per[0])])
            ):
                return True
    return False


def _narrows_already(draft: Draft, dimension: str, at: int) -> bool:
    """`Corporate customers`, `web channel`: the noun after a member of its own."""
    about = draft.book.dimension(dimension)
    if not about.is_entity:
        near = draft.phrases[
            max(0, at - 2) : at
        ]  # the channel of `the app channel`, not the finding of `with a finding`
        return any(m.dimension == dimension for p in near for m in p.senses.members)
    return any(draft.book.dimension(each.dimension).table == about.table for each in draft.filters)


def _is_part_of_week(draft: Draft, phrase: Phrase) -> bool:
    """`By weekday vs weekend`: the five days together."""
    return phrase.says("weekpart") and any(each.says("weekpart") for each in draft.phrases if each is not phrase)


def _pair_weekdays(draft: Draft) -> None:
    said = [phrase for phrase in draft.phrases if phrase.says("weekpart") and not phrase.used]
    if not said:
        return
    ends = [phrase for phrase in said if "weekend" in phrase.text.lower() or phrase.text in ("周末", "双休日")]
    if not 0 < len(ends) < len(said):
        raise NoPlanError("one part of the week alone")
    for phrase in said:
        phrase.used = True
    draft.groups.append((draft.phrases.index(said[0]), Grouping(unit="weekpart")))


def _split_by_members(draft: Draft) -> None:
    """Several members of one dimension stand side by side, unless they are wanted together."""
    together = any(p.says("total") and p.text.lower() in _TOGETHER for p in draft.phrases)
    for each in draft.filters:
        known = any(group.dimension == each.dimension for _, group in draft.groups)
        if each.dimension in draft.sides and (known or together):
            raise NoPlanError("members that are told as one, and split or added up")
        if (
            len(each.values) > 1
            and not each.negated
            and not known
            and not together
            and each.dimension not in draft.together
        ):
            if each.holding:
                raise NoPlanError("several members of a part")
            if AS_WELL.search(draft.question) and any(
                group.dimension and draft.book.dimension(group.dimension).is_entity for _, group in draft.groups
            ):
                raise NoPlanError("those that have both")  # which patients were seen by both
            sides = draft.sides.get(each.dimension, ())
            draft.groups.append((-1, Grouping(dimension=each.dimension, sides=sides)))
