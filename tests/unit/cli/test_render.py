"""An answer in the terminal."""

import io
import re
from itertools import pairwise

import pytest
from rich.cells import cell_len
from rich.console import Console

from inquery.answers.answer import Answer, AnswerColumn
from inquery.cli.answer_output import show_answer, show_text

WORDS = "Revenue was highest in the northern region, followed by the western and the southern regions."


def shown(text: str, *, terminal: bool, width: int = 30) -> str:
    out = io.StringIO()
    show_text(Console(file=out, width=width, force_terminal=terminal, highlight=False, color_system=None), text)
    return out.getvalue()


def test_lines_break_between_words_in_a_terminal() -> None:
    lines = shown(WORDS, terminal=True).splitlines()
    assert len(lines) > 2
    assert all(len(line.rstrip()) <= 30 for line in lines)
    assert " ".join(word for line in lines for word in line.split()) == WORDS


def test_chinese_fits_the_width_and_breaks_neither_dates_nor_before_commas() -> None:
    text = (
        "共11条结果：2026-01（1,323）、2026-02（978）、2026-03（1,200）等。从2026-01到2026-11，订单由1,323变为1,032。"
    )
    for width in range(16, 60):
        lines = shown(text, terminal=True, width=width).splitlines()
        assert all(cell_len(line) <= width for line in lines)
        assert "".join(lines) == text
        assert not any(line[0] in "，。、）" or (re.search(r"\d-?$", line) and re.match(r"[-\d]", after)) for line, after in pairwise([*lines, ""]))  # fmt: skip


def test_a_word_wider_than_the_terminal_is_left_whole() -> None:
    assert shown("x" * 40 + " y", terminal=True).split() == ["x" * 40, "y"]


def test_a_pipe_gets_the_lines_as_they_are() -> None:
    assert shown(WORDS, terminal=False) == WORDS + "\n"


def test_the_answer_comes_first_then_reading_table_and_sql(capsys) -> None:  # type: ignore[no-untyped-def]
    answer = Answer(
        status="answered",
        question="?",
        sql="SELECT 1",
        text="Return rate: 4.75%. 3 rows are left out.",
        columns=[AnswerColumn(name="region", words={"e": "east"}), AnswerColumn(name="r", label="return rate", format="fraction")],
        rows=[["e", 0.0475]],
        row_count=1,
        reading={"text": "return rate · database shop"},
        warnings=["3 rows are left out.", "another"],
        followups=["And by month?"],
    )  # fmt: skip
    show_answer(answer)
    said = capsys.readouterr()
    places = [said.out.index(part) for part in (answer.text, "database shop", "return rate  ", "east", "SELECT 1", "And by month?")]  # fmt: skip
    assert places == sorted(places)
    assert "4.75%" in said.out.split("database shop")[1]
    assert "another" in said.err
    assert "left out" not in said.err


def test_figures_are_grouped_years_and_numbers_of_things_are_not_and_what_is_missing_is_a_dash(capsys) -> None:
    columns = [AnswerColumn(name=name, kind="number") for name in ("年份", "order_id", "orders", "revenue", "去年")]
    show_answer(Answer(question="?", status="answered", columns=columns, rows=[[2026, 10482, 2855, 0.1 + 0.2, None]]))
    shown = capsys.readouterr().out
    assert [word for word in shown.splitlines()[3].split() if word] == ["2026", "10482", "2,855", "0.3", "—"]


@pytest.mark.parametrize(
    ("language", "approved", "defined"),
    [
        ("en", "verified, approved by a person", "verified, from accepted definitions"),
        ("zh", "已核实，经人工审核", "已核实，依据已认可的口径"),
    ],
)
def test_who_vouches_for_an_answer_is_told(capsys, language: str, approved: str, defined: str) -> None:  # type: ignore[no-untyped-def]
    answer = Answer(question="?", status="answered", language=language, grade="verified", text="7.")
    show_answer(answer)
    assert approved in capsys.readouterr().out
    plan = {"text": "revenue", "accepted": True, "fields": {}}
    show_answer(answer.model_copy(update={"reading": {"text": "revenue", "plan": plan}}))
    said = capsys.readouterr().out
    assert defined in said
    assert approved not in said
