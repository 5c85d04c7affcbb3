# SPDX-License-Identifier: Apache-2.0
"""BLAKE3's OpenCL kernels against the known answers, on a processor that takes OpenCL (PoCL)."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest

from lydite.cores import catalog
from lydite.cores.blake3 import fast
from lydite.runs.kinds import sizes
from lydite.runs.processors.loaded import Module
from lydite.tools import compiler

PRIMITIVE = catalog.primitive("blake3")
[VARIANT] = catalog.software("blake3", gpu=True)
HASH = PRIMITIVE.operation("hash")


@pytest.fixture(scope="module")
def opencl(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Module]:
    """Load the variant for any device; PoCL calls `ld`, which a plain machine does not have."""
    pytest.importorskip("pocl_binary_distribution", reason="PoCL has no wheel for this machine")
    folder = tmp_path_factory.mktemp("pocl")
    linker = folder / "ld"
    linker.write_text(f'#!/bin/sh\nexec {compiler.zig("c").argv[0]} ld.lld "$@"\n')
    linker.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("POCL_CACHE_DIR", str(folder))
        patch.setenv("PYOPENCL_NO_CACHE", "1")
        if "unknown target CPU" in _refusal():
            pytest.skip("PoCL's compiler does not know this processor")
        module = Module(str(VARIANT.folder / VARIANT.python), {"GPU": 0})
        # Kernels are linked at their first launch: the path is theirs until all tests are done.
        yield module


def _refusal() -> str:
    """Give why an empty kernel is not built: PoCL 3.0 fails so on processors younger than it."""
    import pyopencl as cl

    try:
        cl.Program(cl.create_some_context(interactive=False), "kernel void f() {}").build()
    except cl.Error as error:
        return str(error)
    return ""


def test_known_answers(opencl: Module) -> None:
    assert opencl.available and "Portable Computing Language" in opencl.version
    vectors = tuple(PRIMITIVE.vectors())
    assert len(vectors) == 105
    for vector in vectors:
        operation = PRIMITIVE.operation(vector.operation)
        inputs = [vector.fields[name] for name in operation.input_names]
        output = vector.fields["output"]
        assert opencl.run(operation, [(inputs, len(output))]) == [(output,)], vector.where


def test_any_number_of_chunks_is_the_same_tree(opencl: Module) -> None:
    # A group has 128 chunks, and one of parents 256 values.
    message = random.Random(3).randbytes(700 * 1024 + 5)
    for chunks in (1, 2, 3, 127, 128, 129, 130, 255, 256, 257, 383, 385, 700):
        for extra in (-1, 0, 1):
            data = message[: chunks * 1024 + extra]
            assert opencl.run(HASH, [([data], 32)]) == [(fast.hash_(data, 32),)], len(data)


def test_messages_in_several_parts_and_levels(opencl: Module) -> None:
    # More than two parts of 16 MB, three levels of groups, and the last of each not full.
    data = random.Random(5).randbytes(1 << 16) * 513 + b"end"
    [(whole,)] = opencl.run(HASH, [([data], 64)])
    reference = sizes.reference_of("blake3")
    assert whole[:32] == sizes._compiled([reference], HASH).hash(data)


def test_keys_of_another_length_are_refused(opencl: Module) -> None:
    operation = PRIMITIVE.operation("keyed_hash")
    for count in (0, 1, 31, 33, 36, 64):
        with pytest.raises(ValueError, match=f"a key has 32 bytes, not {count}$"):
            opencl.run(operation, [([bytes(count), b"message"], 32)])


def test_outputs_of_any_length(opencl: Module) -> None:
    for length, output in ((0, 0), (0, 1), (65, 63), (1025, 65), (3000, (1 << 16) + 33)):
        data = bytes(length)
        assert opencl.run(HASH, [([data], output)]) == [(fast.hash_(data, output),)]


def test_it_tells_its_time_by_parts(opencl: Module) -> None:
    found = opencl.prepared(bytes(3000), 32)()
    assert set(found) == {"to_device", "compute", "from_device", "total"}
    assert all(value > 0 for value in found.values())


def test_it_is_no_software_of_the_processor() -> None:
    assert VARIANT not in catalog.software("blake3")
    [selection] = catalog.select("blake3")
    assert all(one.role != "gpu" for one in selection.software)


def test_without_a_gpu_it_is_not_available() -> None:
    # Where one is, it is: both are told by what OpenCL itself says.
    cl = pytest.importorskip("pyopencl")
    try:
        gpus = [one for p in cl.get_platforms() for one in p.get_devices(cl.device_type.GPU)]
    except cl.Error:
        gpus = []
    assert sizes.module_of(VARIANT).available == bool(gpus)
