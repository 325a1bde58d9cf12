"""Prints the requirements of the project and of one extra, a line each, to be installed before its code.

python docker/requirements.py pyproject.toml [EXTRA]
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path


def main() -> int:
    """Print them; an extra that there is not is an error."""
    path, *extras = sys.argv[1:]
    project = tomllib.loads(Path(path).read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    lines = list(project["dependencies"])
    while extras:
        name = extras.pop()
        if name not in optional:
            print(f"There is no extra {name!r}; there are: {', '.join(optional)}.", file=sys.stderr)
            return 2
        for line in optional[name]:
            inner = line.removeprefix(f"{project['name']}[")
            if inner == line:
                lines.append(line)
            else:
                extras += inner.removesuffix("]").split(",")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
