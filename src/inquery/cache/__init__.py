"""Answers kept for next time: keys first, then thread, exact and semantic."""

from inquery.cache.answer_key import CacheKey, names_of, normal, today_bucket
from inquery.cache.caches import Caches, open_caches
from inquery.cache.entry import CacheEntry
from inquery.cache.exact import ExactCache, MemoryExactCache, RedisExactCache, open_exact
from inquery.cache.semantic import SemanticCache, SimilarStatement
from inquery.cache.slots import same_slots, slots
from inquery.cache.thread import ThreadCache, file_proof

__all__ = [
    "CacheEntry",
    "CacheKey",
    "Caches",
    "ExactCache",
    "MemoryExactCache",
    "RedisExactCache",
    "SemanticCache",
    "SimilarStatement",
    "ThreadCache",
    "file_proof",
    "names_of",
    "normal",
    "open_caches",
    "open_exact",
    "same_slots",
    "slots",
    "today_bucket",
]
