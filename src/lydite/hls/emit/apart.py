# SPDX-License-Identifier: Apache-2.0
"""Values that are mapped apart: through a module of wires alone, which synthesis leaves closed.

The attribute `keep` on a wire is not enough: mapping has it, and may make what it carries once more
for those that read it.
"""

from __future__ import annotations

from lydite.hls.emit.structure import Instance, Net, pins

NAME = "lydite_keep"


def instance(name: str, net: Net, value: str) -> Instance:
    """Drive a net through such a module."""
    parameters = (("WIDTH", str(net.width)),)
    return Instance(NAME, name, pins(value_i=value, value_o=net.name), parameters)


def module() -> str:
    """Give its file."""
    return _TEXT


_TEXT = """\
// SPDX-License-Identifier: Apache-2.0
// lydite_keep: a value as it is. Synthesis leaves the module closed, so that what makes the value
// and what reads it is mapped apart; then it may be flattened.

`default_nettype none

(* keep_hierarchy *)
module lydite_keep #(
    parameter WIDTH = 8
) (
    input  wire [WIDTH-1:0] value_i,
    output wire [WIDTH-1:0] value_o
);

  assign value_o = value_i;

endmodule

`default_nettype wire
"""
