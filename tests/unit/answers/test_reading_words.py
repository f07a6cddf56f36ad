"""How a question was read stands in one line, in both languages."""

from inquery.answers.reading_words import days_named, reading_line

READ = {
    "filters": [{"phrase": "上海", "table": "stores", "column": "city", "value": "上海"}],
    "period": [{"text": "2025", "start": "2025-01-01", "end": "2026-01-01"}],
    "ignored": ["by channel"],
    "chosen": "stores",
}
NAMES = {"stores.city": "store city"}


def test_the_line_has_measure_groups_period_conditions_and_what_was_not_used() -> None:
    line = reading_line(READ, "en", measures=["revenue"], groups=["region"], names=NAMES, database="shop")  # type: ignore[arg-type]
    assert line == (
        "revenue · by region · 2025 · store city 上海 · you chose: stores · not used: “by channel” · database shop"
    )
    chinese = reading_line(READ, "zh", measures=["销售额"], names={"stores.city": "城市"}, database="shop")  # type: ignore[arg-type]
    assert chinese == "销售额 · 2025年 · 城市为上海 · 您选择了：stores · 未用到：“by channel” · 数据库 shop"


def test_a_plan_is_told_in_its_own_words_with_the_definition_it_uses() -> None:
    plan = {"plan": {"text": "Revenue, October 2026", "accepted": True, "fields": {}}}
    line = reading_line(plan, "en", definitions={"Revenue": "not cancelled"}, database="shop")  # type: ignore[arg-type]
    assert line == "Revenue, October 2026 · Revenue: not cancelled · database shop"


def test_periods_are_named_as_people_name_them() -> None:
    assert days_named("2026-10-01", "2026-11-01", zh=False) == "October 2026"
    assert days_named("2026-10-01", "2026-11-01", zh=True) == "2026年10月"
    assert days_named("2026-12-01", "2027-01-01", zh=False) == "December 2026"
    assert days_named("2026-10-05", "2026-10-06", zh=False) == "2026-10-05"
    assert days_named("2026-10-05", "2026-10-12", zh=True) == "2026-10-05 至 2026-10-11"
