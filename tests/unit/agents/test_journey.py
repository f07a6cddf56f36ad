"""One question's journey with a scripted model: what is asked of the model, what is kept, what is told."""

import datetime
from typing import get_type_hints

import pytest

from inquery.agents.graph import NODES, build_graph
from inquery.agents.state import BLANK, Turn
from inquery.agents.supervisor import ROUTES
from inquery.settings import Settings

BY_STATUS = "SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY n DESC, status"
BY_MONTH = "SELECT strftime('%Y-%m', ordered_on) AS month, SUM(amount) AS revenue FROM orders GROUP BY 1 ORDER BY 1"
COUNT = "SELECT COUNT(*) AS n FROM orders"


def test_a_blank_turn_has_every_field_of_a_turn():
    assert BLANK.keys() == get_type_hints(Turn).keys()


def test_every_route_leads_to_a_node_or_the_end():
    for stage, targets in ROUTES.items():
        assert stage in NODES
        assert set(targets) - {"end"} <= set(NODES)


def test_every_node_can_be_reached_and_left():
    drawn = build_graph().get_graph()
    for name in NODES:
        assert any(edge.target == name for edge in drawn.edges)
        assert any(edge.source == name for edge in drawn.edges)


async def test_a_simple_question_costs_one_model_call_and_a_cached_one_none(desk):
    opened = desk([COUNT])
    first = await opened.ask("How many orders are there?", "t")
    assert (first.status, first.rows, first.usage.model_calls) == ("answered", [[5]], 1)
    again = await opened.ask("how many orders are there", "t")
    assert (again.rows, again.usage.model_calls, opened.calls) == ([[5]], 0, 1)
    assert again.cache is not None
    assert again.cache["level"] == "thread"
    assert [event.type for event in opened.seen("cache")] == ["cache"]


async def test_a_refresh_asks_again(desk):
    opened = desk([COUNT, COUNT])
    await opened.ask("How many orders are there?", "t")
    assert (await opened.ask("How many orders are there?", "t", refresh=True)).cache is None
    assert opened.calls == 2
    assert (await opened.ask("How many orders are there?", "t")).cache is not None


async def test_no_field_of_a_turn_survives_it(desk):
    opened = desk([["SELECT nothing FROM orders", BY_STATUS]], llm={"candidates": 2})
    await opened.ask("Compare orders by status as a pie chart", "t")
    before = await opened.state("t")
    assert before["repairs"] or before["agreement"]
    await opened.ask("hello", "t")
    after = await opened.state("t")
    mine = {"question", "standalone_question", "language", "intent", "query_analysis", "text", "outcome", "current_stage", "route_decision", "reached", "recommended_questions"}  # fmt: skip
    left = {key for key in BLANK if key not in mine and after.get(key, BLANK[key]) != BLANK[key]}
    assert left == set()


async def test_the_same_fragment_in_two_threads_gives_two_answers(desk):
    asked = []

    def script(request):
        asked.append(request.question)
        year = "2025" if "2025" in request.question else "2026"
        what = "SUM(amount)" if "amount" in request.question else "COUNT(*)"
        return [f"SELECT {what} AS v FROM orders WHERE ordered_on LIKE '{year}%'"]

    opened = desk(script)
    await opened.ask("How many orders were placed in 2026?", "a")
    await opened.ask("What is the total amount of orders in 2026?", "b")
    assert (await opened.ask("and in 2025?", "a")).rows == [[2]]
    assert (await opened.ask("and in 2025?", "b")).rows == [[150.0]]
    assert asked[2:] == ["How many orders were placed in 2025?", "What is the total amount of orders in 2025?"]


async def test_steps_events_and_provenance_are_whole(desk):
    opened = desk([BY_STATUS])
    answer = await opened.ask("How many orders are there for each status?")
    started = [e.name for e in opened.seen("step") if e.status == "started"]
    assert started == [
        e.name for e in sorted(opened.events, key=lambda e: e.seq) if e.type == "step" and e.status == "started"
    ]
    assert {"begin_turn", "link_schema", "write_sql", "check_sql", "run_sql", "analyse", "remember"} <= set(started)
    assert [event.seq for event in opened.events] == list(range(1, len(opened.events) + 1))
    assert {"step", "sql", "rows", "facts", "chart", "followups", "usage", "done"} <= {e.type for e in opened.events}
    assert answer.provenance["tables"] == ["orders"]
    assert answer.provenance["guard"] == "passed"
    assert answer.confidence
    assert all(step.ms >= 0 for step in answer.steps)


@pytest.mark.parametrize(("question", "fast"), [("How many orders?", True), ("有多少订单？", True), ("Orders by month as a trend", False), ("各城市订单数对比", False)])  # fmt: skip
async def test_simple_questions_skip_samples_and_chart(desk, question, fast):
    opened = desk([BY_STATUS])
    answer = await opened.ask(question, "t")
    assert (await opened.state("t"))["fast_mode"] is fast
    assert (answer.chart is None) is fast


async def test_a_result_is_paged(desk):
    opened = desk(["SELECT order_id FROM orders ORDER BY order_id"])
    answer = await opened.ask("List the orders", page=2, page_size=2)
    assert ([row[0] for row in answer.rows], answer.row_count) == ([3, 4], 5)


async def test_state_holds_no_rows_beyond_a_preview_and_no_address(desk, shop):
    opened = desk(["SELECT o.order_id, c.name FROM orders AS o CROSS JOIN customers AS c ORDER BY 1, 2"])
    await opened.ask("List all orders with customers", "t")
    kept = str(await opened.state("t"))
    assert str(shop) not in kept
    assert len((await opened.state("t"))["execution_result"]["preview"]) == 5


async def test_a_history_too_long_is_summarised(desk):
    opened = desk(lambda request: [COUNT], agent={"history_messages": 6})
    for number in range(8):
        await opened.ask(f"How many orders are there with number {number}?", "t")
    state = await opened.state("t")
    assert len(state["messages"]) <= 8
    assert "number 0" in state["summary"]


MANY = {
    "a question": ["How many orders are there for each status?"],
    "a repair": ["Compare orders by status"],
    "a follow-up": ["How many orders were placed in 2026?", "and in 2025?", "hello", "有哪些表"],
    "an edit": ["List orders by amount", "only the top 2", "as a bar chart", "explain this SQL"],
    "a cached one": ["How many orders are there?", "how many orders are there"],
    "pasted SQL": ["SELECT COUNT(*) AS n FROM orders", "SELECT nothing FROM orders"],
}


def _answers(request):
    year = next((y for y in ("2025", "2026") if y in request.question), "20")
    if request.question.startswith("Compare"):
        return ["SELECT nothing FROM orders", BY_STATUS]
    if "amount" in request.question:
        return ["SELECT order_id, amount FROM orders ORDER BY amount DESC"]
    return [f"SELECT status, COUNT(*) AS n FROM orders WHERE ordered_on LIKE '{year}%' GROUP BY status ORDER BY 1"]


@pytest.mark.parametrize("name", MANY)
async def test_nodes_in_one_superstep_give_the_steps_and_answers_of_nodes_apart(desk, name):
    told = []
    for chained in (False, True):
        opened = desk(_answers, llm={"candidates": 2})
        opened.runner.graph = build_graph(opened.saver, chained=chained)
        for question in MANY[name]:
            answer = await opened.ask(question, "t")
            steps = [e.name for e in opened.seen("step") if e.status == "started"]
            told.append((chained, question, steps, answer.status, answer.rows, answer.text, answer.followups))
    half = len(told) // 2
    assert [each[1:] for each in told[:half]] == [each[1:] for each in told[half:]]


async def test_a_superstep_ends_with_a_model_call_or_an_execution(desk):
    opened = desk([BY_STATUS])
    await opened.ask("How many orders are there for each status?", "t")
    config = {"configurable": {"thread_id": "t"}}
    moments = [moment async for moment in opened.runner.graph.aget_state_history(config)]
    assert [moment.next for moment in reversed(moments)] == [
        ("__start__",), ("begin_turn",), ("check_sql",), ("analyse", "draw_chart", "recommend"), ("remember",), (),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "again", "said"),
    [
        ("Amount of orders by month", "what does this mean?", "July 2026 is not over: 20 so far."),
        ("各月的订单金额是多少？", "解释一下结果", "2026年7月尚未结束，目前为20。"),
    ],
)
async def test_a_month_that_is_not_over_is_told_wherever_facts_are(desk, monkeypatch, question, again, said):
    monkeypatch.setattr(Settings, "day", lambda settings, zone=None: datetime.date(2026, 7, 20))
    opened = desk([BY_MONTH])
    first = await opened.ask(question, "t")
    cached = await opened.ask(question, "t")
    explained = await opened.ask(again, "t")
    assert cached.cache is not None
    for answer in (first, cached, explained):
        assert said in answer.text
        assert [fact.label for fact in answer.facts if fact.kind == "unfinished"] == ["2026-07"]
