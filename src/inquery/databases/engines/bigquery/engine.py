"""BigQuery: every statement is first dry-run, which says what it is and costs, and is billed up to a bound."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from inquery.databases.assemble import Raw, assemble_catalog
from inquery.databases.engine import Batch, Engine, Estimate, Limits, Progress, ResultColumn
from inquery.databases.engines.bigquery import ABOUT
from inquery.databases.engines.bigquery.dictionary import EXTRAS, INTROSPECTION, classify
from inquery.databases.engines.cursors import bad_url, only_query, split_path
from inquery.databases.engines.pinned import refuse_other_reading
from inquery.databases.kinds import kind_of_type
from inquery.databases.registry import load_driver
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file, check_name
from inquery.databases.values import BatchSize, plain_value
from inquery.errors import InqueryError, QueryTimeout, ReadOnlyViolation
from inquery.settings import DatabaseSettings
from inquery.sql import Catalog, CheckedSql

_HOST = "bigquery.googleapis.com"
_BILLED = 10 << 30
_PAGE = 10_000
EMULATOR = "BIGQUERY_EMULATOR_HOST"


@dataclass
class BigquerySession:
    """A client and the job that runs."""

    client: Any
    job: Any = None


class BigqueryEngine(Engine):
    """The engine of `bigquery://project/dataset`."""

    about = ABOUT
    parameters = frozenset({"location", "credentials_file", "maximum_bytes_billed"})

    def __init__(self, address: Address, settings: DatabaseSettings) -> None:
        self.address = address
        self.settings = settings
        self.project = address.host or ""
        self.path = split_path(address.database, 1)

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Check the parameters; nothing is connected yet."""
        load_driver("google.cloud.bigquery", "bigquery")
        check_name(_HOST, settings)
        if not address.params.get("maximum_bytes_billed", "1").isdigit():
            raise bad_url("maximum_bytes_billed is a number of bytes", "maximum_bytes_billed 是字节数")
        if "credentials_file" in address.params:
            check_file(address.params["credentials_file"], settings)
        return cls(address, settings)

    def open(self) -> BigquerySession:
        """A client; its first call is the first statement's."""
        from google.cloud import bigquery

        return BigquerySession(bigquery.Client(**client_arguments(self.address)))

    def close(self, s: BigquerySession) -> None:
        """Close the client's sockets."""
        s.client.close()

    def introspect(self, progress: Progress) -> Catalog:
        """Tables, columns, comments and keys of each dataset, a few queries a dataset."""
        s = self.open()
        try:
            datasets = list(self.path) or [item.dataset_id for item in s.client.list_datasets()]
            raw = Raw()
            for done, dataset in enumerate(datasets):
                progress("datasets", done, len(datasets))
                self._read_dataset(s, dataset, raw)
        finally:
            self.close(s)
        progress("datasets", len(datasets), len(datasets))
        # The project too, which a query may put before a dataset, as the console writes it.
        return assemble_catalog(raw, dialect="bigquery", default_schema=(self.project, *self.path))

    def explain(self, s: BigquerySession, sql: CheckedSql) -> Estimate:
        """Bytes that the statement would read, by a dry run, which is free."""
        job = self._dry_run(s, sql.text)
        return Estimate(cost=float(job.total_bytes_processed or 0))

    def stream(self, s: BigquerySession, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Pages of the result; a script or a write is found out by the dry run and never starts."""
        self._dry_run(s, sql.text)
        s.job = s.client.query(sql.text, job_config=self._config(limits.timeout_s), timeout=limits.timeout_s)
        try:
            most = None if limits.rows is None else limits.rows + 1
            result = s.job.result(page_size=min(_PAGE, most or _PAGE), max_results=most, timeout=limits.timeout_s)
            yield from _batches(result, limits)
        except TimeoutError as error:
            self.cancel(s)
            raise QueryTimeout(str(error), seconds=f"{limits.timeout_s:g}") from error
        finally:
            s.job = None

    def cancel(self, s: BigquerySession) -> None:
        """Ask the service to cancel the job."""
        job = s.job
        if job is not None:
            s.client.cancel_job(job.job_id, location=job.location, project=job.project)

    def reset(self, s: BigquerySession) -> None:
        """Nothing to undo: jobs carry no session."""

    def classify(self, error: BaseException) -> InqueryError:
        """By the service's reason, then by HTTP status."""
        return classify(error)

    def check_role(self, s: BigquerySession) -> str | None:
        """None: what the account may do is in IAM, which a reader cannot ask; the guide names the two roles needed."""
        return None

    def _config(self, timeout_s: float | None, *, dry_run: bool = False) -> Any:
        from google.cloud import bigquery

        config = bigquery.QueryJobConfig(use_legacy_sql=False, use_query_cache=not dry_run, dry_run=dry_run)
        if self.path:
            config.default_dataset = f"{self.project}.{self.path[0]}"
        if not dry_run:
            config.maximum_bytes_billed = int(self.address.params.get("maximum_bytes_billed", _BILLED))
        if timeout_s is not None:
            config.job_timeout_ms = int(timeout_s * 1000)
        return config

    def _dry_run(self, s: BigquerySession, text: str) -> Any:
        only_query(text, self.dialect)
        job = s.client.query(text, job_config=self._config(None, dry_run=True))
        # What the service took, not what was asked: legacy SQL reads [a] and commas in FROM in another way.
        refuse_other_reading({"use_legacy_sql": "False"}, {"use_legacy_sql": bool(job.use_legacy_sql)})
        if (job.statement_type or "").upper() != "SELECT":
            raise ReadOnlyViolation(f"only one SELECT runs, not {job.statement_type}")
        return job

    def _read_dataset(self, s: BigquerySession, dataset: str, raw: Raw) -> None:
        from google.api_core.exceptions import GoogleAPICallError

        where = f"`{self.project}`.`{dataset}`"
        rows = {name: self._rows(s, sql.replace("{dataset}", where)) for name, sql in INTROSPECTION.items()}
        for name, sql in EXTRAS.items():
            try:
                rows[name] = self._rows(s, sql.replace("{dataset}", where))
            except GoogleAPICallError:
                rows[name] = []
        collect(rows, dataset, raw)

    def _rows(self, s: BigquerySession, text: str) -> list[tuple[Any, ...]]:
        return [tuple(row.values()) for row in s.client.query(text).result()]


def client_arguments(address: Address) -> dict[str, Any]:
    """Arguments of bigquery.Client: a key file, or what the machine is signed in with."""
    arguments: dict[str, Any] = {"project": address.host, "location": address.params.get("location")}
    if "credentials_file" in address.params:
        from google.oauth2.service_account import Credentials

        scopes = ["https://www.googleapis.com/auth/bigquery.readonly", "https://www.googleapis.com/auth/bigquery"]
        arguments["credentials"] = Credentials.from_service_account_file(
            address.params["credentials_file"], scopes=scopes
        )
    elif EMULATOR in os.environ:
        from google.auth.credentials import AnonymousCredentials

        arguments["credentials"] = AnonymousCredentials()
    return arguments


def collect(rows: dict[str, list[tuple[Any, ...]]], dataset: str, raw: Raw) -> None:
    """Add one dataset's rows to the catalogue's."""
    counts, comments = dict(rows["rows"]), dict(rows["comments"])
    described = {(table, name): text for table, name, text in rows["descriptions"]}
    raw.tables += [
        ((dataset, name), "view" if "VIEW" in kind else "table", _unquoted(comments.get(name)), counts.get(name))
        for name, kind in rows["tables"]
    ]
    raw.columns += [
        ((dataset, table), name, kind, nullable == "YES", described.get((table, name), ""))
        for table, name, kind, nullable in rows["columns"]
    ]
    raw.keys += [((dataset, table), name) for table, name in rows["keys"]]
    raw.foreign += [
        ((dataset, constraint), (dataset, table), name, (other_dataset, other), other_name)
        for constraint, table, name, other_dataset, other, other_name in rows["foreign"]
    ]


def _unquoted(option: str | None) -> str:
    # Descriptions come as SQL literals.
    return option[1:-1].replace('\\"', '"') if option and option[0] in "\"'" else option or ""


def _batches(result: Any, limits: Limits) -> Iterator[Batch]:
    columns = tuple(_column(field) for field in result.schema)
    size = BatchSize(limits.rows)
    for page in result.pages:
        rows = [tuple(plain_value(_value(v)) for v in row.values()) for row in page]
        size.saw(rows)
        yield Batch(columns, rows)
        if not size.next:
            return
    if size.first:
        yield Batch(columns, [])


def _column(field: Any) -> ResultColumn:
    type_name = field.field_type if field.mode != "REPEATED" else f"ARRAY<{field.field_type}>"
    kind = "json" if type_name in {"RECORD", "STRUCT"} else kind_of_type(type_name)
    return ResultColumn(field.name, type_name, kind)


def _value(value: Any) -> Any:
    utc = isinstance(value, datetime.datetime) and value.tzinfo is not None
    return value.astimezone(datetime.UTC) if utc else value
