"""Every reason for a join is said in Chinese too."""

import re
from pathlib import Path

from inquery.catalog import infer
from inquery.catalog.joins import with_joins
from inquery.catalog.reasons import reason_in
from inquery.sql import Catalog, Join

CATALOG = Catalog.of(
    {
        "customers": ["customer_id", "name"],
        "employees": ["employee_id", "manager_id", "name"],
        "categories": ["category_id", "parent_id"],
        "orders": ["order_id", "customer_id", "employee_id"],
        "visits": ["visit_id", "device_uuid"],
        "clicks": ["click_id", "device_uuid"],
    },
    dialect="sqlite",
)


def test_a_joins_reason_is_said_in_both_languages() -> None:
    joins = with_joins(CATALOG).joins
    assert len({join.reason for join in joins}) >= 3
    for join in joins:
        assert reason_in(join, "en") == join.reason
        assert re.search(r"[一-鿿]", reason_in(join, "zh")), join.reason


def test_every_reason_that_is_written_down_has_its_chinese() -> None:
    source = Path(infer.__file__).read_text("utf-8")
    written = set(re.findall(r'reason="([^"]+)"', source)) | set(
        re.findall(r'"([a-z][^"]* key(?: of [^"]*)?)"', source)
    )
    assert len(written) >= 7
    for reason in written:
        for said in (reason, reason + ", though the types differ"):
            join = Join(("a",), ("x",), ("b",), ("y",), False, 0.5, said)
            chinese = reason_in(join, "zh")
            assert reason not in chinese, reason
            assert chinese.endswith("类型不同") == (said != reason)
