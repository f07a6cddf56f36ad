"""Who owns each word of a question: phrases of measures, dimensions, members, periods, numbers and of the table of words.

A question is covered when every word lies in exactly one phrase. Of all covers the one of the fewest, so the longest,
phrases is taken; what no phrase has is left over, and then there is no plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from inquery.catalog.meant_words import flag_name, flag_values, meant_words
from inquery.language.numbers import ORDINAL, YEAR, NumberHit, numbers_in
from inquery.language.periods import Period
from inquery.language.text import Token, has_cjk, name_words, singular, tokens_of, words_of
from inquery.metrics.metric_book import Book, shown_column
from inquery.metrics.propose_members import counts_members
from inquery.metrics.spoken_labels import event_words, flag_words, translated, value_words

LONGEST = 14
"""Tokens of a phrase; a Chinese character is one."""
LONGEST_VALUE = 40
SHORT_CODE = 3
MOST_TITLE_WORDS = 4
_JOB = re.compile(r"title|position|role|job|occupation|designation", re.I)
MOST_SPOKEN = 30
"""Values of a column that are called by other words too; longer lists are names."""
Key = tuple[str, ...]
_KINDS = frozenset("区市省县类")
_SEXES = {"男": ("男", "男性", "male", "men"), "女": ("女", "女性", "female", "women")}
_CHOICE = re.compile(r"\(([^()]*)\)")
_BREAK = re.compile(r"[,，。;；:：?？!！()（）]|\.\s|——")


@dataclass(frozen=True, slots=True)
class Member:
    """A stored value that a phrase may mean."""

    dimension: str
    value: str
    told: bool
    """Whether a person said so in the glossary; otherwise the phrase is the value itself."""


def means_all(members: Sequence[Member]) -> bool:
    """Whether people gave one word to several values of a column, which are meant together: online is web and app."""
    return all(m.told for m in members) and len({m.dimension for m in members}) == 1


@dataclass(slots=True)
class Senses:
    """Everything one phrase may mean."""

    words: set[str] = field(default_factory=set)
    metrics: list[str] = field(default_factory=list)
    dimensions: list[str] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    times: list[str] = field(default_factory=list)
    roles: list[Member] = field(default_factory=list)
    """Members by which the things of the one dimension are narrowed: sales agents are employees with such a title."""


@dataclass(slots=True)
class Phrase:
    """A phrase of the question with what it may mean; `start` and `end` are tokens, `begins` tells a new clause."""

    start: int
    end: int
    text: str
    senses: Senses
    begins: bool = False
    number: NumberHit | None = None
    periods: tuple[Period, ...] = ()
    used: bool = False

    def says(self, *kinds: str) -> bool:
        """Whether the table of words has it under one of the kinds."""
        return not self.senses.words.isdisjoint(kinds)

    def unit(self, prefix: str) -> str:
        """The unit of time of a kind such as unit.month, empty for none."""
        return next((word.removeprefix(prefix) for word in self.senses.words if word.startswith(prefix)), "")


def key_of(text: str) -> Key:
    """A phrase as it is looked up: folded, English words singular."""
    return tuple(map(singular, words_of(text)))  # a single Chinese character has no plural


def stands_in(phrase: Key, text: Key) -> bool:
    """Whether the words of a phrase follow one another in a text."""
    return any(text[at : at + len(phrase)] == phrase for at in range(len(text) - len(phrase) + 1))


def _normal(token: Token) -> str:
    return token.text if token.cjk else singular(token.text)


@cache
def word_kinds() -> Mapping[Key, frozenset[str]]:
    """The table of words by phrase."""
    import yaml

    text = resources.files("inquery.metrics").joinpath("plan_words.yaml").read_text("utf-8")
    table = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    found: dict[Key, set[str]] = {}
    for kind, languages in table.items():
        for phrases in languages.values():
            for line in phrases:
                for phrase in line.split(","):
                    for key in map(key_of, _spelled_out(phrase)):
                        if key:
                            found.setdefault(key, set()).add(kind)
    return {key: frozenset(kinds) for key, kinds in found.items()}


def _spelled_out(phrase: str) -> list[str]:
    """The phrases of `same (day|week) last year`."""
    chosen = _CHOICE.search(phrase)
    if chosen is None:
        return [phrase]
    before, after = phrase[: chosen.start()], phrase[chosen.end() :]
    return [whole for word in chosen[1].split("|") for whole in _spelled_out(f"{before}{word}{after}")]


class Vocabulary:
    """Every phrase that means something in one database."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.phrases: dict[Key, Senses] = {}
        self._members: set[tuple[Key, Member]] = set()
        for key, kinds in word_kinds().items():
            self._at(key).words |= kinds
        self._add_metrics()
        self._add_dimensions()
        self._add_times()
        self._add_members()
        self._members.clear()
        if not book.glossary.metrics:
            self._add_last_words()
            self._add_roles()

    def _at(self, key: Key) -> Senses:
        return self.phrases.setdefault(key, Senses())

    def _add(self, text: str, kind: str, name: str) -> None:
        key = key_of(text)
        if key and len(key) <= LONGEST:
            names: list[str] = getattr(self._at(key), kind)
            # What has one name is added together: among 5,000 tables that have an amount each search took 3 s in all.
            if names[-1:] != [name]:
                names.append(name)

    def _add_metrics(self) -> None:
        for name, metric in self.book.metrics.items():
            if counts_members(metric):
                continue
            kinds = self._kinds_in(metric.entity) if metric.status == "proposed" else ()
            for word in (name.replace("_", " "), metric.label.en, metric.label.zh, *metric.synonyms):
                # 销售实收 of a ledger that has 销售 and 退货 is 实收 of the one kind.
                if not any(word.startswith(kind) and word != kind for kind in kinds):
                    self._add(word, "metrics", name)

    def _kinds_in(self, table: str) -> tuple[str, ...]:
        """The Chinese kinds of a table's rows."""
        found = self.book.kinds_of_rows.get(table, ())
        return tuple(value for value in found if has_cjk(value) and len(value) > 1)

    def _add_dimensions(self) -> None:
        for name, dimension in self.book.dimensions.items():
            for word in dimension.words:
                self._add(word, "dimensions", name)

    def _add_last_words(self) -> None:
        """Channels, 渠道 of the one table that is called sales_channels: the last word, where nothing else has it."""
        found: dict[Key, set[str]] = {}
        for name, dimension in self.book.dimensions.items():
            words = dimension.label.en.split()
            if dimension.is_entity and len(words) == 2 and len(words[1]) > 3:
                for word in (words[1], *translated(words[1])):
                    found.setdefault(key_of(word), set()).add(name)
        for key, names in found.items():
            known = self.phrases.get(key)
            taken = known is not None and (known.metrics or known.members or known.words)
            if len(names) != 1 or taken:
                continue
            name = next(iter(names))
            others = known.dimensions if known is not None else []
            # ticket_status has a state: which of the two a status is, nobody can say.
            if all(other.startswith(f"{name}.") for other in others):
                self._at(key).dimensions.append(name)

    def _add_times(self) -> None:
        """The date columns by what they are called, so that `by signing date` chooses one."""
        from inquery.catalog.time_columns import time_columns

        for table in self.book.catalog.tables:
            for column in time_columns(table):
                for word in self.book.column_words(table, column.name):
                    if len(key_of(word)) > 1:
                        self._add(word, "times", f"{table.full_name}.{column.name}")
                known = table.column(column.name)
                for word in event_words(table, known) if known and not self.book.glossary.metrics else ():
                    self._add(word, "times", f"{table.full_name}.{column.name}")

    def _add_members(self) -> None:
        shown: dict[tuple[str, str], str] = {}
        for name, dimension in self.book.dimensions.items():
            home = self.book.catalog.by_name[dimension.table]
            if dimension.is_entity:
                for language in ("en", "zh"):
                    shows = shown_column(home, language)
                    if shows:
                        shown[dimension.table, shows] = f"{dimension.table}.{shows}"
            else:
                shown[dimension.table, dimension.column] = name
        plain = not self.book.glossary.metrics
        for place, name in shown.items():
            values = self.book.values.get(place, ())
            own = {singular(word) for word in name_words(place[0])} if plain else set()
            for value in values:
                if len(value) <= SHORT_CODE and key_of(value) in word_kinds():
                    continue  # BY is Bavaria, and `by` is not
                if value.casefold() in own:
                    continue  # the maintenance of asset_maintenances is all of it, and no kind of it
                if 1 < len(value) <= LONGEST_VALUE and not value.isdigit():
                    self._member(value, Member(name, value, told=False))
                    for word in value_words(value) if plain and len(values) <= MOST_SPOKEN else ():
                        self._member(word, Member(name, value, told=False))
        for meant in meant_words(self.book.catalog) if plain else ():
            if meant.flag:
                continue
            for word in _SEXES.get(meant.word, ()):
                self._member(word, Member(f"{meant.place[0]}.{meant.place[1]}", meant.value, told=True))
            bare = re.sub(r"^已经?", "", meant.word)
            for word in dict.fromkeys((meant.word, bare)):
                if len(word) <= 3 and len(key_of(word)) < 2:
                    continue
                self._member(word, Member(f"{meant.place[0]}.{meant.place[1]}", meant.value, told=True))
        for table in self.book.catalog.tables:
            for column in table.columns:
                yes = (flag_values(column) or ("1", "0"))[0]
                for word in flag_words(table, column):
                    self._member(word, Member(f"{table.full_name}.{column.name}", yes, told=True))
                pair = flag_values(column) if plain and has_cjk(named := flag_name(column)) and len(named) > 1 else None
                if pair is not None and "删" not in named:
                    self._member(named, Member(f"{table.full_name}.{column.name}", pair[0], told=True))
        for said, mapped in self.book.glossary.values.items():
            owner, _, named = said.rpartition(".")
            name = shown.get((owner, named), said) if owner in self.book.catalog.by_name else ""
            for value, phrases in mapped.items() if name else ():
                for phrase in phrases:
                    self._member(phrase, Member(name, value, told=True))

    def _add_roles(self) -> None:
        """Sales agents, of employees with the title Sales Support Agent: people are asked for by what they do."""
        named: dict[Key, list[Member]] = {}
        for dimension in self.book.dimensions.values():
            if dimension.is_entity or not _JOB.search(dimension.column):
                continue
            if self.book.dimensions.get(dimension.table, dimension).is_entity:
                for value in self.book.values.get((dimension.table, dimension.column), ()):
                    for key in _role_keys(value):
                        named.setdefault(key, []).append(Member(dimension.name, value, told=False))
        for key, members in named.items():
            known = self.phrases.get(key)
            if len(members) == 1 and (
                known is None or not (known.metrics or known.dimensions or known.members or known.words)
            ):
                senses = self._at(key)
                senses.dimensions.append(self.book.dimension(members[0].dimension).table)
                senses.roles.append(members[0])

    def _member(self, text: str, member: Member) -> None:
        self._add_member(text, member)
        # 华东区, 上海市, 广东省: the kind of thing is often said right behind its name.
        known = self.book.dimensions.get(member.dimension)
        if known is not None and has_cjk(text) and len(text) > 1 and text[-1] not in _KINDS:
            for kind in _KINDS & {letter for word in known.words if has_cjk(word) for letter in word}:
                self._add_member(text + kind, member)

    def _add_member(self, text: str, member: Member) -> None:
        key = key_of(text)
        # Not looked for in the list: among 5,000 tables with a status each that took 18 s.
        if key and len(key) <= LONGEST and (key, member) not in self._members:
            self._members.add((key, member))
            self._at(key).members.append(member)


def _role_keys(title: str) -> Iterable[Key]:
    """Sales agent and agent, of Sales Support Agent: its last word with any that stand before it, in their order."""
    words = key_of(title)
    if has_cjk(title) or not 1 < len(words) <= MOST_TITLE_WORDS:
        return [words] if not has_cjk(title) else []
    before = words[:-1]
    chosen = (tuple(w for at, w in enumerate(before) if bits >> at & 1) for bits in range(2 ** len(before)))
    return {(*each, words[-1]) for each in chosen}


def cover(question: str, vocabulary: Vocabulary, periods: Sequence[Period]) -> tuple[list[Phrase], list[str]]:
    """The phrases that own the question's words, and the words that nobody owns."""
    tokens = tokens_of(question)
    size = len(tokens)
    starting: list[list[Phrase]] = [[] for _ in range(size)]
    blocked = [False] * size
    keys = [_normal(token) for token in tokens]
    for phrase in _timed(tokens, question, periods):
        if _is_within_a_name(phrase, keys, vocabulary):
            continue
        starting[phrase.start].append(phrase)
        blocked[phrase.start : phrase.end] = [True] * (phrase.end - phrase.start)
    clauses = _clauses(question, tokens)
    for start in range(size):
        for end in range(start + 1, min(size, start + LONGEST) + 1):
            if any(blocked[start:end]) or clauses[end - 1] != clauses[start]:
                break
            senses = vocabulary.phrases.get(tuple(keys[start:end])) or _without_de(keys[start:end], vocabulary)
            if senses is not None:
                starting[start].append(Phrase(start, end, _text(question, tokens, start, end), senses))
    for phrase in _counted(tokens, question):
        if not any(blocked[phrase.start : phrase.end]):
            starting[phrase.start].append(phrase)
    found, left_over = _fewest(starting, tokens)
    for phrase in found:
        phrase.begins = phrase.start > 0 and clauses[phrase.start] != clauses[phrase.start - 1]
    return found, left_over


def _without_de(keys: Sequence[str], vocabulary: Vocabulary) -> Senses | None:
    """新注册的客户数 for 新注册客户数: a measure in whose name people say 的."""
    if "的" not in keys[1:-1]:
        return None
    senses = vocabulary.phrases.get(tuple(key for key in keys if key != "的"))
    return Senses(metrics=senses.metrics) if senses is not None and senses.metrics else None


def _is_within_a_name(phrase: Phrase, keys: Sequence[str], vocabulary: Vocabulary) -> bool:
    """The 2025 of the promotion 双十一大促 2025: a stored value that covers the words of a period, and more, is meant."""
    for start in range(max(0, phrase.end - LONGEST), phrase.start + 1):
        for end in range(phrase.end, min(len(keys), start + LONGEST) + 1):
            if end - start > phrase.end - phrase.start:
                senses = vocabulary.phrases.get(tuple(keys[start:end]))
                if senses is not None and any(not member.told for member in senses.members):
                    return True
    return False


def _clauses(question: str, tokens: Sequence[Token]) -> list[int]:
    """The clause of each token: `last month's orders, cancelled ones left out` does not speak of orders cancelled."""
    found, number = [], 0
    for at, token in enumerate(tokens):
        if at and _BREAK.search(question[tokens[at - 1].end : token.start]):
            number += 1
        found.append(number)
    return found


def _fewest(starting: list[list[Phrase]], tokens: Sequence[Token]) -> tuple[list[Phrase], list[str]]:
    """The cover with the fewest words left over, then the fewest phrases; read from the end."""
    size = len(tokens)
    best: list[tuple[int, int, int, Phrase | None]] = [(0, 0, 0, None)] * (size + 1)
    for start in range(size - 1, -1, -1):
        left, count, weight, _ = best[start + 1]
        choice: tuple[int, int, int, Phrase | None] = (left + 1, count + 1, weight, None)
        # The longer of two that leave the same behind: 取消订单 is a measure before it is 取消 and 订单. Of covers with as
        # many phrases the one with the longer names: the | average order value, not the average | order value.
        for phrase in sorted(starting[start], key=lambda each: -each.end):
            left, count, weight, _ = best[phrase.end]
            names = phrase.senses.metrics or phrase.senses.dimensions or phrase.senses.members
            weight -= (phrase.end - phrase.start) ** 2 if names else 0
            if (left, count + 1, weight) < choice[:3]:
                choice = (left, count + 1, weight, phrase)
        best[start] = choice
    found: list[Phrase] = []
    left_over: list[str] = []
    at = 0
    while at < size:
        taken = best[at][3]
        if taken is None:
            left_over.append(tokens[at].text)
            at += 1
        else:
            found.append(taken)
            at = taken.end
    return found, left_over


def _timed(tokens: Sequence[Token], question: str, periods: Sequence[Period]) -> Iterable[Phrase]:
    """One phrase a span of text that names a time; a comparison may give two periods for one."""
    spans: dict[tuple[int, int], list[Period]] = {}
    for period in periods:
        spans.setdefault(period.span, []).append(period)
    for (first, last), found in spans.items():
        inside = [number for number, token in enumerate(tokens) if token.start >= first and token.end <= last]
        if inside:
            start, end = inside[0], inside[-1] + 1
            yield Phrase(start, end, _text(question, tokens, start, end), Senses(), periods=tuple(found))


def _counted(tokens: Sequence[Token], question: str) -> Iterable[Phrase]:
    for hit in numbers_in(question):
        if hit.kind in (ORDINAL, YEAR):
            continue
        inside = [n for n, token in enumerate(tokens) if token.start >= hit.start and token.start < hit.end]
        if inside:
            start, end = inside[0], inside[-1] + 1
            yield Phrase(start, end, _text(question, tokens, start, end), Senses(), number=hit)


def _text(question: str, tokens: Sequence[Token], start: int, end: int) -> str:
    return question[tokens[start].start : tokens[end - 1].end]
