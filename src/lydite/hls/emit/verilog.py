# SPDX-License-Identifier: Apache-2.0
"""Pieces of Verilog text."""

from __future__ import annotations


def literal(width: int, value: int) -> str:
    """Give a sized constant: decimal when short, else hexadecimal."""
    if width == 1:
        return f"1'b{value}"
    if value < 10:
        return f"{width}'d{value}"
    return f"{width}'h{value:x}"


def span(width: int) -> str:
    """Give a range with a trailing space, nothing for a single bit."""
    return f"[{width - 1}:0] " if width > 1 else ""
