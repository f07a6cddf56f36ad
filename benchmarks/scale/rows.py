"""Results of 1,000 to 10,000,000 rows to CSV: seconds, and how much memory grows."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.databases import open_case, streaming

ENGINES = ("sqlite", "postgres")
SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)


def measure(*, quick: bool) -> dict[str, Any]:
    """A row for each engine and size; every result is streamed in a process of its own."""
    found = []
    for engine in ENGINES[:1] if quick else ENGINES:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="iq-rows-")))
            case = open_case(engine, stack, folder)
            url = case.make_database()
            for size in SIZES[:3] if quick else SIZES:
                figures = streaming(case, url, size)
                found.append({"engine": engine, "rows": size, **figures})
                print(found[-1], flush=True)
    return {"rows": found}
