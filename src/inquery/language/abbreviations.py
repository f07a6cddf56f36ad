"""Usual short forms in the names of tables and columns, and the words they stand for."""

from __future__ import annotations

_ENTITIES = """
acct account|addr address|agmt agreement|agt agent|appt appointment|asst asset assistant|atty attorney|bkg booking|bldg building
brch branch|brnd brand|btch batch|cat category|catg category|ctg category|ctgy category|clm claim|cli client|clnt client|clt client
cls class|cmp company|cmpgn campaign|cntnr container|cntr container contract center|cntrct contract|cntry country
ctry country|corp corporation|crs course|cust customer|cstmr customer|custmr customer|ctmr customer|dept department depart
dpt department|div division|dlv delivery|dlvr delivery|dlvy delivery|doc document|dr doctor debit|drv driver|drvr driver|dvc device
dfct defect|emp employee|empl employee|enrl enrollment|eq equipment|eqp equipment|eqpt equipment|equip equipment|evt event
fac facility faculty|fcty factory|flt flight|grp group|gst guest|hosp hospital|htl hotel|inc incident income|insp inspection
instr instructor instrument|inst institution instrument|inv invoice inventory|invc invoice|itm item|lctn location|loc location
locn location|ldgr ledger|lic license|mach machine|matl material|mtl material|mtrl material|mbr member|memb member|mdl model
mfr manufacturer|mnfr manufacturer|mgr manager|msg message|mtg meeting|nrs nurse|oppty opportunity|ord order|ordr order
org organization|ownr owner|pat patient|pax passenger|pers person|plcy policy|plnt plant|pmt payment|pymt payment|pmnt payment
pol policy|posn position|pstn position|prd product period|prdct product|prod product|pdt product|prj project|prjt project
proj project|prof professor|promo promotion|prov province|prsn person|psgr passenger|psn person|psnl personnel|pt patient
ptnt patient|rcpt receipt|resv reservation|rsv reservation|rsvn reservation|rgn region|rte route|sch school|schl school
sctr sector|sec security section second|sect section|shp shipment|shpmt shipment|splr supplier|sta station|stn station
str store|stu student|stud student|supp supplier|suppl supplier|svc service|svr server|tch teacher|tchr teacher
tech technician|terr territory|tkt ticket|tnt tenant|tmpl template|tpl template|trans transaction|trx transaction|txn transaction|tran transaction
trk truck track|tsk task|univ university|usr user|veh vehicle|vhcl vehicle|vend vendor|vndr vendor|wh warehouse|whs warehouse
whse warehouse|wrhs warehouse
"""

_FACTS = """
abbr abbreviation|abs absence|acc account|acnt account|actv active activity|adj adjustment|adm admission|adr address|alloc allocation
alrt alert|alt altitude|amnt amount|amt amount|apprv approval|appr approval|appl application|app application|apt airport apartment
arr arrival|ast asset|att attendance attribute|attr attribute|auth authorization|avail available|avl available|avg average
bal balance|cal calendar|bday birthday|bdgt budget|bgt budget|beg begin|bns bonus|brth birth|bth birth|canc cancelled|cncl cancelled|cxl cancelled
cap capacity capital|ccy currency|cd code|cde code|chg change charge|chn channel|chnl channel|clr color|cmnt comment|cmt comment
cmpl complete|cmsn commission|cnt count|cntct contact|col color|comm commission comment|cond condition|config configuration|cons consumption
cov coverage|cr credit|crd card credit|cre created|crt created|crtd created|cst cost|ctct contact|ctr center contract|cty city county
cur current currency|curr currency current|ded deduction|def default|deg degree|del deleted delivery|dep deposit department departure
deliv delivery|desc description|descr description|dscr description|dsc description|desig designation|dest destination|det detail
dev device developer|dflt default|dia diameter|diag diagnosis|dim dimension|dis discount|disc discount|disch discharge|dscnt discount
dist distance district|distr district distributor|dob birth|dst destination|dt date|dte date|dtl detail|dtls detail|dur duration
dx diagnosis|educ education|edu education|eff effective|elev elevation|eml email|ent enterprise entity|env environment|ep episode|err error|est estimated
exp expense expiry experience|expr expiry|fcst forecast|fin finance final|flg flag|flr floor|fname name|fnm name|freq frequency
fst first|gen gender|gndr gender|gl ledger|grd grade|grs gross|hdr header|hgt height|hist history|hr hour|hrs hour|hst history|ht height
hum humidity|idx index|img image|ind indicator industry|info information|init initial|ins insurance|int interest|intr interest
iss issue|jnl journal|jrnl journal|lang language|lat latitude|lbl label|len length|lev level|lim limit|lmt limit|ln line loan
lname name|lnm name|lng longitude|lon longitude|lst last list|lv leave level|lvl level|maj major|mar marital|mat material maturity
max maximum|med medicine medical|mem member memory|meth method|mfg manufacturing|min minimum|mins minute|mkt market|mktg marketing
mlg mileage|mob mobile|mbl mobile|mod modified|mon month|mrgn margin|mst master|mstr master|mth month|mthd method|mtr meter
mnth month|nat nationality|nbr number|nm name|nme name|no number|num number|occ occupation occupancy|odo odometer|op operation operator|opp opportunity
orig origin original|orgn origin organization|ot overtime|ovt overtime|pct percent|perc percent|prct percent|pd paid period
pft profit|prft profit|ph phone|phn phone|phys physician|pic picture|pln plan|po purchase order|pop population|pos position|prc price process|pri priority
prio priority|prty priority party|prem premium|prev previous|prin principal|princ principal|proc process procedure|prop property
prt part|pwd password|pwr power|qlty quality|qtr quarter|qty quantity|qnty quantity|quant quantity|rcv received|rcvd received
recv received|rdg reading|rec record|reg region registration|rel relation release|rep representative report|repl replacement|req request requirement
rqst request|res result resource|resp response responsible|ret return|rtn return|rev revenue review|rfnd refund|rm room
rmk remark|rmks remark|rnk rank|rpt report|rslt result|rsn reason|rt rate|rtg rating|rx prescription|sal salary|sched schedule
schd schedule|scr score|sem semester|seq sequence|serv service|skl skill|spd speed|spec specification specialist|src source
srv service server|st state street|stat status statistic|std standard|strt start street|sts status|stus status|sub subject subscription
subcat subcategory|subtot subtotal|surg surgery|sys system|sz size|tel phone|temp temperature|tgt target|trgt target|tm time team
tmstmp timestamp|tot total|tp type|typ type|trd trade|trf transfer|xfer transfer|trm term|trn transaction training|ts time|tst test
ttl total title|tx tax transaction|txt text|upd updated|updt updated|usg usage|val value|ver version|vis visit|vol volume|wd withdrawal
wdl withdrawal|wgt weight|wid width|wo work order|wk week|wrk work|wt weight|yld yield|yr year|zn zone
"""


def _read(text: str) -> dict[str, str]:
    """Short forms and the words they may stand for, the likelier first."""
    entries = (entry.partition(" ") for entry in text.strip().replace("\n", "|").split("|"))
    return {short: words for short, _, words in entries}


ABBREVIATIONS = _read(_ENTITIES)
"""Short forms of what tables store: cust of a customer; keys and joins go by them."""

SHORT = ABBREVIATIONS | _read(_FACTS)
"""Those and the short forms of what columns say: amt, qty, sts."""
