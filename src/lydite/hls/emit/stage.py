# SPDX-License-Identifier: Apache-2.0
"""The stage: the files of a design, and what the names in them stand for."""

from __future__ import annotations

from lydite.hls.contract.report import VerilogFile
from lydite.hls.emit import design as emit_design
from lydite.hls.emit import signals
from lydite.hls.emit.signals import Signals
from lydite.hls.emit.top import Design


def run(design: Design) -> tuple[tuple[VerilogFile, ...], dict[str, Signals]]:
    """Write a design: its files, the top module first, and for each function its signals."""
    emitters = emit_design.prepare(design)
    return emit_design.emit(design, emitters), signals.of(emitters)
