# SPDX-License-Identifier: Apache-2.0
"""A fault in each function of Dilithium's C is seen by the known answers: a test of these."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import sw as support

from lydite.cores import catalog

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
    "expand_mask": ("poly.h", "out + done", "out + done + (done == 68)"),
    "vector_challenge": ("poly.h", "while (j > i)", "while (j >= i)"),
    "power2round": ("poly.h", "(1 << (D - 1)) - 1)", "(1 << (D - 1)))"),
    "decompose": ("poly.h", "high & ~wraps", "high"),
    "use_hint": ("poly.h", "low > 0", "low < 0"),
    "append": ("poly.h", "value >> (64 - have)", "value >> (63 - have)"),
    "bit_pack": ("poly.h", "(uint64_t)high << bits", "(uint64_t)high << (bits + (i == 254))"),
    "pack_high": ("poly.h", "second << W1_BITS", "second << (W1_BITS - (i == 254))"),
    "bit_unpack": ("poly.h", "? second : top - second;", "? second : top - (second & ~1);"),
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


def wrong_answers(library: support.Library) -> int:
    """Count the known answers of Dilithium2 that a library does not give."""
    primitive, wrong = catalog.primitive("dilithium2"), 0
    for vector in primitive.vectors():
        operation = primitive.operation(vector.operation)
        inputs = [vector.fields[field] for field in operation.input_names]
        lengths = operation.output_lengths([len(value) for value in inputs])
        found, verdict = library.run(operation.name, [inputs], lengths, rejects=operation.rejects)
        if operation.rejects:
            wrong += verdict != [1]
        else:
            wrong += found != [tuple(vector.fields[field] for field in operation.output_names)]
    return wrong


@pytest.mark.parametrize(
    "function",
    [pytest.param(one, marks=() if one in FAST else pytest.mark.slow) for one in MUTANTS],
)
def test_fault_is_seen(function: str, tmp_path: Path) -> None:
    file, old, new = MUTANTS[function]
    for name in ("c", "sw"):
        shutil.copytree(CORE / name, tmp_path / "dilithium" / name)
    shutil.copytree(CORE.parent / "common" / "sw", tmp_path / "common" / "sw")
    path = tmp_path / "dilithium" / "c" / file
    text = path.read_text()
    assert text.count(old) == 1, function
    path.write_text(text.replace(old, new))
    source = tmp_path / "dilithium" / "sw" / "ref.c"
    flags = ("-DML_DSA=0", "-Wno-unknown-pragmas", "-Wno-error")
    built = support.shared("zig", source, tmp_path / "mutant.so", *flags, cpu=())
    assert (wrong_answers(support.Library(built)) == 0) == (function == "unbroken")


def test_each_function_has_a_fault() -> None:
    texts = [path.read_text() for path in sorted((CORE / "c").glob("*.h"))]
    defined = {
        line.partition("(")[0].split()[-1]
        for text in texts
        for line in text.splitlines()
        if line.startswith("static ") and "(" in line and "=" not in line
    }
    helpers = {"least", "product", "hash_end"}
    assert defined - set(MUTANTS) == helpers
