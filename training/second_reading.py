"""A second reading: an independent reader answers the questions of described databases without seeing their SQL.

    python -m training.second_reading sheet FILES… --language en --out SHEET.md      what the reader gets
    python -m training.second_reading compare FILES… --answers A.jsonl --out V.jsonl      run both, say where they agree
    python -m training.second_reading apply FILES… --verdicts V.jsonl      set `read: agreed` or `read: differs` in the files

The reader writes a line {"db_id", "n", "sql"} a question, sql null where the database cannot say. Answers agree when they
have the same rows in any order; the reader may show up to two further columns, order them otherwise and round figures.
Training uses only what agreed.
"""

from __future__ import annotations

import argparse
import json
import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path

import yaml

from inquery.evals.compare import same_rows
from training.columns import quote
from training.judge import Rows, run
from training.systems import Question, System, TableText, build, find_files, read_systems

SMALL = 20
"""Tables up to so many rows are shown whole."""
SAMPLES = 4
LONGEST = 40
FURTHER_COLUMNS = 2
PLACES = (1, 2, 3, 4)
"""Decimals that a rounding may have left; none only of large figures."""
LARGE = 100


@dataclass
class Verdict:
    """What became of one question."""

    db_id: str
    n: int
    kind: str
    verdict: str
    why: str = ""


def write_sheet(systems: Iterable[System], language: str) -> str:
    """Schema and questions for the reader."""
    lines = [
        "# Questions to answer in SQL",
        "",
        'Write one JSON line a question to the answers file: {"db_id": …, "n": …, "sql": …}. SQLite. `sql` is null where the',
        "database cannot answer. Show what is asked for, names rather than ids; order only where it is asked for.",
    ]
    for system in systems:
        database = build(system)
        lines += ["", f"## {system.db_id}", "", f"Today is {system.today}.", ""]
        for table in system.tables:
            lines += show_table(table, database)
        lines += ["", f"Questions about {system.db_id}:", ""]
        lines += [f"{q.number}. {q.en if language == 'en' else q.zh}" for q in system.questions]
        database.close()
    return "\n".join(lines) + "\n"


def show_table(table: TableText, database: sqlite3.Connection) -> list[str]:
    """Columns with keys, comments and sample values; a small table whole."""
    count = database.execute(f"SELECT COUNT(*) FROM {quote(table.name)}").fetchone()[0]
    lines = [f"### {table.name} ({count} rows)" + (f": {table.comment}" if table.comment else "")]
    whole = count <= SMALL
    for column in table.columns:
        parts = [f"- {quote(column.name)} {column.type}"]
        parts += ["primary key"] if column.pk else []
        parts += [f"references {column.fk[0]}.{column.fk[1]}"] if column.fk else []
        parts += [f"-- {column.comment}"] if column.comment else []
        parts += [] if whole else [f"e.g. {sample_values(table.name, column.name, database)}"]
        lines.append(" ".join(parts))
    if whole:
        rows = database.execute(f"SELECT * FROM {quote(table.name)}").fetchall()
        lines += ["", *("    " + json.dumps(row, ensure_ascii=False)[1:-1] for row in rows), ""]
    return lines


def sample_values(table: str, column: str, database: sqlite3.Connection) -> str:
    """The most frequent values, all of them where they are few."""
    name = quote(column)
    sql = f"SELECT {name}, COUNT(*) FROM {quote(table)} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {3 * SAMPLES + 1}"
    values = [row[0] for row in database.execute(sql)]
    shown = values if len(values) <= 3 * SAMPLES else values[:SAMPLES]
    texts = [json.dumps(value, ensure_ascii=False)[:LONGEST] for value in shown]
    return ", ".join(texts) + ("" if len(values) <= 3 * SAMPLES else ", …")


def compare(systems: Iterable[System], answers: dict[tuple[str, int], str | None]) -> Iterator[Verdict]:
    """A verdict on every question that was answered."""
    for system in systems:
        database = build(system)
        for question in system.questions:
            if (system.db_id, question.number) in answers:
                why = difference(question, answers[system.db_id, question.number], database)
                verdict = "differs" if why else "agreed"
                yield Verdict(system.db_id, question.number, question.kind, verdict, why)
        database.close()


def difference(question: Question, answer: str | None, database: sqlite3.Connection) -> str:
    """Why an answer is not the author's; empty where it is."""
    if question.sql is None or answer is None:
        if question.sql is None and answer is None:
            return ""
        return "the reader found an answer" if question.sql is None else "the reader found no answer"
    expected, _ = run(database, question.sql)
    try:
        found, _ = run(database, answer)
    except sqlite3.Error as error:
        return f"the reader's SQL fails: {error}"
    if answers_agree(expected, found):
        return ""
    return f"rows differ: {expected[:3]} ({len(expected)}) | {found[:3]} ({len(found)})"


def answers_agree(expected: Rows, found: Rows) -> bool:
    """Whether both have the same rows, apart from further columns and rounding."""
    if len(expected) != len(found):
        return False
    if not expected:
        return True
    # What the reader leaves out was perhaps not asked for, and must not be learned.
    if not 0 <= len(found[0]) - len(expected[0]) <= FURTHER_COLUMNS:
        return False
    return any(columns_agree(expected, chosen) for chosen in column_choices(expected, found))


def column_choices(few: Rows, many: Rows) -> Iterator[Rows]:
    """The wider result cut to as many columns as the other has, those that can match first."""
    width = len(few[0])
    bags = [[rounded_bag(rows, at) for at in range(len(rows[0]))] for rows in (few, many)]
    fitting = [[at for at, bag in enumerate(bags[1]) if bags_agree(wanted, bag)] for wanted in bags[0]]
    if not all(fitting):
        return
    tried = 0
    for chosen in permutations(range(len(many[0])), width):
        if all(at in fits for at, fits in zip(chosen, fitting, strict=True)):
            yield [tuple(row[at] for at in chosen) for row in many]
            tried += 1
            if tried > 200:
                return


def rounded_bag(rows: Rows, at: int) -> list[object]:
    """The cells of a column, sorted so that rounding does not matter."""
    return sorted(
        (row[at] for row in rows), key=lambda cell: (cell is None, isinstance(cell, str), 0 if cell is None else cell)
    )


def bags_agree(one: list[object], other: list[object]) -> bool:
    """Whether two columns have the same cells but for rounding."""
    return all(cells_agree(a, b) for a, b in zip(one, other, strict=True))


def cells_agree(one: object, other: object) -> bool:
    """Equal, or the one a rounding of the other."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        if math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9):
            return True
        if isinstance(one, int) and isinstance(other, int):
            return False
        return any(
            math.isclose(round(float(a), places), b, rel_tol=1e-9, abs_tol=1e-9)
            for places in (PLACES if abs(one) < LARGE else (0, *PLACES))
            for a, b in ((one, other), (other, one))
        )
    return one == other


def columns_agree(few: Rows, many: Rows) -> bool:
    """Rows of equal width, in any order, rounding allowed."""
    if same_rows(few, many, ordered=False):
        return True
    order = [
        sorted(rows, key=lambda row: [(isinstance(c, str), c is None, c or 0) for c in row]) for rows in (few, many)
    ]
    return all(all(map(cells_agree, a, b)) for a, b in zip(*order, strict=True)) or match_rows(few, many)


def match_rows(few: Rows, many: Rows) -> bool:
    """Each row finds one of its own on the other side; for rounded figures that sort differently."""
    left = list(many)
    for row in few:
        twin = next((other for other in left if all(map(cells_agree, row, other))), None)
        if twin is None:
            return False
        left.remove(twin)
    return True


def agreement_table(verdicts: Sequence[Verdict]) -> list[str]:
    """By kind, how many agreed."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for verdict in verdicts:
        for kind in (verdict.kind, "all"):
            kinds[kind][verdict.verdict] += 1
    lines = []
    for kind, counts in sorted(kinds.items(), key=lambda item: -item[1].total()):
        lines.append(
            f"{kind:16s} {counts['agreed']:5d} of {counts.total():5d}  {100 * counts['agreed'] / counts.total():.0f}%"
        )
    return lines


def apply_verdicts(file: Path, verdicts: dict[int, str]) -> int:
    """Set `read` in the entries of a file without touching its other lines; returns how many."""
    text = file.read_text("utf-8")
    lines = text.splitlines(keepends=True)
    root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    questions = next(value for key, value in root.value if key.value == "questions")
    changed = 0
    for number, entry in reversed(list(enumerate(questions.value, 1))):
        verdict = verdicts.get(number)
        if not verdict:
            continue
        keys = {key.value: (key, value) for key, value in entry.value}
        if "read" in keys:
            key, value = keys["read"]
            line = lines[value.start_mark.line]
            lines[value.start_mark.line] = line[: value.start_mark.column] + verdict + line[value.end_mark.column :]
        else:
            key, value = keys["kind"]
            lines.insert(value.start_mark.line + 1, " " * key.start_mark.column + f"read: {verdict}\n")
        changed += 1
    file.write_text("".join(lines), "utf-8")
    return changed


def merge_verdicts(files: Iterable[Path]) -> dict[str, dict[int, str]]:
    """The verdict on every question, by database; one reading that differs outweighs those that agree."""
    said: dict[str, dict[int, str]] = defaultdict(dict)
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            verdict = json.loads(line)
            if said[verdict["db_id"]].get(verdict["n"]) != "differs":
                said[verdict["db_id"]][verdict["n"]] = verdict["verdict"]
    return said


def read_answers(file: Path) -> dict[tuple[str, int], str | None]:
    """The reader's lines; the last one of a question counts."""
    found: dict[tuple[str, int], str | None] = {}
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if line.strip():
            try:
                answer = json.loads(line)
                found[answer["db_id"], int(answer["n"])] = answer["sql"]
            except (ValueError, KeyError, TypeError) as error:
                raise SystemExit(f"{file}:{number}: {error!r}: {line}") from error
    return found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    sheet, judged, applied = (commands.add_parser(name) for name in ("sheet", "compare", "apply"))
    for command in (sheet, judged, applied):
        command.add_argument("files", nargs="+", type=Path)
    sheet.add_argument("--language", choices=["en", "zh"], required=True)
    judged.add_argument("--answers", type=Path, required=True)
    for command in (sheet, judged):
        command.add_argument("--out", type=Path, required=True)
    applied.add_argument("--verdicts", nargs="+", type=Path, required=True, help="agreed only where all of them agree")
    args = parser.parse_args()
    files = find_files(args.files)
    if args.command == "sheet":
        args.out.write_text(write_sheet(read_systems(files), args.language), "utf-8")
    elif args.command == "compare":
        verdicts = list(compare(read_systems(files), read_answers(args.answers)))
        lines = (json.dumps(asdict(verdict), ensure_ascii=False) + "\n" for verdict in verdicts)
        args.out.write_text("".join(lines), "utf-8")
        print("\n".join(agreement_table(verdicts)))
    else:
        said = merge_verdicts(args.verdicts)
        changed = sum(apply_verdicts(file, said.get(file.stem, {})) for file in files)
        print(f"{changed} questions marked")


if __name__ == "__main__":
    main()
