"""Data dictionaries as people keep them: CSV, XLSX, JSON, YAML, dbt. Every shape becomes a list of entries."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from inquery.errors import BadRequest, MissingDriver
from inquery.language.text import fold

LONGEST_TEXT = 2000
LONGEST_WORD = 200
MOST_ENTRIES = 200_000
KINDS = (".csv", ".tsv", ".xlsx", ".json", ".yaml", ".yml")
ENCODINGS = ("utf-8-sig", "gb18030")

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """What a file says of a table, or of one of its columns: a comment, and what the values stand for."""

    table: str
    column: str = ""
    comment: str = ""
    values: Pairs = ()

    def plain(self) -> list[Any]:
        """As the store keeps it."""
        return [self.table, self.column, self.comment, [list(pair) for pair in self.values]]

    @classmethod
    def from_plain(cls, given: Sequence[Any]) -> Entry:
        """What `plain` wrote."""
        table, column, comment, values = given
        return cls(table, column, comment, tuple((code, word) for code, word in values))


_BLANK = b" \t\r\n\xef\xbb\xbf"


def read_dictionary(content: bytes, filename: str) -> tuple[Entry, ...]:
    """The entries of a file; raises BadRequest with one sentence where it is none."""
    kind = PurePath(filename.lower()).suffix
    if kind not in _READERS:
        named = ", ".join(KINDS)
        raise BadRequest.because(
            f"a dictionary is a file that ends in {named}", f"数据字典文件应以 {named} 结尾", detail=filename
        )
    if not content.strip(_BLANK):
        raise _bad(filename, "it is empty", "文件为空")
    entries = tuple(entry for entry in _READERS[kind](content, filename) if entry.comment or entry.values)
    if not entries:
        raise _bad(filename, "it describes no table and no column", "其中没有任何表或列的说明")
    if len(entries) > MOST_ENTRIES:
        raise _bad(filename, f"it has more than {MOST_ENTRIES:,} entries", f"其中的条目超过 {MOST_ENTRIES:,} 条")
    return entries


def _bad(filename: str, en: str, zh: str, detail: str = "") -> BadRequest:
    return BadRequest.because(
        f"{filename} cannot be read as a dictionary: {en}", f"无法将 {filename} 读作数据字典：{zh}", detail=detail or en
    )


def _text(content: bytes, filename: str) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    for encoding in ENCODINGS:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise _bad(filename, "it is not text", "它不是文本")


# Rows: one header, then a table, a column and a comment a line, or a value and its meaning.

_HEADS = {
    "table": "table table_name tablename tbl entity 表 表名 表名称 数据表 表英文名",
    "column": "column column_name columnname field field_name fieldname attribute 列 列名 字段 字段名 字段名称 字段英文名",
    "comment": "comment comments description desc label title remark remarks definition column_comment column_description "
    "business_name 注释 说明 描述 备注 中文名 中文名称 字段中文名 字段说明 列说明 字段注释 字段描述 含义 标签",
    "value": "value code values enum enum_value 值 代码 编码 取值 枚举值 码值",
    "meaning": "meaning value_label value_meaning code_label value_description enum_label 值含义 值说明 码值含义 取值含义 "
    "取值说明 枚举含义",
    "table_comment": "table_comment table_description table_label 表注释 表说明 表中文名 表描述",
}
_HEAD_OF = {name: head for head, names in _HEADS.items() for name in names.split()}


def _from_rows(rows: Sequence[Sequence[str]], filename: str) -> Iterator[Entry]:
    """Entries of a sheet; its header may stand below a title."""
    for at, row in enumerate(rows[:10]):
        heads = [_HEAD_OF.get(fold(cell).strip().replace(" ", "_"), "") for cell in row]
        if "table" in heads and {"comment", "meaning", "value", "table_comment"} & set(heads):
            yield from _below(heads, rows[at + 1 :])
            return
    raise _bad(
        filename,
        "no row names its columns: table, column, comment, and perhaps value, meaning",
        "没有表头：需要 表、列、注释，以及可选的 值、值含义",
    )


def _below(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Entry]:
    table = column = ""
    for row in rows:
        cells: dict[str, str] = {}
        for head, cell in zip(heads, row, strict=False):
            if head and cell.strip() and head not in cells:
                cells[head] = cell.strip()
        if not cells:
            continue
        # Merged cells of a sheet are filled in their first row alone.
        if "table" in cells:
            table, column = cells["table"], ""
        column = cells.get("column", column if "value" in cells else "")
        if not table:
            continue
        if "table_comment" in cells:
            yield Entry(table, "", _short(cells["table_comment"]))
        value, meaning = cells.get("value", ""), cells.get("meaning", "")
        comment = cells.get("comment", "")
        if value and not meaning and "meaning" not in heads:
            meaning, comment = comment, ""  # table, column, code, label
        pairs = ((value, meaning[:LONGEST_WORD]),) if value and meaning else ()
        yield Entry(table, column, _short(comment), pairs)


def _read_csv(content: bytes, filename: str) -> Iterator[Entry]:
    text = _text(content, filename)
    delimiter = "\t" if filename.lower().endswith(".tsv") else _delimiter(text)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise _bad(filename, "a quotation mark is not closed", "引号没有闭合", str(error)) from error
    yield from _from_rows(rows, filename)


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t|", key=first.count)


def _read_xlsx(content: bytes, filename: str) -> Iterator[Entry]:
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise MissingDriver(str(error), engine="XLSX", extra="export") from error
    try:
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheets = [
            [["" if cell is None else _cell(cell) for cell in row] for row in sheet.iter_rows(values_only=True)]
            for sheet in book.worksheets
        ]
    except Exception as error:  # openpyxl lets whatever zipfile and its XML parser raise through
        raise _bad(filename, "it is not an XLSX workbook", "不是 XLSX 工作簿", str(error)) from error
    found = False
    for rows in sheets:
        try:
            yield from _from_rows(rows, filename)
            found = True
        except BadRequest:
            continue  # a sheet of notes beside the dictionary
    if not found:
        yield from _from_rows(sheets[0] if sheets else [], filename)


def _cell(cell: object) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


# Trees: JSON and YAML of several shapes, dbt's among them.


def _read_json(content: bytes, filename: str) -> Iterator[Entry]:
    try:
        given = json.loads(_text(content, filename))
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        raise _bad(filename, f"it is not JSON (line {line})", f"不是有效的 JSON（第 {line} 行）", str(error)) from error
    yield from _from_tree(given, filename)


def _read_yaml(content: bytes, filename: str) -> Iterator[Entry]:
    import yaml

    try:
        given = yaml.safe_load(_text(content, filename))
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        raise _bad(filename, f"it is not YAML (line {line})", f"不是有效的 YAML（第 {line} 行）", str(error)) from error
    yield from _from_tree(given, filename)


_READERS: Mapping[str, Callable[[bytes, str], Iterator[Entry]]] = {
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".xlsx": _read_xlsx,
    ".json": _read_json,
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
}
_DBT = ("models", "seeds", "snapshots", "sources")
_TEXTS = ("comment", "description", "label", "title", "注释", "说明", "描述", "中文名")
_CODES = ("values", "meanings", "enum", "codes", "accepted_values", "取值", "枚举")


def _from_tree(given: Any, filename: str) -> Iterator[Entry]:
    """Entries of a tree: {table: {"": comment, column: comment}}, tables and columns with names, rows, or dbt's files."""
    if isinstance(given, Mapping) and isinstance(given.get("nodes"), Mapping):
        yield from _manifest(given)
    elif isinstance(given, Mapping) and any(isinstance(given.get(key), list) for key in (*_DBT, "tables")):
        for key in (*_DBT, "tables"):
            yield from _named_tables(given.get(key))
    elif isinstance(given, list) and all(isinstance(row, Mapping) for row in given):
        if any("columns" in row or "name" in row for row in given):
            yield from _named_tables(given)
        else:
            yield from _from_records(given, filename)
    elif isinstance(given, Mapping):
        tables = given.get("tables") if isinstance(given.get("tables"), Mapping) else given
        assert isinstance(tables, Mapping)
        if not all(isinstance(about, Mapping | str | None) for about in tables.values()):
            raise _bad(filename, "a table is described by a text or by its columns", "表应以文本或各列说明来描述")
        for name, about in tables.items():
            yield from _table(str(name), about)
    else:
        raise _bad(filename, "it names no tables", "其中没有表名")


def _from_records(given: Sequence[Mapping[str, Any]], filename: str) -> Iterator[Entry]:
    heads = list(dict.fromkeys(key for row in given for key in row))
    rows = [["" if row.get(head) is None else str(row.get(head)) for head in heads] for row in given]
    yield from _from_rows([heads, *rows], filename)


def _manifest(given: Mapping[str, Any]) -> Iterator[Entry]:
    """The relations of a dbt manifest.json."""
    sources = given.get("sources")
    for node in (*given["nodes"].values(), *(sources.values() if isinstance(sources, Mapping) else ())):
        if isinstance(node, Mapping) and node.get("resource_type") in {"model", "seed", "snapshot", "source"}:
            yield from _table(str(node.get("alias") or node.get("identifier") or node.get("name")), node)


def _named_tables(given: Any) -> Iterator[Entry]:
    for each in given if isinstance(given, list) else ():
        if not isinstance(each, Mapping):
            continue
        if isinstance(each.get("tables"), list):  # a dbt source
            yield from _named_tables(each["tables"])
        elif name := each.get("identifier") or each.get("name") or each.get("table"):
            yield from _table(str(name), each)


def _table(name: str, about: Any) -> Iterator[Entry]:
    if isinstance(about, str):
        yield Entry(name, "", _short(about))
        return
    if not isinstance(about, Mapping):
        return
    columns = about.get("columns")
    if isinstance(columns, list | Mapping):
        yield Entry(name, "", _said(about))
        pairs = columns.items() if isinstance(columns, Mapping) else ((_name(each), each) for each in columns)
    else:
        yield Entry(name, "", _short(str(about.get("") or "")))
        pairs = ((column, each) for column, each in about.items() if column != "")
    for column, each in pairs:
        if column:
            yield Entry(name, str(column), _said(each), _codes(each))


def _name(column: Any) -> str:
    return str(column.get("name") or column.get("column") or "") if isinstance(column, Mapping) else ""


def _said(about: Any) -> str:
    if isinstance(about, str):
        return _short(about)
    if isinstance(about, Mapping):
        return next((_short(str(about[key])) for key in _TEXTS if about.get(key)), "")
    return ""


def _codes(about: Any) -> Pairs:
    """What the values stand for: {1: paid}, [{value: 1, label: paid}], here or under dbt's meta."""
    if not isinstance(about, Mapping):
        return ()
    meta = about.get("meta")
    config = about.get("config")
    inner = config.get("meta") if isinstance(config, Mapping) else None
    places: list[Mapping[Any, Any]] = [place for place in (about, meta, inner) if isinstance(place, Mapping)]
    for place in places:
        for key in _CODES:
            given = place.get(key)
            if isinstance(given, Mapping):
                return tuple((str(code), word) for code, label in given.items() for word in _words(label))
            if isinstance(given, list):
                return tuple(pair for each in given for pair in _pair(each))
    return ()


def _words(label: Any) -> list[str]:
    """One label, or several words for one code."""
    given = label if isinstance(label, list) else [label]
    return [str(word).strip()[:LONGEST_WORD] for word in given if word is not None and str(word).strip()]


def _pair(given: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(given, Mapping):
        return
    code = next((given[key] for key in ("value", "code", "key") if key in given), None)
    label = next((given[key] for key in ("label", "meaning", "name", *_TEXTS) if key in given), None)
    if code is not None:
        yield from ((str(code), word) for word in _words(label))


def _short(text: str) -> str:
    return " ".join(text.split())[:LONGEST_TEXT]
