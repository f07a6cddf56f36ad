"""Search over a small grammar, checked against trying every text."""

import asyncio
import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pytest

from inquery.llm.embedded.decode import Decoder
from inquery.llm.embedded.runtime import log_softmax

PROMPT = [30, 31, 32, 33, 34]
SLOTS = (("from",), ("singer", "singers", "concert"), ("show",), ("singer.name", "singer", "1", "12", "'New York'"))


@dataclass(frozen=True)
class Line:
    """The grammar of texts with one word from every slot; `early` says whether it may stop after two."""

    slots: tuple[tuple[str, ...], ...] = SLOTS
    at: int = 0
    early: bool = False

    @property
    def done(self) -> bool:
        return self.at == len(self.slots) or (self.early and self.at == 2)

    def allowed(self) -> Iterable[str]:
        return self.slots[self.at] if self.at < len(self.slots) else ()

    def advance(self, word: str) -> "Line":
        assert word in self.slots[self.at]
        return Line(self.slots, self.at + 1, self.early)


def texts(slots: tuple[tuple[str, ...], ...]) -> list[tuple[str, ...]]:
    return list(itertools.product(*slots))


def test_a_wide_beam_finds_every_text_of_the_grammar(decoder: Decoder) -> None:
    with decoder.model.prefill(PROMPT) as state:
        found = decoder.beam(state, Line(), width=40, n=40, margin=99)
    assert {written.words for written in found} == set(texts(SLOTS))
    assert [w.logprob for w in found] == sorted((w.logprob for w in found), reverse=True)


def test_what_is_forced_between_two_choices_counts(decoder: Decoder) -> None:
    slots = (("from",), ("singer", "concert"), ("show",), ("1", "2"))
    begin = decoder.tokens.word("from")
    with decoder.model.prefill(PROMPT) as state:
        found = decoder.beam(state, Line(slots), width=4, n=4, margin=99)
        whole = [[token for word in written.words for token in decoder.tokens.word(word)] for written in found]
        expected = decoder.model.score(state, [*whole, begin])
    assert len(found) == 4
    for written, score in zip(found, expected, strict=False):
        assert written.logprob == pytest.approx(score - expected[-1], abs=2e-2)


def test_the_score_counts_from_the_first_choice_to_the_last(decoder: Decoder) -> None:
    slots = (("from",), ("singer", "concert"))
    with decoder.model.prefill(PROMPT) as state:
        found = decoder.beam(state, Line(slots), width=4, n=4)
        forced = decoder.tokens.word("from")
        logits = decoder.model.prefill([*PROMPT, *forced]).logits
    options = {word: decoder.tokens.word(word) for word in slots[1]}
    shared = next(i for i, (a, b) in enumerate(zip(*options.values(), strict=False)) if a != b)
    assert shared == 0
    for written in found:
        expected = float(log_softmax(logits)[options[written.words[1]][0]])
        assert written.logprob == pytest.approx(expected, abs=1e-2)
        assert written.least == pytest.approx(math.exp(expected), abs=1e-2)


def test_forced_words_cost_no_call(decoder: Decoder) -> None:
    with decoder.model.prefill(PROMPT) as state:
        before = decoder.model.calls
        (written,) = decoder.beam(state, Line((("from",), ("singer",), ("show",))), width=1)
        assert decoder.model.calls == before
        assert written.text == "from singer show"
        decoder.beam(state, Line((("from",), ("show", "where"), ("singer",))), width=1)
        assert decoder.model.calls == before + 1


def test_greedy_takes_the_likeliest_choice_each_time(decoder: Decoder) -> None:
    with decoder.model.prefill(PROMPT) as state:
        (greedy,) = decoder.beam(state, Line(), width=1)
        everything = decoder.beam(state, Line(), width=40, n=40, margin=99)
    assert greedy.words in set(texts(SLOTS))
    assert greedy.logprob <= everything[0].logprob + 1e-2


def test_a_text_may_end_early(decoder: Decoder) -> None:
    with decoder.model.prefill(PROMPT) as state:
        found = decoder.beam(state, Line(early=True), width=40, n=60, margin=99)
    assert ("from", "singer") in {written.words for written in found}
    assert len(found) == 3 + len(texts(SLOTS))


def test_hypotheses_far_behind_are_given_up(decoder: Decoder) -> None:
    with decoder.model.prefill(PROMPT) as state:
        everything = decoder.beam(state, Line(), width=40, n=40, margin=99)
        near = decoder.beam(state, Line(), width=40, n=40, margin=2)
    assert 0 < len(near) < len(everything)
    assert near[0].words == everything[0].words
    assert near[0].logprob == pytest.approx(everything[0].logprob, abs=1e-2)


def test_samples_are_texts_of_the_grammar_and_follow_the_seed(decoder: Decoder) -> None:
    with decoder.model.prefill(PROMPT) as state:
        first = decoder.sample(state, Line(), n=8, temperature=1.5, seed=1)
    with decoder.model.prefill(PROMPT) as state:
        again = decoder.sample(state, Line(), n=8, temperature=1.5, seed=1)
    assert [w.words for w in first] == [w.words for w in again]
    assert {w.words for w in first} <= set(texts(SLOTS))
    assert len({w.words for w in first}) == len(first) > 1


def test_a_cold_sample_is_the_greedy_text(decoder: Decoder) -> None:
    with decoder.model.prefill(PROMPT) as state:
        (sampled,) = decoder.sample(state, Line(), n=3, temperature=1e-3)
        (greedy,) = decoder.beam(state, Line(), width=1)
    assert sampled.words == greedy.words


def test_texts_past_the_limit_are_dropped(decoder: Decoder) -> None:
    slots = tuple(("singer", "concert") for _ in range(60))
    with decoder.model.prefill(PROMPT) as state:
        assert decoder.beam(state, Line(slots), width=2, limit=20) == []


def test_given_texts_are_scored_like_the_model_scores_their_tokens(decoder: Decoder) -> None:
    words = ("from", "singer", "show", "'New York'")
    line = [token for word in words for token in decoder.tokens.word(word)]
    with decoder.model.prefill(PROMPT) as state:
        scores = decoder.score(state, [words, ("from", "concert")])
        (expected,) = decoder.model.score(state, [[*line, decoder.model.end]])
    assert scores[0] == pytest.approx(expected, abs=1e-2)
    assert not np.isclose(scores[0], scores[1])


def test_a_verdict_is_what_the_model_would_say_behind_the_whole_text(
    decoder: Decoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inquery.llm.embedded.decode.VERDICTS", ("concert", "singer"))
    words = [("from", "singer", "show", "1"), ("from", "concert")]
    wrong, right = (decoder.tokens.word(word)[0] for word in ("concert", "singer"))
    with decoder.model.prefill(PROMPT) as state:
        found = decoder.verdicts(state, words)
    for text, verdict in zip(words, found, strict=True):
        whole = [token for word in text for token in decoder.tokens.word(word)]
        with decoder.model.prefill([*PROMPT, *whole, decoder.model.end]) as state:
            assert verdict == pytest.approx(float(state.logits[right] - state.logits[wrong]), abs=2e-2)
    with decoder.model.prefill(PROMPT) as state:
        assert decoder.verdicts(state, [["1"] * state.room]) == [], "there is no room for it, so nothing is said"


async def test_a_search_runs_beside_the_loop(decoder: Decoder) -> None:
    with decoder.model.prefill(PROMPT) as state:
        found = await asyncio.to_thread(decoder.beam, state, Line(), width=2, n=2)
    assert len(found) == 2


def test_a_search_that_fills_the_model_gives_what_was_done_by_then(decoder: Decoder) -> None:
    endless = Line((("from", "show"),) * 400, early=True)
    with decoder.model.prefill(PROMPT * 70) as state:
        found = decoder.beam(state, endless, width=8, n=8, margin=math.inf, limit=400)
        assert state.used <= decoder.model.positions
    assert {len(written.words) for written in found} == {2}
