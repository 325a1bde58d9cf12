"""LOINC codes of label sections, and what each is about.

Several codes stand for one topic: labels before and after the Physician Labeling
Rule of 2006 code their warnings apart, as 34071-1 and 43685-7. openFDA calls the
same sections by the names in OPENFDA_FIELDS.
"""

from __future__ import annotations

import re

LOINC = "2.16.840.1.113883.6.1"
UNCLASSIFIED = "42229-5"
PRODUCT_ELEMENTS = "48780-1"
INDEXING_ELEMENTS = "48779-3"
BOXED_WARNING = "34066-1"
DISPLAY_PANEL = "51945-4"
WARNINGS = frozenset({BOXED_WARNING, "34071-1", "43685-7", "42232-9"})

TOPICS = {
    "34066-1": "Boxed warning",
    "34067-9": "Indications and usage",
    "34068-7": "Dosage and administration",
    "34069-5": "How supplied",
    "34070-3": "Contraindications",
    "34071-1": "Warnings",
    "34072-9": "General precautions",
    "34073-7": "Drug interactions",
    "34074-5": "Drug and laboratory test interactions",
    "34075-2": "Laboratory tests",
    "34076-0": "Information for patients",
    "34077-8": "Teratogenic effects",
    "34078-6": "Nonteratogenic effects",
    "34079-4": "Labor and delivery",
    "34080-2": "Nursing mothers",
    "34081-0": "Pediatric use",
    "34082-8": "Geriatric use",
    "34083-6": "Carcinogenesis, mutagenesis, impairment of fertility",
    "34084-4": "Adverse reactions",
    "34085-1": "Controlled substance",
    "34086-9": "Abuse",
    "34087-7": "Dependence",
    "34088-5": "Overdosage",
    "34089-3": "Description",
    "34090-1": "Clinical pharmacology",
    "34091-9": "Animal pharmacology or toxicology",
    "34092-7": "Clinical studies",
    "34093-5": "References",
    "38056-8": "Supplemental patient material",
    "42227-9": "Drug abuse and dependence",
    "42228-7": "Pregnancy",
    "42229-5": "Unclassified",
    "42230-3": "Patient package insert",
    "42231-1": "Medication guide",
    "42232-9": "Precautions",
    "43678-2": "Dosage forms and strengths",
    "43679-0": "Mechanism of action",
    "43680-8": "Nonclinical toxicology",
    "43681-6": "Pharmacodynamics",
    "43682-4": "Pharmacokinetics",
    "43683-2": "Recent major changes",
    "43684-0": "Use in specific populations",
    "43685-7": "Warnings",
    "44425-7": "Storage and handling",
    "48779-3": "Indexing data elements",
    "48780-1": "Product data elements",
    "49489-8": "Microbiology",
    "50565-1": "Keep out of reach of children",
    "50566-9": "Stop use",
    "50567-7": "When using",
    "50568-5": "Ask a doctor or pharmacist",
    "50569-3": "Ask a doctor",
    "50570-1": "Do not use",
    "51727-6": "Inactive ingredient",
    "51945-4": "Package label",
    "53413-1": "Questions",
    "53414-9": "Pregnancy or breast feeding",
    "55105-1": "Purpose",
    "55106-9": "Active ingredient",
    "59845-8": "Instructions for use",
    "60561-8": "Other safety information",
    "66106-6": "Pharmacogenomics",
    "69718-5": "Statement of identity",
    "77290-5": "Lactation",
    "77291-3": "Females and males of reproductive potential",
    "88436-1": "Information for patients",
    "88828-9": "Renal impairment",
    "88829-7": "Hepatic impairment",
    "90374-0": "Clinical trials experience",
    "90375-7": "Postmarketing experience",
}

OPENFDA_FIELDS = {
    "abuse": "34086-9",
    "active_ingredient": "55106-9",
    "adverse_reactions": "34084-4",
    "animal_pharmacology_and_or_toxicology": "34091-9",
    "ask_doctor": "50569-3",
    "ask_doctor_or_pharmacist": "50568-5",
    "boxed_warning": "34066-1",
    "carcinogenesis_and_mutagenesis_and_impairment_of_fertility": "34083-6",
    "clinical_pharmacology": "34090-1",
    "clinical_studies": "34092-7",
    "contraindications": "34070-3",
    "controlled_substance": "34085-1",
    "dependence": "34087-7",
    "description": "34089-3",
    "do_not_use": "50570-1",
    "dosage_and_administration": "34068-7",
    "dosage_forms_and_strengths": "43678-2",
    "drug_abuse_and_dependence": "42227-9",
    "drug_and_or_laboratory_test_interactions": "34074-5",
    "drug_interactions": "34073-7",
    "general_precautions": "34072-9",
    "geriatric_use": "34082-8",
    "how_supplied": "34069-5",
    "inactive_ingredient": "51727-6",
    "indications_and_usage": "34067-9",
    "information_for_patients": "34076-0",
    "instructions_for_use": "59845-8",
    "keep_out_of_reach_of_children": "50565-1",
    "labor_and_delivery": "34079-4",
    "laboratory_tests": "34075-2",
    "mechanism_of_action": "43679-0",
    "microbiology": "49489-8",
    "nonclinical_toxicology": "43680-8",
    "nonteratogenic_effects": "34078-6",
    "nursing_mothers": "34080-2",
    "other_safety_information": "60561-8",
    "overdosage": "34088-5",
    "package_label_principal_display_panel": "51945-4",
    "patient_medication_information": "42230-3",
    "pediatric_use": "34081-0",
    "pharmacodynamics": "43681-6",
    "pharmacogenomics": "66106-6",
    "pharmacokinetics": "43682-4",
    "precautions": "42232-9",
    "pregnancy": "42228-7",
    "pregnancy_or_breast_feeding": "53414-9",
    "purpose": "55105-1",
    "questions": "53413-1",
    "recent_major_changes": "43683-2",
    "references": "34093-5",
    "spl_medguide": "42231-1",
    "spl_patient_package_insert": "42230-3",
    "spl_product_data_elements": "48780-1",
    "spl_unclassified_section": "42229-5",
    "statement_of_identity": "69718-5",
    "stop_use": "50566-9",
    "storage_and_handling": "44425-7",
    "teratogenic_effects": "34077-8",
    "use_in_specific_populations": "43684-0",
    "user_safety_warnings": "54433-8",
    "warnings": "34071-1",
    "warnings_and_cautions": "43685-7",
    "warnings_and_precautions": "43685-7",
    "when_using": "50567-7",
}

_LOINC_CODE = re.compile(r"\d{1,7}-\d")


def loinc(code: str | None, system: str | None) -> str | None:
    """The code if it is one of LOINC; a blank system counts as LOINC when the code has its form."""
    code = (code or "").strip()
    if not _LOINC_CODE.fullmatch(code) or (system or "").strip() not in {"", LOINC}:
        return None
    return code


def topic(code: str | None) -> str | None:
    """What sections of that code are about, in one to five words; None for an unknown code."""
    return TOPICS.get(code) if code else None
