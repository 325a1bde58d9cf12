import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_loader.passages import sentence_spans, split_passages


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Take one. Rest.", ["Take one.", "Rest."]),
        ("Give 2.5 mg/kg. Wait.", ["Give 2.5 mg/kg.", "Wait."]),
        ("See e.g. Section 5. Then stop.", ["See e.g. Section 5.", "Then stop."]),
        ("C. Difficile was seen. It passed.", ["C. Difficile was seen.", "It passed."]),
        ("Is it safe? Yes! (It is.) Good.", ["Is it safe?", "Yes!", "(It is.)", "Good."]),
        ("1. Shake well\n2. Open", ["1. Shake well", "2. Open"]),
        ("approved in the U.S. Initial dose", ["approved in the U.S. Initial dose"]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(
    st.text(alphabet=st.sampled_from("abZ .,;:!?()|\n\t1€"), max_size=400),
    st.integers(1, 60),
    st.data(),
)
@settings(max_examples=300, deadline=None)
def test_chunks_are_slices_within_the_limit_that_lose_nothing(
    text: str, limit: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, limit - 1))
    chunks = split_passages(text, limit=limit, overlap=overlap)
    covered: set[int] = set()
    for position, chunk in enumerate(chunks):
        assert chunk.position == position
        assert chunk.text == text[chunk.start : chunk.end] == chunk.text.strip()
        assert 0 < len(chunk.text) <= limit
        covered.update(range(chunk.start, chunk.end))
    assert {at for at, char in enumerate(text) if not char.isspace()} <= covered
    for before, after in itertools.pairwise(chunks):
        assert before.start < after.start
        assert before.end < after.end
        assert max(0, before.end - after.start) <= overlap


def test_chunks_are_few_and_even() -> None:
    text = " ".join(f"Sentence number {at} says something of its own." for at in range(100))
    chunks = split_passages(text, limit=1_200)
    assert len(chunks) == -(-len(text) // 1_200)
    lengths = [len(chunk.text) for chunk in chunks]
    assert max(lengths) - min(lengths) <= 2 * 50
    assert all(chunk.text.endswith(".") for chunk in chunks)


def test_overlap_repeats_whole_sentences() -> None:
    text = " ".join(f"Sentence number {at:03} says something." for at in range(60))
    chunks = split_passages(text, limit=300, overlap=80)
    for before, after in itertools.pairwise(chunks):
        repeated = text[after.start : before.end]
        assert 0 < len(repeated) <= 80
        assert repeated.startswith("Sentence number")


@pytest.mark.parametrize(("limit", "overlap"), [(0, 0), (-1, 0), (10, 10), (10, -1)])
def test_impossible_limits_are_refused(limit: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="limit"):
        split_passages("text", limit=limit, overlap=overlap)
