"""Errors as HTTP answers: a status, a stable code and a sentence in the caller's language; never a stack."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from inquery.api.headers import SECURITY_HEADERS
from inquery.errors import (
    BadConnectionUrl,
    BadRequest,
    BodyTooLarge,
    DatabaseUnavailable,
    Forbidden,
    HomeUnusable,
    InqueryError,
    InternalError,
    LoginFailed,
    MissingDriver,
    ModelUnavailable,
    NotFound,
    NotSignedIn,
    ProviderUnavailable,
    QueryLimit,
    QuestionEmpty,
    QuestionTooLong,
    QuotaExceeded,
    ServerBusy,
    SqlDenied,
    SqlFixable,
    SqlRefused,
    StoreDown,
    Text,
    ThreadBusy,
    UserError,
)

LOG = logging.getLogger("inquery.api")

# The first class that fits decides, so the narrower come first.
STATUS: tuple[tuple[type[InqueryError], int], ...] = (
    (NotFound, 404),
    (NotSignedIn, 401),
    (LoginFailed, 401),
    (ProviderUnavailable, 502),
    (Forbidden, 403),
    (ThreadBusy, 409),
    (BodyTooLarge, 413),
    (QuestionEmpty, 422),
    (QuestionTooLong, 422),
    (BadRequest, 422),
    (BadConnectionUrl, 422),
    (MissingDriver, 422),
    (QuotaExceeded, 429),
    (ServerBusy, 503),
    (UserError, 400),
    (SqlRefused, 422),
    (SqlFixable, 422),
    (SqlDenied, 403),
    (QueryLimit, 422),
    (StoreDown, 503),
    (HomeUnusable, 503),
    (DatabaseUnavailable, 502),
    (ModelUnavailable, 503),
)
WAIT_S = 5


class ErrorBody(BaseModel):
    """What every failed request answers with."""

    code: str
    message: str
    retryable: bool


ERRORS: dict[int | str, dict[str, object]] = {
    status: {"model": ErrorBody} for status in (400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503)
}


def preferred_language(header: str | None) -> str:
    """Chinese where the caller prefers it to English; the first language named that we speak."""
    weighted = []
    for place, part in enumerate((header or "").split(",")[:20]):
        tag, _, rest = part.strip().partition(";")
        weight = rest.partition("q=")[2].strip() or "1"
        known = tag.strip().lower()[:2]
        if known in {"en", "zh"}:
            weighted.append((-_number(weight), place, known))
    return min(weighted)[2] if weighted else "en"


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def status_of(error: InqueryError) -> int:
    """The HTTP status of an error."""
    return next((status for kind, status in STATUS if isinstance(error, kind)), 500)


def error_answer(error: InqueryError, language: str) -> JSONResponse:
    """The answer that tells an error."""
    status = status_of(error)
    headers = {}
    if status in {429, 503} or isinstance(error, ThreadBusy):
        headers["retry-after"] = str(error.fields.get("seconds", WAIT_S))
    return JSONResponse(error.to_dict(language), status, headers=headers)


def install(app: FastAPI) -> None:
    """Give every kind of failure its answer."""

    async def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, InqueryError)
        request.state.outcome = error.code
        if status_of(error) >= 500 and error.detail:
            LOG.warning("%s: %s", error.code, error.detail)
        return error_answer(error, preferred_language(request.headers.get("accept-language")))

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return await ours(request, bad_fields(error.errors()))

    async def plain(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        answer = await ours(request, _of_status(error.status_code))
        answer.status_code = error.status_code
        answer.headers.update(error.headers or {})
        return answer

    async def store_down(request: Request, error: Exception) -> Response:
        LOG.error("the store failed", exc_info=error)
        return await ours(request, StoreDown())

    async def unexpected(request: Request, error: Exception) -> Response:
        answer = await ours(request, InternalError())
        answer.headers.update(SECURITY_HEADERS)
        return answer

    app.add_exception_handler(InqueryError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, plain)
    app.add_exception_handler(SQLAlchemyError, store_down)
    app.add_exception_handler(Exception, unexpected)


def bad_fields(problems: Iterable[dict[str, object]]) -> BadRequest:
    """Names the fields that are wrong and says why; what was sent is not repeated."""
    named = []
    for problem in problems:
        place = problem.get("loc")
        parts = (
            [str(part) for part in place if part not in {"body", "query", "path"}] if isinstance(place, tuple) else []
        )
        where = ".".join(parts)[:100] or "body"
        named.append((where, str(problem.get("msg", ""))[:200]))
    en = "; ".join(f"{where}: {why}" for where, why in named[:5])
    zh = "；".join(f"{where} 的值无效" for where, _ in named[:5])
    return BadRequest.because(en, zh)


def _of_status(status: int) -> InqueryError:
    if status == 404:
        return NotFound("route", what=Text("page", "页面"), name="…")
    reason = Text(f"HTTP {status}", f"HTTP {status}")
    if status == 405:
        reason = Text("this method is not allowed here", "此处不允许该方法")
    return BadRequest(reason.en, reason=reason)
