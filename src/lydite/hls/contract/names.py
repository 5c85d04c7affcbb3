# SPDX-License-Identifier: Apache-2.0
"""Sets of words, those that Verilog keeps to itself, and names that are unique."""

from __future__ import annotations

from collections.abc import Collection, Container
from dataclasses import dataclass, field


def words(text: str) -> frozenset[str]:
    """Give the words of a text."""
    return frozenset(text.split())


def free_name(name: str, taken: Container[str]) -> str:
    """Give a name that is not taken."""
    while name in taken:
        name += "_"
    return name


# Words that may not name a port.
VERILOG_KEYWORDS = words(
    """always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config
    deassign default defparam design disable edge else end endcase endconfig endfunction
    endgenerate endmodule endprimitive endspecify endtable endtask event for force forever
    fork function generate genvar highz0 highz1 if ifnone incdir include initial inout input
    instance integer join large liblist library localparam macromodule medium module nand
    negedge nmos nor noshowcancelled not notif0 notif1 or output parameter pmos posedge
    primitive pull0 pull1 pulldown pullup pulsestyle_onevent pulsestyle_ondetect rcmos real
    realtime reg release repeat rnmos rpmos rtran rtranif0 rtranif1 scalared showcancelled
    signed small specify specparam strong0 strong1 supply0 supply1 table task time tran
    tranif0 tranif1 tri tri0 tri1 triand trior trireg unsigned use vectored wait wand weak0
    weak1 while wire wor xnor xor logic bit byte int shortint longint string class interface
    package program property sequence unique priority void return break continue do ref
    static virtual new this super null type const enum struct union typedef export import
    extern final assert assume cover expect with within before after inside dist rand randc
    solve global local protected pure context checker clocking chandle covergroup coverpoint
    cross bins binsof endclass endpackage endprogram endproperty endsequence endinterface
    endclocking endgroup endchecker matches packed tagged throughout timeprecision timeunit
    uwire var wildcard wait_order let alias always_comb always_ff always_latch constraint
    first_match foreach forkjoin iff ignore_bins illegal_bins intersect join_any join_none
    modport randcase randsequence shortreal accept_on reject_on eventually implements
    implies interconnect nettype nexttime restrict s_always s_eventually s_nexttime s_until
    s_until_with soft strong sync_accept_on sync_reject_on unique0 until until_with untyped
    weak"""
)


@dataclass(slots=True)
class Names:
    """Hands out names that are unique in a module."""

    taken: set[str] = field(default_factory=lambda: set(VERILOG_KEYWORDS))

    def give(self, wanted: str, ends: Collection[str] = ()) -> str:
        """Give a legal name, the wanted one if it is free, and so with each of these ends."""
        clean = "".join(c if (c.isalnum() and c.isascii()) or c == "_" else "_" for c in wanted)
        if not clean or clean[0].isdigit():
            clean = f"v{clean}"
        name, number = clean, 1
        while not self.taken.isdisjoint((name, *(f"{name}{end}" for end in ends))):
            number += 1
            name = f"{clean}_{number}"
        self.taken |= {name, *(f"{name}{end}" for end in ends)}
        return name
