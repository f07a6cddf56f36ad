"""Check descriptions written by hand: every SQL runs and finds rows, the form can say it, the question says its literals.

    python -m training.written training/data/general [--last 2]

Prints one line a problem and a count of what is good; a question with a problem is left out of the training data.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inquery.form.name_words import NameMap
from inquery.form.reader import read_form
from inquery.llm.embedded.spoken import spoken_names
from training.business import build, problems, specs
from training.coverage import Database, round_trip
from training.prepare import render_question, tables_of, values_of
from training.seeds import describe, wordings


def unsaid(group: dict[str, Any], question: dict[str, Any], form: str) -> Iterator[str]:
    """Wordings from which code cannot read what the form needs."""
    tables = tables_of(group)
    index = values_of(group)
    for language, text in wordings(question):
        tally = Counter[str]()
        names = spoken_names(tables, language)
        query = read_form(form, NameMap(tables))
        if render_question({"question": text, "lang": language}, query, tables, names, index, None, tally) is None:
            yield f"{', '.join(tally)} ({language}): {text} | {form}"


def check(spec: dict[str, Any]) -> tuple[int, list[str]]:
    """How many wordings are good, and what is wrong with the rest."""
    found = list(problems(spec))
    good = 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "database.sqlite"
        build(spec, str(file)).close()
        database = Database(file)
        group = describe(database)
        for question in spec["questions"]:
            form, problem = round_trip(database, question["sql"])
            if problem:
                found.append(f"no form, {problem}: {question['sql']}")
                continue
            missing = list(unsaid(group, question, form))
            found += missing
            good += len(list(wordings(question))) - len(missing)
        database.connection.close()
    return good, found


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", type=Path)
    parser.add_argument("--last", type=int, default=0, help="only the last databases")
    args = parser.parse_args()
    total, questions = 0, 0
    described = list(specs(args.specs))
    for spec in described[-args.last :] if args.last else described:
        good, found = check(spec)
        total += good
        questions += len(spec["questions"])
        for problem in found:
            print(f"{spec['db_id']}: {problem}")
    print(f"{len(described)} databases; checked {questions} questions, {total} good wordings")


if __name__ == "__main__":
    main()
