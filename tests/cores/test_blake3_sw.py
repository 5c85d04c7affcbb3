# SPDX-License-Identifier: Apache-2.0
"""Every software variant of BLAKE3, by every C compiler here, against the known answers.

The shared libraries are built here and called through ctypes; lydite_sw.h is their contract.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sw as support

from lydite.cores import catalog
from lydite.cores.blake3 import fast

SOURCES = catalog.FOLDER / "blake3" / "sw"
THREADED = ("avx2_x8-threads", "avx512_x16-threads")
VARIANTS = ("ref", "plain", "sse41_x4", "avx2_x8", "avx512_x16", *THREADED)
PRIMITIVE = catalog.primitive("blake3")

# Most are built by gcc, which a plain machine may not have.
pytestmark = pytest.mark.native
BUILDS = pytest.mark.parametrize("cc", support.COMPILERS)
ALL = pytest.mark.parametrize("variant", VARIANTS)


Get = Callable[[str, str], support.Library]


def source_of(variant: str) -> tuple[Path, tuple[str, ...]]:
    """Give the file of a variant, and its flags."""
    name, _, threads = variant.partition("-")
    return SOURCES / f"{name}.c", ("-DBLAKE3_THREADS=1", "-pthread") if threads else ()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Get:
    """Build a variant by a compiler, once, and load it where it can run."""
    folder = tmp_path_factory.mktemp("sw")
    built: dict[tuple[str, str], support.Library] = {}

    def get(variant: str, cc: str) -> support.Library:
        if (variant, cc) not in built:
            source, more = source_of(variant)
            out = folder / f"{variant}-{cc}.so"
            built[variant, cc] = support.Library(support.shared(cc, source, out, *more))
        return built[variant, cc]

    return get


@BUILDS
@ALL
def test_known_answers(variant: str, cc: str, library: Get) -> None:
    sw = library(variant, cc)
    assert sw.c.lydite_impl().decode() == variant.replace("_", "-")
    for vector in PRIMITIVE.vectors():
        operation = PRIMITIVE.operation(vector.operation)
        inputs = [vector.fields[name] for name in operation.input_names]
        output = vector.fields["output"]
        assert sw.run(vector.operation, [inputs], (len(output),))[0] == [(output,)], vector.where


@ALL
def test_any_number_of_chunks_is_the_same_tree(variant: str, library: Get) -> None:
    sw, rng = library(variant, "gcc"), random.Random(3)
    message = rng.randbytes(70 * 1024 + 5)
    for chunks in (*range(1, 20), 31, 32, 33, 63, 64, 65, 70):
        for extra in (-1, 0, 5):
            data = message[: chunks * 1024 + extra]
            output = library("ref", "gcc").run("hash", [(data,)], (32,))[0]
            assert sw.run("hash", [(data,)], (32,))[0] == output, len(data)


@ALL
def test_calls_of_a_batch_and_outputs_of_any_length(variant: str, library: Get) -> None:
    sw, rng = library(variant, "gcc"), random.Random(31)
    for length, size in ((0, 1), (1, 63), (65, 64), (1025, 65), (2049, 200), (3, 0)):
        calls = [(rng.randbytes(32), rng.randbytes(length)) for _ in range(3)]
        right = [(fast.keyed_hash(*call, size),) for call in calls]
        assert sw.run("keyed_hash", calls, (size,))[0] == right
        right = [(fast.derive_key(*call, size),) for call in calls]
        assert sw.run("derive_key", calls, (size,))[0] == right
    [(long,)], _ = sw.run("hash", [(b"abc",)], ((1 << 16) + 33,))
    assert long == fast.hash_(b"abc", (1 << 16) + 33)


@pytest.mark.parametrize("variant", THREADED)
def test_threads_share_a_long_message_in_parts_of_any_number(variant: str, library: Get) -> None:
    # Parts have 64 KiB and more, and there are 64 of them at most: a last one that is short, whole,
    # a chunk, a byte; as many parts as may be, and the first length with longer ones.
    part, sw, plain = 1 << 16, library(variant, "gcc"), library("plain", "gcc")
    message = random.Random(5).randbytes(65 * part)
    for length in (
        *(part + more for more in (-1, 0, 1, 1024)),
        *(2 * part + more for more in (-1, 0, 1)),
        *(3 * part - 1, 7 * part + 1025, 16 * part + 77),
        *(64 * part + more for more in (-1, 0, 1)),
        65 * part,
    ):
        data = message[:length]
        assert sw.run("hash", [(data,)], (64,)) == plain.run("hash", [(data,)], (64,)), length


@pytest.mark.parametrize("variant", THREADED)
def test_messages_of_several_callers_are_told_apart(variant: str, library: Get) -> None:
    sw, plain = library(variant, "gcc"), library("plain", "gcc")
    messages = [random.Random(n).randbytes((4 << 20) + 70_000 * n) for n in range(4)]
    right = [plain.run("hash", [(one,)], (32,)) for one in messages]
    # Calls of ctypes leave Python's lock, so that these run beside each other.
    with ThreadPoolExecutor(len(messages)) as callers:
        found = callers.map(lambda n: sw.run("hash", [(messages[n % 4],)], (32,)), range(60))
        assert list(found) == right * 15


@ALL
def test_no_message_is_no_work(variant: str, library: Get) -> None:
    empty = support.Batch(0, (ctypes.c_char_p * 2)(), (ctypes.c_size_t * 2)())
    empty.out_bytes = (ctypes.c_size_t * 1)(32)
    for operation in ("hash", "keyed_hash", "derive_key"):
        library(variant, "gcc").call(operation, empty)


# Buffers are of the exact size and unaligned, so that the sanitizers see every byte beyond them.
HARNESS = r"""
#include <stdio.h>
#include <stdlib.h>
#include "lydite_sw.h"
void lydite_hash(const struct lydite_batch *batch);
int main(void) {
  for (size_t bytes = 0; bytes < 40000; bytes += bytes < 66 ? 13 : bytes < 3000 ? 511 : 8191) {
    const size_t out_bytes = bytes % 131;
    uint8_t *message = malloc(bytes + 1), *output = malloc(out_bytes + 1);
    if (message == NULL || output == NULL) return 1;
    for (size_t i = 0; i < bytes; i++) message[1 + i] = (uint8_t)(i % 251);
    const uint8_t *in[1] = {message + 1};
    uint8_t *out[1] = {output + 1};
    const struct lydite_batch batch = {1, in, &bytes, out, &out_bytes, NULL};
    lydite_hash(&batch);
    printf("%zu:", bytes);
    for (size_t i = 0; i < out_bytes; i++) printf("%02x", output[1 + i]);
    printf("\n");
    free(message);
    free(output);
  }
  return 0;
}
"""


@pytest.mark.parametrize(
    "variant",
    # What differs between vectors is a few lines: the widest is tried always.
    [
        pytest.param(one, marks=pytest.mark.slow if one in ("sse41_x4", "avx2_x8") else ())
        for one in VARIANTS
        if one != "avx512_x16"
    ],
)
def test_sanitizers_find_nothing(variant: str, tmp_path: Path) -> None:
    source, more = source_of(variant)
    for line in support.sanitized(source, HARNESS, tmp_path, *more).split():
        length, _, output = line.partition(":")
        message = (bytes(range(251)) * 200)[: int(length)]
        assert fast.hash_(message, len(output) // 2).hex() == output
