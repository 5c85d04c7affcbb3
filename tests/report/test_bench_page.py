# SPDX-License-Identifier: Apache-2.0
"""The page of a bench: every measured figure has the runs behind it; what failed is there, too."""

from __future__ import annotations

import re

import msgspec
import pytest
import studies
from studies import HOSTILE

from lydite.report import bench_page, figures, html, latex
from lydite.report.bench import BenchTable
from lydite.report.page import Facts, Lines, Page, Scatter, Strips

COMMAND = ("lydite", "bench", "sha3-256")


@pytest.fixture
def found() -> BenchTable:
    return studies.bench_table()


def page(*benches: BenchTable) -> Page:
    records = {key: record for one in benches for key, record in studies.records(one).items()}
    return bench_page.page(benches, records, COMMAND)


def part(made: Page, kind: type) -> object:
    [one] = [part for section in made.sections for part in section.parts if isinstance(part, kind)]
    return one


def test_every_figure_has_the_runs_it_comes_from(found: BenchTable) -> None:
    made = page(found)
    known = {run.key for run in made.origin.runs}
    for tabled in made.tables:
        figures_ = [
            column.name for column in tabled.table.columns if column.is_number and column.head
        ]
        for row in tabled.keys:
            assert set(figures_) <= row.keys(), tabled.name
            assert {key for keys in row.values() for key in keys} <= known
    # And all that ran is behind one, what failed by its error.
    named = {key for t in made.tables for row in t.keys for keys in row.values() for key in keys}
    assert named == known


def test_a_clock_leads_to_the_run_that_has_it(found: BenchTable) -> None:
    [hardware, *_] = page(found).tables
    row, keys = found.hardware[0], hardware.keys[0]
    clocks = {sample.key: sample.fmax_mhz for sample in row.implemented.samples}
    assert clocks[keys["fmax_median_mhz"][0]] == 131.3
    assert [clocks[key] for key in keys["fmax_best_mhz"]] == [132.3]
    assert keys["lut4"] == (studies.key("rtl synthesis"),)
    assert keys["latency_cycles"] == (row.proof_key,)
    assert set(keys["rate_per_klut"]) == {*row.implemented.keys, row.proof_key}


def test_a_comparison_comes_from_both_sides(found: BenchTable) -> None:
    compared = page(found).tables[3]
    assert studies.key("avx512 software") in compared.keys[0]["throughput_ratio"]
    assert studies.key("rtl proof") in compared.keys[0]["throughput_ratio"]


def test_figures_have_the_numbers_of_the_tables(found: BenchTable) -> None:
    made = page(found)
    scatter = part(made, Scatter)
    assert isinstance(scatter, Scatter) and scatter.ratio is not None
    assert [(p.label, p.x, p.y) for p in scatter.points] == [
        (row.design, row.implemented.area["lut4"], row.rate) for row in found.hardware
    ]
    assert figures.left_out(scatter) == ("wires",)
    strips = part(made, Strips)
    assert isinstance(strips, Strips)
    assert strips.strips[0].values == (131.3, 132.3, 128.15)
    lines = part(made, Lines)
    assert isinstance(lines, Lines)
    one = next(line for line in lines.lines if line.label == "ref")
    assert one.points == ((135, pytest.approx(1000 * 135 / 1935)), (16384, 70.36))
    assert figures.series(lines) == ("software", "hardware")


def test_first_figures_are_the_best(found: BenchTable) -> None:
    facts = part(page(found), Facts)
    assert isinstance(facts, Facts)
    told = {fact.name: (fact.value, fact.unit, fact.note) for fact in facts.facts}
    assert told["fastest hardware"] == ("744.0", "MB/s", "rtl")
    # A design without area has no throughput per area.
    assert told["throughput per area"] == ("170.9", "MB/s a kLUT", "rtl")
    assert told["fastest software"] == ("1037", "MB/s", "avx512, 2 threads")


def test_what_is_left_out_or_failed_is_told(found: BenchTable) -> None:
    text = html.render(page(found))
    assert "this processor lacks avx512f" in text
    assert f'href="#run-{studies.key("failed")[:12]}"' in text
    bare = msgspec.structs.replace(
        found, hardware=(), software=(), comparisons=(), left_out=(), long_bytes=0
    )
    assert [section.title for section in page(bare).sections] == ["Failed"]
    html.render(page(bare))
    assert r"\begin{table}" not in latex.render(page(bare))


def test_hardware_or_software_alone_is_a_page(found: BenchTable) -> None:
    for missing in ({"software": ()}, {"hardware": ()}):
        made = page(msgspec.structs.replace(found, comparisons=(), **missing))
        html.render(made)
        latex.render(made)


def test_several_primitives_are_told_apart(found: BenchTable) -> None:
    other = studies.bench_table("sha3-512")
    made = page(found, other)
    titles = [section.title for section in made.sections]
    assert "SHA3-256. Hardware" in titles and "SHA3-512. Hardware" in titles
    text = html.render(made)
    ids = re.findall(r' id="([^"]*)"', text)
    assert len(ids) == len(set(ids))
    assert r"\label{tab:sha3-512-software}" in latex.render(made)


def test_several_operations_are_told_apart(found: BenchTable) -> None:
    seal, open_ = (msgspec.structs.replace(found, operation=name) for name in ("seal", "open"))
    made = page(seal, open_)
    assert made.title == "SHA3-256: hardware and software"
    titles = [section.title for section in made.sections]
    assert "SHA3-256: seal. Hardware" in titles and "SHA3-256: open. Hardware" in titles
    ids = re.findall(r' id="([^"]*)"', html.render(made))
    assert len(ids) == len(set(ids))
    paper = latex.render(made)
    labels = re.findall(r"\\label\{([^}]*)\}", paper)
    assert "tab:sha3-256-open-software" in labels and len(labels) == len(set(labels))
    captions = re.findall(r"\\caption\{([^}]*)\}", paper)
    assert len(captions) == len(set(captions))


def test_names_of_a_user_are_texts() -> None:
    found = studies.bench_table(design=HOSTILE, variant=HOSTILE)
    made = page(found)
    text = html.render(made)
    assert text.count("<script") == 1
    assert text == html.render(page(found)), "the same bench is the same page"
    assert r"\textless{}script\textgreater{}" in latex.render(made)
