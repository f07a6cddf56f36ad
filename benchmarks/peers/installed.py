"""What a system takes on disk: its packages and all they need, in the environment of the Python that runs this.

python -m benchmarks.peers.installed vanna[openai]     megabytes, compiled files not counted
"""

from __future__ import annotations

import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

Wanted = tuple[str, frozenset[str]]


def needed(requirements: list[str]) -> dict[str, Distribution]:
    """Every distribution that some requirements bring with them."""
    found: dict[str, Distribution] = {}
    seen: set[Wanted] = set()
    waiting = [(each.name, frozenset(each.extras)) for each in map(Requirement, requirements)]
    while waiting:
        name, extras = wanted = waiting.pop()
        if wanted in seen:
            continue
        seen.add(wanted)
        try:
            found[canonicalize_name(name)] = made = distribution(name)
        except PackageNotFoundError:
            continue
        waiting += [
            (each.name, frozenset(each.extras))
            for each in map(Requirement, made.requires or ())
            if _applies(each, extras)
        ]
    return found


def _applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    """Whether a requirement is one of this machine with these extras."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in (extras or {""}) | {""})


def megabytes(requirements: list[str], *folders: Path) -> float:
    """The files of all that is needed, and of folders that are installed in place."""
    paths = {Path(str(made.locate_file(file))) for made in needed(requirements).values() for file in made.files or ()}
    paths |= {path for folder in folders for path in folder.rglob("*") if path.is_file()}
    kept = [path for path in paths if "__pycache__" not in path.parts and path.is_file()]
    return round(sum(path.stat().st_size for path in kept) / 1e6, 1)


if __name__ == "__main__":
    packages = [each for each in sys.argv[1:] if not Path(each).is_dir()]
    print(megabytes(packages, *(Path(each) for each in sys.argv[1:] if Path(each).is_dir())))
