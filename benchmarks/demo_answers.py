"""How many free questions about the demo database are answered rightly by the model of the settings.

    python -m benchmarks.demo_answers [--out answers.jsonl]

Forty questions, half of them Chinese, that no training data holds; the right SQL has relative days as parameters. The
whole graph answers, as `inquery ask` does; rows are compared as they are, and an answer may show the figure it ranks by besides
what was asked.
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
from inquery.settings import get_settings

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


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    today = datetime.date.today()
    path = ensure_demo(get_settings().home, today)
    found = []
    with Inquery.connect("demo") as inquery:
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
    print("p50", round(statistics.median(each["s"] for each in found), 2), "s")


if __name__ == "__main__":
    main()
