"""The rows of an evaluation on disk: what a later run continues, as long as model and code are the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import inquery


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """The outcome of one question; `refused` is the guard's rule for the statement, `run` model and code.

    `unknown_names` counts statements, also those not chosen, that name what does not exist.
    """

    db_id: str
    question: str
    sql: str
    gold: str
    correct: bool
    error: str
    ms: float
    hardness: str = ""
    refused: str = ""
    unknown_names: int = 0
    gold_refused: str = ""
    model_calls: int = 0
    run: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes a question the same one in a later run."""
        return self.db_id, self.question, self.gold


@lru_cache(maxsize=1)
def code_digest() -> str:
    """A digest of every source and data file of the package that can change an answer; weights have their own."""
    root = Path(inquery.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in {".py", ".md", ".tsv", ".yaml", ".txt"} and path.is_file():
            digest.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def run_name(model: str, options: Mapping[str, Any]) -> str:
    """The name that rows of one model, one code and one set of options carry."""
    text = json.dumps([model, code_digest(), dict(options)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Log:
    """A file of rows, one JSON object a line, written as they come."""

    def __init__(self, path: Path | None, run: str) -> None:
        self.path = path
        self.done: dict[tuple[str, str, str], OutcomeRow] = {}
        self.set_aside: Path | None = None
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            self._resume(path, run)

    def _resume(self, path: Path, run: str) -> None:
        """Take over the rows of the same run; a file of another run is set aside, not lost."""
        rows = list(read_rows(path.read_text("utf-8").splitlines()))
        kept = [row for row in rows if row.run == run]
        if len(kept) < len(rows):
            self.set_aside = path.with_name(path.name + ".old")
            path.replace(self.set_aside)
        self.done = {row.key: row for row in kept}
        # Written again so that a line cut short by a crash does not spoil the next one.
        path.write_text("".join(line(row) for row in kept), "utf-8")

    def add(self, row: OutcomeRow) -> None:
        """Write one row."""
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line(row))


def line(row: OutcomeRow) -> str:
    """A row as a line of the file."""
    return json.dumps(asdict(row), ensure_ascii=False) + "\n"


def read_rows(lines: Iterable[str]) -> Iterable[OutcomeRow]:
    """The rows of whole lines; anything else is skipped."""
    for text in lines:
        try:
            yield OutcomeRow(**json.loads(text))
        except (ValueError, TypeError):
            continue
