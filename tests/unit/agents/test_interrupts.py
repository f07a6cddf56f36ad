"""Clarification and approval: what is asked, what a reply does, and that nothing is poisoned by silence."""

import pytest

FROM = "SELECT COUNT(*) AS n FROM orders AS o JOIN customers AS c ON c.customer_id = o.customer_id WHERE c.city = 'Beijing'"
AT = "SELECT COUNT(*) AS n FROM orders AS o JOIN stores AS s ON s.store_id = o.store_id WHERE s.city = 'Beijing'"
Q = "How many orders in Beijing?"


def by_reading(request):
    """The statement for the only city a reading left."""
    homes = {value.table for value in request.values}
    return [AT if homes == {"stores"} else FROM]


async def test_a_phrase_in_two_columns_is_asked_about(desk):
    opened = desk(by_reading)
    asked = await opened.ask(Q, "t")
    assert (asked.status, opened.calls) == ("clarification", 0)
    assert asked.pending is not None
    assert {option.id for option in asked.pending.options} == {"customers.city", "stores.city"}
    assert opened.seen("clarification")
    answer = await opened.resume("t", "stores.city")
    assert (answer.status, answer.rows, opened.calls) == ("answered", [[2]], 1)


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [("stores.city", "store city is Beijing"), ("only those paid in cash", "only those paid in cash")],
)
async def test_an_answer_keeps_what_was_chosen_in_the_words_it_was_offered_in(desk, reply, chosen):
    opened = desk(by_reading)
    await opened.ask(Q, "t")
    assert (await opened.resume("t", reply)).reading["chosen"] == chosen
    later = await opened.ask("How many customers live in Beijing?", "t")
    assert "chosen" not in later.reading


async def test_a_question_begins_a_turn_and_its_reply_goes_on_with_it(desk):
    opened = desk(by_reading)
    asked = await opened.ask(Q, "t")
    first = opened.events[0]
    assert (first.type, first.question, first.seq, first.run_id) == ("turn", Q, 1, asked.run_id)
    assert [event.type for event in opened.events[1:]].count("turn") == 0
    for going_on in (opened.ask("stores city", "t"), opened.resume("t")):
        await going_on
        assert not opened.seen("turn")
    await opened.ask("hello", "t")
    assert [event.question for event in opened.seen("turn")] == ["hello"]


@pytest.mark.parametrize(
    ("reply", "rows"), [("1", [[2]]), ("the second one", [[2]]), ("stores city", [[2]]), ("store city", [[2]])]
)
async def test_a_message_that_answers_is_the_reply(desk, reply, rows):
    opened = desk(by_reading)
    await opened.ask(Q, "t")
    assert (await opened.ask(reply, "t")).rows == rows


async def test_an_abandoned_clarification_does_not_poison_the_thread(desk):
    opened = desk({"How many customers are there?": ["SELECT COUNT(*) AS n FROM customers"]})
    await opened.ask(Q, "t")
    answer = await opened.ask("How many customers are there?", "t")
    assert (answer.status, answer.rows) == ("answered", [[3]])
    assert (await opened.state("t"))["clarification"] == {}


async def test_a_clarification_can_be_cancelled(desk):
    opened = desk(by_reading)
    await opened.ask(Q, "t")
    assert (await opened.ask("never mind", "t")).status == "chat"


async def test_a_reading_is_remembered_for_the_user_who_chose_it(desk):
    opened = desk(by_reading)
    await opened.ask(Q, "a", user="ann")
    await opened.resume("a", "stores.city", user="ann")
    again = await opened.ask("How many orders in Beijing were there?", "b", user="ann")
    assert (again.status, again.rows) == ("answered", [[2]])
    assert again.reading["assumptions"]
    assert (await opened.ask(Q, "c", user="bob")).status == "clarification"


async def test_a_door_that_cannot_ask_takes_the_best_reading_and_says_so(desk):
    answer = await desk(by_reading).ask(Q, can_ask=False)
    assert answer.status == "answered"
    assert answer.reading["assumptions"]


@pytest.mark.parametrize(
    ("question", "assumed"),
    [(Q, "Assumed: customer city is Beijing"), ("Beijing有多少订单？", "假设：客户的城市为Beijing")],
)
async def test_where_nobody_can_reply_the_answer_says_what_it_assumed(desk, question, assumed):
    answer = await desk(by_reading).ask(question, clarify=False)
    assert (answer.status, answer.rows) == ("answered", [[2]])
    assert answer.reading["assumptions"] == [assumed]
    assert assumed in answer.warnings
    assert assumed in answer.text


async def test_what_was_assumed_is_not_taken_for_what_the_user_said(desk):
    opened = desk(by_reading)
    assert (await opened.ask(Q, "a", clarify=False)).status == "answered"
    assert (await opened.ask(Q, "b")).status == "clarification"


async def test_an_approval_is_asked_for_though_nobody_can_say_which_reading_is_meant(desk):
    opened = desk([FROM], agent={"approval": "always"})
    answer = await opened.ask("Count the orders of customers", "t", clarify=False)
    assert (answer.status, answer.rows) == ("approval", [])


async def test_a_question_that_names_the_table_is_not_asked_about(desk):
    opened = desk(lambda request: ["SELECT COUNT(*) AS n FROM customers WHERE city = 'Beijing'"])
    assert (await opened.ask("How many customers live in Beijing?")).status == "answered"


async def test_two_times_are_asked_about(desk):
    opened = desk(lambda request: ["SELECT COUNT(*) AS n FROM events"])
    asked = await opened.ask("How many events in 2026?", "t")
    assert asked.status == "clarification"
    assert (await opened.resume("t", "1")).status == "answered"


async def test_approval_waits_for_yes(desk):
    opened = desk([FROM], agent={"approval": "always"})
    asked = await opened.ask("Count the orders of customers", "t")
    assert (asked.status, asked.sql) == ("approval", FROM)
    assert opened.seen("approval")
    calls = opened.calls
    answer = await opened.resume("t", "approve")
    assert (answer.status, answer.rows, opened.calls) == ("answered", [[2]], calls)


async def test_an_edited_statement_is_checked_before_it_runs(desk):
    opened = desk([FROM], agent={"approval": "always"})
    await opened.ask("Count the orders of customers", "t")
    assert (await opened.resume("t", {"sql": AT})).sql == AT
    await opened.ask("Count the orders of customers again please", "u")
    bad = await opened.resume("u", {"sql": "DELETE FROM orders"}) if opened.seen("approval") else None
    assert bad is None or bad.status in {"refused", "failed"}


async def test_a_rejected_statement_does_not_run(desk):
    opened = desk([FROM], agent={"approval": "always"})
    await opened.ask("Count the orders of customers", "t")
    answer = await opened.resume("t", "reject")
    assert (answer.status, answer.rows) == ("refused", [])


async def test_a_thread_of_another_user_does_not_exist(desk):
    from inquery.errors import NotFound

    opened = desk(by_reading)
    await opened.ask(Q, "t", user="ann")
    with pytest.raises(NotFound):
        await opened.resume("t", "1", user="bob")
    with pytest.raises(NotFound):
        await opened.ask("hello", "t", user="bob")
