"""The tables of a catalogue by what they store and by what their key is called, for whoever holds a column's name against them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeVar

from rapidfuzz import fuzz

from inquery.catalog.key_names import (
    AFFIXES,
    GAZETTEERS,
    KEY_WORDS,
    ROLES,
    STAFF,
    TABLE_SUFFIXES,
    USERS,
    common_prefix,
    double_prefixes,
    entity_of,
    is_archive,
    joinable,
    primary_key,
    refers_to,
    same_word,
)
from inquery.language.abbreviations import ABBREVIATIONS
from inquery.language.foreign_names import IN_ENGLISH
from inquery.language.text import fold, has_cjk, name_words, singular, word_set
from inquery.sql import Catalog, Column, Table
from inquery.sql.dialects import DIALECTS

T = TypeVar("T")
CROWD = 30
"""Tables beyond which a name means none of them. Of 5,000 tables each column was held against hundreds of one name: 28 s."""
FAMILY = 3  # so many tables with one first word are a family, and their members speak of each other without it
NEARLY, ALIKE = 5, 80  # letters that begin both words, and how far the wholes have to agree, in per cent
OPENING = 3
"""Letters of a table's name by which another table's name speaks of it: ves_log of vessels."""
FEW = 60
"""Tables among which a key of one or two letters can mean something."""
LETTERS = (2, 3, 4)
"""How many letters before all tables' names may be no word of them."""
PASSWORDS = word_set("password passwd pwd passcode mima 密码")
LOGINS = word_set("login user username userid account email logon 用户名 账号 登录名")
GLUED = 7
"""Letters of a key's name from which on a longer name that ends so speaks of it, though nothing parts the words."""
USER_GLUED = re.compile("(?:app|sys|auth|admin|account|web|my|core|system|base|t)user")
OWN_WORDS = 0.93
"""How sure a name is of the table that its own table is called after: product_id of share_product_charge."""
WEAK = 0.4
"""A guess of this much is an edge only where data proves it."""


class Guess(NamedTuple):
    """A possible parent of a column; `weak` where the name alone is not enough."""

    confidence: float
    table: Table
    column: Column
    reason: str
    weak: bool = False
    condition: tuple[str, str] | None = None


class Names:
    """Tables of a catalogue by the entity they store and by the name of their key."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        common = common_prefix([table.name for table in catalog.tables])
        parts = double_prefixes([table.name for table in catalog.tables])
        self.entity = {
            table.path: entity_of(table.name, common, parts.get("".join(name_words(table.name)[:1]), ()))
            for table in catalog.tables
        }
        self.key = {table.path: primary_key(table) for table in catalog.tables}
        self._forms: dict[tuple[str, ...], list[str]] = {}
        self._codes: dict[tuple[str, ...], list[tuple[tuple[str, ...], Column]]] = {}
        self.begun_by = Counter(words[:end] for words in self.entity.values() for end in range(1, len(words)))
        firsts = Counter(words[0] for words in self.entity.values() if len(words) > 1)
        self.family = {path: words[0] for path, words in self.entity.items() if firsts[words[0]] >= FAMILY}
        self.by_last: dict[str, list[Table]] = defaultdict(list)
        self.by_key: dict[str, list[Table]] = defaultdict(list)
        self.by_bare_key: dict[str, list[Table]] = defaultdict(list)
        self.by_key_stem: dict[str, list[Table]] = defaultdict(list)
        self.by_initial: dict[str, set[str]] = defaultdict(set)
        self.by_entity: dict[tuple[str, ...], list[Table]] = defaultdict(list)
        self.by_form: dict[str, list[tuple[int, Table]]] = defaultdict(list)
        self.by_full: dict[str, list[Table]] = defaultdict(list)
        self.by_words: dict[frozenset[str], list[Table]] = defaultdict(list)
        self.by_english: dict[str, list[Table]] = defaultdict(list)
        self.by_initials: dict[str, list[Table]] = defaultdict(list)
        marked = {bare_name(c.name) for table in catalog.tables for c in table.columns if is_marked(c.name)}
        self.by_opening: dict[str, list[str]] = defaultdict(list)
        self.identifiers: dict[str, list[tuple[Table, Column]]] = defaultdict(list)
        for table in catalog.tables:
            last = self.entity[table.path][-1] if self.entity[table.path] else ""
            self.by_last[last].append(table)
            self.by_initial[last[:2]].add(last)
            self.by_entity[self.entity[table.path]].append(table)
            for meant in english(self.entity[table.path]) if not is_archive(table.name) else ():
                if meant != self.entity[table.path]:
                    self.by_english["".join(meant)].append(table)
            self.by_words[frozenset(self.entity[table.path])].append(table)
            self.by_initials["".join(word[:1] for word in self.entity[table.path])].append(table)
            for loose, form in enumerate(self.forms(table)):
                self.by_form[form].append((loose, table))
            if full := full_form(table, self.entity[table.path]):
                self.by_full[full].append(table)
            if len(self.key[table.path]) == 1:
                if stem := key_stem(self.key[table.path][0].name):
                    self.by_key_stem[stem].append(table)
                self.by_key[fold(self.key[table.path][0].name)].append(table)
                if not is_marked(self.key[table.path][0].name):
                    self.by_bare_key[bare_name(self.key[table.path][0].name)].append(table)
            for place, column in enumerate(table.columns):
                if place == 0 or is_key_name(column.name) or bare_name(column.name) in marked:
                    self.identifiers[bare_name(column.name)].append((table, column))
        for form, found in self.by_form.items():
            self.by_opening[form[:OPENING]].append(form)
            if len(found) > CROWD:
                self.by_form[form] = few_of([(loose, table) for loose, table in found if not loose])
        self.behind_letters = behind_letters(self.entity, catalog)
        self.glued = {bare: found for bare, found in self.by_bare_key.items() if len(bare) >= GLUED}
        self._begun: dict[str, list[str]] = {}
        self.staff = [table for table in catalog.tables if self.is_people(table, STAFF)]
        self.staff = self.staff or by_logins(catalog, self.key, self.entity)
        self.users = plainest([table for table in self.staff if self.is_user(table)], self.entity)
        self.workers = [table for table in self.staff if table not in self.users]
        self.people = [table for table in catalog.tables if self.is_people(table, ROLES)]
        self.gazetteers = [t for t in catalog.tables if self.forms(t)[-1] in GAZETTEERS and len(self.key[t.path]) == 1]

    def called(self, entity: tuple[str, ...]) -> list[Table]:
        """Tables that an entity may mean; where a word is everywhere, only those named wholly by it."""
        found: list[Table] = []
        spelt = {word for word in ABBREVIATIONS.get(entity[-1], "").split() if word in self.by_last}
        begun = {word for word in self.by_initial.get(entity[-1][:2], ()) if same_word(entity[-1], word)}
        for word in sorted(spelt | begun):
            crowd = self.by_last[word]
            found += crowd if len(crowd) <= CROWD else few_of(self.by_entity.get((*entity[:-1], word), []))
        return found

    def forms(self, table: Table) -> list[str]:
        """What a table may be called, written as one word: wholly, without c_ and _hdr, without its family's first word."""
        if table.path not in self._forms:
            words = tuple(dict.fromkeys(self.entity[table.path]))
            found = self.whole_forms(table)
            if self.family.get(table.path) == words[0] and len(words) > 1:
                found.append("".join(without_affixes(words[1:])))
            self._forms[table.path] = list(dict.fromkeys(found))
        return self._forms[table.path]

    def whole_forms(self, table: Table) -> list[str]:
        """The same, with its family's first word."""
        words = tuple(dict.fromkeys(self.entity[table.path]))
        return ["".join(words), "".join(without_affixes(words))]

    def codes_of(self, table: Table) -> list[tuple[tuple[str, ...], Column]]:
        """Columns beside the key that are codes or numbers of what the table stores, each with the words that say so."""
        if table.path not in self._codes:
            own = {"", *self.forms(table)}
            split = [(column, name_words(column.name)) for column in table.columns]
            self._codes[table.path] = [
                (codes, column)
                for column, words in split
                if (codes := tuple(word for word in words if word in KEY_WORDS))
                and column not in self.key[table.path]
                and "".join(singular(word) for word in words if word not in KEY_WORDS) in own
            ]
        return self._codes[table.path]

    def called_exactly(self, form: str) -> list[tuple[bool, Table]]:
        """The tables of a form, those that are wholly called so before all others; and whether only their family is left out."""
        found = self.by_form.get(form) or [(0, table) for table in self.by_full.get(form, ())]
        least = min((loose for loose, _ in found), default=0)
        return [
            (form not in (*self.whole_forms(table), full_form(table, self.entity[table.path])), table)
            for loose, table in found
            if loose == least
        ]

    def spelt_nearly(self, word: str) -> list[str]:
        """Names of tables that differ from a word in their last letters, as those of another language do: project, projekt."""
        begun = self.forms_from(word[:NEARLY]) if len(word) > NEARLY else []
        return [form for form in begun if fuzz.ratio(form, word) >= ALIKE]

    def forms_from(self, opening: str) -> list[str]:
        """The names of tables, as one word, that begin with some letters."""
        if opening not in self._begun:
            near = self.by_opening.get(opening[:OPENING], ()) if len(opening) >= OPENING else self.by_form
            self._begun[opening] = [form for form in near if form.startswith(opening)]
        return self._begun[opening]

    def is_people(self, table: Table, words: frozenset[str]) -> bool:
        """Whether a table lists people who do the work, by the words that say so."""
        said = without_affixes(self.entity[table.path])
        if len(self.key[table.path]) != 1 or is_archive(table.name) or len(said) > 2:
            return False
        if len(said) > 1 and said[-1] in {"user", "staff", "emp", "employee"}:
            return said[-1] in words  # admin_users, support_staff, hr_emp
        if USER_GLUED.fullmatch(said[-1]) and len(said) == 1:
            return "user" in words  # appuser
        return self.forms(table)[-1] in words or (said[0] in words and said[-1] == "member")

    def is_user(self, table: Table) -> bool:
        """Whether a table lists those who use the system, who are the ones that did what its rows tell of."""
        return self.forms(table)[-1] in USERS or self.entity[table.path][-1].endswith("user") or holds_logins(table)


def full_form(table: Table, entity: tuple[str, ...]) -> str:
    """A table's name as one word with its last words that say little, where it has such: import_records; else nothing."""
    words = [singular(word) for word in name_words(table.name) if not word.isdigit()]
    left_out = len(words) - len(entity)
    ending = words[len(words) - left_out :] if left_out > 0 and words[-1:] != [entity[-1]] else []
    while ending and ending[0] not in TABLE_SUFFIXES:
        ending.pop(0)
    return "".join((*entity, *ending)) if ending else ""


def behind_letters(entity: Mapping[tuple[str, ...], tuple[str, ...]], catalog: Catalog) -> dict[str, list[Table]]:
    """Tables by what they are called behind a few letters that several begin with: aqbasket, aqinvoice as basket, invoice.

    Such letters are no word's beginning by chance where columns speak of what stands behind them.
    """
    spoken = {"".join(told.entity) for t in catalog.tables for c in t.columns if (told := refers_to(c.name))}
    wholes = {path: "".join(words) for path, words in entity.items() if words[0].isascii()}
    seen: dict[str, set[str]] = defaultdict(set)
    for whole in set(wholes.values()):
        for end in LETTERS:
            if whole[end:] in spoken and len(whole) - end >= OPENING:
                seen[whole[:end]].add(whole[end:])
    found: dict[str, list[Table]] = defaultdict(list)
    for path, whole in wholes.items():
        for end in LETTERS:
            if len(seen.get(whole[:end], ())) >= FAMILY:
                found[whole[end:]].append(catalog.by_path[path])
    return found


def holds_logins(table: Table) -> bool:
    """Whether a table keeps by what name and password somebody logs in."""
    said = [frozenset(name_words(column.name)) for column in table.columns]
    return any(words & PASSWORDS for words in said) and any(words & LOGINS for words in said)


def by_logins(
    catalog: Catalog,
    key: Mapping[tuple[str, ...], tuple[Column, ...]],
    entity: Mapping[tuple[str, ...], tuple[str, ...]],
) -> list[Table]:
    """The one table of those who log in, whatever it is called, where none is called after people."""
    found = [t for t in catalog.tables if len(key[t.path]) == 1 and holds_logins(t) and not is_archive(t.name)]
    least = min(("".join(entity[t.path]) for t in found), key=len, default="")
    alike = all(least in "".join(entity[t.path]) for t in found)  # deletedborrowers beside borrowers
    return [t for t in found if "".join(entity[t.path]) == least] if alike else []


def plainest(found: list[Table], entity: Mapping[tuple[str, ...], tuple[str, ...]]) -> list[Table]:
    """Of several tables of users the one that is called so and nothing more: user beside oauth_user, user_info."""
    plain = [t for t in found if len(entity[t.path]) == 1 and not full_form(t, entity[t.path])]
    return plain if len(plain) == 1 else found


def english(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """What words of European languages say in English, each way; themselves where they are English."""
    ways: list[tuple[str, ...]] = [()]
    for word in words:
        meant = IN_ENGLISH.get(word, (word,))
        ways = [(*way, *each.split()) for way in ways for each in meant][:FAMILY]
    return ways


def few_of(found: list[T]) -> list[T]:
    """What a name may mean, and nothing where it would mean a crowd."""
    return found if len(found) <= CROWD else []


def without_affixes(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a table's name but those that say what kind of table it is."""
    start, end = 0, len(words)
    while end - start > 1 and (words[start] in AFFIXES or len(words[start]) == 1):
        start += 1
    while end - start > 1 and words[end - 1] in AFFIXES:
        end -= 1
    return words[start:end]


def typed(names: Names, column: Column, found: Guess) -> Iterator[Guess]:
    """The guess if the types allow it; engines that compare any types are often declared sloppily."""
    if joinable(column, found.column):
        yield found
    elif (
        found.confidence >= 0.85 and DIALECTS[names.catalog.dialect].compares_any_types and _only_choice(found, column)
    ):
        yield found._replace(confidence=0.5, reason=found.reason + ", though the types differ")


def _only_choice(found: Guess, column: Column) -> bool:
    """Whether the other table has no further column that would be meant: of the reference's own name, or its `code`."""
    ending = (name_words(column.name) or ("",))[-1]
    return all(found.table.column(name) in (None, found.column) for name in (column.name, ending))


def opens(names: Names, other: Table, table: Table) -> bool:
    """Whether a table is called as another and more, so that what both have is of that one: employee_pay of employee."""
    whole, first = ("".join(names.entity[each.path]) for each in (table, other))
    return len(first) >= NEARLY and whole != first and whole.startswith(first)


def is_copy(other: Table, table: Table) -> bool:
    """Whether a table keeps old copies of rows: a live table's key means the live one."""
    return is_archive(other.name) and not is_archive(table.name)


def is_marked(column: str) -> bool:
    """Whether a name begins by saying that it refers: fk_user. Such a key is itself a reference, and nobody's home."""
    return name_words(column)[:1] == ("fk",)


def is_key_name(column: str) -> bool:
    """Whether a column is named as an id, code or number of something."""
    return refers_to(column) is not None or fold(column).endswith(("id", "编号", "代码", "bh", "dm"))


def bare_name(column: str) -> str:
    """A column's name without marks of a key before it and without how its words are joined."""
    words = name_words(column)
    return "".join(words[1:] if len(words) > 1 and words[0] == "fk" else words)


def key_stem(column: str) -> str:
    """What a key is called without the marks of one: cust of cust_id and custId; nothing for `id`."""
    if has_cjk(column):
        return ""
    words = [word for word in name_words(column) if word not in KEY_WORDS]
    glued = re.fullmatch(r"([a-z]{2,})(?:id|no|nr|code|key|cd)", words[0]) if len(words) == 1 else None
    return glued.group(1) if glued else "".join(words)


def is_own_key(names: Names, table: Table, column: Column) -> bool:
    """Whether the column alone is the key of its table."""
    return len(names.key[table.path]) == 1 and names.key[table.path][0].name == column.name


def names_entity(names: Names, column: Column, table: Table) -> bool:
    """Whether a key's name speaks of what the table stores."""
    reference = refers_to(column.name)
    if reference is None:
        return False
    stored = names.entity[table.path]
    return reference.chinese == stored[-1] if reference.chinese else same_word(reference.entity[-1], stored[-1])
