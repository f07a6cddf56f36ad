"""The conditions of a statement in its reader's words: what the rows had to fulfil, whether it was asked for or not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from inquery.agents.bilingual import Language, say
from inquery.agents.context import Context
from inquery.answers.column_words import name_of_column, name_of_figure, name_of_value
from inquery.catalog.deleted_rows import deletion_of
from inquery.catalog.time_columns import time_columns
from inquery.sql.statement import Place, Scope, Statement

MOST_VALUES = 4
NOT_DELETED = ("without deleted ones", "不含已删除的")
"""What is said of rows that are marked as deleted where they are left out."""
_MIRRORED: dict[type[exp.Expr], type[exp.Expr]] = {exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE}
_SAID: dict[type[exp.Expr], tuple[str, str]] = {
    exp.EQ: ("{} {}", "{}为{}"), exp.NEQ: ("{} not {}", "{}不为{}"), exp.GT: ("{} above {}", "{}大于{}"),
    exp.GTE: ("{} at least {}", "{}不小于{}"), exp.LT: ("{} below {}", "{}小于{}"), exp.LTE: ("{} at most {}", "{}不大于{}"),
    exp.NullSafeEQ: ("{} {}", "{}为{}"), exp.NullSafeNEQ: ("{} not {}", "{}不为{}"),
}  # fmt: skip
_DENIED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.NEQ, exp.NEQ: exp.EQ, exp.GT: exp.LTE, exp.GTE: exp.LT, exp.LT: exp.GTE, exp.LTE: exp.GT,
    exp.NullSafeEQ: exp.NullSafeNEQ, exp.NullSafeNEQ: exp.NullSafeEQ,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Teller:
    """Names of one question's database."""

    scope: Scope
    context: Context
    language: Language
    question: str

    def name(self, place: Place) -> str:
        here = self.context.here
        return name_of_column(place, here.glossary, here.seen(self.context.rules), self.language, self.question)

    def value(self, place: Place, text: str) -> str:
        here = self.context.here
        return name_of_value(place, text, here.glossary, here.seen(self.context.rules), self.language)

    def place(self, node: exp.Expr | None) -> Place | None:
        return self.scope.place(node) if isinstance(node, exp.Column) else None

    def pattern(self, kind: type[exp.Expr], one: str, other: str) -> str:
        return say(self.language, *_SAID[kind]).format(one, other)

    def _keeps_the_living(self, node: exp.Expr) -> bool:
        """Whether a condition leaves out the rows that are marked as deleted."""
        place = self.place(node.this) if isinstance(node, exp.EQ | exp.Is) else None
        marked = deletion_of(place.table) if place else None
        if place is None or marked is None or marked.column.name != place.column:
            return False
        held = node.expression
        return isinstance(held, exp.Null) if marked.alive is None else _literal_of(held) == marked.alive

    def condition(self, node: exp.Expr, *, denied: bool = False) -> str:
        """One condition; empty where it takes more than a phrase to say."""
        node = node.unnest()
        if not denied and self._keeps_the_living(node):
            return say(self.language, *NOT_DELETED)
        if isinstance(node, exp.Not):
            return self.condition(node.this, denied=not denied)
        if isinstance(node, exp.Or | exp.And):
            # Neither of two is the one not and the other not either.
            parts = [self.condition(part, denied=denied) for part in node.flatten()]
            between = say(self.language, " and ", "且") if isinstance(node, exp.And) != denied else ""
            return (between or say(self.language, " or ", "或")).join(parts) if all(parts) else ""
        if type(node) in _SAID:
            return self._compared(node, type(node), denied=denied)
        place = self.place(node.this if isinstance(node.this, exp.Expr) else None)
        if place is None:
            return ""
        name = self.name(place)
        if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
            return say(self.language, f"{name} {'not ' if denied else ''}blank", f"{name}{'不' if denied else ''}为空")
        if isinstance(node, exp.In) and node.expressions and all(isinstance(e, exp.Literal) for e in node.expressions):
            told = [self.value(place, each.name) for each in node.expressions[:MOST_VALUES]]
            listed = say(self.language, " or ", "或").join(told)
            listed += say(self.language, " …", "等") if len(node.expressions) > MOST_VALUES else ""
            return self.pattern(exp.NEQ if denied else exp.EQ, name, listed)
        if isinstance(node, exp.Like | exp.ILike) and isinstance(node.expression, exp.Literal):
            denied = denied != bool(node.args.get("negate"))  # NOT LIKE is one node, and no NOT around one
            part = node.expression.name.strip("%")
            if re.search(r"[%_]", part):
                part = node.expression.name
                return say(
                    self.language,
                    f"{name} {'not ' if denied else ''}like “{part}”",
                    f"{name}{'不' if denied else ''}符合“{part}”",
                )
            return say(
                self.language,
                f"{name} {'without' if denied else 'with'} “{part}”",
                f"{name}{'不' if denied else ''}含“{part}”",
            )
        if isinstance(node, exp.Between):
            low, high = _literal_of(node.args["low"]), _literal_of(node.args["high"])
            if low is not None and high is not None:
                return say(
                    self.language,
                    f"{name} {'not ' if denied else ''}{low} to {high}",
                    f"{name}{'不' if denied else ''}在{low}至{high}之间",
                )
        return ""

    def _compared(self, node: exp.Expr, kind: type[exp.Expr], *, denied: bool) -> str:
        one, other = node.this.unnest(), node.expression.unnest()
        if isinstance(one, exp.Literal) and not isinstance(other, exp.Literal):
            one, other, kind = other, one, _MIRRORED.get(kind, kind)
        kind = _DENIED[kind] if denied else kind
        place, beside = self.place(one), self.place(other)
        if place is not None and beside is not None:
            # What joins tables is no condition on their rows.
            joins = isinstance(node, exp.EQ) and place.table.path != beside.table.path
            return "" if joins else self.pattern(kind, self.name(place), self.name(beside))
        text = _literal_of(other)
        if text is not None and place is not None:
            return self.pattern(kind, self.name(place), self.value(place, text))
        text = self.name(beside) if text is None and beside is not None else text
        if text is None:
            return ""
        here = self.context.here
        figure = name_of_figure(one, self.scope, here.glossary, here.seen(self.context.rules), self.language)
        return self.pattern(kind, figure, text) if figure and one.find(exp.AggFunc) is not None else ""


def denied_values(statement: Statement) -> set[tuple[str, str]]:
    """Values, case-folded and by table.column, whose rows a statement leaves out and nowhere keeps.

    A comparison is turned by every NOT above it, also by one around the query that it stands in, by the far side of EXCEPT,
    and by a join of which only what found no match is kept.
    """
    found: dict[tuple[str, str], set[bool]] = {}
    for scope in statement.scopes:
        for node in scope.find(*_SAID, exp.In, exp.Like, exp.ILike):
            places = [place for column in node.find_all(exp.Column) if (place := scope.place(column))]
            own = isinstance(node, exp.NEQ | exp.NullSafeNEQ) or bool(node.args.get("negate"))
            denied = own != _is_turned(node)
            for place in places[:1]:
                for literal in node.find_all(exp.Literal):
                    key = (place.name, literal.name.strip("%").casefold())
                    found.setdefault(key, set()).add(denied)
    return {key for key, senses in found.items() if senses == {True}}


def _is_turned(node: exp.Expr) -> bool:
    """Whether an odd number of denials stand above a node, up to the outermost query."""
    turned, at = False, node
    while (above := at.parent) is not None:
        is_far = isinstance(above, exp.Except) and at is above.expression
        is_unmatched = isinstance(above, exp.Join) and _keeps_unmatched(above)
        turned = turned != (isinstance(above, exp.Not) or is_far or is_unmatched)
        at = above
    return turned


def _keeps_unmatched(join: exp.Join) -> bool:
    """Whether of a left join the rows without a match are kept: LEFT JOIN x … WHERE x.id IS NULL."""
    where = join.parent.args.get("where") if isinstance(join.parent, exp.Select) else None
    if where is None or str(join.side).upper() != "LEFT":
        return False
    missing = (test.this for test in where.find_all(exp.Is) if isinstance(test.expression, exp.Null))
    mine = (one for one in missing if isinstance(one, exp.Column) and one.table == join.alias_or_name)
    return any(not isinstance(one.parent.parent if one.parent else None, exp.Not) for one in mine)


def _literal_of(node: exp.Expr) -> str | None:
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        return f"-{node.this.name}"
    if isinstance(node, exp.Literal):
        return str(node.name)
    return None


def tell_conditions(
    statement: Statement | None,
    context: Context,
    language: Language,
    question: str,
    told: set[tuple[str, str]],
    *,
    dated: bool,
) -> list[str]:
    """What the rows had to fulfil; without the values (of table.column) in `told`, and without days where a period says them."""
    top = statement.top if statement else None
    if top is None:
        return []
    teller = _Teller(top, context, language, question)
    found = [
        text
        for node in _conditions(top)
        if not _is_told(node, top, told, dated=dated)
        if (text := teller.condition(node))
    ]
    return list(dict.fromkeys(found))


def _conditions(scope: Scope) -> Iterator[exp.Expr]:
    """What WHERE and HAVING ask, one by one."""
    for key in ("where", "having"):
        if (clause := scope.select.args.get(key)) is not None:
            whole = clause.this.unnest()
            for part in whole.flatten() if isinstance(whole, exp.And) else [whole]:
                yield from part.unnest().flatten() if isinstance(part.unnest(), exp.And) else [part]


def _is_told(node: exp.Expr, scope: Scope, told: set[tuple[str, str]], *, dated: bool) -> bool:
    places = [place for column in node.find_all(exp.Column) if (place := scope.place(column))]
    if dated and any(place.column in {each.name for each in time_columns(place.table)} for place in places):
        return node.find(exp.Literal) is not None
    values = {literal.name.casefold() for literal in node.find_all(exp.Literal)}
    return bool(values) and any(values <= {value for name, value in told if name == place.name} for place in places)


def tell_ranking(ranked_by: str, most: str, language: Language, *, descending: bool) -> str:
    """Which rows are shown of many: the first five by revenue."""
    end = say(language, "highest" if descending else "lowest", "最高" if descending else "最低")
    return say(language, f"{end} {most} by {ranked_by}", f"按{ranked_by}取{end}的{most}项")
