"""Prompts are Markdown files with declared variables; their hash is part of every cache key and trace."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

from inquery.errors import BadRequest

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
        """The text with its variables; one that nobody gives is told. Values are never expanded again."""
        if missing := sorted(self.variables.keys() - values.keys()):
            raise _unusable(self.name, f"there is no {', '.join(missing)}", f"没有变量 {'、'.join(missing)}")
        return _filled(self.text, values).strip()

    def head(self, stable: Collection[str], **values: str) -> str:
        """The beginning of the filled text that only `stable` variables decide."""
        first = next((found.start() for found in _VARIABLE.finditer(self.text) if found.group(1) not in stable), None)
        return _filled(self.text[:first], values).strip()


def _filled(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", _VARIABLE.sub(lambda found: values[found.group(1)], text))


def parse_prompt(name: str, source: str) -> Prompt:
    """A prompt from the text of its file."""
    found = _FRONT.match(source)
    if found is None:
        raise _unusable(name, "it does not begin with its variables between ---", "开头缺少以 --- 包围的变量说明")
    import yaml

    try:
        head = yaml.safe_load(found.group(1))
    except yaml.YAMLError as error:
        raise _unusable(name, "its variables are no YAML", "变量说明不是有效的 YAML") from error
    if not isinstance(head, dict):
        raise _unusable(name, "it names no variables", "没有变量说明")
    variables = {str(key): str(value) for key, value in (head.get("variables") or {}).items()}
    used = set(_VARIABLE.findall(found.group(2)))
    if used != variables.keys():
        odd = ", ".join(sorted(used ^ variables.keys()))
        raise _unusable(name, f"declared and used variables differ: {odd}", f"声明与使用的变量不一致：{odd}")
    return Prompt(name, found.group(2), variables, _hash(source))


def _unusable(name: str, en: str, zh: str) -> BadRequest:
    """Prompts may be anybody's own files, so that what is wrong with one is told with its name."""
    return BadRequest.because(f"the prompt {name}.md cannot be used: {en}", f"提示词文件 {name}.md 无法使用：{zh}")


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
