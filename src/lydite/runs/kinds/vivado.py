# SPDX-License-Identifier: Apache-2.0
"""Jobs of Vivado: put a proven design into the measuring wrapper, implement it for a frequency.

Vivado synthesises itself, and all of its steps follow the frequency asked for. Nobody here has run
it (docs/vivado.md); its netlist is not proven.
"""

from __future__ import annotations

import functools
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, digest, files
from lydite.base.errors import InputError, ToolFailed, ToolNotFound
from lydite.runs.job import Job, Outcome, said
from lydite.runs.kinds import clocking, wrapper
from lydite.runs.kinds.hardware import DEFAULT_TIMEOUT_S, LOG_FILE, WRAPPER_FILE
from lydite.runs.store import Store
from lydite.sim import elaborate
from lydite.sim.build import Sources
from lydite.targets import Target
from lydite.targets.vendor import vivado_part
from lydite.tools import progress, vivado, yosys
from lydite.tools.tool import Tool
from lydite.tools.vivado import Area, Timing

# What it is called and how long it may take; what must have passed before; what stands elsewhere.
_WRAP_ELSEWHERE = ("name", "native", "proof", "sources")
_IMPLEMENT_ELSEWHERE = ("synthesis", "target", "timeout_s")


@dataclass(frozen=True)
class Wrap(Job):
    """Write the measuring wrapper of a design: what all implementations of it share.

    Attributes
    ----------
    name : str
        The design in words.
    clock : str
        Its clock port, or empty for a design without one.
    native : bool
        Take Yosys, which tells ports and clocks, from PATH.
    proof : Job, optional
        What must have passed before anything is measured.
    mixed_clocks : bool
        Whether there may be registers that the rising edge of the clock does not move.
    """

    name: str
    sources: Sources
    clock: str
    proof: Job | None
    native: bool = False
    mixed_clocks: bool = False
    kind = "wrapped"

    @property
    def label(self) -> str:
        return f"measuring wrapper of {self.name}"

    @property
    def needs(self) -> tuple[Job, ...]:
        return () if self.proof is None else (self.proof,)

    def inputs(self) -> Mapping[str, Any]:
        return {
            **said(self, without=_WRAP_ELSEWHERE),
            "sources": self.sources.digest,
            "wrapper": [code.of(wrapper), *map(digest.of_file, wrapper.RTL)],
            "code": code.of(type(self), clocking),
            "tools": [yosys.find(native=self.native).identity],
        }

    def run(self, work: Path, store: Store) -> Outcome:
        module = elaborate.module(self.sources, native=self.native)
        text = wrapper.verilog(
            self.sources.top, module.ports, self.clock, self.sources.parameters, where=self.name
        )
        clocking.check(module.clocks, self.clock, self.name, mixed=self.mixed_clocks)
        for name in (WRAPPER_FILE, *(path.name for path in wrapper.RTL)):
            if name in self.sources.files:
                what = f"{name} is a file of the measuring wrapper"
                raise InputError(str(self.sources.files[name]), what, "rename it")
        (work / WRAPPER_FILE).write_text(text)
        return Outcome(
            result={
                "unmeasured": list(clocking.others(module.clocks, self.clock)),
                # What is implemented, as the digest of a netlist says for other tools.
                "netlist_sha256": digest.of_value([self.sources.digest, text]),
            }
        )


@dataclass(frozen=True)
class Implement(Job):
    """Synthesise, place and route a wrapped design by Vivado for a frequency.

    Attributes
    ----------
    synthesis : Wrap
        What it begins with.
    freq_mhz : str
        Frequency to ask for, as text, so that it has one form.
    options : tuple of str
        Of synth_design.
    steps : tuple of str
        Vivado's commands from there on, place_design and route_design among them.
    """

    synthesis: Wrap
    target: Target
    freq_mhz: str
    options: tuple[str, ...]
    steps: tuple[str, ...]
    timeout_s: float = DEFAULT_TIMEOUT_S
    kind = "implementation"

    @property
    def label(self) -> str:
        return f"Vivado {self.synthesis.name} on {self.target.name}, {self.freq_mhz} MHz asked"

    @property
    def needs(self) -> tuple[Job, ...]:
        return (self.synthesis,)

    @property
    def proof(self) -> None:
        """The proof of the netlist: Vivado's is not proven."""
        return

    def progress(self, work: Path) -> str:
        return progress.of_vivado(files.tail(work / LOG_FILE))

    @functools.cached_property
    def _tool(self) -> Tool:
        return vivado.find()

    @property
    def _period_ps(self) -> int:
        return vivado.period_ps(self.freq_mhz)

    def _script(self) -> str:
        sources = self.synthesis.sources
        return vivado.script(
            [*sources.verilog, WRAPPER_FILE, *(path.name for path in wrapper.RTL)],
            wrapper.TOP,
            vivado_part(self.target),
            core=yosys.CORE,
            includes=sources.includes,
            defines=sources.defines,
            synthesis=self.options,
            steps=self.steps,
        )

    def inputs(self) -> Mapping[str, Any]:
        return {
            "wrapped": self.synthesis.key,
            # For who reads records: the script has them, too.
            **said(self, without=_IMPLEMENT_ELSEWHERE),
            "part": vivado_part(self.target),
            "script": self._script(),
            "constraints": vivado.constraints(self._period_ps),
            "code": code.of(type(self), vivado),
            "tools": [self._tool.identity],
        }

    def run(self, work: Path, store: Store) -> Outcome:
        self.synthesis.sources.copy_to(work)
        wrapped = store.read(self.synthesis.key, WRAPPER_FILE)
        (work / WRAPPER_FILE).write_bytes(wrapped)
        for path in wrapper.RTL:
            shutil.copyfile(path, work / path.name)
        (work / vivado.SCRIPT_FILE).write_text(self._script())
        (work / vivado.CONSTRAINTS_FILE).write_text(vivado.constraints(self._period_ps))
        argv = vivado.command(self._tool)
        outcome = Outcome()
        run = outcome.tool(self._tool, argv, cwd=work, log=LOG_FILE, timeout_s=self.timeout_s)
        shutil.rmtree(work / vivado.SCRATCH, ignore_errors=True)
        if run.rc != 0 and (lacking := vivado.lacking(run.output)):
            what = f"this installation cannot implement for {vivado_part(self.target)}\n  {lacking}"
            remedy = "get it the licence or the part, or name another --target"
            raise ToolNotFound(f"vivado {self._tool.version}", what, remedy)
        run.checked(log=work / LOG_FILE, pick=vivado.errors)
        for name in (vivado.TIMING_FILE, vivado.AREA_FILE):
            if not (work / name).exists():
                raise ToolFailed(argv, 0, name="vivado", tail=f"it wrote no {name}")
        timing = vivado.parse_timing((work / vivado.TIMING_FILE).read_text(), argv)
        area = vivado.parse_area((work / vivado.AREA_FILE).read_text(), argv)
        if timing.whs_ns is not None and timing.whs_ns < 0:
            tail = f"hold is missed by {-timing.whs_ns:g} ns: what it made works at no clock"
            raise ToolFailed(argv, 0, name="vivado", tail=tail)
        outcome.result = _result(self.freq_mhz, self._period_ps, timing, area)
        return outcome


def fmax_mhz(period: int, timing: Timing) -> float:
    """Give the clock that a design can have, from the period asked for in ps and its worst slack.

    A pulse that is too short is the clock's high or low half: a period longer by twice what it
    lacks has it. One that is long enough says nothing of faster clocks, and is left out.
    """
    slack_ns = timing.wns_ns
    if timing.wpws_ns is not None and timing.wpws_ns < 0:
        slack_ns = min(slack_ns, 2 * timing.wpws_ns)
    return 10**6 / (period - round(1000 * slack_ns))


def _result(freq_mhz: str, period: int, timing: Timing, area: Area) -> dict[str, Any]:
    found = {
        "asked_mhz": float(freq_mhz),
        "period_ns": period / 1000,
        **msgspec.to_builtins(timing),
        "fmax_mhz": fmax_mhz(period, timing),
        # In the units of the family: a tile is two block RAMs of 18 kbit.
        "area": {
            "lut6": area.lut,
            "ff": area.ff,
            "bram": round(2 * area.bram_tiles),
            "dsp": area.dsp,
            "slices": area.slices,
        },
        "bram_tiles": area.bram_tiles,
    }
    # Vivado's own files have dates in them; equal figures to the last ps are the same hardware.
    found["config_sha256"] = digest.of_value({name: repr(value) for name, value in found.items()})
    return found
