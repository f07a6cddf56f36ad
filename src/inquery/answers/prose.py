"""The explanation by template: one sentence that answers with the figure, and one more at most; in English and Chinese.

The second sentence belongs to what a reader must know before using the figure (rows counted twice or left out, a period
that is not over); where there is nothing of the kind, to what else stands out.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from inquery.answers.answer import AnswerColumn, Fact, FactDetail
from inquery.answers.column_words import VAGUE, is_piece_of_sql
from inquery.answers.facts import label_fields, told_label
from inquery.answers.formats import as_number, format_figure, format_number, format_percent, humanise
from inquery.answers.number_check import drop_unknown_numbers, percents_as_parts
from inquery.answers.people_names import with_whole_names
from inquery.answers.shape import Field, Rows, Shape, largest_first, read_shape
from inquery.catalog.main_things import counted_name
from inquery.language import dates

LISTED = 5
FOLLOWING = 2
"""After the first of many, who is named with its figure."""
FIELDS = 4
"""Of a single row, what is said; the rest stands in the table."""

_ARTICLED = ("number of ", "total ", "average ", "highest ", "lowest ", "latest ", "earliest ")
Say = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Ranked:
    """By what the statement ranks its rows, in the reader's words, and whether it shows the first of them alone."""

    by: str
    descending: bool = True
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Beside:
    """What a sentence needs of the statement besides its rows."""

    ranked: Ranked | None = None
    repeated: bool = False
    """Whether a join may count rows several times: no total, and the sentence says so."""
    left_out: str = ""
    """The rows that a join leaves out, counted, in words."""
    assumed: str = ""
    """Which of several readings was taken, where nobody was asked."""


def explain_result(
    question: str,
    facts: Sequence[Fact],
    columns: Sequence[AnswerColumn],
    rows: Rows,
    *,
    language: str = "en",
    truncated: str | None = None,
    beside: Beside | None = None,
) -> str:
    """Checked prose about a result."""
    teller = _Teller(facts, columns, rows, language, beside or Beside(), whole=not truncated)
    second = teller.caveats(truncated) or teller.insight()
    parts = [teller.direct(), second]
    # The name of a column or table may hold numbers: gifts 2023-24. Of 12.3 in per cent 12.3% is quoted, which is 0.123.
    asked = [question, *(column.label for column in columns), *(column.name for column in columns)]
    extra = [*asked, *percents_as_parts(columns, facts, rows)]
    text, _ = drop_unknown_numbers(teller.say(" ", "").join(filter(None, parts)), facts, rows, extra)
    return text


def led_by(narrowed: str, text: str, columns: Sequence[AnswerColumn], language: str) -> str:
    """A sentence that begins with what its figures are narrowed to, where it does not say so itself."""
    if not narrowed or not text:
        return text
    if language == "zh":
        return f"{narrowed.removesuffix('的')}：{text}"
    named = any(column.label and text[1:].startswith(column.label[1:]) for column in columns)
    begins = text[:1].lower() + text[1:] if named or re.match(r"(?:Of|From|The|There|By|No)\b", text) else text
    return f"{narrowed[:1].upper()}{narrowed[1:]}, {begins}"


def caveats_of(
    facts: Sequence[Fact], columns: Sequence[AnswerColumn], rows: Rows, language: str, beside: Beside
) -> str:
    """The sentence a reader must hear before using the figures, empty where there is none; for prose made elsewhere."""
    return _Teller(facts, columns, rows, language, beside).caveats(None)


class _Teller:
    def __init__(
        self,
        facts: Sequence[Fact],
        columns: Sequence[AnswerColumn],
        rows: Rows,
        language: str,
        beside: Beside,
        *,
        whole: bool = True,
    ) -> None:
        self.facts, self.whole = facts, whole
        given = len(columns)
        self.columns, self.rows = columns, rows = with_whole_names(columns, rows)
        self.joined = len(columns) < given
        self.language, self.beside = language, beside
        self.shape: Shape = read_shape(columns, rows)
        self.names = label_fields(self.shape, rows)
        # What names a row is no figure of it: the number of an order, a year.
        self.measures = self.shape.of_role("measure")

    def say(self, en: str, zh: str) -> str:
        return zh if self.language == "zh" else en

    def _listed(self, parts: Sequence[str]) -> str:
        return self.say(", ", "、").join(parts)

    def _word(self, field: Field) -> str:
        column = self.columns[field.index]
        vague = is_piece_of_sql(column.name) or column.name.casefold() in VAGUE
        return column.label or ("" if vague else humanise(column.name))

    def _word_named(self, name: str | None) -> str:
        field = next((each for each in self.shape.fields if each.name == name), None)
        return (self._word(field) if field else "") or self.say("the figure", "数值")

    def _value(self, cell: Any, field: Field) -> str:
        column = self.columns[field.index]
        if isinstance(cell, str | int) and not isinstance(cell, bool) and str(cell) in column.words:
            return column.words[str(cell)]
        if field.role in {"identifier", "time"}:
            return told_label(cell, column, self.language)
        return format_figure(cell, column.format, column.unit, self.language)

    def _figure(self, value: Any, name: str | None) -> str:
        """A fact's value in the format of its column."""
        column = next((column for column in self.columns if column.name == name), None)
        return format_figure(value, column.format if column else "", column.unit if column else "", self.language)

    def _label(self, row: Sequence[Any]) -> str:
        told = [(row[f.index], told_label(row[f.index], self.columns[f.index], self.language)) for f in self.names]
        return " · ".join(self._blank if cell is None else text for cell, text in told)

    @property
    def _blank(self) -> str:
        return self.say("(blank)", "（空）")

    def direct(self) -> str:
        """The answer itself."""
        if not self.rows:
            return self.say("No rows match the question.", "没有符合条件的数据。")
        return self._one(self.rows[0]) if len(self.rows) == 1 else self._several()

    def _one(self, row: Sequence[Any]) -> str:
        fields = self.shape.fields
        if all(cell is None for cell in row):
            return self.say("There is no data to work this out from.", "没有可供计算的数据。")
        if len(fields) == 1:
            return self._alone(row[0], fields[0])
        named = any(row[field.index] is not None for field in self.names)
        label, figures = (
            self._label(row) if named else "",
            [field for field in self.measures if row[field.index] is not None],
        )
        ranked = self.beside.ranked
        if label and len(figures) == 1 and ranked is not None:
            value, word = self._value(row[figures[0].index], figures[0]), self._word(figures[0]) or ranked.by
            en, zh = self._extreme(ranked.descending)
            return self.say(f"{label} has the {en} {word}: {value}.", f"{word}{zh}的是{label}，为{value}。")
        said = [field for field in fields if row[field.index] is not None and not (label and field in self.names)]
        pairs = [self._pair(row[field.index], field) for field in said[:FIELDS]]
        told = self.say("; ", "，").join(pairs)
        if label and len(said) == 1 and (word := self._word(said[0])):
            value = self._value(row[said[0].index], said[0])
            return self.say(f"{label}: {word} {value}.", f"{label}：{told}。")
        if label:
            return self.say(f"{label}: {told}.", f"{label}：{told}。") if told else self.say(f"{label}.", f"{label}。")
        return self.say(f"{told[:1].upper()}{told[1:]}.", f"{told}。")

    def _pair(self, cell: Any, field: Field) -> str:
        word, value = self._word(field), self._value(cell, field)
        return self.say(f"{word}: {value}", f"{word}为{value}") if word else value

    def _alone(self, cell: Any, field: Field) -> str:
        word, value, ranked = self._word(field), self._value(cell, field), self.beside.ranked
        if as_number(cell) is None and ranked is not None and ranked.by != word:
            en, zh = self._extreme(ranked.descending)
            return self.say(f"{value} has the {en} {ranked.by}.", f"{ranked.by}{zh}的是{value}。")
        if not word:
            return self.say(f"The answer is {value}.", f"答案是{value}。")
        if self.language != "zh" and (word.startswith(_ARTICLED) or word == "share"):
            return f"The {word} is {value}."
        return self.say(f"{word[:1].upper()}{word[1:]}: {value}.", f"{word}为{value}。")

    def _extreme(self, descending: bool) -> tuple[str, str]:
        return ("highest", "最高") if descending else ("lowest", "最低")

    def _several(self) -> str:
        if changed := next((fact for fact in self.facts if fact.kind == "change"), None):
            return self._change(changed)
        count = format_number(len(self.rows), self.language)
        if not self.names and self.measures and len(self.rows) <= LISTED:
            return self._all()
        if not self.names:
            return self._unnamed(count)
        if not self.measures:
            return self._names(count)
        if len(self.rows) <= LISTED:
            return self._all()
        if (time := self._latest_first()) is not None:
            return self._dated(time, count)
        return self._first_of(count)

    def _latest_first(self) -> Field | None:
        """The time by which the rows run, where it is no name of theirs: the ten latest orders are asked for their days."""
        named = {field.index for field in self.names}
        for field in self.shape.of_role("time"):
            cells = [str(row[field.index]) for row in self.rows if row[field.index] is not None]
            runs = cells in (sorted(cells), sorted(cells, reverse=True))
            if field.index not in named and len(cells) == len(self.rows) and len(set(cells)) * 2 > len(cells) and runs:
                return field if self._runs(self.measures[0]) is None else None
        return None

    def _dated(self, time: Field, count: str) -> str:
        word = self._word(self.measures[0])
        latest = str(self.rows[0][time.index]) > str(self.rows[-1][time.index])
        head = self.rows[0]
        day, value = self._value(head[time.index], time), self._value(head[self.measures[0].index], self.measures[0])
        last = self._value(self.rows[-1][time.index], time)
        order = self.say("latest" if latest else "earliest", "最近" if latest else "最早")
        told = self.say(f"{word} {value}", f"{word}{value}") if word else value
        return self.say(
            f"Of {count} {self._thing() or 'results'}, the {order} is {self._label(head)} ({day}, {told}); the list goes to {last}.",
            f"共{count}项，{order}的是{self._label(head)}（{day}，{told}），一直列到{last}。",
        )

    def _names(self, count: str) -> str:
        """Rows without a figure: who they are, and what ranks them."""
        shown = self._listed([self._label(row) for row in self.rows[:LISTED]])
        more = self.say(" and others", "等") if len(self.rows) > LISTED else ""
        ranked = self.beside.ranked
        if ranked is not None and ranked.by not in {self._word(field) for field in self.shape.fields}:
            en, _ = self._extreme(ranked.descending)
            return self.say(
                f"By {en} {ranked.by}: {shown}{more}.",
                f"按{ranked.by}{'从高到低' if ranked.descending else '从低到高'}：{shown}{more}。",
            )
        thing = self._thing()
        return self.say(
            f"There are {count} {thing or 'results'}: {shown}{more}.",
            f"共{count}{'个' + thing if thing else '条结果'}：{shown}{more}。",
        )

    def _unnamed(self, count: str) -> str:
        """Many rows of figures alone: how many, and between which they lie."""
        if not self.measures:
            return self.say(f"There are {count} rows.", f"共{count}条结果。")
        field = self.measures[-1]  # what rows are grouped by may be a number too, and comes first
        word = self._word(field) or self.say("figure", "数值")
        known = sorted(
            (number, row[field.index]) for row in self.rows if (number := as_number(row[field.index])) is not None
        )
        if not known:
            return self.say(f"There are {count} rows.", f"共{count}条结果。")
        low, high = self._value(known[0][1], field), self._value(known[-1][1], field)
        return self.say(
            f"There are {count} rows, with {word} from {low} to {high}.",
            f"共{count}条结果，{word}在{low}到{high}之间。",
        )

    def _thing(self) -> str:
        """What the rows are, several of them: their names', where each stands once and its word is of the language."""
        if len(self.names) != 1 or self.names[0].role != "category" or not self.whole or self.joined:
            return ""  # of a thousand rows shown it is not known how many there are
        field = self.names[0]
        if any(each.role in {"identifier", "time"} for each in self.shape.fields if each.index != field.index):
            return ""  # orders with their customers are no customers
        cells = [row[field.index] for row in self.rows]
        word = self._word(field)
        if not word or len(set(map(str, cells))) < len(cells) or None in cells:
            return ""
        if self.language == "zh":
            return word if not re.search(r"[^\u4e00-\u9fff]", word) else ""
        return counted_name(word, "en") if word.isascii() and not re.search(r"[\d()/]", word) else ""

    def _all(self) -> str:
        """Few rows: all of them."""
        if len(self.measures) == 1:
            field = self.measures[0]
            word = self._word(field)
            shown = [
                f"{self._label(row)} {self._value(row[field.index], field)}".strip() for row in self._charted(field)
            ]
            told = self._listed(shown)
            if not word:
                return self.say(f"{told}.", f"{told}。")
            return self.say(f"{word[:1].upper()}{word[1:]}: {told}.", f"{word}：{told}。")
        shown = []
        for row in self.rows:
            pairs = self._listed([f"{self._word(f)} {self._value(row[f.index], f)}".strip() for f in self.measures[:3]])
            label = self._label(row)
            shown.append(self.say(f"{label} ({pairs})", f"{label}（{pairs}）") if label else pairs)
        told = self.say("; ", "；").join(shown)
        # A name keeps its letters, a word begins a sentence.
        return self.say(f"{told}." if self.names else f"{told[:1].upper()}{told[1:]}.", f"{told}。")

    def _charted(self, field: Field) -> Rows:
        """The rows in the order in which bars of them stand."""
        amounts = [number for row in self.rows if (number := as_number(row[field.index])) is not None]
        if len(self.names) != 1 or self.names[0].role != "category" or len(amounts) < len(self.rows):
            return self.rows
        return [self.rows[place] for place in largest_first([self._label(row) for row in self.rows], amounts)]

    def _first_of(self, count: str) -> str:
        """Many rows: the first by its figure where they are ranked, else the highest."""
        field = self.measures[0]
        word = self._word(field) or self.say("figure", "数值")
        falling = self._runs(field)
        if falling is None:
            return self._highest(field, word, count)
        head, *rest = self.rows[: FOLLOWING + 1]
        en, zh = self._extreme(falling)
        share = self._share_of("top") if falling else ""
        first = self._value(head[field.index], field)
        next_en = " and ".join(f"{self._label(row)} ({self._value(row[field.index], field)})" for row in rest)
        next_zh = "、".join(f"{self._label(row)}（{self._value(row[field.index], field)}）" for row in rest)
        return self.say(
            f"Of {count} {self._thing() or 'results'}, {self._label(head)} has the {en} {word} ({first}{share}), followed by {next_en}.",
            f"共{count}项，{word}{zh}的是{self._label(head)}（{first}{share}），其次是{next_zh}。",
        )

    def _runs(self, field: Field) -> bool | None:
        """Whether the figures fall (True) or rise (False) from row to row; None where they do neither."""
        numbers = [as_number(row[field.index]) for row in self.rows]
        known = [number for number in numbers if number is not None]
        if len(known) < len(numbers) or len(set(known)) < 2:
            return None
        if all(a >= b for a, b in pairwise(known)):
            return True
        return False if all(a <= b for a, b in pairwise(known)) else None

    def _highest(self, field: Field, word: str, count: str) -> str:
        ends = {fact.kind: fact for fact in self.facts if fact.kind in {"top", "bottom"} and fact.column == field.name}
        if "top" not in ends:
            pairs = [f"{self._label(row)} {self._value(row[field.index], field)}" for row in self.rows[:LISTED]]
            told = self._listed(pairs)
            return self.say(f"{count} results, {word}: {told} and others.", f"共{count}项，{word}：{told}等。")
        top, share = ends["top"], self._share_of("top")
        low = ""
        if bottom := ends.get("bottom"):
            least = self._figure(bottom.value, field.name)
            last = self._named(bottom)
            low = self.say(f"; {last} the lowest ({least})", f"，最低的是{last}（{least}）")
        most = self._figure(top.value, field.name)
        return self.say(
            f"Of {count} {self._thing() or 'results'}, {self._named(top)} has the highest {word} ({most}{share}){low}.",
            f"共{count}项，{word}最高的是{self._named(top)}（{most}{share}）{low}。",
        )

    def _named(self, fact: Fact) -> str:
        """What a fact's row is called; a dash says nothing in a sentence."""
        return self._blank if fact.label in {None, "", "—"} else str(fact.label)

    def _share_of(self, kind: str) -> str:
        """The share that an end has of the total; nothing where that may be counted twice."""
        fact = next((f for f in self.facts if f.kind == kind and f.column == self.measures[0].name), None)
        if fact is None or "share" not in fact.detail or self.beside.repeated:
            return ""
        share = format_percent(fact.detail["share"])
        return self.say(f", {share} of the total", f"，占总数的{share}")

    def _change(self, fact: Fact) -> str:
        detail, word = fact.detail, self._word_named(fact.column)
        first, last = self._figure(detail["first"], fact.column), self._figure(detail["last"], fact.column)
        rate = format_percent(abs(detail["rate"])) if "rate" in detail else ""
        change = fact.value if isinstance(fact.value, int | float) else 0
        if not change:
            moved = "rise" in detail or "fall" in detail
            return self.say(
                f"From {detail['from']} to {detail['to']}, {word} {'began and ended' if moved else 'stayed'} at {last}.",
                f"从{detail['from']}到{detail['to']}，{word}{'首尾均为' if moved else '保持在'}{last}。",
            )
        up = change > 0
        by_en, by_zh = (
            (f" ({'up' if up else 'down'} {rate})", f"，{'增长' if up else '下降'}{rate}") if rate else ("", "")
        )
        return self.say(
            f"From {detail['from']} to {detail['to']}, {word} {'rose' if up else 'fell'} from {first} to {last}{by_en}.",
            f"从{detail['from']}到{detail['to']}，{word}由{first}变为{last}{by_zh}。",
        )

    def caveats(self, truncated: str | None) -> str:
        """What must be known before a figure is used, in one sentence."""
        if not self.rows:
            return self.say("Try a wider period or fewer conditions.", "可以放宽时间范围或减少筛选条件。")
        found = [self.beside.assumed] if self.beside.assumed else []
        if self.beside.repeated:
            found.append(self.say("some rows may be counted more than once", "部分记录可能被重复计算"))
        if self.beside.left_out:
            found.append(self.beside.left_out)
        if truncated:
            count = format_number(len(self.rows), self.language)
            found.append(
                self.say(
                    f"only the first {count} rows are shown, so totals are left out",
                    f"仅显示前{count}条，因此未计算合计",
                )
            )
        found += self._unfinished() + self._cut()
        told = self.say("; ", "；").join(found)
        return self.say(f"{told[:1].upper()}{told[1:]}.", f"{told}。") if told else ""

    def _unfinished(self) -> list[str]:
        """A period that is not over, whatever the number of measures."""
        periods: dict[str | None, list[Fact]] = {}
        for fact in self.facts:
            if fact.kind == "unfinished":
                periods.setdefault(fact.label, []).append(fact)
        return [self._not_over(found) for found in periods.values()]

    def _not_over(self, found: list[Fact]) -> str:
        name = period_named(found[0].detail, self.say)
        if not found[0].detail["begun"]:
            return self.say(f"{name} has not begun", f"{name}尚未开始")
        values = [(self._word_named(fact.column), self._figure(fact.value, fact.column)) for fact in found]
        if len(values) == 1:
            return self.say(f"{name} is not over: {values[0][1]} so far", f"{name}尚未结束，目前为{values[0][1]}")
        en = ", ".join(f"{word} {value}" for word, value in values)
        zh = "、".join(f"{word}为{value}" for word, value in values)
        return self.say(f"{name} is not over: {en} so far", f"{name}尚未结束，目前{zh}")

    def _cut(self) -> list[str]:
        """A first period of which the question takes a part."""
        fact = next((fact for fact in self.facts if fact.kind == "cut"), None)
        if fact is None:
            return []
        name = period_named(fact.detail, self.say)
        return [self.say(f"{name} is not whole and is not compared", f"{name}不完整，未参与比较")]

    def insight(self) -> str:
        """What else stands out, where nothing needs a warning."""
        if (
            len(self.rows) < 2
            or not self.measures
            or (not self.names and len(self.rows) > LISTED)
            or (self.names and self._latest_first() is not None)
        ):
            return ""
        name = self.measures[0].name
        mine = {fact.kind: fact for fact in reversed(self.facts) if fact.column == name}
        if "change" in mine and (top := mine.get("top")):
            most = self._figure(top.value, name)
            return self.say(f"It was highest in {top.label} ({most}).", f"最高的是{top.label}（{most}）。")
        if (total := mine.get("total")) and not self.beside.repeated:
            whole = self._figure(total.value, name)
            return self.say(f"The total is {whole}.", f"合计{whole}。")
        if odd := mine.get("outlier"):
            value, middle = self._figure(odd.value, name), self._figure(odd.detail["median"], name)
            return self.say(
                f"{odd.label} stands out with {value}, against a median of {middle}.",
                f"{odd.label}明显偏离（{value}，中位数为{middle}）。",
            )
        return ""


def period_named(detail: FactDetail, say: Say) -> str:
    """A period of a fact as people call it."""
    start = datetime.date.fromisoformat(detail["start"])
    year, month, day = start.year, start.month, start.day
    match detail["grain"]:
        case dates.DAY:
            return say(f"{start:%B} {day}, {year}", f"{year}年{month}月{day}日")
        case dates.WEEK:
            return say(f"the week of {start:%B} {day}, {year}", f"{year}年{month}月{day}日当周")
        case dates.MONTH:
            return say(f"{start:%B} {year}", f"{year}年{month}月")
        case dates.QUARTER:
            return say(f"Q{detail['quarter']} {year}", f"{year}年第{detail['quarter']}季度")
    return say(f"{year}", f"{year}年")
