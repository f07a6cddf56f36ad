"""Speed and memory of the embedded writer: prefill, steps, load, resident memory.

python -m benchmarks.embedded [--model FOLDER] [--threads 2] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import resource
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from benchmarks.items import spaced
from benchmarks.stream_client import percentile

from inquery.llm.embedded.runtime import Model
from inquery.llm.embedded.weights import find_model
from inquery.llm.usage import UsageMeter, count_calls


def seconds(work: Callable[[], object], repeat: int) -> float:
    """Median time of a call."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def peak_mb() -> float:
    """Peak resident memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(folder: Path, threads: int) -> dict[str, float]:
    """All figures of one model folder."""
    start = time.perf_counter()
    model = Model.load(folder, threads=threads)
    found = {"load_s": time.perf_counter() - start, "loaded_mb": peak_mb()}
    found["weights_bytes"] = sum(path.stat().st_size for path in folder.iterdir())
    tokens = np.random.default_rng(7).integers(100, model.shape["vocab_size"], 1000).tolist()
    for count in (300, 600):
        found[f"prefill_{count}_s"] = seconds(partial(model.prefill, tokens[:count]), 3)
        found[f"prefill_{count}_tokens_per_s"] = count / found[f"prefill_{count}_s"]
    for width in (1, 4, 8):
        state = model.prefill(tokens[:600])
        step = seconds(partial(model.extend, state, [(state.root, [tokens[0]])] * width), 15)
        found[f"step_{width}_ms"] = step * 1000
        found[f"step_{width}_tokens_per_s"] = width / step
    with model.prefill(tokens[:640], keep=600):
        pass
    found["question_of_40_warm_s"] = seconds(lambda: model.release(model.prefill(tokens[:640], keep=600)), 5)
    found["peak_mb"] = peak_mb()
    return found


def answers(folder: Path, questions: Path, databases: Path, count: int) -> dict[str, float]:
    """Times of the writer on `count` databases, and the size of their schemas."""
    from inquery.evals.spider import read_questions
    from inquery.evals.subject import Subjects
    from inquery.llm.embedded.form_writer import EmbeddedWriter

    writer, subjects = EmbeddedWriter.load(str(folder)), Subjects(databases)
    asked: dict[str, list[str]] = {}
    for question in read_questions(questions):
        asked.setdefault(question.db_id, []).append(question.question)
    names = [name for name in asked if len(asked[name]) > 1]
    times: dict[str, list[float]] = {"new": [], "warm": []}
    sizes = []

    async def ask(name: str) -> None:
        subject = await subjects.get(name)
        for kind, question in zip(times, asked[name], strict=False):
            start, meter = time.perf_counter(), UsageMeter()
            with count_calls(meter):
                await writer.write(subject.request(question, n=1, today=datetime.date.today()))
            times[kind].append(time.perf_counter() - start)
        sizes.append(meter.prompt_tokens)

    async def ask_all() -> None:
        for name in spaced(names, count):
            await ask(name)
        subjects.close()

    asyncio.run(ask_all())
    found = {"answers": float(len(sizes)), "prompt_tokens_p50": statistics.median(sizes)}
    for kind, taken in times.items():
        found[f"answer_{kind}_p50_s"] = statistics.median(taken)
        found[f"answer_{kind}_p95_s"] = percentile(taken, 0.95)
    return found | {"answers_peak_mb": peak_mb()}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="", help="name or folder; the shipped one by default")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--databases", type=Path)
    parser.add_argument("--count", type=int, default=20, help="databases asked")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    folder = find_model(args.model).folder
    found = measure(folder, args.threads)
    if args.questions and args.databases:
        found |= answers(folder, args.questions, args.databases, args.count)
    if args.json:
        print(json.dumps(found))
        return
    print("| what | figure |\n|---|---|")
    for name, value in found.items():
        print(f"| {name} | {value:,.3f} |" if value < 100 else f"| {name} | {value:,.0f} |")


if __name__ == "__main__":
    main()
