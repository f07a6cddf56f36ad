"""How many free questions about the demo database are answered rightly by the model of the settings.

    python -m benchmarks.demo_answers [--masked] [--out answers.jsonl]

Forty questions, half of them Chinese, that no training data holds; the right SQL has relative days as parameters. The
whole graph answers, as `inquery ask` does; rows are compared as they are, and an answer may show the figure it ranks by besides
what was asked. With `--masked` the writer is shown what a remote model would be: cells without e-mail addresses, phone,
identity and card numbers; the difference is what masking costs.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import statistics
import time
from pathlib import Path

from benchmarks.items import rows_of

from inquery.client import Inquery
from inquery.demo.build import ensure_demo
from inquery.evals.compare import RunFailed, is_ordered, same_rows
from inquery.llm.privacy import guarded
from inquery.llm.writer import Candidate, Failure, SqlWriter, WriteRequest
from inquery.llm.writers import writer_for
from inquery.settings import LLMSettings, get_settings

QUESTIONS = Path(__file__).parent / "data" / "demo_held.jsonl"


def days(today: datetime.date) -> dict[str, datetime.date]:
    """What the parameters of the right SQL mean today."""
    this_month = today.replace(day=1)
    november = datetime.date(today.year - 1, 11, 1)
    return {
        "this_month": this_month,
        "last_month": (this_month - datetime.timedelta(days=1)).replace(day=1),
        "this_year": datetime.date(today.year, 1, 1),
        "tomorrow": today + datetime.timedelta(days=1),
        "days_30": today - datetime.timedelta(days=29),
        "last_november": november,
        "last_december": november.replace(month=12),
    }


def right_sql(text: str, today: datetime.date) -> str:
    """The right SQL with its days written in."""
    known = days(today)
    return re.sub(r":(\w+)", lambda m: f"'{known[m[1]]}'", text)


def is_right(gold: str, sql: str, path: Path) -> bool:
    """Whether a statement gives the right rows, perhaps with its ranking figure beside them."""
    with rows_of(path) as rows:
        try:
            expected, got = rows(gold), rows(sql)
        except RunFailed:
            return False
    if same_rows(expected, got, ordered=is_ordered(gold)):
        return True
    one_more = len(expected) == len(got) and got and expected and len(got[0]) == len(expected[0]) + 1
    return bool(one_more) and [row[: len(expected[0])] for row in got] == expected


class Masked:
    """The writer of the settings, shown what a model elsewhere would be; counts the requests that masking changed."""

    def __init__(self, writer: SqlWriter) -> None:
        self._writer = writer
        self._elsewhere = LLMSettings(provider="openai", model="m", base_url="https://models.example.com/v1")
        self.changed = 0

    async def write(self, request: WriteRequest) -> list[Candidate]:
        """Candidates from what is left of the request."""
        return await self._writer.write(self._seen(request))

    async def repair(self, request: WriteRequest, failed: Failure) -> list[Candidate]:
        """Candidates that avoid a failure, from what is left of the request."""
        return await self._writer.repair(self._seen(request), failed)

    def _seen(self, request: WriteRequest) -> WriteRequest:
        seen = guarded(request, self._elsewhere, "full")
        self.changed += seen != request
        return seen


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--masked", action="store_true", help="show the writer what a remote model would be shown")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    today = datetime.date.today()
    path = ensure_demo(get_settings().home, today)
    found = []
    masked = Masked(writer_for(get_settings().llm)) if args.masked else None
    with Inquery.connect("demo", writer=masked) as inquery:
        for line in QUESTIONS.read_text("utf-8").splitlines():
            item = json.loads(line)
            started = time.perf_counter()
            answer = inquery.ask(item["question"], can_ask=False, refresh=True)
            seconds = time.perf_counter() - started
            good = bool(answer.sql) and is_right(right_sql(item["sql"], today), answer.sql or "", path)
            language = "en" if item["question"].isascii() else "zh"
            found.append(
                {"question": item["question"], "language": language, "sql": answer.sql, "right": good, "s": seconds}
            )
            print("right" if good else "WRONG", item["question"], "" if good else f"| {answer.sql or answer.text}")
    if args.out:
        args.out.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in found), "utf-8")
    for language in ("en", "zh"):
        own = [each for each in found if each["language"] == language]
        print(language, sum(each["right"] for each in own), "of", len(own))
    if masked:
        print("requests that masking changed:", masked.changed)
    print("p50", round(statistics.median(each["s"] for each in found), 2), "s")


if __name__ == "__main__":
    main()
