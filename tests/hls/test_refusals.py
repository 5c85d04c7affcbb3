# SPDX-License-Identifier: Apache-2.0
"""What cannot become hardware is refused with file, line, reason and remedy: the whole texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite import hls
from lydite.base import InputError
from lydite.hls import Compiled, Options

CASES = {
    "recursion": (
        "int g(int);\n"
        "__attribute__((noinline)) int h(int n) { return n > 5 ? g(n - 2) + 1 : n; }\n"
        "__attribute__((noinline)) int g(int n) { return n < 2 ? n : h(n - 1) * 3 + h(n); }\n"
        "int f(int n) { return g(n); }\n",
        "t.c:2: recursion: g -> h -> g\n"
        "  write it as a loop, with a stack in an array where one is needed",
    ),
    "malloc": (
        "#include <stdlib.h>\n"
        "int f(int n) {\n"
        "  int *p = malloc(n * sizeof(int)), s = 0;\n"
        "  for (int i = 0; i < n; i++) p[i] = i;\n"
        "  for (int i = 0; i < n; i++) s += p[n - 1 - i] * i;\n"
        "  return s;\n"
        "}\n",
        "t.c:3: dynamic memory (malloc)\n  use a static array of the largest size",
    ),
    "floating point": (
        "int f(int n) {\n  float x = n;\n  x = x * 1.5f;\n  return x;\n}\n",
        "t.c:2: floating point (float)\n"
        "  use integers, or compile a soft-float library in C into the program",
    ),
    "function pointer argument": (
        "int f(int (*p)(int), int x) { return p(x); }\n",
        "t.c:1: a call through a function pointer that does not resolve\n"
        "  call the function by name, or keep the pointer in a table that is known",
    ),
    "pointer without a size": (
        "int f(const int *p, int n) {\n"
        "  int s = 0;\n  for (int i = 0; i < n; i++) s += p[i];\n  return s;\n}\n",
        "t.c:1: the size of argument p is unknown (const int *p)\n"
        "  declare it as an array, const int p[N], "
        "or give the number of elements: --depth p=N, "
        "or #pragma HLS interface ap_memory port=p depth=N",
    ),
    "pointer to rows without a size": (
        "int f(const int (*m)[4], int n) { return m[n][1]; }\n",
        "t.c:1: the size of argument m is unknown (const int (*m)[4])\n"
        "  declare it as an array, const int m[N][4], "
        "or give the number of rows: --depth m=N, "
        "or #pragma HLS interface ap_memory port=m depth=N",
    ),
    "header of Vitis HLS": (
        '#include "ap_int.h"\nint f(int x) { return x; }\n',
        "t.c:1: clang: 'ap_int.h' file not found\n"
        "  integers of any width are C23's _BitInt(N), in C++, too",
    ),
    "variable length array": (
        "int f(int n) {\n  int a[n], s = 0;\n"
        "  for (int i = 0; i < n; i++) a[i] = i * n;\n"
        "  for (int i = 0; i < n; i++) s ^= a[n - 1 - i];\n  return s;\n}\n",
        "t.c:2: an array whose length is known only at run time\n"
        "  give it the largest length that is needed",
    ),
    "missing function": (
        "int g(int);\nint f(int n) { return g(n) + 1; }\n",
        "t.c:2: the program calls g, which it does not define\n  add the file that defines it",
    ),
    "missing function called in both branches": (
        "int g(int);\nint f(int n) {\n  int s;\n  if (n > 3) {\n    s = g(n);\n  } else {\n"
        "    s = g(n + 7);\n  }\n  return s;\n}\n",
        "t.c:5: the program calls g, which it does not define\n  add the file that defines it",
    ),
    "too large an array": (
        "static char a[1ull << 33];\nint f(long n) {\n  a[n] = n;\n  return a[n + 1];\n}\n",
        "t.c:1: a has 8589934592 bytes, more than the 67108864 that a memory may\n"
        "  make it smaller: hardware would have to hold all of it",
    ),
    "missing variable": (
        "extern int g;\nint f(int n) { return g + n; }\n",
        "t.c:2: the program uses g, which it does not define\n  add the file that defines it",
    ),
    "fixed address": (
        "int f(int n) {\n  return *(volatile int *)0x1000 + n;\n}\n",
        "t.c:2: access to the fixed address 0x1000, where no object is\n"
        "  make the object an array, or an argument of the top function",
    ),
    "variable arguments": (
        "#include <stdarg.h>\n"
        "__attribute__((noinline)) int s(int n, ...) {\n"
        "  va_list a;\n  int t = 0;\n  va_start(a, n);\n"
        "  while (n--) t += va_arg(a, int);\n  va_end(a);\n  return t;\n}\n"
        "int f(int x) { return s(2, x, x + 1); }\n",
        "t.c:2: s takes a variable argument list",
    ),
    "assembler": (
        'int f(int n) {\n  __asm__ volatile("bswap %0" : "+r"(n));\n  return n;\n}\n',
        't.c:2: inline assembler: "bswap $0"\n'
        "  write it in C, or take the C that most programs have beside it: try -U__x86_64__",
    ),
    "computed goto": (
        "int f(int n) {\n  static void *t[] = {&&a, &&b};\n  goto *t[n & 1];\n"
        "a:\n  return 1;\nb:\n  return 2;\n}\n",
        "t.c:1: a computed goto\n  use switch: it becomes the same hardware",
    ),
    "structure by value": (
        "struct s { int a, b; };\nint f(struct s x) { return x.a + x.b; }\n",
        "t.c:2: argument x is a structure by value\n  pass a pointer to it",
    ),
    "pointer to pointer": (
        "int f(int **p) { return **p; }\n",
        "t.c:1: argument p points to int *\n  use integers",
    ),
    "input": (
        '#include <stdio.h>\nint f(int n) {\n  int x;\n  scanf("%d", &x);\n  return n + x;\n}\n',
        "t.c:4: input and files (scanf)\n"
        "  read in main, the testbench, and pass what was read as an argument",
    ),
    "setjmp": (
        "#include <setjmp.h>\nstatic jmp_buf j;\n"
        "int f(int n) {\n  if (setjmp(j)) return 1;\n  if (n > 3) longjmp(j, 1);\n  return n;\n}\n",
        "t.c:4: a jump out of functions (setjmp)\n"
        "  return a code that says why, and look at it where the call is",
    ),
    "long double": (
        "int f(int n) {\n  long double x = n;\n  x *= 1.5L;\n  return (int)x;\n}\n",
        "t.c:2: floating point (long double)\n"
        "  use integers, or compile a soft-float library in C into the program",
    ),
    "random numbers": (
        "#include <stdlib.h>\nint f(int n) { return rand() + n; }\n",
        "t.c:2: random numbers of the C library (rand)\n"
        "  write the generator, a shift register for one, or pass the numbers as an argument",
    ),
    "sort of the C library": (
        "#include <stdlib.h>\nint less(const void *a, const void *b) { return a < b; }\n"
        "int f(int a[8]) {\n  qsort(a, 8, 4, less);\n  return a[0];\n}\n",
        "t.c:4: a call back through a pointer, inside the C library (qsort)\n"
        "  write the loop: a sort of a few lines with the comparison in it",
    ),
    "thread": (
        "#include <pthread.h>\nstatic void *t(void *p) { return p; }\n"
        "int f(int n) {\n  pthread_t x;\n  return pthread_create(&x, 0, t, 0);\n}\n",
        "t.c:5: the program calls pthread_create: a thread\n  hardware runs one thread: call it",
    ),
    "exit far from the top": (
        "#include <stdlib.h>\n"
        "__attribute__((noinline)) static int g(int n) {\n"
        "  if (n > 3) exit(5);\n  return n * n;\n}\n"
        "int f(int n) { return g(n) + g(n + 1); }\n",
        "t.c:3: exit is called in a function that is not inlined into the top one\n"
        "  return an error code instead",
    ),
    "no such top": (
        "int g(int n) { return n; }\n",
        "t.c: no definition of the top function f\n  check the name given as --top",
    ),
    "syntax error": ("int f(int n) { return n + ; }\n", "t.c:1: clang: expected expression"),
    "syntax errors": (
        "int f(int n) {\n  return n + x;\n}\nint g(void) { return y; }\n",
        "t.c:2: clang: use of undeclared identifier 'x'\n  and 1 more errors",
    ),
    "atomic": (
        "#include <stdatomic.h>\natomic_int x;\nint f(int n) { return atomic_fetch_add(&x, n); }\n",
        "t.c:3: an atomic operation\n  hardware runs one thread: use a plain one",
    ),
    "vector": (
        "typedef int v4 __attribute__((vector_size(16)));\n"
        "v4 g;\nint f(int n) {\n  g += n;\n  return g[n & 3];\n}\n",
        "t.c:4: a vector\n  use an array and a loop",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_refusal_says_where_what_and_what_to_do(
    name: str, compile_c: Callable[..., Compiled], tmp_path: Path
) -> None:
    text, message = CASES[name]
    with pytest.raises(InputError) as caught:
        compile_c(text)
    shown = re.sub(r"\S*/(?=t\.c)", "", str(caught.value))
    assert shown == message


def test_unknown_depth_is_refused(compile_c: Callable[..., Compiled]) -> None:
    with pytest.raises(InputError) as caught:
        compile_c("int f(int n) { return n; }\n", depths=(("buf", 3),))
    assert str(caught.value) == "--depth: f has no argument buf"


def test_unknown_target_is_refused(compile_c: Callable[..., Compiled]) -> None:
    with pytest.raises(InputError) as caught:
        compile_c("int f(int n) { return n; }\n", target="virtex2")
    assert str(caught.value) == "--target: unknown target virtex2\n  known: ecp5, ice40, nexus"


def test_unknown_pass_is_refused(compile_c: Callable[..., Compiled]) -> None:
    with pytest.raises(InputError) as caught:
        compile_c("int f(int n) { return n; }\n", dump_after=("fold",))
    assert str(caught.value) == (
        "--dump-after: unknown pass fold\n"
        "  known: ahead, all, balance, carried, cfg, clean, divide, exclusive, forward, hoist, "
        "ifconvert, import, linear, memories, multiply, narrow, partition, past, predicate, signs"
    )


def test_top_named_like_a_word_of_verilog_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "t.c"
    source.write_text("int output(int n) { return n; }\n")
    with pytest.raises(InputError) as caught:
        hls.compile(Options(sources=(source,), top="output"))
    assert str(caught.value) == "--top: output is a word of Verilog\n  rename the function"


CXX_CASES = {
    "std::sort": (
        "#include <algorithm>\nint f(int (&a)[16]) {\n  std::sort(a, a + 16);\n  return a[3];\n}\n",
        "t.cpp:3: the program calls std::__sort: of the C++ library, which is no source\n"
        "  write it as a loop over an array",
    ),
    "a member that is nowhere": (
        "namespace a { struct S { int g(int x) const; }; }\n"
        "int f(int n) {\n  a::S s;\n  return s.g(n);\n}\n",
        "t.cpp:4: the program calls a::S::g, which it does not define\n"
        "  add the file that defines it",
    ),
    "std::vector": (
        "#include <vector>\n"
        "int f(int n) {\n  std::vector<int> v;\n  v.push_back(n);\n  return v[0];\n}\n",
        "t.cpp:4: dynamic memory (operator new)\n  use a static array of the largest size",
    ),
}


@pytest.mark.parametrize("name", CXX_CASES)
def test_refusal_of_cxx_names_what_the_source_has(
    name: str, compile_c: Callable[..., Compiled]
) -> None:
    text, message = CXX_CASES[name]
    with pytest.raises(InputError) as caught:
        compile_c(text, name="t.cpp")
    assert re.sub(r"\S*/(?=t\.cpp)", "", str(caught.value)) == message
