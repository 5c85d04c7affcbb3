# SPDX-License-Identifier: Apache-2.0
"""Delays in nextpnr's form, the slowest paths by them, and what the netlist calls their ends."""

from __future__ import annotations

import json
from typing import Any

from lydite.tools import routes, sdf
from lydite.tools.routes import Route
from lydite.tools.sdf import End

FF = """
  (CELL
    (CELLTYPE "TRELLIS_FF")
    (INSTANCE {name})
    (DELAY
      (ABSOLUTE
        (IOPATH CLK Q (430:477:525) (430:477:520))
      )
    )
    (TIMINGCHECK
      (SETUPHOLD (posedge M) (posedge CLK) (0:0:100) (233:268:303))
      (SETUPHOLD (negedge M) (posedge CLK) (0:0:90) (233:268:303))
    )
    )"""
LUT = """
  (CELL
    (CELLTYPE "TRELLIS_COMB")
    (INSTANCE u_core.lut)
    (DELAY
      (ABSOLUTE
        (IOPATH A F (200:218:236) (200:218:236))
        (IOPATH B F (200:218:400) (200:218:236))
      )
    )
    )"""


def wire(source: str, sink: str, picoseconds: int) -> str:
    triple = f"(0:0:{picoseconds} )"
    return f"        (INTERCONNECT {source} {sink} {triple} {triple})"


# Register a goes to b twice, the second time through a table, which a constant c feeds, too.
TEXT = "\n".join(
    [
        "(DELAYFILE",
        '  (SDFVERSION "3.0")',
        wire(r"\$clk/O", "u_core.a_q_TRELLIS_FF_Q/CLK", 0),
        wire(r"\$clk/O", r"u_core.b_q\[0\]/CLK", 0),
        wire("u_core.a_q_TRELLIS_FF_Q/Q", r"u_core.b_q\[0\]/M", 1000),
        wire("u_core.a_q_TRELLIS_FF_Q/Q", "u_core.lut/A", 300),
        wire("const/F", "u_core.lut/B", 5000),
        wire("u_core.lut/F", r"u_core.b_q\[0\]/M", 700),
        FF.format(name="u_core.a_q_TRELLIS_FF_Q"),
        FF.format(name=r"u_core.b_q\[0\]"),
        LUT,
        ")",
    ]
)


def test_the_slowest_path_is_the_sum_of_its_maxima() -> None:
    (end,) = sdf.ends(sdf.parse(TEXT))
    cells = ("u_core.a_q_TRELLIS_FF_Q", "u_core.lut", "u_core.b_q[0]")
    assert end == End("u_core.b_q[0]", "M", cells, 1.861)


def test_a_pin_that_no_register_reaches_is_no_end() -> None:
    assert sdf.ends(sdf.parse(FF.format(name="lonely"))) == ()


def test_what_lies_behind_a_loop_of_gates_is_not_timed() -> None:
    loop = wire("u_core.lut/F", "u_core.lut/B", 1)
    assert sdf.ends(sdf.parse(f"{TEXT}\n{loop}")) == ()


def cell(kind: str, **connections: list[int]) -> dict[str, Any]:
    directions = {
        port: "output" if port in ("Q", "Z", "DO", "O") else "input" for port in connections
    }
    return {"type": kind, "port_directions": directions, "connections": connections}


def net(*bits: int, hide_name: int = 0) -> dict[str, Any]:
    return {"bits": list(bits), "hide_name": hide_name}


MODULE = {
    "cells": {
        "u_core.a_q_TRELLIS_FF_Q_3": cell("TRELLIS_FF", DI=[1], Q=[2]),
        "u_core.sum_TRELLIS_FF_DI": cell("TRELLIS_FF", DI=[2], Q=[3]),
        "u_core.u_first.mem.0.0": cell("DP16KD", DI=[3], DO=[4, 5]),
        "t": cell("LUT4", A=[2], Z=[1]),
    },
    "netnames": {
        "u_core.a_q": net(9, 2),
        "u_core.a_q_LUT4_A_Z": net(1),
        "$hidden": net(2, hide_name=1),
        "u_core.ap_return": net(2),
        "u_core.b_q[1]": net(3),
    },
}


def test_ends_are_called_as_in_the_verilog() -> None:
    ends = [
        End("u_core.sum_TRELLIS_FF_DI", "M", ("u_core.a_q_TRELLIS_FF_Q_3", "t", "x"), 4.0),
        End("u_core.sum_TRELLIS_FF_DI", "CE", ("u_core.a_q_TRELLIS_FF_Q_3", "x"), 5.0),
        End("u_core.u_first.mem.0.0$part", "A", ("u_core.u_first.mem.0.0", "x"), 6.0),
        End("$packed", "A", ("u_core.sum_TRELLIS_FF_DI", "x"), 1.0),
    ]
    text = json.dumps({"modules": {"top": MODULE}})
    memory = ("u_core.u_first.mem.0.0",)
    assert routes.routes(ends, routes.names(text, "top")) == (
        Route(memory, memory, 6.0),
        Route(("u_core.a_q", "u_core.ap_return"), ("u_core.b_q",), 5.0),
        Route(("u_core.b_q",), ("$packed",), 1.0),
    )


def test_packed_cells_of_ice40_are_called_after_their_registers() -> None:
    module = {
        "cells": {
            "u_core.i_q_SB_DFFESR_Q_7": cell("SB_DFFESR", D=[1], Q=[2]),
            "u_core.i_q_SB_DFFESR_Q_7_D_SB_LUT4_O": cell("SB_LUT4", I0=[2], O=[1]),
            "u_core.j_q_SB_DFF_Q": cell("SB_DFF", D=[2], Q=[3]),
        },
        "netnames": {"u_core.i_q": net(2), "u_core.j_q": net(3)},
    }
    table, alone = "u_core.i_q_SB_DFFESR_Q_7_D_SB_LUT4_O_LC", "u_core.j_q_SB_DFF_Q_DFFLC"
    text = json.dumps({"modules": {"top": module}})
    (route,) = routes.routes([End(alone, "I0", (table, alone), 2.0)], routes.names(text, "top"))
    assert route == Route(("u_core.i_q",), ("u_core.j_q",), 2.0)
