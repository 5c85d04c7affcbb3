# SPDX-License-Identifier: Apache-2.0
"""The settings of the report on Dilithium2, as files of directives on our C (`dilithium2/`).

`lydite hls src/lydite/cores/dilithium/hls/sign.c --top dilithium_sign -D ML_DSA=0 --clock-ns 12
--effort area --directives FILE ...` compiles one: the files in their order.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lydite.cores import catalog
from lydite.hls.contract import directive_text
from lydite.hls.contract.directive_text import Placed
from lydite.hls.contract.options import Options

FOLDER = Path(__file__).parent / "dilithium2"
SOURCE = catalog.FOLDER / "dilithium" / "hls" / "sign.c"
TOP, CLOCK_NS = "dilithium_sign", 12.0


@dataclass(frozen=True)
class Setting:
    """One of them.

    Attributes
    ----------
    name : str
        `area-N` or `latency-N` of the report, or of OWN.
    files : tuple of Path
        None for the C with its own directives.
    deviates : str
        In which way it is not the report's; empty if only the C differs.
    adds : str
        What it does, where it is none of the report's.
    """

    name: str
    files: tuple[Path, ...]
    deviates: str = ""
    adds: str = ""

    @property
    def directives(self) -> tuple[Placed, ...]:
        """What they say: of two at one place the later one holds."""
        return tuple(one for path in self.files for one in directive_text.load(path))


def options(target: str) -> Options:
    """Give the program, without directives from outside, for a family or part."""
    return Options(
        sources=(SOURCE,), top=TOP, clock_ns=CLOCK_NS, target=target, defines=("ML_DSA=0",)
    )


def _files(*names: str, folder: Path = FOLDER) -> tuple[Path, ...]:
    return tuple(folder / f"{name}.toml" for name in names)


_PLAIN = _files("plain")
_INLINE = (*_PLAIN, *_files("inline-2", "inline-3"))
_LIMITS = _files("xor-4", "xor-12", "xor-20", "xor-100", "xor-1000")
_LOGIC = _files("logic-4", "logic-30-4", "logic-12-4", "logic-12", "logic-32", "logic-64")
_STATE, _CONSTANTS = _files("state", "constants")
_SHARED = (*_INLINE, *_files("logic-32"))

AREA = (
    Setting("area-1", _PLAIN),
    Setting("area-2", (*_PLAIN, *_files("inline-2"))),
    Setting("area-3", _INLINE, "eight functions: ours has no others of these"),
    Setting("area-4", _INLINE, "as 3: in our C blocks are squeezed in place"),
    *(Setting(f"area-{n}", (*_INLINE, file)) for n, file in enumerate((*_LIMITS, *_LOGIC), 5)),
    Setting("area-16", (*_SHARED, _STATE)),
    Setting("area-17", (*_SHARED, _CONSTANTS)),
    Setting("area-18", (*_SHARED, _STATE, _CONSTANTS)),
    Setting("area-19", (*_INLINE, _STATE, _CONSTANTS)),
)
_STEPS = _files(*(f"latency-{n}" for n in range(2, 7)))
LATENCY = (
    Setting("latency-1", _PLAIN),
    Setting("latency-2", (*_PLAIN, *_STEPS[:1]), "of a message two bytes: ours takes eight"),
    Setting("latency-3", (*_PLAIN, *_STEPS[:2])),
    Setting("latency-4", (*_PLAIN, *_STEPS[:3]), "by 4: whole loops of 256 fit no part"),
    Setting("latency-5", (*_PLAIN, *_STEPS[:4])),
    Setting("latency-6", (*_PLAIN, *_STEPS), "pipelined: whole loops of 256 fit no part"),
)
# The design of the catalogue, by the directives in its C; and the same with a share of the clock
# period left to wires where there are multipliers and blocks of memory, by files beside the C.
_WIRES = _files("wires", "wires-challenge", "wires-high", folder=SOURCE.parent)
OWN = (
    Setting("catalogue", (), adds="our own directives"),
    Setting("wires", _WIRES, adds="ours; time for wires"),
)
SETTINGS = (*AREA, *LATENCY, *OWN)
