# SPDX-License-Identifier: Apache-2.0
"""Verilog that joins streams to each other and to a core: for the hardware around cores.

A stream between two units is a bundle of wires, `PREFIXdata`, `PREFIXkeep` and so on, with all
signals that a stream may have.
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.sim.stream import Wire

# What goes forward with a word.
CARRIED = ("data", "keep", "last", "user")


def span(width: int) -> str:
    """Give the range of a declaration, with a space behind it; nothing for one bit."""
    return f"[{width - 1}:0] " if width > 1 else ""


def joined(links: Sequence[str]) -> str:
    """Give the connections of an instance, a line each."""
    return ",\n".join(f"      {link}" for link in links)


def bundle(prefix: str, *, user: int, bytes_: int) -> list[str]:
    """Declare a stream of words of so many bytes; `user` is the bits of `tuser`, or 0."""
    sides = {"data": 8 * bytes_, "keep": bytes_, "last": 1, "valid": 1, "ready": 1}
    sides |= {"user": max(user, 1)}
    return [f"  wire {span(width)}{prefix}{side};" for side, width in sides.items()]


def same(to: str, given: str, sides: Sequence[str] = CARRIED) -> list[str]:
    """Join two streams without anything between them."""
    forward = [f"  assign {to}{side} = {given}{side};" for side in (*sides, "valid")]
    return [*forward, f"  assign {given}ready = {to}ready;"]


def resize(
    kind: str,
    control: tuple[str, str],
    before: str,
    after: str,
    *,
    ratio: int,
    narrow: int,
    user: int,
) -> list[str]:
    """Write the unit between words of two widths.

    Parameters
    ----------
    kind : str
        `widen` or `narrow`.
    control : tuple of str
        Clock and reset.
    ratio, narrow : int
        Words of the narrow side in one of the wide, and bytes of one of them.
    """
    size = "OUT_BYTES" if kind == "narrow" else "IN_BYTES"
    given = f".RATIO({ratio}), .{size}({narrow}), .USER_BITS({max(user, 1)})"
    links = [f".clk({control[0]})", f".rst({control[1]})"]
    for port, prefix in (("s_axis_t", before), ("m_axis_t", after)):
        links += [f".{port}{side}({prefix}{side})" for side in (*CARRIED, "valid", "ready")]
    return [f"  stream_{kind} #({given}) u_{after}{kind} (", joined(links), "  );"]


def core_links(wire: Wire) -> list[str]:
    """Connect a stream of a core to the bundle `NAMEc_`."""
    sides = ["data", "valid", "ready"]
    sides += ["keep"] * wire.has_keep + ["last"] * wire.has_last + ["user"] * wire.has_user
    sides += ["id"] * wire.has_id
    return [f".{wire.name}{side}({wire.name}c_{side})" for side in sides]
