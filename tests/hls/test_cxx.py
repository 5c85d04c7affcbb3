# SPDX-License-Identifier: Apache-2.0
"""C++ of the plain kind, programs of several files: native run, interpreter, hardware agree."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from lydite import hls
from lydite.base import InputError
from lydite.hls.contract.options import Options
from lydite.sim import cosim
from lydite.sim.cosim import native as cosim_native

DATA = tomllib.loads((Path(__file__).parent / "cxx_programs.toml").read_text())


def written(name: str, folder: Path) -> Options:
    entry = DATA[name]
    for path, text in entry["files"].items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return Options(
        sources=tuple(
            folder / path for path in entry["files"] if not path.endswith((".h", ".hpp"))
        ),
        top=entry.get("top", "f"),
        std=entry.get("std", ""),
        defines=tuple(entry.get("defines", ())),
        include_dirs=tuple(folder / path for path in entry.get("include", ())),
        clock_ns=8.0,
    )


@pytest.mark.parametrize("name", DATA)
def test_program_is_the_same_natively_in_the_interpreter_and_as_hardware(
    name: str, tmp_path: Path
) -> None:
    options = written(name, tmp_path)
    compiled = hls.compile(options)
    recording = cosim_native.record(options, compiled.interface, tmp_path / "native")
    assert len(recording) >= DATA[name].get("calls", 10) and recording.rc == 0
    machine = hls.Machine(compiled.module)
    arrays = [arg for arg in compiled.interface.arrays if not arg.unused]
    seen = set()
    for call in recording.calls():
        result = machine.call(call.scalars, {arg.port: call.before[arg.name] for arg in arrays})
        assert result.value == call.result
        for arg in arrays:
            if arg.name not in recording.by_value:
                assert result.arrays[arg.port] == call.after[arg.name]
        seen.add((call.result, *call.after.values()))
    assert len(seen) > 3, "a program that always gives the same shows little"
    if DATA[name].get("hardware"):
        cosim.run(options, compiled, tmp_path / "hardware").check()


INLINED = """
template <int N> unsigned spread(unsigned x) {
#pragma HLS inline
  for (int i = 0; i < N; i++) x ^= x << i;
  return x;
}
template <int N> [[gnu::noinline]] unsigned kept(unsigned x) {
#pragma HLS inline
  return x * N;
}
struct pair {
  unsigned v;
  unsigned twice(unsigned x) {
#pragma HLS inline off
    return spread<3>(x) + v;
  }
};
unsigned f(unsigned x, unsigned y) {
  pair o{y};
  return kept<7>(x) + spread<4>(y) + o.twice(x);
}
"""


def test_inlining_is_obeyed_of_templates_and_methods(tmp_path: Path) -> None:
    path = tmp_path / "t.cpp"
    path.write_text(INLINED)
    compiled = hls.compile(Options(sources=(path,), top="f"))
    names = {function.name for function in compiled.report.functions}
    # What the source itself keeps apart, it keeps apart.
    assert names == {"f", "kept_7", "twice"}


def test_overloaded_top_function_is_refused_with_the_symbols(tmp_path: Path) -> None:
    path = tmp_path / "t.cpp"
    path.write_text("int f(int x) { return x; }\nint f(char x) { return x + 1; }\n")
    with pytest.raises(InputError) as caught:
        hls.compile(Options(sources=(path,), top="f"))
    assert str(caught.value) == (
        f"{path}: the top function f is overloaded\n"
        '  name one of _Z1fc, _Z1fi, or declare it extern "C"'
    )
    assert hls.compile(Options(sources=(path,), top="_Z1fc")).interface.args[0].c_bytes == 1


def test_constructor_that_runs_before_main_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.cpp"
    path.write_text(
        "int g(int);\nstruct s {\n  int a;\n  s() : a(g(3)) {}\n};\ns o;\n"
        "int g(int x) {\n  volatile int y = x;\n  return y;\n}\nint f(int x) { return o.a + x; }\n"
    )
    with pytest.raises(InputError) as caught:
        hls.compile(Options(sources=(path,), top="f"))
    assert str(caught.value) == (
        f"{path}:6: a global object is initialised by code that runs before the top function\n"
        "  make its initialiser a constant expression (constexpr)"
    )


@pytest.mark.parametrize("kind", ["function", "variable"])
def test_symbol_that_two_files_define_is_refused_with_both_places(
    kind: str, tmp_path: Path
) -> None:
    first, second = tmp_path / "a.c", tmp_path / "b.c"
    own = {"function": "int g(int x) { return x; }", "variable": "int g = 3;"}[kind]
    use = {"function": "g(x)", "variable": "g + x"}[kind]
    first.write_text(f"{own}\nint f(int x) {{ return {use}; }}\n")
    second.write_text(f"\n{own}\n")
    with pytest.raises(InputError) as caught:
        hls.compile(Options(sources=(first, second), top="f"))
    assert str(caught.value) == (
        f"{second}:2: g is defined twice, first at {first}:1\n  define each symbol once"
    )
