"""Spider's training questions, joined with Spider-Syn's paraphrases, and their Chinese wordings.

    python -m training.spider make --spider train_spider.json --syn TRAIN.json --out SPIDER [--databases database]
    python -m training.spider check SPIDER/questions.jsonl       whether it is the file that the rounds were trained on
    python -m training.spider chinese BY_LINE.jsonl --questions SPIDER/questions.jsonl --out training/data/spider-zh.jsonl

`make` reads Spider's train_spider.json, a list of {db_id, question, query, …}, and Spider-Syn's training file, a list of
{db_id, SpiderQuestion, SpiderSynQuestion, …}; with `--databases` it copies database/<db_id>/<db_id>.sqlite too. Files of
dev or test are refused by their names and by the databases they name, and nothing is written unless the result is
the file that the rounds were trained on, by its digest. `chinese` keys wordings that name a line number (`{id, question}`)
by database and question instead.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

DATA = Path(__file__).parent / "data"
DATABASES = DATA / "spider-databases.tsv"
"""Every database of Spider's training part: its split, how many questions, and the digest of their lines."""
CHINESE = DATA / "spider-zh.jsonl"
QUESTIONS_SHA256 = "6225314c2aa634b37ec8862f8485a611ace59ee7d40958e0f05b4997a9d10a8f"
"""Of questions.jsonl as every round was trained on it: 6,904 lines."""
LEFT_OUT = "left out"
"""The split of two databases that Spider trains on and the rounds never saw."""
DIGITS = 16
"""Hexadecimal digits kept of a digest where it tells questions or databases apart: 64 bits."""


class SpiderQuestion(TypedDict):
    """One line of questions.jsonl, in the order its fields are written."""

    db_id: str
    split: str
    question: str
    paraphrase: str | None
    query: str


class ChineseWording(TypedDict):
    """One line of spider-zh.jsonl; `english` is the digest of the English question, whose text is not ours to give."""

    db_id: str
    english: str
    chinese: str


class WrongFile(ValueError):
    """A file that is not Spider's or Spider-Syn's training part, or not in their format."""


@dataclass(frozen=True)
class TrainingDatabase:
    """A database of Spider's training part."""

    db_id: str
    split: str
    questions: int
    digest: str


def digest_of(text: str) -> str:
    """What tells one text from others."""
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def training_databases(path: Path = DATABASES) -> dict[str, TrainingDatabase]:
    """The databases of Spider's training part by name."""
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]
    return {name: TrainingDatabase(name, split, int(count), digest) for name, split, count, digest in rows}


def read_questions(path: Path) -> list[SpiderQuestion]:
    """The lines of questions.jsonl."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    """One JSON object a line, as all our data is written."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def read_original(path: Path, fields: Sequence[str], known: Mapping[str, TrainingDatabase]) -> list[dict[str, str]]:
    """The entries of one of the original files, or WrongFile; nothing of dev or test is ever taken."""
    name = path.name.lower()
    if "train" not in name or "others" in name or any(part in name for part in ("dev", "test")):
        raise WrongFile(f"{path.name}: only the training files of Spider and Spider-Syn are read, train_spider.json")
    entries = json.loads(path.read_text("utf-8"))
    if not isinstance(entries, list) or not all(
        isinstance(each, dict) and set(fields) <= each.keys() for each in entries
    ):
        raise WrongFile(f"{path.name}: not a list of objects with {', '.join(fields)}")
    strange = sorted({each["db_id"] for each in entries} - known.keys())
    if strange:
        raise WrongFile(f"{path.name}: not databases of Spider's training part: {', '.join(strange[:5])}")
    return [{field: each[field] for field in fields} for each in entries]


def joined(spider: Path, syn: Path, known: Mapping[str, TrainingDatabase]) -> Iterator[SpiderQuestion]:
    """Spider's questions in their order, each with its paraphrase; one that Spider-Syn left as it was has none."""
    reworded: dict[tuple[str, str], str] = {}
    for each in read_original(syn, ("db_id", "SpiderQuestion", "SpiderSynQuestion"), known):
        reworded.setdefault((each["db_id"], each["SpiderQuestion"].strip()), each["SpiderSynQuestion"])
    for each in read_original(spider, ("db_id", "question", "query"), known):
        split = known[each["db_id"]].split
        question = each["question"].strip()
        paraphrase = reworded.get((each["db_id"], question), question)
        if split != LEFT_OUT:
            yield {
                "db_id": each["db_id"],
                "split": split,
                "question": question,
                "paraphrase": None if paraphrase.strip() == question else paraphrase,
                "query": each["query"],
            }


def differing(questions: Iterable[SpiderQuestion], known: Mapping[str, TrainingDatabase]) -> list[str]:
    """The databases whose lines are not those that the rounds were trained on."""
    lines: dict[str, list[SpiderQuestion]] = defaultdict(list)
    for each in questions:
        lines[each["db_id"]].append(each)
    wanted = {name: database.digest for name, database in known.items() if database.split != LEFT_OUT}
    found = {name: digest_of(write_lines(rows)) for name, rows in lines.items()}
    return sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))


def require_known(text: str, source: str, known: Mapping[str, TrainingDatabase], sha256: str) -> None:
    """Raises WrongFile unless the text is that of questions.jsonl; it says in which databases to look."""
    if hashlib.sha256(text.encode()).hexdigest() == sha256:
        return
    others = differing([json.loads(line) for line in text.splitlines()], known)
    where = f"{len(others)} databases differ: {', '.join(others[:5])}" if others else "the order of databases differs"
    raise WrongFile(f"{source} is not what the rounds were trained on; {where}")


def make(spider: Path, syn: Path, out: Path, databases: Path | None = None, sha256: str = QUESTIONS_SHA256) -> None:
    """Write questions.jsonl, and copy the databases it asks about."""
    known = training_databases()
    text = write_lines(joined(spider, syn, known))
    require_known(text, f"what {spider.name} and {syn.name} give", known, sha256)
    (out / "databases").mkdir(parents=True, exist_ok=True)
    (out / "questions.jsonl").write_text(text, "utf-8")
    if databases:
        for name in [each.db_id for each in known.values() if each.split != LEFT_OUT]:
            shutil.copyfile(databases / name / f"{name}.sqlite", out / "databases" / f"{name}.sqlite")


def chinese_by_line(questions: Sequence[SpiderQuestion], path: Path = CHINESE) -> dict[int, str]:
    """The Chinese wording of a question by its place in `questions`; most share one with others of the same query.

    Spider asks nine questions twice. The first wording of a question goes to its first line, the second to its second.
    """
    said: dict[tuple[str, str], list[str]] = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        wording = json.loads(line)
        if "english" not in wording:
            raise WrongFile(f"{path.name} names questions by line; convert it: python -m training.spider chinese")
        said[wording["db_id"], wording["english"]].append(wording["chinese"])
    found: dict[int, str] = {}
    for number, each in enumerate(questions):
        if waiting := said.get((each["db_id"], digest_of(each["question"]))):
            found[number] = waiting.pop(0)
    return found


def keyed_by_question(by_line: Path, questions: Sequence[SpiderQuestion]) -> Iterator[ChineseWording]:
    """Wordings that name the line of a question as wordings that name the question."""
    for line in by_line.read_text("utf-8").splitlines():
        wording = json.loads(line)
        asked = questions[wording["id"]]
        yield {"db_id": asked["db_id"], "english": digest_of(asked["question"]), "chinese": wording["question"]}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="questions.jsonl from the original training files")
    making.add_argument("--spider", type=Path, required=True, help="Spider's train_spider.json")
    making.add_argument("--syn", type=Path, required=True, help="Spider-Syn's training file")
    making.add_argument("--out", type=Path, required=True, help="the folder that training/README.md calls SPIDER")
    making.add_argument("--databases", type=Path, help="Spider's folder database, to copy from")
    checking = commands.add_parser("check", help="compare a questions.jsonl with the one of the rounds")
    checking.add_argument("questions", type=Path)
    keying = commands.add_parser("chinese", help="key wordings by question that are keyed by line")
    keying.add_argument("by_line", type=Path)
    keying.add_argument("--questions", type=Path, required=True)
    keying.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    try:
        if args.command == "make":
            make(args.spider, args.syn, args.out, args.databases)
        elif args.command == "check":
            text = args.questions.read_text("utf-8")
            require_known(text, args.questions.name, training_databases(), QUESTIONS_SHA256)
        else:
            args.out.write_text(write_lines(keyed_by_question(args.by_line, read_questions(args.questions))), "utf-8")
    except WrongFile as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
