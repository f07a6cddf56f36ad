"""Rules about the shape of a statement: what its text, its root and its nodes may be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from inquery.errors import SqlRefused
from inquery.sql.dialects import DIALECTS, Grammar
from inquery.sql.guard.functions import allowed, node_names
from inquery.sql.guard.methods import restore_columns
from inquery.sql.guard.sizes import refuse_fill, refuse_levels
from inquery.sql.guard.type_names import refuse_operator, refuse_type_text
from inquery.sql.guard.xquery import refuse_xquery

MAX_LENGTH = 100_000
MAX_DEPTH = 120
MAX_TOKENS = 25_000
"""Words and signs, as in a list of 12,000 numbers. The guard reads some 50,000 in a second, and no request may take longer."""
MAX_JOINS = 300
"""MySQL joins 61 tables and SQLite 64; to resolve the names of 1,700 takes seconds, also where commas join them."""
MAX_QUERIES = 500
"""SELECTs in one statement: as many as SQLite takes in a union; 2,800 CTEs took 1.6 s."""

ROOTS = (exp.Select, exp.SetOperation, exp.Subquery, exp.Values, exp.Pivot)

# Arguments that turn an allowed node into something else; the name shown is the clause.
FORBIDDEN_ARGUMENTS: dict[type[exp.Expr], dict[str, str]] = {
    exp.Select: {"into": "INTO", "locks": "FOR UPDATE", "settings": "SETTINGS"},
    exp.SetOperation: {"locks": "FOR UPDATE", "settings": "SETTINGS"},
    exp.Subquery: {"locks": "FOR UPDATE", "settings": "SETTINGS"},
    exp.Table: {
        "changes": "CHANGES",
        "format": "FORMAT",
        "pattern": "PATTERN",
        "system_time": "AS OF",
    },
}

# SQL Server's hints that only choose a plan or read more loosely.
TABLE_HINTS = {
    "NOLOCK",
    "READUNCOMMITTED",
    "READCOMMITTED",
    "READCOMMITTEDLOCK",
    "READPAST",
    "SNAPSHOT",
    "INDEX",
    "FORCESEEK",
    "FORCESCAN",
    "NOEXPAND",
}
# It changes no row of the statement, only what FOUND_ROWS() says afterwards, and costs the whole result: not written.
DROPPED_MODIFIERS = {"SQL_CALC_FOUND_ROWS"}
SELECT_MODIFIERS = {
    "STRAIGHT_JOIN",
    "SQL_NO_CACHE",
    "SQL_CACHE",
    "SQL_SMALL_RESULT",
    "SQL_BIG_RESULT",
    "SQL_BUFFER_RESULT",
    *DROPPED_MODIFIERS,
}
QUERY_OPTIONS = {
    "MAXRECURSION", "RECOMPILE", "MAXDOP", "FAST", "FORCE ORDER", "HASH JOIN", "LOOP JOIN", "MERGE JOIN", "HASH GROUP",
    "ORDER GROUP", "CONCAT UNION", "HASH UNION", "MERGE UNION", "KEEP PLAN", "KEEPFIXED PLAN", "ROBUST PLAN",
}  # fmt: skip

# SQL Server needs nothing between two statements, so these begin one where sqlglot reads an alias.
STATEMENT_WORDS = {
    "ALTER", "BACKUP", "BEGIN", "BULK", "CHECKPOINT", "CLOSE", "COMMIT", "CREATE", "DBCC", "DEALLOCATE", "DECLARE", "DELETE",
    "DENY", "DROP", "EXEC", "EXECUTE", "FETCH", "GOTO", "GRANT", "INSERT", "KILL", "MERGE", "OPEN", "PRINT", "RAISERROR",
    "READTEXT", "RECONFIGURE", "RESTORE", "RETURN", "REVERT", "REVOKE", "ROLLBACK", "SAVE", "SET", "SHUTDOWN", "TRUNCATE",
    "UPDATE", "UPDATETEXT", "USE", "WAITFOR", "WHILE", "WRITETEXT",
}  # fmt: skip

# PostgreSQL calls a function of the database's own for any other word.
SAMPLINGS = {"", "BERNOULLI", "BLOCK", "RESERVOIR", "ROW", "SYSTEM", "SYSTEM_ROWS", "SYSTEM_TIME"}

# The past that a table may be read at; a stream or the log of changes is another source.
MOMENTS = {"AT", "BEFORE"}
MOMENT_KINDS = {"TIMESTAMP", "OFFSET", "STATEMENT"}

Rule = Callable[[exp.Expr, str], None]

_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})
_AFTER_FROM = frozenset(
    {
        TokenType.SELECT,
        TokenType.WHERE,
        TokenType.PREWHERE,
        TokenType.GROUP_BY,
        TokenType.HAVING,
        TokenType.WINDOW,
        TokenType.QUALIFY,
        TokenType.ORDER_BY,
        TokenType.LIMIT,
        TokenType.PIPE_GT,
        TokenType.SEMICOLON,
    }
)

_EXECUTABLE_COMMENT = re.compile(r"/\*\s*(M)?!", re.IGNORECASE)
_SETTING_HINT = re.compile(r"set_var|resource_group|=|append|parallel_dml|enable_|disable_|opt_param", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029\ufeff\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def refuse_text(sql: str) -> None:
    """Length and characters."""
    if len(sql) > MAX_LENGTH:
        raise SqlRefused("too_long", f"{len(sql)} characters")
    if _CONTROL.search(sql):
        raise SqlRefused("bad_text", "control characters")
    if not sql.strip():
        raise SqlRefused("empty", "no text")


def refuse_executable_comments(sql: str, tokens: list[Token]) -> None:
    """`/*! */` runs in MySQL. Inside a string or a quoted name the mark is text, which a session reads as it was read here."""
    for mark in _EXECUTABLE_COMMENT.finditer(sql):
        if not any(token.start < mark.start() and mark.end() <= token.end for token in tokens):
            raise SqlRefused("hidden_code", "an executable comment")


def refuse_nesting(tokens: list[Token]) -> None:
    """More than the parser can read in time, and brackets too deep for its recursion."""
    if len(tokens) > MAX_TOKENS:
        raise SqlRefused("too_complex", f"more than {MAX_TOKENS} words and signs")
    kinds = Counter(token.token_type for token in tokens)
    if kinds[TokenType.JOIN] > MAX_JOINS:
        raise _too_many_joins()
    if kinds[TokenType.SELECT] > MAX_QUERIES:
        raise SqlRefused("too_complex", f"more than {MAX_QUERIES} queries in one")
    depth = 0
    for token in tokens:
        if token.token_type in _OPENING:
            depth += 1
            if depth > MAX_DEPTH:
                raise SqlRefused("too_complex", f"nested deeper than {MAX_DEPTH}")
        elif token.token_type in _CLOSING:
            depth -= 1
    if _longest_from(tokens) > MAX_JOINS:
        raise _too_many_joins()


def _longest_from(tokens: list[Token]) -> int:
    """The most commas of one FROM, each of which is a join: counted before the parser makes a tree of them."""
    longest, before = 0, None
    commas: list[int | None] = [None]  # of each bracket that is open; None outside a FROM
    for token in tokens:
        kind = token.token_type
        if kind in _OPENING:
            commas.append(None)
        elif kind in _CLOSING:
            commas = commas[:-1] or [None]
        elif kind is TokenType.FROM and before is not TokenType.DISTINCT:  # a IS DISTINCT FROM b, c, d
            commas[-1] = 0
        elif kind in _AFTER_FROM:
            commas[-1] = None
        elif kind is TokenType.COMMA and (count := commas[-1]) is not None:
            commas[-1] = count + 1
            longest = max(longest, count + 1)
        before = kind
    return longest


def refuse_many_joins(nodes: list[exp.Expr]) -> None:
    """Joins of every kind together, those written as commas too."""
    if sum(isinstance(node, exp.Join) for node in nodes) > MAX_JOINS:
        raise _too_many_joins()


def _too_many_joins() -> SqlRefused:
    return SqlRefused("too_complex", f"more than {MAX_JOINS} joins")


def one_statement(grammar: Grammar, sql: str) -> exp.Expr:
    """Parse; exactly one statement, a trailing semicolon aside."""
    tokens = grammar.tokens(sql)
    refuse_executable_comments(sql, tokens)
    refuse_nesting(tokens)
    parsed = grammar.parse(sql, tokens)
    statements = [restore_columns(s) for s in parsed if s is not None and not isinstance(s, exp.Semicolon)]
    if not statements:
        raise SqlRefused("empty", "no statement")
    if len(statements) > 1:
        raise SqlRefused("several_statements", f"{len(statements)} statements")
    return statements[0]


def refuse_root(tree: exp.Expr) -> None:
    """Only something that reads."""
    if not isinstance(tree, ROOTS):
        raise SqlRefused("not_a_query", type(tree).__name__)


def walk(tree: exp.Expr, skip: frozenset[int]) -> Iterator[exp.Expr]:
    """Every node but those below trusted conditions."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if id(node) in skip:
            continue
        yield node
        if not isinstance(node, exp.Hint | exp.WithTableHint):
            stack.extend(node.iter_expressions())


def refuse_class(node: exp.Expr) -> None:
    """Nodes outside the allow-list: writes, commands, readers that hide behind a type, anything new."""
    name = type(node).__name__
    if name in node_names():
        return
    if isinstance(node, exp.Func):
        raise SqlRefused("forbidden_function", f"{name} is not on the list", name=type(node).sql_name().lower())
    if isinstance(node, exp.Insert | exp.Update | exp.Delete | exp.Merge | exp.DDL | exp.Command):
        raise SqlRefused("not_a_query", name)
    raise SqlRefused("forbidden_clause", f"{name} is not on the list", name=name)


def refuse_arguments(node: exp.Expr, dialect: str) -> None:
    """INTO, locks, settings, time travel."""
    for cls, arguments in FORBIDDEN_ARGUMENTS.items():
        if isinstance(node, cls):
            for key, clause in arguments.items():
                if node.args.get(key):
                    raise SqlRefused("forbidden_clause", f"{clause} is not allowed", name=clause)


def refuse_browse(node: exp.Expr, dialect: str) -> None:
    """SQL Server's FOR BROWSE adds hidden columns, to update the rows by; FOR XML and FOR JSON only shape the result."""
    if node.text("kind").upper() not in {"XML", "JSON"}:
        raise SqlRefused("forbidden_clause", "FOR with another word", name=f"FOR {node.text('kind').upper()}")


def refuse_sampling(node: exp.Expr, dialect: str) -> None:
    """A way of sampling that no engine has of itself."""
    if node.text("method").upper() not in SAMPLINGS:
        raise SqlRefused("forbidden_function", "a way of sampling", name=node.text("method").lower())


def refuse_modifiers(node: exp.Expr, dialect: str) -> None:
    """MySQL's words after SELECT: those that only advise are kept."""
    for modifier in node.args.get("operation_modifiers") or [] if isinstance(node, exp.Select) else []:
        if modifier.name.upper() not in SELECT_MODIFIERS:
            raise SqlRefused("forbidden_clause", "a modifier that changes the session", name=modifier.name)


def refuse_variables(node: exp.Expr, dialect: str) -> None:
    """Session variables and placeholders; Snowflake's $1 names a column of VALUES."""
    if isinstance(node, exp.Parameter):
        value = node.this
        if not DIALECTS[dialect].dollar_columns or not isinstance(value, exp.Literal) or value.is_string:
            raise SqlRefused("forbidden_clause", "a variable", name=f"@{node.name}")
    if isinstance(node, exp.PropertyEQ) and isinstance(node.this, exp.Parameter):
        raise SqlRefused("forbidden_clause", "an assignment", name=":=")


def refuse_hint(node: exp.Expr, dialect: str) -> None:
    """Hints that set variables, take locks or change the server's behaviour; comments with others are dropped later."""
    if isinstance(node, exp.Hint) and _SETTING_HINT.search(node.sql()):
        raise SqlRefused("hidden_code", "a hint that sets something")
    if isinstance(node, exp.WithTableHint):
        for hint in node.expressions:
            if hint.name.upper() not in TABLE_HINTS:
                raise SqlRefused("forbidden_clause", "a table hint that locks", name=hint.name)
    query_option = isinstance(node, exp.QueryOption) and isinstance(node.parent, exp.Select)
    if query_option and node.name.upper() not in QUERY_OPTIONS:
        raise SqlRefused("forbidden_clause", "a query option", name=node.name)


def refuse_second_statement(node: exp.Expr, dialect: str) -> None:
    """SELECT 1 DELETE FROM t is two statements in SQL Server and an alias to the parser."""
    alias = node.args.get("alias") if isinstance(node, exp.Alias) else node.this
    if not DIALECTS[dialect].open_ended_statements or not isinstance(alias, exp.Identifier) or alias.args.get("quoted"):
        return
    if alias.name.upper() in STATEMENT_WORDS:
        raise SqlRefused("several_statements", f"{alias.name} begins a statement", name=alias.name)


def refuse_moment(node: exp.Expr, dialect: str) -> None:
    """Snowflake's AT and BEFORE: a time, an offset or a statement; not a stream."""
    kind = node.text("kind").upper()
    if str(node.this).upper() not in MOMENTS or kind not in MOMENT_KINDS:
        raise SqlRefused("forbidden_clause", "a moment of another kind", name=kind)


def refuse_apply(node: exp.Expr, dialect: str) -> None:
    """ClickHouse's * APPLY(f) names a function without calling it."""
    if isinstance(node, exp.Apply):
        function = node.expression
        if not isinstance(function, exp.Var) or function.name.lower() not in allowed("clickhouse").calls:
            raise SqlRefused("forbidden_function", "APPLY of a function that is not on the list", name=function.name)


# Each rule with the classes it looks at.
NODE_RULES: tuple[tuple[tuple[type[exp.Expr], ...], Rule], ...] = (
    ((exp.Hint, exp.WithTableHint, exp.QueryOption), refuse_hint),
    (tuple(FORBIDDEN_ARGUMENTS), refuse_arguments),
    ((exp.Select,), refuse_modifiers),
    ((exp.Parameter, exp.PropertyEQ), refuse_variables),
    ((exp.Alias, exp.TableAlias), refuse_second_statement),
    ((exp.HistoricalData,), refuse_moment),
    ((exp.Apply,), refuse_apply),
    ((exp.XMLTable,), refuse_xquery),
    ((exp.Connect,), refuse_levels),
    ((exp.WithFill,), refuse_fill),
    ((exp.Operator,), refuse_operator),
    ((exp.CastToStrType, exp.Anonymous), refuse_type_text),
    ((exp.ForClause,), refuse_browse),
    ((exp.TableSample,), refuse_sampling),
)
