"""Failures are classified, repaired within limits, and told."""

import pytest

from inquery.agents.supervisor import looping
from inquery.errors import ModelTimeout

GOOD = "SELECT COUNT(*) AS n FROM orders"
Q = "How many orders are there in all of the shop?"


async def test_the_next_candidate_is_the_first_repair(desk):
    opened = desk([["SELECT COUNT(*) FROM nowhere_at_all", GOOD]], llm={"candidates": 2})
    answer = await opened.ask(Q, "t")
    assert (answer.rows, opened.calls) == ([[5]], 1)
    assert (await opened.state("t"))["repairs"] == ["next_candidate"]
    assert [event.error_class for event in opened.seen("retry")] == ["unknown_table"]


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ("SELECT zzqq FROM orders", "unknown_column"),
        ("SELECT COUNT(*) FROM zzqq", "unknown_table"),
        ("SELEC COUNT(* FROM orders", "sql_syntax"),
        ("DROP TABLE orders", "not_a_query"),
        ("SELECT 1; SELECT 2", "sql_syntax"),
        ("SELECT name FROM customers c JOIN stores s ON c.city = s.city", "ambiguous_column"),
        ("I am sorry, I cannot answer that.", "sql_syntax"),
    ],
)
async def test_a_wrong_statement_is_written_again_with_its_fault(desk, wrong, kind):
    opened = desk([wrong, GOOD])
    answer = await opened.ask(Q, "t")
    assert answer.rows == [[5]]
    request, failure = opened.writer.requests[-1]
    assert failure is not None
    assert (failure.sql, failure.error_class) == (wrong, kind)
    assert request.question == Q


async def test_near_names_are_mended_without_the_model(desk):
    opened = desk(["SELECT COUNT(*) AS n FROM orderss"])
    answer = await opened.ask(Q, "t")
    assert (answer.rows, opened.calls) == ([[5]], 1)
    assert (await opened.state("t"))["repairs"] == ["mended"]


async def test_another_dialect_is_translated(desk):
    opened = desk(["SELECT TOP 2 order_id FROM orders ORDER BY order_id"])
    assert (await opened.ask("Show two orders of the shop")).rows == [[1], [2]]
    assert opened.calls == 1


async def test_the_same_wrong_statement_ends_the_run(desk):
    opened = desk(lambda request: ["SELECT zzqq FROM orders"])
    answer = await opened.ask(Q)
    assert (answer.status, opened.calls) == ("failed", 2)
    assert answer.error is not None
    assert answer.error["class"] == "unknown_column"
    assert "zzqq" in answer.text


async def test_one_class_three_times_ends_the_run(desk):
    opened = desk([f"SELECT zzqq{letter} FROM orders" for letter in "abcdefgh"])
    answer = await opened.ask(Q)
    assert (answer.status, opened.calls) == ("failed", 3)


async def test_repairs_are_bounded(desk):
    wrong = ["SELECT zza FROM orders", "SELECT 1 FROM zzb", "SELEC", "DROP TABLE orders", GOOD]
    opened = desk(wrong, agent={"max_retries": 2})
    answer = await opened.ask(Q)
    assert (answer.status in {"failed", "refused"}, opened.calls) == (True, 3)


async def test_only_writing_statements_end_in_a_refusal(desk):
    opened = desk(lambda request: ["DELETE FROM orders"])
    answer = await opened.ask(Q)
    assert answer.status == "refused"


async def test_a_writing_statement_is_asked_for_again_in_plainer_words(desk):
    opened = desk(["DELETE FROM orders", "DELETE FROM orders", GOOD])
    answer = await opened.ask(Q, "t")
    assert (answer.rows, opened.calls) == ([[5]], 3)
    told = [failure.suggestions for _, failure in opened.writer.requests[1:]]
    assert len(told[1]) > len(told[0])
    assert "DELETE" in told[1][-1]


async def test_other_statements_with_the_same_general_fault_are_no_circle(desk):
    opened = desk(["SELEC COUNT(* FROM orders", "SELECT COUNT(*)) FROM orders WHERE (", GOOD])
    answer = await opened.ask(Q)
    assert (answer.rows, opened.calls) == ([[5]], 3)


async def test_of_several_statements_kept_to_the_first_that_reads_is_taken_and_told(desk):
    both = "SELECT 1; SELECT COUNT(*) AS n FROM orders; SELECT COUNT(*) AS n FROM stores"
    opened = desk(lambda request: [both])
    answer = await opened.ask(Q, "t")
    assert (answer.rows, opened.calls) == ([[5]], 2)
    state = await opened.state("t")
    assert state["repairs"] == ["regenerate", "first_statement"]
    assert "several statements" in state["sql_why"]


async def test_several_statements_of_which_one_writes_are_never_taken_apart(desk):
    opened = desk(lambda request: ["SELECT COUNT(*) AS n FROM orders; DELETE FROM orders"])
    assert (await opened.ask(Q)).status == "failed"


async def test_every_statement_a_model_writes_may_be_mended(desk):
    opened = desk(["SELECT COUNT(*) AS n FROM orderss WHERE zzqq = 1", "SELECT COUNT(*) AS n FROM orderss"])
    answer = await opened.ask(Q, "t")
    assert (answer.rows, opened.calls) == ([[5]], 2)
    assert (await opened.state("t"))["repairs"][-1] == "mended"


async def test_repairs_without_a_model_leave_the_model_its_own(desk):
    wrong = [["SELECT zza FROM orders", "SELECT 1 FROM zzb"], ["SELEC"], [GOOD]]
    opened = desk(wrong, llm={"candidates": 2}, agent={"max_retries": 2})
    answer = await opened.ask(Q)
    assert (answer.rows, opened.calls) == ([[5]], 3)


async def test_a_model_that_fails_is_told_and_not_asked_again(desk):
    class Late:
        calls = 0

        async def write(self, request):
            self.calls += 1
            raise ModelTimeout("late")

        repair = write

    writer = Late()
    answer = await desk(writer=writer).ask(Q)
    assert (answer.status, writer.calls) == ("failed", 1)
    assert answer.error is not None
    assert (answer.error["code"], answer.error["retryable"]) == ("model_timeout", True)


async def test_a_column_added_since_is_found_by_reading_the_catalogue_again(desk, shop):
    import sqlite3

    opened = desk(
        [GOOD, "SELECT SUM(shipping_fee_total) AS v FROM orders", "SELECT SUM(shipping_fee_total) AS v FROM orders"]
    )
    await opened.ask(Q)
    with sqlite3.connect(shop) as connection:
        connection.execute("ALTER TABLE orders ADD COLUMN shipping_fee_total REAL DEFAULT 2")
    connection.close()
    answer = await opened.ask("What is the sum of shipping fees of all orders?")
    assert answer.rows == [[10.0]]


async def test_a_value_that_is_not_there_is_looked_at_again_and_then_believed(desk):
    absent = "SELECT name FROM customers WHERE city = 'beijing city'"
    opened = desk([absent, "SELECT name FROM customers WHERE city = 'Beijing'"])
    answer = await opened.ask("Which customers live in beijing city?")
    assert answer.rows == [["张伟"]]
    assert [event.error_class for event in opened.seen("retry")] == ["empty_result"]
    assert "Beijing" in opened.writer.requests[-1][1].suggestions[0]
    opened = desk(lambda request: [absent])
    assert (await opened.ask("Which customers live in beijing city?")).status == "answered"


async def test_the_column_that_lacks_a_value_is_named_where_its_alias_is_used_again(desk):
    absent = (
        "SELECT x.amount FROM orders x WHERE x.status = 'refunded'"
        " AND x.customer_id IN (SELECT x.customer_id FROM customers x)"
    )
    opened = desk([absent, "SELECT amount FROM orders WHERE status = 'cancelled'"])
    assert (await opened.ask("What are the amounts of refunded orders?")).rows == [[30.0]]
    assert opened.writer.requests[-1][1].suggestions[0].startswith("orders.status holds: ")


@pytest.mark.parametrize("where", ["NOT status = 'refunded' AND amount < 0", "UPPER(status) = 'REFUNDED'"])
async def test_a_value_that_is_left_out_or_worked_out_is_not_blamed(desk, where):
    opened = desk([f"SELECT amount FROM orders WHERE {where}"])
    answer = await opened.ask("What are the amounts of refunded orders?")
    assert (answer.status, answer.rows, opened.calls) == ("answered", [], 1)


async def test_a_period_outside_the_column_points_at_another_time(desk):
    wrong = "SELECT title FROM events WHERE starts_on >= '2030-01-01'"
    opened = desk([wrong, "SELECT title FROM events WHERE opens_on >= '2026-01-01'"], agent={"clarify": False})
    answer = await opened.ask("Which events are still to come?")
    assert answer.rows == [["Sale"]]
    assert [event.error_class for event in opened.seen("retry")] == ["wrong_time_column"]


async def test_a_database_that_vanishes_ends_with_a_message(desk, shop):
    opened = desk([GOOD, GOOD])
    await opened.ask(Q)
    shop.write_bytes(b"x" * 8192)
    answer = await opened.ask("How many orders did the shop have in total?")
    assert answer.status == "failed"
    assert str(shop) not in answer.model_dump_json()


async def test_pasted_sql_runs_and_is_never_rewritten_by_a_model(desk):
    opened = desk()
    assert (await opened.ask("SELECT COUNT(*) AS n FROM orders;")).rows == [[5]]
    refused = await opened.ask("SELECT zzqq FROM orders")
    assert (refused.status, opened.calls) == ("failed", 0)


def test_a_loop_is_the_same_message_or_class_again():
    def fault(kind, message):
        return {"class": kind, "message": message}

    assert looping([fault("a", "row 1"), fault("a", "row  2")]) == "message"
    assert looping([fault("a", "x"), fault("a", "y"), fault("a", "z")]) == "class"
    assert looping([fault("a", "x"), fault("b", "x"), fault("a", "y")]) == ""


def test_refusals_that_name_nothing_are_a_circle_only_for_the_same_statement():
    def refusal(sql, name=None, kind="sql_syntax"):
        return {"class": kind, "message": "could not be parsed", "refused": True, "name": name, "sql": sql}

    assert looping([refusal("a"), refusal("a")]) == "message"
    assert looping([refusal("a"), refusal("b")]) == ""
    assert looping([refusal("a", "x"), refusal("b", "x")]) == "message"
    assert looping([refusal("a", kind="not_a_query")] * 2) == ""
    assert looping([refusal("a", kind="not_a_query")] * 3) == "class"


@pytest.mark.parametrize("question", ["", "   ", "？！", "😀😀", "x" * 20_000, "asdf qwer zxcv"])
async def test_bad_questions_end_in_a_clear_message(desk, question):
    opened = desk(lambda request: ["SELECT zzqq FROM orders"])
    answer = await opened.ask(question)
    assert answer.status in {"failed", "declined", "chat"}
    assert answer.text


async def test_a_prompt_does_not_grow_with_repairs(desk):
    opened = desk([f"SELECT zz{letter} FROM orders" for letter in "abc"], agent={"max_retries": 3})
    await opened.ask(Q)
    sizes = [len(str(request)) + len(str(failure)) for request, failure in opened.writer.requests[1:]]
    assert max(sizes) - min(sizes) < 200
