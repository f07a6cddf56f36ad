"""Files with metrics: our YAML, dbt, Cube, OSI and Excel, told apart by what they hold."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path

from inquery.errors import BadRequest
from inquery.knowledge.glossary import Glossary, parse_glossary
from inquery.knowledge.glossary_files import read_yaml
from inquery.metrics.imports.cube import is_cube, read_cube
from inquery.metrics.imports.dbt import is_dbt, read_dbt
from inquery.metrics.imports.osi import is_osi, read_osi
from inquery.metrics.imports.semantic_models import Imported, Tree

LARGEST = 64 << 20
MOST_FILES = 500
_ENDINGS = (".yml", ".yaml", ".json")


def read_metric_files(path: Path) -> Imported:
    """The metrics of a file, or of all YAML files of a project's folder; raises BadRequest where there are none."""
    if path.is_dir():
        found = sorted(each for each in path.rglob("*") if each.suffix in _ENDINGS[:2] and each.is_file())
        return _from_tree(_together([_tree(each.name, _content(each)) for each in found[:MOST_FILES]]), path.name)
    return read_metric_file(path.name, _content(path))


def read_metric_file(name: str, content: bytes) -> Imported:
    """The metrics of one file, told by the ending of its name; raises BadRequest where there are none."""
    if name.lower().endswith(".xlsx"):
        return _read_sheet(name, content)
    return _from_tree(_tree(name, content), name)


def _content(path: Path) -> bytes:
    if path.stat().st_size > LARGEST:
        raise BadRequest.because(f"{path.name} is too large", f"{path.name} 太大")
    return path.read_bytes()


def _tree(name: str, content: bytes) -> Tree:
    try:
        text = content.decode("utf-8-sig")
        plain = json.loads(text) if name.lower().endswith(".json") else read_yaml(text)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadRequest.because(f"{name} cannot be read", f"{name} 无法读取", detail=str(error)) from error
    return plain if isinstance(plain, Mapping) else {}


def _together(trees: list[Tree]) -> Tree:
    """The files of a project as one: their lists one after another."""
    whole: dict[str, list[object]] = {}
    for tree in trees:
        for key in ("semantic_models", "models", "metrics", "cubes", "semantic_model"):
            value = tree.get(key)
            if isinstance(value, list):
                whole.setdefault(key, []).extend(value)
    return whole


def _from_tree(tree: Tree, name: str) -> Imported:
    for fits, read in ((is_osi, read_osi), (is_cube, read_cube), (is_dbt, read_dbt)):
        if fits(tree):
            return read(tree)
    if isinstance(tree.get("metrics"), Mapping):
        known = parse_glossary({key: tree[key] for key in ("metrics", "dimensions", "joins") if key in tree})
        return Imported(known, {})
    raise BadRequest.because(
        f"{name} holds no metrics of ours, of dbt, Cube or OSI", f"{name} 中没有本系统、dbt、Cube 或 OSI 的指标"
    )


def _read_sheet(name: str, content: bytes) -> Imported:
    """An Excel sheet: a metric a row, the first row says which field a column is; synonyms are parted by commas."""
    try:
        from openpyxl import load_workbook

        sheet = load_workbook(io.BytesIO(content), read_only=True, data_only=True).active
    except ImportError as error:
        raise BadRequest.because("reading Excel needs openpyxl", "读取 Excel 需要安装 openpyxl") from error
    except Exception as error:  # whatever a broken file makes the reader raise
        raise BadRequest.because(f"{name} cannot be read", f"{name} 无法读取", detail=str(error)) from error
    rows = [[("" if cell is None else str(cell).strip()) for cell in row] for row in sheet.iter_rows(values_only=True)]
    if not rows or "name" not in rows[0]:
        raise BadRequest.because(
            "the first row has to name the fields, name among them", "第一行须为字段名，且包含 name"
        )
    metrics: dict[str, dict[str, object]] = {}
    for row in rows[1:]:
        fields: dict[str, object] = {key: cell for key, cell in zip(rows[0], row, strict=False) if key and cell}
        own = str(fields.pop("name", ""))
        if not own:
            continue
        label = {lang: fields.pop(f"label_{lang}") for lang in ("en", "zh") if f"label_{lang}" in fields}
        fields |= {"label": label} if label else {}
        if "synonyms" in fields:
            words = str(fields["synonyms"]).replace("，", ",").split(",")
            fields["synonyms"] = [word.strip() for word in words if word.strip()]
        if own in metrics:
            raise BadRequest.because(f"there are two metrics {own}", f"有两个指标都叫 {own}")
        metrics[own] = fields
    return Imported(parse_glossary({"metrics": metrics}) if metrics else Glossary(), {})
