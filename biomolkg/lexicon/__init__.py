"""Names, identifiers and classes of what the graph knows, bundled as tables.

The tables are facts from public vocabularies (ATTRIBUTION.md) and reviewed lists;
docs/names.md says how they are made and what they lack. Reading all of them takes
less than half a second; each is read when it is first asked for, and kept.

>>> next(drug.preferred_name for drug in drugs() if drug.id == "pubchem.compound:2244")
'aspirin'
"""

from biomolkg.lexicon.records import (
    AbsentName,
    Alias,
    ClassCorrection,
    ClassName,
    DrugClass,
    DrugName,
    EffectName,
    Family,
    ProteinName,
    Role,
)
from biomolkg.lexicon.tables import (
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

__all__ = [
    "AbsentName",
    "Alias",
    "ClassCorrection",
    "ClassName",
    "DrugClass",
    "DrugName",
    "EffectName",
    "Family",
    "ProteinName",
    "Role",
    "absent",
    "class_corrections",
    "class_names",
    "classes",
    "conditions",
    "drug_names",
    "drugs",
    "effects",
    "families",
    "protein_names",
    "proteins",
    "roles",
]
