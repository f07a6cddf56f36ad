"""The program as people run it: its own process, signals, pipes and start-up."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.integration.processes import children
from tests.servers import Server

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000000) SELECT COUNT(*) FROM n AS a, n AS b"


@pytest.fixture
def environment(own_home: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("INQUERY_", "LC_", "LANG"))}
    return kept | {"INQUERY_HOME": str(own_home)}


def inquery(environment: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "inquery", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def in_foreground(command: list[str], environment: dict[str, str]) -> "subprocess.Popen[str]":
    """A process that hears Ctrl-C, also where a shell runs these tests in its background and so has them ignore it."""
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


def test_help_imports_nothing_heavy(environment: dict[str, str]) -> None:
    code = (
        "import sys\nfrom inquery.cli import main\nsys.argv[1:] = ['--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    import json; print(json.dumps([m for m in sys.modules]), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    loaded = set(json.loads(ran.stderr))
    assert "click" in loaded
    assert not loaded & {"pydantic", "sqlalchemy", "rich", "sqlglot", "numpy", "langgraph", "langchain_core", "yaml"}


def test_a_first_run_makes_the_demo_and_answers(environment: dict[str, str], own_home: Path) -> None:
    ran = inquery(environment, "sql", "SELECT COUNT(*) AS n FROM orders", "--json")
    assert json.loads(ran.stdout)["rows"] == [[45_000]]
    assert len(list((own_home / "demo").iterdir())) == 1


def test_a_schema_that_was_read_is_kept_for_the_next_process_and_goes_with_a_connection(
    environment: dict[str, str], own_home: Path, tmp_path: Path
) -> None:
    question = ("ask", "--json", "--refresh", "Which employees work in the store in 上海?")
    first = inquery(environment, *question)
    (kept,) = (own_home / "prefixes").iterdir()
    assert first.returncode == 0, first.stderr
    written = kept.stat()
    second = inquery(environment, *question)
    assert json.loads(second.stdout)["sql"] == json.loads(first.stdout)["sql"]
    assert kept.stat().st_ino == written.st_ino, "it was written anew"
    assert kept.stat().st_mtime_ns > written.st_mtime_ns, "it was not used"
    sqlite3.connect(tmp_path / "shop.db").execute("CREATE TABLE shops (id INTEGER PRIMARY KEY)").connection.close()
    assert inquery(environment, "connections", "add", "shop", f"sqlite:///{tmp_path}/shop.db").returncode == 0
    assert inquery(environment, "connections", "remove", "shop").returncode == 0
    assert list((own_home / "prefixes").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["connections", "add", "x", "nonsense://a/b"], "bad_connection_url"),
        (["connections", "add", "x", "sqlite:///missing.sqlite"], "missing_file"),
        (["sql", "DELETE FROM orders"], "sql_refused"),
        (["unknown"], "bad_request"),
    ],
)
def test_errors_end_without_a_stack(environment: dict[str, str], arguments: list[str], code: str) -> None:
    ran = inquery(environment | {"LANG": "zh_CN.UTF-8"}, *arguments)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.startswith(f"error [{code}]: ")
    assert any("一" <= letter <= "鿿" for letter in ran.stderr)
    assert "Traceback" not in ran.stderr


def test_a_bug_is_one_line_unless_asked_for(environment: dict[str, str]) -> None:
    code = "import inquery.cli as c\nc.cli.lazy['sql'] = ('inquery.nowhere:x', '', '')\nimport sys\nsys.argv[1:] = ['sql', 'x']\nc.main()"

    def ran(**more: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-c", code], env=environment | more, capture_output=True, text=True, check=False
        )

    plain, debug = ran(), ran(INQUERY_DEBUG="1")
    assert plain.returncode == debug.returncode == 1
    assert plain.stderr.startswith("error [internal]: ")
    assert "Traceback" not in plain.stderr
    assert "ModuleNotFoundError" in debug.stderr


def test_a_reader_that_leaves_early_is_no_error(environment: dict[str, str]) -> None:
    command = f"{sys.executable} -m inquery sql 'SELECT * FROM order_items' --no-cap --format csv | head -n 2"
    ran = subprocess.run(
        ["bash", "-c", command], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.stdout.startswith("order_item_id,order_id")
    assert ran.stderr == ""


@pytest.mark.parametrize("more", [["--json"], ["--no-cap", "--format", "csv"]])
def test_ctrl_c_stops_the_statement_and_its_process(environment: dict[str, str], more: list[str]) -> None:
    command = [sys.executable, "-m", "inquery", "sql", ENDLESS, "--timeout", "60", *more]
    started = in_foreground(command, environment)
    end = time.monotonic() + 60
    while not children(started.pid) and time.monotonic() < end and started.poll() is None:
        time.sleep(0.1)
    time.sleep(1)
    workers = children(started.pid)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=20)
    assert (started.returncode, out) == (130, "")
    assert "error [cancelled]" in err
    assert "Traceback" not in err
    assert workers
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]


@pytest.fixture
def busy_postgres(postgres: Server) -> Iterator[Server]:
    import psycopg

    with psycopg.connect(host="127.0.0.1", port=postgres.port, user=postgres.admin, password=postgres.password, dbname="postgres", autocommit=True) as admin:  # fmt: skip
        admin.execute("CREATE TABLE IF NOT EXISTS numbers AS SELECT generate_series(1, 3000) AS i")
        admin.execute(f"GRANT SELECT ON numbers TO {postgres.reader}")
        yield postgres
        admin.execute("DROP TABLE numbers")


@pytest.mark.parametrize("more", [[], ["--no-cap", "--format", "csv"]])
def test_ctrl_c_stops_the_statement_on_the_server(
    environment: dict[str, str], busy_postgres: Server, more: list[str]
) -> None:
    import psycopg

    url = f"postgresql://{busy_postgres.reader}:{quote(busy_postgres.reader_password, safe='')}@127.0.0.1:{busy_postgres.port}/postgres"
    assert inquery(environment, "connections", "add", "pg", url).returncode == 0
    slow = "SELECT COUNT(*) FROM numbers a, numbers b, numbers c, numbers d WHERE a.i + b.i + c.i + d.i = 77"
    command = [sys.executable, "-m", "inquery", "sql", slow, *more]
    with psycopg.connect(host="127.0.0.1", port=busy_postgres.port, user=busy_postgres.admin, password=busy_postgres.password, dbname="postgres", autocommit=True) as admin:  # fmt: skip

        def running() -> int:
            # A named cursor runs as FETCH, so the statement itself is not to be seen there.
            # Only what has run for a while: the session's own set-up is active for a moment too.
            sql = (
                "SELECT COUNT(*) FROM pg_stat_activity WHERE state = 'active' AND usename = %s "
                "AND clock_timestamp() - query_start > interval '1 second'"
            )
            row = admin.execute(sql, (busy_postgres.reader,)).fetchone()
            return int(row[0]) if row else 0

        started = in_foreground(command, environment)
        end = time.monotonic() + 60
        while not running() and time.monotonic() < end and started.poll() is None:
            time.sleep(0.1)
        assert running() == 1
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=20)
        assert (started.returncode, "error [cancelled]" in err) == (130, True), err
        assert running() == 0
