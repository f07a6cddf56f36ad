"""A private MariaDB from the installed binaries."""

import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path

from tests.servers import (
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


@contextlib.contextmanager
def mariadb_server(*options: str) -> Iterator[Server]:
    """Start, create the two accounts, stop at the end."""
    binary = find_binary("mariadbd", "/usr/sbin/mariadbd", "/usr/local/mysql/bin/mariadbd")
    install = find_binary("mariadb-install-db", "/usr/bin/mariadb-install-db")
    with owned_folder("iq-my-") as folder:
        log, data = folder / "log", folder / "data"
        certificate, key = write_certificate(folder)
        server = Server(free_port(), certificate=str(certificate))
        files = ["--no-defaults", f"--datadir={data}", f"--tmpdir={folder}"]
        finish([install, *files, "--auth-root-authentication-method=normal", "--skip-test-db"], folder, log)
        command = [
            binary, *files, f"--port={server.port}", "--bind-address=127.0.0.1", f"--socket={folder}/s",
            f"--pid-file={folder}/pid", "--skip-log-bin", "--innodb-flush-log-at-trx-commit=0",
            "--innodb-buffer-pool-size=64M", "--max-connections=120", "--default-time-zone=+00:00",
            "--secure-file-priv=", "--skip-name-resolve", f"--ssl-cert={certificate}",
            f"--ssl-key={key}", *options,
        ]  # fmt: skip
        process = launch(command, folder, log)
        try:
            wait_for_port(server.port, process, log)
            _create_accounts(server, folder)
            yield server
        finally:
            stop(process, signal.SIGKILL)  # at once: nothing of it is kept


def _create_accounts(server: Server, folder: Path) -> None:
    import pymysql

    connection = pymysql.connect(unix_socket=f"{folder}/s", user="root", autocommit=True)
    with contextlib.closing(connection), connection.cursor() as cursor:
        for user, password in ((server.admin, server.password), (server.reader, server.reader_password)):
            cursor.execute("CREATE USER %s@'%%' IDENTIFIED BY %s", (user, password))
        cursor.execute("GRANT ALL PRIVILEGES ON *.* TO %s@'%%' WITH GRANT OPTION", (server.admin,))
        # Server-side timeouts need no right; a role without FILE is the recipe's first line.
