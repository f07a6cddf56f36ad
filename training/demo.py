"""Questions over the demo database as a group, with its glossary: measures as columns, phrases and value mappings.

    python -m training.demo --out demo.groups.jsonl [--questions training/data/demo.jsonl]

A line of the questions: {"en"?, "en2"?, "zh"?, "zh2"?, "sql"}, where the SQL names a measure as a column of its first
table (`SUM(order_items.revenue)`). Half of what a measure means, its tables and condition, is added by code.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inquery.demo.build import build_demo
from inquery.demo.knowledge import comments, glossary, mappings
from inquery.form.from_sql import Unsupported, from_sql
from inquery.form.join_paths import FormSchema
from inquery.form.name_words import FormError, NameMap
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.form.to_sql import to_sql
from inquery.knowledge.glossary import Glossary
from inquery.llm.embedded.measures import expanded, understood, with_measures
from inquery.llm.writer import Measure
from training.coverage import Database
from training.prepare import TODAY
from training.seeds import describe, wordings

QUESTIONS = Path(__file__).parent / "data" / "demo.jsonl"


class Demo:
    """The demo database as the writer is shown it."""

    def __init__(self, file: Path) -> None:
        self.database = Database(file)
        self.glossary = Glossary.model_validate(glossary())
        metrics = self.glossary.metrics.items()
        measures = [Measure(name, m.expression, m.filter, m.tables) for name, m in metrics if m.tables]
        self.meanings = understood(measures, self.database.schema)
        self.tables = with_measures(tuple(self.database.schema.tables.values()), self.meanings)
        self.shown = FormSchema(self.tables)
        self.names = NameMap(self.tables)

    def form(self, sql: str) -> tuple[str, str]:
        """The form's text and the SQL it stands for; raises FormError or Unsupported."""
        text = write(from_sql(sql, self.shown, self._has_nulls), self.names)
        return text, to_sql(expanded(read_form(text, self.names), self.meanings), self.database.schema)

    def _has_nulls(self, table: str, column: str) -> bool:
        return (table, column) not in self.meanings and self.database.has_nulls(table, column)

    def phrases(self, question: str) -> list[tuple[str, str]]:
        """Words of the question that the glossary knows as a table or a metric."""
        named = [(word, name) for word, kind, name in self.glossary.named(question) if kind in {"table", "metric"}]
        folded = question.casefold()
        return sorted(dict.fromkeys(named), key=lambda pair: folded.find(pair[0]))

    def described(self) -> dict[str, Any]:
        """Tables with comments, samples and measures, values, and phrases that mean a value."""
        about = comments()
        group = describe(self.database)
        for table in group["tables"]:
            table["comment"] = about.get((table["name"], None), "")
            for column in table["columns"]:
                column["comment"] = about.get((table["name"], column["name"]), "")
            table["columns"] += [
                {"name": name, "type": "REAL", "pk": False, "samples": [], "fk": None}
                for owner, name in self.meanings
                if owner == table["name"]
            ]
        group["mappings"] = [[phrase, *target] for phrase, targets in mappings().items() for target in targets]
        return group


def questions(demo: Demo, lines: Iterator[dict[str, Any]], tally: Counter[str]) -> Iterator[dict[str, Any]]:
    """Every wording whose SQL has a form that runs."""
    for item in lines:
        try:
            form, sql = demo.form(item["sql"])
            rows = demo.database.connection.execute(sql).fetchall()
        except (Unsupported, FormError, sqlite3.Error) as error:
            tally[f"no form: {error}: {item['sql']}"] += 1
            continue
        if not rows or rows == [(None,)]:
            tally[f"no rows: {item['sql']}"] += 1
        for lang, text in wordings(item):
            tally["wordings"] += 1
            yield {"lang": lang, "question": text, "form": form, "sql": sql, "phrases": demo.phrases(text)}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    tally = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "demo.sqlite"
        build_demo(file, today=TODAY)
        demo = Demo(file)
        lines = (json.loads(line) for line in args.questions.read_text("utf-8").splitlines() if line.strip())
        made = list(questions(demo, lines, tally))
        group = {"schema_id": "demo", "split": "train", "shipped": True, **demo.described(), "questions": made}
        demo.database.connection.close()
    args.out.write_text(json.dumps(group, ensure_ascii=False) + "\n", "utf-8")
    for reason, number in tally.most_common():
        print(number, reason)


if __name__ == "__main__":
    main()
