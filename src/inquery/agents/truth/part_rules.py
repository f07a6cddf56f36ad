"""Parts of a question that a statement loses: one of several things to show, a negation, a name, all but the rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.agents.truth.spoken_names import column_names, is_label, stems
from inquery.errors import Text
from inquery.language.parts import parts_in
from inquery.language.text import fold, has_cjk, name_stems
from inquery.sql import Table
from inquery.sql.statement import Place, Scope, Statement

_LISTED = re.compile(
    r"(?:\b(?:show|list|give|return|display|tell|find|get|report)\b|\bwhat (?:is|are)\b|[:：]|列出|显示|给出|查询|返回|以及其)"
    r"(?:\s+(?:me|us|the|their|its|each|all|of|and)\b)*\s*(.+)",
    re.I,
)
_ENDS = re.compile(
    r"\b(?:of|for|from|in|on|at|by|where|who|whose|which|that|when|with|per|sorted|ordered|order|sort|ranked|as|to|than|between|during|after|before|since)\b|[.?!;:，。？！；：（(]",
    re.I,
)
_APART = re.compile(r"\s*(?:,\s*(?:and\s+|plus\s+)?|\band\b|\bplus\b|\bas well as\b|、|和|及其|以及|与|及)\s*", re.I)
_ORDER = re.compile(
    r"\b(?:first|last|order|descending|ascending|alphabetically|each|once)$|[从由].到.|[升降倒]序|排", re.I
)
"""How a list is ordered is none of its items."""
_ASIDE = re.compile(r"^(?:including|those|then|also|only|not)\b|^(?:包括|含|不含|其中|并|只)", re.I)
_FIGURE = re.compile(
    r"^(?:number|count|amount|total|average|percentage|share|rate|sum)s?\b|数量?$|金额$|合计|比例|率$", re.I
)
"""What may be worked out of any column."""
MOST_WORDS, MOST_CHARACTERS = 4, 8
"""Of one item of a list: what is longer is a clause."""


def asked_parts(statement: Statement, claims: Claims) -> Breach | None:
    """Of what is listed to be shown, every column of the tables in hand is shown."""
    if (
        statement.top is None
        or claims.shape != "rows"
        or any(item.is_star for item in statement.top.select.expressions)
    ):
        return None
    shown = {fold(item.alias_or_name) for item in statement.top.select.expressions}
    places = {place.name for place in _shown_anywhere(statement)}
    lists = list(_lists(claims.question))
    for said in (item for items in lists for item in items):
        wanted = set() if _FIGURE.search(said) else columns_called(said, statement, claims)
        if wanted and not wanted & places and not any(stems(said) & stems(name) for name in shown):
            reason = Text(f"“{said}” was asked for, and the statement does not show it", f"需要“{said}”，语句没有显示")
            return Breach("lost_part", reason, f"show {' or '.join(sorted(wanted))}", sure=False)
    longest = max(lists, key=len, default=[])
    if len(longest) > len(statement.top.select.expressions):
        listed = ", ".join(longest)
        reason = Text(f"“{listed}” were asked for, and fewer columns are shown", f"需要“{listed}”，语句显示的列更少")
        return Breach("lost_part", reason, f"show {listed}", sure=False)
    return None


def _lists(question: str) -> Iterator[list[str]]:
    """Lists of things to show: “name, city and phone of …”, 姓名、城市和电话."""
    for found in _LISTED.finditer(question):
        listed = found[1]
        if has_cjk(listed):
            listed = listed.rpartition("的")[2] if "的" in listed else listed
        run = _ENDS.split(listed)[0]
        items = [part.strip(" '\"“”") for part in _APART.split(run)]
        items = [item for item in items if not _ORDER.search(item) and not _ASIDE.search(item)]
        items = [re.sub(r"^(?:the|their|its|each|a|an)\s+", "", item, flags=re.I) for item in items if item]
        if len(items) > 1 and all(_is_item(item) for item in items):
            yield items


def _is_item(text: str) -> bool:
    return len(text) <= MOST_CHARACTERS if has_cjk(text) else len(text.split()) <= MOST_WORDS


def columns_called(said: str, statement: Statement, claims: Claims) -> set[str]:
    """Columns of the statement's tables that are called so, word for word."""
    return _columns_of(said, [table for scope in statement.scopes for table in scope.tables.values()], claims)


def known_columns(said: str, claims: Claims) -> set[str]:
    """Columns of any table that are called so."""
    return _columns_of(said, claims.catalog.tables, claims)


def _columns_of(said: str, tables: Iterable[Table], claims: Claims) -> set[str]:
    words = fold(said)
    found = set()
    for table in tables:
        for column in table.columns:
            if column.name in _references(table, claims):
                continue  # what is called so is shown by the name behind it
            names = column_names(Place(table, column.name), claims.glossary) | _split_names(table, column.name, claims)
            if words in names or (not has_cjk(said) and set(name_stems(column.name)) == stems(said)):
                found.add(f"{table.full_name}.{column.name}")
    return found


def _split_names(table: Table, column: str, claims: Claims) -> set[str]:
    """What people call a column that they split by: 大区 of stores.region."""
    about = claims.glossary.dimensions.get(f"{table.full_name}.{column}")
    return {fold(word) for word in (about.label.en, about.label.zh, *about.synonyms) if word} if about else set()


def _references(table: Table, claims: Claims) -> set[str]:
    joins = claims.catalog.joins_of([table.path])
    return {name for join in joins if join.left == table.path for name in join.left_columns}


def _shown_anywhere(statement: Statement) -> Iterator[Place]:
    """Stored columns in what is shown, grouped by or worked out."""
    for scope in statement.scopes:
        for item in [*scope.select.expressions, *scope.grouping()]:
            for column in item.find_all(exp.Column):
                if place := scope.place(column):
                    yield place


_DENYING = (exp.Not, exp.NEQ, exp.Except, exp.Null)
_STRONG = re.compile(
    r"(?:\b(?:never|without|excluding|except(?: for)?|other than|no)|\b(?:do|does|did|have|has|had)(?: not|n['’]t))"
    r"\s+(?:(?:a|an|any|the|been|yet|have|has|having|in|on|from|ever)\s+)*$|(?:从未|没有|除了|不包括|不包含|不含|未曾)(?:被|过|在|有)?$",
    re.I,
)
"""Of bare “not” and 未 too many are said by a stored word: booked but not yet done."""
_LEFT_OUT = re.compile(r"\b(?:leave|leaving|left|skip|ignore|drop)\b|不列|不算|不计", re.I)
"""Categories without dishes left out: a join denies that."""
_TWICE = re.compile(r"^(?:duplicate|repeat)|重复", re.I)
_NOTHING = frozenset({"0", "", "false", "n", "no", "f", "否", "无"})
_DENYING_WORD = re.compile(
    r"(?:^|[\W_])(?:un|in|non|not|no|never|none|without|inactive)|^[未无非不没]|[未不没无]", re.I
)


def kept_negation(statement: Statement, claims: Claims) -> Breach | None:
    """Who never bought is found by a condition that denies something."""
    said = next((part for part in parts_in(claims.question) if part.kind == "not" and not part.number), None)
    if (
        said is None
        or _TWICE.search(said.words)
        or not _STRONG.search(claims.question[: said.start])
        or _is_value(said.start, claims)
    ):
        return None
    if statement.tree.find(*_DENYING) is not None:
        return None
    literals = statement.literals()
    if literals & _NOTHING or any(_DENYING_WORD.search(text) for text in literals) or statement.tree.find(exp.Boolean):
        return None
    if any(isinstance(node, exp.Join) and node.side for node in statement.tree.find_all(exp.Join)):
        return None
    if any(_DENYING_WORD.search(column.name) for column in statement.tree.find_all(exp.Column)):
        return None
    reason = Text(
        f"the question leaves out “{said.words}”, and the statement denies nothing",
        f"问题排除了“{said.words}”，语句中却没有否定条件",
    )
    return Breach("lost_negation", reason, f"leave out {said.words}: NOT, <> or NOT EXISTS", sure=False)


def _is_value(start: int, claims: Claims) -> bool:
    """Whether the negation is part of a stored value: not started."""
    return any(match.start <= start < match.end for match in claims.matches if match.start >= 0)


_ASKS_ALL = re.compile(
    r"\b(?:all|every|everything|details?|information|info|records?|rows?|full|entire|whole|data|entries|\*)\b"
    r"|全部|所有|信息|详情|明细|资料|记录|数据|完整|整行",
    re.I,
)


def no_whole_rows(statement: Statement, claims: Claims) -> Breach | None:
    """Whole rows are shown only where somebody asks for them."""
    top = statement.top
    if top is None or _ASKS_ALL.search(claims.question) or not any(item.is_star for item in top.select.expressions):
        return None
    if not top.tables:  # a star over a query shows what that query names
        return None
    reason = Text("whole rows are shown, and nobody asked for all columns", "显示了整行，而问题并未要求全部列")
    return Breach("whole_rows", reason, "show the columns that were asked for", sure=False)


def shown_once(statement: Statement, claims: Claims) -> Breach | None:
    """Nothing is shown twice: one of the two stands for something else that was asked for."""
    shown = [item.unalias() for item in statement.top.select.expressions] if statement.top else []
    if len({item.sql() for item in shown}) == len(shown):
        return None
    reason = Text("the same is shown twice", "同一列显示了两次")
    return Breach("shown_twice", reason, "show what was asked for in the place of one of the two", sure=False)


_ASKS_KEY = re.compile(
    r"\b(?:ids?|identifiers?|codes?|keys?|numbers?|no\.|uuids?)\b|编号|编码|代码|标识|主键|号|(?<![a-z])id(?![a-z])",
    re.I,
)


def names_for_keys(statement: Statement, claims: Claims) -> Breach | None:
    """A thing is shown by its name where it has one, not by a key alone."""
    top = statement.top
    if top is None or _ASKS_KEY.search(claims.question):
        return None
    shown = [place for column in top.plain_columns(grouped=False) if (place := top.place(column))]
    if any(is_label(place.column) and not _is_number(place) for place in shown):
        return None
    names = {place.name for place in shown}
    for place in shown:
        named = _named_by(place, claims)
        if named and named not in names:
            called = claims.called(place)
            reason = Text(f"{called.en} is shown as a key, not by its name", f"{called.zh}显示的是编号，而不是名称")
            return Breach("shown_key", reason, f"show {named}", sure=False)
    return None


def _is_number(place: Place) -> bool:
    column = place.table.column(place.column)
    return place.is_key or place.column.casefold().endswith("id") or bool(column and "INT" in column.type.upper())


def _named_by(place: Place, claims: Claims) -> str:
    """The display name of the thing that a key stands for."""
    if place.is_key and place.table.display:
        return f"{place.table.full_name}.{place.table.display[0]}"
    for join in claims.catalog.joins_of([place.table.path]):
        target = claims.catalog.by_path.get(join.right)
        if join.left == place.table.path and join.left_columns == (place.column,) and target and target.display:
            return f"{target.full_name}.{target.display[0]}"
    return ""


_COUNTS = re.compile(
    r"\bhow many\b|\bnumber of\b|\bcount of\b|多少(?:个|名|位|条|笔|人|种|家|次|单|张|台|款)|几(?:个|名|位|家|种)", re.I
)


def counted_rows(statement: Statement, claims: Claims) -> Breach | None:
    """Who asks how many is not given a list: a count, a sum, or a stored number."""
    top = statement.top
    if top is None or statement.aggregates() or statement.has_windows or not _COUNTS.search(claims.question):
        return None
    shown = [place for column in top.plain_columns(grouped=False) if (place := top.place(column))]
    if len(shown) != len(top.select.expressions) or any(_may_be_a_count(place) for place in shown):
        return None
    reason = Text("a number was asked for, and rows are listed", "需要数量，语句却列出了记录")
    return Breach("wrong_aggregate", reason, "use COUNT")


_LISTS = re.compile(
    r"^\W*(?:(?:please|can you|could you) )?(?:list|show(?: me)?(?: all| every| the| this| last))\b"
    r"|^\W*(?:请|帮我|请帮我|给我)?(?:列出|列一下|列举|逐条|罗列)",
    re.I,
)
_ASKS_NUMBER = re.compile(
    r"\b(?:numbers?|counts?|totals?|how (?:many|much)|rates?|shares?|percentage|volume)\b|多少|数量|总数|几|[数量率]\W*$|占比|比例",
    re.I,
)


def asks_for_list(question: str) -> bool:
    """Whether rows are asked for one by one, and no figure of them."""
    return bool(_LISTS.search(question)) and not _ASKS_NUMBER.search(question)


def counted_instead(statement: Statement) -> Table | None:
    """The table whose rows a statement counts and shows nothing else of."""
    top = statement.top
    if top is None or len(statement.scopes) != 1 or len(top.select.expressions) != 1 or top.select.args.get("group"):
        return None
    shown = top.select.expressions[0].unalias()
    if not isinstance(shown, exp.Count) or not isinstance(shown.this, exp.Star) or len(top.tables) != 1:
        return None
    return next(iter(top.tables.values()))


def listed_rows(statement: Statement, claims: Claims) -> Breach | None:
    """Who asks for a list is not told how long it is."""
    if not asks_for_list(claims.question) or counted_instead(statement) is None:
        return None
    reason = Text("a list was asked for, and rows are counted", "需要列出记录，语句却只给出数量")
    return Breach("wrong_aggregate", reason, "list the rows instead of counting them")


def _may_be_a_count(place: Place) -> bool:
    column = place.table.column(place.column)
    kind = column.type.upper() if column else ""
    return not (place.is_key or any(word in kind for word in ("CHAR", "TEXT", "DATE", "TIME", "BOOL")))


def key_joins(statement: Statement, claims: Claims) -> Breach | None:
    """Tables are joined by what refers from one to the other, not by two columns that happen to be alike."""
    for scope in statement.scopes:
        for left, right in _joined(scope):
            if not _is_reference(left, right, claims):
                reason = Text(
                    f"{left.name} is joined to {right.name}, and neither refers to the other",
                    f"{left.name} 与 {right.name} 关联，但两者之间没有引用关系",
                )
                return Breach("odd_join", reason, f"do not join {left.name} to {right.name}", sure=False)
    return None


def _joined(scope: Scope) -> Iterator[tuple[Place, Place]]:
    for join in scope.select.args.get("joins") or ():
        for equal in (join.args.get("on") or exp.Null()).find_all(exp.EQ):
            if isinstance(equal.left, exp.Column) and isinstance(equal.right, exp.Column):
                left, right = scope.place(equal.left), scope.place(equal.right)
                if left and right and (left.table.path, left.column) != (right.table.path, right.column):
                    yield left, right


def _is_reference(left: Place, right: Place, claims: Claims) -> bool:
    if left.table.path == right.table.path:
        return True
    if left.is_key or right.is_key:
        # A reference to genres is none to albums, though both are numbers; of what refers to nothing known anything may be.
        key, other = (left, right) if left.is_key else (right, left)
        meant = _targets(other, claims)
        return (
            not meant
            or other.is_key
            or any(target == key.table.path for target, _ in meant)
            or bool(meant & _targets(key, claims))
        )
    ends = {(left.table.path, left.column.casefold()), (right.table.path, right.column.casefold())}
    for join in claims.catalog.joins_of([left.table.path]):
        for here, there in zip(join.left_columns, join.right_columns, strict=False):
            if {(join.left, here.casefold()), (join.right, there.casefold())} == ends:
                return True
    return _refers_alike(left, right, claims)


def _refers_alike(left: Place, right: Place, claims: Claims) -> bool:
    """Whether both refer to the same thing: orders and payments of one customer."""
    return bool(_targets(left, claims) & _targets(right, claims))


def _targets(place: Place, claims: Claims) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What a column refers to."""
    return {
        (join.right, join.right_columns)
        for join in claims.catalog.joins_of([place.table.path])
        if join.left == place.table.path and place.column in join.left_columns
    }
