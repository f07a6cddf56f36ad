"""Other names of frequent values: sexes, and countries with their adjectives, peoples and codes. All folded."""

from __future__ import annotations

_SAME = """
male man men boy boys m 男 男性 雄
female woman women girl girls f 女 女性 雌
"""

# The names of a country, written together, then what is called after it.
_COUNTRIES = """
afghanistan: afghan|albania: albanian|algeria: algerian|argentina: argentine argentinian argentinean
australia: australian aussie|austria: austrian|bangladesh: bangladeshi|belgium: belgian|bolivia: bolivian|brazil: brazilian
bulgaria: bulgarian|cambodia: cambodian|cameroon: cameroonian|canada: canadian|chile: chilean
china peoplesrepublicofchina prc: chinese|colombia: colombian|costarica: costarican|croatia: croatian|cuba: cuban
cyprus: cypriot|czechrepublic czechia: czech|denmark: danish dane|ecuador: ecuadorian|egypt: egyptian
england: english englishman british|estonia: estonian|ethiopia: ethiopian|finland: finnish finn
france: french frenchman frenchmen frenchwoman frenchwomen|georgia: georgian|germany: german|ghana: ghanaian|greece: greek
hongkong: hongkonger|hungary: hungarian|iceland: icelandic icelander|india: indian|indonesia: indonesian
iran: iranian persian|iraq: iraqi|ireland: irish irishman irishmen|israel: israeli|italy: italian|jamaica: jamaican
japan: japanese|jordan: jordanian|kazakhstan: kazakh|kenya: kenyan|southkorea korea republicofkorea: korean southkorean
northkorea: northkorean|kuwait: kuwaiti|latvia: latvian|lebanon: lebanese|lithuania: lithuanian|luxembourg: luxembourgish
malaysia: malaysian|mexico: mexican|mongolia: mongolian|morocco: moroccan|nepal: nepali nepalese
netherlands thenetherlands holland: dutch dutchman dutchmen|newzealand: newzealander|nigeria: nigerian
norway: norwegian|pakistan: pakistani|peru: peruvian|philippines thephilippines: filipino filipina philippine
poland: polish pole|portugal: portuguese|qatar: qatari|romania: romanian|russia russianfederation: russian
saudiarabia ksa: saudi saudiarabian|scotland: scottish scot|senegal: senegalese|serbia: serbian serb|singapore: singaporean
slovakia: slovak slovakian|slovenia: slovenian slovene|southafrica: southafrican|spain: spanish spaniard
srilanka: srilankan|sweden: swedish swede|switzerland: swiss|syria: syrian|taiwan: taiwanese|thailand: thai
tunisia: tunisian|turkey turkiye: turkish turk|uganda: ugandan|ukraine: ukrainian
unitedarabemirates uae: emirati|unitedkingdom uk greatbritain britain: british briton
unitedstates unitedstatesofamerica usa us america: american|uruguay: uruguayan|venezuela: venezuelan
vietnam: vietnamese|wales: welsh welshman
"""

# What stands for a country in a column of codes: the two and three letters of ISO 3166.
_CODES = """
afghanistan af afg|albania al alb|algeria dz dza|argentina ar arg|australia au aus|austria at aut|bangladesh bd bgd
belgium be bel|bolivia bo bol|brazil br bra|bulgaria bg bgr|cambodia kh khm|cameroon cm cmr|canada ca can|chile cl chl
china cn chn|colombia co col|costarica cr cri|croatia hr hrv|cuba cu cub|cyprus cy cyp|czechrepublic cz cze|denmark dk dnk
ecuador ec ecu|egypt eg egy|estonia ee est|ethiopia et eth|finland fi fin|france fr fra|georgia ge geo|germany de deu ger
ghana gh gha|greece gr grc|hongkong hk hkg|hungary hu hun|iceland is isl|india in ind|indonesia id idn|iran ir irn|iraq iq irq
ireland ie irl|israel il isr|italy it ita|jamaica jm jam|japan jp jpn|jordan jo jor|kazakhstan kz kaz|kenya ke ken
southkorea kr kor|northkorea kp prk|kuwait kw kwt|latvia lv lva|lebanon lb lbn|lithuania lt ltu|luxembourg lu lux
malaysia my mys|mexico mx mex|mongolia mn mng|morocco ma mar|nepal np npl|netherlands nl nld|newzealand nz nzl|nigeria ng nga
norway no nor|pakistan pk pak|peru pe per|philippines ph phl|poland pl pol|portugal pt prt|qatar qa qat|romania ro rou
russia ru rus|saudiarabia sa sau|senegal sn sen|serbia rs srb|singapore sg sgp|slovakia sk svk|slovenia si svn
southafrica za zaf|spain es esp|srilanka lk lka|sweden se swe|switzerland ch che|syria sy syr|taiwan tw twn|thailand th tha
tunisia tn tun|turkey tr tur|uganda ug uga|ukraine ua ukr|unitedarabemirates ae are|unitedkingdom gb gbr|unitedstates us usa
uruguay uy ury|venezuela ve ven|vietnam vn vnm
"""

# Names that are also words: a country only where they are written as names, so that nail polish is not from Poland.
CAPITALISED = frozenset({"us", "polish", "pole", "turkey", "dane", "finn", "scot", "swede", "jordan", "georgia"})


def _same() -> dict[str, tuple[str, ...]]:
    lines = [line.split() for line in _SAME.strip().splitlines()]
    return {word: tuple(other for other in words if other != word) for words in lines for word in words}


def _countries() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """What countries are also called, and the countries that an adjective or a people may be of."""
    others: dict[str, tuple[str, ...]] = {}
    origins: dict[str, tuple[str, ...]] = {}
    for entry in _COUNTRIES.strip().replace("\n", "|").split("|"):
        names, called = (part.split() for part in entry.split(":"))
        for name in names:
            others[name] = tuple(other for other in (*names, *called) if other != name)
        for word in called:
            origins[word] = (*origins.get(word, ()), *names)
    return others, origins


def _coded() -> dict[str, tuple[str, ...]]:
    """The codes of a country by each of its names, adjectives and peoples."""
    coded: dict[str, tuple[str, ...]] = {}
    for entry in _CODES.strip().replace("\n", "|").split("|"):
        name, *codes = entry.split()
        for called in (name, *COUNTRIES[name]):
            coded[called] = (*coded.get(called, ()), *codes)
    return coded


COUNTRIES, _ORIGINS = _countries()
ALIASES = _same() | _ORIGINS | COUNTRIES
CODES = _coded()
IS_CODE = frozenset(code for codes in CODES.values() for code in codes) | {"uk", "eu"}
LONGEST = 4  # words of a name: United States of America
