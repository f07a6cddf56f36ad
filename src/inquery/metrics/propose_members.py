"""Who took part, where nobody defined it: the members of a thing that have rows of another, each counted once.

`How many patients had a visit in 2024` asks neither for patients nor for visits: of the visits' patients each is counted
once. No word names these proposals; a question that counts the one thing by what the other says of it takes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from inquery.knowledge.glossary import Both
from inquery.metrics.metric_types import Metric
from inquery.sql.catalog import Catalog, Join, Table

_COUNTED = "members_"


def propose_members(metrics: Sequence[Metric], catalog: Catalog) -> Iterator[Metric]:
    """A count of members for each table and each table that it alone refers to, once."""
    counting = {metric.entity: metric for metric in metrics if metric.expression == "COUNT(*)" and metric.synonyms}
    for table in catalog.tables:
        rows = counting.get(table.full_name)
        if rows is None:
            continue
        out = [join for join in catalog.joins_of([table.path]) if join.left == table.path != join.right]
        # The home team and the away team: who of them took part is told by two columns, and by neither alone.
        times = Counter(join.right for join in dict.fromkeys(out))
        near = [join for join in dict.fromkeys(out) if times[join.right] == 1 and _is_plain(join)]
        for join in near:
            yield _counted(rows, table, join, table)
        if len(catalog.tables) > MOST_TABLES:
            continue
        # The customers of claims are those of their policies, where a claim keeps none of its own.
        known = {join.right for join in out} | {table.path}
        beyond = [
            (catalog.by_path[join.right], further)
            for join in near
            for further in dict.fromkeys(catalog.joins_of([join.right]))
            if further.left == join.right and further.right not in known and _is_plain(further)
        ]
        goals = Counter(further.right for _, further in beyond)
        for holder, further in beyond:
            if goals[further.right] == 1:
                yield _counted(rows, table, further, holder)


MOST_TABLES = 300
"""In larger catalogues only what rows refer to themselves is counted: the ways of two steps grow with their square."""


def _is_plain(join: Join) -> bool:
    return len(join.left_columns) == 1 and not join.condition


def _counted(rows: Metric, table: Table, join: Join, holder: Table) -> Metric:
    column = join.left_columns[0]
    return Metric(
        name=f"{_COUNTED}{table.name}.{holder.name}.{column}"
        if holder != table
        else f"{_COUNTED}{table.name}.{column}",
        label=Both(),
        entity=table.full_name,
        expression=f'COUNT(DISTINCT "{holder.name}"."{column}")',
        filter=rows.filter,
        time=rows.time,
        additivity="distinct",
        status="proposed",
    )


def counts_members(metric: Metric) -> bool:
    """Whether it was proposed to count who took part."""
    return metric.status == "proposed" and metric.name.startswith(_COUNTED)
