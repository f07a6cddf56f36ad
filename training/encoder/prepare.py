"""Groups of texts that mean the same, one a line: {source, database, texts}.

    python -m training.encoder.prepare --spider questions.jsonl --business training/data/business \\
        --synthetic DIR [DIR …] --out groups.jsonl

Only the train split of Spider is read; the lexicon gives its terms as groups of their own.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from inquery.language.lexicon import lexicon
from training.descriptions import specs
from training.spider import CHINESE, chinese_by_line, read_questions

Group = dict[str, Any]


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file with one a line."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def grouped(source: str, database: str, pairs: Iterable[tuple[str, str]]) -> Iterator[Group]:
    """Texts by what they mean; one without a second wording still serves as a wrong answer."""
    found: dict[str, list[str]] = defaultdict(list)
    for meaning, text in pairs:
        if text and text not in found[meaning]:
            found[meaning].append(text)
    for texts in found.values():
        yield {"source": source, "database": database, "texts": texts}


def spider(questions: Path, chinese: Path = CHINESE, split: str = "train") -> Iterator[Group]:
    """Questions, paraphrases and Chinese wordings that share a query."""
    asked = read_questions(questions)
    in_chinese = chinese_by_line(asked, chinese)
    by_database: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for number, row in enumerate(asked):
        if row["split"] != split:
            continue
        for text in (row["question"], row["paraphrase"], in_chinese.get(number)):
            by_database[row["db_id"]].append((row["query"], text or ""))
    for database, pairs in by_database.items():
        yield from grouped("spider", database, pairs)


def business(schemas: Path) -> Iterator[Group]:
    """Each business question in both languages."""
    for schema in specs(schemas):
        pairs = [(q["sql"], text) for q in schema["questions"] for text in (q["en"], q["zh"])]
        yield from grouped("business", schema["db_id"], pairs)


def synthetic(folders: Iterable[Path]) -> Iterator[Group]:
    """Questions of the data engine that share a form."""
    for folder in folders:
        for shard in sorted(folder.glob("*.jsonl")):
            for schema in lines(shard):
                pairs = [(q["form"], q["question"]) for q in schema["questions"]]
                yield from grouped("synthetic", schema["schema_id"], pairs)


def terms() -> Iterator[Group]:
    """The lexicon, an English term and its Chinese words a group; forty neighbours count as one database."""
    for number, (term, words) in enumerate(lexicon().chinese.items()):
        yield {"source": "lexicon", "database": f"lexicon {number // 40}", "texts": [term, *words]}


def main() -> None:
    """Write the groups and count them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spider", type=Path, required=True)
    parser.add_argument("--chinese", type=Path, default=CHINESE)
    parser.add_argument("--business", type=Path)
    parser.add_argument("--synthetic", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    with args.out.open("w", encoding="utf-8") as file:
        parts = [spider(args.spider, args.chinese), synthetic(args.synthetic), terms()]
        for part in [*parts, business(args.business)] if args.business else parts:
            for group in part:
                counts[f"{group['source']} groups"] += 1
                counts[f"{group['source']} texts"] += len(group["texts"])
                file.write(json.dumps(group, ensure_ascii=False) + "\n")
    print(json.dumps(counts, indent=1))


if __name__ == "__main__":
    main()
