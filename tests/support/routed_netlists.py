# SPDX-License-Identifier: Apache-2.0
"""Small routed netlists of ECP5 in nextpnr's form, by hand: JSON and delays."""

from __future__ import annotations

import json
from typing import Any

from lydite.sim.routed import builder
from lydite.sim.routed.boundary import Boundary
from lydite.sim.routed.model import Model
from lydite.sim.routed.stimulus import Run, Stimulus
from lydite.targets.models import models
from lydite.tools import routed, sdf
from lydite.tools.routed import Routed

LAUNCH, LUT, HOLD = 525, 236, 303
MULTIPLY = 3927
ECP5 = models("ecp5-routed")
FF_PINS = {"Q": "output", "CLK": "input", "DI": "input", "CE": "input", "LSR": "input"}
LUT_PINS = {"F": "output", "A": "input", "B": "input", "C": "input", "D": "input"}


class Netlist:
    """A netlist that grows; nets are the names of the cells that drive them."""

    def __init__(self) -> None:
        self.cells: dict[str, dict[str, Any]] = {}
        self.nets: dict[str, int] = {}
        self.wires: list[str] = []
        self.timed: list[str] = []
        self._add("clk$io", "TRELLIS_IO", {"O": "output"}, {"O": "pad"}, {})
        self._add("clk$buf", "DCCA", {"CLKI": "input", "CLKO": "output"}, {}, {})
        self.join("pad", "clk$buf", "CLKI")
        self.cells["clk$buf"]["connections"]["CLKO"] = [self.net("clk")]

    def net(self, name: str) -> int:
        return self.nets.setdefault(name, len(self.nets) + 2)

    def _add(
        self,
        name: str,
        kind: str,
        pins: dict[str, str],
        outputs: dict[str, str],
        parameters: dict[str, str],
    ) -> None:
        self.cells[name] = {
            "type": kind,
            "parameters": parameters,
            "attributes": {"NEXTPNR_BEL": "X3/Y4/SLICEA.FF0"},
            "port_directions": pins,
            "connections": {p: [self.net(outputs[p])] if p in outputs else [] for p in pins},
        }

    def join(self, source: str, cell: str, pin: str, delay_ps: int = 0) -> None:
        self.cells[cell]["connections"][pin] = [self.net(source)]
        driver = next(
            f"{name}/{port}"
            for name, made in self.cells.items()
            for port, direction in made["port_directions"].items()
            if direction == "output" and made["connections"][port] == [self.net(source)]
        )
        triple = f"({delay_ps - 2}:{delay_ps - 1}:{delay_ps} )" if delay_ps else "(0:0:0)"
        ends = f"{_escaped(driver)} {_escaped(f'{cell}/{pin}')}"
        self.wires.append(f"        (INTERCONNECT {ends} {triple} {triple})")

    def register(self, name: str, **parameters: str) -> None:
        self._add(
            name,
            "TRELLIS_FF",
            FF_PINS,
            {"Q": name},
            {"SD": "1 ", "REGSET": "RESET", "CLKMUX": "CLK", "CEMUX": "1 ", **parameters},
        )
        self.join("clk", name, "CLK")
        self.timed += [
            "  (CELL",
            '    (CELLTYPE "TRELLIS_FF")',
            f"    (INSTANCE {_escaped(name)})",
            "    (DELAY",
            "      (ABSOLUTE",
            f"        (IOPATH CLK Q (430:477:{LAUNCH}) (430:477:{LAUNCH}))",
            "      )",
            "    )",
            "    (TIMINGCHECK",
            f"      (SETUPHOLD (posedge DI) (posedge CLK) (0:0:0) (267:285:{HOLD}))",
            "    )",
            "  )",
        ]

    def take(self, name: str, source: str, delay_ps: int) -> None:
        self.join(source, name, "DI", delay_ps)

    def table(self, name: str, bits: int, *inputs: tuple[str, int]) -> None:
        """Add a table of inputs, each with the delay of its wire."""
        pins = "ABCD"[: len(inputs)]
        size = 1 << len(inputs)
        whole = sum((bits >> number % size & 1) << number for number in range(16))
        self._add(name, "TRELLIS_COMB", LUT_PINS, {"F": name}, {"INITVAL": f"{whole:016b}"})
        self.timed += ["  (CELL", '    (CELLTYPE "TRELLIS_COMB")', f"    (INSTANCE {name})"]
        self.timed += ["    (DELAY", "      (ABSOLUTE"]
        for pin, (source, delay) in zip(pins, inputs, strict=True):
            self.join(source, name, pin, delay)
            self.timed.append(f"        (IOPATH {pin} F (200:218:{LUT}) (200:218:{LUT}))")
        self.timed += ["      )", "    )", "  )"]

    def ram(self, name: str, address: str, data: str, delay_ps: int) -> None:
        """Add RAM in logic, read at an address of equal bits, written at 15."""
        writes = ("WD", "WAD0", "WAD1", "WAD2", "WAD3", "WRE")
        pins = {"F": "output", "WCK": "input", **dict.fromkeys((*"ABCD", *writes), "input")}
        told = {"MODE": "DPRAM", "INITVAL": "0" * 16, "WREMUX": "WRE", "WCKMUX": "WCK"}
        self._add(name, "TRELLIS_COMB", pins, {"F": name}, told)
        self.join("clk", name, "WCK")
        self.join(data, name, "WD", delay_ps)
        self.timed += ["  (CELL", '    (CELLTYPE "TRELLIS_COMB")', f"    (INSTANCE {name})"]
        self.timed += ["    (DELAY", "      (ABSOLUTE"]
        for pin in "ABCD":
            self.join(address, name, pin, delay_ps)
            self.timed.append(f"        (IOPATH {pin} F (200:218:{LUT}) (200:218:{LUT}))")
        self.timed += ["      )", "    )", "    (TIMINGCHECK"]
        self.timed += ["      (SETUPHOLD (posedge WD) (posedge WCK) (0:0:0) (202:249:297))"]
        self.timed += ["    )", "  )"]

    def product(self, name: str, a: list[str], b: list[str], signed: tuple[int, int]) -> None:
        """Add a multiplier of outputs `name.k`; wires to bits k take 100 + 7 k ps."""
        ins = [f"{operand}{bit}" for operand in "AB" for bit in range(18)]
        fixed = {"SIGNEDAMUX": str(signed[0]), "SIGNEDBMUX": str(signed[1])}
        fixed |= {"SOURCEAMUX": "0 ", "SOURCEBMUX": "0 "}
        given = dict(zip([f"A{k}" for k in range(len(a))], a, strict=True))
        given |= dict(zip([f"B{k}" for k in range(len(b))], b, strict=True))
        fixed |= {f"{pin}MUX": "0 " for pin in ins if pin not in given}
        outs = {f"P{bit}": f"{name}.{bit}" for bit in range(36)}
        pins = {**dict.fromkeys(outs, "output"), **dict.fromkeys(ins, "input")}
        pins |= dict.fromkeys(("SOURCEA", "SOURCEB", "SIGNEDA", "SIGNEDB"), "input")
        self._add(name, "MULT18X18D", pins, outs, fixed)
        self.timed += ["  (CELL", '    (CELLTYPE "MULT18X18D")', f"    (INSTANCE {name})"]
        self.timed += ["    (DELAY", "      (ABSOLUTE"]
        for pin, source in given.items():
            self.join(source, name, pin, 100 + 7 * int(pin[1:]))
            self.timed += [
                f"        (IOPATH {pin} {out} ({MULTIPLY}:{MULTIPLY}:{MULTIPLY}) "
                f"({MULTIPLY}:{MULTIPLY}:{MULTIPLY}))"
                for out in outs
            ]
        self.timed += ["      )", "    )", "  )"]

    def json(self) -> str:
        return json.dumps({"modules": {"top": {"cells": self.cells}}})

    def delays(self) -> str:
        head = ["(DELAYFILE", '  (SDFVERSION "3.0")', "  (TIMESCALE 1ps)"]
        return "\n".join([*head, *self.wires, *self.timed, ")", ""])

    def routed(self) -> Routed:
        return routed.read(self.json())

    def model(self) -> Model:
        return builder.build(self.routed(), sdf.parse(self.delays()), ECP5)


def _escaped(name: str) -> str:
    return name.replace("$", "\\$")


def boundary(inputs: list[str], outputs: list[str]) -> Boundary:
    return Boundary({"d": tuple(inputs)}, {"q": tuple(outputs)}, ())


def stimulus(
    given: list[list[int]], right: list[list[int]], widths: tuple[int, int] = (1, 1)
) -> Stimulus:
    """Give runs of one message each; all outputs count in all cycles but the first."""
    care = (1 << widths[1]) - 1
    runs = tuple(
        Run(tuple(a), tuple(b), (0, *[care] * (len(a) - 1)), (len(a) - 1,))
        for a, b in zip(given, right, strict=True)
    )
    return Stimulus((("d", widths[0]),), (("q", widths[1]),), runs)
