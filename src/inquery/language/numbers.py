"""Numbers and quoted spans of a question, in English and Chinese."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

NUMBER, PERCENT, ORDINAL, YEAR = "number", "percent", "ordinal", "year"
LARGEST = 10**300
"""No number of a database is larger, and what is cannot be divided: 亿亿亿… has as many noughts as one likes."""


@dataclass(frozen=True, slots=True)
class NumberHit:
    """A number said in the question; a percentage keeps its face value (50% is 50, kind percent)."""

    value: int | float
    text: str
    start: int
    end: int
    kind: str = NUMBER


@dataclass(frozen=True, slots=True)
class Quoted:
    """The text between quotation marks; start and end are those of the inner text."""

    text: str
    start: int
    end: int


def counted(words: str, start: int = 0) -> dict[str, int]:
    """Words that count up, by their number."""
    return {word: number for number, word in enumerate(words.split(), start)}


UNITS = counted(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
TENS = {word: 10 * n for word, n in counted("twenty thirty forty fifty sixty seventy eighty ninety", 2).items()}
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
ORDINALS = counted(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth",
    1,
)
LOOSE = {
    "half a million": 500_000,
    "half a billion": 500_000_000,
    "a dozen": 12,
    "dozen": 12,
    "half a dozen": 6,
    "a couple of": 2,
    "twice": 2,
    "thrice": 3,
}
SUFFIXES = {"k": 10**3, "m": 10**6, "mn": 10**6, "b": 10**9, "bn": 10**9}

DIGITS_ZH = {c: v for v, c in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "壹": 1,
    "贰": 2,
    "叁": 3,
    "俩": 2,
}
SCALES_ZH = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}

_ZH = "零〇一二三四五六七八九两壹贰叁十百千万亿"
# After these a lone Chinese digit is a word, not a number: 一下, 一共, 统一, 唯一, 万一, 星期三, 十分.
_WORDS_ZH = re.compile(
    "一下|一共|一些|一样|一般|一直|一定|一起|一并|一览|一律|一旦|一切|一致|统一|唯一|万一|之一|同一|某一|任一|逐一|每一(?!百|千|万)"
    "|哪一|这一|那一|一年一度|[一二三四五六七八九十]月(?:份)?|(?:星期|礼拜|周)[一二三四五六日天]|十分(?![之钟])|千万别|百度|百货|千克|万岁"
    "|[一二三四]季度|一线|二手|三方|四川|五金|六一|七夕|八达岭|九江|三亚|三明|三星|两者|百事|一汽|一百分"
)
# Units written next to their number, in their own case: 500g is a weight, 5G a network. Not m (a million), A or D.
_GLUED = (
    "KB|kB|MB|GB|TB|PB|MiB|GiB|TiB|Kbps|kbps|Mbps|Gbps|px|Hz|kHz|MHz|GHz|dB|V|kV|W|kW|MW|GW|Wh|kWh|MWh|GWh|kVA|mAh|Ah"
    "|mg|g|kg|t|lb|lbs|oz|nm|mm|cm|km|ft|ha|sqm|sqft|ml|mL|l|L|cc|U|ms|sec|min|mins|h|hr|hrs|rpm|mph|kph|hp"
    "|cal|kcal|Pa|kPa|MPa|psi|bar|Nm|kN|ppm|pc|pcs|USD|EUR|GBP|CNY|RMB|JPY|HKD"
)
_WORD_NUMBER = "|".join([*UNITS, *TENS, *SCALES])
# The first alternative that fits wins, so dates and times are taken away before their digits are numbers, and what
# only looks like tenths (一成不变, 三成功订单) before its digit is one.
_PATTERNS = re.compile(
    rf"""
      (?P<skip>\d{{4}}[-/.]\d{{1,2}}(?:[-/.]\d{{1,2}})?(?![\d])|(?<!\d)\d{{1,2}}:\d{{2}}(?::\d{{2}})?|\d{{1,2}}/\d{{1,2}}/\d{{4}}
          |\b[48]k(?=\s*(?:uhd|tvs?\b|televisions?|videos?|monitors?|displays?|screens?|resolution|电视|显示|视频|屏|分辨率))
          |\b[2-6]g(?=\s*(?:phones?|networks?|手机|网络|基站|套餐))
          |\bfirst\s+names?\b|\b(?:which|no|any|each|every|another|this|that)\s+one\b)
    | (?P<percent>\d+(?:\.\d+)?\s*(?:%|％|percent\b|per\s+cent\b))
    | (?P<percent_zh>百分之(?:\d+(?:\.\d+)?|[{_ZH}点]+))
    | (?P<year>(?<![\w.,$¥￥-])(?:1[89]|20)\d\d(?:(?=\s*年)|(?![\w%％]|[.,:]\d|\s*(?:{"|".join(SCALES)})|\s*[{_ZH}个元块人次件名张条台辆岁]|[-/]\d)))
    | (?P<tenths_zh>(?:(?<=[了过到占约近达于超有足是前后低高少多降增涨跌升减的])|(?<![\w一-鿿]))[\d一二三四五六七八九]成[半一二三四五六七八九]?(?![功立本员交为绩品长都分人果就套年型语新色熟不])
          |[一二三四五六七八九]成[半一二三四五六七八九]?(?=以上|以下|左右))
    | (?P<no_tenths_zh>[一二三四五六七八九]成)
    | (?P<scaled>(?<![A-Za-z_\d.])\d+(?:,\d{{3}})*(?:\.\d+)?(?:\s*(?:[十百万亿]|千(?![瓦克米卡帕伏赫焦安])){{1,2}}|\s*(?:{"|".join(SCALES)})s?\b|(?:k|mn?|bn?)(?!\w)))
    | (?P<ordinal>(?<![\w.])\d+(?:st|nd|rd|th)\b)
    | (?P<ordinal_zh>第(?:\d+|[{_ZH}]+))
    | (?P<glued>(?<![A-Za-z_\d.])(?:(?<![\d\w一-鿿])[-−])?(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?(?=(?-i:{_GLUED})(?![A-Za-z_\d])))
    | (?P<plain>(?<![\w.])[-−]?\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?![\d])|(?<![A-Za-z_\d.])(?:(?<![\d\w一-鿿])[-−])?(?:\d+\.\d+|\d+|\.\d+)(?![A-Za-z_\d]|\.\d))
    | (?P<said_ordinal>\b(?:(?:{"|".join(TENS)})[\s-])?(?:{"|".join(ORDINALS)})\b)
    | (?P<loose>\b(?:half\s+a\s+(?:dozen|million|billion)|a\s+dozen|dozen|a\s+couple\s+of|twice|thrice)\b)
    | (?P<words>\b(?:(?:a\s+)?(?:{_WORD_NUMBER})(?:(?:[\s-]+(?:and\s+)?)(?:{_WORD_NUMBER}))*)\b)
    | (?P<fraction_zh>[{_ZH}]+分之[{_ZH}]+)
    | (?P<year_zh>[一二][零〇一二三四五六七八九]{{3}}(?=年))
    | (?P<chinese>[{_ZH}]+(?:点[{_ZH}]+)?)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_QUOTES = re.compile(
    r"“([^”]+)”|‘([^’]+)’|「([^」]+)」|『([^』]+)』|《([^》]+)》|\"([^\"]+)\"|(?<!\w)'([^']+(?:'\w[^']*)*)'(?!\w)|`([^`]+)`"
)


def numbers_in(question: str) -> list[NumberHit]:
    """Every number the question states, in order."""
    text = question.translate(_HALF_WIDTH)
    words = [m.span() for m in _WORDS_ZH.finditer(text)] if not text.isascii() else []
    found = []
    for match in _PATTERNS.finditer(text):
        hit = _read(match)
        if hit is None or any(s <= match.start() and match.end() <= e for s, e in words):
            continue
        found.append(NumberHit(hit[0], question[match.start() : match.end()], match.start(), match.end(), hit[1]))
    return found


def quoted_spans(question: str) -> list[Quoted]:
    """The spans the question puts in quotation marks, in order."""
    found = []
    for match in _QUOTES.finditer(question):
        group = next(i for i, inner in enumerate(match.groups(), 1) if inner is not None)
        found.append(Quoted(match.group(group), match.start(group), match.end(group)))
    return found


def chinese_number(text: str) -> int | float | None:
    """The value of a Chinese numeral (十二, 两百, 三万五千, 二〇二四, 一点五亿), None when it is none."""
    whole, dot, fraction = text.partition("点")
    if dot:
        tail = fraction.rstrip("".join(SCALES_ZH))
        scale = chinese_number("一" + fraction[len(tail) :]) if fraction[len(tail) :] else 1
        base = chinese_number(whole)
        if base is None or scale is None or not tail or any(c not in DIGITS_ZH for c in tail):
            return None
        return as_integer((base + float("0." + "".join(str(DIGITS_ZH[c]) for c in tail))) * scale)
    if text and all(c in DIGITS_ZH for c in text):
        return int("".join(str(DIGITS_ZH[c]) for c in text))
    return _scaled_chinese(text)


def _scaled_chinese(text: str) -> int | None:
    """Sums sections of thousands below 万 and 亿; a last bare digit takes a tenth of the scale before it (三万五)."""
    total = section = digit = 0
    last = 1
    bare = False
    for character in text:
        if character in DIGITS_ZH:
            digit = DIGITS_ZH[character]
            bare = digit > 0
            # 三万五 is 35,000 and 三万零五 is 30,005.
            last = 1 if character in "零〇" else last
            continue
        scale = SCALES_ZH.get(character)
        if scale is None:
            return None
        if scale < 10**4:
            section += (digit or 1) * scale
        else:
            section = (section + digit) or (0 if total else 1)
            # 一万亿 is 10,000 times 亿: the 万 before it is a factor, not a part of its own.
            total = (total + section) * scale if scale == 10**8 and total else total + section * scale
            section = 0
        digit, last, bare = 0, scale, False
    return total + section + digit * (last // 10 if bare and last >= 100 else 1)


def english_number(text: str) -> int | None:
    """The value of English number words ("two hundred and five thousand"), None when there is none."""
    total = current = 0
    seen = False
    for word in re.split(r"[\s-]+", text.lower()):
        if word in UNITS or word in TENS:
            current += UNITS.get(word, TENS.get(word, 0))
        elif word in SCALES:
            current = (current or 1) * SCALES[word]
            if SCALES[word] >= 1000:
                total, current = total + current, 0
        elif word not in {"a", "and"}:
            return None
        seen = seen or word in UNITS or word in TENS or word in SCALES
    return total + current if seen else None


def as_integer(value: float) -> int | float:
    """An integer where the value is one."""
    rounded = round(value, 9)
    return int(rounded) if rounded == int(rounded) else rounded


_HALF_WIDTH = {ord("０") + d: ord("0") + d for d in range(10)} | {ord("．"): ord("."), ord("％"): ord("%")}


def _read(match: re.Match[str]) -> tuple[int | float, str] | None:
    """The value and kind of one match of the patterns."""
    kind, text = next((k, v) for k, v in match.groupdict().items() if v is not None)
    value = _READERS[kind](text)
    if value is None or abs(value) > LARGEST:
        return None
    return value, _KINDS.get(kind, NUMBER)


def _digits(text: str) -> int | float | None:
    return _finite(float(re.sub(r"[^\d.\-]", "", text.replace("−", "-"))))


def _finite(value: float) -> int | float | None:
    """A number, None where there are too many digits for one: 400 of them overflow."""
    return as_integer(value) if math.isfinite(value) else None


def _scaled(text: str) -> int | float | None:
    split = re.match(r"([\d.,]+)\s*(\D+)$", text)
    assert split is not None
    unit = split.group(2).lower()
    scale: int | float = SUFFIXES.get(unit) or SCALES.get(unit.rstrip("s")) or chinese_number("一" + unit) or 1
    return _finite(float(split.group(1).replace(",", "")) * scale)


def _chinese(text: str) -> int | float | None:
    if text in SCALES_ZH and text != "十":
        return None
    if len(text) == 2 and all(c in DIGITS_ZH for c in text):
        return None  # 三五个 is "a few"
    return chinese_number(text)


def _fraction(text: str) -> int | float | None:
    below, _, above = text.partition("分之")
    parts = chinese_number(below), chinese_number(above)
    return as_integer(parts[1] / parts[0]) if parts[0] and parts[1] is not None else None


def _ordinal_word(text: str) -> int:
    *tens, last = re.split(r"[\s-]+", text.lower())
    return sum(TENS[word] for word in tens) + ORDINALS[last]


def _percent_zh(text: str) -> int | float | None:
    said = text.removeprefix("百分之")
    return _digits(said) if said[0].isdigit() else chinese_number(said)


def _tenths(text: str) -> int:
    """三成 is 30 percent, 七成半 and 七成五 are 75."""
    whole, _, rest = text.partition("成")
    return 10 * (int(whole) if whole.isdigit() else DIGITS_ZH[whole]) + (5 if rest == "半" else DIGITS_ZH.get(rest, 0))


def _ordinal_zh(text: str) -> int | float | None:
    said = text.removeprefix("第")
    return _digits(said) if said[0].isdigit() else chinese_number(said)


_READERS: dict[str, Callable[[str], int | float | None]] = {
    "skip": lambda text: None,
    "no_tenths_zh": lambda text: None,
    "tenths_zh": _tenths,
    "glued": _digits,
    "fraction_zh": _fraction,
    "year_zh": chinese_number,
    "percent": _digits,
    "percent_zh": _percent_zh,
    "year": _digits,
    "scaled": _scaled,
    "ordinal": _digits,
    "ordinal_zh": _ordinal_zh,
    "plain": _digits,
    "words": english_number,
    "said_ordinal": _ordinal_word,
    "loose": lambda text: LOOSE[re.sub(r"\s+", " ", text.lower())],
    "chinese": _chinese,
}
_KINDS = {
    "percent": PERCENT,
    "percent_zh": PERCENT,
    "tenths_zh": PERCENT,
    "year": YEAR,
    "year_zh": YEAR,
    "ordinal": ORDINAL,
    "ordinal_zh": ORDINAL,
    "said_ordinal": ORDINAL,
}
