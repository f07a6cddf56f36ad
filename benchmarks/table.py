"""Writes docs/benchmarks*.md from benchmarks/results/*.json: `python -m benchmarks.table`.

Nothing on a page is written by hand but its explanations: a figure comes from a file of results, and a result that is not
there is shown as not measured yet, with the command that makes it. `--check` says whether the pages are up to date.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.beside import COMMANDS, OVERHEAD, beside, by_node
from benchmarks.machine import RESULTS, ROOT
from benchmarks.markdown import Results, Section, listed, number, part, worded
from benchmarks.pages import PAGES
from benchmarks.prose import tell_faults

DOCS = ROOT / "docs"

HEAD = """# Benchmarks

Written by `python -m benchmarks.table` from [benchmarks/results](../benchmarks/results); a test fails when this page is stale.
Each section names the command that makes its figures again, from a new clone after `make env`. `SPIDER` is the folder with
questions.jsonl and databases/ that [training/README.md](../training/README.md) describes; nothing else is needed, and
nothing is fetched but Vanna from the package index, into an environment of its own. Shares under 200 questions move by
a few points with the choice of questions; times move with the machine, so compare within a table.
"""

TAIL = """## More

- [The graph](benchmarks-agents.md): time outside model and database, caches, load, memory.
- [The server](benchmarks-server.md): two workers under load, a burst, and beyond what they can do.
- [Databases](benchmarks-databases.md): introspection, streaming and limits on each engine.
- [Reports](benchmarks-reports.md): tokens and memory per placeholder, and the second run beside the first.
"""


def load(folder: Path) -> dict[str, Results]:
    """Every file of results by its name."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}


def page(results: Mapping[str, Results]) -> str:
    """The whole page."""
    parts = [HEAD, *beside(results), *(text for section in SECTIONS for text in part(section, results)), TAIL]
    return "\n".join(parts)


def pages(results: Mapping[str, Results]) -> dict[str, str]:
    """Every page of figures by its file's name in docs."""
    others = {name: "\n".join(part(section, results, level=1)) for name, section in PAGES.items()}
    return {"benchmarks.md": page(results), **others}


def trusted(found: Results) -> list[str]:
    """Figures of the judge by set and language, and what it may promise."""
    rows = [{"answers": name, **row} for name, row in found["sets"].items()]
    kept = [{"at most wrong": risk, "shown from confidence": least} for risk, least in found["promises"]]
    return [listed(rows), "Promises that hold over databases left out:", listed(kept)]


def read_well(found: Results) -> list[str]:
    """Sentences that are fit to be read, by set and language."""
    names = {"set": "answers of", "language": "language", "n": "answers", "fit": "fit", "faults": "faults"}
    return [listed([row | {"faults": tell_faults(row["faults"])} for row in found["rows"]], names)]


def lists(found: Results, captions: Mapping[str, str]) -> list[str]:
    """Every list of rows of a result, each under its caption; a summary says what was promised and whether it holds."""
    parts = []
    for key, rows in found.items():
        if isinstance(rows, list) and rows and all(isinstance(row, Mapping) for row in rows):
            caption = captions.get(key, "" if key == "rows" else worded(key).capitalize() + ":")
            shown = [row | {"met": "met" if row["met"] else "missed"} if "met" in row else row for row in rows]
            parts += [caption + "\n"] * bool(caption) + [listed(shown)]
    return parts


def generic(**captions: str) -> Callable[[Results], list[str]]:
    """Shows a result as its lists of rows."""
    return lambda found: lists(found, captions)


def browsed(found: Results) -> list[str]:
    """What the page costs: its first load, then what is scrolled."""
    load, table, talk = found["first_load"], found["table"], found["conversation"]
    scrolled = [
        {"scrolled": f"a table of {table['rows']:,} rows", **table},
        {"scrolled": f"a conversation of {talk['turns']} answers with charts", **talk},
    ]
    names = {
        "scrolled": "scrolled", "median_ms": "median frame, ms", "p95_ms": "p95, ms", "longest_ms": "longest, ms",
        "elements": "elements in the page",
    }  # fmt: skip
    first = {"script_kb": "JavaScript as it travels, KB", "first_paint_ms": "first text painted, ms"}
    return [listed([load], first), listed(scrolled, names)]


def ablated(found: Results) -> list[str]:
    """A table for each language, each variant beside the whole."""
    names = {
        "variant": "variant", "n": "questions", "ex": "right answers", "change": "points", "first": "first candidate",
        "any": "any candidate", "executes": "first runs", "unwritten": "nothing written", "p50_s": "p50, s",
    }  # fmt: skip
    parts = [f"Model {found['settings']['model']}; wide schemas have {found['settings']['wide_tables']} tables.\n"]
    for language in found["settings"]["languages"]:
        rows = [row for row in found["rows"] if row["language"] == language]
        parts += [f"{LANGUAGES[language]}:\n", listed([row | {"change": change(row, rows)} for row in rows], names)]
    off = {row["variant"]: row["off"] for row in found["rows"]}
    return [*parts, "What is off: " + "; ".join(f"*{name}*: {what}" for name, what in off.items()) + ".\n"]


LANGUAGES = {"en": "English", "zh": "Chinese"}


def change(row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """Points of right answers that a variant loses or wins against its yardstick."""
    yardstick = "wide schema" if row["variant"].startswith("wide") else "whole"
    whole = next((each["ex"] for each in rows if each["variant"] == yardstick), None)
    return "" if whole is None or row["variant"] == yardstick else f"{(row['ex'] - whole) * 100:+.1f}"


def doubted(found: Results) -> list[str]:
    """Statements by what was spoilt in them, and what became of them."""
    ends = ("refused", "marked", "taken")
    kinds = found["wrong"] | {"**all that are wrong**": found["wrong_total"]}
    kinds |= {"right, of the reports": found["right"], "right, of the training questions": found["right_training"]}
    return [listed([{"statement": kind} | {end: counts.get(end, 0) for end in ends} for kind, counts in kinds.items()])]


def joined(found: Results) -> list[str]:
    """What was found of the references that were taken away."""
    names = {
        "set": "databases", "databases": "number", "by": "by", "known": "references", "recall": "recall",
        "with_rows_recall": "with rows", "one column_recall": "one column", "hierarchy_recall": "hierarchy", "composite_recall": "composite",
        "by type_recall": "by type", "precision_share": "precision", "by_name_share": "of names", "by_data_share": "of data",
        "unjudged": "not judged", "tests_s": "tests, s",
    }  # fmt: skip
    return [listed(found["rows"], names)]


def recalled(found: Results) -> list[str]:
    """What the prompts hold, by set, language and prompt."""
    names = {
        "set": "questions", "language": "language", "prompt": "prompt", "n": "number", "table_recall": "tables",
        "table_whole_share": "all tables", "column_recall": "columns", "column_whole_share": "all columns", "tokens_p50": "tokens, p50",
        "tokens_p90": "tokens, p90",
    }  # fmt: skip
    return [listed([row | {"language": LANGUAGES[row["language"]]} for row in found["rows"]], names)]


def guarded(found: Results) -> list[str]:
    """The stored run of the regression guard."""
    names = {"name": "figure", "value": "stored", "kind": "kind"}
    return [listed([row | {"value": number(row["value"])} for row in found["rows"]], names)]


SECTIONS = (
    Section(
        "Starting", "startup", "python -m benchmarks.startup",
        """One process from its start to its end, with the demo. *processor* counts all processes that it starts and moves little with what
else a machine does; *times Python* divides it by that of `python -c pass`. The model loads beside the imports where there is a second core.""",
        generic(),
    ),
    Section(
        "The page in a browser", "web_page", "python -m benchmarks.web_page --json benchmarks/results/web_page.json",
        """Headless Chromium. The first load is with a processor four times slower and a line of 10 Mbit/s with 40 ms. What is scrolled goes
from end to end in 120 frames; a frame of 16.7 ms is smooth.""", browsed,
    ),
    Section(
        "The cost of each feature", OVERHEAD, COMMANDS[OVERHEAD],
        """Inquery's nodes at 0 ms a call, with the scripted model's own time over HTTP inside write_sql and the database's inside run_sql.
LangGraph's own work between nodes is not in them.""",
        by_node,
    ),
    Section(
        "What each piece brings", "ablations", "python -m benchmarks.ablations --spider $SPIDER",
        """The embedded model over evenly spaced questions of Spider's tune databases, which it was not trained on, through the whole
graph with caches off and one piece switched off at a time. *Right answers* compares the rows of the answer with those of
the right SQL; *first* and *any candidate* are the writer's own, before the choice by running and before repair; *nothing
written* counts questions that ended without a statement. A tune database alone is shown whole, so linking is measured among
the tables of all twenty; one question in four is asked there. These are the weights of round C: round D, which
ships now, answers 81.0% of 400 English and 81.3% of 300 Chinese questions with everything on ([model card](../training/MODEL_CARD.md)).

What this cannot show: the weights were trained to write the form, with hints and values before them. Asked without
those they miss what they learned to expect, which says what the pieces are worth to this model, not what another model
trained without them would do. For the same reason "no form" is not there: with these weights only the grammar that holds
the form can be switched off, and a model that writes SQL itself would have to be trained.""",
        ablated,
    ),
    Section(
        "Scale: tables", "scale-tables", "python -m benchmarks.scale tables --spider $SPIDER",
        """A warehouse put together from source systems: Spider's databases and those of training/data, each table named with a neutral code
of its system before its own name, filled up with staging and archive copies. A question is about one of the systems and does not
say which. *Recall* is the mean share of a question's tables among the first so many linked, *all* the share of questions with
every one of them there.""",
        generic(rows="Linking:", graph="Whole questions through the graph with a scripted model, outside model and database:"),
    ),
    Section(
        "Scale: caches", "scale-caches", "python -m benchmarks.scale caches",
        "Lookups of a nearest question among stored ones, in the built-in vector store and in Milvus Lite.", generic(),
    ),
    Section(
        "Scale: rows", "scale-rows", "python -m benchmarks.scale rows",
        "Results streamed to a CSV file.", generic(),
    ),
    Section(
        "Scale: people at once", "scale-concurrency", "python -m benchmarks.scale concurrency",
        "Questions asked at once of a server with one and with two workers, with a model of 100 ms.", generic(),
    ),
    Section(
        "Joins that nobody declared", "joins", "python -m benchmarks.joins --spider $SPIDER",
        """Foreign keys taken away, then looked for by names alone and by names with tests on samples of the data. *Recall* is the share of
the known references that are found as they are: of all, of those between tables that both hold rows, and by kind. *Precision* is
judged on columns whose reference is known, since no schema declares everything: the joins of other columns are counted as
*not judged*. In the systems of training/data undeclared references are known too. The real systems are databases of other people that are not part of this repository; only figures of
them are kept.""",
        joined,
    ),
    Section(
        "How far confidence can be trusted", "judge", "python -m benchmarks.judge collect --out rows.jsonl; python -m benchmarks.judge fit rows.jsonl --write",
        """Whole questions through the graph, of databases that the writer never saw; the judge that gives the confidence never saw the
database either (fitted on the others). *right* is the share of answers that are right, *ece* how far confidence is from that
over five bins of equal size, *auroc* the chance that a right answer is surer than a wrong one, *wrong_at_08* the share of all
answers that are wrong though shown with 0.8 or more, *coverage_at_10* the share that could be shown, surest first, with at most a
tenth of them wrong; *promised* is the share that a promise of a tenth shows, and *promised_wrong* what is wrong of that. Of the
questions that have an answer (*answerable*), *by_votes* are right where candidates vote, *gained* and *lost* those that the choice by
the judge wins and loses against that, *any* those of which some candidate is right. More than 15% of all questions cannot be answered by
the database they are asked of. The real systems are databases of
other people that are not part of this repository; only figures of them are kept.""",
        trusted,
    ),
    Section(
        "Sentences that can be read", "prose", "python -m benchmarks.judge collect --out rows.jsonl; python -m benchmarks.prose rows.jsonl --write",
        """The sentences that stand above results, right or wrong, of questions that name a period and of managers' questions over databases
that were written without a look at Inquery and have no descriptions: *fit* is the share that has the figure with its unit, no name
of the database and no SQL, words of one language around the data, a value where one is told, and two sentences at most.""",
        read_well,
    ),
    Section(
        "What the prompts hold", "recall", "python -m benchmarks.recall",
        """The tables and columns of a question's right SQL that the models are shown, and the tokens that takes: the embedded model's
prompt in the format of the shipped weights (D) and in that of the next (E), and a chat model's (its tokens are counted a little high, since
tokenizers of hosted models are not at hand). *linked* are the tables that come to any writer. Every question goes through the graph up to
the writer's seat. The real systems are databases of other people that are not part of this repository; only figures of them are kept.""",
        recalled,
    ),
    Section(
        "Safety", "safety", "python -m benchmarks.safety",
        """The guard's time by the size of a statement, and our own corpus of hostile and honest statements through the checks that each
system has. Statements that a check lets through are run against throwaway copies.""", generic(),
    ),
    Section(
        "Reports: wrong statements that are caught", "report_checks",
        "python -m benchmarks.report_checks --json benchmarks/results/report_checks.json",
        """Hand-written statements of the reports that come with Inquery, each spoilt a little in the ways models spoil them. A wrong one
should be refused or marked as doubtful, a right one taken.""", doubted,
    ),
    Section(
        "Regression guard", "quick", "make bench-quick SPIDER=$SPIDER",
        """Ratios within one run, compared with the stored ones below; what got worse is named. Times may be 35% worse, counts 10%, shares four
points. The warehouse of this measure is made of the 196 business databases of training/data, many of which are much alike,
so that its shares are lower than those under Scale. `--store` keeps a new run.""", guarded,
    ),
)  # fmt: skip


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 if a page is stale")
    args = parser.parse_args()
    made = pages(load(RESULTS))
    if args.check:
        if stale := [name for name, text in made.items() if text != (DOCS / name).read_text("utf-8")]:
            sys.exit(f"stale: {', '.join(stale)}; run: python -m benchmarks.table")
        return
    for name, text in made.items():
        (DOCS / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
