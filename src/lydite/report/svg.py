# SPDX-License-Identifier: Apache-2.0
"""SVG as matplotlib writes it, made fit to stand inside a page.

Fixed colours become variables of the page's style, names its own, fonts those of the page; marks
get titles and links. What only a file of its own needs goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree import ElementTree as ET

_SVG = "http://www.w3.org/2000/svg"
_LINK = "http://www.w3.org/1999/xlink"
# Height of letters in units of the drawing.
FONT = 12.0
# A wide letter, in units: no text is wider than its letters times this.
LETTER = 0.6 * FONT
# Colours that stand for variables of the style, and what they are where there is no style.
INK, SOFT, GRID, PAPER = "#123401", "#123402", "#123403", "#123404"
SERIES = ("#123411", "#123412", "#123413", "#123414", "#123415", "#123416")
_VARIABLES = {
    INK: "var(--ink, #1b1f24)",
    SOFT: "var(--soft, #5a636e)",
    GRID: "var(--grid, #e3e7ec)",
    PAPER: "var(--paper, #fff)",
    SERIES[0]: "var(--series-1, #1f6fd0)",
    SERIES[1]: "var(--series-2, #c2500a)",
    SERIES[2]: "var(--series-3, #18794e)",
    SERIES[3]: "var(--series-4, #8a3fc4)",
    SERIES[4]: "var(--series-5, #b0246a)",
    SERIES[5]: "var(--series-6, #6b6b00)",
}
# The same colours where no page has a style.
PLAIN = {mark: text.rpartition(", ")[2].rstrip(")") for mark, text in _VARIABLES.items()}
_FONT = re.compile(r"font-family: [^;]*;? ?")
_COLOUR = re.compile("|".join(_VARIABLES))
_TO_ID = re.compile(r"url\(#([^)]+)\)")


@dataclass(frozen=True, slots=True)
class Mark:
    """What a group of the drawing is: its id there, a title, the key of the record behind it."""

    gid: str
    title: str
    key: str = ""


def anchor(key: str) -> str:
    """Give the id on a page of what is said of a record."""
    return f"run-{key[:12]}"


def inline(text: str, *, name: str, title: str, about: str, marks: Iterable[Mark]) -> str:
    """Give the `svg` element of a drawing.

    Parameters
    ----------
    text : str
        A whole SVG file.
    name : str
        All ids begin with it.
    title, about : str
        For those who cannot see it: what it is, and what is to be seen.
    """
    root = ET.fromstring(text)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"):
                parent.remove(child)
    wanted = {mark.gid: mark for mark in marks}
    used = _used(root)
    for element in root.iter():
        _own(element, name, keep=used | wanted.keys())
    _mark(root, name, wanted)
    return _written(root, name, title, about)


def _used(root: ET.Element) -> set[str]:
    """Give the ids that something refers to."""
    found: set[str] = set()
    for element in root.iter():
        for attribute, value in element.items():
            if attribute == f"{{{_LINK}}}href":
                found.add(value.removeprefix("#"))
            found.update(_TO_ID.findall(value))
    return found


def _own(element: ET.Element, name: str, *, keep: set[str]) -> None:
    """Give an element's ids the page's form, its colours and fonts the page's own."""
    for attribute, value in list(element.items()):
        if attribute == "id":
            if value in keep:
                element.set("id", f"{name}-{value}")
            else:
                del element.attrib["id"]
        elif attribute == f"{{{_LINK}}}href":
            del element.attrib[attribute]
            element.set("href", f"#{name}-{value.removeprefix('#')}")
        else:
            value = _TO_ID.sub(lambda found: f"url(#{name}-{found[1]})", value)
            if attribute == "style":
                value = _FONT.sub("", value)
            element.set(attribute, _COLOUR.sub(lambda found: _VARIABLES[found[0]], value))


def _mark(root: ET.Element, name: str, marks: dict[str, Mark]) -> None:
    """Give the marks their titles and links."""
    for parent in list(root.iter()):
        for index, child in enumerate(list(parent)):
            mark = marks.get(child.get("id", "").removeprefix(f"{name}-"))
            if mark is None:
                continue
            title = ET.Element(f"{{{_SVG}}}title")
            title.text = mark.title
            child.insert(0, title)
            child.set("class", "mark")
            if mark.key:
                link = ET.Element(f"{{{_SVG}}}a", {"href": f"#{anchor(mark.key)}"})
                parent.remove(child)
                parent.insert(index, link)
                link.append(child)


def _written(root: ET.Element, name: str, title: str, about: str) -> str:
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    root.set("role", "group")  # an image could hold no links
    root.set("aria-labelledby", f"{name}-title {name}-about")
    for place, (tag, text) in enumerate((("title", title), ("desc", about))):
        told = ET.Element(f"{{{_SVG}}}{tag}", {"id": f"{name}-{'title' if not place else 'about'}"})
        told.text = text
        root.insert(place, told)
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{_SVG}}}")
        if element.tag not in ("text", "title", "desc", "tspan"):
            element.text = element.text if element.text and element.text.strip() else None
        element.tail = "\n" if element.tail and "\n" in element.tail else None
    # HTML knows what an svg element is: no name space is needed, and no prefix may stand.
    return ET.tostring(root, encoding="unicode")
