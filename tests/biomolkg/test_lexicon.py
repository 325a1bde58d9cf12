"""The bundled names, classes and identifiers say what a pharmacist would say."""

import io
import re
from collections import Counter, defaultdict
from contextlib import redirect_stdout
from functools import lru_cache
from pathlib import Path

import pytest

from biomolkg.lexicon import (
    absent,
    class_corrections,
    class_names,
    classes,
    conditions,
    drug_names,
    drugs,
    effects,
    families,
    protein_names,
    proteins,
    roles,
)
from biomolkg.names import name_key
from graph_loader.bundled import read_starter


@lru_cache
def members(class_name: str) -> frozenset[str]:
    """The drugs of a class by any of its names, through the classes below it."""
    named = {name_key(one.name): one.id for one in class_names()}
    wanted = named[name_key(class_name)]
    parents = {one.id: one.parents for one in classes()}
    preferred = {drug.id: drug.preferred_name for drug in drugs()}

    def above(one: str) -> set[str]:
        return {one}.union(*(above(parent) for parent in parents[one]))

    return frozenset(preferred[role.drug] for role in roles() if wanted in above(role.drug_class))


@lru_cache
def drugs_called(name: str) -> frozenset[str]:
    preferred = {drug.id: drug.preferred_name for drug in drugs()}
    return frozenset(preferred[one.id] for one in drug_names() if name_key(one.name) == name_key(name))


@lru_cache
def _symbols() -> dict[str, set[str]]:
    symbol = {protein.id: protein.symbol for protein in proteins()}
    found: dict[str, set[str]] = defaultdict(set)
    for one in protein_names():
        found[name_key(one.name)].add(symbol[one.id])
    return found


def test_every_drug_of_the_starter_graph_has_one_preferred_name_of_its_own() -> None:
    assert {drug.id for drug in drugs()} == {
        f"pubchem.compound:{entry.cid}" for entry in read_starter().drugs
    }
    names = Counter(name_key(drug.preferred_name) for drug in drugs())
    assert len(names) == 494
    assert max(names.values()) == 1


def test_no_preferred_name_is_a_number_a_code_or_systematic() -> None:
    wrong = [
        drug.preferred_name
        for drug in drugs()
        if re.search(r"\d|[\[\](){},]|^(rac|dl|cis|trans|epi)-", drug.preferred_name, re.IGNORECASE)
    ]
    assert not wrong


def test_no_preferred_name_is_a_salt_of_another_drug() -> None:
    names = {drug.preferred_name for drug in drugs()}
    bare = {name: name.rsplit(" ", 1)[0] for name in names if " " in name}
    salts = {"sodium", "hydrochloride", "bromide", "maleate", "mesylate", "phosphate", "besylate"}
    assert not [name for name in bare if name.rsplit(" ", 1)[1] in salts]
    assert {name for name, stem in bare.items() if stem in names} == {
        "hydrocortisone butyrate",
        "calcium chloride",
    }


def test_a_preferred_name_is_the_name_of_no_other_drug() -> None:
    owner = {name_key(drug.preferred_name): drug.id for drug in drugs()}
    assert not [alias for alias in drug_names() if owner.get(name_key(alias.name), alias.id) != alias.id]


@pytest.mark.parametrize(
    ("name", "preferred"),
    [
        ("acetaminophen", "paracetamol"),
        ("Tylenol", "paracetamol"),
        ("APAP", "paracetamol"),
        ("acetylsalicylic acid", "aspirin"),
        ("ASA", "aspirin"),
        ("albuterol", "salbutamol"),
        ("meperidine", "pethidine"),
        ("Zocor", "simvastatin"),
        ("Plavix", "clopidogrel"),
        ("frusemide", "furosemide"),
        ("Lasix", "furosemide"),
        ("cyclosporine", "ciclosporin"),
        ("rapamycin", "sirolimus"),
        ("AZT", "zidovudine"),
        ("quinidine", "quinine"),
        ("betamethasone", "dexamethasone"),
        ("metformin hydrochloride", "metformin"),
        ("vitamin B12", "cyanocobalamin"),
        ("Coumadin", "warfarin"),
        ("mesalamine", "mesalazine"),
        ("mycophenolate mofetil", "mycophenolic acid"),
        ("CHEMBL:unknown", None),
    ],
)
def test_drugs_are_found_by_the_names_that_people_use(name: str, preferred: str | None) -> None:
    assert drugs_called(name) == ({preferred} if preferred else frozenset())


def test_a_structure_that_stands_for_two_drugs_says_so() -> None:
    noted = {drug.preferred_name for drug in drugs() if "without stereochemistry" in drug.note}
    assert noted >= {"quinine", "dexamethasone", "mannitol", "levothyroxine"}


def test_identifiers_of_a_drug_are_those_of_other_databases() -> None:
    aspirin = next(drug for drug in drugs() if drug.preferred_name == "aspirin")
    assert {"chebi:15365", "chembl.compound:CHEMBL25", "drugbank:DB00945", "cas:50-78-2"} <= set(
        aspirin.xrefs
    )
    with_chebi = [drug for drug in drugs() if any(one.startswith("chebi:") for one in drug.xrefs)]
    assert len(with_chebi) > 0.97 * len(drugs())


def test_accessions_of_proteins_are_theirs_alone() -> None:
    assert len({protein.id for protein in proteins()}) == len(proteins()) > 19_000


def test_every_protein_of_the_starter_graph_is_found_by_symbol_name_and_aliases() -> None:
    found = {protein.symbol: protein for protein in proteins()}
    by_hgnc = [one for one in protein_names() if one.source == "HGNC"]
    for entry in read_starter().proteins:
        protein = found[entry.gene]
        assert f"ncbigene:{entry.gene_number}" in protein.xrefs
        own = [one.name for one in by_hgnc if one.id == protein.id]
        assert entry.gene in own
        assert protein.name in own
        for name in [*own, entry.name]:
            assert entry.gene in _symbols()[name_key(name)]


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("D2 receptor", "DRD2"),
        ("dopamine D2 receptor", "DRD2"),
        ("D2R", "DRD2"),
        ("5-HT2A", "HTR2A"),
        ("beta-1 adrenoceptor", "ADRB1"),
        ("β1", "ADRB1"),
        ("COX-1", "PTGS1"),
        ("cyclooxygenase-2", "PTGS2"),
        ("serotonin transporter", "SLC6A4"),
        ("HMG-CoA reductase", "HMGCR"),
        ("carbonic anhydrase II", "CA2"),
        ("hERG channel", "KCNH2"),
        ("pregnane X receptor", "NR1I2"),
        ("CRTH2", "PTGDR2"),
        ("factor Xa", "F10"),
        ("H1 receptor", "HRH1"),
        ("mu opioid receptor", "OPRM1"),
        ("M3 muscarinic receptor", "CHRM3"),
        ("VEGFR-2", "KDR"),
        ("PKC alpha", "PRKCA"),
        ("alpha-2-delta-1", "CACNA2D1"),
    ],
)
def test_proteins_are_found_by_the_forms_that_people_write(name: str, symbol: str) -> None:
    assert symbol in _symbols()[name_key(name)]


def test_families_mean_all_their_members() -> None:
    symbol = {protein.id: protein.symbol for protein in proteins()}
    known = {name_key(one.name): {symbol[member] for member in one.members} for one in families()}
    assert known[name_key("muscarinic receptor")] == {f"CHRM{number}" for number in range(1, 6)}
    assert known["cox"] == {"PTGS1", "PTGS2"}
    assert known[name_key("L-type calcium channel")] == {"CACNA1C", "CACNA1D", "CACNA1F", "CACNA1S"}


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("NSAID", "aspirin ibuprofen naproxen celecoxib", "paracetamol almotriptan eletriptan adapalene"),
        (
            "SSRI",
            "citalopram paroxetine sertraline fluvoxamine",
            "olanzapine tramadol clomipramine venlafaxine",
        ),
        ("SNRI", "venlafaxine duloxetine desvenlafaxine", "sertraline tramadol"),
        ("TCA", "amitriptyline clomipramine desipramine", "cyclobenzaprine mirtazapine"),
        ("MAOI", "selegiline", "venlafaxine"),
        ("antidepressant", "mirtazapine trazodone sertraline", "lamotrigine atomoxetine aprepitant"),
        ("beta blocker", "timolol metoprolol carvedilol", "salbutamol propafenone"),
        ("ACE inhibitor", "lisinopril captopril moexipril", "telmisartan losartan"),
        ("ARB", "losartan candesartan telmisartan", "lisinopril bosentan"),
        ("statin", "simvastatin rosuvastatin", "fenofibrate"),
        ("H2 blocker", "ranitidine famotidine cimetidine nizatidine", "loratadine"),
        ("antihistamine", "cetirizine loratadine promethazine", "mirtazapine trazodone ranitidine"),
        ("benzodiazepine", "diazepam alprazolam temazepam", "clozapine olanzapine zolpidem"),
        ("antipsychotic", "thiothixene clozapine haloperidol", "promethazine metoclopramide"),
        ("typical antipsychotic", "haloperidol loxapine", "quetiapine"),
        ("atypical antipsychotic", "olanzapine ziprasidone", "haloperidol"),
        ("opioid", "morphine tramadol pentazocine", "naloxone dextromethorphan"),
        ("triptan", "sumatriptan almotriptan", "dihydroergotamine"),
        ("corticosteroid", "prednisone budesonide mometasone", "testosterone"),
        ("loop diuretic", "furosemide bumetanide", "indapamide"),
        ("thiazide", "chlortalidone metolazone", "furosemide"),
        ("potassium-sparing diuretic", "amiloride spironolactone", "furosemide"),
        ("calcium channel blocker", "amlodipine verapamil", "gabapentin pregabalin lamotrigine"),
        ("alpha blocker", "prazosin tamsulosin", "metoprolol"),
        ("fluoroquinolone", "gatifloxacin ciprofloxacin", "azithromycin"),
        ("macrolide", "azithromycin erythromycin", "tacrolimus nystatin"),
        ("penicillin", "amoxicillin piperacillin", "cefazolin"),
        ("cephalosporin", "ceftriaxone cefalexin", "amoxicillin"),
        ("tetracycline", "doxycycline", "doxorubicin"),
        ("aminoglycoside", "gentamicin amikacin", "nystatin"),
        ("azole antifungal", "itraconazole miconazole", "terbinafine"),
        ("NRTI", "zidovudine lamivudine", "nevirapine entecavir"),
        ("NNRTI", "nevirapine efavirenz", "zidovudine"),
        ("HIV protease inhibitor", "saquinavir darunavir", "bortezomib"),
        ("anticoagulant", "warfarin heparin", "aspirin clopidogrel"),
        ("antiplatelet", "clopidogrel aspirin tirofiban", "warfarin procainamide"),
        ("anticonvulsant", "phenytoin levetiracetam", "zaleplon thalidomide"),
        ("sulfonylurea", "glipizide tolbutamide", "torsemide bosentan"),
        ("biguanide", "metformin", "chlorhexidine"),
        ("local anesthetic", "lidocaine bupivacaine ropivacaine", "promethazine"),
        ("general anesthetic", "propofol ketamine", "fentanyl"),
        ("muscle relaxant", "baclofen carisoprodol", "oxybutynin"),
        ("5-HT3 antagonist", "ondansetron granisetron", "metoclopramide"),
        ("Z-drug", "zolpidem zaleplon zopiclone", "temazepam"),
        ("stimulant", "methylphenidate modafinil", "atomoxetine"),
        ("taxane", "paclitaxel docetaxel", "vincristine"),
        ("vinca alkaloid", "vincristine vinorelbine", "paclitaxel"),
        ("alkylating agent", "cyclophosphamide temozolomide", "methotrexate"),
        ("antimetabolite", "methotrexate gemcitabine", "allopurinol"),
        ("TKI", "imatinib erlotinib", "bortezomib"),
        ("PDE5 inhibitor", "sildenafil tadalafil", "theophylline"),
        ("anticholinergic", "oxybutynin tiotropium", "bethanechol"),
        ("bronchodilator", "salbutamol tiotropium", "budesonide"),
    ],
)
def test_classes_hold_whom_they_should(name: str, inside: str, outside: str) -> None:
    found = members(name)
    assert set(inside.split()) <= found
    assert not set(outside.split()) & found


@pytest.mark.parametrize(
    ("name", "whole"),
    [
        (
            "bisphosphonate",
            "alendronic acid|etidronic acid|ibandronic acid|pamidronic acid|risedronic acid|zoledronic acid",
        ),
        ("SSRI", "citalopram|fluvoxamine|paroxetine|sertraline"),
        ("H2 blocker", "cimetidine|famotidine|nizatidine|ranitidine"),
        ("Z-drug", "zaleplon|zolpidem|zopiclone"),
        ("PPI", ""),
        ("barbiturate", ""),
        ("direct oral anticoagulant", ""),
    ],
)
def test_lists_of_classes_are_complete_and_may_be_empty(name: str, whole: str) -> None:
    assert members(name) == frozenset(whole.split("|") if whole else ())


def test_bare_roles_have_no_names() -> None:
    named = {name_key(one.name) for one in class_names()}
    assert not named & {"inhibitor", "agonist", "antagonist", "ligand", "metabolite", "drug", "acid", "role"}
    hidden = {one.id for one in classes() if one.hidden}
    assert not [one for one in class_names() if one.id in hidden]


def test_parents_of_classes_are_classes() -> None:
    known = {one.id for one in classes()}
    assert not {parent for one in classes() for parent in one.parents} - known
    assert {role.drug_class for role in roles()} <= known
    assert {role.drug for role in roles()} <= {drug.id for drug in drugs()}


def test_each_correction_holds_and_has_a_reason() -> None:
    labels = {one.name: one.id for one in classes()}
    parents = {one.id: one.parents for one in classes()}
    preferred = {drug.id: drug.preferred_name for drug in drugs()}
    inside: dict[str, set[str]] = defaultdict(set)
    for role in roles():
        todo = [role.drug_class]
        for one in todo:
            inside[one].add(preferred[role.drug])
            todo += parents[one]
    assert class_corrections()
    for one in class_corrections():
        assert one.reason
        assert (one.drug in inside[labels[one.class_name]]) == (one.action == "add"), one


def test_effects_are_relations_of_the_graph_and_each_name_means_one() -> None:
    relations = {fact.relation for fact in read_starter().facts if fact.kind == "DDI"}
    assert {one.relation for one in effects()} == relations
    meant = Counter(name_key(one.name) for one in effects())
    assert max(meant.values()) == 1


@pytest.mark.parametrize(
    ("name", "relation"),
    [
        ("rhabdomyolysis", "rhabdomyolysis"),
        ("stroke", "apoplexy"),
        ("rash", "eruption"),
        ("atrial fibrillation", "AFIB"),
        ("pneumonia", "neumonia"),
        ("vomiting", "emesis"),
        ("myocardial infarction", "heart attack"),
        ("hypertension", "High blood pressure"),
    ],
)
def test_effects_have_everyday_names(name: str, relation: str) -> None:
    assert {one.relation for one in effects() if name_key(one.name) == name_key(name)} == {relation}


def test_conditions_are_what_no_relation_names() -> None:
    said = {name_key(one.name) for one in effects()}
    keys = {name_key(name) for name in conditions()}
    assert not keys & said
    assert name_key("lactic acidosis") in keys
    assert not keys & {"disease", "syndrome", "death"}


def test_absent_drugs_are_drugs_and_not_in_the_graph() -> None:
    names = {name_key(one.name) for one in absent()}
    assert {
        name_key(one) for one in ("semaglutide", "adalimumab", "Humira", "apixaban", "omeprazole")
    } <= names
    assert not names & {name_key(one.name) for one in drug_names()}
    assert not names & {"enzymes", "kinases", "water", "insulins", "impact", "receptors histamine h2"}


def test_the_page_on_names_says_what_is_bundled() -> None:
    page = (Path(__file__).parents[2] / "docs" / "names.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert example
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(example[1], {})
    assert "pubchem.compound:2244" in printed.getvalue()
    by_hand = next(line for line in page.splitlines() if line.startswith("| no source name"))
    preferred = {drug.preferred_name for drug in drugs()}
    assert not {name.strip(" |") for name in by_hand.split("|")[2].split(",")} - preferred
    assert f"{len(proteins()):,} human genes" in page
    assert f"the {len({one.relation for one in effects()})} side effects" in page
