"""Vectors of texts: deterministic, of unit length, near where texts are alike."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from pydantic import SecretStr

from inquery.errors import BadRequest, MissingDriver, ModelUnavailable
from inquery.knowledge import embedders
from inquery.knowledge.embedders import HashedEmbedder, RemoteEmbedder, embedder_for, register_embedder
from inquery.settings import KnowledgeSettings, LLMSettings, Settings


def test_hashed_vectors_have_unit_length_and_repeat() -> None:
    texts = ["How many orders?", "各城市的客户数", "?", "🎉", "a" * 20_000]
    vectors = HashedEmbedder().embed(texts)
    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1] * 5, abs=1e-5)
    assert (HashedEmbedder().embed(texts) == vectors).all()
    assert not HashedEmbedder().embed([""]).any()


def test_hashed_vectors_are_the_same_in_another_process() -> None:
    code = "from inquery.knowledge.embedders import HashedEmbedder as H; print(float(H().embed(['销售额 by region'])[0].cumsum().sum()))"
    runs = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert runs == {f"{float(HashedEmbedder().embed(['销售额 by region'])[0].cumsum().sum())}\n"}


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        ("total revenue by region", "What is the total revenue for each region?", "customers who never ordered"),
        ("各门店的销售额", "每个门店的销售额是多少", "没有下过单的客户"),
        ("How many custmers are there", "How many customers are there", "How many returns were late"),
    ],
)
def test_alike_texts_are_near(question: str, near: str, far: str) -> None:
    asked, alike, other = HashedEmbedder().embed([question, near, far])
    assert asked @ alike > asked @ other + 0.1


class _Server(BaseHTTPRequestHandler):
    answer = "vectors"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
        data = [{"object": "embedding", "index": n, "embedding": [3.0, 4.0 * len(t), 0.0]} for n, t in enumerate(texts)]
        body = {
            "object": "list",
            "data": data,
            "model": asked["model"],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }
        content = json.dumps(body).encode() if self.answer == "vectors" else b'{"data": "no"}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    _Server.answer = "vectors"


def remote(url: str) -> RemoteEmbedder:
    return RemoteEmbedder(LLMSettings(base_url=url, api_key=SecretStr("k"), timeout_s=5), "some-model")


def test_a_compatible_server_gives_vectors_brought_to_unit_length(endpoint: str) -> None:
    embedder = remote(endpoint)
    assert embedder.dim == 3
    assert embedder.embed(["a", "bb"])[0] == pytest.approx([0.6, 0.8, 0])
    assert embedder.name == "openai-some-model"


def test_a_server_that_answers_badly_or_not_at_all_is_unavailable(endpoint: str) -> None:
    _Server.answer = "nonsense"
    with pytest.raises(ModelUnavailable):
        remote(endpoint).embed(["a"])


def test_settings_choose_the_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedders, "_factories", {})
    monkeypatch.setattr(embedders, "_made", {})
    assert embedder_for(Settings()).name == "hashed-1"
    assert embedder_for(Settings()) is embedder_for(Settings())
    with pytest.raises(BadRequest):
        embedder_for(Settings(knowledge=KnowledgeSettings(embedder="nothing")))
    secret = Settings(
        knowledge=KnowledgeSettings(embedder="openai", embedding_model="m"), llm=LLMSettings(api_key=SecretStr("k"))
    )
    assert embedder_for(secret).name == "openai-m"
    assert embedder_for(secret, privacy="local_only").name == "hashed-1"


def test_a_registered_encoder_takes_the_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedders, "_factories", {})
    monkeypatch.setattr(embedders, "_made", {})

    class Trained(HashedEmbedder):
        name = "trained-1"

    register_embedder("embedded", lambda settings: Trained(8))
    assert embedder_for(Settings()).name == "trained-1"
    assert embedder_for(Settings()).embed(["a", "b"]).shape == (2, 8)


def test_a_remote_encoder_whose_client_is_not_installed_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_openai", None)
    with pytest.raises(MissingDriver) as caught:
        RemoteEmbedder(LLMSettings(), "m")
    assert "inquery[openai]" in caught.value.public_message("zh")
