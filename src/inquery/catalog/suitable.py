"""Which columns are worth indexing by value: names and categories, not prose, keys, addresses or hashes."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST_VALUE = 80
_SAMPLE = 200
_UNSUITABLE = re.compile(
    r"""^(?:
        [^@\s]+@[^@\s]+\.[^@\s]+                       # an address of mail
      | (?:https?|ftp)://\S+ | www\.\S+                # of a page
      | \{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?
      | [0-9a-f]{16,}
      | \+[\d()\s.\-]{7,} | [\d()\s.\-/x]{10,}          # a telephone number; 2008-2009 is a season
      | \d{7,}
      | \d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T\s].*)?      # a date
      | \d{1,2}:\d{2}(?::\d{2}.*)?
      | -?\d+\.\d+
    )$""",
    re.VERBOSE | re.IGNORECASE,
)
_PRIVATE = re.compile(r"passw|passphrase|pwd|crypted|secret|token|hash|salt|credential|api_?key|cvv", re.IGNORECASE)
_KEY = re.compile(r"(?:_id|Id|ID|uuid|guid|编号|postcode|zip|邮编)$")


def private(column: str) -> bool:
    """Whether a column is named as a secret, which is never read ahead."""
    return _PRIVATE.search(column) is not None


def is_suitable(column: str, values: Sequence[str]) -> bool:
    """Whether phrases of a question can sensibly be looked up among these values."""
    if private(column):
        return False
    sample = [v for v in values[:_SAMPLE] if v]
    if not sample:
        return False
    if _KEY.search(column) and sum(any(c.isdigit() for c in v) for v in sample) * 2 > len(sample):
        return False
    unsuitable = sum(_UNSUITABLE.match(v) is not None or len(v) > LONGEST_VALUE for v in sample)
    lengths = sum(map(len, sample)) / len(sample)
    return unsuitable * 2 < len(sample) and lengths <= 60
