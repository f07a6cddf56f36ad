"""What people may call tables and columns that nobody described: the words of their names, and those in the other language."""

from __future__ import annotations

import re
from collections import Counter

from inquery.catalog.enumerations import heading_of
from inquery.knowledge.glossary import Glossary
from inquery.language.lexicon import lexicon, stem_term
from inquery.language.text import has_cjk, name_words, singular
from inquery.sql.catalog import Catalog, Column, Table

LONGEST_PREFIX = 4
_TYPES = ("str", "lng", "int", "dtm", "dat", "cur", "dbl", "sng", "bln", "bol", "txt", "dec", "num")
_FLAG = re.compile(r"^\s*(?:bit|bool)", re.I)
MOST_TRANSLATIONS = 4
"""Further words of the lexicon are rare senses: an order is 订单 before it is 医嘱."""


def spoken_name(name: str) -> str:
    """A name as people say it: order_items is order item."""
    return " ".join(singular(word) for word in name_words(name))


def short_texts(text: str) -> list[str]:
    """What a description calls the thing, up to its first comma, colon or bracket; both languages of `渠道 / channel`."""
    found = []
    for part in text.split(" / "):
        head = re.split(r"[，,：:；;（(。/|]|\s-\s", part)[0].strip()
        if head and len(head) <= (12 if has_cjk(head) else 30):
            found.append(head)
    return found


def table_labels(table: Table, catalog: Catalog, glossary: Glossary) -> tuple[str, ...]:
    """What people may call a table, best first."""
    about = glossary.tables.get(table.full_name) or glossary.tables.get(table.name)
    words = [spoken_name(table.name)]
    if about:
        return tuple(
            dict.fromkeys([*words, *about.synonyms, *short_texts(about.description.zh), *short_texts(table.comment)])
        )
    bare = _without_prefix(table, catalog)
    told = [re.sub(r"(?:信息|记录)?表$", "", text) for text in short_texts(table.comment)]
    told += [bare_text for text in told if (bare_text := _KEPT_AS.sub("", text)) != text and len(bare_text) > 1]
    told += _head_nouns(table.comment)
    abroad = [word for text in told if has_cjk(text) for word in translated(text)]
    # 用户 may be customers too, though not beside a table that is called so.
    abroad = [word for word in abroad if word not in catalog.last_words or word in words[0].split()]
    # PurchaseOrderHeader keeps purchase orders; the method of shipping is a ShipMethod.
    spoken = [re.sub(r" (?:header|head|master)$", "", bare), re.sub(r"^ship ", "shipping ", bare)]
    spoken = [word for word in spoken if word != bare and all(spoken_name(t.name) != word for t in catalog.tables)]
    spoken += [word for text in spoken for word in translated(text)]
    # Sales are 销售, and neither 销售额 nor 销量, which measure them.
    named = [word for word in translated(bare) if not (has_cjk(word) and word[-1] in "额量率")]
    return tuple(dict.fromkeys(word for word in [bare, *told, *words, *named, *spoken, *abroad] if word))


_KEPT_AS = re.compile(r"(?:信息|档案|资料|目录|登记|台账|流水|主表?|记录)$")
"""How a thing is kept, and not what it is: 员工档案 are employees, 报刊目录 the papers."""


def _head_nouns(text: str) -> list[str]:
    """The copies of `copies in the vault`, the loans of `loans of the running and last year`."""
    if re.search(r"\b(?:before|archived?|old|until|ended|past|earlier|closed|history|month|billed)\b", text):
        return []  # loans ended before 2024: whoever speaks of loans means the others
    found = re.match(r"([A-Za-z]+(?: [a-z]+)?) (?:of|in|for|from|with|by|at|on|ended)\b", text)
    return [" ".join(singular(word) for word in found[1].lower().split())] if found else []


def column_labels(table: Table, column: Column, catalog: Catalog, glossary: Glossary) -> tuple[str, ...]:
    """What people may call a column, best first; its table's own words may be left away."""
    about = glossary.tables.get(table.full_name) or glossary.tables.get(table.name)
    said = about.columns.get(column.name) if about else None
    words = [_bare_column(table, column) or spoken_name(column.name)]
    label = glossary.shown_as(table, column.name).label
    words += [word for word in (label.en, label.zh) if word]
    if said:
        words += [*short_texts(said.en), *short_texts(said.zh)]
    # 支付方式 of "支付方式 WX微信 XJ现金".
    told = short_texts(heading_of(column.comment, column.samples) if column.meanings else column.comment)
    words += told
    abroad = [word for text in told if has_cjk(text) for word in translated(text)]
    if re.search(r"[（(]", column.name):
        words += short_texts(column.name)  # 金额(元) is 金额
    if about:
        return tuple(dict.fromkeys(words))
    home = _without_prefix(table, catalog)
    words += [f"{home} {words[0]}", *(_PLAIN_SENSES.get(words[0]) or translated(words[0])), *abroad]
    words += [kind for word in words for kind in _kinds_of(word)]
    words += [full for word in tuple(words) for full in _FULLER.get(word, ())]
    # A loan that keeps its book_name knows its book, where no table does.
    thing = re.sub(r" (?:name|code|cd|label)$", "", words[0])
    if thing != words[0] and all(_without_prefix(other, catalog) != thing for other in catalog.tables):
        words += [thing, *translated(thing)]
    # 出货单 has 出货盒数, though the column is called 盒数 alone.
    homes = [text for text in (home, *short_texts(table.comment)) if has_cjk(text)]
    acts = {re.sub(r"(?:单|表|记录|明细|信息|流水)+$", "", text) for text in homes}
    words += [act + word for act in sorted(acts) for word in words if act and has_cjk(word) and act not in word]
    words += [f"{word[0]}量" for word in words if word in ("销售数量", "采购数量")] + (
        ["销售额"] if "销售金额" in words else []
    )
    return tuple(dict.fromkeys(words))


_PLAIN_SENSES = {
    "amount": ("金额", "数额"), "quantity": ("数量",), "qty": ("数量",), "fee": ("费用", "手续费"),
    "total": ("总计", "合计", "总额", "金额"), "cost": ("成本", "费用", "花费"), "price": ("价格", "单价", "售价"),
    "value": ("价值", "数值"), "balance": ("余额", "结余"), "rating": ("评分",), "rate": ("比率", "费率"),
    "charge": ("费用", "收费"), "budget": ("预算",), "duration": ("时长", "持续时间"), "weight": ("重量",),
    "payment": ("付款", "支付", "缴费"), "deposit": ("押金", "定金", "存款"),
}  # fmt: skip
"""What a column of one word is called whatever its table is about: the lexicon knows amounts as 销售额 and fees as 学费 too, and the
refunds of a shop were its sales."""
_FULLER = {"channel": ("sales channel",), "region": ("sales region",), "渠道": ("销售渠道",), "大区": ("销售大区",)}
"""What a column of one word is called in full, whatever is sold."""


def _kinds_of(words: str) -> tuple[str, ...]:
    """The type of lane is the lane type."""
    first, _, last = words.rpartition(" ")
    if not first or has_cjk(words) or last not in _KINDS:
        return ()
    named = ("type", "kind") if last in ("type", "kind") else (last,)
    return tuple(f"{name} of {first}" for name in named) + tuple(f"{first} {name}" for name in named)


_KINDS = ("type", "kind", "status", "level", "category", "method", "grade", "state", "class")


def event_words(table: Table, column: Column) -> tuple[str, ...]:
    """What is said to have happened on a date: landed and 靠港 of land_date and 靠港日期."""
    found = []
    for text in (column.name, *short_texts(column.comment)):
        if has_cjk(text):
            act = re.sub(r"(?:日期|时间|时刻|日)$", "", text)
            found += [act, f"{act}日期", f"{act}时间"] if len(act) > 1 and act != text else []
            continue
        words = [word for word in name_words(text) if word not in _WHEN]
        words = words[1:] if len(words) == 2 and words[0] in name_words(table.name) else words
        if len(words) == 1 and len(words[0]) > 3:
            base = re.sub(r"ed$", "", words[0])
            found += [words[0], f"{base}ed", f"{base}d" if base.endswith("e") else f"{base}ing", f"{base}ing date"]
    return tuple(dict.fromkeys(found))


_WHEN = frozenset(["date", "time", "at", "on", "dt", "day", "datetime", "timestamp", "when", "ts"])


def _bare_column(table: Table, column: Column) -> str:
    """The name without what most columns of the table begin with: o_price is price."""
    words = name_words(column.name)
    first = Counter(name_words(other.name)[0] for other in table.columns if name_words(other.name))
    shared = len(words) > 1 and len(words[0]) <= LONGEST_PREFIX and 2 * first[words[0]] > len(table.columns)
    # strName, lngClientID and curFees tell their types: none of it is spoken.
    typed = sum(first[word] for word in _TYPES)
    shared = shared or (len(words) > 1 and words[0] in _TYPES and 3 * typed > 2 * len(table.columns))
    return " ".join(singular(word) for word in words[1:]) if shared else ""


def flag_words(table: Table, column: Column) -> tuple[str, ...]:
    """What rows are called whose flag is set: valid and 有效 of o_valid, active of is_active; none for other columns."""
    if not _FLAG.search(column.type) and not re.match(r"(?:is|has)_", column.name, re.I):
        return ()
    bare = re.sub(r"^(?:is|has) | flag$", "", _bare_column(table, column) or spoken_name(column.name))
    own = {singular(word) for word in name_words(table.name)} | {"status", "flag", "indicator"}
    kept = [word for word in bare.split() if word not in own]
    if _FLAG.search(column.type) and kept and len(kept) < len(bare.split()):
        bare = " ".join(kept)  # the PreferredVendorStatus of vendors
    return tuple(dict.fromkeys((bare, *translated(bare)))) if len(bare) > 2 else ()


def bare_table_name(table: Table, catalog: Catalog) -> str:
    """The name of a table as a name, without what many tables begin with."""
    words = name_words(table.name)
    kept = len(_without_prefix(table, catalog).split())
    return "_".join(words[-kept:]) if 0 < kept < len(words) else table.name


def _without_prefix(table: Table, catalog: Catalog) -> str:
    """The name without what many tables begin with: tbl_order is order, ins_policy is policy."""
    words = name_words(table.name)
    if len(words) > 1 and len(words[0]) <= LONGEST_PREFIX and catalog.first_words[words[0]] > 1:
        words = words[1:]
    return " ".join(singular(word) for word in words)


def translated(words: str) -> list[str]:
    """What the lexicon calls it in the other language."""
    if has_cjk(words):
        return list(lexicon().english.get(words, ()))[:MOST_TRANSLATIONS]
    return list(lexicon().chinese.get(stem_term(words), ()))[:MOST_TRANSLATIONS]


def value_words(value: str) -> tuple[str, ...]:
    """What a stored word is called besides: 完成 for 已完成, and in the other language where the lexicon has it."""
    if has_cjk(value):
        bare = re.sub(r"^已经?", "", value)
        english = lexicon().english.get(bare, ())[:2]
        return (*((bare,) if bare != value and len(bare) > 1 else ()), *english)
    told = lexicon().chinese.get(stem_term(value), ())
    if len(value) <= 3:  # USA and UK are countries; MAN is nobody
        told = tuple(word for word in told if value.isupper() and word.endswith("国"))
    return tuple(told[:2])
