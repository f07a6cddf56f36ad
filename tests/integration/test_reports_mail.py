"""Reports by mail: through a real SMTP server, to the domains of the settings alone, and told when it does not work."""

import email
import email.policy
import socket
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from tests.integration.report_office import SCRIPT, TEMPLATE, TODAY, office

from inquery.errors import BadRequest
from inquery.reports.mail import check_recipients
from inquery.reports.report_run import Who
from inquery.reports.schedule import Scheduler
from inquery.settings import MailSettings

REFUSED = "gone@shop.example"


class Box:
    """Takes mail for everybody but one."""

    def __init__(self) -> None:
        self.got: list[tuple[list[str], EmailMessage]] = []
        self.signed_in: list[bytes] = []

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address == REFUSED:
            return "550 nobody here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.got.append((envelope.rcpt_tos, message))
        return "250 OK"

    def sign_in(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.signed_in.append(data.login)
        return AuthResult(success=data.password == b"word", handled=False)


@pytest.fixture
def box() -> Iterator[tuple[Box, int]]:
    found = Box()
    with socket.socket() as free:  # the server asks itself whether it listens, by the port it was given
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Controller(found, hostname="127.0.0.1", port=port, authenticator=found.sign_in, auth_require_tls=False)
    server.start()
    yield found, port
    server.stop()


def settings_of(port: int) -> dict[str, Any]:
    sign_in = {"user": "reports", "password": "word"}
    return {"host": "127.0.0.1", "port": port, "security": "none", "sender": "reports@shop.example"} | sign_in


async def owner(_: str) -> Who:
    return Who()


async def test_a_scheduled_report_is_mailed_with_its_documents(tmp_path: Path, box: tuple[Box, int]) -> None:
    sink, port = box
    async with office(tmp_path, today=TODAY, mail=settings_of(port)) as here:
        report = await here.keep(TEMPLATE, name="月报 Orders")
        scheduler = Scheduler(here.desk, owner)
        people = ["ann@shop.example", "bob@shop.example", "ann@shop.example"]
        made = await scheduler.add(report, "0 8 * * 1", outputs=["html", "pdf"], recipients=people)
        assert len(await scheduler.tick(made.next_at)) == 1
        (kept,) = scheduler.schedules.list("local")
        assert kept.last_outcome == "done; mail 2"
    ((to, message),) = sink.got
    assert (to, sink.signed_in) == (["ann@shop.example", "bob@shop.example"], [b"reports"])
    assert message["from"] == "reports@shop.example"
    assert str(message["subject"]).startswith("月报 Orders (")
    body = message.get_body()
    assert body is not None
    assert "4 of 4 values were found" in body.get_content()
    files = {str(part.get_filename()): part.get_content() for part in message.iter_attachments()}
    page, paper = sorted(files)
    assert (page.endswith(".html"), paper.endswith(".pdf")) == (True, True)
    assert "175" in files[page]  # the orders of October, as the shop has them
    assert files[paper].startswith(b"%PDF")


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({}, "done; mail 1"),
        ({"password": "wrong"}, "done; failed: mail"),
        ({"security": "starttls"}, "done; failed: mail"),  # the server offers none: nothing is sent in the clear
        ({"port": 9}, "done; failed: mail"),
    ],
)
async def test_what_became_of_a_mail_is_told(
    tmp_path: Path, box: tuple[Box, int], change: dict[str, Any], outcome: str
) -> None:
    sink, port = box
    async with office(tmp_path, today=TODAY, mail=settings_of(port) | change) as here:
        report = await here.keep(TEMPLATE)
        scheduler = Scheduler(here.desk, owner)
        made = await scheduler.add(report, "0 8 * * 1", outputs=["md"], recipients=["ann@shop.example"])
        await scheduler.tick(made.next_at)
        (kept,) = scheduler.schedules.list("local")
        assert (kept.last_outcome, len(sink.got)) == (outcome, 0 if "failed" in outcome else 1)


async def test_a_refused_address_is_told_though_others_get_the_mail(tmp_path: Path, box: tuple[Box, int]) -> None:
    sink, port = box
    async with office(tmp_path, today=TODAY, mail=settings_of(port)) as here:
        report = await here.keep(TEMPLATE)
        scheduler = Scheduler(here.desk, owner)
        both = ["ann@shop.example", REFUSED]
        made = await scheduler.add(report, "0 8 * * 1", outputs=["md"], recipients=both)
        await scheduler.tick(made.next_at)
        (kept,) = scheduler.schedules.list("local")
    assert kept.last_outcome == "done; failed: mail"
    assert [to for to, _ in sink.got] == [["ann@shop.example"]]


SHOP = MailSettings(host="mail.example", sender="reports@shop.example")


@pytest.mark.parametrize(
    "address",
    ["ann", "ann@", "@shop.example", "ann@shop.example\nBcc: x@evil.example", "Ann <ann@shop.example>", "a@b@shop.example",
     "ann@shop.example, bob@shop.example", "a" * 250 + "@shop.example"],
)  # fmt: skip
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(BadRequest):
        check_recipients([address], SHOP)


def test_mail_goes_to_the_senders_domain_unless_the_settings_name_others() -> None:
    ann, eve = "ann@Shop.example", "eve@elsewhere.example"
    assert check_recipients([ann, " "], SHOP) == [ann]
    for mail in (SHOP, SHOP.model_copy(update={"domains": ["shop.example"]})):
        with pytest.raises(BadRequest) as refused:
            check_recipients([ann, eve], mail)
        assert "elsewhere.example" in refused.value.public_message("en")
    for domains in (["*"], ["shop.example", "Elsewhere.example"]):
        assert check_recipients([ann, eve], SHOP.model_copy(update={"domains": domains})) == [ann, eve]
    assert check_recipients([eve], SHOP, local=True) == [eve]
    with pytest.raises(BadRequest):
        check_recipients([ann], MailSettings())


async def test_an_unconfirmed_value_is_not_counted_as_found(tmp_path: Path, box: tuple[Box, int]) -> None:
    sink, port = box
    two = {"how many staff are there": ["SELECT COUNT(*) AS n FROM staff", "SELECT MAX(staff_id) + 3 AS n FROM staff",
                                        "SELECT MIN(staff_id) AS n FROM staff"]}  # fmt: skip
    async with office(tmp_path, SCRIPT | two, today=TODAY, mail=settings_of(port), reports={"agreement": 0.9}) as here:
        report = await here.keep("Staff: {{value: how many staff are there}}\n")
        scheduler = Scheduler(here.desk, owner)
        made = await scheduler.add(report, "0 8 * * 1", outputs=["md"], recipients=["ann@shop.example"])
        await scheduler.tick(made.next_at)
        (run,) = here.desk.runs.list(report.id)
    assert (run.status, run.content["counts"]) == ("doubtful", {"doubtful": 1})
    body = sink.got[0][1].get_body()
    assert body is not None
    assert "0 of 1 values were found.\n1 more are unconfirmed" in body.get_content().replace("\r\n", "\n")
    (document,) = sink.got[0][1].iter_attachments()
    assert "unconfirmed" in document.get_content()
