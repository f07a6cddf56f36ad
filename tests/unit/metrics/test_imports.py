"""The same trade defined in four tools gives the same metrics; what cannot be taken is told, what is broken takes nothing."""

import json
from pathlib import Path

import pytest
import yaml

from inquery.catalog.joins import with_joins
from inquery.errors import BadRequest
from inquery.metrics.imports.metric_files import read_metric_files
from inquery.metrics.imports.semantic_models import Imported
from inquery.metrics.metric_book import Book
from inquery.sql.catalog import Catalog, Column, ForeignKey, Table

FILES = Path(__file__).with_name("imports")
MADE = {
    "takings": "SUM(sales.amount)",
    "home_takings": "SUM(sales.amount) where (shops.country) = 'home'",
    "ticket_count": "COUNT(*)",
    "buyers": "COUNT(DISTINCT sales.customer_id)",
    "average_ticket": "takings / ticket_count",
    "doubled": "2 * (SUM(sales.amount))",
}
CATALOG = Catalog(
    "sqlite",
    (
        Table(
            ("sales",),
            tuple(
                Column(name, kind, primary_key=name == "sale_id")
                for name, kind in {
                    "sale_id": "INTEGER", "shop_id": "INTEGER", "customer_id": "INTEGER", "sold_on": "DATE", "kind": "TEXT",
                    "amount": "REAL",
                }.items()
            ),
            foreign_keys=(ForeignKey(("shop_id",), ("shops",), ("shop_id",)),),
        ),
        Table(("shops",), (Column("shop_id", "INTEGER", primary_key=True), Column("country", "TEXT"))),
    ),
)  # fmt: skip


def definitions(found: Imported) -> dict[str, str]:
    return {name: metric.definition.replace("(shops.country)", "shops.country") for name, metric in found.glossary.metrics.items()}  # fmt: skip


def expected(*names: str) -> dict[str, str]:
    return {name: MADE[name].replace("(shops.country)", "shops.country") for name in names or MADE}


@pytest.mark.parametrize("file", ["dbt_2024.yml", "dbt_latest.yml", "cube.yml"])
def test_every_tool_gives_the_same_metrics(file: str) -> None:
    found = read_metric_files(FILES / file)
    assert definitions(found) == expected()
    assert {metric.time for metric in found.glossary.metrics.values() if metric.expression} == {"sales.sold_on"}
    assert found.glossary.dimensions["sales.kind"].label.en == "Kind of sale"
    assert [hint.on for hint in found.glossary.joins] == ["sales.shop_id = shops.shop_id"]
    assert "so_far" in found.left_out
    assert Book(with_joins(CATALOG), found.glossary, {}).problems == {}


def test_what_cannot_be_taken_says_why() -> None:
    left = {name: why.en for name, why in read_metric_files(FILES / "dbt_2024.yml").left_out.items()}
    assert left == {
        "growth": "growth is asked of the metric itself",
        "so_far": "a running total is asked of the metric itself",
        "median_sale": "the aggregate median cannot be taken",
        "lost": "there is no measure nowhere",
    }


def test_an_interchange_document_is_read() -> None:
    found = read_metric_files(FILES / "osi.yml")
    assert definitions(found) == expected("takings", "buyers")
    assert found.glossary.metrics["takings"].synonyms == ("till",)
    assert list(found.left_out) == ["nothing"]


def test_a_manifest_and_a_folder_hold_the_same_as_their_files(tmp_path: Path) -> None:
    tree = yaml.safe_load((FILES / "dbt_2024.yml").read_text("utf-8"))
    for model in tree["semantic_models"]:
        model["node_relation"] = {"alias": model["model"][5:-2]}
    for metric in tree["metrics"]:
        if condition := metric.get("filter"):
            metric["filter"] = {"where_filters": [{"where_sql_template": condition}]}
    manifest = {
        "nodes": {},
        "semantic_models": {f"semantic_model.x.{each['name']}": each for each in tree["semantic_models"]},
        "metrics": {f"metric.x.{each['name']}": each for each in tree["metrics"]},
    }
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    assert definitions(read_metric_files(tmp_path / "manifest.json")) == expected()
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "a.yml").write_text(yaml.safe_dump({"semantic_models": tree["semantic_models"]}), "utf-8")
    (folder / "b.yml").write_text(yaml.safe_dump({"metrics": tree["metrics"][:1]}), "utf-8")
    assert definitions(read_metric_files(folder)) == expected("takings", "buyers")


def test_a_sheet_is_a_metric_a_row(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["name", "label_en", "label_zh", "expression", "entity", "synonyms"])
    book.active.append(["takings", "Takings", "流水", "SUM(sales.amount)", "sales", "till，cash"])
    book.save(tmp_path / "m.xlsx")
    metric = read_metric_files(tmp_path / "m.xlsx").glossary.metrics["takings"]
    assert (metric.label.zh, metric.synonyms, metric.definition) == ("流水", ("till", "cash"), "SUM(sales.amount)")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.yml", "metrics: [{name: a, type: ratio, type_params: {numerator: b, denominator: b}}, "
         "{name: b, type: ratio, type_params: {numerator: a, denominator: a}}]", "circle: a → b → a"),
        ("a.yml", "metrics: [{name: a, type: simple}, {name: a, type: simple}]", "two metrics a"),
        ("a.yml", "metrics: [", "not YAML (line"),
        ("a.json", "{", "a.json cannot be read"),
        ("a.yml", "hello: world", "holds no metrics"),
        ("a.xlsx", "no sheet", "a.xlsx cannot be read"),
    ],
)  # fmt: skip
def test_a_broken_file_gives_nothing_and_says_so(tmp_path: Path, name: str, text: str, says: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(BadRequest) as error:
        read_metric_files(tmp_path / name)
    assert says in error.value.public_message("en")
