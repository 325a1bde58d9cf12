from __future__ import annotations

import pytest

from retrievers.plain import PlainReader
from tests.retrievers.plain.starter import starter_snapshot


@pytest.fixture(scope="session")
def reader() -> PlainReader:
    return PlainReader(starter_snapshot())
