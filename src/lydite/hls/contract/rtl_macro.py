# SPDX-License-Identifier: Apache-2.0
"""RTL macros: functions of the program that are Verilog modules in hardware.

The C body of such a function is its model: for the native run, for the interpreter, and for what
is known of its result. In hardware a call starts the module and waits for it; a module that says
how often it takes a call (`ii`) gets calls while it works, in pipelines and where a state has
several that need no result of each other. A file in TOML says which functions, which modules, and
their ports:

    [[macro]]
    function = "product"          # of the program
    module = "fast_product"
    sources = ["fast_product.v"]  # beside the file
    kind = "pipelined"            # its result depends on nothing but the inputs; or "stateful";
                                  # or "external": stateful, with ports that lead outside
    latency = 3                   # clock edges from inputs to output (with done, the least of
                                  # them); 0 is without a clock
    inputs = ["a_i", "b_i"]       # a port for each argument, in order, of the argument's width
    output = "p_o"                # of the result's width; none for a void function
    clock = "clk"                 # and, where it has them: reset (synchronous, active high),
    start = "go_i"                # high in the first cycle of a call, needed if it is stateful,
    done = "done_o"               # and high in the cycle in which the output is valid;
    ii = 1                        # cycles from a call to the next that it takes, without done, and
                                  # at most the latency and one;
    enable = "ce_i"               # while low, it stands still

    [[macro.port]]                # of an external one: a port of the top module, product_led
    name = "led"
    direction = "output"          # of the module
    width = 8
    value = 0                     # of an input, in co-simulation

While it works, inputs are held for calls that wait, and not for those of the other kinds.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from lydite.base import InputError, files, schema
from lydite.base.schema import Data
from lydite.hls.contract.interface import ExternalPort


@dataclass(frozen=True, slots=True)
class Macro:
    """One macro: the fields of its table, and its Verilog by file name."""

    function: str
    module: str
    latency: int
    inputs: tuple[str, ...]
    output: str
    clock: str
    reset: str
    start: str
    done: str
    ii: int
    enable: str
    stateful: bool
    external: tuple[ExternalPort, ...]
    texts: tuple[tuple[str, str], ...]
    where: str


class _Port(Data, frozen=True, kw_only=True):
    name: str
    direction: Literal["input", "output"]
    width: int
    value: int = 0


class _Macro(Data, frozen=True, kw_only=True):
    function: str
    module: str
    sources: tuple[str, ...]
    kind: Literal["pipelined", "stateful", "external"]
    latency: int
    inputs: tuple[str, ...]
    output: str = ""
    clock: str = ""
    reset: str = ""
    start: str = ""
    done: str = ""
    ii: int = 0
    enable: str = ""
    port: tuple[_Port, ...] = ()


class _File(Data, frozen=True, kw_only=True):
    macro: tuple[_Macro, ...] = msgspec.field(default=())


def load(path: Path) -> tuple[Macro, ...]:
    """Read the macros of a file.

    Raises
    ------
    InputError
        It cannot be read, or breaks the contract; with the field.
    """
    return tuple(_macro(path, raw) for raw in schema.load(path, _File, "a list of macros").macro)


def sources(path: Path) -> tuple[Path, ...]:
    """Give the Verilog that a file of macros names, without reading it.

    Raises
    ------
    InputError
        The file cannot be read, or breaks the contract.
    """
    macros = schema.load(path, _File, "a list of macros").macro
    return tuple(path.parent / name for macro in macros for name in macro.sources)


def _macro(path: Path, raw: _Macro) -> Macro:
    where = f"{path}: macro {raw.function}"
    if raw.latency < 0:
        raise InputError(f"{where}: latency", f"must be at least 0, not {raw.latency}")
    stateful = raw.kind != "pipelined"
    if not raw.clock and (raw.latency or stateful or raw.done):
        raise InputError(f"{where}: clock", "missing", "a module that takes cycles has a clock")
    if stateful and not raw.start:
        what = "a stateful module must see when a call begins"
        raise InputError(f"{where}: start", "missing", what)
    if raw.ii < 0 or (raw.ii and raw.done):
        what = f"must be at least 0, not {raw.ii}" if raw.ii < 0 else "given beside done"
        hint = "a module that says when it is done takes one call at a time"
        raise InputError(f"{where}: ii", what, hint)
    if raw.ii > raw.latency + 1:
        # A state that waits for a call is left after the latency, and the next one may call again.
        what = f"must be at most {raw.latency + 1}, the latency and one, not {raw.ii}"
        hint = "let the module keep its result until it takes the next call"
        raise InputError(f"{where}: ii", what, hint)
    if raw.enable and not raw.clock:
        raise InputError(f"{where}: enable", "given for a module without a clock")
    if raw.port and raw.kind != "external":
        raise InputError(f"{where}: port", "given for a macro that is not external")
    if not raw.sources:
        raise InputError(f"{where}: sources", "no files")
    texts = tuple(
        (Path(name).name, files.read_text(path.parent / name, "the source of a macro"))
        for name in raw.sources
    )
    return Macro(
        function=raw.function,
        module=raw.module,
        latency=raw.latency,
        inputs=raw.inputs,
        output=raw.output,
        clock=raw.clock,
        reset=raw.reset,
        start=raw.start,
        done=raw.done,
        ii=raw.ii,
        enable=raw.enable,
        stateful=stateful,
        external=tuple(
            ExternalPort(p.name, f"{raw.function}_{p.name}", p.direction, p.width, p.value)
            for p in raw.port
        ),
        texts=texts,
        where=where,
    )
