# SPDX-License-Identifier: Apache-2.0
"""Timed paths are explained by chains, teach delays, and these schedule the same program anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.hls import Compiled, feedback
from lydite.hls.contract import delay_factors
from lydite.hls.ir import delay_model
from lydite.hls.ir.graph import Op
from lydite.hls.schedule import delay_factors as schedule_delay_factors
from lydite.hls.schedule import module as schedule_module
from lydite.hls.schedule import modulo, reanalyse
from lydite.tools.routes import Route

Compile = Callable[..., Compiled]
SUM = """
unsigned f(unsigned a, unsigned b, unsigned n) {
  unsigned s = a;
  for (unsigned i = 0; i < n; i++) s = ((s + b) ^ 0x55u) + (s & a);
  return s;
}
"""
TABLE = """
static unsigned char t[256];
unsigned f(unsigned char i, unsigned char v) {
  unsigned s = 0;
  for (unsigned k = 0; k < 256; k++) t[k] = (unsigned char)(t[k] + v);
  for (unsigned k = i; k < 256; k++) {
    if (t[k] == v) return k;
    s += k;
  }
  return s;
}
"""


def register(compiled: Compiled, name: str) -> str:
    """Give the register of a C variable in the netlist."""
    owners = compiled.signals["f"].owners
    found = [signal for signal in owners if signal.startswith(name) and signal.endswith("_q")]
    assert found, f"{name} is in none of {', '.join(owners)}"
    return f"u_core.{found[0]}"


def compiled_ns(compiled: Compiled, op: Op) -> float:
    problems = compiled.schedules["f"].problems.values()
    return next(problem.delay_ns(op) for problem in problems if op in problem.order)


def path(source: str, sink: str, delay_ns: float) -> Route:
    return Route((source,), (sink,), delay_ns)


def test_a_chain_that_took_longer_is_split(compile_c: Compile) -> None:
    compiled = compile_c(SUM)
    s = register(compiled, "s_")
    (said,) = feedback.explain(compiled, [path(s, s, 0.0)])
    assert [op.kind for op in said.blamed] == ["add", "add"]  # the inversion of bits is free
    assert 5.0 < said.predicted_ns <= compiled.report.critical_ns
    lesson = feedback.learn(compiled, [path(s, s, 14.0)])
    known = {op: (old, new) for op, old, new in lesson.changed}
    assert list(known) == list(said.blamed)
    assert {old for old, _ in known.values()} == {1.0}
    # All of what is late is in them, in proportion.
    late_ns = sum(compiled_ns(compiled, op) * (new - 1) for op, (_, new) in known.items())
    assert late_ns == pytest.approx(14.0 - said.predicted_ns, abs=0.02)
    again = compile_c(SUM, learnt=lesson.learnt)
    before, after = (item.report.functions[0].loops[0].iteration_max for item in (compiled, again))
    assert before is not None and after is not None and after > before
    assert again.report.critical_ns <= 10.0


def test_the_same_delays_teach_nothing(compile_c: Compile) -> None:
    compiled = compile_c(SUM)
    s = register(compiled, "s_")
    (said,) = feedback.explain(compiled, [path(s, s, 0.0)])
    lesson = feedback.learn(compiled, [path(s, s, said.predicted_ns)], shorten=True)
    assert lesson.changed == () and lesson.learnt.factors == ()


def test_only_paths_that_are_slow_enough_teach(compile_c: Compile) -> None:
    compiled = compile_c(SUM)
    s, i = register(compiled, "s_"), register(compiled, "i_")
    rows = [path(s, s, 12.0), path(i, i, 9.0)]
    late, both = (feedback.learn(compiled, rows, least_ns=least) for least in (10.0, 0.0))
    assert 0 < len(late.changed) < len(both.changed)
    # The slowest path teaches, whatever is asked.
    assert feedback.learn(compiled, rows, least_ns=20.0).changed == late.changed


def test_what_took_less_gets_shorter_only_if_that_is_wanted(compile_c: Compile) -> None:
    compiled = compile_c(SUM)
    s = register(compiled, "s_")
    assert feedback.learn(compiled, [path(s, s, 3.0)]).changed == ()
    changed = feedback.learn(compiled, [path(s, s, 3.0)], shorten=True).changed
    assert changed and all(new < old for _, old, new in changed)


def test_a_path_from_the_controller_makes_nothing_shorter(compile_c: Compile) -> None:
    compiled = compile_c(SUM)
    s = register(compiled, "s_")
    assert feedback.learn(compiled, [path("u_core.state_q", s, 3.0)], shorten=True).changed == ()


def test_a_memory_is_a_source_and_its_test_a_way_to_the_controller(compile_c: Compile) -> None:
    compiled = compile_c(TABLE)
    (memory,) = [item for item in compiled.report.memories if item.kind == "bram"]
    cell = f"u_core.u_{memory.name}.mem.0.0"
    (said,) = feedback.explain(compiled, [path(cell, "u_core.state_q", 12.0)])
    assert said.chain is not None and said.chain.fixed_ns > 5.0
    assert [op.kind for op in said.blamed] == ["eq"] or [op.kind for op in said.blamed] == ["ne"]
    assert not said.control


def test_paths_of_the_wrapper_and_of_nothing_known_are_not_explained(compile_c: Compile) -> None:
    compiled = compile_c(SUM)
    rows = [path("u_in.chain_q", "u_out.data_q", 9.0), path("u_core.x", "u_core.y", 8.0)]
    (said,) = feedback.explain(compiled, rows)
    assert said.route.source == ("u_core.x",) and said.chain is None and said.ratio == 1.0


def test_factors_are_data_that_come_back(compile_c: Compile, tmp_path: Path) -> None:
    compiled = compile_c(SUM)
    s = register(compiled, "s_")
    found = feedback.learn(compiled, [path(s, s, 14.0)]).learnt
    file = tmp_path / "learnt.toml"
    file.write_text(found.text())
    known = delay_factors.read(file)
    assert (known.ir, known.factors, known.origin) == (found.ir, found.factors, str(file))
    one, two = (compile_c(SUM, learnt=item) for item in (found, known))
    assert one.verilog == two.verilog != compiled.verilog


def test_factors_of_another_program_are_refused(compile_c: Compile, tmp_path: Path) -> None:
    compiled = compile_c(SUM)
    s = register(compiled, "s_")
    found = feedback.learn(compiled, [path(s, s, 14.0)]).learnt
    with pytest.raises(InputError) as caught:
        compile_c(SUM.replace("0x55u", "0x57u"), learnt=replace(found, origin="learnt.toml"))
    assert str(caught.value) == (
        "learnt.toml: function f is another one than this was learnt from\n"
        "  program, directives, clock and target must be the same; else refine again"
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "no file of what was learnt: 'ir'"),
        ("[", "no file of what was learnt: "),
        ("[ir]\n[[operation]]\nfunction = 1", "no file of what was learnt: 'number'"),
        (
            '[ir]\n[[operation]]\nfunction = "f"\nnumber = 0\nkind = "add"\nwidth = 1\n'
            'where = ""\nfactor = 0.0',
            "factors and numbers of operations are above 0",
        ),
    ],
)
def test_a_file_that_is_none_is_refused(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "learnt.toml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        delay_factors.read(file)
    assert f"{file}: {what}" in str(caught.value)


PIPELINE = """
void f(const int a[64], const int b[64], int c[64]) {
  int s = 0;
  for (int i = 0; i < 64; i++) {
#pragma HLS pipeline II=1
    s = (s + a[i]) ^ (b[i] - s);
    c[i] = s * 3 + (a[i] > b[i] ? a[i] : b[i]);
  }
}
"""


@pytest.mark.parametrize("text", [SUM, TABLE, PIPELINE])
def test_any_factors_give_a_schedule_that_verifies(compile_c: Compile, text: str) -> None:
    compiled = compile_c(text)
    model = delay_model.load("ecp5")
    critical = set()
    for seed in range(20):
        rng = random.Random(seed)
        factors = {
            item.function: {op: rng.uniform(0.3, 4.0) for op in item.function.ops()}
            for item in compiled.schedules.values()
        }
        # It verifies what it makes, with the delays that were learnt.
        made = schedule_module.schedule_module(
            compiled.module,
            model,
            10.0,
            modulo.schedule_loop,
            known=schedule_delay_factors.make(factors),
        )
        critical.add(reanalyse.critical_ns(made.functions, model))
    assert len(critical) > 1


def test_a_recurrence_of_a_pipeline_is_respected(compile_c: Compile) -> None:
    compiled = compile_c(PIPELINE)
    loop = compiled.report.functions[0].loops[0]
    s = register(compiled, "s_")
    lesson = feedback.learn(compiled, [path(s, s, 16.0)])
    assert lesson.changed
    again = compile_c(PIPELINE, learnt=lesson.learnt).report.functions[0].loops[0]
    assert loop.ii is not None and again.ii is not None and again.ii > loop.ii
