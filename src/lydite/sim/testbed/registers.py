# SPDX-License-Identifier: Apache-2.0
"""The job registers of a testbed: one description, of which bus slave, C header and page are made.

They lie as those of a function that the HLS compiler makes (`hls.contract.register_map`), so that a
driver for the one knows the other: control and interrupts first, then the job's.
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.hls.contract.register_map import Register, RegisterMap, place
from lydite.sim.stream import Held, Wire

TOP = "lydite_testbed"
# Of the map's control: addresses and bits.
CONTROL, GLOBAL_ENABLE, ENABLE, STATUS = 0x0, 0x4, 0x8, 0xC
START, DONE = 1, 1


def describe(sources: Sequence[Wire], held: Sequence[Held]) -> RegisterMap:
    """Give the registers of a core with these outputs and values that it holds."""
    rows = [
        Register("return", "ap_return", 32, True, about="code of the last job: 0, or bit 0: lost"),
        *(
            Register(f"{side}_{what}", f"{side}_{what}", 64, False, about=f"{told} of {about}")
            for side, about in (("source", "all inputs"), ("destination", "all outputs"))
            for what, told in (("address", "where the DMA finds"), ("bytes", "length"))
        ),
        Register("start_delay", "start_delay", 32, False, about="cycles before outputs leave"),
    ]
    rows += [
        Register(packets(wire), packets(wire), 32, False, about=f"packets to come from {wire.name}")
        for wire in sources
    ]
    rows += [
        Register(one.port, f"held_{one.port}", 8 * one.bytes, False, about=f"port {one.port}")
        for one in held
    ]
    rows.append(Register("timer", "timer", 64, True, about="cycles that the last job took"))
    return place(True, rows)


def packets(wire: Wire) -> str:
    """Give the register with the number of packets of an output."""
    return f"{wire.name}packets"


def offset(found: RegisterMap, name: str) -> int:
    """Give the address of a register."""
    return next(item.offset for item in found.registers if item.name == name)
