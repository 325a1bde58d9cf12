"""The narrative blocks of a label as readable lines: paragraphs, lists, tables, footnotes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from graph_loader.sources.spl.document import Element, local
from graph_loader.sources.spl.lines import Lines, one_line
from graph_loader.sources.spl.tables import write_table

_BLOCKS = frozenset({"paragraph", "text", "caption", "highlight", "p", "div"})
_EXPONENT_OR_NOTE = re.compile(r"[-−–+]?\d.*|[a-z](?:,\s?[a-z])*[*†‡§]*")
_ROMAN = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def render(element: Element, left_out: Counter[str]) -> str:
    """The text inside `element`, one line a block; images are counted in `left_out`."""
    out = Lines(left_out=left_out)
    _write_children(element, out)
    out.end_notes()
    return "\n".join(out.lines)


def render_line(element: Element, left_out: Counter[str]) -> str:
    """The text inside `element` on one line, as for titles."""
    return one_line(render(element, left_out))


def _write_children(element: Element, out: Lines) -> None:
    """Write the element's text and children, without what follows the element."""
    out.write(element.text)
    for child in element.iterchildren():
        _write(child, out)
        out.write(child.tail)


def _write(element: Element, out: Lines) -> None:
    name = local(element)
    if name in _BLOCKS:
        out.end_line()
        _write_children(element, out)
        out.end_line()
    elif name == "br":
        out.end_line()
    elif name == "list":
        _write_list(element, out)
    elif name == "table":
        write_table(element, out, _write_children)
    elif name in {"sup", "footnote", "footnoteRef"}:
        _write_raised(name, element, out)
    elif name == "renderMultiMedia":
        out.left_out["image"] += 1
        _write_children(element, out)
    else:
        _write_children(element, out)


def _write_raised(name: str, element: Element, out: Lines) -> None:
    if name == "sup":
        raised = one_line("".join(element.itertext()))
        # 10<sup>6</sup> must not become 106, nor Pain<sup>b</sup> a word of its own
        if out.ends_in_word and _EXPONENT_OR_NOTE.fullmatch(raised):
            out.write("^")
        _write_children(element, out)
    elif name == "footnote":
        number = out.number(element.get("ID"))
        out.write(f" [{number}]")
        inside = out.inside()
        _write_children(element, inside)
        inside.end_line()
        note = one_line(" ".join(inside.lines))
        if note:
            out.notes.append((number, note))
    elif element.get("IDREF"):
        out.write(f" [{out.number(element.get('IDREF'))}] ")


def _write_list(element: Element, out: Lines) -> None:
    out.end_line()
    markers = _markers(element)
    for child in element.iterchildren():
        if local(child) == "item":
            caption = next(child.iterchildren("{*}caption"), None)
            own = one_line("".join(caption.itertext())) if caption is not None else ""
            counted = next(markers)
            before = out.enter_item(f"{own or counted} ")
            out.write(child.text)
            for inner in child.iterchildren():
                if inner is not caption:
                    _write(inner, out)
                out.write(inner.tail)
            out.leave_item(before, keep_marker=bool(own))
        else:
            _write(child, out)
        out.write(child.tail)
        out.end_line()


def _markers(element: Element) -> Iterator[str]:
    """List markers without end: dashes, or numbers in the style that the list asks for."""
    style = element.get("styleCode") or ""
    number = 0
    while True:
        number += 1
        if element.get("listType") != "ordered":
            yield "-"
        elif "Alpha" in style:
            letter = chr(ord("a") + (number - 1) % 26)
            yield f"{letter.upper() if 'Big' in style else letter}."
        elif "Roman" in style:
            numeral = _roman(number)
            yield f"{numeral.upper() if 'Big' in style else numeral}."
        else:
            yield f"{number}."


def _roman(number: int) -> str:
    numeral = "x" * (min(number, 39) // 10)
    rest = min(number, 39) % 10
    for value, letters in _ROMAN[1:]:
        while rest >= value:
            numeral += letters
            rest -= value
    return numeral
