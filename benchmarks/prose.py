"""How much of the prose of answers is fit to be read: with its figure and unit, without names of the database, short.

    inquery eval product QUESTIONS --databases D --out answers.jsonl
    python -m benchmarks.prose answers.jsonl… [--show N] [--json]

Reads what `inquery eval product --out` wrote. Only what was shown as an answer counts; whether it was right is another matter.
Rows after the first twenty are not kept there, so that a figure from further down (a total, a lowest) is not required.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inquery.answers.answer import AnswerColumn
from inquery.answers.prose_check import check_prose


@dataclass(slots=True)
class Tally:
    """What was found in a set, by language."""

    answers: int = 0
    fit: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    examples: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, answer: Mapping[str, Any]) -> None:
        """Count one answer."""
        columns = [AnswerColumn(**column) for column in answer["columns"]]
        found = check_prose(str(answer["text"]), columns, answer["rows"])
        self.answers += 1
        self.fit += not found
        self.faults.update(found)
        self.examples += [(fault, str(answer["question"]), str(answer["text"])) for fault in found]


def tallies_of(answers: Iterable[Mapping[str, Any]]) -> dict[str, Tally]:
    """The tallies of a set by language, of what was answered."""
    found: dict[str, Tally] = {}
    for answer in answers:
        if answer["status"] == "answered" and answer.get("columns"):
            found.setdefault(str(answer["language"]), Tally()).add(answer)
    return found


def read_answers(path: Path) -> list[Mapping[str, Any]]:
    """The outcomes of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the share that is fit and the faults by kind, for each file and language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print that many faulty texts of each set")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    told: dict[str, dict[str, Any]] = {}
    for path in given.files:
        for language, tally in sorted(tallies_of(read_answers(path)).items()):
            share = round(tally.fit / tally.answers, 4)
            told[f"{path.stem} {language}"] = {"n": tally.answers, "fit": share, "faults": dict(tally.faults)}
            if not given.json:
                faults = ", ".join(f"{fault} {count}" for fault, count in tally.faults.most_common()) or "none"
                print(f"{path.stem} {language}: {tally.fit} of {tally.answers} fit ({share:.1%}); faults: {faults}")
                for fault, question, text in tally.examples[: given.show]:
                    print(f"  [{fault}] {question}\n      {text}")
    if given.json:
        print(json.dumps(told, ensure_ascii=False))


if __name__ == "__main__":
    main()
