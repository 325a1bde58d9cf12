"""Morgan fingerprints of structures, packed eight bits a byte, and their Tanimoto similarity.

Rogers and Hahn, Extended-Connectivity Fingerprints, J. Chem. Inf. Model. 50 (2010) 742:
radius 2, folded to 2,048 bits.
"""

from __future__ import annotations

import base64
import binascii
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rdkit import Chem
from rdkit.Chem.rdFingerprintGenerator import FingerprintGenerator64, GetMorganGenerator

from biomolkg.errors import InvalidMolecule

FINGERPRINT_RADIUS = 2
FINGERPRINT_BITS = 2_048
FINGERPRINT_BYTES = FINGERPRINT_BITS // 8


def fingerprint(molecule: Chem.Mol) -> NDArray[np.uint8]:
    """uint8 [256]: the packed bits of one structure."""
    return np.packbits(_generator().GetFingerprintAsNumPy(molecule))


def fingerprint_text(packed: NDArray[np.uint8]) -> str:
    """The packed bits in base64, 344 characters: the form that the graph keeps."""
    return base64.b64encode(packed.tobytes()).decode("ascii")


def read_fingerprint(text: str) -> NDArray[np.uint8]:
    """uint8 [256] from what `fingerprint_text` wrote. Raises InvalidMolecule for anything else."""
    try:
        packed = np.frombuffer(base64.b64decode(text, validate=True), dtype=np.uint8)
    except (binascii.Error, ValueError) as error:
        raise InvalidMolecule("A fingerprint is not base64.", remedy="Load the source again.") from error
    if len(packed) != FINGERPRINT_BYTES:
        raise InvalidMolecule(
            f"A fingerprint has {len(packed)} bytes, not {FINGERPRINT_BYTES}.",
            remedy="Load the source again.",
        )
    return packed


def tanimoto(query: NDArray[np.uint8], others: NDArray[np.uint8]) -> NDArray[np.float64]:
    """float64 [N]: shared bits over all bits of `query` [256] and each row of `others` [N, 256].

    Two fingerprints without a bit have the similarity 0.
    """
    shared = np.bitwise_count(others & query).sum(axis=1, dtype=np.int64)
    either = np.bitwise_count(others | query).sum(axis=1, dtype=np.int64)
    scores = np.zeros(len(others), dtype=np.float64)
    np.divide(shared, either, out=scores, where=either > 0)
    return scores


@lru_cache(maxsize=1)
def _generator() -> FingerprintGenerator64:
    return GetMorganGenerator(radius=FINGERPRINT_RADIUS, fpSize=FINGERPRINT_BITS)
