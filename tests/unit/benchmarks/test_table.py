"""The pages of figures say what the results say, and nothing else."""

from typing import Any

import pytest
from benchmarks.beside import COMMANDS, LINES, SYSTEMS, beside
from benchmarks.machine import RESULTS
from benchmarks.markdown import MISSING, Section, cell, listed, made_by, worded
from benchmarks.pages import PAGES
from benchmarks.table import DOCS, SECTIONS, ablated, load, page, pages

MACHINE = {"cores": 2, "system": "Linux", "python": "3.11.7", "load": 0.5}


def result(**body: Any) -> dict[str, Any]:
    return {"benchmark": "x", "made": "2026-11-15T15:00:00+00:00", "machine": MACHINE, "settings": {}, **body}


def overhead(ours: float, tutorial: float, calls: float = 1.0) -> dict[str, Any]:
    def system(wall: float, called: float) -> dict[str, Any]:
        at = {"wall_s": wall, "calls": called, "prompt_tokens": round(1000 * called), "outside_model_p50_ms": wall}
        return {"at_0_ms": at, "at_500_ms": at, "start_s": 1.0, "install_mb": 100.0}

    systems = {"inquery": system(ours, calls), "tutorial": system(tutorial, 4.0), "bare": system(0.1, 1.0)}
    return {"peers-overhead": result(systems=systems, settings={"questions": 50})}


def row(text: str, start: str) -> list[str]:
    (line,) = [each for each in text.splitlines() if each.startswith(f"| {start}")]
    return [part.strip() for part in line.strip("|").split("|")]


def test_every_page_of_figures_is_written_from_results() -> None:
    assert {path.name for path in DOCS.glob("benchmarks*.md")} == pages({}).keys()


@pytest.mark.parametrize("name", pages({}))
def test_a_page_is_up_to_date(name: str) -> None:
    assert (DOCS / name).read_text("utf-8") == pages(load(RESULTS))[name], "run: python -m benchmarks.table"


@pytest.mark.parametrize(("name", "section"), PAGES.items())
def test_a_page_without_its_result_says_how_to_make_it(name: str, section: Section) -> None:
    text = pages({})[name]
    assert text.startswith(f"# {section.title}\n")
    assert f"*{MISSING}*: `{section.command}`" in text
    assert "|" not in text


@pytest.mark.parametrize(
    ("page_name", "place", "value", "line"),
    [
        ("agents", ("figures", "ratio_memory"), 2.51, "Inquery, outside, in-memory saver"),
        ("agents", ("figures", "memory_growth"), 0.06, "memory at run 200"),
        ("agents", ("figures", "load_wrong"), 1, "200 questions at once"),
        ("agents", ("figures", "prompt_characters", "6"), 12_000, "prompt at rounds 1, 3, 6"),
        ("server", ("figures", "half_p95_ms"), 600, "p95 at T/2"),
        ("server", ("figures", "burst_whole"), 299, "burst of 300 streams"),
        ("server", ("figures", "overload_refused"), 0, "3 × T"),
    ],
)
def test_what_was_promised_is_missed_by_a_worse_figure(
    page_name: str, place: tuple[str, ...], value: Any, line: str
) -> None:
    name, results = f"benchmarks-{page_name}.md", load(RESULTS)
    assert row(pages(results)[name], line)[-1] == "met"
    spoilt: Any = results[page_name]
    for key in place[:-1]:
        spoilt = spoilt[key]
    spoilt[place[-1]] = value
    assert row(pages(results)[name], line)[-1] == "missed"


def test_a_figure_of_an_engine_that_was_not_measured_is_said_to_be() -> None:
    settings = {"rows": 10, "tables": 2, "columns": 3}
    found = result(settings=settings, rows=[{"engine": "postgres", "introspect_s": 0.2}])
    text = pages({"databases": found})["benchmarks-databases.md"]
    assert row(text, "postgres") == ["postgres", "0.2", *["not run"] * 6, "–"]


def test_a_report_that_asks_the_model_again_misses_its_promise() -> None:
    results = load(RESULTS)
    assert "no model call: met." in pages(results)["benchmarks-reports.md"]
    results["reports"]["rows"][-1]["calls"] = [200, 1]
    assert "no model call: missed." in pages(results)["benchmarks-reports.md"]


def test_without_results_every_section_says_how_to_make_them_and_no_figure_is_shown() -> None:
    text = page({})
    assert text.count(f"*{MISSING}*: `") == len(SECTIONS) + len(COMMANDS)
    for section in SECTIONS:
        assert f"*{MISSING}*: `{section.command}`" in text
    for line in LINES:
        assert row(text, line.what)[1:] == [MISSING] * len(SYSTEMS)


def test_the_best_of_those_that_read_the_schema_is_bold_and_the_floor_is_not() -> None:
    text = "\n".join(beside(overhead(30.0, 110.0)))
    assert row(text, "500 ms a call: all questions")[1:] == ["**30.0**", "110", "–", "0.10"]
    assert row(text, "a model that errs: right answers")[1:] == [MISSING] * 4
    assert "50 questions." in text


@pytest.mark.parametrize(
    ("ours", "verdict"), [(30.0, ["30.0, the next 110", "met"]), (110.0, ["110, the next 110", "level"]), (111.0, ["111, the next 110", "missed"])]
)  # fmt: skip
def test_a_claim_is_met_only_by_the_figures(ours: float, verdict: list[str]) -> None:
    text = "\n".join(beside(overhead(ours, 110.0)))
    assert row(text, "at 500 ms a call, first in total time")[1:] == verdict


def test_the_multiple_of_the_tutorial_is_of_the_same_run() -> None:
    assert row("\n".join(beside(overhead(20.0, 10.0))), "at 0 ms a call, at most")[1:] == ["2.00 ×", "met"]
    assert row("\n".join(beside(overhead(26.0, 10.0))), "at 0 ms a call, at most")[1:] == ["2.60 ×", "missed"]
    assert row("\n".join(beside({})), "at 0 ms a call, at most")[1:] == [MISSING, ""]


def test_nodes_are_shown_with_what_they_are_for() -> None:
    results = overhead(20.0, 10.0)
    nodes = [{"node": "link_schema", "p50_ms": 3.0, "runs": 50}, {"node": "unheard_of", "p50_ms": 1.0, "runs": 2}]
    results["peers-overhead"]["systems"]["inquery"]["at_0_ms"]["nodes"] = nodes
    text = page(results)
    assert row(text, "link_schema") == [
        "link_schema", "Finds the tables, columns, joins and values a question is about", "3.00", "75%", "50",
    ]  # fmt: skip
    assert row(text, "unheard_of")[1] == ""


def test_a_variant_is_shown_beside_the_whole_of_its_own_schema() -> None:
    figures = {"n": 10, "first": 0.5, "any": 0.7, "executes": 1.0, "unwritten": 0, "p50_s": 0.8, "language": "en"}
    rows = [
        figures | {"variant": name, "off": "something", "ex": ex}
        for name, ex in [("whole", 0.6), ("no hints", 0.5), ("wide schema", 0.55), ("wide schema, no linking", 0.05)]
    ]
    settings = {"model": "w@1", "wide_tables": 73, "languages": ["en"]}
    text = "\n".join(ablated(result(rows=rows, settings=settings)))
    changes = [row(text, f"{name} |")[3] for name in ("whole", "no hints", "wide schema", "wide schema, no linking")]
    assert changes == ["", "-10.0", "", "-50.0"]


def test_lists_of_a_result_are_tables_and_what_was_promised_is_judged() -> None:
    found = result(
        rows=[{"size": 10, "recall_10": 0.975, "link_p50_ms": 1.234}], summary=[{"what": "growth", "met": False}]
    )
    text = page({"scale-tables": found})
    assert row(text, "size") == ["size", "recall 10", "link p50, ms"]
    assert row(text, "10 |") == ["10", "97.5%", "1.23"]
    assert row(text, "growth") == ["growth", "missed"]


@pytest.mark.parametrize(
    ("value", "key", "shown"),
    [
        (None, "", "–"), (0.9512, "ex", "95.1%"), (12, "all", "12"), (1, "all", "1"), (0.5, "all_p50_ms", "0.50"), (0.5, "all_10", "50.0%"), (1234567, "", "1,234,567"), (0.0123, "", "0.012"),
        (12.345, "", "12.3"), (4321.5, "", "4,322"), (True, "", "yes"), ({"a": 1}, "", "a 1"), ("a|b", "", "a\\|b"),
    ],
)  # fmt: skip
def test_a_value_is_shown_with_the_digits_that_tell(value: Any, key: str, shown: str) -> None:
    assert cell(value, key) == shown


def test_rows_of_different_shapes_share_a_table() -> None:
    assert listed([{"a": 1}, {"b_ms": 2.0}]).splitlines() == [
        "| a | b, ms |",
        "| --- | ---: |",
        "| 1 | – |",
        "| – | 2.00 |",
    ]
    assert worded("peak_rss_mb") == "peak rss, MB"


def test_the_whole_of_a_share_is_one_too_and_a_count_is_none() -> None:
    text = listed([{"all_10": 1, "all_ran": 1}, {"all_10": 0.5, "all_ran": 0}])
    assert text.splitlines()[2:] == ["| 100.0% | 1 |", "| 50.0% | 0 |"]


def test_a_result_says_where_and_when_it_was_made() -> None:
    assert made_by("make it", result()) == (
        "Made by `make it` on 2026-11-15: 2 cores, Linux, Python 3.11.7, load average 0.5 at the start."
    )
    assert made_by("make it", result(settings={"quick": True})).startswith("Made by `make it --quick` on")
    assert made_by("make it", result(settings={"options": "--limit 9"})).startswith("Made by `make it --limit 9` on")
