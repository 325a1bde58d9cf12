"""Names in text by gazetteer and tagger together: exact names first, then what only the tagger sees."""

from __future__ import annotations

from dataclasses import dataclass

from biomolkg.tagged_text import Span
from retrievers.hits import Mention
from retrievers.mentions import Gazetteer
from retrievers.snapshot import Snapshot
from retrievers.tagger.linking import Linker
from retrievers.tagger.tagger import Tagger

# Below it a span is as likely wrong as right.
SURE = 0.5


@dataclass(frozen=True, slots=True)
class UnlinkedMention:
    """A name of nothing in the graph: characters [start, end), what it is taken for, and how surely."""

    start: int
    end: int
    text: str
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a text names, each in reading order."""

    mentions: tuple[Mention, ...]
    unlinked: tuple[UnlinkedMention, ...]


class Recogniser:
    """The gazetteer with a trained tagger beside it. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot, gazetteer: Gazetteer, tagger: Tagger) -> None:
        self._entities = snapshot.entities
        self._gazetteer = gazetteer
        self._tagger = tagger
        self._linker = Linker(gazetteer, snapshot.entities)

    def find(self, text: str) -> list[Mention]:
        """The entities that `text` names, as `Gazetteer.find`, with misspelt names among them."""
        return list(self.recognise(text).mentions)

    def recognise(self, text: str) -> Recognised:
        """Linked and unlinked names in reading order.

        A span of the tagger counts only where it shares no character with a name that the gazetteer found.
        """
        exact = self._gazetteer.find(text)
        mentions, unlinked = list(exact), []
        for span in self._tagger.find(text):
            if span.score < SURE or any(
                mention.start < span.end and span.start < mention.end for mention in exact
            ):
                continue
            linked = self._linked(text, span)
            mentions += linked
            if not linked:
                written = text[span.start : span.end]
                unlinked.append(UnlinkedMention(span.start, span.end, written, span.label, span.score))
        # Sorting is stable: of mentions of one span the surest stays first.
        mentions.sort(key=lambda mention: mention.start)
        return Recognised(tuple(mentions), tuple(unlinked))

    def _linked(self, text: str, span: Span) -> list[Mention]:
        written = text[span.start : span.end]
        return [
            Mention(
                start=span.start,
                end=span.end,
                text=written,
                entity=entity.reference,
                score=candidate.score * span.score,
            )
            for candidate in self._linker.link(written, span.label)
            for entity in (self._entities[candidate.entity],)
        ]
