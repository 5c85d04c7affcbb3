# SPDX-License-Identifier: Apache-2.0
"""The place to add a primitive: one folder with `core.toml`, specification, vectors, C, Verilog.

May import `base`. Start reading at `catalog`, then `operation`; the contract is docs/cores.md.
"""

from __future__ import annotations

from lydite.cores.catalog import Core, Selection, load, select
from lydite.cores.design import Design
from lydite.cores.primitive import Primitive
from lydite.cores.software import Software

__all__ = ["Core", "Design", "Primitive", "Selection", "Software", "load", "select"]
