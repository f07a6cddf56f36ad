"""`inquery connections` tries an address before it keeps it, and says what is wrong."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.servers import Server, free_port
from tests.unit.cli.conftest import Inquery


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT)")
        database.execute("INSERT INTO goods VALUES (1, '茶')")
        database.commit()
    return path


def postgres_url(server: Server, *, admin: bool = False, password: str | None = None) -> str:
    user = server.admin if admin else server.reader
    word = password or (server.password if admin else server.reader_password)
    return f"postgresql://{user}:{quote(word, safe='')}@127.0.0.1:{server.port}/postgres"


def test_the_only_registered_connection_is_the_default(inquery: Inquery, shop: Path) -> None:
    assert inquery("sql", "SELECT COUNT(*) FROM stores", "--json").json["rows"] == [[12]]
    assert inquery("connections", "add", "shop", f"sqlite:///{shop}").code == 0
    assert inquery("sql", "SELECT name FROM goods", "--json").json["rows"] == [["茶"]]
    assert inquery("sql", "SELECT COUNT(*) FROM stores", "-c", "demo", "--json").json["rows"] == [[12]]
    inquery("connections", "add", "second", str(shop))
    assert inquery("sql", "SELECT COUNT(*) FROM stores", "--json").json["rows"] == [[12]]


def test_add_list_test_rename_remove(inquery: Inquery, shop: Path) -> None:
    added = inquery("connections", "add", "shop", str(shop), "--timezone", "Asia/Shanghai", "--json").json
    assert (added["engine"], added["tables"], added["options"]["timezone"]) == ("sqlite", 1, "Asia/Shanghai")
    assert [c["name"] for c in inquery("connections", "list", "--json").json] == ["shop"]
    assert inquery("connections", "test", "shop", "--json").json["ok"] is True
    assert inquery("connections", "rename", "shop", "店铺", "--json").json["name"] == "店铺"
    assert "店铺" in inquery("connections", "list").out
    assert inquery("connections", "remove", "店铺", "--json").json == {"removed": "店铺"}
    assert inquery("connections", "list", "--json").json == []


def bad_addresses(tmp_path: Path) -> Iterator[tuple[str, str]]:
    letter = tmp_path / "letter.sqlite"
    letter.write_text("Dear reader, this is no database at all, whatever its name says. " * 20)
    yield "nonsense://host/db", "bad_connection_url"
    yield "just some words", "bad_connection_url"
    yield "", "bad_connection_url"
    yield "sqlite://host/x.db", "bad_connection_url"
    yield "postgresql://host/db?options=-csearch_path", "bad_connection_url"
    yield f"postgresql://u:secret-word@127.0.0.1:{free_port()}/db", "connect_failed"
    yield "postgresql://u:secret-word@169.254.169.254/db", "host_not_allowed"
    yield "postgresql://u:secret-word@no-such-host.invalid/db", "connect_failed"
    yield f"sqlite:///{tmp_path}/missing.sqlite", "missing_file"
    yield str(letter), "not_a_database"
    yield f"sqlite:///{tmp_path}", "not_a_database"


def test_a_bad_address_is_explained_in_both_languages_and_not_kept(inquery: Inquery, tmp_path: Path) -> None:
    for url, code in bad_addresses(tmp_path):
        for language in ("en", "zh"):
            ran = inquery("connections", "add", "bad", url, "--lang", language)
            assert (ran.code, ran.err.split(":")[0]) == (1, f"error [{code}]"), url
            assert any("一" <= letter <= "鿿" for letter in ran.err) == (language == "zh"), ran.err
            assert "secret-word" not in ran.err
            assert str(tmp_path) not in ran.err
    assert inquery("connections", "list", "--json").json == []


def test_a_wrong_password_is_told_apart(inquery: Inquery, postgres: Server) -> None:
    ran = inquery("connections", "add", "pg", postgres_url(postgres, password="wrong"))
    assert (ran.code, ran.err.split(":")[0]) == (1, "error [auth_failed]")


def test_an_administrator_is_refused_unless_allowed_here(inquery: Inquery, postgres: Server) -> None:
    url = postgres_url(postgres, admin=True)
    refused = inquery("connections", "add", "pg", url)
    assert (refused.code, refused.err.split(":")[0]) == (1, "error [unsafe_role]")
    allowed = inquery("connections", "add", "pg", url, "--allow-superuser", "--lang", "zh")
    assert allowed.code == 0
    assert "警告" in allowed.err
    assert inquery("connections", "test", "pg").code == 0


def test_the_password_is_shown_nowhere(inquery: Inquery, postgres: Server, own_home: Path) -> None:
    url = postgres_url(postgres)
    ran = inquery("connections", "add", "pg", url)
    shown = [ran.out + ran.err, inquery("connections", "list").out, inquery("connections", "list", "--json").out]
    for text in shown:
        assert postgres.reader_password not in text
        assert quote(postgres.reader_password, safe="") not in text
    for file in own_home.iterdir():
        if file.is_file():
            assert postgres.reader_password.encode() not in file.read_bytes()


def test_the_password_can_come_from_standard_input(inquery: Inquery, postgres: Server) -> None:
    url = f"postgresql://{postgres.reader}@127.0.0.1:{postgres.port}/postgres"
    ran = inquery("connections", "add", "pg", url, "--password-stdin", stdin=postgres.reader_password + "\n")
    assert ran.code == 0, ran.err
    assert inquery("sql", "SELECT 1 + 1", "--json").json["rows"] == [[2]]


def test_an_empty_database_is_accepted_with_a_warning(inquery: Inquery, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "empty.db")) as database:
        database.execute("PRAGMA user_version = 1")
        database.commit()
    assert "no tables" in inquery("connections", "add", "empty", str(tmp_path / "empty.db")).err
    assert "没有表" in inquery("schema", "-c", "empty", "--lang", "zh").err
    assert inquery("sql", "SELECT 1", "-c", "empty", "--json").json["rows"] == [[1]]


def test_odd_tables_are_read_rightly(inquery: Inquery, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "odd.db")) as database:
        database.executescript(
            'CREATE TABLE "order" (id INTEGER PRIMARY KEY, "select" TEXT, blob_ BLOB);'
            'CREATE TABLE "my ""table""" ("a b" TEXT, "列 😀" TEXT);'
            "CREATE TABLE a (id INTEGER PRIMARY KEY, b_id INT REFERENCES b);"
            "CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INT REFERENCES a);"
        )
        database.execute("CREATE TABLE wide (" + ", ".join(f"c{i} INT" for i in range(2000)) + ")")
        database.execute("INSERT INTO \"order\" VALUES (1, 'x', x'00ff10')")
        database.execute('INSERT INTO "my ""table""" VALUES (\'1\', \'二\')')
        database.execute(f"INSERT INTO wide VALUES ({', '.join('7' * 2000)})")
        database.commit()
    assert inquery("connections", "add", "odd", str(tmp_path / "odd.db")).code == 0
    assert len(inquery("schema", "wide", "--json").json["tables"][0]["columns"]) == 2000
    assert inquery("sql", 'SELECT "select", blob_ FROM "order"', "--json").json["rows"] == [["x", "AP8Q"]]
    assert "<3 bytes>" in inquery("sql", 'SELECT blob_ FROM "order"').out
    assert inquery("sql", 'SELECT "a b", "列 😀" FROM "my ""table"""', "--json").json["rows"] == [["1", "二"]]
    assert len(inquery("sql", "SELECT * FROM wide", "--json").json["rows"][0]) == 2000
    assert {j["left"] for j in inquery("schema", "--joins", "--json").json["joins"] if j["declared"]} == {"a", "b"}


DICTIONARY = '{"goods": {"": "商品", "name": "商品名称", "kind": "类别 1茶叶 2咖啡"}, "godos": {"": "x"}}'


@pytest.fixture
def coded(tmp_path: Path) -> Path:
    path = tmp_path / "coded.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT, kind INTEGER)")
        database.executemany("INSERT INTO goods VALUES (?, ?, ?)", [(1, "龙井", 1), (2, "摩卡", 2), (3, "毛尖", 1)])
        database.commit()
    return path


def test_a_dictionary_comes_with_a_connection_and_is_seen_in_its_schema(
    inquery: Inquery, coded: Path, tmp_path: Path
) -> None:
    file = tmp_path / "goods.comments.json"
    file.write_text(DICTIONARY, "utf-8")
    ran = inquery("connections", "add", "goods", str(coded), "--dictionary", str(file))
    assert (ran.code, "1 table, 2 columns" in ran.out) == (0, True), ran.out
    assert "not there: godos (nearest: goods)" in ran.err
    (shown,) = inquery("schema", "goods", "-c", "goods", "--json").json["tables"]
    assert (shown["comment"], shown["display"]) == ("商品", ["name"])
    assert shown["columns"][2]["meanings"] == {"1": ["茶叶"], "2": ["咖啡"]}
    text = inquery("schema", "goods", "-c", "goods").out
    assert "1 (茶叶)" in text
    assert inquery("connections", "dictionary", "goods", "--remove", "--json").json == {"removed": True}
    (bare,) = inquery("schema", "goods", "-c", "goods", "--json").json["tables"]
    assert (bare["comment"], bare["columns"][2]["meanings"]) == ("", {})
    again = inquery("connections", "dictionary", "goods", str(file), "--json").json
    assert (again["columns"], again["not_there"]) == (2, 1)


def test_a_broken_dictionary_is_told_before_anything_is_kept(inquery: Inquery, coded: Path, tmp_path: Path) -> None:
    broken, other = tmp_path / "broken.yaml", tmp_path / "other.csv"
    broken.write_text("goods: [", "utf-8")
    other.write_text("table,comment\nplanets,far away\n", "utf-8")
    for file, language, says in (
        (broken, "en", "broken.yaml cannot be read as a dictionary: it is not YAML"),
        (broken, "zh", "无法将 broken.yaml 读作数据字典"),
        (other, "en", "nothing of other.csv is in this database"),
        (tmp_path / "missing.csv", "zh", "missing.csv"),
    ):
        ran = inquery("connections", "add", "goods", str(coded), "--dictionary", str(file), "--lang", language)
        assert (ran.code, says in ran.err) == (1, True), ran.err
        assert inquery("connections", "list", "--json").json == []
