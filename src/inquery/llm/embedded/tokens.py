"""Text to tokens and back, by the tokenizer.json that lies beside the weights."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class Tokens:
    """The model's byte-level vocabulary; special tokens in a text are ordinary text."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        # A question that contains "<|im_end|>" must not be able to end anything.
        tokenizer.encode_special_tokens = True
        self._tokenizer = tokenizer
        self.word = lru_cache(maxsize=50_000)(self._word)

    @classmethod
    def load(cls, path: Path) -> Tokens:
        """Read a tokenizer.json."""
        from tokenizers import Tokenizer

        return cls(Tokenizer.from_file(str(path)))

    @property
    def size(self) -> int:
        """Number of tokens."""
        return self._tokenizer.get_vocab_size()

    def encode(self, text: str) -> list[int]:
        """The tokens of a text."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens."""
        return self._tokenizer.decode(list(tokens), skip_special_tokens=False)

    def _word(self, word: str) -> tuple[int, ...]:
        """The tokens of one word of a form, with the space before it; cached as `word`."""
        return tuple(self.encode(" " + word))
