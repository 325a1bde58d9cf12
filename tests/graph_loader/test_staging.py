"""What a load does when its temporary file cannot grow."""

from __future__ import annotations

import pytest

from biomolkg.errors import ConfigurationError
from graph_loader.graph_records import GraphNode
from graph_loader.staging import Staging


def _keep_in_little_room(pages: int) -> None:
    with Staging() as staging:
        staging._base.execute(f"PRAGMA max_page_count = {pages}")
        for number in range(10_000):
            staging.add_node(GraphNode(f"made:{number}", "Thing", f"made:nodes.csv:{number}", "x" * 100))


def test_a_full_temporary_folder_is_told() -> None:
    _keep_in_little_room(10_000)
    with pytest.raises(ConfigurationError, match=r"full.*SQLITE_TMPDIR"):
        _keep_in_little_room(100)
