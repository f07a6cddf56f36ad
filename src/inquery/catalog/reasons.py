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
    "both hold the same key": "两表含有相同的键",
}
_NAMES = re.compile(r"(?P<column>.+) names (?P<table>.+)", re.S)
_TYPES = ", though the types differ"


def reason_in(join: Join, language: str) -> str:
    """The reason of a join."""
    if language != "zh":
        return join.reason
    bare = join.reason.removesuffix(_TYPES)
    named = _NAMES.fullmatch(bare)
    said = _CHINESE.get(bare) or (f"列名 {named['column']} 指向表 {named['table']}" if named else bare)
    return said + ("，但类型不同" if bare != join.reason else "")
