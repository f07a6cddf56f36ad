"""What belongs to one person does not reach a remote model; what only looks like it does."""

from dataclasses import replace

import pytest
from tests.unit.llm.test_chat_writer import REMOTE, REQUEST, prompt_of, scripted, writer

from inquery.llm.personal_data import mask_literals, mask_personal
from inquery.llm.writer import Failure, SchemaView, ValueMatch
from inquery.sql import Column, Table

PERSONAL = {
    "ann.lee+x@shop.example.com": "***@***.com",
    "13812345678": "138********",
    "+86 138 1234 5678": "+86 1** **** ****",
    "138-1234-5678": "138-****-****",
    "010-62345678": "010-********",
    "(415) 555-0132": "(415) ***-****",
    "+44 20 7946 0958": "+44 2* **** ****",
    "123-45-6789": "123-**-****",
    "11010519491231002X": "110***************",
    "4111 1111 1111 1111": "411* **** **** ****",
    "6222021234567890128": "622****************",
    "联系人 zhang@qq.com，电话13987654321。": "联系人 ***@***.com，电话139********。",
}
OTHERS = [
    "2026-11-15", "2026-11-15 10:30:00", "20261115", "SO-2026-000123", "1234567890", "42", "3.14159265358979",
    "110105194912310021", "1789012345678901234", "v1.2.3", "ISBN 978-7", "Beijing", "上海", "A@B", "100-200", "12345678901",
]  # fmt: skip


@pytest.mark.parametrize(("text", "masked"), PERSONAL.items())
def test_what_belongs_to_a_person_is_starred_out(text: str, masked: str) -> None:
    assert mask_personal(text) == masked


@pytest.mark.parametrize("text", OTHERS)
def test_other_numbers_and_words_stay(text: str) -> None:
    assert mask_personal(text) == text


def test_of_a_statement_only_quoted_values_change() -> None:
    sql = "SELECT 13812345678 FROM t WHERE mail = 'a@b.com' AND name = 'O''Neil' AND phone = '13812345678'"
    assert mask_literals(sql) == (
        "SELECT 13812345678 FROM t WHERE mail = '***@***.com' AND name = 'O''Neil' AND phone = '138********'"
    )


PEOPLE = replace(
    REQUEST,
    schema=SchemaView(
        (
            Table(
                ("people",),
                (
                    Column("email", "text", samples=("ann@shop.example", "bob@shop.example")),
                    Column("phone", "text", samples=("13812345678",)),
                    Column("city", "text", samples=("Beijing", "Paris")),
                ),
            ),
        )
    ),
    values=(ValueMatch("people", "phone", "13812345678", "138"), ValueMatch("people", "city", "Paris", "paris")),
    samples=(),
    template="SELECT 1 FROM people WHERE email = 'ann@shop.example'",
)


async def test_a_remote_model_is_shown_forms_and_no_persons() -> None:
    model = scripted("SELECT 1", "SELECT 1")
    chat = writer(model)
    await chat.write(PEOPLE)
    first = prompt_of(model)
    await chat.repair(PEOPLE, Failure("SELECT 1", "type_mismatch", "duplicate key (ann@shop.example)"))
    for prompt in (first, prompt_of(model)):
        assert "ann@" not in prompt
        assert "12345678" not in prompt
        assert "'Beijing', 'Paris'" in prompt
    assert "'***@***.example'" in first


async def test_what_the_question_says_is_sent_as_it_is() -> None:
    model = scripted("SELECT 1")
    await writer(model).write(replace(PEOPLE, question="Who has 13812345678?"))
    assert "'138' is '13812345678' in people.phone" in prompt_of(model)


async def test_it_can_be_left_off_and_a_model_of_this_machine_sees_all() -> None:
    for settings in (
        REMOTE.model_copy(update={"mask_personal": False}),
        REMOTE.model_copy(update={"base_url": "http://127.0.0.1:1/v1"}),
    ):
        model = scripted("SELECT 1")
        await writer(model, settings=settings).write(PEOPLE)
        assert "ann@shop.example" in prompt_of(model)
