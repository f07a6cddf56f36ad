"""CSV, TSV, Parquet, JSON and XLSX files, or a folder of them, read through DuckDB and nothing beside them."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from inquery.databases.engine import Progress
from inquery.databases.engines.duckdb.engine import DuckdbEngine, DuckdbSession, memory_and_threads, signature
from inquery.databases.engines.files import ABOUT
from inquery.databases.registry import require_drivers
from inquery.databases.sandbox.process import Process
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file
from inquery.errors import BadDataFile, InqueryError, MissingFile, NotADatabase
from inquery.settings import DatabaseSettings
from inquery.sql import Catalog
from inquery.sql.catalog import ReadNote

SUFFIXES = ABOUT.suffixes
_MOST_FILES = 1000
_BUILD_MEMORY = 6 << 30


@dataclass(frozen=True)
class Built:
    """A database made of the files as they were at `seen`; `sources` maps a table to its file, its rows and notes."""

    path: str
    seen: tuple[int, ...]
    sources: dict[str, tuple[str, int | None, tuple[ReadNote, ...]]]
    allowed: list[str]


class FilesEngine(DuckdbEngine):
    """The engine of `files:///folder`, or of a path to a data file."""

    about = ABOUT
    parameters = DuckdbEngine.parameters | {"only"}

    def __init__(self, root: Path, *, memory_limit: str, threads: int, only: frozenset[str] = frozenset()) -> None:
        super().__init__(str(root), memory_limit=memory_limit, threads=threads)
        self.root = root
        self.only = only
        self._built: Built | None = None
        self._lock = threading.Lock()
        self._folder = Path(tempfile.mkdtemp(prefix="inquery-files-"))
        self._remove = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._number = 0

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Check that there is something to read; nothing is read yet."""
        require_drivers("files")
        root = check_file(address.database, settings)
        only = frozenset(name for name in address.params.get("only", "").split("|") if name)
        missing = only - {path.name for path in data_files(root)}
        if missing:
            raise MissingFile(f"{sorted(missing)} not in {root}", name=min(missing))
        if not data_files(root):
            raise NotADatabase(f"no data files in {root}", name=root.name)
        return cls(root, **memory_and_threads(address), only=only)

    def open(self) -> DuckdbSession:
        """A session over the files as they are now; it can read them and no other path."""
        built = self._current()
        s = self._start(built.path, built.allowed)
        try:
            s.process.call(s.number, "open")
        except InqueryError:
            self.close(s)
            raise
        return s

    def fingerprint(self) -> tuple[int, ...]:
        """When and how large the files are."""
        return signature(map(str, self._files()))

    def reset(self, s: DuckdbSession) -> None:
        """A session over files that have changed is not used again."""
        if self._built is None or self._built.seen != self.fingerprint():
            s.process.kill()
        super().reset(s)

    def introspect(self, progress: Progress) -> Catalog:
        """A table for each file or sheet; the file's name is its comment."""
        catalog = super().introspect(progress)
        sources = self._current().sources
        tables = []
        for table in catalog.tables:
            file, rows, notes = sources.get(table.name, ("", table.estimated_rows, ()))
            tables.append(replace(table, kind="table", comment=file, estimated_rows=rows, notes=notes))
        return replace(catalog, tables=tuple(tables))

    def _files(self) -> list[Path]:
        return [path for path in data_files(self.root) if not self.only or path.name in self.only]

    def _current(self) -> Built:
        with self._lock:
            seen = self.fingerprint()
            if self._built is None or self._built.seen != seen:
                self._built = self._build(seen)
            return self._built

    def _build(self, seen: tuple[int, ...]) -> Built:
        self._number += 1
        folder = self._folder / str(self._number)
        folder.mkdir()
        # Sessions of the last build may still run; those before it were closed when it was made.
        shutil.rmtree(self._folder / str(self._number - 2), ignore_errors=True)
        target = str(folder / "files.duckdb")
        files = [str(path) for path in self._files()]
        if not files:
            raise MissingFile(f"{self.root} is gone", name=self.root.name)
        process = Process("inquery.databases.engines.files.served:FilesBuilder", {}, memory=_BUILD_MEMORY)
        try:
            rows = process.call(process.session(), "build", files, target)
        finally:
            process.kill()
        sources = {name: (file, count, tuple(map(_note, notes))) for name, file, count, _, notes in rows}
        return Built(target, seen, sources, [path for *_, path, _ in rows if path])


def _note(fields: Sequence[Any]) -> ReadNote:
    """A note as it came out of the process, whose messages have lists for tuples."""
    kind, column, count, of, shown, odd_count, odd = fields
    return ReadNote(kind, column, count, of, tuple(shown), odd_count, tuple(odd))


def data_files(root: Path) -> list[Path]:
    """The data file itself, or those directly in the folder; links that lead out of it are left out."""
    if root.is_file():
        return [root] if root.suffix.lower() in SUFFIXES else []
    found = []
    with contextlib.suppress(OSError), os.scandir(root) as entries:
        for entry in sorted(entries, key=lambda e: e.name):
            path = Path(entry.path)
            wanted = path.suffix.lower() in SUFFIXES and not entry.name.startswith((".", "~$"))
            if wanted and entry.is_file() and path.resolve().is_relative_to(root):
                found.append(path)
    if len(found) > _MOST_FILES:
        raise BadDataFile.because(
            f"the folder holds more than {_MOST_FILES} files",
            f"文件夹中的文件超过 {_MOST_FILES} 个",
            detail=str(root),
            name=root.name,
        )
    return found
