"""Groups of users that grants may be for; thumbs with what was wrong; which database a result is of."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "user_groups",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("folded", sa.String(100), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_user_groups"),
        sa.UniqueConstraint("folded", name="uq_user_groups_folded"),
    )
    op.create_table(
        "group_members",
        sa.Column("group_id", sa.String(32), nullable=False),
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("group_id", "user_id", name="pk_group_members"),
    )
    op.create_index("ix_group_members_user_id", "group_members", ["user_id"])
    op.create_table(
        "thumbs",
        sa.Column("run_id", sa.String(200), nullable=False),
        sa.Column("thread_id", sa.String(200), nullable=False),
        sa.Column("owner", sa.String(200), nullable=False),
        sa.Column("connection_id", sa.String(200), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("sql", sa.Text(), nullable=False),
        sa.Column("verdict", sa.String(10), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_thumbs"),
    )
    for column in ("thread_id", "owner", "connection_id"):
        op.create_index(f"ix_thumbs_{column}", "thumbs", [column])
    with op.batch_alter_table("results") as table:
        table.add_column(sa.Column("connection_id", sa.String(200), nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("results") as table:
        table.drop_column("connection_id")
    for name in ("thumbs", "group_members", "user_groups"):
        op.drop_table(name)
