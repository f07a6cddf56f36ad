"""Gives a group of questions other table and column names, consistently in schema, values, forms and SQL.

Names that several tables share stay shared and distinct names stay distinct, so that the join graph, which also reads
names, does not change.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from random import Random
from typing import Any

from inquery.form.ast import AllColumns, Block, ColumnRef, Source, TableRef
from inquery.form.join_paths import FormSchema
from inquery.form.name_words import FormError, NameMap
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.form.to_sql import to_sql
from inquery.language.lexicon import lexicon, stem_term
from inquery.language.text import has_cjk
from inquery.sql.catalog import Table
from training.engine.naming import ABBREVIATIONS, Style, split
from training.engine.words import plural
from training.prepare import tables_of

_GENERIC = frozenset(
    ["id", "name", "type", "code", "status", "date", "year", "title", "description", "details", "no", "key", "value"]
)
"""Names the join graph ignores when equal; renaming them to something telling would invent joins."""
_SINGULAR = {"ies": "y", "sses": "ss", "tuses": "tus", "ches": "ch", "shes": "sh", "xes": "x"}
_SAME = frozenset(["movies", "cookies", "series", "species"])


@dataclass
class Renaming:
    """Old names to new ones; columns by table and name."""

    tables: dict[str, str]
    columns: dict[tuple[str, str], str]
    roles: dict[str, str]


def rename(example: dict[str, Any], rng: Random) -> dict[str, Any]:
    """The group under other names; questions whose form cannot be carried over are left out."""
    old = tables_of(example)
    made = choose_names(old, rng)
    tables = [_table(table, made, rng) for table in example["tables"]]
    values = {}
    for place, found in example["values"].items():
        table, column = place.rsplit(".", 1)
        if (table, column) in made.columns:
            values[f"{made.tables[table]}.{made.columns[table, column]}"] = found
    group = {
        **example,
        "schema_id": f"{example['schema_id']}~{rng.randrange(10**6)}",
        "tables": tables,
        "values": values,
    }
    if "mappings" in example:
        group["mappings"] = [
            (phrase, made.tables[table], made.columns[table, column], value)
            for phrase, table, column, value in example["mappings"]
        ]
    new = tables_of(group)
    group["questions"] = _questions(example["questions"], made, NameMap(old), NameMap(new), FormSchema(new))
    return group


def _table(table: dict[str, Any], made: Renaming, rng: Random) -> dict[str, Any]:
    columns = []
    for column in table["columns"]:
        reference = column.get("fk")
        if reference:
            far, key = reference.rsplit(".", 1)
            reference = f"{made.tables[far]}.{made.columns[far, key]}" if (far, key) in made.columns else None
        columns.append({**column, "name": made.columns[table["name"], column["name"]], "fk": reference})
    return {**table, "name": made.tables[table["name"]], "columns": columns}


def _questions(
    items: list[dict[str, Any]], made: Renaming, old: NameMap, new: NameMap, schema: FormSchema
) -> list[dict[str, Any]]:
    kept = []
    forms: dict[str, tuple[str, str] | None] = {}
    for item in items:
        form = item["form"]
        if form not in forms:
            forms[form] = _carried(form, made, old, new, schema)
        found = forms[form]
        if found:
            kept.append({**item, "form": found[0], "sql": found[1]} | _phrases(item, made))
    return kept


def _phrases(item: dict[str, Any], made: Renaming) -> dict[str, Any]:
    """The glossary's words of a question under the new names of what they mean: a table, or a measure as a column."""
    if "phrases" not in item:
        return {}
    columns = {old: new for (_, old), new in made.columns.items()}
    return {"phrases": [(word, made.tables.get(name) or columns.get(name, "")) for word, name in item["phrases"]]}


def _carried(form: str, made: Renaming, old: NameMap, new: NameMap, schema: FormSchema) -> tuple[str, str] | None:
    try:
        query = renamed_tree(read_form(form, old), made)
        return write(query, new), to_sql(query, schema)
    except FormError:
        return None


# --- trees ---


def renamed_tree(query: Any, made: Renaming) -> Any:
    """A form with new names."""
    return _tree(query, made, [])


def _tree(node: Any, made: Renaming, scopes: list[dict[str, Source]]) -> Any:
    if isinstance(node, tuple):
        return tuple(_tree(item, made, scopes) for item in node)
    if isinstance(node, Block):
        scopes = [*scopes, {source.name: source for source in node.sources}]
    elif isinstance(node, Source):
        via = tuple(_tree(ref, made, scopes) for ref in node.via) if node.via else None
        role = made.roles.get(node.role.casefold(), node.role) if node.role else None
        return replace(node, table=_known(made.tables, node.table), role=role, via=via)
    elif isinstance(node, ColumnRef):
        source = _source(node.source, scopes)
        return ColumnRef(_spoken(source, made), _known(made.columns, (source.table, node.column)))
    elif isinstance(node, TableRef):
        return TableRef(_spoken(_source(node.source, scopes), made))
    elif isinstance(node, AllColumns):
        return AllColumns(_spoken(_source(node.source, scopes), made)) if node.source else node
    if is_dataclass(node) and not isinstance(node, type):
        return replace(node, **{part.name: _tree(getattr(node, part.name), made, scopes) for part in fields(node)})
    return node


def _source(name: str, scopes: list[dict[str, Source]]) -> Source:
    for scope in reversed(scopes):
        if name in scope:
            return scope[name]
    raise FormError(f"{name} is not in scope")


def _spoken(source: Source, made: Renaming) -> str:
    if source.role:
        return made.roles.get(source.role.casefold(), source.role)
    return _known(made.tables, source.table)


def _known(names: dict[Any, str], key: Any) -> str:
    if key not in names:
        raise FormError(f"unknown name {key}")
    return names[key]


# --- choosing names ---


def choose_names(tables: list[Table], rng: Random) -> Renaming:
    """New names in one style: other words for some, another case, plural or prefix, now and then Chinese."""
    chinese = any(has_cjk(table.name) for table in tables)
    target = "en" if chinese and rng.random() < 0.5 else "zh" if chinese or rng.random() < 0.1 else "en"
    style = Style.pick(rng, "en")
    words = _Words(style, target, rng, rng.choice([0, 0, 0.8]), rng.choice([0.05, 0.2, 0.45]))
    made = Renaming({}, {}, {})
    taken: set[str] = set()
    for table in tables:
        made.tables[table.name] = _free(words.table(table.name), table.name, taken)
    _columns(tables, made, words, rng)
    return made


def _columns(tables: list[Table], made: Renaming, words: _Words, rng: Random) -> None:
    homes = Counter(column.name.casefold() for table in tables for column in table.columns)
    keys = {c.casefold() for table in tables for key in table.foreign_keys for c in (*key.columns, *key.references)}
    shared: dict[str, str] = {}
    taken: set[str] = set()
    for table in tables:
        for column in table.columns:
            folded = column.name.casefold()
            if folded not in shared:
                fixed = folded in _GENERIC and homes[folded] > 1
                alone = homes[folded] == 1 and folded not in keys
                owner = (
                    table.name
                    if alone and not column.primary_key and rng.random() < words.style.column_prefix * 0.6
                    else ""
                )
                short = (
                    _without_owner(column.name, table.name) if alone and not column.primary_key and not owner else ""
                )
                own = {
                    made.columns[table.name, c.name].casefold()
                    for c in table.columns
                    if (table.name, c.name) in made.columns
                }
                if (
                    short in _GENERIC
                    and rng.random() < words.shorten
                    and short not in own | {c.name.casefold() for c in table.columns}
                ):
                    shared[folded] = words.spell([short])
                else:
                    shared[folded] = _free(words.column(column.name, owner, fixed), column.name, taken)
            made.columns[table.name, column.name] = shared[folded]
            made.roles[folded] = shared[folded]


def _without_owner(name: str, table: str) -> str:
    """`name` of `singer_name` in singer."""
    parts, owner = split(name), singular(split(table)[-1])
    return parts[1] if len(parts) == 2 and parts[0] == owner else ""


def _free(name: str, fallback: str, taken: set[str]) -> str:
    """A name not used yet for another one."""
    for candidate in (name, fallback, *(f"{name}_{i}" for i in range(2, 50))):
        if candidate and candidate.casefold() not in taken:
            taken.add(candidate.casefold())
            return candidate
    raise ValueError(f"no free name for {fallback}")


@dataclass
class _Words:
    """Turns one old name into a new one."""

    style: Style
    language: str
    rng: Random
    shorten: float = 0.0
    other_words: float = 0.1

    def table(self, name: str) -> str:
        if self.language == "zh":
            return to_chinese(name) or name
        parts = self.english(name)
        if parts and parts[-1].isalpha():
            parts[-1] = plural(singular(parts[-1])) if self.style.plural else singular(parts[-1])
        prefix = self.style.table_prefix.strip("_")
        return self.spell([prefix, *parts] if prefix else parts)

    def column(self, name: str, owner: str, fixed: bool) -> str:
        if self.language == "zh":
            return to_chinese(name) or name
        if fixed:
            return self.spell(split(name))
        parts = self.english(name)
        before = [singular(p) for p in split(owner)] if owner and not has_cjk(owner) else []
        return self.spell([*before, *parts] if before and before[0] not in parts else parts)

    def english(self, name: str) -> list[str]:
        if has_cjk(name):
            return (to_english(name) or name).split()
        parts = split(name)
        if self.style.abbreviate:
            return [ABBREVIATIONS.get(p, p) for p in parts]
        if self.rng.random() < 0.3:
            parts = [_LONG.get(p, p) for p in parts]
        if self.rng.random() < self.other_words:
            at = self.rng.randrange(len(parts))
            options = synonyms(parts[at])
            parts[at : at + 1] = self.rng.choice(options).split() if options else [parts[at]]
        return parts

    def spell(self, parts: list[str]) -> str:
        return "".join(parts) if any(has_cjk(p) for p in parts) else self.style.spell(parts)


_LONG = {short: word for word, short in ABBREVIATIONS.items() if len(short) > 2} | {
    "no": "number",
    "desc": "description",
}


def singular(word: str) -> str:
    """The singular of a plain English plural."""
    if word in _SAME:
        return word
    for ending, instead in _SINGULAR.items():
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending) + instead
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "ics")) and len(word) > 3:
        return word[:-1]
    return word


@cache
def synonyms(word: str) -> tuple[str, ...]:
    """Other English words whose first Chinese meaning is the same."""
    known = lexicon()
    first = known.chinese.get(stem_term(word), ())[:1]
    if not first:
        return ()
    others = known.english.get(first[0], ())
    kept = [
        o
        for o in others
        if o != word
        and known.chinese.get(stem_term(o), ("",))[0] == first[0]
        and len(o.split()) < 3
        and word not in o
        and o.endswith("ed") == word.endswith("ed")
    ]
    return tuple(kept[:5])


@cache
def to_chinese(name: str) -> str:
    """A name in Chinese, by the whole or word by word; nothing where a word is not known."""
    if has_cjk(name):
        return name
    known = lexicon().chinese
    parts = [singular(p) for p in split(name) if p not in ("t", "tbl", "ref", "the")]
    whole = known.get(stem_term(" ".join(parts)))
    if whole:
        return whole[0]
    found = [known.get(stem_term(part)) for part in parts]
    if not parts or not all(found):
        return ""
    return "".join(words[0] for words in found if words)


@cache
def to_english(name: str) -> str:
    """A Chinese name in English, by its longest known pieces; nothing where one is not known."""
    known = lexicon().english
    parts: list[str] = []
    at = 0
    while at < len(name):
        for size in range(min(8, len(name) - at), 0, -1):
            piece = name[at : at + size]
            if piece in known or piece.isascii():
                parts.append(known[piece][0] if piece in known else piece)
                at += size
                break
        else:
            return ""
    return " ".join(parts)
