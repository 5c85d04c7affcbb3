# SPDX-License-Identifier: Apache-2.0
"""Writes the modules that hold RTL macros: they start the macro's module and count its cycles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lydite.hls.contract.rtl_macro import Macro
from lydite.hls.emit.structure import (
    Assign,
    Declare,
    Form,
    If,
    Instance,
    Item,
    Net,
    Pin,
    Process,
    Write,
    reg,
    unread,
    wire,
)


def wrapper(macro: Macro, *, issued: bool = False) -> Iterator[Item]:
    """Write the body of the module that starts a macro's module and counts its cycles.

    With `issued`, pipelines start it as well, for one cycle each, and make it stand still.
    """
    bits = max(1, macro.latency.bit_length())
    first, last = "ap_start", "ap_start"
    unused = [name for name, used in (("ap_clk", macro.clock), ("ap_rst", macro.reset)) if not used]
    if macro.latency or macro.done:
        unused = []
        first = "ap_start & ~busy_q"
        last = f"busy_q & (count_q == {bits}'d{macro.latency - 1})"
        if macro.done:
            last = "done"
            yield wire("done", 1)
        yield from _busy(bits, counts=not macro.done)
    if issued:
        first = f"({first}) | ap_issue"
        unused += ["ap_wait"] * (not macro.enable)
    if macro.stateful:
        # Who calls may be in any state when power comes up: under reset no call begins.
        first = f"({first}) & ~ap_rst"
        unused = [name for name in unused if name != "ap_rst"]
    yield wire("first", 1, first)
    yield Assign("ap_done", last)
    if not macro.start:
        unused.append("first")
    if unused:
        yield unread("", *unused)
    ends = [(macro.clock, "ap_clk"), (macro.reset, "ap_rst"), (macro.start, "first")]
    ends += [(port, f"arg{index}") for index, port in enumerate(macro.inputs)]
    ends += [(macro.output, "ap_return"), (macro.done, "done")]
    ends.append((macro.enable, "~ap_wait" if issued else "1'b1"))
    ends += [(port.port, port.name) for port in macro.external]
    yield instance(macro, "u_macro", ends)


def _busy(bits: int, *, counts: bool) -> Iterator[Item]:
    """Write whether a call is at work, and the cycles since its first one."""
    yield reg("busy_q", 1)
    moves: list[Write | If] = [
        If(
            "ap_rst",
            (Write("busy_q", "1'b0"),),
            (Write("busy_q", "ap_start & ~ap_done"),),
            Form.INLINE,
        )
    ]
    if counts:
        net = Net("count_q", bits, vector=True)
        yield Declare("reg", (net,), note="cycles since the first")
        following = f"busy_q ? count_q + {bits}'d1 : {bits}'d0"
        moves.append(Write("count_q", following))
    yield Process(tuple(moves))


def instance(macro: Macro, name: str, ends: Sequence[tuple[str, str]]) -> Instance:
    """Give an instance of a macro's module; ends without a port are left out."""
    found = (Pin(port, text, port == macro.output) for port, text in ends if port)
    return Instance(macro.module, name, tuple(found))
