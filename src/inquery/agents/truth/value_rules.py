"""Values: those that the question names are filtered by, and no others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.agents.truth.spoken_names import brief, column_names, shown_places, stems
from inquery.catalog.meant_words import flag_values
from inquery.catalog.value_index import ValueMatch
from inquery.errors import Text
from inquery.knowledge.glossary import Glossary
from inquery.language.text import fold, has_cjk, name_words, stem
from inquery.sql.statement import Filter, Place, Scope, Statement

SURE, SURE_ZH = 0.9, 0.95
"""Of a value's score: a phrase that is nearly certainly this value; parts of Chinese words score high by chance."""


def named_values(statement: Statement, claims: Claims) -> Breach | None:
    """A stored value that the question names is filtered by, or is one of those that are listed."""
    said = {each.strip("%") for each in statement.literals()}
    shown = shown_places(statement)
    for phrase in dict.fromkeys(
        m.phrase for m in claims.matches if m.score >= (SURE_ZH if has_cjk(m.phrase) else SURE)
    ):
        found = [match for match in claims.matches if match.phrase == phrase]
        if _is_name(phrase, statement, claims) or any(f"{match.table}.{match.column}" in shown for match in found):
            continue
        values = {match.value.casefold() for match in found}
        if any(value in each or (len(each) > 1 and each in value) for value in values for each in said):
            continue
        places = ", ".join(dict.fromkeys(f"{m.table}.{m.column} = '{m.value}'" for m in found))
        reason = Text(
            f"the question names “{phrase}”, and the statement does not filter by it",
            f"问题提到“{phrase}”，但语句没有按它筛选",
        )
        return Breach("missing_filter", reason, f"filter by {places}", sure=False)
    return None


MARKED = 0.8
"""Of the score of a word that says what a flag marks."""


def marked_as_said(statement: Statement, claims: Claims) -> Breach | None:
    """Where the question says what a flag of a table that is read marks, the flag is looked at."""
    read = {table.full_name: table for scope in statement.scopes for table in scope.tables.values()}
    used, literals = statement.places(), " ".join(statement.literals()).casefold()
    for match in claims.matches:
        table = read.get(match.table)
        column = table.column(match.column) if table else None
        # 是 is what a flag holds, and a word of most questions.
        if column is None or flag_values(column) is None or match.score < MARKED or len(match.phrase) == 1:
            continue
        same = [each for each in claims.matches if each.phrase == match.phrase]
        if any(f"{each.table}.{each.column}" in used for each in same) or match.phrase.casefold() in literals:
            continue
        if _is_name(match.phrase, statement, claims):
            continue
        reason = Text(
            f"the question says “{match.phrase}”, and the statement does not look at what is marked so",
            f"问题说的是“{match.phrase}”，语句却没有看相应的标记",
        )
        return Breach("missing_filter", reason, f"filter by {match.table}.{match.column} = '{match.value}'", sure=False)
    return None


_SAID_ASIDE = re.compile(
    r"\b(?:not|non|no|never|without|except|excluding|other than|share|percent\w*|proportion|ratio|rate|vs|versus|compared?|or|counts? as|counted as|called)\b|n't\b"
    r"|除|非|不|没|未|无|占|比例|比率|率|相比|对比|还是|或|算作|计入|视为|归为|称为",
    re.I,
)
"""Questions in which a value that is named need be no condition on all rows."""
SHORTEST, SHORTEST_ZH = 5, 3
"""Letters, or characters, of a value that is no word of another meaning."""


def value_left_out(statement: Statement, claims: Claims) -> Breach | None:
    """A stored value that the question says letter for letter is a condition, where one column of the tables in hand holds it."""
    for match in dropped_values(statement, claims):
        reason = Text(
            f"the question names “{match.phrase}”, and the statement does not filter by it",
            f"问题提到“{match.phrase}”，但语句没有按它筛选",
        )
        return Breach("missing_filter", reason, f"filter by {match.table}.{match.column} = '{match.value}'")
    return None


def dropped_values(statement: Statement, claims: Claims) -> list[ValueMatch]:
    """The values that a statement of one block leaves out for certain, with the one column that holds each."""
    if len(statement.scopes) != 1 or not isinstance(statement.tree, exp.Select) or _SAID_ASIDE.search(claims.question):
        return []
    scope, shown = statement.scopes[0], shown_places(statement)
    read = {table.full_name for table in scope.tables.values()}
    if len(read) != len(scope.tables) or any(item.is_star for item in scope.select.expressions):
        return []
    said = statement.literals()
    narrowed = {each.place.name for each in statement.filters() if each.place}
    found = []
    for match in claims.matches:
        homes = {(m.table, m.column) for m in claims.matches if m.phrase == match.phrase}
        place = f"{match.table}.{match.column}"
        least = SHORTEST_ZH if has_cjk(match.phrase) else SHORTEST
        if (
            len(homes) == 1
            and match.table in read
            and fold(match.phrase) == fold(match.value)
            and len(match.phrase) >= least
            and place not in shown | narrowed
            and not any(fold(match.value) in fold(each) for each in said)
            and not _is_within_another(match, claims)
            and not _is_name(match.phrase, statement, claims)
        ):
            found.append(match)
    return found if len({(each.table, each.column) for each in found}) == len(found) else []


_THE_REST = re.compile(
    r"\b(?:others?|rest|remaining|all|every|each|any|else|overall|total|per)\b|其他|其它|其余|所有|全部|各|每|整体|总体",
    re.I,
)


_LISTED = re.compile(
    r"(?:\s*\w*)?\s*(?:[,，、/&]|\b(?:and|or|versus|against|with|to|than)\b|\bvs\b\.?|[和与跟及或比、]|还是|以及|对比)\s*(?:(?:the|in|on|of|those|in the|on the|of the|在|and)\s*)*",
    re.I,
)
"""What stands between two members that are named in one breath."""


@dataclass(frozen=True, slots=True)
class Members:
    """Values of one column that the question names, by their phrases."""

    table: str
    column: str
    values: dict[str, str]

    @property
    def name(self) -> str:
        return f"{self.table}.{self.column}"


def members_named(statement: Statement, claims: Claims) -> Breach | None:
    """Of two members that the question names none is left out, no third stands beside them, and they are told apart."""
    for named in named_members(statement, claims):
        listed = " / ".join(named.values)
        advice = f"filter {named.name} by {', '.join(repr(each) for each in named.values.values())}"
        if missing := left_out(named, statement):
            reason = Text(
                f"the question names {listed}, and the statement leaves out “{missing[0]}”",
                f"问题提到 {listed}，语句却漏掉了“{missing[0]}”",
            )
            return Breach("missing_filter", reason, advice)
        if shows_others(named, statement, claims):
            reason = Text(
                f"the question names {listed}, and the statement shows others beside them",
                f"问题只提到 {listed}，语句却还显示了其他的",
            )
            return Breach("missing_filter", reason, advice)
        if shows_together(named, statement, claims):
            reason = Text(
                f"the question holds {listed} against each other, and the statement adds them up",
                f"问题要比较 {listed}，语句却把它们合在了一起",
            )
            return Breach("missing_group", reason, f"group by {named.name}")
    return _half_meant(statement, claims)


_APART = re.compile(
    r"\b(?:vs\b|versus|compared?|comparing|comparison|against|respectively|side by side|which (?:of|one)|(?:of|for|about) both"
    r"|(?:for|of|in) each(?=\s*(?:[.?!,;]|$|of\b)))"
    r"|\bor\b.*\b(?:more|less|fewer|most|least|higher|lower|better|worse|bigger|larger|smaller|cheaper)\b(?! than)"
    r"|\b(?:more|less|fewer|higher|lower|better|worse|bigger|larger|smaller)\b(?! than).*\bor\b|\beach\s*[.?!]*$"
    r"|对比|相比|比较|[各分]别|各(?=是|有|多少|几|自)|哪个|哪家|谁|还是|孰",
    re.I,
)
"""What says that members which are named in one breath are told one by one."""


def shows_together(named: Members, statement: Statement, claims: Claims) -> bool:
    """Whether members that the question holds against each other are one figure: summed up over both."""
    if not _APART.search(claims.question) or len(statement.scopes) != 1 or not _is_filtered(named, statement):
        return False
    select = statement.scopes[0].select
    values = {value.casefold() for value in named.values.values()}
    figures = list(select.find_all(exp.AggFunc))
    apart = (
        select.args.get("group") or select.find(exp.Case, exp.If, exp.Window) or named.name in shown_places(statement)
    )
    return bool(figures) and not apart and values <= set(statement.literals())


def left_out(named: Members, statement: Statement) -> list[str]:
    """The phrases of members whose values a statement does not take, though it takes another of their column."""
    missing = [phrase for phrase, value in named.values.items() if value.casefold() not in statement.literals()]
    taken = len(missing) < len(named.values)
    return missing if taken and _is_filtered(named, statement) else []


def _half_meant(statement: Statement, claims: Claims) -> Breach | None:
    """A word that people gave to several values means all of them: online is web and app."""
    for match in claims.matches:
        place = f"{match.table}.{match.column}"
        given = claims.glossary.values.get(place, {})
        values = [value for value, words in given.items() if fold(match.phrase) in {fold(word) for word in words}]
        named = Members(match.table, match.column, {value: value for value in values})
        missing = [value for value in values if value.casefold() not in statement.literals()]
        if 0 < len(missing) < len(values) and _is_filtered(named, statement):
            reason = Text(
                f"“{match.phrase}” is {', '.join(values)}, and the statement leaves out '{missing[0]}'",
                f"“{match.phrase}”包括 {'、'.join(values)}，语句却漏掉了“{missing[0]}”",
            )
            return Breach("missing_filter", reason, f"filter {place} by {', '.join(map(repr, values))}")
    return None


def named_members(statement: Statement, claims: Claims) -> list[Members]:
    """Columns of which the question surely names several values, each by a word of its own."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    last: dict[tuple[str, str], int] = {}
    for match in sorted(claims.matches, key=lambda each: each.start):
        sure = match.score >= (SURE_ZH if has_cjk(match.phrase) else SURE)
        place = (match.table, match.column)
        if not sure or _is_name(match.phrase, statement, claims) or _is_within_another(match, claims):
            continue
        if place in last and not _LISTED.fullmatch(claims.question[last[place] : match.start]):
            continue  # the registered of `gold or platinum partners registered` is no third of them
        found.setdefault(place, {}).setdefault(match.phrase, match.value)
        last[place] = match.end
    return [
        Members(*place, values)
        for place, values in found.items()
        if len(set(values.values())) == len(values) > 1  # one phrase for two values names neither
        and not any(
            m.phrase in values and (m.table, m.column) == place and values[m.phrase] != m.value for m in claims.matches
        )
    ]


def _is_within_another(match: ValueMatch, claims: Claims) -> bool:
    return any(match.phrase != m.phrase and match.phrase in m.phrase for m in claims.matches)


def _is_filtered(named: Members, statement: Statement) -> bool:
    """Whether the column is narrowed, and not merely told apart in a CASE, nor by what it is not."""
    where = [each for scope in statement.scopes for each in (scope.select.args.get("where"),) if each is not None]
    narrowed = {str(node.this).casefold() for each in where for node in each.find_all(exp.Literal)}
    return any(
        each.place is not None and each.place.name == named.name and not each.negated and each.operator in {"EQ", "In"}
        and each.literal.casefold() in narrowed
        for each in statement.filters()
    )  # fmt: skip


def shows_others(named: Members, statement: Statement, claims: Claims) -> bool:
    """Whether a statement lists every value of the column, of which there are more than the question names."""
    stored = claims.stored(named.table, named.column) if claims.stored else ()
    spoken = {fold(value) for value in stored if _says(fold(value), fold(claims.question))}
    known = spoken | {fold(value) for value in named.values.values()}
    if not {fold(value) for value in stored} - known or named.name not in shown_places(statement):
        return False
    cut = statement.ranking.most or statement.has_windows or _THE_REST.search(claims.question)
    return not cut and not any(each.place and each.place.name == named.name for each in statement.filters())


def _says(value: str, question: str) -> bool:
    return value in question if has_cjk(value) else re.search(rf"\b{re.escape(value)}\b", question) is not None


def values_in_place(statement: Statement, claims: Claims) -> Breach | None:
    """A value that the question names is looked for in a column that holds it."""
    for each in statement.filters():
        found = [m for m in claims.matches if m.value.casefold() == each.literal.casefold()]
        if each.place is None or each.operator not in {"EQ", "In"} or not found:
            continue
        here = {m.column for m in found if m.table == each.place.table.full_name}
        if here and each.place.column not in here:
            called = claims.called(each.place)
            reason = Text(f"{called.en} holds no “{each.literal}”", f"{called.zh}中没有“{each.literal}”")
            return Breach("missing_filter", reason, f"filter {', '.join(sorted(here))}", sure=False)
    return None


def no_other_value(statement: Statement, claims: Claims) -> Breach | None:
    """Of a column whose value the question names, no other value is asked for in its place."""
    question, near = fold(claims.question), {fold(each) for each in claims.given}
    filters = [each for each in statement.filters() if each.place and each.is_text and each.operator in {"EQ", "In"}]
    for match in claims.matches:
        if match.score < (SURE_ZH if has_cjk(match.phrase) else SURE):
            continue
        beside = [f for f in filters if f.place and f.place.name == f"{match.table}.{match.column}" and not f.negated]
        values = {fold(m.value) for m in claims.matches if m.phrase == match.phrase}
        taken = {fold(each.literal) for each in beside}
        if (
            taken
            and not taken & (values | near)
            and not any(each in question or _near(each, question) for each in taken)
        ):
            other = sorted(taken)[0]
            reason = Text(
                f"the question names “{match.phrase}”, and the statement filters by '{other}' instead",
                f"问题提到“{match.phrase}”，语句却按“{other}”筛选",
            )
            return Breach("other_value", reason, f"filter {match.table}.{match.column} = '{match.value}'", sure=False)
    return None


def _is_name(phrase: str, statement: Statement, claims: Claims) -> bool:
    """Whether a phrase names a measure or a time, or a table or column that the statement reads, and so no value."""
    if _in_period(phrase, claims) or any(fold(phrase) in fold(word) for word, _ in claims.metrics):
        return True
    used = {fold(brief(name)) for scope in statement.scopes for name in _spoken_names(scope, claims.glossary)}
    return (
        any(fold(phrase) in name for name in used)
        if has_cjk(phrase)
        else bool(stems(phrase) & {s for name in used for s in stems(name)})
    )


def _spoken_names(scope: Scope, glossary: Glossary) -> Iterator[str]:
    """What the tables and columns of a SELECT are called."""
    for table in scope.tables.values():
        about = glossary.tables.get(table.full_name)
        yield from (" ".join(name_words(table.name)), table.comment, *(about.synonyms if about else ()))
        yield about.description.zh if about else ""
    for column in scope.columns():
        if place := scope.place(column):
            yield from column_names(place, glossary)


def _in_period(phrase: str, claims: Claims) -> bool:
    return any(phrase.casefold() in period["text"].casefold() for period in claims.periods)


def nothing_unasked(statement: Statement, claims: Claims) -> Breach | None:
    """A text that is filtered by is in the question, a value of its words, or part of a definition."""
    for each in unasked_filters(statement, claims):
        reason = Text(
            f"it is limited to “{each.literal}”, which nobody asked for",
            f"按“{each.literal}”做了筛选，而问题中没有提到",
        )
        return Breach("unasked_filter", reason, f"do not filter by '{each.literal}'", sure=False)
    return None


def unasked_filters(statement: Statement, claims: Claims) -> Iterator[Filter]:
    """Conditions on texts that neither the question nor a definition speaks of."""
    question = fold(claims.question)
    lines = fold(
        " ".join(
            [*claims.glossary.relevant(claims.question).values(), *(m.filter for m in claims.glossary.metrics.values())]
        )
    )
    known = {fold(match.value) for match in claims.matches} | {fold(each) for each in claims.given}
    for each in statement.filters():
        said = fold(each.literal).strip("%").strip()
        if not each.is_text or each.place is None or not said or _is_date(said) or re.fullmatch(r"[\d.:\-/ %]+", said):
            continue
        if said in known or said in question or f"'{said}'" in lines or _near(said, question):
            continue
        if not _mapped(each.place, each.literal, claims):
            yield each


def _near(said: str, question: str) -> bool:
    """Whether most words of a value are said, in any form."""
    words = [stem(word) for word in re.findall(r"[a-z0-9]+", said)]
    spoken = stems(question)
    short = {word[:4] for word in spoken if len(word) >= 4}
    return bool(words) and sum(w in spoken or w[:4] in short for w in words) * 2 > len(words)


def _mapped(place: Place, literal: str, claims: Claims) -> bool:
    phrases = claims.glossary.values.get(place.name, {}).get(literal, ())
    return any(fold(phrase) in fold(claims.question) for phrase in phrases)


def _is_date(text: str) -> bool:
    return text == "now" or re.match(r"^\d{4}(-\d{2})?", text) is not None
