"""Runs migrations on the connection that `inquery.store.database` hands over, inside its transaction."""

from alembic import context

from inquery.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
