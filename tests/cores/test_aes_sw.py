# SPDX-License-Identifier: Apache-2.0
"""Every software variant of AES-128, by every C compiler here, against the specification.

The shared libraries are built here and called through ctypes; lydite_sw.h is their contract.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import sw as support

from lydite.cores import catalog
from lydite.cores.aes import fast

SOURCES = Path(fast.__file__).parent / "sw"
VARIANTS = ("ref", "tables", "aesni", "vaes")
REFERENCE: dict[str, Callable[..., bytes]] = {
    "encrypt": fast.encrypt,
    "decrypt": fast.decrypt,
    "ctr": fast.ctr,
}
# One by which the low 64 bits carry, and the ends of the number.
COUNTERS = (2**128 - 1, 2**128 - 2, 2**64 - 1, 2**64 - 3, 2**127 - 40, 2**65 - 17)
# gcc builds all of them, which a plain machine may not have.
pytestmark = pytest.mark.native

Get = Callable[[str, str], support.Library]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Get:
    """Build a variant by a compiler, once, and load it where it can run."""
    folder = tmp_path_factory.mktemp("sw")
    built: dict[tuple[str, str], support.Library] = {}

    def get(variant: str, cc: str) -> support.Library:
        if (variant, cc) not in built:
            source, out = SOURCES / f"{variant}.c", folder / f"{variant}-{cc}.so"
            built[variant, cc] = support.Library(support.shared(cc, source, out))
        if variant == "openssl" and not built[variant, cc].c.lydite_available():
            pytest.skip("no libcrypto was found")
        return built[variant, cc]

    return get


@pytest.mark.parametrize("cc", support.COMPILERS)
@pytest.mark.parametrize("variant", [*VARIANTS, "openssl"])
def test_known_answers_of_nist(variant: str, cc: str, library: Get) -> None:
    sw = library(variant, cc)
    primitive = catalog.primitive("aes-128")
    checked = 0
    for vector in primitive.vectors():
        operation = primitive.operation(vector.operation)
        inputs = [vector.fields[name] for name in operation.input_names]
        output = vector.fields[operation.output_names[0]]
        found, _ = sw.run(vector.operation, [inputs], [len(output)])
        assert found == [(output,)], vector.where
        checked += 1
    assert checked == 605


@pytest.mark.parametrize("cc", support.COMPILERS)
@pytest.mark.parametrize("operation", REFERENCE)
@pytest.mark.parametrize("variant", [*VARIANTS, "openssl"])
def test_any_number_of_calls_of_any_length(
    variant: str, operation: str, cc: str, library: Get
) -> None:
    sw = library(variant, cc)
    rng = random.Random(197)
    lengths = [*range(70), 127, 128, 129, 255, 257, 511, 512, 513, 1100]
    if operation != "ctr":
        lengths = [16 * n for n in (0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 32, 33, 70)]
    for length in lengths:
        calls: list[tuple[bytes, ...]] = []
        for _ in range(rng.choice([1, 2, 3, 7, 8, 9, 15, 16, 17, 33])):
            start = rng.choice([*COUNTERS, rng.getrandbits(128)]).to_bytes(16, "big")
            counter = (start,) if operation == "ctr" else ()
            calls.append((rng.randbytes(16), *counter, rng.randbytes(length)))
        expected = [(REFERENCE[operation](*call),) for call in calls]
        assert sw.run(operation, calls, [length])[0] == expected, (length, len(calls))


@pytest.mark.parametrize("operation", REFERENCE)
@pytest.mark.parametrize("variant", [*VARIANTS, "openssl"])
def test_no_call_is_no_work(variant: str, operation: str, library: Get) -> None:
    batch = support.Batch(count=0)
    batch.inputs = (ctypes.c_char_p * 3)(None, None, None)
    batch.outputs = (ctypes.c_void_p * 1)(None)
    batch.in_bytes = (ctypes.c_size_t * 3)(16, 16, 16)
    batch.out_bytes = (ctypes.c_size_t * 1)(16)
    library(variant, "gcc").call(operation, batch)


# Buffers are of the exact size and unaligned, so that the sanitizers see every byte beyond them.
HARNESS = r"""
#include <stdio.h>
#include <stdlib.h>
#include "aes.h"
static void run(size_t calls, size_t bytes, int operation) {
  const size_t all = calls * bytes;
  uint8_t *key = malloc(16 * calls + 1), *counter = malloc(16 * calls + 1);
  uint8_t *in = malloc(all + 1), *out = malloc(all + 1);
  if (!key || !counter || !in || !out) exit(1);
  for (size_t i = 0; i < 16 * calls; i++) key[1 + i] = (uint8_t)(7 * i + i / 16);
  for (size_t i = 0; i < 16 * calls; i++) counter[1 + i] = 0xff;
  for (size_t i = 0; i < all; i++) in[1 + i] = (uint8_t)(i * i + i / 251);
  const uint8_t *const ctr_in[] = {key + 1, counter + 1, in + 1};
  const uint8_t *const ecb_in[] = {key + 1, in + 1};
  const size_t ctr_bytes[] = {16, 16, bytes}, ecb_bytes[] = {16, bytes};
  uint8_t *const outs[] = {out + 1};
  const struct lydite_batch ctr = {calls, ctr_in, ctr_bytes, outs, &bytes, NULL};
  const struct lydite_batch ecb = {calls, ecb_in, ecb_bytes, outs, &bytes, NULL};
  if (operation == 0) lydite_encrypt(&ecb);
  if (operation == 1) lydite_decrypt(&ecb);
  if (operation == 2) lydite_ctr(&ctr);
  for (size_t i = 0; i < all; i++) printf("%02x", out[1 + i]);
  printf("\n");
  free(key), free(counter), free(in), free(out);
}
int main(void) {
  for (size_t calls = 1; calls < 36; calls += 7) {
    for (size_t bytes = 0; bytes < 600; bytes = 2 * bytes + 1) {
      run(calls, bytes / 16 * 16, 0), run(calls, bytes / 16 * 16, 1), run(calls, bytes, 2);
    }
  }
  return 0;
}
"""


@pytest.mark.parametrize("variant", VARIANTS)
def test_sanitizers_find_nothing(variant: str, tmp_path: Path) -> None:
    lines = iter(support.sanitized(SOURCES / f"{variant}.c", HARNESS, tmp_path).splitlines())
    for calls in range(1, 36, 7):
        keys = bytes((7 * i + i // 16) & 255 for i in range(16 * calls))
        size = 0
        while size < 600:
            for operation, length in (
                ("encrypt", size & ~15),
                ("decrypt", size & ~15),
                ("ctr", size),
            ):
                data = bytes((i * i + i // 251) & 255 for i in range(length * calls))
                expected = b""
                for i in range(calls):
                    counter = (b"\xff" * 16,) if operation == "ctr" else ()
                    fields = (keys[16 * i : 16 * i + 16], *counter, data[i * length :][:length])
                    expected += REFERENCE[operation](*fields)
                assert next(lines) == expected.hex(), (calls, operation, length)
            size = 2 * size + 1
