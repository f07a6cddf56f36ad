"""Nobody else of the machine reads a file of INQUERY_HOME, whatever the umask; others' folders keep their own rules."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.api_server import API, HOW_MANY, served, streamed, wait_until

from inquery import home as own
from inquery.demo import build_demo
from inquery.home import close_home, new_file, write_file
from inquery.reports.deliver import to_folder
from inquery.reports.render import Document
from inquery.settings import Settings
from inquery.store import open_store
from inquery.store.pictures import Pictures

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


def modes(folder: Path) -> dict[str, str]:
    """The mode of a folder and of all that is below it, links apart."""
    found = [folder, *folder.rglob("*")]
    return {
        str(each.relative_to(folder)): stat.filemode(each.lstat().st_mode) for each in found if not each.is_symlink()
    }


def loose(folder: Path) -> dict[str, str]:
    return {name: mode for name, mode in modes(folder).items() if mode not in {"drwx------", "-rw-------"}}


def use(folder: Path, out: Path) -> None:
    """What fills a home: questions, an upload, a report, a picture, a document in the home; looked at while served."""
    with served(folder) as server, server.client() as client:
        streamed(client, "/query/stream", {"question": HOW_MANY, "connection_id": "shop"})
        rows = b"city,people\nParis,2\nRome,3\n"
        assert client.post(API + "/uploads", params={"filename": "towns.csv", "name": "towns"}, content=rows).is_success
        body = {"name": "r", "connection_id": "shop", "text": "# R\n\n{{ " + HOW_MANY + " | table }}\n"}
        report = client.post(API + "/reports", json=body).json()
        where = f"{API}/report-runs/" + client.post(f"{API}/reports/{report['id']}/runs", json={}).json()["id"]
        assert wait_until(lambda: client.get(where).json()["status"] != "running", 60)
        home = server.settings.home
        Pictures(home, 1).save(b"png")
        to_folder(home / "reports" / "weekly", "r.md", Document("md", b"# R", {"a.png": b"png"}), home=home)
        to_folder(out, "r.md", Document("md", b"# R", {"a.png": b"png"}), home=home)
        print("served", loose(home))
    print("ended", loose(home))


CALLS = (
    ["-m", "inquery", "ask", "How many orders?", "-c", "demo"],
    ["-m", "inquery", "report", "run", "weekly-sales", "-c", "demo", "-f", "md"],
    ["-m", "inquery", "doctor"],
)


@pytest.fixture(params=[0o022, 0o000, 0o027], ids=oct)
def umask(request: pytest.FixtureRequest) -> int:
    found: int = request.param
    return found


def run(arguments: list[str], home: Path, umask: int, folder: Path) -> str:
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    env = os.environ | {"INQUERY_HOME": str(home), "PYTHONPATH": path}
    told = subprocess.run(
        [sys.executable, *arguments], env=env, umask=umask, cwd=folder, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr[-2000:]
    return told.stdout


def test_everything_a_server_writes_in_its_home_is_its_owners(umask: int, tmp_path: Path) -> None:
    code = f"from pathlib import Path; from tests.security.test_home_modes import use; use(Path({str(tmp_path)!r}), Path({str(tmp_path / 'out')!r}))"
    told = run(["-c", code], tmp_path / "unused", umask, tmp_path)
    assert told.splitlines() == ["served {}", "ended {}"]
    found = modes(tmp_path / "home")
    kinds = ("catalogs/", "files/", "pictures/", "reports/weekly/", "inquery.sqlite", "threads.sqlite", "secret.key")
    assert all(any(name.startswith(kind) for name in found) for kind in kinds), sorted(found)
    given = (tmp_path / "out" / "r.md").stat().st_mode, (tmp_path / "out").stat().st_mode
    assert [stat.S_IMODE(mode) for mode in given] == [0o666 & ~umask, 0o777 & ~umask]


def test_everything_the_commands_write_in_a_home_is_its_owners(umask: int, tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    for arguments in CALLS:
        run(arguments, home, umask, tmp_path)
        assert loose(home) == {}
    assert {"demo", "catalogs"} <= {path.name for path in home.iterdir()}


@pytest.fixture
def open_home(tmp_path: Path) -> Iterator[Path]:
    """A home as an earlier version left it."""
    home = tmp_path / "home"
    (home / "catalogs").mkdir(parents=True)
    (home / "catalogs" / "shop.values.gz").write_bytes(b"values")
    (home / "inquery.yaml").write_text("language: en\n")
    outside = tmp_path / "outside"
    outside.write_text("not ours")
    (home / "link").symlink_to(outside)
    for path in (home, home / "catalogs"):
        path.chmod(0o755)
    for path in (home / "catalogs" / "shop.values.gz", home / "inquery.yaml", outside):
        path.chmod(0o644)
    yield home
    own._closed.discard(home)


def test_an_old_home_is_closed_when_it_is_opened(open_home: Path) -> None:
    open_store(Settings(home=open_home)).close()
    assert loose(open_home) == {}
    assert stat.S_IMODE((open_home.parent / "outside").stat().st_mode) == 0o644, "what a link leads to is not ours"


def test_of_a_folder_that_is_for_other_things_too_only_what_is_ours_is_closed(
    open_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (open_home / "letters.txt").write_text("mine")
    (open_home / "letters.txt").chmod(0o644)
    monkeypatch.setattr(Path, "home", lambda: open_home / "below")
    close_home(open_home)
    assert set(loose(open_home)) == {".", "letters.txt"}


def test_a_file_takes_its_place_whole_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a" / "b", b"one")
    assert write_file(path, b"two").read_bytes() == b"two"
    with pytest.raises(TypeError):
        write_file(path, "text")  # type: ignore[arg-type]
    assert (path.read_bytes(), [each.name for each in path.parent.iterdir()]) == (b"two", ["b"])
    with pytest.raises(FileExistsError):
        new_file(path)


def test_a_demo_written_for_somebody_keeps_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        build_demo(tmp_path / "shop.sqlite")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "shop.sqlite").stat().st_mode) == 0o644
