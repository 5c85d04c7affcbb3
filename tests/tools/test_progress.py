# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest

from lydite.tools import progress

PLACED = """\
Info:     at initial placer iter 3, wirelen = 89
Info:     at iteration #13, type ALL: wirelen solved = 170, spread = 239, legal = 253; time = 0.00s
"""
SPREAD = """\
Info: overlap: COMB=25.7%, FF=10.1%, RAM=45.8%, MUL=0.0%
Info: coord_dist: 0.201177 grad_dist: 0.108165
Info: iter=708 steplen=1.859909 a=356.990234 penalty=[190.70, 190.70, 190.70, 190.70]
Info:    update_chains distance 369.37
Info:    system potential: 561.164673 hpwl: 800661.750000
Info: overlap: COMB=0.7%, FF=0.1%, RAM=15.8%, MUL=0.0%
Info: coord_dist: 0.189381 grad_dist: 0.100441
Info: iter=709 steplen=1.885505 a=397.490234 penalty=[271.70, 271.70, 271.70, 271.70]
"""
REFINED = """\
Info:   at iteration #25: temp = 0.000000, timing cost = 1626, wirelen = 568998
"""
ESTIMATED = """\
Info: Max frequency for clock '$glbnet$clk$TRELLIS_IO_IN': 217.49 MHz (PASS at 100.00 MHz)
Info: Routing..
"""
ROUTED = """\
Info:    IterCnt |  w/ripup   wo/ripup |  w/r  wo/r |      arcs| batch(sec) total(sec)|
Info:       1000 |      200        799 |  200   799 |     41250|       1.29       1.29|
"""


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("Info: Packing IOs..\n", ""),
        (PLACED, "placing, round 13, wire length 170"),
        (SPREAD, "placing, round 709, overlap 15.8 %"),
        (SPREAD + REFINED, "placing, round 25, wire length 568998"),
        (PLACED + ESTIMATED, "routing; estimate 217.49 MHz"),
        (PLACED + ESTIMATED + ROUTED, "routing, 41250 arcs left; estimate 217.49 MHz"),
    ],
)
def test_progress_of_nextpnr_is_read_off_its_log(printed: str, said: str) -> None:
    assert progress.of_nextpnr(printed) == said


TASKS = """\
Starting Placer Task
INFO: [Place 30-611] Multithreading enabled for place_design using a maximum of 1 CPUs
Phase 1 Placer Initialization
Phase 1.1 Placer Initialization Netlist Sorting
Phase 1.1 Placer Initialization Netlist Sorting | Checksum: 6f0 Time (s): cpu = 00:00:00
"""


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("", ""),
        ("Starting Router Task\n", "Starting Router Task"),
        (TASKS, "Phase 1.1 Placer Initialization Netlist Sorting"),
    ],
)
def test_progress_of_vivado_is_read_off_its_log(printed: str, said: str) -> None:
    assert progress.of_vivado(printed) == said
