"""Which model a name means: a saved one, the one that ships, or a provider and its model."""

from __future__ import annotations

from inquery.llm.providers import refuse_keyless, withhold_key
from inquery.settings import LLMSettings, Settings
from inquery.store import open_store
from inquery.store.model_rows import OWN, SavedModels


def choose_model(name: str, settings: Settings) -> LLMSettings:
    """The settings of a saved model or of the embedded one; raises NotFound with the nearest names.

    Doors that many people use take no more than this: where data is sent is an administrator's decision.
    """
    if name.casefold() == OWN:
        return settings.llm.model_copy(update={"provider": OWN, "model": ""})
    return SavedModels(open_store(settings)).get(name).settings(settings.llm)


def choose_any_model(name: str, settings: Settings) -> LLMSettings:
    """The same, and `provider:model` for whoever has the settings in hand; a stored key goes to its own place alone."""
    provider, colon, model = name.partition(":")
    # A Windows path has a colon too, but no provider has one letter.
    if not colon or len(provider) == 1:
        return choose_model(name, settings)
    stored = settings.llm
    made = withhold_key(stored, stored.model_copy(update={"provider": provider, "model": model})).with_own_key()
    refuse_keyless(stored, made, own=bool(made.api_key.get_secret_value()))
    return made
