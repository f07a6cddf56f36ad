"""What a business sells by, where nobody defined it: the worth of its orders, invoices or receipts is called sales.

A database of invoices has a column `total` and no word of sales or revenue, though everybody asks for these. Where one
table alone is the document of a sale, the sum of its one amount is meant, and below the document the worth of its lines,
by which figures are split along products.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from inquery.knowledge.glossary import Both, Glossary
from inquery.language.text import has_cjk, name_words, singular, word_set
from inquery.metrics.metric_types import Column as Place
from inquery.metrics.metric_types import Metric
from inquery.metrics.question_cover import key_of
from inquery.metrics.routes import Routes
from inquery.metrics.spoken_labels import table_labels
from inquery.sql.catalog import Catalog, Column, Join, Table

SALES = (
    "sales", "revenue", "turnover", "total sales", "total revenue", "sales revenue", "sales amount", "spend", "spent", "spending",
    "销售额", "营业额", "销售收入", "营业收入", "营收", "总销售额", "销售总额", "销售金额", "业绩", "消费", "消费额", "消费金额",
)  # fmt: skip
_DOCUMENTS = word_set("order invoice sale receipt 订单 销售单 发票 小票")
_PAYMENTS = word_set("payment 付款 支付 收款")
_OTHER_DOCUMENTS = word_set(
    "purchase purchasing supplier vendor procurement return refund credit work production manufacturing shipping shipment "
    "delivery transfer quote quotation cart draft repair maintenance service job internal stock status type history log"
)
_OTHER_DOCUMENTS_ZH = re.compile("采购|退|供应|工单|维修|报价|调拨|生产|入库|出库|支付|进货")
_BUYERS = word_set("customer client buyer member guest subscriber shopper 客户 会员 顾客 买家")
_NO_SALES = word_set("loan policy claim payroll salary supplier vendor tuition tax fine grant donation")
"""Where these are, a payment may be anything but revenue."""
_HEADS = word_set("header head master main info")
_LINES = word_set("line item detail product position row goods entry 明细 商品 行")
_PIECES = word_set("quantity qty number count pieces units amount 数量 件数")
_QUANTITIES = word_set("quantity qty pieces units 数量 件数")
_PRICES = re.compile(r"price|(?:^|_)prc(?:_|$)|单价|售价|成交价", re.I)
_PAID = re.compile("paid|pay|actual|received|net|[实已]付|[实已]收|支付", re.I)
_WHOLES = word_set("total amount amt grand sum due payable paid price value net sales sale revenue turnover line")
_PARTS_ZH = re.compile("费|税|优惠|折|押金|成本|退")
BESIDE = re.compile(
    r"freight|carriage|postage|discount|(?<![a-z])(?:disc|dsct)_?(?:amt|amount|val|pct|rate)|rebate|折扣|优惠", re.I
)
"""Amounts that stand beside what a document is worth, and are no part of what was sold."""
_LESS_DISCOUNT = (
    "sales after discount", "sales after discounts", "sales net of discount", "sales net of discounts", "discounted sales",
    "sales less discount", "sales less discounts", "sales after the discount", "net sales", "revenue after discount",
    "revenue after discounts", "revenue net of discount", "revenue net of discounts", "net revenue", "sales value after discount",
    "折后销售额", "折扣后销售额", "折后金额", "折后销售金额", "折后收入", "扣除折扣后的销售额", "打折后的销售额", "净销售额",
)  # fmt: skip
_PAID_IN = (
    "payments received", "payment received", "money received", "money collected", "amount collected", "collected amount",
    "money taken", "money paid", "amount paid", "takings", "收款", "收款额", "收款金额", "收款总额", "收入", "总收入", "实收",
)  # fmt: skip


ORDER_VALUE = (
    "average order value",
    "aov",
    "average amount per order",
    "客单价",
    "笔单价",
    "每单金额",
    "平均订单金额",
    "订单平均金额",
)


_SOLD = (
    "units", "units sold", "number of units sold", "pieces sold", "items sold", "number of items sold", "quantity sold",
    "销售数量", "销售件数", "卖出数量", "卖出件数", "销量",
)  # fmt: skip
_COUNTED_BUYERS = "buyers_"


def is_view(table: Table) -> bool:
    """Whether its rows are those of other tables."""
    return "view" in table.kind


def name_sales(metrics: Sequence[Metric], catalog: Catalog, glossary: Glossary) -> list[Metric]:
    """The proposals, of which one is called sales too, and one of the lines below it."""
    found = list(metrics)
    document = _document(catalog, glossary)
    if document is None:
        return found
    lines = _lines_of(document, catalog, found)
    if lines is not None:
        found = [_paid_alone(each, document, lines) for each in found]
    found += _buyers(document, catalog, found)
    words = _free_words(SALES, found, catalog, glossary)
    paid = {singular(word) for word in name_words(document.name)} & _PAYMENTS
    also = _free_words(_PAID_IN, found, catalog, glossary) if paid else ()
    head = _amount_of(document, found)
    if not words or (head is None and (lines is None or _sums_of(document, found))):
        return found  # of several amounts of a document nobody says which is its worth
    label = Both(en=next((w for w in words if not has_cjk(w)), ""), zh=next((w for w in words if has_cjk(w)), ""))
    if head is not None:
        found[found.index(head)] = replace(head, label=label, synonyms=(*head.synonyms, *words, *also))
    if lines is not None:
        found = [_called_sold(each, lines, found, catalog, glossary) for each in found if each.name != lines.name]
        less = _free_words(_LESS_DISCOUNT, found, catalog, glossary) if "(1 - " in lines.expression else ()
        own = replace(
            lines, label=label, synonyms=(*lines.synonyms, *words, *less), finer_than=head.name if head else ""
        )
        found.append(own)
        if head is None:
            found += _order_value(own, document, found, catalog, glossary)
    return found


def _buyers(document: Table, catalog: Catalog, metrics: Sequence[Metric]) -> Iterator[Metric]:
    """Who bought, each counted once: by this customers of one year are held against those of another. No word names it."""
    keys = [
        join.left_columns[0]
        for join in _out(document, catalog)
        if len(join.left_columns) == 1 and _BUYERS & {singular(word) for word in name_words(join.right[-1])}
    ]
    if len(set(keys)) == 1:
        yield Metric(
            name=f"{_COUNTED_BUYERS}{document.name}",
            label=Both(),
            entity=document.full_name,
            expression=f'COUNT(DISTINCT "{document.name}"."{keys[0]}")',
            time=_time_of(document, metrics),
            additivity="distinct",
            status="proposed",
        )


def counts_buyers(metric: Metric) -> bool:
    """Whether it was proposed to count who bought."""
    return metric.status == "proposed" and metric.name.startswith(_COUNTED_BUYERS)


def _called_sold(
    metric: Metric, lines: Metric, metrics: Sequence[Metric], catalog: Catalog, glossary: Glossary
) -> Metric:
    """The pieces of the lines, which are what was sold."""
    if metric.entity != lines.entity or not metric.expression.startswith("SUM(") or metric.format == "money":
        return metric
    alike = [m for m in metrics if m.entity == lines.entity and m.expression.startswith("SUM(") and m.format != "money"]
    words = _free_words(_SOLD, metrics, catalog, glossary) if len(alike) == 1 else ()
    return replace(metric, synonyms=(*metric.synonyms, *words), time=metric.time or lines.time)


def _order_value(
    lines: Metric, document: Table, metrics: Sequence[Metric], catalog: Catalog, glossary: Glossary
) -> Iterator[Metric]:
    """What an order is worth on average, where its lines alone keep what they cost."""
    words = _free_words(ORDER_VALUE, metrics, catalog, glossary)
    counted = f"{document.name}_count"
    if words and any(label in ("order", "订单") for label in table_labels(document, catalog, glossary)):
        yield Metric(
            name=f"average_{lines.name}",
            label=Both(
                en=next((w for w in words if not has_cjk(w)), ""), zh=next((w for w in words if has_cjk(w)), "")
            ),
            synonyms=words,
            kind="ratio",
            numerator=lines.name,
            denominator=counted,
            additivity="ratio",
            format="money",
            status="proposed",
        )


def _paid_alone(metric: Metric, document: Table, lines: Metric) -> Metric:
    """A payment without the words of sales, which are the worth of what was ordered where orders have lines."""
    home = {singular(word) for word in name_words(metric.entity.rpartition(".")[2])}
    if metric.entity in (document.full_name, lines.entity) or not home & _PAYMENTS:
        return metric
    sold = {key_of(word) for word in SALES} | {key_of(f"平均{word}") for word in SALES if has_cjk(word)}
    label = Both(
        en="" if key_of(metric.label.en) in sold else metric.label.en,
        zh="" if key_of(metric.label.zh) in sold else metric.label.zh,
    )
    return replace(metric, label=label, synonyms=tuple(word for word in metric.synonyms if key_of(word) not in sold))


def _document(catalog: Catalog, glossary: Glossary) -> Table | None:
    """The one table whose rows are sales; of payments where nothing else is sold by."""
    kept = [table for table in catalog.tables if not is_view(table)]
    for kinds in (_DOCUMENTS, _PAYMENTS):
        found = [table for table in kept or catalog.tables if _is_document(table, catalog, glossary, kinds)]
        if len(found) > 1:
            return None
        if found and (kinds is _DOCUMENTS or _is_paid_by_buyers(found[0], catalog)):
            return found[0]
    return None


def _is_document(table: Table, catalog: Catalog, glossary: Glossary, kinds: frozenset[str]) -> bool:
    words = [singular(word) for word in name_words(table.name)]
    if set(words) & _OTHER_DOCUMENTS or _OTHER_DOCUMENTS_ZH.search(table.name + table.comment):
        return False
    while len(words) > 1 and words[-1] in _HEADS:
        words.pop()
    labels = [label for label in table_labels(table, catalog, glossary) if has_cjk(label)]
    if words[-1] not in kinds and not any(label in kinds for label in labels):
        return False
    # Lines that are called orders belong to what is.
    return not any(singular(name_words(join.right[-1])[-1]) in kinds for join in _out(table, catalog))


def _is_paid_by_buyers(table: Table, catalog: Catalog) -> bool:
    """Whether customers pay, and nothing here is paid that is not sold."""
    named = {singular(word) for each in catalog.tables for word in name_words(each.name)}
    reached = Routes(catalog).reachable(table.path)
    buyers = any(_BUYERS & {singular(word) for word in name_words(path[-1])} for path in reached)
    return buyers and not named & _NO_SALES


def _out(table: Table, catalog: Catalog) -> Iterator[Join]:
    return (join for join in catalog.joins_of([table.path]) if join.left == table.path != join.right)


def _amount_of(table: Table, metrics: Sequence[Metric]) -> Metric | None:
    """The sum of the table's one amount, or of the one that is its total."""
    sums = _sums_of(table, metrics)
    if len(sums) > 1 and any(_PAID.search(_column_of(each, table)) for each in sums):
        return None  # what was ordered or what was paid
    whole = [each for each in sums if _is_whole(_column_of(each, table), table)]
    return whole[0] if len(whole) == 1 else None


def _is_whole(column: str, table: Table) -> bool:
    """Whether an amount is what a row is worth, and no fee, tax or discount of it."""
    if has_cjk(column):
        return not _PARTS_ZH.search(column)
    words = {singular(word) for word in name_words(column)} - {singular(word) for word in name_words(table.name)}
    return words <= _WHOLES


def _sums_of(table: Table, metrics: Sequence[Metric]) -> list[Metric]:
    return [
        m
        for m in metrics
        if m.entity == table.full_name
        and m.format == "money"
        and m.expression.startswith("SUM(")
        and not BESIDE.search(_column_of(m, table))
    ]


def _column_of(metric: Metric, table: Table) -> str:
    return metric.name.removeprefix(f"total_{table.name}_")


def _lines_of(document: Table, catalog: Catalog, metrics: Sequence[Metric]) -> Metric | None:
    """The worth of the lines of a document: their own amount, or price by pieces less the discount."""
    found = [
        (join.left, column) for join in catalog.joins if join.right == document.path != join.left
        for column in join.left_columns[:1]
        if _are_lines(join.left[-1], document) and is_view(catalog.by_path[join.left]) == is_view(document)
    ]  # fmt: skip
    if len({path for path, _ in found}) != 1:
        return None
    table = catalog.by_path[found[0][0]]
    time = _time_of(document, metrics)
    own, worth = _amount_of(table, metrics), _worth(table)
    if own is not None and not (worth and _PRICES.search(_column_of(own, table))):
        return replace(own, time=time or own.time)
    if not worth:
        return None
    return Metric(
        name=f"worth_{table.name}", label=Both(), entity=table.full_name, expression=worth, time=time, format="money",
        status="proposed",
    )  # fmt: skip


def _are_lines(name: str, document: Table) -> bool:
    if has_cjk(name):
        return any(word in name for word in _LINES if has_cjk(word))
    called = name.casefold()
    if {singular(word) for word in name_words(name)} & _LINES or called.startswith(document.name.casefold()):
        return True
    # orderdetails of orders: two words in one.
    head = singular(document.name.casefold())
    return called.startswith(head) and singular(called.removeprefix(head)) in _LINES


def _time_of(document: Table, metrics: Sequence[Metric]) -> Place | None:
    return next((m.time for m in metrics if m.entity == document.full_name and m.expression == "COUNT(*)"), None)


def _worth(table: Table) -> str:
    prices = [column for column in table.columns if _PRICES.search(column.name)]
    pieces = [column for column in table.columns if set(map(singular, name_words(column.name))) & _PIECES]
    off = [column for column in table.columns if re.search("discount|折扣|优惠", column.name, re.I)]
    pieces = [column for column in pieces if column not in prices and column not in off]
    told = [column for column in pieces if set(map(singular, name_words(column.name))) & _QUANTITIES]
    pieces = told if len(told) == 1 else pieces  # of quantityOrdered and orderLineNumber the second numbers lines
    if len(prices) != 1 or len(pieces) != 1 or len(off) > 1:
        return ""
    price, piece = (f'"{table.name}"."{each.name}"' for each in (prices[0], pieces[0]))
    if not off:
        return f"SUM({price} * {piece})"
    if not is_share(off[0]):
        return ""  # of a piece or of the line, nobody says
    return f'SUM({price} * {piece} * (1 - "{table.name}"."{off[0].name}"))'


def is_share(column: Column) -> bool:
    """Whether a discount is kept as a part of one."""
    known = [value for value in column.samples if value]
    return bool(known) and all(re.fullmatch(r"0(?:\.\d+)?|\.\d+|1(?:\.0+)?", value) for value in known)


def _free_words(
    words: Sequence[str], metrics: Sequence[Metric], catalog: Catalog, glossary: Glossary
) -> tuple[str, ...]:
    """Of some words those that nothing else here is called."""
    taken = {key_of(word) for m in metrics for word in (m.label.en, m.label.zh, *m.synonyms)}
    taken |= {key_of(word) for table in catalog.tables for word in table_labels(table, catalog, glossary)}
    return tuple(word for word in words if key_of(word) not in taken)
