"""What names say about keys: the entity a table stores and the entity a column refers to."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from inquery.language.abbreviations import ABBREVIATIONS
from inquery.language.text import fold, has_cjk, name_words, singular, word_set
from inquery.sql import Column, Table

MODULE, MODULES = 3, 0.6
"""Tables of one part of a system at least, and the share of all tables that parts have where a system has them."""
TOGETHER = 8
"""Tables that begin with the same two words, from which on these are the name of a part of the system."""
KEY_WORDS = frozenset(
    {"id", "ids", "no", "num", "nbr", "number", "nr", "code", "key", "uuid", "guid", "sk", "fk", "pk", "cd", "ref"}
)
GENERIC = KEY_WORDS | word_set(
    "name title type status state date time year month day value description desc comment note remark address "
    "email phone price amount quantity qty total count rank position level order sort flag gender sex age city "
    "country region created updated deleted version kind label text url image color size start end first last "
    "language token 编号 代码 编码 名称 类型 状态 日期 时间 备注 描述 金额 数量 价格 地址 电话 城市 性别 年龄 序号"
)
TABLE_PREFIXES = word_set("t tb tbl tab dim fact d f v vw stg ods dwd dws ads src sys ref")
TABLE_SUFFIXES = word_set(
    "table tbl info information master mst mstr data dim fact list record records base entity entities"
)
AFFIXES = word_set(
    "lu lkp dm cd zd dic dict md dim base biz def hdr head header txt mst master da xx jbxx tbl tab info"
)
"""Words that say what kind of table it is, not what it stores: c_units, reason_def, order_hdr, kh_jbxx."""
TYPE_WORDS = word_set("type kind class table model typ tp category cls")
"""Last words of a column that says to which table its twin refers: owner_type beside owner_id."""
FACT_WORDS = word_set("stat sts status state mode lvl level flag name nm title date time amt qty")
_ZH_TABLE = re.compile("(?:基本信息|信息|主|明细|记录|资料|数据)?表$|(?:基本)?信息$|资料$|档案$")
_ZH_KEY = re.compile("(?:的)?(?:编号|代码|编码|标识|主键|序号|号码|id|号)$")
UPWARD = word_set("parent superior prerequisite root 上级 父级 父")
UPWARD_SHORT = word_set(
    "pid ppid fid parent prnt parentid upid sjid sj pcode pno supid replaces duplicate 上级 父级 父"
)
"""Whole names, or their first words, that point upward in their own table: pid, prnt_zone_id, sjbm (上级部门)."""
SUPERIORS = word_set("manager supervisor boss reports mentor leader chief 主管 领导 经理")
SUPERIORS_SHORT = word_set("mgr mngr supv superv spv lead head chef director foreman 组长 队长 上司")
"""The same, where the name alone is not enough: a lead is a customer to be, a head may be anything's."""
KINDRED = word_set(
    "of amends replaces replaced predecessor successor previous prev original upline shangji twin mother father dam sire 母公司 续自 前作"
)
"""Words for another row of the same kind, that data has to bear out: renewal_of, upline_id."""
FELLOWS = word_set("master next original orig reversed reversal merged duplicate linked related replacement")
"""Words before a table's own name for another of its rows: master_item_id of items, where nothing else is called item."""
BEFORE = (
    UPWARD
    | KINDRED
    | FELLOWS
    | word_set(
        "main real source src dest dst target from to home host first last new old current default primary secondary using owner"
    )
)
"""Words that stand before a table's name in a key written as one word: parentcontextid, destfileid."""
SIDES = word_set(
    "src source dest dst destination target from to in out home work billing shipping delivery default primary main first "
    "last old new origin original start end current next prev previous"
)
"""Words behind a table's name that say which of its rows: location_dest_id, address_home_id."""
KIN = word_set(
    "referred refby referrer referral introducer introduced inviter invited brought sponsor sibling spouse guarantor "
    "介绍 推荐 邀请"
)
"""The same among persons: who brought a client is a client; who referred a visit is none."""
PERSONS = word_set(
    "client customer cust member patron pupil student donor guest patient player party contact partner person people "
    "subscriber resident citizen tenant vendor supplier company account child 新人 会员 客户 企业 学生 患者"
)
_NO_IDS = word_set(
    "valid invalid unpaid prepaid repaid hybrid solid liquid fluid humid rapid android covid orchid thyroid"
)
"""Words that end as if they were of a key."""
PEOPLE = ("employee", "staff", "person", "user", "member", "员工", "职员", "人员")
STAFF = word_set(
    "employee emp staff user worker person personnel people yuangong yg ry 员工 职员 人员 用户 教职工 工作人员"
)
"""Tables of those who do the work: what `approved_by` and 经办人 may mean."""
ROLES = word_set(
    "operator officer engineer agent clerk handler crew dispatcher advisor adviser rep salesrep salesman salesperson teacher "
    "instructor doctor nurse technician driver coach inspector brewer oper czy 操作员 教师 医生 司机 业务员"
)
"""Tables of some of them, beside which a table of all is not meant for sure."""
_AGENT = re.compile(r"[a-z]{3,}(?:er|or|ee|ist|ant)")
_NO_AGENT = word_set(
    "order other number center counter letter offer customer supplier member user container carrier meter server "
    "quarter chapter folder header parameter character master register reminder transfer voucher layer power sensor "
    "color sector vector factor floor door major minor error plant restaurant variant warrant grant tenant "
    "applicant participant dealer owner partner manufacturer trailer"
)
"""Nouns in -er and the like that are things, or people with a table of their own."""
_DOERS = word_set(
    "author creator updater modifier approver auditor reviewer checker verifier assignee submitter operator"
)
_PINYIN_DOER = re.compile("[b-df-hj-np-tv-z]{1,3}[ry]")
"""First letters of a Chinese name that ends with 人 or 员: cby, wxr."""
_DEEDS = word_set(
    "created create crt cre creat updated update upd modified modify mod approved approve audited audit reviewed review "
    "checked check verified deleted assigned submitted handled closed write"
)
_GIVEN = word_set("assigned allocated addressed delegated escalated dispatched reassigned")
"""What is done to somebody: assigned_to_id."""
_DOERS_BY_ID = word_set(
    "editor grader reporter poster uploader inviter requester requestor assigner sender initiator applier"
)
"""Those who may be things or people with a table of their own, but by an id without such a table are among the users."""
_DONE = re.compile(r"[a-z]{2,}ed|sent|held|paid|done|given|made|taken|withdrawn|written|drawn|sold")
"""A participle, as in voided_by."""
_NOT_BY_PEOPLE = word_set(
    "replaced preceded followed succeeded superseded caused owned covered sorted ordered grouped divided limited powered "
    "triggered blocked affected referred sponsored accompanied produced manufactured supplied published founded need feed seed "
    "speed bed red indexed governed led based needed"
)
"""What things and firms do too, and words that only end like one."""
USERS = word_set("user usr yonghu 用户")
ARCHIVES = word_set(
    "his hist history arc arch archive archived bak backup tmp temp old copy del deleted trash snapshot log logs stg ods "
    "历史 归档 备份 日志 快照"
)
"""Words of tables that repeat the rows of another: a key means the live one."""
_TIMES = word_set(
    "date time at on day dt datetime timestamp ts year month week hour minute second when since until clock ms ns "
    "日期 时间 年份 月份 rq sj"
)
_NEVER = _TIMES | word_set(
    "flag is has status state sort seq sequence rank ranking priority remark remarks note notes comment comments memo desc "
    "description content text detail details reason message amount amt price cost fee total sum subtotal qty quantity count "
    "cnt rate ratio percent pct discount tax vat score grade balance salary weight height length width size age version "
    "phone tel mobile fax email mail address addr url link path ip json config setting settings password pwd longitude "
    "latitude lng lat lon image img photo avatar icon color enabled disabled active deleted visible locked valid title "
    "subject summary label position level points hours minutes days seconds weeks months years duration distance speed "
    "temperature capacity mileage percentage budget revenue income profit deposit wage "
    "状态 标志 是否 排序 顺序 备注 说明 描述 内容 金额 数量 价格 单价 总额 合计 费用 比例 比率 折扣 分数 成绩 余额 工资 "
    "重量 长度 高度 年龄 版本 电话 手机 邮箱 地址 链接 路径 图片 密码 经度 纬度 标题 原因 zt bz je sl dj"
)
_NEVER_START = word_set("is has can allow num count nb nbr total sum avg max min qty amount date time 是否")
_NEVER_ZH = re.compile(
    "(?:时间|日期|状态|标志|排序|顺序|备注|说明|描述|内容|金额|数量|价格|单价|合计|费用?|比例|率|余额|版本|电话|手机号?码?|邮箱|"
    "地址|图片|密码|原因|次数|天数|人数|个数|分数|成绩|年龄|工资)$|^是否"
)
_DATE = re.compile(
    r"\d{4}[-/.年]\d{1,2}([-/.月]\d{1,2})?.*|\d{1,2}:\d{2}.*|(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-3]\d)?"
)


OUTSIDE = word_set(
    "external ext legacy third outer outside remote foreign stripe paypal wechat wx alipay erp sap crm shopify platform vendor "
    "supplier customer client provider api old original import imported source src partner system sys open union"
)
"""Words before a table's own name that say whose number for its rows is meant: supplier_order_id of orders."""
LINES = word_set("item line detail dtl history log track payment address 明细")
"""Last words of tables whose rows belong to one of another, and to none of their own."""
PLACES = word_set("province city county district town township village street region 省 市 区 县 镇 乡 街道")
"""Levels of one table of places, where none has a table of its own."""
GAZETTEERS = word_set("area region district division place geo 地区 区域 区划 行政区划")
"""What such a table is called."""
COUNTS = word_set(
    "count counts total sum num number no of per max min avg average first last size level rank points score win wins won loss "
    "lost losses draw draws length width height weight age year month day hour time goals age capacity qty quantity"
)
"""Words beside which a number counts or measures a thing, and is none of its keys."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A column that names an entity: `customer_id` refers to (customer,)."""

    entity: tuple[str, ...]
    chinese: str = ""


@lru_cache(maxsize=65536)
def refers_to(column: str) -> Reference | None:
    """The entity a key-like column names; None for columns such as id, name, total."""
    if has_cjk(column):
        entity = _ZH_KEY.sub("", fold(column))
        return Reference((), entity) if entity and entity != fold(column) else None
    words = name_words(column)
    if len(words) > 1 and words[0] in {"fk", "id", "ref", "rowid"} and words[1] not in KEY_WORDS:
        words = words[1:] if words[-1] in KEY_WORDS else (*words[1:], "id")  # fk_user, id_survey
    if len(words) > 1 and words[-1] in KEY_WORDS:
        return Reference(tuple(singular(word) for word in words[:-1]))
    last = words[-1] if words else ""
    # Of several words only the surest mark is glued to the last: proxy_groupid, but home_barcode.
    glued = re.fullmatch(r"([a-z]{3,})(?:id|no|code|key|number)" if len(words) == 1 else r"([a-z]{3,})id", last)
    if glued is None or (len(words) > 1 and last in _NO_IDS):
        return None
    return Reference((*(singular(word) for word in words[:-1]), singular(glued.group(1))))


def is_no_key(column: Column) -> bool:
    """Whether a column can refer to nothing: times, flags, statuses, orders, remarks, amounts, free text, counters."""
    if not holds_keys(column):
        return True
    if has_cjk(column.name):
        return _NEVER_ZH.search(fold(column.name)) is not None
    words = name_words(column.name)
    if not words:
        return True
    if words[-1] == "ids":
        return True  # a list of keys is none
    named_key = words[-1] in KEY_WORDS - {"num", "number", "nbr", "no"} or words[0] in {"fk", "id"}
    return words[0] in _NEVER_START or (not named_key and words[-1] in _NEVER)


def is_time(column: Column) -> bool:
    """Whether a column says when: by its type, or by its name."""
    return type_family(column.type) == "time" or bool(set(name_words(column.name)[-1:]) & _TIMES)


@lru_cache(maxsize=65536)
def is_trade(column: str) -> bool:
    """Whether a column says by an id who does a trade: loan_officer_id, technician_id."""
    words = name_words(column)
    return len(words) > 1 and words[-1] == "id" and words[-2] in ROLES


LONGEST_KEY = 40


def holds_keys(column: Column) -> bool:
    """Whether a column's type and samples allow it to hold keys, whatever its name: no times, no fractions, no sentences."""
    if re.search(r"date|time|bool|blob|json|float|double|real|bit", column.type, re.I):
        return False
    if any(_DATE.fullmatch(sample) or re.fullmatch(r"-?\d+\.\d*[1-9]", sample) for sample in column.samples):
        return False
    long = sum(len(sample) > LONGEST_KEY or len(sample.split()) > 4 for sample in column.samples)
    return long * 2 <= len(column.samples)


@lru_cache(maxsize=65536)
def is_doer(column: str, *, surely: bool = False) -> bool:
    """Whether a column names who did something: approved_by, checker_id, audit_user, 经办人.

    `surely` only where it can hardly be anything else: an editor may be a program, a tenant has a table of his own.
    """
    if has_cjk(column):
        return not surely and re.search("(?:人|员|者|经理|主管|师)(?:编号|工号|id)?$", fold(column)) is not None
    said = name_words(column)
    words = [word for word in said if word not in KEY_WORDS and word != "fk"]
    if not words or words[0] in _NO_AGENT:
        return False
    last = words[-1]
    by_id = said[-1] == "id" or (last.endswith("id") and last[:-2] in _DOERS | _DOERS_BY_ID)
    last = last[:-2] if by_id and last.endswith("id") else last
    if surely:
        return last in _DOERS or (by_id and last in _DOERS_BY_ID) or _deed(words, said=said) or _user_who(words)
    return (
        last in {"by", "uid"}
        or _deed(words, said=said)
        or _user_who(words)
        or (last not in _NO_AGENT and last not in _NEVER and _AGENT.fullmatch(last) is not None)
    )


def may_be_doer(column: Column) -> bool:
    """Whether the first letters of a Chinese name may say who did it; a number so called may be anything."""
    return type_family(column.type) == "text" and _PINYIN_DOER.fullmatch(column.name.lower()) is not None


def _deed(words: list[str], *, said: tuple[str, ...]) -> bool:
    """Whether a name says that something was done by somebody: voided_by, lastmodifiedby_id, create_uid, created_id."""
    last = words[-1]
    if last == "to" and len(words) > 1:
        return words[-2] in _GIVEN
    if last in {"by", "uid"} and len(words) > 1:
        done = words[-2]
        return done in _DEEDS or (done not in _NOT_BY_PEOPLE and _DONE.fullmatch(done) is not None)
    if last.endswith("by") and len(last) > 4:
        done = last[:-2].removeprefix("last")
        return done in _DEEDS or (done not in _NOT_BY_PEOPLE and _DONE.fullmatch(done) is not None)
    return said[-1] == "id" and last in _DEEDS and last.endswith("ed")


def _user_who(words: list[str]) -> bool:
    """Whether a name says of a user what he did: usermodified, user_created."""
    whole = "".join(words)
    done = whole[len("user") :] if whole.startswith("user") and len(words) < 3 else ""
    return done in _DEEDS or (done not in _NOT_BY_PEOPLE and done.endswith("ed") and _DONE.fullmatch(done) is not None)


@lru_cache(maxsize=65536)
def is_archive(table: str) -> bool:
    """Whether a table keeps old copies of another's rows: orders_his, t_order_bak2023, 订单历史."""
    if has_cjk(table):
        return any(word in table for word in ARCHIVES if not word.isascii())
    words = [word for word in name_words(table) if not word.isdigit()]
    return len(words) > 1 and (words[-1] in ARCHIVES or words[0] in ARCHIVES)


@lru_cache(maxsize=65536)
def entity_of(table: str, common: str = "", module: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The entity a table stores, without prefixes such as t_, dim_ and its module's; Chinese names as one word."""
    if has_cjk(table):
        return (_ZH_TABLE.sub("", fold(table)) or fold(table),)
    words = [word for word in name_words(table) if not word.isdigit()]
    if module and len(words) > len(module) and tuple(words[: len(module)]) == module:
        del words[: len(module)]
    while len(words) > 1 and (words[0] in TABLE_PREFIXES or words[0] == common):
        words.pop(0)
    while len(words) > 1 and words[-1] in TABLE_SUFFIXES:
        words.pop()
    return tuple(singular(word) for word in words) or (fold(table),)


def common_prefix(names: list[str]) -> str:
    """The first word that most tables of a schema share, such as crm in crm_customers; usually none."""
    firsts: dict[str, int] = {}
    for name in names:
        words = name_words(name)
        if len(words) > 1:
            firsts[words[0]] = firsts.get(words[0], 0) + 1
    best = max(firsts, key=lambda word: firsts[word], default="")
    return best if best and len(names) > 3 and firsts[best] >= 0.6 * len(names) else ""


def double_prefixes(names: list[str]) -> dict[str, tuple[str, ...]]:
    """By first word, the first two where one never comes without the other: hs_hr_employee, hs_hr_country.

    Two words that always stand together tell no thing apart; a single first word may well be one, as in order_item.
    """
    seconds: dict[str, Counter[str]] = defaultdict(Counter)
    for name in names:
        words = name_words(name)
        seconds[words[0] if words else ""][words[1] if len(words) > 2 else ""] += 1
    return {
        first: (first, *found)
        for first, found in seconds.items()
        if first and len(found) == 1 and "" not in found and found.total() >= TOGETHER
    }


def module_names(tables: Sequence[Table]) -> dict[str, str]:
    """Tables by what they are called within their part of a system: oms_order as order, virtualization_cluster as cluster.

    A first word that several tables share is such a part unless it is a thing itself: order_item belongs to orders, but
    circuits_circuit is what its part of a system is called after.
    """
    split = {table.name: name_words(table.name) for table in tables}
    things = {singular(words[-1]) for words in split.values() if words}
    for column in (column for table in tables for column in table.columns):
        reference = refers_to(column.name)
        things.update(reference.entity if reference and len(reference.entity) == 1 else ())
    firsts = Counter(words[0] for words in split.values() if len(words) > 1)
    things -= {singular(words[0]) for words in split.values() if len(words) == 2 and words[1] == singular(words[0])}
    parts = {word for word, count in firsts.items() if count >= MODULE and singular(word) not in things}
    inside = {name: words[1:] for name, words in split.items() if len(words) > 1 and words[0] in parts}
    if len(parts) < 2 or len(inside) < MODULES * len(split):
        return {}
    # crm_contact and mail_contact stay apart, and so do crm_contact and contact.
    called = Counter(inside.get(name, words) for name, words in split.items())
    return {name: " ".join(words) for name, words in inside.items() if called[words] == 1}


def same_word(short: str, full: str) -> bool:
    """Whether a word is another, a usual short form of it, or its beginning."""
    return is_abbreviation(short, full) or (len(short) >= 4 and full.startswith(short))


def is_abbreviation(short: str, full: str) -> bool:
    """Whether a word is another or a usual short form of it."""
    return short == full or full in ABBREVIATIONS.get(short, "").split()


def primary_key(table: Table) -> tuple[Column, ...]:
    """The declared key, else a first column that is named like one."""
    declared = tuple(column for column in table.columns if column.primary_key)
    if declared or not table.columns:
        return declared
    first = table.columns[0]
    name = fold(first.name)
    reference = refers_to(first.name)
    own = entity_of(table.name)
    if name in {"id", "编号", "uuid"} or (
        reference and (reference.chinese == own[0] or (reference.entity and same_word(reference.entity[-1], own[-1])))
    ):
        return (first,)
    return ()


@lru_cache(maxsize=4096)
def type_family(type_name: str) -> str:
    """number, text, time, flag or other; empty when the type is unknown."""
    name = type_name.lower()
    if not name:
        return ""
    for family, pattern in (
        ("number", r"int|serial|numeric|decimal|number|real|float|double|long|short|byte(?!a)|money"),
        ("text", r"char|text|string|clob|enum|uuid|guid"),
        ("time", r"date|time|year"),
        ("flag", r"^bool|^bit(?:\(1\))?$"),
    ):
        if re.search(pattern, name):
            return family
    return "other"


def joinable(left: Column, right: Column) -> bool:
    """Whether two columns can hold the same keys; unknown types may."""
    first, second = type_family(left.type), type_family(right.type)
    return not first or not second or first == second
