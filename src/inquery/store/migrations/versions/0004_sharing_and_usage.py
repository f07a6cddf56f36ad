"""Shared threads, saved questions, and what each user spends in a day."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_NAME = sa.String(200)
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "shares",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("thread_id", _NAME, nullable=False),
        sa.Column("owner", _NAME, nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_shares"),
        sa.UniqueConstraint("thread_id", name="uq_shares_thread_id"),
    )
    op.create_table(
        "saved_questions",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("owner", _NAME, nullable=False),
        sa.Column("connection_id", _NAME, nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("title", _NAME, nullable=False),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_saved_questions"),
    )
    op.create_index("ix_saved_questions_owner", "saved_questions", ["owner"])
    op.create_table(
        "usage",
        sa.Column("user_id", _NAME, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("model_calls", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("cache_hits", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "day", name="pk_usage"),
    )


def downgrade() -> None:
    for table in ("usage", "saved_questions", "shares"):
        op.drop_table(table)
