# SPDX-License-Identifier: Apache-2.0
"""Several of a core as one: an accelerator behind one DMA with a channel for each slice.

Words of all channels come on one stream, under `tid`, and go down a chain of slices, each of which
takes its own; results come back up the chain (`cores/common/rtl/slice_take.v`, `slice_give.v`). The
chain's words are as wide as all slices together need; each slice has a unit between these and its
own. The whole is a core like others, with as many calls at once (docs/cores.md, `interleaved`): it
is proven, timed and placed as one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import msgspec

from lydite.base.errors import InputError
from lydite.base.files import cannot_write, write_atomic
from lydite.cores import Design, catalog
from lydite.cores.catalog import FILE, FOLDER, SCHEMA
from lydite.runs.description import (
    Measured,
    claimed,
    copy_primitive,
    lines,
    listed,
    measured,
    primitive_table,
    quoted,
)
from lydite.sim import elaborate, framing
from lydite.sim.build import sources_of
from lydite.sim.stream import Wire
from lydite.sim.wiring import bundle, core_links, joined, resize, same, span
from lydite.tools.yosys import literal

TOP = "lydite_slices"
RTL: tuple[Path, ...] = tuple(
    FOLDER / "common" / "rtl" / f"{name}.v"
    for name in ("slice_give", "slice_take", "stream_narrow", "stream_stage", "stream_widen")
)
MAX_SLICES = 64
# Widths that streams may have, in bytes.
WIDTHS = (1, 2, 4, 8, 16, 32, 64)
_HEAD = f"// Made by Lydite for {TOP}; do not edit. SPDX-License-Identifier: Apache-2.0"
_MADE = "# Made by Lydite: "


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


def write(design: Design, slices: int, folder: Path, *, stream_bytes: int | None = None) -> Path:
    """Write the core that has a design several times, and give its `core.toml`.

    Parameters
    ----------
    design : Design
        With its C compiled, if it has some.
    slices : int
        2 to MAX_SLICES.
    folder : Path
        Made if need be; what this function wrote before is replaced.
    stream_bytes : int, optional
        Of a word of the streams; as much as all slices need together, if it is not told.

    Raises
    ------
    InputError
        The design cannot be told apart by `tid`, or something else is in the folder.
    CheckFailed, ToolFailed
        Simulation finds no steady state, or something that breaks the rules of the streams.
    """
    check(design, slices, folder, stream_bytes)
    inner = sources_of(design)
    ports = elaborate.ports(inner)
    face = framing.face(ports, design)
    users = {port.name: port.width for port in ports}
    wanted = stream_bytes or _wanted(design, slices)
    several = _gives_much(design)
    sinks = [_chain(wire, wanted, users) for wire in face.sinks]
    sources = [_chain(wire, wanted if several else 1, users) for wire in face.sources]
    for path in RTL:
        if path.name in inner.files:
            what = f"{path.name} is a file of the accelerator"
            raise InputError(str(inner.files[path.name]), what, "rename it")
    files = [*inner.files, *(path.name for path in RTL), f"{TOP}.v"]
    given = ", ".join(f".{name}({literal(value)})" for name, value in inner.parameters.items())
    core = f"{design.top} {f'#({given}) ' if given else ''}u_core"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        inner.copy_to(folder)
        for path in RTL:
            write_atomic(folder / path.name, path.read_bytes())
        write_atomic(folder / f"{TOP}.v", verilog(design, sinks, sources, slices, core))
        primitive = design.primitive
        head = ""
        if primitive not in catalog.primitives():
            copy_primitive(primitive, folder)
            head = primitive_table(primitive) + "\n"
    except OSError as error:
        raise cannot_write(folder, error) from error

    def document(claims: Measured) -> str:
        title = f"{slices} x {design.title}"
        return (
            f"{_MADE}{slices} of {design.label}.\n"
            f"schema = {SCHEMA}\ntitle = {quoted(title)}\n\n{head}"
            f"[[design]]\nname = {quoted(f'{design.name}-x{slices}')}\ntitle = {quoted(title)}\n"
            f"primitives = [{quoted(primitive.name)}]\noperations = {listed(design.operations)}\n"
            f"sources = {listed(files)}\n"
            f"top = {quoted(TOP)}\nclock = {quoted(design.clock)}\n"
            f"reset = {quoted(design.reset)}\nrelease = {quoted(design.release)}\n"
            f"interleaved = {slices}\n{claimed(claims)}"
            + "".join(f"\n[[design.streams]]\n{lines(one)}" for one in design.streams)
        )

    found = measured(document([(name, {}) for name in design.operations]), folder)
    write_atomic(folder / FILE, document(found))
    return folder / FILE


def check(design: Design, slices: int, folder: Path, stream_bytes: int | None) -> None:
    """Refuse what `write` cannot make, before any tool runs.

    Raises
    ------
    InputError
        As `write`.
    """
    if not 2 <= slices <= MAX_SLICES:
        raise InputError("--slices", f"must be 2 to {MAX_SLICES}, not {slices}")
    hint = "slices need AXI4-Stream, one call at once, and no registers that hold its fields"
    if design.interface != "axi4-stream":
        raise InputError(design.label, f"has the interface {design.interface}", hint)
    if design.registers:
        names = ", ".join(design.registers)
        raise InputError(design.label, f"has registers that hold fields: {names}", hint)
    if design.interleaved > 1:
        raise InputError(design.label, f"has {design.interleaved} calls at once itself", hint)
    if stream_bytes is not None and stream_bytes not in WIDTHS:
        known = ", ".join(map(str, WIDTHS))
        hint = f"one of {known}"
        raise InputError("--stream-bytes", f"no width of streams: {stream_bytes}", hint)
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(str(folder), "is no folder", "name another with --out")
    path = folder / FILE
    made = path.is_file() and path.read_text(errors="replace").startswith(_MADE)
    if not made and any(folder.iterdir()):
        raise InputError(str(folder), "has something else in it", "name another with --out")


def verilog(
    design: Design,
    sinks: Sequence[Chain],
    sources: Sequence[Chain],
    slices: int,
    core: str,
) -> str:
    """Give the module that connects everything.

    Parameters
    ----------
    core : str
        What a slice is an instance of, with its parameters, and its name.
    """
    ids = (slices - 1).bit_length()
    pins = [f"input wire {design.clock}", f"input wire {design.reset}"]
    for chain in (*sinks, *sources):
        into = chain in sinks
        name, forward, back = chain.wire.name, "input", "output"
        if not into:
            forward, back = back, forward
        sides = {"data": 8 * chain.bytes, "keep": chain.bytes, "last": 1, "valid": 1, "id": ids}
        sides |= {"user": chain.user_bits} if chain.user_bits else {}
        pins += [f"{forward} wire {span(width)}{name}{side}" for side, width in sides.items()]
        pins += [f"{back} wire {name}ready"]
    body = [f"  localparam SLICES = {slices};"]
    for chain in sinks:
        body += _links(chain, ids)
        body += [f"  assign {chain.wire.name}ready = {chain.wire.name}l_ready[0];"]
        body += [f"  assign {_first(chain)} = {{{_outer(chain)}}};"]
        # A number that no slice has is taken and lost.
        body += [f"  assign {chain.wire.name}l_ready[SLICES] = 1'b1;"]
    for chain in sources:
        name = chain.wire.name
        body += _links(chain, ids)
        body += [f"  assign {{{_outer(chain)}}} = {_first(chain)};"]
        body += [f"  assign {name}l_ready[0] = {name}ready;"]
        # Behind the last slice there is nothing.
        body += [f"  assign {name}l_{side}[SLICES] = 0;" for side in ("valid", "id", "word")]
    inside: list[str] = []
    pairs = [f".{design.clock}({design.clock})", f".{design.reset}({design.reset})"]
    for chain in sinks:
        inside += _taken(design, chain, ids)
        pairs += core_links(chain.wire)
    for chain in sources:
        inside += _given(design, chain, ids)
        pairs += core_links(chain.wire)
    inside += [f"  {core} (", joined(pairs), "  );"]
    body += ["  genvar k;", "  generate", "    for (k = 0; k < SLICES; k = k + 1) begin : g_slice"]
    body += [f"    {line}" for line in inside] + ["    end", "  endgenerate"]
    head = [_HEAD, "`default_nettype none", f"module {TOP} ("]
    tail = ["endmodule", "`default_nettype wire", ""]
    return "\n".join([*head, ",\n".join(f"    {pin}" for pin in pins), ");", *body, *tail])


def _wanted(design: Design, slices: int) -> int:
    """Give the bytes a cycle that all slices take together, as claimed."""
    rates = []
    for name in design.operations:
        found = design.claim(name, "cycles_per_block") or design.claim(name, "cycles_per_message")
        size = design.primitive.operation(name).block_bytes or 1
        rates.append(Fraction(size) / found[0] if found and found[0] else Fraction(WIDTHS[-1]))
    return math.ceil(slices * max(rates))


def _gives_much(design: Design) -> bool:
    """Say whether outputs may be as long as what they are made of."""
    operations = (design.primitive.operation(name) for name in design.operations)
    return any(not isinstance(out.bytes, int) for one in operations for out in one.outputs)


def _chain(wire: Wire, wanted: int, users: dict[str, int]) -> Chain:
    wide = next((width for width in WIDTHS if width >= wanted), WIDTHS[-1])
    bits = users.get(f"{wire.name}user", 0)
    return Chain(wire=wire, bytes=max(wide, wire.bytes), user_bits=bits)


def _bits(chain: Chain) -> int:
    return 9 * chain.bytes + 1 + chain.user_bits


def _outer(chain: Chain) -> str:
    """Give the pins of a chain as one word, the number of the slice highest."""
    name = chain.wire.name
    sides = ("id", "valid", *(["user"] if chain.user_bits else []), "last", "keep", "data")
    return ", ".join(f"{name}{side}" for side in sides)


def _first(chain: Chain) -> str:
    """Give what the first slice has of a chain, in the order of `_outer`."""
    name = chain.wire.name
    return f"{{{name}l_id[0], {name}l_valid[0], {name}l_word[0]}}"


def _links(chain: Chain, ids: int) -> list[str]:
    """Declare what lies between slices: link k is before slice k."""
    name = chain.wire.name
    return [
        f"  wire {span(_bits(chain))}{name}l_word[0:SLICES];",
        f"  wire {span(ids)}{name}l_id[0:SLICES];",
        f"  wire [SLICES:0] {name}l_valid, {name}l_ready;",
    ]


def _taken(design: Design, chain: Chain, ids: int) -> list[str]:
    """Write a slice's way in: from the chain, in words of its own."""
    name = chain.wire.name
    text = bundle(f"{name}w_", user=chain.user_bits, bytes_=chain.bytes)
    text += bundle(f"{name}c_", user=chain.user_bits, bytes_=chain.wire.bytes)
    word = [f"{name}w_{side}" for side in ("last", "keep", "data")]
    if chain.user_bits:
        word.insert(0, f"{name}w_user")
    else:
        text += [f"  assign {name}w_user = 1'b0;"]
    links = [f".clk({design.clock})", f".rst({design.reset})"]
    for way, port, k in (("in", ("i", "o"), "k"), ("on", ("o", "i"), "k + 1")):
        links += [f".{way}_valid_{port[0]}({name}l_valid[{k}])"]
        links += [f".{way}_ready_{port[1]}({name}l_ready[{k}])"]
        links += [f".{way}_word_{port[0]}({name}l_word[{k}])"]
        links += [f".{way}_id_{port[0]}({name}l_id[{k}])"]
    links += [f".own_valid_o({name}w_valid)", f".own_ready_i({name}w_ready)"]
    links += [f".own_word_o({{{', '.join(word)}}})"]
    given = f".WIDTH({_bits(chain)}), .ID_BITS({ids}), .ID(k)"
    text += [f"  slice_take #({given}) u_{name}take (", joined(links), "  );"]
    return text + _resized(design, "narrow", chain, f"{name}w_", f"{name}c_")


def _given(design: Design, chain: Chain, ids: int) -> list[str]:
    """Write a slice's way out: in words of the chain, between those of the slices behind."""
    name = chain.wire.name
    text = bundle(f"{name}c_", user=0, bytes_=chain.wire.bytes)
    text += bundle(f"{name}w_", user=0, bytes_=chain.bytes)
    text += [f"  assign {name}c_user = 1'b0;"]
    text += _resized(design, "widen", chain, f"{name}c_", f"{name}w_")
    word = ", ".join(f"{name}w_{side}" for side in ("last", "keep", "data"))
    links = [f".clk({design.clock})", f".rst({design.reset})"]
    links += [f".own_valid_i({name}w_valid)", f".own_ready_o({name}w_ready)"]
    links += [f".own_word_i({{{word}}})"]
    links += [f".in_valid_i({name}l_valid[k + 1])", f".in_ready_o({name}l_ready[k + 1])"]
    links += [f".in_word_i({name}l_word[k + 1])", f".in_id_i({name}l_id[k + 1])"]
    links += [f".on_valid_o({name}l_valid[k])", f".on_ready_i({name}l_ready[k])"]
    links += [f".on_word_o({name}l_word[k])", f".on_id_o({name}l_id[k])"]
    given = f".WIDTH({_bits(chain)}), .ID_BITS({ids}), .ID(k)"
    given += ", .BEHIND(k == SLICES - 1 ? 1 : SLICES - 1 - k)"
    return [*text, f"  slice_give #({given}) u_{name}give (", joined(links), "  );"]


def _resized(design: Design, kind: str, chain: Chain, before: str, after: str) -> list[str]:
    """Write what is between words of the chain and of a slice."""
    ratio = chain.bytes // chain.wire.bytes
    if ratio == 1:
        return same(after, before)
    control = (design.clock, design.reset)
    narrow = chain.wire.bytes
    user = chain.user_bits
    return resize(kind, control, before, after, ratio=ratio, narrow=narrow, user=user)
