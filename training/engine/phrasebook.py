"""How people compare and rank by an attribute: by its last word in English, by the attribute itself in Chinese."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Concept:
    """Wordings of more, less, most and least; {v} is the threshold with its unit."""

    more: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    most: tuple[str, ...] = ()
    least: tuple[str, ...] = ()
    most_zh: tuple[str, ...] = ()
    least_zh: tuple[str, ...] = ()
    key: str = ""
    """Characters of which the Chinese label must have one for the Chinese wordings to fit."""


CONCEPTS: dict[str, Concept] = {
    "age": Concept(
        ("older than {v}", "over {v} years old", "aged over {v}", "above the age of {v}"),
        ("younger than {v}", "under {v} years old", "aged under {v}", "below the age of {v}"),
        ("oldest",), ("youngest",), ("年龄最大", "最年长"), ("年龄最小", "最年轻"), "年龄",
    ),
    "price": Concept(
        ("costing more than {v}", "priced above {v}", "more expensive than {v}", "that cost over {v}"),
        ("costing less than {v}", "cheaper than {v}", "priced below {v}", "that cost under {v}"),
        ("most expensive", "priciest", "highest-priced"), ("cheapest", "least expensive"), ("最贵",), ("最便宜",), "价",
    ),
    "salary": Concept(
        ("earning more than {v}", "who earn over {v}", "paid more than {v}", "making more than {v}"),
        ("earning less than {v}", "who earn under {v}", "paid less than {v}"),
        ("highest-paid", "best-paid"), ("lowest-paid", "worst-paid"), ("工资最高", "薪水最高"), ("工资最低", "薪水最低"), "薪工资",
    ),
    "height": Concept(
        ("taller than {v}",), ("shorter than {v}",), ("tallest",), ("shortest",), ("最高",), ("最矮",), "身高",
    ),
    "weight": Concept(
        ("heavier than {v}", "weighing more than {v}"), ("lighter than {v}", "weighing less than {v}"),
        ("heaviest",), ("lightest",), ("最重",), ("最轻",), "重",
    ),
    "length": Concept(("longer than {v}",), ("shorter than {v}",), ("longest",), ("shortest",), ("最长",), ("最短",), "长"),
    "duration": Concept(
        ("longer than {v}", "lasting more than {v}"), ("shorter than {v}", "lasting less than {v}"),
        ("longest",), ("shortest",), ("最长", "时间最长"), ("最短", "时间最短"), "长",
    ),
    "area": Concept(("larger than {v}", "bigger than {v}"), ("smaller than {v}",), ("largest", "biggest"), ("smallest",), ("面积最大",), ("面积最小",), "积"),
    "population": Concept(
        ("with more than {v} inhabitants", "with a population over {v}"), ("with fewer than {v} inhabitants",),
        ("most populous",), ("least populous",), ("人口最多",), ("人口最少",), "人口",
    ),
    "speed": Concept(("faster than {v}",), ("slower than {v}",), ("fastest",), ("slowest",), ("最快",), ("最慢",), "速"),
    "depth": Concept(("deeper than {v}",), ("shallower than {v}",), ("deepest",), ("shallowest",), ("最深",), ("最浅",), "深"),
    "rating": Concept(
        ("rated above {v}", "rated higher than {v}", "scoring over {v}"), ("rated below {v}", "rated lower than {v}"),
        ("highest-rated", "best-rated", "top-rated"), ("lowest-rated", "worst-rated"), (), (),
    ),
    "score": Concept(("scoring above {v}",), ("scoring below {v}",), ("highest-scoring",), ("lowest-scoring",), (), ()),
    "elevation": Concept(("higher than {v}", "above {v}"), ("lower than {v}",), ("highest",), ("lowest",), ("海拔最高",), ("海拔最低",), "海拔"),
    "views": Concept(("viewed more than {v} times",), ("viewed fewer than {v} times",), ("most viewed", "most watched"), ("least viewed",), (), ()),
    "citations": Concept(("cited more than {v} times",), ("cited fewer than {v} times",), ("most cited",), ("least cited",), ("被引最多",), (), "引"),
    "pages": Concept(("longer than {v}", "with over {v}"), ("shorter than {v}",), ("longest",), ("shortest",), ("最厚", "页数最多"), ("最薄", "页数最少"), "页"),
}  # fmt: skip
CONCEPTS["fare"] = CONCEPTS["price"]
CONCEPTS["size"] = CONCEPTS["area"]
CONCEPTS["altitude"] = CONCEPTS["elevation"]
CONCEPTS["pay"] = CONCEPTS["wage"] = CONCEPTS["salary"]

BLANK = Concept()
_ALONE = frozenset(["size", "length", "score", "height", "speed", "depth"])
"""Words that mean something else after another word: sample size, credit score."""

COUNTED = frozenset(
    [
        "seats",
        "goals",
        "likes",
        "views",
        "votes",
        "credits",
        "employees",
        "students",
        "rooms",
        "screens",
        "copies",
        "pages",
        "beds",
        "bedrooms",
        "floors",
        "votes",
        "points",
        "medals",
        "wins",
        "losses",
        "titles",
        "fans",
        "followers",
        "plays",
        "shares",
        "stars",
        "forks",
        "comments",
        "episodes",
        "tracks",
        "citations",
        "visitors",
        "runways",
        "platforms",
        "berths",
        "elevators",
        "deaths",
        "participants",
        "travelers",
        "guests",
        "cups",
        "bottles",
        "openings",
        "assists",
        "rebounds",
    ]
)
"""Attributes that count things: "with more than 50 seats"."""

DATE_VERBS: dict[str, tuple[str, ...]] = {
    "hire": ("hired",), "registration": ("registered", "who registered"), "sign up": ("signed up",), "order": ("placed", "ordered"),
    "payment": ("paid",), "delivery": ("delivered",), "release": ("released",), "opening": ("opened", "that opened"),
    "created": ("created",), "creation": ("created",), "birth": ("born",), "start": ("that started",), "end": ("ending", "that ended"),
    "due": ("due",), "listed": ("listed",), "join": ("who joined", "joining"), "posted": ("posted",), "post": ("posted",),
    "publish": ("published",), "published": ("published",), "publication": ("published",), "launch": ("launched",), "filing": ("filed",),
    "award": ("awarded",), "purchase": ("purchased", "bought"), "issue": ("issued",), "sale": ("made", "sold"), "check in": ("checking in",),
    "booking": ("booked", "made"), "upload": ("uploaded",), "departure": ("departing", "leaving"), "sign": ("signed",), "signing": ("signed",),
    "opened": ("opened",), "upgrade": ("upgraded",), "installed": ("installed",), "installation": ("installed",), "taken": ("taken",),
    "reported": ("reported",), "report": ("reported",), "submitted": ("submitted",), "application": ("submitted", "made"), "apply": ("submitted",),
    "enroll": ("enrolled",), "founded": ("founded",), "built": ("built",), "established": ("established",), "issued": ("issued",),
    "updated": ("updated",), "donation": ("made",), "deal": ("closed",), "closing": ("closed",), "ship": ("shipped",), "sent": ("sent",),
    "acquired": ("acquired",), "debut": ("who debuted",), "enrollment": ("enrolled",), "harvest": ("harvested",), "expiry": ("expiring",),
    "committed": ("made",), "commit": ("made",), "approval": ("approved",), "manufactured": ("manufactured",), "return": ("returned",),
    "borrow": ("borrowed",), "loan": ("borrowed",), "borrowed": ("borrowed",), "returned": ("returned",), "collected": ("collected",),
    "premiere": ("premiered",), "concert": ("held",), "event": ("held",), "training": ("held",), "wedding": ("held",), "match": ("played",),
    "game": ("played",), "race": ("held",), "interview": ("held",), "visit": ("made",), "inspection": ("carried out",), "repair": ("carried out",),
    "vaccination": ("given",), "treatment": ("given",), "transfer": ("made",), "transaction": ("made",), "trade": ("made",),
}  # fmt: skip
"""Participles of dates and years: "orders placed in March"."""

PLACES = frozenset(
    [
        "city",
        "province",
        "state",
        "district",
        "region",
        "location",
        "headquarters",
        "area",
        "building",
        "exchange",
        "track",
        "departure city",
        "data center",
    ]
)
ORIGINS = frozenset(["country", "nationality", "hometown", "flag", "official language"])
PREMODIFIERS = frozenset(
    [
        "status",
        "type",
        "category",
        "genre",
        "gender",
        "sex",
        "cuisine",
        "level",
        "color",
        "colour",
        "species",
        "breed",
        "section",
        "topic",
        "theme",
        "style",
        "stage",
        "severity",
        "shift",
        "priority",
        "education",
        "degree",
        "season",
        "medium",
        "kind",
        "role",
        "position",
        "job",
        "occupation",
        "specialty",
        "subject",
        "field",
        "sport",
        "class",
        "tier",
        "plan",
        "membership",
        "material",
        "era",
        "dynasty",
        "industry",
        "sector",
        "outcome",
        "result",
        "label",
        "format",
        "network",
        "layout",
    ]
)
"""Last words of attributes whose value can stand before the noun: "completed orders"."""


def concept_of(names: tuple[str, ...]) -> Concept:
    """The concept of an attribute by the last word of its names."""
    for name in names:
        last = name.split()[-1]
        found = CONCEPTS.get(last)
        if found and (last not in _ALONE or name == last):
            return found
    return BLANK


def verbs_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """Participles of a date or year attribute."""
    for name in names:
        words = name.replace("date of ", "").replace("date ", "").replace("year ", "").split()
        for size in (2, 1):
            found = DATE_VERBS.get(" ".join(words[:size]))
            if found:
                return found
    return ()


def verb_zh(chinese: str) -> str:
    """下单日期 → 下单; empty where nothing is left."""
    for ending in ("日期", "时间", "年份", "年月", "日", "年"):
        if chinese.endswith(ending):
            return chinese.removesuffix(ending)
    return ""
