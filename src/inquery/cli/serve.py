"""`inquery serve`: the HTTP server and the web page."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
import webbrowser
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from inquery.cli.language import both, say
from inquery.cli.output import note
from inquery.cli.session import load_settings
from inquery.errors import BadRequest

if TYPE_CHECKING:
    from inquery.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])
APP = "inquery.api.app:create_app"
TRIED = 50
WAITING = 2048
"""Connections that may wait to be accepted: a burst must not be refused by the kernel."""
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s%(trace)s %(message)s"
LOGS: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"trace": {"()": "inquery.tracing.TraceIds"}},
    "formatters": {"line": {"format": LOG_FORMAT}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "filters": ["trace"], "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
"""One line a record on standard error, in every worker, with the id of its trace where spans are on."""
SILENT_WORKER_S = 60
"""A worker that says nothing for so long is replaced; starting on a busy machine takes a few seconds."""


def serving_options(command: F) -> F:
    """Where to listen and with how many processes."""
    for option in (
        click.option(
            "--workers", type=click.IntRange(1, 64), metavar="N", help=both("Worker processes.", "工作进程数。")
        ),
        click.option(
            "--port", type=click.IntRange(0, 65535), metavar="N", help=both("First port tried.", "首选端口。")
        ),
        click.option("--host", metavar="ADDRESS", help=both("Address to bind.", "绑定的地址。")),
    ):
        command = option(command)
    return command


@click.command(
    help=both(
        "Start the server; a port that is taken leads to the next free one. Ctrl-C stops it.",
        "启动服务器；端口被占用时使用下一个空闲端口。按 Ctrl-C 停止。",
    )
)
@serving_options
@click.option("--open", "browse", is_flag=True, help=both("Open the page in a browser.", "在浏览器中打开网页。"))
def serve(host: str | None, port: int | None, workers: int | None, browse: bool) -> None:
    """Serve until Ctrl-C."""
    listen(host, port, workers, browse=browse)


def listen(host: str | None, port: int | None, workers: int | None, *, browse: bool = False, path: str = "") -> None:
    """Run the server; `path` is the part of it that is announced."""
    import uvicorn

    from inquery.agents.opening import check_files
    from inquery.api.http_protocol import BoundedHeaders
    from inquery.settings import get_settings

    if host is not None:
        os.environ["INQUERY_SERVER__HOST"] = host  # workers are processes of their own and read it there
        get_settings.cache_clear()
    warn_of_charts(load_settings())
    settings = load_settings().server
    workers = workers or settings.workers
    # Both refuse here, in one sentence, before a port is taken.
    asyncio.run(check_files(load_settings()))
    uvicorn.Config(APP, factory=True, log_config=None).load()
    bound = _bound(settings.host, settings.port if port is None else port)
    address = _address(bound) + path
    click.echo(say(f"Inquery is at {address}", f"Inquery 地址：{address}"))
    note(say("Press Ctrl-C to stop.", "按 Ctrl-C 停止。"))
    if browse:
        threading.Thread(target=_browsed, args=(address,), daemon=True).start()
    options: dict[str, Any] = {
        "factory": True,
        "http": BoundedHeaders,
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "timeout_graceful_shutdown": settings.drain_s,
        "timeout_worker_healthcheck": SILENT_WORKER_S,
        "backlog": WAITING,
        "log_config": LOGS,
    }
    if workers == 1:
        uvicorn.Server(uvicorn.Config(APP, **options)).run(sockets=[bound])
        return
    taken, number = bound.getsockname()[:2]
    bound.close()
    uvicorn.run(APP, host=taken, port=number, workers=workers, **options)


def warn_of_charts(settings: Settings) -> None:
    """Data that leaves for a chart server is said aloud."""
    charts = settings.charts
    if not (charts.command or charts.url):
        return
    if charts.command and charts.render_url:
        note(
            say(
                f"Charts are drawn by a chart server, through {charts.render_url}.",
                f"图表由图表服务器绘制，经由 {charts.render_url}。",
            )
        )
        return
    note(
        say(
            "Warning: the data of charts is sent to a chart server. @antv/mcp-server-chart sends it on to a public "
            "service unless charts.render_url is set.",
            "警告：图表数据会发送给图表服务器。若未设置 charts.render_url，@antv/mcp-server-chart 会将其转发到公共服务。",
        )
    )


def _bound(host: str, port: int) -> socket.socket:
    """A listening address: the first free port from the given one on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in [port] if port == 0 else range(port, min(port + TRIED, 65536)):
        made = socket.socket(family)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, number))
            made.listen(WAITING)
        except OSError:
            made.close()
            continue
        return made
    raise BadRequest.because(f"no port from {port} on is free on {host}", f"{host} 上从 {port} 起没有空闲端口")


def _address(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _browsed(address: str) -> None:
    """Open the page once the server answers."""
    host, _, port = address.removeprefix("http://").rpartition(":")
    for _ in range(100):
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            webbrowser.open(address)
            return
