"""Identifiers of generated SQL: quoted only where the dialect needs it, so that people can read the text."""

from __future__ import annotations

import re

from sqlglot import exp

_ANY_CASE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
_LOWER = re.compile(r"[a-z_][a-z0-9_]*$")
_UPPER = re.compile(r"[A-Z_][A-Z0-9_]*$")
_SAFE = {"postgres": _LOWER, "oracle": _UPPER, "snowflake": _UPPER}

_RESERVED_WORDS = """
abort access add admin after aggregate all alter always analyse analyze and anti any array as asc asof assert
asymmetric at attach audit authorization backup before begin between bigint binary blob bool boolean both break
browse bulk by byte call cascade case cast change char character check checkpoint close cluster clustered
coalesce collate column columns comment commit compress compute condition configuration connect connection
constraint contains containstable continue convert count create cross cube current current_catalog current_date
current_role current_schema current_time current_timestamp current_user cursor database databases date datetime
day days dbcc deallocate dec decimal declare default deferrable delayed delete deny desc describe detach
deterministic dictionary disk distinct distinctrow distributed div do double drop dual dump duplicate each else
elseif empty enclosed end errlvl escape escaped except exclude exclusive exec execute exists exit explain
external extract false fetch file fillfactor filter final first float for force foreign format freetext freeze
from full fulltext function generated get glob global goto grant group grouping groups hash having high_priority
hold holdlock hour identified identity if ignore ilike immediate in increment index infile initial initially
inner inout insert instead int integer intersect interval into is isnull issue join key keys kill lag last
lateral lead leading leave left length level like limit linear lines load local localtime localtimestamp lock
long loop match materialized max maxextents merge min minus minute mlslabel mod mode modify month national
natural new no noaudit nocheck nocompress not nothing notify notnull nowait null nullif number numeric of off
offline offset offsets old on online only open optimize option optionally or order out outer outfile over
overlaps overlay parallel partition pctfree percent pivot placing plan pragma precision prepare primary print
prior privileges proc procedure public purge qualify quarter query raise range rank raw read reads real
recursive references regexp release rename repeat replace replication require reset resource restore restrict
return returning revoke right rlike role rollback rollup row rowcount rowid rownum rows rule sample save schema
second select semi sensitive separator session session_user set sets setuser share show shutdown similar size
smallint some sql start statistics struct successful sum symmetric synonym sysdate system table tables
tablesample temp temporary terminated textsize then time timestamp tinyint to top trailing tran transaction
treat trigger trim true truncate tsequal uid union unique unlock unnest unpivot unsigned update updatetext usage
use user using validate value values varchar varchar2 varying verbose view virtual waitfor week when whenever
where while window with within without write xor year zerofill zone
"""
RESERVED = frozenset(_RESERVED_WORDS.split())


def identifier(name: str, dialect: str) -> exp.Identifier:
    """The name as an identifier, quoted unless it is plain, of the dialect's own case and not reserved."""
    safe = _SAFE.get(dialect, _ANY_CASE)
    return exp.to_identifier(name, quoted=not safe.match(name) or name.lower() in RESERVED)
