"""The page's types of the API are those of this code; what Node would compare in full is compared here by its names."""

import re
from pathlib import Path

import pytest

from inquery.settings import Settings

TYPES = Path(__file__).parents[2] / "web" / "src" / "api" / "schema.d.ts"


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> dict:
    from inquery.api.app import create_app

    return create_app(Settings(home=tmp_path_factory.mktemp("home"))).openapi()


def test_the_page_knows_every_path(described: dict) -> None:
    paths = re.findall(r'^    "(/[^"]*)": \{$', TYPES.read_text("utf-8"), re.M)
    assert sorted(paths) == sorted(described["paths"]), "run: make client"


def test_the_page_knows_every_shape_and_its_fields(described: dict) -> None:
    text = TYPES.read_text("utf-8")
    shapes = text[text.index("    schemas: {") : text.index("    responses: never;")]
    known = dict(re.findall(r"^        (\w+): (.*?)(?=^        (?:/\*\*|\w+:)|\Z)", shapes, re.M | re.S))
    for name, shape in described["components"]["schemas"].items():
        assert name in known, f"{name}: run: make client"
        for field in shape.get("properties", {}):
            assert re.search(rf'^            "?{re.escape(field)}"?\??:', known[name], re.M), (
                f"{name}.{field}: run: make client"
            )


def test_the_page_has_words_for_every_deed_of_the_audit_log_in_both_languages() -> None:
    import pkgutil
    from importlib import import_module

    from inquery.api import routes
    from inquery.api.auditing import is_deed

    modules = [import_module(f"{routes.__name__}.{each.name}") for each in pkgutil.iter_modules(routes.__path__)]
    deeds = {"query.ask", "sql.run", "metrics.query"}  # written down by those who run them
    for route in (route for module in modules if hasattr(module, "router") for route in module.router.routes):
        action = f"{route.tags[0]}.{route.name}"
        deeds |= {action} if any(is_deed(action, method) for method in route.methods) else set()
    for language in ("en", "zh"):
        text = (TYPES.parents[1] / "i18n" / f"{language}.ts").read_text("utf-8")
        words = text[text.index("    deeds: {") : text.index("    outcomes: {")]
        assert sorted(re.findall(r'^      "([^"]+)": "[^"]+",$', words, re.M)) == sorted(deeds)
