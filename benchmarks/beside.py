"""Inquery beside other systems: the one table of them, what is claimed of it, and what each node costs."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.markdown import MISSING, Results, cell, made_by, not_yet, table

SYSTEMS = {"inquery": "Inquery", "tutorial": "LangGraph tutorial", "vanna": "Vanna 2", "bare": "bare loop"}
READERS = ("inquery", "tutorial", "vanna")
"""Those that read the schema; the bare loop is given it and is the floor."""
ROBUST = "peers-robustness"
UNSEEN = "peers-robustness-train"
OVERHEAD = "peers-overhead"
COMMANDS = {
    OVERHEAD: "python -m benchmarks.peers overhead",
    ROBUST: "python -m benchmarks.peers robustness --spider $SPIDER",
    UNSEEN: "python -m benchmarks.peers robustness --spider $SPIDER --split train",
}
OUTSIDE = ("at_0_ms", "outside_model_p50_ms")


@dataclass(frozen=True)
class Line:
    """A line of the one table: what it says, and where its figure lies in the results of each system."""

    what: str
    file: str
    path: tuple[str, ...]
    best: Callable[..., float] = min


TIME = Line("500 ms a call: all questions, s", OVERHEAD, ("at_500_ms", "wall_s"))
CALLS = Line("500 ms a call: model calls a question", OVERHEAD, ("at_500_ms", "calls"))
TOKENS = Line("500 ms a call: prompt tokens a question", OVERHEAD, ("at_500_ms", "prompt_tokens"))
RIGHT = Line("a model that errs: right answers", ROBUST, ("ex",), max)
UNSEEN_RIGHT = Line("other questions, which Inquery was not mended on: right answers", UNSEEN, ("ex",), max)
LINES = (
    TIME,
    CALLS,
    TOKENS,
    Line("500 ms a call: first event, p50 ms", OVERHEAD, ("at_500_ms", "first_p50_ms")),
    Line("0 ms a call: all questions, s", OVERHEAD, ("at_0_ms", "wall_s")),
    Line("0 ms a call: processor, s", OVERHEAD, ("at_0_ms", "cpu_s")),
    Line("0 ms a call: a question outside the model, p50 ms", OVERHEAD, OUTSIDE),
    Line("0 ms a call: above the bare loop, p50 ms", OVERHEAD, ("at_0_ms", "above_bare_p50_ms")),
    RIGHT,
    Line("a model that errs: no answer", ROBUST, ("errors",)),
    Line("a model that errs: databases harmed", ROBUST, ("harmed",)),
    Line("a model that errs: model calls a question", ROBUST, ("calls",)),
    Line("a model that errs: prompt tokens a question", ROBUST, ("prompt_tokens",)),
    Line("a model that errs: a question, p50 ms", ROBUST, ("wall_p50_ms",)),
    UNSEEN_RIGHT,
    Line("other questions: databases harmed", UNSEEN, ("harmed",)),
    Line("memory, peak MB", OVERHEAD, ("peak_mb",)),
    Line("start-up, s", OVERHEAD, ("start_s",)),
    Line("installed, MB", OVERHEAD, ("install_mb",)),
)
CLAIMS = (
    ("at 500 ms a call, first in total time", TIME, READERS),
    ("at 500 ms a call, first in model calls", CALLS, READERS),
    ("at 500 ms a call, first in prompt tokens", TOKENS, READERS),
    ("with a model that errs, first in right answers", RIGHT, tuple(SYSTEMS)),
    ("on other questions, first in right answers", UNSEEN_RIGHT, tuple(SYSTEMS)),
)
TIMES = 2.5
"""Of the tutorial's time outside the model, what Inquery may take."""
BESIDE = """## Beside the others

Four systems answer the same questions with the same model, a loopback server that speaks the OpenAI protocol and knows the right
SQL: Inquery as shipped, the SQL agent of [LangGraph's tutorial](../benchmarks/tutorial_graph.py) written from its
documentation, Vanna 2 from PyPI, and a bare loop (schema and question in one prompt, its answer run as it is), which is the
floor. With a right model they answer questions about the demo database, at 0 and at 500 ms a call. With a model that errs they
answer questions of Spider's tune databases; faults are drawn by question and attempt, so that all systems get the same ones. Inquery
was mended while these questions were looked at, so as many of other databases, the train split, were asked once it was done. **Bold**
is the best of the three that read the schema themselves. A token is four characters; a database counts as harmed when its file has
changed.
"""


def beside(results: Mapping[str, Results]) -> list[str]:
    """The one table of all systems, and what was claimed of it."""
    made = [
        f"{made_by(command, results[file])} {asked(results[file])}" if file in results else not_yet(command)
        for file, command in COMMANDS.items()
    ]
    rows = [[line.what, *figures_of(line, results.get(line.file))] for line in LINES]
    return [
        BESIDE,
        "\n".join(f"- {each}" for each in made) + "\n",
        table(["", *SYSTEMS.values()], rows),
        *claimed(results),
    ]


def asked(found: Results) -> str:
    """How many questions a result is of, and the faults of its model."""
    settings = found.get("settings", {})
    text = f"{settings.get('questions', '?')} questions"
    if "kinds" in settings:
        text += f"; {settings['share_of_faults']:.0%} of the statements have a fault: {', '.join(settings['kinds'])}"
    return text + "."


def figures_of(line: Line, found: Results | None) -> list[str]:
    """A figure of each system, the best of those that read the schema in bold."""
    if found is None:
        return [MISSING] * len(SYSTEMS)
    values = {name: value_at(found, name, line.path) for name in SYSTEMS}
    known = [value for name in READERS if (value := values[name]) is not None]
    best = line.best(known) if known else None
    shown = {name: cell(value, line.path[-1]) for name, value in values.items()}
    return [f"**{shown[n]}**" if n in READERS and v is not None and v == best else shown[n] for n, v in values.items()]


def value_at(found: Results, system: str, path: Sequence[str]) -> Any:
    """One figure of one system; None if it was not measured."""
    at: Any = found["systems"].get(system)
    for key in path:
        at = at.get(key) if isinstance(at, Mapping) else None
    return at


def claimed(results: Mapping[str, Results]) -> list[str]:
    """What is claimed of the table, and whether its figures bear it out."""
    rows = [[what, *is_first(line, results.get(line.file), among)] for what, line, among in CLAIMS]
    rows.append([f"at 0 ms a call, at most {TIMES} × the tutorial outside the model", *within(results.get(OVERHEAD))])
    return [table(["Inquery is", "measured", ""], rows)]


def is_first(line: Line, found: Results | None, among: Sequence[str]) -> list[str]:
    """Inquery's figure beside the best of the others, and whether it is ahead."""
    ours = value_at(found, "inquery", line.path) if found else None
    others = [
        v for name in among if name != "inquery" and found and (v := value_at(found, name, line.path)) is not None
    ]
    if ours is None or not others:
        return [MISSING, ""]
    best, key = line.best(others), line.path[-1]
    verdict = "level" if ours == best else "met" if line.best(ours, best) == ours else "missed"
    return [f"{cell(ours, key)}, the next {cell(best, key)}", verdict]


def within(found: Results | None) -> list[str]:
    """Inquery's time outside the model as a multiple of the tutorial's."""
    ours, other = (value_at(found, name, OUTSIDE) if found else None for name in ("inquery", "tutorial"))
    if ours is None or not other:
        return [MISSING, ""]
    return [f"{ours / other:.2f} ×", "met" if ours <= TIMES * other else "missed"]


def by_node(found: Results) -> list[str]:
    """What each node of Inquery's graph costs a question."""
    nodes = value_at(found, "inquery", ("at_0_ms", "nodes"))
    if not isinstance(nodes, list):
        return [not_yet(COMMANDS[OVERHEAD]) + "\n"]
    total = sum(node["p50_ms"] for node in nodes)
    rows = [
        [n["node"], purpose(n["node"]), cell(n["p50_ms"]), f"{n['p50_ms'] / total:.0%}", cell(n["runs"])] for n in nodes
    ]
    return [table(["node", "what for", "p50, ms", "share", "questions"], rows, texts=2)]


def purpose(node: str) -> str:
    """What a node is for, in its own words."""
    try:
        text = importlib.import_module(f"inquery.agents.nodes.{node}").__doc__ or ""
    except ModuleNotFoundError:
        return ""
    return " ".join(text.split("\n\n")[0].split()).rstrip(".")
