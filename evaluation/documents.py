"""Documents as the BioMol-MQA paper retrieves them: texts of entities, raw or rewritten, and structure cards.

A hit tells its document by the name of its entity and its section. Several passages
of one document count once, where the first of them stands. A triple stands for two
documents, of its head and of its tail: cards when it is molecular, else texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from biomolkg.question_files import triple_key
from evaluation.metrics import Ranking

STRUCTURE = "structure"
TEXTS = frozenset({None, "raw", "rewritten"})
OTHER = "other"
MOLECULAR = "MOLECULAR"


@dataclass(frozen=True, slots=True)
class Document:
    """A document of the entity `name`; `section` None is one of its texts, whichever."""

    name: str
    section: str | None

    @property
    def key(self) -> str:
        """What gold and hits are compared by: a raw and a rewritten text of an entity have one key.

        So the second of them is a repeat, which keeps its rank and counts as wrong, and every key
        of the gold is one entity that needs a document.
        """
        if self.section == STRUCTURE:
            return triple_key(f"card:{self.name}")
        kind = "text" if self.section in TEXTS else f"other:{self.section}"
        return triple_key(f"{kind}:{self.name}")


def ranked_documents(documents: Iterable[Document]) -> Ranking:
    """The documents, each once, at its first place; scores count down."""
    found = list(dict.fromkeys(documents))
    return Ranking(tuple(it.key for it in found), tuple(float(len(found) - at) for at in range(len(found))))
