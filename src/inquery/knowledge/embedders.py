"""Texts as vectors: hashed n-grams that need nothing, an OpenAI-compatible server, or a registered encoder."""

from __future__ import annotations

import asyncio
import threading
import zlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Protocol
from urllib.parse import urlsplit

import numpy as np
from cachetools import LRUCache

from inquery.databases.transport.hosts import check_name
from inquery.databases.transport.outgoing import OF_SETTINGS
from inquery.errors import BadOutput, BadRequest, MissingDriver, ModelUnavailable
from inquery.language.grams import terms_of
from inquery.language.text import fold
from inquery.settings import LLMSettings, Settings, get_settings

Array = np.ndarray[Any, np.dtype[np.float32]]
FEW = 64
"""So many texts at once are questions; more are a collection."""


class Embedder(Protocol):
    """Makes vectors of unit length; `name` changes with anything that changes them."""

    name: str
    dim: int

    def embed(self, texts: Sequence[str]) -> Array:
        """One row a text."""


def unit_rows(made: Array) -> Array:
    """Each row at length one; a zero row stays zero."""
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    return (made / np.where(lengths > 0, lengths, 1)).astype(np.float32)


class HashedEmbedder:
    """Words, pairs of words and character n-grams, hashed with a sign into a fixed number of places."""

    name = "hashed-1"
    quick = True

    def __init__(self, dim: int = 384) -> None:
        self.dim = dim

    def embed(self, texts: Sequence[str]) -> Array:
        """One row a text; an empty one is the zero vector."""
        made = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in enumerate(texts):
            for feature, weight in features(text).items():
                code = zlib.crc32(feature.encode("utf-8", "surrogatepass"))
                made[row, code % self.dim] += weight if code >> 31 else -weight
        return unit_rows(made)


def features(text: str) -> dict[str, float]:
    """What a text is made of, by weight: words count most, their pairs say the order, characters forgive spelling."""
    found: dict[str, float] = {}
    words = terms_of(text)
    for word in words:
        found["w " + word] = 1.0
    for first, second in pairwise(words):
        found[f"p {first} {second}"] = 0.4
    for word in words:
        if word.isascii() and len(word) > 3:
            for start in range(len(word) - 2):
                found["c " + word[start : start + 3]] = 0.25
        elif not word.isascii():
            for character in word:
                found["c " + character] = 0.3
    return found or {"t " + fold(text): 1.0} if text.strip() else {}


class RemoteEmbedder:
    """An OpenAI-compatible endpoint; texts are sent in batches and the vectors brought to unit length."""

    BATCH = 64

    def __init__(self, settings: LLMSettings, model: str) -> None:
        try:
            from langchain_openai import OpenAIEmbeddings
        except ImportError as error:
            raise MissingDriver(str(error), engine="OpenAI", extra="openai") from error

        if settings.base_url:
            check_name(urlsplit(settings.base_url).hostname or "", OF_SETTINGS)
        self.name = f"openai-{model}"
        self._client = OpenAIEmbeddings(
            model=model,
            openai_api_base=settings.base_url or None,
            openai_api_key=settings.api_key,
            request_timeout=settings.timeout_s,
            max_retries=2,
            check_embedding_ctx_length=False,  # else it sends token numbers, which compatible servers do not take
            chunk_size=self.BATCH,
        )
        self._dim = 0

    @property
    def dim(self) -> int:
        """Known after the first call; asked for before, it makes one."""
        if not self._dim:
            self.embed(["dimension"])
        return self._dim

    @dim.setter
    def dim(self, value: int) -> None:
        self._dim = value

    def embed(self, texts: Sequence[str]) -> Array:
        """One row a text; raises ModelUnavailable when the server does not answer."""
        from openai import OpenAIError

        if not texts:
            return np.zeros((0, self._dim), dtype=np.float32)
        try:
            found = np.asarray(self._client.embed_documents(list(texts)), dtype=np.float32)
        except (OpenAIError, ValueError, TypeError, AttributeError, KeyError) as error:  # also what is no answer at all
            raise ModelUnavailable(str(error)) from error
        if found.ndim != 2 or len(found) != len(texts) or not np.isfinite(found).all():
            raise BadOutput("the embedding server gave vectors of unequal shape")
        self._dim = found.shape[1]
        return unit_rows(found)


class CachedEmbedder:
    """Remembers the last texts: one question is embedded for L2, samples and memory alike."""

    def __init__(self, inner: Embedder, entries: int = 4096) -> None:
        self.inner = inner
        self.name = inner.name
        self._kept: LRUCache[str, Array] = LRUCache(entries)
        self._lock = threading.Lock()
        self._used = False

    @property
    def dim(self) -> int:
        """The inner encoder's."""
        return self.inner.dim

    @dim.setter
    def dim(self, value: int) -> None:
        self.inner.dim = value

    @property
    def quick(self) -> bool:
        """Whether one text takes less than a change of threads: an encoder says so, and has loaded its weights."""
        return self._used and bool(getattr(self.inner, "quick", False))

    def known(self, text: str) -> Array | None:
        """The vector of a text it embedded a while ago."""
        with self._lock:
            return self._kept.get(text)

    def embed(self, texts: Sequence[str]) -> Array:
        """One row a text; whole collections are not kept, lest they crowd out the questions."""
        if len(texts) > FEW:
            return self.inner.embed(texts)
        found = {text: known for text in texts if (known := self.known(text)) is not None}
        fresh = [text for text in dict.fromkeys(texts) if text not in found]
        if fresh:
            for text, vector in zip(fresh, self.inner.embed(fresh), strict=True):
                found[text] = self._keep(text, vector)
        return np.stack([found[text] for text in texts]) if texts else self.inner.embed(texts)

    def _keep(self, text: str, vector: Array) -> Array:
        self._used = True
        kept = vector.copy()  # a row of a batch would keep the whole batch
        kept.setflags(write=False)
        with self._lock:
            self._kept[text] = kept
        return kept


async def embed_few(embedder: Embedder, texts: Sequence[str]) -> Array:
    """The vectors of a few texts, made aside unless the encoder is quick, since a change of threads costs more."""
    if isinstance(embedder, CachedEmbedder) and (
        embedder.quick or all(embedder.known(text) is not None for text in texts)
    ):
        return embedder.embed(texts)
    return await asyncio.to_thread(embedder.embed, texts)


async def embed_one(embedder: Embedder, text: str) -> Array:
    """The vector of one text."""
    made: Array = (await embed_few(embedder, [text]))[0]
    return made


Factory = Callable[[Settings], Embedder]
_factories: dict[str, Factory] = {}
_made: dict[tuple[str, str, str], Embedder] = {}


def register_embedder(name: str, factory: Factory) -> None:
    """Let `knowledge.embedder` name an encoder of a higher room or of a plugin; "embedded" replaces the start."""
    if _factories.get(name) is not factory:
        _factories[name] = factory
        _made.clear()


def embedder_for(settings: Settings | None = None, *, privacy: str = "full") -> Embedder:
    """The encoder of the settings; the embedded one is hashed n-grams until an encoder is registered.

    A connection that is `local_only` never has its texts sent to a server.
    """
    settings = settings or get_settings()
    name = settings.knowledge.embedder
    if name == "openai" and privacy == "local_only":
        name = "embedded"
    key = (name, settings.knowledge.embedding_model, settings.llm.base_url)
    if key not in _made:
        _made[key] = CachedEmbedder(_make(name, settings))
    return _made[key]


def _refuse_other_key(llm: LLMSettings) -> None:
    """The key of another provider is not for OpenAI: without a base_url, that is where embeddings are asked for."""
    if llm.api_key.get_secret_value() and not llm.base_url and llm.provider not in {"openai", "embedded", "scripted"}:
        raise BadRequest.because(
            f"llm.api_key is for {llm.provider} and is not sent to OpenAI: set llm.base_url, or knowledge.embedder to embedded",
            f"llm.api_key 用于 {llm.provider}，不会发送给 OpenAI：请设置 llm.base_url，或将 knowledge.embedder 设为 embedded",
            detail=llm.provider,
        )


def _make(name: str, settings: Settings) -> Embedder:
    if name in _factories:
        return _factories[name](settings)
    if name in ("embedded", "hashed"):
        return HashedEmbedder()
    if name == "openai" and settings.knowledge.embedding_model:
        _refuse_other_key(settings.llm)
        return RemoteEmbedder(settings.llm, settings.knowledge.embedding_model)
    raise BadRequest.because(
        "knowledge.embedder is embedded, hashed, or openai with knowledge.embedding_model",
        "knowledge.embedder 应为 embedded、hashed，或 openai（需设置 knowledge.embedding_model）",
        detail=name,
    )
