"""The extras of the package: what serves is always installed, what trains or measures is asked for."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal

from biomolkg.errors import ConfigurationError

Extra = Literal["train", "bench"]

# The modules by which an extra is known to be there; pyproject.toml says what brings them.
MODULES: dict[Extra, tuple[str, ...]] = {
    "train": ("torch", "flair", "torch_geometric", "transformers", "sentence_transformers", "pyarrow"),
    "bench": ("ir_measures", "pyarrow"),
}
_COMMANDS: dict[Extra, str] = {
    "train": "`make train` in a clone, or `pip install 'biomolkg[train]'`",
    "bench": "`make measure` in a clone, or `pip install 'biomolkg[bench]'`",
}


def require_extra(name: Extra, purpose: str) -> None:
    """Return when the extra is installed. Raises ConfigurationError that says what to run.

    purpose: what needs it, the beginning of the message.
    """
    missing = [module for module in MODULES[name] if find_spec(module) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise ConfigurationError(
            f"{purpose} needs {', '.join(missing)}, which {verb} not installed.",
            remedy=f"Run {_COMMANDS[name]}.",
        )
