"""Places that runs of one user hold over all workers, and an audit log that can be pruned, which it says itself."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_MOMENT = sa.DateTime(timezone=True)
_SEALED = "the audit log can only grow"


def upgrade() -> None:
    op.create_table(
        "held_places",
        sa.Column("name", sa.String(300), nullable=False),
        sa.Column("member", sa.String(64), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", "member", name="pk_held_places"),
    )
    op.create_table(
        "audit_prunings",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False, autoincrement=True),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("before", _MOMENT, nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_prunings"),
    )
    # What is older than a pruning says may go; the prunings themselves stay for ever.
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE OR REPLACE FUNCTION inquery_audit_sealed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'audit' THEN "
            "IF OLD.at < (SELECT max(before) FROM audit_prunings) THEN RETURN OLD; END IF; END IF; "
            f"RAISE EXCEPTION '{_SEALED}'; END $$"
        )
        op.execute(
            "CREATE TRIGGER audit_prunings_sealed BEFORE UPDATE OR DELETE ON audit_prunings "
            "FOR EACH ROW EXECUTE FUNCTION inquery_audit_sealed()"
        )
        return
    op.execute("DROP TRIGGER audit_no_delete")
    op.execute(
        "CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit "
        "WHEN OLD.at >= coalesce((SELECT max(before) FROM audit_prunings), '') "
        f"BEGIN SELECT RAISE(ABORT, '{_SEALED}'); END"
    )
    for event in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER audit_prunings_no_{event.lower()} BEFORE {event} ON audit_prunings "
            f"BEGIN SELECT RAISE(ABORT, '{_SEALED}'); END"
        )


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE OR REPLACE FUNCTION inquery_audit_sealed() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{_SEALED}'; END $$"
        )
    else:
        op.execute("DROP TRIGGER audit_no_delete")
        op.execute(f"CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, '{_SEALED}'); END")
    op.drop_table("audit_prunings")
    op.drop_table("held_places")
