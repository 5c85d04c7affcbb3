# SPDX-License-Identifier: Apache-2.0
"""The register map of arguments behind an AXI4-Lite port: addresses, C header, documentation.

As Vitis HLS lays it out (UG1399, "S_AXILITE Control Register Map"): control at 0, the result and
the arguments from 0x10 on, in C order, each with a word behind its data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

FIRST = 0x10


@dataclass(frozen=True, slots=True)
class Register:
    """A value that the bus reads or writes.

    Attributes
    ----------
    name : str
        Of the argument; `return` for the result.
    signal : str
        Name inside: the data port that it would be without the bus.
    bits : int
        Of the value: words of 32 bits from `offset` on, the lowest first.
    writes : bool
        Whether the hardware gives it; then the word behind it has a bit 0 that says that it did,
        and is cleared by a read.
    offset : int
        Byte address.
    about : str
        What it is; without, the argument of its name.
    """

    name: str
    signal: str
    bits: int
    writes: bool
    offset: int = 0
    about: str = ""

    @property
    def what(self) -> str:
        """What it is, in words."""
        return self.about or ("result" if self.name == "return" else f"argument `{self.name}`")

    @property
    def words(self) -> int:
        """Words of data."""
        return (self.bits + 31) // 32

    @property
    def control(self) -> int:
        """Byte address of the word behind the data."""
        return self.offset + 4 * self.words


@dataclass(frozen=True, slots=True)
class RegisterMap:
    """All that is behind the bus.

    Attributes
    ----------
    control : bool
        Whether start, done and interrupts are, at 0 to 0x0f.
    registers : tuple of Register
        By address.
    """

    control: bool
    registers: tuple[Register, ...]

    @property
    def address_bits(self) -> int:
        """Bits of a byte address."""
        end = max((r.control + 4 for r in self.registers), default=FIRST)
        return max(5, (end - 1).bit_length())


def place(control: bool, registers: Sequence[Register]) -> RegisterMap:
    """Give registers their addresses."""
    placed: list[Register] = []
    at = FIRST
    for item in registers:
        placed.append(replace(item, offset=at))
        at = placed[-1].control + 4
    return RegisterMap(control, tuple(placed))


# Bits at 0 to 0x0f: address, name, bit, what it is.
CONTROL = (
    (0x00, "AP_CTRL", 0, "ap_start", "write 1 to start; 1 until taken"),
    (0x00, "AP_CTRL", 1, "ap_done", "1 after a call has ended; cleared by reading"),
    (0x00, "AP_CTRL", 2, "ap_idle", "1 while nothing runs"),
    (0x00, "AP_CTRL", 3, "ap_ready", "1 after a start was taken; cleared by reading"),
    (0x00, "AP_CTRL", 7, "auto_restart", "1: start again by itself"),
    (0x04, "GIE", 0, "interrupt enable", "1: interrupts leave"),
    (0x08, "IER", 0, "done enable", "1: the end of a call interrupts"),
    (0x08, "IER", 1, "ready enable", "1: a taken start interrupts"),
    (0x0C, "ISR", 0, "done", "write 1 to toggle"),
    (0x0C, "ISR", 1, "ready", "write 1 to toggle"),
)


def header(top: str, found: RegisterMap) -> str:
    """Give the C header with all addresses."""
    guard = f"{top.upper()}_REGS_H"
    lines = [f"// Registers of {top} behind s_axi_control. Made by Lydite; do not edit.", ""]
    lines += [f"#ifndef {guard}", f"#define {guard}", ""]
    if found.control:
        for address, name in dict.fromkeys((row[0], row[1]) for row in CONTROL):
            lines.append(f"#define {top.upper()}_{name} 0x{address:02x}")
        for _, name, bit, field_name, what in CONTROL:
            label = field_name.removeprefix("ap_").upper().replace(" ", "_")
            lines.append(f"#define {top.upper()}_{name}_{label} (1u << {bit})  // {what}")
    for item in found.registers:
        stem = f"{top.upper()}_{item.signal.removesuffix('_').upper()}"
        lines.append("")
        direction = "from the hardware" if item.writes else "to the hardware"
        said = f" {item.about[0].upper()}{item.about[1:]}." if item.about else ""
        lines.append(f"// {item.name}: {item.bits} bits, {direction}.{said}")
        for word in range(item.words):
            part = f"_{word}" if item.words > 1 else ""
            lines.append(f"#define {stem}_DATA{part} 0x{item.offset + 4 * word:02x}")
        lines.append(f"#define {stem}_BITS {item.bits}")
        if item.writes and item.name != "return":
            lines.append(f"#define {stem}_CTRL 0x{item.control:02x}  // bit 0: given")
    return "\n".join([*lines, "", "#endif", ""])


def document(top: str, found: RegisterMap) -> str:
    """Give the same as a page."""
    lines = [
        f"# Registers of `{top}` behind `s_axi_control`",
        "",
        "AXI4-Lite, words of 32 bits.",
        "",
    ]
    lines += ["| address | bits | name | access | what |", "|---|---|---|---|---|"]
    if found.control:
        for address, _, bit, name, what in CONTROL:
            access = "R" if name in ("ap_done", "ap_idle", "ap_ready") else "R/W"
            lines.append(f"| 0x{address:02x} | {bit} | `{name}` | {access} | {what} |")
    for item in found.registers:
        access = "R" if item.writes else "R/W"
        for word in range(item.words):
            top_bit = min(item.bits - 32 * word, 32) - 1
            span = f"{top_bit}:0" if top_bit else "0"
            part = f", bits from {32 * word}" if item.words > 1 else ""
            row = f"| 0x{item.offset + 4 * word:02x} | {span} | `{item.signal}` | {access} |"
            lines.append(f"{row} {item.what}{part} |")
        if item.writes and item.name != "return":
            what = f"1 after `{item.name}` was given; cleared by reading"
            lines.append(f"| 0x{item.control:02x} | 0 | `{item.signal}_ap_vld` | R | {what} |")
    return "\n".join([*lines, ""])
