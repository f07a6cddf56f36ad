"""The grammar of templates, in both languages, and every way it can be broken."""

import pytest

from inquery.reports.template import (
    MOST,
    Cell,
    Each,
    If,
    Parameter,
    Placeholder,
    Reference,
    Words,
    parse_template,
    walk_nodes,
)
from inquery.reports.template_files import broken, read_template


def places(text: str) -> list[Placeholder]:
    return [node for node in walk_nodes(parse_template(text)) if isinstance(node, Placeholder)]


@pytest.mark.parametrize(
    ("text", "kind", "question", "options"),
    [
        ("{{统计：销售额|时间范围=上月}}", "value", "销售额", (("period", "上月"),)),
        ("{{chart: revenue by month}}", "chart", "revenue by month", ()),
        (
            "{{table: top 10 products | rows=10 | 货币}}",
            "table",
            "top 10 products",
            (("rows", "10"), ("format", "货币")),
        ),
        ("{{分析：各渠道的订单数｜期间＝去年}}", "text", "各渠道的订单数", (("period", "去年"),)),
        ("{{How many orders are there}}", "value", "How many orders are there", ()),
        ("{{value: revenue | 单位=万元 | as=r}}", "value", "revenue", (("unit", "万元"), ("name", "r"))),
        ("{{value: revenue | 万元}}", "value", "revenue", (("unit", "万元"),)),
        ("{{value: sales | region=east}}", "value", "sales", (("region", "east"),)),
        ("{{value: at 10:30 | empty=none}}", "value", "at 10:30", (("empty", "none"),)),
    ],
)
def test_a_placeholder_is_read(text: str, kind: str, question: str, options: tuple[tuple[str, str], ...]) -> None:
    (found,) = places(text)
    assert (found.kind, found.question, found.options) == (kind, question, options)


def test_a_placeholder_knows_its_line_its_heading_and_its_sentence() -> None:
    (found,) = places("# Sales\n\nIn the north: {{value: revenue}}\n")
    assert (found.line, found.context) == (3, "Sales\nIn the north:")


@pytest.mark.parametrize(
    "text",
    ["{{#if n > 1}}a{{#else}}b{{/if}}", "{{#如果 n > 1}}a{{#否则}}b{{/如果}}", "{{#如果n > 1}}a{{#否则}}b{{/若}}"],
)
def test_conditions_have_two_halves(text: str) -> None:
    (node,) = parse_template(text)
    assert isinstance(node, If)
    assert (node.condition, node.then, node.otherwise) == ("n > 1", (Words("a"),), (Words("b"),))


def test_a_loop_goes_over_a_question_or_a_name() -> None:
    own, named = (
        n for n in parse_template("{{#each table: best|rows=3}}{{.1}}{{/each}}{{#循环 榜}}{{.名称}}{{/循环}}")
    )
    assert isinstance(own, Each)
    assert isinstance(own.source, Placeholder)
    assert isinstance(own.body[0], Cell)
    assert isinstance(named, Each)
    assert named.source == "榜"


def test_parameters_and_references_are_not_questions() -> None:
    first, second = (
        node for node in parse_template("{{参数：大区=华东}}{{= a / b | percent}}") if not isinstance(node, Words)
    )
    assert isinstance(first, Parameter)
    assert (first.name, first.option("default")) == ("大区", "华东")
    assert isinstance(second, Reference)
    assert second.expression == "a / b"


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("a\n{{value: x", 2, "unclosed"),
        ("{{value: x\n\nnext}} paragraph", 1, "unclosed"),
        ("{{value: {{inner}} x}}", 1, "nested"),
        ("{{ }}", 1, "empty_placeholder"),
        ("{{value:}}", 1, "empty_placeholder"),
        ("\n{{#if a}}b", 2, "block_not_closed"),
        ("{{/if}}", 1, "bad_block"),
        ("{{#if a}}{{/each}}{{/if}}", 1, "bad_block"),
        ("{{#wenn a}}", 1, "bad_block"),
        ("{{parameter: 1x = 2}}", 1, "bad_parameter"),
    ],
)
def test_a_fault_is_named_with_its_line_and_the_rest_is_read(text: str, line: int, code: str) -> None:
    nodes = parse_template(text + "\n\n{{value: the rest}}")
    assert [(problem.line, problem.code) for problem in broken(nodes)] == [(line, code)]
    assert [node.question for node in walk_nodes(nodes) if isinstance(node, Placeholder)][-1] == "the rest"


def test_braces_can_be_written_as_they_are() -> None:
    assert parse_template("\\{{not a placeholder}}") == (Words("{{not a placeholder}}"),)


def test_placeholders_beyond_the_most_are_named() -> None:
    nodes = parse_template("{{value: x}} " * (MOST + 2))
    assert [problem.code for problem in broken(nodes)] == ["too_many", "too_many"]


def test_a_template_of_20_mb_is_cut_at_a_line_and_says_so() -> None:
    line = "Words about nothing. {{value: q}}\n"
    content = ("{{value: first}}\n" + line * 700_000).encode()
    assert len(content) > 20 << 20
    template = read_template(content, "md", most=100_000)
    assert template.problems[0].code == "too_large"
    assert len(template.content) <= 100_000
    assert template.content.endswith(b"{{value: q}}")
    assert template.problems[0].line == template.content.count(b"\n") + 2


@pytest.mark.parametrize("text", ["{{" * 5000, "{{a}}" * 300 + "{{", "{{#if a}}" * 300, "{{{{{{a}}}}}}"])
def test_hostile_braces_end_in_problems(text: str) -> None:
    assert broken(parse_template(text)) or places(text)
