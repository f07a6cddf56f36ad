"""Where a report breaks between pages: what leads to a picture stands with it."""

import pytest

from inquery.answers.drawing import typesetter
from inquery.reports.blocks import DocumentBlock, TextRun
from inquery.reports.pdf import TEMPLATE, as_data

HEADING_INK = "#102a43"
SQUARE = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60"><rect width="100" height="60"/></svg>'


def pages(blocks: list[DocumentBlock]) -> list[str]:
    typst, fonts = typesetter()
    made = typst.compile(
        str(TEMPLATE), font_paths=fonts, format="svg", sys_inputs={"doc": as_data(blocks, "report", "zh")}
    )
    return [page.decode() for page in (made if isinstance(made, list) else [made])]


def words(kind: str, text: str) -> DocumentBlock:
    return DocumentBlock(kind, (TextRun(text),), level=2)


@pytest.mark.parametrize("lines", range(16, 34, 2))
def test_a_picture_has_its_heading_and_the_sentence_before_it_on_its_page(lines: int) -> None:
    made = pages(
        [words("paragraph", "一行字")] * lines
        + [
            words("heading", "四、退货"),
            words("paragraph", "退货原因分布如下。"),
            DocumentBlock("picture", picture=SQUARE),
        ]
    )
    (with_picture,) = [page for page in made if "<image" in page]
    assert HEADING_INK in with_picture
