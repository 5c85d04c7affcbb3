# SPDX-License-Identifier: Apache-2.0
"""The page of a compilation: whole, the same each time, and safe whatever the C is named."""

from __future__ import annotations

import dataclasses
from html.parser import HTMLParser

import pytest

from lydite import hls
from lydite.report import hls_page

HOSTILE = """
// </script><b id="injected">
int f(int n) { int total = 0; for (int i = 0; i < 4; i++) total += n * i; return total; }
int main(void) { return f(2) != 12; }
"""


class _Tags(HTMLParser):
    """Counts opened and closed tags; notes ids."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_endtag(self, tag: str) -> None:
        self.depth += 1


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> hls.Compiled:
    source = tmp_path_factory.mktemp("page") / "hostile.c"
    source.write_text(HOSTILE)
    return hls.compile(hls.Options(sources=(source,), top="f"))


def _page(compiled: hls.Compiled) -> str:
    sources = dict.fromkeys(hls_page.files_named(compiled), HOSTILE)
    return hls_page.page(compiled, None, None, sources, target="ecp5-25k")


def test_every_operation_of_the_schedule_is_drawn(compiled: hls.Compiled) -> None:
    page = _page(compiled)
    for timeline in compiled.timelines:
        assert timeline.function in page
        for op in timeline.ops:
            assert op.where.rpartition(":")[2] in page


def test_text_of_the_c_stays_text(compiled: hls.Compiled) -> None:
    page = _page(compiled)
    tags = _Tags()
    tags.feed(page)
    assert "injected" not in tags.ids
    assert "&lt;/script&gt;" in page
    assert tags.depth > 10


@pytest.mark.parametrize("kinds", [0, 6, 7])
def test_a_long_list_of_units_is_folded(compiled: hls.Compiled, kinds: int) -> None:
    units = tuple((f"unit_{width}", 2) for width in range(kinds))
    function = dataclasses.replace(compiled.report.functions[0], units=units)
    report = dataclasses.replace(compiled.report, functions=(function,))
    page = _page(dataclasses.replace(compiled, report=report))
    assert ("<details><summary>14 of 7 kinds</summary>" in page) == (kinds == 7)
    assert page.count("<b>unit_") == kinds and page.count("</details>") == page.count("<details")


def test_the_same_program_gives_the_same_page(compiled: hls.Compiled) -> None:
    assert _page(compiled) == _page(compiled)


def test_the_page_fetches_nothing(compiled: hls.Compiled) -> None:
    page = _page(compiled)
    assert "http://" not in page.replace("http://www.w3.org/", "")
    assert "https://" not in page


RICH = """
#include <stdint.h>
/* \u00fcber <b>&amp; "quoted" 'single' ${x} {{ y }} */
static uint32_t table[128];
__attribute__((noinline)) static uint32_t step(uint32_t x, uint32_t n) {
  for (uint32_t i = 0; i < (n & 7); i++) x = (x << 5) ^ (x >> 7) ^ i;
  return x;
}
uint32_t f(uint32_t a[64], uint32_t b) {
  uint32_t sum = 0;
  for (uint32_t outer = 0; outer < 8; outer++)
    for (uint32_t inner = 0; inner < 8; inner++) {
      table[(outer * b + inner) & 127] = a[inner] / (b | 1) & 0xff;
      sum += a[outer] < b && table[inner] > 3 ? step(sum, b) : a[inner] * b;
    }
  return sum;
}
"""


class _Elements(HTMLParser):
    """Lists all elements with their attributes, and their own text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> tuple[hls.Compiled, _Elements, str]:
    source = tmp_path_factory.mktemp("page") / "a<b>&'c\".c"
    source.write_text(RICH)
    compiled = hls.compile(hls.Options(sources=(source,), top="f"))
    texts = dict.fromkeys(hls_page.files_named(compiled), RICH)
    page = hls_page.page(compiled, None, None, texts, target="ecp5-85k")
    elements = _Elements()
    elements.feed(page)
    return compiled, elements, page


Rich = tuple[hls.Compiled, _Elements, str]


def _of_class(elements: _Elements, name: str) -> list[dict[str, str]]:
    return [a for _, a in elements.found if name in a.get("class", "").split()]


def test_every_operation_is_drawn_once_with_its_times(rich: Rich) -> None:
    compiled, elements, _ = rich
    drawn = {a["id"]: a for a in _of_class(elements, "o")}
    assert len(drawn) == len(_of_class(elements, "o"))
    wanted = {
        f"f{f}o{number}": op
        for f, timeline in enumerate(compiled.timelines)
        for number, op in enumerate(timeline.ops)
    }
    assert set(drawn) == set(wanted) and len(wanted) > 40
    for name, op in wanted.items():
        times = f"{op.kind} {op.width} {op.start_ns:g} {op.end_ns:g} {op.states}"
        assert drawn[name]["data-t"] == times
        assert drawn[name].get("data-a", "") == " ".join(map(str, op.args))
        text = f"{op.name} = {op.text}" if op.width else op.text
        assert text in elements.texts


def test_critical_chains_are_marked_and_join(rich: Rich) -> None:
    compiled, elements, _ = rich
    for mark in ("critical", "longest"):
        marked = {a["id"] for a in _of_class(elements, "o") if mark in a["class"].split()}
        assert marked == {
            f"f{f}o{number}"
            for f, timeline in enumerate(compiled.timelines)
            for number, op in enumerate(timeline.ops)
            if getattr(op, mark)
        }
        assert marked
    for timeline in compiled.timelines:
        chain = [op for op in timeline.ops if op.longest]
        state = max(timeline.states, key=lambda state: state.chain_ns)
        assert max(op.end_ns for op in chain) == pytest.approx(state.chain_ns)
        begins = [op for op in chain if not any(timeline.ops[arg].longest for arg in op.args)]
        assert len(begins) == 1, "a chain has one start"


def test_loops_and_functions_are_named_with_their_figures(rich: Rich) -> None:
    compiled, elements, page = rich
    names = [loop.name for report in compiled.report.functions for loop in report.loops]
    assert len(names) == 3
    for name in names:
        assert name in elements.texts
        assert f"in {name}</span>" in page
    assert {"f", "step"} <= set(elements.texts)
    rows = _of_class(elements, "loop")
    assert len(rows) >= 3


def test_names_and_text_of_the_c_cannot_become_markup(rich: Rich) -> None:
    _, elements, page = rich
    assert "/* \u00fcber <b>&amp; \"quoted\" 'single' ${x} {{ y }} */" in elements.texts
    assert any(text == "a<b>&'c\".c" for text in elements.texts)
    assert page.count("<script") == 1 and not any(
        "'c" in key for _, a in elements.found for key in a
    )
    assert '<meta charset="utf-8">' in page.lower()


def test_links_lead_to_something_and_ids_are_unique(rich: Rich) -> None:
    _, elements, _ = rich
    ids = [a["id"] for _, a in elements.found if "id" in a]
    assert len(ids) == len(set(ids))
    targets = [a["href"] for tag, a in elements.found if tag == "a"]
    assert targets and all(target.startswith("#") for target in targets)
    assert {target[1:] for target in targets} <= set(ids)


def test_page_is_self_contained_and_its_policy_forbids_the_rest(rich: Rich) -> None:
    _, elements, _ = rich
    outside = {"link", "img", "iframe", "object", "embed", "base", "form", "audio", "video"}
    assert not outside & {tag for tag, _ in elements.found}
    assert not any("src" in a or key.startswith("on") for _, a in elements.found for key in a)
    [policy] = [a["content"] for tag, a in elements.found if tag == "meta" and "http-equiv" in a]
    assert "default-src 'none'" in policy
    assert "script-src 'sha256-" in policy


def test_rows_tell_their_height_before_they_are_laid_out(rich: Rich) -> None:
    compiled, elements, _ = rich
    sizes = [a["style"] for _, a in elements.found if a.get("class") == "rows"]
    shown = [dict(pair.split(":") for pair in style.split(";")) for style in sizes]
    operations = [op for timeline in compiled.timelines for op in timeline.ops]
    wiring = [op for op in operations if op.kind in ("slice", "concat", "zext", "sext")]
    assert sum(int(size["--all"]) for size in shown) == len(operations)
    assert sum(int(size["--shown"]) for size in shown) == len(operations) - len(wiring)
