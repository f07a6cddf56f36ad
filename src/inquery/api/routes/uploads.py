"""Data files that people bring: kept under INQUERY_HOME and asked like any other database."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request

from inquery.api.auditing import deed
from inquery.api.identity import Guard, User
from inquery.api.rights import Uploader
from inquery.api.routes.connections import Added, info_of, tried
from inquery.api.shared import Here, Language, Shared
from inquery.api.uploaded import new_folder, room_for
from inquery.databases.engines.files.engine import SUFFIXES
from inquery.databases.transport.address import parse_address
from inquery.errors import BadDataFile, BadRequest, BodyTooLarge
from inquery.home import new_file
from inquery.store import Connections, probe
from inquery.store.connections import absolute_address
from inquery.store.grants import Rules

LONGEST_NAME = 100
router = APIRouter(prefix="/uploads", tags=["uploads"])
BINARY = {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}, "required": True}


@router.post("", status_code=201, openapi_extra={"requestBody": BINARY})
async def upload(
    request: Request,
    user: Uploader,
    here: Here,
    guard: Guard,
    language: Language,
    filename: Annotated[str, Query(min_length=1, max_length=200, description="its ending says what the file is")],
    name: Annotated[str, Query(max_length=100, description="name of the new database; the file's without one")] = "",
) -> Added:
    """Send a CSV, TSV, Parquet, JSON or XLSX file as the body; it becomes a database that you may ask."""
    given = Path(filename.replace("\\", "/")).name
    if not given.lower().endswith(SUFFIXES) or given.startswith((".", "~$")) or not given.isprintable():
        raise _bad_kind()
    deed(request, target=given)
    most = await asyncio.to_thread(room_for, here.settings, user.id)
    folder = new_folder(here.settings, user.id)
    try:
        path = await _received(request, folder / given, most)
        return await _registered(path, name.strip() or Path(given).stem, user, here, guard, language)
    except BaseException:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        raise


async def _received(request: Request, path: Path, most: int) -> Path:
    """The body in a file, piece by piece; a full disk is told as what it is."""
    size = 0
    try:
        with await asyncio.to_thread(new_file, path) as file:
            async for piece in request.stream():
                size += len(piece)
                if size > most:
                    raise BodyTooLarge(limit=most)
                await asyncio.to_thread(file.write, piece)
    except OSError as error:
        raise BadDataFile.because(
            "the server has no room for it", "服务器空间不足", detail=str(error), name=path.name
        ) from error
    return path


async def _registered(path: Path, name: str, user: User, here: Shared, guard: Guard, language: str) -> Added:
    address = absolute_address(parse_address(str(path)))
    found = await asyncio.to_thread(lambda: probe(address, settings=here.settings.database))
    # Under a plain name an uploader would learn whether somebody else's database has it.
    own = name if user.grants is None else own_name(name, user.name)
    made = await asyncio.to_thread(Connections(here.store).add, own, address.url)
    if not user.sees(made.id):
        await asyncio.to_thread(guard.grants.put, made.id, "user", user.id, Rules())
    return Added(**info_of(made, user).model_dump(), found=tried(found, language))


def own_name(name: str, user: str) -> str:
    """What a user's file is called; a user's name has no spaces, so that no two of them can make the same."""
    ending = f" ({user})"
    return name[: LONGEST_NAME - len(ending)].rstrip() + ending


def _bad_kind() -> BadRequest:
    named = ", ".join(SUFFIXES)
    return BadRequest.because(f"the file's name must end in {named}", f"文件名应以 {named} 结尾", detail="file")
