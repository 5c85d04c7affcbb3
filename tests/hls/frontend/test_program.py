# SPDX-License-Identifier: Apache-2.0
"""Dialects, several files, pragmas, argument sizes: what reaches the IR from the source."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite import hls
from lydite.hls import Compiled, Machine, Options
from lydite.sim.cosim import native as cosim_native


def call(compiled: Compiled, *scalars: int, **arrays: bytes) -> int | None:
    """Call the top function once in the interpreter."""
    names = [scalar.name for scalar in compiled.interface.scalars]
    return Machine(compiled.module).call(dict(zip(names, scalars, strict=True)), arrays).value


def test_old_style_definition(compile_c: Callable[..., Compiled]) -> None:
    text = "int f(a, n)\n  int a[10];\n  int n;\n{ int s = 0; while (n--) s += a[n]; return s; }\n"
    compiled = compile_c(text, std="gnu89")
    data = b"".join(value.to_bytes(4, "little") for value in range(10))
    assert call(compiled, 10, a=data) == 45
    assert compiled.interface.arrays[0].depth == 10
    assert compiled.interface.arrays[0].c_type == "int a[10]"


def test_exact_widths_become_ports(compile_c: Callable[..., Compiled]) -> None:
    text = "unsigned _BitInt(17) f(_BitInt(13) a, _Bool b) { return a * 3 + b; }\n"
    compiled = compile_c(text, std="c23")
    assert [(s.width, s.signed) for s in compiled.interface.scalars] == [(13, True), (1, False)]
    assert compiled.interface.return_width == 17
    assert call(compiled, -5, 1) == (-14) & 0x1FFFF


def test_plain_cxx(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "template <int W> static unsigned rol(unsigned x) { return x << W | x >> (32 - W); }\n"
        "constexpr unsigned table[4] = {1, 2, 3, 4};\n"
        "void f(const unsigned (&in)[4], unsigned &out) {\n"
        "  unsigned s = 0;\n"
        "  for (int i = 0; i < 4; i++) s += rol<5>(in[i]) * table[i];\n"
        "  out = s;\n}\n"
    )
    compiled = compile_c(text, name="t.cpp")
    names = [(a.name, a.depth, a.direction) for a in compiled.interface.arrays]
    assert names == [("in", 4, "in"), ("out", 1, "out")]
    data = b"".join(value.to_bytes(4, "little") for value in (1, 0, 0, 2))
    result = Machine(compiled.module).call({}, {"in": data})
    assert int.from_bytes(result.arrays["out"], "little") == 32 * 9


def test_several_files_are_one_program(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "int g(int); static int k = 2;\nint f(int n) { return g(n) + k; }\n"
    )
    (tmp_path / "b.c").write_text(
        '#include "h.h"\nstatic int k = K;\nint g(int n) { return n * k; }\n'
    )
    (tmp_path / "i").mkdir()
    (tmp_path / "i" / "h.h").write_text("#define K (BASE + 1)\n")
    compiled = hls.compile(
        Options(
            sources=(tmp_path / "a.c", tmp_path / "b.c"),
            top="f",
            include_dirs=(tmp_path / "i",),
            defines=("BASE=6",),
        )
    )
    assert call(compiled, 5) == 37


def test_state_lives_from_call_to_call(compile_c: Callable[..., Compiled]) -> None:
    text = "int f(int n) { static int total = 100; total += n; return total; }\n"
    machine = Machine(compile_c(text).module)
    assert [machine.call({"n": n}).value for n in (1, 2, 3)] == [101, 103, 106]


@pytest.mark.parametrize(
    ("declaration", "depth", "width"),
    [
        ("unsigned char p[12]", 12, 8),
        ("const short p[static 3][4]", 12, 16),
        ("arr p", 7, 32),
        ("struct s p[3]", 6, 64),
        ("long p[sizeof(struct s)]", 16, 64),
    ],
)
def test_size_of_an_array_argument(
    declaration: str, depth: int, width: int, compile_c: Callable[..., Compiled]
) -> None:
    text = (
        "typedef int arr[7];\nstruct s { long a; char b; };\n"
        f"int f({declaration}, int n) {{ return ((char *)p)[n & 7]; }}\n"
    )
    array = compile_c(text).interface.arrays[0]
    assert array.depth * array.element_width == depth * width
    assert array.c_bytes == depth * width // 8


PORTABLE = """
#if defined(__SSE__) || defined(__SSE2__) || defined(__MMX__) || defined(__AVX__)
#include <emmintrin.h>
int f(int n) { return _mm_cvtsi128_si32(_mm_add_epi32(_mm_set1_epi32(n), _mm_set1_epi32(1))); }
#elif defined(__x86_64__)
int f(int n) { return n + 2; }
#else
int f(int n) { return n + 3; }
#endif
int main(void) { return f(5); }
"""


@pytest.mark.parametrize(("undefines", "answer"), [((), 7), (("__x86_64__",), 8)])
@pytest.mark.parametrize("name", ["t.c", "t.cpp"])
def test_native_run_and_hardware_see_the_same_machine_without_vectors(
    name: str, undefines: tuple[str, ...], answer: int, tmp_path: Path
) -> None:
    source = tmp_path / name
    source.write_text(PORTABLE)
    options = Options(sources=(source,), top="f", undefines=undefines)
    compiled = hls.compile(options)
    assert call(compiled, 5) == answer
    recording = cosim_native.record(options, compiled.interface, tmp_path / "native")
    assert [each.result for each in recording.calls()] == [answer]


def test_macro_is_forgotten_after_it_is_defined(compile_c: Callable[..., Compiled]) -> None:
    text = "#ifdef A\n#error A\n#endif\nint f(int n) { return n + B; }\n"
    compiled = compile_c(text, defines=("A=1", "B=2"), undefines=("A",))
    assert call(compiled, 5) == 7


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.c", "int *f(int p[4], int n) { p[n & 3] += n; return n & 1 ? p : p + 1; }\n"),
        ("t.c", 'const char *f(int p[4], int n) { p[n & 3] += n; return n ? "a" : 0; }\n'),
        ("t.cpp", "int &f(int (&p)[4], int n) { p[n & 3] += n; return p[n & 1]; }\n"),
    ],
)
def test_pointer_that_the_top_returns_is_dropped_with_a_note(
    name: str, text: str, compile_c: Callable[..., Compiled], tmp_path: Path
) -> None:
    compiled = compile_c(text + "int p[4];\nint main(void) { f(p, 6); f(p, 3); }\n", name=name)
    assert [str(warning).removeprefix(f"{tmp_path}/") for warning in compiled.warnings] == [
        f"{name}:1: the pointer that the top function returns is dropped: "
        "hardware has no address to give"
    ]
    assert compiled.interface.return_width == 0 and "ap_return" not in compiled.verilog
    result = Machine(compiled.module).call({"n": 6}, {"p": bytes(16)})
    assert result.value is None and result.arrays["p"] == bytes(8) + b"\6" + bytes(7)
    options = Options(sources=(tmp_path / name,), top="f")
    recording = cosim_native.record(options, compiled.interface, tmp_path / "native")
    assert [each.after["p"][8] for each in recording.calls()] == [6, 6]
    assert [each.result for each in recording.calls()] == [None, None]


def test_depth_option_gives_a_size(compile_c: Callable[..., Compiled]) -> None:
    text = "int f(const int *p, int n) { int s = 0; while (n--) s += p[n]; return s; }\n"
    assert compile_c(text, depths=(("p", 9),)).interface.arrays[0].depth == 9
    asked = text.replace("{", "{\n#pragma HLS interface ap_memory port=p depth=12\n", 1)
    assert compile_c(asked).interface.arrays[0].depth == 12
    assert compile_c(asked, depths=(("p", 9),)).interface.arrays[0].depth == 9


@pytest.mark.parametrize(
    ("declaration", "words", "width"),
    [
        ("int (*p)[4]", 12, 32),
        ("int p[][4]", 12, 32),
        ("const short (*const p)[4][2]", 24, 16),
        ("struct s *p", 6, 64),
        ("struct s (*p)[2]", 12, 64),
        ("unsigned char *p", 3, 8),
        ("void *p", 3, 8),
    ],
)
def test_depth_counts_what_the_pointer_points_to(
    declaration: str, words: int, width: int, compile_c: Callable[..., Compiled]
) -> None:
    text = "struct s { long a; char b; };\n" + (
        f"int f({declaration}, int n) {{\n%s  return ((unsigned char *)p)[n];\n}}\n"
    )
    asked = "#pragma HLS interface ap_memory port=p depth=3\n"
    for compiled in (compile_c(text % "", depths=(("p", 3),)), compile_c(text % asked)):
        array = compiled.interface.arrays[0]
        assert array.c_bytes == words * width // 8 == array.depth * array.element_width // 8
        assert compiled.module.memories["p"].depth == array.depth


def test_depth_of_a_reference_counts_the_elements(compile_c: Callable[..., Compiled]) -> None:
    text = "int f(int (&p)[8], int n) { return p[n]; }\n"
    assert compile_c(text, name="t.cpp", depths=(("p", 6),)).interface.arrays[0].depth == 6


def test_constant_accesses_give_a_size(compile_c: Callable[..., Compiled]) -> None:
    array = compile_c("void f(int *p) { p[3] = p[0] + 1; }\n").interface.arrays[0]
    assert (array.depth, array.direction) == (4, "inout")


def test_pragmas_are_obeyed_kept_or_named(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "static int g(int x) {\n"
        "#pragma HLS INLINE off\n"
        "  return x * x + 3;\n}\n"
        "int f(int a[8], int n) {\n"
        "#pragma HLS pipeline II=1\n"
        "  int s = 0;\n"
        "  for (int i = 0; i < n; i++) {\n"
        "#pragma HLS loop_tripcount min=2 max=8\n"
        "    s += g(a[i]);\n  }\n"
        "  if (n)\n"
        "#pragma HLS nonsense\n"
        "    s++;\n"
        "#pragma HLS unroll\n"
        "  return s;\n}\n"
    )
    compiled = compile_c(text)
    shown = [re.sub(r"\S*/(?=t\.c)", "", str(w)) for w in compiled.warnings]
    assert shown == [
        "t.c:13: unknown pragma HLS nonsense: ignored",
        "t.c:15: misplaced pragma HLS unroll: ignored; "
        "write it inside the braces of the loop that it concerns",
        "t.c:8: pipeline: f is not pipelined: a loop is not unrolled: its number of iterations "
        "is not known",
    ]
    assert [f.name for f in compiled.report.functions] == ["f", "g"]
    loop = compiled.report.functions[0].loops[0]
    assert (loop.trip_min, loop.trip_max) == (2, 8)


def test_unroll_makes_one_pass_of_a_loop(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "int f(int n) {{\n  int s = n;\n  for (int i = 0; i < 40; i++) {{\n{}"
        "    s = (s << 3) ^ (s >> 5) ^ i;\n  }}\n  return s;\n}}\n"
    )
    rolled = compile_c(text.format(""))
    unrolled = compile_c(text.format("#pragma HLS unroll\n"))
    partly = compile_c(text.format("#pragma HLS unroll factor=4\n"))
    assert [len(c.report.functions[0].loops) for c in (rolled, unrolled, partly)] == [1, 0, 1]
    assert partly.report.functions[0].loops[0].trip_max == 10
    assert len({call(c, 12345) for c in (rolled, unrolled, partly)}) == 1


def test_output_calls_are_dropped_with_a_note(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "#include <stdio.h>\n#include <stdlib.h>\n"
        "int main(int argc, char **argv) {\n"
        '  printf("%d %s\\n", argc, argv[0]);\n'
        "  if (argc != 1) abort();\n  return argc + 41;\n}\n"
    )
    compiled = compile_c(text, "main")
    assert call(compiled) == 42
    shown = [re.sub(r"\S*/(?=t\.c)", "", str(w)) for w in compiled.warnings]
    assert shown == [
        "t.c:4: printf is dropped: hardware has no console; its result is 0",
        "t.c:5: abort ends the run with result 134",
    ]


def test_abort_ends_the_run_with_its_status(compile_c: Callable[..., Compiled]) -> None:
    text = "#include <assert.h>\nint f(int n) { assert(n < 10); return n; }\n"
    compiled = compile_c(text)
    assert (call(compiled, 3), call(compiled, 12)) == (3, 134)


def test_library_functions_are_compiled_in(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "#include <string.h>\n#include <stdlib.h>\n#include <ctype.h>\n"
        'static char a[40] = "touchstone", b[40];\n'
        "int f(int n) {\n"
        "  memcpy(b, a, 11);\n  memmove(b + 2, b, n);\n  memset(a + n, 'x', 3);\n"
        "  return strlen(a) * 1000 + abs(memcmp(a, b, 11)) + (strchr(b, 'c') - b)\n"
        "      + toupper(b[0]) * 100000;\n}\n"
    )
    # native: strlen 10; memmove gives "totouchone"; memset "toucxxxone"
    compiled = compile_c(text)
    a, b = bytearray(b"touchstone\0"), bytearray(b"touchstone\0")
    b[2:6] = b"touc"
    a[4:7] = b"xxx"
    first = next(i for i in range(11) if a[i] != b[i])
    expected = 10 * 1000 + abs(a[first] - b[first]) + b.index(b"c") + ord("T") * 100000
    assert call(compiled, 4) == expected
