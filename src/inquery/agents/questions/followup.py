"""Which messages go on from the question before them, and what they make of it. Rules only, in both languages.

A message stands alone when it names a measure or a subject of its own and refers to nothing before it. What only groups,
narrows, dates, cuts or draws goes on: by channel, 只看上海, and last year?, the top 3.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inquery.catalog.value_index import ValueMatch
from inquery.language.numbers import numbers_in
from inquery.language.periods import Period, periods_in

if TYPE_CHECKING:
    from inquery.metrics.named_parts import Named

_I = re.I
LEAD = re.compile(
    r"^\s*(?:and|but|so|then|ok(?:ay)?|no|nope|wait|sorry|actually|now|also|(?:the )?same(?! (?:period|time|days?|weeks?|months?|quarters?|point|part|stretch|span|dates?)\b)|what about|how about|i mean(?:t)?|only|just|instead|rather|"
    r"那么?|那|还有|再|而|不对|不是|不(?![包含算要计是])|错了|哦|我是说|我说的是|我指的是|应该是|换成|换|改成|改为|改|只看|只要|仅|同样(?![的时天])|呢|其中|如果是|如果)(?=[\s,，、:：]|[\u4e00-\u9fff0-9]|\b)[\s,，、:：]*",
    _I,
)
PLAIN_LEAD = re.compile(
    r"^\s*(?:now|ok(?:ay)?|so|then|sorry|wait|well|actually|然后|接下来)(?=[\s,，、:：]|[\u4e00-\u9fff]|\b)[\s,，、:：]*(?!.*\b(?:instead|too|as well)\b)",
    _I,
)
"""What opens a sentence of any kind, and refers to nothing: now show the revenue by month."""
TAIL = re.compile(
    r"(?:\s*(?:please|instead|then|too|as well|呢|吧|的呢|怎么样|如何|又如何|看看|试试))?[\s?？!！.。]*$", _I
)
_SAME_TIME = r"(?!\s+(?:period|time|day|week|month|quarter|season|year|point|stretch|span|date)s?\b)"
"""The same month last year is a time, and nothing that was said before."""
GOING_ON = re.compile(r"(?:\b(?:instead|then|too|as well)|呢|又如何)[\s?？!！.。]*$", _I)
"""The ends of a message that say that it goes on; please and 看看 do not."""
POINTER = re.compile(
    rf"\b(?<!does )(?<!did )it\b|(?<=did )it\b(?! take)|(?<=does )it\b(?! take)"
    rf"|\b(?:its|they|them|their|those|these|that one|this one|the same{_SAME_TIME}|the previous|the above|the former|of them|among them)\b"
    r"|它们?|他们|她们|这些|那些|其中|上述|上面|刚才|同样|这个(?![月周季年]|星期|礼拜|学期|财年)|那个|前者|后者|该",
    _I,
)
OWNER = re.compile(r"its|their|它|该", _I)
"""Of a thing in the same sentence, wherever one is named before: products below their reorder level."""
PRONOUN = re.compile(r"it|they|them|of them|among them|它们?|他们|她们|其中", _I)
"""Of a thing in the same sentence only behind a break: who bought most, and where do they live? Not: what did they buy?"""
_BREAK = re.compile(r"[,，;；]|\b(?:and|but)\b|以及|并且?")
QUESTION = re.compile(
    r"\b(how|what|which|who|when|where|list|show|give|count|find|compare|tell|display|get|calculate|sum|total|average|is there|are there|do we|does|did)\b"
    r"|多少|哪些|哪[个家位种类款名几]|什么|几[个次家位名张单件条笔份台辆人种款]|谁|列出|显示|统计|查询|查一下|查看|计算|比较|对比|求|给出|找出|是否|排名|平均|总",
    _I,
)
NOT_QUESTION = re.compile(r"^\s*(?:and|but|so|then|ok)?\s*(?:what about|how about|what if it'?s?)\b", _I)
DOING = re.compile(
    r"\b(?:we|i)\s+(?:make|made|earn(?:ed)?|sell|sold|take|took|bring|lose|lost|spend|spent)\b|赚|挣|卖|买|花|亏|(?:多少|几个)人",
    _I,
)
"""What is asked about is done, and needs no noun: how much did we earn last year?"""
GROUP = re.compile(
    r"^\s*(?:show (?:it|them|this)\s+)?(?:broken? down\s+|split\s+|grouped?\s+)?(?:by|per|for each|for every)\s+(?P<en>[\w ]{2,30}?)\s*$"
    r"|^\s*(?:按|按照|以|分|依)(?P<zh>[\u4e00-\u9fff\w]{1,8}?)(?:来)?(?:看|统计|分组|拆分|汇总|划分|细分|分|展示|排列|计算)?(?:一下|下)?\s*$",
    _I,
)
ASKED_GROUP = re.compile(
    r"\s*,?\s*\b(?:by|per|for each|in each|for every)\s+(?P<en>month|quarter|year|week|day|date|[a-z_]+(?: [a-z_]+)?)\b(?=[\s,?.!]|$)|[，,]?按(?P<zh>照?[\u4e00-\u9fff]{1,4}?)(?:统计|分组|汇总|看|划分|来看|列出|查看)|[，,]?按(?P<zh2>[\u4e00-\u9fff]{1,4})$|每个?(?P<zh3>[\u4e00-\u9fff]{1,4})(?=的|有|，|,)",
    _I,
)
TOP = re.compile(
    r"^\s*(?:(?:show|give)(?: me)?\s+)?(?:the\s+)?(?:top|first|best|bottom|last|worst)\s+(?P<en>\d+|one|two|three|four|five|six|seven|eight|nine|ten|twenty)(?:\s+(?:of (?:them|those|these)|ones?|rows?|results?|only))*\s*$"
    r"|^\s*(?P<zhw>前|后|最后|倒数)(?P<zh>\d+|[一二两三四五六七八九十]+)(?:名|个|条|行|位|家|款|种|项)?(?:的)?(?:就行|就好|即可|吧)?\s*$",
    _I,
)
BOTTOM = re.compile(r"\b(bottom|last|worst)\b|后|倒数|最后", _I)
RANKED = re.compile(r"\b(top|best|bottom|worst)\b|名", re.I)
"""Words that mean rank by the number; `first` and 前三个 keep the order there is."""
SORT = re.compile(
    r"^\s*(?:sort(?:ed)?|order(?:ed)?)(?: it| them| this)?(?: by (?P<by>[\w ]+?))?(?P<dir>\s*(?:asc(?:ending)?|desc(?:ending)?|from (?:low|small|high|large)\w*(?: to (?:low|small|high|large)\w*)?|lowest first|highest first))?\s*$"
    r"|^\s*(?:请)?(?:按)?(?P<zh>从(?:低到高|小到大|少到多|高到低|大到小|多到少)|升序|降序|倒序|正序)(?:排列|排序|排)?(?:一下)?\s*$",
    _I,
)
ASCENDING = re.compile(r"\basc|from (?:low|small)|lowest first|低到高|小到大|少到多|升序|正序", _I)
EXCLUDE = re.compile(
    r"^\s*(?:exclude|excluding|without|leave out|not counting|except|不含|不包括|不包含|排除|去掉|除去|除了)\s*(?P<what>.+)$",
    _I,
)
ONLY = re.compile(r"^\s*(?:only|just|limit(?:ed)? (?:it|this|that)? ?to|只看|只要|仅看|仅限|限于)\s*(?P<what>.+)$", _I)
SHARE = re.compile(
    r"^\s*(?:show (?:it|them|this)\s+)?(?:as|in|what)?\s*(?:an?\s+|the\s+)?(?:shares?|percent(?:age)?s?|per cent|proportions?)"
    r"(?:\s+of\s+(?:the\s+)?(?:total|whole|all|sum))?(?:\s+(?:is|does|do|has|have)\s+each(?:\s+(?:one|of them))?(?:\s+(?:have|make up))?)?\s*$"
    r"|^\s*(?:各自?|分别|每[个项家种])?占(?:比|了?多少|多大|总[额体计数]|全部|整体)?(?:的?(?:比例|百分比|份额|比重|百分之几|百分之多少|几成))?(?:各?是?多少)?\s*$",
    _I,
)
"""What each makes up of the whole: it asks with a question word, and of what is said before."""
SHORT_EN, SHORT_ZH = 9, 14
"""Words, or Chinese characters, below which a message without a question word leans on the one before."""

Match = Callable[[str], Sequence[ValueMatch]]


@dataclass(frozen=True, slots=True)
class Edit:
    """What a follow-up does: a new question, or an edit of the last statement (`top`, `sort`)."""

    question: str
    kind: str
    number: int = 0
    ascending: bool = False
    ranked: bool = False


def stands_alone(message: str, *, named: Named | None = None, topical: bool = False) -> bool:
    """Whether a message can be understood without the one before it; `topical` ones name a table or a metric.

    What it names is unknown where nobody looked: then a question word is taken to ask for something of its own.
    """
    core = bare(message)
    if NOT_QUESTION.match(message) or _refers_back(message, named):
        return False
    if SORT.match(core) or EXCLUDE.match(core) or ONLY.match(message):
        return False
    if named is not None and _names_whole(named) and not leans(message):
        return True
    if GROUP.match(core) or TOP.match(core) or SHARE.match(core):
        return False
    asks = QUESTION.search(core) is not None
    if LEAD.match(message) and not PLAIN_LEAD.match(message) and len(core) < 40 and not (asks and _long(core)):
        return False
    if asks:
        return named is None or named.measure or named.thing or named.subject or DOING.search(core) is not None
    left = message.strip().rstrip("?？!！.。")
    return _long(core) or (topical and core == left)


def leans(message: str) -> bool:
    """Whether a message says by its own words that it goes on from the one before: what about, only, these, 呢."""
    told = NOT_QUESTION.match(message) or _refers_back(message, None) or ONLY.match(message)
    led = LEAD.match(message) is not None and not PLAIN_LEAD.match(message)
    return bool(told) or led or GOING_ON.search(message) is not None


def _names_whole(named: Named) -> bool:
    """Whether figures are told that need no verb to be asked for: sales by country, 本月销售额, tracks per genre."""
    figures = named.measure and (named.grouping or named.narrowing)
    return figures or (named.grouping and (named.thing or named.unknown))


def _refers_back(message: str, named: Named | None) -> bool:
    """Whether a word points at something that the message itself has not named before it."""
    thing_at = named.thing_at if named is not None else -1
    for found in POINTER.finditer(message):
        before = message[thing_at : found.start()] if 0 <= thing_at < found.start() else ""
        inside = OWNER.fullmatch(found[0]) or (PRONOUN.fullmatch(found[0]) and _BREAK.search(before))
        if not before or not inside:
            return True
    return False


def _long(core: str) -> bool:
    chinese = sum("\u4e00" <= letter <= "\u9fff" for letter in core)
    return chinese > SHORT_ZH if chinese else len(core.split()) > SHORT_EN


def bare(message: str) -> str:
    """A follow-up without the words that only say it is one."""
    core = message.strip()
    while (found := LEAD.match(core)) and found.end() < len(core):
        core = core[found.end() :]
    return TAIL.sub("", core).strip()


def merge_followup(
    message: str,
    before: str,
    *,
    match: Match,
    today: datetime.date,
    metrics: Callable[[str], Sequence[str]] | None = None,
) -> Edit | None:
    """The follow-up as an edit of the question before it; None when no rule reads it."""
    core = bare(message)
    # First what only cuts or turns the last statement: no model is asked for that.
    if top := TOP.match(core):
        number = next((int(hit.value) for hit in numbers_in(top["en"] or top["zh"])), 0)
        low, ranked = bool(BOTTOM.search(core)), bool(RANKED.search(core))
        return Edit(_noted(before, core), "top", number, ascending=low, ranked=ranked) if number else None
    # To sort by a named column is for the writer: the last statement can only be turned, and may not show it.
    if (sort := SORT.match(core)) and not sort["by"]:
        return Edit(_noted(before, core), "sort", ascending=bool(ASCENDING.search(core)))
    if (group := GROUP.match(core)) and not _is_value(core, match):
        return Edit(_regrouped(before, group["en"] or group["zh"], _chinese(before)), "group")
    if out := EXCLUDE.match(core):
        return Edit(_added(before, out["what"].strip(), exclude=True), "exclude")
    if metrics is not None and (swapped := _swap_metric(core, before, metrics)):
        return Edit(swapped, "metric")
    new_periods = periods_in(core, today=today)
    changed = _swap_values(core, before, match)
    text = changed or before
    if new_periods:
        text = dated_question(text, new_periods[0].text, today)
    if new_periods or changed:
        # Little may be left beside the period and the value: a follow-up that asks for more is no edit, and to take
        # it for one would answer the old question.
        rest = _rest(core, new_periods, match)
        if not QUESTION.search(rest) and len(rest) <= 12:
            return Edit(text, "period" if new_periods and not changed else "value")
    return None


def _is_value(core: str, match: Match) -> bool:
    return any(found.score >= 0.95 and len(found.phrase) >= len(core) - 2 for found in match(core))


def _chinese(text: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


def _rest(core: str, found: Sequence[Period], match: Match) -> str:
    spans = [period.span for period in found] + [(m.start, m.end) for m in match(core) if m.start >= 0]
    kept = [letter for place, letter in enumerate(core) if not any(a <= place < b for a, b in spans)]
    return re.sub(
        r"\b(in|for|of|the|during|on|at|from|one|ones)\b|[\s的在年月份省市只看换成]+", "", "".join(kept), flags=_I
    )


def dated_question(before: str, said: str, today: datetime.date) -> str:
    """The question with its period replaced, or with one added where it had none."""
    old = periods_in(before, today=today)
    if not old:
        return _added(before, said)
    # All of them with what stands between: after `2024 and 2025`, `and in 2023?` means 2023 alone.
    start, end = old[0].span[0], old[-1].span[1]
    # 2023 for 2022年 brings no 年 of its own, 2023年 does: there is to be one.
    if _chinese(before) and re.fullmatch(r"\d{4}", said):
        said += "年"
    if before[end : end + 1] == "年" and said.endswith("年"):
        end += 1
    return before[:start] + said + before[end:]


def _swap_values(core: str, before: str, match: Match) -> str:
    """The question with a value replaced by another of the same column, or with one added."""
    fresh = _best(match(core))
    if not fresh:
        return ""
    known = match(before)
    new = fresh[0]
    # A city may be one of customers and of stores: what it takes the place of says which.
    columns = {(each.table, each.column) for each in match(core) if each.phrase == new.phrase}
    old = next((each for each in known if (each.table, each.column) in columns and each.phrase != new.phrase), None)
    if old is None:
        return "" if new.phrase in before else _added(before, new.phrase)
    return before[: old.start] + new.phrase + before[old.end :]


def _swap_metric(core: str, before: str, metrics: Callable[[str], Sequence[str]]) -> str:
    """The question with its metric replaced, where the follow-up is little but another one."""
    new, old = metrics(core), metrics(before)
    if not new or not old or len(core) > len(new[0]) + 6 or new[0] == old[0]:
        return ""
    said = re.sub(r"^the\s+", "", core, flags=_I)
    return re.sub(re.escape(old[0]) + "s?", lambda _: said, before, count=1, flags=_I)


def _best(found: Sequence[ValueMatch]) -> list[ValueMatch]:
    return sorted((each for each in found if each.score >= 0.8), key=lambda each: -len(each.phrase))


def _regrouped(before: str, word: str, chinese: bool) -> str:
    word = word.strip()
    stem, end = _ending(before)
    if old := ASKED_GROUP.search(stem):
        inside = f"按{word}统计" if chinese else f" by {word}"
        return (stem[: old.start()] + inside + stem[old.end() :]).strip() + end
    return f"{stem}，按{word}统计{end}" if chinese else f"{stem} by {word}{end}"


def _added(before: str, what: str, *, exclude: bool = False) -> str:
    stem, end = _ending(before)
    if _chinese(before):
        if exclude:
            return f"{stem}，不包括{what}{end}"
        return (
            f"{what}{stem}{end}"
            if not what.endswith(("年", "月", "天", "日", "周", "季度"))
            else f"{what}的{stem}{end}"
        )
    if exclude:
        return f"{stem} excluding {what}{end}"
    joined = (
        what
        if re.match(
            r"(in|for|during|since|before|after|last|this|next|between|from|on|until|today|yesterday|past|the)\b",
            what,
            _I,
        )
        else (
            f"in {what}"
            if re.match(r"\d{4}|q\d|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", what, _I)
            else f"for {what}"
        )
    )
    return f"{stem} {joined}{end}"


def _noted(before: str, core: str) -> str:
    """The question with a remark before its end; an earlier remark is replaced."""
    stem, end = _ending(re.sub(r"\s*\([^()]*\)(?=[?？.。!！]*$)", "", before))
    return f"{stem} ({core}){end}"


def _ending(text: str) -> tuple[str, str]:
    stem = text.rstrip(" ?？.。!！")
    return stem, text[len(stem) :].strip()
