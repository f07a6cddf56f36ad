"""The texts the model wrote, kept by what it was shown: pins then depend on the code alone.

Processors round the sums of 4-bit weights differently and close candidates change places, so that a pin of the model's
own texts holds on one kind of machine. With the tape every other step is the real one: the prompt is rendered and
tokenized, its digest finds the texts, and the grammar is asked whether it would still allow each.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from inquery.form.ast import Edition
from inquery.form.form_grammar import FormGrammar
from inquery.llm.embedded import weights
from inquery.llm.embedded.decode import Written
from inquery.llm.embedded.fitting import View
from inquery.llm.embedded.form_writer import NEVER, EmbeddedWriter
from inquery.llm.embedded.runtime import Model
from inquery.llm.embedded.tokens import Tokens
from inquery.llm.embedded.view import CONSTANTS, Reading

FILE = Path(__file__).with_name("tape.jsonl")
Texts = tuple[float, list[tuple[list[str], float, float]]]
"""How likely the model found it that there is no answer, and what it wrote."""


@dataclass
class Tape:
    """What was written behind each prompt; `missing` are prompts of this run that are not on it."""

    texts: dict[str, Texts] = field(default_factory=dict)
    recording: bool = False
    used: set[str] = field(default_factory=set)
    missing: list[str] = field(default_factory=list)

    @classmethod
    def load(cls) -> Tape:
        """The tape of the last `--write`."""
        lines = FILE.read_text("utf-8").splitlines() if FILE.exists() else []
        rows = (json.loads(line) for line in lines)
        return cls({row["prompt"]: (row.get("nothing", NEVER), [tuple(text) for text in row["texts"]]) for row in rows})

    def save(self) -> None:
        """Keep what this run used."""
        rows = (
            {"prompt": key, "nothing": self.texts[key][0], "texts": self.texts[key][1]} for key in sorted(self.used)
        )
        FILE.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


@dataclass
class Silent:
    """The shape of the packaged model without its weights, for a writer that reads from the tape."""

    shape: dict[str, Any]


class TapedWriter(EmbeddedWriter):
    """The embedded writer, whose texts come from the tape; what is not on it is asked of the model and noted."""

    def __init__(self, tape: Tape) -> None:
        info = weights.find_model()
        tokens = Tokens.load(info.folder / "tokenizer.json")
        silent = cast(Model, Silent(info.config["shape"]))
        super().__init__(f"embedded:{info.name}", silent, tokens, info.prompt_format, info.edition)
        self._tape = tape

    @cached_property
    def _live(self) -> EmbeddedWriter:
        return EmbeddedWriter.load()

    def _decode(self, view: View, reading: Reading, prompt: list[int], *, n: int) -> tuple[float, list[Written]]:
        key = prompt_digest(view, reading, prompt, n)
        kept = self._tape.texts.get(key)
        if kept is None or not all(is_allowed(view, reading, words, self._edition) for words, _, _ in kept[1]):
            if not self._tape.recording:
                self._tape.missing.append(key)
            nothing, written = self._live._decode(view, reading, prompt, n=n)
            kept = nothing, [(list(text.words), text.logprob, text.least) for text in written]
            self._tape.texts[key] = kept
        self._tape.used.add(key)
        return kept[0], [Written(tuple(words), logprob, least) for words, logprob, least in kept[1]]


def prompt_digest(view: View, reading: Reading, prompt: list[int], n: int) -> str:
    """A short name of all that the model and its grammar are given."""
    elsewhere = sorted((place, sorted(phrases)) for place, phrases in reading.elsewhere.items())
    given = [view.tokens, prompt, n, reading.values, reading.numbers, reading.periods, reading.spans, elsewhere]
    return hashlib.sha256(repr(given).encode()).hexdigest()[:20]


def is_allowed(view: View, reading: Reading, words: list[str], edition: Edition) -> bool:
    """Whether the grammar still lets the model write this text."""
    return FormGrammar(
        view.shown, view.names, values=reading.values, numbers=(*reading.numbers, *CONSTANTS), slots=reading.periods,
        spans=reading.spans, elsewhere=reading.elsewhere, edition=edition,
    ).accepts(" ".join(words))  # fmt: skip
