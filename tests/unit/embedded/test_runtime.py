"""The runtime against plain arithmetic (tiny_logits.json, see make_tiny.py) and against itself."""

import json
import threading
from pathlib import Path

import numpy as np
import pytest
from tests.unit.embedded.make_tiny import SEQUENCES

from inquery.errors import ModelMissing
from inquery.llm.embedded import runtime
from inquery.llm.embedded.runtime import KEPT_STATES, Model, log_softmax

EXPECTED = json.loads((Path(__file__).parent / "tiny_logits.json").read_text())
PROMPT = list(range(20, 60))


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


@pytest.mark.parametrize(("sequence", "expected"), list(zip(SEQUENCES, EXPECTED, strict=True)))
def test_logits_are_those_of_plain_arithmetic(model: Model, sequence: list[int], expected: list[float]) -> None:
    # Activations are rounded to 8 bits, half a percent a matrix; any wiring error falls far below this.
    assert cosine(model.prefill(sequence).logits, np.array(expected)) > 0.995


def test_a_prompt_in_two_parts_is_the_prompt(model: Model) -> None:
    whole = model.prefill(PROMPT).logits
    assert np.allclose(model.prefill(PROMPT, keep=25).logits, whole, atol=1e-3)


def test_a_warm_prompt_gives_the_very_same_logits(model: Model) -> None:
    with model.prefill(PROMPT, keep=30) as cold:
        expected = cold.logits.copy()
        model.extend(cold, [(cold.root, [1, 2, 3])])
    calls = model.calls
    with model.prefill(PROMPT, keep=30) as warm:
        assert np.array_equal(warm.logits, expected)
    assert model.calls == calls + 1


def test_a_schema_serves_another_question(model: Model) -> None:
    schema, other = PROMPT[:30], [7, 8, 9]
    model.release(model.prefill(PROMPT, keep=30))
    with model.prefill([*schema, *other], keep=30) as warm:
        assert np.allclose(warm.logits, Model.load(model.folder).prefill([*schema, *other]).logits, atol=1e-3)


def test_two_questions_at_once_do_not_share_a_buffer(model: Model) -> None:
    first = model.prefill(PROMPT, keep=30)
    second = model.prefill([*PROMPT[:30], 3, 4], keep=30)
    _, before = model.extend(first, [(first.root, [11])])
    model.extend(second, [(second.root, [12, 13])])
    _, after = model.extend(first, [(first.root, [11])])
    assert np.allclose(before, after, atol=1e-4)


def test_branches_do_not_see_each_other(model: Model) -> None:
    state = model.prefill(PROMPT)
    branches, _ = model.extend(state, [(state.root, [1, 2, 3]), (state.root, [4]), (state.root, [5, 6])])
    _, logits = model.extend(state, [(branches[1], [9, 8]), (branches[0], [7]), (branches[2], [1])])
    for row, path in zip(logits, ([4, 9, 8], [1, 2, 3, 7], [5, 6, 1]), strict=True):
        assert np.allclose(row, Model.load(model.folder).prefill(PROMPT + path).logits, atol=1e-3)


def test_a_buffer_grows_and_keeps_what_it_holds(model: Model) -> None:
    state = model.prefill(PROMPT)
    small = state.capacity
    while state.used <= small:
        model.extend(state, [(state.root, [1] * 40)])
    assert state.capacity > small
    _, logits = model.extend(state, [(state.root, [2, 3])])
    assert np.allclose(logits[0], Model.load(model.folder).prefill([*PROMPT, 2, 3]).logits, atol=1e-3)


def test_scores_are_sums_of_log_probabilities(model: Model) -> None:
    state = model.prefill(PROMPT)
    texts = [[5, 6, 7], [8], [5, 9]]
    scores = model.score(state, texts)
    for text, score in zip(texts, scores, strict=True):
        seen, total = list(PROMPT), 0.0
        for token in text:
            total += float(log_softmax(model.prefill(seen).logits)[token])
            seen.append(token)
        assert score == pytest.approx(total, abs=1e-2)


def test_only_a_few_prompts_are_kept(model: Model) -> None:
    for first in range(KEPT_STATES + 3):
        model.release(model.prefill([first, *PROMPT], keep=20))
    assert len(model._kept) == KEPT_STATES
    model.release(model.prefill([KEPT_STATES + 2, *PROMPT], keep=20))
    assert len(model._kept) == KEPT_STATES


def test_a_prompt_that_does_not_fit_is_refused(model: Model) -> None:
    with pytest.raises(ValueError, match="tokens"):
        model.prefill([1] * (model.positions + 1))
    with pytest.raises(ValueError, match="keep"):
        model.prefill(PROMPT, keep=len(PROMPT))


def test_threads_share_a_model(model: Model) -> None:
    expected = {first: model.prefill([first, *PROMPT]).logits.copy() for first in range(4)}
    wrong: list[int] = []

    def ask(first: int) -> None:
        for _ in range(5):
            with model.prefill([first, *PROMPT]) as state:
                if not np.allclose(state.logits, expected[first], atol=1e-4):
                    wrong.append(first)

    threads = [threading.Thread(target=ask, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"config\.json"):
        Model.load(tmp_path)


def test_a_prompt_read_in_pieces_ends_in_the_same_logits(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    prompt = [1 + i % 200 for i in range(90)]
    with model.prefill(prompt) as state:
        whole = state.logits
    monkeypatch.setattr(runtime, "PIECE", 7)
    with model.prefill(prompt, keep=40) as state:
        assert np.allclose(state.logits, whole, atol=1e-4)


def test_memory_can_be_given_back_at_any_time() -> None:
    runtime.give_back()
    runtime.give_back()
