# SPDX-License-Identifier: Apache-2.0
"""Every software variant of Ascon, by every C compiler here, against the specification.

The shared libraries are built here and called through ctypes; lydite_sw.h is their contract.
"""

from __future__ import annotations

import ctypes
import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import native
import pytest

from lydite.cores.ascon import fast

CORES = Path(__file__).parents[2] / "src" / "lydite" / "cores"
SOURCES = CORES / "ascon" / "sw"
VECTORS = CORES / "ascon" / "kat"
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")
VARIANTS = ("ref", "plain64", "avx512_x8")
LENGTHS = (0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 100)

# Most are built by gcc, which a plain machine may not have.
pytestmark = pytest.mark.native
BUILDS = pytest.mark.parametrize("cc", ["gcc", "zig"])
ALL = pytest.mark.parametrize("variant", VARIANTS)


class Batch(ctypes.Structure):
    """struct lydite_batch of lydite_sw.h."""

    _fields_ = (
        ("count", ctypes.c_size_t),
        ("inputs", ctypes.POINTER(ctypes.c_char_p)),
        ("in_bytes", ctypes.POINTER(ctypes.c_size_t)),
        ("outputs", ctypes.POINTER(ctypes.c_void_p)),
        ("out_bytes", ctypes.POINTER(ctypes.c_size_t)),
        ("verdict", ctypes.c_void_p),
    )


def compiler(name: str) -> list[str]:
    """Find a C compiler, or skip."""
    if name == "gcc":
        return [native.program("gcc")]
    if find_spec("ziglang") is None:
        pytest.skip("the ziglang wheel is not installed")
    return [sys.executable, "-m", "ziglang", "cc"]


def build(argv: list[str], out: Path) -> Path:
    """Run a compiler; its messages are the failure's text."""
    run = subprocess.run([*argv, "-o", str(out)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return out


def cpu_flags() -> frozenset[str]:
    """Features of this machine, named as in /proc/cpuinfo."""
    path = Path("/proc/cpuinfo")
    for line in path.read_text().splitlines() if path.exists() else ():
        if line.startswith("flags"):
            return frozenset(line.split(":")[1].split())
    return frozenset()


def require_source_cpu(variant: str) -> None:
    """Skip before the build: -march=native does not compile features that the machine lacks."""
    source = (SOURCES / f"{variant}.c").read_text()
    needs = source.partition("#define ASCON_CPU_FLAGS")[2].partition("\n")[0]
    missing = set(needs.strip().strip('"').split()) - cpu_flags()
    if missing:
        pytest.skip(f"this machine has no {', '.join(sorted(missing))}")


class Library:
    """A built variant, called with bytes."""

    def __init__(self, path: Path) -> None:
        self.c = ctypes.CDLL(str(path))
        self.c.lydite_lanes.restype = ctypes.c_size_t

    def run(
        self, operation: str, inputs: Sequence[Sequence[bytes]], out_bytes: Sequence[int]
    ) -> tuple[list[list[bytes]], list[int]]:
        """Call an operation on a list of values for each field; gives outputs and verdicts.

        Checks that nothing is written behind them.
        """
        count, guard = len(inputs[0]), b"\xa5" * 32
        buffers = [ctypes.create_string_buffer(bytes(n * count) + guard) for n in out_bytes]
        verdict = ctypes.create_string_buffer(bytes(count) + guard)
        batch = Batch(
            count,
            (ctypes.c_char_p * len(inputs))(*(b"".join(values) for values in inputs)),
            (ctypes.c_size_t * len(inputs))(*(len(values[0]) for values in inputs)),
            (ctypes.c_void_p * len(buffers))(*map(ctypes.addressof, buffers)),
            (ctypes.c_size_t * len(buffers))(*out_bytes),
            ctypes.addressof(verdict) if operation == "open" else None,
        )
        getattr(self.c, f"lydite_{operation}")(ctypes.byref(batch))
        for buffer, size in zip(buffers, out_bytes, strict=True):
            assert buffer.raw[size * count : -1] == guard
        assert verdict.raw[count:-1] == guard
        return [
            [buffer.raw[i * size : (i + 1) * size] for i in range(count)]
            for buffer, size in zip(buffers, out_bytes, strict=True)
        ], list(verdict.raw[:count])


Get = Callable[[str, str], Library]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Get:
    """Build a variant by a compiler, once, and load it where it can run."""
    folder = tmp_path_factory.mktemp("sw")
    built: dict[tuple[str, str], Library] = {}

    def get(variant: str, cc: str) -> Library:
        if (variant, cc) not in built:
            require_source_cpu(variant)
            argv = [*compiler(cc), "-std=c11", "-O1", "-march=native", *WARNINGS]
            argv += ["-shared", "-fPIC", "-fvisibility=hidden", str(SOURCES / f"{variant}.c")]
            built[variant, cc] = Library(build(argv, folder / f"{variant}-{cc}.so"))
        return built[variant, cc]

    return get


def records(name: str) -> list[dict[str, bytes]]:
    """Read the records of a file of the lightweight cryptography competition."""
    text = (VECTORS / name).read_text(encoding="ascii")
    return [
        {name: bytes.fromhex(value) for name, value in re.findall(r"(\w+) = ?([0-9A-F]*)\n", part)}
        for part in re.split(r"Count = \d+\n", text)[1:]
    ]


@BUILDS
@ALL
def test_known_answers(variant: str, cc: str, library: Get) -> None:
    sw = library(variant, cc)
    for record in records("asconaead128_sp800-232_LWC_AEAD_KAT_128_128.txt"):
        text, tag = record["CT"][:-16], record["CT"][-16:]
        head = [[record["Key"]], [record["Nonce"]], [record["AD"]]]
        assert sw.run("seal", [*head, [record["PT"]]], (len(text), 16))[0] == [[text], [tag]]
        outputs, verdict = sw.run("open", [*head, [text], [tag]], (len(text),))
        assert (outputs, verdict) == ([[record["PT"]]], [1])
    for record in records("asconhash256_sp800-232_LWC_HASH_KAT_128_256.txt"):
        assert sw.run("hash", [[record["Msg"]]], (32,))[0] == [[record["MD"]]]


@BUILDS
@ALL
def test_every_lane_agrees_with_the_specification(variant: str, cc: str, library: Get) -> None:
    sw, rng = library(variant, cc), random.Random(232)
    for length in LENGTHS:
        count, ad_bytes = rng.randrange(1, 20), rng.choice(LENGTHS)
        keys, nonces, ads, messages = (
            [rng.randbytes(size) for _ in range(count)] for size in (16, 16, ad_bytes, length)
        )
        sealed = [fast.seal(*one) for one in zip(keys, nonces, ads, messages, strict=True)]
        texts, tags = [one[0] for one in sealed], [one[1] for one in sealed]
        assert sw.run("seal", (keys, nonces, ads, messages), (length, 16))[0] == [texts, tags]
        # Some are forged: their messages become zeros.
        forged = [rng.random() < 0.5 for _ in range(count)]
        for i in range(count):
            change = bytearray(tags[i])
            change[rng.randrange(16)] ^= forged[i] << rng.randrange(8)
            tags[i] = bytes(change)
            messages[i] = bytes(length) if forged[i] else messages[i]
        outputs, verdicts = sw.run("open", (keys, nonces, ads, texts, tags), (length,))
        assert (outputs, verdicts) == ([messages], [int(not bad) for bad in forged])
        digests = [fast.hash256(message) for message in messages]
        assert sw.run("hash", [messages], (32,))[0] == [digests]


@ALL
def test_no_message_is_no_work(variant: str, library: Get) -> None:
    empty = Batch(0, (ctypes.c_char_p * 5)(), (ctypes.c_size_t * 5)())
    for operation in ("seal", "open", "hash"):
        getattr(library(variant, "gcc").c, f"lydite_{operation}")(ctypes.byref(empty))


# Buffers are of the exact size and unaligned, so that the sanitizers see every byte beyond them.
HARNESS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lydite_sw.h"
void lydite_seal(const struct lydite_batch *batch);
void lydite_open(const struct lydite_batch *batch);
void lydite_hash(const struct lydite_batch *batch);
static uint8_t *field(size_t bytes) {
  uint8_t *all = malloc(bytes + 1);
  if (all == NULL) abort();
  for (size_t i = 0; i < bytes; i++) all[1 + i] = (uint8_t)(i * i + i / 251);
  return all + 1;
}
int main(void) {
  for (size_t count = 1; count < 18; count += 5) {
    for (size_t text = 0; text < 70; text += text < 18 ? 1 : 13) {
      for (size_t ad = 0; ad < 40; ad += 9) {
        const size_t bytes[] = {16, 16, ad, text, 16}, out_bytes[] = {text, 16, 32};
        uint8_t *in[5], *out[2], *back[1] = {field(text * count)}, *digest[1] = {field(32 * count)};
        uint8_t *verdict = field(count);
        for (size_t i = 0; i < 4; i++) in[i] = field(bytes[i] * count);
        for (size_t i = 0; i < 2; i++) out[i] = field(out_bytes[i] * count);
        const uint8_t *const *inputs = (const uint8_t *const *)in;
        struct lydite_batch batch = {count, inputs, bytes, out, out_bytes, NULL};
        lydite_seal(&batch);
        uint8_t *message = in[3];
        in[3] = out[0];
        in[4] = out[1];
        batch.out = back;
        batch.verdict = verdict;
        lydite_open(&batch);
        if (memcmp(back[0], message, text * count) != 0) return 1;
        for (size_t i = 0; i < count; i++) if (verdict[i] != 1) return 1;
        batch.in = (const uint8_t *const *)&message;
        batch.in_bytes = bytes + 3;
        batch.out = digest;
        batch.out_bytes = out_bytes + 2;
        lydite_hash(&batch);
        for (size_t i = 0; i < 32 * count; i++) printf("%02x", digest[0][i]);
        printf("\n");
        for (size_t i = 0; i < 3; i++) free(in[i] - 1);
        for (size_t i = 0; i < 2; i++) free(out[i] - 1);
        free(message - 1);
        free(back[0] - 1);
        free(digest[0] - 1);
        free(verdict - 1);
      }
    }
  }
  return 0;
}
"""


@ALL
def test_sanitizers_find_nothing(variant: str, tmp_path: Path) -> None:
    require_source_cpu(variant)
    main = tmp_path / "main.c"
    main.write_text(HARNESS)
    argv = [*compiler("gcc"), "-std=c11", "-O1", "-g", "-march=native"]
    argv += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    probe = subprocess.run(
        [*argv[:1], "-fsanitize=address,undefined", "-xc", "-", "-o", str(tmp_path / "probe")],
        input="int main(void) { return 0; }",
        capture_output=True,
        text=True,
        check=False,
    )
    if probe.returncode != 0:
        pytest.skip("gcc here has no sanitizer libraries")
    argv += [f"-I{CORES / 'common' / 'sw'}", str(SOURCES / f"{variant}.c"), str(main)]
    program = build(argv, tmp_path / "main")
    run = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.split()) == 4 * 22 * 5
