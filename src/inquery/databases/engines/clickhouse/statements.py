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
# A profile may have another language read, or a column come before the alias of the same name, which the guard resolved
# the other way; transform_null_in makes `x IN (NULL)` true, in a row filter too.
READING = {"dialect": "clickhouse", "prefer_column_name_to_alias": "0", "transform_null_in": "0"}
# It remembers for a condition which parts of a table have no row for it, and release 26.9 remembers so of parts that a LIMIT
# left unread: counts of 18 rows became 0, for every later statement with that condition. Off where it can be.
UNTRUSTED = {"use_query_condition_cache": "0"}
READ = f"SELECT name, value FROM system.settings WHERE name IN {('readonly', *READING, *UNTRUSTED)!r}"
EXPLAINS = ("EXPLAIN ESTIMATE ", "EXPLAIN json = 1, indexes = 1 ")


def describe(text: str) -> str:
    """The statement that names a query's columns: an empty result comes without any."""
    return f"DESCRIBE TABLE ({text.rstrip().rstrip(';')}\n)"
