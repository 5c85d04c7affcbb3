# SPDX-License-Identifier: Apache-2.0
"""Every software variant of Ascon, by every C compiler here, against the specification.

The shared libraries are built here and called through ctypes; lydite_sw.h is their contract.
"""

from __future__ import annotations

import ctypes
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import sw as support

from lydite.cores.ascon import fast

CORES = Path(__file__).parents[2] / "src" / "lydite" / "cores"
SOURCES = CORES / "ascon" / "sw"
VECTORS = CORES / "ascon" / "kat"
VARIANTS = ("ref", "plain64", "avx512_x8")
LENGTHS = (0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 100)

# Most are built by gcc, which a plain machine may not have.
pytestmark = pytest.mark.native
BUILDS = pytest.mark.parametrize("cc", support.COMPILERS)
ALL = pytest.mark.parametrize("variant", VARIANTS)


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
        text, tag, message = record["CT"][:-16], record["CT"][-16:], record["PT"]
        head = (record["Key"], record["Nonce"], record["AD"])
        assert sw.run("seal", [(*head, message)], (len(text), 16))[0] == [(text, tag)]
        opened = sw.run("open", [(*head, text, tag)], (len(text),), rejects=True)
        assert opened == ([(message,)], [1])
    for record in records("asconhash256_sp800-232_LWC_HASH_KAT_128_256.txt"):
        assert sw.run("hash", [(record["Msg"],)], (32,))[0] == [(record["MD"],)]


@BUILDS
@ALL
def test_every_lane_agrees_with_the_specification(variant: str, cc: str, library: Get) -> None:
    sw, rng = library(variant, cc), random.Random(232)
    for length in LENGTHS:
        count, ad_bytes = rng.randrange(1, 20), rng.choice(LENGTHS)
        sizes = (16, 16, ad_bytes, length)
        calls = [tuple(rng.randbytes(size) for size in sizes) for _ in range(count)]
        sealed = [fast.seal(*call) for call in calls]
        assert sw.run("seal", calls, (length, 16))[0] == sealed
        # Some are forged: their messages become zeros.
        forged = [rng.random() < 0.5 for _ in range(count)]
        given, messages = [], []
        for call, (text, tag), bad in zip(calls, sealed, forged, strict=True):
            change = bytearray(tag)
            change[rng.randrange(16)] ^= bad << rng.randrange(8)
            given.append((*call[:3], text, bytes(change)))
            messages.append((bytes(length) if bad else call[3],))
        opened = sw.run("open", given, (length,), rejects=True)
        assert opened == (messages, [int(not bad) for bad in forged])
        digests = [(fast.hash256(call[3]),) for call in calls]
        assert sw.run("hash", [call[3:] for call in calls], (32,))[0] == digests


@ALL
def test_no_message_is_no_work(variant: str, library: Get) -> None:
    empty = support.Batch(0, (ctypes.c_char_p * 5)(), (ctypes.c_size_t * 5)())
    for operation in ("seal", "open", "hash"):
        library(variant, "gcc").call(operation, empty)


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
    printed = support.sanitized(SOURCES / f"{variant}.c", HARNESS, tmp_path)
    assert len(printed.split()) == 4 * 22 * 5
