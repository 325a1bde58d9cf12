"""Write `neo4j.lock` from what Maven resolves; run by hand when the Neo4j version changes.

    mvn dependency:list -DincludeScope=runtime -DoutputFile=deps.txt
    mvn dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=jars
    python -m cypher.make_lock deps.txt jars > cypher/neo4j.lock

The POM both commands read has two dependencies: the server
(`org.neo4j:neo4j`) and Neo4j Browser (`org.neo4j.client:neo4j-browser`).
Maven resolves here, and not jgo at run time, because jgo chooses other versions.
"""

from __future__ import annotations

import re
import sys
from hashlib import sha256
from pathlib import Path

from cypher.lock import Jar, format_lock

_DEPENDENCY = re.compile(
    r"^\s+(?P<group>[\w.-]+):(?P<artifact>[\w.-]+):jar:(?:(?P<classifier>[\w.-]+):)?(?P<version>[\w.-]+)"
    r":(?:compile|runtime)\b"
)


def read_dependencies(listing: str, folder: Path) -> list[Jar]:
    """The jars of a `dependency:list` output, with the size and SHA-256 of each one's file in `folder`."""
    jars = []
    for line in listing.splitlines():
        if match := _DEPENDENCY.match(line):
            group, artifact, classifier, version = match.group("group", "artifact", "classifier", "version")
            jar = Jar(group, artifact, version, classifier or "", sha256="", size=0)
            content = (folder / jar.filename).read_bytes()
            jars.append(
                Jar(group, artifact, version, classifier or "", sha256(content).hexdigest(), len(content))
            )
    return sorted(jars, key=lambda jar: jar.coordinate)


if __name__ == "__main__":
    listing_path, jar_folder = map(Path, sys.argv[1:3])
    sys.stdout.write(format_lock(read_dependencies(listing_path.read_text(encoding="utf-8"), jar_folder)))
