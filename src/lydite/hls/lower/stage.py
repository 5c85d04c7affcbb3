# SPDX-License-Identifier: Apache-2.0
"""The stage: LLVM IR to a verified module of our own, with what its arguments are."""

from __future__ import annotations

from dataclasses import dataclass

from lydite.hls.contract.diagnostics import Diagnostics
from lydite.hls.contract.options import Options
from lydite.hls.frontend import llvm_ast
from lydite.hls.frontend.debug_info import DebugInfo
from lydite.hls.frontend.program import Program
from lydite.hls.ir import verify
from lydite.hls.ir.module import Module
from lydite.hls.lower import (
    clone_processes,
    handshake_ports,
    legalise,
    lost_directives,
    memory_layout,
    port_protocols,
    signature,
    translate,
)
from lydite.hls.lower.port_protocols import Protocols
from lydite.hls.lower.signature import TopArgs


@dataclass(frozen=True, slots=True)
class Lowered:
    """A program as our IR.

    Attributes
    ----------
    module : Module
    signature : TopArgs
        The arguments of its top function.
    protocols : Protocols
        How they, and the block, shake hands.
    loop_directives : frozenset of int
        Numbers of the directives that its loops carry.
    """

    module: Module
    signature: TopArgs
    protocols: Protocols
    loop_directives: frozenset[int]


def run(source: llvm_ast.Module, program: Program, options: Options, log: Diagnostics) -> Lowered:
    """Lower a parsed program, whose LLVM IR is changed on the way.

    Raises
    ------
    InputError
        It cannot become hardware; says where and why.
    """
    debug = DebugInfo(source.metadata)
    symbol, top = program.symbol, options.top
    log.add(*legalise.legalise(source, debug, symbol=symbol, top=top, unoptimised=program.types))
    macros = [macro.function for macro in options.macros]
    program = clone_processes.isolate(source, symbol, program, debug, macros)
    log.add(*signature.drop_pointer(source.functions[symbol], debug))
    arguments = signature.read(source.functions[symbol], program, options, debug)
    protocols, notes = port_protocols.resolve(program, arguments)
    log.add(*notes)
    layout = memory_layout.lay_out(
        source, symbol, arguments.ports, debug, arguments.streams(), program.directives
    )
    module, notes = translate.import_module(
        source, symbol, top, layout, debug, scalars=arguments.scalar_types(), program=program
    )
    log.add(*notes, *lost_directives.of_functions(program, source.functions))
    log.add(*lost_directives.of_variables(module, program.ignored))
    carried = lost_directives.of_loops(module)
    arguments, notes = handshake_ports.apply(module, arguments, protocols)
    log.add(*notes)
    verify.verify(module, after="import")
    return Lowered(module, arguments, protocols, carried)
