"""The words by which a question may mean a code: what it is said to stand for, usual short codes, and flags by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from inquery.language.flag_words import STATES
from inquery.language.lexicon import lexicon, stem_term
from inquery.language.text import fold, has_cjk, name_words
from inquery.sql import Catalog, Column

LESS_SURE = 0.94
"""Of a flag's score: `active` may be said of something else, a label is written down for this column."""
MOST_TRANSLATIONS = 6
SHORT_PREFIX = 3
"""Letters before a column's own word, as tables put them there: c_enabled, emp_active."""

_TRUE, _FALSE = ("1", "y", "t", "true", "yes", "是", "有"), ("0", "n", "f", "false", "no", "否", "无")
_FLAG_FIRST = frozenset({"is", "has", "was", "can", "if", "flag", "allow"})
_FLAG_VERBS = frozenset({"is", "has", "was"})
_FLAG_LAST = frozenset({"flag", "yn", "ind", "indicator", "bool", "flg", "tag"})
_FLAG_ZH = re.compile(r"^是否(?:为|是|已经?)?|^有无|(?:标志|标识|标记)$")
_NOT_ZH = ("未", "非", "不", "没有", "没")
_SAME_ZH = re.compile(r"^已经?")

# Column words, then codes with what they usually stand for. Sexes are known to `language.aliases`.
_SHORT = """
marital marriage 婚姻: S=single|unmarried|单身|未婚 M=married|已婚 D=divorced|离异|离婚 W=widowed|丧偶
priority urgency severity level 优先级 紧急程度: H=high|高 M=medium|中 L=low|低 C=critical|紧急 U=urgent|紧急
size 尺码 尺寸: S=small|小号 M=medium|中号 L=large|大号 XL=extra large|加大号
side direction 方向: B=buy|买入 S=sell|卖出 I=in|inbound|入库 O=out|outbound|出库 L=left|左 R=right|右
status state 状态: A=active|有效|启用 I=inactive|无效|停用 C=closed|cancelled|关闭 O=open|未结 P=pending|待处理 D=deleted|已删除
smoker: Y=smoker|吸烟 N=non smoker|不吸烟
"""


@dataclass(frozen=True, slots=True)
class MeantWord:
    """A word that stands for a value of a column; `flag` where it is the column's own name."""

    place: tuple[str, str]
    word: str
    value: str
    weight: float = 1.0
    flag: bool = False


def meant_words(catalog: Catalog) -> Iterator[MeantWord]:
    """Every word that stands for a code somewhere in a catalogue."""
    for table in catalog.tables:
        for column in table.columns:
            place = (table.full_name, column.name)
            for meaning in column.meanings:
                yield from (MeantWord(place, word, meaning.value) for word in meaning.words if word != meaning.value)
            if column.meanings or not column.samples:
                continue
            yield from (MeantWord(place, word, value, LESS_SURE) for word, value in _short_codes(column))
            flags = dict.fromkeys(_flag_words(column))
            yield from (MeantWord(place, word, value, LESS_SURE, flag=True) for word, value in flags)


def flag_values(column: Column) -> tuple[str, str] | None:
    """What a flag stores for yes and for no; None where the column is none."""
    found = {fold(sample): sample for sample in column.samples}
    if not found or len(column.samples) > 2 or not found.keys() <= {*_TRUE, *_FALSE}:
        return None
    for yes, no in zip(_TRUE, _FALSE, strict=True):
        if found.keys() <= {yes, no}:
            like = next(iter(found.values()))
            upper = like.isupper() and like.isalpha()
            return found.get(yes, yes.upper() if upper else yes), found.get(no, no.upper() if upper else no)
    return None


def flag_name(column: Column) -> str:
    """What a flag says when it is set: active of is_active, 默认 of 是否默认; empty where its name is no flag's."""
    if has_cjk(column.name) or has_cjk(column.comment):
        text = fold(column.name if has_cjk(column.name) else re.split(r"[\s(:：,，（;；]", column.comment.strip())[0])
        said = _FLAG_ZH.sub("", text)
        if said and said != text:
            return said
    words = name_words(column.name)
    # owner_is_company: what stands before is whom the flag is about.
    first = next((at for at, word in enumerate(words[:-1]) if word in (_FLAG_FIRST if at == 0 else _FLAG_VERBS)), None)
    if first is not None:
        return " ".join(words[first + 1 :])
    return " ".join(words[:-1]) if len(words) > 1 and words[-1] in _FLAG_LAST else ""


def state_of(column: Column) -> str:
    """The state that a flag is called by without an `is`: enabled of c_enabled, overdue of Overdue; empty where it is none.

    One word behind a short prefix at most: of `unit_paid` nobody can tell what is paid.
    """
    words = name_words(column.name)
    for name in ("".join(words), words[-1] if len(words) == 2 and len(words[0]) <= SHORT_PREFIX else ""):
        if name in STATES:
            return name
    return ""


def _flag_words(column: Column) -> Iterator[tuple[str, str]]:
    stored, name, state = flag_values(column), flag_name(column), state_of(column)
    if stored is None or not (name or state):
        return
    yes, no = stored
    words = lexicon()
    said = STATES.get(state or name, ())
    chinese = [name] if has_cjk(name) else list(words.chinese.get(stem_term(name), ()))[:MOST_TRANSLATIONS]
    english = list(words.english.get(name, ()))[:MOST_TRANSLATIONS] if has_cjk(name) else [name] if name else []
    chinese = list(dict.fromkeys([*chinese, *(word for word in said if has_cjk(word))]))
    english = list(dict.fromkeys([*english, *(word for word in said if not has_cjk(word))]))
    for word in english:
        yield word, yes
        yield from ((f"{prefix}{word}", no) for prefix in ("not ", "non ", "in", "un"))
    for word in chinese:
        bare = _SAME_ZH.sub("", word) or word
        yield from ((each, yes) for each in {word, bare, f"已{bare}"})
        yield from ((f"{prefix}{bare}", no) for prefix in _NOT_ZH)


def _read_short() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for line in _SHORT.strip().splitlines():
        names, _, rest = line.partition(":")
        pairs = re.findall(r"(\S+?)=(.+?)(?=\s\S+?=|$)", rest)
        codes = {code: tuple(words.split("|")) for code, words in pairs}
        for name in names.split():
            found[name] = codes
    return found


_CODES = _read_short()


def _short_codes(column: Column) -> Iterator[tuple[str, str]]:
    """The words of short codes, where the column's name says what they are of and all of its values are such codes."""
    words = [
        name for name in _CODES if name in fold(column.name) and (has_cjk(name) or name in name_words(column.name))
    ]
    for name in words:
        codes = _CODES[name]
        if all(sample.upper() in codes for sample in column.samples) and len(column.samples) > 1:
            for sample in column.samples:
                yield from ((word, sample) for word in codes[sample.upper()])
            return
