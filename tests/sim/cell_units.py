# SPDX-License-Identifier: Apache-2.0
"""Small units in Verilog that Yosys maps to every kind of cell, to check the models against.

A unit is a body between `input clk`, `input [I-1:0] i` and `output [O-1:0] o`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    name: str
    inputs: int
    outputs: int
    body: str


def _logic() -> list[Unit]:
    units = [
        Unit("add", 48, 25, "assign o = i[23:0] + i[47:24];"),
        Unit("subtract", 66, 34, "assign o = i[32:0] - i[65:33];"),
        Unit(
            "less", 48, 2, "assign o = {i[23:0] < i[47:24], $signed(i[23:0]) < $signed(i[47:24])};"
        ),
        Unit("odd", 20, 1, "assign o = ^i;"),
        Unit("select", 37, 1, "assign o = i[i[36:32]];"),
        Unit("table", 7, 8, "assign o = {i, i[0]} * 8'd7 ^ (i >> 2);"),
        Unit("invert", 3, 3, "assign o = ~i;"),
        Unit("constant", 1, 3, "assign o = {2'b10, i};"),
    ]
    for edge in ("posedge", "negedge"):
        for value in (0, 1):
            for enable in ("", "if (i[2]) "):
                name = f"{edge}_{value}{'_enable' if enable else ''}"
                units += [
                    Unit(
                        f"ff_{name}",
                        4,
                        1,
                        f"reg q = {value}; assign o = q; always @({edge} clk) {enable}q <= i[0];",
                    ),
                    Unit(
                        f"ff_sync_{name}",
                        4,
                        1,
                        f"reg q = {value}; assign o = q; always @({edge} clk)"
                        f" if (i[1] & i[3]) q <= {value}; else {enable}q <= i[0];",
                    ),
                    Unit(
                        f"ff_async_{name}",
                        4,
                        1,
                        f"reg q = {value}; assign o = q; wire r = i[1] & i[3];"
                        f" always @({edge} clk or posedge r)"
                        f" if (r) q <= {value}; else {enable}q <= i[0];",
                    ),
                ]
    return units


def _content(width: int, depth: int) -> str:
    return (
        f"integer k; initial for (k = 0; k < {depth}; k = k + 1)"
        f" m[k] = (k * 40503 ^ k >> 3 ^ 64'd11400714819323198485 * k >> 17);"
    )


def _one_port(width: int, depth: int, *, style: str = "block", edge: str = "posedge") -> Unit:
    """One port writes, another reads."""
    bits = (depth - 1).bit_length()
    data = 2 * bits
    return Unit(
        f"ram_{style}_{width}x{depth}_{edge}",
        data + width + 2,
        width,
        f'(* ram_style = "{style}" *) reg [{width - 1}:0] m [0:{depth - 1}];\n'
        f"{_content(width, depth)}\n"
        f"wire [{bits - 1}:0] w = i[{bits - 1}:0], r = i[{data - 1}:{bits}];\n"
        f"reg [{width - 1}:0] q; assign o = q;\n"
        f"always @(posedge clk) if (i[{data + width}]) m[w] <= i[{data + width - 1}:{data}];\n"
        f"always @({edge} clk) if (i[{data + width + 1}]) q <= m[r];",
    )


def _unclocked(width: int, depth: int) -> Unit:
    bits = (depth - 1).bit_length()
    return Unit(
        f"ram_read_at_once_{width}x{depth}",
        2 * bits + width + 1,
        width,
        f"reg [{width - 1}:0] m [0:{depth - 1}];\n{_content(width, depth)}\n"
        f"assign o = m[i[{2 * bits - 1}:{bits}]];\n"
        f"always @(posedge clk) if (i[{2 * bits + width}])"
        f" m[i[{bits - 1}:0]] <= i[{2 * bits + width - 1}:{2 * bits}];",
    )


def _bytes(count: int, byte: int, depth: int, reset: str) -> Unit:
    """Write enables for each byte; an output that is reset."""
    bits, width = (depth - 1).bit_length(), count * byte
    at = 2 * bits
    more = " or posedge r" if reset == "async" else ""
    return Unit(
        f"ram_bytes_{count}x{byte}x{depth}_{reset}",
        at + width + count + 3,
        width,
        f'(* ram_style = "block" *) reg [{width - 1}:0] m [0:{depth - 1}];\n'
        f"{_content(width, depth)}\nreg [{width - 1}:0] q; assign o = q;\n"
        f"wire r = i[{at + width + count}] & i[{at + width + count + 1}];\ninteger b;\n"
        f"always @(posedge clk) for (b = 0; b < {count}; b = b + 1)"
        f" if (i[{at + width} + b])"
        f" m[i[{bits - 1}:0]][b*{byte}+:{byte}] <= i[{at}+b*{byte}+:{byte}];\n"
        f"always @(posedge clk{more}) if (r) q <= 0; else if (i[{at + width + count + 2}])"
        f" q <= m[i[{at - 1}:{bits}]];",
    )


def _two_ports(width: int, depth: int, mode: str) -> Unit:
    """Two ports that read and write; `mode` says what is read at a write."""
    bits = (depth - 1).bit_length()
    each = bits + width + 2
    ports = []
    for port in range(2):
        at = port * each
        # Both ports at one word at once is nobody's promise: each has a half.
        address = f"{{1'd{port}, i[{at + bits - 2}:{at}]}}"
        data = f"i[{at + bits + width - 1}:{at + bits}]"
        write, enable = f"i[{at + bits + width}]", f"i[{at + bits + width + 1}]"
        read = {
            "old": f"q{port} <= m[{address}];",
            "new": f"q{port} <= {write} ? {data} : m[{address}];",
            "kept": f"if (!{write}) q{port} <= m[{address}];",
        }[mode]
        ports.append(
            f"reg [{width - 1}:0] q{port};\nalways @(posedge clk) if ({enable}) begin\n"
            f"  if ({write}) m[{address}] <= {data};\n  {read}\nend"
        )
    return Unit(
        f"ram_two_ports_{width}x{depth}_{mode}",
        2 * each,
        2 * width,
        f'(* ram_style = "block", no_rw_check *) reg [{width - 1}:0] m [0:{depth - 1}];\n'
        f"{_content(width, depth)}\n" + "\n".join(ports) + "\nassign o = {q1, q0};",
    )


def _wide_and_narrow(width: int, depth: int, factor: int, *, write_wide: bool) -> Unit:
    """One port of `factor` words of the other's."""
    bits = (depth - 1).bit_length()
    low = (factor - 1).bit_length()
    wide = width * factor
    name = "write" if write_wide else "read"
    head = (
        f'(* ram_style = "block" *) reg [{width - 1}:0] m [0:{depth - 1}];\n'
        f"{_content(width, depth)}\ninteger b;\n"
    )
    at = 2 * bits
    narrow_address, wide_address = f"i[{bits - 1}:0]", f"i[{at - 1 - low}:{bits}]"
    if write_wide:
        body = (
            f"reg [{width - 1}:0] q; assign o = q;\nalways @(posedge clk) begin\n"
            f"for (b = 0; b < {factor}; b = b + 1) if (i[{at + wide}])"
            f" m[{{{wide_address}, b[{low - 1}:0]}}] <= i[{at}+b*{width}+:{width}];\n"
            f"q <= m[{narrow_address}];\nend"
        )
        return Unit(f"ram_wide_{name}_{wide}_{width}", at + wide + 1, width, head + body)
    body = (
        f"reg [{wide - 1}:0] q; assign o = q;\nalways @(posedge clk) begin\n"
        f"if (i[{at + width}]) m[{narrow_address}] <= i[{at + width - 1}:{at}];\n"
        f"for (b = 0; b < {factor}; b = b + 1)"
        f" q[b*{width}+:{width}] <= m[{{{wide_address}, b[{low - 1}:0]}}];\nend"
    )
    return Unit(f"ram_wide_{name}_{wide}_{width}", at + width + 1, wide, head + body)


def _rom() -> Unit:
    return Unit(
        "rom",
        11,
        13,
        '(* rom_style = "block" *) reg [12:0] m [0:1023];\n' + _content(13, 1024) + "\n"
        "reg [12:0] q; assign o = q;\nalways @(posedge clk) if (i[10]) q <= m[i[9:0]];",
    )


def _products(family: str) -> list[Unit]:
    widths = ((9, 9), (16, 16), (18, 18)) if family != "nexus" else ((9, 9), (18, 18), (18, 36))
    units = [
        Unit(
            f"multiply_{sign.strip()}{a}x{b}",
            a + b,
            a + b,
            f"wire {sign}[{a - 1}:0] a = i[{a - 1}:0];\n"
            f"wire {sign}[{b - 1}:0] b = i[{a + b - 1}:{a}];\nassign o = a * b;",
        )
        for a, b in widths
        for sign in ("", "signed ")
    ]
    clocked = "always @(posedge clk)"
    units += [
        Unit(
            "multiply_registers",
            34,
            32,
            "reg signed [15:0] a = 0, b = 0; reg signed [31:0] p = 0; assign o = p;\n"
            f"{clocked} if (i[32]) begin a <= i[15:0]; b <= i[31:16]; end\n"
            f"{clocked} if (i[33]) p <= a * b;",
        ),
        Unit(
            "multiply_reset",
            34,
            32,
            "reg [15:0] a = 0, b = 0; reg [31:0] p = 0; assign o = p;\n"
            f"{clocked} if (i[32] & i[33]) begin a <= 0; b <= 0; p <= 0; end\n"
            "else begin a <= i[15:0]; b <= i[31:16]; p <= a * b; end",
        ),
        Unit(
            "accumulate",
            34,
            32,
            "reg [31:0] p = 0; assign o = p;\n"
            f"{clocked} if (i[32] & i[33]) p <= 0; else p <= p + i[15:0] * i[31:16];",
        ),
        Unit(
            "subtract_product",
            33,
            32,
            "reg signed [31:0] p = 0; assign o = p; wire signed [15:0] a = i[15:0], b = i[31:16];\n"
            f"{clocked} if (i[32]) p <= p - a * b;",
        ),
        Unit("multiply_add", 64, 33, "assign o = i[15:0] * i[31:16] + i[63:32];"),
        Unit(
            "multiply_subtract",
            80,
            48,
            "wire signed [15:0] a = i[15:0], b = i[31:16]; wire signed [47:0] c = i[79:32];\n"
            "assign o = c - a * b;",
        ),
        Unit(
            "add_multiply",
            48,
            34,
            "wire [16:0] s = i[15:0] + i[31:16];\nassign o = s * i[47:32];",
        ),
    ]
    return units


def _shifted() -> list[Unit]:
    """Bits that leave a row of registers without a reset, one of them where an address says."""
    units = [
        Unit(
            f"shift_{length}_{edge}",
            2,
            1,
            f"reg [{length - 1}:0] q = {length}'d5; assign o = q[{length - 1}];\n"
            f"always @({edge} clk) if (i[1]) q <= {{q[{length - 2}:0], i[0]}};",
        )
        for length in (9, 31, 75)
        for edge in ("posedge", "negedge")
    ]
    units.append(
        Unit(
            "shift_where",
            7,
            1,
            "reg [31:0] q = 0; assign o = q[i[6:2]];\n"
            "always @(posedge clk) if (i[1]) q <= {q[30:0], i[0]};",
        )
    )
    return units


def _many_ports(width: int, depth: int, readers: int) -> Unit:
    """Reads without a clock at several addresses, one of them that of the port that writes."""
    bits = (depth - 1).bit_length()
    at = bits * readers
    reads = ", ".join(f"m[i[{k * bits + bits - 1}:{k * bits}]]" for k in range(readers))
    return Unit(
        f"ram_{readers}_readers_{width}x{depth}",
        at + width + 1,
        width * readers,
        f'(* ram_style = "distributed" *) reg [{width - 1}:0] m [0:{depth - 1}];\n'
        f"{_content(width, depth)}\nassign o = {{{reads}}};\n"
        f"always @(posedge clk) if (i[{at + width}])"
        f" m[i[{bits - 1}:0]] <= i[{at + width - 1}:{at}];",
    )


def _xilinx() -> list[Unit]:
    """RAM in logic and shift registers of Xilinx' families, and their larger block RAMs."""
    found = [*_shifted(), _unclocked(4, 64), _many_ports(1, 128, 1), _many_ports(1, 256, 1)]
    found += [_many_ports(2, depth, readers) for depth in (32, 64) for readers in (1, 2, 4)]
    found += [_many_ports(1, depth, 2) for depth in (32, 64, 128, 256)]
    found += [_one_port(72, 512), _one_port(9, 4096), _bytes(8, 9, 512, "sync")]
    found += [_two_ports(width, 2048, mode) for width, mode in ((18, "old"), (9, "new"))]
    found += [
        Unit(
            "add_first",
            50,
            35,
            "wire signed [15:0] a = i[15:0], d = i[31:16]; wire signed [17:0] b = i[49:32];\n"
            "reg signed [16:0] s = 0; always @(posedge clk) s <= a + d;\n"
            "reg signed [34:0] p = 0; assign o = p; always @(posedge clk) p <= s * b;",
        ),
        Unit(
            "product_extended",
            34,
            42,
            "reg signed [16:0] s = 0; wire signed [17:0] b = i[33:16];\n"
            "always @(posedge clk) s <= $signed(i[15:0]) + b[17:2];\n"
            "reg signed [41:0] p = 0; assign o = p; always @(posedge clk) p <= s * b;",
        ),
        Unit(
            "multiply_wide",
            80,
            80,
            "wire [39:0] a = i[39:0], b = i[79:40]; assign o = a * b;",
        ),
        Unit(
            "registers_twice",
            33,
            32,
            "reg signed [15:0] a = 0, b = 0, c = 0, d = 0; reg signed [31:0] m = 0, p = 0;\n"
            "assign o = p; always @(posedge clk) if (i[32]) begin a <= i[15:0]; c <= a;"
            " b <= i[31:16]; d <= b; m <= c * d; p <= m; end",
        ),
    ]
    return found


def small() -> list[Unit]:
    """Give units of logic, flip-flops, shift registers and RAM in logic, which map in seconds."""
    return [*_logic(), *_shifted(), _many_ports(2, 32, 2), _unclocked(4, 64)]


def units(family: str) -> list[Unit]:
    """Give the units whose cells a family has."""
    found = [*_logic(), *_products(family), _rom(), _one_port(16, 64), _one_port(8, 64)]
    found += [_one_port(4, 64), _one_port(2, 64), _one_port(16, 32, edge="negedge")]
    if family == "ice40":
        return found
    found += [_one_port(1, 64), _one_port(9, 64), _one_port(18, 64), _one_port(36, 64)]
    found += [_bytes(2, 9, 64, "sync"), _bytes(4, 9, 64, "async"), _bytes(4, 8, 64, "sync")]
    # Nexus reads nothing at a write; ECP5 can read either word.
    modes = ("kept", "kept", "kept") if family == "nexus" else ("old", "new", "kept")
    found += [_two_ports(width, 64, mode) for width, mode in zip((18, 9, 4), modes, strict=True)]
    found += [_wide_and_narrow(9, 64, 4, write_wide=wide) for wide in (True, False)]
    found += [_wide_and_narrow(1, 64, 8, write_wide=wide) for wide in (True, False)]
    found += [_unclocked(4, 16), _unclocked(7, 32)]
    return found + _xilinx() if family in ("xc7", "xcu") else found


def module(found: list[Unit], top: str) -> str:
    """Give a module with all units, their inputs and outputs one after the other."""
    text = []
    instances = []
    at_in = at_out = 0
    for unit in found:
        text.append(
            f"module unit_{unit.name} (input clk, input [{unit.inputs - 1}:0] i,"
            f" output [{unit.outputs - 1}:0] o);\n{unit.body}\nendmodule\n"
        )
        instances.append(
            f"  unit_{unit.name} u_{unit.name} (.clk(clk), .i(i[{at_in}+:{unit.inputs}]),"
            f" .o(o[{at_out}+:{unit.outputs}]));"
        )
        at_in += unit.inputs
        at_out += unit.outputs
    head = f"module {top} (input clk, input [{at_in - 1}:0] i, output [{at_out - 1}:0] o);"
    return "\n".join([*text, head, *instances, "endmodule", ""])
