"""Metrics that a database suggests by itself: how many rows its tables have, and what its amounts add up to.

They are proposals: named by the words of the columns in both languages, without what the business knows of them. Rows
that are marked as deleted are left out, and the filter says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from inquery.catalog.deleted_rows import deletion_of
from inquery.catalog.main_things import counted_name
from inquery.catalog.meant_words import flag_name, flag_values, state_of
from inquery.catalog.time_columns import time_columns, time_kind
from inquery.knowledge.glossary import Both, Glossary
from inquery.language.text import has_cjk, name_words, stem, within_sentence, word_set
from inquery.metrics.metric_book import Values
from inquery.metrics.metric_types import Metric
from inquery.metrics.propose_members import propose_members
from inquery.metrics.propose_purchases import name_purchases
from inquery.metrics.propose_sales import BESIDE, ORDER_VALUE, is_share, is_view, name_sales
from inquery.metrics.question_cover import key_of
from inquery.metrics.spoken_labels import column_labels, short_texts, spoken_name, table_labels, value_words
from inquery.sql.catalog import Catalog, Column, Table
from inquery.sql.stored_dates import stored_date

_NUMBER = re.compile(r"int|num|dec|real|doub|float|money", re.I)
_ADDED = frozenset(
    map(
        stem,
        word_set(
            "amount total sum fee cost price paid payment revenue sales income expense premium balance budget salary wage "
            "quantity qty volume weight hours points tax profit value refund deposit loan principal interest bonus units "
            "discount turnover charge amt money gmv commission rent fine cents pence billed freight carriage postage subtotal "
            "km kilometres mileage litres kwh mwh tonnes pieces copies downloads clicks views impressions output"
        ),
    )
)
_AVERAGED = frozenset(
    map(stem, word_set("rate ratio percent percentage score rating grade age price temperature speed duration level"))
)
_NOT_MEASURED = frozenset(
    map(stem, word_set("id no code key num number sort order seq index year month day status type flag"))
)
_EACH = frozenset(map(stem, word_set("unit list retail per each hourly daily buy buying sell selling")))
_PRICED = frozenset(map(stem, word_set("price cost rate fee wage charge")))
MOST_STATES = 12
_DELETED = frozenset(
    {
        "voided",
        "is_void",
        "is_voided",
        "is_deleted",
        "deleted",
        "del_flag",
        "isdeleted",
        "is_delete",
        "delete_flag",
        "delflag",
    }
)
_ADDED_ZH = re.compile(
    r"金额|总额|费|成本|价|款|额|数量|件数|重量|积分|税|利润|[奖佣租押定罚]金|工资|薪|保额|保费|收入|支出|余额|赔付|[实应已]收|[实应已自]付|[实应]发|支付$|单位数"
    r"|[^参分系岁指位层代]数$"
)


_STOCK = re.compile(r"(?:.* )?(?:stock|inventory)(?: level)?|库存|存货|库存量", re.I)
_RATE_ZH = re.compile(r"(?:率|占比|比例|百分比)(?:[（(][^）)]*[）)])?$")
_MERE_NUMBERS = word_set("count number quantity total tally 数量 数目 数字 计数 总数 次数 人数 件数")
_BESIDES = re.compile(r"(?<![a-z])tax|税|refund|退款|penalt|罚", re.I)
"""What comes on top of the worth of a row, or off it."""
_MAY_BE = re.compile("可|是否|能否|有无")
_MONEY_EN = re.compile(r"\b(?:amount|value|money)\b")
_RECEIVED = re.compile(r"(?:收|付|退款|追回|报销|结算|欠费|佣金)$")
"""实收 is said as 实收金额 too."""


def propose_metrics(catalog: Catalog, glossary: Glossary, values: Values | None = None) -> list[Metric]:
    """Proposals in the order of the tables, for those that nobody defined a metric of.

    None where people named the dimensions too: their words are then the whole vocabulary, and a guess beside it would
    take a word that they left out on purpose.
    """
    if glossary.metrics and glossary.dimensions:
        return []
    measured = {name.casefold() for metric in glossary.metrics.values() for name in (metric.entity, *metric.tables)}
    tables = [t for t in catalog.tables if not {t.name.casefold(), t.full_name.casefold()} & measured]
    found = [metric for table in tables for metric in _of_table(table, catalog, glossary)]
    found = without_views(found, tables)
    found += [rate for table in tables for rate in _rates(table, catalog, glossary, values or {})]
    if glossary.metrics:
        return found
    found = name_purchases(name_sales(found, catalog, glossary), catalog)
    return [*found, *propose_members(found, catalog)]


def without_views(metrics: Sequence[Metric], tables: Sequence[Table]) -> list[Metric]:
    """The proposals without those of views that tables make too: a view repeats the rows of its tables, often several times."""
    views = {table.full_name for table in tables if is_view(table)}
    if not views or len(views) == len(tables):
        return list(metrics)
    taken = {key_of(word) for m in metrics if m.entity not in views for word in (m.label.en, m.label.zh, *m.synonyms)}
    return [
        m
        for m in metrics
        if m.entity not in views
        or (m.expression != "COUNT(*)" and not taken & {key_of(w) for w in (m.label.en, m.label.zh, *m.synonyms)})
    ]


def _rates(table: Table, catalog: Catalog, glossary: Glossary, values: Values) -> Iterator[Metric]:
    """How many of a table's rows came to a state that is stored: the cancellation rate of orders with a status cancelled."""
    words = table_labels(table, catalog, glossary)
    place = _quoted(table.name)
    for column in table.columns:
        states = _states(table, column, values)
        for number, (value, said) in enumerate(states.items()):
            named = tuple(dict.fromkeys(rate for word in said for rate in _rate_names(word, words)))
            if not named or "'" in value:
                continue
            literal = value if value.isdigit() and _NUMBER.search(column.type) else f"'{value}'"
            part = f"{table.name}_{column.name}_{number}"
            condition = f"{place}.{_quoted(column.name)} = {literal}"
            deleted, time = not_deleted(table), _dated(table)
            yield Metric(
                name=part,
                label=Both(),  # a part of the rate alone: no question names it
                entity=table.full_name,
                expression="COUNT(*)",
                filter=f"{condition} AND {deleted}" if deleted else condition,
                time=time,
                status="proposed",
            )
            yield Metric(
                name=f"{part}_rate",
                label=Both(
                    en=next((word for word in named if not has_cjk(word)), ""),
                    zh=next((word for word in named if has_cjk(word)), ""),
                ),
                synonyms=named,
                kind="ratio",
                numerator=part,
                denominator=f"{table.name}_count",
                additivity="ratio",
                format="percent",
                status="proposed",
            )


def _states(table: Table, column: Column, values: Values) -> dict[str, tuple[str, ...]]:
    """The stored states of a column with their words: of a status, of codes that somebody explained, of a flag that is set."""
    if column.name.casefold() in _DELETED:
        return {}
    told = {each.value: each.words for each in column.meanings}
    if _STATUS.search(f"{column.name} {column.comment}"):
        stored = values.get((table.full_name, column.name), ())
        states = {value: (value,) for value in stored} | told
    elif (flag := flag_name(column) or state_of(column)) and (pair := flag_values(column)) is not None:
        return {pair[0]: tuple(dict.fromkeys((flag, *told.get(pair[0], ()))))}
    else:
        states = {} if _KIND.search(f"{column.name} {column.comment}") else told
    return states if 1 < len(states) <= MOST_STATES else {}


_STATUS = re.compile(r"status|state|result|verdict|outcome|状态|结果|进度|结论", re.I)
_KIND = re.compile(
    r"type|kind|sex|gender|level|grade|category|class|类|性别|学历|等级|级别|方式|渠道|车型|职称|岗位|班次|单位", re.I
)


def _rate_names(state: str, tables: Sequence[str], *, translate: bool = True) -> Iterator[str]:
    """取消率 for 已取消, cancellation rate for cancelled."""
    if has_cjk(state):
        bare = re.sub(r"^(?:已经?|被)", "", state)
        if 2 <= len(bare) <= 3:
            yield f"{bare}率"
            yield from (f"{home}{bare}率" for home in tables if has_cjk(home))
            for word in value_words(state) if translate else ():
                yield from _rate_names(word, tables, translate=False)
        return
    folded = state.casefold().replace("_", " ")
    if not re.fullmatch(r"[a-z ]{4,20}", folded):
        return
    nouns = [noun for ending, noun in _STATE_NOUNS if folded.endswith(ending)]
    for noun in (folded, *nouns):
        yield f"{noun} rate"
        yield from (f"{home} {noun} rate" for home in tables if not has_cjk(home))
    for word in value_words(state) if translate else ():
        yield from _rate_names(word, tables, translate=False)


_STATE_NOUNS = (
    ("cancelled", "cancellation"), ("canceled", "cancellation"), ("returned", "return"), ("completed", "completion"),
    ("rejected", "rejection"), ("failed", "failure"), ("approved", "approval"), ("refunded", "refund"), ("delayed", "delay"),
    ("delivered", "delivery"), ("passed", "pass"), ("won", "win"), ("lost", "loss"), ("renewed", "renewal"),
    ("lapsed", "lapse"), ("cancel", "cancellation"), ("complete", "completion"), ("approve", "approval"), ("reject", "rejection"),
    ("renew", "renewal"),
)  # fmt: skip


def _of_table(table: Table, catalog: Catalog, glossary: Glossary) -> Iterator[Metric]:
    words = table_labels(table, catalog, glossary)
    condition = not_deleted(table)
    time = _dated(table) or _dated_by_head(table, catalog)
    english = next((word for word in words if not has_cjk(word)), table.name)
    chinese = next((word for word in words if has_cjk(word)), "")
    pieces = [column for column in table.columns if _measure(column) == "SUM" and not _is_money(column)]
    stocked = pieces[0] if len(pieces) == 1 and any(_STOCK.fullmatch(word) for word in words) else None
    counting = tuple(_counting(words, amounts=any(_measure(column) == "SUM" for column in table.columns)))
    yield Metric(
        name=f"{table.name}_count",
        label=Both()
        if stocked
        else Both(en=f"number of {counted_name(english, 'en') or english}", zh=f"{chinese}数" if chinese else ""),
        synonyms=() if stocked else counting,  # stock is as many pieces as are there, and no row of a list
        entity=table.full_name,
        expression="COUNT(*)",
        filter=condition,
        time=time,
        status="proposed",
    )
    amounts = [column for column in table.columns if _measure(column) == "SUM" and _is_money(column)]
    amounts = [column for column in amounts if not BESIDE.search(column.name)]
    referring = {name for key in table.foreign_keys for name in key.columns}
    referring |= {
        name for join in catalog.joins_of([table.path]) if join.left == table.path for name in join.left_columns
    }
    goods = _dated(table) is None and any(join.right == table.path for join in catalog.joins_of([table.path]))
    for column in table.columns:
        how = None if column.name in referring else _measure(column)
        if how is None:
            continue
        if goods and how == "SUM" and _is_price_of_one(column):
            how = "AVG"  # what products are sold at, of which nobody adds up the list
        labels = column_labels(table, column, catalog, glossary)
        if not _is_money(column):
            labels = tuple(word for word in labels if not _MONEY_EN.search(word)) or labels  # 数量 is no amount
        if how == "SUM" and _is_money(column):
            labels = tuple(dict.fromkeys((*labels, *(f"{word}金额" for word in labels if _RECEIVED.search(word)))))
        if column is stocked:
            stock = tuple(_counting(words, amounts=False))
            labels = tuple(dict.fromkeys((*labels, *stock, *(f"{w} level" for w in words if not has_cjk(w)))))
        if amounts == [column] and not _BESIDES.search(column.name):
            # The one amount of a table is what its rows are worth.
            labels = tuple(dict.fromkeys((*labels, *_worth(words))))
        place = f"{_quoted(table.name)}.{_quoted(column.name)}"
        shown = glossary.shown_as(table, column.name).label
        en = within_sentence(shown.en) or next((word for word in labels if not has_cjk(word)), column.name)
        zh = shown.zh or next((word for word in labels if has_cjk(word)), "")
        mean, bare = _mean_of(en, zh), tuple(filter(None, (en, zh)))
        yield Metric(
            name=f"{'average' if how == 'AVG' else 'total'}_{table.name}_{column.name}",
            label=mean if how == "AVG" else Both(en=en, zh=zh),
            # A rate that is named 利润率 alone is asked for of a whole, and the mean of its parts is another.
            synonyms=labels if how == "SUM" else (*_averaging(labels), *(() if has_cjk(column.name) else bare)),
            entity=table.full_name,
            expression=_sum_of(column, place, how),
            filter=condition,
            time=(dated := _dated_by_name(table, column) or time),
            additivity="ratio" if how == "AVG" else "additive",
            format="money" if how == "SUM" and _is_money(column) else "number",
            status="proposed",
        )
        if how == "SUM":
            orders = amounts == [column] and any(word in ("order", "订单") for word in words)
            yield Metric(
                name=f"average_{table.name}_{column.name}",
                label=mean
                if shown or has_cjk(column.name)
                else Both(en=f"average {spoken_name(column.name)}", zh=mean.zh),
                synonyms=tuple(
                    dict.fromkeys(
                        (
                            *_averaging(labels),
                            f"average {spoken_name(column.name)}",
                            *(ORDER_VALUE[:6] if orders else ()),
                        )
                    )
                ),
                entity=table.full_name,
                expression=_sum_of(column, place, "AVG"),
                filter=condition,
                time=dated,
                additivity="ratio",
                format="money" if _is_money(column) else "number",
                status="proposed",
            )


def _dated(table: Table) -> tuple[str, str] | None:
    every = [each for each in time_columns(table) if each.score > 0]
    known = [each for each in every if _is_day_of_all(table, each.name, alone=len(every) == 1)]
    # Rows of Billing are dated by Bill_Date, not by the day they were paid, which comes later or never.
    own = [each.name for each in known if _is_called_after(table, each.name)] if not table.time_column else []
    found = own[0] if len(own) == 1 else next((each.name for each in known if each.recommended), None)
    if (
        found
        and _PAID_ON.search(found)
        and any(each.name != found and _keeps_months(table, each.name) for each in every)
    ):
        return None  # a bill of June that was paid in July: which of the two counts is not said
    return (table.full_name, found) if found else None


_PAID_ON = re.compile(r"paid|settled|[付收]款|缴费|支付", re.I)


def _keeps_months(table: Table, column: str) -> bool:
    known = table.column(column)
    stored = stored_date(known) if known is not None else None
    return stored is not None and stored.monthly


def _is_day_of_all(table: Table, column: str, *, alone: bool) -> bool:
    """Whether a column dates the rows: it keeps days, and not those on which some of them ended, unless there is no other."""
    known = table.column(column)
    if known is None or not keeps_days(known) or _ENDS.search(f"{column} {known.comment}"):
        return False
    return alone or not _MAY_END.search(f"{column} {known.comment}")


_ENDS = re.compile(
    r"(?:^|_|(?<=[a-z]))(?:died|left|quit|retired|expir\w*|deadline|cancel\w*|deleted|valid_to)(?:_|$|[A-Z]|\b)|死亡|离职|到期|截止|注销|失效",
    re.I,
)
_MAY_END = re.compile(r"(?:^|_|(?<=[a-z]))(?:ended|closed|due|out|until)(?:_|$|[A-Z]|\b)|取消|终止|驶出|离场", re.I)


def keeps_days(column: Column) -> bool:
    """Whether the values are days that engines know, or that are kept in a way we know: a bare year is none."""
    if stored_date(column) is not None or not column.samples:
        return True
    return all(_ISO.match(sample) for sample in column.samples if sample)


_ISO = re.compile(r"\d{4}-\d\d-\d\d")


def _dated_by_name(table: Table, column: Column) -> tuple[str, str] | None:
    """签约金额 is dated by 签约日期, pay_fen by pay_time: the one date that is called as the figure is."""
    own = {word for word in (name_words(column.name)[:1] + name_words(column.name)[-1:]) if len(word) > 2}
    own -= set(name_words(table.name))
    found = []
    for each in time_columns(table):
        known = table.column(each.name)
        if known is None or not keeps_days(known):
            continue
        acts = [
            re.sub(r"(?:日期|时间|日)$", "", text) for text in short_texts(known.comment or known.name) if has_cjk(text)
        ]
        labels = [text for text in (*short_texts(column.comment), column.name) if has_cjk(text)]
        alike = any(len(act) > 1 and label.startswith(act) for act in acts for label in labels)
        words = name_words(each.name)
        if alike or own & set(words[:1]):
            found.append(each.name)
    return (table.full_name, found[0]) if len(found) == 1 else None


def _is_called_after(table: Table, column: str) -> bool:
    """Whether a date has the table's own name: Bill_Date of Billing, 开票日期 of 开票记录."""
    known = table.column(column)
    told = known.comment if known is not None and has_cjk(known.comment) else column
    if has_cjk(told):
        return told[:2] in table.name or told[:2] in table.comment
    homes = name_words(table.name)
    return any(len(word) > 3 and home.startswith(word) for word in name_words(column) for home in homes)


def _dated_by_head(table: Table, catalog: Catalog) -> tuple[str, str] | None:
    """Lines of an order are dated by the order: the one table they belong to that is called alike."""
    heads = {join.right: join for join in catalog.joins_of([table.path]) if join.left == table.path}
    dated = [
        (other.full_name, when[1])
        for other in catalog.tables
        if other.path in heads and _are_called_alike(table.name, other.name) and (when := _dated(other)) is not None
    ]
    return dated[0] if len(dated) == 1 else None


def _are_called_alike(line: str, head: str) -> bool:
    """order_line_items and orders, 销售明细 and 销售单."""
    if has_cjk(line) and has_cjk(head):
        return line[:2] == head[:2]
    first, second = [[stem(word) for word in name_words(name)] for name in (line, head)]
    return bool(first and second) and len(first) > len(second) and first[: len(second)] == second


def _counting(words: tuple[str, ...], *, amounts: bool) -> Iterator[str]:
    """Catches, number of catches, 捕捞数; the amount that was caught (捕捞量) only where no column has it."""
    for word in words:
        if word in _MERE_NUMBERS:
            continue  # of a table called so, a number may be what its rows keep
        if has_cjk(word):
            heads = (f"{word}人数",) if _PEOPLE_ZH.search(word) else ()
            yield from (word, f"{word}数", f"{word}数量", *heads, *(() if amounts else (f"{word}量",)))
        else:
            yield from (word, f"number of {word}", f"{word} count")


_PEOPLE_ZH = re.compile(
    r"(?:人|[人职学会店雇球队成]员|[员职民技]工|学生|[老教医律]师|医生|[患作读记学]者|客户|顾客|用户|乘客|旅客|司机)$"
)
"""Of people the number is 人数: 员工人数."""


def _worth(words: tuple[str, ...]) -> Iterator[str]:
    for word in words:
        if has_cjk(word):
            yield from (f"{word}金额", f"{word}总额", f"{word}总金额")
        else:
            yield from (
                f"{word} amount",
                f"{word} value",
                f"amount of {word}",
                f"value of {word}",
                f"total {word} amount",
            )


def _averaging(labels: tuple[str, ...]) -> Iterator[str]:
    for word in labels:
        yield f"平均{word}" if has_cjk(word) else f"average {word}"


def _mean_of(en: str, zh: str) -> Both:
    """What a mean is called by what it is of; an average rating is one already."""
    said = en if re.match(r"(?:average|avg|mean)\b", en) else f"average {en}"
    return Both(en=said, zh=zh if not zh or "平均" in zh else f"平均{zh}")


def _measure(column: Column) -> str | None:
    """SUM for what adds up, AVG for what does not, None for what is no measure."""
    if column.primary_key or not _NUMBER.search(column.type) or time_kind(column) or column.name.casefold() in _DELETED:
        return None
    words = [stem(word) for word in name_words(column.name)]
    if _MAY_BE.match(column.name) or (len(column.samples) == 2 and flag_values(column) is not None):
        return None  # 可计费 and 退款 that is 0 or 1 are flags, though 费 and 款 stand in them
    if not words or (words[-1] in _NOT_MEASURED and name_words(column.name)[-1] != "ordered"):
        return None
    # Prices of one piece do not add up: the price of a list, of a unit, of an hour.
    each = (set(words) & _EACH and set(words) & _PRICED) or column.name.endswith("单价") or "单价" in column.comment
    if words[-1] in _AVERAGED and (words[-1] not in _ADDED or each):
        return "AVG"
    if each:
        return None
    if _RATE_ZH.search(column.name):
        # 利润率 has 利润 in it and adds up no more than 退货率, which is explained as 退货件数占销售件数.
        return "AVG" if _ADDED_ZH.search(column.name) else None
    told = {stem(word) for text in short_texts(column.comment) if not has_cjk(text) for word in name_words(text)}
    if BESIDE.search(column.name) and is_share(column):
        return "AVG"  # a fifth off and a tenth off are no three tenths
    if set(words) & _ADDED or _ADDED_ZH.search(column.comment) or _ADDED_ZH.search(column.name) or told & _ADDED:
        return "SUM"
    return None


def _is_price_of_one(column: Column) -> bool:
    words = name_words(column.name)
    return bool(words) and words[-1] in _ONE_PRICE and not set(words) & _WHOLE_PRICE


_ONE_PRICE = frozenset(["price", "prices", "价格", "售价", "标价"])
_WHOLE_PRICE = frozenset(["total", "sum", "paid", "order"])


def _is_money(column: Column) -> bool:
    words = {stem(word) for word in name_words(column.name)}
    counted = {
        stem(word)
        for word in word_set(
            "quantity qty volume weight hours points units km kilometres mileage litres kwh mwh tonnes"
        )
    }
    counted |= {stem(word) for word in word_set("pieces copies downloads clicks views impressions output")}
    told = next((text for text in (column.comment, column.name) if has_cjk(text)), "")
    return not words & counted and (not told or bool(_MONEY_ZH.search(told)))


_MONEY_ZH = re.compile(r"额|费|价|款|金|成本|收入|支出|税|利润|工资|薪|[实应已]收|[实应已自]付|支付|赔付|元")
_HUNDREDTHS = re.compile(r"(?:^|[_a-z])(?:cents?|pence|fen)$|Cents?$|Pence$|Fen$")
_HUNDREDTHS_SAID = re.compile(r"[（(，,、 ]分(?:$|[）)，,])|单位[:：]?分|\bin cents\b|\bcents\b|\bpence\b")


def _sum_of(column: Column, place: str, how: str) -> str:
    """Money that is kept in cents is told in whole units."""
    cents = _HUNDREDTHS.search(column.name) or _HUNDREDTHS_SAID.search(column.comment)
    return f"{how}({place}) / 100.0" if cents else f"{how}({place})"


def not_deleted(table: Table) -> str:
    """The condition of a proposal that leaves out rows marked as deleted; empty where a table marks none."""
    marked = deletion_of(table)
    if marked is not None:
        place = f"{_quoted(table.name)}.{_quoted(marked.column.name)}"
        alive = marked.alive if marked.is_number else f"'{marked.alive}'"
        return f"{place} IS NULL" if marked.alive is None else f"{place} = {alive}"
    found = next((column for column in table.columns if column.name.casefold() in _DELETED), None)
    if found is None or not _NUMBER.search(found.type):
        return ""
    return f"{_quoted(table.name)}.{_quoted(found.name)} = 0"


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else f'"{name}"'
