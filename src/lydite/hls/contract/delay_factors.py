# SPDX-License-Identifier: Apache-2.0
"""Factors to the delays of a program's operations, as data: what placements have taught.

`lydite.hls.schedule.list_scheduler.delay_factors` says which operations they are for.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from lydite.base import InputError, digest

_HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# What placements have taught about one program's operations, by `lydite hls --refine`: factors to
# their delays. `lydite hls --learnt` takes it; `ir` says for which form of the functions it holds.
"""


@dataclass(frozen=True, slots=True)
class Factor:
    """How much longer an operation takes than its family's table says.

    Attributes
    ----------
    function : str
    number : int
        Its place among the function's operations.
    kind, width, where : str, int, str
        What it is, for the reader: `add`, bits of the result, `file:line` or empty.
    factor : float
        Above 0.
    """

    function: str
    number: int
    kind: str
    width: int
    where: str
    factor: float


@dataclass(frozen=True, slots=True)
class DelayFactors:
    """All factors of a program.

    Attributes
    ----------
    ir : tuple of (str, str)
        Functions, each with the digest of the operations that the factors are for.
    factors : tuple of Factor
        In the order of functions and operations.
    origin : str
        File that they were read from, or empty; for errors.
    """

    ir: tuple[tuple[str, str], ...]
    factors: tuple[Factor, ...]
    origin: str = ""

    @property
    def digest(self) -> str:
        """Give the digest of what counts."""
        return digest.of_value(
            [[item.function, item.number, f"{item.factor:g}"] for item in self.factors]
        )

    def text(self) -> str:
        """Give the file that `read` reads."""
        lines = [_HEAD, "[ir]"]
        lines += [f"{_quoted(name)} = {_quoted(value)}" for name, value in self.ir]
        for item in self.factors:
            lines += ["", "[[operation]]", f"function = {_quoted(item.function)}"]
            lines += [f"number = {item.number}", f"kind = {_quoted(item.kind)}"]
            lines += [f"width = {item.width}", f"where = {_quoted(item.where)}"]
            lines += [f"factor = {item.factor:g}"]
        return "\n".join([*lines, ""])


def read(path: Path) -> DelayFactors:
    """Read a file of factors.

    Raises
    ------
    InputError
        It is not there, or not of this form.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        factors = tuple(
            Factor(
                str(row["function"]),
                _whole(row["number"]),
                str(row["kind"]),
                _whole(row["width"]),
                str(row["where"]),
                float(row["factor"]),
            )
            for row in data.get("operation", [])
        )
        shapes = tuple((str(name), str(value)) for name, value in data["ir"].items())
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        hint = "`lydite hls --refine` writes such a file"
        raise InputError(str(path), f"no file of what was learnt: {error}", hint) from error
    if any(not item.factor > 0 or item.number < 0 for item in factors):
        raise InputError(str(path), "factors and numbers of operations are above 0")
    return DelayFactors(shapes, factors, str(path))


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


def _quoted(text: str) -> str:
    return digest.canonical(text)
