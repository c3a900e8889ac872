"""What every test shares."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: left out of `make test`; `make test-all` runs it too")
