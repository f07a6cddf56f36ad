"""What callers send: bounded, plain text, no fields we do not know."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, RootModel, SecretStr, model_validator

from inquery.agents.events import Event
from inquery.knowledge.glossary import Both, ShownFormat
from inquery.store.grants import Kind, Rules
from inquery.store.model_rows import ModelContent
from inquery.store.users import Role

LARGEST = 1 << 31


def _sound(value: Any) -> Any:
    """Refuse what no database can store: NUL, and halves of characters."""
    if isinstance(value, str) and ("\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value)):
        raise ValueError("text holds characters that cannot be stored")
    if isinstance(value, dict):
        for name, inner in value.items():
            _sound(name)
            _sound(inner)
    if isinstance(value, list):
        for inner in value:
            _sound(inner)
    return value


class Body(BaseModel):
    """The root of all bodies."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _storable(cls, given: Any) -> Any:
        return _sound(given)


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("empty")
    return text


Filled = Annotated[str, AfterValidator(_filled)]
Name = Annotated[str, Field(max_length=200)]
Page = Annotated[int, Field(ge=1, le=LARGEST)]
PageSize = Annotated[int, Field(ge=1, le=1000)]


class Question(Body):
    """A question about a database."""

    question: str = Field(description="in Chinese or English")
    connection_id: Name | None = Field(None, description="id or name; without one the only database, else the demo")
    thread_id: Name | None = Field(None, description="the conversation to go on with; a new one without")
    agent_id: Name | None = Field(None, description="a custom analyst")
    page: Page | None = None
    page_size: PageSize | None = None
    count_rows: bool = Field(False, description="count the rows of a result that was cut; one more statement")
    replaces: Name | None = Field(
        None, description="a run of the thread: this question takes its place, what followed stays as a version"
    )
    model: Name | None = Field(
        None, description="a saved model, or embedded; without one the database's or the server's"
    )
    refresh: bool = Field(False, description="do not answer from a cache")
    can_ask: bool | None = Field(
        None, description="whether the run may ask back; streams may by default, the sync twin takes the best reading"
    )


class ApprovalReply(Body):
    """The reply to a statement that waits for approval."""

    decision: Literal["approve", "edit", "reject"]
    sql: str | None = Field(None, max_length=100_000, description="the edited statement; it is checked anew")


class Resume(Body):
    """Go on with a thread: with a reply to its clarification or approval, or without one after a crash."""

    thread_id: Name
    reply: Annotated[str, Field(max_length=4000)] | ApprovalReply | None = None


class NewThread(Body):
    title: str = Field("", max_length=200)
    connection_id: Name = ""


class Rename(Body):
    title: Annotated[Filled, Field(max_length=200)]


class Fork(Body):
    checkpoint_id: Name


class Version(Body):
    """A run that was replaced, or that replaced one."""

    run_id: Name


class Feedback(Body):
    """A thumb for an answer of a thread, or the end of one."""

    thread_id: Name
    verdict: Literal["up", "down", "none"] = Field(description="none takes a thumb back")
    run_id: Name | None = Field(None, description="the run of the answer; without one the thread's last")
    reason: Literal["table", "filter", "period", "measure", "other"] | None = Field(
        None, description="what was wrong, with a thumb down"
    )
    note: str = Field("", max_length=1000, description="what was wrong, in the user's own words")


class NewConnection(Body):
    """A database to register; the address is tried first."""

    name: Annotated[Filled, Field(max_length=100)]
    url: Annotated[Filled, Field(max_length=4000, description="database address or path of a data file")]
    options: dict[str, Any] = Field(default_factory=dict)
    allow_superuser: bool = False


class TryConnection(Body):
    url: Annotated[Filled, Field(max_length=4000)]
    allow_superuser: bool = False


class NewName(Body):
    name: Annotated[Filled, Field(max_length=100)]


class NewSample(Body):
    question: Annotated[Filled, Field(max_length=4000)]
    sql: Annotated[Filled, Field(max_length=100_000)]


class YamlText(Body):
    yaml: str = Field(max_length=2 << 20)


class GlossaryBody(Body):
    glossary: dict[str, Any]


class Description(Body):
    """What a table holds, or with `column` a column of it."""

    table: Name
    column: Name | None = None
    en: str = Field("", max_length=2000)
    zh: str = Field("", max_length=2000)


class ColumnWords(Body):
    """What readers are told of a column: its name, what it means, how its numbers look, what its codes stand for.

    What is left empty goes by what the database says.
    """

    label: Both = Field(default_factory=Both)
    description: Both = Field(default_factory=Both)
    format: ShownFormat = ""
    unit: str = Field("", max_length=20, description="the currency of an amount, as CNY")
    values: dict[Name, list[Name]] | None = Field(
        None, max_length=200, description="words for each code, in place of all that were there"
    )


class NewProfile(Body):
    name: Annotated[Filled, Field(max_length=100)]
    content: dict[str, Any] = Field(default_factory=dict)


class ChangedProfile(Body):
    name: Annotated[Filled, Field(max_length=100)] | None = None
    content: dict[str, Any] | None = None


class Login(Body):
    name: Annotated[Filled, Field(max_length=100)]
    password: Annotated[SecretStr, Field(max_length=200)]


class NewOwnPassword(Body):
    old: Annotated[SecretStr, Field(max_length=200)]
    new: Annotated[SecretStr, Field(max_length=200)]


class NewUser(Body):
    name: Annotated[Filled, Field(max_length=100)]
    password: Annotated[SecretStr, Field(max_length=200)]
    role: Role = "viewer"


class ChangedUser(Body):
    role: Role | None = None
    disabled: bool | None = None
    attributes: dict[str, str] | None = Field(
        None, max_length=50, description="what row rules may go by, in place of all that was there"
    )


class NewGroup(Body):
    """A group; `members` are users by id or name."""

    name: Annotated[Filled, Field(max_length=100)]
    members: list[Name] = Field(default_factory=list, max_length=10_000)


class ChangedGroup(Body):
    name: Annotated[Filled, Field(max_length=100)] | None = None
    members: list[Name] | None = Field(None, max_length=10_000, description="in place of all that were in it")


class NewPassword(Body):
    password: Annotated[SecretStr, Field(max_length=200)]


class NewKey(Body):
    name: Annotated[Filled, Field(max_length=100)]
    days: float | None = Field(
        None, ge=0, le=3650, description="how long it lasts; 0 for ever, None as the settings say"
    )
    user_id: Name | None = Field(None, description="whose; your own without, another's for administrators")


class Statement(Body):
    """A statement to check and run."""

    sql: Annotated[Filled, Field(max_length=100_000)]
    rows: Annotated[int, Field(ge=1, le=LARGEST)] | None = Field(
        None, description="most rows; never more than the settings allow"
    )
    thread_id: Name | None = Field(None, description="the conversation its result belongs to and is deleted with")
    question: str = Field("", max_length=4000, description="the question it answers, which helps to choose a chart")


class NewSaved(Body):
    question: Annotated[Filled, Field(max_length=4000)]
    title: str = Field("", max_length=200)
    connection_id: Name | None = None
    pinned: bool = False
    shared: bool = Field(False, description="whether others who may ask the database see it")


class ChangedSaved(Body):
    question: Annotated[Filled, Field(max_length=4000)] | None = None
    title: str | None = Field(None, max_length=200)
    pinned: bool | None = None
    shared: bool | None = None


class TryModel(Body):
    """A model to try; what is not given is as it is set up."""

    provider: str | None = Field(None, max_length=40)
    model: str | None = Field(None, max_length=200)
    base_url: str | None = Field(None, max_length=2000)
    api_key: SecretStr | None = Field(None, max_length=1000)


class ChosenModel(Body):
    """The name of a saved model; empty chooses none."""

    model: Annotated[str, Field(max_length=100)]


class KeptModel(Body):
    """A model to keep under a name; `api_key` is encrypted, and empty says that there is none."""

    content: ModelContent
    api_key: SecretStr | None = Field(None, max_length=1000)


class NewGrant(Body):
    """What a user or a group (by name or id), a role, or everyone may read of a database."""

    connection_id: Name
    kind: Kind
    subject: Name = Field("*", description="a user, a group, a role, or * for everyone")
    rules: Rules = Field(default_factory=Rules)


class StreamEvent(RootModel[Event]):
    """One event of a stream: its `type` is the SSE event's name, this is its data."""
