"""Sends finished reports by mail, through the one SMTP server that the settings name."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Sequence
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from inquery.errors import BadRequest, ConnectFailed
from inquery.reports.render import OUTPUTS, Document
from inquery.settings import MailSettings

TIMEOUT_S = 30
MOST_RECIPIENTS = 50
LONGEST_ADDRESS = 254
_PLAIN = ("application", "octet-stream")


def check_recipients(recipients: Sequence[str], mail: MailSettings, *, local: bool = False) -> list[str]:
    """The addresses as they will be used, each once; raises BadRequest.

    A report holds what its owner may see, so that it goes only to the domains of the settings: by default the sender's
    own. `local` is a person at this machine, who could as well send the file.
    """
    found = list(dict.fromkeys(each.strip() for each in recipients if each.strip()))
    if not found:
        return []
    if not mail.host or not mail.sender:
        raise BadRequest.because(
            "no mail can be sent here: mail.host and mail.sender are not set",
            "此处无法发送邮件：未设置 mail.host 和 mail.sender",
        )
    if len(found) > MOST_RECIPIENTS:
        raise BadRequest.because(
            f"a report goes to at most {MOST_RECIPIENTS} addresses", f"最多 {MOST_RECIPIENTS} 个收件人"
        )
    known = {each.lower() for each in mail.domains} or {_address(mail.sender).domain.lower()}
    for each in found:
        domain = _address(each).domain.lower()
        if not local and "*" not in known and domain not in known:
            raise BadRequest.because(
                f"reports are not sent to {domain} from here", f"此处不能向 {domain} 发送报告", detail="mail.domains"
            )
    return found


def _address(text: str) -> Address:
    """A bare address; raises BadRequest for what is none, a second header within it above all."""
    try:
        found = Address(addr_spec=text)
    except (ValueError, IndexError, MessageError) as error:
        raise _no_address(text) from error
    if not found.domain or not found.username or len(text) > LONGEST_ADDRESS or not text.isprintable():
        raise _no_address(text)
    return found


def _no_address(text: str) -> BadRequest:
    shown = "".join(letter for letter in text if letter.isprintable())[:80]
    return BadRequest.because(f"“{shown}” is not a mail address", f"“{shown}”不是邮箱地址")


def write_mail(
    recipients: Sequence[str], subject: str, body: str, files: Sequence[tuple[str, Document]], mail: MailSettings
) -> EmailMessage:
    """The mail with its documents as files, and the pictures that lie beside them."""
    message = EmailMessage()
    message["From"] = mail.sender
    message["To"] = ", ".join(recipients)
    message["Subject"] = " ".join(subject.split())
    message["Date"] = formatdate(localtime=False)
    message["Message-ID"] = make_msgid(domain=_address(mail.sender).domain)
    message.set_content(body)
    for name, document in files:
        main, _, kind = OUTPUTS[document.form].partition(";")[0].partition("/")
        message.add_attachment(document.content, maintype=main, subtype=kind, filename=name)
        for picture, content in document.pictures.items():
            message.add_attachment(content, maintype=_PLAIN[0], subtype=_PLAIN[1], filename=picture)
    return message


def send_mail(message: EmailMessage, mail: MailSettings) -> None:
    """Hand a mail to the server; raises ConnectFailed where it does not take it for everybody."""
    try:
        with _session(mail) as session:
            if mail.user:
                session.login(mail.user, mail.password.get_secret_value())
            refused = session.send_message(message)
    except (OSError, smtplib.SMTPException) as error:
        raise ConnectFailed.because(
            "the mail server did not take the report", "邮件服务器未接收该报告", detail=str(error)
        ) from error
    if refused:
        raise ConnectFailed.because(
            f"the mail server refused {len(refused)} of the addresses",
            f"邮件服务器拒绝了 {len(refused)} 个收件人",
            detail=", ".join(refused),
        )


def _session(mail: MailSettings) -> smtplib.SMTP:
    """A session that is encrypted unless the settings say otherwise: a password is never sent before it is."""
    if mail.security == "tls":
        return smtplib.SMTP_SSL(mail.host, mail.port, timeout=TIMEOUT_S, context=ssl.create_default_context())
    session = smtplib.SMTP(mail.host, mail.port, timeout=TIMEOUT_S)
    if mail.security == "starttls":
        try:
            session.starttls(context=ssl.create_default_context())
        except (OSError, smtplib.SMTPException):
            session.close()
            raise
    return session
