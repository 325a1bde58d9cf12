"""What a person who watches the service sees of libraries that log."""

import io
import logging

import pytest

from app.logging import configure_logging
from biomolkg.settings import Settings


@pytest.fixture
def lines(tmp_path):
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    stream = io.StringIO()
    configure_logging(Settings(home=tmp_path, log_level="info", log_format="json"), stream=stream)
    yield lambda: stream.getvalue().splitlines()
    root.setLevel(level)
    for handler in set(root.handlers) - set(handlers):
        root.removeHandler(handler)
        handler.close()


@pytest.mark.parametrize("name", ["bm25s", "neo4j.pool", "some_library"])
def test_a_library_that_turns_its_own_level_down_is_not_heard(lines, name):
    library = logging.getLogger(name)
    library.setLevel(logging.DEBUG)  # as bm25s does when it is imported
    library.debug("building an index")
    assert lines() == []
    library.error("the index is broken")
    assert len(lines()) == 1
