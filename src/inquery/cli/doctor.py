"""`inquery doctor`: what is installed, what is missing, and whether a first question can be answered."""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files

import click

from inquery.cli.language import both, language, say
from inquery.cli.output import json_option, print_json, print_table
from inquery.databases.engine_info import Driver, EngineInfo
from inquery.errors import InqueryError
from inquery.home import make_file

# extra of Inquery: (package that it brings, module that must be there)
CLIENTS = {
    "openai": ("langchain-openai", "langchain_openai"),
    "anthropic": ("langchain-anthropic", "langchain_anthropic"),
    "ollama": ("langchain-ollama", "langchain_ollama"),
    "ssh": ("paramiko", "paramiko"),
}
PACKAGES = ("inquery", "langgraph", "langchain-core", "sqlglot", "pydantic", "sqlalchemy", "numpy", "onnxruntime")


@dataclass(frozen=True)
class Finding:
    """One thing that was checked; `required` ones decide whether all is well."""

    name: str
    ok: bool
    detail: str
    required: bool = True


@click.command(
    help=both(
        "Check versions, drivers, the demo, the model and a sample query.", "检查版本、驱动、演示库、模型与示例查询。"
    )
)
@json_option
def doctor(as_json: bool) -> int:
    """Check everything; exits with 1 when something required does not work."""
    findings = [_python(), *_packages(), *_drivers(), *_clients(), _page()]
    findings += [_tried("home", _home), _tried("store", _store)]
    findings += [_tried("demo", _demo), _tried("query", _query), _tried("model", _model, required=_is_hosted())]
    findings += _local_models()
    well = all(finding.ok for finding in findings if finding.required)
    if as_json:
        print_json({"ok": well, "checks": [asdict(finding) for finding in findings]})
    else:
        marks = {True: say("ok", "正常"), False: say("failed", "失败")}
        absent = say("absent", "未安装")
        rows = [(f.name, marks[f.ok] if f.ok or f.required else absent, f.detail) for f in findings]
        print_table("", say("check state detail", "检查项 状态 说明").split(), rows)
        click.echo(say("All is well.", "一切正常。") if well else say("Something is wrong.", "存在问题。"))
    return 0 if well else 1


def _python() -> Finding:
    return Finding(
        "python", sys.version_info >= (3, 11), f"{platform.python_version()} {platform.system()} {platform.machine()}"
    )


def _packages() -> list[Finding]:
    return [Finding(name, bool(found := _version(name)), found or _extra(name)) for name in PACKAGES]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _extra(name: str) -> str:
    return f"pip install '{name}'"


def _drivers() -> list[Finding]:
    """A line for each driver: engines that share one are told of once."""
    from inquery.databases.registry import every_engine

    told: dict[object, Finding] = {}
    for about in every_engine():
        key = about.drivers or about.scheme
        if key not in told:
            told[key] = _driver(about)
    return list(told.values())


def _driver(about: EngineInfo) -> Finding:
    from inquery.databases.engines.sqlite.engine import SQLITE_VERSION

    label = say(*about.label)
    required = about.scheme == "sqlite"
    if not about.is_installed():
        wanted = f"inquery[{about.extra}]" if about.extra else " ".join(driver.package for driver in about.drivers)
        return Finding(about.scheme, False, f"pip install '{wanted}'", required=required)
    package = next((driver.package for driver in about.drivers), "")
    own = f"{label} {SQLITE_VERSION}" if required else label
    return Finding(about.scheme, True, f"{label}, {package} {_version(package)}" if package else own, required=required)


def _clients() -> list[Finding]:
    """The clients of models, required where the settings name one, and of SSH."""
    from inquery.cli.session import load_settings

    settings = load_settings()
    chosen = {settings.llm.provider, settings.knowledge.embedder}
    made = []
    for extra, (package, module) in CLIENTS.items():
        there = Driver(package, module).is_installed()
        detail = f"{package} {_version(package)}" if there else f"pip install 'inquery[{extra}]'"
        made.append(Finding(extra, there, detail, required=extra in chosen))
    return made


def _page() -> Finding:
    there = (files("inquery") / "web_dist" / "index.html").is_file()
    absent = say("this copy of Inquery was built without it", "此 Inquery 构建时未包含网页")
    return Finding("page", there, "web_dist" if there else absent, required=False)


def _tried(name: str, check: Callable[[], str], *, required: bool = True) -> Finding:
    try:
        return Finding(name, True, check(), required)
    except InqueryError as error:
        said = f" ({error.said})" if error.said else ""
        return Finding(name, False, f"[{error.code}] {error.public_message(language())}{said}", required)
    except OSError as error:
        return Finding(name, False, error.strerror or type(error).__name__, required)


def _home() -> str:
    from inquery.cli.session import load_settings

    home = load_settings().home
    make_file(home / f".doctor-{time.time_ns()}").unlink()
    return str(home)


def _store() -> str:
    from inquery.cli.session import load_settings
    from inquery.store import Connections, open_store

    count = len(Connections(open_store(load_settings())).list())
    return say(f"{count} registered connections", f"已登记 {count} 个连接")


def _demo() -> str:
    from inquery.cli.session import load_settings
    from inquery.demo import ensure_demo

    return ensure_demo(load_settings().home).name


def _query() -> str:
    from inquery.cli.session import open_connection, run_async
    from inquery.databases.executor.execute import execute
    from inquery.sql import check
    from inquery.store.connections import RESERVED

    opened = open_connection(RESERVED)
    started = time.perf_counter()
    checked = check("SELECT COUNT(*) FROM orders", dialect="sqlite", catalog=opened.catalog)
    rows = run_async(execute(opened.id, checked)).rows
    return (
        say(f"{rows[0][0]:,} orders", f"{rows[0][0]:,} 个订单") + f", {(time.perf_counter() - started) * 1000:.0f} ms"
    )


def _is_hosted() -> bool:
    """Whether questions need a model that somebody serves."""
    from inquery.cli.session import load_settings
    from inquery.llm.writers import IN_PROCESS

    return load_settings().llm.provider not in IN_PROCESS


def _model() -> str:
    """The model that questions would use, tried as they use it."""
    from inquery.cli.session import load_settings, run_async
    from inquery.llm.embedded.weights import find_model

    if _is_hosted():
        from inquery.llm.model_trial import try_model
        from inquery.llm.writers import model_name

        settings = load_settings()
        trial = run_async(try_model(settings.llm, home=settings.home))
        asked = say(f"asked by {trial.shape.method}", f"调用方式 {trial.shape.method}")
        return f"{model_name(settings.llm)}, {trial.ms:.0f} ms, {asked}"
    info = find_model()
    return f"{info.folder.name} {info.bytes / (1 << 20):.0f} MiB"


def _local_models() -> list[Finding]:
    """Model servers of this machine, with what to set to use them."""
    from inquery.cli.session import run_async
    from inquery.llm.local_servers import find_local_servers

    return [
        Finding(
            f"{server.provider} server",
            True,
            f"INQUERY_LLM__PROVIDER={server.provider} INQUERY_LLM__MODEL={server.models[0]}"
            + say(f" ({len(server.models)} models)", f"（共 {len(server.models)} 个模型）"),
            required=False,
        )
        for server in run_async(find_local_servers())
    ]
