"""The words the demo business is made of: places, people, categories, brands, promotions and remarks."""

from __future__ import annotations

from dataclasses import dataclass

# city, province, country, postcode prefix, weight
CITIES: tuple[tuple[str, str, str, str, float], ...] = (
    ("上海", "上海", "China", "200", 12),
    ("北京", "北京", "China", "100", 11),
    ("深圳", "广东", "China", "518", 9),
    ("广州", "广东", "China", "510", 8),
    ("杭州", "浙江", "China", "310", 7),
    ("成都", "四川", "China", "610", 7),
    ("南京", "江苏", "China", "210", 5),
    ("苏州", "江苏", "China", "215", 5),
    ("武汉", "湖北", "China", "430", 5),
    ("西安", "陕西", "China", "710", 4),
    ("重庆", "重庆", "China", "400", 4),
    ("天津", "天津", "China", "300", 4),
    ("青岛", "山东", "China", "266", 3),
    ("厦门", "福建", "China", "361", 3),
    ("长沙", "湖南", "China", "410", 3),
    ("哈尔滨", "黑龙江", "China", "150", 2),
    ("Hong Kong", "Hong Kong", "China", "999", 2),
    ("Singapore", "Singapore", "Singapore", "049", 2),
    ("Tokyo", "Tokyo", "Japan", "100", 2),
    ("Osaka", "Osaka", "Japan", "530", 1),
    ("London", "England", "United Kingdom", "EC1", 2),
    ("Manchester", "England", "United Kingdom", "M1", 1),
    ("New York", "New York", "United States", "100", 2),
    ("San Francisco", "California", "United States", "941", 1.5),
    ("Berlin", "Berlin", "Germany", "101", 1),
    ("Paris", "Île-de-France", "France", "750", 1),
    ("Sydney", "New South Wales", "Australia", "200", 1),
)

SURNAMES_ZH = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡"
GIVEN_ZH = [
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
    "文",
    "辉",
    "玲",
    "建华",
    "建国",
    "志强",
    "晓东",
    "雨欣",
    "子涵",
    "浩然",
    "梓萱",
    "欣怡",
    "宇轩",
    "佳琪",
    "思远",
    "若曦",
    "嘉豪",
    "雅婷",
    "海燕",
    "春梅",
    "国栋",
    "立新",
    "慧敏",
    "俊杰",
    "天宇",
    "诗涵",
    "一鸣",
    "语嫣",
]
SURNAMES_PINYIN = [
    "Wang",
    "Li",
    "Zhang",
    "Liu",
    "Chen",
    "Yang",
    "Huang",
    "Zhao",
    "Wu",
    "Zhou",
    "Xu",
    "Sun",
    "Ma",
    "Zhu",
    "Hu",
    "Guo",
    "He",
    "Gao",
    "Lin",
    "Luo",
    "Zheng",
    "Liang",
    "Xie",
    "Song",
    "Tang",
]
GIVEN_PINYIN = [
    "Wei",
    "Fang",
    "Na",
    "Min",
    "Jing",
    "Li",
    "Qiang",
    "Lei",
    "Jun",
    "Yang",
    "Yong",
    "Yan",
    "Jie",
    "Juan",
    "Tao",
    "Ming",
    "Chao",
    "Xia",
    "Ping",
    "Gang",
    "Wen",
    "Hui",
    "Ling",
    "Jianhua",
    "Zhiqiang",
    "Xiaodong",
    "Yuxin",
    "Zihan",
    "Haoran",
    "Xinyi",
]
GIVEN_FOREIGN = [
    "James",
    "Mary",
    "Robert",
    "Patricia",
    "John",
    "Jennifer",
    "Michael",
    "Linda",
    "David",
    "Elizabeth",
    "William",
    "Barbara",
    "Richard",
    "Susan",
    "Joseph",
    "Jessica",
    "Thomas",
    "Sarah",
    "Daniel",
    "Karen",
    "Emma",
    "Oliver",
    "Amelia",
    "Harry",
    "Sophie",
    "Yuki",
    "Haruto",
    "Sakura",
    "Kenji",
    "Hana",
    "Lukas",
    "Anna",
    "Felix",
    "Camille",
    "Louis",
    "Chloé",
    "Zoë",
    "Jack",
    "Isla",
    "Noah",
]
SURNAMES_FOREIGN = [
    "Smith",
    "Johnson",
    "Williams",
    "Brown",
    "Jones",
    "Miller",
    "Davis",
    "Wilson",
    "Anderson",
    "Taylor",
    "Moore",
    "Jackson",
    "Martin",
    "Lee",
    "Thompson",
    "White",
    "Harris",
    "Clark",
    "Lewis",
    "Walker",
    "Hall",
    "Young",
    "King",
    "Wright",
    "Scott",
    "Green",
    "Baker",
    "Tanaka",
    "Suzuki",
    "Sato",
    "Yamamoto",
    "Müller",
    "Schmidt",
    "Weber",
    "Dubois",
    "Moreau",
    "O'Brien",
    "O'Connor",
    "Nguyen",
    "Patel",
]
STREETS_ZH = ("人民路", "中山路", "解放大道", "和平街", "建设路", "文化路", "长江路", "黄河路", "新华街", "滨海大道")
STREETS_EN = ("High Street", "Park Road", "Station Road", "Main Street", "Maple Avenue", "River Lane", "King's Road")

# name, city, region; the last one opened last year
STORES: tuple[tuple[str, str, str], ...] = (
    ("上海南京路旗舰店", "上海", "east"),
    ("杭州西湖店", "杭州", "east"),
    ("南京新街口店", "南京", "east"),
    ("苏州园区店", "苏州", "east"),
    ("广州天河店", "广州", "south"),
    ("Shenzhen Bay Store", "深圳", "south"),
    ("厦门中山路店", "厦门", "south"),
    ("Beijing Chaoyang Store", "北京", "north"),
    ("天津滨江道店", "天津", "north"),
    ("青岛台东店", "青岛", "north"),
    ("成都春熙路店", "成都", "west"),
    ("西安钟楼店", "西安", "west"),
)

TITLES = ("Sales Associate", "Senior Sales Associate", "Cashier", "Stock Clerk", "Shift Supervisor", "Service Advisor")

SUPPLIERS: tuple[tuple[str, str], ...] = (
    ("华东电子有限公司", "China"),
    ("深圳智联科技", "China"),
    ("广州百货供应链", "China"),
    ("杭州织锦服饰", "China"),
    ("青岛海风电器", "China"),
    ("成都天府食品", "China"),
    ("义乌小商品集团", "China"),
    ("佛山家居制造", "China"),
    ("北京书香文化", "China"),
    ("苏州丝韵纺织", "China"),
    ("宁波精密器械", "China"),
    ("厦门山海体育", "China"),
    ("Nippon Optics", "Japan"),
    ("Kyoto Sound Works", "Japan"),
    ("Osaka Kitchenware", "Japan"),
    ("Pacific Components", "Singapore"),
    ("Lion City Trading", "Singapore"),
    ("Rhein Haushalt GmbH", "Germany"),
    ("Berlin Audio AG", "Germany"),
    ("Maison Lumière", "France"),
    ("Atelier Parisien", "France"),
    ("Northern Mills Ltd", "United Kingdom"),
    ("Thames Books", "United Kingdom"),
    ("Golden Gate Devices", "United States"),
    ("Hudson Sports Inc", "United States"),
    ("Great Lakes Foods", "United States"),
    ("Harbour Toys Pty", "Australia"),
    ("Outback Outdoor", "Australia"),
    ("长三角物流贸易", "China"),
    ("Silk Road Imports", "China"),
)


@dataclass(frozen=True, slots=True)
class Category:
    """A category: its parent's code, both names, a price range in CNY, popularity, and what it sells."""

    code: str
    parent: str
    en: str
    zh: str
    low: float
    high: float
    weight: float
    goods: tuple[tuple[str, str], ...]


def _goods(text: str) -> tuple[tuple[str, str], ...]:
    pairs = [pair.split(":") for pair in text.split(",")]
    return tuple((en.strip(), zh.strip()) for en, zh in pairs)


CATEGORIES: tuple[Category, ...] = (
    Category("mobile_phone", "", "Mobile Phones", "手机", 899, 7999, 1.2, _goods(
        "Smartphone:智能手机, Folding Phone:折叠屏手机, Gaming Phone:游戏手机, Senior Phone:老人手机")),
    Category("computer", "", "Computers", "电脑", 2499, 15999, 0.7, _goods(
        "Laptop:笔记本电脑, Desktop PC:台式电脑, Gaming Laptop:游戏本, Mini PC:迷你主机, Monitor:显示器")),
    Category("tablet", "computer", "Tablets", "平板电脑", 999, 6499, 0.6, _goods(
        "Tablet:平板电脑, Drawing Tablet:绘图平板, E-Reader:电子书阅读器")),
    Category("camera", "", "Cameras", "相机", 1299, 18999, 0.3, _goods(
        "Mirrorless Camera:微单相机, Action Camera:运动相机, Instant Camera:拍立得, Zoom Lens:变焦镜头")),
    Category("audio", "", "Audio", "音响", 99, 3999, 1.1, _goods(
        "Wireless Earbuds:无线耳机, Headphones:头戴耳机, Bluetooth Speaker:蓝牙音箱, Soundbar:回音壁")),
    Category("home_appliance", "", "Home Appliances", "家用电器", 199, 6999, 0.8, _goods(
        "Robot Vacuum:扫地机器人, Washing Machine:洗衣机, Air Purifier:空气净化器, Refrigerator:冰箱, Fan:风扇")),
    Category("kitchen", "home_appliance", "Kitchen", "厨房用品", 29, 1999, 1.2, _goods(
        "Rice Cooker:电饭煲, Wok:炒锅, Knife Set:刀具套装, Blender:破壁机, Kettle:电水壶")),
    Category("clothing", "", "Clothing", "服装", 59, 1599, 1.6, _goods(
        "T-Shirt:T恤, Down Jacket:羽绒服, Jeans:牛仔裤, Dress:连衣裙, Sweater:毛衣, Shirt:衬衫")),
    Category("shoes", "clothing", "Shoes", "鞋靴", 99, 1799, 1.1, _goods(
        "Running Shoes:跑鞋, Leather Shoes:皮鞋, Sandals:凉鞋, Boots:靴子, Sneakers:运动鞋")),
    Category("beauty", "", "Beauty", "美妆", 29, 1299, 1.5, _goods(
        "Lipstick:口红, Face Cream:面霜, Shampoo:洗发水, Perfume:香水, Sunscreen:防晒霜")),
    Category("sports", "", "Sports", "运动户外", 39, 2999, 1.0, _goods(
        "Yoga Mat:瑜伽垫, Dumbbells:哑铃, Tent:帐篷, Bicycle:自行车, Badminton Racket:羽毛球拍")),
    Category("toys", "", "Toys", "玩具", 19, 899, 1.0, _goods(
        "Building Blocks:积木, Plush Bear:毛绒熊, Puzzle:拼图, Remote Car:遥控车, Board Game:桌游")),
    Category("books", "", "Books", "图书", 18, 199, 1.6, _goods(
        "Novel:小说, Cookbook:菜谱, History Book:历史书, Picture Book:绘本, Textbook:教材")),
    Category("food", "", "Food", "食品", 9, 399, 2.0, _goods(
        "Green Tea:绿茶, Coffee Beans:咖啡豆, Mixed Nuts:混合坚果, Chocolate:巧克力, Instant Noodles:方便面, Honey:蜂蜜")),
    Category("furniture", "", "Furniture", "家具", 199, 6999, 0.4, _goods(
        "Sofa:沙发, Desk:书桌, Office Chair:办公椅, Bookshelf:书架, Mattress:床垫")),
)  # fmt: skip

# Invented names: a demo must not look like figures about real makers.
BRANDS = (
    "Lumora", "瀚星", "Novique", "青禾", "Zentari", "山岚", "Orbix", "云墨", "Kestrel", "良木", "Auralis", "暖阳",
    "Veltro", "知味", "Fennec", "凌波", "Halden", "悦享", "Mirako", "拾光", "Tarvos", "北川", "Elowen", "小满",
)  # fmt: skip
SERIES = ("Air", "Pro", "Max", "Lite", "Plus", "Mini", "Ultra", "Neo", "Classic", "SE")

# name, kind, rate, (month, day) of the start, days; every one is held each year
PROMOTIONS: tuple[tuple[str, str, float, tuple[int, int], int], ...] = (
    ("双十一大促", "discount", 0.20, (11, 1), 11),
    ("双十二返场", "coupon", 0.12, (12, 8), 5),
    ("年货节", "bundle", 0.15, (1, 10), 14),
    ("Spring Refresh", "coupon", 0.08, (3, 1), 10),
    ("五一促销", "discount", 0.10, (4, 28), 8),
    ("618 年中大促", "discount", 0.18, (6, 1), 18),
    ("Summer Clearance", "discount", 0.25, (8, 5), 14),
    ("开学季", "bundle", 0.10, (8, 25), 12),
    ("国庆黄金周", "coupon", 0.10, (10, 1), 7),
)

REMARKS: dict[int, tuple[str, ...]] = {
    5: (
        "Excellent, exactly as described!",
        "质量很好，物流也快，五星好评",
        "Love it, 会回购的",
        "非常满意，推荐购买",
        "Works perfectly after two months.",
    ),
    4: ("Good value for the price.", "总体不错，包装可以再好一点", "Nice quality, 颜色比图片深一点", "性价比高"),
    3: ("It is okay, nothing special.", "一般般，没有想象中好", "Average. 还行吧", "凑合能用"),
    2: ("Stopped working after a week.", "做工粗糙，有点失望", "Not as described, 与描述不符"),
    1: ("Terrible, asked for a refund.", "质量太差，已申请退货", "Broken on arrival, 客服也不理人"),
}
