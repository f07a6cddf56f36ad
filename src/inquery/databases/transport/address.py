"""Database addresses: one URL or path, parsed once, secrets kept apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit
from zoneinfo import available_timezones

from pydantic import SecretStr

from inquery.databases.engine_info import EngineInfo
from inquery.databases.engine_list import ENGINES
from inquery.errors import BadConnectionUrl

ALIASES = {alias: about.scheme for about in ENGINES.values() for alias in about.aliases}
SECRET_PARAMS = frozenset({"ssh_password", "ssh_key_password", "token", "private_key_passphrase"})
_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9.-]+)(?:\+[A-Za-z0-9_]+)?://(?P<rest>.*)", re.DOTALL)
_OFFSET = re.compile(r"[+-]\d{2}:\d{2}")
_DRIVE = re.compile(r"/?[A-Za-z]:[\\/]")


@dataclass(frozen=True)
class Address:
    """Where a database is and who opens it; `database` is a path for file engines."""

    scheme: str
    host: str | None = None
    port: int | None = None
    user: str | None = None
    password: SecretStr | None = None
    database: str = ""
    params: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_file(self) -> bool:
        """Whether `database` is a path on this machine."""
        about = _engine_info(self.scheme)
        return about is not None and about.is_file

    @property
    def secret(self) -> str | None:
        """The password for the driver; never for showing."""
        return self.password.get_secret_value() if self.password else None

    @property
    def timezone(self) -> str:
        """The parameter `timezone`, a name such as Asia/Shanghai or an offset such as +08:00; raises BadConnectionUrl."""
        name = self.params.get("timezone", "")
        if name and not _OFFSET.fullmatch(name) and name not in available_timezones():
            raise _bad("the timezone is unknown", "未知的时区")
        return name

    @property
    def redacted(self) -> str:
        """The address for showing: the password and secret parameters are stars."""
        return self._text(hide=True)

    @property
    def url(self) -> str:
        """The whole address, secrets included; `parse_address` reads it back."""
        return self._text(hide=False)

    def _text(self, *, hide: bool) -> str:
        where = self.database if self.is_file else self._authority(hide) + "/" + quote(self.database, safe="/")
        text = f"{self.scheme}://{'/' if self.is_file else ''}{quote(where, safe='/:@[]*') if self.is_file else where}"
        hidden = self._secret_params() if hide else frozenset()
        pairs = [f"{quote(k)}={'***' if k in hidden else quote(v, safe='')}" for k, v in self.params.items()]
        return text + ("?" + "&".join(pairs) if pairs else "")

    def _secret_params(self) -> frozenset[str]:
        about = _engine_info(self.scheme)
        return SECRET_PARAMS.union(field.name for field in (about.fields if about else ()) if field.secret)

    def _authority(self, hide: bool) -> str:
        user = quote(self.user or "", safe="")
        if self.password is not None:
            user += ":***" if hide else ":" + quote(self.password.get_secret_value(), safe="")
        host = f"[{self.host}]" if self.host and ":" in self.host else quote(self.host or "", safe="/")
        if host.startswith("/"):
            host = quote(host, safe="")
        return (user + "@" if user else "") + host + (f":{self.port}" if self.port else "")


def _bad(en: str, zh: str) -> BadConnectionUrl:
    # The URL itself stays out of the error: it may hold a password.
    return BadConnectionUrl.because(en, zh)


def parse_address(url: str) -> Address:
    """Parse a URL or a path to a data file or folder; raises BadConnectionUrl."""
    text = url.strip()
    if not text:
        raise _bad("the address is empty", "地址为空")
    if any(ord(c) < 32 for c in text):
        raise _bad("the address contains control characters", "地址包含控制字符")
    match = _URL.fullmatch(text)
    if match is None:
        return _from_path(text)
    scheme = match["scheme"].lower()
    scheme = ALIASES.get(scheme, scheme)
    about = _engine_info(scheme)
    if about is None:
        known = ", ".join(sorted(ENGINES))
        raise _bad(f"unknown scheme {scheme}; known are {known}", f"未知的协议 {scheme}；已知的有 {known}")
    if about.is_file:
        return _from_file_url(scheme, match["rest"])
    return _from_server_url(about, match["rest"])


def _from_path(text: str) -> Address:
    path = Path(text).expanduser()
    suffix = path.suffix.lower()
    for about in ENGINES.values():
        if suffix in about.suffixes:
            found = "duckdb" if about.scheme == "sqlite" and _is_duckdb(path) else about.scheme
            return Address(found, database=str(path))
    if path.is_dir():
        return Address("files", database=str(path))
    plugin = _plugin_of_suffix(suffix)
    if plugin is not None:
        return Address(plugin, database=str(path))
    raise _bad(
        "give a URL such as postgresql://host/database, or a path to a .sqlite, .duckdb, .csv, .parquet or .xlsx file",
        "请使用 postgresql://host/database 这样的地址，或 .sqlite、.duckdb、.csv、.parquet、.xlsx 文件的路径",
    )


def _is_duckdb(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(12)[8:] == b"DUCK"
    except OSError:
        return False


def _from_file_url(scheme: str, rest: str) -> Address:
    path, _, query = rest.partition("?")
    if not path.startswith("/"):
        raise _bad(
            f"write three slashes before a relative path: {scheme}:///name",
            f"相对路径前请写三个斜杠：{scheme}:///name",
        )
    path = unquote(path[1:])
    if not path or path == ":memory:":
        raise _bad("the address names no file", "地址中没有文件")
    if "\0" in path:
        raise _bad("the address contains control characters", "地址包含控制字符")
    if _DRIVE.match(path):
        path = path.removeprefix("/")
    return Address(scheme, database=path, params=_params(query))


def _from_server_url(about: EngineInfo, rest: str) -> Address:
    try:
        parts = urlsplit("db://" + rest)
        host, port = _host(parts), parts.port
    except ValueError:
        raise _bad(
            "the host or port is malformed; percent-encode special characters in names and passwords",
            "主机或端口格式错误；名称和密码中的特殊字符请使用百分号编码",
        ) from None
    if parts.fragment:
        raise _bad("write # as %23 in names and passwords", "名称和密码中的 # 请写作 %23")
    asked = about.field("host")
    if asked is not None and asked.required and not host:
        raise _bad(f"name the {asked.label.en.lower()}: {about.example}", f"请写明{asked.label.zh}：{about.example}")
    return Address(
        about.scheme,
        host=host,
        port=port,
        user=unquote(parts.username) if parts.username else None,
        password=SecretStr(unquote(parts.password)) if parts.password is not None else None,
        database=unquote(parts.path.removeprefix("/")),
        params=_params(parts.query),
    )


def _host(parts: SplitResult) -> str | None:
    # urlsplit lower-cases hosts, which would break the path of a unix socket.
    if not parts.hostname:
        return None
    given = parts.netloc.rpartition("@")[2]
    start = given.lower().index(parts.hostname.lower())
    return unquote(given[start : start + len(parts.hostname)])


def _params(query: str) -> dict[str, str]:
    pairs = parse_qsl(query, keep_blank_values=True)
    params = dict(pairs)
    if len(params) != len(pairs):
        raise _bad("a parameter is given twice", "参数重复")
    return params


def _engine_info(scheme: str) -> EngineInfo | None:
    if scheme in ENGINES:
        return ENGINES[scheme]
    from inquery.databases.registry import engine_info

    return engine_info(scheme)


def _plugin_of_suffix(suffix: str) -> str | None:
    """The scheme of the plugin that knows files by this ending."""
    if not suffix:
        return None
    from inquery.databases.registry import every_engine

    return next((about.scheme for about in every_engine() if suffix in about.suffixes), None)
