"""Settings are data: name, default, one line of help. Environment over inquery.yaml over defaults.

`INQUERY_LLM__PROVIDER=openai` sets `llm.provider`; `inquery.yaml` in the working folder or in INQUERY_HOME
holds the same names nested. docs/reference/settings.md lists them all and a test keeps it complete.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
from functools import lru_cache
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

import platformdirs
from pydantic import BaseModel, Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, YamlConfigSettingsSource


def home_folder() -> Path:
    """Where Inquery keeps its own files: INQUERY_HOME, else the platform's data folder."""
    given = os.environ.get("INQUERY_HOME")
    return Path(given).expanduser() if given else Path(platformdirs.user_data_dir("inquery", appauthor=False))


def is_loopback(host: str) -> bool:
    """Whether an address is this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


KEY_VARIABLES = {
    "deepseek": "DEEPSEEK_API_KEY",
    "dashscope": "DASHSCOPE_API_KEY",
    "gemini": "GEMINI_API_KEY",
    "siliconflow": "SILICONFLOW_API_KEY",
}
"""Variables in which people already keep the keys of these providers."""


class LLMSettings(BaseModel):
    """Which model writes SQL and how it is called."""

    provider: str = Field(
        "embedded",
        description="embedded, openai (and anything compatible), anthropic, ollama, azure, deepseek, dashscope, gemini,"
        " lmstudio, siliconflow, vllm or scripted",
    )
    model: str = Field("", description="the provider's name of the model; empty for the embedded one")
    base_url: str = Field("", description="address of an OpenAI-compatible server")
    api_key: SecretStr = Field(SecretStr(""), description="key sent to the provider")
    temperature: float | None = Field(0.0, ge=0, le=2, description="sampling temperature; null leaves it to the model")
    max_tokens: int = Field(2048, gt=0, description="longest answer of one call, in tokens")
    structured_output: Literal["function_calling", "json_mode", "json_schema", "text"] = Field(
        "function_calling",
        description="how structured answers are asked for first; what a model refuses is not asked again",
    )
    timeout_s: float = Field(60, gt=0, description="longest wait for one answer, all its tries together")
    retries: int = Field(2, ge=0, description="further tries after a transient failure")
    requests_per_minute: int = Field(60, gt=0, description="calls allowed in a minute, all users together")
    breaker_failures: int = Field(5, gt=0, description="failures in a row that open the circuit breaker")
    breaker_pause_s: float = Field(30, gt=0, description="how long an open breaker refuses calls")
    candidates: int = Field(
        0, ge=0, le=16, description="statements asked for in one call; 0 for four of the embedded model, one of others"
    )
    budget_tokens: int = Field(60_000, gt=0, description="tokens one run may spend")
    budget_cost: float = Field(1.0, gt=0, description="money one run may spend, in the currency of the prices")
    price_in: float = Field(0.0, ge=0, description="price of a million prompt tokens")
    price_out: float = Field(0.0, ge=0, description="price of a million answer tokens")
    price_cached: float | None = Field(
        None, ge=0, description="price of a million prompt tokens that the provider had cached; without one, price_in"
    )
    context_tokens: int = Field(32_000, gt=0, description="prompt budget of the model")
    mask_personal: bool = Field(
        True, description="star out e-mail addresses, phone, identity and card numbers in what a remote model is shown"
    )

    @property
    def statements(self) -> int:
        """Statements asked for in one call: the embedded model writes several at once, of others each is paid for."""
        return self.candidates or (4 if self.provider == "embedded" else 1)

    def with_own_key(self) -> LLMSettings:
        """With the key of the provider's own variable, where none is given: it is for the public address alone.

        For settings that belong to this process. What an analyst or a question names gets no key that nobody gave it.
        """
        found = os.environ.get(KEY_VARIABLES.get(self.provider, ""), "")
        if not found or self.base_url or self.api_key.get_secret_value():
            return self
        return self.model_copy(update={"api_key": SecretStr(found)})


class QuerySettings(BaseModel):
    """Bounds of one execution on a user's database."""

    timeout_s: float = Field(30, gt=0, description="longest run of one statement")
    rows: int = Field(1000, gt=0, description="most rows fetched")
    bytes: int = Field(16 << 20, gt=0, description="most bytes fetched")
    cell: int = Field(1 << 20, gt=0, description="most bytes of one cell")
    page_size: int = Field(100, gt=0, le=1000, description="rows of one page")
    max_cost_rows: int | None = Field(None, description="refuse a statement whose estimated rows exceed this")
    cache_entries: int = Field(100, ge=0, description="results kept for identical statements")
    cache_ttl_s: float = Field(300, ge=0, description="how long such a result is served")


class DatabaseSettings(BaseModel):
    """How connections to users' databases are made."""

    pool_size: int = Field(20, gt=0, description="sessions of one connection")
    pool_overflow: int = Field(10, ge=0, description="further sessions under load")
    pool_wait_s: float = Field(30, gt=0, description="longest wait for a session")
    pool_recycle_s: float = Field(3600, gt=0, description="age at which a session is replaced")
    connect_timeout_s: float = Field(10, gt=0, description="longest wait for a connection")
    allowed_hosts: list[str] = Field(
        default_factory=list, description="hosts that may be reached; empty allows all but forbidden ones"
    )
    private_networks: bool = Field(True, description="whether private and loopback addresses may be reached")
    allowed_folders: list[str] = Field(
        default_factory=list, description="folders from which database files may be opened; empty allows all"
    )
    allow_superuser: bool = Field(False, description="accept an administrator's account (loopback only)")


class CacheSettings(BaseModel):
    """The three caches of answers."""

    enabled: bool = Field(True, description="use the caches")
    thread_ttl_s: float = Field(300, ge=0, description="L0: how long a thread's own answer is served")
    exact_entries: int = Field(1000, gt=0, description="L1: entries kept in memory")
    exact_ttl_s: float = Field(3600, ge=0, description="L1: how long an entry is served")
    semantic_threshold: float = Field(0.95, ge=0, le=1, description="L2: least similarity, before calibration")
    redis_url: SecretStr = Field(SecretStr(""), description="Redis for a shared L1; empty keeps it in memory")


class KnowledgeSettings(BaseModel):
    """Vectors, samples and the value index."""

    vector_store: str = Field("builtin", description="builtin, or a Milvus URI (a file for Lite, http(s) for a server)")
    embedder: str = Field("embedded", description="embedded (the packaged encoder), hashed (n-grams) or openai")
    embedding_model: str = Field("", description="model name for the openai embedder")
    samples: int = Field(3, ge=0, description="verified samples shown to the writer")
    sample_score: float = Field(0.6, ge=0, le=1, description="least similarity of a sample")
    sample_timeout_s: float = Field(10, gt=0, description="longest wait for samples")
    values_per_column: int = Field(1000, ge=0, description="distinct values indexed of one text column")
    join_tests: Literal["background", "wait", "off"] = Field(
        "background",
        description="whether undeclared joins are tested on samples of the data, and whether one waits for it",
    )


class AgentSettings(BaseModel):
    """How a run behaves."""

    max_retries: int = Field(3, ge=0, description="repairs before a run ends")
    prose: Literal["template", "model"] = Field("template", description="who writes the explanation")
    approval: Literal["never", "costly", "always"] = Field("never", description="ask before running a statement")
    approval_rows: int = Field(1_000_000, gt=0, description="estimated rows above which a statement is costly")
    clarify: bool = Field(True, description="ask back when readings differ")
    recursion_limit: int = Field(60, gt=0, description="most graph steps of a run")
    question_characters: int = Field(4000, gt=0, description="longest question")
    history_messages: int = Field(20, gt=0, description="messages kept before they are summarised")
    history_tokens: int = Field(8000, gt=0, description="tokens of history kept before they are summarised")


class AnswersSettings(BaseModel):
    """What is promised of answers."""

    promise: float = Field(0, ge=0, le=1, description="share of shown answers that may be wrong; 0 promises nothing")
    least: float = Field(
        0.06,
        ge=0,
        le=1,
        description="confidence below which the embedded model only guesses, and declines; 0 shows all",
    )


class MemorySettings(BaseModel):
    """Threads and long-term memory."""

    url: SecretStr = Field(SecretStr(""), description="PostgreSQL for checkpoints and memory; empty uses SQLite files")
    durability: Literal["sync", "async", "exit"] = Field("async", description="when checkpoints are written")


class StoreSettings(BaseModel):
    """Inquery's own metadata."""

    url: SecretStr = Field(SecretStr(""), description="SQLAlchemy URL of the metadata store; empty uses a SQLite file")
    secret_key: SecretStr = Field(
        SecretStr(""), description="key that encrypts stored secrets; empty uses a file in INQUERY_HOME"
    )


class ServerSettings(BaseModel):
    """The HTTP server."""

    host: str = Field("127.0.0.1", description="address to bind")
    port: int = Field(8765, ge=0, le=65535, description="first port tried")
    workers: int = Field(1, gt=0, description="worker processes")
    concurrent_runs: int = Field(100, gt=0, description="runs at a time, in all workers together")
    queue: int = Field(1000, ge=0, description="runs that may wait in a worker")
    user_runs: int = Field(0, ge=0, description="runs of one user, waiting ones too; 0 sets no limit of its own")
    body_bytes: int = Field(2 << 20, gt=0, description="largest request body")
    drain_s: int = Field(20, ge=0, description="how long a server that is told to stop lets its runs finish")
    event_days: float = Field(7, gt=0, description="how long the events of runs are kept for streams to be taken up")
    upload_bytes: int = Field(100 << 20, gt=0, description="largest data file that may be uploaded")
    user_uploads: int = Field(50, ge=0, description="data files of one user at a time; 0 sets no limit")
    user_upload_bytes: int = Field(1 << 30, ge=0, description="bytes of one user's data files; 0 sets no limit")
    user_requests: int = Field(1200, ge=0, description="requests of one user in a minute; 0 sets no limit")
    user_tokens: int = Field(0, ge=0, description="model tokens of one user in a day (UTC); 0 sets no limit")
    user_cost: float = Field(0, ge=0, description="money one user may spend in a day (UTC); 0 sets no limit")
    redis_url: SecretStr = Field(
        SecretStr(""),
        description="Redis that workers count limits in; empty takes cache.redis_url, else runs are counted in the store",
    )
    public_url: str = Field("", description="address people reach the server at, where a proxy stands before it")
    trusted_proxies: list[str] = Field(
        default_factory=list, description="addresses or networks of proxies whose X-Forwarded-For is believed"
    )


class IdentitySettings(BaseModel):
    """Who may use the server."""

    mode: Literal["auto", "users"] = Field(
        "auto", description="auto asks nobody on loopback and for users elsewhere; users always asks"
    )
    session_hours: float = Field(12, gt=0, description="how long a sign-in lasts")
    key_days: float = Field(90, gt=0, description="how long a new API key lasts unless its maker says otherwise")
    admin_name: str = Field("admin", description="name of the first administrator, made when there are no users")
    admin_password: SecretStr = Field(
        SecretStr(""), description="password of the first administrator; empty makes none"
    )
    login_failures: int = Field(
        10, gt=0, description="wrong passwords of one name from one address in a quarter of an hour"
    )
    audit_days: float = Field(0, ge=0, description="how long entries of the audit log are kept; 0 keeps them all")
    audit_sql: bool = Field(True, description="keep statements in the audit log in words, not only their hash")


class OidcSettings(BaseModel):
    """Sign-in through an OpenID Connect provider."""

    issuer: str = Field("", description="the provider's issuer address; empty offers no such sign-in")
    client_id: str = Field("", description="what the provider calls this server")
    client_secret: SecretStr = Field(SecretStr(""), description="the server's secret at the provider, where it has one")
    scopes: str = Field("openid profile email", description="what is asked for")
    name_claim: str = Field("preferred_username", description="claim that names the user")
    role_claim: str = Field("roles", description="claim that holds roles or groups; dots lead inside")
    admins: list[str] = Field(default_factory=list, description="values of role_claim that make an administrator")
    analysts: list[str] = Field(default_factory=list, description="values of role_claim that make an analyst")
    viewers: list[str] = Field(
        default_factory=list,
        description="values of role_claim that make a viewer; empty lets in everyone the provider knows",
    )


class ChartSettings(BaseModel):
    """Pictures drawn by an MCP chart server, which is sent the data of charts; none unless one is named."""

    command: str = Field("", description="command that starts a chart server, such as npx -y @antv/mcp-server-chart")
    url: str = Field("", description="address of a chart server (MCP over streamable HTTP), in place of a command")
    render_url: str = Field(
        "", description="where a started chart server has pictures drawn; empty leaves it its own public service"
    )
    render_key: SecretStr = Field(SecretStr(""), description="key that lets a chart server use our own renderer")
    timeout_s: float = Field(15, gt=0, description="longest wait for a picture; an answer without one is as good")
    picture_days: float = Field(7, gt=0, description="how long pictures are kept")


class ReportSettings(BaseModel):
    """Documents that fill themselves."""

    parallel: int = Field(4, ge=1, le=64, description="placeholders solved at a time")
    candidates: int = Field(4, ge=1, le=16, description="statements asked for in one call; equal results vote")
    agreement: float = Field(0.5, ge=0, le=1, description="share of the vote below which a value is marked doubtful")
    template_bytes: int = Field(8 << 20, gt=0, description="largest template; of a longer text the rest is left out")
    table_rows: int = Field(50, gt=0, description="rows of a table in a document, unless its placeholder says")
    keep_runs: int = Field(100, gt=0, description="runs kept of one report")
    schedules: bool = Field(True, description="whether this server fills reports by their schedules")
    tick_s: float = Field(20, gt=0, description="how often schedules are looked at")
    folders: list[str] = Field(default_factory=list, description="folders that scheduled reports may be written to")
    webhook_secret: SecretStr = Field(SecretStr(""), description="key that signs what is sent to a webhook")


class MailSettings(BaseModel):
    """The server that scheduled reports are mailed through; none unless one is named."""

    host: str = Field("", description="SMTP server; empty sends no mail")
    port: int = Field(587, gt=0, le=65535, description="its port")
    security: Literal["starttls", "tls", "none"] = Field("starttls", description="how the session is encrypted")
    user: str = Field("", description="name to sign in with; empty signs nobody in")
    password: SecretStr = Field(SecretStr(""), description="password of that name")
    sender: str = Field("", description="address that mails come from")
    domains: list[str] = Field(
        default_factory=list, description="domains that reports may be sent to; empty is the sender's own, * is any"
    )


class OutgoingSettings(BaseModel):
    """Addresses that people of the server give, not its settings: webhooks, and models to try."""

    allowed_hosts: list[str] = Field(
        default_factory=list, description="hosts that may be called; empty takes database.allowed_hosts"
    )
    private_networks: bool | None = Field(
        None,
        description="whether private and loopback addresses may be called; unset where nobody has to sign in",
    )


class TracingSettings(BaseModel):
    """OpenTelemetry; spans carry names, counts and times, never questions, statements or cells, unlike LangSmith's."""

    enabled: bool = Field(False, description="send spans of runs, nodes, model calls and statements")
    endpoint: str = Field("", description="OTLP address (HTTP); empty takes OTEL_EXPORTER_OTLP_ENDPOINT")
    service: str = Field("inquery", description="what spans call this program")
    sample: float = Field(1.0, ge=0, le=1, description="part of the traces that is sent")
    langsmith: bool = Field(
        False,
        description="obey LANGSMITH_* and LANGCHAIN_TRACING_V2, which send questions, statements and rows to LangSmith;"
        " never while a database's privacy is not full",
    )


class Settings(BaseSettings):
    """All settings of one process."""

    model_config = SettingsConfigDict(
        env_prefix="INQUERY_", env_nested_delimiter="__", extra="ignore", nested_model_default_partial_update=True
    )

    home: Path = Field(default_factory=home_folder, description="folder of Inquery's own files")
    language: Literal["auto", "en", "zh"] = Field(
        "auto", description="language of messages; auto follows the question or the locale"
    )
    privacy: Literal["full", "schema_only", "local_only"] = Field(
        "full", description="what a remote model may see, unless a connection says otherwise"
    )
    today: datetime.date | None = Field(
        None, description="a date that stands for today everywhere, in the demo too; without one the clock's"
    )
    prompts_folder: Path | None = Field(None, description="folder whose prompts replace the built-in ones")
    llm: LLMSettings = Field(default_factory=LLMSettings)
    query: QuerySettings = Field(default_factory=QuerySettings)
    database: DatabaseSettings = Field(default_factory=DatabaseSettings)
    cache: CacheSettings = Field(default_factory=CacheSettings)
    knowledge: KnowledgeSettings = Field(default_factory=KnowledgeSettings)
    agent: AgentSettings = Field(default_factory=AgentSettings)
    answers: AnswersSettings = Field(default_factory=AnswersSettings)
    memory: MemorySettings = Field(default_factory=MemorySettings)
    store: StoreSettings = Field(default_factory=StoreSettings)
    server: ServerSettings = Field(default_factory=ServerSettings)
    reports: ReportSettings = Field(default_factory=ReportSettings)
    charts: ChartSettings = Field(default_factory=ChartSettings)
    mail: MailSettings = Field(default_factory=MailSettings)
    outgoing: OutgoingSettings = Field(default_factory=OutgoingSettings)
    tracing: TracingSettings = Field(default_factory=TracingSettings)
    identity: IdentitySettings = Field(default_factory=IdentitySettings)
    oidc: OidcSettings = Field(default_factory=OidcSettings)

    @property
    def asks_for_users(self) -> bool:
        """Whether callers of the server must say who they are."""
        return self.identity.mode == "users" or not is_loopback(self.server.host)

    @field_validator("llm")
    @classmethod
    def _with_own_key(cls, llm: LLMSettings) -> LLMSettings:
        return llm.with_own_key()

    def day(self, zone: str | None = None) -> datetime.date:
        """The day that questions are asked on: the one that is set, else the clock's in a time zone."""
        return self.today or datetime.datetime.now(ZoneInfo(zone) if zone else None).date()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        # A source each: sources are merged in depth, while two files of one source replace each other's groups.
        here = YamlConfigSettingsSource(settings_cls, yaml_file=Path("inquery.yaml"))
        home = YamlConfigSettingsSource(settings_cls, yaml_file=home_folder() / "inquery.yaml")
        return init_settings, env_settings, here, home


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """The settings of this process, read once."""
    return Settings()
