"""A small chart server that speaks as @antv/mcp-server-chart does: a tool a chart, drawn where VIS_REQUEST_SERVER says."""

import os
import sys
from pathlib import Path
from typing import Any

import httpx
from mcp.server.fastmcp import FastMCP

server = FastMCP("charts")


@server.tool()
def generate_column_chart(
    data: list[dict[str, Any]], title: str = "", axisXTitle: str = "", axisYTitle: str = "",
    group: bool = False, stack: bool = False,
) -> str:  # fmt: skip
    asked = {"type": "column", "data": data, "title": title, "axisXTitle": axisXTitle, "axisYTitle": axisYTitle}
    answer = httpx.post(
        os.environ["VIS_REQUEST_SERVER"], json=asked | {"source": "mcp-server-chart"}, timeout=60
    ).json()
    if not answer["success"]:
        raise ValueError(answer["errorMessage"])
    return str(answer["resultObj"])


if __name__ == "__main__":
    with Path(sys.argv[1]).open("a") as log:
        log.write(f"{os.getpid()} {sorted(name for name in os.environ if name.startswith('INQUERY'))}\n")
    server.run()
