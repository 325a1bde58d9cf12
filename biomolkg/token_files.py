"""Files of typed tokens, as BC5CDR is given: a token, a tab and its type a line, a blank line between texts.

`O` is a token of no entity. Tokens of one type in a row are one entity, unless a
token without text parts them; with types such as `B-Chemical` and `I-Chemical`
the prefixes part them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from biomolkg.errors import InputError
from biomolkg.tagged_text import Span, TaggedSentence, tagged_sentences, words_of

_TYPE = re.compile(r"(?:([BIES])-)?([A-Za-z][A-Za-z0-9_]{0,40})")
_OUTSIDE = "O"
REMEDY = "A line is a token, a tab and its type, such as `aspirin<TAB>Chemical`; `O` is a token of no entity."


@dataclass(slots=True)
class _Text:
    words: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    open: str | None = None

    def add(self, token: str, prefix: str | None, label: str) -> None:
        words = [word.text for word in words_of(token)]
        if not words or label == _OUTSIDE:
            self.open = None
            self.words += words
            return
        start, end = len(self.words), len(self.words) + len(words)
        if self.open == label and prefix not in {"B", "S"}:
            self.spans[-1] = Span(self.spans[-1].start, end, label)
        else:
            self.spans.append(Span(start, end, label))
        self.words += words
        self.open = None if prefix in {"E", "S"} else label


def read_token_files(paths: Sequence[Path]) -> list[TaggedSentence]:
    """The sentences of all texts of the files.

    Raises InputError for a file that cannot be read, a line of another form, and files without an entity.
    """
    found = [sentence for path in paths for text in _texts(path) for sentence in text]
    if paths and not any(sentence.spans for sentence in found):
        raise InputError(f"No token of {', '.join(map(str, paths))} has a type.", remedy=REMEDY)
    return found


def _texts(path: Path) -> Iterator[Iterator[TaggedSentence]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The token file {path} cannot be read: {error}.", remedy=REMEDY) from error
    text = _Text()
    for number, line in enumerate(lines, start=1):
        written = line.rstrip("\r")
        if not written.strip():
            yield tagged_sentences(text.words, text.spans)
            text = _Text()
            continue
        token, tab, type_ = written.rpartition("\t")
        known = _TYPE.fullmatch(type_.strip())
        if not tab or known is None:
            raise InputError(
                f"{path}, line {number}: {written[:80]!r} is no token with a type.", remedy=REMEDY
            )
        text.add(token, known.group(1), known.group(2))
    yield tagged_sentences(text.words, text.spans)
