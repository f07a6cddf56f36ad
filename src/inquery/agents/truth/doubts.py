"""Why an answer wants checking, in a person's words: what weighed most against it when it was judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inquery.agents.bilingual import say
from inquery.agents.truth.claims import Breach
from inquery.agents.truth.coverage import Coverage
from inquery.agents.truth.judge import Judge
from inquery.agents.truth.run_evidence import Evidence
from inquery.errors import Text

MOST_TOLD = 2
TELLING = 0.35
"""Nats that features of one kind must take away in all before they are a reason of their own."""
MOST_WORDS = 4
TOLD_ELSEWHERE = frozenset({"multiplied"})
"""What has a warning of its own."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """Features that say the same to a person; `listed` is where the sentence names words of the question or statement."""

    features: frozenset[str]
    told: Text
    listed: Text | None = None


LOST = _Kind(
    frozenset({"lost", "lost_words", "ignored", "values_lost", "period_lost"}),
    Text("a part of the question may be left out", "问题中可能有内容没有体现"),
    Text("nothing in it speaks of {words}", "没有体现{words}"),
)
ADDED = _Kind(
    frozenset({"invented", "unsaid_tables", "unsaid_columns", "unsaid_shown", "unsaid_measured", "unsaid_filtered"}),
    Text("it uses data that the question does not name", "用到了问题中没有提到的数据"),
    Text("it is limited to {words}, which the question does not say", "按{words}做了筛选，而问题中没有提到"),
)
JOINED = _Kind(
    frozenset({"weak_join", "unjoined", "choices", "read", "ranks"}),
    Text("it is not certain how its tables belong together", "所用的表之间如何关联并不确定"),
)
ONE_TABLE = Text("another table may be the one that is meant", "问题所指的也可能是另一张表")
"""The same features of a statement that reads one table, which belongs to no other."""
KINDS: tuple[_Kind, ...] = (
    LOST,
    ADDED,
    JOINED,
    _Kind(
        frozenset({"nothing"}),
        Text("the tables may hold no answer to it", "现有的表中可能没有答案"),
    ),
    _Kind(
        frozenset({"logprob", "least", "forced", "a_word", "again", "words", "verdict"}),
        Text("the model wavered while it wrote the statement", "模型在书写语句时把握不大"),
    ),
    _Kind(
        frozenset({"share", "agreement", "gap", "others", "left_open", "assumptions"}),
        Text("other readings of the question give other results", "换一种理解会得到不同的结果"),
    ),
    _Kind(frozenset({"fan_out"}), Text("rows may be counted more than once", "部分数据可能被重复计算")),
    _Kind(
        frozenset({"empty", "blank", "zero", "repeats", "same_name", "all_equal", "holes", "cut", "star", "wide"}),
        Text("its rows look odd (empty, repeated or all alike)", "结果看起来不寻常（为空、重复或全部相同）"),
    ),
    _Kind(
        frozenset({"tables", "undeclared", "guessed", "cryptic", "crossed", "length", "nested"}),
        Text("questions as long, or databases as hard to read as this one, often go wrong", "这样长的问题或这样难读的数据库容易出错"),
    ),
)  # fmt: skip


def tell_doubts(
    judge: Judge, evidence: Evidence, coverage: Coverage | None, broken: Sequence[Breach], language: str
) -> str:
    """One sentence with the weightiest reasons: what it breaks of the question first, as the rules say it."""
    against = _against(judge, evidence)
    found = [say(language, each.reason.en, each.reason.zh) for each in broken if each.code not in TOLD_ELSEWHERE]
    alone = evidence.get("read", 2) <= 1
    found += [
        say(language, ONE_TABLE.en, ONE_TABLE.zh) if kind is JOINED and alone else _told(kind, coverage, language)
        for kind in sorted(KINDS, key=lambda kind: against[kind.told.en])
        if against[kind.told.en] <= -TELLING
    ]
    none = say(language, "no sign speaks clearly for it", "没有足够的依据表明它是对的")
    reasons = [each.rstrip(".。") for each in found[:MOST_TOLD] or [none]]
    return say(language, f"Please check: {'; '.join(reasons)}.", f"请核对：{'；'.join(reasons)}。")


def _against(judge: Judge, evidence: Evidence) -> Mapping[str, float]:
    """What each kind of features adds to the value, in nats; below nothing speaks against the answer."""
    parts = judge.parts(evidence)
    return {kind.told.en: sum(parts.get(name, 0.0) for name in kind.features) for kind in KINDS}


def _told(kind: _Kind, coverage: Coverage | None, language: str) -> str:
    words: Sequence[str] = ()
    if coverage is not None:
        words = {LOST: coverage.ignored or coverage.unowned, ADDED: coverage.invented}.get(kind, ())
    if not words or kind.listed is None:
        return say(language, kind.told.en, kind.told.zh)
    quoted = [f"“{word}”" for word in words[:MOST_WORDS]]
    return say(
        language,
        kind.listed.en.format(words=", ".join(quoted)),
        kind.listed.zh.format(words="、".join(quoted)),
    )
