"""The parser of the form: one word of lookahead, names resolved against the sources of the blocks."""

from __future__ import annotations

from typing import cast, get_args

from inquery.form.ast import (
    AGGREGATES,
    SET_OPERATORS,
    SPANS,
    UNITS,
    WINDOWS,
    Agg,
    Aggregate,
    AllColumns,
    And,
    Arith,
    Block,
    Bucket,
    ColumnRef,
    Comparison,
    Compound,
    Condition,
    Days,
    Expr,
    Fallback,
    Holds,
    Literal,
    Not,
    Nothing,
    Operator,
    Or,
    Over,
    Predicate,
    Query,
    Related,
    SetOperator,
    Slot,
    Sort,
    Source,
    Span,
    TableRef,
    Unit,
    Window,
)
from inquery.form.name_words import DATE, NUMBER, SLOT, FormError, NameMap, split_words

_COMPARISONS = frozenset(get_args(Comparison)) - {"is null", "not null", "is blank", "not blank", "not in", "not has"}


def read_form(text: str, names: NameMap) -> Query:
    """The tree of a text; raises FormError that names the word which does not fit."""
    reader = _Reader(split_words(text), names)
    query = reader.query()
    if reader.at < len(reader.words):
        raise reader.error("nothing more")
    return query


def read_answer(text: str, names: NameMap) -> Query | Nothing:
    """The tree of a text, which may say that there is no answer."""
    return Nothing() if split_words(text) == ["none"] else read_form(text, names)


class _Reader:
    """Reads one text; the scopes are the sources of the blocks around the present word, innermost last."""

    def __init__(self, words: list[str], names: NameMap) -> None:
        self.words = words
        self.names = names
        self.at = 0
        self.scopes: list[dict[str, Source]] = []

    def peek(self, ahead: int = 0) -> str:
        index = self.at + ahead
        return self.words[index] if index < len(self.words) else ""

    def next(self) -> str:
        word = self.peek()
        self.at += 1
        return word

    def accept(self, word: str) -> bool:
        if self.peek() != word:
            return False
        self.at += 1
        return True

    def expect(self, word: str) -> None:
        if not self.accept(word):
            raise self.error(word)

    def error(self, expected: str) -> FormError:
        found = self.peek() or "the end"
        return FormError(f"expected {expected}, found {found}", self.at)

    def query(self) -> Query:
        left = self.block()
        if self.peek() not in SET_OPERATORS:
            return left
        op = cast(SetOperator, self.next())
        return Compound(op, left, self.query())

    def block(self, bare: bool = False) -> Block:
        """A block; a bare one (inside any/no) shows nothing."""
        self.scopes.append({})
        sources = self.sources() if self.peek() == "from" else ()
        if bare:
            block = Block(sources, where=self.condition() if self.accept("where") else None)
        else:
            block = self.clauses(sources)
        self.scopes.pop()
        return block

    def clauses(self, sources: tuple[Source, ...]) -> Block:
        self.expect("show")
        distinct = self.accept("distinct")
        show = [self.item()]
        while self.accept(","):
            show.append(self.item())
        where = self.condition() if self.accept("where") else None
        same = self.keys() if self.accept("same") else ()
        by = self.keys() if self.accept("by") else ()
        having = self.condition() if self.accept("having") else None
        sort = self.sorts() if self.accept("sort") else ()
        top = self.constant() if self.accept("top") else None
        per = self.keys() if top and self.accept("per") else ()
        outer = cast("tuple[ColumnRef | TableRef, ...]", same)
        return Block(sources, tuple(show), distinct, where, outer, by, having, sort, top, per)

    def sources(self) -> tuple[Source, ...]:
        self.expect("from")
        found = [self.source()]
        while self.accept(","):
            found.append(self.source())
        return tuple(found)

    def source(self) -> Source:
        """A source, known to its block before its `via` is read, which names it."""
        optional = self.accept("maybe")
        table = self.names.word_tables.get(self.peek())
        if table is None:
            raise self.error("a table")
        self.at += 1
        role, of = self.role() if self.accept("as") else (None, None)
        source = Source(table, role, None, optional, of)
        if source.name in self.scopes[-1]:
            raise FormError(f"{source.name} stands twice in from", self.at - 1)
        self.scopes[-1][source.name] = source
        if self.accept("via"):
            via, *also = self.pairs()
            source = Source(table, role, via, optional, of, tuple(also))
        return source

    def pairs(self) -> list[tuple[ColumnRef, ColumnRef]]:
        """Columns that a written join makes equal."""
        found: list[tuple[ColumnRef, ColumnRef]] = []
        while not found or self.accept("and"):
            own = self.column()
            self.expect("=")
            found.append((own, self.column()))
        return found

    def role(self) -> tuple[str, str | None]:
        """The key column that leads to a source, and the source that has it where that is said."""
        head, dot, tail = self.peek().rpartition(".")
        of = self.source_name(head) if dot else None
        self.at += 1
        return self.names.role(tail), of

    def item(self) -> Expr | TableRef:
        if self.accept("*"):
            return AllColumns()
        if self.peek().endswith(".*") and self.peek()[0] != "'":
            return AllColumns(self.source_name(self.next()[:-2]))
        # A table may have the name of a function, which its parenthesis tells; `rank` has none, so it goes first. With a
        # dot it is a column: a source of that name is reached by the same column.
        if self.is_source(self.peek()) and self.peek(1) != "(" and self.peek() != "rank" and "." not in self.peek():
            return TableRef(self.source_name(self.next()))
        return self.expr()

    def keys(self) -> tuple[Expr | TableRef, ...]:
        found = [self.key()]
        while self.accept(","):
            found.append(self.key())
        return tuple(found)

    def key(self) -> Expr | TableRef:
        if self.is_source(self.peek()):
            return TableRef(self.source_name(self.next()))
        return self.expr()

    def sorts(self) -> tuple[Sort, ...]:
        found = [Sort(self.expr(), self.accept("desc"))]
        while self.accept(","):
            found.append(Sort(self.expr(), self.accept("desc")))
        return tuple(found)

    def expr(self) -> Expr:
        left = self.term()
        while self.peek() in ("+", "-"):
            left = Arith(cast(Operator, self.next()), left, self.term())
        return left

    def term(self) -> Expr:
        left = self.known()
        while self.peek() in ("*", "/"):
            left = Arith(cast(Operator, self.next()), left, self.known())
        return left

    def known(self) -> Expr:
        """A factor, with what stands for it where it is not known."""
        of = self.factor()
        return Fallback(of, self.factor()) if self.accept("else") else of

    def factor(self) -> Expr:
        word = self.peek()
        if word in AGGREGATES:
            return self.aggregate()
        if word in UNITS and self.peek(1) == "(":
            return self.bucket()
        if word in SPANS and self.peek(1) == "(":
            return self.days()
        if word == "rank" or (word in WINDOWS and self.peek(1) == "("):
            return self.window()
        if word == "if" and self.peek(1) == "(":
            return self.holds()
        if word == "(":
            self.at += 1
            inner = self.query() if self.peek() in ("from", "show") else self.expr()
            self.expect(")")
            return inner
        # Texts, decimals and periods may have a dot as well; only a column has it between two names.
        if "." in word and word[0] != "'" and not NUMBER.match(word) and ".." not in word:
            return self.column()
        return self.constant()

    def aggregate(self) -> Agg:
        func = cast(Aggregate, self.next())
        if not self.accept("("):
            if func not in ("count", "share", "percent"):
                raise self.error("(")
            return Agg(func)
        distinct = self.accept("distinct")
        of: Expr | TableRef | None = None
        if self.peek() in ("from", "show"):
            of = self.query()
        elif self.is_source(self.peek()):
            of = TableRef(self.source_name(self.next()))
        elif self.peek() not in ("if", "per"):
            of = self.expr()
        where = self.condition() if self.accept("if") else None
        per = self.keys() if self.accept("per") else ()
        self.expect(")")
        return Agg(func, of, distinct, where, per)

    def bucket(self) -> Bucket:
        unit = cast(Unit, self.next())
        self.expect("(")
        of = self.column()
        self.expect(")")
        return Bucket(unit, of)

    def days(self) -> Days:
        unit = cast(Span, self.next())
        self.expect("(")
        start = self.day()
        self.expect(",")
        end = self.day()
        self.expect(")")
        return Days(start, end, unit)

    def day(self) -> ColumnRef | Literal | Slot:
        word = self.peek()
        return self.constant() if ".." in word or SLOT.match(word) or DATE.match(word) else self.column()

    def window(self) -> Over:
        func = cast(Window, self.next())
        if func == "rank":
            return Over(func)
        self.expect("(")
        of = self.expr()
        self.expect(")")
        return Over(func, of)

    def holds(self) -> Holds:
        self.at += 1
        self.expect("(")
        test = self.condition()
        self.expect(")")
        return Holds(test)

    def column(self) -> ColumnRef:
        word = self.peek()
        head, _, tail = word.rpartition(".")
        source = self.find(head)
        column = self.names.word_columns[source.table].get(tail) if source else None
        if source is None or column is None:
            raise self.error("a column of a table in from")
        self.at += 1
        return ColumnRef(source.name, column)

    def find(self, word: str) -> Source | None:
        for scope in reversed(self.scopes):
            for source in scope.values():
                if self.word(source) == word:
                    return source
        return None

    def word(self, source: Source) -> str:
        """What a source is called."""
        if not source.role:
            return self.names.table_words[source.table]
        role = self.names.role_word(source.role)
        around = next((s[source.of] for s in reversed(self.scopes) if source.of in s), None)
        return f"{self.word(around)}.{role}" if around else role

    def is_source(self, word: str) -> bool:
        return self.find(word) is not None

    def source_name(self, word: str) -> str:
        source = self.find(word)
        if source is None:
            raise self.error("a table in from")
        return source.name

    def constant(self) -> Literal | Slot:
        word = self.peek()
        self.at += 1
        if len(word) > 1 and word[0] == word[-1] == "'":
            return Literal(word[1:-1].replace("''", "'"), "text")
        if SLOT.match(word):
            return Slot(word)
        if NUMBER.match(word):
            return Literal(float(word) if "." in word else int(word), "number")
        if DATE.match(word):
            return Literal(word.replace("T", " "), "date")
        start, dots, end = word.partition("..")
        if dots and DATE.match(start) and DATE.match(end):
            return Literal((start.replace("T", " "), end.replace("T", " ")), "period")
        self.at -= 1
        raise self.error("an expression")

    def condition(self) -> Condition:
        """Tests by `or`, which binds weaker than `and`, as in SQL."""
        items = [self.conjunction()]
        while self.accept("or"):
            items.append(self.conjunction())
        return items[0] if len(items) == 1 else Or(tuple(items))

    def conjunction(self) -> Condition:
        items = [self.test()]
        while self.accept("and"):
            items.append(self.test())
        return items[0] if len(items) == 1 else And(tuple(items))

    def test(self) -> Condition:
        if self.accept("["):
            inner = self.condition()
            self.expect("]")
            return inner
        if self.peek() == "not" and self.peek(1) == "[":
            self.at += 2
            inner = self.condition()
            self.expect("]")
            return Not(inner)
        if self.peek() in ("any", "no") and self.peek(1) == "(":
            negated = self.next() == "no"
            self.expect("(")
            block = self.block(bare=True)
            self.expect(")")
            return Related(block, negated)
        return self.predicate()

    def predicate(self) -> Predicate:
        left = self.expr()
        if self.accept("null"):
            return Predicate("is null", left)
        if self.accept("blank"):
            return Predicate("is blank", left)
        if self.accept("not"):
            if self.accept("null"):
                return Predicate("not null", left)
            if self.accept("blank"):
                return Predicate("not blank", left)
            if self.accept("has"):
                return Predicate("not has", left, self.expr())
            self.expect("in")
            return Predicate("not in", left, self.members())
        if self.peek() not in _COMPARISONS:
            raise self.error("a comparison")
        op = cast(Comparison, self.next())
        if op == "in":
            return Predicate("in", left, self.members())
        if op == "between":
            low = self.expr()
            self.expect("and")
            return Predicate("between", left, (low, self.expr()))
        return Predicate(op, left, self.expr())

    def members(self) -> Expr | tuple[Expr, ...]:
        if self.peek() != "(":
            return self.constant()
        self.at += 1
        if self.peek() in ("from", "show"):
            query = self.query()
            self.expect(")")
            return query
        found = [self.expr()]
        while self.accept(","):
            found.append(self.expr())
        self.expect(")")
        return tuple(found)
