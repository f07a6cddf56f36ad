"""What names say about keys: the entity a table stores and the entity a column refers to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from inquery.language.abbreviations import ABBREVIATIONS
from inquery.language.text import fold, has_cjk, name_words, singular, word_set
from inquery.sql import Column, Table

KEY_WORDS = frozenset(
    {"id", "ids", "no", "num", "nbr", "number", "nr", "code", "key", "uuid", "guid", "sk", "fk", "pk", "cd", "ref"}
)
GENERIC = KEY_WORDS | word_set(
    "name title type status state date time year month day value description desc comment note remark address "
    "email phone price amount quantity qty total count rank position level order sort flag gender sex age city "
    "country region created updated deleted version kind label text url image color size start end first last "
    "language 编号 代码 编码 名称 类型 状态 日期 时间 备注 描述 金额 数量 价格 地址 电话 城市 性别 年龄 序号"
)
TABLE_PREFIXES = word_set("t tb tbl tab dim fact d f v vw stg ods dwd dws ads src sys ref")
TABLE_SUFFIXES = word_set("table tbl info information master mst mstr data dim fact list record records base")
_ZH_TABLE = re.compile("(?:基本信息|信息|主|明细|记录|资料|数据)?表$|(?:基本)?信息$|资料$|档案$")
_ZH_KEY = re.compile("(?:的)?(?:编号|代码|编码|标识|主键|序号|号码|id|号)$")
UPWARD = word_set("parent superior prerequisite root 上级 父级 父")
SUPERIORS = word_set("manager supervisor boss reports mentor leader chief 主管 领导 经理")
PEOPLE = ("employee", "staff", "person", "user", "member", "员工", "职员", "人员")


@dataclass(frozen=True, slots=True)
class Reference:
    """A column that names an entity: `customer_id` refers to (customer,)."""

    entity: tuple[str, ...]
    chinese: str = ""


@lru_cache(maxsize=65536)
def refers_to(column: str) -> Reference | None:
    """The entity a key-like column names; None for columns such as id, name, total."""
    if has_cjk(column):
        entity = _ZH_KEY.sub("", fold(column))
        return Reference((), entity) if entity and entity != fold(column) else None
    words = name_words(column)
    if len(words) > 1 and words[-1] in KEY_WORDS:
        return Reference(tuple(singular(word) for word in words[:-1]))
    glued = re.fullmatch(r"([a-z]{3,})(?:id|no|code|key)", words[0]) if len(words) == 1 else None
    return Reference((singular(glued.group(1)),)) if glued else None


@lru_cache(maxsize=65536)
def entity_of(table: str, common: str = "") -> tuple[str, ...]:
    """The entity a table stores, without prefixes such as t_ and dim_; Chinese names as one word."""
    if has_cjk(table):
        return (_ZH_TABLE.sub("", fold(table)) or fold(table),)
    words = [word for word in name_words(table) if not word.isdigit()]
    while len(words) > 1 and (words[0] in TABLE_PREFIXES or words[0] == common):
        words.pop(0)
    while len(words) > 1 and words[-1] in TABLE_SUFFIXES:
        words.pop()
    return tuple(singular(word) for word in words) or (fold(table),)


def common_prefix(names: list[str]) -> str:
    """The first word that most tables of a schema share, such as crm in crm_customers; usually none."""
    firsts: dict[str, int] = {}
    for name in names:
        words = name_words(name)
        if len(words) > 1:
            firsts[words[0]] = firsts.get(words[0], 0) + 1
    best = max(firsts, key=lambda word: firsts[word], default="")
    return best if best and len(names) > 3 and firsts[best] >= 0.6 * len(names) else ""


def same_word(short: str, full: str) -> bool:
    """Whether a word is another or a usual short form of it."""
    return short == full or full in ABBREVIATIONS.get(short, "").split() or (len(short) >= 4 and full.startswith(short))


def primary_key(table: Table) -> tuple[Column, ...]:
    """The declared key, else a first column that is named like one."""
    declared = tuple(column for column in table.columns if column.primary_key)
    if declared or not table.columns:
        return declared
    first = table.columns[0]
    name = fold(first.name)
    reference = refers_to(first.name)
    own = entity_of(table.name)
    if name in {"id", "编号", "uuid"} or (
        reference and (reference.chinese == own[0] or (reference.entity and same_word(reference.entity[-1], own[-1])))
    ):
        return (first,)
    return ()


def type_family(type_name: str) -> str:
    """number, text, time or other; empty when the type is unknown."""
    name = type_name.lower()
    if not name:
        return ""
    for family, pattern in (
        ("number", r"int|serial|numeric|decimal|number|real|float|double|long|short|byte(?!a)"),
        ("text", r"char|text|string|clob|enum|uuid|guid"),
        ("time", r"date|time|year"),
    ):
        if re.search(pattern, name):
            return family
    return "other"


def joinable(left: Column, right: Column) -> bool:
    """Whether two columns can hold the same keys; unknown types may."""
    first, second = type_family(left.type), type_family(right.type)
    return not first or not second or first == second
