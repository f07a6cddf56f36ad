"""The reading of a question part by part, each with what it may be changed to and the question so changed.

A change is a whole question, asked in the thread like any other: it is planned, cached and judged as if it had been typed.
One whose period cannot be read back as meant is not offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from inquery.agents.context import Context
from inquery.agents.outcomes.condition_words import NOT_DELETED
from inquery.agents.outcomes.turns import question_of
from inquery.agents.questions.question_plan import vocabulary_of
from inquery.agents.state import State, used_plan
from inquery.answers.answer import PartKind, ReadChange, ReadFilter, Reading, ReadPart
from inquery.answers.column_words import name_of_column, name_of_value
from inquery.answers.reading_words import days_named
from inquery.catalog.time_columns import time_columns
from inquery.language.dates import OPEN_END, OPEN_START, Clock, Span, before, year_before
from inquery.language.periods import Period, periods_in
from inquery.metrics.compile_plan import plan_metrics
from inquery.metrics.plan_told import group_names, told_filters
from inquery.metrics.plan_types import Plan
from inquery.metrics.question_cover import Phrase, cover
from inquery.metrics.reading.plan_periods import named_periods
from inquery.sql.statement import Place, Statement

MOST_CHANGES = 7
NOW: Mapping[str, tuple[str, ...]] = {
    "en": ("this year", "last year", "this quarter", "this month", "last month"),
    "zh": ("今年", "去年", "本季度", "本月", "上月"),
}
"""Periods that people look at most; the one before and the year before come first."""
_BEFORE_EN = r"(?:\b(?:in|of|for|from|at|during|on|with|among|only)\s+)?(?:\bthe\s+)?"
_DENYING = re.compile(
    r"(?:\b(?:without|excluding|exclude|except(?: for)?|other than|apart from|but not|not(?: (?:in|for|from))?)\s+(?:in\s+)?(?:the\s+)?"
    r"|(?:不包[含括]|不[含算计要]|除了?|排除|剔除|去掉|非))$",
    re.I,
)
_RELATIVE = re.compile(r"\b(?:in|during|of|for)\s+(?=(?:this|last)\s+(?:year|quarter|month)\b)", re.I)


@dataclass(frozen=True, slots=True)
class ReadingWords:
    """What the parts of a reading are called, as the line above an answer says them."""

    measures: Sequence[str]
    groups: Sequence[str]
    filters: Mapping[str, str]
    conditions: Sequence[str]
    definitions: Mapping[str, str]


def parts_of(
    reading: Reading, state: State, context: Context, words: ReadingWords, statement: Statement | None
) -> list[ReadPart]:
    """Every part of a reading, in the order in which people say them."""
    maker = _Parts(reading, state, context, statement)
    listed = maker.say(", ", "、")
    found = [
        _part("measure", listed.join(dict.fromkeys(words.measures)) or maker.planned(), maker.other_measures()),
        _part("group", listed.join(dict.fromkeys(words.groups)) or maker.planned_groups(), maker.other_groups()),
        *maker.periods(),
        maker.time_column(),
        *maker.filters(words.filters),
        *(_part("filter", text, maker.with_deleted(text)) for text in words.conditions),
        *(_part("definition", f"{name}{maker.say(': ', '：')}{text}") for name, text in words.definitions.items()),
        *(_part("assumption", text) for text in reading.get("assumptions", [])),
        _part("chosen", reading.get("chosen", "")),
        *(_part("ignored", word, maker.without(word)) for word in reading.get("ignored", [])),
        _part("database", context.here.connection.name),
    ]
    return [part for part in found if part and part["text"]]


def _part(kind: PartKind, text: str, changes: Sequence[ReadChange] = ()) -> ReadPart:
    once = {change["question"]: change for change in reversed(changes)}  # a year ago is the year before, of a year
    kept = [change for change in changes if once[change["question"]] is change][:MOST_CHANGES]
    return {"kind": kind, "text": text, "changes": kept}


class _Parts:
    def __init__(self, reading: Reading, state: State, context: Context, statement: Statement | None) -> None:
        self.reading, self.context, self.statement = reading, context, statement
        self.language = state["language"]
        self.question = question_of(state)
        options = context.here.connection.options
        self.clock = Clock(context.day(), options.week_start, options.fiscal_year_start)
        plan = used_plan(state)
        self.plan = Plan.model_validate(plan["fields"]) if plan else None
        self.phrases = self._phrases() if self.plan else []

    def say(self, en: str, zh: str) -> str:
        return zh if self.language == "zh" else en

    def _phrases(self) -> list[Phrase]:
        vocabulary = vocabulary_of(self.context)
        return cover(self.question, vocabulary, named_periods(self.question, vocabulary, self.clock))[0]

    def _change(self, label: str, question: str) -> Iterator[ReadChange]:
        """A change, where it is one."""
        if label and question.strip(" ?？.。") and question != self.question:
            yield {"label": label, "question": question}

    def _replaced(self, old: str, new: str) -> str:
        place = self.question.casefold().find(old.casefold())
        if place < 0:
            return self.question
        question = self.question[:place] + new + self.question[place + len(old) :]
        return question[:1].upper() + question[1:] if self.question[:1].isupper() else question

    def planned(self) -> str:
        """What a plan measures, where its columns do not say."""
        if self.plan is None:
            return ""
        book = vocabulary_of(self.context).book
        return self.say(", ", "、").join(each.label.said(self.language) for each in plan_metrics(self.plan, book))

    def planned_groups(self) -> str:
        """What a plan splits by, where its statement does not say: orders per channel."""
        if self.plan is None:
            return ""
        return self.say(", ", "、").join(group_names(self.plan, vocabulary_of(self.context).book, self.language))

    def other_measures(self) -> list[ReadChange]:
        """Other metrics in the place of the one that the question names, those of the same tables first."""
        if self.plan is not None:
            book, used = vocabulary_of(self.context).book, set(self.plan.measures)
            said = next((p.text for p in self.phrases if used & set(p.senses.metrics)), "")
            near = {book.metric(name).entity for name in used}
            # What nobody accepted is a guess of ours, of which there may be dozens.
            others = [m for name, m in book.metrics.items() if name not in used and m.status == "accepted"]
            others.sort(key=lambda metric: metric.entity not in near)
            labels = [metric.label.said(self.language) for metric in others]
        else:
            metrics = self.context.here.glossary.metrics
            said, named = next(iter(self.reading.get("metric", {}).items()), ("", ""))
            tables = set(metrics[named].tables) if named in metrics else set()
            known = [(name, each) for name, each in metrics.items() if name != named and each.label]
            known.sort(key=lambda pair: not tables & set(pair[1].tables))
            labels = [each.label.said(self.language) for _, each in known]
        if not said:
            return []
        return [made for label in labels for made in self._change(label, self._replaced(said, self._within(label)))]

    def with_deleted(self, told: str) -> list[ReadChange]:
        """The same with the rows that are marked as deleted, where those were left out."""
        if told not in NOT_DELETED:
            return []
        end = re.search(r"[\s?？.。!！]*$", self.question)
        stem, mark = (self.question[: end.start()], end.group().strip()) if end else (self.question, "")
        asked = stem + self.say(", deleted ones too", "，包括已删除的") + mark
        return list(self._change(self.say("with deleted ones", "包括已删除的"), asked))

    def _within(self, label: str) -> str:
        """A label within a sentence: revenue, not Revenue; but GMV."""
        return label[:1].lower() + label[1:] if label[1:2].islower() else label

    def other_groups(self) -> list[ReadChange]:
        """Other dimensions in the place of the one that a plan splits by; words of a writer's groups are not known."""
        split = next((g.dimension for g in self.plan.groups if g.dimension), "") if self.plan else ""
        if self.plan is None or not split:
            return []
        vocabulary = vocabulary_of(self.context)
        said = next((p.text for p in self.phrases if split in p.senses.dimensions), "")
        own = vocabulary.book.dimension(split)
        others = [d for name, d in vocabulary.book.dimensions.items() if name != split and d.table == own.table]
        labels = [dimension.label.said(self.language) for dimension in others]
        return [
            made for label in labels if said for made in self._change(label, self._replaced(said, self._within(label)))
        ]

    def _periods_in(self, question: str) -> list[Period]:
        clock = self.clock
        return periods_in(question, today=clock.today, week_start=clock.week_start, fiscal_start=clock.fiscal_start)

    def periods(self) -> list[ReadPart]:
        """The period with those before it and those of now; a comparison of several is left as it is."""
        found = self._periods_in(self.question)
        zh = self.language == "zh"
        told = [days_named(each["start"], each["end"], zh=zh) for each in self.reading.get("period", [])]
        if self.plan is not None and self.plan.period is not None and len(told) <= 1:
            # The last half year by month begins with a whole month, and `from February` does not end in it.
            told = [days_named(self.plan.period.start.isoformat(), self.plan.period.end.isoformat(), zh=zh)]
        if len(found) != 1:
            return [_part("period", text) for text in told if text]
        return [_part("period", told[0] if told else found[0].text, list(self._other_periods(found[0])))]

    def _other_periods(self, period: Period) -> Iterator[ReadChange]:
        if period.start > OPEN_START and period.end < OPEN_END:
            for earlier in (before, year_before):
                span = earlier(Span(period.start, period.end, period.grain))
                text = days_named(span.start.isoformat(), span.end.isoformat(), zh=self.language == "zh")
                yield from self._in_period(period, text, (span.start, span.end))
        for text in NOW["zh" if self.language == "zh" else "en"]:
            meant = self._periods_in(text)[0]
            if (meant.start, meant.end) != (period.start, period.end):
                yield from self._in_period(period, text, (meant.start, meant.end))
        yield from self._change(self.say("without a period", "不限时间"), self._cut(*period.span))

    def _in_period(self, period: Period, text: str, meant: tuple[object, object]) -> Iterator[ReadChange]:
        start, end = period.span
        head, tail = self.question[:start], self.question[end:]
        if self.language != "zh":
            # In 2025 becomes last year, last month becomes in August 2026, in the last quarter in Q2 2026.
            head = re.sub(r"\bthe\s+$", "", head, flags=re.I)
            named = not re.match(r"(?:this|last)\b", text)
            bare = not re.search(r"\b(?:in|of|for|from|during|since|between|to|and|vs\.?)\s*$", head, re.I)
            text = f"in {text}" if named and bare and head.strip() else text
        question = _RELATIVE.sub("", head + text + tail) if self.language != "zh" else head + text + tail
        question = question[:1].upper() + question[1:] if self.question[:1].isupper() else question
        read = self._periods_in(question)
        if len(read) == 1 and (read[0].start, read[0].end) == meant:
            yield from self._change(text.removeprefix("in "), question)

    def time_column(self) -> ReadPart | None:
        """The date that a period is told by, with the other dates of its table."""
        place = self._dated()
        if place is None or not self.reading.get("period"):
            return None
        names = [each.name for each in time_columns(place.table) if each.score > 0]
        words = self._name_of(place)
        changes: list[ReadChange] = []
        for name in names:
            if name != place.column:
                says = name.replace("_", " ")
                changes += self._change(self._name_of(Place(place.table, name)), self._marked(says))
        return _part("date", words, changes) if changes else None

    def _name_of(self, place: Place) -> str:
        here = self.context.here
        return name_of_column(place, here.glossary, here.seen(self.context.rules), self.language)

    def _dated(self) -> Place | None:
        for each in self.statement.filters() if self.statement else ():
            if each.place and each.place.column in {column.name for column in time_columns(each.place.table)}:
                return each.place
        return None

    def _marked(self, says: str) -> str:
        """The question with a remark at its end, as a reading that was chosen is written."""
        stem = self.question.rstrip(" ?？.。")
        mark = self.say(f" ({says})", f"（{says}）")
        return stem + mark + self.question[len(stem) :].strip()

    def filters(self, names: Mapping[str, str]) -> list[ReadPart]:
        """Conditions on values: without one, or with another value of the same column."""
        if self.plan is not None:
            return self._planned_filters(self.plan)
        found = []
        here, seen = self.context.here, self.context.here.seen(self.context.rules)
        for each in self.reading.get("filters", []):
            name = names.get(f"{each['table']}.{each['column']}")
            place = self.question.casefold().find(each["phrase"].casefold())
            if name is None or self._is_in_a_measure(each["phrase"]):
                continue
            said = each["phrase"]
            table = seen.by_name.get(each["table"])
            names_column = said.casefold() in name.casefold()
            if table and names_column:  # `refunded is refunded` says nothing: the column is told with its value
                said = name_of_value(Place(table, each["column"]), each["value"], here.glossary, seen, self.language)
            text = self.say(f"{name} {said}", f"{name}为{said}")
            kind: PartKind = "without" if each.get("denied") else "filter"
            found.append(_part(kind, text, self._other_values(each, name, flag=names_column) if place >= 0 else ()))
        return found

    def _planned_filters(self, plan: Plan) -> list[ReadPart]:
        """The filters of a plan, all of them: those that an earlier question said too."""
        book = vocabulary_of(self.context).book
        found = []
        for wanted, told in zip(plan.filters, told_filters(plan, book, self.language), strict=True):
            changes: list[ReadChange] = []
            if len(wanted.values) == 1 and wanted.text and wanted.text.casefold() in self.question.casefold():
                of = book.dimension(wanted.dimension)
                name, value = of.label.said(self.language), wanted.values[0]
                read: ReadFilter = {"phrase": wanted.text, "table": of.table, "column": of.column, "value": value}
                denied = wanted.negated
                flag = wanted.text.casefold() in name.casefold()
                changes = self._other_values(read | {"denied": True} if denied else read, name, flag=flag)
            found.append(_part("without" if told.denied else "filter", told.text, changes))
        return found

    def _other_values(self, each: ReadFilter, name: str, *, flag: bool) -> list[ReadChange]:
        """The question without a condition, and with each other value of its column; a flag has no others."""
        here, seen = self.context.here, self.context.here.seen(self.context.rules)
        table, phrase = seen.by_name.get(each["table"]), each["phrase"]
        place = self.question.casefold().find(phrase.casefold())
        end = place + len(phrase)
        # Of `in the east region` no region is left over.
        kind = rf"\s*(?:{re.escape(name)}|{re.escape(each['column'])})s?(?![a-z])"
        rest = re.match(kind, self.question[end:], re.I)
        end += rest.end() if rest else 0
        whole = self._cut_denied(place, end) if each.get("denied") else self._cut(place, end)
        changes = list(self._change(self.say("any", "不限"), whole))
        others = self.context.stored(each["table"], each["column"]) if not flag else []
        for value in others[:MOST_CHANGES] if table else ():
            if table and value.casefold() not in {each["value"].casefold(), phrase.casefold()}:
                said = name_of_value(Place(table, each["column"]), value, here.glossary, seen, self.language)
                changes += self._change(said, self._replaced(phrase, said))
        return changes

    def _is_in_a_measure(self, words: str) -> bool:
        """Whether words are a part of a measure's name alone: a rate of refunds counts all rows, not those refunded."""
        held = [each.text.casefold() for each in self.phrases if each.senses.metrics]
        rest = self.question.casefold()
        for text in held:
            rest = rest.replace(text, " ")
        return words.casefold() not in rest and any(words.casefold() in text for text in held)

    def without(self, word: str) -> list[ReadChange]:
        """The question without words that nothing stands for."""
        place = self.question.casefold().find(word.casefold())
        if place < 0:
            return []
        question = self._cut(place, place + len(word))
        return list(self._change(self.say("ask without it", "去掉再问"), question))

    def _cut_denied(self, start: int, end: int) -> str:
        """The question without a phrase and the words that left it out; as it is where those stand elsewhere."""
        said = _DENYING.search(self.question[:start])
        if said is None:
            return self.question
        behind = re.match(r"(?:之外|以外|外)", self.question[end:])
        return self._cut(said.start(), end + (behind.end() if behind else 0))

    def _cut(self, start: int, end: int) -> str:
        """The question without a phrase and the small words that held it."""
        head, tail = self.question[:start], self.question[end:]
        if self.language == "zh":
            return re.sub(r"[在，,]$", "", head) + re.sub(r"^(?:年|的|，)", "", tail)
        head = re.sub(_BEFORE_EN + "$", "", head, flags=re.I)
        cut = re.sub(r"\s+([?.!,])", r"\1", re.sub(r"\s{2,}", " ", f"{head.rstrip()} {tail.lstrip()}")).strip(" ,")
        return cut[:1].upper() + cut[1:] if self.question[:1].isupper() else cut
