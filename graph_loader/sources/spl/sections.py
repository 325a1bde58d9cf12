"""Sections of a label with their nesting, codes and texts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from graph_loader.labels import Section, short_title
from graph_loader.sources.spl.codes import (
    BOXED_WARNING,
    INDEXING_ELEMENTS,
    PRODUCT_ELEMENTS,
    UNCLASSIFIED,
    WARNINGS,
    loinc,
    topic,
)
from graph_loader.sources.spl.document import Element, local
from graph_loader.sources.spl.text import render, render_line

_SAYS_WARNING = re.compile(r"\bwarnings?\b", re.IGNORECASE)
_OPENING_CHARS = 200


@dataclass(slots=True)
class _Draft:
    element: Element
    parent: int | None
    own_code: str | None
    title: str
    text: str
    excerpt: str
    children: list[int] = field(default_factory=list)
    code: str | None = None
    path: tuple[str, ...] = ()
    has_words: bool = False


def read_sections(root: Element) -> tuple[tuple[Section, ...], Counter[str]]:
    """The sections in document order, and counts of what is not in them by reason.

    A section that has a title only carries it as its text, unless sections below
    it show it in their paths. Highlights (`excerpt`) repeat the full text and are
    left out, except in a section that has nothing else. Product data elements
    have no narrative: products.py reads them.
    """
    left_out: Counter[str] = Counter()
    drafts = _drafts(root, left_out)
    # Children follow their parent, so one pass backwards knows what is below each.
    for position in range(len(drafts) - 1, -1, -1):
        draft = drafts[position]
        draft.has_words = bool(draft.text) or any(drafts[child].has_words for child in draft.children)
        if draft.excerpt and draft.has_words:
            left_out["repeated highlights"] += 1
        elif draft.excerpt:
            draft.text, draft.has_words = draft.excerpt, True
        if draft.title and (not draft.has_words or short_title(draft.title) != draft.title):
            draft.text = "\n".join(filter(None, [draft.title, draft.text]))
            draft.has_words = True
    sections = []
    for position, draft in enumerate(drafts):
        above = None if draft.parent is None else drafts[draft.parent]
        boxed = draft.own_code == BOXED_WARNING and _is_boxed_warning(draft, above)
        if draft.own_code == BOXED_WARNING and not boxed:
            left_out["boxed warning code on other text"] += 1
        draft.code = _code(draft.own_code, above, boxed=boxed)
        draft.path = (*(above.path if above else ()), *filter(None, [short_title(draft.title)]))
        if draft.text or draft.title or draft.children:
            sections.append(
                Section(
                    position=position,
                    parent=draft.parent,
                    own_code=draft.own_code,
                    code=draft.code,
                    topic=topic(draft.code),
                    title=draft.title,
                    path=draft.path,
                    text=draft.text,
                    boxed=boxed,
                )
            )
    return tuple(sections), left_out


def _drafts(root: Element, left_out: Counter[str]) -> list[_Draft]:
    drafts: list[_Draft] = []
    positions: dict[Element, int] = {}
    for element in root.iter("{*}section"):
        above = next((each for each in element.iterancestors("{*}section") if each in positions), None)
        parent = None if above is None else positions[above]
        code = element.find("{*}code")
        own_code = None if code is None else loinc(code.get("code"), code.get("codeSystem"))
        draft = _Draft(element, parent, own_code, "", "", "")
        if own_code in {PRODUCT_ELEMENTS, INDEXING_ELEMENTS}:
            left_out["product data elements"] += 1
        else:
            _fill(draft, left_out)
        positions[element] = len(drafts)
        if parent is not None:
            drafts[parent].children.append(len(drafts))
        drafts.append(draft)
    return drafts


def _fill(draft: _Draft, left_out: Counter[str]) -> None:
    texts = []
    for child in draft.element.iterchildren():
        name = local(child)
        if name == "title":
            draft.title = " ".join(filter(None, [draft.title, render_line(child, left_out)]))
        elif name == "text":
            texts.append(render(child, left_out))
        elif name == "excerpt":
            draft.excerpt = "\n".join(
                filter(None, (render(text, Counter()) for text in child.iterfind("{*}highlight/{*}text")))
            )
    draft.text = "\n".join(filter(None, texts))


def _is_boxed_warning(draft: _Draft, above: _Draft | None) -> bool:
    """Whether a section of that code is one: labels also box dosages and notices about packaging with it.

    It is one at the top of the document, among the warnings, or where its title
    or its opening says so.
    """
    if above is None or above.code in WARNINGS:
        return True
    return bool(_SAYS_WARNING.search(draft.title) or _SAYS_WARNING.search(draft.text[:_OPENING_CHARS]))


def _code(own: str | None, above: _Draft | None, *, boxed: bool) -> str | None:
    says_nothing = own in {None, UNCLASSIFIED} or (own == BOXED_WARNING and not boxed)
    if not says_nothing:
        return own
    inherited = above.code if above else None
    if inherited is None and own == BOXED_WARNING:
        return UNCLASSIFIED
    return inherited or own
