# SPDX-License-Identifier: Apache-2.0
"""Cores that are C as a whole: written by `lydite hls --core`, or named by `[design.hls]` alone."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from compiled import design as with_verilog

from lydite import cores, hls
from lydite.base import InputError
from lydite.cores import Design, catalog
from lydite.cores.design import CLAIMS
from lydite.cores.formula import rational
from lydite.hls import Compiled, Options
from lydite.runs.generated import description, export
from lydite.sim import build, cosim, verify
from lydite.sim.timing import Range, Timing
from lydite.sim.verify import Verified

ROOT = Path(__file__).parents[2]
STREAMS = ROOT / "examples" / "streams"
CRC32 = ROOT / "examples" / "crc32"
TOY = ROOT / "tests" / "sim" / "toy"


def compiled(name: str, clock_ns: float) -> tuple[Options, Compiled]:
    options = Options(sources=(STREAMS / f"{name}.c",), top=name, clock_ns=clock_ns)
    return options, hls.compile(options)


@pytest.mark.parametrize(
    ("name", "clock_ns", "primitive"),
    [
        ("crc32", 20.0, str(CRC32)),
        pytest.param("sha3_256", 10.0, "sha3-256", marks=pytest.mark.slow),
    ],
)
def test_core_of_an_example_is_proven_with_the_claims_that_were_measured(
    name: str, clock_ns: float, primitive: str, tmp_path: Path
) -> None:
    options, made = compiled(name, clock_ns)
    cosim.run(options, made, tmp_path / "cosim").check()
    path = export.write(made, primitive, tmp_path / "core")
    [design] = cores.load(path).designs
    shown = verify.verify(design)
    assert cycles_a_block(shown) == design.claim("hash", "cycles_per_block")
    assert shown.vectors > 0 and shown.resets > 0


def cycles_a_block(shown: Verified) -> tuple[float, float]:
    """Give the least and the greatest that was measured, of the one operation."""
    [one] = shown.operations
    assert one.timing.cycles_per_block is not None
    return one.timing.cycles_per_block.least, one.timing.cycles_per_block.most


def test_core_toml_is_as_if_written_by_hand(tmp_path: Path) -> None:
    _, made = compiled("crc32", 20.0)
    path = export.write(made, str(CRC32 / "core.toml"), tmp_path)
    digest = made.source_digest[:16]
    primitive = re.search(
        r"^\[\[primitive\]\]\n.*?(?=^\[\[design)", (CRC32 / "core.toml").read_text(), re.M | re.S
    )
    assert primitive is not None
    assert path.read_text() == (
        f'# Made by Lydite from C, source digest {digest}.\nschema = 2\ntitle = "crc32 by HLS"\n\n'
        f'{primitive[0]}[[design]]\nname = "hls"\ntitle = "C, compiled for 20 ns"\n'
        'primitives = ["crc32"]\nsources = [\n    "crc32.v",\n    "lydite_stream_slice.v",\n]\n'
        'top = "crc32"\nclock = "ap_clk"\nreset = "ap_rst"\n'
        "claims.hash = { cycles_per_block = 1, latency_cycles = 4, cycles_per_message = 3 }\n"
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        *("core.toml", "crc32.v", "kat", "lydite_stream_slice.v", "spec.py")
    ]


def test_design_that_is_c_as_a_whole_needs_no_verilog(tmp_path: Path) -> None:
    shutil.copytree(CRC32, tmp_path / "core")
    shutil.copy(STREAMS / "crc32.c", tmp_path / "core")
    path = tmp_path / "core" / "core.toml"
    text = path.read_text()
    path.write_text(
        text[: text.index("[[design]]")]
        + '[[design]]\nname = "hls"\ntitle = "C"\nprimitives = ["crc32"]\n'
        'hls = { sources = ["crc32.c"], top = "crc32", clock_ns = 20.0, target = "ecp5" }\n'
        "claims.hash = { cycles_per_block = 1, latency_cycles = 4 }\n"
    )
    [design] = cores.load(path).designs
    assert (design.top, design.clock, design.reset) == ("crc32", "ap_clk", "ap_rst")
    assert cycles_a_block(verify.verify(with_verilog(design))) == (1, 1)


def described(design: Design) -> dict[str, object]:
    """Give what a proof looks at of a design."""
    names = ("operations", "streams", "registers", "release", "interface", "clock", "reset")
    return {
        **{name: getattr(design, name) for name in names},
        "claims": {
            (operation, claim, blocks): design.claim(operation, claim, blocks=blocks)
            for operation in design.operations
            for claim in CLAIMS
            for blocks in (1, 2, 18)
        },
        "primitive": (design.primitive.operations, design.primitive.vectors()),
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        # A parameter of the name of the number of blocks is hidden by it in a total only.
        ('"2 + 2 * N"', '"2 + W * N"\n[design.parameters]\nW = "3 - 1"\nN = 7'),
        ("cycles_per_block = 2\nlatency_cycles = 6", 'cycles_per_block = ["7 / 5", 2]'),
        ('release = "unverified"', 'operations = ["open", "seal"]'),
    ],
)
def test_design_that_is_written_is_the_one_that_was_proven(
    old: str, new: str, tmp_path: Path
) -> None:
    shutil.copytree(TOY, tmp_path / "toy")
    path = tmp_path / "toy" / "core.toml"
    path.write_text(path.read_text().replace(old, new) if old else path.read_text())
    for design in cores.load(path).designs:
        folder = tmp_path / design.name
        export.write_design(design, build.sources_of(design), folder)
        [again] = cores.load(folder / "core.toml").designs
        assert described(again) == described(design)


def test_an_operation_that_only_makes_tests_needs_no_design(tmp_path: Path) -> None:
    [selection] = cores.select("des-search/rtl")
    [design] = selection.designs
    export.write_design(design, build.sources_of(design), tmp_path)
    [again] = cores.load(tmp_path / "core.toml").designs
    assert again.operations == ("search",)
    assert "plant" in {one.name for one in again.primitive.operations}


@pytest.mark.parametrize(
    ("cycles", "claim"), [(24, 24), (2.4, "12/5"), (53 / 12, "53/12"), (1.5, "3/2")]
)
def test_claim_that_is_not_whole_is_written_as_a_formula(cycles: float, claim: str | int) -> None:
    whole = Range(5, 5, 5)
    measured = Timing(
        operation="hash",
        cycles_per_block=Range(cycles, cycles, cycles),
        latency_cycles=whole,
        cycles_per_message=whole,
        total_cycles=((1, whole),),
    )
    assert description.claims_of(measured) == {
        "cycles_per_block": claim,
        "latency_cycles": 5,
        "cycles_per_message": 5,
    }
    assert float(rational(claim, {}, where="")) == cycles


NAMES = ", ".join(primitive.name for primitive in cores.catalog.primitives())
HINT = (
    "\n  a core is void, has the streams s_axis and m_axis as its only arguments, and says "
    "#pragma HLS interface mode=ap_ctrl_none port=return"
)


@pytest.mark.parametrize(
    ("text", "primitive", "message"),
    [
        (
            "void f(lydite_stream8 *s_axis, lydite_stream8 *m_axis) {\n"
            "lydite_stream8_write(m_axis, lydite_stream8_read(s_axis)); }\n",
            "sha3-256",
            "--core: f has the block protocol ap_ctrl_hs" + HINT,
        ),
        (
            "void f(lydite_stream8 *in, lydite_stream8 *m_axis) {\n"
            "#pragma HLS interface ap_ctrl_none port=return\n"
            "lydite_stream8_write(m_axis, lydite_stream8_read(in)); }\n",
            "sha3-256",
            "--core: f has in, m_axis" + HINT,
        ),
        (
            "void f(lydite_stream8 *s_axis, lydite_stream8 *m_axis) {\n"
            "#pragma HLS interface ap_ctrl_none port=return\n"
            "lydite_stream8_write(m_axis, lydite_stream8_read(s_axis)); }\n",
            "sha9",
            f"--primitive: no such primitive: 'sha9'\n  there are: {NAMES}; or name a core.toml",
        ),
    ],
)
def test_what_is_no_core_is_refused(
    text: str, primitive: str, message: str, tmp_path: Path
) -> None:
    source = tmp_path / "f.c"
    source.write_text(f"#include <lydite_stream.h>\n{text}")
    made = hls.compile(Options(sources=(source,), top="f"))
    with pytest.raises(InputError) as caught:
        export.write(made, primitive, tmp_path / "core")
    assert str(caught.value) == message


# One of each primitive for each choice of its operations.
CHOICES = {
    (one.primitive.name, one.operations): one
    for core in catalog.cores()
    for one in core.designs
    if one.hls is None
}


@pytest.mark.parametrize("design", CHOICES.values(), ids=lambda one: one.label)
def test_design_of_ours_that_is_written_can_be_read(design: Design, tmp_path: Path) -> None:
    """Also one that has few of its primitive's operations."""
    export.write_design(design, build.sources_of(design), tmp_path)
    [again] = cores.load(tmp_path / "core.toml").designs
    assert again.operations == design.operations
    assert again.primitive.operations == design.primitive.operations


def test_a_design_written_as_it_was_proven_has_its_chains(tmp_path: Path) -> None:
    design = catalog.design("aes-128", "rtl")
    export.write_design(design, build.sources_of(design), tmp_path)
    [written] = cores.load(tmp_path / "core.toml").designs
    assert list(written.primitive.chains()) == list(design.primitive.chains()) != []
    assert written.primitive.vectors_digest == design.primitive.vectors_digest
