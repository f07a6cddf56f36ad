"""Every engine and every dialect has every fact: a folder that forgets one fails here, with a sentence that names it."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlglot import exp
from tests.contract.conftest import CASES
from tests.security.guard.corpus import hostile, ordinary, statements

from inquery.databases import engines
from inquery.databases.engine import Engine
from inquery.databases.engine_info import EngineInfo
from inquery.databases.engine_list import ENGINES, FOLDERS
from inquery.databases.registry import engine_class
from inquery.databases.transport.address import parse_address
from inquery.errors import Text
from inquery.form.ast import UNITS
from inquery.form.date_units import bucket
from inquery.llm.schema_text import dialect_notes
from inquery.sql import Catalog, check
from inquery.sql.dialects import DIALECTS, Dialect
from inquery.sql.quoting import quote_name

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
ENGINES_PAGE = (ROOT / "docs" / "engines.md").read_text("utf-8")
CONNECTING_PAGE = (ROOT / "docs" / "connecting.md").read_text("utf-8")
RECORDS = ROOT / "src" / "inquery" / "sql" / "dialects"

CONTRACT = {"sqlite": "sqlite", "postgresql": "postgres", "mysql": "mariadb", "duckdb": "duckdb", "chdb": "chdb"}
NO_CONTRACT = {
    "files": "its sessions are DuckDB's; what is its own is in tests/unit/databases/test_files.py",
    "clickhouse": "no server here; tests/unit/databases/test_clickhouse_http.py puts chdb behind the real driver",
    "trino": "no server here; tests/unit/databases/test_trino.py speaks the protocol to the real client",
    "snowflake": "no server here; an emulator, by make test-emulators",
    "bigquery": "no server here; an emulator, by make test-emulators",
    "oracle": "no server here; docs/engines.md says what is not proven",
    "mssql": "no server here; docs/engines.md says what is not proven",
}
T = TypeVar("T")


def requirements(extra: str) -> list[str]:
    """What an extra installs, with what the extras that it names install."""
    found = []
    for line in EXTRAS.get(extra, []):
        inner = re.match(r"inquery\[(.*)\]", line)
        found += [part for each in inner[1].split(",") for part in requirements(each)] if inner else [line]
    return found


def is_brought(package: str, extra: str) -> bool:
    return not package or any(re.match(rf"{re.escape(package)}(?![\w-])", line) for line in requirements(extra))


def asked_parts(about: EngineInfo) -> set[str]:
    return {field.name for field in about.fields if not field.parameter}


def asked_parameters(about: EngineInfo) -> set[str]:
    return {field.name for field in about.fields if field.parameter}


def asked_port(about: EngineInfo) -> str:
    field = about.field("port")
    return field.default if field is not None else ""


def is_written_in_both(*texts: Text) -> bool:
    return all(text.en and text.zh for text in texts)


ENGINE_FACTS: Mapping[str, Callable[[EngineInfo], bool]] = {
    "a label in both languages": lambda a: is_written_in_both(a.label),
    "a driver": lambda a: bool(a.drivers),
    "an extra in pyproject.toml that installs its drivers": lambda a: all(
        is_brought(driver.package, a.extra) for driver in a.drivers
    ),
    "a record of its dialect in sql/dialects": lambda a: a.dialect in DIALECTS,
    "a class that is an Engine and says `about = ABOUT`": lambda a: (
        issubclass(engine_class(a.scheme), Engine) and engine_class(a.scheme).about is ENGINES[a.scheme]
    ),
    "a form that asks for a path where it is a file and for a host where it is not": lambda a: (
        ("path" in asked_parts(a), "host" in asked_parts(a)) == (a.is_file, not a.is_file)
    ),
    "its port in the form": lambda a: asked_port(a) == str(a.port or ""),
    "the parameters of its form among those of its class": lambda a: (
        asked_parameters(a) <= engine_class(a.scheme).parameters
    ),
    "labels of the form in both languages": lambda a: is_written_in_both(*(field.label for field in a.fields)),
    "an example of its address": lambda a: bool(a.example) and parse_address(a.example).scheme == a.scheme,
    "a row in the second table of docs/engines.md": lambda a: bool(
        re.search(rf"^\| ({re.escape(a.label.en)}|{a.scheme}) \|", ENGINES_PAGE, re.MULTILINE)
    ),
    "its address in docs/connecting.md": lambda a: (
        a.label.en in CONNECTING_PAGE or f"`{a.scheme}:" in CONNECTING_PAGE or f"| {a.scheme}" in CONNECTING_PAGE
    ),
    "a case in tests/contract, or a reason why none in NO_CONTRACT": lambda a: (
        (CONTRACT.get(a.scheme) in CASES) != bool(NO_CONTRACT.get(a.scheme))
    ),
}


def allows_a_call(record: Dialect) -> bool:
    return bool(record.functions) and all(each.read_text().split() for each in record.functions)


def reads_its_quotes(record: Dialect) -> bool:
    catalog = Catalog.of({"t": ["a b"]}, dialect=record.name)
    sql = f"SELECT {quote_name('a b', record.name)} FROM t"
    return check(sql, dialect=record.name, catalog=catalog).columns == ((("t",), "a b"),)


def folds_its_names(record: Dialect) -> bool:
    return all(name == name.lower() for name in (*record.default_schemas, *record.pseudo_columns))


def says_parts_of_dates(record: Dialect) -> bool:
    return all(bucket(unit, exp.column("c"), record.name).find(exp.Column) is not None for unit in UNITS)


DIALECT_FACTS: Mapping[str, Callable[[Dialect], bool]] = {
    "notes for prompts": lambda r: dialect_notes(r.name).endswith("."),
    "a list of functions that may be called": allows_a_call,
    "quotes that its own parser reads": reads_its_quotes,
    "forms for the parts of dates": says_parts_of_dates,
    "a form for the days between two dates": lambda r: {"{s}", "{e}"} <= set(re.findall(r"\{\w\}", r.dates.days)),
    "schemas and pseudo-columns in lower case": folds_its_names,
    "an engine that speaks it": lambda r: any(about.dialect == r.name for about in ENGINES.values()),
    "ordinary statements in tests/security/guard": lambda r: bool(ordinary(r.name)),
    "hostile statements in tests/security/guard": lambda r: len(hostile(r.name)) > len(statements("hostile", "common")),
}


def missing(of: T, facts: Mapping[str, Callable[[T], bool]]) -> list[str]:
    return [fact for fact, has in facts.items() if not has(of)]


@pytest.mark.parametrize("scheme", ENGINES)
def test_every_engine_has_every_fact(scheme: str) -> None:
    lacks = missing(ENGINES[scheme], ENGINE_FACTS)
    assert not lacks, f"the engine {scheme} lacks: {'; '.join(lacks)}"


@pytest.mark.parametrize("name", DIALECTS)
def test_every_dialect_has_every_fact(name: str) -> None:
    lacks = missing(DIALECTS[name], DIALECT_FACTS)
    assert not lacks, f"the dialect {name} lacks: {'; '.join(lacks)}"


def test_every_folder_of_an_engine_and_every_file_of_a_dialect_is_listed() -> None:
    folders = {path.parent.name for path in Path(engines.__path__[0]).glob("*/__init__.py")}
    assert folders == set(FOLDERS), "an engine's folder is named in FOLDERS of databases/engine_list.py"
    records = {path.stem for path in RECORDS.glob("*.py") if "DIALECT = " in path.read_text("utf-8")}
    assert records == set(DIALECTS), "a dialect's file is named in sql/dialects/lookup.py"


@pytest.mark.parametrize("record", [ENGINES["trino"], DIALECTS["trino"]], ids=lambda record: type(record).__name__)
def test_a_record_without_a_fact_cannot_be_made_and_says_which(record: EngineInfo | Dialect) -> None:
    for field in fields(record):
        others: dict[str, Any] = {each.name: getattr(record, each.name) for each in fields(record) if each != field}
        with pytest.raises(TypeError, match=field.name):
            type(record)(**others)


def test_an_empty_fact_is_named() -> None:
    trino = ENGINES["trino"]
    for changed, fact in (
        (replace(trino, label=Text("Trino", "")), "a label in both languages"),
        (replace(trino, extra="mysql"), "an extra in pyproject.toml that installs its drivers"),
        (replace(trino, dialect="presto"), "a record of its dialect in sql/dialects"),
        (replace(trino, port=8081), "its port in the form"),
        (replace(trino, is_file=True), "a form that asks for a path where it is a file and for a host where it is not"),
    ):
        assert missing(changed, ENGINE_FACTS) == [fact]
    assert missing(replace(DIALECTS["trino"], functions=()), DIALECT_FACTS) == [
        "a list of functions that may be called"
    ]


def test_no_suffix_and_no_scheme_belongs_to_two_engines() -> None:
    for names in (
        [suffix for about in ENGINES.values() for suffix in about.suffixes],
        [name for about in ENGINES.values() for name in (about.scheme, *about.aliases)],
    ):
        assert len(names) == len(set(names))
