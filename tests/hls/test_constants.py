# SPDX-License-Identifier: Apache-2.0
"""What tables hold in C is what the reader, the interpreter and the ROMs have: every byte of it."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding
import pytest

from lydite import hls
from lydite.hls import Compiled, Machine, Options
from lydite.hls.frontend import llvm_parser
from lydite.hls.frontend.llvm_ast import Aggregate, Bytes, Global, Number
from lydite.sim import cosim

llvm: Any = llvmlite.binding


def read_back(text: str) -> Global:
    """Give `@a` of a module as LLVM prints it and the reader reads it."""
    return llvm_parser.parse(str(llvm.parse_assembly(text))).globals["a"]


def of_bytes(data: bytes) -> str:
    items = ", ".join(f"i8 {value}" for value in data)
    return f"@a = global [{len(data)} x i8] [{items}], align 2\n"


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)),
        b"".join(b"\\" + bytes((a, b)) for a in range(256) for b in range(256)),
        b"".join(b"\\" * count + b"5C" for count in range(9)),
        b"ends with one \\",
        b'quotes " and \\22, then ", align 64, !dbg !7',
        b"define i32 @f() {\n}\n!1 = !{}\n@b = global i8 1\ndeclare void @printf()",
    ],
    ids=["all", "pairs", "backslashes", "last", "attributes", "definition"],
)
def test_reader_has_the_bytes_that_llvm_was_given(data: bytes) -> None:
    found = read_back(of_bytes(data))
    assert found.init == Bytes(data)
    assert (found.align, found.debug) == (2, -1)


@pytest.mark.parametrize(
    ("kind", "text", "bits"),
    [
        ("float", "1.5", 0x3FC00000),
        ("float", "0x3FB99999A0000000", 0x3DCCCCCD),
        ("float", "-0.0", 0x80000000),
        ("float", "0x36E0000000000000", 16),
        ("float", "0x7FF0000000000000", 0x7F800000),
        ("float", "0xFFF8000020000000", 0xFFC00001),
        ("double", "0x3FB999999999999A", 0x3FB999999999999A),
        ("double", "-2.5e300", struct.unpack("<Q", struct.pack("<d", -2.5e300))[0]),
        ("half", "0xH3C01", 0x3C01),
        ("x86_fp80", "0xK3FFFC000000000000001", 0x3FFFC000000000000001),
        ("fp128", "0xL00000000000000023FFF000000000001", 0x3FFF0000000000010000000000000002),
    ],
)
def test_reader_has_the_bits_of_floating_point(kind: str, text: str, bits: int) -> None:
    found = read_back(f"@a = global {{ {kind}, i8 }} {{ {kind} {text}, i8 7 }}\n").init
    assert isinstance(found, Aggregate)
    assert [value for _, value in found.items] == [Number(bits), Number(7)]


HEX = "0123456789abcdefABCDEF"
PAIRS = b"".join(f"\\{a}{b}".encode() for a in HEX for b in HEX)
SINGLES = b"".join(b"\\" + bytes((value,)) for value in range(256))


def octal(data: bytes) -> str:
    return '"' + "".join(f"\\{value:03o}" for value in data) + '"'


# Each table @: how C declares it, what is in it, how many elements are read, and how each is.
BYTE = "(unsigned char)@[i]"
INSIDE = "((const unsigned char *)@)[i]"
TABLES = (
    ("const unsigned char @[256]", octal(bytes(range(256))), 256, BYTE),
    (f"const unsigned char @[{len(PAIRS)}]", octal(PAIRS), len(PAIRS), BYTE),
    (f"const unsigned char @[{len(SINGLES)}]", octal(SINGLES), len(SINGLES), BYTE),
    ("const char @[]", r'"\\fD\\\\5c\"\\"', 9, BYTE),
    ("const char @[]", r'"a\0\\0b\0\0\\00\0"', 12, BYTE),
    ("const char @[40]", r'"ab\\fD\0q"', 40, BYTE),
    ("const char @[7]", r'"abc\\41f"', 7, BYTE),
    ("const unsigned char @[]", '"latin \udce9\udcff\\\\fD"', 12, BYTE),
    ("const wchar_t @[9]", r'L"\\fD\u20ac\U0001F600\0z"', 9, "(uint32_t)@[i]"),
    ("const uint_least16_t @[9]", r'u"\\fD\u20ac\U0001F600\0z"', 9, "@[i]"),
    ("const uint_least32_t @[9]", r'U"\\fD\u20ac\U0001F600\0z"', 9, "@[i]"),
    (
        "const struct { uint8_t tag; char name[5]; uint16_t n; } @[4]",
        r'{{1, "\\fD", 0x5c5c}, {0x5c, "\\", 2}, {3, "\\\\5CE", 0xfffe}}',
        32,
        INSIDE,
    ),
    (
        "const struct { char b; struct { char s[2][3]; int k; } in[2]; } @[2]",
        r'{{1, {{{"\\a", "\\5"}, 7}}}, {92, {{{""}, 8}, {{"\0\\", "b\\"}, 9}}}}',
        56,
        INSIDE,
    ),
    ("const char @[3][4]", r'{"\\fD", "\\", "\\5c\\"}', 12, "(unsigned char)@[i / 4][i % 4]"),
    (
        "const char *const @[3]",
        r'{"\\fD..", "\\5c\\5C", "\\\\\\\\\\"}',
        18,
        "(unsigned char)@[i / 6][i % 6]",
    ),
    (
        "const union { float f; uint32_t u; } @[6]",
        "{{1.5f}, {0.1f}, {-0.0f}, {1e-42f}, {.u = 7}, {3.4e38f}}",
        6,
        "@[i].u",
    ),
    (  # the padding is left out
        "const struct { double d; uint16_t n; long double e; } @[2]",
        "{{0.1, 92, 0.3L}, {-1e300, 1, 1}}",
        40,
        "((const unsigned char *)@)[i / 20 * 32 + i % 20 + (i % 20 < 10 ? 0 : 6)]",
    ),
)


def program() -> tuple[str, list[int]]:
    """Give a program that reads the tables, and how many elements each has."""
    head = ["#include <stdint.h>\n#include <wchar.h>\n"]
    cases = []
    for number, (declaration, text, _, element) in enumerate(TABLES):
        head.append(f"static {declaration} = {text};\n".replace("@", f"t{number}"))
        cases.append(f"    case {number}: return {element};\n".replace("@", f"t{number}"))
    counts = [count for _, _, count, _ in TABLES]
    body = ["uint32_t f(uint32_t which, uint32_t i) {\n  switch (which) {\n", *cases]
    body.append("    default: return 0;\n  }\n}\n")
    body.append(
        f"static const uint32_t counts[] = {{{', '.join(map(str, counts))}}};\n"
        "int main(void) {\n"
        f"  for (uint32_t w = 0; w < {len(counts)}; w++)\n"
        "    for (uint32_t i = 0; i < counts[w]; i++) f(w, i);\n  return 0;\n}\n"
    )
    return "".join(head + body), counts


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "tables.c"
    path.write_text(program()[0], errors="surrogateescape")
    return path


def test_tables_are_the_same_natively_and_in_the_interpreter(
    source: Path, native: Callable[[str], ctypes.CDLL], tmp_path: Path
) -> None:
    compiled = hls.compile(Options(sources=(source,), top="f"))
    machine = Machine(compiled.module)
    library = native(f'#include "{source}"\n')
    library.f.restype = ctypes.c_uint32
    for which, count in enumerate(program()[1]):
        wanted = [library.f(which, i) for i in range(count)]
        got = [machine.call({"which": which, "i": i}).value for i in range(count)]
        assert got == wanted, TABLES[which][:2]
        assert len(set(wanted)) > 2, "a table that is all alike shows nothing"


def test_tables_are_the_same_in_hardware(source: Path, tmp_path: Path) -> None:
    options = Options(sources=(source,), top="f", target="ecp5")
    compiled = hls.compile(options)
    assert {m.kind for m in compiled.module.memories.values()} >= {"rom", "lutrom"}
    result = cosim.run(options, compiled, tmp_path)
    result.check()
    assert result.calls == sum(program()[1])


def test_strings_of_cxx_are_as_written(compile_c: Callable[..., Compiled]) -> None:
    text = (
        r'static const char raw[] = R"x(\fD\\5c"\)x";'
        "\n"
        r'static constexpr char16_t wide[] = u"\\fD";'
        "\n"
        "int f(int i) { return i < 16 ? (unsigned char)raw[i] : wide[i - 16]; }\n"
    )
    machine = Machine(compile_c(text, name="t.cpp").module)
    assert bytes(machine.call({"i": i}).value or 0 for i in range(9)) == rb'\fD\\5c"' + b"\\"
    assert [machine.call({"i": 16 + i}).value for i in range(4)] == [*b"\\fD", 0]


def test_names_may_have_any_letters(compile_c: Callable[..., Compiled]) -> None:
    count, other, size, label = "\u03bb", "\xfcbung", "gr\xf6\xdfe", "stra\xdfe"
    text = (
        "static int z\xe4hler[8] = {1, 2, 3};\n"
        f"__attribute__((noinline)) static int {size}(int n) {{ return z\xe4hler[n & 7]++ * 3; }}\n"
        f"int f(int {count}, int {other}[4]) {{\n"
        f"{label}:\n  for (int i = 0; i < {count}; i++) {other}[i & 3] += {size}(i);\n"
        f"  return {size}({count}) + {size}({count} + 1);\n}}\n"
    )
    compiled = compile_c(text)
    face = compiled.interface
    assert [item.name for item in (*face.scalars, *face.arrays)] == [count, other]
    assert [loop.name for loop in compiled.report.functions[0].loops] == [label]
    code = [line.partition("//")[0] for line in compiled.verilog.split("\n")]
    assert "".join(code).isascii()
    result = Machine(compiled.module).call({count: 2}, {face.arrays[0].port: bytes(16)})
    assert result.value == 9
