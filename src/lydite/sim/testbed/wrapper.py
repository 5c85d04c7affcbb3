# SPDX-License-Identifier: Apache-2.0
"""The hardware around a core: FIFOs between its clock and the DMA's, job registers, a timer.

The modules are hand-written (`cores/common/rtl`); the slave of the registers and the top, which
only connects, are made for each core.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from lydite.base import digest
from lydite.base.errors import InputError
from lydite.base.files import write_atomic
from lydite.cores import Design
from lydite.cores.catalog import FOLDER
from lydite.hls.contract import register_map
from lydite.hls.contract.register_map import RegisterMap
from lydite.hls.emit import axi_lite
from lydite.sim import elaborate, framing
from lydite.sim.build import Sources, cache_folder, sources_of
from lydite.sim.stream import Face, Wire
from lydite.sim.testbed import registers
from lydite.sim.wiring import bundle, core_links, joined, resize, same, span
from lydite.tools.yosys import Port, literal

RTL: tuple[Path, ...] = tuple(
    FOLDER / "common" / "rtl" / f"{name}.v"
    for name in (
        "crossing",
        "fifo_async",
        "fifo_out",
        "job_control",
        "stream_narrow",
        "stream_watch",
        "stream_widen",
    )
)
# Words of a FIFO, as a power of two: four bursts of 16.
DEPTH_BITS = 6
_HEAD = f"// Made by Lydite for {registers.TOP}; do not edit. SPDX-License-Identifier: Apache-2.0"


class Wrapped(msgspec.Struct, frozen=True):
    """A testbed as files, and what is on its sides.

    Attributes
    ----------
    face : Face
        The DMA's streams.
    core : Face
        The core's, and the values that it holds.
    registers : RegisterMap
        The job's.
    """

    sources: Sources
    face: Face
    core: Face
    registers: RegisterMap

    @property
    def watched(self) -> str:
        """Give the handshakes at the core, for the harness."""
        sinks = [f"WATCH({wire.name}core_,true)" for wire in self.core.sinks]
        sources = [f"WATCH({wire.name}core_,false)" for wire in self.core.sources]
        return "".join((*sinks, *sources))


def wrap(design: Design, dma_bytes: int) -> Wrapped:
    """Put a design into a testbed whose DMA moves words of so many bytes.

    Raises
    ------
    InputError
        The design has a file of the testbed's, or not the ports of its contract.
    """
    inner = sources_of(design)
    for path in RTL:
        own = inner.files.get(path.name)
        # What a core has of the testbed's own files is there once.
        if own is not None and own.read_bytes() != path.read_bytes():
            what = f"{path.name} is a file of the testbed"
            raise InputError(str(own), what, "rename it")
    ports = elaborate.ports(inner)
    core = framing.face(ports, design)
    face = Face(
        sinks=tuple(_dma(wire, dma_bytes) for wire in core.sinks),
        sources=tuple(_dma(wire, _returned(wire, dma_bytes)) for wire in core.sources),
        lanes=core.lanes,
    )
    found = registers.describe(core.sources, core.registers)
    texts = {
        f"{registers.TOP}.v": _top(design, inner, ports, core, face, found),
        f"{axi_lite.name(registers.TOP)}.v": axi_lite.text(registers.TOP, found, _HEAD),
        f"{registers.TOP}_regs.h": register_map.header(registers.TOP, found),
        f"{registers.TOP}_regs.md": register_map.document(registers.TOP, found),
    }
    folder = cache_folder() / "testbed" / digest.of_value(texts)
    for name, text in texts.items():
        if not (folder / name).exists():
            write_atomic(folder / name, text)
    files = {path.name: path for path in RTL}
    files |= {name: folder / name for name in texts}
    sources = Sources(
        files={**inner.files, **files},
        top=registers.TOP,
        parameters={},
        includes=inner.includes,
        defines=inner.defines,
    )
    return Wrapped(sources, face, core, found)


def _dma(wire: Wire, dma_bytes: int) -> Wire:
    return Wire(name=wire.name, bytes=dma_bytes, has_user=wire.has_user, has_id=wire.has_id)


def _returned(wire: Wire, dma_bytes: int) -> int:
    """Give the bytes of a word of an output: words of several calls are not put into one."""
    return min(wire.bytes, dma_bytes) if wire.has_id else dma_bytes


def _top(
    design: Design,
    inner: Sources,
    ports: Sequence[Port],
    core: Face,
    face: Face,
    found: RegisterMap,
) -> str:
    """Write the module that connects everything."""
    widths = {port.name: port.width for port in ports}
    head = [_HEAD, "`default_nettype none", _OPEN, f"module {registers.TOP} ("]
    bus = [port for port in axi_lite.bus_ports(found) if port.name != _INTERRUPT]
    pins = [f"{port.direction} wire {span(port.width)}{port.name}" for port in bus]
    pins += [f"input wire {name}" for name in ("dma_clk", "dma_rst", "core_clk", "core_rst")]
    pins += [f"{d} wire {n}" for d, n in _EVENTS]
    pins += [f"output wire [63:0] {name}_o" for name in _TRANSFERS]
    pins += ["output wire lost_o"]
    body: list[str] = _control(core, found)
    ids = (core.lanes - 1).bit_length()
    links = [f".{design.clock}(core_clk)", f".{design.reset}(core_rst)"]
    for wire, outer in zip(core.sinks, face.sinks, strict=True):
        user = widths.get(f"{wire.name}user", 0)
        pins += _pins(outer, user, ids, "input", "output")
        body += _sink(wire, outer, user, ids)
        links += core_links(wire)
    for wire, outer in zip(core.sources, face.sources, strict=True):
        pins += _pins(outer, 0, ids, "output", "input")
        body += _source(wire, outer, ids)
        links += core_links(wire)
    links += [f".{one.port}(read_held_{one.port})" for one in core.registers]
    given = ", ".join(f".{name}({literal(value)})" for name, value in inner.parameters.items())
    body += [f"  {design.top} {f'#({given}) ' if given else ''}u_core (", joined(links), "  );"]
    return "\n".join(
        [*head, ",\n".join(f"    {pin}" for pin in pins), ");", *body, "endmodule", _END]
    )


# A stream may lack signals that all ways have.
_OPEN = "/* verilator lint_off UNUSEDSIGNAL */  // some streams have fewer signals"
_END = "/* verilator lint_on UNUSEDSIGNAL */\n`default_nettype wire\n"
# A word of C++, under which no harness finds it: the top calls it otherwise.
_INTERRUPT = "interrupt"
_EVENTS = (
    ("output", "interrupt_o"),
    ("output", "read_start_o"),
    ("input", "read_done_i"),
    ("output", "write_start_o"),
    ("input", "write_done_i"),
)
_TRANSFERS = ("source_address", "source_bytes", "destination_address", "destination_bytes")


def _pins(wire: Wire, user: int, ids: int, forward: str, back: str) -> list[str]:
    """Give the DMA's side of a stream, and what is watched of the core's."""
    name, wide = wire.name, 8 * wire.bytes
    pins = [f"{forward} wire {span(wide)}{name}data", f"{forward} wire {name}last"]
    pins += [f"{forward} wire [{wire.bytes - 1}:0] {name}keep", f"{forward} wire {name}valid"]
    pins += [f"{forward} wire {span(user)}{name}user"] if user else []
    pins += [f"{forward} wire {span(ids)}{name}id"] if ids else []
    pins += [f"{back} wire {name}ready"]
    return [*pins, *(f"output wire {name}core_{side}_o" for side in ("valid", "ready"))]


def _control(core: Face, found: RegisterMap) -> list[str]:
    """Write the registers and the job control."""
    taken = [item for item in found.registers if not item.writes]
    held = [item for item in taken if item.signal.startswith("held_")]
    # The lowest bits first: the last of a concatenation. Held ones stand lowest.
    order = [item for item in taken if item not in held] + held
    bits = sum(item.bits for item in order)
    lines = [f"  wire {span(port.width)}{port.name};" for port in axi_lite.inner_ports(found)]
    for side in ("read", "write"):
        lines += [f"  wire {span(item.bits)}{side}_{item.signal};" for item in order]
    lines += [f"  wire {wire.name}sent, {wire.name}lost;" for wire in core.sources]
    lost = " | ".join(f"{wire.name}lost" for wire in core.sources)
    lines += [f"  assign lost_o = {lost};"]
    lines += ["  assign ap_return_ap_vld = ap_done;", "  assign timer_ap_vld = ap_done;"]
    sides = {name: "read" if name.startswith("source") else "write" for name in _TRANSFERS}
    lines += [f"  assign {name}_o = {side}_{name};" for name, side in sides.items()]
    pins = [port.name for port in axi_lite.ports(found)]
    outer = {"ap_clk": "dma_clk", "ap_rst": "dma_rst", _INTERRUPT: f"{_INTERRUPT}_o"}
    slave = [f".{pin}({outer.get(pin, pin)})" for pin in pins]
    lines += [f"  {axi_lite.name(registers.TOP)} u_registers (", joined(slave), "  );"]
    every = {side: ", ".join(f"{side}{item.signal}" for item in order) for side in _SIDES}
    links = [".clk(dma_clk)", ".rst(dma_rst)", ".start_i(ap_start)", ".ready_o(ap_ready)"]
    links += [".done_o(ap_done)", ".idle_o(ap_idle)", f".job_i({{{every['']}}})"]
    links += [f".{side}job_o({{{every[side]}}})" for side in _SIDES if side]
    links += [f".{name}({name})" for _, name in _EVENTS if not name.startswith(_INTERRUPT)]
    links += [f".sent_i({' & '.join(f'{wire.name}sent' for wire in core.sources)})"]
    links += [".lost_i(lost_o)"]
    links += [f".hold_i({_INTERRUPT}_o)", ".code_o(ap_return)", ".time_o(timer)"]
    low = sum(item.bits for item in held)
    given = f".WIDTH({bits}), .HELD_BITS({low})"
    # Outputs of calls at once come in any order: those of two jobs could not be told apart.
    given += ", .ALONE(1)" if core.lanes > 1 else ""
    return [*lines, f"  job_control #({given}) u_control (", joined(links), "  );"]


_SIDES = ("", "read_", "write_")
# Clock and reset of the two sides.
_DMA, _CORE = ("dma_clk", "dma_rst"), ("core_clk", "core_rst")


def _word(prefix: str) -> str:
    return "{" + ", ".join(f"{prefix}{side}" for side in ("user", "last", "keep", "data")) + "}"


def _sink(wire: Wire, outer: Wire, user: int, ids: int) -> list[str]:
    """Write the way of an input: made wide before its FIFO, or narrow behind it."""
    name, dma, core = wire.name, outer.bytes, wire.bytes
    wide = max(dma, core)
    lines = bundle(f"{name}c_", user=user, bytes_=core)
    given, own = name, user
    if ids:  # what tells calls apart goes as the highest bits of tuser
        given, user = f"{name}d_", user + ids
        lines += bundle(given, user=user, bytes_=dma)
        lines += same(given, name, ("data", "keep", "last"))
        together = f"{{{name}id, {name}user}}" if own else f"{name}id"
        lines += [f"  assign {given}user = {together};"]
    lines += bundle(f"{name}w_", user=user, bytes_=wide)  # before the FIFO
    lines += bundle(f"{name}r_", user=user, bytes_=wide)  # behind it
    lines += bundle(f"{name}n_", user=user, bytes_=core)
    if not user:
        lines += [f"  wire {name}user = 1'b0;"]
    if core > dma:
        lines += resize("widen", _DMA, given, f"{name}w_", ratio=core // dma, narrow=dma, user=user)
    else:
        lines += same(f"{name}w_", given)
    links = [".wr_clk(dma_clk)", ".wr_rst(dma_rst)", ".rd_clk(core_clk)", ".rd_rst(core_rst)"]
    for side, prefix in (("wr", "w_"), ("rd", "r_")):
        way = ("i", "o") if side == "wr" else ("o", "i")
        links += [f".{side}_valid_{way[0]}({name}{prefix}valid)"]
        links += [f".{side}_ready_{way[1]}({name}{prefix}ready)"]
        links += [f".{side}_data_{way[0]}({_word(name + prefix)})"]
    width = 9 * wide + 1 + max(user, 1)
    sized = f".WIDTH({width}), .DEPTH_BITS({DEPTH_BITS})"
    lines += [f"  fifo_async #({sized}) u_{name}fifo (", joined(links), "  );"]
    if core < dma:
        lines += resize(
            "narrow", _CORE, f"{name}r_", f"{name}n_", ratio=dma // core, narrow=core, user=user
        )
    else:
        lines += same(f"{name}n_", f"{name}r_")
    if ids:
        lines += same(f"{name}c_", f"{name}n_", ("keep", "last"))
        low = f"{name}n_user[{own - 1}:0]" if own else "1'b0"
        high = f"{name}n_user[{user - 1}:{own}]" if own else f"{name}n_user"
        lines += [f"  assign {name}c_user = {low};", f"  wire {span(ids)}{name}c_id = {high};"]
    else:
        lines += same(f"{name}c_", f"{name}n_", ("keep", "last", "user"))
    lines += [f"  assign {name}c_data = {_ordered(f'{name}n_data', wire)};"]
    return lines + _watched(name)


def _source(wire: Wire, outer: Wire, ids: int) -> list[str]:
    """Write the way of an output, the other way round."""
    name, dma, core = wire.name, outer.bytes, wire.bytes
    wide = max(dma, core)
    lines = bundle(f"{name}c_", user=0, bytes_=core)
    for prefix in ("w_", "r_"):
        lines += bundle(f"{name}{prefix}", user=ids, bytes_=wide)
    lines += bundle(f"{name}n_", user=ids, bytes_=core)
    lines += [f"  wire {span(ids)}{name}c_id;"] if ids else []
    lines += [f"  assign {name}n_data = {_ordered(f'{name}c_data', wire)};"]
    keep = f"{name}c_keep" if wire.has_keep else f"{{{core}{{1'b1}}}}"
    last = f"{name}c_last" if wire.has_last else "1'b1"
    lines += [f"  assign {name}n_keep = {keep};", f"  assign {name}n_last = {last};"]
    told = f"{name}c_id" if ids else "1'b0"
    lines += [f"  assign {name}n_user = {told};", *same(f"{name}n_", f"{name}c_", ())]
    if core < dma:
        lines += resize(
            "widen", _CORE, f"{name}n_", f"{name}w_", ratio=dma // core, narrow=core, user=0
        )
    else:
        lines += same(f"{name}w_", f"{name}n_")
    links = [".wr_clk(core_clk)", ".wr_rst(core_rst)", ".rd_clk(dma_clk)", ".rd_rst(dma_rst)"]
    links += [f".wr_valid_i({name}w_valid)", f".wr_ready_o({name}w_ready)"]
    links += [f".wr_data_i({_bits(f'{name}w_', ids)})", f".wr_last_i({name}w_last)"]
    links += [".start_i(write_start_o)", f".length_i(write_{registers.packets(wire)})"]
    links += [".delay_i(write_start_delay)", f".sent_o({name}sent)"]
    links += [f".rd_valid_o({name}r_valid)", f".rd_ready_i({name}r_ready)"]
    links += [f".rd_data_o({_bits(f'{name}r_', ids)})", f".rd_last_o({name}r_last)"]
    given = f".WIDTH({9 * wide + ids}), .DEPTH_BITS({DEPTH_BITS})"
    lines += [f"  fifo_out #({given}) u_{name}fifo (", joined(links), "  );"]
    if not ids:
        lines += [f"  assign {name}r_user = 1'b0;"]
    if core > dma:
        lines += [f"  wire {span(ids)}{name}user;"]
        lines += resize("narrow", _DMA, f"{name}r_", name, ratio=core // dma, narrow=dma, user=ids)
        lines += [f"  assign {name}id = {name}user;"] if ids else []
    else:
        lines += same(name, f"{name}r_", ("data", "keep", "last"))
        lines += [f"  assign {name}id = {name}r_user;"] if ids else []
    return [*lines, *_watch(wire, keep, last, ids), *_watched(name)]


def _bits(prefix: str, ids: int) -> str:
    """Give what an output's FIFO keeps of a word, beside its end."""
    sides = ("user", "keep", "data") if ids else ("keep", "data")
    return "{" + ", ".join(f"{prefix}{side}" for side in sides) + "}"


def _watch(wire: Wire, keep: str, last: str, ids: int) -> list[str]:
    """Write what sees whether the core waits for the FIFO, and tells it to the DMA's side."""
    name = wire.name
    links = [".clk(core_clk)", ".rst(core_rst)", f".lost_o({name}losing)"]
    links += [f".{side}_i({name}c_{side})" for side in ("valid", "ready")]
    told = f"{name}c_id, " if ids else ""
    links += [f".word_i({{{told}{last}, {keep}, {name}c_data}})"]
    lines = [
        f"  wire {name}losing;",
        f"  stream_watch #(.WIDTH({9 * wire.bytes + 1 + ids})) u_{name}watch (",
    ]
    lines += [joined(links), "  );"]
    links = [".src_clk(core_clk)", ".src_rst(core_rst)", f".src_data_i({name}losing)"]
    links += [".dst_clk(dma_clk)", f".dst_data_o({name}lost)"]
    return [*lines, f"  crossing u_{name}lost (", joined(links), "  );"]


def _ordered(signal: str, wire: Wire) -> str:
    """Give data with the first byte lowest, or the other way round."""
    if not wire.big_endian:
        return signal
    lanes = [f"{signal}[{8 * lane + 7}:{8 * lane}]" for lane in range(wire.bytes)]
    return "{" + ", ".join(lanes) + "}"


def _watched(name: str) -> list[str]:
    return [f"  assign {name}core_{side}_o = {name}c_{side};" for side in ("valid", "ready")]
