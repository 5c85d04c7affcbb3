# SPDX-License-Identifier: Apache-2.0
"""How much a search or an exploration may spend, as it is written on a command line."""

from __future__ import annotations

import math

from lydite.base.errors import InputError

_SECONDS = {"s": 1, "min": 60, "h": 3600}


def read(text: str, where: str = "--budget") -> tuple[int | None, float | None]:
    """Read runs and seconds: `200runs`, `30min`, `2h`, `90s`, or two of them with a comma.

    Raises
    ------
    InputError
        It is none, or 0.
    """
    runs: int | None = None
    seconds: float | None = None
    for part in text.split(","):
        word = part.strip()
        number = word.rstrip("abcdefghijklmnopqrstuvwxyz")
        unit = word[len(number) :]
        scale = _SECONDS.get(unit)
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if math.isnan(value) or (scale is None and (unit != "runs" or not value.is_integer())):
            hint = "as 200runs, 30min, 2h, 90s, or 200runs,30min"
            raise InputError(where, f"not a budget: {word!r}", hint)
        if not 0 < value < 1e9:
            raise InputError(where, f"must be above 0, not {word}")
        if scale is None:
            runs = int(value)
        else:
            seconds = value * scale
    return runs, seconds
