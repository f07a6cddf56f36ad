"""Settings that change how a server reads a statement: each engine sets its own, and sees that they hold.

The guard proves what a text says as its dialect reads it. A role, a database or a pooler may have told the server to read
it another way: backslashes that escape, double quotes around text, a NULL that equals. Whoever cannot be told otherwise
is refused, for the proof would be about another statement.
"""

from __future__ import annotations

from collections.abc import Mapping

from inquery.errors import ConnectFailed


def refuse_other_reading(wanted: Mapping[str, str], found: Mapping[str, object]) -> None:
    """Raise ConnectFailed for the first setting that a server did not take; values compare regardless of case."""
    for name, value in wanted.items():
        if name not in found or str(found[name]).strip().casefold() != value.casefold():
            raise ConnectFailed.because(
                f"{name} cannot be set there to {value}, so that statements are not read as they were checked",
                f"该处无法将 {name} 设为 {value}，语句的读法与检查时不同",
            )
