# SPDX-License-Identifier: Apache-2.0
"""Which protocol each argument and the whole function get: the `interface` directives of the top.

Vitis HLS guide (UG1399), "pragma HLS interface" and "Interfaces for Vivado IP flow". What is not
had is a warning, and the port is what it is without the directive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, get_args

from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import Interface
from lydite.hls.contract.interface import REGISTERS, BlockProtocol, Mode, Registers
from lydite.hls.frontend.program import Program
from lydite.hls.lower.signature import TopArg, TopArgs

RETURN = "return"
# By what an argument is: its own protocol first.
_LITE: Final = "s_axilite"
_SCALAR: tuple[Mode, ...] = (
    *("ap_none", "ap_stable", "ap_vld", "ap_ack", "ap_hs", "ap_fifo", "axis", _LITE),
)
_POINTER: tuple[Mode, ...] = (
    *("ap_memory", "ap_none", "ap_stable", "ap_vld", "ap_ovld", "ap_ack"),
    *("ap_hs", "ap_fifo", "axis", _LITE),
)
_ARRAY: tuple[Mode, ...] = ("ap_memory", "ap_fifo", "axis", "ap_hs")
_STREAM: tuple[Mode, ...] = ("axis",)
_BLOCK: tuple[BlockProtocol, ...] = get_args(BlockProtocol)


@dataclass(frozen=True, slots=True)
class Protocols:
    """What was decided.

    Attributes
    ----------
    block : str
        `ap_ctrl_hs` or `ap_ctrl_none`.
    args : mapping of str to str
        Protocol of each argument, by name, where it is not its own.
    control : bool
        Start and end of a call, and the result, are behind the bus.
    lite : tuple of str
        Arguments behind the bus, in C order; pointers among them have `s_axilite` in `args`.
    registers : mapping of str to str
        What `register_mode` asks for of arguments that are AXI4-Streams.
    """

    block: BlockProtocol = "ap_ctrl_hs"
    args: Mapping[str, Mode] = field(default_factory=dict)
    control: bool = False
    lite: tuple[str, ...] = ()
    registers: Mapping[str, Registers] = field(default_factory=dict)


def resolve(program: Program, top_args: TopArgs) -> tuple[Protocols, list[Diagnostic]]:
    """Read the `interface` directives of a program."""
    warnings: list[Diagnostic] = []
    known = {arg.name: arg for arg in top_args.args if arg.index >= 0}
    args: dict[str, Mode] = {}
    block: BlockProtocol = "ap_ctrl_hs"
    control = False
    lite: set[str] = set()
    registers: dict[str, Registers] = {}
    for symbol, number in program.function_directives:
        directive = program.directives[number]
        if not isinstance(directive, Interface):
            continue

        def warn(what: str, where: str = directive.where) -> None:
            warnings.append(Diagnostic(where, f"pragma HLS interface: {what}"))

        name = directive.port
        if symbol != program.symbol:
            warn("it stands in a function that is not the top one: ignored")
        elif not directive.mode:
            warn("without a mode: ignored")
        elif name == RETURN:
            if directive.mode == _LITE:
                control = True
            elif directive.mode in _BLOCK:
                block = next(item for item in _BLOCK if item == directive.mode)
            else:
                warn(f"mode {directive.mode} on return is not had: it stays {block}")
        elif name not in known:
            listed = ", ".join([*known, RETURN])
            warn(f"there is no argument {name or '(no port given)'}: ignored; known: {listed}")
        else:
            legal = _legal(known[name])
            mode = next((item for item in legal if item == directive.mode), None)
            if mode is None:
                what = f"mode {directive.mode} is not had for {name}, which is {_what(known[name])}"
                warn(f"{what}: it stays {legal[0]}; had: {', '.join(legal)}")
            elif mode == _LITE:
                lite.add(name)
                if known[name].is_pointer:
                    args[name] = _LITE
            elif mode != legal[0] and (mode != "ap_stable" or known[name].is_pointer):
                args[name] = "ap_none" if mode == "ap_stable" else mode
            if mode == "axis" and directive.register_mode:
                registers[name] = next(one for one in REGISTERS if one == directive.register_mode)
            for option in _unheard(directive, mode or legal[0]):
                warn(f"option {option} is not honoured")
    if block == "ap_ctrl_none":
        warnings += _needs_start(top_args, args, program)
    if control and block != "ap_ctrl_hs":
        warnings.append(Diagnostic("", "s_axilite on return needs ap_ctrl_hs: it is that"))
        block = "ap_ctrl_hs"
    order = tuple(arg.name for arg in top_args.args if arg.name in lite)
    return Protocols(block, args, control, order, registers), warnings


def _legal(arg: TopArg) -> tuple[Mode, ...]:
    if arg.is_stream:
        return _STREAM
    if arg.is_scalar:
        return _SCALAR
    return _POINTER if arg.is_pointer else _ARRAY


def _what(arg: TopArg) -> str:
    if arg.is_stream:
        return "a stream"
    if arg.is_scalar:
        return "a scalar"
    return "a pointer to a scalar" if arg.is_pointer else "an array"


def _unheard(directive: Interface, mode: Mode) -> list[str]:
    """Give the options that change nothing here but would in Vitis."""
    found = []
    if directive.register_mode not in ("", "both") and mode != "axis":
        found.append(f"register_mode={directive.register_mode}")
    if directive.name:
        found.append(f"name={directive.name}")
    if directive.offset and directive.mode == _LITE:
        found.append(f"offset={directive.offset}")
    if directive.bundle not in ("", "control") and directive.mode == _LITE:
        found.append(f"bundle={directive.bundle}")
    if directive.latency > 1:
        found.append(f"latency={directive.latency}")
    return found


def _needs_start(top_args: TopArgs, args: Mapping[str, Mode], program: Program) -> list[Diagnostic]:
    """Name arguments whose value at the start nobody can know without `ap_start`."""
    loose = [
        arg.name
        for arg in top_args.args
        if not arg.is_stream and args.get(arg.name, "") in ("", "ap_none", "ap_stable", "ap_vld")
    ]
    where = next(
        d.where for d in program.directives if isinstance(d, Interface) and d.mode == "ap_ctrl_none"
    )
    if not loose:
        return []
    names = ", ".join(loose)
    what = f"ap_ctrl_none: nothing says when {names} may change: hold still, or use streams"
    return [Diagnostic(where, f"pragma HLS interface: {what}")]
