"""Write down what Inquery does, or compare with what was written down.

    python -m benchmarks.pin --write [--spider DIR] [--only PART …]
    python -m benchmarks.pin --check [--spider DIR] [--only PART …]

`--check` exits with 1 when anything differs that `differences.yaml` does not explain. Without `--spider` (the folder that
training/README.md describes) the pins of Spider's questions are left out. What the values were, in full, is kept in
build/pins of the machine that wrote them, and shown beside what they are now.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import fnmatch
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from benchmarks.machine import ROOT
from benchmarks.pin import answers, surfaces
from benchmarks.pin.answers import Pin, Values, digest
from benchmarks.pin.live import live_pins, same_arithmetic
from benchmarks.pin.tape import Tape

from inquery.settings import CacheSettings, KnowledgeSettings, Settings

HERE = Path(__file__).parent
EXPECTED = HERE / "expected"
EXPLAINED = HERE / "differences.yaml"
WHOLE = ROOT / "build" / "pins"
TODAY = datetime.date(2026, 11, 16)
LONGEST = 160
"""A longer value is kept as its digest: the pins are read in a diff."""
SHOWN = 40
PARTS = ("doors", "guard", "forms", "prompts", "demo", "unseen", "tune", "talks", "reports", "requests", "live")


@dataclass(frozen=True)
class Difference:
    """A value that is not what it was; an id that came or went has no value on one side."""

    name: str
    before: str
    now: str


async def pins_of(part: str, tape: Tape, spider: Path | None) -> AsyncIterator[Pin]:
    """The pins of one part, each in a home of its own."""
    with tempfile.TemporaryDirectory(prefix="iq-pin-") as made:
        folder = Path(made)
        settings = Settings(
            home=folder / "home", today=TODAY, cache=CacheSettings(enabled=False), language="auto",
            knowledge=KnowledgeSettings(join_tests="wait"),
        )  # fmt: skip
        match part:
            case "guard":
                found = _each(surfaces.guard_pins())
            case "forms":
                found = _each(surfaces.form_pins(folder))
            case "doors":
                found = surfaces.door_pins(settings)
            case "prompts":
                answers.build_unseen(folder)
                found = surfaces.prompt_pins(settings, folder, spider)
            case "demo":
                found = answers.demo_pins(settings, tape)
            case "unseen":
                answers.build_unseen(folder)
                found = answers.unseen_pins(settings, tape, folder)
            case "tune":
                assert spider is not None
                found = answers.tune_pins(settings, tape, spider)
            case "talks":
                found = answers.talk_pins(settings)
            case "reports":
                found = answers.report_pins(settings, tape)
            case "requests":
                found = answers.request_pins(settings)
            case _:
                found = live_pins(settings)
        async for name, values in found:
            yield name, {field: value.replace(made, "TMP") for field, value in values.items()}


async def _each(pins: Iterator[Pin]) -> AsyncIterator[Pin]:
    for pin in pins:
        yield pin


def short(values: Values) -> Values:
    """Values as they are kept: long ones by their digest."""
    return {name: value if len(value) <= LONGEST else digest(value) for name, value in values.items()}


def load(path: Path) -> dict[str, Values]:
    """The pins of a file by id."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return {row.pop("id"): row for row in map(json.loads, lines)}


def save(path: Path, pins: dict[str, Values]) -> None:
    """A line a pin, in order."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps({"id": name} | values, ensure_ascii=False) + "\n" for name, values in sorted(pins.items()))
    path.write_text("".join(lines), "utf-8")


def compare(expected: dict[str, Values], found: dict[str, Values]) -> Iterator[Difference]:
    """Every value that came, went or changed."""
    for name in sorted(expected.keys() | found.keys()):
        before, now = expected.get(name), found.get(name)
        if before is None or now is None:
            yield Difference(name, "" if before is None else "there", "" if now is None else "there")
            continue
        for field in sorted(before.keys() | now.keys()):
            if before.get(field) != now.get(field):
                yield Difference(f"{name}:{field}", before.get(field, ""), now.get(field, ""))


def explained(differences: list[Difference]) -> tuple[list[Difference], list[str]]:
    """What no line of differences.yaml explains, and the lines that explain nothing."""
    lines: list[dict[str, str]] = yaml.safe_load(EXPLAINED.read_text("utf-8")) or []
    for line in lines:
        if not line.get("why") or not line.get("pin"):
            raise SystemExit(f"{EXPLAINED.name}: each line has `pin` (a pattern) and `why`: {line}")
    left = [d for d in differences if not any(fnmatch.fnmatchcase(d.name, line["pin"]) for line in lines)]
    idle = [line["pin"] for line in lines if not any(fnmatch.fnmatchcase(d.name, line["pin"]) for d in differences)]
    return left, idle


async def run(parts: list[str], spider: Path | None, *, write: bool) -> int:
    """Make the pins of the parts; returns the exit code."""
    tape = Tape(recording=True) if write else Tape.load()
    differences: list[Difference] = []
    whole: dict[str, Values] = {}
    for part in parts:
        if part == "live" and not write and not same_arithmetic(EXPECTED / "live.jsonl"):
            print("live       not compared: written on another processor or runtime")
            continue
        began = time.perf_counter()
        made = {name: values async for name, values in pins_of(part, tape, spider)}
        found = {name: short(values) for name, values in made.items()}
        whole |= made
        if write:
            save(EXPECTED / f"{part}.jsonl", found)
            save(WHOLE / f"{part}.jsonl", made)
        else:
            expected = load(EXPECTED / f"{part}.jsonl")
            if part == "prompts" and spider is None:
                expected = {name: values for name, values in expected.items() if not name.startswith("prompt/tune/")}
            differences += compare(expected, found)
        print(f"{part:10} {len(found):5} pins {time.perf_counter() - began:6.1f} s", flush=True)
    if write:
        tape.save()
        return 0
    differences += [Difference(f"tape/{key}", "written", "") for key in tape.missing]
    return report(differences, whole)


def report(differences: list[Difference], whole: dict[str, Values]) -> int:
    """Say what differs; returns the exit code."""
    left, idle = explained(differences)
    before = {name: values for file in WHOLE.glob("*.jsonl") for name, values in load(file).items()}
    for difference in left[:SHOWN]:
        name, _, field = difference.name.rpartition(":")
        print(f"\n{difference.name}")
        print(f"  was {before.get(name, {}).get(field, difference.before)[:1500]}")
        print(f"  is  {whole.get(name, {}).get(field, difference.now)[:1500]}")
    if len(left) > SHOWN:
        print(f"\n… and {len(left) - SHOWN} more")
    for pattern in idle:
        print(f"differences.yaml expects {pattern}, and nothing there differs")
    print(f"\n{len(differences)} differences, {len(differences) - len(left)} explained, {len(left)} not")
    return 1 if left or idle else 0


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--write", action="store_true", help="keep what is as what should be")
    mode.add_argument("--check", action="store_true", help="compare with what is kept")
    parser.add_argument("--spider", type=Path, help="folder with questions.jsonl and databases/")
    parser.add_argument("--only", nargs="+", choices=PARTS, metavar="PART", help="of " + ", ".join(PARTS))
    args = parser.parse_args()
    parts = [part for part in args.only or PARTS if part != "tune" or args.spider]
    if args.write and (args.only or not args.spider):
        parser.error("--write makes all pins anew, so it needs --spider and takes no --only")
    if not args.spider:
        print("tune       left out: no --spider")
    sys.exit(asyncio.run(run(parts, args.spider, write=args.write)))


if __name__ == "__main__":
    main()
