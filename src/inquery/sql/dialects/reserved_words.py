"""Words that an engine does not take for a name unless they are quoted.

SQLite's and ClickHouse's were tried on the engines, PostgreSQL's are those of pg_get_keywords(); the others are those of the
vendors' manuals. The writers of MySQL, DuckDB, BigQuery and Trino know their dialect's own.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KNOWN_TO_WRITER: frozenset[str] = frozenset()
SQLITE = _words("""
add all alter and as autoincrement between case cast check collate commit constraint create default deferrable delete
distinct drop else escape except exists foreign from group having in index insert intersect into is isnull join limit not
nothing notnull null on or order primary raise references returning select set table then to transaction union unique update
using values when where
""")
CLICKHOUSE = _words("all distinct false interval not null top true")
POSTGRES = _words("""
all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
concurrently constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp
current_user default deferrable desc distinct do else end except false fetch for foreign freeze from full grant group having
ilike in initially inner intersect into is isnull join lateral leading left like limit localtime localtimestamp natural not
notnull null offset on only or order outer overlaps placing primary references returning right select session_user similar
some symmetric table tablesample then to trailing true union unique user using variadic verbose when where window with
""")
SNOWFLAKE = _words("""
account all alter and any as between by case cast check column connect connection constraint create cross current
current_date current_time current_timestamp current_user database delete distinct drop else exists false following for from
full grant group gscluster having ilike in increment inner insert intersect into is issue join lateral left like localtime
localtimestamp minus natural not null of on or order organization qualify regexp revoke right rlike row rows sample schema
select set some start table tablesample then to trigger true try_cast union unique update using values view when whenever
where with
""")
ORACLE = _words("""
access add all alter and any as asc audit between by char check cluster column comment compress connect create current date
decimal default delete desc distinct drop else exclusive exists file float for from grant group having identified immediate
in increment index initial insert integer intersect into is like lock long maxextents minus mlslabel mode modify
noaudit nocompress not nowait null number of offline on online option or order pctfree prior public raw rename resource
revoke row rows select session set share size smallint start successful synonym table then to trigger
union unique update user validate values varchar varchar2 view whenever where with
""")
TSQL = _words("""
add all alter and any as asc authorization backup begin between break browse bulk by cascade case check checkpoint close
clustered coalesce collate column commit compute constraint contains containstable continue convert create cross current
current_date current_time current_timestamp current_user cursor database dbcc deallocate declare default delete deny desc
disk distinct distributed double drop dump else end errlvl escape except exec execute exists exit external fetch file
fillfactor for foreign freetext freetexttable from full function goto grant group having holdlock identity identity_insert
identitycol if in index inner insert intersect into is join key kill left like lineno load merge national nocheck
nonclustered not null nullif of off offsets on open opendatasource openquery openrowset openxml option or order outer over
percent pivot plan precision primary print proc procedure public raiserror read readtext reconfigure references replication
restore restrict return revert revoke right rollback rowcount rowguidcol rule save schema securityaudit select session_user
set setuser shutdown some statistics system_user table tablesample textsize then to top tran transaction trigger truncate
try_convert tsequal union unique unpivot update updatetext use user values varying view waitfor when where while with
writetext
""")
