"""Which sections of a drug label a question's words ask for, by LOINC code.

The words are those of the section headings in 21 CFR 201.56, 201.57 and 201.66, of LOINC's names, and
what people who are no professionals say for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from retrievers.triple.words import split_words

BOXED = "34066-1"
# Sections, each with the phrases that ask for them; stems are compared, so one form of a word is enough.
_PHRASES: Mapping[tuple[str, ...], str] = {
    (BOXED,): "boxed warning; black box; black box warning; box warning",
    ("34067-9", "55105-1"): "indication; indicated; approved for; approved use; approved uses; used for; "
    "used to treat; prescribed for; purpose of",
    ("34068-7",): "dose; dosage; dosing; posology; how much; how often; administer; administered; "
    "administration; titrate; titration; how to take; how to use; taken daily; directions; missed dose",
    ("34070-3", "50570-1"): "contraindication; contraindicated; should not take; should not use; must not; "
    "who should not; do not use; should not be used; should not be taken; should not be given",
    (
        "34071-1",
        "43685-7",
        "42232-9",
        "34072-9",
    ): "warning; precaution; caution; cautious; monitor; monitored; risk of; risks of",
    ("34073-7", "34074-5"): "interaction; interact; coadministration; coadministered; co-administered; "
    "concomitant; concomitantly; taken with; "
    "should not be taken with; should not take with; combined with; together with; take with",
    ("34084-4", "90374-0", "90375-7"): "adverse reaction; adverse event; adverse effect; side effect; "
    "undesirable effect; unwanted effect; postmarketing",
    ("34088-5",): "overdose; overdosage; too much; poisoning; poisoned",
    ("42228-7", "34077-8", "34078-6", "53414-9", "77291-3"): "pregnancy; pregnant; teratogenic; "
    "teratogenicity; fetus; fetal; foetus; unborn; birth defect; trimester; expectant mother",
    ("34080-2", "77290-5", "53414-9"): "lactation; lactating; breastfeeding; breastfeed; breast-feeding; "
    "breast-feed; breast fed; nursing mother; nursing woman; nursing women; while nursing; breast milk; "
    "human milk",
    ("34079-4",): "labor; labour; delivery; childbirth",
    ("34081-0",): "pediatric; paediatric; child; children; infant; adolescent; neonate; newborn; toddler; "
    "teenager; kid; under 18",
    ("34082-8",): "geriatric; elderly; older adult; older patient; older people; older person; "
    "elder; senior; seniors; old age; over 65",
    ("88828-9",): "renal impairment; renal insufficiency; kidney disease; kidney failure; renal failure; "
    "renal function; dialysis",
    ("88829-7",): "hepatic impairment; hepatic insufficiency; liver disease; liver failure; hepatic failure; "
    "cirrhosis",
    ("34083-6", "43680-8"): "carcinogenic; carcinogenicity; carcinogenesis; mutagenic; mutagenicity; "
    "mutagenesis; genotoxic; fertility; cause cancer",
    ("43679-0", "34090-1"): "mechanism of action; mechanism; mode of action; how does it work; "
    "clinical pharmacology",
    ("43681-6", "34090-1"): "pharmacodynamic; pharmacodynamics",
    ("43682-4", "34090-1"): "pharmacokinetic; pharmacokinetics; half-life; absorption; absorbed; metabolism; "
    "metabolized; metabolised; excretion; excreted; eliminated; elimination; bioavailability; clearance; "
    "protein binding; volume of distribution; plasma concentration; steady state",
    ("66106-6",): "pharmacogenomic; pharmacogenomics; genotype; poor metabolizer",
    ("34092-7",): "clinical study; clinical studies; clinical trial; efficacy",
    ("44425-7", "34069-5"): "store; stored; storage; refrigerate; refrigerated; refrigeration; refrigerator; "
    "room temperature; freeze; frozen; shelf life; protect from light; handling",
    ("34069-5", "43678-2"): "how supplied; supplied; dosage form; strength; strengths; package size; "
    "packaged; ndc",
    ("34089-3", "51727-6", "55106-9"): "ingredient; inactive; excipient; preservative; molecular weight; "
    "structural formula; chemical name",
    ("42227-9", "34086-9", "34087-7", "34085-1"): "abuse; abused; misuse; dependence; addictive; addiction; "
    "habit forming; controlled substance; schedule ii; withdrawal symptom",
    ("34076-0", "42230-3", "42231-1", "59845-8", "88436-1"): "medication guide; patient information; "
    "patient leaflet; package leaflet; counsel; counseling; counselling; tell patients; "
    "instructions for use",
    ("43683-2",): "recent change; recent major change; recently changed",
    ("50566-9",): "stop use; stop using; stop taking; when to stop",
    ("50568-5", "50569-3"): "ask a doctor; ask a pharmacist; ask doctor",
    ("50565-1",): "out of reach; accidental ingestion",
}
# Of these the graph's triples tell as well.
SHARED = frozenset(
    [
        "34073-7",
        "34074-5",
        "34084-4",
        "90374-0",
        "90375-7",
        "43679-0",
        "34090-1",
        "43681-6",
        "34067-9",
        "55105-1",
    ]
)
_LABEL_WORDS = (
    "label; labeling; labelling; package insert; package leaflet; prescribing information; medication guide; "
    "boxed warning; black box; spl; dailymed"
)
_LONGEST = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question wants of labels: sections by LOINC code, and whether it speaks of labels at all.

    first: of the codes, those that are first looked for; the others say it where these are missing.
    """

    codes: frozenset[str] = frozenset()
    first: frozenset[str] = frozenset()
    label: bool = False


def wanted_sections(question: str) -> Wanted:
    """The sections that the words of a question ask for; none where it asks for something else.

    >>> sorted(wanted_sections("How should it be stored?").codes)
    ['34069-5', '44425-7']
    """
    phrases, labels = _tables()
    stems = [word.stem for word in split_words(question, limit=256)]
    codes: dict[str, None] = {}
    first: set[str] = set()
    label = False
    at = 0
    while at < len(stems):
        # The longest phrase at a place is what is meant: a boxed warning is no other warning.
        runs = [tuple(stems[at : at + size]) for size in range(min(_LONGEST, len(stems) - at), 0, -1)]
        label = label or not labels.isdisjoint(runs)
        phrase = next((run for run in runs if run in phrases), None)
        if phrase is not None:
            for listed in phrases[phrase]:
                codes |= dict.fromkeys(listed)
                first.add(listed[0])
        at += len(phrase) if phrase is not None else 1
    return Wanted(frozenset(codes), frozenset(first), label)


def asking_words(code: str | None) -> str:
    """The phrases that ask for a section first of all: what it can be found by, beside its own words."""
    return "; ".join(listed for codes, listed in _PHRASES.items() if codes[0] == code)


@lru_cache(maxsize=1)
def _tables() -> tuple[Mapping[tuple[str, ...], list[tuple[str, ...]]], frozenset[tuple[str, ...]]]:
    phrases: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for codes, listed in _PHRASES.items():
        for phrase in dict.fromkeys(_stemmed(listed)):
            phrases.setdefault(phrase, []).append(codes)
    return phrases, frozenset(_stemmed(_LABEL_WORDS))


def _stemmed(listed: str) -> Iterator[tuple[str, ...]]:
    for phrase in listed.split(";"):
        yield tuple(word.stem for word in split_words(phrase))
