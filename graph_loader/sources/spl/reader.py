"""Labels from a file, a folder, or a zip, which may hold zips as DailyMed's releases do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from biomolkg.errors import SourceError
from biomolkg.settings import Settings
from graph_loader.labels import Label
from graph_loader.ledger import Omissions
from graph_loader.sources.archives import NO_DOCUMENT, documents
from graph_loader.sources.spl.document import Rejected
from graph_loader.sources.spl.label import parse_label


def read_labels(path: Path, settings: Settings, omissions: Omissions) -> Iterator[Label]:
    """The labels at `path`, one at a time: memory holds one document, whatever the size of the archive.

    A single XML file must be a label. Of a folder or zip, what cannot be read is
    left out and counted by reason, and so is a document of a set id that came
    before in the same or a later version; of a later version the label is given
    again, for the writer to replace the earlier one.

    Raises SourceError when the path is missing, no XML or zip, or gives no label.
    """
    versions: dict[str, int] = {}
    single = path.is_file() and path.suffix.lower() == ".xml"
    read = 0
    for name, content in documents(path, ".xml", settings, omissions):
        try:
            label = parse_label(content, name, settings)
        except Rejected as error:
            if single:
                raise
            omissions.add(path.name, error.reason, name)
            continue
        read += 1
        version = label.version or 0
        if versions.get(label.set_id, -1) >= version:
            omissions.add(path.name, "a set id again, not in a later version", name)
            continue
        versions[label.set_id] = version
        yield label
    if not read:
        # Files of other kinds say less about what went wrong than a label that was refused.
        met = sorted(omissions.listed(), key=lambda each: each.reason == NO_DOCUMENT)
        why = f"{met[0].reason} ({met[0].offenders[0]})" if met else "there is no .xml file in it"
        raise SourceError(
            f"{path} holds no label: {why}.",
            remedy="Give Structured Product Labeling XML, a folder of it, or a zip as DailyMed publishes it.",
        )
