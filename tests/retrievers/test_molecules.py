"""Entities by structure: each search against a slow oracle, ties by id, and hostile patterns."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdkit import Chem, DataStructs
from rdkit.Chem import rdFingerprintGenerator

from biomolkg.errors import InvalidMolecule, InvalidRequest, NotFound, RequestTimeout
from biomolkg.molecules import find_groups, group_vocabulary, parse_smiles
from retrievers.molecules import MoleculeHit, MoleculeIndex, MoleculeQuery
from retrievers.patterns import Deadline, Pattern, named_group, read_pattern, smarts_pattern
from retrievers.snapshot import Entity

STRUCTURES = [
    "CC(=O)Oc1ccccc1C(=O)O",
    "OC(=O)c1ccccc1O",
    "CC(C)Cc1ccc(cc1)C(C)C(=O)O",
    "CC(C1=CC2=C(C=C1)C=C(C=C2)OC)C(=O)O",
    "CC(=O)Nc1ccc(O)cc1",
    "CC1=CC=C(C=C1)C2=CC(=NN2C3=CC=C(C=C3)S(=O)(=O)N)C(F)(F)F",
    "C(CC(O)(P(=O)(O)O)P(=O)(O)O)CN",
    "CN1C(=O)CN=C(C2=C1C=CC(=C2)Cl)C3=CC=CC=C3",
    "CN(C)C(=N)N=C(N)N",
    "C[N+]1=CC=CC(=C1)OC(=O)N(C)C",
    "CC12CCC3C(C1CCC2O)CCC4=C3C=CC(=C4)O",
    "CCOC(=O)C1=C(NC(=C(C1C2=CC=CC=C2Cl)C(=O)OC)C)COCCN",
    "[Li+]",
    # The same structures again, under other ids and written otherwise: ties.
    "OC(=O)c1ccccc1OC(C)=O",
    "Oc1ccccc1C(O)=O",
]
ENTITIES = [
    Entity(id=f"x:{(7 * at) % 100:02}", name=f"drug {at}", label="Drug", smiles=smiles)
    for at, smiles in enumerate(STRUCTURES)
] + [
    Entity(id="x:a", name="a protein", label="Protein"),
    Entity(id="x:b", name="broken", label="Drug", smiles="C1CC"),
]


@pytest.fixture(scope="module")
def index() -> MoleculeIndex:
    return MoleculeIndex(ENTITIES)


def answer(hits: list[MoleculeHit]) -> list[tuple[str, float]]:
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    return [(hit.entity.id, round(hit.score, 9)) for hit in hits]


def ranked(scores: dict[str, float], k: int) -> list[tuple[str, float]]:
    order = sorted(
        ((identity, round(score, 9)) for identity, score in scores.items()), key=lambda it: (-it[1], it[0])
    )
    return [pair for pair in order if pair[1] > 0][:k]


def readable() -> list[tuple[str, Chem.Mol]]:
    return [(entity.id, Chem.MolFromSmiles(entity.smiles)) for entity in ENTITIES[: len(STRUCTURES)]]


def test_what_cannot_be_read_is_left_out_and_counted(index: MoleculeIndex) -> None:
    assert (len(index), index.unreadable) == (len(STRUCTURES), 1)
    assert len(MoleculeIndex([])) == 0
    assert MoleculeIndex([]).similar("CCO", k=5) == []


@settings(max_examples=25, deadline=None)
@given(
    smiles=st.sampled_from([*STRUCTURES, "CCO", "c1ccccc1"]),
    k=st.integers(1, 20),
    least=st.sampled_from([0, 0.3, 1]),
)
def test_similarity_agrees_with_pairwise_comparison(
    index: MoleculeIndex, smiles: str, k: int, least: float
) -> None:
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    query = generator.GetFingerprint(Chem.MolFromSmiles(smiles))
    scores = {
        identity: DataStructs.TanimotoSimilarity(query, generator.GetFingerprint(molecule))
        for identity, molecule in readable()
    }
    expected = ranked({identity: score for identity, score in scores.items() if score >= least}, k)
    assert answer(index.similar(smiles, k=k, at_least=least)) == expected


def test_equal_structures_are_ordered_by_id(index: MoleculeIndex) -> None:
    hits = index.similar("CC(=O)Oc1ccccc1C(=O)O", k=2)
    assert answer(hits) == [("x:00", 1.0), ("x:91", 1.0)]
    assert answer(MoleculeIndex(reversed(ENTITIES)).similar("CC(=O)Oc1ccccc1C(=O)O", k=2)) == answer(hits)


@pytest.mark.parametrize(
    "smarts",
    ["c1ccccc1", "[CX3](=O)[OX2H1]", "[#7]", "C~C", "[$([NX3]C=O)]", "[Cl,Li+]", "[OX2H]c:c[CX3]=O", "[U]"],
)
def test_substructures_agree_with_a_plain_search(index: MoleculeIndex, smarts: str) -> None:
    query = Chem.MolFromSmarts(smarts)
    scores = {
        identity: float(min(100, len(molecule.GetSubstructMatches(query, maxMatches=1_000))))
        for identity, molecule in readable()
    }
    assert answer(index.with_substructure(smarts, k=100)) == ranked(scores, 100)
    assert answer(index.with_substructure(smarts, k=2)) == ranked(scores, 2)


@pytest.mark.parametrize(
    "names",
    [
        ["carboxylic acid"],
        ["benzene ring", "carboxyl"],
        ["benzene ring", "benzene ring"],
        ["Sulfonamides"],
        ["purine"],
    ],
)
def test_groups_agree_with_a_plain_search(index: MoleculeIndex, names: list[str]) -> None:
    wanted = [named_group(name).name for name in names]
    scores = {}
    for identity, molecule in readable():
        groups = find_groups(molecule)
        if all(groups.get(name, 0) >= wanted.count(name) for name in wanted):
            scores[identity] = float(sum(groups[name] for name in set(wanted)))
    assert answer(index.with_groups(names, k=100)) == ranked(scores, 100)


@settings(max_examples=25, deadline=None)
@given(
    smiles=st.sampled_from([None, *STRUCTURES[:6]]),
    pattern=st.sampled_from([None, "c1ccccc1", "[OX2H1]", "phenol"]),
    groups=st.sampled_from([{}, {"benzene ring": 1}, {"Benzene Ring": 2, "carboxylic acid": 1}]),
    k=st.integers(1, 4),
)
def test_conditions_together_are_those_alone(
    index: MoleculeIndex, smiles: str | None, pattern: str | None, groups: dict[str, int], k: int
) -> None:
    query = MoleculeQuery(smiles, 0.1, pattern, groups)
    alone = [
        query
        for query in (
            MoleculeQuery(similar_to=smiles, at_least=0.1),
            MoleculeQuery(substructure=pattern),
            MoleculeQuery(groups=groups),
        )
        if query != MoleculeQuery() and query != MoleculeQuery(at_least=0.1)
    ]
    if not alone:
        with pytest.raises(InvalidRequest, match="Nothing is asked for"):
            index.search(query, k=k)
        return
    found = [{hit.entity.id: hit for hit in index.search(one, k=100)} for one in alone]
    common = set.intersection(*map(set, found))
    if smiles is not None:
        scores = {identity: found[0][identity].score for identity in common}
    else:
        scores = {identity: sum(hits[identity].score for hits in found) for identity in common}
    hits = index.search(query, k=k)
    assert answer(hits) == ranked(scores, k)
    for hit, matches in zip(hits, index.matches(hits, query), strict=True):
        told = {match.name: match.places for match in matches}
        assert {name: len(places) for name, places in told.items()} == dict(hit.places)
        molecule = Chem.MolFromSmiles(hit.entity.smiles)
        assert all(
            0 <= atom < molecule.GetNumAtoms() for places in told.values() for at in places for atom in at
        )


def test_counter_ions_do_not_count_for_similarity() -> None:
    drugs = [Entity(f"x:{at}", "x", "Drug", smiles=smiles) for at, smiles in enumerate(STRUCTURES[:6])]
    hit, *_ = MoleculeIndex(drugs).similar("[Na+].CC(=O)Oc1ccccc1C(=O)[O-]", k=1)
    assert (hit.entity.id, hit.score) == ("x:0", 1.0)


def test_a_smiles_with_double_bonds_finds_aromatic_rings(index: MoleculeIndex) -> None:
    drawn = index.with_substructure("C1=CC=CC=C1C(=O)O", k=100)
    assert answer(drawn) == answer(index.with_substructure("c1ccccc1C(=O)[#8]", k=100)) != []
    assert not index.with_substructure("C1=CCCC=C1", k=100)


def test_groups_that_the_graph_has_are_not_looked_for_again() -> None:
    entity = Entity(id="x:1", name="x", label="Drug", smiles="CCO", groups={"purine": 3})
    (hit,) = MoleculeIndex([entity]).with_groups(["purine", "purine"], k=1)
    assert (hit.score, dict(hit.places)) == (3.0, {"purine": 3})


def test_each_name_of_the_vocabulary_names_its_group() -> None:
    for group in group_vocabulary():
        assert named_group(group.name) == named_group(f" {group.name.upper()} ") == group
        for synonym in group.synonyms:
            assert not synonym.strip() or named_group(synonym).name
    with pytest.raises(NotFound, match="Did you mean sulfonamide"):
        named_group("sulphonamid")
    with pytest.raises(NotFound):
        named_group("")


@pytest.mark.parametrize(
    "smarts",
    [
        "",
        " ",
        "C(",
        "not a pattern",
        "C\0C",
        "C" * 401,
        "~".join(["*"] * 101),
        "[$([$([$([$(C)])])])]",
        "[$(C)]" * 17,
    ],
)
def test_bad_patterns_are_refused(index: MoleculeIndex, smarts: str) -> None:
    with pytest.raises(InvalidMolecule) as caught:
        index.with_substructure(smarts, k=1)
    assert caught.value.remedy
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("wrapped", ["{}", "[$({})]"])
def test_a_pattern_that_would_never_end_is_stopped(wrapped: str) -> None:
    """A walk of 60 atoms to an atom that is not there, in a net: more walks than can be tried."""
    net = Chem.RWMol()
    for _ in range(81):
        net.AddAtom(Chem.Atom("C"))
    for at in range(81):
        if at % 9 < 8:
            net.AddBond(at, at + 1, Chem.BondType.SINGLE)
        if at < 72:
            net.AddBond(at, at + 9, Chem.BondType.SINGLE)
    smiles = Chem.MolToSmiles(net)
    index = MoleculeIndex([Entity(id="x:1", name="net", label="Drug", smiles=smiles)])
    endless = wrapped.format("~".join(["*"] * 60) + "~[#17]")
    with pytest.raises(RequestTimeout, match=r"longer than 0\.2 seconds"):
        index.with_substructure(endless, k=1, seconds=0.2)
    assert index.with_substructure("C", k=1)[0].score == 81.0


def test_time_is_shared_by_the_whole_search() -> None:
    deadline = Deadline(0)
    with pytest.raises(RequestTimeout):
        deadline.places(parse_smiles("CCO"), Pattern("C", Chem.MolFromSmarts("C")))


def test_bad_questions_are_refused(index: MoleculeIndex) -> None:
    with pytest.raises(InvalidRequest):
        index.similar("CCO", k=0)
    with pytest.raises(InvalidRequest):
        index.with_groups([], k=1)
    with pytest.raises(InvalidMolecule):
        index.similar("C" * 2_001, k=1)


def test_a_name_is_read_before_a_smarts() -> None:
    assert read_pattern("Sulfonamide").name == "sulfonamide"
    assert read_pattern("C").name == smarts_pattern("C").name == "C"
