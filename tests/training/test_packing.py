"""Several questions behind one schema, several schemas in a row: nothing lost, nothing mixed."""

import random

import numpy as np
import pytest
from training.packing import Group, Rows, Stream, fill_row, pack, trim_to_fit


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def group(start: int, schema: int, pairs: int, source: str = "a") -> Group:
    """A group whose token ids are all its own: schema, then (question of 3, form of 2) pairs."""
    made = [(ids(start + 100 + 10 * i, start + 101 + 10 * i, start + 102 + 10 * i),
             ids(start + 103 + 10 * i, start + 104 + 10 * i)) for i in range(pairs)]  # fmt: skip
    return Group(source, np.arange(start, start + schema, dtype=np.int32), made)


def test_a_piece_is_laid_out_with_positions_behind_its_schema_and_loss_on_the_form_alone() -> None:
    rows = Rows.blank(1, 16)
    one = group(1000, 4, 2)
    assert fill_row(rows, 0, 0, 0, one.schema, one.pairs) == 14
    assert rows.tokens[0].tolist() == [1000, 1001, 1002, 1003, 1100, 1101, 1102, 1103, 1104,
                                       1110, 1111, 1112, 1113, 1114, 0, 0]  # fmt: skip
    assert rows.positions[0].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 4, 5, 6, 7, 8, 0, 0]
    assert rows.segment[0].tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 0, 0]
    assert rows.doc[0].tolist() == [0] * 14 + [-1, -1]
    assert rows.target[0].tolist() == [-1] * 6 + [1103, 1104, -1, -1, -1, 1113, 1114, -1, -1, -1]


def test_every_question_of_a_group_comes_once_before_any_comes_again() -> None:
    stream = Stream([group(1000, 4, 7)], 19, random.Random(1))
    pieces = [next(stream.pieces) for _ in range(3)]
    assert [len(pairs) for _, pairs in pieces] == [3, 3, 1]
    assert len({int(question[0]) for _, pairs in pieces for question, _ in pairs}) == 7


def test_a_question_too_long_for_a_row_is_left_out_and_a_source_of_only_such_is_refused() -> None:
    long = group(1000, 4, 2)
    long.pairs[0] = (np.zeros(30, np.int32), ids(1))
    stream = Stream([long], 20, random.Random(1))
    _, pairs = next(stream.pieces)
    assert [int(question[0]) for question, _ in pairs] == [1110]
    with pytest.raises(ValueError, match="fits into 8 tokens"):
        Stream([long], 8, random.Random(1))


def test_packed_rows_keep_documents_apart_and_whole() -> None:
    groups = [group(1000 * i, 5, 6) for i in range(1, 9)]
    rng = random.Random(3)
    rows = pack({"a": Stream(groups, 64, rng)}, {"a": 1.0}, 4, 64, rng)
    for row in range(4):
        for doc in range(rows.doc[row].max() + 1):
            tokens = rows.tokens[row][rows.doc[row] == doc]
            assert len({int(token) // 1000 for token in tokens}) == 1
            assert tokens[:5].tolist() == [int(tokens[0]) // 1000 * 1000 + i for i in range(5)]
    assert (rows.doc >= 0).mean() > 0.8
    learned = rows.target[rows.target >= 0]
    assert set((learned % 10).tolist()) == {3, 4}


def test_the_weights_say_how_often_a_source_is_drawn() -> None:
    rng = random.Random(5)
    streams = {name: Stream([group(at, 5, 1, name)], 64, rng) for name, at in (("a", 1000), ("b", 5000))}
    rows = pack(streams, {"a": 1.0, "b": 0.0}, 8, 64, rng)
    assert not (rows.tokens >= 5000).any()
    rows = pack(streams, {"a": 1.0, "b": 3.0}, 32, 64, rng)
    drawn = rows.tokens[(rows.segment == 0) & (rows.positions == 0) & (rows.doc >= 0)]
    assert 0.6 < (drawn >= 5000).mean() < 0.9


def test_the_same_seed_packs_the_same_rows() -> None:
    def rows(seed: int) -> np.ndarray:
        rng = random.Random(seed)
        return pack({"a": Stream([group(1000 * i, 5, 9) for i in range(9)], 48, rng)}, {"a": 1.0}, 2, 48, rng).tokens

    assert (rows(1) == rows(1)).all()
    assert (rows(1) != rows(2)).any()


def test_what_is_left_of_a_row_takes_the_questions_that_fit() -> None:
    one = group(1000, 4, 3)
    assert trim_to_fit([20, 10], 20, one.schema, one.pairs) == (1, one.pairs[:1])
    assert trim_to_fit([20, 15], 20, one.schema, one.pairs) == (None, [])
