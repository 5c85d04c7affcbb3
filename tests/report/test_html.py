# SPDX-License-Identifier: Apache-2.0
"""Pages: whole without a script, the same each time, and safe whatever things are named."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
import studies
from studies import HOSTILE

from lydite.report import html
from lydite.report.page import Page, Prose, Section, Tabled, origin, slug
from lydite.report.table import Column, Table, figure

# Elements without an end.
_VOID = {"meta", "br"}


class Elements(HTMLParser):
    """All elements with their attributes, checked to be nested; all texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def of(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.fixture(scope="module")
def hostile() -> tuple[str, Elements]:
    page = html.render(studies.study(HOSTILE))
    return page, Elements(page)


def of_table(table: Table, **values: object) -> str:
    part = Tabled("t", table, **values)  # type: ignore[arg-type]
    return html.render(Page("T", "", (Section("S", (part,)),), origin(("lydite",), ())))


def test_a_hostile_name_is_a_text_in_every_place(hostile: tuple[str, Elements]) -> None:
    page, elements = hostile
    assert page.count("<script") == 1 and len(elements.of("script")) == 1
    tags = {tag for tag, _ in elements.found}
    assert not tags & {"link", "img", "iframe", "object", "embed", "base", "form", "b>"}
    assert not any(key.startswith("on") for _, a in elements.found for key in a)
    # Not only the texts: captions, titles and labels of figures have it whole.
    shown = "".join(elements.texts)
    assert shown.count(HOSTILE) > 25
    assert HOSTILE in elements.of("div")[0].get("aria-label", HOSTILE)
    for tag in ("title", "desc", "caption", "figcaption", "h1", "h2", "th", "td", "dd", "text"):
        assert tag in tags


def test_the_same_study_is_the_same_page(hostile: tuple[str, Elements]) -> None:
    assert html.render(studies.study(HOSTILE)) == hostile[0]


def test_names_lead_somewhere_and_are_unique(hostile: tuple[str, Elements]) -> None:
    _, elements = hostile
    ids = [a["id"] for _, a in elements.found if "id" in a]
    assert len(ids) == len(set(ids))
    targets = [a["href"] for _, a in elements.found if "href" in a]
    assert targets and all(target.startswith("#") for target in targets)
    missing = {target[1:] for target in targets} - set(ids)
    # This study names a key that none of its records has.
    assert missing == {f"run-{studies.key('2')[:12]}"}
    named = " ".join(a.get("aria-labelledby", "") for _, a in elements.found).split()
    assert set(named) <= set(ids)


def test_the_page_needs_nothing_else(hostile: tuple[str, Elements]) -> None:
    page, elements = hostile
    assert not re.search(r"https?://(?!www\.w3\.org)", page)
    assert not any("src" in a for _, a in elements.found)
    [policy] = [a["content"] for a in elements.of("meta") if "http-equiv" in a]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")


def test_tables_can_be_read_aloud(hostile: tuple[str, Elements]) -> None:
    _, elements = hostile
    assert all(a.get("scope") in ("col", "row") for a in elements.of("th"))
    boxes = [a for a in elements.of("div") if a.get("class") == "wide" and "role" in a]
    assert boxes and all(a["role"] == "region" and a["aria-label"] for a in boxes)
    # Who has no mouse can scroll them.
    assert all(a["tabindex"] == "0" for a in boxes)


def test_cells_have_what_they_are_sorted_by() -> None:
    columns = (
        Column("what", "what"),
        figure("rate", "rate", "{:.1f}"),
        Column("from", "from", is_number=True, absent="never"),
        Column("hidden", ""),
    )
    table = Table("A", columns, (("Rtl", 1234.56, None, "h"), ("b", 2.0, 7, "h")))
    cells = re.findall(r'<t[hd][^>]*data-v="([^"]*)">(.*?)</t[hd]>', of_table(table))
    assert [(key, re.sub("<[^>]*>", "", text)) for key, text in cells] == [
        ("rtl", "Rtl"),
        ("1234.56", "1234.6"),
        ("", "never"),
        ("b", "b"),
        ("2.0", "2.0"),
        ("7", "7"),
    ]


def test_figures_are_aligned_at_their_points() -> None:
    table = Table("A", (Column("d", "d"), figure("x", "x", "{}")), (("a", 1.25), ("b", 30)))
    page = of_table(table)
    assert '1<span class="after" style="width:3ch">.25</span>' in page
    assert '30<span class="after" style="width:3ch"></span>' in page


def test_a_figure_leads_to_its_runs() -> None:
    table = Table("A", (Column("d", "d"), figure("x", "x")), (("a", 1), ("b", 2)))
    one, two = studies.key("1"), studies.key("2")
    page = of_table(table, keys=({"x": (one, two)}, {"x": ("",)}))
    assert f'<a class="from" href="#run-{one[:12]}" title="run {one[:12]} and 1 more">1</a>' in page
    assert "<summary>2 runs</summary>" in page
    assert '<td class="n" data-v="2">2</td>' in page


def test_runs_have_their_command() -> None:
    found = studies.bench_table()
    records = list(studies.records(found).values())
    page = html.render(Page("T", "", (), origin(("lydite", "bench", "a b"), records)))
    elements = Elements(page)
    shown = "".join(elements.texts)
    assert "lydite bench 'a b'" in shown
    for record in records:
        assert {"id": f"run-{record.key[:12]}"} in elements.of("tr")
        assert f"lydite show {record.key[:12]} --replay | sh" in shown
    assert "AMD EPYC, 2 processors" in shown and "0.70 (wheel pyosys)" in shown
    # A long list is folded.
    assert '<details class="folded"><summary>26 runs' in page


def test_a_folded_table_is_there_without_a_script() -> None:
    table = Table("Long", (Column("a", "a"),), (("1",), ("2",)))
    page = of_table(table, is_folded=True)
    assert '<details class="folded"><summary>Long: 2 rows</summary>' in page


def test_an_empty_table_and_an_empty_page_are_pages() -> None:
    Elements(of_table(Table("", (Column("a", "a"),), ())))
    made = html.render(Page("T", "", (Section("", (Prose("p"),)),), origin((), ())))
    assert "<p>p</p>" in made and "<h2></h2>" not in made


def test_names_of_tables_are_fit_for_links() -> None:
    assert slug("SHA3-256", "hardware") == "sha3-256-hardware"
    assert slug(HOSTILE) == "script-script-alert-x-script-x-1"
    assert slug("\u4e2d") == "table"
    with pytest.raises(AssertionError, match="no name for a link: 'a b'"):
        Tabled("a b", Table("", (), ()))
    with pytest.raises(AssertionError, match="1 keys for 0 rows"):
        Tabled("a", Table("", (), ()), keys=({},))
