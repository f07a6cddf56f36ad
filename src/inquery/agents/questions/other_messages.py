"""Messages that are no question about data, or more than one: what they want, by words in tables.

A word that the database itself speaks of (a table of weather readings, a column of jokes) is left to the writer.
"""

from __future__ import annotations

import datetime
import re
from typing import Literal

from inquery.language.periods import periods_in
from inquery.language.text import COMMON, STOPWORDS, has_cjk, name_stems, stem, word_set, words_of
from inquery.sql import Catalog, Table

Other = Literal[
    "overview", "why", "advice", "itself", "displeased", "off_topic", "nonsense", "talk", "foreign", "name", ""
]
_I = re.I

OVERVIEW = re.compile(
    r"^\W*(so,?\s+)?(how (are|were) (we|things|sales|the numbers|the business)( all)? (doing|going|looking)|how('s| is) (the )?(business|company)( doing| going| looking)?|how('s| is) it( all)? (going|looking)( then)?|any (surprises|anomal(y|ies)|problems|issues)( (here|in the data))?|(is there )?any(thing|where) ((that )?(we|i) (should|need to|have to|must)|to|worth) (worry(ing)?|know(ing)?|look(ing)?|watch(ing)?|be worried|not(e|ing)|mention(ing)?)( (about|at|into|out for))?|what (should|do|must) (we|i) (worry about|need to know|know|look at|watch)( first)?|what('s| is) (important|interesting|worth knowing)|how('s| is) everything|"
    r"how (did|do) we do|how does (it|the business) look|give me (an|the) (overview|update|summary)|what('s| is) (new|up|going on|happening)|anything (new|interesting|unusual)|"
    r"(an )?overview|summary|status( update)?|(tell|show) me something( interesting)?)( (this|last|today|lately|recently|these days|so far|right now)( \w+)?)?\W*$"
    r"|^\W*(我们|公司|生意|业务|业绩|经营|店里|整体|总体)?(最近|近期|目前|现在|今年|这个月|本月|近来|本周|这周|本季度|今天|昨天|去年|上个?(月|周|季度|年)|(最近|过去|近)[一二两三几\d]+个?(天|日|周|月|季度|年)(以?来)?)?(我们|公司|生意|业务|经营|销售|运营|整体|总体)?(的)?(情况|状况|表现|形势|经营情况|业务情况)?(都)?(怎么样|如何|怎样|咋样|好不好|还好吗|好吗)(了|呢|啊|呀)?\W*$"
    r"|^\W*(给我)?(一个|来个|做个)?(总览|概览|概况|总体情况|整体情况|汇报一下|总结一下|有什么(新|特别)(情况|变化|的)?)\W*$"
    r"|^\W*(最近|近期|目前|数据里?|今年|本月)?(有没有什么|有没有|有什么|有啥|有哪些)(异常|问题|惊喜|不对劲的?|变化|(值得|需要|应该|要)(我们?)?(注意|关注|留意|担心|知道|看)的?)(的)?(情况|地方|事情?)?(吗|呢|么)?\W*$",
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
            r"\bwhat time is it\b|\bwhat('s| is) the (time|date)( (now|today|right now|please|in [A-Z]\w+))?\W*$|\bwhat day is (it|today)\b|现在几点|几点了|今天(是)?(几号|星期几|周几)",
            "",
        ),
        (
            r"\b(latest|today's) news\b|\bwho (is|was) the (president|king|queen|prime minister|pope)\b|\bcapital of\b|\bmeaning of life\b|\brecipe for\b|\btranslate\b|新闻|首都是|总统是谁|菜谱|翻译(一下|成)|人生的意义",
            "news president capital recipe translation 新闻 首都 菜谱 翻译",
        ),
        (
            r"\bi (love|hate|miss) you\b|\bhow are you( doing)?\b|\bwill you marry\b|我(爱|恨|想)你|你(还)?好吗|嫁给我"
            r"|^\W*(i am|i'm|i feel|we are|we're) (so |very |really |a bit |just )?(bored|tired|hungry|thirsty|sad|happy|sick|lost|confused|sleepy|lonely|drunk|busy|fine|late|cold|hot)\W*$"
            r"|^\W*我(好|很|太|真|有点|有些|都|也)?(累|困|饿|渴|无聊|开心|高兴|难过|伤心|头疼|头痛|生病|感冒|失眠|烦|郁闷|没事|心情不好|不舒服)(了|啊|呀|死了|得很)*(，?(怎么办|咋办))?\W*$"
            r"|^\W*(happy (birthday|new year)|merry christmas|good luck|good night|生日快乐|新年快乐|恭喜发财|晚安)\W*$",
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
            r"\b(stock price|share price|exchange rate) of\b|\bbitcoin\b|\blottery\b|\bbook (me )?(a|an) (flight|table|hotel)\b|\border (me )?a pizza\b|股价|比特币|彩票|订.{0,10}(机票|火车票|车票|酒店|餐厅)|点(个)?外卖|\b(stocks?|stock market|house prices?) (go(es|ing)? )?(up|down|rise|fall)\b|(股票|股市|大盘|基金|房价|币价)(明天|最近|今年|还)?(会不会|会|能|要|该)(大)?(涨|跌|买|卖)",
            "stock share exchange bitcoin lottery flight hotel pizza 股价 股票 基金 房价 比特币 彩票 机票 火车票 车票 酒店 餐厅 外卖",
        ),
    )
)
ITSELF = re.compile(
    r"\bare you (a |an )?(human|person|robot|bot|ai|real|alive|machine|program|chat ?gpt|gpt\S*|claude|gemini|copilot|siri|alexa|deepseek|free|open source|safe|secure|private|online|there)\b"
    r"|\b(what|which) (ai |language |large )*(model|llm|version|technology)\b.{0,24}\byou\b|\bwho (made|built|wrote|created|develop(ed|s)|trained|owns) (you|this|inquery)\b|\bhow old are you\b"
    r"|\b(what('s| is)|tell me) your name\b|\bhow (do|does|did) (you|inquery) work\b|\b(do|can|will|are|could) you (also )?(speak|understand|read|know|support) (any )?(other languages?|english|chinese|german|french|spanish|japanese|korean|russian|italian|portuguese|arabic)\b"
    r"|\b(is|are) (my|our|the|this) (data|questions?|database|information) (safe|secure|private|confidential|stored|sent|shared)\b|\b(do|does|will|are|can) (you|inquery|this) .{0,12}(send|store|share|keep|save|upload|leak|sell|steal|see|read)(ing)? (my|our|any|the) (data|questions?|information|database)\b|\bwhere (is|does|are) (my|our|the) data (go|sent|stored|kept)?"
    r"|\b(can|should|may|could) (i|we) (trust|rely on|believe) (you|your|this|inquery)\b|\bhow (accurate|reliable|good|smart|sure) are you\b|\bwhat can('t| ?not) you do\b"
    r"|你(到底)?(是)?(不是)?(一个|个)?(人类?|真人|机器人|程序|ai|人工智能|chatgpt|gpt|文心一言|通义千问|豆包|deepseek)(吗|还是)|你(是|由)?(谁|哪家(公司)?|哪个公司)(开发|做|制作|创造|训练|写|研发)|谁(开发|做|制作|创造|训练|写|研发)(了|的)?(你|这个(软件|程序|系统|工具))"
    r"|(讲讲|说说|介绍(一下)?|谈谈)(一下)?你(自己)?\W*$|你几岁|你多大|你叫什么|你的名字|你是什么(模型|软件|东西)|你(用|使用|基于)(的是|的)?(什么|哪个|哪种)(大)?(模型|技术)|你(会|能|懂|支持)(不会|不能)?(说|讲|看懂|听懂|读懂|理解)?(别的|其他|哪些|什么|几种)?(语言|英语|英文|中文|日语|日文|德语|法语|西班牙语|韩语|俄语|外语)"
    r"|(我|我们)的?(数据|问题|信息|资料)(会|是否|是不是)?(不会)?(安全|保密|泄露|泄漏|上传|外传|被(保存|上传|泄露|看到))|(数据|信息)安全吗|你(可靠|靠谱|准确|安全|免费|收费)吗|你(准不准|靠不靠谱)|(能|可以)(相信|信任)你吗",
    _I,
)
"""About Inquery and not about the data."""
DISPLEASED = re.compile(
    r"\b(shut up|fuck\w*|shit|damn you|you suck|screw (you|this)|idiot|moron|stupid (machine|bot|thing|computer))\b|\byou('re| are)? (so |really |just |totally |completely )*(stupid|dumb|useless|terrible|awful|bad|wrong|worthless|rubbish|crap|an? (idiot|moron|joke))\b"
    r"|^\W*(no[,. ]+)?(this|that|it|your answer|the answer|which|these|those)?( numbers?| figures?| result)?('s|'re| is| are| was| were| looks?| seems?| can'?t be| cannot be)? ?(all |completely |totally |just |obviously |still )?(wrong|incorrect|not (right|correct|true|what i (asked|wanted|meant)( for)?)|isn'?t (right|correct|true)|nonsense|rubbish|bullshit|false|right\?)([,. ]+(please )?(try again|again|do it again|fix it|check( it)?( again)?))?\W*$"
    r"|^\W*(i )?(don'?t|do not) (believe|trust|like) (you|this|that|it)\W*$|^\W*(are you (sure|serious|kidding)|really|seriously)\W*$|\bthat('s| is) not what i (asked|meant|wanted)\b"
    r"|^\W*(滚(开|蛋)?|闭嘴|垃圾|废物|傻[逼瓜子]|混蛋|胡说(八道)?|瞎说|乱说)\W*$|(你(就|真|好|怎么)?)?(太|是|真是|这么|好)?(太|个|好|真)?(垃圾|废物|笨蛋|笨|傻|白痴|蠢|没用|差劲|烂)(啊|了|呀|吗|吧)?\W*$"
    r"|^\W*(不对|错了|不正确|有误|不是这样|不是这个意思|你(算|弄|搞|答|说|理解)错了?|(这个?|这些|你的?|你给的)?(答案|结果|数据|数字|回答)?(好像|明显|肯定|完全|是|都|也)*(不对|错的?|错了|有问题|不正确|不准确?|有误|不靠谱))(吧|啊|呀|了|的|吗)*([，,。 ]*(请)?(再|重新)(试|算|查|来|答)(一下|一次|一遍)?)?\W*$|^\W*(你确定(吗)?|真的吗|真的假的)\W*$",
    _I,
)
"""Somebody is not content, with an answer or with us."""
_LETTERS = re.compile(r"[^\W\d_]+")
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
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
        "salut bonjour merci ça va bien combien quel quelle quels quelles où quand comment les des du le la une est sont était par avec pour clients commandes chiffre "
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
    "pl": word_set("ile ilu jaki jaka jakie który która które gdzie kiedy jak jest są był było było w z na do dla i klientów zamówień sprzedaż miesiąc rok każdy każdego pokaż mamy"),
    "tr": word_set("kaç ne kadar hangi hangisi nerede nasıl kim ve ile için var mı mi müşteri sipariş satış satışlar ay yıl her en geçen bu toplam göster bize"),
    "sv": word_set("hur många mycket vilken vilka vilket vad vem var när är och finns det den av för per med i på kunder beställningar försäljning månad år varje mest förra visa vi har"),
    "vi": word_set("bao nhiêu có mấy nào gì ai ở đâu khi như thế là và của cho với trong tháng năm khách hàng đơn doanh thu mỗi nhất trước hiển thị chúng ta tôi"),
    "id": word_set("berapa banyak apa siapa mana kapan bagaimana yang adalah dan dari untuk dengan di pelanggan pesanan penjualan bulan tahun setiap paling lalu tampilkan kami kita ada jumlah"),
}  # fmt: skip
_HAILS = {
    "es": "hola gracias por qué porque buenos días buenas tardes adiós",
    "de": "hallo danke warum wieso guten tag morgen tschüss bitte",
    "fr": "bonjour bonsoir salut merci pourquoi au revoir",
    "pt": "olá obrigado obrigada bom dia boa tarde tchau",
    "nl": "hoi bedankt dank je wel waarom goedemorgen",
    "it": "ciao buongiorno buonasera grazie perché arrivederci",
    "pl": "cześć dziękuję dlaczego dzień dobry",
    "tr": "merhaba teşekkürler neden niçin",
    "sv": "hej tack varför",
    "id": "halo terima kasih kenapa mengapa",
}
"""Greetings, thanks and whys, which are whole messages."""
_ENGLISH = word_set(
    "how many much what which who whose where when why the of is are was were by for each per in all show list give me and with from "
    "to top most least total average number count than more less last this do does did have has there"
)
CODE = re.compile(
    r"\b(?:public|private|static) (?:static |class |void |int )|\(\)\s*\{|\bSystem\.out\b|^#!|</?[a-z][\w-]*(\s[^<>]*)?>|^\s*[{\[].*[}\]]\s*$|^\s*(def \w+\s*\(|function\b.*\(|class \w+\s*[:({]|from \w+ import\b|import [\w.]+;?$|(var|let|const) \w+\s*=|#include\b)|\b(console\.log|print|printf|echo|alert)\s*\(|=>\s*[{(]|;\s*$\s*\w+.*;\s*$",
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
    "el": "Καταλαβαίνω ερωτήσεις στα αγγλικά και στα κινεζικά.",
    "he": "אני מבין שאלות באנגלית ובסינית.",
    "pl": "Rozumiem pytania po angielsku i po chińsku.",
    "tr": "İngilizce ve Çince soruları anlıyorum.",
    "sv": "Jag förstår frågor på engelska och kinesiska.",
    "vi": "Tôi hiểu câu hỏi bằng tiếng Anh và tiếng Trung.",
    "id": "Saya memahami pertanyaan dalam bahasa Inggris dan Mandarin.",
}
LONGEST_OVERVIEW = 60
_KEYS = re.compile(r"^(?:[asdfghjkl;]{4,}|[qwertyuiop]{5,}|[zxcvbnm]{4,}|(.)\1{3,}|[bcdfghjklmnpqrstvwxz]{5,})$", _I)
_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_FILLER = re.compile(
    r"^(?:bla+h*|foo|bar|baz|test(?:ing)?|lorem|ipsum|hm+|uh+|ha(?:ha)+|lol|哈+|呵+|嘿+|啊+|嗯+|测试)$", _I
)


TALK = STOPWORDS | word_set(
    "understand look looks looking right wrong ok okay thanks thank thx bye goodbye hello hi hey please sorry sure think thinking feel feeling guess "
    "hope wish believe mean talk talking chat say saying tell telling want need help go going see know like love hate nice good bad fine "
    "well really just maybe very much lot back later anyway wait stop start again try trying mind something anything nothing everything "
    "someone anyone thing things stuff m re ve ll d don doesn didn isn wasn aren weren can cannot couldn won wouldn shouldn ain im "
    "yeah yes nope cool great awesome wow oh ah um er hmm slow fast soon still yet too else ever never always get got make makes sense "
    "could would should will shall may might must let now today morning evening night afternoon"
)
"""Words of talk: a message of nothing else asks for no data, unless the data are called so."""
NAME = re.compile(r"^\s*[A-Z][a-z'’-]+(?: [A-Z]\.?)?(?: [A-Z][a-z'’-]+){1,2}\s*[.!?]?\s*$")
"""Nothing but two or three capitalised words: what is called so, if anything here is."""

_COUNTING = re.compile(
    r"\bhow (many|much)\b|\b(number|total|average|list|top)\b|多少(?!度)|几[个条件次场]|列出|统计|平均|总共|一共", _I
)
"""Who counts asks for data, whatever of."""


def third_language(message: str) -> str:
    """The language of a message that is neither English nor Chinese; empty where it is one of them or unknown."""
    for language, script in _SCRIPTS:
        if len(script.findall(message)) >= 2:
            return language
    if re.search("[¿¡]", message):
        return "es"
    words = [word.casefold() for word in _LETTERS.findall(message)]
    if has_cjk(message) or not words:
        return ""
    hailed = next((language for language, known in _HAILS.items() if set(words) <= word_set(known)), "")
    if hailed or len(words) < 2:
        return hailed
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
    return bool(words) and all(_KEYS.match(word) or _FILLER.match(word) or _is_run(word) for word in words)


def _is_run(word: str) -> bool:
    """Whether a word is neighbours on the keyboard, one after the other: `jkl`, `qwer`."""
    return len(word) > 2 and any(word.casefold() in row or word.casefold() in row[::-1] for row in _KEYBOARD)


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
    if ITSELF.search(message) and not _COUNTING.search(message):
        return "itself"
    if DISPLEASED.search(message):
        return "displeased"
    if WHY.search(message) and not _REASONS_LISTED.search(message):
        return "why"
    if ADVICE.search(message):
        return "advice"
    if any(pattern.search(message) for pattern, _ in OFF_TOPIC) and not _COUNTING.search(message):
        return "off_topic"
    if third_language(message):
        return "foreign"
    if _is_talk(message):
        return "talk"
    return "name" if NAME.match(message) else ""


def _is_talk(message: str) -> bool:
    words = [word.casefold() for word in _LETTERS.findall(message)]
    return not has_cjk(message) and not re.search(r"\d", message) and bool(words) and set(words) <= TALK


def is_about(catalog: Catalog, message: str, other: Other) -> bool:
    """Whether the database speaks of what would be off topic elsewhere, or has names in the language of the message."""
    if other == "off_topic":
        wanted = _subjects(message)
        return any(wanted & set(words_of(text)) or _holds(wanted, text) for text in _names(catalog))
    if other == "foreign":
        said = {word.casefold() for word in _LETTERS.findall(message) if len(word) > 3}
        return any(said & {word.casefold() for word in _LETTERS.findall(text)} for text in _names(catalog))
    if other == "talk":
        said = {stem(word) for word in words_of(message) if len(word) > 2} - STOPWORDS
        return any(said & set(name_stems(table.name)) for table in catalog.tables)
    if other == "name":
        said = set(name_stems(message))
        return any(said & set(name_stems(text)) for text in _names(catalog))
    if other == "why":
        return any(_tells_reasons(table) and _is_said(table, message) for table in catalog.tables)
    return False


def names_subject(phrase: str, message: str) -> bool:
    """Whether a phrase that the database holds is what makes a message look off topic."""
    return bool(_subjects(message) & set(words_of(phrase)))


def _subjects(message: str) -> frozenset[str]:
    found = [words for pattern, words in OFF_TOPIC if pattern.search(message)]
    return frozenset().union(*found)


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


_BEFORE_IT = re.compile(
    r"^\W*(?:(?:hi|hello|hey|hiya|morning|evening|afternoon|dear (?:all|team|inquery)|good (?:morning|afternoon|evening|day)|thanks?(?: you)?(?: (?:very|so) much| a lot)?|thx|ok(?:ay)?|great|cool|nice|perfect|sorry|excuse me|well|right|now)"
    r"(?: (?:there|all|team|inquery|everyone|again))?\s*[,.!;:~—-]+\s*(?:(?:and|so|but|now|then)\b,?\s*)?"
    r"|(?:hi|hello|hey)(?: there)?\s+(?=(?:what|how|which|who|when|where|show|list|can|could|tell|give|please|do|does|is|are)\b)"
    r"|(?:你好|您好|嗨|哈喽|早上好|上午好|下午好|晚上好|早|谢谢(?:你|您|啦|了)?|多谢|好的?|辛苦了|不好意思|打扰(?:一下|了)?|请问(?:一下)?|明白了|收到)\s*(?:啊|呀|哈)?[,，.。!！、~～;；：:]+\s*(?:(?:那么|那|然后|另外)(?=.{3}))?[,，]?)",
    _I,
)
_AFTER_IT = re.compile(
    r"(?:(?<=[,.!?，。！？])\s*|\s+)(?:thanks?(?: you)?(?: (?:very|so) much| a lot| in advance)?|thx|cheers|谢谢(?:你|您|啦|了)?|多谢|辛苦了|拜托了)\s*[.!。！~～]*$",
    _I,
)


def without_manners(message: str) -> str:
    """A message without the greeting, the thanks or the apology around it; as it is where it is nothing else."""
    core = message.strip()
    while (found := _BEFORE_IT.match(core)) and found.end():
        core = core[found.end() :].strip()
    core = _AFTER_IT.sub("", core).strip()
    return core if re.search(r"\w", core) else message


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
    if len(parts) > 1 and all(_goes_on(part, parts[0]) for part in parts[1:]):
        # What is ranked is shown with its figure: `which was highest? how much?` is answered by the first.
        return [parts[0] if _RANKED.search(parts[0]) else message]
    asked = [part for part in parts if _stands_alone(part)]
    if len(asked) == len(parts) > 1:
        return asked
    return _dated_apart(message) or [message]


def _content(text: str) -> set[str]:
    return {stem(word) for word in words_of(text) if word not in COMMON}


_JOINED = re.compile(
    r",?\s+and\s+(?:also\s+)?(?=(?:which|who|where|when|how (?:many|much)|what)\b)|[，,；;]\s*(?:另外|还有|以及|然后)?[，,]?\s*",
    _I,
)
_RANKED = re.compile(r"\b(?:most|least|best|worst|fastest|slowest|top|\w+est)\b|最|前[\d一二两三四五六七八九十]", _I)
_HOW_MUCH = re.compile(
    r"^\W*(?:and |so )?(?:(?:by )?how (?:much|many)(?: (?:is|was|are|were|did|does) (?:it|that|this|there|they|each)(?: \w+)?)?|what (?:is|was|are|were) (?:the|that|its|their) \w+)\W*$",
    _I,
)
_AMOUNTS = re.compile(
    r"增幅|涨幅|降幅|跌幅|幅度|环比|同比|增加|减少|上升|下降|下滑|增长|上涨|卖|钱|元|万|百分之|百分点|占比?|比例|各自?|分别|具体|又|那|[个种次条单件家名位人天]"
)
_HELD_AGAINST = re.compile(
    r"\b(?:compar\w+|versus|vs|against|over|growth|grew|grow|chang\w+|increas\w+|decreas\w+|differ\w+|ris\w+|rose|fall\w*|fell|drop\w*"
    r"|percent\w*|per cent|rate|up|down|more|less)\b|相比|相较|对比|比较|比|较|跟|与|和|同|于|变化|增减|涨跌|涨|跌|率",
    _I,
)
"""A second part that only holds the first against another time is no question of its own."""
_ANY_DAY = datetime.date(2020, 6, 15)
_PLAIN = re.compile(r"有多少|多少|最|哪[个家些]?|什么|是|有|几个?|呢|吗|了|的|在|我们|一共|总共")


def _goes_on(part: str, first: str) -> bool:
    """Whether a part only asks how much of what was asked before: `by how much?`, 各卖了多少钱."""
    if has_cjk(part):
        left = re.sub(r"\W", "", _AMOUNTS.sub("", _PLAIN.sub("", part)))
        return not left or (re.search(r"各[自是有占卖为多]", part) is not None and left in first)
    return _HOW_MUCH.match(part) is not None


def _dated_apart(message: str) -> list[str]:
    """The two questions of one sentence where each has a period of its own and asks for something else.

    `How many orders in 2024 and how many in 2025` asks one thing of two years, and stays whole.
    """
    parts = [part.strip(" ?？。.") for part in _JOINED.split(message)]
    if len(parts) != 2 or not all(_ASKING.search(part) and not _BACK.search(part) for part in parts):
        return []
    left = []
    for part in parts:
        found = periods_in(part, today=_ANY_DAY)
        if len(found) != 1:
            return []
        rest = part[: found[0].span[0]] + " " + part[found[0].span[1] :]
        rest = (
            _HELD_AGAINST.sub(" ", _AMOUNTS.sub(" ", rest)) if part is parts[1] and _HELD_AGAINST.search(rest) else rest
        )
        left.append(_content(_PLAIN.sub(" ", rest) if has_cjk(rest) else rest))
    (one, other), mark = left, "？" if has_cjk(message) else "?"
    return [part + mark for part in parts] if one and other - one else []


def _stands_alone(part: str) -> bool:
    """Whether a part is a question of its own: "Show each with its date" goes on with the one before."""
    if re.match(r"\W*(?:and |please )?(?:show|list|give|tell) (?:me |us )?(?:the|all|their)\b", part, _I) or re.search(
        r"各[自是有占卖为多]", part
    ):
        return False
    ends = part.endswith(("?", "？")) and (len(part.split()) > 2 or has_cjk(part))
    return bool(ends and _ASKING.search(part)) and _BACK.search(part) is None
