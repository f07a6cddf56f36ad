import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from inquery.errors import ModelMissing
from inquery.knowledge import embedders
from inquery.knowledge.embedders import embedder_for
from inquery.llm.embedded.encoder import QuestionEncoder, register_encoder
from inquery.llm.embedded.features import features
from inquery.llm.embedded.weights import PACKAGED
from inquery.settings import Settings

FOLDER = PACKAGED / "inquery-encoder"

# question, another wording, Chinese wording
ASKED = (
    ("How many customers placed an order last month?", "Count the clients who ordered last month", "上个月有多少客户下了订单？"),
    ("What are the five best selling product categories?", "Top 5 product categories by sales", "销量最高的5个商品类别是什么？"),
    ("List the names of suppliers in Berlin.", "Which suppliers are located in Berlin? Give their names", "Berlin 的供应商名称有哪些"),
    ("What is the average price of a product?", "Show the mean price of products", "商品的平均价格是多少？"),
    ("What is the total price of all products?", "Sum up the price of the products", "所有商品的总价格是多少"),
    ("Which employee has the highest salary?", "Who is the best paid staff member?", "哪位员工工资最高？"),
    ("Which employee has the lowest salary?", "Name the worst paid staff member", "工资最低的员工是谁"),
    ("Show customers who never placed an order.", "Which clients have no orders?", "列出从未下过订单的客户"),
    ("How many orders were cancelled in each city?", "Number of cancelled orders per city", "各城市取消的订单有多少？"),
    ("Show the revenue by month in 2023.", "Monthly revenue of 2023", "2023年每个月的收入"),
    ("List students older than 20.", "Which students have an age over 20?", "年龄大于20岁的学生有哪些"),
    ("Which teachers teach more than two courses?", "Find instructors giving over 2 classes", "教授两门以上课程的老师有哪些？"),
)  # fmt: skip


@pytest.fixture(scope="module")
def encoder() -> QuestionEncoder:
    return QuestionEncoder()


def test_every_text_becomes_one_row_of_unit_length(encoder: QuestionEncoder) -> None:
    rows = encoder.embed([text for asked in ASKED for text in asked])
    assert rows.dtype == np.float32
    assert rows.shape == (3 * len(ASKED), encoder.dim)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert encoder.embed([]).shape == (0, encoder.dim)


def test_a_text_without_letters_or_digits_is_the_zero_vector(encoder: QuestionEncoder) -> None:
    assert not encoder.embed(["", " ?！ "]).any()


@pytest.mark.parametrize("wording", [1, 2], ids=["paraphrase", "Chinese"])
def test_another_wording_finds_its_question(encoder: QuestionEncoder, wording: int) -> None:
    pool = encoder.embed([asked[0] for asked in ASKED])
    found = (encoder.embed([asked[wording] for asked in ASKED]) @ pool.T).argmax(axis=1)
    wrong = [ASKED[place][wording] for place in range(len(ASKED)) if found[place] != place]
    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize(
    ("question", "twin"),
    [
        ("Show orders above 500 dollars", "Show orders above 900 dollars"),
        ("订单金额超过500的客户", "订单金额超过900的客户"),
        ("List the hotels in Paris", "List the hotels in Madrid"),
        ("Which stores have orders?", "Which stores do not have orders?"),
        ("哪个门店的销售额最高", "哪个门店的销售额最低"),
        ("sales of 2023", "sales of 2024"),
    ],
)
def test_one_other_number_name_or_direction_is_no_hit(encoder: QuestionEncoder, question: str, twin: str) -> None:
    one, other = encoder.embed([question, twin])
    assert encoder.threshold is not None
    assert one @ other < encoder.threshold


def test_case_width_and_grouping_of_digits_do_not_matter(encoder: QuestionEncoder) -> None:
    one, other = encoder.embed(["show orders over 1,000 for vip", "SHOW ORDERS OVER １０００ FOR VIP"])
    assert one @ other > 0.999


def test_a_known_chinese_word_brings_its_english() -> None:
    names = {name for name, _ in features("客户数量")}
    assert {"w customer", "z 客户", "c 客"} <= names


def test_negation_and_number_words_are_features() -> None:
    names = {name for name, _ in features("Shops that don't have three floors")}
    assert {"w not", "n 3"} <= names
    assert "n 2" in {name for name, _ in features("至少两个分店")}


def test_the_same_text_has_the_same_vector_in_every_process(encoder: QuestionEncoder) -> None:
    code = (
        "import sys; from inquery.llm.embedded.encoder import QuestionEncoder as E; "
        "print(E().embed(['Zanzibar 的 revenue 7'])[0].tobytes().hex(), 'torch' in sys.modules, 'onnxruntime' in sys.modules)"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.split() == [encoder.embed(["Zanzibar 的 revenue 7"])[0].tobytes().hex(), "False", "False"]


def test_the_weights_stay_small_and_whole() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 6_000_000


def test_damaged_weights_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(FOLDER, folder)
    with (folder / "table.npz").open("r+b") as file:
        file.write(b"damaged")
    with pytest.raises(ModelMissing):
        QuestionEncoder(folder).embed(["sales"])
    with pytest.raises(ModelMissing):
        QuestionEncoder(tmp_path / "nowhere")


def test_registered_it_is_the_embedded_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedders, "_factories", {})
    monkeypatch.setattr(embedders, "_made", {})
    register_encoder()
    assert embedder_for(Settings()).name.startswith("inquery-encoder-")
