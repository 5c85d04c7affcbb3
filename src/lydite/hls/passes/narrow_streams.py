# SPDX-License-Identifier: Apache-2.0
"""Narrows the beats of streams inside to the bits that vary and are looked at: a part of `narrow`.

A beat has data, keep, last and user, whatever of it the program needs. Between processes it has no
port, so that both ends may leave out the same bits.
"""

from __future__ import annotations

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir import known_bits
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Block, Function, Op, Stream, const
from lydite.hls.ir.known_bits import KnownBits
from lydite.hls.ir.module import Module


def narrow(module: Module) -> None:
    """Narrow all of them."""
    inner = [stream for stream in module.streams.values() if stream.depth]
    if not inner:
        return
    known = KnownBits(module)
    wanted = known_bits.demanded(module, known)
    for stream in inner:
        ends = [
            (function, block, op)
            for function in module.functions.values()
            for block in function.blocks
            for op in block.ops
            if op.kind in ir_graph.STREAMING and op.attr is stream
        ]
        reads = [end for end in ends if end[2].kind == "read"]
        writes = [end for end in ends if end[2].kind == "write"]
        if not reads or not writes:
            continue
        zeros = ones = (1 << stream.width) - 1
        for _, _, op in writes:
            fixed = known.of(op.args[0])
            zeros, ones = zeros & fixed.zeros, ones & fixed.ones
        # A beat without bits is still a beat.
        kept = _used(reads, wanted) & ~(zeros | ones) or 1
        if kept != (1 << stream.width) - 1:
            _change(stream, reads, writes, _runs(kept), ones)


def _used(reads: list[tuple[Function, Block, Op]], wanted: dict[Op, int]) -> int:
    result = 0
    for _, _, op in reads:
        result |= wanted.get(op, 0)
    return result


def _bits(value: int) -> list[int]:
    return [bit for bit in range(value.bit_length()) if value >> bit & 1]


def _runs(kept: int) -> list[tuple[int, int]]:
    """Give lowest bit and length of each run of ones, from the lowest."""
    result: list[tuple[int, int]] = []
    for bit in _bits(kept):
        if result and sum(result[-1]) == bit:
            result[-1] = (result[-1][0], result[-1][1] + 1)
        else:
            result.append((bit, 1))
    return result


def _change(
    stream: Stream,
    reads: list[tuple[Function, Block, Op]],
    writes: list[tuple[Function, Block, Op]],
    runs: list[tuple[int, int]],
    ones: int,
) -> None:
    """Leave out of each beat what is in no run; `ones` are set in all beats."""
    width = stream.width
    stream.bits = sum(length for _, length in runs)
    for _, block, op in writes:
        made: list[Op] = []
        build = Builder(made)
        build.where = op.where
        parts = [build.slice(op.args[0], low, length) for low, length in runs]
        op.args[0] = build.concat(*parts[::-1])
        at = block.ops.index(op)
        block.ops[at:at] = made
    for function, block, op in reads:
        made = [Op("read", stream.bits, list(op.args), attr=stream, name=op.name, where=op.where)]
        build = Builder(made)
        build.where, build.name = op.where, op.name
        pieces: list[Op] = []
        at = taken = 0
        for low, length in [*runs, (width, 0)]:
            if low > at:
                pieces.append(const(low - at, ones >> at))
            if length:
                pieces.append(build.slice(made[0], taken, length))
            at, taken = low + length, taken + length
        whole = build.concat(*pieces[::-1])
        place = block.ops.index(op)
        block.ops[place : place + 1] = made
        ir_graph.replace(function, {op: whole})
