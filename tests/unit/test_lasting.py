"""The collector rests while something large is made; only a server leaves it out for good."""

import gc

import pytest

from inquery import lasting
from inquery.lasting import make_lasting


def test_the_collector_of_a_program_that_is_no_server_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lasting, "_serving", [])
    before = gc.get_freeze_count()
    with make_lasting(True), make_lasting(True):
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() == before
    gc.disable()
    try:
        with make_lasting(True):
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
