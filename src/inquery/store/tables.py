"""The tables of Inquery's own metadata; each change has a numbered migration beside it."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from inquery.store.moments import UtcDateTime

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
    Column("created", UtcDateTime, nullable=False),
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
    Column("connection_id", String(200), nullable=False, server_default=""),
    Column("created", UtcDateTime, nullable=False),
    Column("expires", UtcDateTime, nullable=False, index=True),
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
    Column("created", UtcDateTime, nullable=False),
)

glossaries = Table(
    "glossaries",
    metadata,
    Column("connection_id", String(200), primary_key=True),
    Column("content", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("changed", UtcDateTime, nullable=False),
)

dictionaries = Table(
    "dictionaries",
    metadata,
    Column("connection_id", String(200), primary_key=True),
    Column("content", JSON, nullable=False),
    Column("changed", UtcDateTime, nullable=False),
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
    Column("created", UtcDateTime, nullable=False),
)

threads = Table(
    "threads",
    metadata,
    Column("id", String(200), primary_key=True),
    Column("owner", String(200), nullable=False, index=True),
    Column("connection_id", String(200), nullable=False),
    Column("title", Text, nullable=False),
    Column("created", UtcDateTime, nullable=False),
    Column("changed", UtcDateTime, nullable=False),
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
    Column("at", UtcDateTime, nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(100), nullable=False),
    Column("folded", String(100), nullable=False, unique=True),
    Column("role", String(20), nullable=False),
    Column("password_hash", Text, nullable=False),
    Column("subject", String(500), unique=True),
    Column("disabled", Boolean, nullable=False),
    Column("attributes", JSON, nullable=False, server_default="{}"),
    Column("created", UtcDateTime, nullable=False),
    Column("changed", UtcDateTime, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("user_id", String(32), nullable=False, index=True),
    Column("created", UtcDateTime, nullable=False),
    Column("used", UtcDateTime, nullable=False),
    Column("expires", UtcDateTime, nullable=False, index=True),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("user_id", String(32), nullable=False, index=True),
    Column("name", String(100), nullable=False),
    Column("prefix", String(16), nullable=False, unique=True),
    Column("secret_hash", String(64), nullable=False),
    Column("created", UtcDateTime, nullable=False),
    Column("expires", UtcDateTime),
    Column("used", UtcDateTime),
    Column("revoked", UtcDateTime),
)

user_groups = Table(
    "user_groups",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(100), nullable=False),
    Column("folded", String(100), nullable=False, unique=True),
    Column("created", UtcDateTime, nullable=False),
)

group_members = Table(
    "group_members",
    metadata,
    Column("group_id", String(32), primary_key=True),
    Column("user_id", String(32), primary_key=True, index=True),
)

thumbs = Table(
    "thumbs",
    metadata,
    Column("run_id", String(200), primary_key=True),
    Column("thread_id", String(200), nullable=False, index=True),
    Column("owner", String(200), nullable=False, index=True),
    Column("connection_id", String(200), nullable=False, index=True),
    Column("question", Text, nullable=False),
    Column("sql", Text, nullable=False),
    Column("verdict", String(10), nullable=False),
    Column("reason", String(20), nullable=False),
    Column("note", Text, nullable=False),
    Column("settled", Boolean, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)

grants = Table(
    "grants",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("connection_id", String(200), nullable=False, index=True),
    Column("kind", String(10), nullable=False),
    Column("subject", String(32), nullable=False, index=True),
    Column("rules", JSON, nullable=False),
    Column("created", UtcDateTime, nullable=False),
    UniqueConstraint("connection_id", "kind", "subject"),
)

audit = Table(
    "audit",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("at", UtcDateTime, nullable=False, index=True),
    Column("user_id", String(200), nullable=False, index=True),
    Column("user_name", String(100), nullable=False),
    Column("address", String(64), nullable=False),
    Column("action", String(80), nullable=False),
    Column("target", String(200), nullable=False),
    Column("connection_id", String(200), nullable=False),
    Column("outcome", String(60), nullable=False),
    Column("sql_hash", String(64), nullable=False),
    Column("sql", Text),
    Column("rows", Integer),
    Column("ms", Float),
)

audit_prunings = Table(
    "audit_prunings",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("at", UtcDateTime, nullable=False),
    Column("before", UtcDateTime, nullable=False),
    Column("entries", Integer, nullable=False),
)

held_places = Table(
    "held_places",
    metadata,
    Column("name", String(300), primary_key=True),
    Column("member", String(64), primary_key=True),
    Column("until", BigInteger, nullable=False),
)

shares = Table(
    "shares",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("thread_id", String(200), nullable=False, unique=True),
    Column("owner", String(200), nullable=False),
    Column("created", UtcDateTime, nullable=False),
)

saved_questions = Table(
    "saved_questions",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("owner", String(200), nullable=False, index=True),
    Column("connection_id", String(200), nullable=False),
    Column("question", Text, nullable=False),
    Column("title", String(200), nullable=False),
    Column("pinned", Boolean, nullable=False),
    Column("shared", Boolean, nullable=False),
    Column("created", UtcDateTime, nullable=False),
)

usage = Table(
    "usage",
    metadata,
    Column("user_id", String(200), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("runs", Integer, nullable=False),
    Column("model_calls", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("cost", Float, nullable=False),
    Column("cache_hits", Integer, nullable=False),
)

models = Table(
    "models",
    metadata,
    Column("name", String(100), primary_key=True),
    Column("content", JSON, nullable=False),
    Column("key_encrypted", Text, nullable=False),
    Column("changed", UtcDateTime, nullable=False),
)

model_usage = Table(
    "model_usage",
    metadata,
    Column("user_id", String(200), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("model", String(250), primary_key=True),
    Column("calls", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("cost", Float, nullable=False),
)

reports = Table(
    "reports",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("owner", String(200), nullable=False, index=True),
    Column("name", String(100), nullable=False),
    Column("connection_id", String(200), nullable=False),
    Column("format", String(10), nullable=False),
    Column("template_id", String(64), nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", UtcDateTime, nullable=False),
    Column("changed", UtcDateTime, nullable=False),
    UniqueConstraint("owner", "name"),
)

report_templates = Table(
    "report_templates",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

report_bindings = Table(
    "report_bindings",
    metadata,
    Column("report_id", String(32), primary_key=True),
    Column("key", String(32), primary_key=True),
    Column("state", String(20), nullable=False),
    Column("content", JSON, nullable=False),
    Column("changed", UtcDateTime, nullable=False),
)

report_runs = Table(
    "report_runs",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("report_id", String(32), nullable=False, index=True),
    Column("owner", String(200), nullable=False),
    Column("status", String(20), nullable=False),
    Column("content", JSON, nullable=False),
    Column("template_id", String(64), nullable=False),
    Column("started", UtcDateTime, nullable=False),
    Column("finished", UtcDateTime),
    Column("lease_holder", String(64), nullable=False),
    Column("lease_until", BigInteger, nullable=False),
)

report_values = Table(
    "report_values",
    metadata,
    Column("run_id", String(32), primary_key=True),
    Column("key", String(32), primary_key=True),
    Column("status", String(20), nullable=False),
    Column("content", JSON, nullable=False),
    Column("rows", LargeBinary, nullable=False),
    Column("ms", Float, nullable=False),
)

report_schedules = Table(
    "report_schedules",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("report_id", String(32), nullable=False, index=True),
    Column("owner", String(200), nullable=False),
    Column("cron", String(100), nullable=False),
    Column("timezone", String(60), nullable=False),
    Column("content", JSON, nullable=False),
    Column("target_encrypted", Text, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("next_at", UtcDateTime, nullable=False, index=True),
    Column("last_run", String(32), nullable=False),
    Column("last_outcome", Text, nullable=False),
    Column("lease_holder", String(64), nullable=False),
    Column("lease_until", BigInteger, nullable=False),
)
