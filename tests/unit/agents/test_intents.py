"""What messages want, in both languages."""

import pytest

from inquery.agents.questions.intents import read_intent

LAST = {"standalone": "Revenue by region", "sql": "SELECT 1"}

CHAT = [
    "hi",
    "Hello!",
    "你好",
    "您好！",
    "thanks",
    "谢谢",
    "再见",
    "help",
    "你能做什么",
    "what can you do?",
    "who are you",
]
CATALOG = [
    "What tables are there?", "有哪些表", "有什么数据", "list all tables", "which dates do you have?", "数据的时间范围",
    "What columns does orders have?", "orders 表有哪些字段", "describe the database",
]  # fmt: skip
LAST_ANSWER = [
    "画成饼图", "as a pie chart", "make it a line chart", "换成柱状图", "explain this SQL", "解释一下这个SQL", "show me the SQL",
    "refresh", "重新查询一下", "how did you calculate this?", "plot it", "这个怎么算的",
]  # fmt: skip
DATA = [
    "How many orders are there?", "各地区销售额", "Draw a pie chart of revenue by region", "画一个各地区销售额的饼图",
    "Which customers deleted their account?", "去年取消的订单有多少", "list products by price", "What is the trend of sales?",
    "show me the top 10 products", "上个月新增客户数", "how many records were updated last month", "删除率最高的产品",
]  # fmt: skip
REFUSED = [
    "drop all tables", "Delete every order from last year", "删除所有订单", "把张三的订单清空", "UPDATE orders SET amount = 0",
    "truncate table orders", "insert into orders values (1)", "please delete all rows of customers",
]  # fmt: skip


@pytest.mark.parametrize("message", CHAT)
def test_small_talk(message):
    assert read_intent(message, LAST).intent == "chat"


@pytest.mark.parametrize("message", CATALOG)
def test_questions_about_the_data(message):
    assert read_intent(message, None).intent == "catalog"


@pytest.mark.parametrize("message", LAST_ANSWER)
def test_wishes_about_the_last_answer(message):
    assert read_intent(message, LAST).intent == "last_answer"
    assert read_intent(message, None).intent != "last_answer"


@pytest.mark.parametrize("message", DATA)
def test_questions(message):
    assert (read_intent(message, None).intent, read_intent(message, None).what) == ("data", "")
    assert read_intent(message, LAST).intent == "data"


@pytest.mark.parametrize("message", REFUSED)
def test_wishes_to_write_are_refused(message):
    assert (read_intent(message, None).intent, read_intent(message, None).what) == ("chat", "refuse")


@pytest.mark.parametrize(
    "message", ["SELECT * FROM orders", "with a as (select 1) select * from a", "```sql\nselect 1 from orders\n```"]
)
def test_pasted_sql_is_run_as_it_is(message):
    assert read_intent(message, None) == read_intent("select a from b", None)
