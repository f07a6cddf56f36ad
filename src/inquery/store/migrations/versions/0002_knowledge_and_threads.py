"""Results, samples, glossaries, profiles, threads and their events."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_NAME = sa.String(200)
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _results()
    _samples()
    _glossaries()
    _profiles()
    _threads()
    _events()


def _results() -> None:
    op.create_table(
        "results",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("owner", _NAME, nullable=False),
        sa.Column("thread_id", _NAME, nullable=False),
        sa.Column("sql", sa.Text(), nullable=False),
        sa.Column("columns", sa.JSON(), nullable=False),
        sa.Column("rows", sa.LargeBinary(), nullable=False),
        sa.Column("row_count", sa.Integer(), nullable=False),
        sa.Column("truncated", sa.String(40)),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("expires", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_results"),
    )
    op.create_index("ix_results_thread_id", "results", ["thread_id"])
    op.create_index("ix_results_expires", "results", ["expires"])


def _samples() -> None:
    op.create_table(
        "samples",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("connection_id", _NAME, nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("sql", sa.Text(), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("dialect", sa.String(40), nullable=False),
        sa.Column("owner", _NAME, nullable=False),
        sa.Column("approved", sa.Boolean(), nullable=False),
        sa.Column("source", sa.String(40), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("checked_version", sa.String(32), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_samples"),
    )
    op.create_index("ix_samples_connection_id", "samples", ["connection_id"])


def _glossaries() -> None:
    op.create_table(
        "glossaries",
        sa.Column("connection_id", _NAME, nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("changed", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("connection_id", name="pk_glossaries"),
    )


def _profiles() -> None:
    op.create_table(
        "profiles",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("owner", _NAME, nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", "version", name="pk_profiles"),
    )
    op.create_index("ix_profiles_name", "profiles", ["name"])


def _threads() -> None:
    op.create_table(
        "threads",
        sa.Column("id", _NAME, nullable=False),
        sa.Column("owner", _NAME, nullable=False),
        sa.Column("connection_id", _NAME, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("changed", _MOMENT, nullable=False),
        sa.Column("lease_holder", sa.String(64), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_threads"),
    )
    op.create_index("ix_threads_owner", "threads", ["owner"])


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("thread_id", _NAME, nullable=False),
        sa.Column("type", sa.String(40), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("run_id", "seq", name="pk_events"),
    )
    op.create_index("ix_events_thread_id", "events", ["thread_id"])


def downgrade() -> None:
    for table in ("events", "threads", "profiles", "glossaries", "samples", "results"):
        op.drop_table(table)
