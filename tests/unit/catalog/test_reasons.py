"""Every reason for a join is said in Chinese too."""

import re
from pathlib import Path

import pytest

from inquery.catalog import infer, joins
from inquery.catalog import join_verdicts as verdicts
from inquery.catalog.joins import with_joins
from inquery.catalog.reasons import evidence_in, reason_in
from inquery.sql import Catalog, Join

CATALOG = Catalog.of(
    {
        "customers": ["customer_id", "name"],
        "employees": ["employee_id", "manager_id", "name"],
        "categories": ["category_id", "parent_id"],
        "orders": ["order_id", "customer_id", "employee_id"],
        "teams": ["team_id", "lead_employee_id"],
    },
    dialect="sqlite",
)


def test_a_joins_reason_is_said_in_both_languages() -> None:
    found = with_joins(CATALOG).joins
    assert len({join.reason for join in found}) >= 3
    for join in found:
        assert reason_in(join, "en") == join.reason
        assert re.search(r"[一-鿿]", reason_in(join, "zh")), join.reason


def test_every_reason_that_is_written_down_has_its_chinese() -> None:
    sources = "\n".join(Path(module.__file__).read_text("utf-8") for module in (infer, joins, verdicts))
    written = set(re.findall(r'reason ?= ?"([^"]+)"', sources)) | set(
        re.findall(r'"((?:same name as|shares|holds|its values|who did)[^"]+)"', sources)
    )
    assert len(written) >= 11
    for reason in written:
        for said in (reason, reason + ", though the types differ"):
            join = Join(("a",), ("x",), ("b",), ("y",), declared=False, confidence=0.5, reason=said, how="name")
            chinese = reason_in(join, "zh")
            assert reason not in chinese, reason
            assert chinese.endswith("类型不同") == (said != reason)


@pytest.mark.parametrize(
    ("reason", "chinese"),
    [
        ("dst_apid ends with the key of airports", "列名 dst_apid 以表 airports 的主键名结尾"),
        ("owner_type says which table is meant", "由列 owner_type 指明所指的表"),
    ],
)
def test_a_reason_that_names_columns_is_said_in_chinese(reason: str, chinese: str) -> None:
    join = Join(("a",), ("x",), ("b",), ("y",), declared=False, confidence=0.5, reason=reason, how="name")
    assert reason_in(join, "zh") == chinese


def test_the_evidence_is_said_with_the_reason() -> None:
    join = Join(("a",), ("x",), ("b",), ("y",), found=980, sampled=1000)
    assert reason_in(join, "en") == "declared foreign key · 98% of 1,000 sampled values found"
    assert reason_in(join, "zh") == "已声明的外键 · 抽样 1,000 个取值，找到 98%"
    assert evidence_in(Join(("a",), ("x",), ("b",), ("y",)), "en") == ""
