"""The sentence about a plan's result has both figures and the change, in both languages."""

from inquery.answers.answer import AnswerColumn
from inquery.answers.plan_answer import PlanFigure, PlanTold, plan_facts, plan_labels, plan_prose

MONEY = {"label": "Revenue", "format": "money", "unit": "CNY"}
COMPARED = PlanTold(
    figures=tuple(PlanFigure(role, **MONEY) for role in ("value", "previous", "difference", "percent")),
    now="Q3 2026",
    then="Q3 2025",
    aligned=True,
)
COLUMNS = [AnswerColumn(name=name) for name in ("first", "second", "third", "fourth")]
ROW = [1200.0, 1000.0, 200.0, 20.0]


def columns(*names: str) -> list[AnswerColumn]:
    return [AnswerColumn(name=name, kind="number") for name in names]


def test_a_comparison_says_both_figures_and_the_change() -> None:
    text = plan_prose(COMPARED, COLUMNS, [ROW], "en")
    assert text.startswith("Revenue was ¥1,200 in Q3 2026, against ¥1,000 in Q3 2025: up 20.0% (¥200).")
    assert "same day" in text
    assert plan_prose(COMPARED, COLUMNS, [[800, 1000, -200, -20.0]], "en").count("down 20.0%") == 1
    assert "增长20.0%（200元）" in plan_prose(COMPARED, COLUMNS, [ROW], "zh")


def test_a_change_stands_in_the_facts_in_per_cent() -> None:
    facts = {fact.kind: fact.value for fact in plan_facts(COMPARED, columns("now", "then", "diff", "pct"), [ROW])}
    assert (facts["previous"], facts["difference"], facts["change_percent"]) == (1000, 200, 20)


def test_the_sum_of_the_first_few_is_no_total() -> None:
    told = PlanTold(figures=(PlanFigure("label"), PlanFigure("value", **MONEY)), ranked="value")
    rows = [["harbour", 30.0], ["hill", 20.0]]
    kinds = {fact.kind for fact in plan_facts(told, columns("store", "revenue"), rows)}
    assert "total" not in kinds
    assert "harbour (¥30), hill (¥20)" in plan_prose(told, COLUMNS, rows, "en")


def test_shares_are_told_with_their_figures() -> None:
    told = PlanTold(figures=(PlanFigure("label"), PlanFigure("value", **MONEY), PlanFigure("share", **MONEY)))
    rows = [["web", 75.0, 75.0], ["app", 25.0, 25.0]]
    assert plan_prose(told, COLUMNS, rows, "en") == "Share of revenue: web 75.0% (¥75), app 25.0% (¥25)."
    assert {f.value for f in plan_facts(told, columns("way", "money", "pct"), rows) if f.kind == "share_percent"} == {
        75,
        25,
    }


def test_a_gap_names_who_is_ahead() -> None:
    roles = ("first", "second", "difference", "percent")
    told = PlanTold(figures=tuple(PlanFigure(role, **MONEY) for role in roles), first="web", second="app")
    assert "app is ¥10 above web" in plan_prose(told, COLUMNS, [[90.0, 100.0, -10.0, -10.0]], "en")
    assert "web比app高10元（10.0%）" in plan_prose(told, COLUMNS, [[110.0, 100.0, 10.0, 10.0]], "zh")


def test_a_rate_changes_by_points() -> None:
    rate = {"label": "Return rate", "format": "percent"}
    told = PlanTold(
        figures=tuple(PlanFigure(role, **rate) for role in ("value", "previous", "difference")), now="2025", then="2024"
    )
    assert (
        plan_prose(told, COLUMNS, [[5.0, 4.5, 0.5]], "en")
        == "Return rate was 5% in 2025, against 4.5% in 2024: up 0.5 points."
    )


def test_a_sentence_begins_with_a_capital_and_names_of_the_data_stay_as_they_are() -> None:
    counted = PlanFigure("value", label="number of tracks", format="number")
    assert plan_prose(PlanTold(figures=(counted,)), COLUMNS, [[2]], "en") == "The number of tracks is 2."
    top = PlanTold(figures=(PlanFigure("label"), counted), ranked="value")
    assert plan_prose(top, COLUMNS, [["eTunes", 2], ["b", 1]], "en").startswith(
        "Number of tracks, 2 in all: eTunes (2)"
    )


def test_a_measure_of_a_chinese_column_is_called_in_the_language_that_is_spoken() -> None:
    columns = [AnswerColumn(name="部门"), AnswerColumn(name="total_zh_金额", kind="number")]
    told = PlanTold(figures=(PlanFigure("label"), PlanFigure("value", label="amount")))
    assert [column.label for column in plan_labels(told, columns)] == ["部门", "amount"]
    told = PlanTold(figures=(PlanFigure("label"), PlanFigure("value", label="金额")))
    assert plan_labels(told, [AnswerColumn(name="部门"), AnswerColumn(name="金额")])[1].label == "金额"
