"""The constant statements Inquery asks of ClickHouse; apart, so that a process of chdb starts without the guard."""

_HIDDEN = "('system', 'INFORMATION_SCHEMA', 'information_schema')"
INTROSPECTION = {
    "tables": f"""
        SELECT database, name, engine, comment, total_rows FROM system.tables
        WHERE database NOT IN {_HIDDEN} AND NOT is_temporary AND NOT startsWith(name, '.inner')""",
    "columns": f"""
        SELECT database, table, name, type, comment, is_in_primary_key FROM system.columns
        WHERE database NOT IN {_HIDDEN} AND NOT startsWith(table, '.inner')
        ORDER BY database, table, position""",
}
EXPLAINS = ("EXPLAIN ESTIMATE ", "EXPLAIN json = 1, indexes = 1 ")


def describe(text: str) -> str:
    """The statement that names a query's columns: an empty result comes without any."""
    return f"DESCRIBE TABLE ({text.rstrip().rstrip(';')}\n)"
