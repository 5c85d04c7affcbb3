# SPDX-License-Identifier: Apache-2.0
"""Synthesis and placement with the real tools, and every way in which they can go wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lydite import targets
from lydite.base import InputError, ToolFailed, ToolNotFound
from lydite.runs import plan
from lydite.runs.execute import execute
from lydite.runs.kinds.hardware import Placement, Prepare, Synthesis
from lydite.runs.plan import Settings
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.sim.build import Sources
from lydite.tools import yowasp
from lydite.tools.tool import Tool

ROOT = Path(__file__).resolve().parent.parent.parent
CRC32 = ROOT / "examples" / "crc32" / "crc32.v"
SMALLEST = targets.find("ice40-lp1k")
Fake = Callable[[str, str], Path]


SLOW = pytest.mark.slow
NEXUS = pytest.param("nexus-lifcl-40", marks=SLOW)


@pytest.fixture
def store(store_folder: Path) -> Iterator[Store]:
    with Store(store_folder) as opened:
        yield opened


def implemented(
    store: Store, path: Path, top: str = "top", clock: str = "clk", **changes: Any
) -> list[Record]:
    """Place a file's module and give the records, synthesis first."""
    parameters = changes.pop("parameters", {})
    settings = Settings(**{"target": SMALLEST, "seeds": 1, **changes})
    made = plan.run((path,), top, clock, parameters, settings)
    return list(execute(made.placements, store, parallel=2).values())


def failure(store: Store, text: str, path: Path, **options: Any) -> str:
    """Give the error with which a design fails, with the folder of artefacts as FOLDER."""
    path.write_text(text)
    record = implemented(store, path, **options)[-1]
    assert record.status == "failed"
    return record.error.replace(str(store.artefacts(record.key)), "FOLDER")


@pytest.mark.parametrize(
    "name", ["ecp5-12k", "ice40-hx1k", pytest.param("ice40-up5k", marks=SLOW), NEXUS]
)
def test_example_is_implemented_on_every_family(store: Store, name: str) -> None:
    target = targets.find(name)
    synthesis, placement = implemented(store, CRC32, "crc32", target=target)
    assert (synthesis.status, placement.status) == ("ok", "ok"), placement.error
    # The core has 35 registers, and none of the wrapper's are counted.
    assert synthesis.result["area"]["ff"] == 35
    assert 40 < synthesis.result["area"]["lut4"] < 120
    assert placement.result["fmax_mhz"] > 20
    assert placement.result["path_levels"] > 0
    assert placement.result["utilization"][target.family.available["lut4"]][0] > 40
    assert len(placement.result["config_sha256"]) == 64
    assert placement.needs == (synthesis.key,)
    files = {path.name for path in store.artefacts(placement.key).iterdir()}
    assert {"place.log", "report.json", "routed.config"} <= files
    assert "netlist.json" not in files
    tools = [tool["name"] for record in (synthesis, placement) for tool in record.inputs["tools"]]
    assert tools == ["yosys", f"nextpnr-{target.family.placement.tool}"]


@pytest.mark.parametrize("name", ["ecp5-12k", "ice40-hx1k", NEXUS])
def test_carry_chains_are_placed_on_every_family(store: Store, tmp_path: Path, name: str) -> None:
    path = tmp_path / "sum.v"
    path.write_text(
        "module top (input clk, input [15:0] a, b, output reg [15:0] q, output reg less);\n"
        "always @(posedge clk) begin q <= a - b; less <= a < b; end\nendmodule\n"
    )
    synthesis, placement = implemented(store, path, target=targets.find(name))
    assert (synthesis.status, placement.status) == ("ok", "ok"), placement.error
    assert synthesis.result["area"]["carry"] >= 16


def test_results_repeat_byte_for_byte(tmp_path: Path) -> None:
    results = []
    for name in ("a", "b"):
        with Store(tmp_path / name) as store:
            records = implemented(store, CRC32, "crc32")
        results.append([(record.key, record.result) for record in records])
        assert all(record.commands for record in records)
    assert results[0] == results[1]


def test_nothing_of_this_machine_stands_in_a_record(store: Store) -> None:
    for record in implemented(store, CRC32, "crc32"):
        for argv in record.commands:
            assert str(store.folder) not in " ".join(argv)
            assert argv[0] == "python"


def test_odd_names_of_ports_are_no_trouble(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "odd name.v"
    path.write_text(
        "module top #(parameter N = 3) (\n"
        "  input \\clk.i , input [(N < 0 ? 3 : 0):0] \\wire , input [0:0] \\a[0] ,\n"
        "  output reg \\end );\n"
        "  always @(posedge \\clk.i ) \\end <= ^{\\wire , \\a[0] };\nendmodule\n"
    )
    with pytest.raises(InputError, match="not a name of Verilog"):
        implemented(store, path, clock="clk.i")
    synthesis = Synthesis(
        "odd",
        Sources(files={path.name: path}, top="top", parameters={"N": -1}),
        "clk.i",
        SMALLEST,
    )
    [record] = execute([synthesis], store, parallel=1).values()
    assert record.error == ""
    assert record.result["area"]["ff"] == 1
    # Five inputs: the sign of the parameter came through, in all places.
    assert record.result["area"]["lut4"] == 2


EDGES = (
    "module top (input clk, input [7:0] a, output reg [7:0] q);\nreg [7:0] n;\n"
    "always @(negedge clk) n <= a;\nalways @(posedge clk) q <= n * n;\nendmodule\n"
)
ONE_EDGE = (
    "\n  one edge of one clock is measured; --mixed-clocks takes them, and measures the registers "
    "of clk alone: paths between its two edges have half a period, those of other clocks no figure"
)


@pytest.mark.parametrize("name", ["ice40-lp1k", "ecp5-12k"])
def test_paths_between_the_edges_of_a_clock_have_half_a_period(
    store: Store, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "edges.v"
    path.write_text(EDGES)
    target = targets.find(name)
    assert implemented(store, path, target=target)[-1].error == (
        "top: not everything is on the rising edge of clk:\n"
        "  falling edge of clk, 8 bits: n (edges.v:3)" + ONE_EDGE
    )
    synthesis, record = implemented(store, path, target=target, mixed_clocks=True)
    assert synthesis.result["unmeasured"] == ["falling edge of clk, 8 bits: n (edges.v:3)"]
    paths = record.result["paths"]
    assert {"core", "in", "out"} <= paths.keys()
    delay_ns = paths["core"]["logic_ns"] + paths["core"]["routing_ns"]
    assert paths["core"]["fmax_mhz"] == pytest.approx(500 / delay_ns, rel=0.01)


TWO = """module top (input c1, c2, input [15:0] a, output reg [15:0] q, output reg [15:0] r);
  reg [15:0] x, y;
  always @(posedge c1) begin x <= a; q <= x * x; end
  always @(posedge c2) begin y <= q; r <= y + 16'd1; end
endmodule
"""


def test_of_two_clocks_the_one_that_is_named_is_measured(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "two.v"
    path.write_text(TWO)
    clocks = {}
    for clock, other in (("c1", "c2"), ("c2", "c1")):
        error = implemented(store, path, clock=clock)[-1].error
        assert error.startswith(
            f"top: not everything is on the rising edge of {clock}:\n"
            f"  rising edge of {other}, 32 bits: "
        )
        record = implemented(store, path, clock=clock, mixed_clocks=True)[-1]
        own = record.result["paths"]["core"]
        clocks[clock] = own["fmax_mhz"]
        assert own["end"].startswith("u_core.")
    # A product is slower than a sum, whichever nextpnr finds the slowest.
    assert clocks["c1"] < 0.8 * clocks["c2"]


@pytest.mark.parametrize("name", ["ice40-lp1k", "ecp5-12k"])
def test_paths_are_told_by_whose_registers_they_join(
    store: Store, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "input.v"
    path.write_text(
        "module top (input clk, input [7:0] a, b, output reg [7:0] q, output [7:0] s);\n"
        "reg [7:0] n;\nalways @(posedge clk) begin n <= a * b; q <= ~n; end\n"
        "assign s = a ^ b;\nendmodule\n"
    )
    found = implemented(store, path, target=targets.find(name))[-1].result
    paths = found["paths"]
    assert set(paths) == {"core", "in", "out", "through"}
    assert found["path_kind"] == "in"
    assert found["fmax_mhz"] == paths["in"]["fmax_mhz"] < 0.6 * paths["core"]["fmax_mhz"]
    assert not paths["in"]["begin"].startswith("u_core.")


AWAY = {
    "constant outputs": "reg [7:0] x; always @(posedge clk) begin x <= a; q <= x & 8'd0; end",
    "wires": "always @* q = a;",
}


@pytest.mark.parametrize("name", AWAY)
def test_core_that_was_optimised_away_is_refused(store: Store, tmp_path: Path, name: str) -> None:
    text = f"module top (input clk, input [7:0] a, output reg [7:0] q); {AWAY[name]}\nendmodule\n"
    assert failure(store, text, tmp_path / "away.v") == (
        "top on ice40-lp1k: nothing of it is left after mapping: its outputs are constants or its "
        "inputs\n  its cells are: none; see synthesis.log"
    )


def test_latches_are_refused_whatever_is_asked_for(store: Store, tmp_path: Path) -> None:
    text = "module top (input clk, input e, d, output reg q);\nalways @* if (e) q = d;\nendmodule\n"
    for mixed in (False, True):
        assert failure(store, text, tmp_path / "latch.v", mixed_clocks=mixed) == (
            "top: it has latches:\n  latches, open by e, 1 bit: q (latch.v:2)\n"
            "  assign in every branch of the always block, or in one of a clock's edge"
        )


def test_logic_without_a_clock_is_measured(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "square.sv"
    path.write_text(
        "module top (input logic [3:0] a, output [7:0] q);\nassign q = a * a;\nendmodule\n"
    )
    synthesis, placement = implemented(store, path, clock="")
    assert synthesis.result["area"]["ff"] == 0
    assert placement.result["path_levels"] > 0


def test_syntax_error_has_yosys_file_and_line(store: Store, tmp_path: Path) -> None:
    text = "module top (input clk, output reg q);\nalways @(posedge clk) q <= ~q\nendmodule\n"
    assert failure(store, text, tmp_path / "bad.v") == (
        "top: Yosys says\n  bad.v:3: ERROR: syntax error, unexpected TOK_ENDMODULE"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"top": "nope"}, "nope: Yosys says\n  ERROR: Module `nope' not found!"),
        ({"clock": "ck"}, "top: no input 'ck' to be the clock\n  its inputs are: clk"),
        (
            {"parameters": {"X": 3}},
            "top: Yosys says\n  ERROR: Module `top' referenced in module `lydite_elaborate' in "
            "cell `u' does not have a parameter named 'X'.",
        ),
    ],
)
def test_name_that_the_design_has_not_is_told(
    store: Store, tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    text = "module top (input clk, output reg q);\nalways @(posedge clk) q <= ~q;\nendmodule\n"
    assert failure(store, text, tmp_path / "a.v", **options) == message


def test_missing_module_is_told(store: Store, tmp_path: Path) -> None:
    text = "module top (input clk, output q);\nsub u (.q(q));\nendmodule\n"
    assert failure(store, text, tmp_path / "a.v") == (
        "top: Yosys says\n"
        "  ERROR: Module `\\sub' referenced in module `\\top' in cell `\\u' is not part of the "
        "design."
    )


LOOPS = {
    "in a module": (
        "module top (input clk, input a, output reg q);\nwire y;\nwire x = a ^ y;\n"
        "assign y = x & a;\nalways @(posedge clk) q <= y;\nendmodule\n"
    ),
    "through two modules": (
        "module inv (input i, input a, output o);\nassign o = ~(i & a);\nendmodule\n"
        "module top (input clk, input a, output reg q);\nwire x;\n"
        "inv u (.i(x), .a(a), .o(x));\nalways @(posedge clk) q <= x;\nendmodule\n"
    ),
}


@pytest.mark.parametrize("where", LOOPS)
def test_combinational_loop_is_refused_with_its_cells(
    store: Store, tmp_path: Path, where: str
) -> None:
    lines = failure(store, LOOPS[where], tmp_path / "loop.v").splitlines()
    assert lines[:2] == [
        "yosys failed with exit status 1",
        "  Warning: found logic loop in module top:",
    ]
    assert all(re.search(r"source: loop\.v:\d|-->", line) for line in lines[2:-2])
    assert len(lines) == 8
    assert lines[-2:] == [
        "  ERROR: Found 1 problems in 'check -assert'.",
        "  log: FOLDER/synthesis.log",
    ]


def test_wire_without_a_driver_is_refused(store: Store, tmp_path: Path) -> None:
    text = (
        "module top (input clk, input a, output reg q);\nwire x;\n"
        "always @(posedge clk) q <= a ^ x;\nendmodule\n"
    )
    assert failure(store, text, tmp_path / "a.v") == (
        "yosys failed with exit status 1\n"
        "  Warning: Wire top.\\x is used but has no driver.\n"
        "  ERROR: Found 1 problems in 'check -assert'.\n"
        "  log: FOLDER/synthesis.log"
    )


# 2000 registers where there are 1280 cells; 40 multipliers where there are 28.
LARGE = {
    "ice40-lp1k": (
        "module top (input clk, input a, output q);\nreg [1999:0] r;\n"
        "always @(posedge clk) r <= {r[1998:0], a ^ r[1999]};\nassign q = r[1999];\nendmodule\n"
    ),
    "ecp5-12k": (
        "module top (input clk, input [17:0] a, output reg [35:0] q);\n"
        "reg [17:0] x [0:40];\nreg [35:0] m [0:39];\ninteger i;\n"
        "always @(posedge clk) begin\n  x[0] <= a;\n  q <= m[39];\n"
        "  m[0] <= x[0] * x[1];\n"
        "  for (i = 0; i < 40; i = i + 1) x[i + 1] <= x[i] + 18'd1;\n"
        "  for (i = 1; i < 40; i = i + 1) m[i] <= x[i] * x[i + 1] ^ m[i - 1];\n"
        "end\nendmodule\n"
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_design_too_large_for_the_part_is_told(store: Store, tmp_path: Path, name: str) -> None:
    target = targets.find(name)
    error = failure(store, LARGE[name], tmp_path / "large.v", target=target)
    first, says, last = error.splitlines()
    assert first == f"top on {target.name}: the design is too large for the part"
    assert says.startswith("  nextpnr says: ERROR: ")
    assert last == "  choose a larger --target"


def placement(fake: Fake, script: str, **options: Any) -> Placement:
    """Give a placement by a native nextpnr that is a fake."""
    fake(
        "nextpnr-ice40",
        f'case "$1" in --version) echo "(Version 0.7)"; exit;; esac\n{script}',
    )
    sources = Sources(files={CRC32.name: CRC32}, top="crc32", parameters={})
    synthesis = Synthesis("crc32", sources, "clk", SMALLEST)
    return Placement(synthesis, seed=5, freq_mhz="100", native=True, **options)


REPORT = (
    '{"fmax": {"c": {"achieved": 1}}, "utilization": {}, "critical_paths": [{"from": "posedge c",'
)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            "echo working; kill -9 $$",
            "was killed by signal 9\n  working\n  log: FOLDER/place.log\n"
            "  the system kills so where memory is at its end: end other programs, give fewer "
            "--jobs, or take a larger machine",
        ),
        (
            "echo Info: a; echo 'ERROR: no such pin'; exit 1",
            "failed with exit status 1\n  ERROR: no such pin\n  log: FOLDER/place.log",
        ),
        (
            "echo 'ERROR: cannot write: No space left on device'; exit 1",
            "failed with exit status 1\n  ERROR: cannot write: No space left on device\n"
            "  log: FOLDER/place.log",
        ),
        (
            "printf '\\377garbage'; exit 3",
            "failed with exit status 3\n  \ufffdgarbage\n  log: FOLDER/place.log",
        ),
        (
            "echo garbage",
            "ended without an error, but not with a result\n  it wrote no report.json",
        ),
        (
            f"echo '{REPORT}' > report.json",
            "ended without an error, but not with a result\n  it wrote no routed.config",
        ),
        (
            f"echo '{REPORT}' > report.json; echo x > routed.config",
            "ended without an error, but not with a result\n  its report cannot be read",
        ),
    ],
    ids=["killed", "error", "disk full", "garbage", "no report", "no config", "half a report"],
)
def test_tool_that_dies_is_a_failed_record(
    store: Store, fake: Fake, script: str, message: str
) -> None:
    job = placement(fake, script)
    record = execute([job], store, parallel=1)[job.key]
    error = record.error.replace(str(store.artefacts(job.key)), "FOLDER")
    assert error == f"nextpnr-ice40 {message}"
    assert record.exit_code == ToolFailed.exit_code
    assert record.inputs["tools"] == [
        {"name": "nextpnr-ice40", "version": "0.7", "origin": "native"}
    ]


def test_tool_that_runs_too_long_is_stopped(store: Store, fake: Fake) -> None:
    job = placement(fake, "echo placing; sleep 600", timeout_s=0.5)
    record = execute([job], store, parallel=1)[job.key]
    assert record.error.replace(str(store.artefacts(job.key)), "FOLDER") == (
        "nextpnr-ice40 ran past its time limit and was stopped\n  placing\n  log: FOLDER/place.log"
    )


def test_netlist_cut_short_by_a_full_disk_is_a_failed_record(store: Store, fake: Fake) -> None:
    fake(
        "yosys",
        'case "$1" in --version) echo "Yosys 0.70"; exit;; esac\n'
        'case "$2" in ports.ys) echo \'{"modules": {"crc32": {"po\' > elaborated.json;; esac',
    )
    sources = Sources(files={CRC32.name: CRC32}, top="crc32", parameters={})
    job = Synthesis("crc32", sources, "clk", SMALLEST, native=True)
    [record] = execute([job], store, parallel=1).values()
    assert record.error == (
        "yosys ended without an error, but not with a result\n  its elaborated.json cannot be read"
    )


def test_native_tool_that_is_not_there_is_told_when_planned() -> None:
    sources = Sources(files={CRC32.name: CRC32}, top="crc32", parameters={})
    synthesis = Synthesis("crc32", sources, "clk", SMALLEST)
    with pytest.raises(ToolNotFound) as raised:
        Placement(synthesis, seed=5, freq_mhz="100", native=True)
    assert str(raised.value) == (
        "nextpnr-ice40: no nextpnr-ice40 on PATH\n  install nextpnr-ice40, or leave out --native"
    )


def test_failed_seed_does_not_take_the_others(store: Store, fake: Fake, tmp_path: Path) -> None:
    # The second of three placements dies.
    job = placement(fake, "exit 1")
    others = [Placement(job.synthesis, seed=seed, freq_mhz="100") for seed in (1, 2)]
    records = execute([others[0], job, others[1]], store, parallel=2)
    assert [records[one.key].status for one in (others[0], job, others[1])] == [
        *("ok", "failed", "ok"),
    ]


def test_compiling_for_this_machine_happens_before_anything_fans_out(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def compiled(tool: Tool) -> bool:
        asked.append(tool.name)
        return True

    monkeypatch.setattr(yowasp, "is_compiled", compiled)
    sources = Sources(files={CRC32.name: CRC32}, top="crc32", parameters={})
    synthesis = Synthesis("crc32", sources, "clk", SMALLEST)
    placements = [Placement(synthesis, seed=seed, freq_mhz="100") for seed in (1, 2)]
    states: list[tuple[str, str]] = []
    execute(
        placements,
        store,
        parallel=2,
        watch=lambda job, state, record: states.append((type(job).__name__, state)),
    )
    assert asked == ["nextpnr-ice40"]
    assert states.index(("Prepare", "ok")) < states.index(("Placement", "running"))
    assert Prepare.recorded is False
