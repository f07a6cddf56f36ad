"""Prompts are Markdown files with declared variables; their hash is part of every cache key and trace."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

from inquery.errors import InternalError

_FRONT = re.compile(r"\A---\n(.*?)\n---\n(.*)\Z", re.S)
_VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt: its text, the variables it declares with one line of help each, and its content hash."""

    name: str
    text: str
    variables: dict[str, str]
    hash: str

    def fill(self, **values: str) -> str:
        """The text with its variables; a missing or unknown one is a bug. Values are never expanded again."""
        if values.keys() != self.variables.keys():
            odd = sorted(values.keys() ^ self.variables.keys())
            raise InternalError(f"prompt {self.name}: variables {odd}")
        filled = _VARIABLE.sub(lambda found: values[found.group(1)], self.text)
        return re.sub(r"\n{3,}", "\n\n", filled).strip()


def parse_prompt(name: str, source: str) -> Prompt:
    """A prompt from the text of its file."""
    found = _FRONT.match(source)
    if found is None:
        raise InternalError(f"prompt {name}: no front matter")
    import yaml

    head = yaml.safe_load(found.group(1))
    variables = {str(key): str(value) for key, value in (head.get("variables") or {}).items()}
    used = set(_VARIABLE.findall(found.group(2)))
    if used != variables.keys():
        raise InternalError(f"prompt {name}: declared and used variables differ: {sorted(used ^ variables.keys())}")
    return Prompt(name, found.group(2), variables, _hash(source))


def _hash(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()[:12]


@lru_cache(maxsize=64)
def load_prompt(name: str, folder: Path | None = None) -> Prompt:
    """The prompt of that name: the folder's, else the built-in one."""
    return parse_prompt(name, _source(name, folder))


def _source(name: str, folder: Path | None) -> str:
    if folder is not None and (folder / f"{name}.md").is_file():
        return (folder / f"{name}.md").read_text("utf-8")
    return (resources.files("inquery.llm") / "prompts" / f"{name}.md").read_text("utf-8")


def prompt_names() -> list[str]:
    """The built-in prompts."""
    folder = resources.files("inquery.llm") / "prompts"
    return sorted(item.name.removesuffix(".md") for item in folder.iterdir() if item.name.endswith(".md"))


@lru_cache(maxsize=8)
def prompts_version(folder: Path | None = None) -> str:
    """One hash over all prompts: a changed prompt must not serve answers of the old one."""
    joined = "".join(_hash(_source(name, folder)) for name in prompt_names())
    return hashlib.sha256(joined.encode()).hexdigest()[:12]
