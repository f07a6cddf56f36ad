"""Where model folders lie: inside the package, under INQUERY_HOME/models, or at a given path."""

from __future__ import annotations

import hashlib
import json
import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquery.errors import ModelMissing
from inquery.form.ast import Edition
from inquery.llm.embedded.prompt import PromptFormat, format_of
from inquery.settings import get_settings

if TYPE_CHECKING:
    from inquery.llm.embedded.runtime import Model

PACKAGED = Path(__file__).parent / "models"
_loading = threading.Lock()


@dataclass(frozen=True)
class WeightsInfo:
    """A model folder and what its config.json says."""

    name: str
    folder: Path
    config: dict[str, Any]

    @property
    def bytes(self) -> int:
        """Size of all its files."""
        return sum(path.stat().st_size for path in self.folder.iterdir() if path.is_file())

    @property
    def prompt_format(self) -> PromptFormat:
        """What it was trained to read."""
        return format_of(int(self.config.get("prompt_version", 0)), parts=bool(self.config.get("parts", True)))

    @property
    def edition(self) -> Edition:
        """The words of the form its writer was trained on; weights that do not say are of round D."""
        return "E" if self.config.get("grammar") == "E" else "D"

    @property
    def digest(self) -> str:
        """A short name of the exact weights, for caches, traces and resumed evaluations."""
        digests = {name: file["sha256"] for name, file in self.config["files"].items()}
        return hashlib.sha256(json.dumps(digests, sort_keys=True).encode()).hexdigest()[:12]


def folders() -> list[Path]:
    """Folders that may hold model folders, first wins."""
    return [PACKAGED, get_settings().home / "models"]


def installed() -> list[WeightsInfo]:
    """Every model at hand, the packaged first."""
    found: dict[str, WeightsInfo] = {}
    for place in folders():
        for config in sorted(place.glob("*/config.json")):
            info = read_info(config.parent)
            found.setdefault(info.name, info)
    return list(found.values())


def find_model(name: str = "") -> WeightsInfo:
    """The model of that name, or the folder at that path, or the packaged writer; raises ModelMissing."""
    if name and (Path(name) / "config.json").is_file():
        return read_info(Path(name))
    at_hand = [info for info in installed() if info.config.get("kind", "writer") == "writer"]
    for info in at_hand:
        if not name or info.name == name:
            return info
    wanted = name or "writer"
    raise ModelMissing.because(
        f"the weights of the embedded model ({wanted}) are not installed; "
        "set INQUERY_LLM__PROVIDER and INQUERY_LLM__MODEL to use another one",
        f"内置模型（{wanted}）的权重未安装；可设置 INQUERY_LLM__PROVIDER 与 INQUERY_LLM__MODEL 使用其他模型",
        detail=f"no model {wanted} in {[str(place) for place in folders()]}",
    )


def read_info(folder: Path) -> WeightsInfo:
    """The model of one folder."""
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise ModelMissing(f"{folder}: {error}", reason=folder.name) from error
    return WeightsInfo(config.get("name", folder.name), folder, config)


def damaged_files(info: WeightsInfo) -> list[str]:
    """Files that are missing or whose SHA-256 differs from the one written at export."""
    wrong = []
    for name, expected in info.config["files"].items():
        path = info.folder / name
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != expected["sha256"]:
            wrong.append(name)
    return wrong


def load(name: str = "") -> Model:
    """The model of that name, loaded once in this process."""
    with _loading:
        return _load(find_model(name).folder)


def load_aside(name: str = "") -> None:
    """Begin to load a model in a thread, so that a process that has just begun can import what else it needs meanwhile.

    Reading 91 MB of weights holds no lock of the interpreter; on one core there would be nothing to win.
    """
    # Imported here: the interpreter would let two threads that import numpy at once see half of it.
    from inquery.llm.embedded.runtime import default_threads

    if default_threads() > 1:
        threading.Thread(target=_load_if_there, args=(name,), name="inquery-load-model").start()


def _load_if_there(name: str) -> None:
    with suppress(ModelMissing):  # whoever needs the model is told
        load(name)


@lru_cache(maxsize=2)
def _load(folder: Path) -> Model:
    from inquery.llm.embedded.runtime import Model

    return Model.load(folder)
