# SPDX-License-Identifier: Apache-2.0
"""Numbers for people: three significant digits and an SI prefix; sizes in bytes."""

from __future__ import annotations

import math
import re

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


_SIZES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9}


def bytes_text(count: int) -> str:
    """Give a number of bytes exactly: `5 MB`, `10 kB`, `1001 B`."""
    unit = max((u for u, n in _SIZES.items() if count % n == 0), key=lambda u: _SIZES[u])
    return f"{count // _SIZES[unit] if count else 0} {unit if count else 'B'}"


def parse_bytes(text: str) -> int | None:
    """Read a number of bytes as `bytes_text` writes it, the space left out or not, or plain; None
    if it is none.
    """
    found = re.fullmatch(r"(-?\d+) ?(B|kB|MB|GB)?", text.strip())
    return int(found[1]) * _SIZES[found[2] or "B"] if found else None
