"""Reports: templates, bindings, runs with their values, and schedules."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_ID = sa.String(32)
_NAME = sa.String(200)
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _reports()
    _bindings()
    _runs()
    _values()
    _schedules()


def _reports() -> None:
    op.create_table(
        "reports",
        sa.Column("id", _ID, nullable=False),
        sa.Column("owner", _NAME, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("connection_id", _NAME, nullable=False),
        sa.Column("format", sa.String(10), nullable=False),
        sa.Column("template_id", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("changed", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
        sa.UniqueConstraint("owner", "name", name="uq_reports_owner"),
    )
    op.create_index("ix_reports_owner", "reports", ["owner"])
    op.create_table(
        "report_templates",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_report_templates"),
    )


def _bindings() -> None:
    op.create_table(
        "report_bindings",
        sa.Column("report_id", _ID, nullable=False),
        sa.Column("key", _ID, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("changed", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("report_id", "key", name="pk_report_bindings"),
    )


def _runs() -> None:
    op.create_table(
        "report_runs",
        sa.Column("id", _ID, nullable=False),
        sa.Column("report_id", _ID, nullable=False),
        sa.Column("owner", _NAME, nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("template_id", sa.String(64), nullable=False),
        sa.Column("started", _MOMENT, nullable=False),
        sa.Column("finished", _MOMENT),
        sa.Column("lease_holder", sa.String(64), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_report_runs"),
    )
    op.create_index("ix_report_runs_report_id", "report_runs", ["report_id"])


def _values() -> None:
    op.create_table(
        "report_values",
        sa.Column("run_id", _ID, nullable=False),
        sa.Column("key", _ID, nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("rows", sa.LargeBinary(), nullable=False),
        sa.Column("ms", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "key", name="pk_report_values"),
    )


def _schedules() -> None:
    op.create_table(
        "report_schedules",
        sa.Column("id", _ID, nullable=False),
        sa.Column("report_id", _ID, nullable=False),
        sa.Column("owner", _NAME, nullable=False),
        sa.Column("cron", sa.String(100), nullable=False),
        sa.Column("timezone", sa.String(60), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("target_encrypted", sa.Text(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("next_at", _MOMENT, nullable=False),
        sa.Column("last_run", _ID, nullable=False),
        sa.Column("last_outcome", sa.Text(), nullable=False),
        sa.Column("lease_holder", sa.String(64), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_report_schedules"),
    )
    op.create_index("ix_report_schedules_report_id", "report_schedules", ["report_id"])
    op.create_index("ix_report_schedules_next_at", "report_schedules", ["next_at"])


def downgrade() -> None:
    names = ("report_schedules", "report_values", "report_runs", "report_bindings", "report_templates", "reports")
    for table in names:
        op.drop_table(table)
