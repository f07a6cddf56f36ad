"""What is known of a user beside the name: row rules may go by it."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    with op.batch_alter_table("users") as table:
        table.add_column(sa.Column("attributes", sa.JSON(), nullable=False, server_default="{}"))


def downgrade() -> None:
    with op.batch_alter_table("users") as table:
        table.drop_column("attributes")
