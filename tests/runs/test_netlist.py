# SPDX-License-Identifier: Apache-2.0
"""The netlist that is placed is proven: faults in it are seen, and nothing gets round the proof."""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import compiled
import msgspec
import pytest

from lydite import cores, targets
from lydite.base import CheckFailed, InputError
from lydite.cores import catalog
from lydite.runs import plan
from lydite.runs.execute import execute
from lydite.runs.kinds import netlist, wrapper
from lydite.runs.kinds.netlist import ProveNetlist
from lydite.runs.plan import BenchPlan, Settings
from lydite.runs.store import Store
from lydite.sim import cells, mapped, random_messages
from lydite.sim.stream import STALL_MODES
from lydite.sim.timing import Range, Timing
from lydite.targets.models import FOLDER, models
from lydite.tools import yosys

ROOT = Path(__file__).resolve().parent.parent.parent
CRC32 = ROOT / "examples" / "crc32" / "core.toml"
Edit = Callable[[dict[str, Any]], None]


@pytest.fixture
def store(store_folder: Path) -> Iterator[Store]:
    with Store(store_folder) as opened:
        yield opened


def planned(what: str, target: str, **options: Any) -> BenchPlan:
    [selection] = cores.select(what)
    settings = Settings(target=targets.find(target), seeds=1, **options)
    return plan.bench(compiled.selection(selection, settings), settings, software=False)


def proof_of(bench: BenchPlan, index: int = 0) -> ProveNetlist:
    job = bench.hardware[index].implementation.netlist
    assert job is not None
    return job


@pytest.mark.parametrize(
    "name", ["ecp5-12k", "ice40-hx1k", pytest.param("nexus-lifcl-40", marks=pytest.mark.slow)]
)
def test_example_has_its_netlist_proven_on_every_family(store: Store, name: str) -> None:
    job = proof_of(planned(str(CRC32), name))
    record = execute([job], store, parallel=2)[job.key]
    assert record.status == "ok", record.error
    assert record.result["vectors"] == 4
    assert list(record.result["modes"]) == [stalls.name for stalls in STALL_MODES]
    assert record.result["resets"] > 10
    assert record.result["cells"] == store.get(job.synthesis.key).result["cells"]  # type: ignore


def test_nothing_is_placed_before_its_netlist_is_proven() -> None:
    for wanted in ("some", "all"):
        bench = planned(str(CRC32), "ecp5-12k", prove_netlist=wanted)
        job = proof_of(bench)
        assert job.every == (wanted == "all")
        assert job in bench.jobs
        for placement in bench.hardware[0].implementation.placements:
            assert job in placement.needs
    bench = planned(str(CRC32), "ecp5-12k", prove_netlist="none")
    assert bench.hardware[0].implementation.netlist is None


# A memory of which only the lower half is read, in which nothing stands: with a ROM nobody can take
# out, a wrong bit in it is a wrong answer.
ROM = """(* rom_style = "block" *) reg [7:0] rom [0:511];
  integer k;
  initial for (k = 0; k < 512; k = k + 1) rom[k] = k < 256 ? 8'd0 : k * 37;
  reg [7:0] rom_q;
  always @(posedge clk) rom_q <= rom[{1'b0, crc_q[7:0]}];
  assign m_axis_tdata  = ~crc_q[7:0] ^ rom_q;"""


def first(cells: dict[str, Any], kind: str) -> dict[str, Any]:
    """Give the first cell of a type that is the core's."""
    found: dict[str, Any] = next(
        cell
        for name, cell in sorted(cells.items())
        if cell["type"] == kind and name.startswith("u_core.")
    )
    return found


def flipped(bits: str) -> str:
    return bits[:-1] + ("0" if bits[-1] == "1" else "1")


def lut(cells: dict[str, Any]) -> None:
    # The output of the core: no bit of it is one that no input can reach.
    table = cells["u_core.s_axis_tready_LUT4_Z"]["parameters"]
    table["INIT"] = "".join("10"[int(bit)] for bit in table["INIT"])


def enable(cells: dict[str, Any]) -> None:
    cell = next(c for c in cells.values() if c["parameters"].get("CEMUX") == "CE")
    cell["parameters"]["CEMUX"] = "1 "


def content(cells: dict[str, Any]) -> None:
    parameters = first(cells, "DP16KD")["parameters"]
    for name in parameters:
        if name.startswith("INITVAL_0"):
            parameters[name] = flipped(parameters[name])


@pytest.mark.parametrize("fault", [lut, enable, content])
def test_fault_of_the_netlist_is_told_as_one(
    store: Store,
    crc32: Path,
    replace: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    fault: Edit,
) -> None:
    if fault is content:
        replace(crc32 / "crc32.v", "assign m_axis_tdata  = ~crc_q[7:0];", ROM)
    job = proof_of(planned(str(crc32 / "core.toml"), "ecp5-12k"))
    real = mapped.mapped

    def faulty(netlist: str, *others: Any) -> mapped.Mapped:
        design = json.loads(netlist)
        fault(design["modules"][wrapper.TOP]["cells"])
        return real(json.dumps(design), *others)

    monkeypatch.setattr(mapped, "mapped", faulty)
    record = execute([job], store, parallel=1)[job.key]
    assert record.exit_code == CheckFailed.exit_code
    where, expected, got = record.error.splitlines()
    assert where.startswith(
        "netlist crc32/rtl on ecp5-12k-6: the source passed, the mapped netlist does not: crc32, "
    )
    assert expected.endswith(", as its source gives")
    assert got.endswith(", from the netlist")


def timed(block: float, latency: float, total: float) -> Timing:
    return Timing(
        operation="hash",
        cycles_per_block=Range(block, block, block),
        latency_cycles=Range(latency, latency + 2, latency + 1),
        cycles_per_message=Range(7, 7, 7),
        total_cycles=((1, Range(9, 9, 9)), (18, Range(total, total, total))),
    )


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (timed(2.5, 9, 50), "hash: cycles_per_block\n  expected 2\n  got      2.5"),
        (timed(2, 8, 50), "hash: latency_cycles\n  expected 9 to 11\n  got      8 to 10"),
        (timed(2, 9, 51), "hash: total_cycles of 18 blocks\n  expected 50\n  got      51"),
    ],
)
def test_netlist_takes_the_cycles_of_its_source(found: Timing, message: str) -> None:
    # As a record has it, and as it was just measured.
    kept = msgspec.json.decode(msgspec.json.encode(timed(2, 9, 50)), type=Timing)
    netlist.compare(kept, timed(2, 9, 50))
    with pytest.raises(CheckFailed) as raised:
        netlist.compare(kept, found)
    assert str(raised.value) == message


CELL = {
    "type": "LUT4",
    "parameters": {"INIT": "0110"},
    "port_directions": {"A": "input", "B": "input", "C": "input", "D": "input", "Z": "output"},
    "connections": {"A": [2], "B": [3], "C": ["0"], "D": ["0"], "Z": [4]},
}
RAM = {
    "type": "DP16KD",
    "parameters": {"REGMODE_A": "OUTREG"},
    "port_directions": {},
    "connections": {},
}


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (
            {**CELL, "type": "EHXPLLL"},
            "cell u: no simulation model of EHXPLLL\n  the netlist cannot be proven without one in "
            "targets/cells/ecp5.toml; --prove-netlist none places it unproven",
        ),
        (RAM, "cell u (DP16KD): REGMODE_A = OUTREG is not simulated\n  "),
        ({**RAM, "parameters": {"NEW": "1"}}, "cell u (DP16KD): the model knows no parameter NEW"),
        ({**CELL, "parameters": {}}, "cell u (LUT4): INIT = nothing is no table of bits"),
        (
            {**CELL, "parameters": {"INIT": "01", "MODE": "FAST"}},
            "cell u (LUT4): the model knows no parameter MODE",
        ),
        (
            {**CELL, "type": "PFUMX", "parameters": {}},
            "cell u (PFUMX): nothing drives its pin C0",
        ),
    ],
    ids=["model", "value", "parameter", "no table", "parameter of logic", "pin"],
)
def test_what_no_model_does_is_refused_by_name(cell: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        cells.lower("u", cell, models("ecp5"))
    assert str(raised.value).startswith(message)


def test_latch_is_refused_by_name() -> None:
    made = [
        cells.Table(output=name, inputs=(other, 5), bits=0x6666, cell=f"cell_{name}")
        for name, other in (("a", "b"), ("b", "a"))
    ]
    with pytest.raises(InputError, match="cell cell_a: a circle of logic without a flip-flop"):
        mapped._ordered(made)


def test_netlist_that_was_changed_after_synthesis_is_not_what_is_proven(store: Store) -> None:
    job = proof_of(planned(str(CRC32), "ice40-hx1k"))
    execute([job.synthesis, job.proof], store, parallel=2)
    path = store.artefacts(job.synthesis.key) / yosys.NETLIST_FILE
    path.write_text(path.read_text() + " ")
    with pytest.raises(InputError, match=r"netlist\.json: is not as it was kept"):
        job.run(store.folder, store)
    # A plan makes what is damaged again, first.
    assert execute([job], store, parallel=1)[job.key].status == "ok"


@pytest.mark.parametrize("family", ["ecp5", "ice40", "nexus"])
def test_models_name_only_what_they_have(family: str) -> None:
    found = models(family)
    assert all(path.exists() for path in found.files)
    for kind, cell in found.cells.items():
        assert bool(cell.model) != bool(cell.logic or cell.register), kind
        for name in cell.model[:1]:
            assert re.search(rf"^module {kind} ", (FOLDER / name).read_text(), re.MULTILINE)
    counted = set(targets.find(f"{family}-{PARTS[family]}").family.cells)
    # What is counted as area is simulated, but for what the pages name.
    missing = {p for p in counted if not any(fnmatch.fnmatchcase(k, p) for k in found.cells)}
    assert missing == UNTOLD[family]


PARTS = {"ecp5": "12k", "ice40": "hx1k", "nexus": "lifcl-40"}
UNTOLD = {
    "ecp5": {"PDPW16KD", "MULT9X9D"},
    "ice40": set(),
    "nexus": {"MULTADDSUB9X9WIDE"},
}


# Cores that Yosys maps for ten minutes and more: a bench proves their netlists.
LONG_TO_MAP = ("bmw", "dilithium", "echo")


def firsts() -> Iterator[Any]:
    """Give of each core the first design in Verilog and the first in C, and what it is mapped to:
    Verilog to two families.
    """
    for core in catalog.cores():
        if core.designs[0].folder.name in LONG_TO_MAP:
            continue
        for from_c, parts in ((False, ("ecp5-85k", "nexus-lifcl-40")), (True, ("ecp5-85k",))):
            of_kind = [one for one in core.designs if (one.hls is not None) == from_c]
            for design in of_kind[:1]:
                for part in parts:
                    yield pytest.param(design.label, part, id=f"{design.label}-{part}")


@pytest.mark.slow
@pytest.mark.parametrize(("design", "name"), list(firsts()))
def test_netlist_of_a_design_of_each_core_is_proven(
    store: Store, monkeypatch: pytest.MonkeyPatch, design: str, name: str
) -> None:
    # As many messages as it takes to see a fault of the source are tried on the source.
    monkeypatch.setattr(random_messages, "_WORDS", 0)
    job = proof_of(planned(design, name))
    assert execute([job], store, parallel=1)[job.key].error == ""


@pytest.mark.slow
@pytest.mark.parametrize("design", ["ascon-hash256/rtl", "sha3-256/rtl"])
def test_netlist_of_our_design_is_proven(design: str, store: Store) -> None:
    job = proof_of(planned(design, "ecp5-85k"))
    record = execute([job], store, parallel=2)[job.key]
    assert record.error == ""
    assert record.result["vectors"] == 8
