"""What a question speaks of, thing by thing: each word with everything a table may call it, so that one thing counts once.

A flat set of terms lets a word with eight translations outweigh one with none, and a generic word look rare in the few
tables of another language. Here the forms of one thing share one document frequency, as structured queries across
languages do.
"""

from __future__ import annotations

import re
from functools import lru_cache

from inquery.language.lexicon import Lexicon, lexicon
from inquery.language.text import STOPWORDS, has_cjk, singular, stem, tokens_of, word_set, words_of
from inquery.language.wording import (
    ASKING,
    BESIDE,
    NAMING,
    SINGLE,
    TRANSLATION,
    Terms,
    chinese_runs,
    chinese_terms,
    from_english,
    merge,
    shortened,
)

KIN = 0.6  # weight of the word that a noun is made from: review of reviewer
FURTHER = 0.25  # how much less each further translation of a word weighs
_MADE_OF = re.compile("(?:er|or|ion|ment|ee)$")
_AGENTS = frozenset("人者员师")
ASKING_STEMS = (ASKING | {stem(word) for word in ASKING}) - {stem(word) for word in NAMING}
ASKING_CHINESE = word_set(
    "列出 显示 展示 给出 给我 找出 找到 查出 查询 查找 查一下 查看 告诉我 请问 请 返回 统计一下 统计 计算 求出 看看 列一下 想知道 "
    "我们 所有 全部 任何 任意 哪些 哪个 哪几 哪位 哪种 哪一 哪家 哪里 哪 什么 多少 几个 几种 几位 几家 几名 几条 几 叫什么 名叫 叫做 "
    "叫 不重复 去重 重复 不同 各自 各个 分别 对应 相应 及其 以及 并且 而且 但是 但 或者 并 还是 排序 排列 排名 从高到低 从低到高 "
    "从大到小 从小到大 从多到少 从早到晚 升序 降序 倒序 字母顺序 字母序 字母 顺序 依次 最多 最少 最大值 最小值 最大 最小 最高 最低 "
    "最长 最短 最早 最晚 最新 超过 大于 小于 高于 低于 等于 不少于 不超过 至少 至多 不止 以上 以下 以内 之间 介于 没有 不是 不含 "
    "包含 含有 含 曾经 过 只有 只 仅 一共 总共 共有 共 其中 它们 他们 她们 这些 那些 该 其 都 也 又 既 就 才 再 曾 已 使 用 按照 按 "
    "根据 依照 对于 对 关于 由 从 到 给 让 比 跟 同 一下 一个 两个 三个 情况 两场 两名 两位 一次 一位 一场 场 次 支 笔 部 门 里 中 "
    "上 下 时 后 前 同时 同样 相同 一样 时候 期间"
)
_LOOSE = frozenset("中按")  # they seldom begin a word where another fits: 学校中专业 is 专业, not 中专
_LONGEST_ASKING = max(map(len, ASKING_CHINESE))


def concepts_in(question: str) -> list[Terms]:
    """The things a question speaks of, in its order, English words first; words that only ask are left out."""
    words = lexicon()
    found = _english_things([token.text for token in tokens_of(question) if not token.cjk], words)
    for run in chinese_runs(question) if has_cjk(question) else ():
        found += _chinese(run, words)
    return [_with_kin(each) for each in found]


def _english_things(spoken: list[str], words: Lexicon) -> list[Terms]:
    """Each English word with the translations and synonyms of every phrase that it is part of.

    A phrase of which each word has its share outweighs one of which only the first has: 中标价 is an award amount, 金额 an
    amount alone. Words that ask are things only as part of a phrase (top up), or where they are no command (returns).
    """
    stems = [stem(word) for word in spoken]
    phrases: dict[int, Terms] = {}
    within = [False] * len(stems)
    for at in range(len(stems)):
        for end in range(at + 1, min(len(stems), at + words.longest_term) + 1):
            if all(word in STOPWORDS or stem(word) in _NEVER_THINGS for word in spoken[at:end]):
                continue
            if (phrase := " ".join(stems[at:end])) in words.chinese:
                terms = from_english_phrase(phrase, words)
                for place in range(at, end):
                    merge(phrases.setdefault(place, {}), terms)
                    within[place] = within[place] or end - at > 1
    found = []
    for at, word in enumerate(spoken):
        weight = 1.0 if word not in ASKING else _noun_weight(spoken, at)
        if word in STOPWORDS or (not weight and not within[at]):
            continue
        thing: Terms = {stems[at]: weight or BESIDE}
        merge(thing, {term: (weight or BESIDE) * w for term, w in phrases.get(at, {}).items()})
        merge(thing, shortened(thing))
        found.append(thing)
    return found


_OBJECTS = frozenset(
    [
        "the",
        "all",
        "me",
        "us",
        "their",
        "its",
        "each",
        "every",
        "only",
        "just",
        "a",
        "an",
        "any",
        "both",
        "for",
        "of",
        "with",
        "by",
        "in",
        "to",
    ]
)


def _noun_weight(spoken: list[str], at: int) -> float:
    """How much an asking word names: "how many returns" does, "return the names" does not."""
    following = spoken[at + 1] if at + 1 < len(spoken) else ""
    command = at == 0 and len(spoken) > 1
    return 0.0 if command or following in _OBJECTS or singular(spoken[at]) not in NOUNS else NOUN


NOUN = 0.5  # of an asking word that may be a thing
NOUNS = word_set("return display list show make start end work need use good data table row column")
"""Asking words that schemas use as names of things."""
_NEVER_THINGS = frozenset(map(stem, word_set("how many much what which who whom whose when where why please")))


def from_english_phrase(phrase: str, words: Lexicon) -> Terms:
    """The Chinese words for one phrase and the English words that share them."""
    return from_english(phrase.split(), words) if phrase in words.chinese else {}


def _chinese(run: str, words: Lexicon) -> list[Terms]:
    """The things a stretch of Chinese names; 评论人 is who does what 评论 means."""
    found: list[Terms] = []
    before = False
    for piece in segments(run, words):
        known = piece in words.english
        if before and piece in _AGENTS:
            found[-1] = _agent(found[-1])
        elif known:
            found += _parted_things(piece, words)
        elif len(piece) > 1:
            found.append(chinese_terms(piece))
        before = known and bool(found)
    return found


def _parted_things(piece: str, words: Lexicon) -> list[Terms]:
    """The things of a compound: its two words where both are known, the last of which may be called by the whole.

    成交额度 is 成交 and 额度, and a transaction amount.
    """
    parts = parted(piece, words)
    things = [each for part in parts if (each := _translated(part, words))]
    if len(parts) > 1 and things:
        whole = _translated(piece, words)
        merge(things[-1], {term: weight for term, weight in whole.items() if all(term not in each for each in things)})
    return things or [each for each in [_translated(piece, words)] if each]


def _agent(thing: Terms) -> Terms:
    """Who does a thing: the reviewer rather than the review."""
    doers = {term + end: weight for term, weight in thing.items() if _is_word(term) for end in ("er", "or")}
    return {term: KIN * weight for term, weight in thing.items()} | doers


def segments(run: str, words: Lexicon) -> list[str]:
    """The lexicon's words in a run, the longest at each place first, and what is between them; asking words are dropped."""
    found: list[str] = []
    at, loose = 0, ""
    while at < len(run):
        piece = word_at(run, at, words)
        if not piece:
            loose, at = loose + run[at], at + 1
            continue
        found += [each for each in (loose, piece) if each and each not in ASKING_CHINESE]
        at, loose = at + len(piece), ""
    return [*found, loose] if loose else found


def word_at(text: str, at: int, words: Lexicon) -> str:
    """The word at a place, of the lexicon or of asking: 列出租户 lists tenants, 统计学生 counts students; else nothing."""
    piece = _longest_at(text, at, words)
    for size in range(len(piece) - 1, 0, -1):
        asking = piece[:size] in (ASKING_CHINESE if size > 1 else _LOOSE)
        if asking and size + len(_longest_at(text, at + size, words)) > len(piece):
            return piece[:size]
    return piece


def _longest_at(text: str, at: int, words: Lexicon) -> str:
    longest = min(len(text) - at, max(words.longest.get(text[at], 0), _LONGEST_ASKING))
    pieces = (text[at : at + size] for size in range(longest, 0, -1))
    return next((piece for piece in pieces if piece in words.english or piece in ASKING_CHINESE), "")


def parted(word: str, words: Lexicon) -> tuple[str, ...]:
    """A compound as its two words where the lexicon knows both: 交易类型 speaks of 交易 and of 类型."""
    for cut in range(len(word) - 2, 1, -1):
        if word[:cut] in words.english and word[cut:] in words.english:
            return word[:cut], word[cut:]
    return (word,)


def _translated(word: str, words: Lexicon) -> Terms:
    """A Chinese word with its translations, the lexicon's first ones first; nothing where all of them only ask."""
    alone = len(word) == 1
    found: Terms = {word: SINGLE} if alone else dict(chinese_terms(word))
    # 退货 is a return, whatever "return" may be in an English question: what asks in Chinese was left out before.
    spoken = [kept for term in words.english[word] if (kept := _telling(term) or _plain(term))]
    for place, parts in enumerate(spoken):
        weight = TRANSLATION / (1 + FURTHER * place) * (0.5 if alone else 1.0)
        merge(found, dict.fromkeys(parts, weight if len(parts) == 1 else 0.75 * weight))
    merge(found, shortened(found))
    return found if spoken else {}


def _telling(term: str) -> list[str]:
    return [word for word in _plain(term) if word not in ASKING_STEMS]


def _plain(term: str) -> list[str]:
    return [stem(word) for word in words_of(term) if word not in STOPWORDS]  # the stem of a note is "not"


def _with_kin(terms: Terms) -> Terms:
    """The terms and the words they are made from."""
    return {base: KIN * weight for term, weight in terms.items() if (base := made_of(term))} | terms


@lru_cache(maxsize=65536)
def made_of(term: str) -> str:
    """The word an English noun is made from, as far as its ending tells: review of reviewer, employ of employment."""
    if len(term) < 6 or not _is_word(term):
        return ""
    base = _MADE_OF.sub("", term)
    return base if 4 <= len(base) < len(term) else ""


def _is_word(term: str) -> bool:
    return len(term) > 3 and term.isascii() and term.isalpha()
