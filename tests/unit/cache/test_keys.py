"""A cached answer is served only where everything it depends on agrees."""

import dataclasses
import datetime

import pytest

from inquery.cache import (
    CacheEntry,
    CacheKey,
    MemoryExactCache,
    SemanticCache,
    ThreadCache,
    same_slots,
    slots,
    today_bucket,
)
from inquery.cache.calibrate import calibrate, threshold_for
from inquery.knowledge.builtin_vectors import BuiltinVectors
from inquery.knowledge.embedders import HashedEmbedder
from inquery.settings import CacheSettings

KEY = CacheKey(
    tenant="acme", connection_id="shop", permission="all", schema_version="v1", dialect="sqlite", model="m1",
    prompt_version="p1", language="en", today_bucket="2026-11-15", question="How many orders are there?",
)  # fmt: skip
FIELDS = [field.name for field in dataclasses.fields(CacheKey)]


def entry() -> CacheEntry:
    """One of this moment: caches drop what is old, and a whole run of the tests takes longer than they keep it."""
    return {"sql": "SELECT count(*) FROM orders", "as_of": datetime.datetime.now(datetime.UTC).isoformat()}


def varied(field: str) -> CacheKey:
    return dataclasses.replace(KEY, **{field: "How many customers are there?" if field == "question" else "other"})


@pytest.mark.parametrize("field", FIELDS)
async def test_one_other_field_misses_every_level(field: str, tmp_path) -> None:
    thread, exact = ThreadCache(), MemoryExactCache()
    semantic = SemanticCache(BuiltinVectors(tmp_path / "v.sqlite"), HashedEmbedder(), 0.92)
    for cache in (thread, exact, semantic):
        await cache.put(KEY, entry())
        assert await cache.get(KEY) is not None
        assert await cache.get(varied(field)) is None


def test_fields_do_not_run_into_each_other() -> None:
    one = dataclasses.replace(KEY, tenant="a", connection_id="bc")
    other = dataclasses.replace(KEY, tenant="ab", connection_id="c")
    assert one.digest != other.digest
    assert one.scope != other.scope


@pytest.mark.parametrize(
    "question", ["how many orders are there", "How  many orders are there ?", "Ｈow many orders are there？"]
)
def test_the_question_is_read_loosely(question: str) -> None:
    assert dataclasses.replace(KEY, question=question).digest == KEY.digest


TODAY = datetime.date(2026, 11, 15)


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue last month?", "orders in March", "Who is older than 30?", "最近7天的订单", "本月销售额",
        "去年同期的销售额", "截至目前的客户数", "customers by age", "orders since last week", "近三个月的趋势",
    ],
)  # fmt: skip
def test_what_depends_on_the_day_has_the_day_in_its_key(question: str) -> None:
    assert today_bucket(question, TODAY) == "2026-11-15"


@pytest.mark.parametrize(
    "question",
    ["How many orders are there?", "revenue in 2023", "2024年第一季度的销售额", "各城市的客户数", "2023-01-05 的订单"],
)
def test_what_does_not_depend_on_the_day_is_good_for_longer(question: str) -> None:
    assert today_bucket(question, TODAY) == ""


DIFFERENT = [
    ("orders above 100", "orders above 200"),
    ("top 5 products by revenue", "top 10 products by revenue"),
    ("revenue in 2022", "revenue in 2023"),
    ("revenue in March 2023", "revenue in April 2023"),
    ("customers in Berlin", "customers in Paris"),
    ('products named "Aurora"', 'products named "Borealis"'),
    ("status of order A-1001", "status of order A-1002"),
    ("the highest price", "the lowest price"),
    ("customers who ordered", "customers who never ordered"),
    ("average order value", "total order value"),
    ("revenue by month", "revenue by year"),
    ("how many orders were over 50", "how many orders were under 50"),
    ("销售额超过100的订单", "销售额超过1000的订单"),
    ("前五名客户", "前十名客户"),
    ("2023年的销售额", "2024年的销售额"),
    ("上个月的订单", "本月的订单"),
    ("名为“极光”的商品", "名为“北斗”的商品"),
    ("销售额最高的门店", "销售额最低的门店"),
    ("有订单的客户", "没有订单的客户"),
    ("平均订单金额", "订单总金额"),
    ("按月统计销售额", "按周统计销售额"),
    ("占比超过百分之五", "占比超过百分之十"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_literals_are_other_slots(one: str, other: str) -> None:
    assert not same_slots(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("top five products by revenue", "Show the top 5 products by revenue"),
        ("revenue by region", "Show me the revenue for each region"),
        ("各地区的销售额", "每个地区的销售额是多少"),
        ("customers in Berlin", "Which customers live in Berlin?"),
        ("2023年的订单", "二〇二三年的订单"),
    ],
)
def test_the_same_literals_in_other_words_are_the_same_slots(one: str, other: str) -> None:
    assert slots(one) == slots(other)


def test_chinese_names_are_told_apart_by_the_values_found() -> None:
    assert not same_slots("北京的客户数", "上海的客户数", ["customers.city=北京"], ["customers.city=上海"])


async def test_a_near_question_with_another_number_never_serves(tmp_path) -> None:
    """A trained encoder puts such questions at 0.99; the slots hold even when the threshold lets all through."""
    semantic = SemanticCache(BuiltinVectors(tmp_path / "v.sqlite"), HashedEmbedder(), 0.0)
    for one, other in DIFFERENT:
        asked = dataclasses.replace(KEY, connection_id=one, question=other)
        await semantic.put(dataclasses.replace(asked, question=one), entry())
        assert await semantic.get(asked) is None, (one, other)


async def test_a_template_is_the_users_own(tmp_path) -> None:
    semantic = SemanticCache(BuiltinVectors(tmp_path / "v.sqlite"), HashedEmbedder(), 0.92)
    await semantic.put(KEY, {**entry(), "answer": {"judged": {"p": 0.3}}}, user="ann")
    near = dataclasses.replace(KEY, question="How many orders there are?")
    found = await semantic.get(near, user="ann")
    assert found is not None
    assert (found.sql, found.p) == (entry()["sql"], 0.3)
    assert await semantic.get(near, user="bob") is None
    await semantic.evict(KEY, user="bob")
    assert await semantic.get(KEY, user="ann") is not None


async def test_a_rejected_answer_takes_the_template_it_came_from_with_it(tmp_path) -> None:
    semantic = SemanticCache(BuiltinVectors(tmp_path / "v.sqlite"), HashedEmbedder(), 0.92)
    await semantic.put(KEY, entry(), user="ann")
    near = dataclasses.replace(KEY, question="How many orders there are?")
    assert await semantic.get(near, user="ann") is not None
    await semantic.evict(near, user="ann")
    assert await semantic.get(near, user="ann") is None
    assert await semantic.get(KEY, user="ann") is None


def test_the_threshold_keeps_to_the_stated_rate_of_false_hits() -> None:
    measured = calibrate(HashedEmbedder())
    assert measured.false_hit_rate <= 0.01
    assert measured.hit_rate > 0.2
    assert threshold_for(HashedEmbedder(), CacheSettings()) == measured.threshold
    assert threshold_for(HashedEmbedder(), CacheSettings(semantic_threshold=0.99)) == 0.99
    assert calibrate(HashedEmbedder(), false_hits=0.2).threshold < measured.threshold
