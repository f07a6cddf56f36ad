"""What tables and columns are called, and whether words of a question are among it."""

from __future__ import annotations

import re

from inquery.knowledge.glossary import Glossary
from inquery.language.text import fold, name_words, stem
from inquery.sql.statement import Place, Statement


def stems(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"[a-z0-9]+", fold(text))}


def brief(text: str) -> str:
    """A description up to its first comma."""
    return re.split(r"[，,：:；;（(。./]", text)[0].strip()


_LABEL = re.compile(r"(^|_)(id|name|nm|title|code|no|number|key|label)(_|$)|名|编号|编码", re.I)


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


def shown_places(statement: Statement) -> set[str]:
    """Stored columns that are grouped by or shown as they are."""
    columns = [(scope, column) for scope in statement.scopes for column in scope.plain_columns()]
    return {place.name for scope, column in columns if (place := scope.place(column))}
