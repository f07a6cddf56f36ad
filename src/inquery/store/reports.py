"""Reports as they are kept: templates, bound statements, runs with the value of every placeholder."""

from __future__ import annotations

import builtins
import datetime
import hashlib
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from inquery.errors import BadRequest, NotFound, Text
from inquery.store.cells import pack, unpack
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import (
    report_bindings,
    report_runs,
    report_schedules,
    report_templates,
    report_values,
    reports,
)

_WHAT = Text("report", "报告")
_RUN = Text("run of this report", "报告运行")


@dataclass(frozen=True, slots=True)
class StoredReport:
    """A template under a name."""

    id: str
    owner: str
    name: str
    connection_id: str
    format: str
    template_id: str
    version: int
    created: datetime.datetime
    changed: datetime.datetime


@dataclass(frozen=True, slots=True)
class StoredBinding:
    """The statement of one placeholder; `state` is bound, pinned, unverified, failed or rejected."""

    key: str
    state: str
    content: dict[str, Any]
    changed: datetime.datetime


@dataclass(frozen=True, slots=True)
class StoredRun:
    """One filling of a report, with the template as it was."""

    id: str
    report_id: str
    owner: str
    status: str
    content: dict[str, Any]
    template_id: str
    started: datetime.datetime
    finished: datetime.datetime | None


@dataclass(frozen=True, slots=True)
class StoredValue:
    """What became of one placeholder in one run."""

    key: str
    status: str
    content: dict[str, Any]
    rows: list[tuple[Any, ...]]
    ms: float

    @property
    def title(self) -> str:
        """The question as it was asked in this run; as the template has it where it could not be."""
        return str(self.content.get("question") or self.content["title"])


class Reports:
    """The reports of a store; another owner's are as if they were not there."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def save(self, owner: str, name: str, connection_id: str, form: str, template: bytes) -> StoredReport:
        """Keep a template; one of the same name gets a new version, and keeps its bindings and runs."""
        name = _good_name(name)
        now, template_id = utc_now(), hashlib.sha256(template).hexdigest()
        fields = {"connection_id": connection_id, "format": form, "template_id": template_id, "changed": now}
        try:
            with self.store.write() as connection:
                _keep_template(connection, template_id, template)
                known = connection.execute(select(reports).where(*_named(owner, name))).one_or_none()
                if known is None:
                    row = {"id": secrets.token_hex(16), "owner": owner, "name": name, "version": 1, "created": now}
                    connection.execute(insert(reports).values(row | fields))
                elif (known.template_id, known.connection_id, known.format) != (template_id, connection_id, form):
                    changed = update(reports).where(reports.c.id == known.id)
                    connection.execute(changed.values(**fields, version=known.version + 1))
        except IntegrityError:
            pass  # two processes made it at once on PostgreSQL; the one that came first is read below
        return self.get(owner, name)

    def get(self, owner: str, id_or_name: str) -> StoredReport:
        """The owner's report; raises NotFound."""
        known = (reports.c.id == id_or_name) | (reports.c.name == id_or_name)
        with self.store.read() as connection:
            row = connection.execute(select(reports).where(reports.c.owner == owner, known)).first()
        if row is None:
            raise NotFound(id_or_name, what=_WHAT, name=id_or_name)
        return _report(row)

    def list(self, owner: str) -> builtins.list[StoredReport]:
        """The owner's reports, by name."""
        wanted = select(reports).where(reports.c.owner == owner).order_by(reports.c.name)
        with self.store.read() as connection:
            return [_report(row) for row in connection.execute(wanted)]

    def remove(self, owner: str, id_or_name: str) -> StoredReport:
        """Forget a report with its bindings, runs and schedules."""
        gone = self.get(owner, id_or_name)
        runs = select(report_runs.c.id).where(report_runs.c.report_id == gone.id)
        with self.store.write() as connection:
            connection.execute(delete(report_values).where(report_values.c.run_id.in_(runs)))
            for table in (report_runs, report_bindings, report_schedules):
                connection.execute(delete(table).where(table.c.report_id == gone.id))
            connection.execute(delete(reports).where(reports.c.id == gone.id))
            _drop_templates(connection)
        return gone

    def template(self, template_id: str) -> bytes:
        """The content of a template; raises NotFound."""
        with self.store.read() as connection:
            wanted = select(report_templates.c.content).where(report_templates.c.id == template_id)
            found = connection.execute(wanted).scalar()
        if found is None:
            raise NotFound(template_id, what=_WHAT, name=template_id[:8])
        return bytes(found)

    def bind(self, report_id: str, key: str, state: str, content: Mapping[str, Any]) -> None:
        """Keep the statement of a placeholder over an earlier one."""
        here = (report_bindings.c.report_id == report_id) & (report_bindings.c.key == key)
        values = {"state": state, "content": dict(content), "changed": utc_now()}
        with self.store.write() as connection:
            if connection.execute(update(report_bindings).where(here).values(values)).rowcount == 0:
                connection.execute(insert(report_bindings).values(report_id=report_id, key=key, **values))

    def bindings(self, report_id: str) -> dict[str, StoredBinding]:
        """The statements of a report, by placeholder."""
        wanted = select(report_bindings).where(report_bindings.c.report_id == report_id)
        with self.store.read() as connection:
            return {
                row.key: StoredBinding(row.key, row.state, dict(row.content), row.changed)
                for row in connection.execute(wanted)
            }


class ReportRuns:
    """Runs of reports: begun, filled value by value, and ended; one process holds a run at a time."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def begin(self, report: StoredReport, content: Mapping[str, Any], holder: str, seconds: float) -> StoredRun:
        """A new run, held by its process."""
        row: dict[str, Any] = {
            "id": secrets.token_hex(16),
            "report_id": report.id,
            "owner": report.owner,
            "status": "running",
            "content": dict(content),
            "template_id": report.template_id,
            "started": utc_now(),
            "finished": None,
        }
        lease = {"lease_holder": holder, "lease_until": _ms() + int(seconds * 1000)}
        with self.store.write() as connection:
            connection.execute(insert(report_runs).values(row | lease))
        return StoredRun(**row)

    def take(self, run_id: str, holder: str, seconds: float) -> bool:
        """Hold an unfinished run, if nobody does or their time is up; a holder may take it again to go on."""
        now = _ms()
        free = (report_runs.c.lease_until < now) | (report_runs.c.lease_holder.in_(["", holder]))
        here = update(report_runs).where(report_runs.c.id == run_id, report_runs.c.status == "running", free)
        with self.store.write() as connection:
            values = {"lease_holder": holder, "lease_until": now + int(seconds * 1000)}
            return connection.execute(here.values(values)).rowcount == 1

    def finish(self, run_id: str, status: str, content: Mapping[str, Any]) -> None:
        """End a run."""
        values = {
            "status": status,
            "content": dict(content),
            "finished": utc_now(),
            "lease_holder": "",
            "lease_until": 0,
        }
        with self.store.write() as connection:
            connection.execute(update(report_runs).where(report_runs.c.id == run_id).values(values))

    def note(self, run_id: str, content: Mapping[str, Any]) -> None:
        """Say more of a run that is under way."""
        here = update(report_runs).where(report_runs.c.id == run_id, report_runs.c.status == "running")
        with self.store.write() as connection:
            connection.execute(here.values(content=dict(content)))

    def keep(self, run_id: str, value: StoredValue) -> None:
        """Keep what became of a placeholder; the first to finish it counts."""
        row = {"run_id": run_id, "key": value.key, "status": value.status, "content": value.content, "ms": value.ms}
        try:
            with self.store.write() as connection:
                connection.execute(insert(report_values).values(row | {"rows": pack(value.rows)}))
        except IntegrityError:
            pass  # another process that held the run before kept it already

    def values(self, run_id: str) -> dict[str, StoredValue]:
        """What a run has so far, by placeholder."""
        wanted = select(report_values).where(report_values.c.run_id == run_id)
        with self.store.read() as connection:
            return {
                row.key: StoredValue(row.key, row.status, dict(row.content), unpack(row.rows), row.ms)
                for row in connection.execute(wanted)
            }

    def get(self, owner: str, run_id: str) -> StoredRun:
        """The owner's run; raises NotFound."""
        wanted = select(report_runs).where(report_runs.c.id == run_id, report_runs.c.owner == owner)
        with self.store.read() as connection:
            row = connection.execute(wanted).one_or_none()
        if row is None:
            raise NotFound(run_id, what=_RUN, name=run_id)
        return _run(row)

    def list(self, report_id: str, *, limit: int = 50) -> builtins.list[StoredRun]:
        """The runs of a report, the last first."""
        wanted = select(report_runs).where(report_runs.c.report_id == report_id)
        ordered = wanted.order_by(report_runs.c.started.desc(), report_runs.c.id).limit(limit)
        with self.store.read() as connection:
            return [_run(row) for row in connection.execute(ordered)]

    def before(self, run: StoredRun) -> StoredRun | None:
        """The finished run before this one, to compare with."""
        earlier = [each for each in self.list(run.report_id) if each.started < run.started and each.finished]
        return earlier[0] if earlier else None

    def abandoned(self) -> builtins.list[StoredRun]:
        """Runs that a schedule began and whose process is gone: their lease ended and nobody finished them."""
        gone = select(report_runs).where(report_runs.c.status == "running", report_runs.c.lease_until < _ms())
        with self.store.read() as connection:
            return [run for run in map(_run, connection.execute(gone.limit(20))) if run.content.get("schedule")]

    def trim(self, report_id: str, most: int) -> None:
        """Forget the oldest runs beyond a number."""
        gone = [run.id for run in self.list(report_id, limit=most + 200)[most:] if run.status != "running"]
        if gone:
            self._forget(gone)

    def _forget(self, ids: Sequence[str]) -> None:
        with self.store.write() as connection:
            connection.execute(delete(report_values).where(report_values.c.run_id.in_(ids)))
            connection.execute(delete(report_runs).where(report_runs.c.id.in_(ids)))
            _drop_templates(connection)


def _keep_template(connection: Connection, template_id: str, content: bytes) -> None:
    """Templates are kept once by their content: a hundred runs of one report share it."""
    if connection.execute(select(report_templates.c.id).where(report_templates.c.id == template_id)).first() is None:
        connection.execute(insert(report_templates).values(id=template_id, content=content))


def _drop_templates(connection: Connection) -> None:
    """Forget the templates that no report and no run uses."""
    used = select(reports.c.template_id).union(select(report_runs.c.template_id))
    connection.execute(delete(report_templates).where(report_templates.c.id.not_in(used)))


def _named(owner: str, name: str) -> tuple[Any, Any]:
    return reports.c.owner == owner, reports.c.name == name


def _good_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > 100 or not name.isprintable() or "/" in name:
        raise BadRequest.because(
            "a name has 1 to 100 printable characters and no slash", "名称应为 1 到 100 个可打印字符且不含斜杠"
        )
    return name


def _report(row: Row[Any]) -> StoredReport:
    return StoredReport(
        row.id,
        row.owner,
        row.name,
        row.connection_id,
        row.format,
        row.template_id,
        row.version,
        row.created,
        row.changed,
    )


def _run(row: Row[Any]) -> StoredRun:
    return StoredRun(
        row.id,
        row.report_id,
        row.owner,
        row.status,
        dict(row.content),
        row.template_id,
        row.started,
        row.finished,
    )


def _ms() -> int:
    return int(time.time() * 1000)
