"""One SPL document to one label record."""

from __future__ import annotations

import re

from biomolkg.settings import Settings
from graph_loader.labels import Label
from graph_loader.sources.spl.document import Element, Rejected, parse
from graph_loader.sources.spl.products import read_classes, read_products, text_of
from graph_loader.sources.spl.sections import read_sections

READER = "spl"

_SET_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,127}")
_TIME = re.compile(r"(\d{4})(?:(0[1-9]|1[0-2])(?:(0[1-9]|[12]\d|3[01])(?:\d{2,}.*)?)?)?")


def parse_label(content: bytes, name: str, settings: Settings) -> Label:
    """The label in an SPL document; `name` is how errors call it.

    Raises Rejected as `parse` does, and when the document has no identity or says nothing.
    """
    root = parse(content, name, settings)
    document_id = _identity(root, "id")
    set_id = _identity(root, "setId") or document_id
    if set_id is None:
        raise Rejected(
            f"{name} has neither a set id nor a document id.",
            reason="no set id",
            remedy="Fetch the file again, or leave it out.",
        )
    sections, left_out = read_sections(root)
    code = root.find("{*}code")
    label = Label(
        reader=READER,
        set_id=set_id,
        version=_version(root),
        effective=_effective(root),
        title=text_of(root.find("{*}title")),
        kind=None if code is None else " ".join((code.get("displayName") or "").split()) or None,
        kind_code=None if code is None else (code.get("code") or "").strip() or None,
        document_id=document_id,
        maker=text_of(root.find("{*}author/{*}assignedEntity/{*}representedOrganization/{*}name")) or None,
        products=read_products(root),
        classes=read_classes(root),
        sections=sections,
        left_out=left_out,
    )
    if not (label.sections or label.products or label.classes):
        raise Rejected(
            f"{name} has no text, product or substance.",
            reason="a label that says nothing",
            remedy="Leave the file out.",
        )
    return label


def _identity(root: Element, name: str) -> str | None:
    """The root, or extension, of the document's id or setId, in lower case."""
    found = root.find(f"{{*}}{name}")
    if found is None:
        return None
    for attribute in ("root", "extension"):
        value = (found.get(attribute) or "").strip()
        if _SET_ID.fullmatch(value):
            return value.lower()
    return None


def _version(root: Element) -> int | None:
    found = root.find("{*}versionNumber")
    value = "" if found is None else (found.get("value") or "").strip()
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else None


def _effective(root: Element) -> str | None:
    found = root.find("{*}effectiveTime")
    if found is None:
        return None
    low = found.find("{*}low")
    value = found.get("value") or ("" if low is None else low.get("value") or "")
    parts = _TIME.fullmatch(value.strip())
    return "-".join(filter(None, parts.groups())) if parts else None
