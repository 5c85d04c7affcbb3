# SPDX-License-Identifier: Apache-2.0
"""Writes the modules that hold RTL macros: they start the macro's module and count its cycles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lydite.hls.contract.rtl_macro import Macro


def wrapper(macro: Macro, *, issued: bool = False) -> Iterator[str]:
    """Write the body of the module that starts a macro's module and counts its cycles.

    With `issued`, pipelines start it as well, for one cycle each, and make it stand still.
    """
    bits = max(1, macro.latency.bit_length())
    first, last = "ap_start", "ap_start"
    unused = [name for name, used in (("ap_clk", macro.clock), ("ap_rst", macro.reset)) if not used]
    if macro.latency or macro.done:
        unused = []
        first = "ap_start & ~busy_q"
        last = "done" if macro.done else f"busy_q & (count_q == {bits}'d{macro.latency - 1})"
        if macro.done:
            yield "  wire done;"
        yield "  reg busy_q;"
        if not macro.done:
            yield f"  reg [{bits - 1}:0] count_q;  // cycles since the first"
        yield "  always @(posedge ap_clk) begin"
        yield "    if (ap_rst) busy_q <= 1'b0;"
        yield "    else busy_q <= ap_start & ~ap_done;"
        if not macro.done:
            yield f"    count_q <= busy_q ? count_q + {bits}'d1 : {bits}'d0;"
        yield "  end"
    if issued:
        first = f"({first}) | ap_issue"
        unused += ["ap_wait"] * (not macro.enable)
    if macro.stateful:
        # Who calls may be in any state when power comes up: under reset no call begins.
        first = f"({first}) & ~ap_rst"
        unused = [name for name in unused if name != "ap_rst"]
    yield f"  wire first = {first};"
    yield f"  assign ap_done = {last};"
    if not macro.start:
        unused.append("first")
    if unused:
        yield f"  wire unused = &{{1'b0, {', '.join(unused)}}};"
    pins = [(macro.clock, "ap_clk"), (macro.reset, "ap_rst"), (macro.start, "first")]
    pins += [(port, f"arg{index}") for index, port in enumerate(macro.inputs)]
    pins += [(macro.output, "ap_return"), (macro.done, "done")]
    pins.append((macro.enable, "~ap_wait" if issued else "1'b1"))
    pins += [(port.port, port.name) for port in macro.external]
    yield from instance(macro, "u_macro", pins)


def instance(macro: Macro, name: str, pins: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Write an instance of a macro's module; pins without a port are left out."""
    yield f"  {macro.module} {name} ("
    yield ",\n".join(f"      .{port}({signal})" for port, signal in pins if port)
    yield "  );"
