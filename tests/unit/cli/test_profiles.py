"""`inquery profiles`: custom analysts, versioned by every change."""

from pathlib import Path


def test_an_analyst_is_saved_changed_shown_and_removed(inquery, tmp_path: Path) -> None:
    assert inquery("profiles", "list", "--json").json == []
    made = inquery("profiles", "save", "Finance", "--prompt", "Be brief.", "--table", "orders", "--table", "payments", "--chart", "bar", "--json").json  # fmt: skip
    assert (made["version"], made["tables"], made["chart"]) == (1, ["orders", "payments"], "bar")
    prompt = tmp_path / "prompt.md"
    prompt.write_text("只谈收入。", "utf-8")
    changed = inquery("profiles", "save", "finance", "--prompt-file", str(prompt), "--speaks", "zh", "--model", "m", "--json").json  # fmt: skip
    assert (changed["version"], changed["prompt"], changed["tables"]) == (2, "只谈收入。", ["orders", "payments"])
    assert (changed["language"], changed["llm"]) == ("zh", {"model": "m"})
    assert inquery("profiles", "show", "Finance", "--version", "1", "--json").json["prompt"] == "Be brief."
    assert "orders, payments" in inquery("profiles", "list").out
    assert inquery("profiles", "remove", "Finance", "--lang", "zh").out.startswith("已删除")
    assert inquery("profiles", "show", "Finance").code == 1


def test_what_an_analyst_may_not_say_is_refused(inquery) -> None:
    assert inquery("profiles", "save", "x", "--prompt", "a", "--prompt-file", "-", stdin="b").code == 1
    assert inquery("profiles", "save", "  ").err.startswith("error [bad_request]")
    assert inquery("profiles", "remove", "nobody").code == 1
