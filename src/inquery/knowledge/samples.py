"""Verified question–SQL pairs: found by meaning and by words, checked again whenever the schema changes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inquery.errors import BadRequest, SqlRefused, Text
from inquery.knowledge.embedders import Embedder, embed_few, embed_one, embedder_for
from inquery.knowledge.glossary_files import read_yaml
from inquery.knowledge.lexical import LexicalIndex, fused
from inquery.knowledge.vectors import Item, VectorStore, open_vectors
from inquery.language.text import fold
from inquery.settings import Settings, get_settings
from inquery.sql import Catalog, Policy, check
from inquery.store import Store, open_store, shipped_with
from inquery.store.sample_rows import SampleRow, SampleRows

DEEP = 50
LONGEST_QUESTION = 4000
LONGEST_SQL = 100_000


@dataclass(frozen=True, slots=True)
class Sample:
    """A pair near a question; `score` is the cosine of the two questions, `verified` that a person approved it."""

    question: str
    sql: str
    score: float
    verified: bool
    id: str = ""


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What a check against a new schema found."""

    good: int
    broken: tuple[SampleRow, ...]


class Samples:
    """The samples of every connection: rows in the store, their questions in the vector store."""

    def __init__(self, store: Store, vectors: VectorStore, embedder: Embedder) -> None:
        self.rows = SampleRows(store)
        self.vectors = vectors
        self.embedder = embedder
        self._lexical: dict[str, tuple[tuple[int, int], dict[str, SampleRow], LexicalIndex]] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def find(
        self, connection_id: str, question: str, *, k: int = 3, least: float = 0.6, user: str = ""
    ) -> list[Sample]:
        """The best few that the user may see and that fit the schema, best first."""
        rows, lexical = await self._indexed(connection_id)
        if not rows or k <= 0:
            return []

        def usable(each: str) -> bool:
            row = rows.get(each)
            return row is not None and not row.problem and (row.approved or row.owner == user)

        vector = await embed_one(self.embedder, question)
        cosines = await self._near(connection_id, vector, k, least, usable)
        worded = [each for each, _ in lexical.search(question, DEEP, usable)]
        near, missing = list(cosines), [each for each in worded if each not in cosines]
        if missing:
            asked = await embed_few(self.embedder, [rows[each].question for each in missing])
            cosines |= dict(zip(missing, (float(score) for score in asked @ vector), strict=True))
        ranked = fused([near, worded])
        good = [_sample(rows[each], cosines[each]) for each in ranked if cosines[each] >= least]
        wanted = _bare(question)
        good.sort(key=lambda sample: _bare(sample.question) == wanted, reverse=True)
        return _distinct(good)[:k]

    async def _near(
        self, connection_id: str, vector: Any, k: int, least: float, usable: Callable[[str], bool]
    ) -> dict[str, float]:
        """Usable samples by their cosine, best first; looked for deeper where others' samples crowd them out."""
        depth = max(DEEP, k)
        while True:
            hits = await self.vectors.search(self._space(connection_id), vector, depth)
            found = {hit.id: hit.score for hit in hits if usable(hit.id)}
            if len(found) >= k or len(hits) < depth or hits[-1].score < least:
                return found
            depth *= 8

    async def add(
        self,
        connection_id: str,
        question: str,
        sql: str,
        *,
        user: str = "",
        approved: bool = False,
        language: str = "",
        dialect: str = "",
        source: str = "user",
    ) -> SampleRow:
        """Keep a pair, for this user alone until it is approved."""
        row = _row({"question": question, "sql": sql, "language": language}, user, approved, dialect, source)
        return (await asyncio.to_thread(self.rows.add, connection_id, [row]))[0]

    async def add_all(
        self, connection_id: str, pairs: Iterable[Mapping[str, Any]], *, approved: bool, dialect: str = "", source: str
    ) -> list[SampleRow]:
        """Keep many pairs at once; those kept already stay as they are."""
        made = [_row(pair, "", approved, dialect, source) for pair in pairs]
        return await asyncio.to_thread(self.rows.add, connection_id, made)

    async def add_shipped(self, connection_id: str) -> None:
        """Keep the pairs that ship with a connection, approved."""
        if shipped := shipped_with(connection_id):
            await self.add_all(
                connection_id, shipped.samples(), approved=True, dialect=shipped.dialect, source=connection_id
            )

    async def approve(self, sample_id: str) -> SampleRow:
        """Let everyone on the connection use a pair."""
        return await asyncio.to_thread(lambda: self.rows.change(sample_id, approved=True))

    async def remove(self, sample_id: str) -> None:
        """Forget a pair."""
        connection_id, _ = await asyncio.to_thread(self.rows.get, sample_id)
        await asyncio.to_thread(self.rows.remove, sample_id)
        await self.vectors.delete(self._space(connection_id), [sample_id])

    async def list(self, connection_id: str, user: str | None = None) -> list[SampleRow]:
        """The pairs a user may see, or all."""
        return await asyncio.to_thread(self.rows.list, connection_id, user)

    async def recheck(self, connection_id: str, catalog: Catalog) -> Rechecked:
        """Check every pair against the schema; one that no longer fits is kept, flagged, and not found until it does."""
        return await asyncio.to_thread(self._recheck, connection_id, catalog)

    def _recheck(self, connection_id: str, catalog: Catalog) -> Rechecked:
        broken, good = [], 0
        for row in self.rows.list(connection_id):
            problem = problem_of(row, catalog)
            if problem != row.problem or row.checked_version != catalog.version:
                row = self.rows.change(row.id, problem=problem, checked_version=catalog.version)
            if problem:
                broken.append(row)
            else:
                good += 1
        return Rechecked(good, tuple(broken))

    async def _indexed(self, connection_id: str) -> tuple[dict[str, SampleRow], LexicalIndex]:
        """Rows and word index as the store has them now; new questions are embedded first."""
        state = await asyncio.to_thread(self.rows.state, connection_id)
        known = self._lexical.get(connection_id)
        if known is not None and known[0] == state:
            return known[1], known[2]
        async with self._locks.setdefault(connection_id, asyncio.Lock()):
            rows = {row.id: row for row in await asyncio.to_thread(self.rows.list, connection_id)}
            last = known[1] if known is not None else {}
            await self._embed_missing(connection_id, rows, last)
            index = LexicalIndex({each: row.question for each, row in rows.items()})
            self._lexical[connection_id] = (state, rows, index)
            return rows, index

    async def _embed_missing(
        self, connection_id: str, rows: Mapping[str, SampleRow], last: Mapping[str, SampleRow]
    ) -> None:
        space = self._space(connection_id)
        fresh = [row for each, row in rows.items() if each not in last]
        if last:
            await self.vectors.delete(space, [each for each in last if each not in rows])
        elif await self.vectors.count(space) == len(rows):
            return
        for start in range(0, len(fresh), 256):
            batch = fresh[start : start + 256]
            vectors = await asyncio.to_thread(self.embedder.embed, [row.question for row in batch])
            items = [Item(row.id, vector, row.question) for row, vector in zip(batch, vectors, strict=True)]
            await self.vectors.upsert(space, items)

    def _space(self, connection_id: str) -> str:
        return f"samples/{self.embedder.name}/{connection_id}"


def open_samples(settings: Settings | None = None, *, privacy: str = "full") -> Samples:
    """The samples of the settings."""
    settings = settings or get_settings()
    return Samples(open_store(settings), open_vectors(settings), embedder_for(settings, privacy=privacy))


def problem_of(row: SampleRow, catalog: Catalog) -> str:
    """Why a pair's SQL does not fit a schema, as the guard says it; empty when it fits."""
    try:
        check(row.sql, dialect=row.dialect or catalog.dialect, catalog=catalog, policy=Policy(row_cap=None))
    except SqlRefused as refused:
        return f"{refused.rule}: {refused.name}" if refused.name else refused.rule
    return ""


def dump_samples(rows: Sequence[SampleRow]) -> str:
    """Samples as YAML a person can edit."""
    import yaml

    plain = [{"question": row.question, "language": row.language, "sql": row.sql} for row in rows]
    return yaml.safe_dump(plain, allow_unicode=True, sort_keys=False, width=120)


def load_samples(text: str) -> list[dict[str, str]]:
    """Pairs from YAML, as `add_all` takes them; raises BadRequest naming the first entry that is wrong."""
    found = read_yaml(text)
    if not isinstance(found, list):
        raise _bad(Text("samples are a list of question and sql", "样例应为包含 question 和 sql 的列表"))
    for number, pair in enumerate(found, 1):
        if not isinstance(pair, dict) or not all(isinstance(pair.get(key), str) for key in ("question", "sql")):
            raise _bad(Text(f"sample {number} has no question or no sql", f"第 {number} 个样例缺少 question 或 sql"))
        _row(pair, "", False, "", "import")
    return found


def _row(pair: Mapping[str, Any], owner: str, approved: bool, dialect: str, source: str) -> SampleRow:
    question, sql = str(pair["question"]).strip(), str(pair["sql"]).strip()
    if not question or not sql or len(question) > LONGEST_QUESTION or len(sql) > LONGEST_SQL:
        raise _bad(Text("a sample has a question and a statement of sensible length", "样例需要长度合理的问题和语句"))
    language = str(pair.get("language") or ("zh" if re.search(r"[一-鿿]", question) else "en"))
    return SampleRow(question, sql, language[:8], str(pair.get("dialect") or dialect), owner, approved, source)


def _bad(reason: Text) -> BadRequest:
    return BadRequest(reason.en, reason=reason)


def _sample(row: SampleRow, score: float) -> Sample:
    return Sample(row.question, row.sql, round(min(1.0, score), 4), row.approved, row.id)


def _bare(question: str) -> str:
    return fold(question).strip(" .?!。？！")


def _distinct(found: list[Sample]) -> list[Sample]:
    """One of each statement: three users may have kept the same one."""
    kept: dict[str, Sample] = {}
    for sample in found:
        kept.setdefault(sample.sql, sample)
    return list(kept.values())
