"""`inquery mcp`: the tools for programs that speak the Model Context Protocol."""

from __future__ import annotations

import click

from inquery.cli.language import both
from inquery.cli.output import connection_option
from inquery.cli.serve import listen, serving_options, warn_of_charts
from inquery.cli.session import load_settings, run_async
from inquery.errors import BadRequest, MissingDriver


@click.command(
    help=both(
        "Speak MCP over standard input and output; with --http over streamable HTTP, at /mcp of the server.",
        "通过标准输入输出提供 MCP；使用 --http 时在服务器的 /mcp 提供 streamable HTTP。",
    )
)
@connection_option
@click.option("--http", is_flag=True, help=both("Serve over HTTP instead.", "改用 HTTP 提供服务。"))
@serving_options
def mcp(connection: str | None, http: bool, host: str | None, port: int | None, workers: int | None) -> None:
    """Serve MCP until the client leaves, or Ctrl-C."""
    settings = load_settings()
    if http:
        if connection:
            raise BadRequest.because(
                "--connection goes with stdio; over HTTP each call names its database",
                "--connection 仅用于 stdio；HTTP 方式由每次调用指定数据库",
            )
        listen(host, port, workers, path="/mcp")
        return
    try:
        from inquery.mcp.serving import serve_stdio
    except ImportError as error:
        raise MissingDriver(str(error), engine="MCP", extra="mcp") from error
    warn_of_charts(settings)
    run_async(serve_stdio(settings, connection))
