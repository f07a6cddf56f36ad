"""Metrics that a database suggests by itself: how many rows its tables have, and what its amounts add up to.

They are proposals: named by the words of the columns in both languages, without what the business knows of them. Rows
that are marked as deleted are left out, and the filter says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from inquery.catalog.time_columns import time_columns, time_kind
from inquery.knowledge.glossary import Both, Glossary
from inquery.language.text import has_cjk, name_words, stem, word_set
from inquery.metrics.metric_types import Metric
from inquery.metrics.spoken_labels import column_labels, spoken_name, table_labels
from inquery.sql.catalog import Catalog, Column, Table

_NUMBER = re.compile(r"int|num|dec|real|doub|float|money", re.I)
_ADDED = frozenset(
    map(
        stem,
        word_set(
            "amount total sum fee cost price paid payment revenue sales income expense premium balance budget salary wage "
            "quantity qty volume weight hours points tax profit value refund deposit loan principal interest bonus units "
            "discount turnover charge"
        ),
    )
)
_AVERAGED = frozenset(
    map(stem, word_set("rate ratio percent percentage score rating grade age price temperature speed duration level"))
)
_NOT_MEASURED = frozenset(
    map(stem, word_set("id no code key num number sort order seq index year month day status type flag"))
)
_DELETED = frozenset({"is_deleted", "deleted", "del_flag", "isdeleted", "is_delete", "delete_flag", "delflag"})
_ADDED_ZH = re.compile(r"金额|总额|费|成本|价|款|额|数量|件数|重量|积分|税|利润|奖金|工资|薪|保额|保费|收入|支出|余额")


def propose_metrics(catalog: Catalog, glossary: Glossary) -> list[Metric]:
    """Proposals in the order of the tables, for those that nobody defined a metric of.

    None where people named the dimensions too: their words are then the whole vocabulary, and a guess beside it would
    take a word that they left out on purpose.
    """
    if glossary.metrics and glossary.dimensions:
        return []
    measured = {name.casefold() for metric in glossary.metrics.values() for name in (metric.entity, *metric.tables)}
    tables = [t for t in catalog.tables if not {t.name.casefold(), t.full_name.casefold()} & measured]
    return [metric for table in tables for metric in _of_table(table, catalog, glossary)]


def _of_table(table: Table, catalog: Catalog, glossary: Glossary) -> Iterator[Metric]:
    words = table_labels(table, catalog, glossary)
    condition = _not_deleted(table)
    dated = next((each.name for each in time_columns(table) if each.recommended), None)
    time = (table.full_name, dated) if dated else None
    english = next((word for word in words if not has_cjk(word)), table.name)
    chinese = next((word for word in words if has_cjk(word)), "")
    yield Metric(
        name=f"{table.name}_count",
        label=Both(en=f"number of {english}", zh=f"{chinese}数" if chinese else ""),
        synonyms=tuple(_counting(words)),
        entity=table.full_name,
        expression="COUNT(*)",
        filter=condition,
        time=time,
        status="proposed",
    )
    amounts = [column for column in table.columns if _measure(column) == "SUM" and _is_money(column)]
    referring = {name for key in table.foreign_keys for name in key.columns}
    for column in table.columns:
        how = None if column.name in referring else _measure(column)
        if how is None:
            continue
        labels = column_labels(table, column, catalog, glossary)
        if amounts == [column]:
            # The one amount of a table is what its rows are worth.
            labels = tuple(dict.fromkeys((*labels, *_worth(words))))
        place = f"{_quoted(table.name)}.{_quoted(column.name)}"
        yield Metric(
            name=f"{'average' if how == 'AVG' else 'total'}_{table.name}_{column.name}",
            label=Both(
                en=next((word for word in labels if not has_cjk(word)), column.name),
                zh=next((word for word in labels if has_cjk(word)), ""),
            ),
            synonyms=tuple(_averaging(labels) if how == "AVG" else labels),
            entity=table.full_name,
            expression=f"{how}({place})",
            filter=condition,
            time=time,
            additivity="ratio" if how == "AVG" else "additive",
            format="money" if how == "SUM" and _is_money(column) else "number",
            status="proposed",
        )
        if how == "SUM":
            yield Metric(
                name=f"average_{table.name}_{column.name}",
                label=Both(en=f"average {spoken_name(column.name)}", zh=""),
                synonyms=tuple(_averaging(labels)),
                entity=table.full_name,
                expression=f"AVG({place})",
                filter=condition,
                time=time,
                additivity="ratio",
                format="money" if _is_money(column) else "number",
                status="proposed",
            )


def _counting(words: tuple[str, ...]) -> Iterator[str]:
    for word in words:
        if has_cjk(word):
            yield from (word, f"{word}数", f"{word}数量", f"{word}量")
        else:
            yield from (word, f"number of {word}", f"{word} count")


def _worth(words: tuple[str, ...]) -> Iterator[str]:
    for word in words:
        if has_cjk(word):
            yield from (f"{word}金额", f"{word}总额", f"{word}总金额")
        else:
            yield from (
                f"{word} amount",
                f"{word} value",
                f"amount of {word}",
                f"value of {word}",
                f"total {word} amount",
            )


def _averaging(labels: tuple[str, ...]) -> Iterator[str]:
    for word in labels:
        yield f"平均{word}" if has_cjk(word) else f"average {word}"


def _measure(column: Column) -> str | None:
    """SUM for what adds up, AVG for what does not, None for what is no measure."""
    if column.primary_key or not _NUMBER.search(column.type) or time_kind(column) or column.name.casefold() in _DELETED:
        return None
    words = [stem(word) for word in name_words(column.name)]
    if not words or words[-1] in _NOT_MEASURED:
        return None
    if words[-1] in _AVERAGED and words[-1] not in _ADDED:
        return "AVG"
    if set(words) & _ADDED or _ADDED_ZH.search(column.comment) or _ADDED_ZH.search(column.name):
        return "SUM"
    return None


def _is_money(column: Column) -> bool:
    words = {stem(word) for word in name_words(column.name)}
    counted = {stem(word) for word in ("quantity", "qty", "volume", "weight", "hours", "points", "units")}
    return not words & counted


def _not_deleted(table: Table) -> str:
    found = next((column for column in table.columns if column.name.casefold() in _DELETED), None)
    if found is None or not _NUMBER.search(found.type):
        return ""
    return f"{_quoted(table.name)}.{_quoted(found.name)} = 0"


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else f'"{name}"'
