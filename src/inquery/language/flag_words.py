"""What people say of rows whose yes-or-no column is set: `churned` of those who left, `valid` of what is in force.

Systems name a flag by its bare state as often as by `is_…`, and a question says the state in words of its own. Each line has the
words that columns use, then what is said of a row that has it, in English and in Chinese.
"""

from __future__ import annotations

_STATES = """
valid effective: valid|in force|有效|生效
invalid: invalid|无效|失效
active: active|活跃|启用|激活
enabled enable: enabled|in use|启用|已启用
disabled disable: disabled|禁用|停用
deleted removed: deleted|removed|已删除
locked: locked|锁定|已锁定
frozen: frozen|冻结
blocked banned: blocked|banned|封禁|拉黑
default: default|默认
visible displayed: visible|displayed|可见|显示
hidden: hidden|隐藏
public: public|公开
private: private|私有|不公开
published: published|已发布
listed onsale onshelf: on sale|listed|上架|在售
draft: draft|草稿
approved audited: approved|审核通过|已审批|已批准
rejected: rejected|驳回|被拒
verified: verified|已验证|已核实|已认证
confirmed: confirmed|已确认
archived: archived|归档|已归档
completed finished done: completed|finished|done|已完成
cancelled canceled: cancelled|canceled|已取消|被取消
voided void: voided|void|作废|已作废
failed: failed|失败
converted: converted|turned into customers|已转化|转成客户|转为客户
lost: lost|输单|流失
received: received|已收货|已签收
suspended: suspended|暂停|已暂停
expired: expired|过期|已过期|到期
paid settled: paid|settled|已付款|已支付|已付|结清
refunded: refunded|已退款
returned: returned|已退货|退回
shipped dispatched: shipped|dispatched|已发货
delivered: delivered|已送达|已签收
invoiced billed: invoiced|billed|已开票
overdue: overdue|逾期
closed: closed|已关闭
resolved solved: resolved|solved|已解决
read viewed: read|已读|已查看
recommended featured: recommended|featured|推荐
urgent expedited: urgent|expedited|加急|紧急
attrition resigned exited terminated: left|leavers|leaver|resigned|quit|离职|已离职|流失
churn churned: churned|lost|流失|流失的
overtime: overtime|work overtime|加班
smoker smoking: smokers|smoker|smoke|吸烟|抽烟
diabetes diabetic: diabetic|diabetics|糖尿病
deceased dead died death: deceased|died|dead|死亡|去世|已故
married: married|已婚
pregnant: pregnant|怀孕
insured: insured|参保|投保
vip: vip|贵宾
member membership: members|member|会员
subscribed subscriber: subscribed|subscribers|订阅
fraud fraudulent: fraudulent|fraud|欺诈
survived: survived|survivors|幸存|生还
remote: remote|远程
resident: resident|常住
"""


def _read() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _STATES.strip().splitlines():
        names, _, words = line.partition(": ")
        found |= dict.fromkeys(names.split(), tuple(words.split("|")))
    return found


STATES = _read()
"""What is said of a row, by the word that its flag is called."""
