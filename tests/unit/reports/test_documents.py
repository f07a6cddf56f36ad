"""Documents: every template format to every output, with data that would like to be markup."""

import base64
import datetime
import io
import zipfile
from typing import Any

import docx
import pytest

from inquery.answers.answer import AnswerColumn
from inquery.errors import BadRequest
from inquery.reports.filling import Filling
from inquery.reports.goals import goal_key
from inquery.reports.pieces import Manner, Value
from inquery.reports.render import Document, render_document
from inquery.reports.template import Placeholder, walk_nodes
from inquery.reports.template_files import read_template

HOSTILE = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "![x](http://evil.example/a.png)", "[a](javascript:x)",
    "`code` *b* _i_ | cell | # h", "{{value: drop}}", "\ue0000\ue001", '"><svg onload=x>', "#let x = 1; #image(\"/etc/passwd\")",
]  # fmt: skip
MARKDOWN = """# 销售 Report

Total: {{value: total}} and {{= region}}.

{{table: names}}

{{chart: names|type=bar|title=A chart}}

{{#each table: names|rows=2}}- {{.#}} {{.name}}
{{/each}}
{{#if total_named > 5}}big{{#else}}small{{/if}} {{value: total|as=total_named}}

{{value: unsolved}} {{text: names}}
"""


def filled(content: bytes, form: str, output: str, rows: list[tuple[Any, ...]], language: str = "en") -> Document:
    template = read_template(content, form, most=1 << 20)
    columns = (AnswerColumn(name="name", kind="text"), AnswerColumn(name="n", kind="number"))
    values: dict[str, Value] = {}
    for node in walk_nodes(template.nodes):
        if isinstance(node, Placeholder) and node.question == "total":
            values[goal_key(node)] = Value("solved", "total", columns=columns[1:], rows=[(7,)])
        elif isinstance(node, Placeholder) and node.question == "names":
            values[goal_key(node)] = Value("solved", "names", columns=columns, rows=rows)
    filling = Filling(values, {"region": "<b>east</b>"}, Manner(language))
    return render_document(template, filling, output, title="Title", problems=template.problems)


def test_a_paragraph_says_what_is_not_over_on_the_day_of_the_run() -> None:
    template = read_template(b"{{text: names}}", "md", most=1 << 20)
    columns = (AnswerColumn(name="month", kind="text"), AnswerColumn(name="revenue", kind="number"))
    rows = [("2026-09", 100), ("2026-10", 120), ("2026-11", 40)]
    values = {
        goal_key(node): Value("solved", "names", columns=columns, rows=rows)
        for node in walk_nodes(template.nodes)
        if isinstance(node, Placeholder)
    }
    manner = Manner("en", today=datetime.date(2026, 11, 15))
    text = render_document(template, Filling(values, {}, manner), "md", title="T", problems=[]).content.decode()
    assert "November 2026 is not over: 40 so far." in text
    assert "up 20%" in text


ROWS = [(text, number) for number, text in enumerate(HOSTILE, 1)]


def test_html_escapes_every_cell() -> None:
    page = filled(MARKDOWN.encode(), "md", "html", ROWS).content.decode()
    for text in ("<script", "<img src=x", "<svg", "<b>east", 'evil.example/a.png"', "href="):
        assert text not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert page.count("data:image/svg+xml;base64,") == 1
    assert 'class="problem">[line 13: it was not solved]' in page
    assert "big" in page
    assert "small" not in page


def test_markdown_escapes_every_cell_and_keeps_pictures_beside_it() -> None:
    made = filled(MARKDOWN.encode(), "md", "md", ROWS)
    text = made.content.decode()
    assert "](http" not in text
    assert "](javascript" not in text
    assert "\\<script\\>" in text
    from markdown_it import MarkdownIt

    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert "<script" not in page
    assert page.count("<img") == 1


@pytest.mark.parametrize("output", ["html", "md", "docx", "pdf"])
@pytest.mark.parametrize("form", ["md", "html", "docx"])
def test_every_format_becomes_every_other(form: str, output: str) -> None:
    content = {"md": MARKDOWN.encode(), "html": HTML.encode(), "docx": word(MARKDOWN.splitlines())}[form]
    made = filled(content, form, output, ROWS, "zh")
    start = {"pdf": b"%PDF", "docx": b"PK"}.get(output, b"")
    assert made.content.startswith(start)
    assert len(made.content) > 500
    if output == "html":
        assert "<script" not in made.content.decode()


HTML = """<html><head><style>body { color: red } @import url(http://evil.example/x.css);</style><script>steal()</script>
<link rel=stylesheet href=http://evil.example/y.css></head><body onload="x()"><h1>Report</h1>
<p>Total {{value: total}}</p><p>{{chart: names}}</p><a href="javascript:x">{{value: total}}</a>
<img src="http://evil.example/p.png"><p title="{{value: total}}">{{table: names}}</p>
{{#if region}}<p>{{= region}}</p>{{/if}}<iframe src=x>{{value: total}}</iframe></body></html>"""


def test_an_html_template_runs_and_loads_nothing() -> None:
    made = filled(HTML.encode(), "html", "html", ROWS)
    page = made.content.decode()
    for text in (
        "<script",
        "evil.example/x",
        "evil.example/y",
        "evil.example/p",
        'onload="x()',
        'javascript:x"',
        "<iframe",
        "<b>east",
    ):
        assert text not in page, text
    assert {problem.code for problem in made.problems} == {"unsafe_html", "misplaced"}
    assert page.count("Total 7") == 1


def word(lines: list[str]) -> bytes:
    document = docx.Document()
    for line in lines:
        document.add_heading(line[2:], 1) if line.startswith("# ") else document.add_paragraph(line)
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def read_word(content: bytes) -> Any:
    return docx.Document(io.BytesIO(content))


def test_a_word_template_keeps_its_look() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Total ")
    for part in ("{{val", "ue: to", "tal}}"):
        paragraph.add_run(part).bold = True
    paragraph.add_run(" of all")
    document.sections[0].header.paragraphs[0].text = "{{= region}}"
    made = io.BytesIO()
    document.save(made)
    found = read_word(filled(made.getvalue(), "docx", "docx", ROWS).content)
    (line,) = [p for p in found.paragraphs if p.text]
    assert line.text == "Total 7 of all"
    assert [run.text for run in line.runs if run.bold and run.text] == ["7"]
    assert found.sections[0].header.paragraphs[0].text == "<b>east</b>"


def test_a_word_template_has_conditions_loops_rows_tables_and_pictures() -> None:
    document = docx.Document()
    for text in ("{{#if region}}", "shown", "{{#else}}", "hidden", "{{/if}}", "{{#each table: names|rows=2}}", "item {{.name}}", "{{/each}}", "{{chart: names}}", "before {{table: names|rows=3}} after"):  # fmt: skip
        document.add_paragraph(text)
    table = document.add_table(2, 2)
    table.rows[0].cells[0].text = "head"
    table.rows[1].cells[0].text = "{{#each table: names|rows=3}}{{.#}}"
    table.rows[1].cells[1].text = "{{.n|percent}}{{/each}}"
    made = io.BytesIO()
    document.save(made)
    found = read_word(filled(made.getvalue(), "docx", "docx", [("a", 1), ("b", 2), ("c", 3)]).content)
    assert [p.text for p in found.paragraphs if p.text] == ["shown", "item a", "item b", "before  after"]
    assert len(found.inline_shapes) == 1
    assert [[cell.text for cell in row.cells] for row in found.tables[1].rows] == [
        ["head", ""], ["1", "100.0%"], ["2", "200.0%"], ["3", "300.0%"],
    ]  # fmt: skip
    assert len(found.tables[0].rows) == 4


def with_macros() -> bytes:
    """A Word file with macros, as Word would write it: another content type, a project, a relation to it."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(word(["{{value: total}}"]))) as plain, zipfile.ZipFile(made, "w") as target:
        for name in plain.namelist():
            content = plain.read(name)
            if name == "[Content_Types].xml":
                content = content.replace(
                    b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
                    b"application/vnd.ms-word.document.macroEnabled.main+xml",
                ).replace(
                    b"</Types>",
                    b'<Override PartName="/word/vbaProject.bin" ContentType="application/vnd.ms-office.vbaProject"/></Types>',
                )
            if name == "word/_rels/document.xml.rels":
                content = content.replace(
                    b"</Relationships>",
                    b'<Relationship Id="rId99" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"/>'
                    b'<Relationship Id="rId98" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="http://evil.example/t.dotm" TargetMode="External"/></Relationships>',
                )
            target.writestr(name, content)
        target.writestr("word/vbaProject.bin", b"macro")
    return made.getvalue()


def test_macros_and_remote_templates_are_taken_out_and_named() -> None:
    made = filled(with_macros(), "docx", "docx", ROWS)
    with zipfile.ZipFile(io.BytesIO(made.content)) as package:
        assert not [name for name in package.namelist() if "vba" in name.lower()]
        assert b"macroEnabled" not in package.read("[Content_Types].xml")
        assert b"evil.example" not in package.read("word/_rels/document.xml.rels")
    text = [p.text for p in read_word(made.content).paragraphs]
    assert text[0] == "7"
    assert any("macros" in line for line in text)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"not a zip", zipfile.ZipFile.__name__.encode()])
def test_what_is_no_word_file_is_refused(content: bytes) -> None:
    with pytest.raises(BadRequest):
        read_template(content, "docx", most=1 << 20)


def test_a_zip_bomb_is_refused() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("word/document.xml", b"\0" * (70 << 20))
    with pytest.raises(BadRequest):
        read_template(made.getvalue(), "docx", most=1 << 20)


def test_a_named_table_is_gone_over_by_name_and_a_wrong_column_is_named() -> None:
    text = (
        b"{{table: names|as=t}}\n\n{{#each t}}<{{.name}}={{.2}}{{.9}}{{.zz}}>{{/each}} {{#each none}}x{{/each}} {{.1}}"
    )
    made = filled(text, "md", "md", [("a", 1), ("b", 2)]).content.decode()
    assert "<a=1" in made
    assert made.count("no column “9”") == made.count("no column “zz”") == 2
    assert "no table here is named “none”" in made
    assert "“.1” stands outside a loop" in made


def test_an_empty_result_is_said_in_words() -> None:
    page = filled(
        b"{{table: names|title=T}} {{chart: names}} {{text: names}} {{#each table: names}}x{{/each}}",
        "md",
        "html",
        [],
        "zh",
    )
    text = page.content.decode()
    assert "T：没有数据。" in text
    assert "没有符合条件的数据。" in text


def documented(text: str, manner: Manner, values: dict[str, Value], output: str = "html") -> str:
    template = read_template(text.encode(), "md", most=1 << 20)
    known = {
        goal_key(node): values[node.question]
        for node in walk_nodes(template.nodes)
        if isinstance(node, Placeholder) and node.question in values
    }
    return render_document(template, Filling(known, {}, manner), output, title="T").content.decode()


def test_a_document_is_read_while_it_is_filled() -> None:
    text = "{{value: total | as=t}} {{table: names}} {{= t * 2}} {{#if t > 1}}big{{/if}}\n"
    known = {"names": Value("solved", "names", columns=(AnswerColumn(name="n", kind="text"),), rows=[("Ann",)])}
    so_far = documented(text, Manner(building=True), known)
    assert so_far.count('class="waiting"') == 3
    assert "Ann" in so_far
    assert 'class="problem"' not in so_far
    assert "big" not in so_far  # nobody knows yet
    at_the_end = documented(text, Manner(), known)
    assert 'class="waiting"' not in at_the_end
    assert at_the_end.count('class="problem"') == 3


@pytest.mark.parametrize(("language", "said"), [("en", "(unconfirmed)"), ("zh", "（待确认）")])
@pytest.mark.parametrize("kind", ["value", "table", "chart", "text"])
@pytest.mark.parametrize("output", ["html", "md"])
def test_a_value_in_doubt_says_so_however_it_is_shown(kind: str, language: str, said: str, output: str) -> None:
    columns = (AnswerColumn(name="name", kind="text"), AnswerColumn(name="n", kind="number"))
    rows: list[tuple[Any, ...]] = [(7,)] if kind == "value" else [("a", 1), ("b", 2)]
    doubtful = Value("doubtful", "x", columns=columns[1:] if kind == "value" else columns, rows=rows)
    made = documented(f"{{{{{kind}: x}}}}", Manner(language), {"x": doubtful}, output)
    assert said in made.replace("\\", "")


def test_a_parameter_that_is_not_known_yet_is_waited_for() -> None:
    text = "{{parameter: week = last week | type=period}}From {{= week_start}}, {{= week}}\n"
    begun = documented(text, Manner(building=True), {})
    assert begun.count('class="waiting"') == 2
    assert 'class="problem"' not in begun
    assert documented(text, Manner(building=True, sketch=True), {}).count('class="problem"') == 2


def test_a_chart_in_a_document_is_the_one_of_the_page() -> None:
    columns = tuple(
        AnswerColumn(name=name, kind=kind)
        for name, kind in (("month", "text"), ("channel", "text"), ("sales", "number"))
    )
    rows = [(f"2026-{m:02}", c, 1e6 * m) for m in (9, 10, 11) for c in ("web", "store")]
    value = {"x": Value("solved", "x", columns=columns, rows=rows)}
    manner = Manner("en", "CNY", today=datetime.date(2026, 11, 15))
    pivot = documented("{{chart: x | type=pivot | currency}}", manner, value, "md")
    assert "| Total | ¥18,000,000 | ¥20,000,000 | ¥22,000,000 | ¥60,000,000 |" in pivot.replace("\\", "")
    for kind, mark in (("heat map", "¥11M"), ("100% stacked bar", "100%"), ("area", "fill-opacity")):
        page = documented(f"{{{{chart: x | type={kind} | currency}}}}", manner, value)
        drawn = base64.b64decode(page.partition("base64,")[2].partition('"')[0]).decode()
        assert mark in drawn
        assert "stroke-dasharray" in drawn  # November is not over
