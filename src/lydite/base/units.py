# SPDX-License-Identifier: Apache-2.0
"""Numbers for people: three significant digits and an SI prefix."""

from __future__ import annotations

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n"))


def si(value: float, unit: str = "") -> str:
    """Give a value with an SI prefix and its unit: `si(3.84e7, "B/s")` is `38.4 MB/s`."""
    if value == 0:
        return f"0 {unit}".rstrip()
    # A value that would round to 1000 of one prefix is 1.00 of the next.
    factor, prefix = next(((f, p) for f, p in _PREFIXES if abs(value) >= f * 0.9995), _PREFIXES[-1])
    return f"{digits(value / factor)} {prefix}{unit}".rstrip()


def digits(value: float, count: int = 3) -> str:
    """Give a value with `count` significant digits and no exponent."""
    if value == 0:
        return "0"
    exponent = len(str(int(abs(value)))) if abs(value) >= 1 else 0
    return f"{value:.{max(count - exponent, 0)}f}"
