"""HTML templates without what runs or reaches out: only what is known to be harmless stays.

`nh3` writes the body anew from an allow-list, as a browser would read it. It knows no whole pages, no stylesheets and no line
numbers, so an outline is read beside it: the frame and the styles, which are put around the clean body, and what to tell
the author.
"""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from inquery.errors import MissingDriver, Text
from inquery.reports.filling import MARK
from inquery.reports.problems import Problem

if TYPE_CHECKING:
    import nh3


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TAGS = _words("""
    a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl
    dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark nav ol p pre q rp rt
    ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr
""")
_WITH_CONTENT = _words("""
    applet audio button form frameset iframe math noscript object script select svg template textarea video
""")
_EMPTY = _words("base embed frame input link")
_ATTRIBUTES = _words("align alt class colspan dir height id lang rowspan span start style title width")
_ADDRESSES = {
    ("img", "src"): re.compile(r"data:image/(png|jpeg|gif);base64,"),
    ("a", "href"): re.compile(r"(https?:|mailto:|#)", re.I),
}
# Functions of CSS that compute or select; others may load: image-set("https://…") does so without any url().
_FUNCTIONS = _words("""
    attr blur brightness calc clamp color color-mix conic-gradient counter counters cubic-bezier dir drop-shadow fit-content
    grayscale has hsl hsla hwb is lab lang lch light-dark linear-gradient max min minmax not nth-child nth-last-child
    nth-last-of-type nth-of-type oklab oklch opacity radial-gradient repeat repeating-conic-gradient
    repeating-linear-gradient repeating-radial-gradient rgb rgba rotate round scale steps translate translatex translatey
    var where
""")
_REACHING = re.compile(
    rf"""@import[^;]*;?
    | (?<![-\w]) (?! (?:{"|".join(sorted(_FUNCTIONS))}) \( ) [-\w]+ \( [^)]* \)?
    | (?:url|expression) \s* \( [^)]* \)?
    | javascript: | \\""",
    re.I | re.X,
)


def clean_html(text: str) -> tuple[str, list[Problem]]:
    """A template without scripts, remote content and forms, and what was taken out of it."""
    outline = _Outline()
    outline.feed(text)
    outline.close()
    return outline.around(_cleaner().clean(text)), outline.problems


def _cleaner() -> nh3.Cleaner:
    try:
        import nh3
    except ImportError as error:
        raise MissingDriver(str(error), engine="HTML", extra="reports") from error
    return nh3.Cleaner(
        tags=_TAGS,
        # Styles and the title come from the outline.
        clean_content_tags=_WITH_CONTENT | {"style", "title"},
        attributes={"*": _ATTRIBUTES, "img": {"src"}, "a": {"href"}},
        attribute_filter=_kept_value,
        url_schemes={"data", "http", "https", "mailto"},
        link_rel=None,
    )


def _kept_value(tag: str, name: str, value: str) -> str | None:
    """The value of an attribute, None where it has to go."""
    if MARK.search(value):
        return None
    if (tag, name) in _ADDRESSES:
        return value if _ADDRESSES[tag, name].match(value) else None
    return None if name not in _ATTRIBUTES or (name == "style" and _REACHING.search(value)) else value


class _Outline(HTMLParser):
    """The frame and the styles of a page, and what cleaning it takes out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.problems: list[Problem] = []
        self._doctype = False
        self._frame: dict[str, str] = {}
        self._styles: list[str] = []
        self._title: str | None = None
        self._inside = ""
        self._skipping: list[str] = []

    def around(self, body: str) -> str:
        """The body in the page's own frame, if it has one, with its styles."""
        styles = "".join(f"<style>{style}</style>" for style in self._styles)
        if "html" not in self._frame:
            return styles + body
        title = "" if self._title is None else f"<title>{html.escape(self._title)}</title>"
        doctype = "<!DOCTYPE html>" if self._doctype else ""  # without one a browser lays the page out otherwise
        head = f'<head><meta charset="utf-8">{title}{styles}</head>'
        return f"{doctype}<html{self._frame['html']}>{head}<body{self._frame.get('body', '')}>{body}</body></html>"

    def handle_decl(self, decl: str) -> None:
        self._doctype = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _WITH_CONTENT or tag in _EMPTY:
            self._tell(f"<{tag}>")
            self._skipping += [tag] if tag in _WITH_CONTENT else []
        if self._skipping or tag in _EMPTY:
            return
        kept = ""
        for name, value in attrs:
            known = _kept_value(tag, name, value or "")
            if known is not None:
                kept += f' {name}="{html.escape(known)}"'
            elif MARK.search(value or ""):
                self._tell_misplaced()
            elif name.startswith("on") or name in {"src", "href", "style"}:
                self._tell(f"{name}=…")
        if tag in {"html", "body"}:
            self._frame.setdefault(tag, kept)
        if tag in {"style", "title"}:
            self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        if tag in self._skipping:
            self._skipping = self._skipping[: self._skipping.index(tag)]
        elif tag == self._inside:
            self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "title":
            self._title = (self._title or "") + data
        elif self._inside == "style":
            if MARK.search(data):
                self._tell_misplaced()
            # No "<", so that nothing in it can end the style.
            self._styles.append(_REACHING.sub("/**/", MARK.sub("", data).replace("<", "")))

    def _tell(self, what: str) -> None:
        reason = Text(
            f"{what} was taken out: a report runs and loads nothing", f"已移除 {what}：报告不运行脚本，也不加载外部内容"
        )
        self.problems.append(Problem(self.getpos()[0], "unsafe_html", reason))

    def _tell_misplaced(self) -> None:
        reason = Text("a placeholder cannot stand inside a tag or a style", "占位符不能写在标签或样式中")
        self.problems.append(Problem(self.getpos()[0], "misplaced", reason))
