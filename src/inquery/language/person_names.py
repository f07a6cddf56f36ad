"""Whether the name of a column says first or last name."""

from __future__ import annotations

from typing import Literal

from inquery.language.text import fold, name_words, word_set

_FIRST_NAMES = word_set("first_name firstname fname given_name givenname forename first_nm fst_nm first prenom vorname")
_LAST_NAMES = word_set("last_name lastname lname family_name familyname surname last_nm lst_nm last nom nachname")


def name_part(column: str) -> Literal["first", "last", ""]:
    """Whether a column holds the first or the last name of people."""
    spoken = {fold(column), "_".join(name_words(column))}
    return "first" if spoken & _FIRST_NAMES else "last" if spoken & _LAST_NAMES else ""
