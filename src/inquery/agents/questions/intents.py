"""What a message wants: small talk, the shape of the data, something about the last answer, or data. Rules only."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inquery.agents.questions.other_messages import read_other
from inquery.agents.state_types import Intent, LastAnswer
from inquery.answers.chart_choice import WORDS, asked_for

_I = re.I
GREETING = re.compile(
    r"^\W*(hi|hello|hey|yo|hiya|good (morning|afternoon|evening)|你好|您好|嗨|哈喽|早上好|下午好|晚上好|在吗)(\s*(there|all|inquery|啊|呀))?\W*$",
    _I,
)
THANKS = re.compile(
    r"^\W*((many |a big )?(thanks?|thx|ty|cheers)( you)?(( (very|so) much| a lot| a bunch| again| inquery| for (your|the) help)*)|(good|great|nice|excellent|amazing) (job|work|bot|answer)|well done|you('re| are) (great|amazing|awesome|the best|brilliant)|perfect|awesome|excellent|brilliant"
    r"|(太|非常|十分)?(谢谢|感谢|多谢)(你|您|啦|了|大家|帮助|你的帮助|您的帮助)*([,，、 ]*(你|您)?辛苦(你|您)?(啦|了))?|(你|您)?辛苦(你|您)?(啦|了)([,，、 ]*(谢谢|多谢)(你|您|啦|了)?)?|你?(真|太|好)(棒|厉害|聪明|好用)(了|啊|呀)?|干得(好|漂亮)|做得好)\W*$",
    _I,
)
AGREED = re.compile(
    r"^\W*(great|cool|ok(ay)?|nice|yes|yeah|yep|sure|fine|got it|right|i see|all right|alright|sounds good|good|no|nope|nothing|never ?mind|maybe|好的?|好吧|好啊|行|嗯+|可以|对|是的?|收到|不错|明白了?|知道了|懂了|没问题|没事(了)?|算了|不用了?|不是|没有了?|随便)\W*$",
    _I,
)
"""No question and no thanks: a nod, or a shake of the head."""
BYE = re.compile(
    r"^\W*((good)?bye|((ok(ay)?|thanks?|thank you)[, ]+)+(good)?bye|see you( later)?|quit|exit|再见|拜拜|回头见)(啦|了|吧|哈)?\W*$",
    _I,
)
HELP = re.compile(
    r"^\W*((can you |please |could you )?help( me)?( please)?|what (can|could|should|do|may|would|might) (you|i|we) (do|ask|query|find out|start with|say|type|try)( you| here| about| first| next| for me)?|what can you (help|tell)( me)?( with| about)?|what (kind|sort|type)s? of (questions?|things?) (can|could|should|do) (i|we|you) (ask|answer)( you| here)?|(give|show) me (some |a few |an )?(examples?|ideas?|sample questions|suggestions)( of questions)?|(any |some )?(examples?|sample questions)|where (do|should|can) i (start|begin)|how (do|can|should) i (use|ask)( you| this| it| questions?| a question)*|i don'?t know what to ask|who are you( and what (can|do) you do)?|what are you|how do(es)? (you|this) work|"
    r"what (is|'s) (this|inquery)|你(能|可以|会)(做|干)(点|些)?(什么|啥|嘛|吗)|你是谁|怎么(使)?用|帮助|帮帮我|(我|我们)?(能|可以|该|应该|要|想)?(怎么)?(提)?问(你|些|点)*(什么|哪些|啥|点什么)(问题|好)?(呢)?|不知道(该)?问(什么|啥|点什么)|有(什么|哪些)(可以|能|好)问的(问题)?|(能|可以)?(给我?|举)?(几个|一些|一个|个)?(例子|示例|提问示例)|从哪(里|儿)?开始|怎么(提问|问(你)?(问题)?)|有什么功能|你会(做)?什么)\W*$",
    _I,
)
WRITING = re.compile(
    r"^\W*(please\s+|请|帮我|把|给我)?\s*(drop|delete|truncate|alter|update|insert|grant|revoke|create|rename|purge|erase|wipe)\b"
    r"(?=.*\b(tables?|rows?|records?|columns?|database|schema|index|data|all|every|from|into|set|where|users?)\b)"
    r"|^\W*(请|帮我|把|给我|将)*\s*(删除|删掉|清空|清除|修改|更新|插入|新增|新建|创建|丢弃|drop(?![a-z]))(?!.{0,8}(的|率|数量|多少|记录数|总|量|次数))"
    r"|(把|将).{0,24}(删除|删掉|清空|改成|改为|更新为|修改为)(?!.{0,12}(图|排序|月|年|季|周|天|查|看))",
    _I,
)
SQL_TEXT = re.compile(r"^\s*(?:```\w*\s*)?(select\b.+\bfrom\b|select\s+[\w('*]|with\s+\w+\s+as\s*\()", _I | re.S)
WRITE_TEXT = re.compile(
    r"^\s*(insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|drop\s+(table|database|view|schema|index)\s|truncate\s+(table\s)?\S|alter\s+table\s|create\s+(or\s+replace\s+)?(table|view|index|database)\s|grant\s.+\sto\s)",
    _I,
)
TABLES = re.compile(
    r"^\W*((what|which|list|show( me)?|give me)\b.{0,20}\b(tables?|data|datasets?)\b.{0,30}(there|available|have|exist|database|access|here|know)?"
    r"|what('s| is) in (this|the) (database|data)|(list|show)( all)?( the)? tables|describe (the |this )?(database|schema|data)"
    r"|(这个|这里|数据库|库)?(里|中|里面)?(都)?有(哪些|什么|几张|多少张|几个)(数据)?(表|数据表|数据)|(列出|显示|看看|查看)(所有|全部)?(的)?(数据)?表|数据库(的)?结构|表结构|有什么数据|能查(询)?(什么|哪些)数据)\W*$",
    _I,
)
COLUMNS = re.compile(
    r"\b(what|which|list|show)\b.{0,16}\b(columns?|fields?|attributes?)\b|\bdescribe\b.{0,8}\b(table\b)?|\bstructure of (the )?\w+( table)?\W*$"
    r"|(有)?(哪些|什么)(列|字段|属性)|(列|字段)(有)?(哪些|什么)|的(结构|字段|列(?![出举表成]))|表结构",
    _I,
)
DATES = re.compile(
    r"^\W*((which|what) (dates?|period|time (range|span)|years?|months?|days?)\b.{0,24}(do you have|have data|are there|available|covered?|does (the|this|it)|is (there|covered)|can i ask).{0,20}"
    r"|(how far back|since when|until when).{0,30}|(数据)?(的)?(时间|日期)(范围|跨度|区间)(是(什么|多少|哪些))?|(有)?(哪些|什么)(日期|时间|年份|月份)(的数据)?|数据(从|到)?(什么|哪)(时候|天|年)(开始|到|结束)?.{0,10})\W*$",
    _I,
)
CHART = re.compile(
    r"\b(as|into|in|to|use|with|make|draw|plot|show|change|turn|switch|instead)\b.{0,24}\b(pie|bar|line|scatter|column|donut)\b|^\W*(a |an )?(pie|bar|line|scatter|column)( chart| graph| plot)?( please| instead)?\W*$"
    r"|^\W*(plot|chart|graph|draw|visuali[sz]e) (it|this|that|them|these)\W*$|(画|换|改|变|做|转)(成|为|一个|个|出)?.{0,6}(图|柱状|饼状|折线|散点)|用.{0,4}图|^\W*(饼图|柱状图|折线图|散点图|条形图)\W*$",
    _I,
)
SQL_ABOUT = re.compile(
    r"^\W*((please )?(explain|show|what('s| is)|give me|see)\b.{0,16}\b(sql|query|statement)\b.{0,20}|how (did|do) you (get|compute|calculate|work out|know) (this|that|it|these)?.{0,20}|how (was|is) (this|that|it) (computed|calculated).{0,10}"
    r"|(请)?(解释|说明|显示|看看|查看|给我看)(一下|下)?(这个|这条|上面的|刚才的|那条)?\s*(sql|查询|语句).{0,8}|(这个|这|刚才的|上面的)?(sql|查询语句)(是什么|怎么写的|什么意思).{0,4}|(这个)?(是)?(怎么|如何)(算|计算|得)(出来)?(的|出)?)\W*$",
    _I,
)
AGAIN = re.compile(
    r"^\W*(refresh|again|re-?run( it| that| this)?|run (it|that) again|try again|update it|重新(查询|查|运行|执行|算|来)(一下|一遍|一次)?|刷新(一下)?|再(查|跑|来)一(次|遍))\W*$",
    _I,
)
WHY = re.compile(
    r"^\W*(what does (this|that|it) mean|explain( this| that| it| the (result|answer))?|(解释|说明|分析)(一下|下)?(这个)?(结果|数据|答案)?|这(是)?什么意思|说说看)\W*$",
    _I,
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The intent of a message, and what of it."""

    intent: Intent
    what: str = ""


def read_intent(message: str, last: LastAnswer | None) -> Wanted:
    """The intent of a message; `last` is the thread's last answer, if it has one."""
    for what, pattern in (
        ("greeting", GREETING),
        ("thanks", THANKS),
        ("agreed", AGREED),
        ("bye", BYE),
        ("help", HELP),
    ):
        if pattern.match(message):
            return Wanted("chat", what)
    if WRITE_TEXT.match(message) or (WRITING.search(message) and not SQL_TEXT.match(message)):
        return Wanted("chat", "refuse")
    if SQL_TEXT.match(message):
        return Wanted("data", "sql")
    if DATES.match(message):
        return Wanted("catalog", "dates")
    if TABLES.match(message):
        return Wanted("catalog", "tables")
    if last:
        found = _about_last(message)
        if found:
            return Wanted("last_answer", found)
    if COLUMNS.search(message) and len(message) < 80:
        return Wanted("catalog", "columns")
    if not re.search(r"\w", message):
        return Wanted("chat", "unclear")
    if other := read_other(message):
        return Wanted("chat", other)
    return Wanted("data")


def _about_last(message: str) -> str:
    if len(message) > 60:
        return ""
    if SQL_ABOUT.match(message):
        return "sql"
    if AGAIN.match(message):
        return "again"
    if WHY.match(message):
        return "explain"
    if CHART.search(message) and (asked_for(message) or re.search(r"\b(it|this|that)\b|图|画", message, _I)):
        # `Draw a pie chart of revenue by region` asks anew, whatever was answered before.
        return "chart" if _only_chart(message) else ""
    return ""


_CHART_WORDS = re.compile(
    r"\b(please|show|make|draw|plot|change|turn|switch|convert|as|into|in|to|use|with|it|this|that|them|these|a|an|the|chart|graph|plot|instead|of|column|can|you|could|now|result|results|me|visuali[sz]e)\b"
    r"|请|帮我|把|它|这个|这些|结果|数据|一个|一下|画成|换成|改成|变成|做成|转成|画|换|改|用|为|成|图表|图|展示|显示|表示|形|状|的|吧|出来|个|一张|张|看看|看|来",
    _I,
)


def _only_chart(message: str) -> bool:
    """Whether nothing is left of a message besides the wish for a chart."""
    left = message
    for pattern in WORDS.values():
        left = pattern.sub(" ", left)
    return not re.search(r"\w", _CHART_WORDS.sub(" ", left))
