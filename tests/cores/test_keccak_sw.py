# SPDX-License-Identifier: Apache-2.0
"""Every software variant of SHA-3 and SHAKE, by every C compiler here, against CAVP and hashlib.

The shared libraries are built here and called through ctypes; lydite_sw.h is their contract.
"""

from __future__ import annotations

import ctypes
import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import xor
from pathlib import Path

import pytest
import sw as support

CORES = Path(__file__).parents[2] / "src" / "lydite" / "cores"
SOURCES = CORES / "keccak" / "sw"
VECTORS = CORES / "keccak" / "kat"
VARIANTS = ("ref", "plain64", "avx512vl", "avx512", "avx2_x4", "avx512vl_x4", "avx512_x8")
KECCAK_BYTES = 200


@dataclass(frozen=True, slots=True)
class Function:
    """One of the functions of FIPS 202."""

    rate_bytes: int
    suffix: int
    digest_bytes: int
    peer: Callable[[bytes, int], bytes]

    @property
    def macros(self) -> tuple[str, ...]:
        """Parameters of the build."""
        return (
            f"-DRATE_BYTES={self.rate_bytes}",
            f"-DSUFFIX={self.suffix}",
            f"-DDIGEST_BYTES={self.digest_bytes}",
        )


FUNCTIONS = {
    "SHA3_224": Function(144, 0x06, 28, lambda m, _: hashlib.sha3_224(m).digest()),
    "SHA3_256": Function(136, 0x06, 32, lambda m, _: hashlib.sha3_256(m).digest()),
    "SHA3_384": Function(104, 0x06, 48, lambda m, _: hashlib.sha3_384(m).digest()),
    "SHA3_512": Function(72, 0x06, 64, lambda m, _: hashlib.sha3_512(m).digest()),
    "SHAKE128": Function(168, 0x1F, 32, lambda m, n: hashlib.shake_128(m).digest(n)),
    "SHAKE256": Function(136, 0x1F, 32, lambda m, n: hashlib.shake_256(m).digest(n)),
}
# Most are built by gcc, which a plain machine may not have.
pytestmark = pytest.mark.native
# gcc builds all functions; for the second compiler two suffice, of other rates and paddings.
BUILDS = [("gcc", name) for name in FUNCTIONS] + [("zig", "SHA3_256"), ("zig", "SHAKE128")]


class Library(support.Library):
    """A built variant, with what only Keccak has."""

    def hash(self, messages: list[bytes], out_bytes: int) -> list[bytes]:
        """Hash messages of equal length."""
        outputs, _ = self.run("hash", [(message,) for message in messages], [out_bytes])
        return [output for (output,) in outputs]

    def permute(self, states: bytes, count: int) -> bytes:
        """Apply the permutation count times to each state."""
        buffer = ctypes.create_string_buffer(states, len(states))
        size = ctypes.c_size_t
        self.c.lydite_permute(buffer, size(len(states) // KECCAK_BYTES), size(count))
        return buffer.raw


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str, str], Library]:
    """Build a variant by a compiler for a function, once, and load it where it can run."""
    folder = tmp_path_factory.mktemp("sw")
    built: dict[tuple[str, str, str], Library] = {}

    def get(variant: str, cc: str, name: str) -> Library:
        key = (variant, cc, name)
        if key not in built:
            source, out = SOURCES / f"{variant}.c", folder / f"{variant}-{cc}-{name}.so"
            built[key] = Library(support.shared(cc, source, out, *FUNCTIONS[name].macros))
        return built[key]

    return get


def records(path: Path) -> Iterator[dict[str, str]]:
    """The records of a CAVP response file, a paragraph each."""
    for paragraph in path.read_text().replace("\r\n", "\n").split("\n\n"):
        lines = [line.split(" = ") for line in paragraph.splitlines() if " = " in line]
        record = {line[0]: line[1].strip() for line in lines if not line[0].startswith("[")}
        if record:
            yield record


def messages_of(seed: int, count: int, length: int) -> list[bytes]:
    """Random messages of one length, all different from each other."""
    rng = random.Random(seed)
    return [rng.randbytes(length) for _ in range(count)]


@pytest.mark.parametrize(("cc", "name"), BUILDS)
@pytest.mark.parametrize("variant", [*VARIANTS, "openssl"])
def test_cavp_messages_hash_to_the_published_digests(
    variant: str, cc: str, name: str, library: Callable[[str, str, str], Library]
) -> None:
    sw = library(variant, cc, name)
    if variant == "openssl" and not sw.c.lydite_available():
        pytest.skip("no libcrypto with SHA-3 was found")
    checked = 0
    for kind in ("ShortMsg", "LongMsg", "VariableOut"):
        path = VECTORS / f"{name}{kind}.rsp"
        if kind == "VariableOut" and not path.exists():
            continue  # SHA-3 has none
        for record in records(path):
            expected = record.get("MD") or record.get("Output")
            if "Msg" not in record or expected is None:
                continue
            message = bytes.fromhex(record["Msg"])
            if "Len" in record:
                message = message[: int(record["Len"]) // 8]
            digest = bytes.fromhex(expected)
            assert sw.hash([message], len(digest)) == [digest], (kind, record["Msg"][:40])
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name.startswith("SHA3")])
@pytest.mark.parametrize("variant", VARIANTS)
def test_cavp_monte_carlo_chain_is_reproduced(
    variant: str, name: str, library: Callable[[str, str, str], Library]
) -> None:
    sw = library(variant, "gcc", name)
    chain = list(records(VECTORS / f"{name}Monte.rsp"))
    seed = next(record["Seed"] for record in chain if "Seed" in record)
    digest = bytes.fromhex(seed)
    for _ in range(1000):
        (digest,) = sw.hash([digest], len(digest))
    first = next(record for record in chain if record.get("COUNT") == "0")
    assert digest.hex() == first["MD"]


@pytest.mark.parametrize(("cc", "name"), BUILDS)
@pytest.mark.parametrize("variant", [*VARIANTS, "openssl"])
def test_every_lane_agrees_with_hashlib(
    variant: str, cc: str, name: str, library: Callable[[str, str, str], Library]
) -> None:
    sw = library(variant, cc, name)
    if variant == "openssl" and not sw.c.lydite_available():
        pytest.skip("no libcrypto with SHA-3 was found")
    function = FUNCTIONS[name]
    rate = function.rate_bytes
    rng = random.Random(202)
    lengths = [0, 1, 7, 8, rate - 1, rate, rate + 1, 2 * rate - 1, 2 * rate, 1000]
    lengths += [rng.randrange(1001) for _ in range(40)]
    for length in lengths:
        count = rng.randrange(1, 18)
        messages = messages_of(length, count, length)
        out_bytes = function.digest_bytes
        if name.startswith("SHAKE"):
            out_bytes = rng.choice([1, 31, 32, rate - 1, rate, rate + 1, 3 * rate, 500])
        expected = [function.peer(message, out_bytes) for message in messages]
        assert sw.hash(messages, out_bytes) == expected, (length, count, out_bytes)


@pytest.mark.parametrize("cc", ["gcc", "zig"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_permutation_agrees_with_the_reference(
    variant: str, cc: str, library: Callable[[str, str, str], Library]
) -> None:
    # The compiler that may be missing first: how many tests want it depends on no processor.
    ref = library("ref", "gcc", "SHA3_256")
    sw = library(variant, cc, "SHA3_256")
    for count in (0, 1, 2, 7):
        states = b"".join(messages_of(count, 8 * 2, KECCAK_BYTES))
        assert sw.permute(states, count) == ref.permute(states, count)


def test_permutation_of_zeros_is_the_published_state(
    library: Callable[[str, str, str], Library],
) -> None:
    state = library("ref", "gcc", "SHA3_256").permute(bytes(KECCAK_BYTES), 1)
    assert state[:16].hex() == "e7dde140798f25f18a47c033f9ccd584"


# The SHA-3 speed test of the FPGA education document: lane i of run r starts as i + r, the lanes
# are added up after 100,000 permutations, and the sums of the runs are xored.
@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant != "ref"])
def test_chained_permutations_give_the_sums_of_the_speed_test(
    variant: str, library: Callable[[str, str, str], Library]
) -> None:
    sw = library(variant, "gcc", "SHA3_256")
    states = b"".join((i + run).to_bytes(8, "little") for run in range(8) for i in range(25))
    result = sw.permute(states, 100_000)
    sums = []
    for run in range(8):
        state = result[run * KECCAK_BYTES : (run + 1) * KECCAK_BYTES]
        lanes = (int.from_bytes(state[i : i + 8], "little") for i in range(0, KECCAK_BYTES, 8))
        sums.append(sum(lanes) % 2**64)
    assert sums[0] == 0x3E05F34BE7CC0386
    assert sums[0] ^ sums[1] == 0x2CCEF6D61B67AD2F
    assert sums[0] ^ sums[1] ^ sums[2] ^ sums[3] == 0x0796CA863AC8273F
    assert reduce(xor, sums) == 0x0018C0972C9227D2


def test_no_message_is_no_work(library: Callable[[str, str, str], Library]) -> None:
    for variant in ("ref", "plain64", "openssl"):
        size = ctypes.c_size_t * 1
        out = (ctypes.c_void_p * 1)(None)
        batch = support.Batch(0, (ctypes.c_char_p * 1)(b""), size(0), out, size(32), None)
        library(variant, "gcc", "SHA3_256").call("hash", batch)


def test_openssl_does_not_offer_what_it_does_not_know(tmp_path: Path) -> None:
    out = tmp_path / "openssl.so"
    macros = ("-DRATE_BYTES=136", "-DSUFFIX=1")
    sw = Library(support.shared("gcc", SOURCES / "openssl.c", out, *macros))
    assert not sw.c.lydite_available()
    assert not hasattr(sw.c, "lydite_permute")
    assert sw.hash([b"abc"], 32) == [bytes(32)]


# Buffers are of the exact size and unaligned, so that the sanitizers see every byte beyond them.
HARNESS = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lydite_sw.h"
int main(void) {
  for (size_t length = 0; length < 420; length += length < 20 ? 1 : 13) {
    for (size_t messages = 1; messages < 18; messages += 5) {
      for (size_t out_bytes = 0; out_bytes < 200; out_bytes = 2 * out_bytes + 33) {
        const size_t in_all = length * messages;
        const size_t out_all = out_bytes * messages;
        uint8_t *in = malloc(in_all + 1);
        uint8_t *out = malloc(out_all + 1);
        if (in == NULL || out == NULL) return 1;
        for (size_t i = 0; i < in_all; i++) in[1 + i] = (uint8_t)(i * i + i / 251);
        const uint8_t *const fields[] = {in + 1};
        uint8_t *const results[] = {out + 1};
        const struct lydite_batch batch = {
            messages, fields, &length, results, &out_bytes, NULL};
        lydite_hash(&batch);
        for (size_t i = 0; i < out_all; i++) printf("%02x", out[1 + i]);
        printf("\n");
        free(in);
        free(out);
      }
    }
  }
  uint8_t *states = calloc(16, 200);
  if (states == NULL) return 1;
  lydite_permute(states, 16, 2);
  free(states);
  return 0;
}
"""


@pytest.mark.parametrize("variant", VARIANTS)
def test_sanitizers_find_nothing(variant: str, tmp_path: Path) -> None:
    macros = FUNCTIONS["SHAKE256"].macros
    printed = support.sanitized(SOURCES / f"{variant}.c", HARNESS, tmp_path, *macros)
    lines = iter(printed.splitlines())
    length = 0
    while length < 420:
        for messages in range(1, 18, 5):
            data = bytes((i * i + i // 251) & 255 for i in range(length * messages))
            for out_bytes in (0, 33, 99):
                digests = [
                    hashlib.shake_256(data[i * length : (i + 1) * length]).hexdigest(out_bytes)
                    for i in range(messages)
                ]
                assert next(lines) == "".join(digests), (length, messages, out_bytes)
        length += 1 if length < 20 else 13


class Sample(ctypes.Structure):
    """struct lydite_sample of measure.h."""

    _fields_ = (("calls", ctypes.c_uint64), ("ns", ctypes.c_uint64), ("tsc", ctypes.c_uint64))


def test_measured_batches_last_as_long_as_asked(
    tmp_path: Path, library: Callable[[str, str, str], Library]
) -> None:
    sw = library("plain64", "gcc", "SHA3_256")
    argv = [*support.command("gcc"), "-std=c11", "-O2", *support.WARNINGS, "-shared", "-fPIC"]
    argv += ["-fvisibility=hidden", str(support.COMMON / "measure.c")]
    measure = ctypes.CDLL(str(support.build(argv, tmp_path / "measure.so")))
    samples = (Sample * 3)()
    size, min_ns = ctypes.c_size_t, ctypes.c_uint64(200_000)
    out = ctypes.create_string_buffer(32)
    batch = support.Batch(
        1, (ctypes.c_char_p * 1)(b"abc"), (size * 1)(3), (ctypes.c_void_p * 1)(), (size * 1)(32)
    )
    batch.outputs[0] = ctypes.addressof(out)
    measure.lydite_measure_run(samples, size(3), min_ns, sw.c.lydite_hash, ctypes.byref(batch))
    assert out.raw == hashlib.sha3_256(b"abc").digest()
    states = ctypes.create_string_buffer(KECCAK_BYTES)
    for sample in samples:
        assert sample.calls & (sample.calls - 1) == 0  # found by doubling
        assert sample.ns > 20_000  # a batch may be quicker than the one that set the number
    measure.lydite_measure_permute(
        samples, size(3), min_ns, sw.c.lydite_permute, states, size(1), size(10)
    )
    assert all(sample.ns > 20_000 for sample in samples)
    measure.lydite_measure_clock(samples, size(3), min_ns)
    # In GHz; a sample may be interrupted for longer than it lasts.
    assert any(sample.calls * 3000 / sample.ns > 0.1 for sample in samples)
