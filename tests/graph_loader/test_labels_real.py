import re
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from biomolkg.errors import SourceError
from biomolkg.settings import Settings
from graph_loader.labels import Label
from graph_loader.ledger import Omissions
from graph_loader.sources.openfda import read_openfda
from graph_loader.sources.spl import read_labels

WORD = re.compile(r"[^\W_]+")
INLINE = {"content", "linkHtml", "sub"}


@pytest.fixture(scope="module")
def labels(shared_data: Path) -> dict[str, Label]:
    omissions = Omissions()
    found = {label.set_id: label for label in read_labels(shared_data / "spl", Settings(), omissions)}
    assert not omissions.listed()
    return found


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.lower().replace("\u200b", "")))


def narrative_words(path: Path) -> Counter[str]:
    """The words under titles and texts of sections; no image or highlight is under these."""
    pieces = []

    def take(element: etree._Element) -> None:
        apart = "" if etree.QName(element).localname in INLINE else " "
        pieces.append(apart + (element.text or ""))
        for child in element:
            if isinstance(child.tag, str):
                take(child)
            pieces.append(child.tail or "")
        pieces.append(apart)

    for section in etree.parse(path).getroot().iter("{*}section"):
        for part in section.iterchildren("{*}title", "{*}text"):
            take(part)
    return words("".join(pieces))


def test_at_least_99_percent_of_the_words_arrive_in_passages(
    shared_data: Path, labels: dict[str, Label]
) -> None:
    files = sorted((shared_data / "spl").glob("*.xml"))
    assert len(files) == len(labels)
    for path in files:
        (label,) = read_labels(path, Settings(), Omissions())
        expected = narrative_words(path)
        passages = list(label.passages())
        assert all(0 < len(passage.text) <= 1_200 for passage in passages)
        # A title is said once by the section itself, and shown again by each of its passages.
        arrived = words(" ".join(passage.text for passage in passages))
        shown = {section.title for section in label.sections if section.title != section.text}
        arrived += words(" ".join(section.title for section in label.sections if section.title in shown))
        paths = {title for passage in passages for title in passage.title.split(" > ")}
        assert all(words(title) <= words(" ".join(paths)) for title in shown if len(title) <= 200)
        assert (expected - arrived).total() <= 0.01 * expected.total(), path.name


@pytest.mark.parametrize(
    ("set_id", "version", "effective", "name", "sections", "classes"),
    [
        ("608d4f0d-b19f-46d3-749a-7159aa5f933d", 1560, "2013-09-30", "Humira", 72, 0),
        ("c6e131fe-e7df-4876-83f7-9156fc4e8228", 11, "2014-01-13", "Lipitor", 109, 0),
        ("0027b8a3-73bf-4005-a7e3-b035f451a861", 1, "2010-07-28", "Haloperidol", 43, 0),
        ("00f66f25-3469-4c16-9baf-fba21e9628bd", 1, "2011-04-26", None, 18, 0),
        ("ea1a6225-0eb9-4743-9601-23d5795936a3", 1, "2010-11-01", "METHOXSALEN", 0, 5),
    ],
)
def test_identity_names_and_counts(
    labels: dict[str, Label],
    set_id: str,
    version: int,
    effective: str,
    name: str | None,
    sections: int,
    classes: int,
) -> None:
    label = labels[set_id]
    assert (label.version, label.effective) == (version, effective)
    assert name in {None, label.name}
    assert (len(label.sections), len(label.classes)) == (sections, classes)
    assert all(substance.unii for substance in label.substances)


def test_the_parts_of_a_kit_do_not_name_the_label(labels: dict[str, Label]) -> None:
    humira = labels["608d4f0d-b19f-46d3-749a-7159aa5f933d"]
    assert {product.name for product in humira.products if product.kit} > {"Humira"}
    assert (humira.product_names, humira.generic_names) == (("Humira",), ("Adalimumab",))
    assert [substance.name for substance in humira.substances] == ["ADALIMUMAB"]


def test_codes_of_real_sections(labels: dict[str, Label]) -> None:
    lipitor = labels["c6e131fe-e7df-4876-83f7-9156fc4e8228"]
    own = Counter(section.own_code for section in lipitor.sections)
    assert (own["42229-5"], own["51945-4"]) == (61, 18)
    # Of 61 unclassified sections one stands alone at the top of the document.
    assert Counter(section.code for section in lipitor.sections)["42229-5"] == 1
    haloperidol = labels["0027b8a3-73bf-4005-a7e3-b035f451a861"]
    boxes = [section for section in haloperidol.sections if section.own_code == "34066-1"]
    assert [(section.boxed, section.code) for section in boxes] == [
        (True, "34066-1"),
        (False, "34068-7"),
        (False, "34068-7"),
        (False, "34068-7"),
    ]


def test_a_medication_guide_of_32_000_characters_is_cut_into_passages(labels: dict[str, Label]) -> None:
    humira = labels["608d4f0d-b19f-46d3-749a-7159aa5f933d"]
    guide = next(section for section in humira.sections if section.own_code == "42231-1")
    pieces = [each for each in humira.passages() if each.document.endswith(f"#{guide.position}")]
    assert len(guide.text) > 30_000
    assert len(pieces) == -(-len(guide.text) // 1_200) or len(pieces) <= 1.1 * len(guide.text) / 1_200


def test_annotated_sentences_are_no_labels(shared_data: Path) -> None:
    omissions = Omissions()
    with pytest.raises(SourceError, match="no SPL document"):
        list(read_labels(shared_data / "nlm_cv_ddi", Settings(), omissions))
    counts = {each.reason: each.count for each in omissions.listed()}
    assert counts == {"no SPL document": 146, "a file of another kind": 146}


def test_label_texts_of_openfda(shared_data: Path) -> None:
    omissions = Omissions()
    labels = list(read_openfda(shared_data / "label_text", Settings(), omissions))
    assert sum(label.set_id.startswith("adverse_reactions-") for label in labels) == 339
    assert Counter(len(label.sections) for label in labels if "-" not in label.set_id).total() == 20
    assert sum(len(label.sections) for label in labels) == 339 + 115
    assert {(each.reason, each.count) for each in omissions.listed()} == {
        ("a label that says nothing", 1_100),
        ("a name and text again", 5),
    }
