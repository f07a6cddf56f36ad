"""One contract for every vector store."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import numpy as np
import pytest

from inquery.errors import BadRequest
from inquery.knowledge.builtin_vectors import BuiltinVectors
from inquery.knowledge.vectors import Item, VectorStore

Open = Callable[[], VectorStore]


@pytest.fixture(params=["builtin", "milvus"])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Opens the same store again, as a new process would."""
    if request.param == "builtin":
        return lambda: BuiltinVectors(tmp_path / "vectors.sqlite")
    pytest.importorskip("pymilvus")
    pytest.importorskip("milvus_lite")
    from inquery.knowledge.milvus import MilvusVectors

    return lambda: MilvusVectors(str(tmp_path / "milvus.db"))


@pytest.fixture
async def vectors(reopen: Open) -> AsyncIterator[VectorStore]:
    store = reopen()
    yield store
    await store.close()


def item(name: str, *numbers: float, **meta: object) -> Item:
    return Item(name, np.array(numbers, dtype=np.float32), f"text of {name}", meta)


async def test_the_nearest_come_first_with_their_cosine(vectors: VectorStore) -> None:
    await vectors.upsert("s", [item("east", 1, 0), item("north", 0, 2), item("between", 3, 3), item("west", -1, 0)])
    hits = await vectors.search("s", np.array([5.0, 0.0]), k=4)
    assert [hit.id for hit in hits] == ["east", "between", "north", "west"]
    assert [hit.score for hit in hits] == pytest.approx([1, 0.7071, 0, -1], abs=1e-3)
    assert hits[0].text == "text of east"


async def test_k_bounds_what_is_found(vectors: VectorStore) -> None:
    await vectors.upsert("s", [item(str(n), 1, n) for n in range(20)])
    assert len(await vectors.search("s", np.array([1.0, 0.0]), k=3)) == 3


async def test_conditions_hold_for_every_hit(vectors: VectorStore) -> None:
    await vectors.upsert(
        "s",
        [
            item("a", 1, 0, owner="ann", approved=True, note='say "hi" or \\ 你好'),
            item("b", 1, 0.1, owner="bob", approved=False),
            item("c", 1, 0.2, owner="", approved=True),
        ],
    )
    near = np.array([1.0, 0.0])
    assert [hit.id for hit in await vectors.search("s", near, where={"owner": "bob"})] == ["b"]
    assert [hit.id for hit in await vectors.search("s", near, where={"owner": ["", "ann"]})] == ["a", "c"]
    both = await vectors.search("s", near, where={"owner": ["", "ann"], "approved": True})
    assert [hit.id for hit in both] == ["a", "c"]
    quoted = await vectors.search("s", near, where={"note": 'say "hi" or \\ 你好'})
    assert [hit.id for hit in quoted] == ["a"]
    assert quoted[0].meta["owner"] == "ann"
    assert await vectors.search("s", near, where={"owner": []}) == []
    assert await vectors.search("s", near, where={"owner": 'ann" or meta["owner"] != "'}) == []


async def test_values_of_other_types_and_missing_ones_are_not_met(vectors: VectorStore) -> None:
    await vectors.upsert(
        "s",
        [
            item("text", 1, 0, owner="", scope="1", slots='["a \\" \\\\ 你好"]'),
            item("number", 1, 0.1, owner="ann", scope=1),
            item("truth", 1, 0.2, owner="ann", scope=True),
            item("none", 1, 0.3),
        ],
    )
    near = np.array([1.0, 0.0])
    assert [hit.id for hit in await vectors.search("s", near, where={"owner": ""})] == ["text"]
    assert [hit.id for hit in await vectors.search("s", near, where={"scope": "1"})] == ["text"]
    assert [hit.id for hit in await vectors.search("s", near, where={"scope": 1})] == ["number"]
    assert [hit.id for hit in await vectors.search("s", near, where={"scope": True})] == ["truth"]
    slots = {"slots": '["a \\" \\\\ 你好"]', "owner": ["", "ann"]}
    assert [hit.id for hit in await vectors.search("s", near, where=slots)] == ["text"]
    assert [hit.id for hit in await vectors.search("s", near, where={"slots": "x" * 70_000})] == []


async def test_many_items_are_found_replaced_and_deleted(vectors: VectorStore) -> None:
    for start in range(0, 2400, 600):
        await vectors.upsert("s", [item(str(n), 1, n, owner=f"user{n % 3}") for n in range(start, start + 600)])
    await vectors.upsert("s", [item("5", 1, -9, owner="user9"), item("7", 1, 7, owner="user9")])
    await vectors.delete("s", ["6"])
    assert await vectors.count("s") == 2399
    flat = np.array([1.0, 0.0])
    assert [hit.id for hit in await vectors.search("s", flat, k=2, where={"owner": "user0"})] == ["0", "3"]
    assert [hit.id for hit in await vectors.search("s", flat, where={"owner": "user9"})] == ["7", "5"]
    nearest = await vectors.search("s", np.array([1.0, 6.0]), k=3)
    assert [hit.id for hit in nearest] == ["7", "8", "9"]


async def test_an_item_is_replaced_by_its_id(vectors: VectorStore) -> None:
    await vectors.upsert("s", [item("a", 1, 0, version=1)])
    await vectors.search("s", np.array([1.0, 0.0]))
    await vectors.upsert("s", [item("a", 0, 1, version=2)])
    assert await vectors.count("s") == 1
    (hit,) = await vectors.search("s", np.array([0.0, 1.0]))
    assert hit.score == pytest.approx(1, abs=1e-3)
    assert hit.meta["version"] == 2


async def test_a_deleted_item_is_gone(vectors: VectorStore) -> None:
    await vectors.upsert("s", [item("a", 1, 0), item("b", 0, 1)])
    await vectors.delete("s", ["a", "never there"])
    await vectors.delete("unknown", ["a"])
    assert [hit.id for hit in await vectors.search("s", np.array([1.0, 0.0]))] == ["b"]
    assert await vectors.count("s") == 1


async def test_spaces_are_apart_and_an_unknown_one_is_empty(vectors: VectorStore) -> None:
    await vectors.upsert("one/中文", [item("a", 1, 0)])
    await vectors.upsert("two", [item("a", 0, 1, 0)])
    assert await vectors.count("one/中文") == 1
    assert await vectors.search("three", np.array([1.0])) == []
    assert await vectors.count("three") == 0


async def test_a_vector_of_another_dimension_is_refused(vectors: VectorStore) -> None:
    await vectors.upsert("s", [item("a", 1, 0)])
    with pytest.raises(BadRequest):
        await vectors.upsert("s", [item("b", 1, 0), item("c", 1, 0, 0)])
    with pytest.raises(BadRequest):
        await vectors.search("s", np.array([1.0, 0.0, 0.0]))
    assert await vectors.count("s") == 1


async def test_items_outlive_the_process(reopen: Open) -> None:
    first = reopen()
    await first.upsert("s", [item("a", 1, 0, kind="x"), item("b", 0, 1)])
    await first.delete("s", ["b"])
    await first.close()
    second = reopen()
    hits = await second.search("s", np.array([1.0, 0.0]))
    assert [(hit.id, hit.meta["kind"]) for hit in hits] == [("a", "x")]
    await second.close()


async def test_exact_search_agrees_with_arithmetic(vectors: VectorStore) -> None:
    made = np.random.default_rng(7).normal(size=(300, 16)).astype(np.float32)
    await vectors.upsert("s", [Item(str(n), vector) for n, vector in enumerate(made)])
    wanted = made[5] + 0.1
    cosines = made @ wanted / (np.linalg.norm(made, axis=1) * np.linalg.norm(wanted))
    best = [str(n) for n in np.argsort(-cosines)[:10]]
    assert [hit.id for hit in await vectors.search("s", wanted, k=10)] == best


async def test_a_collection_of_an_earlier_version_is_searched_and_added_to(tmp_path: Path) -> None:
    pytest.importorskip("pymilvus")
    pytest.importorskip("milvus_lite")
    from inquery.knowledge.milvus import MilvusVectors, collection

    class Earlier(MilvusVectors):
        """Makes collections as 0.1 did at first: cosines, and conditions on `meta` alone."""

        def make(self) -> None:
            from pymilvus import DataType

            schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False)
            schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=512)
            schema.add_field("vector", DataType.FLOAT_VECTOR, dim=2)
            schema.add_field("text", DataType.VARCHAR, max_length=65_535)
            schema.add_field("meta", DataType.JSON)
            index = self._client.prepare_index_params()
            index.add_index("vector", index_type="FLAT", metric_type="COSINE")
            self._client.create_collection(collection("s"), schema=schema, index_params=index)
            row = {"id": "a", "vector": [5.0, 0.0], "text": "old", "meta": {"owner": "ann", "_id": "a"}}
            self._client.upsert(collection("s"), [row])

    earlier = Earlier(str(tmp_path / "milvus.db"))
    earlier.make()
    await earlier.close()
    now = MilvusVectors(str(tmp_path / "milvus.db"))
    await now.upsert("s", [item("b", 3, 3, owner="bob")])
    hits = await now.search("s", np.array([2.0, 0.0]), where={"owner": ["ann", "bob"]})
    assert [(hit.id, hit.text) for hit in hits] == [("a", "old"), ("b", "text of b")]
    assert [hit.score for hit in hits] == pytest.approx([1, 0.7071], abs=1e-3)
    assert [hit.id for hit in await now.search("s", np.array([2.0, 0.0]), where={"owner": "bob"})] == ["b"]
    await now.close()
