"""A Chinese schema for a question in English: names and values are shown in English and stored in Chinese."""

from dataclasses import replace

import pytest

from inquery.form.join_paths import FormSchema
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.form.to_sql import to_sql
from inquery.language.translation import clean_name, english_wording, in_english, pieces, spell_out
from inquery.llm.embedded.prompt import schema_text
from inquery.llm.embedded.spoken import as_shown, as_stored, spoken_names, spoken_values, with_codes_as_words
from inquery.llm.embedded.view import prompt_tables
from inquery.sql.catalog import Column, ForeignKey, Meaning, Table

CLASSES = Table(("班级",), (Column("班级ID", "INTEGER", primary_key=True), Column("班级名", "TEXT")), estimated_rows=20)
COURSES = Table(
    ("课程",),
    (
        Column("课程ID", "INTEGER", primary_key=True),
        Column("班级ID", "INTEGER"),
        Column("课程名", "TEXT"),
        Column("状态", "TEXT", samples=("已完成", "进行中", "某某")),
    ),
    foreign_keys=(ForeignKey(("班级ID",), ("班级",), ("班级ID",)),),
    estimated_rows=90,
)
TABLES = (CLASSES, COURSES)
NAMES = spoken_names(TABLES, "en")


def test_a_name_is_cut_into_the_longest_words_and_unknown_characters_stay_together() -> None:
    assert pieces("供应商备注") == ("供应商", "备注")
    assert pieces("客户ID") == ("客户", "ID")
    assert english_wording(("客户邮箱",)).names["客户邮箱"] == "customer email"


def test_two_words_with_one_meaning_are_told_apart() -> None:
    words = english_wording(("班级", "课程"), ("班级名",)).words
    assert words["班级"] == "class"
    assert words["课程"] == "course"


def test_a_schema_is_shown_in_english_to_who_asks_in_english_and_as_it_is_to_others() -> None:
    shown = schema_text(prompt_tables(TABLES, NAMES, "en"))
    assert shown.startswith("class .class_id*# .class_name\ncourse .course_id*# .class_id#>class .course_name")
    assert "已完成" not in shown
    assert "某某" in shown  # a value the lexicon does not know
    assert "课程 .课程id*#" in schema_text(prompt_tables(TABLES, spoken_names(TABLES, "zh"), "zh"))


def test_forms_go_from_shown_to_stored_and_back() -> None:
    values = spoken_values(TABLES, "en")
    done = values["课程", "状态"]["已完成"]
    text = f"from course , class show class.class_name , count where course.status in ( '{done}' , '某某' ) by class"
    form = as_stored(read_form(text, NAMES), values, NAMES)
    sql = to_sql(form, FormSchema(TABLES))
    assert "'已完成'" in sql
    assert "课程.状态 IN" in sql.replace('"', "")
    assert write(as_shown(form, values, NAMES), NAMES) == text


def test_english_names_of_a_mixed_schema_stay() -> None:
    mixed = Table(("orders",), (Column("OrderId", "INTEGER"), Column("客户", "TEXT"), Column("customer", "TEXT")))
    words = spoken_names((mixed,), "en").column_words["orders"]
    assert words == {"OrderId": "order_id", "客户": "customer_2", "customer": "customer"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_short_forms_are_spelled_out(language: str) -> None:
    table = Table(("CUST_MST",), (Column("CUST_NM", "TEXT"), Column("WAIT_SEC", "INTEGER"), Column("city", "TEXT")))
    names = spoken_names((table,), language)
    assert names.table_words["CUST_MST"] == "customer_master"
    assert names.column_words["CUST_MST"] == {"CUST_NM": "customer_name", "WAIT_SEC": "wait_seconds", "city": "city"}


def test_two_short_forms_of_one_word_stay_apart() -> None:
    columns = tuple(Column(name, "TEXT") for name in ("emp_fname", "emp_lname", "prod_desc", "prod_dsc"))
    words = spoken_names((Table(("staff",), columns),), "en").column_words["staff"]
    assert words["emp_fname"] == "employee_first_name"
    assert words["prod_desc"] == "product_description"
    assert words["prod_dsc"] == "prod_dsc"


def test_a_short_form_with_several_meanings_is_spelled_out_only_where_the_schema_tells_which() -> None:
    assert spell_out(("apt_no", "apartments"))["apt_no"] == "apartment no"
    assert spell_out(("apt_no", "airports"))["apt_no"] == "airport no"
    assert spell_out(("apt_no", "bookings")) == {}


@pytest.mark.parametrize("value", ["钼靶", "王小明"])
def test_a_value_is_not_pieced_together_from_characters(value: str) -> None:
    assert in_english(value) == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("3rd party vendors", "third_party_vendors"),
        ("%_of_total", "percent_of_total"),
        ("tax %", "tax_percent"),
        ("# of Items", "number_of_items"),
        ("Sales Amount ($)", "sales_amount"),
        ("Café größe", "cafe_grosse"),
        ("ＡＢＣ class", "abc_class"),
        ("Which department do you work in?", "department"),
        ("How satisfied are you with our service overall (1 = not at all, 5 = very)?", "satisfied_service_overall"),
        ("📍 Depot", "depot"),
        ("⭐", "white_medium_star"),
        ("--", "unnamed"),
        ("", "unnamed"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_name_is_shown_as_an_identifier(name: str, words: str, language: str) -> None:
    names = spoken_names((Table((name,), (Column(name, "TEXT"),)),), language)
    assert names.table_words == {name: words}
    assert names.column_words[name] == {name: words}


@pytest.mark.parametrize(
    "name",
    ["Order Date", "a.b", "order", "orders_2024", "v$session", "C#", "sequence_identity_to_human_protein", "销售额(万元)", "毛利率%", "日本語", "x" * 60],
)  # fmt: skip
def test_a_name_that_makes_an_identifier_is_shown_as_it_was_in_training(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "as_table", "as_column"),
    [
        ("2024 sales", "t_2024_sales", "sales_2024"),
        ("30_day_returns", "t_30_day_returns", "day_returns_30"),
        ("2024", "t_2024", "2024"),  # a year alone, which is read rightly in a column
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_name_that_begins_with_a_number(name: str, as_table: str, as_column: str, language: str) -> None:
    assert spoken_names((Table((name,), (Column("city", "TEXT"),)),), language).table_words == {name: as_table}
    words = spoken_names((Table(("sheet",), (Column(name, "REAL"),)),), language).column_words
    assert words == {"sheet": {name: as_column}}


def test_a_chinese_name_that_begins_with_a_number() -> None:
    sheet = Table(("2024年销售",), (Column("1月销售额", "REAL"), Column("毛利率%", "REAL")))
    assert spoken_names((sheet,), "zh").table_words == {"2024年销售": "t_2024年销售"}
    assert list(spoken_names((sheet,), "zh").column_words["2024年销售"].values()) == ["销售额_1月", "毛利率"]
    assert spoken_names((sheet,), "en").table_words == {"2024年销售": "t_2024_sale"}
    assert all(word[0].isalpha() for word in spoken_names((sheet,), "en").column_words["2024年销售"].values())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_names_that_are_cleaned_alike_stay_apart_and_clean_ones_keep_theirs(language: str) -> None:
    columns = tuple(
        Column(name, "TEXT") for name in ("2024 rate", "rate_2024", "rate % 2024", "% rate 2024", "✓", "✔", "")
    )
    tables = (Table(("2024 sales",), columns), Table(("t_2024_sales",), columns))
    names = spoken_names(tables, language)
    assert names.column_words["2024 sales"]["rate_2024"] == "rate_2024"
    for words in (names.table_words, *names.column_words.values()):
        assert len(set(words.values())) == len(words)
        assert all(word[0].isalpha() for word in words.values())
    assert names.word_columns["2024 sales"][names.column_words["2024 sales"]["2024 rate"]] == "2024 rate"


def test_a_form_over_cleaned_names_is_sql_over_the_real_ones() -> None:
    sheet = Table(
        ("2024 sales",), (Column("Region", "TEXT"), Column("Sales Amount ($)", "REAL"), Column("% off", "REAL"))
    )
    names = spoken_names((sheet,), "en")
    text = "from t_2024_sales show t_2024_sales.region , sum ( t_2024_sales.sales_amount ) where t_2024_sales.percent_off > 5 by t_2024_sales.region"
    form = read_form(text, names)
    sql = to_sql(form, FormSchema((sheet,)))
    assert sql == ('SELECT Region, SUM("Sales Amount ($)") FROM "2024 sales" WHERE "% off" > 5 GROUP BY Region')
    assert write(form, names) == text


CODED = Table(
    ("orders",),
    (
        Column("id", "INTEGER", primary_key=True),
        Column(
            "status",
            "INTEGER",
            comment="订单状态 0待付款 1已付款",
            samples=("1", "0"),
            meanings=(Meaning("0", ("待付款",)), Meaning("1", ("已付款",))),
        ),
        Column("level", "INTEGER", samples=("1", "2", "3"), meanings=(Meaning("1", ("low",)),)),
    ),
    estimated_rows=90,
)


@pytest.mark.parametrize(
    ("language", "listed", "form"),
    [
        ("zh", "status=待付款|已付款", "from orders show count where orders.status = '已付款'"),
        ("en", "status=pending payment|paid", "from orders show count where orders.status = 'paid'"),
    ],
)
def test_codes_are_shown_in_words_and_written_as_they_are_stored(language: str, listed: str, form: str) -> None:
    shown = with_codes_as_words((CODED,))
    names = spoken_names(shown, language)
    text = schema_text(prompt_tables(shown, names, language))
    assert listed in text
    assert "level#" in text  # a list of which only a part is explained stays as it is
    assert "0待付款" not in text
    meant = as_stored(read_form(form, names), spoken_values(shown, language), names)
    assert to_sql(meant, FormSchema((CODED,))) == "SELECT COUNT(*) FROM orders WHERE status = 1"


def test_two_codes_of_one_word_are_not_confused() -> None:
    twins = replace(CODED.columns[1], meanings=(Meaning("0", ("停用",)), Meaning("1", ("停用",))))
    table = replace(CODED, columns=(CODED.columns[0], twins))
    assert spoken_values(with_codes_as_words((table,)), "zh") == {}


def part(name: str, *columns: str) -> Table:
    """A table of a system in parts."""
    return Table((name,), (Column("id", "INTEGER", primary_key=True), *(Column(each, "INTEGER") for each in columns)))


SHOP_IN_PARTS = (
    part("oms_order", "member_id"),
    part("oms_order_item", "order_id"),
    part("oms_cart_item"),
    part("pms_product", "brand_id"),
    part("pms_brand"),
    part("pms_comment"),
    part("ums_member"),
    part("ums_menu"),
    part("ums_comment"),
    part("stores"),
)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_tables_are_called_as_within_their_part_of_a_system_where_that_tells_them_apart(language: str) -> None:
    words = spoken_names(SHOP_IN_PARTS, language, plain=SHOP_IN_PARTS).table_words
    assert words["oms_order"] == "order"
    assert words["oms_order_item"] == "order_item"
    assert words["ums_member"] == "member"
    assert (words["pms_comment"], words["ums_comment"]) == ("pms_comment", "ums_comment")
    assert spoken_names(SHOP_IN_PARTS, language).table_words["oms_order"] == "oms_order"  # all of it fits the prompt


def test_a_first_word_that_is_a_thing_itself_is_no_part_of_a_system() -> None:
    tables = (
        part("order_item", "order_id"),
        part("order_log", "order_id"),
        part("order_status"),
        part("product_image", "product_id"),
        part("product_price", "product_id"),
        part("product_tag"),
    )
    assert spoken_names(tables, "en", plain=tables).table_words["order_item"] == "order_item"


def test_a_part_that_is_called_after_its_main_thing_is_left_out_too() -> None:
    names = ("circuits_circuit", "circuits_provider", "circuits_type", "ipam_role", "ipam_prefix", "ipam_vlan")
    tables = tuple(part(name, "circuit_id") for name in names)
    words = spoken_names(tables, "en", plain=tables).table_words
    assert [words[name] for name in names] == ["circuit", "provider", "type", "role", "prefix", "vlan"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("virtualmachine", "virtual_machine"),
        ("devicerole", "device_role"),
        ("platform", "platform"),
        ("formateur", "formateur"),
        ("zqxwvbnm", "zqxwvbnm"),
    ],
)
def test_words_that_were_written_as_one_stand_apart_in_a_prompt_that_is_cut(name: str, shown: str) -> None:
    tables = (part(name), part("sites"))
    assert spoken_names(tables, "en", plain=tables).table_words[name] == shown
