"""Makes schemas with their questions: every query is executed, every question is written in one language."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from inquery.form.ast import Agg, Block, ColumnRef, Compound, Literal, Query, Related, TableRef, walk_tree
from inquery.form.from_sql import Unsupported, from_sql
from inquery.form.join_paths import FormSchema
from inquery.form.name_words import FormError, NameMap
from inquery.form.printing import write
from inquery.form.to_sql import to_sql
from training.engine import (
    ask_best,
    ask_compare,
    ask_groups,
    ask_links,
    ask_numbers,
    ask_ranked_groups,
    ask_roles,
    ask_rows,
    ask_sets,
    ask_shares,
    ask_time,
    sample,
)
from training.engine.plan import Kit, Plan
from training.engine.schema import Schema
from training.engine.spec import domains
from training.engine.talk import Talk

FAMILIES: list[tuple[float, Callable[[Kit], Plan | None]]] = [
    (15, ask_rows.listing), (10, ask_rows.with_parent), (4, ask_rows.lookup), (11, ask_best.best), (3, ask_best.above_average),
    (3, ask_compare.compared_columns), (2, ask_compare.days_between), (3, ask_best.best_of_child), (3, ask_rows.either),
    (10, ask_numbers.counting), (5, ask_numbers.distinct_values), (9, ask_numbers.aggregating), (2.6, ask_shares.share),
    (1.6, ask_shares.group_share), (3, ask_compare.product_sum), (1.4, ask_compare.difference), (1.4, ask_shares.conditional_counts),
    (15, ask_groups.grouped), (12, ask_ranked_groups.having), (12, ask_ranked_groups.best_group), (7, ask_time.over_time), (2, ask_best.best_of_each),
    (1.6, ask_groups.two_keys), (2.5, ask_groups.with_zero), (1, ask_groups.most_common_members),
    (5, ask_sets.never), (8, ask_sets.both), (7, ask_roles.roles), (7, ask_roles.own_kind), (6, ask_links.pairs), (6, ask_links.counts),
]  # fmt: skip


_WEIGHTS = [weight for weight, _ in FAMILIES]


EMPTY_KEPT = 0.04


"""Share of queries with an empty result that are kept: people ask such questions too."""


def make_schema(seed: int, number: int) -> Schema:
    """The schema of a number, the same for the same seed."""
    rng = Random(f"{seed}/{number}")
    every = domains()
    language = "zh" if rng.random() < 0.27 else "en"
    more = rng.choice(every) if rng.random() < 0.1 else None
    return sample.make(rng.choice(every), rng, f"s{seed}_{number}", language, more)


class Maker:
    """Questions over one schema."""

    def __init__(self, schema: Schema, rng: Random) -> None:
        self.schema = schema
        self.rng = rng
        self.kit = Kit(schema, rng)
        self.tables = schema.catalog_tables()
        self.form_schema = FormSchema(self.tables)
        self.names = NameMap(self.tables)
        self.db = schema.database()
        self.db.set_progress_handler(lambda: 1, 20_000_000)
        self.seen: set[str] = set()
        self.failures: dict[str, int] = {}

    def plan(self) -> tuple[Plan, Query, str, bool] | None:
        """A new query with its SQL, and whether it finds anything."""
        family = self.rng.choices(FAMILIES, _WEIGHTS)[0][1]
        plan = family(self.kit)
        if plan is None:
            return None
        try:
            sql = to_sql(plan.query, self.form_schema)
            rows = self.db.execute(sql).fetchmany(3)
        except (FormError, sqlite3.Error) as error:
            key = f"{family.__name__}: {error}"[:80]
            self.failures[key] = self.failures.get(key, 0) + 1
            return None
        if sql in self.seen:
            return None
        self.seen.add(sql)
        found = bool(rows) and rows != [(None,)] and rows != [(0,)]
        if not found and self.rng.random() > EMPTY_KEPT:
            return None
        return plan, self.canonical(plan.query, sql), sql, found

    def canonical(self, query: Query, sql: str) -> Query:
        """The one spelling that training data from SQL has too; what SQL does not tell stays as it was asked."""
        plain = reordered(query)
        if plain is not None:
            return plain
        try:
            read = from_sql(sql, self.form_schema)
        except (Unsupported, FormError):
            return query
        if not any(map(_lost_in_sql, walk_tree(query))):
            return read
        return _with_sources(query, read)

    def question(self, plan: Plan, form: Query, sql: str, language: str, found: bool) -> dict[str, Any] | None:
        """One wording of a query; none where two periods would need two different days."""
        talk = Talk(language, self.rng, self.schema)
        text, asks = plan.say(talk)
        question = talk.finish(text, asks)
        made: dict[str, Any] = {"lang": language, "question": question, "form": write(form, self.names), "sql": sql}
        made["values"] = list(dict.fromkeys(talk.values))
        made["tags"] = sorted(dict.fromkeys([*plan.tags, *([] if found else ["empty"])]))
        if talk.todays:
            made["today"] = min(talk.todays)
        return made if len(talk.todays) < 2 else None


def reordered(query: Query) -> Query | None:
    """The query with sources in order of use; None where a source only connects others, which takes the join graph."""
    if isinstance(query, Compound):
        left, right = reordered(query.left), reordered(query.right)
        return replace(query, left=left, right=right) if isinstance(left, Block) and right is not None else None
    if len(query.sources) < 2:
        return query
    parts = (query.show, query.where, query.same, query.by, query.having, query.sort)
    used = [node.source for node in walk_tree(parts) if isinstance(node, ColumnRef | TableRef)]
    by_name = {source.name: source for source in query.sources}
    order = [by_name[name] for name in dict.fromkeys(used) if name in by_name]
    rest = [source for source in query.sources if source not in order]
    if rest and len(query.sources) > 2:
        return None
    return replace(query, sources=(*order, *rest))


def _lost_in_sql(node: object) -> bool:
    """Periods, shares and missing relations come back from SQL as something longer."""
    if isinstance(node, Literal):
        return node.kind == "period"
    return isinstance(node, Related) or (isinstance(node, Agg) and node.func in ("share", "percent"))


def _with_sources(query: Query, read: Query) -> Query:
    """The query with the shorter list of sources that was read, where it names no others."""
    if isinstance(query, Block) and isinstance(read, Block):
        known = {source.name for source in query.sources}
        return replace(query, sources=read.sources) if {s.name for s in read.sources} <= known else query
    if isinstance(query, Compound) and isinstance(read, Compound):
        left = _with_sources(query.left, read.left)
        return (
            replace(query, left=left, right=_with_sources(query.right, read.right))
            if isinstance(left, Block)
            else query
        )
    return query


def _language(schema: Schema, rng: Random) -> str:
    chinese = 0.85 if schema.language == "zh" else 0.31
    return "zh" if rng.random() < chinese else "en"


def make(seed: int, number: int, count: int) -> dict[str, Any]:
    """A schema with `count` questions, as one JSON object."""
    schema = make_schema(seed, number)
    rng = Random(f"{seed}/{number}/questions")
    maker = Maker(schema, rng)
    questions: list[dict[str, Any]] = []
    tries = 0
    while len(questions) < count and tries < count * 8:
        tries += 1
        made = maker.plan()
        if not made:
            continue
        plan, form, sql, found = made
        languages = [_language(schema, rng)]
        if rng.random() < 0.7:
            languages.append(_language(schema, rng))
        texts: set[str] = set()
        for language in languages:
            question = maker.question(plan, form, sql, language, found)
            if question and question["question"] not in texts:
                texts.add(question["question"])
                questions.append(question)
    maker.db.close()
    return {**schema_json(schema), "questions": questions[:count], "failures": maker.failures}


def schema_json(schema: Schema) -> dict[str, Any]:
    """Tables, keys, samples, and the distinct texts for value matching."""
    tables, values = [], {}
    for table in schema.tables:
        columns = []
        for column in table.columns:
            distinct = list(dict.fromkeys(str(c) for c in column.cells if c is not None))
            far = column.target.key_column() if column.target and table.declared else None
            columns.append(
                {
                    "name": column.name,
                    "type": column.type,
                    "pk": column.key,
                    "fk": f"{column.target.name}.{far.name}" if column.target and far else None,
                    "samples": distinct[:8],
                    **({"comment": column.comment} if column.comment else {}),
                }
            )
            if column.kind in ("category", "text", "code") or (column.kind == "flag" and column.type != "INTEGER"):
                values[f"{table.name}.{column.name}"] = distinct[:200]
        made = {"name": table.name, "rows": table.rows, "columns": columns}
        tables.append({**made, **({"comment": table.comment} if table.comment else {})})
    return {
        "schema_id": schema.id,
        "domain": schema.domain.name,
        "lang": schema.language,
        "tables": tables,
        "values": values,
    }
