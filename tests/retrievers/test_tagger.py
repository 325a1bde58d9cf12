"""The tagger: what Flair trains is what is served, misspelt names are linked, damaged files are refused."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biomolkg.errors import InputError, ModelError, NotReady
from biomolkg.misspellings import misspelt
from biomolkg.settings import Settings
from biomolkg.tagged_text import Span, TaggedSentence, spans_of, tagged_sentences, words_of
from biomolkg.token_files import read_token_files
from retrievers.artifacts import Artifact, artifact_path, load_artifact, save_artifact
from retrievers.mentions import Gazetteer
from retrievers.snapshot import Entity
from retrievers.tagger.linking import Linker
from retrievers.tagger.made_sentences import made_sentences
from retrievers.tagger.recognition import Recogniser
from retrievers.tagger.tagger import Tagger
from retrievers.tagger.training import flair_sentence, train
from tests.retrievers.small import ENTITIES
from tests.retrievers.test_mentions import snapshot_of
from tests.small_tagger import Trained

TEXTS = (
    "Zarvopin and caltidone: nausea, or muscle pain?",
    "Does brelamoll bind the histamine H1 receptor (HRH1)?",
    "β-Lactams — “ostriquine acid” — 3.5 mg/kg i.v. … ́ 药",
    "WARFARIN-induced liver damage. Severe headache followed.",
    "a",
    " ".join(["the use of brelamol caused seizures in mice"] * 9),
)


def spans(found: list[Span]) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.label) for span in found]


def test_what_is_served_tags_as_flair_does(small_tagger: Trained) -> None:
    tagger = Tagger(small_tagger.artifact)
    sentences = [[word.text for word in words_of(text)] for text in TEXTS]
    asked = [flair_sentence(TaggedSentence(tuple(words), ())) for words in sentences]
    small_tagger.model.predict(asked)
    expected = [
        [
            Span(span[0].idx - 1, span[-1].idx, span.tag, float(span.score))
            for span in sentence.get_spans("ner")
        ]
        for sentence in asked
    ]
    found = tagger.tag_words(sentences)
    assert [spans(each) for each in found] == [spans(each) for each in expected]
    assert sum(map(len, found)) > 10, "too little is tagged for the agreement to say anything"
    scores = [[span.score for each in side for span in each] for side in (found, expected)]
    np.testing.assert_allclose(*scores, atol=1e-4)


def test_a_training_learns_its_sentences_and_says_how_far_it_is(small_tagger: Trained) -> None:
    figures = small_tagger.artifact.training.figures
    assert figures["held_out_f1"] > 0.5
    assert small_tagger.steps[-1][1] == small_tagger.steps[-1][2] == len(small_tagger.steps)
    assert "sentences (tokens.txt and the names of the graph)" in small_tagger.artifact.training.account


def test_serving_needs_neither_torch_nor_flair(small_tagger: Trained, tmp_path: Path) -> None:
    save_artifact(tmp_path, small_tagger.artifact)
    code = (
        "import sys; from pathlib import Path\n"
        "from retrievers.artifacts import load_artifact\n"
        "from retrievers.tagger.tagger import Tagger\n"
        f"assert Tagger(load_artifact(Path({str(tmp_path)!r}), 'mentions')).find('zarvopin caused nausea')\n"
        "assert not {'torch', 'flair', 'transformers'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("fault", ["cut", "another file", "changed", "no tagger", "too few tags"])
def test_a_file_that_was_not_written_so_is_refused(small_tagger: Trained, tmp_path: Path, fault: str) -> None:
    artifact = small_tagger.artifact
    if fault == "no tagger":
        artifact = Artifact("mentions", artifact.training, {"linear": np.zeros(3, np.float32)})
    if fault == "too few tags":
        options = {**artifact.training.options, "tags": '["O"]'}
        artifact = replace(artifact, training=replace(artifact.training, options=options))
    path = save_artifact(tmp_path, artifact)
    assert path == artifact_path(tmp_path, "mentions")
    written = bytearray(path.read_bytes())
    if fault == "cut":
        path.write_bytes(written[:-4])
    elif fault == "another file":
        path.write_bytes(b"\x80\x05N.")  # a pickle
    elif fault == "changed":
        written[-1_000] ^= 1
        path.write_bytes(written)
    with pytest.raises(ModelError, match="mentions") as refused:
        Tagger(load_artifact(tmp_path, "mentions"))  # type: ignore[arg-type]
    assert "biomolkg train --retriever mentions" in str(refused.value)


DRUGS = (
    Entity("d:1", "Haloperidol", "Drug", ("Serenace",)),
    Entity("d:2", "Warfarin", "Drug"),
    Entity("d:3", "Hydroxychloroquine", "Drug", ("Plaquenil",)),
    Entity("d:4", "Prednisone", "Drug"),
    Entity("d:5", "Silver nitrate", "Drug"),
    Entity("d:6", "Omeprazole", "Drug"),
    Entity("d:7", "Ethanol", "Drug"),
    Entity("d:8", "Loratadine", "Drug"),
    Entity("d:9", "Fexofenadine hydrochloride", "Drug"),
    Entity("p:1", "Histamine H1 receptor", "Protein", gene="HRH1"),
    Entity("p:2", "Endothelin receptor type B", "Protein"),
    Entity("t:1", "Haloperidone", "Thing"),
)
LINKER = Linker(Gazetteer(snapshot_of(DRUGS)), DRUGS)


@pytest.mark.parametrize(
    ("written", "kind", "entity"),
    [
        ("haloperidl", "Chemical", "d:1"),
        ("Halo-perridol", "Chemical", "d:1"),
        ("serenaec", "Chemical", "d:1"),
        ("warfrin sodium", "Chemical", "d:2"),
        ("hidroxychloroquin", "Chemical", "d:3"),
        ("plaquenill", None, "d:3"),
        ("fexofenadin", "Chemical", "d:9"),
        ("omeprazol", "Chemical", "d:6"),
        ("histmine H1 receptor", "Protein", "p:1"),
        ("endotelin receptor type B", "Protein", "p:2"),
    ],
)
def test_a_misspelt_name_is_linked(written: str, kind: str | None, entity: str) -> None:
    assert [DRUGS[found.entity].id for found in LINKER.link(written, kind)] == [entity]


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("prednisolone", "Chemical"),
        ("esomeprazole", "Chemical"),
        ("desloratadine", "Chemical"),
        ("silver nitrite", "Chemical"),
        ("ethanal", "Chemical"),
        ("histamine H2 receptor", "Protein"),
        ("endothelin receptor type A", "Protein"),
        ("endothelin receptor type", "Protein"),
        ("haloperidl", "Protein"),
        ("warf", "Chemical"),
        ("", None),
        ("warfarin and everything else " * 40, None),
    ],
)
def test_another_substance_is_not(written: str, kind: str | None) -> None:
    assert LINKER.link(written, kind) == ()


def test_what_is_equally_near_shares_its_score() -> None:
    drugs = (Entity("d:1", "Carbonatrix", "Drug"), Entity("d:2", "Carbonatrox", "Drug"))
    found = Linker(Gazetteer(snapshot_of(drugs)), drugs).link("carbonatrax")
    assert [drugs[each.entity].id for each in found] == ["d:1", "d:2"]
    assert found[0].score == found[1].score < 0.5


def test_names_come_before_what_is_tagged(small_tagger: Trained) -> None:
    snapshot = snapshot_of((*DRUGS, Entity("d:10", "Caltidone", "Drug")))
    gazetteer = Gazetteer(snapshot)
    recogniser = Recogniser(snapshot, gazetteer, Tagger(small_tagger.artifact))
    text = "Patients with seizures were given caltidonne. No headache was seen after warfarin."
    found = recogniser.recognise(text)
    assert {(m.text, m.entity.id) for m in found.mentions} == {("caltidonne", "d:10"), ("warfarin", "d:2")}
    assert {(m.text, m.label) for m in found.unlinked} == {("seizures", "Disease"), ("headache", "Disease")}
    exact, misspelling = (next(m for m in found.mentions if m.entity.id == i) for i in ("d:2", "d:10"))
    assert misspelling.score < exact.score == 1.0
    for mention in (*found.mentions, *found.unlinked):
        assert text[mention.start : mention.end] == mention.text
    assert recogniser.find("") == []


@lru_cache(maxsize=1)
def served(artifact: Artifact) -> Tagger:
    return Tagger(artifact)


@settings(max_examples=30, deadline=None)
@given(text=st.text(max_size=300))
def test_any_text_is_tagged(small_tagger: Trained, text: str) -> None:
    found = served(small_tagger.artifact).find(text)
    assert all(0 <= span.start < span.end <= len(text) and 0 < span.score <= 1 for span in found)


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("O S-A O", [(1, 2, "A")]),
        ("B-A I-A E-A S-B", [(0, 3, "A"), (3, 4, "B")]),
        ("B-A O E-A", [(0, 1, "A"), (2, 3, "A")]),
        ("I-A I-B", [(0, 1, "A"), (1, 2, "B")]),
        ("B-A E-B E-B", [(0, 3, "B")]),
        ("", []),
    ],
)
def test_tags_are_read_as_flair_reads_them(tags: str, expected: list[tuple[int, int, str]]) -> None:
    from flair.data import get_spans_from_bio

    assert spans(spans_of(tags.split(), [1.0] * len(tags.split()))) == expected
    assert [(at[0], at[-1] + 1, label) for at, _, label in get_spans_from_bio(tags.split())] == expected


def test_typed_tokens_are_read(tmp_path: Path) -> None:
    file = tmp_path / "tokens.txt"
    file.write_text(
        "Zarvopin\tChemical\r\nacid\tChemical\r\n\tO\r\ntoxicity\tDisease\r\nin\tO\r\nmice.\tO\r\n"
        "Then\tO\r\ncaltidone\tB-Chemical\r\nbrelamol\tB-Chemical\r\n\r\nA\tO\r\nsecond,\tO\r\ntext\tO\r\n"
    )
    first, second, third = read_token_files([file])
    assert first.words == ("Zarvopin", "acid", "toxicity", "in", "mice", ".")
    assert spans(list(first.spans)) == [(0, 2, "Chemical"), (2, 3, "Disease")]
    assert spans(list(second.spans)) == [(1, 2, "Chemical"), (2, 3, "Chemical")]
    assert (third.words, third.spans) == (("A", "second", ",", "text"), ())


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"aspirin Chemical\n", "line 1"), (b"a\tO\nb\t12\n", "line 2"), (b"\xff\xfe", "read"),
     (b"a\tO\n", "No token")],
)  # fmt: skip
def test_a_token_file_of_another_form_is_told(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "tokens.txt"
    file.write_bytes(content)
    with pytest.raises(InputError, match=said) as told:
        read_token_files([file])
    assert "aspirin<TAB>Chemical" in str(told.value)
    with pytest.raises(InputError, match="cannot be read"):
        read_token_files([tmp_path / "missing"])


def test_a_graph_without_names_cannot_be_trained_on(tmp_path: Path) -> None:
    empty = snapshot_of((Entity("t:1", "12", "Thing"),))
    with pytest.raises(NotReady, match="names no drug"):
        train(empty, [], Settings(_env_file=None, home=tmp_path), seed=0, report=lambda *_: None)


def test_made_sentences_repeat_and_mark_their_names() -> None:
    made, _ = made_sentences(snapshot_of(ENTITIES), 200, seed=3)
    assert made == made_sentences(snapshot_of(ENTITIES), 200, seed=3)[0]
    assert made != made_sentences(snapshot_of(ENTITIES), 200, seed=4)[0]
    assert {span.label for one in made for span in one.spans} == {"Chemical", "Protein"}
    words = {" ".join(one.words[span.start : span.end]) for one in made for span in one.spans}
    assert {"Histamine H1 receptor", "Naproxen", "naproxen"} <= words


def test_a_sentence_ends_where_one_begins() -> None:
    words = [word.text for word in words_of("E. coli grew. The dose (3.5 mg) was small! " + "So " * 200)]
    lengths = [len(one.words) for one in tagged_sentences(words, [])]
    assert sum(lengths) == len(words)
    assert lengths[:2] == [5, 11]
    assert max(lengths) == 80


def test_a_misspelling_is_one_mistake_behind_the_first_letter() -> None:
    chance = random.Random(5)
    for name in ("Haloperidol", "silver nitrate", "HYDROXYCHLOROQUINE", "5-fluorouracil") * 30:
        wrong = misspelt(name, chance)
        assert wrong != name
        assert wrong[0] == name[0]
        assert abs(len(wrong) - len(name)) <= 1
    assert misspelt("IL-6 x", chance) == "IL-6 x"
