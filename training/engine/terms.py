"""`python -m training.engine.terms FILE`: the terms of the domain specifications as a lexicon file."""

from __future__ import annotations

import sys
from pathlib import Path

from training.engine.pools import POOLS
from training.engine.spec import domains, shared_attributes


def terms() -> dict[str, list[str]]:
    """English terms with their Chinese words, in order of first use."""
    found: dict[str, list[str]] = {}

    heads = {entity.key for domain in domains() for entity in domain.entities.values()}

    def add(names: tuple[str, ...], chinese: tuple[str, ...]) -> None:
        for name in names:
            if name is not names[0] and (name in heads or set(name.split()) < set(names[0].split())):
                continue  # "name" of "product name" is not 商品名称, "client" of a wedding is not every client
            words = found.setdefault(name.lower().strip(), [])
            words += [word for word in chinese if word not in words and not word.isascii()]

    for domain in domains():
        for entity in domain.entities.values():
            add(entity.names, entity.chinese)
            for attribute in entity.attributes:
                add(attribute.names, attribute.chinese)
                if attribute.kind == "category":
                    for english, chinese in attribute.values:
                        add((english,), (chinese,))
    for attribute in shared_attributes().values():
        add(attribute.names, attribute.chinese)
    for pool in POOLS.values():
        for english, chinese in pool:
            add((english,), (chinese,))
    return {name: words[:6] for name, words in found.items() if words and len(name) > 1}


def main() -> None:
    """Write the file."""
    lines = [f"{name}\t{'|'.join(words)}" for name, words in sorted(terms().items())]
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
