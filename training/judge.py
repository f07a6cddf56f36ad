"""What is wrong with described databases: questions that fail, answer nothing, are undetermined or copies of others.

`python -m training.systems check` prints what this finds. Whether a question says what its SQL asks, no code can tell:
training/second_reading.py gives it to an independent reader.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import sqlglot
from sqlglot import exp

from training.seeds import wordings
from training.systems import BadFile, Question, System, build, read_system

SLOWEST_S = 2.0
MOST_ROWS = 2_000
FEWEST_GRAMS = 6
LIKE_WITHIN, LIKE_ACROSS = 0.85, 0.7
"""Share of common word groups above which two questions are copies; wordings of one database share its nouns."""
LIKE_TABLES = 0.6
COMMON = 300
"""Word groups in more questions than this say nothing about copying."""
CHINESE = re.compile(r"[\u3400-\u9fff]")
_MOVING = re.compile(r"\b(?:random|randomblob|last_insert_rowid)\s*\(|'now'|\bcurrent_(?:date|time|timestamp)\b", re.I)
_SAID = re.compile(r"“[^”]*”|\"[^\"]*\"|'[^']*'|‘[^’]*’|「[^」]*」|《[^》]*》|\([^)]*\)|（[^）]*）")
Rows = list[tuple[object, ...]]


def check_files(files: Sequence[Path], against: Sequence[Path]) -> tuple[list[str], list[System]]:
    """All problems, and the descriptions that could be read."""
    problems, systems = [], []
    for file in files:
        try:
            systems.append(read_system(file))
            problems += [f"{file}: {problem}" for problem in check_system(systems[-1])]
        except BadFile as error:
            problems.append(str(error))
    known = {file.resolve() for file in files}
    others = []
    for file in against:
        if file.resolve() not in known:
            others.append(read_system(file))
    problems += find_copies(systems, others)
    return problems, systems


def check_system(system: System) -> Iterator[str]:
    """The problems of one database."""
    yield from check_comments(system)
    database = build(system)
    rows: dict[int, Rows] = {}
    for question in system.questions:
        for problem in check_question(question, database, rows):
            yield f"question {question.number}: {problem}"
    database.close()
    if not any(question.sql is None for question in system.questions):
        yield "no question that cannot be answered"
    yield from check_apart(system, rows)


def check_comments(system: System) -> Iterator[str]:
    """Whether there are comments where the head says so, in that language."""
    comments = [c.comment for table in system.tables for c in table.columns if c.comment]
    comments += [table.comment for table in system.tables if table.comment]
    chinese = sum(bool(CHINESE.search(comment)) for comment in comments)
    if (system.comments == "none") != (not comments):
        yield f"comments: {system.comments}, but {len(comments)} are given"
    elif comments and {"en": chinese > 0.2 * len(comments), "zh": chinese < 0.8 * len(comments)}.get(system.comments):
        yield f"comments: {system.comments}, but {chinese} of {len(comments)} have Chinese"


def check_question(question: Question, database: sqlite3.Connection, rows: dict[int, Rows]) -> Iterator[str]:
    """The problems of one question; its rows are kept for comparing."""
    literals = set(re.findall(r"'((?:[^']|'')*)'", question.sql or ""))
    for language, text in wordings(vars(question)):
        rest = _SAID.sub(" ", text)
        for literal in sorted(literals, key=len, reverse=True):
            rest = rest.replace(literal, " ") if literal else rest
        if language == "zh" and not CHINESE.search(text):
            yield f"zh has no Chinese: {text}"
        if language == "en" and CHINESE.search(rest):
            yield f"en has Chinese that is no value: {text}"
    if not question.en or not question.zh:
        yield "en and zh are both needed"
    if question.sql is None:
        return
    bare = re.sub(r"'(?!now')(?:[^']|'')*'", "''", question.sql, flags=re.I)
    if _MOVING.search(bare):
        yield "an answer that changes: no now, no random; count from `today` in literals"
    try:
        found, seconds = run(database, question.sql)
    except sqlite3.Error as error:
        yield f"fails: {error}: {question.sql}"
        return
    rows[question.number] = found
    if seconds > SLOWEST_S:
        yield f"takes {seconds:.1f} s"
    if len(found) >= MOST_ROWS:
        yield f"{len(found)} rows"
    if not found:
        yield f"no rows: {question.sql}"
    elif all(cell is None for row in found for cell in row):
        yield f"nothing but NULL: {question.sql}"
    yield from judge_shape(question.sql, found, database)


def run(database: sqlite3.Connection, sql: str) -> tuple[Rows, float]:
    """The rows and how long they took; a query that runs too long fails."""
    start = time.monotonic()
    database.set_progress_handler(lambda: time.monotonic() > start + 2 * SLOWEST_S, 10_000)
    try:
        rows = database.execute(sql).fetchmany(MOST_ROWS)
    finally:
        database.set_progress_handler(None, 0)
    return rows, time.monotonic() - start


def judge_shape(sql: str, found: Rows, database: sqlite3.Connection) -> Iterator[str]:
    """SELECT *, and LIMIT or ROW_NUMBER that cuts between rows which sort equal, so that the answer is chance."""
    try:
        tree = sqlglot.parse_one(sql, read="sqlite")
    except sqlglot.errors.SqlglotError as error:
        yield f"sqlglot cannot read it: {str(error).splitlines()[0]}"
        return
    if isinstance(tree, exp.Query) and tree.is_star:
        yield "SELECT *: name the columns"
    for select in tree.find_all(exp.Select):
        if select.args.get("order") and select.args.get("limit"):
            outer = tree.args.get("with_") or tree.args.get("with")
            probe = limit_probe(select, None if select is tree else outer)
            if probe is None:
                continue
            text, count, keys = probe
            try:
                longer = run(database, text)[0]
            except sqlite3.Error:  # a subquery that needs its surroundings cannot be run alone
                continue
            if len(longer) > count > 0 and longer[count - 1][-keys:] == longer[count][-keys:]:
                yield f"a tie at LIMIT {count}: sort by a further column, and say so, or ask otherwise: {sql}"
    if any(tree.find_all(exp.RowNumber)):
        ranked = tree.copy()
        for node in list(ranked.find_all(exp.RowNumber)):
            node.replace(exp.Anonymous(this="RANK"))
        try:
            if Counter(run(database, ranked.sql("sqlite"))[0]) != Counter(found):
                yield f"ties under ROW_NUMBER: use RANK, or sort by a further column, and say so: {sql}"
        except sqlite3.Error:
            return


def limit_probe(select: exp.Select, outer: exp.Expression | None) -> tuple[str, int, int] | None:
    """The query with one row more and its sort keys as last columns: text, limit, number of keys."""
    probe = select.copy()
    limit = probe.args["limit"].expression
    offset = probe.args.get("offset")
    if not isinstance(limit, exp.Literal) or probe.args.get("distinct"):
        return None
    if offset is not None and not isinstance(offset.expression, exp.Literal):
        return None
    named = {item.alias.casefold(): item.unalias() for item in probe.expressions if item.alias}
    keys = []
    for ordered in probe.args["order"].expressions:
        key = ordered.this
        if isinstance(key, exp.Literal) and key.is_int:
            key = probe.expressions[int(key.name) - 1].unalias()
        elif isinstance(key, exp.Column) and not key.table and key.name.casefold() in named:
            key = named[key.name.casefold()]
        keys.append(key.copy())
    probe.set("expressions", [*probe.expressions, *(exp.alias_(key, f"sort_{at}") for at, key in enumerate(keys))])
    count = int(limit.name)
    probe.set("limit", exp.Limit(expression=exp.Literal.number(count + 1)))
    text = probe.sql("sqlite")
    return (f"{outer.sql('sqlite')} {text}" if outer is not None else text), count, len(keys)


def check_apart(system: System, rows: dict[int, Rows]) -> Iterator[str]:
    """Questions that should differ and do not."""
    texts: dict[str, int] = {}
    queries: dict[str, Question] = {}
    pairs: dict[str, list[Question]] = defaultdict(list)
    for question in system.questions:
        for _, text in wordings(vars(question)):
            same = texts.setdefault(text.casefold(), question.number)
            if same != question.number:
                yield f"question {question.number}: the wording of {same} again: {text}"
        if question.sql:
            key = " ".join(question.sql.split()).casefold()
            first = queries.setdefault(key, question)
            if first is not question:
                yield f"question {question.number}: the SQL of {first.number} again"
        if question.pair:
            pairs[question.pair].append(question)
    for name, members in pairs.items():
        if len(members) < 2:
            yield f"question {members[0].number}: the only one of the pair {name}"
        for at, one in enumerate(members):
            for other in members[at + 1 :]:
                if one.number in rows and other.number in rows and rows[one.number] == rows[other.number]:
                    yield f"question {other.number}: the rows of {one.number}, its pair {name}"


def grams(text: str) -> set[str]:
    """Groups of three English words or four Chinese signs, digits left out."""
    plain = re.sub(r"\d+", "0", text.casefold())
    if CHINESE.search(plain):
        signs = re.sub(r"[\W_]+", "", plain)
        return {signs[at : at + 4] for at in range(len(signs) - 3)}
    words = re.findall(r"\w+", plain)
    return {" ".join(words[at : at + 3]) for at in range(len(words) - 2)}


def find_copies(systems: Sequence[System], others: Sequence[System]) -> Iterator[str]:
    """Questions and sets of tables that are nearly those of another; `others` are compared with, not judged."""
    entries = [
        (system, question, text, grams(text))
        for system in [*others, *systems]
        for question in system.questions
        for _, text in wordings(vars(question))
    ]
    judged = {id(system) for system in systems}
    index: dict[str, list[int]] = defaultdict(list)
    for at, (system, question, text, own) in enumerate(entries):
        if len(own) < FEWEST_GRAMS:
            continue
        if id(system) in judged:
            common = Counter(place for gram in own for place in index[gram] if len(index[gram]) <= COMMON)
            for place, count in common.most_common(20):
                theirs, twin, words, grams_there = entries[place]
                if theirs is system and (twin is question or (twin.pair and twin.pair == question.pair)):
                    continue
                share = count / len(own | grams_there)
                if share > (LIKE_WITHIN if theirs is system else LIKE_ACROSS):
                    where = "" if theirs is system else f" of {theirs.db_id}"
                    yield f"{system.file}: question {question.number}: much like {twin.number}{where}: {text} | {words}"
                    break
        for gram in own:
            index[gram].append(at)
    yield from find_same_tables(systems, others)


def find_same_tables(systems: Sequence[System], others: Sequence[System]) -> Iterator[str]:
    """Databases whose tables have mostly the names of another's."""
    seen: list[tuple[System, set[str]]] = [(system, table_names(system)) for system in others]
    for system in systems:
        own = table_names(system)
        for other, names in seen:
            if other.db_id == system.db_id and other.file.resolve() != system.file.resolve():
                yield f"{system.file}: the db_id of {other.file}"
            if len(own) > 2 and len(own & names) / len(own | names) >= LIKE_TABLES:
                yield f"{system.file}: mostly the tables of {other.db_id}: {', '.join(sorted(own & names))}"
        seen.append((system, own))


def table_names(system: System) -> set[str]:
    """The names of the tables, small."""
    return {table.name.casefold() for table in system.tables}
