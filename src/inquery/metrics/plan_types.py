"""A manager's question as data: measures, dimensions, filters, a period and what is done with them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from inquery.errors import Text

TimeUnit = Literal["day", "week", "month", "quarter", "year", "weekpart", "weekday", "hour"]
"""Calendar buckets, and parts of a week or day in which days of many weeks meet."""
SERIES: tuple[TimeUnit, ...] = ("day", "week", "month", "quarter", "year")
"""Units that follow one another, so that they can be filled, compared and added up over time."""
READ_IN_ORDER: tuple[TimeUnit, ...] = (*SERIES, "weekday", "hour")
"""Units whose buckets people read in their own order, not by the figure."""
Against = Literal["previous", "year_before", "period"]
Figure = Literal["value", "difference", "percent", "share"]
"""What a plan can rank and sift by."""
Share = Literal["total", "parent"]
Operator = Literal[">", ">=", "<", "<="]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlanPeriod(_Part):
    """Days from `start` up to, not including, `end`, with the words that said so."""

    start: datetime.date
    end: datetime.date
    grain: str = "day"
    text: str = ""


class Side(_Part):
    """Members of a dimension that are told as one, by the word for them: online is web and app."""

    name: str
    values: tuple[str, ...] = Field(min_length=1)


class Grouping(_Part):
    """One thing to split by: a dimension by its name, or a unit of time; `sides` put members together."""

    dimension: str = ""
    unit: TimeUnit | None = None
    sides: tuple[Side, ...] = ()


class PlanFilter(_Part):
    """Members of a dimension that count, or do not.

    `holding` keeps the rows of the entity that hold at least one such member among their parts: orders with a toy.
    Without values it is asked whether there is any: orders with a promotion, `negated` those without.
    """

    dimension: str
    values: tuple[str, ...]
    negated: bool = False
    holding: bool = False
    text: str = ""


class Comparison(_Part):
    """What the figures are held against; `period` where it is one that was named."""

    against: Against
    period: PlanPeriod | None = None
    aligned: bool = False
    """The current period is not over, so both are counted up to the same day."""


class PlanRanking(_Part):
    """The first or last `n`, all in order without one; `per_group` ranks within each of the groupings but the last."""

    by: Figure = "value"
    n: int | None = Field(None, ge=1)
    descending: bool = True
    per_group: bool = False


class Threshold(_Part):
    """What a figure must be to be listed; a per cent is 12.3."""

    of: Figure = "value"
    operator: Operator
    number: float


class Moving(_Part):
    """An average over a bucket and the ones before it, `size` in all."""

    size: int = Field(ge=2, le=366)


class Membership(_Part):
    """Members of an entity counted by when they were active: in one period and not in another, or in every bucket.

    `each` is a dimension: members that were active with every one of its filter's values. `absent` lists, or counts,
    the members of the plan's one group of which the measure has no row at all in the period.
    """

    also: PlanPeriod | None = None
    active: bool = False
    every: TimeUnit | None = None
    each: str = ""
    absent: bool = False


class Plan(_Part):
    """What is asked; the fields are told in FIELDS."""

    measures: tuple[str, ...] = Field(min_length=1)
    per: str = ""
    groups: tuple[Grouping, ...] = ()
    filters: tuple[PlanFilter, ...] = ()
    period: PlanPeriod | None = None
    time: str = ""
    comparison: Comparison | None = None
    share: Share | None = None
    share_of: str = ""
    contribution: bool = False
    contrast: bool = False
    spread: bool = False
    ranking: PlanRanking | None = None
    concentration: int | None = Field(None, ge=1)
    threshold: Threshold | None = None
    count: bool = False
    running: bool = False
    moving: Moving | None = None
    membership: Membership | None = None


@dataclass(frozen=True, slots=True)
class PlanField:
    """One field of a plan: what it says to a person and a model, and the form's word for it where it has one."""

    name: str
    about: Text
    form_word: str = ""


# The one table: the writer's form and the schema that a chat model is given take their words from here.
FIELDS: tuple[PlanField, ...] = (
    PlanField("measures", Text("metrics to show, by name", "要看的指标，用名称表示"), "show"),
    PlanField(
        "per",
        Text("a metric that the measure is divided by: returns per order", "作为分母的指标，如每单退货数"),
        "per",
    ),
    PlanField(
        "groups",
        Text("dimensions and units of time to split by, outermost first", "拆分的维度与时间单位，外层在前"),
        "by",
    ),
    PlanField("filters", Text("members of dimensions that count or do not", "计入或排除的维度成员"), "where"),
    PlanField("period", Text("the days that count, the end not included", "统计的时间段，不含结束日"), "in"),
    PlanField(
        "time",
        Text("the date column that counts, where it is not the metric's own", "所用的日期列，未指定时用指标自己的"),
        "dated",
    ),
    PlanField(
        "comparison",
        Text("the period before, the year before, or a named period beside it", "对比上期、去年同期或指定的时间段"),
        "against",
    ),
    PlanField(
        "share",
        Text("each part in per cent of the total, or of the group around it", "每一部分占总体或所在上级的百分比"),
        "share",
    ),
    PlanField(
        "share_of",
        Text("the filter whose members are the part of the whole", "作为部分的筛选维度，去掉它即为总体"),
        "share of",
    ),
    PlanField("contribution", Text("what each part adds to a change", "各部分对变化的贡献"), "contribution"),
    PlanField("contrast", Text("two members in one row with their difference", "两个成员并排并给出差额"), "contrast"),
    PlanField("spread", Text("the highest and the lowest and their gap", "最高与最低及其差额"), "spread"),
    PlanField(
        "ranking", Text("the first or last n, within each group where said", "前几名或后几名，可按组分别取"), "top"
    ),
    PlanField(
        "concentration",
        Text("the part of the whole that the first n make up", "前几名合计占总体的比例"),
        "concentration",
    ),
    PlanField("threshold", Text("what a figure must be to be listed", "列出的条件：数值要高于或低于多少"), "having"),
    PlanField("count", Text("how many there are instead of which", "只要个数，不要明细"), "count"),
    PlanField("running", Text("added up over time", "随时间累计"), "running"),
    PlanField("moving", Text("average over some buckets", "移动平均"), "moving"),
    PlanField(
        "membership",
        Text(
            "members active in one period and not, or also, in another",
            "在某时段活跃而在另一时段不活跃（或也活跃）的成员",
        ),
        "members",
    ),
)


def plan_schema() -> dict[str, object]:
    """The JSON schema of a plan with the descriptions of FIELDS, for a chat model."""
    schema = Plan.model_json_schema()
    told = {field.name: field.about.en for field in FIELDS}
    for name, about in schema["properties"].items():
        about["description"] = told[name]
    return schema
