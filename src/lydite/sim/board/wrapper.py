# SPDX-License-Identifier: Apache-2.0
"""The hardware between a core and a UART: a bridge, FIFOs between two clocks, resets, a meter.

The bridge has the crystal's clock, the core that of the PLL. A job waits in the input FIFOs until
all of it is there; then it is let go, so that the core is fed without a pause however slow the line
is. Each word that the core gives goes into a FIFO with the cycle in which it came. The modules are
hand-written (`cores/common/rtl`); the tops, which only connect, are made for each core.
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
from lydite.sim import elaborate, framing
from lydite.sim.build import Sources, cache_folder, sources_of
from lydite.sim.stream import Face, Wire
from lydite.sim.wiring import bundle, core_links, joined, span
from lydite.targets.boards import Board, Fitted
from lydite.tools.yosys import Port, literal

TOP = "lydite_board"
INNER = "lydite_board_core"
CORE = "u_board.u_core"
CORE_CLOCK = "core_clk"
RTL: tuple[Path, ...] = tuple(
    FOLDER / "common" / "rtl" / f"{name}.v"
    for name in (
        "board_bridge",
        "board_meter",
        "board_reset",
        "board_stamp",
        "crc16_step",
        "crossing",
        "fifo_async",
        "record_in",
        "record_out",
        "stream_stage",
        "uart_receive",
        "uart_send",
    )
)
PLLS = {kind: FOLDER / "common" / "rtl" / f"pll_{kind}.v" for kind in ("ecp5", "ice40")}
VERSION = 1
STAMP_BITS = 24
# The stream of what the board says of itself: id, version, edges of the core's clock, from below.
INFO, INFO_BYTES = 15, 8
METER_DIVIDED, METER_WINDOW = 8, 16
_MAX_STREAMS = 14
_HEAD = "// Made by Lydite for a board; do not edit. SPDX-License-Identifier: Apache-2.0"
_OPEN = "/* verilator lint_off UNUSEDSIGNAL */  // some streams have fewer signals"
_END = "/* verilator lint_on UNUSEDSIGNAL */\n`default_nettype wire\n"


class OnBoard(msgspec.Struct, frozen=True):
    """A core with what joins it to a UART.

    Attributes
    ----------
    sources : Sources
        Of module INNER, without a PLL: both clocks come in.
    core : Face
        The core's streams, and the values that it holds.
    user : tuple of int
        Bits of `tuser` of each input, 0 without.
    words : int
        That a FIFO holds.
    divider : int
        Cycles of the crystal's clock in a bit of the UART.
    identity : int
        32 bits that tell this hardware from other.
    """

    sources: Sources
    core: Face
    user: tuple[int, ...]
    words: int
    divider: int
    identity: int


def sink_bytes(wire: Wire, user: int) -> int:
    """Give the bytes of an input's record: data, a bit of each byte, `tlast`, `tuser`."""
    return max(-(-(9 * wire.bytes + 1 + max(user, 1)) // 8), 2)


def source_bytes(wire: Wire) -> int:
    """Give the bytes of an output's record: data, keep, `tlast`, cycle; the highest bit: is one."""
    return -(-(9 * wire.bytes + 1 + STAMP_BITS + 1) // 8)


def wrap(design: Design, board: Board, *, divider: int = 0) -> OnBoard:
    """Join a design to the UART of a board.

    Parameters
    ----------
    divider : int
        Cycles of a bit of the UART, where a simulation is to be quicker than the board.

    Raises
    ------
    InputError
        The design has several calls at once, a file of the board's, or not the ports of its
        contract.
    """
    inner = sources_of(design)
    if design.interleaved > 1:
        what = f"has {design.interleaved} calls at once, told apart by tid"
        raise InputError(design.label, what, "a board has one call after the other")
    for path in (*RTL, *PLLS.values()):
        if path.name in inner.files:
            what = f"{path.name} is a file of the board's hardware"
            raise InputError(str(inner.files[path.name]), what, "rename it")
    ports = elaborate.ports(inner)
    core = framing.face(ports, design)
    if max(len(core.sinks) + 1, len(core.sources)) > _MAX_STREAMS:
        raise InputError(design.label, f"has more than {_MAX_STREAMS} streams on a side")
    widths = {port.name: port.width for port in ports}
    user = tuple(widths.get(f"{wire.name}user", 0) for wire in core.sinks)
    bits = divider or board.divider
    made = [inner.digest, board.words, bits, [digest.of_file(path) for path in RTL]]
    identity = int(digest.of_value({"version": VERSION, "made": made})[:8], 16)
    text = _inner(design, inner, ports, core, user, board.words, bits, identity)
    path = cache_folder() / "board" / digest.of_value(text) / f"{INNER}.v"
    if not path.exists():
        write_atomic(path, text)
    files = {one.name: one for one in RTL} | {path.name: path}
    sources = Sources(
        files={**inner.files, **files},
        top=INNER,
        parameters={},
        includes=inner.includes,
        defines=inner.defines,
    )
    return OnBoard(sources, core, user, board.words, bits, identity)


def top(fitted: Fitted) -> str:
    """Write the module of a board's pins: PLL, polarity of pins, and INNER."""
    board = fitted.board
    pins = ["input wire clk_i", "input wire rx_i", "output wire tx_o", "output wire led_o"]
    pins += ["input wire button_i"] * (board.button is not None)
    pins += [f"output wire tied_{n}_o" for n in range(len(board.tied))]
    button = "1'b0"
    if board.button is not None:
        button = "~button_i" if board.button.low else "button_i"
    pad = f".PAD({int(board.clock_through_pll)})"
    given = f"#({pad}) " if fitted.kind == "ice40" else ""
    links = [".crystal_i(clk_i)", ".clk_o(clk)", f".core_clk_o({CORE_CLOCK})"]
    lines = [_HEAD, "`default_nettype none", f"module {TOP} ("]
    lines += [",\n".join(f"    {pin}" for pin in pins), ");"]
    lines += [f"  wire clk, {CORE_CLOCK}, locked, light;"]
    lines += [f"  pll_{fitted.kind} {given}u_pll (", joined([*links, ".locked_o(locked)"]), "  );"]
    links = [".clk(clk)", f".core_clk({CORE_CLOCK})", ".locked_i(locked)", f".button_i({button})"]
    links += [".rx_i(rx_i)", ".tx_o(tx_o)", ".led_o(light)"]
    lines += [f"  {INNER} u_board (", joined(links), "  );"]
    lines += [f"  assign led_o = {'~' if board.led.low else ''}light;"]
    lines += [f"  assign tied_{n}_o = 1'b{int(not pin.low)};" for n, pin in enumerate(board.tied)]
    return "\n".join([*lines, "endmodule", "`default_nettype wire\n"])


def _inner(
    design: Design,
    inner: Sources,
    ports: Sequence[Port],
    core: Face,
    user: Sequence[int],
    words: int,
    divider: int,
    identity: int,
) -> str:
    """Write the module that connects bridge, FIFOs and core."""
    pins = [f"input wire {name}" for name in ("clk", CORE_CLOCK, "locked_i", "button_i", "rx_i")]
    lines = [_HEAD, "`default_nettype none", _OPEN, f"module {INNER} ("]
    lines += [",\n".join(f"    {pin}" for pin in [*pins, "output wire tx_o", "output wire led_o"])]
    lines += [");", *_bridge(core, identity, divider)]
    links = [f".{design.clock}({CORE_CLOCK})", f".{design.reset}(core_rst)"]
    depth = words.bit_length() - 1
    for number, (wire, bits) in enumerate(zip(core.sinks, user, strict=True)):
        lines += _sink(wire, number, bits, depth)
        links += core_links(wire)
    for number, wire in enumerate(core.sources):
        lines += _source(wire, number, depth)
        links += core_links(wire)
    lines += _held(core)
    links += [f".{one.port}(held_{one.port})" for one in core.registers]
    given = ", ".join(f".{name}({literal(value)})" for name, value in inner.parameters.items())
    lines += [f"  {design.top} {f'#({given}) ' if given else ''}u_core (", joined(links), "  );"]
    return "\n".join([*lines, "endmodule", _END])


def _bridge(core: Face, identity: int, divider: int) -> list[str]:
    """Write bridge, resets, start, stamp, and what the board says of itself."""
    lines = [
        "  wire rst, clear, cleared, clear_rst, core_rst, go, open, write, reading, read;",
        "  wire [3:0] stream;",
        "  wire [7:0] write_byte;",
        "  reg [7:0] read_byte;",
        f"  wire [{STAMP_BITS - 1}:0] stamp;",
        "  wire [15:0] edges;",
        "  wire measured;",
        "  assign led_o = locked_i;",
    ]
    losses = [f"{wire.name}lost" for wire in core.sinks]
    lines += [f"  wire {', '.join(losses)};"]
    links = [".clk(clk)", f".core_clk({CORE_CLOCK})", ".button_i(button_i)", ".clear_i(clear)"]
    links += [".cleared_o(cleared)", ".rst_o(rst)", ".clear_rst_o(clear_rst)"]
    lines += ["  board_reset u_reset (", joined([*links, ".core_rst_o(core_rst)"]), "  );"]
    links = [".clk(clk)", ".rst(rst)", ".rx_i(rx_i)", ".tx_o(tx_o)", ".clear_o(clear)"]
    links += [".cleared_i(cleared)", ".go_o(go)", f".overflow_i({' | '.join(losses)})"]
    links += [".locked_i(locked_i)", ".stream_o(stream)", ".write_byte_o(write_byte)"]
    links += [".write_o(write)", ".reading_o(reading)", ".read_byte_i(read_byte)", ".read_o(read)"]
    lines += [f"  board_bridge #(.DIVIDER({divider})) u_bridge (", joined(links), "  );"]
    links = [".src_clk(clk)", ".src_rst(clear_rst)", ".src_data_i(go)"]
    links += [f".dst_clk({CORE_CLOCK})", ".dst_data_o(open)"]
    lines += ["  crossing u_open (", joined(links), "  );"]
    links = [f".clk({CORE_CLOCK})", ".rst(~open)", ".cycles_o(stamp)"]
    lines += ["  board_stamp u_stamp (", joined(links), "  );"]
    links = [".clk(clk)", ".rst(rst)", ".edges_o(edges)", ".valid_o(measured)"]
    links += [f".measured_clk({CORE_CLOCK})"]
    given = f".DIVIDED_BITS({METER_DIVIDED}), .WINDOW_BITS({METER_WINDOW})"
    lines += [f"  board_meter #({given}) u_meter (", joined(links), "  );"]
    reads = [(n, wire.name, source_bytes(wire)) for n, wire in enumerate(core.sources)]
    for number, name, size in [*reads, (INFO, "info_", INFO_BYTES)]:
        lines += [f"  wire [7:0] {name}byte;", f"  wire {name}valid, {name}ready;"]
        lines += [f"  wire {span(8 * size - 1)}{name}record;"]
        links = [".clk(clk)", ".start_i(reading)", f".record_i({name}record)"]
        links += [f".valid_i({name}valid)", f".ready_o({name}ready)", f".byte_o({name}byte)"]
        links += [f".take_i(read & (stream == 4'd{number}))"]
        lines += [f"  record_out #(.BYTES({size})) u_{name}out (", joined(links), "  );"]
    lines += ["  always @*", "    case (stream)"]
    lines += [f"      4'd{number}: read_byte = {name}byte;" for number, name, _ in reads]
    lines += ["      default: read_byte = info_byte;", "    endcase"]
    lines += [f"  assign info_record = {{7'd0, edges, 8'd{VERSION}, 32'd{identity}}};"]
    return [*lines, "  assign info_valid = measured;"]


def _fifo(name: str, width: int, depth: int, ends: tuple[str, str], resets: tuple[str, str]) -> str:
    """Write a FIFO between two clocks, of the nets `NAMEw_` and `NAMEr_`."""
    links = [f".wr_clk({ends[0]})", f".wr_rst({resets[0]})"]
    links += [f".rd_clk({ends[1]})", f".rd_rst({resets[1]})"]
    links += [f".wr_valid_i({name}w_valid)", f".wr_ready_o({name}w_ready)"]
    links += [f".wr_data_i({name}w_word)", f".rd_valid_o({name}r_valid)"]
    links += [f".rd_ready_i({name}r_ready)", f".rd_data_o({name}r_word)"]
    given = f".WIDTH({width}), .DEPTH_BITS({depth})"
    nets = f"  wire {name}w_valid, {name}w_ready, {name}r_valid, {name}r_ready;\n"
    nets += f"  wire {span(width)}{name}w_word, {name}r_word;\n"
    return f"{nets}  fifo_async #({given}) u_{name}fifo (\n{joined(links)}\n  );"


def _stage(name: str, width: int, before: tuple[str, str, str], after: tuple[str, str, str]) -> str:
    """Write a stage of registers beside the core; nets are valid, ready, word."""
    links = [f".clk({CORE_CLOCK})", ".rst(core_rst)"]
    sides = [
        ("in_valid_i", "in_ready_o", "in_word_i"),
        ("out_valid_o", "out_ready_i", "out_word_o"),
    ]
    for names, nets in zip(sides, (before, after), strict=True):
        links += [f".{port}({net})" for port, net in zip(names, nets, strict=True)]
    return f"  stream_stage #(.WIDTH({width})) u_{name}stage (\n{joined(links)}\n  );"


def _sink(wire: Wire, number: int, user: int, depth: int) -> list[str]:
    """Write the way of an input: bytes, records, FIFO, gate, stage."""
    name = wire.name
    size = sink_bytes(wire, user)
    width = 9 * wire.bytes + 1 + max(user, 1)
    lines = [*bundle(f"{name}c_", user=user, bytes_=wire.bytes)]
    lines += [_fifo(name, width, depth, ("clk", CORE_CLOCK), ("clear_rst", "core_rst"))]
    lines += [f"  wire {span(8 * size)}{name}record;", f"  wire {name}go_ready;"]
    links = [".clk(clk)", ".rst(clear_rst)", ".byte_i(write_byte)"]
    links += [f".valid_i(write & (stream == 4'd{number}))", f".record_o({name}record)"]
    links += [f".valid_o({name}w_valid)", f".ready_i({name}w_ready)", f".lost_o({name}lost)"]
    lines += [f"  record_in #(.BYTES({size})) u_{name}in (", joined(links), "  );"]
    lines += [f"  assign {name}w_word = {name}record[{width - 1}:0];"]
    lines += [f"  assign {name}r_ready = open & {name}go_ready;"]
    sides = "{" + ", ".join(f"{name}c_{side}" for side in ("user", "last", "keep", "data")) + "}"
    before = (f"open & {name}r_valid", f"{name}go_ready", f"{name}r_word")
    lines += [_stage(name, width, before, (f"{name}c_valid", f"{name}c_ready", sides))]
    return lines


def _source(wire: Wire, number: int, depth: int) -> list[str]:
    """Write the way of an output: stage, stamp, FIFO; its records are read by the bridge."""
    name = wire.name
    width = 9 * wire.bytes + 1
    lines = bundle(f"{name}c_", user=0, bytes_=wire.bytes)
    keep = f"{name}c_keep" if wire.has_keep else f"{{{wire.bytes}{{1'b1}}}}"
    last = f"{name}c_last" if wire.has_last else "1'b0"
    full = width + STAMP_BITS
    lines += [_fifo(name, full, depth, (CORE_CLOCK, "clk"), ("core_rst", "clear_rst"))]
    lines += [f"  wire {span(width)}{name}word;", f"  assign {name}w_word = {{stamp, {name}word}};"]
    before = (f"{name}c_valid", f"{name}c_ready", f"{{{last}, {keep}, {name}c_data}}")
    lines += [_stage(name, width, before, (f"{name}w_valid", f"{name}w_ready", f"{name}word"))]
    spare = 8 * source_bytes(wire) - 1 - full
    high = f"{spare}'d0, " if spare else ""
    lines += [f"  assign {name}record = {{{high}{name}r_word}};"]
    lines += [f"  assign {name}valid = {name}r_valid;"]
    return [*lines, f"  assign {name}r_ready = {name}ready;"]


def _held(core: Face) -> list[str]:
    """Write the values that the core holds: they stand while a job runs, and cross as they are."""
    if not core.registers:
        return []
    size = held_bytes(core)
    lines = [f"  wire {span(8 * size)}held;", "  wire held_valid, held_lost;"]
    links = [".clk(clk)", ".rst(clear_rst)", ".byte_i(write_byte)", ".ready_i(1'b1)"]
    links += [f".valid_i(write & (stream == 4'd{len(core.sinks)}))", ".record_o(held)"]
    links += [".valid_o(held_valid)", ".lost_o(held_lost)"]
    lines += [f"  record_in #(.BYTES({size})) u_held (", joined(links), "  );"]
    at = 0
    for one in core.registers:
        lines += [f"  wire {span(8 * one.bytes)}held_{one.port} = held[{at}+:{8 * one.bytes}];"]
        at += 8 * one.bytes
    return lines


def held_bytes(core: Face) -> int:
    """Give the bytes of all values that the core holds, in one record."""
    return max(sum(one.bytes for one in core.registers), 2)
