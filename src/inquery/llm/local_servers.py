"""Model servers of this machine, found where they usually listen."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from inquery.llm.providers import address_of, is_local
from inquery.settings import LLMSettings

LOOK_S = 0.5
"""A server of this machine answers at once, or is not there."""


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered, and the models it has."""

    provider: str
    address: str
    models: tuple[str, ...]


async def find_local_servers() -> list[LocalServer]:
    """Ollama and LM Studio, where they run; nothing but this machine is asked."""
    import httpx

    async def look(provider: str, path: str, listed: str, name: str) -> LocalServer | None:
        settings = LLMSettings(provider=provider)
        if not is_local(settings):  # OLLAMA_HOST may name another machine, which nobody asked to look at
            return None
        address = address_of(settings)
        try:
            answer = await client.get(address.rstrip("/") + path)
            models = tuple(str(each[name]) for each in answer.json()[listed])
        except (httpx.HTTPError, ValueError, KeyError, TypeError):
            return None
        return LocalServer(provider, address, models)

    async with httpx.AsyncClient(timeout=LOOK_S, trust_env=False) as client:
        found = await asyncio.gather(
            look("ollama", "/api/tags", "models", "name"), look("lmstudio", "/models", "data", "id")
        )
    return [server for server in found if server is not None and server.models]
