# SPDX-License-Identifier: Apache-2.0
"""Times of messages behind the testbed of Farahmand's thesis (4.3), for the studies of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lydite.cores import Design
from lydite.runs.job import Job
from lydite.runs.kinds import testbed
from lydite.sim.testbed.measure import Setting
from lydite.targets import links

OPERATION = "hash"
LINK = "axi-hp64"
# kB of a message, of 1,000 bytes, and MHz of what moves them.
KB = (10, 100, 500, 1000, 5000)
QUICK_KB = KB[:2]
DMA_MHZ = 100.0


def jobs(
    design: Design, sizes_kb: Sequence[int], core_mhz: float, dma_mhz: float = DMA_MHZ
) -> Mapping[int, Job]:
    """Plan one message of each size, in kB, at the clocks of the core and of what moves it."""
    setting = Setting(core_mhz=round(core_mhz, 3), dma_mhz=dma_mhz, link=links.find(LINK))
    planned = testbed.plan(design, (OPERATION,), [1000 * kb for kb in sizes_kb], setting)
    return dict(zip(sizes_kb, planned, strict=True))
