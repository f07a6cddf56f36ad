"""Reports from template to document: solved once, bound, filled again, repaired alone, and never silent about a fault."""

import base64
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.report_answers import GOLD, gold_of, judged
from tests.integration.report_office import (
    BY_REGION,
    IN_REGION,
    SCRIPT,
    SHOP,
    STAFF,
    TEMPLATE,
    TODAY,
    TOTAL,
    Office,
    change,
    office,
)

from inquery.agents.opening import open_services
from inquery.databases.engines.sqlite.engine import SqliteEngine
from inquery.databases.executor.execute import attach, detach
from inquery.errors import BadRequest, NotFound, SqlRefused
from inquery.llm.scripted import ScriptedWriter
from inquery.reports.desk import ReportDesk, library
from inquery.reports.report_run import ReportRunner, Who
from inquery.reports.template import parse_template
from inquery.settings import Settings
from inquery.store import open_store


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Office]:
    async with office(tmp_path) as found:
        yield found


async def test_the_second_run_asks_no_model_and_finds_the_same(here: Office) -> None:
    report = await here.keep(TEMPLATE)
    first = await here.run(report)
    assert (first.status, first.content["model_calls"], here.calls) == ("done", 4, 4)
    second = await here.run(report)
    assert (second.status, second.content["model_calls"], second.content["tokens"], here.calls) == ("done", 0, 0, 4)
    assert {v.content["via"] for v in here.values(second).values()} == {"binding"}
    assert await here.desk.compared(second) == []
    text = (await here.desk.document(second, "md")).content.decode()
    assert "Total 175, in east 150." in text
    assert "| east | 150 |" in text
    assert "Staff: 2" in text


ONLINE = (
    SHOP.replace("store_id INTEGER NOT NULL", "store_id INTEGER")
    + "INSERT INTO orders VALUES (6, NULL, '2026-10-05', 900), (7, NULL, '2026-10-06', 900);"
)


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "2 of 5 orders (40%) have no store and are left out"), ("zh", "5条订单中有2条（40%）没有商店，未计入")],
)
async def test_a_document_says_what_its_figures_leave_out_the_second_time_too(
    tmp_path: Path, language: str, told: str
) -> None:
    change(tmp_path / "shop.sqlite", ONLINE)
    question = "order amount by region" if language == "en" else "各大区的订单金额"
    period = "last month" if language == "en" else "上月"
    statement = BY_REGION.replace("ordered_on", "o.ordered_on")
    script = {f"{question} {period}": [statement], f"{period}{question}": [statement]}
    text = "\n\n".join(f"{{{{{kind}: {question} | period={period}}}}}" for kind in ("table", "chart", "text"))
    async with office(tmp_path, script) as here:
        report = await here.keep(text)
        for _ in range(2):
            run = await here.run(report)
            for output in ("html", "md"):
                document = (await here.desk.document(run, output)).content.decode().replace("\\", "")
                assert document.count(told) == 3


async def test_codes_stand_in_an_english_document_as_words(tmp_path: Path) -> None:
    change(
        tmp_path / "shop.sqlite",
        "CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, method TEXT NOT NULL, amount REAL NOT NULL);"
        "INSERT INTO payments VALUES (1, 'bank_transfer', 10), (2, 'credit_card', 20), (3, 'cash', 5), (4, 'cash', 5);",
    )
    statement = "SELECT method, SUM(amount) AS total FROM payments GROUP BY method ORDER BY method"
    async with office(tmp_path, {"payment amount by method": [statement]}) as here:
        run = await here.run(await here.keep("{{table: payment amount by method}}"))
        document = (await here.desk.document(run, "md")).content.decode()
        assert "| bank transfer | 10 |" in document
        assert "bank\\_transfer" not in document


async def test_another_month_and_region_are_filled_without_a_model(here: Office) -> None:
    report = await here.keep(TEMPLATE)
    await here.run(report)
    other = await here.run(report, month="2026-09", region="west")
    found = here.values(other)
    assert here.calls == 4
    assert found["total order amount"].rows == [(10.0,)]
    assert found["total order amount of $region stores"].rows == [(10.0,)]
    assert "s.region = 'west'" in found["total order amount of $region stores"].content["sql"]
    changed = {c.title: (c.kind, c.before, c.after, c.rate) for c in await here.desk.compared(other)}
    assert changed["total order amount in 2026-09"] == ("value", 175.0, 10.0, pytest.approx(-165 / 175))


async def test_a_schema_change_opens_only_what_it_touches(here: Office) -> None:
    report = await here.keep(TEMPLATE)
    await here.run(report)
    change(here.shop, "ALTER TABLE staff RENAME TO people; ALTER TABLE orders ADD COLUMN note TEXT;")
    here.writer._script = {**SCRIPT, "how many staff are there": ["SELECT COUNT(*) AS n FROM people"]}
    here.reopen()
    run = await here.run(report)
    assert here.calls == 5
    opened = {name: v.content["reopened"] for name, v in here.values(run).items() if v.content["via"] == "solved"}
    assert list(opened) == ["how many staff are there"]
    assert run.status in {"done", "doubtful"}  # whether `people` are staff, the judge may want to be checked
    here.reopen()
    assert (await here.run(report)).content["model_calls"] == 0


async def test_one_that_cannot_be_solved_is_named_in_place_and_the_rest_is_made(here: Office) -> None:
    here.writer._script = {**SCRIPT, "how many staff are there": ["SELECT COUNT(*) FROM nowhere_at_all"]}
    report = await here.keep(TEMPLATE)
    run = await here.run(report)
    assert (run.status, run.content["counts"]) == ("partial", {"solved": 3, "unsolved": 1})
    value = here.values(run)["how many staff are there"]
    assert value.content["problem"]["code"] == "unknown_table"
    text = (await here.desk.document(run, "md")).content.decode()
    assert "Total 175" in text
    assert "Staff: **\\[line 9: " in text


async def test_repairs_follow_the_table_of_a_question_s_own(here: Office) -> None:
    here.writer._script = {
        "total order amount last month": [
            "SELECT SUM(amout) AS t FROM orders WHERE ordered_on >= '2026-10-01' AND ordered_on < '2026-11-01'"
        ]
    }
    report = await here.keep("{{value: total order amount|period=last month}}")
    run = await here.run(report)
    (value,) = here.values(run).values()
    assert value.rows == [(175.0,)]
    assert [(s["name"], s["ok"]) for s in value.content["steps"]] == [
        ("link_schema", True), ("detect_ambiguity", True), ("write_sql", True), ("check_sql", False),
        ("recover", True), ("write_sql", True), ("check_sql", True), ("run_sql", True),
    ]  # fmt: skip
    assert here.calls == 1, "a near name is mended without a model"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (
            "SELECT SUM(amount) AS t FROM orders WHERE ordered_on >= '2025-10-01' AND ordered_on < '2025-11-01'",
            "wrong_period",
        ),
        (BY_REGION, "wrong_shape"),
    ],
)
async def test_a_wrong_answer_that_looks_right_is_not_taken(here: Office, wrong: str, code: str) -> None:
    question = "total order amount last month"
    here.writer._script = {question: [wrong, TOTAL]}
    report = await here.keep("{{value: total order amount|period=last month}}")
    run = await here.run(report)
    (value,) = here.values(run).values()
    assert value.rows == [(175.0,)]
    assert code in [step["note"] for step in value.content["steps"]]
    here.writer._script = {question: [wrong]}
    lost = await here.desk.run(report, {}, Who(), today=TODAY, anew=True)
    (value,) = here.values(lost).values()
    assert (lost.status, value.status, value.content["problem"]["code"]) == ("failed", "unsolved", code)


async def test_a_period_that_was_left_out_is_put_in(here: Office) -> None:
    here.writer._script = {"total order amount last month": ["SELECT SUM(amount) AS t FROM orders"]}
    run = await here.run(await here.keep("{{value: total order amount|period=last month}}"))
    (value,) = here.values(run).values()
    assert (value.status, value.rows) == ("solved", [(175.0,)])


async def test_what_may_be_wrong_is_marked_in_every_run_until_a_person_says_otherwise(here: Office) -> None:
    question = "how many staff are there"
    here.writer._script = {question: ["SELECT COUNT(*) AS n FROM staff WHERE name = 'Ann'"]}
    report = await here.keep("{{value: how many staff are there}}")
    for _ in range(2):
        run = await here.run(report)
        (value,) = here.values(run).values()
        assert value.status == "doubtful"
        assert any("Ann" in note for note in value.content["notes"])
        assert b"unconfirmed" in (await here.desk.document(run, "md")).content
    (place,) = await here.desk.placeholders(report)
    await here.desk.pin(report, place.goal.key)
    (value,) = here.values(await here.run(report)).values()
    assert value.status == "solved"


async def test_a_statement_that_keeps_to_the_question_is_taken_before_one_that_does_not(here: Office) -> None:
    question = "how many staff are there"
    here.writer._script = {question: ["SELECT COUNT(*) AS n FROM staff WHERE name = 'Ann'", STAFF]}
    (value,) = here.values(await here.run(await here.keep("{{value: how many staff are there}}"))).values()
    assert (value.status, value.rows) == ("solved", [(2,)])


@pytest.mark.parametrize(
    ("template", "sql"),
    [
        ("{{value: share of staff named Ann | percent}}", "SELECT 100.0 * 1 / COUNT(*) AS share FROM staff"),
        ("{{value: salary of staff Ann | currency}}", "SELECT name FROM staff WHERE name = 'Ann'"),
        ("{{chart: salary of each staff}}", "SELECT salary FROM staff"),
    ],
)
async def test_a_result_that_does_not_fit_how_it_is_shown_is_named(here: Office, template: str, sql: str) -> None:
    here.writer._script = lambda request: [sql]
    (value,) = here.values(await here.run(await here.keep(template))).values()
    assert value.status == "unsolved"
    assert value.content["problem"]["code"] == "wrong_shape"


async def test_bad_placeholders_are_each_named_with_line_and_reason(here: Office) -> None:
    lines = [
        "{{value: total order amount | period=last month}}",
        "{{value: delete all orders from the table}}",
        "{{value: 把所有订单删除}}",
        "{{value: how is the weather on mars}}",
        "{{value: total order amount in 2023 | period=2024}}",
        "{{table: orders nobody made}}",
        "{{value: {{nested}} }}",
        "{{value: unclosed",
        "",
        "{{value: how many staff are there}}",
    ]
    here.writer._script = {
        **SCRIPT,
        "how is the weather on mars": [],
        "orders nobody made": [
            "SELECT order_id FROM orders WHERE amount < 0",
            "SELECT order_id FROM orders WHERE amount < 0",
        ],
    }
    report = await here.keep("\n".join(lines))
    run = await here.run(report)
    found = {v.content["line"]: (v.status, (v.content["problem"] or {}).get("code")) for v in here.values(run).values()}
    assert found[1] == found[10] == ("solved", None)
    assert found[2] == found[3] == ("refused", "only_reads")
    assert found[4][0] == "unsolved"
    assert found[5] == ("unsolved", "contradiction")
    assert found[6] in {("solved", None), ("doubtful", None)}  # no row at all: the judge may want it to be checked
    assert [(p["line"], p["code"]) for p in run.content["problems"]] == [(7, "nested"), (8, "unclosed")]
    for output in ("html", "md", "docx", "pdf"):
        assert (await here.desk.document(run, output)).content
    page = (await here.desk.document(run, "html")).content.decode()
    for line in (2, 3, 4, 5, 7, 8):
        assert page.count(f"[line {line}: ") == 1, line
    assert "175" in page
    assert "No data." in page


async def test_a_statement_of_ones_own_passes_the_guard(here: Office) -> None:
    report = await here.keep(
        "{{table: SELECT name FROM stores ORDER BY name}} {{value: SELECT sqlite_version() FROM sqlite_master}}"
    )
    run = await here.run(report)
    good, bad = sorted(here.values(run).values(), key=lambda v: v.status)
    assert (good.rows, bad.status, here.calls) == ([("Alpha",), ("Beta",)], "unsolved", 0)


async def test_people_pin_edit_and_reject(here: Office) -> None:
    report = await here.keep(TEMPLATE)
    with pytest.raises(BadRequest):
        await here.desk.pin(report, "9")
    await here.run(report)
    with pytest.raises(SqlRefused):
        await here.desk.edit(report, "9", "DELETE FROM staff", Who(), {})
    with pytest.raises(NotFound):
        await here.desk.edit(report, "999", STAFF, Who(), {})
    edited = await here.desk.edit(
        report, "total order amount", "SELECT MAX(amount) FROM orders WHERE ordered_on >= '{period.start}' AND ordered_on < '{period.end}'", Who(), {}
    )  # fmt: skip
    assert edited.state == "pinned"
    assert here.values(await here.run(report))["total order amount"].rows == [(100.0,)]
    assert here.values(await here.run(report, month="2026-09"))["total order amount"].rows == [(10.0,)]
    rejected = await here.desk.reject(report, "9")
    assert rejected.state == "rejected"
    here.writer._script = {**SCRIPT, "how many staff are there": [STAFF, "SELECT COUNT(*) + 0 AS n FROM staff"]}
    value = here.values(await here.run(report))["how many staff are there"]
    assert (value.content["sql"], value.rows) == ("SELECT COUNT(*) + 0 AS n FROM staff", [(2,)])
    assert "rejected" in [step["note"] for step in value.content["steps"]]


async def test_a_pinned_statement_that_fails_is_told_and_stays(here: Office) -> None:
    report = await here.keep("{{value: how many staff are there}}")
    await here.run(report)
    pinned = await here.desk.pin(report, "1")
    change(here.shop, "DROP TABLE staff")
    here.reopen()
    run = await here.run(report)
    assert (run.status, here.calls) == ("failed", 1)
    assert (await here.desk.placeholder(report, pinned.goal.key)).state == "pinned"
    change(here.shop, "CREATE TABLE staff (staff_id INTEGER, name TEXT, salary REAL)")
    here.reopen()
    assert here.values(await here.run(report))["how many staff are there"].rows == [(0,)]


async def test_a_statement_whose_database_is_down_is_kept_and_run_later(here: Office, tmp_path: Path) -> None:
    report = await here.keep("{{value: how many staff are there}}")
    await here.desk.runner.services.sources.open(here.connection_id)
    gone = tmp_path / "away.sqlite"
    settings = here.desk.runner.services.settings.database
    attach(here.connection_id, SqliteEngine(gone, settings))
    run = await here.run(report)
    (value,) = here.values(run).values()
    assert (run.status, value.status, value.content["sql"]) == ("failed", "unverified", STAFF)
    attach(here.connection_id, SqliteEngine(here.shop, settings))
    later = await here.run(report)
    assert (later.status, here.calls) == ("done", 1)


async def test_a_later_process_writes_statements_for_a_database_that_is_down(
    here: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = await here.keep("# Our people\n\n{{value: how many staff are there}}")
    sources = here.desk.runner.services.sources
    await sources.open(here.connection_id)
    await sources.finish_tests()
    here.shop.rename(here.shop.with_suffix(".away"))
    here.reopen()
    detach(here.connection_id)
    monkeypatch.setattr("inquery.agents.sources.FRESH_S", 0.0)
    (value,) = here.values(await here.run(report)).values()
    assert (value.status, value.content["sql"]) == ("unverified", STAFF)
    assert "Our people" in here.writer.requests[-1][0].surroundings


async def test_low_agreement_is_marked(tmp_path: Path) -> None:
    script = {
        "how many staff are there": [
            "SELECT COUNT(*) AS n FROM staff",
            "SELECT COUNT(*) AS n FROM stores WHERE store_id = 1",
            "SELECT MAX(salary) AS n FROM staff",
        ]
    }
    async with office(tmp_path, script, reports={"agreement": 0.9}) as here:
        run = await here.run(await here.keep("{{value: how many staff are there}}"))
        (value,) = here.values(run).values()
        assert value.status == "doubtful"
        assert "2 (unconfirmed)" in (await here.desk.document(run, "html")).content.decode()


async def test_what_an_answer_would_ask_to_be_checked_is_not_counted_as_found(
    here: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inquery.agents.truth.judge.LIKELY", 1.01)  # nothing is likely
    run = await here.run(await here.keep(TEMPLATE))
    assert {value.status for value in here.values(run).values()} == {"doubtful"}
    assert run.status == "doubtful"
    assert "(unconfirmed)" in (await here.desk.document(run, "html")).content.decode()


async def test_equal_statements_are_run_once(here: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    from inquery.reports import reuse

    report = await here.keep(
        "{{table: order amount by region|period=last month}} {{chart: order amount by region|period=last month}} {{value: total order amount|period=last month}}"
    )
    await here.run(report)
    seen: list[str] = []
    ran = reuse.run_checked

    async def spy(context: Any, sql: str, *args: Any, **kwargs: Any) -> Any:
        seen.append(sql)
        return await ran(context, sql, *args, **kwargs)

    monkeypatch.setattr(reuse, "run_checked", spy)
    await here.run(report)
    assert len(seen) == 2


async def test_two_hundred_placeholders_are_solved_each_with_the_same_context(tmp_path: Path) -> None:
    def script(request: Any) -> list[str]:
        return [f"SELECT COUNT(*) AS n FROM orders WHERE order_id > {request.question.split()[-1]}"]

    text = "\n\n".join(f"{{{{value: number of orders with an order id above {n}}}}}" for n in range(200))
    async with office(tmp_path, script) as here:
        report = await here.keep(text)
        run = await here.run(report)
        assert set(run.content["counts"]) <= {"solved", "doubtful"}  # counts of nothing may want to be checked
        assert (sum(run.content["counts"].values()), here.calls) == (200, 200)
        assert {request.schema.tables for request, _ in here.writer.requests} == {
            here.writer.requests[0][0].schema.tables
        }
        assert (await here.run(report)).content["model_calls"] == 0


async def test_a_repair_is_told_the_recommended_time_column(tmp_path: Path) -> None:
    year_before = "SELECT SUM(amount) AS t FROM orders WHERE ordered_on >= '2025-10-01' AND ordered_on < '2025-11-01'"
    script = {"total order amount last month": [year_before, TOTAL]}
    async with office(tmp_path, script, reports={"candidates": 1}, llm={"candidates": 1}) as here:
        run = await here.run(await here.keep("{{value: total order amount|period=last month}}"))
        _, failure = here.writer.requests[-1]
        assert run.status == "done"
        assert failure is not None
        assert failure.suggestions == ("filter orders.ordered_on from 2026-10-01 to before 2026-11-01",)


async def test_what_is_not_sure_enough_for_a_promise_is_named_with_that_reason(tmp_path: Path) -> None:
    async with office(tmp_path, answers={"promise": 0.01}) as here:
        (value,) = here.values(await here.run(await here.keep("{{value: how many staff are there}}"))).values()
    assert (value.status, value.content["problem"]["code"]) == ("unsolved", "unanswerable")
    assert "not sure enough" in value.content["problem"]["en"]
    assert [step["name"] for step in value.content["steps"]][-1] == "run_sql"


async def test_a_heading_says_what_a_bare_question_is_about(here: Office) -> None:
    here.writer._script = {"grand total": ["SELECT COUNT(*) AS n FROM orders"], "Staff: grand total": [STAFF]}
    run = await here.run(await here.keep("## Staff\n\n{{value: grand total}}"))
    assert run.status == "done", here.values(run)
    assert [each.content["sql"] for each in here.values(run).values()] == [STAFF]


async def test_another_owners_report_is_not_there(here: Office) -> None:
    report = await here.keep(TEMPLATE)
    run = await here.run(report)
    with pytest.raises(NotFound):
        here.desk.reports.get("other", report.id)
    with pytest.raises(NotFound):
        here.desk.runs.get("other", run.id)
    here.desk.reports.remove("local", "orders")
    with pytest.raises(NotFound):
        here.desk.runs.get("local", run.id)
    with pytest.raises(NotFound):
        here.desk.reports.template(report.template_id)


async def test_what_a_user_may_not_read_is_not_in_their_report(here: Office) -> None:
    from inquery.sql import Policy

    report = await here.keep(TEMPLATE)
    await here.run(report)
    narrow = Who(policy=Policy(tables=frozenset({"orders", "stores"})))
    run = await here.desk.run(report, {}, narrow, today=TODAY)
    found = here.values(run)
    assert found["how many staff are there"].status == "unsolved"
    assert found["total order amount"].rows == [(175.0,)]


@pytest.fixture(scope="module")
def demo_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One demo database for all reports about it."""
    return tmp_path_factory.mktemp("demo")


@pytest.mark.parametrize("name", sorted(GOLD))
async def test_the_reports_that_come_with_inquery_are_filled_from_the_demo(demo_home: Path, name: str) -> None:
    settings = Settings(home=demo_home)
    assert name in library()
    async with open_services(settings) as services:
        store = open_store(settings)
        writer = ScriptedWriter({})
        desk = ReportDesk(ReportRunner(services, store, writer=writer))
        report = await desk.find("local", name)
        today = settings.day((await services.sources.open("demo")).connection.options.timezone)
        begun, holder = await desk.runner.begin(report, {}, today=today)
        ready = await desk.runner.prepare(report, begun, Who())
        gold = gold_of(name, ready)
        writer._script = {question: [sql] for question, sql in gold.values()}
        first = await desk.runner.fill(report, begun, holder, Who())
        second = await desk.run(report, {}, Who(), today=today)
        assert (first.status, second.status, second.content["model_calls"]) == ("done", "done", 0)
        values = desk.runs.values(second.id)
        assert {await judged(ready, sql, values[key]) for key, (_, sql) in gold.items()} == {"right"}
        assert first.content["language"] == ("zh" if name == "monthly-business" else "en")
        if name == "monthly-business":
            south = await desk.run(report, {"大区": "华南", "月份": "2026-09"}, Who())
            assert (south.status, south.content["model_calls"]) == ("done", 0)
        for output in (report.format, "pdf"):
            document = await desk.document(second, output)
            assert len(document.content) > 1000
            assert output in {"docx", "pdf"} or b"{{" not in document.content
        store.close()


async def test_codes_are_told_in_chinese_whatever_their_column_is_called(demo_home: Path) -> None:
    settings = Settings(home=demo_home)
    async with open_services(settings) as services:
        store = open_store(settings)
        sql = 'SELECT region AS "大区", COUNT(*) AS "门店数" FROM stores GROUP BY region ORDER BY region'
        writer = ScriptedWriter({"各大区的门店数": [sql]})
        desk = ReportDesk(ReportRunner(services, store, writer=writer))
        report = await desk.add("local", "stores-zh", "demo", "md", "# 门店\n\n{{表：各大区的门店数}}\n".encode())
        text = (await desk.document(await desk.run(report, {}, Who()), "md")).content.decode()
        store.close()
    assert "| 大区 |" in text
    assert "华东" in text
    assert "east" not in text


async def test_a_rate_is_told_in_per_cent_unless_the_template_writes_the_sign(tmp_path: Path) -> None:
    steps = "WITH f AS (SELECT SUM(amount > 60) AS a, COUNT(*) AS b FROM orders)"
    sql = f"{steps}, g AS (SELECT CAST(a AS REAL) / b * 100 AS m FROM f) SELECT m AS large_rate FROM g"
    async with office(tmp_path, lambda request: [sql]) as here:
        template = "A {{value: rate of large orders}}; B {{value: rate of large orders by amount}}%.\n"
        run = await here.run(await here.keep(template))
        text = (await here.desk.document(run, "md")).content.decode()
    assert re.search(r"A [\d.]+%[^%]*; B [\d.]+[^%\d]*%\.", text), text


async def test_a_month_in_which_the_data_begin_is_compared_with_no_whole_one(tmp_path: Path) -> None:
    sql = "SELECT substr(ordered_on, 1, 7) AS month, SUM(amount) AS amount FROM orders GROUP BY 1 ORDER BY 1"
    async with office(tmp_path, lambda request: [sql]) as here:
        days = [f"2026-{month:02}-{day:02}" for month in (3, 4, 5, 6) for day in (17, 25)]
        rows = ", ".join(f"({900 + at}, 1, '{day}', {100 if day < '2026-04' else 400})" for at, day in enumerate(days))
        change(here.shop, f"DELETE FROM orders; INSERT INTO orders VALUES {rows}")
        run = await here.run(await here.keep("{{text: amount of orders by month}}\n"))
        text = (await here.desk.document(run, "md")).content.decode()
    assert "March 2026 is not whole" in text, text
    assert "300" not in text  # per cent, from the half of March on


async def test_amounts_bear_their_currency_in_tables_and_charts_though_the_template_does_not_ask(
    demo_home: Path,
) -> None:
    settings = Settings(home=demo_home)
    async with open_services(settings) as services:
        store = open_store(settings)
        sql = 'SELECT channel AS "渠道", SUM(total_amount) AS "金额", COUNT(*) AS "订单数" FROM orders GROUP BY channel'
        desk = ReportDesk(ReportRunner(services, store, writer=ScriptedWriter({"各渠道的金额和订单数": [sql]})))
        template = "{{表：各渠道的金额和订单数}}\n\n{{图：各渠道的金额和订单数}}\n".encode()
        report = await desk.add("local", "amounts", "demo", "html", template)
        run = await desk.run(report, {}, Who())
        text = (await desk.document(run, "html")).content.decode()
        store.close()
    pictures = [base64.b64decode(each).decode() for each in re.findall(r"svg\+xml;base64,([\w+/=]+)", text)]
    svg = "".join(pictures) or "".join(re.findall(r"<svg.*?</svg>", text, re.S))
    assert "¥" in svg
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", text)
    assert [cell.startswith("¥") for cell in cells[:3]] == [False, True, False]


def test_every_template_that_comes_with_inquery_is_sound() -> None:
    assert len(library()) == 3
    for path in library().values():
        if path.suffix == ".md":
            assert not [n for n in parse_template(path.read_text("utf-8")) if type(n).__name__ == "Broken"]


def test_the_statements_of_the_scripts_differ() -> None:
    assert len({TOTAL, BY_REGION, IN_REGION, STAFF}) == 4
