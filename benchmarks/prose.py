"""How much of the prose of answers is fit to be read: with its figure and unit, without names of the database, short.

    inquery eval product QUESTIONS --databases D --out answers.jsonl
    python -m benchmarks.prose answers.jsonl… [--show N] [--json] [--write]

Reads what `inquery eval product --out` or `benchmarks.judge collect` wrote; `--write` keeps the figures, from which
`python -m benchmarks.table` writes their table. Only what was shown as an answer counts; whether it was right is another matter.
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

from benchmarks.machine import RESULTS, facts, keep

from inquery.answers.answer import AnswerColumn
from inquery.answers.prose_check import check_prose

KEPT_ROWS = 20
"""What `inquery eval product` keeps of a result."""


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
        whole = len(answer["rows"]) < KEPT_ROWS  # else a name from further down would be taken for a foreign word
        found = check_prose(str(answer["text"]), columns, answer["rows"], answer["language"] if whole else "")
        self.answers += 1
        self.fit += not found
        self.faults.update(found)
        self.examples += [(fault, str(answer["question"]), str(answer["text"])) for fault in found]


def tallies_of(answers: Iterable[Mapping[str, Any]], name: str) -> dict[tuple[str, str], Tally]:
    """The tallies by set and language, of what was answered; `name` is that of answers which name no set."""
    found: dict[tuple[str, str], Tally] = {}
    for answer in answers:
        if answer["status"] == "answered" and answer.get("columns"):
            found.setdefault((str(answer.get("set", name)), str(answer["language"])), Tally()).add(answer)
    return found


def tell_faults(faults: Mapping[str, int]) -> str:
    """Faults with how often each was found."""
    return ", ".join(f"{fault} {count}" for fault, count in faults.items()) or "none"


def read_answers(path: Path) -> list[Mapping[str, Any]]:
    """The outcomes of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the share that is fit and the faults by kind, for each file and language."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print that many faulty texts of each set")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="keep the figures as results")
    given = parser.parse_args(arguments)
    machine = facts()
    told: list[dict[str, Any]] = []
    for path in given.files:
        for (name, language), tally in sorted(tallies_of(read_answers(path), path.stem).items()):
            share = round(tally.fit / tally.answers, 4)
            figures = {"n": tally.answers, "fit": share, "faults": dict(tally.faults.most_common())}
            told.append({"set": name, "language": language, **figures})
            if not given.json:
                print(
                    f"{name} {language}: {tally.fit} of {tally.answers} fit ({share:.1%}); faults: {tell_faults(tally.faults)}"
                )
                for fault, question, text in tally.examples[: given.show]:
                    print(f"  [{fault}] {question}\n      {text}")
    if given.json:
        print(json.dumps(told, ensure_ascii=False))
    if given.write:
        keep(RESULTS / "prose.json", "prose", machine, {}, rows=told)


if __name__ == "__main__":
    main()
