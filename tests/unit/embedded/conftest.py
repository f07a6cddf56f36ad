from pathlib import Path

import pytest

from inquery.llm.embedded.decode import Decoder
from inquery.llm.embedded.runtime import Model
from inquery.llm.embedded.tokens import Tokens

TINY = Path(__file__).parent / "tiny_model"


@pytest.fixture
def model() -> Model:
    return Model.load(TINY, threads=1)


@pytest.fixture(scope="session")
def tokens() -> Tokens:
    return Tokens.load(TINY / "tokenizer.json")


@pytest.fixture
def decoder(model: Model, tokens: Tokens) -> Decoder:
    return Decoder(model, tokens)
