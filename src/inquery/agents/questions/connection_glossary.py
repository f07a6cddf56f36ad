"""What a connection's people call things, as nodes ask for it."""

from __future__ import annotations

import hashlib
import json
import re
from functools import lru_cache

from inquery.knowledge.glossary import Glossary, Metric, parse_glossary, plain_glossary
from inquery.knowledge.glossary_files import glossary_of
from inquery.settings import Settings
from inquery.store import Connection, open_store, shipped_with


def glossary_for(connection: Connection, settings: Settings) -> Glossary:
    """The glossary of a connection; what ships with it lies under what people added."""
    return glossary_of(connection.id, open_store(settings), _shipped(connection.id))


@lru_cache(maxsize=4)
def _shipped(connection_id: str) -> Glossary | None:
    shipped = shipped_with(connection_id)
    return parse_glossary(shipped.glossary()) if shipped else None


def version_of(glossary: Glossary) -> str:
    """A hash of the content: an answer made under another definition must not be served."""
    plain = json.dumps(plain_glossary(glossary), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def metrics_meant(glossary: Glossary, question: str) -> list[tuple[str, list[tuple[str, Metric]]]]:
    """Words of the question that name metrics a writer may be held to, longest first, each with all it may mean."""
    found = [
        (word, [(name, glossary.metrics[name]) for name in names if glossary.metrics[name].writer])
        for word, names in glossary.metrics_in(question)
    ]
    return [(word, metrics) for word, metrics in found if metrics]


def short_names(glossary: Glossary, language: str) -> dict[str, str]:
    """Short Chinese names of tables and columns: a description up to its first comma; English has the names."""
    if language != "zh":
        return {}
    found: dict[str, str] = {}
    for table, about in glossary.tables.items():
        found[table] = _short(about.description.zh)
        found |= {f"{table}.{column}": _short(text.zh) for column, text in about.columns.items()}
    return {name: text for name, text in found.items() if text}


def _short(text: str) -> str:
    return re.split(r"[，,：:；（(]", text)[0]


def uses_word(word: str, question: str) -> bool:
    """Whether a question uses a word; English words whole, Chinese ones anywhere."""
    if word.isascii():
        return re.search(rf"\b{re.escape(word)}\b", question, re.I) is not None
    return word in question
