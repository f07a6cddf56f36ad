"""The engines of the contract, for the suites that look for leaks."""

from tests.contract.conftest import connection, engine_case

__all__ = ["connection", "engine_case"]
