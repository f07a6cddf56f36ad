"""Passwords: what is accepted as one, and hashes by argon2 that tell nothing of them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from inquery.errors import BadRequest

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST = 10
LONGEST = 200
FEWEST_LETTERS = 5
_KNOWN = (
    "password",
    "passw0rd",
    "1234567890",
    "0123456789",
    "qwertyuiop",
    "letmein",
    "welcome",
    "administrator",
    "inquery",
)


def check_password(password: str, name: str) -> None:
    """Raise BadRequest unless a password is long, varied, and neither well known nor made of the name."""
    folded = password.casefold()
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadRequest.because(
            f"a password has {SHORTEST} to {LONGEST} characters", f"密码应为 {SHORTEST} 到 {LONGEST} 个字符"
        )
    if len(set(folded)) < FEWEST_LETTERS:
        raise BadRequest.because(
            f"a password needs at least {FEWEST_LETTERS} different characters",
            f"密码至少包含 {FEWEST_LETTERS} 个不同字符",
        )
    stripped = folded.strip("0123456789!@#$%^&*._- ")
    if stripped in _KNOWN or folded in _KNOWN or stripped == name.casefold():
        raise BadRequest.because("this password is too easy to guess", "该密码过于容易猜到")


def hash_password(password: str) -> str:
    """The hash that is stored."""
    return _hasher().hash(password)


def verify_password(stored: str, password: str) -> bool:
    """Whether a password is the stored one; it takes as long when there is none stored."""
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return _hasher().verify(stored or _nobodys(), password) and bool(stored)
    except (VerificationError, InvalidHashError):
        return False


def is_outdated(stored: str) -> bool:
    """Whether a hash was made with weaker parameters than today's."""
    return _hasher().check_needs_rehash(stored)


@lru_cache(maxsize=1)
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@lru_cache(maxsize=1)
def _nobodys() -> str:
    return _hasher().hash("the password of nobody")
