"""The default writer: a small model in this process, which writes a form that code turns into SQL."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Sequence
from dataclasses import replace

from cachetools import LRUCache

from inquery.errors import ModelMissing
from inquery.form.ast import Edition, Source, walk_tree
from inquery.form.form_grammar import FormGrammar
from inquery.form.known_joins import with_known_joins
from inquery.form.name_words import FormError
from inquery.form.reader import read_form
from inquery.form.to_sql import to_tree
from inquery.language.text import language_of
from inquery.llm.embedded import weights
from inquery.llm.embedded.decode import Decoder, Written
from inquery.llm.embedded.durations import asked_seconds, in_column_time, shown_in_time
from inquery.llm.embedded.fitting import View, make_view
from inquery.llm.embedded.headings import headed
from inquery.llm.embedded.measures import expanded
from inquery.llm.embedded.percents import fractions, scaled
from inquery.llm.embedded.period_ends import kept_to_their_ends
from inquery.llm.embedded.periods_before import with_periods_before
from inquery.llm.embedded.prompt import FORMAT_D, PromptFormat, question_text, schema_text
from inquery.llm.embedded.runtime import Model, PromptState, give_back, log_softmax
from inquery.llm.embedded.spoken import as_stored
from inquery.llm.embedded.time_spans import asked_span, in_asked_span
from inquery.llm.embedded.tokens import Tokens
from inquery.llm.embedded.two_periods import beside_each_other, without_denied
from inquery.llm.embedded.units import in_units, units
from inquery.llm.embedded.view import CONSTANTS, Reading, read_question
from inquery.llm.usage import current_usage
from inquery.llm.writer import Candidate, Failure, Measure, SchemaView, Signs, WriteRequest, verified_candidates

BEAM = 4
QUESTION_TOKENS = 400
KEPT_VIEWS = 16
SURE = 0.8
"""A text with this share of the probability is not weighed against the others again."""
FAR = 10.0
"""Nats behind the first at which a text is no alternative: it leaves out what was asked."""
NO_ANSWER = "none"
"""The form of what the tables cannot answer. It is written of no question: how likely it is goes along with what is."""
NEVER = -12.0


class EmbeddedWriter:
    """Writes SQL with the packaged model; every name it produces is in the schema it was shown."""

    def __init__(
        self, name: str, model: Model, tokens: Tokens, style: PromptFormat = FORMAT_D, edition: Edition = "D"
    ) -> None:
        self._tells_right = bool(model.config.get("verdicts"))
        self.name = name
        self._model = model
        self._edition: Edition = edition
        self._tokens = tokens
        self._style = style
        self._decoder = Decoder(model, tokens)
        self._views: LRUCache[tuple[SchemaView, tuple[Measure, ...], str, str], View] = LRUCache(KEPT_VIEWS)
        self._views_lock = threading.Lock()

    @classmethod
    def load(cls, name: str = "") -> EmbeddedWriter:
        """The writer over the named model folder, or the packaged one; raises ModelMissing."""
        info = weights.find_model(name)
        tokens = Tokens.load(info.folder / "tokenizer.json")
        return cls(f"embedded:{info.name}@{info.digest}", weights.load(name), tokens, info.prompt_format, info.edition)

    async def write(self, request: WriteRequest) -> list[Candidate]:
        """A statement verified for this very question, or candidates from one beam search."""
        return verified_candidates(request) or await asyncio.to_thread(self._write, request, ())

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        """The next best candidates that differ from the failed statement."""
        return await asyncio.to_thread(self._write, request, (failed.sql,))

    def _write(self, request: WriteRequest, avoid: Sequence[str]) -> list[Candidate]:
        view = self.view(request)
        reading = self._read(request, view)
        prompt = self._tokens.encode(question_text(request.question, reading.hints, reading.parts))
        if len(prompt) > QUESTION_TOKENS:
            raise ModelMissing.because(
                "the question is too long for the embedded model; set INQUERY_LLM__PROVIDER",
                "问题过长，内置模型无法处理；请设置 INQUERY_LLM__PROVIDER",
                detail=f"{len(prompt)} tokens",
            )
        nothing, written = self._decode(view, reading, prompt, n=request.n + len(avoid))
        give_back()
        current_usage().add(self.name, len(view.tokens) + len(prompt), sum(len(w.words) for w in written))
        close = written if avoid else [text for text in written if text.logprob > written[0].logprob - FAR]
        found = [made for text in close if (made := self._candidate(text, view, reading, request, nothing))]
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
            style=self._style,
        )

    def _decode(self, view: View, reading: Reading, prompt: list[int], *, n: int) -> tuple[float, list[Written]]:
        """The log-probability that the tables hold no answer, and the best texts that are one."""
        grammar = FormGrammar(
            view.shown,
            view.names,
            values=reading.values,
            numbers=(*reading.numbers, *CONSTANTS),
            slots=reading.periods,
            spans=reading.spans,
            elsewhere=reading.elsewhere,
            edition=self._edition,
        )
        with self._model.prefill([*view.tokens, *prompt], keep=len(view.tokens)) as state:
            nothing = self._nothing(state, grammar)
            written = self._search(state, grammar, n=max(BEAM, n))
            if not is_sure(written):
                written = self._read_again(view, prompt, state, grammar, written)
            if self._tells_right:
                verdicts = self._decoder.verdicts(state, [text.words for text in written])
                written = [
                    replace(text, verdict=each) for text, each in zip(written, verdicts, strict=False)
                ] or written
        return nothing, written

    def _nothing(self, state: PromptState, grammar: FormGrammar) -> float:
        """How likely the model finds it that the tables hold no answer, which it says in one word.

        The word is no rival of single statements: where several would do, each of them is less likely than it.
        """
        if NO_ANSWER not in grammar.start().allowed():
            return NEVER
        return max(float(log_softmax(state.logits)[self._tokens.word(NO_ANSWER)[0]]), NEVER)

    def _read_again(
        self, view: View, prompt: list[int], state: PromptState, grammar: FormGrammar, written: list[Written]
    ) -> list[Written]:
        """Texts that are close to each other, and what a second reading writes, in the order of what both say of them.

        The second reading shows the tables these texts use alone, the other way round: what a text owed to the place
        of a table in a long prompt it loses there, and what the long prompt hid is found.
        """
        words = {word for text in written for word in text.words}
        tables = [table for table in reversed(view.prompt) if table.name in words]
        tokens = [self._model.shape["bos_token_id"], *self._tokens.encode(schema_text(tables)), *prompt]
        known = [text.words for text in written]
        with self._model.prefill(tokens) as other:
            again = self._decoder.score(other, known)
            if not again:
                return written
            # 3 of 246 questions have a right text by it alone, and none lost theirs.
            found = [text for text in self._search(other, grammar, n=BEAM) if text.words not in known]
        first = self._decoder.score(state, [text.words for text in found]) if found else []
        means = [
            replace(text, logprob=(one + two) / 2, again=two)
            for text, one, two in (
                *((text, text.logprob, score) for text, score in zip(written, again, strict=True)),
                *((text, score, text.logprob) for text, score in zip(found, first, strict=False)),
            )
        ]
        return sorted(means, key=lambda text: -text.logprob)

    def _search(self, state: PromptState, grammar: FormGrammar, *, n: int) -> list[Written]:
        """The n best texts behind a prompt."""
        return self._decoder.beam(state, grammar.start(answered=True), width=n, n=n)

    def _candidate(
        self, written: Written, view: View, reading: Reading, request: WriteRequest, nothing: float = NEVER
    ) -> Candidate | None:
        if reading.percents:
            columns = fractions(view.prompt, view.tables)
            written = replace(written, words=scaled(written.words, reading.percents, columns))
        try:
            form = as_stored(read_form(written.text, view.names), view.values, view.names)
            said = dict(reading.hints.periods)
            form = without_denied(form, request.question, said)
            form, periods = beside_each_other(form, request.question, reading.periods, said)
            named, meant = form, expanded(form, view.meanings)
            if reading.magnitudes:
                meant = in_units(meant, reading.magnitudes, units(view.schema.tables))
            if reading.durations:
                meant = in_column_time(meant, reading.durations, view.schema.tables)
            elif asked := asked_seconds(request.question):
                meant = shown_in_time(meant, asked, view.schema.tables)
                named = meant
            if self._edition == "D" and (span := asked_span(request.question)):
                meant = in_asked_span(meant, span)
            meant = kept_to_their_ends(meant, request.question, periods, reading.hints.periods)
            meant = with_periods_before(with_known_joins(meant, view.schema), periods)
            tree = to_tree(meant, view.schema, request.dialect, periods, strict=True)
        except FormError:
            return None
        read_from = {source.table for source in walk_tree(form) if isinstance(source, Source)}
        stored = {column.name for name in read_from for column in view.schema.tables[name].columns}
        sql = headed(tree, request.dialect, named, {name for _, name in view.meanings}, stored)
        return Candidate(sql, score=written.logprob, why=written.text, signs=_signs(written, nothing))

    def view(self, request: WriteRequest) -> View:
        """What the model is shown of the tables for a question."""
        language = language_of(request.question)
        known = (request.schema, request.measures, language)
        with self._views_lock:
            view = self._views.get((*known, "")) or self._views.get((*known, request.question))
        if view is None:
            view = make_view(request, language, self._begin, self._style)
            with self._views_lock:
                self._views[*known, request.question if view.for_question else ""] = view
        return view

    def _begin(self, text: str) -> list[int]:
        """The tokens of a prompt that begins with a text."""
        return [self._model.shape["bos_token_id"], *self._tokens.encode(text)]


def _signs(written: Written, nothing: float) -> Signs:
    return Signs(
        logprob=written.logprob,
        least=math.log(max(written.least, 1e-9)),
        forced=written.forced,
        again=written.logprob if written.again is None else written.again,
        words=len(written.words),
        nothing=nothing if nothing > NEVER else None,
        verdict=written.verdict,
    )


def is_sure(written: Sequence[Written]) -> bool:
    """Whether the first text has nearly all of the probability that the texts found have together."""
    if len(written) < 2:
        return True
    return 1 / sum(math.exp(text.logprob - written[0].logprob) for text in written) >= SURE


def _distinct(candidates: list[Candidate]) -> list[Candidate]:
    return list({candidate.sql: candidate for candidate in reversed(candidates)}.values())[::-1]
