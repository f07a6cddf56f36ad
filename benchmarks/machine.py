"""Where and when figures were made: written into every file of results, so that a page can say it."""

from __future__ import annotations

import datetime
import json
import os
import platform
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"


def facts() -> dict[str, Any]:
    """The machine, and how busy it is now."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "cores": usable,
        "processor": _processor(),
        "system": platform.system(),
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 1),
    }


def _processor() -> str:
    """The processor's name, where the system tells it."""
    listed = Path("/proc/cpuinfo")
    lines = listed.read_text().splitlines() if listed.exists() else []
    named = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return named or platform.processor() or platform.machine()


def keep(path: Path, benchmark: str, machine: dict[str, Any], settings: dict[str, Any], **figures: Any) -> None:
    """Write a file of results; `machine` is what `facts` said before the run."""
    made = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    whole = {"benchmark": benchmark, "made": made, "machine": machine, "settings": settings, **figures}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", "utf-8")
