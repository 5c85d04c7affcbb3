# SPDX-License-Identifier: Apache-2.0
"""Turns the stream calls of `lydite_stream.h` into calls that take or give a whole beat at once.

Works on the text of unoptimised LLVM IR. The header's functions pass a beat by the addresses of its
fields; here each shape of beat gets a body for that, which is inlined, around one call of a
function that nothing defines and that holds all bits of the beat in one integer. So the optimiser
sees no memory, and keeps such calls as they are: `lower.translate` makes the accesses of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lydite.base import InputError
from lydite.hls.contract.interface import MAX_KEEP_BITS
from lydite.hls.frontend.debug_info import DebugInfo

# The functions that only we know: `lydite.stream.read.BYTES.USER_BITS` and the like.
STEM = "lydite.stream."
COUNT = "__lydite_stream_count"
# Tag of the structures that streams are to the compiler.
TAG = "lydite_stream_of_"
MAX_BYTES = 64
MAX_USER_BITS = 64
# Of a stream between processes, which has no port.
MAX_INNER_BYTES = 1024

_CALL = re.compile(
    r"call void @__lydite_stream_(read|write)\(([^\n]*?), i32 noundef (\d+), i32 noundef (\d+)\)"
    r"[^\n]*"
)
_KEPT = "nomerge nounwind willreturn memory(inaccessiblemem: readwrite)"


@dataclass(frozen=True, slots=True)
class Shape:
    """What a beat has beside `tlast`: bytes of data with a keep bit each, and bits of `tuser`.

    A beat as a number has the data in its low bits, then keep, last, user. Beyond `MAX_KEEP_BITS`
    bytes have no keep bit: C has none for them.
    """

    data_bytes: int
    user_bits: int

    @property
    def width(self) -> int:
        """Bits of a beat."""
        return 8 * self.data_bytes + self.keep_bits + 1 + self.user_bits

    @property
    def keep_bits(self) -> int:
        """Keep bits of a beat."""
        return min(self.data_bytes, MAX_KEEP_BITS)


def of_call(name: str) -> tuple[str, Shape]:
    """Give what a function of ours does, `read` or `write`, and to beats of which shape."""
    kind, data_bytes, user_bits = name.removeprefix(STEM).split(".")
    return kind, Shape(int(data_bytes), int(user_bits))


def expand(text: str) -> str:
    """Replace the stream calls of a module.

    Raises
    ------
    InputError
        A beat has more bytes or user bits than a port may have.
    """
    if "@__lydite_stream_" not in text:
        return text
    shapes: dict[tuple[str, Shape], None] = {}

    def replace(match: re.Match[str]) -> str:
        shape = Shape(int(match[3]), int(match[4]))
        _check(shape, match[0], text)
        shapes[match[1], shape] = None
        rest = match[0][match[0].rindex(f"i32 noundef {match[4]})") :].partition(")")[2]
        return f"call void @{_body_name(match[1], shape)}({match[2]}){rest}"

    text = _CALL.sub(replace, text)
    made = [_read(shape) if kind == "read" else _write(shape) for kind, shape in shapes]
    return "\n".join([text, *made])


def _check(shape: Shape, call: str, text: str) -> None:
    if 1 <= shape.data_bytes <= MAX_INNER_BYTES and shape.user_bits <= MAX_USER_BITS:
        return
    found = re.search(r"!dbg !(\d+)", call)
    metadata = dict(re.findall(r"^!(\d+) = (.*)$", text, re.MULTILINE))
    debug = DebugInfo({int(number): node for number, node in metadata.items()})
    raise InputError(
        (debug.where(int(found[1])) if found else "") or "LYDITE_STREAM",
        f"a stream of {shape.data_bytes} bytes with {shape.user_bits} user bits",
        f"data have 1 to {MAX_BYTES} bytes, {MAX_INNER_BYTES} between processes; "
        f"tuser has up to {MAX_USER_BITS} bits",
    )


def _body_name(kind: str, shape: Shape) -> str:
    return f"__lydite_{kind}.{shape.data_bytes}.{shape.user_bits}"


def _own(kind: str, shape: Shape) -> str:
    return f"{STEM}{kind}.{shape.data_bytes}.{shape.user_bits}"


def _pieces(data_bytes: int) -> list[tuple[int, int]]:
    """Give offset and bytes of the accesses that data are copied with."""
    result, offset = [], 0
    while offset < data_bytes:
        size = min(8, 1 << ((data_bytes - offset).bit_length() - 1))
        result.append((offset, size))
        offset += size
    return result


def _read(shape: Shape) -> str:
    whole, keep, above = f"i{shape.width}", shape.keep_bits, 8 * shape.data_bytes
    lines = [f"  %beat = call {whole} @{_own('read', shape)}(ptr %stream)"]

    def field(name: str, low: int, width: int, to: int, address: str) -> None:
        value = f"%{name}.shifted"
        lines.append(f"  {value} = lshr {whole} %beat, {low}")
        lines.append(f"  %{name}.cut = trunc {whole} {value} to i{width}")
        value = f"%{name}.cut"
        if width < to:
            lines.append(f"  %{name}.wide = zext i{width} {value} to i{to}")
            value = f"%{name}.wide"
        lines.append(f"  store i{to} {value}, ptr {address}, align 1")

    for offset, size in _pieces(shape.data_bytes):
        lines.append(f"  %address.{offset} = getelementptr i8, ptr %data, i64 {offset}")
        field(f"data.{offset}", 8 * offset, 8 * size, 8 * size, f"%address.{offset}")
    field("keep", above, keep, 64, "%keep")
    field("last", above + keep, 1, 8, "%last")
    if shape.user_bits:
        field("user", above + keep + 1, shape.user_bits, 64, "%user")
    head = f"define internal void @{_body_name('read', shape)}"
    params = "ptr %stream, ptr %data, ptr %keep, ptr %last, ptr %user"
    body = "\n".join(lines)
    return (
        f"{head}({params}) alwaysinline {{\nentry:\n{body}\n  ret void\n}}\n"
        f"declare {whole} @{_own('read', shape)}(ptr) {_KEPT}\n"
    )


def _write(shape: Shape) -> str:
    whole, keep, above = f"i{shape.width}", shape.keep_bits, 8 * shape.data_bytes
    lines: list[str] = []
    parts: list[tuple[str, str, int]] = []
    for offset, size in _pieces(shape.data_bytes):
        kind = f"i{8 * size}"
        lines.append(f"  %address.{offset} = getelementptr i8, ptr %data, i64 {offset}")
        lines.append(f"  %data.{offset} = load {kind}, ptr %address.{offset}, align 1")
        parts.append((kind, f"%data.{offset}", 8 * offset))
    fields = [("keep", 64, keep, above), ("last", 32, 1, above + keep)]
    if shape.user_bits:
        fields.append(("user", 64, shape.user_bits, above + keep + 1))
    for name, given, width, low in fields:
        value = f"%{name}"
        if width < given:
            lines.append(f"  %{name}.cut = trunc i{given} {value} to i{width}")
            value = f"%{name}.cut"
        parts.append((f"i{width}", value, low))
    beat = "0"
    for number, (kind, value, low) in enumerate(parts):
        lines.append(f"  %wide.{number} = zext {kind} {value} to {whole}")
        lines.append(f"  %placed.{number} = shl {whole} %wide.{number}, {low}")
        lines.append(f"  %beat.{number} = or {whole} {beat}, %placed.{number}")
        beat = f"%beat.{number}"
    lines.append(f"  call void @{_own('write', shape)}(ptr %stream, {whole} {beat})")
    head = f"define internal void @{_body_name('write', shape)}"
    params = "ptr %stream, ptr %data, i64 %keep, i32 %last, i64 %user"
    body = "\n".join(lines)
    return (
        f"{head}({params}) alwaysinline {{\nentry:\n{body}\n  ret void\n}}\n"
        f"declare void @{_own('write', shape)}(ptr, {whole}) {_KEPT}\n"
    )
