"""Pins of the model's own arithmetic: the forms it writes, on the kind of processor they were written on."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import onnxruntime
from benchmarks.machine import facts
from benchmarks.pin.answers import HELD, Pin

from inquery.demo.build import ensure_demo
from inquery.evals.subject import Subjects
from inquery.llm.embedded.form_writer import EmbeddedWriter
from inquery.settings import Settings

ASKED = 2
"""Every second question of the demo's: the tape has the others."""


async def live_pins(settings: Settings) -> AsyncIterator[Pin]:
    """Candidates of the packaged model for questions about the demo, and the machine they were made on."""
    yield "machine", _machine()
    demo = ensure_demo(settings.home, settings.day())
    writer, subjects = EmbeddedWriter.load(), Subjects(demo.parent)
    try:
        subject = await subjects.get(demo.stem)
        for line in HELD.read_text("utf-8").splitlines()[::ASKED]:
            question = json.loads(line)["question"]
            written = await writer.write(subject.request(question, n=4, today=settings.day()))
            texts = "\n".join(f"{text.score:.3f} {text.why} -> {text.sql}" for text in written)
            yield f"live/{question}", {"first": written[0].why, "candidates": texts}
    finally:
        subjects.close()


def same_arithmetic(kept: Path) -> bool:
    """Whether the pins of a file were made where sums come out as here."""
    lines = kept.read_text("utf-8").splitlines() if kept.exists() else []
    return any(json.loads(line) == {"id": "machine"} | _machine() for line in lines)


def _machine() -> dict[str, str]:
    found = facts()
    return {"processor": str(found["processor"]), "cores": str(found["cores"]), "runtime": onnxruntime.__version__}
