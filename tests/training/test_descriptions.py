"""Descriptions are read from one file each, in an order that stays."""

import json
from pathlib import Path

import pytest
from training.descriptions import DATA, SETS, BadDescriptions, spec_files, specs


def described(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / f"{name}.yaml").write_text(f"db_id: {name}\ntables: []\nquestions: []\n", "utf-8")
    return folder


def ids(path: Path) -> list[str]:
    return [spec["db_id"] for spec in specs(path)]


def test_a_folder_is_read_by_name_or_in_the_order_it_gives(tmp_path: Path) -> None:
    described(tmp_path, "b", "a", "c d")
    assert ids(tmp_path) == ["a", "b", "c d"]
    (tmp_path / "order.txt").write_text("c d\na\nb\n", "utf-8")
    assert ids(tmp_path) == ["c d", "a", "b"]


@pytest.mark.parametrize("order", ["a\n", "a\nb\nc\n", "a\nb\nb\n"])
def test_an_order_of_other_files_is_refused(tmp_path: Path, order: str) -> None:
    (described(tmp_path, "a", "b") / "order.txt").write_text(order, "utf-8")
    with pytest.raises(BadDescriptions, match="not the files of its folder"):
        ids(tmp_path)


@pytest.mark.parametrize("text", ["db_id: b\n", "", "- db_id: a\n"])
def test_a_file_that_describes_another_database_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.yaml").write_text(text, "utf-8")
    with pytest.raises(BadDescriptions, match="not the description of a"):
        ids(tmp_path)


def test_a_file_with_one_a_line_is_read_too(tmp_path: Path) -> None:
    lines = [{"db_id": "b"}, {"db_id": "a"}]
    (tmp_path / "some.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert ids(tmp_path / "some.jsonl") == ["b", "a"]


def test_every_folder_of_data_is_one_of_the_sets_and_no_name_is_given_twice() -> None:
    assert {path.name for path in DATA.iterdir() if path.is_dir()} == {*SETS, "systems"}
    names = [file.stem for name in SETS for file in spec_files(DATA / name)]
    assert len(names) == len({name.casefold() for name in names}) == 983


def test_no_line_is_too_long_to_be_read_in_a_diff() -> None:
    long = [
        file.name
        for name in SETS
        for file in spec_files(DATA / name)
        if max(map(len, file.read_text("utf-8").splitlines())) > 200
    ]
    assert long == []
