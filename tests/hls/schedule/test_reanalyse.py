# SPDX-License-Identifier: Apache-2.0
"""Timing a schedule again by the same model, and by a slower one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lydite import hls
from lydite.hls.contract.options import Options
from lydite.hls.ir import delay_model
from lydite.hls.schedule import reanalyse

EXAMPLES = Path(__file__).parents[3] / "examples" / "hls"


@pytest.mark.parametrize(("name", "top"), [("gcd", "gcd"), ("aes128", "aes128_encrypt")])
def test_the_same_model_says_what_the_report_says(name: str, top: str) -> None:
    compiled = hls.compile(Options(sources=(EXAMPLES / name / f"{name}.c",), top=top))
    model = delay_model.load("ecp5")
    same = reanalyse.critical_ns(compiled.schedules, model)
    assert same == pytest.approx(compiled.report.critical_ns, abs=1e-3)
    slower = replace(model, setup_ns=model.setup_ns + 1, register_ns=model.register_ns + 2)
    assert reanalyse.critical_ns(compiled.schedules, slower) >= same + 1
