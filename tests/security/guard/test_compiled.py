"""With sqlglot's compiled build the guard says the same, word for word; skipped where the build is not to be had.

The build is taken from the environment when it is there, else from the folder that INQUERY_COMPILED_SQLGLOT names:
    pip install --target FOLDER sqlglot==… sqlglotc==…
"""

import hashlib
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from sqlglot.dialects.sqlite import SQLite
from tests.security.guard.catalogue import SCHEMAS, catalogue
from tests.security.guard.corpus import hostile, ordinary

from inquery.errors import REFUSALS
from inquery.sql import SqlRefused, check, interpreted
from inquery.sql.guard import check as guard

ROOT = Path(__file__).parents[3]
PRINT = "from tests.security.guard.test_compiled import digest, is_compiled; print(is_compiled(), digest())"


def verdict(sql: str, dialect: str) -> list[object]:
    try:
        found = check(sql, dialect=dialect, catalog=catalogue(dialect))
    except SqlRefused as refused:
        return [refused.rule, str(refused), refused.name, refused.nearest]
    return ["passed", found.text, found.tables, found.columns, found.ordered]


def digest() -> str:
    """One number for the verdicts and texts of both corpora in all dialects."""
    made = [[d, sql, verdict(sql, d)] for d in SCHEMAS for sql in (*hostile(d), *ordinary(d))]
    return hashlib.sha256(json.dumps(made, default=str).encode()).hexdigest()


def is_compiled() -> bool:
    found = find_spec("sqlglot.parser")
    return found is not None and not str(found.origin).endswith(".py")


def test_both_builds_give_the_same_verdicts() -> None:
    folder = os.environ.get("INQUERY_COMPILED_SQLGLOT", "")
    if not folder:
        pytest.skip("INQUERY_COMPILED_SQLGLOT names no folder with sqlglot and sqlglotc")
    assert not is_compiled(), "this process has to have the plain build"
    path = os.pathsep.join([folder, str(ROOT / "src"), str(ROOT)])
    told = subprocess.run(
        [sys.executable, "-c", PRINT], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["True", digest()]


def test_a_grammar_read_anew_from_its_source_is_one_that_can_be_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreted, "_is_compiled", lambda name: True)
    monkeypatch.setattr(interpreted, "_copies", {})
    made = interpreted.interpreted(SQLite.parser_class)
    assert made is not SQLite.parser_class
    assert made.__mro__[1] is not SQLite.parser_class.__mro__[1], "its base is a copy too"
    text = "SELECT a FROM t WHERE b GLOB 'x*'"
    tree = made(dialect=SQLite()).parse(SQLite().tokenize(text), text)[0]
    assert tree is not None
    assert tree.sql("sqlite") == text, "trees are everybody's"


def test_a_compiled_build_without_sources_is_named_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    alone = ModuleType("sqlglot.parser")
    alone.__file__ = str(tmp_path / "parser.so")
    monkeypatch.setattr(interpreted, "_copies", {})
    monkeypatch.setattr(interpreted.importlib, "import_module", lambda name: alone)
    with pytest.raises(SqlRefused) as refused:
        interpreted.interpreted(SQLite.parser_class)
    assert refused.value.rule == "no_grammar"
    assert "sqlglotc" in refused.value.public_message("en")
    assert "sqlglotc" in refused.value.public_message("zh")


def test_a_fault_of_ours_is_not_called_a_statement_that_cannot_be_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise TypeError("interpreted classes cannot inherit from compiled")

    monkeypatch.setattr(guard, "view_of", broken)
    with pytest.raises(SqlRefused) as refused:
        check("SELECT 1", dialect="sqlite", catalog=catalogue("sqlite"))
    assert refused.value.rule == "unchecked"
    assert REFUSALS["syntax"][0] not in refused.value.public_message("en")
