"""The built page: small, compressed, cached for good, and its parts tested without a browser."""

import json
import shutil
import subprocess

import pytest
from fastapi.testclient import TestClient
from tests.e2e.conftest import PAGE, ROOT

from inquery.api.app import create_app
from inquery.settings import Settings

MOST_BYTES = 350_000


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    if not PAGE.is_file():
        pytest.skip("the page was not built: make web")
    return TestClient(create_app(Settings(home=tmp_path_factory.mktemp("home"))))


def scripts() -> list[str]:
    return [path.name for path in (PAGE.parent / "assets").glob("*.js")]


def test_all_scripts_together_stay_small() -> None:
    if not PAGE.is_file():
        pytest.skip("the page was not built: make web")
    sizes = {name: (PAGE.parent / "assets" / f"{name}.gz").stat().st_size for name in scripts()}
    assert sum(sizes.values()) < MOST_BYTES, sizes


def test_files_come_compressed_and_are_kept_by_the_browser(client: TestClient) -> None:
    name = scripts()[0]
    for accepted, encoding in (("gzip, br", "br"), ("gzip", "gzip"), ("identity", None)):
        answer = client.get(f"/assets/{name}", headers={"accept-encoding": accepted})
        assert answer.status_code == 200
        assert answer.headers.get("content-encoding") == encoding
        assert answer.headers["content-type"].startswith("text/javascript")
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["vary"] == "accept-encoding"
    assert client.get("/assets/of-an-older-build.js").status_code == 404


def test_paths_of_the_page_are_the_page_and_stay_inside_its_folder(client: TestClient) -> None:
    for path in ("/", "/t/abc", "/data/demo/orders", "/..%2f..%2fpyproject.toml", "/assets/..%2f..%2fsettings.py"):
        answer = client.get(path)
        assert "pyproject" not in answer.text
        assert answer.status_code == 404 or '<div id="root">' in answer.text, path
    assert client.get("/t/abc").headers["cache-control"] == "no-cache"
    assert client.get("/api/v1/nothing").status_code == 404


def test_the_page_asks_for_nothing_inline(client: TestClient) -> None:
    text = client.get("/").text
    assert "<style" not in text
    assert text.count("<script") == text.count('<script type="module" crossorigin src=') == 1


def test_the_lock_names_no_registry() -> None:
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    assert [name for name, about in packages.items() if "resolved" in about] == []


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no Node")
@pytest.mark.skipif(not (ROOT / "web" / "node_modules").is_dir(), reason="the page's tools are not installed: make web")
def test_the_parts_of_the_page() -> None:
    done = subprocess.run(["npm", "run", "--silent", "test"], cwd=ROOT / "web", capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
