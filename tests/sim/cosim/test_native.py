# SPDX-License-Identifier: Apache-2.0
"""Recording the calls of a function in a native run: every way in which C passes an argument."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lydite.base import InputError, proc
from lydite.hls.contract.interface import ArrayArg, Interface, ScalarArg
from lydite.hls.contract.options import Options
from lydite.sim.cosim import native as cosim_native
from lydite.sim.cosim.native import Recording


def scalar(name: str, index: int, width: int, *, signed: bool = False) -> ScalarArg:
    return ScalarArg(name, name, index, width, signed, "", (width + 7) // 8)


def array(name: str, index: int, width: int, depth: int) -> ArrayArg:
    return ArrayArg(name, name, index, width, depth, "inout", 1, 1, "", depth * width // 8)


def interface(symbol: str, args: tuple[ScalarArg | ArrayArg, ...], width: int) -> Interface:
    return Interface("f", symbol, args, width, False, "", (width + 7) // 8)


def record(folder: Path, source: str, given: Interface, *, suffix: str = ".c") -> Recording:
    path = folder / f"program{suffix}"
    path.write_text(source)
    std = "c23" if suffix == ".c" else "c++20"
    options = Options(sources=(path,), top="f", std=std)
    return cosim_native.record(options, given, folder / "work")


def test_exact_widths_are_recorded_whole(tmp_path: Path) -> None:
    source = """
    typedef unsigned _BitInt(100) wide;
    wide f(wide a, _Bool b, _BitInt(5) c, __int128 d, unsigned _BitInt(65) e) {
      return a + b + (wide)c + (wide)d + e;
    }
    int main(void) {
      wide r = f((wide)3 << 90, 1, -7, -1, (unsigned _BitInt(65))1 << 64);
      r = f(0, 0, 15, 0, 0);
      return r != 15;
    }
    """
    args = (
        *(scalar("a", 0, 100), scalar("b", 1, 1), scalar("c", 2, 5, signed=True)),
        *(scalar("d", 3, 128, signed=True), scalar("e", 4, 65)),
    )
    recording = record(tmp_path, source, interface("f", args, 100))
    assert (len(recording), recording.rc) == (2, 0)
    call = recording.call(0)
    assert call.scalars == {"a": 3 << 90, "b": 1, "c": -7, "d": -1, "e": 1 << 64}
    assert call.result == (3 << 90) + (1 << 64) + 1 - 7 - 1
    assert recording.call(1).scalars["c"] == 15


def test_static_function_behind_another_and_state(tmp_path: Path) -> None:
    source = """
    #include <stdint.h>
    static inline __attribute__((always_inline)) int16_t f(int16_t *a, const uint8_t b[2]) {
      static int16_t count;
      a[1] += b[0] - b[1] + ++count;
      return a[1];
    }
    static int16_t twice(int16_t *a, const uint8_t *b) { return f(a, b) + f(a, b); }
    int main(void) {
      int16_t a[3] = {1, 2, 3};
      uint8_t b[2] = {9, 4};
      return twice(a, b) != 8 + 15;
    }
    """
    given = interface("f", (array("a", 0, 16, 3), array("b", 1, 8, 2)), 16)
    recording = record(tmp_path, source, given)
    assert (len(recording), recording.rc) == (2, 0)
    calls = list(recording.calls())
    assert [call.result for call in calls] == [8, 15]
    assert calls[0].before == {"a": bytes([1, 0, 2, 0, 3, 0]), "b": bytes([9, 4])}
    assert calls[0].after["a"] == calls[1].before["a"] == bytes([1, 0, 8, 0, 3, 0])
    assert calls[1].after["a"] == bytes([1, 0, 15, 0, 3, 0])


def test_null_pointer_is_zeros(tmp_path: Path) -> None:
    source = "int f(const int *p) { return p ? *p : 5; }\nint main(void) { return f(0) - 5; }\n"
    recording = record(tmp_path, source, interface("f", (array("p", 0, 32, 1),), 32))
    assert (recording.rc, recording.call(0).result) == (0, 5)
    assert recording.call(0).before == {"p": bytes(4)}


def test_references_and_templates_of_cxx(tmp_path: Path) -> None:
    source = """
    #include <cstdint>
    namespace k {
    template <int N> static int32_t sum(const int32_t (&in)[N]) {
      int32_t all = 0;
      for (int32_t value : in) all += value;
      return all;
    }
    static bool f(int32_t (&out)[4], const int32_t &x) {
      out[3] = sum(out) + x;
      return out[3] == 13;
    }
    }
    int main() {
      int32_t out[4] = {1, 2, 3, 4};
      return !k::f(out, 3);
    }
    """
    given = interface("_ZN1kL1fERA4_iRKi", (array("out", 0, 32, 4), array("x", 1, 32, 1)), 1)
    recording = record(tmp_path, source, given, suffix=".cpp")
    assert (len(recording), recording.rc, recording.call(0).result) == (1, 0, 1)
    assert recording.call(0).after["out"][12:] == bytes([13, 0, 0, 0])


def test_struct_by_value_is_refused_where_it_is_split(tmp_path: Path) -> None:
    source = """
    struct pair { float a, b; };
    int f(struct pair p) { return p.a < p.b; }
    int main(void) { return f((struct pair){1, 2}) - 1; }
    """
    with pytest.raises(InputError) as caught:
        record(tmp_path, source, interface("f", (array("p", 0, 32, 2),), 32))
    assert str(caught.value) == (
        f"{tmp_path / 'program.c'}: parameter p of f is passed as <2\n  pass a pointer to it"
    )


def test_several_files_are_one_program(tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text("#include <two.h>\nint f(int x) { return x + PLUS; }\n")
    (tmp_path / "main.c").write_text("int f(int);\nint main(void) { return f(1) + f(2) - 13; }\n")
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "two.h").write_text("#ifndef PLUS\n#define PLUS 1\n#endif\n")
    options = Options(
        sources=(tmp_path / "main.c", tmp_path / "one.c"),
        top="f",
        include_dirs=(tmp_path / "include",),
        defines=("PLUS=5",),
    )
    given = interface("f", (scalar("x", 0, 32, signed=True),), 32)
    recording = cosim_native.record(options, given, tmp_path / "work")
    assert recording.rc == 0
    assert [call.result for call in recording.calls()] == [6, 7]


def test_call_without_arguments_and_result_is_a_call(tmp_path: Path) -> None:
    source = "int n;\nvoid f(void) { n++; }\nint main(void) { f(); f(); return n != 2; }\n"
    recording = record(tmp_path, source, interface("f", (), 0))
    assert (len(recording), recording.rc) == (2, 0)
    assert recording.call(1) == cosim_native.Call({}, {}, {}, None)


def test_a_program_is_linked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same program for other hardware is the same; another one, or other flags, is another."""
    monkeypatch.setenv("LYDITE_CACHE", str(tmp_path / "cache"))
    linked: list[str] = []
    run = proc.run

    def counted(argv: Sequence[str], **options: Any) -> proc.Completed:
        linked.extend(word for word in argv if word.endswith("cosim_record.c"))
        return run(argv, **options)

    monkeypatch.setattr(proc, "run", counted)
    source = "int f(int a) { return a + ADDED; }\nint main(void) { return f(2) != 2 + ADDED; }\n"
    given = interface("f", (scalar("a", 0, 32),), 32)
    path = tmp_path / "program.c"
    path.write_text(source)
    for number, added in enumerate((1, 1, 2, 1)):
        options = Options(sources=(path,), top="f", defines=(f"ADDED={added}",))
        found = cosim_native.record(options, given, tmp_path / f"work{number}")
        assert [call.result for call in found.calls()] == [2 + added]
        assert found.rc == 0
    assert len(linked) == 2
    assert len(list((tmp_path / "cache" / "native").iterdir())) == 2


def test_links_run_beside_what_they_make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a folder above its own Zig would build its library of C once more."""
    folders = []
    real = proc.run

    def seen(argv: Sequence[str], **options: Any) -> proc.Completed:
        if "-o" in argv and "-S" not in argv and "-E" not in argv:
            folders.append(options.get("cwd"))
        return real(argv, **options)

    monkeypatch.setattr(proc, "run", seen)
    monkeypatch.chdir(tmp_path)
    # In another file on every run, so that no cache has it.
    source = f"int f(void) {{ return 1; }}\nint main(void) {{ return !f(); }}\n// {tmp_path}\n"
    source += f'const char *where = "{tmp_path}";\n'
    Path("program.c").write_text(source)
    options = Options(sources=(Path("program.c"),), top="f")
    program = cosim_native.compile_program(options, interface("f", (), 32), Path("work"))
    assert folders == [tmp_path / "work"]
    assert program.path == tmp_path / "work" / "native"
