# SPDX-License-Identifier: Apache-2.0
"""FPGA families and their parts, one data file a family.

May import `base`. Start reading at `family`; the contract of a family's file is docs/targets.md.
"""

from __future__ import annotations

from lydite.targets.family import (
    AREA_UNITS,
    DELAYS,
    Family,
    Part,
    Target,
    families,
    find,
    targets,
)

__all__ = ["AREA_UNITS", "DELAYS", "Family", "Part", "Target", "families", "find", "targets"]
