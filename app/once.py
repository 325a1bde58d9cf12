"""One answer without a service: the graph is opened, asked and closed."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from app.answering import AnswerPage
from app.catalogue import pick
from app.formatting import answer_bytes, result_bytes
from app.graph_access import open_graph
from app.graph_state import read_graph_state
from app.state import View
from app.view import Views
from biomolkg.errors import NotReady
from biomolkg.settings import Settings
from retrievers.hits import Filters


def answer_once(
    settings: Settings, retriever: str | None, question: str, *, k: int, kinds: Sequence[str], explain: bool
) -> dict[str, Any]:
    """What the service would say: an answer or, of a named retriever, ranked hits.

    A managed Neo4j is started for it if none runs. Raises NotReady when the database holds no graph or
    is being loaded, and what `open_graph` and the retriever raise.
    """
    with ExitStack() as stack:
        view = _open_view(settings, stack)
        chosen, model = pick(view, retriever or "triple", model="auto")
        filters = Filters(kinds=frozenset(kinds))
        begun = time.perf_counter()
        fields: dict[str, Any]
        if retriever is None:
            found = AnswerPage(view, model, k, 0, {"question": None}).answers([question], filters, ())
            took_ms = round((time.perf_counter() - begun) * 1000, 2)
            fields = {"graph_version": view.graph_version, "model": model, "results": found}
            return {**fields, "took_ms": took_ms}
        [result] = chosen.retrieve([question], k=k, filters=filters, explain=explain)
        took_ms = (time.perf_counter() - begun) * 1000
        answer = answer_bytes(retriever, view.graph_version, [result_bytes(result)], took_ms, model=model)
        fields = json.loads(answer)
        return fields


def _open_view(settings: Settings, stack: ExitStack) -> View:
    """A view of the graph, open as long as the stack is."""
    views = Views(settings)
    client = stack.enter_context(open_graph(settings, launched=views.prepare))
    stack.callback(views.close)
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
    return views.build(client)
