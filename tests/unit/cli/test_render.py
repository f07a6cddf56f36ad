"""An answer in the terminal."""

import io

from rich.console import Console

from inquery.cli.render import show_text

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


def test_chinese_fits_the_width_and_keeps_every_character() -> None:
    text = "华北地区的销售额最高，其次是华东和华南地区，三者合计占全部销售额的一半以上。"
    lines = shown(text, terminal=True).splitlines()
    assert all(Console().measure(line).maximum <= 30 for line in lines)
    assert "".join(line.strip() for line in lines) == text


def test_a_pipe_gets_the_lines_as_they_are(capsys) -> None:
    shown(WORDS, terminal=False)
    assert capsys.readouterr().out == WORDS + "\n"
