"""The words of a template, in English and Chinese: what stands before the colon, and the names of options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

KINDS: dict[str, tuple[str, ...]] = {
    "value": ("value", "number", "figure", "统计", "数值", "值", "指标"),
    "table": ("table", "list", "表", "表格", "明细", "列表"),
    "chart": ("chart", "plot", "graph", "图", "图表"),
    "text": ("text", "paragraph", "analysis", "文", "文字", "说明", "分析", "段落"),
    "parameter": ("parameter", "param", "参数"),
}
BLOCKS: dict[str, tuple[str, ...]] = {
    "if": ("if", "如果", "若"),
    "each": ("each", "for each", "循环", "逐行"),
    "else": ("else", "否则"),
}
OPTIONS: dict[str, tuple[str, ...]] = {
    "period": ("period", "time", "time range", "date range", "when", "时间范围", "时间", "期间", "周期"),
    "format": ("format", "格式"),
    "decimals": ("decimals", "小数", "小数位"),
    "unit": ("unit", "单位"),
    "currency": ("currency", "币种"),
    "name": ("as", "name", "名称", "记为"),
    "type": ("type", "chart type", "类型", "图型"),
    "title": ("title", "caption", "标题"),
    "rows": ("rows", "most", "行数", "最多"),
    "empty": ("empty", "if empty", "为空时", "空值"),
    "default": ("default", "默认", "默认值"),
    "choices": ("choices", "可选", "选项"),
}
STYLES: dict[str, tuple[str, ...]] = {
    "currency": ("currency", "money", "货币", "金额"),
    "percent": ("percent", "percentage", "%", "百分比", "百分数"),
    "number": ("number", "数字"),
    "integer": ("integer", "整数"),
    "text": ("plain", "text", "文本"),
}
UNITS: dict[str, float] = {
    "": 1, "千": 1e3, "万": 1e4, "百万": 1e6, "千万": 1e7, "亿": 1e8, "k": 1e3, "thousand": 1e3, "m": 1e6,
    "million": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9,
}  # fmt: skip
TYPES: dict[str, tuple[str, ...]] = {
    "period": ("period", "time range", "时间范围", "时间", "期间"),
    "number": ("number", "数字", "数值"),
    "text": ("text", "文本", "文字"),
}


def _turned(words: Mapping[str, Iterable[str]]) -> dict[str, str]:
    return {word: name for name, several in words.items() for word in several}


_KIND, _BLOCK, _OPTION = _turned(KINDS), _turned(BLOCKS), _turned(OPTIONS)
_STYLE, _TYPE = _turned(STYLES), _turned(TYPES)


def placeholder_kind(word: str) -> str:
    """The kind of placeholder a word names, else nothing."""
    return _KIND.get(_folded(word), "")


def block_of(word: str) -> str:
    """The block a word opens or closes, else nothing."""
    return _BLOCK.get(_folded(word), "")


def option_of(word: str) -> str:
    """The option a word names; a word that is none is a filter and stays as it is."""
    return _OPTION.get(_folded(word), word.strip())


def style_of(word: str) -> str:
    """The style a word names, else nothing."""
    return _STYLE.get(_folded(word), "")


def type_of(word: str) -> str:
    """The type of a parameter a word names, else nothing."""
    return _TYPE.get(_folded(word), "")


def unit_named(word: str) -> str | None:
    """The unit a word names; 万元 is 万 of money."""
    folded = _folded(word).removesuffix("元")
    return folded if folded in UNITS and word.strip() else None


def _folded(word: str) -> str:
    return " ".join(word.split()).casefold()
