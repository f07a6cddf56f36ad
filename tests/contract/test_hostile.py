"""With the guard switched off, a hostile corpus leaves the databases as they were."""

import asyncio
from pathlib import Path

import pytest
from tests.contract.case import SHOP, EngineCase
from tests.contract.conftest import Connect
from tests.contract.running import unchecked

from inquery.databases.engine import Limits
from inquery.databases.executor import execute as executor
from inquery.errors import InqueryError, InternalError

CORPUS = Path(__file__).parents[1] / "security" / "engine_hostile"


def statements(dialect: str) -> list[str]:
    """One statement a line; `#` starts a comment, `\\n` inside a line is a line break."""
    lines = (CORPUS / f"{dialect}.txt").read_text("utf-8").splitlines()
    return [line.replace("\\n", "\n") for line in lines if line and not line.startswith("#")]


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


@pytest.mark.slow
async def test_a_hostile_corpus_changes_nothing(engine_case: EngineCase, connection: Connect, tmp_path: Path) -> None:
    corpus = statements(engine_case.dialect)
    assert len(corpus) >= 25
    url = connection(SHOP)
    before = engine_case.digest(url)
    survived = []
    for text in corpus:
        sql = unchecked(engine_case, text.replace("{folder}", str(tmp_path)))
        try:
            async with asyncio.timeout(60):  # the limit, its grace, and a process that starts again under load
                await executor.execute(url, sql, limits=Limits(timeout_s=1), fresh=True)
        except InternalError:
            raise
        except InqueryError:
            continue
        survived.append(text)
    assert engine_case.digest(url) == before, survived
    assert not files_in(tmp_path), "a statement wrote a file"
    assert (await executor.execute(url, unchecked(engine_case, "SELECT count(*) FROM customer"), fresh=True)).rows == [
        (40,)
    ]
