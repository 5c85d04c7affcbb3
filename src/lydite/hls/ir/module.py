# SPDX-License-Identifier: Apache-2.0
"""A whole program: functions, memories, streams, directives, processes."""

from __future__ import annotations

from dataclasses import dataclass, field

from lydite.hls.contract.banking import Split
from lydite.hls.contract.directives import Directive
from lydite.hls.ir.graph import Function, Memory, Stream, called
from lydite.hls.ir.network import Network


@dataclass(slots=True, eq=False)
class Module:
    """A program: the top function is the hardware; all by name, in stable order.

    `pragmas` are all directives, by number: functions, blocks that head loops, and memories say
    which are theirs. `splits` says which memories became of one that was cut, by its name.
    `network` has the processes, once `dataflow` has made some.
    """

    top: str
    memories: dict[str, Memory] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    pragmas: tuple[Directive, ...] = ()
    splits: dict[str, Split] = field(default_factory=dict)
    streams: dict[str, Stream] = field(default_factory=dict)
    network: Network | None = None

    @property
    def top_function(self) -> Function:
        """The top function."""
        return self.functions[self.top]

    def written(self) -> set[Memory]:
        """Give the memories that something stores to."""
        return {op.attr for f in self.functions.values() for op in f.ops() if op.kind == "store"}

    def callees_first(self, start: Function | None = None) -> list[Function]:
        """Give a function, the top one without, and all that it reaches, each after all that it
        calls.
        """
        order: list[Function] = []
        seen: set[str] = set()

        def visit(function: Function) -> None:
            if function.name in seen:
                return
            seen.add(function.name)
            for op in function.ops():
                callee = called(op)
                if callee is not None:
                    visit(callee)
            order.append(function)

        visit(start or self.top_function)
        return order
