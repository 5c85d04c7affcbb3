# SPDX-License-Identifier: Apache-2.0
"""Our cores are right; specifications in Python that are not are told apart from wrong cores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import compiled
import pytest

from lydite.base import InputError
from lydite.cores import Design, catalog, load
from lydite.sim.suites import Oracle
from lydite.sim.verify import open_model, run_chain, verify

Replace = Callable[[Path, str, str], None]
DESIGNS = [
    pytest.param(design, id=design.label, marks=compiled.marks(design))
    for primitive in catalog.primitives()
    for design in catalog.designs(primitive.name)
]


@pytest.mark.parametrize("design", DESIGNS)
def test_our_design_verifies(design: Design) -> None:
    shown = verify(compiled.design(design))
    mine = [one for one in design.primitive.vectors() if one.operation in design.operations]
    signs = design.primitive.name in ("dilithium2", "ml-dsa-44")
    # A call that takes so long is one of few.
    assert shown.vectors == len(mine) > (5 if signs else 50)
    blocks = any(design.primitive.operation(name).has_blocks for name in design.operations)
    assert shown.boundary_messages > (10 if blocks else 0)
    assert shown.resets > 10
    for one in shown.operations:
        assert one.random_messages >= (16 if signs else 4096)
        for name in ("cycles_per_block", "latency_cycles"):
            claimed = design.claim(one.timing.operation, name)
            measured = getattr(one.timing, name)
            if claimed is not None and claimed[0] == claimed[1]:
                assert claimed == (measured.least, measured.most)


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
def test_our_design_passes_the_monte_carlo_chains(design: Design) -> None:
    chains = [one for one in design.primitive.chains() if one.operation in design.operations]
    with open_model(compiled.design(design)) as model:
        for chain in chains:
            calls = chain.steps * len(chain.checkpoints)
            assert run_chain(design, chain, model=model) == calls >= 10_000


SPEC = "def crc32(message):\n    return zlib.crc32(message)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def crc32(", "cannot use crc32: SyntaxError"),
        ("import no_such_module", "cannot use crc32: ModuleNotFoundError"),
        ("1 / 0", "cannot use crc32: ZeroDivisionError('division by zero')"),
        ("def crc64(message): ...", "cannot use crc32: AttributeError"),
        (
            "def crc32(message): return message[100]",
            "crc32 of 0 bytes raises IndexError('index out of range')",
        ),
        ("def crc32(message): return 'text'", "crc32 of 0 bytes raises TypeError("),
        ("def crc32(): return b''", "crc32 of 0 bytes raises TypeError("),
    ],
)
def test_specification_that_cannot_be_used_is_told(crc32: Path, text: str, message: str) -> None:
    path = crc32 / "spec.py"
    path.write_text(text)
    [design] = load(crc32 / "core.toml").designs
    with pytest.raises(InputError) as raised:
        verify(design)
    assert str(raised.value).startswith(f"{path}: {message}")


def test_primitive_without_specification_has_none(crc32: Path, replace: Replace) -> None:
    replace(crc32 / "core.toml", 'spec = "spec.py:crc32"\n', "")
    [primitive] = load(crc32 / "core.toml").primitives
    with Oracle(primitive, ["hash"]) as oracle:
        assert not oracle.knows(primitive.operation("hash"))
    [design] = load(crc32 / "core.toml").designs
    shown = verify(design)
    assert (shown.boundary_messages, shown.operations[0].random_messages) == (0, 0)


@pytest.mark.all_messages
def test_quick_twin_that_answers_something_else_is_refused(crc32: Path, replace: Replace) -> None:
    path = crc32 / "core.toml"
    replace(path, 'spec = "spec.py:crc32"', 'spec = "spec.py:crc32"\nfast = "fast.py:crc32"')
    twin = "import zlib\ndef crc32(m): return zlib.crc32(m{}).to_bytes(4, 'little')\n"
    (crc32 / "fast.py").write_text(twin.format(""))
    [design] = load(path).designs
    assert verify(design).operations[0].random_messages > 10_000
    # Wrong for messages that no vector has.
    (crc32 / "fast.py").write_text(twin.format(" if len(m) < 33 else b''"))
    with pytest.raises(InputError) as raised:
        verify(design)
    first, last = str(raised.value).splitlines()
    assert first.startswith(f"{crc32 / 'fast.py'}: fast.py:crc32 differs from spec.py:crc32, ")
    assert last == "  both are to be the same function"


def test_vectors_cut_short_stop_the_proof(crc32: Path) -> None:
    path = crc32 / "kat" / "crc32.json"
    path.write_text(path.read_text()[:200])
    [design] = load(crc32 / "core.toml").designs
    with pytest.raises(InputError) as raised:
        verify(design)
    assert str(raised.value) == f"{path}: not a JSON vectors file: Input data was truncated"


def test_core_with_another_port_is_refused(crc32: Path, replace: Replace) -> None:
    replace(crc32 / "crc32.v", "    input  wire       rst,\n", "    input  wire       rst_n,\n")
    [design] = load(crc32 / "core.toml").designs
    with pytest.raises(InputError) as raised:
        verify(design)
    assert str(raised.value) == (
        "crc32/rtl: crc32: port rst is missing\n"
        "  an axi4-stream core has the ports that docs/cores.md lists"
    )
