# SPDX-License-Identifier: Apache-2.0
"""The AXI4-Lite slave in front of registers for control and arguments.

One access at a time each way: an address is taken, then its data, then the answer is given. Every
ready and valid comes out of a register.
"""

from __future__ import annotations

from lydite.hls.contract.register_map import Register, RegisterMap
from lydite.hls.emit.top import Port, module_text
from lydite.hls.emit.verilog import Signal, literal, span

BUS = "s_axi_control"
_RESULT = "return"


class _Interrupt(Signal):
    """The port that Vitis names so, though the word is common in C++."""

    @property
    def waiver(self) -> tuple[str, str]:
        return (
            "/* verilator lint_off SYMRSVDWORD */ ",
            " /* verilator lint_on SYMRSVDWORD */  // its name in Vitis",
        )


def name(top: str) -> str:
    """Give the module's name."""
    return f"{top}_control_s_axi"


def bus_ports(found: RegisterMap) -> list[Port]:
    """Give the ports of the bus, and the interrupt."""
    bits = found.address_bits
    shapes = (
        ("input", bits, "AWADDR"),
        ("input", 1, "AWVALID"),
        ("output", 1, "AWREADY"),
        ("input", 32, "WDATA"),
        ("input", 4, "WSTRB"),
        ("input", 1, "WVALID"),
        ("output", 1, "WREADY"),
        ("output", 2, "BRESP"),
        ("output", 1, "BVALID"),
        ("input", 1, "BREADY"),
        ("input", bits, "ARADDR"),
        ("input", 1, "ARVALID"),
        ("output", 1, "ARREADY"),
        ("output", 32, "RDATA"),
        ("output", 2, "RRESP"),
        ("output", 1, "RVALID"),
        ("input", 1, "RREADY"),
    )
    ports = [Port(way, width, f"{BUS}_{signal}") for way, width, signal in shapes]
    if found.control:
        ports.append(Port("output", 1, "interrupt", False, _Interrupt("interrupt", 1)))
    return ports


def inner_ports(found: RegisterMap) -> list[Port]:
    """Give the ports between the slave and the function, as the slave has them."""
    ports: list[Port] = []
    if found.control:
        ports.append(Port("output", 1, "ap_start"))
        ports += [Port("input", 1, f"ap_{signal}") for signal in ("done", "idle", "ready")]
    for item in found.registers:
        ports.append(Port("input" if item.writes else "output", item.bits, item.signal))
        if item.writes:
            ports.append(Port("input", 1, _given(item)))
    return ports


def _given(item: Register) -> str:
    """Give the signal that says that a value is there."""
    return "ap_return_ap_vld" if item.name == _RESULT else f"{item.signal}_ap_vld"


def instance(top: str, found: RegisterMap) -> list[str]:
    """Declare what is between the slave and the function, and instantiate the slave."""
    inner, bus = inner_ports(found), bus_ports(found)
    lines = [f"  wire {span(port.width)}{port.name};" for port in inner]
    if any(item.name == _RESULT for item in found.registers):
        lines.append("  assign ap_return_ap_vld = ap_done;")
    pins = ["ap_clk", "ap_rst", *(port.name for port in (*bus, *inner))]
    connections = ",\n".join(f"      .{pin}({pin})" for pin in pins)
    return [*lines, f"  {name(top)} u_control (", connections, "  );"]


def module_ports(found: RegisterMap) -> list[Port]:
    """Give all ports of the slave."""
    clock = [Port("input", 1, signal) for signal in ("ap_clk", "ap_rst")]
    return [*clock, *bus_ports(found), *inner_ports(found)]


def module(top: str, found: RegisterMap, head: str) -> str:
    """Write the slave's module."""
    what = "Registers behind an AXI4-Lite port: see the page of registers."
    return module_text(head, what, name(top), module_ports(found), body(found))


def body(found: RegisterMap) -> list[str]:
    """Write the slave's module without head and ports."""
    bits = found.address_bits
    lines = [
        "  localparam [1:0] ST_ADDRESS = 2'd0;",
        "  localparam [1:0] ST_DATA = 2'd1;",
        "  localparam [1:0] ST_ANSWER = 2'd2;",
        "",
        "  reg [1:0] write_q;",
        "  reg read_q;  // an answer waits",
        f"  reg [{bits - 1}:2] address_q;",
        "  reg [31:0] data_q;",
        "",
        f"  wire write = {BUS}_WVALID & (write_q == ST_DATA);",
        f"  wire read = {BUS}_ARVALID & ~read_q;",
        f"  wire [{bits - 1}:2] read_address = {BUS}_ARADDR[{bits - 1}:2];",
        f"  wire unused_low = &{{1'b0, {BUS}_AWADDR[1:0], {BUS}_ARADDR[1:0]}};",
        "  wire [31:0] mask = {"
        + ", ".join(f"{{8{{{BUS}_WSTRB[{lane}]}}}}" for lane in (3, 2, 1, 0))
        + "};",
        "",
        f"  assign {BUS}_AWREADY = write_q == ST_ADDRESS;",
        f"  assign {BUS}_WREADY = write_q == ST_DATA;",
        f"  assign {BUS}_BVALID = write_q == ST_ANSWER;",
        f"  assign {BUS}_BRESP = 2'd0;",
        f"  assign {BUS}_ARREADY = ~read_q;",
        f"  assign {BUS}_RVALID = read_q;",
        f"  assign {BUS}_RDATA = data_q;",
        f"  assign {BUS}_RRESP = 2'd0;",
        "",
        "  always @(posedge ap_clk) begin",
        "    if (ap_rst) begin",
        "      write_q <= ST_ADDRESS;",
        "      read_q <= 1'b0;",
        "    end else begin",
        "      case (write_q)",
        f"        ST_ADDRESS: if ({BUS}_AWVALID) write_q <= ST_DATA;",
        f"        ST_DATA: if ({BUS}_WVALID) write_q <= ST_ANSWER;",
        f"        default: if ({BUS}_BREADY) write_q <= ST_ADDRESS;",
        "      endcase",
        f"      read_q <= read | (read_q & ~{BUS}_RREADY);",
        "    end",
        f"    if (write_q == ST_ADDRESS) address_q <= {BUS}_AWADDR[{bits - 1}:2];",
        "  end",
    ]
    rows: list[tuple[int, str]] = []
    if found.control:
        lines += _control(bits)
        rows += [
            (0x00, "{24'd0, restart_q, 3'd0, ready_q, ap_idle, done_q, start_q}"),
            (0x04, "{31'd0, global_q}"),
            (0x08, "{30'd0, enable_q}"),
            (0x0C, "{30'd0, status_q}"),
        ]
    for item in found.registers:
        lines += _given_register(item, bits) if item.writes else _taken_register(item, bits)
        for word in range(item.words):
            low, width = 32 * word, min(32, item.bits - 32 * word)
            part = f"{item.signal}_q"
            if item.bits > 1:
                part += f"[{low + width - 1}:{low}]"
            text = part if width == 32 else f"{{{literal(32 - width, 0)}, {part}}}"
            rows.append((item.offset + 4 * word, text))
        if item.writes and item.name != _RESULT:
            rows.append((item.control, f"{{31'd0, {item.signal}_given_q}}"))
    lines += ["", "  always @(posedge ap_clk) begin", "    if (read) begin"]
    lines += ["      case (read_address)"]
    lines += [f"        {literal(bits - 2, at // 4)}: data_q <= {text};" for at, text in rows]
    return [*lines, "        default: data_q <= 32'd0;", "      endcase", "    end", "  end"]


def _at(signal: str, address: int, bits: int) -> str:
    return f"{signal} == {literal(bits - 2, address // 4)}"


def _control(bits: int) -> list[str]:
    wrote = f"write & {BUS}_WSTRB[0]"
    return [
        "",
        "  reg start_q, done_q, ready_q, restart_q, global_q;",
        "  reg [1:0] enable_q, status_q;",
        f"  wire write_control = {wrote} & ({_at('address_q', 0, bits)});",
        f"  wire read_control = read & ({_at('read_address', 0, bits)});",
        f"  wire write_status = {wrote} & ({_at('address_q', 0x0C, bits)});",
        "  wire [1:0] events = enable_q & {ap_ready, ap_done};",
        "",
        "  assign ap_start = start_q;",
        "  assign interrupt = global_q & |status_q;",
        "",
        "  always @(posedge ap_clk) begin",
        "    if (ap_rst) begin",
        "      start_q <= 1'b0;",
        "      done_q <= 1'b0;",
        "      ready_q <= 1'b0;",
        "      restart_q <= 1'b0;",
        "      global_q <= 1'b0;",
        "      enable_q <= 2'd0;",
        "      status_q <= 2'd0;",
        "    end else begin",
        f"      if (write_control & {BUS}_WDATA[0]) start_q <= 1'b1;",
        "      else if (ap_ready) start_q <= restart_q;",
        "      done_q <= ap_done | (done_q & ~read_control);",
        "      ready_q <= ap_ready | (ready_q & ~read_control);",
        f"      if (write_control) restart_q <= {BUS}_WDATA[7];",
        f"      if ({wrote} & ({_at('address_q', 4, bits)})) global_q <= {BUS}_WDATA[0];",
        f"      if ({wrote} & ({_at('address_q', 8, bits)})) enable_q <= {BUS}_WDATA[1:0];",
        f"      status_q <= events | (status_q ^ ({BUS}_WDATA[1:0] & {{2{{write_status}}}}));",
        "    end",
        "  end",
    ]


def _taken_register(item: Register, bits: int) -> list[str]:
    """Write a register that the bus writes."""
    register = f"{item.signal}_q"
    lines = ["", f"  reg {span(item.bits)}{register};  // {item.name}"]
    lines += [f"  assign {item.signal} = {register};", "  always @(posedge ap_clk) begin"]
    for word in range(item.words):
        low, width = 32 * word, min(32, item.bits - 32 * word)
        part = register if item.bits == 1 else f"{register}[{low + width - 1}:{low}]"
        span_text = f"[{width - 1}:0]" if width > 1 else "[0]"
        lines.append(f"    if (write & ({_at('address_q', item.offset + 4 * word, bits)}))")
        lines.append(
            f"      {part} <= ({BUS}_WDATA{span_text} & mask{span_text})"
            f" | ({part} & ~mask{span_text});"
        )
    return [*lines, "  end"]


def _given_register(item: Register, bits: int) -> list[str]:
    """Write a register that the hardware writes, with the bit that says so."""
    register, given = f"{item.signal}_q", _given(item)
    lines = ["", f"  reg {span(item.bits)}{register};  // {item.name}"]
    lines += [f"  always @(posedge ap_clk) if ({given}) {register} <= {item.signal};"]
    if item.name == _RESULT:
        return lines
    looked = f"read & ({_at('read_address', item.control, bits)})"
    return [
        *lines,
        f"  reg {item.signal}_given_q;",
        "  always @(posedge ap_clk) begin",
        f"    if (ap_rst) {item.signal}_given_q <= 1'b0;",
        f"    else {item.signal}_given_q <= {given} | ({item.signal}_given_q & ~({looked}));",
        "  end",
    ]
