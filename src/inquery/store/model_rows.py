"""Language models by name: kept with their keys encrypted, chosen by a connection, an analyst or a question."""

from __future__ import annotations

import builtins
import datetime
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, SecretStr, ValidationError
from sqlalchemy import Row, delete, insert, select, update

from inquery.errors import BadRequest, NotFound, Text
from inquery.language.nearest import nearest_names
from inquery.settings import LLMSettings
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import models

_WHAT = Text("model", "模型")
OWN = "embedded"
"""The model that ships is always there under its name."""


class ModelContent(BaseModel, extra="forbid"):
    """What a model's settings say; what is not said is as the process's own settings say it."""

    provider: str = Field(min_length=1, max_length=40)
    model: str = Field("", max_length=200)
    base_url: str = Field("", max_length=2000)
    temperature: float | None = Field(None, ge=0, le=2)
    max_tokens: int | None = Field(None, gt=0)
    context_tokens: int | None = Field(None, gt=0)
    timeout_s: float | None = Field(None, gt=0)
    price_in: float | None = Field(None, ge=0)
    price_out: float | None = Field(None, ge=0)
    price_cached: float | None = Field(None, ge=0)


@dataclass(frozen=True, slots=True)
class SavedModel:
    """One model; its key is for its provider alone."""

    name: str
    content: ModelContent
    api_key: SecretStr
    changed: datetime.datetime

    def settings(self, process: LLMSettings) -> LLMSettings:
        """The settings of this model, over those of the process; the process's key and prices are not this model's."""
        said = {name: value for name, value in self.content.model_dump().items() if value is not None}
        blank = {"api_key": self.api_key, "price_in": 0.0, "price_out": 0.0, "price_cached": None}
        return process.model_copy(update=blank | said)


class SavedModels:
    """The models of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def save(self, name: str, content: ModelContent | dict[str, Any], api_key: SecretStr | None = None) -> SavedModel:
        """Keep a model under a name, in place of the one before; without a key the one before keeps its key.

        A key stays only with the address it was given for: whoever changes that has to give it again.
        """
        name, made = _good_name(name), _content(content)
        before = self._row(name)
        if api_key is None:
            kept = before is not None and _place(ModelContent(**before.content)) == _place(made)
            token = before.key_encrypted if kept and before is not None else ""
        else:
            secret = api_key.get_secret_value()
            token = self.store.keyring.encrypt(secret) if secret else ""
        values = {"content": made.model_dump(exclude_none=True), "key_encrypted": token, "changed": utc_now()}
        with self.store.write() as connection:
            if before is None:
                connection.execute(insert(models).values(name=name, **values))
            else:
                connection.execute(update(models).where(models.c.name == before.name).values(values))
        return self.get(name)

    def get(self, name: str) -> SavedModel:
        """The model of that name; raises NotFound with the nearest names."""
        found = self._row(name)
        if found is None:
            names = [each.name for each in self.list()]
            raise NotFound(name, what=_WHAT, name=name, nearest=nearest_names(name, names))
        return self._made(found)

    def list(self) -> builtins.list[SavedModel]:
        """All models by name."""
        with self.store.read() as connection:
            rows = connection.execute(select(models).order_by(models.c.name)).all()
        return [self._made(row) for row in rows]

    def remove(self, name: str) -> SavedModel:
        """Forget a model and its key."""
        gone = self.get(name)
        with self.store.write() as connection:
            connection.execute(delete(models).where(models.c.name == gone.name))
        return gone

    def _row(self, name: str) -> Row[Any] | None:
        with self.store.read() as connection:
            rows = connection.execute(select(models)).all()
        return next((row for row in rows if row.name.casefold() == name.strip().casefold()), None)

    def _made(self, row: Row[Any]) -> SavedModel:
        token = row.key_encrypted
        key = self.store.keyring.decrypt(token) if token else SecretStr("")
        return SavedModel(row.name, ModelContent(**row.content), key, row.changed)


def _place(content: ModelContent) -> tuple[str, str]:
    return content.provider, content.base_url.rstrip("/")


def _content(given: ModelContent | dict[str, Any]) -> ModelContent:
    if isinstance(given, ModelContent):
        return given
    try:
        return ModelContent.model_validate(given)
    except ValidationError as error:
        names = ", ".join(".".join(map(str, problem["loc"])) for problem in error.errors())
        raise BadRequest.because(f"bad settings of a model: {names}", f"模型设置无效：{names}", detail=names) from error


def _good_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > 100 or ":" in name or name.casefold() == OWN:
        raise BadRequest.because(
            f"a model's name has 1 to 100 characters, no colon, and is not {OWN}",
            f"模型名称应为 1 到 100 个字符，不含冒号，且不能为 {OWN}",
        )
    return name
