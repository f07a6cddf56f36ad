"""What people taught, as far as it concerns what a user may read."""

from __future__ import annotations

from collections.abc import Sequence

from inquery.errors import SqlRefused
from inquery.knowledge.glossary import About, Glossary
from inquery.sql import Catalog, Policy, check
from inquery.store.sample_rows import SampleRow


def seen_samples(rows: Sequence[SampleRow], catalog: Catalog, policy: Policy, user_id: str) -> list[SampleRow]:
    """Samples whose statement the user could run, and the user's own: the others name what is hidden."""
    return [row for row in rows if row.owner == user_id or is_readable(row.sql, catalog, policy)]


def hides_names(policy: Policy) -> bool:
    """Whether a policy hides names."""
    return policy.tables is not None or bool(policy.hidden_columns)


def is_readable(sql: str, catalog: Catalog, policy: Policy) -> bool:
    """Whether a statement names only what a user may see."""
    if not hides_names(policy):
        return True
    try:
        check(sql, dialect=catalog.dialect, catalog=catalog, policy=policy)
    except SqlRefused:
        return False
    return True


def seen_glossary(glossary: Glossary, seen: Catalog) -> Glossary:
    """The glossary without tables, columns, values, joins and metrics that are hidden; terms name none."""
    columns = {table.full_name.casefold(): {c.name.casefold() for c in table.columns} for table in seen.tables}
    columns |= {table.name.casefold(): {c.name.casefold() for c in table.columns} for table in seen.tables}

    def known(place: str) -> bool:
        table, _, column = place.casefold().rpartition(".")
        return column in columns.get(table, set())

    def about(table: str, said: About) -> About:
        kept = {name: text for name, text in said.columns.items() if known(f"{table}.{name}")}
        left = {name: values for name, values in said.leave_out.items() if known(f"{table}.{name}")}
        time, display = (name if known(f"{table}.{name}") else "" for name in (said.time, said.display))
        return said.model_copy(update={"columns": kept, "leave_out": left, "time": time, "display": display})

    joins = tuple(hint for hint in glossary.joins if all(known(f"{t}.{c}") for t, c in hint.sides))
    metrics = {
        name: metric
        for name, metric in glossary.metrics.items()
        if metric.tables and all(table.casefold() in columns for table in metric.tables)
    }
    tables = {name: about(name, said) for name, said in glossary.tables.items() if name.casefold() in columns}
    values = {place: mapped for place, mapped in glossary.values.items() if known(place)}
    dimensions = {
        place: said for place, said in glossary.dimensions.items() if known(place) or place.casefold() in columns
    }
    shown = {place: said for place, said in glossary.shown.items() if known(place)}
    changed = {"joins": joins, "metrics": metrics, "tables": tables, "values": values, "dimensions": dimensions}
    return glossary.model_copy(update={**changed, "shown": shown})
