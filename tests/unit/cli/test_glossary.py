"""`inquery glossary`: terms, metrics, value mappings and descriptions, by hand, from YAML and from dbt."""

import json
from pathlib import Path

import pytest
import yaml

MANIFEST = {
    "nodes": {
        "model.shop.orders": {
            "resource_type": "model", "name": "orders", "description": "One row per order.",
            "columns": {"status": {"name": "status", "description": "Where the order stands."}},
        },
        "model.shop.customers": {"resource_type": "model", "name": "customers", "description": "", "columns": {}},
        "test.shop.fk": {
            "resource_type": "test", "attached_node": "model.shop.orders",
            "depends_on": {"nodes": ["model.shop.orders", "model.shop.customers"]},
            "test_metadata": {"name": "relationships", "kwargs": {"column_name": "customer_id", "field": "customer_id"}},
        },
    },
    "metrics": {"m": {"name": "net_sales", "description": "Sales less returns."}},
}  # fmt: skip


def kept(inquery) -> dict:
    return inquery("glossary", "export", "--json").json


def test_entries_of_every_kind_are_added_and_removed(inquery) -> None:
    added = [
        ("term", "GMV", "成交总额", "--synonym", "交易额"),
        ("metric", "big orders", "COUNT(*)", "--filter", "amount > 100", "--table", "orders", "--synonym", "大单"),
        ("value", "products.category", "mobile_phone", "手机", "cell phone"),
        ("table", "orders", "What people bought", "--synonym", "purchases"),
        ("column", "orders.status", "Where the order stands"),
        ("join", "orders.customer_id = customers.customer_id"),
    ]
    for arguments in added:
        assert inquery("glossary", "add", *arguments, "--json").json["added"], arguments
    found = kept(inquery)
    assert found["terms"]["GMV"] == {"meaning": {"zh": "成交总额"}, "synonyms": ["交易额"]}
    assert found["values"] == {"products.category": {"mobile_phone": ["手机", "cell phone"]}}
    assert found["tables"]["orders"]["columns"] == {"status": {"en": "Where the order stands"}}
    shown = inquery("glossary", "list", "--lang", "zh").out
    assert all(word in shown for word in ("术语", "交易额", "big orders", "手机", "取值"))
    for kind, name in (
        ("term", "GMV"), ("metric", "big orders"), ("value", "products.category=mobile_phone"),
        ("column", "orders.status"), ("table", "orders"), ("join", "orders.customer_id=customers.customer_id"),
    ):  # fmt: skip
        assert inquery("glossary", "remove", kind, name).code == 0, (kind, name)
        assert inquery("glossary", "remove", kind, name).code == 1, (kind, name)
    assert kept(inquery) == {}


def test_the_demos_own_entries_stay_underneath(inquery) -> None:
    whole = inquery("glossary", "list", "--json").json
    assert whole["metrics"]
    name = next(iter(whole["metrics"]))
    assert inquery("glossary", "remove", "metric", name).code == 1
    inquery("glossary", "add", "metric", name, "COUNT(*)")
    assert inquery("glossary", "list", "--json").json["metrics"][name] == {"expression": "COUNT(*)"}
    inquery("glossary", "remove", "metric", name)
    assert inquery("glossary", "list", "--json").json["metrics"] == whole["metrics"]


def test_yaml_goes_out_and_comes_in(inquery, tmp_path: Path) -> None:
    inquery("glossary", "add", "term", "GMV", "gross merchandise value")
    file = tmp_path / "glossary.yaml"
    inquery("glossary", "export", "--out", str(file))
    assert yaml.safe_load(file.read_text("utf-8"))["terms"]["GMV"]["meaning"] == {"en": "gross merchandise value"}
    assert inquery("glossary", "import", "-", stdin="terms: {复购率: 再次购买的客户占比}").code == 0
    assert set(kept(inquery)["terms"]) == {"GMV", "复购率"}
    assert inquery("glossary", "import", str(file), "--replace", "--json").json["terms"] == 1
    assert set(kept(inquery)["terms"]) == {"GMV"}


def test_a_dbt_manifest_brings_descriptions_and_joins(inquery, tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps(MANIFEST), "utf-8")
    counts = inquery("glossary", "import", str(file), "--json").json
    assert (counts["tables"], counts["joins"], counts["terms"]) == (1, 1, 1)
    found = kept(inquery)
    assert found["tables"]["orders"]["columns"]["status"] == {"en": "Where the order stands."}
    assert found["joins"] == [{"on": "orders.customer_id = customers.customer_id"}]


@pytest.mark.parametrize("arguments", [("value", "category", "x", "y"), ("join", "no equals sign"), ("column", "status", "x"), ("metric", "m", "")])  # fmt: skip
def test_what_cannot_be_meant_is_refused(inquery, arguments: tuple[str, ...]) -> None:
    refused = inquery("glossary", "add", *arguments)
    assert (refused.code, refused.err.startswith("error [bad_request]")) == (1, True)
    assert kept(inquery) == {}
