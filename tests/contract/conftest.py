"""The engines under the contract; a case that cannot run here is skipped with its reason."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from importlib import import_module

import pytest
from tests.contract.case import SHOP, EngineCase, TableSpec

from inquery.databases.executor import execute as executor
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.settings import DatabaseSettings

# name → module with a function open_case(request, folder) -> EngineCase; it may pytest.skip.
CASES = {
    "sqlite": "tests.contract.cases_sqlite",
    "postgres": "tests.contract.cases_postgres",
    "mariadb": "tests.contract.cases_mariadb",
    "duckdb": "tests.contract.cases_duckdb",
    "chdb": "tests.contract.cases_chdb",
}


@pytest.fixture(scope="session", params=list(CASES))
def engine_case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> EngineCase:
    module = import_module(CASES[request.param])
    case: EngineCase = module.open_case(request, tmp_path_factory.mktemp(request.param))
    return case


@pytest.fixture(autouse=True)
def _declared_gap(request: pytest.FixtureRequest) -> None:
    """A test named in the case's gaps must fail; when it passes, the gap is to be taken out."""
    if "engine_case" in request.fixturenames:
        case: EngineCase = request.getfixturevalue("engine_case")
        reason = case.gaps.get(request.node.originalname)
        if reason is not None:
            request.node.add_marker(pytest.mark.xfail(reason=reason, strict=True))


@pytest.fixture(scope="session")
def shop_url(engine_case: EngineCase) -> str:
    """The shared database; tests that change it make their own."""
    return engine_case.make_database(SHOP)


@pytest.fixture
def shop(engine_case: EngineCase, shop_url: str) -> Iterator[str]:
    """The connection id of the shared database."""
    with ExitStack() as stack:
        yield connect(stack, shop_url)


Connect = Callable[..., str]


@pytest.fixture
def connection(engine_case: EngineCase) -> Iterator[Connect]:
    """Make a database of `tables` and attach it; returns the connection id."""
    with ExitStack() as stack:

        def make(tables: Sequence[TableSpec] = (), **settings: object) -> str:
            return connect(stack, engine_case.make_database(tables), **settings)

        yield make


def connect(stack: ExitStack, url: str, **settings: object) -> str:
    """Attach a URL until the stack closes; the connection id is the URL."""
    options = DatabaseSettings(**settings)
    engine = open_engine(parse_address(url), settings=options)
    executor.attach(url, engine, settings=options)
    stack.callback(executor.detach, url)
    return url
