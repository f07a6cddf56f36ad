"""The pages beside docs/benchmarks.md, each from one file of results: the graph, the server, databases, reports.

`table.py` writes them together with the large one.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.markdown import Results, Section, table

Row = tuple[str, str, str, bool | None]
"""What, measured, target, and whether it is met; None where nothing was promised."""


def judge(rows: Sequence[Row]) -> str:
    """A table of figures beside what was promised."""
    verdict = {True: "met", False: "missed", None: ""}
    return table(["what", "measured", "target", ""], [[*texts, verdict[met]] for *texts, met in rows], texts=4)


def tell_loads(found: Results) -> list[str]:
    """How busy the machine was, by measure."""
    loads = ", ".join(f"{name} {value}" for name, value in found.get("loads", {}).items())
    return [f"Load averages: {loads}.\n"] if loads else []


def show_graph(found: Results) -> list[str]:
    """Inquery's graph beside the tutorial's, caches, load, memory."""
    rows = [*_time_rows(found["figures"]), *_cache_rows(found["figures"]), *_growth_rows(found["figures"])]
    medians = f"Times are medians of {found['settings']['runs']} runs (L2: at most 50).\n"
    return [medians, judge(rows), *tell_loads(found), *(f"{note}\n" for note in found.get("notes", []))]


def _time_rows(found: Results) -> list[Row]:
    tutorial = f"{found['tutorial_memory_ms']} ms ({found['tutorial_memory_cpu_ms']} processor)"
    rows: list[Row] = [
        ("tutorial, outside, in-memory saver", tutorial, "", None),
        ("tutorial, outside, SQLite saver, sync", f"{found['tutorial_sqlite_ms']} ms", "", None),
    ]
    savers = {"memory": ("in-memory saver", 2.5), "sqlite": ("SQLite saver, sync", 6)}
    for clock, named, beside in (("", "outside", " of the tutorial in memory"), ("_cpu", "processor time", "")):
        for saver, (told, most) in savers.items():
            ratio = found[f"ratio_{saver}{clock}"]
            measured = f"{found[f'inquery_{saver}{clock}_ms']} ms = {ratio}×"
            rows.append((f"Inquery, {named}, {told}", measured, f"≤ {most:g}×{beside}", ratio <= most))
    both = f"{found['ratio_sqlite_both']}×"
    return [*rows, ("wall clock with the SQLite saver in both graphs", both, "", None)]


def _cache_rows(found: Results) -> list[Row]:
    l1 = f"{found['l1_run_ms']} ms ({found['l1_run_cpu_ms']} processor)"
    return [
        ("L1 hit, its step", f"{found['l1_step_ms']} ms", "≤ 5 ms", found["l1_step_ms"] <= 5),
        ("L1 hit, the whole run", l1, "≤ 5 ms", found["l1_run_ms"] <= 5),
        ("L2 hit among 10,000, its step", f"{found['l2_step_ms']} ms", "≤ 15 ms", found["l2_step_ms"] <= 15),
        ("L2 hit, the whole run with its model call and query", f"{found['l2_run_ms']} ms", "", None),
        ("samples found among 10,000", f"{found['samples_ms']} ms", "", None),
        (f"one question encoded ({found['encoder']})", f"{found['encode_ms']} ms", "", None),
    ]


def _growth_rows(found: Results) -> list[Row]:
    load = f"{found['load_errors']} errors, {found['load_wrong']} wrong, {found['load_s']} s"
    growth = found["memory_growth"]
    memory = f"{found['rss_200_mb']} and {found['rss_1000_mb']} MB ({growth:+.1%})"
    sizes = found["prompt_characters"]
    prompts = ", ".join(f"{size:,}" for size in sizes.values()) + " characters"
    flat = max(sizes.values()) <= 1.02 * min(sizes.values())
    right = not found["load_errors"] + found["load_wrong"]
    return [
        ("200 questions at once, model of 100 ms, one process", load, "0 errors", right),
        ("memory at run 200 and 1,000", memory, "≤ +5%", growth <= 0.05),
        (f"prompt at rounds {', '.join(sizes)} of a repair", prompts, "flat", flat),
    ]


def show_server(found: Results) -> list[str]:
    """Two workers from one question at a time to more than they can do."""
    v, settings = found["figures"], found["settings"]
    half = v["half_p95_ms"] / max(1, v["unloaded_p95_ms"])
    share = v["burst_throughput"] / v["saturation_throughput"]
    burst, crowd = settings["burst"], settings["connections"]
    over = f"{v['overload_whole']}, {v['overload_refused']}, {v['overload_failed']}"
    honest = v["overload_failed"] == 0 and v["overload_refused"] > 0
    opened = f"{v['connections_opened']}, {v['connections_answered']}"
    answered = v["connections_answered"] == crowd and v["connections_question_among_them"]
    rows: list[Row] = [
        ("one question at a time, p50 and p95", f"{v['unloaded_p50_ms']} and {v['unloaded_p95_ms']} ms", "", None),
        ("saturation T, 64 at a time", f"{v['saturation_throughput']} answers/s", "", None),
        ("p95 at T/2", f"{v['half_p95_ms']} ms = {half:.1f}× unloaded", "< 3×", half < 3),
        (f"burst of {burst} streams: whole", f"{v['burst_whole']}", f"{burst}", v["burst_whole"] == burst),
        ("burst: rate", f"{v['burst_throughput']} answers/s = {share:.2f} T", "≥ 0.8 T", share >= 0.8),
        ("burst: first event, p95", f"{v['burst_first_p95_ms']} ms", "≤ 1,000 ms", v["burst_first_p95_ms"] <= 1000),
        ("3 × T: whole, honestly refused, failed", over, "0 failed", honest),
        ("after it: answered, p95", f"{v['after_whole']} of 5, {v['after_p95_ms']} ms", "5", v["after_whole"] == 5),
        (f"{crowd:,} connections at once: opened, answered", opened, f"{crowd:,} and {crowd:,}", answered),
    ]
    return [judge(rows), *tell_loads(found)]


def show_databases(found: Results) -> list[str]:
    """A line an engine; what was not measured of one is said."""
    settings = found["settings"]
    many = f"{settings['rows']:,}"
    columns = {
        "engine": "engine",
        "introspect_s": f"introspect {settings['tables']} × {settings['columns']} (s)",
        "introspect_cpu_s": "its processor time (s)",
        "small_query_ms": "small query (ms)",
        "cap_1000_s": f"1,000 of {many} rows (s)",
        "runaway_past_limit_s": "runaway, past its limit (s)",
        "stream_s": f"{many} rows to CSV (s)",
        "growth_mb": "growth (MB)",
        "process_mb": "database process (MB)",
    }

    def cell(row: Results, key: str) -> str:
        served = key == "process_mb" and row["engine"] in ("postgres", "mariadb")
        return "–" if served else str(row.get(key, "not run"))

    return [table(list(columns.values()), [[cell(row, key) for key in columns] for row in found["rows"]])]


def show_reports(found: Results) -> list[str]:
    """A line a size, and whether a placeholder costs the same in all of them."""
    head = "placeholders|model calls, then again|prompt tokens each (least to most)|first run|second run"
    head += "|memory before and after|per placeholder|HTML, MD, DOCX, PDF"
    small, large = found["rows"][0], found["rows"][-1]
    flat = large["tokens_each"] <= 1.02 * small["tokens_each"] and large["calls"][1] == 0
    verdict = "met" if flat and large["rss_after_mb"] - large["rss_before_mb"] <= 60 else "missed"
    promise = (
        "Tokens per placeholder must not depend on how many there are, memory must not grow with them beyond\n"
        f"their own rows, and the second run must make no model call: {verdict}.\n"
    )
    return [table(head.split("|"), [_report_row(row) for row in found["rows"]]), promise, *tell_loads(found)]


def _report_row(row: Results) -> list[str]:
    grown = (row["rss_after_mb"] - row["rss_before_mb"]) * 1024 / row["size"]
    return [
        str(row["size"]),
        f"{row['calls'][0]}, then {row['calls'][1]}",
        f"{row['tokens_each']:,} ({row['tokens_least']:,} to {row['tokens_most']:,})",
        f"{row['first_s']} s",
        f"{row['second_s']} s",
        f"{row['rss_before_mb']} → {row['rss_after_mb']} MB",
        f"{grown:.0f} kB",
        f"{row['html_s']}, {row['md_s']}, {row['docx_s']}, {row['pdf_s']} s",
    ]


PAGES = {
    "benchmarks-agents.md": Section(
        "Benchmark: the graph",
        "agents",
        "python -m benchmarks.agents",
        """Other work ran on the machine (load averages below) and each measure runs in a process of its own, so
ratios within one measure tell more than milliseconds. The demo database in SQLite, a chat model that answers from a
script.

The yardstick is the SQL agent of LangGraph's tutorial, written from its documentation in
[tutorial_graph.py](../benchmarks/tutorial_graph.py): it lists tables, reads schemas, writes, checks and runs one
query and answers, with four model calls, without a guard, limits, caches, chart or follow-ups. Both graphs take
turns in one process. "Outside" is the time of a whole run less what passes inside the model and inside the
database's own stream of rows, by the wall clock and by processor time of all threads, which other work disturbs
less. Inquery runs as its doors open it: every node, caches written, samples searched, the result stored on disk,
the thread leased, one model call.

LangGraph needs about half a millisecond between two nodes without a saver and two with the SQLite one, more than
most nodes need themselves. So a superstep goes on from node to node until a model was called, a statement was run,
or the next node interrupts ([steps.py](../src/inquery/agents/steps.py)): 16 nodes in four supersteps, with every
step still told and the same answers, which a test compares. `langgraph dev` runs the same graph with a superstep a
node.""",
        show_graph,
    ),
    "benchmarks-server.md": Section(
        "Benchmark: the server under load",
        "server",
        "python -m benchmarks.server_load",
        """`inquery serve --workers 2` on a private PostgreSQL (store, checkpoints, memory) and Redis (answers,
limits); a scripted model that thinks for 100 ms; every question is a new thread, streamed, and answered anew, never
from a cache. The client, PostgreSQL and Redis share the cores with the workers, and so does whatever else the
machine does: rates are those of what the load averages below leave, counts and ratios say more. Overload is
measured with `concurrent_runs` 20 and `queue` 20 a worker, so that a short run reaches the end of the queue.""",
        show_server,
    ),
    "benchmarks-databases.md": Section(
        "Benchmark: databases",
        "databases",
        "python -m benchmarks.databases",
        """Wall times hold waiting for other work; processor time is that of client, database process and server
together. Where a run was split, the load average is that of its last part. Private servers on the same machine,
durability off. Introspection is the best of ten. Streaming runs in a process of its own; its growth is the peak of
resident memory over the peak before the statement, and the last column is the peak of the database process that
SQLite, DuckDB and chdb run in. Targets: introspection under 1 s on SQLite, PostgreSQL, MariaDB and DuckDB; growth
under 150 MB; a runaway statement gone within one second of its limit of 2 s.""",
        show_databases,
    ),
    "benchmarks-reports.md": Section(
        "Benchmark: reports",
        "reports",
        "python -m benchmarks.reports",
        """The demo database in SQLite; the writer is the chat writer with its real prompts over a model that
answers from a script, so that tokens are those of real prompts and time is all Inquery's own. Every placeholder is
another question; a quarter are charts. Each size is a process of its own.""",
        show_reports,
    ),
}
"""By the file's name in docs."""
