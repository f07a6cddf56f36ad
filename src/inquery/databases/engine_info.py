"""What is known of an engine before anything of it is loaded: the record in each engine's folder."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from inquery.errors import Text


@dataclass(frozen=True, slots=True)
class Driver:
    """A Python package that talks to a database, and the module that is imported of it."""

    package: str
    module: str

    def is_installed(self) -> bool:
        """Whether the module is there; it is not imported."""
        try:
            return find_spec(self.module) is not None
        except ModuleNotFoundError:  # a parent package is missing
            return False


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressField:
    """A field of the form that makes an address: one of its parts, or a parameter after the question mark."""

    name: str
    """host, port, database, user, password or path; else the parameter's."""
    label: Text
    default: str = ""
    required: bool = False
    secret: bool = False
    parameter: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineInfo:
    """One engine. No fact has a default: a record that forgets one cannot be made, and the error names it."""

    scheme: str
    aliases: tuple[str, ...]
    """Other schemes that mean this engine."""
    label: Text
    dialect: str
    engine: str
    """Where its class is, as module:name."""
    drivers: tuple[Driver, ...]
    extra: str
    """The extra of Inquery that installs the drivers; empty where there is nothing to install."""
    is_file: bool
    """Whether the database is a path on this machine."""
    suffixes: tuple[str, ...]
    """Endings by which a bare path is known to be of this engine."""
    uploads: bool
    """Whether files of these endings may be uploaded."""
    port: int | None
    """The port where the address names none."""
    fields: tuple[AddressField, ...]
    example: str

    def is_installed(self) -> bool:
        """Whether every driver is there."""
        return all(driver.is_installed() for driver in self.drivers)

    def field(self, name: str) -> AddressField | None:
        """The field of that name, if the form has it."""
        return next((each for each in self.fields if each.name == name), None)


HOST = Text("Host", "主机")
DATABASE = Text("Database", "数据库")
FILE = Text("Path of the file", "文件路径")
FOLDER = Text("Path of the folder", "文件夹路径")


def server_fields(port: int | None, *, database: Text = DATABASE) -> tuple[AddressField, ...]:
    """The form of a server that people sign in to."""
    return (
        AddressField(name="host", label=HOST, default="localhost"),
        AddressField(name="port", label=Text("Port", "端口"), default=str(port or "")),
        AddressField(name="database", label=database),
        *account_fields(),
    )


def account_fields() -> tuple[AddressField, ...]:
    """Who signs in."""
    return (
        AddressField(name="user", label=Text("User", "用户名")),
        AddressField(name="password", label=Text("Password", "密码"), secret=True),
    )


def file_fields(label: Text = FILE) -> tuple[AddressField, ...]:
    """The form of a file or a folder."""
    return (AddressField(name="path", label=label, required=True),)


def parameter_field(name: str, en: str, zh: str, *, secret: bool = False) -> AddressField:
    """A parameter that the form asks for."""
    return AddressField(name=name, label=Text(en, zh), secret=secret, parameter=True)
