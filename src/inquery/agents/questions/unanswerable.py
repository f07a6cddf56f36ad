"""Questions that a database cannot answer, told by code: what it does not hold, times it does not record, days it has not.

A writer has to write something and takes the nearest column, with as much confidence as ever. Whoever writes with a chat
model says by itself that an answer is not there (`Unanswerable`); beside the embedded writer these rules do, and the judge
hears how likely it finds that there is none.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from threading import Lock

from cachetools import LRUCache
from sqlglot import exp

from inquery.agents.bilingual import Language, say
from inquery.agents.context import Context
from inquery.agents.first_questions import first_questions
from inquery.agents.outcomes.turns import close_turn, question_of
from inquery.agents.questions.question_plan import vocabulary_of
from inquery.agents.state import State, Update
from inquery.agents.state_types import FoundPeriod
from inquery.agents.statements.emptiness import RANGE_ROWS, column_range
from inquery.answers.column_words import name_of_rows
from inquery.aside import LARGE_CATALOG, run_aside
from inquery.catalog.main_things import main_things
from inquery.catalog.search import column_terms, table_name_terms
from inquery.catalog.time_columns import time_columns, time_kind
from inquery.errors import Text, Unanswerable
from inquery.language.concepts import concepts_in
from inquery.language.text import has_cjk, name_stems
from inquery.language.wording import text_terms
from inquery.lasting import make_lasting
from inquery.metrics.absent_subjects import Holdings, absent_subjects
from inquery.metrics.read_plan import read_plan
from inquery.sql import Table
from inquery.sql.statement import Place, Statement

MOST_SUGGESTED = 3
MENTIONED = 4
LONG_AGO = datetime.timedelta(days=730)
"""Of younger periods there is nearly always something, and to look costs a query."""
SAID = 0.4
"""Weight from which a word is said, and not only near."""
_DURATION = re.compile(
    r"\b(?:days?|hours?|minutes?|weeks?|months?|how long|time)\b|几天|多少天|多久|多长时间|几个?小时|多少小时|几分钟|多少分钟|天数|时长|用时|耗时|间隔",
    re.I,
)
_FROM_TO = re.compile(
    r"\bfrom (?:the )?(?P<a>[a-z]+(?:ing|ment|ion|ery|al|er|t|e))\b(?: [a-z]+){0,2}? to (?:the )?(?P<b>[a-z]+)"
    r"|\bbetween (?:the )?(?P<c>[a-z]+(?:ing|ment|ion|ery|al|er)) and (?:the )?(?P<d>[a-z]+)"
    r"|从(?P<e>[\u4e00-\u9fff]{2,6}?)(?:之后|以后|后)?到(?P<f>[\u4e00-\u9fff]{2,6}?)(?=平均|一般|通常|大概|要|需|花|用|有|的|之间|间隔|多|几|[，,？?])",
    re.I,
)

_HELD: LRUCache[tuple[str, str, str, str], Holdings] = LRUCache(8)
_LOCK = Lock()


async def check_answerable(
    question: str, statements: Sequence[str], context: Context, periods: Sequence[FoundPeriod]
) -> Text | None:
    """What the question speaks of and nothing here is about, as a suspicion.

    Raises Unanswerable where a rule is sure that none of the statements can be right.
    """
    read = [found for sql in statements if (found := context.statement_of(sql))]
    reason = _missing_time(question, read, context)
    if reason is None and read:
        reason = await _outside_the_data(periods, read[0], context)
    if reason is not None:
        raise Unanswerable.because(reason.en, reason.zh)
    return await run_aside(context.is_long(question), _missing_subject, question, read, statements, context)


def _holdings_of(context: Context) -> Holdings:
    source = context.here
    key = (source.id, source.catalog.version, source.glossary_version, context.rules.hash)
    with _LOCK:
        known = _HELD.get(key)
    if known is None:
        seen, values = source.seen(context.rules), source.values_for(context.rules).by_place()
        with make_lasting(len(seen.tables) > LARGE_CATALOG):
            known = Holdings(seen, source.glossary, values)
        with _LOCK:
            _HELD[key] = known
    return known


def _missing_subject(
    question: str, read: Sequence[Statement], statements: Sequence[str], context: Context
) -> Text | None:
    # Of the statement that is shown: among four candidates one always looks for the word in some text.
    literals = [literal.casefold() for statement in read[:1] for literal in statement.literals()]
    # A writer that names it may know a column that was added since: the catalogue is read anew before anybody is told no.
    named = {stem for sql in statements for name in re.findall(r"\w+", sql) for stem in name_stems(name)}
    absent = [
        each.text
        for each in absent_subjects(question, _holdings_of(context))
        # What is looked for in a text may well stand there.
        if not any(
            each.text.casefold() in literal or literal.strip("%") == each.text.casefold() for literal in literals
        )
        and not _is_named(each.text, named)
    ]
    if not absent:
        return None
    return Text(f"nothing in this database is about “{absent[0]}”.", f"该数据库中没有关于“{absent[0]}”的数据。")


def _is_named(text: str, named: set[str]) -> bool:
    """Whether a statement has all words of a subject among its names: a column called share is no market share."""
    stems = set(name_stems(text))
    return bool(stems) and stems <= named


def _missing_time(question: str, read: Sequence[Statement], context: Context) -> Text | None:
    """`How long from shipping to delivery` needs a time of both.

    Two times of one table are believed, whatever they are called: of 10 questions about such durations in databases that
    can answer them 6 said an end in words that no column has.
    """
    found = _FROM_TO.search(question) if _DURATION.search(question) else None
    if found is None or any(_times_one_row(statement) for statement in read):
        return None
    ends = [text for text in found.groups() if text]
    known = {term for table in context.here.seen(context.rules).tables for term in _time_terms(table, context)}
    for text in ends:
        said = {term for thing in concepts_in(text) for term, weight in thing.items() if weight >= SAID}
        if said and not said & known and not _is_only_time(text):
            return Text(f"no date or time here says when “{text}” was.", f"没有记录“{text}”时间的日期字段。")
    return None


def _times_one_row(statement: Statement) -> bool:
    """Whether a statement takes one time of a table from another of the same."""
    for scope in statement.scopes:
        for difference in scope.find(exp.Sub, exp.DateDiff, exp.TimestampDiff, exp.DatetimeDiff, exp.TsOrDsDiff):
            places = [place for column in difference.find_all(exp.Column) if (place := scope.place(column))]
            if len({place.name for place in places}) > 1 and len({place.table.path for place in places}) == 1:
                return True
    return False


def _is_only_time(text: str) -> bool:
    """`From Monday to Friday`, `from start to finish` name no event of the data."""
    folded = text.casefold()
    return _DURATION.search(folded) is not None or folded in _PLAIN_ENDS


_PLAIN_ENDS = frozenset(
    [
        "start",
        "beginning",
        "begin",
        "end",
        "finish",
        "first",
        "last",
        "now",
        "today",
        "date",
        "point",
        "time",
        "one",
        "earliest",
        "latest",
        "开始",
        "结束",
        "首次",
        "最后",
        "现在",
        "今天",
        "第一",
    ]
)


def _time_terms(table: Table, context: Context) -> Iterator[str]:
    """Every term by which a time column may be told, that of its table among them."""
    about = context.here.glossary.tables.get(table.full_name)
    found = [column.name for column in time_columns(table)]
    if found:
        yield from table_name_terms(table)
        yield from text_terms(table.comment)
    for name in found:
        column = table.column(name)
        if column is None:
            continue
        yield from (term for term, _ in column_terms(column.name, column.comment))
        told = about.columns.get(name) if about else None
        for text in (told.en, told.zh) if told else ():
            yield from text_terms(text)


async def _outside_the_data(periods: Sequence[FoundPeriod], read: Statement, context: Context) -> Text | None:
    """Days that lie before the first or after the last that the statement's time column holds."""
    today = context.day()
    spans = [(datetime.date.fromisoformat(p["start"]), datetime.date.fromisoformat(p["end"])) for p in periods]
    if not spans or not (all(a > today for a, _ in spans) or all(b < today - LONG_AGO for _, b in spans)):
        return None
    place = next((each.place for each in read.filters() if each.place and _is_time(each.place)), None)
    if place is None or (place.table.estimated_rows or 0) > RANGE_ROWS:
        return None
    held = await column_range(context, place.table, place.column)
    if held is None or not all(re.match(r"\d{4}-\d\d-\d\d$", day) for day in held):
        return None
    first, last = (datetime.date.fromisoformat(day) for day in held)
    if all(start > last for start, _ in spans):
        return Text(
            f"the data ends on {last}, before the time you ask about.", f"数据截至 {last}，没有您所问时间的数据。"
        )
    if all(end <= first for _, end in spans):
        return Text(
            f"the data begins on {first}, after the time you ask about.", f"数据从 {first} 开始，没有更早的数据。"
        )
    return None


def _is_time(place: Place) -> bool:
    known = place.table.column(place.column)
    return known is not None and time_kind(known) is not None


def close_unlinked(state: State, context: Context) -> Update:
    """The end of a turn no word of which is about this database: what it is about, and what can be asked instead."""
    language = state["language"]
    seen, glossary = context.here.seen(context.rules), context.here.glossary
    tables = [thing.table for thing in main_things(seen, MENTIONED)]
    named = [name_of_rows(table, glossary, seen, language, several=True) for table in tables]
    listed = say(language, ", ", "、").join(named)
    text = say(
        language,
        f"Nothing in this database matches the question; it is about {listed}.",
        f"该数据库中没有与问题相关的内容；它包含{listed}等数据。",
    )
    text, questions = with_questions(text, question_of(state), context, language)
    return close_turn(state, outcome="declined", text=text, recommended_questions=questions)


def with_questions(text: str, question: str, context: Context, language: Language) -> tuple[str, list[str]]:
    """Why there is no answer, and beside it what could be asked instead."""
    questions = answerable_questions(question, context, language)
    listed = say(language, " ".join(questions), "".join(questions))
    whole = _ended(text, language)
    if questions:
        whole += say(language, f" You could ask: {listed}", f"可以这样问：{listed}")
    return whole, questions


def _ended(text: str, language: Language) -> str:
    """A model's words as a sentence that another may follow, whichever language it spoke."""
    whole = text if text.endswith(tuple(".!?…。！？")) else text + say(language, ".", "。")
    return f"{whole} " if language == "zh" and whole[-1] in ".!?…" else whole


def answerable_questions(question: str, context: Context, language: str) -> list[str]:
    """Two or three questions that this database can answer, near the one that it cannot."""
    made = list(_of_metrics(question, context, language))[:MOST_SUGGESTED]
    if len(made) < MOST_SUGGESTED:
        others = first_questions(context.here.seen(context.rules), language)
        made += [each.question for each in others if each.question not in made]
    return made[:MOST_SUGGESTED]


def _of_metrics(question: str, context: Context, language: str) -> Iterator[str]:
    """Accepted metrics, split by the dimension that the question speaks of; each is proved to be read as a plan."""
    vocabulary = vocabulary_of(context)
    book, zh = vocabulary.book, language == "zh"
    folded = question.casefold()
    said = [
        each.label.said(language)
        for each in book.dimensions.values()
        if any(word.casefold() in folded for word in each.words if len(word) > (1 if has_cjk(word) else 3))
    ]
    for metric in book.metrics.values():
        label = metric.label.said(language)
        if metric.status != "accepted" or not label:
            continue
        label = label if zh else label[0].lower() + label[1:]
        texts = [f"上个月各{by}的{label}是多少？" if zh else f"Show {label} by {by} for last month." for by in said[:2]]
        texts.append(f"上个月的{label}是多少？" if zh else f"Show {label} for last month.")
        read = (text for text in texts if read_plan(text, vocabulary, today=context.day()).plan is not None)
        if text := next(read, ""):
            yield text
