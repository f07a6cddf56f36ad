"""The tables of Inquery's own metadata; each change has a numbered migration beside it."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Boolean, Column, DateTime, Integer, LargeBinary, MetaData, String, Table, Text

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
    }
)

connections = Table(
    "connections",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(100), nullable=False, unique=True),
    Column("engine", String(40), nullable=False),
    Column("shown", Text, nullable=False),
    Column("url_encrypted", Text, nullable=False),
    Column("options", JSON, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("owner", String(200), nullable=False),
    Column("thread_id", String(200), nullable=False, index=True),
    Column("sql", Text, nullable=False),
    Column("columns", JSON, nullable=False),
    Column("rows", LargeBinary, nullable=False),
    Column("row_count", Integer, nullable=False),
    Column("truncated", String(40)),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("expires", DateTime(timezone=True), nullable=False, index=True),
)

samples = Table(
    "samples",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("connection_id", String(200), nullable=False, index=True),
    Column("question", Text, nullable=False),
    Column("sql", Text, nullable=False),
    Column("language", String(8), nullable=False),
    Column("dialect", String(40), nullable=False),
    Column("owner", String(200), nullable=False),
    Column("approved", Boolean, nullable=False),
    Column("source", String(40), nullable=False),
    Column("problem", Text, nullable=False),
    Column("checked_version", String(32), nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
)

glossaries = Table(
    "glossaries",
    metadata,
    Column("connection_id", String(200), primary_key=True),
    Column("content", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("changed", DateTime(timezone=True), nullable=False),
)

profiles = Table(
    "profiles",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("name", String(100), nullable=False, index=True),
    Column("owner", String(200), nullable=False),
    Column("content", JSON, nullable=False),
    Column("removed", Boolean, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
)

threads = Table(
    "threads",
    metadata,
    Column("id", String(200), primary_key=True),
    Column("owner", String(200), nullable=False, index=True),
    Column("connection_id", String(200), nullable=False),
    Column("title", Text, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("changed", DateTime(timezone=True), nullable=False),
    Column("lease_holder", String(64), nullable=False),
    Column("lease_until", BigInteger, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("run_id", String(64), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("thread_id", String(200), nullable=False, index=True),
    Column("type", String(40), nullable=False),
    Column("content", JSON, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
)
