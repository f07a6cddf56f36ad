"""What is asked for each, how many of it, in which order, and in which language it is told."""

from __future__ import annotations

import re

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.agents.truth.part_rules import columns_called, known_columns
from inquery.agents.truth.spoken_names import is_label, shown_places, stems
from inquery.catalog.time_columns import time_kind
from inquery.errors import Text
from inquery.language.parts import parts_in
from inquery.language.text import fold, has_cjk, name_stems
from inquery.sql.statement import Ranking, Scope, Statement

_NUMBERS = dict(
    zip(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], range(1, 11), strict=True)
) | {
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
}


_NUMBERS_ZH = dict(zip("一二三四五六七八九十", range(1, 11), strict=True)) | {"两": 2}


_WORD = "\\d+|" + "|".join(_NUMBERS)


_WORD_ZH = r"\d+|[一两二三四五六七八九十]"


_TOP = re.compile(
    rf"\btop ({_WORD})\b|\b(?:show|list|find|give|which|the)(?: me)?(?: the)? ({_WORD}) (?:\w+ ){{1,4}}?(?:with|by|that|which|most|least|best|highest|lowest)\b"
    rf"|前\s*({_WORD_ZH})\s*(?:个|名|位|大|款|家|条|种)|最\w{{1,3}}的\s*({_WORD_ZH})\s*(?:个|名|位|款|家|条|种)",
    re.I,
)


_HIGH = re.compile(r"\b(highest|most|largest|biggest|greatest|top)\b|最高|最多|最大|最贵", re.I)


_LOW = re.compile(r"\b(lowest|least|fewest|smallest|cheapest)\b|最低|最少|最小|最便宜", re.I)


def asked_ranking(statement: Statement, claims: Claims) -> Breach | None:
    """So many as were asked for, from the end that was asked for."""
    top = statement.top
    if claims.shape != "rows" or top is None or (found := _TOP.search(claims.question)) is None:
        return None
    word = next(group for group in found.groups() if group).lower()
    most = int(word) if word.isdigit() else _NUMBERS.get(word) or _NUMBERS_ZH.get(word)
    if most is None:
        return None
    said = statement.ranking.most
    if said != str(most) and not statement.has_windows:
        reason = Text(
            f"{most} rows were asked for, and the statement gives {said or 'all'}",
            f"需要 {most} 行，语句返回 {said or '全部'} 行",
        )
        return Breach("wrong_limit", reason, f"LIMIT {most}")
    return _direction(top, statement.ranking, claims.question) or _labelled(found, top, claims)


def _labelled(found: re.Match[str], top: Scope, claims: Claims) -> Breach | None:
    """The ten products are told by their names or numbers, not by their brands."""
    shown = [place for column in top.plain_columns(grouped=False) if (place := top.place(column))]
    after = claims.question[found.end() :].lstrip()
    words = stems(found[0]) | stems(" ".join(after.split()[:2]))
    for table in claims.catalog.tables:
        about = claims.glossary.tables.get(table.full_name)
        named = words & set(name_stems(table.name)[-1:]) or any(
            after.startswith(w) for w in (about.synonyms if about else ())
        )
        mine = [place.column for place in shown if place.table.path == table.path]
        if named and mine and not any(is_label(name) for name in mine):
            reason = Text(
                f"{table.full_name} are asked for, and no name of theirs is shown",
                f"需要列出 {table.full_name}，却没有显示其名称",
            )
            return Breach("wrong_grouping", reason, f"show the name of {table.full_name}", sure=False)
    return None


def _direction(top: Scope, ranking: Ranking, question: str) -> Breach | None:
    high, low, order = _HIGH.search(question), _LOW.search(question), ranking.by
    if bool(high) == bool(low) or not order or _by_time(order[0], top):
        return None
    falling = bool(order[0].args.get("desc"))
    if falling == bool(high):
        return None
    said = (high or low)[0]  # type: ignore[index]
    reason = Text(f"“{said}” was asked for, and the statement ranks the other way", f"需要“{said}”，语句的排序方向相反")
    return Breach("wrong_order", reason, f"ORDER BY … {'DESC' if high else 'ASC'}")


def _by_time(ordered: exp.Expr, top: Scope) -> bool:
    """The oldest were born first: of times, the end that is meant cannot be told by the word."""
    columns = [place for column in ordered.find_all(exp.Column) if (place := top.place(column))]
    return any((known := p.table.column(p.column)) is not None and time_kind(known) is not None for p in columns)


_RANKED_BY = re.compile(
    r"\b(?:top|best|worst|most|least|first|last|ranked|ordered|sorted|out of)\b.*\b(?:by|every) $", re.I
)


_EACH = re.compile(r"\b(?:each|every|per|by)\b|[各每按]", re.I)


_UNITS = {
    "day": ("day", "date", "日", "天"),
    "week": ("week", "周", "星期"),
    "month": ("month", "月", "月份"),
    "quarter": ("quarter", "季度", "季"),
    "year": ("year", "年", "年份", "年度"),
}


_BUCKETS = {
    "day": r"%d|%j|\bday|date\(|::date|as date|日",
    "week": r"%w|%u|%v|week|yyyyww|dow|周",
    "month": r"%m|month|7\)|yyyymm|月",
    "quarter": r"quarter|%m|month|\bq\b|季",
    "year": r"%y|year|4\)|年",
}


def asked_grouping(statement: Statement, claims: Claims) -> Breach | None:
    """What is asked “by channel” is grouped by channels, where there are such, and “each month” by months."""
    if claims.shape != "rows" or not statement.aggregates() or statement.has_windows:
        return None
    return next((found for said in _grouped_by(statement, claims) if (found := _lost(said, statement, claims))), None)


def _lost(said: str, statement: Statement, claims: Claims) -> Breach | None:
    grouped = any(scope.is_grouped for scope in statement.scopes)
    if not grouped and (len(statement.scopes) > 1 or statement.tree.find(exp.Div, exp.Case)):
        return None  # the oldest of each district may be found by a query for each, and children per adult by dividing
    unit = next((unit for unit, words in _UNITS.items() if said.split()[0] in words or said in words), "")
    if unit:
        kept = re.search(_BUCKETS[unit], statement.written().casefold()) or len(_EACH.findall(claims.question)) > 1
        return None if kept else _not_grouped(said)
    wanted = columns_called(said, statement, claims)
    if not wanted:
        wanted = known_columns(said, claims)  # by region, of a statement that reads no table with one
    return _not_grouped(said) if wanted and not wanted & shown_places(statement) else None


_PER = re.compile(r"\bper $", re.I)
_KINDS = frozenset({"kind", "type", "way", "sort"})
"""By kind of insurance: what is meant follows."""


def _grouped_by(statement: Statement, claims: Claims) -> list[str]:
    """What is asked for each; not how something was paid or sent, which is a value, nor what an average is taken per."""
    averaged = statement.tree.find(exp.Avg, exp.Div) is not None
    return [
        fold(part.words)
        for part in parts_in(claims.question)
        if part.kind == "by"
        and part.words.lower() not in _KINDS
        and not (averaged and _PER.search(claims.question[: part.start]))
        and not any(match.start < part.end and part.start < match.end for match in claims.matches)
        and not _RANKED_BY.search(claims.question[: part.start])
    ]


def _not_grouped(said: str) -> Breach:
    reason = Text(
        f"“{said}” was asked for each, and the statement does not group by it", f"需要按“{said}”分组，语句没有这样做"
    )
    return Breach("wrong_grouping", reason, f"GROUP BY {said}", sure=False)


def same_language(statement: Statement, claims: Claims) -> Breach | None:
    """A Chinese question is not answered with the column of English names where there is one of Chinese ones."""
    wanted, other = ("zh", "en") if has_cjk(claims.question) else ("en", "zh")
    if has_cjk(claims.question) and re.search(r"[a-z]{3}", claims.question):
        return None
    shown = shown_places(statement)
    for name in shown:
        stored, _, ending = name.rpartition("_")
        twin = f"{stored}_{wanted}"
        if (
            ending == other
            and twin not in shown
            and twin in {f"{t.full_name}.{c.name}" for t in claims.catalog.tables for c in t.columns}
        ):
            reason = Text(
                "names are shown in another language than the question's, though they are stored in both",
                "名称用的不是问题的语言，而两种语言的名称都有",
            )
            return Breach("wrong_language", reason, f"show {twin}", sure=False)
    return None
