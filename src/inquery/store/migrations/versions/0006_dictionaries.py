"""Data dictionaries: what tables, columns and codes mean, one a connection."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "dictionaries",
        sa.Column("connection_id", sa.String(200), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("connection_id", name="pk_dictionaries"),
    )


def downgrade() -> None:
    op.drop_table("dictionaries")
