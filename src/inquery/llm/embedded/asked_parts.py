"""The parts line of the prompt: what a question asks for, each part with the table or column that its words name.

Words are taken for a name only where they are all of it: a part in the question's own words is better than one that names the
wrong column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inquery.form.name_words import NameMap
from inquery.language.concepts import word_at
from inquery.language.lexicon import lexicon, stem_term
from inquery.language.parts import Part, parts_in
from inquery.language.periods import Period
from inquery.language.text import has_cjk, name_stems, stem, tokens_of
from inquery.sql.catalog import Column, Table

MOST = 10
ALIKE = 2
"""Columns of one name that are listed; of more the name tells nothing."""
LONGEST = 4
"""Words of a name that is looked for."""
MEANT = 3
"""Translations of a word that are tried, likeliest first."""
_CUT = re.compile(r"[/|;:；：，,。（(\s]")

Stems = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of the question that are the whole name of something shown."""

    start: int
    end: int
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        """As the line has it."""
        return "|".join(self.names)

    @property
    def is_column(self) -> bool:
        """Whether it is a column rather than a table."""
        return "." in self.names[0]


class Names:
    """What tables and columns are called, by the stems of their names and by their Chinese words."""

    def __init__(self, tables: Sequence[Table], names: NameMap) -> None:
        self.by_stems: dict[Stems, list[str]] = {}
        self.by_word: dict[str, list[str]] = {}
        by_path = {table.path: name for name, table in names.tables.items()}
        for table in tables:
            name = by_path[table.path]
            word = names.table_words[name]
            own = self._add(word, table.name, word, table.comment)
            for column in table.columns:
                spelled = names.column_words[name][column.name]
                for stems in self._add(
                    f"{word}.{spelled}", column.name, spelled, column.comment, _is_key(table, column)
                ):
                    # "customer name" is the name of customers, however many things have names.
                    for entity in own:
                        self._put(self.by_stems, (*entity[-1:], *stems), f"{word}.{spelled}")

    def _add(self, shown: str, name: str, spelled: str, comment: str, key: bool = False) -> set[Stems]:
        """Everything one thing is called; a key is called by its comment alone, since its name is that of its table."""
        said = {tuple(name_stems(each)) for each in (name, spelled) if not has_cjk(each)} - {()}
        for stems in () if key else said:
            self._put(self.by_stems, stems, shown)
        for word in {name if has_cjk(name) else "", _CUT.split(comment)[0] if has_cjk(comment) else ""}:
            if 2 <= len(word) <= 8:
                self._put(self.by_word, word, shown)
        return set() if key else said

    @staticmethod
    def _put(into: dict, key: object, shown: str) -> None:  # type: ignore[type-arg]
        if shown not in into.setdefault(key, []):
            into[key].append(shown)

    def in_english(self, question: str) -> Iterator[Mention]:
        """Names said in English, the longest at each place."""
        tokens = [token for token in tokens_of(question) if not token.cjk]
        stems = [stem(token.text) for token in tokens]
        at = 0
        while at < len(stems):
            size = 1
            for n in range(min(LONGEST, len(stems) - at), 0, -1):
                found = self.by_stems.get(tuple(stems[at : at + n]), [])
                if found and len(found) <= ALIKE:
                    yield Mention(tokens[at].start, tokens[at + n - 1].end, tuple(found))
                if found:
                    size = n
                    break
            at += size

    def in_chinese(self, question: str) -> Iterator[Mention]:
        """Names said in Chinese: as they stand in names and comments, or by the lexicon, in one word or two."""
        words, at = lexicon(), 0
        while at < len(question):
            size, found = self._stored_word(question, at)
            if not found:
                first = word_at(question, at, words)
                second = word_at(question, at + len(first), words) if first and at + len(first) < len(question) else ""
                size, found = self._translated(first, second)
                if not found and len(first) > 2:
                    size = 2  # 平均金额 is a word that no column has, and 金额 one that some has
            if found and len(found) <= ALIKE:
                yield Mention(at, at + size, tuple(found))
            at += size or 1

    def _stored_word(self, question: str, at: int) -> tuple[int, list[str]]:
        for size in range(min(8, len(question) - at), 1, -1):
            if found := self.by_word.get(question[at : at + size]):
                return size, found
        return 0, []

    def _translated(self, first: str, second: str) -> tuple[int, list[str]]:
        """What two words, or the first of them alone, are in English, where that is a whole name."""
        english = lexicon().english
        one = [tuple(stem_term(term).split()) for term in english.get(first, ())[:MEANT]]
        two = [tuple(stem_term(term).split()) for term in english.get(second, ())[:MEANT]]
        for head in one:
            for tail in two:
                if found := self.by_stems.get((*head, *tail)):
                    return len(first) + len(second), found
        return len(first), next((found for head in one if (found := self.by_stems.get(head))), [])


def _is_key(table: Table, column: Column) -> bool:
    return column.primary_key or any(column.name in key.columns for key in table.foreign_keys)


def asked_parts(
    question: str, tables: Sequence[Table], names: NameMap, periods: Sequence[Period], language: str
) -> tuple[str, ...]:
    """The parts of a question in its order: what is asked of what, columns it names besides, and its periods."""
    known = Names(tables, names)
    mentions = [*(known.in_chinese(question) if has_cjk(question) else ()), *known.in_english(question)]
    told: list[tuple[int, str]] = [(period.span[0], f"in t{at}") for at, period in enumerate(periods)]
    used: set[int] = set()
    for part in parts_in(question):
        if any(start <= part.start < end for start, end in (period.span for period in periods)):
            continue
        place = _mentioned(part, mentions, question)
        used |= set() if place is None else {place}
        words = part.words if place is None else mentions[place].text
        told.append((part.start, " ".join(filter(None, (part.kind, part.number, words)))))
    told += [(m.start, m.text) for at, m in enumerate(mentions) if at not in used and m.is_column]
    return tuple(dict.fromkeys(text for _, text in sorted(told, key=lambda pair: pair[0])))[:MOST]


def _mentioned(part: Part, mentions: Sequence[Mention], question: str) -> int | None:
    """The name that a part is about: the one its words stand in, or that has the word a number belongs to."""
    for at, mention in enumerate(mentions):
        if part.number:
            if part.words and part.words in question[mention.start : mention.end]:
                return at
        elif mention.start < part.end and part.start < mention.end:
            return at
    return None
