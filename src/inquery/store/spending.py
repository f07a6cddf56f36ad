"""What each user spends in a day; kept in the store, so that all workers count together and a restart forgives nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import model_usage, usage


@dataclass(frozen=True, slots=True)
class Spent:
    """One user's day, by UTC."""

    user_id: str
    day: str
    runs: int = 0
    model_calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    cache_hits: int = 0


@dataclass(frozen=True, slots=True)
class SpentOnModel:
    """What one user spent on one model in a day, by UTC."""

    user_id: str
    day: str
    model: str
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0


COUNTS = ("runs", "model_calls", "tokens", "cost", "cache_hits")


def spending_day() -> str:
    """The day that is counted now."""
    return utc_now().date().isoformat()


class Spending:
    """The spending of a store's users."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, spent: Spent) -> None:
        """Count what a run spent."""
        values = {name: getattr(spent, name) for name in COUNTS}
        same = (usage.c.user_id == spent.user_id, usage.c.day == spent.day)
        more = update(usage).where(*same).values({name: usage.c[name] + value for name, value in values.items()})
        try:
            with self.store.write() as connection:
                if not connection.execute(more).rowcount:
                    connection.execute(insert(usage).values(user_id=spent.user_id, day=spent.day, **values))
        except IntegrityError:  # another worker began the day at the same moment
            with self.store.write() as connection:
                connection.execute(more)

    def add_models(self, spent: Sequence[SpentOnModel]) -> None:
        """Count what a run spent on each of its models."""
        for each in spent:
            values = {"calls": each.calls, "tokens": each.tokens, "cost": each.cost}
            key = {"user_id": each.user_id, "day": each.day, "model": each.model[:250]}
            same = [model_usage.c[name] == value for name, value in key.items()]
            added = {name: model_usage.c[name] + value for name, value in values.items()}
            more = update(model_usage).where(*same).values(added)
            try:
                with self.store.write() as connection:
                    if not connection.execute(more).rowcount:
                        connection.execute(insert(model_usage).values(**key, **values))
            except IntegrityError:  # as above
                with self.store.write() as connection:
                    connection.execute(more)

    def on_models(self, day: str, user_id: str | None = None) -> list[SpentOnModel]:
        """Every model from a day on, of a user or of all."""
        wanted: Any = select(model_usage).where(model_usage.c.day >= day)
        wanted = wanted.order_by(model_usage.c.day, model_usage.c.user_id, model_usage.c.model)
        if user_id is not None:
            wanted = wanted.where(model_usage.c.user_id == user_id)
        with self.store.read() as connection:
            return [SpentOnModel(**row._mapping) for row in connection.execute(wanted)]

    def of(self, user_id: str, day: str) -> Spent:
        """What a user spent on a day."""
        with self.store.read() as connection:
            found = connection.execute(select(usage).where(usage.c.user_id == user_id, usage.c.day == day)).first()
        return replace(Spent(user_id, day), **{n: getattr(found, n) for n in COUNTS}) if found else Spent(user_id, day)

    def since(self, day: str, user_id: str | None = None) -> list[Spent]:
        """Every day from one on, of a user or of all."""
        wanted: Any = select(usage).where(usage.c.day >= day).order_by(usage.c.day, usage.c.user_id)
        if user_id is not None:
            wanted = wanted.where(usage.c.user_id == user_id)
        with self.store.read() as connection:
            return [Spent(**row._mapping) for row in connection.execute(wanted)]
