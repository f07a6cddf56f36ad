"""Reviews by people who bought, and what visitors did on the site."""

from __future__ import annotations

import numpy as np

from inquery.demo import phrases as words
from inquery.demo.goods import PRODUCTS, Goods
from inquery.demo.people import People
from inquery.demo.randomness import Array, Columns, Draw, or_null, pick_available
from inquery.demo.trade import Trade

REVIEWS = 9000
EVENTS = 60_000
KINDS = ("view", "search", "add_to_cart", "purchase")


def make_reviews(draw: Draw, trade: Trade) -> Columns:
    """Reviews follow the purchase by days; each product has its own quality."""
    rng = draw.rng
    moment = trade.item_second + rng.integers(2 * 86_400, 40 * 86_400, len(trade.item_second))
    able = np.flatnonzero(trade.item_completed & (moment <= draw.last_second))
    item = rng.choice(able, REVIEWS, replace=False)
    item = item[np.argsort(moment[item], kind="stable")]
    product = trade.item_product[item]
    quality = rng.normal(4.1, 0.5, PRODUCTS)
    rating = np.clip(np.rint(quality[product] + rng.normal(0, 0.9, REVIEWS)), 1, 5).astype(int)
    remarks = [words.REMARKS[stars] for stars in rating.tolist()]
    chosen = (rng.random(REVIEWS) * np.array([len(texts) for texts in remarks])).astype(int)
    comments = [texts[i] for texts, i in zip(remarks, chosen.tolist(), strict=True)]
    return [
        range(1, REVIEWS + 1),
        (product + 1).tolist(),
        (trade.item_customer[item] + 1).tolist(),
        rating.tolist(),
        or_null(comments, rng.random(REVIEWS) > 0.15),
        draw.times(moment[item]),
    ]


def make_web_events(draw: Draw, people: People, goods: Goods) -> Columns:
    """Sessions of one to eight events; some put something into the cart, some of these buy."""
    rng = draw.rng
    length = 1 + np.minimum(rng.poisson(2.6, EVENTS // 2), 7)
    sessions = int(np.searchsorted(np.cumsum(length), EVENTS)) + 1
    length = length[:sessions]
    length[-1] -= length.sum() - EVENTS
    start = np.sort(rng.integers(0, draw.last_second - 7200, sessions))
    luck = rng.random(sessions)
    buys, carts = (luck < 0.10) & (length >= 3), (luck < 0.28) & (length >= 2)
    session = np.repeat(np.arange(sessions), length)
    place = np.arange(EVENTS) - np.repeat(np.cumsum(length) - length, length)
    left = length[session] - 1 - place
    moment = start[session] + place * 90 + rng.integers(0, 60, EVENTS)
    kind = _kinds(draw, left, buys[session], carts[session])
    day = moment // 86_400
    customer = pick_available(rng, people.registered, people.customer_weight, start // 86_400)
    known = buys | (rng.random(sessions) < 0.65)
    product = pick_available(rng, goods.launched, goods.weight, day)
    return _in_order(
        draw, moment, (customer + 1)[session], known[session], session, kind, product + 1, kind != KINDS.index("search")
    )


def _kinds(draw: Draw, left: Array, buys: Array, carts: Array) -> Array:
    """A buyer's session ends with cart and purchase, a cart session with the cart."""
    kind = np.where(draw.rng.random(len(left)) < 0.28, 1, 0)
    kind[carts & ~buys & (left == 0)] = 2
    kind[buys & (left == 1)] = 2
    kind[buys & (left == 0)] = 3
    return kind


def _in_order(
    draw: Draw, moment: Array, customer: Array, known: Array, session: Array, kind: Array, product: Array, has: Array
) -> Columns:
    rank = np.argsort(moment, kind="stable")
    names = [f"s{number + 1:06d}" for number in session[rank].tolist()]
    return [
        range(1, len(rank) + 1),
        or_null(customer[rank], known[rank]),
        names,
        [KINDS[i] for i in kind[rank]],
        or_null(product[rank], has[rank]),
        draw.times(moment[rank]),
    ]
