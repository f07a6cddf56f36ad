"""The default writer: a small model in this process, which writes a form that code turns into SQL."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cachetools import LRUCache

from inquery.errors import ModelMissing
from inquery.form.ast import Source, walk_tree
from inquery.form.form_grammar import FormGrammar
from inquery.form.join_paths import FormSchema
from inquery.form.name_words import FormError, NameMap
from inquery.form.reader import read_form
from inquery.form.to_sql import to_tree
from inquery.language.text import language_of
from inquery.llm.embedded import weights
from inquery.llm.embedded.decode import Decoder, Written
from inquery.llm.embedded.headings import headed
from inquery.llm.embedded.measures import Meanings, expanded, understood, with_measures
from inquery.llm.embedded.percents import fractions, scaled
from inquery.llm.embedded.prompt import PromptTable, question_text, schema_text
from inquery.llm.embedded.runtime import Model, PromptState, give_back
from inquery.llm.embedded.spoken import Values, as_stored, spoken_names, spoken_values
from inquery.llm.embedded.tokens import Tokens
from inquery.llm.embedded.units import in_units, units
from inquery.llm.embedded.view import CONSTANTS, Reading, prompt_tables, read_question
from inquery.llm.usage import current_usage
from inquery.llm.writer import Candidate, Failure, Measure, SchemaView, WriteRequest, verified_candidates
from inquery.sql import Table
from inquery.sql.catalog import with_references

BEAM = 4
SCHEMA_TOKENS = 1100
"""A larger schema is cut to its most relevant tables: reading costs 3 ms a token. Training saw up to 1,600."""
QUESTION_TOKENS = 400
KEPT_VIEWS = 16
SURE = 0.8
"""A text with this share of the probability is not weighed against the others again."""
FAR = 10.0
"""Nats behind the first at which a text is no alternative: it leaves out what was asked."""
BEST = 5
"""So many tables are taken by relevance before those that join them."""


@dataclass(frozen=True, slots=True)
class View:
    """A schema made ready once: its names, its join graph, and its part of the prompt."""

    tables: tuple[Table, ...]
    names: NameMap
    schema: FormSchema
    shown: FormSchema
    meanings: Meanings
    prompt: tuple[PromptTable, ...]
    values: Values
    tokens: tuple[int, ...]


class EmbeddedWriter:
    """Writes SQL with the packaged model; every name it produces is in the schema it was shown."""

    def __init__(self, name: str, model: Model, tokens: Tokens) -> None:
        self.name = name
        self._model = model
        self._tokens = tokens
        self._decoder = Decoder(model, tokens)
        self._views: LRUCache[tuple[SchemaView, tuple[Measure, ...], str], View] = LRUCache(KEPT_VIEWS)
        self._views_lock = threading.Lock()

    @classmethod
    def load(cls, name: str = "") -> EmbeddedWriter:
        """The writer over the named model folder, or the packaged one; raises ModelMissing."""
        info = weights.find_model(name)
        return cls(
            f"embedded:{info.name}@{info.digest}", weights.load(name), Tokens.load(info.folder / "tokenizer.json")
        )

    async def write(self, request: WriteRequest) -> list[Candidate]:
        """A statement verified for this very question, or candidates from one beam search."""
        return verified_candidates(request) or await asyncio.to_thread(self._write, request, ())

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        """The next best candidates that differ from the failed statement."""
        return await asyncio.to_thread(self._write, request, (failed.sql,))

    def _write(self, request: WriteRequest, avoid: Sequence[str]) -> list[Candidate]:
        view = self._view(request.schema, request.measures, language_of(request.question))
        reading = self._read(request, view)
        prompt = self._tokens.encode(question_text(request.question, reading.hints))
        if len(prompt) > QUESTION_TOKENS:
            raise ModelMissing.because(
                "the question is too long for the embedded model; set INQUERY_LLM__PROVIDER",
                "问题过长，内置模型无法处理；请设置 INQUERY_LLM__PROVIDER",
                detail=f"{len(prompt)} tokens",
            )
        written = self._decode(view, reading, prompt, n=request.n + len(avoid))
        give_back()
        current_usage().add(self.name, len(view.tokens) + len(prompt), sum(len(w.words) for w in written))
        close = written if avoid else [text for text in written if text.logprob > written[0].logprob - FAR]
        found = [made for text in close if (made := self._candidate(text, view, reading, request.dialect))]
        return [made for made in _distinct(found) if made.sql not in avoid][: max(request.n, 1)]

    def _read(self, request: WriteRequest, view: View) -> Reading:
        """What code finds in the question: hints for the model, literals for the grammar."""
        return read_question(
            request.question,
            view.tables,
            view.names,
            request.values,
            today=request.today,
            language=language_of(request.question),
            phrases=request.phrases,
        )

    def _decode(self, view: View, reading: Reading, prompt: list[int], *, n: int) -> list[Written]:
        grammar = FormGrammar(
            view.shown,
            view.names,
            values=reading.values,
            numbers=(*reading.numbers, *CONSTANTS),
            slots=reading.periods,
            spans=reading.spans,
            elsewhere=reading.elsewhere,
        )
        with self._model.prefill([*view.tokens, *prompt], keep=len(view.tokens)) as state:
            written = self._search(state, grammar, n=max(BEAM, n))
        return written if is_sure(written) else self._weighed(view, prompt, written)

    def _weighed(self, view: View, prompt: list[int], written: list[Written]) -> list[Written]:
        """Texts that are close to each other, in the order of what two readings say of them.

        The second reading shows the tables these texts use alone, the other way round: what a text owed to the place
        of a table in a long prompt it loses there.
        """
        words = {word for text in written for word in text.words}
        tables = [table for table in reversed(view.prompt) if table.name in words]
        tokens = [self._model.shape["bos_token_id"], *self._tokens.encode(schema_text(tables)), *prompt]
        with self._model.prefill(tokens) as state:
            again = self._decoder.score(state, [text.words for text in written])
        means = [replace(text, logprob=(text.logprob + score) / 2) for text, score in zip(written, again, strict=True)]
        return sorted(means, key=lambda text: -text.logprob)

    def _search(self, state: PromptState, grammar: FormGrammar, *, n: int) -> list[Written]:
        """The n best texts behind a prompt."""
        return self._decoder.beam(state, grammar.start(), width=n, n=n)

    def _candidate(self, written: Written, view: View, reading: Reading, dialect: str) -> Candidate | None:
        if reading.percents:
            columns = fractions(view.prompt, view.tables)
            written = replace(written, words=scaled(written.words, reading.percents, columns))
        try:
            form = as_stored(read_form(written.text, view.names), view.values, view.names)
            meant = expanded(form, view.meanings)
            if reading.magnitudes:
                meant = in_units(meant, reading.magnitudes, units(view.schema.tables))
            tree = to_tree(meant, view.schema, dialect, reading.periods, strict=True)
        except FormError:
            return None
        read_from = {source.table for source in walk_tree(form) if isinstance(source, Source)}
        stored = {column.name for name in read_from for column in view.schema.tables[name].columns}
        sql = headed(tree, dialect, form, {name for _, name in view.meanings}, stored)
        return Candidate(sql, score=written.logprob, why=written.text)

    def _view(self, schema: SchemaView, measures: tuple[Measure, ...], language: str) -> View:
        key = (schema, measures, language)
        with self._views_lock:
            view = self._views.get(key)
        if view is None:
            view = self._make_view(schema, measures, language)
            with self._views_lock:
                self._views[key] = view
        return view

    def _make_view(self, schema: SchemaView, measures: tuple[Measure, ...], language: str) -> View:
        """As many of the tables, best first, as fit; shown in a stable order, so that the prefix is reused."""
        # Prompt, grammar, names and measures all read a table's keys: what counts as one is decided here alone.
        schema = replace(schema, tables=with_references(schema.tables, schema.joins))
        kept = ranked(schema)
        while True:
            stored = tuple(sorted(kept, key=lambda table: table.path))
            form = FormSchema(stored, schema.joins)
            meanings = understood(measures, form)
            tables = with_measures(stored, meanings)
            names = spoken_names(tables, language)
            prompt = prompt_tables(tables, names, language)
            tokens = [self._model.shape["bos_token_id"], *self._tokens.encode(schema_text(prompt))]
            if len(tokens) <= SCHEMA_TOKENS or len(kept) <= 2:
                break
            kept = kept[: max(2, len(kept) * SCHEMA_TOKENS // len(tokens))] if len(kept) > 3 else kept[:-1]
        shown = FormSchema(tables, schema.joins) if meanings else form
        return View(tables, names, form, shown, meanings, prompt, spoken_values(tables, language), tuple(tokens))


def is_sure(written: Sequence[Written]) -> bool:
    """Whether the first text has nearly all of the probability that the texts found have together."""
    if len(written) < 2:
        return True
    return 1 / sum(math.exp(text.logprob - written[0].logprob) for text in written) >= SURE


def ranked(schema: SchemaView) -> list[Table]:
    """Tables by their best column for the question; one that ties two of the best together comes before the rest."""
    order = {name: at for at, name in reversed(list(enumerate(table for table, _ in schema.relevance)))}
    tables = sorted(schema.tables, key=lambda table: order.get(table.full_name, len(order)))
    best = {table.path for table in tables[:BEST] if table.full_name in order}
    tying = [t for t in tables if t.path not in best and len({key.table for key in t.foreign_keys} & best) > 1]
    first = [table for table in tables if table.path in best]
    return [*first, *tying, *(table for table in tables if table not in first and table not in tying)]


def _distinct(candidates: list[Candidate]) -> list[Candidate]:
    return list({candidate.sql: candidate for candidate in reversed(candidates)}.values())[::-1]
