"""The parts of a Word file: bounded when unpacked, then written anew from what is known to be harmless.

A package is a graph: relationships lead from part to part, from the package's own file on. It is walked by relationships
of known kinds, read as XML and not as bytes (`TargetMode="Externa&#108;"` is external too); what is not reached is not
copied: macros, controls, embedded files, linked templates, and parts nobody knows. Elements that would want them go too.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

from inquery.errors import BadRequest, MissingDriver, Text
from inquery.language.text import word_set
from inquery.reports.problems import Problem

LARGEST_PART = 64 << 20
LARGEST = 256 << 20
MOST_PARTS = 5000
CONTENT_TYPES = "[Content_Types].xml"
ROOT = ""
"""The name of the package itself, whose relationships are in `_rels/.rels`."""

_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = frozenset(
    {
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "http://purl.oclc.org/ooxml/officeDocument/relationships",
    }
)
"""Namespaces of the attributes that name a relationship, as Word writes them and as the strict standard does."""
# The last word of a relationship's type. Not here: attachedTemplate, aFChunk, control, externalLink, frame, mailMerge…,
# oleObject, package, subDocument, vbaProject, ui/extensibility, video, audio, keyMapCustomizations, attachedToolbars.
_KINDS = word_set("""
    officeDocument styles stylesWithEffects settings webSettings fontTable font theme themeOverride numbering footnotes
    endnotes header footer image hyperlink comments commentsExtended commentsIds commentsExtensible people customXml
    customXmlProps core-properties extended-properties custom-properties thumbnail glossaryDocument chart
    chartUserShapes chartStyle chartColorStyle chartEx diagramData diagramLayout diagramQuickStyle diagramColors
    diagramDrawing bibliography documentTasks
""")
_MACROS = frozenset({"vbaProject", "wordVbaData", "extensibility", "control", "activeXControlBinary"})
_LINKS = re.compile(r"(?:https?|mailto):", re.I)
_XML = re.compile(r"application/(?:[\w.+-]+\+)?xml$", re.I)
_BINARY = word_set("""
    image/png image/jpeg image/jpg image/gif image/bmp image/tiff image/x-emf image/x-wmf image/emf image/wmf
    application/x-fontdata application/vnd.openxmlformats-officedocument.obfuscatedfont
""")
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
# Fields that tell something of the document itself. Others fetch when they are brought up to date, which some are as
# soon as a document is opened: INCLUDEPICTURE, INCLUDETEXT, LINK, DDEAUTO, DATABASE.
_FIELDS = word_set("""
    ADVANCE AUTHOR AUTONUM AUTONUMLGL AUTONUMOUT BIBLIOGRAPHY CITATION COMMENTS COMPARE CREATEDATE DATE DOCPROPERTY
    DOCVARIABLE EDITTIME EQ FILESIZE FORMCHECKBOX FORMDROPDOWN FORMTEXT HYPERLINK IF INDEX KEYWORDS LASTSAVEDBY LISTNUM
    MERGEFIELD NOTEREF NUMCHARS NUMPAGES NUMWORDS PAGE PAGEREF PRINTDATE QUOTE REF REVNUM SAVEDATE SECTION SECTIONPAGES SEQ
    SET STYLEREF SUBJECT SYMBOL TA TC TIME TITLE TOA TOC XE
""")
_FIELD = re.compile(r"\s*(=|\w+)")
_ELSEWHERE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:|//|\\\\)", re.I)
_NOT_WORD = ("it is not a Word document", "不是有效的 Word 文档")


def cleaned(content: bytes) -> tuple[bytes, list[Problem]]:
    """The file without macros and without what reaches out; raises BadRequest where it is no Word file."""
    try:
        from lxml import etree
    except ImportError as error:
        raise MissingDriver(str(error), engine="DOCX", extra="reports") from error
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            return _Package(package).written()
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, KeyError, etree.XMLSyntaxError) as error:
        raise BadRequest.because(*_NOT_WORD, detail=str(error)) from error


@dataclass(slots=True)
class _Relations:
    """What a part leads to: the relationships that stay, and the names of those that do not."""

    kept: list[dict[str, str]] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)


class _Package:
    """A package that is read."""

    def __init__(self, package: zipfile.ZipFile) -> None:
        entries = package.infolist()
        sizes = [entry.file_size for entry in entries]
        if sum(sizes) > LARGEST or max(sizes, default=0) > LARGEST_PART or len(sizes) > MOST_PARTS:
            raise BadRequest.because("the Word document is too large when unpacked", "Word 文档解压后过大")
        # Two parts of one name are read differently by different programs, and so would pass unseen.
        if len({entry.filename.casefold() for entry in entries}) < len(entries):
            raise BadRequest.because(*_NOT_WORD, detail="two parts of one name")
        self._package = package
        self._names = {entry.filename.casefold(): entry.filename for entry in entries}
        self._types = self._content_types()
        self.problems: list[Problem] = []

    def written(self) -> tuple[bytes, list[Problem]]:
        """The package written anew, and what was left out of it."""
        found: dict[str, tuple[bytes, str]] = {}
        relations: dict[str, _Relations] = {ROOT: self._relations(ROOT)}
        waiting = list(relations[ROOT].parts)
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            relations[name] = self._relations(name)
            found[name] = self._part(name, relations[name].gone), self._type(name)
            waiting += relations[name].parts
        if not any(kind == _MAIN for _, kind in found.values()):
            raise BadRequest.because(*_NOT_WORD, detail="no document")
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
            target.writestr(CONTENT_TYPES, _content_types({name: kind for name, (_, kind) in found.items()}))
            for name, each in relations.items():
                if each.kept:
                    target.writestr(_relations_of(name), _relationships(each.kept))
            for name, (content, _) in found.items():
                target.writestr(name, content)
        return made.getvalue(), self.problems

    def _content_types(self) -> dict[str, str]:
        """Content types by the name of a part, or by `*.ending`."""
        found = {}
        for each in self._xml(CONTENT_TYPES):
            kind = str(each.get("ContentType", "")).strip()
            if each.get("PartName"):
                found[unquote(str(each.get("PartName"))).lstrip("/").casefold()] = kind
            elif each.get("Extension"):
                found["*." + str(each.get("Extension")).casefold()] = kind
        return found

    def _type(self, name: str) -> str:
        folded = name.casefold()
        kind = self._types.get(folded) or self._types.get("*." + folded.rpartition(".")[2], "")
        if re.search(r"macroEnabled|\.template\.main", kind, re.I) and kind.endswith("main+xml"):
            return _MAIN
        return kind

    def _xml(self, name: str) -> Any:
        """A part as a tree: no document type, so that it has no entities, and nothing of it is fetched."""
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        root = etree.fromstring(self._package.read(self._names[name.casefold()]), parser)
        if root.getroottree().docinfo.doctype:
            raise BadRequest.because(*_NOT_WORD, detail="a document type")
        return root

    def _relations(self, part: str) -> _Relations:
        """Where a part leads to; `problems` are told what of it is left out."""
        found = _Relations()
        name = _relations_of(part)
        if name.casefold() not in self._names:
            return found
        for each in self._xml(name):
            if not isinstance(each.tag, str):  # a comment
                continue
            given = {word: str(each.get(word, "")).strip() for word in ("Id", "Type", "Target", "TargetMode")}
            kind = given["Type"].rpartition("/")[2]
            outside = given["TargetMode"].casefold() == "external" or bool(_ELSEWHERE.match(given["Target"]))
            target = "" if outside else self._target(part, given["Target"])
            if outside and kind == "hyperlink" and _LINKS.match(given["Target"]):
                found.kept.append({**given, "TargetMode": "External"})
            elif not outside and kind == "hyperlink" and given["Target"].startswith("#"):
                found.kept.append({word: text for word, text in given.items() if word != "TargetMode"})
            elif target and kind in _KINDS and self._is_known(target):
                found.parts.append(target)
                place = "/" + target
                found.kept.append({"Id": given["Id"], "Type": given["Type"], "Target": place})
            else:
                found.gone.add(given["Id"])
                self._tell(kind, outside=outside)
        return found

    def _target(self, part: str, target: str) -> str:
        """The part that a relationship leads to, as it is called here; empty where there is none."""
        place = posixpath.normpath(posixpath.join("/", posixpath.dirname(part), unquote(urlsplit(target).path)))
        return self._names.get(place.lstrip("/").casefold(), "")

    def _is_known(self, name: str) -> bool:
        kind = self._type(name)
        return bool(_XML.match(kind)) or kind.casefold() in _BINARY

    def _tell(self, kind: str, *, outside: bool) -> None:
        if kind in _MACROS and not outside:
            if not any(each.code == "macros" for each in self.problems):
                self.problems.insert(0, _macros())
        elif outside:
            self.problems.append(_external())

    def _part(self, name: str, gone: set[str]) -> bytes:
        """A part's content; XML without what leads to relationships that are gone, and without fields that fetch."""
        from lxml import etree

        if not _XML.match(self._type(name)):
            return self._package.read(self._names[name.casefold()])
        root = self._xml(name)
        for element in list(root.iter(etree.Element)):
            self._clear(element, gone)
        self._still_fields(root)
        written: bytes = etree.tostring(root.getroottree(), xml_declaration=True, encoding="UTF-8", standalone=True)
        return written

    def _clear(self, element: Any, gone: set[str]) -> None:
        for name, value in list(element.attrib.items()):
            space, _, word = str(name).rpartition("}")
            if space.lstrip("{") in _OFFICE:
                if value not in gone:
                    continue
                # A link keeps its words; what is nothing without its relationship goes.
                if word == "id" and _local(element) != "hyperlink" and element.getparent() is not None:
                    element.getparent().remove(element)
                    return
                del element.attrib[name]
            elif (
                word in {"src", "href", "althref"}
                and _ELSEWHERE.match(value)
                and "schemas-microsoft-com" in element.tag
            ):
                del element.attrib[name]  # VML, which names pictures by their address
                self.problems.append(_external())

    def _still_fields(self, root: Any) -> None:
        """Empty the fields that may fetch; what they showed last stays."""
        open_fields: list[_Field] = []
        for element in root.iter():
            word = _local(element)
            if word == "fldChar":
                kind = next((text for name, text in element.attrib.items() if name.endswith("}fldCharType")), "")
                if kind == "begin":
                    # What another field gives would be the first word of this one's code.
                    if open_fields and open_fields[-1].in_code and not open_fields[-1].code.strip():
                        open_fields[-1].made_up = True
                    open_fields.append(_Field())
                elif open_fields and kind == "separate":
                    open_fields[-1].in_code = False
                elif open_fields:
                    self._still(open_fields.pop())
            elif word in {"instrText", "delInstrText"} and element.text:
                field_ = open_fields[-1] if open_fields else _Field()
                field_.code += element.text
                field_.pieces.append((element, ""))
                if not open_fields:
                    self._still(field_)
            elif word == "fldSimple":
                for name, text in element.attrib.items():
                    if name.endswith("}instr"):
                        self._still(_Field(text, [(element, name)]))
        for left in open_fields:
            self._still(left)

    def _still(self, given: _Field) -> None:
        said = _FIELD.match(given.code)
        if not given.pieces or (said and not given.made_up and (said[1] == "=" or said[1].upper() in _FIELDS)):
            return
        for element, attribute in given.pieces:
            if attribute:
                element.set(attribute, "")
            else:
                element.text = ""
        self.problems.append(_external())


@dataclass(slots=True)
class _Field:
    """A field that is being read: its code, and the elements or attributes that hold it."""

    code: str = ""
    pieces: list[tuple[Any, str]] = field(default_factory=list)
    in_code: bool = True
    made_up: bool = False


def _local(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _relations_of(part: str) -> str:
    folder, _, name = part.rpartition("/")
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _relationships(kept: list[dict[str, str]]) -> bytes:
    from lxml import etree

    root = etree.Element(f"{{{_RELATIONS}}}Relationships", nsmap={None: _RELATIONS})
    for each in kept:
        etree.SubElement(root, f"{{{_RELATIONS}}}Relationship", {name: text for name, text in each.items() if text})
    written: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return written


def _content_types(kinds: dict[str, str]) -> bytes:
    from lxml import etree

    root = etree.Element(f"{{{_TYPES}}}Types", nsmap={None: _TYPES})
    kind = "application/vnd.openxmlformats-package.relationships+xml"
    etree.SubElement(root, f"{{{_TYPES}}}Default", {"Extension": "rels", "ContentType": kind})
    etree.SubElement(root, f"{{{_TYPES}}}Default", {"Extension": "xml", "ContentType": "application/xml"})
    for name, each in sorted(kinds.items()):
        etree.SubElement(root, f"{{{_TYPES}}}Override", {"PartName": f"/{name}", "ContentType": each})
    written: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return written


def _macros() -> Problem:
    return Problem(0, "macros", Text("the macros of the document were taken out", "已移除文档中的宏"))


def _external() -> Problem:
    return Problem(0, "external_content", Text("a link to content elsewhere was taken out", "已移除指向外部内容的链接"))
