"""The floor: the schema and the question in one prompt, the answer run as it is."""

from __future__ import annotations

import json
import sqlite3
import time
import urllib.request
from typing import Any

from benchmarks.peers.worker import Asked, System


class Bare(System):
    """Prompt, SQL, run; nothing else."""

    def __init__(self, database: str, url: str) -> None:
        self.database, self.url = database, url
        with sqlite3.connect(database) as connection:
            rows = connection.execute("SELECT sql FROM sqlite_master WHERE type = 'table'").fetchall()
        self.schema = "\n".join(row[0] for row in rows)

    async def ask(self, question: str) -> Asked:
        """One call, one statement."""
        started = time.perf_counter()
        prompt = f"Write one SQLite query.\n{self.schema}\nQuestion: {question}\nSQL only."
        sql = self._complete([{"role": "user", "content": prompt}])
        try:
            with sqlite3.connect(self.database) as connection:
                connection.execute(sql).fetchall()
        except (sqlite3.Error, sqlite3.Warning) as error:
            return Asked("", str(error), time.perf_counter() - started)
        return Asked(sql, "", time.perf_counter() - started)

    def _complete(self, messages: list[dict[str, Any]]) -> str:
        body = json.dumps({"model": "oracle", "messages": messages}).encode()
        request = urllib.request.Request(
            f"{self.url}/chat/completions", body, {"content-type": "application/json", "authorization": "Bearer none"}
        )
        with urllib.request.urlopen(request) as answer:
            return str(json.load(answer)["choices"][0]["message"]["content"])
