# SPDX-License-Identifier: Apache-2.0
"""Keeps LUT RAMs from closing loops of gates: data of one may choose the other's word, not both.

LUT RAM answers in the cycle of its address. If in one state data of A reach the address of B and in
another data of B that of A, the two multiplexers before the ports close a loop that no state uses,
but that simulators run around and timing analysis sees. Among memories that reach each other in
both directions, an address therefore hangs on data of earlier memories only; others take a cycle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lydite.hls.ir import memory_ports
from lydite.hls.ir.graph import Block, Memory, Op
from lydite.hls.ir.module import Module
from lydite.hls.schedule.problem import WAITING, Precedence


def precedences(
    module: Module, ports: Mapping[Memory, memory_ports.Ports]
) -> dict[Block, list[Precedence]]:
    """Give for each block the loads of LUT RAM that may not follow others in the same cycle."""
    number: dict[Memory, int] = {}
    blocks = [block for function in module.callees_first() for block in function.blocks]
    for block in blocks:
        for op in block.ops:
            if _answers_at_once(op):
                number.setdefault(op.attr, len(number))
    if len(number) < 2:
        return {}
    reached = _closure(blocks, number, ports)

    def circle(first: Memory, second: Memory) -> bool:
        """Whether data of the first may not choose a word of the second, which comes before it."""
        one, other = number[first], number[second]
        return one > other and bool(reached[one] >> other & 1) and bool(reached[other] >> one & 1)

    result: dict[Block, list[Precedence]] = {}
    for block in blocks:
        loads = [op for op in block.ops if _answers_at_once(op)]
        cut = {(a.attr, b.attr) for a in loads for b in loads if circle(a.attr, b.attr)}
        if cut:
            result[block] = [
                Precedence(loads[index], op, 1)
                for op, behind in _chains(block, loads, ports)
                for index in _bits(behind)
                if (loads[index].attr, op.attr) in cut
            ]
    return result


def _answers_at_once(op: Op) -> bool:
    return op.kind == "load" and op.attr.kind == "lutram"


def _closure(
    blocks: Sequence[Block],
    number: Mapping[Memory, int],
    ports: Mapping[Memory, memory_ports.Ports],
) -> list[int]:
    """Give, for each memory, a set of bits: the memories whose addresses its data may reach."""
    reached = [0] * len(number)
    for block in blocks:
        loads = [op for op in block.ops if _answers_at_once(op)]
        for op, behind in _chains(block, loads, ports):
            for index in _bits(behind):
                reached[number[loads[index].attr]] |= 1 << number[op.attr]
    for middle in range(len(number)):
        for one in range(len(number)):
            if reached[one] >> middle & 1:
                reached[one] |= reached[middle]
    return reached


def _chains(
    block: Block, loads: Sequence[Op], ports: Mapping[Memory, memory_ports.Ports]
) -> Iterator[tuple[Op, int]]:
    """Walk a block's loads, each with a set of bits: the loads whose data its address may hang on.

    A register lies behind what takes a cycle, so chains end there.
    """
    position = {op: index for index, op in enumerate(loads)}
    behind: dict[Op, int] = {}
    for op in block.ops:
        if op.kind == "phi":
            continue
        found = 0
        for arg in op.args:
            found |= behind.get(arg, 0)
        if op in position:
            yield op, found
            found |= 1 << position[op]
        elif op.kind in WAITING or (op.kind == "load" and ports[op.attr].latency):
            continue
        if found:
            behind[op] = found


def _bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low
