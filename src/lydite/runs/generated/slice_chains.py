# SPDX-License-Identifier: Apache-2.0
"""Streams of all slices of an accelerator, as Verilog: a chain of links, and each slice's way from
it and back.

Link k of `NAMEl_` is before slice k. In a slice `NAMEw_` has words of the chain, `NAMEc_` those of
the core.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from lydite.cores import Design
from lydite.sim.stream import Wire
from lydite.sim.wiring import bundle, joined, resize, same, span

# Widths that streams may have, in bytes.
WIDTHS = (1, 2, 4, 8, 16, 32, 64)


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """A stream of all slices.

    Attributes
    ----------
    wire : Wire
        That of a slice.
    bytes : int
        Of a word of the chain.
    user_bits : int
        Of `tuser`; 0 without.
    """

    wire: Wire
    bytes: int
    user_bits: int

    @property
    def bits(self) -> int:
        """Bits of a word with all that goes with it."""
        return 9 * self.bytes + 1 + self.user_bits

    @property
    def sides(self) -> tuple[str, ...]:
        """What a word is made of, the highest bits first."""
        return (*(["user"] if self.user_bits else []), "last", "keep", "data")

    def word(self, prefix: str) -> str:
        """Give a bundle as one word."""
        return f"{{{', '.join(f'{prefix}{side}' for side in self.sides)}}}"


def chain_of(wire: Wire, wanted: int, users: Mapping[str, int]) -> Chain:
    """Give the chain of a stream that is to have so many bytes at least."""
    wide = next((width for width in WIDTHS if width >= wanted), WIDTHS[-1])
    bits = users.get(f"{wire.name}user", 0)
    return Chain(wire=wire, bytes=max(wide, wire.bytes), user_bits=bits)


def pins(chain: Chain, *, into: bool, ids: int) -> list[str]:
    """Declare the ports of a stream; `ids` are the bits of `tid`, 0 without."""
    name, forward, back = chain.wire.name, "input", "output"
    if not into:
        forward, back = back, forward
    sides = {"data": 8 * chain.bytes, "keep": chain.bytes, "last": 1, "valid": 1}
    sides |= {"id": ids} if ids else {}
    sides |= {"user": chain.user_bits} if chain.user_bits else {}
    found = [f"{forward} wire {span(width)}{name}{side}" for side, width in sides.items()]
    return [*found, f"{back} wire {name}ready"]


def links(chain: Chain, ids: int) -> list[str]:
    """Declare what lies between slices."""
    name = chain.wire.name
    return [
        f"  wire {span(chain.bits)}{name}l_word[0:SLICES];",
        f"  wire {span(ids)}{name}l_id[0:SLICES];",
        f"  wire [SLICES:0] {name}l_valid, {name}l_ready;",
    ]


def taken(design: Design, chain: Chain, ids: int, *, buffer_bits: int = 0) -> list[str]:
    """Write a slice's way in: from the chain, in words of its own.

    Parameters
    ----------
    buffer_bits : int
        Of the number of words that wait before a slice; 0 for no buffer.
    """
    name = chain.wire.name
    text = bundle(f"{name}w_", user=chain.user_bits, bytes_=chain.bytes)
    text += bundle(f"{name}c_", user=chain.user_bits, bytes_=chain.wire.bytes)
    text += [] if chain.user_bits else [f"  assign {name}w_user = 1'b0;"]
    control = [f".clk({design.clock})", f".rst({design.reset})"]
    found = list(control)
    for way, port, k in (("in", ("i", "o"), "k"), ("on", ("o", "i"), "k + 1")):
        found += [f".{way}_valid_{port[0]}({name}l_valid[{k}])"]
        found += [f".{way}_ready_{port[1]}({name}l_ready[{k}])"]
        found += [f".{way}_word_{port[0]}({name}l_word[{k}])"]
        found += [f".{way}_id_{port[0]}({name}l_id[{k}])"]
    found += [f".own_valid_o({name}w_valid)", f".own_ready_i({name}w_ready)"]
    found += [f".own_word_o({chain.word(f'{name}w_')})"]
    given = f".WIDTH({chain.bits}), .ID_BITS({ids}), .ID(k)"
    text += [f"  slice_take #({given}) u_{name}take (", joined(found), "  );"]
    if not buffer_bits:
        return text + resized(design, "narrow", chain, f"{name}w_", f"{name}c_")
    text += bundle(f"{name}b_", user=chain.user_bits, bytes_=chain.bytes)
    text += [] if chain.user_bits else [f"  assign {name}b_user = 1'b0;"]
    found = [*control, *handshake("in", f"{name}w_", chain.word(f"{name}w_"), takes=True)]
    found += handshake("out", f"{name}b_", chain.word(f"{name}b_"), takes=False)
    given = f".WIDTH({chain.bits}), .DEPTH_BITS({buffer_bits})"
    text += [f"  stream_buffer #({given}) u_{name}buffer (", joined(found), "  );"]
    return text + resized(design, "narrow", chain, f"{name}b_", f"{name}c_")


def widened(design: Design, chain: Chain) -> list[str]:
    """Write what makes words of the chain of those that a core gives."""
    name = chain.wire.name
    text = bundle(f"{name}c_", user=0, bytes_=chain.wire.bytes)
    text += bundle(f"{name}w_", user=0, bytes_=chain.bytes)
    text += [f"  assign {name}c_user = 1'b0;"]
    return text + resized(design, "widen", chain, f"{name}c_", f"{name}w_")


def handshake(way: str, prefix: str, word: str, *, takes: bool) -> list[str]:
    """Connect a bundle to ports `WAY_valid`, `WAY_ready`, `WAY_word` of a unit that takes it, or
    gives it.
    """
    forward, back = ("i", "o") if takes else ("o", "i")
    sides = ((f"valid_{forward}", f"{prefix}valid"), (f"ready_{back}", f"{prefix}ready"))
    return [f".{way}_{port}({net})" for port, net in (*sides, (f"word_{forward}", word))]


def resized(design: Design, kind: str, chain: Chain, before: str, after: str) -> list[str]:
    """Write what is between words of the chain and of a slice."""
    ratio = chain.bytes // chain.wire.bytes
    if ratio == 1:
        return same(after, before)
    control = (design.clock, design.reset)
    narrow = chain.wire.bytes
    user = chain.user_bits
    return resize(kind, control, before, after, ratio=ratio, narrow=narrow, user=user)
