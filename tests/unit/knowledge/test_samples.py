"""Samples: whose they are, how they are found, and what a new schema does to them."""

from pathlib import Path

import pytest

from inquery import demo
from inquery.errors import BadRequest, NotFound
from inquery.knowledge.builtin_vectors import BuiltinVectors
from inquery.knowledge.embedders import HashedEmbedder
from inquery.knowledge.lexical import LexicalIndex, fused
from inquery.knowledge.samples import Samples, dump_samples, load_samples
from inquery.sql import Catalog
from inquery.store import open_store


@pytest.fixture
def samples(tmp_path: Path) -> Samples:
    return Samples(open_store(), BuiltinVectors(tmp_path / "vectors.sqlite"), HashedEmbedder())


async def test_the_demos_samples_are_found_in_other_words(samples: Samples) -> None:
    await samples.add_all("demo", demo.samples(), approved=True, dialect="sqlite", source="demo")
    found = await samples.find("demo", "Total revenue per region", k=3)
    assert found[0].question == "What is the total revenue by region?"
    assert found[0].verified
    chinese = await samples.find("demo", "各城市客户数前五名", k=3)
    assert chinese[0].question == "各城市的客户数，列出前五名"
    assert await samples.find("demo", "zebra migration in Tanzania", k=3) == []
    assert len(await samples.find("demo", "How many orders are there each month?", k=2, least=0.0)) == 2


async def test_importing_twice_keeps_each_once(samples: Samples) -> None:
    for _ in range(2):
        await samples.add_all("demo", demo.samples(), approved=True, source="demo")
    assert len(await samples.list("demo")) == len(demo.samples())


async def test_a_sample_is_its_users_own_until_approved(samples: Samples) -> None:
    row = await samples.add("c", "How many orders?", "SELECT count(*) FROM orders", user="ann")
    assert [s.verified for s in await samples.find("c", "how many orders", user="ann")] == [False]
    assert await samples.find("c", "how many orders", user="bob") == []
    assert await samples.list("c", "bob") == []
    await samples.approve(row.id)
    assert [s.verified for s in await samples.find("c", "how many orders", user="bob")] == [True]
    assert await samples.find("other", "how many orders", user="ann") == []


async def test_samples_of_others_do_not_crowd_out_ones_own(samples: Samples) -> None:
    others = [{"question": f"How many orders? ({n})", "sql": f"SELECT {n}"} for n in range(120)]
    await samples.add_all("c", others, approved=False, source="import")
    await samples.add("c", "How many orders in all?", "SELECT count(*) FROM orders", user="ann")
    assert [s.sql for s in await samples.find("c", "how many orders", user="ann")] == ["SELECT count(*) FROM orders"]


async def test_a_removed_sample_is_not_found(samples: Samples) -> None:
    row = await samples.add("c", "How many orders?", "SELECT count(*) FROM orders", user="ann")
    await samples.find("c", "how many orders", user="ann")
    await samples.remove(row.id)
    assert await samples.find("c", "how many orders", user="ann") == []
    with pytest.raises(NotFound):
        await samples.remove(row.id)


async def test_another_process_sees_what_was_added(samples: Samples, tmp_path: Path) -> None:
    other = Samples(open_store(), BuiltinVectors(tmp_path / "vectors.sqlite"), HashedEmbedder())
    assert await other.find("c", "how many orders", user="ann") == []
    await samples.add("c", "How many orders?", "SELECT count(*) FROM orders", user="ann")
    assert len(await other.find("c", "how many orders", user="ann")) == 1


async def test_a_schema_change_sets_samples_aside_until_they_fit_again(samples: Samples) -> None:
    old = Catalog.of({"orders": ["id", "amount"]}, dialect="sqlite")
    new = Catalog.of({"orders": ["id", "total"]}, dialect="sqlite")
    await samples.add("c", "Sum of amounts", "SELECT sum(amount) FROM orders", approved=True)
    await samples.add("c", "Number of orders", "SELECT count(*) FROM orders", approved=True)
    assert (await samples.recheck("c", old)).broken == ()
    checked = await samples.recheck("c", new)
    assert checked.good == 1
    assert [row.problem for row in checked.broken] == ["unknown_column: amount"]
    assert await samples.find("c", "sum of amounts") == []
    assert len(await samples.list("c")) == 2
    await samples.recheck("c", old)
    assert len(await samples.find("c", "sum of amounts")) == 1


async def test_yaml_goes_round(samples: Samples) -> None:
    await samples.add("c", "有多少订单？", "SELECT count(*)\nFROM orders", approved=True)
    pairs = load_samples(dump_samples(await samples.list("c")))
    assert pairs == [{"question": "有多少订单？", "language": "zh", "sql": "SELECT count(*)\nFROM orders"}]


@pytest.mark.parametrize("text", ["question: x", "- question: x", "- {question: '', sql: x}", "- [", "- 3"])
def test_wrong_yaml_is_refused(text: str) -> None:
    with pytest.raises(BadRequest):
        load_samples(text)


def test_words_and_meaning_are_fused_by_rank() -> None:
    assert fused([["a", "b", "c"], ["b", "d"]])[0] == "b"
    index = LexicalIndex({"1": "revenue by region", "2": "客户数按城市", "3": "returns"})
    assert index.search("the region's revenues", 3)[0][0] == "1"
    assert index.search("城市客户", 3)[0][0] == "2"
    assert LexicalIndex({}).search("x", 3) == []
