# SPDX-License-Identifier: Apache-2.0
"""Writes the controller: which state follows, and by which ways a function ends."""

from __future__ import annotations

from dataclasses import dataclass

from lydite.hls.bind.binding import State
from lydite.hls.emit import call_pipeline
from lydite.hls.emit import pipeline as emit_pipeline
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.verilog import literal
from lydite.hls.ir.graph import Block


@dataclass(frozen=True, slots=True)
class Return:
    """An end of a function: when it is done, and when `ap_return` must be the value."""

    done: str
    chosen: str
    value: str


def next_state(emitter: FunctionEmitter, idle: str) -> list[str]:
    """Write the arms of the controller's case."""
    lines: list[str] = []
    if emitter.binding.starts is None:
        entry = emitter.state_names[emitter.binding.first[emitter.function.blocks[0]]]
        lines += [f"      {idle}:", f"        if (ap_start) state_d = {entry};"]
    for position, state in enumerate(emitter.binding.states):
        label = emitter.state_names[state]
        if state.pipe is not None:
            lines += emit_pipeline.next_state(emitter, state.pipe, _after(emitter, idle))
            continue
        if state.last:
            moves = _moves(emitter, state, idle)
        else:
            moves = [f"state_d = {emitter.state_names[emitter.binding.states[position + 1]]};"]
        done = emitter.done(state)
        head = f"      {label}:"
        if done:
            head += f" if ({done})"
        if len(moves) == 1:
            lines.append(f"{head} {moves[0]}")
        else:
            lines.append(f"{head}{' begin' if done else ''}")
            lines += [f"        {move}" for move in moves]
            if done:
                lines.append("      end")
    return lines


def _after(emitter: FunctionEmitter, idle: str) -> str:
    """Give the state that follows a return."""
    entry = emitter.state_names[emitter.binding.first[emitter.function.blocks[0]]]
    return entry if emitter.restarts else idle


def _moves(emitter: FunctionEmitter, state: State, idle: str) -> list[str]:
    block = state.block
    after = _after(emitter, idle)
    if block.end == "ret":
        return [f"state_d = {after};"]
    first = emitter.binding.first
    to = [emitter.state_names[first[t]] if t in first else after for t in block.targets]
    if block.end == "jump":
        return [f"state_d = {to[0]};"]
    assert block.arg is not None
    text = emitter.ref(block.arg, state)
    if block.end == "branch":
        return [f"state_d = {text} ? {to[0]} : {to[1]};"]
    width = block.arg.width
    lines = [f"case ({text})"]
    lines += [
        f"  {literal(width, case)}: state_d = {name};"
        for case, name in zip(block.cases, to[1:], strict=True)
    ]
    return [*lines, f"  default: state_d = {to[0]};", "endcase"]


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
            terms = [here, emitter.done(state)]
            if state.pipe is not None:
                terms[1:] = [emit_pipeline.leave(emitter, state.pipe)]
            elif len(set(block.targets)) > 1:
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
