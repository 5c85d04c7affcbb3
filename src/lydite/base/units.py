# SPDX-License-Identifier: Apache-2.0
"""Numbers for people: three significant digits and an SI prefix."""

from __future__ import annotations

import math

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
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    # The exponent of the rounded value: 9.996 is 10.0, not 10.00.
    exponent = int(f"{value:.{count - 1}e}".partition("e")[2])
    return f"{value:.{max(count - 1 - exponent, 0)}f}"
