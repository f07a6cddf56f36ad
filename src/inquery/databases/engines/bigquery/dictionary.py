"""BigQuery's dictionary queries and error reasons."""

from __future__ import annotations

from inquery import errors
from inquery.databases.engines.driver_errors import SERVICE_SILENT, Patterns, by_code, by_text
from inquery.errors import InqueryError

INTROSPECTION = {
    "tables": "SELECT table_name, table_type FROM {dataset}.INFORMATION_SCHEMA.TABLES",
    "columns": """
        SELECT table_name, column_name, data_type, is_nullable FROM {dataset}.INFORMATION_SCHEMA.COLUMNS
        ORDER BY table_name, ordinal_position""",
}
# What a reader may be refused, and the catalogue can do without.
EXTRAS = {
    "rows": "SELECT table_id, row_count FROM {dataset}.__TABLES__",
    "comments": """
        SELECT table_name, option_value FROM {dataset}.INFORMATION_SCHEMA.TABLE_OPTIONS
        WHERE option_name = 'description'""",
    "descriptions": """
        SELECT table_name, column_name, description FROM {dataset}.INFORMATION_SCHEMA.COLUMN_FIELD_PATHS
        WHERE field_path = column_name AND description IS NOT NULL""",
    "keys": """
        SELECT k.table_name, k.column_name
        FROM {dataset}.INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS k
        JOIN {dataset}.INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS t ON t.constraint_name = k.constraint_name
        WHERE t.constraint_type = 'PRIMARY KEY'""",
    "foreign": """
        SELECT k.constraint_name, k.table_name, k.column_name, u.table_schema, u.table_name AS other, u.column_name AS pk
        FROM {dataset}.INFORMATION_SCHEMA.KEY_COLUMN_USAGE AS k
        JOIN {dataset}.INFORMATION_SCHEMA.TABLE_CONSTRAINTS AS t ON t.constraint_name = k.constraint_name
        JOIN {dataset}.INFORMATION_SCHEMA.CONSTRAINT_COLUMN_USAGE AS u ON u.constraint_name = k.constraint_name
        WHERE t.constraint_type = 'FOREIGN KEY'
        ORDER BY k.constraint_name, k.ordinal_position""",
}

BY_REASON = by_code(
    {
        errors.PermissionDenied: ("accessDenied",),
        errors.ResultTooLarge: ("responseTooLarge", "resourcesExceeded"),
        errors.CostTooHigh: ("bytesBilledLimitExceeded", "billingTierLimitExceeded", "quotaExceeded"),
        errors.QueryTimeout: ("timeout",),
        errors.QueryCancelled: ("stopped",),
        errors.AuthFailed: ("authError", "required"),
    }
)
# invalidQuery is one reason for every mistake in a statement: the text tells them apart.
_BY_TEXT: Patterns = (
    (r"syntax error", errors.SqlSyntax),
    (r"column name \S+ is ambiguous", errors.AmbiguousColumn),
    (r"unrecognized name|name \S+ not found inside|field name \S+ does not exist", errors.UnknownColumn),
    (r"not found: (table|dataset)|was not found in location|must be qualified with a dataset", errors.UnknownTable),
    (r"neither grouped nor aggregated|aggregate function .* not allowed|not allowed in where", errors.AggregationError),
    (r"scalar subquery (produced|cannot have)", errors.SubqueryCardinality),
    (
        r"no matching signature|bad \w+ value|could not cast|invalid (date|timestamp|datetime)|invalid cast",
        errors.TypeMismatch,
    ),
    (r"bytes billed", errors.CostTooHigh),
)
_BY_STATUS = by_code(
    {
        errors.AuthFailed: (401,),
        errors.PermissionDenied: (403,),
        errors.UnknownTable: (404,),
        errors.QueryTimeout: (408,),
    }
)


def classify(error: BaseException) -> InqueryError:
    """By the service's reason, then by text where the reason says too little, then by status."""
    if isinstance(error, InqueryError):
        return error
    text = str(error)
    for detail in getattr(error, "errors", None) or ():
        found = BY_REASON.get(detail.get("reason", "")) if isinstance(detail, dict) else None
        if found is not None:
            return found(text)
    told = by_text(_BY_TEXT, text)
    if told is not None:
        return told(text)
    status = getattr(error, "code", None)
    if status in _BY_STATUS:
        return _BY_STATUS[status](text)
    if isinstance(error, OSError) or type(error).__module__.startswith(("google.auth", "requests")):
        return errors.ConnectFailed(text, reason=SERVICE_SILENT)
    return errors.SqlFailed(text)
