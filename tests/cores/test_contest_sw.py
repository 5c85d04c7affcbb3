# SPDX-License-Identifier: Apache-2.0
"""Every software variant of the candidates of NIST's SHA-3 contest, by every C compiler here,
against the known answers of core.toml and the specification.

The shared libraries are built here and called through ctypes; lydite_sw.h is their contract.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import sw as support
from contest import CANDIDATES, function_of

from lydite.cores import Primitive, Software, catalog

# Most are built by gcc, which a plain machine may not have.
pytestmark = pytest.mark.native
VARIANTS = [one for primitive in CANDIDATES for one in catalog.software(primitive.name)]
ALL = pytest.mark.parametrize(
    "variant", VARIANTS, ids=lambda one: f"{one.primitive.name}-{one.name}"
)
BUILDS = pytest.mark.parametrize("cc", support.COMPILERS)
Get = Callable[[Software, str], support.Library]

# A fault in what the fast code of one message does by itself: its file, what stands there, what
# stands there instead.
MUTANTS = {
    "bmw-256-avx512": ("avx512.c", "AROUND(x, 10), 0x9e54", "AROUND(x, 10), 0x9e50"),
    "bmw-256-plain32": ("plain32.c", "w[14] - w[0]", "w[14] - w[1]"),
    "echo-256-tables": ("tables.c", "counter + i)", "counter + (i & 7))"),
    "groestl-256-table64": ("table64.c", "(j + 8 - i) % 8", "(j + i) % 8"),
    "luffa-256-plain": ("block.h", "k >= 4 && j > 0", "k >= 4 && j > 1"),
    "luffa-256-sse2": ("rounds.h", "c = AND(c, a);", "c = OR(c, a);"),
    "shavite-3-256-tables": ("tables.c", "i == 68", "i == 72"),
}


def digests(primitive: Primitive) -> dict[bytes, bytes]:
    """Give messages and what the specification makes of them, around the ends of blocks."""
    block = primitive.operation("hash").block_bytes
    assert block is not None
    function = function_of(primitive, "fast") or function_of(primitive, "spec")
    assert function is not None
    lengths = {0, 1, 7, 8, 9, 63, 64, 65, 1000}
    lengths |= {n for blocks in (1, 2) for n in range(blocks * block - 20, blocks * block + 2)}
    messages = [bytes((7 + 11 * i) & 255 for i in range(n)) for n in sorted(lengths) if n >= 0]
    return {message: function(message) for message in messages}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Get:
    """Build a variant by a compiler, once, and load it where it can run."""
    folder = tmp_path_factory.mktemp("sw")
    built: dict[tuple[Software, str], support.Library] = {}

    def get(variant: Software, cc: str) -> support.Library:
        key = variant.primitive.name, variant.name, cc
        if key not in built:
            [source] = [variant.folder / name for name in variant.sources]
            out = folder / f"{'-'.join(key)}.so"
            defines = [f"-D{name}={value}" for name, value in variant.defines.items()]
            shared = support.shared(cc, source, out, *defines, cpu=variant.cpu)
            built[key] = support.Library(shared)
        return built[key]

    return get


@BUILDS
@ALL
def test_known_answers(variant: Software, cc: str, library: Get) -> None:
    sw = library(variant, cc)
    vectors = variant.primitive.vectors()
    assert len(vectors) > 200
    for one in vectors:
        answer, _ = sw.run("hash", [(one.fields["message"],)], [32])
        assert answer == [(one.fields["digest"],)], one.where


@ALL
def test_messages_around_the_ends_of_blocks_and_batches(variant: Software, library: Get) -> None:
    sw = library(variant, "zig")
    for message, digest in digests(variant.primitive).items():
        assert sw.run("hash", [(message,)], [32])[0] == [(digest,)], len(message)
    for count in (2, 3, 15, 16, 17, 33):
        chosen = [bytes((i + n) & 255 for i in range(100)) for n in range(count)]
        alone = [sw.run("hash", [(message,)], [32])[0][0] for message in chosen]
        assert sw.run("hash", [(message,) for message in chosen], [32])[0] == alone


@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_in_fast_code_is_seen(
    name: str, tmp_path: Path, replace: Callable[..., None]
) -> None:
    [variant] = [one for one in VARIANTS if f"{one.primitive.name}-{one.name}" == name]
    support.require_cpu(variant.cpu)
    file, good, bad = MUTANTS[name]
    folder = Path(shutil.copytree(variant.folder / "sw", tmp_path / "core" / "sw"))
    shutil.copytree(support.COMMON, tmp_path / "common" / "sw")
    for header in variant.folder.glob("*.h"):
        shutil.copy(header, folder.parent)
    replace(folder / file, good, bad)
    [source] = variant.sources
    shared = support.shared("zig", folder.parent / source, tmp_path / "out.so", cpu=variant.cpu)
    sw = support.Library(shared)
    wrong = [
        one.where
        for one in variant.primitive.vectors()[:100]
        if sw.run("hash", [(one.fields["message"],)], [32])[0] != [(one.fields["digest"],)]
    ]
    assert wrong
