"""What a provider's failure means: one error of our tree for each, with the provider's own words kept.

Providers agree on the status of a refused key and on little else. What is recognised here by words was taken from
the documentation and the trackers of OpenAI, Azure, Anthropic, Gemini, DeepSeek, DashScope, SiliconFlow, vLLM,
LM Studio, llama.cpp and Ollama; tests/stubs/temperaments.yaml holds an answer of each.
"""

from __future__ import annotations

import asyncio
import re
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inquery.errors import (
    BadOutput,
    ContentFiltered,
    ContextTooLong,
    InqueryError,
    KeyRefused,
    ModelForbidden,
    ModelQuotaSpent,
    ModelTimeout,
    ModelUnavailable,
    ModelUnreachable,
    NotAModel,
    RateLimited,
    RequestRejected,
    UnknownModel,
)

LONGEST_WORDS = 300
_SECRETS = re.compile(
    r"\b(?:sk|pk|rk|gsk|key|org|proj|req|xai|hf)[-_][-_A-Za-z0-9*.]{6,}|\bAIza[-_A-Za-z0-9]{10,}|\bBearer\s+\S+|"
    r"\b[A-Za-z0-9_\-*]{32,}|(?<=://)[^/\s@]+@"
)
_FILTER = re.compile(
    r"content[_ ](?:filter|management policy|policy violation)|data_?inspection|inappropriate content|敏感|不安全内容",
    re.I,
)
_CONTEXT = re.compile(
    r"context_length_exceeded|maximum context length|context (?:window|limit|length|size)|prompt is too long|"
    r"input (?:token count|length|tokens?).{0,40}exceed|range of input length|too many (?:input )?tokens|"
    r"maximum (?:number of )?(?:input )?tokens|exceeds? the (?:model'?s? )?(?:max|limit).{0,30}(?:tokens|context)|"
    r"max_model_len|num_ctx|上下文.{0,6}(?:过长|超)|输入.{0,8}(?:过长|超)",
    re.I,
)
_QUOTA = re.compile(
    r"insufficient[_ ](?:quota|balance|credit|user quota)|arrearage|credit balance|billing|exceeded your current quota|"
    r"余额不足|欠费|额度.{0,4}(?:不足|用完|用尽)|free (?:tier|quota|allocated)",
    re.I,
)
_PACE = re.compile(r"retry in|retrydelay|per[_ -]?(?:minute|second|day)|rate[_ ]limit|限流|频率", re.I)
_KEY = re.compile(
    r"(?:invalid|incorrect|missing|no|wrong|expired)[_ -]?(?:x-)?api[_ -]?key|api[_ ]key[_ ](?:not valid|invalid)|"
    r"authentication(?:_error| fails)|密钥无效",
    re.I,
)
_NO_MODEL = re.compile(
    r"model[_ ]not[_ ](?:found|exist)|model.{0,80}(?:does not exist|not found|doesn'?t exist)|no such model|"
    r"unknown model|模型不存在",
    re.I,
)
_NUMBER = re.compile(r"\d[\d,_]{2,}")


@dataclass(frozen=True, slots=True)
class Said:
    """What a provider answered: its status, the code it gave, the parameter it named, and its words."""

    status: int | None = None
    code: str = ""
    param: str = ""
    words: str = ""
    html: bool = False
    odd: bool = False
    """Whether the answer is none of a model's: a list, a text, a redirection."""

    @property
    def text(self) -> str:
        """All of it, to be searched."""
        return f"{self.code} {self.param} {self.words}"


def read_failure(error: BaseException) -> Said:
    """What the provider said, whichever client raised it; empty for a failure that is no answer."""
    status = _number(getattr(error, "status_code", None))
    response = getattr(error, "response", None)
    kind = str(_header(response, "content-type"))
    body = getattr(error, "body", None)
    if body is None and isinstance(error, ValueError) and error.args and isinstance(error.args[0], Mapping):
        body = error.args[0]  # 200 with {"error": …}, which langchain raises as it stands
    if body is None:
        body = getattr(error, "error", None)
    said = _read_body(body)
    words = said.words or _plain_text(response, error)
    is_odd = _ODD in words or (status is not None and 300 <= status < 400)
    is_page = "html" in kind or bool(re.search(r"<!doctype html|<html", words[:200], re.I))
    if status is None and said.code.isdigit() and 400 <= int(said.code) < 600:
        status = int(said.code)
    return Said(status, said.code, said.param, words, is_page, is_odd)


_ODD = "Unexpected response type"
"""How langchain begins when a server answers 200 with no JSON object."""


def _read_body(body: object) -> Said:
    """Code, parameter and words of an error's body: providers nest it differently, or send a string."""
    if isinstance(body, str):
        return Said(words=body)
    if isinstance(body, Sequence):
        return _read_body(body[0]) if body else Said()
    if not isinstance(body, Mapping):
        return Said()
    inner = body.get("error")
    if inner is not None and inner is not body:
        return _read_body(inner)
    code = body.get("code") or body.get("type") or body.get("status") or ""
    words = body.get("message") or body.get("detail") or body.get("msg") or ""
    if not isinstance(words, str):
        words = str(words)
    marks = " ".join(str(body[name]) for name in ("type", "status", "innererror") if body.get(name))
    return Said(code=f"{code} {marks}".strip() if marks != str(code) else str(code), param=str(body.get("param") or ""),
                words=words)  # fmt: skip


def _plain_text(response: object, error: BaseException) -> str:
    """The body as text where it is no JSON, else what the client says of it."""
    try:
        text = str(getattr(response, "text", "") or "")
    except Exception:  # noqa: BLE001 - a streamed body that nobody read; the client's own words have to do
        text = ""
    return text or str(error)


def _header(response: object, name: str) -> str:
    headers = getattr(response, "headers", None)
    return str(headers.get(name) or "") if headers is not None else ""


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def model_error(error: BaseException, *secrets: str) -> ModelUnavailable | None:
    """The error of the tree for a provider's failure, with its words; None for bugs and our own refusals."""
    if isinstance(error, ModelUnavailable):
        return error
    if isinstance(error, InqueryError | asyncio.CancelledError):
        return None
    kind = type(error).__name__
    if isinstance(error, TimeoutError) or "Timeout" in kind:
        return ModelTimeout(kind)
    said = read_failure(error)
    found = _classified(error, said)
    if found is None:
        return None
    if said.odd and not (said.html and said.status is None):
        found.said = f"HTTP {said.status}" if said.status else ""
    elif said.html:
        found.said = _title(said.words)
    elif said.status is not None or said.code:
        found.said = clean_words(said.words, *secrets)
    found.detail = " ".join(filter(None, (kind, str(said.status or ""), said.code, found.said)))
    return found


def _classified(error: BaseException, said: Said) -> ModelUnavailable | None:
    status, text = said.status, said.text
    if status is None and not said.code:
        return _without_answer(error, said)
    if said.odd or (said.html and (status is None or status < 500)):
        return NotAModel()
    if _FILTER.search(text):
        return ContentFiltered()
    if status not in {401, 403, 429} and _CONTEXT.search(text):
        return ContextTooLong(limit=context_limit(said.words))
    if status == 402 or (_QUOTA.search(text) and not _PACE.search(text)):
        return ModelQuotaSpent()
    if status == 401 or (_KEY.search(text) and status is not None and status < 500):
        return KeyRefused()
    if status == 403:
        return ModelForbidden()
    if status == 404 or _NO_MODEL.search(text):
        return UnknownModel()
    if status == 429:
        return RateLimited()
    if status == 413:
        return ContextTooLong(limit=0)
    if status == 408:
        return ModelTimeout()
    if status is not None and 400 <= status < 500:
        return RequestRejected()
    return ModelUnavailable()


def _without_answer(error: BaseException, said: Said) -> ModelUnavailable | None:
    """A failure that is no answer of a provider's: nothing listens, no JSON came, or a client stumbled."""
    kind = type(error).__name__
    if kind == "LengthFinishReasonError":
        return BadOutput(kind)
    if kind == "ContentFilterFinishReasonError":
        return ContentFiltered(kind)
    if said.html or said.odd or kind in {"JSONDecodeError", "APIResponseValidationError"}:
        return NotAModel(kind)
    if _broke_off(error):
        return ModelUnavailable(kind)
    if isinstance(error, OSError) or "Connect" in kind or kind == "RequestError":
        return ModelUnreachable(kind)
    if _comes_from_a_provider(error):
        return ModelUnavailable(kind)
    return _stumbled(kind) if _broke_in_a_client(error) else None


def _broke_off(error: BaseException) -> bool:
    """Whether a server was reached and hung up before its answer was whole: clients call that a connection error too."""
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    return any(type(each).__name__ in {"RemoteProtocolError", "ReadError", "IncompleteRead"} for each in causes)


def _stumbled(kind: str) -> BadOutput:
    """An answer that a client cannot read: the writer asks once more by itself, which three tries would double."""
    found = BadOutput(kind)
    found.retryable = False  # type: ignore[misc]
    return found


_PROVIDER_MODULES = {"anthropic", "httpcore", "httpx", "json", "langchain_core", "ollama", "openai"}


def _comes_from_a_provider(error: BaseException) -> bool:
    """Whether any class of the error is a client library's; bugs of ours are not to be retried."""
    return any(cls.__module__.split(".")[0] in _PROVIDER_MODULES for cls in type(error).__mro__)


def _broke_in_a_client(error: BaseException) -> bool:
    """Whether a client library stumbled over what a server sent: `{}` is a TypeError there, other answers others."""
    frames = [frame.f_globals.get("__name__", "").split(".")[0] for frame, _ in traceback.walk_tb(error.__traceback__)]
    return "langchain_core" in frames and frames[-1] != "inquery"


def is_providers_fault(error: ModelUnavailable) -> bool:
    """Whether a failure says that the provider is down: 5xx, time-outs and connections, never what one request was."""
    return isinstance(error, ModelTimeout | ModelUnreachable) or type(error) is ModelUnavailable


def clean_words(text: str, *secrets: str) -> str:
    """A provider's words as anyone may read them: one line, short, without keys and other long secrets."""
    line = " ".join(text.split())
    for secret in secrets:
        if len(secret) >= 4:
            line = line.replace(secret, "…")
    line = _SECRETS.sub("…", line)
    return line if len(line) <= LONGEST_WORDS else line[: LONGEST_WORDS - 1] + "…"


def _title(page: str) -> str:
    """What a page says it is: its title; its text may be anybody's."""
    found = re.search(r"<title[^>]*>(.{0,80}?)</title>", page, re.I | re.S)
    return f"HTML: {' '.join(found.group(1).split())}" if found else "HTML"


def context_limit(words: str) -> int:
    """The tokens a provider says it can read: the least number of thousands it names besides what was sent; 0 unknown."""
    stated = re.search(
        r"(?:maximum context length (?:is|of)|context (?:window|limit|length|size)[^\d]{0,30}|maximum number of tokens "
        r"allowed[^\d]{0,3}|range of input length should be \[\d+,|max_model_len[^\d]{0,10}|> )\s*(\d[\d,]*)(?![\d,]| *\+)",
        words,
        re.I,
    )
    if stated:
        return int(stated.group(1).replace(",", ""))
    numbers = [int(found.replace(",", "").replace("_", "")) for found in _NUMBER.findall(words)]
    return min(numbers, default=0)
