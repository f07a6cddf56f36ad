"""Beam search and sampling over words that a grammar allows.

The grammar speaks words, the model tokens: the words allowed next form a trie of tokens, and a hypothesis is a
place in it. Where a single token is possible it is not asked for but fed along with the next question to the
model, so a step of the model is spent on choices alone. Probabilities are over the whole vocabulary, and a token that
had no rival counts as well: where the grammar forces what the model would not say, the text is less likely.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, Self

import numpy as np

from inquery.llm.embedded.runtime import Branch, Model, PromptState, log_softmax
from inquery.llm.embedded.tokens import Tokens

LIMIT = 200
VERDICTS = ("wrong", "right")
"""What a model that was trained to says of a text that is complete, in one word."""
MARGIN = 6.0
"""Nats behind the best at which a hypothesis is given up: where the model is sure, a beam is as cheap as greedy."""


class Automaton(Protocol):
    """A place in a grammar over words."""

    @property
    def done(self) -> bool:
        """Whether the text may end here."""

    def allowed(self) -> Iterable[str]:
        """The words that may follow."""

    def advance(self, word: str) -> Self:
        """The place after a word."""


@dataclass(frozen=True, slots=True)
class Written:
    """A complete text with its log-probability and the probability of its least certain choice.

    `forced` is the part of the log-probability that tokens without a rival brought, `again` what a second reading of
    the same text gave, where there was one, `verdict` by how many nats the model finds the whole right rather than wrong.
    """

    words: tuple[str, ...]
    logprob: float
    least: float
    forced: float = 0.0
    again: float | None = None
    verdict: float | None = None

    @property
    def text(self) -> str:
        """The words with single spaces between."""
        return " ".join(self.words)


@dataclass(slots=True)
class Node:
    """A node of the trie of tokens; `word` where a word ends."""

    children: dict[int, Node] = field(default_factory=dict)
    word: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hypothesis stands: the grammar's place, the node within the next word, the words so far."""

    automaton: Automaton
    node: Node
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A text begun: `pending` tokens have been chosen but not yet fed to the model."""

    place: Place
    branch: Branch
    logprob: float = 0.0
    least: float = 1.0
    forced: float = 0.0
    pending: tuple[int, ...] = ()

    @property
    def length(self) -> int:
        """Tokens so far."""
        return len(self.branch.slots) + len(self.pending)


Option = tuple[int, Place | None]
"""A token and where it leads; None is the end of the text."""
Grown = tuple[float, Hypothesis, Place | None]
"""A choice: the log-probability it brings the whole to, the hypothesis after it, and where it leads."""


class Decoder:
    """Searches texts of one grammar behind one prompt."""

    def __init__(self, model: Model, tokens: Tokens) -> None:
        self.model = model
        self.tokens = tokens

    def beam(
        self,
        state: PromptState,
        start: Automaton,
        *,
        width: int = 4,
        n: int = 1,
        margin: float = MARGIN,
        limit: int = LIMIT,
    ) -> list[Written]:
        """The best texts found by beam search, best first; width 1 is greedy."""

        def choose(grown: list[list[Grown]]) -> list[Grown]:
            going = [choice for choices in grown for choice in choices if choice[2] is not None]
            ended = [choice for choices in grown for choice in choices if choice[2] is None]
            return ended + sorted(going, key=lambda choice: -choice[0])[:width]

        # The beam keeps every ending beside its `width`; greedy ends only where the end is likeliest.
        if width == 1:
            return self._search(state, [self._begin(state, start)], greedy, 1, limit, margin)
        return self._search(state, [self._begin(state, start)], choose, n, limit, margin)

    def sample(
        self,
        state: PromptState,
        start: Automaton,
        *,
        n: int,
        temperature: float = 0.8,
        seed: int = 0,
        limit: int = LIMIT,
    ) -> list[Written]:
        """Distinct texts among n drawn ones, likeliest first."""
        random = np.random.default_rng(seed)

        def choose(grown: list[list[Grown]]) -> list[Grown]:
            return [draw(choices, random, temperature) for choices in grown if choices]

        found = self._search(state, [self._begin(state, start)] * n, choose, n, limit, math.inf)
        return list({written.words: written for written in found}.values())

    def score(self, state: PromptState, texts: Sequence[Sequence[str]]) -> list[float]:
        """Log-probabilities of complete texts, given as words, over every token and the end; none where there is no room for them."""
        lines = self._lines(texts)
        return self.model.score(state, lines) if sum(map(len, lines)) <= state.room else []

    def verdicts(self, state: PromptState, texts: Sequence[Sequence[str]]) -> list[float]:
        """By how many nats the model finds each text right rather than wrong, all of them in one call."""
        lines = self._lines(texts)
        if not lines or sum(map(len, lines)) > state.room:
            return []
        _, logits = self.model.extend(state, [(state.root, line) for line in lines])
        wrong, right = (self.tokens.word(word)[0] for word in VERDICTS)
        return [float(row[right] - row[wrong]) for row in logits]

    def _lines(self, texts: Sequence[Sequence[str]]) -> list[list[int]]:
        return [[*(token for word in words for token in self.tokens.word(word)), self.model.end] for words in texts]

    def _begin(self, state: PromptState, start: Automaton) -> Hypothesis:
        return Hypothesis(self._place(start), state.root)

    def _search(
        self,
        state: PromptState,
        live: list[Hypothesis],
        choose: Callable[[list[list[Grown]]], list[Grown]],
        n: int,
        limit: int,
        margin: float,
    ) -> list[Written]:
        """Grow hypotheses until none is left or none can beat the n best texts."""
        done: list[Written] = []
        while live:
            ready = [self._follow(hypothesis) for hypothesis in live]
            done += [ended(hypothesis) for hypothesis, options in ready if options == [(self.model.end, None)]]
            going = [(h, o) for h, o in ready if o and o != [(self.model.end, None)] and h.length < limit]
            going = hopeful(going, done, n, margin)
            # The model sees no more tokens: what is complete by now is the answer, not an error.
            if sum(len(hypothesis.pending) for hypothesis, _ in going) > state.room:
                break
            live = []
            for total, hypothesis, place in choose(self._choices(state, going)) if going else ():
                if place is None:
                    done.append(ended(replace(hypothesis, logprob=total)))
                else:
                    live.append(replace(hypothesis, logprob=total, place=place))
        return sorted(done, key=lambda written: -written.logprob)[:n]

    def _follow(self, hypothesis: Hypothesis) -> tuple[Hypothesis, list[Option]]:
        """Take every step that leaves no choice: the hypothesis and its next options."""
        place, pending = hypothesis.place, list(hypothesis.pending)
        options = self._options(place)
        while len(options) == 1 and options[0][1] is not None:
            pending.append(options[0][0])
            place = options[0][1]
            options = self._options(place)
        return replace(hypothesis, place=place, pending=tuple(pending)), options

    def _choices(self, state: PromptState, going: list[tuple[Hypothesis, list[Option]]]) -> list[list[Grown]]:
        """Feed what is pending in one call and weigh every option of every hypothesis."""
        logits = self._feed(state, going)
        found = []
        for row, (hypothesis, options) in zip(logits, going, strict=True):
            logs = log_softmax(row)[[token for token, _ in options]]
            choices: list[Grown] = []
            for (token, place), log in zip(options, logs.tolist(), strict=True):
                least = min(hypothesis.least, float(np.exp(log)))
                choices.append((hypothesis.logprob + log, replace(hypothesis, least=least, pending=(token,)), place))
            found.append(choices)
        return found

    def _feed(self, state: PromptState, going: list[tuple[Hypothesis, list[Option]]]) -> Any:
        """Logits after each hypothesis; equal hypotheses (samples that have not parted) are fed once."""
        if not any(hypothesis.pending for hypothesis, _ in going):
            return [state.logits] * len(going)
        distinct = list(dict.fromkeys((h.branch, h.pending) for h, _ in going))
        branches, logits = self.model.extend(state, distinct, every=True)
        fed = {}
        first = 0
        for key, branch in zip(distinct, branches, strict=True):
            last = first + len(key[1]) - 1
            # The first token was chosen, and was counted then; at the very start it is the same for all. The forced ones
            # behind it count too: without them a text that the grammar pushed through words the model would not say was
            # as likely as one that it meant.
            forced = sum(float(log_softmax(logits[first + i])[token]) for i, token in enumerate(key[1][1:]))
            fed[key] = branch, logits[last], forced
            first = last + 1
        rows = []
        for i, (hypothesis, options) in enumerate(going):
            branch, row, forced = fed[hypothesis.branch, hypothesis.pending]
            total = hypothesis.logprob + forced
            known = replace(hypothesis, forced=hypothesis.forced + forced)
            going[i] = replace(known, branch=branch, pending=(), logprob=total), options
            rows.append(row)
        return rows

    def _options(self, place: Place) -> list[Option]:
        """The tokens that may follow; where a word is complete, those of the next word as well."""
        options: list[Option] = [(token, replace(place, node=node)) for token, node in place.node.children.items()]
        if place.node.word is not None:
            word = place.node.word
            following = self._place(place.automaton.advance(word), (*place.words, word))
            options += [(token, replace(following, node=node)) for token, node in following.node.children.items()]
            if following.automaton.done:
                options.append((self.model.end, None))
        return options

    def _place(self, automaton: Automaton, words: tuple[str, ...] = ()) -> Place:
        """The place before the next word."""
        root = Node()
        for word in automaton.allowed():
            node = root
            for token in self.tokens.word(word):
                node = node.children.setdefault(token, Node())
            node.word = word
        return Place(automaton, root, words)


def greedy(grown: list[list[Grown]]) -> list[Grown]:
    """The likeliest choice alone, the end of the text among them."""
    return [max(grown[0], key=lambda choice: choice[0])]


def draw(choices: list[Grown], random: np.random.Generator, temperature: float) -> Grown:
    """One choice by its probability among the allowed ones."""
    weights = np.exp(log_softmax(np.array([choice[0] for choice in choices]) / max(temperature, 1e-3)))
    return choices[int(random.choice(len(choices), p=weights / weights.sum()))]


def hopeful(
    going: list[tuple[Hypothesis, list[Option]]], done: list[Written], n: int, margin: float
) -> list[tuple[Hypothesis, list[Option]]]:
    """The hypotheses worth growing: near the best of all, and able to be among the n best texts."""
    if margin == math.inf:
        return going
    # A log-probability only falls as a text grows, so what is behind the n-th best ending now stays behind it.
    ends = sorted((written.logprob for written in done), reverse=True)
    best = max([hypothesis.logprob for hypothesis, _ in going] + ends[:1], default=0.0)
    least = max([best - margin, *ends[n - 1 : n]])
    return [(hypothesis, options) for hypothesis, options in going if hypothesis.logprob >= least]


def ended(hypothesis: Hypothesis) -> Written:
    """The text of a hypothesis whose last word is complete."""
    word = hypothesis.place.node.word
    words = hypothesis.place.words if word is None else (*hypothesis.place.words, word)
    return Written(words, hypothesis.logprob, hypothesis.least, hypothesis.forced)
