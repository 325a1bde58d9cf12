"""BioPAX level 3 in RDF/XML as plain elements (class, texts, links), parsed one at a time."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from sys import intern
from typing import IO

from lxml import etree

from biomolkg.errors import SourceError

BIOPAX = "{http://www.biopax.org/release/biopax-level3.owl#}"
_LEVEL = "biopax-level"
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
# Only these are kept: comments, evidence and publications are most of a file.
_TEXT_PROPERTIES = frozenset(
    {
        "displayName",
        "standardName",
        "name",
        "term",
        "db",
        "id",
        "idVersion",
        "controlType",
        "stoichiometricCoefficient",
        "conversionDirection",
    }
)
_LINK_PROPERTIES = frozenset(
    {
        "xref",
        "organism",
        "cellularLocation",
        "entityReference",
        "component",
        "componentStoichiometry",
        "participantStoichiometry",
        "physicalEntity",
        "memberPhysicalEntity",
        "left",
        "right",
        "product",
        "participant",
        "template",
        "controller",
        "controlled",
        "pathwayComponent",
        "stepProcess",
        "stepConversion",
        "nextStep",
        "pathwayOrder",
    }
)


@dataclass(slots=True)
class Element:
    """A BioPAX individual: its class without namespace, texts and links by property, each in file order."""

    kind: str
    place: str
    texts: dict[str, list[str]] = field(default_factory=dict)
    links: dict[str, list[str]] = field(default_factory=dict)

    def text(self, name: str) -> str | None:
        """The first non-empty text of a property."""
        return next((value for value in self.texts.get(name, ()) if value), None)


def read_elements(stream: IO[bytes], name: str, kinds: Collection[str]) -> Iterator[tuple[str, Element]]:
    """Each individual of the given classes with its id, nested ones before the one that holds them.

    Entities are not expanded, nothing outside the file is read, libxml2's limits on depth and size stay on.
    Raises SourceError with the line for broken XML, and when the file is not BioPAX level 3.
    """
    seen = 0
    try:
        events = etree.iterparse(
            stream,
            events=("end",),
            tag=[BIOPAX + kind for kind in kinds],
            resolve_entities=False,
            load_dtd=False,
            no_network=True,
            huge_tree=False,
        )
        for _, node in events:
            root = node.getparent()
            if root is None or root.getparent() is not None:
                continue
            found: list[tuple[str, Element]] = []
            _collect(node, name, found)
            seen += len(found)
            yield from found
            node.clear()
            # What came before, of whatever class, is not needed any more: this bounds the tree.
            while node.getprevious() is not None:
                del root[0]
    except etree.XMLSyntaxError as error:
        raise SourceError(
            f"{name} is not valid XML at line {error.lineno}: {error.msg}.",
            remedy="Fetch the file again: it may be cut short.",
        ) from error
    except (EOFError, OSError, zlib.error) as error:
        raise SourceError(f"{name} cannot be read to its end: {error}.") from error
    if not seen:
        raise _no_biopax(name, events.root)


def _no_biopax(name: str, root: etree._Element) -> SourceError:
    if root.tag != f"{_RDF}RDF":
        return SourceError(f"{name} is no RDF/XML: its root is {root.tag}.")
    others = [uri for uri in root.nsmap.values() if _LEVEL in uri and uri not in BIOPAX]
    if others:
        return SourceError(
            f"{name} is BioPAX of another level than 3: {others[0]}.",
            remedy="Reactome publishes level 3 as biopax.zip.",
        )
    return SourceError(f"{name} holds no element of BioPAX level 3 that is read.")


def _collect(node: etree._Element, name: str, found: list[tuple[str, Element]]) -> str | None:
    """Append the individual at `node` and those nested in it to `found`; its id, or None if it has none."""
    if not isinstance(node.tag, str) or not node.tag.startswith(BIOPAX):
        return None
    key = _local(node.get(f"{_RDF}ID") or node.get(f"{_RDF}about") or node.get(f"{_RDF}nodeID"))
    if key is None:
        key = f"{name}:{node.sourceline}:{len(found)}"
    element = Element(intern(node.tag[len(BIOPAX) :]), f"{name}: line {node.sourceline}")
    for child in node:
        if not isinstance(child.tag, str) or not child.tag.startswith(BIOPAX):
            continue
        prop = intern(child.tag[len(BIOPAX) :])
        if prop in _TEXT_PROPERTIES:
            element.texts.setdefault(prop, []).append(intern(" ".join((child.text or "").split())))
        elif prop in _LINK_PROPERTIES:
            target = _local(child.get(f"{_RDF}resource") or child.get(f"{_RDF}nodeID"))
            nested = [_collect(inner, name, found) for inner in child]
            for link in (target, *nested):
                if link is not None:
                    element.links.setdefault(prop, []).append(link)
    found.append((key, element))
    return key


def _local(uri: str | None) -> str | None:
    """The part of a URI that names the individual within its file."""
    if not uri:
        return None
    return uri.rpartition("#")[2] or uri
