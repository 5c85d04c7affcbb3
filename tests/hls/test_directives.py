# SPDX-License-Identifier: Apache-2.0
"""Directives: how they are written, which place of the program they reach, and from where."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.hls import Compiled, Placed
from lydite.hls.contract import directive_text, directives
from lydite.hls.ir import text as ir_text


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("unroll", "unroll"),
        ("UNROLL Factor = 4 SKIP_EXIT_CHECK", "unroll factor=4 skip_exit_check"),
        ("unroll 4", "unroll factor=4"),
        ("unroll off=true", "unroll off"),
        ("pipeline II=(2) rewind style=flp", "pipeline ii=2 rewind style=flp"),
        ("inline recursive", "inline recursive"),
        ("array_partition variable=a", "array_partition variable=a"),
        (
            "array_partition variable=a cyclic factor=2 dim=0",
            "array_partition variable=a type=cyclic factor=2 dim=0",
        ),
        ("array_reshape variable=a block factor=2", "array_reshape variable=a type=block factor=2"),
        (
            "allocation operation instances=xor limit=4",
            "allocation instances=xor limit=4 type=operation",
        ),
        (
            "allocation instances=xor limit=4 operation",
            "allocation instances=xor limit=4 type=operation",
        ),
        ("ALLOCATION instances=Foo limit=1", "allocation instances=Foo limit=1"),
        (
            "bind_storage variable=a type=RAM_2P impl=BRAM latency=2",
            "bind_storage variable=a type=ram_2p impl=bram latency=2",
        ),
        ("resource variable=a core=RAM_1P", "resource variable=a core=RAM_1P"),
        ("bind_op variable=c op=mul impl=dsp", "bind_op variable=c op=mul impl=dsp"),
        ("interface axis port=x", "interface mode=axis port=x"),
        (
            "INTERFACE s_axilite port=return bundle=ctrl",
            "interface mode=s_axilite port=return bundle=ctrl",
        ),
        (
            "dependence variable=a inter RAW distance=3 false",
            "dependence variable=a direction=raw distance=3 dependent=false",
        ),
        (
            "dependence class=array type=intra dependent=false",
            "dependence class=array type=intra dependent=false",
        ),
        ("latency min=3 max=7", "latency min=3 max=7"),
        ("loop_tripcount min=0 max=8 avg=4", "loop_tripcount min=0 max=8 avg=4"),
        ("stream variable=s depth=8", "stream variable=s depth=8"),
        ("protocol fixed", "protocol mode=fixed"),
        ("data_pack variable=s struct_level", "data_pack variable=s level=struct_level"),
        ("expression_balance off", "expression_balance off"),
    ],
)
def test_old_and_new_forms_have_one_canonical_line(line: str, canonical: str) -> None:
    made, warnings = directive_text.parse(line, "k.c:3")
    assert made is not None and warnings == ()
    assert directive_text.text(made) == canonical
    assert directive_text.parse(canonical, "k.c:3")[0] == made


@pytest.mark.parametrize(
    ("line", "message", "kept"),
    [
        ("frobnicate", "unknown pragma HLS frobnicate: ignored", False),
        (
            "unroll fctor=3",
            "pragma HLS unroll: unknown option fctor: ignored; it knows "
            "factor, skip_exit_check, region, off",
            True,
        ),
        ("unroll factor=N", "pragma HLS unroll: factor=N is not a number: ignored", False),
        ("unroll factor=0", "pragma HLS unroll: factor=0 is below 1: ignored", False),
        ("unroll off=maybe", "pragma HLS unroll: off=maybe is neither true nor false: ignored", 0),
        ("array_partition dim=2", "pragma HLS array_partition: variable= is missing: ignored", 0),
        (
            "array_partition variable=a type=diagonal",
            "pragma HLS array_partition: type=diagonal is none of complete, block, cyclic: ignored",
            False,
        ),
    ],
)
def test_what_has_no_meaning_is_said(line: str, message: str, kept: bool) -> None:
    made, warnings = directive_text.parse(line, "k.c:3")
    assert [str(warning) for warning in warnings] == [f"k.c:3: {message}"]
    assert (made is not None) == kept


NUMBERS = """\
#define BANKS (1 << 2)
enum { WIDE = 2, THREE };
unsigned f(const unsigned a[16]) {
#pragma HLS array_partition variable=a cyclic factor=(BANKS / WIDE) dim=1
  unsigned s = 0;
  const int local = 5;
  for (int i = 0; i < 12; i++) {
#pragma HLS unroll factor = BANKS
    s += a[i];
  }
  for (int i = 0; i < 12; i++) {
#pragma HLS pipeline II=THREE
    s ^= a[i] << i;
  }
  for (int i = 0; i < 12; i++) {
#pragma HLS unroll factor=local
    s += a[i] * s;
  }
  return s;
}
"""


def test_numbers_are_macros_and_constant_expressions(
    tmp_path: Path, compile_c: Callable[..., Compiled]
) -> None:
    compiled = compile_c(NUMBERS)
    texts = {directive_text.text(item) for item in compiled.module.pragmas}
    assert texts >= {
        "array_partition variable=a type=cyclic factor=2",
        "unroll factor=4",
        "pipeline ii=3",
    }
    # What only the function knows is no constant of the file.
    refused = [str(note) for note in compiled.warnings if "is not a number" in str(note)]
    place = tmp_path / "t.c"
    assert refused == [f"{place}:16: pragma HLS unroll: factor=local is not a number: ignored"]


def test_the_table_has_each_keyword_once() -> None:
    assert len(directives.BY_KIND) == len(directives.TABLE)
    for kind in directives.TABLE:
        assert kind.__doc__ is not None and kind.__doc__.startswith(f"pragma HLS {kind.kind}")
        assert kind.places, kind.kind


PROGRAM = """\
#include <stdint.h>
static uint32_t table[4] = {1, 2, 3, 4};
static uint32_t sum(uint32_t a[8], int n) {
#pragma HLS array_partition variable=a cyclic factor=2
  static uint32_t table[8];
#pragma HLS bind_storage variable=table type=ram_2p
  uint32_t s = 0;
inner: for (int i = 0; i < n; i++) { s += a[i & 7] + table[i & 7]; table[i & 7] = s; }
  return s;
}
uint32_t f(uint32_t x[4][4], int n) {
  uint32_t local[8] = {0};
#pragma HLS array_partition variable=x dim=2
#pragma HLS array_reshape variable=table
  for (int i = 0; i < n; i++) local[i & 7] = x[i & 3][n & 3];
  uint32_t t = 0;
rounds:
  for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount max=9
    t += sum(local, n) + table[i & 3];
    table[t & 3] = i;
  }
  return t;
}
"""


def bound(compiled: Compiled) -> dict[str, list[str]]:
    """Give the directives of each memory by its name."""
    module = compiled.module
    return {
        memory.name: [directive_text.text(module.pragmas[n]) for n in memory.pragmas]
        for memory in module.memories.values()
    }


@pytest.mark.parametrize("inlined", [True, False])
def test_a_variable_is_the_one_in_scope(inlined: bool, compile_c: Callable[..., Compiled]) -> None:
    """A parameter is what it points to, also where its function is inlined."""
    off = (Placed("inline off", function="sum"),) if not inlined else ()
    compiled = compile_c(PROGRAM, directives=off, dump_after=("import",))
    module = ir_text.parse_module(compiled.dumps[0][1])
    texts = {
        memory.objects[0][0]: [directive_text.text(module.pragmas[n]) for n in memory.pragmas]
        for memory in module.memories.values()
    }
    array = "a" if inlined else "local"
    assert texts == {
        "table": ["array_reshape variable=table"],
        "sum.table": ["bind_storage variable=table type=ram_2p"],
        array: ["array_partition variable=a type=cyclic factor=2"],
        "x": ["array_partition variable=x dim=2"],
    }


def test_loops_have_their_labels(compile_c: Callable[..., Compiled]) -> None:
    loops = compile_c(PROGRAM).report.functions[0].loops
    assert [(loop.name, loop.trip_max) for loop in loops] == [
        ("loop_15", None),
        ("rounds", 9),
        ("inner", None),
    ]


def test_a_directive_from_outside_wins_over_the_source(compile_c: Callable[..., Compiled]) -> None:
    compiled = compile_c(
        PROGRAM,
        directives=(
            Placed("loop_tripcount max=5", loop="rounds"),
            Placed("loop_tripcount max=3", function="sum", loop="inner"),
            Placed("loop_tripcount max=2", function="f", loop="loop_15"),
            Placed("array_reshape cyclic factor=2", variable="table"),
            Placed("bind_storage type=ram_1p impl=lutram", function="sum", variable="table"),
        ),
    )
    loops = compiled.report.functions[0].loops
    assert [(loop.name, loop.trip_max) for loop in loops] == [
        ("loop_15", 2),
        ("rounds", 5),
        ("inner", 3),
    ]
    named = [directive_text.text(d) for d in compiled.module.pragmas if d.outside]
    assert named[-1] == "bind_storage variable=table type=ram_1p impl=lutram"
    texts = [text for found in bound(compiled).values() for text in found]
    assert "array_reshape variable=table type=cyclic factor=2" in texts
    assert "array_reshape variable=table" not in texts


def test_places_are_all_or_one_by_its_number_and_the_last_that_is_told_holds(
    compile_c: Callable[..., Compiled],
) -> None:
    every = Placed("loop_tripcount max=7", function="*", loop="*")
    plain = compile_c(PROGRAM, directives=(every,)).report.functions[0].loops
    assert [(loop.name, loop.trip_max) for loop in plain] == [
        ("loop_15", 7),
        ("rounds", 7),
        ("inner", 7),
    ]
    # Who names a place wins over who means all; of two the later one holds.
    given = (
        Placed("loop_tripcount max=4", loop="1"),
        Placed("loop_tripcount max=2", loop="loop_15"),
        Placed("loop_tripcount max=5", loop="2"),
        every,
    )
    loops = compile_c(PROGRAM, directives=given).report.functions[0].loops
    assert [(loop.name, loop.trip_max) for loop in loops] == [
        ("loop_15", 2),
        ("rounds", 5),
        ("inner", 7),
    ]


def test_directives_from_outside_are_part_of_the_digest(
    compile_c: Callable[..., Compiled],
) -> None:
    digests = {
        compile_c(PROGRAM, directives=given).source_digest
        for given in (
            (),
            (Placed("unroll factor=2", loop="rounds"),),
            (Placed("unroll factor=3", loop="rounds"),),
            (Placed("unroll factor=2", loop="loop_15"),),
        )
    }
    assert len(digests) == 4


@pytest.mark.parametrize(
    ("placed", "message"),
    [
        (
            Placed("unroll", loop="round"),
            "Options.directives: there is no loop round in f\n  known: loop_15, rounds",
        ),
        (
            Placed("unroll", loop="3"),
            "Options.directives: there is no loop 3 in f\n  known: loop_15, rounds",
        ),
        (
            Placed("unroll", function="leaf", loop="*"),
            "Options.directives: there is no function leaf\n  known: f, sum",
        ),
        (
            Placed("array_partition", function="*", variable="nowhere"),
            "Options.directives: there is no place for array_partition\n  known: f, sum",
        ),
        (
            Placed("inline", function="g"),
            "Options.directives: there is no function g\n  known: f, sum",
        ),
        (
            Placed("array_partition", function="sum", variable="local"),
            "Options.directives: there is no variable local in sum\n  known: a, n, s, i, table",
        ),
        (
            Placed("unroll"),
            'Options.directives: unroll concerns a loop\n  add loop = "label"',
        ),
        (
            Placed("inline", loop="rounds"),
            "Options.directives: inline concerns a function, not a loop",
        ),
        (
            Placed("frob"),
            "Options.directives: unknown pragma HLS frob",
        ),
    ],
)
def test_a_place_that_does_not_exist_is_refused(
    placed: Placed, message: str, compile_c: Callable[..., Compiled]
) -> None:
    with pytest.raises(InputError) as error:
        compile_c(PROGRAM, directives=(placed,))
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "array_partition variable=nope",
            "t.c:3: pragma HLS array_partition: there is no variable nope here: ignored",
        ),
        (
            "array_partition variable=a[1]",
            "t.c:3: pragma HLS array_partition: variable=a[1] is no variable as a whole: ignored",
        ),
        (
            "array_partition variable=r",
            "t.c:3: pragma HLS array_partition: variable=r: "
            "clang: address of register variable requested: ignored",
        ),
        (
            "array_partition variable=a)+(a",
            "t.c:3: pragma HLS array_partition: there is no variable a)+(a here: ignored",
        ),
    ],
)
def test_an_unknown_variable_is_named(
    line: str, message: str, compile_c: Callable[..., Compiled]
) -> None:
    text = (
        f"int f(int a[4], int n) {{\n  register int r = n;\n#pragma HLS {line}\n  return a[r]; }}\n"
    )
    shown = [re.sub(r"\S*/(?=t\.c)", "", str(w)) for w in compile_c(text).warnings]
    assert shown == [message]


def test_a_directive_outside_of_functions_is_misplaced(compile_c: Callable[..., Compiled]) -> None:
    text = "static int x;\n#pragma HLS inline\nint f(int n) { return n + x++; }\n"
    shown = [re.sub(r"\S*/(?=t\.c)", "", str(w)) for w in compile_c(text).warnings]
    assert shown == [
        "t.c:2: misplaced pragma HLS inline: ignored; "
        "write it as a line of its own inside the braces of its loop or function"
    ]


def test_references_of_cxx_reach_their_arrays(compile_c: Callable[..., Compiled]) -> None:
    text = (
        "template <int N> static int sum(const int (&a)[N], int n) {\n"
        "#pragma HLS array_partition variable=a\n"
        "  return a[n & (N - 1)]; }\n"
        "int f(const int (&x)[8], int n) { return sum(x, n); }\n"
    )
    compiled = compile_c(text, name="t.cpp")
    assert bound(compiled)["x_3"] == ["array_partition variable=a"]


FILE = """\
[[directives]]
loop = "rounds"
directive = "unroll factor=2"

[[directives]]
function = "sum"
variable = "a"
directive = "array_partition complete"
"""


def test_a_file_of_directives_is_read(tmp_path: Path) -> None:
    path = tmp_path / "d.toml"
    path.write_text(FILE)
    first, second = directive_text.load(path)
    assert (first.loop, first.function, first.directive) == ("rounds", "", "unroll factor=2")
    assert (second.variable, second.function) == ("a", "sum")
    assert second.where == f"{path}: entry 2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "x = 3\n",
            ": a file of directives is one list\n  "
            'write [[directives]], then function = "f" and directive = "unroll factor=2"',
        ),
        (
            '[[directives]]\nfunktion = "f"\ndirective = "inline"\n',
            ": entry 1: unknown key funktion\n  known: directive, function, loop, variable",
        ),
        (
            '[[directives]]\nfunction = "f"\n',
            ": entry 1: there is no directive\n  known: directive, function, loop, variable",
        ),
        ("[[directives]]\ndirective = 3\n", ": entry 1: an entry is a table of texts"),
        ("x = ", ": no TOML: Invalid value (at end of document)"),
    ],
)
def test_a_wrong_file_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "d.toml"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        directive_text.load(path)
    assert str(error.value).removeprefix(str(path)) == message


@pytest.mark.parametrize("line", ["", "#pragma HLS loop_tripcount min=4 max=4"])
def test_an_array_of_a_loop_keeps_its_directive(
    line: str, compile_c: Callable[..., Compiled]
) -> None:
    """Also beside a directive of the loop itself, for which clang is called in another way."""
    text = f"""\
int f(int a[8], int n) {{
  int s = 0;
  for (int i = 0; i < n; i++) {{
{line}
    int b[8];
#pragma HLS array_partition variable=b complete
    for (int k = 0; k < 8; k++) b[(k * n) & 7] = a[k] + i;
    for (int k = 0; k < 8; k++) s += b[k] * b[(k + n) & 7];
  }}
  return s;
}}
"""
    found = compile_c(text).module.memories
    assert "b" not in found
    assert {"b_1", "b_7"} <= set(found)
