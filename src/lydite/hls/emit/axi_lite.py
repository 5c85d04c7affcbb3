# SPDX-License-Identifier: Apache-2.0
"""The AXI4-Lite slave in front of registers for control and arguments.

One access at a time each way: an address is taken, then its data, then the answer is given. Every
ready and valid comes out of a register.
"""

from __future__ import annotations

from typing import Literal

from lydite.hls.contract.register_map import Register, RegisterMap
from lydite.hls.emit import check, printer
from lydite.hls.emit.settle import settle
from lydite.hls.emit.structure import (
    Arm,
    Assign,
    Case,
    Constant,
    Declare,
    Form,
    If,
    Instance,
    Item,
    Module,
    Net,
    Note,
    Port,
    Process,
    Write,
    pins,
    reg,
    unread,
    wire,
)
from lydite.hls.emit.verilog import literal

BUS = "s_axi_control"
_RESULT = "return"


def name(top: str) -> str:
    """Give the module's name."""
    return f"{top}_control_s_axi"


def bus_ports(found: RegisterMap) -> list[Port]:
    """Give the ports of the bus, and the interrupt."""
    bits = found.address_bits
    shapes: tuple[tuple[Literal["input", "output"], int, str], ...] = (
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
        # The word is common in C++.
        waiver = ("SYMRSVDWORD", "its name in Vitis")
        ports.append(Port("output", 1, "interrupt", waiver=waiver))
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


def instance(top: str, found: RegisterMap) -> list[Item]:
    """Declare what is between the slave and the function, and instantiate the slave."""
    inner, bus = inner_ports(found), bus_ports(found)
    items: list[Item] = [wire(port.name, port.width) for port in inner]
    if any(item.name == _RESULT for item in found.registers):
        items.append(Assign("ap_return_ap_vld", "ap_done"))
    names = ["ap_clk", "ap_rst", *(port.name for port in (*bus, *inner))]
    return [*items, Instance(name(top), "u_control", pins(**{each: each for each in names}))]


def ports(found: RegisterMap) -> tuple[Port, ...]:
    """Give all ports of the slave."""
    clock = (Port("input", 1, signal) for signal in ("ap_clk", "ap_rst"))
    return (*clock, *bus_ports(found), *inner_ports(found))


def text(top: str, found: RegisterMap, head: str) -> str:
    """Write the slave's module, for who has no design around it."""
    alone = settle(module(top, found, (head,)))
    return printer.text(alone, check.verify([alone], {})[alone.name])


def module(top: str, found: RegisterMap, head: tuple[str, ...]) -> Module[Item]:
    """Give the slave's module."""
    items = [*_bus(found), *_handshakes(found)]
    items += _control(found.address_bits) if found.control else []
    for item in found.registers:
        bits = found.address_bits
        items += _given_register(item, bits) if item.writes else _taken_register(item, bits)
    return Module(name(top), head, ports(found), (*items, Note(), _answer(found)))


def _bus(found: RegisterMap) -> list[Item]:
    """Declare the states of the bus, and what they give."""
    bits = found.address_bits
    states = ("ST_ADDRESS", "ST_DATA", "ST_ANSWER")
    given = {
        "AWREADY": "write_q == ST_ADDRESS",
        "WREADY": "write_q == ST_DATA",
        "BVALID": "write_q == ST_ANSWER",
        "BRESP": "2'd0",
        "ARREADY": "~read_q",
        "RVALID": "read_q",
        "RDATA": "data_q",
        "RRESP": "2'd0",
    }
    address = f"{BUS}_ARADDR[{bits - 1}:2]"
    mask = ", ".join(f"{{8{{{BUS}_WSTRB[{lane}]}}}}" for lane in (3, 2, 1, 0))
    return [
        *(Constant(state, 2, number) for number, state in enumerate(states)),
        Note(),
        reg("write_q", 2),
        reg("read_q", 1, "an answer waits"),
        Declare("reg", (Net("address_q", bits - 2, 2),)),
        reg("data_q", 32),
        Note(),
        wire("write", 1, f"{BUS}_WVALID & (write_q == ST_DATA)"),
        wire("read", 1, f"{BUS}_ARVALID & ~read_q"),
        Declare("wire", (Net("read_address", bits - 2, 2),), address),
        unread("low", f"{BUS}_AWADDR[1:0]", f"{BUS}_ARADDR[1:0]"),
        wire("mask", 32, f"{{{mask}}}"),
        Note(),
        *(Assign(f"{BUS}_{port}", text) for port, text in given.items()),
    ]


def _handshakes(found: RegisterMap) -> list[Item]:
    """Write how accesses go on."""
    goes_on = {
        "ST_ADDRESS": ("AWVALID", "ST_DATA"),
        "ST_DATA": ("WVALID", "ST_ANSWER"),
        "default": ("BREADY", "ST_ADDRESS"),
    }
    moves = {
        label: _inline(f"{BUS}_{signal}", Write("write_q", state))
        for label, (signal, state) in goes_on.items()
    }
    default = (moves.pop("default"),)
    arms = tuple(Arm((label,), (move,), form=Form.INLINE) for label, move in moves.items())
    resets = (Write("write_q", "ST_ADDRESS"), Write("read_q", literal(1, 0)))
    steps = (
        Case("write_q", arms, default),
        Write("read_q", f"read | (read_q & ~{BUS}_RREADY)"),
    )
    address = Write("address_q", f"{BUS}_AWADDR[{found.address_bits - 1}:2]")
    taken = _inline("write_q == ST_ADDRESS", address)
    return [Note(), Process((If("ap_rst", resets, steps), taken))]


def _answer(found: RegisterMap) -> Process:
    """Write what a read gives, by its address."""
    rows: list[tuple[int, str]] = []
    if found.control:
        rows += [
            (0x00, "{24'd0, restart_q, 3'd0, ready_q, ap_idle, done_q, start_q}"),
            (0x04, "{31'd0, global_q}"),
            (0x08, "{30'd0, enable_q}"),
            (0x0C, "{30'd0, status_q}"),
        ]
    for item in found.registers:
        for word in range(item.words):
            low, width = 32 * word, min(32, item.bits - 32 * word)
            part = f"{item.signal}_q"
            if item.bits > 1:
                part += f"[{low + width - 1}:{low}]"
            text = part if width == 32 else f"{{{literal(32 - width, 0)}, {part}}}"
            rows.append((item.offset + 4 * word, text))
        if item.writes and item.name != _RESULT:
            rows.append((item.control, f"{{31'd0, {item.signal}_given_q}}"))
    arms = tuple(
        Arm((literal(found.address_bits - 2, at // 4),), (Write("data_q", text),), form=Form.INLINE)
        for at, text in rows
    )
    choice = Case("read_address", arms, (Write("data_q", literal(32, 0)),))
    return Process((If("read", (choice,)),))


def _inline(condition: str, move: Write, *otherwise: If) -> If:
    return If(condition, (move,), otherwise, Form.INLINE)


def _at(signal: str, address: int, bits: int) -> str:
    return f"{signal} == {literal(bits - 2, address // 4)}"


def _control(bits: int) -> list[Item]:
    wrote = f"write & {BUS}_WSTRB[0]"
    data, events = f"{BUS}_WDATA", "enable_q & {ap_ready, ap_done}"
    flags = [Net(f"{word}_q", 1) for word in ("start", "done", "ready", "restart", "global")]
    vectors = [Net(f"{word}_q", 2) for word in ("enable", "status")]
    steps = (
        _inline(
            f"write_control & {data}[0]",
            Write("start_q", literal(1, 1)),
            _inline("ap_ready", Write("start_q", "restart_q")),
        ),
        Write("done_q", "ap_done | (done_q & ~read_control)"),
        Write("ready_q", "ap_ready | (ready_q & ~read_control)"),
        _inline("write_control", Write("restart_q", f"{data}[7]")),
        _inline(f"{wrote} & ({_at('address_q', 4, bits)})", Write("global_q", f"{data}[0]")),
        _inline(f"{wrote} & ({_at('address_q', 8, bits)})", Write("enable_q", f"{data}[1:0]")),
        Write("status_q", f"events | (status_q ^ ({data}[1:0] & {{2{{write_status}}}}))"),
    )
    resets = tuple(Write(net.name, literal(net.width, 0)) for net in (*flags, *vectors))
    return [
        Note(),
        Declare("reg", tuple(flags)),
        Declare("reg", tuple(vectors)),
        wire("write_control", 1, f"{wrote} & ({_at('address_q', 0, bits)})"),
        wire("read_control", 1, f"read & ({_at('read_address', 0, bits)})"),
        wire("write_status", 1, f"{wrote} & ({_at('address_q', 0x0C, bits)})"),
        wire("events", 2, events),
        Note(),
        Assign("ap_start", "start_q"),
        Assign("interrupt", "global_q & |status_q"),
        Note(),
        Process((If("ap_rst", resets, steps),)),
    ]


def _taken_register(item: Register, bits: int) -> list[Item]:
    """Write a register that the bus writes."""
    register = f"{item.signal}_q"
    moves: list[If] = []
    for word in range(item.words):
        low, width = 32 * word, min(32, item.bits - 32 * word)
        part = register if item.bits == 1 else f"{register}[{low + width - 1}:{low}]"
        some = f"[{width - 1}:0]" if width > 1 else "[0]"
        value = f"({BUS}_WDATA{some} & mask{some}) | ({part} & ~mask{some})"
        chosen = f"write & ({_at('address_q', item.offset + 4 * word, bits)})"
        moves.append(If(chosen, (Write(part, value),), form=Form.BELOW))
    return [
        Note(),
        reg(register, item.bits, item.name),
        Assign(item.signal, register),
        Process(tuple(moves)),
    ]


def _given_register(item: Register, bits: int) -> list[Item]:
    """Write a register that the hardware writes, with the bit that says so."""
    register, given = f"{item.signal}_q", _given(item)
    items: list[Item] = [
        Note(),
        reg(register, item.bits, item.name),
        Process((_inline(given, Write(register, item.signal)),), form=Form.INLINE),
    ]
    if item.name == _RESULT:
        return items
    flag = f"{item.signal}_given_q"
    looked = f"read & ({_at('read_address', item.control, bits)})"
    reset = If(
        "ap_rst",
        (Write(flag, literal(1, 0)),),
        (Write(flag, f"{given} | ({flag} & ~({looked}))"),),
        Form.INLINE,
    )
    return [*items, reg(flag, 1), Process((reset,))]
