"""Homes that earlier versions wrote open, and what is in them goes on working."""

import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from inquery import Inquery
from inquery.catalog.stored import load_catalog
from inquery.databases.executor.execute import attached_ids, detach
from inquery.settings import Settings
from inquery.store import Connections, Store, open_store
from inquery.store.grants import Grants
from inquery.store.profiles import Profiles
from inquery.store.reports import ReportRuns, Reports
from inquery.store.sample_rows import SampleRows
from inquery.store.users import Users

HOMES = sorted((Path(__file__).parents[1] / "homes").glob("home-*.tar.xz"))


@pytest.fixture(scope="module", params=HOMES, ids=lambda file: file.name.removesuffix(".tar.xz"))
def unpacked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    with tarfile.open(request.param) as kept:
        kept.extractall(folder, filter="data")
    return folder


@pytest.fixture
def home(unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of its own, since opening an old home moves it on."""
    mine = tmp_path / "home"
    shutil.copytree(unpacked, mine)
    monkeypatch.setenv("INQUERY_HOME", str(mine))
    yield mine
    for connection_id in attached_ids():
        detach(connection_id)


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    opened = open_store(Settings())
    yield opened
    opened.close()


def test_there_is_a_home_of_the_first_version() -> None:
    assert "home-0.1.0.tar.xz" in [file.name for file in HOMES]


def test_a_connection_keeps_its_address_and_its_catalogue(store: Store, home: Path) -> None:
    shop = Connections(store).get("shop")
    assert shop.address.database == "/srv/inquery-shop/shop.sqlite"
    assert shop.options.currency == "NOK"
    stored = load_catalog(shop.id, home=home)
    assert stored is not None
    assert [column.name for column in stored.catalog.by_name["sales"].columns] == ["id", "city", "amount"]
    assert [match.value for match in stored.values.match("sales in oslo")] == ["Oslo"]


def test_users_sign_in_with_their_rights(store: Store) -> None:
    ada = Users(store).sign_in("ada", "correct-horse-battery-staple")
    vic = Users(store).sign_in("vic", "correct-horse-battery-staple")
    assert ada is not None
    assert vic is not None
    assert (ada.role, vic.role) == ("admin", "viewer")
    assert Users(store).sign_in("ada", "another password") is None
    (grant,) = Grants(store).of(vic.id, vic.role).values()
    assert dict(grant.rules.policy(row_cap=None).row_filters) == {"sales": "city = 'Oslo'"}


def test_samples_analysts_and_the_statements_of_a_report_are_there(store: Store) -> None:
    questions = [row.question for row in SampleRows(store).list("demo")]
    assert "How many stores are in the east?" in questions
    assert Profiles(store).get("CFO").content.prompt == "Compare with the year before."
    report = Reports(store).get("local", "weekly-sales")
    assert len(Reports(store).bindings(report.id)) == 15
    (run,) = ReportRuns(store).list(report.id)
    assert len(ReportRuns(store).values(run.id)) == 15


def test_a_conversation_goes_on(home: Path) -> None:
    with Inquery.connect("demo", settings=Settings()) as inquery:
        answer = inquery.ask("and the west?", thread_id="thread-answered")
    assert answer.status == "answered"
    assert answer.reading["question"] == "How many stores are there in each region for west?"
    assert "west" in (answer.sql or "")


def test_a_waiting_question_takes_its_reply(home: Path) -> None:
    with Inquery.connect("demo", settings=Settings()) as inquery:
        answer = inquery.ask("1", thread_id="thread-waiting")
    assert answer.status == "answered"
    assert answer.question == "What is the revenue in Shanghai?"
    assert "'上海'" in (answer.sql or "")
