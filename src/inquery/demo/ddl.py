"""The statements that create the demo tables on each engine it can fill."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from inquery.demo.definitions import BY_NAME, TABLES, DemoColumn, DemoTable

Comments = Mapping[tuple[str, str | None], str]
"""Comments by (table, column); a table's own is under (table, None)."""

TYPES: dict[str, dict[str, str]] = {
    # REAL, because SQLite's NUMERIC would store 285.00 as the integer 285 and divide it as one.
    "sqlite": {"int": "INTEGER", "text": "TEXT", "money": "REAL", "rate": "REAL", "date": "DATE", "datetime": "DATETIME"},
    "postgres": {"int": "integer", "text": "text", "money": "numeric(12,2)", "rate": "numeric(4,2)", "date": "date", "datetime": "timestamp"},
    "mysql": {"int": "INT", "text": "VARCHAR(200)", "money": "DECIMAL(12,2)", "rate": "DECIMAL(4,2)", "date": "DATE", "datetime": "DATETIME"},
    "duckdb": {"int": "INTEGER", "text": "VARCHAR", "money": "DECIMAL(12,2)", "rate": "DECIMAL(4,2)", "date": "DATE", "datetime": "TIMESTAMP"},
    # Date32, because people were born before 1970.
    "clickhouse": {"int": "Int32", "text": "String", "money": "Decimal(12,2)", "rate": "Decimal(4,2)", "date": "Date32", "datetime": "DateTime"},
}  # fmt: skip


def create(dialect: str, comments: Comments) -> Iterator[str]:
    """What runs before the rows are loaded."""
    for table in TABLES:
        yield _create(table, dialect, comments)


def finish(dialect: str, comments: Comments) -> Iterator[str]:
    """What runs after the rows are loaded: indexes, late references, comments."""
    if dialect == "clickhouse":
        return
    for table in TABLES:
        for column in table.columns:
            if column.references and dialect in {"postgres", "mysql"}:
                yield f"ALTER TABLE {table.name} ADD {_reference(column)}"
            if dialect != "duckdb" and _wants_index(table, column, dialect):
                yield f"CREATE INDEX {table.name}_{column.name} ON {table.name} ({column.name})"
    if dialect in {"postgres", "duckdb"}:
        for (name, column_name), text in comments.items():
            target = f"TABLE {name}" if column_name is None else f"COLUMN {name}.{column_name}"
            yield f"COMMENT ON {target} IS {quote(text)}"


def quote(text: str) -> str:
    """A string literal; the texts are ours and hold no backslash."""
    return "'" + text.replace("'", "''") + "'"


def _create(table: DemoTable, dialect: str, comments: Comments) -> str:
    lines = [_column(table, column, dialect, comments) for column in table.columns]
    if dialect != "clickhouse":
        lines.append(f"PRIMARY KEY ({', '.join(table.primary_key)})")
    if dialect in {"sqlite", "duckdb"}:
        lines += [_reference(c) for c in table.columns if c.references and _can_refer(table, c, dialect)]
    text = f"CREATE TABLE {table.name} (\n  " + ",\n  ".join(lines) + "\n)"
    if dialect == "clickhouse":
        text += (
            f" ENGINE = MergeTree ORDER BY ({', '.join(table.primary_key)}) COMMENT {quote(comments[table.name, None])}"
        )
    if dialect == "mysql":
        text += f" CHARACTER SET utf8mb4 COMMENT = {quote(comments[table.name, None])}"
    return text


def _column(table: DemoTable, column: DemoColumn, dialect: str, comments: Comments) -> str:
    kind = TYPES[dialect][column.type]
    if dialect == "clickhouse":
        kind = f"Nullable({kind})" if column.nullable else kind
    elif dialect == "sqlite" and table.primary_key == (column.name,):
        pass  # INTEGER PRIMARY KEY must stay bare to be the rowid
    else:
        kind += "" if column.nullable else " NOT NULL"
    if dialect in {"mysql", "clickhouse"}:
        kind += f" COMMENT {quote(comments[table.name, column.name])}"
    return f"{column.name} {kind}"


def _reference(column: DemoColumn) -> str:
    target, key = column.references.split(".")
    return f"FOREIGN KEY ({column.name}) REFERENCES {target} ({key})"


def _can_refer(table: DemoTable, column: DemoColumn, dialect: str) -> bool:
    """DuckDB adds no reference later, so one to a table that comes after, or to itself, cannot be declared."""
    if dialect != "duckdb":
        return True
    target = BY_NAME[column.references.split(".")[0]]
    return TABLES.index(target) < TABLES.index(table)


def _wants_index(table: DemoTable, column: DemoColumn, dialect: str) -> bool:
    # MariaDB makes its own index for every reference.
    return column.name in table.indexes or (
        bool(column.references) and dialect != "mysql" and column.name != table.primary_key[0]
    )
