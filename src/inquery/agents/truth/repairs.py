"""Breaches that code mends for certain: a period or members that were left out, rows that were counted and not listed,
and what a join repeats, counted or added up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sqlglot import exp

from inquery.agents.truth.age_rules import turn_ends
from inquery.agents.truth.claims import Breach, Claims
from inquery.agents.truth.denied_values import deny_values
from inquery.agents.truth.end_rules import show_both_ends
from inquery.agents.truth.flag_rules import rows_marked
from inquery.agents.truth.measure_rules import (
    AMOUNT,
    amount_counted,
    conditions_of,
    counted_table,
    holder_key,
    shares_within,
)
from inquery.agents.truth.member_rules import link_members
from inquery.agents.truth.part_rules import counted_instead
from inquery.agents.truth.reference_rules import follow_meant
from inquery.agents.truth.tax_rules import WITHOUT, is_no_tax, side_asked, tax_sides
from inquery.agents.truth.value_rules import dropped_values, left_out, named_members, shows_others, shows_together
from inquery.catalog.time_columns import time_columns
from inquery.language.dates import OPEN_END, OPEN_START
from inquery.sql import Table
from inquery.sql.statement import Scope, Statement, read_statement
from inquery.sql.stored_dates import stored_date

NUMERIC = re.compile(r"int|num|dec|bit|doub|float|real|bool", re.I)
DATED = frozenset({"date", "datetime"})
"""Kinds of time columns that compare with days as they are written."""


def mend_breaches(statement: Statement, broken: Sequence[Breach], claims: Claims) -> str:
    """The statement with what is certain put right; as it was where nothing is."""
    codes = {each.rule for each in broken if each.sure}
    tree = statement.tree.copy()
    if "linked_members" in codes:
        return tree.sql(dialect=claims.catalog.dialect) if link_members(tree, statement, claims) else statement.text
    if "meant_reference" in codes:
        return tree.sql(dialect=claims.catalog.dialect) if follow_meant(tree, statement, claims) else statement.text
    if "age_by_birth" in codes:
        return tree.sql(dialect=claims.catalog.dialect) if turn_ends(tree, claims.question) else statement.text
    if len(statement.scopes) != 1 or not isinstance(statement.tree, exp.Select):
        return statement.text
    mended = [
        "named_period" in codes and _with_period(tree, statement.scopes[0], claims),
        "counted_once" in codes and _counting_once(tree, statement.scopes[0], claims),
        "holders_counted" in codes and _counting_holders(tree, statement, claims),
        "added_once" in codes and _counting_keys_once(tree, statement.scopes[0]),
        "added_once" in codes and _adding_lines(tree, statement.scopes[0]),
        "share_of_whole" in codes and _sharing_of_all(tree),
        "money_added" in codes and _adding_money(tree, statement),
        "members_named" in codes and _with_members(tree, statement, claims),
        "value_left_out" in codes and _with_values(tree, statement, claims),
        "marked_rows" in codes and _with_marks(tree, statement, claims),
        "denied_value" in codes and deny_values(tree, statement, claims),
        "listed_rows" in codes and _listing(tree, statement),
        "both_ends" in codes and show_both_ends(tree, statement, claims),
        "tax_as_asked" in codes and _on_the_side_asked(tree, statement, claims),
    ]
    return tree.sql(dialect=claims.catalog.dialect) if any(mended) else statement.text


def _with_period(tree: exp.Expr, scope: Scope, claims: Claims) -> bool:
    """Put the one period on the one time column there is; a statement that has any date already says something else."""
    columns = list(_time_columns(scope))
    sided = any(join.side for join in tree.args.get("joins") or ())
    if (
        len(claims.periods) != 1
        or len(columns) != 1
        or not columns[0][1]
        or sided
        or not isinstance(tree, exp.Select)
        or _has_dates(scope)
    ):
        return False
    source, column = columns[0]
    place = exp.column(exp.to_identifier(column, quoted=True), table=_written(tree, source))
    start, end = claims.periods[0]["start"], claims.periods[0]["end"]
    known = scope.tables[source].column(column)
    stored = stored_date(known) if known else None
    first, after = (
        (_literal(stored.border(start)), _literal(stored.after(end))) if stored else (_literal(start), _literal(end))
    )
    low = [exp.GTE(this=place, expression=first)] if start != OPEN_START.isoformat() else []
    high = [exp.LT(this=place.copy(), expression=after)] if end != OPEN_END.isoformat() else []
    tree.where(*low, *high, copy=False)
    return True


def _literal(value: int | str) -> exp.Expr:
    return exp.Literal.string(value) if isinstance(value, str) else exp.Literal.number(value)


def _with_members(tree: exp.Expr, statement: Statement, claims: Claims) -> bool:
    """Keep the members that the question names, and those alone; where it holds them against each other, one by one."""
    found = [
        each
        for each in named_members(statement, claims)
        if left_out(each, statement) or shows_others(each, statement, claims) or shows_together(each, statement, claims)
    ]
    scope = statement.scopes[0]
    sources = [name for name, table in scope.tables.items() if found and table.full_name == found[0].table]
    if len(found) != 1 or len(sources) != 1 or not isinstance(tree, exp.Select):
        return False
    named = found[0]
    place = exp.column(exp.to_identifier(named.column, quoted=True), table=_written(tree, sources[0]))
    values = [exp.Literal.string(value) for value in named.values.values()]
    among = exp.In(this=place, expressions=values)
    if shows_others(named, statement, claims):
        tree.where(among, copy=False)
        return True
    if left_out(named, statement):
        own = {value.casefold() for value in named.values.values()}
        narrowed = [
            node
            for node in tree.args["where"].find_all(exp.EQ, exp.In)
            if own & {str(each.this).casefold() for each in node.find_all(exp.Literal)}
            and any(each.name.casefold() == named.column.casefold() for each in node.find_all(exp.Column))
        ]
        if len(narrowed) != 1:
            return False
        narrowed[0].replace(among)
        statement = read_statement(tree.sql(dialect=claims.catalog.dialect), claims.catalog) or statement
    if shows_together(named, statement, claims):
        tree.select(place.copy(), append=True, copy=False)
        tree.set("expressions", [tree.expressions[-1], *tree.expressions[:-1]])
        tree.group_by(place.copy(), copy=False)
    return True


def _with_values(tree: exp.Expr, statement: Statement, claims: Claims) -> bool:
    """Keep the rows with the values that the question names."""
    scope = statement.scopes[0]
    found = dropped_values(statement, claims)
    if not isinstance(tree, exp.Select):
        return False
    for each in found:
        source = next(name for name, table in scope.tables.items() if table.full_name == each.table)
        place = exp.column(exp.to_identifier(each.column, quoted=True), table=_written(tree, source))
        tree.where(exp.EQ(this=place, expression=exp.Literal.string(each.value)), copy=False)
    return bool(found)


def _with_marks(tree: exp.Expr, statement: Statement, claims: Claims) -> bool:
    """Keep the rows that are marked as the question says."""
    scope = statement.scopes[0]
    found = rows_marked(statement, claims)
    if not isinstance(tree, exp.Select):
        return False
    for each in found:
        source, table = next((name, table) for name, table in scope.tables.items() if table.full_name == each.table)
        place = exp.column(exp.to_identifier(each.column, quoted=True), table=_written(tree, source))
        about = table.column(each.column)
        value = _constant(each.value, about.type if about else "", claims.catalog.dialect)
        tree.where(exp.EQ(this=place, expression=value), copy=False)
    return bool(found)


def _constant(value: str, kind: str, dialect: str) -> exp.Expr:
    """A flag's value as its column compares: SQLite keeps what it calls boolean as numbers or text."""
    if "BOOL" in kind.upper() and dialect != "sqlite":
        return exp.Boolean(this=value.casefold() in {"1", "t", "true", "y", "yes"})
    is_number = value.isdigit() and NUMERIC.search(kind) is not None
    return exp.Literal.number(value) if is_number else exp.Literal.string(value)


def _listing(tree: exp.Expr, statement: Statement) -> bool:
    """Show the rows that were counted, by their key: what people know them by is put beside it later."""
    counted = counted_instead(statement)
    keys = [column.name for column in counted.columns if column.primary_key] if counted else []
    if not keys or not isinstance(tree, exp.Select):
        return False
    tree.set("expressions", [exp.column(exp.to_identifier(key, quoted=True)) for key in keys])
    return True


def _time_columns(scope: Scope) -> Iterator[tuple[str, str]]:
    """Every column of the tables in hand that says when; only those that compare with days count as one to use."""
    for name, table in scope.tables.items():
        for found in time_columns(table):
            yield name, found.name if found.kind in DATED and found.recommended else ""


def _has_dates(scope: Scope) -> bool:
    times = {(name, column.name) for name, table in scope.tables.items() for column in time_columns(table)}
    return any(each.place and any(each.place.column == column for _, column in times) for each in scope.filters())


def _counting_once(tree: exp.Expr, scope: Scope, claims: Claims) -> bool:
    """Count the keys of what was asked for, not the rows of what is joined to it."""
    named = counted_table(claims)
    keys = [column.name for column in named.columns if column.primary_key] if named else []
    source = next((name for name, table in scope.tables.items() if named and table.path == named.path), None)
    if source is None or len(keys) != 1:
        return False
    key = exp.column(exp.to_identifier(keys[0], quoted=True), table=_written(tree, source))
    stars = [node for node in tree.find_all(exp.Count) if isinstance(node.this, exp.Star)]
    for count in stars:
        count.set("this", exp.Distinct(expressions=[key.copy()]))
    return bool(stars)


def _counting_holders(tree: exp.Expr, statement: Statement, claims: Claims) -> bool:
    """Count those that the rows belong to, each once."""
    if (key := holder_key(statement, claims)) is None:
        return False
    for count in list(tree.find_all(exp.Count)):
        count.set("this", exp.Distinct(expressions=[exp.column(exp.to_identifier(key, quoted=True))]))
    return True


def _counting_keys_once(tree: exp.Expr, scope: Scope) -> bool:
    """Count each key once, where a join repeats its rows."""
    counted = [each for each in scope.repeated() if isinstance(each.measure.call, exp.Count)]
    repeated = {each.place.column.casefold() for each in counted if each.place.is_key}
    counts = [
        node
        for node in tree.find_all(exp.Count)
        if isinstance(node.this, exp.Column) and node.this.name.casefold() in repeated
    ]
    for count in counts:
        count.set("this", exp.Distinct(expressions=[count.this.copy()]))
    return bool(counts)


def _sharing_of_all(tree: exp.Expr) -> bool:
    """Take the share of all rows: the condition that it is of is no filter."""
    shared, where = shares_within(tree), tree.args["where"]
    kept = [each.copy() for each in conditions_of(where) if each not in shared]
    tree.set("where", exp.Where(this=exp.and_(*kept, copy=False)) if kept else None)
    return True


def _adding_money(tree: exp.Expr, statement: Statement) -> bool:
    """Add up the one amount of the rows that were counted."""
    amount = amount_counted(statement)
    if amount is None:
        return False
    for count in list(tree.find_all(exp.Count)):
        total = exp.Sum(this=exp.column(exp.to_identifier(amount, quoted=True)))
        named = count.parent
        if isinstance(named, exp.Alias):
            named.set("alias", exp.to_identifier(f"total_{amount}", quoted=True))
        count.replace(total)
    return True


def _on_the_side_asked(tree: exp.Expr, statement: Statement, claims: Claims) -> bool:
    """Put the amount with tax, or without, in the place of the other one."""
    asked = {wrong.casefold(): right for wrong, right, _ in tax_sides(statement, claims)}
    for column in list(tree.find_all(exp.Column)) if asked else ():
        if (right := asked.get(column.name.casefold())) is None:
            continue
        column.set("this", exp.to_identifier(right, quoted=True))
        # An alias that has the other's name would say what is no longer so.
        named = column.find_ancestor(exp.Alias, exp.Select)
        if isinstance(named, exp.Alias) and (
            old := next((each for each in asked if each in named.alias.casefold()), "")
        ):
            named.set(
                "alias", exp.to_identifier(named.alias.casefold().replace(old, asked[old].casefold()), quoted=True)
            )
    where = tree.args.get("where")
    if asked and where is not None and side_asked(claims.question) == WITHOUT:
        # Amounts without tax are those of all rows, not those of the rows that have none.
        parts = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
        kept = [each.copy() for each in parts if not is_no_tax(each)]
        tree.set("where", exp.Where(this=exp.and_(*kept, copy=False)) if kept else None)
    return bool(asked)


_LINE_AMOUNT = re.compile(
    r"^(?:line_?|item_?|sub_?|ext(?:ended)?_?)?(?:amount|amt|total|price_total)$|小计|^金额$", re.I
)
_UNIT_PRICE = re.compile(r"(?:unit|sale|selling)_?price$|^price$|单价|^售价$", re.I)
_QUANTITY = re.compile(r"^(?:qty|quantity|units?)$|^数量$", re.I)
_CUT = re.compile(r"discount|rebate|tax|折|优惠|税", re.I)


def _adding_lines(tree: exp.Expr, scope: Scope) -> bool:
    """Add up what the lines say, where the total of their head was added once for each of them.

    Sales by artist are sums of invoice lines: the invoice's total repeats for each. Only where the lines have one amount, or
    one price and one quantity and nothing that is taken off.
    """
    mended = False
    for found in scope.repeated():
        call = found.measure.call
        if not isinstance(call, exp.Sum) or not isinstance(call.this, exp.Column) or not AMOUNT.search(call.this.name):
            continue
        lines = [name for name in scope.tables if _refers_to(name, found.place.table, scope)]
        amount = _line_amount(tree, lines[0], scope.tables[lines[0]]) if len(lines) == 1 else None
        for node in tree.find_all(exp.Sum) if amount is not None else ():
            if node.this == call.this:
                node.set("this", amount)
                mended = True
    return mended


def _refers_to(name: str, head: Table, scope: Scope) -> bool:
    """Whether a source is joined by a column of its own to the key of another."""
    for join in scope.select.args.get("joins") or ():
        for equal in (join.args.get("on") or exp.Null()).find_all(exp.EQ):
            ends = [end for end in (equal.left, equal.right) if isinstance(end, exp.Column)]
            for own, other in (ends, ends[::-1]) if len(ends) == 2 else ():
                owner, place, key = scope.owner(own), scope.place(own), scope.place(other)
                if owner and place and key and owner.name == name and key.table.path == head.path:
                    return key.is_key and not place.is_key
    return False


def _line_amount(tree: exp.Expr, name: str, table: Table) -> exp.Expr | None:
    def called(pattern: re.Pattern[str]) -> list[exp.Column]:
        names = [column.name for column in table.columns if pattern.search(column.name)]
        return [exp.column(exp.to_identifier(each, quoted=True), table=_written(tree, name)) for each in names]

    amounts, prices, quantities = called(_LINE_AMOUNT), called(_UNIT_PRICE), called(_QUANTITY)
    if len(amounts) == 1:
        return amounts[0]
    if amounts or len(prices) != 1 or len(quantities) != 1 or called(_CUT):
        return None
    return exp.Mul(this=prices[0], expression=quantities[0])


def _written(tree: exp.Expr, name: str) -> exp.Identifier:
    """A source's name as the statement writes it."""
    for table in tree.find_all(exp.Table):
        alias = table.args.get("alias")
        found = alias.this if alias is not None and alias.this is not None else table.this
        if isinstance(found, exp.Identifier) and found.name.casefold() == name.casefold():
            return found.copy()
    return exp.to_identifier(name)
