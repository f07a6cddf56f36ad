"""Reports over time: killed and resumed, filled by schedules that two workers share, and delivered."""

import asyncio
import datetime
import hashlib
import hmac
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import text
from tests.integration.api_server import scripted
from tests.integration.report_office import SCRIPT, TEMPLATE, TODAY, change, make_shop, office
from tests.servers import Server
from tests.unit.store.conftest import fresh_database

from inquery.cli import cli
from inquery.databases.executor.execute import attached_ids, detach
from inquery.errors import BadRequest, HostNotAllowed
from inquery.reports import report_run as running
from inquery.reports.deliver import check_target, to_webhook
from inquery.reports.render import Document
from inquery.reports.report_run import Who
from inquery.reports.schedule import Scheduler, next_time
from inquery.settings import Settings, get_settings

ROOT = Path(__file__).parents[2]
NOW = datetime.datetime(2026, 11, 15, 12, 0, tzinfo=datetime.UTC)


async def test_a_killed_run_is_resumed_and_nothing_is_solved_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(tmp_path) as here:
        await here.keep(TEMPLATE)
    child = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-m", "tests.integration.report_killed", str(tmp_path), "2"], cwd=ROOT,
        capture_output=True, timeout=120, env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}, check=False,
    )  # fmt: skip
    assert child.returncode == -signal.SIGKILL, child.stderr.decode()
    async with office(tmp_path) as here:
        (run,) = here.desk.runs.list(here.desk.reports.get("local", "orders").id)
        before = here.desk.runs.values(run.id)
        assert (run.status, len(before)) == ("running", 2)
        with pytest.raises(BadRequest):
            await here.desk.resume("local", run.id, Who())
        # The dead process's lease ends by itself; the test does not wait for it.
        with here.desk.runner.store.write() as connection:
            connection.execute(text("UPDATE report_runs SET lease_until = 0"))
        done = await here.desk.resume("local", run.id, Who())
        after = here.desk.runs.values(run.id)
        asked = [request.question for request, _ in here.writer.requests]
        assert (done.status, len(after), here.calls) == ("done", 4, 2)
        assert not {value.content["question"] for value in before.values()} & set(asked)
        assert all(after[key] == value for key, value in before.items())
        assert (await here.desk.resume("local", run.id, Who())).id == run.id
        assert here.calls == 2
        assert "Total 175" in (await here.desk.document(done, "md")).content.decode()


async def test_a_run_that_lasts_renews_its_lease(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LEASE_S", 0.3)
    released = asyncio.Event()
    async with office(tmp_path) as here:
        write = here.writer.write

        async def waiting(request: Any) -> Any:
            await released.wait()
            return await write(request)

        monkeypatch.setattr(here.writer, "write", waiting)
        report = await here.keep("{{value: how many staff are there}}")
        task = asyncio.create_task(here.run(report))
        held: set[int] = set()
        async with asyncio.timeout(30):
            while len(held) < 3:
                with here.desk.runner.store.read() as connection:
                    held |= set(connection.execute(text("SELECT lease_until FROM report_runs")).scalars())
                await asyncio.sleep(0.05)
        released.set()
        assert (await task).status == "done"


@pytest.mark.parametrize(
    ("cron", "zone", "at"),
    [
        ("0 8 * * 1", "Asia/Shanghai", "2026-11-16T00:00:00+00:00"),
        ("*/15 * * * *", "", "2026-11-15T12:15:00+00:00"),
        ("0 9 1 * *", "UTC", "2026-12-01T09:00:00+00:00"),
    ],
)
def test_cron_is_read_in_its_time_zone(cron: str, zone: str, at: str) -> None:
    assert next_time(cron, zone, NOW).isoformat() == at


@pytest.mark.parametrize(("cron", "zone"), [("every day", ""), ("* * * *", ""), ("99 * * * *", ""), ("* * * * *", "Mars/Base"), ("* * * * * *", "")])  # fmt: skip
def test_what_is_no_cron_is_refused(cron: str, zone: str) -> None:
    with pytest.raises(BadRequest):
        next_time(cron, zone, NOW)


async def owner(_: str) -> Who:
    return Who()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_two_workers_fill_a_due_report_once(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> None:
    store = {"url": fresh_database(request.getfixturevalue("postgres"))} if kind == "postgres" else {}
    out = tmp_path / "out"
    async with (
        office(tmp_path, store=store, reports={"folders": [str(out)]}) as one,
        office(tmp_path, store=store, reports={"folders": [str(out)]}) as two,
    ):
        report = await one.keep(TEMPLATE)
        first, second = Scheduler(one.desk, owner), Scheduler(two.desk, owner)
        made = await first.add(report, "0 8 * * *", outputs=["html", "pdf"], target=str(out))
        due = made.next_at + datetime.timedelta(seconds=5)
        found = await asyncio.gather(*(scheduler.tick(due) for scheduler in (first, second, first, second)))
        assert [len(each) for each in sorted(found, key=len)] == [0, 0, 0, 1]
        assert len(one.desk.runs.list(report.id)) == 1
        (kept,) = first.schedules.list("local")
        assert kept.next_at == made.next_at + datetime.timedelta(days=1)
        assert kept.last_run
        assert "pdf folder" in kept.last_outcome
        assert sorted(path.suffix for path in out.iterdir()) == [".html", ".pdf"]
        assert await second.tick(due) == []


async def test_what_a_dead_worker_began_is_finished_by_another(tmp_path: Path) -> None:
    async with office(tmp_path) as here:
        report = await here.keep(TEMPLATE)
        scheduler = Scheduler(here.desk, owner)
        made = await scheduler.add(report, "0 8 * * *", outputs=["md"])
        run, _ = await here.desk.runner.begin(report, {}, schedule=made.id, today=TODAY)
        here.desk.runs.take(run.id, "dead", 0)
        with here.desk.runner.store.write() as connection:
            connection.execute(text("UPDATE report_runs SET lease_until = 0"))
        assert await scheduler.tick(NOW - datetime.timedelta(days=1000)) == [run.id]
        assert here.desk.runs.get("local", run.id).status == "done"


async def test_a_schedule_that_is_long_overdue_is_not_made_up_for(tmp_path: Path) -> None:
    async with office(tmp_path) as here:
        report = await here.keep(TEMPLATE)
        scheduler = Scheduler(here.desk, owner)
        made = await scheduler.add(report, "0 8 * * *", outputs=["md"])
        assert await scheduler.tick(made.next_at + datetime.timedelta(days=9)) == []
        (kept,) = scheduler.schedules.list("local")
        assert (kept.last_outcome, kept.next_at > made.next_at + datetime.timedelta(days=8)) == ("missed", True)


class Hook(BaseHTTPRequestHandler):
    """Remembers what it is sent; /moved answers with a redirect."""

    got: list[tuple[str, dict[str, str], bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        type(self).got.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        self.send_response(302 if self.path == "/moved" else 204)
        self.send_header("location", "http://169.254.169.254/")
        self.end_headers()

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def hook() -> Iterator[HTTPServer]:
    Hook.got = []
    server = HTTPServer(("127.0.0.1", 0), Hook)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_webhook_gets_the_signed_document(hook: HTTPServer) -> None:
    settings = Settings(reports={"webhook_secret": "key"})
    url = f"http://127.0.0.1:{hook.server_port}/in?a=b"
    assert to_webhook(url, "月报.pdf", Document("pdf", b"%PDF"), settings, run_id="r1", status="done") == 204
    ((path, headers, body),) = Hook.got
    assert (path, body, headers["x-inquery-run"], headers["content-type"]) == (
        "/in?a=b",
        b"%PDF",
        "r1",
        "application/pdf",
    )
    assert headers["x-inquery-signature"] == hmac.new(b"key", b"%PDF", hashlib.sha256).hexdigest()
    assert "%E6%9C%88" in headers["content-disposition"]


@pytest.mark.parametrize(
    "url",
    ["http://169.254.169.254/latest", "http://[::ffff:169.254.169.254]/", "http://2852039166/", "http://[64:ff9b::a9fe:a9fe]/", "http://0.0.0.0/"],
)  # fmt: skip
def test_a_webhook_reaches_no_forbidden_host(url: str) -> None:
    with pytest.raises(HostNotAllowed):
        to_webhook(url, "x.md", Document("md", b"x"), Settings(), run_id="r", status="done")


def test_private_hosts_follow_the_settings_and_redirects_are_not_followed(hook: HTTPServer) -> None:
    from inquery.errors import ConnectFailed

    base = f"http://127.0.0.1:{hook.server_port}"
    document = Document("md", b"x")
    with pytest.raises(HostNotAllowed):
        to_webhook(base, "x.md", document, Settings(outgoing={"private_networks": False}), run_id="r", status="done")
    assert Hook.got == []
    with pytest.raises(ConnectFailed):
        to_webhook(f"{base}/moved", "x.md", document, Settings(), run_id="r", status="done")
    assert [path for path, _, _ in Hook.got] == ["/moved"]


@pytest.mark.parametrize("target", ["ftp://host/x", "file:///etc", "http://", "http://user:word@host/", "http://host:99999/", "/etc", "../.."])  # fmt: skip
def test_a_target_elsewhere_is_refused(target: str, tmp_path: Path) -> None:
    with pytest.raises(BadRequest):
        check_target(target, Settings(reports={"folders": [str(tmp_path)]}))


@pytest.fixture
def shop(tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = make_shop(tmp_path / "shop.sqlite")
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "INQUERY_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in scripted(tmp_path, SCRIPT).items():
        monkeypatch.setenv(name, value)
    get_settings.cache_clear()
    assert inquery("connections", "add", "shop", str(path))[0] == 0
    yield path
    for connection_id in attached_ids():
        detach(connection_id)


def inquery(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, list(arguments), prog_name="inquery")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def told(*arguments: str) -> tuple[int, Any]:
    code, out, err = inquery("report", *arguments, "--json")
    assert out, err
    return code, json.loads(out)


def test_the_command_line_from_new_to_schedule(shop: Path, tmp_path: Path) -> None:
    template = tmp_path / "orders.md"
    template.write_text(TEMPLATE, "utf-8")
    code, made = told("new", "monthly", str(template), "--connection", "shop")
    assert (code, len(made["placeholders"]), made["problems"]) == (0, 4, [])
    day = ("--today", "2026-11-15")
    code, first = told("run", "monthly", *day, "--format", "html", "--format", "md", "--out", str(tmp_path / "out"))
    assert (code, first["status"], first["model_calls"], len(first["files"])) == (0, "done", 4, 2)
    assert all(Path(path).stat().st_size > 100 for path in first["files"])
    code, second = told("run", "monthly", *day, "--out", str(tmp_path / "again.pdf"))
    assert (second["model_calls"], second["changes"], Path(second["files"][0]).read_bytes()[:4]) == (0, [], b"%PDF")
    assert [run["status"] for run in told("history", "monthly")[1]] == ["done", "done"]
    shown = told("show", second["run_id"])[1]
    assert shown["values"][0]["sql"]
    assert {place["state"] for place in told("show", "monthly")[1]} == {"bound"}
    assert told("pin", "monthly", "9")[1]["state"] == "pinned"
    assert told("pin", "monthly", "9", "--undo")[1]["state"] == "bound"
    assert told("edit", "monthly", "9", "SELECT COUNT(*) * 2 FROM staff")[1]["state"] == "pinned"
    assert told("reject", "monthly", "total order amount")[1]["state"] == "rejected"
    assert told("solve", "monthly", *day)[0] in {0, 2}
    code, plans = told("schedule", "monthly", "0 8 * * 1", "--to", str(tmp_path / "out"), "--timezone", "Asia/Shanghai")
    assert (plans[0]["cron"], plans[0]["delivers"]) == ("0 8 * * 1", True)
    assert told("schedule", "monthly", "--remove", plans[0]["id"])[1] == []
    assert {"weekly-sales", "monthly-business", "returns-and-quality"} <= set(told("list")[1]["templates"])


def test_the_command_line_speaks_both_languages_and_names_faults(shop: Path, tmp_path: Path) -> None:
    template = tmp_path / "bad.md"
    template.write_text("{{value: how many staff are there}} {{value: 删除所有订单}} {{unclosed\n", "utf-8")
    code, out, err = inquery(
        "report", "run", str(template), "-c", "shop", "--out", str(tmp_path / "x.md"), "--lang", "zh"
    )
    assert code == 2
    assert "已拒绝" in out
    assert "第 1 行：" in err
    assert "只读取数据" in err
    code, _, err = inquery("report", "run", "nothing-here")
    assert (code, err.startswith("error [not_found]")) == (1, True)
    assert inquery("report", "run", str(template), "-c", "shop", "--param", "x")[0] == 1
    code, _, err = inquery("report", "edit", "bad", "how many staff are there", "DROP TABLE staff")
    assert (code, err.startswith("error [sql_refused]")) == (1, True)
    change(shop, "DELETE FROM staff")
    assert inquery("report", "--help")[1].count("\n") > 10


def test_a_postgres_store_keeps_reports_too(postgres: Server, tmp_path: Path) -> None:
    async def work() -> None:
        async with office(tmp_path, store={"url": fresh_database(postgres)}) as here:
            report = await here.keep(TEMPLATE)
            assert (await here.run(report)).status == "done"
            second = await here.run(report)
            assert second.content["model_calls"] == 0
            here.desk.runs.trim(report.id, 1)
            assert [run.id for run in here.desk.runs.list(report.id)] == [second.id]

    asyncio.run(work())
