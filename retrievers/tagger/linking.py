"""Names that are written wrong, linked to the entity that is meant: a letter or two may differ.

Two drugs may be nearer to each other than a name is to its misspelling, so that
what differs decides as well as how much: never a digit, a single letter, a
prefix, or the ending that makes another compound of the same stem.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rapidfuzz.distance import OSA, Levenshtein

from biomolkg.names import name_words
from retrievers.mentions import SALTS, Candidate, Gazetteer, everyday_words
from retrievers.snapshot import Entity
from retrievers.tagger.made_sentences import KINDS, PROTEIN

# Letters a name must have for one mistake, and for two.
ONE_EDIT, TWO_EDITS = 6, 12
_LONGEST = 80
_UNSURE = 0.9  # times the score of the spelling, once more for each share of letters that differ
# Endings that tell compounds of one stem apart: nitrate, nitrite; ethanol, ethanal.
# Longer ones first: of two that fit, the longer is meant.
_ENDINGS = (
    "ate", "ite", "ide", "ine", "ane", "ene", "one", "ose", "ase", "ium",
    "in", "ol", "al", "ic", "id", "um", "an", "en", "am",
)  # fmt: skip


class Linker:
    """Finds the entities whose name a misspelt one may be. Safe to share between threads."""

    def __init__(self, gazetteer: Gazetteer, entities: Sequence[Entity]) -> None:
        """`entities`: those of the gazetteer's snapshot."""
        self._kinds = [KINDS.get(entity.label) for entity in entities]
        self._ids = [entity.id for entity in entities]
        self._spellings: dict[str, tuple[Candidate, ...]] = {}
        # A mistake seldom changes both the first and the last letter.
        self._near: dict[tuple[int, int, str], list[str]] = defaultdict(list)
        for key, candidates in gazetteer.spellings():
            if ONE_EDIT - 1 <= len(key) <= _LONGEST and not key.isdecimal() and key not in everyday_words():
                self._spellings[key] = candidates
                self._near[len(key), 0, key[0]].append(key)
                self._near[len(key), -1, key[-1]].append(key)

    def link(self, text: str, kind: str | None = None) -> tuple[Candidate, ...]:
        """The entities that `text` may name, the surest first; empty where none is near enough.

        kind: what the tagger takes it for; entities that are known to be of another kind are left out.
        Entities that are equally near share the score.
        """
        words = name_words(text[: 2 * _LONGEST])
        while len(words) > 1 and words[-1] in SALTS:
            words.pop()
        key = "".join(words)
        if not ONE_EDIT <= len(key) <= _LONGEST or key in everyday_words():
            return ()
        found: dict[int, tuple[int, float]] = {}
        for spelling, edits in self._similar(key, words, kind):
            for candidate in self._spellings[spelling]:
                if kind is not None and self._kinds[candidate.entity] not in {None, kind}:
                    continue
                score = candidate.score * _UNSURE * (1 - edits / len(key))
                known = found.get(candidate.entity)
                if known is None or (edits, -score) < (known[0], -known[1]):
                    found[candidate.entity] = (edits, score)
        if not found:
            return ()
        least = min(edits for edits, _ in found.values())
        nearest = {entity: score for entity, (edits, score) in found.items() if edits == least}
        ranked = sorted(nearest.items(), key=lambda item: (-item[1], self._ids[item[0]]))
        return tuple(Candidate(entity, score / len(ranked)) for entity, score in ranked)

    def _similar(self, key: str, words: Sequence[str], kind: str | None) -> list[tuple[str, int]]:
        """Spellings that `key` may be a mistake for, with the number of mistakes."""
        found: dict[str, int] = {}
        digits = _digits(key)
        alone = _alone(words)
        for length in range(len(key) - 2, len(key) + 3):
            allowed = _allowed(min(length, len(key)))
            if abs(length - len(key)) > allowed:
                continue
            for place in (0, -1):
                for spelling in self._near.get((length, place, key[place]), ()):
                    if spelling in found:
                        continue
                    edits = OSA.distance(key, spelling, score_cutoff=allowed)
                    if (
                        0 < edits <= allowed
                        and _digits(spelling) == digits
                        and not _other_compound(key, spelling)
                        and not (kind == PROTEIN and (key.startswith(spelling) or spelling.startswith(key)))
                        and _kept(alone, key, spelling)
                    ):
                        found[spelling] = edits
        return list(found.items())


def _allowed(length: int) -> int:
    return 2 if length >= TWO_EDITS else 1 if length >= ONE_EDIT - 1 else 0


def _digits(key: str) -> str:
    return "".join(char for char in key if not char.isalpha())


def _alone(words: Sequence[str]) -> set[int]:
    """The places, in the words joined, of letters that stand alone, as in "receptor B"."""
    places = set()
    at = 0
    for word in words:
        if len(word) == 1 and len(words) > 1:
            places.add(at)
        at += len(word)
    return places


def _kept(alone: set[int], key: str, spelling: str) -> bool:
    """Whether the letters of `key` that stand alone are in `spelling` too."""
    return not alone or not any(
        edit.tag in {"replace", "delete"} and edit.src_pos in alone
        for edit in Levenshtein.editops(key, spelling)
    )


def _other_compound(left: str, right: str) -> bool:
    """Whether what differs is what tells compounds apart: a prefix, or the ending after the same stem."""
    if left.endswith(right) or right.endswith(left):
        return True
    (stem, ending), (other_stem, other_ending) = _parted(left), _parted(right)
    # "-in" is how "-ine" is written elsewhere.
    return stem == other_stem and "" not in {ending, other_ending} and ending != other_ending


def _parted(key: str) -> tuple[str, str]:
    """Stem and ending; an `e` at its end does not count."""
    ending = next((ending for ending in _ENDINGS if key.endswith(ending)), "")
    return key.removesuffix(ending), ending.rstrip("e")
