"""What tables and columns are called, and whether words of a question are among it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inquery.knowledge.glossary import Glossary
from inquery.language.text import fold, has_cjk, name_words, stem
from inquery.sql import Catalog
from inquery.sql.statement import Place, Statement


def stems(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[a-z0-9]+", fold(text))}


def brief(text: str) -> str:
    """A description up to its first comma."""
    return re.split(r"[，,：:；;（(。./]", text)[0].strip()


_LABEL = re.compile(r"(^|_)(id|name|title|code|no|number|key|label)(_|$)|名|编号|编码", re.I)


def is_label(column: str) -> bool:
    """Whether a column says which row it is: a name, a number, a code."""
    return _LABEL.search("_".join(name_words(column))) is not None


def column_names(place: Place, glossary: Glossary) -> set[str]:
    """Everything a column is called; one that says which row it is has the table's name too."""
    column = place.table.column(place.column)
    about = glossary.tables.get(place.table.full_name)
    known = about.columns.get(place.column) if about else None
    texts = [" ".join(name_words(place.column)), column.comment if column else ""]
    texts += [known.zh, known.en] if known else []
    if is_label(place.column) or (column and column.primary_key):
        texts += [" ".join(name_words(place.table.name)), place.table.comment]
        texts += [*about.synonyms, about.description.zh] if about else []
    return {fold(brief(text)) for text in texts if text}


_CALLED: dict[tuple[int, int], tuple[object, frozenset[str]]] = {}


def called(catalog: Catalog, glossary: Glossary) -> frozenset[str]:
    """Everything tables and columns are called; kept for the catalogue and glossary that were last asked about."""
    key = (id(catalog), id(glossary))
    if key not in _CALLED:
        places = [Place(table, column.name) for table in catalog.tables for column in table.columns]
        _CALLED.clear()
        _CALLED[key] = (
            (catalog, glossary),
            frozenset(name for place in places for name in column_names(place, glossary)),
        )
    return _CALLED[key][1]


def fits(said: str, names: Iterable[str]) -> bool:
    if has_cjk(said):
        return any(said in name or any(part in name for part in _halves(said)) for name in names)
    words = [stem(word) for word in said.split() if len(word) > 2]
    return any(word == known or _short_for(known, word) for name in names for known in stems(name) for word in words)


def _short_for(known: str, word: str) -> bool:
    """dept is department: the same first letter, the others in their order."""
    letters = iter(word)
    return len(known) >= 3 and known[0] == word[0] and all(letter in letters for letter in known)


def _halves(said: str) -> list[str]:
    """A Chinese name without its first or last word: 退货原因 is 原因, 商品类别 is 类别."""
    return [said[-2:], said[:2]] if len(said) >= 3 else []


def shown_places(statement: Statement) -> set[str]:
    """Stored columns that are grouped by or shown as they are."""
    columns = [(scope, column) for scope in statement.scopes for column in scope.plain_columns()]
    return {place.name for scope, column in columns if (place := scope.place(column))}
