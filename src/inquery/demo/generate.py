"""The demo business as rows: the same (seed, today) always gives the same data."""

from __future__ import annotations

import datetime

from inquery.demo.definitions import TABLES
from inquery.demo.goods import make_goods
from inquery.demo.people import make_people
from inquery.demo.randomness import Columns, Draw
from inquery.demo.trade import make_trade
from inquery.demo.traffic import make_reviews, make_web_events


def generate_tables(seed: int, today: datetime.date) -> dict[str, Columns]:
    """Every table's columns, in the order of the schema."""
    draw = Draw(seed, today)
    people = make_people(draw)
    goods = make_goods(draw)
    trade = make_trade(draw, people, goods)
    tables = people.tables | goods.tables | trade.tables
    tables["reviews"] = make_reviews(draw, trade)
    tables["web_events"] = make_web_events(draw, people, goods)
    return {table.name: tables[table.name] for table in TABLES}
