"""STITCH: actions between chemicals and proteins, and scored links.

`actions` has `item_id_a item_id_b mode action a_is_acting score` (`action_type`,
`is_directional` and others may stand between), `protein_chemical.links` has
`chemical protein combined_score`, with a score for each channel before the last in
the detailed files. Both are tab-separated or in columns of spaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from biomolkg.errors import SourceError
from graph_loader.checks import Candidate, Rules, Seen, checked
from graph_loader.columns import has_columns, places, read_columns
from graph_loader.delimited import Dialect
from graph_loader.graph_records import GraphEdge, Record
from graph_loader.reading import Reading
from graph_loader.sources.stitch_ids import Chemical, Protein, parse_chemical, parse_protein

DATASET = "stitch"
ACTIONS = ("item_id_a", "item_id_b", "mode", "action", "a_is_acting", "score")
LINKS = ("chemical", "protein", "combined_score")
CHANNELS = ("experimental", "prediction", "database", "textmining")
HUMAN = 9606
RULES = Rules(dangling="keep")
MAX_SCORE = 1000
# STITCH calls what is below this a low confidence.
MEDIUM = 400
_LOW = f"score below {MEDIUM}, which STITCH calls a low confidence"
_DIALECTS = (Dialect("\t", quote=None), Dialect(" ", quote=None), Dialect(","))


class Action(NamedTuple):
    """What one row of the actions says of a chemical and a protein, whichever stood first.

    `acting`: chemical, protein, or nothing when the row says of neither that it acts.
    """

    chemical: Chemical
    protein: Protein
    mode: str
    action: str
    acting: str
    score: int

    @property
    def about(self) -> str:
        """Chemical, protein, mode and action: what the two rows of one action share."""
        return f"{self.chemical.cid}\0{self.protein.name}\0{self.mode}\0{self.action}"


def read_stitch(
    path: Path, reading: Reading, *, min_score: int = 0, taxon: int | None = HUMAN
) -> Iterator[Record]:
    """The edges of one file of actions or links, chemical → protein; no nodes, endpoints unchecked.

    The sides may be swapped in the file. An action stands in it twice, once from
    each side; it comes once, from the row that says which side acts where one does.
    Rows with no chemical or no protein, of another species (`taxon` None: all are
    taken) or below `min_score` are counted. Reads a file of actions twice.

    `kind` is ACTION for actions and FACT ("is linked to") for links; scores are of 1,000.

    Raises SourceError when the columns are neither of these, or none of the rows can be used.
    """
    for dialect in _DIALECTS:
        if has_columns(path, dialect, ACTIONS):
            candidates = _actions(path, dialect, reading, min_score, taxon)
            break
        if has_columns(path, dialect, LINKS):
            candidates = _links(path, dialect, reading, min_score, taxon)
            break
    else:
        raise SourceError(
            f"{path.name} has neither the columns of STITCH's actions nor those of its links.",
            remedy=f"The first line must name {' '.join(ACTIONS)}, or {' '.join(LINKS)}.",
        )
    yield from checked(candidates, reading, RULES)


def read_actions(
    path: Path, dialect: Dialect, reading: Reading, taxon: int | None
) -> Iterator[tuple[int, Action]]:
    """Row and action of each row between a chemical and a protein; the others are counted."""
    table = read_columns(path, dialect, ACTIONS, reading)
    at = places(table.names, ACTIONS, path.name)
    for row, cells in table.rows:
        first, second, mode, action, acts, score = ((cells[place] or "").strip() for place in at)
        place = f"row {row}"
        sides = _sides(first, second)
        if sides is None:
            reading.skip(
                path.name, "not a chemical and a protein", f"{place}: {first} {second}", broken=False
            )
            continue
        chemical, protein, swapped = sides
        if taxon is not None and protein.taxon not in {None, taxon}:
            reading.skip(path.name, "another species", f"{place}: {protein.taxon}", broken=False)
            continue
        points = _score(score)
        if points is None or not mode or acts not in {"t", "f", ""}:
            fault = (
                "no score of 0 to 1000"
                if points is None
                else "no mode"
                if not mode
                else "a_is_acting is not t or f"
            )
            reading.skip(path.name, fault, place)
            continue
        acting = ("protein" if swapped else "chemical") if acts == "t" else ""
        yield row, Action(chemical, protein, mode, action, acting, points)


def _actions(
    path: Path, dialect: Dialect, reading: Reading, min_score: int, taxon: int | None
) -> Iterator[Candidate]:
    with closing(Seen()) as directed, closing(Seen()) as taken:
        for _, action in read_actions(path, dialect, Reading(), taxon):
            if action.acting and action.score >= min_score:
                directed.add_fact(action.about)
        for row, action in read_actions(path, dialect, reading, taxon):
            place = f"row {row}"
            if action.score < min_score:
                reading.skip(path.name, f"score below {min_score}", place, broken=False)
                continue
            if action.score < MEDIUM:
                reading.note(path.name, _LOW, place)
            shadow = not action.acting and directed.has_fact(action.about)
            if shadow or not taken.add_fact(f"{action.about}\0{action.acting}"):
                reading.skip(path.name, "the same action from the other side, or again", place, broken=False)
                continue
            details: dict[str, str | int | bool] = {"mode": action.mode, "score": action.score}
            if action.action:
                details["action"] = action.action
            if action.acting:
                details["acting"] = action.acting
            if action.chemical.flat:
                details["stereoisomers_merged"] = True
            edge = GraphEdge(
                kind="ACTION",
                head=action.chemical.curie,
                relation=_relation(action),
                tail=action.protein.curie,
                source=f"{DATASET}:{path.name}:{row}",
                type=action.mode,
                properties=details,
            )
            yield Candidate(edge, (edge.head, edge.tail), path.name, place)
    reading.refuse_if_mostly_unusable(path.name)


def _links(
    path: Path, dialect: Dialect, reading: Reading, min_score: int, taxon: int | None
) -> Iterator[Candidate]:
    table = read_columns(path, dialect, LINKS, reading)
    at = places(table.names, LINKS, path.name)
    channels = [(name, table.names.index(name)) for name in CHANNELS if name in table.names]
    for row, cells in table.rows:
        place = f"row {row}"
        first, second, combined = ((cells[index] or "").strip() for index in at)
        sides = _sides(first, second)
        score = _score(combined)
        if sides is None or score is None:
            fault = "not a chemical and a protein" if sides is None else "no score of 0 to 1000"
            reading.skip(path.name, fault, f"{place}: {first} {second}")
            continue
        chemical, protein, swapped = sides
        if swapped:
            reading.note(path.name, "protein in the chemical's column", place)
        if taxon is not None and protein.taxon not in {None, taxon}:
            reading.skip(path.name, "another species", f"{place}: {protein.taxon}", broken=False)
            continue
        if score < min_score:
            reading.skip(path.name, f"score below {min_score}", place, broken=False)
            continue
        if score < MEDIUM:
            reading.note(path.name, _LOW, place)
        details: dict[str, int | bool] = {"score": score}
        for name, index in channels:
            points = _score((cells[index] or "").strip())
            if points is not None:
                details[name] = points
        if chemical.flat:
            details["stereoisomers_merged"] = True
        edge = GraphEdge(
            kind="FACT",
            head=chemical.curie,
            relation="is linked to",
            tail=protein.curie,
            source=f"{DATASET}:{path.name}:{row}",
            type="link",
            properties=details,
        )
        yield Candidate(edge, (edge.head, edge.tail), path.name, place)
    reading.refuse_if_mostly_unusable(path.name)


def _sides(first: str, second: str) -> tuple[Chemical, Protein, bool] | None:
    """The chemical and the protein of a row, and whether the protein stood first."""
    chemical, protein = parse_chemical(first), parse_protein(second)
    if chemical is not None and protein is not None:
        return chemical, protein, False
    chemical, protein = parse_chemical(second), parse_protein(first)
    return None if chemical is None or protein is None else (chemical, protein, True)


def _score(text: str) -> int | None:
    return (
        int(text) if text.isascii() and text.isdigit() and len(text) <= 4 and int(text) <= MAX_SCORE else None
    )


def _relation(action: Action) -> str:
    """The mode, with the effect where it says something else: binding and inhibition."""
    return (
        f"{action.mode} and {action.action}"
        if action.action and action.action != action.mode
        else action.mode
    )
