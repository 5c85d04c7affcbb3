# SPDX-License-Identifier: Apache-2.0
"""A fault in each function of Dilithium's C is seen by the known answers: a test of these.

In what stands around it in hardware, by those or by calls that must be refused.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import sw as support
from dilithium import malformed, program, wrong_answers

from lydite.base import proc
from lydite.cores import catalog
from lydite.studies.dilithium2_calls import header, lines

CORE = catalog.FOLDER / "dilithium"
# Those that are tried always; the others take a second each.
FAST = ("keygen", "take_hints", "unbroken")

# Function: file, what stands there, what stands there instead.
MUTANTS = {
    "keccak_f1600": ("shake.h", "(2 * x + 3 * y)", "(3 * x + 2 * y)"),
    "rotate_left": ("shake.h", "lane >> (64 - count)", "lane >> (63 - count)"),
    "shake_begin": ("shake.h", "state[i] = 0;", "state[i] = i == 24;"),
    "shake_bytes": ("shake.h", "word << 8 * (at % 8)", "word << 8 * (at % 4)"),
    "shake_absorb": ("shake.h", "state[lane++] ^= in[i]", "state[lane++] ^= in[i & 127]"),
    "shake_end": ("shake.h", "0x1f, 1", "0x06, 1"),
    "shake_squeeze": ("shake.h", "out[i] = state[i]", "out[i] = state[i & 7]"),
    "shake_seeded": ("shake.h", "0x1f << 16", "0x1f << 8"),
    "zetas": ("ntt.h", "1976782", "1976783"),
    "montgomery_reduce": ("ntt.h", "a - (int64_t)t * Q", "a + (int64_t)t * Q"),
    "product": ("ntt.h", "(int64_t)a * b)", "(int64_t)a * b + 1)"),
    "reduce": ("ntt.h", "a - t * Q", "a - t * (Q + 1)"),
    "freeze": ("ntt.h", "(a >> 31 & Q)", "(a >> 31 & (Q - 1))"),
    "centre": ("ntt.h", "- b) >> 31 & Q)", "- b) >> 31 & (Q - 1))"),
    "turned": ("ntt.h", "return product(zeta, a);", "return product(a, a);"),
    "ntt_layers": ("ntt.h", "n == 0 ? low : high", "n == 0 ? high : low"),
    "ntt": ("ntt.h", "ntt_layers(a, other, layer + 2);", "ntt_layers(a, other, layer);"),
    "inverse_ntt_layers": ("ntt.h", "n == 0 ? high : low", "n == 0 ? low : high"),
    "inverse_ntt": ("ntt.h", "layer + 2, true", "layer + 2, false"),
    "scale": ("ntt.h", "41978", "41979"),
    "vector_multiply": ("poly.h", "b[i][k]);\n  }", "b[i ^ (i == 255)][k]);\n  }"),
    "vector_dot": ("poly.h", "k < L; k++) sum", "k < L - (i == 0); k++) sum"),
    "shake_block": ("shake.h", "block[i] = state[i]", "block[i] = state[i & 15]"),
    "reject_uniform": ("poly.h", "candidate < Q", "candidate <= Q + (1 << 12)"),
    "poly_uniform": ("poly.h", "column | row << 8", "column | row << 9"),
    "reject_eta": ("poly.h", "half < 15", "half < 14"),
    "poly_uniform_eta": ("poly.h", "seed, 8, number);\n  keccak", "seed, 7, number);\n  keccak"),
    "expand_mask": (
        "poly.h",
        "    keccak_f1600(state);\n    shake_squeeze(out + done",
        "    if (done != 51) keccak_f1600(state);\n    shake_squeeze(out + done",
    ),
    "vector_challenge": ("poly.h", "while (j > i)", "while (j >= i)"),
    "power2round": ("poly.h", "(1 << (D - 1)) - 1)", "(1 << (D - 1)))"),
    "decompose": ("poly.h", "high & ~wraps", "high"),
    "use_hint": ("poly.h", "low > 0", "low < 0"),
    "append": ("poly.h", "value >> (64 - have)", "value >> (63 - have)"),
    "bit_pack": ("poly.h", "(uint64_t)high << bits", "(uint64_t)high << (bits + (i == 254))"),
    "pack_high": ("poly.h", "second << W1_BITS", "second << (W1_BITS - (i == 254))"),
    "bit_unpack": ("poly.h", "? second : top - second;", "? second : top - (second & ~1);"),
    "hash_end": ("scheme.h", "shake_squeeze(out, words", "shake_squeeze(out, words - 1"),
    "expand_row": ("scheme.h", "column, state, rho, row", "row, state, rho, column"),
    "keygen": ("scheme.h", "expanded[12 + i]", "expanded[11 + i]"),
    "exceeds": ("scheme.h", "bound - 1 - size", "bound + 200 - size"),
    "masked_secret": ("scheme.h", "exceeds(value, GAMMA1 - BETA);\n    }", "0;\n    }"),
    "subtract_error": ("scheme.h", "exceeds(low, GAMMA2 - BETA)", "exceeds(low, GAMMA2)"),
    "give_hints": (
        "scheme.h",
        "freeze(reduce(w[i][k] + value))",
        "freeze(reduce(w[i][k] - value))",
    ),
    "sign": ("scheme.h", "kappa += L", "kappa += L - 1"),
    "byte_at": ("scheme.h", "8 * (at % 8) & 255", "8 * (at % 8) & 127"),
    "take_hints": ("scheme.h", "(1u << row)", "(1u << (row & 2))"),
    "verify": ("scheme.h", "signature, CHALLENGE_T1", "signature, -CHALLENGE_T1"),
    "load_words": ("../sw/ref.c", "bytes - i : 8);\n    out", "bytes - i - 1 : 8);\n    out"),
    "representative": ("../sw/ref.c", "0, tr, WORDS(TR_BYTES)", "0, tr, 3"),
}
MUTANTS["unbroken"] = ("ntt.h", "41978", "41978")
# Of the cores: what stands around these functions in hardware.
CORE_MUTANTS = {
    "bytes_of": ("stream.h", "i < 8; i++) bytes", "i < 7; i++) bytes"),
    "first_bytes": ("stream.h", "<< 8 * bytes) - 1", "<< 8 * bytes) - 2"),
    "take": ("stream.h", "if (some > left) right = false;", ""),
    "take: too short": ("stream.h", "right && left == 0", "right"),
    "take_message": ("stream.h", "word >> 8 * (8 - offset)", "word >> 8 * (7 - offset)"),
    "take_message: end of a block": ("stream.h", "words - (bytes < 8)", "words"),
    "take_context": ("stream.h", "bytes = CONTEXT_BYTES + 1;", "bytes = CONTEXT_BYTES;"),
    "give": ("stream.h", "8 * (i + 1) >= bytes", "8 * (i + 1) > bytes"),
    "give_nothing": ("stream.h", ".keep = 0", ".keep = 1"),
    "call_keygen": ("calls.h", "give(m_axis, secret_key, S", "give(m_axis, public_key, S"),
    "take_prefix": ("calls.h", "bytes << 8, 2", "bytes << 7, 2"),
    "take_prefix: too long": ("calls.h", "bytes <= CONTEXT_BYTES", "bytes <= CONTEXT_BYTES + 1"),
    "call_sign": (
        "calls.h",
        "right &= take(random, RANDOM_BYTES, s_axis)",
        "take(random, 32, s_axis)",
    ),
    "call_verify": ("calls.h", "right &= take(signature, S", "take(signature, S"),
    "dilithium_all": ("all.c", "right && operation == 2", "right"),
    "unbroken": ("all.c", "right && operation == 2", "right && operation == 2"),
}


@pytest.mark.parametrize(
    "function",
    [pytest.param(one, marks=() if one in FAST else pytest.mark.slow) for one in MUTANTS],
)
def test_fault_is_seen(function: str, tmp_path: Path, replace: Callable[..., None]) -> None:
    file, old, new = MUTANTS[function]
    for name in ("c", "sw"):
        shutil.copytree(CORE / name, tmp_path / "dilithium" / name)
    shutil.copytree(CORE.parent / "common" / "sw", tmp_path / "common" / "sw")
    replace(tmp_path / "dilithium" / "c" / file, old, new)
    source = tmp_path / "dilithium" / "sw" / "ref.c"
    flags = ("-DML_DSA=0", "-Wno-unknown-pragmas", "-Wno-error")
    built = support.shared("zig", source, tmp_path / "mutant.so", *flags, cpu=())
    assert (wrong_answers(support.Library(built)) == 0) == (function == "unbroken")


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(one, marks=() if one in ("take", "unbroken") else pytest.mark.slow)
        for one in CORE_MUTANTS
    ],
)
def test_fault_around_it_is_seen(fault: str, tmp_path: Path, replace: Callable[..., None]) -> None:
    file, old, new = CORE_MUTANTS[fault]
    for name in ("c", "hls"):
        shutil.copytree(CORE / name, tmp_path / name)
    replace(tmp_path / "hls" / file, old, new)
    built = program(tmp_path / "hls" / "all.c", "ml-dsa-44", tmp_path)
    calls = malformed("ml-dsa-44", "all")
    primitive = catalog.primitive("ml-dsa-44")
    for operation in primitive.operations:
        before = header(primitive, operation.name)
        calls += [before + one for one in lines(primitive, operation.name, None)]
    (tmp_path / "calls.txt").write_text("".join(f"{one}\n" for one in calls))
    rc = proc.run([str(built), str(tmp_path / "calls.txt")], timeout_s=60).rc
    assert (rc == 0) == (fault == "unbroken")


def test_each_function_has_a_fault() -> None:
    # One number more or less of `least` either changes nothing or leaves the state.
    helpers = {"least"}
    assert _defined("c") - set(MUTANTS) == helpers
    # `check.h` is the test's own end.
    around = {name.partition(":")[0] for name in CORE_MUTANTS}
    assert _defined("hls") - around == {"digit_of", "read_packet", "compare_beat", "check"}


def _defined(folder: str) -> set[str]:
    """Give the functions in the headers of a folder."""
    return {
        line.partition("(")[0].split()[-1]
        for path in sorted((CORE / folder).glob("*.h"))
        for line in path.read_text().splitlines()
        if line.startswith("static ") and "(" in line and "=" not in line
    }
