"""Whether the name of a column says first or last name."""

from __future__ import annotations

from typing import Literal

from inquery.language.text import fold, name_words, word_set

_FIRST_NAMES = word_set("first_name firstname fname given_name givenname forename first_nm fst_nm first prenom vorname")
_LAST_NAMES = word_set("last_name lastname lname family_name familyname surname last_nm lst_nm last nom nachname")

_BARE = word_set("first last nom prenom")
"""First and last of what, unless nothing stands before them."""


def name_part(column: str) -> Literal["first", "last", ""]:
    """Whether a column holds the first or the last name of people."""
    words = name_words(column)
    # `emp_fname`, `guest_first_name`: the table's own word before it changes nothing.
    spoken = {fold(column), *("_".join(words[at:]) for at in range(min(len(words), 3)))} - _BARE
    spoken |= {"_".join(words)} & _BARE
    return "first" if spoken & _FIRST_NAMES else "last" if spoken & _LAST_NAMES else ""
