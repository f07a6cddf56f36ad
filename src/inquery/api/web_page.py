"""The web page, where it was built; otherwise a few words about what works without it and how to get it."""

from __future__ import annotations

import asyncio
import mimetypes
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parents[1] / "web_dist"
FOREVER = "public, max-age=31536000, immutable"
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
"""What the build leaves beside each file, the smaller first."""
IN_A_CLONE = (
    "It was not built: run <code>make web</code> (Node 20.19 or newer) and start again.",
    "网页尚未构建：请运行 <code>make web</code>（需要 Node 20.19 或更高版本）后重新启动。",
)
INSTALLED = (
    "This package was built without it: install a wheel that was built with the page, then start again.",
    "此安装包构建时未包含网页：请安装包含网页的 wheel 后重新启动。",
)
NO_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Inquery</title></head><body>
<h1>Inquery</h1>
<p>The server runs, without its web page. {en}
<code>inquery ask</code> and the API work; the API is described at
<a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>
<p lang="zh">服务器已启动，但没有网页。{zh}
<code>inquery ask</code> 与 API 可照常使用；API 说明见 <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>。</p>
</body></html>
"""


def install(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serve the built page; unknown paths outside the API are its own routes."""
    if not (folder / "index.html").is_file():

        @app.get("/", include_in_schema=False)
        async def no_page() -> HTMLResponse:
            return HTMLResponse(describe_no_page(folder))

        return
    files = StaticFiles(directory=folder)

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        if path.startswith("api/"):
            raise HTTPException(404)
        found = await asyncio.to_thread(_file, files, path)
        if found is None and path.startswith("assets/"):
            raise HTTPException(404)  # of an older build: the page itself would be a script that does not parse
        return await asyncio.to_thread(_answer, found or folder / "index.html", path, request)


def describe_no_page(folder: Path) -> str:
    """What to do about a missing page: a clone has the sources and make, an installed package has neither."""
    en, zh = IN_A_CLONE if (folder.parents[2] / "web" / "package.json").is_file() else INSTALLED
    return NO_PAGE.format(en=en, zh=zh)


def _file(files: StaticFiles, path: str) -> Path | None:
    """The file of a path inside the folder."""
    found, about = files.lookup_path(path) if path else ("", None)
    return Path(found) if about is not None and Path(found).is_file() else None


def _answer(file: Path, path: str, request: Request) -> FileResponse:
    """The file, in the smallest form that was built and the caller can read."""
    headers = {"cache-control": FOREVER if path.startswith("assets/") else "no-cache", "vary": "accept-encoding"}
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    accepted = {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    for encoding, ending in ENCODINGS:
        smaller = file.with_name(file.name + ending)
        if encoding in accepted and smaller.is_file():
            return FileResponse(smaller, media_type=kind, headers={**headers, "content-encoding": encoding})
    return FileResponse(file, media_type=kind, headers=headers)
