# SPDX-License-Identifier: Apache-2.0
"""Puts controller and data path of a function together, without what is around them."""

from __future__ import annotations

from lydite.hls.contract.diagnostics import place
from lydite.hls.emit import (
    blocks,
    bursts,
    call_pipeline,
    controller,
    joined_calls,
    macro_calls,
    stall,
)
from lydite.hls.emit import divider as emit_divider
from lydite.hls.emit import memory as emit_memory
from lydite.hls.emit import pipeline as emit_pipeline
from lydite.hls.emit import requests as emit_requests
from lydite.hls.emit import transfers as emit_transfers
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.structure import (
    Assign,
    Body,
    Case,
    Constant,
    Declare,
    Form,
    If,
    Instance,
    Item,
    Net,
    Note,
    Priority,
    Process,
    Write,
    pins,
    reg,
    wire,
)
from lydite.hls.emit.verilog import literal
from lydite.hls.ir.graph import Op


def core(emitter: FunctionEmitter, *, reports: bool = True) -> list[Item]:
    """Write controller and data path of a function."""
    calls = emitter.binding.calls is not None
    items = [] if calls else _states(emitter)
    memories = emitter.local_memories()
    shown: set[str] = set()
    for memory in memories:
        items += emit_memory.array(memory, headed=not memory.array or memory.array not in shown)
        shown.add(memory.array)
    items += _registers(emitter)
    items += joined_calls.registers(emitter)
    items += bursts.registers(emitter)
    items += emitter.data_path()
    items.append(stall.conditions(emitter))
    items += emit_pipeline.control(emitter)
    items += macro_calls.modules(emitter)
    items += _requests(emitter)
    items += joined_calls.processes(emitter)
    items += bursts.processes(emitter)
    items += [] if calls else _controller(emitter)
    items += _transfers(emitter, guarded=any(m.kind == "registers" for m in memories))
    return items + _results(emitter, reports=reports)


def _states(emitter: FunctionEmitter) -> list[Item]:
    """Declare the states."""
    binding = emitter.binding
    apart = binding.starts is None
    width = max(1, (len(binding.states) - (not apart)).bit_length())
    items: list[Item] = [Constant("ST_IDLE", width, 0)] if apart else []
    for number, state in enumerate(binding.states, int(apart)):
        name = emitter.state_names[state]
        ops = state.ops if state.pipe is None else state.block.ops
        where = place(next((op.where for op in ops if op.where), ""))
        items.append(Constant(name, width, number, where))
    return [*items, Note(), Declare("reg", (Net("state_q", width), Net("state_d", width)))]


def _controller(emitter: FunctionEmitter) -> list[Item]:
    """Write how states follow each other."""
    choice = Case(
        "state_q", tuple(controller.next_state(emitter, "ST_IDLE")), (Write("state_d", "ST_IDLE"),)
    )
    reset = If(
        "ap_rst", (Write("state_q", "ST_IDLE"),), (Write("state_q", "state_d"),), Form.INLINE
    )
    stays = Write("state_d", "state_q")
    return [
        Note(),
        Process((Priority(((stays,), (choice,))),), clocked=False),
        Note(),
        Process((reset,)),
    ]


def _transfers(emitter: FunctionEmitter, *, guarded: bool) -> list[Item]:
    """Write what registers of data take; where there are memories, not in reset."""
    pipe = emitter.binding.calls
    body: Body
    if pipe is not None:
        body = emit_pipeline.transfers(emitter, pipe)
    else:
        arms = emit_transfers.transfers(emitter, "ST_IDLE")
        body = (Case("state_q", tuple(arms)),) if arms else ()
    body, idle = _idle(emitter, body)
    if not body:
        return idle
    each = "each state" if pipe is None else "each cycle of a call"
    items: list[Item] = [Note(), Note(f"What {each} keeps; registers of data are not reset.")]
    if guarded:
        # The state that power-up leaves is not known before the first edge in reset.
        items.append(Note("Memories keep their contents in it."))
        body = (If("~ap_rst", body, form=Form.BLOCK if pipe is not None else Form.INLINE),)
    resets = call_pipeline.resets(emitter)
    written: Body = (Priority((body, resets)),) if resets else body
    return [*items, *blocks.processes(written), *idle]


def _idle(emitter: FunctionEmitter, body: Body) -> tuple[Body, list[Item]]:
    """Take out what moves whatever the state, but for those that lead to the one that reads it."""
    items: list[Item] = []
    for state, registers in emitter.binding.idle.items():
        name = emitter.state_names[state]
        moves = emit_transfers.turns(emitter, state, registers)
        theirs = frozenset(move.target for move in moves)
        [case] = blocks.only(body, theirs)
        assert isinstance(case, Case)
        arms = tuple(arm for arm in case.arms if arm.labels != (name,))
        items += [Note(), Note(f"Nothing reads these but {name}: it is no matter when they move.")]
        items += blocks.processes((Case("state_q", arms, moves),))
        body = blocks.without(body, theirs)
    return body, items


def _registers(emitter: FunctionEmitter) -> list[Item]:
    items: list[Item] = [Note()]
    for register in dict.fromkeys(emitter.binding.storage.values()):
        if register.memory is not None:
            continue
        values = [owner for owner in register.owners if isinstance(owner, Op)]
        names = dict.fromkeys(value.name for value in values if value.name)
        note = ", ".join(names) if values[0].kind != "param" else ""
        items.append(Declare("reg", (emitter.kept[values[0]],), note=note))
    items += emit_pipeline.registers(emitter)
    return items if len(items) > 1 else []


def _requests(emitter: FunctionEmitter) -> list[Item]:
    items: list[Item] = []
    groups = [emit_requests.memory(emitter, port) for port in emitter.body.memory_ports]
    groups += [emit_requests.call(emitter, callee) for callee in emitter.body.callees]
    groups += [emit_requests.stream(emitter, stream) for stream in emitter.body.streams]
    for unit, width in enumerate(emitter.body.dividers):
        groups.append(emit_requests.divider(emitter, unit))
        items += _divider(unit, width)
    for number in range(len(emitter.binding.units)):
        items += emit_requests.multiplier(emitter, number)
    for number in range(len(emitter.binding.shared)):
        items += emit_requests.unit(emitter, number)
    for group in groups:
        items += [Note(), group]
    return items


def _divider(unit: int, width: int) -> list[Item]:
    """Instantiate a divider, and declare its ends."""
    stem = f"div{unit}"
    count = max(1, (width - 1).bit_length())
    operands = [Net(f"{stem}_arg{index}", width) for index in range(2)]
    results = [Net(f"{stem}_{word}", width) for word in ("quotient", "remainder")]
    found = pins(
        ap_clk="ap_clk",
        ap_rst="ap_rst",
        start_i=f"{stem}_start",
        dividend_i=operands[0].name,
        divisor_i=operands[1].name,
        done_o=f"{stem}_done",
        quotient_o=results[0].name,
        remainder_o=results[1].name,
    )
    parameters = (("WIDTH", str(width)), ("COUNT", str(count)))
    return [
        Note(),
        reg(f"{stem}_start", 1),
        wire(f"{stem}_done", 1),
        Declare("reg", tuple(operands)),
        Declare("wire", tuple(results)),
        Instance(emit_divider.NAME, f"u_{stem}", found, parameters),
    ]


def _results(emitter: FunctionEmitter, *, reports: bool) -> list[Item]:
    """Write `ap_done` and `ap_return`."""
    if emitter.top and not reports:
        return []
    returns = controller.returns(emitter)
    if emitter.function.is_pipelined:
        return [Note(), Assign("ap_return", returns[0].value)] if returns[0].value else []
    done = [_braced(item.done) if len(returns) > 1 else item.done for item in returns]
    items: list[Item] = [Note(), Assign("ap_done", " | ".join(done) if done else literal(1, 0))]
    width = emitter.function.width
    if not width:
        return items
    if not returns:
        return [*items, Assign("ap_return", literal(width, 0))]
    if len({item.value for item in returns}) == 1:
        return [*items, Assign("ap_return", returns[0].value)]
    chain = [f"{_braced(item.chosen)} ? {item.value} :" for item in returns[:-1]]
    lines = [*chain, returns[-1].value]
    return [*items, Assign("ap_return", "".join(f"\n    {line}" for line in lines))]


def _braced(text: str) -> str:
    return f"({text})" if "&" in text else text
