"""A small library in the formats of the given data: Spider's folder with Chinese wordings, and one business database."""

import json
import sqlite3
from pathlib import Path
from typing import Any

from training.spider import digest_of

ROOT = Path(__file__).parents[2]
ROWS = """
create table author (author_id integer primary key, name text, country text, born integer);
create table book (book_id integer primary key, author_id integer references author(author_id), title text, genre text,
  pages integer, published date);
insert into author values (1, 'Ann Lee', 'France', 1970), (2, 'Bo Chen', 'China', 1981), (3, 'Cy Twist', 'France', 1965),
  (4, 'Di Marco', 'Italy', 1990);
insert into book values (1, 1, 'Blue Night', 'novel', 320, '2023-03-01'), (2, 1, 'Low Tide', 'poetry', 90, '2024-05-20'),
  (3, 2, 'Long River', 'novel', 410, '2024-08-09'), (4, 3, 'Stone', 'essay', 150, '2022-01-15'),
  (5, 4, 'Alba', 'novel', 275, '2024-11-30'), (6, 2, 'Tea', 'essay', 130, '2023-07-07');
"""
QUESTIONS = [
    ("How many authors are there?", "What is the number of writers?", "有多少位作者？", "SELECT count(*) FROM author"),
    ("List the titles of all novels.", None, "列出所有小说（novel）的书名。", "SELECT title FROM book WHERE genre = 'novel'"),
    ("What are the names of authors from France?", "Name the writers from France.", "来自 France 的作者叫什么名字？",
     "SELECT name FROM author WHERE country = 'France'"),
    ("How many books does each genre have?", None, "每种体裁有多少本书？", "SELECT genre, count(*) FROM book GROUP BY genre"),
    ("Which author wrote the most books?", None, "哪位作者写的书最多？",
     "SELECT T1.name FROM author AS T1 JOIN book AS T2 ON T1.author_id = T2.author_id GROUP BY T1.author_id "
     "ORDER BY count(*) DESC LIMIT 1"),
    ("List the titles of books with more than 200 pages.", None, "列出超过 200 页的书名。",
     "SELECT title FROM book WHERE pages > 200"),
    ("How many books were published in 2024?", None, "2024 年出版了多少本书？",
     "SELECT count(*) FROM book WHERE published >= '2024-01-01' AND published < '2025-01-01'"),
    ("A query the form cannot say.", None, None, "SELECT upper(name) FROM author"),
]  # fmt: skip


def make_database(path: Path) -> Path:
    """The library as a SQLite file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript(ROWS)
    connection.close()
    return path


def make_spider(folder: Path) -> tuple[Path, Path]:
    """(folder as Spider's, file of Chinese wordings): one database to train on, the same again to measure on."""
    lines, chinese = [], []
    for split in ("train", "tune"):
        make_database(folder / "databases" / f"library_{split}.sqlite")
        for english, paraphrase, wording, sql in QUESTIONS:
            item = {"db_id": f"library_{split}", "split": split, "question": english, "paraphrase": paraphrase}
            if wording:
                chinese.append({"db_id": item["db_id"], "english": digest_of(english), "chinese": wording})
            lines.append({**item, "query": sql})
    write_lines(folder / "questions.jsonl", lines)
    write_lines(folder / "zh.jsonl", chinese)
    return folder, folder / "zh.jsonl"


def make_business(folder: Path) -> tuple[Path, Path]:
    """(schemas.jsonl, folder of databases) with two databases, of which the hash keeps one aside."""
    specs = []
    for name in ("depot", "harbour"):
        make_database(folder / "databases" / f"{name}.sqlite")
        asked = [{"en": english, "zh": zh, "sql": sql} for english, _, zh, sql in QUESTIONS if zh]
        specs.append({"db_id": name, "tables": [], "questions": asked})
    write_lines(folder / "schemas.jsonl", specs)
    return folder / "schemas.jsonl", folder / "databases"


def write_lines(path: Path, items: list[dict[str, Any]]) -> None:
    """One JSON object a line."""
    path.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items), "utf-8")
