"""The parts of a thread's state: plain data with a shape, each made by one function.

They are TypedDicts because checkpoints hold them: what is written here is read again by the next release. Keys are
added, never renamed; a key that an older release did not write is NotRequired.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

CandidateStatus = Literal["current", "new", "failed", "used"]
"""The statement in hand, one that waits, one that is no good, and the one that gave the answer."""
Repair = Literal["next_candidate", "mended", "first_statement", "refresh_schema", "regenerate"]


class Candidate(TypedDict):
    """A statement that may answer the question; `made` says which repair wrote it, where no model did."""

    sql: str
    score: float
    why: str
    status: CandidateStatus
    made: NotRequired[Repair]


def make_candidate(
    sql: str, status: CandidateStatus = "current", *, score: float = 0.0, why: str = "", made: Repair | None = None
) -> Candidate:
    """A statement as the state holds it."""
    candidate: Candidate = {"sql": sql, "score": score, "why": why, "status": status}
    return candidate | {"made": made} if made else candidate
