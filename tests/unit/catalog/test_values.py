"""Phrases of a question find the stored values they mean."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inquery.catalog.value_index import ValueIndex, ValueMatch
from inquery.language import lexicon as terms

VALUES = {
    ("shop.categories", "code"): ["mobile_phone", "home_appliance", "computer", "camera"],
    ("shop.categories", "name_zh"): ["手机", "家用电器", "电脑"],
    ("shop.customers", "city"): ["北京", "上海市", "New York", "York", "Paris", "São Paulo"],
    ("shop.customers", "country"): ["France", "China", "United States"],
    ("shop.customers", "gender"): ["M", "F"],
    ("shop.stores", "city"): ["Paris", "New York", "Berlin"],
    ("shop.stores", "region"): ["east", "south", "north", "west"],
    ("shop.orders", "status"): ["pending", "paid", "shipped", "completed", "cancelled"],
    ("shop.orders", "channel"): ["web", "app", "store"],
    ("shop.products", "name"): ["Samsung Galaxy S21", "Apple iPhone 15", "Apple iPhone 14", "C++ Primer", "Sports Car"],
    ("shop.products", "camel"): ["EarlyBird", "SuperSaver"],
}


@pytest.fixture(scope="module")
def index() -> ValueIndex:
    return ValueIndex.of(VALUES)


def meant(matches: list[ValueMatch]) -> list[tuple[str, str]]:
    return [(m.column, m.value) for m in matches]


FOUND = [
    ("How many computers were sold?", "code", "computer"),
    ("mobile phone sales", "code", "mobile_phone"),
    ("sales of Mobile Phones", "code", "mobile_phone"),
    ("MOBILE_PHONE sales", "code", "mobile_phone"),
    ("手机的销售额", "name_zh", "手机"),
    ("北京客户有多少", "city", "北京"),
    ("上海的客户", "city", "上海市"),
    ("customers in sao paulo", "city", "São Paulo"),
    ("customers in ｐａｒｉｓ", "city", "Paris"),
    ("customers in New York", "city", "New York"),
    ("french customers", "country", "France"),
    ("orders that were canceled", "status", "cancelled"),
    ("shipped orders", "status", "shipped"),
    ("how many cancellled orders", "status", "cancelled"),
    ("customers with gender F", "gender", "F"),
    ("female customers", "gender", "F"),
    ("女性客户", "gender", "F"),
    ("early bird tickets", "camel", "EarlyBird"),
    ("iPhone15 sales", "name", "Apple iPhone 15"),
    ("sales of the Galaxy", "name", "Samsung Galaxy S21"),
    ("Apple iPhnoe 15", "name", "Apple iPhone 15"),
    ("sports cars", "name", "Sports Car"),
    ("copies of C++ primer", "name", "C++ Primer"),
    ("东区的 east 门店", "region", "east"),
]


@pytest.mark.parametrize(("question", "column", "value"), FOUND, ids=[case[0] for case in FOUND])
def test_a_phrase_finds_its_value(index: ValueIndex, question: str, column: str, value: str) -> None:
    matches = index.match(question)
    assert (column, value) in meant(matches)
    for match in matches:
        assert question[match.start : match.end] == match.phrase
        assert 0 < match.score <= 1


COUNTRIES = ["Turkey", "Germany", "United States", "UK", "Korea", "Czech Republic", "Poland", "Spain", "South Africa"]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Turkish suppliers", "Turkey"),
        ("suppliers who are Turks", "Turkey"),
        ("german suppliers", "Germany"),
        ("how many Germans", "Germany"),
        ("American suppliers", "United States"),
        ("suppliers in the US", "United States"),
        ("USA suppliers", "United States"),
        ("British suppliers", "UK"),
        ("suppliers in the United Kingdom", "UK"),
        ("South Koreans", "Korea"),
        ("韩国的供应商", "Korea"),
        ("Czech suppliers", "Czech Republic"),
        ("Polish suppliers", "Poland"),
        ("Spaniards", "Spain"),
        ("South African suppliers", "South Africa"),
    ],
)
def test_a_country_is_found_by_its_adjective_its_people_and_its_other_names(question: str, value: str) -> None:
    found = ValueIndex.of({("suppliers", "country"): COUNTRIES}).match(question)
    assert [match.value for match in found] == [value]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Prepaid in Canada or Australia", ["CA", "AU"]),
        ("German suppliers", ["DE"]),
        ("how many Italians", ["IT"]),
        ("加拿大和德国的供应商", ["CA", "DE"]),
        ("tell us about it in no time", []),
    ],
)
def test_a_country_is_found_in_a_column_of_codes(question: str, values: list[str]) -> None:
    codes = ["CA", "AU", "DE", "IT", "US", "NO", "UK"]
    found = ValueIndex.of({("suppliers", "country"): codes, ("suppliers", "state"): ["CA", "TX", "NY", "FL"]})
    assert [m.value for m in sorted(found.match(question), key=lambda m: m.start) if m.column == "country"] == values
    assert not [m for m in found.match(question) if m.column == "state"]


@pytest.mark.parametrize("question", ["tell us about it", "nail polish", "how many poles are there", "spare parts"])
def test_words_that_are_also_names_of_peoples_are_no_countries(question: str) -> None:
    assert ValueIndex.of({("suppliers", "country"): COUNTRIES}).match(question) == []


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("how many Chairs were sold", "Chair"), ("peppers", "Pepper"), ("knives", "Knife"), ("berries", "Berry"),
        ("batch of dishes", "Dish"), ("loaves", "Loaf"), ("potatoes", "Potato"), ("mice", "Mouse"), ("a chair", "Chair"),
        ("how many lamp", "Lamps"), ("houses", "House"), ("wolves", "Wolf"), ("watches", "Watch"), ("glasses", "Glass"),
        ("heroes", "Hero"), ("shrimps", "Shrimp"), ("gas", "Gas"), ("lenses", "Lens"), ("gases", "Gas"),
    ],
)  # fmt: skip
def test_a_plural_finds_the_singular_that_is_stored(question: str, value: str) -> None:
    stored = ["Chair", "Pepper", "Knife", "Berry", "Dish", "Loaf", "Potato", "Mouse", "Lamps", "House", "Wolf", "Watch"]
    index = ValueIndex.of({("goods", "kind"): [*stored, "Glass", "Hero", "Shrimp", "Lens", "Gas"]})
    assert [match.value for match in index.match(question)] == [value]


@pytest.mark.parametrize("question", ["名称以Single Malt开头的酒", "Single Malt的销量"])
def test_latin_words_are_found_between_chinese_ones_without_spaces(question: str) -> None:
    index = ValueIndex.of({("drinks", "name"): ["Single Malt", "Blended"]})
    assert [match.phrase for match in index.match(question)] == ["Single Malt"]


@pytest.mark.parametrize(
    "question",
    [
        "How many customers are there?",
        "list the name of each order",
        "most recent orders",
        "有多少个客户",
        "",
        "？！",
        "show all",
    ],
)
def test_ordinary_words_are_no_values(index: ValueIndex, question: str) -> None:
    assert index.match(question) == []


def test_the_longest_match_wins(index: ValueIndex) -> None:
    assert "York" not in {m.value for m in index.match("customers in New York")}
    assert {m.value for m in index.match("customers in York")} >= {"York"}


def test_latin_words_match_whole_and_chinese_anywhere(index: ValueIndex) -> None:
    assert index.match("Parisian webcams") == []
    assert meant(index.match("在北京的客户"))[0] == ("city", "北京")


def test_a_phrase_in_two_columns_gives_both_the_named_one_first(index: ValueIndex) -> None:
    tables = [m.table for m in index.match("orders of stores in Paris") if m.value == "Paris"]
    assert tables == ["shop.stores", "shop.customers"]
    tables = [m.table for m in index.match("customers in Paris")]
    assert tables == ["shop.customers", "shop.stores"]


def test_numbers_in_a_name_are_not_misspellings(index: ValueIndex) -> None:
    assert {m.value for m in index.match("Apple iPhone 14")} == {"Apple iPhone 14"}


def test_a_mapping_of_the_administrator_comes_first(index: ValueIndex) -> None:
    mapped = index.with_mappings(
        {"智能机": ("shop.categories", "code", "mobile_phone"), "NYC": ("shop.customers", "city", "New York")}
    )
    assert mapped.match("智能机的销量")[0] == ValueMatch("shop.categories", "code", "mobile_phone", "智能机", 1.0, 0, 3)
    assert mapped.match("sales in nyc")[0].value == "New York"
    assert index.match("智能机的销量") == []


def test_the_lexicon_translates_both_ways(index: ValueIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    words = terms.parse("completed\t已完成|完成\nbeijing\t北京\n", terms.Lexicon())
    monkeypatch.setattr("inquery.catalog.value_index.lexicon", lambda: words)
    assert ("status", "completed") in meant(index.match("已完成的订单"))
    assert ("city", "北京") in meant(index.match("customers in Beijing"))


def test_a_character_of_a_longer_word_is_not_translated() -> None:
    index = ValueIndex.of({("tiers", "level"): ["gold", "silver"]})
    assert not index.match("每月佣金金额")
    assert [match.value for match in index.match("金牌伙伴有几家")] == ["gold"]


def test_names_of_tables_are_not_taken_for_values(index: ValueIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    assert index.match("how many stores are there") == []  # orders.channel holds "store"
    assert ("channel", "store") in meant(index.match("orders by the store channel"))
    words = terms.parse("store\t门店\nbooking\t订单\n", terms.Lexicon())
    monkeypatch.setattr("inquery.catalog.value_index.lexicon", lambda: words)
    assert index.match("每个门店的员工") == []
    assert ValueIndex.of({("t", "genre"): ["Books", "Music"]}).match("订单数") == []


def test_unsuitable_columns_are_left_out() -> None:
    index = ValueIndex.of(
        {
            ("t", "email"): ["a@example.org", "b@example.org"],
            ("t", "digest"): ["d41d8cd98f00b204e9800998ecf8427e"],
            ("t", "uuid"): ["123e4567-e89b-12d3-a456-426614174000"],
            ("t", "note"): ["a long remark that goes on about many different things and says nothing " * 2],
            ("t", "phone"): ["13800138000", "13900139000"],
            ("t", "mobile"): ["+10089123", "+13456968"],
            ("t", "session_id"): ["s-100", "s-101"],
            ("t", "day"): ["2024-01-01", "2024-01-02"],
            ("t", "password"): ["hunter2"],
            ("t", "city"): ["Paris"],
            ("t", "empty"): [],
        }
    )
    assert index.places == [("t", "city")]


def test_a_column_holds_no_more_than_its_bound() -> None:
    index = ValueIndex.of({("t", "name"): [f"name {n}x" for n in range(50)]}, per_column=10)
    assert len(index.values) == 10


def test_the_limit_is_kept_and_one_phrase_leaves_room() -> None:
    values = {(f"t{n}", "city"): ["Paris"] for n in range(30)} | {("u", "country"): ["France"]}
    matches = ValueIndex.of(values).match("Paris in France", limit=8)
    assert len(matches) <= 8
    assert "France" in {m.value for m in matches}


def test_only_some_columns_can_be_seen(index: ValueIndex) -> None:
    seen = index.only({("shop.stores", "city")})
    assert {m.table for m in seen.match("Paris in France")} == {"shop.stores"}


def test_an_index_is_saved_and_loaded(index: ValueIndex, tmp_path: Path) -> None:
    file = tmp_path / "deep" / "values.gz"
    index.with_mappings({"NYC": ("shop.customers", "city", "New York")}).save(file)
    loaded = ValueIndex.load(file)
    for question in ("sales in NYC", "orders of stores in Paris", "手机的销售额", "female customers"):
        assert loaded.match(question)
        if "NYC" not in question:
            assert loaded.match(question) == index.match(question)


def test_an_index_loaded_without_search_has_the_same_values_and_saves_the_same_file(
    index: ValueIndex, tmp_path: Path
) -> None:
    file, again = tmp_path / "values.gz", tmp_path / "again.gz"
    index.with_mappings({"NYC": ("shop.customers", "city", "New York")}).save(file)
    plain = ValueIndex.load(file, searchable=False)
    assert plain.by_place() == index.by_place()
    plain.save(again)
    assert again.read_bytes() == file.read_bytes()


def test_values_of_no_letters_do_no_harm() -> None:
    index = ValueIndex.of({("t", "sign"): ["!!!", "$", "-", "😀", "a'b"]})
    assert [m.value for m in index.match("the a'b case")] == ["a'b"]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_question_can_be_matched(question: str) -> None:
    index = ValueIndex.of(VALUES)
    for match in index.match(question):
        assert question[match.start : match.end] == match.phrase


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=20))
def test_any_values_can_be_indexed(values: list[str]) -> None:
    index = ValueIndex.of({("t", "c"): values})
    for value in values:
        index.match(value)


def test_a_word_with_the_stem_of_a_value_is_not_the_value() -> None:
    index = ValueIndex.of({("customers", "country"): ["United States", "China"], ("jobs", "title"): ["Store Manager"]})
    assert index.match("How many units did we sell?") == []
    assert [m.value for m in index.match("Who are the managers?")] == ["Store Manager"]


SAID_AS_STORED = ValueIndex.of(
    {
        ("pumps", "state"): ["high", "down", "guest", "run"],
        ("pumps", "class"): ["A", "B", "C"],
        ("guests", "name"): ["Ada", "Bo"],
        ("parcels", "state"): ["returned", "accepted", "lost"],
        ("checks", "outcome"): ["pass", "fail"],
        ("pets", "kind"): ["猫", "狗", "兔"],
        ("runners", "country"): ["法国", "肯尼亚", "巴西"],
    }
)
SAID_AS_STORED._known = frozenset({"pump", "guest", "parcel"})


@pytest.mark.parametrize(
    ("question", "value"),
    [
        (
            "停机(down)的泵有几台",
            "down",
        ),  # ordinary words, and what a table is called, when they stand behind what they say
        ("水位偏高（high）的泵", "high"),
        ("Pumps out of order (down)", "down"),
        ("客用(guest)的泵", "guest"),
        ("A类泵有几台", "A"),  # a Chinese sentence does not begin with a capital
        ("没通过的不算，失败的检查有几次", "fail"),  # failed, where the bare verb is kept
        ("Rejection and acceptance rate of parcels", "accepted"),
        ("What is the failure rate?", "fail"),
        ("How many cats are there?", "猫"),
        ("Brazilian and French runners", "巴西"),
        ("Kenyan runners", "肯尼亚"),
    ],
)
def test_a_value_is_found_in_brackets_as_a_rate_and_as_a_single_character(question: str, value: str) -> None:
    assert value in {each.value for each in SAID_AS_STORED.match(question)}


@pytest.mark.parametrize(
    "question",
    [
        "the lowest and highest of the pumps (by size, down to the smallest)",
        "How many guests are there?",
        "Guests that were accepted late, and their acceptance letters",
    ],
)
def test_words_in_a_sentence_of_their_own_are_no_values_in_brackets(question: str) -> None:
    assert not {"down", "guest", "high"} & {each.value for each in SAID_AS_STORED.match(question)}


def test_the_noun_of_a_state_says_it_beside_a_rate_alone() -> None:
    assert not SAID_AS_STORED.match("The longest failures")
