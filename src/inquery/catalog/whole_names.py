"""Tables whose whole name a column says only in part: the rest stands in its own table's name, or is left out.

warrior_ranks.skill_id means warrior_skills and no other table of skills; loan_schedule_id means loan_repayment_schedule where
no other schedule is of a loan; product_loan is what loan_product_id says.
"""

from __future__ import annotations

from collections.abc import Iterator

from inquery.catalog.key_names import (
    KEY_WORDS,
    UPWARD,
    UPWARD_SHORT,
    is_archive,
    is_no_key,
    joinable,
    refers_to,
    same_word,
    type_family,
)
from inquery.catalog.table_names import OWN_WORDS, WEAK, Guess, Names, english, is_copy, is_marked, opens, typed
from inquery.language.text import fold, has_cjk, name_words, singular
from inquery.sql import Column, Table

LEFT_OUT = 2
"""Words of a table's name that a column may leave out between its first and its last."""
SUBSYSTEM = 8
"""Tables that begin alike, from which on they mean each other before those of the rest."""
INITIALS = 4
"""Letters beyond which a word without vowels is no longer the first letters of a table's words."""


def by_whole_names(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """The tables that a column names together with its own table, or with words left out."""
    if has_cjk(column.name) or set(name_words(column.name)) & (UPWARD | UPWARD_SHORT):
        return
    words, says_so = spoken(column)
    if not words or any(word.isdigit() for word in words):
        return
    named = list(_in_english(names, table, words)) if says_so else []
    named = named or list(_completed(names, table, column, words, says_so=says_so))
    if not named and says_so and not is_no_key(column):
        named = list(_left_out(names, table, column, words)) or list(_initials(names, table, column, words))
    for other, sure, weak in named:
        key = names.key[other.path]
        if len(key) == 1 and not is_marked(key[0].name) and joinable(column, key[0]):
            sure = round(sure - 0.2 * is_copy(other, table), 2)
            yield from typed(names, column, Guess(sure, other, key[0], f"{column.name} names {other.name}", weak))


def spoken(column: Column) -> tuple[tuple[str, ...], bool]:
    """What a column speaks of, in single words, and whether it says that it is a key."""
    reference = refers_to(column.name)
    if reference:
        return reference.entity, True
    words = tuple(singular(word) for word in name_words(column.name))
    if len(words) > 1 and words[-1] == "userid":
        return (*words[:-1], "user"), True  # submittedon_userid
    return tuple(word for word in words if word not in KEY_WORDS), is_marked(column.name)


def _completed(
    names: Names, table: Table, column: Column, words: tuple[str, ...], *, says_so: bool
) -> Iterator[tuple[Table, float, bool]]:
    """The table called as the first words of the column's own table and the last ones of the column together."""
    if not says_so and (type_family(column.type) != "number" or name_words(column.name)[-1] != words[-1]):
        return  # a count of parts is written in the plural
    own = names.entity[table.path]
    if len(words) > 1 and exactly(names, words):
        return
    for start in range(len(words)):
        said = words[start:]
        for length in range(len(own), 0, -1):
            # groupmember.userid is a user, and no user_group
            found = _called(names, (*own[:length], *said), turned=len(said) > 1 or not exactly(names, said))
            found = [other for other in found if other.path != table.path]
            if len(found) != 1 or is_archive(found[0].name):
                continue
            if start and _said_elsewhere(names, column, words, start, names.begun_by[own[:length]]):
                return
            if not _links(found[0], own[:length]) and says_so | (not start):
                yield found[0], (0.83 if start else OWN_WORDS if opens(names, found[0], table) else 0.91), False
            return


def _said_elsewhere(names: Names, column: Column, words: tuple[str, ...], start: int, members: int) -> bool:
    """Whether the words that would be left out, or those that stay, already say another table.

    ugd_template_id of hooks is any template; budget_type_code of documents is the key of budget codes, no type of document.
    """
    told = bool(names.by_key.get(fold(column.name))) or any(names.by_english.get(word) for word in words[:start])
    return told or (exactly(names, words[start:]) and members < SUBSYSTEM)


def exactly(names: Names, words: tuple[str, ...]) -> bool:
    """Whether a table is wholly called so."""
    return any(not loose for loose, _ in names.by_form.get("".join(words), ()))


def _called(names: Names, said: tuple[str, ...], *, turned: bool) -> list[Table]:
    """The tables that are called by some words in their order, or, where that may be `turned`, by two in the other."""
    found = [table for loose, table in names.by_form.get("".join(said), ()) if not loose]
    return found or (names.by_words.get(frozenset(said), []) if len(said) == 2 and turned else [])


def _links(table: Table, own: tuple[str, ...]) -> bool:
    """Whether a table refers to what another stores, so that its name is of both: product_category of products."""
    told = [refers_to(column.name) for column in table.columns]
    whole = "".join(own)
    # coursemoduleid of course_modules_completion, and quiz of quiz_grades, are written as one word.
    glued = any(spoken_as_one(column) in {whole, own[-1]} for column in table.columns)
    return glued or any(each and each.entity[-1:] == own[-1:] for each in told)


def spoken_as_one(column: Column) -> str:
    """What a whole number speaks of, written as one word; nothing where it holds no whole numbers."""
    return "".join(spoken(column)[0]) if type_family(column.type) == "number" else ""


def _in_english(names: Names, table: Table, words: tuple[str, ...]) -> Iterator[tuple[Table, float, bool]]:
    """The one table that is called in another language what the column says in English: fk_project of projet."""
    if exactly(names, words):
        return
    meant = english(words)
    for start in range(len(words)):
        found = {
            t.path: t for form in meant if len(form) > start for t in names.by_english.get("".join(form[start:]), ())
        }
        found = found if start == 0 or not any(exactly(names, form[start:]) for form in meant) else {}
        found.pop(table.path, None)
        if found:
            yield from ((other, 0.74 - 0.06 * bool(start), len(found) > 1) for other in found.values())
            return


def _left_out(
    names: Names, table: Table, column: Column, words: tuple[str, ...]
) -> Iterator[tuple[Table, float, bool]]:
    """The one table that begins and ends as the column does, with words between that it leaves out, or before."""
    for start in range(len(words) - 1):
        said = words[start:]
        if exactly(names, said):
            return
        found = names.by_words.get(frozenset(said)) or _with_more(names, said)
        found = [other for other in found if other.path != table.path and not is_archive(other.name)]
        if found:
            alone = len(found) == 1
            yield from ((other, 0.72 - 0.06 * bool(start) if alone else WEAK, not alone) for other in found)
            return


def _with_more(names: Names, said: tuple[str, ...]) -> list[Table]:
    """The tables whose names have all the words, the last one last, and the fewest beside them."""
    found: dict[int, list[Table]] = {}
    for other in names.called(said[-1:]):
        stored = names.entity[other.path]
        more = len(stored) - len(said)
        if 0 < more <= LEFT_OUT and same_word(said[-1], stored[-1]) and _in_order(said, stored):
            found.setdefault(more, []).append(other)
    return found[min(found)] if found else []


def _in_order(said: tuple[str, ...], stored: tuple[str, ...]) -> bool:
    """Whether some words are among others in their order."""
    rest = iter(stored)
    return all(any(same_word(word, each) for each in rest) for word in said)


def _initials(
    names: Names, table: Table, column: Column, words: tuple[str, ...]
) -> Iterator[tuple[Table, float, bool]]:
    """The one table whose words begin with the letters that the column ends with: gender_cv_id of code_value."""
    last = words[-1]
    if not 2 <= len(last) <= INITIALS or set(last) & set("aeiouy") or names.by_form.get(last):
        return
    found = names.by_initials.get(last, [])
    if len(found) == 1 and found[0].path != table.path:
        yield found[0], 0.6, False
