# SPDX-License-Identifier: Apache-2.0
"""Writes the controller: which state follows, and by which ways a function ends."""

from __future__ import annotations

from dataclasses import dataclass

from lydite.hls.bind.binding import State
from lydite.hls.emit import call_pipeline
from lydite.hls.emit import pipeline as emit_pipeline
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.structure import Arm, Case, Form, If, Write
from lydite.hls.emit.verilog import literal
from lydite.hls.ir.graph import Block


@dataclass(frozen=True, slots=True)
class Return:
    """An end of a function: when it is done, and when `ap_return` must be the value."""

    done: str
    chosen: str
    value: str


def next_state(emitter: FunctionEmitter, idle: str) -> list[Arm]:
    """Write the arms of the controller's case."""
    arms: list[Arm] = []
    if emitter.binding.starts is None:
        entry = emitter.state_names[emitter.binding.first[emitter.function.blocks[0]]]
        starts = If("ap_start", (Write("state_d", entry),), form=Form.INLINE)
        arms.append(Arm((idle,), (starts,), form=Form.BELOW))
    for position, state in enumerate(emitter.binding.states):
        label = (emitter.state_names[state],)
        if state.pipe is not None:
            arms.append(emit_pipeline.next_state(emitter, state.pipe, _after(emitter, idle)))
            continue
        if state.last:
            move = _move(emitter, state, idle)
        else:
            move = Write("state_d", emitter.state_names[emitter.binding.states[position + 1]])
        done = emitter.done(state)
        simple = isinstance(move, Write)
        if done:
            form = Form.INLINE if simple else Form.BLOCK
            arms.append(Arm(label, (If(done, (move,), form=form),), form=Form.INLINE))
        else:
            arms.append(Arm(label, (move,), form=Form.INLINE if simple else Form.BELOW))
    return arms


def _after(emitter: FunctionEmitter, idle: str) -> str:
    """Give the state that follows a return."""
    entry = emitter.state_names[emitter.binding.first[emitter.function.blocks[0]]]
    return entry if emitter.restarts else idle


def _move(emitter: FunctionEmitter, state: State, idle: str) -> Write | Case:
    """Write what follows the last state of a block."""
    block = state.block
    after = _after(emitter, idle)
    if block.end == "ret":
        return Write("state_d", after)
    first = emitter.binding.first
    to = [emitter.state_names[first[t]] if t in first else after for t in block.targets]
    if block.end == "jump":
        return Write("state_d", to[0])
    assert block.arg is not None
    text = emitter.ref(block.arg, state)
    if block.end == "branch":
        return Write("state_d", f"{text} ? {to[0]} : {to[1]}")
    arms = tuple(
        Arm((literal(block.arg.width, case),), (Write("state_d", name),), form=Form.INLINE)
        for case, name in zip(block.cases, to[1:], strict=True)
    )
    return Case(text, arms, (Write("state_d", to[0]),))


def _edge_condition(emitter: FunctionEmitter, block: Block, index: int, state: State) -> str:
    """Give the condition of a branch's edge."""
    assert block.arg is not None
    text = emitter.ref(block.arg, state)
    return text if index == 0 else f"~{text}"


def taken(emitter: FunctionEmitter, block: Block, target: Block, state: State) -> str:
    """Give the condition that a block's last state goes to a target."""
    assert block.arg is not None
    if block.end == "branch":
        return _edge_condition(emitter, block, block.targets.index(target), state)
    text = emitter.ref(block.arg, state)
    width = block.arg.width
    if target is block.targets[0]:
        others = [
            f"{text} != {literal(width, case)}"
            for case, other in zip(block.cases, block.targets[1:], strict=True)
            if other is not target
        ]
        return " && ".join(others) or "1'b1"
    return " || ".join(
        f"{text} == {literal(width, case)}"
        for case, other in zip(block.cases, block.targets[1:], strict=True)
        if other is target
    )


def returns(emitter: FunctionEmitter) -> list[Return]:
    """Give the states, and the ways out of them, by which the function ends."""
    result: list[Return] = []
    pipe = emitter.binding.calls
    if pipe is not None:
        given = pipe.block.arg
        text = "" if given is None else emitter.ref(given, pipe.times[-1])
        done = call_pipeline.done(emitter)
        return [Return(done, done, text)]
    for state in emitter.binding.states:
        block = state.block
        ends = [block] if block.end == "ret" else []
        ends += [t for t in dict.fromkeys(block.targets) if t in emitter.binding.exits]
        for end in ends if state.last else ():
            here = f"(state_q == {emitter.state_names[state]})"
            if state.pipe is not None:
                terms = [here, emit_pipeline.leave(emitter, state.pipe)]
            else:
                terms = [here, emitter.done(state)]
                if len(set(block.targets)) > 1:
                    terms.append(f"({taken(emitter, block, end, state)})")
            done = " & ".join(filter(None, terms))
            value = end.arg
            if value in end.ops and value.kind == "phi" and end is not block:
                value = value.args[value.attr.index(block)]
            text = ""
            if value is not None and state.pipe is not None:
                text = emit_pipeline.last(emitter, state.pipe, value)
            elif value is not None:
                text = emitter.ref(value, state)
            result.append(Return(done, here if len(ends) == 1 else done, text))
    return result
