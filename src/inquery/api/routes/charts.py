"""Our own renderer in the words of chart servers, so that they need no public service, and the pictures it drew."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from inquery.answers.chart_requests import spec_of
from inquery.answers.drawing import draw_png
from inquery.api.identity import CurrentUser, current_user
from inquery.api.shared import Here, Language
from inquery.errors import InqueryError
from inquery.store.pictures import Pictures

router = APIRouter(prefix="/charts", tags=["charts"])
DRAWING = asyncio.Semaphore(2)
"""A picture takes a tenth of a second of a core: a burst of them must not stop the answers."""


class ChartRequest(BaseModel):
    """What a chart server sends; fields of style are not looked at."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(max_length=40, description="column, bar, line, area, pie, scatter or funnel")
    data: list[Any] = Field(description="points: category and value, time and value, or x and y; group for series")


class Drawn(BaseModel):
    """Whether it was drawn, and where the picture is."""

    success: bool
    resultObj: str = ""
    errorMessage: str = ""


@router.post("/render")
async def render(
    body: ChartRequest,
    request: Request,
    here: Here,
    language: Language,
    key: Annotated[str, Query(max_length=200, description="charts.render_key, for a caller that cannot sign in")] = "",
) -> Drawn:
    """Draw a chart on this machine: the protocol of VIS_REQUEST_SERVER."""
    await _let_in(request, here, key)
    try:
        async with DRAWING:
            picture = await asyncio.to_thread(lambda: draw_png(spec_of(body.model_dump())))
    except InqueryError as error:
        return Drawn(success=False, errorMessage=error.public_message(language))
    name = await asyncio.to_thread(_pictures(here).save, picture)
    return Drawn(success=True, resultObj=str(request.url_for("picture", name=name)))


@router.get("/pictures/{name}", name="picture", response_class=Response)
async def picture(name: str, user: CurrentUser, here: Here) -> Response:
    """A picture by its name, which only who was told it knows."""
    content, kind = await asyncio.to_thread(_pictures(here).load, name)
    return Response(content, media_type=kind, headers={"cache-control": "private, max-age=86400"})


async def _let_in(request: Request, here: Here, key: str) -> None:
    known = here.settings.charts.render_key.get_secret_value()
    if not known or not secrets.compare_digest(key.encode(), known.encode()):
        await current_user(request)


def _pictures(here: Here) -> Pictures:
    return Pictures(here.settings.home, here.settings.charts.picture_days)
