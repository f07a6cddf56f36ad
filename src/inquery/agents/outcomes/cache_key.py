"""The cache key of a run: every field that can change its answer."""

from __future__ import annotations

from inquery.agents.context import Context
from inquery.agents.outcomes.turns import question_of
from inquery.agents.state import State
from inquery.cache.answer_key import CacheKey, names_of, today_bucket
from inquery.databases.transport.address import Address
from inquery.llm.prompting import prompts_version
from inquery.llm.writers import model_name


def key_of(context: Context, state: State) -> CacheKey:
    """The key of the question as it is understood; a clarified reading is another question."""
    text, source = question_of(state), context.here
    known = context.keys.get(text)
    if known is not None and known.schema_version == source.catalog.version:
        return known
    options = source.connection.options
    profile = f"{context.profile.id}@{context.profile.version}" if context.profile else ""
    made = CacheKey(
        tenant=context.tenant,
        connection_id=source.id,
        permission=context.rules.hash,
        schema_version=source.catalog.version,
        dialect=source.dialect,
        model=model_name(context.model),
        prompt_version=f"{prompts_version(context.settings.prompts_folder)}:{source.glossary_version}:{profile}",
        language=state["language"],
        today_bucket=today_bucket(
            text, context.day(), week_start=options.week_start, fiscal_start=options.fiscal_year_start
        ),
        question=text,
    )
    context.keys[text] = made
    return made


def names_in(context: Context, state: State) -> tuple[str, ...]:
    """The stored values a question names, which a near question must name too."""
    return names_of(context.matches(question_of(state)))


def proof_of(context: Context) -> str:
    """The time and size of a database file; empty for servers, whose answers only age."""
    from pathlib import Path

    from inquery.cache.thread import file_proof

    address: Address = context.here.connection.address
    return file_proof(Path(address.database)) if address.scheme == "sqlite" else ""
