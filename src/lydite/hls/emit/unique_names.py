# SPDX-License-Identifier: Apache-2.0
"""Sees to it that no two things of a design have one name in its Verilog.

A signal is called after what it belongs to and what it says: `a_address0`, `g_start`, and
`g__a_we1` where function g asks memory a. What C calls its functions and variables may make two of
these the same: a memory `g__a` beside g and a, a function `ap` whose start would be `ap_start`. So
each function, memory and channel in turn claims all names that may be made of its own, and takes
another name if one of them is claimed already. Ports of the top function are never renamed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, count

from lydite.hls.contract.names import VERILOG_KEYWORDS, words
from lydite.hls.contract.rtl_macro import Macro
from lydite.hls.emit import apart, axi_lite, axi_stream, macro_calls
from lydite.hls.emit import divider as emit_divider
from lydite.hls.emit import fifo as emit_fifo
from lydite.hls.emit import network as emit_network
from lydite.hls.ir import memory_ports
from lydite.hls.ir.graph import Stream
from lydite.hls.ir.module import Module
from lydite.hls.ir.network import Network
from lydite.hls.lower.signature import UNIT, TopArgs

# Names that a module has whatever it computes.
FIXED = words("ap_clk ap_rst ap_start ap_done ap_idle ap_ready ap_return state_q state_d ST_IDLE")
_MORE = words("ap_ce ap_issue ap_wait unused u_control")
_LIBRARY = (
    *(apart.NAME, emit_divider.NAME, emit_fifo.NAME, macro_calls.NAME),
    *axi_stream.MODULES,
)
_REQUESTS = ("address", "ce", "we", "d", "q")
# Modules that a ROM in copies has at most.
_COPIES = 256
# Gives all names that may be made of an object's name, where these functions ask it.
_Made = Callable[[str, Iterable[str]], set[str]]


def of_memory(name: str, functions: Iterable[str]) -> set[str]:
    """Give the names that a memory may need in a module."""
    stems = [name, f"own_{name}", *(f"{function}__{name}" for function in functions)]
    found = {
        f"{stem}_{signal}{number}" for stem in stems for signal in _REQUESTS for number in (0, 1)
    }
    return found | {f"{name}_mem", f"{name}_mem_i", f"u_{name}"}


def of_function(name: str, functions: Iterable[str], params: int) -> set[str]:
    """Give the names that a function may need where others start it."""
    found: set[str] = {f"u_{name}"}
    for stem in [name, f"own_{name}", *(f"{other}__{name}" for other in functions)]:
        found |= {f"{stem}_start", f"{stem}_done", f"{stem}_return"}
        found |= {f"{stem}_arg{index}" for index in range(params)}
        found |= macro_calls.names(stem)
    return found


def of_copies(name: str) -> set[str]:
    """Give the names that a ROM in copies needs beside those of a memory."""
    return {f"u_{name}_{number}" for number in range(_COPIES)}


@dataclass(slots=True)
class _Claims:
    """What is called somehow already.

    Attributes
    ----------
    names : set of str
        Of ports, signals and instances, in whichever module.
    modules : set of str
        Of modules, in small letters: not every file system knows the others apart.
    functions : list of str
        Those that may ask something.
    objects : list
        What they may ask, each as its name and what is made of it.
    """

    top: str
    names: set[str]
    modules: set[str]
    functions: list[str] = field(default_factory=list)
    objects: list[tuple[str, _Made]] = field(default_factory=list)

    def take(self, name: str, made: _Made, *, asks: bool = False, modules: Sequence[str]) -> None:
        """Enter an object with all its names; `asks` says that it is a function."""
        self.names |= self._all(name, made, asks=asks)
        self.modules |= {text.format(name).lower() for text in modules}
        self.objects.append((name, made))
        if asks:
            self.functions.append(name)

    def give(self, wanted: str, made: _Made, *, asks: bool = False, modules: Sequence[str]) -> str:
        """Enter an object under its name, or under one with a number; give that."""
        numbered = (f"{wanted}_{number}" for number in range(2, 10))
        others = (f"c_{wanted}_{number}" for number in count(1))
        names = chain([wanted], numbered, others)
        name = next(n for n in names if self._free(n, made, asks=asks, modules=modules))
        self.take(name, made, asks=asks, modules=modules)
        return name

    def _free(self, name: str, made: _Made, *, asks: bool, modules: Sequence[str]) -> bool:
        found = self._all(name, made, asks=asks)
        return (
            self.names.isdisjoint(found)
            and not any(UNIT.fullmatch(each) for each in found)
            and self.modules.isdisjoint(text.format(name).lower() for text in modules)
        )

    def _all(self, name: str, made: _Made, *, asks: bool) -> set[str]:
        found = made(name, self.functions)
        if asks:
            found |= made(name, [name])
            found |= set().union(*(of(n, [name]) - of(n, ()) for n, of in self.objects))
        return found


def settle(module: Module, args: TopArgs, macros: Sequence[Macro]) -> None:
    """Rename in place what would share a name with something else."""
    network = module.network
    claims = _Claims(
        module.top, set(VERILOG_KEYWORDS | FIXED | _MORE), {module.top.lower(), *_LIBRARY}
    )
    claims.modules.add(axi_lite.name(module.top).lower())
    claims.names |= {arg.port for arg in args.args if arg.is_scalar}
    claims.names |= {port.name for macro in macros for port in macro.external}
    for _, text in (text for macro in macros for text in macro.texts):
        claims.modules |= {name.lower() for name in re.findall(r"\bmodule\s+(\w+)", text)}
    claims.functions.append(module.top)
    for memory in module.memories.values():
        if memory.port:
            claims.take(memory.name, of_memory, modules=())
    for stream in module.streams.values():
        if not stream.role:
            claims.take(stream.name, partial(_of_stream, stream), modules=())
    _functions(module, claims, {macro.function for macro in macros})
    for memory in module.memories.values():
        if not memory.port:
            turned = network is not None and network.buffer_of(memory) is not None
            made = (
                _of_turned
                if turned
                else _of_copies
                if memory_ports.is_copied(memory)
                else of_memory
            )
            kept = memory.kind in ("bram", "rom", "lutram")
            files = [f"{module.top}_{{}}"] * kept
            memory.name = claims.give(memory.name, made, modules=files)
    module.memories = {memory.name: memory for memory in module.memories.values()}
    if network is not None:
        _channels(module, network, claims)


def _functions(module: Module, claims: _Claims, fixed: Collection[str]) -> None:
    """Name the functions; those that are `fixed` first, and as they are."""
    network = module.network
    running = [item.function for item in network.processes] if network is not None else []
    files = [f"{module.top}_{{}}", f"{module.top}_{{}}_pipe"]
    for function in sorted(module.functions.values(), key=lambda f: f.name not in fixed):
        made = partial(_of_function, params=len(function.params), process=function in running)
        if function.name in fixed:
            claims.take(function.name, made, asks=True, modules=files)
        elif function.name != module.top:
            function.name = claims.give(function.name, made, asks=True, modules=files)
    module.functions = {function.name: function for function in module.functions.values()}


def _channels(module: Module, network: Network, claims: _Claims) -> None:
    """Name what lies between processes."""
    results = {item.stream: item for item in network.results if item.stream is not None}
    for stream in module.streams.values():
        if stream.role:
            made = partial(_of_stream, stream, result=stream in results)
            stream.name = claims.give(stream.name, made, modules=())
            if stream in results:
                results[stream].name = stream.name
    module.streams = {stream.name: stream for stream in module.streams.values()}
    for item in network.results:
        if item.stream is None:
            item.name = claims.give(item.name, _plain(emit_network.of_result), modules=())
    for fifo in network.fifos:
        fifo.name = claims.give(fifo.name, _plain(emit_network.of_fifo), modules=())
    for buffer in network.buffers:
        buffer.name = claims.give(buffer.name, _plain(emit_network.of_buffer), modules=())


def _plain(made: Callable[[str], set[str]]) -> _Made:
    """Give what is made of the name of something that functions do not ask."""
    return lambda name, _: made(name)


def _of_function(name: str, functions: Iterable[str], *, params: int, process: bool) -> set[str]:
    found = of_function(name, functions, params)
    return found | emit_network.of_process(name) if process else found | {f"unused_{name}_done"}


def _of_stream(
    stream: Stream, name: str, functions: Iterable[str], *, result: bool = False
) -> set[str]:
    found = axi_stream.names(replace(stream, name=name), functions)
    return found | emit_network.of_result(name) if result else found


def _of_turned(name: str, functions: Iterable[str]) -> set[str]:
    return of_memory(name, functions) | emit_network.of_turned(name)


def _of_copies(name: str, functions: Iterable[str]) -> set[str]:
    return of_memory(name, functions) | of_copies(name)
