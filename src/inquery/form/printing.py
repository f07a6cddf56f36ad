"""The form as text: words separated by single spaces, quoted constants being one word. `reader.py` is the way back."""

from __future__ import annotations

from inquery.form.ast import (
    Agg,
    AllColumns,
    And,
    Arith,
    Block,
    Bucket,
    ColumnRef,
    Compound,
    Condition,
    Days,
    Expr,
    Fallback,
    Holds,
    Literal,
    Not,
    Nothing,
    Or,
    Over,
    Predicate,
    Query,
    Related,
    Slot,
    Sort,
    Source,
    TableRef,
)
from inquery.form.name_words import FormError, NameMap, quote_text

_OPERATORS = {
    "is null": ["null"],
    "not null": ["not", "null"],
    "is blank": ["blank"],
    "not blank": ["not", "blank"],
    "not in": ["not", "in"],
    "not has": ["not", "has"],
}


def write(query: Query | Nothing, names: NameMap) -> str:
    """The text of a query with names as the prompt spells them."""
    if isinstance(query, Nothing):
        return "none"
    return " ".join(_Writer(names).query(query))


def literal_word(literal: Literal) -> str:
    """A constant as one word; text stands in single quotes, which are doubled inside."""
    value = literal.value
    if literal.kind == "period":
        assert isinstance(value, tuple)
        return f"{_date_word(value[0])}..{_date_word(value[1])}"
    if literal.kind == "date":
        return _date_word(str(value))
    if literal.kind == "number":
        return f"{value:.15f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return quote_text(str(value))


def _date_word(value: str) -> str:
    """A moment has a T in place of its space, so that it is one word."""
    return value.replace(" ", "T")


class _Writer:
    """Prints one query; the scopes say which table a source name stands for, innermost last."""

    def __init__(self, names: NameMap) -> None:
        self.names = names
        self.scopes: list[dict[str, Source]] = []

    def query(self, query: Query) -> list[str]:
        if isinstance(query, Compound):
            return [*self.block(query.left), query.op, *self.query(query.right)]
        return self.block(query)

    def block(self, block: Block) -> list[str]:
        self.scopes.append({source.name: source for source in block.sources})
        words = ["from", *_join_by_commas([self.source(s) for s in block.sources])] if block.sources else []
        if block.show:
            words += [
                "show",
                *(["distinct"] if block.distinct else []),
                *_join_by_commas([self.key(e) for e in block.show]),
            ]
        if block.where:
            words += ["where", *self.condition(block.where)]
        if block.same:
            words += ["same", *_join_by_commas([self.key(k) for k in block.same])]
        if block.by:
            words += ["by", *_join_by_commas([self.key(k) for k in block.by])]
        if block.having:
            words += ["having", *self.condition(block.having)]
        if block.sort:
            words += ["sort", *_join_by_commas([self.sort(s) for s in block.sort])]
        if block.top:
            words += ["top", *self.expr(block.top)]
        if block.per:
            words += ["per", *_join_by_commas([self.key(k) for k in block.per])]
        self.scopes.pop()
        return words

    def source(self, source: Source) -> list[str]:
        words = ["maybe"] if source.optional else []
        words.append(self.table(source.table))
        if source.role:
            words += ["as", self.source_word(source.name)]
        if source.via:
            pairs = (source.via, *source.also)
            words += ["via", *_join_words([[*self.expr(a), "=", *self.expr(b)] for a, b in pairs], "and")]
        return words

    def table(self, name: str) -> str:
        try:
            return self.names.table_words[name]
        except KeyError:
            raise FormError(f"unknown table {name}") from None

    def source_of(self, name: str) -> Source:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        raise FormError(f"{name} is not in scope")

    def source_word(self, name: str) -> str:
        source = self.source_of(name)
        if not source.role:
            return self.table(source.table)
        role = self.names.role_word(source.role)
        return f"{self.source_word(source.of)}.{role}" if source.of else role

    def column(self, ref: ColumnRef) -> str:
        words = self.names.column_words[self.source_of(ref.source).table]
        if ref.column not in words:
            raise FormError(f"unknown column {ref.source}.{ref.column}")
        return f"{self.source_word(ref.source)}.{words[ref.column]}"

    def key(self, key: Expr | TableRef) -> list[str]:
        return [self.source_word(key.source)] if isinstance(key, TableRef) else self.expr(key)

    def sort(self, sort: Sort) -> list[str]:
        return [*self.expr(sort.expr), *(["desc"] if sort.descending else [])]

    def expr(self, expr: Expr) -> list[str]:
        match expr:
            case ColumnRef():
                return [self.column(expr)]
            case AllColumns(source):
                return [f"{self.source_word(source)}.*" if source else "*"]
            case Literal():
                return [literal_word(expr)]
            case Slot(name):
                return [name]
            case Agg():
                return self.aggregate(expr)
            case Arith(op, left, right):
                return [*self.operand(left, op, False), op, *self.operand(right, op, True)]
            case Bucket(unit, of):
                return [unit, "(", self.column(of), ")"]
            case Days(start, end, unit):
                return [unit, "(", *self.expr(start), ",", *self.expr(end), ")"]
            case Over(func, of):
                return [func, "(", *self.expr(of), ")"] if of is not None else [func]
            case Holds(test):
                return ["if", "(", *self.condition(test), ")"]
            case Fallback(of, other):
                return [*self.side(of), "else", *self.side(other)]
            case Block() | Compound():
                return ["(", *self.query(expr), ")"]

    def operand(self, expr: Expr, op: str, right: bool) -> list[str]:
        """A side of arithmetic, in parentheses where the reader, going from left to right, would group otherwise."""
        words = self.expr(expr)
        if isinstance(expr, Arith):
            same, weaker = (expr.op in "+-") == (op in "+-"), op in "*/" and expr.op in "+-"
            if weaker or (right and same):
                return ["(", *words, ")"]
        return words

    def side(self, expr: Expr) -> list[str]:
        """A side of `else`, which binds before arithmetic."""
        words = self.expr(expr)
        return ["(", *words, ")"] if isinstance(expr, Arith | Fallback) else words

    def aggregate(self, agg: Agg) -> list[str]:
        words = ["distinct"] if agg.distinct else []
        if isinstance(agg.of, TableRef):
            words.append(self.source_word(agg.of.source))
        elif isinstance(agg.of, Block | Compound):
            # A condition behind a nested query would be its own.
            words += self.expr(agg.of) if agg.where else self.query(agg.of)
        elif agg.of is not None:
            words += self.expr(agg.of)
        if agg.where:
            words += ["if", *self.condition(agg.where)]
        if agg.per:
            words += ["per", *_join_by_commas([self.key(k) for k in agg.per])]
        return [agg.func, "(", *words, ")"] if words else [agg.func]

    def condition(self, condition: Condition, inside: str = "") -> list[str]:
        match condition:
            case And(items):
                words = _join_words([self.condition(item, "and") for item in items], "and")
                return _put_in_brackets(words) if inside == "and" else words
            case Or(items):
                words = _join_words([self.condition(item, "or") for item in items], "or")
                return _put_in_brackets(words) if inside else words
            case Not(item):
                return ["not", "[", *self.condition(item), "]"]
            case Related(block, negated):
                return ["no" if negated else "any", "(", *self.block(block), ")"]
            case Predicate():
                return self.predicate(condition)

    def predicate(self, test: Predicate) -> list[str]:
        words = [*self.expr(test.left), *_OPERATORS.get(test.op, [test.op])]
        if test.right is None:
            return words
        if not isinstance(test.right, tuple):
            return words + self.expr(test.right)
        if test.op == "between":
            return words + _join_words([self.expr(end) for end in test.right], "and")
        return [*words, "(", *_join_by_commas([self.expr(item) for item in test.right]), ")"]


def _join_by_commas(parts: list[list[str]]) -> list[str]:
    return _join_words(parts, ",")


def _join_words(parts: list[list[str]], word: str) -> list[str]:
    words: list[str] = []
    for part in parts:
        words += [word, *part] if words else part
    return words


def _put_in_brackets(words: list[str]) -> list[str]:
    return ["[", *words, "]"]
