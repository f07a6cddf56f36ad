"""Joins that nobody declared: what the names, types and samples of columns suggest."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from inquery.catalog.column_prefixes import plain_names
from inquery.catalog.families import systems
from inquery.catalog.key_names import (
    BEFORE,
    COUNTS,
    FACT_WORDS,
    FELLOWS,
    GENERIC,
    KEY_WORDS,
    KIN,
    KINDRED,
    LINES,
    OUTSIDE,
    PEOPLE,
    PERSONS,
    PLACES,
    ROLES,
    SIDES,
    STAFF,
    SUPERIORS,
    SUPERIORS_SHORT,
    TYPE_WORDS,
    UPWARD,
    UPWARD_SHORT,
    entity_of,
    holds_keys,
    is_abbreviation,
    is_archive,
    is_doer,
    is_no_key,
    is_time,
    is_trade,
    joinable,
    may_be_doer,
    refers_to,
    same_word,
    type_family,
)
from inquery.catalog.table_names import (
    CROWD,
    FAMILY,
    FEW,
    GLUED,
    LOGINS,
    NEARLY,
    OPENING,
    OWN_WORDS,
    WEAK,
    Guess,
    Names,
    bare_name,
    few_of,
    is_copy,
    is_marked,
    is_own_key,
    key_stem,
    names_entity,
    opens,
    typed,
)
from inquery.catalog.whole_names import by_whole_names, exactly, spoken
from inquery.language.text import fold, has_cjk, name_words, singular
from inquery.sql import Catalog, Column, Join, Table

MOST_GUESSES = 8  # of one column, best first; data decides among them
SIBLINGS = 4
"""Tables with one and the same key of several columns, from which on none of them is another's parent."""
LOOSE = 0.6
"""How well a table fits that has words which the column lacks."""
SURELY = 0.75
"""How sure a name has to be for a number of a thing to be taken for its id."""
SURE = 0.85
"""How sure a name has to be in one table to speak for the same name in another."""
PAIRED = re.compile(r"(?<=[a-z])(?:_?\d|_(?:[ab]|up|down|from|to|old|new|on|off|in|out)|(?<=id)(?:from|to))$", re.I)
"""What tells two references of one table apart, after the name of what both refer to: trigger_id_up, contact_id_2."""

PAIRED_KEY = re.compile(r"(?<=[a-z])(?:_?\d|_[ab])(?=_(?:id|no|code|key)$)", re.I)
"""The same before the mark of a key: term_a_id."""


class Candidate(NamedTuple):
    """A join that names suggest; `weak` where it needs data."""

    join: Join
    weak: bool


def candidates(catalog: Catalog, declared: Iterable[Join]) -> Iterator[Candidate]:
    """Every join that names suggest beside the declared ones, those of one column together, surest first."""
    plain = plain_names(catalog)
    if plain is None:
        yield from _candidates(catalog, list(declared))
        return
    for each in _candidates(plain.catalog, list(plain.plain(declared))):
        # The number and date of everything are called alike without those letters, and name nothing together.
        if len(each.join.left_columns) == 1 or all(map(refers_to, each.join.left_columns)):
            yield each._replace(join=plain.true(each.join))


def _candidates(catalog: Catalog, known: list[Join]) -> Iterator[Candidate]:
    bound = {(join.left, fold(name)) for join in known for name in join.left_columns}
    names = Names(catalog)
    system = systems(catalog.tables)
    own_names = names_by_system(catalog, system)
    guessed: list[tuple[Table, Column, list[Guess]]] = []
    for table in catalog.tables:
        # A name that a crowd of systems has still means one table within its own.
        own = own_names.get(system.get(table.path, ()))
        for column in table.columns:
            if (table.path, fold(column.name)) in bound:
                continue
            found = list(guess(own, table, column)) if own else []
            if all(each.weak for each in found):
                found += [g for g in guess(names, table, column) if together(system, table.path, g.table.path)]
            guessed.append((table, column, best(table, found, few=len(catalog.tables) <= FEW)))
    meant = meant_elsewhere(names, known, guessed)
    for table, column, found in guessed:
        for each in by_namesakes(names, meant, table, column, found):
            if together(system, table.path, each.table.path):
                yield Candidate(joined(table, column, each), each.weak)
    for join in composite(names, known):
        if together(system, join.left, join.right):
            yield Candidate(join, weak=False)


def meant_elsewhere(
    names: Names, known: Iterable[Join], guessed: Iterable[tuple[Table, Column, list[Guess]]]
) -> dict[str, set[tuple[tuple[str, ...], str]]]:
    """What a column's name means in the tables that declare it, or whose own words leave no doubt."""
    meant: dict[str, set[tuple[tuple[str, ...], str]]] = defaultdict(set)
    for join in known:
        if len(join.left_columns) == 1 and join.left != join.right:
            meant[fold(join.left_columns[0])].add((join.right, join.right_columns[0]))
    for table, column, found in guessed:
        if found and not found[0].weak and not found[0].condition and not is_own_key(names, table, column):
            # A doubtful one makes the name doubtful, and is no meaning to hand on.
            meant[fold(column.name)].add((found[0].table.path, found[0].column.name))
            if found[0].confidence < SURE or (len(found) > 1 and not found[1].weak):
                meant[fold(column.name)].add(((), ""))
    return {name: targets for name, targets in meant.items() if len(targets) == 1}


def by_namesakes(
    names: Names,
    meant: Mapping[str, set[tuple[tuple[str, ...], str]]],
    table: Table,
    column: Column,
    found: list[Guess],
) -> list[Guess]:
    """The guesses of a column, and what its name alone leaves open but means in every other table that has it."""
    targets = meant.get(fold(column.name), set())
    if not targets or any(not each.weak for each in found) or refers_to(column.name) is None:
        return found
    if is_no_key(column) or is_own_key(names, table, column):
        return found
    ((path, name),) = targets
    other = names.catalog.by_path[path]
    key = other.column(name)
    if key is None or path == table.path or not joinable(column, key):
        return found
    rest = [each for each in found if (each.table.path, each.column.name) != (path, name)]
    return [Guess(0.68, other, key, "columns of this name refer there elsewhere"), *rest][:MOST_GUESSES]


def unpaired(column: str) -> str:
    """A name without what tells two references of one table apart: person of person_a, term_id of term_a_id."""
    found = PAIRED.sub("", column)
    return found if found != column or refers_to(column) is None else PAIRED_KEY.sub("", column)


def is_paired(table: Table, bare: str) -> bool:
    """Whether two columns of a table differ only in what tells them apart: person_a and person_b."""
    return sum(unpaired(other.name) == bare for other in table.columns) > 1


def names_by_system(
    catalog: Catalog, system: Mapping[tuple[str, ...], tuple[str, ...]]
) -> dict[tuple[str, ...], Names]:
    """The names of each system of a warehouse alone."""
    tables: dict[tuple[str, ...], list[Table]] = defaultdict(list)
    for table in catalog.tables:
        if table.path in system:
            tables[system[table.path]].append(table)
    return {name: Names(replace(catalog, tables=tuple(own))) for name, own in tables.items()}


def together(system: Mapping[tuple[str, ...], tuple[str, ...]], left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Whether names may be compared: a key of one system of a warehouse says nothing about another system's tables."""
    return left not in system or right not in system or system[left] == system[right]


def guess(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Every table the column may refer to."""
    if is_own_key(names, table, column):
        yield from inherited(names, table, column)
        return
    if not holds_keys(column) or numbers_own_rows(names, table, column):
        return
    bare = unpaired(column.name)
    plain = refers_to(column.name) is None and refers_to(bare)
    if bare != column.name and (plain or is_paired(table, bare)):
        if table.column(bare) is None:
            yield from guess(names, table, replace(column, name=bare))
        return
    # A status or a type that no other column could be is one where a table is called after both.
    yield from by_whole_names(names, table, column)
    if is_no_key(column):
        yield from by_phrase(names, table, column)
        return
    by_types = list(by_type(names, table, column))
    if by_types:
        yield from by_types
        return
    folded = fold(column.name)
    if folded not in GENERIC:
        homes = homes_of(names, column)
        for other in few_of(keyed_so(names, column)) if not is_marked(column.name) else ():
            key = names.key[other.path][0]
            if other.path != table.path:
                sure = 0.9 if names_entity(names, column, other) else 0.8 if refers_to(column.name) else 0.55
                sure = OWN_WORDS if opens(names, other, table) else sure
                # move_data.move_id is itself a reference to moves, where that is what moves are called by.
                far = bool(homes) and other not in homes and not opens(names, other, table)
                sure = round(sure - 0.2 * is_copy(other, table) - 0.3 * far, 2)
                yield from typed(names, column, Guess(sure, other, key, "same name as the key of the other table"))
    yield from by_entity(names, table, column)
    for each in (
        by_form,
        by_key_ending,
        by_key_stem,
        by_chinese_ending,
        by_short_name,
        by_same_identifier,
        by_user,
        by_doer,
        by_place,
        by_hierarchy,
    ):
        yield from each(names, table, column)


def numbers_own_rows(names: Names, table: Table, column: Column) -> bool:
    """Whether a part of a key of several columns is called after its own table, as order_line_no of order_line is."""
    reference, key = refers_to(column.name), names.key[table.path]
    said = "".join(reference.entity) if reference else ""
    return len(key) > 1 and column in key and said == "".join(map(singular, name_words(table.name)))


def keyed_so(names: Names, column: Column) -> list[Table]:
    """Tables whose key has a column's name, however its words are joined, or has it but for the mark of a key: branchcode_id."""
    bare = bare_name(column.name)
    found = names.by_key.get(fold(column.name)) or (names.by_bare_key.get(bare) if bare not in GENERIC else None)
    words = name_words(column.name)
    if found or len(words) < 2 or words[-1] != "id":
        return found or []
    rest = "".join(words[:-1])
    return names.by_bare_key.get(rest, []) if rest not in GENERIC and refers_to(rest) else []


def by_entity(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Tables whose name is the entity the column names: customer_id, ship_address_id, 客户编号."""
    reference = refers_to(column.name)
    if reference is None:
        yield from by_plain_name(names, table, column)
        return
    if reference.chinese:
        candidates = [t for tail in tails(reference.chinese) for t in names.by_last.get(tail, ())]
    else:
        candidates = names.called(reference.entity)
    for other in candidates:
        fit = entity_fit(names, reference.entity, reference.chinese, other)
        if fit == LOOSE and refers_itself(names, other, column):
            continue
        yield from target(names, table, column, other, fit)
    if not candidates:
        yield from by_role(names, table, column)


def refers_itself(names: Names, other: Table, column: Column) -> bool:
    """Whether a table has a column of the name beside its key, and so refers there itself: coupon_customer(customer_id)."""
    there = other.column(column.name)
    return there is not None and there not in names.key[other.path]


def by_form(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Tables that the last words of a column name, less their prefixes: part_category_id → wms_category, to_store.

    A name that says it is a key is enough where it ends with the table's; the first words (`fk_user_signed`), or a name
    that does not say so, need data.
    """
    reference = refers_to(column.name)
    if has_cjk(column.name) or any(word.isdigit() for word in name_words(column.name)):
        return
    words = reference.entity if reference else tuple(singular(word) for word in name_words(column.name))
    marked = is_marked(column.name)
    if reference and not any("".join(words[cut:]) in names.by_form for cut in range(len(words))):
        for form in names.spelt_nearly("".join(words)):
            for _, other in names.called_exactly(form):
                if other.path != table.path:  # an applicant is no application
                    yield from named(names, table, column, other, 0.45, weak=True)
    for cut in range(len(words)):
        tail = "".join(words[cut:])
        # previous_order_group says as much as previous_order_group_id, which says that it is a key.
        kin = (reference is not None or cut > 0) and set(words[:cut]) <= UPWARD | KINDRED | FELLOWS
        for loose, other in (
            names.called_exactly(tail) if tail not in GENERIC or (reference and (kin or not cut)) else ()
        ):
            own = other.path == table.path
            if own and not cut:
                continue  # exam_no of exams is its own number
            near = names.family.get(other.path) == names.family.get(table.path)
            sure = (0.74 if near else 0.7) - 0.06 * bool(cut)
            far = loose and not near and len(names.catalog.tables) > FEW and not in_family(names, other, words[:cut])
            silent = reference is None and (loose or not is_whole(column, names_word=words[-1]))
            # linked_product_id of products is another of them, unless it is somebody else's number for one
            other_row = kin or (name_words(column.name)[-1] == "id" and not set(words[:cut]) & OUTSIDE)
            yield from named(names, table, column, other, round(sure, 2), weak=silent or (own and not other_row) or far)
    whole = "".join(words)
    behind = names.behind_letters.get(whole, []) if reference and not names.called_exactly(whole) else []
    for other in behind if len(behind) == 1 else ():
        if other.path != table.path:
            yield from named(names, table, column, other, 0.66, weak=False)
    yield from by_glued_form(names, table, column)
    # order_stat and order_type are facts of an order, no references to one
    noun_first = reference is not None and name_words(column.name)[:1] == ("id",)  # id_address_delivery
    for cut in range(1, len(words)) if words[-1] not in TYPE_WORDS | FACT_WORDS else ():
        head = "".join(words[:cut])
        side = reference is not None and set(words[cut:]) <= (SIDES | {"invoice"} if noun_first else SIDES)
        for loose, other in names.called_exactly(head) if (head not in GENERIC or side) and len(head) > 2 else ():
            if other.path == table.path and not (marked or side):
                continue
            near = names.family.get(other.path) == names.family.get(table.path)
            far = loose and not near and len(names.catalog.tables) > FEW
            sure = (0.76 if side else 0.72) if noun_first else 0.62 if marked or side else WEAK
            yield from named(names, table, column, other, sure, weak=sure == WEAK or (far and not marked))


def by_glued_form(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Tables whose name ends a key that is written as one word, behind what says which of its rows: originalcourseid."""
    reference = refers_to(column.name)
    whole = reference.entity[0] if reference and len(reference.entity) == 1 else ""
    if type_family(column.type) != "number" or exactly(names, (whole,)):
        return
    for cut in range(2, len(whole) - OPENING):
        before, form = whole[:cut], whole[cut:]
        # A word of its own, since a membership is no ship.
        if not (before in BEFORE or (before.endswith("ed") and cut > 3) or form == "user"):
            continue
        found = [other for loose, other in names.by_form.get(form, ()) if not loose and len(form) > OPENING]
        for other in found if len(found) == 1 and form not in GENERIC else ():
            yield from named(names, table, column, other, 0.64, weak=False)


def in_family(names: Names, other: Table, before: tuple[str, ...]) -> bool:
    """Whether the words before another's name speak of its family, if in another form: accountancy of accounting."""
    family = names.family.get(other.path, "")
    return any(len(word) >= NEARLY and word[:NEARLY] == family[:NEARLY] for word in before)


def is_whole(column: Column, *, names_word: str) -> bool:
    """Whether a column without the mark of a key holds whole numbers and speaks of one thing: begin_area, no count of areas."""
    said = name_words(column.name)
    counts = bool(set(said) & COUNTS)
    whole = (
        re.search(r"(?<!tiny)int|serial", column.type, re.I) is not None
    )  # a tinyint without a mark is a flag or a state
    return whole and said[-1:] == (names_word,) and not counts


def by_short_name(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Tables that a very short key begins: vid → vessel, fk_cli → client, khbh → kh."""
    words = [word for word in name_words(column.name) if word != "fk"]
    marked = is_marked(column.name)
    if not words or len(words) > 2 or (len(words) == 2 and words[1] not in KEY_WORDS):
        return
    glued = re.fullmatch(r"([a-z]+?)(?:id|bh|dm|bm|no|code|key)", words[0]) if len(words) == 1 else None
    if glued is None and len(words) == 1 and not marked:
        return
    short = glued.group(1) if glued else words[0]
    if len(short) < 3 and len(names.catalog.tables) > FEW:
        return
    forms = names.forms_from(short)
    begun = {form: names.by_form[form] for form in (forms if len(forms) <= CROWD else {short}.intersection(forms))}
    # Of those that begin so, the one that begins all the others is meant: order, not order_line.
    root = min(begun, key=len, default="")
    begins = sum(form.startswith(root) for form in begun)
    most = begins == len(begun) or begins >= max(FAMILY, 0.75 * len(begun))
    rooted = len(short) > 2 and len(root) <= len(short) + 5 and most
    for form, tables in begun.items():
        for loose, other in tables:
            if other.path == table.path or is_archive(other.name):
                continue
            if form == short:
                far = bool(loose) and len(names.catalog.tables) > FEW
                yield from named(names, table, column, other, 0.7, weak=far)
            elif form == root and rooted:
                yield from named(names, table, column, other, 0.6, weak=not marked)
            else:
                # A table of links says in its own name which of those that begin so it means: team_role.tid
                own = form[:OPENING] in fold(table.name)
                yield from named(
                    names,
                    table,
                    column,
                    other,
                    0.47 if own else 0.43 if form == root and begins > 2 else WEAK,
                    weak=True,
                )


def by_same_identifier(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Identifiers of the same name elsewhere; which of the two refers to the other, if any, only data can tell."""
    bare = bare_name(column.name)
    if bare in GENERIC or not bare:
        return
    for other, there in few_of(names.identifiers.get(bare, [])):
        if other.path != table.path and not is_archive(other.name):
            reason = "same name as an identifier of the other table"
            yield from typed(names, column, Guess(WEAK, other, there, reason, weak=True))


def by_doer(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Those who did something are among the people: approved_by, checker_id, 经办人."""
    # Whose it is, is one of the people where there is no table of owners.
    owned = key_stem(column.name) == "owner" and not names.by_form.get("owner")
    if not (is_doer(column.name) or owned or may_be_doer(column) or is_trade(column.name)):
        return
    by_id = name_words(column.name)[-1:] == ("id",) and is_doer(column.name, surely=True)
    # Keys may be texts, but only an id says so, and a small number without one is a flag.
    number = by_id or (type_family(column.type) == "number" and not re.match("tinyint", column.type, re.I))
    # Those who use the system do what its rows tell of; those who do a trade are among the staff.
    surely = number and is_doer(column.name, surely=True)
    trade = number and is_trade(column.name)
    homes = (names.users or names.staff) if surely else (names.workers or names.users) if trade else []
    for other in names.users if type_family(column.type) == "text" else ():
        for login in other.columns:  # whoever did it may be kept by the name he logs in with
            if set(name_words(login.name)) & LOGINS and login not in names.key[other.path]:
                yield from typed(names, column, Guess(0.42, other, login, "who did it is one of the users", weak=True))
    for other in few_of([*names.staff, *names.people]):
        meant = homes == [other]
        sure = 0.6 if meant else 0.47 if other in names.staff and not names.people else 0.43
        found = Guess(sure, other, names.key[other.path][0], "who did it is one of the people", weak=sure < 0.6)
        if (other.path, found.column.name) != (table.path, column.name):
            yield from typed(names, column, found)


def by_place(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """The one table of places of all levels, where a level has none of its own: province_id, city_code → area."""
    words, says_so = spoken(column)
    if not says_so or not words or words[-1] not in PLACES or len(names.gazetteers) != 1 or names.called(words[-1:]):
        return
    other = names.gazetteers[0]
    if other.path != table.path:
        yield from named(names, table, column, other, 0.6, weak=False)


def by_user(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """The one table of users, by whatever name, where a column names a user: user_id → appuser, submitted_userid."""
    words, says_so = spoken(column)
    if says_so and words[-1:] == ("user",) and len(names.users) == 1 and not exactly(names, ("user",)):
        other = names.users[0]
        if other.path != table.path and not is_marked(names.key[other.path][0].name):
            reason = f"{column.name} names {other.name}"
            yield from typed(names, column, Guess(0.68, other, names.key[other.path][0], reason))


def by_key_ending(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Tables whose key the column's name ends with: dst_apid → airports.apid, payerOrgId → company.orgId."""
    words = name_words(column.name)
    for cut in range(1, len(words)):
        ending = "".join(words[cut:])
        for other in at_home(names, few_of(names.by_bare_key.get(ending, []))) if ending not in GENERIC else ():
            own = other.path == table.path
            reason = f"{column.name} ends with the key of {other.name}"
            sure = round(0.66 - 0.2 * is_copy(other, table), 2)
            yield from typed(names, column, Guess(sure, other, names.key[other.path][0], reason, weak=own))
    last = words[-1] if words else ""
    for ending in (last[cut:] for cut in range(2, len(last) - GLUED + 1)):
        for other in at_home(names, few_of(names.glued.get(ending, []))) if ending not in GENERIC else ():
            reason = f"{column.name} ends with the key of {other.name}"
            sure = round(0.65 - 0.2 * is_copy(other, table), 2)
            yield from typed(names, column, Guess(sure, other, names.key[other.path][0], reason, other == table))


def by_key_stem(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Tables by what their key is called, less the mark of a key: from_hosp, buyCust → hosp_id, custId."""
    words = [word for word in name_words(column.name) if word not in KEY_WORDS]
    if not words or has_cjk(column.name) or words[-1] in TYPE_WORDS | FACT_WORDS:
        return
    last = words[-1]
    # resptkid is written as one word, and may end with what another key is called.
    endings = {last: 0.46} | {last[cut:]: 0.42 for cut in range(2, len(last) - 3)}
    for ending, sure in endings.items():
        for other in few_of(names.by_key_stem.get(ending, [])) if ending not in GENERIC else ():
            if other.path == table.path and (words == [ending] or set(words) & TYPE_WORDS):
                continue
            key, reason = names.key[other.path][0], f"{column.name} ends as the key of {other.name}"
            if not is_archive(other.name) and (other.path, key.name) != (table.path, column.name):
                yield from typed(names, column, Guess(sure, other, key, reason, weak=True))


def by_chinese_ending(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Tables whose name or key ends a Chinese name: 上课教练 → 教练, 推荐人工号 → 工号. Data decides."""
    if not has_cjk(column.name):
        return
    reference = refers_to(column.name)
    for tail in tails(reference.chinese if reference else fold(column.name)):
        for other in few_of(names.by_last.get(tail, [])):
            yield from named(names, table, column, other, 0.46, weak=True)
    for tail in tails(fold(column.name))[1:]:
        for other in few_of(names.by_key.get(tail, [])) if tail not in GENERIC else ():
            reason = f"{column.name} ends with the key of {other.name}"
            yield from typed(names, column, Guess(0.46, other, names.key[other.path][0], reason, weak=True))


def by_hierarchy(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Columns that point upward in their own table: pid, parent_group_id, prnt_zone_id, 上级."""
    key = names.key[table.path]
    words = name_words(column.name)
    if len(key) != 1 or not words or links_upward(table, words):
        return
    whole = "".join(words)
    rest = "".join(words[1:])
    heads = [other for other in by_lines(names, table) if words in {("parent",), ("parent", "id"), ("pid",)}]
    for other in heads:
        yield from named(names, table, column, other, 0.72, weak=False)
    if heads:
        return
    same = {"", "id", "code", "no", "key", bare_name(key[0].name), *names.forms(table)}
    same |= {form + ending for form in names.forms(table) for ending in ("id", "code", "no", "key")}
    reason = "a column that points upward in its own table"
    upward = words[0] in UPWARD_SHORT | UPWARD or (words[0] == "p" and len(words) > 1)
    taken = any(other.path != table.path for other, _ in names.identifiers.get(whole, ()))
    if (whole in UPWARD_SHORT and not taken) or (
        upward and not (rest in {"", "id"} and taken) and (rest in same or bare_name(key[0].name) == rest)
    ):
        home = root_of(names, table) if bare_name(key[0].name) == rest else table
        yield from typed(names, column, Guess(0.72, home, names.key[home.path][0], reason, weak=False))
    elif (
        upward
        or is_upward(column.name, UPWARD | (KINDRED | KIN if is_person(names, table) else KINDRED))
        or whole.startswith(("parent", "sj"))
    ):
        yield from typed(names, column, Guess(0.45, table, key[0], reason, weak=True))
    elif is_upward(column.name, SUPERIORS | SUPERIORS_SHORT):
        people = [*names.staff, *names.people]
        own = table in people or (not people and is_person(names, table))
        for other in [table] if own else few_of(people):
            sure = 0.48 if other == table else 0.45
            yield from typed(names, column, Guess(sure, other, names.key[other.path][0], reason, weak=True))


def by_lines(names: Names, table: Table) -> list[Table]:
    """The one table that a table's rows are lines of, and called after: invoice of invoice_item."""
    words = names.entity[table.path]
    found = names.by_entity.get(words[:-1], []) if len(words) > 1 and words[-1] in LINES else []
    return (
        found
        if len(found) == 1 and not any(refers_itself(names, table, key) for key in names.key[found[0].path])
        else []
    )


def links_upward(table: Table, words: tuple[str, ...]) -> bool:
    """Whether a table links parents to children, so that neither is a row of its own: parent_id beside child_id."""
    twin = ("child", *words[1:]) if words[0] == "parent" else ()
    return bool(twin) and any(name_words(other.name) == twin for other in table.columns)


def is_person(names: Names, table: Table) -> bool:
    """Whether a table lists persons or firms, who bring each other: clients, pupils, 社员."""
    last = names.entity[table.path][-1]
    return last in PERSONS or names.is_people(table, STAFF | ROLES) or re.search("[人员户客]$", last) is not None


def by_type(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """A reference whose table another column names: owner_id beside owner_type, one guess for each type."""
    other = type_twin(table, column)
    for value in other.samples if other else ():
        spoken = tuple(singular(word) for word in name_words(value))
        forms = [table for _, table in names.called_exactly("".join(spoken))] if spoken else ()
        for parent in forms or [t for t in (names.called(spoken) if spoken else ()) if not is_archive(t.name)]:
            key = names.key[parent.path]
            if other and len(key) == 1 and joinable(column, key[0]):
                reason = f"{other.name} says which table is meant"
                yield Guess(0.75, parent, key[0], reason, condition=(other.name, value))


def type_twin(table: Table, column: Column) -> Column | None:
    """The column that says to which table a reference refers: owner_type of owner_id."""
    words = name_words(column.name)
    stem = words[1:] if is_marked(column.name) else words[:-1] if words and words[-1] in KEY_WORDS else ()
    for other in table.columns if stem else ():
        said = name_words(other.name)
        if len(said) > 1 and said[-1] in TYPE_WORDS and said[:-1] == stem and type_family(other.type) == "text":
            return other
    return None


def named(
    names: Names, table: Table, column: Column, other: Table, confidence: float, *, weak: bool
) -> Iterator[Guess]:
    """A table that a column names, by its key or by the code that the column speaks of: dept_code → dept.code."""
    reason = f"{column.name} names {other.name}"
    key = names.key[other.path]
    sure = round(confidence - 0.2 * is_copy(other, table), 2)
    if len(key) == 1 and not is_marked(key[0].name) and (other.path, key[0].name) != (table.path, column.name):
        fits = joinable(column, key[0]) and not numbers_things(column, key[0], sure)
        yield from typed(names, column, Guess(sure if fits else WEAK, other, key[0], reason, weak or not fits))
    ending = (name_words(column.name) or ("",))[-1]
    for codes, there in names.codes_of(other):
        # A code of the other table may be what is meant: dept_code → dept.code, fk_port → ports.port_code.
        if (other.path, there.name) != (table.path, column.name):
            meant = ending in codes and ending != "id"
            # A text that names a table by its code can be no other number of it: currency_code of currency(id, code).
            told = meant and len(key) == 1 and not joinable(column, key[0]) and codes_alone(names, other, there, column)
            found = Guess(round(sure - 0.01, 2) if meant else WEAK, other, there, reason, weak=weak or not told)
            yield from typed(names, column, found)


def codes_alone(names: Names, other: Table, there: Column, column: Column) -> bool:
    """Whether a column is called wholly as one code of a table, and the table has no second one of this ending."""
    words, mark = name_words(column.name)[:-1], name_words(column.name)[-1]
    alike = [each for codes, each in names.codes_of(other) if mark in codes]
    return alike == [there] and "".join(map(singular, words)) in names.forms(other)


def by_role(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Columns that say what the row is to this one: a parent of its kind, a manager among the people."""
    if is_upward(column.name, UPWARD):
        if links_upward(table, name_words(column.name)) or by_lines(names, table):
            return
        rest = "".join(singular(w) for w in name_words(column.name) if w not in UPWARD | KEY_WORDS | {"fk"})
        glued = refers_to(rest)
        rest = "".join(glued.entity) if glued else rest
        meant = [other for _, other in names.called_exactly(rest)]
        if meant and table not in meant:
            return  # product_parent of a combination is a product
        yield from target(names, table, column, table, 0.7, reason="a column that points upward in its own table")
    elif is_upward(column.name, SUPERIORS):
        people = [t for word in PEOPLE for t in names.by_last.get(word, ()) if names.entity[t.path] == (word,)]
        people = people or names.workers
        if table in people:
            yield from target(names, table, column, table, 0.7, reason="a superior in the same table")
        elif len(people) == 1:
            yield from target(names, table, column, people[0], 0.6, reason="a superior is one of the people")


def by_plain_name(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """A column named exactly as a table: artist → artists, when their keys fit."""
    words = name_words(column.name)
    if not words or not column.type or (type_family(column.type) == "text" and singular(words[-1]) != words[-1]):
        return  # a text called roles lists some
    if fold(column.name) in GENERIC and not is_whole(column, names_word=fold(column.name)):
        return
    if name_words(column.name)[-1].isdigit():
        return  # `loans 2023` counts them
    if type_family(column.type) == "number":
        yield from by_role(names, table, column)
    yield from by_exact_name(names, table, column)


def by_phrase(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """A setting is no key, but a whole number called care_setting is one where a table is called so."""
    words = name_words(column.name)
    if len(words) > 1 and not words[-1].isdigit() and is_whole(column, names_word=words[-1]):
        yield from by_exact_name(names, table, column)


def by_exact_name(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """Tables that are called as the column, word for word."""
    entity = entity_of(column.name)
    for other in names.by_last.get(entity[-1], ()):
        key = names.key[other.path]
        if names.entity[other.path] == entity and other.path != table.path and len(key) == 1 and key[0].type:
            yield from target(names, table, column, other, 0.6, reason="named as the other table")


def entity_fit(names: Names, entity: tuple[str, ...], chinese: str, other: Table) -> float:
    """How well a reference names a table: wholly, by its last word, or by a short form."""
    stored = names.entity[other.path]
    if chinese:
        return 0.85 if stored[-1] == chinese else 0.7
    if entity == stored:
        return 0.88
    while len(entity) > 1 and entity[0] in BEFORE:  # default_status_id is a status
        entity = entity[1:]
    if entity[-1] != stored[-1]:
        alike = len(entity) == len(stored) and all(map(same_word, entity, stored))
        if not alike or is_abbreviation(entity[-1], stored[-1]):
            return 0.65 if alike else 0.0
        # An account may be short for accountancy, but among many tables not for an accountingaccount.
        return 0.55 if len(stored[-1]) <= 2 * len(entity[-1]) or len(names.catalog.tables) <= FEW else 0.0
    if entity[-len(stored) :] == stored:
        return 0.75
    # order_status_id and status: the table has words the column lacks, which among many tables mean another thing
    few = len(names.catalog.tables) <= FEW
    alone = names.by_last[stored[-1]] == [other]
    return LOOSE if few and len(stored) - len(entity) <= 1 + alone and len(entity) == 1 else 0.0


def target(
    names: Names, table: Table, column: Column, other: Table, confidence: float, *, reason: str = ""
) -> Iterator[Guess]:
    """The column of the other table that the reference can mean: its only key, or a column of that name."""
    if not confidence or (other.path == table.path and not is_upward(column.name, UPWARD | SUPERIORS)):
        return
    key = names.key[other.path]
    if any(is_marked(part.name) for part in key):
        return
    found = key[0] if len(key) == 1 else other.column(column.name)
    if found is not None and numbers_things(column, found, confidence):
        return  # line_no numbers the lines of each order
    if len(key) > 1:
        confidence = min(confidence, 0.5)  # a part of a key does not name one row
    if found is None and not key:
        found = other.column("id")
    confidence = round(confidence - 0.2 * is_copy(other, table), 2)
    if found is not None and (other.path, found.name) != (table.path, column.name):
        yield from typed(names, column, Guess(confidence, other, found, reason or f"{column.name} names {other.name}"))


def numbers_things(column: Column, key: Column, confidence: float) -> bool:
    """Whether a column says a number beside which a thing has an id: post_number, attemptnumber, line_no."""
    words = name_words(column.name)
    said = words[-1] if words else ""
    counts = re.search("(?:number|num|nbr)$", said) is not None or (said == "no" and confidence < SURELY)
    return counts and fold(key.name).endswith("id")


def inherited(names: Names, table: Table, column: Column) -> Iterator[Guess]:
    """A key that is also another table's key extends it: employees.person_id of persons; a copy extends nothing."""
    homes = homes_of(names, column)
    own = names_entity(names, column, table) and (not homes or table in homes)
    if fold(column.name) in GENERIC or own or is_archive(table.name):
        return
    for other in homes:
        if other.path != table.path and not is_archive(other.name):
            key, reason = names.key[other.path][0], f"{column.name} names {other.name}"
            if bare_name(key.name) in {*GENERIC, bare_name(column.name)}:  # dict_id is no dict_code
                yield from typed(names, column, Guess(0.78, other, key, reason))
    for other in few_of(names.by_key.get(fold(column.name), [])):  # `rowid` is the key of every table
        if other.path != table.path and names_entity(names, column, other) and not is_archive(other.name):
            yield Guess(0.75, other, names.key[other.path][0], "shares the key of the other table")


def homes_of(names: Names, column: Column) -> list[Table]:
    """The tables that are called exactly as what a column speaks of, each with a key of its own."""
    reference = refers_to(column.name)
    form = "".join(reference.entity) if reference else ""
    exact = [other for loose, other in names.by_form.get(form, ()) if not loose] if form else []
    exact = exact or names.by_full.get(form, [])
    exact = [other for other in exact if len(names.key[other.path]) == 1]
    # moves are at home in moves, and not in move_data.
    return [other for other in exact if "".join(map(singular, name_words(other.name))).endswith(form)] or exact


def at_home(names: Names, found: list[Table]) -> list[Table]:
    """Of tables whose keys share a name those that are called after it: events, and not the event_recovery of each."""
    if len(found) < 2:
        return found
    exact = [other for other in found if other in homes_of(names, names.key[other.path][0])]
    return exact or [other for other in found if names_entity(names, names.key[other.path][0], other)] or found


def root_of(names: Names, table: Table) -> Table:
    """The table whose key a table has for its own, such as tasks of task_result; itself where there is none."""
    key = names.key[table.path]
    homes = homes_of(names, key[0]) if len(key) == 1 else []
    return homes[0] if len(homes) == 1 and table not in homes else table


def is_upward(column: str, words: frozenset[str]) -> bool:
    """Whether the name says parent, manager and the like."""
    folded, reference = fold(column), refers_to(column)
    said = {*name_words(column), *(reference.entity if reference else ())}  # supervisorid is written as one word
    return bool(said & words) or any(w in folded for w in words if not w.isascii())


def tails(chinese: str) -> list[str]:
    """A Chinese name and its endings of two characters or more: 下单客户 → 下单客户, 单客户, 客户."""
    return [chinese[start:] for start in range(max(1, len(chinese) - 1))]


def best(table: Table, guesses: list[Guess], *, few: bool) -> list[Guess]:
    """The surest guess for each end; of equally sure ones those of the same schema, and none of a crowd.

    Among `few` tables two that are equally sure are both shown, until data tells; among many a name means too much.
    """
    unique: dict[tuple[tuple[str, ...], str, tuple[str, str] | None], Guess] = {}
    for each in sorted(guesses, key=lambda g: (g.weak, -g.confidence, g.table.path)):
        unique.setdefault((each.table.path, each.column.name, each.condition), each)
    found = list(unique.values())
    if any(not each.weak for each in found) and not found[0].condition:
        top = found[0].confidence
        equal = [each for each in found if each.confidence == top and not each.weak]
        chosen = [each for each in equal if each.table.path[:-1] == table.path[:-1]] or equal
        others = [each for each in found if each.confidence != top or each.weak]
        if len(chosen) > (3 if few else 1):
            chosen = [each._replace(weak=True, confidence=WEAK) for each in chosen]
        elif len(chosen) > 1:
            chosen = [each._replace(confidence=round(each.confidence - 0.15, 2)) for each in chosen]
        found = [*chosen, *(each._replace(weak=True) for each in others)]
    return found[:MOST_GUESSES]


def joined(table: Table, column: Column, found: Guess) -> Join:
    """The edge for a guess."""
    return Join(
        table.path,
        (column.name,),
        found.table.path,
        (found.column.name,),
        declared=False,
        confidence=found.confidence,
        reason=found.reason,
        how="name",
        condition=found.condition,
    )


def composite(names: Names, declared: list[Join]) -> Iterator[Join]:
    """Tables that hold all columns of another table's key of several columns."""
    known = {(join.left, join.right) for join in declared}
    holders: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    keyed = [t for t in names.catalog.tables if len(names.key[t.path]) > 1]
    wanted = {fold(c.name) for t in keyed for c in names.key[t.path]}
    alike = Counter(frozenset(fold(c.name) for c in names.key[t.path]) for t in keyed)
    for table in names.catalog.tables if keyed else ():
        for column in table.columns:
            if fold(column.name) in wanted:
                holders[fold(column.name)].add(table.path)
    for other in keyed:
        key = names.key[other.path]
        if alike[frozenset(fold(c.name) for c in key)] >= SIBLINGS:
            continue  # the parts of one table, by year or by kind, are no parents of each other
        if sum(not is_time(c) for c in key) < 2:
            continue  # what holds something at each time is a fact beside others, and no table's parent
        if all(fold(c.name) in GENERIC for c in key) or any(fold(c.name) in {"id", "rowid"} for c in key):
            continue  # an id of its own table names no row of another
        for path in sorted(set.intersection(*(holders[fold(c.name)] for c in key)) - {other.path}):
            if (path, other.path) in known or (other.path, path) in known or _same_key(names, path, key, other):
                continue
            columns = [names.catalog.by_path[path].column(c.name) for c in key]
            if all(mine and joinable(mine, c) for mine, c in zip(columns, key, strict=True)):
                left = tuple(mine.name for mine in columns if mine)
                sure = (
                    0.5 if len(names.key[path]) == len(key) and set(left) == {c.name for c in names.key[path]} else 0.7
                )
                reason = "holds the whole key of the other table"
                ends = (path, left, other.path, tuple(c.name for c in key))
                yield Join(*ends, declared=False, confidence=sure, reason=reason, how="name")


def _same_key(names: Names, path: tuple[str, ...], key: tuple[Column, ...], other: Table) -> bool:
    """Of two tables with one key, only the first by name is the child, so that there is one edge."""
    mine = {fold(c.name) for c in names.key[path]}
    return mine == {fold(c.name) for c in key} and path > other.path
