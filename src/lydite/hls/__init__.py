# SPDX-License-Identifier: Apache-2.0
"""The HLS compiler: C or C++ in, Verilog out.

May import `base`, `targets` and `tools`. Start reading at `compiler.compile`, which is the whole
pipeline in one function. A stage is a package, and knows those before it alone:

    contract < frontend, ir < lower, passes < schedule < bind < emit < the modules here

`contract` has what goes in and comes out, `ir` the representation. `docs/hls.md` is the contract
page.

    compiled = hls.compile(Options(sources=(Path("sha256.c"),), top="sha256_block", clock_ns=8.0))
    for file in compiled.files:
        write_atomic(folder / file.name, file.text)

The interpreter runs the same IR that was scheduled, call by call, with its state kept:

    machine = hls.Machine(compiled.module)
    result = machine.call({"n": 3}, {"buf": bytes(64)})   # result.value, result.arrays["buf"]
"""

from __future__ import annotations

from lydite.hls.compiled import Compiled
from lydite.hls.compiler import compile
from lydite.hls.contract.banking import Bank
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directive_text import Placed
from lydite.hls.contract.interface import ArrayArg, Interface, ScalarArg, StreamArg
from lydite.hls.contract.options import Options
from lydite.hls.contract.report import (
    Area,
    FunctionReport,
    LoopReport,
    MemoryReport,
    Report,
    VerilogFile,
)
from lydite.hls.ir.interpret import CallResult, Machine

__all__ = [
    "Area",
    "ArrayArg",
    "Bank",
    "CallResult",
    "Compiled",
    "Diagnostic",
    "FunctionReport",
    "Interface",
    "LoopReport",
    "Machine",
    "MemoryReport",
    "Options",
    "Placed",
    "Report",
    "ScalarArg",
    "StreamArg",
    "VerilogFile",
    "compile",
]
