# SPDX-License-Identifier: Apache-2.0
"""Arrays in banks and wide words: every index finds its word, statically where that can be."""

from __future__ import annotations

import importlib.util
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.hls import Compiled, Machine, Placed, passes
from lydite.hls.contract import banking
from lydite.hls.contract.banking import Digit, Split
from lydite.hls.contract.directives import ArrayPartition, ArrayReshape
from lydite.hls.ir import delay_model
from lydite.hls.ir import text as ir_text
from lydite.hls.ir import verify as ir_verify
from lydite.hls.ir.interpret import CallResult
from lydite.hls.ir.module import Module
from lydite.hls.passes import partition

CONTEXT = passes.Context(delay_model.load("ecp5"), 10.0)


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


random_ir = _load("random_ir")

HEAD = """\
module @f
pragma "{how}" where "k.c:2"
memory @a width 8 depth {depth} lanes 1 base 64 object "a"+0 shape {shape} pragmas 0

function @f(%0:{bits} "i", %1:8 "x") : 8 {{
entry:
{body}}}
"""


def cut(how: str, shape: str, body: str) -> tuple[str, list[str]]:
    """Run the pass on one function; give the new body with its memories, and the warnings."""
    depth = 1
    for size in shape.split(","):
        depth *= int(size)
    bits = max(1, (depth - 1).bit_length())
    text = HEAD.format(how=how, shape=shape, depth=depth, bits=bits, body=body)
    module = ir_text.parse_module(text)
    context = passes.Context(CONTEXT.model, CONTEXT.clock_ns)
    passes.BY_NAME["partition"].run(module, context)
    passes.BY_NAME["forward"].run(module, context)
    passes.BY_NAME["clean"].run(module, context)
    ir_verify.verify(module)
    printed = ir_text.print_module(module)
    assert ir_text.print_module(ir_text.parse_module(printed)) == printed
    lines = [line for line in printed.split("\n")[2:] if line]
    return "\n".join(lines) + "\n", [str(warning) for warning in context.log]


@pytest.mark.parametrize(
    ("how", "shape", "body", "expected"),
    [
        (
            "array_partition variable=a cyclic factor=2",
            "8",
            "  %2:8 = load @a %0\n  store @a 3'0x5 %1 1'0x1\n  ret %2\n",
            "split @a width 8 depth 8 banks @a_0 @a_1 : keep 4 bank 2\n"
            'memory @a_0 width 8 depth 4 lanes 1 base 64 object "a"+0 part pragmas 0\n'
            'memory @a_1 width 8 depth 4 lanes 1 base 64 object "a"+0 part pragmas 0\n'
            'function @f(%0:3 "i", %1:8 "x") : 8 {\n'
            "entry:\n"
            "  %2:1 = slice %0 from 0\n"
            "  %3:2 = slice %0 from 1\n"
            "  %4:8 = load @a_0 %3\n"
            "  %5:8 = load @a_1 %3\n"
            "  %6:8 = mux %2 %5 %4\n"
            "  store @a_1 2'0x2 %1 1'0x1\n"
            "  ret %6\n"
            "}\n",
        ),
        (
            "array_partition variable=a block factor=2",
            "8",
            "  store @a %0 %1 1'0x1\n  %2:8 = load @a 3'0x5\n  ret %2\n",
            "split @a width 8 depth 8 banks @a_0 @a_1 : bank 2 keep 4\n"
            'memory @a_0 width 8 depth 4 lanes 1 base 64 object "a"+0 part pragmas 0\n'
            'memory @a_1 width 8 depth 4 lanes 1 base 64 object "a"+0 part pragmas 0\n'
            'function @f(%0:3 "i", %1:8 "x") : 8 {\n'
            "entry:\n"
            "  %2:2 = slice %0 from 0\n"
            "  %3:1 = slice %0 from 2\n"
            "  store @a_1 %2 %1 %3\n"
            "  %4:8 = load @a_1 2'0x1\n"
            "  ret %4\n"
            "}\n",
        ),
        (
            # The second dimension is found by the terms of the sum; no division is left.
            "array_partition variable=a complete dim=2",
            "2,3",
            "  %2:1 = slice %0 from 0\n"
            "  %3:1 = slice %0 from 1\n"
            "  %4:2 = zext %2\n"
            "  %5:3 = zext %3\n"
            "  %6:3 = mul %5 3'0x3\n"
            "  %7:3 = zext %4\n"
            "  %8:3 = add %6 %7\n"
            "  %9:8 = load @a %8\n"
            "  ret %9\n",
            "split @a width 8 depth 6 banks @a_0 @a_1 @a_2 : keep 2 bank 3\n"
            'memory @a_0 width 8 depth 2 lanes 1 base 64 object "a"+0 part pragmas 0\n'
            'memory @a_1 width 8 depth 2 lanes 1 base 64 object "a"+0 part pragmas 0\n'
            'memory @a_2 width 8 depth 2 lanes 1 base 64 object "a"+0 part pragmas 0\n'
            'function @f(%0:3 "i", %1:8 "x") : 8 {\n'
            "entry:\n"
            "  %2:1 = slice %0 from 0\n"
            "  %3:1 = slice %0 from 1\n"
            "  %4:8 = load @a_0 %3\n"
            "  %5:8 = load @a_1 %3\n"
            "  %6:8 = mux %2 %5 %4\n"
            "  ret %6\n"
            "}\n",
        ),
        (
            # Lanes are joined: one store for both words, a load takes what is stored.
            "array_reshape variable=a cyclic factor=2",
            "4",
            "  store @a 2'0x2 %1 1'0x1\n"
            "  %2:8 = load @a 2'0x3\n"
            "  store @a 2'0x3 %2 1'0x1\n"
            "  %3:8 = load @a 2'0x2\n"
            "  ret %3\n",
            "split @a width 8 depth 4 banks @a : keep 2 lane 2\n"
            'memory @a width 16 depth 2 lanes 2 base 64 object "a"+0 part pragmas 0\n'
            'function @f(%0:2 "i", %1:8 "x") : 8 {\n'
            "entry:\n"
            "  %2:16 = load @a 1'0x1\n"
            "  %3:8 = slice %2 from 8\n"
            "  %4:16 = concat %3 %1\n"
            "  store @a 1'0x1 %4 2'0x3\n"
            "  ret %1\n"
            "}\n",
        ),
        (
            # Registers pass on what a masked store leaves.
            "array_partition variable=a",
            "2",
            "  %2:1 = slice %1 from 0\n"
            "  store @a 1'0x0 %1 %2\n"
            "  %3:8 = load @a 1'0x0\n"
            "  %4:8 = add %3 8'0x1\n"
            "  store @a 1'0x0 %4 1'0x1\n"
            "  %5:8 = load @a 1'0x1\n"
            "  ret %5\n",
            "split @a width 8 depth 2 banks @a_0 @a_1 : bank 2\n"
            'memory @a_0 width 8 depth 1 lanes 1 base 64 object "a"+0 part pragmas 0\n'
            'memory @a_1 width 8 depth 1 lanes 1 base 64 object "a"+0 part pragmas 0\n'
            'function @f(%0:1 "i", %1:8 "x") : 8 {\n'
            "entry:\n"
            "  %2:1 = slice %1 from 0\n"
            "  %3:8 = load @a_0 1'0x0\n"
            "  %4:8 = mux %2 %1 %3\n"
            "  %5:8 = add %4 8'0x1\n"
            "  %6:8 = load @a_1 1'0x0\n"
            "  store @a_0 1'0x0 %5 1'0x1\n"
            "  ret %6\n"
            "}\n",
        ),
    ],
    ids=["cyclic", "block", "sum", "reshape", "forward"],
)
def test_golden(how: str, shape: str, body: str, expected: str) -> None:
    assert cut(how, shape, body) == (expected, [])


@pytest.mark.parametrize(
    ("how", "shape", "reason"),
    [
        ("array_partition variable=a dim=3", "2,2", "it has 2 dimensions"),
        ("array_partition variable=a dim=2", "4", "it has 1 dimension"),
        ("array_partition variable=a cyclic", "4", "cyclic needs factor="),
        ("array_partition variable=a", "2048", "2048 banks are more than 1024"),
        ("array_reshape variable=a", "1024", "words of 8192 bits are wider than 4096"),
    ],
)
def test_what_cannot_be_cut_is_refused(how: str, shape: str, reason: str) -> None:
    zero = "0'0x0"
    bits = max(1, (eval(shape.replace(",", "*")) - 1).bit_length())
    body = f"  %2:8 = load @a {bits}{zero[1:]}\n  ret %2\n"
    kind = how.split()[0]
    text, warnings = cut(how, shape, body)
    assert "split" not in text
    assert warnings == [f"k.c:2: {kind} of a is not done: {reason}"]


def cuts() -> st.SearchStrategy[list[tuple[int, str, int, str]]]:
    """Give, for one to three dimensions: size, how, factor, and role."""
    dim = st.tuples(
        st.integers(1, 9),
        st.sampled_from(["none", "complete", "cyclic", "block"]),
        st.integers(1, 9),
        st.sampled_from(["bank", "lane"]),
    )
    return st.lists(dim, min_size=1, max_size=3)


def digits_of(dims: list[tuple[int, str, int, str]]) -> tuple[Digit, ...]:
    result: list[Digit] = []
    for size, how, factor, role in dims:
        kind = ArrayPartition if role == "bank" else ArrayReshape
        item = kind(variable="a", type=how if how != "none" else "complete", factor=factor)
        made = partition._digits(size, item)
        result += [Digit(size)] if how == "none" else made
    return banking.simplified(result)


@given(dims=cuts())
def test_each_word_has_a_place_of_its_own(dims: list[tuple[int, str, int, str]]) -> None:
    depth = 1
    for size, *_ in dims:
        depth *= size
    digits = digits_of(dims)
    split = Split("a", 8, depth, digits)
    places = [split.place(index) for index in range(depth)]
    assert len(set(places)) == depth
    assert all(b < split.count("bank") and ln < split.count("lane") for b, _, ln in places)
    found = sorted(i for bank in split.words() for word in bank for i in word if i >= 0)
    assert found == list(range(depth))
    assert banking.from_text(banking.as_text(digits)) == digits


@pytest.mark.parametrize(
    ("how", "places"),
    [
        ("cyclic", [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]),
        ("block", [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]),
        ("complete", [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]),
    ],
)
def test_words_go_where_vitis_puts_them(how: str, places: list[tuple[int, int]]) -> None:
    split = Split("a", 8, 5, digits_of([(5, how, 2, "bank")]))
    assert [split.place(index)[:2] for index in range(5)] == places


def outcome(module: Module, seed: int) -> list[CallResult]:
    """Call a module three times with the same random arguments; its memories keep their state."""
    rng = random.Random(seed)
    machine = Machine(module, limit=1000)
    results = []
    for _ in range(3):
        scalars = {f"a{index}": rng.getrandbits(64) for index in range(3)}
        result = machine.call(scalars, {"p": rng.randbytes(4)})
        results.append(CallResult(result.value, result.arrays, 0))
    return results


@settings(max_examples=80)
@given(seed=st.integers(0, 1 << 32))
def test_random_modules_compute_the_same_when_cut(seed: int) -> None:
    module = random_ir.module(seed)
    before = outcome(module, seed)
    rng = random.Random(seed)
    known: list[ArrayPartition | ArrayReshape] = []
    for memory in module.memories.values():
        depth = memory.depth
        memory.objects = ((memory.name, 0),)
        memory.shape = rng.choice([(depth,), (2, depth // 2), (depth // 2, 2)])
        for dim in range(len(memory.shape)):
            kind = rng.choice([ArrayPartition, ArrayReshape])
            how = rng.choice(["complete", "block", "cyclic"])
            memory.pragmas += (len(known),)
            known.append(kind(variable="v", type=how, factor=rng.choice((2, 3, 4)), dim=dim + 1))
    module.pragmas = tuple(known)
    for name in passes.PIPELINE:
        passes.BY_NAME[name].run(module, CONTEXT)
        ir_verify.verify(module, after=name)
    assert module.splits
    assert outcome(module, seed) == before


PROGRAM = """\
#include <stdint.h>
static const uint8_t table[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
uint32_t f(uint32_t a[16], const uint8_t b[6][5], uint16_t c[10], uint64_t d[4], uint32_t n) {
#pragma HLS array_partition variable=a cyclic factor=4
#pragma HLS array_partition variable=b dim=2 block factor=2
#pragma HLS array_reshape variable=b dim=1 cyclic factor=3
#pragma HLS array_reshape variable=c cyclic factor=4
#pragma HLS array_partition variable=d
#pragma HLS array_partition variable=table block factor=3
  static uint16_t m[5][6];
#pragma HLS array_partition variable=m dim=0
  for (int i = 0; i < 16; i++) a[i] += n * a[(i + n) & 15] + b[(n + i) % 6][i % 5];
  for (int i = 0; i < 10; i++) c[i] += c[(i + n) % 10] + d[i & 3] + table[(n + i) % 12];
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 6; j++) m[i][j] += m[(i + n) % 5][j] + c[i + j];
  for (int i = 0; i < 4; i++) d[i] ^= c[i] ^ a[i];
  ((uint8_t *)d)[n & 31] += 7;
  return m[n % 5][n % 6] + a[3];
}
"""


def test_arguments_have_ports_for_each_bank(compile_c: Callable[..., Compiled]) -> None:
    arrays = {array.name: array for array in compile_c(PROGRAM).interface.arrays}
    shown = {
        name: [(bank.port, bank.width, bank.depth) for bank in array.banks]
        for name, array in arrays.items()
    }
    assert shown == {
        "a": [("a_0", 32, 4), ("a_1", 32, 4), ("a_2", 32, 4), ("a_3", 32, 4)],
        "b": [("b_0", 24, 6), ("b_1", 24, 5)],
        "c": [("c", 64, 3)],
        "d": [("d_0", 64, 1), ("d_1", 64, 1), ("d_2", 64, 1), ("d_3", 64, 1)],
    }
    assert arrays["a"].banks[1].words == ((1,), (5,), (9,), (13,))
    assert arrays["c"].banks[0].words == ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, -1, -1))


@pytest.mark.parametrize("clock_ns", [4.0, 10.0, 40.0])
def test_cut_arrays_compute_as_the_c_does(
    clock_ns: float,
    compile_c: Callable[..., Compiled],
    native: Callable[..., object],
    simulate: Callable[..., object],
) -> None:
    import ctypes

    plain = re.sub(r"#pragma.*\n", "", PROGRAM)
    compiled = compile_c(PROGRAM, clock_ns=clock_ns)
    library = native(plain)
    machine = Machine(compiled.module)
    rng = random.Random(clock_ns)
    sizes = {"a": 64, "b": 30, "c": 20, "d": 32}
    calls, expected = [], []
    for _ in range(6):
        arrays = {name: rng.randbytes(size) for name, size in sizes.items()}
        n = rng.getrandbits(32)
        buffers = {
            name: ctypes.create_string_buffer(data, len(data)) for name, data in arrays.items()
        }
        value = library.f(*buffers.values(), ctypes.c_uint32(n)) & 0xFFFFFFFF  # type: ignore[attr-defined]
        calls.append(({"n": n}, arrays))
        expected.append((value, {name: buffer.raw for name, buffer in buffers.items()}))
        result = machine.call({"n": n}, arrays)
        after = {name: result.arrays[name][: sizes[name]] for name in sizes}
        assert (result.value, after) == expected[-1]
    for result, (value, arrays) in zip(simulate(compiled, calls), expected, strict=True):  # type: ignore[call-overload]
        assert result.value == value
        assert {name: result.arrays[name] for name in arrays} == arrays


def test_objects_that_one_pointer_may_mean_are_not_cut(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "int f(int n) {\n  static int a[4], b[4];\n"
        "#pragma HLS array_partition variable=a\n"
        "  int *p = n & 8 ? a : b;\n  p[n & 3] += n;\n  return a[n & 3] - b[n & 3];\n}\n"
    )
    compiled = compile_c(text)
    shown = [re.sub(r"\S*/(?=t\.c)", "", str(w)) for w in compiled.warnings]
    assert shown == [
        "t.c:3: array_partition of a is not done: "
        "one access may mean any of f.a, f.b, so they share a memory"
    ]


SHARED = """
#include <stdint.h>
static void turn(int32_t a[16]) {
#pragma HLS inline off
  for (unsigned i = 0; i < 16; i += 4) {
#pragma HLS pipeline
    const int32_t x = a[i], y = a[i + 1], z = a[i + 2], w = a[i + 3];
    a[i] = x + w;
    a[i + 1] = y ^ z;
    a[i + 2] = z - x;
    a[i + 3] = w * 3;
  }
}
uint32_t f(uint32_t n) {
  int32_t rows[3][ROW], one[16];
#pragma HLS array_reshape variable=rows cyclic factor=4 dim=2
#pragma HLS array_reshape variable=one cyclic factor=FACTOR
  for (int i = 0; i < 16; i++) {
    one[i] = n * i;
    for (int k = 0; k < 3; k++) rows[k][i] = n + i * k;
  }
  turn(one);
  for (int k = 0; k < 3; k++) turn(rows[k]);
  uint32_t sum = 0;
  for (int i = 0; i < 16; i++) {
    sum = 3 * sum + one[i];
    for (int k = 0; k < 3; k++) sum = 5 * sum + rows[k][i];
  }
  return sum;
}
"""


def shared_sum(n: int) -> int:
    """What SHARED computes."""
    one = [n * i for i in range(16)]
    rows = [[n + i * k for i in range(16)] for k in range(3)]
    for a in (one, *rows):
        for i in range(0, 16, 4):
            x, y, z, w = a[i : i + 4]
            a[i : i + 4] = [x + w, y ^ z, z - x, w * 3]
    total = 0
    for i in range(16):
        total = 3 * total + one[i]
        for row in rows:
            total = 5 * total + row[i]
    return total & 0xFFFFFFFF


def test_arrays_that_share_a_memory_are_cut_if_all_are_told_the_same_of_their_rows(
    compile_c: Callable[..., Compiled], simulate: Callable[..., list[CallResult]]
) -> None:
    compiled = compile_c(SHARED.replace("FACTOR", "4").replace("ROW", "16"))
    assert compiled.warnings == ()
    [memory] = compiled.report.memories
    assert (memory.objects, memory.width, memory.depth) == (("rows", "one"), 128, 16)
    # A word an iteration, read and written once.
    assert [loop.ii for one in compiled.report.functions for loop in one.loops if loop.ii] == [1]
    calls = [({"n": n}, {}) for n in (1, 77, 0x89ABCDEF)]
    expected = [shared_sum(arguments["n"]) for arguments, _ in calls]
    machine = Machine(compiled.module)
    assert [machine.call(*call).value for call in calls] == expected
    assert [result.value for result in simulate(compiled, calls)] == expected


@pytest.mark.parametrize(("factor", "row"), [("2", "16"), ("4", "20")])
def test_arrays_that_share_a_memory_are_left_if_they_differ(
    factor: str, row: str, compile_c: Callable[..., Compiled]
) -> None:
    """Another factor for one of them, or rows of another length."""
    compiled = compile_c(SHARED.replace("FACTOR", factor).replace("ROW", row))
    assert sum("so they share a memory" in str(one) for one in compiled.warnings) == 2


def test_an_array_that_llvm_took_apart_is_cut_as_asked(compile_c: Callable[..., Compiled]) -> None:
    compiled = compile_c("""
int f(short x) {
  static short row[4];
#pragma HLS array_partition variable=row complete
  int sum = 0;
  for (int i = 3; i >= 0; i--) {
#pragma HLS unroll
    row[i] = i ? row[i - 1] : x;
    sum += row[i] * (2 * i + 1);
  }
  return sum;
}
""")
    assert not compiled.warnings
    words = [(memory.width, memory.depth) for memory in compiled.module.memories.values()]
    assert words == [(16, 1)] * 3  # nobody reads the last one


def test_partition_lets_an_unrolled_loop_take_several_words_a_cycle(
    compile_c: Callable[..., Compiled],
) -> None:
    text = (
        "int f(const int a[64]) {\n  int s = 0;\n"
        "  for (int i = 0; i < 64; i++) {\n#pragma HLS unroll factor=8\n    s += a[i];\n  }\n"
        "  return s;\n}\n"
    )
    whole = compile_c(text).report.functions[0].latency_max
    placed = Placed("array_partition cyclic factor=8", variable="a")
    banked = compile_c(text, directives=(placed,)).report.functions[0].latency_max
    assert whole is not None and banked is not None
    assert banked < 0.6 * whole


def test_constant_tables_become_logic_when_cut_completely(
    compile_c: Callable[..., Compiled],
) -> None:
    text = (
        "static const short t[512] = {1, 2, 3};\n"
        "int f(int n, int k) { return t[n & 511] + t[k & 511]; }\n"
    )
    placed = (Placed("array_partition", variable="t"),)
    kinds = [m.kind for m in compile_c(text).report.memories]
    assert kinds == ["rom"]
    assert [m.kind for m in compile_c(text, directives=placed).report.memories] == ["lutrom"]


def test_a_table_in_logic_is_a_constant_that_synthesis_takes_for_no_memory(
    compile_c: Callable[..., Compiled], simulate: Callable[..., object]
) -> None:
    words = [3, 21, 0, 130, 7, 1, 1, 119, 28, 4, 9]
    table = ", ".join(map(str, words))
    text = (
        f"static const unsigned char t[11] = {{{table}}};\n"
        "int f(unsigned char n) { return t[n % 11]; }\n"
    )
    calls = [({"n": n}, {}) for n in range(11)]
    cut = (Placed("array_partition", variable="t"),)
    wide = (
        Placed("array_reshape cyclic factor=3", variable="t"),
        Placed("bind_storage type=rom_1p impl=lutram", variable="t"),
    )
    # What no index reaches is 0; words of three bytes are four apart.
    for directives, bits, read in (
        (cut, 128, r"\{~\S+, 3'd0\} \+: 8"),
        (wide, 128, r"\{~\S+, 5'd0\} \+: 24"),
    ):
        compiled = compile_c(text, directives=directives)
        assert f"localparam [{bits - 1}:0] t_mem = ~{{" in compiled.verilog
        assert re.search(rf"= ~t_mem\[{read}\];", compiled.verilog)
        assert [result.value for result in simulate(compiled, calls)] == words  # type: ignore[call-overload]
