# SPDX-License-Identifier: Apache-2.0
"""Reads and writes of streams, when LLVM's IR becomes ours: which stream, which way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lydite.base import InputError
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.frontend.stream_calls import MAX_BYTES, Shape
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Op, Stream, const
from lydite.hls.lower.memory_layout import Layout


@dataclass(frozen=True, slots=True)
class Streams:
    """The streams of a program; those that it accesses are found on the way."""

    layout: Layout
    known: dict[str, Stream] = field(default_factory=dict)

    def all(self, top: str) -> tuple[dict[str, Stream], list[Diagnostic]]:
        """Give those that are accessed, in C order, and name the others; `top` is where."""
        names = list(self.layout.stream_of.values())
        warnings = [
            Diagnostic(top, f"stream {name} is neither read nor written: it has no ports")
            for name in names
            if name not in self.known and name not in self.layout.inside
        ]
        return {name: self.known[name] for name in names if name in self.known}, warnings

    def access(
        self,
        build: Builder,
        shape: Shape,
        beat: Op | None,
        address: Op,
        objects: Sequence[str],
        where: str,
    ) -> Op | None:
        """Read a beat, or write one, where a pointer points to.

        Parameters
        ----------
        beat : Op or None
            What to write; None reads.
        address : Op
            The pointer, which decides if it may be one of several streams.
        objects : sequence of str
            What it may point to.

        Raises
        ------
        InputError
            It may point to something that is no argument of the top function, or the stream is
            used otherwise elsewhere.
        """
        names = [self.layout.stream_of.get(name, "") for name in objects]
        if not names or not all(names):
            raise InputError(
                where,
                "a stream that is no argument of the top function and no variable of its own",
                "pass the stream to the top function, or declare it in a dataflow function, "
                "and pass it on as a pointer",
            )
        result: Op | None = None
        for name, found in zip(objects, names, strict=True):
            stream = self._stream(found, shape, where, writes=beat is not None)
            condition = const(1, 1)
            if len(names) > 1:
                width = self.layout.width
                own = const(width, self.layout.address[name])
                condition = build.compare("eq", build.slice(address, 0, width), own)
            if beat is not None:
                build.ops.append(Op("write", 0, [beat, condition], attr=stream, where=build.where))
                continue
            op = Op("read", stream.width, [condition], attr=stream, where=build.where)
            op.name = build.name
            build.ops.append(op)
            result = op if result is None else build.mux(condition, op, result)
        return result

    def _stream(self, name: str, shape: Shape, where: str, *, writes: bool) -> Stream:
        made = Stream(name, shape.data_bytes, shape.user_bits, writes, where)
        made.depth = self.layout.inside.get(name, 0)
        stream = self.known.setdefault(name, made)
        if not made.depth and shape.data_bytes > MAX_BYTES:
            what = f"a stream argument of the top function of {shape.data_bytes} bytes"
            raise InputError(where, what, f"data have 1 to {MAX_BYTES} bytes")
        if stream.writes != writes and not stream.depth:
            raise InputError(
                where,
                f"{'a write to' if writes else 'a read of'} stream {name}, "
                f"which is {'read' if writes else 'written'} at {stream.where}",
                "use a stream of its own for each direction",
            )
        if (stream.data_bytes, stream.user_bits) != (shape.data_bytes, shape.user_bits):
            raise InputError(
                where,
                f"beats of {shape.data_bytes} bytes and {shape.user_bits} user bits on stream "
                f"{name}, which has {stream.data_bytes} and {stream.user_bits} at {stream.where}",
                "use one stream type for it",
            )
        return stream
