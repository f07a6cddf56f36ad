"""Other names of frequent values: sexes, flags, and the adjectives of countries. All folded."""

from __future__ import annotations

_SAME = """
male man men boy boys m 男 男性
female woman women girl girls f 女 女性
"""

_ADJECTIVES = """
afghan afghanistan|albanian albania|algerian algeria|american usa us america|argentine argentina|argentinian argentina
australian australia|austrian austria|bangladeshi bangladesh|belgian belgium|brazilian brazil|british uk england britain
bulgarian bulgaria|canadian canada|chilean chile|chinese china|colombian colombia|croatian croatia|cuban cuba
czech czechia|danish denmark|dutch netherlands|egyptian egypt|english england|estonian estonia|ethiopian ethiopia
finnish finland|french france|german germany|greek greece|hungarian hungary|icelandic iceland|indian india
indonesian indonesia|iranian iran|iraqi iraq|irish ireland|israeli israel|italian italy|japanese japan|kenyan kenya
korean korea|malaysian malaysia|mexican mexico|moroccan morocco|nigerian nigeria|norwegian norway|pakistani pakistan
peruvian peru|polish poland|portuguese portugal|romanian romania|russian russia|saudi saudiarabia|scottish scotland
serbian serbia|singaporean singapore|slovak slovakia|spanish spain|swedish sweden|swiss switzerland|syrian syria
thai thailand|turkish turkey|ukrainian ukraine|vietnamese vietnam|welsh wales
"""


def _aliases() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _SAME.strip().splitlines():
        words = line.split()
        for word in words:
            found[word] = tuple(other for other in words if other != word)
    for entry in _ADJECTIVES.replace("\n", "|").strip("|").split("|"):
        adjective, *countries = entry.split()
        found[adjective] = tuple(countries)
        for country in countries:
            found[country] = (*found.get(country, ()), adjective)
    return found


ALIASES = _aliases()
