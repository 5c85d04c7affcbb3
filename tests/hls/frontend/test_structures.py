# SPDX-License-Identifier: Apache-2.0
"""Structures that are taken apart into a memory for each field, and those that stay whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lydite.hls import Compiled

CompileC = Callable[..., Compiled]

HEAD = """
typedef unsigned u32;
#define OFF _Pragma("HLS inline off")
struct s { u32 a[64]; u32 b[64]; u32 at; };
struct outer { struct s in; u32 c[64]; };
static u32 walk(struct s *s, u32 n) { OFF
  for (u32 i = 0; i < 64; i++) s->a[i] += s->b[(i + n) & 63] + s->at++;
  return s->a[n & 63];
}
static void copy(struct s *to, const struct s *from) { OFF *to = *from; }
static u32 bytes(const unsigned char *p, u32 n) { OFF
  u32 x = 0;
  for (u32 i = 0; i < n; i++) x = x * 3 + p[i];
  return x;
}
static u32 through(void *p, u32 n) { return walk((struct s *)p, n); }
"""
SET = "for (u32 i = 0; i < 64; i++) { s.a[i] = i * n; s.b[i] = i + n; }"
APART = {
    "locally": (f"struct s s; {SET} return s.a[n & 63] + s.b[n >> 6 & 63];", {"s_a", "s_b"}),
    "in calls": (
        f"struct s s = {{0}}; {SET} return walk(&s, n) + walk(&s, n + 1);",
        {"s_a", "s_b", "s_at"},
    ),
    "in a structure": (
        f"struct outer o; {SET.replace('s.', 'o.in.')} for (u32 i = 0; i < 64; i++) o.c[i] = i ^ n;"
        " o.in.at = n; return walk(&o.in, n) + o.c[n & 63];",
        {"o_in_a", "o_in_b", "o_in_at", "o_c"},
    ),
    "copied": (
        f"struct s s = {{0}}, t; {SET} copy(&t, &s); return walk(&t, n) + s.b[n & 63];",
        {"s_a", "s_b", "s_at", "t_a", "t_b", "t_at"},
    ),
    "in an array": (
        "struct { u32 k[16]; u32 v[4]; } s[8];"
        " for (u32 i = 0; i < 128; i++) { s[i & 7].k[i >> 3] = i * n; s[i & 7].v[i >> 3 & 3] = i; }"
        " return s[n & 7].k[n >> 3 & 15] + s[n >> 7 & 7].v[n & 3];",
        {"s_k", "s_v"},
    ),
}
WHOLE = {
    "seen as bytes": f"struct s s; {SET} s.at = n; return bytes((unsigned char *)&s, sizeof s);",
    "one of two": f"struct s s, t; {SET} t = s; t.at = 1; struct s *p = n & 1 ? &s : &t;"
    " p->a[n & 63]++; return s.a[n >> 6 & 63] + t.a[n & 63] + t.at;",
    "kept": f"struct s s; {SET} s.at = 0; struct s *volatile p = &s; return p->a[n & 63] + s.at;",
    "told by a directive": f"struct s s;\n#pragma HLS bind_storage variable=s type=ram_2p\n{SET}"
    " return s.a[n & 63] + s.b[n >> 6 & 63];",
}


def memories(compile_c: CompileC, body: str) -> set[str]:
    """Give the memories of a function with such a body; tables apart."""
    compiled = compile_c(f"{HEAD}u32 f(u32 n) {{ {body} }}")
    return {one.name for one in compiled.report.memories}


@pytest.mark.parametrize("name", APART)
def test_structure_is_taken_apart(name: str, compile_c: CompileC) -> None:
    body, wanted = APART[name]
    assert memories(compile_c, body) == wanted


@pytest.mark.parametrize("name", WHOLE)
def test_structure_stays_whole(name: str, compile_c: CompileC) -> None:
    found = memories(compile_c, WHOLE[name])
    assert "s" in found
    assert not {one for one in found if one.startswith("s_")}


def test_pragma_cuts_the_array_in_a_structure(compile_c: CompileC) -> None:
    text = """
    typedef struct { int c[16]; } poly;
    typedef struct { poly vec[4]; } polyvec;
    int f(int n) {
      polyvec v;
    #pragma HLS array_partition variable=v dim=1 complete
      for (int i = 0; i < 64; i++) v.vec[i >> 4].c[i & 15] = i * n;
      return v.vec[n & 3].c[n >> 2 & 15];
    }
    """
    compiled = compile_c(text)
    assert {one.name for one in compiled.report.memories} == {"v_0", "v_1", "v_2", "v_3"}
    assert not compiled.warnings
