"""What others say of each entry of the vocabulary of groups, and where they differ.

`oracles.tsv` names for each entry the outside definitions that it is held against:
OPSIN (an IUPAC name is a structure), RDKit's fragment catalogue, AccFG's patterns
and ChEBI's classes. `negatives.tsv` has for each entry a molecule that is much
like its example and lacks it. `python -m evaluation.group_oracles` measures all.
"""
