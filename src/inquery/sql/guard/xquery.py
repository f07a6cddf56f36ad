"""What the XQuery and XPath of XMLTABLE may say: paths, conditions and loops over the document it is given.

An allow-list, as for functions: XQuery opens documents and tables (`doc`, `fn:collection`, `ora:view`), declares functions of
its own and counts to any number (`1 to 10000000000`).
"""

from __future__ import annotations

import re

from sqlglot import exp

from inquery.errors import SqlRefused

_TOKENS = re.compile(
    r"""\s+|"[^"]*"|'[^']*'|\d+(?:\.\d+)?|\$?[^\W\d][\w.-]*(?:(?:::|:)(?:[^\W\d][\w.-]*|\*))*|//?|\.\.?|[@*\[\]=<>|()+,-]|!=|:="""
)
_NAMES = """
text node comment element attribute position last count sum avg min max string number data boolean not true false contains
starts-with ends-with substring substring-before substring-after string-length normalize-space concat string-join translate
upper-case lower-case local-name name floor ceiling round abs empty exists distinct-values exactly-one zero-or-one
xs:string xs:integer xs:decimal xs:double xs:date xs:datetime xs:boolean if and or in return where div mod else then
"""
_FUNCTIONS = frozenset(_NAMES.split())
_STATEMENTS = frozenset(
    {"declare", "import", "module", "external", "validate", "namespace", "function", "insert", "delete", "replace"}
)
_BEFORE_A_NAME = frozenset({"", "/", "//", "@", "[", "(", ",", "=", "!=", "<", ">", "|", "+", "-"})


def refuse_xquery(node: exp.Expr, dialect: str) -> None:
    """Raise SqlRefused unless the expressions of XMLTABLE only walk through what is passed to them."""
    if not isinstance(node, exp.XMLTable):
        return
    paths = [path.this for path in node.find_all(exp.PathColumnConstraint)]
    for text in [node.this, *paths]:
        if not isinstance(text, exp.Literal) or not text.is_string or not _only_walks(text.name):
            raise SqlRefused(
                "forbidden_function", "XQuery that does more than walk through a document", name="xmltable"
            )


def _only_walks(text: str) -> bool:
    tokens, at = [], 0
    while at < len(text):
        found = _TOKENS.match(text, at)
        if found is None:
            return False
        at = found.end()
        if not found[0].isspace():
            tokens.append(found[0])
    return all(map(_harmless, ["", *tokens], tokens, [*tokens[1:], ""]))


def _harmless(before: str, token: str, after: str) -> bool:
    """One word or sign between its neighbours: no function beyond the list, no range, nothing that declares."""
    if not (token[0].isalpha() or token[0] == "_"):
        return True
    word = token.lower().removeprefix("fn:")
    if after == "(":
        return word in _FUNCTIONS
    # `to` between two values makes a series of numbers; elsewhere it is an element's name.
    return word not in _STATEMENTS and (word != "to" or before in _BEFORE_A_NAME)
