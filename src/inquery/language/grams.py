"""The terms of a text for lexical search and hashed vectors: English stems, Chinese pairs of characters."""

from __future__ import annotations

import re

from inquery.language.text import fold, stem

_PIECES = re.compile(r"[a-z][a-z']*|\d+(?:\.\d+)?|[一-鿿㐀-䶿]+|[^\W\d_a-z一-鿿㐀-䶿]+")
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "from",
        "by",
        "with",
        "and",
        "or",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "do",
        "does",
        "did",
        "me",
        "my",
        "i",
        "we",
        "our",
        "you",
        "your",
        "it",
        "its",
        "that",
        "this",
        "these",
        "those",
        "there",
        "what",
        "which",
        "who",
        "whom",
        "show",
        "list",
        "give",
        "get",
        "find",
        "tell",
        "please",
        "can",
        "could",
        "would",
        "have",
        "has",
        "had",
        "as",
        "per",
        "than",
        "then",
        "s",
    ]
)
_STOP_ZH = frozenset(
    [
        "的",
        "了",
        "吗",
        "呢",
        "是",
        "有",
        "在",
        "和",
        "与",
        "及",
        "请",
        "我",
        "你",
        "给",
        "一下",
        "哪些",
        "什么",
        "查询",
        "列出",
        "显示",
        "看看",
    ]
)


def terms_of(text: str) -> list[str]:
    """Words that tell texts apart, in order; a Chinese run gives its characters' pairs."""
    found: list[str] = []
    for piece in _PIECES.findall(fold(text)):
        if "\u3400" <= piece[0] <= "\u9fff":
            found += pairs(piece)
        elif piece not in _STOP:
            found.append(stem(piece.strip("'")))
    return [term for term in found if term]


def pairs(run: str) -> list[str]:
    """Neighbouring characters of a Chinese run; a lone character stands for itself."""
    for word in _STOP_ZH:
        run = run.replace(word, " ") if len(word) > 1 else run
    parts = [part for part in re.split(r"[\s的了吗呢请]+", run) if part]
    return [
        term
        for part in parts
        for term in ([part] if len(part) == 1 else [part[i : i + 2] for i in range(len(part) - 1)])
    ]
