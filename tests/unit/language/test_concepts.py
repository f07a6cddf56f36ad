"""What a question speaks of, thing by thing, and which source system of a warehouse it is about."""

import pytest

from inquery.catalog.families import families, source_code, systems, without_codes
from inquery.catalog.joins import with_joins
from inquery.catalog.search import link_tables, rank_tables
from inquery.language.concepts import concepts_in, made_of, parted, segments
from inquery.language.lexicon import lexicon
from inquery.sql import Catalog, Column, ForeignKey, Table


def names_of(question: str) -> list[str]:
    """The strongest English or Chinese form of each thing."""
    return [max(thing, key=lambda term: (thing[term], len(term))) for thing in concepts_in(question)]


def test_a_word_and_its_translations_are_one_thing() -> None:
    (thing,) = concepts_in("How many customers are there?")
    assert {"customer", "客户"} <= thing.keys()
    (thing,) = concepts_in("有多少客户")
    assert {"customer", "客户"} <= thing.keys()


def test_words_that_only_ask_are_nothing() -> None:
    assert concepts_in("请列出所有不重复的") == []
    assert concepts_in("What is the highest?") == []


def test_asking_words_do_not_cut_other_words() -> None:
    assert segments("比赛用户", lexicon()) == ["比赛", "用户"]
    assert "序列" not in segments("按产品排序列出", lexicon())


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("列出租户", ["租户"]),
        ("统计学生", ["学生"]),
        ("学校中专业", ["学校", "专业"]),
        ("按时间", ["时间"]),
        ("中国客户", ["中国", "客户"]),
    ],
)
def test_an_asking_word_gives_way_only_where_the_next_word_stays_whole(run: str, words: list[str]) -> None:
    assert segments(run, lexicon()) == words


def test_a_compound_speaks_of_its_parts() -> None:
    assert parted("交易类型", lexicon()) == ("交易", "类型")
    assert names_of("交易类型") == ["交易", "类型"]


def test_who_does_a_thing_is_found_by_its_name() -> None:
    catalog = Catalog.of({"reviewer": ["rid", "name"], "comment": ["body"], "rating": ["stars"]}, dialect="sqlite")
    assert rank_tables("有几位评论人", catalog).tables[0][0] == "reviewer"


@pytest.mark.parametrize(
    ("noun", "base"), [("reviewer", "review"), ("employment", "employ"), ("order", ""), ("公司", "")]
)
def test_nouns_are_made_of_words(noun: str, base: str) -> None:
    assert made_of(noun) == base


def test_a_generic_word_is_not_rare_because_few_tables_speak_another_language() -> None:
    tables = {f"thing_{n}": ["name", "note"] for n in range(30)} | {"科室": ["名称", "电话"], "donor": ["name"]}
    assert rank_tables("names of all donors", Catalog.of(tables, dialect="sqlite")).tables[0][0] == "donor"


@pytest.mark.parametrize(
    ("name", "code"),
    [("s0123_orders", "s0123"), ("xqz_orders", "xqz"), ("customer_orders", ""), ("dim_date", ""), ("cust_ord", ""), ("orders", "")],
)  # fmt: skip
def test_a_code_is_no_word(name: str, code: str) -> None:
    assert source_code(name) == code


def source(code: str, *tables: Table) -> list[Table]:
    """Tables as a warehouse names them."""
    keys = {table.name: f"{code}_{table.name}" for table in tables}
    return [
        Table(
            (keys[table.name],),
            table.columns,
            foreign_keys=tuple(ForeignKey(k.columns, (keys[k.table[-1]],), k.references) for k in table.foreign_keys),
        )
        for table in tables
    ]


def columns(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, "INTEGER" if name.endswith("id") else "TEXT") for name in names)


def warehouse(sources: int = 80) -> Catalog:
    """Many systems with a table of customers each; one of them also knows about cargo ships."""
    tables = []
    for number in range(sources):
        own = [
            Table(("customers",), columns("customer_id", "name")),
            Table((f"topic{number}x",), columns("customer_id", "note")),
        ]
        if number == 41:
            own.append(Table(("ships",), columns("ship_id", "tonnage")))
        tables += source(f"k{number:02d}", *own)
    return with_joins(
        Catalog("sqlite", (*tables, *source("m01", *(Table((f"log{n}",), columns("note")) for n in range(60)))))
    )


def test_the_rest_of_the_question_tells_which_of_many_tables_is_meant() -> None:
    found = link_tables("customers and the tonnage of their ships", warehouse(), limit=4)
    assert {"k41_customers", "k41_ships"} <= {table.name for table in found}


def test_systems_of_a_warehouse_are_not_joined_by_names() -> None:
    catalog = warehouse()
    assert catalog.joins
    assert all(join.left[0][:3] == join.right[0][:3] for join in catalog.joins)


def test_a_small_catalogue_has_no_systems() -> None:
    assert systems(source("k01", Table(("a",), columns("id")), Table(("b",), columns("a_id")))) == {}


def test_a_code_that_several_share_is_a_part_of_the_path() -> None:
    tables = [Table(("k01_a",)), Table(("k01_b",)), Table(("k02_c",)), Table(("plain",))]
    assert [table.path for table in without_codes(tables)] == [("k01", "a"), ("k01", "b"), ("k02_c",), ("plain",)]


def test_one_schema_is_no_reason_to_tell_sources_apart() -> None:
    assert not families([Table(("public", "a")), Table(("public", "b"))]).several
    assert families([Table(("crm", "a")), Table(("crm", "b")), Table(("erp", "a"))]).several
