"""Brings a finished report to where it is wanted: into a folder, to a webhook under the rules of `outgoing`, by mail."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import logging
import re
import socket
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from inquery.databases.transport.outgoing import addresses_of, check_url, rules_of_people
from inquery.errors import BadRequest, ConnectFailed, HostNotAllowed, InqueryError
from inquery.home import write_file
from inquery.reports.mail import send_mail, write_mail
from inquery.reports.render import OUTPUTS, Document
from inquery.settings import Settings
from inquery.store.reports import StoredRun

LOG = logging.getLogger("inquery.reports")
TIMEOUT_S = 30
_SCHEMES = {"http": 80, "https": 443}


def check_target(target: str, settings: Settings, *, local: bool = False) -> str:
    """A folder or an address as it will be used; raises BadRequest. `local` is a person at this machine."""
    if not target:
        return ""
    if "://" in target:
        _address(target)
        if not local:
            check_url(target, rules_of_people(settings))
        return target
    folder = Path(target).expanduser().resolve()
    allowed = [Path(each).expanduser().resolve() for each in settings.reports.folders]
    if not local and not any(folder.is_relative_to(each) for each in allowed):
        raise BadRequest.because(
            "this folder is not one of reports.folders", "该文件夹不在 reports.folders 设置中", detail=str(folder)
        )
    return str(folder)


def file_name(name: str, at: str, form: str) -> str:
    """A name for a document that no file system objects to."""
    safe = re.sub(r"[^\w\-.\u3400-\u9fff]+", "-", name).strip("-.") or "report"
    return f"{safe}-{re.sub(r'[^0-9T-]', '', at)}.{form}"


def to_folder(folder: Path, name: str, document: Document, *, home: Path | None = None) -> Path:
    """Write a document with its pictures; a reader never sees half of it.

    Who may read it is the umask's say, unless the folder is one of Inquery's own home.
    """
    private = home is not None and folder.absolute().is_relative_to(home.absolute())
    for picture, content in document.pictures.items():
        write_file(folder / picture, content, private=private)
    return write_file(folder / name, document.content, private=private)


def to_webhook(url: str, name: str, document: Document, settings: Settings, *, run_id: str, status: str) -> int:
    """Post a document; its host is resolved and checked first, under the rules of `outgoing`; no redirect is followed."""
    scheme, host, port, path = _address(url)
    address = addresses_of(host, port, rules_of_people(settings))[0]
    headers = {
        "Content-Type": OUTPUTS[document.form],
        "User-Agent": "inquery",
        "X-Inquery-Run": run_id,
        "X-Inquery-Status": status,
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}",
    }
    secret = settings.reports.webhook_secret.get_secret_value()
    if secret:
        headers["X-Inquery-Signature"] = hmac.new(secret.encode(), document.content, hashlib.sha256).hexdigest()
    connection = _connection(scheme, host, port, address)
    try:
        connection.request("POST", path, body=document.content, headers=headers)
        answer = connection.getresponse()
        answer.read(65_536)
    except (OSError, http.client.HTTPException) as error:
        raise ConnectFailed.because("the webhook did not answer", "Webhook 没有响应", detail=str(error)) from error
    finally:
        connection.close()
    if not 200 <= answer.status < 300:
        raise ConnectFailed.because(
            f"the webhook answered {answer.status}", f"Webhook 返回 {answer.status}", detail=str(answer.status)
        )
    return answer.status


def _address(url: str) -> tuple[str, str, int, str]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _bad_address() from error
    if parts.scheme not in _SCHEMES or not parts.hostname or parts.username or not url.isprintable():
        raise _bad_address()
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._") + (f"?{parts.query}" if parts.query else "")
    return parts.scheme, parts.hostname, port or _SCHEMES[parts.scheme], path


def _bad_address() -> BadRequest:
    return BadRequest.because(
        "a webhook is an http or https address", "Webhook 应为 http 或 https 地址", detail="webhook"
    )


def _connection(scheme: str, host: str, port: int, address: str) -> http.client.HTTPConnection:
    """A connection to the address that was checked, under the name that was given."""
    made: http.client.HTTPConnection = (
        http.client.HTTPSConnection(host, port, timeout=TIMEOUT_S, context=ssl.create_default_context())
        if scheme == "https"
        else http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
    )

    def connect(target: tuple[str, int], timeout: Any = None, source: Any = None) -> socket.socket:
        return socket.create_connection((address, target[1]), TIMEOUT_S, source)

    made._create_connection = connect  # type: ignore[attr-defined]
    return made


def delivered(target: str, name: str, document: Document, settings: Settings, *, run_id: str, status: str) -> str:
    """Deliver to a target and say what came of it; a failure is told, since the report itself is kept."""
    try:
        if "://" in target:
            to_webhook(target, name, document, settings, run_id=run_id, status=status)
            return "webhook"
        to_folder(Path(target), name, document, home=settings.home)
        return "folder"
    except HostNotAllowed as error:
        return f"failed: {error.code}"
    except (InqueryError, OSError) as error:
        # In one word, whatever it was: closed, silent or refusing would tell a person what runs inside a network.
        LOG.warning("a report was not delivered: %s", error)
        return "failed: webhook" if "://" in target else "failed: folder"


def mailed_to(
    recipients: Sequence[str], name: str, run: StoredRun, files: Sequence[tuple[str, Document]], settings: Settings
) -> str:
    """Mail a report and say what came of it, as `delivered` does."""
    try:
        send_mail(write_mail(recipients, _subject(name, run), _letter(name, run), files, settings.mail), settings.mail)
    except InqueryError as error:
        LOG.warning("a report was not mailed: %s", error)
        return "failed: mail"
    return f"mail {len(recipients)}"


def _subject(name: str, run: StoredRun) -> str:
    day = str(run.content.get("today") or run.started.date().isoformat())
    return f"{name}（{day}）" if run.content.get("language") == "zh" else f"{name} ({day})"


def _letter(name: str, run: StoredRun) -> str:
    """What the mail says: how much of the report was found, above all what nobody confirmed."""
    counts, total = run.content.get("counts", {}), int(run.content.get("placeholders", 0))
    found, doubtful = int(counts.get("solved", 0)), int(counts.get("doubtful", 0))
    missing = total - found - doubtful
    if run.content.get("language") == "zh":
        lines = [f"报告“{name}”已生成，见附件。", f"共 {total} 个占位符，已确认 {found} 个。"]
        lines += [f"{doubtful} 个数值待确认，使用前请核对。"] if doubtful else []
        lines += [f"{missing} 个未能得出，文档中已注明原因。"] if missing else []
    else:
        lines = [f"The report “{name}” is attached.", f"{found} of {total} values were found."]
        lines += [f"{doubtful} more are unconfirmed: look at them before you rely on them."] if doubtful else []
        lines += [f"{missing} could not be found; the document says why."] if missing else []
    return "\n".join(lines) + "\n"
