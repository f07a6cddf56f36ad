"""What PostgreSQL holds, from pg_catalog: information_schema hides foreign keys from a role that only reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inquery.databases.assemble import Raw
from inquery.databases.engine import Progress

if TYPE_CHECKING:
    import psycopg

_KINDS = {"r": "table", "p": "table", "f": "table", "v": "view", "m": "materialized view"}

# Partitions are left out: the table above them reads them, and its estimate is their sum.
_VISIBLE = """
    SELECT c.oid, n.nspname, c.relname, c.relkind, c.reltuples, c.relpages
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
      AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'
      AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
      AND (pg_catalog.has_table_privilege(c.oid, 'SELECT') OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'))"""
_TABLES = f"""
    WITH v AS ({_VISIBLE})
    SELECT v.oid, v.nspname, v.relname, v.relkind, d.description,
           CASE WHEN v.relkind IN ('v', 'f') THEN NULL
                WHEN v.relkind = 'p' THEN (
                    SELECT sum(greatest(p.reltuples, 0)) FROM pg_catalog.pg_partition_tree(v.oid) t
                    JOIN pg_catalog.pg_class p ON p.oid = t.relid WHERE t.isleaf)
                WHEN v.reltuples > 0 OR v.relpages > 0 THEN greatest(v.reltuples, 0)
                ELSE pg_catalog.pg_stat_get_live_tuples(v.oid) END
    FROM v LEFT JOIN pg_catalog.pg_description d
      ON d.objoid = v.oid AND d.objsubid = 0 AND d.classoid = 'pg_catalog.pg_class'::regclass"""
_COLUMNS = f"""
    WITH v AS ({_VISIBLE})
    SELECT v.oid, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), NOT a.attnotnull, d.description
    FROM v JOIN pg_catalog.pg_attribute a ON a.attrelid = v.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_catalog.pg_description d
      ON d.objoid = v.oid AND d.objsubid = a.attnum AND d.classoid = 'pg_catalog.pg_class'::regclass
    WHERE pg_catalog.has_table_privilege(v.oid, 'SELECT')
       OR pg_catalog.has_column_privilege(v.oid, a.attnum, 'SELECT')
    ORDER BY v.oid, a.attnum"""
_KEYS = """
    SELECT k.conrelid, a.attname FROM pg_catalog.pg_constraint k
    JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
    WHERE k.contype = 'p'"""
_FOREIGN = """
    SELECT k.oid, k.conrelid, a.attname, k.confrelid, b.attname FROM pg_catalog.pg_constraint k
    CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS u (here, there, position)
    JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.here
    JOIN pg_catalog.pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = u.there
    WHERE k.contype = 'f' AND k.conparentid = 0 ORDER BY k.conrelid, k.conname, u.position"""
# All tables above each, near and far: one between two may be closed to this account, and partitions are left out.
_INHERITS = """
    WITH RECURSIVE above (child, parent) AS (
        SELECT i.inhrelid, i.inhparent FROM pg_catalog.pg_inherits i
        UNION SELECT a.child, i.inhparent FROM above a JOIN pg_catalog.pg_inherits i ON i.inhrelid = a.parent)
    SELECT a.child, a.parent FROM above a JOIN pg_catalog.pg_class c ON c.oid = a.child
    WHERE c.relkind IN ('r', 'f') AND NOT c.relispartition"""

ROLE = """
    SELECT ARRAY['superuser', 'createrole', 'createdb', 'replication', 'bypassrls'] || held.names,
           ARRAY[r.rolsuper, r.rolcreaterole, r.rolcreatedb, r.rolreplication, r.rolbypassrls] || held.has
    FROM pg_catalog.pg_roles r, LATERAL (
        SELECT coalesce(array_agg(p.rolname::text), '{}') AS names,
               coalesce(array_agg(pg_catalog.pg_has_role(current_user, p.oid, 'MEMBER') AND NOT r.rolsuper), '{}') AS has
        FROM pg_catalog.pg_roles p
        WHERE p.rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program',
                            'pg_write_all_data', 'pg_signal_backend')) held
    WHERE r.rolname = current_user"""


def read_catalogue(connection: psycopg.Connection[Any], progress: Progress) -> tuple[Raw, tuple[str, ...]]:
    """Tables, columns, keys and references in one snapshot, with the default schema."""
    found: list[list[Any]] = []
    connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    try:
        queries = (_TABLES, _COLUMNS, _KEYS, _FOREIGN, _INHERITS)
        for done, query in enumerate(queries):
            progress("tables", done, len(queries))
            found.append(connection.execute(query).fetchall())
        schema = connection.execute("SELECT current_schema()").fetchone()
    finally:
        connection.execute("ROLLBACK")
    progress("tables", len(queries), len(queries))
    return _raw(*found), (schema[0],) if schema and schema[0] else ()


def _raw(tables: list[Any], columns: list[Any], keys: list[Any], foreign: list[Any], above: list[Any]) -> Raw:
    paths = {row[0]: (row[1], row[2]) for row in tables}
    return Raw(
        tables=[(paths[oid], _KINDS[kind], comment, rows) for oid, _, _, kind, comment, rows in tables],
        columns=[(paths[oid], *rest) for oid, *rest in columns],
        keys=[(paths[oid], name) for oid, name in keys if oid in paths],
        foreign=[
            (number, paths[oid], column, paths[other], reference)
            for number, oid, column, other, reference in foreign
            if oid in paths and other in paths
        ],
        inherits=[(paths[oid], paths[other]) for oid, other in above if oid in paths and other in paths],
    )
