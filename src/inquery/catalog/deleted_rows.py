"""Which column of a table says that a row was deleted, though it is still there, and what it holds for those that were not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from inquery.catalog.key_names import type_family
from inquery.language.text import fold
from inquery.sql import Column, Table

_FLAG = re.compile(
    r"^(?:\w{1,3}_)?(?:is_?)?(?:del|dels|delete|deleted|deletion)(?:_?(?:flag|flg|status|state|mark|tag|yn|ind))?$"
    r"|^(?:flag|mark|yn)_?(?:del|deleted)$|^(?:logic_?)(?:del|deleted?)$|^(?:是否)?(?:已|逻辑)?删除(?:标志|标识|标记|状态)?$",
    re.I,
)
_WHEN = re.compile(
    r"^(?:\w{1,3}_)?(?:deleted|delete|del|removed)_?(?:at|on|time|date|datetime|ts)$|^删除(?:时间|日期)$", re.I
)
_GONE = re.compile(r"delet|remov|删除", re.I)
_STAYS = re.compile(r"\bnot\b|\bun|未|没|非|不", re.I)
_NO, _YES = ("0", "n", "f", "false", "no", "否"), ("1", "2", "y", "t", "true", "yes", "是")


@dataclass(frozen=True, slots=True)
class Deletion:
    """A column that marks deleted rows; `alive` is what it holds for all others, nothing where it is empty for them."""

    column: Column
    alive: str | None

    @property
    def is_number(self) -> bool:
        """Whether what it holds is compared as a number."""
        return type_family(self.column.type) in {"number", "flag"} and (self.alive or "").lstrip("-").isdigit()


@lru_cache(maxsize=4096)
def deletion_of(table: Table) -> Deletion | None:
    """How a table marks deleted rows, where it has any that are marked; None where it has no such column or no such row."""
    for column in table.columns:
        if column.primary_key or not column.samples:
            continue
        if _WHEN.search(column.name):
            return _by_time(column)
        if _FLAG.search(column.name) and (found := _by_flag(column)) is not None:
            return found
    return None


def is_deletion(column: Column) -> bool:
    """Whether a column says by its name that it marks deleted rows."""
    return bool(_FLAG.search(column.name) or _WHEN.search(column.name))


def _by_time(column: Column) -> Deletion | None:
    """Rows without a time of deletion; programs that know no NULL write 0 there."""
    held = {sample for sample in column.samples if sample}
    if held <= {"0"}:
        return None
    return Deletion(column, "0" if "0" in held else None)


def _by_flag(column: Column) -> Deletion | None:
    held = {fold(sample): sample for sample in column.samples}
    told = {meaning.value: " ".join(meaning.words) for meaning in column.meanings}
    gone = {fold(value) for value, words in told.items() if _GONE.search(words) and not _STAYS.search(words)}
    gone = gone or {value for value in held if value in _YES}
    alive = [sample for value, sample in held.items() if value not in gone and value in _NO]
    return Deletion(column, alive[0]) if len(alive) == 1 and gone & held.keys() else None
