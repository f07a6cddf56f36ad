"""What a model wrote over databases it never saw, each statement with whether it is right: the next one learns to tell.

    python -m training.verdicts --groups systems.groups.jsonl --databases DIR --out verdicts.groups.jsonl

A line of the result is a group as `training.seeds` tells, with the model's own statements for forms and `right` beside each;
`training.prepare` renders them like any other. The model must not have been trained on these databases, and the next one is
not either but for the verdicts: whoever knows the answer by heart compares with it, and learns nothing about telling.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

from inquery.errors import InqueryError
from inquery.form.name_words import FormError, NameMap
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.llm.embedded.form_writer import EmbeddedWriter
from inquery.llm.embedded.spoken import as_stored
from inquery.llm.writer import Candidate, WriteRequest
from training.evaluate import Subject
from training.prepare import tables_of
from training.systems import FOLDER, FOR_VERDICTS, find_files, read_systems, write_database

CANDIDATES = 4
MOST_RIGHT, MOST_WRONG = 2, 3
"""Statements kept of one question: most of a beam is wrong, and a guess of `wrong` should not pay."""
MEASURED = 6
"""One database in so many is kept to measure the verdicts on."""


def form_of(candidate: Candidate, request: WriteRequest, writer: EmbeddedWriter, names: NameMap) -> str | None:
    """A statement as the form of its group: names as they are, values as they are stored."""
    view = writer.view(request)
    try:
        return write(as_stored(read_form(candidate.why, view.names), view.values, view.names), names)
    except FormError:
        return None


async def judged(
    item: dict[str, Any], subject: Subject, writer: EmbeddedWriter, names: NameMap
) -> list[dict[str, Any]]:
    """The statements of one question, the likeliest first, each with whether it is right."""
    request = subject.request(item, CANDIDATES)
    try:
        candidates = await writer.write(request)
    except InqueryError:
        return []
    found, counts = [], Counter[bool]()
    for candidate in candidates:
        right = bool(item["sql"]) and subject.judged(item["sql"], candidate)[1]
        form = form_of(candidate, request, writer, names)
        if form is None or counts[right] >= (MOST_RIGHT if right else MOST_WRONG):
            continue
        counts[right] += 1
        found.append({**item, "form": form, "right": right})
    return found


async def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", type=Path, required=True)
    parser.add_argument(
        "--only", type=Path, help="a file with names of databases, one a line; data/systems/verdicts.txt otherwise"
    )
    parser.add_argument("--model", default="", help="a model folder; the packaged one otherwise")
    parser.add_argument("--out", type=Path, required=True, help="databases that it has are not asked again")
    args = parser.parse_args()
    only = frozenset(args.only.read_text("utf-8").split()) if args.only else FOR_VERDICTS
    done = (
        {json.loads(line)["schema_id"] for line in args.out.read_text("utf-8").splitlines()}
        if args.out.exists()
        else set()
    )
    writer = EmbeddedWriter.load(args.model)
    systems = {system.db_id: system for system in read_systems(find_files([FOLDER]))}
    with tempfile.TemporaryDirectory() as folder:
        for line in args.groups.read_text("utf-8").splitlines():
            group = json.loads(line)
            name = group["schema_id"]
            if name in done or name not in only:
                continue
            write_database(systems[name], Path(folder))
            subject, names = Subject(group, Path(folder)), NameMap(tables_of(group))
            found = [each for item in group["questions"] for each in await judged(item, subject, writer, names)]
            split = "tune" if zlib.crc32(name.encode()) // 10 % MEASURED == 0 else "train"
            with args.out.open("a", encoding="utf-8") as out:
                out.write(json.dumps({**group, "split": split, "questions": found}, ensure_ascii=False) + "\n")
            print(name, len(group["questions"]), dict(Counter(each["right"] for each in found)), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
