"""Types of ten engines are sorted into kinds."""

import pytest

from inquery.databases.kinds import kind_of_type

KINDS = {
    "number": ["INTEGER", "Nullable(Int64)", "DECIMAL(10,2)", "NUMBER(38,0)", "UInt256", "HUGEINT", "FLOAT64", "money",
               "BIGNUMERIC", "BINARY_DOUBLE", "LowCardinality(UInt8)"],
    "text": ["VARCHAR", "LowCardinality(Nullable(String))", "nvarchar(10)", "CLOB", "Enum8('a' = 1)", "UUID", "IPv4",
             "uniqueidentifier"],
    "date": ["DATE", "Date32", "Nullable(Date)"],
    "datetime": ["TIMESTAMP WITH TIME ZONE", "DateTime64(3, 'UTC')", "TIMESTAMP_NTZ(9)", "smalldatetime", "datetime2"],
    "boolean": ["BOOLEAN", "Bool"],
    "binary": ["BLOB", "varbinary(max)", "BYTES", "LONG RAW"],
    "json": ["INTEGER[]", "Array(UInt8)", "Map(String, UInt8)", "STRUCT(a INTEGER)", "VARIANT", "row(a integer)", "JSON"],
    "other": ["TIME", "INTERVAL", "point", ""],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in KINDS.items() for name in names])
def test_kinds(kind: str, name: str) -> None:
    assert kind_of_type(name) == kind
