"""Which sentence of a text asks."""

from __future__ import annotations

from retrievers.plain.names.words import sentences


def asking_part(text: str) -> tuple[int, int]:
    """Characters [start, end) of the sentence that asks: the last with a question mark, else the last."""
    found = sentences(text)
    if not found:
        return 0, len(text)
    asking = [place for place in found if text[place[0] : place[1]].rstrip(" \"'”)").endswith("?")]
    start, end = asking[-1] if asking else found[-1]
    return start, end
