# SPDX-License-Identifier: Apache-2.0
"""Writes what a function asks of memories, callees, dividers and shared multipliers, by states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lydite.hls.emit import macro_calls, pipe_control
from lydite.hls.emit import pipeline as emit_pipeline
from lydite.hls.emit.function import FunctionEmitter, MemoryPort
from lydite.hls.emit.pipe_names import PipeNames
from lydite.hls.emit.verilog import comment, literal, span
from lydite.hls.ir.graph import SIGNS, STREAMING, Function, Op, OpKind, Stream
from lydite.hls.schedule import multipliers


def memory(emitter: FunctionEmitter, port: MemoryPort) -> list[str]:
    """Write the signals of a memory port, by states."""
    target, number = port.memory, port.number
    stem = emitter.stem(target.name)
    address = f"{stem}_address{number}"
    lines = [f"    {address} = {literal(target.index_width, 0)};"]
    if port.enabled:
        lines.append(f"    {stem}_ce{number} = 1'b0;")
    if port.writes:
        lines.append(f"    {stem}_we{number} = {literal(target.lanes, 0)};")
        lines.append(f"    {stem}_d{number} = {literal(target.width, 0)};")
    if emitter.binding.calls is None:
        lines.append("    case (state_q)")
    for state in emitter.binding.states:
        if state.pipe is not None:
            lines += emit_pipeline.memory_arm(emitter, state.pipe, port)
        for op in state.ops:
            if emitter.binding.port.get(op) != number or op.attr is not target:
                continue
            done = emitter.done(state)
            lines.append(f"      {emitter.state_names[state]}: begin{comment(op.where)}")
            lines.append(f"        {address} = {emitter.ref(op.args[0], state)};")
            if port.enabled:
                lines.append(f"        {stem}_ce{number} = {done or literal(1, 1)};")
            if op.kind == "store":
                mask = emitter.ref(op.args[2], state)
                gate = f"{{{target.lanes}{{{done}}}}} & " if done else ""
                lines.append(f"        {stem}_we{number} = {gate}{mask};")
                lines.append(f"        {stem}_d{number} = {emitter.ref(op.args[1], state)};")
            lines.append("      end")
    if emitter.binding.calls is None:
        lines += ["      default: ;", "    endcase"]
    if port.writes:
        # The state that power-up leaves is not known before the first edge in reset.
        lines.append(f"    if (ap_rst) {stem}_we{number} = {literal(target.lanes, 0)};")
    return lines


def call(emitter: FunctionEmitter, callee: Function) -> list[str]:
    """Write start and arguments of a callee, by states."""
    stem = emitter.stem(callee.name)
    lines = [f"    {stem}_start = 1'b0;"]
    lines += [
        f"    {stem}_arg{index} = {literal(param.width, 0)};"
        for index, param in enumerate(callee.params)
    ]
    arms = _unit_arms(emitter, lambda op: op.kind == "call" and op.attr is callee, stem)
    if callee in emitter.body.issued:
        lines += [f"    {stem}_issue = 1'b0;", f"    {stem}_wait = 1'b0;"]
        issued: list[str] = []
        for state in emitter.binding.states:
            if state.pipe is not None:
                moves = macro_calls.arm(emitter, state.pipe, callee.name, stem)
                issued += emit_pipeline.arm(emitter, state.pipe, moves)
        if emitter.binding.calls is not None:
            return lines + issued
        arms[1:1] = issued
    return lines + arms


def stream(emitter: FunctionEmitter, target: Stream) -> list[str]:
    """Write the signals that take beats from a stream or give them to it, by states."""
    stem = emitter.stem(target.name)
    act = f"{stem}_put" if target.writes else f"{stem}_take"
    lines = [f"    {act} = 1'b0;"]
    arms: list[str] = []
    beat = literal(target.width, 0)
    for state in emitter.binding.states:
        if state.pipe is not None:
            arms += emit_pipeline.stream_arm(emitter, state.pipe, target)
        for op in state.ops:
            if op.kind not in STREAMING or op.attr is not target:
                continue
            when = emitter.done(state)
            if op.args[-1].kind != "const":
                when = f"{when} & {emitter.ref(op.args[-1], state)}"
            arms.append(f"      {emitter.state_names[state]}: begin{comment(op.where)}")
            arms.append(f"        {act} = {when};")
            if target.writes:
                text = emitter.ref(op.args[0], state)
                arms.append(f"        {stem}_beat = {text};")
                # Nobody looks at a beat that is not put: one less to choose from.
                beat = beat if emitter.joined(target.name) else text
            arms.append("      end")
    if target.writes:
        lines.append(f"    {stem}_beat = {beat};")
    if emitter.binding.calls is not None:
        return [*lines, *arms]
    return [*lines, "    case (state_q)", *arms, "      default: ;", "    endcase"]


def divider(emitter: FunctionEmitter, unit: int) -> list[str]:
    """Write start and operands of a divider, by states."""
    width = emitter.binding.divider_widths[unit]
    lines = [f"    div{unit}_start = 1'b0;"]
    lines += [f"    div{unit}_arg{index} = {literal(width, 0)};" for index in range(2)]
    return lines + _unit_arms(
        emitter, lambda op: emitter.binding.divider.get(op) == unit, f"div{unit}"
    )


def multiplier(emitter: FunctionEmitter, number: int) -> list[str]:
    """Write a multiplier that serves several states, with its choice of factors."""
    unit = emitter.binding.units[number]
    shape = unit.shape
    stem = f"mul{number}"
    result = (
        f"  wire {span(shape.width)}{stem}_result = "
        + _extended(f"{stem}_arg0", shape.first, shape.width, signed=shape.first_signed)
        + " * "
        + _extended(f"{stem}_arg1", shape.second, shape.width, signed=shape.second_signed)
        + ";"
    )
    if any(emitter.binding.home[op].pipe is not None for op in unit.ops):
        factors = [(op, [multipliers.factor(arg)[0] for arg in op.args]) for op in unit.ops]
        return _chosen(emitter, stem, factors, [shape.first, shape.second], result)
    lines = [
        "",
        f"  reg {span(shape.first)}{stem}_arg0;",
        f"  reg {span(shape.second)}{stem}_arg1;",
        result,
        "",
        "  always @* begin",
        f"    {stem}_arg0 = {literal(shape.first, 0)};",
        f"    {stem}_arg1 = {literal(shape.second, 0)};",
        "    case (state_q)",
    ]
    for op in unit.ops:
        state = emitter.binding.home[op]
        lines.append(f"      {emitter.state_names[state]}: begin{comment(op.where)}")
        for index, arg in enumerate(op.args):
            text = emitter.ref(multipliers.factor(arg)[0], state)
            lines.append(f"        {stem}_arg{index} = {text};")
        lines.append("      end")
    return [*lines, "      default: ;", "    endcase", "  end"]


def unit(emitter: FunctionEmitter, number: int) -> list[str]:
    """Write a unit whose number directives limit, with its choice of operands.

    In states that do not use it, it takes what most of the others do.
    """
    item = emitter.binding.shared[number]
    stem = f"{item.kind}{number}"
    widths = [max(op.args[index].width for op, _ in item.ops) for index in range(2)]
    operands = [(op, list(op.args[::-1] if swapped else op.args)) for op, swapped in item.ops]
    signal = emitter.unit_result(number)
    result = f"  wire {span(signal.width)}{signal.name} = {_operation(item.kind, stem)};"
    return _chosen(emitter, stem, operands, widths, result)


# Where a unit is used: a state of the controller, or a phase of a pipeline.
_Turn = tuple[str, int]


def _chosen(
    emitter: FunctionEmitter,
    stem: str,
    operands: Sequence[tuple[Op, Sequence[Op]]],
    widths: Sequence[int],
    result: str,
) -> list[str]:
    """Write a unit between the choice of its operands and its result."""
    choices: list[dict[str, list[_Turn]]] = [{}, {}]
    pipes: dict[str, PipeNames] = {}
    for op, args in operands:
        state = emitter.binding.home[op]
        label, phase = emitter.state_names[state], -1
        if state.pipe is not None:
            pipes[label] = pipe_control.names_of(emitter, state.pipe)
            phase = pipes[label].slot(state.time)
        for index, arg in enumerate(args):
            text = emitter.ref(arg, state)
            if arg.width < widths[index]:
                text = f"{{{literal(widths[index] - arg.width, 0)}, {text}}}"
            choices[index].setdefault(text, []).append((label, phase))
    lines = [""]
    for index, width in enumerate(widths):
        word = "reg" if len(choices[index]) > 1 else "wire"
        lines.append(f"  {word} {span(width)}{stem}_arg{index};")
    lines.append(result)
    for index, texts in enumerate(choices):
        usual = max(texts, key=lambda text: len(texts[text]))
        others = {text: turns for text, turns in texts.items() if text != usual}
        target = f"{stem}_arg{index}"
        if not others:
            lines.append(f"  assign {target} = {usual};")
            continue
        lines += ["", "  always @* begin", f"    {target} = {usual};"]
        known = {label for turns in texts.values() for label, _ in turns}
        if len(known) == 1 and pipes:
            # Nobody looks at the unit elsewhere.
            label = known.pop()
            lines += _by_phase(pipes[label], label, others, target, "    ")
        else:
            lines += _by_state(pipes, others, target)
        lines.append("  end")
    return lines


def _by_state(
    pipes: Mapping[str, PipeNames], texts: Mapping[str, Sequence[_Turn]], target: str
) -> list[str]:
    """Write the choice of an operand by states, and in those of pipelines by phases."""
    lines = ["    case (state_q)"]
    for text, turns in texts.items():
        labels = [label for label, phase in turns if phase < 0]
        if labels:
            lines.append(f"      {', '.join(labels)}: {target} = {text};")
    for label, mine in pipes.items():
        arms = _by_phase(mine, label, texts, target, "      ")
        if arms:
            lines += [f"      {label}: {arms[0].strip()}", *arms[1:]]
    return [*lines, "      default: ;", "    endcase"]


def _by_phase(
    mine: PipeNames, label: str, texts: Mapping[str, Sequence[_Turn]], target: str, margin: str
) -> list[str]:
    """Write the choice of an operand in a pipeline; nothing if all phases take what is usual."""
    bits = (mine.pipe.ii - 1).bit_length()
    arms: list[str] = []
    for text, turns in texts.items():
        phases = sorted({phase for at, phase in turns if at == label})
        if phases and mine.pipe.by_time:
            when = " | ".join(mine.phase(time) for time in phases)
            arms.append(f"{margin}if ({when}) {target} = {text};")
            continue
        if phases:
            listed = ", ".join(literal(bits, phase) for phase in phases)
            arms.append(f"{margin}  {listed}: {target} = {text};")
    if not arms or mine.pipe.by_time:
        return arms
    head = f"{margin}case ({mine.stem}_phase_q)"
    return [head, *arms, f"{margin}  default: ;", f"{margin}endcase"]


def _operation(kind: OpKind, stem: str) -> str:
    signed = kind in ("slt", "sle", "ashr")
    first = f"$signed({stem}_arg0)" if signed else f"{stem}_arg0"
    second = f"$signed({stem}_arg1)" if kind in ("slt", "sle") else f"{stem}_arg1"
    return f"{first} {SIGNS[kind]} {second}"


def _unit_arms(emitter: FunctionEmitter, wanted: Callable[[Op], bool], stem: str) -> list[str]:
    """Write a unit's start and operands in each state that waits for it."""
    lines = ["    case (state_q)"]
    for state in emitter.binding.states:
        op = state.waits_for
        if op is None or not wanted(op):
            continue
        lines.append(f"      {emitter.state_names[state]}: begin{comment(op.where)}")
        lines.append(f"        {stem}_start = 1'b1;")
        lines += [
            f"        {stem}_arg{index} = {emitter.ref(arg, state)};"
            for index, arg in enumerate(op.args)
        ]
        lines.append("      end")
    return [*lines, "      default: ;", "    endcase"]


def _extended(name: str, width: int, to: int, *, signed: bool) -> str:
    """Give the text of a factor at the width of the product."""
    if width == to:
        text = name
    else:
        fill = f"{{{to - width}{{{name}[{width - 1}]}}}}" if signed and width > 1 else None
        fill = fill or (f"{{{to - width}{{{name}}}}}" if signed else literal(to - width, 0))
        text = f"{{{fill}, {name}}}"
    return f"$signed({text})" if signed else text
