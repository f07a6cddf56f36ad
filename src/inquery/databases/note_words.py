"""How a data file was read, in words: what was left out around its table, and what its columns were taken for."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from inquery.errors import Text
from inquery.sql import Table
from inquery.sql.catalog import NoteKind, ReadNote

_ALIKE: dict[NoteKind, Text] = {
    "number": Text("as numbers", "为数字"),
    "percent": Text("as fractions, 12% being 0.12", "为小数（12% 即 0.12）"),
    "date": Text("as dates", "为日期"),
    "day_first": Text("as dates, the day before the month", "为日期（日在前、月在后）"),
    "month_first": Text("as dates, the month before the day", "为日期（月在前、日在后）"),
    "month": Text("as the first day of a month", "为当月的第一天"),
    "year": Text("as years", "为年份"),
}
TELLING: Collection[NoteKind] = ("percent", "day_first", "month_first", "text", "currencies")
"""What an answer says of the columns it uses even where every cell fits: another reading would give other figures."""


def note_text(note: ReadNote) -> Text:
    """One note as a sentence."""
    if note.kind in _ALIKE:
        return _converted(note, _ALIKE[note.kind])
    en, zh = _quoted(note.shown, "en"), _quoted(note.shown, "zh")
    count = note.count
    plural, is_are, its = ("", "is", "its") if count == 1 else ("s", "are", "their")
    texts: dict[NoteKind, Text] = {
        "encoding": Text(f"The text is read as {', '.join(note.shown)}.", f"文本按 {'、'.join(note.shown)} 编码读取。"),
        "titles": Text(
            f"{_rows(count)} above the header {is_are} no data: {en}.", f"表头上方的 {count} 行不是数据：{zh}。"
        ),
        "headers": Text(f"The header has {count} rows, joined as {en}.", f"表头共 {count} 行，已合并为{zh}等列名。"),
        "no_header": Text(f"There is no header; columns are called {en}.", f"没有表头，列名为{zh}等。"),
        "blanks": Text(f"{_rows(count, 'empty ')} left out.", f"已略去 {count} 个空行。"),
        "repeated": Text(f"{_rows(count)} that repeat the header left out.", f"已略去 {count} 行重复的表头。"),
        "currencies": Text(
            f"“{note.column}” holds amounts in {count} currencies ({en}), read as bare numbers: a sum mixes them.",
            f"“{note.column}”含 {count} 种货币（{zh}）的金额，仅按数字读取：求和会把它们混在一起。",
        ),
        "totals": Text(
            f"{_rows(count)} of totals ({en}) left out, so that nothing is counted twice.",
            f"已略去 {count} 行合计（{zh}），以免重复计算。",
        ),
        "footnotes": Text(
            f"{_rows(count)} below the table {is_are} no data: {en}.", f"表格下方的 {count} 行不是数据：{zh}。"
        ),
        "merged": Text(
            f"{count} merged cell{plural}: every row has {its} value.",
            f"{count} 处合并单元格，其中每一行都已填入相同的值。",
        ),
        "hidden": Text(f"Hidden sheets left out: {en}.", f"已略去隐藏的工作表：{zh}。"),
        "empty_columns": Text(f"{count} empty column{plural} left out.", f"已略去 {count} 个空列。"),
        "text": Text(
            f"“{note.column}” stays text: {note.odd_count:,} of {note.of:,} cells are of another kind, such as "
            f"{_quoted(note.odd, 'en')}. It cannot be summed or compared as a number or date.",
            f"“{note.column}”仍为文本：{note.of:,} 个单元格中有 {note.odd_count:,} 个与其余不同，如{_quoted(note.odd, 'zh')}，"
            "因此不能按数字或日期求和、比较。",
        ),
    }
    return texts[note.kind]


def notes_of(tables: Iterable[Table], *, named: bool = True) -> list[Text]:
    """All notes of some tables; each begins with its table's name where there are several."""
    found = [(table, note_text(note)) for table in tables for note in table.notes]
    several = named and len({table.path for table, _ in found}) > 1
    return [Text(f"{t.name}: {text.en}", f"{t.name}：{text.zh}") if several else text for t, text in found]


def notes_on(table: Table, columns: Collection[str]) -> list[Text]:
    """What an answer that uses these columns says of them: cells left empty, and readings that could have been others."""
    return [
        note_text(note) for note in table.notes if note.column in columns and (note.odd_count or note.kind in TELLING)
    ]


def _converted(note: ReadNote, what: Text) -> Text:
    en = f"“{note.column}” is read {what.en}, from cells such as {_quoted(note.shown, 'en')}"
    zh = f"“{note.column}”按{_quoted(note.shown, 'zh')}这样的内容读取{what.zh}"
    if not note.odd_count:
        return Text(f"{en}.", f"{zh}。")
    odd_en, odd_zh = _quoted(note.odd, "en"), _quoted(note.odd, "zh")
    return Text(
        f"{en}; {note.odd_count:,} of {note.of:,} cells do not fit and count as empty: {odd_en}.",
        f"{zh}；{note.of:,} 个单元格中有 {note.odd_count:,} 个不符，按空值处理：{odd_zh}。",
    )


def _rows(count: int, what: str = "") -> str:
    return f"{count:,} {what}row" + ("s" if count != 1 else "")


def _quoted(texts: Iterable[str], language: str) -> str:
    return ("、" if language == "zh" else ", ").join(f"“{text}”" for text in texts)
