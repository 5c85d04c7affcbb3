# SPDX-License-Identifier: Apache-2.0
"""Explore the directives of signing with Dilithium2, the report's points by hand beside.

`python bench/dilithium_explore.py --budget 200runs --jobs 1` runs `lydite explore` on our C, which
two of the designers' records gate: what may be of the front must sign them as the C does. All that
follows the first words goes to `lydite explore`; the same command goes on where it was ended.
"""

from __future__ import annotations

import sys

from lydite.cli import main as lydite
from lydite.studies import dilithium2_settings as settings
from lydite.studies.dilithium2_calls import of_signing

RECORDS = 2


def main() -> int:
    argv = ["explore", str(settings.SOURCE), "--top", settings.TOP, "-D", "ML_DSA=0"]
    argv += ["--clock-ns", f"{settings.CLOCK_NS:g}", "--arg", of_signing(RECORDS)]
    for setting in (*settings.AREA, *settings.LATENCY):
        argv += ["--beside", f"{setting.name}={','.join(map(str, setting.files))}"]
    return lydite([*argv, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
