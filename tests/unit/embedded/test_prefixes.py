"""Schemas read by an earlier process: the very same logits from disk, and never those of anything else."""

import errno
import os
import stat
import threading
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from tests.unit.embedded.conftest import TINY

from inquery.catalog.stored import forget_catalog
from inquery.home import PREFIXES
from inquery.llm.embedded import prefixes, runtime, weights
from inquery.llm.embedded.prefixes import KEPT, keep_prefixes
from inquery.llm.embedded.runtime import Model

SCHEMA = list(range(20, 60))
QUESTION = [7, 8, 9]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / PREFIXES


def ask(folder: Path, schema: list[int] = SCHEMA, model: Model | None = None) -> tuple[np.ndarray, np.ndarray, int]:
    """What a new process computes: the logits after a question, those of a branch behind it, and the calls it took."""
    model = model or Model.load(TINY, threads=1)
    before = model.calls
    with keep_prefixes(folder), model.prefill([*schema, *QUESTION], keep=len(schema)) as state:
        _, grown = model.extend(state, [(state.root, [1, 2]), (state.root, [3])])
        return state.logits.copy(), grown.copy(), model.calls - before


def keep(folder: Path, schema: list[int] = SCHEMA) -> Path:
    """The file that a first process leaves."""
    known = set(folder.glob("*"))
    ask(folder, schema)
    (made,) = set(folder.glob("*")) - known
    return made


def test_the_next_process_computes_the_very_same_and_reads_no_schema(folder: Path) -> None:
    first, second = ask(folder), ask(folder)
    assert np.array_equal(first[0], second[0])
    assert np.array_equal(first[1], second[1])
    assert (first[2], second[2]) == (3, 2)


def test_a_schema_of_several_pieces_is_the_same_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "PIECE", 16)
    first, second = ask(folder), ask(folder)
    assert np.array_equal(first[0], second[0])
    assert (first[2], second[2]) == (5, 2)


def test_the_packaged_model_computes_the_very_same(folder: Path) -> None:
    packaged = weights.find_model().folder
    first, second = (ask(folder, model=Model.load(packaged)) for _ in range(2))
    assert np.array_equal(first[0], second[0])
    assert np.array_equal(first[1], second[1])
    assert (first[2], second[2]) == (3, 2)


def test_outside_of_a_single_question_nothing_is_written_or_read(folder: Path) -> None:
    keep(folder)
    model = Model.load(TINY, threads=1)
    with model.prefill([*SCHEMA, *QUESTION], keep=len(SCHEMA)):
        assert model.calls == 2


def test_nothing_is_written_before_the_end(folder: Path) -> None:
    model = Model.load(TINY, threads=1)
    with keep_prefixes(folder):
        model.release(model.prefill([*SCHEMA, *QUESTION], keep=len(SCHEMA)))
        assert not folder.exists()
    assert len(list(folder.iterdir())) == 1


def test_a_state_that_went_on_to_a_shorter_schema_is_not_kept_as_the_longer(folder: Path) -> None:
    model = Model.load(TINY, threads=1)
    with keep_prefixes(folder):
        model.release(model.prefill([*SCHEMA, *QUESTION], keep=len(SCHEMA)))
        model.release(model.prefill([*SCHEMA[:20], *reversed(SCHEMA)], keep=20))
    assert list(folder.glob("*")) == []


def test_another_schema_has_a_file_of_its_own(folder: Path) -> None:
    keep(folder)
    for other in (SCHEMA[:-1], [*SCHEMA[:-1], 5], [*SCHEMA, 5]):
        assert ask(folder, other)[2] == 3
    assert len(list(folder.iterdir())) == 4


def test_other_weights_another_runtime_and_another_processor_never_match(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(folder)
    other = Model.load(TINY, threads=1)
    name = next(iter(other.config["files"]))
    other.config["files"][name]["sha256"] = "0" * 64
    assert ask(folder, model=other)[2] == 3
    with monkeypatch.context() as patch:
        patch.setattr(onnxruntime, "__version__", "0.0.1")
        assert ask(folder)[2] == 3
    with monkeypatch.context() as patch:
        patch.setattr(prefixes, "_processor", lambda: ["another"])
        assert ask(folder)[2] == 3
    assert ask(folder)[2] == 2


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"more")


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def take_another(path: Path) -> None:
    """The whole file of another schema of the same length, under this name."""
    keep(path.parent, [*SCHEMA[:-1], 5]).replace(path)


@pytest.mark.parametrize("damage", [cut, lengthen, flip, empty, take_another])
def test_a_damaged_or_foreign_file_is_ignored_and_replaced(folder: Path, damage) -> None:
    cold = ask(folder)
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    damage(path)
    assert path.read_bytes() != whole
    again = ask(folder)
    assert again[2] == 3
    assert np.array_equal(again[0], cold[0])
    assert path.read_bytes() == whole


def test_four_are_kept_those_used_last(folder: Path) -> None:
    files = [keep(folder, [*SCHEMA, at]) for at in range(KEPT)]
    for age, path in enumerate(files):
        os.utime(path, (1000 + age, 1000 + age))
    ask(folder, [*SCHEMA, 0])  # the oldest is used again
    made = keep(folder, [*SCHEMA, KEPT])
    assert set(folder.iterdir()) == {files[0], *files[2:], made}


def test_what_a_killed_process_left_goes_with_the_old_ones(folder: Path) -> None:
    folder.mkdir()
    left = folder / ".left.part"
    left.write_bytes(b"half")
    os.utime(left, (1, 1))
    for at in range(KEPT):
        keep(folder, [*SCHEMA, at])
    assert not left.exists()


def test_only_the_owner_can_read_them(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = keep(tmp_path / "home" / PREFIXES)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_home_that_cannot_be_written_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert ask(tmp_path / "file" / PREFIXES)[2] == 3


def test_a_full_disk_is_no_cache_and_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        ask(folder)
    assert list(folder.glob("*")) == []


def test_several_at_once_all_compute_the_same(folder: Path) -> None:
    found: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: found.append(ask(folder)[0])) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert all(np.array_equal(found[0], each) for each in found)
    assert len(list(folder.iterdir())) == 1
    assert ask(folder)[2] == 2


def test_they_go_with_a_connection(tmp_path: Path) -> None:
    path = keep(tmp_path / PREFIXES)
    forget_catalog("shop", home=tmp_path)
    assert not path.exists()
