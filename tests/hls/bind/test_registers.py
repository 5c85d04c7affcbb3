# SPDX-License-Identifier: Apache-2.0
"""Values share registers where copies join them, never at each other's cost."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite import hls
from lydite.hls import Compiled, Machine, Options
from lydite.hls.bind import binder, verify_registers
from lydite.hls.bind import registers as bind_registers
from lydite.hls.bind.binding import Binding, Register
from lydite.hls.ir import delay_model
from lydite.hls.schedule import module as schedule_module

assign_well = bind_registers.assign
ECP5 = delay_model.load("ecp5")
REGRESS = Path(__file__).parents[2] / "hls_fuzz" / "regress"
KECCAK = Path(hls.__file__).parents[1] / "cores" / "keccak" / "hls" / "keccak_sponge.c"

# State that persists, a loop that works on a copy of it, values that leave the loop, two arguments.
PROGRAM = """
#include <stdint.h>
static uint32_t kept[4];
static uint32_t rounds;
uint32_t f(uint32_t x, uint32_t y, uint8_t mode) {
  uint32_t v[4] = {kept[0], kept[1], kept[2], kept[3]};
  if (mode == 0) v[0] = v[1] = v[2] = v[3] = 0;
  for (int i = 0; i < 5 + (mode & 4); i++) {
    uint32_t t = v[0];
    v[0] = v[1] + (x >> i);
    v[1] = v[2] ^ y;
    v[2] = v[3] - t;
    v[3] = t * 5 + (uint32_t)i;
  }
  if (mode & 2) { kept[0] = v[0]; kept[1] = v[1]; kept[2] = v[2]; kept[3] = v[3]; }
  rounds++;
  return v[0] ^ v[3] ^ rounds ^ (x - y);
}
"""


def bound(compiled: Compiled, clock_ns: float = 10.0) -> Binding:
    """Bind the top function anew."""
    plans = schedule_module.schedule_module(compiled.module, ECP5, clock_ns).functions
    return binder.bind(plans[compiled.module.top], ECP5, is_top=True)


def registers(binding: Binding) -> list[Register]:
    return list(dict.fromkeys(binding.storage.values()))


def test_state_of_keccak_is_in_its_memory_alone() -> None:
    options = Options(sources=(KECCAK,), top="keccak_sponge")
    binding = bound(hls.compile(options))
    words = [item for item in registers(binding) if item.memory is not None]
    assert sorted(item.width for item in words) == [64] * 25
    # The command and the round: all else that lives longer than a cycle is in the words.
    assert binding.register_bits < 32
    verify_registers.verify(binding)


def test_registers_that_are_right_pass(compile_c: Callable[..., Compiled]) -> None:
    binding = bound(compile_c(PROGRAM))
    verify_registers.verify(binding)
    assert len(registers(binding)) < len(binding.storage)


def test_arguments_in_one_register_are_found(compile_c: Callable[..., Compiled]) -> None:
    binding = bound(compile_c(PROGRAM))
    x, y, _ = binding.function.params
    merge(binding, binding.storage[x], binding.storage[y])
    with pytest.raises(AssertionError, match="f entry: <param:32 y > and another value"):
        verify_registers.verify(binding)


def test_a_phi_that_stays_is_not_written_over(compile_c: Callable[..., Compiled]) -> None:
    """At all clocks the state that leaves `r` where it is must write nothing else there."""
    text = (REGRESS / "phi_keeps_its_register.c").read_text()
    shared = 0
    for clock_ns in (2.0, 5.0, 8.0, 10.0, 25.0):
        binding = bound(compile_c(text, top="top", clock_ns=clock_ns), clock_ns)
        verify_registers.verify(binding)
        [phi] = [op for op in binding.function.ops() if op.kind == "phi"]
        shared += len(binding.storage[phi].owners) > 1
    assert shared


def merge(binding: Binding, first: Register, second: Register) -> None:
    """Let the owners of the second register live in the first."""
    for owner in second.owners:
        binding.storage[owner] = first
    first.owners = [*first.owners, *second.owners]


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.slow) for first in (1, 2))]
)
def test_any_two_registers_in_one_are_found_or_right(
    first: int,
    compile_c: Callable[..., Compiled],
    simulate: Callable[..., list[object]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the check lets pass must be right, whatever the sharing did not dare: of each third
    pair.
    """
    calls = random_calls()
    compiled = compile_c(PROGRAM)
    machine = Machine(compiled.module)
    wanted = [machine.call(*call).value for call in calls]
    count = len(registers(bound(compiled)))
    found = 0
    for pair in [*itertools.combinations(range(count), 2)][first::3]:

        def assign(binding: Binding, pair: tuple[int, int] = pair) -> dict[object, Register]:
            storage = assign_well(binding)
            one, other = (list(dict.fromkeys(storage.values()))[number] for number in pair)
            if one.width == other.width:
                storage |= dict.fromkeys(other.owners, one)
                one.owners = [*one.owners, *other.owners]
            return storage

        monkeypatch.setattr(bind_registers, "assign", assign)
        try:
            compiled = compile_c(PROGRAM)
        except AssertionError:
            found += 1
            continue
        assert [item.value for item in simulate(compiled, calls)] == wanted, pair
    assert found > 3


def random_calls() -> list[tuple[dict[str, int], dict[str, bytes]]]:
    """Give calls that keep the state, change it, and clear it."""
    rng = random.Random(1)
    return [
        ({"x": rng.getrandbits(32), "y": rng.getrandbits(32), "mode": mode}, {})
        for mode in (6, 3, 0, 2, 5, 3, 7)
    ]


# A wide state that goes round, of which another loop reads some.
WIDE = """
#include <stdint.h>
uint64_t f(uint64_t x, uint32_t n, uint8_t mode) {
  uint64_t s[20], sum = 0, end = 1;
  for (int i = 0; i < 20; i++) s[i] = x + (uint64_t)i;
  if (mode & 1) s[3] = ~x;
  do {
#pragma HLS pipeline II=1
    const uint64_t t = s[0] ^ (s[7] << 3);
    for (int i = 0; i < 19; i++) s[i] = s[i + 1] ^ (i == 4 ? sum : 0);
    s[19] = t;
    sum += t;
  } while (n-- & 15);
  for (uint8_t i = 0; i < mode; i++) end = (end << 1) + s[5] + i;
  return sum ^ end;
}
"""


def test_what_only_a_loop_reads_moves_whatever_the_state(
    compile_c: Callable[..., Compiled], simulate: Callable[..., list[object]]
) -> None:
    compiled = compile_c(WIDE)
    binding = bound(compiled)
    [(loop, idle)] = binding.idle.items()
    names = [phi.name for phi in loop.block.phis() if binding.storage[phi] in idle]
    assert names.count("s") == 18  # the first is t, the sixth is read elsewhere
    assert "sum" not in names
    verify_registers.verify(binding)
    text = next(file.text for file in compiled.files if file.name == "f.v")
    assert f"Nothing reads these but ST_{loop.name}" in text
    rng = random.Random(3)
    calls = [
        ({"x": rng.getrandbits(64), "n": rng.getrandbits(32), "mode": mode}, {})
        for mode in (0, 1, 2, 3, 2, 0)
    ]
    machine = Machine(compiled.module)
    wanted = [machine.call(*call).value for call in calls]
    assert [item.value for item in simulate(compiled, calls)] == wanted


def test_a_register_that_is_read_elsewhere_is_not_idle(
    compile_c: Callable[..., Compiled],
) -> None:
    """The check finds it, whatever the choice of such registers says."""
    binding = bound(compile_c(WIDE))
    [(loop, idle)] = binding.idle.items()
    found = []
    for phi in loop.block.phis():
        binding.idle[loop] = frozenset({binding.storage[phi]})
        if binding.storage[phi] in idle:
            verify_registers.verify(binding)
        elif phi.name in ("s", "sum"):
            with pytest.raises(AssertionError, match="may hold something else"):
                verify_registers.verify(binding)
            found.append(phi.name)
    assert sorted(found) == ["s", "sum"]
