# SPDX-License-Identifier: Apache-2.0
"""The C of Dilithium, which is software and becomes hardware, and the variant for AVX2, by every C
compiler here.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import sw as support

from lydite.cores import catalog
from lydite.cores.dilithium import spec

FOLDER = catalog.FOLDER / "dilithium" / "sw"
VARIANTS = ("ref", "avx2")
INDEX = {"dilithium2": 0, "ml-dsa-44": 1}

# Most are built by gcc, which a plain machine may not have.
pytestmark = pytest.mark.native
BOTH = pytest.mark.parametrize("name", list(INDEX))

Get = Callable[[str, str], support.Library]


def flags(name: str) -> tuple[str, ...]:
    return (f"-DML_DSA={INDEX[name]}", "-Wno-unknown-pragmas")


@pytest.fixture(scope="module", params=VARIANTS)
def library(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Get:
    """Build a variant by a compiler, once, and load it."""
    folder, variant = tmp_path_factory.mktemp("sw"), request.param

    @functools.cache
    def get(name: str, cc: str) -> support.Library:
        out = folder / f"{name}-{cc}.so"
        found = support.Library(support.shared(cc, FOLDER / f"{variant}.c", out, *flags(name)))
        assert found.c.lydite_impl() == variant.encode()
        return found

    return get


@pytest.mark.parametrize("cc", support.COMPILERS)
@BOTH
def test_known_answers(name: str, cc: str, library: Get) -> None:
    sw, primitive = library(name, cc), catalog.primitive(name)
    for vector in primitive.vectors():
        operation = primitive.operation(vector.operation)
        inputs = [vector.fields[field] for field in operation.input_names]
        lengths = operation.output_lengths([len(value) for value in inputs])
        found, verdict = sw.run(operation.name, [inputs], lengths, rejects=operation.rejects)
        if operation.rejects:
            assert verdict == [vector.accepted], vector.where
        else:
            assert found == [tuple(vector.fields[f] for f in operation.output_names)], vector.where


def keys(sw: support.Library, name: str, seed: bytes) -> tuple[bytes, bytes]:
    operation = catalog.primitive(name).operation("keygen")
    [(public_key, secret_key)], _ = sw.run("keygen", [(seed,)], operation.output_lengths([32]))
    return public_key, secret_key


def sign(sw: support.Library, name: str, key: bytes, message: bytes, context: bytes = b"") -> bytes:
    inputs = (key, message) if name == "dilithium2" else (key, context, message, bytes(32))
    [(signature,)], _ = sw.run("sign", [inputs], (2420,))
    return signature


def verify(
    sw: support.Library,
    name: str,
    key: bytes,
    message: bytes,
    signature: bytes,
    context: bytes = b"",
) -> bool:
    inputs = (key, message) if name == "dilithium2" else (key, context, message)
    _, [verdict] = sw.run("verify", [(*inputs, signature)], (), rejects=True)
    return bool(verdict)


@BOTH
def test_random_calls_are_the_specification(name: str, library: Get) -> None:
    sw, rng = library(name, "gcc"), random.Random(7)
    prefix = name if name == "dilithium2" else "ml_dsa"
    for length in (0, 1, 5, 71, 72, 73, 135, 136, 137, 1000):
        seed, message, context = (
            rng.randbytes(32),
            rng.randbytes(length),
            rng.randbytes(length)[:255],
        )
        public_key, secret_key = keys(sw, name, seed)
        assert (public_key, secret_key) == getattr(spec, f"{prefix}_keygen")(seed)
        signature = sign(sw, name, secret_key, message, context)
        if name == "dilithium2":
            assert signature == spec.dilithium2_sign(secret_key, message)
        else:
            assert signature == spec.ml_dsa_sign(secret_key, context, message, bytes(32))
        assert verify(sw, name, public_key, message, signature, context)
        bit = rng.randrange(8 * len(signature))
        wrong = (int.from_bytes(signature, "little") ^ 1 << bit).to_bytes(2420, "little")
        assert not verify(sw, name, public_key, message, wrong, context)
        assert not verify(sw, name, public_key, message + b"a", signature, context)


@BOTH
def test_batch_is_its_calls(name: str, library: Get) -> None:
    sw, rng = library(name, "gcc"), random.Random(9)
    lengths = catalog.primitive(name).operation("keygen").output_lengths([32])
    seeds = [(rng.randbytes(32),) for _ in range(3)]
    singly = [sw.run("keygen", [seed], lengths)[0][0] for seed in seeds]
    assert sw.run("keygen", seeds, lengths)[0] == singly


@pytest.mark.parametrize("length", [0, 1311, 1313])
def test_key_of_another_length_is_rejected(length: int, library: Get) -> None:
    sw = library("dilithium2", "gcc")
    public_key, secret_key = keys(sw, "dilithium2", bytes(32))
    signature = sign(sw, "dilithium2", secret_key, b"abc")
    assert verify(sw, "dilithium2", public_key, b"abc", signature)
    assert not verify(sw, "dilithium2", (public_key + b"a")[:length], b"abc", signature)


@pytest.mark.parametrize("length", [0, 32, 2419, 2421])
def test_signature_of_another_length_is_rejected(length: int, library: Get) -> None:
    sw = library("dilithium2", "gcc")
    public_key, secret_key = keys(sw, "dilithium2", bytes(32))
    signature = sign(sw, "dilithium2", secret_key, b"abc")
    assert not verify(sw, "dilithium2", public_key, b"abc", (signature + bytes(8))[:length])


@pytest.mark.parametrize("length", [0, 2527, 2560])
def test_secret_key_of_another_length_signs_nothing(length: int, library: Get) -> None:
    sw = library("dilithium2", "gcc")
    assert sign(sw, "dilithium2", bytes(length), b"abc") == bytes(2420)


@BOTH
def test_messages_of_no_bytes_and_of_64_kib(name: str, library: Get) -> None:
    sw = library(name, "gcc")
    public_key, secret_key = keys(sw, name, bytes(32))
    for message in (b"", bytes(range(256)) * 256):
        signature = sign(sw, name, secret_key, message)
        assert verify(sw, name, public_key, message, signature)
        assert not verify(sw, name, public_key, message + b"\0", signature)


def test_contexts_have_at_most_255_bytes(library: Get) -> None:
    sw = library("ml-dsa-44", "gcc")
    public_key, secret_key = keys(sw, "ml-dsa-44", bytes(32))
    for length in (0, 1, 255):
        context = bytes(range(length))
        signature = sign(sw, "ml-dsa-44", secret_key, b"abc", context)
        assert verify(sw, "ml-dsa-44", public_key, b"abc", signature, context)
        assert not verify(sw, "ml-dsa-44", public_key, b"bc", signature, context + b"a")
    assert sign(sw, "ml-dsa-44", secret_key, b"abc", bytes(256)) == bytes(2420)
    assert not verify(sw, "ml-dsa-44", public_key, b"abc", signature, bytes(256))


# A key whose signature of "abc" has hints in the first polynomial.
PUBLIC_KEY, SECRET_KEY = spec.dilithium2_keygen(bytes(range(32)))
SIGNATURE = spec.dilithium2_sign(SECRET_KEY, b"abc")


def malformed(place: int, value: bytes) -> bytes:
    return SIGNATURE[:place] + value + SIGNATURE[place + len(value) :]


@pytest.mark.parametrize(
    "signature",
    [
        malformed(2336, SIGNATURE[2337:2338] + SIGNATURE[2336:2337]),
        malformed(2337, SIGNATURE[2336:2337]),
        malformed(2415, b"\1"),
        malformed(2417, bytes([SIGNATURE[2416] - 1])),
        malformed(2419, b"\x51"),
        malformed(2419, b"\xff"),
        malformed(32, bytes([spec.BETA, 0, SIGNATURE[34] & 0xFC])),
        malformed(
            32, (2 * spec.GAMMA1 - spec.BETA | SIGNATURE[34] >> 2 << 18).to_bytes(3, "little")
        ),
    ],
    ids=[*("order", "twice", "trailing", "back", "beyond", "far"), *("upper", "lower")],
)
def test_malformed_signature_is_rejected(signature: bytes, library: Get) -> None:
    sw = library("dilithium2", "gcc")
    assert len(signature) == 2420 and signature != SIGNATURE
    assert verify(sw, "dilithium2", PUBLIC_KEY, b"abc", SIGNATURE)
    assert not verify(sw, "dilithium2", PUBLIC_KEY, b"abc", signature)


# What nobody made: all of it is read, none of it may be undefined.
HARNESS = r"""
#include <stdio.h>
#include <stdlib.h>
#include "lydite_sw.h"
void lydite_keygen(const struct lydite_batch *batch);
void lydite_sign(const struct lydite_batch *batch);
void lydite_verify(const struct lydite_batch *batch);
enum { PUBLIC = 1312, SECRET = 2528, SIGNATURE = 2420 };
static uint8_t *of(size_t bytes, unsigned step) {
  uint8_t *found = malloc(bytes + 1);
  if (found == NULL) exit(1);
  for (size_t i = 0; i < bytes; i++) found[1 + i] = (uint8_t)(i * i * step + 17 * i + step);
  return found + 1;
}
int main(void) {
  for (unsigned step = 0; step < 6; step++) {
    uint8_t *seed = of(32, step), *key = of(PUBLIC, step), *secret = of(SECRET, step);
    uint8_t *message = of(200, step), *signature = of(SIGNATURE, step);
    uint8_t *garbage = of(SIGNATURE, step);
    uint8_t verdict[1];
    const uint8_t *in[3] = {secret, message};
    const size_t in_bytes[3] = {SECRET, 200}, out_bytes[2] = {SIGNATURE};
    uint8_t *out[2] = {signature};
    lydite_sign(&(struct lydite_batch){1, in, in_bytes, out, out_bytes, NULL});
    printf("%02x", signature[0]);
    const uint8_t *seeds[1] = {seed};
    uint8_t *pair[2] = {key, secret};
    const size_t of_seed[1] = {32}, of_pair[2] = {PUBLIC, SECRET};
    for (int made = 0; made < 2; made++) {
      const uint8_t *given[3] = {key, message, garbage};
      const size_t bytes[3] = {PUBLIC, 200, SIGNATURE};
      if (made) lydite_keygen(&(struct lydite_batch){1, seeds, of_seed, pair, of_pair, NULL});
      for (int end = 0; end < 256; end += 15) {
        for (int i = 0; i < 4; i++) garbage[SIGNATURE - 1 - i] = (uint8_t)end;
        lydite_verify(&(struct lydite_batch){1, given, bytes, NULL, NULL, verdict});
        printf("%d", verdict[0]);
      }
    }
    lydite_sign(&(struct lydite_batch){1, in, in_bytes, out, out_bytes, NULL});
    const uint8_t *right[3] = {key, message, signature};
    const size_t bytes[3] = {PUBLIC, 200, SIGNATURE};
    lydite_verify(&(struct lydite_batch){1, right, bytes, NULL, NULL, verdict});
    printf(" %d\n", verdict[0]);
    free(seed - 1);
    free(key - 1);
    free(secret - 1);
    free(message - 1);
    free(signature - 1);
    free(garbage - 1);
  }
  return 0;
}
"""


@pytest.mark.parametrize("variant", VARIANTS)
def test_sanitizers_find_nothing(variant: str, tmp_path: Path) -> None:
    source = FOLDER / f"{variant}.c"
    lines = support.sanitized(source, HARNESS, tmp_path, *flags("dilithium2")).splitlines()
    assert len(lines) == 6
    for line in lines:
        garbage, accepted = line.split()
        assert garbage[2:] == "0" * 36
        assert accepted == "1"
