"""Execution match on a connection's own verified questions: the regression suite of its knowledge."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inquery.catalog.refresh import refresh_catalog
from inquery.errors import BadRequest, NotFound, Text
from inquery.evals.spider import GoldQuestion
from inquery.evals.subject import Subject
from inquery.settings import Settings
from inquery.store import Connection, attach_connection, choose_connection, shipped_with


class OneDatabase:
    """A registered connection as the only database of a run."""

    def __init__(self, connection: Connection, settings: Settings) -> None:
        self._connection = connection
        self._settings = settings
        self._subject: Subject | None = None

    def require(self, db_ids: Iterable[str]) -> None:
        """Every question is about this connection."""

    async def get(self, db_id: str) -> Subject:
        """The connection with its catalogue and values, read when first asked for."""
        if self._subject is None:
            connection_id = attach_connection(self._connection, self._settings)
            shipped = shipped_with(connection_id)
            read = await refresh_catalog(
                connection_id, describe=shipped.describe if shipped else None, home=self._settings.home
            )
            values = read.values.with_mappings(shipped.value_mappings()) if shipped else read.values
            self._subject = Subject(connection_id, read.catalog, values)
        return self._subject

    def close(self) -> None:
        """Let the connection go."""
        if self._subject is not None:
            self._subject.close()


def connection_named(name: str | None, settings: Settings) -> Connection:
    """The connection a run means: the named one, the only one, else the demo."""
    return choose_connection(name, settings=settings)


def verified_questions(connection: Connection, path: Path | None) -> list[GoldQuestion]:
    """The verified questions of a connection, or those of a YAML file of question and sql."""
    shipped = shipped_with(connection.id)
    pairs: Any = shipped.samples() if shipped else None
    if path is not None:
        pairs = read_pairs(path)
    if not pairs:
        raise NotFound(connection.name, what=Text("verified sample", "已验证样例"), name=connection.name)
    return [GoldQuestion(connection.name, str(pair["question"]), str(pair["sql"])) for pair in pairs]


def read_pairs(path: Path) -> list[dict[str, Any]]:
    """A YAML (or JSON) list of objects with question and sql."""
    import yaml

    try:
        loaded = yaml.safe_load(path.read_text("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        loaded = error
    if not isinstance(loaded, list) or not all(
        isinstance(pair, dict) and {"question", "sql"} <= pair.keys() for pair in loaded
    ):
        en = f"{path.name} is not a list of objects with question and sql"
        raise BadRequest.because(en, f"{path.name} 不是含 question 与 sql 的对象列表", detail=str(loaded)[:200])
    return loaded
