"""The web page, where it was built; otherwise a few words about how to build it."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parents[1] / "web_dist"
NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Inquery</title></head><body>
<h1>Inquery</h1>
<p>The server runs. The web page was not built: run <code>make web</code> and start again.
The API is described at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>
<p lang="zh">服务器已启动，但网页尚未构建：请运行 <code>make web</code> 后重新启动。
API 说明见 <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>。</p>
</body></html>
"""


def install(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serve the built page; unknown paths outside the API are its own routes."""
    if not (folder / "index.html").is_file():

        @app.get("/", include_in_schema=False)
        async def not_built() -> HTMLResponse:
            return HTMLResponse(NOT_BUILT)

        return
    files = StaticFiles(directory=folder)

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        if path.startswith("api/"):
            raise HTTPException(404)
        found, about = await asyncio.to_thread(files.lookup_path, path or "index.html")
        if path and about is not None and stat.S_ISREG(about.st_mode):
            fixed = path.startswith("assets/")
            return FileResponse(found, headers={"cache-control": "max-age=31536000, immutable"} if fixed else None)
        return FileResponse(folder / "index.html", headers={"cache-control": "no-cache"})
