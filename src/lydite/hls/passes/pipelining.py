# SPDX-License-Identifier: Apache-2.0
"""The `pipeline` directive as loops and functions carry it, and what a loop must be to obey it.

Vitis HLS guide (UG1399), "pragma HLS pipeline": `II=n` asks for a new iteration every n cycles,
`off` forbids it, an older form gives n alone. A pipelined loop unrolls the loops inside; here it
must have become one block, without divisions, and without calls but those of macros that take new
ones while they work (`rtl_macros`): the others take cycles of their own. In a
function it asks for a new call every n cycles: the whole function must have become one block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lydite.hls.contract import directives, interface
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.diagnostics import place as shown
from lydite.hls.contract.directives import Directive
from lydite.hls.contract.names import words
from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir import module as ir_module
from lydite.hls.ir.cfg import Loop
from lydite.hls.ir.graph import Block, Op

# Widest operand of a division by a constant that becomes a product: see `passes/divide`.
MAX_CONSTANT_DIVISION = 36
# Operations whose time is known when they are scheduled.
_STEADY = (
    ir_graph.BINARY
    | ir_graph.SHIFTS
    | ir_graph.COMPARES
    | words("mux slice concat zext sext phi load store read write")
)


def read(numbers: Sequence[int], known: Sequence[Directive]) -> directives.Pipeline | None:
    """Give the directive that says how to pipeline a loop or function; None if it is not to be."""
    found: directives.Pipeline | None = None
    for number in numbers:
        directive = known[number]
        if isinstance(directive, directives.Pipeline):
            found = None if directive.off else directive
    return found


def wanted_modules(module: ir_module.Module) -> list[ir_graph.Function]:
    """Give the functions but the top one that are to be pipelined, each after all that it calls."""
    return [
        function
        for function in module.callees_first()
        if function is not module.top_function
        and not function.macro
        and read(function.pragmas, module.pragmas) is not None
    ]


# The distance of what is said never to meet.
NEVER = 1 << 30


@dataclass(frozen=True, slots=True)
class Claim:
    """A `dependence` directive of a loop: its number, and the least distance that it promises."""

    number: int
    least: int
    directive: directives.Dependence


def claims(function: ir_graph.Function, block: Block, known: Sequence[Directive]) -> list[Claim]:
    """Give what `dependence` directives promise of a loop or its function.

    An iteration of a loop that is unrolled in part is several of those that they speak of.
    """
    numbers = dict.fromkeys([*function.pragmas, *block.pragmas])
    unrolled = directives.of(block.pragmas, known, directives.Unroll)
    copies = max([1, *(item.factor for item in unrolled)])
    found = []
    for number in numbers:
        item = known[number]
        if not isinstance(item, directives.Dependence) or (item.type == "intra" and copies > 1):
            continue
        least = NEVER if item.dependent == "false" else item.distance // copies
        if least:
            found.append(Claim(number, least, item))
    return found


def claims_alone(
    function: ir_graph.Function, block: Block, other: Block, known: Sequence[Directive]
) -> list[Claim]:
    """Give those of a loop that speak of other iterations, and that another loop has not.

    What they say holds for the iterations of their own loop. Where two loops become one they would
    be taken to speak of accesses, or of iterations, that they know nothing of.
    """
    shared = {replace(claim.directive, where="") for claim in claims(function, other, known)}
    mine = [claim for claim in claims(function, block, known) if claim.directive.type == "inter"]
    return [claim for claim in mine if replace(claim.directive, where="") not in shared]


def wanted_loops(
    function: ir_graph.Function, known: Sequence[Directive]
) -> list[tuple[Loop, directives.Pipeline]]:
    """Give the loops of a function that are to be pipelined, outer before inner."""
    return _wanted(_all_loops(function), known)


def _all_loops(function: ir_graph.Function) -> list[Loop]:
    """Give the loops of a function, if any has directives."""
    return cfg.find_loops(function) if any(block.pragmas for block in function.blocks) else []


def _wanted(
    loops: Sequence[Loop], known: Sequence[Directive]
) -> list[tuple[Loop, directives.Pipeline]]:
    found = [(loop, read(loop.header.pragmas, known)) for loop in loops]
    return [(loop, wanted) for loop, wanted in found if wanted is not None]


def pipelined_blocks(
    function: ir_graph.Function, known: Sequence[Directive]
) -> dict[Block, directives.Pipeline]:
    """Give the blocks that are loops to be pipelined, each with what is asked of it."""
    loops = _all_loops(function)
    return {
        loop.header: wanted
        for loop, wanted in _wanted(loops, known)
        if loop.blocks == [loop.header] and obstacle(function, loop, loops) is None
    }


def pipelined_function(
    module: ir_module.Module, function: ir_graph.Function
) -> directives.Pipeline | None:
    """Give what is asked of a function that is to be pipelined and can be; None for others."""
    wanted = read(function.pragmas, module.pragmas)
    if wanted is None or function_obstacle(module, function) is not None:
        return None
    return wanted if len(function.blocks) == 1 else None


def function_obstacle(
    module: ir_module.Module, function: ir_graph.Function
) -> tuple[str, str] | None:
    """Give the place and the reason why a function cannot become one block; None if it can."""
    if function is not module.top_function and not function.is_pipelined:
        return function.where, "it stays a module of states"
    found = body_obstacle(function)
    if found is None:
        return _late_answers(function)
    return found


def body_obstacle(function: ir_graph.Function) -> tuple[str, str] | None:
    """Give the place and the reason why a function's operations are no pipeline; None if so."""
    for loop in cfg.find_loops(function):
        return place(loop), "a loop is not unrolled: its number of iterations is not known"
    return _held_up(function.blocks)


def _late_answers(function: ir_graph.Function) -> tuple[str, str] | None:
    """Find results that must be there when the function is done, and are given several times."""
    given: set[ir_graph.Stream] = set()
    for op in function.ops():
        if op.kind == "write" and not is_valid_said(op.attr):
            if op.attr in given:
                return op.where, f"{op.attr.name}, which has no valid, is given at several places"
            given.add(op.attr)
    return None


def is_valid_said(stream: ir_graph.Stream) -> bool:
    """Whether a handshake says when its value is there."""
    if stream.role:
        return True
    return bool(interface.handshake(stream.protocol, stream.name, writes=stream.writes)[1])


def is_taken_at_start(op: Op) -> bool:
    """Whether a value is only sure to be there in the cycle that takes the call."""
    if op.kind != "read" or op.attr.role:
        return False
    _, valid, ready = interface.handshake(op.attr.protocol, op.attr.name, writes=False)
    return not (valid and ready)


def obstacle(
    function: ir_graph.Function, loop: Loop, loops: Sequence[Loop] | None = None
) -> tuple[str, str] | None:
    """Give the place and the reason why a loop cannot become one block; None if it can.

    `loops` are all of the function, if they are known.
    """
    for other in cfg.find_loops(function) if loops is None else loops:
        if other is not loop and other.header in loop.blocks and other.header is not loop.header:
            place = _place(other.header, other.latches)
            return place, "the loop inside is not unrolled: its number of iterations is not known"
    return _held_up(loop.blocks)


def _held_up(blocks: Sequence[Block]) -> tuple[str, str] | None:
    """Find what takes a number of cycles that no schedule knows."""
    for block in blocks:
        for op in block.ops:
            if op.kind == "call" and not can_issue(op):
                what = "is a module of its own"
                if op.attr.macro:
                    what = "is a macro that does not say how often it takes a call (ii)"
                return op.where, f"it calls {op.attr.name}, which {what}"
            if variable_latency(op):
                what = "divides" if op.kind == "divmod" else f"holds a {op.kind}"
                return op.where, f"it {what}, which takes a number of cycles that holds the rest up"
    return None


def variable_latency(op: Op) -> bool:
    """Whether an operation may take more cycles than its schedule says."""
    if op.kind == "call":
        return not can_issue(op)
    return op.kind not in _STEADY and not (op.kind == "divmod" and constant_division(op))


def can_issue(call: Op) -> bool:
    """Whether a call is of a macro that takes new ones while it works."""
    return bool(call.attr.interval)


def has_effect(op: Op) -> bool:
    """Whether something happens that must not in an iteration that is not."""
    if op.kind == "call":
        # What takes turns in a module must not be found in it when the loop has been left.
        return bool(op.attr.stateful or op.attr.takes_turns)
    return op.kind in ir_graph.STREAMING or op.kind in ("store", "out")


def not_met(module: ir_module.Module) -> list[Diagnostic]:
    """Name the loops that were to be pipelined and cannot be, each with the reason."""
    result: list[Diagnostic] = []
    for function in module.callees_first():
        own = function is module.top_function or function.is_pipelined
        if own and read(function.pragmas, module.pragmas) is not None:
            found = function_obstacle(module, function)
            if found is None and len(function.blocks) > 1:
                found = function.where, "its body did not become one block"
            if found is not None:
                where, why = found
                what = f"pipeline: {function.name} is not pipelined: {why}"
                result.append(Diagnostic(where or function.where, what))
        loops = _all_loops(function)
        for loop, wanted in _wanted(loops, module.pragmas):
            if wanted.unasked:
                continue
            found = obstacle(function, loop, loops)
            if found is None and loop.blocks != [loop.header]:
                found = place(loop), "its body did not become one block"
            if found is not None:
                where, why = found
                what = f"pipeline: the loop at {shown(place(loop))} is not pipelined: {why}"
                result.append(Diagnostic(where or place(loop), what))
    return result


def constant_division(op: Op) -> bool:
    """Whether a division is one that becomes a product."""
    divisor = op.args[1]
    return divisor.kind == "const" and divisor.attr != 0 and divisor.width <= MAX_CONSTANT_DIVISION


def place(loop: Loop) -> str:
    """Give the line of a loop."""
    return _place(loop.header, loop.latches)


def _place(header: Block, latches: Sequence[Block]) -> str:
    for latch in latches:
        if latch.where:
            return latch.where
    return next((op.where for op in header.ops if op.where), "")
