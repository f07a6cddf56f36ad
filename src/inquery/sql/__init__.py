"""The guard and the catalogue types: pure, no I/O, no model."""

from inquery.errors import SqlRefused
from inquery.sql.catalog import Catalog, Column, ForeignKey, Join, Table
from inquery.sql.guard.check import check
from inquery.sql.policy import CheckedSql, Policy

__all__ = ["Catalog", "CheckedSql", "Column", "ForeignKey", "Join", "Policy", "SqlRefused", "Table", "check"]
