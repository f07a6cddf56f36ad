"""Samples one schema out of a domain: which tables and columns, under which names."""

from __future__ import annotations

from random import Random

from training.engine.fill import fill_rows
from training.engine.naming import Style
from training.engine.schema import Cell, Column, Schema, Table, is_name
from training.engine.spec import Attribute, Domain, Entity, Reference


def _chosen_entities(domain: Domain, rng: Random) -> list[Entity]:
    """A connected part of the domain."""
    wanted = min(rng.choices([1, 2, 3, 4, 5, 6, 7], (3, 10, 20, 24, 20, 14, 9))[0], len(domain.entities))
    first = rng.choice(list(domain.entities))
    chosen = [first]
    while len(chosen) < wanted:
        near = _neighbours(domain, chosen)
        if not near:
            break
        chosen.append(rng.choice(near))
    links = [e for e in domain.entities.values() if e.link and {r.target for r in e.references} <= set(chosen)]
    chosen += [e.key for e in links if e.key not in chosen and rng.random() < 0.7]
    for key in list(chosen):
        if domain.entities[key].link:
            chosen += [r.target for r in domain.entities[key].references if r.target not in chosen]
    return [domain.entities[key] for key in dict.fromkeys(chosen)]


def _neighbours(domain: Domain, chosen: list[str]) -> list[str]:
    near = [r.target for key in chosen for r in domain.entities[key].references]
    near += [key for key, entity in domain.entities.items() if any(r.target in chosen for r in entity.references)]
    return [key for key in near if key not in chosen]


def _kept_attributes(entity: Entity, rng: Random) -> list[Attribute]:
    share = rng.choice([0.55, 0.75, 0.9, 1.0])
    kept = [a for i, a in enumerate(entity.attributes) if i == 0 or rng.random() < share]
    person = {"first name", "last name", "full name"}
    if any(a.names[0] == "full name" for a in entity.attributes):
        kept = [a for a in kept if a.names[0] not in person or a.names[0] == "full name"]
        pair = [a for a in entity.attributes if a.names[0] in ("first name", "last name")]
        if len(pair) == 2 and rng.random() < 0.3:
            kept = pair + [a for a in kept if a.names[0] != "full name"]
    head, tail = kept[:1], kept[1:]
    if rng.random() < 0.5:
        rng.shuffle(tail)
    return head + tail


def make(domain: Domain, rng: Random, schema_id: str, language: str, more: Domain | None = None) -> Schema:
    """One schema with its rows."""
    schema = Schema(schema_id, domain, language, Style.pick(rng, language))
    entities = _chosen_entities(domain, rng)
    if more:
        entities += [e for e in _chosen_entities(more, rng) if not any(set(e.names) & set(o.names) for o in entities)]
    made = {e.key: _table(schema, e, rng) for e in entities}
    for table in made.values():
        _add_columns(schema, table, made, rng)
    schema.tables = list(made.values())
    _unique_names(schema)
    _undeclare(schema, rng)
    if schema.style.abbreviate or rng.random() < 0.06:
        _comment(schema, rng)
    fill_rows(schema, rng)
    rng.shuffle(schema.tables)
    return schema


def _table(schema: Schema, entity: Entity, rng: Random) -> Table:
    noun = entity.names[0] if rng.random() < 0.6 else rng.choice(entity.names)
    chinese = entity.chinese[0] if rng.random() < 0.7 else rng.choice(entity.chinese)
    return Table(schema.style.table(noun, chinese), entity, noun, chinese)


def _add_columns(schema: Schema, table: Table, made: dict[str, Table], rng: Random) -> None:
    style, entity = schema.style, table.entity
    refs = [_reference(schema, r, made[r.target], rng) for r in entity.references if r.target in made]
    if len(refs) == 2 and entity.link and rng.random() < 0.4 and len({c.name for c in refs}) == 2:
        for column in refs:
            column.key = True
    else:
        table.columns.append(Column(style.key(table.noun, table.chinese), "INTEGER", "id", "编号", key=True))
    data = [_data(schema, table, a, rng) for a in _kept_attributes(entity, rng)]
    table.columns += data[:1] + refs + data[1:] if rng.random() < 0.5 else data + refs
    if rng.random() < 0.2 and not table.columns[0].reference:
        rest = table.columns[1:]
        rng.shuffle(rest)
        table.columns[1:] = rest


def _reference(schema: Schema, reference: Reference, target: Table, rng: Random) -> Column:
    style = schema.style
    label, chinese = reference.role or target.noun, reference.role_chinese or target.chinese
    name = style.reference(label, chinese)
    if reference.role and rng.random() < 0.15:
        name = style.column(reference.role, reference.role_chinese)
    return Column(name, "INTEGER", label, chinese, reference=reference, target=target)


def _data(schema: Schema, table: Table, attribute: Attribute, rng: Random) -> Column:
    label = attribute.names[0] if rng.random() < 0.6 else rng.choice(attribute.names)
    chinese = attribute.chinese[0] if rng.random() < 0.7 else rng.choice(attribute.chinese)
    owner = rng.random() < schema.style.column_prefix
    spelled = label
    if attribute.kind == "flag" and rng.random() < 0.4:
        spelled = label.removeprefix("is ").removeprefix("has ") + rng.choice(["", " flag"])
    name = schema.style.column(spelled, chinese, table.noun if owner else "", table.chinese if owner else "")
    column = Column(name, _type(attribute, rng), label, chinese, attribute)
    if attribute.kind in ("category", "flag"):
        column.stored = _stored(column, schema, rng)
        if column.stored and isinstance(column.stored[0], int):
            column.type = "INTEGER"
    return column


def _type(attribute: Attribute, rng: Random) -> str:
    kinds = {
        "int": ["INTEGER", "INTEGER", "INT"], "year": ["INTEGER", "INTEGER", "INT", "YEAR"], "real": ["REAL", "REAL", "FLOAT"],
        "money": ["REAL", "DECIMAL(10,2)", "NUMERIC"], "percent": ["REAL"], "date": ["DATE", "DATE", "TEXT", "DATETIME"],
        "birth": ["DATE", "TEXT"], "time": ["DATETIME", "DATETIME", "TIMESTAMP", "TEXT"],
    }  # fmt: skip
    return rng.choice(kinds.get(attribute.kind, ["TEXT", "TEXT", "VARCHAR(50)"]))


def _stored(column: Column, schema: Schema, rng: Random) -> list[Cell]:
    """How the labels of a category or flag are stored here."""
    attribute = column.attribute
    assert attribute
    labels = column.labels
    chinese = schema.language == "zh"
    if attribute.kind == "flag":
        choices: list[list[Cell]] = [[1, 0], [1, 0], [1, 0], ["Y", "N"], ["yes", "no"], ["T", "F"], ["true", "false"]]
        return rng.choice([[1, 0], ["是", "否"], [1, 0]] if chinese else choices)
    if chinese:
        return [b for _, b in labels]
    words = [a for a, _ in labels]
    if attribute.pool:
        return list(words) if attribute.pool != "color" or rng.random() < 0.5 else [w.title() for w in words]
    return _cased(words, is_name(column), rng)


def _cased(words: list[str], name: bool, rng: Random) -> list[Cell]:
    ways = ["title"] if name else rng.choices(["lower", "title", "upper", "snake", "code"], (34, 34, 10, 12, 10))
    match ways[0]:
        case "title":
            return [w.title() if len(w) > 3 else w.upper() if len(w) < 3 else w.title() for w in words]
        case "upper":
            return [w.upper().replace(" ", "_") for w in words]
        case "snake":
            return [w.replace(" ", "_").replace("-", "_") for w in words]
        case "code":
            for size in (1, 2, 3, 4):
                codes = [w.replace(" ", "")[:size].upper() for w in words]
                if len(set(codes)) == len(codes):
                    return list(codes)
    return list(words)


def _unique_names(schema: Schema) -> None:
    taken: set[str] = set()
    for table in schema.tables:
        while table.name.casefold() in taken:
            table.name += "2"
        taken.add(table.name.casefold())
        own: set[str] = set()
        kept = []
        for column in table.columns:
            if column.name.casefold() in own:
                if column.attribute:
                    continue
                column.name += "2" if schema.style.case != "snake" else "_2"
            own.add(column.name.casefold())
            kept.append(column)
        table.columns = kept


def _undeclare(schema: Schema, rng: Random) -> None:
    """Leave foreign keys undeclared where equal names still tell them."""
    if rng.random() < 0.12:
        for table in schema.tables:
            far = [(c, c.target.key_column()) for c in table.references if c.target]
            table.declared = not all(key and key.name == c.name for c, key in far)


def _comment(schema: Schema, rng: Random) -> None:
    chinese = rng.random() < 0.6
    for table in schema.tables:
        table.comment = table.chinese if chinese else table.noun
        for column in table.columns:
            column.comment = column.chinese if chinese else column.label
