"""Writes the reference pages from the code: `python -m docs.generate`; a test fails when they are stale."""

from __future__ import annotations

import sys
from pathlib import Path

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from inquery.errors import REFUSALS, all_errors
from inquery.settings import Settings, home_folder

FOLDER = Path(__file__).parent / "reference"


def settings_page() -> str:
    """Every setting with its environment variable, default and meaning."""
    lines = [
        "# Settings",
        "",
        "Written by `make docs` from `src/inquery/settings.py`. Environment variables win over `inquery.yaml` (in the",
        "working folder, then in `INQUERY_HOME`), which wins over defaults. In YAML the names are nested:",
        "",
        "```yaml",
        "language: zh",
        "query:",
        "  timeout_s: 60",
        "```",
        "",
        "## General",
        "",
        *_table(Settings.model_fields, "", "INQUERY_"),
    ]
    for name, field in Settings.model_fields.items():
        group = field.annotation
        if isinstance(group, type) and issubclass(group, BaseModel):
            lines += ["", f"## {name}", "", (group.__doc__ or "").strip(), ""]
            lines += _table(group.model_fields, f"{name}.", f"INQUERY_{name.upper()}__")
    return "\n".join(lines) + "\n"


def _table(fields: dict[str, FieldInfo], prefix: str, variable: str) -> list[str]:
    lines = ["| setting | variable | default | meaning |", "|---|---|---|---|"]
    for name, field in fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            continue
        lines.append(
            f"| `{prefix}{name}` | `{variable}{name.upper()}` | {_default(field)} | {_cell(field.description or '')} |"
        )
    return lines


def _default(field: FieldInfo) -> str:
    if field.default_factory is home_folder:
        return "the platform's data folder"
    value = field.get_default(call_default_factory=True, validated_data={})
    if isinstance(value, SecretStr) or value in (None, "", []):
        return ""
    return f"`{_cell(str(value))}`"


def errors_page() -> str:
    """Every error with its code, both messages and whether trying again can help."""
    lines = [
        "# Error codes",
        "",
        "Written by `make docs` from `src/inquery/errors.py`. Every door shows a code and a message; `…` stands for a",
        "detail of the case. An error is retryable when the same request may succeed later.",
        "",
        "| code | error | kind | retryable | English | 中文 |",
        "|---|---|---|---|---|---|",
    ]
    for error in all_errors():
        if error.__module__ != "inquery.errors":
            continue
        kind = error.__mro__[1].__name__ if error.__mro__[1] is not Exception else ""
        blank = {"en": _cell(_dotted(error.en)), "zh": _cell(_dotted(error.zh))}
        again = "yes" if error.retryable else ""
        lines.append(f"| `{error.code}` | {error.__name__} | {kind} | {again} | {blank['en']} | {blank['zh']} |")
    lines += ["", "## Why the guard refuses", "", "`sql_refused` names one of these rules.", ""]
    lines += ["| rule | English | 中文 |", "|---|---|---|"]
    lines += [f"| `{rule}` | {_cell(_dotted(en))} | {_cell(_dotted(zh))} |" for rule, (en, zh) in REFUSALS.items()]
    return "\n".join(lines) + "\n"


def _dotted(template: str) -> str:
    class Dots(dict[str, str]):
        def __missing__(self, key: str) -> str:
            return "…"

    return template.format_map(Dots())


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def graph_page() -> str:
    """The graph of a question, drawn from itself, with what each node does and where it may lead."""
    from inquery.agents.graph import NODES, build_graph
    from inquery.agents.supervisor import ROUTES

    lines = [
        "# The graph",
        "",
        "Written by `make docs` from `src/inquery/agents/graph.py`. One question travels from `begin_turn` to the end;",
        "which node comes next is decided by a table (`agents/supervisor.py`): each stage has a default, the first below,",
        "and may choose another of its row, never one outside it. `analyse`, `draw_chart` and `recommend` run side by side.",
        "",
        "```mermaid",
        build_graph().get_graph().draw_mermaid().strip(),
        "```",
        "",
        "| node | what it does | what may follow |",
        "|---|---|---|",
    ]
    for name, node in NODES.items():
        module = sys.modules[node.__module__]
        about = (module.__doc__ or "").strip().splitlines()[0]
        lines.append(f"| `{name}` | {_cell(about)} | {', '.join(f'`{target}`' for target in ROUTES.get(name, ()))} |")
    return "\n".join(lines) + "\n"


PAGES = {"settings.md": settings_page, "errors.md": errors_page, "../graph.md": graph_page}


def stale() -> list[str]:
    """The pages that differ from what the code says."""
    return [
        name
        for name, page in PAGES.items()
        if not (FOLDER / name).exists() or (FOLDER / name).read_text("utf-8") != page()
    ]


def main() -> int:
    """Write the pages, or with --check only say which are stale."""
    if "--check" in sys.argv:
        print("\n".join(stale()))
        return bool(stale())
    FOLDER.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
