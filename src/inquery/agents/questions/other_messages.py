"""Messages that are no question about data, or more than one: what they want, by words in tables.

A word that the database itself speaks of (a table of weather readings, a column of jokes) is left to the writer.
"""

from __future__ import annotations

import re
from typing import Literal

from inquery.language.text import has_cjk, name_stems, stem, word_set, words_of
from inquery.sql import Catalog, Table

Other = Literal["overview", "why", "advice", "off_topic", "nonsense", "foreign", ""]
_I = re.I

OVERVIEW = re.compile(
    r"^\W*(so,?\s+)?(how (are|were) (we|things|sales|the numbers|the business)( all)? (doing|going|looking)|how('s| is) (the )?(business|company)( doing| going| looking)?|how('s| is) it( all)? (going|looking)( then)?|any (surprises|anomal(y|ies)|problems|issues)( (here|in the data))?|"
    r"how (did|do) we do|how does (it|the business) look|give me (an|the) (overview|update|summary)|what('s| is) (new|up|going on|happening)|anything (new|interesting|unusual)|"
    r"(an )?overview|summary|status( update)?|(tell|show) me something( interesting)?)( (this|last|today|lately|recently|these days|so far|right now)( \w+)?)?\W*$"
    r"|^\W*(我们|公司|生意|业务|经营|店里|整体|总体)?(最近|近期|目前|现在|今年|这个月|本月|近来)?(我们|公司|生意|业务|经营|销售|运营|整体|总体)?(的)?(情况|状况|表现|形势|经营情况|业务情况)?(怎么样|如何|怎样|咋样|好不好|还好吗|好吗)(了|呢|啊|呀)?\W*$"
    r"|^\W*(给我)?(一个|来个|做个)?(总览|概览|概况|总体情况|整体情况|汇报一下|总结一下|有什么(新|特别)(情况|变化|的)?)\W*$"
    r"|^\W*(最近|近期|目前|数据里?|今年|本月)?(有没有|有什么|有啥)(异常|问题|惊喜|不对劲的?|变化)(的)?(情况|地方)?(吗|呢)?\W*$",
    _I,
)
WHY = re.compile(
    r"^\W*(but |and |so )?(why|how come|what('s| is| was)? (behind|driving|drove|led to|caused)(?!.*\bby (the |each |our )?\w+\W*$)|what('s| is| was| are) the (reasons?|causes?) (for|of|behind) (the|this|that) (fall|drop|decline|rise|growth|increase|decrease|change))\b|\bwhy\b.{0,60}\b(fall|fell|drop|dropped|decline|declined|down|rise|rose|grow|grew|increase|increased|decrease|decreased|up|change|changed|low|high|so)\b"
    r"|^\W*(那)?(为什么|为何|为啥|怎么会|什么原因|是什么原因|原因是什么|凭什么)|(为什么|为何|为啥|怎么会).{0,16}(下降|上升|减少|增加|增长|变|跌|涨|低|高|少|多|差)|(下降|上升|减少|增加|增长|下跌|上涨|变化)(的)?原因(是什么|有哪些)?\W*$",
    _I,
)
ADVICE = re.compile(
    r"^\W*(so |then |and )?(what (should|can|could|must) (we|i) (do|change|improve|focus on)|how (should|can|could|do|might) (we|i) (grow|improve|increase|raise|boost|reduce|cut|lower|sell more|do better|get more|win))\b|\b(any|give me( some)?|what is your) (advice|recommendations?|suggestions?)\b"
    r"|(应该|该|可以|能)?(怎么|如何|怎样)(才能|去|来)?(提高|提升|增加|改善|改进|降低|减少|优化|做大|扩大|促进|拉动)|有(什么|没有|啥)(建议|办法|对策)|^\W*(给(我|点|些)*)(建议|意见)",
    _I,
)
OFF_TOPIC: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = tuple(
    (re.compile(pattern, _I), word_set(words))
    for pattern, words in (
        (
            r"\bweather\b|\bforecast for (tomorrow|today)\b|\bwill it (rain|snow)\b|\bis it (raining|snowing|sunny)\b|天气|下雨吗|会下雨|下雪吗|气温(是|多少)",
            "weather forecast rain snow temperature 天气 气温 降雨",
        ),
        (
            r"\b(tell|know|make)( me)?( us)?( a| an| any| another| some)? (jokes?|stor(y|ies)|poems?|riddles?)\b|\bwrite (me )?(a|an) (poem|song|story|essay|letter|email)\b|\bsing (me )?|讲(个|一个)?(笑话|故事|段子)|说个(笑话|段子)|写(一)?首|唱(一)?首|来(个|段)(笑话|段子)",
            "joke jokes story stories poem poems song songs 笑话 故事 诗 歌",
        ),
        (
            r"\bwhat time is it\b|\bwhat('s| is) the (time|date)\b|\bwhat day is (it|today)\b|现在几点|几点了|今天(是)?(几号|星期几|周几)",
            "",
        ),
        (
            r"\b(latest|today's) news\b|\bwho (is|was) the (president|king|queen|prime minister|pope)\b|\bcapital of\b|\bmeaning of life\b|\brecipe for\b|\btranslate\b|新闻|首都是|总统是谁|菜谱|翻译(一下|成)|人生的意义",
            "news president capital recipe translation 新闻 首都 菜谱 翻译",
        ),
        (
            r"\bi (love|hate|miss) you\b|\bare you (a )?(human|robot|ai|real|alive|stupid|ok(ay)?)\b|\bhow old are you\b|\bwhat('s| is) your name\b|\bhow are you\b|\bgood (job|bot)\b|\byou('re| are) (great|stupid|wrong|useless|amazing)\b|我(爱|恨|想)你|你(是)?(人|机器人|真人)吗|你几岁|你叫什么|你好吗|你(真)?(笨|棒|厉害|没用)",
            "",
        ),
        (
            r"\b(send|write|draft|forward|reply)\b.{0,24}\b(e-?mails?|letters?|text messages?|sms)\b|\b(call|phone|text) my \w+|(帮我|请|替我|给我)(写|发|回复?)(一)?(封|个|条)?.{0,6}(邮件|短信|微信|信件)|打(个)?电话给",
            "",
        ),
        (
            r"\b(ignore|forget|disregard)\b.{0,24}\b(instructions?|rules|prompts?)\b|\b(system|hidden|initial) prompt\b|\byou are now \w+|\bpretend (to be|you)\b|\bdrop (all|the|every) tables?\b|\bjailbreak\b|(忽略|忘记|无视).{0,12}(指令|提示|规则)|系统提示词?|(现在)?你(现在)?扮演",
            "",
        ),
        (
            r"\b(show|tell|give|reveal|what|list|dump|get|send)\b.{0,20}\b(passwords?|credentials?|(api|secret|private) keys?)\b|(告诉|给我|显示|列出|发我).{0,8}(密码|密钥|口令)|(密码|密钥|口令)(告诉|给我|发我|显示|是多少|是什么)",
            "password passwords credential credentials key secret 密码 密钥 口令",
        ),
        (
            r"^\W*(what('s| is)|how much is|calculate|compute|solve)?\s*\(?-?\d+(\.\d+)?\s*([-+*/x×÷^]|plus|minus|times|divided by)\s*-?\d[\d\s.()+*/x×÷^-]*\W*$|^\W*[一二两三四五六七八九十百\d]+(加上?|减去?|乘以?|除以)[一二两三四五六七八九十百\d]+(等于|是)(几|多少)\W*$",
            "",
        ),
        (
            r"\b(shut up|fuck\w*|shit|damn you|you suck|screw (you|this)|idiot|moron|stupid (machine|bot|thing|computer))\b|^\W*(滚(开|蛋)?|闭嘴|垃圾|废物|傻[逼瓜子]|混蛋)\W*$|你(就)?(是|真是|太)(个)?(垃圾|废物|笨蛋|傻|白痴|蠢)",
            "",
        ),
        (
            r"\b(stock price|share price|exchange rate) of\b|\bbitcoin\b|\blottery\b|\bbook (me )?(a|an) (flight|table|hotel)\b|\border (me )?a pizza\b|股价|比特币|彩票|订(一张)?机票|点(个)?外卖",
            "stock share exchange bitcoin lottery flight hotel pizza 股价 比特币 彩票 机票 外卖",
        ),
    )
)
_LETTERS = re.compile(r"[^\W\d_]+")
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
)
_WORDS = {
    "es": word_set(
        "cuántos cuántas cuantos cuantas cuánto cuánta cuál cuáles cual cuales qué dónde cómo hay los las del el la por con para ventas "
        "pedidos clientes ingresos mes año cada más muestra una fueron son está este último"
    ),
    "de": word_set(
        "wie viele viel welche welcher welches wer wo wann der die das den dem des ein eine und gibt es ist sind war waren nach mit "
        "umsatz kunden bestellungen monat jahr zeige mir pro jeder letzten meisten haben hat wir im"
    ),
    "fr": word_set(
        "combien quel quelle quels quelles où quand comment les des du le la une est sont était par avec pour clients commandes chiffre "
        "ventes mois année chaque plus montre avons dernier y il"
    ),
    "pt": word_set(
        "quantos quantas quanto qual quais onde quando como há os das dos o a uma são foi por com para vendas pedidos clientes mês ano cada mais"
    ),
    "nl": word_set(
        "hoeveel welke wat wie waar wanneer hoe de het een van zijn hebben heeft we er per elke klanten bestellingen omzet maand jaar "
        "vorige meeste toon ons"
    ),
    "it": word_set(
        "quanti quante quanto quale quali dove quando come ci sono il lo gli le dei delle una è per con vendite ordini clienti mese anno ogni più"
    ),
}
_ENGLISH = word_set(
    "how many much what which who whose where when why the of is are was were by for each per in all show list give me and with from "
    "to top most least total average number count than more less last this do does did have has there"
)
CODE = re.compile(
    r"</?[a-z][\w-]*(\s[^<>]*)?>|^\s*[{\[].*[}\]]\s*$|^\s*(def \w+\s*\(|function\b.*\(|class \w+\s*[:({]|from \w+ import\b|import [\w.]+;?$|(var|let|const) \w+\s*=|#include\b)|\b(console\.log|print|printf|echo|alert)\s*\(|=>\s*[{(]|;\s*$\s*\w+.*;\s*$",
    re.I | re.S,
)
"""A program, a piece of a page or of JSON; a pasted statement is recognised before."""
READS_TWO = {
    "es": "Entiendo preguntas en inglés y en chino.",
    "de": "Ich verstehe Fragen auf Englisch und Chinesisch.",
    "fr": "Je comprends les questions en anglais et en chinois.",
    "pt": "Entendo perguntas em inglês e chinês.",
    "nl": "Ik begrijp vragen in het Engels en het Chinees.",
    "it": "Capisco le domande in inglese e in cinese.",
    "ja": "英語と中国語の質問に対応しています。",
    "ko": "영어와 중국어 질문을 이해합니다.",
    "ru": "Я понимаю вопросы на английском и китайском.",
    "ar": "أفهم الأسئلة بالإنجليزية والصينية.",
    "hi": "मैं अंग्रेज़ी और चीनी में प्रश्न समझता हूँ।",
    "th": "ฉันเข้าใจคำถามภาษาอังกฤษและภาษาจีน",
}
LONGEST_OVERVIEW = 60
_KEYS = re.compile(r"^(?:[asdfghjkl;]{4,}|[qwertyuiop]{5,}|[zxcvbnm]{4,}|(.)\1{3,}|[bcdfghjklmnpqrstvwxz]{5,})$", _I)
_FILLER = re.compile(
    r"^(?:bla+h*|foo|bar|baz|test(?:ing)?|lorem|ipsum|hm+|uh+|ha(?:ha)+|lol|哈+|呵+|嘿+|啊+|嗯+|测试)$", _I
)


_COUNTING = re.compile(
    r"\bhow (many|much)\b|\b(number|total|average|list|top)\b|多少(?!度)|几[个条件次场]|列出|统计|平均|总共|一共", _I
)
"""Who counts asks for data, whatever of."""


def third_language(message: str) -> str:
    """The language of a message that is neither English nor Chinese; empty where it is one of them or unknown."""
    for language, script in _SCRIPTS:
        if len(script.findall(message)) >= 2:
            return language
    words = [word.casefold() for word in _LETTERS.findall(message)]
    if has_cjk(message) or len(words) < 2:
        return ""
    scores = {language: sum(word in known for word in set(words)) for language, known in _WORDS.items()}
    best = max(scores, key=lambda language: scores[language])
    english = sum(word in _ENGLISH for word in words)
    # `me` and `a` are words of several languages: a few of one more than of English are needed.
    return best if scores[best] >= 2 and scores[best] > english and 3 * scores[best] >= len(words) else ""


def is_nonsense(message: str) -> bool:
    """Whether no part of a message is a word: keys struck at random, filler, a number that is no year, a program."""
    if re.fullmatch(r"\W*(?:\d{1,3}|\d{5,})\W*", message) or CODE.search(message):
        return True
    words = _LETTERS.findall(message)
    return bool(words) and all(_KEYS.match(word) or _FILLER.match(word) for word in words)


_REASONS_LISTED = re.compile(
    r"\b(?:reasons?|causes?)\b.{0,12}\b(?:and|with)\b.{0,20}\b(?:numbers?|counts?|how many|amounts?)\b"
    r"|\b(?:by|per|each|every) (?:reason|cause)\b|(?:原因|理由)(?:[和与及、，,]|以及).{0,6}(?:数|次|金额|多少|几)|[按各每]种?个?(?:原因|理由)",
    _I,
)
"""Who asks for reasons and how many of each wants what is stored, and no explanation."""


def read_other(message: str) -> Other:
    """What a message that may be no question wants; empty for what looks like one."""
    if is_nonsense(message):
        return "nonsense"
    if len(message) <= LONGEST_OVERVIEW and OVERVIEW.match(message):
        return "overview"
    if WHY.search(message) and not _REASONS_LISTED.search(message):
        return "why"
    if ADVICE.search(message):
        return "advice"
    if any(pattern.search(message) for pattern, _ in OFF_TOPIC) and not _COUNTING.search(message):
        return "off_topic"
    return "foreign" if third_language(message) else ""


def is_about(catalog: Catalog, message: str, other: Other) -> bool:
    """Whether the database speaks of what would be off topic elsewhere, or has names in the language of the message."""
    if other == "off_topic":
        subjects = [words for pattern, words in OFF_TOPIC if pattern.search(message)]
        wanted: frozenset[str] = frozenset().union(*subjects)
        return any(wanted & set(words_of(text)) or _holds(wanted, text) for text in _names(catalog))
    if other == "foreign":
        said = {word.casefold() for word in _LETTERS.findall(message) if len(word) > 3}
        return any(said & {word.casefold() for word in _LETTERS.findall(text)} for text in _names(catalog))
    if other == "why":
        return any(_tells_reasons(table) and _is_said(table, message) for table in catalog.tables)
    return False


def _tells_reasons(table: Table) -> bool:
    """Whether its rows say why: returns with their reason."""
    return any(re.search(r"reason|cause|motive|原因|理由", f"{c.name} {c.comment}", _I) for c in table.columns)


def _is_said(table: Table, message: str) -> bool:
    said = {stem(word) for word in words_of(message)}
    return bool(set(name_stems(table.name)) & said) or any(
        head in message for head in (re.split(r"[，,：:；（(/ ]|记录|表$", table.comment)[0],) if len(head) > 1
    )


def _holds(wanted: frozenset[str], text: str) -> bool:
    return any(has_cjk(word) and word in text for word in wanted)


def _names(catalog: Catalog) -> list[str]:
    found = []
    for table in catalog.tables:
        found += [table.name.replace("_", " "), table.comment]
        for column in table.columns:
            found += [column.name.replace("_", " "), column.comment]
    return [text for text in found if text]


_SPLIT = re.compile(r"(?<=[?？])\s*(?:(?:and |also,? |then |另外|还有|以及|然后)[，,]?\s*)?(?=\S)", _I)
_ASKING = re.compile(
    r"\b(how|what|which|who|where|when|list|show|give|compare|is|are|do|does|did)\b|多少|几|哪|什么|谁|怎|如何|列出|各|每|统计|吗",
    _I,
)


_BACK = re.compile(
    r"\b(it|its|they|them|their|those|these|that|this one|he|she|his|her)\b|[它他她]|这些|那些|其中|分别|上述", _I
)


_TWO_COUNTS = (
    re.compile(r"^\W*how many (\w+(?: \w+)?),? and how many (\w+(?: \w+)?)(?: do we have| are there)?\W*$", _I),
    re.compile(
        r"^\W*(?:我们|一共|总共|现在)*有?多少[个位家名条]?(\w{1,6}?)(?:和|、|，|以及|还有)有?多少[个位家名条]?(\w{1,6})\W*$"
    ),
)
"""Two counts of two things are two questions: in one statement they were counted over a join, 3,210 of 5,000 customers."""


def split_questions(message: str) -> list[str]:
    """The questions of a message that asks several, each ended by a mark; one where it asks one."""
    for pattern, count in zip(_TWO_COUNTS, ("How many {} are there?", "有多少{}？"), strict=True):
        if counts := pattern.match(message):
            return [count.format(thing) for thing in counts.groups()]
    parts = [part.strip() for part in _SPLIT.split(message) if part.strip()]
    asked = [part for part in parts if _stands_alone(part)]
    return asked if len(asked) == len(parts) > 1 else [message]


def _stands_alone(part: str) -> bool:
    """Whether a part is a question of its own: "Show each with its date" goes on with the one before."""
    ends = part.endswith(("?", "？")) and (len(part.split()) > 2 or has_cjk(part))
    return bool(ends and _ASKING.search(part)) and _BACK.search(part) is None
