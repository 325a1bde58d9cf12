"""SPL XML read safely: no entities, no DTD, no network, bounded in size and depth."""

from __future__ import annotations

from typing import Any

from lxml import etree

from biomolkg.errors import SourceError
from biomolkg.settings import Settings

# lxml ships no types; an element is used through the few methods that lxml documents.
Element = Any


class Rejected(SourceError):
    """A document that cannot be taken as a label; `reason` is what it is counted under."""

    def __init__(self, message: str, *, reason: str, remedy: str) -> None:
        super().__init__(message, remedy=remedy)
        self.reason = reason


def parse(content: bytes, name: str, settings: Settings) -> Element:
    """The root of an SPL document.

    Raises Rejected, naming `name`, when the content is too long, no well-formed
    XML, declares entities, is nested too deeply or is another kind of XML.
    """
    if len(content) > settings.label_max_bytes:
        raise Rejected(
            f"{name} is longer than {settings.label_max_bytes:,} bytes.",
            reason="too long",
            remedy="Raise BIOMOLKG_LABEL_MAX_BYTES if it is a label.",
        )
    # A parser is made for each document: one that met an error keeps no state for the next.
    # huge_tree stays off, so that libxml2's own bounds hold (depth, text length, expansion).
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        dtd_validation=False,
        remove_comments=True,
        remove_pis=True,
        huge_tree=False,
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        if "depth" in str(error).lower():
            raise _too_deep(name, settings) from error
        raise Rejected(
            f"{name} is no well-formed XML: {' '.join(error.msg.split())}.",
            reason="no well-formed XML",
            remedy="Fetch the file again, or leave it out.",
        ) from error
    if root is None:
        raise Rejected(
            f"{name} is an empty document.",
            reason="no well-formed XML",
            remedy="Fetch the file again, or leave it out.",
        )
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and next(iter(dtd.iterentities()), None) is not None:
        raise Rejected(
            f"{name} declares entities.",
            reason="declares entities",
            remedy="Labels declare none; leave the file out.",
        )
    if _depth(root) > settings.label_max_depth:
        raise _too_deep(name, settings)
    if local(root) != "document" or (root.find("{*}setId") is None and root.find(".//{*}section") is None):
        raise Rejected(
            f"{name} is no SPL document: its root is <{local(root)}> with neither a setId nor a section.",
            reason="no SPL document",
            remedy="Give Structured Product Labeling XML, as DailyMed publishes it.",
        )
    return root


def local(element: Element) -> str:
    """The element's name without its namespace; labels come with a default one, a prefix, or none."""
    tag = element.tag
    return str(tag).rpartition("}")[2] if isinstance(tag, str) else ""


def _depth(root: Element) -> int:
    depth = deepest = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            depth += 1
            deepest = max(deepest, depth)
        else:
            depth -= 1
    return deepest


def _too_deep(name: str, settings: Settings) -> Rejected:
    return Rejected(
        f"{name} nests elements more than {settings.label_max_depth} deep.",
        reason="nested too deeply",
        remedy="Raise BIOMOLKG_LABEL_MAX_DEPTH (up to 250) if it is a label.",
    )
