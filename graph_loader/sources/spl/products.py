"""Names of a label: products, their generic names, active ingredients with UNII, pharmacologic classes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph_loader.labels import Ingredient, Product, Substance, SubstanceClass
from graph_loader.sources.spl.document import Element

_UNII_SYSTEM = "2.16.840.1.113883.4.9"
_NDC_SYSTEM = "2.16.840.1.113883.6.69"
_UNII = re.compile(r"[0-9A-Z]{10}")
_CLASS_KIND = re.compile(r"(.+?)\s*\[([^\[\]]+)\]")


def read_products(root: Element) -> tuple[Product, ...]:
    """Every product that the document is about, the parts of a kit after the kit."""
    return tuple(
        product
        for outer in root.iterfind(".//{*}subject/{*}manufacturedProduct")
        for product in _product(_inner(outer), _routes(outer), kit=None)
    )


def read_classes(root: Element) -> tuple[SubstanceClass, ...]:
    """Pharmacologic classes of the substances that an indexing document is about."""
    return tuple(
        found
        for outer in root.iterfind(".//{*}subject/{*}identifiedSubstance")
        for found in _classes(_first(outer, "identifiedSubstance"))
    )


def text_of(element: Element | None) -> str:
    """All text inside the element on one line."""
    return "" if element is None else " ".join(" ".join(element.itertext()).split())


def _product(product: Element, routes: tuple[str, ...], kit: str | None) -> Iterator[Product]:
    name = text_of(product.find("{*}name"))
    generics = tuple(
        generic
        for found in product.iterfind("{*}asEntityWithGeneric/{*}genericMedicine/{*}name")
        if (generic := text_of(found))
    )
    ingredients = tuple(_ingredients(product))
    # Row 34 of the field's reports: labels without a product name are found by what is in them.
    shown = name or next(iter(generics), "") or next((each.substance.name for each in ingredients), "")
    if shown or ingredients:
        yield Product(
            name=shown,
            generics=generics,
            ndc=_code(product, _NDC_SYSTEM),
            form=_display(product.find("{*}formCode")),
            routes=routes,
            ingredients=ingredients,
            kit=kit,
        )
    for part in product.iterchildren("{*}part"):
        inner = _first(part, "partProduct", "partMedicine")
        yield from _product(inner, _routes(part), kit=shown or kit or "kit")


def _ingredients(product: Element) -> Iterator[Ingredient]:
    for ingredient in product.iterchildren("{*}ingredient", "{*}activeIngredient"):
        kind = ingredient.get("classCode") or ""
        if not kind.startswith("ACTI") and not ingredient.tag.endswith("activeIngredient"):
            continue
        inner = _first(ingredient, "ingredientSubstance", "activeIngredientSubstance")
        substance = _substance(inner)
        if substance is not None:
            moieties = (
                _substance(_first(moiety, "activeMoiety")) for moiety in inner.iterchildren("{*}activeMoiety")
            )
            yield Ingredient(substance, _strength(ingredient), tuple(filter(None, moieties)))


def _classes(substance: Element) -> Iterator[SubstanceClass]:
    of = _substance(substance)
    if of is None:
        return
    for code in substance.iterfind("{*}asSpecializedKind/{*}generalizedMaterialKind/{*}code"):
        shown = _display(code)
        if code.get("code") and shown:
            parts = _CLASS_KIND.fullmatch(shown)
            name, kind = (parts[1], parts[2]) if parts else (shown, None)
            yield SubstanceClass(of, code.get("code"), name, kind)


def _substance(element: Element) -> Substance | None:
    name = text_of(element.find("{*}name"))
    unii = _code(element, _UNII_SYSTEM)
    if unii is not None and not _UNII.fullmatch(unii):
        unii = None
    return Substance(name or unii or "", unii) if name or unii else None


def _strength(ingredient: Element) -> str | None:
    """As `10 mg / 1 mL`; a denominator of one piece is left out."""
    sides = []
    for side in ("numerator", "denominator"):
        found = ingredient.find(f"{{*}}quantity/{{*}}{side}")
        value, unit = (found.get("value"), found.get("unit")) if found is not None else (None, None)
        sides.append((value or "", "" if unit in {None, "1"} else unit))
    (value, unit), denominator = sides
    if not value:
        return None
    strength = f"{value} {unit}".strip()
    return (
        strength if denominator in {("", ""), ("1", "")} else f"{strength} / {' '.join(denominator).strip()}"
    )


def _routes(outer: Element) -> tuple[str, ...]:
    found = outer.iterfind("{*}consumedIn/{*}substanceAdministration/{*}routeCode")
    return tuple(dict.fromkeys(route for code in found if (route := _display(code))))


def _display(code: Element | None) -> str | None:
    shown = None if code is None else " ".join((code.get("displayName") or "").split())
    return shown or None


def _code(element: Element, system: str) -> str | None:
    """The code of the element if it is of that system; a blank system is taken for it."""
    code = element.find("{*}code")
    if code is None or (code.get("codeSystem") or "").strip() not in {"", system}:
        return None
    return (code.get("code") or "").strip() or None


def _inner(outer: Element) -> Element:
    return _first(outer, "manufacturedProduct", "manufacturedMedicine")


def _first(element: Element, *names: str) -> Element:
    """The first child of one of these names, else the element itself."""
    return next(element.iterchildren(*(f"{{*}}{name}" for name in names)), element)
