"""Users, their sessions and keys, what they may read, and the audit log, which can only grow."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_MOMENT = sa.DateTime(timezone=True)
_ID = sa.String(32)


def upgrade() -> None:
    _users()
    _sessions()
    _keys()
    _grants()
    _audit()
    _seal_audit()


def _users() -> None:
    op.create_table(
        "users",
        sa.Column("id", _ID, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("folded", sa.String(100), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("subject", sa.String(500)),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("changed", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("folded", name="uq_users_folded"),
        sa.UniqueConstraint("subject", name="uq_users_subject"),
    )


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("user_id", _ID, nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("used", _MOMENT, nullable=False),
        sa.Column("expires", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sessions"),
    )
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])
    op.create_index("ix_sessions_expires", "sessions", ["expires"])


def _keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", _ID, nullable=False),
        sa.Column("user_id", _ID, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("prefix", sa.String(16), nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.Column("expires", _MOMENT),
        sa.Column("used", _MOMENT),
        sa.Column("revoked", _MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
        sa.UniqueConstraint("prefix", name="uq_api_keys_prefix"),
    )
    op.create_index("ix_api_keys_user_id", "api_keys", ["user_id"])


def _grants() -> None:
    op.create_table(
        "grants",
        sa.Column("id", _ID, nullable=False),
        sa.Column("connection_id", sa.String(200), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("subject", _ID, nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("created", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_grants"),
        sa.UniqueConstraint("connection_id", "kind", "subject", name="uq_grants_connection_id"),
    )
    op.create_index("ix_grants_connection_id", "grants", ["connection_id"])
    op.create_index("ix_grants_subject", "grants", ["subject"])


def _audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("user_id", sa.String(200), nullable=False),
        sa.Column("user_name", sa.String(100), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("action", sa.String(80), nullable=False),
        sa.Column("target", sa.String(200), nullable=False),
        sa.Column("connection_id", sa.String(200), nullable=False),
        sa.Column("outcome", sa.String(60), nullable=False),
        sa.Column("sql_hash", sa.String(64), nullable=False),
        sa.Column("sql", sa.Text()),
        sa.Column("rows", sa.Integer()),
        sa.Column("ms", sa.Float()),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_index("ix_audit_user_id", "audit", ["user_id"])


def _seal_audit() -> None:
    """The database itself refuses to change or remove an entry, whatever code asks it to."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION inquery_audit_sealed() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the audit log can only grow'; END $$"
        )
        op.execute(
            "CREATE TRIGGER audit_sealed BEFORE UPDATE OR DELETE ON audit "
            "FOR EACH ROW EXECUTE FUNCTION inquery_audit_sealed()"
        )
        return
    for event in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER audit_no_{event.lower()} BEFORE {event} ON audit "
            "BEGIN SELECT RAISE(ABORT, 'the audit log can only grow'); END"
        )


def downgrade() -> None:
    for table in ("audit", "grants", "api_keys", "sessions", "users"):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION inquery_audit_sealed()")
