# SPDX-License-Identifier: Apache-2.0
"""Processes that run side by side, and what lies between them: FIFOs and ping-pong memories.

Vitis HLS guide (UG1399), "pragma HLS dataflow". `passes.dataflow` makes a network of a module's
dataflow regions; `passes.verify_network` checks it, `emit.network` writes its hardware.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lydite.hls.ir.graph import Function, Memory, Stream, called


@dataclass(slots=True, eq=False)
class Process:
    """A call in a dataflow region: the function runs each time that it is started.

    Attributes
    ----------
    function : Function
        What runs: this process alone calls it, and what it calls.
    region : Function
        The function in which the region stands, which starts the process.
    where : str
        `file:line` of the call.
    start, idle : Stream
        To which the region's function writes the arguments, the first lowest, and from which it
        reads a beat as soon as the process has nothing more to do.
    sources : tuple of (Result or None)
        For each argument the process that gives it; None for those that come with the start.
    depth : int
        Starts that may wait, that of the run in progress included.
    """

    function: Function
    region: Function
    where: str
    start: Stream
    idle: Stream
    depth: int
    sources: tuple[Result | None, ...] = ()


@dataclass(slots=True, eq=False)
class Result:
    """The result of a process on its way to another one, or to the region's function.

    Attributes
    ----------
    name : str
        As in the Verilog.
    producer : Process
    stream : Stream or None
        From which the region's function reads it, one for each start; None if a process takes it.
    depth : int
        Results that may wait.
    """

    name: str
    producer: Process
    stream: Stream | None
    depth: int

    @property
    def width(self) -> int:
        """Bits of a result."""
        return self.producer.function.width


@dataclass(slots=True, eq=False)
class Fifo:
    """A stream between two processes.

    Attributes
    ----------
    name : str
        As in the Verilog.
    width, depth : int
        Bits of a beat, and beats.
    into, out : Stream
        What the writing process sees, and the reading one.
    writer, reader : Process or None
        None for a reader that there is not: then beats vanish.
    where : str
        `file:line` of the first access.
    label : str
        Name in C.
    """

    name: str
    width: int
    depth: int
    into: Stream
    out: Stream
    writer: Process
    reader: Process | None
    where: str = ""
    label: str = ""


@dataclass(slots=True, eq=False)
class PingPong:
    """Memories of which a process fills one copy while another one reads the copy before.

    A process takes a copy when it starts, and gives it to the other one when it is done.
    """

    name: str
    memories: tuple[Memory, ...]
    writer: Process
    reader: Process


@dataclass(slots=True, eq=False)
class Network:
    """All processes of a design, in the order of their calls, and all channels."""

    processes: list[Process] = field(default_factory=list)
    fifos: list[Fifo] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    buffers: list[PingPong] = field(default_factory=list)

    def buffer_of(self, memory: Memory) -> PingPong | None:
        """Give the ping-pong memory that a memory is, or is a part of."""
        return next((item for item in self.buffers if memory in item.memories), None)

    def side(self, memory: Memory, function: Function) -> str:
        """Give the stem of a function's signals of a memory: of a ping-pong one, of its side."""
        buffer = self.buffer_of(memory)
        if buffer is None:
            return memory.name
        return f"{memory.name}_{'w' if function in self.members(buffer.writer) else 'r'}"

    def members(self, process: Process) -> frozenset[Function]:
        """Give the functions that run for a process: its own, and what that calls or starts."""
        found: dict[Function, None] = {}
        pending = [process.function]
        while pending:
            function = pending.pop()
            if function not in found:
                found[function] = None
                pending += [callee for op in function.ops() if (callee := called(op)) is not None]
        return frozenset(found)
