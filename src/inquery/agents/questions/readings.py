"""Readings of a question that would give different SQL: one phrase in several columns, several times, several metrics."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from inquery.agents.bilingual import bare_message, say
from inquery.agents.context import Context
from inquery.agents.outcomes.turns import close_turn, question_of
from inquery.agents.questions.connection_glossary import metrics_meant, short_names
from inquery.agents.questions.question_plan import vocabulary_of
from inquery.agents.state import State, Update
from inquery.agents.state_types import Exchange, OptionState, make_option
from inquery.answers.answer import MatchedValue
from inquery.answers.column_words import name_of_column, name_of_rows
from inquery.catalog.joins import JoinGraph
from inquery.catalog.search import index_of, rank_tables
from inquery.catalog.time_columns import time_columns
from inquery.language.numbers import DIGITS_ZH, ORDINALS
from inquery.metrics.question_cover import key_of, stands_in
from inquery.metrics.routes import find_table
from inquery.sql import Catalog, Table
from inquery.sql.statement import Place

CLOSE = 0.03
"""Matches this near in score are equally likely."""
SAID = 0.55
"""Of the best table's score: a table above it is one the question speaks of."""
MOST_OPTIONS = 4
LONGEST_REPLY = 500
CANCEL = re.compile(r"^\W*(cancel|never ?mind|forget it|stop|取消|算了|不用了|不问了)\W*$", re.I)
_PLACES = ORDINALS | DIGITS_ZH | {"former": 1, "latter": 2, "前者": 1, "后者": 2}


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is unclear, the question to ask, and the readings, best first."""

    key: str
    question: str
    options: list[OptionState]


def doubt_about(state: State, context: Context) -> Doubt | None:
    """The first doubt that would change the SQL."""
    return _metric_doubt(state, context) or _value_doubt(state, context) or _time_doubt(state, context)


def _metric_doubt(state: State, context: Context) -> Doubt | None:
    language = state["language"]
    for word, metrics in metrics_meant(context.here.glossary, question_of(state)):
        if len({m.definition for _, m in metrics}) < 2:
            continue
        options = [
            make_option(name, metric.description.said(language) or name, {"phrase": word, "metric": name, "says": name})
            for name, metric in metrics[:MOST_OPTIONS]
        ]
        question = say(language, f"What do you mean by “{word}”?", f"“{word}”指的是？")
        return Doubt(f"metric:{word}", question, options)
    return None


def _value_doubt(state: State, context: Context) -> Doubt | None:
    language, catalog = state["language"], context.here.seen(context.rules)
    by_phrase: dict[str, list[MatchedValue]] = {}
    for value in state["values"]:
        by_phrase.setdefault(value["phrase"], []).append(value)
    for phrase, found in by_phrase.items():
        # Without the phrase: tables are found by sample values too, and where little else is said (How many in
        # Beijing?) the phrase itself would name every table it is in.
        rest = question_of(state).replace(phrase, " ")
        spoken = _spoken_tables(rest, catalog)
        if context.here.glossary.metrics_in(rest):
            spoken = _called_tables(rest, spoken, context)
        best = max(v["score"] for v in found)
        close = [v for v in found if best - v["score"] <= CLOSE]
        places = list(dict.fromkeys((v["table"], v["column"]) for v in close))
        # How many customers live in Beijing? names its table, and nobody wants to be asked.
        if len({table for table, _ in places}) < 2 or any(table in spoken for table, _ in places):
            continue
        if _column_said(question_of(state), [column for _, column in places]):
            continue
        near = _nearest(_one_each(close), spoken, catalog)
        if len(near) < 2:
            continue
        options = [_place_option(phrase, v, catalog, context, language, question_of(state)) for v in near][
            :MOST_OPTIONS
        ]
        question = say(language, f"Which “{phrase}” do you mean?", f"“{phrase}”指的是哪一个？")
        # The places are in the key: what a user once chose holds only while the choice is the same.
        return Doubt(
            f"value:{bare_message(phrase)}:{'|'.join(sorted(f'{t}.{c}' for t, c in places))}", question, options
        )
    return None


def _time_doubt(state: State, context: Context) -> Doubt | None:
    """A period, and a main table whose two best time columns are equally likely."""
    if not state["query_analysis"].get("periods") or not state["schema_info"].get("best"):
        return None
    language = state["language"]
    table = context.here.seen(context.rules).by_name.get(state["schema_info"]["best"][0])
    if table is None:
        return None
    found = [each for each in time_columns(table) if each.score > 0]
    if len(found) < 2 or found[0].score - found[1].score > 0.25:
        return None
    if _column_said(question_of(state), [each.name for each in found]):
        return None
    options = [
        make_option(
            f"{table.full_name}.{each.name}",
            _told(table, each.name, context, language, question_of(state)),
            {"table": table.full_name, "time_column": each.name, "says": each.name.replace("_", " ")},
        )
        for each in found[:MOST_OPTIONS]
    ]
    question = say(language, "Which date do you mean?", "按哪个时间统计？")
    return Doubt(f"time:{table.full_name}", question, options)


def place_of(option: OptionState) -> str:
    """The column (table.column) that an option reads a phrase or a period in; empty for a metric."""
    reading = option["reading"]
    column = reading.get("column") or reading.get("time_column")
    return f"{reading['table']}.{column}" if column else ""


def assumption(language: str, options: Sequence[OptionState]) -> str:
    """What is said of a reading that was taken without asking."""
    labels = say(language, ", ", "、").join(option["label"] for option in options)
    if options and all("time_column" in option["reading"] for option in options):
        return say(language, f"The period is taken by {labels}", f"时间按{labels}统计")
    return say(language, f"Assumed: {labels}", f"假设：{labels}")


def assumptions_of(state: State, columns: Collection[str]) -> list[str]:
    """What a statement over some columns (table.column) assumes; of a doubt that was left open, the reading it took."""
    asking = state["clarification"]
    if not asking.get("left_open"):
        return state["assumptions"]
    # A statement that reads all of the places, or none, took no side, and there is nothing to tell.
    taken = [option for option in asking["options"] if place_of(option) in columns]
    return [assumption(state["language"], taken)] if 0 < len(taken) < len(asking["options"]) else []


def _place_option(
    phrase: str, v: MatchedValue, catalog: Catalog, context: Context, language: str, question: str
) -> OptionState:
    table = catalog.by_name.get(v["table"])
    name = _named(table, v["column"], context, language) if table else f"{v['table']}.{v['column']}"
    told = _told(table, v["column"], context, language, question) if table else name
    return make_option(
        f"{v['table']}.{v['column']}",
        say(language, f"{told} is {v['value']}", f"{told}为{v['value']}"),
        {"phrase": phrase, "table": v["table"], "column": v["column"], "value": v["value"], "says": name},
    )


def _told(table: Table, column: str, context: Context, language: str, question: str) -> str:
    """A column as it is shown to a person, beside what its rows are called."""
    seen, glossary = context.here.seen(context.rules), context.here.glossary
    one = name_of_rows(table, glossary, seen, language, question, several=False)
    what = name_of_column(Place(table, column), glossary, seen, language, question)
    return what if what.startswith(one) else say(language, f"{one} {what}", f"{one}的{what}")


def _named(table: Table, column: str, context: Context, language: str) -> str:
    """A column in words a writer is given: the glossary's, else its name beside its table's."""
    names = short_names(context.here.glossary, language)
    owner = names.get(table.full_name) or table.name.replace("_", " ")
    what = names.get(f"{table.full_name}.{column}") or column.replace("_", " ")
    if language == "zh":
        return what if what.startswith(owner) else f"{owner}的{what}"
    return f"{owner} {what}"


def _one_each(found: Sequence[MatchedValue]) -> list[MatchedValue]:
    """One reading a table: city and province of one table rarely mean different rows."""
    kept: dict[str, MatchedValue] = {}
    for value in found:
        kept.setdefault(value["table"], value)
    return list(kept.values())


def _nearest(found: list[MatchedValue], spoken: Sequence[str], catalog: Catalog) -> list[MatchedValue]:
    """Those whose table is fewest joins from what the question speaks of."""
    main = catalog.by_name.get(spoken[0]) if spoken else None
    if main is None:
        return found
    graph = index_of(catalog).graph
    hops = {v["table"]: _hops(graph, main, catalog.by_name.get(v["table"])) for v in found}
    least = min(hops.values())
    near = [value for value in found if hops[value["table"]] == least]
    # A table reached by two keys, as by a delivery and a billing address, is the less likely meaning.
    return sorted(near, key=lambda value: len(graph.between(main.path, tuple(value["table"].split(".")))))


def _hops(graph: JoinGraph, one: Table, other: Table | None) -> int:
    paths = graph.paths(one.path, other.path, limit=1, longest=3) if other else []
    return len(paths[0]) if paths else 9


def _spoken_tables(question: str, catalog: Catalog) -> list[str]:
    """Tables a question speaks of, best first; the doubtful phrase itself is taken out of it before."""
    ranked = rank_tables(question, catalog).tables
    return [name for name, score in ranked if score >= SAID * ranked[0][1]]


def _called_tables(question: str, spoken: Sequence[str], context: Context) -> list[str]:
    """Those of the tables that the question calls by a name of theirs, or that a metric it names is taken from.

    The sales of 销售额 are in the descriptions of stores, employees and promotions alike: that they were found by it says
    nothing of whose city is meant.
    """
    book = vocabulary_of(context).book
    tables = {name: find_table(book.catalog, name) for name in spoken}
    said = key_of(question)
    measured = {
        table
        for _, names in context.here.glossary.metrics_in(question)
        for name in names
        for table in context.here.glossary.metrics[name].tables
    }

    def is_called(name: str) -> bool:
        table, own = tables[name], book.dimensions.get(name)
        words = (*(book.table_words(table) if table else ()), *(own.words if own else ()))
        return any(stands_in(key, said) for word in words if (key := key_of(word)))

    return [name for name in spoken if name in measured or is_called(name)]


def _column_said(question: str, columns: Sequence[str]) -> bool:
    """Whether the question names one of the columns and not the others."""
    said = [column for column in columns if re.search(rf"\b{re.escape(column.replace('_', ' '))}\b", question, re.I)]
    return len(set(said)) == 1 and len(set(columns)) > 1


def picked(reply: Any, options: Sequence[OptionState]) -> OptionState | None:
    """The option a reply means: by id, number, ordinal or label; None for free text."""
    if isinstance(reply, dict):
        reply = reply.get("id") or reply.get("option") or reply.get("text") or ""
    text = str(reply).strip()
    by_id = {option["id"]: option for option in options}
    if text in by_id:
        return by_id[text]
    number = _number(text)
    if number:
        return options[number - 1] if number <= len(options) else None
    bare = bare_message(text)
    scored = [(max(SequenceMatcher(None, bare, each).ratio() for each in _told_as(o)), o) for o in options]
    said = [option for option in options if bare and any(bare in each for each in _told_as(option))]
    if len(said) == 1:
        return said[0]
    best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] >= 0.75 else None


def _told_as(option: OptionState) -> list[str]:
    """The words of an option: those that are shown, and those of the database (stores city), which people say as well."""
    return [bare_message(words) for words in (option["label"], option["reading"].get("says", "")) if words]


def _number(text: str) -> int:
    found = re.fullmatch(r"\W*(?:第|option |number |no\.? ?)?(\d{1,2}|[一二两三四])(?:个|项|种|\.|\))?\W*", text, re.I)
    if found:
        return int(found.group(1)) if found.group(1).isdigit() else _PLACES[found.group(1)]
    word = re.fullmatch(
        r"\W*(?:the )?(first|second|third|fourth|former|latter|前者|后者)(?: one| option)?\W*", text, re.I
    )
    return _PLACES[word.group(1).lower()] if word else 0


def is_reply(message: str, options: Sequence[OptionState]) -> bool:
    """Whether a message during a clarification answers it; anything else is a new question.

    A question of the model's own has no options, and any words answer it.
    """
    return not options or bool(CANCEL.match(message)) or picked(message, options) is not None


def enriched(state: State, option: OptionState) -> str:
    """The question with the chosen reading beside its phrase."""
    question = state.get("standalone_question") or state["question"]
    says, phrase = option["reading"].get("says") or option["label"], option["reading"].get("phrase", "")
    place = question.casefold().find(phrase.casefold()) if phrase else -1
    mark = f"（{says}）" if state["language"] == "zh" else f" ({says})"
    if place >= 0:
        end = place + len(phrase)
        return question[:end] + mark + question[end:]
    stem = question.rstrip(" ?？.。")
    return stem + mark + question[len(stem) :].strip()


def answered(state: State, reply: Any) -> Update:
    """What a reply does to the turn: the option's reading, or its own words, or an end."""
    asking = state["clarification"]
    option = picked(reply, asking["options"])
    said = str(reply)[:LONGEST_REPLY]
    history: list[Exchange] = [*asking.get("history", []), {"question": asking["question"], "reply": said}]
    done = asking | {"reply": said, "history": history}
    if option is None and isinstance(reply, str) and CANCEL.match(reply):
        text = say(state["language"], "Cancelled.", "已取消。")
        return close_turn(state, clarification=done, outcome="chat", text=text)
    if option is None:
        words = make_option("text", said, {"says": said})
        return {"clarification": done, "enriched_question": enriched(state, words), "route_decision": "check_cache"}
    return {
        "clarification": done | {"option": option["id"], "reading": option["reading"]},
        "enriched_question": enriched(state, option),
        "route_decision": "check_cache",
    }
