"""Values to fill columns with, in pairs of English and Chinese where both are said."""

from __future__ import annotations

from random import Random


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((a.strip(), b.strip()) for a, b in (item.split("=") for item in text.split(",")))


POOLS: dict[str, tuple[tuple[str, str], ...]] = {
    "country": _pairs(
        "China=中国, United States=美国, Japan=日本, Germany=德国, France=法国, Brazil=巴西, India=印度, Canada=加拿大, "
        "Italy=意大利, Spain=西班牙, Australia=澳大利亚, Mexico=墨西哥, Russia=俄罗斯, South Korea=韩国, Netherlands=荷兰, "
        "Sweden=瑞典, Egypt=埃及, Kenya=肯尼亚, Argentina=阿根廷, Thailand=泰国, Vietnam=越南, Turkey=土耳其, "
        "Norway=挪威, Poland=波兰, Portugal=葡萄牙, Singapore=新加坡, New Zealand=新西兰, South Africa=南非, "
        "United Kingdom=英国, Greece=希腊"
    ),
    "city": _pairs(
        "Beijing=北京, Shanghai=上海, Guangzhou=广州, Shenzhen=深圳, Hangzhou=杭州, Chengdu=成都, Wuhan=武汉, Nanjing=南京, "
        "Xi'an=西安, Suzhou=苏州, Tianjin=天津, Chongqing=重庆, Qingdao=青岛, Xiamen=厦门, London=伦敦, Paris=巴黎, "
        "Berlin=柏林, New York=纽约, Chicago=芝加哥, Boston=波士顿, Seattle=西雅图, Tokyo=东京, Osaka=大阪, Seoul=首尔, "
        "Sydney=悉尼, Toronto=多伦多, Madrid=马德里, Rome=罗马, Dubai=迪拜, Mumbai=孟买, San Francisco=旧金山, Los Angeles=洛杉矶"
    ),
    "province": _pairs(
        "Zhejiang=浙江, Guangdong=广东, Jiangsu=江苏, Shandong=山东, Sichuan=四川, Hubei=湖北, Fujian=福建, Hunan=湖南, "
        "Henan=河南, Yunnan=云南, Liaoning=辽宁, Texas=得克萨斯, California=加利福尼亚, Florida=佛罗里达, Ohio=俄亥俄"
    ),
    "district": _pairs(
        "Chaoyang=朝阳区, Haidian=海淀区, Pudong=浦东新区, Xuhui=徐汇区, Tianhe=天河区, Nanshan=南山区, Jiangbei=江北区, "
        "Downtown=市中心, Riverside=滨江区, Old Town=老城区, West End=西城区, Harbour=港口区"
    ),
    "language": _pairs(
        "English=英语, Chinese=中文, French=法语, Spanish=西班牙语, Japanese=日语, German=德语, Russian=俄语, Arabic=阿拉伯语, Korean=韩语"
    ),
    "color": _pairs("red=红色, blue=蓝色, black=黑色, white=白色, green=绿色, silver=银色, yellow=黄色, grey=灰色"),
}

_FIRST = [
    "James",
    "Mary",
    "Robert",
    "Linda",
    "Michael",
    "Elena",
    "David",
    "Sofia",
    "Daniel",
    "Emma",
    "Carlos",
    "Aisha",
    "Lucas",
    "Hannah",
    "Omar",
    "Julia",
    "Peter",
    "Nina",
    "Ivan",
    "Laura",
    "Thomas",
    "Grace",
    "Victor",
    "Alice",
    "Henry",
    "Chloe",
    "Samuel",
    "Olivia",
    "Marco",
    "Ingrid",
    "Kevin",
    "Diana",
    "Felix",
    "Rosa",
    "Leo",
    "Clara",
    "Hugo",
    "Irene",
    "Paul",
    "Vera",
    "Wei",
    "Fang",
    "Lei",
    "Xin",
    "Jun",
    "Yan",
    "Min",
    "Tao",
    "Ling",
    "Hao",
]
_LAST = [
    "Smith",
    "Johnson",
    "Brown",
    "Garcia",
    "Miller",
    "Davis",
    "Wilson",
    "Martin",
    "Lopez",
    "Clark",
    "Lewis",
    "Walker",
    "Hall",
    "Young",
    "King",
    "Wright",
    "Hill",
    "Scott",
    "Green",
    "Baker",
    "Adams",
    "Nelson",
    "Carter",
    "Rossi",
    "Muller",
    "Novak",
    "Silva",
    "Kim",
    "Tanaka",
    "Nguyen",
    "Ali",
    "Khan",
    "Petrov",
    "Dubois",
    "Jensen",
    "Larsen",
    "Costa",
    "Weber",
    "Chen",
    "Wang",
    "Li",
    "Zhang",
    "Liu",
    "Zhao",
    "Huang",
    "Zhou",
    "Wu",
    "Xu",
]
_SURNAMES = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕"
_GIVEN = [
    "伟",
    "芳",
    "娜",
    "敏",
    "静",
    "丽",
    "强",
    "磊",
    "军",
    "洋",
    "勇",
    "艳",
    "杰",
    "娟",
    "涛",
    "明",
    "超",
    "秀英",
    "霞",
    "平",
    "刚",
    "桂英",
    "建华",
    "文博",
    "子涵",
    "雨桐",
    "浩然",
    "梓萱",
    "宇轩",
    "思远",
    "佳怡",
    "志强",
    "海燕",
    "晓明",
    "国庆",
    "春梅",
    "一鸣",
    "若曦",
    "嘉豪",
    "欣怡",
    "天佑",
    "雪",
    "鹏",
    "琳",
    "晨曦",
    "俊杰",
    "慧",
    "梦瑶",
]
_ADJECTIVES = _pairs(
    "Blue=蓝, Golden=金, Silver=银, Green=绿, Silent=静, Bright=明, Lucky=福, Northern=北, Southern=南, Eastern=东, Royal=皇家, "
    "Grand=大, New=新, Old=老, Red=红, White=白, Happy=乐, Summer=夏, Winter=冬, Lonely=孤, Ancient=古, Crystal=晶, Wild=野, Sunny=晴"
)
_NOUNS = _pairs(
    "River=河, Mountain=山, Star=星, Dragon=龙, Tiger=虎, Phoenix=凤, Ocean=海, Garden=园, Forest=林, Moon=月, Bridge=桥, Cloud=云, "
    "Lotus=莲, Eagle=鹰, Lake=湖, Valley=谷, Harbor=港, Wind=风, Rose=玫, Pine=松, Horizon=岸, Lantern=灯, Stone=石, Sky=天"
)
_TITLES = _pairs(
    "Journey=之旅, Story=故事, Dream=之梦, Secret=秘密, Memory=记忆, Song=之歌, Night=之夜, Light=之光, Shadow=之影, Road=之路, "
    "Guide=指南, Basics=入门, Promise=诺言, Festival=节, Project=计划, Challenge=挑战"
)
_COMPANIES = _pairs(
    "Group=集团, Trading=贸易, Technology=科技, Industries=实业, Foods=食品, Media=传媒, Holdings=控股, Logistics=物流, Pharma=医药, Energy=能源"
)
_STEMS = _pairs(
    "Huaxin=华信, Longteng=龙腾, Yuanda=远大, Jinhui=金辉, Haoyu=昊宇, Northwind=北风, Acme=艾克米, Vertex=维泰, Solaris=索拉, Orion=猎户, "
    "Bluepeak=蓝峰, Evergreen=长青, Sunrise=日升, Titan=泰坦, Nova=新星, Pacific=太平洋, Summit=峰达, Harmony=和谐, Apex=顶点, Lumen=流明"
)
_MATERIALS = _pairs(
    "steel plate=钢板, copper wire=铜线, plastic film=塑料膜, rubber ring=橡胶圈, cotton cloth=棉布, glass panel=玻璃板, bolt m8=M8螺栓, "
    "aluminum sheet=铝板, circuit board=电路板, paint=油漆, paper box=纸箱, battery cell=电芯, bearing=轴承, cable=电缆, valve=阀门"
)
_MACHINES = _pairs(
    "lathe=车床, milling machine=铣床, laser cutter=激光切割机, press=冲压机, welding robot=焊接机器人, conveyor=传送带, packer=包装机, "
    "centrifuge=离心机, microscope=显微镜, spectrometer=光谱仪, oven=烘箱, pump=水泵, compressor=压缩机, boiler=锅炉, mixer=搅拌机"
)
_DISHES = _pairs(
    "kung pao chicken=宫保鸡丁, mapo tofu=麻婆豆腐, fried rice=炒饭, beef noodles=牛肉面, spring rolls=春卷, caesar salad=凯撒沙拉, "
    "margherita pizza=玛格丽特披萨, carbonara=培根意面, sushi platter=寿司拼盘, tom yum soup=冬阴功汤, roast duck=烤鸭, dumplings=饺子, "
    "grilled fish=烤鱼, onion soup=洋葱汤, tiramisu=提拉米苏"
)
_DRUGS = _pairs(
    "aspirin=阿司匹林, ibuprofen=布洛芬, amoxicillin=阿莫西林, metformin=二甲双胍, vitamin c=维生素C, insulin=胰岛素, cetirizine=西替利嗪, "
    "omeprazole=奥美拉唑, paracetamol=对乙酰氨基酚, atorvastatin=阿托伐他汀, cough syrup=止咳糖浆, eye drops=滴眼液"
)
_PETS = _pairs(
    "Coco=可可, Lucky=来福, Bella=贝拉, Max=麦克斯, Milo=米洛, Snowball=雪球, Tofu=豆腐, Oreo=奥利奥, Daisy=黛西, Rocky=洛奇, Luna=露娜, Biscuit=饼干"
)
_TEAMS = _pairs(
    "Tigers=猛虎队, Eagles=雄鹰队, Sharks=鲨鱼队, Rockets=火箭队, Lions=雄狮队, Wolves=狼队, United=联队, Rangers=游骑兵队, Dragons=巨龙队, Stars=星队"
)
_NOTES = _pairs(
    "urgent=加急, to be checked=待核实, no problem=没有问题, very good=很好, needs follow up=需跟进, first batch=首批, repeat customer=老客户, "
    "late arrival=晚到, fragile=易碎, call before delivery=送货前电话联系"
)


def person(rng: Random, chinese: bool) -> str:
    """A full name."""
    if chinese:
        return rng.choice(_SURNAMES) + rng.choice(_GIVEN)
    return f"{rng.choice(_FIRST)} {rng.choice(_LAST)}"


def _two(rng: Random, chinese: bool) -> tuple[str, str]:
    return rng.choice(_ADJECTIVES)[chinese], rng.choice(_NOUNS)[chinese]


def _title(rng: Random, chinese: bool) -> str:
    first, second = _two(rng, chinese)
    last = rng.choice(_TITLES)[chinese]
    if chinese:
        return rng.choice([first + second + last, second + last])
    return rng.choice(
        [f"{first} {second} {last}", f"The {second} {last}", f"{last} of the {first} {second}", f"{first} {last}"]
    )


def text(kind: str, rng: Random, chinese: bool, suffix: str, number: int) -> str:
    """One text value of a kind; `suffix` is the noun of the entity, `number` the row."""
    space = "" if chinese else " "
    listed = {
        "material": _MATERIALS,
        "machine": _MACHINES,
        "dish": _DISHES,
        "drug": _DRUGS,
        "pet": _PETS,
        "note": _NOTES,
    }
    if kind in listed:
        return rng.choice(listed[kind])[chinese]
    match kind:
        case "person":
            return person(rng, chinese)
        case "first":
            return rng.choice(_GIVEN) if chinese else rng.choice(_FIRST)
        case "last":
            return rng.choice(_SURNAMES) if chinese else rng.choice(_LAST)
        case "title":
            return _title(rng, chinese)
        case "company":
            return rng.choice(_STEMS)[chinese] + space + rng.choice(_COMPANIES)[chinese]
        case "team":
            return rng.choice(POOLS["city"])[chinese] + space + rng.choice(_TEAMS)[chinese]
        case "university":
            return rng.choice(POOLS["city"])[chinese] + ("大学" if chinese else " University")
        case "school":
            return rng.choice(POOLS["city"])[chinese] + (
                f"第{number % 9 + 1}中学" if chinese else f" No.{number % 9 + 1} School"
            )
        case "email":
            return f"{rng.choice(_FIRST).lower()}{number}@example.{rng.choice(['com', 'org', 'net'])}"
        case "phone":
            return f"1{rng.choice('3578')}{rng.randrange(10**9):09d}"
        case "nick":
            return f"{rng.choice(_ADJECTIVES)[0].lower()}_{rng.choice(_NOUNS)[0].lower()}{rng.randrange(99)}"
        case "address":
            first, second = _two(rng, chinese)
            return (
                f"{first}{second}路{rng.randrange(1, 300)}号" if chinese else f"{rng.randrange(1, 300)} {second} Street"
            )
        case "url":
            return f"www.{rng.choice(_STEMS)[0].lower()}.com"
    first, second = _two(rng, chinese)
    plain = first + space + second
    return plain + space + suffix if rng.random() < 0.4 and suffix else plain
