"""What people call things: read from YAML, the store and dbt, and found in questions."""

import json

import pytest

from inquery import demo
from inquery.catalog.value_index import ValueIndex
from inquery.errors import BadRequest
from inquery.knowledge.glossary import Both, Glossary, parse_glossary
from inquery.knowledge.glossary_files import (
    describe_catalog,
    dump_glossary,
    from_dbt,
    glossary_of,
    load_glossary,
    merge_glossaries,
    save_glossary,
)
from inquery.sql import Catalog
from inquery.store import open_store

SHOP = """
terms:
  active customer: [a customer with an order in the last 90 days, 近90天下过单的客户]
  活跃客户: 近90天下过单的客户
metrics:
  revenue:
    expression: SUM(lines.amount)
    filter: orders.status <> 'cancelled'
    tables: [lines, orders]
    synonyms: [sales, 销售额]
  net sales:
    expression: SUM(lines.amount - lines.tax)
    synonyms: [sales]
tables:
  orders:
    description: [One row per order, 订单]
    synonyms: [purchase, 交易]
    columns:
      status: [State of the order, 订单状态]
  lines: {description: Lines of orders}
values:
  orders.status:
    cancelled: [已取消, called off]
    2: [two]
    true: ["yes"]
joins:
  - lines.order_no = orders.no
settings: {timezone: Asia/Shanghai, week_start: 7, fiscal_year_start: 4, currency: CNY}
"""


@pytest.fixture
def shop() -> Glossary:
    return load_glossary(SHOP)


def test_a_question_brings_what_it_names(shop: Glossary) -> None:
    found = shop.relevant("Total revenue of purchases by active customers")
    assert found["revenue"] == "SUM(lines.amount) where orders.status <> 'cancelled'"
    assert found["active customer"] == "a customer with an order in the last 90 days"
    assert found["purchase"] == "table orders: One row per order"
    assert found["join lines.order_no = orders.no"]
    assert "net sale" not in found


def test_chinese_words_are_found_within_a_sentence(shop: Glossary) -> None:
    found = shop.relevant("活跃客户的销售额是多少", "zh")
    assert list(found) == ["销售额", "活跃客户", "join lines.order_no = orders.no"]


def test_a_word_with_several_definitions_gives_them_all(shop: Glossary) -> None:
    assert shop.metrics_in("sales by month") == [("sale", ["revenue", "net sales"])]
    assert shop.metrics_in("net sales by month") == [("net sale", ["net sales"])]


def test_parts_of_other_words_are_not_said(shop: Glossary) -> None:
    assert shop.relevant("how many wholesalers and repurchases") == {}


def test_yaml_goes_round(shop: Glossary) -> None:
    assert load_glossary(dump_glossary(shop)) == shop
    assert shop.calendar.week_start == 7
    assert shop.values["orders.status"] == {"cancelled": ("已取消", "called off"), "2": ("two",), "true": ("yes",)}


def test_the_store_keeps_it_by_connection(shop: Glossary) -> None:
    store = open_store()
    assert save_glossary("c1", shop, store) == 1
    assert save_glossary("c1", shop, store) == 2
    assert glossary_of("c1", store) == shop
    assert glossary_of("c2", store) == Glossary()
    store.close()


@pytest.mark.parametrize(
    "text",
    [
        "metrics: {revenue: {filter: x}}",
        "nonsense: 1",
        "joins: [no condition]",
        "a: [",
        "values: 3",
        "settings: {week_start: 9}",
    ],
)
def test_a_wrong_glossary_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(BadRequest) as refused:
        load_glossary(text)
    assert refused.value.public_message("zh").startswith("请求无效：")


def test_the_demos_glossary_loads_and_its_values_map() -> None:
    glossary = parse_glossary(demo.glossary())
    assert [name for _, name in glossary.metrics_in("上个月的营业额")] == [["revenue"]]
    assert glossary.metrics["revenue"].filter == "orders.status <> 'cancelled'"
    index = ValueIndex.of({}).with_mappings(glossary.value_mappings())
    assert ("categories", "code", "mobile_phone") in [(m.table, m.column, m.value) for m in index.match("手机的销量")]
    cities = {(m.table, m.value) for m in index.match("customers in Shanghai")}
    assert {("customers", "上海"), ("stores", "上海")} <= cities


def test_a_second_glossary_is_laid_over_the_first(shop: Glossary) -> None:
    over = load_glossary("metrics: {revenue: {expression: SUM(x)}}\nvalues: {orders.status: {paid: [settled]}}")
    both = merge_glossaries(shop, over)
    assert both.metrics["revenue"].expression == "SUM(x)"
    assert set(both.values["orders.status"]) == {"cancelled", "2", "true", "paid"}
    assert both.calendar == shop.calendar


def test_descriptions_and_joins_reach_the_catalogue(shop: Glossary) -> None:
    catalog = Catalog.of({"orders": ["no", "status"], "lines": ["order_no", "amount"]}, dialect="sqlite")
    described = describe_catalog(catalog, shop)
    assert described.by_path["orders",].comment == "订单 / One row per order"
    assert described.by_path["orders",].columns[1].comment == "订单状态 / State of the order"
    (join,) = described.joins
    assert (join.left, join.left_columns, join.right, join.right_columns) == (
        ("lines",),
        ("order_no",),
        ("orders",),
        ("no",),
    )
    assert describe_catalog(described, shop).joins == described.joins
    other = Catalog.of({"orders": ["id"]}, dialect="sqlite")
    assert describe_catalog(other, shop).joins == ()


def test_a_dbt_manifest_brings_descriptions_and_relationships() -> None:
    manifest = {
        "nodes": {
            "model.shop.orders": {
                "resource_type": "model", "name": "orders", "description": "One row\nper order",
                "columns": {"customer_id": {"name": "customer_id", "description": "who bought"}},
            },
            "model.shop.customers": {"resource_type": "model", "name": "stg_customers", "alias": "customers", "columns": {}},
            "test.shop.relationships": {
                "resource_type": "test", "name": "relationships_orders", "attached_node": "model.shop.orders",
                "depends_on": {"nodes": ["model.shop.customers", "model.shop.orders"]},
                "test_metadata": {"name": "relationships", "kwargs": {"column_name": "customer_id", "field": "id"}},
            },
        },
        "sources": {},
        "metrics": {"metric.shop.arr": {"name": "arr", "description": "Annual recurring revenue"}},
    }  # fmt: skip
    glossary = from_dbt(json.dumps(manifest))
    assert glossary.tables["orders"].description == Both(en="One row per order")
    assert glossary.tables["orders"].columns["customer_id"].en == "who bought"
    assert [hint.on for hint in glossary.joins] == ["orders.customer_id = customers.id"]
    assert glossary.relevant("what is our ARR?") == {"arr": "Annual recurring revenue"}
    with pytest.raises(BadRequest):
        from_dbt('{"nodes": 1}')
    with pytest.raises(BadRequest):
        from_dbt("not json")
