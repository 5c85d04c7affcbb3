# SPDX-License-Identifier: Apache-2.0
"""Functions of Dilithium's variant for AVX2 beside those of the readable C: at the ends of ranges,
which known answers seldom reach; and a fault in each is seen.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import sw as support
from dilithium import wrong_answers

from lydite.cores import catalog
from lydite.cores.dilithium import spec

FOLDER = catalog.FOLDER / "dilithium"
CPU = ("avx2", "bmi2", "popcnt")

HARNESS = r"""
#include <stdio.h>
#include <stdlib.h>

#include "dilithium/sw/avx2.c"

#define TRIES 64

static uint64_t seed = 1;

// A number below a bound (Knuth's constants).
static int32_t below(uint32_t bound) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int32_t)((seed >> 33) % bound);
}

static void same(const char *what, const void *found, const void *wanted, size_t bytes) {
  if (memcmp(found, wanted, bytes) == 0) return;
  puts(what);
  exit(1);
}

static void freeze_all(int32_t out[N], const int32_t in[N]) {
  for (unsigned i = 0; i < N; i++) out[i] = freeze(in[i] % Q);
}

// A coefficient in (-q, q), in every second try at one end or the other.
static int32_t any(unsigned try) {
  return try % 2 == 0 ? (below(2) ? Q - 1 : 1 - Q) : below(2 * Q - 1) - (Q - 1);
}

// A polynomial as one of a vector whose others are zero, and back.
static void spread(int32_t out[N][L], const int32_t in[N], unsigned k) {
  memset(out, 0, N * sizeof out[0]);
  for (unsigned i = 0; i < N; i++) out[i][k] = in[i];
}

static void pick(int32_t out[N], int32_t in[N][L], unsigned k) {
  for (unsigned i = 0; i < N; i++) out[i] = in[i][k];
}

static void ntt_of(int32_t a[N], unsigned k) {
  int32_t all[N][L];
  spread(all, a, k);
  ntt(all);
  pick(a, all, k);
}

static void inverse_ntt_of(int32_t a[N], unsigned k) {
  int32_t all[N][L];
  spread(all, a, k);
  inverse_ntt(all);
  pick(a, all, k);
}

static void transforms(unsigned try) {
  VECTORS in[N], found[N], wanted[N];
  for (unsigned i = 0; i < N; i++) in[i] = try == 0 ? Q - 1 : any(try);
  memcpy(wanted, in, sizeof in);
  ntt_of(wanted, try % L);
  order_x8(wanted, wanted);
  ntt_x8(found, in);
  same("ntt_x8", found, wanted, sizeof found);

  // Times 2^32 / 2^32: what c/ntt.h gives after a product with SCALE.
  order_x8(found, in);
  for (unsigned i = 0; i < N; i++) wanted[i] = product(SCALE, in[i]);
  inverse_ntt_of(wanted, try % L);
  inverse_ntt_x8(found);
  for (unsigned i = 0; i < N; i++) {
    if (found[i] <= -Q || found[i] >= Q) same("range of inverse_ntt_x8", "a", "b", 1);
  }
  freeze_all(found, found);
  freeze_all(wanted, wanted);
  same("inverse_ntt_x8", found, wanted, sizeof found);
}

static void products(unsigned try) {
  VECTORS a[L + 1][N], b[L + 1][N], found[N], wanted[N];
  for (unsigned i = 0; i < N; i++) {
    int64_t sum = 0;
    for (unsigned k = 0; k < L + 1; k++) {
      a[k][i] = (k < L ? 1 : 8) * any(try);
      b[k][i] = 8 * any(try);
      sum += (int64_t)a[k][i] * b[k][i];
    }
    wanted[i] = montgomery_reduce(sum);
  }
  dot_x8(found, a[0], b[0], L + 1);
  same("dot_x8", found, wanted, sizeof found);
}

static void sampling(unsigned try) {
  VECTORS found[4][N], wanted[N];
  int32_t all[N][L];
  uint8_t from[64];
  uint64_t state[LANES], words[8], masks[L * POLY_WORDS(Z_BITS)];
  for (unsigned i = 0; i < sizeof from; i++) from[i] = (uint8_t)below(256);
  for (unsigned i = 0; i < 8; i++) words[i] = load64_le(from + 8 * i);
  expand_row_x4(found, from, try % K);
  expand_row(all, state, words, try % K);
  for (unsigned k = 0; k < L; k++) {
    pick(wanted, all, k);
    order_x8(wanted, wanted);
    same("expand_row_x4", found[k], wanted, sizeof wanted);
  }
  uniform_eta_x4(found, from, try);
  for (unsigned k = 0; k < 4; k++) {
    poly_uniform_eta(all, k, state, words, try + k);
    pick(wanted, all, k);
    same("uniform_eta_x4", found[k], wanted, sizeof wanted);
  }
  uniform_gamma1_x4(found, from, 1000 * try);
  for (unsigned k = 0; k < 4; k++) {
    expand_mask(masks + POLY_WORDS(Z_BITS) * k, state, words, 1000 * try + k);
  }
  bit_unpack(all, masks, Z_BITS, GAMMA1);
  for (unsigned k = 0; k < 4; k++) {
    pick(wanted, all, k);
    same("uniform_gamma1_x4", found[k], wanted, sizeof wanted);
  }
}

// Blocks in which most candidates are wrong: the hash gives none of these.
static void rejection(unsigned try) {
  uint8_t block[BLOCK_SPACE(SHAKE128_BYTES)] = {0}, halves[2 * SHAKE256_BYTES + 8];
  int32_t found[SHAKE128_BYTES / 3 + 8];
  for (unsigned i = 0; i < SHAKE128_BYTES; i++) block[i] = (uint8_t)(below(4) ? 255 : below(256));
  if (try == 0) memcpy(block, "\x00\xe0\x7f\x01\xe0\xff\xff\xdf\x7f", 9);  // q - 1 + 0, 1, -1
  unsigned count = take_uniform(found, 0, block), at = 0;
  for (unsigned i = 0; i < SHAKE128_BYTES; i += 3) {
    const int32_t one = (block[i] | block[i + 1] << 8 | block[i + 2] << 16) & 0x7fffff;
    if (one >= Q) continue;
    if (at == count || found[at] != one) same("take_uniform", "a", "b", 1);
    at++;
  }
  if (at != count) same("count of take_uniform", "a", "b", 1);
  count = take_halves(halves, 0, block);
  at = 0;
  for (unsigned i = 0; i < 2 * SHAKE256_BYTES; i++) {
    const uint8_t half = block[i / 2] >> 4 * (i % 2) & 15;
    if (half == 15) continue;
    if (at == count || halves[at] != half) same("take_halves", "a", "b", 1);
    at++;
  }
  if (at != count) same("count of take_halves", "a", "b", 1);
}

#define PACKED(bits, top, k)                                                              \
  do {                                                                                    \
    for (unsigned i = 0; i < N; i++) a[i] = (top) - (below(2) ? below(1 << (bits)) : 0);  \
    if ((top) == 0) for (unsigned i = 0; i < N; i++) a[i] = -a[i];                        \
    spread(all, a, k);                                                                    \
    bit_pack(words, all, bits, top);                                                      \
    pack_words(found, a, bits, top);                                                      \
    same("pack_words " #bits, found, words + POLY_WORDS(bits) * k, POLY_BYTES(bits));     \
    unpack_x8(back, found, bits, top);                                                    \
    same("unpack_x8 " #bits, back, a, sizeof a);                                          \
    bit_unpack(all, words, bits, top);                                                    \
    pick(back, all, k);                                                                   \
    same("bit_unpack " #bits, back, a, sizeof a);                                         \
  } while (0)

static void packing(void) {
  VECTORS a[N], back[N];
  int32_t all[N][L];
  uint8_t found[POLY_BYTES(Z_BITS) + 16] = {0};
  uint64_t words[L * POLY_WORDS(Z_BITS)];
  PACKED(3, 2, 0);
  PACKED(13, 4096, 1);
  PACKED(18, 131072, 2);
  PACKED(10, 0, 3);
  PACKED(6, 0, 0);
}

// A coefficient of w around a bound of high and low bits.
static int32_t edge(void) {
  const int32_t place = below(45) * 2 * GAMMA2 + (below(3) - 1) * (GAMMA2 - below(2) * BETA);
  return freeze((place + below(9) - 4 + Q) % Q);
}

// Bounds and hints, with 1 for the challenge, so that errors and t0 are what they are.
static void bounds(unsigned try) {
  VECTORS one[N] = {1}, one_x8[N], s[N], s_x8[N], t0[N], t0_x8[N], w[N], high[N], low[N];
  VECTORS y[N], z[N], z_x8[N];
  uint8_t found[OMEGA] = {0}, wanted[OMEGA + K];
  // The readable functions take a challenge that is transformed, and so do these.
  ntt_x8(one_x8, one);
  for (unsigned i = 0; i < N; i++) {
    w[i] = try % 4 == 0 ? edge() : below(Q);
    s[i] = below(2 * BETA + 1) - BETA;
    high[i] = decompose(&low[i], w[i]);
    // Most errors keep the low part in its range, so that hints are asked for.
    if (try % 8 != 0) {
      const int32_t size = GAMMA2 - BETA - 1;
      s[i] = low[i] > size ? BETA : low[i] < -size ? -BETA : 0;
      if (low[i] - s[i] > size || low[i] - s[i] < -size) w[i] = high[i] = low[i] = s[i] = 0;
    }
    // Most sums stay, some reach the end of the range, and few leave it.
    const int32_t moved = low[i] - s[i], end = moved < 0 ? -GAMMA2 : GAMMA2;
    t0[i] = below(4) ? 0 : end - moved + below(3) - (moved < 0 ? 0 : 2);
    if (t0[i] > GAMMA2 || t0[i] < -GAMMA2) t0[i] = 0;
    y[i] = below(2 * GAMMA1) - GAMMA1 + 1;
    if (try % 3) y[i] = below(2) ? GAMMA1 - BETA - s[i] - 1 : -(GAMMA1 - BETA) - s[i] + 1;
    if (try % 3 == 2 && i == try) y[i] += y[i] > 0 ? 1 : -1;
  }
  if (try % 7 == 3) {  // one low part is just too large
    w[try] = low[try] = GAMMA2 - BETA;
    high[try] = s[try] = t0[try] = 0;
  }
  if (try % 5 == 1) t0[try] = try % 2 ? GAMMA2 : -GAMMA2;
  ntt_x8(s_x8, s);
  ntt_x8(t0_x8, t0);
  // Polynomial 0 has so many hints, and polynomial 1 is what is compared.
  const unsigned before = OMEGA - (unsigned)below(20);
  int32_t c_all[N][L], s_all[N][L], t0_all[N][L], w_all[N][L], z_all[N][L], scratch[N][L];
  for (unsigned k = 0; k < L; k++) c_all[0][k] = CHALLENGE;
  for (unsigned i = 1; i < N; i++) memset(c_all[i], 0, sizeof c_all[i]);
  spread(s_all, s, 1);
  spread(t0_all, t0, 1);
  spread(w_all, w, 1);
  spread(z_all, y, 1);
  for (unsigned i = 0; i < before; i++) {
    w_all[i][0] = GAMMA2 - BETA - 1;
    t0_all[i][0] = 2 * BETA;
  }
  ntt(c_all);
  ntt(s_all);
  ntt(t0_all);
  const uint32_t right = masked_secret(z_all, scratch, c_all, s_all);
  if (masked_secret_x8(z_x8, y, one_x8, s_x8) != right) same("masked_secret_x8", "a", "b", 1);
  pick(z, z_all, 1);
  same("z", z_x8, z, sizeof z);
  const uint32_t wrong = subtract_error(w_all, scratch, c_all, s_all);
  if (subtract_error_x8(low, one_x8, s_x8) != wrong) same("subtract_error_x8", "a", "b", 1);
  if (wrong) return;
  const bool many = give_hints(wanted, w_all, scratch, c_all, t0_all);
  const unsigned count = many ? OMEGA + 1 : wanted[OMEGA + 1];
  const unsigned here = give_hints_x8(found, before, high, low, one_x8, t0_x8);
  if (here != count) same("count of hints", "a", "b", 1);
  if (!many) same("give_hints_x8", found + before, wanted + before, OMEGA - before);
  printf("%u ", count);
}

static void hashes(void) {
  static uint8_t in[700];
  uint8_t found[SHAKE256_BYTES];
  uint64_t state[LANES], wanted[SHAKE256_RATE];
  for (unsigned i = 0; i < sizeof in; i++) in[i] = (uint8_t)below(256);
  for (unsigned length = 0; length < 420; length++) {
    const unsigned cut = (unsigned)below(length + 1);
    const part parts[3] = {{in, cut}, {in + cut, 0}, {in + cut, length - cut}};
    hash_parts(found, 1 + length % SHAKE256_BYTES, parts, 3);
    unsigned at = 0;
    shake_begin(state);
    for (unsigned i = 0; i < length;) {
      const unsigned some = least(length - i, 1 + (unsigned)below(8));
      uint64_t word = 0;
      memcpy(&word, in + i, some);
      at = shake_bytes(state, at, word, some);
      i += some;
    }
    hash_end(wanted, SHAKE256_RATE, state, at);
    same("hash_parts", found, wanted, 1 + length % SHAKE256_BYTES);
  }
}

int main(void) {
  for (unsigned try = 0; try < TRIES; try++) {
    transforms(try);
    products(try);
    if (try < 8) sampling(try);
    rejection(try);
    packing();
    bounds(try);
  }
  hashes();
  return 0;
}
"""

# Function: file, what stands there, what stands there instead.
MUTANTS = {
    "ntt_x8": (
        "avx2_ntt.h",
        "&a, &b, factor_constant(zetas[2])",
        "&a, &b, factor_constant(zetas[3])",
    ),
    "inverse_ntt_x8": ("avx2_ntt.h", "6 - (unsigned)i)", "5 - (unsigned)i)"),
    "order_x8": ("avx2_ntt.h", "in + block + 8 * i", "in + block + 8 * (i ^ 1)"),
    "expand_row_x4": ("avx2_poly.h", "row << 8 | 3}", "row << 8 | 2}"),
    "shake_block_x4": (
        "avx2_shake.h",
        "v[k], v[k + 1]);\n      pair[k + 1]",
        "v[k + 1], v[k]);\n      pair[k + 1]",
    ),
    "shake256_block": ("avx2_shake.h", "state[i] ^= load64_le(b", "state[i] = load64_le(b"),
    "times_challenge": ("avx2.c", "dot_x8(out, c, s, 1)", "dot_x8(out, s, s, 1)"),
    "product_x8": ("avx2_ntt.h", "a_odd, b.odd_low", "a_odd, b.even_low"),
    "butterfly": ("avx2_ntt.h", "*b = _mm256_sub_epi32(*a, t)", "*b = _mm256_sub_epi32(t, *a)"),
    "butterfly_back": ("avx2_ntt.h", "_mm256_sub_epi32(*b, *a)", "_mm256_sub_epi32(*a, *b)"),
    "inner_root_back": ("avx2_ntt.h", "7, 6, 5, 4, 3, 2, 1, 0", "7, 6, 5, 4, 3, 2, 0, 1"),
    "roots": ("avx2_roots.h", "-1846138265", "-1846138264"),
    "dot_x8": ("avx2_ntt.h", "odd_lanes(x), odd_lanes(y)", "odd_lanes(x), y"),
    "take_uniform": ("avx2_poly.h", "32(Q), found", "32(Q + 1), found"),
    "take_halves": ("avx2_poly.h", "8 - (unsigned)_mm_popcnt_u64(wrong)", "8"),
    "uniform_eta_x4": ("avx2_poly.h", "_mm_setr_epi8(2, 1, 0,", "_mm_setr_epi8(2, 1, 1,"),
    "uniform_gamma1_x4": ("avx2_poly.h", "i < 5; i++", "i < 4; i++"),
    "shake_begin_x4": ("avx2_shake.h", "0x1f << 16", "0x1f << 8"),
    "keccak_x1": ("avx2_shake.h", "((a) ^ (~(b) & (c)))", "((a) ^ ((b) & ~(c)))"),
    "hash_parts": ("avx2_shake.h", "block[at] = 0x1f", "block[at] = 0x06"),
    "unpack_x8": ("avx2_poly.h", "(bits * (i) % 8)", "(bits * (i) % 4)"),
    "pack_words": ("avx2_poly.h", "value >> (bits - have)", "0"),
    "subtract_error_x8": ("avx2.c", "exceeds(low[i], GAMMA2 - BETA)", "exceeds(low[i], GAMMA2)"),
    "masked_secret_x8": ("avx2.c", "GAMMA1 - BETA);\n  }\n  return", "GAMMA1);\n  }\n  return"),
    "lower end": ("avx2.c", "& (high[i] != 0)", "& 1"),
    "upper end": ("avx2.c", "(moved > GAMMA2)", "(moved >= GAMMA2)"),
    "size of c t0": ("avx2.c", "exceeds(value, GAMMA2)", "exceeds(value, GAMMA2 + 1)"),
    "number of hints": ("avx2.c", "count == OMEGA", "count == OMEGA - 1"),
}
# Those that known answers see, and the harness does not call.
WHOLE_MUTANTS = {
    "representative": ("avx2.c", "parts[2] = {{tr, TR_BYTES}, m", "parts[2] = {{tr, 16}, m"),
    "make_keys": ("avx2.c", "expanded + 96, 32", "expanded + 95, 32"),
    "unpack_key": ("avx2.c", "secret_key, i);\n  }\n}", "secret_key, i ^ 1);\n  }\n}"),
    "challenge": ("avx2.c", "all[i][0]", "all[i ^ 1][0]"),
    "attempt": ("avx2.c", "freeze(low[row][i])", "freeze(low[row][i ^ 1])"),
    "make_signature": ("avx2.c", "kappa += L) {\n    uniform", "kappa += 1) {\n    uniform"),
    "is_signature": (
        "avx2.c",
        "GAMMA1 - BETA);\n    if (wrong) return false;",
        "2);\n    if (wrong) return false;",
    ),
    "unbroken": ("avx2.c", "all[i][0]", "all[i][0]"),
}


def outcome(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the harness with the variant that lies in a folder, and run it."""
    support.require_cpu(CPU)
    (folder / "main.c").write_text(HARNESS)
    argv = [*support.command("zig"), "-std=c11", "-O1", "-march=native", "-fno-sanitize=undefined"]
    argv += ["-w", f"-I{folder}", str(folder / "main.c")]
    program = support.build(argv, folder / "main")
    return subprocess.run([str(program)], capture_output=True, text=True, check=False)


def copied(folder: Path) -> Path:
    """Copy the variant and what it reads into a folder."""
    for name in ("c", "sw"):
        shutil.copytree(FOLDER / name, folder / "dilithium" / name)
    shutil.copytree(support.COMMON, folder / "common" / "sw")
    return folder


def test_functions_are_those_of_the_readable_c(tmp_path: Path) -> None:
    run = outcome(copied(tmp_path))
    assert run.returncode == 0, run.stdout
    # Hints are compared where they are fewer than 80, 80, and too many.
    assert {75, 80, 81} <= set(map(int, run.stdout.split()))


@pytest.mark.slow
@pytest.mark.parametrize("function", list(MUTANTS))
def test_fault_is_seen(function: str, tmp_path: Path, replace: Callable[..., None]) -> None:
    file, old, new = MUTANTS[function]
    replace(copied(tmp_path) / "dilithium" / "sw" / file, old, new)
    assert outcome(tmp_path).returncode != 0


@pytest.mark.slow
@pytest.mark.parametrize("function", list(WHOLE_MUTANTS))
def test_fault_is_seen_by_known_answers(
    function: str, tmp_path: Path, replace: Callable[..., None]
) -> None:
    support.require_cpu(CPU)
    file, old, new = WHOLE_MUTANTS[function]
    path = copied(tmp_path) / "dilithium" / "sw" / file
    replace(path, old, new)
    flags = ("-DML_DSA=0", "-O1", "-march=native", "-Wno-unknown-pragmas", "-Wno-error")
    built = support.shared("zig", path, tmp_path / "mutant.so", *flags, cpu=CPU)
    assert (wrong_answers(support.Library(built)) == 0) == (function == "unbroken")


def test_each_function_has_a_fault() -> None:
    defined: set[str] = set()
    for path in (FOLDER / "sw").glob("avx2*"):
        text = re.sub(r"__attribute__\(\(\w+\)\)|_Alignas\(\d+\)", "", path.read_text())
        defined |= set(re.findall(r"^(?:static|ALWAYS_INLINE) [^=;(]*?(\w+)\(", text, re.MULTILINE))
    # Loads, stores, and factors of products: a line or two each, in those that have a fault.
    parts = {"load_x8", "store_x8", "transpose", "odd_lanes", "upper_halves", "root", "inner_root"}
    parts |= {"factor_constant", "factor_of", "factor_of_all"}
    # Under other names: the two permutations, of which one is shared, and ends of hints.
    parts |= {"keccak_f1600_x1", "keccak_f1600_x4", "give_hints_x8"}
    assert defined - set(MUTANTS) - set(WHOLE_MUTANTS) == parts


def numbers(text: str) -> list[int]:
    return [int(word) for word in re.findall(r"-?\b\d+\b", text)]


def test_tables_of_roots_follow_from_the_standard() -> None:
    def low(zeta: int) -> int:
        found = zeta * pow(spec.Q, -1, 1 << 32) % (1 << 32)
        return found - (found >> 31 << 32)

    roots = [pow(2, 32) * pow(1753, int(f"{k:08b}"[::-1], 2), spec.Q) % spec.Q for k in range(256)]
    zetas = [root - spec.Q if 2 * root > spec.Q else root for root in roots]
    zetas[0] = 0
    inner = [
        zetas[vectors * (32 + 8 * block + group) + one]
        for block in range(4)
        for vectors in (1, 2, 4)
        for one in range(vectors)
        for group in range(8)
    ]
    text = (FOLDER / "sw" / "avx2_roots.h").read_text()
    tables = [numbers(body) for body in re.findall(r"= \{(.*?)\n\};", text, re.DOTALL)]
    assert tables == [[low(zeta) for zeta in zetas[:32]], inner, [low(zeta) for zeta in inner]]
