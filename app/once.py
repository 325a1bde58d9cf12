"""One answer without a service: the graph is opened, asked and closed."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from app.catalogue import pick
from app.formatting import answer_bytes, result_bytes
from app.graph_access import open_graph
from app.graph_state import read_graph_state
from app.view import Views
from biomolkg.errors import NotReady
from biomolkg.settings import Settings
from retrievers.hits import Filters


def answer_once(
    settings: Settings,
    retriever: str,
    question: str,
    *,
    k: int,
    kinds: Sequence[str],
    explain: bool,
) -> dict[str, Any]:
    """The answer as the service would give it; a managed Neo4j is started for it if none runs.

    Raises NotReady when the database holds no graph or is being loaded, and what `open_graph` and
    the retriever raise.
    """
    with ExitStack() as stack:
        client = stack.enter_context(open_graph(settings))
        state = read_graph_state(client)
        if state.loading:
            raise NotReady(
                "The graph is being loaded.",
                remedy="Ask again when it is done. If no load is running, one was cut off: run it again.",
            )
        if state.version is None:
            raise NotReady(
                "The database holds no graph.", remedy="Run `biomolkg serve` or `biomolkg load` first."
            )
        views = Views(settings)
        stack.callback(views.close)
        view = views.build(client)
        chosen, model = pick(view, retriever, model="auto")
        begun = time.perf_counter()
        [result] = chosen.retrieve([question], k=k, filters=Filters(kinds=frozenset(kinds)), explain=explain)
        took_ms = (time.perf_counter() - begun) * 1000
        answer = answer_bytes(retriever, view.graph_version, [result_bytes(result)], took_ms, model=model)
        fields: dict[str, Any] = json.loads(answer)
        return fields
