"""Records of a drug label, whichever source it was read from, and its passages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from biomolkg.names import name_key
from graph_loader.passages import PASSAGE_CHARS, split_passages

TITLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class Substance:
    """A substance by name and FDA's UNII, if it has one."""

    name: str
    unii: str | None = None


@dataclass(frozen=True, slots=True)
class Ingredient:
    """An active ingredient as it is in the product, and the moieties that act."""

    substance: Substance
    strength: str | None = None
    moieties: tuple[Substance, ...] = ()


@dataclass(frozen=True, slots=True)
class Product:
    """A product that a label is about; `kit` is the name of the kit that it is a part of."""

    name: str
    generics: tuple[str, ...] = ()
    ndc: str | None = None
    form: str | None = None
    routes: tuple[str, ...] = ()
    ingredients: tuple[Ingredient, ...] = ()
    kit: str | None = None


@dataclass(frozen=True, slots=True)
class SubstanceClass:
    """A pharmacologic class of a substance: `kind` is EPC, MoA, PE or Chemical/Ingredient."""

    substance: Substance
    code: str
    name: str
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a label, in document order; `position` counts from 0, `parent` is a position.

    `own_code` is the LOINC code that the file gives; `code` is what the section
    counts as: its own, or its nearest coded ancestor's where its own says nothing
    (42229-5, none) or says what it is not (a boxed warning around a dosage).
    `path` are the titles from the outermost section to this one.
    """

    position: int
    parent: int | None
    own_code: str | None
    code: str | None
    topic: str | None
    title: str
    path: tuple[str, ...]
    text: str
    boxed: bool = False


@dataclass(frozen=True, slots=True)
class LabelPassage:
    """A part of one section of a label.

    `source` traces it: reader, set id, version, section. `document` is the
    identity of the section's whole text, `position` counts the section's passages
    from 0, `title` is the title path joined by " > ", `section_title` its last part.
    """

    text: str
    title: str
    section_title: str
    code: str | None
    own_code: str | None
    topic: str | None
    boxed: bool
    source: str
    document: str
    position: int


@dataclass(frozen=True, slots=True)
class Label:
    """A drug label.

    `title` is the document's own, often empty or a standing phrase; `name` is
    what to show. `kind` is the document type (LOINC name). `effective` is an ISO
    date of the precision given (2013, 2013-09 or 2013-09-30). `left_out` counts
    the parts of the document that are not in its sections, by reason.
    """

    reader: str
    set_id: str
    version: int | None
    effective: str | None
    title: str
    kind: str | None = None
    kind_code: str | None = None
    document_id: str | None = None
    maker: str | None = None
    products: tuple[Product, ...] = ()
    classes: tuple[SubstanceClass, ...] = ()
    sections: tuple[Section, ...] = ()
    left_out: Counter[str] = field(default_factory=Counter)
    namespace: str = "dailymed"

    @property
    def id(self) -> str:
        """The label's CURIE; texts without a set id are named by their drug in `label.text`."""
        return f"{self.namespace}:{self.set_id}"

    @property
    def name(self) -> str:
        """The first of: product, generic, substance, title, document type, set id."""
        candidates = [*self.product_names, *self.generic_names]
        candidates += [substance.name for substance in self.substances]
        return next(filter(None, [*candidates, self.title, self.kind or ""]), self.set_id)

    @property
    def product_names(self) -> tuple[str, ...]:
        """Names of the products that have an active ingredient (of all, when none has), each once."""
        active = [product for product in self.products if product.ingredients or product.kit is None]
        return _once(product.name for product in active or self.products)

    @property
    def generic_names(self) -> tuple[str, ...]:
        """Generic names of the same products, each once."""
        active = [product for product in self.products if product.ingredients or product.kit is None]
        return _once(name for product in active or self.products for name in product.generics)

    @property
    def substances(self) -> tuple[Substance, ...]:
        """Active ingredients, their moieties and classified substances, each once, the ingredients first."""
        found = [ingredient.substance for product in self.products for ingredient in product.ingredients]
        found += [
            moiety
            for product in self.products
            for ingredient in product.ingredients
            for moiety in ingredient.moieties
        ]
        found += [classed.substance for classed in self.classes]
        return tuple(dict.fromkeys(found))

    def passages(self, *, limit: int = PASSAGE_CHARS, overlap: int = 0) -> Iterator[LabelPassage]:
        """The sections' texts in passages of at most `limit` characters; none crosses a section."""
        for section in self.sections:
            source = f"{self.reader}:{self.set_id}:{self.version or 0}:{section.position}"
            title = " > ".join(section.path) or (section.topic or "")
            section_title = section.path[-1] if section.path else title
            for chunk in split_passages(section.text, limit=limit, overlap=overlap):
                yield LabelPassage(
                    text=chunk.text,
                    title=title,
                    section_title=section_title,
                    code=section.code,
                    own_code=section.own_code,
                    topic=section.topic,
                    boxed=section.boxed,
                    source=source,
                    document=f"{self.id}#{section.position}",
                    position=chunk.position,
                )


def short_title(title: str) -> str:
    """A title as title paths show it: at most TITLE_CHARS characters, cut between words."""
    if len(title) <= TITLE_CHARS:
        return title
    return title[: TITLE_CHARS - 1].rsplit(None, 1)[0] + "…"


def _once(names: Iterator[str]) -> tuple[str, ...]:
    """The names that are not empty, each once whatever its spelling, in order."""
    seen: dict[str, str] = {}
    for name in names:
        if name:
            seen.setdefault(name_key(name) or name, name)
    return tuple(seen.values())
