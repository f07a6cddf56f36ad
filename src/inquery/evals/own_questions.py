"""Execution match on a connection's own verified questions: the regression suite of its knowledge."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from inquery.catalog.refresh import refresh_catalog
from inquery.errors import BadRequest, NotFound, Text
from inquery.evals.spider import GoldQuestion
from inquery.evals.subject import Subject
from inquery.knowledge.data_dictionary import description_of
from inquery.settings import Settings, get_settings
from inquery.store import Connection, attach_connection, find_connection, open_store, shipped_with
from inquery.store.sample_rows import SampleRows


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
            described = description_of(connection_id, self._settings)
            read = await refresh_catalog(connection_id, describe=described, home=self._settings.home)
            values = read.values.with_mappings(shipped.value_mappings()) if shipped else read.values
            self._subject = Subject(connection_id, read.catalog, values)
        return self._subject

    def close(self) -> None:
        """Let the connection go."""
        if self._subject is not None:
            self._subject.close()


def connection_named(name: str | None, settings: Settings) -> Connection:
    """The connection a run means: the named one, the only one, else the demo."""
    return find_connection(name, settings=settings)


def verified_questions(
    connection: Connection, path: Path | None, settings: Settings | None = None
) -> list[GoldQuestion]:
    """The verified questions of a connection, those that ship with it too, or those of a YAML file of question and sql."""
    if path is not None:
        pairs: Any = read_pairs(path)
    else:
        shipped = shipped_with(connection.id)
        kept = SampleRows(open_store(settings or get_settings())).list(connection.id)
        known = {row.question: row.sql for row in kept if row.approved and not row.problem}
        pairs = [*(shipped.samples() if shipped else ())]
        pairs += [{"question": q, "sql": s} for q, s in known.items() if q not in {p["question"] for p in pairs}]
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
