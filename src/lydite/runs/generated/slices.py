# SPDX-License-Identifier: Apache-2.0
"""Several of a core as one: an accelerator behind one DMA with a channel for each slice.

Words of all channels come on one stream, under `tid`, and go down a chain of slices, each of which
takes its own; results come back up the chain (`cores/common/rtl/slice_take.v`, `slice_give.v`). The
chain's words are as wide as all slices together need; each slice has a unit between these and its
own. The whole is a core like others, with as many calls at once (docs/cores.md, `interleaved`): it
is proven, timed and placed as one. With a queue of jobs (`slice_queue`) calls come one after the
other instead, and the hardware chooses a slice for each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from lydite.base.errors import InputError
from lydite.base.files import cannot_write, write_atomic
from lydite.cores import Design, catalog
from lydite.cores.catalog import FILE, FOLDER, SCHEMA
from lydite.runs.generated import slice_claims, slice_queue
from lydite.runs.generated.description import (
    Measured,
    claimed,
    copy_primitive,
    lines,
    listed,
    primitive_table,
    quoted,
)
from lydite.runs.generated.slice_chains import (
    WIDTHS,
    Chain,
    chain_of,
    handshake,
    links,
    pins,
    taken,
    widened,
)
from lydite.runs.generated.slice_queue import Queue
from lydite.sim import elaborate, framing
from lydite.sim.build import sources_of
from lydite.sim.wiring import core_links, joined
from lydite.tools.yosys import literal

TOP = "lydite_slices"
_RTL = FOLDER / "common" / "rtl"
_FILES = ("slice_take", "stream_narrow", "stream_stage", "stream_widen")
MAX_SLICES = 64
_HEAD = f"// Made by Lydite for {TOP}; do not edit. SPDX-License-Identifier: Apache-2.0"
_MADE = "# Made by Lydite: "


def write(
    design: Design,
    slices: int,
    folder: Path,
    *,
    stream_bytes: int | None = None,
    queue: Queue | None = None,
) -> Path:
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
    queue : Queue, optional
        How the hardware chooses slices; without one calls have `tid`, a slice each.

    Raises
    ------
    InputError
        The design cannot be told apart by `tid`, or put behind the queue, or something else is in
        the folder.
    CheckFailed, ToolFailed
        Simulation finds no steady state, or something that breaks the rules of the streams.
    """
    check(design, slices, folder, stream_bytes, queue)
    inner = sources_of(design)
    ports = elaborate.ports(inner)
    face = framing.face(ports, design)
    users = {port.name: port.width for port in ports}
    wanted = stream_bytes or _wanted(design, slices)
    several = _gives_much(design)
    sinks = [chain_of(wire, wanted, users) for wire in face.sinks]
    sources = [chain_of(wire, wanted if several else 1, users) for wire in face.sources]
    rtl = [_RTL / f"{name}.v" for name in sorted(_files(queue))]
    for path in rtl:
        own = inner.files.get(path.name)
        # What a core has of the accelerator's own files is there once.
        if own is not None and own.read_bytes() != path.read_bytes():
            what = f"{path.name} is a file of the accelerator"
            raise InputError(str(own), what, "rename it")
    files = [*dict.fromkeys([*inner.files, *(path.name for path in rtl)]), f"{TOP}.v"]
    given = ", ".join(f".{name}({literal(value)})" for name, value in inner.parameters.items())
    core = f"{design.top} {f'#({given}) ' if given else ''}u_core"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        inner.copy_to(folder)
        for path in rtl:
            write_atomic(folder / path.name, path.read_bytes())
        text = verilog(design, sinks, sources, slices, core, queue=queue)
        write_atomic(folder / f"{TOP}.v", text)
        primitive = design.primitive
        head = ""
        if primitive not in catalog.primitives():
            copy_primitive(primitive, folder)
            head = primitive_table(primitive) + "\n"
    except OSError as error:
        raise cannot_write(folder, error) from error

    def document(claims: Measured) -> str:
        title = f"{slices} x {design.title}"
        title += f", behind a queue, {queue.told}" if queue else ""
        name = f"{design.name}-x{slices}{queue.suffix if queue else ''}"
        return (
            f"{_MADE}{slices} of {design.label}.\n"
            f"schema = {SCHEMA}\ntitle = {quoted(title)}\n\n{head}"
            f"[[design]]\nname = {quoted(name)}\ntitle = {quoted(title)}\n"
            f"primitives = [{quoted(primitive.name)}]\noperations = {listed(design.operations)}\n"
            f"sources = {listed(files)}\n"
            f"top = {quoted(TOP)}\nclock = {quoted(design.clock)}\n"
            f"reset = {quoted(design.reset)}\nrelease = {quoted(design.release)}\n"
            f"{'' if queue else f'interleaved = {slices}{chr(10)}'}{claimed(claims)}"
            + "".join(f"\n[[design.streams]]\n{lines(one)}" for one in design.streams)
        )

    found = slice_claims.measured(design, 1 if queue else slices, document, folder)
    write_atomic(folder / FILE, document(found))
    return folder / FILE


def _files(queue: Queue | None) -> tuple[str, ...]:
    """Name the modules of an accelerator, beside the one that is made."""
    return (*_FILES, *(slice_queue.FILES if queue else ("slice_give",)))


def check(
    design: Design,
    slices: int,
    folder: Path,
    stream_bytes: int | None,
    queue: Queue | None = None,
) -> None:
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
    if queue is not None:
        slice_queue.check(design, queue)
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
    *,
    queue: Queue | None = None,
) -> str:
    """Give the module that connects everything.

    Parameters
    ----------
    core : str
        What a slice is an instance of, with its parameters, and its name.
    """
    if queue is None:
        body = _chained(design, sinks, sources, slices, core)
    else:
        [sink], [source] = sinks, sources
        body = slice_queue.verilog(design, sink, source, slices, core, queue)
    head = [_HEAD, "`default_nettype none", f"module {TOP} ("]
    return "\n".join([*head, *body, "endmodule", "`default_nettype wire", ""])


def _chained(
    design: Design,
    sinks: Sequence[Chain],
    sources: Sequence[Chain],
    slices: int,
    core: str,
) -> list[str]:
    """Write ports and inside of an accelerator whose calls have `tid`."""
    ids = (slices - 1).bit_length()
    ports = [f"input wire {design.clock}", f"input wire {design.reset}"]
    for chain in (*sinks, *sources):
        ports += pins(chain, into=chain in sinks, ids=ids)
    body = [f"  localparam SLICES = {slices};"]
    for chain in sinks:
        body += links(chain, ids)
        body += [f"  assign {chain.wire.name}ready = {chain.wire.name}l_ready[0];"]
        body += [f"  assign {_first(chain)} = {{{_outer(chain)}}};"]
        # A number that no slice has is taken and lost.
        body += [f"  assign {chain.wire.name}l_ready[SLICES] = 1'b1;"]
    for chain in sources:
        name = chain.wire.name
        body += links(chain, ids)
        body += [f"  assign {{{_outer(chain)}}} = {_first(chain)};"]
        body += [f"  assign {name}l_ready[0] = {name}ready;"]
        # Behind the last slice there is nothing.
        body += [f"  assign {name}l_{side}[SLICES] = 0;" for side in ("valid", "id", "word")]
    inside: list[str] = []
    pairs = [f".{design.clock}({design.clock})", f".{design.reset}({design.reset})"]
    for chain in sinks:
        inside += taken(design, chain, ids)
        pairs += core_links(chain.wire)
    for chain in sources:
        inside += _given(design, chain, ids)
        pairs += core_links(chain.wire)
    inside += [f"  {core} (", joined(pairs), "  );"]
    body += ["  genvar k;", "  generate", "    for (k = 0; k < SLICES; k = k + 1) begin : g_slice"]
    body += [f"    {line}" for line in inside] + ["    end", "  endgenerate"]
    return [",\n".join(f"    {pin}" for pin in ports), ");", *body]


def _outer(chain: Chain) -> str:
    """Give the pins of a chain as one word, the number of the slice highest."""
    name = chain.wire.name
    return ", ".join(f"{name}{side}" for side in ("id", "valid", *chain.sides))


def _first(chain: Chain) -> str:
    """Give what the first slice has of a chain, in the order of `_outer`."""
    name = chain.wire.name
    return f"{{{name}l_id[0], {name}l_valid[0], {name}l_word[0]}}"


def _given(design: Design, chain: Chain, ids: int) -> list[str]:
    """Write a slice's way out: in words of the chain, between those of the slices behind."""
    name = chain.wire.name
    found = [f".clk({design.clock})", f".rst({design.reset})"]
    found += handshake("own", f"{name}w_", chain.word(f"{name}w_"), takes=True)
    found += [f".in_valid_i({name}l_valid[k + 1])", f".in_ready_o({name}l_ready[k + 1])"]
    found += [f".in_word_i({name}l_word[k + 1])", f".in_id_i({name}l_id[k + 1])"]
    found += [f".on_valid_o({name}l_valid[k])", f".on_ready_i({name}l_ready[k])"]
    found += [f".on_word_o({name}l_word[k])", f".on_id_o({name}l_id[k])"]
    given = f".WIDTH({chain.bits}), .ID_BITS({ids}), .ID(k)"
    given += ", .BEHIND(k == SLICES - 1 ? 1 : SLICES - 1 - k)"
    text = widened(design, chain)
    return [*text, f"  slice_give #({given}) u_{name}give (", joined(found), "  );"]


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
