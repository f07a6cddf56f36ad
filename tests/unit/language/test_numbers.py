"""Numbers and quoted spans in both languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquery.language.numbers import chinese_number, english_number, numbers_in, quoted_spans

NUMBERS = [
    ("top 5", 5, "number"),
    ("top three products", 3, "number"),
    ("前五名客户", 5, "number"),
    ("前10", 10, "number"),
    ("前十的商品", 10, "number"),
    ("over 1,000 orders", 1000, "number"),
    ("price $1,299.99", 1299.99, "number"),
    ("3.5 stars", 3.5, "number"),
    ("10k users", 10_000, "number"),
    ("revenue over 2M", 2_000_000, "number"),
    ("1.2 million", 1_200_000, "number"),
    ("3 billion", 3 * 10**9, "number"),
    ("5 m wide", 5, "number"),
    ("-5 degrees", -5, "number"),
    ("超过3万", 30_000, "number"),
    ("功率超过480千瓦", 480, "number"),
    ("装机5万千瓦", 50_000, "number"),
    ("超过3千元", 3_000, "number"),
    ("超过1万元", 10_000, "number"),
    ("1.5亿", 150_000_000, "number"),
    ("100万以上", 1_000_000, "number"),
    ("一点五亿元", 150_000_000, "number"),
    ("1.2亿", 120_000_000, "number"),
    ("3.5 million", 3_500_000, "number"),
    ("10 thousand", 10_000, "number"),
    ("half a million users", 500_000, "number"),
    ("30000GB of storage", 30_000, "number"),
    ("racks of 47U", 47, "number"),
    ("超过47U的机柜", 47, "number"),
    ("heavier than 12.5kg", 12.5, "number"),
    ("1,200kWh a month", 1200, "number"),
    ("500kg以上", 500, "number"),
    ("90分钟以内", 90, "number"),
    ("90min", 90, "number"),
    ("over 100USD", 100, "number"),
    ("-5kg", -5, "number"),
    ("三个", 3, "number"),
    ("十二个", 12, "number"),
    ("二十", 20, "number"),
    ("两百", 200, "number"),
    ("三千五百", 3500, "number"),
    ("一万二", 12_000, "number"),
    ("三百零五", 305, "number"),
    ("近三十天", 30, "number"),
    ("两个以上", 2, "number"),
    ("２０个", 20, "number"),
    ("年龄大于56岁", 56, "number"),
    ("2000元", 2000, "number"),
    ("百分之十", 10, "percent"),
    ("百分之12.5", 12.5, "percent"),
    ("50% off", 50, "percent"),
    ("20 percent", 20, "percent"),
    ("十分之一", 0.1, "number"),
    ("三成以上的客户", 30, "percent"),
    ("降低了三成", 30, "percent"),
    ("占比超过七成半", 75, "percent"),
    ("不到3成", 30, "percent"),
    ("两倍以上", 2, "number"),
    ("1.5倍", 1.5, "number"),
    ("一百二十", 120, "number"),
    ("twice the average", 2, "number"),
    ("more than one hundred and five", 105, "number"),
    ("twenty five", 25, "number"),
    ("three hundred thousand", 300_000, "number"),
    ("at least two", 2, "number"),
    ("a dozen", 12, "number"),
    ("3rd largest", 3, "ordinal"),
    ("the second highest", 2, "ordinal"),
    ("the twenty-first", 21, "ordinal"),
    ("第三名", 3, "ordinal"),
    ("第10页", 10, "ordinal"),
    ("in 2024", 2024, "year"),
    ("2024年", 2024, "year"),
    ("二〇二四年", 2024, "year"),
]


@pytest.mark.parametrize(("question", "value", "kind"), NUMBERS, ids=[case[0] for case in NUMBERS])
def test_a_number_is_read(question: str, value: float, kind: str) -> None:
    (hit,) = numbers_in(question)
    assert (hit.value, hit.kind) == (value, kind)
    assert isinstance(hit.value, int) == isinstance(value, int)
    assert question[hit.start : hit.end] == hit.text


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("between 10 and 20", [10, 20]),
        ("排名在10到15之间", [10, 15]),
        ("5,10,15", [5, 10, 15]),
        ("top 3 products over 1,000 in 2024", [3, 1000, 2024]),
        ("2023年销量超过两千件的前三名", [2023, 2000, 3]),
        ("10GB-20GB", [10, 20]),
        ("500-1000kg", [500, 1000]),
    ],
)
def test_several_numbers_come_in_order(question: str, values: list[float]) -> None:
    assert [hit.value for hit in numbers_in(question)] == values


@pytest.mark.parametrize(
    "question",
    [
        "一共有多少客户", "统一价格", "三月份的订单", "星期三", "周五", "唯一客户", "iPhone15", "A320", "2024-03-05", "12:30",
        "A4 paper", "MP3", "3D printers", "5G phones", "B2B", "B2C", "1080p", "4K televisions", "4K电视", "version 3.14.2",
        "RTX4090", "张三成的订单", "李三成", "5g networks", "half of the orders", "a quarter of the orders", "半数", "一成不变", "九成新",
        "first name", "which one", "no one", "百货商店", "三五个", "", "How many customers?",
    ],
)  # fmt: skip
def test_words_codes_and_dates_are_no_numbers(question: str) -> None:
    assert numbers_in(question) == []


@pytest.mark.parametrize(
    ("question", "inner"),
    [
        ("named 'Alice'", ["Alice"]),
        ("name is 'O'Brien' or \"x y\"", ["O'Brien", "x y"]),
        ("“北京”和「上海」的《三体》", ["北京", "上海", "三体"]),
        ("both 'Treasury' and 'Homeland Security'", ["Treasury", "Homeland Security"]),
        ("the singer's name and the dog's", []),
        ("no quotes", []),
    ],
)
def test_quoted_spans_are_found(question: str, inner: list[str]) -> None:
    found = quoted_spans(question)
    assert [each.text for each in found] == inner
    assert all(question[each.start : each.end] == each.text for each in found)


def to_chinese(number: int) -> str:
    """Standard spelling of a number below ten thousand, written independently of the reader."""
    digits = "零一二三四五六七八九"
    said, zero = "", False
    for scale, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // scale % 10
        if digit:
            said += ("零" if zero and said else "") + digits[digit] + unit
            zero = False
        else:
            zero = True
    return said


@given(st.integers(1, 9999))
def test_every_chinese_number_reads_back(number: int) -> None:
    assert chinese_number(to_chinese(number)) == number


@given(st.integers(1, 9999), st.integers(1000, 9999))
def test_sections_of_ten_thousand_add_up(high: int, low: int) -> None:
    assert chinese_number(to_chinese(high) + "万" + to_chinese(low)) == high * 10_000 + low


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    for hit in numbers_in(text):
        assert text[hit.start : hit.end] == hit.text
    quoted_spans(text)


def test_what_is_no_number_word_is_none() -> None:
    assert english_number("banana") is None
    assert chinese_number("苹果") is None


@pytest.mark.parametrize(
    ("text", "value"), [("一万亿", 10**12), ("三万五千亿", 35 * 10**11), ("一点五万亿", 15 * 10**11), ("万", 10**4)]
)
def test_a_scale_of_a_scale_is_their_product(text: str, value: int) -> None:
    assert chinese_number(text) == value
