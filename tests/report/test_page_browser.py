# SPDX-License-Identifier: Apache-2.0
"""Pages as a browser has them: nothing overflows, dark is dark, all is printed, tables sort."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import pytest
import studies
from browser import Browser
from studies import HOSTILE

from lydite.report import bench_page, html

pytestmark = pytest.mark.native
# LYDITE_PICTURES=FOLDER keeps the pictures, to be looked at.
_KEPT = os.environ.get("LYDITE_PICTURES")

# All that is wider than the page and lies in no box that scrolls.
_TOO_WIDE = """
const room = root.clientWidth;
const scrolls = (element) => {
  for (let at = element; at; at = at.parentElement) {
    if (["auto", "scroll"].includes(view.getComputedStyle(at).overflowX)) return true;
  }
  return false;
};
const wide = [...page.body.querySelectorAll("*")].filter(
  (each) => each.getBoundingClientRect().right > room + 1 && !scrolls(each));
return { page: root.scrollWidth, room, wide: wide.map((each) => each.outerHTML.slice(0, 200)) };
"""
_COLOURS = """
const paper = view.getComputedStyle(page.body).backgroundColor;
const colours = new Set();
const texts = "p, th, td, a:not(svg a), summary, dt, dd, h1, h2, i, svg text";
for (const each of page.querySelectorAll(texts)) {
  const style = view.getComputedStyle(each);
  colours.add(each.closest("svg") ? style.fill : style.color);
}
for (const each of page.querySelectorAll("svg use, svg path")) {
  const { fill } = view.getComputedStyle(each);
  if (each.closest(".mark") && !each.closest("defs") && fill !== "none") colours.add(fill);
}
return { paper, colours: [...colours] };
"""
_SORTED = """
const table = page.getElementById("sha3-256-hardware");
const column = (place) => [...table.tBodies[0].rows].map((row) => row.cells[place].textContent);
const heads = [...table.tHead.rows[0].cells];
const place = heads.findIndex((head) => head.textContent.includes("kLUT"));
const found = [column(0)];
for (let press = 0; press < 3; press++) {
  heads[place].querySelector("button").click();
  found.push([heads[place].getAttribute("aria-sort"), ...column(0)]);
}
return found;
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    return Browser(tmp_path_factory.mktemp("browser"))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the file of a bench."""
    found = studies.bench_table()
    made = bench_page.page([found], studies.records(found), ("lydite", "bench", "sha3-256"))
    path = tmp_path_factory.mktemp("bench") / "bench.html"
    path.write_text(html.render(made), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the file of a page with hostile names in all its places."""
    path = tmp_path_factory.mktemp("hostile") / "hostile.html"
    path.write_text(html.render(studies.study(HOSTILE)), encoding="utf-8")
    return path


@pytest.fixture(params=["bench", "hostile"])
def page(request: pytest.FixtureRequest) -> Path:
    """Give each of the two."""
    path: Path = request.getfixturevalue(request.param)
    return path


def pixels(png: bytes) -> tuple[int, int, set[bytes]]:
    """Give width, height and some of the rows of a PNG, as they are packed."""
    width, height = struct.unpack(">II", png[16:24])
    data, at = b"", 8
    while at < len(png):
        [length] = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += 12 + length
    raw = zlib.decompress(data)
    step = len(raw) // height
    return width, height, {raw[place : place + step] for place in range(0, len(raw), step)}


def light(colour: str) -> float:
    """Give the relative luminance of `rgb(r, g, b)` (WCAG 2.1)."""
    parts = [int(part) / 255 for part in colour.strip("rgb()").split(",")[:3]]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("width", [1400, 400])
def test_nothing_overflows(browser: Browser, page: Path, width: int) -> None:
    found = browser.ask(page, _TOO_WIDE, width=width)
    assert found == {"page": width, "room": width, "wide": []}


@pytest.mark.parametrize("width", [1400, 400])
def test_a_picture_shows_it(browser: Browser, page: Path, width: int, tmp_path: Path) -> None:
    path = Path(_KEPT or tmp_path) / f"{page.stem}-{width}.png"
    shown, height, rows = pixels(browser.picture(page, path, width=width))
    assert shown == max(width, 500) and height > 1000
    assert len(rows) > height // 8, "the picture is empty"


@pytest.mark.parametrize("dark", [False, True])
def test_all_texts_and_marks_stand_out(browser: Browser, page: Path, dark: bool) -> None:
    found = browser.ask(page, _COLOURS, width=1400, dark=dark)
    assert (light(found["paper"]) < 0.05) == dark
    assert len(found["colours"]) >= 4
    for colour in found["colours"]:
        assert contrast(colour, found["paper"]) >= 4.5, colour


def test_pictures_are_dark_where_that_is_asked(
    browser: Browser, page: Path, tmp_path: Path
) -> None:
    path = Path(_KEPT or tmp_path) / f"{page.stem}-dark.png"
    browser.picture(page, path, width=1400, dark=True)
    assert path.stat().st_size > 10_000


def test_it_can_be_printed(browser: Browser, page: Path, tmp_path: Path) -> None:
    pdf = browser.printed(page, Path(_KEPT or tmp_path) / f"{page.stem}.pdf")
    assert pdf.startswith(b"%PDF-")
    assert 1 <= pdf.count(b"/Type /Page\n") <= 12


def test_tables_sort_up_and_down_and_back(browser: Browser, bench: Path) -> None:
    found = browser.ask(bench, _SORTED, width=1400)
    rising = ["slices-4", "hls-stream", "rtl", "wires"]  # `wires` is infinite
    first = ["rtl", "hls-stream", "slices-4", "wires"]
    assert found == [first, ["ascending", *rising], ["descending", *rising[::-1]], [None, *first]]


def test_no_script_runs_but_ours(browser: Browser, page: Path) -> None:
    script = (
        "let ran = false; view.alert = () => { ran = true; };"
        "const other = page.createElement('script'); other.textContent = 'window.injected = 1';"
        "page.body.append(other); await wait();"
        "return [ran, view.injected === undefined, page.querySelectorAll('script').length];"
    )
    assert browser.ask(page, script, width=1400) == [False, True, 2]


def test_a_link_to_a_folded_run_shows_it(browser: Browser, bench: Path) -> None:
    script = (
        "const link = page.querySelector('a.from'); link.click(); await wait();"
        "const row = page.querySelector(link.getAttribute('href'));"
        "return [row.tagName, row.closest('details').open, row.matches(':target')];"
    )
    assert browser.ask(bench, script, width=1400) == ["TR", True, True]
