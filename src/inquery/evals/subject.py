"""A database under evaluation: attached, read once, and asked through the same gate as every other."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from cachetools import LRUCache

from inquery.catalog.refresh import refresh_catalog
from inquery.catalog.search import link_tables, rank_tables
from inquery.catalog.value_index import ValueIndex
from inquery.databases.engine import Limits, Result
from inquery.databases.executor.execute import attach, detach, execute
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import NotFound, Text
from inquery.language.text import language_of
from inquery.llm.writer import SchemaView, WriteRequest
from inquery.sql import Catalog, Policy, check

KEPT = 3
WHOLE = 30
"""Schemas of so many tables are shown whole, in the catalogue's order; of larger ones the best linked."""
GENEROUS = Limits(timeout_s=20, rows=1_000_000, bytes=256 << 20, cell=None)
"""More than any right answer has; a wrong one that joins all with all is cut before it fills the machine."""
NO_CAP = Policy(row_cap=None)


class Subject:
    """One database: its catalogue and values, and how its rows are read without a cap."""

    def __init__(self, connection_id: str, catalog: Catalog, values: ValueIndex) -> None:
        self.connection_id = connection_id
        self.catalog = catalog
        self.values = values

    @classmethod
    async def open(cls, connection_id: str, path: Path, home: Path) -> Subject:
        """Attach a file and read its catalogue, samples and values, as registering a connection does."""
        attach(connection_id, open_engine(parse_address(str(path))))
        read = await refresh_catalog(connection_id, full=True, evidence=True, home=home)
        return cls(connection_id, read.catalog, read.values)

    async def result(self, sql: str) -> Result:
        """All rows of a statement; raises SqlRefused or the database's error."""
        checked = check(sql, dialect=self.catalog.dialect, catalog=self.catalog, policy=NO_CAP)
        return await execute(self.connection_id, checked, limits=GENEROUS)

    def request(self, question: str, *, n: int, today: datetime.date) -> WriteRequest:
        """What a writer is given for a question."""
        language = language_of(question)
        ranking = rank_tables(question, self.catalog, self.values)
        tables = self.catalog.tables
        if len(tables) > WHOLE:
            tables = tuple(link_tables(question, self.catalog, ranking=ranking, limit=WHOLE))
        view = SchemaView(tables, self.catalog.joins, tuple(place for place, _ in ranking.columns))
        return WriteRequest(question, language, self.catalog.dialect, view, ranking.values, today=today, n=n)

    def close(self) -> None:
        """Let the database go."""
        detach(self.connection_id)


class _OpenSubjects(LRUCache[str, Subject]):
    """The databases used last; one that has to go is closed."""

    def popitem(self) -> tuple[str, Subject]:
        name, subject = super().popitem()
        subject.close()
        return name, subject


class Subjects:
    """The databases of a folder, a few open at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._open = _OpenSubjects(KEPT)
        self._home = TemporaryDirectory(prefix="inquery-eval-")

    def require(self, db_ids: Iterable[str]) -> None:
        """Raise NotFound for the first database that is not there."""
        for db_id in dict.fromkeys(db_ids):
            self.path(db_id)

    def path(self, db_id: str) -> Path:
        """The file of a database: `<db_id>.sqlite` in the folder, or in a folder of that name."""
        for path in (self._folder / f"{db_id}.sqlite", self._folder / db_id / f"{db_id}.sqlite"):
            if path.is_file():
                return path
        raise NotFound(db_id, what=Text("database", "数据库"), name=db_id)

    async def get(self, db_id: str) -> Subject:
        """The database of that id, opened when first asked for."""
        if db_id not in self._open:
            self._open[db_id] = await Subject.open(f"eval-{db_id}", self.path(db_id), Path(self._home.name))
        return self._open[db_id]

    def close(self) -> None:
        """Let all go."""
        while self._open:
            self._open.popitem()
        self._home.cleanup()
