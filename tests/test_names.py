"""Two spellings of one name have one key, and different names do not."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biomolkg.names import name_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pamidronic-Acid", "pamidronic acid"),
        ("β-1 adrenergic receptor", "Beta-1 Adrenergic Receptor"),
        ("β1", "beta 1"),
        ("µ-opioid", "μ opioid"),
        ("Crohn's disease", "crohn’s disease"),
        ("ﬁbrate", "FIBRATE"),
        ("Ångström", "angstrom"),
        ("5'-ABC-3'", "5′-abc–3′"),
    ],
)
def test_spellings_that_are_one_name(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("IL-6", "IL-16"), ("Ca2+", "Ca2"), ("alpha-1A", "alpha-1B"), ("C", "C++")]
)
def test_spellings_that_are_two_names(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(st.text(max_size=60))
def test_the_key_of_a_key_is_itself_and_form_does_not_count(text: str) -> None:
    key = name_key(text)
    assert name_key(key) == key
    assert name_key(unicodedata.normalize("NFD", text)) == name_key(unicodedata.normalize("NFC", text))
