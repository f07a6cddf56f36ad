"""What each step of a run does, in the words every door shows."""

from __future__ import annotations

from inquery.agents.bilingual import say

STEPS = {
    "queue": ("waiting for a turn", "排队等待"),
    "begin_turn": ("reading the question", "读取问题"),
    "load_profile": ("opening the database", "打开数据库"),
    "route_intent": ("reading the question", "理解意图"),
    "rewrite_followup": ("reading the question", "理解追问"),
    "check_cache": ("looking for an earlier answer", "查找已有答案"),
    "link_schema": ("finding tables", "查找相关表"),
    "detect_ambiguity": ("reading the question", "检查歧义"),
    "write_sql": ("writing SQL", "编写 SQL"),
    "check_sql": ("checking SQL", "检查 SQL"),
    "run_sql": ("running SQL", "执行 SQL"),
    "recover": ("repairing", "修复"),
    "analyse": ("explaining", "解读结果"),
    "draw_chart": ("drawing", "绘图"),
    "recommend": ("thinking of what to ask next", "推荐问题"),
}


def step_words(name: str, language: str) -> str:
    """What a step does, in a language."""
    return say(language, *STEPS.get(name, ("working", "处理中")))
