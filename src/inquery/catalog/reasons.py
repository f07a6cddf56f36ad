"""Why a join is believed, in the user's language; the catalogue itself keeps the English."""

from __future__ import annotations

import re

from inquery.sql import Join

_CHINESE = {
    "declared foreign key": "已声明的外键",
    "stated in the glossary": "术语表中指定",
    "a column that points upward in its own table": "指向本表上级的列",
    "a superior in the same table": "同一张表中的上级",
    "a superior is one of the people": "上级属于人员表",
    "same name as the key of the other table": "与另一张表的主键同名",
    "named as the other table": "列名与另一张表同名",
    "shares the key of the other table": "与另一张表共用主键",
    "holds the whole key of the other table": "包含另一张表的全部主键列",
    "same name as an identifier of the other table": "与另一张表的标识列同名",
    "who did it is one of the people": "经办人属于人员表",
    "who did it is one of the users": "经办人属于用户表",
    "columns of this name refer there elsewhere": "其他表中的同名列指向该表",
    "its values are keys of the other table": "取值均为另一张表的键",
}
_NAMES = re.compile(r"(?P<column>.+) names (?P<table>.+)", re.S)
_ENDS = re.compile(r"(?P<column>.+) ends with the key of (?P<table>.+)", re.S)
_SAYS = re.compile(r"(?P<column>.+) says which table is meant", re.S)
_TYPES = ", though the types differ"


def reason_in(join: Join, language: str) -> str:
    """The reason of a join, with what data says of it."""
    return " · ".join(filter(None, (_reason(join, language), evidence_in(join, language))))


def evidence_in(join: Join, language: str) -> str:
    """How many of the sampled values were found; empty where none were looked for."""
    if not join.sampled:
        return ""
    share = f"{join.found / join.sampled:.0%}"
    if language == "zh":
        return f"抽样 {join.sampled:,} 个取值，找到 {share}"
    return f"{share} of {join.sampled:,} sampled values found"


def _reason(join: Join, language: str) -> str:
    if language != "zh":
        return join.reason
    bare = join.reason.removesuffix(_TYPES)
    said = _CHINESE.get(bare) or _pattern_in_chinese(bare)
    return said + ("，但类型不同" if bare != join.reason else "")


def _pattern_in_chinese(reason: str) -> str:
    if named := _NAMES.fullmatch(reason):
        return f"列名 {named['column']} 指向表 {named['table']}"
    if ends := _ENDS.fullmatch(reason):
        return f"列名 {ends['column']} 以表 {ends['table']} 的主键名结尾"
    if says := _SAYS.fullmatch(reason):
        return f"由列 {says['column']} 指明所指的表"
    return reason
