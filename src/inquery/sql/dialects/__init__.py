"""SQL dialects: a record of facts each, and the grammar that is made from it."""

from inquery.sql.dialects.grammar import Grammar, grammar, quoted_identifier
from inquery.sql.dialects.lookup import DIALECTS
from inquery.sql.dialects.record import DateForms, Dialect, Fence, FunctionList, guard_list

__all__ = [
    "DIALECTS",
    "DateForms",
    "Dialect",
    "Fence",
    "FunctionList",
    "Grammar",
    "grammar",
    "guard_list",
    "quoted_identifier",
]
