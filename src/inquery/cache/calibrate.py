"""How alike two questions must be for L2: measured on questions whose meaning is known, one encoder at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from inquery.cache.slots import slots
from inquery.knowledge.embedders import CachedEmbedder, Embedder
from inquery.settings import CacheSettings

FALSE_HITS = 0.01
"""The share of questions for which another one that means something else would be served."""
MARGIN = 0.005

_FORMS = {
    "en": ("What is the {m} by {d}?", "Show the {m} for each {d}", "{m} per {d}", "Give me {m} broken down by {d}"),
    "zh": ("各{d}的{m}", "按{d}统计{m}", "每个{d}的{m}是多少", "请列出不同{d}的{m}情况"),
}
_MEASURES = {
    "en": ("revenue", "sales volume", "profit", "order value", "discount", "refund amount", "shipping cost", "stock level"),
    "zh": ("销售额", "销售量", "利润", "订单金额", "优惠金额", "退款金额", "运费", "库存量"),
}  # fmt: skip
_GROUPS = {
    "en": ("region", "city", "product", "product category", "customer", "customer segment", "store", "sales channel"),
    "zh": ("地区", "城市", "商品", "商品类别", "客户", "客户类型", "门店", "销售渠道"),
}


@dataclass(frozen=True, slots=True)
class Calibration:
    """A threshold and what it does on the measured questions."""

    threshold: float
    false_hit_rate: float
    hit_rate: float
    questions: int


def calibrate(
    embedder: Embedder, questions: Sequence[tuple[str, str]] | None = None, *, false_hits: float = FALSE_HITS
) -> Calibration:
    """The lowest threshold that keeps to a rate of false hits; `questions` are (text, what it means) pairs.

    A question is a false hit when its nearest neighbour of another meaning, with equal slots, reaches the threshold.
    """
    given = list(questions or bench())
    vectors = embedder.embed([text for text, _ in given])
    cosines = vectors @ vectors.T
    kinds = np.unique([str(slots(text)) for text, _ in given], return_inverse=True)[1]
    meanings = np.unique([meaning for _, meaning in given], return_inverse=True)[1]
    alike = (kinds[:, None] == kinds[None, :]) & ~np.eye(len(given), dtype=bool)
    same = alike & (meanings[:, None] == meanings[None, :])
    nearest_other = np.sort(np.where(alike & ~same, cosines, -1.0).max(axis=1))
    nearest_same = np.where(same, cosines, -1.0).max(axis=1)[same.any(axis=1)]
    allowed = int(len(nearest_other) * false_hits)
    threshold = round(min(1.0, float(nearest_other[len(nearest_other) - 1 - allowed]) + MARGIN), 4)
    wrong, right = (
        float((found >= threshold).mean()) if len(found) else 0.0 for found in (nearest_other, nearest_same)
    )
    return Calibration(threshold, round(wrong, 4), round(right, 4), len(given))


def bench() -> Iterator[tuple[str, str]]:
    """Questions in both languages: each meaning in several wordings, and each a word away from others."""
    for language, forms in _FORMS.items():
        for measure in _MEASURES[language]:
            for group in _GROUPS[language]:
                for form in forms:
                    yield form.format(m=measure, d=group), f"{language} {measure} {group}"


_known: dict[str, float] = {"hashed-1": 0.9198}
"""What encoders measured at; the built-in one's is written down so that opening the caches need not measure it."""


def threshold_for(embedder: Embedder, settings: CacheSettings) -> float:
    """The setting where a person set it, else what this encoder measures at; a server is not asked just for this.

    A trained encoder brings its own threshold, measured on many more questions than `bench` has.
    """
    if "semantic_threshold" in settings.model_fields_set or embedder.name.startswith("openai-"):
        return settings.semantic_threshold
    own = getattr(embedder.inner if isinstance(embedder, CachedEmbedder) else embedder, "threshold", None)
    if own is not None:
        return float(own)
    if embedder.name not in _known:
        _known[embedder.name] = calibrate(embedder).threshold
    return _known[embedder.name]
