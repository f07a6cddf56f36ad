"""Promise 32: a home that is damaged, closed or full is told in one sentence with a way out; what can be made anew is."""

import asyncio
import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sqlalchemy import create_engine, event
from tests.integration.api_server import API, ONCE, make_shop, served

from inquery.agents.opening import check_files
from inquery.api.routes.health import _store as store_check
from inquery.catalog.stored import files, load_catalog
from inquery.errors import HomeUnusable
from inquery.home import check_writable, explain_failure, make_file
from inquery.knowledge.builtin_vectors import BuiltinVectors
from inquery.knowledge.vectors import Item
from inquery.memory.checkpoints import open_checkpointer
from inquery.memory.longterm import open_memory
from inquery.settings import Settings
from inquery.store import Store, open_store
from inquery.store.database import _on_begin

NONSENSE = b"this is no database " * 400
OWN = ("inquery.sqlite", "threads.sqlite", "memory.sqlite")


def command(home: Path, *arguments: str, language: str = "en") -> subprocess.CompletedProcess[str]:
    ask = [sys.executable, "-m", "inquery", *arguments]
    variables = {**os.environ, "INQUERY_HOME": str(home), "INQUERY_LANGUAGE": language}
    return subprocess.run(ask, capture_output=True, text=True, env=variables, timeout=120, check=False)


def sentences(error: HomeUnusable, home: Path) -> tuple[str, str]:
    en, zh = error.public_message("en"), error.public_message("zh")
    assert str(home) not in en + zh
    assert en.isascii()
    return en, zh


async def everything(settings: Settings) -> None:
    async with open_checkpointer(settings), open_memory(settings):
        await asyncio.to_thread(open_store, settings)


@pytest.mark.parametrize("name", OWN)
async def test_a_damaged_file_is_named_with_a_way_out(name: str, tmp_path: Path) -> None:
    make_file(tmp_path / name).write_bytes(NONSENSE)
    for opened in (everything, check_files):
        with pytest.raises(HomeUnusable) as told:
            await opened(Settings(home=tmp_path))
        en, zh = sentences(told.value, tmp_path)
        assert (name in en, "backup" in en, name in zh, "备份" in zh) == (True, True, True, True)
    assert (tmp_path / name).read_bytes() == NONSENSE, "what may be saved yet is not written over"


@pytest.mark.skipif(not Path("/sys").is_dir(), reason="needs a folder in which nobody may make one")
async def test_a_home_that_cannot_be_written_is_told() -> None:
    home = Path("/sys/inquery")
    with pytest.raises(HomeUnusable) as told:
        await check_files(Settings(home=home))
    en, zh = sentences(told.value, home)
    assert ("cannot be written" in en, "无法写入" in zh) == (True, True)


async def test_a_home_that_is_a_file_is_told(tmp_path: Path) -> None:
    home = make_file(tmp_path / "file")
    with pytest.raises(HomeUnusable) as told:
        await check_files(Settings(home=home))
    en, zh = sentences(told.value, home)
    assert ("no folder" in en, "不是文件夹" in zh) == (True, True)


@pytest.mark.parametrize(("language", "said"), [("en", "damaged"), ("zh", "已损坏")])
@pytest.mark.parametrize("arguments", [("serve", "--port", "0"), ("connections", "list")])
def test_a_command_ends_in_one_line(arguments: tuple[str, ...], language: str, said: str, tmp_path: Path) -> None:
    make_file(tmp_path / "inquery.sqlite").write_bytes(NONSENSE)
    ran = command(tmp_path, *arguments, language=language)
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    lines = [line for line in ran.stderr.splitlines() if line.strip()]
    assert len(lines) == 1
    assert ("home_unusable" in lines[0], said in lines[0]) == (True, True), ran.stderr


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_the_want_of_an_answer_is_told_in_the_language_of_the_question(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    make_file(tmp_path / "inquery.sqlite").write_bytes(NONSENSE)
    ran = command(tmp_path, "ask", *arguments, "上个月卖了多少？", language="en")
    assert ran.returncode == 1
    assert "已损坏" in (ran.stdout if arguments else ran.stderr)


@pytest.mark.parametrize("content", [NONSENSE, b""])
async def test_vectors_are_made_anew(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    make_file(path).write_bytes(content)
    vectors = BuiltinVectors(path)
    await vectors.upsert("s", [Item("a", np.ones(4, dtype=np.float32), "text", {})])
    assert [hit.id for hit in await vectors.search("s", np.ones(4, dtype=np.float32))] == ["a"]
    await vectors.close()
    damaged = tmp_path / "vectors.sqlite.damaged"
    assert damaged.exists() is bool(content)
    assert not content or damaged.read_bytes() == content


async def test_vectors_whose_pages_are_damaged_are_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    vectors = BuiltinVectors(path)
    await vectors.upsert("s", [Item(str(n), np.ones(64, dtype=np.float32), "t" * 200, {}) for n in range(200)])
    await vectors.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * 8000 + whole[8100:])
    again = BuiltinVectors(path)
    assert await again.count("s") == 0
    await again.close()


def test_a_catalogue_that_is_damaged_is_read_anew(tmp_path: Path) -> None:
    with served(tmp_path) as server, server.client() as client:
        body = {"question": ONCE, "connection_id": "shop", "refresh": True}
        assert client.post(API + "/query", json=body).json()["status"] == "answered"
        shop = next(each["id"] for each in client.get(API + "/connections").json() if each["name"] == "shop")
        for file in files(shop, server.settings.home):
            file.write_bytes(NONSENSE)
        server.app.state.shared.services.sources.forget(shop)
        assert client.post(API + "/query", json=body).json()["status"] == "answered"
        assert load_catalog(shop, home=server.settings.home) is not None


def test_errors_of_files_are_known_by_what_they_are() -> None:
    with pytest.raises(OSError) as full:
        os.write(os.open("/dev/full", os.O_WRONLY), b"x")
    told = explain_failure(full.value)
    assert told is not None
    assert ("disk is full" in told.public_message("en"), "磁盘已满" in told.public_message("zh")) == (True, True)
    assert explain_failure(OSError(errno.ECONNREFUSED, "no")) is None
    assert explain_failure(ValueError("x")) is None
    assert explain_failure(sqlite3.OperationalError("database is locked")) is None


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of a few megabytes; only root can make one."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_readiness_tells_of_a_full_disk_and_of_room_again(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop.sqlite")
    with small_disk(tmp_path / "disk") as disk, served(disk, shop) as server, server.client() as client:
        assert client.get("/health/ready").status_code == 200
        filling = disk / "filling"
        with filling.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(b"\0" * 65536):
                pass
        for language, said in (("en", "disk is full"), ("zh", "磁盘已满")):
            answer = client.get("/health/ready", headers={"accept-language": language})
            checks = {check["name"]: check for check in answer.json()["checks"]}
            assert (answer.status_code, checks["files"]["ok"]) == (503, False)
            assert said in checks["files"]["reason"]
        assert client.get("/health/live").status_code == 200
        filling.unlink()
        assert client.get("/health/ready").status_code == 200


@pytest.mark.parametrize("name", ["home", "home/inquery.sqlite", "home/threads.sqlite"])
def test_readiness_tells_of_files_that_were_taken_away(name: str, tmp_path: Path) -> None:
    """A file that is open goes on to be written where nobody will find it."""
    with served(tmp_path, make_shop(tmp_path / "shop.sqlite")) as server, server.client() as client:
        assert client.get("/health/ready").status_code == 200
        file = tmp_path / name
        away = file.rename(tmp_path / "away")
        for language, said in (("en", "was taken away"), ("zh", "被移走或替换")):
            answer = client.get("/health/ready", headers={"accept-language": language})
            reasons = [check["reason"] for check in answer.json()["checks"] if not check["ok"]]
            assert (answer.status_code, said in reasons[0]) == (503, True)
        assert not file.exists(), "looking does not make it anew"
        away.rename(file)
        assert client.get("/health/ready").status_code == 200


def test_readiness_tells_of_a_store_that_can_only_be_read(tmp_path: Path) -> None:
    open_store(Settings(home=tmp_path)).close()
    url = f"sqlite:///file:{tmp_path / 'inquery.sqlite'}?mode=ro&uri=true"
    fixed = Store(create_engine(url), open_store(Settings(home=tmp_path)).keyring)
    event.listen(fixed.engine, "begin", _on_begin)
    for language, said in (("en", "cannot be written"), ("zh", "无法写入")):
        found = store_check(SimpleNamespace(store=fixed), language)  # type: ignore[arg-type]
        assert (found.ok, said in found.reason) == (False, True)


def test_a_home_that_is_well_can_be_written(tmp_path: Path) -> None:
    check_writable(tmp_path)
    assert list(tmp_path.iterdir()) == []
