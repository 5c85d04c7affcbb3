# SPDX-License-Identifier: Apache-2.0
"""Figures: everything is drawn or said not to be, told in words, linked, and always the same."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest
import studies

from lydite.report import figures
from lydite.report.page import (
    Axis,
    Bar,
    Bars,
    Figure,
    Line,
    Lines,
    Page,
    Point,
    Ratio,
    Scatter,
    Section,
    Slope,
    Slopes,
    Strip,
    Strips,
    origin,
)
from lydite.report.svg import PLAIN

LOG, LINEAR = Axis("area", "LUT4", is_log=True), Axis("rate", "MB/s")
KEY = studies.key("1")
FIGURES: tuple[Figure, ...] = (
    Scatter(
        "T", "about", LOG, LOG, (Point("a", 10, 20, "s", KEY), Point("b", 100, 50, "t")),
        Ratio("u", 1000),
    ),
    Strips("T", "about", LINEAR, (Strip("a", (1, 2, 4), (KEY, "", "")), Strip("b", (3,)))),
    Bars("T", "about", LINEAR, (Bar("a", 3, 2, 4, key=KEY), Bar("b", 1))),
    Lines("T", "about", LOG, LOG, (Line("a", ((1, 2), (9, 3)), key=KEY), Line("b", ((1, 5),)))),
    Slopes("T", "about", ("r", "h"), (Slope("a", 1, 2, key=KEY), Slope("b", 2, 1))),
)  # fmt: skip


def page_of(*shown: Figure) -> Page:
    return Page("t", "s", (Section("one", shown[:1]), Section("two", shown[1:])), origin([], []))


def test_files_of_a_page_are_told_apart() -> None:
    empty = Bars("Empty", "about", LINEAR, ())
    found = dict(figures.files(page_of(*FIGURES, empty)))
    assert list(found) == [
        f"t{n}.{form}" for n in ("", "-2", "-3", "-4", "-5") for form in ("png", "svg")
    ]
    assert all(found[name].startswith(b"\x89PNG") for name in found if name.endswith("png"))
    # A file has no style that could give variables their colours.
    for name in found:
        assert not any(mark.encode() in found[name] for mark in PLAIN)
    texts = "".join(ET.fromstring(found["t-4.svg"]).itertext())
    assert {"T", "area", "a", "b"} <= set(re.findall(r"\w+", texts))


def drawn(figure: Figure) -> ET.Element:
    return ET.fromstring(figures.draw(figure, name="f"))


def titles(root: ET.Element) -> list[str]:
    return [title.text or "" for title in root.iter("title")][1:]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: type(figure).__name__)
def test_marks_have_titles_and_links(figure: Figure) -> None:
    root = drawn(figure)
    assert {title.partition(":")[0] for title in titles(root)} == {"a", "b"}
    assert {link.get("href") for link in root.iter("a")} == {f"#run-{KEY[:12]}"}
    words = {word for text in root.iter("text") for word in "".join(text.itertext()).split()}
    assert {"a", "b"} <= words
    assert figures.left_out(figure) == () and figures.is_drawable(figure)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: type(figure).__name__)
def test_a_figure_is_told_in_words(figure: Figure) -> None:
    root = drawn(figure)
    named = {element.get("id"): element for element in root.iter() if element.get("id")}
    title, about = (named[name] for name in root.attrib["aria-labelledby"].split())
    assert (title.tag, title.text, about.tag, about.text) == ("title", "T", "desc", "about")


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: type(figure).__name__)
def test_names_are_the_figures_own_and_all_are_used(figure: Figure) -> None:
    text = figures.draw(figure, name="figure-7")
    ids = re.findall(r' id="([^"]*)"', text)
    assert len(ids) == len(set(ids)) and all(name.startswith("figure-7-") for name in ids)
    used = re.findall(r'(?:href="|url\()#(figure[^")]*)', text)
    assert set(used) <= set(ids)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: type(figure).__name__)
def test_colours_are_of_the_page(figure: Figure) -> None:
    text = figures.draw(figure, name="f")
    assert "#1234" not in text
    # Each colour is a variable with a colour for where there is none.
    bare = re.sub(r"var\(--[a-z0-9-]+, #[0-9a-f]+\)", "", text)
    assert not re.findall(r"#[0-9a-f]{6}\b", re.sub(r"#run-\w+|#f-\w+", "", bare))
    assert "font-family" not in text and "<style" not in text and "<metadata" not in text


def test_the_same_figure_is_the_same_bytes_in_another_process() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); sys.path.insert(0, sys.argv[2])\n"
        "import test_figures as t\n"
        "print(''.join(t.figures.draw(f, name='f') for f in t.FIGURES))"
    )
    folders = [__file__.rpartition("/")[0], studies.__file__.rpartition("/")[0]]
    argv = [sys.executable, "-c", code, *folders]
    other = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    assert other == "".join(figures.draw(figure, name="f") for figure in FIGURES) + "\n"


def test_settings_of_the_user_change_nothing() -> None:
    import matplotlib

    before = figures.draw(FIGURES[0], name="f")
    with matplotlib.rc_context({"lines.linewidth": 9, "font.size": 30, "svg.hashsalt": "x"}):
        assert figures.draw(FIGURES[0], name="f") == before
        assert matplotlib.rcParams["font.size"] == 30


def test_what_cannot_be_drawn_is_named() -> None:
    points = (Point("a", 0, 1), Point("b", 1, math.inf), Point("c", 1, 1))
    scatter = Scatter("", "", LOG, LOG, points)
    assert figures.left_out(scatter) == ("a", "b")
    assert titles(drawn(scatter)) == ["c: 1.000 LUT4, 1.000 LUT4"]
    lines = Lines("", "", LINEAR, LOG, (Line("a", ((0, 0),)), Line("b", ((0, 1), (1, 0)))))
    assert figures.left_out(lines) == ("a",)
    assert figures.left_out(Strips("", "", LINEAR, (Strip("a", ()),))) == ("a",)
    bars = Bars("", "", LINEAR, (Bar("a", math.nan), Bar("b", -1)))
    assert figures.left_out(bars) == ("a",)
    drawn(bars)


@pytest.mark.parametrize(
    "figure",
    [
        Scatter("", "", LOG, LOG, ()),
        Scatter("", "", LOG, LOG, (Point("a", 0, 0),)),
        Strips("", "", LINEAR, ()),
        Bars("", "", LINEAR, (Bar("a", math.inf),)),
        Lines("", "", LINEAR, LINEAR, (Line("a", ()),)),
    ],
)
def test_of_nothing_there_is_no_figure(figure: Figure) -> None:
    assert not figures.is_drawable(figure)


@pytest.mark.parametrize("value", [0.0, 1.0, 1e-9, 1e300])
def test_one_value_has_an_axis(value: float) -> None:
    drawn(Strips("", "", LINEAR, (Strip("a", (value, value)),)))
    drawn(Bars("", "", LINEAR, (Bar("a", value),)))


def test_equal_ratios_are_named_where_their_lines_end() -> None:
    texts = {"".join(text.itertext()) for text in drawn(FIGURES[0]).iter("text")}
    assert {"500", "1000", "2000", "u"} <= texts
    assert titles(drawn(FIGURES[0]))[0] == "a: 10.00 LUT4, 20.00 LUT4, 2000 u"


def test_a_series_has_one_colour_and_one_shape() -> None:
    assert figures.series(FIGURES[0]) == ("s", "t")
    text = figures.draw(FIGURES[0], name="f")
    assert "var(--series-1" in text and "var(--series-2" in text and "var(--series-3" not in text


def test_labels_avoid_each_other() -> None:
    points = tuple(Point(f"design-{n}", 100 + n, 100) for n in range(6))
    root = drawn(Scatter("", "", LOG, LOG, points))
    places = {
        (text.get("x"), text.get("y"))
        for text in root.iter("text")
        if "design" in (text.text or "")
    }
    assert len(places) == 6


def test_a_label_without_room_is_left_away_and_those_of_the_last_points_are_not() -> None:
    points = tuple(Point(f"design-{n}", 100 + n / 100, 100) for n in range(60))
    root = drawn(Scatter("", "", LOG, LOG, points))
    shown = [t.text for t in root.iter("text") if "design" in (t.text or "")]
    assert 10 < len(shown) < 60
    assert "design-59" in shown and "design-0" not in shown
    for n in range(60):
        assert sum(f"design-{n}:" in title for title in titles(root)) == 1


def test_drawing_is_imported_only_by_who_draws() -> None:
    code = (
        "import sys, lydite.cli.bench, lydite.report.html, lydite.report.latex\n"
        "import lydite.report.bench_page, lydite.report.figures\n"
        "sys.exit('matplotlib' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
